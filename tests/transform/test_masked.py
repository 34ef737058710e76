"""Values that are not chosen, whose gradient may be NaN: what is said, and what the repair does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adlsp.lint import fix
from adlsp.transform import engine
from adlsp.transform.artifact import Request
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.ops import records
from adlsp.transform.source import Source

REPAIRED = [
    ("np.where(x > 0, np.log(x), 0.0)", "np.where(x > 0, np.log(np.where(x > 0, x, 1.0)), 0.0)"),
    ("np.where(x == 0, y, y / x)", "np.where(x == 0, y, y / np.where(x == 0, 1.0, x))"),
    (
        "np.where(x - y == 0, y, y / (x - y))",
        "np.where(x - y == 0, y, y / (np.where(x - y == 0, 1.0, x - y)))",
    ),
    (
        "np.where(x >= 0, np.sqrt(x), 2 * x)",
        "np.where(x >= 0, np.sqrt(np.where(x >= 0, x, 1.0)), 2 * x)",
    ),
    (
        "np.where(abs(x) < 1, np.arcsin(x), 0.0)",
        "np.where(abs(x) < 1, np.arcsin(np.where(abs(x) < 1, x, 0.5)), 0.0)",
    ),
    (
        "tf.where(x > 0, tf.math.log(x), y)",
        "tf.where(x > 0, tf.math.log(tf.where(x > 0, x, 1.0)), y)",
    ),
    (
        "tf.where(tf.not_equal(x, 0.0), tf.divide(y, x), y)",
        "tf.where(tf.not_equal(x, 0.0), tf.divide(y, tf.where(tf.not_equal(x, 0.0), x, 1.0)), y)",
    ),
    (
        "tf.where(x > 1, tf.acosh(x), y)",
        "tf.where(x > 1, tf.acosh(tf.where(x > 1, x, 2.0)), y)",
    ),
    (
        "tf.where(x <= 0, x, tf.math.rsqrt(x))",
        "tf.where(x <= 0, x, tf.math.rsqrt(tf.where(x <= 0, 1.0, x)))",
    ),
]
TOTAL = {"numpy": "sum", "tensorflow": "reduce_sum"}
"""What sums elements."""

ANYWHERE = np.array([-1.0, 0.0, 1.0, 1.5])
"""Where some of these have infinite derivatives, and some none."""


NOT_REPAIRED = [
    "np.where(x > np.random.rand(), np.log(x), 0.0)",
    "np.where(x > 0, np.log(\n        x), 0.0)",
]


def source(value: str) -> Source:
    library = "import numpy as np" if "np." in value else "import tensorflow as tf"
    total = "np.sum" if "np." in value else "tf.reduce_sum"
    return Source("case.py", "case", f"{library}\n\n\ndef f(x, y):\n    return {total}({value})\n")


def masked(text: Source) -> tuple[Diagnostic, ...]:
    return engine.check(text, StaticResolver({"case": text}.get), all_functions=True)


def gradient(text: Source) -> np.ndarray:
    """The gradient of the function of a text by its first argument."""
    request = Request("case.f", ("x",), False)
    derivative = engine.derive(request, StaticResolver({"case": text}.get))
    x: Any = ANYWHERE
    if "tensorflow" in text.text:
        x = pytest.importorskip("tensorflow").constant(ANYWHERE)
    space: dict[str, Any] = {}
    exec(derivative.source, space)
    with np.errstate(all="ignore"):
        return np.asarray(space[derivative.name](x, 1.0))


@pytest.mark.parametrize(("written", "repaired"), REPAIRED)
def test_a_gradient_that_may_be_nan_is_repaired(written: str, repaired: str) -> None:
    before, after = source(written), source(repaired)
    (found,) = masked(before)
    assert (found.code, found.blocks) == ("AD504", False)
    assert found.fix is not None
    assert found.fix.is_safe
    assert fix.apply(before.text, [found.fix]) == after.text
    assert masked(after) == ()
    old, new = gradient(before), gradient(after)
    assert np.isnan(old).any()
    np.testing.assert_allclose(new[~np.isnan(old)], old[~np.isnan(old)])
    assert not np.isnan(new).any()


TAME = ["np.where(x == 0, 0.0, np.sqrt(x))", "tf.where(tf.not_equal(x, 0.0), tf.sqrt(x), y)"]


@pytest.mark.parametrize("written", TAME)
def test_a_root_is_left_out_at_zero_without_harm(written: str) -> None:
    text = source(written)
    assert masked(text) == ()
    assert gradient(text)[ANYWHERE == 0] == 0


def test_a_value_that_is_made_of_itself_many_times_is_looked_at_once() -> None:
    squares = "".join(f"    t = t * t + {n}\n" for n in range(200))
    text = (
        f"import numpy as np\n\n\ndef f(x):\n    t = np.log(x)\n{squares}"
        "    return np.sum(np.where(x > 0, t, 0.0))\n"
    )
    (found,) = masked(Source("case.py", "case", text))
    assert found.message == "the gradient of `np.log(x)` may be NaN where `x > 0` is false"


@pytest.mark.parametrize("written", NOT_REPAIRED)
def test_what_might_be_drawn_again_or_spans_lines_is_not_repaired(written: str) -> None:
    (found,) = masked(source(written))
    assert (found.code, found.fix) == ("AD504", None)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (REPAIRED[0][0], "the gradient of `np.log(x)` may be NaN where `x > 0` is false"),
        (REPAIRED[1][0], "the gradient of `y / x` may be NaN where `x == 0` is true"),
        (REPAIRED[7][0], "the gradient of `tf.acosh(x)` may be NaN where `x > 1` is false"),
    ],
)
def test_it_is_said_in_the_words_of_the_text(written: str, message: str) -> None:
    assert [found.message for found in masked(source(written))] == [message]


def test_forward_mode_takes_the_tangent_of_what_is_chosen() -> None:
    text = source(REPAIRED[0][0])
    request = Request("case.f", ("x",), False, "jvp")
    derivative = engine.derive(request, StaticResolver({"case": text}.get))
    assert derivative.source
    assert derivative.findings == ()


SINGULAR = sorted(name for name, record in records.SAID.items() if record.singular is not None)


@pytest.mark.parametrize("name", SINGULAR)
def test_functions_that_are_said_to_be_singular_are_so_but_for_a_number(name: str) -> None:
    record = records.SAID[name]
    home = name.partition(".")[0]
    library = home if home == "tensorflow" else "numpy"
    call = "a / x" if home == "operator" else f"{name}({'a, ' * (record.singular or 0)}x)"
    text = f"import {library}\n\n\ndef f(x, a):\n    return {library}.{TOTAL[library]}({call})\n"
    request = Request("case.f", ("x",), False, "value_and_grad")
    source = Source("case.py", "case", text)
    derivative = engine.derive(request, StaticResolver({"case": source}.get))
    space: dict[str, Any] = {}
    exec(derivative.source, space)

    def is_finite(number: float) -> bool:
        x: Any = np.array([number])
        if library == "tensorflow":
            x = pytest.importorskip("tensorflow").constant(x)
        with np.errstate(all="ignore"):
            value, x_bar = space[derivative.name](x, 0.0 * x)
        return bool(np.isfinite(value) and np.isfinite(x_bar).all())

    assert is_finite(record.regular or 1.0)
    assert not all(map(is_finite, (-2.0, -1.0, 0.0, 1.0)))
