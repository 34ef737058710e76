"""Which variables may share memory: points-to sets over allocation sites.

Each place that makes an array is a site; while a loop runs, the newest array of a site is told from
the older ones (Balakrishnan and Reps, Recency-abstraction for heap-allocated storage, SAS 2006), so
that `u_new = np.zeros_like(u); …; u = u_new` does not alias. Basic indexing, `.T`, `reshape` and
their like give views; unknown calls may give back any of their arguments.
"""

from __future__ import annotations

from dataclasses import dataclass

from adlsp.transform import ir
from adlsp.transform.analyses import counters

Sites = frozenset[str]
State = dict[str, Sites]

FRESH_PREFIXES = (
    "operator.",
    "math.",
    "builtins.",
    "numpy.linalg.",
    "numpy.fft.",
    "numpy.random.",
)
"""Where functions give new values, but for those in `VIEWS`."""

NEW_ARRAYS = """
abs absolute acos acosh add all allclose amax amin angle any append arange arccos arccosh arcsin
arcsinh arctan arctan2 arctanh argmax argmin argsort argwhere around array_equal average
bincount bitwise_and bitwise_not bitwise_or bitwise_xor block bmat cbrt ceil choose clip
concatenate conj convolve copy copysign correlate corrcoef cos cosh count_nonzero cov cross
cumprod cumsum deg2rad degrees delete diff digitize divide divmod dot dstack ediff1d einsum
empty empty_like equal exp exp2 expm1 eye fabs flatnonzero float32 float64 float_power floor
floor_divide fmax fmin fmod full full_like gcd gradient greater greater_equal heaviside
histogram hstack hypot i0 identity indices inner insert int32 int64 interp invert isclose
isfinite isinf isnan kron lcm ldexp less less_equal linspace log log10 log1p log2 logaddexp
logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul max maximum mean
median meshgrid min minimum mod multiply nan_to_num nanmax nanmean nanmin nansum ndim negative
nextafter nonzero norm not_equal ones ones_like outer pad percentile polyfit polyval positive
pow power prod ptp quantile rad2deg radians reciprocal remainder repeat rint roll round
searchsorted shape sign sinc sin sinh size sort sqrt square stack std subtract sum take
take_along_axis tan tanh tensordot tile trace trapezoid tri tril triu true_divide trunc unique
unwrap vander var vdot vstack where zeros zeros_like
"""

FRESH_NUMPY = frozenset(f"numpy.{name}" for name in NEW_ARRAYS.split())
"""The functions of NumPy that surely make a new array; of all others we do not know."""

VIEWS = {
    "operator.getitem",
    "python.tuple",
    "python.list",
    "python.dict",
    "python.set",
    "builtins.enumerate",
    "builtins.list",
    "builtins.max",
    "builtins.min",
    "builtins.reversed",
    "builtins.sorted",
    "builtins.tuple",
    "builtins.zip",
    "adlsp.runtime.add_at",
    "adlsp.runtime.expand",
    "adlsp.runtime.restructure",
    "adlsp.runtime.stretch",
    "adlsp.runtime.take_bar",
    "adlsp.runtime.transpose_bar",
    "adlsp.runtime.unbroadcast",
}
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
        return isinstance(value, ir.Name | ir.Opaque)
    name = value.function
    if name in VIEWS:
        return True
    if name.startswith(("ndarray.", "attribute.")):
        return name not in METHODS_WITHOUT_VIEW
    if name in ("numpy.array", "numpy.random.default_rng"):
        return any(key == "copy" for key, _ in value.keywords)
    is_ours = name.startswith(("python.slice", "python.in", "python.not_in", "adlsp.runtime."))
    return not (is_ours or name in FRESH_NUMPY or name.startswith(FRESH_PREFIXES))


@dataclass(frozen=True, slots=True)
class Aliases:
    """What each variable may point to before and after each statement."""

    before: dict[ir.Statement, State]
    after: dict[ir.Statement, State]
    counted: frozenset[ir.Statement]

    def shared(self, statement: ir.Statement, name: str) -> frozenset[str]:
        """The other variables that may share memory with one, before a statement."""
        state = self.before[statement]
        mine = state.get(name, frozenset())
        return frozenset(
            other for other, sites in state.items() if other != name and not mine.isdisjoint(sites)
        )


def aliases(function: ir.Function) -> Aliases:
    """Finds what the variables of a function may point to."""
    facts = Aliases({}, {}, counters.counted(function))
    start = {p.name: frozenset({f"parameter {p.name}"}) for p in function.parameters}
    _block(function.body, start, facts)
    return facts


def written_parameters(function: ir.Function) -> tuple[str, ...]:
    """The parameters whose memory a function may write into."""
    facts = aliases(function)
    written: set[str] = set()
    for statement in ir.walk(function.body):
        if isinstance(statement, ir.Store):
            written |= facts.before[statement].get(statement.base, frozenset())
    return tuple(p.name for p in function.parameters if f"parameter {p.name}" in written)


def _block(block: ir.Block, state: State, facts: Aliases) -> State:
    for statement in block:
        facts.before[statement] = state
        state = _after(statement, state, facts)
        facts.after[statement] = state
    return state


def _sites(value: ir.Expression, state: State) -> Sites:
    found: Sites = frozenset()
    for name in ir.expression_reads(value):
        found |= state.get(name, frozenset())
    return found


def _bind(state: State, names: tuple[str, ...], sites: Sites) -> State:
    return {**state, **dict.fromkeys(names, sites)}


def _aged(state: State, site: str) -> State:
    """The state in which the newest array of a site has become an older one."""
    older = f"older {site}"
    return {
        name: (sites - {site}) | {older} if site in sites else sites
        for name, sites in state.items()
    }


def _after(statement: ir.Statement, state: State, facts: Aliases) -> State:
    match statement:
        case ir.Assign(targets=targets, value=ir.Call(function="python.tuple", args=args)) if (
            statement.is_tuple and len(args) == len(targets)
        ):
            each = {t: _sites(a, state) for t, a in zip(targets, args, strict=True)}
            return {**state, **each}
        case ir.Assign(targets=targets, value=value):
            if may_view(value):
                bound = _bind(state, targets, _sites(value, state))
                return {**bound, targets[0]: frozenset()} if statement in facts.counted else bound
            if isinstance(value, ir.Const | ir.Global):
                outside = f"global {value.dotted}" if isinstance(value, ir.Global) else ""
                return _bind(state, targets, frozenset({outside} if outside else ()))
            site = f"array of {statement.origin.line}:{statement.origin.column}:{targets[0]}"
            return _bind(_aged(state, site), targets, frozenset({site}))
        case ir.Do(value=ir.Opaque() as value):
            return _bind(state, value.writes, _sites(value, state))
        case ir.If(body=body, orelse=orelse):
            return _merge(_block(body, state, facts), _block(orelse, state, facts))
        case ir.For(target=target, iterable=iterable, body=body):
            while True:
                inner = _bind(state, (target,), _sites(iterable, state))
                merged = _merge(state, _block(body, inner, facts))
                if merged == state:
                    return state
                state = merged
        case ir.While(header=header, body=body):
            while True:
                tested = _block(header, state, facts)
                merged = _merge(state, _block(body, tested, facts))
                if merged == state:
                    return tested
                state = merged
    return state


def _merge(one: State, other: State) -> State:
    return {
        name: one.get(name, frozenset()) | other.get(name, frozenset())
        for name in (*one, *(n for n in other if n not in one))
    }


def classes(block: ir.Block) -> dict[str, frozenset[str]]:
    """Groups variables that may ever share memory in a block, whatever the order of statements."""
    groups: dict[str, set[str]] = {}
    for statement in ir.walk(block):
        linked: list[str] = []
        match statement:
            case ir.Assign(targets=targets, value=value) if may_view(value):
                linked = [*targets, *ir.expression_reads(value)]
            case ir.For(target=target, iterable=ir.Name(id)):
                linked = [target, id]
            case ir.Do(value=ir.Opaque() as value):
                linked = [*value.writes, *value.reads]
            case ir.Do(value=ir.Call(function="python.append", args=args)):
                linked = list(ir.names(args))
        merged: set[str] = set()
        for name in linked:
            merged |= groups.get(name, {name})
        for name in merged:
            groups[name] = merged
    return {name: frozenset(group) for name, group in groups.items()}
