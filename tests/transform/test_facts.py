"""The facts of a function are worked out once, and are remembered only where they are final."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest
from lowered import lowered

from adlsp.transform import engine, ir
from adlsp.transform.artifact import Request
from adlsp.transform.facts import activity, facts, liveness, versions
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.ir import dump
from adlsp.transform.source import Source

TEXT = "def f(x, n):\n y = x.copy()\n for i in range(n):\n  y[i] = g(y, i) * x[i]\n return y\n"
CALLED = "def g(a, k):\n return a[k] + 1.0\n"
MUTUAL = """
def g(a, b, k):
    if k > 0:
        a[0] = b[0] * 2.0
        g(b * 1.5, a, k - 1)
        h(b * 1.5, b, k - 1)

def h(c, d, k):
    if k > 0:
        g(d, c, k - 1)
        h(c, d * 1.5, k - 1)
"""


def test_each_fact_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    function, program = lowered(TEXT + CALLED)
    made: list[ir.Function] = []
    solve, number = liveness.live, versions.versions
    monkeypatch.setattr(liveness, "live", lambda one: made.append(one) or solve(one))
    monkeypatch.setattr(
        versions, "versions", lambda one, *more: made.append(one) or number(one, *more)
    )
    function, again = replace(function), replace(function)
    found = program.facts(function)
    assert found is program.facts(function) is not program.facts(again)
    assert found.activity(("x",)) is found.activity(("x",)) is not found.activity(("n",))
    assert found.aliases() is found.aliases() is not found.aliases(scalar_elements=False)
    assert found.arrays() is found.arrays()
    assert found.indices is found.indices
    assert made.count(function) == 2


@pytest.mark.parametrize("kind", ["grad", "jvp"])
def test_a_derivation_works_no_fact_out_twice(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, list[ir.Function]] = {"live": [], "versions": [], "activity": []}

    def counted(module: ModuleType, name: str) -> None:
        build = getattr(module, name)

        def counting(function: ir.Function, *others: object) -> object:
            made[name].append(function)
            return build(function, *others)

        monkeypatch.setattr(module, name, counting)

    counted(liveness, "live")
    counted(versions, "versions")
    counted(activity, "activity")
    text = f"import numpy as np\n{CALLED}{TEXT}"
    resolver = StaticResolver({"case": Source("case.py", "case", text)}.get)
    derivative = engine.derive(Request("case.f", ("x",), kind=kind), resolver)
    assert derivative.source
    for functions in made.values():
        assert 0 < len(functions) == len(set(functions))


def test_functions_that_call_each_other_are_the_same_whichever_comes_first() -> None:
    texts: list[dict[str, str | None]] = []
    names = ("case.g", "case.h")
    for order in (names, names[::-1]):
        _, program = lowered("def f(x):\n return x\n" + MUTUAL)
        made = {name: program.function(name) for name in order}
        written = {name: each and program.written(each) for name, each in made.items()}
        assert written == {"case.g": ("a", "b"), "case.h": ("c", "d")}
        texts.append({name: each and dump.function(each) for name, each in made.items()})
    assert texts[0] == texts[1]


def test_a_table_forgets_what_was_asked_for_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    function, program = lowered(TEXT + CALLED)
    monkeypatch.setattr(facts, "MOST", 2 * sum(1 for _ in ir.walk(function.body)))
    first, second, third = (replace(function) for _ in range(3))
    table = facts.Table(program)
    one, other = table.of(first), table.of(second)
    assert table.of(first) is one
    table.of(third)
    assert table.of(first) is one
    assert table.of(second) is not other


def test_a_root_is_always_the_same_function() -> None:
    rows = "def f(x):\n row = x[0]\n row *= 2.0\n return np.sum(x * row)\n"
    function, program = lowered(rows)
    root = program.root("case.f")
    assert root is not None
    assert root is program.root("case.f") is not function
