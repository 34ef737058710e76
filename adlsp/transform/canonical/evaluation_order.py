"""What `target += value` reads before it computes `value`, where that changes the target.

Python takes what is at the target first: `account.balance += account.charge(rate)` adds to what the
balance was before the charge. A store with an operator reads it last. Where the steps between may
set the same place, what they leave is kept under a name: `old = account.balance`, then the steps,
`old += value` and `account.balance = old`.

(The Python Language Reference, 7.2.1, Augmented assignment statements.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from adlsp.transform import arguments, ir
from adlsp.transform.facts import effects, operations
from adlsp.transform.facts.callees import Callees
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step

Place: TypeAlias = tuple[str, object]
"""A variable, and what its part is called that is meant; ALL are all of them."""

ALL = ...

READS = ("operator.getitem", ir.OPTION)


def ordered(function: ir.Function, known: Callees) -> ir.Function:
    """The function in which what an operator changes is read before what may set it."""
    if not any(map(_is_augmented, ir.walk(function.body))):
        return function
    rewriter = _Rewriter(function, known)
    body = rewriter.block(function.body)
    return replace(function, body=body) if rewriter.is_changed else function


def _is_augmented(statement: ir.Statement) -> bool:
    if not isinstance(statement, ir.Store) or statement.is_each or statement.is_assign:
        return False
    return targets.is_operator(statement.kind.operator)


def _key(index: ir.Atom | None) -> object:
    """What a part is called that is at an index; ALL where nobody knows, as from the end."""
    if isinstance(index, ir.Const) and isinstance(index.value, int | str):
        is_from_end = isinstance(index.value, int) and index.value < 0
        return ALL if is_from_end else index.value
    return ALL


class _Effects:
    """Which parts of their parameters functions may set."""

    def __init__(self, known: Callees) -> None:
        self.known = known
        self.found: dict[str, frozenset[Place]] = {}

    def of(self, function: ir.Function) -> frozenset[Place]:
        """The parts that a function may set; one that is being looked at sets none."""
        if function.dotted not in self.found:
            self.found[function.dotted] = frozenset()
            roots = _roots(function.body)
            names = {p.name for p in function.parameters}
            every = ir.with_unfolded(function.body)
            places = (place for s in every for place in self.set_by(s, roots))
            self.found[function.dotted] = frozenset(p for p in places if p[0] in names)
        return self.found[function.dotted]

    def set_by(self, statement: ir.Statement, roots: Mapping[str, Place]) -> Iterator[Place]:
        """The parts of variables that a statement may set."""
        match statement:
            case ir.Store(base=base, index=index):
                root, key = roots.get(base, (base, ALL))
                yield root, key if base in roots or index is None else self.first(index, roots)
            case ir.Do(value=ir.Call() as call) | ir.Assign(value=ir.Call() as call):
                changed = [*effects.written(call)]
                if ir.changes_first(call.function) or operations.changes_container(call.function):
                    changed += call.args[:1]
                for name in ir.names(changed):
                    yield roots.get(name, (name, ALL))
                yield from self.by_callee(call, roots)

    def first(self, index: ir.Atom, roots: Mapping[str, Place]) -> object:
        """What the first part is called on a way of several."""
        if isinstance(index, ir.Name) and index.id in roots:
            return roots[index.id][1]
        return _key(index)

    def by_callee(self, call: ir.Call, roots: Mapping[str, Place]) -> Iterator[Place]:
        """The parts of variables that a user's function may set, which a call goes to."""
        callee = self.known.definition(call.function)
        bound = None if callee is None else arguments.bind(callee, call)
        if callee is None or not isinstance(bound, dict):
            return
        for parameter, key in self.of(callee):
            for name in ir.names(arguments.atoms(bound[parameter])):
                yield roots.get(name, (name, key))


def _roots(block: ir.Block) -> dict[str, Place]:
    """Of which variable, and of which of its parts, others are parts, or other names.

    An index that is a way of several parts stands there as well, with the first.
    """
    found: dict[str, Place] = {}
    for statement in ir.with_unfolded(block):
        match statement:
            case ir.Assign((name,), ir.Call(ir.PATH, (first, *_))):
                found[name] = (name, _key(first))
            case ir.Assign((name,), ir.Call(function, (ir.Name(base), *rest)), is_tuple=False) if (
                function in READS
            ):
                found[name] = found.get(base, (base, _key(rest[0])))
            case ir.Assign((name,), ir.Call(function, (ir.Name(base),)), is_tuple=False) if (
                targets.is_attribute(function)
            ):
                found[name] = found.get(base, (base, targets.member(function)))
            case ir.Assign((name,), ir.Name(base), is_tuple=False):
                found[name] = found.get(base, (base, ALL))
            case ir.For(target=name, iterable=ir.Name(base)):
                found[name] = found.get(base, (base, ALL))
    return found


class _Rewriter:
    """Reads first what is to be read first."""

    def __init__(self, function: ir.Function, known: Callees) -> None:
        self.fresh, self.effects = ir.fresh(function), _Effects(known)
        self.roots = _roots(function.body)
        self.paths = {
            s.targets[0]: s.value.args
            for s in ir.walk(function.body)
            if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call)
            if s.value.function == ir.PATH
        }
        self.is_changed = False

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            again = ir.rewritten(statement, block=self.block)
            if isinstance(again, ir.Store) and _is_augmented(again):
                steps = self.steps(made, again)
                if (at := self.conflict(steps, again)) is not None:
                    made[len(made) - len(steps) + at :] = self.apart(steps[at:], again)
                    self.is_changed = True
                    continue
            made.append(again)
        return tuple(made)

    def steps(self, made: list[ir.Statement], store: ir.Store) -> list[ir.Statement]:
        """The steps of the statement that a store ends, behind those of its place."""
        found: list[ir.Statement] = []
        place = {*ir.names(() if store.index is None else (store.index,))}
        place |= {store.base} if isinstance(store.base, Step) else set()
        for step in reversed(made):
            if step.origin != store.origin or not place.isdisjoint(ir.writes(step)):
                break
            found.insert(0, step)
        return found

    def conflict(self, steps: list[ir.Statement], store: ir.Store) -> int | None:
        """Which of the steps is the first that may set what the store has read before."""
        base, index = store.base, store.index
        root, key = self.roots.get(base, (base, ALL))
        if base not in self.roots and index is not None:
            key = self.effects.first(index, self.roots)
        for at, step in enumerate(steps):
            for inner in ir.with_unfolded((step,)):
                if base in ir.writes(inner) and not isinstance(inner, ir.Store):
                    return at
                if index is None:  # an array is the same one still
                    continue
                for other, part in self.effects.set_by(inner, self.roots):
                    if other == root and (key == part or ALL in (key, part)):
                        return at
        return None

    def apart(self, steps: list[ir.Statement], store: ir.Store) -> list[ir.Statement]:
        """The steps with what the store reads before them, and what it sets behind them."""
        origin, role = store.origin, store.role
        old, before = self.fresh.own("old"), list[ir.Statement]()
        read: ir.Expression = ir.Name(store.base)
        index = store.index
        path: tuple[ir.Atom, ...] = () if index is None else (index,)
        if isinstance(index, ir.Name):
            path = self.paths.get(index.id, path)
        for part in path:
            if not isinstance(read, ir.Name):
                step = self.fresh.step()
                before.append(ir.Assign((step,), read, origin, role))
                read = ir.Name(step)
            read = ir.Call("operator.getitem", (read, part), (), store.span)
        before.append(ir.Assign((old,), read, origin, role))
        changed = replace(store, base=old, index=None)
        if store.index is None:
            after: ir.Statement = ir.Assign((store.base,), ir.Name(old), origin, role)
        else:
            after = replace(store, value=ir.Name(old), kind=ir.REPLACE)
        return [*before, *steps, changed, after]
