"""Calls of functions that change their arguments, on copies."""

from typing import Any

import numpy as np
import pytest

from adlsp import runtime as rt


def fill(a: Any, n: int, b: Any = None) -> int:
    a[0] = n
    if b is not None:
        b[0] = 2 * n
    return n + 1


def test_the_arguments_are_left_alone_and_the_copies_given_back() -> None:
    a, b = np.zeros(2), [0.0, 0.0]
    result, changed_a, changed_b = rt.called(fill, ("a", "b"), a, 3, b=b)
    assert (result, changed_a.tolist(), changed_b) == (4, [3.0, 0.0], [6, 0.0])
    assert (a.tolist(), b) == ([0.0, 0.0], [0.0, 0.0])


def test_one_copy_is_given_as_it_is_and_several_in_a_tuple() -> None:
    assert rt.changed(fill, ("a",), np.zeros(2), 3).tolist() == [3.0, 0.0]
    first, second = rt.changed(fill, ("a", "b"), np.zeros(1), 3, np.zeros(1))
    assert (first.tolist(), second.tolist()) == ([3.0], [6.0])


def test_a_number_cannot_be_changed_for_the_caller() -> None:
    x = np.ones(2)
    assert rt.changeable(x) is not x
    with pytest.raises(TypeError, match="AD302"):
        rt.changeable(1.5)


def test_a_part_is_what_changes_its_owner() -> None:
    x, rows = np.zeros((3, 3)), [np.zeros(2), [0.0]]
    assert rt.is_part(x[1], x)
    assert not rt.is_part(x[[1, 2]], x)
    assert not rt.is_part(x[x > 0], x)
    assert not rt.is_part(x[1, 1], x)
    assert all(rt.is_part(row, rows) for row in rows)


def test_a_slice_of_a_list_is_a_list_of_its_own() -> None:
    numbers, nested = [1.0, 2.0], [[1.0], [2.0]]
    assert not rt.is_part(numbers[:1], numbers)
    assert rt.is_part(nested[0], nested)
    with pytest.raises(TypeError, match="AD303"):
        rt.is_part(nested[:1], nested)
