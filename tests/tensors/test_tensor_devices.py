"""Gradients of tensors on a GPU are there, too; without one nothing is tested here.

That nothing goes through NumPy the tests of compiled gradients tell on any machine: a tensor that
is traced cannot be made an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adlsp

tf = pytest.importorskip("tensorflow")
programs = pytest.importorskip("tensor_programs")

Value = Any

EACH = [
    (programs.network, ([((3, 2), (2,)), ((2, 3), (3,))], (5, 3))),
    (programs.of_dictionary, ({"w": (3, 2), "b": (2,)}, (4, 3))),
    (programs.neighbours, ((4,),)),
    (programs.whole_and_parts, ((4,),)),
    (programs.of_compiled, ((4,),)),
    (programs.listed, ((4,),)),
    (programs.powers, ((4,), ())),
    (programs.literal_powers, ((4,),)),
    (programs.indices, ((3, 4),)),
    (programs.comprehension, ((4,),)),
    (programs.products, ((2, 3, 3), (3, 3))),
]


def made(shapes: Value) -> Value:
    """Tensors in the place of shapes."""
    if isinstance(shapes, dict):
        return {key: made(part) for key, part in shapes.items()}
    if isinstance(shapes, list) or any(isinstance(n, tuple) for n in shapes):
        return type(shapes)(map(made, shapes))
    return tf.constant(np.random.default_rng(4).uniform(0.5, 1.5, shapes), tf.float32)


@pytest.mark.skipif(not tf.config.list_physical_devices("GPU"), reason="there is no GPU")
@pytest.mark.parametrize(("function", "shapes"), EACH, ids=[f.__name__ for f, _ in EACH])
def test_gradients_are_on_the_device_of_their_arguments(
    function: Callable[..., Value], shapes: Value
) -> None:
    with tf.device("/GPU:0"):
        args = made(shapes)
    value, gradient = adlsp.value_and_grad(function)(*args)
    assert all("GPU:0" in part.device for part in tf.nest.flatten((value, gradient)))
