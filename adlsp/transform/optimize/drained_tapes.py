"""A backward loop that empties a list runs through that: nobody has to count its passes.

    trips = 0
    while x < 10000:                        while x < 10000:
        x_saved.append(x)                       x_saved.append(x)
        x = x * rate                            x = x * rate
        trips += 1

    for _ in range(trips):                  for x in reversed(x_saved):
        x = x_saved.pop()

Where what is taken has no name of its own, it runs until the list is empty, `while saved:`. That is
so of a loop that is in no other one, where each pass appends once and takes once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.ir.variables import Step, Trips


def drained(block: ir.Block) -> ir.Block:
    """A body of both sweeps, in which such loops count no passes."""
    n_uses = Counter(n for s in ir.walk(block) for n in {*ir.reads(s), *ir.writes(s)})
    for statement in block:
        if isinstance(statement, ir.While):
            filled = {name for s in statement.body if (name := appended(s)) and n_uses[name] == 3}
            counted = {name for s in statement.body for name in ir.writes(s) if _counts(name)}
            for trips in counted:
                block = _without(block, trips, filled)
    return block


def _counts(name: str) -> bool:
    return isinstance(name, Trips)


def appended(statement: ir.Statement) -> str | None:
    """The list that a statement appends to."""
    match statement:
        case ir.Do(value=ir.Call("python.append", (ir.Name(name), _))):
            return name
    return None


def _popped(statement: ir.Statement) -> str | None:
    """The list that a statement takes from."""
    match statement:
        case ir.Assign(value=ir.Call("python.pop", (ir.Name(name),))):
            return name
    return None


def _without(block: ir.Block, trips: str, filled: set[str]) -> ir.Block:
    """A body without a count, if what it counts is a list that is filled once in each pass."""
    steps = [s for s in block if isinstance(s, ir.Assign) and _range_of(s) == trips]
    loops = [
        s
        for s in block
        if isinstance(s, ir.For) and steps and s.iterable == ir.Name(steps[0].targets[0])
    ]
    n_reads = sum(trips in ir.reads(s) for s in ir.walk(block) if not isinstance(s, ir.Store))
    if len(steps) != 1 or len(loops) != 1 or n_reads != 1:
        return block
    (loop,) = loops
    emptied = _popped(loop.body[0]) if loop.body else None
    if emptied not in filled:
        return block
    assert emptied is not None
    (step,), (taken, *rest) = steps, loop.body
    through = replace(step, value=ir.Call("builtins.reversed", (ir.Name(emptied),)))
    made: dict[ir.Statement, ir.Block]
    match taken:
        case ir.Assign((target,), is_tuple=False) if rest and not isinstance(target, Step):
            each = replace(loop, target=target, body=tuple(rest))
            made = {step: (through,), loop: (each,)}
        case _:
            until = ir.While((), ir.Name(emptied), loop.body, loop.origin, loop.role)
            made = {step: (), loop: (until,)}
    return _uncounted(tuple(each for s in block for each in made.get(s, (s,))), trips)


def _range_of(statement: ir.Assign) -> str | None:
    match statement.value:
        case ir.Call("builtins.range", (ir.Name(name),)):
            return name
    return None


def _uncounted(block: ir.Block, trips: str) -> ir.Block:
    """A block without the statements that count."""
    return tuple(
        ir.rewritten(s, block=lambda inner: _uncounted(inner, trips))
        for s in block
        if ir.writes(s) != (trips,)
    )
