"""Versions, indices and shapes: what is known of values from the text alone."""

from __future__ import annotations

import pytest
from lowered import lowered

from adlsp.transform import ir
from adlsp.transform.facts import shapes
from adlsp.transform.facts.facts import Facts
from adlsp.transform.facts.versions import VersionKind
from adlsp.transform.ir.variables import Generated


def kinds(text: str, name: str) -> str:
    """The versions that a variable takes, by what made them."""
    function, _ = lowered(text)
    return " ".join(v.kind.value for v in Facts(function).versions.every if v.name == name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x):\n return x", "parameter"),
        ("def f(x):\n x = x * 2.0\n x[0] = 1.0\n return x", "parameter assign store"),
        ("def f(x, k):\n if k:\n  x = x * k\n return x", "parameter assign join"),
        ("def f(x, k):\n if k:\n  y = x\n return x", "parameter"),
        ("def f(x, n):\n for i in range(n):\n  x = x * i\n return x", "parameter head assign exit"),
        ("def f(x, n):\n while n > 0:\n  n = n - x\n return n", "parameter"),
        ("def f(y):\n for x in y:\n  z = x\n return z", "target exit"),
        ("def f(y):\n for x in y:\n  y = x\n return y", "element exit"),
    ],
)
def test_versions_of_x(text: str, expected: str) -> None:
    assert kinds(text, "x") == expected


def test_a_reader_sees_the_version_that_reaches_it() -> None:
    text = """
        def f(x, n):
            y = x
            for i in range(n):
                z = y
                y = z * x
            return y
    """
    function, _ = lowered(text)
    facts = Facts(function).versions
    seen = {
        s.origin.line: facts.reads[s, "y"].kind.value
        for s in ir.walk(function.body)
        if (s, "y") in facts.reads
    }
    assert seen == {6: "head", 8: "exit"}
    head = next(v for v in facts.every if v.kind is VersionKind.HEAD)
    assert [prior.kind for prior in head.priors] == [VersionKind.ASSIGN] * 2


def answers(text: str) -> str:
    """What is known of each index: basic or not, integer, slice."""
    function, _ = lowered(text)
    known = Facts(function).indices
    told = []
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call(function="operator.getitem", args=(_, index))):
                pass
            case ir.Store(index=ir.Name() | ir.Const() as index):
                pass
            case _:
                continue
        words = ["basic"] if known.is_basic(statement, index) else ["any"]
        words += ["integer"] if known.is_integer(statement, index) else []
        words += ["slice"] if known.is_slice(statement, index) else []
        told.append("-".join(words))
    return " ".join(told)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x, i):\n return x[0] + x[-1] + x[i]", "basic-integer basic-integer any"),
        ("def f(x, i: int):\n return x[i] + x[i - 1]", "basic-integer basic-integer"),
        ("def f(x, n):\n return x[1:n] + x[..., 0] + x[None]", "basic-slice basic basic"),
        ("def f(x, n):\n return x[0, :] + x[n, :]", "basic-slice any-slice"),
        (
            "def f(x, n):\n for i in range(n):\n  x[i] = x[2 * i + 1]\n return x",
            "basic-integer basic-integer",
        ),
        ("def f(x, n):\n for i in n:\n  x[i] = 1.0\n return x", "any"),
        (
            "def f(x, y):\n for i, v in enumerate(x):\n  y[i] = v\n return y",
            "basic-integer",
        ),
        ("def f(x):\n n, m = x.shape\n return x[n - 1, m // 2]", "basic"),
        ("def f(x):\n n = len(x)\n n -= 1\n return x[n]", "basic-integer"),
        ("def f(x):\n n = len(x)\n n /= 2\n return x[n]", "any"),
        ("def f(x):\n return x[x > 0]", "any"),
        ("def f(x, k):\n i = 0\n if k:\n  i = k\n return x[i]", "any"),
    ],
)
def test_indices(text: str, expected: str) -> None:
    assert answers(text) == expected


def known(text: str) -> str:
    """Which of the user's variables are scalars or have one shape, where the function returns."""
    function, program = lowered(text)
    own = program.facts(function)
    facts = own.versions
    found = shapes.Shapes(function, facts, own.indices, program)
    last = function.body[-1]
    tokens = {
        name: found.token(version)
        for name, version in facts.before[last].items()
        if not isinstance(name, Generated)
    }
    told = [f"{name}:scalar" for name, token in tokens.items() if token == shapes.SCALAR]
    ordered = [name for name, token in tokens.items() if token != shapes.SCALAR]
    for i, name in enumerate(ordered):
        same = (o for o in ordered[:i] if found.is_same(None, tokens[o], tokens[name]))
        told += [f"{other}={name}" for other in same]
    return " ".join(told)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x, y):\n return x", ""),
        ("def f(x: float, y: int):\n z = x * y\n return z", "x:scalar y:scalar z:scalar"),
        ("def f(x):\n y = np.sin(x) * 2.0\n s = np.sum(y)\n return s", "s:scalar x=y"),
        ("def f(x, y):\n z = x + y\n w = y * x\n return z", "z=w"),
        ("def f(x):\n y = x[1:]\n z = x[:-1]\n w = x[2:]\n return y", "y=z"),
        ("def f(x):\n y = x[1:-1, 0]\n z = x[:-2, 1]\n w = x[0, 2:]\n return y", "y=z"),
        ("def f(x):\n y = np.zeros_like(x)\n z = x.copy()\n return y", "x=y x=z y=z"),
        ("def f(x):\n y = np.sum(x, axis=0)\n z = x.T\n return y", ""),
        (
            "def f(x, n):\n s = 0.0\n for i in range(n):\n  s = s + i\n return s",
            "s:scalar i:scalar",
        ),
        ("def f(x, n):\n s = 0.0\n for i in range(n):\n  s = s + x\n return s", "i:scalar"),
        ("def f(x):\n y = x * 1.0\n for i in range(3):\n  y = y * x\n return y", "i:scalar x=y"),
        ("def f(x, k):\n if k:\n  y = x\n else:\n  y = 2.0 * x\n return y", "x=y"),
        ("def f(x, k):\n if k:\n  y = x\n else:\n  y = 2.0\n return y", ""),
        ("def f(x):\n y = x * 1.0\n y[0] = 2.0\n y += 1.0\n return y", "x=y"),
        ("def f(x, k):\n y = 2.0\n if k:\n  y = x\n z = y * x\n return z", "x=z"),
        (
            "def f(x, n):\n p = 1.0\n for i in range(n):\n  p = p * x\n y = p * x\n return y",
            "i:scalar x=y",
        ),
        (
            "def f(x, y, n):\n for i in range(n):\n  x = x * y[i]\n z = x * y\n return z",
            "i:scalar",
        ),
    ],
)
def test_shapes(text: str, expected: str) -> None:
    assert known(text) == expected
