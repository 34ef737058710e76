"""Replaces second names of one value: `t_bar = y_bar` and the like.

This is copy propagation, for names that we made. Only steps and their adjoints are replaced, and
only while neither name is bound again or stored into.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.ir.variables import Step, primal


def propagate(block: ir.Block) -> ir.Block:
    """A block in which copies of our own making are read through."""
    return _block(block, {})


def _block(block: ir.Block, known: dict[str, ir.Atom]) -> ir.Block:
    made: list[ir.Statement] = []
    for statement in block:
        inner = _changed(statement)
        if ir.blocks(statement):
            for name in inner:
                _forget(known, name)
        replaced = _replaced(statement, known)
        made.append(replaced)
        for name in inner:
            _forget(known, name)
        match replaced:
            case ir.Assign(targets=(target,), value=ir.Name() | ir.Const() as value) if (
                _is_second_name(target) and not replaced.is_tuple and value != ir.Name(target)
            ):
                known[target] = value
    return tuple(made)


def _is_second_name(name: str) -> bool:
    """Tells whether nobody wants to read a name: a step, or the adjoint of one."""
    return isinstance(primal(name), Step)


def _changed(statement: ir.Statement) -> set[str]:
    """The variables that a statement binds or stores into, nested blocks included."""
    if not ir.blocks(statement):
        return {*ir.writes(statement)}
    return {name for s in ir.walk((statement,)) for name in ir.writes(s)}


def _forget(known: dict[str, ir.Atom], name: str) -> None:
    known.pop(name, None)
    for target in [t for t, v in known.items() if isinstance(v, ir.Name) and v.id == name]:
        del known[target]


def _replaced(statement: ir.Statement, known: dict[str, ir.Atom]) -> ir.Statement:
    def atom(value: ir.Atom) -> ir.Atom:
        return known.get(value.id, value) if isinstance(value, ir.Name) else value

    def block(inner: ir.Block) -> ir.Block:
        return _block(inner, dict(known))

    if isinstance(statement, ir.While):
        return ir.rebuilt(statement, block=block)
    return ir.rebuilt(statement, atom, block=block)
