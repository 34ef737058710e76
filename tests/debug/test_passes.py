"""The passes of loops that are told are those that are taken, at each line of a derivative."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest

import adlsp
from adlsp.debug import instrument, maps, standing
from adlsp.transform.frontend import outline


class Counted:
    """Counts the passes of each loop of a derivative while it runs, and asks which are told."""

    def __init__(self):
        self.totals, self.places = {}, []
        self._calls = itertools.count()

    def run(self, call):
        """What is told at each place in loops of the backward sweep: `(told, taken)`."""
        sys.settrace(self._enter)
        try:
            call()
        finally:
            sys.settrace(None)
        return [
            (told, [(self.totals[run] - number + 1, self.totals[run]) for run, number in runs])
            for told, runs in self.places
        ]

    def _enter(self, frame, *_):
        path, name = frame.f_code.co_filename, frame.f_code.co_name
        derivative = maps.read_file(path) if maps.is_derivative(path) else None
        functions = (
            [each for each in derivative.functions if each.name == name] if derivative else ()
        )
        if not functions:
            return None
        [function] = functions
        every = outline.read(function.text, function.first)
        state, last, call = {}, [0], next(self._calls)

        def stand(_, event, __):
            if event == "line":
                line = frame.f_lineno
                self._count(every, state, last[0], line, call)
                last[0] = line
                self._ask(frame, derivative, function, every, state)
            return stand

        return stand

    def _count(self, every, state, before, line, call):
        """`state` has for each loop which time it is taken, its pass, and if one is to begin."""
        for head in {loop for step in every for loop in step.loops}:
            end = max(step.line for step in every if head in step.loops)
            if line == head:
                again, number, _ = state.get(head, (0, 0, False))
                is_new = not head <= before <= end
                state[head] = (again + is_new, 0 if is_new else number, True)
            elif head < line <= end and state[head][2]:
                again, number, _ = state[head]
                state[head] = (again, number + 1, False)
                self.totals[call, head, again] = number + 1
        state[None] = call

    def _ask(self, frame, derivative, function, every, state):
        line = frame.f_lineno
        at = derivative.at(line)
        step = next((step for step in every if step.line == line), None)
        if at is None or step is None or at.role.sweep != "backward" or not step.loops:
            return
        loops = standing.counted(function, line)
        expression = instrument.passes(loops, "backward", line)
        told = eval(expression, frame.f_globals, dict(frame.f_locals))
        runs = [((state[None], loop, state[loop][0]), state[loop][1]) for loop in step.loops]
        self.places.append((told, runs))


def cell(h, xs):
    for x in xs:
        h = np.tanh(h * x) * h
    return h


def nested(h, xs, n):
    for _ in range(n):
        for x in xs:
            h = np.tanh(h * x) * h
        h = cell(h, xs)
    return np.sum(h)


def parts(h, xs, n):
    for x in xs[1:]:
        h = np.tanh(h * x) * h
    for _ in range(n):
        for x in xs[::2]:
            h = np.tanh(h * x) * h
    return np.sum(h)


def pairs(h, xs, n):
    for _ in range(n):
        for x, y in zip(xs[1:], xs[:2], strict=True):
            h = np.tanh(h * x) * h + y
        for k, x in enumerate(xs):
            h = np.sin(h * x) * h + k
    return np.sum(h)


def sometimes(h, xs, n):
    for t in range(n):
        if t % 2:
            for x in xs:
                h = np.tanh(h * x) * h
    while np.sum(np.abs(h)) > 0.001:
        for x in xs:
            h = np.tanh(h * x) * h
    return np.sum(h)


def until(h, xs, n):
    while np.sum(h * h) < 100.0:
        h = h * h + xs[0] * n
    return np.sum(h)


def shrinking(h, xs, n):
    for _ in range(n):
        for x in xs:
            h = np.tanh(h * x) * h
        xs = xs[1:]
    return np.sum(h)


def growing(h, xs, n):
    ys = list(xs)
    for _ in range(n):
        for x in ys:
            h = np.tanh(h * x) * h
        ys.append(0.5)
    return np.sum(h)


def later(h, xs, n):
    for t in range(n):
        for x in xs[t:]:
            h = np.tanh(h * x) * h
    return np.sum(h)


def ragged(h, rows, n):
    for row in [rows, rows[1:]]:
        for x in row:
            h = np.tanh(h * x) * h
    return np.sum(h) * n


@pytest.mark.parametrize(
    ("f", "is_told"),
    [
        (nested, True),
        (parts, True),
        (pairs, True),
        (sometimes, True),
        (until, True),
        (shrinking, False),
        (growing, False),
        (later, False),
        (ragged, False),
    ],
)
def test_what_is_told_is_right(f, is_told):
    """Where a loop takes another number of passes each time, nothing is told of that one."""
    gradient = adlsp.grad(f)
    places = Counted().run(lambda: gradient(np.array([0.3, -0.2, 0.5]), [0.5, 0.9, 0.7], 3))
    assert places
    for told, taken in places:
        assert not told or [number for number, _ in told] == [number for number, _ in taken]
        assert all(of in (0, total) for (_, of), (_, total) in zip(told, taken, strict=False))
    if is_told:
        assert all(told for told, _ in places)
    else:
        assert not all(told for told, _ in places)
