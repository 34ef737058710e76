"""The passes come in an order in which each has what it needs, and nothing is lost in the end."""

from __future__ import annotations

from typing import Any

import pytest
from lowered import lowered

from adlsp.transform import ir, pipeline
from adlsp.transform.ir.variables import Trips
from adlsp.transform.modes.augmented import Pairs
from adlsp.transform.pipeline import Asked, Has, Pass

CANONICAL = (*pipeline.WRITTEN_OUT, *pipeline.SETTLED, *pipeline.COPIED_OUT)
PIPELINES: dict[str, tuple[Pass[Any, Any], ...]] = {
    "canonical": (*CANONICAL, *pipeline.OF_ROOT),
    "guards": (*CANONICAL, *pipeline.DESUGARED, *pipeline.GUARDS),
    "forward": (*CANONICAL, *pipeline.FORWARD),
    "reverse": (*CANONICAL, *pipeline.REVERSE),
    "optimized": pipeline.OPTIMIZED,
}


@pytest.mark.parametrize("name", PIPELINES)
def test_each_pass_has_what_it_needs(name: str) -> None:
    now: set[Has] = set()
    for each in PIPELINES[name]:
        assert now.issuperset(each.needs), each.gives
        assert each.gives not in now or each.gives is Has.WRITTEN_BACK, "nothing to do"
        now = now.difference(each.loses) | {each.gives}
    assert now == {each.gives for each in PIPELINES[name]}


def test_what_a_pass_gives_is_given_by_some_pass_only() -> None:
    every = {each.gives for passes in PIPELINES.values() for each in passes}
    assert every == set(Has)


def test_the_order_tells_of_a_pass_that_is_missing() -> None:
    without = tuple(p for p in pipeline.OPTIMIZED if p is not pipeline.COPY_PROPAGATION)
    given = {each.gives for each in without}
    assert any(not given.issuperset(each.needs) for each in without)


def test_both_modes_begin_alike() -> None:
    first = (*pipeline.BY_HAND, *pipeline.DESUGARED)
    assert pipeline.FORWARD[: len(first)] == first
    assert pipeline.REVERSE[: len(first)] == first


def test_a_pipeline_is_what_runs() -> None:
    text = """
        def f(x, n):
            ys = [v * v for v in x]
            while n > 0:
                n = n - 1
            return ys[0]
    """
    function, program = lowered(text)
    seen = pipeline.run(pipeline.DESUGARED, function, Asked(("x",), program))
    assert any(isinstance(s, ir.For) for s in ir.walk(seen.body))
    asked = Asked(("x",), program, pairs=Pairs())
    made = pipeline.run(pipeline.REVERSE, function, asked)
    assert any(isinstance(name, Trips) for s in made.body for name in ir.writes(s))
