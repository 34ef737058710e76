"""Calls of functions that are written out where they are called: inlining.

`inlined`: `push(xs, v)`, which appends to a list that the caller has made, becomes what `push`
does: then `xs` changes where it is made, and is neither copied nor given back. It is done for
functions that do not call themselves.

`with_small`: so does an active call of a function of a few elementwise steps, `sigmoid(x)`: nobody
would write two functions for its derivative. What a derivative has of it is bounded by what a call
of two functions would be, and so are lengths of derivatives linear in those of their primals.

`with_made`: so does a call of a function that makes functions, `double = scaled(2.0)`, which is
done once: what they have captured are variables of the caller, through which derivatives flow.

`fused`: a generator that a loop runs over is written out around the body of the loop, which stands
where it gives a value (fusion). So both do what they do in the order in which Python does it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise

from adlsp.transform import arguments, ir
from adlsp.transform.canonical import desugar, evaluation_order, unrolling
from adlsp.transform.diagnostics import language
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.facts import containers, graphs, iteration, liveness, operations
from adlsp.transform.facts.callees import Callees
from adlsp.transform.frontend import closures, resolve
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import RETURNED, Fresh, Numbered, Own, Step, moved, readable
from adlsp.transform.ops.spec import Effect, Kind, Operation, Result, Runs, Shape
from adlsp.transform.source import Span
from adlsp.transform.values import places
from adlsp.transform.values.inference import Typed

MOST_STEPS = 8
"""How many steps a function may have that is small."""

MOST_STATEMENTS = 1000
"""How many statements a function may have before no more calls in it are written out."""

Definition = Callable[[str], "ir.Function | None"]
"""Finds the user's function that a call goes to."""

Site = tuple[ir.Function, arguments.Bound, set[str]]
"""The function that a call means, what it gives to each parameter, and which are containers."""


def inlined(function: ir.Function, known: Callees) -> ir.Function:
    """The function with what its calls do to the lists and dictionaries that it makes."""
    while sum(1 for _ in ir.walk(function.body)) <= MOST_STATEMENTS:
        sites = _sites(function, known)
        if not sites:
            break
        function = _Inliner(function, sites).function
    return function


def _sites(function: ir.Function, known: Callees) -> dict[ir.Statement, Site]:
    """The calls that are to be written out."""
    found: dict[ir.Statement, Site] = {}
    if not any(map(_may_make_container, ir.walk(function.body))):
        return found
    changing = _Changing(known)
    for statement, call in _calls(function.body):
        callee = _definition(call.function, known)
        if callee is None or not _is_plain(callee):
            continue
        numbered = known.facts(function).versions
        kinds = {
            atom.id: containers.kind_of(numbered.reads.get((statement, atom.id)), numbered)
            for atom in call.atoms
            if isinstance(atom, ir.Name)
        }
        copies = {
            name
            for name in kinds
            if any(containers.copied(numbered.reads.get((statement, name)), numbered))
        }
        bound = arguments.bind(callee, call)
        if isinstance(bound, str) or _leaves_out(bound):
            continue
        own = {
            parameter
            for parameter in changing.parameters(callee)
            if isinstance(atom := bound[parameter], ir.Name)
            if kinds[atom.id] or (atom.id in copies and parameter in changing.by_method(callee))
        }
        if own and not changing.comes_to(callee, {callee.dotted, function.dotted}):
            found[statement] = callee, bound, own
    return found


def _may_make_container(statement: ir.Statement) -> bool:
    """Tells whether a statement makes a list or dictionary, or a copy, which may be one."""
    return containers.makes_container(statement) or containers.may_copy(statement)


def with_made(function: ir.Function, definition: Definition) -> ir.Function:
    """The function with the steps of calls that make functions, `double = scaled(2.0)`.

    What these have captured then are variables of its own, which derivatives flow through; of what
    has no parameters, the statements of a module, nobody asks for one.
    """
    if not function.parameters or sum(1 for _ in ir.walk(function.body)) > MOST_STATEMENTS:
        return function
    found: dict[ir.Statement, Site] = {}
    for statement in _once(function.body):
        call = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(call, ir.Call) or not _is_followed(call.function):
            continue
        callee = definition(call.function)
        if callee is None or not _makes_functions(callee):
            continue
        is_ours = targets.is_of(call.function, resolve.IN_PYTHON)
        is_fixed = not (is_ours or any(isinstance(atom, ir.Name) for atom in call.atoms))
        if not _are_passed(function, ir.writes(statement), definition, is_fixed=is_fixed):
            continue
        bound = arguments.bind(callee, call)
        if not (isinstance(bound, str) or _leaves_out(bound)):
            found[statement] = callee, bound, set()
    if not found:
        return function
    written = {name for s in ir.walk(function.body) for name in ir.writes(s)}
    return _Inliner(function, found, bound_again=written).function


def _is_followed(function: str) -> bool:
    """Tells whether a call goes to a function of a module, or to a method of a class there."""
    return targets.is_plain(function) or (
        targets.is_nested(function) and closures.LOCALS not in function
    )


def _once(block: ir.Block) -> Iterator[ir.Statement]:
    """The statements of a block that are done once: in each pass of a loop others are captured."""
    for statement in block:
        yield statement
        if isinstance(statement, ir.If):
            yield from _once((*statement.body, *statement.orelse))


def _are_passed(
    function: ir.Function, names: Collection[str], definition: Definition, *, is_fixed: bool
) -> bool:
    """Tells whether functions are only called, given to functions, and captured by others.

    Those that have captured nothing that may change must be more than called: a call knows them.
    """

    def is_told(statement: ir.Statement) -> bool:
        match statement:
            case (
                ir.Assign(value=ir.Call(called, (_, *others), keywords))
                | ir.Do(value=ir.Call(called, (_, *others), keywords))
            ) if called == targets.CALL:
                given = (*others, *(atom for _, atom in keywords))
                return not any(ir.Name(name) in given for name in names)
            case ir.Assign(value=ir.Call(called)) | ir.Do(value=ir.Call(called)):
                return targets.is_plain(called) and definition(called) is not None
            case ir.Assign(value=ir.Opaque(function=ir.Held())):
                return True
            case ir.Do(value=ir.Opaque(function=ir.Held())):
                return True
        return False

    reading = [s for s in ir.walk(function.body) if not {*names}.isdisjoint(ir.reads(s))]
    is_more = any(not _calls_value(s) for s in reading)
    return all(map(is_told, reading)) and (is_more or not is_fixed)


def _calls_value(statement: ir.Statement) -> bool:
    match statement:
        case ir.Assign(value=ir.Call(called)) | ir.Do(value=ir.Call(called)):
            return called == targets.CALL
    return False


def _makes_functions(callee: ir.Function) -> bool:
    """Tells whether a function does a few things in turn, and gives one of its own, or several."""
    *steps, last = callee.body
    if callee.findings or len(steps) > MOST_STEPS or not isinstance(last, ir.Return):
        return False
    made: set[str] = set()
    for step in steps:
        match step:
            case ir.Assign((name,), ir.Opaque(function=ir.Held(), writes=())) | ir.Do(
                ir.Opaque(function=ir.Held(), writes=(name,), is_definition=True)
            ):
                made.add(name)
            case ir.Assign((name,), ir.Call("python.tuple", parts)) if made.issuperset(
                ir.names(parts)
            ):
                made.add(name)
            case ir.Assign((name,), ir.Name(id)) if id in made:
                made.add(name)
            case ir.Assign(value=ir.Opaque()) | ir.Do():
                return False
            case ir.Assign():
                made.difference_update(step.targets)
            case _:
                return False
    return bool(made) and last.value in {ir.Name(name) for name in made}


def given_objects(
    function: ir.Function, known: Callees, typed: Typed, made_at: Collection[str]
) -> ir.Function:
    """The function with what its calls do that are given objects made at some places."""
    if sum(1 for _ in ir.walk(function.body)) > MOST_STATEMENTS:
        return function
    found: dict[ir.Statement, Site] = {}
    changing = _Changing(known)
    for statement, call in _calls(function.body):
        held = {
            atom.id
            for atom in call.atoms
            if isinstance(atom, ir.Name)
            and not places.sites_of(typed.of(statement, atom)).isdisjoint(made_at)
        }
        callee = _definition(call.function, known) if held else None
        if callee is None or not _is_plain(callee, _whiles(function.body)):
            continue
        bound = arguments.bind(callee, call)
        if isinstance(bound, str) or _leaves_out(bound):
            continue
        rebound = _rebound(callee)
        own = {n for n, a in bound.items() if isinstance(a, ir.Name) and a.id in held} - rebound
        if own and not changing.comes_to(callee, {callee.dotted, function.dotted}):
            found[statement] = callee, bound, own
    return _Inliner(function, found).function if found else function


def _calls(block: ir.Block) -> Iterator[tuple[ir.Assign | ir.Do, ir.Call]]:
    """The calls in a block, but for those in the tests of loops."""
    for statement in block:
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                yield statement, call
            case ir.While(body=body):
                yield from _calls(body)
            case _:
                for inner in ir.blocks(statement):
                    yield from _calls(inner)


def _definition(dotted: str, known: Callees) -> ir.Function | None:
    """A function as it is lowered, with the steps of comprehensions that change something."""
    found = known.definition(dotted)
    if found is None:
        return None
    return desugar.with_effects(evaluation_order.ordered(found, known), known)


def _leaves_out(bound: arguments.Bound) -> bool:
    return any(isinstance(argument, arguments.LeftOut) for argument in bound.values())


def with_small(function: ir.Function, wrt: tuple[str, ...], known: Callees) -> ir.Function:
    """The function with the steps of active calls of small functions."""
    if function.is_derived:
        return function
    sites = _small_sites(function, known)
    active = known.facts(function).activity(wrt) if sites else None
    taking_part = {s: site for s, site in sites.items() if active and active.is_active(s)}
    if not taking_part:
        return function
    return with_small(_Inliner(function, taking_part).function, wrt, known)


def _small_sites(function: ir.Function, known: Callees) -> dict[ir.Statement, Site]:
    found: dict[ir.Statement, Site] = {}
    for statement, call in _calls(function.body):
        if isinstance(statement, ir.Do) or statement.is_tuple or known.rule(call.function):
            continue
        callee = known.function(call.function)
        bound = callee and arguments.bind(callee, call)
        if callee is None or not isinstance(bound, dict):
            continue
        are_plain = all(isinstance(a, ir.Atom) for a in bound.values())
        if are_plain and _is_small(callee, bound, known, (callee.dotted, function.dotted)):
            found[statement] = callee, bound, set()
    return found


def _is_small(
    callee: ir.Function, bound: arguments.Bound, known: Callees, around: tuple[str, ...]
) -> bool:
    """Tells whether a function is a few elementwise steps, of which it gives the last."""
    numbers = {name for name, argument in bound.items() if _is_fraction(argument)}
    return 0 < _n_steps(callee, numbers, known, around) <= MOST_STEPS


def _n_steps(
    callee: ir.Function, numbers: Iterable[str], known: Callees, around: tuple[str, ...]
) -> int:
    """How many steps a small function has, with those of the ones that it calls; 0 for others.

    `numbers` are parameters that are such.
    """
    *steps, last = callee.body
    if callee.findings or callee.copy_out or len(steps) > MOST_STEPS:
        return 0
    n_steps, made = 0, set(numbers)
    for step in steps:
        match step:
            case ir.Assign((target,), ir.Call(keywords=()) as call, is_tuple=False):
                inner = known.function(call.function) if known.rule(call.function) is None else None
                if inner is None:
                    n_inner = int(_is_elementwise(call, made, known))
                elif inner.dotted in around:
                    n_inner = 0
                else:
                    n_inner = _n_steps(inner, (), known, (*around, inner.dotted))
                if not n_inner:
                    return 0
                n_steps += n_inner
                made.add(target)
            case _:
                return 0
    match last:
        case ir.Return(ir.Name(given)) if given in made:
            return n_steps
    return 0


def _is_elementwise(call: ir.Call, made: set[str], known: Callees) -> bool:
    """Tells whether a call surely gives a new number or array, element by element.

    `made` are variables that hold such; other operands of `+` and `*` may be lists.
    """
    rule, record = known.rule(call.function), operations.of(call.function)
    if rule is None or rule.declarations:
        return False
    if record.result is not Result.FRESH or record.effect is not Effect.NONE:
        return False
    if record.shape not in (Shape.EACH, Shape.SCALAR, Shape.WHERE) and not rule.gives_new:
        return False
    if record.computes not in (Operation.ADD, Operation.MULTIPLY):
        return True
    return call.function.startswith("numpy.") or any(
        arg.id in made if isinstance(arg, ir.Name) else _is_fraction(arg) for arg in call.args
    )


def _is_fraction(argument: object) -> bool:
    return isinstance(argument, ir.Const) and isinstance(argument.value, float)


class _Changing:
    """Which parameters functions change as lists or dictionaries, and what they call."""

    def __init__(self, known: Callees) -> None:
        self.known = known
        self.found: dict[str, set[str]] = {}
        self.methods: dict[str, set[str]] = {}
        self.defined = cache(lambda dotted: _definition(dotted, known))

    def by_method(self, function: ir.Function) -> set[str]:
        """The parameters that a function changes by methods of lists and dictionaries."""
        return self.parameters(function) & self.methods.get(function.dotted, set())

    def parameters(self, function: ir.Function) -> set[str]:
        """The parameters that a function changes; a function that is being looked at has none."""
        if function.dotted not in self.found:
            self.found[function.dotted] = set()
            self.found[function.dotted] = self.changed(function)
        return self.found[function.dotted]

    def changed(self, function: ir.Function) -> set[str]:
        """The parameters that a function changes and does not bind again."""
        found: set[str] = set()
        lists = {
            target
            for s in ir.walk(function.body)
            if isinstance(s, ir.Assign)
            and isinstance(s.value, ir.Call)
            and containers.made_by(s.value.function) is Kind.LIST
            for target in s.targets
        }
        for statement in ir.walk(function.body):
            match statement:
                case ir.Store(base=base, index=None, value=ir.Name(id)) if id in lists:
                    found.add(base)
                case ir.Store(base=base, index=index) if index is not None:
                    found.add(base)
        methods = self.methods[function.dotted] = set[str]()
        for _, call in _calls(function.body):
            if operations.changes_container(call.function):
                found.update(ir.names(call.args[:1]))
                methods.update(ir.names(call.args[:1]))
            elif (inner := _definition(call.function, self.known)) is not None:
                bound = arguments.bind(inner, call)
                for name in () if isinstance(bound, str) else self.parameters(inner):
                    assert isinstance(bound, dict)
                    given = [*ir.names(arguments.atoms(bound[name]))]
                    found.update(given)
                    methods.update(given if name in self.by_method(inner) else ())
        return {p.name for p in function.parameters if p.name in found - _rebound(function)}

    def comes_to(self, function: ir.Function, others: set[str]) -> bool:
        """Tells whether a function calls one of some others, or what it calls does."""

        def called(caller: ir.Function | None) -> list[str]:
            return [] if caller is None else [call.function for _, call in _calls(caller.body)]

        reached = graphs.reached(called(function), lambda name: called(self.defined(name)))
        return any(each.dotted in others for each in map(self.defined, reached) if each is not None)


def _rebound(function: ir.Function) -> set[str]:
    """The variables that a function binds."""
    return {n for s in ir.walk(function.body) if not _is_change(s) for n in ir.writes(s)}


def _is_change(statement: ir.Statement) -> bool:
    """Tells whether a statement changes an object, and binds no name."""
    return isinstance(statement, ir.Store | ir.Do)


def _is_plain(callee: ir.Function, around: Collection[Span] | None = None) -> bool:
    """Tells whether a function may stand in another one.

    The trips of its loops are counted by their places, which must be those of one loop each; so
    they must be none of those `around`, in another file.
    """
    whiles = _whiles(callee.body)
    is_counted = around is None or any(
        (one.line, one.column) == (other.line, other.column) and one.path != other.path
        for one in whiles
        for other in around
    )
    if (callee.findings and not iteration.generates(callee)) or (whiles and is_counted):
        return False
    return not any(
        isinstance(s, ir.Insert) or (isinstance(s, ir.Assign | ir.Do) and _is_bound_once(s.value))
        for s in ir.walk(callee.body)
    )


def _is_bound_once(value: ir.Expression) -> bool:
    """Tells whether an expression binds variables, or captures them: in a loop, those of a pass."""
    if not isinstance(value, ir.Opaque):
        return False
    return bool(value.writes) or (value.function is not None and bool(value.function.captured))


def _whiles(block: ir.Block) -> set[Span]:
    """Where the loops are written whose trips are counted."""
    return {s.origin.written for s in ir.walk(block) if isinstance(s, ir.While)}


def fused(function: ir.Function, known: Callees) -> ir.Function:
    """The function with the generators that its loops run over, each around the loop's body.

    Where one cannot be, its loop runs over all that it gives at once, in the derivative: then
    neither may change anything.
    """
    return _fused(function, lambda dotted: _definition(dotted, known), known)


def _fused(function: ir.Function, definition: Definition, known: Callees) -> ir.Function:
    called = {call.function for _, call in _run_over(function.body)}
    if not any(iteration.generates(definition(name)) for name in called):
        return function
    while True:
        fusing = _Fusing(function, definition, known)
        if not fusing.is_changed:
            more = tuple(each for each in fusing.findings if each not in function.findings)
            return replace(function, findings=(*function.findings, *more)) if more else function
        function = fusing.function
    return function


def _run_over(block: ir.Block) -> Iterator[tuple[ir.For, ir.Call]]:
    """The loops of a block with the calls, right before them, that give what they run over."""
    for before, statement in pairwise((None, *block)):
        match before, statement:
            case (
                ir.Assign((Step() as step,), ir.Call() as call, is_tuple=False),
                ir.For(iterable=ir.Name(id)) as loop,
            ) if id == step:
                yield loop, call
        match statement:
            case (
                ir.Assign(value=ir.Opaque(unfolded=(steps, _)))
                | ir.Do(value=ir.Opaque(unfolded=(steps, _)))
            ):
                yield from _run_over(steps)
        for inner in () if statement is None else ir.blocks(statement):
            yield from _run_over(inner)


def with_values(function: ir.Function, wrt: tuple[str, ...], known: Callees) -> ir.Function:
    """The function with lists of what generators give that take part, and are run through at once.

    `list(windows(x))`, `sum(squares(x))`, `a, b = both(x)`.
    """
    calls = [
        (s, s.value.function)
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call)
    ]
    made = [s for s, called in calls if iteration.generates(known.function(called))]
    if not made:
        return function
    active = known.facts(function).activity(wrt)
    n_reads = Counter(name for s in ir.walk(function.body) for name in ir.reads(s))
    running: dict[str, Runs | None] = {
        name: operations.of(called).runs
        for statement, called in calls
        for name in ir.reads(statement)
        if isinstance(name, Step) and n_reads[name] == 1
    }

    def is_wanted(statement: ir.Assign) -> bool:
        runs = Runs.AT_ONCE if statement.is_tuple else running.get(statement.targets[0])
        if not active.is_active(statement) or runs not in (*AT_ONCE, Runs.ELEMENTS):
            return False
        assert isinstance(statement.value, ir.Call)
        callee = known.function(statement.value.function)
        return runs in AT_ONCE or (callee is not None and _surely_ends(callee))

    wanted = {*filter(is_wanted, made)}
    fresh, lists = ir.fresh(function), set[str]()

    def block(inner: ir.Block) -> ir.Block:
        found: list[ir.Statement] = []
        for statement in inner:
            again = ir.rebuilt(statement, block=block)
            if statement not in wanted:
                found.append(again)
                continue
            assert isinstance(again, ir.Assign)
            values, each, step = fresh.own("values"), fresh.own("each"), fresh.step()
            origin, role = again.origin, again.role
            lists.add(values)
            added = ir.appended(values, ir.Name(each), origin)
            found += (
                ir.Assign((values,), ir.Call("python.list"), origin, role),
                ir.Assign((step,), again.value, origin, role),
                ir.For(each, ir.Name(step), (added,), origin, role),
                replace(again, value=ir.Name(values)),
            )
        return tuple(found)

    if not wanted:
        return function
    function = _fused(replace(function, body=block(function.body)), known.function, known)
    return replace(function, body=_displayed(function.body, lists, ir.fresh(function)))


AT_ONCE = (Runs.AS_LIST, Runs.AT_ONCE)
"""How functions run through what they are given that come to its end."""


def _surely_ends(generator: ir.Function) -> bool:
    """Tells whether a generator gives so many values, and no more: `zip` need not ask for all."""
    if _whiles(generator.body):
        return False
    endless = {
        target
        for s in ir.walk(generator.body)
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call)
        if targets.is_of(s.value.function, "itertools") or s.value.function == "builtins.iter"
        for target in s.targets
    }
    loops = (s for s in ir.walk(generator.body) if isinstance(s, ir.For))
    return all(endless.isdisjoint(ir.names((loop.iterable,))) for loop in loops)


def _displayed(block: ir.Block, lists: Collection[str], fresh: Fresh) -> ir.Block:
    """A block with displays of the lists that are filled by the statements of one block alone."""
    begun: dict[str, int] = {}
    added: dict[str, list[ir.Store]] = {}
    n_added = Counter(s.base for s in ir.walk(block) if isinstance(s, ir.Store))
    for at, statement in enumerate(block):
        match statement:
            case ir.Assign((name,), ir.Call("python.list", ())) if name in lists:
                begun[name] = at
            case ir.Store(base=base) if base in begun:
                added.setdefault(base, []).append(statement)
    whole = {name for name, stores in added.items() if len(stores) == n_added[name]}
    steps: dict[str, list[ir.Atom]] = {name: [] for name in whole}
    made: list[ir.Statement] = []
    for at, statement in enumerate(block):
        match statement:
            case ir.Assign((name,)) if name in whole and at == begun[name]:
                pass
            case ir.Store(base=base, value=value, origin=origin, role=role) if base in whole:
                step = fresh.step()
                made.append(ir.Assign((step,), value, origin, role))
                steps[base].append(ir.Name(step))
                if statement is added[base][-1]:
                    display = ir.Call("python.list", tuple(steps[base]))
                    made.append(ir.Assign((base,), display, origin, role))
            case ir.Assign(targets, ir.Name(id), origin, role, is_tuple=True) if (
                id in whole and len(targets) == len(steps[id])
            ):
                pairs = zip(targets, steps[id], strict=True)
                made += (ir.Assign((name,), part, origin, role) for name, part in pairs)
            case _:
                made.append(ir.rebuilt(statement, block=lambda b: _displayed(b, lists, fresh)))
    return tuple(made)


class _Fusing:
    def __init__(self, function: ir.Function, definition: Definition, known: Callees) -> None:
        self.definition, self.changing = definition, _Changing(known)
        self.fresh, self.n_numbers = ir.fresh(function), ir.last_number(function)
        self.carried = liveness.carried(function)
        self.dotted, self.whiles = function.dotted, _whiles(function.body)
        self.runs = dict(_run_over(function.body))
        self.n_reads = Counter(
            name for s in ir.with_unfolded(function.body) for name in ir.reads(s)
        )
        self.aliases = dict(function.aliases)
        self.is_long = sum(1 for _ in ir.walk(function.body)) > MOST_STATEMENTS
        self.is_changed, self.findings = False, list[Diagnostic]()
        body = self.block(function.body)
        aliases = tuple(sorted(self.aliases.items()))
        self.function = replace(function, body=body, aliases=aliases)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            call = self.runs.get(statement) if isinstance(statement, ir.For) else None
            if isinstance(statement, ir.For) and call is not None:
                assert isinstance(statement.iterable, ir.Name)
                is_alone = self.n_reads[statement.iterable.id] == 1
                callee = self.definition(call.function) if is_alone else None
                if iteration.generates(callee):
                    if written_out := self.around(call, callee, statement):
                        made[-1:] = written_out
                        continue
                    if not self.is_changed and _has_effects((*callee.body, *statement.body)):
                        finding = language.UnsupportedStatement(language.CHANGING)
                        self.findings.append(Diagnostic(finding, call.span or statement.origin))
            made.append(self.inside(statement))
        return tuple(made)

    def inside(self, statement: ir.Statement) -> ir.Statement:
        match statement:
            case (
                ir.Assign(value=ir.Opaque(unfolded=(steps, result)) as kept)
                | ir.Do(value=ir.Opaque(unfolded=(steps, result)) as kept)
            ):
                inner = self.block(steps)
                if inner == steps:
                    return statement
                return replace(statement, value=replace(kept, unfolded=(inner, result)))
        return ir.rebuilt(statement, block=self.block)

    def around(self, call: ir.Call, callee: ir.Function, loop: ir.For) -> list[ir.Statement]:
        """The statements of a generator around the body of a loop; none where that cannot be."""
        bound = arguments.bind(callee, call)
        n_values = sum(1 for s in ir.walk(callee.body) if iteration.gives(s))
        is_plain = not self.is_changed and _is_plain(callee, self.whiles)
        if self.is_long or not is_plain or isinstance(bound, str) or _leaves_out(bound):
            return []
        if n_values > 1 and not unrolling.may_repeat(loop.body):
            return []
        if n_values * sum(1 for _ in ir.walk(loop.body)) > MOST_STATEMENTS:
            return []
        if self.changing.comes_to(callee, {callee.dotted, self.dotted}):
            return []
        self.is_changed = True
        self.aliases = {**dict(callee.aliases), **self.aliases}
        bound_again = {name for s in ir.walk(loop.body) for name in ir.writes(s)}
        substitution = _Substitution(callee, self.fresh, loop.origin)
        found = [*substitution.given(bound, bound_again=bound_again)]
        return [*found, *self.with_passes(substitution.block(callee.body[:-1]), loop)]

    def with_passes(self, block: ir.Block, loop: ir.For) -> ir.Block:
        """The statements of a generator, with a pass of a loop for each value that it gives."""
        found: list[ir.Statement] = []
        for statement in block:
            if iteration.gives(statement):
                assert isinstance(statement, ir.Do)
                assert isinstance(statement.value, ir.Call)
                target, body = unrolling.passed(loop, self.fresh, self.n_numbers, self.carried)
                value, origin, role = statement.value.args[0], loop.origin, loop.role
                match found[-1] if found else None, body:
                    case (
                        ir.Assign(targets=(Step() as given,), value=ir.Call("python.tuple", parts)),
                        (ir.Assign(names, ir.Name(id), is_tuple=True), *rest),
                    ) if ir.Name(given) == value and id == target and len(names) == len(parts):
                        found.pop()
                        pairs = zip(names, parts, strict=True)
                        found += (ir.Assign((n,), part, origin, role) for n, part in pairs)
                        found += rest
                    case _, (ir.Store(value=ir.Name(id)) as added,) if (
                        id == target and isinstance(target, Own) and ir.resizes(added)
                    ):
                        found.append(replace(added, value=value))
                    case _:
                        found += (ir.Assign((target,), value, origin, role), *body)
            else:
                found.append(ir.rebuilt(statement, block=lambda b: self.with_passes(b, loop)))
        return tuple(found)


def _has_effects(block: ir.Block) -> bool:
    """Tells whether a block may change objects, or do something outside."""
    return any(_is_change(s) and not iteration.gives(s) for s in ir.walk(block))


class _Inliner:
    """Writes calls out. What the function binds again is no name for what a callee was given."""

    def __init__(
        self,
        function: ir.Function,
        sites: dict[ir.Statement, Site],
        bound_again: Collection[str] | None = None,
    ) -> None:
        self.sites, self.bound_again = sites, bound_again
        self.fresh = ir.fresh(function)
        self.aliases = dict(function.aliases)
        for callee, *_ in sites.values():
            self.aliases = {**dict(callee.aliases), **self.aliases}
        body = self.block(function.body)
        aliases = tuple(sorted(self.aliases.items()))
        self.function = replace(function, body=body, aliases=aliases)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            if statement in self.sites and isinstance(statement, ir.Assign | ir.Do):
                made += self.inlined(statement, *self.sites[statement])
            else:
                made.append(ir.rebuilt(statement, block=self.block))
        return tuple(made)

    def inlined(
        self, call: ir.Assign | ir.Do, callee: ir.Function, bound: arguments.Bound, own: set[str]
    ) -> Iterator[ir.Statement]:
        """The statements of a function at the place of a call."""
        is_small = not own and self.bound_again is None
        substitution = _Substitution(callee, self.fresh, call.origin)
        yield from substitution.given(bound, own, self.bound_again or (), is_small=is_small)
        *body, last = callee.body
        assert isinstance(last, ir.Return)
        made = substitution.block(tuple(body))
        if is_small and isinstance(call, ir.Assign) and _makes(body[-1], last):
            assert isinstance(made[-1], ir.Assign)
            yield from made[:-1]
            yield replace(made[-1], targets=call.targets)
            return
        yield from made
        if isinstance(call, ir.Assign):
            given = substitution.atom(last.value)
            if given != ir.Name(call.targets[0]) or call.is_tuple:
                yield replace(call, value=given)


def _makes(step: ir.Statement, last: ir.Return) -> bool:
    """Tells whether a function gives what its last step makes."""
    return isinstance(step, ir.Assign) and last.value == ir.Name(step.targets[0])


class _Substitution:
    """What the variables of an inlined function are called in its caller: by each call anew."""

    def __init__(self, callee: ir.Function, fresh: Fresh, origin: Span) -> None:
        self.callee = callee
        self.origin = origin
        self.first, self.made = fresh.last, fresh
        fresh.last += ir.last_number(callee)
        self.atoms: dict[str, ir.Atom] = {}
        self.bound = {
            name
            for s in ir.walk(callee.body)
            if not _is_change(s) or (isinstance(s, ir.Store) and s.index is None)
            for name in ir.writes(s)
        }
        self.quoted = {
            name
            for s in ir.walk(callee.body)
            if isinstance(s, ir.Assign | ir.Do) and isinstance(s.value, ir.Opaque)
            for name in s.value.reads
        }
        self.changed = {s.base for s in ir.walk(callee.body) if isinstance(s, ir.Store)}

    def given(
        self,
        bound: arguments.Bound,
        own: Collection[str] = (),
        bound_again: Collection[str] = (),
        *,
        is_small: bool = False,
    ) -> Iterator[ir.Assign]:
        """What sets the parameters that are not simply what the call gives to them.

        Those of `own` are; what the caller has `bound_again` is none, as it may be another by then.
        """
        for parameter in self.callee.parameters:
            argument = bound[parameter.name]
            assert not isinstance(argument, arguments.LeftOut)
            value = argument.display if isinstance(argument, arguments.Made) else argument
            is_other = isinstance(value, ir.Name) and value.id in bound_again
            may_be = not is_other and self.may_be(parameter.name, value, is_small=is_small)
            if parameter.name in own or may_be:
                assert not isinstance(value, ir.Call)
                self.atoms[parameter.name] = value
            else:
                yield ir.Assign((self.name(parameter.name),), value, self.origin)

    def may_be(self, parameter: str, value: ir.Expression, *, is_small: bool) -> bool:
        """Tells whether a parameter may simply be what the call gives to it.

        In a small function it needs no name.
        """
        if parameter in self.bound:
            return False
        if isinstance(value, ir.Name):
            return is_small or not isinstance(value.id, Step)
        is_kept = parameter in self.quoted or parameter in self.changed
        return isinstance(value, ir.Const | ir.Global) and not is_kept

    def name(self, name: str) -> str:
        """What a variable of the function is called."""
        if name not in self.atoms:
            self.atoms[name] = ir.Name(self.fresh(name))
        made = self.atoms[name]
        assert isinstance(made, ir.Name)
        return made.id

    def fresh(self, name: str) -> str:
        """A name for a variable of the function that no other has."""
        if isinstance(name, Numbered):
            return moved(name, self.first)
        return self.made.own(self.callee.name if name == RETURNED else readable(name))

    def atom(self, atom: ir.Atom) -> ir.Atom:
        """What an atom of the function is."""
        if isinstance(atom, ir.Name):
            self.name(atom.id) if atom.id not in self.atoms else None
            return self.atoms[atom.id]
        return atom

    def block(self, block: ir.Block) -> ir.Block:
        """The statements of a block, with these names."""
        return tuple(map(self.statement, block))

    def statement(self, statement: ir.Statement) -> ir.Statement:
        """A statement with these names."""
        made = ir.rebuilt(statement, self.atom, self.name, self.block)
        made = replace(made, origin=_inside(self.origin, made.origin))
        match made:
            case ir.Assign(value=ir.Opaque() as value) | ir.Do(value=ir.Opaque() as value):
                return replace(made, value=self.opaque(value))
        return made

    def opaque(self, value: ir.Opaque) -> ir.Opaque:
        """What was kept as it was written; its tree has these names already."""
        calls = tuple((called, tuple(map(self.name, names))) for called, names in value.calls)
        unfolded = value.unfolded
        if unfolded is not None:
            steps, result = unfolded
            unfolded = self.block(steps), ir.Name(self.name(result.id))
        return replace(value, calls=calls, unfolded=unfolded)


def _inside(call: Span, callees: Span) -> Span:
    """Where a statement of a callee is, that is written out in place of a call."""
    inner = callees if call.inlined is None else _inside(call.inlined, callees)
    return replace(call, inlined=inner)
