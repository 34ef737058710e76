"""Each rule for TensorFlow at each of its samples, by `tf.GradientTape`.

Gradients by each name of a rule; by the first one also compiled and tangents, and of every second
sample in single precision and second derivatives against a tape in a tape. The rules that stand for
operators, `tensors.operator.pow`, are tested by the operators.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import thinning
from sample import Sample

import adlsp
from adlsp.library import derivatives, dispatch, subjects
from adlsp.library.asked import Asked
from adlsp.transform import queries
from adlsp.transform.query_cache import Functions, QueryCache
from adlsp.transform.rules import reader, table
from adlsp.transform.values import lattice

tf = pytest.importorskip("tensorflow")

GROUPS = (
    "elementwise",
    "complexes",
    "signal",
    "random",
    "reductions",
    "shaping",
    "selecting",
    "linalg",
    "nn",
    "image",
)

Value = Any

SAMPLES: dict[str, list[Sample]] = {}
for group in GROUPS:
    SAMPLES |= importlib.import_module(f"samples_{group}").SAMPLES

DECLARED = [
    d
    for file in table.FILES
    if file.startswith("tensorflow.") and file != "tensorflow.operators"
    for d in reader.read(table.source(file))[0]
]
DIFFERENTIABLE = [d for d in DECLARED if d.word not in ("constant", "forward")]
NAMES = {
    name: d.functions[0]
    for d in DIFFERENTIABLE
    for name in d.functions
    if not name.startswith("adlsp.")
}


def cases(names: Iterable[str]) -> list[Any]:
    """The samples of some names."""
    return [
        pytest.param(name, number, id=f"{name}-{number}")
        for name in names
        for number in range(len(SAMPLES.get(NAMES[name], ())))
    ]


FIRST_NAMES = {first: name for name, first in reversed(NAMES.items())}.values()
FIRST = cases(FIRST_NAMES)
"""The samples of each rule, by its first name."""

SOME = [case for case in FIRST if case.values[1] % thinning.STEP == 0]
"""Every second one, the first one of each rule at least."""

OTHERS = cases(name for name in NAMES if name not in FIRST_NAMES)
"""The samples of each rule, by each of its other names."""


def of(name: str, number: int) -> Sample:
    return SAMPLES[NAMES[name]][number]


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, ModuleType]]:
    """One module for each name, with a function for each sample and one that gives a number."""
    folder: Path = tmp_path_factory.mktemp("tensors")
    made: dict[str, ModuleType] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(folder / "cache"))
        patch.syspath_prepend(str(folder))
        for count, (name, first) in enumerate(NAMES.items()):
            lines = ["import numpy as np", "import tensorflow as tf", ""]
            for number, sample in enumerate(SAMPLES.get(first, ())):
                call = sample.text.replace("{f}", name.replace("tensorflow.", "tf.", 1))
                parameters = ", ".join(sample.at)
                lines += ["", f"def f{number}({parameters}):", f"    return {call}", ""]
                lines += ["", f"def s{number}({parameters}):"]
                lines += [
                    f"    out = {call}",
                    "    return tf.reduce_sum(out * out * 0.5 + tf.sin(out))",
                    "",
                ]
            module = f"tensor_samples_{count}"
            (folder / f"{module}.py").write_text("\n".join(lines), encoding="utf-8")
            made[name] = importlib.import_module(module)
        yield made
        for module in made.values():
            del sys.modules[module.__name__]


def tensors(sample: Sample, dtype: str = "float64") -> list[Value]:
    """The arguments of a sample; numbers that are no arrays stay as they are."""
    dtype = "float32" if sample.is_single else dtype
    return [
        tf.constant(value, dtype)
        if isinstance(value, np.ndarray) and value.dtype.kind == "f"
        else tf.constant(value)
        if isinstance(value, np.ndarray)
        else value
        for value in sample.at.values()
    ]


def seed(out: Value) -> Value:
    """A gradient of a result, in its structure."""
    random = np.random.default_rng(5)
    return tf.nest.map_structure(
        lambda x: (
            tf.constant(random.normal(size=x.shape), x.dtype)
            if x.dtype.is_floating
            else tf.zeros_like(x)
        ),
        out,
    )


def taped(function: Callable[..., Value], args: list[Value], active: list[int]) -> list[Value]:
    """The gradients by TensorFlow."""
    with tf.GradientTape() as tape:
        for k in active:
            tape.watch(args[k])
        out = function(*args)
    outs = [x for x in tf.nest.flatten(out) if x.dtype.is_floating]
    seeds = [x for x in tf.nest.flatten(seed(out)) if x.dtype.is_floating]
    wrt = [args[k] for k in active]
    return tape.gradient(outs, wrt, seeds, unconnected_gradients="zero")


def differences(
    function: Callable[..., Value], args: list[Value], active: list[int]
) -> list[Value]:
    """The gradients by central differences, in double precision."""
    points = [
        tf.cast(x, tf.float64) if tf.is_tensor(x) and x.dtype.is_floating else x for x in args
    ]
    bar = seed(function(*points))

    def inner(k: int, step: Value) -> float:
        moved = [x + step if i == k else x for i, x in enumerate(points)]
        return float(tf.reduce_sum(function(*moved) * bar))

    made = []
    for k in active:
        shape = points[k].shape
        units = np.eye(shape.num_elements()).reshape((-1, *shape)) * 1e-5
        slopes = [(inner(k, unit) - inner(k, -unit)) / 2e-5 for unit in units]
        made.append(tf.constant(slopes, args[k].dtype, shape))
    return made


def reference(
    sample: Sample, function: Callable[..., Value], args: list[Value]
) -> tuple[list[Value], float]:
    """The gradients by TensorFlow, or by differences, and how near they are."""
    if sample.is_taped:
        return taped(function, args, actives(sample)), 1e-5 if sample.is_single else 1e-10
    return differences(function, args, actives(sample)), 1e-7


def actives(sample: Sample) -> list[int]:
    return [k for k, name in enumerate(sample.at) if name in sample.active]


def close(got: Value, expected: Value, like: Value, tolerance: float) -> None:
    """Compares two gradients, which are tensors of the shape and dtype of a value."""
    assert isinstance(got, tf.Tensor)
    expected = tf.convert_to_tensor(expected)
    assert got.shape == like.shape
    assert got.dtype == like.dtype
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("name", "number"), FIRST)
def test_gradients_and_tangents_agree_with_the_tape(
    functions: dict[str, ModuleType], name: str, number: int
) -> None:
    """Also where `tf.function` compiles the gradient."""
    sample = of(name, number)
    function = getattr(functions[name], f"f{number}")
    args, active = tensors(sample), actives(sample)
    expected, tolerance = reference(sample, function, args)
    derivative = adlsp.vjp(function, wrt=tuple(active))
    out_bar = seed(function(*args))

    @tf.function
    def compiled(*given: Value) -> Value:
        values = list(args)
        for k, value in zip(active, given, strict=True):
            values[k] = value
        return derivative(*values, out_bar=out_bar)

    for found in (derivative(*args, out_bar=out_bar), compiled(*(args[k] for k in active))):
        for k, got, wanted in zip(active, found, expected, strict=True):
            close(got, wanted, args[k], tolerance)

    random = np.random.default_rng(8)
    dots = tuple(tf.constant(random.normal(size=args[k].shape), args[k].dtype) for k in active)
    back = sum(float(tf.reduce_sum(bar * dot)) for bar, dot in zip(expected, dots, strict=True))
    out_dot = adlsp.jvp(function, wrt=tuple(active))(*args, dots=dots)
    pairs = zip(tf.nest.flatten(out_bar), tf.nest.flatten(out_dot), strict=True)
    floats = [(bar, dot) for bar, dot in pairs if bar.dtype.is_floating]
    assert all(bar.shape == dot.shape for bar, dot in floats)
    forth = sum(float(tf.reduce_sum(bar * dot)) for bar, dot in floats)
    np.testing.assert_allclose(forth, back, rtol=10 * tolerance, atol=10 * tolerance)


@pytest.mark.parametrize(("name", "number"), OTHERS)
def test_gradients_by_other_names_agree_with_the_tape(
    functions: dict[str, ModuleType], name: str, number: int
) -> None:
    agree_with_the_tape(functions, name, number, "float64")


@pytest.mark.parametrize(("name", "number"), SOME)
def test_gradients_in_single_precision_agree_with_the_tape(
    functions: dict[str, ModuleType], name: str, number: int
) -> None:
    agree_with_the_tape(functions, name, number, "float32")


def agree_with_the_tape(
    functions: dict[str, ModuleType], name: str, number: int, dtype: str
) -> None:
    sample = of(name, number)
    function = getattr(functions[name], f"f{number}")
    args, active = tensors(sample, dtype), actives(sample)
    expected, tolerance = reference(sample, function, args)
    derivative = adlsp.vjp(function, wrt=tuple(active))
    out_bar = seed(function(*args))
    tolerance = tolerance if dtype == "float64" else 1e-4
    for k, got, wanted in zip(active, derivative(*args, out_bar=out_bar), expected, strict=True):
        close(got, wanted, args[k], tolerance)


@pytest.mark.parametrize(("name", "number"), SOME)
def test_second_derivatives_agree_with_a_tape_in_a_tape(
    functions: dict[str, ModuleType], name: str, number: int
) -> None:
    sample = of(name, number)
    scalar = getattr(functions[name], f"s{number}")
    args, active = tensors(sample), actives(sample)
    if not sample.is_twice or not isinstance(
        getattr(functions[name], f"f{number}")(*args), tf.Tensor
    ):
        pytest.skip("of one result alone")
    random = np.random.default_rng(9)
    first = active[0]
    x = args[first]
    direction = tf.constant(random.normal(size=x.shape), x.dtype)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            value = scalar(*args)
        gradient = inner.gradient(value, x, unconnected_gradients="zero")
    expected = outer.gradient(gradient, x, direction, unconnected_gradients="zero")
    again = adlsp.vjp(adlsp.grad(scalar, wrt=first), wrt=first)
    tolerance = 1e-4 if sample.is_single else 1e-8
    close(again(*args, out_bar=direction), expected, x, tolerance)


def test_every_rule_has_a_sample() -> None:
    assert [first for first in dict.fromkeys(NAMES.values()) if not SAMPLES.get(first)] == []


def test_every_sample_has_a_rule() -> None:
    assert SAMPLES.keys() <= {*NAMES.values()}


def test_every_name_exists() -> None:
    for d in DECLARED:
        for name in d.functions:
            if name.startswith("tensorflow."):
                found = tf
                for part in name.split(".")[1:]:
                    found = getattr(found, part)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("name", "number"), FIRST + OTHERS)
def test_what_is_told_of_results_is_so(
    functions: dict[str, ModuleType], name: str, number: int, dtype: str
) -> None:
    """Shapes and dtypes, as far as they are inferred from those of the arguments."""
    sample = of(name, number)
    function = getattr(functions[name], f"f{number}")
    args = tensors(sample, dtype)
    try:
        result = function(*args)
    except (tf.errors.OpError, TypeError, ValueError):  # what has another dtype is not taken
        assert dtype == "float32"
        return
    live = dict(zip(sample.at, args, strict=True))
    told = dispatch.signature(live)
    sizes = dict(symbols(told, live))
    subject = subjects.subject(function)
    assert subject is not None
    study = derivatives.study(subject, Asked((*sample.at,), True, "vjp", ()))
    users = Functions(study.resolver, QueryCache())
    program = queries.program_of(users, study.request.function, told)
    lowered = program.root(study.request.function)
    assert lowered is not None
    inferred = program.typed(lowered).result
    assert is_so(inferred, result, sizes), inferred


def symbols(told: Mapping[str, lattice.Value], live: Mapping[str, Value]) -> Iterator[Any]:
    """What the symbols in a signature stand for."""
    for name, value in told.items():
        if isinstance(value, lattice.Array) and value.shape is not None:
            for size, known in zip(value.shape, live[name].shape, strict=True):
                if isinstance(size, lattice.Size):
                    yield size.symbol, known


def is_so(told: lattice.Value, value: Value, sizes: Mapping[Any, int]) -> bool:
    """Tells whether a value is one that an abstract value stands for."""
    match told:
        case lattice.Array(dtype, shape, library="tensorflow"):
            if not tf.is_tensor(value) or dtype not in (None, value.dtype.name):
                return False
            if shape is None:
                return True
            pairs = [*zip(shape, value.shape, strict=False)]
            return len(shape) == len(value.shape) and all(is_size(*each, sizes) for each in pairs)
        case lattice.Sequence(items=tuple() as items):
            return len(items) == len(value) and all(
                is_so(item, each, sizes) for item, each in zip(items, value, strict=True)
            )
        case lattice.Number():
            return not tf.is_tensor(value)
    return not isinstance(told, lattice.Array)


def is_size(told: lattice.Dimension, size: int, sizes: Mapping[Any, int]) -> bool:
    match told:
        case lattice.Size(symbol, plus):
            return symbol not in sizes or sizes[symbol] + plus == size
    return told is None or told == size
