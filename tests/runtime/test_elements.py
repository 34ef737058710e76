"""Gradients of what moves, repeats and selects elements: what the samples of the rules do not show.

That they are the transposes of NumPy's functions is tested with the rules.
"""

from typing import Any

import numpy as np
import pytest

from adlsp import runtime as rt


def test_what_was_joined_is_taken_apart_into_a_list() -> None:
    parts = rt.split_bar(np.arange(5.0), (np.ones(2), np.ones(3)))
    assert isinstance(parts, list)
    np.testing.assert_array_equal(parts[0], [0, 1])
    np.testing.assert_array_equal(parts[1], [2, 3, 4])


def test_an_array_of_arrays_gets_an_array() -> None:
    stacked = np.ones((2, 3))
    parts = rt.split_bar(np.arange(6.0), stacked)
    assert isinstance(parts, np.ndarray)
    np.testing.assert_array_equal(parts, np.arange(6.0).reshape(2, 3))


def test_numbers_that_were_stacked_get_numbers() -> None:
    first, second = rt.split_bar(np.array([1.0, 2.0]), [0.5, 0.5])
    assert (np.ndim(first), first, np.ndim(second), second) == (0, 1.0, 0, 2.0)


def test_parts_have_the_dtype_of_what_was_joined() -> None:
    parts = rt.split_bar(np.arange(4.0), [np.ones(2, np.float32), np.ones(2, int)])
    assert [part.dtype for part in parts] == [np.float32, np.float64]


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_joining_is_the_opposite_of_splitting(axis: int | None) -> None:
    arrays = [np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 2))]
    whole = np.concatenate(arrays, axis)
    out_bar = np.arange(12.0).reshape(whole.shape)
    parts = rt.split_bar(out_bar, arrays, axis)
    np.testing.assert_array_equal(rt.join(parts, whole.shape, axis), out_bar)


def test_nothing_can_be_put_together() -> None:
    assert rt.join([], (0,)).shape == (0,)


@pytest.mark.parametrize(("dtype", "passes"), [(float, True), ("f4", True), (int, False)])
def test_no_gradient_passes_through_integers(dtype: Any, passes: bool) -> None:
    g = np.array([1.5, -2.5])
    np.testing.assert_array_equal(rt.cast(g, dtype), g * passes)


def test_booleans_cut_a_gradient_too() -> None:
    assert rt.cast(np.ones(2), np.bool_).dtype == np.float64
    assert not rt.cast(np.ones(2), np.bool_).any()


def test_a_difference_of_too_few_elements_has_no_gradient() -> None:
    np.testing.assert_array_equal(rt.diff_bar(np.ones((0, 2)), (3, 2), 3, 0), np.zeros((3, 2)))
    np.testing.assert_array_equal(rt.diff_bar(np.ones((0, 2)), (3, 2), 5, 0), np.zeros((3, 2)))


@pytest.mark.parametrize("n_zeros", [0, 1, 2, 3])
def test_the_product_of_others_divides_by_nothing(n_zeros: int) -> None:
    a = np.array([2.0, 3.0, 4.0])
    a[:n_zeros] = 0
    expected = [np.prod(np.delete(a, i)) for i in range(3)]
    np.testing.assert_array_equal(rt.product_of_others(a), expected)


def test_the_sum_of_a_list_gives_each_element_its_shape() -> None:
    array, number = rt.sum_bar(np.ones((2, 3)), [np.ones(3), 1.0])
    np.testing.assert_array_equal(array, [2, 2, 2])
    assert number == 6.0
    np.testing.assert_array_equal(rt.sum_bar(2.0, rt.like(np.ones(3))), [2, 2, 2])


@pytest.mark.parametrize(
    ("subscripts", "position", "expected"),
    [
        ("ij,jk->ik", 0, "ik,jk->ij"),
        ("ij,jk->ik", 1, "ij,ik->jk"),
        ("ij , jk", 0, "ik,jk->ij"),
        ("ii", 0, "->"),
        ("ij->i", 0, "i->i"),
        ("...i,i", 1, "...i,...->...i"),
    ],
)
def test_subscripts_of_gradients(subscripts: str, position: int, expected: str) -> None:
    assert rt.einsum_back(subscripts, position) == expected


@pytest.mark.parametrize("x", [0.0, 1e-8, 1e-3, 0.4, 0.6, 1.3, -2.5, 40.0])
def test_slopes_of_sinc_are_those_of_its_integral(x: float) -> None:
    t = (np.arange(4000) + 0.5) / 4000
    for n in (1, 2, 3):
        exact = np.mean((np.pi * t) ** n * np.cos(np.pi * x * t + n * np.pi / 2))
        np.testing.assert_allclose(rt.sinc_slope(x, n), exact, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("a", "b", "slope"), [(2.0, 1.0, 1.0), (1.0, 2.0, 0.0), (1.5, 1.5, 0.5)])
def test_the_larger_of_two_numbers(a: float, b: float, slope: float) -> None:
    assert rt.larger(a, b) == slope
    assert type(rt.larger(np.float64(a), np.array(b))) is float
