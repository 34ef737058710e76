"""Objects that are given to a function, which changes them: how they hang together, how it does.

Each change of `CHANGES` may stand in each of `WAYS`, and each of `READS` behind it; `GIVEN` are the
objects, some of which stand in several places, or hold what shares memory.
"""

from __future__ import annotations

import itertools
import random

HEAD = """
import numpy as np

W = np.array([0.5, -0.7, 1.2])
V = np.array([1.1, 0.3, -0.4])


class A:
    def __init__(self, w):
        self.w = np.array(w)
        self.x = None
        self.n = 0
        self.kept = []
        self.cache = {}

    def set(self, x):
        self.x = x
        return np.sin(x) * self.w

    def keep(self, x):
        self.kept.append(x * self.w)
        return x

    def note(self, x):
        self.cache["h"] = x * 2.0
        return self.cache["h"] * self.w

    def bind(self, x):
        self.w = self.w + x
        return self.w

    def add(self, x):
        self.w += x
        return self.w * x

    def store(self, x):
        self.w[0] = x[0] * x[1]
        return self.w

    def count(self, x):
        self.n += 1
        return x * self.n

    def total(self):
        return sum(self.kept) if self.kept else 0.0


class B:
    def __init__(self, s):
        self.s = s
        self.mask = None

    def set(self, x):
        self.mask = x > 0
        return x * self.mask * self.s

    def bind(self, x):
        self.s = self.s * x.sum()
        return x

    def add(self, x):
        self.s += x.sum()
        return x

    def keep(self, x):
        return x

    note = store = count = keep

    def total(self):
        return self.s


class C(A):
    @property
    def twice(self):
        return self.w * 2.0


class Net:
    def __init__(self, a, b, **more):
        self.a = a
        self.b = b
        self.__dict__.update(more)


def one(o, x):
    return o.{change}(x) * 2.0


def both(net, x):
    return net.b.{change}(net.a.{change}(x)) + x


def reading(net, x):
    return (net.a.w * x).sum() + np.sum(net.a.total())


def make():
    return {given}


def f(net, x):
    {way}
    {read}
"""

CHANGES = ("set", "keep", "note", "bind", "add", "store", "count")

GIVEN = {
    "of one class": "Net(A(W), A(V))",
    "of two classes": "Net(A(W), B(1.5))",
    "the same object twice": "Net(*[A(W)] * 2)",
    "the same object with a property": "Net(*[C(W)] * 2)",
    "the same array twice": "(lambda a, b: (setattr(b, 'w', a.w), Net(a, b))[1])(A(W), A(V))",
    "a view": "(lambda a, b: (setattr(b, 'w', a.w[::-1]), Net(a, b))[1])(A(W), A(V))",
    "also in a list": "(lambda a, b: Net(a, b, layers=[a, b]))(A(W), A(V))",
    "in containers": (
        "Net(A(W), A(V), layers=[A(V), B(1.5), A(W)], named={'p': A(W), 'q': B(0.5)},"
        " pair=(A(V), B(2.0)))"
    ),
    "in a circle": "(lambda net: (setattr(net.a, 'net', net), net)[1])(Net(A(W), A(V)))",
    "with other things": (
        "(lambda net: (net.a.kept.append(V * 1.0), net.a.cache.update(h=W * 1.0), net)[2])("
        "Net(A(W), A(V), rng=np.random.default_rng(0), f=np.tanh, name='n'))"
    ),
}

WAYS = {
    "once": "y = net.a.{change}(x)",
    "both": "y = net.a.{change}(x)\n    y = net.b.{change}(y)",
    "by a name": "a = net.a\n    y = a.{change}(x)",
    "of a display": "y = x\n    for o in (net.a, net.b):\n        y = y + o.{change}(y)",
    "often": "y = x\n    for _ in range(3):\n        y = y + net.a.{change}(y) * 0.1",
    "in a branch": (
        "y = x\n    if x.sum() > 0:\n        y = net.a.{change}(x)\n    else:\n"
        "        y = net.b.{change}(x)"
    ),
    "by a callee": "y = one(net.a, x)",
    "by a callee of all": "y = both(net, x)",
    "of a list": "y = x\n    for layer in net.layers:\n        y = layer.{change}(y)",
    "of values": "y = x\n    for layer in net.named.values():\n        y = layer.{change}(y)",
    "of items": "y = x\n    for _, layer in net.named.items():\n        y = layer.{change}(y)",
    "by keys": "y = x\n    for key in net.named:\n        y = net.named[key].{change}(y)",
    "of a tuple": (
        "y = x\n    for i, layer in enumerate(net.pair):\n        y = layer.{change}(y) + i"
    ),
    "back": "y = x\n    for layer in reversed(net.layers):\n        y = layer.{change}(y)",
    "by index": (
        "y = x\n    for i in range(len(net.layers)):\n        y = net.layers[i].{change}(y)"
    ),
    "one of several": "o = net.a if x[0] > 0 else net.b\n    y = o.{change}(x)",
    "one or the other": (
        "if x[0] > 0:\n        o = net.a\n    else:\n        o = net.b\n    y = o.{change}(x)"
    ),
    "all but one": (
        "y = x\n    for o in (net.a, net.b):\n        if o is not net.b:\n"
        "            y = o.{change}(y)"
    ),
    "of a new one": "net.a = A(x)\n    y = net.a.{change}(x)",
    "exchanged": "net.a, net.b = net.b, net.a\n    y = net.a.{change}(x)",
}

READS = (
    "return y.sum()",
    "return y.sum() + (net.a.w * x).sum() + net.a.n",
    "return (y * x).sum() + (net.b.w * x).sum()",
    "return (y * x).sum() + (net.a.w * net.b.w).sum() + np.sum(net.a.total() * x)",
    "return (y * x).sum() + (0.0 if net.a.x is None else (net.a.x * x).sum()) + len(net.a.kept)",
    "return (y * x).sum() + sum(np.sum(o.total()) for o in net.layers)",
    "return (y * x).sum() + reading(net, x)",
    "return (y * x).sum() + (net.b.w * x).sum() * hasattr(net.b, 'w') + net.b.n",
    "return (y * x).sum() + (net.b.w * x).sum() * (net.a == net.b) + net.b.n",
    "return (y * x).sum() + (net.b.w * x).sum() * (net.b in [net.a]) + net.b.n",
    "return (y * x).sum() + (net.b.w * x).sum() * len(type(net.b).__name__) + net.b.n",
)


BODIES = """
import numpy as np
from typing import NamedTuple


class Body:
    def __init__(self, at, v, mass):
        self.at, self.v, self.mass = np.array(at), np.array(v), mass

    def pull(self, others, g):
        total = np.zeros(3)
        for o in others:
            if o is not self:
                r = o.at - self.at
                total = total + g * o.mass * r / (r @ r + 0.1) ** 1.5
        return total


class Spring:
    def __init__(self, one, other):
        self.one, self.other, self.n = one, other, 0

    def step(self, k):
        push = k * (self.other.at - self.one.at)
        self.one.v = self.one.v + push
        self.other.v = self.other.v - push
        self.n += 1


class Place(NamedTuple):
    q: float
    p: float


class Walker:
    def __init__(self):
        self.state = None

    def walk(self, dt):
        q, p = self.state
        self.state = Place(q + dt * p, p - dt * q)


def bodies():
    at, v = np.array([[0.0, 0.1, 0.2], [1.0, 0.3, -0.4], [0.5, -1.0, 0.6]]), np.ones((3, 3))
    return [Body(a, 0.1 * (i + 1) * w, 1.0 + i) for i, (a, w) in enumerate(zip(at, v))]


def circle():
    one, other = bodies()[:2]
    one.after, other.before = other, one
    return one, other


"""

FOUND = {
    "bodies that pull each other": (
        """
def make():
    return (bodies(),)


def f(some, x):
    for _ in range(2):
        pulls = [b.pull(some, x) for b in some]
        for b, pull in zip(some, pulls):
            b.v = b.v + 0.1 * pull
            b.at = b.at + 0.1 * b.v
    return sum(np.sum(b.at**2) for b in some)
""",
        True,
    ),
    "springs between them": (
        """
def make():
    some = bodies()
    return some, [Spring(some[0], some[1]), Spring(some[1], some[2])]


def f(some, springs, x):
    for _ in range(2):
        for spring in springs:
            spring.step(x)
        for b in some:
            b.at = b.at + 0.1 * b.v
    return sum(np.sum(b.at**2) for b in some) + springs[0].n
""",
        True,
    ),
    "one object for two parameters": (
        """
def make():
    return (bodies()[0],) * 2


def f(one, other, x):
    one.v = one.v * x
    return np.sum(other.v * x) + np.sum(one.v)
""",
        True,
    ),
    "an attribute that is taken apart": (
        """
def make():
    return Walker(), Place(0.5, 1.0)


def f(walker, place, x):
    walker.state = place
    for _ in range(2):
        walker.walk(x[0])
    return walker.state.q * x[1]
""",
        True,
    ),
    "an operator that changes an object with another name": (
        """
class Vector:
    def __init__(self, a):
        self.a = a

    def __iadd__(self, other):
        self.a = self.a + other.a
        return self


class Two:
    def __init__(self, one):
        self.one, self.other = one, one


class Holder:
    def __init__(self, two):
        self.two, self.kept = two, [two.one, Vector(W_)]


W_ = np.array([0.5, -0.7, 1.2])


def make():
    return (Holder(Two(Vector(W_ * 2.0))),)


def f(holder, x):
    holder.two.one += Vector(x * x)
    holder.kept[1] += Vector(x)
    own = Two(Vector(x))
    own.one += holder.kept[0]
    return np.sum(holder.two.other.a * own.other.a * holder.kept[1].a)
""",
        True,
    ),
    "an argument that another one holds": (
        """
def make():
    some = bodies()
    return Spring(some[0], some[1]), some[0]


def f(spring, one, x):
    spring.one.v = spring.one.v * x
    return np.sum(one.v)
""",
        True,
    ),
    "a list that an argument holds": (
        """
def make():
    some = bodies()
    some[0].kept = [1.0]
    return some[0], some[0].kept


def f(one, kept, x):
    kept[0] = x
    return np.sum(one.kept[0] * 2.0)
""",
        False,
    ),
    "an attribute named as what takes results": (
        """
class Layer:
    def __init__(self, w):
        self.w, self.out = np.array(w), None


def make():
    layers = [Layer([0.5, -0.7, 1.2]), Layer([1.1, 0.3, -0.4])]
    return ({"layers": layers, "first": layers[0]},)


def f(net, x):
    layer = net["layers"][0]
    layer.out = x * layer.w
    net["first"].w = net["layers"][1].w * layer.out
    return np.sum(net["layers"][0].w * net["first"].out)
""",
        True,
    ),
    "blocks that are called, and hold others": (
        """
class Norm:
    eps = 0.01

    def __init__(self, g):
        self.g = np.array(g)

    def __call__(self, x):
        self.x = x
        return x * self.g / np.sqrt(np.mean(x**2) + self.eps)

    def total(self):
        return np.sum(self.x * self.g)


class Block:
    scale = 0.5

    def __init__(self, g):
        self.one, self.other, self.n = Norm(g), Norm(g), 0

    def __call__(self, x):
        self.n = self.n + 1
        return x + self.scale * self.other(self.one(x))

    def total(self):
        return self.one.total() * self.other.total() * self.n


def make():
    return ([Block([0.5, -0.7, 1.2]), Norm([1.1, 0.3, -0.4]), Block([1.0, 2.0, 0.3])],)


def f(blocks, x):
    for block in blocks:
        x = block(x)
    return np.sum(x) + sum(block.total() for block in blocks)
""",
        True,
    ),
    "what leads back in a circle": (
        """
def make():
    return circle()


def f(one, other, x):
    one.v = one.v * x
    return np.sum(other.before.v)
""",
        False,
    ),
    "what was not there in a circle": (
        """
def make():
    return (circle(),)


def f(both, x):
    both[0].kept = x
    return np.sum(both[1].before.kept)
""",
        False,
    ),
    "one of several that another name has": (
        """
def make():
    return (bodies(),)


def f(some, x):
    b = some[0] if x[0] > 0 else some[1]
    b.v = b.v * x
    return np.sum(some[0].v)
""",
        False,
    ),
    "one array in two objects": (
        """
def make():
    some = bodies()[:2]
    some[1].v = some[0].v
    return tuple(some)


def f(one, other, x):
    one.v *= x
    return np.sum(other.v)
""",
        False,
    ),
}
"""Programs that were found wrong, with what they are given, and whether they are differentiated."""


def programs(n: int, first: int = 0) -> list[tuple[str, str]]:
    """Some programs, each with what it is of; the same `first` gives the same ones."""
    every = [*itertools.product(GIVEN.items(), WAYS.items(), CHANGES, READS)]
    random.Random(0).shuffle(every)
    return [
        (
            f"{given}: {change} {way}",
            HEAD.replace("{way}", how)
            .replace("{given}", what)
            .replace("{read}", read)
            .replace("{change}", change),
        )
        for (given, what), (way, how), change, read in every[first : first + n]
    ]
