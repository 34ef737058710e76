"""Programs with stacks of arrays: new axes, indices that `arange` counts, products, lists.

No template knows of shapes. A statement is drawn until one is found that runs at both points, where
axes have other lengths, often 1; so whatever NumPy does with axes may come out.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import typed
import typed_oracle

HEAD = """import numpy as np


def dense(h, w, b=0.5):
    return np.tanh(h @ w + b)


def through(h, layers):
    for w, b in layers:
        h = dense(h, w, b)
    return h


def normed(v):
    return v / np.sqrt(1.0 + np.sum(v * v, axis=-1, keepdims=True))


def distances(v, w):
    return np.sum((v[:, None] - w[None]) ** 2, axis=-1)


def picked(v, places):
    return v[np.arange(len(places)), places]


def halves(v):
    return v[::2], v[1::2]


def scaled(v, r):
    v = v.copy()
    v[0] *= r
    return v


"""


def templates(text: str) -> tuple[str, ...]:
    """The templates in a text, which semicolons separate."""
    return tuple(each.strip() for each in text.split(";"))


def blocks(text: str) -> tuple[str, ...]:
    """The templates in a text, which empty lines separate."""
    return tuple(each.strip() for each in text.split("\n\n"))


INDICES = templates("""
    labels; labels; keep; 0; -1; 1; [0, 0]; np.array([0, -1]); np.array([[0, 1], [1, 0]]);
    np.flatnonzero(keep); np.arange(len({name_arr})); np.arange(len({name_arr}));
    np.arange({name_arr}.shape[0]); np.arange({name_arr}.shape[-1]); np.arange(len(labels));
    np.arange(len(labels)); np.arange(2); np.arange(-2, 2); np.arange(-2, 0);
    np.arange(-1, -3, -1); np.arange(1, -1, -1); np.arange(1, -2, -1);
    np.arange(len({name_arr}) - 1, -1, -1); np.arange(0, len({name_arr}), 2);
    np.arange(1, len({name_arr})); np.arange(-len({name_arr}), 0);
    np.arange(len({name_arr})) - 1; np.arange(2) + 1; -np.arange(2); -1 - np.arange(2);
    np.arange(3) % 2; np.arange(4) // 2; 2 * np.arange(2); np.arange(len({name_arr}))[::-1];
    np.arange(2)[:, None]; np.arange(len(labels))[:, None]; np.argsort({name_arr}, axis=0);
    np.argmax({name_arr}, axis=-1)
""")
SLICES = (":", ":", "::-1", "1:", ":-1", "::2", "-1:0:-1", "::-2", ":1", "None", "...", "-2:")
SUBSCRIPTS = templates("""
    {at}; {at}; {at}, {at}; {at}, {at}; {at}, {cut}; {cut}, {at}; {cut}, {at}, {cut};
    {at}, {cut}, {at}; {cut}, {at}, {at}; {at}, {at}, {cut}; {cut}; {cut}, {cut}; ..., {at};
    {at}, None, {at}; {at}, ..., None; {name_arr} > 0.1
""")

EXPRESSIONS: dict[str, tuple[str, ...]] = {
    "num": templates("""
        s; 0.5; {num} * {num}; np.sin({num}); np.sum({arr}); np.sum({arr} * {arr});
        np.mean({arr}); np.vdot({arr}, {arr}); np.einsum('i,i', {arr}, {arr});
        np.einsum('ij,ij->', {arr}, {arr}); sum(np.sum(u * u) for u in {list});
        {name_arr}[0, -1]; {name_arr}[-1]; np.trace({arr}); np.max({arr});
        len({name_list}) * {num}
    """),
    "arr": templates("""
        {axes}; {axes}; {plain}; {plain}; {sums}; {picked}; {picked}; {product}; {product};
        {joined}; {moved}; {called}
    """),
    "plain": templates("""
        {arr} + {arr}; {arr} - {arr}; {arr} * {arr}; {arr} / (1.0 + {arr} ** 2); np.tanh({arr});
        np.sin({arr}); {num} * {arr}; np.exp(-{arr} ** 2); np.where({arr} > 0.1, {arr}, {arr});
        np.maximum({arr}, {arr}); {arr} ** 2; -{arr}; {arr} - {num};
        np.sqrt(1.0 + {arr} * {arr}); np.where(keep, {arr}, {arr})
    """),
    "axes": templates("""
        {arr}[:, None]; {arr}[None]; {arr}[..., None]; {arr}[None, :, None]; {arr}[:, None, :];
        {arr}[None, ..., None]; {arr}[..., None, :]; {arr}[0, None]; {arr}[None, 0]; {arr}[:1];
        {arr}[:, :1]; {arr}.reshape(-1, 1); {arr}.reshape(1, -1); np.expand_dims({arr}, 0);
        np.expand_dims({arr}, (0, -1)); np.atleast_2d({arr}); np.squeeze({arr});
        {arr}[:, np.newaxis]; {arr}[:, None] - {arr}; {arr}[..., None] - {arr};
        {arr}[:, None] * {arr}[None]; {arr}[None] + {arr}; {arr}[..., None] * {arr};
        {arr}[:, None] * {arr}; {arr}[:, :, None] * {arr}[:, None];
        np.broadcast_to({arr}, {name_arr}.shape); {arr}[None] * {arr}[..., None];
        {arr}[:, None] @ {arr}[None]; {arr} / np.sum({arr}, axis=-1, keepdims=True) ** 2;
        ({arr}[:, None] - {arr}[None, :]) ** 2
    """),
    "sums": templates("""
        np.sum({arr}, axis=0); np.sum({arr}, axis=-1); np.sum({arr}, axis=1);
        np.sum({arr}, axis=(0, 1)); np.sum({arr}, axis=(0, -1));
        np.sum({arr}, axis=0, keepdims=True); np.sum({arr}, axis=-1, keepdims=True);
        np.mean({arr}, axis=0); {arr}.mean(-1); {arr}.sum(0); np.prod({arr}, axis=-1);
        np.max({arr}, axis=0); np.cumsum({arr}, axis=-1); np.var({arr}, axis=0);
        np.sum({arr}[..., None] * {arr}, axis=-1); np.sum({arr}[:, None] * {arr}, axis=0);
        np.sum(({arr}[:, None] - {arr}) ** 2, axis=-1); np.diagonal({arr});
        np.sum({arr}[None], axis=0)
    """),
    "picked": (
        *(f"{{name_arr}}[{each}]" for each in SUBSCRIPTS),
        *("{arr}[{at}]", "np.take({arr}, {at}, axis=0)", "np.take({arr}, {at}, axis=-1)"),
    ),
    "at": INDICES,
    "called": templates("""
        dense({arr}, {arr}); dense({arr}, {arr}, {arr}); through({arr}, {pairs}); normed({arr});
        distances({arr}, {arr}); picked({arr}, {at});
        halves({arr})[0]; halves({arr})[1]; scaled({arr}, {num})
    """),
    "product": templates("""
        {arr} @ {arr}; {arr} @ {arr}; {arr} @ {arr}; np.matmul({arr}, {arr});
        np.dot({arr}, {arr}); np.inner({arr}, {arr}); np.outer({arr}, {arr});
        np.tensordot({arr}, {arr}, 1); np.tensordot({arr}, {arr}, axes=([0], [0]));
        np.tensordot({arr}, {arr}, axes=([-1], [0]));
        np.tensordot({arr}, {arr}, axes=([0, 1], [0, 1])); np.tensordot({arr}, {arr}, axes=0);
        np.tensordot({arr}, {arr}, axes=(-1, -1)); np.einsum('ij,jk->ik', {arr}, {arr});
        np.einsum('ij,jk', {arr}, {arr}); np.einsum('...i,i->...', {arr}, {arr});
        np.einsum('bij,jk->bik', {arr}, {arr}); np.einsum('bij,bjk->bik', {arr}, {arr});
        np.einsum('...ij,...jk->...ik', {arr}, {arr}); np.einsum('bij,ij->b', {arr}, {arr});
        np.einsum('ij,kj->ik', {arr}, {arr}); np.einsum('i,ij->j', {arr}, {arr});
        np.einsum('ij,ij->i', {arr}, {arr}); np.einsum('i,j->ij', {arr}, {arr});
        np.einsum('bi,bj->bij', {arr}, {arr}); np.einsum('i...,i...->...', {arr}, {arr});
        np.einsum('ii->i', {arr}); np.einsum('ij->j', {arr}); np.einsum('bij->bji', {arr});
        np.einsum('ij,jk,kl->il', {arr}, {arr}, {arr});
        np.einsum('i,ij,j->i', {arr}, {arr}, {arr}); {arr} @ {arr}.T; {arr}.T @ {arr};
        {arr} @ {arr}.swapaxes(-1, -2); {arr}[..., None, :] @ {arr}[..., :, None];
        {arr} @ np.moveaxis({arr}, 0, -1); {arr}[None] @ {arr}
    """),
    "moved": templates("""
        {arr}.T; np.transpose({arr}); np.swapaxes({arr}, 0, -1); {arr}.swapaxes(-1, -2);
        np.moveaxis({arr}, 0, -1); np.moveaxis({arr}, -1, 0); np.transpose({arr}, (1, 0, 2));
        {arr}.transpose(2, 0, 1); {arr}[::-1]; {arr}[:, ::-1]; {arr}[..., ::-1];
        np.flip({arr}, -1); np.roll({arr}, 1, axis=0); np.roll({arr}, -1); {arr}.ravel();
        {arr}[::-2]; {arr}[-1:0:-1]; {arr}[1:]; {arr}[:-1]; {arr}[:, 1:]
    """),
    "joined": templates("""
        np.concatenate([{arr}, {arr}]); np.concatenate(({arr}, {arr}), axis=-1);
        np.concatenate({list}, axis=0); np.stack([{arr}, {arr}]);
        np.stack([{arr}, {arr}], axis=-1); np.stack({list}, axis=1); np.stack({list});
        np.array({list}); np.hstack([{arr}, {arr}]); np.vstack([{arr}, {arr}]);
        np.tile({arr}, 2); np.tile({arr}, (2, 1)); np.repeat({arr}, 2, axis=0);
        np.repeat({arr}, 2); sum({list}); {name_list}[0]; {name_list}[-1]; np.split({arr}, 2)[1];
        np.concatenate([{arr}[1:], {arr}[:1]]); np.append({arr}, {arr}, axis=0);
        {name_dict}['w']; {name_dict}['b']; np.concatenate([{arr}[None], {arr}]);
        np.column_stack([{arr}, {arr}]); np.array([{arr}, {arr}])
    """),
    "list": templates("""
        [{arr}, {arr}]; [{name_arr}, {arr}, {name_arr}]; [{arr}]; [{arr} for _ in range(2)];
        [np.tanh(u + {arr}) for u in {list}]; [u @ {arr} for u in {list}];
        [{arr} @ u for u in {list}]; [u * {num} for u in {list}]; {name_list}[:-1];
        {name_list}[1:]; {name_list}[::-1]; [*{name_list}, {arr}];
        list({name_list}) + list({name_list}); list({name_list}) * 2; list({name_arr});
        list(reversed({name_list})); np.split({arr}, 2); np.split({arr}, [1]);
        np.split({arr}, [1], axis=-1); np.array_split({arr}, 2);
        np.array_split({arr}, 2, axis=-1); [u for u, v in {pairs}]; [d['w'] for d in {dicts}];
        [u * v for u, v in zip({list}, {list})]; [({arr})[i] for i in range(2)];
        [{arr} * i for i, u in enumerate({list})]; list({name_dict}.values())
    """),
    "pairs": templates("""
        [({arr}, {arr}), ({arr}, {arr})]; list(zip({list}, {list}));
        [(u, {arr}) for u in {list}]; [({name_arr}, {arr})] * 2; list(zip(ws, bs))
    """),
    "dicts": templates("""
        [dict(w={arr}, b={arr}), dict(w={arr}, b={arr})]; [dict(w=u, b=v) for u, v in {pairs}];
        layers
    """),
    "dict": templates("""
        dict(w={arr}, b={arr}); dict(zip('wb', {list})); dict(w={name_arr}, b={name_arr})
    """),
}
"""Expressions by what they give, as in `typed.py`; `{at}` is an index, `{cut}` a slice."""

STORES = (
    *(
        f"{{old_arr}}[{at}] {how}"
        for at in SUBSCRIPTS
        for how in ("= {arr}", "+= {arr}", "*= {num}")
    ),
    "np.add.at({old_arr}, {at}, {arr})",
    "np.add.at({old_arr}, ({at}, {at}), {arr})",
    "np.subtract.at({old_arr}, {at}, {arr})",
    "{old_arr} += {arr}",
    "{old_arr} *= {num}",
    "{old_arr} -= {num} * {arr}",
)
"""Statements that change an array; mostly a copy is made first."""

LOOPS = blocks("""
us = {list}
for u in us:
    {block_u}

us = {list}
for i in range(len(us)):
    {block_us[i]}

us = {list}
for i, u in enumerate(us):
    {block_u;us[-1];u * i}

us = {list}
for u in reversed(us):
    {block_u}

us = {list}
for u, v in zip(us, us[1:]):
    {block_u;v}

for u, v in zip({list}, {list}):
    {block_u;v}

us = {list}
for u in us[:-1]:
    {block_u}
{new_arr} = us[-1] * {arr}

us = {list}
for u in us:
    {block_u}
for u in us:
    {block_u}

for u, v in {pairs}:
    {block_u;v}

for d in {dicts}:
    {block_d['w'];d['b']}

us = {list}
for i in range(len(us) - 1, -1, -1):
    {block_us[i]}

d = {dict}
for key in d:
    {block_d[key]}

d = {dict}
for key, u in d.items():
    {block_u}

d = {dict}
for u in d.values():
    {block_u;u}

for u in {name_arr}:
    {block_u}

for u, v in zip({name_arr}, {list}):
    {block_u;v}

us = {list}
for i in range(1, len(us)):
    {block_us[i];us[i - 1]}

us = []
for u in {list}:
    us.append({arr} * u)
{new_list} = us

us = []
for i in range(2):
    us.append({arr})
    {block_us[i];us[0]}
{new_list} = us

us = [{arr}]
for i in range(2):
    us.append(np.tanh(us[-1] * {num}))
{new_list} = us

us = [{arr}]
for u in {list}:
    us.append(np.tanh(us[-1] @ u))
{new_list} = us

us = list({list})
for i in range(len(us)):
    us[i] = us[i] * {num}
{new_list} = us

us = [u * 1.0 for u in {list}]
for u in us:
    u *= {num}
{new_list} = us

us = list({list})
us[0] = {arr}
{new_list} = us

us = [u.copy() for u in {list}]
us[-1] *= {num}
{new_list} = us

us = [u * {num} for u in {list}]
for i in range(len(us)):
    us[i] += {arr}
{new_list} = us

us = [np.sin(u) for u in {list}]
us[0][0] = {num}
{new_list} = us

d = dict({dict})
for key in d:
    d[key] = d[key] * {num}
{new_dict} = d

d = dict(w={arr} * {num}, b={arr})
d['w'] += {arr}
{new_dict} = d

d = dict()
for i, u in enumerate({list}):
    d[i] = u * {num}
{new_arr} = d[0]

d = dict()
for key in 'wb':
    d[key] = {arr}
{new_dict} = d

first, *rest = {list}
{new_arr} = first * {arr}
{new_list} = rest

first, *rest = {name_arr}
{new_arr} = first
{new_list} = rest

*rest, last = np.split({arr}, 2)
{new_arr} = last
{new_list} = rest

u, v = np.split({arr}, 2)
{new_arr} = u * v

u, v = {name_arr}
{new_arr} = u * v

u, v = {list}
{new_arr} = u
{new_arr} = v

ds = [dict(w=u, b=v) for u, v in {pairs}]
for d in ds:
    d['w'] = d['w'] * {num}
{new_arr} = ds[0]['w']

us = {list}
while len(us) > 1:
    us = [np.tanh(us[0])] + us[2:]
{new_list} = us

us = list({list})
u = us.pop()
{new_arr} = u * {num}
{new_list} = us
""")
"""Lists and dictionaries that loops fill or run over; what a block may read stands in its name."""

LAYERS = blocks("""
for w, b in zip(ws, bs):
    h = np.tanh(h @ w + b)

for i in range(len(ws)):
    h = np.tanh(h @ ws[i] + bs[i])

for i, w in enumerate(ws):
    h = np.tanh(h @ w) + bs[i]

for w, b in zip(ws[:-1], bs[:-1]):
    h = np.tanh(h @ w + b)
h = h @ ws[-1] + bs[-1]

for d in layers:
    h = np.tanh(h @ d['w'] + d['b'])

for w in ws:
    h = np.tanh(h @ w)
for w in reversed(ws):
    h = np.tanh(h @ w.T)

hs = [h]
for w in ws:
    hs.append(np.tanh(hs[-1] @ w))
h = hs[-1]

for i, w in enumerate(ws):
    h = h @ w if i == len(ws) - 1 else np.maximum(h @ w, 0.0)

hs = []
for w, b in zip(ws, bs):
    h = np.tanh(h @ w + b)
    hs.append(h)
for u in hs[::-1]:
    h = h * np.sum(u)

for i, (w, b) in enumerate(zip(ws, bs)):
    h = h @ w + b
    if i < len(ws) - 1:
        h = np.maximum(h, 0.0)

first, *rest = ws
h = np.tanh(h @ first)
for w in rest:
    h = np.tanh(h @ w)

for w, b in zip(ws, bs):
    h = np.einsum('...i,ij->...j', h, w) + b

for d in layers[:-1]:
    h = np.maximum(h @ d['w'] + d['b'], 0.0)
h = h @ layers[-1]['w']

for w, b in zip(ws, bs):
    h = np.tanh(np.dot(h, w) + b[None])

for w, b in zip(ws, bs):
    z = h @ w + b
    h = np.where(z > 0.0, z, 0.1 * z)
""")
"""What becomes of `h` in the layers of a network."""

STATEMENTS = templates("""
    {new_arr} = {axes}; {new_arr} = {plain}; {new_arr} = {sums}; {new_arr} = {picked};
    {new_arr} = {product}; {new_arr} = {joined}; {new_num} = {num}; {new_list} = {list};
    {new_dict} = {dict}; {old_arr} = {arr}; {old_num} = {num}; {stored}; {stored}; {stored};
    {loop}; {loop}; {loop}; {layered}
""")
INNER = templates("""
    {old_arr} = np.tanh({arr}); {old_arr} = {old_arr} + {arr}; {old_arr} = {arr};
    {old_num} = {num} + np.sum({arr}); {old_num} = {num} + np.sum({arr} * {arr});
    {old_arr} += {arr}; {old_arr} = np.sin({arr} * {num}); {old_arr} *= {num};
    {old_arr}[0] += {arr}; {old_num} = {num} + np.sum({arr} @ {arr});
    {old_arr} = {old_arr} @ {arr}; {old_num} = {old_num} * {num}
""")

CONSTANT = ("labels", "keep", "ks")
"""Parameters that have no gradient."""

LIBRARY: dict[str, Any] = {}
"""What the head of a program defines."""
exec(HEAD, LIBRARY)

FAILURES = (*typed_oracle.FAILURES, NameError, RuntimeError, SyntaxError)
"""What a statement may raise that does not fit what there is."""

MOST_TRIES = 400
LARGEST = 100.0


@dataclass(frozen=True)
class Program:
    """A module with a function `f`, the parameters of interest, and where it is looked at."""

    seed: int
    text: str
    wrt: tuple[str, ...]
    points: tuple[dict[str, Any], ...]


class Writer(typed.Writer):
    """Draws statements until one runs at each point."""

    points: tuple[dict[str, Any], ...]
    library: dict[str, Any] = LIBRARY

    def hole(self, hole: str, depth: int, made: list[tuple[str, str]], indent: int) -> str:
        """What stands in a hole; parts of statements are drawn among their like.

        `{it}` is the first variable that its template makes.
        """
        if hole == "it":
            return made[0][1]
        if hole == "stored":
            name = self.random.choice([each for each in self.names["arr"] if each.isidentifier()])
            text = self.filled(self.random.choice(STORES).replace("{old_arr}", name), 1)
            return text if self.random.random() < 0.15 else f"{name} = {name}.copy()\n{text}"
        if hole == "loop":
            return self.filled(self.random.choice(LOOPS), depth)
        if hole == "layered":
            start = self.filled("h = {arr}\n", 1)
            end = self.filled("\n{new_arr} = h", 1)
            return start + self.random.choice(LAYERS) + end
        if hole.startswith("block_"):
            known = {kind: list(names) for kind, names in self.names.items()}
            fitting = [each for each in self.names["arr"] if each.isidentifier()]
            self.names["arr"] += hole.removeprefix("block_").split(";") * len(fitting)
            lines = []
            for _ in range(self.random.choice((1, 1, 2))):
                name = self.random.choice(fitting)
                lines.append(self.filled(self.random.choice(INNER).replace("{old_arr}", name), 1))
            self.names = known
            return f"\n{' ' * indent}".join(lines)
        return super().hole(hole, depth, made, indent)

    def added(self) -> bool:
        """Adds a statement that runs; tells whether one was found."""
        for _ in range(MOST_TRIES):
            known = {kind: list(names) for kind, names in self.names.items()}
            try:
                lines = self.statement().split("\n")
            except IndexError:  # it needs a variable of a kind of which there is none
                self.names = known
                continue
            if self.fits(*lines):
                self.lines += lines
                for kind, names in self.names.items():
                    names += names[len(known[kind]) :] * 2  # what is new is read more often
                return True
            self.names = known
        return False

    def fits(self, *lines: str) -> bool:
        """Tells whether some lines run after those that there are, at each point."""
        return all(runs([*self.lines, *lines], point, self.library) for point in self.points)


def runs(lines: list[str], point: dict[str, Any], library: dict[str, Any]) -> bool:
    """Tells whether statements run here, and what they bind stays small."""
    body = "".join(f"    {line}\n" for line in lines)
    space = dict(library)
    try:
        exec(f"def f({', '.join(point)}):\n{body}    return locals()\n", space)
        with np.errstate(all="raise", under="ignore"):
            held = space["f"](**copy.deepcopy(point))
    except FAILURES:
        return False
    return all(map(is_small, held.values()))


def is_small(value: Any) -> bool:
    """Tells whether all numbers in something are small, and not too many."""
    if isinstance(value, dict):
        return all(map(is_small, value.values()))
    if isinstance(value, list | tuple):
        return len(value) < 20 and all(map(is_small, value))
    if not isinstance(value, np.ndarray | float | int):
        return True
    return np.size(value) < 400 and bool(np.max(np.abs(value), initial=0.0) < LARGEST)


def write(seed: int) -> Program:
    """Writes the program of a seed."""
    random = Random(seed)
    points = tuple(_point(random, seed * 10 + i) for i in range(2))
    names: dict[str, list[str]] = {kind: [] for kind in EXPRESSIONS}
    names |= {"num": ["s"], "arr": random.sample("xymqt", random.choice((1, 2, 3, 5)))}
    names["list"] = ["ws", "bs"]
    helpers = {"cut": list(SLICES)}
    writer = Writer(random, names, helpers, EXPRESSIONS, STATEMENTS, INNER, random.choice((1, 2)))
    writer.points = points
    for _ in range(random.choice((2, 3, 4, 5))):
        writer.added()
    arrays, lists, tables = (dict.fromkeys(writer.names[kind]) for kind in ("arr", "list", "dict"))
    shown = [f"np.sum(np.sin({name}) * {name})" for name in [*arrays][-3:]]
    shown += [f"sum([np.sum(u * u) for u in {name}])" for name in [*lists][2:]]
    shown += [f"sum([np.sum(u) * s for u in {name}.values()])" for name in tables]
    shown += [f"np.sum({name})" for name in random.sample(("x", "m", "s"), 1)]
    total = " + ".join(shown)
    last = [*arrays][-1]
    result = random.choice((total, total, total, f"{total}, {last}", f"dict(a={last}, b={total})"))
    return program(seed, HEAD, writer, result)


def program(seed: int, head: str, writer: Writer, result: str) -> Program:
    """The program of some statements and what it gives."""
    lines = [*writer.lines, f"return {result}"]
    given = writer.points[0]
    used = [name for name in given if any(typed.names_in(line, name) for line in lines)]
    smooth = [name for name in used if name not in CONSTANT]
    wrt = tuple(name for name in smooth if writer.random.random() < 0.75) or (smooth[0],)
    body = "".join(f"    {line}\n" for line in lines)
    text = ast.unparse(ast.parse(f"def f({', '.join(used)}):\n{body}"))
    points = tuple({name: point[name] for name in used} for point in writer.points)
    return Program(seed, f"{head}{text}\n", wrt, points)


def _point(random: Random, seed: int) -> dict[str, Any]:
    """Arguments by their names: axes have lengths of their own, or are alike."""
    numbers = np.random.default_rng(seed)
    n, k, b = (random.choice((1, 2, 2, 3, 3, 4)) for _ in range(3))
    widths = [k, *(random.choice((k, k, 1, 2, 3)) for _ in range(random.choice((1, 2, 2, 3))))]

    def drawn(*shape: int) -> Any:
        return np.asarray(numbers.uniform(-1.2, 1.2, shape))

    ws = [drawn(one, other) for one, other in pairwise(widths)]
    bs = [drawn(width) for width in widths[1:]]
    given = {"x": drawn(n), "y": drawn(k), "m": drawn(n, k), "q": drawn(k, k), "t": drawn(b, n, k)}
    layers = [{"w": w * 0.5, "b": b + 0.5} for w, b in zip(ws, bs, strict=True)]
    labels = numbers.integers(-k, k, n)
    keep = numbers.uniform(size=n) > 0.4
    return {
        **given,
        "s": float(drawn()),
        "ws": ws,
        "bs": bs,
        "layers": layers,
        "labels": labels,
        "keep": keep,
    }
