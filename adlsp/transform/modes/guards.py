"""What a derivative makes sure of while it runs, where the text does not tell.

These are runtime checks of what was assumed (speculated):

- What was taken for a number is one (`facts/elements.py`), or is not changed (`unshared`).
- What a call changes by `x += v`, and somebody looks at later, is a number (`number`).
- What a call changes shares no memory with what it reads then (`apart`).
- A list that is copied by `xs.copy()` holds no arrays that are changed afterwards (`plain`).
- An array that is changed in a list is there only once (`alone`).
- What is asked for its size, which counts, is an array, and no object (`shaped`).
- An object that is changed was not put into a list or dictionary of the caller's (`unheld`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from adlsp.transform import ir
from adlsp.transform.facts import (
    aliases,
    containers,
    elements,
    graphs,
    indices,
    list_copies,
    noalias,
    operations,
    points_to,
)
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir import StoreKind, targets
from adlsp.transform.ir.variables import Step
from adlsp.transform.modes.builder import RUNTIME
from adlsp.transform.program import Program

OF_CONTAINERS = ("builtins", "collections", "python")
"""Where the functions are that make no arrays."""


def assumed_numbers(function: ir.Function, known: Program, *, is_root: bool) -> ir.Function:
    """The function with guards where what was taken for a number may be a part of an array.

    What the function changes may be the caller's, by way of a list: a root changes a copy of it, in
    what others call it must be a number.
    """
    lent = "part" if is_root else "number"
    assumed, changed = _assumed(function, known), _lent(function, known)
    fresh = ir.fresh(function)

    def block(inner: ir.Block) -> ir.Block:
        out: list[ir.Statement] = []
        for statement in inner:
            if statement not in assumed and statement not in changed:
                out.append(ir.rebuilt(statement, block=block))
                continue
            assert isinstance(statement, ir.Assign)
            shared = assumed.get(statement, [])
            owner = _owner(statement.value)
            if isinstance(owner, ir.Call):
                both = fresh.step()
                if shared:
                    out.append(replace(statement, targets=(both,), value=owner, is_tuple=False))
                owner = ir.Name(both)
            if isinstance(owner, ir.Name) and owner.id in statement.targets and shared:
                shared = list(statement.targets)
            held: dict[str, str] = {}
            for name in (*shared, *changed.get(statement, ())):
                if name not in held:
                    held[name] = fresh.step()
            targets = tuple(held.get(name, name) for name in statement.targets)
            out.append(replace(statement, targets=targets))
            for name, element in held.items():
                call = ir.Call(f"{RUNTIME}.{lent}", (ir.Name(element),))
                if name in shared:
                    call = ir.Call(f"{RUNTIME}.unshared", (ir.Name(element), owner))
                out.append(replace(statement, targets=(name,), value=call, is_tuple=False))
        return tuple(out)

    return replace(function, body=block(function.body)) if assumed or changed else function


def _lent(function: ir.Function, known: Program) -> dict[ir.Statement, list[str]]:
    """The reads of elements that `x += v` changes, which may be arrays of the caller.

    Of each the names that they give to such elements.
    """
    stores = [s for s in ir.walk(function.body) if isinstance(s, ir.Store) and s.index is None]
    if not stores:
        return {}
    facts = known.facts(function)
    relaxed, strict = facts.aliases(), facts.aliases(scalar_elements=False)
    named = {s.base for s in stores if strict.parameters(s, s.base) - relaxed.parameters(s, s.base)}
    return _reads_of(named, function, known)


def _assumed(function: ir.Function, known: Program) -> dict[ir.Statement, list[str]]:
    """The reads of elements that must be numbers, so that a store leaves other names alone.

    Of each the names that they give to such elements.
    """
    walked = ir.walk(function.body)
    changing = [s for s in walked if isinstance(s, ir.Store) and not ir.resizes(s)]
    stores = [s for s in changing if not ir.sets_cell(s)]
    if not stores:
        return {}
    facts = known.facts(function)
    relaxed, strict, live = (
        facts.aliases(),
        facts.aliases(scalar_elements=False),
        facts.live.after,
    )
    named: set[str] = set()
    for store in stores:
        more = strict.shared(store, store.base) - relaxed.shared(store, store.base)
        if later := more & live[store]:
            named |= {store.base, *later}
    return _reads_of(named, function, known)


def _reads_of(
    named: set[str], function: ir.Function, known: Program
) -> dict[ir.Statement, list[str]]:
    """The reads of what is taken for numbers from which variables may come, with their names."""
    named = points_to.ancestors(named, function, known) if named else named
    return {
        read: [name for name in read.targets if name in named]
        for read in elements.assumed_reads(known.facts(function), known)
        if not named.isdisjoint(read.targets)
    }


def _owner(read: ir.Expression) -> ir.Atom | ir.Call:
    """What an element was read from; where that may be several things, a tuple of them."""
    match read:
        case ir.Call(function="operator.getitem", args=(base, _)) | ir.Call(args=(base,)):
            return base
        case ir.Call():
            return ir.Call("python.tuple", read.atoms)
    assert isinstance(read, ir.Name)
    return read


def alone(function: ir.Function, known: Program) -> ir.Function:
    """The function with guards where `s[i] += v` may change an array that somebody else holds.

    So may `s[i][j] += v` of lists that the function has made.
    """
    stores = [s for s in ir.walk(function.body) if isinstance(s, ir.Store) and s.kind.changes]
    if not stores:
        return function
    own = known.facts(function)
    inside = {
        s
        for s in stores
        if targets.is_operator(s.kind.operator) and s in own.aliases().inner
        if not (own.inferred and own.inferred.changes_number(s))
    }
    if not (inside or any(s.kind is StoreKind.CHANGE for s in stores)):
        return function
    facts, live = own.aliases(scalar_elements=False), own.live.after
    stored = {s.base for s in ir.walk(function.body) if isinstance(s, ir.Store)}
    fresh = ir.fresh(function)

    def before(store: ir.Store) -> Iterator[ir.Statement]:
        """The guards of a store into a list or dictionary in others."""
        assert store.index is not None
        base, element, origin = ir.Name(store.base), ir.Name(fresh.step()), store.origin
        found: list[ir.Statement] = []
        depth = len(own.indices.path(store, store.index))
        if not containers.holds_each_once(own, store, base.id, depth, n_given=1):
            found.append(ir.Do(ir.Call(f"{RUNTIME}.alone", (element, base)), origin))
        shared = facts.related(store, base.id) & live[store]
        others = sorted(n for n in shared - {base.id} if n in stored or not isinstance(n, Step))
        if others:
            owners = ir.Name(fresh.step())
            pack = ir.Call("python.tuple", tuple(map(ir.Name, others)))
            found.append(ir.Assign((owners.id,), pack, origin))
            found.append(ir.Do(ir.Call(f"{RUNTIME}.unshared", (element, owners)), origin))
        if found:
            read = ir.Call("operator.getitem", (base, store.index))
            yield ir.Assign((element.id,), read, origin)
        yield from found

    def block(inner: ir.Block) -> ir.Block:
        out: list[ir.Statement] = []
        for at, statement in enumerate(inner):
            if isinstance(statement, ir.Store) and statement in inside:
                out += before(statement)
            out.append(ir.rebuilt(statement, block=block))
            if not (ir.sets_cell(statement) and statement.kind is StoreKind.CHANGE):
                continue
            if own.inferred is not None and own.inferred.gives_numbers(inner[at - 2]):
                continue
            read, changed, store = out[-3:]
            assert isinstance(read, ir.Assign)
            if not containers.holds_each_once(own, statement, statement.base, 1, n_given=1):
                element = fresh.step()
                alone = ir.Call(f"{RUNTIME}.alone", (ir.Name(element), ir.Name(statement.base)))
                out[-3:] = [
                    replace(read, targets=(element,)),
                    replace(read, value=alone),
                    changed,
                    store,
                ]
                read = out[-3]
                assert isinstance(read, ir.Assign)
            shared = facts.shared(statement, statement.base) & live[statement]
            others = sorted(
                name
                for name in shared - {statement.base}
                if name in stored or not isinstance(name, Step)
            )
            if others:
                element, owners = fresh.step(), fresh.step()
                pack = ir.Call("python.tuple", tuple(map(ir.Name, others)))
                guard = ir.Call(f"{RUNTIME}.unshared", (ir.Name(element), ir.Name(owners)))
                out[-3:] = [
                    replace(read, targets=(element,)),
                    replace(read, targets=(owners,), value=pack),
                    replace(read, value=guard),
                    changed,
                    store,
                ]
        return tuple(out)

    return replace(function, body=block(function.body))


def shaped(function: ir.Function, wrt: tuple[str, ...], known: Program) -> ir.Function:
    """The function with guards where `x.size` counts, and `x` may be an object that keeps one."""
    reads = [
        (statement, whole)
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call)
        if operations.of(statement.value.function).tells_shape
        and statement.value.function.startswith("attribute.")
        for whole in statement.value.args
        if isinstance(whole, ir.Name)
    ]
    if not reads:
        return function
    facts = known.facts(function)
    active, inferred = facts.activity(wrt), known.values(function)
    numeric = {version for s in ir.walk(function.body) for version in _numeric(s, facts.versions)}
    doubtful = {
        statement: whole
        for statement, whole in reads
        if whole.id in active.varied_before[statement]
        and facts.versions.reads[statement, whole.id] not in numeric
        and not inferred.is_known(statement, whole)
        and not active.useful_after[statement].isdisjoint(ir.writes(statement))
    }
    if not doubtful:
        return function

    def block(inner: ir.Block, before: frozenset[Version] = frozenset()) -> ir.Block:
        out: list[ir.Statement] = []
        for statement in inner:
            if statement in doubtful:
                whole = doubtful[statement]
                version = facts.versions.reads[statement, whole.id]
                if version not in before:
                    guard = ir.Call(f"{RUNTIME}.shaped", (whole,))
                    out.append(ir.Do(guard, statement.origin))
                before |= {version}
            out.append(ir.rebuilt(statement, block=partial(block, before=before)))
        return tuple(out)

    return replace(function, body=block(function.body))


def uncut(function: ir.Function, wrt: tuple[str, ...], known: Program) -> ir.Function:
    """The function with guards for arrays that receive what is active, and may be of integers.

    Those that are made of what is active are taken to be of floats.
    """
    filling = [(s, name) for s in ir.walk(function.body) if (name := _filled(s))]
    if not filling or function.is_derived:
        return function
    facts, inferred = known.facts(function), known.values(function)
    varied = facts.activity(wrt).varied_before
    useful = facts.activity(wrt).useful_after
    before: dict[ir.Statement, str] = {}
    behind: dict[ir.Statement, str] = {}
    for statement, name in filling:
        given = ir.reads(statement)
        if isinstance(statement, ir.Store):
            given = ir.names((statement.value,))
        is_cut = not useful[statement].isdisjoint(ir.writes(statement))
        if not is_cut or varied[statement].isdisjoint(given):
            continue
        if inferred.has_dtype(statement, name):
            continue
        if not isinstance(statement, ir.Store):
            before |= {statement: name} if name not in varied[statement] else {}
            continue
        version = facts.versions.reads.get((statement, name))
        if ir.sets_cell(statement) or containers.kind_of(version, facts.versions) is not None:
            continue
        for by in _made(version):
            behind |= {by: name} if varied[by].isdisjoint(ir.reads(by)) else {}

    def block(inner: ir.Block) -> ir.Block:
        out: list[ir.Statement] = []
        for statement in inner:
            out += [_smooth(before[statement], statement)] if statement in before else []
            out.append(ir.rebuilt(statement, block=block))
            out += [_smooth(behind[statement], statement)] if statement in behind else []
        return tuple(out)

    return replace(function, body=block(function.body)) if before or behind else function


def _made(version: Version | None) -> Iterator[ir.Assign]:
    """The calls that have made what a variable holds, which stores may have changed since then."""
    start = [] if version is None else [version]
    for each in graphs.reached(start, lambda v: () if v.kind is VersionKind.ASSIGN else v.priors):
        match each.statement:
            case ir.Assign(names, ir.Call(function)) as by if each.name in names:
                if not targets.is_of(function, *OF_CONTAINERS):
                    yield by


def _filled(statement: ir.Statement) -> str | None:
    """The array into which a statement stores values, or like which it makes one with these."""
    match statement:
        case ir.Store(index=ir.Const(ir.Attribute())):
            return None
        case ir.Store(base, index) if index is not None:
            return base
        case ir.Assign(value=ir.Call(function, (ir.Name(id), *_))):
            return id if operations.of(function).fills else None
    return None


def _smooth(name: str, at: ir.Statement) -> ir.Do:
    return ir.Do(ir.Call(f"{RUNTIME}.smooth", (ir.Name(name),)), at.origin)


def _numeric(statement: ir.Statement, numbered: Versions) -> Iterator[Version]:
    """The values that a statement gives to arithmetic or to NumPy, which takes no objects."""
    match statement:
        case ir.Assign(value=ir.Call(function=function, args=args)):
            if operations.takes_no_lists(function) or function.startswith("numpy."):
                yield from (numbered.reads[statement, id] for id in ir.names(args))
        case ir.Store(index=None, value=ir.Name(id)):
            yield numbered.reads[statement, id]


def lent_numbers(function: ir.Function, wrt: tuple[str, ...], known: Program) -> ir.Function:
    """The function with guards where a call may change an array that is looked at later.

    The callee changes its parameter by `x += v`, which is right for a number. Its derivative works
    on a copy; without one, it changes an active array.
    """
    calls: dict[ir.Statement, tuple[str, ...]] = {}
    numbers_of: dict[ir.Statement, tuple[str, ...]] = {}
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                calls[statement] = tuple(ir.names(known.changed(call)))
                numbers_of[statement] = tuple(ir.names(known.taken_for_numbers(call)))
    if not any((*calls.values(), *numbers_of.values())):
        return function
    facts = known.facts(function)
    active, shared = facts.activity(wrt), facts.aliases(scalar_elements=False)
    fresh = ir.fresh(function)

    def must_be_numbers(statement: ir.Statement) -> Iterator[str]:
        is_active = active.is_active(statement)
        for name in (numbers_of if is_active else calls).get(statement, ()):
            others = {name, *shared.shared(statement, name)}
            is_useful = not others.isdisjoint(active.useful_after[statement])
            if is_useful and (is_active or name in active.varied_before[statement]):
                yield name

    def block(inner: ir.Block) -> ir.Block:
        out: list[ir.Statement] = []
        for statement in inner:
            numbers: dict[str, str] = {}
            for name in must_be_numbers(statement):
                numbers[name] = fresh.step()
                call = ir.Call(f"{RUNTIME}.number", (ir.Name(name),))
                out.append(ir.Assign((numbers[name],), call, statement.origin))
            out.append(
                _renamed(statement, numbers) if numbers else ir.rebuilt(statement, block=block)
            )
        return tuple(out)

    return replace(function, body=block(function.body))


def apart(function: ir.Function, known: Program) -> ir.Function:
    """The function with guards where a callee changes one argument, and reads one that may share.

    Its derivative works on a copy of the first, as that of a root does (`prepare.copied_in`).
    """
    every = {
        statement: (*noalias.beside(statement, known),) for statement in ir.walk(function.body)
    }
    calls = {statement: pairs for statement, pairs in every.items() if pairs}
    if not calls:
        return function
    shared = known.facts(function).aliases(scalar_elements=False)

    def block(inner: ir.Block) -> ir.Block:
        out: list[ir.Statement] = []
        for statement in inner:
            for name, others in calls.get(statement, ()):
                met = {name, *shared.shared(statement, name)}
                for other in dict.fromkeys(each for each in others if each in met):
                    call = ir.Call(f"{RUNTIME}.apart", (ir.Name(name), ir.Name(other)))
                    out.append(ir.Do(call, statement.origin))
            out.append(ir.rebuilt(statement, block=block) if ir.blocks(statement) else statement)
        return tuple(out)

    return replace(function, body=block(function.body))


def _renamed(statement: ir.Statement, names: dict[str, str]) -> ir.Statement:
    """A statement that reads other variables instead of some."""

    def atom(given: ir.Atom) -> ir.Atom:
        return ir.Name(names.get(given.id, given.id)) if isinstance(given, ir.Name) else given

    return ir.rebuilt(statement, atom)


def plain_copies(
    function: ir.Function, wrt: tuple[str, ...], known: Program, *, is_root: bool
) -> ir.Function:
    """The function with guards where a copy may be of a list whose arrays are then changed.

    The sum of two lists, `xs + ys`, is a copy of both. What a call without a derivative does of
    that it makes sure of here.
    """
    facts = known.facts(function)
    sums = frozenset(
        s
        for s in list_copies.sums(facts)
        if list_copies.are_changed(facts, frozenset((s,)), is_root=is_root)
    )
    copies = list_copies.copies(facts)
    if copies and not list_copies.are_changed(facts, copies, is_root=is_root):
        copies = frozenset()
    within: dict[ir.Statement, list[tuple[ir.Atom, list_copies.Path]]] = {}
    for statement, atom, path in list_copies.changing(facts):
        if not facts.activity(wrt).is_active(statement):
            within.setdefault(statement, []).append((atom, path))
    for copy, places in list_copies.of(facts, copies).items():
        assert isinstance(copy.value, ir.Call)
        if copy.value.function not in list_copies.COPYING:
            within.setdefault(copy, []).extend(places)
    if not (copies or sums or within):
        return function
    fresh = ir.fresh(function)

    def block(inner: ir.Block) -> ir.Block:
        out: list[ir.Statement] = []
        for statement in inner:
            for atom, path in within.get(statement, ()):
                keys = (f".{k}" if isinstance(k, ir.Attribute) else k for k in path)
                guard = ir.Call(f"{RUNTIME}.plain_within", (atom, *map(ir.Const, keys)))
                out.append(ir.Do(guard, statement.origin))
            match statement:
                case ir.Assign() if statement in sums:
                    step = fresh.step()
                    plain = ir.Call(f"{RUNTIME}.plain", (ir.Name(step),))
                    out.append(replace(statement, targets=(step,)))
                    out.append(replace(statement, value=plain))
                case ir.Assign(value=ir.Call(args=args) as call) if (
                    statement in copies and statement not in within
                ):
                    plain, step = ir.Call(f"{RUNTIME}.plain", args), fresh.step()
                    out.append(replace(statement, targets=(step,), value=plain))
                    out.append(replace(statement, value=replace(call, args=(ir.Name(step),))))
                case _:
                    out.append(ir.rebuilt(statement, block=block))
        return tuple(out)

    return replace(function, body=block(function.body))


def unheld(function: ir.Function, known: Program, *, is_root: bool) -> ir.Function:
    """The function with guards where a container of the caller's may hold what a store changes."""
    return _Holding(function, known, is_root=is_root).guarded()


class _Holding:
    """Puts in guards where a store changes an object that a list or dictionary may hold, too.

    `p[i] = v` is taken to copy `v` into an array. A list or dictionary of the caller's holds `v`.
    """

    def __init__(self, function: ir.Function, known: Program, *, is_root: bool) -> None:
        self.function = function
        self.known = known
        self.is_root = is_root
        self.facts = known.facts(function)
        self.cells, self.indices = self.facts.cells, self.facts.indices
        self.live = self.facts.live.after
        self.fresh = ir.fresh(function)

    def guarded(self) -> ir.Function:
        """The function with its guards."""
        if not (self.cells or any(map(self.puts, ir.walk(self.function.body)))):
            return self.function
        self.copied = self.facts.aliases(scalar_elements=False)
        self.held = self.facts.aliases(scalar_elements=False, are_held=True)
        self.twice = {
            store.base
            for store in self.cells
            for name in ir.names((store.value,))
            if store.base in self.held.related(store, name)
        }
        return replace(self.function, body=self.block(self.function.body))

    def puts(self, statement: ir.Statement) -> bool:
        """Tells whether a call puts something into a list or dictionary that it is given."""
        match statement:
            case ir.Assign(value=ir.Call() as call) if self.known.rule(call.function) is None:
                one = self.known.sharing(call, scalar_elements=False)
                return one != self.known.sharing(call, scalar_elements=False, are_held=True)
        return False

    def block(self, block: ir.Block) -> ir.Block:
        out: list[ir.Statement] = []
        for statement in block:
            if isinstance(statement, ir.Store):
                if not (ir.resizes(statement) or ir.sets_cell(statement)):
                    self.of_store(statement, out)
            else:
                self.of_call(statement, out)
            out.append(ir.rebuilt(statement, block=self.block))
        return tuple(out)

    def others(self, statement: ir.Statement, name: str) -> list[str]:
        """What is used later and shares with a variable, if something holds what was put there.

        The arguments of a callee are used by its caller.
        """
        more = self.held.related(statement, name) - self.copied.related(statement, name)
        used = more & self.live[statement]
        if not self.is_root:
            given = self.held.parameters(statement, name)
            used |= given - self.copied.parameters(statement, name)
        return sorted(used)

    def of_store(self, store: ir.Store, out: list[ir.Statement]) -> None:
        """The guards before a store: of what it changes, be it the base or a part of it."""
        others = [] if self.is_elsewhere(store) else self.others(store, store.base)
        shared = {store.base, *self.held.related(store, store.base)}
        if not others and self.twice.isdisjoint(shared):
            return
        path = self.path(store)
        changed: list[ir.Atom] = [self.part(store, path[:-1], out)]
        if not store.kind.replaces and self.indices.may_be_cell(store):
            changed.append(self.part(store, path, out))
        for part in changed:
            if others:
                self.guard("unheld", part, self.packed(others, store, out), store, out)
            if part != ir.Name(store.base) and not self.twice.isdisjoint(shared):
                self.guard("alone", part, ir.Name(store.base), store, out)

    def is_elsewhere(self, store: ir.Store) -> bool:
        """Tells whether what is put into a dictionary is put there under other keys."""
        (first, *_) = (*self.path(store), None)
        return (
            indices.is_key(first)
            and not any(map(self.puts, ir.walk(self.function.body)))
            and all(
                cell.base == store.base and indices.is_key(key) and key != first
                for cell in self.cells
                for key in self.path(cell)[:1]
            )
        )

    def path(self, store: ir.Store) -> tuple[ir.Atom, ...]:
        """The indices of a store, one after the other."""
        return () if store.index is None else self.indices.path(store, store.index)

    def part(self, store: ir.Store, path: tuple[ir.Atom, ...], out: list[ir.Statement]) -> ir.Name:
        """A part of the base of a store, by its indices."""
        base = ir.Name(store.base)
        if not path:
            return base
        index = path[0]
        if len(path) > 1:
            index = self.made(ir.Call(ir.PATH, path), store, out)
        return self.made(ir.Call("operator.getitem", (base, index)), store, out)

    def of_call(self, statement: ir.Statement, out: list[ir.Statement]) -> None:
        """The guards before a call that changes what it is given."""
        names = [*aliases.changed(statement, self.known)]
        match statement:
            case ir.Assign(value=ir.Call() as call):
                names += ir.names(self.known.given_back(call))
        for name in dict.fromkeys(names):
            others = [n for n in self.others(statement, name) if n not in ir.writes(statement)]
            if others:
                packed = self.packed(others, statement, out)
                self.guard("disjoint", ir.Name(name), packed, statement, out)

    def packed(self, names: list[str], statement: ir.Statement, out: list[ir.Statement]) -> ir.Name:
        """A variable, or several in a tuple."""
        if len(names) == 1:
            return ir.Name(names[0])
        return self.made(ir.Call("python.tuple", tuple(map(ir.Name, names))), statement, out)

    def guard(
        self,
        kind: str,
        changed: ir.Atom,
        others: ir.Atom,
        statement: ir.Statement,
        out: list[ir.Statement],
    ) -> None:
        out.append(ir.Do(ir.Call(f"{RUNTIME}.{kind}", (changed, others)), statement.origin))

    def made(self, call: ir.Call, statement: ir.Statement, out: list[ir.Statement]) -> ir.Name:
        """The name of a step before a statement."""
        name = self.fresh.step()
        out.append(ir.Assign((name,), call, statement.origin))
        return ir.Name(name)
