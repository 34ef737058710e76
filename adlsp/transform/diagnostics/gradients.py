"""Findings about gradients that can be computed and mislead."""

from __future__ import annotations

from adlsp.transform.diagnostics.vocabulary import Finding, Severity, finding


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
