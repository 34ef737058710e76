"""Which expressions may share memory with what they read: names, views, elements of containers.

What a function gives is new if its rule is elementwise or multilinear. Others are listed by their
dotted names: those that surely give something new, and those that may give a view or what they were
given. Of the rest nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable

from adlsp.transform import ir
from adlsp.transform.findings import mutation
from adlsp.transform.rules import table

FRESH_WORDS = ("elementwise", "multilinear")
"""The words of rules for functions that give new values, but for those in `VIEWS`."""

FRESH_PREFIXES = (
    "operator.",
    "math.",
    "copy.deepcopy",
    "numpy.linalg.",
    "numpy.fft.",
    "numpy.random.",
)
"""Where functions give new values, but for those in `VIEWS`."""


NEW_ARRAYS = """
abs absolute add.accumulate add.outer add.reduce all allclose amax amin angle any append arange
argmax argmin argsort argwhere around array array_equal array_equiv average bincount bitwise_and
bitwise_not bitwise_or bitwise_xor block bmat c_ ceil choose column_stack compress concat
concatenate conj conjugate copy corrcoef count_nonzero cov cumprod cumsum delete diagflat diff
digitize divmod dstack ediff1d empty empty_like equal extract eye fix flatnonzero floor
floor_divide full full_like gcd geomspace gradient greater greater_equal histogram hstack i0
identity indices insert interp invert isclose iscomplex iscomplexobj isfinite isin isinf isnan
isneginf isposinf isreal lcm ldexp less less_equal linspace logaddexp.reduce logical_and
logical_not logical_or logical_xor logspace max maximum.reduce mean median meshgrid min
minimum.reduce modf multiply.reduce nanargmax nanargmin nancumsum nanmax nanmean nanmin nansum
nanvar ndim nextafter nonzero not_equal ones ones_like pad partition percentile polyfit polyval
prod ptp quantile r_ repeat result_type rint roll round searchsorted select shape sign signbit
size sort sqrt stack std subtract.outer sum take take_along_axis tile trace trapezoid tri tril
triu trunc unique unwrap vander var vstack where zeros zeros_like
"""


FRESH_NUMPY = frozenset(f"numpy.{name}" for name in NEW_ARRAYS.split())
"""Further functions of NumPy that surely make a new array."""


FRESH_SCIPY = frozenset(
    f"scipy.{name}"
    for name in (
        *(f"linalg.{name}" for name in ("expm", "solve_sylvester", "solve_triangular", "sqrtm")),
        *(f"special.{name}" for name in ("log_softmax", "logsumexp", "polygamma", "softmax")),
        "special.zeta",
        "stats.multivariate_normal.logpdf",
        "stats.multivariate_normal.pdf",
    )
)
"""Further functions of SciPy that do."""


GIVEN_BACK_AT = {
    "numpy.diff": 0,
    "numpy.linalg.matrix_power": 1,
}
"""Functions that give back their first argument where the second, `n`, has this value; else new."""


FRESH_RUNTIME = frozenset(
    f"adlsp.runtime.{name}"
    for name in (
        "copy",
        "distinct",
        "own",
        "part",
        "preserved",
        "ratio",
        "separate",
        "zeros",
        *(f"{product}_bar_{side}" for product in ("matmul", "dot", "inner") for side in "ab"),
    )
)
"""Functions of ours whose result is surely new; others may give back an argument."""


IN_PLACE = frozenset(
    f"operator.i{name}"
    for name in (
        *("add", "and", "concat", "floordiv", "lshift", "matmul", "mod", "mul", "or", "pow"),
        *("rshift", "sub", "truediv", "xor"),
    )
)
"""The functions that change their first argument, and give it back."""


VIEWS = IN_PLACE | {
    "operator.getitem",
    "python.tuple",
    "python.list",
    "python.dict",
    "python.set",
    "python.unpack",
    "builtins.dict",
    "builtins.enumerate",
    "builtins.filter",
    "builtins.getattr",
    "builtins.iter",
    "builtins.list",
    "builtins.map",
    "builtins.memoryview",
    "builtins.next",
    "builtins.vars",
    "builtins.max",
    "builtins.min",
    "builtins.reversed",
    "builtins.sorted",
    "builtins.tuple",
    "builtins.zip",
    "numpy.linalg.diagonal",
    "numpy.linalg.matrix_transpose",
    "adlsp.runtime.add_at",
    "adlsp.runtime.alone",
    "adlsp.runtime.array_part",
    "adlsp.runtime.cast_item",
    "adlsp.runtime.cast_like",
    "adlsp.runtime.conj",
    "adlsp.runtime.dagger",
    "adlsp.runtime.disjoint",
    "adlsp.runtime.expand",
    "adlsp.runtime.fit_to",
    "adlsp.runtime.held",
    "adlsp.runtime.inserted",
    "adlsp.runtime.plain",
    "adlsp.runtime.real",
    "adlsp.runtime.refill",
    "adlsp.runtime.restructure",
    "adlsp.runtime.seen",
    "adlsp.runtime.seen_bar",
    "adlsp.runtime.smooth",
    "adlsp.runtime.stretch",
    "adlsp.runtime.take_bar",
    "adlsp.runtime.transpose_bar",
    "adlsp.runtime.turned",
    "adlsp.runtime.unbroadcast",
    "adlsp.runtime.unheld",
    "adlsp.runtime.unpack",
    "adlsp.runtime.without",
}


NEW = ("numpy.", "operator.", "math.", "builtins.float", "adlsp.runtime.copy", "adlsp.runtime.own")
"""Where functions give objects that nothing else holds, but for views."""


METHODS_WITHOUT_VIEW = {
    "ndarray.all",
    "ndarray.any",
    "ndarray.argmax",
    "ndarray.argmin",
    "ndarray.astype",
    "ndarray.copy",
    "ndarray.cumsum",
    "ndarray.dot",
    "ndarray.flatten",
    "ndarray.max",
    "ndarray.mean",
    "ndarray.min",
    "ndarray.prod",
    "ndarray.std",
    "ndarray.sum",
    "ndarray.trace",
    "ndarray.var",
    "attribute.dtype",
    "attribute.ndim",
    "attribute.shape",
    "attribute.size",
}


FRESH_METHODS = METHODS_WITHOUT_VIEW | {
    f"ndarray.{name}"
    for name in (
        *("argpartition", "argsort", "choose", "clip", "compress", "cumprod", "item", "nonzero"),
        *("repeat", "round", "searchsorted", "take"),
    )
}
"""The methods of arrays that give new ones; other objects may do more by these names."""


def may_view(value: ir.Expression) -> bool:
    """Tells whether the value of an expression may share memory with what it reads."""
    if not isinstance(value, ir.Call):
        is_truth = isinstance(value, ir.Opaque) and (not value.findings or is_apart(value))
        return isinstance(value, ir.Name | ir.Opaque | ir.Global) and not is_truth
    name = value.function
    if name in VIEWS or _is_told_to_share(value):
        return True
    if name in GIVEN_BACK_AT:
        n = _given(value, 1, "n") or ir.Const(1)
        return n == ir.Const(GIVEN_BACK_AT[name]) or not isinstance(n, ir.Const)
    if name == "numpy.histogram":  # gives the edges, too
        return not isinstance(_given(value, 1, "bins"), ir.Const | None)
    if name == "builtins.sum":
        return not isinstance(_given(value, 1, "start"), ir.Const | None)
    if name == "numpy.einsum":
        is_written = value.args and isinstance(value.args[0], ir.Const)
        return len(value.args) < (3 if is_written else 4)
    if name.startswith(("ndarray.", "attribute.")):
        return name not in FRESH_METHODS
    if name == "numpy.ndarray":
        return len(value.args) > 2 or any(key == "buffer" for key, _ in value.keywords)
    if name.startswith("builtins."):  # not the methods of its classes, as `dict.fromkeys`
        return name.count(".") > 1
    is_ours = name.startswith(
        ("python.slice", ir.PATH, "python.in", "python.meshgrid", "python.not_in", "adlsp.runtime.")
    )
    is_listed = name in FRESH_NUMPY or name in FRESH_SCIPY or name.startswith(FRESH_PREFIXES)
    return not (is_ours or is_listed or table.load().word(name) in FRESH_WORDS)


def is_into(value: ir.Expression) -> bool:
    """Tells whether an expression is a call of NumPy that writes its result into `out=`."""
    return (
        isinstance(value, ir.Opaque)
        and any(isinstance(found.finding, mutation.OutArgument) for found in value.findings)
        and all(name.startswith(("numpy.", "python.out")) for name, _ in value.calls)
    )


def viewed(value: ir.Expression) -> tuple[str, ...]:
    """The variables of which an expression may be a view: not what only says of which part."""
    if isinstance(value, ir.Opaque) and is_into(value):
        return value.changes
    if isinstance(value, ir.Call) and table.load().word(value.function) == "linear":
        rule = table.load().get(value.function)
        bound = None if rule is None else table.bind(rule.parameters, value)
        if rule is not None and isinstance(bound, dict):
            return tuple(ir.names(tuple(bound[name] for name in rule.of if name in bound)))
    return tuple(ir.expression_reads(value))


def is_new(value: ir.Opaque) -> bool:
    """Tells whether an expression is a comprehension whose elements are made by each pass.

    What they hold in their turn may be old.
    """
    return _is_filled(value, _gives_new)


def is_apart(value: ir.Opaque) -> bool:
    """Tells whether an expression is a comprehension that shares no memory with what it reads."""
    return _is_filled(value, _gives_apart)


def _is_filled(value: ir.Opaque, gives: Callable[[ir.Expression, set[str]], bool]) -> bool:
    """Tells whether a comprehension holds only what expressions with a property `gives` give.

    These may read what is `made` so in the same pass.
    """
    if value.unfolded is None:
        return False
    steps, result = value.unfolded
    made: set[str] = set()
    old: set[str] = set()
    for statement in ir.walk(steps):
        match statement:
            case ir.For(target=target):
                old.add(target)
            case ir.Assign(targets=targets, value=given):
                (made if gives(given, made - old) else old).update(targets)
            case ir.Store(base=base, value=ir.Name(id)) if id not in made - old:
                old.add(base)
    return result.id in made - old


def _gives_new(value: ir.Expression, made: set[str]) -> bool:
    """Tells whether an expression gives an object that nothing else holds."""
    match value:
        case ir.Opaque():
            return is_new(value)
        case ir.Call(function="python.list" | "python.dict" | "python.repeat" | "python.concat"):
            return True
    return _gives_apart(value, made)


def _gives_apart(value: ir.Expression, made: set[str]) -> bool:
    """Tells whether an expression gives what shares memory with what is `made` at most."""
    match value:
        case ir.Opaque():
            return is_apart(value)
        case ir.Call(function="python.repeat" | "operator.getitem", args=(whole, _)):
            return made.issuperset(ir.names((whole,)))
        case ir.Call(function="python.dict", args=args):
            return made.issuperset(ir.names(args[1::2]))
        case ir.Call(function=function) if function in VIEWS or function == "python.concat":
            return made.issuperset(ir.expression_reads(value))
        case ir.Call(function=function):
            return function.startswith(NEW) and not may_view(value)
    return made.issuperset(ir.expression_reads(value)) and not isinstance(value, ir.Global)


def _is_told_to_share(call: ir.Call) -> bool:
    """Tells whether a call has to copy only where there is no other way, or is given an array."""
    return any(
        key == "out" or (key == "copy" and given != ir.Const(True)) for key, given in call.keywords
    )


def _given(call: ir.Call, position: int, keyword: str) -> ir.Atom | None:
    """The argument of a call at a place or under a keyword."""
    return call.args[position] if len(call.args) > position else dict(call.keywords).get(keyword)
