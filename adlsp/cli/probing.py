"""Which public functions of TensorFlow its tape differentiates, found out by trying.

Run as a program, which prints lines for each function: its names, that it goes on to the next
tensor, and what was found. Each is called with tensors of several shapes, and with what the names
of its parameters suggest, until `tf.GradientTape` gives a gradient that is not zero. An attempt may
end the process, as TensorFlow does not check everything; whoever runs it starts it again behind it.
"""

from __future__ import annotations

import inspect
import itertools
import sys
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any, Literal

import tensorflow as tf

Value = Any

Slope = Literal["some", "none", "unknown"]
"""Whether the tape gives a gradient; unknown where the function took none of our arguments."""

HOMES = (
    "",
    "bitwise",
    "dtypes",
    "image",
    "linalg",
    "linalg.experimental",
    "math",
    "math.special",
    "nn",
    "nn.experimental",
    "quantization",
    "random",
    "random.experimental",
    "signal",
)
"""The modules of TensorFlow that have functions of tensors."""

N_TRIALS = 40
"""How often a function is tried with tensors of one shape."""


def main(pattern: str, n_functions: int, n_tensors: int) -> None:
    """Tries functions by a pattern but the first ones, the next one without its first tensors."""
    for names, function in itertools.islice(_public(pattern), n_functions, None):
        print("try", *names, flush=True)
        print(_slope(function, n_tensors), flush=True)
        n_tensors = 0


def _public(pattern: str) -> Iterator[tuple[list[str], Callable[..., Value]]]:
    """The public functions, each with all of its names, one of which matches."""
    names: dict[Callable[..., Value], list[str]] = {}
    for home in HOMES:
        module = tf
        for part in home.split(".") if home else ():
            module = getattr(module, part)
        for name in dir(module):
            value = getattr(module, name)
            if not name.startswith("_") and inspect.isroutine(value):
                dotted = ".".join(part for part in ("tensorflow", home, name) if part)
                names.setdefault(value, []).append(dotted)
    for function, found in names.items():
        if any(fnmatchcase(name, pattern) for name in found):
            yield found, function


def _slope(function: Callable[..., Value], n_tensors: int) -> Slope:
    """Whether the tape gives a gradient of a function that is not zero, for any arguments."""
    best: Slope = "unknown"
    for tensor in itertools.islice(_tensors(), n_tensors, None):
        print("next", flush=True)
        for arguments in itertools.islice(_arguments(function, tensor), N_TRIALS):
            try:
                found = _gradient(function, arguments)
            except Exception:  # whatever TensorFlow raises at such arguments
                continue
            if found:
                return "some"
            best = "none"
    return best


def _gradient(function: Callable[..., Value], arguments: dict[str, Value]) -> bool:
    """Tells whether there is a gradient that is not zero; raises where the call fails."""
    watched = [x for x in tf.nest.flatten(arguments) if _is_smooth(x)]
    with tf.GradientTape() as tape:
        tape.watch(watched)
        out = function(**arguments)
        outs = [x * x for x in tf.nest.flatten(out) if _is_smooth(x)]
    try:
        found = tape.gradient(outs, watched)
    except LookupError:  # no gradient is registered for an operation
        return False
    parts = [tf.convert_to_tensor(bar) for bar in found if bar is not None]
    return any(bool(tf.reduce_any(bar != 0)) for bar in parts)


def _is_smooth(x: Value) -> bool:
    return tf.is_tensor(x) and (x.dtype.is_floating or x.dtype.is_complex)


def _tensors() -> Iterator[Value]:
    """What a function may take: batches, images, numbers, real and complex, and lists of them."""
    shapes: tuple[tuple[int, ...], ...] = (
        (3, 3),
        (4,),
        (),
        (2, 3, 3),
        (1, 12, 11, 3),
        (1, 12, 12, 1),
        (2, 4, 4, 4, 3),
    )
    real = [_numbers(shape) for shape in shapes]
    yield from real
    yield from ([x, x] for x in real[:2])
    yield from (tf.complex(x, x / 2) for x in real if x.shape.rank)


def _numbers(shape: tuple[int, ...]) -> Value:
    """Numbers between 0 and 1, no two alike; a square of them is a matrix with an inverse."""
    size = 1
    for length in shape:
        size *= length
    made = tf.reshape(tf.linspace(0.15, 0.85, size) if size > 1 else tf.constant([0.4]), shape)
    square = len(shape) >= 2 and shape[-1] == shape[-2]
    return (made + tf.linalg.matrix_transpose(made)) / 9 + tf.eye(shape[-1]) / 2 if square else made


def _arguments(function: Callable[..., Value], tensor: Value) -> Iterator[dict[str, Value]]:
    """Arguments for a function: for what it must be given, and then for its first ones."""
    try:
        parameters = [
            p
            for p in inspect.signature(function).parameters.values()
            if p.kind is not p.VAR_KEYWORD and p.name != "name"
        ]
    except (TypeError, ValueError):
        return
    if any(p.kind in (p.VAR_POSITIONAL, p.POSITIONAL_ONLY) for p in parameters):
        return
    needed = [p.name for p in parameters if p.default is p.empty]
    for names in dict.fromkeys((tuple(needed), tuple(p.name for p in parameters[:2]))):
        if names:
            choices = [_choices(name, tensor) for name in names]
            yield from (
                dict(zip(names, chosen, strict=True)) for chosen in itertools.product(*choices)
            )


def _choices(name: str, tensor: Value) -> list[Value]:
    """What a parameter may be, by the words of its name; a tensor where they tell nothing."""
    rank = len(tensor.shape) if tf.is_tensor(tensor) else 0
    words = {word.rstrip("s").lower() for word in name.split("_")}
    for known, values in (
        ("dtype type tout", [tf.float32, tf.complex64]),
        ("axi axe", [0, [0], -1]),
        ("padding", ["VALID", [[1, 1]] * rank]),
        ("crop", [[[1, 1]] * rank, [4, 4]]),
        ("stride rate dilation", [2, [1] * rank, 0.5]),
        ("ksize block", [2, [1] * rank]),
        ("shape dim multiple", [[2] * max(rank, 1), [4, 4]]),
        ("size", [[1] * rank, 2, [4, 4]]),
        ("height width radiu num n k step factor", [2, 1, tensor]),
        ("length", [4, tensor]),
        ("offset", [0]),
        ("seed", [[1, 2]]),
        ("boxe", [[[0.1, 0.1, 0.9, 0.9]]]),
        ("id indice index label partition", [*_integers(tensor), tensor]),
        ("perm permutation", [[*range(rank)], [0, 1, 2]]),
        ("equation", ["i->i", "ij->ji"]),
        ("mode method", ["bilinear"]),
        ("format", ["NHWC"]),
        ("filter kernel", [*_filters(tensor), tensor]),
        ("ratio", [[1.0] + [1.5] * (rank - 2) + [1.0]]),
        ("upper high", [1.5, tensor]),
        ("epsilon delta min max gamma fraction lower low val", [0.5, tensor]),
    ):
        if words & {*known.split()}:
            return values
    return [tensor, *_integers(tensor)[:1]]


def _integers(tensor: Value) -> list[Value]:
    """Indices along the first axis of a tensor, and one for each of its elements."""
    if not tf.is_tensor(tensor) or not tensor.shape.rank:
        return [tf.constant(0)]
    first = tf.range(tensor.shape[0]) // 2
    return [
        first,
        tf.zeros(tensor.shape[:-1], tf.int32),
        tf.zeros((*tensor.shape[:1], 1), tf.int32),
    ]


def _filters(tensor: Value) -> list[Value]:
    """Filters for a batch of signals or images with channels last."""
    if not tf.is_tensor(tensor) or tensor.shape.rank < 3:
        return []
    n_axes, channels = tensor.shape.rank - 2, tensor.shape[-1]
    return [_numbers((2,) * n_axes + (channels, 2)), _numbers((2,) * n_axes + (channels,))]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
