"""Functions of NumPy and SciPy of lists and tuples of active numbers: as of the array of these."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import oracle
import pytest
import thinning

CALLS = """
np.tril([x[0], x[1] * s, x[2]]); np.triu([[s, x[0]], [x[1], x[2]]], 1)
np.multiply.accumulate([x[0], x[1] * s, x[2]]); np.maximum.accumulate((x, x * s))
np.minimum.accumulate([x, x * s]); np.partition([x[0], x[1] * s, x[2]], 1)
np.heaviside([x[0], s], 0.5) * s; np.divmod([x[0], x[1] * s, x[2]], 0.3)[1]
np.gradient([x[0], x[1] * s, x[2]]); np.polyval([x[0], x[1] * s, x[2]], s)
np.histogram([0.1, 0.4, 0.9], 2, weights=[x[0], x[1] * s, x[2]])[0]
np.linalg.matrix_power([[1.0, s], [x[0], 3.0]], 3); scipy.linalg.expm([[0.0, s], [x[0], 0.0]])
scipy.special.xlogy([x[0], s], [s, 0.4]); scipy.spatial.distance.cdist([x], [[s, 1.0, x[0]]])
scipy.spatial.distance.euclidean([x[0], s], (1.0, x[1])); np.cumsum([x[0], s]); np.sort([x, x * s])
scipy.stats.multivariate_normal.logpdf([x[0], s], [x[1], 0.3], [[2.0, 0.1], [0.1, 1.0]])
"""

SUMS = """
v = [s, 1.0, 2.0]; v += x; y = np.asarray(v) * x|v = [s, 1.0, 2.0]; v += x[0]; y = np.array(v)
v = [x, x * s, x]; v += x; y = np.sum(v, axis=0)|v = [s]; v += x; y = np.square(v)
v = [s, 1.0]; v += x.tolist(); y = np.array(v)|v = [s]; v += (x[0], s); y = np.array(v)
v = [s]; w = [x[0]]; v += w; v += w; y = np.array(v)|v = [s]; v += list(x); y = np.array(v)
v = [s]; v.extend(x); y = np.array(v)|v = [s]; v += (t * s for t in x); y = np.array(v)
v = {"a": [s, 1.0, 2.0]}; v["a"] += x; y = np.square(v["a"])
v = [s]; v += {"a": x[0], "b": x[1]}.values(); y = np.array(v)|v = [s]; v += x[:0]; y = np.array(v)
v = x.copy(); v[:2] **= [s, 2.0]; v[1:] /= (s, 2.0); y = v|y = x ** [s, 2.0, 3.0]
v = x.copy(); v **= (s, 2.0, 1.0); y = v|y = (-x) ** (s + 1j * x); y = np.real(y)
y = np.real(np.power(-2.0, x + 1j * s))|y = np.array([2, 5, 200], dtype=np.uint8) ** (x * s)
y = scipy.linalg.solve_triangular(np.outer(x, x) + np.eye(3), x, trans="T")
y = scipy.linalg.solve_triangular(np.outer(x, x) + np.eye(3), x, "N", lower=True)
"""
"""Statements that make `y`, of which the first may be about lists or about arrays."""

HEAD = """
import numpy as np
import scipy.linalg
import scipy.spatial.distance
import scipy.special
import scipy.stats


def f(x, s):
    {}
    return np.sum(y * np.cos(y))
"""


STATEMENTS = [each for each in SUMS.replace("\n", "|").split("|") if each]

EVERY = [each.strip() for each in CALLS.replace("\n", ";").split(";") if each.strip()]


@pytest.mark.parametrize("call", EVERY)
def test_the_derivatives_are_right(folder: Path, call: str) -> None:
    path = folder / f"listed_{EVERY.index(call)}.py"
    point = {"x": np.array([0.31, 0.62, 0.85]), "s": 0.55}
    text = HEAD.format(f"y = {call}")
    assert oracle.run_called(path, text, ("x", "s"), (point,)) == oracle.Verdict((), 1)


@pytest.mark.parametrize("statements", STATEMENTS)
def test_what_is_a_list_or_an_array_is_right(folder: Path, statements: str) -> None:
    path = folder / f"listed_or_not_{STATEMENTS.index(statements)}.py"
    point = {"x": np.array([0.31, 0.62, 0.85]), "s": 0.55}
    text = HEAD.format(statements)
    assert oracle.run_called(path, text, ("x", "s"), (point,)) == oracle.Verdict((), 1)
    if "+=" in statements:
        oracle.run_program(path.with_suffix(".any.py"), text, ("x", "s"), (), (point,))


MADE = (
    "[np.sin(x), x * s]",
    "list((np.sin(x), x * s))",
    "[np.cos(x)] + [x * s]",
    "[np.cos(x), *[x * s]]",
    "[v * x for v in (1.5, s)]",
    "list(np.stack([x, x * s]))",
)
STORED = (
    "c[1] = x * x",
    "c[0] += s",
    "c[0], c[1] = c[1], c[0] * s",
    "c[0] = c[0] * c[1]",
    "t = c[0]; t *= s",
    "c[:] = [x * s, x]",
)
READ = (
    "np.array(c) ** 2",
    "np.asarray(c)[1] * s",
    "np.mean(c, axis=0)",
    "np.sum(c) * s",
    "np.cumsum(c, axis=0)",
    "np.linalg.norm(c)",
    "np.multiply(c, s)",
    "np.sort(c, axis=0)",
    "np.stack(c) ** 2",
)

OF_LISTS = """
import numpy as np


def f(x, s):
    y = 0.0
{}    c = [None] * 2
    for i in range(2):
        c[i] = x * (s + i)
    return y + np.sum({})
"""


@pytest.mark.parametrize(("stored", "read"), thinning.pairs(STORED, READ))
def test_lists_of_which_elements_are_set(folder: Path, stored: str, read: str) -> None:
    steps = "".join(
        f"    c = {made}\n    {stored}\n    y += np.sum({read} * (x + {at}))\n"
        for at, made in enumerate(MADE)
    )
    text = OF_LISTS.format(steps, read)
    point = {"x": np.array([0.4, 1.7, -0.3]), "s": 1.3}
    name = f"set_{STORED.index(stored)}_{READ.index(read)}.py"
    verdict = oracle.run_called(folder / name, text, ("x", "s"), (point,))
    assert verdict.checked == 1, verdict


CHANGING = (
    "np.mean(c)",
    "np.mean(c, axis=0)",
    "np.average(c)",
    "np.var(c, axis=1)",
    "np.diff(c)",
    "np.sum(c, axis=-1)",
    "np.mean(c, keepdims=True)",
    "np.cumsum(c)",
    "np.einsum('ij->j', c)",
    "np.dot(c, x)",
    "np.reshape(c, (3, 2))",
    "np.repeat(c, 2)",
    "np.pad(c, 1)",
    "np.delete(c, 0, axis=1)",
    "np.abs(np.fft.fft(c))",
    "np.max(c, axis=0)",
    "np.linalg.norm(c)",
    "np.transpose(c)",
)
"""What is computed of a list that is another one in each pass of a loop, or bound again behind."""

OF_PASSES = """
import numpy as np


def f(x, s):
    y, groups, named = 0.0, [[], []], {"a": [x, x * s], "b": [x * x, x]}
    for k in range(2):
        c = [x * (k + 1), x * s]
        groups[1 - k].append(x * (s + k))
        groups[k].append(x * x)
        y = y + np.sum(np.sin(%(read)s))
    c = (x, x * x)
    y = y + np.sum(np.cos(%(read)s))
    for k in ("a", "b"):
        c = named[k]
        y = y + np.sum(np.sin(%(read)s))
    return y + sum(np.sum(np.cos(%(read)s)) for c in groups)
"""


@pytest.mark.parametrize("read", CHANGING)
def test_lists_that_are_others_in_each_pass(folder: Path, read: str) -> None:
    point = {"x": np.array([0.4, 1.7, -0.3]), "s": 1.3}
    path = folder / f"passes_{CHANGING.index(read)}.py"
    verdict = oracle.run_called(path, OF_PASSES % {"read": read}, ("x", "s"), (point,))
    assert verdict.checked == 1, verdict
