"""All kinds of finding, by code, and their pages as `adlsp explain` and editors show them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from adlsp.transform.diagnostics import (  # noqa: F401 (each enters its kinds)
    control_flow,
    gradients,
    internal,
    language,
    mutation,
    reading,
)
from adlsp.transform.diagnostics.vocabulary import CATALOGUE, PARTS, Finding


def kinds() -> Mapping[str, type[Finding]]:
    """All kinds of finding in order of their codes."""
    return MappingProxyType(dict(sorted(CATALOGUE.items())))


def named(text: str) -> type[Finding] | None:
    """The kind with a code or a name, whatever its case."""
    wanted = text.strip().lower()
    return next((k for k in CATALOGUE.values() if wanted in (k.code.lower(), k.name)), None)


def markdown(kind: type[Finding]) -> str:
    """The page of a kind of finding."""
    summary, *parts = _parts(kind.page)
    paragraphs = [f"# {kind.code} {kind.name} ({kind.severity.value})", _joined(summary)]
    for part in parts:
        label, _, text = part.partition(":")
        paragraphs.append(f"**{label}:** {_joined(text)}")
    return "\n\n".join(paragraphs).replace("``", "`") + "\n"


def _parts(page: str) -> list[str]:
    labels = "|".join(re.escape(part) for part in PARTS)
    return re.split(rf"^(?={labels})", page, flags=re.MULTILINE)


def _joined(text: str) -> str:
    return " ".join(text.split())
