"""Random programs on tensors: gradients, tangents and second derivatives are those of the tape.

`ADLSP_PROPERTY_PROGRAMS` sets how many programs are tried, `ADLSP_PROPERTY_FIRST` the first seed. A
failure shows the program as small as it could be made.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
import random_tensors
import shrinking
import spelling

import adlsp

tf = pytest.importorskip("tensorflow")

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "20"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

WRT = ("x", "w", "p")

Value = Any


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivative_is_that_of_the_tape(folder: Path, seed: int) -> None:
    program = random_tensors.write(seed)
    text = spelling.respelled(program.text, seed)
    number = 0

    def check(text: str) -> None:
        nonlocal number
        number += 1
        f = oracle.load(folder / f"tensor_program_{seed}_{number}.py", text).f
        is_compiled = seed % 4 == 1 and not program.is_eager
        compare(f, is_compiled=is_compiled, is_twice=seed % 2 == 0, is_single="float32" in text)

    try:
        check(text)
    except oracle.WrongError as error:
        pytest.fail(report(text, check, error))


def point() -> dict[str, Value]:
    random = np.random.default_rng(4)

    def made(*shape: int) -> Value:
        return tf.constant(random.uniform(-1.0, 1.0, shape))

    return {
        "x": made(4),
        "w": made(4, 4),
        "p": {"s": made(), "r": made(1, 4), "t": [made(), made(4)]},
    }


def compare(f: Callable[..., Value], *, is_compiled: bool, is_twice: bool, is_single: bool) -> None:
    """Compares the derivatives of a function with those by the tape; raises WrongError."""
    at = point()
    dots = tf.nest.map_structure(tf.cos, tuple(at.values()))
    watched = tf.nest.flatten(tuple(at.values()))
    with tf.GradientTape() as outer:
        outer.watch(watched)
        with tf.GradientTape() as inner:
            inner.watch(watched)
            out = f(**at)
        bars = tensors(inner.gradient(out, watched, unconnected_gradients="zero"))
        along = product(bars, dots)
    twice = tensors(outer.gradient(along, watched, unconnected_gradients="zero"))
    tolerance = 1e-4 if is_single else 1e-9
    gradient = attempt("gradient", lambda: adlsp.value_and_grad(f, wrt=WRT))
    agree("gradient", attempt("gradient", lambda: gradient(**at)), [out, *bars], tolerance)
    tangent = attempt("tangent", lambda: adlsp.jvp(f, wrt=WRT)(**at, dots=dots))
    agree("tangent", tangent, along, tolerance)
    if is_compiled:
        compiled = tf.function(lambda at: gradient(**at), autograph=False)
        agree("compiled", attempt("compiled", lambda: compiled(at)), [out, *bars], tolerance)
    if is_twice:
        again = attempt("second", lambda: adlsp.vjp(adlsp.grad(f, wrt=WRT), wrt=WRT))
        agree("second", attempt("second", lambda: again(**at, out_bar=dots)), twice, 10 * tolerance)


def tensors(values: list[Value]) -> list[Value]:
    """The values as tensors, where the tape gives some rows of them."""
    return [tf.convert_to_tensor(value) for value in values]


def product(one: Value, other: Value) -> Value:
    pairs = zip(tf.nest.flatten(one), tf.nest.flatten(other), strict=True)
    return tf.add_n([tf.reduce_sum(a * b) for a, b in pairs])


def attempt(kind: str, run: Callable[[], Value]) -> Value:
    """What a derivative gives; raises WrongError where it fails, or is refused."""
    try:
        return run()
    except Exception as error:
        raise oracle.WrongError(f"{kind} {type(error).__name__}", str(error)) from error


def agree(kind: str, got: Value, expected: Value, tolerance: float) -> None:
    for one, other in zip(tf.nest.flatten(got), tf.nest.flatten(expected), strict=True):
        if not isinstance(one, tf.Tensor):
            raise oracle.WrongError(f"{kind} type", f"{one!r}")
        if one.shape != other.shape or one.dtype != other.dtype:
            raise oracle.WrongError(f"{kind} shape", f"{one!r} for {other!r}")
        size = 1.0 + float(tf.reduce_max(tf.abs(other)))
        if not np.allclose(one, other, rtol=0.0, atol=tolerance * size):
            raise oracle.WrongError(kind, f"{one!r}, the tape gives {other!r}")


def report(text: str, check: Callable[[str], None], error: oracle.WrongError) -> str:
    """What went wrong, for the smallest program found that goes wrong in the same way."""

    def is_same(text: str) -> bool:
        try:
            check(text)
        except oracle.WrongError as found:
            return found.kind == error.kind
        except Exception:  # the smaller text is no program
            return False
        return False

    return f"{shrinking.shrink(text, is_same, budget=300)}\n\n{error}"


def test_programs_have_all_that_the_generator_knows() -> None:
    texts = [random_tensors.write(seed).text for seed in range(400)]
    body = "\n".join(text.partition("def f(")[2] for text in texts)
    for word in ("while ", "for row", "tf.range(", "else:", ".append(", "traced(", "['h']"):
        assert word in body
    assert len(set(texts)) == 400
