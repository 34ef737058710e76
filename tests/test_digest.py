"""`make digest`: which derivatives a change touches."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("digest", HOME / "tools" / "digest.py")
assert SPEC is not None
assert SPEC.loader is not None
digest = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(digest)

SQUARE = {
    "label": "square",
    "files": [("case.py", "def f(x):\n    return x * x\n")],
    "asked": [{"function": "f", "wrt": ["x"], "outputs": [], "kind": "grad"}],
}
BROKEN = {
    "label": "broken",
    "files": [("case.py", "def f(x):\n    return x.weight\n")],
    "asked": [
        {"check": True},
        {"function": "f", "wrt": ["x"], "outputs": [], "kind": "vjp", "optimize": False},
    ],
}


@pytest.fixture(autouse=True)
def _empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is kept of earlier runs, nor by the tests."""
    monkeypatch.setattr(digest, "KEPT", tmp_path / "kept")


def test_a_digest_has_texts_maps_and_findings() -> None:
    found = digest.given(HOME, [SQUARE, BROKEN])
    assert set(found) == {"square (grad)", "broken (check)", "broken (vjp, not optimized)"}
    assert "x_bar" in found["square (grad)"]["text"]
    assert len(found["square (grad)"]["map"]) == 64
    (told,) = found["broken (check)"]["findings"]
    assert told == "case.py:2:12-2:20: AD203 `x.weight` is an attribute of an object"


def test_an_engine_is_asked_once_about_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    answers = digest.answers
    monkeypatch.setattr(digest, "answers", lambda t, new: asked.append(new) or answers(t, new))
    first = digest.given(HOME, [SQUARE])
    both = digest.given(HOME, [BROKEN, {**SQUARE, "label": "another"}])
    assert asked == [[SQUARE], [BROKEN]]
    assert both["another (grad)"] == first["square (grad)"]
    assert answers(HOME, [SQUARE]) == [[*first.values()]]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({}, None),
        ({"text": "a + b"}, "text"),
        ({"map": "2"}, "map"),
        ({"findings": ["AD502"], "text": "a + b"}, "findings"),
        ({"findings": ["AD302"], "text": ""}, "refused now"),
        ({"findings": ["CRASH KeyError: 'x'"], "text": ""}, "crashes"),
    ],
)
def test_what_differs_has_one_word(change: dict[str, object], word: str | None) -> None:
    one = {"text": "b + a", "map": "1", "findings": []}
    other = {**one, **change}
    assert digest.changes({"f": one}, {"f": other}) == ({} if word is None else {"f": word})
    back = {"refused now": "derived now", "crashes": "derived now"}.get(word or "", word)
    assert digest.changes({"f": other}, {"f": one}) == ({} if back is None else {"f": back})
    assert (digest.digest({"f": one}) == digest.digest({"f": other})) is (word is None)


def test_differences_are_shown_by_line() -> None:
    one = {"text": "a\nb\n", "findings": ["AD502"]}
    other = {"text": "a\nc\n", "findings": []}
    lines = [line.strip() for line in digest.difference(one, other)]
    assert [line for line in lines if line[0] in "+-"] == ["-AD502", "-b", "+c"]
