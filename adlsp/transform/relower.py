"""A derivative as a primal: the functions of a first derivative, ready to be differentiated again.

The generated code is lowered again, without its text. Nothing new is needed for a second order but
names: our variables become variables of a program like any other (`%u:3:x_bar` is called `x_bar`),
all statements become primal, and the functions can be looked up as `targets.Derived`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, count

from adlsp.transform import ir
from adlsp.transform.emit import names
from adlsp.transform.facts import graphs, operations
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.variables import DOTS, SEED, Fresh, Generated, Own, Step
from adlsp.transform.program import Program

INNER = {SEED: "inner_bar", DOTS: "inner_dots"}
"""What the seed and the tangents of the first derivative are called in the second.

In the third, those of the second are called `inner_bar_2` and `inner_dots_2`, and so on.
"""


def relower(functions: tuple[ir.Function, ...], known: Program) -> ir.Function:
    """Enters the functions of a derivative in the program; gives the first, its root."""
    own = _named_apart(functions, known)
    settled = [_settled(function, own) for function in functions]
    for function in settled:
        known.enter(function)
    return settled[0]


def within(
    functions: tuple[ir.Function, ...], called: targets.Derivative, known: Program
) -> ir.Function:
    """Enters the functions of a derivative that others call; gives the first, which they call."""
    own = _named_apart(functions, known)
    first, *others = (_settled(function, own, is_called=True) for function in functions)
    root = replace(first, called=called)
    for function in (root, *others):
        known.enter(function)
    return root


def _named_apart(functions: tuple[ir.Function, ...], known: Program) -> dict[str, str]:
    """What the callees of pairs are called: several derivatives in a program have their own."""
    own: dict[str, str] = {}
    for function in functions:
        if isinstance(function.called, targets.Pair) and function.called.of not in own:
            sides = [targets.Pair("", side) for side in targets.Side]
            own[function.called.of] = next(
                name
                for name in _numbered(function.called.of)
                if name not in own.values()
                and not any(known.has(targets.Derived(pair.of_another(name))) for pair in sides)
            )
    return own


def _numbered(name: str) -> Iterator[str]:
    return chain((name,), (f"{name}_{number}" for number in count(2)))


def also_called(functions: tuple[ir.Function, ...], known: Program) -> tuple[ir.Function, ...]:
    """The functions of an earlier derivative that some functions still call as they are."""

    def called(function: ir.Function) -> Iterator[ir.Function]:
        for statement in ir.walk(function.body):
            match statement:
                case ir.Assign(value=ir.Call(function=name)) | ir.Do(value=ir.Call(function=name)):
                    callee = None
                    if isinstance(name, targets.OF_DERIVATIVES):
                        callee = known.function(name)
                    if callee is not None:
                        yield callee

    return tuple(graphs.reached(functions, called)[len(functions) :])


def _settled(
    function: ir.Function, own: Mapping[str, str], *, is_called: bool = False
) -> ir.Function:
    """A function of a derivative as a primal; `own` says what callees of pairs are called here.

    If it `is_called` by the user's text, the seed and the tangents keep their names.
    """
    readable = names.assign(function, frozenset(), frozenset(), {})
    taken = {readable[p.name] for p in function.parameters if p.name not in INNER}
    for name, meant in INNER.items():
        readable[name] = next(each for each in _numbered(meant) if each not in taken)
    kept = _read_late(function.body)
    given: dict[str, str] = {
        name: Own(number, readable[name])
        for number, name in enumerate(readable)
        if isinstance(name, Generated) and (not isinstance(name, Step) or name in kept)
    }
    for name in (SEED, DOTS) if is_called else ():
        if any(p.name == name for p in function.parameters):
            given[name] = next(each for each in _numbered(name.name) if each not in readable)

    def atom(value: ir.Atom) -> ir.Atom:
        return ir.Name(given.get(value.id, value.id)) if isinstance(value, ir.Name) else value

    def block(body: ir.Block) -> ir.Block:
        made = (
            unfolded(ir.rebuilt(statement, atom, lambda name: given.get(name, name), block))
            for statement in body
            if not ir.is_split(statement)
        )
        return tuple(replace(_renamed(s, own), role=Role.PRIMAL) for s in made)

    def unfolded(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign(value=ir.Opaque(unfolded=(steps, result)) as kept):
                again = block(steps), ir.Name(given.get(result.id, result.id))
                return replace(statement, value=replace(kept, unfolded=again))
        return statement

    parameters = tuple(replace(p, name=given.get(p.name, p.name)) for p in function.parameters)
    called, named = function.called, function.name
    if isinstance(called, targets.Pair):
        called = called.of_another(own.get(called.of, called.of))
        named = called.name
    return replace(
        function,
        name=named,
        parameters=parameters,
        body=_steady(block(function.body), ir.fresh(function)),
        called=targets.Derived(called if isinstance(called, targets.Pair) else named),
    )


def _read_late(block: ir.Block) -> set[str]:
    """The elements that are read out of an array before a store into it, and used behind that.

    A step may be computed again where it is used, as the user's are; these are variables.
    """
    late: set[str] = set()
    parts: dict[str, list[str]] = {}
    passed: set[str] = set()
    for statement in block:
        for inner in ir.walk((statement,)):
            late.update(passed.intersection(ir.reads(inner)))
            if isinstance(inner, ir.Store):
                passed.update(parts.pop(inner.base, ()))
        for inside in ir.blocks(statement):
            late |= _read_late(inside)
        match statement:
            case ir.Assign((Step() as step,), ir.Call("operator.getitem", (ir.Name(base), _))):
                parts.setdefault(base, []).append(step)
    return late


def _steady(block: ir.Block, fresh: Fresh) -> ir.Block:
    """A block in which what a loop runs over has a name that the loop does not bind.

    Lowering has seen to that for the primal, but what is a second name there is read through since.
    A store binds nothing: the loop goes on over the array that it changes.
    """
    made: list[ir.Statement] = []
    for statement in block:
        statement = ir.rebuilt(statement, block=lambda inner: _steady(inner, fresh))
        if isinstance(statement, ir.For):
            inside = (s for s in ir.walk(statement.body) if not isinstance(s, ir.Store))
            bound = {name for s in inside for name in ir.writes(s)}
            made = _named(made, set(ir.reads(statement)), bound, fresh)
        made.append(statement)
    return tuple(made)


def _named(
    before: list[ir.Statement], wanted: set[str], bound: set[str], fresh: Fresh
) -> list[ir.Statement]:
    """Statements of which those that combine what is run over do so under names of their own."""
    made: list[ir.Statement] = []
    for statement in reversed(before):
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call(function=function, args=args)) if (
                operations.combines(function) and target in wanted
            ):
                wanted |= set(ir.names(args))
                held = {a: ir.Name(fresh.step()) for a in args if _is_among(a, bound)}
                made.append(ir.rebuilt(statement, lambda a, held=held: held.get(a, a)))  # type: ignore[misc]
                made += [ir.Assign((n.id,), a, statement.origin) for a, n in held.items()]
            case _:
                made.append(statement)
    return made[::-1]


def _is_among(atom: ir.Atom, names: set[str]) -> bool:
    return isinstance(atom, ir.Name) and atom.id in names


def _renamed(statement: ir.Statement, own: Mapping[str, str]) -> ir.Statement:
    """A call of a pair becomes a call of a derived function."""
    match statement:
        case ir.Assign(value=ir.Call(function=targets.Pair() as pair) as call):
            pair = pair.of_another(own.get(pair.of, pair.of))
            return replace(statement, value=replace(call, function=targets.Derived(pair)))
    return statement
