"""What a pass of a loop records goes into one list, as a tuple: that is shorter, and faster.

    x_saved.append(x)                       x_saved = x
    x = f(x, y)                             x = f(x, y)
    y_saved.append(y)                       saved.append((x_saved, y))

    for i in reversed(range(n)):            for i in reversed(range(n)):
        y = y_saved.pop()                       x, y = saved.pop()
        x = x_saved.pop()

An array of structures instead of a structure of arrays. Lists are merged that the same passes fill
and the same passes empty, without a branch between; nothing else may be done with them. This comes
last, when a derivative is not differentiated any more: adjoints of lists know no tuples.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import field, replace

from adlsp.transform import ir
from adlsp.transform.facts import effects
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.variables import PACKED, Fresh, Recorded, Saved, Step, Trips, readable
from adlsp.transform.optimize import drained_tapes

NAME = "saved"
"""What a list of tuples is called."""


def merge_tapes(functions: tuple[ir.Function, ...]) -> tuple[ir.Function, ...]:
    """The functions of a derivative, each with few lists; those of a pair have them in common."""
    made: list[ir.Function] = []
    for function in functions:
        called = function.called
        if isinstance(called, targets.Pair) and called.side is targets.Side.BACKWARD:
            made += _pair(made.pop(), function)
        elif isinstance(called, targets.Pair) and called.side is targets.Side.FORWARD:
            made.append(function)
        else:
            made.append(_merged(function))
    return tuple(made)


def _merged(function: ir.Function) -> ir.Function:
    """A function with both sweeps, if it has lists at all."""
    if not any(map(drained_tapes.appended, ir.walk(function.body))):
        return function
    merging = _Merging(function.body, ir.fresh(function))
    return replace(function, body=drained_tapes.drained(merging.block(function.body)))


def _pair(forward: ir.Function, backward: ir.Function) -> tuple[ir.Function, ir.Function]:
    """The functions of a pair: what the forward one packs last, the backward one takes first."""
    *before, packed, both, end = forward.body
    taken, after = backward.body[:1], backward.body[1:]
    if PACKED not in ir.reads(taken[0]):
        taken, after = (), backward.body
    mark = ir.Do(ir.Call(ir.SPLIT), end.origin)
    fresh = Fresh(max(map(ir.last_number, (forward, backward))))
    whole = (*before, mark, *after)
    merging = _Merging(whole, fresh)
    made = drained_tapes.drained(merging.block(whole))
    uncounted = _counts(whole) - _counts(made)
    split = next(i for i, statement in enumerate(made) if ir.is_split(statement))
    return (
        replace(forward, body=(*made[:split], merging.packing(packed, uncounted), both, end)),
        replace(
            backward, body=(*(merging.taking(s, uncounted) for s in taken), *made[split + 1 :])
        ),
    )


def _counts(block: ir.Block) -> set[str]:
    """The variables that count passes."""
    return {name for s in ir.walk(block) for name in ir.writes(s) if isinstance(name, Trips)}


@dataclass(frozen=True, slots=True)
class _Place:
    """A statement where it stands."""

    block: ir.Block
    position: int

    @property
    def statement(self) -> ir.Statement:
        return self.block[self.position]


@dataclass(slots=True)
class _Tape:
    """A list, and the statements about it: `unset`, where the loop may not be reached."""

    name: str
    unset: list[_Place] = field(default_factory=list)
    opened: list[_Place] = field(default_factory=list)
    appended: list[_Place] = field(default_factory=list)
    popped: list[_Place] = field(default_factory=list)

    @property
    def passes(self) -> tuple[int, ...]:
        """The blocks in which it is made, filled and emptied."""
        every = (self.unset, self.opened, self.appended, self.popped)
        return tuple(id(place.block) for places in every for place in places)

    @property
    def value(self) -> ir.Atom:
        """What is appended."""
        match self.appended[0].statement:
            case ir.Do(value=ir.Call(args=(_, value))):
                return value
        raise AssertionError(self.name)

    @property
    def target(self) -> str:
        """What is popped."""
        (target,) = ir.writes(self.popped[0].statement)
        return target

    @property
    def element(self) -> str:
        """What an element is called that needs a name."""
        match self.name:
            case Recorded(of=of, version=version, is_like=is_like):
                return readable(Saved(of, version, is_like=is_like))
        return readable(self.name)


def _tapes(body: ir.Block) -> Iterator[_Tape]:
    """The lists with which nothing is done but to fill them at one place and empty them at one.

    One that is popped in the expression that uses the value is left as it is.
    """
    found: dict[str, _Tape] = {}
    uses = Counter[str]()
    for block in ir.nested(body):
        for position, statement in enumerate(block):
            place = _Place(block, position)
            uses.update({*ir.reads(statement), *ir.writes(statement)})
            match statement:
                case ir.Assign(targets=(name,), value=ir.Call("python.list", ())):
                    found.setdefault(name, _Tape(name)).opened.append(place)
                case ir.Assign(targets=(name,), value=ir.Const(None)):
                    found.setdefault(name, _Tape(name)).unset.append(place)
                case ir.Do(value=ir.Call("python.append", (ir.Name(name), _))):
                    found.setdefault(name, _Tape(name)).appended.append(place)
                case ir.Assign(
                    targets=(target,), value=ir.Call("python.pop", (ir.Name(name),))
                ) if not isinstance(target, Step) or target.purpose:
                    found.setdefault(name, _Tape(name)).popped.append(place)
    for name, tape in found.items():
        is_once = len(tape.opened) == len(tape.appended) == len(tape.popped) == 1
        if is_once and len(tape.unset) <= 1 and uses[name] == 3 + len(tape.unset):
            yield tape


class _Merging:
    """Decides which lists of a body are merged.

    `edits` has what stands in place of a statement, `renamed` other names for variables, and
    `merged` the list that another one has become a part of.
    """

    def __init__(self, body: ir.Block, fresh: Fresh) -> None:
        self.fresh = fresh
        self.edits: dict[ir.Statement, tuple[ir.Statement, ...]] = {}
        self.renamed: dict[str, str] = {}
        self.merged: dict[str, str] = {}
        reads, writes = Counter[str](), Counter[str]()
        for statement in ir.walk(body):
            reads.update(ir.reads(statement))
            writes.update(ir.writes(statement))
        self.single = {name for name in reads if reads[name] == writes[name] == 1}
        groups: defaultdict[tuple[int, ...], list[_Tape]] = defaultdict(list)
        for tape in _tapes(body):
            groups[tape.passes].append(tape)
        for group in groups.values():
            for together in _popped_together(group):
                if len(together) > 1:
                    self.merge(sorted(together, key=lambda tape: tape.appended[0].position))

    def merge(self, tapes: list[_Tape]) -> None:
        """Makes one list of some, in the order in which they are filled."""
        name = self.fresh.own(NAME)
        self.merged |= dict.fromkeys((tape.name for tape in tapes), name)
        for places in ([t.unset for t in tapes], [t.opened for t in tapes]):
            ordered = sorted((place for one in places for place in one), key=_position)
            for place in ordered:
                self.edits[place.statement] = ()
            for place in ordered[:1]:
                assert isinstance(place.statement, ir.Assign)
                self.edits[place.statement] = (replace(place.statement, targets=(name,)),)
        self.append(name, tapes)
        self.pop(name, tapes)

    def append(self, name: str, tapes: list[_Tape]) -> None:
        """Appends a tuple after the last value is there."""
        last = tapes[-1].appended[0]
        bound = _bindings(last.block, tapes[0].appended[0].position, last.position)
        values = []
        for tape in tapes:
            place = tape.appended[0]
            between = last.block[place.position + 1 : last.position]
            value = tape.value
            self.edits[place.statement] = ()
            if isinstance(value, ir.Name) and bound.get(value.id, -1) > place.position:
                step = self.fresh.step(tape.element)
                second = ir.Assign((step,), value, place.statement.origin, Role.SAVE)
                self.edits[place.statement] = (second,)
                value = ir.Name(step)
            elif isinstance(value, ir.Name) and not self.is_movable(
                value.id, place, between, bound
            ):
                self.renamed[value.id] = self.fresh.step(tape.element)
            values.append(value)
        packed, origin = self.fresh.step(), last.statement.origin
        tupled = ir.Assign((packed,), ir.Call("python.tuple", tuple(values)), origin, Role.SAVE)
        call = ir.Call("python.append", (ir.Name(name), ir.Name(packed)))
        self.edits[last.statement] += (tupled, ir.Do(call, origin, Role.SAVE))

    def pop(self, name: str, tapes: list[_Tape]) -> None:
        """Takes a tuple apart where the values were popped."""
        ordered = sorted((tape.popped[0] for tape in tapes), key=_position)
        first = ordered[0].statement
        for place in ordered:
            self.edits[place.statement] = ()
        taken = tuple(tape.target for tape in tapes)
        call = ir.Call("python.pop", (ir.Name(name),))
        self.edits[first] = (ir.Assign(taken, call, first.origin, Role.RESTORE, is_tuple=True),)

    def is_movable(
        self, name: str, place: _Place, between: ir.Block, bound: Mapping[str, int]
    ) -> bool:
        """Tells whether a value that is made to be appended may be made where the tuple is.

        `bound` tells where variables are bound last, of those that are bound in `between`.
        """
        made = place.block[place.position - 1]
        if name not in self.single or name not in ir.writes(made):
            return True
        is_quiet = all(isinstance(s, ir.Assign) and effects.is_pure(s.value) for s in between)
        return is_quiet and all(bound.get(read, -1) <= place.position for read in ir.reads(made))

    def name(self, name: str) -> str:
        """What a variable is called now."""
        return self.renamed.get(name, name)

    def atom(self, atom: ir.Atom) -> ir.Atom:
        """An atom, as its variable is called now."""
        return ir.Name(self.name(atom.id)) if isinstance(atom, ir.Name) else atom

    def block(self, block: ir.Block) -> ir.Block:
        """A block with the lists that are merged."""
        made: list[ir.Statement] = []
        for statement in block:
            for each in self.edits.get(statement, (statement,)):
                made.append(ir.rewritten(each, self.atom, self.name, self.block))
        return tuple(made)

    def packing(self, packed: ir.Statement, without: set[str]) -> ir.Statement:
        """The step that packs what a forward function saves."""
        assert isinstance(packed, ir.Assign)
        assert isinstance(packed.value, ir.Call)
        names = self.kept(ir.reads(packed), without)
        return replace(packed, value=replace(packed.value, args=tuple(map(ir.Name, names))))

    def taking(self, taken: ir.Statement, without: set[str]) -> ir.Statement:
        """The statement by which a backward function takes that apart."""
        assert isinstance(taken, ir.Assign)
        return replace(taken, targets=self.kept(taken.targets, without))

    def kept(self, names: tuple[str, ...], without: set[str]) -> tuple[str, ...]:
        """Variables that are saved, with one list for those that are parts of it."""
        now = (self.merged.get(name, self.name(name)) for name in names if name not in without)
        return tuple(dict.fromkeys(now))


def _popped_together(tapes: list[_Tape]) -> Iterator[list[_Tape]]:
    """Some lists, in groups of those that are emptied at one place."""
    together: list[_Tape] = []
    for tape in sorted(tapes, key=lambda tape: tape.popped[0].position):
        if together and tape.popped[0].position > together[-1].popped[0].position + 1:
            yield together
            together = []
        together.append(tape)
    yield together


def _position(place: _Place) -> int:
    return place.position


def _bindings(block: ir.Block, start: int, end: int) -> dict[str, int]:
    """Where variables are bound last between two places, or perhaps by `x += v`."""
    return {
        name: place
        for place in range(start, end)
        for s in ir.walk(block[place : place + 1])
        if not (isinstance(s, ir.Store) and s.index is not None)
        for name in ir.writes(s)
    }
