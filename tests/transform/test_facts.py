"""The facts of a function are worked out once, and are remembered only where they are final."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

import pytest
from lowered import lowered

from adlsp.transform import engine, ir
from adlsp.transform.artifact import Request
from adlsp.transform.facts import activity, facts, liveness, versions
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.rules import table
from adlsp.transform.source import Source

TEXT = "def f(x, n):\n y = x.copy()\n for i in range(n):\n  y[i] = g(y, i) * x[i]\n return y\n"
CALLED = "def g(a, k):\n return a[k] + 1.0\n"
RECURSIVE = "def g(a, k):\n if k > 0:\n  return g(a[1:], k - 1)\n return a\n"


def test_each_fact_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    function, program = lowered(TEXT + CALLED)
    made: list[ir.Function] = []
    solve, number = liveness.live, versions.versions
    monkeypatch.setattr(liveness, "live", lambda one: made.append(one) or solve(one))
    monkeypatch.setattr(
        versions, "versions", lambda one, *more: made.append(one) or number(one, *more)
    )
    found = program.facts(function)
    again = replace(function)
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


def test_answers_about_what_is_being_worked_out_are_not_remembered() -> None:
    function, program = lowered(TEXT + RECURSIVE)
    called = program.function("case.g")
    assert called is not None
    asked: list[facts.Facts] = []

    class Known:
        """A program that is asked about a function while it works that out."""

        n_unfinished = 0

        def facts(self, one: ir.Function) -> facts.Facts:
            return program.facts(one)

        def flow(self, value: ir.Expression) -> Iterator[ir.Atom]:
            return program.flow(value)

        def changed(self, call: ir.Call, *, scalar_elements: bool = True) -> tuple[ir.Atom, ...]:
            return program.changed(call, scalar_elements=scalar_elements)

        def stored(self, call: ir.Call) -> tuple[ir.Atom, ...]:
            return program.stored(call)

        def rule(self, function: str) -> table.Rule | None:
            return program.rule(function)

        def function(self, dotted: str) -> ir.Function | None:
            return program.function(dotted)

        def sharing(
            self, call: ir.Call, *, scalar_elements: bool = True, are_held: bool = False
        ) -> tuple[tuple[ir.Atom, ...], ...] | None:
            self.n_unfinished += call.function == "case.g" and not asked
            return program.sharing(call, scalar_elements=scalar_elements, are_held=are_held)

    found = facts.Facts(function, Known())
    first = found.aliases()
    assert found.aliases() is not first
    asked.append(found)
    assert found.aliases() is found.aliases()


def test_a_program_counts_such_questions() -> None:
    for text, is_recursive in ((TEXT + CALLED, False), (TEXT + RECURSIVE, True)):
        function, program = lowered(text)
        program.facts(function).aliases()
        assert (program.n_unfinished > 0) is is_recursive
        n_before = program.n_unfinished
        program.facts(replace(function)).aliases()
        assert program.n_unfinished == n_before


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
