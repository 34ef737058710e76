"""One text for one function: by the static way and the live one, today and in the next process."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp import workspace
from adlsp.transform import engine
from adlsp.transform.artifact import Derivative, Request
from adlsp.workspace import Workspace

HERE = Path(__file__).parent

PROGRAM = """
    import numpy as np
    from helper import stretch

    SCALE = 2.0


    def bend(v):
        return np.sin(v) * SCALE


    def f(x):
        return np.sum(bend(x) * stretch(x))
"""
MAIN = """

    if __name__ == "__main__":
        import adlsp

        print(adlsp.derive(f).source, end="")
"""
HELPER = """
    def stretch(v):
        return v * v
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module of two files that Python has imported."""
    (tmp_path / "bending.py").write_text(textwrap.dedent(PROGRAM), "utf-8")
    (tmp_path / "helper.py").write_text(textwrap.dedent(HELPER), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("bending")
    for name in ("bending", "helper"):
        sys.modules.pop(name, None)


def static_derivative(path: str) -> Derivative:
    return engine.derive(Request("bending.f", ("x",)), Workspace().resolver(path))


def static_text(path: str) -> str:
    return static_derivative(path).source


def test_both_ways_give_one_text_in_one_file(program: ModuleType) -> None:
    assert program.__file__ is not None
    static = static_derivative(program.__file__)
    assert static.source
    assert adlsp.derive(program.f).source == static.source
    df: Any = adlsp.grad(program.f)
    assert df.derivative.source == static.source
    assert df.path == workspace.derivative_path(static)


def test_two_files_with_one_text_have_two_derivatives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "model.py").write_text("def f(x):\n    return x * x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    models = [importlib.import_module(f"{folder}.model") for folder in ("one", "two")]
    one, two = (adlsp.grad(model.f) for model in models)
    assert one.derivative.source == two.derivative.source
    assert one.path != two.path
    for model, each in zip(models, (one, two), strict=True):
        assert {line.primal.path for line in each.derivative.source_map} == {model.__file__}


def test_a_constant_that_changes_is_seen_by_the_derivative(program: ModuleType) -> None:
    x = np.array([1.5, 0.5])
    df: Any = adlsp.grad(program.f)
    before = df(x)
    program.SCALE = 4.0  # type: ignore[attr-defined]
    assert np.array_equal(df(x), 2.0 * before)


def test_a_function_that_is_replaced_before_is_followed(program: ModuleType) -> None:
    program.bend = program.stretch  # type: ignore[attr-defined]
    df: Any = adlsp.grad(program.f)
    assert "bend" not in df.derivative.source.replace("bending", "").partition("# forward")[0]
    assert np.allclose(df(np.array([1.5, 0.5])), 4.0 * np.array([1.5, 0.5]) ** 3)


def test_a_function_of_the_main_program_gives_the_text_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(textwrap.dedent(HELPER), "utf-8")
    path = tmp_path / "bending.py"
    end = (
        'if __name__ == "__main__":\n    import adlsp\n    print(adlsp.derive(f).source, end="")\n'
    )
    path.write_text(f"{textwrap.dedent(PROGRAM)}\n\n{end}", "utf-8")
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == static_text(str(path))


SHOW_ALL = """
import hashlib, sys, tempfile
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import literate, programs
for case in literate.cases()[::16]:
    if case.check is not None:
        with tempfile.TemporaryDirectory() as folder, programs.written(case, Path(folder)) as one:
            text = one.derive(case.check, case.check.kind).source
            print(case.page.stem, case.title, hashlib.sha256(text.encode()).hexdigest())
"""


def test_the_text_does_not_depend_on_the_process() -> None:
    """Sets of names are iterated in another order in each process, unless the seed is fixed.

    So does each run of `test_cases.py` ask it, as its processes have other seeds each time.
    """
    printed = set()
    for seed in ("1", "2"):
        command = [sys.executable, "-c", SHOW_ALL, str(HERE)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=300
        )
        assert done.stdout.count("\n") > 50
        printed.add(done.stdout)
    assert len(printed) == 1


TESTED = """
    import numpy as np

    import adlsp


    def size(v):
        assert np.ndim(v) == 1, "a vector"
        return np.sum(v * v)


    def f(x):
        assert x.shape != ()
        return 2.0 * size(x)


    def test_gradient():
        assert np.array_equal(adlsp.grad(f)(np.arange(3.0)), 4.0 * np.arange(3.0))
"""


@pytest.mark.parametrize("how", ["rewrite", "plain"])
def test_functions_of_a_test_file_have_asserts(tmp_path: Path, how: str) -> None:
    """A runner of tests compiles something else than the text says."""
    (tmp_path / "test_tested.py").write_text(textwrap.dedent(TESTED), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--assert={how}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


def test_a_function_that_was_changed_since_is_not_read(program: ModuleType) -> None:
    assert program.__file__ is not None
    path = Path(program.__file__)
    path.write_text(path.read_text("utf-8").replace("stretch(x))", "stretch(x)) * 2.0"), "utf-8")
    with pytest.raises(adlsp.DifferentiationError, match="AD102"):
        adlsp.grad(program.f)


PACKAGED = """
    def f(x):
        from . import helper
        from .helper import stretch as stretched
        return helper.stretch(x) * stretched(x)
"""


def test_relative_imports_inside_a_function_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "packaged"
    folder.mkdir()
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / "bending.py").write_text(textwrap.dedent(PACKAGED), "utf-8")
    (folder / "helper.py").write_text(textwrap.dedent(HELPER), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    bending = importlib.import_module("packaged.bending")
    try:
        resolver = Workspace().resolver(str(folder / "bending.py"))
        static = engine.derive(Request("packaged.bending.f", ("x",)), resolver)
        assert static.findings == ()
        assert adlsp.derive(bending.f).source == static.source
        gradient: Any = adlsp.grad(bending.f)
        assert gradient(2.0) == pytest.approx(4 * 2.0**3)
    finally:
        for name in ("packaged", "packaged.bending", "packaged.helper"):
            sys.modules.pop(name, None)


DECORATED = """
    from functools import partial

    import numpy as np
    import adlsp


    @adlsp.grad
    def cubes(x):
        return np.sum(x**3)


    @partial(adlsp.grad, wrt="y")
    def product(x, y):
        return np.sum(x * y)


    def uses(x):
        return np.sum(cubes(x) * x)
"""


def test_a_decorator_may_take_the_derivative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name is the derivative then, also for those who call it."""
    path = tmp_path / "decorating.py"
    path.write_text(textwrap.dedent(DECORATED), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("decorating")
    try:
        x = np.array([0.5, -1.0])
        np.testing.assert_allclose(module.cubes(x), 3 * x**2)
        np.testing.assert_allclose(module.product(x, np.ones(2)), x)
        resolver = Workspace().resolver(str(path))
        asked = Request("decorating.cubes", ("x",), signature="x: float64[n]")
        assert engine.derive(asked, resolver).source == module.cubes.derivative.source
        used = adlsp.grad(module.uses)
        np.testing.assert_allclose(used(x), 9 * x**2)
        asked = Request("decorating.uses", ("x",), signature="x: float64[n]")
        assert engine.derive(asked, resolver).source == used.derivative.source
    finally:
        del sys.modules["decorating"]
