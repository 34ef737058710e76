"""Dask arrays as arguments: gradients stay lazy, and are those of NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable

import dask
import dask.array as da
import numpy as np
import pytest

import adlsp
from adlsp import runtime as rt

RANDOM = np.random.default_rng(0)
W, X = RANDOM.standard_normal(3), RANDOM.standard_normal((6, 3))
MATRIX, LABELS = RANDOM.standard_normal((3, 4)), np.eye(4)[[0, 1, 2, 3, 0, 1]]


def product(w, x):
    return np.sum(np.tanh(x @ w) ** 2)


def products(w, x):
    return np.sum(np.dot(x, w)) + np.sum(np.einsum("ij,j->i", x, w)) + np.sum(np.outer(x[0], w))


def squares(w, x):
    return np.mean((x @ w - 1.0) ** 2)


def elementwise(w, x):
    return np.sum(np.exp(-x * w) + np.where(x > 0, x * w, 0.0) + np.maximum(x, w))


def deviations(w, x):
    return np.sum(np.std(x * w, axis=0)) + np.var(x * w) + np.mean(np.mean(x * w, axis=1) ** 2)


def slices(w, x):
    top = x[1:] * w
    rows = x.T * w[0] + x.reshape(-1)[0]
    return np.sum(top * top) + np.sum(rows) + np.sum(np.sqrt(x[:, 0] ** 2 + 1.0) * w[1:2])


def joined(w, x):
    return np.sum(np.concatenate([x, x * w]) ** 2) + np.sum(np.stack([x * w, x]) ** 2)


def reductions(w, x):
    y = x * w
    return np.sum(np.prod(y, axis=1)) + np.sum(np.cumsum(y, 0)) + np.max(y) + np.linalg.norm(y)


def entropy(w, x, labels):
    logits = x @ w
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    logsum = np.log(np.sum(np.exp(shifted), axis=1))
    return np.mean(logsum - np.sum(shifted * labels, axis=1))


def branch(w, x, n):
    y = x * w
    for _ in range(n):
        if n > 1:
            y = np.sin(y) + y
    return np.sum(y * y)


CASES = {
    function.__name__: (function, args)
    for function, *args in (
        (product, W, X),
        (products, W, X),
        (squares, W, X),
        (elementwise, W, X),
        (deviations, W, X),
        (slices, W, X),
        (joined, W, X),
        (reductions, W, X),
        (entropy, MATRIX, X, LABELS),
        (branch, W, X, 2),
    )
}


def lazy(x):
    return da.from_array(x, chunks=(2, *x.shape[1:])) if isinstance(x, np.ndarray) else x


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("an array was computed")


def computed(x):
    """The value of lazy arrays, which nothing has computed so far."""
    return dask.compute(x)[0]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("wrt", [0, 1, (0, 1)])
def test_gradients_stay_lazy(name: str, wrt) -> None:
    function, args = CASES[name]
    derived = adlsp.value_and_grad(function, wrt=wrt)
    with dask.config.set(scheduler=refuse):
        given = derived(*map(lazy, args))
    value, bars = given
    assert isinstance(value, da.Array)
    for bar in bars if isinstance(wrt, tuple) else [bars]:
        assert isinstance(bar, da.Array)
    wanted = derived(*args)
    assert [np.shape(x) for x in _flat(given)] == [np.shape(x) for x in _flat(wanted)]
    for one, other in zip(_flat(computed(given)), _flat(wanted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("name", sorted(CASES.keys() - {"slices"}))
def test_weights_of_numpy_get_lazy_gradients(name: str) -> None:
    function, (w, *data) = CASES[name]
    with dask.config.set(scheduler=refuse):
        given = adlsp.grad(function)(w, *map(lazy, data))
    assert isinstance(given, da.Array)
    np.testing.assert_allclose(computed(given), adlsp.grad(function)(w, *data), rtol=1e-12)


@pytest.mark.parametrize("make", [adlsp.jvp, adlsp.hvp])
def test_tangents_stay_lazy(make: Callable[..., Callable[..., object]]) -> None:
    derived = make(elementwise)
    with dask.config.set(scheduler=refuse):
        given = derived(lazy(W), lazy(X), dots=(lazy(W),))
    assert isinstance(given, da.Array)
    np.testing.assert_allclose(computed(given), derived(W, X, dots=(W,)), rtol=1e-12)


def test_single_precision_stays() -> None:
    w, x = W.astype(np.float32), X.astype(np.float32)
    given = adlsp.grad(squares)(lazy(w), lazy(x))
    assert given.dtype == np.float32 == computed(given).dtype


@pytest.mark.parametrize("name", sorted(CASES.keys() - {"entropy", "branch", "joined"}))
def test_unknown_lengths_are_refused(name: str) -> None:
    function, args = CASES[name]
    w, x = args
    kept = x[:, 0] != x[1, 0]
    unknown = lazy(x)[da.from_array(kept, chunks=2)]
    with pytest.raises(ValueError, match="compute_chunk_sizes"):
        adlsp.grad(function)(w, unknown)
    given = adlsp.grad(function, wrt=1)(lazy(w), unknown.compute_chunk_sizes())
    np.testing.assert_allclose(given, adlsp.grad(function, wrt=1)(w, x[kept]), rtol=1e-12)


def picked(x, places):
    return np.sum(x[places] ** 2)


def flat(p, x):
    return np.mean((x @ p[:3] + p[3]) ** 2)


def overlapping(p, x):
    return np.mean((x @ p[:3] + p[2] + p[1]) ** 2)


def test_parts_of_numpy_parameters_are_told_or_computed() -> None:
    p = np.append(W, 0.5)
    np.testing.assert_allclose(adlsp.grad(flat)(p, lazy(X)), adlsp.grad(flat)(p, X))
    told = "`p` is a NumPy array of which parts meet lazy arrays: pass it as a lazy array, too"
    with pytest.raises(NotImplementedError, match=told):
        adlsp.grad(overlapping)(p, lazy(X))
    given = adlsp.grad(flat)(da.from_array(p), lazy(X))
    assert isinstance(given, da.Array)
    np.testing.assert_allclose(given, adlsp.grad(flat)(p, X))


def taken(x, places):
    return np.sum(np.take(x, places) ** 2)


@pytest.mark.parametrize("function", [picked, taken])
def test_places_that_may_occur_twice_are_refused(function: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match="an index that holds arrays: use slices"):
        adlsp.grad(function)(lazy(W), np.array([0, 0, 2]))


def reversed_rows(w, x):
    return np.sum(x[5:1:-2] ** 2) + np.sum(x[..., 0] * w[-1]) + np.sum(x[:, ::-1] * w) + x[-1, 0]


def stored(w, x):
    y = x * w
    y[0] += w
    y[1:] *= 2.0
    y[y > 1.0] = 0.5
    return np.sum(y * y)


@pytest.mark.parametrize("function", [reversed_rows, stored])
@pytest.mark.parametrize("wrt", [0, 1])
def test_parts_and_stores_are_those_of_numpy(function: Callable[..., object], wrt: int) -> None:
    derived = adlsp.grad(function, wrt=wrt)
    with dask.config.set(scheduler=refuse):
        given = derived(lazy(W), lazy(X))
    np.testing.assert_allclose(computed(given), derived(W, X), rtol=1e-12)


def test_numbers_of_elements() -> None:
    assert [rt.size(x) for x in (3.0, X, [1.0, 2.0], lazy(X), rt.like(X))] == [1, 18, 2, 18, 18]


@pytest.mark.parametrize("make", [np.asarray, lazy])
def test_shapes_together(make: Callable[[np.ndarray], object]) -> None:
    assert np.shape(rt.broadcast(make(X), make(W), 2.0)) == (6, 3)


def _flat(x):
    return [leaf for part in x for leaf in _flat(part)] if isinstance(x, tuple) else [x]


def test_gradients_are_checked_and_the_arrays_stay_as_they_were() -> None:
    w, x = lazy(W), lazy(X)
    name = x.name
    adlsp.check_grads(squares, (W, x))
    adlsp.check_grads(elementwise, (w, x), order=2)
    assert x.name == name
    np.testing.assert_array_equal(x, X)
