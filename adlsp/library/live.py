"""Names as they are in the running program: the resolver for live functions.

It asks the text first, as the static resolver does, and then looks whether the program agrees: the
two ways give the same derivative for the same function, and where a program has rebound a name (a
notebook, a monkey patch) the program is right.
"""

from __future__ import annotations

import builtins
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from itertools import chain
from types import FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

from adlsp import workspace
from adlsp.library import cells, codes, unread, unwrap
from adlsp.library.ground import MISSING, Ground, Namespace, Value
from adlsp.transform import ir
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import (
    bindings,
    compiled,
    decorators,
    imports,
    modules,
    resolve,
    states,
    wrappers,
)
from adlsp.transform.frontend.closures import LOCALS
from adlsp.transform.frontend.resolve import (
    OWN,
    RUNTIME,
    Binding,
    Definition,
    StaticResolver,
    WrittenClass,
    WrittenTable,
)
from adlsp.transform.rules import table
from adlsp.transform.source import Source
from adlsp.transform.values import lattice
from adlsp.workspace import Workspace

Abstraction = Callable[[str, Value], "tuple[lattice.Value, Callable[[Value], bool]] | None"]


class LiveResolver:
    """Resolves names for one live function and all that it calls."""

    root: Definition | None = None

    own: Definition | None = None
    """The definition of the very function, also where it is around another one."""

    abstraction: Abstraction | None = None
    """What tells what an object is, or a function that keeps something, and what is like it."""

    def __init__(self, function: FunctionType, owner: type | None = None) -> None:
        path = function.__code__.co_filename
        self.workspace = Workspace()
        self._open(self._source(function, path), path, function.__module__)
        if self.source is not None:
            self._enter(self.source, function.__globals__)
            self.own = definition = self._define(function, self.source)
            if definition is not None:
                self._start(function, definition, self._class(function, owner))

    def _open(self, source: Source | None, path: str, home: str) -> None:
        """Starts from a text."""
        self.source, self.home = source, home
        self.dotted: str = ""
        self.ground = Ground()
        self.static = self._static(path)
        self.namespaces: dict[str, Namespace] = {}
        self.functions: dict[str, Definition] = {}
        self.methods: set[str] = set()
        self.classes: dict[str, type] = {}
        self.held_by_modules: dict[str, lattice.Value] = {}
        self._session: tuple[modules.Module | None] | None = None

    def _enter(self, source: Source, namespace: Namespace) -> None:
        """Makes the variables of a text known."""
        self.namespaces[source.module] = namespace
        if source.is_cell:
            self.ground.note_texts(partial(cells.declaring, source, namespace))

    def _class(self, function: FunctionType, owner: type | None) -> str:
        """The dotted name of the class that a method was looked up in; none of a local class."""
        if owner is None or self.source is None or LOCALS in owner.__qualname__:
            return ""
        is_near = owner.__module__ == function.__module__
        home = self.source.module if is_near else owner.__module__
        self.classes[f"{home}.{owner.__qualname__}"] = owner
        return f"{home}.{owner.__qualname__}"

    def _start(self, function: FunctionType, definition: Definition, owner: str) -> None:
        """Starts from a function, which a decorator may have put around another one."""
        named, self.root = definition, replace(definition, owner=owner)
        for cell in function.__closure__ or ():
            held = unwrap.held(cell)
            source = None if held is None else self._source(held, held.__code__.co_filename)
            inner = None if held is None or source is None else self._define(held, source)
            found = None if inner is None else wrappers.wrapper(inner, self)
            if held is None or source is None or inner is None or found is None:
                continue
            if found.is_in_place_of(definition):
                self.namespaces.setdefault(source.module, held.__globals__)
                named, self.root = inner, found
        named = replace(named, owner=owner)
        self.dotted = named.dotted
        self.functions[self.dotted] = named

    def text(self, path: str) -> Source | None:
        """The text of a file or a cell, as it was when it was read."""
        try:
            return self.workspace.source(path)
        except OSError:
            home = "__main__" if self.source is None else self.source.module
            return cells.cell(path, home, self.namespace(home) or {})

    def _source(self, function: FunctionType, path: str) -> Source | None:
        """The text that a function was compiled from: its file, or what a console remembers."""
        try:
            return self.workspace.source(path)
        except OSError:
            return cells.cell(path, function.__module__ or "__main__", function.__globals__)

    def _static(self, path: str) -> StaticResolver:
        """The resolver for texts: files import as files do, and cells what the program has."""
        if self.source is None or not self.source.is_cell:
            return self.workspace.resolver(path)
        return self.workspace.resolver_by(self._find, self._imported, cache(self._read))

    def _read(self, source: Source) -> workspace.Parsed:
        """The module in a text; that of a cell knows what others import."""
        module, found = self.workspace.parsed(source)
        session = self._session_of(source) if source.is_cell and module is not None else None
        if module is None or session is None:
            return module, found
        return cells.with_imports(module, session), found

    def _find(self, module: str) -> Source | None:
        """A user's module as a session finds it; cells are no text that is the whole of theirs."""
        if self.source is not None and module == self.source.module:
            return None
        loaded = sys.modules.get(module)
        if loaded is None:
            return self.workspace.find(module, os.path.join(os.getcwd(), "cell.py"))
        path = getattr(loaded, "__file__", None)
        if not path or workspace.is_installed(path):
            return None
        try:
            return replace(self.workspace.source(path), module=module)
        except OSError:
            return None

    def _imported(self, source: Source) -> tuple[Source, ...]:
        """The user's modules that a module imports; other cells, and what they import, for one.

        What is imported by one cell is so for all, and is told of the one that is asked about.
        """
        if not source.is_cell:
            return self.workspace.imported(source)
        if self.source is not None and self.source.is_cell and source != self.source:
            return ()
        space = self.namespace(source.module) or {}
        session = self._session_of(source)
        texts = (source,) if session is None else (source, session.source)
        named = dict.fromkeys(chain(*map(imports.modules, texts), cells.imported(space)))
        own = (module for module in named if module.partition(".")[0] != OWN)
        found = [other for other in map(self._find, own) if other is not None]
        return (*cells.beside(source, space), *found)

    def _define(self, function: FunctionType, source: Source) -> Definition | None:
        """The definition of a function in a text, where the text is still what was compiled."""
        module, _ = self.parsed(source)
        if module is None:
            return None
        code = function.__code__
        if not function.__closure__:
            self.ground.note_function(function)
        place = compiled.place(code, module)
        if place is not None and place.is_inner:
            found = resolve.inner(module, place.path)
        else:
            node = module.function_at(code.co_name, code.co_firstlineno)
            found = None if node is None else Definition(source, node)
        if found is not None and codes.is_code_of(code, found, module):
            return found
        moved = _named(function, module)
        return moved if moved is not None and codes.is_moved(code, moved, module) else None

    def parsed(self, source: Source) -> tuple[modules.Module | None, tuple[Diagnostic, ...]]:
        """The module in a text, and its syntax errors."""
        return self.static.parsed(source)

    def name(self, source: Source, name: str) -> Binding:
        """What the global `name` means, in the text and in the program."""
        found = self._meant(source, name)
        if source.is_cell and found.dotted == f"{source.module}.{name}":
            return replace(found, state=self._state(source, name, is_value=found.kind == "value"))
        return found

    def _state(self, source: Source, name: str, *, is_value: bool) -> ir.State | None:
        """Whether functions of a session bind or change a variable, in whichever cell they are.

        Of a class or function they may set attributes.
        """
        session = self._session_of(source)
        if session is None:
            return None
        if not is_value:
            return "changed" if name in session.owners else None
        return states.of_module(session.parsed, session.source.lines, [name], session.names).get(
            name
        )

    def _session_of(self, source: Source) -> modules.Module | None:
        if self._session is None:
            self._session = (cells.session(source),)
        return self._session[0]

    def _meant(self, source: Source, name: str) -> Binding:
        written = self.static.name(source, name)
        namespace = self.namespace(source.module)
        if namespace is None:
            return written
        self.ground.note_name(namespace, name)
        thing = namespace.get(name, getattr(builtins, name, MISSING))
        if thing is MISSING:  # perhaps only so far: its definition stands further below
            return written
        own = f"{source.module}.{name}"
        self._note_variable(source, name, namespace)
        is_told = written.kind != "missing" and self.thing(written.dotted) is thing
        if is_told and source.is_cell and written.dotted == own:  # what it imports may be elsewhere
            return self.meaning(thing, own)
        if is_told and written == Binding("value", own) and callable(thing):
            known = self._of_library(thing)
            return Binding("value", own) if known is None else resolve.of_library(known)
        if isinstance(thing, ModuleType) and written.kind == "value":  # a star has brought it
            return self.meaning(thing, own)
        is_said = written.kind != "function" or isinstance(unwrap.unwrapped(thing), FunctionType)
        if is_told:
            return written if is_said else Binding("value", written.dotted)
        return self.meaning(thing, own)

    def _note_variable(self, source: Source, name: str, namespace: Namespace) -> None:
        """Remembers what function a variable holds now that a text assigns: it may be exchanged."""
        module = self.parsed(source)[0]
        match None if module is None else module.names.get(name):
            case bindings.Assigned():
                is_assigned = True
            case bindings.ImportedName(module=home, name=own):
                other = self._loaded(home)
                known = None if other is None else self.parsed(other)[0]
                entry = None if known is None else known.names.get(own)
                is_assigned = isinstance(entry, bindings.Assigned)
            case _:
                is_assigned = False
        if is_assigned and callable(namespace.get(name)):
            self.ground.note_function_of(namespace, name)

    def attribute(self, binding: Binding, attribute: str) -> Binding:
        """What `attribute` of a module or class means; missing for attributes of a user's value."""
        joined = f"{binding.dotted}.{attribute}"
        if binding.kind == "value" and self._is_of_session(binding.dotted):
            return Binding("missing", joined)
        if binding.kind == "module" and self.source is not None and self._is_of_session(joined):
            return self.name(self.source, attribute)
        source = self._loaded(binding.dotted) if binding.kind == "module" else None
        if source is not None and attribute in (self.namespace(source.module) or {}):
            return self.name(source, attribute)
        return self.static.attribute(binding, attribute)

    def _loaded(self, module: str) -> Source | None:
        """The text of a user's module that the program has loaded."""
        path = (self.namespace(module) or {}).get("__file__")
        if not path or module.partition(".")[0] == OWN or workspace.is_installed(path):
            return None
        source = self.text(path)
        return None if source is None else replace(source, module=module)

    def _is_of_session(self, dotted: str) -> bool:
        """Tells whether something is a variable of cells, whose texts are not in a file."""
        module, _, name = dotted.rpartition(".")
        is_own = self.source is not None and self.source.is_cell and module == self.source.module
        return is_own and name not in resolve.MODULE_VARIABLES

    def definition(self, dotted: str) -> Definition | None:
        """The definition of a function, if the text is still what the program runs."""
        if dotted in self.functions:
            return self.functions[dotted]
        found = self.static.definition(dotted)
        if found is None and (LOCALS in dotted or ir.LAMBDA in dotted):
            found = self._inner(dotted)
        owner, _, name = dotted.rpartition(".")
        self._note(dotted)
        thing = unwrap.unwrapped(self.thing(dotted))
        if owner in self.classes and (found is not None or callable(thing)):
            self.methods.add(name)
        thing = thing.__func__ if isinstance(thing, MethodType) else thing
        thing = thing.fget if isinstance(thing, property) else thing
        own = self._decorated_in_cells(dotted, thing) if self._is_of_session(dotted) else None
        if found is None and own is not None and not decorators.are_transparent(own, self):
            found = own
        if thing is MISSING or (found and not decorators.are_transparent(found, self)):
            return None if self._keeps_other_default(thing) else found
        if not isinstance(thing, FunctionType):
            return None
        self.ground.note_function(thing)
        is_found = found is not None and codes.is_code_of(
            thing.__code__, found, self.parsed(found.source)[0]
        )
        if is_found and found is not None and self.other_default(thing, found):
            return None
        found = found if is_found else self.of_function(thing, dotted)
        if found is not None and owner in self.classes:
            found = replace(found, owner=owner)
            if dotted in self.functions:
                self.functions[dotted] = found
        return found

    def other_default(self, function: FunctionType, written: Definition) -> str:
        """A default of which the text now tells another value than the function has: `k=SCALE`.

        Python has computed it where the function was defined. That it is the same is remembered.
        """
        for parameter, text, held in codes.defaults(function, written):
            is_meant = partial(codes.is_meant, held, text, function.__globals__)
            if not is_meant():
                return f"{parameter}={text}"
            self.ground.note_default(function, parameter, is_meant)
        return ""

    def _keeps_other_default(self, thing: object) -> bool:
        """Tells whether a function that something is, or keeps, has such a default."""
        for each in unwrap.beneath(thing):
            if each.__defaults__ or each.__kwdefaults__:
                source = self._source(each, each.__code__.co_filename)
                found = None if source is None else self._define(each, source)
                if found is not None and self.other_default(each, found):
                    return True
        return False

    def is_decorated(self, own: Definition) -> bool:
        """Tells whether decorators are around a function that a name stands for."""
        found = self.static.definition(own.dotted) or self._decorated_in_cells(
            own.dotted, self.thing(own.dotted)
        )
        is_own = found is not None and found.is_in_place_of(own) and found.line == own.line
        return is_own and not decorators.are_transparent(own, self)

    def _decorated_in_cells(self, dotted: str, thing: object) -> Definition | None:
        """A function of a session that decorators may be around, as the newest cell defines it."""
        module, _, name = dotted.rpartition(".")
        codes_beneath = [each.__code__ for each in unwrap.beneath(thing)]
        if not codes_beneath or self.source is None:
            return None
        for source in cells.newest(self.source, self.namespace(module) or {}):
            known = self.parsed(source)[0]
            entry = None if known is None else known.names.get(name)
            if isinstance(entry, bindings.DefinedFunction):
                found = Definition(source, entry)
                is_code = any(codes.is_code_of(each, found, known) for each in codes_beneath)
                return found if is_code else None
        return None

    def _inner(self, dotted: str) -> Definition | None:
        """A function inside others, or a lambda, of a module that the program has loaded."""
        home = next((each for each in _homes(dotted) if self.namespace(each) is not None), "")
        space = self.namespace(home) or {}
        path, inside = str(space.get("__file__") or ""), dotted.removeprefix(f"{home}.")
        is_own = self.source is not None and self.source.module == home
        if is_own and self.source is not None and self.source.is_cell:
            return self._inner_of_cells(inside, cells.newest(self.source, space))
        source = self.source if is_own else self.text(path) if path else None
        if source is None:
            return None
        self.namespaces.setdefault(home, space)
        found = resolve.inner(self.parsed(source)[0], inside)
        return None if found is None else replace(found, source=replace(source, module=home))

    def _inner_of_cells(self, path: str, every: Iterator[Source]) -> Definition | None:
        """A function inside others in one of several cells, where no two have different ones."""
        found = [resolve.inner(self.parsed(source)[0], path) for source in every]
        known = [each for each in found if each is not None]
        texts = {each.source.slice(each.span) for each in known}
        return known[0] if len(texts) == 1 else None

    def class_of(self, dotted: str) -> WrittenClass | None:
        """The class of that name in the text of a module, or of a cell."""
        self._note(dotted)
        return self._class_of_cell(dotted) or self.static.class_of(dotted)

    def _class_of_cell(self, dotted: str) -> WrittenClass | None:
        """A class that a session has, in the newest cell that defines one like it."""
        thing = self.thing(dotted) if self._is_of_session(dotted) else MISSING
        if not isinstance(thing, type) or self.source is None:
            return None
        module, _, name = dotted.rpartition(".")
        for source in cells.newest(self.source, self.namespace(module) or {}):
            known = self.parsed(source)[0]
            entry = None if known is None else known.names.get(name)
            if isinstance(entry, bindings.DefinedClass):
                if not codes.is_class_of(thing, compiled.class_text(entry.tree), source.path):
                    return None
                self.classes[dotted] = thing
                return source, entry.tree
        return None

    def order(self, dotted: str) -> tuple[str, ...]:
        """A class and those above it, in the order in which Python looks names up."""
        self._note(dotted)
        if self.class_of(dotted) is None or dotted not in self.classes:
            return self.static.order(dotted)
        thing = self.classes[dotted]
        above = [f"{each.__module__}.{each.__qualname__}" for each in thing.__mro__[1:-1]]
        return (dotted, *above)

    def table_of(self, dotted: str) -> WrittenTable | None:
        """The dictionary, list or tuple of names that a variable holds, as the program has it."""
        self._note(dotted)
        home, _, name = dotted.rpartition(".")
        found, thing = self.static.table_of(dotted), self.thing(dotted)
        if found is None and (written := self._class_of_cell(home)) is not None:
            found = self.static.table_of_class(written, home, name)
        space = None if found is None else self.namespace(found.source.module)
        if found is not None and found.kind is staticmethod:
            thing = vars(self.thing(home)).get(name, MISSING)
        if found is None or space is None or type(thing) is not found.kind:
            return None
        now = dict(_entries(thing))
        for key, text in found.entries:
            if key not in now or not self._is_meant(now[key], text, found.source, space):
                return None
        if len(now) != len(found.entries):
            return None
        owner = self.namespace(home) or vars(self.thing(home))
        self.ground.note_value(owner, name, partial(_is_as_it_was, found.kind, now))
        return found

    def held(self, dotted: str) -> lattice.Value | None:
        """What a variable of a module holds: an object, or a function that keeps something."""
        home, _, name = dotted.rpartition(".")
        space = self.namespace(home)
        is_new = space is not None and name in space and dotted not in self.held_by_modules
        is_new = is_new and not self._is_of_installed(dotted)
        is_new = is_new and space is not None and not self._keeps_other_default(space[name])
        if is_new and dotted == self.dotted and unwrap.derivative(space and space[name]):
            return None  # what a decorator makes of the root: nothing that it reads
        if is_new and space is not None and self.abstraction is not None:
            found = self.abstraction(dotted, space[name])
            if found is not None:
                self.held_by_modules[dotted], accepts = found
                self.ground.note_value(space, name, accepts)
        return self.held_by_modules.get(dotted)

    def _is_of_installed(self, dotted: str) -> bool:
        """Tells whether a decorator of a package, or of Python, is around a function."""
        thing = self.thing(dotted)
        found = self.static.definition(dotted) or self._decorated_in_cells(dotted, thing)
        around = (each.__code__.co_filename for each in unwrap.beneath(thing))
        return found is not None and any(map(workspace.is_installed, around))

    def initializer(self, dotted: str) -> Definition | None:
        """The statements that say what a variable holds, where the program itself does not tell.

        So it is of what a function of a library has made, which is followed by another text.
        """
        kind = type(self.thing(dotted))
        if f"{kind.__module__}.{kind.__qualname__}" not in resolve.HAVING:
            return None
        self._note(dotted)
        return self.static.initializer(dotted)

    def _is_meant(self, thing: object, text: str, source: Source, space: Namespace) -> bool:
        """Tells whether something is what an entry of a table in a text stands for."""
        if ir.LAMBDA in text:
            written = self.static.definition(f"{source.module}.{text}")
            return (
                isinstance(thing, FunctionType)
                and written is not None
                and codes.is_code_of(thing.__code__, written, self.parsed(source)[0])
            )
        head, *attributes = text.split(".")
        meant = _followed(space.get(head, getattr(builtins, head, MISSING)), attributes)
        return thing is meant

    def written(self, dotted: str) -> Definition | None:
        """The definition that the text has of a function, whatever the program made of it."""
        found = self.static.definition(dotted)
        return self.definition(dotted) if found is None and self._is_of_session(dotted) else found

    def unread(self, dotted: str) -> str:
        """Why a function of the program has no text to read, and what helps."""
        thing = unwrap.unwrapped(self.thing(dotted))
        if not isinstance(thing, FunctionType) or thing.__closure__ or self._is_foreign(thing):
            return ""
        return self.why_unread(thing)

    def why_unread(self, function: FunctionType) -> str:
        """Why a function has no text to read, and what helps; nothing where it has one."""
        source = self._source(function, function.__code__.co_filename)
        found = None if source is None else self._define(function, source)
        other = "" if found is None else self.other_default(function, found)
        if other:
            return unread.other_default(other)
        return "" if found is not None else unread.reason(function, source is not None)

    def _is_foreign(self, function: FunctionType) -> bool:
        """Tells whether a function is of a library that is known by rules, or ours."""
        if f"{function.__module__}.".startswith(RUNTIME):
            return True
        home = (function.__module__ or "").partition(".")[0]
        is_own = self.source is not None and self.source.module.partition(".")[0] == home
        return home in (*_FOREIGN, OWN) and not is_own

    def imports(self, source: Source) -> tuple[Source, ...]:
        """The user's modules that a module imports, in the order of its text."""
        return self.static.imports(source)

    # the program

    def namespace(self, module: str) -> Namespace | None:
        """The variables of a module, if the program has loaded it."""
        if module in self.namespaces:
            return self.namespaces[module]
        loaded = sys.modules.get(module)
        if loaded is None and module == started():
            self.namespaces[module] = vars(sys.modules["__main__"])
            return self.namespaces[module]
        return None if loaded is None else vars(loaded)

    def _note(self, dotted: str) -> None:
        """Remembers what a dotted name means now."""
        module, _, name = dotted.rpartition(".")
        namespace = self.namespace(module)
        if namespace is not None:
            self.ground.note_name(namespace, name)
            return
        kind = self.thing(module)
        if isinstance(kind, type):
            self.ground.note_attribute(kind, name)

    def thing(self, dotted: str) -> object:
        """What a dotted name stands for in the program."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            module = ".".join(parts[:end])
            if module in self.classes:  # of an object: its name may have gone to another class
                return _followed(self.classes[module], parts[end:])
            if module == "builtins" or self.namespace(module) is not None:
                found: object = MISSING
                if end == len(parts):
                    found = sys.modules.get(module, MISSING)
                else:
                    space = vars(builtins) if module == "builtins" else self.namespace(module)
                    assert space is not None
                    found = space.get(parts[end], MISSING)
                    if found is MISSING and module in sys.modules:
                        found = _made_late(sys.modules[module], parts[end])
                return _followed(found, parts[end + 1 :])
        return MISSING

    def meaning(self, thing: object, otherwise: str) -> Binding:
        """The dotted name of a thing of the program; `otherwise` is where it was found."""
        if isinstance(thing, ModuleType):
            return Binding("module", _public(thing.__name__))
        known = self._of_library(thing)
        if known is not None:
            return resolve.of_library(known)
        if isinstance(thing, type):
            return Binding("class", otherwise)
        if isinstance(thing, FunctionType):
            own = f"{thing.__module__}.{thing.__qualname__}"
            is_elsewhere = thing.__module__ not in (self.home, "__main__")
            dotted = own if is_elsewhere and self.thing(own) is thing else otherwise
            if self.of_function(thing, dotted) is not None or self.unread(dotted):
                return Binding("function", dotted)
        return Binding("value", otherwise)

    def _of_library(self, thing: object) -> str | None:
        """The dotted name by which rules, or the front end, know a thing of a library."""
        name, home = getattr(thing, "__name__", None), getattr(thing, "__module__", None)
        if not isinstance(name, str):
            return None
        homes = [".".join(parts) for parts in _prefixes(home)] if isinstance(home, str) else []
        top = homes[0] if homes else ""
        own = [*homes, f"{OWN}.rules", RUNTIME[:-1]] if top == OWN else []
        foreign = homes if top in _FOREIGN and isinstance(thing, FunctionType) else []
        candidates = (
            *_named_so(name),
            *(f"{each}.{name}" for each in (*own, *foreign, "numpy", "math", "builtins")),
        )
        return next((each for each in candidates if self.thing(each) is thing), None)

    def of_function(self, function: FunctionType, dotted: str) -> Definition | None:
        """The definition of another function of the program, under the name that leads to it.

        NumPy and SciPy are known by rules: what has none is not followed into their texts. What a
        closure has captured, as that of a decorator, its text does not tell.
        """
        if {*function.__code__.co_freevars} - {"__class__"}:  # which `super()` reads
            return None
        source = self._source(function, function.__code__.co_filename)
        if source is None or self._is_foreign(function):
            return None
        definition = self._define(function, source)
        if definition is not None and self.other_default(function, definition):
            return None
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

        def loaded(name: str) -> Value:
            return _Linked(spaces, name, name) if name in spaces else import_module(name)

        def linked(
            name: str,
            space: Namespace | None = None,
            local: Namespace | None = None,
            taken: Sequence[str] | None = None,
            level: int = 0,
        ) -> Value:
            wanted = f"{name}.{taken[0]}" if taken else name
            if wanted == "importlib.import_module":  # for names that no statement can say
                return SimpleNamespace(import_module=loaded)
            if wanted in spaces:
                return _Linked(spaces, name if taken else name.partition(".")[0], wanted)
            if taken and name in spaces:
                return _Linked(spaces, name, name)
            return builtins.__import__(name, space, local, taken or (), level)

        return linked


def _made_late(module: ModuleType, name: str) -> object:
    """What a module makes when it is asked for it; it may warn of old names, which nobody wants."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(module, name, MISSING)


def _is_as_it_was(kind: type, entries: Mapping[object, object], now: Value) -> bool:
    """Tells whether a table is of a kind and has the entries that it had, in their order."""
    held = [*_entries(now)] if type(now) is kind else None
    if held is None or len(held) != len(entries):
        return False
    pairs = zip(held, entries.items(), strict=True)
    return all(key == k and entry is e for (key, entry), (k, e) in pairs)


def _entries(table: Value) -> Iterator[tuple[object, object]]:
    """The keys, or places, of a table, and what stands there; a static method has one function."""
    if isinstance(table, staticmethod | ModuleType):
        table = [table.__func__ if isinstance(table, staticmethod) else table]
    return iter(table.items() if isinstance(table, dict) else enumerate(table))


class CellResolver(LiveResolver):
    """Resolves names for a cell that has not run yet: what its text binds is what that says."""

    def __init__(self, source: Source, namespace: Namespace) -> None:
        self.workspace = Workspace()
        self._open(source, source.path, source.module)
        self._enter(source, namespace)
        module = self.static.parsed(source)[0]
        self._own = frozenset(() if module is None else module.names)

    def name(self, source: Source, name: str) -> Binding:
        """What the global `name` means, as soon as the cell has run."""
        is_own = source == self.source and name in self._own
        return self.static.name(source, name) if is_own else super().name(source, name)

    def definition(self, dotted: str) -> Definition | None:
        """The definition of a function, in the cell or in the program."""
        module, _, name = dotted.rpartition(".")
        is_own = module == self.home and name in self._own
        return self.static.definition(dotted) if is_own else super().definition(dotted)

    def _find(self, module: str) -> Source | None:
        return self.source if module == self.home else super()._find(module)


def started() -> str:
    """The name by which the module that was started could be imported; none without a file."""
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    return _module_name(path) if path else ""


@cache
def _module_name(path: str) -> str:
    return Workspace().module_name(path)


_FOREIGN = ("numpy", "scipy", "tensorflow", "math", "dataclasses")


def _homes(dotted: str) -> Iterator[str]:
    """The modules that a function inside others may stand in, the innermost first."""
    parts = dotted.partition(LOCALS)[0].partition(ir.LAMBDA)[0].strip(".").split(".")
    return (".".join(parts[:end]) for end in range(len(parts), 0, -1))


def _followed(thing: object, attributes: Sequence[str]) -> object:
    for attribute in attributes:
        thing = MISSING if thing is MISSING else getattr(thing, attribute, MISSING)
    return thing


def _prefixes(dotted: str) -> Iterator[list[str]]:
    """The packages of a module, the outermost first, and the module."""
    parts = dotted.split(".")
    return (parts[:end] for end in range(1, len(parts) + 1))


def _public(module: str) -> str:
    """The name of a module as people write it: TensorFlow's are elsewhere than they seem."""
    return module.replace("tensorflow._api.v2", "tensorflow", 1)


def _named_so(name: str) -> tuple[str, ...]:
    """The functions with built-in rules that have a name, by their dotted names."""
    return _by_name("tensorflow" in sys.modules).get(name, ())


@cache
def _by_name(of_all: bool) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for dotted in table.load().names(of_all=of_all):
        found.setdefault(dotted.rpartition(".")[2], []).append(dotted)
    return {name: tuple(every) for name, every in found.items()}


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


def _named(function: FunctionType, module: modules.Module) -> Definition | None:
    """The definition that a module has by the name of a function."""
    match module.names.get(function.__qualname__):
        case bindings.DefinedFunction() as entry:
            return Definition(module.source, entry)
    return resolve.inner(module, function.__qualname__)
