"""Growing arrays: every version against a plain copy, what they refuse, and what they cost."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adlsp
from adlsp import runtime as rt
from adlsp.runtime import growth

Pair = tuple[Any, Any]
"""A growing array, and the plain array that it stands for."""


# every version against a plain copy


@st.composite
def steps(draw: Any) -> tuple[tuple[int, ...], bool, list[tuple[str, int, int, float]]]:
    """The shape of an element, whether the first version is a zero, and what is done."""
    action = st.sampled_from(["append", "setitem", "slice", "shorten", "store", "copy", "add"])
    step = st.tuples(action, st.integers(0, 30), st.integers(-30, 30), st.floats(-4, 4, width=32))
    shape = draw(st.sampled_from([(), (2,), (2, 3)]))
    return shape, draw(st.booleans()), draw(st.lists(step, max_size=30))


def after(action: str, pairs: list[Pair], number: int, where: int, value: float) -> Pair | None:
    """What one step makes of one of the versions; None for a step that changes one in place."""
    s, plain = pairs[-1 - number % 3 if len(pairs) > 3 else -1]
    n, shape = len(plain), plain.shape[1:]
    element = value + np.arange(np.prod(shape, dtype=int)).reshape(shape)
    match action:
        case "append":
            whole = np.concatenate([plain, element.reshape(1, *shape)])
            return rt.append(s, element if shape else value), whole
        case "copy":
            return s.copy(), plain.copy()
        case "add":
            t, other = pairs[number % len(pairs)]
            return (s + t, plain + other) if other.shape == plain.shape else None
        case "slice":
            index = slice(where // 2, where)
            changed = plain.copy()
            changed[index] = element
            return rt.setitem(s, index, element), changed
    if not n:
        return None
    index = where % n - (n if where < 0 else 0)
    match action:
        case "shorten":
            return rt.shorten(s), plain[:-1].copy()
        case "store":
            s[index] = element
            plain[index] = element
            return None
    changed = plain.copy()
    changed[index] = value
    return rt.setitem(s, index, value), changed


@settings(max_examples=300, deadline=None)
@given(steps())
def test_every_version_stays_as_it_was(
    given: tuple[tuple[int, ...], bool, list[tuple[str, int, int, float]]],
) -> None:
    shape, is_zero, actions = given
    plain = np.zeros((20 if is_zero else 3, *shape))
    pairs = [(rt.zeros(rt.growing(plain)) if is_zero else rt.growing(plain), plain)]
    for action, number, where, value in actions:
        made = after(action, pairs, number, where, value)
        pairs += [] if made is None else [made]
        s, plain = pairs[number % len(pairs)]
        assert s.shape == plain.shape
        for i in range(-len(plain), len(plain), 4):
            np.testing.assert_array_equal(s[i], plain[i])
    for s, plain in pairs:
        np.testing.assert_array_equal(np.asarray(s), plain)


def test_two_versions_may_be_read_in_turn() -> None:
    first = rt.growing([0.0, 1.0])
    last = first
    for i in range(200):
        last = rt.setitem(last, 0, float(i))
    for _ in range(3):
        assert (first[0], last[0]) == (0.0, 199.0)


def test_many_versions_go_away_at_once() -> None:
    first = s = rt.growing([0.0])
    for _ in range(200_000):
        s = rt.append(s, 1.0)
    del first
    assert len(s) == 200_001
    first = s
    for _ in range(200_000):
        s = rt.setitem(s, 0, 1.0)
    assert first[0] == 0.0
    del s, first


# an array in all that reads it


def test_it_is_read_as_an_array() -> None:
    plain = np.arange(12.0).reshape(4, 3)
    s = rt.append(rt.growing(plain[:3]), plain[3])
    for index in (1, -1, np.int64(2), slice(1, 3), (0, 2), (slice(None), 1), ..., [0, 2], None):
        np.testing.assert_array_equal(s[index], plain[index])
    assert (len(s), s.shape, s.ndim, s.size, s.dtype) == (4, (4, 3), 2, 12, plain.dtype)
    np.testing.assert_array_equal(np.tanh(s) + 2.0 * s, np.tanh(plain) + 2.0 * plain)
    np.testing.assert_array_equal(np.sum(s, axis=0), np.sum(plain, axis=0))
    np.testing.assert_array_equal(s @ np.ones(3), plain @ np.ones(3))
    np.testing.assert_array_equal(np.concatenate([s, plain]), np.concatenate([plain, plain]))
    assert [float(row[0]) for row in s] == [0.0, 3.0, 6.0, 9.0]
    assert repr(rt.growing([1.0, 2.0])) == "growing(array([1., 2.]))"


def test_what_is_read_is_a_copy() -> None:
    s = rt.growing(np.zeros((2, 2)))
    row, whole = s[0], np.asarray(s)
    row[0], whole[1, 1] = 1.0, 1.0
    assert not np.any(s)


def test_it_is_changed_as_an_array() -> None:
    s = rt.growing([1.0, 2.0, 3.0])
    other, name = s.copy(), s
    s[1] += 5.0
    s[-1:] = 0.0
    name += 1.0
    np.testing.assert_array_equal(np.asarray(s), [2.0, 8.0, 1.0])
    np.testing.assert_array_equal(np.asarray(other), [1.0, 2.0, 3.0])


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda s: s.copy()])
def test_a_copy_is_changed_alone(duplicate: Callable[[Any], Any]) -> None:
    s = rt.growing([1.0, 2.0])
    other = duplicate(s)
    s[0] = 5.0
    other[1] = 6.0
    assert (list(s), list(other)) == ([5.0, 2.0], [1.0, 6.0])


def test_it_can_be_stored() -> None:
    s = rt.append(rt.growing(np.ones(2, np.float32)), 3.0)
    back = pickle.loads(pickle.dumps(s))
    assert (list(back), back.dtype) == ([1.0, 1.0, 3.0], np.float32)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
def test_the_dtype_stays(dtype: Any) -> None:
    s = rt.append(rt.growing(np.ones(2, dtype)), 2.0)
    s = rt.setitem(s, 0, np.float64(3.0))
    assert s.dtype == rt.shorten(s).dtype == rt.zeros(s).dtype == np.asarray(s).dtype == dtype


def test_gradients_are_added_in_place() -> None:
    s = rt.growing(np.ones(100_000))
    one, other = rt.zeros(s), rt.zeros(s)
    same = one
    one[3] += 2.0
    other[3] += 0.5
    one += other
    other[3] = 7.0
    assert one is same
    assert (one[3], other[3], len(one._version.elements.touched)) == (2.5, 7.0, 1)


def test_integers_have_a_gradient_of_floats() -> None:
    assert rt.zeros(rt.growing([1, 2])).dtype == np.float64


# what is refused


@pytest.mark.parametrize("values", [3.0, "text", ["text"], [None]])
def test_only_arrays_of_numbers_grow(values: Any) -> None:
    with pytest.raises(TypeError, match="growing array"):
        rt.growing(values)


@pytest.mark.parametrize("s", [np.ones(2), [1.0, 2.0], 3.0])
def test_a_plain_array_is_not_taken_for_one_that_grows(s: Any) -> None:
    with pytest.raises(TypeError, match="make it a growing array"):
        rt.append(s, 1.0)
    with pytest.raises(TypeError, match="make it a growing array"):
        rt.setitem(s, 0, 1.0)


def test_a_number_that_does_not_fit_is_refused() -> None:
    whole = rt.growing([1, 2])
    with pytest.raises(TypeError, match="int64 cannot hold float64"):
        rt.append(whole, 1.5)
    with pytest.raises(TypeError, match="int64 cannot hold float64"):
        whole[0] = 1.5
    with pytest.raises(TypeError, match="float64 cannot hold complex128"):
        rt.setitem(rt.growing([1.0]), 0, 1j)
    with pytest.raises(TypeError, match="float64 cannot hold <U1"):
        rt.append(rt.growing(), "a")


@pytest.mark.parametrize("value", [np.ones(3), np.ones((1, 2)), np.ones(1)])
def test_an_element_of_another_shape_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        rt.append(rt.growing(np.ones((2, 2))), value)


@pytest.mark.parametrize("index", [2, -3, (5, 0), [0, 1], True, np.array([True, False]), "x", 0.0])
def test_a_place_that_is_none_is_refused(index: Any) -> None:
    s = rt.growing(np.ones((2, 2)))
    with pytest.raises(IndexError):
        rt.setitem(s, index, 0.0)
    np.testing.assert_array_equal(np.asarray(s), np.ones((2, 2)))


def test_nothing_can_be_taken_from_an_empty_one() -> None:
    with pytest.raises(IndexError, match="cannot be shortened"):
        rt.shorten(rt.growing())
    with pytest.raises(IndexError):
        rt.growing()[0]


# what it costs


@contextmanager
def counted() -> Iterator[list[int]]:
    """Counts the numbers that are read from and written to elements, and copied as a whole."""
    count = [0]
    before = {}

    def counting(kind: type, name: str) -> None:
        plain = before[kind, name] = getattr(kind, name)

        def method(elements: Any, length: int, *args: Any) -> Any:
            found = plain(elements, length, *args)
            count[0] += int(np.size(found))
            return found

        setattr(kind, name, method)

    for kind in (growth._Dense, growth._Sparse):
        for name in ("part", "whole", "put", "exchange", "grow", "shrink"):
            counting(kind, name)
    try:
        yield count
    finally:
        for (kind, name), plain in before.items():
            setattr(kind, name, plain)


def chain(x: Any, n: Any) -> Any:
    """Grows, and edits what is there."""
    s = rt.growing(x)
    for i in range(n):
        s = rt.append(s, np.sin(s[-1] + s[i]))
        s = rt.setitem(s, i, s[i] * s[i + 1])
    return s[-1] * s[0]


def proposals(x: Any, n: Any) -> Any:
    """Reads versions that were left behind, of an array that is long from the start."""
    s = rt.growing(x)
    total = 0.0
    for i in range(n):
        trial = rt.setitem(s, i, np.cos(s[i]))
        total = total + trial[i] * s[i]
        if trial[i] < 0.8:
            s = trial
    return total


def edited(s: Any, x: Any) -> Any:
    """Grows what it is given."""
    s = rt.append(s, x * s[0])
    return s[-1] * s[1]


def test_a_gradient_for_a_growing_array_can_be_checked() -> None:
    s = rt.growing([0.5, 1.5])
    adlsp.check_grads(edited, (s, 0.3))
    gradient = adlsp.grad(edited)(s, 0.3)
    assert isinstance(gradient, rt.Growing)
    np.testing.assert_allclose(np.asarray(gradient), [0.45, 0.15])
    out_dot = adlsp.jvp(edited)(s, 0.3, dots=(rt.growing([1.0, -1.0]),))
    np.testing.assert_allclose(out_dot, 0.3)
    hessian = adlsp.hessian(edited)(s, 0.3)
    np.testing.assert_allclose(hessian, [[0.0, 0.3], [0.3, 0.0]])


def work(f: Callable[..., Any], x: Any, n: int) -> int:
    with counted() as count:
        f(x, n)
    return count[0]


@pytest.mark.parametrize("f", [chain, proposals])
def test_a_gradient_costs_what_is_touched(f: Callable[..., Any]) -> None:
    gradient = adlsp.grad(f)
    adlsp.check_grads(f, (np.linspace(0.1, 0.9, 12), 9), wrt=0)
    short, long = np.linspace(0.1, 0.9, 450), np.linspace(0.1, 0.9, 4500)
    steps = [work(gradient, x, 400) - work(gradient, x, 200) for x in (short, long)]
    assert max(steps) < 40 * 200
    assert work(gradient, long, 200) - work(gradient, short, 200) < 4 * (len(long) - len(short))


def test_versions_share_their_memory() -> None:
    s = rt.growing(np.zeros(100_000))
    kept = [s]
    tracemalloc.start()
    for i in range(1000):
        s = rt.setitem(s, i, 1.0)
        kept.append(s)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1000 * 500
    assert [float(np.sum(version[:3])) for version in kept[:4]] == [0.0, 1.0, 2.0, 3.0]
