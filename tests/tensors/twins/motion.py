"""Things that move: bodies, integrators, filters, iterated maps."""

import tensorflow as tf
from kernels.motion import MOTION
from kernels.places import PLACES
from kernels.systems import SYSTEMS

from twins.twin import twins_of

G = 9.81


def forces(position, mass):
    away = position[None] - position[:, None]
    squares = tf.reduce_sum(tf.square(away), axis=2) + 0.1
    pull = mass[:, None] * mass * tf.pow(squares, -1.5)
    return tf.reduce_sum(pull[:, :, None] * away, axis=1)


def n_body(position, velocity, mass, dt, n_steps):
    for _ in range(n_steps):
        velocity += dt * forces(position, mass) / mass[:, None]
        position += dt * velocity
    return 0.5 * tf.reduce_sum(mass[:, None] * velocity**2) + tf.reduce_sum(position)


def pendulum(state, damping):
    angle, speed = tf.unstack(state)
    return tf.stack([speed, -tf.sin(angle) - damping * speed])


def runge_kutta(state, damping, dt, n_steps):
    for _ in range(n_steps):
        k1 = pendulum(state, damping)
        k2 = pendulum(state + 0.5 * dt * k1, damping)
        k3 = pendulum(state + 0.5 * dt * k2, damping)
        k4 = pendulum(state + dt * k3, damping)
        state = state + dt / 6.0 * tf.add_n([k1, 2.0 * k2, 2.0 * k3, k4])
    return state


def kalman(observed, mean, covariance, transition, noise, spread):
    h = tf.constant([[1.0, 0.0]], observed.dtype)
    total = tf.zeros((), observed.dtype)
    for value in tf.unstack(observed):
        mean = tf.linalg.matvec(transition, mean)
        covariance = transition @ covariance @ tf.transpose(transition) + noise
        surprise = value - mean[0]
        variance = covariance[0, 0] + spread
        gain = covariance[:, 0] / variance
        mean += gain * surprise
        covariance -= gain[:, None] * (h @ covariance)
        total -= 0.5 * (tf.square(surprise) / variance + tf.math.log(variance))
    return total


def logistic_map(x, rate, n_steps):
    history = []
    for _ in range(n_steps):
        x = rate * x * (1.0 - x)
        history.append(x)
    return tf.stack(history)


def mandelbrot(real, imaginary, limit):
    """All points at once: those that are far out stay where they are."""
    real, imaginary = real[:, None], imaginary[None, :]
    x = y = n = tf.zeros((real.shape[0], imaginary.shape[1]), real.dtype)
    for _ in range(limit):
        is_near = x * x + y * y < 16.0
        new_x = tf.where(is_near, x * x - y * y + real, x)
        y = tf.where(is_near, 2.0 * x * y + imaginary, y)
        x = new_x
        n += tf.cast(is_near, x.dtype)
    is_far = n < limit
    size = tf.where(is_far, x * x + y * y, 16.0)
    speed = n + 1.0 - tf.math.log(tf.math.log(size) / 2.0) / tf.math.log(tf.constant(2.0, x.dtype))
    i, j = tf.range(x.shape[0])[:, None], tf.range(x.shape[1])
    return tf.reduce_sum(tf.where(is_far, speed, 0.01 * x) * tf.cast(1 + i + j, x.dtype))


def decay(t, y, k):
    return -k * y * y + tf.cos(t)


def stiff(y, k, tolerance, end):
    t, h = tf.zeros_like(end), tf.constant(0.5, end.dtype)
    while t < end:
        h = tf.minimum(h, end - t)
        k1 = decay(t, y, k)
        k2 = decay(t + h, y + h * k1, k)
        error = tf.abs(k2 - k1) * h / 2.0
        if error < tolerance:
            t += h
            y += h * (k1 + k2) / 2.0
            h *= 1.5
        else:
            h *= 0.5
    return y


def predators(prey, hunters, rates, dt, n):
    birth, hunt, death = rates
    x, y = prey, hunters
    history = [(x, y)]
    for _ in range(n):
        x_half = x + 0.5 * dt * (birth - hunt * y) * x
        y_half = y + 0.5 * dt * (hunt * x - death) * y
        x, y = (
            x + dt * (birth - hunt * y_half) * x_half,
            y + dt * (hunt * x_half - death) * y_half,
        )
        history.append((x, y))
    return tf.convert_to_tensor(history)


def trace_ray(height, slope, lenses, gaps):
    path, i = tf.zeros((), height.dtype), 0
    while i < lenses.shape[0] and tf.abs(height) < 1.0:
        slope -= lenses[i] * height
        path += gaps[i] * tf.sqrt(1.0 + slope * slope)
        height += gaps[i] * slope
        i += 1
    if tf.abs(height) >= 1.0:
        return 10.0 * i + tf.square(height)
    return path + tf.abs(height)


def controller(gains, target, mass, dt, n):
    height = speed = total = tf.zeros_like(target)
    cost = tf.zeros_like(target)
    for _ in range(n):
        error = target - height
        total = total + error * dt
        force = tf.tensordot(gains, tf.stack([error, total, -speed]), axes=1)
        force = tf.clip_by_value(force, 0.0, 30.0)
        speed = speed + dt * (force / mass - G)
        height = tf.nn.relu(height + dt * speed)
        cost = cost + tf.square(error) + 1e-3 * tf.square(force)
    return cost / n


def spring_forces(x, stiffness):
    stretched = x[1:] - x[:-1]
    pull = stiffness * (stretched - 1.0) + 0.1 * stretched**3
    return tf.pad(pull, [[0, 1]]) - tf.pad(pull, [[1, 0]])


def chain(x, v, stiffness, dt, n_steps):
    force = spring_forces(x, stiffness)
    for _ in range(n_steps):
        v = v + 0.5 * dt * force
        x = x + dt * v
        force = spring_forces(x, stiffness)
        v = v + 0.5 * dt * force
    return x, v


def repulsion(points, charges):
    apart = points[:, tf.newaxis, :] - points[tf.newaxis, :, :]
    squares = tf.reduce_sum(apart**2, axis=-1)
    squares = tf.linalg.set_diag(squares, tf.ones_like(charges))
    energy = charges[:, tf.newaxis] * charges * tf.math.rsqrt(squares)
    return 0.5 * (tf.reduce_sum(energy) - tf.linalg.trace(energy))


TWINS = (
    *twins_of(MOTION, n_body, runge_kutta, kalman, logistic_map, mandelbrot),
    *twins_of(SYSTEMS, predators, controller, chain),
    *twins_of(SYSTEMS, stiff, trace_ray, is_eager=True),
    *twins_of(PLACES, repulsion),
)
