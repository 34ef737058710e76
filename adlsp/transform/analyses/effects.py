"""Which steps do more than give a value: they must run, once, and in their order.

And what calls may change of which nothing is known: they have neither a rule nor a source.
"""

from __future__ import annotations

from functools import cache

from adlsp.transform import ir
from adlsp.transform.analyses import views
from adlsp.transform.rules import table

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
PURE_METHODS = views.METHODS_WITHOUT_VIEW | {
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
    "adlsp.runtime.alone",
    "adlsp.runtime.disjoint",
    "adlsp.runtime.number",
    "adlsp.runtime.changeable",
    "adlsp.runtime.plain",
    "adlsp.runtime.unheld",
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
        or written(value)
    ):
        return False
    if name in ir.STATES.values():
        return isinstance(value.args[0], ir.Global)
    if name.startswith("builtins."):
        return name not in IMPURE_BUILTINS
    if name.startswith("ndarray."):
        return name in PURE_METHODS
    return name.startswith(PURE_PREFIXES) and name != "python.pop" and name != "python.call"


BESIDE_OUT = {
    **dict.fromkeys(("numpy.ceil", "numpy.floor", "numpy.rint", "numpy.sign", "numpy.trunc"), 1),
    **dict.fromkeys(("numpy.around", "numpy.round", "ndarray.round"), 2),
}
"""How many arguments stand before what takes the result, of functions that have no gradient."""


def written(call: ir.Call) -> tuple[ir.Atom, ...]:
    """The arguments that a function is told to write into, or is there to change."""
    name = call.function
    if name in views.IN_PLACE:
        return call.args[:1]
    if not name.startswith(("numpy.", "scipy.", "ndarray.")):
        return ()
    is_to_spoil = any(
        key.startswith("overwrite_") and given != ir.Const(False) for key, given in call.keywords
    )
    is_shared = ("copy", ir.Const(False)) in call.keywords or ir.Const(False) in call.args[1:2]
    if is_to_spoil or (name == "numpy.nan_to_num" and is_shared):
        return call.args
    taking = call.args[:1] if name.endswith(".at") else call.args[_n_before_out(name) :]
    return (*taking, *(given for key, given in call.keywords if key == "out"))


def overwritten(statement: ir.Statement) -> tuple[str, ...]:
    """The variables whose arrays a statement overwrites that is no store."""
    match statement:
        case ir.Do(value=ir.Call() as call) | ir.Assign(value=ir.Call() as call):
            return tuple(ir.names(written(call)))
        case ir.Do(value=ir.Opaque(changes=names)) | ir.Assign(value=ir.Opaque(changes=names)):
            return names
    return ()


@cache
def _n_before_out(function: str) -> int:
    """How many arguments by position a function has that do not take its result."""
    rule = table.load().get(function)
    kinds = [] if rule is None else [p.kind for p in rule.parameters]
    is_known = "positional" in kinds and "varargs" not in kinds
    return kinds.count("positional") if is_known else BESIDE_OUT.get(function, ALL)


ALL = 99
"""More arguments than a function has."""

QUIET_MODULES = """
adlsp builtins cmath collections copy csv datetime functools inspect itertools json logging math
matplotlib numpy operator os pandas pickle pprint random scipy statistics string sys time tqdm
traceback typing warnings
"""

QUIET = frozenset(QUIET_MODULES.split())
"""The modules whose functions leave their arguments as they are, but for those that are named."""

CHANGING_FUNCTIONS = {
    "builtins.delattr",
    "builtins.eval",
    "builtins.exec",
    "builtins.next",
    "builtins.setattr",
    "builtins.vars",
    "ndarray.shuffle",
    "numpy.apply_along_axis",
    "numpy.apply_over_axes",
    "operator.delitem",
    "operator.setitem",
    "python.out",
} | views.IN_PLACE
QUIET_METHODS = PURE_METHODS | {
    f"ndarray.{name}"
    for name in (
        *("count", "decode", "dump", "encode", "endswith", "format", "get", "index", "join"),
        *("setflags", "startswith", "tobytes", "tofile", "view", "write"),
        *("capitalize", "casefold", "find", "isalpha", "isdigit", "islower", "isnumeric"),
        *("isupper", "lower", "lstrip", "replace", "rsplit", "rstrip", "split", "splitlines"),
        *("strip", "title", "upper", "zfill"),
    )
}
"""The methods that leave the object alone that they are called on."""


def may_change_first(function: str) -> bool:
    """Tells whether an unknown function may change its first argument only: an object's method."""
    is_method = function.startswith("ndarray.") or function == "python.call"
    return ir.changes_first(function) or (is_method and function not in QUIET_METHODS)


def may_change_any(function: str) -> bool:
    """Tells whether an unknown function may change what it is given."""
    if function in CHANGING_FUNCTIONS:
        return True
    if function.startswith(("ndarray.", "attribute.", ir.NESTED)) or function == "python.call":
        return False
    if function.startswith(("builtins.", "numpy.ndarray.")) and function.count(".") > 1:
        return True
    is_quiet = function.partition(".")[0] in QUIET or is_pure(ir.Call(function))
    return not is_quiet
