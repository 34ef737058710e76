"""Sums and minima over paths, and single numbers."""

import tensorflow as tf
from kernels.paths import PATHS
from kernels.scalars import SCALARS

from twins.twin import twins_of


def hidden_markov(start, transition, emission, observed):
    log_transition, log_emission = tf.math.log(transition), tf.math.log(emission)
    weights = tf.math.log(start) + log_emission[:, observed[0]]
    for seen in observed[1:]:
        moved = tf.reduce_logsumexp(weights[:, None] + log_transition, axis=0)
        weights = moved + log_emission[:, seen]
    return tf.reduce_logsumexp(weights)


def american_put(spot, strike, volatility, rate, n):
    up = tf.exp(volatility / tf.sqrt(tf.cast(n, spot.dtype)))
    growth = tf.exp(rate / n)
    chance = (growth - 1.0 / up) / (up - 1.0 / up)
    prices = spot * tf.pow(up, tf.cast(tf.range(-n, n + 1, 2), spot.dtype))
    values = tf.nn.relu(strike - prices)
    for _ in range(n):
        held = (chance * values[1:] + (1.0 - chance) * values[:-1]) / growth
        prices = prices[1:] / up
        values = tf.maximum(held, strike - prices)
    return tf.squeeze(values)


def chain_cost(sizes, weights, n):
    best = {(i, i): tf.zeros((), sizes.dtype) for i in range(n)}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            ways = [
                best[i, k] + best[k + 1, j] + weights[k] * sizes[i] * sizes[j + 1]
                for k in range(i, j)
            ]
            best[i, j] = tf.reduce_min(tf.stack(ways))
    return best[0, n - 1]


def bump(x, center):
    return 1.0 / (0.05 + tf.square(x - center))


def adaptive(low, high, center, tolerance):
    middle = 0.5 * (low + high)
    ends = bump(low, center) + bump(high, center)
    coarse = (high - low) / 6.0 * (ends + 4.0 * bump(middle, center))
    sides = bump(0.5 * (low + middle), center) + bump(0.5 * (middle + high), center)
    fine = (high - low) / 12.0 * (ends + 2.0 * bump(middle, center) + 4.0 * sides)
    if tf.abs(fine - coarse) <= 15.0 * tolerance:
        return fine + (fine - coarse) / 15.0
    left = adaptive(low, middle, center, tolerance / 2)
    return left + adaptive(middle, high, center, tolerance / 2)


def edit_distance(a, b, gap):
    previous = gap * tf.range(b.shape[0] + 1.0, dtype=b.dtype)
    for i in range(1, a.shape[0] + 1):
        current = [gap * float(i)]
        for j in range(1, b.shape[0] + 1):
            change = previous[j - 1] + tf.abs(a[i - 1] - b[j - 1])
            around = tf.minimum(previous[j], current[j - 1]) + gap
            current.append(tf.minimum(change, around))
        previous = tf.stack(current)
    return previous[-1]


def horner(coefficients, x):
    value = tf.zeros_like(x)
    for coefficient in tf.unstack(coefficients):
        value = value * x + coefficient
    return value


def normal_distribution(x):
    return 0.5 * (1.0 + tf.math.erf(x / tf.sqrt(tf.constant(2.0, x.dtype))))


def black_scholes(spot, strike, rate, volatility, years, is_call):
    root = volatility * tf.sqrt(tf.convert_to_tensor(years, tf.float64))
    d1 = (tf.math.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / root
    d2 = d1 - root
    sign = 1.0 if is_call else -1.0
    discounted = strike * tf.exp(tf.convert_to_tensor(-rate * years, tf.float64))
    return sign * (
        spot * normal_distribution(sign * d1) - discounted * normal_distribution(sign * d2)
    )


def newton_root(a, x, tolerance):
    while tf.abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
    return x


def simpson(low, high, frequency, n):
    x = tf.linspace(low, high, n + 1)
    weights = tf.constant([1.0, *([4.0, 2.0] * n)[: n - 1], 1.0], x.dtype)
    return tf.reduce_sum(weights * tf.exp(-x) * tf.sin(frequency * x)) * (high - low) / n / 3.0


TWINS = (
    *twins_of(PATHS, hidden_markov, american_put, chain_cost, edit_distance),
    *twins_of(PATHS, adaptive, is_eager=True),
    *twins_of(SCALARS, horner, black_scholes, simpson),
    *twins_of(SCALARS, newton_root, is_eager=True),
)
