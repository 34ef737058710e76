"""Questions that rest on each other have the least answers, whichever of them is asked first."""

from __future__ import annotations

import itertools
import random

import pytest

from adlsp.transform.facts import demand, graphs

Graph = dict[str, tuple[str, ...]]

RING: Graph = {"a": ("b",), "b": ("c",), "c": ("a", "d"), "d": ()}
NESTED: Graph = {"a": ("b",), "b": ("c", "a"), "c": ("b", "d"), "d": ("e",), "e": ("d", "c")}


class Reached:
    """What each node of a graph reaches: its own name, and what its successors reach."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.answers = demand.Answers()
        self.least: dict[str, frozenset[str]] = {}
        self.sizes: dict[str, int] = {}
        self.n_made = 0

    def of(self, node: str) -> frozenset[str]:
        return self.answers.least(
            self.least, node, frozenset[str](), lambda: self._made(node), frozenset.union
        )

    def size(self, node: str) -> int:
        """How many nodes another one reaches: rests on itself only by way of these."""
        return self.answers.once(self.sizes, node, lambda: len(self.of(node)))

    def _made(self, node: str) -> frozenset[str]:
        self.n_made += 1
        followed = self.graph[node]
        assert all(self.size(each) <= len(self.of(each)) for each in followed)
        return frozenset.union(frozenset(node), *map(self.of, followed))


def expected(graph: Graph) -> dict[str, frozenset[str]]:
    return {node: frozenset(graphs.reached((node,), graph.__getitem__)) for node in graph}


@pytest.mark.parametrize("graph", [RING, NESTED], ids=["ring", "nested"])
def test_answers_do_not_depend_on_what_is_asked_first(graph: Graph) -> None:
    for order in itertools.permutations(graph):
        found = Reached(graph)
        assert {node: found.of(node) for node in order} == expected(graph)
        assert {node: found.size(node) for node in order} == {
            node: len(reached) for node, reached in expected(graph).items()
        }


@pytest.mark.parametrize("seed", range(200))
def test_answers_about_random_graphs_are_least(seed: int) -> None:
    chance = random.Random(seed)
    nodes = "abcdefgh"[: chance.randint(1, 8)]
    graph = {n: tuple(chance.sample(nodes, chance.randint(0, min(3, len(nodes))))) for n in nodes}
    found = Reached(graph)
    asked = chance.sample(nodes, len(nodes))
    assert {node: found.of(node) for node in asked} == {n: expected(graph)[n] for n in asked}
    assert set(found.least) == set(found.sizes) | set(nodes)
    n_made = found.n_made
    assert [found.of(node) for node in nodes]
    assert found.n_made == n_made


def test_dense_graphs_are_worked_out_a_few_times() -> None:
    chance = random.Random(0)
    nodes = [chr(ord("a") + k) for k in range(26)]
    found = Reached({node: tuple(chance.sample(nodes, 4)) for node in nodes})
    assert all(found.of(node) == expected(found.graph)[node] for node in nodes)
    assert found.n_made <= 8 * len(nodes)


def test_a_ring_is_not_worked_out_more_often_than_it_is_long() -> None:
    nodes = [chr(ord("a") + k) for k in range(20)]
    graph = {one: (other,) for one, other in zip(nodes, [*nodes[1:], nodes[0]], strict=True)}
    found = Reached(graph)
    assert all(found.of(node) == frozenset(nodes) for node in nodes)
    assert found.n_made <= 3 * len(nodes)


def test_what_rests_on_an_open_question_is_forgotten_when_more_is_known() -> None:
    answers = demand.Answers()
    least: dict[str, frozenset[str]] = {}
    once: dict[str, int] = {}
    seen: list[int] = []

    def size() -> int:
        return len(ask())

    def made() -> frozenset[str]:
        seen.append(answers.once(once, "size", size))
        assert "size" in once
        return frozenset("xy")

    def ask() -> frozenset[str]:
        return answers.least(least, "all", frozenset(), made, frozenset.union)

    assert ask() == frozenset("xy")
    assert seen == [0, 2]
    assert once == {"size": 2}


def test_what_is_found_by_something_unfinished_is_forgotten_in_the_end() -> None:
    answers = demand.Answers()
    forms: dict[str, str] = {"f": "before"}
    once: dict[str, str] = {}

    def form() -> str:
        answers.ask(forms, "f")
        return forms["f"]

    with answers.working(forms, "f"):
        assert answers.once(once, "form", form) == "before"
        assert answers.once(once, "other", lambda: "rests on nothing") == "rests on nothing"
        assert set(once) == {"form", "other"}
        forms["f"] = "after"
    assert once == {"other": "rests on nothing"}
    assert answers.once(once, "form", form) == "after"


def test_what_asks_for_something_unfinished_does_not_rest_on_it_in_the_end() -> None:
    answers = demand.Answers()
    forms: dict[str, str] = {}
    once: dict[str, str] = {}

    def form() -> str:
        with answers.working(forms, "f"):
            answers.ask(forms, "f")
            forms["f"] = "form"
        return forms["f"]

    assert answers.once(once, "form", form) == "form"
    assert once == {"form": "form"}


def test_what_is_worked_out_aside_rests_on_nothing_that_is_open() -> None:
    answers = demand.Answers()
    least: dict[str, frozenset[str]] = {}
    once: dict[str, int] = {}

    def size() -> int:
        return len(answers.least(least, "all", frozenset(), made, frozenset.union))

    def made() -> frozenset[str]:
        answers.once(once, "within", size)
        with answers.aside():
            assert "within" not in once
            assert answers.once(once, "aside", lambda: 3) == 3
        return frozenset("xy")

    assert size() == 2
    assert once["aside"] == 3


def test_a_question_that_fails_leaves_nothing_behind() -> None:
    answers = demand.Answers()
    least: dict[str, frozenset[str]] = {}
    once: dict[str, int] = {}

    def size() -> int:
        return len(ask(failing))

    def failing() -> frozenset[str]:
        answers.once(once, "size", size)
        raise ValueError("no answer")

    def ask(make: object) -> frozenset[str]:
        assert callable(make)
        return answers.least(least, "all", frozenset("x"), make, frozenset.union)

    with pytest.raises(ValueError, match="no answer"):
        ask(failing)
    assert not least
    assert not once
    assert ask(lambda: frozenset("y")) == frozenset("xy")
