"""Which variables may share memory: a relation between names, before and after each statement.

Two names are related where one may be bound to the memory, or a part of it, that the other is
bound to. A relation survives what sets of allocation sites confuse: after `u, v = v, u` the two are
no more related than before. Basic indexing, `.T`, `reshape` and their like give views; a user's
function gives what its own relation says of its parameters; unknown calls may give any of their
arguments.

An element that is not read by a slice is taken for a number, which shares nothing. Where that
matters, derivatives make sure of it while they run (`reverse/prepare.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from adlsp.transform import ir
from adlsp.transform.analyses import containers, indices, iteration, liveness, versions
from adlsp.transform.analyses.likes import LIKE_ARGUMENTS

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
        "part",
        "preserved",
        "ratio",
        "separate",
        "zeros",
        *(f"{product}_bar_{side}" for product in ("matmul", "dot", "inner") for side in "ab"),
    )
)
"""Functions of ours whose result is surely new; others may give back an argument."""

COMPARISONS = {f"operator.{name}" for name in ("lt", "le", "gt", "ge")}
"""What of an array has no truth, so that only numbers are compared so in a test."""

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
    "adlsp.runtime.array_part",
    "adlsp.runtime.conj",
    "adlsp.runtime.dagger",
    "adlsp.runtime.expand",
    "adlsp.runtime.fit_to",
    "adlsp.runtime.inserted",
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
        is_truth = isinstance(value, ir.Opaque) and (not value.findings or containers.is_new(value))
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


HOLDING = ("append", *ir.SETTING)
"""The operations of stores after which a container holds the value itself."""

Relation = Mapping[str, frozenset[str]]
"""For each variable those that it may share memory with, both ways; it is never changed."""

ALONE: frozenset[str] = frozenset()


class Callees(Protocol):
    """What is known of the functions that are called."""

    def sharing(
        self, call: ir.Call, *, are_numbers: bool = True
    ) -> tuple[tuple[ir.Atom, ...], ...] | None:
        """For each part of a call's result the arguments that it may share memory with.

        None for calls of which nothing is known. `are_numbers`: an element that the function gives
        back is taken for a number.
        """

    def changed(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments whose memory a call of a user's function writes into."""

    def stored(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments into whose elements a call of a user's function stores."""


@dataclass(frozen=True, slots=True)
class Aliases:
    """Which variables may share memory before and after each statement.

    A parameter shares memory with the caller's array, which stands as `parameter x`.
    """

    before: dict[ir.Statement, Relation]
    after: dict[ir.Statement, Relation]

    def shared(self, statement: ir.Statement, name: str) -> frozenset[str]:
        """The other variables that may share memory with one, before a statement."""
        found = self.before[statement].get(name, ALONE)
        return frozenset(other for other in found if " " not in other)

    def parameters(self, statement: ir.Statement, name: str) -> frozenset[str]:
        """The parameters whose array at the caller's a variable may share memory with."""
        found = self.before[statement].get(name, ALONE)
        return frozenset(
            other.removeprefix("parameter ") for other in found if other.startswith("parameter ")
        )


def aliases(
    function: ir.Function, known: Callees | None = None, *, are_numbers: bool = True
) -> Aliases:
    """Finds what the variables of a function may share.

    `are_numbers`: an element is taken for a number.
    """
    start: dict[str, frozenset[str]] = {}
    for parameter in function.parameters:
        outside = f"parameter {parameter.name}"
        start[parameter.name], start[outside] = frozenset((outside,)), frozenset((parameter.name,))
    facts = Aliases({}, {})
    numbers = dict.fromkeys(iteration.counted(function), 1)
    relaxed = frozenset[ir.Statement]()
    if are_numbers:
        numbers |= {read: len(read.targets) for read in element_reads(function, known)}
        relaxed = _calls_for_numbers(function, known)
    live = liveness.live_after(function)
    surely_run = iteration.surely_run(function)
    _Walk(facts, known, numbers, relaxed, live, surely_run).block(function.body, start)
    separate = _separate(function, facts)
    if separate:
        facts = Aliases({}, {})
        _Walk(facts, known, numbers, relaxed, live, surely_run, separate).block(
            function.body, start
        )
    return facts


def _separate(function: ir.Function, facts: Aliases) -> frozenset[ir.Statement]:
    """The statements that take tuples apart whose parts share no memory with each other.

    These are tuples that the function has written down itself: `state = a, b`, `a, b = state`.
    """
    unpacking = [
        (s, s.value.id)
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign) and s.is_tuple and isinstance(s.value, ir.Name)
    ]
    if not unpacking:
        return frozenset()
    numbered = versions.versions(function)
    resized = {name for s in ir.walk(function.body) if ir.resizes(s) for name in ir.writes(s)}

    def is_separate(version: versions.Version | None, n_parts: int, seen: set[int]) -> bool:
        if version is None or version.number in seen:
            return version is not None
        seen.add(version.number)
        if version.kind in ("head", "join", "exit"):
            return all(is_separate(prior, n_parts, seen) for prior in version.priors)
        match version.statement:
            case ir.Assign(value=ir.Call("python.tuple", args), is_tuple=False) as display:
                names = [atom.id for atom in args if isinstance(atom, ir.Name)]
                relation = facts.before[display]
                is_shared = any(
                    one == other or other in relation.get(one, ALONE)
                    for i, one in enumerate(names)
                    for other in names[:i]
                )
                return len(args) == n_parts and not is_shared and resized.isdisjoint(names)
        return False

    return frozenset(
        statement
        for statement, name in unpacking
        if is_separate(numbered.reads.get((statement, name)), len(ir.writes(statement)), set())
    )


def written_parameters(function: ir.Function, known: Callees | None = None) -> tuple[str, ...]:
    """The parameters whose memory a function may write into.

    What `x += v` changes here is a number if it may be one; what a call changes need not be.
    """
    facts, of_calls = aliases(function, known), None
    written: set[str] = set()
    for statement in ir.walk(function.body):
        for name in changed(statement, known):
            if isinstance(statement, ir.Store):
                written |= facts.parameters(statement, name)
            else:
                of_calls = of_calls or aliases(function, known, are_numbers=False)
                written |= of_calls.parameters(statement, name)
    return tuple(p.name for p in function.parameters if p.name in written)


def changed(statement: ir.Statement, known: Callees | None) -> Iterator[str]:
    """The variables whose memory a statement itself writes into."""
    match statement:
        case ir.Store(base=base) if not (ir.resizes(statement) or ir.sets_cell(statement)):
            yield base
        case ir.Do(value=ir.Opaque(changes=names)) | ir.Assign(value=ir.Opaque(changes=names)):
            yield from names
        case ir.Do(value=ir.Call() as call) | ir.Assign(value=ir.Call() as call):
            if ir.changes_first(call.function):
                yield from ir.names(call.args[:1])
            elif known is not None:
                yield from ir.names(known.changed(call))


def numbers(function: ir.Function) -> frozenset[str]:
    """The parameters that a function changes by `x += v` only, as one changes a number."""
    whole: set[str] = set()
    stored: set[str] = set()
    names = {p.name for p in function.parameters}
    for statement in ir.walk(function.body):
        match statement:
            case ir.Store(base=base, index=None) if base in names:
                whole.add(base)
            case ir.Store(base=base):
                stored.add(base)
            case ir.Assign(value=ir.Call(function="operator.getitem", args=(ir.Name(base), _))):
                stored.add(base)
    return frozenset(whole - stored)


def assumed_reads(function: ir.Function, known: Callees) -> frozenset[ir.Assign]:
    """The statements that are taken to read numbers, in this function or in what it calls."""
    calls = (
        statement
        for statement in _calls_for_numbers(function, known)
        if isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Call)
        and known.sharing(statement.value) != known.sharing(statement.value, are_numbers=False)
    )
    return element_reads(function, known) | frozenset(calls)


def _calls_for_numbers(function: ir.Function, known: Callees | None) -> frozenset[ir.Statement]:
    """The calls whose results are not used as arrays are."""
    arrays = _used_as_arrays(function, known)
    return frozenset(
        s
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign)
        and isinstance(s.value, ir.Call)
        and arrays.isdisjoint(s.targets)
    )


def element_reads(function: ir.Function, known: Callees | None) -> frozenset[ir.Assign]:
    """The statements that read elements, as far as the text tells.

    These are `a[i, j]`, `x, y = a[i]`, `x, y = a` where `a` is indexed elsewhere or one of the two
    is used as numbers are, and `max(a, b)`, which compares its arguments as one compares numbers.
    `a = s` gives a second name to a number where one of the two is used as one.
    """
    numbered = versions.versions(function)
    places = indices.Indices(function, numbered)
    arrays = _used_as_arrays(function, known)
    compared = _used_as_numbers(function) - arrays
    found = set()
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(
                targets=targets, value=ir.Call(function="operator.getitem", args=(_, index))
            ) if arrays.isdisjoint(targets) and places.is_element(statement, index):
                found.add(statement)
            case ir.Assign(targets=targets, value=ir.Name(id), is_tuple=True) if arrays.isdisjoint(
                targets
            ) and (id in arrays or not compared.isdisjoint(targets)):
                found.add(statement)
            case ir.Assign(
                targets=targets, value=ir.Call(function="builtins.max" | "builtins.min")
            ) if arrays.isdisjoint(targets):
                found.add(statement)
            case ir.Assign(targets=(target,), value=ir.Name(id), is_tuple=False) if (
                arrays.isdisjoint((target, id)) and not compared.isdisjoint((target, id))
            ):
                found.add(statement)
    return frozenset(found)


OF_ARRAYS = {"builtins.len", "operator.delitem", "operator.getitem", "operator.matmul"}
"""What is asked of arrays and lists, and not of numbers; so are all methods."""


def _used_as_arrays(function: ir.Function, known: Callees | None) -> set[str]:
    """The variables that a function indexes, runs over, or asks for what only arrays have.

    What it calls may set elements of them.
    """
    found: set[str] = set()
    for statement in ir.walk(function.body):
        if isinstance(statement, ir.Assign | ir.Do) and isinstance(statement.value, ir.Call):
            found.update(ir.names(() if known is None else known.stored(statement.value)))
        match statement:
            case ir.Store(base=base, index=index) if index is not None:
                found.add(base)
            case ir.For(iterable=ir.Name(id)):
                found.add(id)
            case (
                ir.Assign(value=ir.Call(function=called, args=(ir.Name(id), *_)))
                | ir.Do(value=ir.Call(function=called, args=(ir.Name(id), *_)))
            ) if called in OF_ARRAYS or called.startswith(("ndarray.", "attribute.")):
                found.add(id)
    return found


def _used_as_numbers(function: ir.Function) -> set[str]:
    """The variables that decide in a test how they compare, or go into a function of `math`."""
    tests: set[str] = set()
    found: set[str] = set()
    for statement in ir.walk(function.body):
        match statement:
            case ir.If(test=ir.Name(id)) | ir.While(test=ir.Name(id)):
                tests.add(id)
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call(function=called, args=args)):
                is_test = called in COMPARISONS and target in tests and ir.is_step(target)
                if is_test or called.startswith("math."):
                    found |= set(ir.names(args))
    return found


def _without(relation: Relation, names: set[str]) -> Relation:
    """The relation of the other names among themselves."""
    made = {name: others for name, others in relation.items() if name not in names}
    for name in {other for each in names for other in relation[each]} - names:
        made[name] -= names
    return made


class _Walk:
    """Walks the statements of a function with the relation that holds; `live` as `liveness` says.

    `numbers` tells of statements how many of their targets, from the first on, are numbers, and
    `relaxed` are calls that give numbers where they give elements. Steps
    are left out as soon as nothing reads them any more: there are many. `surely_run` are
    loops that have a pass, `separate` statements whose targets share nothing with each other.
    """

    def __init__(
        self,
        facts: Aliases,
        known: Callees | None,
        numbers: Mapping[ir.Statement, int],
        relaxed: frozenset[ir.Statement],
        live: Mapping[ir.Statement, frozenset[str]],
        surely_run: frozenset[ir.Statement],
        separate: frozenset[ir.Statement] = frozenset(),
    ) -> None:
        self.facts = facts
        self.known = known
        self.numbers = numbers
        self.relaxed = relaxed
        self.live = live
        self.separate = separate
        self.surely_run = surely_run
        self.loops: dict[ir.Statement, tuple[Relation, Relation]] = {}

    def block(self, block: ir.Block, relation: Relation) -> Relation:
        for statement in block:
            self.facts.before[statement] = relation
            relation = self.statement(statement, relation)
            live = self.live[statement]
            dead = {name for name in relation if ir.is_step(name) and name not in live}
            if dead:
                relation = _without(relation, dead)
            self.facts.after[statement] = relation
        return relation

    def statement(self, statement: ir.Statement, relation: Relation) -> Relation:
        match statement:
            case ir.Assign():
                return self.assign(statement, relation)
            case ir.Do(value=ir.Opaque() as value):
                bound = [name for name in value.writes if name not in value.changes]
                made = _bound(relation, dict.fromkeys(bound, value.reads))
                return _linked(made, ((n, other) for n in value.changes for other in value.reads))
            case ir.Do(value=ir.Call(args=(ir.Name(id), *rest), function=function)) if (
                function == "python.append" or ir.changes_first(function)
            ):
                return _linked(relation, ((id, other) for other in ir.names(tuple(rest))))
            case ir.Store(base=base, value=ir.Name(other), operation=operation) if (
                operation in HOLDING
            ):
                return _linked(relation, [(base, other)])
            case ir.If(body=body, orelse=orelse):
                return _either(self.block(body, relation), self.block(orelse, relation))
            case ir.For() | ir.While():
                return self.loop(statement, relation)
        return relation

    def loop(self, statement: ir.For | ir.While, relation: Relation) -> Relation:
        """The relation after a loop, which holds at its head whatever the number of passes.

        A loop in a loop is walked again only where more may share memory than the last time.
        """
        head, after = self.loops.get(statement, ({}, None))
        merged = _either(head, relation)
        while after is None or merged is not head:
            head = merged
            match statement:
                case ir.For(target=target, iterable=iterable):
                    after = head
                    inner = _bound(head, {target: tuple(ir.names((iterable,)))})
                case ir.While(header=header):
                    after = inner = self.block(header, head)
            end = self.block(statement.body, inner)
            merged = _either(head, end)
            if statement in self.surely_run:
                after = end
        self.loops[statement] = (head, after)
        return after

    def assign(self, statement: ir.Assign, relation: Relation) -> Relation:
        targets = statement.targets
        parts = self.parts(statement, len(targets) if statement.is_tuple else 1)
        n_numbers = self.numbers.get(statement, 0)
        parts[:n_numbers] = [()] * n_numbers
        sources = {
            target: tuple(ir.names(part)) + tuple(_globals(part))
            for target, part in zip(targets, parts, strict=True)
        }
        made = _bound(relation, sources)
        if statement in self.separate:
            return {**made, **{t: made.get(t, ALONE).difference(targets) for t in targets}}
        if len(set(parts)) < len(parts):
            among = [t for t, part in zip(targets, parts, strict=True) if part]
            made = _linked(made, ((a, b) for a in among for b in among))
        return made

    def parts(self, statement: ir.Assign, n_targets: int) -> list[tuple[ir.Atom, ...]]:
        """For each target the atoms that it may share memory with."""
        value = statement.value
        match value:
            case ir.Call(function="python.tuple", args=args) if len(args) == n_targets > 1:
                return [(atom,) for atom in args]
            case ir.Call(function="python.repeat", args=(repeated, _)):
                return [(repeated,)] * n_targets
            case ir.Call():
                known = None
                if self.known is not None:
                    are_numbers = statement in self.relaxed
                    known = self.known.sharing(value, are_numbers=are_numbers)
                if known is not None:
                    if len(known) == n_targets:
                        return list(known)
                    merged = tuple(dict.fromkeys(atom for part in known for atom in part))
                    return [merged] * n_targets
        if not may_view(value):
            return [()] * n_targets
        if isinstance(value, ir.Call) and value.function == "operator.getitem":
            return [value.args[:1]] * n_targets
        read = tuple(ir.Name(name) for name in ir.expression_reads(value))
        if isinstance(value, ir.Global):
            return [(value,)] * n_targets
        return [read] * n_targets


def _globals(atoms: tuple[ir.Atom, ...]) -> Iterator[str]:
    for atom in atoms:
        if isinstance(atom, ir.Global):
            yield f"global {atom.dotted}"


def _bound(relation: Relation, sources: Mapping[str, tuple[str, ...]]) -> Relation:
    """The relation after binding names, all at once, to what may share memory with others."""
    kept = dict(relation)
    for target in sources:
        for other in kept.pop(target, ALONE):
            if other in kept:
                kept[other] -= {target}
    pairs: list[tuple[str, str]] = []
    heirs: dict[str, set[str]] = {}
    for target, names in sources.items():
        for name in names:
            heirs.setdefault(name, set()).add(target)
            others = (name, *relation.get(name, ALONE))
            pairs += ((target, other) for other in others if other not in sources)
    for name, targets in heirs.items():
        for other in (name, *relation.get(name, ALONE)):
            pairs += ((one, two) for one in targets for two in heirs.get(other, ()))
    return _linked(kept, pairs)


def _linked(relation: Relation, pairs: Iterable[tuple[str, str]]) -> Relation:
    """The relation with some names related to each other, too."""
    more: dict[str, set[str]] = {}
    for one, other in pairs:
        if one != other:
            more.setdefault(one, set()).add(other)
            more.setdefault(other, set()).add(one)
    if not more:
        return relation
    return {**relation, **{n: relation.get(n, ALONE) | others for n, others in more.items()}}


def _either(one: Relation, other: Relation) -> Relation:
    """What holds where two ways meet: the first relation itself, if it has all of the other."""
    if one is other:
        return one
    more = {}
    for name, others in other.items():
        known = one.get(name, ALONE)
        if not (known is others or others <= known):
            more[name] = known | others
    return {**one, **more} if more else one


def classes(
    block: ir.Block, views: Callable[[ir.Expression], bool] = may_view
) -> dict[str, frozenset[str]]:
    """Groups variables that may ever share memory in a block, whatever the order of statements.

    `views` tells which expressions may share memory with what they read.
    """
    groups: dict[str, set[str]] = {}
    for statement in ir.walk(block):
        linked: list[str] = []
        match statement:
            case ir.Assign(
                targets=targets, value=ir.Call(function="operator.getitem", args=(base, _))
            ):
                linked = [*targets, *ir.expression_reads(base)]
            case ir.Assign(
                targets=targets, value=ir.Call(function=function, args=args) as call
            ) if function in LIKE_ARGUMENTS and views(call):
                like = LIKE_ARGUMENTS[function]
                linked = [*targets, *ir.names(args[:like] + args[like + 1 :])]
            case ir.Assign(targets=targets, value=value) if views(value):
                linked = [*targets, *ir.expression_reads(value)]
            case ir.For(target=target, iterable=ir.Name(id)):
                linked = [target, id]
            case ir.Do(value=ir.Opaque() as value):
                linked = [*value.writes, *value.reads]
            case ir.Do(value=ir.Call(function="python.append", args=args)):
                linked = list(ir.names(args))
            case ir.Store(base=base, value=ir.Name(other), operation=operation) if (
                operation in HOLDING
            ):
                linked = [base, other]
        merged: set[str] = set()
        for name in linked:
            merged |= groups.get(name, {name})
        for name in merged:
            groups[name] = merged
    return {name: frozenset(group) for name, group in groups.items()}
