"""Replaces second names of one value: `t_bar = y_bar` and the like.

Only steps and their adjoints are replaced, and only while neither name is bound again or stored into.
"""

from __future__ import annotations

from adlsp.transform import ir


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
    return ir.is_step(name.removeprefix("%bar:").removeprefix("%dot:"))


def _changed(statement: ir.Statement) -> set[str]:
    """The variables that a statement binds or stores into, nested blocks included."""
    return {name for s in ir.walk((statement,)) for name in ir.writes(s)}


def _forget(known: dict[str, ir.Atom], name: str) -> None:
    known.pop(name, None)
    for target in [t for t, value in known.items() if value == ir.Name(name)]:
        del known[target]


def _replaced(statement: ir.Statement, known: dict[str, ir.Atom]) -> ir.Statement:
    def atom(value: ir.Atom) -> ir.Atom:
        return known.get(value.id, value) if isinstance(value, ir.Name) else value

    match statement:
        case ir.If(test, body, orelse, origin, role):
            return ir.If(
                atom(test), _block(body, dict(known)), _block(orelse, dict(known)), origin, role
            )
        case ir.For(target, iterable, body, origin, role):
            return ir.For(target, atom(iterable), _block(body, dict(known)), origin, role)
        case ir.While(header, test, body, origin, role):
            return ir.While(
                _block(header, dict(known)), test, _block(body, dict(known)), origin, role
            )
        case ir.Assign(targets, value, origin, role, is_tuple):
            return ir.Assign(targets, _expression(value, known), origin, role, is_tuple)
        case ir.Do(value, origin, role):
            value = _expression(value, known)
            assert isinstance(value, ir.Call | ir.Opaque)
            return ir.Do(value, origin, role)
        case ir.Store(base, index, value, operation, origin, role):
            return ir.Store(
                base, None if index is None else atom(index), atom(value), operation, origin, role
            )
        case ir.Return(value, origin, role):
            return ir.Return(atom(value), origin, role)
    return statement


def _expression(value: ir.Expression, known: dict[str, ir.Atom]) -> ir.Expression:
    match value:
        case ir.Name(id):
            return known.get(id, value)
        case ir.Call(function, args, keywords, span):
            return ir.Call(
                function,
                tuple(known.get(a.id, a) if isinstance(a, ir.Name) else a for a in args),
                tuple(
                    (k, known.get(a.id, a) if isinstance(a, ir.Name) else a) for k, a in keywords
                ),
                span,
            )
    return value
