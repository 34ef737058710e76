"""The smallest program that still shows something, and only that."""

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
