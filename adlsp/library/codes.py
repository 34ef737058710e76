"""The code objects of a text, and whether a definition in it is that of a function that runs.

The defaults of a function may be other ones than its text says: Python computes a default once,
where the function is defined, and the name in `k=SCALE` may have another value since.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from functools import cached_property, lru_cache
from types import CodeType, FunctionType

from adlsp.library import unwrap
from adlsp.library.ground import MISSING, Namespace, Value
from adlsp.transform.frontend import compiled, modules
from adlsp.transform.frontend.resolve import Definition


def is_code_of(code: CodeType, definition: Definition, module: modules.Module | None) -> bool:
    """Tells whether a definition was compiled to a code object, by place, signature and code.

    The code of a function with an assert does not count: test runners rewrite it.
    """
    is_lambda = code.co_name == compiled.LAMBDA and definition.home == definition.dotted
    if not (
        (is_lambda or definition.name == code.co_name)
        and definition.first_line == code.co_firstlineno
        and _has_signature(code, definition)
        and module is not None
    ):
        return False
    is_there = False
    for is_said in _says(code, definition, module):
        if is_said:
            return True
        is_there = True
    return not is_there or definition.has_assert


def is_moved(code: CodeType, definition: Definition, module: modules.Module) -> bool:
    """Tells whether a definition is that of a code object, though it stands in other lines.

    `%autoreload` leaves functions alone whose own text has not changed.
    """
    is_named = definition.name == code.co_name and _has_signature(code, definition)
    return is_named and any(_says(code, definition, module))


def defaults(function: FunctionType, definition: Definition) -> Iterator[tuple[str, str, Value]]:
    """The defaults that are written as names: parameter, text, and what the function has."""
    held, named = function.__defaults__ or (), function.__kwdefaults__ or {}
    for parameter, text, behind in compiled.default_names(definition.written.tree):
        if behind is None and parameter in named:
            yield parameter, text, named[parameter]
        elif behind is not None and behind < len(held):
            yield parameter, text, held[-1 - behind]


def is_meant(held: Value, text: str, space: Namespace) -> bool:
    """Tells whether a default is what its text stands for in a module now, if it is something."""
    head, *attributes = text.split(".")
    now = space.get(head, getattr(builtins, head, MISSING))
    for attribute in attributes:
        now = MISSING if now is MISSING else getattr(now, attribute, MISSING)
    is_equal = type(held) is type(now) and isinstance(held, PLAIN) and held == now
    return now is MISSING or held is now or is_equal


PLAIN = (bool, int, float, complex, str, bytes)
"""The types of which equal values are the same."""


def is_class_of(thing: type, written: compiled.ClassText, path: str) -> bool:
    """Tells whether a class of a text is one of the program: the same names, and where they stand.

    Its methods are compared with their texts when they are asked for.
    """
    own = vars(thing)
    fields = tuple(own.get("_fields", own.get("__annotations__", ())))
    if written.fields and not fields:  # below a call of `namedtuple`
        fields = tuple(getattr(thing, "_fields", ()))
    for name in written.methods:
        held = own.get(name)
        held = held.func if isinstance(held, cached_property) else held
        held = held.fget if isinstance(held, property) else getattr(held, "__func__", held)
        code = getattr(unwrap.unwrapped(held), "__code__", None)
        if code is None or code.co_filename != path or code.co_firstlineno not in written.lines:
            return False
    values = (name in fields or own.get(name) == value for name, value in written.values)
    return fields == written.fields and all(values)


def _has_signature(code: CodeType, definition: Definition) -> bool:
    n_named = code.co_argcount + code.co_kwonlyargcount
    return definition.named_parameters == code.co_varnames[:n_named]


def _says(code: CodeType, definition: Definition, module: modules.Module) -> Iterator[bool]:
    """For what a text has at a definition, whether it says what was compiled: files change.

    Consoles compile the statements of a cell one by one, `%autoreload` those of a module, and
    Python compiles a call of `np.sin` otherwise where it sees that `np` is imported.
    """
    place = code.co_name, definition.first_line
    for text in (module.source.text, statement(module, definition.line)):
        for made in every(text, code.co_filename):
            if (made.co_name, made.co_firstlineno) == place:
                yield made.co_code == code.co_code and _numbers(made) == _numbers(code)


def statement(module: modules.Module, line: int) -> str:
    """The top-level statement around a line, with as many lines before it as the text has."""
    lines = module.source.lines
    for node in module.parsed.body:
        decorators = getattr(node, "decorator_list", ())
        first = min((each.lineno for each in decorators), default=node.lineno)
        if first <= line <= (node.end_lineno or first):
            return "\n" * (first - 1) + "\n".join(lines[first - 1 : node.end_lineno])
    return ""


@lru_cache(maxsize=64)
def every(text: str, path: str) -> tuple[CodeType, ...]:
    """All functions of a text, compiled."""
    try:
        pending = [compile(text, path, "exec", dont_inherit=True)]
    except (SyntaxError, ValueError):
        return ()
    found = []
    while pending:
        code = pending.pop()
        found.append(code)
        pending += [c for c in code.co_consts if isinstance(c, CodeType)]
    return tuple(found)


def _numbers(code: CodeType) -> list[object]:
    return [c for c in code.co_consts if isinstance(c, int | float | complex)]


def of_one_file(code: CodeType) -> CodeType:
    """The same code, equal to none of another file: debuggers remember what they know by code."""
    constants = (
        of_one_file(each) if isinstance(each, CodeType) else each for each in code.co_consts
    )
    return code.replace(co_consts=(*constants, code.co_filename))
