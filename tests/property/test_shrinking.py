"""The smallest program that still shows something, and only that."""

import oracle
import shrinking

TEXT = """
import numpy as np

def helper(t):
    return np.sin(t)

def f(x, n):
    a = helper(x[0])
    k = 0
    while k < n:
        if a > 0.3:
            a = a * np.cos(x[1] * x[2])
        else:
            a = a + 1.0
        k += 1
    return a
"""


def test_what_does_not_matter_is_left_out() -> None:
    small = shrinking.shrink(TEXT, lambda text: "np.cos(" in text)
    assert "np.cos(" in small
    assert len(small.splitlines()) < 5
    assert "helper" not in small


def test_a_loop_that_stays_still_counts_its_trips() -> None:
    small = shrinking.shrink(TEXT, lambda text: "while" in text)
    assert "while k < n:\n" in small
    assert "k += 1" in small


def test_a_text_without_the_failure_stays_as_it_is() -> None:
    tidy = "x = 1\ny = x"
    assert shrinking.shrink(tidy, lambda text: text == tidy) == tidy


def test_the_smallest_text_fails_as_the_first_one_does() -> None:
    def failure(text: str, number: int) -> oracle.WrongError | None:
        if "y / 0" in text:
            return oracle.WrongError("value", f"wrong, number {number}")
        return oracle.WrongError("gradient", "wrong in another way") if "+" in text else None

    text = "def f(x, y):\n    z = x + 1\n    w = y / 0\n    return z * w\n"
    found = shrinking.smallest(text, failure)
    assert found is not None
    small, error = found
    assert error.kind == "value"
    assert "y / 0" in small
    assert "+" not in small
    assert shrinking.smallest("def f(x):\n    return x\n", failure) is None
