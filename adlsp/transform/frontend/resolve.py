"""What a global name means: the one question that the static and the live way answer differently.

Both give *dotted names* (`np.tanh` is `numpy.tanh`). The static resolver reads the texts of modules
and follows their imports; it never runs anything. The live resolver (in `library/live.py`) starts
from function objects.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from types import ModuleType
from typing import Protocol

import gast

from adlsp.transform import ir
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import (
    bindings,
    closures,
    imports,
    initializers,
    marks,
    modules,
    walks,
)
from adlsp.transform.frontend import parse as texts
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.source import Source, Span, packaged

Reader = Callable[[Source], tuple[modules.Module | None, tuple[Diagnostic, ...]]]
Seen = frozenset[tuple[str, str]]

WrittenClass = tuple[Source, ast.ClassDef]
"""A class in the text of a module."""


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A dictionary, list or tuple of what names stand for, in the text of a module.

    In that of a class it may be a `staticmethod` of one, or a module.

    `entries` are the keys, or places, each with the expression of names that stands there, or with
    what a lambda is called in its module.
    """

    source: Source
    kind: type
    entries: tuple[tuple[object, str], ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """What a name means.

    "function" is a user's function whose source may be looked up by `definition`; things of modules
    whose text is not read (NumPy, the standard library) are "value" and are known by rules, or not.
    `state` says of a value whether functions of its module bind or change it (`states.py`), and of
    a class or a function, whether they set attributes of it.
    """

    kind: bindings.Kind
    dotted: str
    state: ir.State | None = None


def written_as(binding: Binding, text: str) -> str:
    """The dotted name of what an expression means; a mark before its text if nothing is known.

    So is it marked where a user's module has the name of one of our families of functions.
    """
    if targets.is_taken(binding.dotted):
        return f"?{binding.dotted}"
    return f"?{text}" if binding.kind == "missing" else binding.dotted


@dataclass(frozen=True, slots=True)
class Definition:
    """A function definition in the text of a module.

    `inner` says what is around a function inside others. `owner` is the class, by its dotted name,
    that a method was looked up in: the class that defines it, or one below. `holds` are captured
    variables with the functions that they hold, where the text around tells that.
    """

    source: Source
    written: bindings.DefinedFunction
    inner: closures.Inner | None = None
    owner: str = ""
    holds: tuple[tuple[str, str], ...] = ()

    @property
    def node(self) -> gast.FunctionDef:
        """The tree that is lowered; most definitions are only looked at and never need it."""
        return self.written.node

    @property
    def name(self) -> str:
        """The name that it has in its module."""
        return self.written.tree.name

    @property
    def dotted(self) -> str:
        """The name by which it is called: `mypkg.losses.loss`."""
        if self.owner:
            return f"{self.owner}.{self.name}"
        return f"{self.source.module}.{self.written.path or self.name}"

    @property
    def home(self) -> str:
        """The part of its dotted name before its own: of a lambda, whose name may vary, all."""
        dotted = self.dotted
        return dotted if dotted.endswith(">") else dotted.rpartition(".")[0]

    @property
    def shown(self) -> str:
        """What it is called where a person reads of it: `train.<locals>.loss`."""
        path = self.written.path or self.name
        return f"lambda at line {self.line}" if path.endswith(">") else path

    @property
    def captured(self) -> tuple[str, ...]:
        """The variables of functions around it that it is given as further parameters."""
        return self.written.captured

    def has(self, names: Iterable[str]) -> bool:
        """Tells whether all of some names are those of parameters."""
        return {*names} <= {*self.parameters}

    def is_in_place_of(self, other: Definition) -> bool:
        """Tells whether another definition is of the same function of the same text."""
        places = ((each.source.path, each.written.path) for each in (self, other))
        return len({*places}) == 1

    @property
    def is_method(self) -> bool:
        """Whether it is defined in a class."""
        return self.inner is not None and self.inner.is_method

    @property
    def followed(self) -> tuple[str, ...]:
        """Those of them that hold functions of the text."""
        return () if self.inner is None else closures.followed(self.inner)

    @property
    def lines(self) -> tuple[int, int]:
        """The first and last line of all that says what it is: of what is around it, too."""
        if self.inner is None or not self.inner.path:
            return self.first_line, self.last_line
        tree = self.inner.outermost.tree
        assert not isinstance(tree, ast.Module)
        starts = (tree, *getattr(tree, "decorator_list", ()))
        return min(each.lineno for each in starts), tree.end_lineno or self.last_line

    @property
    def first_line(self) -> int:
        """The line of its first decorator, or of its `def`."""
        tree = self.written.tree
        return min((each.lineno for each in tree.decorator_list), default=tree.lineno)

    @property
    def line(self) -> int:
        """The line of its `def`."""
        return self.written.tree.lineno

    @property
    def last_line(self) -> int:
        """The last line of its body."""
        return self.written.tree.end_lineno or self.line

    @property
    def has_assert(self) -> bool:
        """Whether an `assert` stands in it."""
        return any(isinstance(each, ast.Assert) for each in walks.over(self.written.tree))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of all its parameters, in order of writing."""
        return tuple(bindings.parameters(self.written.tree.args))

    @property
    def named_parameters(self) -> tuple[str, ...]:
        """The names of its parameters but `*args` and `**kwargs`."""
        arguments = self.written.tree.args
        every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        return tuple(parameter.arg for parameter in every)

    @property
    def positional_parameters(self) -> tuple[str, ...]:
        """The names of the parameters that are passed by position."""
        arguments = self.written.tree.args
        return tuple(parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args))

    @property
    def span(self) -> Span:
        """From `def` to the end of its body."""
        tree = self.written.tree
        end_offset = tree.end_col_offset or tree.col_offset
        return self.source.span(tree.lineno, tree.col_offset, self.last_line, end_offset)

    @property
    def name_span(self) -> Span:
        """Its name where it is defined; the word `lambda` of one."""
        if self.home == self.dotted:
            end = self.span.column + len("lambda")
            return Span(self.source.path, self.line, self.span.column, self.line, end)
        text = self.source.lines[self.line - 1]
        column = text.find(self.name, self.span.column + len("def") - 1) + 1
        return Span(self.source.path, self.line, column, self.line, column + len(self.name))


class Resolver(Protocol):
    """Answers what names mean; see `StaticResolver` and `live.LiveResolver`."""

    def parsed(self, source: Source) -> tuple[modules.Module | None, tuple[Diagnostic, ...]]:
        """The module in a text, and its syntax errors."""

    def name(self, source: Source, name: str) -> Binding:
        """What the global `name` means in a module (builtins included, as `builtins.len`)."""

    def attribute(self, binding: Binding, attribute: str) -> Binding:
        """What `attribute` of a module or class means."""

    def definition(self, dotted: str) -> Definition | None:
        """The definition of a user's function, or None where there is no text to read."""

    def class_of(self, dotted: str) -> WrittenClass | None:
        """The class of that name in the text of a module, if a user has defined it."""

    def order(self, dotted: str) -> tuple[str, ...]:
        """A class and those above it, in the order in which Python looks names up.

        It ends with no name where it is not known how it goes on.
        """

    def table_of(self, dotted: str) -> WrittenTable | None:
        """The dictionary, list or tuple of names that a variable surely holds for good."""

    def held(self, dotted: str) -> object:
        """What a variable of a module holds: an object, or a function that keeps something.

        It is an abstract value (`values/lattice.py`), or None where nothing is known.
        """

    def initializer(self, dotted: str) -> Definition | None:
        """The statements of a module that say what a variable holds; None if a program tells."""

    def written(self, dotted: str) -> Definition | None:
        """The definition that the text has of a function, whatever a program makes of it."""

    def unread(self, dotted: str) -> str:
        """Why a user's function has no text to read, and what helps; nothing if that is unknown."""

    def imports(self, source: Source) -> tuple[Source, ...]:
        """The user's modules that a module imports, in the order of its text."""


def definition(resolver: Resolver, dotted: str) -> Definition | None:
    """The definition of a user's function, also by the name under which a variable holds it."""
    if isinstance(dotted, targets.Initializer):
        return resolver.initializer(dotted.of)
    found = resolver.definition(targets.defined(dotted))
    while isinstance(dotted, targets.Of | targets.Instance):
        dotted = dotted.of
    return (
        replace(found, owner=dotted.owner) if found and isinstance(dotted, targets.Above) else found
    )


def of_library(dotted: str) -> Binding:
    """What the name of something in a library means, whose text is not read.

    It is a function of ours for one that has a text in Python.
    """
    if dotted in HAVING:
        return Binding("function", f"{IN_PYTHON}.{dotted.rpartition('.')[2]}")
    return Binding("value", dotted)


def inner(module: modules.Module | None, path: str) -> Definition | None:
    """The definition of a function inside others."""
    found = None if module is None else module.inner(path)
    return (
        None if found is None or module is None else Definition(module.source, found[1], found[0])
    )


DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

BUILTINS = frozenset(dir(builtins))

OWN = "adlsp"
"""Our own package: its functions are known by rules and to the front end, never read."""

IN_PYTHON = f"{__package__}.in_python"
"""The text that has functions of libraries as Python would have them."""

HAVING = frozenset(
    f"numpy.{name}" for name in ("apply_along_axis", "fromfunction", "ix_", "vectorize")
)
"""The functions that stand there."""

RUNTIME = f"{OWN}.runtime."
"""Where our functions have the names that rules know them by, whichever module defines them."""

NUMPY_HIDES = frozenset(
    ("abs", "all", "any", "bool", "divmod", "max", "min", "pow", "round", "sum")
)
"""The builtins that `from numpy import *` replaces."""

MODULE_VARIABLES = frozenset(
    ("__name__", "__file__", "__doc__", "__package__", "__spec__", "__path__", "__loader__")
)


def _table(source: Source, tree: ast.expr | None) -> WrittenTable | None:
    """The table that an expression writes."""
    match tree:
        case ast.Dict(keys, values) if all(isinstance(key, ast.Constant) for key in keys):
            kind: type = dict
            places: Iterable[object] = [getattr(key, "value", None) for key in keys]
        case ast.List(values) | ast.Tuple(values):
            kind, places = (list if isinstance(tree, ast.List) else tuple), range(len(values))
        case _:
            return None
    if not all(isinstance(value, ast.Name | ast.Attribute | ast.Lambda) for value in values):
        return None
    entries = dict(zip(places, map(_entry, values), strict=True))
    return WrittenTable(source, kind, (*entries.items(),)) if len(entries) == len(values) else None


def _entry(value: ast.expr) -> str:
    """What an entry of a table is: names as they are written, or the path of a lambda."""
    return closures.called(value) if isinstance(value, ast.Lambda) else ast.unparse(value)


READING = ("get", "items", "keys", "values")
"""The methods that leave a dictionary what it is."""


def _is_never_set(module: ast.Module, name: str) -> bool:
    """Tells whether nothing but classes sets attributes of a name in a module."""
    return all(
        isinstance(node.ctx, ast.Load)
        for statement in module.body
        if not isinstance(statement, ast.ClassDef)
        for node in walks.over(statement)
        if isinstance(node, ast.Attribute) and node.attr == name
    )


def _is_only_read(module: ast.AST, name: str) -> bool:
    """Tells whether a text does no more with attributes of a name than to read what they hold."""
    attributes, reads = list[ast.Attribute](), list[ast.AST]()
    for node in walks.over(module):
        match node:
            case ast.Subscript(value=base, ctx=ast.Load()):
                reads.append(base)
            case ast.Attribute(value=base, attr=method) if method in READING:
                reads.append(base)
        if isinstance(node, ast.Attribute) and node.attr == name:
            attributes.append(node)
    return all(any(each is read for read in reads) for each in attributes)


class StaticResolver:
    """Answers from the texts of modules alone, for as long as none of them changes.

    `find` gives the text of a user's module by its dotted name, also of the module that a question
    starts from; what it does not give is foreign. Names are followed through aliases and
    re-exports to the module that defines them. `imported` gives the user's modules that another
    one imports, where that is known already.
    """

    def __init__(
        self,
        find: Callable[[str], Source | None],
        read: Reader | None = None,
        imported: Callable[[Source], tuple[Source, ...]] | None = None,
    ) -> None:
        self._find = find
        self._read = read or lru_cache(maxsize=256)(modules.parse)
        self._follow = imported or self._imports
        self._named: dict[tuple[str, str, str], Binding] = {}
        self._attributes: dict[tuple[Binding, str], Binding] = {}
        self._defined: dict[str, Definition | None] = {}

    def parsed(self, source: Source) -> tuple[modules.Module | None, tuple[Diagnostic, ...]]:
        """The module in a text, and its syntax errors; texts seen before are not parsed again."""
        return self._read(source)

    def name(self, source: Source, name: str) -> Binding:
        """What the global `name` means in a module (builtins included, as `builtins.len`)."""
        question = (source.path, source.text, name)
        if question not in self._named:
            self._named[question] = self._global(source, name, frozenset())
        return self._named[question]

    def attribute(self, binding: Binding, attribute: str) -> Binding:
        """What `attribute` of a module or class means; missing for attributes of a user's value."""
        question = (binding, attribute)
        if question not in self._attributes:
            self._attributes[question] = self._attribute(binding, attribute, frozenset())
        return self._attributes[question]

    def definition(self, dotted: str) -> Definition | None:
        """The definition of a user's function, or None where there is no text to read."""
        if dotted not in self._defined:
            self._defined[dotted] = None  # while it is looked for: marks may go in a circle
            self._defined[dotted] = self._definition(dotted)
        return self._defined[dotted]

    def class_of(self, dotted: str) -> WrittenClass | None:
        """The class of that name in the text of a module."""
        return self._class(dotted)

    def order(self, dotted: str) -> tuple[str, ...]:
        """A class and those above it, in the order in which Python looks names up."""
        return tuple(self._linear(dotted, frozenset()))

    def table_of(self, dotted: str) -> WrittenTable | None:
        """The dictionary, list or tuple of names that a variable surely holds for good.

        No other statement of the module speaks of it, and no function changes it.
        """
        home, _, name = dotted.rpartition(".")
        owner = self._class(home)
        if owner is not None:
            return self.table_of_class(owner, home, name)
        source = self._source(home)
        module = None if source is None else self.parsed(source)[0]
        entry = None if module is None else module.names.get(name)
        if source is None or module is None or not isinstance(entry, bindings.Assigned):
            return None
        if module.states.get(name) is not None:
            return None
        mentions = (
            each
            for statement in module.parsed.body
            if not isinstance(statement, DEFINITIONS)
            for each in walks.over(statement)
            if isinstance(each, ast.Name) and each.id == name
        )
        return _table(source, entry.value) if len([*mentions]) == 1 else None

    def table_of_class(self, of: WrittenClass, home: str, name: str) -> WrittenTable | None:
        """The table that a class has under a name; its entries mean what they do in the module."""
        source, tree = of
        module = self.parsed(source)[0]
        names = [each for statement in tree.body for each in bindings.bound(statement)]
        values = [
            statement.value
            for statement in tree.body
            if isinstance(statement, ast.Assign | ast.AnnAssign)
            and name in bindings.bound(statement)
        ]
        if module is None or names.count(name) != 1 or not values:
            return None
        table = self._single(source, values[0])
        is_known = _is_never_set if table is not None else _is_only_read
        table = table or _table(source, values[0])
        if table is None or not table.entries or not is_known(module.parsed, name):
            return None
        others = {each for each in names if each != name}
        if any(text.split(".")[0] in others for _, text in table.entries):
            return None
        path = home.removeprefix(source.module)[1:]
        entries = ((k, f"{path}.{t}" if t.startswith(ir.LAMBDA) else t) for k, t in table.entries)
        return replace(table, entries=tuple(entries))

    def _single(self, source: Source, tree: ast.expr | None) -> WrittenTable | None:
        """A function that a class has as `staticmethod(f)`, or a module, as a table of one."""
        match tree:
            case ast.Call(ast.Name("staticmethod"), [ast.Name() | ast.Attribute() as value], []):
                return WrittenTable(source, staticmethod, ((0, ast.unparse(value)),))
            case ast.Name(id) if self.name(source, id).kind == "module":
                return WrittenTable(source, ModuleType, ((0, id),))
        return None

    def held(self, dotted: str) -> object:
        """What a variable of a module holds: texts do not tell."""
        del dotted
        return None

    def initializer(self, dotted: str) -> Definition | None:
        """The statements of a module that say what a variable holds, as a function gives it."""
        home, _, name = dotted.rpartition(".")
        source = self._source(home)
        module = None if source is None else self.parsed(source)[0]
        entry = None if module is None else module.names.get(name)
        if source is None or module is None:
            return None
        if not isinstance(entry, bindings.Assigned | bindings.DefinedFunction):
            return None
        function = initializers.function(module.parsed, name)
        if function is None:
            return None
        if isinstance(entry, bindings.Assigned):
            return Definition(source, bindings.DefinedFunction(function), module.scope)
        written = bindings.DefinedFunction(function, "", (initializers.BARE,))
        bare = targets.Nested(targets.Bare(dotted))
        return Definition(source, written, module.scope, holds=((initializers.BARE, bare),))

    def written(self, dotted: str) -> Definition | None:
        """The definition that the text has of a function."""
        return self.definition(dotted)

    def unread(self, dotted: str) -> str:
        """Why a function has no text to read: texts do not tell."""
        del dotted
        return ""

    def imports(self, source: Source) -> tuple[Source, ...]:
        """The user's modules that a module imports, in the order of its text."""
        return self._follow(source)

    def _imports(self, source: Source) -> tuple[Source, ...]:
        found = (self._source(module) for module in imports.modules(source))
        return tuple(other for other in found if other is not None)

    # `seen` holds the questions that are being answered: modules may import each other

    def _definition(self, dotted: str) -> Definition | None:
        if closures.LOCALS in dotted or ir.LAMBDA in dotted:
            return self._inner(dotted)
        module, _, name = dotted.rpartition(".")
        home, _, name = self._member(module, name, frozenset()).dotted.rpartition(".")
        source = self._source(home)
        entry = self._names(source).get(name) if source is not None else None
        match entry:
            case bindings.DefinedFunction() if source is not None:
                return Definition(source, entry)
            case bindings.Assigned(value=ast.Lambda()) if source is not None:
                return self._lambda(source, source.module, name)
            case bindings.Assigned(value=value, around=around) if source is not None:
                inner = self._marked(source, value if around is None else around[0])
                if around is not None and inner == f"{home}.{name}":
                    return Definition(source, around[1])
                return None if around or inner is None else self.definition(inner)
        return self._method(home, name) if source is None else None

    def _inner(self, dotted: str) -> Definition | None:
        """The function of a path inside others."""
        parts = dotted.split(".")
        for end in range(len(parts) - 1, 0, -1):
            is_inside = parts[end - 1] == closures.LOCALS or parts[end - 1].startswith(ir.LAMBDA)
            source = None if is_inside else self._source(".".join(parts[:end]))
            if source is not None:
                return inner(self.parsed(source)[0], ".".join(parts[end:]))
        return None

    def _method(self, owner: str, name: str) -> Definition | None:
        """A function of a class, or of the first of those above it that has one of that name.

        The order of several classes above is Python's (C3); what is above a class whose text is not
        read is not known.
        """
        for each in self._linear(owner, frozenset()):
            found = self._class(each)
            if found is None:
                return None
            source, tree = found
            own = texts.public_name(name, tree.name)
            if own in {bound for statement in tree.body for bound in bindings.bound(statement)}:
                path = f"{each.removeprefix(source.module)[1:]}.{own}"
                method = inner(self.parsed(source)[0], path) or self._lambda(source, each, own)
                return None if method is None else replace(method, owner=owner)
        return None

    def _lambda(self, source: Source, owner: str, name: str) -> Definition | None:
        """The lambda that a class or module binds a name to."""
        module, path = self.parsed(source)[0], owner.removeprefix(source.module)[1:]
        scope = None if module is None else module.scope.at(path) if path else module.scope
        for each in () if scope is None else scope.members:
            found = inner(module, each.path) if isinstance(each.tree, ast.Lambda) else None
            if found is not None and found.name == name:
                return found
        return None

    def _class(self, dotted: str) -> WrittenClass | None:
        module, _, name = dotted.rpartition(".")
        home, _, name = self._member(module, name, frozenset()).dotted.rpartition(".")
        source = self._source(home)
        entry = self._names(source).get(name) if source is not None else None
        is_class = source is not None and isinstance(entry, bindings.DefinedClass)
        return (source, entry.tree) if is_class else None  # type: ignore[union-attr, return-value]

    def _linear(self, owner: str, seen: frozenset[str]) -> list[str]:
        """A class and those above it, in the order in which Python looks names up."""
        found = self._class(owner)
        if found is None or owner in seen:
            return [owner]
        source, tree = found
        above = [self._expression(source, base, frozenset()).dotted for base in tree.bases]
        above = [base for base in above if base != "builtins.object"]
        rows = [*(self._linear(base, seen | {owner}) for base in above), above]
        order = [owner]
        while rows := [row for row in rows if row]:
            heads = (row[0] for row in rows)
            head = next((h for h in heads if not any(h in row[1:] for row in rows)), "")
            if not head:
                return [owner, ""]
            order.append(head)
            rows = [[each for each in row if each != head] for row in rows]
        return order

    def _marked(self, source: Source, value: ast.expr | None) -> str | None:
        """The function that an expression puts into a cache, as in `lru_cache(maxsize=9)(f)`."""
        match value:
            case ast.Call(func=ast.Call(func=mark), args=[given]):
                is_mark = self._expression(source, mark, frozenset()).dotted in marks.TRANSPARENT
            case ast.Call(func=mark, args=[given]):
                meant = self._expression(source, mark, frozenset())
                user = self.definition(meant.dotted) if meant.kind == "function" else None
                is_user = user is not None and marks.is_identity(user.node)
                is_mark = meant.dotted in marks.TRANSPARENT or is_user
            case _:
                return None
        return self._expression(source, given, frozenset()).dotted if is_mark else None

    def _global(self, source: Source, name: str, seen: Seen) -> Binding:
        found = self._own(source, name, seen)
        if found is not None:
            return found
        foreign = self._foreign_stars(source, frozenset())
        if name in BUILTINS and not ("numpy" in foreign and name in NUMPY_HIDES):
            return Binding("value", f"builtins.{name}")
        if foreign and not name.startswith("_"):
            star = "numpy" if name in BUILTINS else foreign[-1]
            return of_library(f"{star}.{name}")
        if self._is_dynamic(source):
            return Binding("value", f"{source.module}.{name}")
        return Binding("missing", name)

    def _attribute(self, binding: Binding, attribute: str, seen: Seen) -> Binding:
        joined = f"{binding.dotted}.{attribute}"
        if binding.kind == "module":
            return self._member(binding.dotted, attribute, seen)
        if binding.kind == "value":
            module, _, name = binding.dotted.rpartition(".")
            home = self._source(module)
            if home is not None and name not in MODULE_VARIABLES:
                return Binding("missing", joined)
            return self._member(binding.dotted, attribute, seen)
        return Binding("missing" if binding.kind == "missing" else "value", joined)

    def _member(self, module: str, name: str, seen: Seen) -> Binding:
        """What `name` means as an attribute of a module."""
        source, joined = self._source(module), f"{module}.{name}"
        found = self._own(source, name, seen) if source is not None else None
        if found is not None:
            return found
        if self._source(joined) is not None:
            return Binding("module", joined)
        if module.startswith(RUNTIME):
            return Binding("value", f"{RUNTIME}{name}")
        if source is None or self._is_dynamic(source):
            return of_library(joined)
        foreign = self._foreign_stars(source, frozenset())
        if foreign and not name.startswith("_"):
            return Binding("value", f"{foreign[-1]}.{name}")
        return Binding("missing", joined)

    def _own(self, source: Source, name: str, seen: Seen) -> Binding | None:
        """What a module binds a name to, by itself or through the stars of users' modules."""
        question = (source.path, name)
        if question in seen:
            return None
        seen |= {question}
        module, names = self.parsed(source)[0], self._names(source)
        if module is not None and name in names:
            later = module.stars[module.n_stars_before.get(name, len(module.stars)) :]
            found = self._by_stars(later, name, seen)
            return found or self._entry(source, name, names[name], seen)
        if name in MODULE_VARIABLES:
            return Binding("value", f"{source.module}.{name}")
        return self._by_stars(self._stars(source), name, seen)

    def _by_stars(self, stars: tuple[str, ...], name: str, seen: Seen) -> Binding | None:
        """What the stars of users' modules bind a name to: the last one that brings it."""
        for star in reversed(stars):
            target = self._source(star)
            if target is not None and self._exports(target, name):
                found = self._own(target, name, seen)
                if found is not None and found.kind != "missing":
                    return found
        return None

    def _entry(self, source: Source, name: str, entry: bindings.Entry, seen: Seen) -> Binding:
        dotted = f"{source.module}.{name}"
        match entry:
            case bindings.ImportedModule():
                return Binding("module", entry.dotted)
            case bindings.ImportedName():
                return self._imported(entry, seen)
            case bindings.DefinedFunction():
                return Binding("function", dotted, self._attribute_state(source, name))
            case bindings.DefinedClass():
                return Binding("class", dotted, self._attribute_state(source, name))
            case bindings.Unread(kind):
                return Binding(kind, dotted)
            case bindings.DefinedCoroutine():
                return Binding("value", dotted)
            case bindings.Assigned(value):
                meant = self._expression(source, value, seen)
                if meant.kind != "missing":
                    return meant
                module = self.parsed(source)[0]
                state = None if module is None else module.states.get(name)
                is_function = isinstance(value, ast.Lambda) and state is None
                return Binding("function" if is_function else "value", dotted, state)

    def _attribute_state(self, source: Source, name: str) -> ir.State | None:
        """Whether functions of a module set attributes of a class or function of it."""
        module = self.parsed(source)[0]
        return "changed" if module is not None and name in module.owners else None

    def _imported(self, entry: bindings.ImportedName, seen: Seen) -> Binding:
        """What `from … import` brings; what a package does not define is a compiled module."""
        found = self._member(entry.module, entry.name, seen)
        source = self._source(entry.module)
        if found.kind == "missing" and source is not None and source.is_package:
            return Binding("module", f"{entry.module}.{entry.name}")
        return found

    def _expression(self, source: Source, node: ast.expr | None, seen: Seen) -> Binding:
        """What a dotted expression of names means; missing for any other."""
        match node:
            case ast.Name(id=name):
                return self._global(source, name, seen)
            case ast.Attribute(value=value, attr=attribute):
                owner = self._expression(source, value, seen)
                return self._attribute(owner, attribute, seen)
        return Binding("missing", "")

    # modules

    def _source(self, module: str) -> Source | None:
        if module == IN_PYTHON:
            return packaged(IN_PYTHON)
        if not module or module == OWN or module.startswith(f"{OWN}."):
            return None
        return self._find(module)

    def _names(self, source: Source) -> Mapping[str, bindings.Entry]:
        module = self.parsed(source)[0]
        return module.names if module is not None else {}

    def _stars(self, source: Source) -> tuple[str, ...]:
        module = self.parsed(source)[0]
        return module.stars if module is not None else ()

    def _foreign_stars(self, source: Source, seen: frozenset[str]) -> list[str]:
        """The foreign modules whose names stars bring into a module, also by way of others."""
        found: list[str] = []
        for star in self._stars(source):
            target = self._source(star)
            if target is None:
                found.append(star)
            elif target.path not in seen:
                found += self._foreign_stars(target, seen | {source.path, target.path})
        return found

    def _is_dynamic(self, source: Source) -> bool:
        module = self.parsed(source)[0]
        return module is not None and module.is_dynamic

    def _exports(self, source: Source, name: str) -> bool:
        """Tells whether `from module import *` brings a name along."""
        listed = self._names(source).get("__all__")
        match listed:
            case bindings.Assigned(value=ast.List(elts=items) | ast.Tuple(elts=items)):
                return any(isinstance(i, ast.Constant) and i.value == name for i in items)
        return not name.startswith("_")
