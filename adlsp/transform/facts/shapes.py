"""What is known of shapes from the text: which values surely have the same shape.

This is abstract interpretation with symbolic shapes, by value numbering. A shape is a token: equal
tokens mean equal shapes whenever the program runs without error. Scalars have the empty token;
slices with constant ends are their base's token with what they cut off, so that `u[:-2]`, `u[1:-1]`
and `u[2:]` agree. Where ways meet, a shape is one of several: after the first pass `p = p * x` has
that of `x`, whatever `p` was before. Nothing is assumed of parameters but what annotations say. The
elements `u[0]` and `u[1]` have one shape if `u` is an array; parts of a tuple may differ.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from adlsp.transform import ir
from adlsp.transform.facts import operations, reductions
from adlsp.transform.facts.callees import Callees
from adlsp.transform.facts.indices import Indices
from adlsp.transform.facts.shape_equalities import ShapeEqualities
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Reference
from adlsp.transform.ops.spec import Kind, Shape
from adlsp.transform.rules import table

SCALAR: Hashable = ()

NUMBERS = {"float", "int", "bool", "complex"}


FEW = 3
"""Where more ways meet, with more shapes, nothing is known."""

MOST_PARTS = 64
"""Of how many parts such shapes are at most: each branch after others would double them."""

MOST_TRIED = 3
"""Of how many operands with several shapes each is tried, those in shapes that are tried included:
together these are 27 at most."""


def broadcast(*tokens: Hashable, most: int = MOST_TRIED) -> Hashable:
    """The shape of an elementwise result.

    An operand that has one of several shapes does not matter if the result is the same with each;
    of more such operands than `most` that is not asked.
    """
    parts: set[Hashable] = set()
    for token in tokens:
        if _is(token, "broadcast"):
            parts |= token[1]  # type: ignore[index]
        elif token != SCALAR:
            parts.add(token)
    if len(parts) > 1:
        parts -= {part for part in parts if _is(part, "kept") and _is_within(part, parts)}
        several = [part for part in parts if _is(part, "either")]
        for part in several if len(several) <= most else ():
            left = parts - {part}
            results = {broadcast(*left, one, most=most - 1) for one in alternatives(part)}
            if len(results) == 1:
                return results.pop()
    if not parts:
        return SCALAR
    return parts.pop() if len(parts) == 1 else ("broadcast", frozenset(parts))


def _is_within(kept: Hashable, parts: set[Hashable]) -> bool:
    """Tells whether broadcasting with some shapes hides one that has axes of length one instead."""
    whole = kept[1]  # type: ignore[index]
    return whole[1] <= parts if _is(whole, "broadcast") else whole in parts


def alternatives(token: Hashable) -> frozenset[Hashable]:
    """The shapes that a value may have, of which the token is one."""
    return token[1] if _is(token, "either") else frozenset({token})  # type: ignore[index]


def either(number: int, tokens: Iterable[Hashable]) -> Hashable:
    """One of several shapes, as the version with a number has it; None if they are too many."""
    every = frozenset(one for token in tokens for one in alternatives(token))
    if len(every) == 1:
        return next(iter(every))
    is_small = len(every) <= FEW and sum(map(_n_parts, every)) <= MOST_PARTS
    return ("either", every, number) if is_small else None


def _n_parts(token: Hashable) -> int:
    """Of how many shapes one is made up."""
    match token:
        case ("either", frozenset() as parts, _) | ("broadcast", frozenset() as parts):
            return sum(map(_n_parts, parts))
        case ("cut" | "kept", base, _):
            return _n_parts(base)
    return 1


def versions_in(token: Hashable) -> Iterator[int]:
    """The versions that a shape is told by."""
    match token:
        case ("version", int(number)):
            yield number
        case ("either", frozenset() as parts, int(number)):
            yield number
            for part in parts:
                yield from versions_in(part)
        case ("broadcast", frozenset() as parts):
            for part in parts:
                yield from versions_in(part)
        case ("cut" | "kept", base, _):
            yield from versions_in(base)


def _is(token: Hashable, kind: str) -> bool:
    return isinstance(token, tuple) and len(token) > 1 and token[0] == kind


Result = Callable[[ir.Call, Callable[[ir.Atom], Hashable]], Hashable | None]
"""Tells the shape of what a call of a user's function gives, from those of its arguments."""


class Shapes:
    """The shape tokens of the versions of one function; `arrays` are no lists and no tuples.

    `result` tells of the calls of user functions (`summaries.py`), and `scalars` are the versions
    that are known to be numbers, or arrays without axes; `whole` are those of the latter.
    """

    def __init__(
        self,
        function: ir.Function,
        versions: Versions,
        indices: Indices,
        program: Callees,
        arrays: frozenset[str] = frozenset(),
        result: Result | None = None,
        scalars: frozenset[int] = frozenset(),
        whole: frozenset[int] = frozenset(),
    ) -> None:
        self.versions = versions
        self.indices = indices
        self.program = program
        self.parameters = {p.name: p for p in function.parameters}
        self.numbered = {v.number: v for v in versions.every}
        self.scalars = scalars
        self.whole = whole
        self.known: dict[int, Hashable] = {}
        self.opaque: set[int] = set()
        self.assumed: dict[int, Hashable] = {}
        self.arrays = arrays
        self.result = result
        stable = False
        while not stable:
            self.known.clear()
            for version in versions.every:
                self.token(version)
            unstable = [
                v for v in versions.every if v.kind is VersionKind.HEAD and not self._is_stable(v)
            ]
            stable = not unstable
        self.agreements = ShapeEqualities(function)
        for statement in ir.walk(function.body):
            if ir.resizes(statement) or ir.sets_cell(statement):
                continue
            if isinstance(statement, ir.Store) and statement.index is not None:
                self._learn(statement)

    def token(self, version: Version) -> Hashable:
        """The shape of a version."""
        if version.number not in self.known:
            self.known[version.number] = ("version", version.number)
            self.known[version.number] = self._token(version)
        return self.known[version.number]

    def of(self, statement: ir.Statement, atom: ir.Atom) -> Hashable:
        """The shape of an atom as a statement reads it."""
        match atom:
            case ir.Const(value=int() | float() | complex()):
                return SCALAR
            case ir.Name(id) if (statement, id) in self.versions.reads:
                return self.token(self.versions.reads[statement, id])
        return ("atom", repr(atom))

    def written(self, statement: ir.Statement, name: str) -> Hashable:
        """The shape that a statement gives to a variable."""
        return self.token(self.versions.writes[statement, name])

    def is_same(self, statement: ir.Statement | None, one: Hashable, other: Hashable) -> bool:
        """Tells whether two shapes are surely the same where a statement runs."""
        return self.agreements.agree(statement, one, other)

    def _learn(self, store: ir.Store) -> None:
        """What is stored fits into its place: `u[i] = u[i] + k` says that `k` adds no axis."""
        place, value = self.cell(store), self.of(store, store.value)
        if isinstance(value, tuple) and value and value[0] == "broadcast" and place in value[1]:
            self.agreements.learn(store, value, place)

    def is_scalar(self, atom: ir.Atom) -> bool:
        """Tells whether a reference to a version (`%at:3`) is surely to a scalar."""
        if isinstance(atom, ir.Const):
            return isinstance(atom.value, int | float)
        if isinstance(atom, ir.Name) and isinstance(atom.id, Reference):
            return self.token(self.numbered[atom.id.version]) == SCALAR
        return False

    def is_number(self, version: Version) -> bool:
        """Tells whether a version is surely a number, which `x += v` leaves as it is.

        An array without axes is of the same shape, and changes.
        """
        return self.token(version) == SCALAR and not self._may_be_array(version, set())

    def _may_be_array(self, version: Version, seen: set[int]) -> bool:
        if version.number in self.scalars:
            return version.number in self.whole
        seen.add(version.number)
        match version.statement:
            case ir.Assign(value=value) as assign if (
                version.kind is VersionKind.ASSIGN and not version.meets
            ):
                if isinstance(value, ir.Call):
                    record = operations.of(value.function)
                    if targets.is_of(value.function, "numpy"):
                        return record.shape is Shape.FIRST
                    value = value.args[0] if record.shape is Shape.FIRST else ir.Const(0)
                name = value.id if isinstance(value, ir.Name) else ""
                made = self.versions.reads.get((assign, name))
                return made is not None and self._may_be_array(made, seen)
        return any(v.number not in seen and self._may_be_array(v, seen) for v in version.priors)

    def cell(self, statement: ir.Store) -> Hashable:
        """The shape of the place that a store sets."""
        if statement.index is None:
            return self.written(statement, statement.base)
        return self._item(statement, ir.Name(statement.base), statement.index)

    def _is_stable(self, head: Version) -> bool:
        """Checks what is assumed of the shape that a loop carries: by induction it is so then.

        First that the loop keeps a shape. If not, that each pass gives one that is known before the
        loop, which only the first pass may find otherwise. A wrong assumption is dropped.
        """
        if head.number in self.opaque:
            return True
        tokens = [self.token(prior) for prior in head.priors]
        every = frozenset(one for token in tokens for one in alternatives(token))
        if head.number in self.assumed:
            if every <= alternatives(self.token(head)):
                return True
            self.opaque.add(head.number)
            return False
        if len(tokens) > 1 and len(set(tokens)) == 1:
            return True
        others = every - {("version", head.number)}
        carried = either(head.number, others) if others else None
        if carried is not None and self._is_outside(head.statement, alternatives(carried)):
            self.assumed[head.number] = carried
        else:
            self.opaque.add(head.number)
        return False

    def _is_outside(self, loop: ir.Statement | None, tokens: Iterable[Hashable]) -> bool:
        """Tells whether shapes stay what they are during a loop."""
        numbers = (number for token in tokens for number in versions_in(token))
        return all(loop not in self.numbered[number].loops for number in numbers)

    def _token(self, version: Version) -> Hashable:
        unknown = ("version", version.number)
        if version.number in self.scalars or self.indices.is_count(version):
            return SCALAR
        if version.number in self.opaque:
            return unknown
        if version.kind is VersionKind.HEAD:
            if version.number in self.assumed:
                return self.assumed[version.number]
            return self.token(version.priors[0]) if len(version.priors) > 1 else unknown
        if version.kind in (VersionKind.JOIN, VersionKind.EXIT):
            met = self._met(version)
            return unknown if met is None else met
        if version.kind is VersionKind.CHANGED:
            return self.token(version.priors[0])
        match version.statement:
            case None:
                parameter = self.parameters.get(version.name)
                is_number = parameter is not None and parameter.annotation in NUMBERS
                return SCALAR if is_number else unknown
            case ir.Store() as store if ir.resizes(store) or ir.sets_cell(store):
                return unknown
            case ir.Store() as store if store.index is None:
                prior = self.of(store, ir.Name(store.base))
                return broadcast(prior, self.of(store, store.value))
            case ir.Store() as store:
                return self.of(store, ir.Name(store.base))
            case ir.For() as loop:
                made = self._definition(loop, loop.iterable)
                is_count = made and operations.gives(made.function, Kind.RANGE)
                return SCALAR if is_count else unknown
            case ir.Assign(is_tuple=False, value=value) as assign:
                return self._expression(assign, value, unknown)
            case (
                ir.Assign(
                    targets=(first, _), value=ir.Call(function=targets.Pair()) as call
                ) as assign
            ) if first == version.name:
                return self._called(assign, call, unknown)
        return unknown

    def _met(self, version: Version) -> Hashable:
        """The shape of a version at which ways meet; None if it is not known."""
        tokens = {self.token(prior) for prior in version.priors}
        if not self._is_defined(version):
            return None
        if len(tokens) == 1:
            return tokens.pop()
        met = either(version.number, tokens)
        if met is not None and version.kind is VersionKind.EXIT:
            is_steady = self._is_outside(version.statement, alternatives(met))
            return met if is_steady else None
        return met

    def _is_defined(self, version: Version) -> bool:
        return len(version.priors) > 1 or version.kind is VersionKind.EXIT

    def _definition(self, statement: ir.Statement, atom: ir.Atom) -> ir.Call | None:
        if isinstance(atom, ir.Name):
            version = self.versions.reads.get((statement, atom.id))
            if version is not None and isinstance(version.statement, ir.Assign):
                value = version.statement.value
                if version.kind is VersionKind.ASSIGN and isinstance(value, ir.Call):
                    return value
        return None

    def _expression(
        self, statement: ir.Statement, value: ir.Expression, unknown: Hashable
    ) -> Hashable:
        if not isinstance(value, ir.Call):
            return unknown if isinstance(value, ir.Opaque) else self.of(statement, value)
        name = value.function
        record = operations.of(name)
        if record.shape is Shape.REDUCED:
            match reductions.axes(value):
                case None, False:
                    return SCALAR
                case axis, True:
                    return ("kept", self.of(statement, value.args[0]), repr(axis))
        if record.shape is Shape.SCALAR:
            return SCALAR
        is_of_each = record.shape is Shape.EACH and len(value.args) == 1
        if (is_of_each or record.shape is Shape.FIRST) and value.args and not value.keywords:
            return self.of(statement, value.args[0])
        if name == "operator.getitem":
            base, index = value.args
            found = self._item(statement, base, index)
            return unknown if found is None else found
        rule = self.program.rule(name)
        if rule is not None and rule.kind == "elementwise":
            bound = table.bind(rule.parameters, value)
            if isinstance(bound, dict):
                named = (p.name for p in rule.parameters if p.is_positional)
                given = [self.of(statement, bound[name]) for name in named]
                is_product = name == "operator.mul" and SCALAR not in given
                return unknown if is_product and self.program.has_sparse else broadcast(*given)
        return unknown if rule else self._called(statement, value, unknown)

    def _called(self, statement: ir.Statement, call: ir.Call, unknown: Hashable) -> Hashable:
        """The shape of what a user's function gives."""
        if self.result is None:
            return unknown
        found = self.result(call, lambda atom: self.of(statement, atom))
        return unknown if found is None else found

    def _item(self, statement: ir.Statement, base: ir.Atom, index: ir.Atom) -> Hashable:
        """The shape of `base[index]`; None if it is not known."""
        cut, whole = self._cut(statement, index), self.of(statement, base)
        if isinstance(index, ir.Const) and self.arrays.isdisjoint(ir.names((base,))):
            cut = cut and (repr(index.value),)
        if cut is None:
            return None
        while cut and cut[-1] == 0:
            cut = cut[:-1]
        return whole if not cut else ("cut", whole, cut)

    def _cut(self, statement: ir.Statement, index: ir.Atom) -> tuple[int | str, ...] | None:
        """How many elements an index cuts off along each axis; "at" where it takes one of them."""
        if self.indices.is_integer(statement, index):
            return ("at",)
        made = self._definition(statement, index)
        if made is None:
            return None
        if made.function in ("python.tuple", ir.PATH):
            assert isinstance(index, ir.Name)
            source = self.versions.reads[statement, index.id].statement
            assert source is not None
            parts = [self._cut(source, atom) for atom in made.args]
            if any(part is None or len(part) != 1 for part in parts):
                return None
            return tuple(part[0] for part in parts if part is not None)
        if made.function != "python.slice":
            return None
        start, stop, stride = made.args
        if stride != ir.Const(None):
            return None
        first = start.value if isinstance(start, ir.Const) else ...
        last = stop.value if isinstance(stop, ir.Const) else ...
        first, last = (0 if end is None else end for end in (first, last))
        if not (isinstance(first, int) and isinstance(last, int) and first >= 0 and last <= 0):
            return None
        if last == 0 and stop != ir.Const(None):
            return None
        return (first - last,)
