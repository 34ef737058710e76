"""Grids and signals: what NumPy stores into slices is put together of parts."""

import tensorflow as tf
from kernels.places import PLACES
from kernels.stencils import STENCILS
from kernels.systems import SYSTEMS

from twins.twin import twins_of


def smoothed(source, target):
    inner = 0.33333 * (source[:-2] + source[1:-1] + source[2:])
    return tf.concat([target[:1], inner, target[-1:]], axis=0)


def jacobi_1d(a, b, n_steps):
    for _ in range(n_steps):
        b = smoothed(a, b)
        a = smoothed(b, a)
    return a, b


def heat(u, kappa, dt, n_steps):
    for _ in range(n_steps):
        inner = u[1:-1] + dt * kappa * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u = tf.concat([inner[:1], inner, inner[-1:]], axis=0)
    return u


def wave(u, speed, n_steps):
    previous = u
    for _ in range(n_steps):
        bend = u[2:] - 2.0 * u[1:-1] + u[:-2]
        inner = 2.0 * u[1:-1] - previous[1:-1] + tf.square(speed) * bend
        previous, u = u, tf.pad(inner, [[1, 1]])
    return 0.5 * tf.reduce_sum(tf.square(u - previous))


def advection(u, velocity, dt, n_steps):
    for _ in range(n_steps):
        back, ahead = u - tf.roll(u, 1, axis=0), tf.roll(u, -1, axis=0) - u
        u = u - dt * velocity * tf.where(velocity > 0.0, back, ahead)
    return u


def convolution(signal, weights):
    return tf.nn.conv1d(signal[None, :, None], weights[:, None, None], 1, "VALID")[0, :, 0]


def convolution_2d(image, weights):
    out = tf.nn.conv2d(image[None, :, :, None], weights[:, :, None, None], 1, "VALID")
    return tf.squeeze(tf.maximum(out, 0.1 * out), axis=[0, 3])


def laplacian(u):
    around = tf.roll(u, 1, axis=0) + tf.roll(u, -1, axis=0)
    return around + tf.roll(u, 1, axis=1) + tf.roll(u, -1, axis=1) - 4.0 * u


def gray_scott(u, v, *, feed=0.04, kill=0.06, n_steps=3):
    for _ in range(n_steps):
        reaction = u * tf.square(v)
        new_u = u + 0.2 * laplacian(u) - reaction + feed * (1.0 - u)
        v = v + 0.1 * laplacian(v) + reaction - (feed + kill) * v
        u = new_u
    return u - v


def crank_nicolson(u, alpha, n_steps):
    n = u.shape[0]
    ones, zero = tf.ones(n - 2, u.dtype), tf.zeros(1, u.dtype)
    side = tf.concat([zero, -0.5 * alpha * ones, zero], axis=0)
    middle = tf.concat([zero, alpha * ones, zero], axis=0)
    matrix = (
        tf.linalg.diag(1.0 + middle)
        + tf.linalg.diag(side[:-1], k=1)
        + tf.linalg.diag(side[1:], k=-1)
    )
    for _ in range(n_steps):
        bend = tf.pad(u[:-2] - 2.0 * u[1:-1] + u[2:], [[1, 1]])
        u = tf.linalg.solve(matrix, (u + 0.5 * alpha * bend)[:, None])[:, 0]
    return u


def haar(signal):
    details = []
    while signal.shape[0] > 1:
        even, odd = signal[::2], signal[1::2]
        details.insert(0, (even - odd) / tf.sqrt(tf.constant(2.0, signal.dtype)))
        signal = (even + odd) / tf.sqrt(tf.constant(2.0, signal.dtype))
    return tf.concat([signal, *details], axis=0)


def infiltrate(water, capacity, n_steps):
    for _ in range(n_steps):
        flow = tf.where(water > capacity, 0.5 * tf.square(water - capacity), 0.0)
        water = tf.nn.relu(water - flow + tf.pad(flow[:-1], [[1, 0]]))
    return water


def sparse_product(data, columns, starts, x):
    rows = tf.searchsorted(starts, tf.range(tf.size(data), dtype=starts.dtype), side="right") - 1
    return tf.math.unsorted_segment_sum(data * tf.gather(x, columns), rows, starts.shape[0] - 1)


def assemble(lengths, stiffness, nodes, n):
    k = stiffness / lengths
    i, j = zip(*nodes, strict=True)
    places = tf.stack([[*i, *j, *i, *j], [*i, *j, *j, *i]], axis=1)
    return tf.scatter_nd(places, tf.concat([k, k, -k, -k], axis=0), (n, n))


def warp(image, shift):
    rows, columns = image.shape
    i, j = tf.meshgrid(tf.range(rows), tf.range(columns), indexing="ij")
    x = tf.cast(i, image.dtype) + shift[0] * tf.cast(j, image.dtype)
    y = tf.cast(j, image.dtype) + shift[1] * tf.cast(i, image.dtype)
    i, j = tf.cast(tf.floor(x), tf.int32), tf.cast(tf.floor(y), tf.int32)
    s, t = x - tf.floor(x), y - tf.floor(y)
    inside = (i >= 0) & (i < rows - 1) & (j >= 0) & (j < columns - 1)
    at = tf.stack([tf.clip_by_value(i, 0, rows - 2), tf.clip_by_value(j, 0, columns - 2)], -1)
    above = (1.0 - t) * tf.gather_nd(image, at) + t * tf.gather_nd(image, tf.add(at, [0, 1]))
    below = (1.0 - t) * tf.gather_nd(image, tf.add(at, [1, 0])) + t * tf.gather_nd(
        image, tf.add(at, [1, 1])
    )
    return tf.where(inside, (1.0 - s) * above + s * below, 0.0)


TWINS = (
    *twins_of(STENCILS, jacobi_1d, heat, wave, advection, convolution, convolution_2d),
    *twins_of(SYSTEMS, gray_scott, crank_nicolson),
    *twins_of(PLACES, haar, infiltrate, sparse_product, assemble, warp),
)
