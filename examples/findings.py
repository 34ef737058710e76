"""Four functions as people write them, each with one thing that stands in the way of a gradient.

`adlsp check examples/findings.py` reports them: a closure, an `out=` argument, a `try` and a
`break`. Run as a program, the file asks for the gradients and prints why there are none.
"""

from __future__ import annotations

import numpy as np

import adlsp


@adlsp.differentiable(wrt="weights")
def weighted_error(weights, x, y):
    """Sum of squared residuals, each scaled by the size of the weights."""
    scale = np.sqrt(np.sum(weights * weights))

    def scaled(residual):
        return residual / scale

    residual = x @ weights - y
    return np.sum(scaled(residual) ** 2)


@adlsp.differentiable(wrt="weights")
def leaky_energy(weights, x, slope):
    """Energy of a layer whose negative activations are damped, computed without a new array."""
    activation = x @ weights
    damped = slope * activation
    np.maximum(activation, damped, out=activation)
    return np.sum(activation * activation)


@adlsp.differentiable(wrt="weights")
def relative_error(weights, x, y):
    """Mean relative error, or the absolute one where the target is all zeros."""
    difference = np.abs(x @ weights - y)
    try:
        error = np.mean(difference) / float(np.max(y))
    except ZeroDivisionError:
        error = np.mean(difference)
    return error


@adlsp.differentiable(wrt="matrix")
def dominant_eigenvalue(matrix, start, tolerance):
    """Largest eigenvalue by power iteration, until the vector does not change any more."""
    vector = start / np.sqrt(np.sum(start * start))
    for _ in range(100):
        image = matrix @ vector
        image = image / np.sqrt(np.sum(image * image))
        if np.sum((image - vector) ** 2) < tolerance:
            break
        vector = image
    return vector @ matrix @ vector


if __name__ == "__main__":
    for function in (weighted_error, leaky_energy, relative_error, dominant_eigenvalue):
        try:
            adlsp.grad(function)
        except adlsp.DifferentiationError as error:
            print(f"{function.__name__}: {error}\n")
