"""The findings of one function, statement by statement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.checks import calls, masked, misleading, stores
from adlsp.transform.checks.subject import BY_NUMBERS, Subject, own_name, shown, value_of
from adlsp.transform.diagnostics import language, mutation, reading
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding
from adlsp.transform.facts import aliases, effects, graphs, iteration, operations
from adlsp.transform.facts.iteration import Iterations
from adlsp.transform.frontend import operators
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import RETURNED
from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import Runs
from adlsp.transform.program import Program
from adlsp.transform.source import Span
from adlsp.transform.values import lattice


def findings(subject: Subject, outputs: tuple[str, ...]) -> Iterator[Diagnostic]:
    """All findings of the function, in order of its statements.

    Of a variable that a closure reads one is enough: that it is active.
    """
    found = list(_findings(subject, outputs))
    closed = {each.span for each in found if isinstance(each.finding, language.Closure)}
    for each in found:
        if not (isinstance(each.finding, language.LateBinding) and each.span in closed):
            yield each


def _findings(subject: Subject, outputs: tuple[str, ...]) -> Iterator[Diagnostic]:
    yield from _signature(subject)
    if subject.is_root:
        yield from _rebound(subject, outputs)
    chosen = {each for test in _choices(subject) for each in ir.walk((test,))}
    for statement in ir.walk(subject.function.body):
        for each in _of_statement(subject, statement, outputs):
            yield replace(each, is_open=True) if statement in chosen else each


def _choices(subject: Subject) -> Iterator[ir.If]:
    """The branches that arguments choose between by what they are: a class, `None`, an option."""
    parameters = {p.name for p in subject.function.parameters}
    for statement in ir.walk(subject.function.body):
        if isinstance(statement, ir.If):
            test = subject.facts.indices.definition(statement, statement.test)
            is_option = isinstance(statement.test, ir.Name) and statement.test.id in parameters
            if is_option or _is_choice(test):
                yield statement


def _is_choice(test: ir.Expression | None) -> bool:
    match test:
        case ir.Call(function, args):
            is_text = any(isinstance(a, ir.Const) and isinstance(a.value, str) for a in args)
            return is_text or operations.of(function).makes in CHOOSING
        case ir.Opaque(calls=called):
            return any(name == "builtins.isinstance" for name, _ in called)
    return False


CHOOSING = (Makes.IDENTITY, Makes.NEGATION, Makes.MEMBERSHIP, Makes.TRUTH)
"""What the tests are made by with which arguments may choose between branches."""


def _of_statement(
    subject: Subject, statement: ir.Statement, outputs: tuple[str, ...]
) -> Iterator[Diagnostic]:
    if isinstance(statement, ir.Store):
        yield from stores.store(subject, statement, outputs)
        return
    if isinstance(statement, ir.For):
        yield from _loop(subject, statement)
        return
    value = value_of(statement)
    if isinstance(value, ir.Opaque):
        found = tuple(_opaque(subject, statement, value))
        is_out = any(isinstance(f.finding, mutation.OutArgument) for f in value.findings)
        if is_out and not found:
            found = tuple(calls.changed_elsewhere(subject, statement, value.span))
        yield from found
    elif isinstance(value, ir.Call):
        if not outputs:
            yield from calls.changed_by_callee(subject, statement, value)
        yield from calls.call(subject, statement, value)
        yield from masked.choice(subject, statement, value)
        yield from misleading.derivative(subject, statement, value)
        yield from calls.changed_elsewhere(subject, statement, value.span or statement.origin)


def _loop(subject: Subject, loop: ir.For) -> Iterator[Diagnostic]:
    """What a loop runs over of which no list can be made for the backward sweep."""
    if not any(map(subject.activity.is_active, ir.walk(loop.body))):
        return
    for leaf in subject.facts.iterations.runs[loop].leaves():
        made = subject.facts.indices.definition(leaf.reader, leaf.atom)
        if isinstance(made, ir.Call) and operations.of(made.function).runs is Runs.IN_TURN:
            finding = reading.NoRule(calls.called(made.function))
            yield subject.found(loop, finding, made.span or loop.origin, subject.wrt[0])
        for span in _interleaved(subject, leaf.atom):
            changing = language.UnsupportedStatement(language.CHANGING)
            yield subject.found(loop, changing, span, subject.wrt[0])
    if _is_listed(subject.facts.iterations, loop.iterable):
        yield from _changed_meanwhile(subject, loop)


def _interleaved(subject: Subject, atom: ir.Atom) -> Iterator[Span]:
    """What a loop runs over that changes as it goes: a list has all of it as it is at the end."""
    made = subject.facts.iterations.made.get(atom.id) if isinstance(atom, ir.Name) else None
    match None if made is None else made.value:
        case ir.Opaque(changes=(_, *_), span=span):
            yield span
        case ir.Call(function, args, _, span):
            callee = subject.known.function(function)
            if callee is not None and iteration.generates(callee):
                if _changes_given(callee, subject.known):
                    yield span or subject.function.origin
            elif operations.of(function).runs in (Runs.ELEMENTS, Runs.LATER, Runs.IN_TURN):
                for each in args:
                    yield from _interleaved(subject, each)


def _changes_given(generator: ir.Function, known: Program) -> bool:
    """Tells whether a generator may change, as it goes, what it gives or what it is given."""
    facts, inferred = known.facts(generator), known.values(generator)
    given = {p.name for p in generator.parameters}
    for statement in ir.walk(generator.body):
        if iteration.gives(statement):
            given.update(ir.reads(statement))
    sharing = facts.aliases(scalar_elements=False)
    for statement in ir.walk(generator.body):
        match statement:
            case ir.Store(base=base):
                is_number = isinstance(inferred.read(statement, ir.Name(base)), lattice.Number)
                changed = [] if is_number else [base]
            case _:
                changed = [*aliases.changed(statement, known, scalar_elements=False)]
        for name in changed:
            if not given.isdisjoint((name, *sharing.related(statement, name))):
                return True
    return False


def _is_listed(iterations: Iterations, atom: ir.Atom) -> bool:
    """Tells whether a loop runs over a list of what `zip` and its like give, or of such lists."""
    made = iterations.made.get(atom.id) if isinstance(atom, ir.Name) else None
    match made:
        case ir.Assign(value=ir.Call(function, args)) if operations.keeps_elements(function):
            return not operations.combines(function) or any(_is_listed(iterations, a) for a in args)
    return False


def _changed_meanwhile(subject: Subject, loop: ir.For) -> Iterator[Diagnostic]:
    """Writes of a loop into that of which it has a list: the backward sweep reads that again."""
    run = subject.facts.iterations.runs[loop]
    read = {*ir.names(leaf.atom for leaf in run.leaves())} if run.parts else set()
    for inner in ir.walk(loop.body):
        for name in aliases.changed(inner, subject.known):
            if not read.isdisjoint((name, *subject.facts.aliases().related(inner, name))):
                (listed,) = ir.names((loop.iterable,))
                span = inner.span if isinstance(inner, ir.Store) else None
                found = subject.aliased(name, listed)
                yield subject.found(inner, found, span or inner.origin, name)


def _signature(subject: Subject) -> Iterator[Diagnostic]:
    """What the function as a whole is, and parameters that no derivative can bind."""
    yield from subject.function.findings
    for parameter in subject.function.parameters:
        match parameter.default:
            case ir.Global(dotted) if targets.is_unresolved(dotted):
                finding = _unsupported(subject, f"{parameter.name}={dotted[1:]}")
                yield Diagnostic(finding, subject.function.origin)
        active = _kept(subject, parameter.name)
        names = frozenset({parameter.name})
        if active and not _goes_along(subject, None, names, is_own=False):
            closure = language.Closure(variable=active[0], function=parameter.name)
            every = ir.walk(subject.function.body)
            reading = next(s for s in every if parameter.name in ir.reads(s))
            yield Diagnostic(closure, reading.origin)


def _kept(subject: Subject, parameter: str) -> list[str]:
    """The active variables that a function has captured which is given, and those of its own."""
    held = {p.name: p.held for p in subject.function.parameters}

    def captured(name: str) -> tuple[tuple[str, str], ...]:
        found = held.get(name)
        return () if found is None else found.captured

    names = graphs.reached((parameter,), lambda name: [v for _, v in captured(name)])
    return [own for name in names for own, variable in captured(name) if variable in subject.wrt]


def _unsupported(subject: Subject, argument: str) -> Finding:
    """A parameter of the function itself that its derivative cannot have."""
    return reading.UnsupportedArgument(own_name(subject.function), argument, reading.OF_USER)


def _rebound(subject: Subject, outputs: tuple[str, ...]) -> Iterator[Diagnostic]:
    """Outputs that the function binds again: what the caller sees is then out of reach.

    So it is where the function has a rule, which tells of its result only.
    """
    rule = subject.known.rule(subject.function.dotted)
    is_called = rule is not None and bool(rule.declarations)
    for statement in ir.walk(subject.function.body):
        if not (isinstance(statement, ir.Store) or calls.is_copy_out(statement)):
            for name in outputs if is_called else ir.writes(statement):
                if name in outputs:
                    finding = _unsupported(subject, f"outputs={name}")
                    yield Diagnostic(finding, statement.origin)


def _opaque(subject: Subject, statement: ir.Statement, value: ir.Opaque) -> Iterator[Diagnostic]:
    """What is outside of the language; what returns there would end the derivative, too."""
    active = subject.varied(statement, iter(subject.known.carried(value, by_keys=False)))
    there = [d for d in value.states if subject.is_read(d)]
    if there and (active or not isinstance(statement, ir.Do)):
        told = [(found.finding, found.span) for found in value.findings]
        told = told or [(mutation.ContainerChanged(targets.member(there[0])), value.span)]
        for finding, span in told:
            yield subject.found(statement, finding, span, (active or list(subject.wrt))[0])
        return
    keys = subject.varied(statement, iter(value.flows)) if value.unfolded else []
    if keys and _has_active_keys(subject, value):
        by_numbers = subject.found(statement, reading.NoRule(BY_NUMBERS), value.span, keys[0])
        yield replace(by_numbers, is_open=not subject.known.given)
        return
    closed = [found for found in value.findings if isinstance(found.finding, language.Closure)]
    if closed and _holds_functions(subject, value.changes) and _is_instantiated(subject, statement):
        return
    if closed:
        active += [name for name in value.changes if name not in active and subject.is_active(name)]
    if RETURNED in value.writes:
        for found in value.findings:
            yield replace(
                subject.found(statement, found.finding, found.span, (active or [RETURNED])[0]),
                fix=found.fix,
            )
        return
    is_outside = any(_is_outside_write(found.finding) for found in value.findings)
    changed = [
        name
        for name in value.changes
        if subject.is_seen(statement, ir.Name(name)) or (closed and subject.is_active(name))
    ]
    if not active or not (subject.is_useful(statement) or is_outside or changed):
        return
    if changed and not value.findings:
        contained = mutation.ContainerChanged(shown(ir.Name(changed[0])))
        yield subject.found(statement, contained, value.span, active[0])
    variables = dict(value.names)
    for found in value.findings:
        if isinstance(found.finding, language.Closure):
            captured = found.finding.variable
            if variables.get(captured, captured) not in active:
                continue
            subject.captured |= set(ir.writes(statement))
        made = subject.found(statement, found.finding, found.span, active[0])
        is_open = found.is_open or made.is_open or _has_methods(subject, value)
        yield replace(made, fix=found.fix, is_open=is_open)


def _has_methods(subject: Subject, value: ir.Opaque) -> bool:
    """Tells whether what is kept as written calls methods that objects may have, and nobody else.

    What these do is known where it is known what the objects are.
    """
    methods = (name for name, _ in value.calls if targets.is_method(name))
    return any(subject.known.rule(name) is None for name in methods)


def _has_active_keys(subject: Subject, value: ir.Opaque) -> bool:
    """Tells whether a comprehension makes a dictionary of which keys are active numbers."""
    steps: ir.Block = () if value.unfolded is None else value.unfolded[0]
    stores = ((s, s.index) for s in ir.walk(steps) if isinstance(s, ir.Store))
    return any(
        key is not None
        and not isinstance(subject.inferred.read(s, key), lattice.Literal)
        and (subject.inferred.is_real(s, key) or subject.is_element(steps, key))
        for s, key in stores
    )


def escaping(subject: Subject, read: frozenset[str]) -> Iterator[Diagnostic]:
    """Active values that a function called for its effect puts where `read` variables hold them."""
    for statement in ir.walk(subject.function.body):
        value = value_of(statement)
        if isinstance(statement, ir.Store):
            if subject.varied(statement, ir.reads(statement)):
                yield from stores.changed_in_module(subject, statement)
        elif isinstance(value, ir.Opaque):
            active = subject.varied(statement, iter(value.reads))
            if active and not read.isdisjoint(value.states):
                name = next(dotted for dotted in value.states if dotted in read)
                changed = mutation.ContainerChanged(targets.member(name))
                yield subject.found(statement, changed, value.span, active[0])
            elif active and (
                ("python.out", ()) in value.calls  # into what no variable holds: `globals()["S"]`
                or any(subject.is_read_of_module(statement, ir.Name(n)) for n in value.reads)
            ):
                for each in value.findings:
                    yield subject.found(statement, each.finding, each.span, active[0])
        elif isinstance(value, ir.Call):
            active = subject.varied(statement, ir.names(value.atoms))
            first = value.args[0] if value.args else None
            is_hidden = operations.of(value.function).reads_all is not None
            if not (active or is_hidden):
                continue
            if isinstance(first, ir.Global) and ir.changes_first(value.function):
                if first.dotted in read or calls.may_reach_modules(subject, value):
                    changed = mutation.ContainerChanged(shown(first))
                    yield subject.found(
                        statement, changed, value.span or statement.origin, active[0]
                    )
            else:
                found = [*calls.call(subject, statement, value)]
                is_effect = not subject.is_useful(statement) or bool(effects.written(value))
                is_seen = calls.may_reach_modules(subject, value)
                is_seen = is_seen or _is_seen_outside(subject, statement, value)
                if is_hidden or (is_effect and is_seen):
                    yield from found


def _is_seen_outside(subject: Subject, statement: ir.Statement, call: ir.Call) -> bool:
    """Tells whether others may see what a call changes: what it says it does, the caller is told.

    So it is of what a function that is given has captured.
    """
    causes = {cause for _, cause in effects.changes(statement, subject.known)}
    is_told = not causes <= {effects.Cause.DOUBT} or subject.is_callback(call)
    is_seen = subject.is_read_of_module if is_told else subject.is_outside
    return any(is_seen(statement, atom) for atom in calls.given_to(subject, call))


def _holds_functions(subject: Subject, names: tuple[str, ...]) -> bool:
    """Tells whether variables hold functions, which nothing changes: of the function, or named."""
    made: set[str] = set()
    for statement in ir.walk(subject.function.body):
        match value_of(statement):
            case ir.Opaque(function=ir.Held(), changes=changes):
                made.update(name for name in ir.writes(statement) if name not in changes)
            case ir.Name(id) if id in made:
                made.update(ir.writes(statement))
            case ir.Global(dotted) if not subject.known.is_variable(dotted):
                made.update(ir.writes(statement))
            case _:
                made.difference_update(ir.writes(statement))
    return made.issuperset(names)


def _is_instantiated(subject: Subject, closure: ir.Statement) -> bool:
    """Tells whether what a closure has captured goes to all who call it, as arguments."""
    is_own = closure.origin.inlined is None
    return _goes_along(subject, closure, frozenset(ir.writes(closure)), is_own=is_own)


def _goes_along(
    subject: Subject,
    holder: ir.Statement | None,
    names: frozenset[str],
    around: frozenset[ir.Statement] = frozenset(),
    *,
    is_own: bool,
) -> bool:
    """Tells whether what a function has captured goes along wherever its names lead.

    So it does where it is given to an instance that knows it, with another function that has
    captured it, and by other names; and where it is called, if it is not the function's own. Of a
    list an instance knows what its functions keep: that is none of what the derivative is of.
    `around` are the holders that are asked about.
    """
    around |= {holder} if holder is not None else set()
    holding = None if holder is None else value_of(holder)
    is_container = isinstance(holding, ir.Call) and holding.function in CONTAINERS

    def is_told(reader: ir.Statement) -> bool:
        match reader.iterable if isinstance(reader, ir.For) else value_of(reader):
            case ir.Call(function) if isinstance(function, targets.Instance | targets.Derivative):
                return not is_container
            case ir.Call(function, (_, *others)) if isinstance(function, targets.Nested):
                return not is_own and names.isdisjoint(ir.names(others))
            case ir.Call("operator.is_"):
                return True
            case ir.Name() | ir.Opaque(function=ir.Held()):
                pass
            case ir.Call(function) if function in HOLDING or operators.is_own(function):
                pass
            case _:
                return False
        bound = frozenset(ir.writes(reader))
        return reader in around or _goes_along(subject, reader, bound, around, is_own=is_own)

    readers = (s for s in ir.walk(subject.function.body) if s is not holder)
    return all(is_told(s) for s in readers if not names.isdisjoint((*ir.reads(s),)))


CONTAINERS = ("operator.getitem", "python.dict", "python.list", "python.tuple")
"""What holds functions that it is given, or gives what may hold some."""

HOLDING = ("functools.partial", *CONTAINERS)
"""These, and what makes another function of one."""


def _is_outside_write(finding: Finding) -> bool:
    """Tells whether a finding is about a store whose effects are not followed."""
    match finding:
        case language.UnsupportedStatement(construct=construct):
            return construct == "global"
    return isinstance(finding, language.MethodOrAttribute | mutation.AliasedWrite)
