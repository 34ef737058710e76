"""Grids: each point from its neighbors, step after step."""

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, numbers


def jacobi_1d(a, b, n_steps):
    for _ in range(n_steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])


def jacobi_1d_reference(a, b, n_steps):
    def smooth(source, target):
        inner = 0.33333 * (source[:-2] + source[1:-1] + source[2:])
        return anp.concatenate([target[:1], inner, target[-1:]])

    for _ in range(n_steps):
        b = smooth(a, b)
        a = smooth(b, a)
    return a, b


def jacobi_2d(a, n_steps):
    b = a.copy()
    for _ in range(n_steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = b[1:-1, 1:-1] * b[1:-1, 1:-1]
    return a


def border(a, inner):
    """`a` with new inner points."""
    middle = anp.concatenate([a[1:-1, :1], inner, a[1:-1, -1:]], axis=1)
    return anp.concatenate([a[:1], middle, a[-1:]], axis=0)


def jacobi_2d_reference(a, n_steps):
    for _ in range(n_steps):
        inner = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a = border(a, inner * inner)
    return a


def seidel_2d(a, n_steps):
    n = a.shape[0]
    for _ in range(n_steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (
                    a[i - 1, j] + a[i, j - 1] + a[i, j] ** 2 + a[i, j + 1] + a[i + 1, j]
                ) / 5.0
    return np.sum(a * a)


def seidel_2d_reference(a, n_steps):
    rows = [[a[i, j] for j in range(len(a))] for i in range(len(a))]
    for _ in range(n_steps):
        for i in range(1, len(a) - 1):
            for j in range(1, len(a) - 1):
                around = rows[i - 1][j] + rows[i][j - 1] + rows[i][j + 1] + rows[i + 1][j]
                rows[i][j] = (around + rows[i][j] ** 2) / 5.0
    return sum(value * value for row in rows for value in row)


def heat(u, kappa, dt, n_steps):
    for _ in range(n_steps):
        u_new = np.zeros_like(u)
        u_new[1:-1] = u[1:-1] + dt * kappa * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u_new[0] = u_new[1]
        u_new[-1] = u_new[-2]
        u = u_new
    return u


def heat_reference(u, kappa, dt, n_steps):
    for _ in range(n_steps):
        inner = u[1:-1] + dt * kappa * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u = anp.concatenate([inner[:1], inner, inner[-1:]])
    return u


def wave(u, speed, n_steps):
    previous = u.copy()
    for _ in range(n_steps):
        following = np.zeros_like(u)
        bend = u[2:] - 2.0 * u[1:-1] + u[:-2]
        following[1:-1] = 2.0 * u[1:-1] - previous[1:-1] + speed**2 * bend
        previous, u = u, following
    return 0.5 * np.sum((u - previous) ** 2)


def wave_reference(u, speed, n_steps):
    previous = u
    for _ in range(n_steps):
        bend = u[2:] - 2.0 * u[1:-1] + u[:-2]
        inner = 2.0 * u[1:-1] - previous[1:-1] + speed**2 * bend
        previous, u = u, anp.concatenate([anp.zeros(1), inner, anp.zeros(1)])
    return 0.5 * anp.sum((u - previous) ** 2)


def upwind(u, velocity, dt):
    """One step of advection, with the difference taken against the wind."""
    n = len(u)
    out = np.zeros(n)
    for i in range(n):
        if velocity[i] > 0.0:
            out[i] = u[i] - dt * velocity[i] * (u[i] - u[i - 1])
        else:
            out[i] = u[i] - dt * velocity[i] * (u[(i + 1) % n] - u[i])
    return out


def advection(u, velocity, dt, n_steps):
    for _ in range(n_steps):
        u = upwind(u, velocity, dt)
    return u


def advection_reference(u, velocity, dt, n_steps):
    for _ in range(n_steps):
        back, ahead = u - anp.roll(u, 1), anp.roll(u, -1) - u
        u = u - dt * velocity * anp.where(velocity > 0.0, back, ahead)
    return u


def convolution(signal, weights):
    n = signal.shape[0] - weights.shape[0] + 1
    out = np.zeros(n)
    for i in range(n):
        for j in range(weights.shape[0]):
            out[i] += signal[i + j] * weights[j]
    return out


def convolution_reference(signal, weights):
    n = len(signal) - len(weights) + 1
    return sum(weights[j] * signal[j : j + n] for j in range(len(weights)))


def convolution_2d(image, weights):
    rows = image.shape[0] - 1
    columns = image.shape[1] - 1
    out = np.zeros((rows, columns))
    for i in range(rows):
        for j in range(columns):
            out[i, j] = np.sum(image[i : i + 2, j : j + 2] * weights)
    return np.maximum(out, 0.1 * out)


def convolution_2d_reference(image, weights):
    out = (
        image[:-1, :-1] * weights[0, 0]
        + image[:-1, 1:] * weights[0, 1]
        + image[1:, :-1] * weights[1, 0]
        + image[1:, 1:] * weights[1, 1]
    )
    return anp.where(out > 0, out, 0.1 * out)


STENCILS = (
    Kernel(
        jacobi_1d,
        {"a": numbers(7), "b": numbers(7, seed=1), "n_steps": 3},
        ("a", "b"),
        jacobi_1d_reference,
        outputs=("a", "b"),
    ),
    Kernel(jacobi_2d, {"a": numbers(5, 4), "n_steps": 2}, ("a",), jacobi_2d_reference),
    Kernel(seidel_2d, {"a": numbers(4, 4), "n_steps": 2}, ("a",), seidel_2d_reference),
    Kernel(
        heat,
        {"u": numbers(6), "kappa": 0.7, "dt": 0.2, "n_steps": 4},
        ("u", "kappa"),
        heat_reference,
    ),
    Kernel(wave, {"u": numbers(6), "speed": 0.4, "n_steps": 3}, ("u", "speed"), wave_reference),
    Kernel(
        advection,
        {"u": numbers(5), "velocity": numbers(5, seed=1), "dt": 0.3, "n_steps": 3},
        ("u", "velocity", "dt"),
        advection_reference,
    ),
    Kernel(
        convolution,
        {"signal": numbers(7), "weights": numbers(3, seed=1)},
        ("signal", "weights"),
        convolution_reference,
    ),
    Kernel(
        convolution_2d,
        {"image": numbers(4, 5), "weights": numbers(2, 2, seed=1)},
        ("image", "weights"),
        convolution_2d_reference,
    ),
)
