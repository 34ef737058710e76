"""What a hover says of a variable that is a second name of what is written into."""

from __future__ import annotations

import pytest

from adlsp.transform import engine
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.source import Source

TEXT = """
import numpy as np
import adlsp

def f(x):
    a = x * 1.0
    b = a
    b[0] = 3.0 * x[1]
    a = a * 2.0
    return np.sum(a * b)

df = adlsp.grad(f)
"""


@pytest.mark.parametrize(
    ("line", "column", "name", "adjoint"),
    [(7, 5, "b", "a_bar"), (8, 5, "b", "a_bar"), (10, 23, "b", "b_bar"), (10, 19, "a", "a_bar")],
)
def test_a_second_name_is_as_active_as_the_first(
    line: int, column: int, name: str, adjoint: str
) -> None:
    source = Source("case.py", "case", TEXT)
    shown = engine.describe(source, line, column, StaticResolver({"case": source}.get))
    assert shown is not None
    assert shown.title == f"`{name}` is active"
    assert f"Its adjoint is `{adjoint}`." in shown.lines
    is_second = adjoint != f"{name}_bar"
    assert ("It is another name of `a` here." in shown.lines) is is_second
