"""Methods that make lists and dictionaries longer or shorter, as stores at their end or new ones.

Methods of containers are lowered to what the rest of the engine knows: item stores and bindings.
`s.insert(0, v)` and `s.pop(0)` bind `s` to another list. Nobody sees the difference where a
function has made the list, and has one name for it, and no loop runs over it meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest

from adlsp.transform import ir
from adlsp.transform.facts import callees, containers, graphs, liveness, operations, points_to
from adlsp.transform.facts.facts import Facts
from adlsp.transform.facts.versions import Versions
from adlsp.transform.ir import StoreKind, targets
from adlsp.transform.ir.variables import Step
from adlsp.transform.ops.spec import Effect, Kind
from adlsp.transform.source import Span
from adlsp.transform.values import lattice
from adlsp.transform.values.lattice import (
    Array,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Sequence,
    Slice,
    Unknown,
    Unreached,
)

RUNTIME = "adlsp.runtime"

COPYING = ("ndarray.copy", "copy.copy", "operator.getitem")
"""What may copy a list or dictionary, or a part of a list."""

Sharing = Callable[[ir.Call], tuple[tuple[ir.Atom, ...], ...] | None]
"""For each part of a call's result the arguments that it may share memory with."""


def put_in_order(facts: Facts, known: callees.Callees) -> ir.Function:
    """The function with `a[...] = np.sort(a)` for `a.sort()` of what is known to be an array."""
    function = facts.function
    if not any(_sorting(statement) for statement in ir.walk(function.body)):
        return function
    typed, fresh = known.typed(function, is_asked=True), ir.fresh(function)

    def is_array(statement: ir.Statement, base: ir.Name) -> bool:
        is_known = isinstance(typed.of(statement, base), Array)
        return is_known or _is_array(statement, base.id, facts.versions)

    def block(statements: ir.Block) -> ir.Block:
        return tuple(made for statement in statements for made in again(statement))

    def again(statement: ir.Statement) -> ir.Block:
        found = _sorting(statement)
        if found is None or not is_array(statement, found[0]):
            return (ir.rewritten(statement, block=block),)
        (base, call), origin, step = found, statement.origin, fresh.step()
        ordered = ir.Assign((step,), replace(call, function="numpy.sort"), origin)
        return ordered, ir.Store(
            base.id, ir.Const(...), ir.Name(step), StoreKind.REPLACE, origin, span=call.span
        )

    return replace(function, body=block(function.body))


def extended(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The function in which `values += x`, of a list, is the sum that it is where `x` is an array.

    Where that is not known, derivatives make sure of it while they run.
    """
    if not any(_extension(statement) for statement in ir.walk(function.body)):
        return function
    typed = known.typed(function, is_asked=True)

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        dropped: set[ir.Statement] = set()
        for statement, following in zip_longest(statements, statements[1:]):
            call, origin = _extension(statement), statement.origin
            if statement in dropped:
                continue
            if call is None:
                made.append(ir.rewritten(statement, block=block))
                continue
            (step,), (values, name) = ir.writes(statement), call.args
            assert isinstance(name, ir.Name)
            match typed.of(statement, values), following:
                case Array() | Numeric() | Number(dtype=str()), ir.For(iterable=ir.Name(id)) if (
                    id == step
                ):
                    dropped.add(following)
                    total = ir.Call("operator.add", (name, values), (), call.span)
                    made.append(ir.Assign((name.id,), total, origin))
                    continue
                case Unknown() | Unreached(), _:
                    guard = ir.Call(f"{RUNTIME}.no_array", (values,), (), call.span)
                    made.append(ir.Do(guard, origin))
            made.append(ir.Assign((step,), values, origin))
        return tuple(made)

    return replace(function, body=block(function.body))


def _extension(statement: ir.Statement) -> ir.Call | None:
    """The call that stands for what a list is extended by."""
    match statement:
        case ir.Assign(value=ir.Call(ir.EXTENSION) as call):
            return call
    return None


def _sorting(statement: ir.Statement) -> tuple[ir.Name, ir.Call] | None:
    """What a statement puts in order, and its call."""
    match statement:
        case ir.Do(value=ir.Call("ndarray.sort", (ir.Name() as base, *_)) as call):
            return base, call
    return None


def told(facts: Facts, known: callees.Callees) -> ir.Function:
    """The function in which a copy says that it is one of a list or dictionary, `ys = list(xs)`.

    What changes it tells: only lists have `append`. That `xs.copy()` is one of a plain list, and of
    no queue, derivatives make sure of while they run, unless it is known what `xs` is.
    """
    function, numbered = facts.function, facts.versions
    inferred = _inferred(function, numbered, known)
    found: dict[ir.Statement, set[Kind]] = {}
    read = [*_read(function.body)]
    named = [p.name for p in function.parameters if p.kind is ir.ParameterKind.VARKEYWORDS]
    for statement in ir.walk(function.body):
        kind = _changed_as(statement, read, named)
        version = numbered.reads.get((statement, _base(statement)))
        if kind and containers.kind_of(version, numbered) is None:
            for copy in containers.copied(version, numbered):
                found.setdefault(copy, set()).add(kind)
    kinds = {copy: kind for copy, (kind, *more) in found.items() if not more} | inferred
    if not kinds:
        return function
    fresh = ir.fresh(function)

    def block(inner: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in inner:
            kind = kinds.get(statement)
            if kind is None:
                made.append(ir.rebuilt(statement, block=block))
                continue
            assert isinstance(statement, ir.Assign)
            assert isinstance(statement.value, ir.Call)
            call, given = statement.value, statement.value.args[0]
            if call.function == "operator.getitem":
                given = ir.Name(fresh.step())
                made.append(replace(statement, targets=(given.id,)))
            elif statement not in inferred:
                guard = ir.Call(f"{RUNTIME}.plain_{kind.value}", (given,), (), call.span)
                made.append(ir.Do(guard, statement.origin))
            copied = ir.Call(f"builtins.{kind.value}", (given,), (), call.span)
            made.append(replace(statement, value=copied))
        return tuple(made)

    return replace(function, body=block(function.body))


def _inferred(
    function: ir.Function, numbered: Versions, known: callees.Callees
) -> dict[ir.Statement, Kind]:
    """What is copied where it is known, and may hold arrays: the copy holds the same ones."""
    walked = [*ir.walk(function.body)]
    copies = [
        (statement, statement.value)
        for statement in walked
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call)
        if statement.value.function in COPYING and not statement.is_tuple
    ]
    changed = {name for s in walked if _may_change(s) for name in ir.reads(s)}
    if not (copies and changed):
        return {}
    before: set[str] = set()
    while changed != before:  # a copy of a copy holds the same arrays
        before = changed
        holding = points_to.ancestors(changed, function, None)
        kept = [(s, call) for s, call in copies if not holding.isdisjoint(s.targets)]
        changed = changed.union(*(ir.names(call.args[:1]) for _, call in kept))
    typed, found = known.typed(function, is_asked=True), dict[ir.Statement, Kind]()
    for statement, call in kept:
        (base,) = ir.names(call.args[:1]) or ("",)
        if containers.kind_of(numbered.reads.get((statement, base)), numbered) is not None:
            continue  # that is known without types, too
        is_slice = isinstance(typed.of(statement, call.args[-1]), Slice)
        match typed.of(statement, call.args[0]):
            case Mapped() as value if len(call.args) == 1:
                kind = Kind.DICT
            case Sequence(is_list=True, is_once=False) as value if len(call.args) == 1 or is_slice:
                kind = Kind.LIST
            case _:
                continue
        if not all(
            isinstance(each, Number | Literal | Function) for each in lattice.contents(value)
        ):
            found[statement] = kind
    return found


def _may_change(statement: ir.Statement) -> bool:
    """Tells whether a statement may change what it reads."""
    match statement:
        case ir.Do(value=ir.Call(function)):
            return operations.of(function).effect not in (Effect.NONE, Effect.OUTSIDE)
    return isinstance(statement, ir.Store | ir.Do)


def _read(block: ir.Block) -> Iterator[tuple[str, bool]]:
    """The variables of which something is read at a place, and whether that is by a text."""
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(value=ir.Call("operator.getitem", (ir.Name(id), index))):
                yield id, isinstance(index, ir.Const) and isinstance(index.value, str)
            case ir.Assign(
                value=ir.Call("ndarray.items" | "ndarray.keys" | "ndarray.values", (ir.Name(id),))
            ):
                yield id, True
            case ir.Assign(value=ir.Opaque(unfolded=(steps, _))):
                yield from _read(steps)


def _changed_as(
    statement: ir.Statement, read: list[tuple[str, bool]], named: list[str]
) -> Kind | None:
    """What a statement changes, if its method tells: a list or a dictionary.

    So does what `update` is given, if that is `named`, the arguments by their names.
    Sets have `update` and `pop()`, too, but nothing is `read` of them at a place.
    """
    match statement:
        case (
            ir.Assign(value=ir.Call(function, args, keywords))
            | ir.Do(value=ir.Call(function, args, keywords))
        ) if operations.changes_container(function):
            names = {*ir.names(args)}
            by_text, by_place = (
                any((name, is_text) in read for name in names) for is_text in (True, False)
            )
            match targets.member(function), operations.of(function).of:
                case _, (Kind.LIST | Kind.DICT as kind,):
                    return kind
                case "update", _ if keywords or by_text or not names.isdisjoint(named):
                    return Kind.DICT
                case "pop", _ if len(args) > 2:
                    return Kind.DICT
                case "pop", _ if len(args) == 1 and by_place:
                    return Kind.LIST
    return None


def lowered(facts: Facts, sharing: Sharing) -> ir.Function:
    """The function with what these methods do to lists and dictionaries of its own."""
    function = facts.function
    changes = {s: base for s in ir.walk(function.body) if (base := _base(s))}
    if not changes:
        return function
    numbered = facts.versions
    live = facts.live.after
    holding = _held(function.body, sharing, live)
    held = {name for s, name in holding if not _is_array(s, name, numbered)}
    held |= _run_over(function.body, changes)
    kinds = {
        statement: kind
        for statement, base in changes.items()
        if base not in held
        and (kind := containers.kind_of(numbered.reads.get((statement, base)), numbered))
    }
    pairs = {s for s in kinds if isinstance(s, ir.Do) and _is_given_pairs(s, numbered)}
    return _Rewriter(function, kinds, pairs).function if kinds else function


def _is_given_pairs(statement: ir.Do, numbered: Versions) -> bool:
    """Tells whether `d.update(pairs)` is surely given no dictionary: pairs of keys and values."""
    match statement.value:
        case ir.Call(called, (_, ir.Name(given))) if targets.member(called) == "update":
            version = numbered.reads.get((statement, given))
            return containers.is_run_over(version, numbered)
    return False


Growing = ir.Do | ir.Assign
"""A statement that makes a list longer or shorter."""


def grouped(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The function with what lists in a list or dictionary of its own grow by as stores.

    `d[k].append(v)` becomes `d[k] = d[k] + [v]`, where nobody else has the list.
    """
    growing = {s: read for s, read in _growing(function.body) if read is not None}
    while growing:
        made, longer = _with_groups(function, growing)
        facts = known.facts(containers.with_cell_stores(known.facts(made)))
        stores = {s.value: s for s in ir.walk(facts.function.body) if isinstance(s, ir.Store)}
        unsure = [s for s, name in longer.items() if not _is_group(stores[name], facts)]
        if not unsure:
            return made
        for statement in unsure:
            del growing[statement]
    return function


def _growing(block: ir.Block) -> Iterator[tuple[Growing, ir.Call | None]]:
    """The statements that change the length of what was just read from a variable, and the read."""
    read: dict[str, ir.Call] = {}
    for statement in block:
        for inner in ir.blocks(statement):
            yield from _growing(inner)
        match statement:
            case ir.Assign((Step() as step,), ir.Call("operator.getitem", (ir.Name(), _)) as call):
                read[step] = call
                continue
            case ir.Do(value=ir.Call(function, (ir.Name(id), *_), ())) if function in GROWING:
                yield statement, read.get(id)
            case ir.Assign((_,), ir.Call("ndarray.pop", (ir.Name(id), *_), ()), is_tuple=False):
                yield statement, read.get(id)
        written = {name for s in ir.walk((statement,)) for name in ir.writes(s)}
        read = {s: call for s, call in read.items() if written.isdisjoint(ir.names(call.args))}


GROWING = ("ndarray.append", "ndarray.extend", "ndarray.insert", "ndarray.pop")
"""What makes lists longer or shorter, and can be told from what it gives."""


def _with_groups(
    function: ir.Function, growing: Mapping[Growing, ir.Call]
) -> tuple[ir.Function, dict[Growing, ir.Name]]:
    """The function with a store for each of some statements, and what each of them stores."""
    fresh, longer = ir.fresh(function), dict[Growing, ir.Name]()

    def block(statements: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in statements:
            if not isinstance(statement, Growing) or statement not in growing:
                made.append(ir.rebuilt(statement, block=block))
                continue
            assert isinstance(statement.value, ir.Call)
            longer[statement] = ir.Name(fresh.step())
            made += _changed_list(statement, statement.value, fresh, longer[statement].id)
            base, index = growing[statement].args
            assert isinstance(base, ir.Name)
            kind, origin = StoreKind.REPLACE, statement.origin
            made.append(ir.Store(base.id, index, longer[statement], kind, origin))
        return tuple(made)

    return replace(function, body=block(function.body)), longer


def _changed_list(
    statement: Growing, call: ir.Call, fresh: ir.Fresh, longer: str
) -> Iterator[ir.Statement]:
    """What makes of a list the one that it is after a method, and what that gives."""
    origin, (held, *args) = statement.origin, call.args
    match targets.member(call.function), args:
        case "append" | "extend" as method, [value]:
            more = fresh.step()
            listed = "python.list" if method == "append" else "builtins.list"
            yield ir.Assign((more,), ir.Call(listed, (value,)), origin)
            made = ir.Call("python.concat", (held, ir.Name(more)))
        case "insert", [_, _]:
            made = ir.Call(f"{RUNTIME}.inserted", call.args)
        case _, places:
            place = places[0] if places else ir.Const(-1)
            if isinstance(statement, ir.Assign):
                read = ir.Call("operator.getitem", (held, place), (), call.span)
                yield replace(statement, value=read)
            made = ir.Call(f"{RUNTIME}.without", (held, place))
    yield ir.Assign((longer,), made, origin)


def _is_group(store: ir.Store, facts: Facts) -> bool:
    """Tells whether a store puts a list into a container of which nobody else has the parts."""
    function, numbered = facts.function, facts.versions
    held = containers.held_at(function, numbered, store, 1) if ir.sets_cell(store) else None
    if held is None or not containers.holds_each_once(facts, store, store.base, 1):
        return False
    made: dict[str, list[str]] = {}
    for statement in ir.walk(function.body):
        for name in ir.reads(statement):
            made.setdefault(name, []).extend(ir.writes(statement))
    others = {*graphs.reached((store.base, *held), lambda name: made.get(name, ()))}
    others -= {store.base}
    seen = facts.aliases(scalar_elements=False).shared(store, store.base) & others
    return seen.isdisjoint(facts.live.after[store])


def _base(statement: ir.Statement) -> str:
    """The variable whose list or dictionary a statement may make longer or shorter."""
    match statement:
        case (
            ir.Assign(value=ir.Call(function, (ir.Name(base), *_)), is_tuple=False)
            | ir.Do(value=ir.Call(function, (ir.Name(base), *_)))
        ) if operations.changes_container(function):
            return base
        case ir.Store(base=base, index=None, kind=StoreKind.ADD):
            return base
    return ""


def _held(
    block: ir.Block, sharing: Sharing, live: Mapping[ir.Statement, liveness.Live]
) -> Iterator[tuple[ir.Statement, str]]:
    """The variables whose object may get a second name, or a place in another one, and by what.

    `row = new` gives it another name, if nobody reads `new` before that is bound again; `row =
    step(row)` gives it none.
    """
    returned = {n for s in block if isinstance(s, ir.Return) for n in ir.reads(s)}
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(targets=targets, value=ir.Name(id)):
                is_moved = statement in live and id not in live[statement]
                yield from () if is_moved else ((statement, name) for name in (id, *targets))
            case ir.Store(value=ir.Name(id), index=index) if index is not None:
                yield statement, id
            case ir.Insert():
                yield from ((statement, name) for name in ir.reads(statement))
            case ir.Assign(value=ir.Opaque(unfolded=(steps, _))):
                yield from _held(steps, sharing, live)
            case ir.Assign(value=ir.Opaque() as value) | ir.Do(value=ir.Opaque() as value):
                if value.findings or value.writes:
                    yield from ((statement, name) for name in value.reads)
            case ir.Assign(targets=targets, value=ir.Call() as call):
                is_end = returned.issuperset(targets) and statement in block
                kept = () if is_end else _kept(call, sharing)
                yield from ((statement, name) for name in kept if (name,) != targets)
                is_named = any(not isinstance(name, Step) for name in targets)
                if operations.combines(call.function) and is_named:
                    yield from ((statement, name) for name in ir.names(call.atoms))
            case ir.Do(value=ir.Call() as call):
                yield from ((statement, name) for name in _kept(call, sharing))


def _is_array(reader: ir.Statement, name: str, numbered: Versions) -> bool:
    """Tells whether a name is by then that of an array, made of a list: `rows = np.array(rows)`."""
    version = numbered.reads.get((reader, name))
    match None if version is None else version.statement:
        case ir.Assign((made,), ir.Call(function)) if made == name:
            record = operations.of(function)
            return targets.is_of(function, "numpy") and record.gives is Kind.ARRAY
    return False


def _kept(call: ir.Call, sharing: Sharing) -> Iterator[str]:
    """The arguments of a call that its result may hold, or be."""
    function = call.function
    if targets.is_method(function):
        yield from ir.names(call.atoms[1:])
        return
    record = operations.of(function)
    if record.holds or record.retains:
        yield from ir.names(call.atoms)
    elif record.retains is None:
        for part in sharing(call) or (call.atoms,):
            yield from ir.names(part)


def _run_over(block: ir.Block, changes: dict[ir.Statement, str]) -> set[str]:
    """The variables whose list changes while a loop runs over it."""
    found: set[str] = set()
    made = {
        target: value
        for s in ir.walk(block)
        if isinstance(s, ir.Assign) and isinstance(value := s.value, ir.Call)
        for target in s.targets
    }

    def combined(name: str) -> Iterable[str]:
        source = made.get(name)
        return ir.names(source.atoms) if source and operations.combines(source.function) else ()

    for loop in ir.walk(block):
        if isinstance(loop, ir.For) and isinstance(loop.iterable, ir.Name):
            names = {*graphs.reached((loop.iterable.id,), combined)}
            found |= names.intersection(changes.get(s, "") for s in ir.walk(loop.body))
    return found


class _Rewriter:
    def __init__(
        self,
        function: ir.Function,
        kinds: dict[ir.Statement, Kind],
        pairs: Collection[ir.Statement],
    ) -> None:
        self.kinds, self.pairs = kinds, pairs
        self.fresh = ir.fresh(function)
        self.function = replace(function, body=self.block(function.body))

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            kind = self.kinds.get(statement)
            written = None if kind is None else self.statement(statement, kind)
            if written is None:
                written = (ir.rebuilt(statement, block=self.block),)
            made += written
        return tuple(made)

    def statement(self, statement: ir.Statement, kind: Kind) -> ir.Block | None:
        """What does the same as a statement; None if nothing here does."""
        match statement:
            case ir.Store(base=base, value=value) if kind is Kind.LIST:
                return self.extended(base, value, statement.origin)
            case ir.Assign(value=ir.Call("ndarray.pop", (_, _, _), ()) as call) if (
                kind is Kind.DICT
            ):
                return self.popped_or(statement, call)
            case ir.Assign(value=ir.Call("ndarray.pop", keywords=()) as call):
                return self.popped(statement, call, kind)
            case ir.Assign(value=ir.Call("ndarray.setdefault", (base, key, *_)) as call):
                entered = self.changed(call, kind, statement.origin)
                read = ir.Call("operator.getitem", (base, key), (), call.span)
                return entered and (*entered, replace(statement, value=read))
            case ir.Do(value=ir.Call(args=(ir.Name(id), given), keywords=keywords)) if (
                statement in self.pairs and kind is Kind.DICT
            ):
                named = self.named(id, keywords, statement.origin)
                return self.paired(id, given, statement.origin), *named
            case ir.Do(value=ir.Call() as call):
                return self.changed(call, kind, statement.origin)
        return None

    def changed(self, call: ir.Call, kind: Kind, origin: Span) -> ir.Block | None:
        """A method, or `del`, for its effect."""
        base, *others = call.args
        assert isinstance(base, ir.Name)
        name = base.id

        def bound(function: str, *args: ir.Atom) -> ir.Assign:
            return ir.Assign((name,), ir.Call(function, args, call.keywords, call.span), origin)

        match targets.member(call.function), kind, others, call.keywords:
            case "append", Kind.LIST, [value], ():
                return (ir.appended(name, value, origin),)
            case "extend", Kind.LIST, [values], ():
                return self.extended(name, values, origin)
            case "insert", Kind.LIST, [place, value], ():
                return (bound(f"{RUNTIME}.inserted", base, place, value),)
            case "pop", Kind.LIST, [], ():
                return (ir.popped(name, origin),)
            case "pop" | "delitem", _, [place], ():
                return (bound(f"{RUNTIME}.without", base, place),)
            case "sort", Kind.LIST, [], _:
                return (bound("builtins.sorted", base),)
            case "reverse", Kind.LIST, [], ():
                turned = self.fresh.step()
                reverse = ir.Call("builtins.reversed", (base,), (), call.span)
                made = ir.Assign((turned,), reverse, origin)
                return made, bound("builtins.list", ir.Name(turned))
            case "clear", _, [], ():
                return (bound(f"python.{kind.value}"),)
            case "setdefault", Kind.DICT, [key, *default], ():
                value = default[0] if default else ir.Const(None)
                store = ir.Store(name, key, value, StoreKind.ENTER, origin)
                return self.if_key("python.not_in", base, key, (store,), (), origin)
            case "pop", Kind.DICT, [key, _], ():
                rest = bound(f"{RUNTIME}.without", base, key)
                return self.if_key("python.in", base, key, (rest,), (), origin)
            case "update", Kind.DICT, [] | [_], keywords:
                return (
                    *(s for entries in others for s in self.entered(name, entries, origin)),
                    *self.named(name, keywords, origin),
                )
        return None

    def named(
        self, name: str, keywords: tuple[tuple[str, ir.Atom], ...], origin: Span
    ) -> Iterator[ir.Store]:
        """The entries of a dictionary that a call names."""
        for key, value in keywords:
            yield ir.Store(name, ir.Const(key), value, StoreKind.ENTER, origin)

    def paired(self, name: str, pairs: ir.Atom, origin: Span) -> ir.For:
        """Each value of some pairs is put into a dictionary, at its key."""
        item, key, value = self.fresh.step(), self.fresh.own("key"), self.fresh.own("value")
        apart = ir.Assign((key, value), ir.Name(item), origin, is_tuple=True)
        store = ir.Store(name, ir.Name(key), ir.Name(value), StoreKind.ENTER, origin)
        return ir.For(item, pairs, (apart, store), origin)

    def if_key(
        self, test: str, base: ir.Atom, key: ir.Atom, body: ir.Block, other: ir.Block, origin: Span
    ) -> ir.Block:
        """A branch by whether a dictionary has a key."""
        step = self.fresh.step()
        asked = ir.Assign((step,), ir.Call(test, (key, base)), origin)
        return asked, ir.If(ir.Name(step), body, other, origin)

    def popped_or(self, statement: ir.Assign, call: ir.Call) -> ir.Block:
        """`v = d.pop(k, default)`: what stands at a key, and then a dictionary without it."""
        base, key, default = call.args
        first = ir.Call("ndarray.pop", (base, key), (), call.span)
        taken = self.popped(replace(statement, value=first), first, Kind.DICT)
        assert taken is not None
        left = (replace(statement, value=default),)
        return self.if_key("python.in", base, key, taken, left, statement.origin)

    def popped(self, statement: ir.Assign, call: ir.Call, kind: Kind) -> ir.Block | None:
        """`v = s.pop(i)`: an element, and then a list without it."""
        base, *places = call.args
        assert isinstance(base, ir.Name)
        if len(places) > 1 or (kind is Kind.DICT and not places):
            return None
        place = places[0] if places else ir.Const(-1)
        read = ir.Call("operator.getitem", (base, place), (), call.span)
        first, origin = replace(statement, value=read), statement.origin
        if not places:
            return first, ir.popped(base.id, origin)
        rest = ir.Call(f"{RUNTIME}.without", (base, place), (), call.span)
        return first, ir.Assign((base.id,), rest, origin)

    def extended(self, name: str, values: ir.Atom, origin: Span) -> ir.Block:
        """Each of some values is appended."""
        before: ir.Block = ()
        if values == ir.Name(name):
            copied = self.fresh.step()
            before = (ir.Assign((copied,), ir.Call("builtins.list", (values,)), origin),)
            values = ir.Name(copied)
        value = self.fresh.own("value")
        append = ir.appended(name, ir.Name(value), origin)
        return (*before, ir.For(value, values, (append,), origin))

    def entered(self, name: str, entries: ir.Atom, origin: Span) -> ir.Block:
        """Each entry of one dictionary, or of pairs, is put into another."""
        keys, more = self.fresh.step(), ir.Name(self.fresh.step())
        key, value = ir.Name(self.fresh.own("key")), ir.Name(self.fresh.step())
        read = ir.Call("operator.getitem", (more, key))
        store = ir.Store(name, key, value, StoreKind.ENTER, origin)
        body = (ir.Assign((value.id,), read, origin), store)
        return (
            ir.Assign((more.id,), ir.Call("builtins.dict", (entries,)), origin),
            ir.Assign((keys,), ir.Call("ndarray.keys", (more,)), origin),
            ir.For(key.id, ir.Name(keys), body, origin),
        )
