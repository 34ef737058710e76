"""The functions whose tangents are needed: each gives its value and its tangent at once."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from adlsp.transform import arguments, ir
from adlsp.transform.forward.tangents import Tangents
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.targets import Side


class Callees:
    """The functions whose tangents are needed, with the parameters that have one."""

    def __init__(self) -> None:
        self.names: dict[tuple[str, tuple[str, ...]], targets.Pair] = {}
        self.pending: list[tuple[ir.Function, tuple[str, ...], targets.Pair]] = []

    def request(self, function: ir.Function, active: tuple[str, ...]) -> targets.Pair:
        """The name of the function for a callee's value and tangent."""
        key = function.dotted, active
        if key not in self.names:
            numbered = (targets.Pair(function.name, Side.JVP, number) for number in count(1))
            name = next(name for name in numbered if name not in self.names.values())
            self.names[key] = name
            self.pending.append((arguments.plain(function), active, name))
        return self.names[key]


def callee(
    writer: Tangents, statement: ir.Statement, value: ir.Expression | None
) -> ir.Function | None:
    """The user's function that a call with varied arguments goes to, if its tangent is needed."""
    program = writer.facts.program
    if not isinstance(value, ir.Call) or program.rule(value.function) is not None:
        return None
    if not (isinstance(value.function, targets.Derived) or writer.is_useful(statement)):
        return None
    if not any(writer.is_active(statement, atom) for atom in value.atoms):
        return None
    return program.function(value.function)


def call(
    writer: Tangents,
    statement: ir.Assign,
    called: ir.Function,
    callees: Callees,
    targets: tuple[str, str],
) -> None:
    """Writes the call of a user's function: its value and its tangent at once."""
    value, origin = statement.value, statement.origin
    assert isinstance(value, ir.Call)
    bound = arguments.bind(called, value)
    assert isinstance(bound, dict)
    active = tuple(
        p.name
        for p in called.parameters
        if any(writer.is_active(statement, atom) for atom in arguments.atoms(bound[p.name]))
    )
    dots = tuple(_dots(writer, statement, bound[p]) for p in active)
    primal = arguments.direct(called, value, bound, lambda made: writer.hold(made, origin))
    both = ir.Call(callees.request(called, active), dots + primal.args, primal.keywords)
    writer.out.append(ir.Assign(targets, both, origin, Role.TANGENT, is_tuple=True))


def _dots(
    writer: Tangents, statement: ir.Assign, argument: ir.Atom | arguments.Made | arguments.LeftOut
) -> ir.Atom:
    """The tangent of an argument; that of packed ones is packed as they are."""
    assert not isinstance(argument, arguments.LeftOut)
    if not isinstance(argument, arguments.Made):
        return writer.dot(statement, argument)
    packed = tuple(writer.dot(statement, atom) for atom in argument.atoms)
    return writer.hold(replace(argument, atoms=packed).display, statement.origin)
