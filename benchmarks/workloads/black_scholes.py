"""The price of a European call by Black and Scholes, on Python's numbers, and its sensitivities."""

from __future__ import annotations

import math

from benchmarks.workload import Workload


def normal_cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2.0)))


def price(spot, strike, years, rate, volatility):
    spread = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    d2 = d1 - spread
    return spot * normal_cdf(d1) - strike * math.exp(-rate * years) * normal_cdf(d2)


def by_hand(spot, strike, years, rate, volatility):
    root = math.sqrt(years)
    spread = volatility * root
    d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    d2 = d1 - spread
    discounted = strike * math.exp(-rate * years)
    scale = 1 / math.sqrt(2 * math.pi)
    spot_bar = normal_cdf(d1)
    d2_bar = -discounted * scale * math.exp(-d2 * d2 / 2)
    d1_bar = spot * scale * math.exp(-d1 * d1 / 2) + d2_bar
    sum_bar = d1_bar / spread
    spread_bar = -d2_bar - sum_bar * d1
    years_bar = (
        rate * discounted * normal_cdf(d2)
        + sum_bar * (rate + volatility**2 / 2)
        + spread_bar * volatility / (2 * root)
    )
    volatility_bar = sum_bar * volatility * years + spread_bar * root
    return spot_bar + sum_bar / spot, years_bar, volatility_bar


def pure(np, spot, strike, years, rate, volatility):
    def cdf(x):
        return 0.5 * (1 + np.erf(x / np.sqrt(2.0)))

    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    d2 = d1 - spread
    return spot * cdf(d1) - strike * np.exp(-rate * years) * cdf(d2)


def arguments(_):
    return 100.0, 95.0, 0.75, 0.02, 0.3


WORKLOAD = Workload(
    "Black-Scholes, one option",
    price,
    by_hand,
    arguments,
    ("spot", "years", "volatility"),
    (1,),
    1,
    pure=pure,
)
