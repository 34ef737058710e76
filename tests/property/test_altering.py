"""Arrays that change in ways, or by names, that are followed or not: right, or refused."""

import contextlib
from pathlib import Path

import altering
import numpy as np
import oracle
import pytest

import adlsp

REFUSED = {"of a module", "captured"}
"""The ways that are refused for each change that the result depends on."""

ACCEPTED = 4
"""How many programs of each other way are differentiated, at the least."""

POINT = {"x": np.array([0.7, -0.6, 0.4])}


@pytest.mark.parametrize("way", list(altering.WAYS))
def test_derivatives_are_right_or_refused(folder: Path, way: str) -> None:
    programs = [text for name, text in altering.programs() if name.endswith(f"({way})")]
    n_accepted = oracle.run_each(folder, f"altering {way}", programs, POINT)
    assert (n_accepted >= ACCEPTED) == (way not in REFUSED)


@pytest.mark.parametrize("way", list(altering.KEPT))
def test_what_was_read_before_is_kept(folder: Path, way: str) -> None:
    point = {"z": POINT["x"]}
    n_accepted = oracle.run_each(folder, f"altering kept {way}", altering.kept(way), point)
    assert n_accepted >= ACCEPTED


@pytest.mark.parametrize("way", list(altering.OF_VIEWS))
def test_what_changes_by_another_name_is_followed_or_refused(folder: Path, way: str) -> None:
    oracle.run_each(folder, f"altering seen {way}", altering.seen(way), POINT)


def test_what_lies_in_another_order_is_followed_or_refused(folder: Path) -> None:
    programs = altering.in_orders()
    assert oracle.run_each(folder, "altering orders", programs, POINT) >= 3 * ACCEPTED


@pytest.mark.parametrize("way", list(altering.OF_COPIES))
def test_what_changes_by_the_copy_of_a_list_is_followed_or_refused(folder: Path, way: str) -> None:
    oracle.run_each(folder, f"altering copied {way}", altering.copied(way), POINT)


@pytest.mark.parametrize("way", list(altering.OF_BINDINGS))
def test_what_a_callee_binds_again_is_right_or_refused(folder: Path, way: str) -> None:
    oracle.run_each(folder, f"altering bound {way}", altering.bound_again(way), POINT)


@pytest.mark.parametrize("way", list(altering.TOGETHER))
def test_what_is_changed_and_read_by_another_name_is_right_or_refused(
    folder: Path, way: str
) -> None:
    programs = altering.given_together(way)
    n_accepted = oracle.run_each(folder, f"altering together {way}", programs, POINT)
    assert n_accepted >= 4 or way not in ("another", "other rows")


def test_what_is_changed_and_read_by_what_holds_it_is_right_or_refused(folder: Path) -> None:
    programs = altering.given_with_holders()
    assert oracle.run_each(folder, "altering with holders", programs, POINT) >= ACCEPTED - 2


@pytest.mark.parametrize("key", altering.OF_CONTAINERS)
def test_what_a_given_container_holds_stays_as_it_is(folder: Path, key: str) -> None:
    held = np.array([0.7, -0.6, 0.4])
    point = {"D": {"c": held} if key == '"c"' else [held], "s": 1.5}
    n_accepted = 0
    for number, text in enumerate(altering.of_containers(key)):
        path = folder / f"altering_given_{len(key)}_{number}.py"
        with contextlib.suppress(adlsp.DifferentiationError):
            n_accepted += not oracle.run_called(path, text, ("D", "s"), (point,)).refused
    assert n_accepted >= ACCEPTED
