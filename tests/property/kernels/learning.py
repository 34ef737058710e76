"""Statistics and learning: regressions, layers, and sums over paths."""

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, numbers


def softmax(x):
    shifted = np.exp(x - np.max(x, axis=1, keepdims=True))
    return shifted / np.sum(shifted, axis=1, keepdims=True)


def softmax_reference(x):
    return anp.exp(x) / anp.sum(anp.exp(x), axis=1, keepdims=True)


def logistic_regression(w, b, x, y):
    z = x @ w + b
    loss = 0.0
    for i in range(len(y)):
        if y[i] == 1:
            loss += np.log1p(np.exp(-z[i]))
        else:
            loss += np.log1p(np.exp(z[i]))
    return loss / len(y) + 0.1 * np.sum(w**2)


def logistic_regression_reference(w, b, x, y):
    z = anp.dot(x, w) + b
    return anp.mean(anp.log(1 + anp.exp(-z * (2 * y - 1)))) + 0.1 * anp.dot(w, w)


def batch_norm(x, scale, shift):
    mean = np.mean(x, axis=0)
    centered = x - mean
    variance = np.mean(centered**2, axis=0)
    normal = centered / np.sqrt(variance + 1e-3)
    return scale * normal + shift


def batch_norm_reference(x, scale, shift):
    return scale * (x - anp.mean(x, axis=0)) * (anp.var(x, axis=0) + 1e-3) ** -0.5 + shift


def attention(x, w_query, w_key, w_value):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.T / np.sqrt(key.shape[1])
    return softmax(scores) @ value


def attention_reference(x, w_query, w_key, w_value):
    scores = anp.einsum("ia,ab,cb,jc->ij", x, w_query, w_key, x) / w_key.shape[1] ** 0.5
    return softmax_reference(scores) @ x @ w_value


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def lstm_cell(x, h, c, w, u, b):
    n = h.shape[0]
    z = w @ x + u @ h + b
    forget, take, give = sigmoid(z[:n]), sigmoid(z[n : 2 * n]), sigmoid(z[2 * n : 3 * n])
    c = forget * c + take * np.tanh(z[3 * n :])
    return give * np.tanh(c), c


def lstm(inputs, h, c, w, u, b):
    outputs = np.zeros((inputs.shape[0], h.shape[0]))
    for t in range(inputs.shape[0]):
        h, c = lstm_cell(inputs[t], h, c, w, u, b)
        outputs[t] = h
    return outputs


def lstm_reference(inputs, h, c, w, u, b):
    outputs, n = [], len(h)
    for x in inputs:
        z = anp.hstack([w, u]) @ anp.concatenate([x, h]) + b
        gates = 0.5 * (anp.tanh(0.5 * z[: 3 * n]) + 1.0)
        c = gates[:n] * c + gates[n : 2 * n] * anp.tanh(z[3 * n :])
        h = gates[2 * n :] * anp.tanh(c)
        outputs.append(h)
    return anp.stack(outputs)


def soft_minimum(a, b, c):
    least = min(min(a, b), c)
    return least - np.log(np.exp(least - a) + np.exp(least - b) + np.exp(least - c))


def soft_alignment(x, y):
    """The cost of aligning two series, by dynamic programming (soft time warping)."""
    n, m = len(x), len(y)
    cost = np.full((n + 1, m + 1), 50.0)
    cost[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            distance = (x[i - 1] - y[j - 1]) ** 2
            least = soft_minimum(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
            cost[i, j] = distance + least
    return cost[n, m]


def soft_alignment_reference(x, y):
    cost = {(i, j): 50.0 for i in range(len(x) + 1) for j in range(len(y) + 1)}
    cost[0, 0] = 0.0
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            before = anp.array([cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1]])
            cost[i, j] = (x[i - 1] - y[j - 1]) ** 2 - anp.log(anp.sum(anp.exp(-before)))
    return cost[len(x), len(y)]


def histogram(values, weights, bins, n_bins):
    """Sums weighted values in bins, then compares the bins with their mean."""
    sums = np.zeros(n_bins)
    for i in range(len(values)):
        sums[bins[i]] += weights[i] * values[i]
    mean = np.mean(sums)
    spread = 0.0
    for value in sums:
        spread += (value - mean) ** 2
    return spread


def histogram_reference(values, weights, bins, n_bins):
    sums = anp.array([anp.sum((weights * values)[bins == b]) for b in range(n_bins)])
    return anp.sum((sums - anp.mean(sums)) ** 2)


def all_pairs(w, n):
    """Lengths of the shortest paths (Floyd and Warshall), in place."""
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if w[i, k] + w[k, j] < w[i, j]:
                    w[i, j] = w[i, k] + w[k, j]


def all_pairs_reference(w, n):
    for k in range(n):
        around = w[:, k : k + 1] + w[k : k + 1, :]
        w = anp.where(around < w, around, w)
    return (w,)


LEARNING = (
    Kernel(softmax, {"x": numbers(2, 3)}, ("x",), softmax_reference),
    Kernel(
        logistic_regression,
        {
            "w": numbers(3),
            "b": 0.2,
            "x": numbers(4, 3, seed=1),
            "y": np.array([0, 1, 1, 0]),
        },
        ("w", "b", "x"),
        logistic_regression_reference,
    ),
    Kernel(
        batch_norm,
        {"x": numbers(4, 3), "scale": numbers(3, seed=1), "shift": numbers(3, seed=2)},
        ("x", "scale", "shift"),
        batch_norm_reference,
    ),
    Kernel(
        attention,
        {
            "x": numbers(3, 2),
            "w_query": numbers(2, 4, seed=1),
            "w_key": numbers(2, 4, seed=2),
            "w_value": numbers(2, 3, seed=3),
        },
        ("x", "w_query", "w_key", "w_value"),
        attention_reference,
    ),
    Kernel(
        lstm,
        {
            "inputs": numbers(3, 2),
            "h": numbers(2, seed=1),
            "c": numbers(2, seed=2),
            "w": numbers(8, 2, seed=3),
            "u": numbers(8, 2, seed=4),
            "b": numbers(8, seed=5),
        },
        ("inputs", "h", "c", "w", "u", "b"),
        lstm_reference,
    ),
    Kernel(
        soft_alignment,
        {"x": numbers(3), "y": numbers(4, seed=1)},
        ("x", "y"),
        soft_alignment_reference,
    ),
    Kernel(
        histogram,
        {
            "values": numbers(6),
            "weights": numbers(6, seed=1),
            "bins": np.array([0, 2, 1, 0, 2, 2]),
            "n_bins": 4,
        },
        ("values", "weights"),
        histogram_reference,
    ),
    Kernel(
        all_pairs,
        {"w": numbers(4, 4, low=0.1, high=2.0), "n": 4},
        ("w",),
        all_pairs_reference,
        outputs=("w",),
    ),
)
