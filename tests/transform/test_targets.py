"""What calls go to: the types of what we make, their notation, and that no text stands for one.

The functions of each twelfth case are looked at: as they are lowered and normalized, and what is
made of them in both modes and once more, optimized or not. With ADLSP_DUMPS=all those of all cases
are.
"""

from __future__ import annotations

import copy
import os
import pickle
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import literate
import programs
import pytest
from literate import Case

from adlsp.transform import depth, driver, engine, ir, queries, requests
from adlsp.transform.artifact import Request
from adlsp.transform.ir import targets
from adlsp.transform.ir.targets import (
    Bare,
    Captured,
    CopyOut,
    Derivative,
    Derived,
    Family,
    Gives,
    Initializer,
    Nested,
    Pair,
    Side,
    Wrapped,
)
from adlsp.transform.query_cache import Functions, QueryCache
from adlsp.workspace import Workspace

CASES = literate.cases()[:: 1 if os.environ.get("ADLSP_DUMPS") == "all" else 12]

MADE = {
    "nested:mine.Model.loss": Nested("mine.Model.loss"),
    "nested:bare:mine.f": Nested(Bare("mine.f")),
    "nested:mine.<lambda:3:5>": Nested("mine.<lambda:3:5>"),
    "wrapped:mine.f": Wrapped("mine.f"),
    "initializer:mine.model": Initializer("mine.model"),
    "changed+u:mine.step": CopyOut(Gives.CHANGED, ("u",), "mine.step"),
    "called+u+v:mine.step": CopyOut(Gives.CALLED, ("u", "v"), "mine.step"),
    "unseen+u:nested:mine.f": CopyOut(Gives.UNSEEN, ("u",), Nested("mine.f")),
    "pair:f_forward": Pair("f", Side.FORWARD),
    "pair:f_2_backward": Pair("f_2", Side.BACKWARD),
    "pair:f_forward_jvp_3": Pair("f_forward", Side.JVP, 3),
    "derived:f_forward": Derived(Pair("f", Side.FORWARD)),
    "derived:f_grad": Derived("f_grad"),
    "grad[x]:mine.f": Derivative("mine.f", "grad", ("x",), False),
    "value_and_grad[x,y]:mine.f": Derivative("mine.f", "value_and_grad", ("x", "y"), True),
    "vjp[x,]:grad[x]:nested:mine.f": Derivative(
        Derivative(Nested("mine.f"), "grad", ("x",), False), "vjp", ("x",), True
    ),
}

PLAIN = (
    "numpy.tanh",
    "changed.<lambda:3:5>",
    "pair.f_forward",
    "nested.f",
    "derived.f",
    "called.f",
    "ndarray.sum",
    "?f(x)[a:b]",
)


def parts(function: object) -> object:
    """All that the name of a function is made of."""
    if isinstance(function, targets.Made):
        kind, fields = function.__reduce__()
        return kind, *map(parts, fields)
    return function


@pytest.mark.parametrize("text", MADE)
def test_what_we_make_is_its_notation_and_read_from_it(text: str) -> None:
    made = MADE[text]
    assert made == text
    assert {text: 1}[made] == 1
    assert parts(targets.read(text)) == parts(made)


@pytest.mark.parametrize("made", [*MADE.values(), Captured("scale")])
def test_copies_have_the_type(made: targets.Made) -> None:
    for again in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert type(again) is type(made)
        assert parts(again) == parts(made)
        assert again == made


@pytest.mark.parametrize("text", PLAIN)
def test_other_names_are_read_as_they_are(text: str) -> None:
    assert type(targets.read(text)) is str


def test_keywords_are_read() -> None:
    read = targets.read_keyword("%scale")
    assert isinstance(read, Captured)
    assert read.of == "scale"
    assert type(targets.read_keyword("scale")) is str


def test_what_a_name_stands_for() -> None:
    assert targets.defined(Nested(Bare("mine.f"))) == "mine.f"
    assert targets.defined("mine.f") == "mine.f"
    assert targets.original(CopyOut(Gives.CALLED, ("u",), "mine.step")) == "mine.step"
    assert targets.original("mine.step") == "mine.step"


def test_families() -> None:
    families = {
        "ndarray.sum": Family.METHOD,
        "attribute.T": Family.ATTRIBUTE,
        "operator.add": Family.OPERATOR,
        "python.tuple": Family.SYNTAX,
        "numpy.add.at": Family.FUNCTION,
        "ndarrays.sum": Family.FUNCTION,
        "f": Family.FUNCTION,
        "?f.T": Family.UNRESOLVED,
        Nested("mine.f"): Family.MADE,
    }
    assert {name: targets.family(name) for name in families} == families
    assert targets.is_of("numpy.linalg.inv", "numpy")
    assert targets.is_of("numpy.linalg.inv", "math", "numpy.linalg")
    assert not targets.is_of("numpyro.infer", "numpy")
    assert not targets.is_of(CopyOut(Gives.CALLED, ("u",), "numpy.f"), "numpy")
    assert targets.member("numpy.linalg.inv") == "inv"
    assert targets.member(Nested("mine.f")) == "f"
    assert targets.member(Pair("f", Side.FORWARD)) == "f_forward"
    assert targets.as_method("attribute.real") == "ndarray.real"
    assert targets.as_method("mine.attribute.real") == "mine.attribute.real"


def derivative(module: str, folder: Path) -> str:
    """The derivative of a function that calls one of a module of some name."""
    (folder / f"{module}.py").write_text("def scaled(x, by):\n    return x * by\n", "utf-8")
    text = f"import {module} as m\n\n\ndef f(x):\n    return m.scaled(x, 3.0)\n"
    (folder / "case.py").write_text(text, "utf-8")
    made = engine.derive(Request("case.f", ("x",)), Workspace().resolver(str(folder / "case.py")))
    assert made.source, made.findings
    return made.source


@pytest.mark.parametrize("module", ["nested", "bare", "wrapped", "pair", "derived", "called"])
def test_a_user_may_call_a_module_like_what_we_make(module: str, tmp_path: Path) -> None:
    expected = derivative("another", tmp_path).replace("another", module)
    assert derivative(module, tmp_path) == expected


def names(block: ir.Block) -> Iterator[str]:
    """What the calls of a block go to, and what is said of calls in what was kept."""
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                yield call.function
            case ir.Assign(value=ir.Opaque() as kept) | ir.Do(value=ir.Opaque() as kept):
                yield from (function for function, _ in kept.calls)
                yield from (function for _, function, _ in kept.holds)
                if kept.unfolded is not None:
                    yield from names(kept.unfolded[0])


def keywords(block: ir.Block) -> Iterator[str]:
    """The keywords of the calls of a block."""
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                yield from (key for key, _ in call.keywords)


def functions(asked: Request, users: Functions) -> Iterator[ir.Function]:
    """The functions of a program and of its derivatives, of the second order as well."""
    again = replace(asked, kind="vjp", inner=asked), replace(asked, kind="jvp", inner=asked)
    for request in (asked, replace(asked, kind="jvp"), replace(asked, optimize=False), *again):
        program = queries.program_for(request, users)
        root = program.root(request.function)
        if root is None or any(each.blocks for each in queries.findings(request, users)):
            return
        yield root
        with suppress(driver.CannotAgainError):
            yield from driver.differentiated(root, request, program)
        asked_for = program.asked(request.function)
        yield from filter(None, map(program.function, asked_for))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.page.stem}: {case.title}")
def test_all_calls_go_to_what_is_typed(case: Case, tmp_path: Path) -> None:
    with programs.written(case, tmp_path) as program, depth.room():
        workspace, users = Workspace(), Functions(program.resolver, QueryCache())
        every: list[ir.Function] = []
        for name, _ in case.files:
            source = workspace.source(str(tmp_path / name))
            for definition in requests.definitions(source, program.resolver):
                found = users.lowered(definition.dotted)
                every += () if found is None else (found[1],)
        if case.check is not None:
            every += functions(program.request(case.check, case.check.kind), users)
    for function in every:
        called = () if function.called is None else (function.called,)
        for each in (*called, *names(function.body)):
            assert type(each) is type(targets.read(each)), each
        for key in keywords(function.body):
            assert type(key) is type(targets.read_keyword(key)), key
