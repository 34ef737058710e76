"""Programs in which complex numbers come out of real ones, and real ones out of complex ones.

NumPy drops imaginary parts where it is told to: a dtype says so, or an array of floats that is
stored into. As in `stacking.py`, no template knows what fits: a statement is drawn until one is
found that runs.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import stacking
import typed

HEAD = """import numpy as np


def stored(v):
    kept = np.zeros(3)
    kept[:] = v
    return kept


def grown(v, w):
    kept = np.zeros(3)
    for i in range(3):
        kept[i] = v[i] * w[0]
    return kept


def filled(c):
    kept = np.ones(3)
    kept.fill(c)
    return kept


def on_diagonal(v):
    kept = np.ones((3, 3))
    np.fill_diagonal(kept, v)
    return kept[0] + kept[1]


def added(v, n):
    kept = np.zeros(3)
    kept[1] = v[0]
    kept[0] += n
    kept[2] = kept[0] * n
    return kept


def collected(v):
    kept = []
    for each in v:
        kept.append(float(each))
    return np.array(kept)


def parts(v):
    return v.real, v.imag


def turned(v, w):
    return v * np.exp(1j * w)


def size(v):
    return np.sum(np.abs(v) ** 2)


def kept_first(v, w):
    both = {"first": v, "second": w}
    both["second"] = both["second"] * both["first"]
    return both["second"]


class Wave:
    def __init__(self, amplitude, phase):
        self.amplitude = amplitude
        self.phase = phase

    def field(self):
        return self.amplitude * np.exp(1j * self.phase)

    def energy(self):
        return np.array(self.field() * np.conj(self.field()), dtype=float)


"""

FLOAT = ("float", "np.float64", '"float64"')

EXPRESSIONS = {
    "rvec": stacking.templates("""
        np.real({cvec}); {cvec}.imag; {cvec}.real; np.imag({cvec}); np.abs({cvec});
        {rvec} * {num}; {rvec} + {rvec}; {rvec} * {rvec}; -{rvec}; np.sin({rvec}); {rvec} - {num};
        np.array({cvec}, dtype={dtype}); np.asarray({cvec}, {dtype}); {cvec}.astype({dtype});
        np.array([{cnum}, {num}, {cnum}]).real; np.float64({cvec}); {rvec} / (2.0 + {rvec} ** 2);
        np.full(3, {num}, dtype={dtype}); np.full(3, {cvec}[0], dtype={dtype});
        np.full_like({rvec}, {cvec}[1]); np.full_like({cvec}, {num}, dtype={dtype});
        np.linspace({num}, {num}, 3); np.cumsum({rvec}); np.array(np.cumsum({cvec}), dtype={dtype});
        stored({cvec}); grown({cvec}, {cvec}); filled({cvec}[0]); on_diagonal({cvec});
        added({cvec}, {num}); collected({cvec}); parts({cvec})[0]; parts({cvec})[1];
        Wave({rvec}, {rvec}).energy(); np.where({rvec} > 0, {rvec}, {num}); {rvec}[::-1];
        ({cvec} * np.conj({cvec})).real; np.array([float(each) for each in {cvec}]);
        np.fft.irfft({cvec}[:2], 3); np.concatenate([{rvec}[:1], {cvec}[1:].imag]);
        np.maximum({rvec}, {num}); np.array({cvec}, dtype={dtype}, ndmin=2)[0]; stored({rvec});
        np.mean([{rvec}, {rvec}], axis=0); kept_first({rvec}, {rvec}); np.tanh({rvec})
    """),
    "cvec": stacking.templates("""
        {rvec} * {cnum}; {cvec} * {cvec}; {cvec} + {rvec}; {cvec} * {rvec}; {rvec} - {cvec};
        np.exp(1j * {rvec}); {rvec} + 1j * {rvec}; np.conj({cvec}); turned({rvec}, {rvec});
        turned({cvec}, {rvec}); np.fft.fft({cvec}); np.fft.ifft({rvec}); {cvec} * {num};
        np.where({rvec} > 0, {cvec}, {rvec}); {cvec} / (2.0 + {rvec} ** 2); {rvec}.astype(complex);
        np.array({rvec}, dtype=complex); np.array([{cnum}, {num}, {cnum}]); {cvec}[::-1];
        np.concatenate([{cvec}[:1], {rvec}[1:]]); np.stack([{cvec}, {rvec}])[1]; {cvec}.copy();
        np.stack([{rvec}, {cvec}])[0]; Wave({rvec}, {rvec}).field(); Wave({cvec}, {rvec}).field();
        np.sin({cvec}); np.array([each * {cnum} for each in {rvec}]); kept_first({rvec}, {cvec});
        np.outer({rvec}, {cvec})[0]; {cvec} @ np.eye(3); np.cumsum({cvec}); -{cvec};
        np.full(3, {cnum}); np.full(3, {num}, dtype=complex); kept_first({cvec}, {rvec})
    """),
    "num": stacking.templates("""
        np.sum({rvec}); {rvec}[0]; {rvec}[-1]; {num} * {num}; {num} + 0.5; np.cos({num});
        np.real({cnum}); {cnum}.imag; abs({cnum}); np.abs({cnum}); float({cvec}[1]);
        np.float64({cvec}[0]); float(np.sum({cvec})); size({cvec}); size({rvec}); {rvec} @ {rvec};
        np.sum({cvec}, dtype={dtype}); {cvec}.sum(dtype={dtype}); np.mean({cvec}, dtype={dtype});
        np.vdot({cvec}, {cvec}).real; {rvec}.mean(); np.linalg.norm({cvec}); {cvec}[0].real;
        float({num})
    """),
    "cnum": stacking.templates("""
        np.sum({cvec}); {cvec}[0]; {cvec}[2]; {cnum} * {num}; {cnum} * {cnum}; {num} * (0.5 - 2j);
        complex({num}, {num}); np.dot({cvec}, {rvec}); np.vdot({cvec}, {rvec}); {cnum} + {num};
        np.exp(1j * {num}); np.conj({cnum}); {rvec} @ {cvec}; {num} + 0.5j; {cvec}.mean();
        np.complex128({num}); complex({num}); {cnum} / (2.0 + {num} ** 2)
    """),
}

STATEMENTS = stacking.templates("""
    {new_rvec} = {rvec}; {new_cvec} = {cvec}; {new_num} = {num}; {new_cnum} = {cnum};
    {new_rvec} = {rvec}; {new_cvec} = {cvec}; {new_rvec} = np.zeros(3)\n{it}[1:] = {cvec}[1:];
    {new_rvec} = {rvec} * 1.0\n{it}[0] = {cvec}[0]; {new_rvec} = {rvec} * 1.0\n{it}[:] = {cvec};
    {new_rvec} = {rvec} * 1.0\n{it}[1] = {num}\n{it}[2] *= {num};
    {new_cvec} = {cvec} * 1.0\n{it}[0] = {num}; {new_cvec} = {cvec} * 1.0\n{it} *= {cnum};
    {new_cvec} = {cvec} * 1.0\n{it}[1:] += {rvec}[1:];
    {new_rvec} = np.zeros(3)\nfor i in range(3):\n    {it}[i] = {cvec}[i] * {cnum};
    {new_rvec} = {rvec}\nfor i in range(3):\n    {it} = {it} * {num} + {cvec}[i].real;
    {new_cvec} = {rvec}\nfor i in range(2):\n    {it} = {it} * {cnum};
    {new_cnum} = 0.0\nfor each in {cvec}:\n    {it} = {it} + each * {num};
    {new_num} = 0.0\nfor each in {cvec}:\n    {it} += float(each) * {num};
    {new_rvec}, {new_rvec} = parts({cvec});
    {new_cvec} = {rvec} if {num} > 0 else {cvec};
    {new_rvec} = {rvec}\nif {num} > 0:\n    {it} = np.array({cvec}, dtype={dtype});
    {new_rvec} = np.zeros((2, 3))\n{it}[0] = {cvec}\n{it} = {it}[0] + {rvec};
    {new_rvec} = np.zeros(3)\n{it}.real = {rvec};
    {new_rvec} = np.zeros(3)\nnp.copyto({it}, {cvec}, casting="unsafe")
""")

GIVEN = {"rvec": ["x", "y"], "cvec": ["z", "w"], "num": ["s"], "cnum": ["q"]}
PARAMETERS = [name for names in GIVEN.values() for name in names]

RESULTS = (
    "np.sum(np.abs({cvec}) ** 2) + np.sum(({cvec} * (0.3 - 2j)).imag) + np.sum({rvec} * {rvec})",
    "np.sum({rvec} * ({cvec} * {cnum}).real) + {num}",
    "np.abs({cnum} * {num}) ** 2 + size({rvec} * {cvec})",
    "np.sum(({rvec} * {cnum}).imag)",
    "{rvec} * {cnum}, {num}",
    "{cvec}",
)

LIBRARY: dict[str, Any] = {}
"""What the head of a program defines."""
exec(HEAD, LIBRARY)


def write(seed: int) -> typed.Program:
    """Writes the program of a seed."""
    random = Random(seed)
    points = tuple(_point(seed * 10 + i) for i in range(2))
    names = {kind: list(given) for kind, given in GIVEN.items()}
    helpers = {"dtype": list(FLOAT)}
    writer = stacking.Writer(random, names, helpers, EXPRESSIONS, STATEMENTS, (), 1)
    writer.points, writer.library = points, LIBRARY
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        for _ in range(random.choice((1, 2, 3, 4))):
            writer.added()
        result = writer.filled(random.choice(RESULTS), 1)
        while not writer.fits(f"_ = {result}"):
            result = writer.filled(random.choice(RESULTS), 1)
    made = stacking.program(seed, HEAD, writer, result)
    return typed.Program(seed, made.text, made.wrt, tuple(map(_given, made.points)))


def _given(point: dict[str, Any]) -> Callable[[Any], dict[str, Any]]:
    """Makes the same arguments each time, whatever the module."""
    return lambda _: copy.deepcopy(point)


def _point(seed: int) -> dict[str, Any]:
    """Arguments by their names."""
    numbers = np.random.default_rng(seed)

    def drawn(*shape: int) -> Any:
        return np.asarray(numbers.uniform(0.2, 1.2, shape) * numbers.choice((-1, 1), shape))

    return {
        "x": drawn(3),
        "y": drawn(3),
        "z": drawn(3) + 1j * drawn(3),
        "w": drawn(3) + 1j * drawn(3),
        "s": float(drawn()),
        "q": complex(drawn() + 1j * drawn()),
    }
