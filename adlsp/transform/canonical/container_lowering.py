"""Methods that make lists and dictionaries longer or shorter, as stores at their end or new ones.

Methods of containers are lowered to what the rest of the engine knows: item stores and bindings.
`s.insert(0, v)` and `s.pop(0)` bind `s` to another list. Nobody sees the difference where a
function has made the list, and has one name for it, and no loop runs over it meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import containers, graphs, liveness, operations
from adlsp.transform.facts.facts import Facts
from adlsp.transform.ir import StoreKind, targets
from adlsp.transform.ir.variables import Step
from adlsp.transform.ops.spec import Kind
from adlsp.transform.source import Span

RUNTIME = "adlsp.runtime"

Sharing = Callable[[ir.Call], tuple[tuple[ir.Atom, ...], ...] | None]
"""For each part of a call's result the arguments that it may share memory with."""


def lowered(facts: Facts, sharing: Sharing) -> ir.Function:
    """The function with what these methods do to lists and dictionaries of its own."""
    function = facts.function
    changes = {s: base for s in ir.walk(function.body) if (base := _base(s))}
    if not changes:
        return function
    numbered = facts.versions
    live = facts.live.after
    held = set(_held(function.body, sharing, live)) | _run_over(function.body, changes)
    kinds = {
        statement: kind
        for statement, base in changes.items()
        if base not in held
        and (kind := containers.kind_of(numbered.reads.get((statement, base)), numbered))
    }
    return _Rewriter(function, kinds).function if kinds else function


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
) -> Iterator[str]:
    """The variables whose object may get a second name, or a place in another one.

    `row = new` gives it another name, if nobody reads `new` before that is bound again.
    """
    returned = {n for s in block if isinstance(s, ir.Return) for n in ir.reads(s)}
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(targets=targets, value=ir.Name(id)):
                is_moved = statement in live and id not in live[statement]
                yield from () if is_moved else (id, *targets)
            case ir.Store(value=ir.Name(id), index=index) if index is not None:
                yield id
            case ir.Insert():
                yield from ir.reads(statement)
            case ir.Assign(value=ir.Opaque(unfolded=(steps, _))):
                yield from _held(steps, sharing, live)
            case ir.Assign(value=ir.Opaque() as value) | ir.Do(value=ir.Opaque() as value):
                yield from value.reads if value.findings or value.writes else ()
            case ir.Assign(targets=targets, value=ir.Call() as call):
                is_end = returned.issuperset(targets) and statement in block
                yield from () if is_end else _kept(call, sharing)
                is_named = any(not isinstance(name, Step) for name in targets)
                if operations.combines(call.function) and is_named:
                    yield from ir.names(call.atoms)
            case ir.Do(value=ir.Call() as call):
                yield from _kept(call, sharing)


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
    def __init__(self, function: ir.Function, kinds: dict[ir.Statement, Kind]) -> None:
        self.kinds = kinds
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
            case ir.Assign(value=ir.Call(keywords=()) as call) if call.function == "ndarray.pop":
                return self.popped(statement, call, kind)
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
            case "update", Kind.DICT, [] | [_], keywords:
                return (
                    *(s for entries in others for s in self.entered(name, entries, origin)),
                    *(
                        ir.Store(name, ir.Const(key), v, StoreKind.ENTER, origin)
                        for key, v in keywords
                    ),
                )
        return None

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
        """Each entry of one dictionary is put into another."""
        keys = self.fresh.step()
        key, value = ir.Name(self.fresh.own("key")), ir.Name(self.fresh.step())
        read = ir.Call("operator.getitem", (entries, key))
        store = ir.Store(name, key, value, StoreKind.ENTER, origin)
        body = (ir.Assign((value.id,), read, origin), store)
        return (
            ir.Assign((keys,), ir.Call("ndarray.keys", (entries,)), origin),
            ir.For(key.id, ir.Name(keys), body, origin),
        )
