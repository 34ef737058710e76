"""What was derived in an earlier run: it is known again without the engine, and never stale."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from adlsp import workspace
from adlsp.library import remembered

MODEL = """
import numpy as np

from layers import SCALE, Layer, squash


def loss(w, x):
    layer = Layer(w, 2.0)
    return np.sum(squash(layer(x)) * SCALE)
"""

LAYERS = """
import numpy as np

SCALE = 3.0


class Layer:
    def __init__(self, w, gain):
        self.w = w
        self.gain = gain

    def __call__(self, x):
        return self.gain * (x @ self.w)


def squash(z):
    return z * z


def cube(z):
    return z * z * z


def plain(self, x):
    return x @ self.w
"""

RUN = """
import json
import sys

import numpy as np

import adlsp
import layers
import model

exec(sys.argv[1])
gradient = adlsp.grad(model.loss, wrt="w")
x = np.array([[0.5, -1.0], [2.0, 0.25]])
found = gradient(np.array([0.5, 1.5]), x)
is_loaded = "adlsp.transform.engine" in sys.modules
print(json.dumps([found.tolist(), is_loaded, gradient.derivative.source]))
"""

W, X = (0.5, 1.5), ((0.5, -1.0), (2.0, 0.25))

Told = tuple[list[float], bool, str]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Told]:
    """Runs a program in a process of its own, with a cache for this test."""
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "layers.py").write_text(LAYERS)
    (tmp_path / "run.py").write_text(RUN)
    environment = {**os.environ, "ADLSP_CACHE_DIR": str(tmp_path / "cache")}

    def run(before: str = "") -> Told:
        command = [sys.executable, str(tmp_path / "run.py"), before]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.returncode == 0, done.stderr
        told: Told = tuple(json.loads(done.stdout))
        return told

    return run


def gradient(scale: float = 3.0, gain: float = 2.0, power: int = 2) -> list[float]:
    """That of `sum(scale * (gain * x @ w) ** power)`."""
    found = [0.0, 0.0]
    for row in X:
        z = gain * sum(a * b for a, b in zip(row, W, strict=True))
        for i, a in enumerate(row):
            found[i] += scale * power * z ** (power - 1) * gain * a
    return found


def test_a_second_run_needs_no_engine(run: Callable[..., Told]) -> None:
    first, second = run(), run()
    assert first[1]
    assert not second[1]
    assert first[0] == pytest.approx(gradient())
    assert second[0] == first[0]
    assert second[2] == first[2]


@pytest.mark.parametrize(
    ("file", "before", "after", "expected"),
    [
        ("layers.py", "return z * z", "return z * z * z", gradient(power=3)),
        ("layers.py", "self.gain = gain", "self.gain = 2.0 * gain", gradient(gain=4.0)),
        ("layers.py", "self.gain * (", "3.0 * (", gradient(gain=3.0)),
        ("layers.py", "SCALE = 3.0", "SCALE = 5.0", gradient(scale=5.0)),
        ("model.py", "Layer(w, 2.0)", "Layer(w, 1.0)", gradient(gain=1.0)),
        ("model.py", "import SCALE, Layer", "import SCALE as S, SCALE, Layer", gradient()),
        ("model.py", "import numpy as np\n", "import numpy as np\n\n# a line\n", gradient()),
    ],
)
def test_an_edit_is_seen(
    run: Callable[..., Told],
    tmp_path: Path,
    file: str,
    before: str,
    after: str,
    expected: list[float],
) -> None:
    run()
    text = (tmp_path / file).read_text()
    assert before in text
    (tmp_path / file).write_text(text.replace(before, after))
    found, is_loaded, source = run()
    assert found == pytest.approx(expected)
    assert is_loaded
    again = run()
    assert again == (found, False, source)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("model.squash = layers.cube", gradient(power=3)),
        ("layers.squash.__code__ = layers.cube.__code__", gradient(power=3)),
        ("layers.Layer.__call__ = layers.plain", None),
        ("model.squash = lambda z: z", None),
        ("layers.squash.__code__ = (lambda z: z * z * z).__code__", None),
        ("model.SCALE = 5.0", gradient(scale=5.0)),
        ("model.SCALE = np.array([5.0, 5.0])", gradient(scale=5.0)),
        ("model.np = type('other', (), {'sum': staticmethod(lambda z: 2.0 * np.sum(z))})", None),
    ],
)
def test_what_a_program_does_before_is_seen(
    run: Callable[..., Told], before: str, expected: list[float] | None
) -> None:
    plain = run()
    if expected is None:
        with pytest.raises(AssertionError, match="DifferentiationError"):
            run(before)
    else:
        assert run(before)[0] == pytest.approx(expected)
    assert run()[::2] == plain[::2]


def kept(tmp_path: Path) -> list[Path]:
    return [
        path for path in (tmp_path / "cache" / workspace.REMEMBERED).rglob("*") if path.is_file()
    ]


@pytest.mark.parametrize("data", [b"", b"nothing of ours", pickle.dumps(((), None))[:-3]])
def test_what_is_damaged_is_found_again(
    run: Callable[..., Told], tmp_path: Path, data: bytes
) -> None:
    first = run()
    assert kept(tmp_path)
    for path in kept(tmp_path):
        path.write_bytes(data)
    assert run() == first


class Evil:
    """What runs something where it is read."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, ("touch evil",)


BY_WAY_OF_OURS = (
    b"\x80\x04\x8c\x16adlsp.transform.source\x8c\x09os.system\x93\x8c\x0atouch evil\x85R."
)
"""The same, by the name of a module of ours."""


@pytest.mark.parametrize("data", [pickle.dumps(((), Evil())), BY_WAY_OF_OURS])
def test_nothing_that_is_kept_is_run(run: Callable[..., Told], tmp_path: Path, data: bytes) -> None:
    first = run()
    for path in kept(tmp_path):
        path.write_bytes(data)
    assert run() == first
    assert not (tmp_path / "evil").exists()


def test_a_cache_that_cannot_be_written(run: Callable[..., Told], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    assert run()[0] == pytest.approx(gradient())


def test_another_engine_knows_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "engine.py").write_text("")
    before = workspace.stamp(str(package))
    assert workspace.stamp(str(package)) == before
    (package / "engine.py").write_text("x = 1\n")
    assert workspace.stamp(str(package)) != before

    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path))
    workspace.remember("old", "key", b"old")
    workspace.remember("recent", "key", b"recent")
    long_ago = 1_000_000_000
    os.utime(tmp_path / workspace.REMEMBERED / "old", (long_ago, long_ago))
    workspace.remember("new", "key", b"new")
    assert sorted(os.listdir(tmp_path / workspace.REMEMBERED)) == ["new", "recent"]
    assert workspace.remembered("new", "key") == b"new"
    with pytest.raises(FileNotFoundError):
        workspace.remembered("old", "key")


class Forgetful:
    """A resolver that answers one question in two ways."""

    source = own = root = None

    def __init__(self) -> None:
        self.said = iter((("a",), ("b",)))

    def order(self, dotted: str) -> tuple[str, ...]:
        del dotted
        return next(self.said)


def test_what_has_two_answers_is_not_kept() -> None:
    asking = remembered.Asking(Forgetful())  # type: ignore[arg-type]
    asking.order("m.C")
    assert asking.is_whole
    asking.order("m.C")
    assert not asking.is_whole
