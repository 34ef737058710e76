"""Gives a value its last name at once: `t = e; y_bar = t` becomes `y_bar = e`.

Coalescing is the mirror image of copy propagation (`copy_propagation.py`): there a second name is
read through, here the first one is left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.ir.variables import Step


def coalesce(block: ir.Block) -> ir.Block:
    """A block in which no step is made only to be given another name."""
    uses = Counter(name for s in ir.walk(block) for name in ir.reads(s))
    return _block(block, uses)


def _block(block: ir.Block, uses: Counter[str]) -> ir.Block:
    made: list[ir.Statement | None] = []
    defined: dict[str, int] = {}
    for statement in block:
        statement = ir.rewritten(statement, block=lambda inner: _block(inner, uses))
        match statement:
            case ir.Assign(targets=(target,), value=ir.Name(step), is_tuple=False) if (
                step in defined and uses[step] == 1
            ):
                place = defined.pop(step)
                if _is_free(target, made[place + 1 :]):
                    definition = made[place]
                    assert isinstance(definition, ir.Assign)
                    targets = tuple(target if t == step else t for t in definition.targets)
                    made[place] = replace(definition, targets=targets)
                    continue
            case ir.Assign(targets=targets):
                for name in targets:
                    if isinstance(name, Step) and targets.count(name) == 1:
                        defined[name] = len(made)
        made.append(statement)
    return tuple(s for s in made if s is not None)


def _is_free(name: str, between: list[ir.Statement | None]) -> bool:
    """Tells whether no statement uses or binds a name."""
    return not any(
        name in ir.reads(inner) or name in ir.writes(inner)
        for statement in between
        if statement is not None
        for inner in ir.walk((statement,))
    )
