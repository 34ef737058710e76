"""The command line from outside: what it prints, and with which status it ends."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adlsp import cli, workspace
from adlsp.cli import coverage, status
from adlsp.transform import engine
from adlsp.version import VERSION

HOME = Path(__file__).parent.parent

PASSED = "All checks passed: 1 function checked.\n"
NOTHING = (
    "No function to check: nothing here is passed to `adlsp.grad` and its kin; "
    "`--all-functions` checks all.\n"
)

OUT = """\
import adlsp
import numpy as np


def step(a, b):
    np.add(a, b, out=a)
    return np.sum(a)


step_bar = adlsp.grad(step)
"""

GOOD = """\
import adlsp
import numpy as np


def loss(w, x):
    return np.sum(np.tanh(x * w))


def unused(w):
    return np.add(w, w, out=w)


loss_bar = adlsp.value_and_grad(loss, wrt=("w", "x"))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def run(
    capsys: pytest.CaptureFixture[str], *arguments: str, stdin: bytes | None = None
) -> tuple[int, str, str]:
    """The status, the output and the error output of a call."""
    before = sys.stdin
    if stdin is not None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    try:
        status = cli.main(arguments)
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        sys.stdin = before
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def write(name: str, text: str) -> None:
    """Writes a file below the working folder."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def process(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "adlsp", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **more)


def shorter(shown: str) -> list[str]:
    """The file, line and code of each line of the concise format."""
    rows = (line.split(" ")[:2] for line in shown.splitlines())
    return [f"{place.rpartition(':')[0].rpartition(':')[0]} {code}" for place, code in rows]


# check


def test_a_finding_is_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OUT)
    status, shown, errors = run(capsys, "check", "a.py")
    assert (status, errors) == (1, "")
    head, *_, line, carets = shown.split("\n")[:4]
    assert head.startswith("a.py:6:18: AD301 error: `np.add` writes its result into `a`")
    assert line == "6 |     np.add(a, b, out=a)"
    assert carets.index("^") - carets.index("|") == 18 + 1
    assert "Found 1 error" in shown


def test_nothing_found(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(GOOD)
    assert run(capsys, "check") == (0, PASSED, "")


def test_formats(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OUT)
    status, shown, _ = run(capsys, "check", "--format", "concise")
    assert status == 1
    assert shown.startswith("a.py:6:18: AD301 error: ")
    assert shown.count("\n") == 1
    status, shown, _ = run(capsys, "check", "--format", "json")
    (finding,) = json.loads(shown)
    assert status == 1
    assert (finding["code"], finding["name"], finding["function"]) == (
        "AD301",
        "out-argument",
        "step",
    )
    assert (finding["start"], finding["end"]["line"]) == ({"line": 6, "column": 18}, 6)
    status, shown, _ = run(capsys, "check", "--statistics")
    assert (status, shown.split()[:3]) == (1, ["1", "AD301", "out-argument"])


def test_the_status_without_findings_of_weight(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OUT)
    assert run(capsys, "check", "--exit-zero")[0] == 0
    assert run(capsys, "check", "--ignore", "AD301")[:2] == (0, PASSED)
    assert run(capsys, "check", "--select", "AD1,AD2")[0] == 0
    assert run(capsys, "check", "--select", "AD3", "--ignore", "AD30")[0] == 0
    assert run(capsys, "check", "--select", "AD301", "--ignore", "AD3")[0] == 1


def test_all_functions(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(GOOD)
    status, shown, _ = run(capsys, "check", "--all-functions", "--format", "concise")
    assert status == 1
    assert shown.startswith("a.py:10:")
    assert "AD301" in shown


def test_findings_of_several_files_come_in_order_and_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("b.py").write_text(OUT)
    Path("a.py").write_text(f"from b import step\nimport adlsp\n\n{OUT}\nadlsp.grad(step)\n")
    Path("pkg").mkdir()
    Path("pkg", "c.py").write_text("import adlsp\nfrom b import step\n\nadlsp.grad(step, 'b')\n")
    status, shown, _ = run(capsys, "check", "--format", "json")
    places = [(found["path"], found["start"]["line"], found["code"]) for found in json.loads(shown)]
    assert status == 1
    assert places == sorted(places)
    assert places.count(("b.py", 6, "AD301")) == 1
    assert run(capsys, "check", "b.py", "./b.py", "--format", "json")[1].count('"AD301"') == 1


def test_a_broken_file_or_function_does_not_hide_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.py").write_text("def f(x:\n    return x\n\n\n" + OUT)
    Path("b.py").write_text(OUT)
    status, shown, _ = run(capsys, "check", "--format", "concise")
    assert status == 1
    assert shorter(shown) == ["a.py:1 AD100", "a.py:10 AD301", "b.py:6 AD301"]


@pytest.mark.parametrize(
    ("broken", "hides_names"),
    [
        ("def g(x:\n    return x\n", False),
        ("from math import (g, tanh\n", True),
        ("import numpy as\ng = 1 +\n", True),
        ("class g(:\n    pass\n", False),
        ("@wrap(\ndef g(x):\n    return x\n", False),
    ],
)
def test_a_syntax_error_is_not_reported_again_where_its_names_are_used(
    broken: str, hides_names: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    functions = "def f(x):\n    return np.sum(g(x) * x)\n\n\ndef h(x):\n    return other(x)\n"
    start = "import adlsp\n" if "numpy" in broken else "import adlsp\nimport numpy as np\n"
    calls = "\nadlsp.grad(f)\nadlsp.grad(g)\nadlsp.grad(h)\n"
    Path("a.py").write_text(f"{start}{broken}\n\n{functions}{calls}")
    status, shown, _ = run(capsys, "check", "--format", "concise")
    codes = [place.rpartition(" ")[2] for place in shorter(shown)]
    assert status == 1
    assert codes == (["AD100"] if hides_names else ["AD100", "AD101"])


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (b"", []),
        (b"\n\f\n", []),
        (b"\xef\xbb\xbf" + OUT.encode(), ["AD301"]),
        (OUT.replace("\n", "\r\n").encode(), ["AD301"]),
        (OUT.replace("\n", "\r").encode(), ["AD301"]),
        (b"# coding: latin-1\n# \xe9\n" + OUT.encode(), ["AD301"]),
        (b"# \xe9\n" + OUT.encode(), ["AD100", "AD301"]),
        (b"# coding: nonesuch\n" + OUT.encode(), ["AD100", "AD301"]),
        (OUT.encode() + b"x = '\0'\n", ["AD100", "AD301"]),
        (OUT.encode() + b"x = " + b"(" * 300 + b")" * 300 + b"\n", ["AD100", "AD301"]),
        (OUT.encode() + b"x = " + b"-" * 99999 + b"1\n", ["AD100", "AD301"]),
        (OUT.encode().replace(b"step", "größe".encode()), ["AD301"]),
        ("# \ud800\n".encode("utf-16", "surrogatepass"), ["AD100"]),
    ],
)
def test_unusual_files(data: bytes, codes: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_bytes(data)
    status, shown, errors = run(capsys, "check", "--format", "json")
    assert sorted(found["code"] for found in json.loads(shown)) == codes
    assert (status, errors) == (1 if codes else 0, "")


def test_a_long_file_without_derivatives(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text("def f(x):\n    return [y for y in x if y]\n\n\n" * 2500)
    assert run(capsys, "check")[:2] == (0, NOTHING)


def test_what_cannot_be_read_is_told_and_the_rest_is_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.py").write_text(OUT)
    Path("loop.py").symlink_to("loop.py")
    status, shown, errors = run(
        capsys, "check", "nothing.py", "a.py", "loop.py", "--format=concise"
    )
    assert status == 2
    assert shown.startswith("a.py:6:18: AD301")
    assert "nothing.py" in errors
    assert "loop.py" in errors
    assert run(capsys, "check", "nothing.py", "--exit-zero")[:2] == (2, "")
    assert run(capsys, "check", "nothing.py", "--format", "json")[:2] == (2, "[]\n")


def test_folders(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.py/b.py", ".venv/c.py", "old/d.py", "e.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(OUT)
    Path("up").symlink_to(".")
    status, shown, _ = run(capsys, "check", "--format", "concise")
    assert status == 1
    assert [line.split(":")[0] for line in shown.splitlines()] == [
        os.path.join("a.py", "b.py"),
        os.path.join("old", "d.py"),
    ]
    assert run(capsys, "check", "a.py", "--format", "concise")[1].count("AD301") == 1
    assert run(capsys, "check", "e.txt", "--format", "concise")[1].count("AD301") == 1


def test_an_empty_folder_is_said_to_be_empty(capsys: pytest.CaptureFixture[str]) -> None:
    status, shown, errors = run(capsys, "check")
    assert (status, shown) == (0, NOTHING)
    assert "no Python files" in errors


def test_notebooks_are_refused_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.py", GOOD)
    write("sub/n.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": [OUT]}]}))
    write("old/m.ipynb", "{}")
    write("pyproject.toml", "[tool.adlsp]\nexclude = ['old']\n")
    status, shown, errors = run(capsys, "check", "sub/n.ipynb")
    assert (status, shown) == (2, "")
    assert errors.startswith("adlsp: cannot check ")
    assert errors.endswith("n.ipynb: notebooks are not read, only Python files\n")
    assert run(capsys, "check", "n.ipynb", "a.py")[:2] == (2, PASSED)
    assert run(capsys, "check", "--stdin-filename", "n.ipynb", stdin=b"{}")[:2] == (2, "")
    assert run(capsys, "show", "sub/n.ipynb::f")[0] == 2
    counted = "All checks passed: 1 function checked, 1 notebook was not checked.\n"
    assert run(capsys, "check", ".") == (0, counted, "")
    assert run(capsys, "check", "sub")[:2] == (
        0,
        "Nothing was checked: 1 notebook was not checked.\n",
    )


def test_settings(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.py", "old/b.py", "new/c.py"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(OUT)
    Path("pyproject.toml").write_text(
        "[tool.adlsp]\nexclude = ['old']\nper-file-ignores = {'new/*' = ['AD3']}\n"
    )
    shown = run(capsys, "check", "--format", "concise")[1]
    assert [line.split(":")[0] for line in shown.splitlines()] == ["a.py"]
    assert run(capsys, "check", "old/b.py")[0] == 1


def test_roots_in_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(GOOD)
    settings = Path("pyproject.toml")
    settings.write_text("[tool.adlsp]\nroots = ['a.unused', 'other.f']\n")
    status, shown, _ = run(capsys, "check", "--format", "concise")
    assert status == 1
    assert shown.startswith("a.py:10:")
    settings.write_text("[tool.adlsp]\nroots = ['a.nothing', 'a.loss(v)']\n")
    shown = run(capsys, "check", "--format", "concise")[1]
    assert "AD101 error: `a.nothing` is not defined" in shown
    assert "AD105 error: `loss` has no parameter `v`" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--select", "AD9X"),
        ("check", "--ignore", "nonsense"),
        ("check", "--format", "pretty"),
        ("check", "--no-such-option"),
        ("check", "-", "--fix"),
        ("show", "a.py"),
        ("show", "a.py::nothing"),
        ("show", "nothing.py::f"),
        ("show", "a.py::loss", "--wrt", "v"),
        ("show", "a.py::loss", "--wrt", ","),
        ("explain", "AD999"),
        ("nonsense",),
        (),
    ],
)
def test_mistakes_in_the_call(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.py").write_text(GOOD)
    status, shown, errors = run(capsys, *arguments, stdin=b"")
    assert (status, shown) == (2, "")
    assert "adlsp" in errors
    assert "Traceback" not in errors


def test_mistakes_in_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(GOOD)
    for text in ("[tool.adlsp]\nexlude = []", "[tool.adlsp\n"):
        Path("pyproject.toml").write_text(text)
        status, shown, errors = run(capsys, "check")
        assert (status, shown) == (2, "")
        assert errors.startswith(f"adlsp: {os.path.join(os.getcwd(), 'pyproject.toml')}")


def test_standard_input(capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.py").write_text("import numpy as np\n\ndef g(x):\n    return np.tanh(x)\n")
    text = b"from b import g\nimport adlsp\n\ndef f(x:\n    pass\n\nadlsp.grad(g)\nadlsp.grad(h)\n"
    status, shown, _ = run(
        capsys, "check", "--stdin-filename", "new.py", "-", "--format=concise", stdin=text
    )
    assert status == 1
    assert shorter(shown) == ["new.py:4 AD100", "new.py:8 AD101"]
    status, shown, _ = run(capsys, "check", "-", "--format=concise", stdin=OUT.encode())
    assert status == 1
    assert shown.startswith("<stdin>:6:18: AD301")


def test_suppressions(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OUT.replace("out=a)", "out=a)  # adlsp: ignore[AD301]"))
    assert run(capsys, "check")[:2] == (0, PASSED)
    Path("b.py").write_text(GOOD.replace("x * w))", "x * w))  # adlsp: ignore[AD103]"))
    status, shown, _ = run(capsys, "check", "b.py", "--format", "concise")
    assert status == 1
    assert "AD901 warning: unused suppression of AD103" in shown
    assert run(capsys, "check", "b.py", "--fix")[:2] == (0, PASSED)
    assert Path("b.py").read_text() == GOOD


def test_a_suppression_that_only_the_callers_need_is_used(
    capsys: pytest.CaptureFixture[str],
) -> None:
    helper = OUT.replace("out=a)", "out=a)  # adlsp: ignore[AD301]").split("step_bar")[0]
    Path("helper.py").write_text(helper)
    Path("main.py").write_text("import adlsp\nfrom helper import step\n\nadlsp.grad(step)\n")
    for path in ("helper.py", "main.py", "."):
        assert run(capsys, "check", path)[:2] == (0, PASSED)


def test_fixes(capsys: pytest.CaptureFixture[str]) -> None:
    fixed = GOOD.replace("\n", "\r\n").encode()
    broken = fixed.replace(b"x * w))", b"x * w))  # adlsp: ignore[AD103]")
    Path("a.py").write_bytes(broken)
    status, shown, errors = run(capsys, "check", "--diff")
    assert (status, errors) == (1, "")
    assert shown.startswith("--- a.py\n+++ a.py\n")
    assert "-    return np.sum(np.tanh(x * w))  # adlsp: ignore[AD103]\r\n" in shown
    assert "+    return np.sum(np.tanh(x * w))\r\n" in shown
    assert Path("a.py").read_bytes() == broken
    shown = run(capsys, "check", "-", "--diff", stdin=broken)[1]
    assert shown.startswith("--- <stdin>\n+++ <stdin>\n")
    status, shown, errors = run(capsys, "check", "--fix")
    assert (status, shown, errors) == (0, PASSED, "Fixed 1.\n")
    assert Path("a.py").read_bytes() == fixed
    assert run(capsys, "check", "--diff") == (0, "", "")


TWO_SORTS = """\
import adlsp
import numpy as np


def known(x):
    y = np.zeros(3)
    np.add(x, 1, out=y)
    return np.sum(y)


def unknown(x, y):
    np.add(x, 1, out=y)
    return np.sum(y)


adlsp.grad(known)
adlsp.grad(unknown)
"""


def test_only_safe_fixes_are_applied_unless_others_are_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.py").write_text(TWO_SORTS)
    shown = run(capsys, "check")[1]
    assert "  = help: Store the result: `y[...] = …` (`--fix`)\n" in shown
    assert "  = help: Store the result: `y[...] = …` (`--fix --unsafe-fixes`)\n" in shown
    assert "(1 fixable with `--fix`, 1 fixable with `--fix --unsafe-fixes`)" in shown
    fixes = [f["fix"] for f in json.loads(run(capsys, "check", "--format=json")[1])]
    assert [fix["applicability"] for fix in fixes] == ["safe", "unsafe"]
    assert run(capsys, "check", "--diff")[1].count("+    y[...] = np.add(x, 1)\n") == 1
    _, shown, errors = run(capsys, "check", "--fix")
    assert errors == "Fixed 1.\n"
    assert "(1 fixable with `--fix --unsafe-fixes`)" in shown
    assert run(capsys, "check", "--fix", "--unsafe-fixes")[2] == "Fixed 1.\n"
    stored = TWO_SORTS.replace("np.add(x, 1, out=y)", "y[...] = np.add(x, 1)")
    assert Path("a.py").read_text() == stored
    assert run(capsys, "check", "--unsafe-fixes")[0] == 2


def test_settings_ask_for_unsafe_fixes_in_their_folder(capsys: pytest.CaptureFixture[str]) -> None:
    for folder, setting in (("bold", "true"), ("shy", "false")):
        Path(folder).mkdir()
        Path(folder, "a.py").write_text(TWO_SORTS)
        Path(folder, "pyproject.toml").write_text(f"[tool.adlsp]\nunsafe-fixes = {setting}\n")
    assert run(capsys, "check", "--diff", "--no-unsafe-fixes")[1].count("+    y[...]") == 2
    assert run(capsys, "check", "--diff", "--unsafe-fixes")[1].count("+    y[...]") == 4
    assert run(capsys, "check")[0] == 1
    assert Path("bold/a.py").read_text() == TWO_SORTS
    assert run(capsys, "check", "--fix")[2] == "Fixed 3.\n"
    assert "np.add(x, 1, out=y)" not in Path("bold/a.py").read_text()
    assert Path("shy/a.py").read_text().count("np.add(x, 1, out=y)") == 1


def fail(*_: object) -> None:
    raise RuntimeError("something unheard of")


def test_a_failure_of_ours_costs_one_function(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.py").write_text(OUT)
    Path("b.py").write_text(GOOD + "adlsp.grad(nothing)\nadlsp.grad(unused)\n")
    derive = engine.derive

    def derive_some(request, resolver):
        return fail() if request.function == "b.loss" else derive(request, resolver)

    monkeypatch.setattr(engine, "check", fail)
    monkeypatch.setattr(engine, "derive", derive_some)
    status, shown, _ = run(capsys, "check", "--format", "json")
    found = [(f["path"], f["start"]["line"], f["code"]) for f in json.loads(shown)]
    assert status == 2
    assert found == [
        ("a.py", 1, "AD900"),
        ("a.py", 6, "AD301"),
        ("b.py", 5, "AD900"),
        ("b.py", 10, "AD301"),
        ("b.py", 14, "AD101"),
    ]
    message = json.loads(shown)[2]["message"]
    assert "RuntimeError: something unheard of (test_cli.py:" in message
    assert "while differentiating `loss`" in message


def test_a_failure_of_ours_is_shown_where_no_function_is_to_blame(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.py").write_text("x = 1\n")
    monkeypatch.setattr(engine, "check", fail)
    for options in ((), ("--all-functions",)):
        status, shown, _ = run(capsys, "check", "--format", "concise", *options)
        assert status == 2
        assert shown.startswith("a.py:1:1: AD900 error: internal error: RuntimeError")


def test_a_failure_of_ours_elsewhere_is_no_finding(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.py").write_text(GOOD)
    monkeypatch.setattr(engine, "derive", fail)
    status, shown, errors = run(capsys, "show", "a.py::loss")
    assert (status, shown) == (2, "")
    assert "RuntimeError: something unheard of" in errors
    assert errors.endswith("adlsp: this is a mistake in adlsp; please report the above\n")


def test_what_cannot_be_written_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    Path("a.py").write_text(GOOD.replace("x * w))", "x * w))  # adlsp: ignore[AD103]"))
    monkeypatch.setattr(workspace, "replace_text", refuse)
    status, _, errors = run(capsys, "check", "--fix")
    assert status == 2
    assert f"cannot write {os.path.abspath('a.py')}: Permission denied" in errors


def test_a_closed_pipe_is_no_error() -> None:
    Path("a.py").write_text(OUT)
    command = [sys.executable, "-m", "adlsp", "check", "--format=concise"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        errors = child.stderr.read()
        assert child.wait(120) == status.PIPE_CLOSED
    assert errors == b""


def test_a_narrow_encoding_of_the_terminal_is_no_error() -> None:
    Path("größe.py").write_text(OUT.replace("step", "größe"))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = process("check", env=environment)
    assert done.returncode == 1
    assert "AD301" in done.stdout
    assert done.stderr == ""


# show


LIBRARY = """\
def loss(x):
    return helper(x)


def helper(x):
    try:
        return x * x
    except ValueError:
        return x
"""


def test_a_file_is_checked_for_what_others_ask_of_it(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("pyproject.toml", "[tool.adlsp]\nexclude = ['old']\n")
    write("models/__init__.py", "")
    write("models/lib.py", LIBRARY)
    write("models/between.py", "from .lib import helper\n\n\ndef total(x):\n    return helper(x)\n")
    write("run.py", "import adlsp\nfrom models.lib import loss\n\nadlsp.grad(loss)\n")
    message = f"{os.path.join('models', 'lib.py')}:6:5: AD401 error: "
    status, shown, _ = run(capsys, "check", "models/lib.py")
    assert (status, shown.startswith(message)) == (1, True)
    assert "note: run.py:4:1: differentiated here" in shown
    assert shown.endswith("Found 1 error: 1 function checked.\n")
    whole = run(capsys, "check", "--format", "concise")[1]
    assert whole.startswith(message)
    assert whole.count("\n") == 1

    write("run.py", "import adlsp\nfrom models import between\n\nadlsp.grad(between.total)\n")
    monkeypatch.chdir(folder / "models")
    status, shown, _ = run(capsys, "check", "lib.py")
    assert (status, shown.startswith("lib.py:6:5: AD401")) == (1, True)
    assert "run.py:4:1: differentiated here" in shown

    (folder / "old").mkdir()
    (folder / "run.py").rename(folder / "old" / "run.py")
    assert run(capsys, "check", "lib.py")[:2] == (0, NOTHING)


def test_show_prints_the_derivative(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(GOOD)
    status, shown, errors = run(capsys, "show", "a.py::loss")
    assert (status, errors) == (0, "")
    compile(shown, "a_grad.py", "exec")
    assert "backward" in shown
    assert "w_bar" in shown
    assert "x_bar" in shown
    assert run(capsys, "show", "a.py::loss")[1] == shown
    only_x = run(capsys, "show", "a.py::loss", "--wrt", "x")[1]
    assert "x_bar" in only_x
    assert "w_bar" not in only_x


def test_show_of_a_function_that_changes_arrays(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text("def move(a, k):\n    a[1:] += k * a[:-1]\n")
    assert run(capsys, "show", "a.py::move")[0] == 1
    status, shown, errors = run(capsys, "show", "a.py::move", "--wrt", "a,k", "--outputs", "a")
    assert (status, errors) == (0, "")
    assert "a_bar" in shown
    twice = run(capsys, "show", "a.py::move", "--outputs", "a", "--order", "2")
    assert twice[0] == 0
    assert "inner_bar" in twice[1]
    assert run(capsys, "show", "a.py::move", "--outputs", "b") == (
        2,
        "",
        "adlsp: `move` has no parameter `b`; it has `a`, `k`\n",
    )


def test_show_types(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "layer.py"
    path.write_text(
        "import numpy as np\n\n\ndef layer(w, x, n: int, mode):\n    z = x @ w\n"
        "    if mode == 'relu':\n        z = np.maximum(z, 0)\n    return z * n\n"
    )
    given = "w: float64[n, m], x: float32[k, n], mode: 'tanh'".replace("'", '"')
    assert cli.main(["show", "--types", f"{path}::layer", "--signature", given]) == 0
    assert [line.partition("  # ")[2] for line in capsys.readouterr().out.splitlines()] == [
        'w: float64[n, m], x: float32[k, n], n: int, mode: "tanh"',
        "z: float64[k, m]",
        "",
        "does not run",
        "-> float64[k, m]",
    ]
    for wrong, told in (("w: float[", "expected"), ("v: float", "no parameter `v`")):
        assert cli.main(["show", "--types", f"{path}::layer", "--signature", wrong]) == 2
        assert told in capsys.readouterr().err


def test_show_types_that_are_assumed(capsys: pytest.CaptureFixture[str]) -> None:
    """They are those that the derivative assumes, also by what it returns."""
    Path("a.py").write_text("def end(y, h):\n    z = y\n    z = z * h\n    return z[0] + y[1]\n")
    shown = run(capsys, "show", "a.py::end")[1]
    assert "Assumes y: float64[n], by how it uses them." in shown
    assert "assumes y: float64[n]" in run(capsys, "show", "--types", "a.py::end")[1]
    forward = run(capsys, "show", "--types", "--mode", "forward", "a.py::end")[1]
    assert "assumes" not in forward


def test_show_for_a_signature(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text("import numpy as np\ndef f(x, w): return np.sum(x @ w)\n")
    asked = ("show", "a.py::f", "--wrt", "w", "--signature")
    status, shown, errors = run(capsys, *asked, "x: float64[n, d], w: float64[d]")
    assert (status, errors) == (0, "")
    assert "For x: float64[n, d], w: float64[d]." in shown
    assert "rt." not in shown
    assert run(capsys, *asked, "") == run(capsys, *asked[:-1])
    for wrong, told in (("w: float[", "expected"), ("v: float", "no parameter `v`")):
        status, shown, errors = run(capsys, *asked, wrong)
        assert (status, shown) == (2, "")
        assert told in errors


def test_show_with_its_map(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(GOOD)
    plain = run(capsys, "show", "a.py::loss")[1]
    status, shown, _ = run(capsys, "show", "a.py::loss", "--map")
    assert status == 0
    rows = [row.partition("|") for row in shown.splitlines()]
    assert [code.removeprefix(" ") for _, _, code in rows] == plain.splitlines()
    adjoint = [row for row in rows if "adjoint" in row[0]]
    assert adjoint
    assert any("a.py:6" in row[0] for row in adjoint)


def test_show_says_why_there_is_no_derivative(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OUT)
    status, shown, errors = run(capsys, "show", "a.py::step")
    assert (status, shown) == (1, "")
    assert "AD301" in errors
    Path("a.py").write_text("def f(x:\n    return x\n")
    status, shown, errors = run(capsys, "show", "a.py::f")
    assert (status, shown) == (1, "")
    assert "AD100" in errors


def test_show_helps_with_names(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(GOOD + "\ndef nothing():\n    return 1\n")
    assert "is `loss` meant?" in run(capsys, "show", "a.py::los")[2]
    assert "it has `w`, `x`" in run(capsys, "show", "a.py::loss", "--wrt", "y")[2]
    assert "no parameter" in run(capsys, "show", "a.py::nothing")[2]


def test_show_says_what_is_no_function_to_differentiate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    terms = " + ".join(["x"] * 2000)
    Path("a.py").write_text(f"async def f(x):\n    return x\n\n\ndef g(x):\n    return {terms}\n")
    assert "`async def` cannot be differentiated" in run(capsys, "show", "a.py::f")[2]
    status, shown, errors = run(capsys, "show", "a.py::g")
    assert (status, shown) == (2, "")
    assert "`g` is too large: it is nested more than 1000 levels deep" in errors


# the others


MODEL = """\
import numpy as np


def loss(w, x):
    return np.sum(np.sin(x * w))


def wrong(w):
    return np.sum(np.sign(w))


def cube(x, n):
    for _ in range(n):
        x = x * x * x
    return x
"""
TRAIN = """\
import adlsp
from model import loss

step = adlsp.value_and_grad(loss, wrt=("x",))
"""


def test_what_is_handed_to_what_differentiates_it_is_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("trainer.py", "import adlsp\n\n\ndef fit(loss, w):\n    return adlsp.grad(loss)(w)\n")
    write(
        "model.py", "def loss(w):\n    try:\n        return w\n    except ValueError:\n        w\n"
    )
    write("run.py", "import model\nimport trainer\n\ntrainer.fit(model.loss, 1.0)\n")
    status, out, _ = run(capsys, "check", ".")
    assert status == 1
    assert "model.py:2:5: AD401" in out


def test_show_derives_what_another_file_asks_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write("model.py", MODEL)
    assert "def loss_grad(w, x, *" in run(capsys, "show", "model.py::loss")[1]
    write("work/train.py", TRAIN)
    write("work/noise.py", "adlsp.grad(")
    out = run(capsys, "show", "model.py::loss")[1]
    assert '"""Value and gradient of loss (model.py:4) with respect to x."""' in out
    assert out.rstrip().endswith("(x_bar,)")
    write("pyproject.toml", '[tool.adlsp]\nroots = ["model.cube(n)", "model.loss(w, x)"]\n')
    assert run(capsys, "show", "model.py::loss")[1] == out
    assert "with respect to n." in run(capsys, "show", "model.py::cube")[1]
    assert folder.joinpath("work", "train.py").read_text("utf-8") == TRAIN


@pytest.mark.parametrize(
    ("options", "header"),
    [
        ((), "def loss_grad(w, x, *"),
        (("--mode", "forward"), "def loss_jvp(w, x, *"),
        (("--order", "2"), "def loss_grad_grad(w, x, *"),
        (("--order", "2", "--mode", "forward"), "def loss_grad_jvp(w, x, *"),
        (("--stage", "raw"), "def loss_grad(w, x, *"),
    ],
)
def test_show_in_each_mode_and_order(
    options: tuple[str, ...], header: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("model.py", MODEL)
    status, out, err = run(capsys, "show", "model.py::loss", *options)
    assert (status, err) == (0, "")
    assert header in out
    compile(out, "derivative.py", "exec")


def test_the_raw_stage_is_not_simplified(capsys: pytest.CaptureFixture[str]) -> None:
    write("model.py", MODEL)
    _, optimized, _ = run(capsys, "show", "model.py::loss")
    _, raw, _ = run(capsys, "show", "model.py::loss", "--stage=raw")
    assert "rt.expand(out_bar, np.shape(t_2), None, False)" in raw
    assert len(raw) > len(optimized)


KERNEL = """
import numpy as np


def step(x, y):
    y[0] *= np.sin(x)
    return None
"""


@pytest.mark.parametrize(
    ("stage", "line"),
    [
        ("ir", "    y[0] *= %t:1           # [5-9]"),
        ("canonical", "    %t:0:outputs = (y,)    # 7:5-16"),
        ("facts", "    y[0] *= %t:1              # active y | live %t:1, y | saves %undo:y:4"),
    ],
)
def test_show_at_the_stages_before_a_derivative(
    stage: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("kernel.py", KERNEL)
    status, out, err = run(
        capsys, "show", "kernel.py::step", "--wrt", "x", "--outputs", "y", "--stage", stage
    )
    assert (status, err) == (0, "")
    assert line in out.splitlines()


def test_what_has_no_derivative_has_stages_before_it(capsys: pytest.CaptureFixture[str]) -> None:
    write("kernel.py", "def f(x):\n    np.add(x, 1, out=x)\n    return x[0]\nimport numpy as np\n")
    for stage in ("ir", "canonical", "facts"):
        status, out, err = run(capsys, "show", "kernel.py::f", "--stage", stage)
        assert (status, "AD301" in err, "    %t:1 = x[0]" in out) == (0, True, True)
    assert "no derivative can be made" in out
    status, out, err = run(capsys, "show", "kernel.py::f", "--stage", "raw")
    assert (status, out, "AD301" in err) == (1, "", True)


@pytest.mark.parametrize("option", [("--map",), ("--order", "2")])
def test_stages_before_a_derivative_have_no_map_and_no_order(
    option: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    write("model.py", MODEL)
    status, out, err = run(capsys, "show", "model.py::loss", "--stage=facts", *option)
    assert (status, out) == (2, "")
    assert f"`{' '.join(option)}` is about a derivative, not about the stage facts" in err


@pytest.mark.parametrize(
    ("function", "example", "expected"),
    [
        ("loss", "w=np.ones(3), x=np.arange(3.0)", (0, "the gradient of `loss` agrees")),
        ("cube", "x=1.5, n=2", (0, "the gradient of `cube` agrees")),
        ("broken", "x=np.array([0.5, 2.0])", (1, "the gradient of `broken` is wrong")),
        ("changed", "x=np.ones(2)", (1, "AD301")),
        ("loss", "w=np.ones(3)", (2, "the example does not fit: TypeError")),
        ("loss", "w=(", (2, "the example does not fit: SyntaxError")),
        ("nothing", "x=1.0", (2, "no function `nothing`")),
    ],
)
def test_verify(
    function: str, example: str, expected: tuple[int, str], capfd: pytest.CaptureFixture[str]
) -> None:
    more = (
        "\n\ndef broken(x):\n    return np.sum(x * adlsp.stop_gradient(x))\n"
        "\n\ndef changed(x):\n    np.add(x, x, out=x)\n    return np.sum(x)\n"
    )
    write("model.py", f"import adlsp\n{MODEL}{more}")
    status = cli.main(["verify", f"model.py::{function}", "--example", example])
    out, err = capfd.readouterr()
    assert (status, expected[1] in out + err) == (expected[0], True)


def test_verify_runs_a_program_that_imports_its_neighbors(
    capfd: pytest.CaptureFixture[str],
) -> None:
    write("pkg/__init__.py", "")
    write(
        "pkg/model.py", "from pkg import other\n\n\ndef f(x, y=2.0):\n    return other.g(x) * y\n"
    )
    write("pkg/other.py", "def g(x):\n    return x * x\n")
    assert cli.main(["verify", "pkg/model.py::f", "--example", "x=3.0", "--wrt", "x"]) == 0
    assert cli.main(["verify", "pkg/model.py::f", "--example", "x=3.0", "--wrt", "z"]) == 2
    assert "no parameter `z`" in capfd.readouterr().err
    write("pkg/other.py", "raise ImportError('not today')\n")
    assert cli.main(["verify", "pkg/model.py::f", "--example", "x=3.0"]) == 2
    assert "not today" in capfd.readouterr().err


def test_files_of_the_user_do_not_stand_in_for_our_modules(folder: Path) -> None:
    for name in ("argparse", "gast", "tokenize", "difflib", "tomllib"):
        write(f"{name}.py", f"raise SystemExit('{name} of the user was imported')\n")
    write("good.py", GOOD)
    command = [sys.executable, "-m", "adlsp", "check", "good.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, PASSED, "")


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    status, shown, _ = run(capsys, "explain", "AD301")
    assert status == 0
    assert shown.startswith("# AD301 out-argument (error)\n")
    assert run(capsys, "explain", "out-argument")[1] == shown
    assert "is `out-argument` meant?" in run(capsys, "explain", "out-arguments")[2]
    listed = run(capsys, "explain")[1]
    assert "AD301  out-argument" in listed
    assert "AD900" in listed


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    status, shown, _ = run(capsys, "rules", "numpy.tanh")
    assert (status, shown.split()) == (0, ["numpy.tanh", "elementwise", "x"])
    everything = run(capsys, "rules")[1].splitlines()
    assert len(everything) >= 60
    assert everything == sorted(everything)
    assert all(
        line.startswith("numpy.") for line in run(capsys, "rules", "numpy.*")[1].splitlines()
    )
    assert run(capsys, "rules", "nonesuch")[0] == 1


def test_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tensorflow")
    status, shown, _ = run(capsys, "rules", "--coverage", "tensorflow", "tensorflow.math.ta*")
    assert status == 0
    assert [line.split() for line in shown.splitlines()] == [
        ["tensorflow.math.tan", "rule"],
        ["tensorflow.math.tanh", "rule"],
        ["2", "rule,", "0", "missing,", "0", "constant,", "0", "untold"],
    ]
    status, _, said = run(capsys, "rules", "--coverage", "tensorflow", "nonesuch")
    assert status == 2
    assert "no function of TensorFlow" in said


def test_coverage_goes_on_where_an_attempt_ends_the_process(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: dict[tuple[int, ...], list[str]] = {
        (0, 0): ["try tensorflow.tanh", "next", "some", "try tensorflow.nonesuch", "next"],
        (1, 1): ["try tensorflow.nonesuch", "next", "some", "try tensorflow.floor", "next", "some"],
    }
    printed[1, 1] += ["try tensorflow.further", "next", "unknown", "try tensorflow.zeros", "none"]
    monkeypatch.setattr(coverage, "find_spec", lambda _: True)
    monkeypatch.setattr(coverage, "_lines", lambda _, *numbers: printed[numbers])
    status, shown, _ = run(capsys, "rules", "--coverage", "tensorflow")
    assert status == 1
    assert [line.split() for line in shown.splitlines()] == [
        ["tensorflow.floor", "constant"],
        ["tensorflow.further", "untold"],
        ["tensorflow.nonesuch", "missing"],
        ["tensorflow.tanh", "rule"],
        ["1", "rule,", "1", "missing,", "1", "constant,", "1", "untold"],
    ]


def test_coverage_needs_tensorflow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverage, "find_spec", lambda _: None)
    status, _, said = run(capsys, "rules", "--coverage", "tensorflow")
    assert status == 2
    assert 'pip install "adlsp[tensorflow]"' in said


def test_version_and_module(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version")[:2] == (0, f"adlsp {VERSION}\n")
    done = process("--version")
    assert (done.returncode, done.stdout) == (0, f"adlsp {VERSION}\n")


@pytest.mark.parametrize(
    ("file", "codes"),
    [
        ("findings.py", ["AD201", "AD301", "AD401", "AD402", "AD505"]),
        ("findings_more.py", ["AD101", "AD103", "AD302"]),
        ("findings_tensors.py", ["AD501", "AD502", "AD502", "AD503", "AD504", "AD506"]),
    ],
)
def test_the_examples_show_what_they_say(
    file: str, codes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = HOME / "examples" / file
    status, shown, _ = run(capsys, "check", str(path), "--format", "json")
    assert status == 1
    assert sorted(found["code"] for found in json.loads(shown)) == codes
    compile(path.read_text("utf-8"), str(path), "exec")


RULED = """\
import adlsp
import numpy as np
from adlsp import rules


def cube(x):
    try:
        return x**3
    finally:
        pass


@rules.elementwise(cube, when="x is real")
def cube_rule(x):
    return 3 * x**2


def f(x):
    return np.sum(cube(x))


adlsp.grad(f)
"""


def test_a_rule_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(RULED)
    Path("b.py").write_text("import a\n")
    assert run(capsys, "check", "a.py") == (0, PASSED, "")
    status, shown, _ = run(capsys, "show", "a.py::f")
    assert (status, "3 * x ** 2" in shown) == (0, True)
    for file in ("a.py", "b.py"):
        listed = run(capsys, "rules", "--of", file)
        assert listed == (0, "a.cube  elementwise  x  when x is real  a.py:13\n", "")
    assert run(capsys, "rules", "--of", "a.py", "tanh")[0] == 1
    assert run(capsys, "rules", "--of", "none.py")[0] == 2
    assert run(capsys, "verify", "a.py::f", "--example", "x=np.ones(3)")[0] == 0


def test_a_rule_that_makes_no_sense(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(RULED.replace("rule(x)", "rule(y)"))
    status, shown, _ = run(capsys, "check", "a.py", "--format=concise")
    assert status == 1
    assert shown == (
        "a.py:14:15: AD107 error: a rule for `cube` cannot have the parameter `y`: "
        "the function has none of this name\n"
    )
    assert run(capsys, "show", "a.py::f")[0] == 1


def test_a_call_with_nothing_but_an_out_is_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    text = "import adlsp\n\n\ndef f(x):\n    x.clip(out=x)\n    return x\n\n\nadlsp.grad(f)\n"
    Path("a.py").write_text(text)
    _, shown, _ = run(capsys, "check", "a.py", "--diff", "--unsafe-fixes")
    assert "-    x.clip(out=x)\n+    x[...] = x.clip()\n" in shown


def test_what_is_found_does_not_depend_on_the_number_of_processes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for number in range(20):
        Path(f"file_{number}.py").write_text(OUT if number % 3 else GOOD)
    Path("broken.py").write_text("def f(:\n")
    alone = run(capsys, "check", "--all-functions", "--format=concise", "--jobs=1")
    assert alone[1].count("AD301") == 13 + 7
    assert run(capsys, "check", "--all-functions", "--format=concise", "--jobs=3") == alone
    assert run(capsys, "check", "-", "--jobs=2", stdin=OUT.encode())[0] == 1
    assert run(capsys, "check", "--jobs=0")[0] == 2
    assert "13" in run(capsys, "check", "--fix", "--unsafe-fixes", "--jobs=2")[2]
    assert "AD301" not in run(capsys, "check", "--jobs=2")[1]


@pytest.mark.parametrize("name", ["01_fit", "my-fit", "my fit"])
def test_the_name_of_a_file_need_be_none_of_a_module(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its variables have types all the same, and the derivative imports it by its name."""
    path = tmp_path / f"{name}.py"
    path.write_text(
        "import numpy as np\nimport adlsp\nSCALE = np.array([2.0, 3.0])\n\n\n"
        "def f(x):\n    return np.sum(SCALE * x**2)\n\n\nprint(adlsp.grad(f)(np.ones(2)))\n"
    )
    status, shown, errors = run(capsys, "show", f"{path}::f")
    assert (status, errors) == (0, "")
    assert f'import_module("{name}")' in shown
    assert "SCALE: float64[n0]" in shown
    compile(shown, "f_grad.py", "exec")
    ran = subprocess.run(
        [sys.executable, path], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("[4. 6.]\n", "")
