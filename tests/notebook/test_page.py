"""The page of a derivative: what is on it, in which order, with and without Pygments."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

import adlsp
from adlsp.library.display import highlight
from adlsp.library.shown import Shown


def last(h):
    """Stands above what calls it, with <tags> & 'quotes'."""
    return np.tanh(h) * 2.0


def root(w, x):
    total = 0.0
    for row in x:
        total += np.sum(last(row * w))
    return total


def refused(w):
    try:
        return np.sum(w)
    finally:
        pass


def derived(function, **asked) -> Shown:
    made = adlsp.derive(function, **asked)
    assert isinstance(made, Shown)
    return made


def texts(shown: str) -> list[str]:
    """The lines of a page as one reads them, without their numbers."""
    rows = re.findall(r'<span class="no">\d+</span>(.*)\n', shown)
    return [html.unescape(re.sub(r"<[^>]+>", "", row)) for row in rows]


def test_the_differentiated_function_stands_above_what_it_calls() -> None:
    rows = texts(derived(root)._repr_html_())
    assert rows.index("def root(w, x):") < rows.index("def last(h):")
    assert rows.index("def last(h):") < rows.index("def root_grad(w, x, *, out_bar=1.0):")


def test_a_page_is_the_same_each_time() -> None:
    assert derived(root)._repr_html_() == derived(root)._repr_html_()
    assert " id=" not in derived(root)._repr_html_()


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_the_text_is_whole_with_and_without_pygments(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = derived(root, mode=mode)
    colored = made._repr_html_()
    monkeypatch.setattr(highlight, "pygments", None)
    plain = made._repr_html_()
    assert texts(plain) == texts(colored)
    assert '<span class="k">' in colored
    assert '<span class="k">' not in plain
    for shown in (plain, colored):
        assert any("<tags> & 'quotes'" in row for row in texts(shown))
        assert "&lt;tags&gt; &amp; " in shown
        assert "<tags>" not in shown


def test_each_line_lights_up_with_its_statement() -> None:
    made = derived(root)
    shown = made._repr_html_()
    right = shown.partition("<code>root_grad</code>")[2]
    lit = re.findall(r'class="line((?: g\d+)*)"><span class="no">(\d+)<', right)
    assert {int(number) for group, number in lit if group} == {m.line for m in made.source_map}
    for group in {group for groups, _ in lit for group in groups.split()}:
        assert f".adlsp:has(.{group}:hover) .{group}" in shown


def test_what_is_refused_shows_why() -> None:
    shown = derived(refused)._repr_html_()
    assert "<code>refused</code> has no derivative" in shown
    assert "AD401 error: `try` around active computation" in shown
    assert "\n   |     ^^^" in shown
    assert repr(derived(refused)) == "<refused has no derivative; why is in `.findings`>"
    assert repr(derived(root)) == "<derivative root_grad of root; its text is `.source`>"
