"""Tables: what goes in, what comes out."""

from __future__ import annotations

import asyncio
import builtins
import dataclasses
import time

import pytest

from adlsp.debug import inside, instrument, maps, primals, program, rewrite, scopes, stack
from adlsp.debug.breakpoints import Breakpoints, file_of
from adlsp.debug.upstream import RefusedError
from adlsp.debug.wire import Message

from .test_maps import LOOP, PRIMAL, make_map

DERIVATIVE = make_map(LOOP)
FILE = DERIVATIVE.path
RULES = list(rewrite.RULES)
PATHS = list(rewrite.PATHS)


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ({}, {"rules": RULES}),
        ({"rules": None}, {"rules": RULES}),
        (
            {"program": "x.py", "rules": [{"path": "**", "include": False}]},
            {"program": "x.py", "rules": [*RULES, *PATHS, {"path": "**", "include": False}]},
        ),
        (
            {"rules": [*RULES, *PATHS, {"path": "**", "include": False}]},
            {"rules": [*RULES, *PATHS, {"path": "**", "include": False}]},
        ),
        ({"rules": [*RULES, {"module": "m"}]}, {"rules": [*RULES, {"module": "m"}]}),
        (
            {"args": "--lr 0.1 'a b'"},
            {"args": ["--lr", "0.1", "a b"], "console": "internalConsole", "rules": [*RULES]},
        ),
        (
            {"args": "--lr 0.1", "console": "integratedTerminal"},
            {"args": "--lr 0.1", "console": "integratedTerminal", "rules": [*RULES]},
        ),
    ],
)
def test_start(arguments, result):
    assert rewrite.start(arguments) == result


def test_capabilities():
    answer = {"seq": 1, "type": "response", "body": {"supportsLogPoints": True}}
    raised = {"exceptionBreakpointFilters": [{"filter": "raised"}]}
    changed = rewrite.capabilities({**answer, "body": {**answer["body"], **raised}})
    modes = changed["body"].pop("breakpointModes")
    offered = changed["body"].pop("exceptionBreakpointFilters")
    assert changed["body"].pop("supportsExceptionFilterOptions") is True
    assert changed["body"].pop("supportsExceptionInfoRequest") is True
    assert changed["body"].pop("supportsSteppingGranularity") is True
    assert changed == answer
    assert [each["filter"] for each in offered] == [
        "raised",
        "adlsp.nonfinite",
        "adlsp.exploding",
        "adlsp.vanishing",
    ]
    assert [mode["mode"] for mode in modes] == ["forward", "backward", "both"]
    assert all(mode["appliesTo"] == ["source", "exception"] for mode in modes)


@pytest.mark.parametrize(
    ("arguments", "mode"),
    [({}, "both"), ({"primalBreakpoints": "forward"}, "forward"), ({"primalBreakpoints": 3}, None)],
)
def test_primal_mode(arguments, mode):
    if mode is None:
        with pytest.raises(ValueError, match="primalBreakpoints"):
            rewrite.primal_mode(arguments)
    else:
        assert rewrite.primal_mode(arguments) == mode


@pytest.mark.parametrize(
    ("path", "result"),
    [
        ("/remote/src/a.py", "/home/me/src/a.py"),
        ("/remote2/a.py", "/remote2/a.py"),
        ("/elsewhere/a.py", "/elsewhere/a.py"),
    ],
)
def test_path_to_client(path, result):
    mappings = [{"localRoot": "/home/me/", "remoteRoot": "/remote"}, {"remoteRoot": "."}, {}]
    assert rewrite.path_to_client(path, mappings) == result


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ({"frameId": 7}, {"frameId": 2}),
        ({"frameId": 2}, None),
        ({"frameId": "x"}, None),
        ({}, None),
    ],
)
def test_with_real_frame(arguments, result):
    request = {"seq": 5, "type": "request", "command": "scopes", "arguments": arguments}
    changed = rewrite.with_real_frame(request, lambda frame: {7: 2}.get(frame, frame))
    if result is None:
        assert changed is request
    else:
        assert changed == {**request, "arguments": result}


def frame(id_: int, path: str | None, line: int) -> Message:
    return {"id": id_, "name": "f", "line": line, "column": 1, "source": {"path": path}}


def shown(frames: list[Message]) -> list[tuple[object, ...]]:
    return [(f["name"], f["line"], f.get("presentationHint")) for f in frames]


def rewritten(given: list[Message], frames: stack.Frames) -> list[Message]:
    known = {maps.key(FILE): DERIVATIVE}
    return stack.rewrite(given, known, is_hook, is_ours, frames, no_name, nothing)


def test_stack():
    """The hook is dropped; a line of a derivative has its primal line below; others stay."""
    frames = stack.Frames()
    given = [
        frame(1, "/site/adlsp/runtime/hook.py", 9),
        frame(2, FILE, 11),
        frame(3, FILE, 5),
        frame(4, FILE, 7),
        frame(5, PRIMAL, 11),
        frame(6, None, 1),
    ]
    changed = stack.rewrite(
        given, {maps.key(FILE): DERIVATIVE}, is_hook, is_ours, frames, no_name, nothing
    )
    assert shown(changed) == [
        ("f", 11, None),
        ("backward of line 11, depth 3", 11, "subtle"),
        ("f", 5, None),
        ("forward of line 11, depth 2", 11, "subtle"),
        ("f", 7, None),
        ("f", 11, None),
        ("f", 1, None),
    ]
    assert changed[1]["source"] == {"path": PRIMAL, "name": "losses.py"}
    again = stack.rewrite(
        given, {maps.key(FILE): DERIVATIVE}, is_hook, is_ours, frames, no_name, nothing
    )
    assert again == changed
    assert frames.real(changed[1]["id"]) == 2
    assert frames.counterpart(2) == stack.Place(PRIMAL, 11, changed[1]["id"])
    assert frames.counterpart(changed[1]["id"]) == stack.Place(FILE, 11, 2)
    assert frames.counterpart(4) is None
    kept = frames.forget()
    assert frames.counterpart(2) is None
    assert frames.real(changed[1]["id"]) == changed[1]["id"]
    frames.recall(kept)
    assert frames.counterpart(2) == stack.Place(PRIMAL, 11, changed[1]["id"])
    assert (
        stack.rewrite(
            given, {maps.key(FILE): DERIVATIVE}, is_hook, is_ours, frames, no_name, nothing
        )
        == changed
    )


def test_what_calls_the_hook_to_stop_is_dropped():
    """Only there: below a derivative, code of ours is what it is."""
    ours = [frame(n, f"/site/adlsp/{name}.py", 1) for n, name in enumerate(("a", "b"), 2)]
    given = [frame(1, "/site/adlsp/runtime/hook.py", 9), *ours, frame(4, FILE, 11), *ours]
    changed = stack.rewrite(given, {}, is_hook, is_ours, stack.Frames(), no_name, nothing)
    assert [each["id"] for each in changed] == [4, 2, 3]
    assert stack.rewrite(ours, {}, is_hook, is_ours, stack.Frames(), no_name, nothing) == ours


def nothing(*_: object) -> scopes.Shown:
    return scopes.NOTHING


def test_the_primal_comes_first_for_who_stays_there():
    frames = stack.Frames()
    given = [frame(1, FILE, 11), frame(2, PRIMAL, 30), frame(3, FILE, 5), frame(4, PRIMAL, 40)]
    changed = rewritten(given, frames)
    assert shown(stack.primal_first(changed, frames)) == [
        ("backward of line 11, depth 2", 11, None),
        ("f", 11, "subtle"),
        ("f", 30, None),
        ("forward of line 11, depth 1", 11, None),
        ("f", 5, "subtle"),
        ("f", 40, None),
    ]


@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [({}, "beside"), ({"layout": "primal"}, "primal"), ({"layout": 1}, "")],
)
def test_layout(arguments, chosen):
    if chosen:
        assert rewrite.layout(arguments) == chosen
    else:
        with pytest.raises(ValueError, match='"beside" or "derivative" or "primal", not 1'):
            rewrite.layout(arguments)


def no_name(path: str, line: int) -> str:
    assert path or line
    return ""


def test_names_of_frames():
    """The function of the primal, how deep in itself, and of which order the derivative is."""
    second = dataclasses.replace(DERIVATIVE, name="loss_grad_jvp", primal="loss")
    given = [frame(1, FILE, 11), frame(2, FILE, 11), frame(3, PRIMAL, 11)]
    changed = stack.rewrite(
        given,
        {maps.key(FILE): second},
        is_hook,
        is_ours,
        stack.Frames(),
        lambda *_: "loss",
        nothing,
    )
    assert [each["name"] for each in changed] == [
        "f",
        "backward of loss, line 11, depth 2, 2nd order",
        "f",
        "backward of loss, line 11, depth 1, 2nd order",
        "f",
    ]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("loss_grad", 1),
        ("loss_value_and_grad", 1),
        ("loss_grad_jvp", 2),
        ("loss_grad_grad_grad", 3),
    ],
)
def test_order(name, order):
    assert dataclasses.replace(DERIVATIVE, name=name, primal="loss").order == order


def is_ours(path: str) -> bool:
    return path.startswith("/site/adlsp/")


def is_hook(path: str) -> bool:
    return path.endswith("hook.py")


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ({}, [1, 2, 3]),
        ({"startFrame": 0, "levels": 1}, [1]),
        ({"startFrame": 1, "levels": 19}, [2, 3]),
        ({"startFrame": 3, "levels": 19}, []),
        ({"startFrame": None, "levels": 0}, [1, 2, 3]),
    ],
)
def test_cut(arguments, ids):
    body = stack.cut([{"id": 1}, {"id": 2}, {"id": 3}], arguments)
    assert [frame["id"] for frame in body["stackFrames"]] == ids
    assert body["totalFrames"] == 3


@pytest.mark.parametrize(
    ("entry", "default", "own", "translated"),
    [
        ({"line": 11}, "both", [11], [5, 11]),
        ({"line": 11}, "forward", [11], [5]),
        ({"line": 11}, "backward", [], [11]),
        ({"line": 50}, "backward", [50], []),
        ({"line": 11, "mode": "forward"}, "backward", [11], [5]),
        ({"line": 11, "mode": "backward"}, "both", [], [11]),
        ({"line": 50, "mode": "backward"}, "both", [], []),
        ({"line": 11, "mode": "unheard of"}, "both", [11], [5, 11]),
        ({"line": 11, "logMessage": "x"}, "both", [11], [5]),
        ({"line": 11, "hitCondition": "3"}, "both", [11], [5]),
        ({"line": 11, "hitCondition": "3"}, "backward", [], [11]),
        ({"line": 11, "logMessage": "x"}, "backward", [], [11]),
        ({"line": 11, "logMessage": "x"}, "forward", [11], [5]),
        ({"line": 11, "hitCondition": "", "logMessage": ""}, "both", [11], [5, 11]),
        ({"line": 11, "hitCondition": "3", "mode": "both"}, "both", [11], [5, 11]),
    ],
)
def test_where_a_breakpoint_is_placed(entry, default, own, translated):
    breakpoints = Breakpoints()
    breakpoints.default_mode = default
    breakpoints.replace({"source": {"path": PRIMAL}, "breakpoints": [entry]})
    breakpoints.add(DERIVATIVE)
    assert [placed.line for placed in breakpoints.requested(PRIMAL)] == own
    assert [placed.line for placed in breakpoints.requested(FILE)] == translated
    for placed in (*breakpoints.requested(PRIMAL), *breakpoints.requested(FILE)):
        assert "mode" not in placed.arguments
        assert "" not in placed.arguments.values()
        assert placed.arguments["line"] == placed.line


def test_the_head_of_a_function_of_a_derivative_stops_where_it_is_called(tmp_path):
    """It runs when the file is compiled, which is no call; nor is there anything on a comment."""
    path = tmp_path / maps.SEGMENT / "f_grad.py"
    path.parent.mkdir()
    path.write_text('def f_grad(x,\n    y):\n    """Doc."""\n    # forward\n    return x\n')
    breakpoints = Breakpoints(primals.read_layout)
    entries = [{"line": line} for line in range(1, 6)]
    breakpoints.replace({"source": {"path": str(path)}, "breakpoints": entries})
    [placed] = breakpoints.requested(str(path))
    assert (placed.line, len(placed.owners)) == (5, 5)


def test_answering_for_many_breakpoints_takes_a_moment():
    breakpoints = Breakpoints()
    entries = [{"line": line} for line in range(1, 20_001)]
    document, _ = breakpoints.replace({"source": {"path": PRIMAL}, "breakpoints": entries})
    verify(breakpoints, PRIMAL)
    start = time.process_time()
    assert len(breakpoints.answer(document)) == 20_000
    assert list(breakpoints.changes()) == []
    assert time.process_time() - start < 5


def test_one_breakpoint_for_a_line_and_the_one_that_always_stops_wins():
    breakpoints = Breakpoints()
    breakpoints.add(DERIVATIVE)
    breakpoints.replace(
        {"source": {"path": FILE}, "breakpoints": [{"line": 11, "condition": "h > 1", "column": 4}]}
    )
    breakpoints.replace(
        {"source": {"path": PRIMAL}, "breakpoints": [{"line": 11, "mode": "backward", "column": 9}]}
    )
    [placed] = breakpoints.requested(FILE)
    assert placed.arguments == {"line": 11}
    assert len(placed.owners) == 2
    breakpoints.replace({"source": {"path": PRIMAL}, "breakpoints": []})
    [placed] = breakpoints.requested(FILE)
    assert placed.arguments == {"line": 11, "condition": "h > 1", "column": 4}


def test_each_of_several_conditions_on_a_line_counts(monkeypatch):
    breakpoints = Breakpoints()
    breakpoints.add(DERIVATIVE)
    breakpoints.replace(
        {"source": {"path": FILE}, "breakpoints": [{"line": 11, "condition": "h > 1"}]}
    )
    conditions = ["h_bar > 2", "h > 1", "h < 0"]
    sent = [{"line": 11, "mode": "backward", "condition": each} for each in conditions]
    breakpoints.replace({"source": {"path": PRIMAL}, "breakpoints": sent})
    [placed] = breakpoints.requested(FILE)
    assert placed.conditions == ("h > 1", "h_bar > 2", "h < 0")
    assert len(placed.owners) == 4
    asked = instrument.watched(FILE, placed)["condition"]
    monkeypatch.setattr(inside, "tell", lambda _: True)
    monkeypatch.setattr(builtins, inside.HOLDS, inside.holds, raising=False)
    for h, h_bar, stops in ((2, 0, True), (0, 3, True), (-1, 0, True), (0, 0, False)):
        assert bool(eval(asked, {}, {"h": h, "h_bar": h_bar})) is stops
    sent[0]["logMessage"] = "{h}"
    breakpoints.replace({"source": {"path": PRIMAL}, "breakpoints": sent})
    [placed] = breakpoints.requested(FILE)
    assert placed.conditions[0] == "h > 1"


def test_conditions_where_nothing_of_ours_is_in_the_program():
    """They are handed to debugpy as the user has written them."""
    asked, told = [], []

    def ask(command, arguments):
        answer = asyncio.get_running_loop().create_future()
        if command == "evaluate":
            answer.set_exception(RefusedError("no"))
        else:
            asked.append([each.get("condition") for each in arguments["breakpoints"]])
            verified = [{"id": 1, "verified": True, "line": 11}]
            answer.set_result({"breakpoints": verified})
        return answer

    async def scenario():
        made = program.Program(ask, lambda: None, told.append, lambda _: None)
        entry = {"line": 11, "condition": "h > 1"}
        made.breakpoints.replace({"source": {"path": FILE}, "breakpoints": [entry]})
        await made.place(FILE)
        await made.prepare()

    asyncio.run(scenario())
    assert [first[0].startswith(inside.HOLDS) for first in asked] == [True, False]
    assert asked[1] == ["h > 1"]
    assert len(told) == 1
    assert program.NEVER in told[0]


def verify(breakpoints: Breakpoints, path: str, first_id: int = 1, verified: bool = True) -> None:
    """Answers for a file as debugpy does."""
    placed = breakpoints.requested(path)
    answers = [
        {"id": first_id + i, "verified": verified, "line": place.line}
        | ({} if verified else {"message": "no such file"})
        for i, place in enumerate(placed)
    ]
    breakpoints.settle(path, placed, answers)


@pytest.mark.parametrize(
    ("mode", "before", "after"),
    [
        ({}, (True, None), (True, "Forward and backward: loss_grad.py:11")),
        ({"mode": "forward"}, (True, None), (True, None)),
        (
            {"mode": "backward"},
            (False, "Backward: waits for a derivative of this line"),
            (True, "Backward: loss_grad.py:11"),
        ),
        (
            {"mode": "both"},
            (True, "Forward; backward waits for a derivative of this line"),
            (True, "Forward and backward: loss_grad.py:11"),
        ),
    ],
)
def test_what_the_client_is_told(mode, before, after):
    breakpoints = Breakpoints()
    document, files = breakpoints.replace(
        {"source": {"path": PRIMAL}, "breakpoints": [{"line": 11, **mode}]}
    )
    assert files == (PRIMAL,)
    verify(breakpoints, PRIMAL)
    [told] = breakpoints.answer(document)
    assert (told["verified"], told.get("message")) == before
    assert list(breakpoints.changes()) == []
    assert breakpoints.add(DERIVATIVE) == (FILE,)
    verify(breakpoints, FILE, 20)
    changed = list(breakpoints.changes())
    assert [(c["id"], c["verified"], c.get("message")) for c in changed] == (
        [] if before == after else [(told["id"], *after)]
    )
    assert breakpoints.owners([20]) == [told["id"]]
    assert breakpoints.owners([99]) == [99]


def test_complaints_of_debugpy_are_passed_on():
    breakpoints = Breakpoints()
    document, _ = breakpoints.replace({"source": {"path": PRIMAL}, "lines": [3]})
    verify(breakpoints, PRIMAL, verified=False)
    [told] = breakpoints.answer(document)
    assert (told["verified"], told["message"], told["line"]) == (False, "no such file", 3)
    assert breakpoints.update({"id": 1, "verified": True, "line": 4, "message": None})
    assert not breakpoints.update({"id": 77, "verified": True})
    [changed] = breakpoints.changes()
    assert (changed["id"], changed["verified"], changed["line"]) == (told["id"], True, 4)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("adlsp-derivative:/loss_adjoint.py?uri=file:///project/losses.py&function=loss", FILE),
        ("adlsp-derivative:/l.py?uri%3Dfile%253A///project/losses.py%26function%3Dm.loss", FILE),
        ("adlsp-derivative:/l.py?uri=file:///project/losses.py&function=other", None),
        ("adlsp-derivative:/l.py?uri=file:///project/other.py&function=loss", None),
        ("adlsp-derivative:/loss_adjoint.py", None),
    ],
)
def test_file_of(uri, path):
    assert file_of(uri, [DERIVATIVE]) == path


@pytest.mark.parametrize(
    ("command", "is_shown"),
    [("launch", True), ("setVariable", True), ("variables", False), ("adlsp/compare", False)],
)
def test_what_a_client_asks_by_itself_fails_without_a_message(command, is_shown):
    """Editors ask for variables while the program goes on; that is no news to a person."""
    answer = rewrite.failure({"seq": 3, "command": command}, "the program has gone on since")
    assert answer["body"]["error"]["showUser"] is is_shown
    assert answer["message"] == "the program has gone on since"
