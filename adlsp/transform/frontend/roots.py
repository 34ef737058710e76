"""Finds what is to be differentiated in a file: its roots.

A root is a function that is passed to `adlsp.grad` or its kin (or to the functions of that name in
`tangent`, `autograd` and `jax`), anywhere in the file, or that is marked `@adlsp.differentiable`.
Names are followed through the scopes around the call, then by the resolver; what cannot be known
from the text (a parameter, the result of a call) is no root and no finding.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TypeAlias

from adlsp.transform.derivative import Request
from adlsp.transform.findings.language import NestedFunction
from adlsp.transform.findings.reading import (
    SourceUnavailable,
    UnknownParameter,
    UnresolvedFunction,
)
from adlsp.transform.findings.vocabulary import Finding, Found
from adlsp.transform.frontend import bindings, modules, sites
from adlsp.transform.frontend.resolve import Binding, Definition, Resolver
from adlsp.transform.frontend.sites import Scopes
from adlsp.transform.source import Source, Span

TAKES_FUNCTION = (
    "grad",
    "value_and_grad",
    "vjp",
    "jvp",
    "hvp",
    "jacobian",
    "hessian",
    "derive",
    "check_grads",
)
MARK = "differentiable"

FUNCTION = ("f", "fun", "func", "function")
"""The names of the parameter that takes the function."""

DERIVATIVES = ("grad", "value_and_grad", "vjp", "jvp", "hvp")
"""Those that give a function which can be differentiated again."""

HIGHEST = 4
"""The highest order that is followed."""

SELECTS = {"adlsp": "wrt", "tangent": "wrt", "autograd": "argnum", "jax": "argnums"}
"""The keyword by which each package is told the parameters of interest."""

KINDS = {
    "value_and_grad": ("value_and_grad",),
    "vjp": ("vjp",),
    "jvp": ("jvp",),
    "jacobian": ("vjp",),
    "check_grads": ("vjp",),
    "hvp": ("grad", "jvp"),
    "hessian": ("grad", "vjp"),
}
"""The kinds of request that a function makes, each of the derivative before; else a gradient."""


@dataclass(frozen=True, slots=True)
class Root:
    """A function to differentiate: the request, the call or decorator, and the definition."""

    request: Request
    span: Span
    definition: Span


Node: TypeAlias = ast.expr | ast.stmt
"""What has a place in the text."""

Meaning: TypeAlias = Binding | ast.Lambda | ast.FunctionDef | None
"""What an expression means: a global thing, a function without a dotted name, or unknown."""


def may_ask(text: str) -> bool:
    """Tells whether a text may ask for a derivative, by the words in it."""
    packages = any(package in text for package in SELECTS)
    return packages and bool(sites.words(text, (*TAKES_FUNCTION, MARK)))


def nested(request: Request, kinds: tuple[str, ...]) -> Request:
    """Asks for the derivative of the last of some kinds, of those of the kinds before it."""
    inner = request.inner
    for kind in kinds[:-1]:
        inner = replace(request, kind=kind, inner=inner)
    return replace(request, kind=kinds[-1], inner=inner)


def roots(source: Source, resolver: Resolver) -> tuple[tuple[Root, ...], tuple[Found, ...]]:
    """Gives the roots of a file in order, and what is wrong with what is asked for there."""
    words = sites.words(source.text, (*TAKES_FUNCTION, MARK))
    module = resolver.parsed(source)[0] if words else None
    if module is None:
        return (), ()
    reader = _Reader(module, resolver)
    for node, scopes in sites.sites(module, words):
        if isinstance(node, ast.Call):
            reader.read_call(node, scopes)
        elif isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                reader.read_decorator(node, decorator, scopes)
    found = sorted(reader.found, key=lambda f: (f.span.line, f.span.column))
    return tuple(sorted(reader.roots, key=lambda r: (r.span.line, r.span.column))), tuple(found)


class _Reader:
    """Reads the calls and decorators of one module."""

    def __init__(self, module: modules.Module, resolver: Resolver) -> None:
        self.module = module
        self.source = module.source
        self.resolver = resolver
        self.roots: list[Root] = []
        self.found: list[Found] = []

    def read_call(self, node: ast.Call, scopes: Scopes) -> None:
        """Enters the root of a call such as `adlsp.grad(f)`."""
        operator = self.operator(node.func, scopes)
        if operator is None or operator[1] == MARK:
            return
        argument = _argument(node, 0, FUNCTION)
        inner = self.inner(argument, scopes)
        if inner is not None:
            argument = _argument(inner[0], 0, FUNCTION)
        definition = self.definition(argument, scopes) if argument is not None else None
        if definition is not None:
            asked = None
            if inner is not None:
                asked = self.request(inner[1], inner[0], definition, scopes, None)
                if asked is None:
                    return
            self.enter(node, operator, node, definition, scopes, asked)

    def inner(
        self, argument: ast.expr | None, scopes: Scopes
    ) -> tuple[ast.Call, tuple[str, str]] | None:
        """The call that makes the derivative which is differentiated again, and its operator."""
        call = argument
        if isinstance(argument, ast.Name) and not any(argument.id in s for s in scopes.inner):
            entry = self.module.names.get(argument.id)
            call = entry.value if isinstance(entry, bindings.Assigned) else None
        if not isinstance(call, ast.Call):
            return None
        operator = self.operator(call.func, scopes)
        is_one = operator is not None and operator[0] == "adlsp" and operator[1] in DERIVATIVES
        return (call, operator) if operator is not None and is_one else None

    def read_decorator(
        self, function: ast.FunctionDef, decorator: ast.expr, scopes: Scopes
    ) -> None:
        """Enters the root of a decorated function."""
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        operator = self.operator(called, scopes)
        if operator is None or (operator[1] != MARK and called is not decorator):
            return
        dotted = f"{self.source.module}.{function.name}"
        if scopes.inner:
            self.report(NestedFunction(function.name), decorator)
        definition = None if scopes.inner else self.resolver.definition(dotted)
        if definition is not None and definition.line == function.lineno:
            call = decorator if isinstance(decorator, ast.Call) else None
            self.enter(decorator, operator, call, definition, scopes)

    def enter(
        self,
        place: Node,
        operator: tuple[str, str],
        call: ast.Call | None,
        definition: Definition,
        scopes: Scopes,
        inner: Request | None = None,
    ) -> None:
        """Enters a root, if there is any parameter to differentiate with respect to."""
        request = self.request(operator, call, definition, scopes, inner)
        if request is not None:
            self.roots.append(Root(request, self.span(place), definition.span))

    def request(
        self,
        operator: tuple[str, str],
        call: ast.Call | None,
        definition: Definition,
        scopes: Scopes,
        inner: Request | None,
    ) -> Request | None:
        """What a call or decorator asks for; None where no parameter is of interest."""
        wrt, is_tuple = self.interest(operator, call, definition, scopes)
        if not wrt:
            return None
        outputs, _ = self.chosen(_keyword(call, "outputs"), definition, scopes) or ((), False)
        asked = Request(definition.dotted, wrt, is_tuple, outputs=outputs, inner=inner)
        if operator[1] == "derive" and call is not None:
            mode = self.literal(_argument(call, 2, ("mode",)), scopes)
            order = self.literal(_argument(call, 3, ("order",)), scopes)
            n_inner = order - 1 if isinstance(order, int) and 1 < order <= HIGHEST else 0
            return nested(asked, ("grad",) * n_inner + ("jvp" if mode == "forward" else "grad",))
        mode = self.literal(_keyword(call, "mode"), scopes)
        if operator[0] != "adlsp" and mode == "forward":
            return nested(asked, ("jvp",))
        return nested(asked, KINDS.get(operator[1], ("grad",)))

    # what is asked for

    def interest(
        self,
        operator: tuple[str, str],
        call: ast.Call | None,
        definition: Definition,
        scopes: Scopes,
    ) -> tuple[tuple[str, ...], bool]:
        """The parameters of interest, and whether their gradients come back as a tuple."""
        package, name = operator
        positional = definition.positional_parameters
        if package == "jax" and name in ("vjp", "jvp") and call is not None:
            return positional[: _primals(call, name)], True
        position = {MARK: 0, "check_grads": 2}.get(name, 1)
        selected = _argument(call, position, (SELECTS[package],)) if call is not None else None
        chosen = self.chosen(selected, definition, scopes)
        if chosen is not None:
            return chosen[0], chosen[1] or name == "check_grads"
        if name == MARK and selected is None:
            return definition.named_parameters, True
        return positional[:1], False

    def chosen(
        self, node: ast.expr | None, definition: Definition, scopes: Scopes
    ) -> tuple[tuple[str, ...], bool] | None:
        """The parameters that an expression names or counts; None if it says nothing."""
        value = self.literal(node, scopes)
        is_tuple = isinstance(value, tuple)
        items = value if isinstance(value, tuple) else (value,)
        if node is None or not all(type(item) in (int, str) for item in items):
            return None
        names = [self.parameter(item, node, definition) for item in items]
        return tuple(dict.fromkeys(n for n in names if n is not None)), is_tuple

    def parameter(self, item: object, place: Node, definition: Definition) -> str | None:
        """The parameter of a name or index; reports it if there is none."""
        arguments = definition.written.tree.args
        positional, known = definition.positional_parameters, definition.parameters
        if isinstance(item, int) and -len(positional) <= item < len(positional):
            return positional[item]
        if isinstance(item, str) and item in known:
            return item
        takes_any = arguments.vararg if isinstance(item, int) else arguments.kwarg
        if takes_any is None:
            shown = f"`{item}`" if isinstance(item, str) else f"number {item}"
            self.report(UnknownParameter(definition.name, shown), place)
        return None

    def literal(self, node: ast.expr | None, scopes: Scopes) -> object:
        """The value of a number, a string or a tuple of them, also by the name of a constant."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return -value
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return tuple(self.literal(item, scopes) for item in items)
            case ast.Name(id=name):
                for names in (*reversed(scopes.inner), self.module.names):
                    if name in names:
                        entry = names[name]
                        written = entry.value if isinstance(entry, bindings.Assigned) else None
                        is_alias = isinstance(written, ast.Name)
                        return None if is_alias else self.literal(written, scopes)
        return None

    # what names mean

    def operator(self, node: ast.expr, scopes: Scopes) -> tuple[str, str] | None:
        """The package and name of a function that takes a function to differentiate."""
        meaning = self.meaning(node, scopes)
        if not isinstance(meaning, Binding):
            return None
        package, _, name = meaning.dotted.rpartition(".")
        package = package.removesuffix(".api") if package.startswith("adlsp") else package
        known = package in SELECTS and name in TAKES_FUNCTION
        return (package, name) if known or meaning.dotted == f"adlsp.{MARK}" else None

    def definition(self, argument: ast.expr, scopes: Scopes) -> Definition | None:
        """The function that an argument names; reports it where it cannot be differentiated."""
        meaning = self.meaning(argument, scopes)
        if isinstance(meaning, ast.Lambda | ast.FunctionDef):
            is_lambda = isinstance(argument, ast.Lambda)
            self.report(NestedFunction("lambda" if is_lambda else self.text(argument)), argument)
        elif meaning is not None and meaning.kind == "missing":
            self.report(UnresolvedFunction(self.text(argument)), argument)
        elif meaning is not None and meaning.kind == "function":
            found = self.resolver.definition(meaning.dotted)
            if found is None and not self.resolver.parsed(self.source)[1]:
                self.report(SourceUnavailable(self.text(argument)), argument)
            return found
        elif meaning is not None and self.is_foreign(meaning):
            self.report(SourceUnavailable(self.text(argument)), argument)
        return None

    def is_foreign(self, meaning: Binding) -> bool:
        """Tells whether a thing belongs to a module whose text is not read."""
        if meaning.kind == "module":
            return True
        return meaning.kind == "value" and self.resolver.attribute(meaning, "_").kind != "missing"

    def meaning(self, node: ast.expr | None, scopes: Scopes, depth: int = 8) -> Meaning:
        """What an expression means; aliases in inner scopes are followed `depth` steps."""
        match node:
            case ast.Lambda():
                return node
            case ast.Name(id=name):
                for names in reversed(scopes.inner):
                    if name in names:
                        return self.inner_meaning(names[name], scopes, depth)
                entry = self.module.names.get(name)
                if isinstance(entry, bindings.Assigned) and isinstance(entry.value, ast.Lambda):
                    return entry.value
                return self.resolver.name(self.source, name)
            case ast.Attribute(value=value, attr=attribute):
                owner = self.meaning(value, scopes, depth)
                if not isinstance(owner, Binding):
                    return None
                meaning = self.resolver.attribute(owner, attribute)
                is_known = owner.kind == "module" or meaning.kind != "missing"
                return meaning if is_known else owner if owner.kind == "missing" else None
        return None

    def inner_meaning(self, entry: bindings.Entry, scopes: Scopes, depth: int) -> Meaning:
        """What a name bound in a function around a place means there."""
        match entry:
            case bindings.DefinedFunction(node):
                return node
            case bindings.Assigned(value) if depth:
                return self.meaning(value, scopes, depth - 1)
            case bindings.ImportedModule(dotted):
                return Binding("module", dotted)
            case bindings.ImportedName(module, name):
                return self.resolver.attribute(Binding("module", module), name)
        return None

    # places

    def report(self, finding: Finding, node: Node) -> None:
        """Enters a finding at a node."""
        self.found.append(Found(finding, self.span(node)))

    def span(self, node: Node) -> Span:
        """The span of a node of this module."""
        return _span(self.source, node)

    def text(self, node: Node) -> str:
        """The text of a node, on one line."""
        return " ".join(self.source.slice(self.span(node)).split())


def _span(source: Source, node: Node) -> Span:
    end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return source.span(node.lineno, node.col_offset, end_line, end_offset)


def _keyword(call: ast.Call | None, name: str) -> ast.expr | None:
    keywords = call.keywords if call is not None else ()
    return next((keyword.value for keyword in keywords if keyword.arg == name), None)


def _argument(call: ast.Call, position: int, names: tuple[str, ...]) -> ast.expr | None:
    """An argument of a call by position or by one of its names."""
    if position < len(call.args):
        starred = any(isinstance(a, ast.Starred) for a in call.args[: position + 1])
        return None if starred else call.args[position]
    return next((k.value for k in call.keywords if k.arg in names), None)


def _primals(call: ast.Call, name: str) -> int | None:
    """How many arguments `jax.vjp(f, *primals)` or `jax.jvp(f, primals, tangents)` is given."""
    given = call.args[1:]
    if name == "jvp":
        primals = given[0] if given else None
        given = primals.elts if isinstance(primals, ast.Tuple | ast.List) else []
    is_known = bool(given) and not any(isinstance(a, ast.Starred) for a in given)
    return len(given) if is_known else None
