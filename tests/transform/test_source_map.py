"""The map of a derivative: which line does what, and where it comes from."""

from __future__ import annotations

import textwrap

from adlsp.transform import engine
from adlsp.transform.artifact import Derivative, Request
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.ir import Role
from adlsp.transform.source import Source


def derived(text: str, *wrt: str, kind: str = "grad") -> Derivative:
    source = Source("case.py", "case", textwrap.dedent(text).lstrip("\n"))
    resolver = StaticResolver({"case": source}.get)
    return engine.derive(Request("case.f", wrt, len(wrt) > 1, kind), resolver)


def roles(derivative: Derivative) -> list[str]:
    """Each mapped line: what it does, the primal's line, and its text."""
    lines = derivative.source.splitlines()
    return [
        f"{one.role.value} {one.primal.line}: {lines[one.line - 1].strip()}"
        for one in derivative.source_map
    ]


LOOP = """
    import numpy as np


    def f(x, n):
        p = 1.0
        for i in range(n):
            p = p * np.sin(x)
        return p * x
"""


def test_the_sweeps_have_their_roles() -> None:
    found = derived(LOOP, "x")
    forward, _, backward = found.source.partition("    # backward of: return")
    split = forward.count("\n") + 1
    kinds: dict[bool, set[Role]] = {True: set(), False: set()}
    for line in found.source_map:
        kinds[line.line < split].add(line.role)
    assert kinds[True] == {Role.PRIMAL, Role.SAVE}
    assert kinds[False] <= {Role.RESTORE, Role.ADJOINT, Role.INIT}
    assert Role.RESTORE in kinds[False]
    assert "p_saved.append(p)" in forward
    assert "p_saved.pop()" in backward


def test_saves_and_restores_map_to_what_they_keep() -> None:
    told = roles(derived(LOOP, "x"))
    assert "save 6: p_saved.append(p)" in told
    assert "restore 6: p = p_saved.pop()" in told
    assert "primal 7: p = p * t" in told
    assert "primal 6: for i in range(n):" in told


def test_the_primal_lines_are_mapped_to_their_statements() -> None:
    text = """
        def f(x, y):
            a = (x
                 * y)
            b = a * x; c = b * y
            return c
    """
    found = derived(text, "x")
    spans = {}
    for line in found.source_map:
        code = found.source.splitlines()[line.line - 1].strip()
        if line.role is Role.PRIMAL and " = " in code:
            span = line.primal
            spans[code] = (span.line, span.column, span.end_line, span.end_column)
    assert spans["a = x * y"] == (2, 5, 3, 14)
    assert spans["b = a * x"] == (4, 5, 4, 14)


def test_headings_are_comments_and_map_to_nothing() -> None:
    found = derived(LOOP, "x")
    mapped = {line.line for line in found.source_map}
    for number, line in enumerate(found.source.splitlines(), 1):
        if line.lstrip().startswith(("#", '"""')) or not line.strip():
            assert number not in mapped
        if "# backward of: " in line:
            assert line.rstrip()[-1].isdigit()


def test_each_function_of_a_derivative_maps_to_its_own() -> None:
    text = """
        def g(v):
            return v * v


        def f(x):
            return g(x) * x
    """
    told = roles(derived(text, "x"))
    starts = [line for line in told if ": def " in line]
    assert [line.split(":")[0] for line in starts] == ["primal 5", "primal 1", "primal 1"]


def test_the_primal_is_its_name_in_the_text() -> None:
    found = derived(LOOP, "x")
    assert found.primal is not None
    assert (found.primal.line, found.primal.end_line) == (4, 4)
    assert found.primal.path == "case.py"


def test_without_a_derivative_the_primal_is_still_known() -> None:
    found = derived("def f(x):\n    return x.weight\n", "x")
    assert found.source == ""
    assert found.source_map == ()
    assert found.name == ""
    assert [one.code for one in found.findings] == ["AD203"]
    assert found.primal is not None
    assert found.primal.line == 1


def test_a_missing_function_is_a_finding() -> None:
    resolver = StaticResolver(lambda _: None)
    found = engine.derive(Request("nowhere.f", ("x",)), resolver)
    assert [one.code for one in found.findings] == ["AD102"]
    assert found.source == ""
