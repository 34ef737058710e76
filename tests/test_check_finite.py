"""`check_finite`: where a derivative first goes wrong, raised; and nothing of it otherwise."""

from __future__ import annotations

import ast
import concurrent.futures
import math
import threading
import warnings

import numpy as np
import pytest

import adlsp
from adlsp.library import watching
from adlsp.runtime import finite, hook
from adlsp.transform.emit import parts, watched

pytestmark = pytest.mark.usefixtures("nothing_watched")

WEIGHTS = np.array([1.0, np.nan])
ZERO = np.array([1.0, 0.0, 4.0])


def root(x):
    r = np.sqrt(x)
    return np.sum(r)


def logarithm(x):
    s = np.abs(x)
    y = np.log(s)
    return np.sum(y)


def chosen(x):
    return np.sum(np.where(x > 0, np.log(x), 0.0))


def grows(u, n):
    for _ in range(n):
        u[1:] += u[1:] * u[1:]
    return np.sum(u)


def attention(x, seen):
    z = np.where(seen, x, -np.inf)
    e = np.exp(z - np.max(z))
    return np.sum(e * e)


def weighted(x):
    return np.sum(WEIGHTS * x)


def summed(x):
    total = np.zeros(2)
    total[0] = x[0] * 1e308
    total[0] += x[0] * 1e308
    return np.sum(total * total)


def dense(h, w):
    return np.log(h @ w)


def deep(h, w):
    for _ in range(3):
        h = dense(h, w)
    return np.sum(h)


def number(x):
    y = x * 1e200
    return y * y


def scaled(x, *, by=1.0):
    return np.sum(x * by)


def outer(scale):
    def inner(x):
        return np.sum(np.log(x * scale))

    return inner


def complaint(derivative, *args, **kwargs):
    """What is raised, line by line."""
    with (
        np.errstate(all="ignore"),
        adlsp.check_finite(),
        pytest.raises(FloatingPointError) as raised,
    ):
        derivative(*args, **kwargs)
    return str(raised.value).split("\n")


def line_of(text):
    """The line of this file that has a text first."""
    with open(__file__, encoding="utf-8") as file:
        return next(n for n, line in enumerate(file, 1) if line.strip() == text)


def at(sweep, text):
    return f"{sweep} of test_check_finite.py:{line_of(text)}: "


@pytest.mark.parametrize(
    ("f", "args", "place", "what"),
    [
        (logarithm, (ZERO,), ("forward", "y = np.log(s)"), "`np.log(s)` gives 1 of 3 infinite"),
        (root, (-ZERO,), ("forward", "r = np.sqrt(x)"), "`np.sqrt(x)` gives 2 of 3 NaN"),
        (deep, (np.eye(2), np.eye(2)), ("forward", "return np.log(h @ w)"), "2 of 4 infinite"),
        (number, (1e200,), ("forward", "y = x * 1e200"), "`x * 1e+200` gives inf"),
        (number, (1e-100,), None, ""),
        (weighted, (np.ones(2),), ("forward", "return np.sum(WEIGHTS * x)"), "is bad already"),
        (
            root,
            (np.array([1.0, np.inf]),),
            ("forward", "def root(x):"),
            "`x`, an argument of root_grad, arrives bad: 1 of 2 infinite, first at [1]",
        ),
        (outer(np.zeros(2)), (np.ones(2),), ("forward", "return np.sum(np.log(x * scale))"), "log"),
        (
            attention,
            (ZERO, np.array([False] * 3)),
            ("forward", "e = np.exp(z - np.max(z))"),
            "gives 3 of 3 NaN",
        ),
        (attention, (ZERO, np.array([True, False, True])), None, ""),
        (scaled, (np.ones(2, np.float32),), None, ""),
        (scaled, (np.array([1.0, np.nan], np.float32),), ("forward", ""), "1 of 2 NaN"),
    ],
)
def test_the_first_operation_that_goes_wrong(f, args, place, what):
    derivative = adlsp.value_and_grad(f)
    if place is None:
        with adlsp.check_finite():
            assert np.all(np.isfinite(derivative(*args)[1]))
        return
    headline = complaint(derivative, *args)[0].replace("_value_and", "")
    assert headline.startswith(at(*place) if place[1] else place[0])
    assert what in headline


def test_an_adjoint_and_what_it_was_made_of():
    headline, primal, *operands = complaint(adlsp.grad(root), ZERO)
    assert headline.startswith(at("backward", "r = np.sqrt(x)"))
    assert headline.endswith("gives 1 of 3 infinite, first at [1]")
    assert primal == "  for `r = np.sqrt(x)`"
    assert "  2 * r is (3,) float64, 0 to 4, 0 there" in operands


def test_the_forward_cause_of_a_bad_adjoint():
    """The logarithm is told of with the NaN, where what is infinite is not looked for."""
    with (
        np.errstate(all="ignore"),
        adlsp.check_finite(inf=False),
        pytest.raises(FloatingPointError) as raised,
    ):
        adlsp.grad(chosen)(ZERO)
    headline, *reasons = str(raised.value).split("\n")
    text = "return np.sum(np.where(x > 0, np.log(x), 0.0))"
    assert headline.startswith(at("backward", text))
    assert "NaN" in headline
    infinite = "  forward, `np.log(x)` gives 1 of 3 infinite, first at [1]"
    assert any(reason.startswith(infinite) for reason in reasons)


def test_what_is_added_to():
    message = complaint(adlsp.grad(summed), np.ones(2))
    assert message[0].startswith(at("forward", "total[0] += x[0] * 1e308"))
    assert "total[0] +=" in message[0]


def test_a_sum_that_is_computed_of_itself():
    """What was added cannot be computed again, and yet it begins there."""
    message = complaint(adlsp.grad(grows), np.full(3, 10.0), 12)
    assert message[0].startswith(at("forward", "u[1:] += u[1:] * u[1:]"))
    assert message[0].endswith("gives 2 of 2 infinite, first at [0]")


def test_tangents():
    message = complaint(adlsp.jvp(root), ZERO, dots=(np.ones(3),))
    assert message[0].startswith(at("tangent", "r = np.sqrt(x)"))


def test_a_second_order():
    message = complaint(adlsp.vjp(adlsp.grad(number)), 1e200, out_bar=1.0)
    assert message[0].startswith(at("forward", "y = x * 1e200"))


def test_only_inside_and_only_here():
    """Other threads, and other derivatives made meanwhile, are as they were, or as they must be."""
    derivative = adlsp.grad(root)
    with np.errstate(all="ignore"):
        derivative(ZERO)
    own = derivative._compiled.__code__
    gate, done = threading.Event(), []

    def work():
        gate.wait(10)
        with np.errstate(all="ignore"):
            done.append(derivative(ZERO))

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("error")
        with adlsp.check_finite():
            assert derivative._compiled.__code__ is not own
            with concurrent.futures.ThreadPoolExecutor() as pool:
                working = pool.submit(work)
                gate.set()
                working.result(10)
            with pytest.raises(FloatingPointError):
                adlsp.grad(outer(np.zeros(2)))(np.ones(2))
    assert derivative._compiled.__code__ is own
    assert math.isinf(done[0][1])
    with np.errstate(all="ignore"):
        assert math.isinf(derivative(ZERO)[1])


def test_one_block_in_another():
    derivative = adlsp.grad(root)
    with np.errstate(all="ignore"), adlsp.check_finite():
        with adlsp.check_finite(inf=False):
            derivative(ZERO)
        with pytest.raises(FloatingPointError):
            derivative(ZERO)


def test_numbers_are_the_same_and_lines_too():
    derivative = adlsp.grad(deep, wrt=("h", "w"))
    args = (np.full((2, 2), 2.0), np.full((2, 2), 5.0))
    expected = derivative(*args)
    lines = [line for _, _, line in derivative._compiled.__code__.co_lines() if line]
    with adlsp.check_finite():
        for one, other in zip(derivative(*args), expected, strict=True):
            assert np.array_equal(one, other)
        seen = [line for _, _, line in derivative._compiled.__code__.co_lines() if line]
    assert set(seen) == set(lines)


def test_nothing_is_warned_of_that_is_only_large():
    with np.errstate(all="raise"), adlsp.check_finite():
        adlsp.grad(scaled)(np.array([1e200, 1e300]))


def test_a_debugger_is_told_once_for_each_call(monkeypatch):
    told = []
    monkeypatch.setattr(hook, "stop", told.append)
    derivative = adlsp.grad(chosen)
    try:
        hook.watch('{"nan": true, "infinite": true}')
        with np.errstate(all="ignore"):
            for _ in range(2):
                assert np.isnan(derivative(ZERO)[1])
    finally:
        hook.watch("")
    with np.errstate(all="ignore"):
        derivative(ZERO)
    assert len(told) == 2
    assert '"sort": "nonfinite"' in told[0]


@pytest.mark.parametrize(
    ("sought", "x", "w", "said"),
    [
        ('{"above": 100.0}', 1e-9, 3.0, "explodes: its norm is 140.3, above 100"),
        ('{"below": 0.01}', 1e-9, 0.1, "vanishes: its norm is 0.001732, below 0.01"),
        ('{"below": 0.01}', 40.0, 40.0, "vanishes: its norm is 0, below 0.01"),
        ('{"below": 0.01}', 1e-9, 1.0, None),
    ],
)
def test_norms(monkeypatch, sought, x, w, said):
    told = []
    monkeypatch.setattr(hook, "stop", told.append)
    derivative = adlsp.grad(recurrent)
    try:
        hook.watch(sought)
        derivative(np.full(3, x), w)
    finally:
        hook.watch("")
    assert [said in each for each in told] == ([True] if said else [])
    if x == 40.0:
        assert "is (3,) float64, 0 to 0" in told[0]
    if w != 1.0:
        factors = told[0].partition(" has norm ")[2].split("\\n  ")[1:]
        assert [each.partition(" is ")[0] for each in factors] == ["w", "1 - h * h"]


def test_what_goes_without_saying_is_not_said(monkeypatch):
    """A number that is written there, and an operand for a second time."""
    told = []
    monkeypatch.setattr(hook, "stop", told.append)
    try:
        hook.watch('{"above": 100.0, "infinite": true}')
        adlsp.grad(scaled)(np.ones(3))
        adlsp.grad(squares)(np.full(3, 1e200))
    finally:
        hook.watch("")
    assert "explodes" in told[0]
    assert " is 50" not in told[0]
    assert told[1].count("x is (3,)") == 1


def scaled(x):
    for _ in range(5):
        x = np.sin(x * 50.0)
    return np.sum(x)


def squares(x):
    return np.sum(x * x)


def recurrent(h, w):
    for _ in range(5):
        h = np.tanh(h * w)
    return np.sum(h)


# what passes


def rewritten(text, name="f"):
    """The text without what stands for arguments, and its slots."""
    module = ast.parse(text)
    slots = watched.watched(module, name)
    words = (watched.VALUE, "V"), (watched.TYPES, "N"), (watched._END, "end"), (".__class__", "")
    told = ast.unparse(module)
    for word, instead in words:
        told = told.replace(ast.unparse(ast.parse(word)) if word == watched._END else word, instead)
    lines = [line for line in told.split("\n") if watched.CALL not in line]
    return "\n".join(line for line in lines if watched.ENTER not in line), slots


def test_what_passes_and_what_does_not():
    text, slots = rewritten(
        "def f(x, w, *rest, out_bar=1.0):\n"
        '    """Doc."""\n'
        "    h = x\n"
        "    for i in range(3):\n"
        "        h = np.tanh(h @ w)\n"
        "        saved.append(h * 2)\n"
        "    h, t = g_forward(h * h, w)\n"
        "    n = -(h + 1)[0]\n"
        "    z = np.zeros(3)\n"
        "    z[i] += h * 2\n"
        "    z[i()] += h * 2\n"
        "    b = h > 0\n"
        "    return z + 1, (h, t)\n"
        "def g_forward(h, w):\n"
        "    return h\n"
    )
    assert text == ast.unparse(
        ast.parse(
            "def f(x, w, *rest, out_bar=1.0):\n"
            '    """Doc."""\n'
            "    h = x\n"
            "    for i in range(3):\n"
            "        h = np.tanh(V(0, h @ w))\n"
            "        saved.append(V(1, h * 2))\n"
            "    h, t = g_forward(V(2, h * h), w)\n"
            "    n = -V(3, h + 1)[0]\n"
            "    z = np.zeros(3)\n"
            "    z[i] += h * 2\n"
            "    V(4, z[i])\n"
            "    z[i()] += V(5, h * 2)\n"
            "    b = h > 0\n"
            "    return (V(6, z + 1), (h, t))\n\n"
            "def g_forward(h, w):\n"
            "    return h"
        )
    )
    assert [slot.line for slot in slots] == [5, 6, 7, 8, 10, 11, 13]
    assert [slot.is_after for slot in slots].index(True) == 4


FLAGS = """\
import numpy as np
import library
from adlsp import runtime as rt
def f(a, b, k):
    try:
        c = STATEMENT
        return c
    except:
        told()
        raise
"""

PAUSE = "(__adlsp_paused__ := (end))"
RESUME = (
    "__adlsp_paused__ and (__adlsp_settings__() is __adlsp_usual__"
    " and __adlsp_set__(__adlsp_hearing__) or __adlsp_again__())"
)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("a * b", "a * b if a in N or b in N else V(0, a * b)"),
        ("a + 2.0 * b[k]", "a + 2.0 * b[k] if b in N else V(0, a + 2.0 * b[k])"),
        ("(1 - a ** 2).T", "(1 - a ** 2 if a in N else V(0, 1 - a ** 2)).T"),
        ("-a / (a * b)", "-a / (a * b) if a in N or b in N else V(0, -a / (a * b))"),
        (
            "a * rt.expand(b, np.shape(a), 0)",
            "a * rt.expand(b, np.shape(a), 0) if a in N or b in N"
            " else V(0, a * rt.expand(b, np.shape(a), 0))",
        ),
        (
            "(a + 1) * (b + 1)",
            "(a + 1) * (b + 1) if a in N and b in N else V(0, (a + 1) * (b + 1))",
        ),
        (
            "np.sum(a, keepdims=True) - np.sum(b, 0)",
            "np.add.reduce(a, None, keepdims=True) - np.add.reduce(b, 0) if a in N and b in N"
            " else V(0, np.sum(a, keepdims=True) - np.sum(b, 0))",
        ),
        ("a @ b", "V(0, a @ b)"),
        ("a ** b", "V(0, a ** b)"),
        ("a * elsewhere", "V(0, a * elsewhere)"),
        ("a * library.cos(b)", f"V(0, a * ({PAUSE}, library.cos(b), {RESUME})[1])"),
        ("a * library.of[k].cos(b)", f"V(0, a * ({PAUSE}, library.of[k].cos(b), {RESUME})[1])"),
        ("a * a.sum()", "V(0, a * a.sum())"),
        ("a * b[next(k)]", "V(0, a * b[next(k)])"),
        ("a * 1e999", "V(0, a * 1e309)"),
        ("np.exp(a) * b", "V(0, np.exp(a) * b)"),
    ],
)
def test_what_numpy_tells_of(statement, expected):
    """Arithmetic, where what it is done with is NumPy's; not while the program is called."""
    text, _ = rewritten(FLAGS.replace("STATEMENT", statement))
    (line,) = (line.strip() for line in text.split("\n") if line.strip().startswith("c = "))
    assert line == f"c = {expected}"


def test_settings_that_are_others():
    """In a `with` they may be, and so each value is looked at."""
    text, _ = rewritten(
        "import numpy as np\n"
        "def f(a, b):\n"
        "    try:\n"
        "        with np.errstate(all='ignore'):\n"
        "            c = a * b\n"
        "        return c\n"
        "    except:\n"
        "        told()\n"
        "        raise\n"
    )
    assert "c = V(0, a * b)" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a * b + 2", ["a", "b", "a * b", "2", "a * b + 2"]),
        ("np.sum(h.T @ w, axis=0)", ["h.T", "w", "h.T @ w", "0", "np.sum(h.T @ w, axis=0)"]),
        ("(a + b).sum()[i]", ["a", "b", "a + b", "(a + b).sum()", "(a + b).sum()[i]"]),
        ("a if b else c", ["a if b else c"]),
        ("f(*a)", ["f(*a)"]),
        ("-a < (b, [c])[0]", ["a", "-a", "b", "c", "[c]", "(b, [c])", "(b, [c])[0]", None]),
    ],
)
def test_parts(text, expected):
    """Each part gives what it gives in the whole, computed of the parts before it."""
    found = parts.parts(ast.parse(text, mode="eval").body)
    assert [part.text for part in found] == [each or text for each in expected]
    for part in found:
        assert all(0 <= number < len(found) - 1 for number in part.operands)
        names = {node.id for node in ast.walk(part.tree) if isinstance(node, ast.Name)}
        assert {f"{parts.OPERAND}{i}" for i in range(len(part.operands))} <= names


@pytest.mark.parametrize(
    ("function", "is_harmless"),
    [
        (np.tanh, True),
        (np.linalg.solve, True),
        (math.exp, True),
        (np.ones(3).sum, True),
        (np.ones(3).fill, False),
        (np.random.normal, False),
        (np.random.default_rng().normal, False),
        (iter([1]).__next__, False),
        (root, False),
    ],
)
def test_what_is_computed_again_does_nothing(function, is_harmless):
    assert watching._is_harmless(function) is is_harmless


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (np.array([1.0, np.inf, np.nan]), finite.Bad(1, 1, 3, (1,))),
        (np.array([[1.0], [np.nan]], np.float32).T, finite.Bad(1, 0, 2, (0, 1))),
        (np.float16("inf"), finite.Bad(0, 1, 1, ())),
        (complex(0, math.nan), finite.Bad(1, 0, 1, ())),
        (-math.inf, finite.Bad(0, 1, 1, ())),
        ({"w": [np.ones(2), (np.array([np.nan]),)]}, finite.Bad(1, 0, 1, (0,))),
        (np.array([1e300, 1e300]), None),
        (np.array([1, 2]), None),
        (np.zeros(0), None),
        (np.array(["a"]), None),
        ("nan", None),
        (None, None),
    ],
    ids=repr,
)
def test_what_is_bad_in_a_value(value, found):
    assert finite.bad(value) == found
    suspected = []
    finite.looking(lambda key, _: suspected.append(key))(7, value)
    is_large = isinstance(value, np.ndarray) and 1e300 in value.tolist()
    assert suspected == ([7] if found or is_large else [])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.array([3.0, 4.0]), 5.0),
        (np.array([3e200, 4e200]), 5e200),
        (np.array([3e-200, 4e-200]), 5e-200),
        (np.zeros(3), 0.0),
        (-2.0, 2.0),
        ((np.array([3.0]), [np.array([4.0])]), 5.0),
        (np.array([3 + 4j]), 5.0),
        (np.array([np.inf]), np.inf),
    ],
    ids=repr,
)
def test_norm(value, expected):
    assert finite.norm(value) == pytest.approx(expected)
