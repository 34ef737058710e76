"""Logarithms of sums of exponentials: what the repair makes of them, and where there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adlsp.lint import fix
from adlsp.transform import engine
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.source import Source

IMPORT = "from scipy.special import logsumexp\n"

REPAIRED = [
    ("np.log(np.sum(np.exp(x)))", "logsumexp(x)"),
    ("np.log(np.sum(np.exp(x), axis=0))", "logsumexp(x, axis=0)"),
    ("np.log(np.sum(np.exp(2 * x), 1, keepdims=True))", "logsumexp(2 * x, 1, keepdims=True)"),
    ("np.log(np.exp(x).sum())", "logsumexp(x)"),
    ("np.log(np.exp(x - 1).sum(axis=1))", "logsumexp(x - 1, axis=1)"),
    ("3 - np.log(np.sum(np.exp(x)))", "3 - logsumexp(x)"),
]

NOT_REPAIRED = [
    "np.log(1e-9 + np.sum(np.exp(x)))",
    "np.log(np.sum(np.exp(x), where=x > 0))",
    "np.log(np.sum(\n        np.exp(x)))",
    "np.log(np.sum(e := np.exp(x)))",
]

ANYWHERE = np.array([[-1.0, 0.5], [2.0, 0.0]])


def source(value: str, above: str = "") -> Source:
    text = f"import numpy as np\n{above}\n\ndef f(x):\n    return np.sum({value})\n"
    return Source("case.py", "case", text)


def found(text: Source) -> list[Diagnostic]:
    every = engine.check(text, StaticResolver({"case": text}.get), all_functions=True)
    return [each for each in every if each.code == "AD506"]


def run(text: str) -> Any:
    names: dict[str, Any] = {}
    exec(text, names)
    return names["f"](ANYWHERE)


@pytest.mark.parametrize(("value", "repaired"), REPAIRED)
def test_it_calls_scipy(value: str, repaired: str) -> None:
    text = source(value)
    (one,) = found(text)
    assert one.fix is not None
    assert not one.fix.is_safe
    after = fix.apply(text.text, [one.fix])
    assert after == source(repaired, IMPORT).text
    assert run(after) == pytest.approx(run(text.text))
    assert not found(Source("case.py", "case", after))


def test_a_name_that_is_there_is_used() -> None:
    text = source(REPAIRED[0][0], IMPORT)
    (one,) = found(text)
    assert one.fix is not None
    assert fix.apply(text.text, [one.fix]) == source(REPAIRED[0][1], IMPORT).text


def test_a_name_that_means_something_else_stays() -> None:
    (one,) = found(source(REPAIRED[0][0], "def logsumexp(x):\n    return x\n"))
    assert one.fix is None


@pytest.mark.parametrize("value", NOT_REPAIRED)
def test_others_stay(value: str) -> None:
    assert all(one.fix is None for one in found(source(value)))
