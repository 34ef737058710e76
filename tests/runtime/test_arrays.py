"""Gradients of values: shapes, dtypes, copies, containers, and what is refused."""

from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from adlsp import runtime as rt

Pair = namedtuple("Pair", "left right")


def arange(*shape: int, dtype: Any = float) -> Any:
    return np.arange(np.prod(shape, dtype=int), dtype=dtype).reshape(shape)


# unbroadcast


def test_a_gradient_that_fits_is_returned_itself() -> None:
    x_bar = arange(2, 3)
    assert rt.unbroadcast(x_bar, np.ones((2, 3))) is x_bar
    assert rt.unbroadcast(x_bar, rt.like(np.ones((2, 3)))) is x_bar
    number = 2.5
    assert rt.unbroadcast(number, 1.0) is number


@pytest.mark.parametrize("shape", [(4,), (3, 4), (1, 4), (3, 1), (1, 1), (1,), (), (2, 1, 4)])
def test_a_gradient_is_summed_to_the_shape_that_was_broadcast(shape: tuple[int, ...]) -> None:
    x_bar, x = arange(2, 3, 4), np.zeros(shape)
    summed = rt.unbroadcast(x_bar, x)
    assert np.shape(summed) == shape
    for index in np.ndindex(*shape):
        x[...] = 0
        x[index] = 1
        assert np.sum(np.broadcast_to(x, x_bar.shape) * x_bar) == summed[index]


def test_an_empty_gradient_sums_to_zero() -> None:
    np.testing.assert_array_equal(rt.unbroadcast(np.ones((0, 3)), np.ones(3)), np.zeros(3))
    assert rt.unbroadcast(np.ones((0,)), 1.0) == 0.0


def test_axes_of_length_one_come_back() -> None:
    np.testing.assert_array_equal(rt.unbroadcast(np.ones(3), np.zeros((1, 3))), np.ones((1, 3)))
    np.testing.assert_array_equal(rt.unbroadcast(np.ones(3), np.zeros((1, 1))), [[3.0]])
    np.testing.assert_array_equal(rt.unbroadcast(2.0, np.zeros((1, 1))), [[2.0]])
    np.testing.assert_array_equal(rt.stretch(np.ones((1, 3)), (3,)), np.ones(3))
    np.testing.assert_array_equal(rt.stretch(np.ones((1, 1)), (3,)), np.ones(3))
    with pytest.raises(ValueError, match="dimensions"):
        rt.stretch(np.ones((2, 3)), (3,))


@pytest.mark.parametrize("shape", [(2,), (4, 3, 4), (3, 3), (5, 2, 3, 4)])
def test_a_gradient_that_cannot_fit_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        rt.unbroadcast(arange(2, 3, 4), np.zeros(shape))


def test_the_gradient_of_a_real_value_is_real_and_has_its_dtype() -> None:
    assert rt.unbroadcast(np.array([1 + 2j]), np.array([1.0])).dtype == np.float64
    assert rt.unbroadcast(1 + 2j, 1.0) == 1.0
    assert rt.unbroadcast(np.ones(3), np.ones(3, np.float32)).dtype == np.float32
    assert rt.unbroadcast(np.ones(3, np.float32), np.ones(3)).dtype == np.float64
    assert rt.unbroadcast(np.ones((2, 3)), np.float32(1)).dtype == np.float32
    assert isinstance(rt.unbroadcast(2.0, np.float32(1)), np.float32)
    assert rt.unbroadcast(np.array([1.0]), np.array([1j])).dtype == np.complex128


def test_the_gradient_of_an_integer_is_not_rounded() -> None:
    half = rt.unbroadcast(np.array([0.5, 0.25]), np.array([1, 2]))
    np.testing.assert_array_equal(half, [0.5, 0.25])
    assert rt.unbroadcast(0.5, 1) == 0.5


# expand and count


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1, -1, np.int64(1), (0, 2), (-1, 0), (0, 1, 2), ()])
def test_expanding_is_the_adjoint_of_a_sum(axis: Any, keepdims: bool) -> None:
    x = arange(2, 3, 4)
    out_bar = np.cos(np.sum(x, axis=axis, keepdims=keepdims))
    x_bar = rt.expand(out_bar, x.shape, axis, keepdims)
    assert x_bar.shape == x.shape
    x_dot = np.sin(x)
    forth = np.sum(out_bar * np.sum(x_dot, axis=axis, keepdims=keepdims))
    np.testing.assert_allclose(np.sum(x_bar * x_dot), forth, rtol=1e-13)


def test_expanding_a_number() -> None:
    np.testing.assert_array_equal(rt.expand(2.0, (2, 3)), np.full((2, 3), 2.0))
    np.testing.assert_array_equal(rt.expand(np.float32(2), (2,)), np.full(2, 2.0, np.float32))
    assert rt.expand(np.float32(2), (2,)).dtype == np.float32
    assert rt.expand(2.0, (0, 3)).shape == (0, 3)
    assert rt.expand(2.0, ()) == 2.0
    assert np.shape(rt.expand(np.array(2.0), ())) == ()


def test_what_expand_shares_with_its_argument_cannot_be_written_to() -> None:
    for out_bar, shape, axis in [(2.0, (2, 3), None), (np.ones(3), (2, 3), 0)]:
        with pytest.raises(ValueError, match="read-only"):
            rt.expand(out_bar, shape, axis)[...] = 1


def test_a_gradient_that_is_no_such_sum_is_not_expanded() -> None:
    with pytest.raises(ValueError, match=r"reshape|broadcast"):
        rt.expand(np.ones(4), (2, 3), 0)


@pytest.mark.parametrize("axis", [None, 0, -1, np.int64(1), (0, 2), ()])
def test_counting_the_elements_of_a_reduction(axis: Any) -> None:
    x = np.ones((2, 3, 4))
    assert rt.count(x.shape, axis) == x.size // np.sum(x, axis=axis).size


# like, zeros, copy


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (1.5, 0.0),
        (2, 0.0),
        (True, 0.0),
        (1j, 0j),
        (np.float64(1), np.float64(0)),
        (np.float32(1), np.float32(0)),
        (np.int64(1), np.float64(0)),
        (np.ones((2, 0)), np.zeros((2, 0))),
        (np.ones(2, np.float32), np.zeros(2, np.float32)),
        (np.ones(2, np.complex64), np.zeros(2, np.complex64)),
        (np.ones(2, int), np.zeros(2)),
        (np.ones(2, bool), np.zeros(2)),
        (np.array(1.0), np.array(0.0)),
        (rt.Like((2,), np.dtype(np.float32)), np.zeros(2, np.float32)),
        (rt.Like((), np.dtype(int)), np.float64(0)),
    ],
)
def test_zero_gradients(x: Any, expected: Any) -> None:
    made = rt.zeros(x)
    assert type(made) is type(expected)
    np.testing.assert_array_equal(made, expected)
    if isinstance(expected, np.ndarray):
        assert made.dtype == expected.dtype


def test_zero_gradients_of_containers_can_be_added_to_in_place() -> None:
    x = {"w": np.ones(2), "b": [1.0, (2, Pair(1.0, 2.0))]}
    zero = rt.zeros(x)
    np.testing.assert_array_equal(zero["w"], np.zeros(2))
    assert zero["b"] == [0.0, [0.0, Pair(0.0, 0.0)]]
    assert rt.add_at(zero["b"][1], 0, 3.0) is zero["b"][1]
    assert rt.restructure(zero, x)["b"] == [0.0, (3.0, Pair(0.0, 0.0))]


def test_a_gradient_gets_the_structure_of_its_value() -> None:
    x = {"w": (1.0, [2.0, Pair(3.0, 4.0)]), "b": [(5.0,)]}
    x_bar = {"w": [1.0, (2.0, [3.0, 4.0])], "b": [[5.0]]}
    assert rt.restructure(x_bar, x) == x
    assert isinstance(rt.restructure(x_bar, x)["w"][1][1], Pair)
    number = 2.5
    assert rt.restructure(number, 1.0) is number


def test_zero_gradients_of_what_like_keeps() -> None:
    zero = rt.zeros(rt.like({"w": np.ones(2, np.float32), "n": [1, 2.0]}))
    np.testing.assert_array_equal(zero["w"], np.zeros(2))
    assert zero["w"].dtype == np.float32
    assert zero["n"] == [0.0, 0.0]


def test_text_in_a_container_has_no_gradient() -> None:
    assert rt.zeros({"a": 1.0, "name": "n", "b": ["n"]}) == {"a": 0.0, "name": None, "b": [None]}
    assert rt.zeros("key") is None
    assert rt.add_at({"a": 1.0}, 0, None) == {"a": 1.0}


@pytest.mark.parametrize("function", [rt.zeros, rt.like])
@pytest.mark.parametrize("x", [object(), {"a": object()}])
def test_what_has_no_gradient_is_refused(function: Any, x: Any) -> None:
    with pytest.raises(TypeError, match="has no gradient"):
        function(x)


@pytest.mark.parametrize("function", [rt.zeros, rt.like])
def test_what_was_not_bound_stays_none(function: Any) -> None:
    assert function(None) is None
    assert function([None]) == [None]


def test_like_keeps_shape_and_dtype_only() -> None:
    kept = rt.like(np.ones((2, 3), np.float32))
    assert (kept.shape, kept.dtype) == ((2, 3), np.float32)
    assert (np.shape(kept), np.ndim(kept), np.size(kept)) == ((2, 3), 2, 6)
    assert repr(kept) == "Like((2, 3), float32)"
    assert (rt.like(np.float32(1)).shape, rt.like(np.float32(1)).dtype) == ((), np.float32)


@pytest.mark.parametrize("number", [1.5, np.float64(1.5)])
def test_of_a_number_of_double_precision_nothing_is_smaller(number: float) -> None:
    assert rt.like(number) is number


def test_a_copy_shares_nothing_that_can_change() -> None:
    x = {"w": np.ones(2), "b": [np.ones(1), (np.ones(1), 2.0)], "p": Pair(np.ones(1), 1)}
    copied = rt.copy(x)
    copied["w"][:] = 2
    copied["b"][0][:] = 2
    copied["b"][1][0][:] = 2
    copied["p"].left[:] = 2
    copied["b"].append(1)
    np.testing.assert_array_equal(x["w"], np.ones(2))
    assert (x["b"][0][0], x["b"][1][0][0], x["p"].left[0], len(x["b"])) == (1, 1, 1, 2)
    number = 2.5
    assert rt.copy(number) is number


# add, add_at


def test_gradients_are_added_in_the_structure_of_their_value() -> None:
    x_bar = {"w": np.ones(2), "b": [1.0, Pair(2.0, (3.0,))]}
    y_bar = {"b": [10.0, Pair(20.0, (30.0,))], "w": np.full(2, 2.0)}
    total = rt.add(x_bar, y_bar)
    np.testing.assert_array_equal(total["w"], [3.0, 3.0])
    assert total["b"] == [11.0, Pair(22.0, (33.0,))]
    assert isinstance(total["b"][1], Pair)
    assert rt.add(1.0, 2.0) == 3.0
    assert rt.add([1.0, 2.0], (10.0, 20.0)) == [11.0, 22.0]


def test_an_empty_list_that_a_dictionary_has_no_more_adds_nothing() -> None:
    assert rt.add({"a": 1.0, "b": []}, {"a": 2.0})["a"] == 3.0
    assert rt.add({"a": 1.0}, {"a": 2.0, "b": []}) == {"a": 3.0}


@pytest.mark.parametrize(
    ("x_bar", "y_bar"),
    [((1.0,), (1.0, 2.0)), ([1.0], {0: 1.0}), ({"a": 1.0}, {"b": 1.0}), ({"a": 1.0}, 1.0)],
)
def test_gradients_of_different_structure_are_not_added(x_bar: Any, y_bar: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        rt.add(x_bar, y_bar)


@pytest.mark.parametrize(
    "index",
    [
        1,
        -1,
        np.int64(2),
        slice(1, 3),
        slice(None, None, -2),
        (1, slice(None)),
        (Ellipsis, 0),
        (slice(None), None, 1),
        np.array([0, 0, 3]),
        [1, 1, 1],
        (np.array([0, 0]), np.array([2, 2])),
        np.array([True, False, True, True]),
        (slice(None), np.array([0, 0, 1])),
        (np.array([[0], [3]]), [1, 1]),
        (np.array([0, 0]), slice(0, 2)),
    ],
)
def test_a_part_is_added_in_place_and_repeated_indices_count(index: Any) -> None:
    x, x_bar = arange(4, 3), np.ones((4, 3))
    value = np.cos(x[index])
    result = rt.add_at(x_bar, index, value)
    assert result is x_bar
    x_dot = np.sin(x)
    np.testing.assert_allclose(
        np.sum((x_bar - 1) * x_dot), np.sum(value * x_dot[index]), rtol=1e-13
    )


def test_parts_of_containers() -> None:
    values = [1.0, 2.0, 3.0]
    assert rt.add_at(values, 1, 10.0) is values
    assert values == [1.0, 12.0, 3.0]
    assert rt.add_at(values, slice(1, None), [1.0, 1.0]) == [1.0, 13.0, 4.0]
    assert rt.add_at((1.0, 2.0), -1, 1.0) == (1.0, 3.0)
    assert rt.add_at(Pair(1.0, 2.0), 0, 1.0) == Pair(2.0, 2.0)
    params = {"w": np.ones(2), "b": 1.0}
    assert rt.add_at(params, "b", 1.0) is params
    assert params["b"] == 2.0


@pytest.mark.parametrize(
    "index", [1, slice(1, 3), (slice(None), 1), np.array([2, 0]), np.array([True, False] * 2)]
)
def test_the_part_that_a_store_set_is_copied(index: Any) -> None:
    x_bar = arange(4, 3)
    part = rt.take_bar(x_bar, index)
    np.testing.assert_array_equal(part, arange(4, 3)[index])
    x_bar[...] = -1
    np.testing.assert_array_equal(part, arange(4, 3)[index])


def test_the_part_of_a_container_is_copied() -> None:
    x_bar = [np.ones(2), 2.0]
    part = rt.take_bar(x_bar, 0)
    x_bar[0][:] = -1
    np.testing.assert_array_equal(part, np.ones(2))


@pytest.mark.parametrize(
    "index",
    [
        [1, 1],
        np.array([0, 2, -4]),
        np.array([[3, 1], [1, 3]]),
        (np.array([1, 1]), np.array([0, 0])),
        (slice(None), [2, 0, 2]),
        ([0, 0], slice(1, None)),
    ],
)
def test_of_values_that_a_store_puts_into_one_place_the_last_one_stays(index: Any) -> None:
    """Numbers that are all different tell which of them are found again after the store."""
    x = np.zeros((4, 3))
    values = 1.0 + np.arange(x[index].size).reshape(x[index].shape)
    x[index] = values
    expected = np.where(np.isin(values, x), values, 0)
    assert 0 in expected
    np.testing.assert_array_equal(rt.staying(values, x, index), expected)
    part = rt.take_bar(arange(4, 3), index)
    np.testing.assert_array_equal(part, np.where(expected, arange(4, 3)[index], 0))


# seed


def test_the_seed_has_the_dtype_of_the_output() -> None:
    number = 1.0
    assert rt.seed(number, 2.5, "f") is number
    assert isinstance(rt.seed(1.0, np.float32(2.5), "f"), np.float32)
    assert rt.seed(1, 2.5, "f") == 1.0
    assert isinstance(rt.seed(1, 2.5, "f"), float)
    out_bar = np.ones(3)
    assert rt.seed(out_bar, np.zeros(3), "f") is out_bar
    assert rt.seed(1.0, np.array(2.0), "f") == 1.0
    assert rt.seed([1.0, 2.0], np.zeros(2, np.float32), "f").dtype == np.float32


def test_an_array_is_the_seed_of_one_output() -> None:
    out = np.zeros(2, np.float32)
    (given,) = rt.seed(np.ones(2), (out,), "f")
    np.testing.assert_array_equal(given, [1, 1])
    assert given.dtype == np.float32
    with pytest.raises(ValueError, match="tuple of 1"):
        rt.seed(1.0, (out,), "f")
    with pytest.raises(ValueError, match="shape"):
        rt.seed(np.ones(3), (out,), "f")
    with pytest.raises(ValueError, match="tuple of 2"):
        rt.seed(np.ones(2), (out, out), "f")


def test_the_seed_of_several_outputs() -> None:
    seeds = rt.seed((1, np.ones(2)), (2.0, np.zeros(2, np.float32)), "f")
    assert seeds[0] == 1.0
    assert seeds[1].dtype == np.float32
    assert rt.seed({"a": 1, "b": 2}, {"b": 0.0, "a": 0.0}, "f") == {"a": 1.0, "b": 2.0}


@pytest.mark.parametrize(
    ("out_bar", "out", "message"),
    [
        (1.0, np.zeros((2, 3)), r"has shape \(2, 3\).*out_bar.*adlsp\.vjp.*adlsp\.jacobian"),
        (np.ones(2), np.zeros(3), r"out_bar has shape \(2,\), but the output of `loss`"),
        (np.ones(1), 2.0, r"out_bar has shape \(1,\), but the output of `loss` has shape \(\)"),
        (1.0, (1.0, 2.0), r"output of `loss` is a tuple of 2.*adlsp\.vjp"),
        ((1.0,), (1.0, 2.0), "out_bar has 1 entries"),
        ({"a": 1.0}, {"b": 1.0}, "do not match"),
    ],
)
def test_a_seed_of_another_shape_is_refused(out_bar: Any, out: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rt.seed(out_bar, out, "loss")


def test_what_shares_memory_is_not_taken_for_separate() -> None:
    a = np.arange(6.0)
    copied = rt.separate(a, (1.0, a.copy(), {"b": [np.ones(2)]}))
    np.testing.assert_array_equal(copied, a)
    assert not np.shares_memory(copied, a)
    np.testing.assert_array_equal(rt.separate(a[::2], a[1::2]), a[::2])
    for others in (a, a[3:], (1.0, a), {"b": [a]}, [a[:1]]):
        with pytest.raises(ValueError, match="AD303"):
            rt.separate(a, others)
    with pytest.raises(ValueError, match="AD303"):
        rt.separate([a, 1.0], a)


def test_what_holds_an_array_twice_is_not_taken_for_separate() -> None:
    a = np.ones(2)
    with pytest.raises(TypeError, match="AD303"):
        rt.separate({"a": a, "b": [a]}, 1.0)


def test_an_object_that_another_variable_holds_is_not_changed() -> None:
    a = np.arange(6.0).reshape(2, 3)
    row, inner = a[0], [1.0]
    for changed, others in ((row, {"x": [a]}), (row, (1.0, row)), (inner, {"x": inner})):
        with pytest.raises(TypeError, match="AD303"):
            rt.unheld(changed, others)
        with pytest.raises(TypeError, match="AD303"):
            rt.disjoint([row], {"x": row})
    assert rt.unheld(row, {"x": a[1], "y": row.copy()}) is row
    held = [row]
    assert rt.unheld(held, row) is held
    assert rt.disjoint(held, (a[1], 1.0)) is held


def test_keys_are_not_taken_for_elements() -> None:
    assert rt.sequence([1.0]) == [1.0]
    for keyed in ({0: 1.0}, Counter([1])):
        with pytest.raises(TypeError, match=r"`\.keys\(\)`.* \(AD205\)"):
            rt.sequence(keyed)


def test_a_size_of_an_object_is_not_taken_for_that_of_an_array() -> None:
    for array in (np.ones(2), 1.0, np.float64(1.0)):
        assert rt.shaped(array) is array
    with pytest.raises(TypeError, match="AD203"):
        rt.shaped(SimpleNamespace(size=1.0))


def test_an_array_that_is_deep_in_a_container_twice_is_not_alone() -> None:
    a = np.ones(2)
    assert rt.alone(a, [{"w": a}, {"w": a.copy()}]) is a
    for holder in ([{"w": a}, {"w": a}], {"u": [a, a[:1]]}):
        with pytest.raises(TypeError, match="AD303"):
            rt.alone(a, holder)


def test_an_object_that_changes_is_no_other_one_that_is_given() -> None:
    a, one, other = np.ones(2), SimpleNamespace(w=1.0), SimpleNamespace(w=1.0)
    circle = SimpleNamespace(other=other)
    circle.itself = circle
    rt.single((one, other), a, [circle.other.w])
    rt.single((one,), circle, {"w": other})
    rt.single((a,), a.copy(), [a.copy()])
    wrong = [((one, one), ()), ((one,), ([{"o": one}],)), ((other,), (1.0, circle)), ((a,), (a,))]
    for objects, others in (*wrong, ((a, a[:1]), ()), ((a,), ([a[::-1]],))):
        with pytest.raises(TypeError, match="AD303"):
            rt.single(objects, *others)


def test_what_a_container_holds_is_the_object_and_of_an_array_a_copy() -> None:
    a = np.ones((2, 3))
    assert rt.held([a], 0) is a
    assert rt.held({"a": a}, "a") is a
    assert rt.held({"a": a}, "b") is None
    assert not np.shares_memory(rt.held(a, 0), a)


def test_an_entry_without_gradient_gets_zero() -> None:
    x = {"a": np.ones(2), "b": np.ones(3)}
    bar = rt.restructure({"a": np.ones(2)}, x)
    np.testing.assert_array_equal(bar["b"], np.zeros(3))
    np.testing.assert_array_equal(rt.unbroadcast(0, x["b"]), np.zeros(3))
    assert rt.restructure([0, 1.0], [2.0, 3.0]) == [0.0, 1.0]


def test_arrays_of_objects_have_no_gradient() -> None:
    x = np.array([1.0, 2.0], dtype=object)
    for refused in (
        lambda: rt.zeros(x),
        lambda: rt.cast_like(x * 2.0, x),
        lambda: rt.unbroadcast(np.ones(2), x),
        lambda: rt.cast(np.ones(2), object),
    ):
        with pytest.raises(TypeError, match="array of objects"):
            refused()


def test_what_a_loop_runs_over_has_zeros_beside_it() -> None:
    assert rt.zeros(range(3)) == [0.0, 0.0, 0.0]
    assert rt.zeros([range(1), slice(2)]) == [[0.0], None]


def test_what_became_of_the_zero_of_a_replaced_array_has_its_shape() -> None:
    x_bar = rt.zeros([np.ones(2), np.ones(3)])
    x_bar[1] = 0
    x_bar[1] *= np.float64(0.5)
    made = rt.restructure(x_bar, [np.ones(2), np.ones(3)])
    np.testing.assert_array_equal(made[1], np.zeros(3))


def test_gradients_of_the_elements_of_a_list_are_owned_as_the_list_is() -> None:
    zero = rt.zeros([np.ones(2), np.ones(2)])
    owned = rt.own(zero)
    owned[0][0] = 1.0
    assert zero[0][0] == 0.0


def test_copies_are_of_plain_lists_and_dictionaries() -> None:
    rt.plain_list([1.0])
    rt.plain_dict({"a": 1.0})
    rt.plain_dict(OrderedDict(a=1.0))
    for other in (deque([1.0]), np.ones(2)):
        with pytest.raises(TypeError, match=r"\(AD304\): write list\(x\)"):
            rt.plain_list(other)
    for other in (Counter("a"), defaultdict(float)):
        with pytest.raises(TypeError, match=r"\(AD304\): write dict\(x\)"):
            rt.plain_dict(other)


def test_numbers_stand_on_the_left_of_objects() -> None:
    for number in (2, 0.5, np.float32(1.0)):
        rt.beside(number)
    with pytest.raises(TypeError, match=r"a ndarray on the left.*\(AD203\)"):
        rt.beside(np.ones(2))
