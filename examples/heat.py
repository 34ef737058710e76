"""A rod's temperature long ago, found from its temperature now.

The heat equation is stepped forward in a loop of slice stores; adlsp's gradient of the misfit at
the end, with respect to the temperature at the start, drives gradient descent back to it.
"""

import numpy as np

import adlsp


def diffuse(start, steps, r):
    """Steps the 1-D heat equation, its ends kept at 0; `r` is dt·diffusivity/dx², at most 0.5."""
    u = start.copy()
    for _ in range(steps):
        u_new = np.zeros_like(u)
        u_new[1:-1] = u[1:-1] + r * (u[:-2] - 2 * u[1:-1] + u[2:])
        u = u_new
    return u


def misfit(start, measured, steps, r):
    """Half the squared distance between the end state and the measured one."""
    gap = diffuse(start, steps, r) - measured
    return 0.5 * np.sum(gap * gap)


def fit(n=64, steps=40, r=0.4, n_iterations=2000, rate=1.8):
    """Finds a start that ends as measured; gives first and last misfit and the start's error."""
    place = np.linspace(0.0, 1.0, n)
    truth = np.exp(-(((place - 0.35) / 0.08) ** 2)) + 0.6 * np.exp(-(((place - 0.7) / 0.06) ** 2))
    measured = diffuse(truth, steps, r)
    misfit_and_gradient = adlsp.value_and_grad(misfit)
    start = measured.copy()
    first = misfit(start, measured, steps, r)
    for iteration in range(n_iterations):
        value, gradient = misfit_and_gradient(start, measured, steps, r)
        start -= rate * gradient
        if iteration % 500 == 0:
            print(f"iteration {iteration:4d}  misfit {value:.3e}")
    last = misfit(start, measured, steps, r)
    error = float(np.max(np.abs(start - truth)))
    print(f"misfit {first:.3e} -> {last:.3e}, largest error of the start {error:.3f}")
    return first, last, error


if __name__ == "__main__":
    fit()
