"""Stores by views: a store by a view is one at its place.

`t = b.T`, `r = b.reshape(-1)`, `row = b[i]`: the inference tells that these are arrays, so that
each is surely a view. Of `u = U[1:-1, 1:-1]` the text alone does. Its name then stands for how it
is seen, a chain of `Link`s from the array that owns the memory. What reads the name looks at the
owner again, and what is written by it goes into a part of the owner, `b[i][0] = v`, or into a view
that the owner is seen by in its turn: `t = b.T`, `t[0] = v`, `b = t.T`. While it runs that changes
the memory of `b`, and nothing is copied; what is left to differentiate is one array with one name.
(This is functionalization, as PyTorch calls it.)

What is written by the name of a slice alone is the matter of `view_write_back.py`, and so is what
nobody knows to be a view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from adlsp.transform import ir
from adlsp.transform.facts import callees, containers, effects, operations
from adlsp.transform.facts.facts import Facts
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import StoreKind
from adlsp.transform.ir.variables import Step, readable
from adlsp.transform.ops.spec import Kind, Op, Result, View
from adlsp.transform.source import Span
from adlsp.transform.values import places

ITEM = "operator.getitem"


@dataclass(frozen=True, slots=True)
class Link:
    """How one view is seen from an array, `call` of it; `steps` are those that the call reads.

    What a list, tuple or dictionary holds is seen by its cell.
    """

    call: ir.Call
    is_part: bool
    is_row: bool = False
    is_cell: bool = False
    steps: tuple[ir.Assign, ...] = ()

    def of(self, name: str) -> ir.Call:
        """The view of a variable."""
        return replace(self.call, args=(ir.Name(name), *self.call.args[1:]))

    @property
    def record(self) -> Op:
        """What is known of the function that gives the view."""
        return operations.of(self.call.function)


@dataclass(frozen=True, slots=True)
class Seen:
    """A name for what is seen of an array: as `links` say, from where `made` binds it.

    `first` reads the owner.
    """

    name: str
    made: ir.Assign
    owner: str
    links: tuple[Link, ...]
    region: ir.Block
    first: ir.Assign

    @property
    def rows(self) -> tuple[Link, ...]:
        """The rows that it is seen by at last: `b.T[0]` is one of `b.T`."""
        n_others = max((n for n, link in enumerate(self.links, 1) if not link.is_row), default=0)
        return self.links[n_others:]

    @property
    def n_cells(self) -> int:
        """By how many cells, one in another, it is seen."""
        return sum(link.is_cell for link in self.links)

    @property
    def is_read(self) -> bool:
        """Tells whether it is bound to a part that is read there, and not to a step for one."""
        return isinstance(self.made.value, ir.Call) and self.made.value.function == ITEM

    @property
    def is_rows(self) -> bool:
        """Tells whether it is a row, or a row of a row: an element as a list has them."""
        return all(link.is_row for link in self.links)

    @property
    def has_only_parts(self) -> bool:
        """Tells whether it is a part of a part of the owner, in the same order."""
        return all(link.is_part for link in self.links)


def at_places(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The function in which what is written by views is written where they are."""
    changes = (s for s in ir.walk(function.body) if _is_change(s))
    if not any(name for s in changes for name in _changed(s, known)):
        return function
    finder = _Finder(known.facts(function), known)
    found = finder.chosen()
    return _Rewriter(finder, found).function if found else function


def _is_change(statement: ir.Statement) -> bool:
    """Tells whether a statement may write into an array."""
    match statement:
        case ir.Store():
            return not (ir.resizes(statement) or ir.sets_cell(statement))
        case ir.Do(value=ir.Call()) | ir.Assign(value=ir.Call()):
            return True
    return False


class _Finder:
    """Finds the names that surely stand for views, while their arrays change."""

    def __init__(self, facts: Facts, known: callees.Callees) -> None:
        self.facts, self.known, self.inferred = facts, known, facts.inferred
        self.function, self.surely = facts.function, facts.arrays()
        self.arrays, self.objects = frozenset[str](), frozenset[str]()
        self.containers = dict[str, Kind]()
        if self.inferred is not None:
            self.arrays, self.objects = self.inferred.whole_arrays(), self.inferred.objects()
            self.containers = {**self.inferred.containers()}
        self.bound = Counter(name for s in ir.walk(self.function.body) for name in _bound(s))
        self.bound.update(p.name for p in self.function.parameters)
        self.uses: dict[ir.Statement, Counter[str]] = {}
        self.n_uses = self.count(self.function.body)
        self.views: dict[str, Seen] = {}

    def count(self, block: ir.Block) -> Counter[str]:
        """In how many statements of a block each variable is mentioned; notes it of each."""
        uses = Counter[str]()
        for statement in block:
            own = Counter({*ir.reads(statement), *ir.writes(statement)})
            for inner in ir.blocks(statement):
                own.update(self.count(inner))
            self.uses[statement] = own
            uses.update(own)
        return uses

    def chosen(self) -> dict[str, Seen]:
        """The views that are used while what they show changes, by name."""
        for block in ir.nested(self.function.body):
            for place, statement in enumerate(block):
                for name, link, seen in self.links(statement):
                    self.note(name, statement, link, seen, block, place)
        groups: dict[str, list[Seen]] = {}
        for view in self.views.values():
            groups.setdefault(view.owner, []).append(view)
        named = {owner: {owner, *(v.name for v in views)} for owner, views in groups.items()}
        return {
            view.name: view
            for owner, views in groups.items()
            if not any(
                self.meet(s, named[owner]) or self.is_seen(s, named[owner])
                for s in ir.walk(self.function.body)
            )
            for view in views
            if self.is_needed(view, named[owner])
        }

    def meet(self, statement: ir.Statement, names: set[str]) -> bool:
        """Tells whether a callee is given several names for one memory, and changes it.

        Rows by different indices are taken for different ones: `_Rewriter.met` makes sure of it.
        """
        match statement:
            case ir.Do(value=ir.Call() as call) | ir.Assign(value=ir.Call() as call):
                given = [name for name in ir.names(call.atoms) if name in names]
                if len(given) < 2 or names.isdisjoint(ir.names(self.known.changed(call))):
                    return False
                rows = {self.row(name) for name in given}
                are_all = None not in rows and len(rows) == len(given)
                return not are_all or len({len(row or ()) for row in rows}) > 1
        return False

    def is_seen(self, statement: ir.Statement, names: set[str]) -> bool:
        """Tells whether an object changes that others than `names` have, who look at it later."""
        changed = {*_changed(statement, self.known)} & names & self.objects
        shared = self.facts.aliases(scalar_elements=False)
        return any(
            (shared.related(statement, name) & self.facts.live.after[statement]) - names
            for name in changed
        )

    def row(self, name: str) -> tuple[tuple[ir.Atom, ...], ...] | None:
        """By which indices a row is seen; nothing of what is no row."""
        view = self.views.get(name)
        if view is None or not view.is_rows:
            return None
        return tuple(link.call.args[1:] for link in view.links)

    def links(self, statement: ir.Statement) -> Iterator[tuple[str, Link, str]]:
        """The names that a statement gives to views, and of which variable each is one."""
        match statement:
            case ir.Assign((name,), ir.Call() as call, is_tuple=False):
                link = self.link(statement, name, call)
                if link is not None:
                    yield name, link, ir.names(call.args[:1])[0]
            case ir.Assign((name,), ir.Name(id), is_tuple=False) if id in self.views:
                yield name, Link(ir.Call("", (ir.Name(id),)), is_part=True, is_row=True), id
            case ir.Assign(names, ir.Call("python.tuple", args), is_tuple=True) if len(
                names
            ) == len(args):
                for name, atom in zip(names, args, strict=True):
                    if isinstance(atom, ir.Name) and atom.id in self.views:
                        same = ir.Call("", (atom,))
                        yield name, Link(same, is_part=True, is_row=True), atom.id
            case ir.Assign(names, ir.Name() as whole, is_tuple=True):
                for number, name in enumerate(names):
                    part = ir.Call(ITEM, (whole, ir.Const(number)))
                    link = self.link(statement, name, part)
                    if link is not None:
                        yield name, link, whole.id

    def link(self, statement: ir.Assign, name: str, call: ir.Call) -> Link | None:
        """How a call sees its first argument, if both are surely arrays, and it gives a view."""
        match call.args:
            case (ir.Name(seen), index) if seen in self.containers and call.function == ITEM:
                is_held = name in self.arrays or name in self.containers or name in self.objects
                is_dict = self.containers[seen] is Kind.DICT
                is_cell = is_held and (is_dict or self.facts.indices.is_integer(statement, index))
                is_cell = is_cell and self.values.holds_apart(statement, seen, self.written)
                if not is_cell or not isinstance(index, ir.Name | ir.Const) or seen == name:
                    return None
                steps = self.steps(statement, (index,))
                return Link(call, is_part=True, is_row=True, is_cell=True, steps=steps)
            case (ir.Name(seen), *rest) if {seen, name} <= self.arrays and seen != name:
                kind = operations.of(call.function).view
            case (ir.Name(seen), index) if self.is_slice(statement, name, call) and seen != name:
                rest, kind = [index], None
            case _:
                return None
        steps = self.steps(statement, rest)
        if call.keywords or operations.of(call.function).result is Result.FRESH:
            return None
        if call.function == ITEM:
            if not self.facts.indices.is_basic(statement, rest[0]):
                return None
            is_row = self.facts.indices.is_integer(statement, rest[0])
            return Link(call, is_part=True, is_row=is_row, steps=steps)
        if kind is View.PART:
            is_complex = self.values.is_complex(statement, seen)
            if is_complex is False and call.function == "attribute.real":
                return Link(ir.Call("", call.args), is_part=True, is_row=True)
            kind = kind if is_complex else None
        elif (kind in (View.REVERSED, View.ITSELF) and rest) or _is_ordered(call):
            kind = None
        return Link(call, is_part=False, steps=steps) if kind else None

    def is_slice(self, statement: ir.Assign, name: str, call: ir.Call) -> bool:
        """Tells whether a call surely gives a slice of an array, by the text alone."""
        if call.function != ITEM:
            return False
        base, index = call.args
        if self.facts.indices.is_of_array(statement, index):
            return True
        is_array = not self.surely.isdisjoint((name, *ir.names((base,))))
        return is_array and self.facts.indices.is_slice(statement, index)

    @property
    def values(self) -> callees.Inferred:
        """What the inference says, which knows of an array or a container."""
        assert self.inferred is not None
        return self.inferred

    @cached_property
    def written(self) -> frozenset[str]:
        """The places in memory into which the function writes."""
        changes = (s for s in ir.walk(self.function.body) if _is_change(s))
        names = ((s, [*_changed(s, self.known)]) for s in changes)
        every = [self.values.written_into(s, changed) for s, changed in names if changed]
        return places.ANYWHERE if places.ANYWHERE in every else places.NOWHERE.union(*every)

    def steps(self, statement: ir.Statement, atoms: Iterable[ir.Atom]) -> tuple[ir.Assign, ...]:
        """The steps that make the indices that a call reads, to be made again for each view."""
        found: list[ir.Assign] = []
        for atom in atoms:
            if isinstance(atom, ir.Name) and isinstance(atom.id, Step):
                match source := self.facts.indices.source(statement, atom):
                    case ir.Assign(value=ir.Call(called, args, ()), is_tuple=False) if (
                        operations.keeps_integers(called) or operations.of(called).is_index
                    ):
                        found += [*self.steps(source, args), source]
        return tuple(dict.fromkeys(found))

    def note(
        self,
        name: str,
        made: ir.Statement,
        link: Link,
        seen: str,
        block: ir.Block,
        place: int,
    ) -> None:
        """Notes a view, if its name stands for one in all that follows."""
        assert isinstance(made, ir.Assign)
        rest = block[place + 1 :]
        used = [i for i, s in enumerate(rest) if name in self.uses[s]]
        region = rest[: used[-1] + 1] if used else ()
        n_uses = 1 + sum(self.uses[rest[i]][name] for i in used)
        if self.bound[name] != 1 or self.n_uses[name] != n_uses:
            return
        base = self.views.get(seen)
        owner = seen if base is None else base.owner
        links = (*(() if base is None else base.links), *((link,) if link.call.function else ()))
        indices = {name for each in links for name in _leaves(each)}
        inside = [*ir.walk(region)]
        if any(owner in _bound(s) or not indices.isdisjoint(ir.writes(s)) for s in inside):
            return
        if any(_is_odd(s, name) or self.is_given_back(s, name) for s in inside):
            return
        first = made if base is None else base.first
        n_cells = sum(link.is_cell for link in links)
        if n_cells and any(self.may_move(s, owner, n_cells) for s in inside):
            return
        if n_cells and not containers.holds_each_once(self.facts, first, owner, n_cells, n_given=1):
            return
        self.views[name] = Seen(name, made, owner, links, region, first)

    def is_given_back(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a call changes what a name stands for, and gives it another name."""
        match statement:
            case ir.Assign(value=ir.Call() as call) if name in ir.names(self.known.changed(call)):
                return any(ir.Name(name) in part for part in self.known.sharing(call) or ())
        return False

    def may_move(self, statement: ir.Statement, owner: str, n_cells: int) -> bool:
        """Tells whether a statement may put something else into a cell that a name is seen by.

        That does what changes the owner, or what is seen of it by fewer of its cells.
        """
        names = {owner, *(v.name for v in self.views.values() if v.owner == owner)}
        names -= {n for n in names if n in self.views and self.views[n].n_cells >= n_cells}
        names &= self.containers.keys()
        if isinstance(statement, ir.Store):
            is_changed = statement.base in names and (
                statement.index is None
                or (statement.kind.replaces and self.values.sets_cell(statement))
            )
            return is_changed
        return not names.isdisjoint(n for n, _ in effects.changes(statement, self.known))

    def is_needed(self, view: Seen, names: set[str]) -> bool:
        """Tells whether what a view shows changes while it is used, by more than its own name.

        Writes by the name of a slice alone are the matter of `view_write_back.py`.
        """
        inside = [s for s in ir.walk(view.region) if _is_change(s)]
        changed = {name for s in inside for name in _changed(s, self.known)} & names
        is_slice = view.has_only_parts and (isinstance(view.name, Step) or not view.is_rows)
        is_slice = is_slice and view.is_read
        return bool(changed - {view.name} if is_slice else changed)


def _index(reader: ir.Store | ir.Assign) -> ir.Atom | None:
    """The index of a store, or of what reads an element."""
    if isinstance(reader, ir.Store):
        return reader.index
    assert isinstance(reader.value, ir.Call)
    return reader.value.args[1]


def _leaves(link: Link) -> set[str]:
    """The variables that say how a view is seen."""
    own = {made.targets[0] for made in link.steps}
    read = {name for made in link.steps for name in ir.reads(made)}
    return (read | {*ir.names(link.call.args[1:])}) - own


def _changed(statement: ir.Statement, known: callees.Callees) -> Iterator[str]:
    """The variables into whose arrays a statement writes."""
    match statement:
        case ir.Store(base=base):
            yield base
        case ir.Do(value=ir.Call() as call) | ir.Assign(value=ir.Call() as call):
            yield from ir.names(known.changed(call))


def _is_odd(statement: ir.Statement, name: str) -> bool:
    """Tells whether a statement uses a name where nothing may be put in its place."""
    match statement:
        case ir.While(test=ir.Name(id)):
            return id == name
        case ir.Insert():
            return _mentions(statement, name)
        case ir.Assign(value=ir.Opaque() as value) | ir.Do(value=ir.Opaque() as value):
            return name in value.reads or name in value.writes
        case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
            return ir.Name(name) in call.atoms and ir.changes_first(call.function)
    return False


def _bound(statement: ir.Statement) -> tuple[str, ...]:
    """The variables that a statement binds, or changes in a way of its own."""
    is_store = isinstance(statement, ir.Store)
    is_place = is_store and not (ir.resizes(statement) or ir.sets_cell(statement))
    return () if is_place else ir.writes(statement)


def _mentions(statement: ir.Statement, name: str) -> bool:
    return name in ir.reads(statement) or name in ir.writes(statement)


class _Rewriter:
    """Puts what views stand for in their places, and what is written by them into their owners."""

    def __init__(self, finder: _Finder, views: Mapping[str, Seen]) -> None:
        self.finder, facts, known = finder, finder.facts, finder.known
        self.facts, self.known, self.views = facts, known, views
        self.makers = {view.made for view in views.values()}
        self.fresh = ir.fresh(facts.function)
        self.function = replace(facts.function, body=self.block(facts.function.body))

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(made for statement in block for made in self.statement(statement))

    def statement(self, statement: ir.Statement) -> list[ir.Statement]:
        if statement in self.makers:
            assert isinstance(statement, ir.Assign)
            return self.without(statement)
        steps: list[ir.Statement] = []
        behind: list[ir.Statement] = []
        origin = statement.origin
        changed = {*_changed(statement, self.known)} & self.views.keys()
        match statement:
            case ir.Store(base=base, value=value) if base in self.views:
                seen = {value.id} & self.views.keys() if isinstance(value, ir.Name) else set()
                for name in seen:
                    value = self.looked_at(self.views[name], steps, origin)
                made = replace(statement, value=value)
                self.store(self.views[base], statement, made, steps, behind)
                return [*steps, *behind]
            case ir.Assign(value=ir.Call("operator.getitem", (ir.Name(id), _))) if id in self.views:
                view = self.views[id]
                rows = () if any(link.is_cell for link in view.rows) else self.rows(view, statement)
                if rows:
                    outer = replace(view, links=view.links[: len(view.links) - len(rows)])
                    whole = self.looked_at(outer, steps, origin)
                    place = self.place(rows, statement, steps)
                    return [*steps, replace(statement, value=ir.Call(ITEM, (whole, place)))]
        statement = ir.rebuilt(statement, block=self.block)
        for one, other in self.met(statement, changed):
            both = self.looked_at(one, steps, origin), self.looked_at(other, steps, origin)
            steps.append(ir.Do(ir.Call("adlsp.runtime.apart", both), origin))
        names: dict[str, ir.Atom] = {}
        for name in dict.fromkeys(ir.reads(statement)):
            if name in changed:
                names[name] = ir.Name(self.written(self.views[name], steps, behind, origin))
            elif name in self.views:
                names[name] = self.looked_at(self.views[name], steps, origin)
        if names:
            statement = ir.rebuilt(
                statement, lambda a: names.get(a.id, a) if isinstance(a, ir.Name) else a
            )
        return [*steps, statement, *behind]

    def met(self, statement: ir.Statement, changed: set[str]) -> Iterator[tuple[Seen, Seen]]:
        """The rows of one array of which a callee changes some, where they may be the same."""
        if not changed or isinstance(statement, ir.Store):
            return
        given = [self.views[n] for n in dict.fromkeys(ir.reads(statement)) if n in self.views]
        for one, other in combinations(given, 2):
            is_changed = not changed.isdisjoint((one.name, other.name))
            if is_changed and one.owner == other.owner and not self.are_different(one, other):
                yield one, other

    def are_different(self, one: Seen, other: Seen) -> bool:
        """Tells whether two rows are surely not the same: by different literals of one sign."""
        match one.links, other.links:
            case (
                (Link(call=ir.Call(args=(_, ir.Const(int() as a)))), *_),
                (Link(call=ir.Call(args=(_, ir.Const(int() as b)))), *_),
            ):
                return a != b and (a < 0) == (b < 0)
        return False

    def without(self, made: ir.Assign) -> list[ir.Statement]:
        """What gave views their names, for the other names that it gives, and as a check."""
        checks: list[ir.Statement] = []
        for name in made.targets:
            if name in self.views and self.may_be_copy(self.views[name]):
                view = self.views[name]
                cells = [at for at, link in enumerate(view.links) if link.is_cell]
                array = replace(view, links=view.links[: max(cells, default=-1) + 1])
                both = [self.looked_at(each, checks, made.origin) for each in (view, array)]
                checks.append(ir.Do(ir.Call("adlsp.runtime.viewed", tuple(both)), made.origin))
        if not made.is_tuple:
            return checks
        if isinstance(made.value, ir.Name):
            for number, name in enumerate(made.targets):
                if name not in self.views:
                    part = ir.Call(ITEM, (made.value, ir.Const(number)))
                    checks += self.statement(ir.Assign((name,), part, made.origin))
            return checks
        assert isinstance(made.value, ir.Call)
        pairs = zip(made.targets, made.value.args, strict=True)
        kept = [(name, atom) for name, atom in pairs if name not in self.views]
        names, atoms = tuple(name for name, _ in kept), tuple(atom for _, atom in kept)
        if not kept:
            return checks
        if len(kept) == 1:
            one = replace(made, targets=names, value=atoms[0], is_tuple=False)
            return [*checks, one]
        return [*checks, replace(made, targets=names, value=replace(made.value, args=atoms))]

    def may_be_copy(self, view: Seen) -> bool:
        """Tells whether a view may turn out to be a copy: where elements lie in another order."""
        copying = [position for position, v in enumerate(view.links) if v.record.may_copy]
        return bool(copying) and (copying[0] > 0 or not self.lies_in_order(view))

    def lies_in_order(self, view: Seen) -> bool:
        """Tells whether the elements of the owner surely lie one after the other."""
        reader = view.made
        version = self.facts.versions.before[reader].get(view.owner)
        while version is not None and len(version.priors) == 1 and version.statement is not None:
            if not isinstance(version.statement, ir.Store):
                break
            version = version.priors[0]
        match None if version is None else version.statement:
            case ir.Assign(value=ir.Call() as made, is_tuple=False) if not _is_ordered(made):
                record = operations.of(made.function)
                is_new = record.result is Result.FRESH
                is_line = is_new and self.finder.values.rank(reader, view.owner) == 1
                return is_line or bool(record.lies_in_order)
        return False

    def looked_at(self, view: Seen, steps: list[ir.Statement], origin: Span) -> ir.Name:
        """A step for what a view shows now."""
        name = view.owner
        for link in view.links:
            name = self.seen(link, name, self.fresh.step(), steps, origin)
        return ir.Name(name)

    def seen(
        self, link: Link, name: str, made: str, steps: list[ir.Statement], origin: Span
    ) -> str:
        """One more view of a variable, by another name."""
        call = self.again(link, steps, origin).of(name)
        if call.function == "attribute.flat":
            call = ir.Call("ndarray.reshape", (ir.Name(name), ir.Const(-1)))
        steps.append(ir.Assign((made,), replace(call, span=None), origin))
        return made

    def again(self, link: Link, steps: list[ir.Statement], origin: Span) -> Link:
        """A link with steps of its own."""
        names: dict[str, ir.Atom] = {}

        def renamed(atom: ir.Atom) -> ir.Atom:
            return names.get(atom.id, atom) if isinstance(atom, ir.Name) else atom

        for made in link.steps:
            step = self.fresh.step()
            assert isinstance(made.value, ir.Call)
            value = ir.mapped(replace(made.value, span=None), renamed)
            steps.append(ir.Assign((step,), value, origin))
            names[made.targets[0]] = ir.Name(step)
        first, *rest = link.call.args
        return replace(link, call=replace(link.call, args=(first, *map(renamed, rest))), steps=())

    def store(
        self,
        view: Seen,
        store: ir.Store,
        made: ir.Store,
        steps: list[ir.Statement],
        behind: list[ir.Statement],
    ) -> None:
        """A store by a view: into a part of a part, or into a name that it has for the while.

        `made` is what has become of the `store` so far.
        """
        links, origin = view.links, store.origin
        rows = self.rows(view, store) if store.index is not None else view.rows
        if store.index is None and not rows and links[-1:] and links[-1].is_part:
            rows = links[-1:]
        if not rows:
            name = self.written(view, steps, behind, origin)
            steps.append(replace(made, base=name))
            return
        base, outer = view.owner, links[: len(links) - len(rows)]
        if outer:
            base = self.written(replace(view, links=outer), steps, behind, origin)
        steps.append(replace(made, base=base, index=self.place(rows, store, steps)))

    def rows(self, view: Seen, reader: ir.Store | ir.Assign) -> tuple[Link, ...]:
        """The rows of a view that an index goes into, if both together are one index."""
        index = _index(reader)
        indices = self.facts.indices
        if index is None:
            return ()
        if indices.is_path(reader, index):
            return view.rows if view.rows and view.rows[-1].is_cell else ()
        is_place = indices.is_basic(reader, index) or indices.is_key(reader, index)
        return view.rows if is_place else ()

    def place(
        self, rows: tuple[Link, ...], reader: ir.Store | ir.Assign, steps: list[ir.Statement]
    ) -> ir.Atom:
        """The index of a place in a row of an array, as one index of the array."""
        path: list[list[ir.Atom]] = []
        is_open = False
        for link in rows:
            (index,) = self.again(link, steps, reader.origin).call.args[1:]
            if is_open:
                path[-1].append(index)
            else:
                path.append([index])
            is_open = not link.is_cell
        inner = self.inner(reader)
        own = _index(reader)
        if own is not None and self.facts.indices.is_path(reader, own):
            path += [[each] for each in self.facts.indices.path(reader, own)]
        elif inner and is_open:
            path[-1] += inner
        elif inner or not is_open:
            path.append(inner or [ir.Const(...)])
        made = [
            each[0]
            if len(each) == 1
            else self.hold(ir.Call("python.tuple", tuple(each)), steps, reader.origin)
            for each in path
        ]
        if len(made) == 1:
            return made[0]
        return self.hold(ir.Call(ir.PATH, tuple(made)), steps, reader.origin)

    def inner(self, reader: ir.Store | ir.Assign) -> list[ir.Atom]:
        """The index of a store or a read, by its parts."""
        index = _index(reader)
        match None if index is None else self.facts.indices.definition(reader, index):
            case ir.Call("python.tuple", args) if args:
                return [*args]
        return [] if index is None else [index]

    def written(
        self,
        view: Seen,
        steps: list[ir.Statement],
        behind: list[ir.Statement],
        origin: Span,
    ) -> str:
        """A name for a view that is written into; what puts that into the owner comes `behind`."""
        name, back = view.owner, list[ir.Statement]()
        for position, link in enumerate(view.links):
            is_last = position == len(view.links) - 1
            now = self.fresh.own(readable(view.name) if is_last else readable(view.owner))
            if not link.is_part:
                back[:0] = self.undone(link, name, now, steps, origin)
                name = self.seen(link, name, now, steps, origin)
                continue
            own = self.again(link, steps, origin)
            part = self.seen(own, name, self.fresh.step(), steps, origin)
            copied = ir.Call("adlsp.runtime.part", (ir.Name(part),))
            steps.append(ir.Assign((now,), copied, origin))
            index, kind = own.call.args[1], StoreKind.REPLACE
            holds_cells = not is_last and view.links[position + 1].is_cell
            if holds_cells:
                kind = StoreKind.SET
            elif is_last and view.name in self.finder.objects | self.finder.containers.keys():
                kind = ir.CHANGE
            elif link.is_cell:
                index = self.hold(ir.Call(ir.PATH, (index, ir.Const(...))), steps, origin)
            back.insert(0, ir.Store(name, index, ir.Name(now), kind, origin))
            name = now
        behind[:0] = back
        return name

    def undone(
        self, link: Link, name: str, now: str, steps: list[ir.Statement], origin: Span
    ) -> list[ir.Statement]:
        """What gives a variable what was written into a view of it, of all of its elements.

        What has to be read of it for that, before anything is written, comes into `steps`.
        """
        given: ir.Expression
        match link.record.view:
            case View.PART:
                return self.completed(link, name, now, steps, origin)
            case View.ITSELF:
                given = ir.Name(now)
            case View.REVERSED:
                given = ir.Call("attribute.T", (ir.Name(now),))
            case View.AGAIN:
                given = link.of(now)
            case _:
                shape = self.hold(ir.Call("attribute.shape", (ir.Name(name),)), steps, origin)
                given = ir.Call("ndarray.reshape", (ir.Name(now), shape))
        return [ir.Assign((name,), given, origin)]

    def completed(
        self, link: Link, name: str, now: str, steps: list[ir.Statement], origin: Span
    ) -> list[ir.Statement]:
        """What makes complex numbers of one of their parts, which was written into."""
        back: list[ir.Statement] = []
        is_real = link.call.function == "attribute.real"
        other = "imag" if is_real else "real"
        rest = self.hold(ir.Call(f"attribute.{other}", (ir.Name(name),)), steps, origin)
        turned: ir.Atom = ir.Name(now)
        if is_real:
            rest = self.hold(ir.Call("operator.mul", (ir.Const(1j), rest)), steps, origin)
        else:
            rest = self.hold(ir.Call("adlsp.runtime.part", (rest,)), steps, origin)
            turned = self.hold(ir.Call("operator.mul", (ir.Const(1j), turned)), back, origin)
        return [*back, ir.Assign((name,), ir.Call("operator.add", (turned, rest)), origin)]

    def hold(self, call: ir.Call, steps: list[ir.Statement], origin: Span) -> ir.Name:
        step = self.fresh.step()
        steps.append(ir.Assign((step,), call, origin))
        return ir.Name(step)


def _is_ordered(call: ir.Call) -> bool:
    """Tells whether a call says in which order elements lie, or are taken: `a.ravel("F")`."""
    names = [each.split("=")[0] for each in (operations.of(call.function).parameters or "").split()]
    is_positional = "order" in names and not any(name.startswith("*") for name in names)
    given = call.args[names.index("order") :] if is_positional else ()
    order = given[0] if given else dict(call.keywords).get("order", ir.Const("C"))
    return order not in (ir.Const("C"), ir.Const(None))
