"""What was worked out before is used again, and only where nothing else would come out."""

from __future__ import annotations

import pytest

from adlsp.transform import engine
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import lower
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.query_cache import QueryCache
from adlsp.transform.source import Source

MAIN = """\
import adlsp
import numpy as np
from library import step


def first(x):
    y = step(x)
    try:
        y = y * x
    except ValueError:
        y = x
    return y


def second(x, unused):
    return np.sum(x * x)


def third(x):
    np.add(x, 1.0, out=x)
    return x


adlsp.grad(first)
adlsp.grad(second, wrt=("x", "unused"))
adlsp.grad(third)
"""
LIBRARY = """\
import numpy as np


def step(x):
    return np.floor(helper(x))


def helper(x):
    for value in x:
        if value > 3.0:
            break
    return value * x
"""


def resolver(main: str, library: str) -> tuple[Source, StaticResolver]:
    sources = {
        "main": Source("main.py", "main", main),
        "library": Source("library.py", "library", library),
    }
    return sources["main"], StaticResolver(sources.get)


def check(main: str, library: str, cache: QueryCache | None) -> list[Diagnostic]:
    source, answers = resolver(main, library)
    found = engine.check(source, answers, cache=cache)
    everything = engine.check(source, answers, True, cache)
    outlined = [d for each in engine.outline(source, answers, (), cache) for d in each.findings]
    return [*found, *everything, *outlined]


EDITS = [
    pytest.param(MAIN, LIBRARY, 0, id="nothing"),
    pytest.param(f"\n# a comment\n{MAIN}", f"\n{LIBRARY}", 0, id="everything moves"),
    pytest.param(MAIN.replace("def second", "\n\ndef second"), LIBRARY, 1, id="some moves"),
    pytest.param(MAIN.replace("x * x", "x * 2.0 * x"), LIBRARY, 1, id="a body"),
    pytest.param(MAIN.replace("x * x", "np.round(x)"), LIBRARY, 1, id="a finding appears"),
    pytest.param(MAIN.replace("out=x", "out=None"), LIBRARY, 1, id="a finding goes"),
    pytest.param(MAIN.replace("y = x\n", "\n        y = 2.0 * x\n"), LIBRARY, 1, id="a line more"),
    pytest.param(MAIN, LIBRARY.replace("break", "continue"), 1, id="a callee's callee"),
    pytest.param(MAIN, LIBRARY.replace("def helper", "def other"), 1, id="a callee goes"),
    pytest.param(MAIN, f"{LIBRARY}\n\ndef helper(x):\n    return x\n", 1, id="another definition"),
    pytest.param(
        MAIN, LIBRARY.replace("    return value * x", "    return (x"), 0, id="a broken one"
    ),
    pytest.param(MAIN.replace("numpy as np", "math as np"), LIBRARY, 2, id="an import"),
    pytest.param(MAIN.replace("import step", "import helper as step"), LIBRARY, 1, id="a name"),
    pytest.param(MAIN.replace("def second", "@cached\ndef second"), LIBRARY, 0, id="a decorator"),
    pytest.param(MAIN.replace("grad(first)", "grad(first, wrt=0)"), LIBRARY, 0, id="a call"),
]


@pytest.mark.parametrize(("main", "library", "n_lowered"), EDITS)
def test_an_edit_costs_what_depends_on_it(
    main: str, library: str, n_lowered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered, original = [], lower.lower

    def counted(definition, answers):
        if not definition.dotted.startswith("adlsp."):  # a rule is read once, by whoever needs it
            lowered.append(definition.dotted)
        return original(definition, answers)

    monkeypatch.setattr(lower, "lower", counted)
    cache = QueryCache()
    check(MAIN, LIBRARY, cache)
    assert sorted(set(lowered)) == sorted(lowered)
    del lowered[:]
    found = check(main, library, cache)
    assert len(lowered) == n_lowered
    assert found == check(main, library, None)
    assert check(MAIN, LIBRARY, cache) == check(MAIN, LIBRARY, None)


def test_hovers_and_derivatives_are_those_of_the_text_as_it_is() -> None:
    cache = QueryCache()
    check(MAIN, LIBRARY, cache)
    moved = MAIN.replace("def second", "\n\ndef second")
    source, answers = resolver(moved, LIBRARY)
    line = moved.splitlines().index("    return np.sum(x * x)") + 1
    shown = engine.describe(source, line, 19, answers, cache=cache)
    assert shown == engine.describe(source, line, 19, answers)
    assert shown is not None
    assert (shown.span.line, shown.title) == (line, "`x` is active")
    root = engine.roots(source, answers, cache)[1]
    derivative = engine.derive(root.request, answers, cache)
    assert derivative == engine.derive(root.request, answers)
    assert f"# line {line}" in derivative.source


def test_what_is_remembered_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adlsp.transform.query_cache.MOST", 2)
    cache = QueryCache()
    assert check(MAIN, LIBRARY, cache) == check(MAIN, LIBRARY, None)
    assert max(map(len, (cache.functions, cache.requests, cache.roots))) == 2


OBJECTS = """\
import adlsp


class Above:
    rate = 0.5

    def __init__(self, a):
        self.a = a


class Model(Above):
    def h(self, x):
        return self.a * x


def f(a, x):
    model = Model(a)
    return model.h(x) * model.rate


adlsp.grad(f)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    rate = 0.5\n", "    rate = []\n"),
        ("self.a = a\n", "self.a = a.b\n"),
        ("class Model(Above):", "class Model:"),
    ],
)
def test_what_rests_on_a_class_is_found_again_when_that_changes(old: str, new: str) -> None:
    cache = QueryCache()
    for text in (OBJECTS, OBJECTS.replace(old, new), OBJECTS):
        source, answers = resolver(text, LIBRARY)
        found = engine.check(source, answers, cache=cache)
        assert found == engine.check(source, answers)
        assert bool(found) is (text != OBJECTS)


SETTINGS = """\
import adlsp
import numpy as np
from elsewhere import unknown


def make(k):
    def apply(x):
        return k * x

    return apply


parts = [2.0]
model = make(parts[0])


def inner(x):
    return model(x)


def f(x):
    return np.sum(inner(x))


adlsp.grad(f)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("model = make(parts[0])", "model = unknown"),
        ("    return apply\n", "    return None\n"),
        ("        return k * x\n", "        return x.tobytes()\n"),
        ("adlsp.grad(f)\n", "unknown(model)\nmodel = unknown\nadlsp.grad(f)\n"),
        ("def f(x)", "def g():\n    global model\n    model = unknown\n\n\ndef f(x)"),
    ],
)
def test_what_rests_on_a_module_is_found_again_when_that_changes(old: str, new: str) -> None:
    cache = QueryCache()
    assert SETTINGS.replace(old, new) != SETTINGS
    for text in (SETTINGS, SETTINGS.replace(old, new), SETTINGS):
        source, answers = resolver(text, LIBRARY)
        found = [d for d in engine.check(source, answers, cache=cache) if d.blocks]
        assert found == [d for d in engine.check(source, answers) if d.blocks]
        assert bool(found) is (text != SETTINGS)
