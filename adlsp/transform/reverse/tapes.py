"""The adjoint of a list that saves values: what was appended gets back what was popped.

It is the adjoint of a stack: a push becomes a pop, and a pop a push. The list of the forward sweep
has a list of adjoints, filled where the values are popped and emptied where they were appended; it
costs what the first one costs.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.ir import Role
from adlsp.transform.modes.builder import RUNTIME, bar
from adlsp.transform.reverse.accumulate import Accumulator, Contribution


def append(writer: Accumulator, statement: ir.Do) -> None:
    """`tape.append(value)`."""
    tape, value = _call(statement.value).args
    assert isinstance(tape, ir.Name)
    if tape.id not in writer.present:
        return
    popped = writer.call("python.pop", statement.origin, ir.Name(bar(tape.id)))
    name = writer.varied(statement, value)
    if name is not None:
        writer.add(statement, [Contribution(name, popped, is_array=False)])


def pop(writer: Accumulator, statement: ir.Assign) -> None:
    """`value = tape.pop()`."""
    (tape,) = _call(statement.value).args
    (target,) = statement.targets
    name = writer.varied(statement, tape)
    if name is None:
        writer.present -= {target}
        return
    if name not in writer.present:
        empty = ir.Call("python.list")
        writer.out.append(ir.Assign((bar(name),), empty, statement.origin, Role.INIT))
        writer.present |= {name}
    value_bar: ir.Atom = ir.Name(bar(target))
    if target not in writer.present:
        like = writer.after(statement, target)
        value_bar = writer.call(f"{RUNTIME}.zeros", statement.origin, like)
    writer.present -= {target}
    call = ir.Call("python.append", (ir.Name(bar(name)), value_bar))
    writer.out.append(ir.Do(call, statement.origin, Role.ADJOINT))


def _call(value: ir.Expression) -> ir.Call:
    assert isinstance(value, ir.Call)
    return value
