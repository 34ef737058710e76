# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of TensorFlow that act on each element by itself.

Rules read, never run: each body is spliced into generated code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform.rules.declare import constant, elementwise, forward, linear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt


@elementwise("tensorflow.add", "tensorflow.math.add")
def add(x, y):
    return 1, 1


@elementwise("tensorflow.tanh", "tensorflow.math.tanh", "tensorflow.nn.tanh")
def tanh(x, *, out):
    return 1 - out * out


@elementwise("tensorflow.sin", "tensorflow.math.sin")
def sin(x):
    return tf.cos(x)


@elementwise("tensorflow.square", "tensorflow.math.square")
def square(x):
    return 2 * x


@elementwise("tensorflow.cos", "tensorflow.math.cos")
def cos(x):
    return -tf.sin(x)
