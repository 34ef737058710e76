"""Gradients of TensorFlow functions beside `tf.GradientTape`, eager and compiled by `tf.function`.

Usage: python -m benchmarks.tensors [PART OF A NAME]. All are measured in turn in one process; a
time is the least of the rounds, and a ratio is to the tape's. It runs on the device that TensorFlow
takes: where there is a GPU, tensors are put there, and the table says so. On a CPU times are those
of the processor, with one thread, so that they are the same while others use the machine.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

import adlsp

Value = Any

HAS_GPU = bool(tf.config.list_physical_devices("GPU"))
CLOCK = time.perf_counter if HAS_GPU else time.process_time

ROUNDS = 15
SECONDS = 0.1
"""How long one measurement takes at least."""


class Workload(NamedTuple):
    """A loss of weights and other arguments."""

    name: str
    loss: Callable[..., Value]
    weights: Value
    others: tuple[Value, ...]


def perceptron(w, x):
    """Two layers, and the mean square of what they give."""
    h = tf.tanh(x @ w["w1"] + w["b1"])
    return tf.reduce_mean(tf.square(h @ w["w2"] + w["b2"]))


def convolution(w, images, labels):
    """Two convolutions with pooling, and the mean cross-entropy."""
    h = tf.nn.relu(tf.nn.conv2d(images, w["conv1"], 1, "SAME") + w["bias1"])
    h = tf.nn.max_pool2d(h, 2, 2, "VALID")
    h = tf.nn.relu(tf.nn.conv2d(h, w["conv2"], 1, "SAME") + w["bias2"])
    logits = tf.reshape(h, (tf.shape(h)[0], -1)) @ w["dense"]
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))


def step(w, x, h, c):
    """One step of an LSTM."""
    i, f, o, g = tf.split(tf.concat([x, h], 1) @ w["gates"] + w["bias"], 4, 1)
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
    return tf.sigmoid(o) * tf.tanh(c), c


def lstm(w, xs):
    """The mean square of the last state of an LSTM."""
    h = c = tf.zeros((tf.shape(xs)[0], w["bias"].shape[0] // 4))
    for k in range(20):
        h, c = step(w, xs[:, k], h, c)
    return tf.reduce_mean(tf.square(h))


def workloads() -> Iterator[Workload]:
    """What is measured."""
    random = np.random.default_rng(0)

    def normal(*shape: int) -> Value:
        return tf.constant(random.normal(size=shape) / np.sqrt(np.prod(shape[:-1])), tf.float32)

    for width in (32, 128, 512, 2048):
        w = {"w1": normal(width, width), "b1": normal(width)}
        w |= {"w2": normal(width, 10), "b2": normal(10)}
        yield Workload(f"MLP, width {width}", perceptron, w, (normal(64, width),))
    w = {"conv1": normal(3, 3, 1, 16), "bias1": normal(16)}
    w |= {"conv2": normal(3, 3, 16, 32), "bias2": normal(32), "dense": normal(14 * 14 * 32, 10)}
    labels = tf.constant(random.integers(0, 10, 32))
    yield Workload("convolution, 28 x 28", convolution, w, (normal(32, 28, 28, 1), labels))
    w = {"gates": normal(128, 256), "bias": normal(256)}
    yield Workload("LSTM, 20 steps, width 64", lstm, w, (normal(32, 20, 64),))


def candidates(workload: Workload) -> dict[str, Callable[[], Value]]:
    """Ours and the tape's, eager and compiled; they agree."""
    derivative = adlsp.value_and_grad(workload.loss)

    def taped(weights: Value, *others: Value) -> Value:
        with tf.GradientTape() as tape:
            tape.watch(weights)
            value = workload.loss(weights, *others)
        return value, tape.gradient(value, weights)

    ours, theirs = tf.function(derivative), tf.function(taped)
    args = workload.weights, *workload.others
    made = {
        "adlsp": lambda: derivative(*args),
        "tape": lambda: taped(*args),
        "adlsp, compiled": lambda: ours(*args),
        "tape, compiled": lambda: theirs(*args),
    }
    expected = made["tape"]()
    for run in made.values():
        for one, other in zip(tf.nest.flatten(run()), tf.nest.flatten(expected), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-5)
    return made


def least(made: dict[str, Callable[[], Value]]) -> dict[str, float]:
    """The least time of each candidate, in seconds; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in made}
    for _ in range(ROUNDS):
        for name, run in made.items():
            n_runs, start = 0, CLOCK()
            while (passed := CLOCK() - start) < SECONDS:
                tf.nest.flatten(run())[-1].numpy()
                n_runs += 1
            times[name].append(passed / n_runs)
    return {name: min(each) for name, each in times.items()}


def main() -> None:
    """Prints a table in Markdown."""
    if not HAS_GPU:
        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)
    devices = tf.config.list_logical_devices("GPU") or tf.config.list_logical_devices("CPU")
    print(f"TensorFlow {tf.__version__} on {devices[0].name}.\n")
    print("| workload | adlsp | tape | ratio | adlsp, compiled | tape, compiled | ratio |")
    print("| --- | --: | --: | --: | --: | --: | --: |")
    for workload in workloads():
        if not all(part in workload.name for part in sys.argv[1:]):
            continue
        found = [t * 1e6 for t in least(candidates(workload)).values()]
        eager, compiled = found[0] / found[1], found[2] / found[3]
        told = [f"{t:,.0f} µs" for t in found]
        cells = [workload.name, *told[:2], f"{eager:.2f}", *told[2:], f"{compiled:.2f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
