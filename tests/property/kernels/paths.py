"""Sums and minima over paths: dynamic programming, trees, recursion."""

import math

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, numbers


def hidden_markov(start, transition, emission, observed):
    """The log-probability of what was observed, by the forward algorithm."""
    weights = start * emission[:, observed[0]]
    total = 0.0
    for seen in observed[1:]:
        size = weights.sum()
        total += np.log(size)
        weights = (weights / size) @ transition * emission[:, seen]
    return total + np.log(weights.sum())


def hidden_markov_reference(start, transition, emission, observed):
    weights = start * emission[:, observed[0]]
    for seen in observed[1:]:
        weights = anp.dot(weights, transition) * emission[:, seen]
    return anp.log(anp.sum(weights))


def american_put(spot, strike, volatility, rate, n):
    """The price of an option on a binomial tree, from its leaves back to its root."""
    up = np.exp(volatility / np.sqrt(n))
    growth = np.exp(rate / n)
    chance = (growth - 1.0 / up) / (up - 1.0 / up)
    prices = spot * up ** np.arange(-n, n + 1, 2)
    values = np.maximum(strike - prices, 0.0)
    for level in range(n, 0, -1):
        held = (chance * values[1:] + (1.0 - chance) * values[:-1]) / growth
        prices = prices[1:] / up
        values = np.maximum(held, strike - prices)
    return values[0]


def american_put_reference(spot, strike, volatility, rate, n):
    up, growth = anp.exp(volatility / n**0.5), anp.exp(rate / n)
    chance = (growth * up - 1.0) / (up**2 - 1.0)

    def value(level, ups):
        now = strike - spot * up ** (2 * ups - level)
        if level == n:
            return anp.maximum(now, 0.0)
        held = chance * value(level + 1, ups + 1) + (1.0 - chance) * value(level + 1, ups)
        return anp.maximum(held / growth, now)

    return value(0, 0)


def chain_cost(sizes, weights, n):
    """The best order of multiplications, over triangular parts of a table."""
    best = np.zeros((n, n))
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            best[i, j] = math.inf
            for k in range(i, j):
                cost = best[i, k] + best[k + 1, j] + weights[k] * sizes[i] * sizes[j + 1]
                if cost < best[i, j]:
                    best[i, j] = cost
    return best[0, n - 1]


def chain_cost_reference(sizes, weights, n):
    def best(i, j):
        if i == j:
            return 0.0
        ways = [
            best(i, k) + best(k + 1, j) + weights[k] * sizes[i] * sizes[j + 1] for k in range(i, j)
        ]
        return anp.min(anp.array(ways))

    return best(0, n - 1)


def matrix_power(a, n):
    """By repeated squaring."""
    if n == 0:
        return np.eye(a.shape[0])
    if n == 1:
        return a
    half = matrix_power(a, n // 2)
    return half @ half @ a if n % 2 else half @ half


def matrix_power_reference(a, n):
    power = anp.eye(len(a))
    for _ in range(n):
        power = anp.dot(power, a)
    return power


def bump(x, center):
    return 1.0 / (0.05 + (x - center) ** 2)


def adaptive(low, high, center, tolerance):
    """An integral, by halves where the rule of Simpson is not good enough."""
    middle = 0.5 * (low + high)
    ends = bump(low, center) + bump(high, center)
    coarse = (high - low) / 6.0 * (ends + 4.0 * bump(middle, center))
    sides = bump(0.5 * (low + middle), center) + bump(0.5 * (middle + high), center)
    fine = (high - low) / 12.0 * (ends + 2.0 * bump(middle, center) + 4.0 * sides)
    if abs(fine - coarse) <= 15.0 * tolerance:
        return fine + (fine - coarse) / 15.0
    left = adaptive(low, middle, center, tolerance / 2)
    return left + adaptive(middle, high, center, tolerance / 2)


def adaptive_reference(low, high, center, tolerance):
    total, pieces = 0.0, [(low, high, tolerance)]
    while pieces:
        a, b, limit = pieces.pop()
        f = [1.0 / (0.05 + (a + (b - a) * k / 4.0 - center) ** 2) for k in range(5)]
        coarse = (b - a) / 6.0 * (f[0] + 4.0 * f[2] + f[4])
        fine = (b - a) / 12.0 * (f[0] + 4.0 * f[1] + 2.0 * f[2] + 4.0 * f[3] + f[4])
        if anp.abs(fine - coarse) <= 15.0 * limit:
            total = total + (16.0 * fine - coarse) / 15.0
        else:
            middle = 0.5 * (a + b)
            pieces += [(a, middle, limit / 2), (middle, b, limit / 2)]
    return total


def edit_distance(a, b, gap):
    """The cheapest way to make one series of the other; two rows are enough."""
    previous = gap * np.arange(len(b) + 1.0)
    for i in range(1, len(a) + 1):
        current = np.empty(len(b) + 1)
        current[0] = gap * i
        for j in range(1, len(b) + 1):
            change = previous[j - 1] + abs(a[i - 1] - b[j - 1])
            current[j] = min(change, min(previous[j], current[j - 1]) + gap)
        previous = current
    return previous[-1]


def edit_distance_reference(a, b, gap):
    def cost(i, j):
        if i == 0 or j == 0:
            return gap * (i + j)
        ways = [cost(i - 1, j) + gap, cost(i, j - 1) + gap]
        ways.append(cost(i - 1, j - 1) + anp.sqrt((a[i - 1] - b[j - 1]) ** 2))
        return anp.min(anp.array(ways))

    return cost(len(a), len(b))


PATHS = (
    Kernel(
        hidden_markov,
        {
            "start": np.array([0.5, 0.3, 0.2]),
            "transition": numbers(3, 3, low=0.2, high=1.0),
            "emission": numbers(3, 2, seed=1, low=0.2, high=1.0),
            "observed": [0, 1, 1, 0, 1],
        },
        ("start", "transition", "emission"),
        hidden_markov_reference,
    ),
    Kernel(
        american_put,
        {"spot": 0.95, "strike": 1.02, "volatility": 0.3, "rate": 0.06, "n": 5},
        ("spot", "strike", "volatility", "rate"),
        american_put_reference,
    ),
    Kernel(
        chain_cost,
        {
            "sizes": numbers(6, low=0.5, high=2.0),
            "weights": numbers(5, seed=1, low=0.5, high=2.0),
            "n": 5,
        },
        ("sizes", "weights"),
        chain_cost_reference,
    ),
    Kernel(matrix_power, {"a": numbers(3, 3), "n": 6}, ("a",), matrix_power_reference),
    Kernel(
        adaptive,
        {"low": -0.3, "high": 1.1, "center": 0.37, "tolerance": 1e-3},
        ("low", "high", "center"),
        adaptive_reference,
    ),
    Kernel(
        edit_distance,
        {"a": numbers(4), "b": numbers(3, seed=1), "gap": 0.35},
        ("a", "b", "gap"),
        edit_distance_reference,
    ),
)
