"""A sample bound to its rule: the call, its arguments, and the derivatives that the rule gives.

Arguments and results may be lists or tuples of arrays; `tree` has what these need.
"""

import copy
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from interpreter import function, run
from samples import SAMPLES, Call
from tree import is_smooth, moved, single, tangent, total

from adlsp import runtime as rt
from adlsp.transform import ir
from adlsp.transform.rules import reader, table

TABLE = table.load()
FILES = [file for file in table.FILES if not file.startswith("tensorflow.")]
DECLARED = [d for file in FILES for d in reader.read(table.source(file))[0]]
DIFFERENTIABLE = [d for d in DECLARED if d.word not in ("constant", "forward")]
COARSE = {"numpy.float32"}
"""Functions whose results are too coarse for differences."""

IS_OLD = find_spec("scipy") is not None and version("scipy") < "1.16"


def is_taken(name: str, call: Call) -> bool:
    """Tells whether this SciPy takes a sample: stacks of matrices from 1.16 on."""
    has_stack = any(isinstance(a, np.ndarray) and a.ndim > 2 for a in call.args)
    return not (IS_OLD and has_stack and name.startswith("scipy.linalg."))


COMPOSED = {n for d in DIFFERENTIABLE if d.word == "composite" for n in d.functions}
"""Functions of which some calls stand for steps that have rules."""


def literal(value: Any) -> ir.Atom:
    """An argument as the text of a call has it; what is no literal is a variable."""
    is_literal = value is None or isinstance(value, int | str)
    return ir.Const(value) if is_literal else ir.Name("v")


def stands_for_steps(name: str, call: Call) -> bool:
    """Tells whether the rule for a call says what steps it stands for."""
    if name not in COMPOSED:
        return False
    rule = TABLE.get(name)
    assert rule is not None
    keywords = tuple((key, literal(value)) for key, value in call.keywords.items())
    return table.fitting(rule, ir.Call(name, tuple(map(literal, call.args)), keywords)).kind == (
        "composite"
    )


EVERY = [
    pytest.param(name, call, id=f"{name}({call})")
    for name, first in {n: d.functions[0] for d in DIFFERENTIABLE for n in d.functions}.items()
    for call in (() if name in COARSE else SAMPLES.get(first, ()))
    if is_taken(name, call)
]
COMPOSITES = [case for case in EVERY if stands_for_steps(*case.values)]
CASES = [case for case in EVERY if not stands_for_steps(*case.values)]


class Case:
    """One call of one function, bound to its rule, with a tangent for each active argument.

    `values` are the variables of the call; of these, `parameters` has the elements of what is put
    together by a display, as variables of their own.
    """

    def __init__(self, name: str, call: Call) -> None:
        rule, called = TABLE.get(name), function(name)
        if called is None:
            pytest.skip(f"{name} is not installed")
        assert rule is not None
        self.called = called
        self.values: dict[str, Any] = {}
        args = tuple(self.atom(value) for value in call.args)
        keywords = tuple((key, self.atom(value)) for key, value in call.keywords.items())
        self.call = ir.Call(name, args, keywords)
        self.rule = rule = table.fitting(rule, self.call)
        bound = table.bind(rule.parameters, self.call)
        assert isinstance(bound, dict), bound
        self.bound = {key: self.value(atom) for key, atom in bound.items()}
        own = [name for name in rule.of if isinstance(bound[name], ir.Name)]
        self.active = [name for name in own if is_smooth(self.bound[name])]
        random = np.random.default_rng(7)
        self.dots = {name: tangent(random, self.bound[name]) for name in self.active}
        self.places = {key: bound[key].id for key in self.active}  # type: ignore[union-attr]
        self.out = self.at({})
        self.out_bar = tangent(random, self.out)

    def atom(self, value: Any) -> ir.Atom:
        if value is None or isinstance(value, int | str):
            return ir.Const(value)
        self.values[f"v{len(self.values)}"] = value
        return ir.Name(f"v{len(self.values) - 1}")

    def value(self, atom: ir.Atom) -> Any:
        return atom.value if isinstance(atom, ir.Const) else self.values[atom.id]  # type: ignore[union-attr]

    def at(self, changed: dict[str, Any]) -> Any:
        """The function's value where some of the arguments, by parameter, are others."""
        values = dict(self.values)
        for key, new in changed.items():
            is_array = isinstance(self.bound[key], np.ndarray)
            values[self.places[key]] = np.asarray(new) if is_array else new
        pick = lambda atom: atom.value if isinstance(atom, ir.Const) else values[atom.id]  # noqa: E731
        args = [copy.deepcopy(pick(atom)) for atom in self.call.args]
        return self.called(*args, **{key: pick(atom) for key, atom in self.call.keywords})

    def bars(self) -> dict[str, Any]:
        """The gradients of the active arguments by the rule's reverse template."""
        assert self.rule.reverse is not None
        given = {**self.bound, "out": self.out, "out_bar": self.out_bar}
        results = {key: run(self.rule.reverse, self.index(key), given) for key in self.active}
        if self.rule.kind != "elementwise":
            return results
        products = {key: self.out_bar * partial for key, partial in results.items()}
        return {key: rt.unbroadcast(p, self.bound[key]) for key, p in products.items()}

    def out_dot(self, active: list[str]) -> Any:
        """The tangent of the result, where the arguments named have tangents, as the rule gives."""
        dots = {name: self.dots[name] for name in active}
        match self.rule.kind:
            case "elementwise":
                given = {**self.bound, "out": self.out}
                assert self.rule.reverse is not None
                partials = {key: run(self.rule.reverse, self.index(key), given) for key in dots}
                return sum((partials[key] * dot for key, dot in dots.items()), 0.0 * self.out)
            case "linear":
                zeros = {key: rt.zeros(self.bound[key]) for key in self.active}
                return self.at({**zeros, **dots})
            case "multilinear":
                return total([self.at({key: dot}) for key, dot in dots.items()])
        given = {**self.bound, "out": self.out}
        given.update({f"{key}_dot": dot for key, dot in dots.items()})
        assert self.rule.forward is not None
        return total([run(self.rule.forward, self.index(key), given) for key in dots])

    def index(self, parameter: str) -> int:
        return self.rule.of.index(parameter)


def differences(case: Case, active: list[str]) -> Any:
    """The tangent of the result by central differences of fourth order."""
    h = 1e-3
    steps = {h: 8 / (12 * h), -h: -8 / (12 * h), 2 * h: -1 / (12 * h), -2 * h: 1 / (12 * h)}
    parts = []
    for step, weight in steps.items():
        changed = {key: moved(case.bound[key], case.dots[key], step) for key in active}
        parts.append(moved(None, case.at(changed), weight))
    return total(parts)


def in_single_precision(call: Call) -> Call:
    """The same call, with all floats in float32."""
    return Call(tuple(map(single, call.args)), {k: single(v) for k, v in call.keywords.items()})
