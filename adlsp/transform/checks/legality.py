"""The findings of a root and of everything that it calls with active arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adlsp.transform import ir, program
from adlsp.transform.checks import statements
from adlsp.transform.checks.subject import Subject
from adlsp.transform.checks.unread import Unread
from adlsp.transform.diagnostics import gradients, language, mutation, reading
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding
from adlsp.transform.facts import activity
from adlsp.transform.ir import targets
from adlsp.transform.program import Program
from adlsp.transform.rules import users
from adlsp.transform.source import Span
from adlsp.transform.values import signature
from adlsp.transform.values.lattice import Array, Number, Signature

UNRULED = (
    reading.RuleLacksMode,
    reading.InvalidRule,
    reading.RuleParameter,
    reading.RuleResults,
)
"""What else than a rule can be missing where a derivative is differentiated."""


def check(
    function: ir.Function,
    wrt: tuple[str, ...],
    known: Program,
    outputs: tuple[str, ...] = (),
    *,
    is_forward: bool = False,
) -> tuple[Diagnostic, ...]:
    """The findings of a root and of everything it calls with active arguments."""
    made: list[Diagnostic] = []
    function = program.with_outputs(function, outputs)
    subjects: list[Subject] = []
    unread = Unread(known)
    for one in _walk(function, wrt, known, unread, is_forward=is_forward):
        subjects.append(one)
        is_inner = one.is_root and one is not subjects[0]
        found_here = statements.findings(one, () if is_inner else outputs)
        if one.function.is_derived and not function.is_derived:
            found_here = (found for found in found_here if is_missing(found.finding))
        made += [found.within(found.function or one.function.name) for found in found_here]
        for rule in one.broken.values():
            named = users.written_in(rule)
            made += [found.within(named) for found in rule.problems]
    made += _told(subjects, known, unread)
    places = {found.span for found in made}
    made += (found for found in _unseen(function, known) if found.span not in places)
    told: dict[tuple[Finding, Span], Diagnostic] = {}
    for each in made:
        told.setdefault((each.finding, each.span), each)
    return tuple(each for each in told.values() if not _follows(each, made))


def in_the_way(
    function: ir.Function, wrt: tuple[str, ...], known: Program, *, is_forward: bool
) -> tuple[Diagnostic, ...]:
    """What prevents the derivative of a function, which may be a derivative itself."""
    every = check(function, wrt, known, is_forward=is_forward)
    if function.is_derived:
        return tuple(found for found in every if is_missing(found.finding))
    return tuple(found for found in every if found.blocks)


def is_missing(finding: Finding) -> bool:
    """Tells whether a rule is missing; of the tapes of a derivative the engine knows by itself.

    Where a derivative is differentiated nothing else is in the way.
    """
    match finding:
        case reading.NoRule(function):
            return not targets.is_syntax(function)
    return isinstance(finding, UNRULED)


def _follows(one: Diagnostic, made: list[Diagnostic]) -> bool:
    """Tells whether a finding only follows from another: a closure may change what it captures."""
    match one.finding:
        case mutation.ParameterChanged(parameter, function):
            return any(
                isinstance(other.finding, language.Closure)
                and other.finding.variable == parameter
                and function in (other.function, other.finding.function)
                for other in made
            )
    return False


def _told(subjects: list[Subject], known: Program, unread: Unread) -> Iterator[Diagnostic]:
    """What functions called for their effect do to variables that the result depends on."""
    pending = [pair for one in subjects for pair in one.told]
    if not pending:
        return
    read = frozenset(dotted for one in subjects for dotted in one.states_read)
    seen: set[tuple[str, tuple[str, ...]]] = set()
    while pending:
        function, active = pending.pop(0)
        if (function.dotted, active) in seen:
            continue
        seen.add((function.dotted, active))
        one = Subject(function, active, known, unread, is_root=False, is_forward=False, read=read)
        yield from (found.within(function.name) for found in statements.escaping(one, read))
        pending += [*one.told, *one.callees]


def _unseen(root: ir.Function, known: Program) -> Iterator[Diagnostic]:
    """Calls of what is not known, where that may change what functions or modules keep.

    A derivative that follows these takes them for what they were.
    """
    if not known.may_keep:
        return
    every = [*known.calls_within(root)]
    if not any(known.keeps(call) for _, _, call in every):
        return
    for function, statement, call in every:
        is_told = known.is_defined(call.function)  # that what its decorators do is not known
        if call.function == targets.CALL or (known.is_variable(call.function) and not is_told):
            span = call.span or statement.origin
            name = known.quote(span).partition("(")[0]
            yield Diagnostic(language.FunctionValue(name), span).within(function.name)


def reached(
    function: ir.Function, wrt: tuple[str, ...], known: Program
) -> Iterator[tuple[ir.Function, tuple[str, ...]]]:
    """A root and what it calls with active arguments, each with its active parameters."""
    for one in _walk(function, wrt, known, Unread(known)):
        for _ in statements.findings(one, ()):
            pass
        yield one.function, one.wrt


def _walk(
    function: ir.Function,
    wrt: tuple[str, ...],
    known: Program,
    unread: Unread,
    *,
    is_forward: bool = False,
) -> Iterator[Subject]:
    """Each function that takes part, once for each set of active parameters.

    What it calls is known once its findings were run through.
    """
    pending = [(function, wrt, True)]
    seen = {(function.dotted, wrt, True)}
    read = frozenset[str]()
    while pending:
        current, active_parameters, is_root = pending.pop(0)
        one = Subject(
            current,
            active_parameters,
            known,
            unread,
            is_root=is_root,
            is_forward=is_forward and not (is_root and current is not function),
            read=read,
        )
        read = one.states_read if current is function else read
        yield one
        reached = [(*each, False) for each in one.callees] + [(*e, True) for e in one.primals]
        for callee, active, is_own in reached:
            if (callee.dotted, active, is_own) not in seen:
                seen.add((callee.dotted, active, is_own))
                pending.append((callee, active, is_own))


def influence(function: ir.Function, wrt: tuple[str, ...], known: Program) -> Iterator[Diagnostic]:
    """Inputs of interest that the result does not depend on."""
    facts = known.facts(function).activity(wrt)
    useful = facts.useful_before[function.body[0]]
    for name in wrt:
        if name not in useful:
            through = _ending(name, function, known)
            finding = gradients.NoInfluence(name, function.name, through)
            yield Diagnostic(finding, function.origin, blocks=False)


def integers(function: ir.Function, wrt: tuple[str, ...], given: Signature) -> Iterator[Diagnostic]:
    """Inputs of interest that are integers, where it is known what the function is given."""
    for parameter in function.parameters:
        match given.get(parameter.name) if parameter.name in wrt else None:
            case Number(kind="int" | "bool") | Array(dtype=str()) as value:
                dtype = value.dtype or "int"
                if dtype.startswith(("int", "uint", "bool")):
                    finding = gradients.IntegerInput(parameter.name, signature.text(value))
                    yield Diagnostic(finding, function.origin, blocks=False)


def _ending(wrt: str, function: ir.Function, known: Program) -> str:
    """The call by which a result depends on an input only where its derivative is zero."""
    facts = known.facts(function)
    varied = facts.activity((wrt,)).varied_before
    used = activity.useful(function, _everything, facts.iterations).after
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=targets, value=ir.Call(span=span) as call) if span is not None:
                is_constant = known.rule_of(call) is not None and not any(known.flow(call))
                is_read = not varied[statement].isdisjoint(ir.reads(statement))
                if is_constant and is_read and not used[statement].isdisjoint(targets):
                    return known.quote(span)
    return ""


def _everything(value: ir.Expression) -> Iterable[ir.Atom]:
    """All that an expression depends on, differentiably or not."""
    match value:
        case ir.Call():
            return value.atoms
        case ir.Opaque():
            return map(ir.Name, value.reads)
    return (value,)
