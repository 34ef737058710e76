"""The benchmarks measure what they say: gradients agree, linear updates record nothing.

No times are tested here.
"""

import re

import numpy as np
import pytest

import adlsp
from adlsp.server import messages
from benchmarks import debugging, demonstrations, derived, editing, reporting
from benchmarks.candidates import agree, candidates
from benchmarks.measuring import Candidate, medians
from benchmarks.workloads import EVERY, growing, jacobi

every_workload = pytest.mark.parametrize("workload", EVERY, ids=lambda w: w.primal.__name__)


@every_workload
def test_gradients_of_a_workload_agree_with_the_one_by_hand(workload):
    arguments = workload.arguments(workload.small)
    before = [np.copy(a) for a in arguments]
    found = candidates(workload, workload.small)
    assert {"primal", "hand", "adlsp"} <= set(found)
    for ours, theirs in zip(arguments, before, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@every_workload
def test_a_gradient_by_hand_agrees_with_differences(workload):
    arguments = workload.arguments(workload.small)
    for index, name in enumerate(workload.wrt):
        position = workload.primal.__code__.co_varnames.index(name)
        hand = workload.hand(*arguments, **_seeded(workload, arguments))[index]
        direction = np.random.default_rng(1).normal(size=np.shape(arguments[position]))
        ahead, behind = (
            _weighted(workload, arguments, position, h * direction) for h in (1e-6, -1e-6)
        )
        expected = (ahead - behind) / 2e-6
        assert np.sum(hand * direction) == pytest.approx(expected, rel=1e-6, abs=1e-8)


def test_a_wrong_gradient_is_not_measured():
    right = (np.ones(3), np.arange(3.0))
    with pytest.raises(AssertionError):
        agree(Candidate(lambda: (np.ones(3), np.zeros(3)), (), {}), right)
    with pytest.raises(AssertionError):
        agree(Candidate(lambda: (np.ones((3, 1)), np.arange(3.0)), (), {}), right)


def test_linear_updates_record_nothing():
    for workload in (jacobi.LINE, jacobi.PLANE):
        gradient = adlsp.grad(workload.primal, workload.wrt, outputs=workload.outputs)
        assert "append" not in gradient.derivative.source
    _, a, b = jacobi.LINE.arguments(400)
    few = demonstrations.peak(jacobi.LINE, (10, a, b))
    many = demonstrations.peak(jacobi.LINE, (1000, a, b))
    assert many < few + a.nbytes


def test_what_is_read_again_is_recorded():
    few, many = (demonstrations.peak(growing.FILLED, (0.5, n)) for n in (100, 1000))
    assert many > few + 900 * 8


def test_changed_arguments_are_fresh_in_each_call():
    def add_one(x):
        assert x[0] == 0
        x[0] += 1

    found = medians({"add": Candidate(add_one, (np.zeros(1),), {}, is_changing=True)}, 2)
    assert found["add"] > 0


def test_each_way_to_give_data_has_the_same_gradient():
    found = [adlsp.grad(f)(*args) for f, args in demonstrations.ways().values()]
    assert found == [2 * (1.5 * 0.5 - 2.0) * 0.5] * len(found)


@pytest.mark.parametrize(
    ("program", "arguments"),
    [(derived.ascent, derived.of_ascent()), (derived.basin, derived.of_basin())],
)
def test_what_is_derived_for_its_length_has_a_right_gradient(program, arguments):
    adlsp.check_grads(program, arguments, derived.WRT[program])


def test_the_table_shows_ratios():
    rows = [
        ("one", {"primal": 1e-3, "hand": 2e-3, "adlsp": 3e-3, "JAX": 8e-3}),
        ("two", {"primal": 1.0, "hand": 2.0, "adlsp": 24.0}),
    ]
    assert reporting.ratios(rows).splitlines()[2:] == [
        "| one | 1 ms | 3 ms | 1.50 | 3.00 | 2.00 | 4.0 |",
        "| two | 1 s | 24 s | 12.00 | 24.00 | 2.00 |  |",
        "| geometric mean |  |  | 4.24 | 8.49 | 2.00 |  |",
    ]


def _seeded(workload, arguments):
    return {"out_bar": workload.seed(arguments)} if workload.outputs else {}


def _weighted(workload, arguments, position, step):
    """The output of a primal with one argument moved, weighted with its seed."""
    moved = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    moved[position] = moved[position] + step
    out = workload.primal(*moved)
    if not workload.outputs:
        return out
    names = workload.primal.__code__.co_varnames
    found = [moved[names.index(name)] for name in workload.outputs]
    return sum(np.sum(o * s) for o, s in zip(found, workload.seed(arguments), strict=True))


def test_what_is_measured_in_an_editor_is_answered(tmp_path):
    editor = editing.Editor(str(tmp_path / "m.py"), editing.text(100))
    hovered, checked, outlined = editor.hover(), editor.check(), editor.outline()
    assert isinstance(hovered, messages.Described)
    assert hovered.title == "`step` is active"
    assert isinstance(checked, messages.Checked)
    assert checked.diagnostics == ()
    assert isinstance(outlined, messages.Outlines)
    assert sum(each.is_root for each in outlined.functions) == editing.N_ROOTS
    before = editor.snapshot
    editor.edit()
    assert editor.snapshot.texts != before.texts
    assert editor.check() == checked


def test_what_is_measured_under_debuggers_is_measured_for_each(tmp_path, monkeypatch):
    every = [*debugging.arms()]
    named = {arm.name: arm for arm in every}
    assert len(named) == len(every)
    assert {arm.beside for arm in every} <= {"", *named}
    chosen = [arm for arm in every if "condition" in arm.name or "recorded" in arm.name][:3]
    monkeypatch.setattr(debugging, "arms", lambda: chosen)
    times = debugging.loops(tmp_path, debugging.LITTLE)
    assert [*times] == [arm.name for arm in chosen]
    assert all(len(each) == 2 and min(each) > 0 for each in times.values())


def test_what_debuggers_are_asked_is_answered(tmp_path):
    times = debugging.answers(tmp_path, debugging.LITTLE)
    table = debugging.shown_answers(times).splitlines()
    assert [len(re.findall(r" (?:µs|ms|s) \|", line)) for line in table[2:]] == [3] * 6 + [2]


def test_derivatives_under_debuggers_are_made_in_turn(tmp_path):
    times = debugging.derivatives(tmp_path, debugging.LITTLE)
    assert [len(each) for each in times.values()] == [2] * 4
    assert debugging.MANY in debugging.shown_derivatives(times)
