"""Calls of functions that are values: what a variable is known to hold is called itself.

A call of what a variable holds, `f(y)`, becomes one of the function that this surely is. A user's
function that is given functions, `rk2(decay, y, h)`, becomes an instance of it in which they are
known (specialization; of higher-order functions also called defunctionalization), so that what is
done to calls of named functions is done to these. The call keeps all its arguments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from adlsp.transform import arguments, ir
from adlsp.transform.canonical import branches, inline, objects, unrolling
from adlsp.transform.facts import graphs, operations
from adlsp.transform.facts.facts import Facts
from adlsp.transform.facts.versions import Version, VersionKind
from adlsp.transform.frontend import changing, operators
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ir.targets import Structure
from adlsp.transform.ir.variables import SEED, Step
from adlsp.transform.ops.spec import Runs
from adlsp.transform.values import constants, derivatives, elements, lattice, structures
from adlsp.transform.values.classes import Construction, by_name, for_object, of_module
from adlsp.transform.values.inference import Instances, Settled, Typed, World
from adlsp.transform.values.lattice import Signature
from adlsp.transform.values.signature import text

Definition = Callable[[str], ir.Function | None]
"""Finds the user's function that a call goes to, as it is lowered; None if it is ruled."""

Calling = ir.Assign | ir.Do
"""A statement with a call."""

KEEPING = ("functools.partial", "python.dict", "python.list", "python.tuple", targets.CALL)
"""What keeps functions that it is given, or calls them."""


MOST_NESTED = 4
"""How deep loops over objects stand in each other that are written out."""


MOST_GIVEN = 32
"""How many functions and objects an instance knows, with those that these keep."""

MOST_ALIKE = 3
"""How many closures of one text an instance knows that keep each other.

A function that calls itself with a closure over what it was given would have ever more instances.
"""


class Around(World, Protocol):
    """What is asked of the program; `settled` are functions as they are lowered."""

    settled: dict[tuple[ir.Function, tuple[lattice.Value, ...]], Settled]

    def signature(self, dotted: str) -> ir.Function | None:
        """The user's function that a call goes to, as it is lowered; None if it is ruled."""

    def holds(self, of: str, name: str) -> bool:
        """Tells whether an attribute of a class's objects is just what it was set to."""

    def has_objects(self, function: ir.Function) -> bool:
        """Tells whether a function, or what it calls, makes an object of a known class."""


def _instances(around: Around, *, has_callees: bool = True) -> Instances:
    """The instances of functions as they are lowered: what each is, is found out once.

    Callees count where objects take part, which they may leave as they are. Else what is held by a
    function's own variables is known without them.
    """
    if has_callees:
        return Instances(around, around.settled, around.signature)
    return Instances(around, called=lambda _: None)


def resolved(function: ir.Function, given: Signature, around: Around) -> ir.Function:
    """The function with calls of the functions that its variables hold, and parts of its objects.

    `given` are the objects that its parameters get. With what methods are called on as their
    arguments, it is known which instances of them are called.
    """
    function = _of_variables(inline.with_made(function, around.signature), around)
    is_concerned = _is_concerned(function, around)
    if is_concerned:
        function = _with_classes(function, given, around)
    function = _of_modules(function, given, around)
    has_objects = bool(given) or around.has_objects(function) or _reads_by_names(function)
    has_objects = has_objects or _has_held(function, around)
    if not (has_objects or is_concerned):
        return function
    definition = around.signature
    if has_objects:
        function = _with_members(function, given, around)
        made = inline.with_made(function, around.signature)
        function = function if made is function else _with_members(made, given, around)
    fresh = ir.fresh(function)
    held = _Holding(function, given, around, has_objects, fresh)

    def called(statement: Calling, call: ir.Call) -> Calling:
        if has_objects and targets.is_plain(call.function):
            given = [held.typed.of(statement, atom) for atom in call.args[:1]]
            call = replace(call, function=for_object(call.function, given, around.member))
        if call.function == ir.GETATTR:
            call = by_name(call, held.typed.of(statement, call.args[-1]))
        if isinstance(statement, ir.Assign) and (entry := _entry(statement, call, held.typed)):
            return replace(statement, value=entry)
        if operators.is_own(call.function):
            return statement
        made = _instantiated(statement, call, held, definition)
        return statement if made == statement.value else replace(statement, value=made)

    def by_function(statement: Calling, call: ir.Call) -> ir.Block:
        made = of_function(statement, call)
        return (*held.read(), *made)

    def of_function(statement: Calling, call: ir.Call) -> ir.Block:
        if call.function != targets.CALL:
            return (called(statement, call),)
        origin, role = statement.origin, statement.role
        *others, last = held.either(statement, call.args[0]) or (None,)
        made: ir.Block = (called(statement, held.calling(statement, last, call)),)
        for known in reversed(others):
            assert known is not None
            before: ir.Block = ()
            own = known.told_by
            if isinstance(own, ir.Call):
                entry = fresh.step()
                before, own = (ir.Assign((entry,), own, origin, role),), ir.Name(entry)
            assert own is not None
            test = fresh.step()
            compared = ir.Call("operator.is_", (call.args[0], own))
            taken = (called(statement, held.calling(statement, known, call)),)
            made = (
                *before,
                ir.Assign((test,), compared, origin, role),
                ir.If(ir.Name(test), taken, made, origin, role),
            )
        return made

    def kept(statement: ir.Statement, value: ir.Opaque) -> ir.Opaque:
        """What is kept as written, with the functions that its calls surely go to."""
        calls = tuple(of_variable(statement, value, *each) for each in value.calls)
        return value if calls == value.calls else replace(value, calls=calls)

    def of_variable(
        statement: ir.Statement, value: ir.Opaque, function: str, names: tuple[str, ...]
    ) -> tuple[str, tuple[str, ...]]:
        is_call = function == targets.CALL and bool(names)
        known = held.of(statement, ir.Name(names[0])) if is_call else None
        if held.read() or known is None:
            return function, names
        captured = (*ir.names(atom for _, atom in known.given),)
        is_told = {*captured} <= {*value.reads}  # what is not read there is not seen to change
        return (known.dotted, (*names[1:], *captured)) if is_told else (function, names)

    return replace(function, body=_rewritten(function.body, by_function, kept=kept))


def _of_variables(function: ir.Function, around: Around) -> ir.Function:
    """The function with calls of what variables of modules hold, where that is known."""

    def called(statement: Calling, call: ir.Call) -> ir.Block:
        if targets.is_plain(call.function) and around.held_by(call.function) is not None:
            args = (ir.Global(call.function), *call.args)
            return (replace(statement, value=replace(call, function=targets.CALL, args=args)),)
        return (statement,)

    body = _rewritten(function.body, called)
    return function if body == function.body else replace(function, body=body)


def _has_held(function: ir.Function, around: Around) -> bool:
    """Tells whether a function speaks of a variable of a module that surely holds an object."""
    atoms = [atom for _, call in every_call(function) for atom in call.atoms]
    for statement in ir.walk(function.body):
        match statement:
            case ir.For(iterable=atom) | ir.Assign(value=ir.Global() as atom):
                atoms.append(atom)
    held = (around.held_by(atom.dotted) for atom in atoms if isinstance(atom, ir.Global))
    return any(v is not None and (structures.is_told(v) or structures.keeps(v)) for v in held)


def _with_classes(function: ir.Function, given: Signature, around: Around) -> ir.Function:
    """The function with what constructors do of classes that its variables hold."""
    if not calls_values(function):
        return function

    def is_class(value: lattice.Value) -> bool:
        return isinstance(value, lattice.Function) and bool(around.constructing(value.dotted))

    held_by_own = _instances(around, has_callees=False)
    typed = held_by_own.of(function, given)
    written_out = unrolling.unrolled(function, typed, is_class=is_class)
    if written_out is not function:
        function, typed = written_out, held_by_own.of(written_out, given)

    def called(statement: Calling, call: ir.Call) -> ir.Block:
        held = typed.of(statement, call.args[0]) if call.function == targets.CALL else None
        if isinstance(held, lattice.Function) and is_class(held):
            own = ir.Global(held.dotted)
            return (replace(statement, value=replace(call, args=(own, *call.args[1:]))),)
        return (statement,)

    found = replace(function, body=_rewritten(function.body, called))
    return function if found == function else constructed(found, around.constructing)


def _of_modules(function: ir.Function, given: Signature, around: Around) -> ir.Function:
    """The function with calls of what modules have that its variables hold: `xp = np`."""
    every = [call for _, call in every_call(function)]
    calls = [c for c in every if targets.is_method(c.function) or targets.is_attribute(c.function)]
    if not calls:
        return function
    made = (s.value for s in ir.walk(function.body) if isinstance(s, ir.Assign))
    callees = (around.signature(v.function) for v in made if isinstance(v, ir.Call))
    has_callees = any(each is not None and _gives_names(each) for each in callees)
    is_spoken = any(isinstance(atom, ir.Global) for call in every for atom in call.atoms)
    if not (is_spoken or has_callees or names_values(function)):
        return function
    typed = _instances(around, has_callees=has_callees).of(function, given)

    walked = [*ir.walk(function.body)]
    written = Counter(name for s in walked for name in ir.writes(s))
    values = (s.value for s in walked if isinstance(s, ir.Assign | ir.Do))
    kept = {name for value in values if isinstance(value, ir.Opaque) for name in value.reads}
    read: dict[str, ir.Atom] = {}
    fresh = ir.fresh(function)

    def called(statement: Calling, call: ir.Call) -> ir.Block:
        is_attribute = targets.is_attribute(call.function)
        if not (is_attribute or targets.is_method(call.function)):
            return (statement,)
        match call.args[0]:
            case ir.Global(dotted) if not around.is_variable(dotted):
                held: lattice.Value = lattice.Function(dotted)
            case atom:
                held = typed.of(statement, atom)
        if not is_attribute:
            made = objects.by_module(call, held, around)
            match statement:
                case ir.Assign(targets=(Step(),)) if (
                    operations.of(made.function).runs is Runs.LATER
                ):
                    step = fresh.step()  # a loop runs over a list of it
                    listed = ir.Call("builtins.list", (ir.Name(step),))
                    first = replace(statement, targets=(step,), value=made)
                    return first, replace(statement, value=listed)
            return (statement if made is call else replace(statement, value=made),)
        named = of_module(held, targets.member(call.function), around.member)
        if named is None:
            return (statement,)
        match statement:
            case ir.Assign() if around.is_variable(named):
                return (replace(statement, value=ir.Global(named)),)
            case ir.Assign(targets=(Step() as step,)) if written[step] == 1 and step not in kept:
                read[step] = ir.Global(named)
                return ()
            case ir.Assign():
                return (replace(statement, value=ir.Global(named)),)
        return (statement,)

    def atom(each: ir.Atom) -> ir.Atom:
        return read.get(each.id, each) if isinstance(each, ir.Name) else each

    body = _rewritten(function.body, called)
    return replace(function, body=_substituted(body, atom) if read else body)


def _entry(statement: ir.Statement, call: ir.Call, typed: Typed) -> ir.Expression | None:
    """What `get` gives of a dictionary that is known, where it is clear what that is."""
    match call:
        case ir.Call("ndarray.get", (base, key, *default), ()):
            held, name = typed.of(statement, base), lattice.constant_of(typed.of(statement, key))
            if not isinstance(held, lattice.Mapped) or held.items is None:
                return None
            if name in dict(held.items):
                return ir.Call("operator.getitem", (base, key), (), call.span)
            if name is not lattice.UNREACHED:
                return default[0] if default else ir.Const(None)
    return None


def _with_members(function: ir.Function, given: Signature, around: Around) -> ir.Function:
    """The function with parts of objects, and the functions that their methods are."""
    typed = _instances(around).of(function, given)
    for _ in range(MOST_NESTED):
        written_out = unrolling.unrolled(function, typed)
        if written_out is function:
            break
        function, typed = written_out, _instances(around).of(written_out, given)
    for rewrite in (_with_results, _with_sums, _with_operators):
        written_out = rewrite(function, typed, around)
        if written_out is not function:
            function, typed = written_out, _instances(around).of(written_out, given)
    fresh = ir.fresh(function)
    function = branches.decided(function, typed)
    above = {
        statement.targets[0]: call.args[1]
        for statement, call in every_call(function)
        if call.function == ir.SUPER and isinstance(statement, ir.Assign) and len(call.args) == 2
    }

    def again(statement: Calling, call: ir.Call) -> ir.Block:
        if isinstance(statement, ir.Assign) and statement.is_tuple:
            steps = objects.taken_apart(statement, typed, around, fresh)
            return tuple(s for step, inner in steps for s in as_members(statement, step, inner))
        return as_members(statement, statement, call)

    def as_members(place: ir.Statement, step: ir.Statement, call: ir.Call | None) -> ir.Block:
        if call is None or not isinstance(step, Calling):
            return (step,)
        before, made = objects.resolved(place, call, typed, around, fresh, above)
        return (*before, step if made == step.value else replace(step, value=made))

    def of_object(statement: ir.Statement) -> ir.Block | ir.Statement:
        match statement:
            case ir.Do(value=ir.Opaque(unfolded=((*_, ir.Store()), _))):
                return objects.stored(statement, typed, around)
            case ir.Store():
                steps = objects.element_set(statement, typed, around, fresh)
            case ir.Assign(is_tuple=True):
                steps = objects.taken_apart(statement, typed, around, fresh)
            case _:
                return statement
        return tuple(s for step, call in steps for s in as_members(statement, step, call))

    def run_through(loop: ir.For) -> ir.Block:
        return objects.run_through(loop, typed, around, fresh)

    return replace(function, body=_rewritten(function.body, again, of_object, run_through))


def _with_results(function: ir.Function, typed: Typed, _: Around) -> ir.Function:
    """The function with names for the objects that calls give and statements take apart."""
    fresh, is_changed = ir.fresh(function), False

    def change(statement: Calling, call: ir.Call) -> ir.Block:
        nonlocal is_changed
        if not (isinstance(statement, ir.Assign) and statement.is_tuple):
            return (statement,)
        if typed.writes.get((statement, statement.targets[0])) is not elements.OF_OBJECT:
            return (statement,)
        is_changed, step = True, fresh.step()
        made = ir.Assign((step,), call, statement.origin, statement.role)
        return made, replace(statement, value=ir.Name(step))

    body = _rewritten(function.body, change)
    return replace(function, body=body) if is_changed else function


def _with_sums(function: ir.Function, typed: Typed, _: Around) -> ir.Function:
    """The function with sums of objects, `sum(vectors)`, by the operators of their classes."""
    fresh, is_changed = ir.fresh(function), False

    def change(statement: Calling, call: ir.Call) -> ir.Block:
        nonlocal is_changed
        match call:
            case ir.Call("builtins.sum", (ir.Name() as values, *further), keywords):
                start = (*further, *dict(keywords).values(), ir.Const(0))[0]
            case _:
                return (statement,)
        held, origin = typed.of(statement, values), statement.origin
        if not (isinstance(statement, ir.Assign) and isinstance(held, lattice.Sequence)):
            return (statement,)
        if held.is_once or not isinstance(held.element, lattice.Object):
            return (statement,)
        if held.items is None:
            if not isinstance(typed.of(statement, start), lattice.Object):
                return (statement,)
            each, whole = fresh.own("each"), fresh.own("total")
            more = ir.Call("operator.add", (ir.Name(whole), ir.Name(each)), (), call.span)
            loop = ir.For(each, values, (ir.Assign((whole,), more, origin),), origin)
            begun = ir.Assign((whole,), start, origin)
            is_changed = True
            return begun, loop, replace(statement, value=ir.Name(whole))
        made: list[ir.Statement] = []
        for place in range(len(held.items)):
            element, total = fresh.step(), fresh.step()
            read = ir.Call("operator.getitem", (values, ir.Const(place)), (), call.span)
            made.append(ir.Assign((element,), read, origin))
            more = ir.Call("operator.add", (start, ir.Name(element)), (), call.span)
            made.append(ir.Assign((total,), more, origin))
            start = ir.Name(total)
        is_changed = True
        return (*made, replace(statement, value=start))

    body = _rewritten(function.body, change)
    return replace(function, body=body) if is_changed else function


def _with_operators(function: ir.Function, typed: Typed, around: Around) -> ir.Function:
    """The function with what operators do where objects stand in others, and in containers."""
    fresh, is_changed = ir.fresh(function), False
    paths = {
        statement.targets[0]: call.args
        for statement, call in every_call(function)
        if call.function == ir.PATH and isinstance(statement, ir.Assign)
    }

    def of_object(statement: ir.Statement) -> ir.Block | ir.Statement:
        nonlocal is_changed
        before: list[ir.Statement] = []
        store = statement
        if isinstance(statement, ir.Do) and isinstance(statement.value, ir.Opaque):
            *before, store = statement.value.unfolded[0] if statement.value.unfolded else [store]
        steps: ir.Block = ()
        if isinstance(store, ir.Store):
            steps = objects.operated(store, typed, around, fresh, paths)
        is_changed |= bool(steps)
        return (*before, *steps) if steps else statement

    body = _rewritten(function.body, lambda statement, _: (statement,), of_object)
    return replace(function, body=body) if is_changed else function


def constructed(
    function: ir.Function, constructing: Callable[[str], Construction | None]
) -> ir.Function:
    """The function with what constructors of known classes do."""
    fresh, found = ir.fresh(function), False

    def made(statement: Calling, call: ir.Call) -> ir.Block:
        nonlocal found
        called = call
        match call:
            case ir.Call(targets.CALL, (ir.Global(dotted), *args)):
                called = replace(call, function=dotted, args=tuple(args))
        if objects.makes_record(called):
            found = True
            record = replace(called, function=ir.OBJECT, args=(ir.Global(ir.RECORD),))
            return (replace(statement, value=record),)
        construction = None
        if targets.is_plain(called.function):
            construction = constructing(called.function)
        if construction is None:
            return (statement,)
        found = True
        return objects.constructed(statement, called, construction, fresh)

    body = _rewritten(function.body, made)
    return replace(function, body=body) if found else function


def makes_objects(function: ir.Function) -> bool:
    """Tells whether a function makes an object of a known class, or may by what that has."""
    return any(
        call.function == ir.OBJECT
        or (targets.is_attribute(call.function) and isinstance(call.args[0], ir.Global))
        for _, call in every_call(function)
    )


def _reads_by_names(function: ir.Function) -> bool:
    """Tells whether a function reads attributes whose names are values."""
    return any(call.function == ir.GETATTR for _, call in every_call(function))


def given(
    function: ir.Function, signature: Signature, definition: Definition
) -> Iterator[targets.Given | Structure]:
    """What a signature tells of the functions and objects that a function is given."""
    rebound = {name for s in ir.walk(function.body) for name in ir.writes(s)}
    told = structures.of_arguments(
        {
            p.name: value
            for p in function.parameters
            if (value := signature.get(p.name)) is not None
            if _is_told(value, p.name, function, definition)
        }
    )
    for p in function.parameters:
        match signature.get(p.name):
            case lattice.Function(dotted, (), (), ()) if (
                targets.is_plain(dotted) and p.name not in rebound and not p.is_rest
            ):
                yield targets.Given(p.name, dotted)
            case _ if p.name in told:
                yield Structure(p.name, text(told[p.name]))


COMPARING = ("operator.eq", "operator.ne", "python.in", "python.not_in")
"""What an option is asked by."""

CHOOSING = ("operator.getitem", "ndarray.get", ir.GETATTR)
"""What an option chooses a function with, from a table or a module."""


def names_values(function: ir.Function) -> bool:
    """Tells whether a function gives a variable a function or a module by its name."""
    return any(
        isinstance(s, ir.Assign) and isinstance(s.value, ir.Global) for s in ir.walk(function.body)
    )


def calls_values(function: ir.Function) -> bool:
    """Tells whether a function calls what a variable of it holds."""
    return any(call.function == targets.CALL for _, call in every_call(function))


def _gives_names(function: ir.Function) -> bool:
    """Tells whether a function may give back a function or a module by its name."""
    last = function.body[-1]
    is_given = isinstance(last, ir.Return) and isinstance(last.value, ir.Global)
    return is_given or names_values(function)


def _is_told(
    value: lattice.Value, parameter: str, function: ir.Function, definition: Definition
) -> bool:
    """Tells whether an instance knows an argument: objects, and options that choose functions."""
    if structures.has_objects(value) or structures.has_functions(value):
        return True
    if value == lattice.NONE:  # `if xp is None: xp = np`, `if model is None: model = Model()`
        if not (names_values(function) or makes_objects(function) or calls_values(function)):
            return False
        return any(_asks_for(*each) for each in _given_on(function, parameter, definition))

    is_number = isinstance(value, lattice.Number)
    if not (is_number or structures.is_told(value)):
        return False
    asks = _asks_class if is_number else _chooses
    return any(asks(*each) for each in _given_on(function, parameter, definition))


def asks_class(function: ir.Function, parameter: str, definition: Definition) -> bool:
    """Tells whether a function, or one that it gives a number to, asks of which class that is."""
    return any(_asks_class(*each) for each in _given_on(function, parameter, definition))


def _given_on(
    function: ir.Function, parameter: str, definition: Definition
) -> list[tuple[ir.Function, str]]:
    """The parameters that are given what one is given: itself, and those of callees."""

    def passed(one: tuple[ir.Function, str]) -> Iterator[tuple[ir.Function, str]]:
        function, name = one
        for _, call in every_call(function):
            callee = definition(call.function) if ir.Name(name) in call.atoms else None
            bound = {} if callee is None else arguments.bind(callee, call)
            if callee is not None and not isinstance(bound, str):
                yield from ((callee, p) for p, atom in bound.items() if atom == ir.Name(name))

    return graphs.reached([(function, parameter)], passed)


def _asks_for(function: ir.Function, parameter: str) -> bool:
    """Tells whether a function asks whether it was given something for a parameter."""
    asked = ir.Name(parameter), ir.Const(None)
    if any(call.args == asked for _, call in every_call(function)) or _is_tested(
        function, parameter
    ):
        return True
    values = (s.value for s in ir.walk(function.body) if isinstance(s, ir.Assign))
    texts = (value for value in values if isinstance(value, ir.Opaque))
    choices = (each.reads for each in texts if each.unfolded is not None)  # `xp or np`
    return any(parameter in reads for reads in choices)


def _asks_class(function: ir.Function, parameter: str) -> bool:
    """Tells whether a function asks of which class a parameter is: an object, or a number."""
    calls = (call for _, call in every_call(function))
    asked = (call for call in calls if call.function == "builtins.isinstance")
    return any(call.args[0] == ir.Name(parameter) for call in asked)


def _chooses(function: ir.Function, option: str) -> bool:
    """Tells whether a function chooses what it calls, or which object it makes, by a parameter."""
    calls = [call for _, call in every_call(function)]
    if makes_objects(function) or names_values(function):
        compared = (call for call in calls if call.function in COMPARING)
        if any(ir.Name(option) in call.args for call in compared):
            return True
    return any(
        call.function in CHOOSING and ir.Name(option) in call.args[1:]
        for call in calls
        if call.args
        if isinstance(call.args[0], ir.Global) or any(c.function == targets.CALL for c in calls)
    )


def instantiated(
    function: ir.Function, called: targets.Instance, definition: Definition
) -> ir.Function:
    """The copy of a function in which some parameters are known functions.

    What these have captured it has for parameters.
    """
    rebound = {name for s in ir.walk(function.body) for name in ir.writes(s)}
    given = {each.parameter: each for each in called.functions if each.parameter not in rebound}
    parameters = [*function.parameters]
    for at, parameter in enumerate(parameters):
        each = given.get(parameter.name)
        if each is not None:
            held = ir.Held(each.function, each.captured)
            parameters[at] = replace(parameter, is_function=True, held=held)
            parameters += _captured(each, definition)
    known = {
        name: ir.Global(each.function)
        for name, each in given.items()
        if targets.is_plain(each.function) and not each.captured
    }

    def atom(read: ir.Atom) -> ir.Atom:
        return known.get(read.id, read) if isinstance(read, ir.Name) else read

    rest = [p for p in parameters if p.kind is ir.ParameterKind.VARKEYWORDS]
    others = [p for p in parameters if p not in rest]
    return replace(
        function,
        name="_".join((_of_class(function), *(_short(each.function) for each in called.functions))),
        parameters=(*others, *rest),
        body=_substituted(_with_known_calls(function.body, given), atom),
        called=called,
    )


def _with_known_calls(block: ir.Block, given: Mapping[str, targets.Given]) -> ir.Block:
    """A block in which what is kept as written tells which functions its calls go to.

    It reads what these have captured.
    """

    def called(function: str, names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        each = given.get(names[0]) if function == targets.CALL and names else None
        if each is None:
            return function, names
        return each.function, (*names[1:], *(name for _, name in each.captured))

    def again(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign(value=ir.Opaque() as kept) | ir.Do(value=ir.Opaque() as kept):
                calls = tuple(called(*each) for each in kept.calls)
                held = (f for f in given.values() if f.parameter in kept.reads)
                captured = (name for each in held for _, name in each.captured)
                reads = tuple(dict.fromkeys((*kept.reads, *captured)))
                return replace(statement, value=replace(kept, calls=calls, reads=reads))
            case ir.If() | ir.For() | ir.While():
                return ir.rebuilt(statement, block=lambda inner: _with_known_calls(inner, given))
        return statement

    return tuple(map(again, block)) if given else block


def _captured(given: targets.Given, definition: Definition) -> Iterator[ir.Parameter]:
    """The parameters of an instance for what a function that it is given has captured."""
    function = definition(given.function)
    own = {} if function is None else {p.name: p for p in function.parameters}
    names = dict(given.captured)
    for name, parameter in given.captured:
        held = own[name].held if name in own else None
        if held is not None:
            pairs = tuple((ours, names.get(theirs, theirs)) for ours, theirs in held.captured)
            held = replace(held, captured=pairs)
        yield ir.Parameter(
            parameter, ir.ParameterKind.KEYWORD, is_function=held is not None, held=held
        )


def _of_class(function: ir.Function) -> str:
    """What a function is called in the name of an instance; `__call__` as its class."""
    of, name = targets.member(function.module), function.name
    if not (name.startswith("__") and name.endswith("__")):
        return name
    return of if name == "__call__" else f"{of}_{name.strip('_')}"


def _short(function: str) -> str:
    """What the name of an instance says of a function that it is given."""
    name = targets.member(function)
    return name if name.isidentifier() else "lambda"


def _substituted(block: ir.Block, atom: Callable[[ir.Atom], ir.Atom]) -> ir.Block:
    """A block in which variables are replaced, also in the steps of what is kept as written."""

    def again(statement: ir.Statement) -> ir.Statement:
        made = ir.rebuilt(statement, atom, block=lambda inner: _substituted(inner, atom))
        return _unfolded(made, lambda inner: _substituted(inner, atom))

    return tuple(map(again, block))


def _rewritten(
    block: ir.Block,
    change: Callable[[Calling, ir.Call], ir.Block],
    of_object: Callable[[ir.Statement], ir.Block | ir.Statement] = lambda statement: statement,
    run_through: Callable[[ir.For], ir.Block] = lambda _: (),
    kept: Callable[[ir.Statement, ir.Opaque], ir.Opaque] = lambda _, value: value,
) -> ir.Block:
    """A block with other calls, also in the steps of what is kept as written.

    `of_object` gives the steps of an assignment to an attribute, where it does just that, and those
    of one to an element; `run_through`, what a loop needs before it; `kept`, what is then known of
    what stays as it was written.
    """

    def inside(inner: ir.Block) -> ir.Block:
        return _rewritten(inner, change, of_object, run_through, kept)

    def again(statement: ir.Statement) -> ir.Block:
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                return change(statement, call)
            case ir.Do(value=ir.Opaque(unfolded=(_, _))):
                steps = of_object(statement)
                if not isinstance(steps, ir.Statement):
                    return inside(steps)
                statement = steps
            case ir.Store() | ir.Assign(value=ir.Name(), is_tuple=True):
                steps = of_object(statement)
                return (steps,) if isinstance(steps, ir.Statement) else steps
            case ir.For():
                *before, loop = run_through(statement) or (statement,)
                return (*before, ir.rebuilt(loop, block=inside))
        if isinstance(statement, ir.NESTING):
            return (ir.rebuilt(statement, block=inside),)
        made = _unfolded(statement, inside)
        match made:
            case ir.Assign(value=ir.Opaque() as value) | ir.Do(value=ir.Opaque() as value):
                value = kept(statement, value)
                return (made if value is made.value else replace(made, value=value),)
        return (made,)

    return tuple(made for statement in block for made in again(statement))


def _unfolded(statement: ir.Statement, change: Callable[[ir.Block], ir.Block]) -> ir.Statement:
    """A statement with other steps for what is kept as written in it."""
    match statement:
        case (
            ir.Assign(value=ir.Opaque(unfolded=(block, name)) as opaque)
            | ir.Do(value=ir.Opaque(unfolded=(block, name)) as opaque)
        ):
            return replace(statement, value=replace(opaque, unfolded=(change(block), name)))
    return statement


def _made_in(block: ir.Block) -> Iterator[ir.Held]:
    """The functions that a block makes."""
    for statement in ir.walk(block):
        match statement:
            case (
                ir.Assign(value=ir.Opaque(function=ir.Held() as held))
                | ir.Do(value=ir.Opaque(function=ir.Held() as held))
            ):
                yield held


def every_call(function: ir.Function) -> Iterator[tuple[ir.Statement, ir.Call]]:
    """The calls of a function, those of what is kept as written included."""
    pending = [*function.body]
    for statement in pending:
        pending += [inner for block in ir.blocks(statement) for inner in block]
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                yield statement, call
            case (
                ir.Assign(value=ir.Opaque(unfolded=(block, _)))
                | ir.Do(value=ir.Opaque(unfolded=(block, _)))
            ):
                pending += block


def _is_concerned(function: ir.Function, around: Around) -> bool:
    """Tells whether a function may call a value, or give functions to a user's function."""

    def may_be_one(atom: ir.Atom) -> bool:
        if not isinstance(atom, ir.Global) or constants.value_of(atom.dotted) is not None:
            return False
        if not around.is_variable(atom.dotted):
            return True
        held = around.held_by(atom.dotted)
        return not (held is None or isinstance(held, lattice.Number | lattice.Array))

    has_functions = any(parameter.held is not None for parameter in function.parameters)
    for _, call in every_call(function):
        if call.function == targets.CALL or call.function == ir.GETATTR:
            return True
        if _has_options(call, around.signature):
            return True
        has_functions |= any(map(may_be_one, (*call.atoms, *_defaults(call, around.signature))))
    values = (s.value for s in ir.walk(function.body) if isinstance(s, ir.Assign | ir.Do))
    return has_functions or any(
        isinstance(value, ir.Global)
        or (isinstance(value, ir.Opaque) and value.function is not None)
        for value in values
    )


def _defaults(call: ir.Call, definition: Definition) -> Iterator[ir.Atom]:
    """What the parameters of a user's function are where calls leave them out."""
    function = definition(call.function)
    for parameter in () if function is None else function.parameters:
        if isinstance(parameter.default, ir.Atom):
            yield parameter.default


def _is_option(atom: ir.Atom) -> bool:
    return isinstance(atom, ir.Const) and (atom.value is None or isinstance(atom.value, str))


def _has_options(call: ir.Call, definition: Definition) -> bool:
    """Tells whether a call gives a user's function a text, or None, by which that chooses one."""
    function = definition(call.function)
    if function is None or not any(map(_is_option, (*call.atoms, *_defaults(call, definition)))):
        return False
    bound = arguments.bind(function, call)
    return not isinstance(bound, str) and any(
        isinstance(atom, ir.Const)
        and _is_option(atom)
        and _is_told(lattice.of_constant(atom.value), name, function, definition)
        for name, atom in bound.items()
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """A function that a value surely is, and what is given to it besides the arguments of a call.

    A number stands for a place among the first arguments, another name for a keyword. What is one
    of several is `told_by` its name, or by the entry of the table that it is from.
    """

    dotted: str
    given: tuple[tuple[str, ir.Atom], ...]
    told_by: ir.Atom | ir.Call | None = None

    def called(self, call: ir.Call) -> ir.Call:
        """The call of the function, for one of the value."""
        if isinstance(self.dotted, targets.Nested):
            captured = ((targets.Captured(name), atom) for name, atom in self.given)
            return ir.Call(self.dotted, call.args, (*captured, *call.keywords), call.span)
        first = tuple(atom for name, atom in self.given if name.isdecimal())
        named = {name: atom for name, atom in self.given if not name.isdecimal()}
        keywords = {**named, **dict(call.keywords)}
        args = (*first, *call.args[1:])
        dotted = self.dotted
        if isinstance(dotted, targets.Derivative) and SEED.name in keywords:
            dotted = dotted.seeded
        return changing.with_changed(ir.Call(dotted, args, tuple(keywords.items()), call.span))


class _Holding:
    """Which functions the variables of a function hold where its statements read them.

    `kept` says by their names what steps are that read what is kept in functions.
    """

    def __init__(
        self,
        function: ir.Function,
        given: Signature,
        around: Around,
        has_objects: bool,
        fresh: ir.Fresh,
    ) -> None:
        self.around, self.fresh = around, fresh
        is_asked = has_objects or calls_values(function)
        self.typed = _instances(around, has_callees=is_asked).of(function, given)
        self.facts = Facts(function)
        plain = (s for s in ir.walk(function.body) if not isinstance(s, ir.NESTING))
        self.outer = {inner: s for s in plain for inner in ir.with_unfolded((s,))}
        self.kept: dict[str, lattice.Value] = {}
        self.made = {
            lattice.Function(held.dotted, captured=held.captured)
            for held in _made_in(function.body)
        }
        self._reading: dict[tuple[ir.Atom, str | int], ir.Assign] = {}

    def read(self) -> ir.Block:
        """The steps that read what is kept, for the statement that was looked at last."""
        made = tuple(self._reading.values())
        self._reading.clear()
        return made

    def value(self, statement: ir.Statement, atom: ir.Atom) -> lattice.Value:
        """What an atom is in a statement, be it one that a function has which this calls."""
        if isinstance(atom, ir.Name) and atom.id in self.kept:
            return self.kept[atom.id]
        now = self.facts.versions.before.get(self.outer.get(statement, statement))
        if not isinstance(atom, ir.Name) or (statement, atom.id) in self.typed.reads or not now:
            return self.typed.of(statement, atom)
        version = now.get(atom.id)
        if version is None or version.statement is None:
            return self.typed.given.get(atom.id, lattice.UNREACHED)
        return self.typed.writes.get((version.statement, atom.id), lattice.UNREACHED)

    def closed(
        self, statement: ir.Statement, value: lattice.Value, seen: frozenset[str] = frozenset()
    ) -> lattice.Value:
        """A value as a callee sees it: closures that objects hold keep what variables have now.

        `seen` are those around it, which they may have captured themselves.
        """
        if isinstance(value, lattice.Function) and value.captured:
            if value.dotted in seen:
                return lattice.UNKNOWN
            seen |= {value.dotted}
            given = [(name, self.value(statement, ir.Name(own))) for name, own in value.captured]
            kept = [(name, self.closed(statement, each, seen)) for name, each in given]
            bound = tuple(each for name, each in kept if name.isdecimal())
            named = tuple((name, each) for name, each in kept if not name.isdecimal())
            return lattice.Function(targets.defined(value.dotted), bound, named, is_given=True)
        made = lattice.holding(
            value, [self.closed(statement, part, seen) for _, part in lattice.parts(value)]
        )
        is_closure = isinstance(made, lattice.Function) and not targets.is_plain(made.dotted)
        return structures.given(made) if is_closure else made

    def of(self, statement: ir.Statement, atom: ir.Atom) -> _Known | None:
        """The function that an atom surely is, if all is known that it is given."""
        if isinstance(atom, ir.Global) and not self.around.is_variable(atom.dotted):
            return _Known(atom.dotted, ()) if targets.is_plain(atom.dotted) else None
        value = self.value(statement, atom)
        if not isinstance(value, lattice.Function) or isinstance(atom, ir.Const):
            return None
        is_derivative = isinstance(value.dotted, targets.Derivative)
        captured = tuple((name, ir.Name(variable)) for name, variable in value.captured)
        if is_derivative and not (value.bound or value.keywords):
            return _Known(value.dotted, self._placed(value.dotted, captured))
        if is_derivative and value.is_given:
            return None
        is_named = isinstance(value.dotted, targets.Nested) or targets.is_named(value.dotted)
        if value.is_given or not (value.bound or value.keywords or is_named):
            return self._keeping(statement, atom, value)
        if not (value.bound or value.keywords):
            return _Known(value.dotted, captured)
        if isinstance(value.dotted, targets.Nested):
            return None
        written = tuple(map(_written, value.bound)), {n: _written(v) for n, v in value.keywords}
        if None in written[0] or None in written[1].values():
            call = self._binding(statement, atom)
            if call is None:
                return None
            written = call.args[1:], dict(call.keywords)
        places = ((str(at), given) for at, given in enumerate(written[0]))
        every = (*captured, *places, *written[1].items())
        known = _Known(value.dotted, tuple((name, given) for name, given in every if given))
        is_inside = targets.is_inside(value.dotted)
        return replace(known, dotted=targets.Nested(value.dotted)) if is_inside else known

    def _placed(
        self, dotted: str, captured: tuple[tuple[str, ir.Atom], ...]
    ) -> tuple[tuple[str, ir.Atom], ...]:
        """What a function is given that it has captured: a method its object, as the first."""
        function = self.around.signature(dotted) if captured else None
        parameters = () if function is None else function.parameters
        positional = [p.name for p in parameters if p.is_positional]
        names = ((str(positional.index(n)) if n in positional else n) for n, _ in captured)
        return tuple((name, atom) for name, (_, atom) in zip(names, captured, strict=True))

    def calling(self, statement: ir.Statement, known: _Known | None, call: ir.Call) -> ir.Call:
        """The call of a function for one of a value; with decorators, of what these have made."""
        made = call if known is None else known.called(call)
        own = ir.Global(made.function)
        if not targets.is_plain(own.dotted) or (held := self.of(statement, own)) is None:
            return made
        return held.called(replace(made, function=targets.CALL, args=(own, *made.args)))

    def either(self, statement: ir.Statement, atom: ir.Atom) -> tuple[_Known, ...]:
        """The functions of which an atom surely is one; none if these are not known.

        All but the last one are told from each other: a function of a module by its name, another
        one by the entry of the table that the atom was read from.
        """
        value, entries = self.typed.of(statement, atom), self._entries(statement, atom)
        match value:
            case lattice.Choice(functions):
                pass
            case lattice.Unknown() if len(entries) > 1 and not self._has_default(statement, atom):
                functions = tuple(entries)  # it is called: no part of a list
            case _:
                one = self.of(statement, atom)
                return () if one is None else (one,)
        known: list[_Known] = []
        for each in functions:
            plain = _written(each)
            if isinstance(plain, ir.Global):
                known.append(_Known(plain.dotted, (), plain))
            elif each == lattice.Function(each.dotted) or each in self.made:
                captured = tuple((name, ir.Name(variable)) for name, variable in each.captured)
                known.append(_Known(each.dotted, captured, entries.get(each)))
        if any(self.around.constructing(each.dotted) is not None for each in known):
            return ()  # which of several classes it is, arguments may tell
        known.sort(key=lambda each: (each.told_by is None, isinstance(each.told_by, ir.Call)))
        is_told = not any(each.told_by is None for each in known[:-1])
        return tuple(known) if is_told and len(known) == len(functions) else ()

    def _has_default(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom is an entry of a table, or what is given for one not there."""
        made = self._bound_by(statement, atom)
        value = made.value if isinstance(made, ir.Assign) else None
        return isinstance(value, ir.Call) and len(value.args) > 2

    def _bound_by(self, statement: ir.Statement, atom: ir.Atom) -> ir.Statement | None:
        """What has bound a variable, where a statement reads it."""
        read = self.facts.versions.reads
        made = read.get((statement, atom.id)) if isinstance(atom, ir.Name) else None
        return None if made is None else made.statement

    def _entries(self, statement: ir.Statement, atom: ir.Atom) -> dict[lattice.Function, ir.Call]:
        """What reads the functions of the table that an atom is an entry of, if it is as it was."""
        versions = self.facts.versions
        match self._bound_by(statement, atom):
            case ir.Assign(value=ir.Call(function, (table, _, *_)), is_tuple=False) as read if (
                function in CHOOSING and function != ir.GETATTR
            ):
                pass
            case ir.For(target, table) as read if isinstance(atom, ir.Name) and target == atom.id:
                pass
            case _:
                return {}
        if isinstance(table, ir.Name):
            now = versions.before[statement].get(table.id)
            if now is None or now is not versions.reads[read, table.id]:
                return {}
        match self.typed.of(read, table):
            case lattice.Mapped(items=tuple() as items) if isinstance(read, ir.Assign):
                pairs = [(ir.Const(key), held) for key, held in items]
            case lattice.Sequence(items=tuple() as held, is_once=False):
                pairs = [(ir.Const(at), each) for at, each in enumerate(held)]
            case _:
                return {}
        if not 0 < len(pairs) <= lattice.MOST_FUNCTIONS:
            return {}
        found: dict[lattice.Function, ir.Call] = {}
        for key, each in pairs:
            if not isinstance(each, lattice.Function):
                return {}
            found.setdefault(each, ir.Call("operator.getitem", (table, key)))
        return found

    def _keeping(
        self, statement: ir.Statement, atom: ir.Name | ir.Global, value: lattice.Function
    ) -> _Known | None:
        """A function with what it keeps: what it has captured, or is given as a partial or method.

        That is none of what the derivative is of, as what a function has captured is none.
        """
        if targets.is_plain(value.dotted):
            places: tuple[str | int, ...] = (*range(len(value.bound)), *dict(value.keywords))
            return _Known(
                value.dotted, tuple((str(n), self._kept(statement, atom, value, n)) for n in places)
            )
        definition = self.around.signature(value.dotted)
        if definition is None or value.bound:
            return None
        captured = {
            p.name
            for p in definition.parameters
            if p.kind is ir.ParameterKind.KEYWORD and p.default is None
        }
        found: dict[str, ir.Name] = {}
        pending: list[tuple[ir.Name | ir.Global, lattice.Function]] = [(atom, value)]
        for by, each in pending:
            for name, held in each.keywords:
                step = self._kept(statement, by, each, name)
                found.setdefault(name, step)
                if isinstance(held, lattice.Function):
                    pending.append((step, held))
        given = tuple((name, step) for name, step in found.items() if name in captured)
        is_nested = isinstance(value.dotted, targets.Nested)
        return _Known(value.dotted if is_nested else targets.Nested(value.dotted), given)

    def _kept(
        self,
        statement: ir.Statement,
        atom: ir.Name | ir.Global,
        value: lattice.Function,
        name: str | int,
    ) -> ir.Name:
        """The step that reads what a function keeps, when the function is called."""
        if (atom, name) not in self._reading:
            step = self.fresh.step(name if isinstance(name, str) else "")
            call = ir.Call(ir.KEPT, (atom, ir.Const(name)))
            self._reading[atom, name] = ir.Assign((step,), call, statement.origin, statement.role)
            self.kept[step] = lattice.kept(value, name) or lattice.UNKNOWN
        return ir.Name(self._reading[atom, name].targets[0])

    def _binding(self, statement: ir.Statement, atom: ir.Name | ir.Global) -> ir.Call | None:
        """The call that has bound arguments, if they are what they were where it is used."""
        versions = self.facts.versions
        made = versions.reads.get((statement, atom.id)) if isinstance(atom, ir.Name) else None
        while made is not None and made.kind is VersionKind.ASSIGN:
            match made.statement:
                case ir.Assign(value=ir.Name(id), is_tuple=False) as copy:
                    made = versions.reads.get((copy, id))
                    continue
                case ir.Assign(value=ir.Call(function, (ir.Name(id), *_))) as by if (
                    operators.is_own(function)
                ):
                    made = versions.reads.get((by, id))
                    continue
                case ir.Assign(value=ir.Call(function, (ir.Name() as own, *_)) as read) as by if (
                    function == ir.OPTION or targets.is_attribute(function)
                ):
                    is_same = self.is_same_object(versions.reads[by, own.id], statement)
                    return replace(read, args=(atom, own)) if is_same else None
                case ir.Assign(value=ir.Call(args=(ir.Global(), *_)) as call) as binding:
                    now = versions.before[statement]
                    names = ir.names(call.atoms)
                    is_same = all(versions.reads[binding, name] is now.get(name) for name in names)
                    is_binding = operations.of(call.function).binds
                    return call if is_same and is_binding else None
            return None
        return None

    def is_same_object(self, seen: Version, statement: ir.Statement) -> bool:
        """Tells whether a variable still has the object that it had, whose parts may be others."""
        now = self.facts.versions.before[statement].get(seen.name)
        while now is not None and now is not seen and now.kind is VersionKind.STORE:
            now = now.priors[0]
        return now is seen


def _written(value: lattice.Value) -> ir.Atom | None:
    """What is written for a value in any function; None for what only a variable has."""
    constant = lattice.constant_of(value)
    if constant is not lattice.UNREACHED:
        return ir.Const(constant)
    match value:
        case lattice.Function(dotted, (), (), ()) if (
            targets.is_plain(dotted) or targets.family(dotted) is targets.Family.OPERATOR
        ):
            return ir.Global(dotted)
    return None


def _instantiated(
    statement: ir.Statement, call: ir.Call, held: _Holding, definition: Definition
) -> ir.Call:
    """A call that gives functions as one of the instance in which they are known."""
    if isinstance(call.function, targets.Derivative):  # it is one of the instance
        if targets.is_nested(targets.primal(call.function)):
            return call
        seeds = tuple(pair for pair in call.keywords if pair[0] in derivatives.SEEDS)
        others = tuple(pair for pair in call.keywords if pair not in seeds)
        of = replace(call, function=call.function.of, keywords=others)
        instance = _instantiated(statement, of, held, definition)
        derivative = call.function.of_another(instance.function)
        return replace(instance, function=derivative, keywords=(*instance.keywords, *seeds))
    function = None if isinstance(call.function, targets.Instance) else definition(call.function)
    if function is None:
        return call
    bound = arguments.bind(function, call)
    if isinstance(bound, str):
        return call
    given: list[targets.Given | Structure] = []
    values = {
        name: held.closed(statement, held.value(statement, argument))
        for name, argument in bound.items()
        if isinstance(argument, ir.Atom)
    }
    values = {n: v for n, v in values.items() if _is_told(v, n, function, definition)}
    for name, structure in structures.of_arguments(values).items():
        if isinstance(value := values[name], lattice.Number):
            structure = replace(value, constant=None)
        given.append(Structure(name, text(structure)))
    captured: list[tuple[str, ir.Atom]] = []
    pending = [
        (n, bound.get(n), tuple[str, ...]()) for n in _taken(function, definition, frozenset())
    ]
    for name, taken, around in pending:
        known = held.of(statement, taken) if isinstance(taken, ir.Name | ir.Global) else None
        if known is None or len(given) > MOST_GIVEN:
            continue
        if around.count(known.dotted) == MOST_ALIKE:
            continue
        inner = definition(known.dotted)
        named = _named(inner, known)
        lexical = {p.name for p in inner.parameters if p.held is not None} if inner else set[str]()
        pairs = tuple((each, f"{name}_{named[each]}") for each, _ in known.given)
        given.append(targets.Given(name, known.dotted, pairs))
        for (each, own), (_, atom) in zip(pairs, known.given, strict=True):
            captured.append((targets.Captured(own), atom))
            value = held.value(statement, atom)
            if structures.has_objects(value) or structures.has_functions(value):
                given.append(Structure(own, text(structures.of(value))))
            elif isinstance(value, lattice.Function) and each not in lexical:
                pending.append((own, atom, (*around, known.dotted)))
    if not given:
        return call
    told = {each.parameter for each in given}
    given += (
        Structure(name, text(lattice.of_constant(atom.value)))
        for name, atom in bound.items()
        if isinstance(atom, ir.Const) and isinstance(atom.value, bool)
        if name not in told and _is_tested(function, name)
    )
    called = targets.Instance(tuple(given), call.function)
    return replace(call, function=called, keywords=(*call.keywords, *captured))


def _is_tested(function: ir.Function, parameter: str) -> bool:
    """Tells whether a branch of a function is taken by a parameter alone.

    In one of them it may call itself, with closures over what it was given.
    """
    return any(
        isinstance(statement, ir.If) and statement.test == ir.Name(parameter)
        for statement in ir.walk(function.body)
    )


def _named(function: ir.Function | None, known: _Known) -> dict[str, str]:
    """What the parameters are called of what a value is given besides the arguments of a call."""
    parameters = () if function is None else function.parameters
    return {name: name for name, _ in known.given} | {
        str(n): p.name for n, p in enumerate(parameters)
    }


def _taken(
    function: ir.Function, definition: Definition, around: frozenset[str]
) -> tuple[str, ...]:
    """The parameters of a function that are called, or kept, or given to where they are."""
    found = _taken_names(function, definition, around)
    return tuple(p.name for p in function.parameters if p.name in found)


def _taken_names(function: ir.Function, definition: Definition, around: frozenset[str]) -> set[str]:
    names, found = {p.name for p in function.parameters}, set[str]()
    if function.dotted in around:
        return found
    around |= {function.dotted}
    for held in _made_in(function.body):
        found |= names.intersection(variable for _, variable in held.captured)
    for _, call in every_call(function):
        read = names.intersection(ir.names(call.atoms)) - found
        if not read:
            continue
        if call.function in KEEPING or operators.is_own(call.function):
            found |= read
        elif targets.is_method(call.function):
            found |= read.intersection(ir.names(call.args[:1]))  # that of a module it may be
        elif (callee := definition(call.function)) is not None:
            bound, inner = arguments.bind(callee, call), _taken_names(callee, definition, around)
            if not isinstance(bound, str):
                given = (bound[name] for name in inner if name in bound)
                found |= read.intersection(
                    ir.names(a for argument in given for a in arguments.atoms(argument))
                )
    return found
