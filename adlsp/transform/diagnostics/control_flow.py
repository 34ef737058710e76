"""Findings about jumps: control flow that leaves a block before its end.

The backward sweep runs blocks in reverse, so a block must run from its first statement to its last.
Each of these can be written with a condition instead.
"""

from __future__ import annotations

from adlsp.transform.diagnostics.vocabulary import Finding, Severity, finding


@finding("AD401", "try-except", Severity.ERROR)
class TryExcept(Finding):
    """A ``try`` statement contains active computation.

    Why: an exception leaves the block at a place that is known only when the program runs; the
    backward sweep would have to start there.
    Example: ``try: y = x / n`` with ``except ZeroDivisionError: y = 0.0 * x``.
    Instead: ``if n == 0: y = 0.0 * x`` with ``else: y = x / n``.
    """

    message = "`try` around active computation cannot be reversed"


@finding("AD402", "break-in-loop", Severity.ERROR)
class BreakInLoop(Finding):
    """A loop with active computation is left by ``break``.

    Why: the last pass of the loop ends in the middle, and the backward sweep would have to start
    there.
    Example: ``while True:`` with ``if np.sum(r * r) < 1e-9: break``.
    Instead: put the condition into the loop: ``while np.sum(r * r) >= 1e-9:``.
    """

    message = "`break` leaves a loop with active computation"


@finding("AD403", "continue-in-loop", Severity.ERROR)
class ContinueInLoop(Finding):
    """A pass of a loop with active computation is cut short by ``continue`` in a ``try``.

    Why: passes that end in the middle cannot be run in reverse without a record of where each
    ended. A ``continue`` in branches is lowered to these, unless too much would stand in several.
    Example: ``try:`` with ``if x[i] < 0: continue`` in a loop.
    Instead: ``if x[i] >= 0:`` with the rest of the body inside.
    """

    message = "`continue` cuts a pass of a loop with active computation short"


@finding("AD404", "early-return", Severity.ERROR)
class EarlyReturn(Finding):
    """A function returns before its end, in a way that cannot be turned into a condition.

    Why: the backward sweep starts where the function returned. A ``return`` at the end of a branch
    can be lowered; one inside a loop cannot.
    Example: ``for i in range(n):`` with ``if x[i] > 1: return x[i]``.
    Instead: keep the result in a variable and return it at the end.
    """

    message = "this early `return` cannot be turned into a condition"


@finding("AD405", "loop-else", Severity.ERROR)
class LoopElse(Finding):
    """A loop with active computation is left early and has an ``else`` block.

    Why: whether the block runs depends on how the loop was left, and nothing records that.
    Example: ``for v in x:`` with a ``break``, and ``else: y = 0.0 * x``.
    Instead: set a variable in the loop, and test it with ``if`` after the loop.
    """

    message = "`else` of a loop that may be left early cannot be reversed"
