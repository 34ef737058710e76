"""Rules of users: where they are looked for, what is remembered of them, and the live way."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adlsp
from adlsp.transform import engine
from adlsp.transform.artifact import Derivative, Request
from adlsp.transform.frontend import imports, lower
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.query_cache import QueryCache
from adlsp.transform.rules import reader
from adlsp.transform.source import Source
from adlsp.workspace import Workspace

MODEL = """\
import numpy as np
from slopes import POWER


def raised(x):
    try:
        return x**POWER
    except OverflowError:
        return x


def f(x):
    return np.sum(raised(x))


def other(x):
    return np.tanh(x)
"""
SLOPES = """\
import numpy as np
from adlsp import rules

POWER = 3


@rules.elementwise("model.raised")
def raised_rule(x):
    return POWER * x ** (POWER - 1)
"""
END = """

if __name__ == "__main__":
    import adlsp

    print(adlsp.derive(f).source, end="")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "model.py").write_text(MODEL, "utf-8")
    (tmp_path / "slopes.py").write_text(SLOPES, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in ("model", "slopes", "uses"):
        sys.modules.pop(name, None)


def derived(model: str, slopes: str, cache: QueryCache | None = None) -> Derivative:
    sources = {
        "model": Source("model.py", "model", model),
        "slopes": Source("slopes.py", "slopes", slopes),
    }
    return engine.derive(Request("model.f", ("x",)), StaticResolver(sources.get), cache)


def told(derivative: Derivative) -> list[tuple[str, str, int]]:
    return [(found.code, found.span.path, found.span.line) for found in derivative.findings]


# where rules are looked for


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("import numpy as np, os.path", ["numpy", "os", "os.path"]),
        ("from a.b import c, d as e  # f", ["a", "a.b", "a.b.c", "a.b.d"]),
        ("from . import slopes", ["pkg", "pkg.slopes"]),
        ("from .. import top", ["top"]),
        (
            "from .sub import (\n    x,  # y\n    z,\n)",
            ["pkg", "pkg.sub", "pkg.sub.x", "pkg.sub.z"],
        ),
        ("from a import b, \\\n    c\nd = 1", ["a", "a.b", "a.c"]),
        ("def f():\n    import a; b = 1", ["a"]),
        ("from a import *\r\nimport b\r\n", ["a", "b"]),
        ("important = 1\nfrom_ = 2\nx = 'import y'", []),
        ("from.import a\nfrom import", ["pkg", "pkg.a"]),
    ],
)
def test_imports_are_found_in_a_text(text: str, named: list[str]) -> None:
    assert list(imports.modules(Source("pkg/m.py", "pkg.m", text))) == named


def test_a_rule_counts_where_its_module_is_imported() -> None:
    assert told(derived(MODEL, SLOPES)) == []
    assert "slopes.POWER" in derived(MODEL, SLOPES).source
    apart = MODEL.replace("from slopes import POWER", "POWER = 3")
    assert ("AD401", "model.py", 6) in told(derived(apart, SLOPES))


def test_modules_that_import_each_other_are_searched_once() -> None:
    slopes = f"from model import f\n{SLOPES}"
    assert told(derived(MODEL, slopes)) == []


# what is remembered

EDITS = [
    pytest.param(MODEL, SLOPES, id="nothing"),
    pytest.param(MODEL, f"\n# a comment\n{SLOPES}", id="the rule moves"),
    pytest.param(MODEL, SLOPES.replace("POWER * x", "2 * x"), id="its body"),
    pytest.param(MODEL, SLOPES.replace("POWER = 3", "from math import pi as POWER"), id="a name"),
    pytest.param(MODEL, SLOPES.replace("model.raised", "model.razed"), id="what it is about"),
    pytest.param(MODEL, SLOPES.replace("rule(x)", "rule(y)"), id="it is broken"),
    pytest.param(MODEL, SLOPES.replace("rules.elem", "tools.elem"), id="it goes"),
    pytest.param(MODEL, f"{SLOPES}\n\nrules.constant('model.raised')\n", id="one too many"),
    pytest.param(MODEL.replace("raised(x):", "raised(x, y=1):"), SLOPES, id="the function"),
    pytest.param(MODEL.replace("raised(x):", "raised(z):"), SLOPES, id="its parameter"),
    pytest.param(MODEL.replace("import POWER", "import POWER as P"), SLOPES, id="another function"),
]


@pytest.mark.parametrize(("model", "slopes"), EDITS)
def test_findings_and_derivatives_follow_an_edit_of_a_rule(model: str, slopes: str) -> None:
    cache = QueryCache()
    derived(MODEL, SLOPES, cache)
    assert derived(model, slopes, cache) == derived(model, slopes)
    assert derived(MODEL, SLOPES, cache) == derived(MODEL, SLOPES)


def test_what_does_not_concern_a_rule_leaves_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered, original = [], lower.lower

    def counted(definition, answers):
        lowered.append(definition.name)
        return original(definition, answers)

    monkeypatch.setattr(lower, "lower", counted)
    cache = QueryCache()
    derived(MODEL, SLOPES, cache)
    del lowered[:]
    derived(MODEL.replace("np.tanh", "np.sinh"), f"# moved\n{SLOPES}\n\nUNUSED = 1\n", cache)
    assert lowered == []


def test_where_words_stand_is_read_once_for_each_text(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_into, original = [], reader.uses

    def counted(tree, source, known):
        looked_into.append(source.module)
        return original(tree, source, known)

    monkeypatch.setattr(reader, "uses", counted)
    cache = QueryCache()
    forward = MODEL.replace("def f(x):", "def f(x):\n    # adlsp goes forward, is linear in x")
    for _ in range(3):
        derived(forward, SLOPES, cache)
    assert looked_into == ["slopes"]
    derived(forward, f"{SLOPES}\n\nUNUSED = 1\n", cache)
    assert looked_into == ["slopes", "slopes"]


@pytest.mark.parametrize(
    ("imported", "written"),
    [
        ("import adlsp", "adlsp.rules.elementwise"),
        ("import adlsp as a", "a.rules.elementwise"),
        ("import numpy, adlsp.rules as ways", "ways.elementwise"),
        ("from adlsp import rules", "rules . elementwise"),
        ("from adlsp import \\\n    rules as r", "r.elementwise"),
        ("from adlsp import (\n    grad,\n    rules,\n)", "rules.elementwise"),
        ("from adlsp.rules import *", "elementwise"),
        ("from adlsp.rules import elementwise as each", "each"),
        ("from adlsp.transform.rules.declare import elementwise", "elementwise"),
        ("try:\n    from adlsp.rules import elementwise as each\nfinally:\n    pass", "each"),
    ],
)
def test_a_rule_is_found_however_its_word_is_imported(imported: str, written: str) -> None:
    slopes = SLOPES.replace("from adlsp import rules", imported)
    slopes = slopes.replace("@rules.elementwise", f"@{written}")
    assert told(derived(MODEL, slopes)) == []
    assert "slopes.POWER" in derived(MODEL, slopes).source
    misplaced = f"{slopes}\n\nunused = {written}\n"
    assert [code for code, _, _ in told(derived(MODEL, misplaced))] == ["AD106"]


# the live way


def test_both_ways_give_one_text(folder: Path) -> None:
    path = str(folder / "model.py")
    text = engine.derive(Request("model.f", ("x",)), Workspace().resolver(path)).source
    assert "slopes.POWER" in text
    model: Any = importlib.import_module("model")
    assert adlsp.derive(model.f).source == text
    x = np.array([0.5, 2.0])
    df: Any = adlsp.grad(model.f)
    assert np.allclose(df(x), 3 * x**2)
    ddf: Any = adlsp.hvp(model.f)
    assert np.allclose(ddf(x, dots=(np.ones(2),)), 6 * x)
    (folder / "model.py").write_text(MODEL + END, "utf-8")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert done.stdout == text


def test_what_stands_further_below_is_known(folder: Path) -> None:
    (folder / "below.py").write_text(
        "import adlsp\nfrom adlsp import rules\n\n\n"
        "def f(x):\n    return softened(x) * doubled(x)\n\n\n"
        "DF = adlsp.grad(f)\n\n\n"
        "def doubled(x):\n    return 2.0 * x\n\n\n"
        "def softened(x):\n    return abs(x)\n\n\n"
        "@rules.elementwise(softened)\ndef softened_rule(x):\n    return 3.0\n"
    )
    below = importlib.import_module("below")
    assert below.DF(2.0) == 3.0 * 4.0 + 2.0 * 2.0


def test_a_decorated_function_of_another_module_has_a_rule(folder: Path) -> None:
    slopes = SLOPES.replace("model.raised", "slopes.hidden").replace("POWER * x", "2 * x")
    hidden = "\n\n@np.vectorize\ndef hidden(x):\n    return x if x > 0 else -x\n"
    (folder / "slopes.py").write_text(slopes + hidden, "utf-8")
    text = "import slopes\nfrom slopes import hidden\n\n\ndef f(x):\n    return hidden(x)\n"
    (folder / "uses.py").write_text(text, "utf-8")
    path = str(folder / "uses.py")
    static = engine.derive(Request("uses.f", ("x",)), Workspace().resolver(path))
    uses: Any = importlib.import_module("uses")
    assert static.source
    assert adlsp.derive(uses.f).source == static.source
    df: Any = adlsp.grad(uses.f)
    assert df(1.5) == 2 * 1.5**2


def test_a_rule_that_makes_no_sense_is_told_where_it_stands(folder: Path) -> None:
    (folder / "slopes.py").write_text(SLOPES.replace("rule(x)", "rule(y)"), "utf-8")
    model: Any = importlib.import_module("model")
    with pytest.raises(adlsp.DifferentiationError) as refused:
        adlsp.grad(model.f)
    (found,) = refused.value.findings
    assert (found.code, found.span.line, found.span.column) == ("AD107", 8, 17)
    assert found.span.path == str(folder / "slopes.py")


def test_what_a_rule_calls_must_have_rules_to_be_differentiated_again(folder: Path) -> None:
    slopes = SLOPES.replace("POWER * x", "np.spacing(x) *").replace("* **", "* x **")
    (folder / "slopes.py").write_text(slopes, "utf-8")
    model: Any = importlib.import_module("model")
    first: Any = adlsp.grad(model.f)
    assert np.shape(first(np.array([0.5, 2.0]))) == (2,)
    with pytest.raises(adlsp.DifferentiationError, match="no derivative rule"):
        adlsp.hvp(model.f)


def test_a_wrong_rule_is_caught_by_differences(folder: Path) -> None:
    x = np.array([0.5, 2.0])
    adlsp.check_grads(importlib.import_module("model").f, (x,))
    del sys.modules["model"], sys.modules["slopes"]
    (folder / "slopes.py").write_text(SLOPES.replace("POWER - 1", "POWER"), "utf-8")
    importlib.invalidate_caches()
    wrong: Any = importlib.import_module("model")
    with pytest.raises(AssertionError, match="x"):
        adlsp.check_grads(wrong.f, (x,))


@pytest.mark.usefixtures("folder")
def test_a_rule_stays_an_ordinary_function() -> None:
    slopes: Any = importlib.import_module("slopes")
    assert slopes.raised_rule(2.0) == 12.0


def test_the_words_are_light() -> None:
    program = (
        "import sys\n"
        "from adlsp import rules\n"
        "assert rules.constant(print) is None\n"
        "assert not {'numpy', 'gast', 'ast'} & {m.partition('.')[0] for m in sys.modules}\n"
        "assert 'adlsp.transform.rules.table' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
