"""What functions of Python make, which are not about arrays alone: the words of their records."""

from __future__ import annotations

from enum import Enum


class Makes(Enum):
    """What a function of Python, or a step with syntax of its own, makes of what it is given."""

    ARITHMETIC = "arithmetic"
    """An operation on numbers, arrays, element by element, or lists and texts."""

    COMPARISON = "comparison"
    """An operation on numbers, arrays, element by element, or whole lists and texts."""

    IDENTITY = "identity"
    NEGATION = "negation"
    MEMBERSHIP = "membership"
    TRUTH = "truth"
    """Python's `True` or `False`."""

    FLOAT = "float"
    INTEGER = "integer"
    COMPLEX = "complex"
    WHOLE = "whole"
    """An integer of a number, by a method that other objects may have."""

    ROUNDED = "rounded"
    MAGNITUDE = "magnitude"
    PART = "part"
    PRODUCT = "product"
    QUOTIENT_AND_REST = "quotient and rest"
    TWO = "two"
    FOUR = "four"
    PARTS_OF_FLOAT = "parts of a float"
    TEXT = "text"
    NOTHING = "nothing"
    ITEM = "item"
    """An element of a container, or a part of an array."""

    MATMUL = "matmul"
    TUPLE = "tuple"
    LIST = "list"
    DICT = "dict"
    OBJECT = "object"
    SLICE = "slice"
    PATH = "path"
    UNPACKED = "unpacked"
    LENGTH = "length"
    RANGE = "range"
    ENUMERATED = "enumerated"
    ZIPPED = "zipped"
    COLUMNS = "columns"
    """A list of tuples, each with an element of all rows."""

    COMBINED = "combined"
    CHOSEN = "chosen"
    REVERSED = "reversed"
    SORTED = "sorted"
    ORDER = "order"
    """The positions of the elements, in some order."""

    LIST_OF = "list of"
    TUPLE_OF = "tuple of"
    DICT_OF = "dict of"
    FROM_KEYS = "from keys"
    RUN_OF = "run of"
    MAPPED = "mapped"
    FILTERED = "filtered"
    PLACES = "places"
    """All places in an array of some shape."""

    NEXT = "next"
    SUM = "sum"
    EXTREME = "extreme"
    KEYS = "keys"
    VALUES = "values"
    ITEMS = "items"
    ENTRY = "entry"
    """What a dictionary has at a key, or else the second argument."""

    HELD = "held"
    """What a container has at a place, or None; of an array a copy of that part."""

    POPPED = "popped"
    COUNTED = "counted"
    COPY = "copy"
    """The same of its own: another list, dictionary or array."""

    SAME = "same"
    """The first argument itself."""

    SHAPE = "shape"
    RANK = "rank"
    SIZE = "size"
    DTYPE = "dtype"
    NESTED_LISTS = "nested lists"
    ONE_ELEMENT = "one element"
    ARRAY = "array"
    """The first argument as an array, whatever it is."""

    ARRAYS = "arrays"
    """A tuple of the arguments, broadcast."""

    GROWING = "growing"
    """An array that grows, of its first elements."""

    VERSION = "version"
    """Another version of an array that grows."""

    GENERATOR = "generator"
    """What draws random numbers."""

    COUNT = "count"
    """How many elements of an array a reduction takes together, by its shape."""

    BROADCAST = "broadcast"
    """What has no elements, but the shape to which all arguments broadcast together."""

    EXPANDED = "expanded"
    """The gradient of a sum, for each of the elements that were summed."""

    JOINED = "joined"
    """The gradient of an array that was split, of those of its parts, which come first."""

    ZERO = "zero"
    """The zero gradient of the first argument."""

    PARTS = "parts"
    """A copy of a gradient, the parts of which can be added to in place."""

    DEEP_COPY = "deep copy"
    """A copy of the first argument, and of all that it holds."""

    ADDED = "added"
    """The sum of two gradients of one value."""

    ADDED_TO = "added to"
    """The first argument, a gradient, to a part of which something is added."""

    TAKEN = "taken"
    """A copy of what a gradient has at a place."""

    STRUCTURED = "structured"
    """A gradient in the structure of what it is of, the second argument."""

    CAST = "cast"
    """The same, of arrays and numbers in the dtype of what it is of."""

    REPACKED = "repacked"
    """The same, of what was taken apart with a star, the third argument."""

    TAKEN_APART = "taken apart"
    """The gradients of the elements of a list, the second argument, as a list."""

    PUT_APART = "put apart"
    """The gradients of arrays that were put together, of that of the whole."""

    PUT_BACK = "put back"
    """The gradient of an array whose axes were put into an order, the second argument."""

    FITTED = "fitted"
    """The gradient of what was stored, the second argument."""

    LIKE = "like"
    """A gradient in the shape and dtype of an argument."""

    SEED = "seed"
    """The gradient of an output: of arrays in their shape and dtype, of others as it is given."""

    RATIO = "ratio"
    """A gradient divided by what has its shape."""

    GRADIENT_AS = "gradient as"
    """A gradient in the shape and dtype of an argument, if that is a tensor."""

    SHAPE_AND_DTYPE = "shape and dtype"
    """What keeps these two of an argument."""
