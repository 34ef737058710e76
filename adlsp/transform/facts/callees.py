"""What the analyses of memory ask of a program: what its calls share and change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from adlsp.transform import ir

if TYPE_CHECKING:
    from adlsp.transform.facts.facts import Facts


class Callees(Protocol):
    """What is known of the functions that are called."""

    def facts(self, function: ir.Function) -> Facts:
        """What is known of a function: each fact is worked out once."""

    def sharing(
        self, call: ir.Call, *, scalar_elements: bool = True, are_held: bool = False
    ) -> tuple[tuple[ir.Atom, ...], ...] | None:
        """For each part of a call's result the arguments that it may share memory with.

        None for calls of which nothing is known. `scalar_elements`: an element that the function
        gives back is taken for a number. `are_held`: a list or dictionary that it is given holds
        what it puts there.
        """

    def changed(self, call: ir.Call, *, scalar_elements: bool = True) -> tuple[ir.Atom, ...]:
        """The arguments whose memory a call of a user's function writes into.

        `scalar_elements`: what is taken there for a number is one.
        """

    def stored(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments into whose elements a call of a user's function stores."""
