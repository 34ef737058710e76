"""Systems that evolve: populations, reactions, beams, controllers, and the solvers they need."""

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, definite, numbers

G = 9.81


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


def predators(prey, hunters, rates, dt, n):
    """The history of two populations, by the midpoint rule."""
    birth, hunt, death = rates
    history = np.empty((n + 1, 2))
    history[0] = prey, hunters
    for i in range(n):
        x, y = history[i]
        x_half = x + 0.5 * dt * (birth - hunt * y) * x
        y_half = y + 0.5 * dt * (hunt * x - death) * y
        history[i + 1, 0] = x + dt * (birth - hunt * y_half) * x_half
        history[i + 1, 1] = y + dt * (hunt * x_half - death) * y_half
    return history


def predators_reference(prey, hunters, rates, dt, n):
    def slope(x, y):
        return (rates[0] - rates[1] * y) * x, (rates[1] * x - rates[2]) * y

    rows = [(prey, hunters)]
    for _ in range(n):
        x, y = rows[-1]
        half = slope(x, y)
        full = slope(x + 0.5 * dt * half[0], y + 0.5 * dt * half[1])
        rows.append((x + dt * full[0], y + dt * full[1]))
    return anp.array([anp.array(row) for row in rows])


def trace_ray(height, slope, lenses, gaps):
    """A ray through thin lenses; one that leaves the tube is lost."""
    path, i = 0.0, 0
    while i < len(lenses) and -1.0 < height < 1.0:
        slope -= lenses[i] * height
        path += gaps[i] * np.sqrt(1.0 + slope * slope)
        height += gaps[i] * slope
        i += 1
    if not -1.0 < height < 1.0:
        return 10.0 * i + height**2
    return path + abs(height)


def trace_ray_reference(height, slope, lenses, gaps):
    path = 0.0
    for i in range(len(lenses)):
        slope = slope - lenses[i] * height
        path = path + gaps[i] * anp.hypot(1.0, slope)
        height = height + gaps[i] * slope
        if anp.abs(height) >= 1.0:
            return 10.0 * (i + 1) + height**2
    return path + anp.abs(height)


def controller(gains, target, mass, dt, n):
    """A weight that is lifted to a height; the motor has limits."""
    first, *others = gains
    height = speed = total = 0.0
    cost = []
    for _ in range(n):
        error = target - height
        total += error * dt
        force = first * error + others[0] * total - others[1] * speed
        force = 0.0 if force < 0.0 else 30.0 if force > 30.0 else force
        speed += dt * (force / mass - G)
        height = max(height + dt * speed, 0.0)
        cost.append(error**2 + 1e-3 * force**2)
    return np.mean(np.array(cost))


def controller_reference(gains, target, mass, dt, n):
    height, speed, total, cost = 0.0, 0.0, 0.0, 0.0
    for _ in range(n):
        error = target - height
        total = total + error * dt
        force = gains[0] * error + gains[1] * total - gains[2] * speed
        force = anp.minimum(anp.maximum(force, 0.0), 30.0)
        speed = speed + dt * (force / mass - 9.81)
        height = anp.maximum(height + dt * speed, 0.0)
        cost = cost + (error**2 + 1e-3 * force**2) / n
    return cost


def spring_forces(x, stiffness, out):
    """Writes the forces on a chain of masses into `out`."""
    out[:] = 0.0
    for i in range(len(x) - 1):
        pull = stiffness * (x[i + 1] - x[i] - 1.0) + 0.1 * (x[i + 1] - x[i]) ** 3
        out[i] += pull
        out[i + 1] -= pull


def chain(x, v, stiffness, dt, n_steps):
    """Leapfrog steps in place, with one array for the forces of all steps."""
    force = np.empty_like(x)
    spring_forces(x, stiffness, force)
    for _ in range(n_steps):
        v += 0.5 * dt * force
        x += dt * v
        spring_forces(x, stiffness, force)
        v += 0.5 * dt * force
    return x, v


def chain_reference(x, v, stiffness, dt, n_steps):
    def force(x):
        apart = x[1:] - x[:-1]
        pull = stiffness * (apart - 1.0) + 0.1 * apart**3
        return anp.concatenate([pull, anp.zeros(1)]) - anp.concatenate([anp.zeros(1), pull])

    for _ in range(n_steps):
        v = v + 0.5 * dt * force(x)
        x = x + dt * v
        v = v + 0.5 * dt * force(x)
    return x, v


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
    Kernel(
        predators,
        {"prey": 1.2, "hunters": 0.6, "rates": (1.1, 0.7, 0.5), "dt": 0.1, "n": 4},
        ("prey", "hunters", "rates"),
        predators_reference,
    ),
    Kernel(
        trace_ray,
        {
            "height": 0.3,
            "slope": 0.1,
            "lenses": numbers(4, low=0.2, high=0.6),
            "gaps": numbers(4, seed=1, low=0.5, high=1.0),
        },
        ("height", "slope", "lenses", "gaps"),
        trace_ray_reference,
    ),
    Kernel(
        trace_ray,
        {
            "height": 0.5,
            "slope": 0.4,
            "lenses": np.array([0.1, -0.5, 0.2]),
            "gaps": np.array([0.7, 0.9, 0.8]),
        },
        ("height", "slope", "lenses", "gaps"),
        trace_ray_reference,
    ),
    Kernel(
        controller,
        {
            "gains": np.array([20.0, 8.0, 7.0]),
            "target": 1.0,
            "mass": 1.5,
            "dt": 0.05,
            "n": 12,
        },
        ("gains", "target", "mass"),
        controller_reference,
    ),
    Kernel(
        chain,
        {
            "x": np.array([0.0, 1.1, 1.8, 3.2]),
            "v": numbers(4, seed=1),
            "stiffness": 2.0,
            "dt": 0.1,
            "n_steps": 3,
        },
        ("x", "v", "stiffness"),
        chain_reference,
    ),
)
