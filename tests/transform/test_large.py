"""Programs that are large in one way or another are derived, in a time that does not explode."""

from __future__ import annotations

import math
import textwrap
from typing import Any

import pytest

from adlsp.transform import engine
from adlsp.transform.artifact import Derivative, Request
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.source import Source


def derived(text: str, kind: str) -> Derivative:
    source = Source("large.py", "large", text)
    made = engine.derive(
        Request("large.f", ("x",), kind=kind), StaticResolver({"large": source}.get)
    )
    assert made.findings == ()
    return made


def slope(text: str, x: float, **options: Any) -> float:
    """The derivative of `f` at a point, the same by both modes."""
    found = []
    for kind, given in (("grad", {}), ("jvp", {"dots": (1.0,)})):
        made = derived(text, kind)
        space: dict[str, Any] = {"__name__": "derivative"}
        exec(compile(made.source, made.name, "exec"), space)
        found.append(float(space[made.name](x, **options, **given)))
    assert math.isclose(found[0], found[1], rel_tol=1e-12)
    return found[0]


@pytest.mark.parametrize(
    "head", ["for i{} in range(n):", "k{0} = 0\nwhile k{0} < n:\n    k{0} += 1"]
)
def test_many_nested_loops(head: str) -> None:
    depth = 18
    lines, indent = ["def f(x, n):", "    y = x"], "    "
    for level in range(depth):
        lines += [indent + line for line in head.format(level).splitlines()]
        indent += "    "
        lines.append(f"{indent}y = y * x + y")
    text = "\n".join([*lines, "    return y"]) + "\n"
    # y = x * (1 + x)**18 where each loop has one pass
    expected = (1 + 1.1) ** depth + 1.1 * depth * (1 + 1.1) ** (depth - 1)
    assert math.isclose(slope(text, 1.1, n=1), expected, rel_tol=1e-12)


def test_a_sum_of_many_terms() -> None:
    text = f"def f(x):\n    return {' + '.join(['x * x'] * 300)}\n"
    assert slope(text, 1.1) == pytest.approx(600 * 1.1)


def test_many_branches_of_one_decision() -> None:
    """No more than `elif` is needed: Python refuses a text with a hundred levels."""
    lines = ["def f(x, n):", "    if n == 0:", "        y = x"]
    for number in range(1, 120):
        lines += [f"    elif n == {number}:", f"        y = {number} * x * x"]
    text = "\n".join([*lines, "    return y"]) + "\n"
    assert slope(text, 1.1, n=119) == pytest.approx(2 * 119 * 1.1)
    assert slope(text, 1.1, n=0) == 1.0


def test_many_returns() -> None:
    lines = ["def f(x, n):"]
    for number in range(1, 120):
        lines += [f"    if n == {number}:", f"        return {number} * x * x"]
    text = "\n".join([*lines, "    return x"]) + "\n"
    assert slope(text, 1.1, n=119) == pytest.approx(2 * 119 * 1.1)
    assert slope(text, 1.1, n=0) == 1.0


def test_many_stores() -> None:
    lines = ["import numpy as np", "def f(x):", "    a = np.ones(3)"]
    lines += [f"    a[{number % 3}] = a[{(number + 1) % 3}] * x" for number in range(150)]
    text = "\n".join([*lines, "    return np.sum(a)"]) + "\n"
    x = 1.01
    space: dict[str, Any] = {}
    exec(text, space)
    expected = (space["f"](x + 1e-6) - space["f"](x - 1e-6)) / 2e-6
    assert slope(text, x) == pytest.approx(expected, rel=1e-6)


def test_functions_that_call_each_other_and_change_their_arguments() -> None:
    text = """
        import numpy as np

        def first(a, n):
            if n > 0:
                second(a, n - 1)

        def second(a, n):
            a[0] = a[0] * 2.0
            if n > 0:
                first(a, n - 1)

        def f(x):
            y = np.zeros(2)
            second(y, 0)
            first(x, 3)
            return np.sum(x)
    """
    source = Source("large.py", "large", textwrap.dedent(text))
    made = engine.derive(Request("large.f", ("x",)), StaticResolver({"large": source}.get))
    assert [(one.code, one.span.line) for one in made.findings] == [("AD302", 16)]


def test_many_branches_one_after_the_other_store_into_one_array() -> None:
    lines = ["import numpy as np", "def f(x, n):", "    a = np.zeros(2)", "    a[0] = x"]
    for number in range(40):
        lines += [
            f"    if n > {number}:",
            "        a[0] = a[0] * x",
            "    else:",
            "        a[1] = a[0]",
        ]
    text = "\n".join([*lines, "    return a[0] + a[1]"]) + "\n"
    assert math.isclose(slope(text, 1.1, n=3), 8 * 1.1**3, rel_tol=1e-12)


def test_many_branches_give_one_value_elements_of_several_arrays() -> None:
    """What may have one of two shapes after each branch has one of very many at the end."""
    lines = ["def f(x, u, v):", "    y = x"]
    for number in range(12):
        lines += [
            f"    if y > {9 * number}:",
            f"        y = y * u[{number}]",
            "    else:",
            f"        y = y + v[{number}]",
        ]
    text = "\n".join([*lines, "    return y"]) + "\n"
    # y is above the first number only: later ones are added to it
    options = {"u": [3.0] * 12, "v": [0.0] * 12}
    assert slope(text, 0.5, **options) == pytest.approx(3.0)


def found(text: str) -> list[tuple[str, str, int]]:
    """The findings of a text: code, message and line."""
    source = Source("large.py", "large", text)
    made = engine.check(source, StaticResolver({"large": source}.get))
    return [(one.code, one.message, one.span.line) for one in made]


ASKED = "import adlsp\nimport numpy as np\n\n\n"
DEEP = "`f` is too large: it is nested more than 1000 levels deep"
LONG = "`f` is too large: it has more than 20000 steps"


def branches(n: int) -> str:
    """A function with one decision among many."""
    lines = ["def f(x, n):", "    if n == 0:", "        y = x"]
    for number in range(1, n):
        lines += [f"    elif n == {number}:", f"        y = {number} * x"]
    return "\n".join([*lines, "    return y"]) + "\n\n\n"


def straight(n: int) -> str:
    """A function with three steps in each line."""
    line = "    x = x * k + np.sin(x)\n"
    return f"def f(x, k):\n{line * n}    return x\n\n\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ASKED}{branches(1500)}adlsp.grad(f)\n", ("AD113", DEEP, 3009)),
        (f"{ASKED}@adlsp.differentiable\n{branches(1500)}", ("AD113", DEEP, 5)),
        (
            f"{ASKED}{branches(1500)}def g(x):\n    return f(x, 1)\n\n\nadlsp.grad(g)\n",
            ("AD113", DEEP, 3010),
        ),
        (f"{ASKED}{straight(6667)}adlsp.grad(f)\n", ("AD113", LONG, 5)),
        (
            f"{ASKED}{straight(6667)}def g(x):\n    return f(x, 1.0)\n\n\nadlsp.grad(g)\n",
            ("AD113", LONG, 6677),
        ),
    ],
)
def test_what_is_too_large_is_said(text: str, expected: tuple[str, str, int]) -> None:
    assert found(text) == [expected]


def test_what_is_too_large_is_refused_when_it_is_derived() -> None:
    source = Source("large.py", "large", ASKED + straight(20_000))
    made = engine.derive(Request("large.f", ("x",)), StaticResolver({"large": source}.get))
    assert [one.code for one in made.findings] == ["AD113"]
    assert made.source == ""


def test_a_thousand_lines_are_not_too_large() -> None:
    assert found(f"{ASKED}{straight(1000)}adlsp.grad(f)\n") == []
