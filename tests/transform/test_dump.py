"""The text of the intermediate form: what it looks like, and that it is read back to an equal one.

The functions of each twelfth case, and of some random programs, go through text and back: as they
are lowered, as they are normalized, and what is made of them, optimized or not. With
ADLSP_DUMPS=all those of all cases and of 200 programs do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import literate
import programs
import pytest
from literate import Case
from lowered import lowered
from random_programs.program import write
from same import difference

from adlsp.transform import depth, driver, engine, ir, queries, requests
from adlsp.transform.artifact import Request
from adlsp.transform.ir import dump, parse, targets
from adlsp.transform.ir.tokens import ParseError
from adlsp.transform.ir.variables import Saved
from adlsp.transform.query_cache import Functions, QueryCache
from adlsp.workspace import Workspace

IS_WHOLE = os.environ.get("ADLSP_DUMPS") == "all"
CASES = literate.cases()[:: 1 if IS_WHOLE else 12]
SEEDS = range(200 if IS_WHOLE else 6)


def functions(path: str, asked: Request | None) -> Iterator[ir.Function]:
    """All functions of a file, and those of a derivative."""
    workspace = Workspace()
    source, resolver = workspace.source(path), workspace.resolver(path)
    users = Functions(resolver, QueryCache())
    for definition in requests.definitions(source, resolver):
        found = users.lowered(definition.dotted)
        if found is not None:
            yield found[1]
    for request in () if asked is None else (asked, replace(asked, optimize=False)):
        program = queries.program_for(request, users)
        root = program.root(request.function)
        if root is None or any(each.blocks for each in queries.findings(request, users)):
            return
        yield from driver.differentiated(root, request, program)
        asked_for = program.asked(request.function)
        yield from filter(None, map(program.function, asked_for))


def check(function: ir.Function) -> None:
    """The text of a function is read back to an equal one, which has the same text.

    What is noted of adjoints beside that is not written.
    """
    function = replace(function, exact=frozenset())
    text = dump.function(function)
    again = parse.function(text)
    assert difference(function, again) is None, text
    assert dump.function(again) == text


def label(case: Case) -> str:
    return f"{case.page.stem}: {case.title}"


@pytest.mark.parametrize("case", CASES, ids=label)
def test_functions_of_cases_are_read_back(case: Case, tmp_path: Path) -> None:
    with programs.written(case, tmp_path) as program, depth.room():
        asked = None if case.check is None else program.request(case.check, case.check.kind)
        for name, _ in case.files:
            for function in functions(str(tmp_path / name), asked):
                check(function)
            asked = None


@pytest.mark.parametrize("case", CASES, ids=label)
def test_cases_have_facts(case: Case, tmp_path: Path) -> None:
    if case.check is None:
        return
    with programs.written(case, tmp_path) as program:
        for kind in (case.check.kind, "jvp"):
            request = program.request(case.check, kind)
            made = engine.staged(request, "facts", program.resolver)
            assert made.text.startswith("# with respect to ") or made.findings


@pytest.mark.parametrize("is_idiomatic", [False, True], ids=["plain", "idiomatic"])
@pytest.mark.parametrize("seed", SEEDS)
def test_functions_of_random_programs_are_read_back(
    seed: int, is_idiomatic: bool, tmp_path: Path
) -> None:
    written = write(seed, is_sharing=seed % 2 == 1, is_idiomatic=is_idiomatic)
    (tmp_path / "case.py").write_text(written.text, "utf-8")
    asked = Request("case.f", written.wrt, True, "vjp", outputs=written.outputs)
    for function in functions(str(tmp_path / "case.py"), asked):
        check(function)


TEXT = """
def f(x, n, *, scale: "float" = 2.0):
    y = np.zeros(3)
    while n > 0:
        y[n] += scale * x
        n -= 1
    if n == 0:
        z = -y[0]
    else:
        z = np.pi, 1e999, 2j, "it's"
    assert n == 0, "never"
    print(z, end="")
    return np.sum(y, axis=0)
"""

DUMP = """\
def f(x, n, *, scale: '"float"' = 2.0) in case:     # 3:1-6
    file 'case.py'
    import numpy as np
    y = numpy.zeros(3)                              # 4:5-20 [9-20]
    loop:                                           # 5:5-16
        %t:1 = n > 0                                # [11-16]
    while %t:1:
        %t:2 = scale * x                            # 6:9-26 [17-26]
        y[n] += %t:2                                # [9-13]
        n -= 1                                      # 7:9-15 [9-10]
    %t:3 = n == 0                                   # 8:5-14 [8-14]
    if %t:3:
        %t:4 = y[0]                                 # 9:9-18 [14-18]
        z = -%t:4                                   # [13-18]
    else:
        z = (numpy.pi, 1e999, complex'2j', "it's")  # 11:9-37 [13-37]
    %t:5 = n == 0                                   # 12:5-27 [12-18]
    assert %t:5, 'never'
    builtins.print(z, end='')                       # 13:5-21 [all]
    %t:6 = numpy.sum(y, axis=0)                     # 14:5-29 [12-29]
    return %t:6
"""


def test_what_it_looks_like() -> None:
    function, _ = lowered(TEXT)
    assert dump.function(function) == DUMP
    check(function)


def test_a_block_is_read_back() -> None:
    function, _ = lowered(TEXT)
    text = dump.block(function.body)
    assert difference(function.body, parse.block(text)) is None


def test_what_is_no_dump_is_refused_with_its_line() -> None:
    function, _ = lowered(TEXT)
    lines = dump.function(function).splitlines(keepends=True)
    for broken, number in ((["    y = = 3\n"], 3), (["    return\n"], 3), (["    nothing\n"], 3)):
        with pytest.raises(ParseError, match=f"line {number}"):
            parse.function("".join(lines[:2] + broken + lines[2:]))
    with pytest.raises(ParseError, match="nothing is expected"):
        parse.function("".join([*lines, lines[0]]))


def test_what_a_kept_statement_binds_is_told_in_one_order() -> None:
    function, _ = lowered("""
        def f(x):
            global d, c, b, a
            d, c, b, a = 1, 2, 3, 4
            return x
    """)
    lines = [line.split() for line in dump.function(function).splitlines()]
    assert [line[0] for line in lines if line[1:2] == ["means"]] == ["a", "b", "c", "d"]


def test_names_that_python_cannot_spell() -> None:
    span = ir.Span("a file.py", 1, 1, 2, 3)
    elsewhere = replace(span, path="2.py")
    atoms = (
        ir.Name(Saved("x", 2)),
        ir.Name("a b"),
        ir.Global("?f(x) + `1`"),
        ir.Global("case.<lambda:3:5>"),
        ir.Const(float("nan")),
        ir.Const(-0.0),
        ir.Const(complex(-0.0, float("inf"))),
        ir.Const(b"\n"),
        ir.Const(...),
        ir.Const(None),
        ir.Const(10**30),
    )
    call = ir.Call(
        "case.<lambda:3:5>", atoms, ((targets.Captured("self"), ir.Const(1)),), elsewhere
    )
    odd = ir.Call("a function (of ours)", (ir.Const("x, y"),))
    body = (ir.Assign(("x y", "z"), call, span, is_tuple=True), ir.Do(odd, elsewhere))
    parameters = (
        ir.Parameter("*"),
        ir.Parameter("args", ir.ParameterKind.VARARGS, annotation="a\n, b"),
        ir.Parameter("k", ir.ParameterKind.KEYWORD, ir.Const(1)),
        ir.Parameter("kw", ir.ParameterKind.VARKEYWORDS),
        ir.Parameter("late", ir.ParameterKind.KEYWORD, is_function=True),
        ir.Parameter("last"),
    )
    check(ir.Function("f g", "a module", parameters, body, span, (("np", "numpy"),), "d\n"))
