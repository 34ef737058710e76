"""What users see as `adlsp`: the functions that make derivatives, and the marks in functions.

Derivatives are real Python functions in real files, whose path follows from their text; the editor
and the debugger know them by the same path.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from adlsp.library import derivatives, primal
from adlsp.library.asked import Asked, Wrt, parameters
from adlsp.library.differentiated import (
    Differentiated,
    derivative_of,
    differentiate,
    signature_of,
    subject_of,
)
from adlsp.library.tracebacks import HIDDEN
from adlsp.transform.artifact import Derivative, Kind

Value = Any
"""Whatever a function takes or gives."""


def grad(f: Callable[..., Any], wrt: Wrt = 0, *, outputs: Sequence[str] = ()) -> Value:
    """Makes the gradient function of `f`.

    Called as `f` is; gives the gradient with respect to `wrt` (an index or a name), in the shape of
    that argument; for a tuple or list of them, a tuple of gradients. The output of `f` must be a
    scalar, unless `out_bar=` (in the shape of the output) is passed. `outputs` names arrays that
    `f` changes in place: their values after the call are the outputs.

    Raises DifferentiationError if `f` cannot be differentiated, ValueError or TypeError if `wrt` or
    `outputs` name no parameter of it.
    """
    with HIDDEN:
        return differentiate(f, wrt, "grad", outputs)


def value_and_grad(f: Callable[..., Any], wrt: Wrt = 0, *, outputs: Sequence[str] = ()) -> Value:
    """Makes a function that gives the value of `f` and its gradient; see `grad`."""
    with HIDDEN:
        return differentiate(f, wrt, "value_and_grad", outputs)


def vjp(f: Callable[..., Any], wrt: Wrt = 0, *, outputs: Sequence[str] = ()) -> Value:
    """Makes the vector-Jacobian product of `f`, called with `out_bar=` in the output's shape.

    Where `f` has a parameter `out_bar` itself, the seed is called `out_bar_2`.
    """
    with HIDDEN:
        return differentiate(f, wrt, "vjp", outputs)


def jvp(f: Callable[..., Any], wrt: Wrt = 0, *, outputs: Sequence[str] = ()) -> Value:
    """Makes the Jacobian-vector product of `f`: the tangent of its output.

    Called with `dots=`, a tuple with one tangent for each entry of `wrt`, each in the shape of its
    argument; gives the tangent in the shape of the output. Where `f` has a parameter `dots` itself,
    they are called `dots_2`.
    """
    with HIDDEN:
        return differentiate(f, wrt, "jvp", outputs)


def hvp(f: Callable[..., Any], wrt: Wrt = 0) -> Value:
    """Makes the Hessian-vector product of a scalar `f`: the tangent of its gradient.

    Called with `dots=` as `jvp` is; gives the product in the shape of the gradient.
    """
    with HIDDEN:
        subject = subject_of(f)
        names, is_tuple = parameters(subject, wrt)
        inner = f._asked if isinstance(f, Differentiated) else None
        gradient = Asked(names, is_tuple, "grad", (), inner)
        return derivative_of(subject, Asked(names, is_tuple, "jvp", (), gradient))


def jacobian(f: Callable[..., Any], wrt: Wrt = 0) -> Value:
    """Makes a function for the Jacobian of `f`, one row for each element of the output.

    Its shape is that of the output followed by that of the argument; for a tuple or list in `wrt`,
    a tuple of Jacobians.
    """
    from adlsp.library import matrices

    with HIDDEN:
        return matrices.Jacobian(f, vjp(f, wrt))


def hessian(f: Callable[..., Any], wrt: int | str = 0) -> Value:
    """Makes a function for the Hessian of a scalar `f` with respect to one argument.

    Its shape is that of the argument, twice.
    """
    if isinstance(wrt, tuple | list):
        raise TypeError("a Hessian is with respect to one parameter: `wrt` is no tuple or list")
    with HIDDEN:
        return jacobian(grad(f, wrt), wrt)


def derive(
    f: Callable[..., Any],
    wrt: Wrt = 0,
    mode: str = "reverse",
    order: int = 1,
    *,
    example: Sequence[Any] | None = None,
) -> Derivative:
    """Gives the derivative of `f` as text: `.source`, `.source_map`, `.findings`, `.path`.

    It is the one that runs for arguments such as those of `example`, which are not used otherwise;
    without them it is for whatever arguments. `source` is empty where findings prevent a
    derivative. `order` 2 is the derivative of the gradient. Raises ValueError for a mode other than
    "reverse" and "forward" and an order below 1, TypeError for an example that does not fit.
    """
    if mode not in ("reverse", "forward"):
        raise ValueError(f"`mode` is 'reverse' or 'forward', not {mode!r}")
    if order < 1:
        raise ValueError(f"`order` is at least 1, not {order!r}")
    last: Kind = "grad" if mode == "reverse" else "jvp"
    with HIDDEN:
        subject = subject_of(f)
        names, is_tuple = parameters(subject, wrt)
        asked: Asked | None = None
        for _ in range(order - 1):
            asked = Asked(names, is_tuple, "grad", (), asked)
        study = derivatives.study(subject, Asked(names, is_tuple, last, (), asked))
        signature = "" if example is None else signature_of(subject, study, example)
        return derivatives.derive(study, signature)


def differentiable(
    f: Callable[..., Any] | None = None,
    *,
    wrt: Wrt | None = None,
    example: Sequence[Any] | None = None,
) -> Callable[..., Any]:
    """Marks a function as one to be differentiated, for the editor and `adlsp check`.

    Used as `@differentiable` or `@differentiable(wrt="w")`. Calling the function runs the primal,
    without the blocks of `insert_grad_of` in it; without such blocks it is left as it is.

    `example=(np.zeros(3), 0.1)`, a tuple, tells the editor and the check what the arguments are
    like where neither a run nor a call in the text does; it is read as text.
    """
    del wrt, example
    return differentiable if f is None else primal.without_blocks(f, insert_grad_of)


def stop_gradient(x: Value) -> Value:
    """Gives `x`; its derivative is zero."""
    return x


def insert_grad_of(x: Value) -> AbstractContextManager[Any]:
    """Opens a block that runs in the backward sweep, as in `with … as x_bar:`.

    The block runs where the backward sweep passes its place. `x_bar` is what the adjoint of `x` is
    there, in the shape of `x`: all that later statements have contributed. What the block assigns
    to it is the adjoint from then on. The block may read the primal's variables, bind names of its
    own, and call what it likes; it changes nothing of the primal's. Forward mode passes it by. It
    does not run for an `x` that does not depend on the inputs of interest.

    Entered outside of a derivative it raises RuntimeError: mark the function with
    `@adlsp.differentiable`, and its primal runs without the block.
    """
    del x
    raise RuntimeError(
        "`insert_grad_of` has no meaning while the primal runs: mark the function with "
        "`@adlsp.differentiable`, and call its derivative"
    )


def check_finite(*, nan: bool = True, inf: bool = True) -> AbstractContextManager[None]:
    """Opens a block in which derivatives raise where a value is first NaN or infinite.

    Used as `with adlsp.check_finite():` around calls of derivatives. The FloatingPointError says
    which operation gave it, of which operands, and which of your lines it is about, forward or
    backward. What is bad already is told of where it comes in; an infinity that is written down,
    as `-np.inf` in a mask, is no error. Derivatives run slower inside, and as ever outside.
    """
    from adlsp.library import watching

    return watching.check_finite(nan=nan, inf=inf)


def record_gradients(path: str | os.PathLike[str], every: int = 1) -> AbstractContextManager[None]:
    """Opens a block in which it is recorded how large gradients are; its end writes a file.

    Used as `with adlsp.record_gradients("run.jsonl"):` around a training loop. Each line of the
    file is an object in JSON: `step` (the calls of a derivative count from 0), `variable` (an
    adjoint such as `h_bar`, or the parameter whose gradient is returned), `derivative`, `path` and
    `line` in your program, `pass` (the values of a line in one step count from 1, on the way back
    from the last pass of a loop), `norm` and `max` of the entries that are finite, how many are
    `bad`, and `size`. One step in `every` is recorded; where there are more than 700,000 rows, the
    last ones are kept. Derivatives run as ever outside.
    """
    from adlsp.library import watching

    return watching.record_gradients(os.path.abspath(path), every)


def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    wrt: Wrt | None = None,
    order: int = 1,
    *,
    outputs: Sequence[str] = (),
    tolerance: float = 1e-6,
) -> None:
    """Checks the gradient of `f` at `args` against central differences, and against its tangent.

    The output is weighted with random numbers, and each argument in `wrt` (all that hold floating
    point, if None) moved along a random direction d, so that one number checks every element:
    ⟨out_bar, f(x + h·d) - f(x - h·d)⟩ / 2h = ⟨x_bar, d⟩, and ⟨out_bar, out_dot⟩ = ⟨x_bar, d⟩ with
    the tangent out_dot for d. With `order` 2 the gradient is then checked in the same way, as a
    function of its own. Arguments and results may be tuples, lists and dictionaries, nested.

    Raises AssertionError with a report of each argument if two of these differ by more than
    `tolerance`, relative to their size; DifferentiationError where there is no derivative, and
    ValueError for an order other than 1 and 2.
    """
    from adlsp.library import check_grads as checks  # NumPy loads when something is checked

    with HIDDEN:
        checks.check(f, args, wrt, order, outputs, tolerance)
