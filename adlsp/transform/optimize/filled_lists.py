"""Gradients of lists that a loop fills, each place once, as one would write them.

Such a gradient is summed into zeros. Where the first that adds to it is a loop over all places,
which adds to each once, nobody needs the zeros: `ws_bar = [None] * len(ws)`, in the loop
`ws_bar[i] = w_bar`. (That all elements are set before one is read is definite assignment.) Where
loops fill slices, `for w in ws[:-1]`, the lists of these are put together with the other elements.
What was added to zeros made new arrays; of what somebody else holds, too, the elements are copies.

In dictionaries, `params_bar[f'W{i}']`, and where a loop may not come to all places, the zeros stay,
but nothing is added to them: the loop sets places of which each pass has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, reduce
from itertools import groupby
from typing import TypeGuard

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, liveness, operations
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Step
from adlsp.transform.optimize.copy_elision import COPY, Ownership, is_told
from adlsp.transform.optimize.displays import Constructor, Structure, items, maker
from adlsp.transform.optimize.distinct_places import Passes, added
from adlsp.transform.optimize.forms import ADD_AT, LISTED, RESTRUCTURE, ZEROS, is_structured
from adlsp.transform.values import broadcasting, indexing, places
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.inferred import is_double
from adlsp.transform.values.lattice import Array, Mapped, Object, Sequence, Value

ENDS = RESTRUCTURE, LISTED
"""What gives a gradient its structure, behind which there is what it is of."""

Made = dict[ir.Statement, ir.Block]
"""What takes the place of statements."""


def fill(
    function: ir.Function, typed: Typed, constructor: Constructor, owners: Ownership
) -> ir.Function:
    """The function with lists that loops fill without zeros in them."""
    return _Filling(function, typed, constructor, owners).function


@dataclass(frozen=True, slots=True)
class _Begun:
    """The gradient of a list or tuple that begins as zeros, and the statements that use it then."""

    start: ir.Assign
    of: ir.Name
    elements: tuple[Value, ...]
    is_list: bool
    users: ir.Block

    @property
    def name(self) -> ir.Name:
        """The variable that it is bound to."""
        return ir.Name(self.start.targets[0])

    def ended(self, whole: ir.Atom, name: str) -> ir.Block:
        """Binds it, finished, to a list."""
        call = ir.Call("builtins.tuple", (whole,))
        value: ir.Expression = whole if self.is_list else call
        bound = ir.Assign((name,), value, self.users[-1].origin, ir.Role.ADJOINT)
        return () if value == ir.Name(name) else (bound,)


class _Filling:
    """Rewrites a function: `made` is what takes the place of statements."""

    def __init__(
        self, function: ir.Function, typed: Typed, constructor: Constructor, owners: Ownership
    ) -> None:
        self.typed, self.constructor, self.owners = typed, constructor, owners
        self.given, self.fresh = function, ir.fresh(function)
        self.users = ir.users(function.body)
        self.made: Made = {}
        for block in ir.nested(function.body):
            for statement in block:
                begun = self.begun(statement, block)
                made = begun and (self.looped(begun) or self.joined(begun, block))
                self.made |= made or self.apart(statement, block)
        body = self.block(function.body) if self.made else function.body
        self.function = replace(function, body=body) if self.made else function

    @cached_property
    def live(self) -> dataflow.Solution[liveness.Live]:
        """The variables that are read later."""
        return liveness.live(self.given)

    def block(self, block: ir.Block) -> ir.Block:
        made = (self.made.get(s, (ir.rewritten(s, block=self.block),)) for s in block)
        return tuple(s for statements in made for s in statements)

    def begun(self, start: ir.Statement, block: ir.Block) -> _Begun | None:
        """The gradient that a statement of a block begins."""
        match start:
            case ir.Assign((name,), ir.Call(function, (ir.Name() as of,))) if function == ZEROS:
                value = self.typed.of(start, of)
                later = block[block.index(start) + 1 :]
                users = [s for s in later if any(i in self.users[name] for i in ir.walk((s,)))]
                ends = [n for n, user in enumerate(users, 1) if self.is_end(user, name, of)]
                if isinstance(value, Sequence) and not value.is_once and value.items:
                    until = tuple(users[: ends[0]] if ends else users)
                    return _Begun(start, of, value.items, value.is_list, until)
        return None

    def looped(self, begun: _Begun) -> Made:
        """What becomes of a gradient that a loop fills, if later is only added to it in place."""
        *adding, last = begun.users or (begun.start,)
        inner = [s for s in ir.walk(tuple(adding[1:])) if s in self.users[begun.name.id]]
        is_double_all = all(map(is_double, begun.elements))
        if not adding or (
            inner and not (is_double_all and all(added(s, begun.name.id) for s in inner))
        ):
            return {}
        if not self.is_end(last, begun.name.id, begun.of):
            return self.filled(begun) if _gives_on(last, begun.name) else {}
        (target,) = ir.writes(last)
        is_renamed = not inner and self.users[target][0] is last
        whole = ir.Name(target) if is_renamed else begun.name
        made = self.filled(begun, whole.id)
        return made and {**made, **self.unread(last), last: begun.ended(whole, target)}

    def unread(self, end: ir.Statement) -> Made:
        """Leaves out the step that only an end has read, to see what structure there is."""
        steps = (self.users[name] for name in ir.reads(end) if isinstance(name, Step))
        return {users[0]: () for users in steps if len(users) == 2 and users[1] is end}

    def filled(self, begun: _Begun, name: str | None = None) -> Made:
        """The same without what ends it, perhaps by another name."""
        match begun.users:
            case (ir.For() as loop, *_) if self.count(loop) == len(begun.elements):
                every = [*ir.walk(loop.body)]
                adding = [s for s in every if s in self.users[begun.name.id]]
            case _:
                return {}
        if len(adding) != 1 or adding[0] not in loop.body:
            return {}
        (statement,), at = adding, ir.Name(loop.target)
        index, part = added(statement, begun.name.id) or (None, ir.Const(None))
        if index != at or any(at.id in ir.writes(s) for s in every):
            return {}
        name, kind = name or begun.name.id, ir.StoreKind.SET
        store = ir.Store(name, at, part, kind, statement.origin, ir.Role.ADJOINT)
        made = self.taken(statement, store, loop.body, begun.elements)
        return made and {**made, begun.start: tuple(self.empty(begun.of, begun.start, name))}

    def joined(self, begun: _Begun, block: ir.Block) -> Made:
        """What becomes of a gradient to which elements and filled lists are added, each once."""
        made: Made = {begun.start: ()}
        parts: list[tuple[range, ir.Atom, bool]] = []
        *adding, end = begun.users or (begun.start,)
        for statement in adding:
            index, part = added(statement, begun.name.id) or (ir.Const(None), ir.Const(None))
            taken_places = self.places(index, len(begun.elements))
            if isinstance(index, ir.Const):
                element = begun.elements[taken_places.start : taken_places.stop]
                step = self.fresh.step()
                holder = ir.Assign((step,), part, statement.origin, ir.Role.ADJOINT)
                taken = self.taken(statement, holder, block, element) if element else {}
                part = ir.Name(step)
            else:
                taken = self.inner(statement, part, block)
            if not taken:
                return {}
            made |= taken
            parts.append((taken_places, part, isinstance(index, ir.Const)))
        parts.sort(key=lambda each: each[0].start)
        is_all = [at for where, *_ in parts for at in where] == [*range(len(begun.elements))]
        is_ended = self.is_end(end, begun.name.id, begun.of)
        if not is_all or not is_ended or all(is_one for *_, is_one in parts):
            return {}
        steps: list[ir.Statement] = []

        def hold(function: str, *args: ir.Atom) -> ir.Name:
            step = self.fresh.step()
            steps.append(ir.Assign((step,), ir.Call(function, args), end.origin, ir.Role.ADJOINT))
            return ir.Name(step)

        lists: list[ir.Atom] = []
        for is_one, group in groupby(parts, lambda each: each[2]):
            atoms = [atom for _, atom, _ in group]
            lists += [hold("python.list", *atoms)] if is_one else atoms
        whole = reduce(lambda one, other: hold("operator.add", one, other), lists)
        return {**made, end: (*steps, *begun.ended(whole, ir.writes(end)[0]))}

    def is_end(self, statement: ir.Statement, name: str, of: ir.Name) -> bool:
        """Tells whether a statement gives a gradient its structure."""
        match statement:
            case ir.Assign((_,), ir.Call("builtins.list", (ir.Name(id),))):
                return id == name
            case ir.Assign((_,), ir.Call(function, (ir.Name(id), like))) if function in ENDS:
                return id == name and self.read(like) == self.read(of)
        return False

    def read(self, atom: ir.Atom) -> tuple[ir.Atom, ...]:
        """The part of something that a variable is bound to; itself, if nothing tells that."""
        match self.bound(atom):
            case ir.Call("operator.getitem", args):
                return args
        return (atom,)

    def inner(self, statement: ir.Statement, part: ir.Atom, block: ir.Block) -> Made:
        """What becomes of a list that a loop fills, which a statement adds to another one."""
        starts = [s for s in block if ir.writes(s) == ir.names((part,))]
        inner = self.begun(starts[0], block) if starts else None
        made = self.filled(inner) if inner and inner.users[1:] == (statement,) else {}
        return made and {**made, statement: ()}

    def places(self, index: ir.Atom, n: int) -> range:
        """The places that an index takes of so many: one, or those of a slice."""
        match index, self.bound(index):
            case ir.Const(int() as at), _:
                return range(at % n, at % n + 1)
            case _, ir.Call("python.slice", (ir.Const() as start, ir.Const() as stop, step)):
                if step in (ir.Const(None), ir.Const(1)):
                    return range(*slice(start.value, stop.value).indices(n))
        return range(0)

    def apart(self, start: ir.Statement, block: ir.Block) -> Made:
        """What becomes of the statements of a loop that are the first to add to places of zeros.

        Where these are all entries of a dictionary, or places of a list, nobody needs the zeros.
        """
        match start:
            case ir.Assign((name,), ir.Call(function, (ir.Name() as of,))) if function == ZEROS:
                held = self.typed.of(start, of)
            case _:
                return {}
        users = [s for s in self.users[name] if s is not start]
        later = block[block.index(start) + 1 :]
        first = next((s for s in later if not {*users}.isdisjoint(ir.walk((s,)))), None)
        made: Made = {}
        if not isinstance(first, ir.For) or not isinstance(held, Mapped | Sequence):
            return made
        passes = Passes(first, self.bound, self.typed, self.owners.of)
        own = [*passes.own(name, held)]
        for statement, index, inner in own:
            _, part = added(statement, name) or (index, index)
            origin, role = statement.origin, ir.Role.ADJOINT
            put = ir.Store(name, index, part, ir.StoreKind.SET, origin, role)
            of_index = indexing.entries(held, self.typed.of(statement, index))
            made |= self.taken(statement, put, inner, of_index)
        always = [s for s, _, inner in own if s in made and inner is first.body]
        n_entries = len(held.items or ()) if isinstance(held, Mapped) else 0
        if n_entries and len(always) * (passes.count or 0) == n_entries:
            empty = ir.Call("builtins.dict.fromkeys", (of,))
            made[start] = (replace(start, value=empty),)
        is_same = not any(of.id in ir.writes(s) for s in ir.walk(later))
        if always and is_same and passes.is_over(of) and _is_list(held):
            made |= self.whole(start, of, users, made[always[0]])
        return made

    def whole(
        self, start: ir.Assign, of: ir.Name, users: list[ir.Statement], setting: ir.Block
    ) -> Made:
        """What becomes of the gradient of a list of which a loop sets all places."""
        (name,), first, last = start.targets, users[0], users[-1]
        if len(users) != 2 or not self.is_end(last, name, of):
            return {}
        assert isinstance(last, ir.Assign)
        (target,) = last.targets
        is_first = self.users[target][0] is last
        end = () if is_first else (replace(last, value=ir.Name(name)),)
        name = target if is_first else name
        renamed = (replace(s, base=name) if isinstance(s, ir.Store) else s for s in setting)
        begun = tuple(self.empty(of, start, name))
        return {**self.unread(last), first: tuple(renamed), start: begun, last: end}

    def count(self, loop: ir.For) -> int | None:
        """How many numbers from 0 on a loop runs over, in any order."""
        made = self.bound(loop.iterable)
        if made is not None and made.function == "builtins.reversed":
            made = self.bound(made.args[0])
        match made:
            case ir.Call("builtins.range", (ir.Const(int() as count),), ()):
                return count
            case ir.Call("builtins.range", (ir.Name(id),), ()):
                size = broadcasting.size(self.owners.of(id))
                return size if isinstance(size, int) else None
        return None

    def bound(self, atom: ir.Atom) -> ir.Call | None:
        """The call that gives what a variable is bound to, if nothing else binds it."""
        if isinstance(atom, ir.Name):
            match [s for s in self.users.get(atom.id, ()) if atom.id in ir.writes(s)]:
                case [ir.Assign(value=ir.Call() as made, is_tuple=False)]:
                    return made
        return None

    def empty(self, of: ir.Name, start: ir.Assign, whole: str) -> Iterator[ir.Statement]:
        """`ws_bar = [None] * len(ws)`."""
        one, count = self.fresh.step(), self.fresh.step()
        for name, call in (
            (one, ir.Call("python.list", (ir.Const(None),))),
            (count, ir.Call("builtins.len", (of,))),
            (whole, ir.Call("operator.mul", (ir.Name(one), ir.Name(count)))),
        ):
            yield ir.Assign((name,), call, start.origin, ir.Role.ADJOINT)

    def taken(
        self,
        statement: ir.Statement,
        holder: ir.Assign | ir.Store,
        block: ir.Block,
        elements: tuple[Value, ...],
    ) -> Made:
        """A statement in which a part is held instead of added, if it has the right structure."""
        display = self.read_once(holder.value, statement, block)
        if _is_bound(display) and self.are_made(display, elements):
            return {display: self.owning(display, display, block), statement: (holder,)}
        if all(self.fits(statement, holder.value, each) for each in elements):
            return {statement: self.owning(holder, statement, block)}
        return {}

    def are_made(self, display: ir.Assign, elements: tuple[Value, ...]) -> bool:
        """Tells whether a statement makes gradients of elements of those of their parts."""
        assert isinstance(display.value, ir.Call)
        parts, function = _parts(display.value), display.value.function
        for element in elements:
            if not isinstance(element, Structure) or maker(element, self.constructor) != function:
                return False
            held = dict(items(element))
            is_whole = held.keys() == parts.keys()
            if not (is_whole and all(self.fits(display, parts[k], held[k]) for k in held)):
                return False
        return True

    def fits(self, reader: ir.Statement, atom: ir.Expression, of: Value) -> bool:
        """Tells whether an atom is a gradient in the structure of what it is of."""
        return not isinstance(atom, ir.Call | ir.Opaque) and is_structured(
            self.value(reader, atom), of
        )

    def value(self, reader: ir.Statement, atom: ir.Atom) -> Value:
        """What an atom is, also in statements that are new."""
        if isinstance(atom, ir.Name) and (reader, atom.id) not in self.typed.reads:
            return self.owners.of(self.named(atom.id))
        return self.typed.of(reader, atom)

    def named(self, name: str) -> str:
        """The variable whose other name one is."""
        match [s for s in self.users.get(name, ()) if name in ir.writes(s)]:
            case [ir.Assign(value=ir.Name(id))]:
                return id
        return name

    def owning(
        self, holder: ir.Assign | ir.Store, reader: ir.Statement, block: ir.Block
    ) -> ir.Block:
        """A statement that holds what another one reads, with copies of what others have, too."""
        steps: list[ir.Statement] = []

        def own(atom: ir.Atom) -> ir.Atom:
            value = self.value(reader, atom)
            is_tensor = isinstance(value, Array) and value.library != "numpy"
            is_changeable = isinstance(value, Array | Mapped | Object) and not is_tensor
            if not is_changeable or self.is_own(atom, reader, block):
                return atom
            call = ir.Call("numpy.array" if isinstance(value, Array) else COPY, (atom,))
            step = self.fresh.step()
            steps.append(ir.Assign((step,), call, holder.origin, ir.Role.ADJOINT))
            return ir.Name(step)

        if isinstance(holder, ir.Store):
            made: ir.Statement = replace(holder, value=own(holder.value))
        else:
            made = ir.rewritten(holder, atom=own)
        return (*steps, made)

    def is_own(self, atom: ir.Atom, reader: ir.Statement, block: ir.Block) -> bool:
        """Tells whether an atom is new in each pass, and nobody else has it."""
        made = self.read_once(atom, reader, block)
        if isinstance(made, ir.Assign) and isinstance(made.value, ir.Name):
            made = self.read_once(made.value, made, block)
        match made:
            case ir.Assign(value=ir.Call(function), is_tuple=False) if operations.gives_new(
                function
            ):
                return True
            case ir.Assign(targets, ir.Call() as call):
                value = self.value(reader, atom)
                others = {*targets, *ir.names(call.atoms)} - {*ir.names((atom,))}
                sites = places.sites_of(value)
                return is_told(value) and sites.isdisjoint(self.owners.sites(others))
        return False

    def read_once(
        self, atom: ir.Expression, reader: ir.Statement, block: ir.Block
    ) -> ir.Statement | None:
        """What binds a variable in a block that only one other statement reads, and once."""
        if not isinstance(atom, ir.Name) or reader not in block:
            return None
        if [*ir.reads(reader)].count(atom.id) != 1:
            return None
        before = [s for s in block[: block.index(reader)] if atom.id in ir.all_writes(s)]
        if not before or atom.id in self.live.after[reader]:
            return None
        between = block[block.index(before[-1]) + 1 : block.index(reader)]
        is_read = any(atom.id in ir.reads(s) for s in ir.walk(between))
        return None if is_read else before[-1]


def _gives_on(statement: ir.Statement, name: ir.Name) -> bool:
    """Tells whether a statement adds a gradient to a part of another one."""
    match statement:
        case ir.Assign(value=ir.Call(function, (base, index, part))) if function == ADD_AT:
            return part == name and name not in (base, index)
    return False


def _is_list(held: Value) -> bool:
    return isinstance(held, Sequence) and held.is_list and not held.is_once


def _is_bound(statement: ir.Statement | None) -> TypeGuard[ir.Assign]:
    """Tells whether a statement binds one variable to what a call gives."""
    match statement:
        case ir.Assign(value=ir.Call(), is_tuple=False):
            return True
    return False


def _parts(display: ir.Call) -> dict[object, ir.Atom]:
    """The parts that a display has, by index, key or name."""
    if display.function == "python.dict":
        keys = (key.value for key in display.args[::2] if isinstance(key, ir.Const))
        return dict(zip(keys, display.args[1::2], strict=False))
    return {**dict(enumerate(display.args)), **dict(display.keywords)}
