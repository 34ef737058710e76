"""What names mean, and what a broken text still says, from the texts of modules alone."""

from __future__ import annotations

import textwrap
import warnings

import pytest

from adlsp.transform.frontend import modules
from adlsp.transform.frontend.resolve import Binding, StaticResolver
from adlsp.transform.source import Source


def program(**texts: str) -> tuple[StaticResolver, dict[str, Source]]:
    """A resolver over some modules; `pkg__losses` is `pkg.losses`, `pkg__` is the package `pkg`."""
    sources = {}
    for key, text in texts.items():
        is_package = key.endswith("__")
        module = key.removesuffix("__").replace("__", ".")
        path = module.replace(".", "/") + ("/__init__.py" if is_package else ".py")
        sources[module] = Source(path, module, textwrap.dedent(text), is_package)
    return StaticResolver(sources.get), sources


def meaning(expression: str, **texts: str) -> tuple[str, str]:
    """What a dotted expression means in the module `main`."""
    resolver, sources = program(**texts)
    name, *attributes = expression.split(".")
    binding = resolver.name(sources["main"], name)
    for attribute in attributes:
        binding = resolver.attribute(binding, attribute)
    return binding.kind, binding.dotted


@pytest.mark.parametrize(
    ("text", "expression", "expected"),
    [
        ("import numpy as np", "np", ("module", "numpy")),
        ("import numpy as np", "np.tanh", ("value", "numpy.tanh")),
        ("import numpy.linalg", "numpy.linalg.inv", ("value", "numpy.linalg.inv")),
        ("import numpy.linalg as la", "la.inv", ("value", "numpy.linalg.inv")),
        ("from numpy import linalg as la", "la.inv", ("value", "numpy.linalg.inv")),
        ("from numpy import tanh as th", "th", ("value", "numpy.tanh")),
        ("def loss(x): pass", "loss", ("function", "main.loss")),
        ("class Model: pass", "Model", ("class", "main.Model")),
        ("class Model: pass", "Model.loss", ("value", "main.Model.loss")),
        ("SCALE = 2.0", "SCALE", ("value", "main.SCALE")),
        ("SCALE: float = 2.0", "SCALE", ("value", "main.SCALE")),
        ("x: int", "x", ("missing", "x")),
        ("A, (B, *C) = things()", "C", ("value", "main.C")),
        ("for i in range(3): pass", "i", ("value", "main.i")),
        ("with open('x') as f: pass", "f", ("value", "main.f")),
        ("print(n := 3)", "n", ("value", "main.n")),
        ("m = (n := 3)", "n", ("value", "main.n")),
        ("async def fetch(): pass", "fetch", ("value", "main.fetch")),
        ("match x:\n    case [a, *b]: pass", "b", ("value", "main.b")),
        ("", "len", ("value", "builtins.len")),
        ("def len(x): pass", "len", ("function", "main.len")),
        ("sum = 3", "sum", ("value", "main.sum")),
        ("", "nothing", ("missing", "nothing")),
        ("", "__name__", ("value", "main.__name__")),
        ("import numpy as np\ntanh = np.tanh", "tanh", ("value", "numpy.tanh")),
        ("def f(x): pass\ng = f\nh = g", "h", ("function", "main.f")),
        ("import numpy as np\nt = np.tanh\nt = np.sin", "t", ("value", "main.t")),
        ("import numpy as np\nt = np.tanh\ndef f():\n  global t", "t", ("value", "main.t")),
        ("a = b\nb = a", "a", ("value", "main.b")),
        ("len = len", "len", ("value", "builtins.len")),
        ("def f(x): pass\nf = jit(f)", "f", ("value", "main.f")),
        ("f = None\ndef f(x): pass", "f", ("function", "main.f")),
        ("if True:\n    def f(x): pass", "f", ("function", "main.f")),
        ("try:\n  import numpy as np\nexcept ImportError:\n  np = None", "np", ("module", "numpy")),
        (
            "try:\n  from numpy import cos\nexcept ImportError:\n  from math import cos",
            "cos",
            ("value", "numpy.cos"),
        ),
        (
            "try:\n  import numba\n  jit = numba.njit\nexcept ImportError:\n  jit = None\n  np = 1",
            "jit",
            ("value", "numba.njit"),
        ),
        ("import os.path", "os.path.join", ("value", "os.path.join")),
        ("from numpy import *", "tanh", ("value", "numpy.tanh")),
        ("from numpy import *", "sum", ("value", "numpy.sum")),
        ("from numpy import *", "len", ("value", "builtins.len")),
        ("from math import *", "sum", ("value", "builtins.sum")),
        ("import adlsp", "adlsp.grad", ("value", "adlsp.grad")),
    ],
)
def test_names_of_one_module(text: str, expression: str, expected: tuple[str, str]) -> None:
    assert meaning(expression, main=text) == expected


def test_re_exports_lead_to_the_module_that_defines() -> None:
    texts = {
        "main": "import pkg\nfrom pkg import loss as l",
        "pkg__": "from .losses import loss\nfrom . import deep",
        "pkg__losses": "from pkg.deep.inner import loss",
        "pkg__deep__": "",
        "pkg__deep__inner": "def loss(x): pass",
    }
    assert meaning("l", **texts) == ("function", "pkg.deep.inner.loss")
    assert meaning("pkg.loss", **texts) == ("function", "pkg.deep.inner.loss")
    assert meaning("pkg.deep", **texts) == ("module", "pkg.deep")
    assert meaning("pkg.deep.inner.loss", **texts) == ("function", "pkg.deep.inner.loss")
    assert meaning("pkg.losses.nothing", **texts) == ("missing", "pkg.losses.nothing")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("from .a import f", "pkg.sub.a.f"),
        ("from ..a import f", "pkg.a.f"),
        ("from .. import f", "pkg.f"),
        ("from ...a import f", "a.f"),
    ],
)
def test_relative_imports_start_from_the_package(written: str, expected: str) -> None:
    resolver, sources = program(pkg__sub__main=written)
    assert resolver.name(sources["pkg.sub.main"], "f").dotted == expected


def test_imports_in_a_circle_end() -> None:
    texts = {"main": "from other import f, g", "other": "from main import f\ndef g(x): pass"}
    assert meaning("f", **texts)[0] == "missing"
    assert meaning("g", **texts) == ("function", "other.g")
    stars = {"main": "from other import *", "other": "from main import *\ndef g(x): pass"}
    assert meaning("g", **stars) == ("function", "other.g")
    assert meaning("h", **stars) == ("missing", "h")


def test_functions_that_call_each_other_across_files_both_resolve() -> None:
    resolver, sources = program(
        even="from odd import odd\ndef even(n): return odd(n - 1)",
        odd="from even import even\ndef odd(n): return even(n - 1)",
    )
    assert resolver.name(sources["even"], "odd") == Binding("function", "odd.odd")
    assert resolver.name(sources["odd"], "even") == Binding("function", "even.even")


def test_stars_bring_along_what_the_module_exports() -> None:
    texts = {
        "main": "from listed import *\nfrom plain import *",
        "listed": "__all__ = ['_shown']\ndef _shown(x): pass\ndef other(x): pass",
        "plain": "def visible(x): pass\ndef _private(x): pass",
    }
    assert meaning("_shown", **texts) == ("function", "listed._shown")
    assert meaning("other", **texts) == ("missing", "other")
    assert meaning("visible", **texts) == ("function", "plain.visible")
    assert meaning("_private", **texts) == ("missing", "_private")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from a import f\nfrom b import *", ("function", "b.f")),
        ("def f(x): pass\nfrom b import *", ("function", "b.f")),
        ("f = None\nfrom b import *", ("function", "b.f")),
        (
            "if x:\n    from a import f\ntry:\n    from b import *\nexcept ImportError:\n    pass",
            ("function", "b.f"),
        ),
        ("from b import *\nfrom a import f", ("function", "a.f")),
        ("from a import f\nfrom b import *\ndef f(x): pass", ("function", "main.f")),
        ("from a import f\nfrom b import *\nfrom a import *", ("function", "a.f")),
        ("from a import f\nfrom quiet import *", ("function", "a.f")),
        ("from a import f\nfrom numpy import *", ("function", "a.f")),
    ],
)
def test_a_star_binds_again_what_stands_before_it(text: str, expected: tuple[str, str]) -> None:
    texts = {
        "a": "def f(x): pass",
        "b": "if True:\n    def f(x): pass",
        "quiet": "__all__ = ['g']\ndef f(x): pass\ndef g(x): pass",
    }
    assert meaning("f", main=text, **texts) == expected


def test_stars_lead_through_modules_to_foreign_ones() -> None:
    texts = {"main": "from mine import *", "mine": "from main import *\nfrom numpy import *"}
    assert meaning("tanh", **texts) == ("value", "numpy.tanh")
    assert meaning("sum", **texts) == ("value", "numpy.sum")


def test_a_compiled_module_in_a_users_package_is_foreign() -> None:
    texts = {"main": "from pkg import fast", "pkg__": "from . import _fast as fast"}
    assert meaning("fast", **texts) == ("module", "pkg._fast")
    assert meaning("fast.solve", **texts) == ("value", "pkg._fast.solve")
    assert meaning("g", main="from plain import g", plain="") == ("missing", "plain.g")


@pytest.mark.parametrize(
    "text",
    [
        "globals().update(vars(other))",
        "exec('def f(x): return x')",
        "setattr(sys.modules[__name__], 'f', 1)",
        "def __getattr__(name): return 1",
    ],
)
def test_a_module_that_makes_names_may_have_any(text: str) -> None:
    texts = {"main": f"import mine\n{text}", "mine": text}
    assert meaning("f", **texts) == ("value", "main.f")
    assert meaning("mine.f", **texts) == ("value", "mine.f")


def test_attributes_of_a_users_value_are_not_known() -> None:
    texts = {"main": "import settings", "settings": "config = load()"}
    assert meaning("settings.config", **texts) == ("value", "settings.config")
    assert meaning("settings.config.rate", **texts) == ("missing", "settings.config.rate")


def test_modules_in_a_folder_that_is_no_package_are_found() -> None:
    texts = {
        "main": "import tools.math_\nfrom tools import math_ as m",
        "tools__math_": "def f(): 1",
    }
    assert meaning("tools.math_.f", **texts) == ("function", "tools.math_.f")
    assert meaning("m.f", **texts) == ("function", "tools.math_.f")


def test_the_last_definition_of_a_name_counts() -> None:
    resolver, _ = program(
        main="""
        def f(x):
            return 1

        if True:
            def f(x):
                def inner(y):
                    return y
                return 2
        async def later(x):
            return 3
        """
    )
    found = resolver.definition("main.f")
    assert found is not None
    assert (found.node.lineno, found.dotted, found.source.path) == (6, "main.f", "main.py")
    for nothing in ("main.inner", "main.later", "main.nothing", "numpy.tanh", "main", ""):
        assert resolver.definition(nothing) is None


def test_definitions_are_found_through_re_exports() -> None:
    resolver, _ = program(pkg__="from .losses import loss", pkg__losses="def loss(x): pass")
    found = resolver.definition("pkg.loss")
    assert found is not None
    assert found.dotted == "pkg.losses.loss"


def test_the_functions_of_a_module_come_in_order() -> None:
    text = "def b(): 1\nif x:\n    def c(): 2\ndef a(): 3\nasync def d(): 4\ndef b(): 5\nb = 1\n"
    module, _ = modules.parse(Source("a.py", "a", text))
    assert module is not None
    found = [(each.tree.name, each.tree.lineno) for each in module.functions]
    assert found == [("c", 3), ("a", 4)]


def test_functions_are_found_by_name_and_line() -> None:
    text = (
        "@a\n@b(\n    1)\ndef f(x):\n    def g(y):\n        return y\n    return g\ndef f(z): 1\n"
    )
    module, _ = modules.parse(Source("a.py", "a", text))
    assert module is not None
    lines = {line: module.function_at("f", line) for line in range(1, 9)}
    assert [line for line, node in lines.items() if node is not None] == [1, 4, 8]
    inner = module.function_at("g", 5)
    assert inner is not None
    assert (inner.tree.name, inner.tree.lineno) == ("g", 5)
    assert module.function_at("f", 5) is None


def test_a_text_is_parsed_once() -> None:
    parsed = []

    def read(source: Source):
        parsed.append(source.module)
        return modules.parse(source)

    first = Source("a.py", "a", "def f(x): pass")
    resolver = StaticResolver({"a": first}.get)
    module, _ = resolver.parsed(first)
    assert resolver.parsed(Source("a.py", "a", "def f(x): pass"))[0] is module
    assert StaticResolver({"a": first}.get, read).definition("a.f") is not None
    assert parsed
    assert set(parsed) == {"a"}


def problem(text: str) -> tuple[str, tuple[int, int, int, int]]:
    _, (found,) = modules.parse(Source("a.py", "a", text))
    span = found.span
    return found.finding.text(), (span.line, span.column, span.end_line, span.end_column)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("def f(:\n pass", "invalid syntax", (1, 7, 1, 8)),
        ("x = 1\ny = 'é' +* 2\n", "invalid syntax", (2, 10, 2, 11)),
        ("\ufeffx = 1\ny = = 2", "invalid syntax", (2, 5, 2, 6)),
        ("\r\nx = = 2\r\n", "invalid syntax", (2, 5, 2, 6)),
        ("\rx = = 2\r", "invalid syntax", (2, 5, 2, 6)),
        ("\fx = = 2", "invalid syntax", (1, 6, 1, 7)),
        ("x = 1\ny = 'a\0b'", "null byte", (2, 7, 2, 8)),
        ("x = '\ud800'", "lone surrogate", (1, 6, 1, 7)),
        ("# -*- coding: nonesuch -*-\n", "unknown encoding: nonesuch", (1, 15, 1, 23)),
        ("#!python\n# coding=nonesuch\n", "unknown encoding: nonesuch", (2, 10, 2, 18)),
        (
            "x = 1\ny = '\udce9'",
            "the byte 0xe9 is not valid in the encoding of the file",
            (2, 6, 2, 7),
        ),
        ("y = 1\nx = " + "-" * 100000 + "1", "nested too deeply", (2, 1, 2, 100006)),
    ],
)
def test_syntax_errors_have_a_place(
    text: str, message: str, place: tuple[int, int, int, int]
) -> None:
    assert problem(text) == (f"syntax error: {message}", place)


@pytest.mark.parametrize(
    "text", ["x = (1,\n", "s = '''abc\n", "if x:\n", "def f():\n\tx\n        y"]
)
def test_places_lie_in_the_text(text: str) -> None:
    _, (line, column, end_line, end_column) = problem(text)
    lines = text.split("\n")
    assert (line, column) <= (end_line, end_column)
    assert 1 <= line <= end_line <= len(lines)
    assert 1 <= column <= len(lines[line - 1]) + 1
    assert 1 <= end_column <= len(lines[end_line - 1]) + 1


@pytest.mark.parametrize(
    "text",
    [
        "# coding: latin-1",
        "x = 1\n# coding: nonesuch",
        "",
        "\ufeff",
        "\n",
        "# nothing\n",
        "\f\n",
        "x = 1\r\ny = 2\r\n",
    ],
)
def test_unusual_texts_are_fine(text: str) -> None:
    module, found = modules.parse(Source("a.py", "a", text))
    assert module is not None
    assert found == ()


@pytest.mark.parametrize(
    "broken",
    [
        "def broken(x:\n    return x\n",
        "@wrap\n@wrap(\n    1)\ndef broken(x):\n    return x +\n",
        "def broken(x):\n    y = (x\n    return y\n)\n",
        "def broken(x):\n    if x:\n    return x\n",
        "def broken(x):\n    return '''x\n",
        "def broken(x):\n    return '\0'\n",
        "def broken(x):\n    return " + "-" * 100000 + "1\n",
    ],
)
def test_a_broken_function_does_not_hide_the_others(broken: str) -> None:
    before = "import numpy as np\n\n@mark\ndef first(x):\n    return x\n\n"
    after = "\n@mark\ndef second(x):\n    return x\n"
    source = Source("a.py", "a", before + broken + after)
    resolver = StaticResolver({"a": source}.get)
    _, found = resolver.parsed(source)
    assert [type(f.finding).code for f in found] == ["AD100"]
    for name in ("first", "second"):
        definition = resolver.definition(f"a.{name}")
        assert definition is not None
        assert source.lines[definition.node.lineno - 1] == f"def {name}(x):"
    assert resolver.name(source, "broken") == Binding("function", "a.broken")
    assert resolver.definition("a.broken") is None


def test_names_of_a_broken_import_are_not_reported_as_missing() -> None:
    source = Source("a.py", "a", "from numpy import (tanh, sin\n\nclass C(\n  x\n\ny = 1\n")
    resolver = StaticResolver({"a": source}.get)
    assert resolver.name(source, "sin") == Binding("value", "a.sin")
    assert resolver.name(source, "y") == Binding("value", "a.y")
    assert len(resolver.parsed(source)[1]) == 1


def test_parsing_shows_no_warning_of_python() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module, found = modules.parse(Source("a.py", "a", "x = '\\d'\n"))
    assert module is not None
    assert found == ()


def test_a_text_that_is_broken_all_over_gives_one_error() -> None:
    text = "\n".join("def f(:\n    pass" for _ in range(20))
    module, found = modules.parse(Source("a.py", "a", text))
    assert module is None
    assert [f.span.line for f in found] == [1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("g = lru_cache(f)", "main.f"),
        ("g = lru_cache(maxsize=None)(f)", "main.f"),
        ("h = lru_cache(f)\ng = lru_cache(h)", "main.f"),
        ("def g(x): return 2 * x\ng = lru_cache(g)", "main.g"),
        ("def g(x): return 2 * x\ng = lru_cache(f)", None),
        ("def g(x): return 2 * x\ng = double(g)", None),
        ("g = double(f)", None),
        ("g = lru_cache(h)\nh = lru_cache(g)", None),
        ("g = lru_cache(g)", None),
        ("g = lru_cache(f)\ng = lru_cache(f)", None),
    ],
)
def test_a_name_for_a_function_in_a_cache(text: str, expected: str | None) -> None:
    shared = "from functools import lru_cache\ndef f(x): return x\ndef double(f): return 2\n"
    resolver, _ = program(main=shared + text)
    found = resolver.definition("main.g")
    assert (None if found is None else found.dotted) == expected
