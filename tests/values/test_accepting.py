"""Whether arguments have a known signature, told at the price of tests written by hand."""

from __future__ import annotations

import sys
import timeit
import types
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from live_values import KNOWN, MORE, UNKNOWNS, Linear, decay, scaled

from adlsp.library import accepting, signatures
from adlsp.transform.values import parse, signature
from adlsp.transform.values.lattice import Array, Literal, Mapped, Sequence, Unknown, Value, parts


def accepts(given: Any, x: Any) -> bool:
    check = accepting.checker({"x": signatures.of_value(given)}, {"x": given})
    return check(x)


def is_open(value: Value) -> bool:
    """Tells whether a value says less of a live one than could be said."""
    if isinstance(value, Sequence | Mapped) and value.items is None:
        return True
    held = (part for _, part in parts(value))
    is_other = isinstance(value, Array) and value.dtype is None
    is_known = not isinstance(value, Unknown) and value != Literal("str") and not is_other
    return not is_known or any(map(is_open, held))


def test_exactly_arguments_of_a_signature_are_accepted() -> None:
    every = [x for x, _ in KNOWN] + MORE
    values = [signatures.of_value(x) for x in every]
    n_same = 0
    for one, value in zip(every, values, strict=True):
        check = accepting.checker({"x": value}, {"x": one})
        for other, of_other in zip(every, values, strict=True):
            if isinstance(value, Unknown):
                assert check(other) or other is not one
                continue
            is_same = value == of_other
            assert check(other) is is_same or (is_open(value) and not is_same), (one, other)
            n_same += is_same
    assert n_same > len(every) + 20


ARRAYS = st.builds(np.ones, st.lists(st.integers(0, 2), max_size=2), st.sampled_from("fd"))
LEAVES = st.sampled_from([1, 2, 1.0, True, False, None, "a", "b", np.float64(1), decay]) | ARRAYS


def _structures(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    items = st.lists(inner, max_size=2)
    entries = st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    return st.one_of(items, items.map(tuple), entries, st.builds(Linear, inner, inner))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.recursive(LEAVES, _structures, max_leaves=4), min_size=2, max_size=12))
def test_random_structures_are_accepted_by_their_signatures(every: list[Any]) -> None:
    first = signatures.of_value(every[0])
    check = accepting.checker({"x": first}, {"x": every[0]})
    assert [check(x) for x in every] == [signatures.of_value(x) == first for x in every]


def test_what_is_unknown_is_of_the_same_class_or_may_be_anything() -> None:
    given = {"a": UNKNOWNS[0], "b": 2.0}
    values = {name: signatures.of_value(x) for name, x in given.items()}
    check = accepting.checker(values, given)
    assert check(UNKNOWNS[0], 3.0)
    assert not check(UNKNOWNS[0], 3)
    assert not check(None, 3.0)
    assert accepting.checker(values, {"b": 2.0})(None, 3.0)
    halves = np.array([None, 1.0])
    check = accepting.checker({"x": signatures.of_value(halves)}, {"x": halves})
    assert check(halves)
    assert not check(np.ones(2))


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("float64[n, n]", [np.ones((2, 2))], [np.ones((2, 3)), np.ones((1, 1))]),
        ("float64[n?, n?]", [np.ones((2, 2)), np.ones((1, 1))], [np.ones((2, 3))]),
        ("(float64[n], float64[n - 1])", [(np.ones(3), np.ones(2))], [(np.ones(3), np.ones(3))]),
        ("(float64[n + 1], float64[n])", [(np.ones(3), np.ones(2))], [(np.ones(3), np.ones(3))]),
        ("list[float64[n]]", [[], [np.ones(3)] * 2], [[np.ones(3), np.ones(2)], [np.ones(1)]]),
        ("list[[float]]", [[[1.0], [2.0]], []], [[[1.0], [1]], [1.0]]),
        ("float64[...]", [np.ones(3), np.ones(())], [np.ones(3, "f4"), 1.0]),
        ("?[n, ?]", [np.ones((3, 1)), np.ones((3, 3), int)], [np.ones((1, 3)), np.ones(3)]),
        ("?[n]", [np.ones(3)], [np.array([None, 1]), np.array(["a", "b"]), np.zeros(2, "M8[s]")]),
        ("numeric", [1, np.ones(3), np.float64(1), True], ["a", None, [1]]),
        ("numeric[float64]", [np.ones(3), np.float64(1)], [np.ones(3, int), np.float32(1)]),
        ("3", [3], [4, 3.0, True]),
        ("dict[float]", [{}, {"a": 1.0}], [{"a": 1}, [1.0]]),
        ("list[never]", [[]], [[1]]),
        ("tuple[float, 2]", [(1.0, 2.0)], [(1.0,), [1.0, 2.0]]),
        ("str", ["a"], [b"a"]),
        ("range(?, 0)", [range(3)], [range(1, 3), range(0, 4, 2), [0]]),
        ("run[float]", [], [[1.0], iter([1.0])]),
        ("jax.float64[n]", [], [np.ones(3)]),
        ("mine.f", [], [decay]),
        ("mine.Linear()", [], [Linear(1, 2)]),
        ('dtype("float32")', [], [np.dtype("f4")]),
    ],
)
def test_a_signature_from_a_text_accepts_what_it_says(
    text: str, right: list[Any], wrong: list[Any]
) -> None:
    check = accepting.checker({"x": parse.value(text)}, {})
    assert [check(x) for x in right] == [True] * len(right)
    assert [check(x) for x in wrong] == [False] * len(wrong)


def test_sizes_of_several_arguments_agree_where_a_signature_says_so() -> None:
    check = accepting.checker(parse.signature("x: float64[n, d], w: float64[d], n: int"), {})
    assert check(np.ones((2, 3)), np.ones(3), 7)
    assert not check(np.ones((2, 3)), np.ones(2), 7)


def test_which_objects_are_the_same_one_is_part_of_a_signature() -> None:
    def arguments(*, is_one: bool, is_list: bool) -> dict[str, Any]:
        first, kept = Linear(1.0, []), [2.0]
        second = first if is_one else Linear(1.0, [])
        third = Linear(2.0, kept if is_list else [2.0])
        named = {"it's": third, 'a"\\': third, 3: third, "größe∞\n": third, b"a\xff'": third}
        return {"layers": [first, second, third], "last": third, "kept": kept, "named": named}

    every = [arguments(is_one=a, is_list=b) for a in (True, False) for b in (True, False)]
    known = [signatures.of_values(each) for each in every]
    for own, live in zip(known, every, strict=True):
        accepts = accepting.checker(own, live)
        assert [accepts(*each.values()) for each in every] == [each is live for each in every]
        text = signature.signature_text(own)
        assert parse.signature(text) == own
        assert ("@layers[0]" in text) is (live["layers"][0] is live["layers"][1])
        assert "last: @layers[2]" in text
    texts = {signature.signature_text(own) for own in known}
    assert len(texts) == 4
    lists = signatures.of_values({"a": (kept := [1.0]), "b": kept})
    assert signature.signature_text(lists) == "a: [float], b: [float]"  # no object holds them


def test_no_argument_is_kept() -> None:
    given = np.ones(3)
    check = accepting.checker({"x": signatures.of_value([given])}, {"x": [given]})
    before = sys.getrefcount(given)
    del check
    assert sys.getrefcount(given) == before


def test_a_variable_that_is_not_bound_yet_is_unknown() -> None:
    def reads() -> Any:
        return later

    assert "later=?" in signature.text(signatures.of_value(reads))
    given = scaled(1.0)
    check = accepting.checker({"f": signatures.of_value(given)}, {"f": given})
    empty = types.FunctionType(
        given.__code__, given.__globals__, "inner", None, (types.CellType(),)
    )
    assert not check(empty)
    later = 1


def test_the_check_costs_what_it_costs_by_hand() -> None:
    """Compared in turn, as other programs run beside this one."""
    x = np.ones((3, 4))
    ndarray, float64 = np.ndarray, x.dtype

    def by_hand(a: Any, b: Any) -> bool:
        return (
            type(a) is ndarray
            and a.ndim == 2
            and a.dtype is float64
            and 1 not in a.shape
            and type(b) is float
        )

    given = {"a": x, "b": 2.0}
    values = {name: signatures.of_value(each) for name, each in given.items()}
    check = accepting.checker(values, given)
    assert by_hand(x, 2.0)
    assert check(x, 2.0)
    ratios = []
    for _ in range(20):
        ours = timeit.timeit(lambda: check(x, 2.0), number=5000)
        ratios.append(ours / timeit.timeit(lambda: by_hand(x, 2.0), number=5000))
    assert min(ratios) < 1.3


def test_tensors_have_shapes_that_may_be_unknown() -> None:
    tf = pytest.importorskip("tensorflow")
    x, y = tf.ones((2, 1)), tf.Variable(np.ones((3, 4)))
    assert signature.text(signatures.of_value(x)) == "tf.float32[n, 1]"
    assert signature.text(signatures.of_value(y)) == "tf.float64[n, m]"
    assert signature.text(signatures.of_value(tf.ones(3, tf.bfloat16))) == "tf.?[n]"
    assert signature.text(signatures.of_value(tf.float32)) == 'dtype("float32")'
    assert signature.text(signatures.of_value(tf.tanh)) == "tensorflow.tanh"
    assert signature.text(signatures.of_value(tf.nn.relu)) == "tensorflow.nn.relu"
    for unknown in (tf.constant("a"), tf.RaggedTensor.from_row_splits([1.0], [0, 1])):
        assert isinstance(signatures.of_value(unknown), Unknown)
    assert accepts(x, tf.ones((5, 1)))
    assert accepts(y, tf.ones((5, 6), tf.float64))
    for other in (tf.ones((5, 5)), tf.ones((5, 1), tf.float64), tf.ones(5), np.ones((5, 1)), "a"):
        assert not accepts(x, other)
    assert accepts(tf.ones(3, tf.bfloat16), tf.ones(5, tf.bfloat16))
    assert not accepts(tf.ones(3, tf.bfloat16), tf.constant(["a", "b"]))
    assert accepts(tf.float32, tf.float32)
    assert not accepts(tf.float32, tf.float64)
    found = []

    @tf.function(input_signature=[tf.TensorSpec([None, 1]), tf.TensorSpec(None)])
    def traced(a: Any, b: Any) -> Any:
        found.extend(signature.text(signatures.of_value(each)) for each in (a, b))
        found.extend(accepts(x, each) for each in (a, b))
        return a

    traced.get_concrete_function()
    assert found == ["tf.float32[?, 1]", "tf.float32[...]", False, False]
