"""Calls that change an array without a word, such as `rng.shuffle(order)`, change a copy of it.

What the backward sweep reads is then there as it was in each pass: `t = order.copy()`,
`rng.shuffle(t)`, `order = t`. It is done where nobody else has the array under another name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.analyses import aliases, effects, liveness
from adlsp.transform.normal import handback
from adlsp.transform.program import Program
from adlsp.transform.reverse.steps import RUNTIME

IN_PLACE = {
    f"ndarray.{name}" for name in ("fill", "partition", "put", "resize", "reverse", "sort")
} | ir.CHANGING
"""What changes its first argument, and makes it neither longer nor shorter."""


def apart(function: ir.Function, known: Program) -> ir.Function:
    """The function in which such calls change copies."""
    changes = {
        statement: names
        for statement in ir.walk(function.body)
        if (names := [n for n in _changed(statement, known) if not n.startswith("%")])
    }
    if not changes:
        return function
    shared = aliases.aliases(function, known, are_numbers=False)
    live = liveness.live_after(function)
    number = ir.last_step(function)

    def block(inner: ir.Block) -> ir.Block:
        nonlocal number
        made: list[ir.Statement] = []
        for statement in inner:
            copies: dict[str, str] = {}
            for name in changes.get(statement, ()):
                if live[statement].isdisjoint(shared.shared(statement, name)):
                    number += 1
                    copies[name] = ir.step(number)
            made += _on_copies(statement, copies)
            if not copies:
                made.append(ir.rebuilt(statement, block=block))
        return tuple(made)

    return replace(function, body=block(function.body))


def _on_copies(statement: ir.Statement, copies: dict[str, str]) -> Iterator[ir.Statement]:
    """A call on copies of some variables, which are theirs from then on."""

    def atom(given: ir.Atom) -> ir.Atom:
        return ir.Name(copies.get(given.id, given.id)) if isinstance(given, ir.Name) else given

    origin = statement.origin
    for name, copy in copies.items():
        yield ir.Assign((copy,), ir.Call(f"{RUNTIME}.copy", (ir.Name(name),)), origin)
    if copies:
        yield ir.rebuilt(statement, atom)
    for name, copy in copies.items():
        yield ir.Assign((name,), ir.Name(copy), origin)


def _changed(statement: ir.Statement, known: Program) -> Iterator[str]:
    """The variables whose arrays a call changes."""
    match statement:
        case ir.Do(value=ir.Call("ndarray.shuffle", args)):
            yield from ir.names(args[1:])
        case ir.Do(value=ir.Call(function=called, args=args)) if called in IN_PLACE:
            yield from ir.names(args[:1])
        case ir.Do(value=ir.Call() as call) if not handback.is_handback(call.function):
            if known.rule(call.function) is None:
                yield from ir.names(known.changed(call))
            yield from ir.names(effects.written(call))
        case ir.Assign(value=ir.Call() as call):
            yield from ir.names(effects.written(call))
