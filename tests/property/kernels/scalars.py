"""Single numbers and the functions of `math`."""

import math

import autograd.numpy as anp
import autograd.scipy.stats as stats
import numpy as np

from kernels.kernel import Kernel, numbers


def horner(coefficients, x):
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


def horner_reference(coefficients, x):
    n = len(coefficients)
    return sum(coefficients[i] * x ** (n - 1 - i) for i in range(n))


def normal_distribution(x):
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


def black_scholes(spot, strike, rate, volatility, years, is_call):
    root = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / root
    d2 = d1 - root
    discounted = strike * math.exp(-rate * years)
    if is_call:
        return spot * normal_distribution(d1) - discounted * normal_distribution(d2)
    return discounted * normal_distribution(-d2) - spot * normal_distribution(-d1)


def black_scholes_reference(spot, strike, rate, volatility, years, is_call):
    root = volatility * years**0.5
    d1 = (anp.log(spot) - anp.log(strike) + rate * years) / root + 0.5 * root
    sign = 1.0 if is_call else -1.0
    paid = strike * anp.exp(-rate * years) * stats.norm.cdf(sign * (d1 - root))
    return sign * (spot * stats.norm.cdf(sign * d1) - paid)


def newton_root(a, x, tolerance):
    while abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
    return x


def newton_root_reference(a, x, tolerance):
    while anp.abs(x**2 - a) > tolerance:
        x = (x + a / x) / 2
    return x


def integrand(x, frequency):
    return math.exp(-x) * math.sin(frequency * x)


def simpson(low, high, frequency, n):
    step = (high - low) / n
    total = integrand(low, frequency) + integrand(high, frequency)
    for i in range(1, n):
        if i % 2 == 1:
            total += 4.0 * integrand(low + i * step, frequency)
        else:
            total += 2.0 * integrand(low + i * step, frequency)
    return total * step / 3.0


def simpson_reference(low, high, frequency, n):
    x = low + (high - low) * anp.arange(n + 1) / n
    weights = np.array([1.0, *([4.0, 2.0] * n)[: n - 1], 1.0])
    return anp.sum(weights * anp.exp(-x) * anp.sin(frequency * x)) * (high - low) / n / 3.0


SCALARS = (
    Kernel(horner, {"coefficients": numbers(4), "x": 0.7}, ("coefficients", "x"), horner_reference),
    Kernel(
        black_scholes,
        {
            "spot": 1.1,
            "strike": 1.0,
            "rate": 0.05,
            "volatility": 0.3,
            "years": 0.8,
            "is_call": True,
        },
        ("spot", "strike", "rate", "volatility", "years"),
        black_scholes_reference,
    ),
    Kernel(
        black_scholes,
        {
            "spot": 0.9,
            "strike": 1.0,
            "rate": 0.02,
            "volatility": 0.4,
            "years": 1.5,
            "is_call": False,
        },
        ("spot", "volatility"),
        black_scholes_reference,
    ),
    Kernel(
        newton_root,
        {"a": 2.3, "x": 1.0, "tolerance": 1e-4},
        ("a", "x"),
        newton_root_reference,
    ),
    Kernel(
        simpson,
        {"low": 0.1, "high": 1.3, "frequency": 2.0, "n": 6},
        ("low", "high", "frequency"),
        simpson_reference,
    ),
)
