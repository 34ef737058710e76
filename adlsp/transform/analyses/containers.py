"""Lists and dictionaries that a function makes itself, and the stores that set their cells.

`s[i] = v` puts another object into such a container. It writes into none that was there, nor into
what other containers hold; the adjoint of the new object comes from the cell, and that of the old
one has the shape of the old one.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.analyses.versions import Version, Versions, versions

KINDS = {
    "builtins.dict": "dict",
    "builtins.list": "list",
    "builtins.sorted": "list",
    "python.concat": "list",
    "python.dict": "dict",
    "python.list": "list",
    "python.repeat": "list",
}
"""What makes containers that can be stored into."""


OWN = (*ir.RESIZING, *ir.SETTING)
"""The operations of stores that only containers have."""


def settled(function: ir.Function) -> ir.Function:
    """The function with stores that tell of it where they set cells of its own containers.

    `s[i] += v` becomes `s[i] = s[i] + v`.
    """
    walked = list(ir.walk(function.body))
    is_stored = any(isinstance(s, ir.Store) and s.index is not None for s in walked)
    if not is_stored or not any(map(_makes_container, walked)):
        return function
    numbered = versions(function)
    number = ir.last_step(function)

    def block(statements: ir.Block) -> ir.Block:
        nonlocal number
        made: list[ir.Statement] = []
        for statement in statements:
            kind = ""
            if isinstance(statement, ir.Store) and statement.operation not in OWN:
                kind = kind_of(numbered.reads.get((statement, statement.base)), numbered)
            if not kind or not isinstance(statement, ir.Store) or statement.index is None:
                made.append(ir.rebuilt(statement, block=block))
            elif not statement.operation:
                operation = "enter" if kind == "dict" else "set"
                made.append(replace(statement, operation=operation))
            else:
                old, new = ir.Name(ir.step(number + 1)), ir.Name(ir.step(number + 2))
                number += 2
                origin, base = statement.origin, ir.Name(statement.base)
                read = ir.Call("operator.getitem", (base, statement.index))
                changed = ir.Call(f"operator.{statement.operation}", (old, statement.value))
                made.append(ir.Assign((old.id,), read, origin))
                made.append(ir.Assign((new.id,), changed, origin))
                made.append(replace(statement, operation="change", value=new))
        return tuple(made)

    return replace(function, body=block(function.body))


def _makes_container(statement: ir.Statement) -> bool:
    match statement:
        case ir.Assign(value=ir.Call(function=function)):
            return function in KINDS
        case ir.Assign(value=ir.Opaque(unfolded=steps)):
            return steps is not None
    return False


def kind_of(version: Version | None, numbered: Versions) -> str:
    """What a value surely is, a "list" or a "dict", if the function makes it; else ""."""
    found: set[str] = set()
    seen: set[int] = set()
    pending = [version]
    while pending:
        one = pending.pop()
        if one is None:
            return ""
        if one.number in seen:
            continue
        seen.add(one.number)
        match one.statement:
            case _ if one.kind in ("store", "head", "exit", "join"):
                pending += one.priors
            case ir.Assign(value=ir.Call(function=made), is_tuple=False) if one.kind == "assign":
                found.add(KINDS.get(made, ""))
            case ir.Assign(value=ir.Opaque(unfolded=(steps, name)), is_tuple=False):
                found.add(_filled(steps, name))
            case ir.Assign(value=ir.Name(id), is_tuple=False) as assign:
                pending.append(numbered.reads.get((assign, id)))
            case _:
                found.add("")
    return found.pop() if len(found) == 1 else ""


def _filled(steps: ir.Block, name: ir.Name) -> str:
    """What the steps of a comprehension make; "" where they choose one of several values."""
    bound = [s for s in ir.walk(steps) if isinstance(s, ir.Assign) and name.id in s.targets]
    match bound:
        case [ir.Assign(value=ir.Call(function=made))]:
            return KINDS.get(made, "")
    return ""
