"""The texts of a session: cells of a notebook or a console, which share their variables.

`linecache` keeps them, under names that are no files'. No text is the whole of the module that they
make together: what the program has decides.
"""

from __future__ import annotations

import linecache
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from types import FunctionType, MappingProxyType, ModuleType

from adlsp.library import primal
from adlsp.library.ground import Namespace, Value
from adlsp.transform.frontend import modules, states
from adlsp.transform.source import CELL, Source

DEFINES = re.compile(r"\b(?:def|class|lambda|import)\b")

TIMED = ("<timed exec>", "<timed eval>")
"""How IPython calls the text below `%%time`, of whichever cell."""

NUMBERED = re.compile(r"[0-9a-f]{8,}|\d+")
"""What differs in the names that one session gives to its cells."""


def cell(name: str, module: str, namespace: Namespace) -> Source | None:
    """The text that a console or notebook keeps under a name."""
    text = _timed() if name in TIMED else None
    if text is not None:
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    known = {
        key: namespace[key] for key in ("__name__", "__loader__", "__spec__") if key in namespace
    }
    lines = linecache.getlines(name, known)
    return Source(name, module, "".join(lines), is_cell=True) if lines else None


def shell() -> Value:
    """The interactive shell of the session; None outside of IPython."""
    module = sys.modules.get("IPython")
    return None if module is None else module.get_ipython()


def _timed() -> str | None:
    """The text below `%%time` in the cell that runs, which IPython keeps under no name."""
    running = shell()
    history = getattr(getattr(running, "history_manager", None), "input_hist_raw", ())
    magic, _, text = history[-1].partition("\n") if history else ("", "", "")
    return str(running.transform_cell(text)) if magic.split()[:1] == ["%%time"] else None


def beside(home: Source, namespace: Namespace) -> Iterator[Source]:
    """The other cells of a session: those of the functions that it has, the newest names first.

    So are those of methods of its classes. A cell that defines none may still declare a rule.
    """
    things = chain.from_iterable(map(_functions, reversed(list(namespace.values()))))
    defining = map(_text_of, things)
    for name in dict.fromkeys((*defining, *_without_functions(home.path))):
        if name and name != home.path and not os.path.isfile(name):
            found = cell(name, home.module, namespace)
            if found is not None:
                yield found


def newest(home: Source, namespace: Namespace) -> Iterator[Source]:
    """The cells of a session, the newest first."""
    family = _family(home.path)
    names = [name for name in reversed(list(linecache.cache)) if _family(name) == family]
    for name in dict.fromkeys((*names, home.path)):
        found = home if name == home.path else cell(name, home.module, namespace)
        if found is not None:
            yield found


def imported(namespace: Namespace) -> tuple[str, ...]:
    """The modules of which a session has something, whichever of its cells imported that."""
    named = (
        thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
        for thing in list(namespace.values())
    )
    return tuple(dict.fromkeys(name for name in named if isinstance(name, str)))


def declaring(home: Source, namespace: Namespace) -> tuple[Source, ...]:
    """The other cells that may declare rules."""
    from adlsp.transform.rules import users

    return tuple(found for found in beside(home, namespace) if users.may_declare(found))


def _family(name: str) -> str:
    """What the names of all cells of a session have in common."""
    return "cell" if name in TIMED or CELL.search(name) else NUMBERED.sub("#", name)


def session(home: Source) -> modules.Module | None:
    """All cells that define or import something, as one module.

    It tells what functions change for others, and what is imported.
    """
    family = _family(home.path)
    entries = ((n, e) for n, e in list(linecache.cache.items()) if len(e) == 4)
    every = (lines for n, (_, _, lines, _) in entries if _family(n) == family)
    defining = ("".join(lines) for lines in every if any(DEFINES.search(line) for line in lines))
    return _joined((*defining, home.text))


def with_imports(cell: modules.Module, session: modules.Module) -> modules.Module:
    """A cell that knows what others import, where it has no other thing of that name."""
    others = session.names.items()
    known = {name: entry for name, entry in others if isinstance(entry, states.IMPORTED)}
    return replace(cell, names=MappingProxyType({**known, **cell.names}))


@lru_cache(maxsize=4)
def _joined(texts: tuple[str, ...]) -> modules.Module | None:
    return modules.parse(Source("", "", "\n".join(dict.fromkeys(texts))))[0]


def _functions(thing: object) -> Iterator[object]:
    """A function, or those of a class."""
    yield from list(vars(thing).values()) if isinstance(thing, type) else (thing,)


def _text_of(thing: object) -> str:
    """The name of the text that a function was compiled from; nothing for other things."""
    written = primal.written(thing)
    return written.__code__.co_filename if isinstance(written, FunctionType) else ""


def _without_functions(home: str) -> Iterator[str]:
    """The names of cells of the same session that define nothing, the newest first."""
    family = _family(home)
    for name, entry in reversed(list(linecache.cache.items())):
        is_beside = _family(name) == family
        if is_beside and len(entry) == 4 and not any("def " in line for line in entry[2]):
            yield name
