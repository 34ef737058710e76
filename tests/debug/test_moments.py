"""Of which time a value is said to be, at each line of derivatives, against the primal itself."""

from __future__ import annotations

import collections
import copy
import re
import sys

import numpy as np
import pytest

import adlsp
from adlsp.debug import maps, primals, standing
from adlsp.transform.ir import Role


def traced(call, is_wanted, stand):
    """Calls, and calls `stand` with frame, event and what is given back in wanted frames."""

    def enter(frame, *_):
        return inside if is_wanted(frame) else None

    def inside(frame, event, given):
        stand(frame, event, given)
        return inside

    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(None)


def states(function, args):
    """Each line that the primal takes, with its variables before; those at the end come last."""
    taken = []

    def stand(frame, event, _):
        if event in ("line", "return"):
            line = frame.f_lineno if event == "line" else 0
            taken.append((line, copy.deepcopy(dict(frame.f_locals))))

    traced(lambda: function(*args), lambda frame: frame.f_code is function.__code__, stand)
    return taken


def labels(function, args):
    """What is said of values at lines of adjoints: which time it takes the statement, and of what.

    As line, number, variable, label and value. The statements come in turn, from the last.
    """
    gradient = adlsp.grad(function)
    gradient(*copy.deepcopy(args))
    found, visits, last = [], collections.Counter(), [0, 0]

    def stand(frame, event, _):
        if event != "line":
            return
        derivative = maps.read_file(frame.f_code.co_filename)
        line, at = frame.f_lineno, derivative.at(frame.f_lineno)
        if at is None or at.role is not Role.ADJOINT or at.is_head:
            last[:] = [0, line]
            return
        visits[at.first] += at.first != last[0] or line <= last[1]
        last[:] = [at.first, line]
        pairs = standing.pairs(derivative, derivative.function(line), line, primals.steps_at)
        for pair in pairs:
            if pair.name in frame.f_locals:
                value = copy.deepcopy(frame.f_locals[pair.name])
                found.append((at.first, visits[at.first], pair.name, pair.value, value))

    def is_wanted(frame):
        return frame.f_code.co_name == gradient.derivative.name

    traced(lambda: gradient(*copy.deepcopy(args)), is_wanted, stand)
    return found


def expected(taken, steps, line, number, name, label):
    """What a variable was at the time that a label names; nothing where that is not told.

    Nor where the line that it names is in a branch that this pass has not taken.
    """
    every = [i for i, (each, _) in enumerate(taken) if each == line]
    here = every[len(every) - number]
    sets = [step.line for step in steps if name in step.sets]
    named = re.search(r" line (\d+)", label)
    at = int(named[1]) if named else sets[0] if len(sets) == 1 else line
    loops = {step.line: {*step.loops} for step in steps}
    head = max(loops[line] & loops[at], default=0)
    start = max((i for i in range(here) if taken[i][0] == head), default=0)
    times = [i for i in range(start, len(taken)) if taken[i][0] == at]
    match label.split():
        case ["value"]:
            last = [here] if at == line else [i for i in times if i <= here][-1:] or times[:1]
            return [taken[i + 1][1].get(name) for i in last]
        case ["value", "at", "the", "end"]:
            return [taken[-1][1].get(name)]
        case ["value", "before", *_]:
            return [taken[i][1].get(name) for i in times if i <= here][-1:]
        case ["value", "of", "line", _]:
            return [taken[i + 1][1].get(name) for i in times if i >= here][:1]
    return []


def cell(h, xs):
    for x in xs:
        h = h * x
        a = np.sin(x * h)
        h = h * np.cos(h) * a
        a = a * h
        h = h + a * a
    return np.sum(h)


def optimizer(x, xs):
    m, v = x * 0.0, x * 0.0
    for w in xs:
        g = np.sin(w * x) * x
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g * g
        x = x - 0.1 * m / (np.sqrt(v) + 1e-3)
    return np.sum(x * m)


def branches(x, xs):
    for i in range(len(xs)):
        if i % 2:
            x = x * x
            y = np.sin(x)
        else:
            y = np.cos(x)
        z = y * x
        x = z * y
    return np.sum(x)


def within(x, xs):
    y = x
    for v in xs:
        y = y * x * v
        for _ in range(2):
            y = np.sin(y) * y
        x = x * y
    return np.sum(x)


def stores(u, xs):
    for v in xs:
        for j in range(1, 3):
            t = u[j - 1] * u[j]
            u[j] = t * u[j] + v
            u[0] = u[0] * np.sin(u[j])
        u = u * 1.1
    return np.sum(u)


def rows(x, xs):
    total = 0.0
    for i in range(len(xs)):
        v = x[i]
        total = total + np.sin(v)
        v = v * v
        total = total * v
        v = np.cos(v) * total
        total = total + v
    return total


@pytest.mark.parametrize("function", [cell, optimizer, branches, within, stores, rows])
def test_what_is_said_is_so(function, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    args = np.array([0.3, -0.2, 0.5]), [0.5, 0.9, 0.7]
    taken = states(function, copy.deepcopy(args))
    steps = primals.steps_at(__file__, function.__code__.co_firstlineno)
    heads = {head for step in steps for head, _ in step.inside}
    known = {name for step in steps for name in step.sets}
    compared = collections.Counter()
    for line, number, name, label, value in labels(function, args):
        if line not in heads and name in known:
            for other in expected(taken, steps, line, number, name, label):
                assert np.array_equal(value, other), (line, name, label)
                compared[label.partition(" ")[0], "before" in label] += 1
    assert compared["value", False]
    assert compared["value", True] or function in (optimizer, rows)
