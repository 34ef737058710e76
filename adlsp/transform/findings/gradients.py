"""Findings about gradients that can be computed and mislead."""

from __future__ import annotations

from adlsp.transform.findings.vocabulary import Finding, Severity, finding


@finding("AD502", "no-influence", Severity.WARNING)
class NoInfluence(Finding):
    """A parameter of interest does not influence the result.

    Why: its gradient is zero whatever its value, which is most often a mistake in the function or
    in ``wrt``.
    Example: ``def loss(w, b): return np.sum(w * w)``, with ``wrt=("w", "b")``.
    Instead: leave the parameter out of ``wrt``, or use it in the function.
    """

    message = "`{parameter}` does not influence the result of `{function}`"
    parameter: str
    function: str
