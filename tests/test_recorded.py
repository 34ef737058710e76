"""What a program was called with is recorded, and shown until the function's text changes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import adlsp
from adlsp import cli, workspace
from adlsp.workspace import Workspace

TEXT = """\
import numpy as np


def loss(w, x):
    return np.sum(np.tanh(x @ w))


def other(w):
    return np.sum(w)
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "recorded_losses", raising=False)
    path = tmp_path / "recorded_losses.py"
    path.write_text(TEXT)
    return path


def shown(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert cli.main(["show", *options]) == 0
    return capsys.readouterr().out


def recorded(path: Path, name: str = "loss") -> tuple[str, ...]:
    definition = Workspace().resolver(str(path)).definition(f"{path.stem}.{name}")
    assert definition is not None
    return workspace.recorded_signatures(definition)


def test_the_last_run_is_shown(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import recorded_losses  # type: ignore[import-not-found]

    where = f"{program.name}::loss"
    general = shown(capsys, where)
    gradient = adlsp.grad(recorded_losses.loss)
    assert gradient.derivative.source == general
    assert recorded(program) == ()
    gradient(np.ones(3), np.ones((2, 3)))
    one = "w: float64[n], x: float64[m, k]"
    assert recorded(program) == (one,)
    assert recorded(program, "other") == ()
    assert shown(capsys, where) == gradient.derivative.source != general
    gradient(np.ones((3, 4)), np.ones((2, 3)))
    two = "w: float64[n, m], x: float64[k, d]"
    assert recorded(program) == (two, one)
    assert shown(capsys, where) == gradient.derivative.source
    assert shown(capsys, where, "--signature", one) != gradient.derivative.source
    assert shown(capsys, where, "--signature", "") == general
    assert f"# {two}" in shown(capsys, where, "--types")


def test_a_text_that_changes_drops_what_was_recorded(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import recorded_losses

    adlsp.grad(recorded_losses.loss)(np.ones(3), np.ones((2, 3)))
    assert len(recorded(program)) == 1
    program.write_text(f"\n\n{TEXT}")
    assert len(recorded(program)) == 1
    program.write_text(TEXT.replace("tanh", "sin"))
    assert recorded(program) == ()
    assert "For w" not in shown(capsys, f"{program.name}::loss")


def test_recordings_that_cannot_be_used_are_left_alone(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import recorded_losses

    gradient = adlsp.grad(recorded_losses.loss)
    gradient(np.ones(3), np.ones((2, 3)))
    (file,) = (program.parent / "cache" / workspace.SIGNATURES).iterdir()
    assert file.stat().st_mode & 0o077 == 0 or os.name == "nt"
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "signatures": ["v: float", "w: [", "w: float64[n]"]}))
    assert "For w: float64[n]." in shown(capsys, f"{program.name}::loss")
    for broken in ("", "[]", "{}", json.dumps({**kept, "signatures": [1]})):
        file.write_text(broken)
        assert recorded(program) == ()
    folder = file.parent
    file.unlink()
    folder.rmdir()
    folder.write_text("no folder")
    np.testing.assert_allclose(gradient(np.zeros(3), np.ones(3)), np.ones(3))


def test_only_so_many_are_kept(program: Path) -> None:
    definition = Workspace().resolver(str(program)).definition(f"{program.stem}.loss")
    assert definition is not None
    every = [f"w: np.int{size}" for size in range(20)]
    for signature in (*every, every[15]):
        workspace.record_signature(definition, signature)
    expected = (every[15], *every[:15:-1], *every[14:11:-1])
    assert workspace.recorded_signatures(definition) == expected[: workspace.MOST_RECORDED]
