"""Findings about reading a program: its syntax, and what the names in it mean.

They are found before anything is differentiated, so each names what the reader can check at once:
a spelling, an import, an installed package.
"""

from __future__ import annotations

from adlsp.transform.diagnostics.vocabulary import Finding, Severity, finding


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
    functions made at run time and functions of installed packages have none that is read. Consoles
    and ``python -c`` keep none before Python 3.13; a file that has changed since it was loaded is
    not what the program runs.
    Example: ``adlsp.grad(compiled_module.loss)``
    Instead: write a rule for the function (``adlsp.rules``), or call it from a function of your own
    in which everything that it does to active values has rules.
    """

    message = "the source of `{function}` is not available{reason}"
    function: str
    reason: str = ""

    def text(self) -> str:
        """The message, with why that is where it is known."""
        reason = f": {self.reason}" if self.reason else ""
        return self.message.format(function=self.function, reason=reason)


@finding("AD103", "no-rule", Severity.ERROR)
class NoRule(Finding):
    """A function without a derivative rule is called with active arguments.

    Why: the function is known by name only, and nothing says what its derivative is. Calls of it
    with arguments that do not depend on the inputs of interest are fine.
    Example: ``return scipy.special.jv(2, x)``
    Instead: write a rule for it (``adlsp.rules``), or use functions that have rules;
    ``adlsp rules`` lists them.
    """

    message = "`{function}` has no derivative rule{why}"
    function: str
    why: str = ""


BY_NUMBER = "number "
"""How an argument that has no name is told."""

LEFT_OUT = "left out "
"""How an argument is told that a call leaves out, with a default that a function around has."""

OF_USER = "the derivative of"
"""What is said instead of a rule where a user's function has none."""


@finding("AD104", "unsupported-argument", Severity.ERROR)
class UnsupportedArgument(Finding):
    """A function with a derivative rule is called with an argument that the rule does not cover.

    Why: rules state what they hold for; applied outside of that they would give a wrong gradient.
    Example: ``np.sum(x, where=mask)``
    Instead: ``np.sum(np.where(mask, x, 0.0))``
    """

    message = "{owner} `{function}` does not support the argument {argument}"
    function: str
    argument: str
    owner: str = "the derivative rule of"

    def text(self) -> str:
        """The message, with the argument by its name, or by its number where it has none."""
        if self.argument.startswith(LEFT_OUT):
            name = self.argument.removeprefix(LEFT_OUT)
            shown = f"`{name}` that a call leaves out: its default is of the function around it"
            return self.message.format(owner=self.owner, function=self.function, argument=shown)
        has_name = not self.argument.startswith(BY_NUMBER)
        shown = f"`{self.argument}`" if has_name else self.argument
        return self.message.format(owner=self.owner, function=self.function, argument=shown)


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


@finding("AD106", "invalid-rule", Severity.ERROR)
class InvalidRule(Finding):
    """A rule is written in a form that cannot be read.

    Why: a rule is read, not run: its body becomes part of the derivative. So it stands at the top
    level of a module and names the functions that it is for; its body is a straight line of
    assignments that ends in ``return``. A rule that cannot be read is never passed over: what needs
    it has no derivative.
    Example: a rule with the body ``if x > 0: return 1.0``, and no ``return`` after it.
    Instead: ``return np.where(x > 0, 1.0, 0.0)``
    """

    message = "this is no rule: {reason}"
    reason: str


@finding("AD107", "rule-parameter", Severity.ERROR)
class RuleParameter(Finding):
    """A rule has a parameter that does not fit the function that it is for.

    Why: the parameters of a rule are those of the function, by name, in the same order and with the
    same defaults. After ``*`` come the things that a rule may ask for besides: ``out`` (the
    result), in reverse, linear and multilinear rules ``out_bar`` (the gradient that arrives), in
    forward rules ``x_dot`` (the tangent of ``x``).
    Example: ``def scale_rule(y, *, out)``, for ``def scale(x)``.
    Instead: ``def scale_rule(x, *, out)``
    """

    message = "a rule for `{function}` cannot have the parameter `{parameter}`: {reason}"
    function: str
    parameter: str
    reason: str


@finding("AD108", "rule-results", Severity.ERROR)
class RuleResults(Finding):
    """A rule does not return one result for each argument that it differentiates.

    Why: an elementwise rule returns the partial for each positional parameter, a linear,
    multilinear or reverse rule the gradient for each name in ``of``, a forward rule the term for
    each tangent that it asks for: all of them in order, with commas between. ``of="x"`` says that
    only ``x`` is differentiated.
    Example: ``return x_dot * y + x * y_dot``, in a forward rule for ``x`` and ``y``.
    Instead: ``return x_dot * y, x * y_dot``
    """

    message = "the rule gives {given} for {expected}"
    given: str
    expected: str


@finding("AD109", "rule-out-of-reach", Severity.ERROR)
class RuleOutOfReach(Finding):
    """A rule does not count for a derivative that this file asks for.

    Why: the rules for a function that is differentiated are those of its own module and of all the
    user's modules that this one imports, directly or by way of others. So the derivative is the
    same whoever asks for it, in the program and in the editor.
    Example: a rule beside the call ``adlsp.grad(model.loss)``, in a file that ``model.py`` does not
    import.
    Instead: write the rule in ``model.py``, or in a module that it imports.
    """

    message = "this rule for `{function}` does not count in `{root}`: {module} does not import it"
    function: str
    root: str
    module: str


@finding("AD110", "rule-lacks-mode", Severity.ERROR)
class RuleLacksMode(Finding):
    """A function has a rule for one mode only, and the other one is asked for.

    Why: reverse mode needs to know how the gradient goes back, forward mode how a tangent goes on.
    Neither follows from the other. A derivative of a derivative may need both.
    Example: ``adlsp.jvp(loss)``, where a function in ``loss`` has a ``reverse`` rule.
    Instead: write the ``forward`` rule as well, or one ``linear`` or ``elementwise`` rule.
    """

    message = "`{function}` has no rule for {mode} mode"
    function: str
    mode: str


@finding("AD111", "unresolved-root", Severity.INFORMATION)
class UnresolvedRoot(Finding):
    """A derivative is asked for, and the text does not tell of which function.

    Why: a program is checked without being run, so what is differentiated must be found in its
    text: by its name, an alias, from a tuple or a dictionary that is written out. What is not found
    is not checked. The program itself may well get its derivative.
    Example: ``def train(loss): return adlsp.grad(loss)``
    Instead: ``@adlsp.differentiable`` above each function that is passed: then it is checked where
    it stands.
    """

    message = "`{function}` cannot be followed: {reason}"
    function: str
    reason: str


@finding("AD112", "library-function", Severity.ERROR)
class LibraryFunction(Finding):
    """A function of a library is passed to ``grad`` as it is.

    Why: a derivative is made from the text of a function, and those of libraries are not read: they
    are known by rules, as what your own functions call.
    Example: ``adlsp.grad(np.sum)``
    Instead: ``def total(x): return np.sum(x)``, then ``adlsp.grad(total)``.
    """

    message = "`{function}` is a function of a library: differentiate one of your own that calls it"
    function: str


@finding("AD113", "too-large", Severity.ERROR)
class TooLarge(Finding):
    """A function is longer, or nested deeper, than what can be differentiated.

    Why: what is known at each step of a function is kept for all of its steps, which takes memory
    with the square of their number; each operation is a step. Functions that are nested too deeply
    cannot be followed down.
    Example: a generated function of two thousand lines, or with an ``elif`` for each of a thousand
    cases.
    Instead: several functions, one for each part; a loop over an array; a table that is indexed.
    """

    message = "`{function}` is too large: {size}"
    function: str
    size: str
