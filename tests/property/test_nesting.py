"""Gradients of nested structures: right, of the same structure, and nobody else's.

`ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST` are as in `test_programs.py`.
"""

from __future__ import annotations

import copy
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import keyed
import nesting
import numpy as np
import oracle
import pytest

import adlsp

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "25"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))

X = np.array([0.7, -0.2, 1.3])


def leaves(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The arrays and numbers in a structure, and where they are."""
    match tree:
        case dict():
            inner: Any = tree.items()
        case tuple() if hasattr(tree, "_fields"):
            inner = zip(tree._fields, tree, strict=True)
        case tuple() | list():
            inner = enumerate(tree)
        case float() | int() | np.ndarray() | np.number():
            yield path, tree
            return
        case str() | None:
            return
        case _:
            inner = vars(tree).items()
    for key, part in inner:
        yield from leaves(part, (*path, key))


def moved(tree: Any, path: tuple[Any, ...], by: Any) -> Any:
    """A structure in which the part at a place is another one."""
    if not path:
        return tree + by
    first, *rest = path
    if isinstance(tree, dict | list):
        tree[first] = moved(tree[first], tuple(rest), by)
    elif isinstance(tree, tuple):
        names = getattr(tree, "_fields", range(len(tree)))
        parts = [
            moved(part, tuple(rest), by) if name == first else part
            for name, part in zip(names, tree, strict=True)
        ]
        return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)
    else:
        setattr(tree, first, moved(getattr(tree, first), tuple(rest), by))
    return tree


def difference(f: Any, net: Any, path: tuple[Any, ...], direction: Any) -> float:
    h = 1e-6
    up, down = (moved(copy.deepcopy(net), path, sign * h * direction) for sign in (1, -1))
    return float(f(up, X) - f(down, X)) / (2 * h)


def kinds(tree: Any) -> Any:
    """The containers of a structure; of objects only their attributes."""
    match tree:
        case dict():
            return {key: kinds(part) for key, part in tree.items()}
        case tuple() | list():
            return type(tree), [*map(kinds, tree)]
        case float() | int() | np.ndarray() | np.number() | str() | None:
            return np.shape(tree) if not isinstance(tree, str | None) else ""
        case _:
            return {name: kinds(part) for name, part in vars(tree).items()}


@pytest.mark.parametrize("writer", [nesting, keyed])
@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivatives_are_right(folder: Path, seed: int, writer: ModuleType) -> None:
    text = writer.write(seed)
    module = oracle.load(folder / f"{writer.__name__}_{seed}.py", text)
    f, net = module.f, module.make()
    try:
        f(net, X)
    except (KeyError, IndexError):
        return  # it comes to places that there are not
    before = copy.deepcopy(net)
    value, (net_bar, x_bar) = adlsp.value_and_grad(f, ("net", "x"))(net, X)
    assert np.allclose(value, f(net, X)), text
    assert str(dict(leaves(net))) == str(dict(leaves(before))), text
    given, found = dict(leaves(net)), dict(leaves(net_bar))
    exact = copy.deepcopy(net)
    for path, part in given.items():
        if isinstance(part, np.ndarray):
            exact = moved(exact, path, np.zeros(3))
    rng = np.random.default_rng(seed)
    for path, part in given.items():
        if isinstance(part, int):
            continue
        direction = rng.normal(size=np.shape(part))
        want = difference(f, exact, path, direction)
        assert np.isclose(np.sum(found[path] * direction), want, rtol=1e-4, atol=1e-5), (path, text)
        assert np.asarray(found[path]).dtype == np.asarray(part).dtype, (path, text)
    assert kinds(net_bar) == kinds(net), text
    arrays = [part for part in (*found.values(), x_bar) if isinstance(part, np.ndarray)]
    for one, other in itertools.combinations(arrays, 2):
        assert not np.shares_memory(one, other), text
