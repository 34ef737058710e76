"""Systems that evolve: populations, reactions, beams, controllers, and the solvers they need."""

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, definite, numbers


def laplacian(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4.0 * u


def gray_scott(u, v, *, feed=0.04, kill=0.06, n_steps=3):
    """Two substances that react and spread, on a torus."""
    for _ in range(n_steps):
        reaction = u * v * v
        u, v = (
            u + 0.2 * laplacian(u) - reaction + feed * (1.0 - u),
            v + 0.1 * laplacian(v) + reaction - (feed + kill) * v,
        )
    return u - v


def gray_scott_reference(u, v, feed=0.04, kill=0.06, n_steps=3):
    shift = [np.roll(np.eye(len(u)), k, 0) - np.eye(len(u)) for k in (1, -1)]
    spread = shift[0] + shift[1]
    for _ in range(n_steps):
        reaction = u * v**2
        around_u = anp.dot(spread, u) + anp.dot(u, spread)
        around_v = anp.dot(spread, v) + anp.dot(v, spread)
        u = 0.2 * around_u + u * (1.0 - feed) - reaction + feed
        v = 0.1 * around_v + v * (1.0 - feed - kill) + reaction
    return u - v


def decay(t, y, k):
    return -k * y * y + np.cos(t)


def stiff(y, k, tolerance, end):
    """Steps as large as the difference of two rules allows."""
    t, h = 0.0, 0.5
    while t < end:
        h = min(h, end - t)
        k1 = decay(t, y, k)
        k2 = decay(t + h, y + h * k1, k)
        error = abs(k2 - k1) * h / 2.0
        if error < tolerance:
            t += h
            y = y + h * (k1 + k2) / 2.0
            h *= 1.5
        else:
            h *= 0.5
    return y


def stiff_reference(y, k, tolerance, end):
    t, h = 0.0, 0.5
    while t < end:
        h = end - t if end - t < h else h
        low = h * (anp.cos(t) - k * y**2)
        high = 0.5 * (low + h * (anp.cos(t + h) - k * (y + low) ** 2))
        if anp.abs(high - low) < tolerance:
            t, y, h = t + h, y + high, 1.5 * h
        else:
            h = 0.5 * h
    return y


def conjugate_gradients(a, b, tolerance):
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rs = r @ r
    while rs > tolerance:
        ap = a @ p
        step = rs / (p @ ap)
        x += step * p
        r -= step * ap
        rs, before = r @ r, rs
        p = r + rs / before * p
    return x


def conjugate_gradients_reference(a, b, tolerance):
    return anp.linalg.solve(a, b)


def tridiagonal(low, mid, high, d):
    """Solves a system with constant diagonals."""
    n = len(d)
    c, x = np.empty(n), np.empty(n)
    c[0], x[0] = high / mid, d[0] / mid
    for i in range(1, n):
        rest = mid - low * c[i - 1]
        c[i] = high / rest
        x[i] = (d[i] - low * x[i - 1]) / rest
    for i in reversed(range(n - 1)):
        x[i] -= c[i] * x[i + 1]
    return x


def crank_nicolson(u, alpha, n_steps):
    for _ in range(n_steps):
        inner = u[1:-1] + 0.5 * alpha * (u[:-2] - 2.0 * u[1:-1] + u[2:])
        inner[0] += 0.5 * alpha * u[0]
        inner[-1] += 0.5 * alpha * u[-1]
        u[1:-1] = tridiagonal(-0.5 * alpha, 1.0 + alpha, -0.5 * alpha, inner)
    return u


def crank_nicolson_reference(u, alpha, n_steps):
    n = len(u)
    bend = np.zeros((n, n))
    bend[1:-1] = (np.eye(n, k=1) - 2.0 * np.eye(n) + np.eye(n, k=-1))[1:-1]
    for _ in range(n_steps):
        right = anp.dot(anp.eye(n) + 0.5 * alpha * bend, u)
        u = anp.linalg.solve(anp.eye(n) - 0.5 * alpha * bend, right)
    return u


SYSTEMS = (
    Kernel(
        gray_scott,
        {"u": numbers(4, 4, low=0.3, high=1.0), "v": numbers(4, 4, seed=1, low=0.0, high=0.5)},
        ("u", "v"),
        gray_scott_reference,
    ),
    Kernel(
        stiff,
        {"y": 1.3, "k": 2.1, "tolerance": 0.03, "end": 1.5},
        ("y", "k", "end"),
        stiff_reference,
    ),
    Kernel(
        conjugate_gradients,
        {"a": definite(3), "b": numbers(3, seed=1), "tolerance": 1e-20},
        ("b",),
        conjugate_gradients_reference,
    ),
    Kernel(
        crank_nicolson,
        {"u": numbers(6), "alpha": 0.8, "n_steps": 3},
        ("u", "alpha"),
        crank_nicolson_reference,
    ),
)
