"""How IPython and Jupyter show derivatives and refusals: as HTML, or as text with colors.

Nothing here is loaded before a notebook asks for it.
"""
