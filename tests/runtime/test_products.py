"""Gradients of products in corners that the rules' samples do not reach."""

from typing import Any

import numpy as np
import pytest

from adlsp import runtime as rt

SHAPES = [
    (np.matmul, rt.matmul_bar_a, rt.matmul_bar_b, (2, 3), (3, 4)),
    (np.matmul, rt.matmul_bar_a, rt.matmul_bar_b, (5, 2, 3), (3,)),
    (np.dot, rt.dot_bar_a, rt.dot_bar_b, (2, 3), (4, 3, 2)),
    (np.dot, rt.dot_bar_a, rt.dot_bar_b, (3,), (3,)),
    (np.inner, rt.inner_bar_a, rt.inner_bar_b, (2, 3), (4, 3)),
]


@pytest.mark.parametrize(("product", "bar_a", "bar_b", "left", "right"), SHAPES)
def test_a_shape_is_enough_for_the_argument_whose_gradient_is_asked(
    product: Any, bar_a: Any, bar_b: Any, left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    random = np.random.default_rng(1)
    a, b = random.normal(size=left), random.normal(size=right)
    out_bar = random.normal(size=product(a, b).shape)
    np.testing.assert_array_equal(bar_a(out_bar, rt.like(a), b), bar_a(out_bar, a, b))
    np.testing.assert_array_equal(bar_b(out_bar, a, rt.like(b)), bar_b(out_bar, a, b))


@pytest.mark.parametrize(("product", "bar_a", "bar_b", "left", "right"), SHAPES)
def test_each_gradient_has_the_dtype_of_its_argument(
    product: Any, bar_a: Any, bar_b: Any, left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    a, b = np.ones(left, np.float32), np.ones(right)
    out_bar = np.ones(product(a, b).shape)
    assert bar_a(out_bar, a, b).dtype == np.float32
    assert bar_b(out_bar, a, b).dtype == np.float64


@pytest.mark.parametrize(
    ("bar_a", "bar_b"), [(rt.matmul_bar_a, rt.matmul_bar_b), (rt.dot_bar_a, rt.dot_bar_b)]
)
@pytest.mark.parametrize("inner", [(), (2,)])
def test_the_gradient_of_what_was_transposed_lies_by_columns(
    bar_a: Any, bar_b: Any, inner: tuple[int, ...]
) -> None:
    random = np.random.default_rng(1)
    matrix, other = random.normal(size=(4, 3)).T, random.normal(size=(4, *inner))
    out_bar = random.normal(size=(3, *inner))
    a_bar = bar_a(out_bar, matrix, other)
    assert a_bar.flags.fnc
    np.testing.assert_allclose(a_bar, bar_a(out_bar, matrix.copy(), other), rtol=1e-14)
    b_bar = bar_b(np.ones((2, 4)), np.ones((2, 3)), np.ones((4, 3)).T)
    assert b_bar.flags.fnc
    np.testing.assert_array_equal(b_bar, np.full((3, 4), 2.0))
    row = np.arange(4.0)
    b_bar = bar_b(row, np.arange(3.0), np.ones((4, 3)).T)
    assert b_bar.flags.fnc
    np.testing.assert_array_equal(b_bar, np.outer(np.arange(3.0), row))


def test_numbers_may_take_part_in_dot() -> None:
    assert rt.dot_bar_a(2.0, 3.0, 4.0) == 8.0
    assert rt.dot_bar_b(np.ones(3), np.arange(3.0), 4.0) == 3.0


@pytest.mark.parametrize("shape", [(2,), (2, 2)])
def test_less_than_a_stack_of_matrices_for_a_stack_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="only where `b` is a stack"):
        rt.solve_transposed(np.stack([np.eye(2)] * 2), np.ones((2, 2)), np.ones(shape))


def test_the_further_columns_of_a_tall_matrix_are_refused() -> None:
    with pytest.raises(ValueError, match='mode="economic" only'):
        rt.not_tall(np.ones((3, 2)))


@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 3])
def test_the_gradient_of_a_trace_lies_on_its_diagonal(offset: int) -> None:
    np.testing.assert_array_equal(rt.trace_bar(2.0, (3, 4), offset), 2 * np.eye(3, 4, offset))
