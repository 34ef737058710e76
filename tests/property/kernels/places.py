"""Elements by strides, masks and lists of places."""

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, numbers


def haar(signal):
    """The wavelet transform of Haar, in the memory of the signal."""
    n = signal.shape[0]
    while n > 1:
        even, odd = signal[0:n:2].copy(), signal[1:n:2].copy()
        n //= 2
        signal[:n] = (even + odd) / np.sqrt(2.0)
        signal[n : 2 * n] = (even - odd) / np.sqrt(2.0)
    return signal


def haar_reference(signal):
    if len(signal) == 1:
        return signal
    pairs = signal.reshape(-1, 2) / 2.0**0.5
    return anp.concatenate([haar_reference(pairs[:, 0] + pairs[:, 1]), pairs[:, 0] - pairs[:, 1]])


def repulsion(points, charges):
    """The energy of charges, of all pairs at once."""
    apart = points[:, np.newaxis, :] - points[np.newaxis, :, :]
    squares = np.sum(apart**2, axis=-1) + np.eye(len(points))
    energy = charges[:, np.newaxis] * charges / np.sqrt(squares)
    return 0.5 * (np.sum(energy) - np.trace(energy))


def repulsion_reference(points, charges):
    total = 0.0
    for i in range(len(points)):
        for j in range(i):
            total += charges[i] * charges[j] * anp.sum((points[i] - points[j]) ** 2) ** -0.5
    return total


def sparse_product(data, columns, starts, x):
    """A matrix in compressed rows, times a vector."""
    y = np.empty(len(starts) - 1)
    for i in range(len(starts) - 1):
        row = slice(starts[i], starts[i + 1])
        y[i] = data[row] @ x[columns[row]]
    return y


def sparse_product_reference(data, columns, starts, x):
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return anp.array([anp.sum((data * x[columns])[rows == i]) for i in range(len(starts) - 1)])


def assemble(lengths, stiffness, nodes, n):
    """A stiffness matrix put together from elements, of which each joins two nodes."""
    matrix = np.zeros((n, n))
    for (i, j), length in zip(nodes, lengths):
        k = stiffness / length
        matrix[i, i] += k
        matrix[j, j] += k
        matrix[i, j] -= k
        matrix[j, i] -= k
    return matrix


def assemble_reference(lengths, stiffness, nodes, n):
    joins = np.zeros((len(nodes), n))
    for row, (i, j) in zip(joins, nodes, strict=True):
        row[i], row[j] = 1.0, -1.0
    return anp.dot(joins.T, joins * (stiffness / lengths)[:, None])


def infiltrate(water, capacity, n_steps):
    """What a cell cannot hold goes on to the next."""
    for _ in range(n_steps):
        too_much = water > capacity
        flow = np.zeros_like(water)
        flow[too_much] = 0.5 * (water[too_much] - capacity[too_much]) ** 2
        water -= flow
        water[1:] += flow[:-1]
        water[water < 0.0] = 0.0
    return water


def infiltrate_reference(water, capacity, n_steps):
    for _ in range(n_steps):
        flow = anp.where(water > capacity, 0.5 * (water - capacity) ** 2, 0.0)
        water = water - flow + anp.concatenate([anp.zeros(1), flow[:-1]])
        water = anp.where(water < 0.0, 0.0, water)
    return water


def red_black(u, f, n_steps):
    """Relaxation of every other point, then of the rest; the border mirrors."""
    for _ in range(n_steps):
        u[1:-1:2] = 0.5 * (u[:-2:2] + u[2::2] - f[1:-1:2])
        u[2:-1:2] = 0.5 * (u[1:-2:2] + u[3::2] - f[2:-1:2])
        u[[0, -1]] = u[[1, -2]]
    return u[::-1]


def red_black_reference(u, f, n_steps):
    points = [u[i] for i in range(len(u))]
    for _ in range(n_steps):
        for start in (1, 2):
            for i in range(start, len(u) - 1, 2):
                points[i] = 0.5 * (points[i - 1] + points[i + 1] - f[i])
        points[0], points[-1] = points[1], points[-2]
    return anp.array(points[::-1])


def sample(image, x, y):
    """The value of an image between its points; zero outside."""
    i, j = int(np.floor(x)), int(np.floor(y))
    if not (0 <= i < image.shape[0] - 1 and 0 <= j < image.shape[1] - 1):
        return 0.0
    s, t = x - i, y - j
    above = (1.0 - t) * image[i, j] + t * image[i, j + 1]
    below = (1.0 - t) * image[i + 1, j] + t * image[i + 1, j + 1]
    return (1.0 - s) * above + s * below


def warp(image, shift):
    """Each point from where it was before a shift that depends on the place."""
    out = np.empty_like(image)
    rows, columns = image.shape
    for i in range(rows):
        for j in range(columns):
            out[i, j] = sample(image, i + shift[0] * j, j + shift[1] * i)
    return out


def warp_reference(image, shift):
    def hat(distance):
        return anp.maximum(0.0, 1.0 - anp.abs(distance))

    n, m = image.shape
    i, j = np.arange(n)[:, None], np.arange(m)[None]
    x, y = i + shift[0] * j, j + shift[1] * i
    inside = (x >= 0) & (x < n - 1) & (y >= 0) & (y < m - 1)
    spread = hat(x[:, :, None] - np.arange(n)), hat(y[:, :, None] - np.arange(m))
    return anp.where(inside, anp.einsum("ijk,ijl,kl->ij", *spread, image), 0.0)


PLACES = (
    Kernel(haar, {"signal": numbers(8)}, ("signal",), haar_reference),
    Kernel(
        repulsion,
        {"points": numbers(4, 2), "charges": numbers(4, seed=1)},
        ("points", "charges"),
        repulsion_reference,
    ),
    Kernel(
        sparse_product,
        {
            "data": numbers(6),
            "columns": np.array([0, 2, 1, 0, 1, 3]),
            "starts": np.array([0, 2, 3, 3, 6]),
            "x": numbers(4, seed=1),
        },
        ("data", "x"),
        sparse_product_reference,
    ),
    Kernel(
        assemble,
        {
            "lengths": numbers(3, low=0.5, high=1.5),
            "stiffness": 1.7,
            "nodes": [(0, 1), (1, 2), (0, 2)],
            "n": 3,
        },
        ("lengths", "stiffness"),
        assemble_reference,
    ),
    Kernel(
        infiltrate,
        {
            "water": numbers(6, low=0.2, high=2.0),
            "capacity": numbers(6, seed=1, low=0.5, high=1.0),
            "n_steps": 3,
        },
        ("water", "capacity"),
        infiltrate_reference,
    ),
    Kernel(
        red_black,
        {"u": numbers(7), "f": numbers(7, seed=1), "n_steps": 2},
        ("u", "f"),
        red_black_reference,
    ),
    Kernel(
        warp,
        {"image": numbers(4, 5), "shift": np.array([0.23, -0.31])},
        ("image", "shift"),
        warp_reference,
    ),
)
