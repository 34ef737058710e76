"""The magics of IPython and Jupyter, which `%load_ext adlsp` brings."""
