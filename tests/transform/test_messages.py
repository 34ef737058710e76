"""What findings say: in the user's own names, with where a variable became active."""

from __future__ import annotations

import textwrap

import pytest

from adlsp.transform import engine
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.source import Source


def findings(body: str, signature: str = "x, y", before: str = "") -> tuple[Diagnostic, ...]:
    """The findings of a function with respect to all its parameters."""
    text = f"import numpy as np\n{before}\ndef f({signature}):\n{textwrap.indent(body, '    ')}\n"
    source = Source("case.py", "case", text)
    resolver = StaticResolver({"case": source}.get)
    return engine.check(source, resolver, all_functions=True)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return nump.tanh(x)", "AD101 `nump.tanh` is not defined"),
        ("return np.i0(x)", "AD103 `numpy.i0` has no derivative rule"),
        (
            "return np.exp(x, where=y)",
            "AD104 the derivative rule of `exp` does not support the argument `where`",
        ),
        ("g = lambda v: v * x\nreturn y", ""),
        (
            "def g(v):\n    return v * x\nreturn g(y)",
            "AD201 `g` is a closure over the active variable `x`",
        ),
        (
            "if y > 0:\n    def g(v):\n        return v\n"
            "else:\n    def g(v):\n        return 2 * v\nreturn g(y)",
            "AD202 `g` is not at the top level of a module: move it there",
        ),
        (
            "n = 0\ndef g(v):\n    nonlocal n\n    n += 1\n    return n * v\nreturn g(y)",
            "AD202 `g` binds `n`, a variable of the function around it: let it return the value",
        ),
        ("return x.weight", "AD203 `x.weight` is an attribute of an object"),
        (
            "rows = [x, y]\nrows.pop()[0] = 3.0\nreturn rows[0]",
            "AD303 writing to `rows.pop()` also changes `rows`, which shares its memory",
        ),
        (
            "z = x * y\nz[:, 0][z[:, 1] > 0] = 3.0\nreturn z",
            "AD303 writing to `z[:, 0]` also changes `z`, which shares its memory",
        ),
        (
            "z = x * y\nz.reshape(-1)[0] = 3.0\nreturn z",
            "AD303 writing to `z.reshape(-1)` also changes `z`, which shares its memory",
        ),
        (
            "z = x * y\n(z if True else y)[0] = 3.0\nreturn z",
            "AD303 writing to `z if True else y` also changes `z`, which shares its memory",
        ),
        (
            "[x * y][0][0] = 3.0\nreturn x",
            "AD303 writing to `[x * y][0]` also changes `x`, which shares its memory",
        ),
        (
            "o = np.arange(3.0)\nc = o.byteswap(True).byteswap(True)\nreturn x * c * o",
            "AD303 writing to `o.byteswap(True)` also changes `o`, which shares its memory",
        ),
        ("return x(y)", "AD204 `x` is a function held in a variable"),
        (
            "return np.frompyfunc(abs, 1, 1)(y)",
            "AD204 `np.frompyfunc(abs, 1, 1)` is a function that is known only when the program "
            "runs",
        ),
        (
            "return (lambda v, k=abs(1): v)(y)",
            "AD202 `lambda v, k=abs(1): v` is not at the top level of a module: write it there "
            "with `def`",
        ),
        ("return x[0].part(y)", "AD203 `x[0].part` is an attribute of an object"),
        (
            "return np.arctan(x, y)",
            "AD104 the derivative rule of `arctan` does not support the argument `out`",
        ),
        (
            "return np.trace(x, 0, 0, 1, None, None, y)",
            "AD104 the derivative rule of `trace` does not support the argument number 5",
        ),
        ("return {0: v for v in x}[0]", ""),
        ("return max({v for v in x})", "AD205 set comprehension cannot be differentiated"),
        ("with x:\n    y = x * y\nreturn y", "AD205 with cannot be differentiated"),
        (
            "z = x * 2.0\nnp.add(z, y, out=z)\nreturn z",
            "AD301 `np.add` writes its result into `z` through `out=`",
        ),
        (
            "x[0] = y",
            "AD302 `f` changes its parameter `x` in place and does not return it: "
            "name it in `outputs`",
        ),
        (
            "z = np.zeros((2, 2))\nw = z.T\nw[0, 0] = x\nreturn np.sum(z) + y",
            "AD303 writing to `w` also changes `z`, which shares its memory",
        ),
        (
            "z = [y]\nw = z\nz.insert(0, x)\nreturn w[0] * y",
            "AD304 `z` holds active values and is changed in place",
        ),
        (
            "try:\n    z = x / y\nexcept ValueError:\n    z = x\nreturn z",
            "AD401 `try` around active computation cannot be reversed",
        ),
        (
            "while True:\n    x = x * y\n    break\nreturn x",
            "AD402 `break` leaves a loop with active computation",
        ),
    ],
)
def test_messages(body: str, expected: str) -> None:
    told = [f"{one.code} {one.message}" for one in findings(body)]
    assert "\n".join(told) == expected


def test_where_a_variable_became_active() -> None:
    (found,) = findings("z = x * y\nw = np.sin(z)\nreturn w.weight")
    told = [(one.span.line, one.message) for one in found.related]
    assert told[0] == (5, "`w` became active here")
    assert told[1] == (4, "`z` became active here")


def test_the_function_that_a_finding_is_in_is_named() -> None:
    before = "def g(v):\n    return v.weight\n"
    made = findings("return g(x) * y", before=before)
    assert {(one.code, one.function) for one in made} == {("AD203", "g")}


def test_a_finding_of_a_function_that_two_roots_call_is_told_once() -> None:
    text = """
        def g(v):
            return v.weight


        def f(x):
            return g(x)


        def h(x):
            return g(x) * 2.0
    """
    source = Source("case.py", "case", textwrap.dedent(text))
    resolver = StaticResolver({"case": source}.get)
    assert len(engine.check(source, resolver, all_functions=True)) == 1


def test_a_finding_may_span_lines() -> None:
    (found,) = findings("return max({\n    v * v\n    for v in x\n}) * y")
    span = found.span
    assert (span.line, span.column, span.end_line, span.end_column) == (4, 16, 7, 6)


def test_the_fix_for_a_function_that_returns_nothing_returns_what_it_changes() -> None:
    (found,) = findings("x[0] = y")
    assert found.fix is not None
    (edit,) = found.fix.edits
    assert edit.text == "\n    return x"
    assert (edit.span.line, edit.span.column) == (4, 13)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_places_do_not_depend_on_the_ends_of_lines(ending: str) -> None:
    text = 'def f(x):\n\té = "ü"; y = x\n\treturn y.weight\n'.replace("\n", ending)
    source = Source("case.py", "case", text)
    resolver = StaticResolver({"case": source}.get)
    (found,) = engine.check(source, resolver, all_functions=True)
    assert (found.span.line, found.span.column, found.span.end_column) == (3, 9, 17)
    assert found.related[0].span.column == 11


def test_a_variable_of_a_module_that_holds_a_function_is_named() -> None:
    before = "def make():\n    return abs, max\n\nheld, other = make()\n"
    (found,) = findings("return held(x) + y", before=before)
    assert (found.code, found.message) == ("AD204", "`held` is a function held in a variable")


def test_what_a_function_cannot_bind_is_not_said_to_be_of_a_rule() -> None:
    (found,) = findings("return x * 2.0", signature="x, g=lambda v: v")
    assert found.message == "the derivative of `f` does not support the argument `g=lambda v: v`"


@pytest.mark.parametrize(
    ("body", "influence"),
    [
        (
            "return np.sum(np.round(x)) + y",
            "`x` influences the result of `f` only through `np.round(x)`, "
            "of which the derivative is zero",
        ),
        (
            "best = np.argmax(x)\nreturn np.mean(best == y) + y",
            "`x` influences the result of `f` only through `np.argmax(x)`, "
            "of which the derivative is zero",
        ),
        (
            "return np.sum(x.astype(int) // 2) + y",
            "`x` influences the result of `f` only through `x.astype(int)`, "
            "of which the derivative is zero",
        ),
        ("np.round(x)\nreturn y", "`x` does not influence the result of `f`"),
        ("return y", "`x` does not influence the result of `f`"),
    ],
)
def test_where_the_influence_of_an_input_ends_is_told(body: str, influence: str) -> None:
    text = f"import adlsp\nimport numpy as np\ndef f(x, y):\n{textwrap.indent(body, '    ')}\n"
    source = Source("case.py", "case", f"{text}adlsp.grad(f, ('x', 'y'))\n")
    every = engine.check(source, StaticResolver({"case": source}.get))
    (found,) = (one for one in every if one.code != "AD501")
    assert (found.code, found.message) == ("AD502", influence)
