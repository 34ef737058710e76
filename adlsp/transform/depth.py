"""Room for recursion: a long sum is a deep tree, and trees are walked by functions that recurse.

Python's own limit is meant for programs that recurse by mistake. It is one for all threads, so the
last of those who need the room puts it back. What is nested deeper than this room allows for is not
read (`frontend/modules.py`).

Before Python 3.13 its parser, too, has one count of depth for all threads, and says that it is
wrong when two of them parse at once (python/cpython#106905).
"""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

CALLS = 10_000
"""How many calls may be under way at once."""

ATTEMPTS = 100
"""How often a text is parsed while threads that are not ours parse, too."""

_turn = threading.Lock()
_parsing = threading.RLock()
_limits: list[int] = []
"""The limits that those found who are in the room."""


@contextmanager
def room() -> Iterator[None]:
    """Lets calls be nested deeper for a while; also a decorator."""
    with _turn:
        _limits.append(sys.getrecursionlimit())
        enough = max(CALLS, _limits[0])
        sys.setrecursionlimit(enough)
    try:
        yield
    finally:
        with _turn:
            limit = enough if len(_limits) != 1 else _limits[0]
            if sys.getrecursionlimit() == enough:
                sys.setrecursionlimit(limit)
            del _limits[-1:]


def parse(text: str) -> ast.Module:
    """The tree of a text; raises what `ast.parse` raises of it."""
    tree = _parsed(text, "exec")
    assert isinstance(tree, ast.Module)
    return tree


def parse_expression(text: str) -> ast.expr:
    """The tree of an expression; raises what `ast.parse` raises of it."""
    tree = _parsed(text, "eval")
    assert isinstance(tree, ast.Expression)
    return tree.body


def _parsed(text: str, mode: str) -> ast.AST:
    with _parsing:
        for _ in range(ATTEMPTS - 1):
            try:
                return ast.parse(text, mode=mode)
            except SystemError:
                continue
        return ast.parse(text, mode=mode)


def start_over() -> None:
    """Makes a forked child a program of its own, which waits for no thread of its parent."""
    global _turn, _parsing
    if _limits:
        sys.setrecursionlimit(_limits[0])
    _turn, _parsing = threading.Lock(), threading.RLock()
    _limits.clear()
