"""Objects that are given and change: values and gradients are right, or refused.

`ADLSP_PROPERTY_PROGRAMS` times some programs are tried, from that number `ADLSP_PROPERTY_FIRST` on.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lending
import numpy as np
import oracle
import pytest

import adlsp

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "10"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

EACH = 40
"""How many programs are tried for each that is asked for: many of them are none."""

ACCEPTED = 0.45
"""How many that run are differentiated, at the least: many ask for whole objects."""

H = 1e-6

X = np.array([0.9, -0.3, 0.6])


def arrays(held: Any, way: tuple[Any, ...] = (), around: tuple[int, ...] = ()) -> Iterator[Any]:
    """The arrays in objects, and by which attributes, keys and places they are reached."""
    if id(held) in around:
        return
    if isinstance(held, np.ndarray):
        yield way
        return
    parts: Any = ()
    if isinstance(held, dict):
        parts = held.items()
    elif isinstance(held, list | tuple):
        parts = enumerate(held)
    elif type(held).__module__.startswith("lending"):
        parts = vars(held).items()
    for key, part in parts:
        yield from arrays(part, (*way, key), (*around, id(held)))


def at(held: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        is_plain = isinstance(held, dict | list | tuple)
        held = held[key] if is_plain else getattr(held, key)
    return held


def slopes(value: Callable[[np.ndarray[Any, Any]], float], shape: tuple[int, ...]) -> Any:
    """Differences of a function of what is added to an array."""
    found = np.zeros(shape)
    for place in np.ndindex(shape):
        step = np.zeros(shape)
        step[place] = H
        found[place] = (value(step) - value(-step)) / (2 * H)
    return found


def check(module: Any) -> None:
    """Compares values and gradients with the primal; an argument is left as it is."""
    net = module.make()
    ways = [*arrays(net)]
    before = [at(net, way).copy() for way in ways]
    is_tree = all("net" not in vars(o) for o in (net.a, net.b))  # else it has no gradient
    wrt = ("net", "x") if is_tree else ("x",)
    value, gradients = adlsp.value_and_grad(module.f, wrt=wrt)(net, X.copy())
    assert np.isclose(value, module.f(module.make(), X.copy()))
    assert [*arrays(net)] == ways
    assert all(map(np.array_equal, before, (at(net, way) for way in ways)))
    expected = slopes(lambda step: module.f(module.make(), X + step), X.shape)
    np.testing.assert_allclose(gradients[-1], expected, rtol=1e-4, atol=1e-5)
    pairs = itertools.combinations([at(net, way) for way in ways], 2)
    is_tree = is_tree and not any(np.shares_memory(*pair) for pair in pairs)
    for way in ways if is_tree else ():

        def moved(step: Any, way: tuple[Any, ...] = way) -> float:
            other = module.make()
            at(other, way)[...] += step
            found: float = module.f(other, X.copy())
            return found

        given = at(gradients[0], way)
        expected = slopes(moved, np.shape(given))
        np.testing.assert_allclose(given, expected, rtol=1e-4, atol=1e-5, err_msg=str(way))


def test_derivatives_are_right_or_refused(folder: Path) -> None:
    wrong: list[str] = []
    n_run = n_accepted = 0
    programs = lending.programs(EACH * N_PROGRAMS, EACH * FIRST)
    for number, (name, text) in enumerate(programs):
        module = oracle.load(folder / f"lending_{EACH * FIRST + number}.py", text)
        try:
            module.f(module.make(), X.copy())
        except (AttributeError, TypeError):  # it has no such part
            continue
        n_run += 1
        try:
            with oracle.refusing_late():
                check(module)
        except (oracle.LateError, adlsp.DifferentiationError):
            continue
        except Exception as error:
            if "an argument that holds itself" in str(error):
                continue
            wrong.append(f"{name}\n{text[text.index('def make') :]}\n{error!r}")
            continue
        n_accepted += 1
    assert not wrong, "\n\n".join(wrong)
    assert n_accepted > ACCEPTED * n_run > 0


@pytest.mark.parametrize("name", list(lending.FOUND))
def test_programs_that_were_wrong_are_right_or_refused(folder: Path, name: str) -> None:
    text, is_right = lending.FOUND[name]
    module = oracle.load(folder / f"lending_{name.replace(' ', '_')}.py", lending.BODIES + text)
    for derivative in (adlsp.value_and_grad(module.f, wrt="x"), adlsp.grad(module.f, wrt="x")):
        if not is_right:
            with pytest.raises(oracle.LateError), oracle.refusing_late():
                derivative(*module.make(), X.copy())
            continue
        found = derivative(*module.make(), X.copy())
        gradient = found[1] if isinstance(found, tuple) else found
        expected = slopes(lambda step: module.f(*module.make(), X + step), X.shape)
        np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-5)
        tangent = adlsp.jvp(module.f, wrt="x")(*module.make(), X.copy(), dots=(X,))
        assert np.isclose(tangent, expected @ X, rtol=1e-4, atol=1e-5)


def test_each_program_is_one_of_its_own() -> None:
    texts = [text for _, text in lending.programs(500)]
    assert len({*texts}) == 500
    assert texts[:10] == [text for _, text in lending.programs(10)]


@pytest.mark.parametrize("change", lending.CHANGES)
def test_layers_of_a_list_are_differentiated(folder: Path, change: str) -> None:
    given = lending.GIVEN["in containers"]
    for way in ("of a list", "of values", "by keys", "by index", "of a tuple"):
        text = lending.HEAD.replace("{way}", lending.WAYS[way]).replace("{given}", given)
        text = text.replace("{read}", "return (y * x).sum()").replace("{change}", change)
        check(oracle.load(folder / f"lending_{change}_{way.replace(' ', '_')}.py", text))
