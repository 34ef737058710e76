"""What prevents the derivative of a call: no rule, no source, arguments that neither supports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from adlsp.transform import arguments, ir
from adlsp.transform.canonical import copy_out
from adlsp.transform.checks import parameters
from adlsp.transform.checks.subject import (
    BY_NUMBERS,
    Subject,
    called,
    needs_no_rule,
    own_name,
    shown,
    value_of,
)
from adlsp.transform.diagnostics import gradients, language, mutation, reading
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding
from adlsp.transform.facts import complexes, containers, effects, operations
from adlsp.transform.frontend import operators
from adlsp.transform.ir import signs, targets
from adlsp.transform.ir.variables import Generated, Step
from adlsp.transform.ops.spec import Effect, Kind, Makes
from adlsp.transform.rules import table
from adlsp.transform.source import Span
from adlsp.transform.values import classes, dtypes

ARRAYS = ("numpy", "scipy", "tensorflow")
"""Where functions are that look into what is in lists, too."""

LIBRARIES = ("builtins", "math", "python", *ARRAYS)
"""Where functions are that look into what they are given."""

AS_NUMBERS = ", if it holds arrays: a number is changed by `s = s + v`"
"""What helps where elements of a parameter are changed that may be numbers."""

OF_ITSELF = "that is a derivative of the function which calls it"
"""Which derivative is not followed: that of each order would call the next."""

ONE_OF_SEVERAL = ": give back a new one, as it is not clear here which one changes, or who sees it"
"""What helps where an object or a dictionary changes."""


def call(subject: Subject, statement: ir.Statement, call: ir.Call) -> Iterator[Diagnostic]:
    """A step that needs a rule, or a source, for what is active."""
    active = subject.varied(statement, ir.names(call.atoms))
    span = call.span or statement.origin
    yield from _changed_arguments(subject, statement, call)
    yield from _objects(subject, statement, call, span)
    does = operations.of(call.function)
    is_hidden = does.reads_all is not None and len(call.args) <= does.reads_all
    if is_hidden and (does.gives is Kind.NOTHING or subject.is_useful(statement)):
        yield subject.found(statement, reading.NoRule(called(call.function)), span, subject.wrt[0])
    if not active:
        return
    if _has_active_keys(subject, statement, call):
        yield subject.found(statement, reading.NoRule(BY_NUMBERS), span, active[0])
        return
    yield from _recorded(subject, statement, call, span, active)
    if ir.changes_first(call.function) and isinstance(call.args[0], ir.Global):
        if subject.is_read(call.args[0].dotted) or may_reach_modules(subject, call):
            told = mutation.ContainerChanged(subject.shown(call.args[0]))
            yield subject.found(statement, told, span, active[0])
        return
    if ir.changes_first(call.function):
        container = next(iter(ir.names(call.args)), "")
        is_seen = subject.is_seen(statement, ir.Name(container))
        is_seen = is_seen or may_reach_modules(subject, call)
        if is_seen or subject.is_useful(statement) or active[0] in ir.writes(statement):
            changed = mutation.ContainerChanged(subject.shown(ir.Name(container)))
            yield subject.found(statement, changed, span, active[0])
        return
    if targets.spelled(call.function)[0] in classes.DISPLAYS and call.args:
        if subject.is_useful(statement):
            yield _dataclass(subject, statement, call, span, active)
        return
    if not subject.is_useful(statement):
        yield from _side_effect(subject, statement, call, active, span)
        return
    match call.args:  # in a derivative all that a callee has saved is active, indices as well
        case (ir.Global(dotted), ir.Name()) if (
            call.function == "operator.getitem" and not subject.function.is_derived
        ):
            yield subject.found(statement, reading.NoRule(dotted), span, active[0])
    if operations.of(call.function).cuts:
        name = shown(call.args[0])
        cut = gradients.GradientCut(name, f"{name}.{targets.member(call.function)}()")
        yield subject.found(statement, cut, span, active[0])
        return
    if does.fills and subject.inferred.gives_whole(statement):
        cut = gradients.GradientCut(shown(call.args[0]))
        yield subject.found(statement, cut, span, active[0])
        return
    if needs_no_rule(call.function):
        return
    if call.function == "operator.mod" and subject.is_text(statement, call.args[0]):
        text = language.UnsupportedStatement(language.TEXT)
        yield subject.found(statement, text, span, active[0])
        return
    rule = subject.known.rule_of(call)
    if (seen := _seen_inside(subject, statement, call, rule, active)) is not None:
        name = targets.member(call.function)
        finding = reading.UnsupportedArgument(name, subject.shown(ir.Name(seen)))
        found = subject.found(statement, finding, span, seen)
        yield replace(found, is_open=does.makes is Makes.SUM and not subject.known.given)
        return
    if (held := _at_times(subject, statement, call, active)) is not None:
        name = signs.METHODS.get(call.function, targets.member(call.function))
        sign = signs.INFIX.get(call.function, signs.PREFIX.get(call.function, ""))
        name = f"{language.BY_SIGN}{sign}" if sign else name
        why = ", which is something else at times"
        of_object = language.MethodOrAttribute(subject.shown(ir.Name(held)), name, why)
        found = subject.found(statement, of_object, span, held)
        is_open = not (subject.known.given or subject.may_be_object(statement, held))
        yield replace(found, is_open=is_open)
        return
    if call.function in signs.OVERLOADED and any(
        _is_mixed(subject, statement, a) for a in call.args
    ):
        sign = "+" if call.function == "operator.add" else "*"
        unclear = language.UnsupportedStatement(f"`{sign}` of what is a list or an array")
        yield subject.found(statement, unclear, span, active[0])
        return
    if does.makes in (Makes.EXTREME, Makes.SUM, Makes.PRODUCT):
        inferred, name = subject.inferred, called(signs.CHOOSING.get(call.function, call.function))
        is_extreme = does.makes is Makes.EXTREME
        of = "tuples" if is_extreme and inferred.holds_sequences(statement, call.args) else ""
        of = "objects" if inferred.holds_objects(statement, call.args) else of
        if of:  # what objects these are, arguments may tell
            lacking = subject.found(statement, reading.NoRule(f"{name} of {of}"), span, active[0])
            yield replace(lacking, is_open=of == "objects" and not subject.known.given)
            return
    if operations.keeps_elements(call.function) and _is_run_over(subject, statement):
        is_iterator = operations.gives(call.function, Kind.ITERATOR)
        if is_iterator and not _is_looked_through(subject, statement):
            yield from _unknown(subject, statement, call, active, span)
        return
    is_phase = does.is_phase and not subject.function.is_derived
    if is_phase and _may_be_complex(subject, statement, call):
        phase = reading.NoRule(f"{called(call.function)} of complex numbers")
        lacking = subject.found(statement, phase, span, active[0])
        yield replace(lacking, is_open=not subject.known.given)
        return
    if (other := _of_own_arithmetic(subject, statement, call)) is not None:
        sign = signs.INFIX.get(call.function, signs.PREFIX.get(call.function, ""))
        name = f"{language.BY_SIGN}{sign}" if sign else targets.member(call.function)
        why = ", whose arithmetic is not that of arrays: make it `np.asarray`"
        of_object = language.MethodOrAttribute(subject.shown(other), name, why)
        yield subject.found(statement, of_object, span, active[0])
        return
    if rule is not None:
        yield from _ruled(subject, statement, call, rule, active, span)
        return
    if call.function in classes.REPLACING and call.args:
        yield _dataclass(subject, statement, call, span, active)
        return
    callee = subject.known.function(call.function)
    if callee is None and isinstance(call.function, targets.Derivative):
        yield from _unfollowed(subject, statement, call, span, active)
        return
    if callee is None:
        yield from _unknown(subject, statement, call, active, span)
        return
    if not (callee.findings or subject.is_varied(statement)):
        yield from _side_effect(subject, statement, call, active, span)
        return
    ordered = _active_parameters(callee, call, active)
    if isinstance(ordered, str):
        is_left_out = ordered in {p.name for p in callee.parameters} - {*dict(call.keywords)}
        argument = f"{reading.LEFT_OUT}{ordered}" if is_left_out else ordered
        finding = reading.UnsupportedArgument(own_name(callee), argument, reading.OF_USER)
        yield subject.found(statement, finding, span, active[0])
        return
    subject.callees.append((callee, ordered))
    if isinstance(call.function, targets.Derivative):
        subject.primals += _primals(subject, call.function, ordered)


def _of_own_arithmetic(subject: Subject, statement: ir.Statement, call: ir.Call) -> ir.Name | None:
    """An operand that is a matrix or a masked array, whose `*` or sum is another one.

    So is an object in functions of arrays, if nobody knows what its class does with these.
    """
    is_of_arrays = targets.is_of(call.function, *ARRAYS)
    for atom in call.args:
        made = subject.facts.indices.definition(statement, atom)
        function = made.function if isinstance(made, ir.Call) else ""
        is_ours = is_of_arrays and not targets.is_of(function, "operator", *LIBRARIES)
        is_hooked = is_ours and bool(subject.known.classes.unmade(function))
        is_own = is_hooked or operations.of(function).own_arithmetic
        if isinstance(atom, ir.Name) and is_own:
            return atom
    return None


def _may_be_complex(subject: Subject, statement: ir.Statement, call: ir.Call) -> bool:
    """Tells whether a call is given complex numbers: surely, or as the text says."""
    (number, *_) = call.atoms
    kind = dtypes.kind_of(subject.inferred.read(statement, number))
    if kind is not None:
        return kind == "complex"
    return complexes.makes_complex(subject.function, subject.known)


def _has_active_keys(subject: Subject, statement: ir.Statement, call: ir.Call) -> bool:
    """Tells whether a call makes a dictionary of which keys are active numbers."""
    match call:
        case ir.Call("python.dict", args):
            return any(subject.is_active_number(statement, key) for key in args[::2])
        case ir.Call("builtins.dict", (pairs,)):
            places = subject.facts.indices
            source = places.source(statement, pairs)
            match places.definition(statement, pairs):
                case ir.Call("builtins.zip", (keys, *_)) if source is not None:
                    return subject.holds_active_numbers(source, keys)
                case ir.Call("python.list" | "python.tuple", items) if source is not None:
                    made = ((places.source(source, i), places.definition(source, i)) for i in items)
                    return any(
                        at is not None and subject.is_active_number(at, pair.args[0])
                        for at, pair in made
                        if isinstance(pair, ir.Call) and pair.function == "python.tuple"
                    )
    return False


def _dataclass(
    subject: Subject, statement: ir.Statement, call: ir.Call, span: Span, active: list[str]
) -> Diagnostic:
    """What a function of dataclasses, or a method, reads of an object that is not known."""
    named, of = targets.spelled(call.function)[0], subject.shown(call.args[0])
    read = language.MethodOrAttribute(of, "__dataclass_fields__", f", which `{named}` reads")
    if targets.is_method(named):
        read = language.MethodOrAttribute(of, targets.member(named))
    return subject.found(statement, read, span, active[0])


def _primals(
    subject: Subject, called: targets.Derivative, active: tuple[str, ...]
) -> Iterator[tuple[ir.Function, tuple[str, ...]]]:
    """The function of a derivative, for what that is of, and with all that is active by now.

    In the text of the derivative only rules can be missing: what else is in the way stands here.
    """
    primal = subject.known.primal(called)
    assert primal is not None
    yield primal, called.wrt
    names = {*called.wrt, *active}
    every = tuple(p.name for p in primal.parameters if p.name in names)
    yield primal, every
    if isinstance(called.of, targets.Derivative):
        yield from _primals(subject, called.of, every)


def _seen_inside(
    subject: Subject,
    statement: ir.Statement,
    call: ir.Call,
    rule: table.Rule | None,
    active: list[str],
) -> str | None:
    """An active object of a user's class that a library's function looks into, if there is one.

    What it does then is written in the class, and no rule tells of it.
    """
    keeps = operations.keeps_elements(call.function)
    is_of_library = targets.is_of(call.function, *LIBRARIES) and rule and rule.kind != "constant"
    if subject.function.is_derived or not (keeps or is_of_library):
        return None
    is_inside = targets.is_of(call.function, "math", *ARRAYS)
    names = (name for name in ir.names(call.atoms) if name in active)
    return next((n for n in names if subject.is_object(statement, n, is_inside=is_inside)), None)


def _at_times(
    subject: Subject, statement: ir.Statement, call: ir.Call, active: list[str]
) -> str | None:
    """An active operand that is an object of a user's class at times, and at others is not.

    What an operator or a method then does is known only when the program runs.
    """
    is_read = targets.is_method(call.function) or targets.is_attribute(call.function)
    if subject.function.is_derived or not (is_read or targets.is_operator(call.function)):
        return None
    operands = call.args[:1] if is_read else call.args
    names = (name for name in ir.names(operands) if name in active)
    return next(
        (
            name
            for name in names
            if subject.may_be_object(statement, name)
            or (is_read and _is_of_class(subject, statement, call, name))
        ),
        None,
    )


def _is_of_class(subject: Subject, statement: ir.Statement, call: ir.Call, name: str) -> bool:
    """Tells whether a method may be that of a class: of an object, or of what one holds.

    Nothing is known of that then, but that classes have such a method.
    """
    if not targets.is_method(call.function):
        return False
    if subject.inferred.is_object(statement, name):
        return True
    match subject.facts.indices.definition(statement, ir.Name(name)):
        case ir.Call("operator.getitem", (_, ir.Const(ir.Attribute()))):
            is_unknown = not subject.inferred.is_known(statement, ir.Name(name))
            return is_unknown and subject.known.defines_method(targets.member(call.function))
    return False


def _active_parameters(
    callee: ir.Function, call: ir.Call, active: list[str]
) -> tuple[str, ...] | str:
    """The parameters that get active values; the argument that fits none, if there is one."""
    bound = arguments.bind(callee, call)
    if isinstance(bound, str):
        return bound
    return tuple(
        p.name
        for p in callee.parameters
        if not set(active).isdisjoint(ir.names(arguments.atoms(bound[p.name])))
    )


def changed_elsewhere(
    subject: Subject, statement: ir.Statement, span: Span
) -> Iterator[Diagnostic]:
    """An array that a call overwrites, where it is read later under another name."""
    names = effects.changed(statement, effects.OVERWRITING, subject.known)
    for name in dict.fromkeys(names):
        others = subject.shared_later(statement, name)
        for other in sorted(others.difference(ir.writes(statement))):
            if any(subject.takes_part(each, statement) for each in (name, other)):
                yield subject.found(statement, subject.aliased(name, other), span, name)
                return


def _objects(
    subject: Subject, statement: ir.Statement, call: ir.Call, span: Span
) -> Iterator[Diagnostic]:
    """An array of objects, `dtype=object`, of texts or with fields, that holds what is active."""
    told = operations.told_dtype(call)
    text = told if told is not None and operations.names_text(told) else None
    of_objects = next(filter(operations.names_objects, call.atoms), None)
    dtype = of_objects or text or _fields(subject, statement, call)
    if dtype is None:
        return
    for name in ir.writes(statement):
        if any(
            name in subject.varied(s, ir.reads(s)) and subject.activity.is_active(s)
            for s in ir.walk(subject.function.body)
        ):
            named = targets.member(call.function)
            kind = "object" if dtype is of_objects else "str" if dtype is text else "[…]"
            finding = reading.UnsupportedArgument(named, f"dtype={kind}")
            yield subject.found(statement, finding, span, name)


def _fields(subject: Subject, statement: ir.Statement, call: ir.Call) -> ir.Atom | None:
    """A dtype with fields that is written down in a call, `dtype=[("p", float)]`."""
    given = [atom for key, atom in call.keywords if key == "dtype"]
    place = operations.of(call.function).dtype_at
    if place is not None:
        given += call.args[place : place + 1]
    for atom in given:
        match subject.facts.indices.definition(statement, atom):
            case ir.Call(function="python.list"):
                return atom
    return None


def given_to(subject: Subject, call: ir.Call) -> tuple[ir.Atom, ...]:
    """What a call gives to a function, defaults included."""
    callee = subject.known.function(call.function)
    bound = "" if callee is None else arguments.bind(callee, call)
    if isinstance(bound, str):
        return call.atoms
    return tuple(atom for each in bound.values() for atom in arguments.atoms(each))


def _recorded(
    subject: Subject, statement: ir.Statement, call: ir.Call, span: Span, active: list[str]
) -> Iterator[Diagnostic]:
    """What a function changes that is given to another one, which calls it: `solve(x, record)`."""
    if isinstance(call.function, targets.Instance) or subject.known.function(call.function) is None:
        return
    is_inner = isinstance(call.function, targets.Nested)  # which is given itself
    for name in ir.names(call.atoms[is_inner:]):
        version = subject.facts.versions.reads.get((statement, name))
        match None if version is None else version.statement:
            case ir.Assign(value=ir.Opaque() as given) | ir.Do(value=ir.Opaque() as given) if (
                name not in given.changes and _is_function(given)
            ):
                for changed in given.changes:
                    if subject.is_seen(statement, ir.Name(changed)):
                        told = mutation.ContainerChanged(subject.shown(ir.Name(changed)))
                        yield subject.found(statement, told, span, active[0])


def _is_function(opaque: ir.Opaque) -> bool:
    """Tells whether an expression or statement gives a function that may change something."""
    kinds = language.Closure, language.FunctionValue
    return opaque.is_definition or any(isinstance(f.finding, kinds) for f in opaque.findings)


def _side_effect(
    subject: Subject, statement: ir.Statement, call: ir.Call, active: list[str], span: Span
) -> Iterator[Diagnostic]:
    """A call whose result does not matter, but which may change what the result depends on.

    Of a method that is its object, of a function in a variable what that has captured. What is
    called for nothing like a method of arrays is the method of another object.
    """
    rule = subject.known.rule(call.function)
    is_told = targets.is_method(call.function) and len(call.atoms) > 1
    is_outward = operations.of(call.function).effect is Effect.OUTSIDE
    is_of_numpy = targets.is_of(call.function, "numpy") and not is_outward
    is_elementwise = rule is not None and rule.kind == "elementwise"
    is_into = is_of_numpy and (is_elementwise or isinstance(statement, ir.Do))
    if is_into or operations.into(call):
        yield from _result_into(subject, statement, call, rule, active)
    if rule is not None and not (is_told and isinstance(statement, ir.Do)):
        return
    callee = subject.known.function(call.function)
    if callee is not None:
        ordered = _active_parameters(callee, call, active)
        if not isinstance(ordered, str):
            subject.told.append((callee, ordered))
        return
    if subject.known.is_class(call.function):
        return
    if may_reach_modules(subject, call):
        yield from _unknown(subject, statement, call, active, span)
        return
    atoms: tuple[ir.Atom, ...] = ()
    if rule is not None or effects.may_change_first(call.function):
        atoms = call.args[:1]
    is_callback = subject.is_callback(call)
    is_any = effects.may_change_any(call.function)
    is_any |= effects.may_be_of_class(call.function, subject.known)
    if is_any or (call.function == targets.CALL and not is_callback):
        atoms = call.atoms
    atoms += effects.filed(call)
    is_seen = subject.is_seen if is_callback else subject.is_seen_by_others
    if any(is_seen(statement, atom) for atom in atoms):
        yield from _unknown(subject, statement, call, active, span)


def may_reach_modules(subject: Subject, call: ir.Call) -> bool:
    """Tells whether a call may change what modules or classes hold and the result depends on.

    It goes to a function of the user's that is not followed: one that a variable holds, or a method
    of what may be an object, which does what the texts of classes tell.
    """
    if targets.is_method(call.function):
        is_defined = subject.known.defines_method(targets.member(call.function))
        return is_defined and subject.reads_states
    return subject.known.is_variable(call.function) and subject.reads_modules


def _result_into(
    subject: Subject,
    statement: ir.Statement,
    call: ir.Call,
    rule: table.Rule | None,
    active: list[str],
) -> Iterator[Diagnostic]:
    """`np.add(a, b, c)`: what stands behind the operands takes the result.

    Of other functions that are called for their effect, what their rule does not know may take it.
    """
    is_known = rule is not None and rule.kind not in ("constant", "broken")
    if is_known and rule is not None and rule.kind == "elementwise":
        n_operands = sum(p.is_positional for p in rule.parameters)
        taking = call.args[n_operands : n_operands + 1]
    elif is_known and rule is not None and not isinstance(table.bind(rule.parameters, call), str):
        taking = ()
    else:
        taking = call.args[1:]
    if ("copy", ir.Const(False)) in call.keywords:
        taking = call.args
    for atom in (*taking, *effects.written(call)):
        if subject.is_seen(statement, atom):
            text = targets.member(call.function)
            finding = mutation.OutArgument(text, shown(atom))
            yield subject.found(statement, finding, call.span or statement.origin, active[0])
            return


def _is_run_over(
    subject: Subject, statement: ir.Statement, seen: frozenset[ir.Statement] = frozenset()
) -> bool:
    """Tells whether loops only run over what a statement makes, or over what holds it.

    `seen` are the statements that are being asked about: `x = list(x)` reads a variable that it
    makes.
    """
    if statement in seen:
        return True
    made = set(ir.writes(statement))
    readers = [s for s in ir.walk(subject.function.body) if not made.isdisjoint(ir.reads(s))]
    return bool(readers) and all(
        isinstance(s, ir.For)
        or (
            isinstance(value := value_of(s), ir.Call)
            and operations.keeps_elements(value.function)
            and _is_run_over(subject, s, seen | {statement})
        )
        for s in readers
    )


def _is_mixed(subject: Subject, statement: ir.Statement, atom: ir.Atom) -> bool:
    """Tells whether an operand is a list or tuple at some times, and something else at others."""
    if not isinstance(atom, ir.Name):
        return False
    if subject.known.may_be_sequence(subject.function, atom.id):
        return True
    if subject.inferred.is_known(statement, atom):
        return False
    if subject.inferred.is_sequence(atom.id):
        return True
    match subject.facts.indices.source(statement, atom):
        case ir.Assign(value=ir.Name() as other, is_tuple=False) as source:
            return _is_mixed(subject, source, other)
    return False


def _is_looked_through(subject: Subject, statement: ir.Statement) -> bool:
    """Tells whether loops look through what a statement makes, and all that holds it."""
    names = set(ir.writes(statement))
    readers = (s for s in ir.walk(subject.function.body) if not names.isdisjoint(ir.reads(s)))
    return statement in subject.facts.iterations.made.values() and all(
        isinstance(s, ir.For) or _is_looked_through(subject, s) for s in readers
    )


def _ruled(
    subject: Subject,
    statement: ir.Statement,
    call: ir.Call,
    rule: table.Rule,
    active: list[str],
    span: Span,
) -> Iterator[Diagnostic]:
    """A call that has a rule, which may not support its arguments."""
    if rule.problems:
        subject.broken[rule.name] = rule
    others = (*call.args[1:], *(atom for _, atom in call.keywords))
    given = {*ir.names(atom for atom in others if not _only_counts(subject, statement, atom))}
    is_told = targets.is_method(call.function) and not given.isdisjoint(active)
    is_search = operations.of(call.function).searches
    if is_told and rule.kind == "constant" and not is_search:
        yield from _unknown(subject, statement, call, active, span)
    if rule.kind in ("constant", "broken"):
        return
    text = targets.member(call.function)
    bound = table.bind(rule.parameters, call)
    if isinstance(bound, str):
        n_operands = sum(p.is_positional for p in rule.parameters)
        is_out = rule.kind == "elementwise" and targets.is_of(call.function, "numpy")
        if is_out and bound == f"{reading.BY_NUMBER}{n_operands + 1}":
            bound = "out"
        option = dict(table.deciding(rule, call)).get(bound, ir.Const(None))
        finding: Finding = reading.UnsupportedArgument(text, bound)
        if subject.may_be_of_another(statement, call):
            finding = language.MethodOrAttribute(subject.shown(call.args[0]), text)
        found = subject.found(statement, finding, span, active[0])
        is_many = bound.startswith("*") and not subject.known.given
        yield replace(found, is_open=is_many or not isinstance(option, ir.Const))
        return
    needs_axes = operations.of(call.function).needs_axes
    if needs_axes and _is_empty(subject, statement, bound.get("axes")):
        finding = reading.UnsupportedArgument(text, "axes=()")
        yield subject.found(statement, finding, span, active[0])
    if rule.kind == "custom" and (rule.forward if subject.is_forward else rule.reverse) is None:
        finding = reading.RuleLacksMode(text, "forward" if subject.is_forward else "reverse")
        yield subject.found(statement, finding, span, active[0])
    for name, atom in bound.items():
        is_smooth = name in (*rule.of, *rule.silent)
        is_fixed = is_smooth or (name in rule.counted and _only_counts(subject, statement, atom))
        if not is_fixed and isinstance(atom, ir.Name) and atom.id in active:
            spelled = name if isinstance(atom.id, Generated) else f"{name}={atom.id}"
            finding = reading.UnsupportedArgument(text, spelled)
            if subject.may_be_of_another(statement, call):
                finding = language.MethodOrAttribute(subject.shown(call.args[0]), text)
            found = subject.found(statement, finding, span, active[0])
            may_count = name in rule.counted and _may_count(subject, statement, atom)
            yield replace(found, is_open=may_count)
    if is_told and given.isdisjoint(ir.names(tuple(bound.values()))):
        yield from _unknown(subject, statement, call, active, span)


def _only_counts(subject: Subject, statement: ir.Statement, atom: ir.Atom) -> bool:
    """Tells whether an argument is surely an integer, as in `x.reshape(n, model.n_heads)`.

    Or a tuple or list of such, or of what does not depend on the inputs.
    """
    return _is_each(subject.is_integer, subject, statement, atom)


def _may_count(subject: Subject, statement: ir.Statement, atom: ir.Atom) -> bool:
    """Tells whether an argument may be found to be an integer, or a tuple or list of such."""
    return _is_each(subject.inferred.may_be_integer, subject, statement, atom)


def _is_each(
    tell: Callable[[ir.Statement, ir.Atom], bool],
    subject: Subject,
    statement: ir.Statement,
    atom: ir.Atom,
) -> bool:
    """Tells something of an argument, or of each varied part of the tuple or list that it is."""
    varied = subject.activity.varied_before[statement]
    if varied.isdisjoint(ir.names((atom,))) or tell(statement, atom):
        return True
    match subject.facts.indices.source(statement, atom):
        case ir.Assign(value=ir.Call("python.tuple" | "python.list", parts)) as made:
            return all(_is_each(tell, subject, made, part) for part in parts)
    return False


def _is_empty(subject: Subject, statement: ir.Statement, atom: ir.Atom | None) -> bool:
    """Tells whether an argument is written down as a tuple or list without elements."""
    match None if atom is None else subject.facts.indices.definition(statement, atom):
        case ir.Call(function="python.tuple" | "python.list", args=()):
            return True
    return False


def _unknown(
    subject: Subject, statement: ir.Statement, call: ir.Call, active: list[str], span: Span
) -> Iterator[Diagnostic]:
    """A call that has neither a rule nor a source."""
    finding: Finding
    name = call.function
    if name == targets.CALL:
        held = call.args[0]
        if isinstance(held, ir.Name) and held.id in subject.captured:
            return
        finding = language.FunctionValue(subject.shown(held))
        if isinstance(held, ir.Name):
            finding = _function_value(subject, held.id)
    elif targets.is_member(name):
        held, attribute = call.args[0], targets.member(name)
        why = subject.computed(statement, held, attribute)
        finding = language.MethodOrAttribute(subject.shown(held), attribute, why)
        if operations.of(name).is_one_way and subject.is_dictionary(statement, call.args[0]):
            shows = f"`{subject.shown(call.args[0])}.{targets.member(name)}()`"
            finding = language.UnsupportedStatement(f"a dictionary that changes under {shows}")
    elif targets.is_unresolved(name):
        finding = _unresolved(name[1:])
    elif subject.known.is_variable(name) and not subject.known.is_defined(name):
        finding = language.FunctionValue(targets.member(name))
    else:
        reason = subject.known.unmade(name) if targets.is_plain(name) else ""
        finding = reading.NoRule(called(name), f": {reason}" if reason else "")
        if operations.of(name).makes is Makes.TEXT:
            finding = language.UnsupportedStatement(language.TEXT)
    yield subject.found(statement, finding, span, active[0])


def _unfollowed(
    subject: Subject,
    statement: ir.Statement,
    call: ir.Call,
    span: Span,
    active: list[str],
) -> Iterator[Diagnostic]:
    """A derivative that cannot be differentiated: what is found in its function says why."""
    assert isinstance(call.function, targets.Derivative)
    found = subject.known.in_the_way(call.function)
    yield from (replace(each, blocks=True) for each in found)
    if not found:
        finding = language.FunctionValue(subject.known.quote(span), OF_ITSELF)
        yield subject.found(statement, finding, span, active[0])


def _unresolved(name: str) -> Finding:
    if targets.is_taken(name):
        home, _, _ = name.partition(".")
        reason = f"here `{home}` is the name of a family of functions; rename the module"
        return reading.SourceUnavailable(name, reason)
    return reading.UnresolvedFunction(name)


def _function_value(subject: Subject, held: str) -> Finding:
    """Why a function in a variable is not followed: nested, of a class, chosen at run time."""
    for statement in ir.walk(subject.function.body):
        match value_of(statement):
            case ir.Call(function=read, args=(ir.Global() as owner,)) if (
                held in ir.writes(statement) and isinstance(held, Step) and targets.is_member(read)
            ):
                return language.MethodOrAttribute(shown(owner), targets.member(read))
            case ir.Call(function=made) if held in ir.writes(statement) and operators.known(made):
                return language.FunctionValue(subject.shown(ir.Name(held)), _which(made))
            case ir.Opaque(findings=findings) if held in (bound := ir.writes(statement)):
                if not findings or isinstance(findings[0].finding, language.Closure):
                    rebound = next((subject.shown(ir.Name(n)) for n in bound if n != held), "")
                    return language.NestedFunction(subject.shown(ir.Name(held)), rebound)
    written = subject.shown(ir.Name(held))
    if isinstance(held, Step):
        return language.FunctionValue(written, "that is known only when the program runs")
    return language.FunctionValue(written)


def _which(operator: str) -> str:
    """Which derivative it is that a call is not followed to."""
    if operators.is_own(operator):
        return "of which the text does not tell which derivative it is"
    if operators.known(operator) in [("adlsp", "jacobian"), ("adlsp", "hessian")]:
        return "whose calls are not followed, as those of `adlsp.vjp`, `jvp` and `hvp` are"
    return "whose calls are not followed, as those of `adlsp.grad` are"


def _changed_arguments(
    subject: Subject, statement: ir.Statement, call: ir.Call
) -> Iterator[Diagnostic]:
    """A callee that writes into its parameters, where that array takes part in a derivative."""
    if isinstance(call.function, targets.WRITTEN) or subject.known.rule(call.function) is not None:
        return
    callee = subject.known.function(call.function)
    if callee is None:
        return
    bound = arguments.bind(callee, call)
    if isinstance(bound, str):
        return
    is_active = bool(subject.varied(statement, ir.names(call.atoms)))
    written, strictly = subject.written(callee), tuple[str, ...]()
    if not subject.activity.is_active(statement):
        relaxed = subject.known.written(callee)
        strict = subject.known.written(callee, scalar_elements=False)
        strictly = tuple(name for name in strict if name not in relaxed)
    bound_again = subject.written_again(callee)
    for parameter in (*written, *strictly, *bound_again):
        given = arguments.atoms(bound[parameter]) if parameter in bound else ()
        for atom in given:
            is_held = isinstance(atom, ir.Global) and subject.known.held_by(atom.dotted) is not None
            if is_held or (is_active and subject.is_read_of_module(statement, atom)):
                finding = mutation.ParameterChanged(parameter, own_name(callee), ONE_OF_SEVERAL)
                yield subject.found(statement, finding, call.span or statement.origin, "")
        for name in ir.names(given):
            sharing = subject.facts.aliases(scalar_elements=False)
            seen = (name, *sharing.shared(statement, name))
            is_kept = sharing.is_kept(statement, name)
            if subject.activity.is_active(statement):  # the derivative works on copies
                takes_part = subject.is_seen(statement, ir.Name(name))
            else:
                takes_part = any(subject.takes_part(each, statement) for each in seen)
            if is_kept or takes_part:
                unread = tuple(subject.unread.findings(callee, parameter))
                yield from unread
                if not unread:
                    instead = AS_NUMBERS if parameter in strictly else ""
                    if containers.sets_entries(subject.known.facts(callee), parameter):
                        instead = ONE_OF_SEVERAL
                    finding = mutation.ParameterChanged(parameter, own_name(callee), instead)
                    yield subject.found(statement, finding, call.span or statement.origin, name)


def is_copy_out(statement: ir.Statement) -> bool:
    """Tells whether a statement is the copy-out of a call: it binds again what that has changed."""
    value = value_of(statement)
    return isinstance(value, ir.Call) and isinstance(value.function, targets.CopyOut)


def changed_by_callee(
    subject: Subject, statement: ir.Statement, call: ir.Call
) -> Iterator[Diagnostic]:
    """A callee that changes a parameter of this function, which the caller sees."""
    if not isinstance(call.function, targets.CopyOut):
        return
    callee = subject.known.function(call.function)
    assert callee is not None
    bound = arguments.bind(callee, call)
    if isinstance(bound, str) or not (
        subject.activity.is_active(statement) or subject.gives_nothing()
    ):
        return
    for parameter in call.function.changed:
        if parameter in copy_out.doubtful(callee, subject.known) and not subject.gives_nothing():
            continue  # it may be a number, which nobody sees changed
        for name in ir.names(arguments.atoms(bound[parameter])):
            if name in ir.writes(statement):
                span = call.span or statement.origin
                yield from parameters.parameter_changed(subject, statement, name, span)
