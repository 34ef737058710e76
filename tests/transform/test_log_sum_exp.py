"""Extremes that have no influence: found where all that depends on them cancels, and only there."""

from __future__ import annotations

import pytest
from lowered import lowered

from adlsp.transform.facts import log_sum_exp

ROWS = "axis=1, keepdims=True"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"e = np.exp(x - np.max(x, {ROWS}))\n return e / np.sum(e, {ROWS})", 1),
        ("m = np.max(x)\n return m + np.log(np.sum(np.exp(x - m)))", 1),
        ("m = x.min()\n y = x - m\n return y - np.mean(y)", 1),
        ("m = np.max(x)\n e = w * np.exp(x - m)\n return np.sum(e) / np.sum(np.exp(x - m))", 1),
        (f"e = np.exp(x - np.max(x, {ROWS}))\n return e / np.sum(e, axis=0, keepdims=True)", 0),
        (f"e = w * np.exp(x - np.max(x, {ROWS}))\n return e / np.sum(e, {ROWS})", 0),
        ("e = np.exp(x - np.max(x, axis=0))\n return e / np.sum(e, axis=0)", 0),
        ("m = np.max(x)\n return m * np.log(np.sum(np.exp(x - m)))", 0),
        ("m = np.max(x)\n y = x - m\n return y - np.sum(y)", 0),
        ("m = np.max(x)\n e = np.exp(x - m)\n e[0] = 1.0\n return e / np.sum(e)", 0),
        ("m = np.max(x)\n x = x * 2.0\n return m + np.log(np.sum(np.exp(x - m)))", 0),
        ("m = np.max(x)\n if w:\n  w = m\n return m + np.log(np.sum(np.exp(x - m))) + w", 0),
    ],
)
def test_what_cancels(body: str, expected: int) -> None:
    function, _ = lowered(f"def f(x, w):\n {body}")
    assert len(log_sum_exp.cancelled(function)) == expected
