"""Findings about reading a program: its syntax, and what the names in it mean.

They are found before anything is differentiated, so each names what the reader can check at once:
a spelling, an import, an installed package.
"""

from __future__ import annotations

from adlsp.transform.findings.vocabulary import Finding, Severity, finding


@finding("AD100", "syntax-error", Severity.ERROR)
class SyntaxProblem(Finding):
    """A text is not Python, so nothing in the broken part can be differentiated.

    Why: a derivative is made from the parsed program; the parser stopped here. Functions and
    statements of the module that the error does not touch are still checked.
    Example: ``def loss(x:``
    Instead: ``def loss(x):``
    """

    message = "syntax error: {detail}"
    detail: str


@finding("AD101", "unresolved-function", Severity.ERROR)
class UnresolvedFunction(Finding):
    """A function is called by a name that nothing defines.

    Why: rules and definitions are found by what a name means; this one is neither defined in the
    module, nor imported, nor a builtin.
    Example: ``return nump.tanh(x)``, without an import of ``nump``.
    Instead: ``import numpy as np`` at the top of the module, then ``np.tanh(x)``.
    """

    message = "`{function}` is not defined"
    function: str


@finding("AD102", "source-not-available", Severity.ERROR)
class SourceUnavailable(Finding):
    """A function has neither a derivative rule nor Python source that could be differentiated.

    Why: differentiation by source transformation needs the text of a function. Compiled functions,
    functions made at run time and functions of installed packages have none that is read.
    Example: ``adlsp.grad(compiled_module.loss)``
    Instead: write a rule for the function (``adlsp.rules``), or call it from a function of your own
    in which everything that it does to active values has rules.
    """

    message = "the source of `{function}` is not available"
    function: str


@finding("AD103", "no-rule", Severity.ERROR)
class NoRule(Finding):
    """A function without a derivative rule is called with active arguments.

    Why: the function is known by name only, and nothing says what its derivative is. Calls of it
    with arguments that do not depend on the inputs of interest are fine.
    Example: ``return scipy.special.jv(2, x)``
    Instead: write a rule for it (``adlsp.rules``), or use functions that have rules;
    ``adlsp rules`` lists them.
    """

    message = "`{function}` has no derivative rule"
    function: str


@finding("AD104", "unsupported-argument", Severity.ERROR)
class UnsupportedArgument(Finding):
    """A function with a derivative rule is called with an argument that the rule does not cover.

    Why: rules state what they hold for; applied outside of that they would give a wrong gradient.
    Example: ``np.sum(x, where=mask)``
    Instead: ``np.sum(np.where(mask, x, 0.0))``
    """

    message = "the derivative rule of `{function}` does not support the argument `{argument}`"
    function: str
    argument: str


@finding("AD105", "unknown-parameter", Severity.ERROR)
class UnknownParameter(Finding):
    """A derivative is asked for with respect to a parameter that the function does not have.

    Why: ``wrt`` and ``outputs`` name parameters of the function that is differentiated, or count
    them from 0; this one does not exist, so the call fails when it runs.
    Example: ``adlsp.grad(loss, wrt="wights")``, for ``def loss(weights)``.
    Instead: ``adlsp.grad(loss, wrt="weights")``
    """

    message = "`{function}` has no parameter {parameter}"
    function: str
    parameter: str
