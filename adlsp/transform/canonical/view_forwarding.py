"""Names for parts of arrays that are used while the array itself changes: `u = U[1:-1, 1:-1]`.

Their uses are forwarded to the array. `u` shows what `U` holds at any time. Where `U` is written
into as long as `u` is used, each use of `u` becomes what it stands for, `U[1:-1, 1:-1]`, and so
does `u += v`. Then the array has one name, by which all of its stores go. It is done where the text
says that `u` is a part of an array and not a copy, and while `U` is one array. What is left is the
matter of `view_write_back.py` and of the legality checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

from adlsp.transform import ir
from adlsp.transform.facts import callees, operations
from adlsp.transform.facts.indices import Indices
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Step, readable
from adlsp.transform.source import Span

WHOLE = ir.Call("python.slice", (ir.Const(None),) * 3)
"""The index of `u[:]`."""


@dataclass(frozen=True, slots=True)
class View:
    """What a name stands for as `read` says, and the statements in which it does."""

    name: str
    made: ir.Assign
    read: ir.Assign
    region: ir.Block

    @property
    def part(self) -> tuple[str, ir.Atom]:
        """The `U` and the index of `U[1:-1, 1:-1]`."""
        match self.read.value:
            case ir.Call(args=(ir.Name(owner), index)):
                return owner, index
        raise AssertionError("a view is a part of a variable")


def forwarded(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The function in which views are what they stand for."""
    while True:
        found = list(_views(function, known))
        if not found:
            return function
        steady = _steady(function)
        facts = known.facts(function)
        views = (w for w in found if _is_view(w, facts.indices, facts.arrays()))
        view = next((w for w in views if _is_steady(w.part[1], steady)), None)
        if view is None:
            return function
        function = _Opening(function, view, steady).function


def _is_view(view: View, indices: Indices, surely: frozenset[str]) -> bool:
    """Tells whether a view is surely a part of an array, and no copy, be it of a list."""
    owner, index = view.part
    is_of_array = indices.is_of_array(view.read, index) or (
        not surely.isdisjoint((owner, view.name)) and indices.is_slice(view.read, index)
    )
    return is_of_array and indices.is_basic(view.read, index)


def _views(function: ir.Function, known: callees.Callees) -> Iterator[View]:
    """What may be views, as far as names tell."""
    if not any(map(_is_store, ir.walk(function.body))):
        return
    bound = Counter(name for s in ir.walk(function.body) for name in _bound(s))
    bound.update(p.name for p in function.parameters)
    for block in ir.nested(function.body):
        for place, made in enumerate(block):
            for name, read in _named(made, block[:place]):
                rest = block[place + 1 :]
                view = View(name, made, read, _region(rest, name))  # type: ignore[arg-type]
                between = block[block.index(read) + 1 : place]
                if bound[name] == 1 and _is_open(function, view, between, known):
                    yield view


def _named(made: ir.Statement, before: ir.Block) -> Iterator[tuple[str, ir.Assign]]:
    """The names that a statement gives to parts of variables, and where these are read."""
    match made:
        case ir.Assign((name,), ir.Call("operator.getitem", (ir.Name(owner), _))) as read if not (
            isinstance(name, Step) or name == owner
        ):
            yield name, read
        case ir.Assign(targets, ir.Name() as atom, is_tuple=False):
            yield from _of_steps(targets, (atom,), before)
        case ir.Assign(targets, ir.Call("python.tuple", args), is_tuple=True) if len(
            targets
        ) == len(args):
            yield from _of_steps(targets, args, before)


def _of_steps(
    names: tuple[str, ...], atoms: tuple[ir.Atom, ...], before: ir.Block
) -> Iterator[tuple[str, ir.Assign]]:
    """Those of some names that are given to steps which are parts of variables."""
    steps = {s.targets[0]: s for s in before if isinstance(s, ir.Assign)}
    for name, atom in zip(names, atoms, strict=True):
        match steps.get(_id(atom)):
            case ir.Assign((step,), ir.Call("operator.getitem", (ir.Name(), _))) as read if (
                isinstance(step, Step)
            ):
                yield name, read


def _region(rest: ir.Block, name: str) -> ir.Block:
    """The statements up to the last that mentions a name."""
    used = [i for i, s in enumerate(rest) if any(_mentions(inner, name) for inner in ir.walk((s,)))]
    return rest[: used[-1] + 1] if used else ()


def _is_open(function: ir.Function, view: View, between: ir.Block, known: callees.Callees) -> bool:
    """Tells whether a view is used while its array, which stays one, changes, and only there."""
    owner, _ = view.part
    inside = [*ir.walk(view.region)]
    n_uses = sum(_mentions(s, view.name) for s in ir.walk(function.body))
    if n_uses != sum(_mentions(s, view.name) for s in inside) + 1:
        return False
    if any(owner in _bound(s) for s in ir.walk((*between, *view.region))):
        return False
    if any(_is_odd(s, view.name, known) for s in inside):
        return False
    is_of_several = view.made is not view.read
    changing = (owner, view.name) if is_of_several else (owner,)
    return any(_is_store(s) and s.base in changing for s in inside)


def _is_store(statement: ir.Statement) -> TypeGuard[ir.Store]:
    is_store = isinstance(statement, ir.Store)
    return is_store and not (ir.resizes(statement) or ir.sets_cell(statement))


def _is_odd(statement: ir.Statement, name: str, known: callees.Callees) -> bool:
    """Tells whether a statement uses a name where nothing may be put in its place."""
    match statement:
        case ir.While(test=ir.Name(id)):
            return id == name
        case ir.Insert():
            return _mentions(statement, name)
        case ir.Assign(value=ir.Opaque() as value) | ir.Do(value=ir.Opaque() as value):
            return name in value.reads or name in value.writes
        case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
            is_changed = ir.Name(name) in call.atoms and ir.changes_first(call.function)
            return is_changed or ir.Name(name) in known.changed(call)
    return False


def _bound(statement: ir.Statement) -> tuple[str, ...]:
    """The variables that a statement binds, or changes in a way of its own."""
    return () if _is_store(statement) else ir.writes(statement)


def _mentions(statement: ir.Statement, name: str) -> bool:
    return name in ir.reads(statement) or name in ir.writes(statement)


class _Opening:
    """Puts what a view stands for in its place."""

    def __init__(self, function: ir.Function, view: View, steady: dict[str, ir.Call]) -> None:
        self.view = view
        self.owner, self.place = view.part
        self.fresh = ir.fresh(function)
        self.steady = steady
        self.function = replace(function, body=self.block(function.body))

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(made for statement in block for made in self.statement(statement))

    def statement(self, statement: ir.Statement) -> list[ir.Statement]:
        if statement is self.view.made:
            return self.without(self.view.made)
        name, origin = ir.Name(self.view.name), statement.origin
        statement = ir.rebuilt(statement, block=self.block)
        steps: list[ir.Statement] = []
        if isinstance(statement, ir.Store) and statement.base == name.id:
            if statement.value == name:
                statement = replace(statement, value=self.looked_at(steps, origin))
            place = self.index(self.place, steps, origin)
            if statement.index is None or self.steady.get(_id(statement.index)) == WHOLE:
                return [*steps, replace(statement, base=self.owner, index=place)]
            part = ir.Call("operator.getitem", (ir.Name(self.owner), place))
            now = self.fresh.own(readable(name.id))
            return [*steps, ir.Assign((now,), part, origin), replace(statement, base=now)]
        if name.id in ir.reads(statement):
            seen = self.looked_at(steps, origin)
            statement = ir.rebuilt(statement, lambda atom: seen if atom == name else atom)
        return [*steps, statement]

    def without(self, made: ir.Assign) -> list[ir.Statement]:
        """What gave the view its name, for the other names that it gives."""
        if not made.is_tuple:
            return []
        assert isinstance(made.value, ir.Call)
        pairs = zip(made.targets, made.value.args, strict=True)
        kept = [(name, atom) for name, atom in pairs if name != self.view.name]
        names, atoms = tuple(name for name, _ in kept), tuple(atom for _, atom in kept)
        if len(kept) == 1:
            return [replace(made, targets=names, value=atoms[0], is_tuple=False)]
        return [replace(made, targets=names, value=replace(made.value, args=atoms))]

    def looked_at(self, steps: list[ir.Statement], origin: Span) -> ir.Name:
        """A step for what the view shows now."""
        place = self.index(self.place, steps, origin)
        part = ir.Call("operator.getitem", (ir.Name(self.owner), place))
        return self.step(part, steps, origin)

    def index(self, atom: ir.Atom, steps: list[ir.Statement], origin: Span) -> ir.Atom:
        """The index once more, in steps of its own."""
        call = self.steady.get(_id(atom))
        if call is None:
            return atom
        args = tuple(self.index(each, steps, origin) for each in call.args)
        return self.step(ir.Call(call.function, args), steps, origin)

    def step(self, call: ir.Call, steps: list[ir.Statement], origin: Span) -> ir.Name:
        name = self.fresh.step()
        steps.append(ir.Assign((name,), call, origin))
        return ir.Name(name)


def _id(atom: ir.Atom) -> str:
    return atom.id if isinstance(atom, ir.Name) else ""


def _is_steady(atom: ir.Atom, steady: dict[str, ir.Call]) -> bool:
    return isinstance(atom, ir.Const) or _id(atom) in steady


def _steady(function: ir.Function) -> dict[str, ir.Call]:
    """The steps of which indices are made that give the same whenever they run."""
    bound = Counter(name for s in ir.walk(function.body) for name in ir.writes(s))
    bound.update(p.name for p in function.parameters)
    found: dict[str, ir.Call] = {}
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign((name,), ir.Call(called, args, ()) as call) if (
                isinstance(name, Step)
                and (operations.keeps_integers(called) or operations.of(called).is_index)
                and all(
                    _is_steady(a, found) or (not isinstance(_id(a), Step) and bound[_id(a)] == 1)
                    for a in args
                )
            ):
                found[name] = replace(call, span=None)
    return found
