"""Functions of a program that is written while it runs: in cells that share their variables.

A cell has a text of its own that only `linecache` knows; IPython, the console of Python 3.13 and
doctest all do as `Session` does here. What a name means is what the program has, at any time.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import itertools
import linecache
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp.library import cells
from adlsp.library.ground import Namespace
from adlsp.transform.source import Source

Run = Callable[[str], dict[str, Any]]
NUMBERS = itertools.count(1)


@pytest.fixture
def run() -> Iterator[Run]:
    """Runs the text of a cell after those before it; gives the variables of all."""
    space: dict[str, Any] = {"__name__": "session", "np": np, "adlsp": adlsp}
    names = []

    def cell(text: str) -> dict[str, Any]:
        name = f"<cell {next(NUMBERS)}>"
        names.append(name)
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), space)
        return space

    yield cell
    for name in names:
        linecache.cache.pop(name, None)


@pytest.fixture
def working(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a console, where somebody goes on writing the program."""
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)


HELPER = "def helper(w):\n    return np.{}(w) * scale\n"
LOSS = "def loss(w):\n    return np.sum(helper(w) ** 2)\n"
AT = np.array([0.3, 0.8])


def test_a_function_of_another_cell_is_followed(run: Run) -> None:
    run("scale = 3.0\n" + HELPER.format("sin"))
    space = run(LOSS)
    np.testing.assert_allclose(adlsp.grad(space["loss"])(AT), 9 * np.sin(2 * AT))


def test_a_helper_that_was_defined_again_is_the_one_that_counts(run: Run) -> None:
    run("scale = 3.0\n" + HELPER.format("sin"))
    space = run(LOSS)
    adlsp.grad(space["loss"])
    run(HELPER.format("cos"))
    np.testing.assert_allclose(adlsp.grad(space["loss"])(AT), -9 * np.sin(2 * AT))


def test_a_helper_that_is_defined_late_is_the_one_that_counts(run: Run) -> None:
    space = run("def loss(w):\n    return np.sum(abs(w) ** 2)\n")
    np.testing.assert_allclose(adlsp.grad(space["loss"])(AT), 2 * AT)
    run("def abs(w):\n    return np.sin(w)\n")
    np.testing.assert_allclose(adlsp.grad(space["loss"])(AT), np.sin(2 * AT))


@pytest.mark.usefixtures("working")
def test_a_gradient_that_is_kept_follows_what_is_defined_again(run: Run) -> None:
    run("scale = 3.0\n" + HELPER.format("sin"))
    space = run(f"{LOSS}g = adlsp.grad(loss)\n")
    np.testing.assert_allclose(space["g"](AT), 9 * np.sin(2 * AT))
    run(HELPER.format("cos"))
    np.testing.assert_allclose(space["g"](AT), -9 * np.sin(2 * AT))
    assert "np.cos(w) * session.scale" in space["g"].derivative.source


@pytest.mark.usefixtures("working")
def test_a_gradient_that_is_kept_tells_that_there_is_none_any_more(run: Run) -> None:
    run("scale = 3.0\n" + HELPER.format("sin"))
    space = run(f"{LOSS}g = adlsp.grad(loss)\n")
    run("def helper(w):\n    try:\n        return w * w\n    finally:\n        pass\n")
    with pytest.raises(adlsp.DifferentiationError, match="AD401"):
        space["g"](AT)
    run(HELPER.format("cos"))
    np.testing.assert_allclose(space["g"](AT), -9 * np.sin(2 * AT))


def test_code_that_is_replaced_in_place_counts(run: Run) -> None:
    """As by `%autoreload 2`, which keeps the functions."""
    old = run("def loss(w, p=2):\n    return np.sum(w ** p)\n")["loss"]
    np.testing.assert_allclose(adlsp.grad(old)(AT), 2 * AT)
    new = run("def loss(w, p=3):\n    return np.sum(np.sin(w) * p)\n")["loss"]
    old.__code__, old.__defaults__ = new.__code__, new.__defaults__
    np.testing.assert_allclose(adlsp.grad(old)(AT), 3 * np.cos(AT))


def test_values_are_read_when_a_derivative_is_called(run: Run) -> None:
    run("scale = 3.0\n" + HELPER.format("sin"))
    gradient = adlsp.grad(run(LOSS)["loss"])
    run("scale = 2.0\n")
    np.testing.assert_allclose(gradient(AT), 4 * np.sin(2 * AT))
    assert adlsp.grad(run("")["loss"]) is gradient


def test_what_is_shown_of_a_derivative_is_its_text(run: Run) -> None:
    space = run(f"\n\n{LOSS}" + HELPER.format("sin").replace("scale", "3.0"))
    gradient = adlsp.grad(space["loss"])
    assert inspect.getsource(gradient).startswith("def loss_grad(w, *, out_bar=1.0):\n")
    source_map = gradient.derivative.source_map
    lines = {place.line for mapped in source_map for place in mapped.places}
    assert {4, 6} <= lines
    with pytest.raises(TypeError) as caught:
        gradient("no array")
    shown = "".join(traceback.format_exception(caught.value))
    assert f"{gradient.path}" in shown
    lines = [line.strip() for line in Path(gradient.path).read_text("utf-8").splitlines()]
    assert any(f"    {line}\n" in shown for line in lines if "np.sin" in line)


# where there is no text


PROGRAM = "import adlsp\ndef f(x):\n    return x * x\nprint(adlsp.grad(f)(3.0))\n"


def python(*arguments: str, given: str = "") -> str:
    """What a Python of its own prints, or the last line of its error."""
    done = subprocess.run(
        [sys.executable, *arguments], input=given, capture_output=True, text=True, timeout=60
    )
    return done.stdout.strip() if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def test_a_command_is_differentiated_where_python_keeps_its_text() -> None:
    told = python("-c", PROGRAM)
    if sys.version_info >= (3, 13):
        assert told == "6.0"
    else:
        assert "AD102 error: the source of `f` is not available: Python 3." in told
        assert told.endswith(
            " keeps no text of `python -c`; put the function into a file or a notebook"
        )


def test_what_is_piped_in_has_no_text() -> None:
    told = python("-", given=PROGRAM)
    assert "AD102 error: the source of `f` is not available: Python 3." in told
    assert "of what is typed or piped into it; put the function into a file or a notebook" in told


@pytest.mark.skipif(sys.version_info < (3, 13), reason="consoles keep no text before Python 3.13")
def test_what_is_typed_into_a_console_is_differentiated() -> None:
    program = (
        "import adlsp\ndef h(x): return x * 2\n\ndef f(x): return h(x) * x\n\n"
        "g = adlsp.grad(f)\ng(3.0)\ndef h(x): return x * 5\n\ng(3.0)\n"
    )
    assert python("-i", "-q", given=program).split() == ["12.0", "30.0"]


def refusal(function: Callable[..., Any]) -> str:
    with pytest.raises(adlsp.DifferentiationError, match="AD102") as caught:
        adlsp.grad(function)
    (finding,) = caught.value.findings
    return finding.message


@pytest.fixture
def started_as_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that share the tests start by ``python -c``, of which another thing is said."""
    monkeypatch.setattr(sys, "orig_argv", [sys.executable, "-m", "pytest"])


@pytest.mark.usefixtures("started_as_a_module")
def test_exec_keeps_no_text() -> None:
    space: dict[str, Any] = {}
    exec("def f(x): return x * x", space)
    assert refusal(space["f"]) == (
        "the source of `f` is not available: `exec` keeps no text; put the function into a file "
        "or a notebook, or its text into `linecache.cache`"
    )


@pytest.mark.usefixtures("started_as_a_module")
def test_a_callee_without_text_says_why(run: Run) -> None:
    space = run("def f(x):\n    return inner(x) * x\n")
    exec("def inner(x): return x * x", space)
    assert "the source of `inner` is not available: `exec` keeps" in refusal(space["f"])


def test_a_file_that_has_changed_is_to_be_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "loaded_before.py"
    file.write_text("def f(x):\n    return x * x\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("loaded_before")
    file.write_text("def f(x):\n    return x * x * x\n")
    told = "the source of `f` is not available: `loaded_before.py` {}"
    assert refusal(module.f) == told.format("has changed since it was loaded; reload it")
    file.unlink()
    linecache.clearcache()
    helps = "cannot be read; put the file back, or run from its source"
    assert refusal(module.f) == told.format(helps)


def test_what_a_doctest_defines_is_differentiated() -> None:
    text = """
    >>> import adlsp
    >>> def helper(x):
    ...     return x * x
    >>> def cube(x):
    ...     return x * helper(x)
    >>> adlsp.grad(cube)(2.0)
    12.0
    >>> def helper(x):
    ...     return x
    >>> adlsp.grad(cube)(2.0)
    4.0
    """
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "shown"}, "shown", None, 0)
    assert doctest.DocTestRunner().run(test) == (0, 6)


# what other cells have imported, and rules


def test_what_another_cell_imported_from_a_library_is_known(run: Run) -> None:
    run("from numpy.linalg import norm\nfrom numpy import *\nfrom scipy.special import expit\n")
    run("from adlsp import stop_gradient\n")
    space = run("def f(x):\n    return norm(x) * sum(sin(x) * stop_gradient(expit(x)))\n")
    size, rest = np.linalg.norm(AT), 1 / (1 + np.exp(-AT))
    expected = AT / size * np.sum(np.sin(AT) * rest) + size * np.cos(AT) * rest
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), expected)


def test_names_of_libraries_that_are_bound_anew_are_known(run: Run) -> None:
    space = run("act = np.tanh\n")
    run("def f(x):\n    return np.sum(act(x))\n")
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), 1 - np.tanh(AT) ** 2)
    run("act = np.sin\n")
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), np.cos(AT))


RULE = "@rules.elementwise({})\ndef {}_rule(x):\n    return {} * x\n"


def test_rules_of_other_cells_count(run: Run) -> None:
    run("from adlsp import rules as own\nfrom adlsp.rules import elementwise, constant\n")
    run("def a(x):\n    return x * x\ndef b(x):\n    return x * x\ndef c(x):\n    return x * x\n")
    space = run("def f(x):\n    return np.sum(a(x) + b(x) + c(x))\n")
    gradient = adlsp.grad(space["f"])
    np.testing.assert_allclose(gradient(AT), 6 * AT)
    run(RULE.format("a", "a", 100.0).replace("rules", "own"))
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), 104 * AT)
    run(RULE.format("b", "b", 20.0).replace("rules.", ""))
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), 122 * AT)
    run("constant(c)\n")
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), 120 * AT)
    run(RULE.format("a", "a", 300.0).replace("rules", "own"))
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), 320 * AT)
    assert adlsp.grad(space["f"]) is gradient


LIBRARY = f"""\
from adlsp import rules

RATE = 3.0


def half(x):
    return x * x * RATE


{RULE.format("half", "half", 7.0)}


def plain(x):
    return x * x * RATE
"""


@pytest.mark.parametrize("written", ["half(x) + plain(x)", "lib.half(x) + lib.plain(x)"])
def test_modules_that_another_cell_imported_count_with_their_rules(
    run: Run, written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "session_library.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "session_library", raising=False)
    run("import session_library as lib\nfrom session_library import half, plain\n")
    space = run(f"def f(x):\n    return np.sum({written})\n")
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), 7 * AT + 6 * AT)


def test_a_text_of_another_program_beside_a_session_is_not_its_module(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "session.py").write_text("def g(x):\n    return 100 * x\n\n\nhidden = abs\n")
    monkeypatch.chdir(tmp_path)
    run("def g(x):\n    return x * x\nhidden = np.sin\n")
    space = run("def f(x):\n    return np.sum(g(hidden(x)))\n")
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), np.sin(2 * AT))


def test_a_name_for_a_library_function_is_known_where_the_import_is_elsewhere(run: Run) -> None:
    run("import numpy as numbers\n")
    space = run("act = numbers.tanh\ndef f(x):\n    return numbers.sum(act(x))\n")
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), 1 - np.tanh(AT) ** 2)
    run("act = numbers.sin\n")
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), np.cos(AT))


# methods


CLASS = """\
class {}:
    def act(self, z):
        return self.inner(np.{}(z))

    def inner(self, z):
        return z * 2.0

    def loss(self, w):
        return np.sum(self.act(w) ** 2)
"""


def test_an_object_of_a_class_that_was_defined_again_keeps_its_methods(run: Run) -> None:
    old = run(CLASS.format("Model", "sin") + "model = Model()\n")["model"]
    space = run(CLASS.format("Model", "cos"))
    np.testing.assert_allclose(adlsp.grad(old.loss)(AT), 4 * np.sin(2 * AT))
    np.testing.assert_allclose(adlsp.grad(space["Model"]().loss)(AT), -4 * np.sin(2 * AT))
    np.testing.assert_allclose(adlsp.grad(old.loss)(AT), 4 * np.sin(2 * AT))


@pytest.mark.usefixtures("working")
def test_a_method_that_a_class_gets_later_counts(run: Run) -> None:
    run(CLASS.format("Above", "sin") + "class Model(Above):\n    pass\n")
    space = run("model = Model()\ng = adlsp.grad(model.loss)\n")
    np.testing.assert_allclose(space["g"](AT), 4 * np.sin(2 * AT))
    run("class Other:\n    def act(self, z):\n        return z * z\nAbove.act = Other.act\n")
    for gradient in (space["g"], adlsp.grad(space["model"].loss)):
        np.testing.assert_allclose(gradient(AT), 4 * AT**3)


def test_a_method_that_an_object_has_for_itself_is_refused(run: Run) -> None:
    model = run(CLASS.format("Model", "sin") + "model = Model()\n")["model"]
    model.inner = lambda z: z * 5.0
    with pytest.raises(adlsp.DifferentiationError, match="AD203"):
        adlsp.grad(model.loss)


# what functions of other cells change


VALUES = "scale = 1.0\nheld = {'k': 1.0}\narray = np.ones(2)\n"

CHANGES = """\
def put(a):
    a[0] = a[0] + 1.0

def binds():
    global scale
    scale = scale + 1.0

def sets():
    held['k'] = held['k'] + 1.0

def stores():
    put(array)
"""

READS = """\
def by_name(w):
    a = w * w * scale
    binds()
    return np.sum(a * a * scale)

def by_key(w):
    a = w * w * held['k']
    sets()
    return np.sum(a * a * held['k'])

def by_array(w):
    a = w * w * array
    stores()
    return np.sum(a * a * array)
"""


@pytest.mark.parametrize("texts", [(VALUES, CHANGES, READS), (VALUES + READS, CHANGES)])
@pytest.mark.parametrize("name", ["by_name", "by_key", "by_array"])
def test_what_functions_of_other_cells_change_is_kept(
    run: Run, texts: tuple[str, ...], name: str
) -> None:
    for each in texts:
        run(each)
    twice = np.array([2.0, 1.0]) if name == "by_array" else 2.0
    gradient = adlsp.grad(run("")[name])(AT)
    np.testing.assert_allclose(gradient, 4 * AT**3 * twice)


def test_what_functions_of_other_cells_change_in_modules_is_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "session_settings.py").write_text("SCALE = 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "session_settings", raising=False)
    run("import session_settings as settings\n")
    run("def binds():\n    settings.SCALE = settings.SCALE + 1.0\n")
    body = (
        "    a = w * w * settings.SCALE\n    binds()\n    return np.sum(a * a * settings.SCALE)\n"
    )
    space = run(f"def f(w):\n{body}")
    np.testing.assert_allclose(adlsp.grad(space["f"])(AT), 8 * AT**3)


def test_a_long_session_is_looked_through_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell counts for each other one, and is asked only about what it defines itself."""
    looked_through, original = [], cells.beside

    def counted(home: Source, namespace: Namespace) -> Iterator[Source]:
        looked_through.append(home.path)
        return original(home, namespace)

    monkeypatch.setattr(cells, "beside", counted)
    for number in range(30):
        run(f"def f{number}(w):\n    return np.sum(w * {number}.0)\n")
    np.testing.assert_allclose(adlsp.grad(run("")["f7"])(AT), [7.0, 7.0])
    assert 0 < len(looked_through) < 10
