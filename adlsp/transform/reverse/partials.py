"""The adjoint of an argument of an elementwise function: what arrived, times the partial.

Both arguments of a quotient share one: with `a_bar = out_bar / b`, that of `b` is `-(a_bar * out)`.
A sign waits until what broadcasting has repeated is summed: `-np.sum(out_bar)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from adlsp.transform import ir
from adlsp.transform.modes.builder import MINUS_ONE, ONE, Builder
from adlsp.transform.source import Span
from adlsp.transform.values.lattice import Array, Number, Value

MUL, NEG, QUOTIENT = "operator.mul", "operator.neg", "operator.truediv"

ONES = ONE, ir.Const(1.0)
MINUS_ONES = MINUS_ONE, ir.Const(-1.0)


class Partials:
    """Multiplies the partials of a rule, which it has written from step `first` on, in order."""

    def __init__(
        self, writer: Builder, first: int, partials: Sequence[ir.Atom], origin: Span
    ) -> None:
        self.writer, self.partials, self.origin = writer, partials, origin
        self.numerator = _numerator(writer.out[first:], partials)
        self.quotient: ir.Atom | None = None

    def times(
        self, position: int, out_bar: ir.Atom, *, is_left: bool = False
    ) -> tuple[ir.Atom, bool]:
        """What an argument is given, not summed yet, and whether it is to be negated then.

        `is_left`: the partial is the left one of the factors.
        """
        partial = self.partials[position]
        if position == 1 and self.quotient is not None and self.numerator is not None:
            return self.writer.call(MUL, self.origin, self.quotient, self.numerator), True
        if partial in ONES or partial in MINUS_ONES:
            return out_bar, partial in MINUS_ONES
        factors = (partial, out_bar) if is_left else (out_bar, partial)
        if position == 0 and self.numerator is not None:
            step = self.writer.fresh.step("t_bar")
            product = ir.Call(MUL, factors)
            self.writer.functions[step] = MUL
            self.writer.out.append(ir.Assign((step,), product, self.origin, ir.Role.ADJOINT))
            self.quotient = ir.Name(step)
            return self.quotient, False
        return self.writer.call(MUL, self.origin, *factors), False

    def summed(
        self, given: tuple[ir.Atom, bool], like: Value, reduce: Callable[[ir.Atom], ir.Atom]
    ) -> ir.Atom:
        """What `times` has given an argument, reduced to its shape, with its sign.

        Lists have no sign: where it is not known what the argument is, that comes first.
        """
        value, is_negated = given
        is_last = isinstance(like, Array | Number)
        if is_negated and not is_last:
            value = self.writer.call(NEG, self.origin, value)
        value = reduce(value)
        return self.writer.call(NEG, self.origin, value) if is_negated and is_last else value


def _numerator(steps: Iterable[ir.Statement], partials: Sequence[ir.Atom]) -> ir.Atom | None:
    """What a quotient gives, `out`, of which the partials are `1 / b` and `-out / b`."""
    made = {
        step.targets[0]: step.value
        for step in steps
        if isinstance(step, ir.Assign) and isinstance(step.value, ir.Call)
    }
    match [made.get(atom.id) if isinstance(atom, ir.Name) else None for atom in partials]:
        case [
            ir.Call(function, (one, divisor)),
            ir.Call(other, (ir.Name(negated), same)),
        ] if function == other == QUOTIENT and one in ONES and divisor == same:
            match made.get(negated):
                case ir.Call("operator.neg", (numerator,)):
                    return numerator
    return None
