"""The ways in which a value comes to a result, and the programs in which it does.

Each of `FLOWS` makes, of an array `x` of three numbers, a number or array `v`; what it needs
stands before it, in paragraphs of their own. `WAYS` are programs around it: in the function
itself, in what that calls or holds, or in what somebody puts around it.
"""

from __future__ import annotations

import itertools
import textwrap

HEAD = """import collections
import contextlib
import copy
import dataclasses
import functools
import heapq
import io
import itertools
import json
import math
import operator
import os
import pickle
import struct
import types
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass

import numpy as np


"""

FLOWS = """
v = 2.0 * x
---
first, *rest = x
v = first * rest[-1]
---
v = dict(zip("abc", x))["b"]
---
held = {"a": x}
held.setdefault("a", 1.0)
v = held["a"]
---
held = {"b": x[0], "a": x[1]}
(_, v), _ = sorted(held.items())
---
key, v = {"a": x}.popitem()
---
v = {k: value for k, value in zip("abc", x)}["b"]
---
v = sum({x[0], x[1]})
---
v = max({x[0], x[1]})
---
held = []
held += [x]
v = held[0]
---
held = [x[0], x[1]] * 2
v = held[3]
---
v = sum(list(x))
---
v = sorted([(1, x), (0, x * x)], key=lambda pair: pair[0])[0][1]
---
v = min(x[0], x[1])
---
v = sum(each for each in x if each > 0)
---
v = sum(filter(lambda each: each > 0, x))
---
v = next(iter(x))
---
v = x if x[0] > 0 else 2.0 * x
---
v = (x[0] > 0) * x[1]
---
v = float(str(float(x[0])))
---
v = float(f"{x[0]}")
---
v = float("%r" % float(x[0]))
---
v = np.float64(x[0]).item()
---
v = x[0].__float__()
---
v = np.array([each * each for each in x])
---
v = np.fromiter((each * each for each in x), float, 3)
---
v = np.array(memoryview(x))
---
v = np.array(tuple(x))
---
buffer = io.BytesIO()
np.save(buffer, x)
buffer.seek(0)
v = np.load(buffer)
---
v = json.loads(json.dumps(x.tolist()))[0]
---
v = copy.copy([x, 1.0])[0]
---
v = functools.partial(lambda a, b: a * b, b=x)(x)
---
v = operator.itemgetter(1)(x)
---
v = operator.methodcaller("sum")(x)
---
v = list(itertools.chain.from_iterable([x, x * x]))[4]
---
v = sum(a * b for a, b in itertools.combinations(x, 2))
---
v = sum(itertools.starmap(operator.mul, zip(x, x)))
---
v = sum(itertools.repeat(x, 2))
---
queue = collections.deque([1.0])
queue.appendleft(x)
v = queue[0]
---
held = defaultdict(float)
held["a"] += x[0]
v = held["a"]
---
counter = collections.Counter()
counter["a"] += x[0]
v = counter["a"]
---
heap = list(x)
heapq.heapify(heap)
v = heap[0]
---
Pair = namedtuple("Pair", "a b")

v = Pair(1.0, 2.0)._replace(a=x).a
---
@dataclass
class Pair:
    a: object
    b: float = 2.0

v = Pair(x).a
---
@dataclass
class Pair:
    a: object
    b: object = None

    def __post_init__(self):
        self.b = self.a * self.a

v = Pair(x).b
---
class Box:
    def __init__(self, a):
        self.a = a

v = Box(x).__dict__["a"]
---
class Box:
    pass

box = Box()
setattr(box, "a", x)
v = box.a
---
class Box:
    a = 2.0

setattr(Box, "a", x)
v = Box.a
---
class Box:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a

v = Box(x).a
---
class Box:
    def __init__(self, a):
        self.a = a

    def __iter__(self):
        return iter(self.a)

v = sum(each * each for each in Box(x))
---
class Box:
    def __init__(self, a):
        self.a = a

    def __iter__(self):
        for each in self.a:
            yield each * each

a, b, c = Box(x)
v = a * b + c
---
class Box:
    def __init__(self, a):
        self.a = a

    def __index__(self):
        return 1

v = x[Box(x)]
---
class Box:
    def __init__(self, a):
        self.a = a

    def __radd__(self, other):
        return self.a + other

v = 2.0 + Box(x)
---
class Box:
    def __init__(self, a):
        self.a = a

    def __radd__(self, other):
        return self.a + other

v = sum([Box(x)])
---
class Box:
    def __init__(self, a):
        self.a = a

    def __lt__(self, other):
        return self.a[0] < other.a[0]

v = sorted([Box(x), Box(x - 1.0)])[0].a
---
class Box:
    def __init__(self, a):
        self.a = a

    def __format__(self, spec):
        return str(self.a[0])

v = float(f"{Box(x)}")
---
class Box:
    def __init__(self, a):
        self.a = a

    @property
    def twice(self):
        return 2.0 * self.a

v = Box(x).twice
---
class Box:
    def __init__(self, a):
        self.a = a

    @classmethod
    def of(cls, a):
        return cls(a * a)

v = Box.of(x).a
---
class Box(list):
    pass

v = Box([x])[0]
---
class Box:
    pass

box = type("Made", (Box,), {"a": x})()
v = box.a
---
def square(a):
    square.kept = a
    return 2.0

scale = square(x)
v = scale * square.kept
---
globals()["KEPT"] = x
v = KEPT
---
KEPT = [1.0]

def keep(a, kept=KEPT):
    kept[0] = a

keep(x)
v = KEPT[0]
---
def keep(a, kept=[]):
    kept.append(a)
    return kept

v = keep(x)[-1]
---
def square(a=x):
    return a * a
v = square()
---
v = [np.sin, np.cos][1](x)
---
def square(a):
    return a * a

v = globals()["square"](x)
---
def each_of(a):
    for each in a:
        yield each * each

v = sum(each_of(x))
---
def each_of(a):
    yield from a
    yield a[0] * a[1]

v = list(each_of(x))[3]
---
def each_of(a):
    yield a * a

v = next(each_of(x))
---
def each_of(a):
    got = yield 1.0
    yield got * a

generator = each_of(x)
next(generator)
v = generator.send(x)
---
def each_of(a):
    yield 1.0
    return a * a

def of(a):
    result = yield from each_of(a)
    yield result

v = list(of(x))[1]
---
@contextlib.contextmanager
def held(a):
    yield a * a

with held(x) as v:
    pass
---
class Held:
    def __init__(self, a):
        self.a = a

    def __enter__(self):
        return self.a * self.a

    def __exit__(self, *error):
        return False

with Held(x) as v:
    pass
---
v = 1.0
with contextlib.suppress(ValueError):
    v = x
    raise ValueError
---
def late(a):
    try:
        return a
    finally:
        a = a * a

v = late(x)
---
match (x, 1.0):
    case (v, 1.0):
        pass
---
def power(a, n):
    return a if n == 0 else a * power(a, n - 1)

v = power(x, 3)
---
from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor(1) as pool:
    v = list(pool.map(np.sin, [x]))[0]
---
import ast

v = ast.literal_eval(str(x.tolist()))[0]
---
import inspect

v = inspect.currentframe().f_locals["x"] * 2.0
---
v = np.ndarray.sum(x)
---
v = float.__mul__(float(x[0]), 2.0)
---
v = sum(x.flat)
---
v = np.linalg.norm(x) * (lambda *args: args[0])(*x)
---
v = [[each] for each in x][1][0]
---
v = x[...][::-1][0]
---
v = [x].__iter__().__next__()
---
v = str.join("", [str(float(x[0]))])
v = float(v)
---
v = np.fromfunction(lambda i: i * x[0], (3,))
---
buffer = io.StringIO()
buffer.write(str(float(x[0])))
v = float(buffer.getvalue())
---
buffer = io.StringIO()
print(float(x[0]), file=buffer)
v = float(buffer.getvalue())
---
buffer = io.BytesIO()
pickle.dump(x, buffer)
buffer.seek(0)
v = pickle.load(buffer)
---
buffer = io.StringIO()
np.savetxt(buffer, x)
buffer.seek(0)
v = np.loadtxt(buffer)
---
queue = deque()
deque.append(queue, x)
v = queue[0]
---
queue = deque([1.0])
collections.deque.extend(queue, x)
v = queue[1]
---
held = OrderedDict(a=1.0)
OrderedDict.update(held, a=x)
v = held["a"]
---
counter = collections.Counter(a=1.0)
collections.Counter.update(counter, a=x[0])
v = counter["a"]
---
held = {"a": 1.0}
held.__setitem__("a", x)
v = held["a"]
---
v = max(set(x))
---
v = max({*x, 0.0})
---
v = sorted({x[0], x[1]})[0]
---
v = ({x[0], x[1]} - {x[0]}).pop()
---
v = [*{x[0]}][0]
---
v = 0.0
for each in {x[0], x[1]}:
    v = v + each * each
---
v = np.s_[x[0]:2].start
---
v = slice(x[0], 2).indices
v = slice(x[0], 2).start
---
v = np.frombuffer(bytes(x))
---
v = float("{a}".format(a=x[0]))
---
v = float("1" + str(float(x[0]))[1:])
---
v = sum(map(float, str(x.tolist())[1:-1].split(",")))
---
v = float(np.array2string(x[0]))
---
v = np.array([str(each) for each in x]).astype(float)
---
v = x.astype(str).astype(float)
---
v = np.array(x, dtype=str).astype(float)
---
v = {str(each): each for each in x}[str(x[1])]
---
class Box:
    def __init__(self, a):
        self.size = a

v = vars(Box(x)).get("size")
---
class Box:
    def __init__(self, a):
        self.a = a

    def keys(self):
        return 2.0 * self.a

boxes = {"a": Box(x)}
v = boxes["a"].keys()
---
class Box:
    def __init__(self, a):
        self.a = a

    def __add__(self, other):
        return Box(self.a + other.a)

v = sum([Box(x), Box(x)], Box(0.0)).a
---
class Box(tuple):
    pass

v = Box((x, 1.0))[0]
---
class Box:
    def __init__(self, a):
        self.a = a

    def value(self):
        return 2.0 * self.a

v = operator.methodcaller("value")(Box(x))
---
class Box:
    __match_args__ = ("a",)

    def __init__(self, a):
        self.a = a

match Box(x):
    case Box(v):
        pass
---
@functools.cache
def held():
    return {"a": 1.0}

held()["a"] = x
v = held()["a"]
---
import sys

v = sys._getframe().f_locals["x"] * 2.0
---
with contextlib.redirect_stdout(io.StringIO()) as out:
    print(float(x[0]))
v = float(out.getvalue())
---
import functools

@functools.wraps(np.sum)
def square(a):
    return a * a

v = square(x)
---
def outer(a):
    class Inner:
        def __init__(self):
            self.a = a
    return Inner()

v = outer(x).a
---
v = [f(x) for f in (np.sin, np.cos)][1]
---
v = functools.partial(dict, a=x)()["a"]
---
v = np.array([x[i] for i in np.argsort(x)])
---
v = np.mgrid[x[0]:2.0:3j]
---
v = np.r_[x[0]:2.0:3j]
---
v = sum({x[0], x[1]} & {x[0], 1.0})
---
v = sum({x[0], x[1]} ^ {x[0], 1.0})
---
v = (collections.Counter(a=x[0]) & collections.Counter(a=2.0))["a"]
---
v = types.SimpleNamespace(size=x).size
---
v = types.SimpleNamespace(shape=x[0]).shape
---
os.environ["ADLSP_KEPT"] = str(x[0])
v = float(os.environ["ADLSP_KEPT"])
---
text = "%s" if x[0] > 0 else "%r"
v = float(text % float(x[0]))
---
held = defaultdict(list)
for each in x:
    held[each > 0].append(each * each)
v = sum(held[True])
---
class Box:
    def __init__(self, a):
        self.a = a

    def __floor__(self):
        return self.a * self.a

v = math.floor(Box(x[0]))
---
class Box:
    def __init__(self, a):
        self.a = a

    def __bool__(self):
        self.a = self.a * self.a
        return True

box = Box(x[0])
v = box.a if box else 0.0
---
class Box:
    def __class_getitem__(cls, a):
        return a * a

v = Box[x[0]]
---
v = sum(k * i for k, i in dict(zip(x, range(3))).items())
---
held = {}
for i, each in enumerate(x):
    held[each] = i
v = sum(k * i for k, i in held.items())
---
v = sum({each: 2.0 for each in x})
---
class Box:
    def __init__(self, a):
        self.a = a

    def __trunc__(self):
        return self.a * self.a

    def __round__(self, n=None):
        return self.a * 2.0

v = math.trunc(Box(x[0])) + round(Box(x[1]))
---
class Box:
    def __init__(self, a):
        self.a, self.b = a, 0.0

    def __contains__(self, key):
        self.b = self.a * key
        return True

box = Box(x)
v = box.b + 1.0 if 2.0 in box else 1.0
---
class Box:
    def __init__(self, a):
        self.a = a

    def __reversed__(self):
        return iter(self.a * self.a)

v = sum(reversed(Box(x)))
---
class Box:
    def __init__(self, a):
        self.a = a

    def __len__(self):
        return 3

    def __getitem__(self, i):
        return self.a[i] * self.a[i]

v = sum(reversed(Box(x)))
---
class Box:
    def __init__(self, a):
        self.a = a

    def __float__(self):
        return float(self.a) * 2.0

v = math.fsum([Box(x[0]), x[1]])
---
class Box:
    def __init__(self, a, parts=()):
        self.a = a

v = Box(x).a
---
class Box:
    def __init__(self, a, parts=()):
        self.a = a

y = x * 1.5
y = Box(y)
v = y.a
---
class Base:
    def __init__(self, a, b=1.0):
        self.a, self.b = a, b

class Box(Base):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.c = self.a * 2.0

box = Box(x, b=x[0])
v = box.a * box.b + box.c
---
class Base:
    def __init__(self, a, b=1.0):
        self.a, self.b = a, b

class Box(Base):
    def __init__(self, *args, **options):
        Base.__init__(self, *args, **options)

v = Box(x[1], b=x[0]).b
---
class Box:
    a = 1.0

    def put(self, a):
        self.a = a * 2.0

box = Box()
box.a = 0.0
type(box).put(box, x)
v = box.a
---
class Box:
    a = 1.0

    def put(self, *args):
        Box.keep(self, *args)

    def keep(self, a):
        self.a = a * 2.0

box = Box()
box.a = 0.0
kind = Box
kind.put(box, x)
v = box.a
---
class Box:
    def __init__(self):
        self.a = 1.0

    def put(self, a):
        self.a = a * 2.0

box = Box()
operator.methodcaller("put", x)(box)
v = box.a
---
def put(held, a):
    held[0] = a * 2.0

held = [1.0]
put.__call__(held, x)
v = held[0]
---
def put(held, a):
    held[0] = a * 2.0

held = [1.0]
(put if x[0] > 0 else max)(held, x)
v = held[0]
---
def put(held, a):
    held[0] = a * 2.0

held = [1.0]
{"put": put}.get("put")(held, x)
v = held[0]
---
v = [x[0], x[1] * 2.0, x[2]][1:][0]
---
v = [x[0], x[1] * 2.0, x[2]][::-1][:2][1]
---
class Box:
    def __init__(self, a):
        self.a = a

    def __mul__(self, other):
        if isinstance(other, float) or isinstance(other, int):
            return Box(self.a * other)
        return Box(self.a * other.a)

v = (Box(x) * 2.0 * Box(x)).a
---
class Box:
    def __init__(self, k):
        self.k = k

    def scaled(self, a):
        return self.k * a

def scaled(a, box=None):
    if box is None:
        box = Box(2.0)
    return box.scaled(a)

v = scaled(x) * scaled(x, Box(x[0]))
---
class Box:
    def __init__(self):
        self.a, self.mean = np.ones(3), np.zeros(3)

    def norm(self, x):
        a = self.a
        self.mean = 0.9 * self.mean + 0.1 * x
        return a * x + self.mean

box = Box()
v = box.norm(x) * box.norm(x)
---
class Box:
    def __init__(self, a, k):
        for name, value in (("a", a), ("k", k)):
            setattr(self, name, value)

box = Box(x, 2.0)
setattr(box, "a", getattr(box, "a") * x)
v = box.a * box.k
"""

WAYS = {
    "own": """
def f(x):
    {flow}
    return np.sum(v * v) + x[2]
""",
    "called": """
def g(x):
    {flow}
    return np.sum(v * v)


def f(x):
    return g(x) * x[2]
""",
    "one of two": """
def g(x):
    {flow}
    return 2.0, v


def f(x):
    scale, v = g(x * 0.9)
    return scale * np.sum(v * v)
""",
    "of an object": """
class Holder:
    def __init__(self, x):
        self.x = x

    def value(self):
        x = self.x
        {flow}
        return v


def f(x):
    v = Holder(x).value()
    return np.sum(v * v) * x[2]
""",
    "kept by an object": """
class Keeper:
    def __init__(self):
        self.v = 1.0

    def keep(self, x):
        {flow}
        self.v = v


def f(x):
    keeper = Keeper()
    keeper.keep(x)
    return np.sum(keeper.v * keeper.v) * x[2]
""",
    "property": """
class Shown:
    def __init__(self, x):
        self.x = x

    @property
    def value(self):
        x = self.x
        {flow}
        return v


def f(x):
    shown = Shown(x)
    return np.sum(shown.value * shown.value) * x[2]
""",
    "nested": """
def f(x):
    def g(x):
        {flow}
        return v

    v = g(x * x)
    return np.sum(v * v)
""",
    "default": """
def f(x):
    def g(x=x):
        {flow}
        return v

    v = g()
    return np.sum(v * v)
""",
    "loop": """
def f(x):
    total = 0.0
    for _ in range(2):
        {flow}
        total = total + np.sum(v * v)
        x = 0.9 * x
    return total
""",
    "branch": """
def f(x):
    if x[0] > 0:
        {flow}
    else:
        v = 2.0 * x
    return np.sum(v * v)
""",
    "recursive": """
def g(x, n):
    if n == 0:
        return np.sum(x * x)
    {flow}
    return g(x * v, n - 1)


def f(x):
    return g(x, 2)
""",
    "partial": """
def g(scale, x):
    {flow}
    return scale * v


def f(x):
    v = functools.partial(g, 2.0)(x)
    return np.sum(v * v)
""",
    "stars": """
def g(*args, **kept):
    x = kept["x"] * args[0]
    {flow}
    return v


def f(x):
    v = g(*(2.0, 3.0), **{"x": x})
    return np.sum(v * v)
""",
    "decorated": """
def twice(function):
    @functools.wraps(function)
    def call(*args, **kept):
        return 2.0 * function(*args, **kept)

    return call


@twice
def g(x):
    {flow}
    return v


def f(x):
    v = g(x)
    return np.sum(v * v)
""",
    "generator": """
def g(x):
    {flow}
    yield v
    yield v * v


def f(x):
    return sum(np.sum(v) for v in g(x))
""",
    "given": """
def g(x):
    {flow}
    return v


def h(function, x):
    return np.sum(function(x) ** 2)


def f(x):
    return h(g, x) * x[2]
""",
}


TWICE = ("own", "called")
"""The ways in which each flow is looked at; of the others, each in its turn."""


def programs() -> list[tuple[str, str]]:
    """Each flow in three ways, with what it is called."""
    others = itertools.cycle(way for way in WAYS if way not in TWICE)
    return [
        (f"{flow} ({way})", _program(flow, WAYS[way]))
        for flow in (each.strip() for each in FLOWS.split("---"))
        for way in (*TWICE, next(others))
    ]


def _program(flow: str, text: str) -> str:
    """A program with a flow in it, after what that needs."""
    needed, _, flow = flow.rpartition("\n\n")
    line = next(each for each in text.split("\n") if "{flow}" in each)
    indent = line[: len(line) - len(line.lstrip())]
    needed = needed + "\n\n\n" if needed else ""
    return HEAD + needed + text.replace(line, textwrap.indent(flow, indent)).lstrip()
