"""Functions that tests send to other processes."""

import functools

import numpy as np

import adlsp

SCALE = 3.0


def squash(u):
    return np.tanh(u) ** 2


def loss(w, x):
    return SCALE * np.sum(squash(x * w))


def residuals(w, x):
    return np.tanh(x * w)


def fill(w, out):
    for i in range(len(out)):
        out[i] = w * out[i]


@functools.lru_cache
def cached(w):
    return squash(w)


@adlsp.differentiable
def clipped(w):
    u = w * w
    with adlsp.insert_grad_of(u) as u_bar:
        u_bar = np.clip(u_bar, -0.5, 0.5)
    return np.sin(u)


def refused(x):
    np.multiply(x, x, out=x)
    return np.sum(x)


def gradient_of_the_refused(x):
    return adlsp.grad(refused)(x)


squared, cubed = lambda w: np.square(w), lambda w: np.power(w, 3)

BY_NAME = {"sine": lambda w: np.sin(w), "twice": [lambda w: 2.0 * w]}


def nested(x):
    def distance(w):
        return np.sum((w - x) ** 2)

    return distance


def shared(x):
    strength = SCALE
    inner = lambda w: np.sum(w * x)  # noqa: E731
    plain = np

    def penalty(w):
        return strength * plain.pi * np.sum(w * w)

    def both(w, offset=1.0, *, factor=2.0):
        return factor * inner(w) + penalty(w) + offset

    return both


def holding(x):
    table = {"plain": [np, (squared, 2.0)], "given": functools.partial(lambda a, b: a * b, b=x)}

    def count(n):
        nonlocal x
        x = x + n
        return table["plain"][0].sum(table["plain"][1][0](x)) + table["given"](x)

    return count


def power(n):
    def raised(w, k):
        return w if k == 1 else w * raised(w, k - 1)

    return lambda w: raised(w, n)


class Model:
    def __init__(self, x):
        self.x = x

    def loss(self, w):
        return np.sum((w - self.x) ** 2)

    @staticmethod
    def free(w):
        return np.sum(w * w)

    def __call__(self, w):
        return np.sum(w * self.x)
