"""Gradients belong to their caller: they share nothing with arguments, seeds, or each other."""

import itertools

import numpy as np
import pytest

import adlsp

OFFSET = np.array([1.0, 2.0])


def added(x, y):
    return x + y


def repeated(x, y):
    return np.sum(x + y)


def viewed(x, y):
    return x[::-1] * y.T


def reshaped(x, y):
    return np.reshape(x, (2,)) + np.ravel(y)


def shared(x, y):
    z = x
    return z * OFFSET + y


def biased(x, y):
    h = np.tanh(x) + y
    return np.sum(h + y)


def stored(x, y):
    z = np.zeros(2)
    z[:] = x
    z += y
    return z


def looped(x, y):
    total = x
    for _ in range(2):
        total = total + y
    return total


def packed(x, y):
    return {"sum": x + y, "first": x}


def callee(x):
    return x


def called(x, y):
    return callee(x) + callee(y)


@pytest.mark.parametrize(
    "f",
    [added, repeated, viewed, reshaped, shared, biased, stored, looped, packed, called],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("kind", [adlsp.vjp, adlsp.value_and_grad])
def test_gradients_share_nothing(f, kind):
    x, y = np.array([0.5, -1.0]), np.array([2.0, 1.5])
    value = f(x, y)
    out_bar = {k: np.ones(2) for k in value} if isinstance(value, dict) else np.ones_like(value)
    found = kind(f, ("x", "y"))(x, y, out_bar=out_bar)
    gradients = found[1] if kind is adlsp.value_and_grad else found
    seeds = list(out_bar.values()) if isinstance(out_bar, dict) else [out_bar]
    for gradient, other in itertools.product(gradients, [x, y, OFFSET, *seeds]):
        assert not np.shares_memory(gradient, other)
    assert not np.shares_memory(*gradients)
    for gradient in gradients:
        gradient += 1.0


def added_up(xs, y):
    return np.sum(sum(xs) * y)


def stacked(xs, y):
    return np.sum(np.stack(xs) * y)


def taken_apart(xs, y):
    first, *rest = xs
    return np.sum(first * y) + np.sum(sum(rest) * y)


@pytest.mark.parametrize("f", [added_up, stacked, taken_apart], ids=lambda f: f.__name__)
@pytest.mark.parametrize("count", [3, 150])
def test_gradients_of_the_elements_of_a_list_share_nothing(f, count):
    y = np.arange(3.0)
    gradients = adlsp.grad(f)([y + k for k in range(count)], y)
    for one, other in itertools.combinations([*gradients, y], 2):
        assert not np.shares_memory(one, other)


def returned_early(x, s, n):
    v = np.cos(x)
    v[:2] += v[1:] * s
    if n < 100:
        return v
    return v * 2.0


def test_what_is_given_back_is_kept_from_the_backward_sweep():
    """That undoes what was stored into the array, which one of two ways gives back."""
    x = np.array([0.4, -0.7, 1.1])
    for n in (3, 300):
        value, _ = adlsp.value_and_grad(returned_early)(x, 0.5, n, out_bar=np.ones(3))
        np.testing.assert_array_equal(value, returned_early(x, 0.5, n))
