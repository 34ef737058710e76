"""What parameters seem to be, by how a function uses them: assumptions, where nothing else tells.

`n, d = x.shape` and `x[i, j]` are said of matrices, `range(n)` of an integer; what is returned is a
number where a gradient is asked for, and so is each operand of the arithmetic that makes it. These
are bounds on ranks, which operations hand on in both directions until none changes: broadcasting
takes the larger rank, a product of matrices leaves two axes out. Where bounds leave several ranks
the least is assumed, if a use speaks of axes, and nothing if not. Arrays are assumed to have
several elements along each axis, and doubles unless their elements are used as integers.

Assumptions are for texts that are shown before anything ran; a call of a derivative tells better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace

from adlsp.transform import arguments, ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.facts import Facts
from adlsp.transform.facts.versions import Version, VersionKind
from adlsp.transform.frozen import dataclass
from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import Op, Operation, Shape, Takes
from adlsp.transform.program import Program
from adlsp.transform.values import calls
from adlsp.transform.values.inference import Instances, Typed
from adlsp.transform.values.lattice import Array, Number, Signature, Size, Value
from adlsp.transform.values.signature import letters

MOST = 8
"""The most axes that are thought of."""

DEEPEST = 2
"""How many calls within each other are looked into."""

MOST_TURNS = 32
"""How often bounds are handed on through a function."""

OF_EACH = (Shape.EACH, Shape.PIECEWISE)
OF_FIRST = (Shape.FIRST, Shape.SAME, Shape.CAST, Shape.CUMULATED)
OF_MATRICES = (Shape.SOLVED, Shape.OF_MATRICES, Shape.EIGENVALUES, Shape.EIGH, Shape.SLOGDET)
REDUCED = (Shape.REDUCED, Shape.FOLDED, Shape.AVERAGE)


@dataclass(frozen=True, slots=True)
class Ranks:
    """The ranks that a value may have; `is_told`: a use speaks of as many axes as the least."""

    least: int = 0
    most: int = MOST
    is_told: bool = False
    is_integer: bool = False

    def __and__(self, other: Ranks) -> Ranks:
        """What two uses leave together."""
        told = [each.least for each in (self, other) if each.is_told]
        least = max(self.least, other.least)
        return Ranks(
            least,
            min(self.most, other.most),
            least in told,
            self.is_integer or other.is_integer,
        )

    def moved(self, by: int) -> Ranks:
        """The ranks with more axes or fewer."""
        return replace(self, least=max(self.least + by, 0), most=self.most + by)

    @property
    def is_possible(self) -> bool:
        """Tells whether uses do not contradict each other."""
        return self.least <= self.most


ANY = Ranks()
NUMBER = Ranks(0, 0)
INTEGER = Ranks(0, 0, is_integer=True)
SEVERAL = Ranks(1)


def assumed(
    function: ir.Function, program: Program, given: Signature, *, is_scalar: bool
) -> dict[str, Value]:
    """What parameters are assumed to be of which `given` tells nothing, nor a default.

    Of one that is some array the rank may be. `is_scalar`: the function returns a number.
    """
    known = {**_defaults(function), **given}
    found = _Uses(program, Instances(program)).ranks(function, known, is_scalar=is_scalar)
    vague = {name for name, value in known.items() if value == Array()}
    names = letters({p.name for p in function.parameters})
    made: dict[str, Value] = {}
    for name, ranks in found.items():
        value = _value(ranks, names) if name not in known or name in vague else None
        if value is not None and not (name in vague and isinstance(value, Number)):
            made[name] = value
    return made


def _defaults(function: ir.Function) -> dict[str, Value]:
    """What the defaults of parameters tell."""
    defaults = ((p.name, p.default) for p in function.parameters)
    found = {name: d.value for name, d in defaults if isinstance(d, ir.Const)}
    numbers = {n: type(v).__name__ for n, v in found.items() if isinstance(v, int | float)}
    return {name: Number(kind) for name, kind in numbers.items() if kind in ("int", "float")}


def _value(ranks: Ranks, names: Iterator[str]) -> Value | None:
    """What is assumed of a parameter, by the ranks that its uses leave."""
    is_one = ranks.least == ranks.most
    if not ranks.is_possible or not (is_one or (ranks.is_told and ranks.least)):
        return None
    if ranks.least == 0:
        return Number("int" if ranks.is_integer else "float")
    sizes = tuple(Size(next(names), may_be_one=False) for _ in range(ranks.least))
    return Array("int64" if ranks.is_integer else "float64", sizes)


Relation = Callable[[], None]
"""Narrows the ranks of some values by those of others."""


@dataclass(slots=True)
class _Uses:
    """Reads the uses of parameters in a function, and in those that it calls."""

    program: Program
    instances: Instances
    known: dict[str, dict[str, Ranks]] = field(default_factory=dict)
    depth: int = 0

    def of_callee(self, function: ir.Function) -> dict[str, Ranks]:
        """The ranks of the parameters of a callee, once; nothing of one that calls itself."""
        if function.dotted not in self.known and self.depth < DEEPEST:
            self.known[function.dotted] = {}
            self.depth += 1
            self.known[function.dotted] = self.ranks(function, {}, is_scalar=False)
            self.depth -= 1
        return self.known.get(function.dotted, {})

    def ranks(
        self, function: ir.Function, known: Signature, *, is_scalar: bool
    ) -> dict[str, Ranks]:
        """The ranks of the parameters; empty where uses contradict each other."""
        self.known.setdefault(function.dotted, {})
        body = _Body(self, Facts(function, None), self.instances.of(function, known))
        for statement in ir.walk(function.body):
            body.read(statement, is_scalar=is_scalar)
        body.join()
        if not body.is_settled():
            return {}
        found = {
            v.name: body.of(v) for v in body.facts.versions.every if v.kind is VersionKind.PARAMETER
        }
        return {name: ranks for name, ranks in found.items() if ranks != ANY}


def _makes(function: str, what: Makes) -> bool:
    """Tells whether a function gives such a thing."""
    return operations.of(function).makes is what


def _is_integer(atom: ir.Atom) -> bool:
    return isinstance(atom, ir.Const) and type(atom.value) is int


@dataclass(slots=True)
class _Body:
    """The ranks of the versions of one function, and how they depend on each other."""

    uses: _Uses
    facts: Facts
    typed: Typed
    known: dict[int, Ranks] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    has_changed: bool = False

    def of(self, version: Version | None) -> Ranks:
        """The ranks of a version; of a constant, those of a number."""
        return NUMBER if version is None else self.known.get(version.number, ANY)

    def narrow(self, version: Version | None, ranks: Ranks) -> None:
        """Notes what a use leaves of a version."""
        if version is not None:
            before = self.of(version)
            now = before & ranks
            if now != before:
                self.known[version.number] = now
                self.has_changed = True

    def is_settled(self) -> bool:
        """Hands bounds on until none changes; tells whether they leave something of each.

        They go along the function and back by turns. All are right at any time, so that there may
        be an end.
        """
        for turn in range(MOST_TURNS):
            self.has_changed = False
            for relation in self.relations if turn % 2 == 0 else reversed(self.relations):
                relation()
            if not self.has_changed or not self.is_possible():
                break
        return self.is_possible()

    def is_possible(self) -> bool:
        """Tells whether no two uses contradict each other."""
        return all(ranks.is_possible for ranks in self.known.values())

    # statements

    def read(self, statement: ir.Statement, *, is_scalar: bool) -> None:
        """Notes what a statement says of what it reads, and how that depends on each other."""
        for name in ir.reads(statement):
            self.note_type(self.facts.versions.reads.get((statement, name)), statement, name)
        match statement:
            case ir.Assign(value=ir.Call() as call, is_tuple=is_tuple, targets=names):
                self.call(statement, call, None if is_tuple else self.written(statement, names[0]))
                if is_tuple and _makes(call.function, Makes.SHAPE):
                    self.narrow(
                        self.version(statement, call.args[0]),
                        Ranks(len(names), len(names), is_told=True),
                    )
            case ir.Assign(value=ir.Name() as read, is_tuple=False, targets=(target,)):
                self.equal(self.written(statement, target), self.version(statement, read))
            case ir.Store(base=base, index=None, value=value):
                operands = (ir.Name(base), value)
                self.each(statement, self.written(statement, base), operands)
            case ir.Store(base=base, index=index, value=value) if index is not None:
                stored = self.facts.versions.reads.get((statement, base))
                self.at(statement, stored, index, None)
            case ir.If(test=test) | ir.While(test=test) | ir.Assert(test=test):
                self.test(self.version(statement, test))
            case ir.Return(value=value) if is_scalar:
                self.narrow(self.version(statement, value), NUMBER)
            case ir.Do(value=ir.Call() as call):
                self.call(statement, call, None)

    def test(self, version: Version | None) -> None:
        """Notes that a comparison decides: it is of numbers. A flag may be anything."""
        match None if version is None else version.statement:
            case ir.Assign(value=ir.Call(function)) if _makes(function, Makes.COMPARISON):
                self.narrow(version, NUMBER)

    def note_type(self, version: Version | None, statement: ir.Statement, name: str) -> None:
        """Notes of a version that is read what the inference knows."""
        match self.typed.reads.get((statement, name)):
            case Number(kind=kind):
                self.narrow(version, INTEGER if kind == "int" else NUMBER)
            case Array(shape=tuple() as shape, dtype=dtype):
                is_integer = dtype is not None and dtype.startswith("int")
                self.narrow(version, Ranks(len(shape), len(shape), is_integer=is_integer))

    def version(self, statement: ir.Statement, atom: ir.Atom) -> Version | None:
        """The version that a statement reads; none of a constant."""
        if isinstance(atom, ir.Name):
            return self.facts.versions.reads.get((statement, atom.id))
        return None

    def written(self, statement: ir.Statement, name: str) -> Version | None:
        """The version that a statement makes."""
        return self.facts.versions.writes.get((statement, name))

    # calls

    def call(self, statement: ir.Statement, call: ir.Call, out: Version | None) -> None:
        """Notes what a call says of its arguments and of its result."""
        callee = self.uses.program.definition(call.function)
        if callee is not None:
            self.callee(statement, call, callee)
            return
        record = operations.of(call.function)
        versions = [self.version(statement, atom) for atom in call.args]
        first = versions[0] if versions else None
        if record.takes is Takes.NUMBERS:
            is_counted = record.makes is Makes.RANGE
            for version in versions:
                self.narrow(version, INTEGER if is_counted else NUMBER)
        elif record.makes is Makes.ITEM and len(call.args) == 2:
            self.at(statement, first, call.args[1], out)
        elif record.makes is Makes.MATMUL or record.shape is Shape.DOT:
            self.product(out, versions, is_strict=record.makes is Makes.MATMUL)
        elif record.makes in (Makes.LENGTH, Makes.SHAPE):
            self.narrow(first, SEVERAL)
        elif record.shape is Shape.TRANSPOSED:
            self.narrow(first, Ranks(2, is_told=True))
            self.equal(out, first)
        elif record.shape in OF_MATRICES:
            self.narrow(first, Ranks(2, is_told=True))
            if record.shape is Shape.SOLVED:
                self.equal(out, versions[1] if len(versions) > 1 else None)
        elif record.shape in REDUCED:
            self.reduced(statement, call, record, out)
        elif record.shape in OF_FIRST and first is not None:
            self.equal(out, first)
        elif record.shape in OF_EACH and not call.keywords:
            self.each(statement, out, call.args)
            if record.computes is Operation.EQUAL and any(map(_is_integer, call.args)):
                for version in versions:
                    self.narrow(version, Ranks(is_integer=True))

    def callee(self, statement: ir.Statement, call: ir.Call, callee: ir.Function) -> None:
        """Notes of arguments what a function says of its parameters."""
        bound = arguments.bind(callee, call)
        if isinstance(bound, str):
            return
        found = self.uses.of_callee(callee)
        for name, argument in bound.items():
            if isinstance(argument, ir.Name) and name in found:
                self.narrow(self.version(statement, argument), found[name])

    def reduced(
        self, statement: ir.Statement, call: ir.Call, record: Op, out: Version | None
    ) -> None:
        """Notes that an axis is there, which a reduction leaves out."""
        names = [name for name, _ in calls.parameters(record.parameters or "a")]
        given = {**dict(zip(names, call.args, strict=False)), **dict(call.keywords)}
        axis, first = given.get("axis", ir.Const(None)), self.version(statement, call.args[0])
        match axis:
            case ir.Const(value=None) if not given.keys() & {"keepdims", "ord"}:
                self.narrow(out, NUMBER)
            case ir.Const(value=int() as at):
                least = at + 1 if at >= 0 else -at
                self.narrow(first, Ranks(least, is_told=True))
                if "keepdims" not in given:
                    self.moved(out, first, -1)

    def at(
        self, statement: ir.Statement, base: Version | None, index: ir.Atom, out: Version | None
    ) -> None:
        """Notes what an index says of what it selects from, and of what it selects."""
        places = self.facts.indices
        made, source = places.definition(statement, index), places.source(statement, index)
        is_tuple = isinstance(made, ir.Call) and made.function == "python.tuple"
        parts = made.args if isinstance(made, ir.Call) and is_tuple else (index,)
        where = source if is_tuple and source is not None else statement
        if isinstance(index, ir.Const) and not isinstance(index.value, int):
            return
        steps = [step for part in parts if (step := self.step(where, part)) is not None]
        if len(steps) < len(parts):
            return
        axes = sum(axis for axis, _ in steps)
        is_slice = places.is_slice(statement, index)
        self.narrow(base, Ranks(axes, is_told=is_slice or len(parts) > 1))
        self.moved(out, base, sum(change for _, change in steps))

    def step(self, statement: ir.Statement, part: ir.Atom) -> tuple[int, int] | None:
        """Of a part of an index how many axes it takes, and by how many it changes the rank."""
        match part:
            case ir.Const(value=None):
                return 0, 1
            case ir.Const(value=int()):
                return 1, -1
            case ir.Name():
                made = self.facts.indices.definition(statement, part)
                if isinstance(made, ir.Call) and made.function == "python.slice":
                    return 1, 0
                known = self.typed.reads.get((statement, part.id))
                if isinstance(known, Number) and known.kind == "int":
                    return 1, -1
        return None

    # relations

    def equal(self, one: Version | None, other: Version | None) -> None:
        """Two versions have one rank."""
        self.moved(one, other, 0)

    def moved(self, out: Version | None, base: Version | None, by: int) -> None:
        """A version has the rank of another one, and `by` more axes."""
        if out is None or base is None:
            return

        def relation() -> None:
            self.narrow(out, self.of(base).moved(by))
            self.narrow(base, self.of(out).moved(-by))

        self.relations.append(relation)

    def alike(self, version: Version) -> None:
        """What meets in a version has its rank, unless it is a number."""

        def relation() -> None:
            for prior in version.priors:
                if self.of(prior).most:
                    self.narrow(prior, self.of(version))

        self.relations.append(relation)

    def each(
        self, statement: ir.Statement, out: Version | None, operands: tuple[ir.Atom, ...]
    ) -> None:
        """A result has the largest rank of its operands, if these are variables and numbers."""
        constants = [atom for atom in operands if not isinstance(atom, ir.Name)]
        if all(isinstance(c, ir.Const) and isinstance(c.value, int | float) for c in constants):
            self.largest(out, [self.version(statement, atom) for atom in operands])

    def largest(self, out: Version | None, operands: list[Version | None]) -> None:
        """The same of versions."""
        if out is None or not operands:
            return

        def relation() -> None:
            above, below = self.of(out), [self.of(version) for version in operands]
            least, most = max(r.least for r in below), max(r.most for r in below)
            self.narrow(out, Ranks(least, most))
            for version in operands:
                self.narrow(version, Ranks(0, above.most, is_integer=above.is_integer))
            large = [v for v, r in zip(operands, below, strict=True) if r.most >= above.least]
            if len(large) == 1:
                self.narrow(large[0], Ranks(above.least))

        self.relations.append(relation)

    def product(
        self, out: Version | None, factors: list[Version | None], *, is_strict: bool
    ) -> None:
        """A product of vectors or matrices lacks the axes along which it sums."""
        if len(factors) != 2 or None in factors:
            return
        if is_strict:
            for version in factors:
                self.narrow(version, Ranks(1, 2))

        def relation() -> None:
            one, other = (self.of(version) for version in factors)
            if one.least < 1 or other.least < 1:
                return
            above = self.of(out) if out is not None else ANY
            self.narrow(out, Ranks(one.least + other.least - 2, one.most + other.most - 2))
            for version, others in ((factors[0], other), (factors[1], one)):
                least = above.least + 2 - others.most
                self.narrow(version, Ranks(max(least, 1), above.most + 2 - others.least))

        self.relations.append(relation)

    def join(self) -> None:
        """What meets has one rank, but for numbers with which sums begin; stores leave ranks."""
        for version in self.facts.versions.every:
            if version.meets:
                self.largest(version, [*version.priors])
                self.alike(version)
            match version.statement:
                case ir.Store(index=index) if index is not None and not version.meets:
                    self.equal(version, version.priors[0])
