"""Activity, told as text: each variable is active, varied, useful or fixed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from lowered import lowered, names

from adlsp.transform import ir
from adlsp.transform.facts.facts import Facts
from adlsp.transform.facts.provenance import Provenance


def dump(text: str, *wrt: str) -> str:
    """What each variable ever is: `x:active n:fixed`."""
    function, program = lowered(text)
    facts = program.facts(function).activity(wrt)
    statements = list(ir.walk(function.body))
    places = [(facts.varied_before[s], facts.useful_before[s]) for s in statements]
    places += [(facts.varied_after[s], facts.useful_after[s]) for s in statements]
    varied = {name for one, _ in places for name in one}
    useful = {name for _, one in places for name in one}
    active = {name for one, other in places for name in one & other}
    told = []
    for name in names(function):
        word = "active" if name in active else "varied" if name in varied else "fixed"
        if word != "active" and name in useful:
            word = "useful" if word == "fixed" else "varied,useful"
        told.append(f"{name}:{word}")
    return " ".join(told)


@pytest.mark.parametrize(
    ("text", "wrt", "expected"),
    [
        ("def f(x, n):\n y = x * n\n return y", "x", "x:active n:useful y:active"),
        ("def f(x, n):\n y = x * n\n return n", "x", "x:varied n:useful y:varied"),
        ("def f(x, y):\n x = y\n return x", "x", "x:varied,useful y:useful"),
        (
            "def f(x):\n i = np.argmax(x)\n y = np.sign(x) * 2.0\n return x[i] + y",
            "x",
            "x:active i:fixed y:useful",
        ),
        ("def f(x):\n s = x.shape[0]\n return x.sum() / s", "x", "x:active s:useful"),
        ("def f(x, i):\n return x[i]", "x, i", "x:active i:varied"),
        (
            "def f(x, n):\n p = 1.0\n for i in range(n):\n  p = p * x\n return p",
            "x",
            "x:active n:fixed p:active i:fixed",
        ),
        (
            "def f(x, n):\n a = b = c = 0.0\n"
            " for i in range(n):\n  c = b\n  b = a\n  a = x\n return c",
            "x",
            "x:active n:fixed a:active b:active c:active i:fixed",
        ),
        (
            "def f(x):\n s = 0.0\n for v in x:\n  s += v\n return s",
            "x",
            "x:active s:active v:active",
        ),
        (
            "def f(x):\n for i, v in enumerate(x):\n  y = v * i\n return y",
            "x",
            "x:active i:useful v:active y:active",
        ),
        (
            "def f(x):\n y = 0.0\n while x > y:\n  y = y + x\n return y",
            "x",
            "x:active y:active",
        ),
        (
            "def f(x, k):\n if k:\n  y = x\n else:\n  y = 1.0\n return y",
            "x",
            "x:active k:fixed y:active",
        ),
        (
            "def f(x):\n y = np.zeros(3)\n y[0] = x\n y[1] = 2.0\n return y",
            "x",
            "x:active y:active",
        ),
        (
            "def f(x, y):\n a, b = x, y\n return a * b",
            "x",
            "x:active y:useful a:active b:useful",
        ),
        ("def f(x):\n print(x)\n t = f'{x}'\n return 1.0", "x", "x:varied t:varied"),
        ("def f(x):\n y = x\n y = 2.0\n return y", "x", "x:varied y:varied,useful"),
    ],
)
def test_who_takes_part(text: str, wrt: str, expected: str) -> None:
    assert dump(text, *wrt.split(", ")) == expected


def chain(text: str, wrt: str, name: str) -> str:
    """The definitions that made a variable active, as its last reader sees it."""
    function, program = lowered(text)
    facts = program.facts(function).activity((wrt,))
    steps = Provenance(facts, Facts(function).versions).chain(function.body[-1], name)
    return " ".join(f"{step}:{made.origin.line if made else 'input'}" for step, made in steps)


def test_a_chain_of_definitions_tells_why() -> None:
    text = """
        def f(x, n):
            y = x * n
            z = np.zeros(3)
            z[0] = y
            if n:
                w = np.sin(z)
            else:
                w = n
            return w
    """
    assert chain(text, "x", "w") == "w:8 z:6 y:4 x:input"


@pytest.mark.parametrize(
    ("text", "wrt", "name", "expected"),
    [
        (
            "def f(u0, c, n):\n u = np.zeros(n)\n u[0] = u0\n for t in range(n):\n"
            "  u[t + 1] = u[t] * c\n return u",
            "c",
            "u",
            "u:6 c:input",
        ),
        (
            "def f(p):\n s = 0.0\n for q in p:\n  s += q * q\n return s",
            "p",
            "s",
            "s:5 q:4 p:input",
        ),
        ("def f(x, y):\n a, b = x * 1, y * 2\n return b", "y", "b", "b:3 y:input"),
        ("def f(x, y):\n if y:\n  a = 1.0\n else:\n  a = x\n return a", "x", "a", "a:6 x:input"),
        ("def f(x):\n z = []\n z.append(1.0)\n z.append(x)\n return z", "x", "z", "z:5 x:input"),
        ("def f(x, y):\n x[0] = y\n return x", "x", "x", "x:input"),
        ("def f(x, y):\n x[0] = y\n return x", "y", "x", "x:3 y:input"),
    ],
)
def test_a_chain_has_only_what_depends_on_the_input(
    text: str, wrt: str, name: str, expected: str
) -> None:
    assert chain(text, wrt, name) == expected


def test_what_each_statement_flows_from_is_asked_once_for_all_chains() -> None:
    lines = ["def f(x):", "    y = x", *["    y = np.sin(y) * x"] * 50, "    return y"]
    function, program = lowered("\n".join(lines))
    active = program.facts(function).activity(("x",))
    asked: list[ir.Expression] = []

    def flow(value: ir.Expression) -> Iterable[ir.Atom]:
        asked.append(value)
        return active.flow(value)

    why = Provenance(replace(active, flow=flow), Facts(function).versions)
    assert all(why.chain(s, name) for s in function.body for name in ir.reads(s))
    assert len(asked) <= len(function.body)
