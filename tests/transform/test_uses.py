"""What parameters are assumed to be by how they are used: what a use speaks of, and no more."""

from __future__ import annotations

import pytest

from adlsp.transform import engine
from adlsp.transform.artifact import Request
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.source import Source

USES = {
    "the shape is taken apart": (
        "def f(w, X):\n    n, d = X.shape\n    return np.sum(X @ w) / n",
        "X: float64[n, m]",
    ),
    "elements and slices": (
        "def f(A, u):\n    s = 0.0\n    for i in range(3):\n"
        "        s += A[i, 0] * np.sum(u[1:])\n    return s",
        "A: float64[n, m], u: float64[k]",
    ),
    "one index tells of axes if the element is a number": (
        "def f(x):\n    s = 0.0\n    for i in range(len(x) - 1):\n"
        "        s += (x[i + 1] - x[i]) ** 2\n    return s",
        "x: float64[n]",
    ),
    "one index may also be that of a list": (
        "def f(xs, h):\n    for i in range(3):\n"
        "        h = np.tanh(xs[i] * h)\n    return np.sum(h)",
        "",
    ),
    "transposed": ("def f(v):\n    return np.sum(v.T)", "v: float64[n, m]"),
    "an axis": ("def f(x):\n    return np.max(np.sum(x, axis=1))", "x: float64[n, m]"),
    "an axis, from behind": ("def f(x):\n    return np.max(x.sum(-1))", "x: float64[n]"),
    "a matrix for linear algebra": (
        "def f(A, b):\n    return b @ np.linalg.solve(A, b)",
        "A: float64[n, m], b: float64[k]",
    ),
    "a number that is returned is made of numbers": (
        "def f(x, k, n):\n    y = x\n    for _ in range(n):\n        y = y - k * y\n    return y",
        "x: float, k: float, n: int",
    ),
    "a product that gives a number": (
        "def f(A, x):\n    return x @ A @ x",
        "A: float64[n, m], x: float64[k]",
    ),
    "what is stored into keeps its rank": (
        "def f(u, n):\n    u = u.copy()\n    for _ in range(n):\n"
        "        u[1:-1] = u[2:] + u[:-2]\n    return np.sum(u)",
        "u: float64[m], n: int",
    ),
    "what a test needs": (
        "def f(x, k):\n    if k > 0.5:\n        return np.sum(x)\n    return np.sum(2 * x)",
        "k: float",
    ),
    "a flag may be anything": (
        "def f(x, flag, mode):\n    if flag and mode == 'sum':\n        return np.sum(x)\n"
        "    return np.sum(2 * x) if not flag else np.max(x)",
        "",
    ),
    "a default": (
        "def f(x, k=0.5):\n    if x > 0.0:\n        return x * k\n    return x",
        "x: float",
    ),
    "in a function that is called": (
        "def g(m):\n    return m[:, 0] * 2.0\n\n\ndef f(M):\n    return np.sum(g(M))",
        "M: float64[n, m]",
    ),
    "a function that calls itself": (
        "def f(x, n):\n    if n == 0:\n        return x\n    return f(x * 0.5, n - 1)",
        "x: float, n: int",
    ),
    "nothing but arithmetic": ("def f(x, y):\n    return np.sum(x * y)", ""),
    "keys are of no array": ('def f(p):\n    return np.sum(p["w"] * 2.0)', ""),
    "attributes are of no array": ("def f(p, x):\n    return np.sum(p.w * x)", ""),
    "uses that contradict each other": (
        "def f(x, n):\n    a, b = x.shape\n    return np.sum(x) + range(x)[n]",
        "",
    ),
}


def assumed(text: str) -> str:
    source = Source("m.py", "m", f"import numpy as np\n\n\n{text}\n")
    resolver = StaticResolver({"m": source}.get)
    return engine.assuming(Request("m.f", ("x",)), resolver).assumes


@pytest.mark.parametrize("name", USES)
def test_what_uses_speak_of(name: str) -> None:
    text, signature = USES[name]
    assert assumed(text) == signature
