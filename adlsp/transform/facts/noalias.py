"""Which parameters must not share memory, as one of them is read after another was written into.

C would call them `restrict`, LLVM `noalias`. Whether they do is known only when the function is
called: `f(x, x)`. What a derivative would then compute is another thing, as it works on a copy of
what is written into.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adlsp.transform import arguments, ir
from adlsp.transform.facts import aliases, callees, operations
from adlsp.transform.ir import targets
from adlsp.transform.ops.spec import Kind

NUMBERS = {"int", "float", "bool", "str", "complex"}


def disjoint(function: ir.Function, known: callees.Callees) -> dict[str, tuple[str, ...]]:
    """For each parameter that is written into, those with which it must share no memory.

    A pair of which both are written into is named once, with the first.
    """
    changes = [
        (statement, name)
        for statement in ir.walk(function.body)
        for name in (*aliases.changed(statement, known), *_given_back(statement, known))
    ]
    if not changes:
        return {}
    facts, live = known.facts(function).aliases(), known.facts(function).live.after
    found: dict[str, set[str]] = {}
    for statement, name in changes:
        read = {p for other in live[statement] for p in facts.parameters(statement, other)}
        for parameter in facts.parameters(statement, name):
            found.setdefault(parameter, set()).update(read - {parameter})
    for statement in dict.fromkeys(statement for statement, _ in changes):
        for name, others in beside(statement, known):
            read = {p for other in others for p in facts.parameters(statement, other)}
            for parameter in facts.parameters(statement, name):
                found.setdefault(parameter, set()).update(read - {parameter})
    order = [p.name for p in function.parameters]
    for first in order:
        for second in order[: order.index(first)]:
            if second in found and second in found.get(first, ()):
                found[first].discard(second)
                found[second].add(first)
    plain = set(_numbers(function))
    return {
        name: tuple(other for other in order if other in others - plain)
        for name, others in found.items()
    }


def joined(
    one: Mapping[str, tuple[str, ...]], other: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """What either of two answers says."""
    names = dict.fromkeys((*one, *other))
    return {n: tuple(dict.fromkeys((*one.get(n, ()), *other.get(n, ())))) for n in names}


def beside(
    statement: ir.Statement, known: callees.Callees
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The variables that the callee of a statement writes into, and those that it reads then."""
    call = statement.value if isinstance(statement, ir.Assign | ir.Do) else None
    if not isinstance(call, ir.Call) or known.rule(call.function) is not None:
        return
    callee = known.function(call.function)
    bound = "" if callee is None else arguments.bind(callee, call)
    if callee is None or isinstance(bound, str):
        return
    given = {name: tuple(ir.names(arguments.atoms(each))) for name, each in bound.items()}
    for parameter, others in known.disjoint(callee).items():
        read = tuple(name for other in others for name in given.get(other, ()))
        yield from ((name, read) for name in given.get(parameter, ()))


def outside(function: ir.Function, known: callees.Callees) -> tuple[ir.Global, ...]:
    """The variables of modules that hold objects, or functions that keep some, of which is read.

    Arguments that are written into must not share memory with these.
    """
    kept = (call for _, _, call in known.calls_within(function) if known.keeps(call))
    atoms = (atom for call in kept for atom in call.atoms)
    return tuple(dict.fromkeys(atom for atom in atoms if isinstance(atom, ir.Global)))


def _given_back(statement: ir.Statement, known: callees.Callees) -> Iterator[str]:
    """The variables that a call changes in what the caller has, though here it changes copies."""
    match statement:
        case ir.Assign(value=ir.Call(function=called) as call):
            of = called.of if isinstance(called, targets.Pair) else called
            function = known.function(of) if isinstance(of, targets.CopyOut) else None
            if function is None:
                return
            assert isinstance(of, targets.CopyOut)
            bound = arguments.bind(function, call)
            if not isinstance(bound, str):
                for parameter in of.changed:
                    yield from ir.names(arguments.atoms(bound[parameter]))


def _numbers(function: ir.Function) -> Iterator[str]:
    """The parameters that are no arrays: those that are annotated so, and the ends of ranges."""
    yield from (p.name for p in function.parameters if p.annotation in NUMBERS)
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call(called, args)) if operations.gives(called, Kind.RANGE):
                yield from ir.names(args)
