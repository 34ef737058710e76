"""What an expression of a module may stand for, as far as the text tells.

This is constant propagation of functions, to call sites of operators. A function reaches
`adlsp.grad` by its name, by an alias, from a loop over a tuple of functions, through a cache or a
`functools.partial`. Each is followed to all the things that it may be; where the text does not
tell, a `Candidate` says why.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from adlsp.transform import ir
from adlsp.transform.frontend import (
    bindings,
    call_sites,
    closures,
    decorators,
    marks,
    modules,
    walks,
    wrappers,
)
from adlsp.transform.frontend.call_sites import Scopes
from adlsp.transform.frontend.resolve import Binding, Resolver
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.source import Source

Meaning: TypeAlias = Binding | ast.Lambda | ast.FunctionDef | ast.Call | None
"""A global thing, a function without a dotted name, what a call gives, or unknown."""

Element: TypeAlias = tuple[ast.expr, Scopes]
"""An expression, and the scopes in which it is read."""

PARTIAL = "functools.partial"

WRAPPERS = marks.TRANSPARENT | {"jax.jit"}
"""Functions that give what computes the same as the function that they are given."""

CHANGES = "|".join(sorted(targets.member(name) for name in records.RESIZING))
"""The methods by which a list, set or dictionary gets others than it was written with."""

MARK_IT = "mark the function with `@adlsp.differentiable`"

DEEPEST = 8
"""How many steps an expression is followed."""


@dataclass(frozen=True, slots=True)
class Handed:
    """What callers decide: a parameter of a function, or attributes of one.

    `function` is a dotted name. That of a class is for those who make its objects and set them, and
    `parameter` the attribute.
    """

    function: str
    parameter: str
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that an expression may stand for.

    `written` is the expression that names it. `n_bound` and `bound` are the parameters that a
    `functools.partial` has given values: so many by position, and by name. `why` says why the
    meaning is not known, where it is None, and `handed` who decides it, where the callers do; that
    nobody does matters little where it `is_optional`.
    """

    meaning: Meaning
    written: ast.expr
    scopes: Scopes
    why: str = ""
    n_bound: int = 0
    bound: tuple[str, ...] = ()
    handed: Handed | None = None
    is_optional: bool = False

    @property
    def is_partial(self) -> bool:
        """Tells whether some parameters have values already."""
        return bool(self.n_bound or self.bound)


class Meanings:
    """Follows the expressions of one module."""

    def __init__(self, module: modules.Module, resolver: Resolver) -> None:
        self.module = module
        self.resolver = resolver
        self._following: set[str] = set()

    def candidates(
        self, node: ast.expr, scopes: Scopes, depth: int = DEEPEST
    ) -> tuple[Candidate, ...]:
        """All that an expression may stand for."""
        if not depth:
            return (self._unknown(node, scopes, f"it is followed no further; {MARK_IT}"),)
        match node:
            case ast.IfExp(body=body, orelse=orelse):
                return self._each((body, orelse), scopes, depth)
            case ast.BoolOp(values=values):
                return self._each(tuple(values), scopes, depth)
            case ast.NamedExpr(value=value):
                return self.candidates(value, scopes, depth - 1)
            case ast.Subscript(value=value, slice=key):
                return self._chosen(node, value, key, scopes, depth)
            case ast.Call():
                return self._called(node, scopes, depth)
            case ast.Name():
                return self._named(node, scopes, depth)
            case ast.Attribute():
                method = self.method(node, scopes, depth)
                if method is not None:
                    return (method,)
                meaning = self.meaning(node, scopes)
                why = "which function an object has there is known only when the program runs"
                why = f"{why}; {MARK_IT}"
                if meaning is None:
                    handed = self._handed(node, scopes)
                    nothing = Candidate(None, node, scopes, why, handed=handed)
                    return self._kept(node, nothing, depth) or (nothing,)
                return (Candidate(meaning, node, scopes),)
            case ast.Lambda():
                return (Candidate(node, node, scopes),)
        return (self._unknown(node, scopes, "it is no function"),)

    def spelled(self, node: ast.expr, scopes: Scopes) -> str | None:
        """The dotted name of an expression as its module imports it, followed no further."""
        match node:
            case ast.Attribute(value=value, attr=attribute):
                owner = self.spelled(value, scopes)
                return None if owner is None else f"{owner}.{attribute}"
            case ast.Name():
                match self._entry(node.id, scopes):
                    case bindings.ImportedModule(dotted):
                        return dotted
                    case bindings.ImportedName(module, name):
                        return f"{module}.{name}"
                    case bindings.Assigned(ast.Attribute() | ast.Name() as value) if (
                        not isinstance(value, ast.Name) or value.id != node.id
                    ):
                        return self.spelled(value, scopes)
        return None

    def meaning(self, node: ast.expr, scopes: Scopes, depth: int = DEEPEST) -> Meaning:
        """What a dotted expression of names means; aliases are followed `depth` steps."""
        match node:
            case ast.Lambda():
                return node
            case ast.Name(id=name):
                if _is_local(name, scopes):
                    return self._inner_meaning(self._entry(name, scopes), scopes, depth)
                entry = self.module.names.get(name)
                if isinstance(entry, bindings.Assigned) and isinstance(entry.value, ast.Lambda):
                    return entry.value
                return self.resolver.name(self.module.source, name)
            case ast.Attribute(value=value, attr=attribute):
                owner = self.meaning(value, scopes, depth)
                if not isinstance(owner, Binding):
                    return None
                meaning = self.resolver.attribute(owner, attribute)
                is_known = owner.kind == "module" or meaning.kind != "missing"
                return meaning if is_known else owner if owner.kind == "missing" else None
        return None

    def elements(
        self, node: ast.expr, scopes: Scopes, depth: int = DEEPEST
    ) -> list[Element] | None:
        """What a loop over an expression passes, in order; None where the text does not tell."""
        if not depth:
            return None
        match node:
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return self._joined(items, scopes, depth)
            case ast.Dict(keys=keys) if all(key is not None for key in keys):
                return [(key, scopes) for key in keys if key is not None]
            case ast.BinOp(left=one, op=ast.Add(), right=other) | ast.IfExp(body=one, orelse=other):
                return self._joined([ast.Starred(one), ast.Starred(other)], scopes, depth)
            case ast.Name(id=name):
                entry = self._entry(name, scopes)
                if isinstance(entry, call_sites.Drawn):
                    return self._of_each(entry, depth)
                written = self._display(node, scopes)
                return None if written is None else self.elements(*written, depth - 1)
            case ast.Call(func=ast.Attribute(value=of, attr="values" | "items"), args=[]):
                return self._of_dictionary(node, of, scopes)
            case ast.Call(func=ast.Name(id=name), args=[of]) if records.has_elements_of_first(
                f"builtins.{name}"
            ):
                return self.elements(of, scopes, depth - 1)
            case ast.Call(func=ast.Name(id="enumerate"), args=[of, *_]):
                given = self.elements(of, scopes, depth - 1)
                return given and [(_pair(ast.Constant(i), g), s) for i, (g, s) in enumerate(given)]
            case ast.Call(func=ast.Name(id="zip"), args=several):
                rows = [self.elements(each, scopes, depth - 1) for each in several]
                if any(row is None for row in rows):
                    return None
                columns = zip(*(row for row in rows if row is not None), strict=False)
                return [(_tuple([each for each, _ in c]), c[0][1]) for c in columns]
        return None

    def of_object(self, node: ast.expr, scopes: Scopes, depth: int = DEEPEST) -> str | None:
        """The class of the object that an expression makes or names, by its dotted name.

        A method's first parameter is taken for an object of the class that the method stands in.
        """
        if not depth:
            return None
        match node:
            case ast.NamedExpr(value=value):
                return self.of_object(value, scopes, depth - 1)
            case ast.Call(func=function):
                meaning = self.meaning(function, scopes)
                is_class = isinstance(meaning, Binding) and meaning.kind == "class"
                return meaning.dotted if is_class and isinstance(meaning, Binding) else None
            case ast.Name(id=name):
                match self._entry(name, scopes):
                    case bindings.Assigned(ast.expr() as made):
                        around = scopes if _is_local(name, scopes) else Scopes()
                        return self.of_object(made, around, depth - 1)
                    case call_sites.Parameter():
                        return self._class_of_first(node) or self._annotated(node)
        return self._of_global(self.meaning(node, scopes), depth)

    def _of_global(self, meaning: Meaning, depth: int) -> str | None:
        """The class of the object that a variable of another module holds."""
        if not isinstance(meaning, Binding) or meaning.kind != "value":
            return None
        home, _, name = meaning.dotted.rpartition(".")
        source = self._imported(home)
        module = None if source is None else self.resolver.parsed(source)[0]
        entry = None if module is None else module.names.get(name)
        if module is None or not isinstance(entry, bindings.Assigned) or entry.value is None:
            return None
        return Meanings(module, self.resolver).of_object(entry.value, Scopes(), depth - 1)

    def _imported(self, module: str) -> Source | None:
        """The text of a user's module that this one imports, also by way of others."""
        pending, seen = [self.module.source], {self.module.source.path}
        for source in pending:
            if source.module == module:
                return source
            found = [each for each in self.resolver.imports(source) if each.path not in seen]
            seen.update(each.path for each in found)
            pending += found
        return None

    def _handed(self, node: ast.expr, scopes: Scopes) -> Handed | None:
        """What callers decide of an expression: it is a parameter, or an attribute of one."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        if not isinstance(self._entry(node.id, scopes), call_sites.Parameter):
            return None
        inner = self._taking(node)
        if inner is None or inner.path is None:
            return None
        function = f"{self.module.source.module}.{inner.path}"
        return Handed(function, node.id, tuple(attributes))

    def _taking(self, node: ast.Name) -> closures.Inner | None:
        """The function with a name around a place that has a parameter of some name."""
        for inner in reversed([*self.module.scope.on(node.lineno)]):
            tree = inner.tree
            if isinstance(tree, ast.FunctionDef) and node.id in closures.own_names(tree):
                return inner if node.id in bindings.parameters(tree.args) else None
        return None

    def _annotated(self, node: ast.Name) -> str | None:
        """The class that the annotation of a parameter names."""
        inner = self._taking(node)
        if inner is None or not isinstance(inner.tree, ast.FunctionDef):
            return None
        every = (each for each in ast.walk(inner.tree.args) if isinstance(each, ast.arg))
        said = next(each.annotation for each in every if each.arg == node.id)
        if isinstance(said, ast.Constant) and isinstance(said.value, str):
            said = _expression(said.value)
        meaning = None if said is None else self.meaning(said, Scopes())
        is_class = isinstance(meaning, Binding) and meaning.kind == "class"
        return meaning.dotted if is_class and isinstance(meaning, Binding) else None

    def _class_of_first(self, node: ast.Name) -> str | None:
        """The class of the method around a place, if a name is its first parameter."""
        for inner in reversed([*self.module.scope.on(node.lineno)]):
            tree = inner.tree
            if isinstance(tree, ast.FunctionDef) and node.id in closures.own_names(tree):
                first = [*bindings.parameters(tree.args)][:1]
                is_first = inner.is_method and first == [node.id]
                path = inner.path.rpartition(".")[0]
                return f"{self.module.source.module}.{path}" if is_first else None
        return None

    def method(self, node: ast.Attribute, scopes: Scopes, depth: int = DEEPEST) -> Candidate | None:
        """The method of an object or class that an attribute names, if the text tells."""
        owner, is_object = self.of_object(node.value, scopes, depth), True
        if owner is None:
            meaning = self.meaning(node.value, scopes)
            is_object = False
            if isinstance(meaning, Binding) and meaning.kind == "class":
                owner = meaning.dotted
        found = None if owner is None else self.resolver.definition(f"{owner}.{node.attr}")
        kind = decorators.method(found, self.resolver) if found and found.is_method else None
        if found is not None and kind is None and wrappers.wrapper(found, self.resolver):
            kind = decorators.kind(found, self.resolver)
        if found is None or kind is None:
            return None
        is_bound = kind == decorators.OF_CLASS or (is_object and kind == decorators.OF_OBJECT)
        return Candidate(Binding("function", found.dotted), node, scopes, n_bound=int(is_bound))

    def _kept(self, node: ast.Attribute, unknown: Candidate, depth: int) -> tuple[Candidate, ...]:
        """What an attribute of the objects of a class is set to; nothing if that is no user's.

        Its methods set it, those of the classes above it, and of those below it in this module; or
        those do who have its objects. `unknown` stands for what is not known of these.
        """
        owner = self.of_object(node.value, unknown.scopes, depth) or ""
        if not owner or self.resolver.class_of(owner) is None:
            return ()
        found: list[Candidate] = []
        for dotted in (*self.resolver.order(owner), *self.below(owner)):
            found += self._set_in(dotted, node.attr, depth)
        outside = replace(unknown, handed=Handed(owner, node.attr), is_optional=bool(found))
        known = (c if c.meaning else replace(unknown, handed=c.handed) for c in found)
        return (*known, outside)

    def _set_in(self, dotted: str, attribute: str, depth: int) -> Iterator[Candidate]:
        """What the methods of a class set an attribute to, which another module may have."""
        source, tree = self.resolver.class_of(dotted) or (None, None)
        if source is None or tree is None:
            return
        is_here = source.path == self.module.source.path
        module = self.module if is_here else self.resolver.parsed(source)[0]
        reader = self if is_here or module is None else Meanings(module, self.resolver)
        for method in tree.body:
            if isinstance(method, ast.FunctionDef):
                around = Scopes().enter(call_sites.local(method, source.package))
                for value in _settings(method, attribute):
                    for each in reader.candidates(value, around, depth - 1):
                        is_known = is_here or isinstance(each.meaning, Binding)
                        yield each if is_known else replace(each, meaning=None)

    def below(self, owner: str) -> tuple[str, ...]:
        """The classes of this module that are derived from one."""
        home = self.module.source.module
        named = [n for n, e in self.module.names.items() if isinstance(e, bindings.DefinedClass)]
        every = (f"{home}.{name}" for name in named)
        return tuple(each for each in every if owner in self.resolver.order(each)[1:])

    def class_around(self, node: ast.expr) -> str | None:
        """The class of the method around a place."""
        for inner in reversed([*self.module.scope.on(node.lineno)]):
            if inner.is_method:
                return f"{self.module.source.module}.{inner.path.rpartition('.')[0]}"
        return None

    def is_first(self, node: ast.expr) -> bool:
        """Whether an expression is the object whose method is around."""
        return isinstance(node, ast.Name) and self._class_of_first(node) is not None

    def assigned(self, node: ast.Name, scopes: Scopes) -> ast.expr | None:
        """The expression that a name is bound to, if that is the only one."""
        entry = self._entry(node.id, scopes)
        return entry.value if isinstance(entry, bindings.Assigned) else None

    # names

    def _named(self, node: ast.Name, scopes: Scopes, depth: int) -> tuple[Candidate, ...]:
        match self._entry(node.id, scopes):
            case call_sites.Drawn() as drawn:
                return self._drawn(node, drawn, scopes, depth)
            case call_sites.Parameter():
                why = f"it is a parameter; {MARK_IT.replace('the function', 'what is passed')}"
                handed = self._handed(node, scopes)
                return (replace(self._unknown(node, scopes, why), handed=handed),)
            case bindings.Assigned(None, several) if several:
                return self._several(node.id, several, scopes, depth)
            case bindings.Assigned(None):
                why = f"what it is bound to is known only when the program runs; {MARK_IT}"
                return (self._unknown(node, scopes, why),)
            case bindings.Assigned(value) if value is not None and not _is_dotted(value):
                return self._assigned(node, value, scopes, depth)
        meaning = self.meaning(node, scopes)
        return (Candidate(meaning, node, scopes, "" if meaning else f"it is unknown; {MARK_IT}"),)

    def _several(
        self, name: str, values: tuple[ast.expr, ...], scopes: Scopes, depth: int
    ) -> tuple[Candidate, ...]:
        """All that a name is bound to; in `f = f if fast else g` it adds nothing itself."""
        if name in self._following:
            return ()
        self._following.add(name)
        try:
            return self._each(values, scopes if _is_local(name, scopes) else Scopes(), depth)
        finally:
            self._following.discard(name)

    def _assigned(
        self, node: ast.Name, value: ast.expr, scopes: Scopes, depth: int
    ) -> tuple[Candidate, ...]:
        """What a name stands for that is bound once, to something else than a name."""
        is_own = _is_local(node.id, scopes)
        found = self.candidates(value, scopes if is_own else Scopes(), depth - 1)
        is_shown = len(found) == 1 and not isinstance(found[0].meaning, Binding)
        return (replace(found[0], written=node),) if is_shown else found

    def _drawn(
        self, node: ast.Name, drawn: call_sites.Drawn, scopes: Scopes, depth: int
    ) -> tuple[Candidate, ...]:
        """What a variable of a loop stands for: each of what the loop passes."""
        passed = self._passed(drawn)
        if not passed:
            why = "what the loop passes is known only when the program runs"
            return (self._unknown(node, scopes, f"{why}; {MARK_IT.replace('the', 'each')}"),)
        found = (self.candidates(each, around, depth - 1) for each, around in passed)
        return tuple(candidate for several in found for candidate in several)

    def _passed(self, drawn: call_sites.Drawn) -> list[Element] | None:
        """What a variable of a loop is in turn; None where the text does not tell."""
        given = self.elements(drawn.iterable, drawn.scopes)
        parts = [(_part(each, drawn.path), around) for each, around in given or ()]
        found = [(part, around) for part, around in parts if part is not None]
        return found if given is not None and len(found) == len(parts) else None

    def _of_each(self, drawn: call_sites.Drawn, depth: int) -> list[Element] | None:
        """The elements of all that a variable of a loop is in turn."""
        found: list[Element] = []
        for each, around in self._passed(drawn) or ():
            inside = self.elements(each, around, depth - 1)
            if inside is None:
                return None
            found += inside
        return found or None

    def _entry(self, name: str, scopes: Scopes) -> call_sites.Bound | None:
        for names in reversed(scopes.inner):
            if name in names:
                return names[name]
        return self.module.names.get(name)

    def _inner_meaning(self, entry: call_sites.Bound | None, scopes: Scopes, depth: int) -> Meaning:
        """What a name bound in a function around a place means there."""
        match entry:
            case bindings.DefinedFunction(node):
                return node
            case bindings.Assigned(value) if depth and value is not None:
                return self.meaning(value, scopes, depth - 1)
            case bindings.ImportedModule(dotted):
                return Binding("module", dotted)
            case bindings.ImportedName(module, name):
                return self.resolver.attribute(Binding("module", module), name)
        return None

    # calls

    def dotted(self, node: ast.expr, scopes: Scopes) -> str | None:
        """The dotted name of a function that is called."""
        meaning = self.meaning(node, scopes)
        return meaning.dotted if isinstance(meaning, Binding) else None

    def _called(self, node: ast.Call, scopes: Scopes, depth: int) -> tuple[Candidate, ...]:
        """What a call gives: what it was given, in a cache or with some arguments, or unknown."""
        function = node.func.func if isinstance(node.func, ast.Call) else node.func
        dotted = self.dotted(function, scopes)
        match node.args:
            case [given, *more] if dotted == PARTIAL and function is node.func:
                return self._partial(node, given, more, scopes, depth)
            case [of, ast.Constant(value=str(name))] if dotted == ir.GETATTR:
                attribute = ast.copy_location(ast.Attribute(of, name, ast.Load()), node)
                return self.candidates(attribute, scopes, depth - 1)
            case [given, *_] if dotted in WRAPPERS or self._is_mark(function, node, scopes):
                return self.candidates(given, scopes, depth - 1)
        call = ast.copy_location(ast.Attribute(node, "__call__", ast.Load()), node)
        method = self.method(call, scopes, depth)
        if method is not None:
            return (replace(method, written=node),)
        return (Candidate(node, node, scopes),)

    def _partial(
        self,
        node: ast.Call,
        given: ast.expr,
        more: list[ast.expr],
        scopes: Scopes,
        depth: int,
    ) -> tuple[Candidate, ...]:
        names = tuple(keyword.arg for keyword in node.keywords if keyword.arg is not None)
        is_open = len(names) < len(node.keywords)
        if is_open or any(isinstance(each, ast.Starred) for each in (given, *more)):
            return (self._unknown(node, scopes, f"its arguments are unpacked; {MARK_IT}"),)
        return tuple(
            replace(each, n_bound=each.n_bound + len(more), bound=(*each.bound, *names))
            for each in self.candidates(given, scopes, depth - 1)
        )

    def _is_mark(self, function: ast.expr, node: ast.Call, scopes: Scopes) -> bool:
        """Tells whether a user's function gives back what it is given."""
        meaning = self.meaning(function, scopes)
        if function is not node.func or not isinstance(meaning, Binding):
            return False
        found = self.resolver.definition(meaning.dotted) if meaning.kind == "function" else None
        return found is not None and marks.is_identity(found.node)

    # collections

    def _each(
        self, nodes: tuple[ast.expr, ...], scopes: Scopes, depth: int
    ) -> tuple[Candidate, ...]:
        found = (self.candidates(node, scopes, depth - 1) for node in nodes)
        return tuple(candidate for several in found for candidate in several)

    def _joined(self, items: list[ast.expr], scopes: Scopes, depth: int) -> list[Element] | None:
        """The elements of a display, those with a star opened."""
        found: list[Element] = []
        for item in items:
            if not isinstance(item, ast.Starred):
                found.append((item, scopes))
                continue
            inside = self.elements(item.value, scopes, depth - 1)
            if inside is None:
                return None
            found += inside
        return found

    def _of_dictionary(self, node: ast.Call, of: ast.expr, scopes: Scopes) -> list[Element] | None:
        """The values or items of a dictionary that is written out."""
        written = self._display(of, scopes)
        if written is None or not isinstance(written[0], ast.Dict) or None in written[0].keys:
            return None
        given, around = written
        assert isinstance(given, ast.Dict)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "values":
            return [(value, around) for value in given.values]
        pairs = zip(given.keys, given.values, strict=True)
        return [(_pair(key, value), around) for key, value in pairs if key is not None]

    def _chosen(
        self, node: ast.expr, value: ast.expr, key: ast.expr, scopes: Scopes, depth: int
    ) -> tuple[Candidate, ...]:
        """What `value[key]` may be; all that is there where the key is not known."""
        written, chosen = self._display(value, scopes), None
        match written:
            case (ast.Dict(keys=keys, values=values), around) if None not in keys:
                chosen = [(v, around) for k, v in zip(keys, values, strict=True) if _may(k, key)]
            case (ast.Tuple() | ast.List() as items, around):
                given = self._joined(items.elts, around, depth) or []
                n = len(given)
                numbered = ((i, each) for i, each in enumerate(given))
                indices = ((ast.Constant(i), ast.Constant(i - n), each) for i, each in numbered)
                index = _negative(key)
                chosen = [each for i, j, each in indices if _may(i, index) or _may(j, index)]
        if not chosen:
            why = f"what is there is known only when the program runs; {MARK_IT}"
            return (self._unknown(node, scopes, why),)
        found = (self.candidates(each, around, depth - 1) for each, around in chosen)
        return tuple(candidate for several in found for candidate in several)

    def _display(self, node: ast.expr, scopes: Scopes) -> Element | None:
        """The tuple, list, set or dictionary that an expression is or names, if it stays so."""
        if not isinstance(node, ast.Name):
            return node, scopes
        match self._entry(node.id, scopes):
            case bindings.Assigned(value) if value is not None:
                name = re.escape(node.id)
                changed = rf"\b{name}\s*(?:\.(?:{CHANGES})\b|\[[^\n]*\]\s*=[^=])"
                is_own = _is_local(node.id, scopes)
                if re.search(changed, self.module.source.text) is None:
                    return value, scopes if is_own else Scopes()
        return None

    def _unknown(self, node: ast.expr, scopes: Scopes, why: str) -> Candidate:
        return Candidate(None, node, scopes, why)


def _is_local(name: str, scopes: Scopes) -> bool:
    return any(name in names for names in scopes.inner)


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _is_dotted(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (
        isinstance(node, ast.Attribute) and _is_dotted(node.value)
    )


def _settings(method: ast.FunctionDef, attribute: str) -> Iterator[ast.expr]:
    """What a method sets an attribute of its object to, but for None."""
    first = next(bindings.parameters(method.args), "")
    for node in walks.over(method):
        match node:
            case (
                ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=name), attr=attr)],
                    value=ast.expr() as set_to,
                )
                | ast.AnnAssign(
                    target=ast.Attribute(value=ast.Name(id=name), attr=attr),
                    value=ast.expr() as set_to,
                )
            ) if (name, attr) == (first, attribute):
                if not (isinstance(set_to, ast.Constant) and set_to.value is None):
                    yield set_to


def _part(node: ast.expr, path: tuple[int, ...]) -> ast.expr | None:
    """The part of a display at a place in it."""
    for position in path:
        match node:
            case ast.Tuple(elts=items) | ast.List(elts=items) if position < len(items):
                node = items[position]
            case _:
                return None
    return node


def _may(written: ast.expr | None, asked: ast.expr) -> bool:
    """Tells whether a key may be the one that is asked for."""
    if isinstance(written, ast.Constant) and isinstance(asked, ast.Constant):
        return bool(written.value == asked.value)
    return True


def _negative(key: ast.expr) -> ast.expr:
    """A number with a sign as a constant."""
    match key:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return ast.Constant(-value)
    return key


def _tuple(items: list[ast.expr]) -> ast.expr:
    return ast.Tuple(items, ast.Load())


def _pair(first: ast.expr, second: ast.expr) -> ast.expr:
    return _tuple([first, second])
