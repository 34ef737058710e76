"""Sets and mappings that are never changed do what Python's own do, and share what is the same."""

from __future__ import annotations

import random

import pytest

from adlsp.transform.facts import persistent

SIZES = [5, 40, 300, 3000]


def some(draw: random.Random, size: int) -> list[str]:
    return [f"k{draw.randrange(size)}" for _ in range(draw.randrange(40))]


@pytest.mark.parametrize("size", SIZES)
def test_sets_are_as_those_of_python(size: int) -> None:
    draw = random.Random(size)
    ours, theirs = persistent.Set[str](), frozenset[str]()
    ours_before, theirs_before = ours, theirs
    for _ in range(400):
        keys = frozenset(some(draw, size))
        match draw.randrange(6):
            case 0 | 1:
                ours, theirs = ours.union(keys), theirs | keys
            case 2:
                ours, theirs = ours.difference(keys), theirs - keys
            case 3:
                ours, theirs = ours | ours_before, theirs | theirs_before
            case 4:
                ours, theirs = ours & ours_before, theirs & theirs_before
            case 5:
                ours_before, theirs_before = ours, theirs
        assert frozenset(ours) == theirs
        assert len(ours) == len(theirs)
        assert bool(ours) == bool(theirs)
        assert (ours == ours_before) == (theirs == theirs_before)
        assert (ours <= ours_before) == (theirs <= theirs_before)
        assert keys & ours == keys & theirs
        assert keys - ours == keys - theirs
        assert keys | ours == keys | theirs
        assert frozenset(ours - keys) == theirs - keys
        assert ours.isdisjoint(keys) == theirs.isdisjoint(keys)


@pytest.mark.parametrize("size", SIZES)
def test_mappings_are_as_those_of_python(size: int) -> None:
    draw = random.Random(size)
    ours, theirs = persistent.Map[str, int](), dict[str, int]()
    for _ in range(200):
        ours_before, theirs_before, keys = ours, theirs, some(draw, size)
        if draw.random() < 0.7:
            more = {key: draw.randrange(5) for key in keys}
            ours, theirs = ours | more, theirs | more
        else:
            ours = ours.without(keys)
            theirs = {key: value for key, value in theirs.items() if key not in keys}
        assert dict(ours) == theirs
        assert (ours == ours_before) == (theirs == theirs_before)
        assert set(ours.differing(ours_before)) == {
            key for key in theirs | theirs_before if theirs.get(key) != theirs_before.get(key)
        }


@pytest.mark.parametrize("size", SIZES)
def test_what_changes_nothing_gives_the_same_object(size: int) -> None:
    keys = [f"k{number}" for number in range(size)]
    whole = persistent.Set(keys)
    assert whole.union(keys[:3]) is whole
    assert whole.difference(["other"]) is whole
    assert whole | whole.difference(keys[:1]) is whole
    mapping = persistent.Map({key: key for key in keys})
    assert mapping | {keys[0]: keys[0]} is mapping
    assert mapping.without(["other"]) is mapping


def test_sets_that_grow_step_by_step_share_their_parts() -> None:
    def n_entries(n: int) -> int:
        """How many entries all nodes have of the sets on the way to one of so many keys."""
        now, nodes = persistent.Set[str](), dict[int, persistent.Node]()
        for number in range(n):
            now = now.union((f"k{number}",))
            pending = [now._root]
            while pending:
                node = pending.pop()
                if id(node) not in nodes:
                    nodes[id(node)] = node
                    pending += node if isinstance(node, tuple) else ()
        return sum(map(len, nodes.values()))

    assert n_entries(2000) < 2.5 * n_entries(1000)
