"""Models whose parameters come in dictionaries, lists and tuples, and grow lists themselves."""

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, numbers

SLOPE = 0.1
"""How much of a negative value an activation lets pass."""


def leaky(x):
    return np.where(x > 0.0, x, SLOPE * x)


def network(params, x):
    """Layers of a network; the last has no activation."""
    *hidden, last = params["layers"]
    for layer in hidden:
        x = leaky(x @ layer["w"] + layer["b"])
    return params["scale"] * (x @ last["w"] + last["b"])


def network_reference(params, x):
    layers = params["layers"]
    for i in range(len(layers)):
        x = anp.dot(x, layers[i]["w"]) + layers[i]["b"]
        if i < len(layers) - 1:
            x = anp.maximum(x, 0.0) + SLOPE * anp.minimum(x, 0.0)
    return x * params["scale"]


def recurrent(params, inputs, state):
    """All states of a recurrent network, as one array."""
    w, u, b = params
    states = []
    for x in inputs:
        state = np.tanh(w @ x + u @ state + b)
        states.append(state)
    return np.stack(states)


def recurrent_reference(params, inputs, state):
    rows = []
    for i in range(len(inputs)):
        both = anp.concatenate([inputs[i], state])
        state = anp.tanh(anp.dot(anp.concatenate([params[0], params[1]], axis=1), both) + params[2])
        rows.append(state[None])
    return anp.concatenate(rows)


def log_density(x, mean, width):
    return -0.5 * np.sum(((x - mean) / width) ** 2) - len(x) * np.log(width)


def mixture(data, weights, means, widths):
    """The log-likelihood of a mixture of normal distributions."""
    total = 0.0
    for x in data:
        terms = np.array(
            [
                np.log(w) + log_density(x, mean, width)
                for w, mean, width in zip(weights, means, widths)
            ]
        )
        largest = np.max(terms)
        total += largest + np.log(np.sum(np.exp(terms - largest)))
    return total


def mixture_reference(data, weights, means, widths):
    apart = (data[:, None] - anp.stack(means)[None]) / widths[:, None]
    densities = anp.exp(-0.5 * anp.sum(apart**2, axis=2)) / widths ** data.shape[1]
    return anp.sum(anp.log(anp.dot(densities, weights)))


def project(x, weights):
    return np.stack([x @ w for w in weights])


def heads(x, params, *, scale=0.5):
    """Attention with several heads, each with weights of its own, and a residual."""
    query, key = project(x, params["query"]), project(x, params["key"])
    value = project(x, params["value"])
    mixed = []
    for q, k, v in zip(query, key, value):
        scores = np.exp(scale * q @ k.T)
        mixed.append(scores / np.sum(scores, axis=1, keepdims=True) @ v)
    return x + np.concatenate(mixed, axis=1) @ params["out"]


def heads_reference(x, params, scale=0.5):
    query, key, value = (
        anp.einsum("ia,hab->hib", x, anp.stack(params[name])) for name in ("query", "key", "value")
    )
    scores = anp.exp(scale * anp.einsum("hib,hjb->hij", query, key))
    mixed = anp.einsum("hij,hjb->hib", scores / anp.sum(scores, axis=2, keepdims=True), value)
    return x + anp.dot(anp.concatenate(list(mixed), axis=1), params["out"])


def penalty(params, strength):
    """The weight decay of nested parameters, by recursion over lists."""
    if isinstance(params, list):
        total = 0.0
        for part in params:
            total = total + penalty(part, strength)
        return total
    return strength * np.sum(params**2)


def penalty_reference(params, strength):
    flat = anp.concatenate([anp.ravel(params[0]), params[1][0], anp.ravel(params[1][1])])
    return strength * anp.dot(flat, flat)


PARAMETERS = (
    Kernel(
        network,
        {
            "params": {
                "layers": [
                    {"w": numbers(3, 4), "b": numbers(4, seed=1)},
                    {"w": numbers(4, 3, seed=2), "b": numbers(3, seed=3)},
                    {"w": numbers(3, 1, seed=4), "b": numbers(1, seed=5)},
                ],
                "scale": 1.7,
            },
            "x": numbers(5, 3, seed=6),
        },
        ("params", "x"),
        network_reference,
    ),
    Kernel(
        recurrent,
        {
            "params": (numbers(3, 2), numbers(3, 3, seed=1), numbers(3, seed=2)),
            "inputs": numbers(4, 2, seed=3),
            "state": numbers(3, seed=4),
        },
        ("params", "inputs", "state"),
        recurrent_reference,
    ),
    Kernel(
        mixture,
        {
            "data": numbers(4, 2),
            "weights": np.array([0.2, 0.5, 0.3]),
            "means": [numbers(2, seed=1), numbers(2, seed=2), numbers(2, seed=3)],
            "widths": np.array([0.5, 0.8, 0.6]),
        },
        ("data", "weights", "means", "widths"),
        mixture_reference,
    ),
    Kernel(
        heads,
        {
            "x": numbers(3, 4),
            "params": {
                "query": [numbers(4, 2, seed=1), numbers(4, 2, seed=2)],
                "key": [numbers(4, 2, seed=3), numbers(4, 2, seed=4)],
                "value": [numbers(4, 2, seed=5), numbers(4, 2, seed=6)],
                "out": numbers(4, 4, seed=7),
            },
        },
        ("x", "params"),
        heads_reference,
    ),
    Kernel(
        penalty,
        {"params": [numbers(2, 2), [numbers(3, seed=1), numbers(2, 2, seed=2)]], "strength": 0.3},
        ("params", "strength"),
        penalty_reference,
    ),
)
