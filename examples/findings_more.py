"""Three more findings: a name that is not defined, a function without a rule, a changed parameter.

`adlsp check examples/findings_more.py` reports them.
"""

from __future__ import annotations

import numpy as np

import adlsp


@adlsp.differentiable(wrt="logits")
def cross_entropy(logits, labels):
    """Mean cross-entropy of class scores, by a helper whose import was forgotten."""
    return -np.mean(log_softmax(logits) * labels)  # noqa: F821


@adlsp.differentiable(wrt="concentration")
def von_mises_loss(concentration, angles):
    """Negative log-likelihood of angles around zero; `np.i0` has no derivative rule."""
    normalizer = np.log(2 * np.pi * np.i0(concentration))
    return np.mean(normalizer - concentration * np.cos(angles))


@adlsp.differentiable(wrt="rate")
def decay(rate, field):
    """Lets a field decay, in the caller's array, and gives the energy that is left."""
    field *= np.exp(-rate)
    return np.sum(field * field)


if __name__ == "__main__":
    for function in (cross_entropy, von_mises_loss, decay):
        try:
            adlsp.grad(function)
        except adlsp.DifferentiationError as error:
            print(f"{function.__name__}: {error}\n")
        else:
            print(f"{function.__name__}: has a gradient, which leaves the caller's array alone\n")
