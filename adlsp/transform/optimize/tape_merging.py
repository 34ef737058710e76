"""What a pass of a loop records goes into one list, as a tuple: that is shorter, and faster.

    x_saved.append(x)                       x_saved = x
    x = f(x, y)                             x = f(x, y)
    y_saved.append(y)                       saved.append((x_saved, y))

    for i in reversed(range(n)):            for i in reversed(range(n)):
        y = y_saved.pop()                       x, y = saved.pop()
        x = x_saved.pop()

An array of structures instead of a structure of arrays. Lists are merged that the same passes fill
and the same passes empty, without a branch between; nothing else may be done with them. What is
taken, or saved for a backward function, and then not read, is left out. This comes last, when a
derivative is not differentiated any more: adjoints of lists know no tuples.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, effects, liveness
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
    return replace(function, body=drained_tapes.drained(merging.whole(function.body)))


def _pair(forward: ir.Function, backward: ir.Function) -> tuple[ir.Function, ir.Function]:
    """The functions of a pair: what the forward one packs last, the backward one takes first."""
    *before, packed, both, end = forward.body
    taken, after = backward.body[:1], backward.body[1:]
    if PACKED not in ir.reads(taken[0]):
        taken, after = (), backward.body
    packing = _Packing(packed, taken).once(tuple(before), after)
    mark = ir.Do(ir.Call(ir.SPLIT), end.origin)
    fresh = Fresh(max(map(ir.last_number, (forward, backward))))
    whole = (*before, mark, *after)
    outside = [name for s in (packing.packed, both, end) for name in ir.reads(s)]
    merging = _Merging(whole, fresh, outside, packing)
    made = drained_tapes.drained(merging.whole(whole))
    uncounted = (_counts(whole) - _counts(made)) | merging.unread
    split = next(i for i, statement in enumerate(made) if ir.is_split(statement))
    return (
        replace(
            forward, body=(*made[:split], merging.packing(packing.packed, uncounted), both, end)
        ),
        replace(
            backward,
            body=(*(merging.taking(s, uncounted) for s in packing.taken), *made[split + 1 :]),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Packing:
    """What a forward function packs, and the backward one takes: pairs of what is, and its name.

    `left` are those that nobody reads behind that, `twice` other names for what has one already.
    """

    packed: ir.Statement
    taken: ir.Block
    left: tuple[str, ...] = ()
    twice: Mapping[str, str] = field(default_factory=dict)

    def once(self, before: ir.Block, after: ir.Block) -> _Packing:
        """The same with each once, of what is read."""
        match self.packed, self.taken:
            case ir.Assign(value=ir.Call(args=args) as call), (ir.Assign(targets=names) as first,):
                pairs = [*zip(args, names, strict=True)] if len(args) == len(names) else []
            case _:
                return self
        read = {name for s in ir.walk(after) for name in ir.reads(s)}
        bound = {name for s in ir.walk(after) for name in ir.writes(s)}
        free = {*names} - bound
        named = {name for s in ir.walk(before) for name in (*ir.reads(s), *ir.writes(s))}
        firsts = {arg: name for arg, name in reversed(pairs) if name in read and name in free}
        twice = {
            name: firsts[arg]
            for arg, name in pairs
            if firsts.get(arg, name) != name and name in free - named
        }
        kept = [(arg, name) for arg, name in pairs if name in read and name not in twice]
        if not kept:
            return self
        left = ir.names(arg for arg, name in pairs if name not in read)
        packed = replace(self.packed, value=replace(call, args=tuple(arg for arg, _ in kept)))
        taken = replace(first, targets=tuple(name for _, name in kept))
        return _Packing(packed, (taken,), left, twice)


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

    `outside` is what is read elsewhere. `edits` has what stands in place of a statement, `renamed`
    other names for variables, and `merged` the list that another one has become a part of. What
    `unread` lists hold nobody needs any more, since more is known of what is given.
    """

    def __init__(
        self,
        body: ir.Block,
        fresh: Fresh,
        outside: Iterable[str] = (),
        packing: _Packing | None = None,
    ) -> None:
        self.fresh = fresh
        self.edits: dict[ir.Statement, tuple[ir.Statement, ...]] = {}
        self.renamed: dict[str, str] = {**packing.twice} if packing is not None else {}
        self.merged: dict[str, str] = {}
        self.unread: set[str] = set()
        reads, writes = Counter[str](), Counter[str]()
        for statement in ir.walk(body):
            reads.update(ir.reads(statement))
            writes.update(ir.writes(statement))
        self.single = {name for name in reads if reads[name] == writes[name] == 1}
        groups: defaultdict[tuple[int, ...], list[_Tape]] = defaultdict(list)
        bound = {n: s for s in ir.walk(body) if isinstance(s, ir.Assign) for n in s.targets}
        self.steps = {n: s for n, s in bound.items() if writes[n] == 1 and not s.is_tuple}
        self.needed = reads + Counter(outside)
        self.leave_out(packing.left if packing is not None else ())
        for tape in _tapes(body):
            if reads[tape.target]:
                groups[tape.passes].append(tape)
            else:
                self.drop(tape)
        for group in groups.values():
            for together in _popped_together(group):
                if len(together) > 1:
                    self.merge(sorted(together, key=lambda tape: tape.appended[0].position))

    def drop(self, tape: _Tape) -> None:
        """Leaves out a list of which nobody reads what is taken."""
        self.unread.add(tape.name)
        for places in (tape.unset, tape.opened, tape.appended, tape.popped):
            self.edits |= {place.statement: () for place in places}
        names = ir.names((tape.value,))
        self.needed.subtract(names)
        self.leave_out(names)

    def leave_out(self, names: tuple[str, ...]) -> None:
        """Leaves out steps that nobody reads any more, and those that only they have read."""
        for name in names:
            made = self.steps.get(name)
            is_ours = isinstance(name, Step | Saved) and not self.needed[name]
            if made is not None and is_ours and effects.is_pure(made.value):
                self.edits[made] = ()
                self.needed.subtract(ir.reads(made))
                self.leave_out(ir.reads(made))

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

    def whole(self, body: ir.Block) -> ir.Block:
        """A body with the lists that are merged, without loops that only filled unread ones."""
        made = self.block(body)
        if not self.unread:
            return made
        live = dataflow.backward(made, liveness.Live(), liveness.PROBLEM).after

        def is_left(statement: ir.Statement) -> bool:
            is_needed = not isinstance(statement, ir.For) or bool(statement.body)
            return is_needed or not live[statement].isdisjoint(ir.writes(statement))

        def block(inner: ir.Block) -> ir.Block:
            return tuple(ir.rewritten(each, block=block) for each in inner if is_left(each))

        return block(made)

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
        args = tuple(self.kept(packed.value.args, without))
        return replace(packed, value=replace(packed.value, args=args))

    def taking(self, taken: ir.Statement, without: set[str]) -> ir.Statement:
        """The statement by which a backward function takes that apart."""
        assert isinstance(taken, ir.Assign)
        kept = self.kept(map(ir.Name, taken.targets), without)
        return replace(taken, targets=ir.names(kept))

    def kept(self, atoms: Iterable[ir.Atom], without: set[str]) -> Iterator[ir.Atom]:
        """What is saved, with one list for those that are parts of it."""
        met: set[str] = set()
        for atom in atoms:
            merged = self.merged.get(atom.id) if isinstance(atom, ir.Name) else None
            if merged is not None and merged not in met:
                met.add(merged)
                yield ir.Name(merged)
            elif merged is None and without.isdisjoint(ir.names((atom,))):
                yield self.atom(atom)


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
