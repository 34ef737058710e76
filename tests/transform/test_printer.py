"""How statements are printed: what they meant, in the user's words where nothing needs a name."""

from __future__ import annotations

import re
import textwrap

import pytest
from test_source_map import derived

KEPT = [
    'k = f"{n:>3} {n!r} {{}}"',
    'k = "a" + \'b\' + "it\'s"',
    "k = (n + 1) * (n - 1) / (2 * n)",
    "k = -n ** 2 + (-n) ** 2 - 2 ** -n",
    "k = n - (n - 1) - 1",
    "k = n // 2 % 3 << 1 | 4 & ~n ^ 1",
    "k = not (n > 1 and (n < 5 or n == 7))",
    "k = 0 < n <= 3 != 4",
    "k = n if n > 1 else -n if n else 0",
    "k = [n, (n,), (), [], {}, {n: 1}, {n}]",
    "k = names[1:n, ::2, ..., None, -1]",
    "k = names[n][0].real",
    "k = [i * j for i in range(n) for j in names if i > j]",
    "k = {i: str(i) for i in range(n)}",
    "k = sorted(names, key=lambda name: (len(name), -n))",
    "k = max(names, default=n, key=len)",
    "k = dict(**{name: n for name in names}, n=n)",
    "k = [*names, n]",
    "k = n is None or n is not names or n in names and n not in names",
    "k = 1e300 * 1.5j + 0.1 + 1_000",
    "k = b'bytes'",
    "k = np.zeros((n, 2), dtype=np.float32)",
    "k: int = n",
    "k = m = n",
]


@pytest.mark.parametrize("statement", KEPT)
def test_statements_of_numbers_mean_what_they_meant(statement: str) -> None:
    text = f"""
        import numpy as np


        def f(x, n, names, k=0):
            {statement}
            g(k)
            return x * x


        def g(k):
            print(k)
    """
    found = derived(text, "x")
    _, _, forward = found.source.partition("    # forward\n")
    call = re.search(r"    case\.g\((\w+)\)\n", forward)
    assert call
    printed = forward[: call.start()]
    made = []
    for code, name in ((statement, "k"), (textwrap.dedent(printed), call[1])):
        space: dict[str, object] = {"n": 3, "names": "abcde", "np": __import__("numpy")}
        try:
            exec(code, space)
        except Exception as error:
            space[name] = type(error)
        made.append(repr(space[name]))
    assert made[0] == made[1]
    assert "# backward of: return x * x" in found.source


@pytest.mark.parametrize(
    "statement",
    [
        "y = (x - 1.0) * (x + 1.0) / (2.0 * x)",
        "y = -x ** 2 + (-x) ** 2 - 2.0 ** -x",
        "y = x - (x - 1.0) - 1.0",
        "y = x / (x / 2.0) * (x * 3.0)",
        "y = (x ** 2.0) ** x",
        "y = x ** (2.0 ** x)",
        "y = (x, -x)[n] * (x if n else 2.0 * x)",
        "y = -(-x) - +x",
        "y = np.sum(np.array([x, 2.0]) @ np.array([[1.0], [x]]))",
    ],
)
def test_expressions_of_active_values_mean_what_they_meant(statement: str) -> None:
    text = f"""
        import numpy as np


        def f(x, n):
            {statement}
            return y * y
    """
    found = derived(text, "x", kind="value_and_grad")
    space: dict[str, object] = {"np": __import__("numpy")}
    exec(compile(found.source, "derivative", "exec"), space)
    derivative = space[found.name]
    assert callable(derivative)
    for x in (1.5, 0.75):
        names = {"np": space["np"], "x": x, "n": 1}
        exec(statement, names)
        y = names["y"]
        assert derivative(x, 1)[0] == y * y  # type: ignore[operator]


def test_a_statement_that_nobody_needs_by_parts_is_kept_as_it_was() -> None:
    text = """
        import numpy as np


        def f(x, w, n):
            total = 0.0
            for i in range(0, n, 2):
                total = total + (w[i] + 1.0) * np.sum(x[i : i + 2])
            return total
    """
    source = derived(text, "x").source
    assert "for i in range(0, n, 2):" in source
    assert "w[i] + 1.0" in source


def test_each_function_has_two_blank_lines_before_it() -> None:
    text = """
        def g(v):
            return v * v


        def f(x):
            return g(x)
    """
    source = derived(text, "x").source
    assert source.startswith('"""Derivative of a function of case.py, written by adlsp."""\n\n')
    assert source.count("\n\n\ndef ") == 3
    assert "\n\n\n\n" not in source
    assert source.endswith("\n")
    assert not source.endswith("\n\n")
    assert not [line for line in source.splitlines() if line != line.rstrip()]
