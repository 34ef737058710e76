"""Comparison with finite differences at each line of derivatives, in this very process."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pytest

import adlsp
from adlsp.debug import instrument, maps, primals, standing
from adlsp.library import differences, watching
from adlsp.transform.emit import moved

TEXT = """\
import numpy as np

def underscores(x):
    for _ in range(2):
        for _ in range(2):
            x = x * x
        x = x * 0.9
    return x

def longer(x, n):
    for i in range(n):
        n = n + 1
        x = x * n
    return x

def sometimes(w, h, k, n):
    for t in range(n):
        a = np.exp(w)
        if t > 0:
            b = np.sin(a) * k
            h = np.tanh(h * b)
        h = np.tanh(h * a)
    return np.sum(h)

def chain(x, a):
    h = x
    for t in range(3):
        h = np.tanh(h * x + a)
    return np.sum(h * h)

def rows(A, n):
    s = 0.0
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] = A[i, j] * A[j, i]
            s = s + A[i, j] ** 2
    return s

def listed(xs, w):
    ys = [np.sin(x * w) for x in xs]
    return sum(ys)

def elements(xs, w):
    s = 0.0
    for x in xs:
        s = s * w + x * x
    return s

def relax(u, f, w):
    for k in range(2):
        for i in range(1, len(u) - 1):
            r = u[i - 1] - 2 * u[i] + u[i + 1] - f[i]
            u[i] += w * r

def halves(x, a, b, depth):
    m = 0.5 * (a + b)
    if depth == 0:
        return (b - a) * np.sqrt(x * m * m)
    left = halves(x, a, m, depth - 1)
    right = halves(x, m, b, depth - 1)
    return left + right * x

def jumps(x):
    r = x * x
    e = np.where(r > 0, 1 / (r + 0.1), r)
    return np.sum(e * e)

def straight(x):
    y = np.sin(x)
    z = y * x
    return np.sum(z * y)
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "primals.py"
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("primals_to_compare", path)
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, made)
    spec.loader.exec_module(made)
    watching._remember(True)
    yield made
    watching._remember(False)


def told(call, places=None):
    """What is said at each line of the derivative that a call enters, as the debugger asks it.

    `places` gets the lines of the primal for which something is right, with the variables.
    """
    call()  # derives
    found = []

    def enter(frame, *_):
        path = frame.f_code.co_filename
        derivative = maps.read_file(path) if maps.is_derivative(path) else None
        return stand if derivative and frame.f_code.co_name == derivative.name else None

    def stand(frame, event, _):
        if event == "line":
            sys.settrace(None)
            lines = compared(frame)
            found.extend(lines)
            if places is not None and lines:
                derivative = maps.read_file(frame.f_code.co_filename)
                names = places.setdefault(derivative.at(frame.f_lineno).first, [])
                names.append("".join(each[0] for each in lines if ": right, " in each))
            sys.settrace(enter)
        return stand

    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(None)
    return found


def compared(frame):
    line, derivative = frame.f_lineno, maps.read_file(frame.f_code.co_filename)
    function, at = derivative.function(line), derivative.at(line)
    if at is None or at.role.sweep != "backward":
        return []
    by_order = standing.comparable if derivative.order == 1 else standing.comparable_again
    try:
        place = by_order(derivative, function, line, primals.steps_at)
    except ValueError:
        return []
    variables = dict(frame.f_locals)

    def numbers(loops_of):
        expression = instrument.passes(loops_of(function, line), at.role.sweep, line)
        return [number for number, _ in eval(expression, frame.f_globals, variables)]

    asked = instrument.compared(place, numbers(standing.counted), numbers(standing.headed))
    space = {**frame.f_globals, "locals": lambda: variables, "globals": lambda: frame.f_globals}
    return instrument.read_lines(eval(asked, space))


V = np.array([0.3, -0.2])
V0 = np.array([0.0, 0.7])


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda m: adlsp.grad(m.underscores)(1.1), {"x"}),
        (lambda m: adlsp.grad(m.longer)(1.1, 2), {"x"}),
        (lambda m: adlsp.grad(m.sometimes, ("w", "h"))(V, V, 0.7, 3), {*"whab"}),
        (lambda m: adlsp.grad(m.chain)(V, 0.3), {*"xh"}),
        (lambda m: adlsp.grad(m.halves)(0.7, 0.1, 1.0, 2), {"x", "left", "right"}),
        (
            lambda m: adlsp.vjp(adlsp.grad(m.chain))(V, 0.3, out_bar=V),
            {"x", "x_bar", "h_bar", "h_saved_2"},
        ),
        (lambda m: adlsp.grad(m.rows)(np.outer(V, [1.0, 2.0]), 2), {*"As"}),
        (lambda m: adlsp.grad(m.listed, ("xs", "w"))(V, 0.5), {"xs", "w", "ys"}),
        (lambda m: adlsp.grad(m.elements, ("xs", "w"))(V, 0.5), {"xs", "w", "s"}),
        (
            lambda m: adlsp.vjp(adlsp.grad(m.straight))(V, out_bar=V),
            {*"xyz", "x_bar", "y_bar", "z_bar"},
        ),
    ],
)
def test_what_is_right_is_never_said_to_differ(module, call, names):
    """At every line, and of each variable at some; in a second derivative also of adjoints."""
    lines = told(lambda: call(module))
    assert not [line for line in lines if "DIFFERS" in line or "cannot be compared" in line]
    right = {line.partition(": right")[0] for line in lines if ": right, " in line}
    assert right == names


def test_where_differences_cannot_tell(module):
    """Where a value is moved over a jump or a kink they say nothing, unless others are wrong."""
    lines = told(lambda: adlsp.grad(module.jumps)(np.array([0.3, 0.0])))
    assert [
        line for line in lines if line.startswith("r: not known, the primal has a kink or a ju")
    ]
    assert not [line for line in lines if "DIFFERS" in line]


@pytest.mark.parametrize(
    ("f", "x", "at", "has_corner"),
    [
        (np.abs, 0.0, None, True),
        (np.abs, 1e-3, None, False),
        (np.exp, 3.0, None, False),
        (np.sign, 0.0, None, True),
        (lambda x: np.sum(np.abs(x)) + 1e3, V0, None, True),
        (lambda x: np.sum(np.abs(x)) + 1e3, V0, (0,), True),
        (lambda x: np.sum(np.abs(x)) + 1e3, V0, (1,), False),
        (lambda x: np.sum(x**3) * 1e6, V0, None, False),
        (lambda x: np.tanh(1e4 * x), 1e-5, None, False),
    ],
)
def test_kinks_and_jumps(f, x, at, has_corner):
    assert differences.has_corner(f, x, 1.0, at) is has_corner


def test_what_is_compared_at_each_line(module):
    """All that is read later on, at statements and at heads of loops."""
    places = {}
    args = np.zeros(4), np.arange(4.0), 0.3
    told(
        lambda: adlsp.vjp(module.relax, outputs="u", wrt=("u", "f", "w"))(*args, out_bar=args[1]),
        places,
    )
    def_, outer, inner, residual, update = range(
        module.relax.__code__.co_firstlineno, module.relax.__code__.co_firstlineno + 5
    )
    assert {line: names[-1] for line, names in places.items()} == {
        def_: "ufw",
        outer: "ufw",
        inner: "ufw",
        residual: "ufwr",
        update: "ufw",
    }


FORWARD = """\
def f_grad_grad(x, *, inner_bar=1.0, out_bar=1.0):
    y = x * x
    x_bar = inner_bar * y
    x_bar_bar = rt.seed(out_bar, (x_bar,), "f_grad")[0]
    return x_bar_bar
"""


def test_the_forward_sweep_of_a_derivative():
    made = moved.within(FORWARD, "f_grad_grad", 2)
    space = {moved.PLACE: lambda name, value: value + (name == "y"), moved.WAY: [].append}
    exec(compile(made.module, "f", "exec"), space)
    assert space["f_grad_grad"](3.0, inner_bar=2.0) == (20.0,)
    with pytest.raises(moved.NoPlaceError, match="no seed"):
        moved.within(FORWARD.replace("rt.seed", "rt.copy"), "f_grad_grad", 2)
