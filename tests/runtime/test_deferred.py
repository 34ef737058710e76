"""Products that are multiplied later: the same sums as of products that are multiplied at once."""

from typing import Any

import numpy as np
import pytest

from adlsp import runtime as rt
from adlsp.runtime import deferred

RANDOM = np.random.default_rng(5)

LARGE = (deferred.LEAST // 40, 50)

FACTORS = [
    (rt.matmul_factors_a, rt.matmul_bar_a, lambda m, n: (RANDOM.normal(size=m), None, _of(n))),
    (rt.dot_factors_a, rt.dot_bar_a, lambda m, n: (RANDOM.normal(size=m), None, _of(n))),
    (rt.matmul_factors_a, rt.matmul_bar_a, lambda m, n: (_of(m, 3), None, _of(n, 3))),
    (rt.matmul_factors_b, rt.matmul_bar_b, lambda m, n: (_of(n), _of(m), None)),
    (rt.dot_factors_b, rt.dot_bar_b, lambda m, n: (_of(n), _of(m), None)),
    (rt.matmul_factors_b, rt.matmul_bar_b, lambda m, n: (_of(3, n), _of(3, m), None)),
]


def _of(*shape: int) -> Any:
    return RANDOM.normal(size=shape)


def _given(arguments: Any, like: Any) -> list[Any]:
    return [like if each is None else each for each in arguments(*like.shape)]


@pytest.mark.parametrize(("factors", "product", "arguments"), FACTORS)
@pytest.mark.parametrize("shape", [LARGE, LARGE[::-1], (4, 3)])
def test_what_is_added_later_is_the_same(
    factors: Any, product: Any, arguments: Any, shape: tuple[int, int]
) -> None:
    x = np.ones(shape)
    x_bar, expected = rt.products(x), np.zeros(shape)
    for _ in range(deferred.ROOM + 5):
        given = _given(arguments, x)
        x_bar += factors(*given)
        expected += product(*given)
    x_bar += x
    np.testing.assert_allclose(rt.summed(x_bar), expected + x, rtol=1e-12, atol=1e-12)


PARTS = [
    np.s_[:, 3:],
    np.s_[5:, 1:4],
    np.s_[::-1, :],
    np.s_[2:],
    np.s_[:3, :2],
]


@pytest.mark.parametrize("index", PARTS)
def test_parts_are_added_to_where_they_are(index: Any) -> None:
    x = np.ones(LARGE)
    x_bar, expected = rt.products(x), np.zeros(LARGE)
    for number in range(deferred.ROOM + 5):
        a, out_bar = _of(x[index].shape[0]), _of(x[index].shape[1])
        x_bar[index] += rt.matmul_factors_b(out_bar, a, x[index])
        x_bar[:, number % 7] += a[0]
        expected[index] += np.outer(a, out_bar)
        expected[:, number % 7] += a[0]
    np.testing.assert_allclose(rt.summed(x_bar), expected, rtol=1e-12, atol=1e-12)


def test_factors_are_taken_as_they_are_when_they_are_added() -> None:
    x = np.ones(LARGE)
    column, row = np.ones(LARGE[0]), np.ones(LARGE[1])
    x_bar = rt.products(x)
    x_bar += rt.matmul_factors_a(column, x, row)
    column[:] = row[:] = 7.0
    np.testing.assert_array_equal(rt.summed(x_bar), x)


@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_gets_a_product_in_place(order: Any) -> None:
    shape = (700, 300)
    x_bar = np.asarray(_of(*shape), order=order)
    column, row = _of(shape[0]), _of(shape[1])
    expected, held = x_bar + np.outer(column, row), x_bar
    x_bar += rt.matmul_factors_b(column, row, np.ones(shape[::-1])).T
    assert x_bar is held
    np.testing.assert_allclose(x_bar, expected, rtol=1e-14)


def test_a_list_of_gradients_may_hold_the_number_zero() -> None:
    x = np.ones(LARGE)
    gradients = rt.zeros([x])
    gradients[:] = 0
    gradients[0] += rt.matmul_factors_a(x[:, 0], x, x[0])
    np.testing.assert_array_equal(gradients[0], x)


@pytest.mark.parametrize(
    "x", [np.ones(LARGE, np.float32), np.ones(LARGE, complex), [1.0, 2.0], 1.0]
)
def test_all_else_is_added_at_once(x: Any) -> None:
    assert type(rt.products(x)) is type(rt.zeros(x))
    assert rt.summed(x) is x
