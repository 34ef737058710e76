"""What prevents a derivative: the restrictions, applied to a root and to what it calls.

Only statements that take part count: those that read something varied to make something useful.
Everything else in a function is left in peace.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeGuard

from adlsp.transform import arguments, handback, ir, program, through, unfold
from adlsp.transform.analyses import (
    activity,
    aliases,
    containers,
    effects,
    iteration,
    liveness,
    shapes,
    versions,
    why,
)
from adlsp.transform.analyses.indices import Indices
from adlsp.transform.findings import gradients, language, mutation, reading
from adlsp.transform.findings.vocabulary import Edit, Finding, Fix, Found, Related
from adlsp.transform.program import Program
from adlsp.transform.rules import table, users
from adlsp.transform.source import Span

COMPARING = {"ndarray.count", "ndarray.index", "ndarray.searchsorted"}
"""Methods without a derivative that are given values; others are not called so of an array."""

HIDING = {"builtins.eval", "builtins.locals"}
"""Functions that read variables without naming them."""

SPECIAL = {"operator.getitem", "python.tuple", "python.list", "python.dict", "python.slice"}
SPECIAL |= {ir.PATH}


@dataclass(frozen=True, slots=True)
class Checked:
    """A finding and the function that it is in."""

    found: Found
    function: str | None


def check(
    function: ir.Function,
    wrt: tuple[str, ...],
    known: Program,
    outputs: tuple[str, ...] = (),
    *,
    is_forward: bool = False,
) -> tuple[Checked, ...]:
    """The findings of a root and of everything it calls with active arguments."""
    made: list[Checked] = []
    function = program.with_outputs(function, outputs)
    for one in _walk(function, wrt, known, is_forward=is_forward):
        made += [Checked(found, one.function.name) for found in one.findings(outputs)]
        for rule in one.broken.values():
            named = users.written_in(rule)
            made += [Checked(found, named) for found in rule.problems]
    return tuple(dict.fromkeys(made))


def reached(
    function: ir.Function, wrt: tuple[str, ...], known: Program
) -> Iterator[tuple[ir.Function, tuple[str, ...]]]:
    """A root and what it calls with active arguments, each with its active parameters."""
    for one in _walk(function, wrt, known):
        for _ in one.findings(()):
            pass
        yield one.function, one.wrt


def _walk(
    function: ir.Function, wrt: tuple[str, ...], known: Program, *, is_forward: bool = False
) -> Iterator[_Function]:
    """Each function that takes part, once for each set of active parameters.

    What it calls is known once its findings were run through.
    """
    pending = [(function, wrt)]
    seen = {(function.dotted, wrt)}
    while pending:
        current, active_parameters = pending.pop(0)
        is_root = current is function
        one = _Function(current, active_parameters, known, is_root=is_root, is_forward=is_forward)
        yield one
        for callee, active in one.callees:
            if (callee.dotted, active) not in seen:
                seen.add((callee.dotted, active))
                pending.append((callee, active))


class _Function:
    """Checks one function for given active parameters."""

    def __init__(
        self,
        function: ir.Function,
        wrt: tuple[str, ...],
        known: Program,
        *,
        is_root: bool,
        is_forward: bool,
    ) -> None:
        function = unfold.unfolded(function, wrt, known.flow)
        self.function = function
        self.wrt = wrt
        self.known = known
        self.is_root = is_root
        self.is_forward = is_forward
        self.activity = activity.activity(function, wrt, known.flow)
        self.versions = versions.versions(function)
        self.aliases = aliases.aliases(function, known)
        self.live = liveness.live_after(function)
        self.callees: list[tuple[ir.Function, tuple[str, ...]]] = []
        self.captured: set[str] = set()
        self.broken: dict[str, table.Rule] = {}

    def findings(self, outputs: tuple[str, ...]) -> Iterator[Found]:
        """All findings of the function, in order of its statements."""
        yield from self.signature()
        if self.is_root:
            yield from self.rebound(outputs)
        for statement in ir.walk(self.function.body):
            if isinstance(statement, ir.Store):
                yield from self.store(statement, outputs)
                continue
            value = _value(statement)
            if isinstance(value, ir.Opaque):
                yield from self.opaque(statement, value)
            elif isinstance(value, ir.Call):
                if handback.is_handback(value.function) and not outputs:
                    yield from self.handed_back(statement, value)
                yield from self.call(statement, value)

    def signature(self) -> Iterator[Found]:
        """What the function as a whole is, and parameters that no derivative can bind."""
        yield from self.function.findings
        for parameter in self.function.parameters:
            star = {"varargs": "*", "varkeywords": "**"}.get(parameter.kind)
            finding: Finding
            if star and not self.is_root:
                continue
            if star:
                finding = reading.UnsupportedArgument(self.function.name, star + parameter.name)
                yield Found(finding, self.function.origin)
            elif isinstance(parameter.default, ir.Global) and parameter.default.dotted[0] == "?":
                text = parameter.default.dotted[1:]
                finding = reading.UnsupportedArgument(
                    self.function.name, f"{parameter.name}={text}"
                )
                yield Found(finding, self.function.origin)

    def rebound(self, outputs: tuple[str, ...]) -> Iterator[Found]:
        """Outputs that the function binds again: what the caller sees is then out of reach.

        So it is where the function has a rule, which tells of its result only.
        """
        rule = self.known.rule(self.function.dotted)
        is_called = rule is not None and bool(rule.declarations)
        for statement in ir.walk(self.function.body):
            if not (isinstance(statement, ir.Store) or _is_handback(statement)):
                for name in outputs if is_called else ir.writes(statement):
                    if name in outputs:
                        finding = reading.UnsupportedArgument(self.function.name, f"outputs={name}")
                        yield Found(finding, statement.origin)

    # who takes part

    def varied(self, statement: ir.Statement, names: Iterator[str]) -> list[str]:
        """Those names that are varied before a statement."""
        before = self.activity.varied_before[statement]
        return [name for name in dict.fromkeys(names) if name in before]

    def is_useful(self, statement: ir.Statement) -> bool:
        """Tells whether the result may depend on what a statement makes."""
        useful = self.activity.useful_after[statement]
        return any(name in useful for name in ir.writes(statement))

    def found(self, statement: ir.Statement, finding: Finding, span: Span, name: str) -> Found:
        """A finding, with where its variable became active."""
        steps = why.chain(statement, name, self.activity, self.versions)
        related = tuple(
            Related(place, f"`{variable}` became active here")
            for variable, place in steps
            if place is not None and place != statement.origin
        )
        return Found(finding, span, related[:4])

    # the kinds of statement

    def opaque(self, statement: ir.Statement, value: ir.Opaque) -> Iterator[Found]:
        """What is outside of the language; what returns there would end the derivative, too."""
        active = self.varied(statement, iter(value.reads))
        if ir.RETURNED in value.writes:
            for found in value.findings:
                yield replace(
                    self.found(statement, found.finding, found.span, (active or [ir.RETURNED])[0]),
                    fix=found.fix,
                )
            return
        is_outside = any(_is_outside_write(found.finding) for found in value.findings)
        changed = [name for name in value.changes if self.is_seen(statement, name)]
        if not active or not (self.is_useful(statement) or is_outside or changed):
            return
        if changed and not value.findings:
            contained = mutation.ContainerChanged(_shown(ir.Name(changed[0])))
            yield self.found(statement, contained, value.span, active[0])
        for found in value.findings:
            if isinstance(found.finding, language.Closure):
                if found.finding.variable not in active:
                    continue
                self.captured |= set(ir.writes(statement))
            yield replace(
                self.found(statement, found.finding, found.span, active[0]), fix=found.fix
            )

    def call(self, statement: ir.Statement, call: ir.Call) -> Iterator[Found]:
        """A step that needs a rule, or a source, for what is active."""
        active = self.varied(statement, ir.names(call.atoms))
        span = call.span or statement.origin
        yield from self.changed_arguments(statement, call)
        if call.function in HIDING and self.is_useful(statement):
            yield self.found(statement, reading.NoRule(call.function[9:]), span, self.wrt[0])
        if not active:
            return
        if ir.changes_first(call.function) and isinstance(call.args[0], ir.Global):
            if self.is_read(call.args[0]):
                told = mutation.ContainerChanged(_shown(call.args[0]))
                yield self.found(statement, told, span, active[0])
            return
        if ir.changes_first(call.function):
            container = next(ir.names(call.args), "")
            is_seen = self.is_seen(statement, container)
            if is_seen or self.is_useful(statement) or active[0] in ir.writes(statement):
                changed = mutation.ContainerChanged(_shown(ir.Name(container)))
                yield self.found(statement, changed, span, active[0])
            return
        if not self.is_useful(statement):
            yield from self.side_effect(statement, call, active, span)
            return
        match call.args:
            case (ir.Global(dotted), ir.Name()) if call.function == "operator.getitem":
                yield self.found(statement, reading.NoRule(dotted), span, active[0])
        if call.function in SPECIAL:
            return
        if call.function in iteration.CARRYING and self.is_run_over(statement):
            return
        rule = self.known.rule_of(call)
        if rule is not None:
            yield from self.ruled(statement, call, rule, active, span)
            return
        callee = self.known.function(call.function)
        if callee is None:
            yield from self.unknown(statement, call, active, span)
            return
        bound = arguments.bind(callee, call)
        if isinstance(bound, str):
            finding = reading.UnsupportedArgument(callee.name, bound)
            yield self.found(statement, finding, span, active[0])
            return
        ordered = tuple(
            p.name
            for p in callee.parameters
            if not set(active).isdisjoint(ir.names(arguments.atoms(bound[p.name])))
        )
        self.callees.append((callee, ordered))

    def is_seen(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether the result depends on what a variable holds, or on what shares with it."""
        others = self.strict_aliases.shared(statement, name)
        return not {name, *others}.isdisjoint(self.activity.useful_after[statement])

    def is_read(self, outside: ir.Global) -> bool:
        """Tells whether the result depends on what a variable of a module holds."""
        return any(
            isinstance(value := _value(s), ir.Call) and outside in value.atoms and self.is_useful(s)
            for s in ir.walk(self.function.body)
        )

    @cached_property
    def strict_aliases(self) -> aliases.Aliases:
        """What variables may share if no element is taken for a number."""
        return aliases.aliases(self.function, self.known, are_numbers=False)

    def side_effect(
        self, statement: ir.Statement, call: ir.Call, active: list[str], span: Span
    ) -> Iterator[Found]:
        """A call whose result does not matter, but which may change what the result depends on.

        Of a method that is its object, of a function in a variable what that has captured. What is
        called for nothing like a method of arrays is the method of another object.
        """
        rule = self.known.rule(call.function)
        is_told = call.function.startswith("ndarray.") and len(call.atoms) > 1
        if rule is not None and not (is_told and isinstance(statement, ir.Do)):
            if rule.kind == "elementwise":
                yield from self.result_into(statement, call, rule, active)
            return
        if self.known.function(call.function) is not None or self.known.is_class(call.function):
            return
        atoms: tuple[ir.Atom, ...] = ()
        if rule is not None or effects.may_change_first(call.function):
            atoms = call.args[:1]
        elif effects.may_change_any(call.function):
            atoms = call.atoms
        if any(self.is_seen(statement, name) for name in ir.names(atoms)):
            yield from self.unknown(statement, call, active, span)

    def result_into(
        self, statement: ir.Statement, call: ir.Call, rule: table.Rule, active: list[str]
    ) -> Iterator[Found]:
        """`np.add(a, b, c)`: what stands behind the operands takes the result."""
        n_operands = sum(p.kind == "positional" for p in rule.parameters)
        for name in ir.names(call.args[n_operands : n_operands + 1]):
            if self.is_seen(statement, name):
                text = call.function.rpartition(".")[2]
                finding = mutation.OutArgument(text, _shown(ir.Name(name)))
                yield self.found(statement, finding, call.span or statement.origin, active[0])

    def is_run_over(
        self, statement: ir.Statement, seen: frozenset[ir.Statement] = frozenset()
    ) -> bool:
        """Tells whether loops only run over what a statement makes, or over what holds it.

        `seen` are the statements that are being asked about: `x = list(x)` reads a variable that it
        makes.
        """
        if statement in seen:
            return True
        made = set(ir.writes(statement))
        readers = [s for s in ir.walk(self.function.body) if not made.isdisjoint(ir.reads(s))]
        return bool(readers) and all(
            isinstance(s, ir.For)
            or (
                isinstance(value := _value(s), ir.Call)
                and value.function in iteration.CARRYING
                and self.is_run_over(s, seen | {statement})
            )
            for s in readers
        )

    def ruled(
        self,
        statement: ir.Statement,
        call: ir.Call,
        rule: table.Rule,
        active: list[str],
        span: Span,
    ) -> Iterator[Found]:
        """A call that has a rule, which may not support its arguments."""
        if rule.problems:
            self.broken[rule.name] = rule
        given = {*ir.names(call.args[1:]), *ir.names(tuple(a for _, a in call.keywords))}
        is_told = call.function.startswith("ndarray.") and not given.isdisjoint(active)
        if is_told and rule.kind == "constant" and call.function not in COMPARING:
            yield from self.unknown(statement, call, active, span)
        if rule.kind in ("constant", "broken"):
            return
        text = call.function.rpartition(".")[2]
        bound = table.bind(rule.parameters, call)
        if isinstance(bound, str):
            finding: Finding = reading.UnsupportedArgument(text, bound)
            yield self.found(statement, finding, span, active[0])
            return
        if rule.kind == "custom" and (rule.forward if self.is_forward else rule.reverse) is None:
            finding = reading.RuleLacksMode(text, "forward" if self.is_forward else "reverse")
            yield self.found(statement, finding, span, active[0])
        for name, atom in bound.items():
            is_smooth = name in (*rule.of, *rule.shaped)
            if not is_smooth and isinstance(atom, ir.Name) and atom.id in active:
                shown = name if atom.id.startswith("%") else f"{name}={atom.id}"
                finding = reading.UnsupportedArgument(text, shown)
                yield self.found(statement, finding, span, active[0])
        if is_told and given.isdisjoint(ir.names(tuple(bound.values()))):
            yield from self.unknown(statement, call, active, span)

    def unknown(
        self, statement: ir.Statement, call: ir.Call, active: list[str], span: Span
    ) -> Iterator[Found]:
        """A call that has neither a rule nor a source."""
        finding: Finding
        name = call.function
        if name == "python.call":
            (held, *_) = ir.names(call.args)
            if held in self.captured:
                return
            finding = self.function_value(held)
        elif name.startswith(("ndarray.", "attribute.")):
            finding = language.MethodOrAttribute(_shown(call.args[0]), name.partition(".")[2])
        elif name.startswith("?"):
            finding = reading.UnresolvedFunction(name[1:])
        else:
            finding = reading.NoRule(name.removeprefix("builtins."))
        yield self.found(statement, finding, span, active[0])

    def function_value(self, held: str) -> Finding:
        """Why a function in a variable is not followed: nested, of a class, chosen at run time."""
        for statement in ir.walk(self.function.body):
            match _value(statement):
                case ir.Call(function=read, args=(ir.Global() as owner,)) if (
                    held in ir.writes(statement)
                    and ir.is_step(held)
                    and read.startswith(("attribute.", "ndarray."))
                ):
                    return language.MethodOrAttribute(_shown(owner), read.partition(".")[2])
                case ir.Opaque(findings=findings) if held in ir.writes(statement):
                    if not findings or isinstance(findings[0].finding, language.Closure):
                        return language.NestedFunction(_shown(ir.Name(held)))
        return language.FunctionValue(_shown(ir.Name(held)))

    def changed_arguments(self, statement: ir.Statement, call: ir.Call) -> Iterator[Found]:
        """A callee that writes into its parameters, where that array takes part in a derivative."""
        if handback.is_handback(call.function) or self.known.rule(call.function) is not None:
            return
        callee = self.known.function(call.function)
        if callee is None:
            return
        bound = arguments.bind(callee, call)
        if isinstance(bound, str):
            return
        for parameter in self.written(callee):
            given = arguments.atoms(bound[parameter]) if parameter in bound else ()
            for name in ir.names(given):
                others = self.strict_aliases.shared(statement, name)
                if any(self.takes_part(each, statement) for each in (name, *others)):
                    finding = mutation.ParameterChanged(parameter, callee.name)
                    yield self.found(statement, finding, call.span or statement.origin, name)

    def handed_back(self, statement: ir.Statement, call: ir.Call) -> Iterator[Found]:
        """A callee that changes a parameter of this function, which the caller sees."""
        callee = self.known.function(call.function)
        assert callee is not None
        bound = arguments.bind(callee, call)
        if isinstance(bound, str) or not (
            self.activity.is_active(statement) or self.gives_nothing()
        ):
            return
        for parameter in handback.changed_by(call.function):
            for name in ir.names(arguments.atoms(bound[parameter])):
                if name in ir.writes(statement):
                    span = call.span or statement.origin
                    yield from self.parameter_changed(statement, name, span)

    def written(self, function: ir.Function) -> tuple[str, ...]:
        """The arrays that a callee changes for its caller.

        A parameter that is only changed by `x += v`, in a function that gives something back, is
        taken for a number; derivatives make sure of it.
        """
        written = self.known.written(function)
        last = function.body[-1]
        if isinstance(last, ir.Return) and last.value == ir.Const(None):
            return written
        numbers = aliases.numbers(function)
        return tuple(name for name in written if name not in numbers)

    def takes_part(self, name: str, call: ir.Statement) -> bool:
        """Tells whether the result depends on a variable, or an active statement reads it."""
        return name in self.activity.useful_after[call] or any(
            name in ir.reads(statement) and self.activity.is_active(statement)
            for statement in ir.walk(self.function.body)
        )

    def store(self, statement: ir.Store, outputs: tuple[str, ...]) -> Iterator[Found]:
        """A store: into memory that others see, or into a parameter."""
        varied = self.activity.varied_before[statement]
        value_varied = isinstance(statement.value, ir.Name) and statement.value.id in varied
        base = statement.base
        is_active = (value_varied or base in varied) and (
            base in self.activity.useful_after[statement]
        )
        span = statement.span or statement.origin
        if ir.resizes(statement):
            if value_varied or base in varied:
                yield from self.resized(statement, span)
            return
        if ir.sets_cell(statement):
            if value_varied or base in varied:
                yield from self.changed_elsewhere(statement, span)
            return
        is_path = self.indices.is_path(statement, statement.index)
        if is_path and (value_varied or base in varied) and not self.is_clear(statement):
            shown = self.known.quote(span).rpartition("[")[0]
            yield self.found(statement, mutation.AliasedWrite(shown, base), span, base)
            return
        if statement.index is not None and not is_path and self.is_display(statement, base):
            if is_active:
                yield self.found(statement, mutation.ContainerChanged(base), span, base)
            return
        takes_part = is_active or self.takes_part(base, statement)
        for other in sorted(self.aliases.shared(statement, base) & self.live[statement]):
            if not (takes_part or self.takes_part(other, statement)) or self.is_iterator(other):
                continue
            if not self.is_number(statement):
                shown = "a second name" if other.startswith("%") else other
                yield self.found(statement, mutation.AliasedWrite(base, shown), span, base)
            break
        operation = f"operator.{statement.operation}"
        if is_active and statement.operation and self.known.rule(operation) is None:
            yield self.found(statement, reading.NoRule(operation), span, base)
        if (
            not outputs
            and statement not in self.uncertain
            and (is_active or (self.gives_nothing() and (value_varied or base in varied)))
        ):
            yield from self.parameter_changed(statement, base, span)

    def is_clear(self, statement: ir.Store) -> bool:
        """Tells whether `x[i][j] = v` surely changes one place, and what that is."""
        assert statement.index is not None
        path = self.indices.definition(statement, statement.index)
        assert isinstance(path, ir.Call)
        return self.indices.is_single(statement, statement.index) and (
            containers.holds_each_once(self.function, self.versions, statement, len(path.args) - 1)
        )

    def resized(self, statement: ir.Store, span: Span) -> Iterator[Found]:
        """A list that becomes longer or shorter while a loop runs over it, or others see it too."""
        base = ir.Name(statement.base)
        holders: set[str] = set()
        for other in ir.walk(self.function.body):
            if self.runs_over(other, statement.base) and statement in ir.walk(other.body):
                changed = mutation.ContainerChanged(statement.base)
                yield self.found(statement, changed, span, statement.base)
            if isinstance(other, ir.Store) and (other.operation, other.value) == ("append", base):
                holders.add(other.base)
            value = _value(other)
            if isinstance(value, ir.Call) and any(
                base in part for part in self.known.sharing(value) or ()
            ):
                holders |= set(ir.writes(other))
        for name in sorted(holders & self.aliases.shared(statement, statement.base)):
            if name in self.live[statement] and self.takes_part(name, statement):
                finding = mutation.AliasedWrite(statement.base, name)
                yield self.found(statement, finding, span, statement.base)

    def changed_elsewhere(self, statement: ir.Store, span: Span) -> Iterator[Found]:
        """A container of which a cell is set, where others are the same one, or hold it."""
        same, holders = {statement.base}, set[str]()
        n_known = 0
        while n_known < len(same) + len(holders):
            n_known = len(same) + len(holders)
            for other in ir.walk(self.function.body):
                match other:
                    case ir.Assign(targets=(target,), value=ir.Name(id)) if same & {target, id}:
                        same |= {target, id}
                    case ir.Store(base=base, value=ir.Name(id), operation=operation) if (
                        operation in aliases.HOLDING and id in same | holders
                    ):
                        holders.add(base)
                    case ir.Assign(targets=targets, value=ir.Call(function=called) as call):
                        parts = call.atoms if called in SPECIAL - {"operator.getitem"} else ()
                        for part in self.known.sharing(call) or ():
                            parts += part
                        if not (same | holders).isdisjoint(ir.names(parts)):
                            holders |= set(targets)
        for loop in ir.walk(self.function.body):
            if self.runs_over(loop, statement.base) and statement in ir.walk(loop.body):
                changed = mutation.ContainerChanged(statement.base)
                yield self.found(statement, changed, span, statement.base)
        for name in sorted((same | holders) - {statement.base}):
            if name in self.live[statement] and self.takes_part(name, statement):
                shown = "a second name" if name.startswith("%") else name
                finding = mutation.AliasedWrite(statement.base, shown)
                yield self.found(statement, finding, span, statement.base)
                break

    def runs_over(self, loop: ir.Statement, name: str) -> TypeGuard[ir.For]:
        """Tells whether a statement is a loop whose elements are those of a list."""
        if not isinstance(loop, ir.For):
            return False
        source = self.indices.definition(loop, loop.iterable)
        return ir.Name(name) in (loop.iterable, *(getattr(source, "args", ())))

    def is_iterator(self, name: str) -> bool:
        """Tells whether a step is a `zip` or its like, which reads its arrays as they change."""
        return any(
            isinstance(value := _value(s), ir.Call) and value.function in iteration.COMBINED
            for s in ir.walk(self.function.body)
            if name.startswith("%") and name in ir.writes(s)
        )

    @cached_property
    def uncertain(self) -> set[ir.Statement]:
        """The stores that are made where something is an array: else nothing is changed."""
        return {
            inner
            for statement in ir.walk(self.function.body)
            if isinstance(statement, ir.If)
            and isinstance(test := self.indices.definition(statement, statement.test), ir.Call)
            and (test.function, test.args[1:]) == through.IS_ARRAY
            for inner in statement.body
        }

    @cached_property
    def indices(self) -> Indices:
        """What is known of indices, where somebody asks."""
        return Indices(self.function, self.versions)

    @cached_property
    def shapes(self) -> shapes.Shapes:
        """What is known of shapes, where somebody asks."""
        return shapes.Shapes(self.function, self.versions, self.indices, self.known)

    def is_number(self, statement: ir.Store) -> bool:
        """Tells whether what a store changes is surely a number, which shares no memory."""
        known = self.shapes
        is_scalar = known.of(statement, ir.Name(statement.base)) == shapes.SCALAR
        return is_scalar and known.written(statement, statement.base) == shapes.SCALAR

    def is_display(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable holds a list or dict that the function itself wrote down."""
        pending = [self.versions.reads.get((statement, name))]
        seen: set[int] = set()
        while pending:
            version = pending.pop()
            if version is None or version.number in seen:
                continue
            seen.add(version.number)
            if version.kind == "assign":
                match version.statement:
                    case ir.Assign(value=ir.Call(function="python.list" | "python.dict")):
                        return True
                    case ir.Assign(value=ir.Name(id)) as assign:
                        pending.append(self.versions.reads.get((assign, id)))
            pending += version.priors
        return False

    def parameter_changed(self, statement: ir.Statement, base: str, span: Span) -> Iterator[Found]:
        """A parameter that the caller sees changed, though it is not part of the result."""
        changed = self.aliases.parameters(statement, base)
        last = self.function.body[-1]
        assert isinstance(last, ir.Return)
        returned = frozenset[str]()
        if isinstance(last.value, ir.Name):
            returned = self.aliases.parameters(last, last.value.id)
        for parameter in self.function.parameters:
            if parameter.name not in changed - returned:
                continue
            if not self.is_root and parameter.name not in self.written(self.function):
                continue
            finding = mutation.ParameterChanged(parameter.name, self.function.name)
            found = self.found(statement, finding, span, base)
            gives_nothing = self.gives_nothing()
            fix = self.return_it(parameter.name) if gives_nothing and self.is_root else None
            is_blocking = gives_nothing or not self.is_root
            yield Found(found.finding, found.span, found.related, fix, blocks=is_blocking)

    def gives_nothing(self) -> bool:
        """Tells whether the function returns `None`, so that only its effects can be meant."""
        last = self.function.body[-1]
        return isinstance(last, ir.Return) and last.value == ir.Const(None)

    def return_it(self, parameter: str) -> Fix | None:
        """The fix for a function that changes an array and returns nothing."""
        last = self.function.body[-1]
        previous = [s for s in self.function.body[:-1] if s.origin.column == last.origin.column]
        if not previous:
            return None
        indent = " " * (previous[-1].origin.column - 1)
        origin = last.origin
        end = Span(
            origin.path, origin.end_line, origin.end_column, origin.end_line, origin.end_column
        )
        return Fix(f"Return `{parameter}`", (Edit(end, f"\n{indent}return {parameter}"),))


def influence(function: ir.Function, wrt: tuple[str, ...], known: Program) -> Iterator[Found]:
    """Inputs of interest that the result does not depend on."""
    facts = activity.activity(function, wrt, known.flow)
    useful = facts.useful_before[function.body[0]]
    for name in wrt:
        if name not in useful:
            yield Found(gradients.NoInfluence(name, function.name), function.origin, blocks=False)


def _is_outside_write(finding: Finding) -> bool:
    """Tells whether a finding is about a store whose effects are not followed."""
    match finding:
        case language.UnsupportedStatement(construct=construct):
            return construct == "global"
    return isinstance(finding, language.MethodOrAttribute | mutation.AliasedWrite)


def _shown(atom: ir.Atom) -> str:
    """A variable as a message names it; a step of an expression has no name of its own."""
    match atom:
        case ir.Name(id) if not id.startswith("%"):
            return id
        case ir.Global(dotted):
            return dotted.rpartition(".")[2]
    return "expression"


def _value(statement: ir.Statement) -> ir.Expression | None:
    match statement:
        case ir.Assign(value=value) | ir.Do(value=value):
            return value
    return None


def _is_handback(statement: ir.Statement) -> bool:
    value = _value(statement)
    return isinstance(value, ir.Call) and handback.is_handback(value.function)
