"""What a copied container holds is what the first one holds: a change by either name is seen.

A derivative that does not see it has to be refused.
"""

from __future__ import annotations

from pathlib import Path

import oracle
import pytest
import thinning

import adlsp

HELD = {
    "object": ("Held(x)", "{}.k = x**2", "{}.k"),
    "method": ("Held(x)", "{}.bump(x)", "{}.k"),
    "function": ("Held(x)", "bump({}, x)", "{}.k"),
    "list": ("[x, 1.0]", "{}[0] = x**2", "{}[0]"),
    "dict": ("{'k': x}", "{}['k'] = x**2", "{}['k']"),
    "array": ("np.array([x, 1.0])", "{}[0] = x**2", "{}[0]"),
}
"""What is held, how it is changed, and how it is read."""

COPIES = """
list(L); [p for p in L]; L[:]; L.copy(); L + []; L * 2; tuple(L); [*L]; list(reversed(L))[::-1];
list({0: a}.values()); [*{0: a}.values()]; [q for q, _ in zip(L, [1.0])];
[p for _, p in enumerate(L)]; [q for q in filter(kept, L)]; list(map(same, L)); [L[0]];
[*map(same, [a])]; copied(L); Star(*L).parts; Two(L, 0.5).parts; Listed(L).parts;
copy.copy(Two(L, 0.5)).parts; [[p] for p in L][0]; [p for p in (a, b)]; {**{0: a}}; dict({0: a});
{k: v for k, v in {0: a}.items()}; sorted(L, key=order); list(itertools.chain(L, L));
(lambda: L[:])(); (lambda p: [p])(a); [min(L, key=order), b]; [next(iter(L))];
copy.deepcopy(L)
"""
"""What holds the first one of a list of two at its own first place; at last a copy of that."""

WAYS = {
    "own name": ("a", "M[0]"),
    "copy": ("M[0]", "a"),
    "first": ("L[0]", "M[0]"),
    "loop": ("p", "a"),
}
"""By which name it is changed, and then read."""

PROGRAM = """
import copy
import itertools

import numpy as np


class Held:
    def __init__(self, k):
        self.k = k

    def bump(self, x):
        self.k = x**2


def bump(held, x):
    held.k = x**2


class Star:
    def __init__(self, *parts):
        self.parts = list(parts)


class Two:
    def __init__(self, parts, t):
        self.parts = parts
        self.t = t


class Listed:
    def __init__(self, parts):
        self.parts = [p for p in parts]


def same(p):
    return p


def kept(p):
    return True


def order(p):
    return 0


def copied(parts):
    made = []
    for p in parts:
        made.append(p)
    return made


def f(x):
    a, b = {held}, {other}
    L = [a, b]
    M = {copy}
    {change}
    return {read} + x
"""


def program(held: str, way: str, copy: str) -> str:
    made, change, read = HELD[held]
    changed, seen = WAYS[way]
    text = change.format(changed)
    if way == "loop":
        text = f"for p in [M[0]]:\n        {text}"
    return PROGRAM.format(
        held=made, other=made.replace("x", "2.0"), copy=copy, change=text, read=read.format(seen)
    )


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("held", HELD)
def test_shared_parts_are_right_or_refused(folder: Path, held: str, way: str) -> None:
    wrong, n_right = [], 0
    programs = [program(held, way, copy.strip()) for copy in COPIES.split(";")]
    for number, text in enumerate(thinning.some(programs)):
        path = folder / f"shared_{held}_{way.replace(' ', '_')}_{number}.py"
        try:
            verdict = oracle.run_called(path, text, ("x",), ({"x": 0.7},))
        except oracle.WrongError as error:
            wrong.append(f"{text}\n{error}")
        except adlsp.DifferentiationError:  # found late, by what the derivative is given
            continue
        else:
            assert verdict.refused or verdict.checked, text
            n_right += not verdict.refused
    assert not wrong, "\n\n".join(wrong)
    assert n_right or way != "copy" or not thinning.IS_WHOLE
