"""Gives a value its last name at once: `t = e; y_bar = t` becomes `y_bar = e`.

Coalescing is the mirror image of copy propagation (`copy_propagation.py`): there a second name is
read through, here the first one is left out. A sum begins with what it is begun by: of one
statement's gradients, `x_bar = t_bar; x_bar = x_bar + u` becomes `x_bar = t_bar + u`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.ir.variables import Step
from adlsp.transform.optimize import copy_elision

SUMS = "operator.add", "operator.sub"


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
            case ir.Assign((target,), ir.Call(function, (ir.Name(same), other)) as call) if (
                target == same != getattr(other, "id", "") and function in SUMS
            ):
                begun = _begun(statement, target, made)
                if begun is not None:
                    place, first = begun
                    made[place] = None
                    statement = replace(statement, value=replace(call, args=(first, other)))
            case ir.Assign(targets=targets):
                for name in targets:
                    if isinstance(name, Step) and targets.count(name) == 1:
                        defined[name] = len(made)
        made.append(statement)
    return tuple(s for s in made if s is not None)


def _begun(
    statement: ir.Assign, name: str, made: list[ir.Statement | None]
) -> tuple[int, ir.Name] | None:
    """Where a gradient was begun with another one, and that, if it is still the same.

    A copy was made for what changes it in place: the sum is new, if nothing was changed before.
    """

    def between(place: int) -> ir.Block:
        return tuple(s for s in made[place + 1 :] if s is not None)

    for place in reversed(range(len(made))):
        earlier = made[place]
        match earlier:
            case ir.Assign((target,), ir.Name() as other, is_tuple=False) if target == name:
                is_begun = earlier.origin == statement.origin
            case ir.Assign((target,), ir.Call(function, (ir.Name() as other,), ())) if (
                target == name and function in copy_elision.COPIES
            ):
                is_begun = not any(copy_elision.changed(between(place)))
            case None:
                continue
            case _:
                if not _is_free(name, [earlier]):
                    return None
                continue
        roles = {earlier.role, statement.role}
        is_kept = not any(other.id in ir.all_writes(s) for s in between(place))
        is_begun &= roles == {ir.Role.ADJOINT} and other.id != name and is_kept
        return (place, other) if is_begun else None
    return None


def _is_free(name: str, between: list[ir.Statement | None]) -> bool:
    """Tells whether no statement uses or binds a name."""
    return not any(
        name in ir.reads(inner) or name in ir.writes(inner)
        for statement in between
        if statement is not None
        for inner in ir.walk((statement,))
    )
