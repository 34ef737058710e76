"""To be recorded: which values of the primal the backward sweep has anyway, and which it does not.

A store must be undone backward if the backward sweep reads what it overwrote, under whatever name.
Of any other value that it reads is asked how it is had:

- *direct*: its variable still holds it when the backward sweep begins;
- *invariant*: each pass of the loops around it computes the same again, so it is kept but once;
- *cheap*: to compute its step again costs less than to keep it;
- *binding*: the version that made the object, which stores have only changed since. There it is
  given a second name, and the stores are undone backward, until it is again what it was;
- *overwritten*: `x += v` changes the object, if it is an array, or leaves it, if it is a number.
  That cannot be undone, so the value is *copied* where it is made;
- *holder*: the version at whose place it is kept, which is the binding, or that of the copy;
- *stand-in*: another variable of the same shape, where only the shape is read.

Source: Hascoët, Naumann and Pascual, "To be recorded" analysis in reverse-mode automatic
differentiation, Future Generation Computer Systems 21(8), 2005.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain

from adlsp.transform import ir
from adlsp.transform.facts import dependence, effects, operations, views
from adlsp.transform.facts.callees import Callees
from adlsp.transform.facts.dependence import Dependences, Reads
from adlsp.transform.facts.graphs import components, reached
from adlsp.transform.facts.indices import Indices, is_key
from adlsp.transform.facts.shapes import SCALAR, Shapes
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir import targets, variables
from adlsp.transform.ops.spec import Cost


class ToBeRecorded:
    """Answers what has to be recorded in one function.

    `integers` are versions that are surely such, by inference: there arithmetic costs little. What
    is read of `growing` ones, arrays that grow, is kept: to go back to an old version is dear.
    """

    def __init__(
        self,
        function: ir.Function,
        versions: Versions,
        indices: Indices,
        shapes: Shapes,
        known: Callees,
        integers: frozenset[int] = frozenset(),
        growing: frozenset[int] = frozenset(),
    ) -> None:
        self.function = function
        self.integers = integers
        self.growing = growing
        self.known = known
        self.versions = versions
        self.indices = indices
        self.shapes = shapes
        self.numbered = {v.number: v for v in versions.every}
        self.dependences = Dependences(function, versions, indices, integers)
        self.readers: dict[int, list[ir.Statement]] = {}
        for (statement, name), read in versions.reads.items():
            if isinstance(name, variables.Step):
                self.readers.setdefault(read.number, []).append(statement)
        self.users: dict[int, list[Version]] = {}
        for version in versions.every:
            for prior in version.priors:
                self.users.setdefault(prior.number, []).append(version)
        made = [v for v in versions.every if v.statement is not None]
        self.replaced = {v.name for v in made if v.statement and ir.sets_cell(v.statement)}
        self.resized = {v.name for v in made if v.statement and ir.resizes(v.statement)}
        parts = {
            v.name
            for v in made
            if isinstance(v.statement, ir.Assign) and isinstance(v.statement.value, ir.Call)
            if v.statement.value.function == "adlsp.runtime.part"
        }
        self.put = [
            v
            for v in made
            if isinstance(v.statement, ir.Store) and v.kind is VersionKind.STORE
            if isinstance(v.statement.value, ir.Name)
            if v.statement.value.id not in parts
            if v.statement.kind.keeps_value
            or (v.statement.kind.replaces and self.may_be_cell(v.statement))
        ]
        self.has_put = frozenset(self.put)
        self.changed = {v.name for v in versions.every if v.kind is VersionKind.STORE}
        self.aliased: dict[int, list[Version]] = {}
        for version in versions.every:
            for source in (*self.sources(version), *self.left(version)):
                self.aliased.setdefault(source.number, []).append(version)
        self.indexed = self._indexed()
        self.bindings = self._bindings()
        self.overwritten = self._overwritten()
        self.overwritten |= self._added_to()
        self.invariant = self._invariant()

    # which stores are undone

    def stores_to_undo(self, needed: Iterable[int], reads: Reads) -> set[int]:
        """The stores that overwrite a value which is read backward, where that is read.

        An array of its own is looked at place by place, if no other name leads to a store.
        """
        needed = frozenset(needed)
        stores = self.overwriting(needed)
        members: dict[Version, set[int]] = {}
        for number in needed - reads.whole:
            binding = self.binding(self.numbered[number])
            if self.is_of_elements(self.numbered[number]):
                members.setdefault(binding, set()).add(number)
        for binding, values in members.items():
            own = {s for s in stores if self.is_set_in(binding, self.numbered[s])}
            n_places = sum(len(reads.places.get(number, ())) for number in values)
            if own and len(own) * n_places <= dependence.MOST:
                apart = own - self.overwriting(needed - values)
                stores -= {s for s in apart if not self.meets(s, values, reads)}
        return stores

    def is_of_elements(self, version: Version) -> bool:
        """Tells whether a value is an array, and each pass of the loops around it has its own."""
        if version.name not in self.shapes.arrays or self.is_copied(version):
            return False
        binding = self.binding(version)
        match binding.statement:
            case ir.Assign(value=ir.Call(function=function)):
                return binding.name == version.name and (
                    not binding.loops or operations.gives_new(function)
                )
        return binding.name == version.name and not binding.loops

    def is_set_in(self, binding: Version, version: Version) -> bool:
        """Tells whether a version is made by a store at an index of an array."""
        store = version.statement
        is_indexed = isinstance(store, ir.Store) and store.index is not None
        is_stored = is_indexed and version.kind is VersionKind.STORE
        return is_stored and self.binding(version) is binding and binding.name == version.name

    def meets(self, store: int, values: Iterable[int], reads: Reads) -> bool:
        """Tells whether a store may overwrite what is read of earlier versions of its array."""
        made = self.numbered[store]
        assert isinstance(made.statement, ir.Store)
        place = self.dependences.stored(made.statement)
        return any(
            self.dependences.may_overwrite(made, self.numbered[number], read, place)
            for number in values
            for read in reads.places.get(number, ())
        )

    def is_left(self, version: Version) -> bool:
        """Tells whether nothing overwrites what a store has put into an array."""
        store, binding = version.statement, self.binding(version)
        if not isinstance(store, ir.Store) or not self.is_of_elements(version):
            return False
        others = self.overwriting([version.number])
        reads = Reads({version.number: [self.dependences.stored(store)]})
        return len(others) <= dependence.MOST and not any(
            not self.is_set_in(binding, self.numbered[s]) or self.meets(s, reads.places, reads)
            for s in others
        )

    def overwriting(self, needed: Iterable[int]) -> set[int]:
        """The stores that come after a value which is read backward, wherever that is read."""
        watched = self.watched(needed)

        def unchanged(version: Version) -> Iterator[Version]:
            return (user for user in self.derived(version) if not self.is_rebinding(user))

        following = [u for version in (*watched, *self.held(watched)) for u in unchanged(version)]
        stores = (v for v in reached(following, unchanged) if v.kind is VersionKind.STORE)
        return {version.number for version in (*stores, *self.changed_in(watched))}

    def watched(self, needed: Iterable[int]) -> list[Version]:
        """What is needed and not copied, and the versions whose memory that may share."""
        versions = (self.numbered[number] for number in needed)
        return reached((v for v in versions if not self.is_copied(v)), self.viewed)

    def held(self, watched: list[Version]) -> list[Version]:
        """What containers among some versions have from stores, or still have, by its other names.

        So a change of `x` is one of what is read from `rows` behind `rows[0] = x`.
        """
        found: dict[Version, None] = {}
        containers, more = set[str](), watched
        while more:
            stored = [v for v in more if self.is_container(v)]
            containers.update(v.name for v in stored)

            def others(version: Version) -> Iterator[Version]:
                return (v for v in self.viewed(version) if v.name not in containers)

            before = reached(stored, lambda version: version.priors)
            put = filter(None, map(self._put, filter(self.has_put.__contains__, before)))
            inner = (*put, *(source for v in before for source in self.sources(v)))
            every = reached((v for v in inner if v.name not in containers), others)
            more = [v for v in every if v not in found]
            found.update(dict.fromkeys(more))
        return [*found]

    def is_container(self, version: Version) -> bool:
        """Tells whether a store has made a version of what may be a list or dictionary."""
        return version.kind is VersionKind.STORE and version.name not in self.shapes.arrays

    def derived(self, version: Version) -> tuple[Version, ...]:
        """The versions that one becomes, and those that are made of it and may share its memory."""
        return (*self.users.get(version.number, ()), *self.aliased.get(version.number, ()))

    def changed_in(self, watched: list[Version]) -> Iterator[Version]:
        """The stores that change a value which an earlier one has put into a list or dictionary."""

        def users(version: Version) -> list[Version]:
            return self.users.get(version.number, [])

        among, left = set(watched), [*self.put]
        while holding := [put for put in left if self._put(put) in among]:
            left = [put for put in left if put not in holding]
            for put in holding:
                holders = reached(users(put), users)
                among.update((put, *holders))
                yield from filter(self.changes_part, holders)

    def _put(self, version: Version) -> Version | None:
        """What a store has put into a list or dictionary, to make a version of that."""
        assert isinstance(version.statement, ir.Store)
        (name,) = ir.names((version.statement.value,))
        return self.versions.reads.get((version.statement, name))

    def changes_part(self, version: Version) -> bool:
        """Tells whether a store may change what a list or dictionary holds, in place."""
        store = version.statement
        is_stored = version.kind is VersionKind.STORE
        if not is_stored or not isinstance(store, ir.Store) or store.index is None:
            return False
        is_path = self.indices.is_path(store, store.index)
        return is_path or (not store.kind.replaces and self.may_be_cell(store))

    def seen_elsewhere(self, needed: Iterable[int]) -> set[str]:
        """The variables of what may be a container, of which a needed value is a part by itself.

        `a = p["w"]`, `p["w"] *= 2` changes `a`, too: to put something else into `p` is not enough
        to have the old value of `a` again.
        """
        bases = {
            version.name
            for version in self.versions.every
            if isinstance(version.statement, ir.Store)
            if version.statement.kind.sets_cell or self.may_be_cell(version.statement)
        }
        values = {number for number in needed if not self.is_copied(self.numbered[number])}
        found = {base for base in bases if not values.isdisjoint(self._parts_of(base))}
        return found | {version.name for version in self.changed_in(self.watched(values))}

    def may_be_cell(self, store: ir.Store) -> bool:
        """Tells whether a store may change an object that a list or dictionary holds."""
        return store.base not in self.shapes.arrays and self.indices.may_be_cell(store)

    def _parts_of(self, base: str) -> set[int]:
        """The versions of other variables that may be parts of what a variable holds."""
        own = (version for version in self.versions.every if version.name == base)
        parts = reached(reached(own, self.viewed), self.derived)
        return {version.number for version in parts if version.name != base}

    # how a value is had

    def binding(self, version: Version) -> Version:
        """The version that made the object: what only changes it is looked through."""
        return self.bindings.get(version.number, version)

    def holder(self, version: Version) -> Version:
        """The version at which a value is kept: where its object was made, or else its own place.

        A value of which `x += v` may change the memory is copied, and a copy is not undone.
        """
        return version if self.is_copied(version) else self.binding(version)

    def is_direct(self, binding: Version) -> bool:
        """Tells whether the variable still holds a value when the backward sweep begins."""
        last = self.versions.final.get(binding.name)
        if last is None or self.is_overwritten(binding):
            return False
        if binding.loops:
            return self.is_invariant(binding) and self.is_last(binding, last)
        return self.binding(last) is binding

    def is_invariant(self, version: Version) -> bool:
        """Tells whether each pass of all loops around a value makes the same one, for good."""
        return version.number in self.invariant

    def is_kept_whole(self, version: Version) -> bool:
        """Tells whether a value that each pass makes is kept itself, where its shape is needed."""
        binding = self.holder(version)
        return self.is_invariant(binding) and not self.is_copied(binding)

    def is_last(self, version: Version, last: Version) -> bool:
        """Tells whether a variable holds a value of a loop in the end, if the loop has made it."""
        before = self.versions.before[version.loops[0]].get(version.name)
        others = reached([] if before is None else [before], _met)
        return all(v.meets or v is version or v in others for v in reached([last], _met))

    def is_copied(self, version: Version) -> bool:
        """Tells whether a value is kept by a copy of its own."""
        binding = self.binding(version)
        if self.is_direct(binding):
            return False
        return self.is_overwritten(version) or self.is_overwritten(binding)

    def is_overwritten(self, version: Version) -> bool:
        """Tells whether `x += v` may change the array that is a value, under whatever name.

        So may functions of ours. Such a value is copied when it is saved; other stores are undone.
        """
        return version.number in self.overwritten

    def is_rebinding(self, version: Version) -> bool:
        """Tells whether a version is made by `x += v` where `x` may be a number.

        A number gets a new value, an array is changed: such a value is copied when it is saved. An
        array of which elements are stored is known to be one, and `x += v` is undone like those.
        """
        store = version.statement
        is_stored = version.kind is VersionKind.STORE
        is_whole = is_stored and isinstance(store, ir.Store) and store.index is None
        return is_whole and version.number not in self.indexed

    # what is computed again

    def cheap(self, version: Version, *, is_like: bool = False) -> ir.Call | None:
        """The call to repeat for a step, if that costs less than keeping its value."""
        is_step = isinstance(version.name, variables.Step)
        if not is_step or version.kind is not VersionKind.ASSIGN:
            return None
        match version.statement:
            case ir.Assign(value=ir.Call(keywords=()) as call, is_tuple=False) as statement:
                if self.may_be_set(call):
                    return None
                operands = list(ir.names(call.args))
                if any((statement, name) not in self.versions.reads for name in operands):
                    return None
                if not all(self.is_still(version, statement, name) for name in operands):
                    return None
                if call.function == "operator.getitem":
                    is_named = is_key(call.args[1])
                    if not is_named and not self.indices.is_basic(statement, call.args[1]):
                        return None
                    is_kept = is_like or is_named
                    if is_kept and not self.replaced.isdisjoint(operands[:1]):
                        return None
                    is_dear = is_kept or self.is_growing(statement, call.args[0])
                    if is_dear and not self.is_at_hand(statement, call.args[0]):
                        return None
                    return call
                is_replaced = not (self.resized | self.replaced).isdisjoint(operands)
                record = operations.of(call.function)
                if record.tells_shape and is_replaced:
                    return None
                if record.cost is Cost.FREE:
                    return call
                is_little = bool(version.loops) or version.number in self.integers
                is_small = record.cost is Cost.SMALL and is_little and not is_like
                if is_small and all(self.is_at_hand(statement, a) for a in call.args):
                    return call
        return None

    def is_still(self, version: Version, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable is what a step has read of it wherever the step is read.

        A call between them may have been written out that changes a list, `s[-1] * push(s, v)`.
        """
        if name not in self.changed:
            return True
        held = self.versions.reads[statement, name]
        seen: dict[ir.Statement, None] = dict.fromkeys(self.readers.get(version.number, ()))
        for reader in (pending := [*seen]):
            now = self.versions.before.get(reader)
            if now is not None and now.get(name) is not held:
                return False
            for target in ir.writes(reader):
                made = self.versions.writes.get((reader, target))
                if made is not None and self.may_be_cheap(made):
                    further = [s for s in self.readers.get(made.number, ()) if s not in seen]
                    seen.update(dict.fromkeys(further))
                    pending += further
        return True

    def may_be_cheap(self, version: Version) -> bool:
        """Tells whether a step may be computed again, and what it reads with it."""
        match version.statement:
            case ir.Assign((variables.Step(),), ir.Call(function), is_tuple=False):
                cost = operations.of(function).cost
                is_little = bool(version.loops) or version.number in self.integers
                is_read = function == "operator.getitem"
                return is_read or cost is Cost.FREE or (cost is Cost.SMALL and is_little)
        return False

    def is_growing(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an operand is an array that grows."""
        version = None
        if isinstance(atom, ir.Name):
            version = self.versions.reads.get((statement, atom.id))
        return version is not None and version.number in self.growing

    def is_at_hand(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether the backward sweep has an operand without any list."""
        if not isinstance(atom, ir.Name):
            return True
        version = self.versions.reads[statement, atom.id]
        if version.kind is VersionKind.TARGET or self.is_direct(self.binding(version)):
            return True
        if self.is_kept_whole(version):
            return True
        call = self.cheap(version)
        if call is None or version.statement is None:
            return False
        return all(self.is_at_hand(version.statement, a) for a in call.args)

    def depends_on(self, statement: ir.Statement, atom: ir.Atom, name: str) -> bool:
        """Tells whether a step that a statement reads was computed from a variable."""
        version = None
        if isinstance(atom, ir.Name):
            version = self.versions.reads.get((statement, atom.id))
        if version is None or isinstance(atom, ir.Const | ir.Global):
            return False
        if version.name == name:
            return True
        is_step = isinstance(version.name, variables.Step)
        match version.statement:
            case ir.Assign(value=ir.Call() as call) as made if is_step:
                return any(self.depends_on(made, a, name) for a in call.atoms)
        return False

    def reads_elements(self, version: Version) -> bool:
        """Tells whether a step reads elements of an array, itself or by a step inside of it."""
        is_step = isinstance(version.name, variables.Step)
        match version.statement:
            case ir.Assign(value=ir.Call() as call) as statement if is_step:
                operands = [
                    self.versions.reads[statement, name]
                    for name in ir.names(call.atoms)
                    if (statement, name) in self.versions.reads
                ]
                is_read = call.function == "operator.getitem"
                return is_read or any(self.reads_elements(v) for v in operands)
        return False

    def stand_in(self, version: Version) -> Version | None:
        """A variable that is at hand and surely has the shape of a step that has no name.

        It is surely an array: NumPy makes arrays of lists, which have their shape, and are none.
        What the step was computed from comes first: a reader sees its shape there.
        """
        if not isinstance(version.name, variables.Step) or version.loops:
            return None
        shape = self.shapes.token(version)
        if shape == SCALAR:
            return None
        operands = () if version.statement is None else ir.reads(version.statement)
        named = (v for name, v in self.at_hand.items() if name in operands)
        for last in chain(named, self.at_hand.values()):
            if self.shapes.is_same(None, self.shapes.token(last), shape):
                return last
        return None

    @cached_property
    def at_hand(self) -> dict[str, Version]:
        """The arrays with a name that are still there when the backward sweep begins."""
        return {
            name: last
            for name, last in self.versions.final.items()
            if not isinstance(name, variables.Generated)
            and name in self.shapes.arrays
            and self.is_direct(self.binding(last))
        }

    # whose memory a version shares

    def viewed(self, version: Version) -> Iterator[Version]:
        """The versions whose memory a version may share, under other names."""
        if version.kind is VersionKind.CHANGED:
            yield from version.priors
        if version.meets and self.binding(version) is version:
            yield from version.priors
        yield from (*self.sources(version), *self.left(version))

    def left(self, version: Version) -> Iterator[Version]:
        """The version before, of which a kept statement may have left the object, if changed.

        What it changes there it has changed already in the version that it makes.
        """
        statement = version.statement
        is_binding = isinstance(statement, ir.Assign) and version.name in statement.targets
        is_assigned = version.kind is VersionKind.ASSIGN and not is_binding
        if is_assigned and statement is not None:
            yield from filter(None, [self.versions.before[statement].get(version.name)])

    def sources(self, version: Version) -> Iterator[Version]:
        """The versions that an assignment may have given a second name, whole or in part.

        What is appended to a list, and what that held before, can be had from it under a new name.
        """
        statement = version.statement
        if isinstance(statement, ir.Do):
            for name in ir.reads(statement):
                if (statement, name) in self.versions.reads:
                    yield self.versions.reads[statement, name]
        if isinstance(statement, ir.For) and version.name == statement.target:
            for name in ir.names((statement.iterable,)):
                if (statement, name) in self.versions.reads:
                    yield self.versions.reads[statement, name]
        if not isinstance(statement, ir.Assign):
            return
        names: Iterable[str] = ()
        first = statement.targets[0]
        if isinstance(version.name, variables.Saved) and version.name != first:
            yield self.versions.writes[statement, first]
        match statement.value:
            case ir.Call(function="python.tuple", args=args) if statement.is_tuple and (
                len(args) == len(statement.targets)
            ):
                names = ir.names((args[statement.targets.index(version.name)],))
            case ir.Call(function=function, args=args) if function in ir.READING:
                names = ir.names(args[:1])
            case value if views.may_view(value):
                names = views.viewed(value)
        for name in names:
            if (statement, name) in self.versions.reads:
                yield self.versions.reads[statement, name]

    def _sources_met(self, version: Version) -> Iterator[Version]:
        """What a version may be a second name of, by one of the versions that meet in it."""
        for one in reached([version], _met):
            yield from self.sources(one)

    # what is worked out once

    def _bindings(self) -> dict[int, Version]:
        """For each version that is not an object of its own the one that made the object.

        Where ways meet, that is the one that all of them lead to, if there is one and it is made
        in the same pass; circles of loops lead nowhere. (Braun et al., Simple and efficient
        construction of static single assignment form, CC 2013, section 3.2.)
        """
        made: dict[int, Version] = {}
        self._bind([v.number for v in self.versions.every if self._priors(v)], made)
        return made

    def _bind(self, among: list[int], made: dict[int, Version]) -> None:
        for component in components(among, lambda number: self._priors(self.numbered[number])):
            inside, inner = set(component), list[int]()
            entering = {
                prior
                for number in component
                for prior in self._priors(self.numbered[number])
                if prior not in inside
            }
            makers = {made.get(prior, self.numbered[prior]).number for prior in sorted(entering)}
            only = self.numbered[min(makers)] if len(makers) == 1 else None
            for number in component:
                version = self.numbered[number]
                if only is not None:
                    is_met = not _is_made_in_pass(only, version)
                else:
                    is_met = not entering or not entering.isdisjoint(self._priors(version))
                if is_met:
                    made[number] = version
                else:
                    inner.append(number)
            if only is not None and len(inner) == len(component):
                made.update(dict.fromkeys(component, only))
            elif inner:
                self._bind(inner, made)

    def _priors(self, version: Version) -> list[int]:
        """The versions by whose objects a version may be; none where it is another object."""
        if version.kind is VersionKind.STORE:
            is_same = version.priors and not self.is_rebinding(version)
            return [version.priors[0].number] if is_same else []
        if version.meets:
            return [prior.number for prior in version.priors]
        return []

    def _indexed(self) -> set[int]:
        """The versions of variables that hold arrays, because elements of them are stored."""
        stored = (
            v
            for v in self.versions.every
            if isinstance(v.statement, ir.Store) and v.statement.index is not None
        )
        around = reached(stored, lambda v: (*v.priors, *self.users.get(v.number, ())))
        return {version.number for version in around}

    def _overwritten(self) -> set[int]:
        """The versions from which one comes to `x += v`, by all that may share their memory.

        So one does to what a call changes that nothing follows.
        """
        before: dict[Version, list[Version]] = {}
        changed = [
            self.versions.before[statement][name]
            for statement in ir.walk(self.function.body)
            for name in effects.changed(statement, effects.UNSAID, self.known)
            if name in self.versions.before[statement]
        ]
        changed += [v.priors[0] for v in self.versions.every if v.kind is VersionKind.CHANGED]
        for version in self.versions.every:
            derived = self.derived(version)
            for other in (*self._sources_met(version), *derived, self.binding(version)):
                before.setdefault(other, []).append(version)
            is_assigned = version.kind is VersionKind.ASSIGN
            is_of_state = is_assigned and _is_of_state(version.statement)
            if is_of_state or any(self.is_rebinding(user) for user in derived):
                changed.append(version)
        return {version.number for version in reached(changed, lambda v: before.get(v, ()))}

    def _added_to(self) -> set[int]:
        """The versions of what functions of ours change in place, and of what is made of it."""
        members: dict[Version, list[Version]] = {}
        for version in self.versions.every:
            members.setdefault(self.binding(version), []).append(version)

        def of_same_memory(maker: Version) -> Iterator[Version]:
            for member in members.get(maker, ()):
                others = [v for v in self.aliased.get(member.number, ()) if _is_view(v)]
                others += self.sources(member) if _is_view(member) else ()
                yield from map(self.binding, (*others, *_met(member)))

        changed = (
            self.binding(self.versions.reads[statement, id])
            for version in self.versions.every
            if version.kind is VersionKind.ASSIGN and (statement := version.statement) is not None
            for id in _changed(statement)
        )
        makers = reached(changed, of_same_memory)
        return {member.number for maker in makers for member in members.get(maker, ())}

    def _invariant(self) -> set[int]:
        """The versions in loops that are computed, without effects, from what these do not change.

        Nothing is stored into them, either.
        """
        found = set[int]()
        for version in self.versions.every:
            match version.statement:
                case ir.Assign(value=ir.Name() | ir.Call() as value) as statement if (
                    version.loops and self.is_repeatable(statement, value) and _is_bound(version)
                ):
                    made_of = [self.versions.reads.get((statement, n)) for n in ir.reads(statement)]
                    is_same = all(v and (not v.loops or v.number in found) for v in made_of)
                    if is_same and not self._is_changed(version):
                        found.add(version.number)
        return found

    def is_repeatable(self, statement: ir.Statement, value: ir.Name | ir.Call) -> bool:
        """Tells whether an expression gives the same whenever it is computed from the same.

        What uses an iterator up does not.
        """
        if not isinstance(value, ir.Call) or not _is_repeatable(value):
            return _is_repeatable(value)
        if self.may_be_set(value):
            return False
        is_of_arrays = targets.is_of(value.function, "numpy")
        if is_of_arrays or operations.of(value.function).runs is None:
            return True
        facts = self.known.facts(self.function)
        return all(facts.is_run_again(statement, a) for a in value.args)

    def may_be_set(self, call: ir.Call) -> bool:
        """Tells whether a call reads an attribute that functions set of classes, or their like."""
        if targets.is_attribute(call.function):
            return self.known.sets_attribute(targets.member(call.function))
        if call.function != ir.OPTION:
            return False
        name = call.args[1]
        return isinstance(name, ir.Const) and self.known.sets_attribute(str(name.value))

    def _is_changed(self, version: Version) -> bool:
        """Tells whether something may be stored into a value, under whatever name."""
        users = reached([version], self.derived)
        return not all(_is_bound(v) or v.meets for v in users) or any(self.changed_in([version]))


def _is_bound(version: Version) -> bool:
    """Tells whether an assignment or a loop binds a variable to a value."""
    match version.statement:
        case ir.Assign(targets=targets):
            return version.kind is VersionKind.ASSIGN and version.name in targets
        case ir.For():
            return True
    return False


def _met(version: Version) -> tuple[Version, ...]:
    """The versions that meet in one."""
    return version.priors if version.meets else ()


def _is_repeatable(value: ir.Name | ir.Call) -> bool:
    """Tells whether an expression gives the same whenever it is computed from the same.

    What a forward sweep saves does not: the backward sweep of each pass takes it apart.
    """
    if isinstance(value, ir.Call):
        is_consumed = isinstance(value.function, targets.OF_SWEEPS)
        if is_consumed or value.function in ir.STATES.values():
            return False
    return effects.is_pure(value)


def _is_of_state(statement: ir.Statement | None) -> bool:
    """Tells whether a statement reads a variable whose object functions change."""
    match statement:
        case ir.Assign(value=ir.Call(function=function)):
            return function == ir.STATES["changed"]
    return False


def _is_made_in_pass(maker: Version, version: Version) -> bool:
    """Tells whether what made an object did so in the pass of all loops in which a version is.

    What the head of a loop has from inside of it was made in a pass before.
    """
    if version.kind is VersionKind.HEAD and version.statement in maker.loops:
        return False
    return version.kind is VersionKind.STORE or maker.loops == version.loops[: len(maker.loops)]


def _changed(statement: ir.Statement) -> tuple[str, ...]:
    """The variable that a function of ours changes in place."""
    match statement:
        case ir.Assign(value=ir.Call(function=function, args=(ir.Name(id), *_))):
            return (id,) if operations.of(function).gives_back else ()
    return ()


def _is_view(version: Version) -> bool:
    """Tells whether a version is a second name for an array, or a part of it."""
    match version.statement:
        case ir.Assign(value=ir.Name()):
            return True
        case ir.Assign(value=ir.Call(function=function)):
            return not (targets.is_syntax(function) or operations.of(function).gives_back)
    return False
