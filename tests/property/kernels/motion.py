"""Things that move: bodies, integrators, filters, iterated maps."""

import autograd.numpy as anp
import numpy as np

from kernels.kernel import Kernel, definite, numbers


def forces(position, mass):
    n = position.shape[0]
    out = np.zeros_like(position)
    for i in range(n):
        for j in range(i):
            away = position[j] - position[i]
            pull = mass[i] * mass[j] / (np.sum(away * away) + 0.1) ** 1.5
            out[i] += pull * away
            out[j] -= pull * away
    return out


def n_body(position, velocity, mass, dt, n_steps):
    for _ in range(n_steps):
        acceleration = forces(position, mass) / mass[:, None]
        velocity = velocity + dt * acceleration
        position = position + dt * velocity
    return 0.5 * np.sum(mass[:, None] * velocity**2) + np.sum(position)


def n_body_reference(position, velocity, mass, dt, n_steps):
    for _ in range(n_steps):
        away = position[None] - position[:, None]
        pull = mass[:, None] * mass[None] / (anp.sum(away * away, axis=2) + 0.1) ** 1.5
        acceleration = anp.sum(pull[:, :, None] * away, axis=1) / mass[:, None]
        velocity = velocity + dt * acceleration
        position = position + dt * velocity
    return 0.5 * anp.sum(mass[:, None] * velocity**2) + anp.sum(position)


def pendulum(state, damping):
    angle, speed = state
    return np.array([speed, -np.sin(angle) - damping * speed])


def runge_kutta(state, damping, dt, n_steps):
    for _ in range(n_steps):
        k1 = pendulum(state, damping)
        k2 = pendulum(state + 0.5 * dt * k1, damping)
        k3 = pendulum(state + 0.5 * dt * k2, damping)
        k4 = pendulum(state + dt * k3, damping=damping)
        state = state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return state


def runge_kutta_reference(state, damping, dt, n_steps):
    def slope(state):
        return anp.array([state[1], -anp.sin(state[0]) - damping * state[1]])

    for _ in range(n_steps):
        k1 = slope(state)
        k2 = slope(state + dt * k1 / 2)
        k3 = slope(state + dt * k2 / 2)
        state = state + dt * (k1 + 2 * k2 + 2 * k3 + slope(state + dt * k3)) / 6
    return state


def predict(mean, covariance, transition, noise):
    return transition @ mean, transition @ covariance @ transition.T + noise


def kalman(observed, mean, covariance, transition, noise, spread):
    """The log-likelihood of observations of the first component of a state."""
    total = 0.0
    for t in range(len(observed)):
        mean, covariance = predict(mean, covariance, transition, noise)
        surprise = observed[t] - mean[0]
        variance = covariance[0, 0] + spread
        gain = covariance[:, 0] / variance
        mean = mean + gain * surprise
        covariance = covariance - np.outer(gain, covariance[0])
        total -= 0.5 * (surprise**2 / variance + np.log(variance))
    return total


def kalman_reference(observed, mean, covariance, transition, noise, spread):
    h = anp.array([[1.0, 0.0]])
    total = 0.0
    for t in range(len(observed)):
        mean = transition @ mean
        covariance = transition @ covariance @ transition.T + noise
        surprise = observed[t] - h @ mean
        variance = h @ covariance @ h.T + spread
        gain = covariance @ h.T @ anp.linalg.inv(variance)
        mean = mean + gain @ surprise
        covariance = (anp.eye(2) - gain @ h) @ covariance
        square = surprise @ anp.linalg.inv(variance) @ surprise
        total = total - 0.5 * (square + anp.log(anp.linalg.det(variance)))
    return total


def escape(real, imaginary, limit):
    """Iterates z -> z * z + c until it is far out, and says how far it came."""
    x, y, n = 0.0, 0.0, 0
    while x * x + y * y < 16.0 and n < limit:
        x, y = x * x - y * y + real, 2.0 * x * y + imaginary
        n += 1
    if n == limit:
        return 0.01 * x
    return n + 1.0 - np.log(np.log(x * x + y * y) / 2.0) / np.log(2.0)


def mandelbrot(real, imaginary, limit):
    total = 0.0
    for i in range(real.shape[0]):
        for j in range(imaginary.shape[0]):
            total = total + escape(real[i], imaginary[j], limit) * (1.0 + i + j)
    return total


def mandelbrot_reference(real, imaginary, limit):
    total = 0.0
    for i in range(len(real)):
        for j in range(len(imaginary)):
            x, y, n = 0.0, 0.0, 0
            while x * x + y * y < 16.0 and n < limit:
                x, y, n = x * x - y * y + real[i], 2.0 * x * y + imaginary[j], n + 1
            out = 0.01 * x
            if n < limit:
                out = n + 1.0 - anp.log2(0.5 * anp.log(x * x + y * y))
            total = total + out * (1.0 + i + j)
    return total


def logistic_map(x, rate, n_steps):
    history = np.zeros(n_steps)
    for i in range(n_steps):
        x = rate * x * (1.0 - x)
        history[i] = x
    return history


def logistic_map_reference(x, rate, n_steps):
    history = []
    for _ in range(n_steps):
        x = rate * x * (1.0 - x)
        history.append(x)
    return anp.array(history)


MOTION = (
    Kernel(
        n_body,
        {
            "position": numbers(3, 2),
            "velocity": numbers(3, 2, seed=1),
            "mass": numbers(3, seed=2, low=0.5, high=1.5),
            "dt": 0.1,
            "n_steps": 2,
        },
        ("position", "velocity", "mass"),
        n_body_reference,
    ),
    Kernel(
        runge_kutta,
        {"state": np.array([0.8, -0.3]), "damping": 0.2, "dt": 0.1, "n_steps": 3},
        ("state", "damping", "dt"),
        runge_kutta_reference,
    ),
    Kernel(
        kalman,
        {
            "observed": numbers(4),
            "mean": numbers(2, seed=1),
            "covariance": definite(2),
            "transition": np.array([[1.0, 0.3], [-0.2, 0.9]]),
            "noise": 0.1 * np.eye(2),
            "spread": 0.4,
        },
        ("observed", "mean", "covariance", "transition", "noise", "spread"),
        kalman_reference,
    ),
    Kernel(
        mandelbrot,
        {"real": np.array([-1.1, 0.32, 0.7]), "imaginary": np.array([0.1, 0.6]), "limit": 12},
        ("real", "imaginary"),
        mandelbrot_reference,
    ),
    Kernel(
        logistic_map,
        {"x": 0.3, "rate": 2.9, "n_steps": 5},
        ("x", "rate"),
        logistic_map_reference,
    ),
)
