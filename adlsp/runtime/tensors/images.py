"""Adjoints of linear functions of TensorFlow for images."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from adlsp.runtime.tensors.gradients import Value, tensor


def image_of(image: Value, name: str, options: tuple[Any, ...]) -> Value:
    """Gives `tf.image.name(image, *options)`."""
    return getattr(tf.image, name)(image, *options)


def image_bar(g: Value, image: Value, name: str, options: tuple[Any, ...]) -> Value:
    """Gives the gradient of `image` in `image_of`, whose operations tell how it goes back.

    A linear function has the same adjoint everywhere, so that it is asked for at zero.
    """
    zeros = tf.zeros_like(image)
    with tf.GradientTape() as tape:
        tape.watch(zeros)
        out = image_of(zeros, name, options)
    return tape.gradient(out, zeros, tensor(g))
