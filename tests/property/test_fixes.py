"""Fixes keep what programs compute: those that were seen to change it, and random ones.

`ADLSP_PROPERTY_PROGRAMS` sets how many random ones are tried, `ADLSP_PROPERTY_FIRST` the first.
"""

import os
from collections import Counter

import fixable_programs
import numpy as np
import pytest
import shrinking
from fixing import LAST_DIGIT, Call, ChangedError, check_fixes, is_same, outcome, repaired

from adlsp.lint import fix
from adlsp.transform.ops import records

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "24"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

EXACT = sorted(name for name, said in records.SAID.items() if said.fills_exactly)

HEADER = "import numpy as np\n\nimport adlsp\n\n\n"
X = np.array([1.0, -2.0, 3.0])


def program(*bodies: str) -> str:
    """A module whose functions take `x`, or what their text says, and are differentiated."""
    lines = [line for number, body in enumerate(bodies) for line in _function(number, body)]
    return HEADER + "\n".join(lines)


def _function(number: int, body: str) -> list[str]:
    header, separator, rest = body.partition(" -> ")
    parameters, text = (header, rest) if separator else ("x", body)
    indented = [f"    {line}".rstrip() for line in text.strip("\n").split("\n")]
    return ["@adlsp.differentiable", f"def f{number}({parameters}):", *indented, "", ""]


SAFE = {
    "the buffer is as long as before": (
        "y = np.zeros(3)\nnp.add(x, 1, out=y)\nreturn np.sum(y)",
        (2.0,),
        "y[...] = np.add(x, 1)",
    ),
    "the buffer is a part of another": (
        "buf = np.zeros((2, 3))\nrow = buf[0]\nnp.multiply(x, 2.0, out=row)\nreturn np.sum(buf)",
        (X,),
        "row[...] = np.multiply(x, 2.0)",
    ),
    "the buffer is among the operands": (
        "a = x * 1.0\nnp.add(a[1:], a[:-1], out=a[1:])\nreturn np.sum(a)",
        (X,),
        "a[1:] = np.add(a[1:], a[:-1])",
    ),
    "the buffer has fewer digits": (
        "y = np.zeros(3, dtype=np.float32)\nnp.exp(x, out=y)\nreturn np.sum(y)",
        (X,),
        "y[...] = np.exp(x)",
    ),
    "rows one after the other": (
        "y = np.zeros((2, 3))\nfor i in range(2):\n    np.add(x, i, out=y[i, :])\nreturn np.sum(y)",
        (X,),
        "    y[i, :] = np.add(x, i)",
    ),
    "over several lines": (
        "y = np.tanh(x)\nnp.maximum(\n    y,\n    (0.0),\n    out=(y),\n)\nreturn np.sum(y)",
        (X,),
        "y[...] = np.maximum(\n    ",
    ),
    "a tuple of one": (
        "y = np.tanh(x)\nnp.maximum(y, 0.0, out=(y,))\nreturn np.sum(y)",
        (X,),
        "y[...] = np.maximum(y, 0.0)",
    ),
    "a closure": (
        "s = np.sum(x)\n\ndef inner(v):\n    return v * s\n\nreturn inner(3.0)",
        (X,),
        "return inner(3.0, s=s)",
    ),
    "a closure called in many ways": (
        "s = np.sum(x)\n\ndef inner(\n    v,\n    u,  # two\n):\n    return v * s + u\n\n"
        "return inner(u=inner(1.0, 2.0,), v=inner(*(1.0, 2.0)))",
        (X,),
        "return inner(u=inner(1.0, 2.0, s=s), v=inner(*(1.0, 2.0), s=s), s=s)",
    ),
    "a closure over what both branches bind": (
        "if x[0] > 0:\n    s = np.sum(x)\nelse:\n    s = 2.0\n\ndef inner():\n    return s\n\n"
        "s = s * 2\nreturn inner() + sum([inner() for i in range(2)])",
        (X,),
        "return inner(s=s) + sum([inner(s=s) for i in range(2)])",
    ),
}
"""Programs that a safe fix repairs: what they were, what they are called with, a line of then."""


@pytest.mark.parametrize("name", SAFE)
def test_a_safe_fix_keeps_what_is_computed(name: str) -> None:
    body, arguments, expected = SAFE[name]
    text = program(body)
    after = repaired(text, fix.is_safe)
    assert after.n_fixed == 1
    assert not after.codes
    assert expected in after.text.replace("\n    ", "\n")
    before = outcome(text, "f0", arguments)
    assert before is not None
    assert is_same(before, outcome(after.text, "f0", arguments))


UNSAFE = {
    "a buffer of the caller": (
        "x, y -> np.add(x, 1, out=y)\nreturn np.sum(y)",
        (X, np.zeros(3)),
        "y[...] = np.add(x, 1)",
    ),
    "a buffer that may hold integers": (
        "y = x + x\nnp.add(x, 1, out=y)\nreturn np.sum(y)",
        (X,),
        "y[...] = np.add(x, 1)",
    ),
    "a sum": (
        "y = np.zeros(3)\nnp.sum(np.outer(x, x), axis=0, out=y)\nreturn np.sum(y)",
        (X,),
        "y[...] = np.sum(np.outer(x, x), axis=0)",
    ),
    "a method": (
        "y = np.zeros(3)\nx.clip(-1, 1, out=y)\nreturn np.sum(y)",
        (X,),
        "y[...] = x.clip(-1, 1)",
    ),
    "an element of a list": (
        "ys = [np.zeros(3), x * 2.0]\nnp.add(x, 1, out=ys[0])\nreturn np.sum(ys[0])",
        (X,),
        "ys[0][...] = np.add(x, 1)",
    ),
}
"""Programs that are repaired when it is asked for, and are the same at these arguments."""


@pytest.mark.parametrize("name", UNSAFE)
def test_a_fix_that_is_not_surely_the_same_is_unsafe(name: str) -> None:
    body, arguments, expected = UNSAFE[name]
    text = program(body)
    assert repaired(text, fix.is_safe).text == text
    after = repaired(text, fix.is_any)
    assert after.n_fixed == 1
    assert "AD301" not in after.codes
    assert expected in after.text
    before = outcome(text, "f0", arguments)
    assert before is not None
    assert is_same(before, outcome(after.text, "f0", arguments))


LEFT = {
    "where": "y = np.ones(3)\nnp.divide(1.0, x, out=y, where=x > 0)\nreturn np.sum(y)",
    "the result is a value": "y = np.zeros(3)\nz = np.add(x, 1, out=y)\nreturn np.sum(z)",
    "behind the operands": "y = np.zeros(3)\nnp.add(x, 1, y)\nreturn np.sum(y)",
    "two buffers": "a = x * 2.0\nb = x * 3.0\nnp.modf(x, out=(a, b))\nreturn np.sum(a)",
    "overlapping parts": "a = x * 2.0\nnp.concatenate([a[1:], a[:1]], out=a)\nreturn np.sum(a)",
    "as many as there is room for": (
        "x, rng -> y = x * 2.0\nrng.random(out=y)\nreturn np.sum(x * y)"
    ),
    "a comment would go": (
        "y = x * 2.0\nnp.add(\n    x,  # one\n    1,  # two\n    out=y,\n)\nreturn y"
    ),
    "in parentheses": "y = x * 2.0\n(np.add(x, 1, out=y))\nreturn np.sum(y)",
    "another variable of that name": (
        "s = np.sum(x)\n\ndef inner(v):\n    return v * s\n\n"
        "return sum([inner(3.0) for s in (1.0, 2.0)]) + s"
    ),
    "another parameter of that name": (
        "s = np.sum(x)\n\ndef inner(v):\n    return v * s\n\nreturn (lambda s: inner(s))(2.0)"
    ),
    "a variable that may not be bound": (
        "if x[0] > 5:\n    s = np.sum(x)\n\n"
        "def inner(v):\n    return v * s if v > 0 else v\n\nreturn inner(-3.0) * x[0]"
    ),
    "a function that is passed on": (
        "s = np.sum(x)\n\ndef inner(v):\n    return v * s\n\nreturn sum(map(inner, [1.0]))"
    ),
    "two functions of one name": (
        "s = np.sum(x)\nif s > 0:\n    def inner(v):\n        return v * s\n    t = 1\nelse:\n"
        "    def inner(v):\n        return v + s\n    t = 2\nreturn inner(1.0)"
    ),
    "a text over several lines": (
        's = np.sum(x)\n\ndef inner(v):\n    print(f"""\n    {v}""")\n    return v * s\n\n'
        "return inner(1.0)"
    ),
    "the only statement of a block": (
        "s = np.sum(x)\nif s > 0:\n    def inner(v):\n        return v * s\nreturn inner(1.0)"
    ),
    "a module imported in the function": (
        "import math\ns = np.sum(x)\n\ndef inner(v):\n    return v * s * math.pi\n\n"
        "return inner(1.0)"
    ),
    "a default": "s = np.sum(x)\n\ndef inner(v=s):\n    return v * s\n\nreturn inner()",
    "a look at the variables": (
        "s = np.sum(x)\n\ndef inner(v):\n    return v * s\n\nreturn inner(1.0) * len(locals())"
    ),
    "a generator as argument": (
        "s = np.sum(x)\n\ndef inner(v):\n    return sum(v) * s\n\nreturn inner(i for i in [1.0])"
    ),
}
"""Programs that have findings, and no fix that surely does the same."""


@pytest.mark.parametrize("name", LEFT)
def test_what_cannot_be_repaired_is_left(name: str) -> None:
    text = program(LEFT[name])
    after = repaired(text, fix.is_any)
    assert after.text == text
    assert after.codes


def test_closures_of_one_run_get_names_of_their_own() -> None:
    body = "s = np.sum(x)\n\ndef inner(v):\n    return v {} s\n\nreturn inner(3.0)"
    text = program(*(body.format(sign) for sign in "*+-"))
    after = repaired(text, fix.is_safe)
    assert after.n_fixed == 3
    for name in ("f0", "f1", "f2"):
        before = outcome(text, name, (X,))
        assert before is not None
        assert is_same(before, outcome(after.text, name, (X,)))
    assert [name in after.text for name in ("def inner(", "def f1_inner(", "def f2_inner(")]


def test_a_closure_does_not_take_the_name_of_a_builtin_or_of_the_module() -> None:
    body = "s = np.sum(x)\n\ndef {}(v):\n    return v * s\n\nreturn {}(3.0)"
    for name in ("sum", "f0", "np_sum"):
        text = program(body.format(name, name)) + "np_sum = np.sum\n"
        after = repaired(text, fix.is_safe)
        assert after.n_fixed == 1
        assert f"def f0_{name}(v, s):\n" in after.text
        assert is_same(outcome(text, "f0", (X,)), outcome(after.text, "f0", (X,)))


def test_where_any_name_may_mean_something_nothing_moves_out() -> None:
    text = program(SAFE["a closure"][0]).replace("import adlsp", "import adlsp\nfrom math import *")
    assert repaired(text, fix.is_any).text == text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x[0] = 2.0 * x[0]", "    return x\n"),
        ("x[0] = 2.0 * x[0]  # twice\nreturn", "    return x\n"),
        ("for i in range(2):\n    x[i] = 2.0  # two", "        x[i] = 2.0  # two\n    return x\n"),
        ("x, y -> x[0] = 2.0 * y[0]\ny[0] = x[0]", "    return x, y\n"),
    ],
)
def test_returning_what_is_changed_is_unsafe(body: str, expected: str) -> None:
    text = program(body)
    assert repaired(text, fix.is_safe).text == text
    after = repaired(text, fix.is_any)
    assert expected in after.text
    assert after.text.count("return") == 1
    assert "AD302" not in after.codes


def test_a_return_is_not_put_where_it_breaks_the_text() -> None:
    text = HEADER + "@adlsp.differentiable\ndef f0(x): x[0] = 2.0 * x[0]\n"
    assert repaired(text, fix.is_any).text == text


@pytest.mark.parametrize("name", EXACT)
def test_storing_is_the_same_where_memory_is_shared(name: str) -> None:
    function = getattr(np, name.removeprefix("numpy."))
    n_operands = {"clip": 3, "dot": 2}.get(function.__name__) or function.nin
    for taking in (slice(0, 3), slice(1, 4), slice(2, 5)):
        taken = np.random.default_rng(2).uniform(0.1, 0.9, (5, 3))
        stored = taken.copy()
        for memory, is_store in ((taken, False), (stored, True)):
            operands = [memory[0:3], memory[1:4], memory[2:5]][:n_operands]
            with np.errstate(all="ignore"):
                if is_store:
                    memory[taking] = function(*operands)
                else:
                    function(*operands, out=memory[taking])
        assert np.allclose(taken, stored, LAST_DIGIT, 0, equal_nan=True)


def samples(dtype: type) -> list[np.ndarray]:
    random = np.random.default_rng(1)
    if dtype is bool:
        return [random.uniform(size=(3, 3)) > 0.5 for _ in range(2)]
    return [random.uniform(1.0, 4.0, (3, 3)).astype(dtype) for _ in range(2)]


TYPES = [bool, np.int8, np.int64, np.float16, np.float32, np.float64, np.complex64, np.complex128]


@pytest.mark.parametrize("name", EXACT)
def test_storing_is_the_same_as_out(name: str) -> None:
    """Wherever `out=` raises no error, for each pair of types: what the safe fix rests on."""
    function = getattr(np, name.removeprefix("numpy."))
    n_operands = {"clip": 3, "dot": 2}.get(function.__name__) or function.nin
    n_compared = 0
    for dtype in TYPES:
        operands = [*samples(dtype), np.full((3, 3), 3, dtype)][:n_operands]
        for taking in TYPES:
            taken, stored = np.zeros((3, 3), taking), np.zeros((3, 3), taking)
            try:
                with np.errstate(all="ignore"):
                    function(*operands, out=taken)
                    stored[...] = function(*operands)
            except (TypeError, ValueError):
                continue
            n_compared += 1
            assert np.array_equal(taken, stored, equal_nan=True), (dtype, taking)
    assert n_compared


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_a_random_program_computes_the_same(seed: int) -> None:
    written = fixable_programs.write(seed)
    try:
        check_fixes(written.text, written.calls)
    except ChangedError as error:
        pytest.fail(report(written.text, written.calls, error))


def test_random_programs_are_repaired_and_run() -> None:
    counts: Counter[str] = Counter()
    for seed in range(12):
        written = fixable_programs.write(seed)
        counts += check_fixes(written.text, written.calls)
    assert min(counts[k] for k in ("safe", "unsafe", "safe runs", "unsafe runs")) > 5, counts


def report(text: str, calls: tuple[Call, ...], error: ChangedError) -> str:
    """What is changed, for the smallest program found that is changed in the same way."""

    def failure(text: str) -> ChangedError | None:
        try:
            check_fixes(text, calls)
        except ChangedError as found:
            return found
        except Exception:  # the smaller text is no program
            return None
        return None

    def is_alike(text: str) -> bool:
        found = failure(text)
        return found is not None and found.kind == error.kind

    small = shrinking.shrink(text, is_alike, budget=200)
    return f"{small}\n\n{failure(small) or error}"
