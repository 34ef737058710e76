"""What one passes to `adlsp.grad`: closures, methods and lambdas, with the data around them."""

from __future__ import annotations

import numpy as np

import adlsp

Array = np.ndarray


class Spring:
    """A chain of points that springs hold together."""

    def __init__(self, stiffness: float, rest: float) -> None:
        self.stiffness = stiffness
        self.rest = rest

    def stretch(self, x: Array) -> Array:
        """How much longer each spring is than it wants to be."""
        return np.diff(x) - self.rest

    def energy(self, x: Array) -> float:
        """The energy of the springs."""
        stretch = self.stretch(x)
        return 0.5 * self.stiffness * np.sum(stretch * stretch)


def settle(chain: Spring, weights: Array, steps: int) -> Array:
    """Lets a chain come to rest that hangs by its first point; gives the places of the points."""

    def total(x: Array) -> float:
        stretch = x[1:] - x[:-1] - chain.rest
        energy = 0.5 * chain.stiffness * np.sum(stretch * stretch)
        return energy - np.sum(weights * x[1:])

    force = adlsp.grad(total)
    x = np.linspace(0.0, 1.0, len(weights) + 1)
    for _ in range(steps):
        x[1:] -= 0.05 * force(x)[1:]
    return x


def main() -> None:
    """Prints where the points hang, and which forces the springs have there."""
    chain = Spring(stiffness=4.0, rest=0.5)
    weights = np.array([1.0, 0.5, 0.25])
    x = settle(chain, weights, 400)
    print("places", np.round(x, 3))
    print("forces", np.round(adlsp.grad(chain.energy)(x), 3))
    lift = adlsp.grad(lambda up: np.sum(weights * (x[1:] + up) ** 2))
    print("lift", np.round(lift(0.1), 3))


if __name__ == "__main__":
    main()
