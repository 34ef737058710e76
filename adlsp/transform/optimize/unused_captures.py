"""Captured functions of which a derivative reads nothing: they are no parameters of it.

This is dead-argument elimination. A derivative calls the forward and backward functions of what a
function has captured. It reads the captured variable only where it calls that function for its
value.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir

Unread = dict[str, set[str]]
"""By the name of each function for calls, its parameters that nothing reads."""


def drop_unused(functions: tuple[ir.Function, ...]) -> tuple[ir.Function, ...]:
    """The functions of a derivative without these dead parameters, and what is given to them."""
    unread = {f.known_as: {p.name for p in f.parameters if p.is_function} for f in functions}
    if not any(unread.values()):
        return functions
    before = None
    while unread != before:  # at the end the bodies are those for what is unread
        before = unread
        bodies = {f.known_as: _without_definitions(_giving(f.body, unread)) for f in functions}
        unread = {name: names - _reads(bodies[name]) for name, names in unread.items()}
    return tuple(
        replace(
            f,
            parameters=tuple(p for p in f.parameters if p.name not in unread[f.known_as]),
            body=bodies[f.known_as],
        )
        for f in functions
    )


def _reads(block: ir.Block) -> set[str]:
    return {name for statement in ir.walk(block) for name in ir.reads(statement)}


def _giving(block: ir.Block, unread: Unread) -> ir.Block:
    """A block whose calls give nothing to parameters that nothing reads."""
    made = (ir.rebuilt(each, block=lambda inner: _giving(inner, unread)) for each in block)
    return tuple(_calling(statement, unread) for statement in made)


def _calling(statement: ir.Statement, unread: Unread) -> ir.Statement:
    match statement:
        case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
            left = unread.get(call.function, set[str]())
            kept = tuple((key, atom) for key, atom in call.keywords if key not in left)
            return replace(statement, value=replace(call, keywords=kept))
    return statement


def _without_definitions(block: ir.Block) -> ir.Block:
    """A block without the functions that are defined in it and that nothing reads."""
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
            case ir.Do(value=ir.Opaque(is_definition=True, writes=writes)) if read.isdisjoint(
                writes
            ):
                continue
        inner = ir.blocks(statement)
        is_same = all(_needed(each, read) == each for each in inner)
        kept.append(
            statement if is_same else ir.rebuilt(statement, block=lambda each: _needed(each, read))
        )
    return tuple(kept)
