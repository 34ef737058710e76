"""The ways in which an array changes, and the ways in which a program gets there.

Each statement of `CHANGES` changes an array `a` by `x`, under this name or another one, or in a
way that is not followed. `WAYS` are programs around it: in the function itself, in what that
calls, with the array made there, given, held by an object or a module, or captured.
"""

from __future__ import annotations

import itertools
import textwrap

HEAD = """import operator

import numpy as np

A = np.zeros(3)
K = np.array([0.5, -0.7, 2.0])


"""

CHANGES = """
a[:] = x
---
a[0] = x[1]
---
a += x
---
a[1:] *= x[1:]
---
a.fill(x[0])
---
np.copyto(a, x)
---
np.copyto(a, x, casting="unsafe")
---
np.copyto(a, x, where=x > 0)
---
np.put(a, [0, 2], x[:2])
---
a.put([0, 2], x[:2])
---
np.place(a, a == 0, x)
---
np.putmask(a, a == 0, x)
---
np.put_along_axis(a, np.array([0, 2]), x[:2], 0)
---
np.fill_diagonal(a.reshape(1, 3), x[0])
---
a.__setitem__(0, x[0])
---
a.__iadd__(x)
---
operator.setitem(a, 0, x[0])
---
operator.iadd(a, x)
---
np.ndarray.__setitem__(a, 0, x[0])
---
np.add(a, x, a)
---
np.add(a, x, out=a)
---
b = np.add(a, x, out=a)
---
np.exp(x, a)
---
np.modf(x, a, np.zeros(3))
---
np.cumsum(x, None, None, a)
---
x.cumsum(None, None, a)
---
x.clip(-1, 1, a)
---
np.clip(x, -1, 1, a)
---
np.add.at(a, [0, 0], x[:2])
---
np.multiply.at(a, [0, 1], x[:2])
---
np.matmul(np.eye(3), x, a)
---
np.dot(np.eye(3), x, a)
---
np.einsum("i->i", x, out=a)
---
np.take(x, [0, 1, 2], None, a)
---
for place, value in zip(np.nditer(a, op_flags=["readwrite"]), x):
    place[...] = value
---
b = a[:2]
b[:] = x[:2]
---
b = a.reshape(3, 1)
b[:, 0] = x
---
b = np.lib.stride_tricks.as_strided(a, (3,))
b[:] = x
---
first, last = np.split(a, [1])
last[:] = x[1:]
---
views = [a[i:] for i in range(2)]
views[1][:] = x[1:]
---
held = {"a": a}
held["a"][0] = x[0]
---
held = (a, 1.0)
held[0][0] = x[0]
---
other = np.ones(3)
b = a if x[0] > 0 else other
b[:] = x
---
for b in (a, np.ones(3)):
    b[:] = x
---
b = np.ones(3)
for c, k in ((a, 2.0), (b, 3.0)):
    c[0] = k * x[1]
---
b, c = [np.ravel(v) for v in (a, np.ones(3))]
b[:] = x
---
b, c = map(np.asarray, [a, x])
b[0] += c[1]
---
memoryview(a)[0] = x[0]
---
a.flat = x
---
a.real = x
---
put = a.__setitem__
put(0, x[0])
---
put = a.__setitem__
b = put(0, x[0])
---
list(map(a.__setitem__, range(3), x))
---
b = [a.__setitem__(i, x[i]) for i in range(3)]
---
exec("a[0] = x[0]", dict(a=a, x=x))
---
exec("a[0] = x[0]")
---
a[:] = x
np.random.default_rng(0).shuffle(a)
---
a[:] = x
a.sort()
---
a[:] = x
np.nan_to_num(a, copy=False)
"""

NAMELESS = ("a += x", 'exec("a[0] = x[0]")')
"""Changes that do not find what is captured."""

WAYS = {
    "own": """
def f(x):
    a = np.zeros(3)
    {change}
    return np.sum(a * a) + x[2]
""",
    "called": """
def g(x):
    a = np.zeros(3)
    {change}
    return np.sum(a * a)


def f(x):
    return g(x) * x[2]
""",
    "given": """
def g(a, x):
    {change}


def f(x):
    a = np.zeros(3)
    g(a, x)
    return np.sum(a * a)
""",
    "given back": """
def g(a, x):
    {change}
    return a


def f(x):
    b = g(np.zeros(3), x)
    return np.sum(b * b)
""",
    "beside": """
def g(a, x):
    {change}
    return 2.0


def f(x):
    a = np.zeros(3)
    scale = g(a, x)
    return np.sum(a * a) * scale
""",
    "further down": """
def g(a, x):
    {change}


def h(x):
    a = np.zeros(3)
    g(a, x)
    return np.sum(a * a)


def f(x):
    return h(x) * x[2]
""",
    "of an object": """
class Box:
    def __init__(self):
        self.a = np.zeros(3)

    def put(self, x):
        a = self.a
        {change}

    def total(self):
        return np.sum(self.a * self.a)


def f(x):
    box = Box()
    box.put(x)
    return box.total() * x[2]
""",
    "of a module": """
def g(x):
    a = A
    {change}
    return 2.0


def f(x):
    A[:] = 0.0
    scale = g(x)
    return np.sum(A * A) * scale
""",
    "captured": """
def f(x):
    a, y = np.zeros(3), x

    def g():
        x = y
        {change}

    g()
    return np.sum(a * a)
""",
    "in a dictionary": """
def g(held, x):
    a = held["a"]
    {change}


def f(x):
    held = dict(a=np.zeros(3))
    g(held, x)
    return np.sum(held["a"] ** 2)
""",
}

KEPT = {
    "own": """
def f(z):
    a, x = np.array([1.0, 2.0, 3.0]), K
    y = z * z * a
    {change}
    return np.sum(y * y) + np.sum(a * z)
""",
    "given": """
def g(a, x):
    {change}


def f(z):
    a = np.array([1.0, 2.0, 3.0])
    y = z
    for _ in range(2):
        y = y * z * a
        g(a, K)
    return np.sum(y * y) + np.sum(a * z)
""",
    "active": """
def g(a, z):
    x = K
    y = z * z * a
    {change}
    return y * a


def f(z):
    a = np.array([1.0, 2.0, 3.0])
    y = g(a, z)
    w = g(a, z)
    return np.sum(y * y) + np.sum(a * z * w)
""",
    "of an object": """
class Box:
    def __init__(self):
        self.a = np.array([1.0, 2.0, 3.0])

    def put(self, x):
        a = self.a
        {change}

    def times(self, z):
        return z * z * self.a


def f(z):
    box = Box()
    y = box.times(z)
    box.put(K)
    return np.sum(y * y) + np.sum(box.a * z)
""",
    "in a dictionary": """
def g(held, x):
    a = held["a"]
    {change}


def f(z):
    held = dict(a=np.array([1.0, 2.0, 3.0]))
    y = z * z * held["a"]
    g(held, K)
    return np.sum(y * y) + np.sum(held["a"] * z)
""",
    "a view": """
def f(z):
    a, x = np.array([1.0, 2.0, 3.0]), K
    c = a[::-1]
    y = z * z * c
    {change}
    return np.sum(y * y) + np.sum(c * z)
""",
}
"""Programs that read what is changed before, and want it again backward: `x` is of no interest."""

VIEWS = """
a[:2]; a.T; a.reshape(3, 1)[:, 0]; np.ravel(a); np.asarray(a); np.atleast_2d(a)[0]; a.view();
np.lib.stride_tricks.as_strided(a, (3,)); np.frombuffer(a); np.split(a, [1])[1]; [a][0]; (a,)[0];
{"k": a}["k"]; max([a], key=len); next(iter([a])); sorted([a], key=len)[0]; dict(a=a).get("a");
list(dict(a=a).values())[0]; [v for v in [a]][0]; list(map(same, [a]))[0]; (lambda v: v)(a);
same(a); a if len(a) == 3 else K; len(a) and a; functools.reduce(lambda p, q: p, [a, a]);
functools.partial(same, a)(); copy.copy([a])[0]; operator.itemgetter(0)([a]); np.require(a);
np.broadcast_arrays(a)[0]; np.expand_dims(a, 0)[0]; a.__getitem__(slice(2)); getattr(a, "T");
next(itertools.chain([a])); list(zip([a]))[0][0]; deque([a]).pop(); [a].pop();
a.astype(float, copy=False); np.add(a, 0, a); Pair(a).first; Pair(a)[0]; Pair(a).same();
vars(Pair(a))["first"]; next(some(a)); list(some(a))[0]; [*[a]][0]; dict(zip("a", [a]))["a"];
(lambda *v: v)(a)[0]; {**dict(a=a)}["a"]; (dict(a=K) | dict(a=a))["a"]; ([K] + [a])[1];
[a, K][int(a[0] > 5)]; defaultdict(lambda: a)["x"];
np.asarray(memoryview(a)); a[:].base
"""
"""What may be the same array, or share its memory."""

OF_VIEWS = {
    "own": """
def f(x):
    a = np.zeros(3)
    b = {view}
    b[:] = x[: len(b)]
    return np.sum(a * a) * x[2]
""",
    "given": """
def g(a):
    return {view}


def f(x):
    a = np.zeros(3)
    b = g(a)
    b[:] = x[: len(b)]
    return np.sum(a * a) * x[2]
""",
    "called": """
def g(x):
    a = np.zeros(3)
    b = {view}
    b *= x[: len(b)]
    a[:] = a + x
    return np.sum(a * a) + np.sum(b[:2])


def f(x):
    return g(x) * x[2]
""",
    "kept": """
def g(a):
    b = {view}
    b[:] = K[: len(b)]


def f(x):
    a = np.array([1.0, 2.0, 3.0])
    y = x * x * a
    g(a)
    return np.sum(y * y) + np.sum(a * x)
""",
}

IN_ORDER = """
np.zeros((2, 3)); np.zeros((2, 3), order="F"); np.zeros((3, 2)).T; np.outer(x[:2], x);
np.outer(K[:2], x).T.copy().T
"""
"""Matrices of two rows, whose elements lie in one order or another."""

OF_MATRICES = """
a.ravel(); a.ravel("F"); a.ravel("C"); a.ravel(order="A"); np.ravel(a, "K"); a.reshape(-1);
a.reshape(6, order="F"); np.reshape(a, 6, "F"); np.reshape(a, (3, 2)).ravel(); a.T.ravel(); a.flat;
a.flatten("F"); a.T.reshape(-1, order="C"); a[:, 1:].ravel(); a[1].ravel("F"); a.T.T.ravel("A");
a.copy("F").ravel("F"); a.swapaxes(0, 1).ravel("F"); a.T.ravel("F"); np.asfortranarray(a)[0];
np.ascontiguousarray(a).ravel(); a.squeeze().ravel(); a[None].ravel("K"); np.asarray(a)[0]
"""
"""What shows a matrix in a line, or a part of it; some of these are copies."""

IN_ORDERS = """import numpy as np

K = np.array([0.5, -0.7, 2.0])


def f(x):
    a = {a}
    b = {view}
    b[1] = x[0] * 3.0
    b[:1] = b[:1] * x[2]
    return np.sum(a[0] * a[1] * K) + np.sum(a * a * x) + np.sum(np.asarray(b)[:2] * K[:2])
"""

OF_HEAD = """import copy
import functools
import itertools
import operator
from collections import defaultdict, deque

import numpy as np

K = np.array([0.5, -0.7, 2.0])


class Pair:
    def __init__(self, first):
        self.first = first

    def __getitem__(self, i):
        return self.first

    def same(self):
        return self.first


def same(v):
    return v


def some(v):
    yield v


def copied(v):
    return v.copy()


"""

COPIES = """
xs.copy(); xs[:]; xs * 2; xs + xs; [*xs]; list(xs); copy.copy(xs); sorted(xs, key=len); tuple(xs);
[v for v in xs]; list(reversed(xs)); np.array([xs[0], 1.0], dtype=object); list(map(same, xs));
list(dict(a=xs[0]).copy().values()); (xs.copy() + [])[:1]; same(xs.copy()); copied(xs);
xs[:1].copy()
"""
"""What holds the same arrays as a list."""

OF_CONTAINERS = {
    '"c"': ("D.copy()", "copy.copy(D)", "dict(D)", "{**D}", "[D][0].copy()", "D.copy().copy()"),
    "0": ("D.copy()", "copy.copy(D)", "list(D)", "[*D]", "D[:]", "(D if s > 5 else D.copy())"),
}
"""What holds the same arrays as a dictionary, or a list, by the key of one."""

CHANGES_WITHIN = (
    "d[{key}] *= s",
    "v = d[{key}]\n    v *= s",
    "d[{key}][0] = s",
    "np.multiply(d[{key}], s, out=d[{key}])",
    "bump(d[{key}], s)",
    "d[{key}] = d[{key}] * s",
)
"""What changes an array in it, or exchanges it."""

OF_COPIES = {
    "changed": """
def g(xs, x):
    ys = {view}
    ys[0][:] = x


def f(x):
    a = np.zeros(3)
    g([a], x)
    return np.sum(a * a) * x[2]
""",
    "run through": """
def g(xs, x):
    for y in {view}:
        y += x
    return 2.0


def f(x):
    a = np.zeros(3)
    scale = g([a], x)
    return np.sum(a * a) * x[2] * scale
""",
    "given": """
def g(xs):
    return {view}


def f(x):
    a = np.zeros(3)
    ys = g([a])
    ys[0][:] = x
    return np.sum(a * a) * x[2]
""",
    "taken out": """
def g(xs):
    return ({view})[0]


def f(x):
    a = np.zeros(3)
    b = g([a])
    b[:] = x
    return np.sum(a * a) * x[2]
""",
    "further down": """
def g(xs, x):
    ys = {view}
    ys[0].fill(x[0])


def h(zs, x):
    g(zs, x)


def f(x):
    a = np.zeros(3)
    h([a], x)
    return np.sum(a * a) * x[2]
""",
    "of an object": """
class Box:
    def __init__(self, a):
        self.held = [a]

    def put(self, x):
        xs = self.held
        ys = {view}
        ys[0][:] = x


def f(x):
    a = np.zeros(3)
    Box(a).put(x)
    return np.sum(a * a) * x[2]
""",
    "kept": """
def g(xs):
    ys = {view}
    ys[0][:] = K


def f(x):
    a = np.array([1.0, 2.0, 3.0])
    y = x * x * a
    g([a])
    return np.sum(y * y) + np.sum(a * x)
""",
    "kept inside": """
def g(xs, x):
    y = x * x * xs[0]
    ys = {view}
    ys[0][:] = K
    return y * xs[0]


def f(x):
    a = np.array([1.0, 2.0, 3.0])
    y = g([a], x)
    return np.sum(y * y) + np.sum(a * x)
""",
}


BINDINGS = """
a = np.asarray(a);
a = same(a);
a = a.ravel();
a = a[:];
a = np.atleast_1d(a);
a = a.T;
a = a if a[0] > 9.0 else np.asarray(a, float);
a, b = a, 2.0;
b = a
    a = np.ravel(b)
"""
"""What binds the parameter of a function again, to what shares its memory."""

OF_BINDINGS = {
    "read again": "    s = np.sum(c(y) ** 2)\n    return s * np.sum(y * K)",
    "read by a view": "    w = y[::-1]\n    s = np.sum(c(y) ** 2)\n    return s * np.sum(w * K)",
    "a part": "    z = np.outer(x, x)\n    s = np.sum(c(z[0]) ** 2)\n    return s * np.sum(z * K)",
    "through another": "    s = np.sum(d(y) ** 2)\n    return s * np.sum(y * K)",
    "for its effect": "    c(y)\n    return np.sum(y * K)",
    "not read": "    return np.sum(c(y) ** 2)",
}
"""How the caller goes on."""


def bound_again(way: str) -> list[str]:
    """The programs of one way in which a callee binds its parameter again, and changes that."""
    head = f"{OF_HEAD}def same(a):\n    return np.asarray(a, np.float64)\n\n\n"
    after = "\n\n\ndef d(a):\n    return c(a)\n\n\ndef f(x):\n    y = x * 3.0\n"
    bodies = (
        f"    {binding.strip()}\n    {change}\n    return a"
        for binding in BINDINGS.split(";")
        for change in ("a *= 2.0", "a += K", "a[0] = 2.0")
    )
    return [f"{head}def c(a):\n{body}{after}{OF_BINDINGS[way]}\n" for body in bodies]


TOGETHER = {
    "itself": "c(y, y)",
    "a view": "c(y, y[::-1])",
    "a name": "c(y, w)",
    "another": "c(y, x)",
    "other rows": "c(m[0], m[1])",
    "one row": "c(m[0], m)",
    "through another": "d(y, w)",
    "by a keyword": "c(b=y, a=y)",
    "in a loop": "sum([c(y * i, y) for i in range(3)])",
}
"""What a callee is given together that changes the first and reads the second."""


def given_together(way: str) -> list[str]:
    """The programs of one way in which a callee changes one argument, and reads another one."""
    before = "    y = x * 3.0\n    w = y\n    m = np.outer(x, x)\n"
    body = f"def d(a, b):\n    return c(a, b)\n\n\ndef f(x):\n{before}    return {TOGETHER[way]}\n"
    return [
        f"{OF_HEAD}def c(a, b):\n    {change}\n    return np.sum(a * b)\n\n\n{body}"
        for change in (
            "a *= 2.0",
            "a += K",
            "a[0] = 2.0",
            "a = a[:]\n    a *= 2.0",
            "a[1:] *= a[0]",
        )
    ]


SHARED = """
class Box:
    def __init__(self, a):
        self.a = a


def c(box, b):
    box.a *= 2.0
    return np.sum(box.a * b)


def f(x):
    box = Box(x * 3)
    return c(box, box.a)
---
class Box:
    def __init__(self, a):
        self.a = a


def c(box, b):
    box.a = box.a * 2.0
    return np.sum(box.a * b.a)


def f(x):
    box = Box(x * 3)
    return c(box, box)
---
class Box:
    def __init__(self, a):
        self.a = a


def c(box, b):
    box.a *= 2.0
    return np.sum(box.a * b.a)


def f(x):
    y = x * 3
    return c(Box(y), Box(y))
---
def c(p, b):
    p[0] *= 2.0
    return np.sum(p[0] * b)


def f(x):
    p = [x * 3, x]
    return c(p, p[0])
---
def c(d, b):
    d["a"] *= 2.0
    return np.sum(d["a"] * b)


def f(x):
    d = {"a": x * 3}
    return c(d, d["a"])
---
def c(d, b):
    d["a"] = d["a"] * 2.0
    return np.sum(d["a"] * b["a"])


def f(x):
    d = {"a": x * 3}
    return c(d, d)
---
def c(a, b):
    a *= 2.0
    return np.sum(a * b[0])


def f(x):
    y = x * 3
    return c(y, [y, x])
---
def c(a, *bs):
    a *= 2.0
    return np.sum(a * bs[0])


def f(x):
    y = x * 3
    return c(y, y)
---
def c(a, **kw):
    a *= 2.0
    return np.sum(a * kw["b"])


def f(x):
    y = x * 3
    return c(y, b=y)
---
class Box:
    def __init__(self, a):
        self.a = a

    def go(self, b):
        self.a = self.a * 2.0
        return np.sum(self.a * b.a)


def f(x):
    box = Box(x * 3)
    return box.go(box)
"""
"""Programs that give an array together with what holds it, to what changes one of them."""


def given_with_holders() -> list[str]:
    """These programs."""
    return [OF_HEAD + each.strip() + "\n" for each in SHARED.split("\n---\n")]


def programs() -> list[tuple[str, str]]:
    """Each change in each way, with what it is called."""
    return [
        (f"{change} ({way})", HEAD + indented(text, change).lstrip())
        for (way, text), change in itertools.product(WAYS.items(), changes())
        if way != "captured" or change not in NAMELESS
    ]


def kept(way: str) -> list[str]:
    """The programs of one way in which an array of no interest changes."""
    return [HEAD + indented(KEPT[way], each).lstrip() for each in changes()]


def in_orders() -> list[str]:
    """Programs that write into a view, or a copy, of a matrix that lies in some order."""
    orders, views = ([each.strip() for each in t.split(";")] for t in (IN_ORDER, OF_MATRICES))
    return [
        IN_ORDERS.replace("{a}", order).replace("{view}", view)
        for order in orders
        for view in views
    ]


def seen(way: str) -> list[str]:
    """The programs of one way in which an array changes by what may be a view of it."""
    views = (each.strip() for each in VIEWS.split(";"))
    return [OF_HEAD + OF_VIEWS[way].replace("{view}", view).lstrip() for view in views]


def copied(way: str) -> list[str]:
    """The programs of one way in which an array changes by what holds the same as a list."""
    views = (each.strip() for each in COPIES.split(";"))
    return [OF_HEAD + OF_COPIES[way].replace("{view}", view).lstrip() for view in views]


def of_containers(key: str) -> list[str]:
    """The programs in which what a container holds changes by what holds it, too, for one key."""
    views = [view.replace("KEY", key) for view in OF_CONTAINERS[key]]
    ways = itertools.product(views, CHANGES_WITHIN, ("d", "D"))
    text = OF_HEAD + "def bump(v, s):\n    v *= s\n\n\ndef f(D, s):\n    d = {}\n    {}\n"
    text += "    return np.sum(d[{}] * {}[{}])\n"
    return [
        text.format(view, change.format(key=key), key, read, key) for view, change, read in ways
    ]


def changes() -> list[str]:
    """The statements."""
    return [each.strip() for each in CHANGES.split("---")]


def indented(text: str, change: str) -> str:
    """A program with a change in it."""
    line = next(each for each in text.split("\n") if "{change}" in each)
    indent = line[: len(line) - len(line.lstrip())]
    return text.replace(line, textwrap.indent(change, indent))
