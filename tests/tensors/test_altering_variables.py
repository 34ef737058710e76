"""Variables of TensorFlow's that change in many ways, followed or not: right, or refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import altering
import numpy as np
import oracle
import pytest

import adlsp

tf = pytest.importorskip("tensorflow")

HEAD = """import tensorflow as tf

A = tf.Variable([0.0, 0.0, 0.0], dtype=tf.float64)


"""

CHANGES = """
a.assign(x)
---
a.assign_add(x * 2)
---
a.assign_sub(x)
---
b = a.assign(x)
---
a[0].assign(x[0])
---
a.assign(x, read_value=False)
---
a.scatter_nd_update([[0]], [x[0]])
---
tf.raw_ops.AssignVariableOp(resource=a.handle, value=x)
---
put = a.assign
put(x)
---
getattr(a, "assign")(x)
---
list(map(lambda each: each.assign(x), [a]))
---
for b in [a]:
    b.assign(x)
---
b = a
b.assign(x)
---
b = tf.identity(a)
a.assign(x)
---
tf.cond(x[0] > 0, lambda: a.assign(x), lambda: a)
"""

WAYS = [way for way in altering.WAYS if way not in ("captured", "of a module")]

MADE = "tf.Variable([0.0, 0.0, 0.0], dtype=tf.float64)"

POINT, ALONG = np.array([0.7, -0.6, 0.4]), np.array([1.0, 2.0, 3.0])


def differences(f: Callable[[Any], Any]) -> Any:
    steps = np.eye(3) * 1e-6
    return np.array([(f(POINT + e) - f(POINT - e)) / 2e-6 for e in steps])


@pytest.mark.parametrize("way", WAYS)
def test_derivatives_are_right_or_refused(folder: Path, way: str) -> None:
    n_accepted = 0
    text = altering.WAYS[way].replace("np.zeros(3)", MADE).replace("np.sum", "tf.reduce_sum")
    for number, change in enumerate(each.strip() for each in CHANGES.split("---")):
        program = HEAD + altering.indented(text, change).lstrip()
        path = folder / f"altering_tensors_{way.replace(' ', '_')}_{number}.py"
        f = oracle.load(path, program).f
        try:
            gradient = adlsp.grad(f)(tf.constant(POINT))
            tangent = adlsp.jvp(f)(tf.constant(POINT), dots=(tf.constant(ALONG),))
        except adlsp.DifferentiationError:
            continue
        expected = differences(lambda x, f=f: f(tf.constant(x)).numpy())
        np.testing.assert_allclose(gradient, expected, rtol=1e-7, atol=1e-8, err_msg=program)
        np.testing.assert_allclose(tangent, expected @ ALONG, rtol=1e-7, err_msg=program)
        n_accepted += 1
    assert n_accepted >= (way in ("own", "called"))
