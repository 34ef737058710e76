"""Findings about ourselves: our own mistakes, and comments to us that say nothing."""

from __future__ import annotations

from adlsp.transform.diagnostics.vocabulary import Finding, Severity, finding


@finding("AD900", "internal-error", Severity.ERROR)
class InternalError(Finding):
    """adlsp itself failed; the program that it looked at may be right.

    Why: this is a mistake in adlsp. The rest of the check went on without this file.
    Example: any program, as small as you can make it, for which this is shown.
    Instead: report the message together with the program and the output of ``adlsp --version``.
    """

    message = "internal error: {detail}"
    detail: str


@finding("AD901", "unused-suppression", Severity.WARNING)
class UnusedSuppression(Finding):
    """A comment suppresses a finding that is not there.

    Why: it would silently hide the next mistake on its line.
    Example: ``y = np.tanh(x)  # adlsp: ignore[AD103]``
    Instead: ``y = np.tanh(x)``
    """

    message = "unused suppression of {codes}"
    codes: str
