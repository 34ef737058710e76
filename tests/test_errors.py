"""What the library says of what it cannot take: in the user's names, and with the way out."""

from __future__ import annotations

import functools
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adlsp

WRITTEN = """\
import numpy as np


def scaled(w, scale):
    result = np.add(w, scale, out=w)
    return np.sum(result)


def squared(w):
    try:
        return w * w
    finally:
        print(w)
"""

W = np.array([1.0, 2.0])


class Model:
    pass


def loss(w, b, x):
    return np.sum(np.tanh(x @ w + b))


def curve(w):
    return np.tanh(w)


def pair(w):
    return w, 2.0 * w


def nothing():
    return 1.0


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "written_by_a_user.py"
    path.write_text(WRITTEN, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return path


def check(path: Path) -> str:
    command = [sys.executable, "-m", "adlsp", "check", "--all-functions", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=60)
    return done.stdout


@pytest.mark.parametrize("name", ["scaled", "squared"])
def test_a_refusal_has_the_findings_as_adlsp_check_prints_them(written: Path, name: str) -> None:
    module = __import__(written.stem)
    with pytest.raises(adlsp.DifferentiationError) as caught:
        adlsp.grad(getattr(module, name))
    first, _, found = str(caught.value).partition("\n\n")
    assert first == f"`{name}` cannot be differentiated"
    assert "^^^" in found
    assert found in check(written)
    again = pickle.loads(pickle.dumps(caught.value))
    written.unlink()
    assert str(again) == str(caught.value)
    assert again.findings == caught.value.findings


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        (Model(), "an object of the class `Model`, which cannot be called"),
        (Model, "the class `Model`"),
        ("loss", "an object of the class `str`, which cannot be called"),
        (None, "None, which cannot be called"),
        ([loss], "an object of the class `list`, which cannot be called"),
        (loss(W, 0.0, W), "an object of the class `float64`: pass the function itself, as in"),
        (functools.partial(Model), "a partial of the class `Model`"),
    ],
)
def test_what_is_no_function_is_named_without_an_address(thing: Any, said: str) -> None:
    with pytest.raises(TypeError, match=re.escape(f"this is {said}")) as caught:
        adlsp.grad(thing)
    assert "0x" not in str(caught.value)


def test_a_partial_of_a_library_function_is_one_of_a_library() -> None:
    with pytest.raises(adlsp.DifferentiationError, match="AD112 error: `sum` is a function of a"):
        adlsp.grad(functools.partial(np.sum, axis=0))


KNOWN = "it has `w`, `b`, `x`"


@pytest.mark.parametrize(
    ("wrt", "kind", "said"),
    [
        ("W", ValueError, f"`loss` has no parameter `W`; {KNOWN}: did you mean `w`?"),
        ("weights", ValueError, f"`loss` has no parameter `weights`; {KNOWN}"),
        ("w, b", ValueError, "several parameters are a tuple of names: wrt=('w', 'b')"),
        (3, ValueError, f"`loss` has no parameter number 3; {KNOWN}, counted from 0"),
        (-4, ValueError, f"`loss` has no parameter number -4; {KNOWN}, counted from 0"),
        (("w", "q"), ValueError, f"`loss` has no parameter `q`; {KNOWN}"),
        ((), ValueError, "`wrt` is empty: it names the parameters of interest"),
        (("b", 1), ValueError, "`wrt` names a parameter twice"),
        (None, TypeError, "or a tuple of them, not None"),
        (True, TypeError, "or a tuple of them, not an object of the class `bool`"),
        ({"w"}, TypeError, "or a tuple of them, not an object of the class `set`"),
        (("w", None), TypeError, "or a tuple of them, not None"),
        (W, TypeError, "the class `ndarray`: the arguments go to what that gives, `adlsp.grad(lo"),
    ],
)
@pytest.mark.parametrize("made", [adlsp.grad, adlsp.jvp, adlsp.hvp, adlsp.derive])
def test_a_wrong_wrt_is_told_what_there_is(made: Any, wrt: Any, kind: type, said: str) -> None:
    with pytest.raises(kind, match=re.escape(said)):
        made(loss, wrt=wrt)


def test_a_function_without_parameters() -> None:
    with pytest.raises(ValueError, match="`nothing` has no parameters that could be named"):
        adlsp.grad(nothing)


@pytest.mark.parametrize("which", [np.int64(1), -2, "b", ["b"]])
def test_positions_may_be_of_numpy(which: Any) -> None:
    assert np.shape(adlsp.grad(loss, wrt=which)(W, 0.0, W)) in ((), (1,))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: adlsp.grad(curve)(W), "pass `out_bar=` in that shape, as to adlsp.vjp, or use ad"),
        (
            lambda: adlsp.hessian(curve)(W),
            "the output of `curve` has shape (2,), and only a scalar",
        ),
        (lambda: adlsp.grad(pair)(W), "pass `out_bar=` with one entry for each, as to adlsp.vjp"),
        (
            lambda: adlsp.vjp(curve)(W, out_bar=np.ones(3)),
            "out_bar has shape (3,), but the output of `curve` has shape (2,)",
        ),
        (
            lambda: adlsp.vjp(pair)(W, out_bar=(W,)),
            "out_bar has 1 entries that do not match the tuple of 2 that `pair` returns",
        ),
        (lambda: adlsp.derive(loss, mode="sideways"), "'reverse' or 'forward', not 'sideways'"),
        (lambda: adlsp.derive(loss, order=0), "`order` is at least 1, not 0"),
        (lambda: adlsp.check_grads(loss, (1, 2, 3)), "no argument holds floating-point numbers"),
        (lambda: adlsp.check_grads(loss, (W, 1.0, W), order=3), "`order` is 1 or 2, not 3"),
        (lambda: adlsp.vjp(loss, outputs=["v"]), f"`loss` has no parameter `v`; {KNOWN}"),
    ],
)
def test_wrong_values_name_the_way_out(call: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        call()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: adlsp.grad(loss)(W), "loss_grad() missing 2 required positional arguments: 'b' a"),
        (lambda: adlsp.grad(loss)(W, 0.0, W, 1), "loss_grad() takes 3 positional arguments but 4"),
        (lambda: adlsp.jvp(curve)(W), "curve_jvp() missing 1 required keyword-only argument: 'do"),
        (lambda: adlsp.jacobian(pair)(W), "returns one of them, or all in one array"),
        (lambda: adlsp.hessian(loss, wrt=("w", "b")), "a Hessian is with respect to one parameter"),
        (
            lambda: adlsp.check_grads(curve, W),
            "`args` is a tuple of the arguments, `adlsp.check_gr",
        ),
    ],
)
def test_wrong_types_name_the_way_out(call: Any, said: str) -> None:
    with pytest.raises(TypeError, match=re.escape(said)):
        call()
