"""Calls of functions that are written out where they are called: inlining.

`inlined`: `push(xs, v)`, which appends to a list that the caller has made, becomes what `push`
does: then `xs` changes where it is made, and is neither copied nor given back. It is done for
functions that do not call themselves.

`with_small`: so does an active call of a function of a few elementwise steps, `sigmoid(x)`: nobody
would write two functions for its derivative. What a derivative has of it is bounded by what a call
of two functions would be, and so are lengths of derivatives linear in those of their primals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache

from adlsp.transform import arguments, ir
from adlsp.transform.canonical import desugar
from adlsp.transform.facts import containers, graphs, operations
from adlsp.transform.facts.callees import Callees
from adlsp.transform.ir.variables import RETURNED, Fresh, Numbered, Step, moved, readable
from adlsp.transform.ops.spec import Effect, Kind, Operation, Result, Shape
from adlsp.transform.source import Span
from adlsp.transform.values import places
from adlsp.transform.values.inference import Typed

MOST_STEPS = 8
"""How many steps a function may have that is small."""

MOST_STATEMENTS = 1000
"""How many statements a function may have before no more calls in it are written out."""

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
    return None if found is None else desugar.with_effects(found, known)


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
    if callee.findings or (whiles and is_counted):
        return False
    return not any(
        isinstance(s, ir.Insert)
        or (isinstance(s, ir.Assign | ir.Do) and isinstance(s.value, ir.Opaque) and s.value.writes)
        for s in ir.walk(callee.body)
    )


def _whiles(block: ir.Block) -> set[Span]:
    """Where the loops are written whose trips are counted."""
    return {s.origin.written for s in ir.walk(block) if isinstance(s, ir.While)}


class _Inliner:
    def __init__(self, function: ir.Function, sites: dict[ir.Statement, Site]) -> None:
        self.sites = sites
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
        is_small = not own
        substitution = _Substitution(callee, self.fresh, call.origin)
        for parameter in callee.parameters:
            argument = bound[parameter.name]
            assert not isinstance(argument, arguments.LeftOut)
            value = argument.display if isinstance(argument, arguments.Made) else argument
            if parameter.name in own or substitution.may_be(
                parameter.name, value, is_small=is_small
            ):
                assert not isinstance(value, ir.Call)
                substitution.atoms[parameter.name] = value
            else:
                target = substitution.name(parameter.name)
                yield ir.Assign((target,), value, call.origin)
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
