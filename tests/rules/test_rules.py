"""Each rule, by each of its names, at each of its samples: the numbers, shapes and dtypes.

The inner product of the gradients with tangents has to equal that of the seed with the result's
tangent, to rounding error; the result's tangent has to agree with central differences.
"""

import copy
from typing import Any

import numpy as np
import pytest
from cases import CASES, DECLARED, DIFFERENTIABLE, Case, differences, in_single_precision
from interpreter import function
from samples import EXACT, FLAT, SAMPLES, Call
from tree import close_to, equal, inner, leaves, shapes_of

FLAT_NAMES = [name for d in DECLARED if d.word == "constant" for name in d.functions]
KEEPS_FLOAT32 = not np.__version__.startswith("1.")
"""Before NumPy 2 a single-precision scalar divided by an integer is double precision."""


@pytest.mark.parametrize(("name", "call"), CASES)
def test_a_rule_is_right_at_a_sample(name: str, call: Call) -> None:
    case = Case(name, call)
    assert case.active
    before, given = copy.deepcopy(case.bound), copy.deepcopy(case.out_bar)
    bars = case.bars()
    fit(case, bars, are_dtypes_kept=True)
    for active in subsets(case.active):
        out_dot = case.out_dot(active)
        assert shapes_of(out_dot) == shapes_of(case.out)
        close_to(out_dot, differences(case, active), rtol=1e-8, atol=1e-8)
        forth = inner(case.out_bar, out_dot)
        back = sum(inner(bars[key], case.dots[key]) for key in active)
        np.testing.assert_allclose(back, forth, rtol=1e-11, atol=1e-11)
    for key, value in before.items():
        equal(case.bound[key], value)
    equal(case.out_bar, given)
    single = Case(name, in_single_precision(call))
    fit(single, single.bars(), are_dtypes_kept=KEEPS_FLOAT32)


def subsets(active: list[str]) -> list[list[str]]:
    """The active arguments one by one, and all of them."""
    return [[one] for one in active] + ([active] if len(active) > 1 else [])


def fit(case: Case, bars: dict[str, Any], *, are_dtypes_kept: bool) -> None:
    """Gradients have the shape of their argument, and its dtype."""
    for key, bar in bars.items():
        value = case.bound[key]
        assert shapes_of(bar) == shapes_of(value), key
        for part, of in zip(leaves(bar), leaves(value), strict=True):
            if isinstance(of, np.ndarray) and are_dtypes_kept:
                assert part.dtype == of.dtype, key


@pytest.mark.parametrize(("name", "args", "expected"), EXACT)
def test_places_where_differences_do_not_tell(
    name: str, args: tuple[Any, ...], expected: tuple[Any, ...]
) -> None:
    case = Case(name, Call(args))
    case.out_bar = np.ones(np.shape(case.out))[()]
    for key, bar in case.bars().items():
        np.testing.assert_allclose(bar, expected[case.index(key)], rtol=1e-12)


@pytest.mark.filterwarnings("ignore:numpy.fix is deprecated:DeprecationWarning")
@pytest.mark.parametrize("name", FLAT_NAMES)
def test_constant_functions_exist_and_are_flat(name: str) -> None:
    home, _, short = name.rpartition(".")
    called = function(name)
    if called is None:
        pytest.skip(f"this version has no {name}")
    if home != "numpy" or short not in FLAT:
        return
    for call in FLAT[short]:
        nudged = Call(tuple(x + 1e-9 for x in call.args))
        for got, expected in zip(
            np.atleast_1d(called(*nudged.args)), np.atleast_1d(called(*call.args)), strict=True
        ):
            np.testing.assert_array_equal(got, expected)


def test_every_rule_has_a_sample() -> None:
    without = [d.functions[0] for d in DIFFERENTIABLE if not SAMPLES.get(d.functions[0])]
    assert not without


def test_every_sample_has_a_rule() -> None:
    assert set(SAMPLES) == {d.functions[0] for d in DIFFERENTIABLE}
