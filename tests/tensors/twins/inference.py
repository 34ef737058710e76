"""Models and their likelihoods, each written twice here: `name_numpy` and `name`."""

import numpy as np
import tensorflow as tf
from kernels.kernel import dominant, numbers

from twins.twin import Twin


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def gru_numpy(inputs, h, w, u, b):
    """The last state; each row of `w` and `u` is a gate."""
    for x in inputs:
        update = sigmoid(w[0] @ x + u[0] @ h + b[0])
        reset = sigmoid(w[1] @ x + u[1] @ h + b[1])
        h = update * h + (1.0 - update) * np.tanh(w[2] @ x + u[2] @ (reset * h) + b[2])
    return h


def gru(inputs, h, w, u, b):
    given = tf.einsum("gij,tj->tgi", w, inputs) + b
    for part in tf.unstack(given):
        gates = tf.sigmoid(part[:2] + tf.linalg.matvec(u[:2], h))
        update, reset = gates[0], gates[1]
        new = tf.tanh(part[2] + tf.linalg.matvec(u[2], reset * h))
        h = update * h + (1.0 - update) * new
    return h


def layer_norm_numpy(x, scale, shift):
    out = np.empty_like(x)
    for i in range(len(x)):
        row = x[i] - np.mean(x[i])
        out[i] = scale * row / np.sqrt(np.mean(row**2) + 1e-5) + shift
    return out


def layer_norm(x, scale, shift):
    mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
    return scale * (x - mean) * tf.math.rsqrt(variance + 1e-5) + shift


def clusters_numpy(data, centers):
    """The loss of k-means: each point by its nearest center."""
    total = 0.0
    for x in data:
        apart = np.sum((x - centers) ** 2, axis=1)
        total += apart[np.argmin(apart)]
    return total / len(data)


def clusters(data, centers):
    apart = tf.reduce_sum(tf.math.squared_difference(data[:, None], centers), axis=2)
    return tf.reduce_mean(tf.reduce_min(apart, axis=1))


def gaussian_process_numpy(x, y, length, noise):
    """The log-likelihood of a Gaussian process, by a factor of its covariance."""
    n = len(y)
    covariance = np.empty((n, n))
    for i in range(n):
        for j in range(i + 1):
            covariance[i, j] = np.exp(-0.5 * np.sum((x[i] - x[j]) ** 2) / length**2)
            covariance[j, i] = covariance[i, j]
        covariance[i, i] += noise**2
    factor = np.linalg.cholesky(covariance)
    white = np.linalg.solve(factor, y)
    return -0.5 * white @ white - np.sum(np.log(np.diag(factor)))


def gaussian_process(x, y, length, noise):
    squares = tf.reduce_sum(tf.square(x), axis=1)
    apart = squares[:, None] + squares - 2.0 * tf.matmul(x, x, transpose_b=True)
    covariance = tf.exp(-0.5 * apart / length**2)
    covariance += noise**2 * tf.eye(y.shape[0], dtype=y.dtype)
    factor = tf.linalg.cholesky(covariance)
    white = tf.linalg.triangular_solve(factor, y[:, None])
    return -tf.nn.l2_loss(white) - tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))


def random_field_numpy(scores, transition, labels):
    """The log-probability of labels in a chain, a conditional random field."""
    total = scores[0, labels[0]]
    before = scores[0].copy()
    for t in range(1, len(labels)):
        total += transition[labels[t - 1], labels[t]] + scores[t, labels[t]]
        after = np.empty_like(before)
        for j in range(len(after)):
            paths = before + transition[:, j] + scores[t, j]
            after[j] = np.max(paths) + np.log(np.sum(np.exp(paths - np.max(paths))))
        before = after
    return total - np.log(np.sum(np.exp(before)))


def random_field(scores, transition, labels):
    steps = tf.stack([tf.range(labels.shape[0], dtype=labels.dtype), labels], axis=1)
    moves = tf.stack([labels[:-1], labels[1:]], axis=1)
    total = tf.reduce_sum(tf.gather_nd(scores, steps))
    total += tf.reduce_sum(tf.gather_nd(transition, moves))
    before = scores[0]
    for t in range(1, scores.shape[0]):
        before = tf.reduce_logsumexp(before[:, None] + transition, axis=0) + scores[t]
    return total - tf.reduce_logsumexp(before)


def encoder_numpy(w, x, noise):
    """The evidence lower bound of a variational autoencoder, with the noise given."""
    h = np.tanh(x @ w["in"])
    mean, log_variance = h @ w["mean"], h @ w["spread"]
    z = mean + np.exp(0.5 * log_variance) * noise
    logits = np.tanh(z @ w["out"]) @ w["in"].T
    fit = np.sum(x * logits - np.maximum(logits, 0.0) - np.log1p(np.exp(-np.abs(logits))))
    return fit + 0.5 * np.sum(1.0 + log_variance - mean**2 - np.exp(log_variance))


def encoder(w, x, noise):
    h = tf.tanh(tf.matmul(x, w["in"]))
    mean, log_variance = tf.matmul(h, w["mean"]), tf.matmul(h, w["spread"])
    z = mean + tf.exp(0.5 * log_variance) * noise
    logits = tf.matmul(tf.tanh(tf.matmul(z, w["out"])), w["in"], transpose_b=True)
    fit = -tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits))
    return fit + 0.5 * tf.reduce_sum(1.0 + log_variance - tf.square(mean) - tf.exp(log_variance))


def components_numpy(unmixing, data):
    """The likelihood of independent components with heavy tails."""
    sources = data @ unmixing.T
    _, log_det = np.linalg.slogdet(unmixing)
    return len(data) * log_det - np.sum(np.log(np.cosh(sources)))


def components(unmixing, data):
    sources = tf.matmul(data, unmixing, transpose_b=True)
    heavy = tf.abs(sources) + tf.math.log1p(tf.exp(-2.0 * tf.abs(sources)))
    n = tf.cast(tf.shape(data)[0], data.dtype)
    two = tf.math.log(tf.constant(2.0, data.dtype))
    _, log_det = tf.linalg.slogdet(unmixing)
    return n * log_det - tf.reduce_sum(heavy - two)


def ratings_numpy(users, items, rows, columns, stars):
    """The loss of a matrix that is a product, at the places that are known."""
    loss = 0.0
    for i, j, given in zip(rows, columns, stars, strict=True):
        loss += (users[i] @ items[j] - given) ** 2
    return loss + 0.1 * (np.sum(users**2) + np.sum(items**2))


def ratings(users, items, rows, columns, stars):
    guessed = tf.reduce_sum(tf.gather(users, rows) * tf.gather(items, columns), axis=1)
    loss = tf.reduce_sum(tf.math.squared_difference(guessed, stars))
    return loss + 0.2 * (tf.nn.l2_loss(users) + tf.nn.l2_loss(items))


def ridge_numpy(x, y, strength):
    """The residual of a regression that is solved with a penalty."""
    gram = x.T @ x
    gram[np.diag_indices(len(gram))] += strength
    w = np.linalg.solve(gram, x.T @ y)
    return np.sum((x @ w - y) ** 2)


def ridge(x, y, strength):
    gram = tf.matmul(x, x, transpose_a=True) + strength * tf.eye(x.shape[1], dtype=x.dtype)
    w = tf.linalg.solve(gram, tf.matmul(x, y[:, None], transpose_a=True))
    return tf.reduce_sum(tf.square(tf.squeeze(x @ w, 1) - y))


def transport_numpy(a, b, cost, n_steps):
    """Optimal transport with entropy: rows and columns are scaled in turn (Sinkhorn)."""
    kernel = np.exp(-cost / 0.5)
    u, v = np.ones_like(a), np.ones_like(b)
    for _ in range(n_steps):
        u[:] = a / (kernel @ v)
        v[:] = b / (kernel.T @ u)
    return np.sum(u[:, None] * kernel * v * cost)


def transport(a, b, cost, n_steps):
    log_kernel = -cost / 0.5
    f, g = tf.zeros_like(a), tf.zeros_like(b)
    for _ in range(n_steps):
        f = tf.math.log(a) - tf.reduce_logsumexp(log_kernel + g, axis=1)
        g = tf.math.log(b) - tf.reduce_logsumexp(log_kernel + f[:, None], axis=0)
    return tf.reduce_sum(tf.exp(f[:, None] + log_kernel + g) * cost)


def ranks_numpy(links, damping, tolerance):
    """The weights of pages (PageRank), iterated until they stay."""
    n = len(links)
    rank, change = np.full(n, 1.0 / n), 1.0
    flow = links / np.sum(links, axis=0)
    while change > tolerance:
        new = (1.0 - damping) / n + damping * (flow @ rank)
        change = np.max(np.abs(new - rank))
        rank = new
    return rank


def ranks(links, damping, tolerance):
    n = links.shape[0]
    rank, change = tf.ones(n, links.dtype) / n, 1.0
    flow = links / tf.reduce_sum(links, axis=0, keepdims=True)
    while change > tolerance:
        new = (1.0 - damping) / n + damping * tf.linalg.matvec(flow, rank)
        change = tf.reduce_max(tf.abs(new - rank))
        rank = new
    return rank


def turn_numpy(axis, points):
    """Rotates points about an axis by its length (Rodrigues)."""
    angle = np.sqrt(np.sum(axis**2))
    k = axis / angle
    along = np.outer(points @ k, k)
    return np.cos(angle) * (points - along) + np.sin(angle) * np.cross(k, points) + along


def bundle_numpy(cameras, points, seen):
    """What cameras of (rotation, place, focal length) see of points, less what was seen."""
    total = 0.0
    for i in range(len(cameras)):
        inside = turn_numpy(cameras[i, :3], points) + cameras[i, 3:6]
        image = -cameras[i, 6] * inside[:, :2] / inside[:, 2:]
        total += np.sum((image - seen[i]) ** 2)
    return total


def turn(axis, points):
    angle = tf.norm(axis)
    k = tf.broadcast_to(axis / angle, points.shape)
    along = tf.reduce_sum(points * k, axis=1, keepdims=True) * k
    across = tf.linalg.cross(k, points)
    return tf.cos(angle) * (points - along) + tf.sin(angle) * across + along


def bundle(cameras, points, seen):
    images = []
    for camera in tf.unstack(cameras):
        rotation, place, focal = tf.split(camera, [3, 3, 1])
        inside = turn(rotation, points) + place
        images.append(-focal * inside[:, :2] / inside[:, 2:])
    return tf.reduce_sum(tf.square(tf.stack(images) - seen))


def valley_numpy(x):
    """The function of Rosenbrock, in many dimensions."""
    total = 0.0
    for i in range(len(x) - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def valley(x):
    steps = tf.square(x[1:] - tf.square(x[:-1]))
    return tf.reduce_sum(100.0 * steps + tf.square(1.0 - x[:-1]))


def bilinear_numpy(x, weights, y):
    out = np.zeros(len(weights))
    for k, w in enumerate(weights):
        out[k] = np.tanh(x @ w @ y)
    return out


def bilinear(x, weights, y):
    return tf.tanh(tf.einsum("i,kij,j->k", x, weights, y))


def nearest_numpy(y, width, n_steps):
    """The point of a curve that is nearest, by the iteration of Newton."""
    t = y[0]
    for _ in range(n_steps):
        apart = np.sin(width * t) - y[1]
        slope = width * np.cos(width * t)
        first = t - y[0] + apart * slope
        second = 1.0 + slope**2 - apart * width**2 * np.sin(width * t)
        t = t - first / second
    return (t - y[0]) ** 2 + (np.sin(width * t) - y[1]) ** 2


def nearest(y, width, n_steps):
    along, high = y[0], y[1]
    t = along
    for _ in range(n_steps):
        sine, slope = tf.sin(width * t), width * tf.cos(width * t)
        first = t - along + (sine - high) * slope
        second = 1.0 + tf.square(slope) - (sine - high) * tf.square(width) * sine
        t = t - tf.math.divide_no_nan(first, second)
    return tf.square(t - along) + tf.square(tf.sin(width * t) - high)


TWINS = (
    Twin(
        gru_numpy,
        gru,
        {
            "inputs": numbers(4, 2),
            "h": numbers(3, seed=1),
            "w": numbers(3, 3, 2, seed=2),
            "u": numbers(3, 3, 3, seed=3),
            "b": numbers(3, 3, seed=4),
        },
        ("inputs", "h", "w", "u", "b"),
    ),
    Twin(
        layer_norm_numpy,
        layer_norm,
        {"x": numbers(3, 4), "scale": numbers(4, seed=1), "shift": numbers(4, seed=2)},
        ("x", "scale", "shift"),
        is_taped_twice=False,
    ),
    Twin(
        clusters_numpy,
        clusters,
        {"data": numbers(6, 2), "centers": numbers(3, 2, seed=1)},
        ("data", "centers"),
    ),
    Twin(
        gaussian_process_numpy,
        gaussian_process,
        {"x": numbers(5, 2), "y": numbers(5, seed=1), "length": 0.8, "noise": 0.3},
        ("x", "y", "length", "noise"),
    ),
    Twin(
        random_field_numpy,
        random_field,
        {
            "scores": numbers(4, 3),
            "transition": numbers(3, 3, seed=1),
            "labels": np.array([2, 0, 0, 1]),
        },
        ("scores", "transition"),
    ),
    Twin(
        encoder_numpy,
        encoder,
        {
            "w": {
                "in": numbers(4, 3),
                "mean": numbers(3, 2, seed=1),
                "spread": numbers(3, 2, seed=2),
                "out": numbers(2, 3, seed=3),
            },
            "x": numbers(5, 4, seed=4, low=0.0),
            "noise": numbers(5, 2, seed=5),
        },
        ("w",),
    ),
    Twin(
        components_numpy,
        components,
        {"unmixing": dominant(3), "data": numbers(5, 3, seed=1)},
        ("unmixing", "data"),
    ),
    Twin(
        ratings_numpy,
        ratings,
        {
            "users": numbers(3, 2),
            "items": numbers(4, 2, seed=1),
            "rows": np.array([0, 0, 1, 2, 2]),
            "columns": np.array([1, 3, 0, 1, 2]),
            "stars": numbers(5, seed=2),
        },
        ("users", "items", "stars"),
    ),
    Twin(
        ridge_numpy,
        ridge,
        {"x": numbers(6, 3), "y": numbers(6, seed=1), "strength": 0.4},
        ("x", "y", "strength"),
    ),
    Twin(
        transport_numpy,
        transport,
        {
            "a": np.array([0.2, 0.5, 0.3]),
            "b": np.array([0.6, 0.4]),
            "cost": numbers(3, 2, low=0.0),
            "n_steps": 4,
        },
        ("a", "b", "cost"),
    ),
    Twin(
        ranks_numpy,
        ranks,
        {"links": numbers(4, 4, low=0.1), "damping": 0.6, "tolerance": 1e-3},
        ("links", "damping"),
        is_eager=True,
    ),
    Twin(
        bundle_numpy,
        bundle,
        {
            "cameras": numbers(2, 7) + np.array([0.0, 0.0, 0.0, 0.0, 0.0, -5.0, 2.0]),
            "points": numbers(4, 3, seed=1),
            "seen": numbers(2, 4, 2, seed=2),
        },
        ("cameras", "points", "seen"),
    ),
    Twin(valley_numpy, valley, {"x": numbers(5)}, ("x",)),
    Twin(
        bilinear_numpy,
        bilinear,
        {"x": numbers(3), "weights": numbers(4, 3, 2, seed=1), "y": numbers(2, seed=2)},
        ("x", "weights", "y"),
    ),
    Twin(
        nearest_numpy,
        nearest,
        {"y": np.array([0.7, 0.2]), "width": 1.3, "n_steps": 3},
        ("y", "width"),
    ),
)
