"""Known functions of which a derivative reads nothing: they are no parameters of it.

This is dead-argument elimination. A derivative calls the forward and backward functions of what a
function has captured, or of what it is given. It reads the variable only where it calls that
function for its value.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import effects
from adlsp.transform.ir.targets import Captured

Unread = dict[str, set[str]]
"""By the name of each function for calls, its parameters that nothing reads."""

Given = dict[str, tuple[str, ...]]
"""By the name of each function for calls, all its parameters."""


def drop_unused(functions: tuple[ir.Function, ...]) -> tuple[ir.Function, ...]:
    """The functions of a derivative without these dead parameters, and what is given to them."""
    unread = {f.known_as: {p.name for p in f.parameters if p.is_function} for f in functions}
    if not any(unread.values()):
        return functions
    given = {f.known_as: tuple(p.name for p in f.parameters) for f in functions}
    before = None
    while unread != before:  # at the end the bodies are those for what is unread
        before = unread
        bodies = {
            f.known_as: _without_definitions(_giving(f.body, unread, given)) for f in functions
        }
        unread = {name: names - _reads(bodies[name]) for name, names in unread.items()}
    return tuple(
        replace(
            f,
            parameters=tuple(p for p in f.parameters if p.name not in unread[f.known_as]),
            body=bodies[f.known_as],
        )
        for f in functions
    )


def drop_held(functions: tuple[ir.Function, ...]) -> tuple[ir.Function, ...]:
    """The functions of a derivative without what is read for calls of the user's own functions.

    They are called as they are, and hold what they have captured.
    """
    bodies = [_as_called(f.body) for f in functions]
    return tuple(
        f if body == f.body else replace(f, body=_without_definitions(body))
        for f, body in zip(functions, bodies, strict=True)
    )


def _as_called(block: ir.Block) -> ir.Block:
    """A block whose calls give nothing to what their functions have captured."""
    return tuple(_plain(ir.rewritten(statement, block=_as_called)) for statement in block)


def _plain(statement: ir.Statement) -> ir.Statement:
    match statement:
        case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
            given = tuple(pair for pair in call.keywords if not isinstance(pair[0], Captured))
            if len(given) < len(call.keywords):
                return replace(statement, value=replace(call, keywords=given))
    return statement


def _reads(block: ir.Block) -> set[str]:
    return {name for statement in ir.walk(block) for name in ir.reads(statement)}


def _giving(block: ir.Block, unread: Unread, given: Given) -> ir.Block:
    """A block whose calls give nothing to parameters that nothing reads."""
    made = (ir.rewritten(each, block=lambda inner: _giving(inner, unread, given)) for each in block)
    return tuple(_calling(statement, unread, given) for statement in made)


def _calling(statement: ir.Statement, unread: Unread, given: Given) -> ir.Statement:
    match statement:
        case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
            left = unread.get(call.function)
            if not left:
                return statement
            named = zip(given[call.function], call.args, strict=False)
            args = tuple(atom for name, atom in named if name not in left)
            kept = tuple((key, atom) for key, atom in call.keywords if key not in left)
            return replace(statement, value=replace(call, args=args, keywords=kept))
    return statement


def _without_definitions(block: ir.Block) -> ir.Block:
    """A block without the functions that are made in it and that nothing reads."""
    while True:
        read = _reads(block)
        made = _needed(block, read)
        if made == block:
            return block
        block = made


def _needed(block: ir.Block, read: set[str]) -> ir.Block:
    kept = []
    for statement in block:
        match statement:
            case ir.Do(value=ir.Opaque(is_definition=True, writes=names)) if read.isdisjoint(names):
                continue
            case ir.Assign(targets=names, value=value) if read.isdisjoint(
                names
            ) and effects.is_pure(value):
                continue
        inner = ir.blocks(statement)
        is_same = all(_needed(each, read) == each for each in inner)
        kept.append(
            statement
            if is_same
            else ir.rewritten(statement, block=lambda each: _needed(each, read))
        )
    return tuple(kept)
