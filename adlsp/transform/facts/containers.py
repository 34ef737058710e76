"""Lists and dictionaries that a function makes itself, and the stores that set their cells.

Such a store is an item store into an object whose allocation site is known. `s[i] = v` puts another
object into such a container. It writes into none that was there, nor into what other containers
hold; the adjoint of the new object comes from the cell, and that of the old one has the shape of
the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from adlsp.transform import ir
from adlsp.transform.facts import operations, views
from adlsp.transform.facts.callees import Inferred
from adlsp.transform.facts.indices import Indices, is_key
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir import targets
from adlsp.transform.ops.spec import Kind, Makes

if TYPE_CHECKING:
    from adlsp.transform.facts.facts import Facts


def with_cell_stores(facts: Facts) -> ir.Function:
    """The function with stores that tell of it where they set cells of its own containers.

    `s[i] += v` becomes `s[i] = s[i] + v`.
    """
    function = facts.function
    walked = list(ir.walk(function.body))
    is_stored = any(isinstance(s, ir.Store) and s.index is not None for s in walked)
    if not is_stored or not any(map(makes_container, walked)):
        return function
    numbered = facts.versions
    fresh = ir.fresh(function)
    paths = {
        name
        for s in walked
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call) and s.value.function == ir.PATH
        for name in s.targets
    }

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in statements:
            kind = None
            if isinstance(statement, ir.Store) and not (
                statement.kind.is_of_container or paths.intersection(ir.reads(statement))
            ):
                kind = kind_of(numbered.reads.get((statement, statement.base)), numbered)
            if not kind or not isinstance(statement, ir.Store) or statement.index is None:
                made.append(ir.rebuilt(statement, block=block))
            elif statement.kind.replaces:
                setting = ir.StoreKind.ENTER if kind is Kind.DICT else ir.StoreKind.SET
                made.append(replace(statement, kind=setting))
            else:
                old, new = ir.Name(fresh.step()), ir.Name(fresh.step())
                origin, base = statement.origin, ir.Name(statement.base)
                read = ir.Call("operator.getitem", (base, statement.index))
                span = statement.span  # of what the user writes, for whoever asks whose line it is
                changed = ir.Call(statement.kind.operator, (old, statement.value), (), span)
                made.append(ir.Assign((old.id,), read, origin))
                made.append(ir.Assign((new.id,), changed, origin))
                made.append(replace(statement, kind=ir.StoreKind.CHANGE, value=new))
        return tuple(made)

    return replace(function, body=block(function.body))


def entries(
    function: ir.Function, places: Indices, whole: Collection[str], inferred: Inferred | None
) -> frozenset[ir.Store]:
    """The stores `p[i] = v` that set a cell of a list or dictionary, by all that is known.

    `p` need not be made by the function; it is not among the `whole`, which are surely arrays. What
    was in the cell may have another structure than `v`.
    """
    walked = list(ir.walk(function.body))
    stores = [
        s
        for s in walked
        if isinstance(s, ir.Store) and s.kind.replaces and s.base not in whole
        if places.may_be_cell(s)
    ]
    if not stores:
        return frozenset()
    used = frozenset(name for s in walked for name in _used_as_containers(s, places))
    depths = _depths(walked, places)
    return frozenset(
        store
        for store in stores
        if (store.index is not None and any(map(is_key, places.path(store, store.index))))
        or _is_zero(places.definition(store, store.value))
        or (store.base in used and not places.is_path(store, store.index))
        or (store.index is not None and _depth(store, store.index, places) < depths[store.base])
        or (places.is_path(store, store.index) and inferred and inferred.sets_other(store))
    )


def _depths(walked: list[ir.Statement], places: Indices) -> dict[str, int]:
    """How deep the stores of a function reach: what is stored into a place holds others itself."""
    found: dict[str, int] = {}
    for s in walked:
        if isinstance(s, ir.Store) and s.index is not None:
            found[s.base] = max(found.get(s.base, 0), _depth(s, s.index, places))
    return found


def _depth(store: ir.Store, index: ir.Atom, places: Indices) -> int:
    return len(places.path(store, index))


def counted(function: ir.Function) -> frozenset[str]:
    """The variables of which all elements are read at once: it matters how many there are.

    So it does for what holds such, as `d` in `for k in d["a"]`.
    """
    found: set[str] = set()
    inner: list[str] = []
    holders: dict[str, set[str]] = {}
    for statement in ir.walk(function.body):
        match statement:
            case ir.For(target=target, iterable=ir.Name(id)):
                inner.append(id)
                holders.setdefault(target, set()).add(id)
            case ir.Assign(parts, ir.Call("operator.getitem", (ir.Name(id), *_))):
                for part in parts:
                    holders.setdefault(part, set()).add(id)
            case ir.Assign(value=ir.Call(function=called) as call) if not (
                called in ir.READING or targets.is_of(called, "adlsp.runtime", "python")
            ):
                found.update(ir.names(call.atoms))
                if Kind.DICT in operations.of(called).of or targets.is_of(called, "builtins"):
                    inner += ir.names(call.atoms)
    while inner:
        outer = inner.pop()
        inner += holders.pop(outer, ())
        found.add(outer)
    return frozenset(found)


def _is_zero(value: ir.Expression | None) -> bool:
    """Tells whether a derivative puts a zero where something else was, in the shape of that."""
    return isinstance(value, ir.Call) and value.function == "adlsp.runtime.zeros"


def _used_as_containers(statement: ir.Statement, places: Indices) -> Iterator[str]:
    """The variables that a statement uses as only lists or dictionaries are used."""
    match statement:
        case ir.Assign(value=ir.Call(function=function, args=(ir.Name(id), *_))) if operations.of(
            function
        ).of == (Kind.DICT,):
            yield id
        case ir.Assign(value=ir.Call("operator.getitem", (ir.Name(id) as whole, index))):
            if any(map(is_key, places.path(statement, index))):
                yield id
                yield from _holder(statement, whole, places)
            if places.is_path(statement, index):
                yield id
        case ir.Assign(value=ir.Name() as part, is_tuple=True):
            yield from _holder(statement, part, places)
        case ir.Store(base=id, index=index, value=value) if index is not None:
            path = places.path(statement, index)
            made = places.definition(statement, value)
            is_display = isinstance(made, ir.Call) and operations.of(made.function).holds
            if len(path) > 1 or is_key(path[0]) or (is_display and places.may_be_cell(statement)):
                yield id
        case ir.For(target=key, iterable=ir.Name(id), body=body):
            for inner in ir.walk(body):
                match inner:
                    case ir.Assign(value=ir.Call("operator.getitem", (ir.Name(of), ir.Name(at)))):
                        is_indexed = (of, at) == (id, key)
                    case ir.Store(base=of, index=ir.Name(at)):
                        is_indexed = (of, at) == (id, key)
                    case _:
                        continue
                if is_indexed:
                    yield id


def _holder(statement: ir.Statement, part: ir.Name, places: Indices) -> Iterator[str]:
    """What a part was read from, by an index or as an element of a loop."""
    version = places.versions.reads.get((statement, part.id))
    match None if version is None else version.statement:
        case ir.Assign(value=ir.Call("operator.getitem", (ir.Name(id), _))):
            yield id
        case ir.For(iterable=ir.Name(id)) as loop:
            yield id
            made = places.definition(loop, ir.Name(id))
            if isinstance(made, ir.Call) and operations.gives_tuples(made.function):
                yield from ir.names(made.args)


def sets_entries(facts: Facts, name: str) -> bool:
    """Tells whether a function sets what a variable has by a name: no array has that."""
    return any(
        isinstance(s, ir.Store)
        and s.base == name
        and s.index is not None
        and is_key(facts.indices.path(s, s.index)[0])
        for s in ir.walk(facts.function.body)
    )


def makes_container(statement: ir.Statement) -> bool:
    """Tells whether a statement makes a list or dictionary."""
    match statement:
        case ir.Assign(value=ir.Call(function=function)):
            return bool(made_by(function))
        case ir.Assign(value=ir.Opaque(unfolded=steps)):
            return steps is not None
    return False


def kind_of(version: Version | None, numbered: Versions) -> Kind | None:
    """What a value surely is, a list or a dictionary, if the function makes it."""
    return _made(version, numbered, made_by)


def display_kind(version: Version | None, numbered: Versions) -> Kind | None:
    """What a value surely is, a list, a dictionary or a display of a tuple, and no object."""

    def gives(function: str) -> Kind | None:
        if function in ("python.tuple", ir.OBJECT):
            return Kind.TUPLE if function != ir.OBJECT else None
        return made_by(function)

    return _made(version, numbered, gives)


def has_keys(version: Version | None, numbered: Versions) -> bool:
    """Tells whether a loop over a value surely runs through keys."""

    def gives(function: str) -> Kind | None:
        return Kind.DICT if operations.of(function).runs_through_keys else made_by(function)

    return _made(version, numbered, gives) is Kind.DICT


def is_run_over(version: Version | None, numbered: Versions) -> bool:
    """Tells whether a value surely is a list, tuple or iterator, and the function makes it.

    So are the items of a dictionary.
    """

    def gives(function: str) -> Kind | None:
        record = operations.of(function)
        return Kind.ITERATOR if record.makes is Makes.ITEMS else record.gives

    return _made(version, numbered, gives) in (Kind.LIST, Kind.TUPLE, Kind.ITERATOR)


def is_resizable(version: Version | None, numbered: Versions) -> bool:
    """Tells whether a value surely is a list, dictionary or set, and the function makes it."""

    def gives(function: str) -> Kind | None:
        return Kind.SET if operations.of(function).gives is Kind.SET else made_by(function)

    return _made(version, numbered, gives) is not None


def is_tuple(version: Version | None, numbered: Versions, others: Collection[str] = ()) -> bool:
    """Tells whether a value is surely a tuple that the function makes: no cell of it can be set.

    `others` are functions that give tuples, too.
    """

    def gives(function: str) -> Kind | None:
        return Kind.TUPLE if function in others else operations.of(function).gives

    return _made(version, numbered, gives) is Kind.TUPLE


def made_by(function: str) -> Kind | None:
    """What a call surely gives that can be stored into: a list or a dictionary."""
    kind = operations.of(function).gives
    return kind if kind is Kind.LIST or kind is Kind.DICT else None


def may_copy(statement: ir.Statement) -> bool:
    """Tells whether a statement may copy a list or dictionary: `xs.copy()`, or `xs[1:]`."""
    match statement:
        case ir.Assign(value=ir.Call("ndarray.copy" | "copy.copy" | "operator.getitem")):
            return True
    return False


def copied(version: Version | None, numbered: Versions) -> Iterator[ir.Assign]:
    """The copies, `xs.copy()` or `xs[1:]`, that a value may be."""
    for made in _origins(version, numbered):
        match made:
            case ir.Assign(value=ir.Call("ndarray.copy" | "copy.copy", (ir.Name(),), ())):
                yield made
            case ir.Assign(value=ir.Call("operator.getitem")) if _sliced(made, numbered):
                yield made


def _made(
    version: Version | None, numbered: Versions, gives: Callable[[str], Kind | None]
) -> Kind | None:
    """Which of some kinds all calls give that may have made a value."""
    found: set[Kind | None] = set()
    for made in _origins(version, numbered):
        match made:
            case ir.Assign() if _sliced(made, numbered):
                continue
            case ir.Assign(value=ir.Call() as call) if _has_new_lists(call):
                found.add(gives("python.dict"))
            case ir.Assign(value=ir.Call(function=called)):
                found.add(gives(called))
            case ir.Assign(value=ir.Opaque(unfolded=(steps, name))):
                found.add(_filled(steps, name, gives))
            case _:
                return None
    return found.pop() if len(found) == 1 else None


def _origins(version: Version | None, numbered: Versions) -> Iterator[ir.Assign | None]:
    """The statements that may have made a value, whatever has changed it since; None for others.

    A slice is one, and what made the list of which it is.
    """
    seen: set[int] = set()
    pending = [version]
    while pending:
        one = pending.pop()
        if one is None:
            yield None
            continue
        if one.number in seen:
            continue
        seen.add(one.number)
        match one.statement:
            case _ if one.is_of_priors:
                pending += one.priors
            case (
                ir.Do(value=ir.Call(args=(ir.Name(id), *_)))
                | ir.Assign(value=ir.Call("adlsp.runtime.without", (ir.Name(id), _))) as changed
            ):
                pending.append(numbered.reads.get((changed, id)))
            case ir.Assign(value=ir.Name(id), is_tuple=False) as assign:
                pending.append(numbered.reads.get((assign, id)))
            case ir.Assign(targets, ir.Call("python.tuple", args), is_tuple=True) as assign if len(
                args
            ) == len(targets):
                held = dict(zip(targets, args, strict=True))[one.name]
                id = held.id if isinstance(held, ir.Name) else ""
                pending.append(numbered.reads.get((assign, id)))
            case ir.Assign(is_tuple=False) as assign if id := _sliced(assign, numbered):
                yield assign
                pending.append(numbered.reads.get((assign, id)))
            case ir.Assign(value=ir.Call(), is_tuple=False) as assign if (
                one.kind is VersionKind.ASSIGN
            ):
                yield assign
            case ir.Assign(value=ir.Opaque(unfolded=(_, _)), is_tuple=False) as assign:
                yield assign
            case _:
                yield None


def _sliced(statement: ir.Assign, numbered: Versions) -> str:
    """The variable of which a statement takes a slice."""
    match statement.value:
        case ir.Call("operator.getitem", (ir.Name(id), ir.Name() as index)):
            return id if _is_slice(statement, index, numbered) else ""
    return ""


def _is_slice(reader: ir.Statement, index: ir.Name, numbered: Versions) -> bool:
    """Tells whether an index is a slice: that of a list is a list, which holds the same objects."""
    version = numbered.reads.get((reader, index.id))
    match None if version is None else version.statement:
        case ir.Assign(value=ir.Call("python.slice")):
            return True
    return False


def _filled(steps: ir.Block, name: ir.Name, gives: Callable[[str], Kind | None]) -> Kind | None:
    """What the steps of a comprehension make; nothing where they choose one of several values."""
    bound = [s for s in ir.walk(steps) if isinstance(s, ir.Assign) and name.id in s.targets]
    match bound:
        case [ir.Assign(value=ir.Call(function=made))]:
            return gives(made)
    return None


def _has_new_lists(call: ir.Call) -> bool:
    """Tells whether a call makes a dictionary that has a new list for each key."""
    return call.function == "collections.defaultdict" and call.args == (ir.Global("builtins.list"),)


def _fills_with_containers(steps: ir.Block, name: ir.Name) -> bool:
    """Tells whether a comprehension fills what it makes with new lists, or dictionaries, alone."""
    made = {
        target: statement.value
        for statement in ir.walk(steps)
        if isinstance(statement, ir.Assign)
        for target in statement.targets
    }
    stores = (s for s in ir.walk(steps) if isinstance(s, ir.Store) and s.base == name.id)
    values = (made.get(s.value.id) if isinstance(s.value, ir.Name) else None for s in stores)
    return all(isinstance(v, ir.Call) and made_by(v.function) is not None for v in values)


def holds_each_once(
    facts: Facts,
    reader: ir.Statement,
    name: str,
    depth: int,
    n_given: int = 0,
    *,
    is_changed_inside: bool = False,
) -> bool:
    """Tells whether the cells of what a statement reads, down to a depth, hold different objects.

    Different lists may still hold one array, which counts where `is_changed_inside`.

    They may hold `n_given` of the function's parameters: a second one may be the same object.

    `rows[0][0] = v` changes `rows[1]`, too, where `rows` is `[row, row]`.
    """
    shared = facts.aliases(scalar_elements=False).shared
    tree = _Tree(facts.function, facts.versions, n_given, shared, is_changed_inside)
    return tree.is_own(reader, name, depth, set())


def changed_inside(function: ir.Function) -> set[str]:
    """The variables of which a part is changed in place, if it is an array or a list.

    So it is by `x[i][j] = v`, by `x[i] += v`, and where a name for a part is written into.
    """
    paths: set[str] = set()
    read: dict[str, str] = {}
    parts: set[str] = set()
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign((target,), ir.Call(function=made, args=args)):
                if made == ir.PATH:
                    paths.add(target)
                elif made == "operator.getitem" and isinstance(args[0], ir.Name):
                    read[target] = args[0].id
                elif made == "adlsp.runtime.part":
                    parts.update(ir.names(args))
    found = {read[part] for part in parts if part in read}
    for store in (s for s in ir.walk(function.body) if isinstance(s, ir.Store)):
        is_changed = store.index is not None and store.kind.changes
        if is_changed or not paths.isdisjoint(ir.reads(store)):
            found.add(store.base)
    return found


def held_at(
    function: ir.Function, numbered: Versions, store: ir.Store, depth: int
) -> set[str] | None:
    """The variables of the lists and dictionaries that a store changes, at a depth in its base.

    None where it may change anything else, or what the function has not made.
    """
    version = numbered.reads.get((store, store.base))
    return _Tree(function, numbered).containers(version, depth)


def _is_part(statement: ir.Statement | None) -> bool:
    """Tells whether a statement takes something out of a container, which goes on holding it."""
    match statement:
        case ir.Assign(value=ir.Call("operator.getitem")):
            return True
    return False


CHANGING = (VersionKind.CHANGED, VersionKind.STORE)
"""What makes another version of the same object."""


class _Tree:
    def __init__(
        self,
        function: ir.Function,
        numbered: Versions,
        n_given: int = 0,
        shared: Callable[[ir.Statement, str], Collection[str]] = lambda *_: (),
        is_changed_inside: bool = False,
    ) -> None:
        self.numbered = numbered
        self.n_given = n_given
        self.shared = shared
        self.is_changed_inside = is_changed_inside
        self.given: set[int] = set()
        self.holds: dict[ir.Statement, tuple[ir.Atom, ...]] = {}
        for statement in ir.walk(function.body):
            match statement:
                case ir.Assign(value=ir.Call(function=made) as call) if operations.of(made).holds:
                    self.holds[statement] = (*call.args, *(field for _, field in call.keywords))
                case ir.Store(value=value, kind=ir.StoreKind.APPEND):
                    self.holds[statement] = (value,)
                case ir.Store(value=value) if ir.sets_cell(statement):
                    self.holds[statement] = (value,)

    def is_own(self, reader: ir.Statement, name: str, depth: int, seen: set[int]) -> bool:
        """Tells whether a variable holds an array, or a container of objects held only there."""
        pending = [self.numbered.reads.get((reader, name))] if depth else []
        while pending:
            version = pending.pop()
            if version is None:
                return False
            if version.number in seen:
                continue
            seen.add(version.number)
            statement = version.statement
            if statement in self.holds and not self.are_own(statement, version, depth, seen):
                return False
            if version.kind is VersionKind.CHANGED:
                return False
            match statement:
                case _ if version.is_of_priors:
                    pending += version.priors
                case None:
                    continue
                case ir.Assign(value=ir.Name(id), is_tuple=False):
                    pending.append(self.numbered.reads.get((statement, id)))
                case ir.Assign(value=ir.Opaque() as value, is_tuple=False):
                    if not (views.is_new(value) if depth == 1 else views.is_apart(value)):
                        return False
                case ir.Assign(value=ir.Call(function="python.repeat", args=(part, _))):
                    if not self.is_of_constants(statement, part):
                        return False
                case ir.Assign(value=ir.Call(function=made) as call, is_tuple=False):
                    is_new = operations.of(made).holds or views.makes_new(made)
                    if not (is_new or _has_new_lists(call)):
                        return False
                case _:
                    return False
        return True

    def are_own(self, holder: ir.Statement, made: Version, depth: int, seen: set[int]) -> bool:
        """Tells whether what one statement puts into a container is held by nothing else."""
        every = {*filter(partial(self.counts, holder), ir.names(self.holds[holder]))}
        if isinstance(holder, ir.Store) and every:
            every.add(holder.base)
        for held in ir.names(self.holds[holder]):
            if held in every and not every.isdisjoint(self.shared(holder, held)):
                return False
            version = self.source(holder, held)
            if version is None or version.loops != made.loops or _is_part(version.statement):
                return False
            if version.kind is VersionKind.PARAMETER:
                self.given.add(version.number)
                if len(self.given) > self.n_given:
                    return False
            if self.n_holders(version) > 1 or not self.is_own(holder, held, depth - 1, seen):
                return False
        return True

    def counts(self, holder: ir.Statement, held: str) -> bool:
        """Tells whether it counts that something which is held shares memory with another.

        Lists are different objects, whatever they hold.
        """
        version = self.numbered.reads.get((holder, held))
        if self.is_exchanged(version):
            return False
        return self.is_changed_inside or not kind_of(version, self.numbered)

    def is_exchanged(self, version: Version | None) -> bool:
        """Tells whether a value is one of some parts that change their places: `a[0], a[1] = …`."""
        match None if version is None else version.statement:
            case ir.Assign(_, ir.Call("python.tuple", parts), is_tuple=True) as taken:
                read = (self.numbered.reads.get((taken, name)) for name in ir.names(parts))
                return all(each is not None and _is_part(each.statement) for each in read)
        return False

    def containers(self, start: Version | None, depth: int) -> set[str] | None:
        """The variables of all that is held at a depth; None if one may be no container."""
        found: set[str] = set()
        pending, seen = [start], set[int]()
        while pending:
            version = pending.pop()
            if version is None or (not depth and not kind_of(version, self.numbered)):
                return None
            if version.kind is VersionKind.CHANGED:
                return None
            if version.number in seen:
                continue
            seen.add(version.number)
            found.add(version.name)
            if not depth:
                continue
            statement = version.statement
            held = ir.names(self.holds[statement]) if statement in self.holds else ()
            for name in held:
                assert statement is not None
                inner = self.containers(self.numbered.reads.get((statement, name)), depth - 1)
                if inner is None:
                    return None
                found |= inner
            match statement:
                case _ if version.is_of_priors:
                    pending += version.priors
                case ir.Assign(value=ir.Name(id), is_tuple=False):
                    pending.append(self.numbered.reads.get((statement, id)))
                case ir.Assign(value=ir.Call(function=made) as call, is_tuple=False) if (
                    operations.of(made).holds or (depth == 1 and _has_new_lists(call))
                ):
                    continue
                case ir.Assign(value=ir.Opaque(unfolded=(steps, made)), is_tuple=False) if (
                    depth == 1 and _fills_with_containers(steps, made)
                ):
                    continue
                case _:
                    return None
        return found

    def source(self, reader: ir.Statement, name: str) -> Version | None:
        """The version at which the object was bound first that a statement reads by a name."""
        version = self.numbered.reads.get((reader, name))
        while version is not None:
            before: Version | None = version
            match version.statement:
                case _ if version.kind in CHANGING and len(version.priors) == 1:
                    (before,) = version.priors
                case ir.Assign(value=ir.Name(id), is_tuple=False) as second:
                    before = self.numbered.reads.get((second, id))
                case ir.Assign(names, ir.Call("python.tuple", parts), is_tuple=True) as second:
                    part = parts[names.index(version.name)]
                    if isinstance(part, ir.Name) and not self.is_exchanged(version):
                        before = self.numbered.reads.get((second, part.id))
            if before is version:
                break
            version = before
        return version

    def n_holders(self, version: Version) -> int:
        """How many cells a version is put into by the text, by whatever name."""
        return sum(
            self.source(statement, name) is version
            for statement, atoms in self.holds.items()
            for name in ir.names(atoms)
        )

    def is_of_constants(self, reader: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether a list that is repeated is a display of literals."""
        version = self.numbered.reads.get((reader, atom.id)) if isinstance(atom, ir.Name) else None
        match None if version is None else version.statement:
            case ir.Assign(value=ir.Call(function="python.list", args=args)):
                return all(isinstance(a, ir.Const) for a in args)
        return False
