"""The gradients of one workload, ours and others, each in the same calling convention.

Peers are measured where they are installed and know how to express the program.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

import adlsp
from benchmarks.measuring import Candidate
from benchmarks.workload import Function, Workload

Arguments = tuple[Any, ...]
"""What a workload is called with."""


def candidates(workload: Workload, size: int) -> dict[str, Candidate]:
    """What is measured of a workload; those whose gradients disagree with the one by hand raise."""
    arguments = workload.arguments(size)
    seed = workload.seed(arguments)
    made = {
        "primal": Candidate(workload.primal, arguments, {}, bool(workload.outputs)),
        "hand": Candidate(workload.hand, arguments, _keywords(seed)),
        "adlsp": _ours(workload, arguments, seed),
    }
    for name, peer in PEERS.items():
        found = None if workload.pure is None else peer(workload, arguments, seed)
        if found is not None:
            made[name] = found
    expected = workload.hand(*arguments, **made["hand"].keywords)
    for name, candidate in made.items():
        if name != "primal":
            agree(candidate, expected)
    return made


def agree(candidate: Candidate, expected: Arguments) -> None:
    """Raises AssertionError where the gradients of a candidate are not those that are expected."""
    found = candidate.function(*candidate.arguments, **candidate.keywords)
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        assert np.shape(ours) == np.shape(theirs)
        scale = float(np.max(np.abs(theirs)))
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11 * scale)


def _ours(workload: Workload, arguments: Arguments, seed: Arguments) -> Candidate:
    gradient = adlsp.grad(workload.primal, workload.wrt, outputs=workload.outputs)
    return Candidate(gradient, arguments, _keywords(seed))


def _autograd(workload: Workload, arguments: Arguments, seed: Arguments) -> Candidate | None:
    try:
        autograd = importlib.import_module("autograd")
    except ImportError:
        return None
    words = _words("autograd.numpy", "autograd.scipy.special")
    if words is None:
        return None
    weighted = _weighted(partial(_pure(workload), words))
    return Candidate(autograd.grad(weighted, _positions(workload)), arguments, _keywords(seed))


def _jax(workload: Workload, arguments: Arguments, seed: Arguments) -> Candidate | None:
    try:
        jax = importlib.import_module("jax")
    except ImportError:
        return None
    if not workload.is_traced:
        return None
    jax.config.update("jax_enable_x64", True)
    words = _words("jax.numpy", "jax.scipy.special")
    fixed = [i for i, a in enumerate(arguments) if isinstance(a, int)]
    gradient = jax.grad(_weighted(partial(_pure(workload), words)), _positions(workload))
    compiled = jax.jit(gradient, static_argnums=fixed)

    def gradient_now(*args: Any, **keywords: Any) -> Any:
        return jax.block_until_ready(compiled(*args, **keywords))

    return Candidate(gradient_now, arguments, _keywords(seed))


PEERS: dict[str, Callable[[Workload, Arguments, Arguments], Candidate | None]] = {
    "JAX": _jax,
    "autograd": _autograd,
}
"""Other libraries, by the name of their column."""


def _keywords(seed: Arguments) -> dict[str, Any]:
    return {"out_bar": seed} if seed else {}


def _pure(workload: Workload) -> Function:
    assert workload.pure is not None
    return workload.pure


def _positions(workload: Workload) -> tuple[int, ...]:
    names = workload.primal.__code__.co_varnames
    return tuple(names.index(name) for name in workload.wrt)


def _weighted(pure: Function) -> Function:
    """The program with one number as its result: its outputs, weighted with their gradients.

    These come as an argument, for otherwise a compiler would compute with them beforehand.
    """

    def weighted(*args: Any, out_bar: Arguments = ()) -> Any:
        found = pure(*args)
        if not out_bar:
            return found
        return sum((o * s).sum() for o, s in zip(found, out_bar, strict=True))

    return weighted


def _words(numpy: str, special: str) -> Any:
    """The functions of a peer's NumPy, and `erf`; None where its SciPy cannot be imported."""
    try:
        erf = importlib.import_module(special).erf
    except ImportError:
        return None
    return SimpleNamespace(**vars(importlib.import_module(numpy)), erf=erf)
