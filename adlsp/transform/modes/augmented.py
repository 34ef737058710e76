"""The callees of a derivative: each becomes a forward and a backward function.

These are the augmented primal and the adjoint, as Enzyme says. The forward function returns the
value and what the backward function will read. A pair belongs to a function and to the parameters
that are active in the call, and to those that share memory with what functions change elsewhere;
recursion follows from naming it.
"""

from __future__ import annotations

from collections.abc import Iterator

from adlsp.transform import arguments, ir
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair to be generated: `name` for `name_forward` and `name_backward`.

    It is specialized to its activity, by `active` parameters.

    `held` are the parameters that get what functions change elsewhere.
    """

    name: str
    function: ir.Function
    active: tuple[str, ...]
    held: tuple[str, ...] = ()


class Pairs:
    """The pairs that a derivative needs so far, in order of first use.

    `meet_complex`: a function of the derivative meets complex numbers: so may gradients be.
    """

    def __init__(self) -> None:
        self.meet_complex = False
        self._pairs: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Pair] = {}

    def request(
        self, function: ir.Function, active: tuple[str, ...], held: tuple[str, ...]
    ) -> Pair:
        """The pair for a function, its active parameters, and those that others change."""
        key = function.dotted, active, held
        if key not in self._pairs:
            taken = {pair.name for pair in self._pairs.values()}
            name, number = function.name, 1
            while name in taken:
                number += 1
                name = f"{function.name}_{number}"
            self._pairs[key] = Pair(name, arguments.plain(function), active, held)
        return self._pairs[key]

    def of(self, called: targets.Pair) -> Pair:
        """The pair of which a call names a function."""
        return next(pair for pair in self._pairs.values() if pair.name == called.of)

    def function(self, called: str) -> ir.Function | None:
        """The function for which a call names that of a pair; None for other calls."""
        return self.of(called).function if isinstance(called, targets.Pair) else None

    def __iter__(self) -> Iterator[Pair]:
        return iter(tuple(self._pairs.values()))
