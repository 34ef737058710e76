"""Findings in functions of TensorFlow: gradients that are NaN, zero, or cut off, unexpectedly.

`adlsp check examples/findings_tensors.py` reports them. The first has a fix.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf

import adlsp


@adlsp.differentiable(wrt="logits")
def entropy(logits):
    """Mean entropy of class probabilities; a probability may be rounded to zero."""
    p = tf.nn.softmax(logits)
    return -tf.reduce_mean(tf.reduce_sum(tf.where(p > 0, p * tf.math.log(p), 0.0), axis=-1))


@adlsp.differentiable(wrt="logits")
def accuracy(logits, labels):
    """Share of examples whose class is found: a number that no gradient improves."""
    found = tf.argmax(logits, axis=-1)
    return tf.reduce_mean(tf.cast(found == labels, tf.float32))


@adlsp.differentiable(wrt="scale")
def quantized(scale, x):
    """Energy of a signal in steps of a scale, as integers count them."""
    steps = tf.cast(x / scale, tf.int32)
    return tf.reduce_sum(tf.cast(steps, tf.float32) ** 2)


@adlsp.differentiable(wrt="weights")
def penalty(weights):
    """Sum of squares, computed by NumPy, which TensorFlow knows nothing of."""
    return tf.constant(np.sum(weights.numpy() ** 2))


if __name__ == "__main__":
    rows = tf.constant([[200.0, 0.0], [1.0, 2.0]])
    print("entropy:", adlsp.grad(entropy)(rows).numpy().ravel())
    print("accuracy:", adlsp.grad(accuracy)(rows, [0, 1]).numpy().ravel())
    print("quantized:", adlsp.grad(quantized)(tf.constant(0.1), rows).numpy())
    try:
        adlsp.grad(penalty)
    except adlsp.DifferentiationError as error:
        print(f"penalty: {error}")
