# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of TensorFlow that select elements: gathers, scatters, masks, sorting.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import linear  # noqa: F401

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt
