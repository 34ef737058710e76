"""Calls that change their arguments: the callee gives back what it has changed.

Arguments are passed by copy-in, copy-out, as compilers for Fortran say. `step(u, dt)`, which writes
into `u`, becomes `u = step(u, dt)`: of a callee that works on a copy of `u` and returns it. So an
effect is a result like any other, and needs nothing else to be differentiated. It is done where
nobody else has `u` under another name; where somebody has, the new values are stored into the old
array, and it is a store like any other.

Such a callee is named by a `CopyOut`, which tells what it gives: the changed `u`, or its result and
then the changed `u` and `v`, or its result only, where nobody looks at `u` any more.

What a function with a result changes only by `u += v` may be a number, which that leaves alone. It
gives back what its caller sees: the changed array, or the number that it was given. What it changes
of `u[order]` is put back into `u` only if that shares memory with it: a copy, which integers in an
array select, is nobody's, and neither is a slice of a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from adlsp.transform import arguments, ir
from adlsp.transform.canonical import view_write_back
from adlsp.transform.facts import (
    aliases,
    containers,
    indices,
    iteration,
    operations,
)
from adlsp.transform.facts.callees import Callees, Changing
from adlsp.transform.ir.targets import CopyOut, Gives
from adlsp.transform.ir.variables import Step, readable
from adlsp.transform.source import Span

RUNTIME = "adlsp.runtime"


def changed_parameters(function: ir.Function, known: Callees) -> tuple[str, ...]:
    """The parameters into whose arrays a function stores; none where it does more than that.

    This is its mod set. What is bound again, nobody can give back, nor what a generator changes as
    it goes.
    """
    if iteration.generates(function):
        return ()
    facts = known.facts(function).aliases()
    stored: set[str] = set()
    others: set[str] = set()
    for statement in ir.walk(function.body):
        is_store = isinstance(statement, ir.Store) or _calls(statement, known)
        for name in aliases.changed(statement, known):
            (stored if is_store else others).update(facts.parameters(statement, name))
        if not isinstance(statement, ir.Store):
            others.update(ir.writes(statement))
    names = tuple(p.name for p in function.parameters if p.name in stored)
    return () if others & set(names) else names


def doubtful(function: ir.Function, known: Callees) -> frozenset[str]:
    """The parameters that a function with a result changes only by `x += v`: they may be numbers.

    In one that gives nothing only an array can be meant; derivatives make sure of it.
    """
    return frozenset() if function.gives_nothing else known.numbers(function)


def with_copy_out(
    function: ir.Function, changed: tuple[str, ...], doubtful: frozenset[str]
) -> ir.Function:
    """The function that returns what it has changed, behind its own result if it has one."""
    last = function.body[-1]
    assert isinstance(last, ir.Return)
    fresh = ir.fresh(function)
    first: list[ir.Statement] = []
    at_end: list[ir.Statement] = []
    given: list[ir.Atom] = []
    for name in changed:
        given.append(ir.Name(name))
        if name in doubtful:
            called = readable(name)
            kept, is_array = fresh.own(f"{called}_number"), fresh.own(f"{called}_is_array")
            for target, asked in (kept, "number_of"), (is_array, "is_array"):
                call = ir.Call(f"{RUNTIME}.{asked}", (ir.Name(name),))
                first.append(ir.Assign((target,), call, function.origin))
            seen = ir.Call(f"{RUNTIME}.seen", (ir.Name(name), ir.Name(kept), ir.Name(is_array)))
            given[-1] = ir.Name(now := fresh.step())
            at_end.append(ir.Assign((now,), seen, last.origin))
    gives = Gives.CHANGED
    if last.value not in (ir.Const(None), *given[: len(given) == 1]):
        gives, given = Gives.CALLED, [last.value, *given]
    called = CopyOut(gives, changed, function.dotted)
    function = replace(function, body=(*first, *function.body[:-1], *at_end, last))
    made = ir.returning(function, tuple(given), "results")
    if len(given) == 1:
        *before_end, _, end = made.body
        made = replace(made, body=(*before_end, ir.Return(given[0], end.origin)))
    return replace(made, called=called)


def without_effects(function: ir.Function, changed: tuple[str, ...]) -> ir.Function:
    """The function that returns its own result, and changes nothing of its caller's."""
    return replace(function, called=CopyOut(Gives.UNSEEN, changed, function.dotted))


def as_copies(
    function: ir.Function, parts: tuple[frozenset[str | ir.Global], ...]
) -> tuple[frozenset[str | ir.Global], ...]:
    """What the results of a callee share memory with, less its own copies of what it changes."""
    called = function.copy_out
    if called is None or called.gives is not Gives.CHANGED:
        return parts
    pairs = zip(parts, called.changed, strict=True)
    return tuple(names - {own} if len(names) == 1 else names for names, own in pairs)


def copied_out(function: ir.Function, known: Callees) -> ir.Function:
    """The function with calls that give back what they change."""
    if not any(known.changing(call) for _, call in _all_calls(function)):
        return function
    rewriter = _Rewriter(function, known)
    return replace(function, body=rewriter.block(function.body))


def _call(statement: ir.Statement) -> ir.Call | None:
    match statement:
        case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
            return call
    return None


def _all_calls(function: ir.Function) -> Iterator[tuple[ir.Statement, ir.Call]]:
    for statement in ir.walk(function.body):
        call = _call(statement)
        if call is not None:
            yield statement, call


def _calls(statement: ir.Statement, known: Callees) -> bool:
    call = _call(statement)
    return call is not None and bool(known.changed(call))


class _Rewriter:
    def __init__(self, function: ir.Function, known: Callees) -> None:
        self.known = known
        self.own = known.facts(function)
        self.facts, self.live = self.own.aliases(scalar_elements=False), self.own.live.after
        self.containers = {
            name
            for statement in ir.walk(function.body)
            if containers.makes_container(statement)
            for name in ir.writes(statement)
        }
        inferred = self.own.inferred
        self.held_arrays = frozenset[str]() if inferred is None else inferred.whole_arrays()
        self.fresh = ir.fresh(function)
        self.parts: dict[str, tuple[ir.Assign, ir.Call]] = {}
        self.whole, self.numbered, self.indices = function, self.own.versions, self.own.indices
        self.selected: set[str] = set()

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            match statement:
                case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                    changing = self.known.changing(call)
                    if changing is None or not self.is_clear(statement, changing):
                        made.append(statement)
                    elif changing.unseen is not None and not self.is_seen(statement, changing):
                        called = replace(changing.call, function=changing.unseen.dotted)
                        made.append(replace(statement, value=called))
                    else:
                        made += self.given_back(statement, changing.call, changing)
                case ir.Assign():
                    made.append(statement)
                case _:
                    self.parts = {}
                    made.append(ir.rebuilt(statement, block=self.block))
            self.note(statement)
        return tuple(made)

    def note(self, statement: ir.Statement) -> None:
        """Notes a step that is a part of an array; forgets them where an index may change."""
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call("operator.getitem") as item) if (
                isinstance(target, Step)
            ):
                self.parts[target] = statement, item
                index = item.args[1]
                if not (self.indices.is_basic(statement, index) or indices.is_key(index)):
                    self.selected.add(target)
                if self.indices.is_slice(statement, index) and not self.is_array(item.args[0]):
                    self.selected.add(target)
            case ir.Assign() if all(isinstance(name, Step) for name in ir.writes(statement)):
                pass
            case _:
                self.parts = {}

    def is_array(self, owner: ir.Atom) -> bool:
        """Tells whether a variable is surely an array."""
        return isinstance(owner, ir.Name) and owner.id in self.arrays

    @cached_property
    def arrays(self) -> frozenset[str]:
        """The variables that are surely arrays, or numbers."""
        return self.own.arrays()

    def is_alone(self, statement: ir.Statement, changing: Changing) -> bool:
        """Tells whether each array that changes is passed once, and no part of it besides.

        Of two parts of one array the program makes sure that they are not the same.
        """
        for parameter in changing.changed:
            atom = changing.bound[parameter]
            if not isinstance(atom, ir.Name):
                return False
            if self.facts.is_of_module(statement, atom.id):
                return False
            shared = {atom.id, *self.facts.shared(statement, atom.id)}
            others = self.beside(parameter, changing) & shared
            if not all(self.are_parts(atom.id, other) for other in others):
                return False
        return True

    def beside(self, parameter: str, changing: Changing) -> set[str]:
        """The variables that a call gives to other parameters."""
        others = (a for p, a in changing.bound.items() if p != parameter)
        return {name for a in others for name in ir.names(arguments.atoms(a))}

    def are_parts(self, one: str, other: str) -> bool:
        """Tells whether two steps are parts of one array, `A[i]` and `A[j]`."""
        owners = {self.owner(one), self.owner(other)}
        return one != other and len(owners) == 1 and None not in owners

    def owner(self, name: str) -> ir.Atom | None:
        """The array or container that a step is a part of."""
        return self.parts[name][1].args[0] if name in self.parts else None

    def is_clear(self, statement: ir.Statement, changing: Changing) -> bool:
        """Tells whether a call can give back what it changes."""
        is_held = changing.unseen is not None and self.is_in_container(changing)
        is_put_back = not self.has_other_names(statement, changing)
        is_array = not any(self.is_kept(statement, p, changing) for p in changing.changed)
        is_clear = self.is_alone(statement, changing) and is_put_back and is_array and not is_held
        return is_clear and not self.is_named_again(statement, changing)

    def is_named_again(self, statement: ir.Statement, changing: Changing) -> bool:
        """Tells whether a result is another name of what changes, which a copy would not be."""
        if not isinstance(statement, ir.Assign):
            return False
        shared = {a for part in self.known.sharing(changing.call) or () for a in part}
        changed = (changing.bound[parameter] for parameter in changing.changed)
        return any(
            atom in shared and bool(self.taken(statement, atom.id, None)[1])
            for atom in changed
            if isinstance(atom, ir.Name)
        )

    def is_kept(self, statement: ir.Statement, parameter: str, changing: Changing) -> bool:
        """Tells whether others hold a container that changes: nothing can be stored over that."""
        atom = changing.bound[parameter]
        if not isinstance(atom, ir.Name) or atom.id in self.parts:
            return False
        _, stored = self.taken(statement, atom.id, None)
        inferred = self.own.inferred
        version = self.numbered.reads.get((statement, atom.id))
        is_container = containers.kind_of(version, self.numbered) is not None
        is_container |= inferred is not None and inferred.has_parts(statement, atom.id)
        is_container |= parameter in containers.changed_inside(
            changing.function
        ) and self.is_attribute(statement, atom)
        changed = self.known.facts(changing.function)
        return bool(stored) and (is_container or containers.sets_entries(changed, parameter))

    def is_attribute(self, statement: ir.Statement, atom: ir.Name) -> bool:
        """Tells whether an object has something by a name, of which nothing is known."""
        match self.indices.definition(statement, atom):
            case ir.Call(function) if function.startswith("attribute."):
                return operations.of(function).view is None
        return False

    def has_other_names(self, statement: ir.Statement, changing: Changing) -> bool:
        """Tells whether another name looks at a part of a container that gets another array."""
        for parameter in changing.changed:
            for name in ir.names(arguments.atoms(changing.bound[parameter])):
                base = self.container(name)
                others = self.facts.shared(statement, name) & self.live[statement]
                if base and any(other != base for other in others - {name}):
                    return True
        return False

    def container(self, name: str) -> str:
        """The container of the function's own that a step is a part of; "" if there is none."""
        base = self.owner(name)
        return base.id if isinstance(base, ir.Name) and base.id in self.containers else ""

    def tuple_of(self, name: str) -> str:
        """The tuple of the function's own that a step is a part of; "" if there is none."""
        match self.parts.get(name):
            case (read, ir.Call(args=(ir.Name(id), _))) if containers.is_tuple(
                self.numbered.reads.get((read, id)), self.numbered
            ):
                return id
        return ""

    def is_own(self, part: str, holder: str, *, is_changed_inside: bool) -> bool:
        """Tells whether the cells of a container surely hold different objects."""
        read, _ = self.parts[part]
        return containers.holds_each_once(
            self.own, read, holder, 1, n_given=1, is_changed_inside=is_changed_inside
        )

    def is_in_container(self, changing: Changing) -> bool:
        """Tells whether what may be a number is an element of a container of the function's own.

        It is taken for one, as another name may hold the element; derivatives make sure of it.
        """
        return any(
            self.container(name)
            for parameter in changing.changed
            for name in ir.names(arguments.atoms(changing.bound[parameter]))
        )

    def is_seen(self, statement: ir.Assign | ir.Do, changing: Changing) -> bool:
        """Tells whether something that a call changes is looked at by anybody afterwards."""
        known = self.live[statement] - {*ir.writes(statement)}
        for parameter in changing.changed:
            for name in ir.names(arguments.atoms(changing.bound[parameter])):
                others = self.facts.shared(statement, name) & known
                others |= self.facts.parameters(statement, name)
                if name in known or others:
                    return True
        return False

    def given_back(
        self, statement: ir.Assign | ir.Do, call: ir.Call, changing: Changing
    ) -> list[ir.Statement]:
        """The call with what it changes among its results, and what becomes of these."""
        origin, role = statement.origin, statement.role
        has_result = changing.has_own_result
        made: list[ir.Statement] = []
        targets: list[str] = []
        for parameter in changing.changed:
            atom = changing.bound[parameter]
            assert isinstance(atom, ir.Name)
            target, stored = self.taken(statement, atom.id, call.span)
            targets.append(target)
            owner = self.owner(atom.id)
            if owner is not None and atom.id in self.selected:
                stored = self.if_shared(atom, owner, stored)
            made += self.if_array(atom, stored) if parameter in changing.doubtful else stored
        if isinstance(statement, ir.Assign):
            result, binding = self.result(statement, targets, changing)
            made = binding + made
            if has_result:
                targets.insert(0, result)
        elif has_result:
            targets.insert(0, self.fresh.step())
        before, handed = self.apart(statement, call, changing)
        handed = replace(handed, function=changing.function.dotted)
        is_tuple = len(targets) > 1
        assigned = ir.Assign(tuple(targets), handed, origin, role, is_tuple=is_tuple)
        return [*before, assigned, *made]

    def apart(
        self, statement: ir.Assign | ir.Do, call: ir.Call, changing: Changing
    ) -> tuple[list[ir.Statement], ir.Call]:
        """The call with guards where it gets two parts of one array, of which it changes one."""
        before: list[ir.Statement] = []
        seen: set[str] = set()
        for parameter in changing.changed:
            changed = changing.bound[parameter]
            assert isinstance(changed, ir.Name)
            seen.add(changed.id)
            beside = self.beside(parameter, changing) - seen
            parts = sorted(other for other in beside if self.are_parts(changed.id, other))
            guards = [("unshared", other) for other in parts]
            holder = self.container(changed.id) or self.tuple_of(changed.id)
            is_inside = parameter in containers.changed_inside(changing.function) or any(
                isinstance(inner.function, CopyOut) for _, inner in _all_calls(changing.function)
            )
            if holder and not self.is_own(changed.id, holder, is_changed_inside=is_inside):
                guards.append(("alone", holder))
            for guard, other in guards:
                step = ir.Name(self.fresh.step())
                made = ir.Call(f"{RUNTIME}.{guard}", (changed, ir.Name(other)))
                before.append(ir.Assign((step.id,), made, statement.origin, statement.role))
                args = tuple(step if a == changed else a for a in call.args)
                keywords = tuple((k, step if a == changed else a) for k, a in call.keywords)
                call, changed = replace(call, args=args, keywords=keywords), step
        return before, call

    def taken(
        self, statement: ir.Statement, name: str, span: Span | None
    ) -> tuple[str, list[ir.Statement]]:
        """What the changed array is bound to, and the store into the old one where it is needed."""
        others = self.facts.shared(statement, name) & self.live[statement]
        others |= self.facts.parameters(statement, name) - {name}
        if not others - {name}:
            is_read = not isinstance(name, Step) or name in self.live[statement]
            return (name if is_read else self.fresh.step()), []
        target = self.fresh.step()
        base: ir.Name = ir.Name(name)
        index: ir.Atom = ir.Const(...)
        origin, role = statement.origin, statement.role
        inside: list[ir.Statement] = []
        match self.parts.get(name):
            case (_, ir.Call(args=(ir.Name() as array, place))):
                base, index = array, place
                is_held = view_write_back.is_attribute(place)
                is_held = is_held and name in self.held_arrays
                if self.tuple_of(name) or is_held:
                    path = ir.Call(ir.PATH, (place, ir.Const(...)))
                    index = ir.Name(self.fresh.step())
                    inside.append(ir.Assign((index.id,), path, origin, role))
        is_cell = not inside and self.container(name)
        kind = ir.StoreKind.SET if is_cell else ir.StoreKind.REPLACE
        store = ir.Store(base.id, index, ir.Name(target), kind, origin, role, span)
        return target, [*inside, store]

    def if_array(self, atom: ir.Name, stored: list[ir.Statement]) -> list[ir.Statement]:
        """A store that is made only where there is an array; there may be none."""
        function, kinds = view_write_back.IS_ARRAY
        return self.where(ir.Call(function, (atom, *kinds)), stored)

    def if_shared(
        self, part: ir.Name, owner: ir.Atom, stored: list[ir.Statement]
    ) -> list[ir.Statement]:
        """A store that is made only where a part of an array is no copy."""
        return self.where(ir.Call(f"{RUNTIME}.is_part", (part, owner)), stored)

    def where(self, asked: ir.Call, stored: list[ir.Statement]) -> list[ir.Statement]:
        """A store that is made where the program says yes; there may be none."""
        if not stored:
            return []
        test, origin = self.fresh.step(), stored[0].origin
        decision = ir.If(ir.Name(test), tuple(stored), (), origin)
        return [ir.Assign((test,), asked, origin), decision]

    def result(
        self, statement: ir.Assign, targets: list[str], changing: Changing
    ) -> tuple[str, list[ir.Statement]]:
        """What the callee's own result is bound to, and how the statement's targets get it."""
        has_result = changing.has_own_result
        first, is_one = statement.targets[0], not statement.is_tuple
        if has_result:
            if is_one and first not in targets:
                return first, []
            packed = self.fresh.step("results")
            return packed, [replace(statement, value=ir.Name(packed))]
        if changing.has_result and is_one and first == targets[0]:
            return first, []
        value = ir.Name(targets[0]) if changing.has_result else ir.Const(None)
        return first, [replace(statement, value=value)]
