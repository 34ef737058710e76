"""Objects of users' classes: what is read of them is a part, what is called a function.

`model.w` of an object whose class and attributes are known is an element of it, at an index that is
the name of the attribute: so the rest of the engine treats an object as a dictionary with these
keys. A call `model(x)` or `model.step(x)` is one of the method, to which the object is given. What
holds no numbers, such as a method or a text, is an option, on which nothing depends smoothly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from adlsp.transform import arguments, ir
from adlsp.transform.canonical import argument_unpacking
from adlsp.transform.diagnostics import language
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.facts import operations
from adlsp.transform.frontend import changing
from adlsp.transform.frontend.decorators import OF_OBJECT
from adlsp.transform.ir import signs, targets
from adlsp.transform.ir.variables import Fresh, Step, readable
from adlsp.transform.ops.makes import Makes
from adlsp.transform.source import Span
from adlsp.transform.values import changes, indexing, lattice, structures, transfer
from adlsp.transform.values.classes import (
    DEEP,
    DISPLAYS,
    FACTORIES,
    GETTER,
    Construction,
    Member,
    augmenting,
    by_name,
    called_of,
    displayed,
    held_of,
    is_of_user,
    leaves_to_right,
    named_parts,
    of_module,
    overloaded,
    replaced,
    run_over,
    unbound,
)
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.lattice import Array, Literal, Number, Object, Value

Calling = ir.Assign | ir.Do
"""A statement with a call."""


LOOKING = ("numpy", "scipy", "tensorflow", "python")
"""Where functions are that look at elements of what they are given."""


class Known(Protocol):
    """What is known of the classes of a program."""

    def member(self, of: str, name: str, above: str = "") -> Member | None:
        """What a class has under a name, or those above it from one on."""

    def unset(self, of: str, name: str) -> str:
        """Why a store into an attribute is not just that; empty where it is."""

    def holds(self, of: str, name: str) -> bool:
        """Tells whether an attribute of a class's objects is just what it was set to."""

    def is_variable(self, dotted: str) -> bool:
        """Tells whether a name is that of a variable of a user's module."""


BESIDE = "adlsp.runtime.beside"
"""What makes sure that a number stands before an operator of an object."""


def resolved(
    statement: ir.Statement,
    call: ir.Call,
    typed: Typed,
    known: Known,
    fresh: Fresh,
    above: Mapping[str, ir.Atom],
) -> tuple[ir.Block, ir.Call]:
    """A call with what an object in it stands for, and the steps that it needs before.

    `above` are the steps that hold `super()`, with the objects of which they are.
    """
    if call.function == ir.GETATTR:
        call = by_name(call, typed.of(statement, call.args[-1]))
    function = call.function
    if targets.is_attribute(function):
        made = _attribute(statement, call, typed, known)
        is_above = bool(above) and isinstance(made.function, targets.Getter)
        return (), replace(made, args=(_seen(made.args[0], above),)) if is_above else made
    if isinstance(function, targets.Nested):
        return (), _own_method(statement, call, typed)
    given = [typed.of(statement, atom) for atom in call.args]
    kept = replaced(function, given, dict(call.keywords), known.member)
    if kept is not None and isinstance(given[0], Object):
        return _another(statement, call, given[0], kept, typed, known, fresh)
    names = displayed(function, given, dict(call.keywords), known.member)
    if names:
        return _displayed(statement, call, names, typed, known, fresh)
    match lattice.constant_of(given[1]) if function == "operator.getitem" else None:
        case int(at) if -len(names := named_parts(given[0], known.member)) <= at < len(names):
            read = replace(call, function=f"attribute.{names[at]}", args=call.args[:1])
            return (), _attribute(statement, read, typed, known)
    if function in ("python.in", "python.not_in") and isinstance(given[1], Object):
        found = called_of(given[1], "__contains__", known.member)
        if found is not None:
            return _contained(statement, call, typed, known, fresh, above)
    operated = overloaded(function, given, known.member)
    if operated and not operated[0] and named_parts(given[operated[1]], known.member):
        return _without_names(statement, call, typed, known, fresh)
    if operated is not None:
        name, at = operated
        others = (*call.args[:at], *call.args[at + 1 :])
        function = f"ndarray.{name or signs.METHODS[function]}"
        call = replace(call, function=function, args=(call.args[at], *others))
        is_left = at == 1 and leaves_to_right(given[1], known.member)
        is_sure = isinstance(given[0], Number | Object) or (is_left and isinstance(given[0], Array))
        if at == 1 and not is_sure:
            told = (*others, ir.Const(True)) if is_left else others
            guard = ir.Do(ir.Call(BESIDE, told), statement.origin, statement.role)
            steps, call = resolved(statement, call, typed, known, fresh, above)
            return (guard, *steps), call
    if not targets.has_receiver(function):
        return _without_names(statement, call, typed, known, fresh)
    owner, *args = call.args
    base = typed.of(statement, owner)
    if not isinstance(base, Object):
        return (), by_module(call, base, known)
    name = "__call__" if function == targets.CALL else targets.member(function)
    is_own = function != targets.CALL and not base.above
    held = held_of(base, name, known.member) if is_own else None
    found = called_of(base, name, known.member) if held is None else None
    if isinstance(held, Object):
        found = called_of(held, "__call__", known.member)
    if not (found or isinstance(held, lattice.Function | lattice.Choice)):
        return (), call
    if found is not None and not found.is_held:
        return (), replace(call, function=found.dotted, args=(_seen(owner, above), *args))
    before: ir.Block = ()
    receiver = owner
    if function != targets.CALL:
        step = fresh.step()
        reading = "operator.getitem" if isinstance(held, Object) else ir.OPTION
        read = ir.Call(reading, (owner, ir.Const(ir.Attribute(name))), (), call.span)
        before = (ir.Assign((step,), read, statement.origin, statement.role),)
        owner = ir.Name(step)
        receiver = owner if isinstance(held, Object) else receiver
    if found is None:
        return before, _by_function(call, held, owner, args)
    of = ir.Global(found.of) if found.of else receiver
    captured = ((targets.Captured(found.own), of),) if found.own else ()
    keywords = (*call.keywords, *captured)
    return before, replace(call, function=found.dotted, args=(owner, *args), keywords=keywords)


def _contained(
    statement: ir.Statement,
    call: ir.Call,
    typed: Typed,
    known: Known,
    fresh: Fresh,
    above: Mapping[str, ir.Atom],
) -> tuple[ir.Block, ir.Call]:
    """Whether an object has something, as its class says; that it does not is a step more."""
    asked = replace(call, function="ndarray.__contains__", args=call.args[::-1])
    before, made = resolved(statement, asked, typed, known, fresh, above)
    if call.function == "python.in":
        return before, made
    step = fresh.step()
    kept = ir.Assign((step,), made, statement.origin, statement.role)
    return (*before, kept), ir.Call("operator.not_", (ir.Name(step),), (), call.span)


def by_module(call: ir.Call, held: Value, known: Known) -> ir.Call:
    """A call of a method, of what is known to be a module or class, as one of its function."""
    name = targets.member(call.function) if targets.is_method(call.function) else ""
    if name and (of := unbound(held, name, known.member)) is not None:
        return replace(call, function=of, args=call.args[1:])
    named = of_module(held, name, known.member) if name else None
    if named is None or known.is_variable(named):
        return call
    return changing.with_changed(ir.Call(named, call.args[1:], call.keywords, call.span))


def _without_names(
    statement: ir.Statement, call: ir.Call, typed: Typed, known: Known, fresh: Fresh
) -> tuple[ir.Block, ir.Call]:
    """A call that looks at elements, given tuples where it is given some with names for parts.

    Of an object it is given what that is run over by.
    """
    record = operations.of(call.function)
    is_display = operations.is_written_out(call.function) or ir.changes_first(call.function)
    is_of_elements = targets.is_operator(call.function) or targets.is_of(call.function, *LOOKING)
    is_of_elements &= record.makes is not Makes.IDENTITY
    if is_display or not (is_of_elements or record.runs is not None or record.tells_shape):
        return (), call
    before: list[ir.Statement] = []
    args = list(call.args)
    for at, atom in enumerate(args):
        names = named_parts(typed.of(statement, atom), known.member)
        reading: ir.Block = ()
        run = None
        if record.runs is not None:
            reading, run = _run_over(statement, atom, typed, known, fresh)
        if names:
            steps, args[at] = _tuple_of(statement, atom, names, typed, known, fresh)
            before += steps
        elif run is not None:
            step = fresh.step()
            before += (*reading, ir.Assign((step,), run, statement.origin, statement.role))
            args[at] = ir.Name(step)
    return tuple(before), replace(call, args=tuple(args)) if before else call


def _tuple_of(
    statement: ir.Statement,
    atom: ir.Atom,
    names: tuple[str, ...],
    typed: Typed,
    known: Known,
    fresh: Fresh,
) -> tuple[list[ir.Statement], ir.Name]:
    """The steps that make a tuple of the parts of one that has names for them."""
    made: list[ir.Statement] = []
    parts: list[ir.Atom] = []
    for name in names:
        reading = ir.Call(f"attribute.{name}", (atom,), (), statement.origin)
        step = fresh.step()
        read = _attribute(statement, reading, typed, known)
        made.append(ir.Assign((step,), read, statement.origin, statement.role))
        parts.append(ir.Name(step))
    whole = fresh.step()
    display = ir.Call("python.tuple", tuple(parts))
    made.append(ir.Assign((whole,), display, statement.origin, statement.role))
    return made, ir.Name(whole)


def _another(
    statement: ir.Statement,
    call: ir.Call,
    base: Object,
    kept: tuple[str, ...],
    typed: Typed,
    known: Known,
    fresh: Fresh,
) -> tuple[ir.Block, ir.Call]:
    """An object with some other fields, and the steps that read those that it keeps."""
    before: list[ir.Statement] = []
    fields = dict(call.keywords)
    for name in kept:
        reading = ir.Call(f"attribute.{name}", call.args, (), call.span)
        step, read = fresh.step(), _attribute(statement, reading, typed, known)
        before.append(ir.Assign((step,), read, statement.origin, statement.role))
        if call.function == DEEP:
            copied, read = fresh.step(), replace(call, args=(ir.Name(step),))
            before.append(ir.Assign((copied,), read, statement.origin, statement.role))
            step = copied
        fields[name] = ir.Name(step)
    ordered = {name: fields[name] for name in (*dict(base.attributes), *fields) if name in fields}
    made = ir.Call(ir.OBJECT, (ir.Global(base.of),), tuple(ordered.items()), call.span)
    return tuple(before), made


def _displayed(
    statement: ir.Statement,
    call: ir.Call,
    names: tuple[str, ...],
    typed: Typed,
    known: Known,
    fresh: Fresh,
) -> tuple[ir.Block, ir.Call]:
    """A display of the fields of an object, and the steps that read these, or copy them."""
    before: list[ir.Statement] = []
    display, flat = DISPLAYS[call.function], list[ir.Atom]()
    held = typed.of(statement, call.args[0])
    assert isinstance(held, Object)
    for name in names:
        reading = ir.Call(f"attribute.{name}", call.args, (), call.span)
        step, read = fresh.step(), _attribute(statement, reading, typed, known)
        before.append(ir.Assign((step,), read, statement.origin, statement.role))
        is_number = isinstance(dict(held.attributes).get(name), Number)
        if not (targets.is_method(call.function) or is_number):
            copied = ir.Call(DEEP, (ir.Name(step),), (), call.span)
            step = fresh.step()
            before.append(ir.Assign((step,), copied, statement.origin, statement.role))
        flat += [ir.Const(name), ir.Name(step)] if display == "python.dict" else [ir.Name(step)]
    return tuple(before), ir.Call(display, tuple(flat), (), call.span)


def _seen(atom: ir.Atom, above: Mapping[str, ir.Atom]) -> ir.Atom:
    """The object of a method: of `super()`, that of the method around."""
    return above.get(atom.id, atom) if isinstance(atom, ir.Name) else atom


def makes_record(call: ir.Call) -> bool:
    """Tells whether a call makes a record, `SimpleNamespace(w=w, b=b)`: what it names it has."""
    is_named = all(key.isidentifier() for key, _ in call.keywords)
    return call.function == ir.RECORD and not call.args and is_named


def constructed(statement: Calling, call: ir.Call, of: Construction, fresh: Fresh) -> ir.Block:
    """A call of a class: an object with fields, or one that a method fills."""
    before: list[ir.Statement] = []
    bound: arguments.Bound | str = {}
    if of.fields or not of.method:
        taking = _taking(of.fields)
        if spread := argument_unpacking.spread(taking, call, statement.origin, fresh):
            steps, call = spread
            before += steps
        bound = arguments.bind(taking, call)
        if spread and any(map(_is_made_anew, of.fields)):
            return (statement,)
    if isinstance(bound, str):
        return (statement,)
    origin, role, own = statement.origin, statement.role, ir.Global(of.of)
    fields: list[tuple[str, ir.Atom]] = []
    for parameter in (*of.fields, *of.begun):
        given = bound.get(parameter.name, parameter.default)
        assert isinstance(given, ir.Atom)
        display = FACTORIES.get(given.dotted) if isinstance(given, ir.Global) else None
        if display is not None and given == parameter.default:
            made = ir.Name(fresh.step())
            before.append(ir.Assign((made.id,), ir.Call(display), origin, role))
            given = made
        fields.append((parameter.name, given))
    if not (of.method or of.begun):
        held = ir.Call(ir.OBJECT, (own,), tuple(fields), call.span)
        if isinstance(statement, ir.Assign) and statement.is_tuple:
            step = fresh.step()
            before.append(ir.Assign((step,), held, origin, role))
            return (*before, replace(statement, value=ir.Name(step)))
        return (*before, replace(statement, value=held))
    target: str = fresh.step()
    match statement:
        case ir.Assign((name,), is_tuple=False):
            is_given = name in ir.names(call.atoms)  # `a = Box(a)`
            target = fresh.own(readable(name)) if is_given else name
    empty = ir.Call(ir.OBJECT, (own,), (), call.span)
    before.append(ir.Assign((target,), empty, origin, role))
    for name, given in fields:
        place = ir.Const(ir.Attribute(name))
        before.append(ir.Store(target, place, given, ir.REPLACE, origin, role))
    if of.method:
        rest = replace(call, args=(), keywords=()) if fields else call
        started = replace(rest, function=of.method, args=(ir.Name(target), *rest.args))
        before.append(ir.Do(started, origin, role))
    if isinstance(statement, ir.Assign) and statement.targets != (target,):
        before.append(replace(statement, value=ir.Name(target)))
    return tuple(before)


def made_at_once(function: ir.Function) -> ir.Function:
    """The function with objects that have from the start what their constructors set first.

    What makes them stands behind the steps that compute it, and an object that a loop puts into a
    list changes no more there.
    """
    if not any(map(_begins_object, ir.walk(function.body))):
        return function
    n_reads = Counter(name for s in ir.walk(function.body) for name in ir.reads(s))

    def again(block: ir.Block) -> ir.Block:
        made = [ir.rebuilt(statement, block=again) for statement in block]
        for place in reversed(range(len(made))):
            making = made[place]
            if isinstance(making, ir.Assign) and _begins_object(making):
                made[place:] = _filled(making, made[place + 1 :], n_reads)
        return tuple(made)

    return replace(function, body=again(function.body))


def _begins_object(statement: ir.Statement) -> bool:
    """Tells whether a statement makes an object that has nothing yet."""
    match statement:
        case ir.Assign((_,), ir.Call(ir.OBJECT, keywords=()), is_tuple=False):
            return True
    return False


def _filled(
    making: ir.Assign, rest: list[ir.Statement], n_reads: Counter[str]
) -> list[ir.Statement]:
    """What makes an object and statements behind it: it is made behind the last that fills it."""
    call, (name,) = making.value, making.targets
    assert isinstance(call, ir.Call)
    attributes, before, found = dict[str, ir.Atom](), list[ir.Statement](), [making, *rest]
    for at, statement in enumerate(rest, 1):
        match statement:
            case ir.Store(base, ir.Const(ir.Attribute() as key), value, ir.REPLACE) if (
                base == name and value != ir.Name(name)
            ):
                attributes[str(key)] = value
                args = (*call.args[:1], ir.UNMADE)
                filled = replace(call, args=args, keywords=tuple(attributes.items()))
                found = [*before, replace(making, value=filled), *rest[at:]]
                continue
            case ir.Assign((_,), ir.Call("operator.getitem", (ir.Name(base), ir.Const(key)))) if (
                base == name and key in attributes
            ):
                statement = replace(statement, value=attributes[str(key)])
            case ir.Assign((Step() as step,), ir.Call(function)) if not n_reads[step] and (
                function in (ir.OPTION, ir.SUPER) or function.startswith(targets.OF_OBJECT)
            ):
                continue  # a method of the object, whose call is written out
        kept = {name, *ir.names(attributes.values())}
        if any(name in ir.reads(s) or kept & {*ir.writes(s)} for s in ir.walk((statement,))):
            break
        before.append(statement)
    return found


def _is_made_anew(field: ir.Parameter) -> bool:
    """Tells whether the default of a field is what each object has one of its own of."""
    return isinstance(field.default, ir.Global) and field.default.dotted in FACTORIES


def _taking(fields: tuple[ir.Parameter, ...]) -> ir.Function:
    """A function that takes the fields of an object."""
    return ir.Function("", "", fields, (), Span("", 0, 0, 0, 0))


def stored(statement: ir.Do, typed: Typed, known: Known) -> ir.Block | ir.Statement:
    """What an assignment to an attribute does: its steps, or what it was where these are unsure."""
    kept = statement.value
    assert isinstance(kept, ir.Opaque)
    assert kept.unfolded is not None
    steps, _ = kept.unfolded
    store = steps[-1]
    assert isinstance(store, ir.Store)
    assert store.index is not None
    base, index = typed.of(store, ir.Name(store.base)), typed.of(store, store.index)
    reason = changes.obstacle(base, index, store.kind.operator, known)
    if reason is None:
        return steps
    findings = kept.findings
    if reason:
        findings = tuple(_because(found, reason) for found in findings)
    return replace(statement, value=replace(kept, unfolded=None, findings=findings))


def operated(
    store: ir.Store,
    typed: Typed,
    known: Known,
    fresh: Fresh,
    paths: Mapping[str, tuple[ir.Atom, ...]],
) -> ir.Block:
    """What an operator does at a place where an object stands, `s.p += v`: its class may say.

    These are the steps of `s.p = s.p + v`, or of what changes the object itself. So they are of a
    store into an element of an object that stands in another one, `s.p[0] = v`. Nothing for other
    stores. `paths` are the indices that an index stands for.
    """
    base, index, operator = ir.Name(store.base), store.index, store.kind.operator
    if index is None:
        return ()
    made: list[ir.Statement] = []

    def step(call: ir.Call) -> ir.Name:
        name = fresh.step()
        made.append(ir.Assign((name,), call, store.origin, store.role))
        return ir.Name(name)

    def reading(indices: Iterable[ir.Atom]) -> ir.Name:
        read = base
        for each in indices:
            read = step(ir.Call("operator.getitem", (read, each), (), store.span))
        return read

    held, place = typed.of(store, base), typed.of(store, index)
    path = paths.get(index.id, (index,)) if isinstance(index, ir.Name) else (index,)
    owner = held
    for each in path[:-1]:
        given = transfer.Given((owner, typed.of(store, each)), {})
        owner = transfer.result("operator.getitem", given)
    is_element = not indexing.is_of_attribute(typed.of(store, path[-1]))
    if len(path) > 1 and is_element and is_of_user(owner):
        within = reading(path[:-1])
        return (*made, replace(store, base=within.id, index=path[-1]))
    if not targets.is_operator(operator):
        return ()
    cell = transfer.result("operator.getitem", transfer.Given((held, place), {}))
    is_unset = changes.has_attribute(place) and changes.obstacle(held, place, "", known) is not None
    if is_unset or not is_of_user(cell):
        return ()
    read = reading(path)
    called = augmenting(operator, cell, known.member)
    value = step(ir.Call(called, (read, store.value), (), store.span))
    return (*made, replace(store, value=value, kind=ir.REPLACE))


def element_set(
    statement: ir.Store, typed: Typed, known: Known, fresh: Fresh
) -> Iterator[tuple[ir.Statement, ir.Call | None]]:
    """The steps of a store, with their calls: of an element of an object, or by an operator.

    What the class of the object does then is what its methods do.
    """
    base, index, value = ir.Name(statement.base), statement.index, statement.value
    operator, span, role = statement.kind.operator, statement.origin, statement.role
    is_object = is_of_user(typed.of(statement, base))
    if not is_object or (
        index is not None and indexing.is_of_attribute(typed.of(statement, index))
    ):
        yield statement, None
    elif index is None:
        called = augmenting(operator, typed.of(statement, base), known.member)
        call = ir.Call(called, (base, value), (), statement.span)
        yield ir.Assign((base.id,), call, span, role), call
    else:
        if targets.is_operator(operator):
            read, made = fresh.step(), fresh.step()
            call = ir.Call("operator.getitem", (base, index), (), statement.span)
            yield ir.Assign((read,), call, span, role), call
            call = ir.Call(operator, (ir.Name(read), value), (), statement.span)
            yield ir.Assign((made,), call, span, role), None
            value = ir.Name(made)
        call = ir.Call("ndarray.__setitem__", (base, index, value), (), statement.span)
        yield ir.Do(call, span, role), call


def taken_apart(
    statement: ir.Assign, typed: Typed, known: Known, fresh: Fresh
) -> Iterator[tuple[ir.Statement, ir.Call | None]]:
    """The steps of `x, v = state` where that is a tuple with names for its parts.

    Another object is taken apart as its class says.
    """
    value = statement.value
    if isinstance(value, ir.Call):
        yield statement, value
        return
    assert isinstance(value, ir.Name)
    given = typed.of(statement, value)
    names = named_parts(given, known.member)
    if is_of_user(given) and not names:
        reading, seen = _run_over(statement, value, typed, known, fresh)
        yield from ((step, None) for step in reading)
        seen = seen or ir.Call("builtins.iter", (value,), (), statement.origin)
        yield replace(statement, value=seen), None
    elif len(names) != len(statement.targets) or value.id in statement.targets:
        yield statement, None
    else:
        for target, name in zip(statement.targets, names, strict=True):
            call = ir.Call(f"attribute.{name}", (value,), (), statement.origin)
            yield ir.Assign((target,), call, statement.origin, statement.role), call


def run_through(loop: ir.For, typed: Typed, known: Known, fresh: Fresh) -> ir.Block:
    """A loop over an object, which is over what its class gives: its step, and the loop."""
    given = typed.of(loop, loop.iterable)
    if not is_of_user(given):
        return ()
    if names := named_parts(given, known.member):
        before, parts = _tuple_of(loop, loop.iterable, names, typed, known, fresh)
        return (*before, replace(loop, iterable=parts))
    step = fresh.step()
    reading, run = _run_over(loop, loop.iterable, typed, known, fresh)
    run = run or ir.Call("builtins.iter", (loop.iterable,), (), loop.origin)
    made = ir.Assign((step,), run, loop.origin, loop.role)
    return *reading, made, replace(loop, iterable=ir.Name(step))


def _run_over(
    statement: ir.Statement, atom: ir.Atom, typed: Typed, known: Known, fresh: Fresh
) -> tuple[ir.Block, ir.Call | None]:
    """What reads the attribute that an object is run over by, or calls the method that says it."""
    base = typed.of(statement, atom)
    if held := run_over(base, known.member):
        reading = ir.Call(f"attribute.{held}", (atom,), (), statement.origin)
        return (), _attribute(statement, reading, typed, known)
    if not isinstance(base, Object) or called_of(base, "__iter__", known.member) is None:
        return (), None
    call = ir.Call("ndarray.__iter__", (atom,), (), statement.origin)
    return resolved(statement, call, typed, known, fresh, {})


def _because(found: Diagnostic, reason: str) -> Diagnostic:
    finding = found.finding
    if not isinstance(finding, language.MethodOrAttribute):
        return found
    return replace(found, finding=replace(finding, why=f": {reason}"))


def _by_function(call: ir.Call, held: Value | None, owner: ir.Atom, args: list[ir.Atom]) -> ir.Call:
    """A call of the function that an attribute holds."""
    match held:
        case lattice.Function(dotted, (), (), ()) if targets.is_plain(dotted):
            return replace(call, function=dotted, args=tuple(args))
    return replace(call, function=targets.CALL, args=(owner, *args))


def with_object(call: ir.Call) -> ir.Call | None:
    """A call of a method as one of the function that gets the object; None for others."""
    called, given = call.function, [*arguments.captured(call)]
    method = called.of if isinstance(called, targets.Instance) else called
    if not isinstance(method, targets.Nested) or len(given) != 1 or not targets.is_plain(method.of):
        return None
    (name, owner), *_ = given
    plain = method.of
    if isinstance(called, targets.Instance):
        plain = targets.Instance(called.given, method.of)
    keywords = tuple(pair for pair in call.keywords if pair[0] != targets.Captured(name))
    return ir.Call(plain, (owner, *call.args[1:]), keywords, call.span)


def _attribute(statement: ir.Statement, call: ir.Call, typed: Typed, known: Known) -> ir.Call:
    """An attribute: a part, or an option; where nothing is known of it, it is none of an array.

    What a property computes is what its function gives.
    """
    base = typed.of(statement, call.args[0])
    if not isinstance(base, Object) or not is_of_user(base):
        return call
    name = targets.member(call.function)
    held = None if base.above else dict(base.attributes).get(name)
    found = known.member(base.of, name, base.above) if held is None else None
    if found is not None and found.kind == GETTER:
        return replace(call, function=found.called)
    if base.above:
        return call
    place = (call.args[0], ir.Const(ir.Attribute(name)))
    is_met = held == lattice.UNKNOWN and known.holds(base.of, name)
    if held is not None and (structures.holds_numbers(held) or is_met):
        return replace(call, function="operator.getitem", args=place)
    is_bound = found is not None and found.kind == OF_OBJECT
    is_option = _is_option(held) if held is not None else found is not None
    if is_option and not is_bound:
        return replace(call, function=ir.OPTION, args=place)
    return replace(call, function=f"{targets.OF_OBJECT}{name}")


def _is_option(held: Value) -> bool:
    """Tells whether a value holds no numbers: no function does that has none of its own."""
    match held:
        case lattice.Function(is_given=True):
            return True
        case lattice.Function(bound=bound, keywords=keywords, captured=captured):
            return not (bound or keywords or captured)
        case lattice.Choice(functions):
            return all(map(_is_option, functions))
    return isinstance(held, Literal)


def _own_method(statement: ir.Statement, call: ir.Call, typed: Typed) -> ir.Call:
    """A call of a method of the same object, whose attribute may hold another function."""
    for key, atom in call.keywords:
        base = typed.of(statement, atom) if isinstance(key, targets.Captured) else None
        if isinstance(base, Object):
            held = dict(base.attributes).get(targets.member(call.function))
            if held is not None:
                rest = tuple(pair for pair in call.keywords if pair[0] is not key)
                made = replace(call, keywords=rest)
                return _by_function(made, held, call.args[0], [*call.args[1:]])
    return call
