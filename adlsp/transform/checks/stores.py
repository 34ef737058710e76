"""What prevents the derivative of a store: other names that see it, lists that loops run over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from adlsp.transform import ir
from adlsp.transform.checks import parameters
from adlsp.transform.checks.subject import (
    BY_NUMBERS,
    UNNAMED,
    Given,
    Subject,
    called,
    shown,
    value_of,
)
from adlsp.transform.diagnostics import gradients, language, mutation, reading
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.facts import containers, graphs, operations, shapes
from adlsp.transform.facts.points_to import OUTSIDE, copied_parts
from adlsp.transform.ir.variables import Generated, readable
from adlsp.transform.ops.spec import Kind
from adlsp.transform.source import Span


def store(subject: Subject, statement: ir.Store, outputs: tuple[str, ...]) -> Iterator[Diagnostic]:
    """A store: into memory that others see, or into a parameter."""
    varied = subject.activity.varied_before[statement]
    value_varied = isinstance(statement.value, ir.Name) and statement.value.id in varied
    base = statement.base
    is_useful = base in subject.activity.useful_after[statement]
    is_active = (value_varied or base in varied) and is_useful
    span = statement.span or statement.origin
    if subject.inferred.may_resize(statement):
        if any(map(subject.activity.is_active, ir.walk(subject.function.body))):
            finding = language.UnsupportedStatement(
                "a slice of a list that may get longer or shorter"
            )
            yield subject.found(statement, finding, span, base)
        return
    key = statement.index if is_useful else None
    if key is not None and subject.is_active_number(statement, key):
        found = subject.found(statement, reading.NoRule(BY_NUMBERS), span, base)
        yield replace(found, is_open=not subject.known.given)
        return
    if is_active and subject.inferred.extends_list(statement):
        yield subject.found(statement, mutation.ContainerChanged(readable(base)), span, base)
        return
    if ir.resizes(statement):
        if value_varied or base in varied:
            yield from _resized(subject, statement, span)
        return
    if ir.sets_cell(statement):
        if value_varied or base in varied:
            yield from _changed_elsewhere(subject, statement, span)
            yield from _changed_in_place(subject, statement)
        return
    is_path = subject.facts.indices.is_path(statement, statement.index)
    is_varied = value_varied or base in varied
    if is_varied and not is_path and _gets_other_axes(subject, statement):
        text = "an element of a list or dictionary that gets other axes"
        yield subject.found(statement, language.UnsupportedStatement(text), span, base)
        return
    is_guarded = statement in subject.uncertain
    is_unclear = is_path and not is_guarded and not _is_clear(subject, statement)
    if is_unclear and (value_varied or base in varied):
        text = subject.known.quote(span)
        written = mutation.AliasedWrite(_indexed(text) or text, readable(base))
        yield subject.found(statement, written, span, base)
        return
    if statement.index is not None and not is_path and subject.is_display(statement, base):
        others = subject.shared_later(statement, base) if is_varied else ()
        if is_active or any(subject.takes_part(each, statement) for each in others):
            yield subject.found(statement, mutation.ContainerChanged(readable(base)), span, base)
        if is_varied:
            yield from _changed_in_place(subject, statement)
        return
    if value_varied and is_active and subject.inferred.cuts_fractions(statement):
        (name,) = ir.names((statement.value,))
        yield subject.found(statement, gradients.GradientCut(base), span, name)
        return
    takes_part = is_active or subject.takes_part(base, statement)
    others = subject.shared_later(statement, base)
    if others and _binds_attribute(statement):
        others = others - subject.facts.arrays()
    for other in sorted(others):
        is_seen = takes_part or subject.takes_part(other, statement)
        if not is_seen or _is_iterator(subject, other, base):
            continue
        if not _is_number(subject, statement):
            written = _aliased(subject, span, base, other)
            yield subject.found(statement, written, span, base)
        break
    if (value_varied or base in varied) and not _binds_attribute(statement):
        yield from changed_in_module(subject, statement)
    operator = statement.kind.operator
    if is_active and operator and subject.known.rule(operator) is None:
        yield subject.found(statement, reading.NoRule(called(operator)), span, base)
    if (
        not outputs
        and statement not in subject.uncertain
        and (is_active or (subject.gives_nothing() and (value_varied or base in varied)))
    ):
        yield from parameters.parameter_changed(subject, statement, base, span)


def _binds_attribute(store: ir.Store) -> bool:
    """Tells whether a store gives an attribute to an object, which changes no array that it has."""
    match store.index:
        case ir.Const(ir.Attribute()):
            return store.kind.replaces
    return False


def _indexed(text: str) -> str:
    """What a target takes a part of, by its last index: `y[0]`, of `y[0][z[1] > 0]`."""
    depth = 0
    for place in reversed(range(len(text))):
        depth += (text[place] == "]") - (text[place] == "[")
        if text[place] == "[" and depth == 0:
            return text[:place]
    return ""


def _changed_in_place(subject: Subject, store: ir.Store) -> Iterator[Diagnostic]:
    """What a list holds and `c[0] += v` changes, where that may be the array of a module."""
    if not subject.facts.aliases(scalar_elements=False).of_modules(store, store.base):
        return
    is_changed = store.kind.changes or _is_put_back(subject, store)
    if is_changed and not subject.inferred.changes_number(store):
        yield from changed_in_module(subject, store)


def _is_put_back(subject: Subject, store: ir.Store) -> bool:
    """Tells whether a store puts back what has changed in place by another name."""
    parts = copied_parts(subject.function.body)
    return isinstance(store.value, ir.Name) and store.value.id in parts


def changed_in_module(subject: Subject, store: ir.Store) -> Iterator[Diagnostic]:
    """A write by a second name into what a module holds, or a function keeps: others may read it.

    `y += v` is one where `y` is known to be an array, or may be one that a module holds.
    """
    inferred, base = subject.facts.inferred, store.base
    is_array = store.index is not None or bool(inferred and inferred.rank(store, base))
    outsides = subject.facts.aliases(scalar_elements=False).of_modules(store, base)
    for outside in outsides[:1]:
        is_put_back = _is_put_back(subject, store)
        if subject.inferred.changes_own_part(store, is_put_back=is_put_back):
            return
        if not (is_array or subject.may_hold_array(outside)):
            return
        other = "what a function keeps" if outside == OUTSIDE else shown(outside)
        span = store.span or store.origin
        text = subject.known.quote(span).partition("[")[0].partition(" ")[0]
        yield subject.found(store, mutation.AliasedWrite(text, other), span, base)


def _aliased(subject: Subject, span: Span, base: str, other: str) -> mutation.AliasedWrite:
    """The finding in the words of the text, where what is written into goes by its first name."""
    written = subject.known.quote(span).partition("[")[0]
    if written == shown(ir.Name(other)):
        base, other = other, base
    found = subject.aliased(base, other)
    return replace(found, array=written) if found.array == UNNAMED else found


def _is_clear(subject: Subject, statement: ir.Store) -> bool:
    """Tells whether `x[i][j] = v` surely changes one place, and what that is."""
    assert statement.index is not None
    path = subject.facts.indices.definition(statement, statement.index)
    assert isinstance(path, ir.Call)
    if not subject.facts.indices.is_single(statement, statement.index):
        return False
    inferred = subject.facts.inferred
    if statement.base in subject.facts.arrays():
        return True
    if statement not in subject.facts.aliases().inner:
        is_apart = inferred is None or inferred.holds_apart(
            statement, statement.base, inferred.written_into(statement, ())
        )
        if not is_apart or _holds_views(subject, statement):
            return False
    is_array = inferred is not None and statement.base in inferred.whole_arrays()
    return is_array or (
        containers.holds_each_once(
            subject.facts, statement, statement.base, len(path.args) - 1, n_given=1
        )
    )


def _holds_views(subject: Subject, store: ir.Store) -> bool:
    """Tells whether what a store changes may hold two that share memory: `s = b, b.T`."""
    shared = subject.facts.aliases(scalar_elements=False)
    names = {store.base, *shared.related(store, store.base)}
    for display in ir.walk(subject.function.body):
        match display:
            case ir.Assign((target,), ir.Call(function) as call) if target in names:
                held = [*ir.names(call.atoms)] if operations.of(function).holds else []
                for position, name in enumerate(held):
                    if not shared.related(display, name).isdisjoint(held[position + 1 :]):
                        return True
    return False


def _resized(subject: Subject, statement: ir.Store, span: Span) -> Iterator[Diagnostic]:
    """A list that becomes longer or shorter while a loop runs over it, or others see it too."""
    yield from _run_over(subject, statement, span)
    held = (each for each in subject.holders.get(statement.base, ()) if not each.is_display)
    holders = {
        each.name
        for each in held
        if not isinstance(each.by, ir.Store) or each.by.kind is ir.StoreKind.APPEND
    }
    for name in sorted(holders & subject.shared_later(statement, statement.base)):
        if subject.takes_part(name, statement):
            finding = subject.aliased(statement.base, name)
            yield subject.found(statement, finding, span, statement.base)


def _changed_elsewhere(subject: Subject, statement: ir.Store, span: Span) -> Iterator[Diagnostic]:
    """A container or object of which a part is set, where others are the same one, or hold it.

    So a copy of a list holds the objects that the list does.
    """
    same, holders = _same_and_holders(subject, statement)
    yield from _run_over(subject, statement, span)
    base, may_hold = statement.base, subject.inferred.may_hold
    shared = subject.shared_later(statement, base).intersection(same + holders)
    related = subject.shared_later(statement, base, scalar_elements=False)
    shared |= {name for name in related if may_hold(statement, name, base)}
    for name in sorted(shared):
        if subject.takes_part(name, statement):
            finding = subject.aliased(statement.base, name)
            yield subject.found(statement, finding, span, statement.base)
            break


def _run_over(subject: Subject, statement: ir.Store, span: Span) -> Iterator[Diagnostic]:
    """A container that changes while a loop runs over it."""
    for loop in subject.loops:
        if not _runs_over(loop, subject, statement.base) or statement not in ir.walk(loop.body):
            continue
        if not (ir.sets_cell(statement) and _has_keys(loop, subject, statement)):
            changed = mutation.ContainerChanged(readable(statement.base))
            yield subject.found(statement, changed, span, statement.base)


def _same_and_holders(subject: Subject, store: ir.Store) -> tuple[list[str], list[str]]:
    """The names that may go for the container that a store changes, and of what may hold it."""
    later = cache(lambda: _not_yet(subject, store))

    def known(given: dict[str, list[Given]], name: str) -> Iterator[str]:
        for each in given.get(name, ()):
            if store.base not in ir.reads(each.by) or each.by not in later():
                yield each.name

    same = graphs.reached((store.base,), partial(known, subject.other_names))
    held = (holder for each in same for holder in known(subject.holders, each))
    return same, graphs.reached(held, partial(known, subject.holders))


def _not_yet(subject: Subject, store: ir.Store) -> set[ir.Statement]:
    """What runs after a store into a container that is made before it in the same block.

    No other name that is given there is one for the container when the store is done.
    """
    pending = [subject.function.body]
    while pending:
        block = pending.pop()
        made = None
        for position, statement in enumerate(block):
            within = [*ir.walk((statement,))]
            if any(store.base in ir.writes(s) for s in within if not isinstance(s, ir.Store)):
                made = statement
            elif store in within:
                match made:
                    case ir.Assign(value=ir.Call(function=called)) if containers.made_by(called):
                        return {*ir.walk(block[position + 1 :])}
            pending += ir.blocks(statement)
    return set()


def _runs_over(loop: ir.For, subject: Subject, name: str) -> bool:
    """Tells whether the elements of a loop are those of a list."""
    source = subject.facts.indices.definition(loop, loop.iterable)
    return ir.Name(name) in (loop.iterable, *(getattr(source, "args", ())))


def _has_keys(loop: ir.For, subject: Subject, store: ir.Store) -> bool:
    """Tells whether a loop runs over the keys of a dictionary, of which a store sets one again."""
    inferred, numbered = subject.facts.inferred, subject.facts.versions
    kind = containers.kind_of(numbered.reads.get((store, store.base)), numbered)
    kind = kind or (None if inferred is None else inferred.containers().get(store.base))
    if kind is not Kind.DICT:
        return False
    source = subject.facts.indices.definition(loop, loop.iterable)
    is_of_keys = source is None or loop.iterable == ir.Name(store.base)
    match source:
        case ir.Call("ndarray.keys" | "builtins.list" | "builtins.sorted", args):
            is_of_keys |= args == (ir.Name(store.base),)
    return is_of_keys and store.index == ir.Name(loop.target)


def _is_iterator(subject: Subject, name: str, base: str) -> bool:
    """Tells whether a step is a `zip` or its like, which reads an array by its name as it changes.

    One that has the array by another name does not: a loop that binds `x` runs over what `x` was.
    """
    return any(
        isinstance(value := value_of(s), ir.Call)
        and operations.combines(value.function)
        and any(n == base or _is_iterator(subject, n, base) for n in ir.names(value.args))
        for s in ir.walk(subject.function.body)
        if isinstance(name, Generated) and name in ir.writes(s)
    )


def _gets_other_axes(subject: Subject, statement: ir.Store) -> bool:
    """Tells whether an element is replaced by one of other axes, where only the types tell of it.

    It is looked upon as a place in an array, unless the text tells that it is none.
    """
    facts = subject.facts
    is_replaced = statement.kind.replaces and subject.inferred.changes_rank(statement)
    whole = facts.arrays(is_derived=facts.is_derived)
    return is_replaced and statement not in containers.entries(
        subject.function, facts.indices, whole, facts.inferred
    )


def _is_number(subject: Subject, statement: ir.Store) -> bool:
    """Tells whether what a store changes is surely a number, which shares no memory."""
    known, numbered = subject.facts.shapes, subject.facts.versions
    is_number = known.is_number(numbered.reads[statement, statement.base])
    return is_number and known.written(statement, statement.base) == shapes.SCALAR
