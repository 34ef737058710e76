"""How functions go to other processes: pickling of functions and of what they read.

A function goes by the name under which its module has it, as Python does it; what is found there, a
cache or the function without the blocks of its backward sweep, is looked through again when it
arrives. Where no name leads to it, as to lambdas and functions inside of others, its text goes,
with the place in it and what it has captured. Texts also go with the functions of `__main__`, which
cloudpickle sends as code, to processes that do not have their file.
"""
