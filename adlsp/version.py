"""The version of adlsp, in one place that can be read without the packaging machinery."""

from __future__ import annotations

VERSION = "0.1.0"
