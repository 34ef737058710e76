"""A text that is parsed again after an edit is what it would be if it were parsed anew."""

from __future__ import annotations

import ast
import random

import pytest

from adlsp.transform.frontend import bindings, modules
from adlsp.transform.frontend import parse as texts
from adlsp.transform.source import Source

TEXT = '''\
"""Begins here
and ends
at the margin."""
import numpy as np
from a import (
    b,
c,
)
@decorated(
    1)
# between
@again
def f(x, y=(1,
2)):
    """A text
at the margin
    """
    if x:
        global counted
        return {
    "a": y,
}
# a comment at the margin
    return [
x]


if np:
    g = 1; h = 2
elif b: pass
else:
    g = 3 + \\
4
class C:
    def m(self): return "é" + self.m()
try:
    import c
except ImportError as error:
    c = None
finally:
    pass
z = f"""{g}
{h} @ {z}
"""
async def w(): await w()
'''
GENTLE = ("", "", " ", "# é", "é = 2", "x = 1", "g = h", "@again", "b += 1", "import d as b")
ROUGH = (
    *("    ", "pass", "return x", '"""', "'", "(", ")", "[", "]", "\\", "\0", "\ufeff", "\f"),
    *("def f(x):", "    def k(): pass", "else:", "elif x:", "global z", "; global x", "if x:"),
    *("class D(C):", "from e import *"),
)


def edited(lines: list[str], choose: random.Random) -> list[str]:
    """The lines after an edit of one or two of them."""
    made = list(lines)
    for _ in range(choose.choice((1, 1, 2))):
        place, scrap = (
            choose.randrange(len(made)),
            choose.choice(choose.choice((GENTLE, GENTLE, ROUGH))),
        )
        line = made[place]
        column = choose.choice((0, len(line), choose.randrange(len(line) + 1)))
        kinds = ("insert", "replace", "delete", "line", "copy")
        match choose.choices(kinds, weights=(6, 4, 4, 1, 2))[0]:
            case "insert":
                made[place] = line[:column] + scrap + line[column:]
            case "replace":
                made[place] = scrap
            case "delete":
                made[place] = line[:column] + line[column + choose.randrange(4) :]
            case "line":
                made.insert(place, scrap)
            case "copy":
                made[place] = choose.choice(made)
    return made


def shown(parsed: tuple[modules.Module | None, tuple[object, ...]]) -> object:
    module, found = parsed
    if module is None:
        return None, found
    tree = ast.dump(module.parsed, include_attributes=True)
    names = {name: entry_of(entry) for name, entry in module.names.items()}
    return tree, names, module.stars, module.has_gaps, module.is_dynamic, found


def entry_of(entry: bindings.Entry) -> object:
    match entry:
        case bindings.DefinedFunction(tree) | bindings.DefinedClass(tree):
            return type(entry), ast.dump(tree, include_attributes=True)
        case bindings.Assigned(value):
            return type(entry), value and ast.dump(value, include_attributes=True)
    return entry


@pytest.mark.parametrize("seed", range(8))
def test_after_random_edits_it_is_the_same(seed: int) -> None:
    choose = random.Random(seed)
    n_patched = n_changed = 0
    lines = TEXT.split("\n")
    before = modules.parse(Source("a.py", "a", TEXT))
    for _ in range(250):
        module, problems = before
        if module is None or problems or choose.random() < 0.05:
            lines = TEXT.split("\n")
            module, _ = modules.parse(Source("a.py", "a", TEXT))
        assert module is not None
        lines = edited(lines, choose)
        source = Source("a.py", "a", "\n".join(lines))
        parsed = modules.parse_again(source, module)
        assert shown(parsed) == shown(modules.parse(source))
        body = texts.patched(source.lines, module.source.lines, module.parsed.body)
        n_patched += body is not None
        n_changed += body is not None and body is not module.parsed.body
        before = parsed
    assert n_patched > 20
    assert n_changed > 2


def test_what_has_not_changed_keeps_its_tree() -> None:
    text = "def f(x):\n    return x\n\n\ndef g(x):\n    return x\n\n\ndef h(x):\n    return x\n"
    before, _ = modules.parse(Source("a.py", "a", text))
    assert before is not None
    after, _ = modules.parse_again(Source("a.py", "a", text.replace("g(x)", "g(y)")), before)
    assert after is not None
    assert [after.names[n] is before.names[n] for n in "fgh"] == [True, False, True]
    assert after.parsed.body[2] is before.parsed.body[2]
