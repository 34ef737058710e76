"""Findings for tests of what shows them: of any code, severity and message."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from adlsp.transform.diagnostics.vocabulary import Finding, Severity


@cache
def finding(
    code: str, name: str = "", severity: Severity = Severity.ERROR, message: str = ""
) -> Finding:
    """A finding that is in no catalogue, and says just this."""
    parts = {"code": code, "name": name, "severity": severity, "message": message}
    return dataclass(frozen=True)(type("Said", (Finding,), parts))()
