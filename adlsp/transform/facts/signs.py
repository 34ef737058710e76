"""What a few steps tell of the sign of a value: that it is never negative, or above 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.frozen import dataclass
from adlsp.transform.ops.spec import Operation

DEEPEST = 8
"""How many calls a value is followed through."""

LEAST = 1e-30
"""Above 0 in single precision, too, and so is its root."""

PASSING = (Operation.SUM, Operation.MEAN)
"""What is 0, and never negative, if all that it is computed of is."""

Step = tuple[ir.Statement, ir.Call]
"""A call, and the statement in which it stands."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs of values, as they are computed.

    `made` tells which call gives a value, where that is one, `is_real` that a value is no complex
    number, and `number` which it is, if it is always the same.
    """

    made: Callable[[ir.Statement, ir.Atom], Step | None]
    is_real: Callable[[ir.Statement, ir.Atom], bool] = lambda _, __: True
    number: Callable[[ir.Statement, ir.Atom], object] = lambda _, atom: getattr(atom, "value", None)

    def may_be_zero(self, statement: ir.Statement, atom: ir.Atom, depth: int = DEEPEST) -> bool:
        """Tells whether a value is never negative, and may be 0."""
        made = self.made(statement, atom)
        if made is None or not depth:
            return False
        inside, call = made
        record, args = operations.of(call.function), call.args

        def inner(atom: ir.Atom) -> bool:
            return self.may_be_zero(inside, atom, depth - 1)

        if record.is_size:
            return all(self.is_real(inside, a) for a in args[:1])
        match record.computes, args:
            case Operation.POWER, (base, ir.Const(int(exponent))):
                is_even = exponent > 0 and exponent % 2 == 0
                return is_even and self.is_real(inside, base)
            case Operation.POWER, (base, ir.Const(exponent)):
                return is_positive(exponent) and inner(base)
            case Operation.MULTIPLY, (one, other):
                is_square = one == other and isinstance(one, ir.Name)
                return (is_square and self.is_real(inside, one)) or any(
                    inner(a) and is_positive(self.number(inside, b))
                    for a, b in ((one, other), (other, one))
                )
            case Operation.DIVIDE, (one, divisor):
                return is_positive(self.number(inside, divisor)) and inner(one)
            case Operation.ADD, (one, other):
                return inner(one) and inner(other)
            case computes, (one, *_) if computes in PASSING:
                return inner(one)
        if record.bounds_below is not None:
            bounds = args[:2] if record.bounds_below == 0 else args[1:2]
            return not {ir.Const(0), ir.Const(0.0)}.isdisjoint(bounds)
        return _is_root(call) and inner(args[0])

    def is_positive(self, statement: ir.Statement, atom: ir.Atom, depth: int = DEEPEST) -> bool:
        """Tells whether a value is above 0, as a sum with a positive number is, or its root."""
        number = self.number(statement, atom)
        if is_positive(number):
            return number >= LEAST
        made = self.made(statement, atom)
        if made is None or not depth:
            return False
        inside, call = made

        def inner(atom: ir.Atom) -> bool:
            return self.is_positive(inside, atom, depth - 1)

        pairs = (call.args, call.args[::-1])
        match operations.of(call.function).computes:
            case Operation.ADD:
                return any(inner(a) and (self.may_be_zero(inside, b) or inner(b)) for a, b in pairs)
            case Operation.MULTIPLY:  # by what does not make it too small to be told from 0
                numbers = ((self.number(inside, a), b) for a, b in pairs)
                return any(is_positive(n) and n >= 1 and inner(b) for n, b in numbers)
        return _is_root(call) and inner(call.args[0])


def _is_root(call: ir.Call) -> bool:
    """Tells whether a call is a root, which is defined where nothing is negative."""
    record = operations.of(call.function)
    return bool(record.infinite_at_zero and record.singular == 0 and record.is_tame)


def is_positive(number: object) -> TypeGuard[int | float]:
    """Tells whether a constant is a real number above 0."""
    return isinstance(number, int | float) and number > 0
