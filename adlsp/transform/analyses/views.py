"""Which expressions may share memory with what they read: names, views, elements of containers.

Functions are listed by their dotted names: those that surely give something new, and those that
give a view. Of others nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable

from adlsp.transform import ir

FRESH_PREFIXES = (
    "operator.",
    "math.",
    "builtins.",
    "copy.deepcopy",
    "numpy.linalg.",
    "numpy.fft.",
    "numpy.random.",
)
"""Where functions give new values, but for those in `VIEWS`."""


NEW_ARRAYS = """
abs absolute acos acosh add all allclose amax amin angle any append arange arccos arccosh arcsin
arcsinh arctan arctan2 arctanh argmax argmin argsort argwhere around array_equal average
bincount bitwise_and bitwise_not bitwise_or bitwise_xor block bmat cbrt ceil choose clip
concatenate conj conjugate convolve copy copysign correlate corrcoef cos cosh count_nonzero cov
cross cumprod cumsum deg2rad degrees delete diff digitize divide divmod dot dstack ediff1d
einsum empty empty_like equal exp exp2 expm1 eye fabs flatnonzero float32 float64 float_power
floor floor_divide fmax fmin fmod full full_like gcd gradient greater greater_equal heaviside
histogram hstack hypot i0 identity indices inner insert int32 int64 interp invert isclose
isfinite isinf isnan kron lcm ldexp less less_equal linspace log log10 log1p log2 logaddexp
logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul max maximum mean
median meshgrid min minimum mod multiply nan_to_num nanmax nanmean nanmin nansum ndim negative
nextafter nonzero norm not_equal ones ones_like outer pad percentile polyfit polyval positive
pow power prod ptp quantile rad2deg radians reciprocal remainder repeat rint roll round
searchsorted shape sign sinc sin sinh size sort sqrt square stack std subtract sum take
take_along_axis tan tanh tensordot tile trace trapezoid tri tril triu true_divide trunc unique
unwrap vander var vdot vstack where zeros zeros_like add.outer add.reduce multiply.outer
subtract.outer c_ r_
"""


FRESH_NUMPY = frozenset(f"numpy.{name}" for name in NEW_ARRAYS.split())
"""The functions of NumPy that surely make a new array; of all others we do not know."""


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


VIEWS = {
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
    "adlsp.runtime.conj",
    "adlsp.runtime.dagger",
    "adlsp.runtime.expand",
    "adlsp.runtime.fit_to",
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
    "adlsp.runtime.cast_item",
    "adlsp.runtime.cast_like",
    "adlsp.runtime.unbroadcast",
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


def may_view(value: ir.Expression) -> bool:
    """Tells whether the value of an expression may share memory with what it reads."""
    if not isinstance(value, ir.Call):
        is_truth = isinstance(value, ir.Opaque) and (not value.findings or is_apart(value))
        return isinstance(value, ir.Name | ir.Opaque | ir.Global) and not is_truth
    name = value.function
    if name in VIEWS:
        return True
    if name == "ndarray.astype":
        return _may_share(value)
    if name == "numpy.einsum":
        return len(value.args) < 3
    if name.startswith(("ndarray.", "attribute.")):
        return name not in METHODS_WITHOUT_VIEW
    if name == "numpy.ndarray":
        return len(value.args) > 2 or any(key == "buffer" for key, _ in value.keywords)
    if name in ("numpy.array", "numpy.random.default_rng"):
        return _may_share(value)
    is_ours = name.startswith(
        ("python.slice", ir.PATH, "python.in", "python.meshgrid", "python.not_in", "adlsp.runtime.")
    )
    return not (is_ours or name in FRESH_NUMPY or name.startswith(FRESH_PREFIXES))


def _may_share(call: ir.Call) -> bool:
    """Tells whether a call asks for a copy only where there must be one."""
    return any(key == "copy" and given != ir.Const(True) for key, given in call.keywords)


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
