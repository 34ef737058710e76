"""Programs whose containers and arrays change: copies, groups, masks, lists of lists and pairs.

A container has more names than one: copies share what is in them, and functions change what they
are given, or give back what they were given. What has changed is read later, by each name. As in
`stacking.py`, no template knows what fits: a statement is drawn until one is found that runs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import stacking
import typed

HEAD = """from collections import defaultdict

import numpy as np


def scale(d, r):
    for key in d:
        d[key] = d[key] * r


def push(us, u):
    us.append(u)
    return us


def put(d, key, u):
    d[key] = u
    return d


def extended(us, u):
    us = us[:]
    us.append(u)
    return us


def updated(d, **more):
    d = d.copy()
    d.update(more)
    return d


def group(groups, key, u):
    groups.setdefault(key, []).append(u)


def total(us):
    s = 0.0
    for u in us:
        s = s + np.sum(u * u)
    return s


def same(it):
    return it


def chosen(one, other, r):
    return one if r > 0.1 else other


def halves(pairs):
    return [u for u, v in pairs], [v for u, v in pairs]


def grown(v, r):
    v *= r
    return v


def safe(u, v):
    return np.divide(u, v, out=np.zeros_like(u), where=v > 0.1)


def filled(v, keep, r):
    v = v.copy()
    v[keep] = r
    return v


"""

EXPRESSIONS: dict[str, tuple[str, ...]] = {
    "num": stacking.templates("""
        s; r; 0.5; {num} * {num}; np.sin({num}); {num} + {num}; np.sum({arr});
        np.sum({arr} * {arr});
        {name_arr}[0]; {arr}[-1]; total({list}); len({name_list}) * {num}; np.sum({el});
        np.sum({arr}[{mask}]); total({groups}[0]); sum([np.sum(u) for u in {list}]);
        np.sum({name_dict}['b']); np.sum({arr}, where={mask})
    """),
    "arr": stacking.templates("""
        {arr} + {arr}; {arr} * {arr}; {arr} * {num}; np.tanh({arr}); -{arr}; np.sin({arr});
        {arr} * {el}; {arr} * {el}; {name_dict}['w']; {name_list}[0]; {masked}; {masked}; m[0];
        same({name_arr}); sum({list}) * {arr}; np.array({list}); np.sum({name_arr}, axis=0);
        {arr}[:, None]; {name_arr}.T
    """),
    "el": stacking.templates("""
        {sort}; {sort}; {name_dict}['w']; {name_dict}['b']; {name_dict}.get('w', {sort});
        {name_dict}.get('c', {el}); {name_list}[0]; {name_list}[-1]; {pairs}[0][1];
        {name_pairs}[-1][0]; {name_nest}[0][-1]; {name_nest}[-1][0]; {name_table}['a'][0];
        {name_table}['b'][-1]; {name_both}[0][0]; {groups}[0][0]; {name_list}[1];
        sum({list}); same({name_dict})['w']
    """),
    "mask": stacking.templates("""
        {arr} > 0.1; {arr} > 0.1; {name_arr} != 0.0; keep; ~keep; {arr} > {arr}; m[0] > 0.0;
        ({arr} > 0.0) & keep; np.abs({arr}) < 0.5; np.sum(m, axis=0) > 0.1; m > 0.1;
        {arr} > {num}; ({arr} > 0.3) | ({arr} < -0.3); np.logical_not({mask}); {arr}[:, None] > 0.1
    """),
    "masked": stacking.templates("""
        np.where({mask}, {arr}, {num}); np.where({mask}, {arr}, {arr}); {name_arr}[{mask}];
        np.divide({arr}, {arr}, out=np.zeros_like({arr}), where={mask}); safe({arr}, {arr});
        np.divide({arr}, {name_arr}, out=np.ones_like({arr}), where={name_arr} != 0.0);
        np.sqrt({arr}, out=np.zeros_like({arr}), where={name_arr} > 0.1);
        filled({arr}, {mask}, {num});
        np.multiply({arr}, {arr}, out=np.zeros({name_arr}.shape), where={mask});
        np.where({mask}, {arr}, {arr} ** 2); np.maximum({arr}, 0.0); {arr} * ({mask});
        np.log({name_arr}, out=np.full_like({name_arr}, 0.5), where={name_arr} > 0.1);
        np.add({arr}, {num}, out={name_arr}.copy(), where={mask})
    """),
    "list": stacking.templates("""
        [{el}, {el}]; [{el}, {el}, {el}]; {name_list}[:]; {name_list}.copy(); list({name_list});
        [*{name_list}, {el}]; {name_list} + [{el}]; [u * {num} for u in {list}]; {name_list}[1:];
        list({name_dict}.values()); [u for u, v in {pairs}]; {name_nest}[0]; {name_table}['a'];
        {name_both}[0]; {groups}[0]; extended({list}, {el}); push([{el}], {el});
        push({name_list}[:], {el});
        [u for us in {nest} for u in us]; same({name_list}); {name_list}[::-1]; halves({pairs})[0];
        chosen({name_list}, {name_list}, {num}); [{el} for _ in range(2)]; [u[0] for u in {nest}]
    """),
    "dict": stacking.templates("""
        dict(w={el}, b={el}); {name_dict}.copy(); dict({name_dict}); dict({name_dict}, w={el});
        dict({name_dict}, **{name_dict}); <<**{name_dict}, 'w': {el}>>; <<**{name_dict}>>;
        <<'b': {el}, **{name_dict}>>; updated({name_dict}, w={el}); put({name_dict}, 'b', {el});
        <<key: u * {num} for key, u in {name_dict}.items()>>; dict(zip('wb', {list}));
        same({name_dict}); chosen({name_dict}, {name_dict}, {num});
        put({name_dict}.copy(), 'w', {el});
        {name_dict} | dict(w={el}); dict(list({name_dict}.items()))
    """),
    "pairs": stacking.templates("""
        list(zip({list}, {list})); [({el}, {el}), ({el}, {el})]; {name_pairs}[:];
        list({name_pairs});
        [(v, u * {num}) for u, v in {name_pairs}]; {name_pairs} + [({el}, {el})]; {name_pairs}[1:];
        list(enumerate({list}, 1)); extended({name_pairs}, ({el}, {el})); {name_pairs}[::-1];
        list(zip(*halves({name_pairs}))); list({name_dict}.items())[:0] + {name_pairs}
    """),
    "nest": stacking.templates("""
        [{list}, {list}]; [[{el}], [{el}, {el}]]; [us[:] for us in {name_nest}]; {name_nest}[:];
        [[u * {num} for u in us] for us in {nest}]; list({name_table}.values()); {name_nest}[::-1];
        [list(us) for us in {name_nest}]; [{name_list}, {list}]; [list(us) for us in {pairs}];
        [[{el} for _ in range(2)] for _ in range(2)]; extended({name_nest}, {list})
    """),
    "table": stacking.templates("""
        dict(a={list}, b={list}); dict(a={name_list}, b=[{el}]); {name_table}.copy();
        <<key: us[:] for key, us in {name_table}.items()>>; <<**{name_table}, 'a': {list}>>;
        dict({name_table}, b={list});
        <<key: [u * {num} for u in us] for key, us in {name_table}.items()>>;
        updated({name_table}, a={list}); dict(zip('ab', {nest}))
    """),
    "both": stacking.templates("""
        ({list}, {num}); ({list}, {el}); ({name_list}, {el}); ({name_both}[0], {el});
        ({name_both}[0][:], {name_both}[1]); same({name_both})
    """),
    "groups": ("{name_groups}",),
}
"""Expressions by what they give, as in `typed.py`; an element `el` is an array or a number."""

COPIES = stacking.blocks("""
{new_dict} = {name_dict}.copy()
{it}.update(w={el})

{new_dict} = {name_dict}.copy()
{it}['w'] = {el}

{new_dict} = {name_dict}.copy()
{it}['w'] = {it}['w'] * {num}

{new_dict} = dict({name_dict})
{it}['b'] += {num}

{new_dict} = dict({name_dict}, c={el})
{new_dict} = {it}

{new_dict} = dict({name_dict})
{new_dict} = {it}

{new_dict} = dict({name_dict})
{it}.setdefault('c', {el})
{it}.setdefault('w', {el})

{new_dict} = {name_dict}.copy()
{it}.update([('w', {el}), ('b', {el})])

{new_dict} = {name_dict}.copy()
{it}.update(zip('wb', {list}))

{new_dict} = {name_dict}.copy()
{it}.update({name_dict})
{it}['b'] = {el}

{new_dict} = <<key: u.copy() for key, u in {name_dict}.items()>>
{it}['w'] *= {num}

{new_dict} = <<key: u * 1.0 for key, u in {name_dict}.items()>>
for key in {it}:
    {it}[key] += {num}

{new_dict} = dict({name_dict})
scale({it}, {num})

{new_dict} = {name_dict}.copy()
{new_el} = {it}.pop('w', {el})
{it}['w'] = {el}

{new_dict} = {name_dict}.copy()
{it}['b'] = {it}.pop('c', {el})

{new_dict} = {name_dict}.copy()
put({it}, 'w', {el})

{new_dict} = put({name_dict}.copy(), 'w', {el})
{it}['b'] = {el}

{new_dict} = same({name_dict}.copy())
{it}['b'] = {el}

{new_list} = {name_list}[:]
{it}.append({el})

{new_list} = {name_list}.copy()
{it}[0] = {el}

{new_list} = list({name_list})
{it}.extend({list})

{new_list} = {name_list}[:]
{it} += [{el}]

{new_list} = [*{name_list}]
{it}.insert(0, {el})

{new_list} = list({name_list})
{it}[-1] = {it}[0] * {it}[-1]

{new_list} = [u * 1.0 for u in {name_list}]
for u in {it}:
    u *= {num}

{new_list} = [u.copy() for u in {name_list}]
{it}[0] *= {num}

{new_list} = {name_list}[:]
for i in range(len({it})):
    {it}[i] = {it}[i] * {num}

{new_list} = {name_list}[:]
for i in range(len({it})):
    {it}[i] += {el}

{new_list} = push({name_list}[:], {el})
push({it}, {el})

{new_list} = extended({name_list}, {el})
{it}[0] = {el}

{new_list} = list({name_list})
for u in {list}[:2]:
    push({it}, u * {num})

{new_list} = {name_list}[:]
{it}.reverse()

for i in range(2):
    {old_dict} = updated({name_dict}, w={el})

for i in range(2):
    {old_list} = extended({name_list}, {el})
""")
"""Copies that change, of dictionaries and of lists."""

CHANGES = stacking.blocks("""
{own_dict}['w'] = {el}

{own_dict}['b'] += {el}

{own_dict}.update(w={el}, b={el})

{own_dict}.setdefault('c', {el})

scale({own_dict}, {num})

put({own_dict}, 'b', {el})

{own_list}.append({el})

{own_list}[0] = {el}

{own_nest}[-1] = {list}

{own_table}['b'] = {list}

{own_pairs}.append(({el}, {el}))

{own_pairs}[0] = ({el}, {el})

{own_arr} *= {num}

{own_arr}[0] = {num}

grown({own_arr}, {num})

{new_dict} = put({own_dict}, 'w', {el})
{it}['b'] = {el}

if {num} > 0.1:
    {own_dict}['w'] = {el}
else:
    {own_dict}['b'] = {el}

for u in {list}[:]:
    {own_list}.append(u * {num})

for u in {list}:
    {own_dict}['w'] = {own_dict}['w'] * np.sum(u)
""")
"""Changes of what the function has made itself, under one of its names."""

GROUPS = stacking.blocks("""
{new_groups} = defaultdict(list)
for i, u in enumerate({list}):
    {it}[i % 2].append(u * {num})

{new_groups} = defaultdict(list)
for k, u in zip(ks, {list}):
    {it}[k].append({el} * u)

{new_groups} = dict()
for k, u in zip(ks, {list}):
    {it}.setdefault(k, []).append(u * {num})

{new_groups} = dict()
for i in range(3):
    {it}.setdefault(i % 2, []).append({el})

{new_groups} = [[] for _ in range(2)]
for k, u in zip(ks, {list}):
    {it}[k].append(u + {el})

{new_groups} = <<0: [], 1: []>>
for u, v in {pairs}:
    {it}[0].append(u * {num})
    {it}[1].append(v)

{new_groups} = <<k: [] for k in range(2)>>
for i in range(len({name_list})):
    {it}[ks[i % 2]].append({name_list}[i] * {num})

{new_groups} = defaultdict(list)
for k, u in zip(ks, {list}):
    group({it}, k, u * {num})
group({it}, 0, {el})

{new_groups} = dict()
for k, u in zip(ks, {list}):
    if k not in {it}:
        {it}[k] = []
    {it}[k].append(u * {num})

{new_groups} = defaultdict(list)
for k, u in zip(ks, {list}):
    {it}[k].append(({el}, u)[1])
    {old_num} = {num} + np.sum({it}[k][0])

{new_groups} = defaultdict(float)
for k, u in zip(ks, {list}):
    {it}[k] += np.sum(u) * {num}

{new_groups} = dict()
for k, u in zip(ks, {list}):
    {it}[k] = {it}.get(k, 0.0) + u * {num}

for k in sorted({name_groups}):
    {old_num} = {num} + total({name_groups}[k])

for us in {name_groups}.values():
    {old_num} += np.sum(sum(us))

for k, us in {name_groups}.items():
    for u in us:
        {old_num} += np.sum(u) * {num}

{new_list} = [sum(us) for us in {name_groups}.values()]

{new_list} = [sum(us) / len(us) for us in {name_groups}.values()]

{new_dict} = <<k: total(us) for k, us in {name_groups}.items()>>
{it}['w'] = {it}[0]

{name_groups}[0].append({el})

{name_groups}[0][0] = {el}

{name_groups}[0].extend({list})

{new_arr} = {name_groups}[0][0]

for us in {nest}:
    for u in us:
        {old_num} += np.sum(u) * {num}
""")
"""Groups that loops fill, and what is done with them."""

MASKS = stacking.blocks("""
{new_arr} = {masked}

{new_arr} = {arr}
{it}[{mask}] = {num}

{new_arr} = {name_arr}.copy()
{it}[{mask}] += {num}

{new_arr} = {name_arr}.copy()
here = {mask}
{it}[here] = {arr}[here]

{new_arr} = {name_arr}.copy()
{it}[{name_arr} > 0.1] *= {num}

{new_arr} = {name_arr}.copy()
{it}[{it} > 0.1] += {num}

{new_arr} = {name_arr}.copy()
{it}[{it} < 0.0] = 0.0

{new_arr} = np.zeros_like({name_arr})
{it}[{mask}] = {arr}[{mask}] ** 2

{new_arr} = np.where({mask}, {arr}, {num})
{it}[{mask}] -= {num}

{new_arr} = m.copy()
{it}[{mask}] = {num}

{new_arr} = m * {num}
{it}[{it} > 0.1] *= {num}

{new_arr} = m * {num}
{it}[:, keep] = {arr}

{new_arr} = m * {num}
{it}[0, {mask}] += {arr}

{new_arr} = m * {num}
{it}[:, {mask}] *= {num}

for i in range(2):
    {old_arr} = np.where({mask}, {old_arr}, {arr})

{new_arr} = {name_arr} * 1.0
for i in range(2):
    {it}[{it} > {num}] *= {num}

{new_list} = [np.where({mask}, u, {num}) for u in {list}]

{new_dict} = <<key: np.where(u > 0.0, u, {num}) for key, u in {name_dict}.items()>>
""")
"""Arrays that change where a mask is true."""

NESTED = stacking.blocks("""
{new_pairs} = {pairs}

{new_nest} = {nest}

{new_table} = {table}

{new_both} = {both}

{new_nest} = [[u * {num} for u in us] for us in {name_nest}]
for us in {it}:
    us[0] = us[0] * {el}

us, u = {both}
us = us[:]
us.append(u)
{new_list} = us

us, u = {name_both}
{new_both} = (extended(us, {el}), u * {num})

for u, v in {pairs}:
    {old_num} += np.sum(u * v)

for i, (u, v) in enumerate({name_pairs}):
    {old_num} = {num} + np.sum(u) * np.sum(v) * i

us, vs = zip(*{pairs})
{new_list} = list(us)

{new_pairs} = []
for u, v in {name_pairs}:
    {it}.append((u * {num}, v + {el}))

{new_pairs} = []
for u in {list}:
    {it}.append((u, {el}))

{new_nest} = []
for us in {name_nest}:
    {it}.append([u * {num} for u in us])

{new_nest} = [[], []]
for u in {list}:
    {it}[0].append(u)
    {it}[1].append(u * {num})

{new_table} = dict(a=[], b=[])
for u in {list}:
    {it}['a'].append(u * {num})
    {it}['b'].append({el})

{new_table} = dict(a=[{el}], b=[{el}])
for key in {it}:
    {it}[key].append({el})

{new_nest} = [{name_list}, {name_list}]
{it}[0] = {list}

{new_list} = [u * v for u, v in {pairs}]

{new_list} = [sum(us) for us in {nest}]

{new_list} = [us[0] * us[-1] for us in {nest}]

for us in {name_nest}:
    {old_num} += total(us)

for i in range(len({name_nest})):
    for j in range(len({name_nest}[i])):
        {old_num} += np.sum({name_nest}[i][j]) * {num}

for key, us in {name_table}.items():
    {old_num} += total(us) * {num}

{new_list} = {name_table}['a'] + {name_table}['b']
""")
"""Lists of lists, dictionaries of lists, pairs, and a list in a tuple."""

BASIC = stacking.blocks("""
{new_num} = {num}

{new_arr} = {arr}

{new_list} = {list}

{new_dict} = {dict}

{old_num} = {num}

{new_arr} = {el} * {arr}

{new_num} = np.sum({el}) * {num}

for u in {list}:
    {old_num} = {num} + np.sum(u) * {num}

for key in {name_dict}:
    {old_num} = {num} + np.sum({name_dict}[key])

for key, u in {name_dict}.items():
    {old_num} += np.sum(u * u)

if {num} > 0.1:
    {old_dict} = {dict}

if {num} > 0.1:
    {old_list} = {list}
else:
    {old_list} = {list}
""")

REFUSED = stacking.blocks("""
{new_table} = <<key: us[:] for key, us in {name_table}.items()>>
{it}['a'].append({el})

{new_nest} = [us[:] for us in {name_nest}]
{it}[0].append({el})

{new_nest} = [list(us) for us in {name_nest}]
{it}[-1][0] = {el}

{new_arr} = {name_arr} * {num}
np.maximum({it}, 0.0, out={it})

{new_arr} = {name_arr}.copy()
np.putmask({it}, {mask}, {arr})

{new_arr} = {name_arr}.copy()
np.copyto({it}, {arr}, where={mask})

{new_arr} = np.zeros_like({name_arr})
np.divide({arr}, {arr}, out={it}, where={mask})

us, vs = halves({pairs})
us.append({el})
{new_list} = us
{new_list} = vs

{own_nest}[0].append({el})

{own_nest}[0][0] = {el}

{own_table}['a'].append({el})

{own_table}['a'][0] = {el}

push({own_table}['a'], {el})

{own_both}[0].append({el})

group({own_table}, 'a', {el})

{new_dict} = {own_dict}
{it}['w'] = {el}

{new_list} = {own_list}
{it}.append({el})

{new_list} = push({own_list}, {el})
{it}[0] = {el}

push({own_list}, {el})

{new_both} = ([{el}], {num})
{it}[0].append({el})

{new_table} = dict({name_table}, a={list})
{it}['a'].append({el})

{new_list} = {name_groups}[0]
{it}.append({el})
""")
"""What mostly is refused: changes of what a list holds, under two names, or by `out=`."""

THEMES = (COPIES, CHANGES, GROUPS, MASKS, NESTED)

SHOWN = {
    "arr": "np.sum(np.sin({0}) * {0})",
    "list": "total({0})",
    "dict": "sum([np.sum(u * u) for u in {0}.values()])",
    "pairs": "sum([np.sum(u * v) for u, v in {0}])",
    "nest": "sum([total(us) for us in {0}])",
    "table": "sum([total(us) for us in {0}.values()])",
    "both": "total({0}[0]) * np.sum({0}[1])",
    "groups": "total({0}[0])",
}
"""How much of a result depends on what a variable holds."""

GIVEN = {
    "num": ["s", "r"],
    "arr": ["x", "y", "m"],
    "dict": ["p"],
    "list": ["xs", "ns"],
    "pairs": ["pairs"],
    "nest": ["nest"],
    "table": ["table"],
    "both": ["both"],
}
"""The parameters by what they are."""
PARAMETERS = [name for names in GIVEN.values() for name in names]

LIBRARY: dict[str, Any] = {}
"""What the head of a program defines."""
exec(HEAD, LIBRARY)


class Writer(stacking.Writer):
    """Knows what a template has just made, and what the function has made itself."""

    sort: str
    """Which expressions elements are."""

    def hole(self, hole: str, depth: int, made: list[tuple[str, str]], indent: int) -> str:
        """What stands in a hole; what the function has made is drawn by `{own_…}`."""
        if hole == "sort":
            return self.expression(self.sort, depth)
        if hole.startswith("own_"):
            kind = hole.removeprefix("own_")
            return self.random.choice([n for n in self.names[kind] if n not in PARAMETERS])
        return super().hole(hole, depth, made, indent)

    def statement(self) -> str:
        """A statement, with the braces of dictionaries."""
        return super().statement().replace("<<", "{").replace(">>", "}")


def write(seed: int) -> typed.Program:
    """Writes the program of a seed."""
    random = Random(seed)
    sort = random.choice(("arr", "num"))
    points = tuple(_point(random, seed * 10 + i, sort) for i in range(2))
    names: dict[str, list[str]] = {kind: [] for kind in EXPRESSIONS}
    names |= {kind: list(given) for kind, given in GIVEN.items()}
    themes = random.sample(THEMES, 2)
    statements = tuple(random.choice((*themes * 8, *[BASIC] * 4, REFUSED)) for _ in range(200))
    chosen = tuple(random.choice(theme) for theme in statements)
    writer = Writer(random, names, {}, EXPRESSIONS, chosen, (), random.choice((1, 1, 2)))
    writer.points, writer.library, writer.sort = points, LIBRARY, sort
    most = random.choice((4, 6, 8, 10))
    while len(writer.lines) < most and writer.added():
        pass
    shown = [
        template.format(name)
        for kind, template in SHOWN.items()
        for name in dict.fromkeys(writer.names[kind])
        if name not in PARAMETERS or any(typed.names_in(line, name) for line in writer.lines)
    ]
    random.shuffle(shown)
    shown = [part for part in shown if writer.fits(f"_ = {part}")][:6]
    total = " + ".join([*shown, random.choice(("s * r", "np.sum(x)", "np.sum(y) * s"))])
    made = stacking.program(seed, HEAD, writer, total)
    return typed.Program(seed, made.text, made.wrt, tuple(map(_given, made.points)))


def _given(point: dict[str, Any]) -> Callable[[Any], dict[str, Any]]:
    """Makes the same arguments each time, whatever the module."""
    return lambda _: copy.deepcopy(point)


def _point(random: Random, seed: int, sort: str) -> dict[str, Any]:
    """Arguments by their names; elements are of a sort, and numbers Python's or NumPy's."""
    numbers = np.random.default_rng(seed)
    n, k = (random.choice((1, 2, 3, 3, 4)) for _ in range(2))
    kind: Callable[[Any], Any] = random.choice((float, np.float64))

    def drawn(*shape: int) -> Any:
        return np.asarray(numbers.uniform(-1.2, 1.2, shape))

    def num() -> Any:
        return kind(numbers.uniform(-1.2, 1.2))

    def parts(*counts: int) -> list[Any]:
        return [drawn(n) if sort == "arr" else num() for _ in range(random.choice(counts))]

    return {
        "x": drawn(n),
        "y": drawn(n),
        "m": drawn(k, n),
        "s": num(),
        "r": num(),
        "p": dict(zip("wb", parts(2), strict=True)),
        "xs": parts(2, 3),
        "ns": [num() for _ in range(random.choice((2, 3)))],
        "pairs": list(zip(parts(3), parts(1, 2, 3), strict=False)),
        "nest": [parts(1, 2) for _ in range(2)],
        "table": {key: parts(1, 2) for key in "ab"},
        "both": (parts(2), num()),
        "keep": numbers.uniform(size=n) > 0.4,
        "ks": [0, *(int(numbers.integers(0, 2)) for _ in range(3))],
    }
