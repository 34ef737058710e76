"""Findings about gradients that can be computed and mislead."""

from __future__ import annotations

from adlsp.transform.diagnostics.vocabulary import Finding, Severity, finding


@finding("AD501", "zero-derivative", Severity.INFORMATION)
class ZeroDerivative(Finding):
    """A function is constant but where it jumps: rounding, a sign, an index, an integer.

    Why: its derivative is zero wherever there is one, so that no gradient comes back through it.
    Example: ``np.sum(np.round(x) * w)``
    Instead: say that it is meant, ``# adlsp: ignore[AD501]``, or take a smooth function,
    ``np.tanh(k * x)`` for ``np.sign(x)``, or one whose derivative is another by a rule of yours.
    """

    message = "the derivative of `{part}` is zero everywhere: nothing comes back to `{variable}`"
    part: str
    variable: str


@finding("AD502", "no-influence", Severity.WARNING)
class NoInfluence(Finding):
    """A parameter of interest does not influence the result, or only where derivatives are zero.

    Why: its gradient is zero whatever its value, which is most often a mistake in the function or
    in ``wrt``.
    Example: ``def loss(w, b): return np.sum(w * w)``, with ``wrt=("w", "b")``.
    Instead: leave the parameter out of ``wrt``, or use it in the function.
    """

    message = "`{parameter}` does not influence the result of `{function}`"
    parameter: str
    function: str
    through: str = ""

    def text(self) -> str:
        """The message, with the call at which derivatives end, if there is one."""
        if not self.through:
            return Finding.text(self)
        influence = f"`{self.parameter}` influences the result of `{self.function}`"
        return f"{influence} only through `{self.through}`, of which the derivative is zero"


@finding("AD503", "gradient-cut", Severity.ERROR)
class GradientCut(Finding):
    """A value is stored into an array of integers, or taken out of TensorFlow.

    Why: NumPy cuts its fraction off, and ``x.numpy()`` is no tensor; so the gradient is zero.
    Example: ``y = np.array([1, 2, 3])``, then ``y[0] = x``.
    Instead: make it an array of floating-point numbers, ``np.array([1.0, 2.0, 3.0])``; go on with
    the tensor itself, or say ``tf.stop_gradient(x)``.
    """

    waits = True
    message = "`{array}` is an array of integers, and cuts off the fraction of what is stored"
    array: str
    by: str = ""

    def text(self) -> str:
        """The message, about the call that gives the value, if there is one."""
        if not self.by:
            return Finding.text(self)
        return f"the gradient of `{self.array}` ends at `{self.by}`, which gives no tensor"


@finding("AD504", "masked-gradient", Severity.WARNING)
class MaskedGradient(Finding):
    """A condition leaves out elements at which a derivative is infinite or undefined.

    Why: both values of a choice are computed for all elements. The gradient of the one that is not
    chosen is zero times its derivative: NaN where that is infinite or undefined.
    Example: ``np.where(x > 0, np.log(x), 0.0)``
    Instead: ``np.where(x > 0, np.log(np.where(x > 0, x, 1.0)), 0.0)``
    """

    message = "the gradient of `{part}` may be NaN where `{condition}` is {truth}"
    part: str
    condition: str
    truth: str


@finding("AD505", "singular-derivative", Severity.INFORMATION)
class SingularDerivative(Finding):
    """A derivative is infinite or undefined at values that an argument can have.

    Why: there the gradient is infinite or NaN, and NaN spreads to all that is computed of it:
    ``np.sqrt(np.sum(x ** 2))`` has none where ``x`` is 0.
    Example: ``np.sqrt(np.sum((x - y) ** 2))``, ``np.linalg.norm(x)``, ``x ** p`` for ``p``,
    ``np.arccos(np.clip(c, -1, 1))``.
    Instead: keep away from there, ``np.sqrt(np.sum(x ** 2) + 1e-12)``, or choose another value for
    the argument where it is 0.
    """

    message = "the derivative of `{part}` is infinite or undefined where `{operand}` is {where}"
    part: str
    operand: str
    where: str


@finding("AD506", "unstable-logarithm", Severity.WARNING)
class UnstableLogarithm(Finding):
    """The logarithm of a sum of exponentials, or of a share in one, is computed step by step.

    Why: an exponential is infinite above 709 and 0 below -745. Then value and gradient are
    infinite or NaN, though the logarithm itself is an ordinary number.
    Example: ``np.log(np.sum(np.exp(x)))``, ``np.log(np.exp(x) / np.sum(np.exp(x)))``
    Instead: ``scipy.special.logsumexp(x)``, ``scipy.special.log_softmax(x)``.
    """

    message = "`{part}` overflows or underflows for ordinary values: use `{instead}`"
    part: str
    instead: str


@finding("AD507", "integer-input", Severity.INFORMATION)
class IntegerInput(Finding):
    """An input of interest is an integer, or an array of integers.

    Why: nothing is near an integer but itself. Its gradient is that of a real number of the same
    value, and adding a step to it may cut off the fraction.
    Example: ``adlsp.grad(f)(3)``, ``def f(n: int): return n * 2.5``
    Instead: give a real number, ``3.0``, ``x.astype(float)``, or leave it out of ``wrt``.
    """

    message = "`{parameter}` is of integers, {kind}: its gradient is that of real numbers"
    parameter: str
    kind: str
