"""Names as they are in the running program: the resolver for live functions.

It asks the text first, as the static resolver does, and then looks whether the program agrees: the
two ways give the same derivative for the same function, and where a program has rebound a name (a
notebook, a monkey patch) the program is right.
"""

from __future__ import annotations

import builtins
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from adlsp import primal
from adlsp.transform.findings.vocabulary import Found
from adlsp.transform.frontend import decorators, modules
from adlsp.transform.frontend.resolve import Binding, Definition, StaticResolver
from adlsp.transform.source import Source
from adlsp.workspace import Workspace

Value = Any
"""Whatever a program has."""

Namespace = Mapping[str, Any]

MISSING = object()


class LiveResolver:
    """Resolves names for one live function and all that it calls."""

    def __init__(self, function: FunctionType) -> None:
        self.workspace = Workspace()
        path = function.__code__.co_filename
        self.source = self._source(function, path)
        self.static: StaticResolver = self.workspace.resolver(path)
        self.namespaces: dict[str, Namespace] = {}
        self.functions: dict[str, Definition] = {}
        self.dotted = ""
        if self.source is not None:
            self.namespaces[self.source.module] = function.__globals__
            definition = self._define(function, self.source)
            if definition is not None:
                self.dotted = f"{self.source.module}.{function.__name__}"
                self.functions[self.dotted] = definition

    def _source(self, function: FunctionType, path: str) -> Source | None:
        """The text that a function was compiled from: its file, or what a console remembers."""
        try:
            return self.workspace.source(path)
        except OSError:
            lines = linecache.getlines(path, function.__globals__)
            return (
                Source(path, function.__module__ or "__main__", "".join(lines)) if lines else None
            )

    def _define(self, function: FunctionType, source: Source) -> Definition | None:
        """The definition of a function in a text, where the text is still what was compiled."""
        module, _ = self.parsed(source)
        if module is None:
            return None
        code = function.__code__
        node = module.function_at(code.co_name, code.co_firstlineno)
        found = None if node is None else Definition(source, node)
        return found if found is not None and _is_code_of(code, found) else None

    def parsed(self, source: Source) -> tuple[modules.Module | None, tuple[Found, ...]]:
        """The module in a text, and its syntax errors."""
        return self.static.parsed(source)

    def name(self, source: Source, name: str) -> Binding:
        """What the global `name` means, in the text and in the program."""
        written = self.static.name(source, name)
        namespace = self.namespace(source.module)
        if namespace is None:
            return written
        thing = namespace.get(name, getattr(builtins, name, MISSING))
        if thing is MISSING:  # perhaps only so far: its definition stands further below
            return written
        is_said = written.kind != "function" or isinstance(unwrapped(thing), FunctionType)
        if self.thing(written.dotted) is thing:
            return written if is_said else Binding("value", written.dotted)
        return self.meaning(thing, f"{source.module}.{name}")

    def attribute(self, binding: Binding, attribute: str) -> Binding:
        """What `attribute` of a module or class means."""
        return self.static.attribute(binding, attribute)

    def definition(self, dotted: str) -> Definition | None:
        """The definition of a function, if the text is still what the program runs."""
        if dotted in self.functions:
            return self.functions[dotted]
        found = self.static.definition(dotted)
        thing = unwrapped(self.thing(dotted))
        if thing is MISSING or (found and not decorators.are_transparent(found, self)):
            return found
        if not isinstance(thing, FunctionType):
            return None
        is_found = found is not None and _is_code_of(thing.__code__, found)
        return found if is_found else self.of_function(thing, dotted)

    def written(self, dotted: str) -> Definition | None:
        """The definition that the text has of a function, whatever the program made of it."""
        return self.static.definition(dotted)

    def imports(self, source: Source) -> tuple[Source, ...]:
        """The user's modules that a module imports, in the order of its text."""
        return self.static.imports(source)

    # the program

    def namespace(self, module: str) -> Namespace | None:
        """The variables of a module, if the program has loaded it."""
        if module in self.namespaces:
            return self.namespaces[module]
        loaded = sys.modules.get(module)
        return None if loaded is None else vars(loaded)

    def thing(self, dotted: str) -> object:
        """What a dotted name stands for in the program."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            module = ".".join(parts[:end])
            if module == "builtins" or self.namespace(module) is not None:
                found: object = MISSING
                if end == len(parts):
                    found = sys.modules.get(module, MISSING)
                else:
                    space = vars(builtins) if module == "builtins" else self.namespace(module)
                    assert space is not None
                    found = space.get(parts[end], MISSING)
                    if found is MISSING and module in sys.modules:
                        found = getattr(sys.modules[module], parts[end], MISSING)
                for part in parts[end + 1 :]:
                    found = getattr(found, part, MISSING)
                return found
        return MISSING

    def meaning(self, thing: object, otherwise: str) -> Binding:
        """The dotted name of a thing of the program; `otherwise` is where it was found."""
        if isinstance(thing, ModuleType):
            return Binding("module", thing.__name__)
        if isinstance(thing, FunctionType):
            dotted = f"{thing.__module__}.{thing.__qualname__}"
            if self.thing(dotted) is thing and thing.__module__.partition(".")[0] in _FOREIGN:
                return Binding("value", dotted)
            if self.of_function(thing, otherwise) is not None:
                return Binding("function", otherwise)
        for module in ("numpy", "math", "builtins"):
            name = getattr(thing, "__name__", None)
            if isinstance(name, str) and self.thing(f"{module}.{name}") is thing:
                return Binding("value", f"{module}.{name}")
        return Binding("value", otherwise)

    def of_function(self, function: FunctionType, dotted: str) -> Definition | None:
        """The definition of another function of the program, under the name that leads to it.

        NumPy and SciPy are known by rules: what has none is not followed into their texts. What a
        closure has captured, as that of a decorator, its text does not tell.
        """
        if function.__closure__:
            return None
        source = self._source(function, function.__code__.co_filename)
        home = (function.__module__ or "").partition(".")[0]
        is_own = self.source is not None and self.source.module.partition(".")[0] == home
        if source is None or (home in _FOREIGN and not is_own):
            return None
        definition = self._define(function, source)
        if definition is not None:
            self.functions[dotted] = definition
            self.namespaces.setdefault(source.module, function.__globals__)
        return definition

    def importer(self) -> Callable[..., Any]:
        """The `__import__` for a derivative: it finds the modules of the program as they are."""
        spaces = {
            module: space
            for module, space in self.namespaces.items()
            if module not in sys.modules or vars(sys.modules[module]) is not space
        }

        def linked(
            name: str,
            space: Namespace | None = None,
            local: Namespace | None = None,
            taken: Sequence[str] | None = None,
            level: int = 0,
        ) -> Value:
            wanted = f"{name}.{taken[0]}" if taken else name
            if wanted in spaces:
                return _Linked(spaces, name if taken else name.partition(".")[0], wanted)
            if taken and name in spaces:
                return _Linked(spaces, name, name)
            return builtins.__import__(name, space, local, taken or (), level)

        return linked


_FOREIGN = ("numpy", "scipy", "math")


class _Linked:
    """A module that no import would find, such as `__main__` under its file's name."""

    def __init__(self, spaces: Mapping[str, Namespace], name: str, wanted: str) -> None:
        self._spaces = spaces
        self._name = name
        self._wanted = wanted

    def __getattr__(self, attribute: str) -> Value:
        joined = f"{self._name}.{attribute}"
        if self._name != self._wanted and self._wanted.startswith(joined):
            return _Linked(self._spaces, joined, self._wanted)
        try:
            return self._spaces[self._name][attribute]
        except KeyError:
            raise AttributeError(f"no {attribute!r} in {self._name!r}") from None


def unwrapped(thing: object) -> object:
    """The function that a cache of functools or a compiler of numba was put around.

    Other objects may keep a function in the same attributes, and compute something else with it.
    """
    kind = type(thing)
    if isinstance(thing, _CACHE):
        inner = getattr(thing, "__wrapped__", None)
    elif kind.__module__.startswith(_COMPILERS):
        inner = getattr(thing, "py_func", None)
    else:
        return primal.written(thing)
    return primal.written(inner) if isinstance(inner, FunctionType) else thing


_CACHE = type(lru_cache(int))
_COMPILERS = "numba.core."


def _is_code_of(code: CodeType, definition: Definition) -> bool:
    """Tells whether a definition was compiled to a code object, by place, signature and code.

    The code of a function with an assert does not count: test runners rewrite it.
    """
    node = definition.node
    starts = [node.lineno, *(d.lineno for d in node.decorator_list)]
    names = [a.id for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    n_named = code.co_argcount + code.co_kwonlyargcount
    return (
        node.name == code.co_name
        and min(starts) == code.co_firstlineno
        and names == list(code.co_varnames[:n_named])
        and (_is_current(code, definition.source) or definition.has_assert)
    )


def _is_current(code: CodeType, source: Source) -> bool:
    """Tells whether a text still says what was compiled: files change while programs run."""
    for made in _codes(source.text, code.co_filename):
        if made.co_name == code.co_name and made.co_firstlineno == code.co_firstlineno:
            return made.co_code == code.co_code and _numbers(made) == _numbers(code)
    return True


@lru_cache(maxsize=64)
def _codes(text: str, path: str) -> tuple[CodeType, ...]:
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
