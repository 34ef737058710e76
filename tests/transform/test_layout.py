"""Which statement a line belongs to, or comes before."""

from __future__ import annotations

import textwrap

import pytest

from adlsp.transform.frontend import layout
from adlsp.transform.source import Source

TEXT = '''
    import numpy as np  # 1

    @np.vectorize  # 3
    def f(x,
          n):  # 5
        """Says

        something."""

        # why  # 10
        y = (x
             * 2)

        if (n > 1
                and n < 3):  # 15
            # then
            y = y + 1
        else:
            y = y - 1  # 19

        def inner(z):
            # in there
            return z  # 23
        # after
        try:
            y = inner(y)  # 26
        except ValueError:
            pass
        "a text"
        for i in range(n): y = y + i  # 30
        with np.errstate():

            return y  # 33

    # outside

    class C:
        def method(self):
            # none

            return 1  # 41
'''


def read(text: str) -> layout.Layout:
    return layout.read(Source("t.py", "t", textwrap.dedent(text).removeprefix("\n")))


@pytest.mark.parametrize(
    ("line", "statement"),
    [
        *((own, own) for own in (1, 4, 5, 11, 12, 14, 15, 17, 19, 23, 25, 26, 28, 30, 31, 33, 41)),
        *((outside, outside) for outside in (2, 34, 35, 36, 37)),
        *((3, 4), (6, 11), (7, 11), (9, 11), (10, 11), (13, 14), (16, 17), (18, 19), (20, 25)),
        *((22, 23), (24, 25), (27, 28), (29, 30), (32, 33), (39, 41), (40, 41)),
    ],
)
def test_the_statement_of_a_line(line, statement):
    assert read(TEXT).statement(line) == statement


def test_functions():
    blocks = [(block.first, block.last) for block in read(TEXT).blocks]
    assert blocks == [(3, 33), (21, 23), (38, 41)]
    inner = read(TEXT).around(22)
    assert inner is not None
    assert inner.first == 21
    assert read(TEXT).around(35) is None


def test_a_text_with_an_error_has_no_functions():
    assert read("def f(:").blocks == ()


def test_long_chains_of_branches():
    """Each `elif` lies in the one before."""
    chain = "".join(f"    elif x > {i}:\n        # none\n        x = {i}\n" for i in range(900))
    text = f"def f(x):\n    if x < 0:\n        x = 1\n{chain}"
    assert read(text).statement(2703) == 2703
    assert read(text).statement(2702) == 2703
