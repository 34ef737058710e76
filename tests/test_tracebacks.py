"""Tracebacks show the user's frames and those of derivatives; ours are left out."""

from __future__ import annotations

import linecache
import os
import pickle
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp.transform import engine

W = np.array([1.0, 2.0])
OWN = os.path.dirname(adlsp.__file__)


PASSING = "library/differentiated.py", "call"
"""The frame that passes on a first call."""


class Unreadable:
    """Looks like an array, and raises where it is read."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("cannot be read")


def curve(w):
    return np.tanh(w)


def product(a, w):
    return np.sum(a @ w)


def scaled(w, s):
    return np.sum(np.tanh(w) * s)


def callee(w, n):
    v = w * w
    return v.reshape(n)


def calling(w, n):
    return np.sum(callee(np.tanh(w), n))


def limit(n):
    if n < 0:
        raise ValueError("negative")
    return n


def limited(w, n):
    for _ in range(limit(n)):
        w = w * w
    return np.sum(w)


def refused(w):
    np.tanh(w, out=w)
    return np.sum(w)


NESTED = "def nested(x):\n" + "".join(
    f"{'    ' * (i + 1)}for i{i} in range(1):\n" for i in range(19)
)
NESTED += f"{'    ' * 20}x = x * 2.0\n    return x\n"


def frames(call: Callable[[], Any]) -> list[tuple[str, str]]:
    """The files and functions of the traceback of what a call raises, below the call."""
    with pytest.raises((TypeError, ValueError, RuntimeError, AttributeError)) as caught:
        call()
    shown = traceback.extract_tb(caught.value.__traceback__)
    below = [frame for frame in shown if frame.name not in ("frames", "<lambda>")]
    return [(place(frame.filename), frame.name) for frame in below]


def place(path: str) -> str:
    if "adlsp-derivatives" in path:
        return "derivative"
    if path.startswith(OWN):
        return os.path.relpath(path, OWN)
    return Path(path).name


HERE = Path(__file__).name


@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs notes")
@pytest.mark.parametrize(
    ("call", "notes"),
    [
        (
            lambda: adlsp.vjp(curve)(W, out_bar=np.ones(3)),
            ["backward of HERE: return np.tanh(w)"],
        ),
        (
            lambda: adlsp.grad(calling)(W, 3),
            [
                "forward of HERE: return np.sum(callee(np.tanh(w), n))",
                "forward of HERE: return v.reshape(n)",
            ],
        ),
        (lambda: adlsp.jvp(curve)(W, dots=(np.ones(3),)), ["tangent of HERE: return np.tanh(w)"]),
        (
            lambda: adlsp.jvp(adlsp.grad(limited))(W, -1, dots=(W,)),
            ["forward of HERE: for _ in range(limit(n)):"],
        ),
    ],
)
def test_a_note_names_the_lines_of_the_primal(call, notes):
    with pytest.raises(ValueError, match=r"shape|broadcast|negative") as caught:
        call()
    [note] = caught.value.__notes__
    lines = Path(__file__).read_text("utf-8").splitlines()
    written = [each.partition("HERE: ")[2] for each in notes]
    numbers = [next(n for n, line in enumerate(lines, 1) if line.strip() == w) for w in written]
    named = (f"{HERE}:{number}" for number in numbers)
    expected = [each.replace("HERE", next(named)) for each in notes]
    assert note.split("\n") == expected


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        (lambda: adlsp.grad(curve)(W), [("derivative", "curve_grad")]),
        (lambda: adlsp.vjp(curve)(W, out_bar=np.ones(3)), [("derivative", "curve_vjp")]),
        (lambda: adlsp.grad(product)(np.ones((2, 3)), W), [("derivative", "product_grad")]),
        (
            lambda: adlsp.grad(calling)(W, 3),
            [("derivative", "calling_grad"), ("derivative", "callee_forward")],
        ),
        (
            lambda: adlsp.grad(limited)(W, -1),
            [("derivative", "limited_grad"), (HERE, "limit")],
        ),
        (
            lambda: adlsp.grad(scaled, wrt="s")(W, Unreadable()),
            [("derivative", "scaled_grad"), (HERE, "__array__")],
        ),
        (lambda: adlsp.jvp(curve)(W, dots=W), [("derivative", "curve_jvp")]),
        (
            lambda: adlsp.grad(partial(limited, n=-1))(W),
            [("derivative", "limited_grad"), (HERE, "limit")],
        ),
        (
            lambda: adlsp.jacobian(limited)(W, -1),
            [("library/matrices.py", "__call__"), (HERE, "limited"), (HERE, "limit")],
        ),
        (
            lambda: adlsp.check_grads(limited, (W, -1)),
            [("library/api.py", "check_grads"), (HERE, "limited"), (HERE, "limit")],
        ),
        (lambda: adlsp.grad(refused), [("library/api.py", "grad")]),
        (lambda: adlsp.value_and_grad(refused), [("library/api.py", "value_and_grad")]),
        (lambda: adlsp.vjp(refused), [("library/api.py", "vjp")]),
        (lambda: adlsp.jvp(refused), [("library/api.py", "jvp")]),
        (lambda: adlsp.hvp(refused), [("library/api.py", "hvp")]),
        (lambda: adlsp.jacobian(refused), [("library/api.py", "jacobian")]),
        (lambda: adlsp.hessian(refused), [("library/api.py", "hessian")]),
        (lambda: adlsp.grad(curve, wrt="q"), [("library/api.py", "grad")]),
        (lambda: adlsp.derive(curve, wrt="q"), [("library/api.py", "derive")]),
        (lambda: adlsp.grad(None), [("library/api.py", "grad")]),
        (lambda: adlsp.check_grads(refused, (W,)), [("library/api.py", "check_grads")]),
    ],
)
def test_no_more_of_ours_than_what_was_called(
    call: Callable[[], Any], shown: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = frames(call)
    if sys.version_info < (3, 11) and found[0] == PASSING:  # a frame that raises again stays
        del found[0]
    assert found == shown
    monkeypatch.setenv("ADLSP_FULL_TRACEBACKS", "1")
    everything = frames(call)
    assert set(shown) <= set(everything)
    monkeypatch.setenv("ADLSP_FULL_TRACEBACKS", "0")
    assert frames(call) == shown


def test_lines_are_those_that_raised() -> None:
    with pytest.raises(ValueError, match="cannot reshape") as caught:
        adlsp.grad(calling)(W, 3)
    lines = [frame.line for frame in traceback.extract_tb(caught.value.__traceback__)[-2:]]
    assert lines[0].startswith("t_2, ") or "callee_forward(" in lines[0]
    assert "reshape" in lines[1]


def test_a_mistake_of_the_engine_keeps_all_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "queries", None)

    def fresh(w):
        return np.cos(w)

    shown = frames(lambda: adlsp.grad(fresh))
    assert shown[0] == ("library/api.py", "grad")
    assert shown[-1][0] == os.path.join("transform", "engine.py")


def test_what_is_handled_elsewhere_is_left_alone() -> None:
    """An exception under way when a derivative is called and returns is no concern of ours."""

    def handling() -> tuple[list[str], list[str]]:
        try:
            adlsp.grad(refused)
        except TypeError as error:
            before = traceback.format_tb(error.__traceback__)
            adlsp.grad(limited)(W, 1)
            return before, traceback.format_tb(error.__traceback__)
        return [], []

    before, after = handling()
    assert before == after != []


def test_as_deeply_nested_as_python_allows(tmp_path: Path) -> None:
    path = tmp_path / "nested_loops.py"
    path.write_text(NESTED, "utf-8")
    space: dict[str, Any] = {"__name__": "nested_loops"}
    exec(compile(NESTED, str(path), "exec"), space)
    assert adlsp.grad(space["nested"])(1.0) == 2.0


@pytest.mark.parametrize(
    ("wrt", "dots", "said"),
    [
        (
            ("w", "s"),
            (W,),
            "`dots` is a tuple of 2 tangents, one for each entry of `wrt`: dots=(w_d",
        ),
        (
            ("w", "s"),
            (W, 1.0, 1.0),
            "of 2 tangents, one for each entry of `wrt`: dots=(w_dot, s_dot)",
        ),
        ("w", W, "`dots` is a tuple of a tangent, one for each entry of `wrt`: dots=(w_dot,)"),
        ("w", 1.0, "dots=(w_dot,)"),
    ],
)
@pytest.mark.parametrize("made", [adlsp.jvp, adlsp.hvp])
def test_wrong_dots_are_told_how_many(made: Any, wrt: Any, dots: Any, said: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        made(scaled, wrt=wrt)(W, 2.0, dots=dots)
    assert said in str(caught.value)


@pytest.mark.parametrize("n", [2, -1])
def test_a_debugger_sees_no_line_of_what_handles_exceptions(n: int) -> None:
    derivative = adlsp.grad(limited)
    derivative(W, 2)
    path, lines = derivative.path, set()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename == path and event == "line":
            lines.add(linecache.getline(path, frame.f_lineno).strip())
        return trace

    old = sys.gettrace()
    sys.settrace(trace)
    try:
        derivative(W, n)
    except ValueError:
        assert n < 0
    finally:
        sys.settrace(old)
    assert lines
    assert not any(line.startswith(('"""', "def")) for line in lines)


class Holder:
    """An object that holds itself."""

    def __init__(self) -> None:
        self.w, self.me = np.ones(2), self


def test_what_holds_itself_is_said_to() -> None:
    def f(holder: Any, x: Any) -> Any:
        return np.sum(holder.w * x)

    with pytest.raises(RecursionError, match=r"an argument that holds itself .* \(AD203\)"):
        adlsp.grad(f, wrt="holder")(Holder(), np.ones(2))
    np.testing.assert_allclose(adlsp.grad(f, wrt="x")(Holder(), np.ones(2)), np.ones(2))


def test_an_error_of_a_derivative_pickles() -> None:
    with pytest.raises(ValueError, match="only a scalar output") as caught:
        adlsp.grad(curve)(W)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_refusal_is_called_as_programs_write_it() -> None:
    with pytest.raises(adlsp.DifferentiationError) as raised:
        adlsp.grad(refused)
    last = traceback.format_exception_only(raised.type, raised.value)[0]
    assert last.startswith("adlsp.DifferentiationError: `refused` cannot be differentiated\n")
