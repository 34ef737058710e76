"""Writes through a name for a part of an array: `row = A[i]`, then `row += v` or `row[j] = v`.

Views are written back, as in PyTorch's functionalization. Such a name becomes a copy, and what is
written into it is put into its place in the array at once: `row = A[i].copy()`, `row += v`,
`A[i] = row`. So one store has one place. Where `A[i]` may be a number, which `row += v` leaves
alone in `A`, the program decides. It is done where nobody else writes into the array, or looks at
it by another name, as long as the copy is used; elsewhere the legality checks say what prevents a
derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import repeat

from adlsp.transform import ir
from adlsp.transform.facts import (
    callees,
    containers,
    effects,
    elements,
    indices,
    operations,
)
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import StoreKind
from adlsp.transform.ir.variables import Step
from adlsp.transform.ops.spec import Kind

IS_ARRAY = ("builtins.isinstance", (ir.Global("numpy.ndarray"),))
"""The test for an array, and its arguments behind the first."""


def of_root(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The function in which names for parts of arrays that are written into are copies."""
    return _rewritten(function, known, lambda _: True)


def of_callee(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The same, but for what may be a number of an array of the caller's.

    There derivatives make sure of it, as a callee has no way to leave the change to the program.
    """
    return _rewritten(function, known, lambda choice: choice.is_known)


def _rewritten(
    function: ir.Function, known: callees.Callees, is_wanted: Callable[[_Part], bool]
) -> ir.Function:
    stored = {
        s.base
        for s in ir.walk(function.body)
        if isinstance(s, ir.Store) and not (ir.resizes(s) or isinstance(s.base, Step))
    }
    stored -= {  # variables of TensorFlow's, into which nothing is put by an index
        s.base for s in ir.walk(function.body) if isinstance(s, ir.Store) and s.is_assign
    }
    reads = [
        statement
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign) and _part(statement) and statement.targets[0] in stored
    ]
    if not reads:
        return function
    chosen = _Choice(function, known)
    clear = {
        read: chosen.is_element(read)
        for read in reads
        if is_wanted(_Part(chosen, read)) and chosen.is_clear(read)
    }
    return _Rewriter(function, known, clear).function if clear else function


@dataclass(frozen=True, slots=True)
class _Part:
    """A name for a part of an array."""

    choice: _Choice
    read: ir.Assign

    @property
    def is_known(self) -> bool:
        """Tells whether the array is no parameter, or the part surely an array."""
        return not self.choice.may_be_number(self.read)


def _part(statement: ir.Assign) -> tuple[ir.Name, ir.Atom] | None:
    """The `A` and `i` of `row = A[i]`."""
    match statement:
        case ir.Assign((target,), ir.Call("operator.getitem", (ir.Name() as owner, index))) if (
            not statement.is_tuple and not isinstance(target, Step)
        ):
            return owner, index
    return None


class _Choice:
    """Decides which names may become copies."""

    def __init__(self, function: ir.Function, known: callees.Callees) -> None:
        self.function = function
        self.known = known
        self.facts = facts = known.facts(function)
        self.numbered, self.indices, self.live = facts.versions, facts.indices, facts.live.after
        self.shared = facts.aliases(scalar_elements=False)
        self.arrays = elements.changed_for_others(facts)

    def is_clear(self, read: ir.Assign) -> bool:
        """Tells whether, as long as a name for a part is used, only it writes into the array."""
        part = _part(read)
        assert part is not None
        owner, index = part
        (name,) = read.targets
        block = next(b for b in ir.nested(self.function.body) if read in b)
        rest = block[block.index(read) + 1 :]
        seen = _made_of(rest, name)
        used = [s for s in rest if any(self.is_used(i, name, seen) for i in ir.walk((s,)))]
        is_place = self.indices.is_basic(read, index) or indices.is_key(index)
        if not used or not is_place or owner.id == name or self.is_of_list(read):
            return False
        if any(map(_is_of_numbers, used, repeat(name))) or self.is_bound_anew(read, name):
            return False
        region = rest[: rest.index(used[-1]) + 1]
        if name in self.live[region[-1]] or name in {p.name for p in self.function.parameters}:
            return False
        if self.changes_held(region, name) or self.changes_no_array(region, read, owner):
            return False
        fixed = {owner.id, *self.sources(read, index)}
        for statement in ir.walk(region):
            if fixed.intersection(ir.writes(statement)) or name in _bound(statement):
                return False
            if not {owner.id, name}.isdisjoint(self.overwritten(statement, owner)):
                return False
            if self.is_seen_inside(statement, name):
                return False
            if not isinstance(statement, ir.Store):
                continue
            if statement.base != name:
                if statement.base in seen and self.is_used(statement, name, {statement.base}):
                    return False
                continue
            if (
                not statement.kind.replaces
                and statement.index
                and not self.is_of_its_own(read, owner)
            ):
                return False
            others = self.shared.shared(statement, name) & self.live[statement]
            if any(not self.is_count(statement, n) for n in others - {owner.id, name}):
                return False
        return True

    def is_used(self, statement: ir.Statement, name: str, seen: set[str]) -> bool:
        """Tells whether a statement reads or changes what a name holds, perhaps by another view."""
        mentioned = seen.intersection((*ir.reads(statement), *ir.writes(statement)))
        return name in mentioned or any(
            name in self.shared.shared(statement, other) for other in mentioned
        )

    def overwritten(self, statement: ir.Statement, owner: ir.Name) -> Iterator[str]:
        """The variables whose arrays a statement changes that is no store.

        What it gives back of parts of the `owner` can be put into their places.
        """
        for name, cause in effects.changes(statement, self.known):
            is_callees = cause is effects.Cause.BODY
            if cause in effects.UNCOPIED or (is_callees and name not in self.parts(owner)):
                yield from {name, *self.shared.shared(statement, name)}
            elif cause is effects.Cause.TOLD or (is_callees and not self.gives_back(statement)):
                yield name

    def is_seen_inside(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a call changes what a name holds, and is given it by another name, too."""
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                given, changed = ir.names(call.atoms), ir.names(self.known.changed(call))
                shared = self.shared.shared(statement, name)
                return name in changed and not shared.isdisjoint(set(given) - {name})
        return False

    def parts(self, owner: ir.Name) -> set[str]:
        """The names of parts of an array."""
        reads = (s for s in ir.walk(self.function.body) if isinstance(s, ir.Assign))
        return {
            name
            for read in reads
            if isinstance(read.value, ir.Call) and read.value.function == "operator.getitem"
            if read.value.args[0] == owner
            for name in read.targets
        }

    def gives_back(self, statement: ir.Statement) -> bool:
        """Tells whether a statement calls what gives back what it changes."""
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                return self.known.changing(call) is not None
        return False

    def is_of_its_own(self, read: ir.Assign, owner: ir.Name) -> bool:
        """Tells whether `row[j] += v` changes nothing else that a container of the function holds.

        What is in its rows may be one array, which they all hold.
        """
        version = self.numbered.reads.get((read, owner.id))
        return not containers.kind_of(version, self.numbered) or (
            containers.holds_each_once(self.facts, read, owner.id, 2)
        )

    def is_of_list(self, read: ir.Assign) -> bool:
        """Tells whether a part is surely a slice of a list, which is a list of its own."""
        made = self.numbered.writes.get((read, read.targets[0]))
        return bool(containers.kind_of(made, self.numbered))

    def is_bound_anew(self, read: ir.Assign, name: str) -> bool:
        """Tells whether a part is surely a tuple, whose name `row += v` binds to something else."""
        inferred = self.facts.inferred
        stores = [s for s in ir.walk(self.function.body) if isinstance(s, ir.Store)]
        is_whole = all(s.index is None for s in stores if s.base == name)
        return inferred is not None and is_whole and inferred.makes_tuple(read, name)

    def changes_held(self, region: ir.Block, name: str) -> bool:
        """Tells whether what a list holds is changed, which is what other lists hold, too."""
        inferred = self.facts.inferred
        if inferred is None or name not in inferred.containers():
            return False
        stores = [s for s in ir.walk(region) if isinstance(s, ir.Store)]
        return any(
            self.indices.is_path(store, store.index)
            if store.base == name
            else name in self.shared.shared(store, store.base)
            for store in stores
        )

    def changes_no_array(self, region: ir.Block, read: ir.Assign, owner: ir.Name) -> bool:
        """Tells whether a call changes a part that may be a list, dictionary or object itself.

        Only arrays are put back where they may be numbers.
        """
        (name,) = read.targets
        calls = (s.value for s in ir.walk(region) if isinstance(s, ir.Assign | ir.Do))
        changed = (self.known.changed(call) for call in calls if isinstance(call, ir.Call))
        if all(name not in ir.names(each) for each in changed):
            return False
        if (inferred := self.facts.inferred) is not None:
            return name not in inferred.whole_arrays()
        version = self.numbered.reads.get((read, owner.id))
        return bool(containers.kind_of(version, self.numbered))

    def may_be_number(self, read: ir.Assign) -> bool:
        """Tells whether what is read from a caller's array, and changed, may be a number."""
        part = _part(read)
        assert part is not None
        stores = [s for s in ir.walk(self.function.body) if isinstance(s, ir.Store)]
        is_whole = any(s.base in read.targets and s.index is None for s in stores)
        is_seen = self.arrays.isdisjoint(read.targets)
        return is_whole and is_seen and bool(self.shared.parameters(read, part[0].id))

    def is_element(self, read: ir.Assign) -> bool:
        """Tells whether a part is one element, be it a row; a slice of a list would be a copy."""
        part = _part(read)
        assert part is not None
        return self.indices.is_integer(read, part[1]) or indices.is_key(part[1])

    def is_count(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable holds an integer, or a range of them."""
        version = self.numbered.before[statement].get(name)
        match None if version is None else version.statement:
            case ir.Assign(value=ir.Call(function)) if operations.gives(function, Kind.RANGE):
                return True
        return version is not None and self.indices.is_count(version)

    def sources(self, reader: ir.Statement, atom: ir.Atom) -> set[str]:
        """The variables that an index is made of."""
        if not isinstance(atom, ir.Name):
            return set()
        made = self.indices.source(reader, atom)
        if not isinstance(atom.id, Step) or not isinstance(made, ir.Assign):
            return {atom.id}
        parts = (ir.Name(n) for n in ir.expression_reads(made.value))
        return {atom.id}.union(*(self.sources(made, part) for part in parts))


def _is_of_numbers(statement: ir.Statement, name: str) -> bool:
    """Tells whether a statement does with a variable what is done with numbers only."""
    for inner in ir.walk((statement,)):
        match inner:
            case ir.Assign(value=ir.Call(function=function, args=args)) if ir.Name(name) in args:
                if operations.takes_numbers(function) or operations.of(function).compares:
                    return True
            case ir.If(test=test) | ir.While(test=test) if test == ir.Name(name):
                return True
    return False


def _giving_tuples(function: ir.Function, known: callees.Callees) -> frozenset[str]:
    """The functions that are called there and give tuples, or lists, by what their rules say."""
    called = {
        s.value.function
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call)
    }
    rules = ((name, known.rule(name)) for name in called)
    giving = {name for name, rule in rules if rule is not None and rule.gives_parts}
    giving |= {name for name in called if operations.of(name).gives_several}
    return frozenset(giving) - {"operator.getitem"}


def is_attribute(index: ir.Atom) -> bool:
    """Tells whether a part is what an attribute holds: another array there would have two names."""
    return isinstance(index, ir.Const) and isinstance(index.value, ir.Attribute)


def _bound(statement: ir.Statement) -> tuple[str, ...]:
    """The variables that a statement binds; a store into an array binds none."""
    return () if isinstance(statement, ir.Store) else ir.writes(statement)


def _made_of(block: ir.Block, name: str) -> set[str]:
    """A variable, and those that a block makes of it."""
    found = {name}
    for statement in ir.walk(block):
        if isinstance(statement, ir.Assign | ir.For) and not found.isdisjoint(ir.reads(statement)):
            found.update(ir.writes(statement))
    return found


class _Rewriter:
    """Makes copies of parts, and puts back what is written into them.

    `chosen` tells of each part whether it is one element, in which others can be set one by one.
    """

    def __init__(
        self, function: ir.Function, known: callees.Callees, chosen: dict[ir.Assign, bool]
    ) -> None:
        self.fresh, self.known = ir.fresh(function), known
        self.facts = facts = known.facts(function)
        self.numbered, self.indices = facts.versions, facts.indices
        self.of_tuples = _giving_tuples(function, known)
        self.lent = {p.name for p in function.parameters} - facts.arrays()
        self.chosen = chosen
        self.parts: dict[str, ir.Assign] = {}
        self.function = replace(function, body=self.block(function.body))

    def block(self, block: ir.Block) -> ir.Block:
        """A block; what a name in it is a part of, it is not behind it, or in another branch."""
        around = dict(self.parts)
        made = self.inside(block)
        self.parts = {n: read for n, read in around.items() if self.parts.get(n) is read}
        return made

    def inside(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            if isinstance(statement, ir.Assign) and statement in self.chosen:
                (name,) = statement.targets
                self.parts[name] = statement
                element = self.fresh.step()
                made.append(replace(statement, targets=(element,)))
                if (owner := self.doubtful(statement)) is not None:
                    args, element = (ir.Name(element), owner), self.fresh.step()
                    alone = ir.Call("adlsp.runtime.alone", args)
                    made.append(replace(statement, targets=(element,), value=alone))
                copied = ir.Call("adlsp.runtime.part", (ir.Name(element),))
                made.append(replace(statement, value=copied))
                continue
            for name in _bound(statement):
                self.parts.pop(name, None)
            rebuilt = ir.rebuilt(statement, block=self.block)
            if isinstance(statement, ir.Store) and statement.base in self.parts:
                made += self.put_back(statement, rebuilt)
                continue
            made.append(rebuilt)
            if isinstance(statement, ir.Assign | ir.Do) and isinstance(statement.value, ir.Call):
                for name in ir.names(self.known.changed(statement.value)):
                    if name in self.parts:
                        kind, span = StoreKind.REPLACE, statement.value.span
                        whole = ir.Store(name, None, ir.Const(...), kind, statement.origin)
                        made += self.put_back(replace(whole, span=span))
        return tuple(made)

    def put_back(self, store: ir.Store, *change: ir.Statement) -> list[ir.Statement]:
        """The store into the array, after that into the copy, which may be a number before."""
        read, origin = self.parts[store.base], store.origin
        part = _part(read)
        assert part is not None
        owner, index = part
        if store.index is None or not self.chosen[read]:
            function, kinds = IS_ARRAY
            test, args = self.fresh.step(), (ir.Name(store.base), *kinds)
            inside: ir.Block = ()
            if self.is_of_tuple(read) or is_attribute(index):
                both = ir.Call(ir.PATH, (index, ir.Const(...)))
                index = ir.Name(self.fresh.step())
                inside = (ir.Assign((index.id,), both, origin),)
            kind = StoreKind.REPLACE if inside else self.kind(read)  # or it stays the same array
            whole = ir.Store(owner.id, index, ir.Name(store.base), kind, origin, span=store.span)
            return [
                ir.Assign((test,), ir.Call(function, args), origin),
                *change,
                ir.If(ir.Name(test), (*inside, whole), (), origin),
            ]
        path, value = self.fresh.step(), ir.Name(store.base)
        inner = self.indices.path(store, store.index)
        if not any(map(indices.is_key, inner)):  # of arrays they are one index
            inner = (store.index,)
        steps: list[ir.Statement] = [
            ir.Assign((path,), ir.Call(ir.PATH, (index, *inner)), origin),
        ]
        for each in inner:
            item, value = ir.Call("operator.getitem", (value, each)), ir.Name(self.fresh.step())
            steps.append(ir.Assign((value.id,), item, origin))
        kind = StoreKind.REPLACE
        stored = ir.Store(owner.id, ir.Name(path), value, kind, origin, span=store.span)
        return [*change, *steps, stored]

    def doubtful(self, read: ir.Assign) -> ir.Name | None:
        """The container of its own that a function takes a part of, if it may hold that twice."""
        part = _part(read)
        assert part is not None
        owner = part[0]
        if self.kind(read).replaces and not self.is_of_tuple(read):
            return None
        is_own = containers.holds_each_once(self.facts, read, owner.id, 1, n_given=1)
        return None if is_own else owner

    def is_of_tuple(self, read: ir.Assign) -> bool:
        """Tells whether a part may be one of a tuple, or of what NumPy gives so: it gets no other.

        So may what a parameter holds, unless that is surely an array.
        """
        part = _part(read)
        assert part is not None
        owner, index = part
        version = self.numbered.reads.get((read, owner.id))
        is_own = containers.kind_of(version, self.numbered)
        if owner.id in self.lent and not is_own and self.indices.is_integer(read, index):
            return True
        return containers.is_tuple(version, self.numbered, self.of_tuples)

    def kind(self, read: ir.Assign) -> StoreKind:
        """What puts a part back: a list of the function's own gets another object."""
        part = _part(read)
        assert part is not None
        version = self.numbered.reads.get((read, part[0].id))
        is_container = containers.kind_of(version, self.numbered)
        return StoreKind.SET if is_container else StoreKind.REPLACE
