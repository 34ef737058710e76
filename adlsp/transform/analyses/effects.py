"""Which steps do more than give a value: they must run, once, and in their order."""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.analyses import aliases

PURE_PREFIXES = (
    "operator.",
    "math.",
    "numpy.",
    "python.",
    "adlsp.runtime.",
    "pair.",
    "derived.",
    "attribute.",
)
IMPURE_PREFIXES = (
    "numpy.random.",
    "numpy.save",
    "numpy.load",
    "numpy.put",
    "numpy.copyto",
    "numpy.fill_diagonal",
    "numpy.set",
    "numpy.seterr",
)
IMPURE_BUILTINS = {
    f"builtins.{name}"
    for name in (
        "print",
        "input",
        "open",
        "next",
        "iter",
        "exec",
        "eval",
        "setattr",
        "delattr",
        "breakpoint",
        "map",
        "filter",
    )
}
PURE_METHODS = aliases.METHODS_WITHOUT_VIEW | {
    f"ndarray.{name}"
    for name in (
        "reshape",
        "ravel",
        "transpose",
        "swapaxes",
        "squeeze",
        "items",
        "keys",
        "values",
        "conj",
        "conjugate",
        "clip",
        "round",
        "nonzero",
        "tolist",
        "item",
        "diagonal",
    )
}


GUARDS = {
    "adlsp.runtime.number",
    "adlsp.runtime.changeable",
    "adlsp.runtime.unshared",
    "adlsp.runtime.refill",
}
"""Calls of ours that must run: to fail where an assumption does not hold, or to change an array."""


def is_pure(value: ir.Expression) -> bool:
    """Tells whether an expression may be left out, or computed later, if nobody looks at it."""
    if isinstance(value, ir.Opaque):
        return value.is_definition
    if not isinstance(value, ir.Call):
        return True
    name = value.function
    if (
        name in GUARDS
        or ir.changes_first(name)
        or any(key == "out" for key, _ in value.keywords)
        or name.startswith(IMPURE_PREFIXES)
    ):
        return False
    if name.startswith("builtins."):
        return name not in IMPURE_BUILTINS
    if name.startswith("ndarray."):
        return name in PURE_METHODS
    return name.startswith(PURE_PREFIXES) and name != "python.pop" and name != "python.call"
