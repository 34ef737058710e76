# ruff: noqa: ARG001
"""The words in which rules are declared, for built-in rules and, as `adlsp.rules`, for users' own.

A rule is a small function that is read, not run: its body is the code that will appear in the
derivative. So these decorators do nothing when the module of a rule is imported; `reader.py` finds
them in the text.

    @elementwise("numpy.tanh")              the body gives the partial for each argument
    def tanh(x, *, out):
        return 1 - out * out

    @linear("numpy.flip", of="m")           how the result's gradient goes back to `m`
    def flip(m, axis=None, *, out_bar):
        return np.flip(out_bar, axis)

    @multilinear("numpy.outer", of="a b")   the same, for each factor
    @forward("mine.f")                      the terms of the result's tangent, one per argument
    @reverse("mine.f")                      the gradients of the arguments
    @composite("mine.g", of="x")            the steps that a call of the function stands for
    constant("numpy.argmax")                has no derivative

A rule sees the arguments of the call by their own names. By keyword it gets only what it declares:
`out` (the result), `out_bar` (the gradient arriving), and in a forward rule `x_dot` (the tangent of
`x`). A keyword-only parameter with a default is an argument of the call that is passed by keyword.
What `of` does not name is not differentiated. `when` states, for people, where the rule holds.
A parameter annotated `Literal[…]` says which values the rule supports; a further rule for the same
function, below it, is for the calls that it does not support.
An `out_bar: Unsummed` may have more elements than the result: the rule then sums over what
broadcasting repeated of the result later on.
Of an argument `a: Shaped` only shape and dtype count, so that inputs of interest may stand there,
and of `a: Tested` only whether elements are zero. So they may for `p: Implied`, which is a function
of the other arguments: the rule reads its value, and counts what comes by way of it where it tells
of these. What `n: Counted` says, how often or where, is an integer, or several in a tuple or list:
such may stand there also where they were read from an object of interest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Unsummed = Any
"""Annotates an `out_bar` that need not be summed to the shape of the result."""

Shaped = Any
"""Annotates an argument of which only shape and dtype count."""

Tested = Any
"""Annotates an argument of which only the truth counts, element by element."""

Implied = Any
"""Annotates an argument that is a function of the others, of which the rule takes account."""

Counted = Any
"""Annotates an argument that says how often or where: an integer, or several."""

Body = TypeVar("Body", bound=Callable[..., object])

Function = str | Callable[..., Any]
"""What a rule is for: a function, or its dotted name as text, as built-in rules write it."""


def elementwise(*functions: Function, of: str = "", when: str = "") -> Callable[[Body], Body]:
    """Declares the partials of functions that act on each element by itself.

    They are the diagonal of the Jacobian. The body returns one partial for each positional
    parameter, or for those that `of` names. Forward and reverse derivatives and broadcasting follow
    from them, so a partial must not care about shapes.
    """
    return _unchanged


def linear(*functions: Function, of: str, when: str = "") -> Callable[[Body], Body]:
    """Declares how the gradient goes back through functions that are linear in the arguments `of`.

    That is the transpose of the linear map. The functions are linear in all of these together, as
    `numpy.where(condition, x, y)` is in `x` and `y`. The forward derivative is the same call on the
    tangents, with zero for what has none.
    """
    return _unchanged


def multilinear(*functions: Function, of: str, when: str = "") -> Callable[[Body], Body]:
    """Declares how the gradient goes back through functions that are linear in each argument `of`.

    The forward derivative is a sum of calls, each with the tangent of one argument in its place.
    """
    return _unchanged


def forward(*functions: Function, of: str = "", when: str = "") -> Callable[[Body], Body]:
    """Declares the forward derivative: one term for each argument `of`, to be added.

    It is the pushforward (Jacobian-vector product). Each term uses the tangent of its own argument
    only. Without `of`, the arguments are those whose tangents the function declares, in order.
    """
    return _unchanged


def reverse(*functions: Function, of: str = "", when: str = "") -> Callable[[Body], Body]:
    """Declares the gradients of the arguments `of`.

    They are the pullback (vector-Jacobian product). Without `of`, they are those of the forward
    rule for the same functions, and where there is none all positional parameters.
    """
    return _unchanged


def composite(*functions: Function, of: str = "", when: str = "") -> Callable[[Body], Body]:
    """Declares what a call of functions stands for, where it is differentiated.

    The body returns the same value as the function, by steps that have rules. They take the place
    of the call, and both derivatives follow from them.
    """
    return _unchanged


def constant(*functions: Function) -> None:
    """Declares functions whose result does not depend smoothly on their arguments."""


def _unchanged(body: Body) -> Body:
    return body
