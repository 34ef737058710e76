"""The variables that we make are of our types, wherever they come from.

The functions of each twelfth case are looked at as they are lowered, as they are normalized, as
both modes prepare them, and as derivatives of both modes, of first and of second order, optimized
or not. With ADLSP_DUMPS=all those of all cases are.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import literate
import programs
import pytest
from literate import Case
from test_dump import CASES, functions, label

from adlsp.transform import depth, driver, ir, queries
from adlsp.transform.artifact import Request
from adlsp.transform.forward import assemble as forward
from adlsp.transform.ir import variables
from adlsp.transform.ir.variables import (
    Adjoint,
    Generated,
    Index,
    Kept,
    Merged,
    Own,
    Reference,
    Saved,
    Step,
    Tangent,
    Tape,
    Trips,
    Undo,
    Unused,
)
from adlsp.transform.query_cache import Functions, QueryCache
from adlsp.transform.reverse import assemble as reverse
from adlsp.workspace import Workspace

KINDS = ("vjp", "jvp")

MADE = [
    (Step(3), "%t:3", "t"),
    (Step(3, "old"), "%t:3:old", "old"),
    (Merged(4), "%v:4", "value"),
    (Own(5, "key"), "%u:5:key", "key"),
    (Reference(6), "%at:6", "%at:6"),
    (Index(7), "%index:7", "i"),
    (Unused(8), "%unused:8", "_"),
    (Adjoint("x"), "%bar:x", "x_bar"),
    (Adjoint(Step(3)), "%bar:%t:3", "t_bar"),
    (Tangent(Own(5, "x_bar")), "%dot:%u:5:x_bar", "x_bar_dot"),
    (Saved("x", 2), "%saved:x:2", "x_saved"),
    (Saved(Step(3, "old"), 2), "%saved:%t:3:old:2", "old_saved"),
    (Saved("x", 2, is_like=True), "%saved_like:x:2", "x_like"),
    (Tape("x", 2), "%tape:x:2", "x_saved"),
    (Tape("x", 2, is_like=True), "%tape_like:x:2", "x_likes"),
    (Kept(Saved("x", 2), 9), "%keep:%saved:x:2:9", "x_saved"),
    (Undo("x_saved", 2), "%undo:x_saved:2", "x_saved"),
    (Trips(3, 5), "%trips:3:5", "trips"),
    *((each, str(each), each.name) for each in variables.SINGLE.values()),
]


@pytest.mark.parametrize(("made", "text", "called"), MADE, ids=[text for _, text, _ in MADE])
def test_a_variable_keeps_its_type(made: Generated, text: str, called: str) -> None:
    assert made == text
    assert hash(made) == hash(text)
    assert variables.readable(made) == called
    assert type(variables.readable(made)) is str or made == called
    for again in (
        variables.read(text),
        *(pickle.loads(pickle.dumps(made, protocol)) for protocol in range(6)),
        copy.copy(made),
        copy.deepcopy(made),
    ):
        assert again == made
        assert type(again) is type(made)
        assert parts(again) == parts(made)


def parts(made: str) -> dict[str, object]:
    """The attributes of a variable, with the types of those that are variables."""
    names = (name for kind in type(made).__mro__ for name in getattr(kind, "__slots__", ()))
    return {name: (getattr(made, name), type(getattr(made, name))) for name in names}


def test_users_variables_are_plain() -> None:
    assert type(variables.read("x")) is str
    assert variables.readable("x") == "x"
    assert variables.primal("x") == "x"


@pytest.mark.parametrize("text", ["%x", "%t", "%t:x", "%saved:x", "%undone:x:2", "%"])
def test_what_is_written_otherwise_is_no_variable(text: str) -> None:
    with pytest.raises(ValueError, match="no variable is written"):
        variables.read(text)


def names_of(function: ir.Function) -> Iterator[str]:
    """The variables of a function, also in what is kept as it was written."""
    yield from (p.name for p in function.parameters)
    yield from _names_in(function.body)


def _names_in(block: ir.Block) -> Iterator[str]:
    for statement in ir.walk(block):
        yield from (*ir.reads(statement), *ir.writes(statement))
        match statement:
            case ir.Assign(value=ir.Opaque() as kept) | ir.Do(value=ir.Opaque() as kept):
                yield from (*kept.reads, *kept.writes, *kept.changes)
                yield from (name for _, names in kept.calls for name in names)
                yield from (name for pair in kept.names for name in pair)
                if kept.unfolded is not None:
                    yield from _names_in(kept.unfolded[0])
                    yield kept.unfolded[1].id


def check(function: ir.Function) -> None:
    """Each variable is of the type that its text tells."""
    for name in names_of(function):
        assert type(name) is type(variables.read(name)), name
        assert name.startswith("%") == isinstance(name, Generated)


def prepared(path: str, asked: Request) -> Iterator[ir.Function]:
    """A function as both modes prepare it."""
    workspace = Workspace()
    users = Functions(workspace.resolver(path), QueryCache())
    for kind in KINDS:
        request = replace(asked, kind=kind)
        program = queries.program_for(request, users)
        root = program.root(request.function)
        if root is None or any(each.blocks for each in queries.findings(request, users)):
            continue
        if kind == "jvp":
            yield forward.prepared(root, request.wrt, program)
            continue
        made = reverse.prepared(root, request.wrt, kind, program)
        yield made.primal
        for saved in made.saves.values():
            yield replace(made.primal, body=saved)


def second(path: str, asked: Request) -> Iterator[ir.Function]:
    """The functions of second derivatives, where there are any."""
    workspace = Workspace()
    users = Functions(workspace.resolver(path), QueryCache())
    inner = replace(asked, kind="grad", wrt=asked.wrt[:1], is_tuple=False, outputs=())
    for kind in KINDS:
        request = replace(inner, kind=kind, is_tuple=True, inner=inner)
        program = queries.program_for(request, users)
        root = program.root(request.function)
        if root is None or any(each.blocks for each in queries.findings(request, users)):
            continue
        try:
            yield from driver.differentiated(root, request, program)
        except driver.CannotAgainError:
            continue


@pytest.mark.parametrize("case", CASES, ids=label)
def test_variables_are_of_our_types(case: Case, tmp_path: Path) -> None:
    with programs.written(case, tmp_path) as program, depth.room():
        main = str(tmp_path / case.main)
        asked = None if case.check is None else program.request(case.check, case.check.kind)
        found = [*functions(main, asked)]
        if asked is not None:
            found += functions(main, replace(asked, kind="jvp"))
            found += (*prepared(main, asked), *second(main, asked))
        for function in found:
            check(function)


def test_each_sort_of_variable_is_met(tmp_path: Path) -> None:
    """What is looked at above has all that there is."""
    missing = {type(made) for made, _, _ in MADE} - {Reference}
    for number, case in enumerate(literate.cases()[::5]):
        folder = tmp_path / str(number)
        folder.mkdir()
        with programs.written(case, folder) as program, depth.room():
            if case.check is None:
                continue
            main, asked = str(folder / case.main), program.request(case.check, case.check.kind)
            of_modes = (functions(main, replace(asked, kind=kind)) for kind in KINDS)
            for function in chain(*of_modes, prepared(main, asked)):
                missing.difference_update(map(type, names_of(function)))
        if not missing:
            return
    assert not missing
