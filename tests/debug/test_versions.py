"""Beside which lines values and gradients belong, where a variable is set in several of them."""

from __future__ import annotations

import importlib.util
import sys

import numpy as np
import pytest

import adlsp
from adlsp.debug import maps, primals, standing, versions
from adlsp.transform.emit import moved

TEXT = """\
import numpy as np

def straight(x, a):
    h = x * a
    y = np.sin(h)
    h = h + y
    h = h * 2.0
    x = h * y
    return np.sum(x * h)

def rnn(w, xs):
    h = np.zeros(2)
    s = 0.0
    for t in range(len(xs)):
        h = np.tanh(w * h + xs[t])
        y = h * 0.5
        s = s + np.sum(y)
    h = h * s
    return np.sum(h)

def branches(x, c):
    h = x * 2.0
    if c > 0:
        h = h * x
        y = h + 1.0
    else:
        y = h
        h = np.sin(h)
    h = h * y
    return np.sum(h)

def nested(x, n):
    s = 0.0
    for i in range(n):
        h = x
        for j in range(i):
            h = h * x
            if j == 1:
                continue
            h = np.sin(h)
        s = s + np.sum(h)
    return s

def newton(x):
    y = x
    while abs(y * y - x) > 1e-9:
        z = x / y
        y = 0.5 * (y + z)
    return y

def inner(h):
    y = h * 3.0
    h = y * y
    return h

def outer(x):
    y = x * 2.0
    h = np.sin(y)
    y = inner(h) * y
    h = inner(y)
    return np.sum(h * y)

def stored(u, n):
    h = u * 1.0
    for k in range(n):
        h[1:] = h[1:] * h[:-1]
        u = np.sin(h)
    h[0] = u[1] * h[0]
    return np.sum(h * u)

def bump(u, w):
    u[1:] = u[1:] * w + u[:-1]

def changed(u):
    v = u * 2.0
    bump(v, 0.5)
    s = np.sum(v * v)
    bump(v, s)
    return np.sum(v)

def after(x, n):
    for k in range(n):
        for i in range(2):
            y = np.sin(x) * x
            x = x * y
        y = np.tanh(y) * y
        x = x + y * k
    y = y * x * y
    return np.sum(y * y)
"""

V = np.array([0.3, -0.2])

CALLS = {
    "straight": [(V, 1.5)],
    "rnn": [(V, np.outer(V, V))],
    "branches": [(V, 1.0), (V, -1.0)],
    "nested": [(V, 4)],
    "newton": [(2.0,)],
    "outer": [(V,)],
    "stored": [(V, 3)],
    "after": [(V, 3)],
    "changed": [(V,)],
}


GRADIENTS = {
    "straight": {(0, "x"), (1, "h"), (2, "y"), (3, "h"), (4, "h"), (5, "x")},
    "rnn": {(0, "w"), (4, "h"), (5, "y"), (6, "s"), (7, "h")},
    "branches": {(0, "x"), (1, "h"), (3, "h"), (4, "y"), (6, "y"), (7, "h"), (8, "h")},
    "nested": {(0, "x"), (3, "h"), (5, "h"), (8, "h"), (9, "s")},
    "outer": {(0, "x"), (1, "y"), (2, "h"), (3, "y")},
    "changed": {(0, "u"), (1, "v"), (2, "v"), (3, "s"), (4, "v")},
    "after": {(0, "x"), (3, "y"), (4, "x"), (5, "y"), (6, "x"), (7, "y")},
    "stored": {(0, "u"), (1, "h"), (3, "h"), (4, "u"), (5, "h")},
}
"""Of which lines, counted from the `def`, and variables gradients are shown that are complete."""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "primals.py"
    path.write_text(TEXT)
    spec = importlib.util.spec_from_file_location("primals_with_versions", path)
    made = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, made)
    spec.loader.exec_module(made)
    return made


def traced(call, look):
    """Calls with a look at each frame before each line, and when it is left."""

    def enter(frame, *_):
        look(frame)
        return stand

    def stand(frame, event, _):
        if event in ("line", "return"):
            sys.settrace(None)
            look(frame)
            sys.settrace(enter)
        return stand

    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(None)


def primal_values(module, function, args):
    """All that variables were behind each line of the primals."""
    found, last = {}, {}

    def look(frame):
        if frame.f_code.co_filename == module.__file__:
            line = last.get(frame, frame.f_code.co_firstlineno)
            for name, value in frame.f_locals.items():
                found.setdefault((line, name), []).append(np.array(value))
            last[frame] = frame.f_lineno

    traced(lambda: function(*args), look)
    return found


def beside(frame):
    """Lines with pairs where a frame stands, and the line of the primal that is taken next."""
    read = maps.read_file(frame.f_code.co_filename)
    line = frame.f_lineno
    made, mapped = read and read.function(line), read and read.every_at(line)
    if not made or not mapped or mapped[0].role.sweep != "backward":
        return [], 0
    steps = primals.steps_at(mapped[-1].path, mapped[-1].first)
    pairs = standing.pairs(read, made, line, primals.steps_at)
    try:
        next_ = standing.comparable(read, made, line, primals.steps_at).line
    except ValueError:
        next_ = 0
    return versions.beside(read, made, line, mapped[-1].path, steps, pairs), next_


@pytest.mark.parametrize("name", CALLS)
def test_a_value_is_one_that_the_line_has_set(module, name):
    """At every line of the derivative."""
    function = getattr(module, name)
    for args in CALLS[name]:
        true, n_seen = primal_values(module, function, args), 0
        derivative = adlsp.grad(function)
        derivative(*args)

        def look(frame, true=true):
            nonlocal n_seen
            for line, pair in beside(frame)[0]:
                held = pair.held or pair.name
                if pair.value and held in frame.f_locals:
                    value = np.array(frame.f_locals[held])
                    same = [each for each in true[line, pair.name] if np.array_equal(value, each)]
                    assert same, (frame.f_lineno, line, pair)
                    n_seen += 1

        traced(lambda args=args, derivative=derivative: derivative(*args), look)
        assert n_seen


@pytest.mark.parametrize("name", GRADIENTS)
def test_a_gradient_is_that_of_what_the_line_has_set(module, name):
    """In one pass of the loops around it, where all that reads it has been taken."""
    function, seen = getattr(module, name), set()
    first = function.__code__.co_firstlineno
    for args in CALLS[name]:
        derivative = adlsp.grad(function)
        derivative(*args)

        def look(frame, args=args):
            placed, at = beside(frame)
            for line, pair in placed:
                if first <= at <= line and pair.made in frame.f_locals and not pair.missing:
                    gradient = np.array(frame.f_locals[pair.made])
                    every = differences(module, function, args, line, pair.name)
                    assert any(np.allclose(gradient, each, 1e-5, 1e-7) for each in every), (
                        frame.f_lineno,
                        line,
                        pair,
                        gradient,
                        every,
                    )
                    seen.add((line - first, pair.name))

        traced(lambda args=args, derivative=derivative: derivative(*args), look)
    assert seen == GRADIENTS[name]


def differences(module, function, args, line, name):
    """The gradient for what a variable is behind a line, in each pass of the loops around it."""
    made = moved.at(TEXT, function.__code__.co_firstlineno, line)
    passes, found = {}, []

    def run(move):
        space = {**vars(module), moved.PLACE: move, moved.WAY: [].append}
        exec(compile(made.module, "moved", "exec"), space)
        return float(space[made.name](*(np.array(arg) if np.ndim(arg) else arg for arg in args)))

    def note(each, value, *at):
        if each == name:
            passes.setdefault(at, np.array(value))
        return value

    run(note)
    for at, value in passes.items():
        gradient = np.zeros(np.shape(value))
        for index in np.ndindex(gradient.shape):

            def shift(each, given, *now, index=index, at=at, by=1e-6):
                if (each, now) != (name, at):
                    return given
                changed = np.array(given, float)
                changed[index] += by
                return changed if changed.shape else float(changed)

            low, high = (
                run(lambda *given, by=by, shift=shift: shift(*given, by=by)) for by in (-1e-6, 1e-6)
            )
            gradient[index] = (high - low) / 2e-6
        found.append(gradient)
    return found


def test_a_value_may_be_held_by_another_name(module):
    """Where the variable is that of the pass before, what this pass has set was kept as well."""
    derivative = adlsp.grad(module.rnn)
    derivative(*CALLS["rnn"][0])
    seen = set()

    def look(frame):
        placed, at = beside(frame)
        seen.update((line, pair.held) for line, pair in placed if line == at and pair.made)

    traced(lambda: derivative(*CALLS["rnn"][0]), look)
    assert (module.rnn.__code__.co_firstlineno + 4, "h_2") in seen
