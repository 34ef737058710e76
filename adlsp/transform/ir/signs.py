"""How Python writes the functions that have a syntax of their own there: operators, and some words.

The one table of signs: who reads Python, who writes it, and the notation of the intermediate form
take what they need from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

INFIX: Mapping[str, str] = MappingProxyType(
    {
        "operator.add": "+",
        "operator.sub": "-",
        "operator.mul": "*",
        "operator.truediv": "/",
        "operator.floordiv": "//",
        "operator.mod": "%",
        "operator.pow": "**",
        "operator.matmul": "@",
        "operator.and_": "&",
        "operator.or_": "|",
        "operator.xor": "^",
        "operator.lshift": "<<",
        "operator.rshift": ">>",
        "operator.eq": "==",
        "operator.ne": "!=",
        "operator.lt": "<",
        "operator.le": "<=",
        "operator.gt": ">",
        "operator.ge": ">=",
        "operator.is_": "is",
        "operator.is_not": "is not",
        "python.in": "in",
        "python.not_in": "not in",
    }
)
"""The functions that stand between their two arguments."""

PREFIX: Mapping[str, str] = MappingProxyType(
    {
        "operator.neg": "-",
        "operator.pos": "+",
        "operator.invert": "~",
        "operator.not_": "not ",
    }
)
"""The functions that stand before their argument."""

METHODS: Mapping[str, str] = MappingProxyType(
    {
        "operator.add": "__add__",
        "operator.sub": "__sub__",
        "operator.mul": "__mul__",
        "operator.truediv": "__truediv__",
        "operator.floordiv": "__floordiv__",
        "operator.mod": "__mod__",
        "operator.pow": "__pow__",
        "operator.matmul": "__matmul__",
        "operator.and_": "__and__",
        "operator.or_": "__or__",
        "operator.xor": "__xor__",
        "operator.lshift": "__lshift__",
        "operator.rshift": "__rshift__",
        "operator.eq": "__eq__",
        "operator.ne": "__ne__",
        "operator.lt": "__lt__",
        "operator.le": "__le__",
        "operator.gt": "__gt__",
        "operator.ge": "__ge__",
        "operator.neg": "__neg__",
        "operator.pos": "__pos__",
        "operator.invert": "__invert__",
        "operator.getitem": "__getitem__",
        "builtins.abs": "__abs__",
        "builtins.len": "__len__",
        "builtins.reversed": "__reversed__",
        "builtins.round": "__round__",
        "math.ceil": "__ceil__",
        "math.floor": "__floor__",
        "math.trunc": "__trunc__",
    }
)
"""The methods by which a class says what operators and some functions do with its objects."""

COMPARED_FROM_RIGHT: Mapping[str, str] = MappingProxyType(
    {
        "operator.eq": "__eq__",
        "operator.ne": "__ne__",
        "operator.lt": "__gt__",
        "operator.le": "__ge__",
        "operator.gt": "__lt__",
        "operator.ge": "__le__",
    }
)
"""The methods that comparisons call of their second operand, where the first has none."""

OF_METHODS = {method: function for function, method in METHODS.items()}

OF_LISTS: Mapping[str, str] = MappingProxyType(
    {
        "python.concat": "operator.add",
        "python.plus": "operator.add",
        "python.repeat": "operator.mul",
    }
)
"""What operators do with lists and tuples, and the operators."""

OVERLOADED = frozenset(OF_LISTS.values())
"""The operators that do something else with lists and tuples than with numbers and arrays."""

LOGICAL = frozenset({"operator.and_", "operator.or_", "operator.xor"})
"""What joins conditions element by element: `(x > 0) & (x < 1)`."""

CHOOSING: Mapping[str, str] = MappingProxyType(
    {"python.largest": "builtins.max", "python.smallest": "builtins.min"}
)
"""Calls that choose one of the elements of their only argument, and the functions so called."""

TAKING_MANY: Mapping[str, str] = MappingProxyType(
    {
        "python.broadcast_arrays": "numpy.broadcast_arrays",
        "python.meshgrid": "numpy.meshgrid",
    }
)
"""Calls that have all of their arguments in one tuple, and the functions that take them apart."""

GIVEN_TOGETHER: Mapping[str, str] = MappingProxyType({v: k for k, v in TAKING_MANY.items()})
"""What functions are called that are given one tuple of all their arguments."""

JOINING = ("numpy.c_", "numpy.r_")
"""Objects that put together what they are indexed with, as functions put arguments together."""

SIGMOIDS = {"numpy.exp": "adlsp.runtime.sigmoid", "math.exp": "adlsp.runtime.sigmoid_of_number"}
"""The step that the logistic sigmoid is, by the exponential that it is written with."""

EXPONENTIALS = {sigmoid: exponential for exponential, sigmoid in SIGMOIDS.items()}
"""The exponentials that these steps are printed with."""

LOG_OF_SIGMOID = "adlsp.runtime.log_of_sigmoid"
LOG_OF_LACK = "adlsp.runtime.log_of_lack"
"""The step that `np.log(p)` is, where `p` is the sigmoid of `x`; and `np.log(1 - p)`."""

LOG_LIKELIHOOD = "adlsp.runtime.log_likelihood"
"""The step that `y * np.log(p) + (1 - y) * np.log(1 - p)` is."""
