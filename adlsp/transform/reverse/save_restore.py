"""Keeping what the backward sweep reads: the to-be-recorded analysis, and the saves it asks for.

    y_saved = []                               the tape
    for i in range(1, n):
        y_saved.append(rt.copy(y[i]))          a save, where a store overwrites what is read again
        y[i] = k * y[i - 1] * y[i]

    for i in reversed(range(1, n)):            begins with a mark, where tapes of values are popped
        y[i] = y_saved.pop()                   an undo: `y` holds again what it held
        ...
        y_bar[i] = t_bar * (k * y[i - 1])      a reference, `%at:9`, to what is computed again

The backward sweep refers to values of the primal by version. Here each reference is resolved, in
order of preference: the variable still holds it; it is cheap to compute again from such; it was
saved under a second name (straight-line code) or in a list (loops: appended where it is made,
popped where its block begins backward). A store is undone backward only if somebody reads what it
overwrote. Where only the shape and dtype of a value matter, only those are kept.

What has to be recorded is found in `facts/to_be_recorded.py`; its terms (*binding*, *holder*,
*direct*, *cheap*) are used here. This is save and restore insertion: what stands where.

Source: Hascoët, Naumann and Pascual, "To be recorded" analysis in reverse-mode automatic
differentiation, Future Generation Computer Systems 21(8), 2005.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from adlsp.transform import ir
from adlsp.transform.facts import containers, operations
from adlsp.transform.facts.indices import is_key
from adlsp.transform.facts.to_be_recorded import ToBeRecorded
from adlsp.transform.facts.versions import Version, VersionKind
from adlsp.transform.ir import Role, StoreKind, targets, variables
from adlsp.transform.modes.builder import RUNTIME, at
from adlsp.transform.modes.primal_facts import PrimalFacts
from adlsp.transform.ops.spec import Kind, Makes
from adlsp.transform.rules import table
from adlsp.transform.source import Span
from adlsp.transform.values.inferred import is_double
from adlsp.transform.values.lattice import Array, Mapped, Number, is_of_arguments

AT_START = (
    VersionKind.PARAMETER,
    VersionKind.HEAD,
    VersionKind.TARGET,
    VersionKind.ELEMENT,
    VersionKind.UNBOUND,
)
"""What a variable has at the start of a block."""


@dataclass(slots=True)
class Needs:
    """The versions that the backward sweep reads: by value, or for shape and dtype only."""

    values: dict[int, None]
    likes: dict[int, None]


class SaveRestore:
    """Resolves the references of one backward sweep.

    `recorded` are the stores that are undone. `before` and `after` statements, and at the start of
    blocks, stand the saves; at the marks of blocks the restores; `resolved` names what holds a
    version in the backward sweep.
    """

    def __init__(self, facts: PrimalFacts, fresh: variables.Fresh) -> None:
        self.facts = facts
        self.fresh = fresh
        self.versions = {v.number: v for v in facts.versions.every}
        self.recorded: set[int] = set()
        self.seen_elsewhere: set[str] = set()
        self.shapes_only: dict[str, str] = {}
        self.left: dict[int, ir.Store | None] = {}
        self.analysis = ToBeRecorded(
            facts.function,
            facts.versions,
            facts.indices,
            facts.shapes,
            facts.program,
            facts.inferred.integers(),
            facts.inferred.growing(),
        )
        self.before: dict[ir.Statement, list[ir.Statement]] = {}
        self.after: dict[ir.Statement, list[ir.Statement]] = {}
        self.at_start: dict[int, list[ir.Statement]] = {}
        self.at_mark: dict[int, list[ir.Statement]] = {}
        self.resolved: dict[int, str] = {}
        self.entered = frozenset(
            s.base for s in facts.replaced if isinstance(s, ir.Store) and self.is_entered(s)
        )
        self.resized = frozenset(
            holder
            for version in facts.versions.every
            if version.name in self.analysis.resized and not facts.is_own_list(version.name)
            for holder in self.owners(self.analysis.binding(version))
        )
        self.counted = containers.counted(facts.function)
        self.blocks = {id(block): block for block in _every_block(facts.function.body)}
        self.written: dict[int, _Written] = {}
        self.stores = defaultdict[int, list[ir.Store]](list)
        for statement in ir.walk(facts.function.body):
            if isinstance(statement, ir.Store):
                made = facts.versions.writes[statement, statement.base]
                self.stores[self.analysis.binding(made).number].append(statement)

    def resolve(
        self, forward: ir.Block, backward: ir.Block, whole: ir.Block
    ) -> tuple[ir.Block, ir.Block]:
        """Both sweeps, with each reference resolved and the saves in place.

        To undo a store reads its index, of which other stores may have to be undone: it is asked
        again until there is nothing more. `whole` is the body of the primal, of which `forward` is
        all but the return.
        """
        while True:
            first = self.fresh.last
            self.shapes_only.clear()
            expanded = self.expand(backward)
            needs = self.needs(expanded)
            lengths = filter(self.is_of_length, needs.likes)
            needed = (*needs.values, *lengths)
            reads = self.analysis.dependences.reads(expanded)
            recorded = self.analysis.stores_to_undo(needed, reads)
            self.seen_elsewhere = self.analysis.seen_elsewhere(needed)
            if recorded <= self.recorded:
                break
            self.recorded |= recorded
            self.fresh.last = first
        for number in needs.values:
            self.name_of(self.analysis.holder(self.versions[number]))
        for number in needs.likes:
            if number not in needs.values:
                self.keep_like(self.versions[number])
        for number in sorted(self.recorded):
            self.record(self.versions[number])
        at_start = tuple(self.at_start.get(id(whole), ()))
        return at_start + self.forward(forward), self.backward(expanded)

    def is_of_length(self, number: int) -> bool:
        """Tells whether the shape of a value is that of a list or dictionary which changes.

        It may become longer or shorter, or get something of another shape into a cell. What a
        derivative appends to a list of its own, its own adjoints take from it again.
        """
        version = self.versions[number]
        while (named := self.named_before(version)) is not None:
            version = named
        return version.name in self.resized or not self.entered.isdisjoint(self.owners(version))

    def named_before(self, version: Version) -> Version | None:
        """The value that a variable is another name for, if it is one."""
        match version.statement if version.kind is VersionKind.ASSIGN else None:
            case ir.Assign(value=ir.Name(id), is_tuple=False) as copy:
                return self.facts.versions.reads.get((copy, id))
        return None

    def is_entered(self, store: ir.Store) -> bool:
        """Tells whether a store may put something of another shape into a cell.

        Where each pass of a loop sets a cell of what was there before the loop, the adjoint of that
        is there as well, and changes with it.
        """
        made = self.facts.versions.writes[store, store.base]
        return not ir.sets_cell(store) or made.loops == self.analysis.binding(made).loops

    def owners(self, version: Version) -> Iterator[str]:
        """A variable, and those that its value is a part of, by whatever number of indices."""
        yield version.name
        match version.statement:
            case (
                ir.Assign(value=ir.Call("operator.getitem", (ir.Name(id), _)))
                | ir.Assign(value=ir.Name(id), is_tuple=True)
            ) as read:
                prior = self.facts.versions.reads.get((read, id))
                if prior is not None:
                    yield from self.owners(prior)

    # expanding

    def expand(self, block: ir.Block) -> ir.Block:
        """Puts undone stores and cheap recomputations into a backward sweep."""
        made: list[ir.Statement] = []
        for statement in block:
            if _is_call(statement, "python.undo"):
                made += self.undone(statement)
                continue
            match statement:
                case ir.Assign(value=ir.Call() as call):
                    call = self.recomputed_call(call, made, statement.origin)
                    made.append(replace(statement, value=call))
                case ir.If(test=ir.Name(id)) if self.reads_elements(id):
                    made.append(ir.rebuilt(statement, block=self.expand))
                case _:
                    made.append(self.expanded(statement, made))
        return tuple(made)

    def reads_elements(self, name: str) -> bool:
        """Tells whether a decision reads elements, which its branches may have changed since."""
        if not isinstance(name, variables.Reference):
            return False
        return self.analysis.reads_elements(self.versions[name.version])

    def expanded(self, statement: ir.Statement, before: list[ir.Statement]) -> ir.Statement:
        """A statement that is no call; recomputations for its atoms go before it."""

        def atom(atom: ir.Atom) -> ir.Atom:
            return self.recompute(atom, before, statement.origin)

        return ir.rebuilt(statement, atom, block=self.expand)

    def recomputed_call(self, call: ir.Call, made: list[ir.Statement], origin: Span) -> ir.Call:
        """A call whose cheap arguments are computed again before it."""
        like = operations.of(call.function).like
        is_seed = operations.of(call.function).makes is Makes.SEED
        args = tuple(
            self.recompute(a, made, origin, is_like=position == like, is_seed=is_seed)
            for position, a in enumerate(call.args)
        )
        keywords = tuple((k, self.recompute(a, made, origin)) for k, a in call.keywords)
        return ir.Call(call.function, args, keywords)

    def recompute(
        self,
        atom: ir.Atom,
        made: list[ir.Statement],
        origin: Span,
        *,
        is_like: bool = False,
        is_seed: bool = False,
    ) -> ir.Atom:
        """The atom itself, or the name of a step that computes it again."""
        if not (isinstance(atom, ir.Name) and isinstance(atom.id, variables.Reference)):
            return atom
        version = self.versions[atom.id.version]
        stand_in = None
        if is_like:
            stand_in = self.analysis.stand_in(version) or self.like(version)
        if stand_in is not None and self._is_alike(atom, at(stand_in), is_seed=is_seed):
            return at(stand_in)
        call = self.analysis.cheap(version, is_like=is_like)
        if call is not None:
            assert version.statement is not None
            operands = [self.read(version.statement, a) for a in call.args]
        elif (store := self.left_in(version)) is not None:
            assert store.index is not None
            call = ir.Call(ir.reading(store))
            stored = self.facts.versions.writes[store, store.base]
            operands = [at(stored), self.read(store, store.index)]
        else:
            return atom
        again = ir.Call(call.function, tuple(self.recompute(a, made, origin) for a in operands))
        name = self.fresh.step()
        made.append(ir.Assign((name,), again, origin, Role.ADJOINT))
        if is_like and call.function in ("operator.getitem", "python.tuple"):
            self.shapes_only[name] = call.function
        return ir.Name(name)

    def like(self, version: Version) -> Version | None:
        """A variable that is at hand and is an array like one that is not, where all are known."""
        analysis, inferred = self.analysis, self.facts.inferred
        given = inferred.of(at(version))
        if not inferred.is_double or not isinstance(given, Array):
            return None
        if version.loops and not all(map(is_of_arguments, given.shape or ())):
            return None
        if None in (given.shape or (None,)) or analysis.is_direct(analysis.binding(version)):
            return None
        for name, last in self.facts.versions.final.items():
            found = inferred.of(at(last))
            is_same = isinstance(found, Array) and found.shape == given.shape
            is_same &= not isinstance(name, variables.Generated)
            if is_same and is_double(found) and analysis.is_direct(analysis.binding(last)):
                return last
        return None

    def left_in(self, version: Version) -> ir.Store | None:
        """The store that has put a value into an array in which it is left, if one has.

        There it is, number by number, until what was stored before it is undone.
        """
        if version.number not in self.left:
            self.left[version.number] = self._left_in(version)
        store = self.left[version.number]
        if store is None:
            return None
        made = self.facts.versions.writes[store, store.base]
        return None if made.number in self.recorded else store

    def _left_in(self, version: Version) -> ir.Store | None:
        is_named = not isinstance(version.name, variables.Step)
        if version.kind is not VersionKind.ASSIGN or (is_named and not version.loops):
            return None
        store = self.puts.get((version.block, version.number))
        if store is None or store.index is None:
            return None
        block = self.blocks[version.block]
        between = block[block.index(version.statement) + 1 : block.index(store)]
        is_kept = not any(store.base in ir.writes(s) for s in ir.walk(between))
        is_kept &= self.facts.indices.is_basic(store, store.index)
        is_kept &= self.analysis.is_at_hand(store, store.index)
        is_same = self.facts.inferred.is_stored_whole(store)
        made = self.facts.versions.writes[store, store.base]
        return store if is_kept and is_same and self.analysis.is_left(made) else None

    @cached_property
    def puts(self) -> dict[tuple[int, int], ir.Store]:
        """The first store that puts a value into an array, in place of what was there.

        It is there for each block and version of a variable.
        """
        found: dict[tuple[int, int], ir.Store] = {}
        for place, block in self.blocks.items():
            for statement in block:
                match statement:
                    case ir.Store(value=ir.Name(id), kind=StoreKind.REPLACE, is_each=False):
                        version = self.facts.versions.reads.get((statement, id))
                        if version is not None:
                            found.setdefault((place, version.number), statement)
        return found

    def _is_alike(self, value: ir.Atom, other: ir.Name, *, is_seed: bool) -> bool:
        """Tells whether a value of the same shape does where another says what something is like.

        A seed is looked at closely, as it comes from outside: the other must be of the same kind,
        too, no list for an array, no real number for a complex one.
        """
        if self.facts.mixes_complex:
            return False
        inferred = self.facts.inferred
        if is_seed and not inferred:
            return self._is_made_of(value, other)
        return not is_seed or (is_double(inferred.of(value)) and is_double(inferred.of(other)))

    def _is_made_of(self, value: ir.Atom, other: ir.Name) -> bool:
        """Tells whether a value is worked out from another and real constants, element by element.

        So it has the kind of that, whatever that is.
        """
        pending, seen = [value], {other}
        while pending:
            match pending.pop():
                case ir.Name(variables.Reference(version=number)) as name if name not in seen:
                    seen.add(name)
                    made = self.versions[number]
                    match made.statement:
                        case ir.Assign(value=ir.Call() as call) if (
                            made.kind is VersionKind.ASSIGN
                            and table.load().word(call.function) == "elementwise"
                        ):
                            pending += [self.read(made.statement, a) for a in call.atoms]
                        case _:
                            return False
                case ir.Const(complex()):
                    return False
        return True

    def read(self, statement: ir.Statement, atom: ir.Atom) -> ir.Atom:
        """An atom that a statement of the primal reads, as a reference."""
        if isinstance(atom, ir.Name):
            return at(self.facts.versions.reads[statement, atom.id])
        return atom

    def undone(self, marker: ir.Statement) -> list[ir.Statement]:
        """What puts back the value that a store overwrote."""
        version = self.versions[_argument(marker)]
        if version.number not in self.recorded:
            return []
        store, origin = version.statement, marker.origin
        assert isinstance(store, ir.Store)
        made: list[ir.Statement] = []
        base = at(version.priors[0]).id
        if store.kind is StoreKind.APPEND:
            return [ir.popped(base, origin, Role.RESTORE)]
        saved: ir.Atom = ir.Name(variables.Undo(store.base, version.number))
        if version.loops:
            step = self.fresh.step()
            pop = ir.Call("python.pop", (saved,))
            made.append(ir.Assign((step,), pop, origin, Role.RESTORE))
            saved = ir.Name(step)
        if store.kind is StoreKind.POP:
            return [*made, ir.appended(base, saved, origin, Role.RESTORE)]
        index: ir.Atom = ir.Const(...)
        if store.index is not None:
            index = self.read(store, store.index)
            if not self.analysis.depends_on(store, store.index, store.base):
                index = self.recompute(index, made, origin)
        kind = store.kind if ir.sets_cell(store) else StoreKind.REPLACE
        restored = ir.Store(base, index, saved, kind, origin, Role.RESTORE)
        made.append(replace(restored, is_assign=store.is_assign))
        is_put = store.kind in (StoreKind.REPLACE, StoreKind.ENTER)
        if is_put and store.base in self.counted and self.may_be_new(store, index):
            holder, key = self.holder(store, ir.Name(base), index, made)
            forgotten = ir.Call(f"{RUNTIME}.forget", (holder, key))
            made.append(ir.Do(forgotten, origin, Role.RESTORE))
        return made

    def holder(
        self, store: ir.Store, base: ir.Atom, index: ir.Atom, made: list[ir.Statement]
    ) -> tuple[ir.Atom, ir.Atom]:
        """What a store has put something into, which its base may hold, and the index there."""
        assert store.index is not None
        source = self.facts.indices.source(store, store.index)
        path = self.facts.indices.path(store, store.index)
        if source is None or len(path) == 1:
            return base, index
        origin, places = store.origin, [self.read(source, atom) for atom in path]
        for place in places[:-1]:
            part, step = self.recompute(place, made, origin), self.fresh.step()
            taken = ir.Call("operator.getitem", (base, part))
            made.append(ir.Assign((step,), taken, origin, Role.RESTORE))
            base = ir.Name(step)
        return base, self.recompute(places[-1], made, origin)

    def may_be_new(self, store: ir.Store, index: ir.Atom) -> bool:
        """Tells whether a dictionary may have nothing at a key before a store puts it there.

        A key over which a loop runs is there.
        """
        if isinstance(index, ir.Const):
            return _is_entry(index)
        numbered, inferred = self.facts.versions, self.facts.inferred
        assert store.index is not None
        *outer, last = self.facts.indices.path(store, store.index)
        if isinstance(store.index, ir.Name) and not outer:
            key = numbered.reads[store, store.index.id].statement
            if isinstance(key, ir.For) and key.iterable == ir.Name(store.base):
                return False
        if outer and _is_entry(last):
            return True
        read = numbered.reads.get((store, store.base))
        source = self.facts.indices.source(store, store.index) or store
        is_known = isinstance(inferred.inside(store, source, outer), Mapped)
        return is_known or containers.kind_of(read, numbered) is Kind.DICT

    # what is needed

    def needs(self, block: ir.Block) -> Needs:
        """The versions that a backward sweep refers to."""
        needs = Needs({}, {})
        for statement in ir.walk(block):
            like: int | None = None
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call):
                like = operations.of(statement.value.function).like
                of_parts = self.shapes_only.get(statement.targets[0])
                for position, atom in enumerate(statement.value.atoms):
                    is_like = position == (0 if of_parts else like) or of_parts == "python.tuple"
                    self._note(needs.likes if is_like else needs.values, atom)
                self._note_targets(needs, statement)
                continue
            for name in ir.reads(statement):
                self._note(needs.values, ir.Name(name))
            self._note_targets(needs, statement)
        return needs

    def _note_targets(self, needs: Needs, statement: ir.Statement) -> None:
        for name in ir.writes(statement):
            self._note(needs.values, ir.Name(name))

    def _note(self, noted: dict[int, None], atom: ir.Atom) -> None:
        if isinstance(atom, ir.Name) and isinstance(atom.id, variables.Reference):
            noted[atom.id.version] = None

    # where a value is kept

    def name_of(self, binding: Version) -> str:
        """The variable that holds a value in the backward sweep; saves it where needed."""
        if binding.number in self.resolved:
            return self.resolved[binding.number]
        if self.analysis.is_direct(binding):
            name = binding.name
        elif binding.kind is VersionKind.TARGET:
            name = variables.Kept(binding.name, binding.number)
        elif (part := self.part_of(binding)) is not None:
            name = variables.Kept(binding.name, binding.number)
            again = ir.Assign((name,), part, self.origin(binding), Role.RESTORE)
            self.at_mark.setdefault(binding.block, []).append(again)
        else:
            value: ir.Expression = ir.Name(binding.name)
            changed = None
            if not self.analysis.is_copied(binding):
                changed = self.last_change(binding, self.blocks[binding.block])
                if changed is not None and _binds(changed, binding.name):
                    value = self.held(binding, changed)
            elif not self.facts.shapes.is_number(binding):
                copying = "preserved" if _is_of_pair(binding) else "copy"
                value = ir.Call(f"{RUNTIME}.{copying}", (ir.Name(binding.name),))
            is_saved = value == ir.Name(_held(binding)) and not self.is_listed(binding)
            name = _held(binding) if is_saved else self.save(binding, value, changed)
        self.resolved[binding.number] = name
        return name

    def part_of(self, binding: Version) -> ir.Call | None:
        """The call that reads again a part that passes of a loop have read, each its own.

        That is so where the whole and its place are still there, and nothing has changed it since.
        """
        if binding.kind is not VersionKind.ASSIGN or not self.is_listed(binding):
            return None
        match binding.statement:
            case (
                ir.Assign(
                    value=ir.Call("operator.getitem", (ir.Name(whole), index), ()) as call,
                    is_tuple=False,
                ) as made
            ):
                is_entry = isinstance(self.facts.inferred.read(made, ir.Name(whole)), Mapped)
                if not (is_entry or is_key(index) or self.facts.indices.is_basic(made, index)):
                    return None
                base = self.facts.versions.reads[made, whole]
                is_there = self.analysis.is_direct(self.analysis.binding(base))
                if not is_there or self.analysis.overwriting([base.number, binding.number]):
                    return None
                if isinstance(index, ir.Name):
                    at_place = self.analysis.binding(self.facts.versions.reads[made, index.id])
                    is_there = self.analysis.is_direct(at_place)
                    if not is_there and at_place.kind is not VersionKind.TARGET:
                        return None
                    index = ir.Name(self.name_of(at_place))
                held = ir.Name(self.name_of(self.analysis.binding(base)))
                return replace(call, args=(held, index))
        return None

    def last_change(self, binding: Version, block: ir.Block) -> ir.Statement | None:
        """The last statement that stores into an object while its name and block still hold it.

        A second name is what its object is in the end: the backward sweep begins there, and undoes
        the stores one by one. Given after the last store it is that as a value, too, so that a
        second derivative need not know of the common memory. Where a branch both stores and binds
        the name again, it is that one.
        """
        written = self.written_in(block)
        stored = {written.at[s] for s in self.stores[binding.number] if s in written.at}
        stored -= {p for p in stored if block[p] is binding.statement}
        found = None
        for position in written.since(min(stored), binding.name) if stored else ():
            statement = block[position]
            if statement is binding.statement:
                continue
            if position in stored:
                found = statement
            if _binds(statement, binding.name):
                is_apart = statement is not found or isinstance(found, ir.If)
                return found if is_apart else None
        return found

    def written_in(self, block: ir.Block) -> _Written:
        """Where the statements of a block write."""
        if id(block) not in self.written:
            self.written[id(block)] = _Written(block)
        return self.written[id(block)]

    def held(self, binding: Version, branch: ir.Statement) -> ir.Name:
        """A second name that is given before a branch, and anew in it after its last store."""
        name, origin = _held(binding), self.origin(binding)

        def given() -> ir.Statement:
            return ir.Assign((name,), ir.Name(binding.name), origin, Role.SAVE)

        pending = [branch]
        while pending:
            inner = pending.pop()
            self.before.setdefault(inner, []).append(given())
            for block in ir.blocks(inner):
                changed = self.last_change(binding, block)
                if changed is not None and _binds(changed, binding.name):
                    pending.append(changed)
                elif changed is not None:
                    self.after.setdefault(changed, []).append(given())
        return ir.Name(name)

    def keep_like(self, version: Version) -> None:
        """Keeps the shape and dtype of a value, unless the value itself is there."""
        analysis = self.analysis
        binding = analysis.holder(version)
        if (
            binding.number in self.resolved
            or analysis.is_direct(binding)
            or analysis.is_kept_whole(version)
            or binding.kind is VersionKind.TARGET
            or self.is_of_length(version.number)  # it is kept for its length
        ):
            self.resolved[version.number] = self.name_of(binding)
            return
        operand = self.operand_alike(version)
        if operand is not None:
            self.resolved[version.number] = self.name_of(operand)
            return
        value = ir.Call(f"{RUNTIME}.like", (ir.Name(version.name),))
        self.resolved[version.number] = self.save(version, value, is_like=True)

    def operand_alike(self, version: Version) -> Version | None:
        """An array that is there, of which a step of the same shape was made in the same block."""
        made, shapes = version.statement, self.facts.shapes
        match made:
            case ir.Assign(value=ir.Call() as call) if isinstance(version.name, variables.Step):
                for name in dict.fromkeys(ir.names(call.args)):
                    operand = self.facts.versions.reads.get((made, name))
                    if operand is None or name not in shapes.arrays:
                        continue
                    held = self.analysis.holder(operand)
                    is_there = held.number in self.resolved and held.block == version.block
                    tokens = shapes.token(operand), shapes.token(version)
                    if (
                        is_there
                        and shapes.is_same(None, *tokens)
                        and self._has_dtype(version, operand)
                    ):
                        return held
        return None

    def _has_dtype(self, version: Version, operand: Version) -> bool:
        """Tells whether a gradient of a value may have the dtype of an operand."""
        facts = self.facts
        is_plain = facts.inferred.is_double or self._is_made_of(at(version), at(operand))
        return is_plain and not facts.mixes_complex

    def save(
        self,
        version: Version,
        value: ir.Expression,
        changed: ir.Statement | None = None,
        *,
        is_like: bool = False,
    ) -> str:
        """Saves something where a version is made, or last changed; gives its name backward."""
        origin, kept = self.origin(version), (version.name, version.number)
        if not self.is_listed(version):
            saved = variables.Saved(*kept, is_like=is_like)
            self.place(version, [ir.Assign((saved,), value, origin, Role.SAVE)], changed)
            return saved
        tape = variables.Tape(*kept, is_like=is_like)
        name = variables.Kept(*kept, is_like=is_like)
        self.open(tape, version, origin)
        self.place(version, self.append(tape, value, origin), changed)
        popped = ir.Assign((name,), ir.Call("python.pop", (ir.Name(tape),)), origin, Role.RESTORE)
        self.at_mark.setdefault(version.block, []).append(popped)
        return name

    def is_listed(self, version: Version) -> bool:
        """Tells whether a value needs a list, because passes of loops make different ones."""
        return bool(version.loops) and not self.analysis.is_invariant(version)

    def append(self, tape: str, value: ir.Expression, origin: Span) -> list[ir.Statement]:
        """Steps that append a value to a list."""
        made: list[ir.Statement] = []
        if not isinstance(value, ir.Name):
            step = self.fresh.step()
            made.append(ir.Assign((step,), value, origin, Role.SAVE))
            value = ir.Name(step)
        call = ir.Call("python.append", (ir.Name(tape), value))
        return [*made, ir.Do(call, origin, Role.SAVE)]

    def open(self, tape: str, version: Version, origin: Span) -> None:
        """Makes an empty list before the outermost loop around a version."""
        empty = ir.Assign((tape,), ir.Call("python.list"), origin, Role.SAVE)
        self.before.setdefault(version.loops[0], []).append(empty)

    def place(
        self,
        version: Version,
        statements: list[ir.Statement],
        changed: ir.Statement | None = None,
    ) -> None:
        """Puts statements where a version has just been made, or last changed."""
        if changed is not None:
            self.after.setdefault(changed, []).extend(statements)
        elif version.kind in AT_START:
            self.at_start.setdefault(version.block, []).extend(statements)
        else:
            statement = version.statement or version.behind
            assert statement is not None
            self.after.setdefault(statement, []).extend(statements)

    def origin(self, version: Version) -> Span:
        """The place in the primal that a save belongs to."""
        statement = version.statement or version.behind
        return self.facts.function.origin if statement is None else statement.origin

    def record(self, version: Version) -> None:
        """Saves what a store is about to overwrite."""
        store = version.statement
        assert isinstance(store, ir.Store)
        if store.kind is StoreKind.APPEND:
            return
        name, origin = variables.Undo(store.base, version.number), store.origin
        made: list[ir.Statement] = []
        old = ir.Name(store.base)
        is_cell = store.kind.sets_cell or self.analysis.may_be_cell(store)
        if store.base in self.seen_elsewhere and is_cell:
            self.take_out(store, name, version)
            return
        if store.index is not None:
            if self.facts.indices.may_be_cell(store) and store in self.facts.replaced:
                item = ir.Call(ir.ENTRY, self.cell(store, made))
            else:
                index = self.again(store, store.index, made)
                item = ir.Call(ir.reading(store), (ir.Name(store.base), index))
            old = self.step(item, made, origin)
        is_slice = self.facts.indices.is_slice(store, store.index)
        copy: ir.Expression = ir.Call("ndarray.copy" if is_slice else f"{RUNTIME}.copy", (old,))
        if isinstance(self.facts.inferred.cell(store), Number):
            copy = old
        if version.loops:
            self.open(name, version, origin)
            made += self.append(name, copy, origin)
        else:
            made.append(ir.Assign((name,), copy, origin, Role.SAVE))
        self.before.setdefault(store, []).extend(made)

    def take_out(self, store: ir.Store, name: str, version: Version) -> None:
        """Saves what a container holds at the place of a store, which changes a copy of it.

        So all other names for it keep their value. What is put back later is the object itself.
        """
        made: list[ir.Statement] = []
        origin, old = store.origin, ir.Name(name)
        held = ir.Call(ir.HELD, self.cell(store, made))
        if version.loops:
            self.open(name, version, origin)
            old = self.step(held, made, origin)
            made += self.append(name, old, origin)
        else:
            made.append(ir.Assign((name,), held, origin, Role.SAVE))
        if not (store.kind.replaces or store.kind.sets_cell):
            assert store.index is not None
            index = self.again(store, store.index, made)
            copy = self.step(ir.Call(f"{RUNTIME}.copy", (old,)), made, origin)
            made.append(ir.Store(store.base, index, copy, StoreKind.REPLACE, origin, Role.SAVE))
        self.before.setdefault(store, []).extend(made)

    def cell(self, store: ir.Store, made: list[ir.Statement]) -> tuple[ir.Atom, ir.Atom]:
        """What a store puts something into, which its base may hold, and the index there."""
        assert store.index is not None
        source = self.facts.indices.source(store, store.index)
        path = self.facts.indices.path(store, store.index)
        if source is None or len(path) == 1:
            return ir.Name(store.base), self.again(store, store.index, made)
        *outer, last = (self.again(source, atom, made) for atom in path)
        inner: ir.Atom = outer[0]
        if len(outer) > 1:
            inner = self.step(ir.Call(ir.PATH, tuple(outer)), made, store.origin)
        item = ir.Call("operator.getitem", (ir.Name(store.base), inner))
        return self.step(item, made, store.origin), last

    def step(self, call: ir.Call, made: list[ir.Statement], origin: Span) -> ir.Name:
        """The name of a step that is saved for."""
        name = self.fresh.step()
        made.append(ir.Assign((name,), call, origin, Role.SAVE))
        return ir.Name(name)

    def again(self, store: ir.Statement, atom: ir.Atom, made: list[ir.Statement]) -> ir.Atom:
        """The index of a store, made once more, so that both uses can be printed as `x[i, j]`."""
        call = self.facts.indices.definition(store, atom)
        if not isinstance(call, ir.Call) or not operations.of(call.function).is_index:
            return atom
        source = self.facts.indices.source(store, atom)
        assert source is not None
        args = tuple(self.again(source, a, made) for a in call.args)
        name = self.fresh.step()
        made.append(ir.Assign((name,), ir.Call(call.function, args), store.origin, Role.SAVE))
        return ir.Name(name)

    # writing

    def by_statement(self) -> dict[ir.Statement | None, tuple[ir.Statement, ...]]:
        """What was saved, by the statement around or in which; at the start of the function, none.

        This is the result of the to-be-recorded analysis, for people to look at.
        """
        body = self.facts.function.body
        owners = {id(inner): s for s in ir.walk(body) for inner in ir.blocks(s)}
        found: dict[ir.Statement | None, tuple[ir.Statement, ...]] = {}
        for block, made in self.at_start.items():
            owner = owners.get(block)
            found[owner] = (*found.get(owner, ()), *made)
        for places in (self.before, self.after):
            for statement, around in places.items():
                found[statement] = (*found.get(statement, ()), *around)
        return found

    def forward(self, block: ir.Block) -> ir.Block:
        """The forward sweep with its saves."""
        made = list(self.at_start.get(id(block), ()))
        if made and _takes_apart(block[0], made):
            made = [block[0], *self.after.get(block[0], ()), *made]
            block = block[1:]
        for statement in block:
            if isinstance(statement, ir.Insert):
                continue
            made += self.before.get(statement, ())
            made.append(ir.rebuilt(statement, block=self.forward))
            made += self.after.get(statement, ())
        return tuple(made)

    def backward(self, block: ir.Block) -> ir.Block:
        """The backward sweep with its restores, and with names instead of references.

        A loop or branch in which nothing is left to do is left out.
        """
        made: list[ir.Statement] = []
        for statement in block:
            if _is_call(statement, "python.mark"):
                popped = self.at_mark.get(_argument(statement), ())
                made += (replace(s, origin=statement.origin) for s in popped)
            else:
                rebuilt = ir.rebuilt(statement, self.atom, self.name, self.backward)
                if any(ir.blocks(rebuilt)) or not ir.blocks(rebuilt):
                    made.append(rebuilt)
                    continue
                while made and _is_iteration(made[-1]):
                    made.pop()
        return tuple(made)

    def name(self, name: str) -> str:
        """The variable that a reference stands for."""
        if not isinstance(name, variables.Reference):
            return name
        if name.version in self.resolved:
            return self.resolved[name.version]
        return self.name_of(self.analysis.holder(self.versions[name.version]))

    def atom(self, atom: ir.Atom) -> ir.Atom:
        """An atom with a name instead of a reference."""
        return ir.Name(self.name(atom.id)) if isinstance(atom, ir.Name) else atom


def _is_entry(index: ir.Atom) -> bool:
    """Tells whether an index is the key of an entry, and no attribute."""
    is_attribute = isinstance(index, ir.Const) and isinstance(index.value, ir.Attribute)
    return is_key(index) and not is_attribute


def _every_block(block: ir.Block) -> Iterator[ir.Block]:
    """A block and those inside of it."""
    yield block
    for statement in block:
        for inner in ir.blocks(statement):
            yield from _every_block(inner)


def _is_of_pair(binding: Version) -> bool:
    """Tells whether a value is what a callee has saved, or may hold that."""
    match binding.statement:
        case ir.Assign(value=ir.Call(function=function), is_tuple=True):
            return isinstance(function, targets.OF_SWEEPS)
    return False


def _held(binding: Version) -> str:
    """The second name of an object in the forward sweep."""
    return variables.Saved(binding.name, binding.number)


class _Written:
    """Where a block writes: `at`, by the stores in it, and `of`, by names, in order."""

    def __init__(self, block: ir.Block) -> None:
        self.at: dict[ir.Store, int] = {}
        self.of: dict[str, list[int]] = {}
        for position, statement in enumerate(block):
            inner = [*ir.walk((statement,))]
            self.at |= {s: position for s in inner if isinstance(s, ir.Store)}
            for name in {name: None for s in inner for name in ir.writes(s)}:
                self.of.setdefault(name, []).append(position)

    def since(self, first: int, name: str) -> list[int]:
        """The places from one on, in order, whose statements write a variable."""
        places = self.of[name]
        return places[bisect_left(places, first) :]


def _binds(statement: ir.Statement, name: str) -> bool:
    """Tells whether a statement, or one in it, binds a name to another object."""
    inner = (s for s in ir.walk((statement,)) if not isinstance(s, ir.Store))
    return any(name in ir.writes(s) for s in inner)


def _is_iteration(statement: ir.Statement) -> bool:
    """Tells whether a step only makes what a backward loop runs over."""
    match statement:
        case ir.Assign(targets=(target,), value=ir.Call(function=function)):
            is_builtin = function.removeprefix("builtins.") in ("reversed", "range", "len", "list")
            return isinstance(target, variables.Step) and is_builtin
    return False


def _takes_apart(statement: ir.Statement, saves: list[ir.Statement]) -> bool:
    """Tells whether a statement is the `a, b` of a `for a, b in …`, which saves may follow."""
    match statement:
        case ir.Assign(targets=targets, value=ir.Name(variables.Step()), is_tuple=True):
            return not any(name in targets for save in saves for name in ir.reads(save))
    return False


def _is_call(statement: ir.Statement, function: str) -> bool:
    return (
        isinstance(statement, ir.Do)
        and isinstance(statement.value, ir.Call)
        and statement.value.function == function
    )


def _argument(statement: ir.Statement) -> int:
    assert isinstance(statement, ir.Do)
    assert isinstance(statement.value, ir.Call)
    constant = statement.value.args[0]
    assert isinstance(constant, ir.Const)
    assert isinstance(constant.value, int)
    return constant.value
