# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Products of tensors and the linear algebra of TensorFlow.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import linear  # noqa: F401

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt
