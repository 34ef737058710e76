"""Finds what is to be differentiated in a file: its roots.

A root is a function that is passed to `adlsp.grad` or its kin (or to the like functions of
`tangent`, `autograd` and `jax`), anywhere in the file, or that is marked `@adlsp.differentiable`.
What is passed is followed as far as the text tells (`meanings.py`); where it does not, a finding
says so, because what is not followed is not checked.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from adlsp.transform.artifact import GRADIENT, Kind, Request
from adlsp.transform.diagnostics.language import NestedFunction, UnsupportedStatement
from adlsp.transform.diagnostics.reading import (
    LibraryFunction,
    SourceUnavailable,
    TooLarge,
    UnknownParameter,
    UnresolvedFunction,
    UnresolvedRoot,
)
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding
from adlsp.transform.frontend import (
    bindings,
    call_sites,
    classes,
    decorators,
    meanings,
    modules,
    operators,
    wrappers,
)
from adlsp.transform.frontend.call_sites import Scopes
from adlsp.transform.frontend.meanings import MARK_IT, Candidate, Handed, Meanings
from adlsp.transform.frontend.resolve import Binding, Definition, Resolver
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source, Span

OF_TORCH = "there are no rules for functions of torch"


@dataclass(frozen=True, slots=True)
class Root:
    """A function to differentiate: the request, the call or decorator, and the definition.

    One that is handed to a function which differentiates it has the call of that.
    """

    request: Request
    span: Span
    definition: Span
    is_handed: bool = False


Node: TypeAlias = ast.expr | ast.stmt
"""What has a place in the text."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A function that is differentiated: of which, by a partial, some parameters have values.

    `inner` is the derivative of it that is differentiated, where it is not the function itself.
    `handed` is the call that hands it to the function which differentiates it.
    """

    definition: Definition
    candidate: Candidate | None = None
    inner: Request | None = None
    handed: Span | None = None

    @property
    def positional(self) -> tuple[str, ...]:
        """The parameters that can be counted."""
        named = self.definition.positional_parameters
        if self.candidate is None:
            return named
        return tuple(n for n in named[self.candidate.n_bound :] if n not in self.candidate.bound)

    @property
    def named(self) -> tuple[str, ...]:
        """The parameters that have no values yet, but `*args` and `**kwargs`."""
        every = self.definition.named_parameters
        n_counted = len(self.definition.positional_parameters)
        bound = () if self.candidate is None else self.candidate.bound
        return (*self.positional, *(name for name in every[n_counted:] if name not in bound))


def may_ask(text: str) -> bool:
    """Tells whether a text may ask for a derivative, by the words in it."""
    packages = any(package in text for package in operators.SELECTS)
    return packages and bool(call_sites.words(text, operators.NAMES))


def nested(request: Request, kinds: tuple[Kind, ...]) -> Request:
    """Asks for the derivative of the last of some kinds, of those of the kinds before it."""
    inner = request.inner
    for kind in kinds[:-1]:
        inner = replace(request, kind=kind, inner=inner)
    return replace(request, kind=kinds[-1], inner=inner)


def roots(source: Source, resolver: Resolver) -> tuple[tuple[Root, ...], tuple[Diagnostic, ...]]:
    """Gives the roots of a file in order, and what is wrong with what is asked for there."""
    reader = _read(source, resolver, ())
    if reader is None:
        return (), ()
    found = sorted(reader.found, key=lambda f: (f.span.line, f.span.column))
    return tuple(sorted(reader.roots, key=lambda r: (r.span.line, r.span.column))), tuple(found)


def _read(source: Source, resolver: Resolver, givers: tuple[_Reader, ...]) -> _Reader | None:
    """What was read in a file; `givers` are other files that may call its functions."""
    words = call_sites.words(source.text, operators.NAMES)
    module = resolver.parsed(source)[0] if words else None
    if module is None:
        return None
    reader = _Reader(module, resolver, words, givers)
    for node, scopes in call_sites.sites(module, words):
        if isinstance(node, ast.Call):
            reader.read_call(node, scopes)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                reader.read_decorator(node, decorator, scopes)
    return reader


def takers(source: Source, resolver: Resolver) -> frozenset[str]:
    """The functions of a file that differentiate what they are given, by their dotted names."""
    reader = _read(source, resolver, ())
    return frozenset() if reader is None else frozenset(reader.takers)


def handed(source: Source, resolver: Resolver, giver: Source, giving: Resolver) -> tuple[Root, ...]:
    """The roots that another file hands to the functions of a file, which differentiates them.

    `giving` says what names mean in the other file.
    """
    module = giving.parsed(giver)[0]
    givers = () if module is None else (_Reader(module, giving, ()),)
    reader = _read(source, resolver, givers) if givers else None
    found = () if reader is None else reader.roots
    return tuple(root for root in found if root.span.path == giver.path)


def is_root(definition: Definition, resolver: Resolver) -> bool:
    """Tells whether a decorator takes the derivative of a function as its text says."""
    found = bare(definition, resolver)
    return found is not None and decorators.are_transparent(found, resolver)


def bare(definition: Definition, resolver: Resolver) -> Definition | None:
    """A function with the decorators below the one that takes its derivative; None without one."""
    module, tree = resolver.parsed(definition.source)[0], definition.written.tree
    if module is None:
        return None
    reader = _Reader(module, resolver, operators.NAMES)
    for number, decorator in reversed([*enumerate(tree.decorator_list)]):
        operator = reader.decorating(decorator, Scopes())[1]
        if (
            operator is not None
            and operator[1] != operators.MARK
            and operator[0] in operators.SELECTS
        ):
            below = copy.copy(tree)
            below.decorator_list = tree.decorator_list[number + 1 :]
            return Definition(definition.source, bindings.DefinedFunction(below))
    return None


class _Reader:
    """Reads the calls and decorators of one module."""

    def __init__(
        self,
        module: modules.Module,
        resolver: Resolver,
        words: tuple[str, ...],
        givers: tuple[_Reader, ...] = (),
    ) -> None:
        self.words = frozenset(words)
        self.givers = givers
        self.takers: set[str] = set()
        self._given: set[Handed] = set()
        self.module = module
        self.source = module.source
        self.resolver = resolver
        self.meanings = Meanings(module, resolver)
        self.roots: list[Root] = []
        self.found: list[Diagnostic] = []

    def read_call(self, node: ast.Call, scopes: Scopes) -> None:
        """Enters the roots of a call such as `adlsp.grad(f)` or `map(adlsp.grad, [f, g])`."""
        call, operator = self.operation(node, scopes)
        called = self.drawn(node.func, scopes) if operator is None else [operator]
        if not called:
            self.read_passed(node, scopes)
        for each in called:
            if each[1] == operators.MARK:
                continue
            argument = _argument(call, 0, operators.FUNCTION)
            if argument is None:
                why = f"nothing in the text says which function is meant; {MARK_IT}"
                self.report(UnresolvedRoot(self.text(node), why), node)
            else:
                self.read_argument(node, each, call, argument, scopes)

    def read_passed(self, node: ast.Call, scopes: Scopes) -> None:
        """Enters the roots of a call that is given `adlsp.grad` itself."""
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            is_one = _last_name(argument) in self.words
            operator = self.operator(argument, scopes) if is_one else None
            if operator is None or operator[1] == operators.MARK:
                continue
            function = self.meanings.dotted(node.func, scopes)
            given = None
            if function == "builtins.map" and argument is node.args[0] and len(node.args) > 1:
                given = self.meanings.elements(node.args[1], scopes)
            for each, around in given or ():
                call = ast.copy_location(ast.Call(argument, [each], []), node)
                self.read_argument(node, operator, call, each, around)
            if given is None and function != meanings.PARTIAL:
                why = f"the call that it is passed to decides what it differentiates; {MARK_IT}"
                self.report(UnresolvedRoot(self.text(argument), why), argument)

    def read_argument(
        self,
        place: Node,
        operator: operators.Operator,
        call: ast.Call,
        argument: ast.expr,
        scopes: Scopes,
    ) -> None:
        """Enters a root for each function that an argument of `adlsp.grad` may be."""
        if operator[0] not in operators.SELECTS:
            self.report(UnresolvedRoot(self.text(argument), OF_TORCH), argument)
            return
        for subject in self.subjects(argument, argument, scopes):
            self.enter(place, operator, call, subject, scopes)

    def subjects(self, argument: ast.expr, place: ast.expr, scopes: Scopes) -> Iterator[Subject]:
        """The functions that an argument may be; reports what is none, or is not known."""
        seen = set[tuple[Binding, int, tuple[str, ...]]]()
        for candidate in self.meanings.candidates(argument, scopes):
            if isinstance(candidate.meaning, Binding):
                what = candidate.meaning, candidate.n_bound, candidate.bound
                if what in seen:
                    continue
                seen.add(what)
            given = [] if candidate.handed is None else [*self.given(candidate.handed)]
            if given:
                yield from given
            elif isinstance(candidate.meaning, ast.Call):
                yield from self.again(candidate, place)
            elif not candidate.is_optional:
                definition = self.definition(candidate, place)
                if definition is not None:
                    yield Subject(definition, candidate)

    def given(self, handed: Handed) -> Iterator[Subject]:
        """The functions that callers give to a function which differentiates them."""
        taker = self.resolver.definition(handed.function)
        is_class = taker is None and self.resolver.class_of(handed.function) is not None
        if handed in self._given or (taker is None and not is_class):
            return
        called = handed.function if taker is None else _called(taker)
        self.takers.update((called, *self.meanings.below(called)))
        self._given.add(handed)
        for giver in (self, *self.givers):
            if taker is None:
                yield from giver.setting(handed)
            else:
                yield from giver.giving(taker, handed)
        self._given.discard(handed)

    def setting(self, handed: Handed) -> Iterator[Subject]:
        """The functions that this module sets an attribute of the objects of a class to."""
        owner, attribute = handed.function, handed.parameter
        words = call_sites.words(self.source.text, (attribute, *self.named(owner)))
        for node, scopes in call_sites.sites(self.module, words) if words else ():
            set_to = self.set_to(node, owner, attribute, scopes)
            if set_to is not None and isinstance(node, ast.Assign | ast.Call):
                yield from self.handing(node, set_to, scopes)

    def set_to(self, node: ast.AST, owner: str, attribute: str, scopes: Scopes) -> ast.expr | None:
        """What an assignment sets an attribute to from outside, or a call that makes an object."""
        match node:
            case ast.Assign(targets=[ast.Attribute(value=of, attr=attr)], value=value):
                if attr == attribute and not self.meanings.is_first(of):
                    made = self.meanings.of_object(of, scopes)
                    return value if made and owner in self.resolver.order(made) else None
            case ast.Call():
                made = self.meanings.of_object(node, scopes) or ""
                fields = classes.fields(made, self.resolver)
                if attribute in fields and owner in self.resolver.order(made):
                    return _argument(node, fields.index(attribute), (attribute,))
        return None

    def named(self, owner: str) -> Iterator[str]:
        """The names by which this module knows a class, and those derived from it."""
        yield owner.rpartition(".")[2]
        for name in self.module.names:
            meant = self.resolver.name(self.source, name)
            if meant.kind == "class" and owner in self.resolver.order(meant.dotted):
                yield name

    def handing(
        self, node: ast.Call | ast.Assign, given: ast.expr, scopes: Scopes
    ) -> Iterator[Subject]:
        """The functions that an expression in a statement may be, which hands them on."""
        n_found = len(self.found)
        for subject in self.subjects(given, given, scopes):
            yield replace(subject, handed=subject.handed or self.span(node))
        del self.found[n_found:]

    def giving(self, taker: Definition, handed: Handed) -> Iterator[Subject]:
        """The functions that calls in this module give to another one for a parameter."""
        called = _called(taker)
        names = [called.rpartition(".")[2]]
        if called != taker.dotted:
            names = [*self.named(called), "__init__"]
        words = call_sites.words(self.source.text, tuple(names))
        for node, scopes in call_sites.sites(self.module, words) if words else ():
            given = self.argument(node, taker, handed.parameter, scopes)
            if given is None or not isinstance(node, ast.Call):
                continue
            for attribute in handed.attributes:
                given = ast.copy_location(ast.Attribute(given, attribute, ast.Load()), given)
            yield from self.handing(node, given, scopes)

    def argument(
        self, node: ast.AST, taker: Definition, parameter: str, scopes: Scopes
    ) -> ast.expr | None:
        """What a call gives a function for a parameter; None where it calls another."""
        if not isinstance(node, ast.Call):
            return None
        n_bound = self.n_bound(node.func, taker, scopes)
        if n_bound is None:
            return None
        names = taker.positional_parameters[n_bound:]
        position = names.index(parameter) if parameter in names else len(node.args)
        return _argument(node, position, (parameter,))

    def n_bound(self, function: ast.expr, taker: Definition, scopes: Scopes) -> int | None:
        """How many parameters have values where a function is called; None where another is."""
        match function:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name):
                above = self.resolver.order(self.meanings.class_around(function) or "")[1:]
                found = classes.method(above, name, self.resolver)
                return 1 if found == taker.dotted else None
        for each in self.meanings.candidates(function, scopes):
            called = each.meaning.dotted if isinstance(each.meaning, Binding) else ""
            is_taker = called in (taker.dotted, _called(taker))
            if not is_taker and isinstance(each.meaning, Binding) and each.meaning.kind == "class":
                order = self.resolver.order(called)
                is_taker = classes.method(order, "__init__", self.resolver) == taker.dotted
            if is_taker and (taker.is_method or not each.is_partial) and not each.bound:
                return each.n_bound + (called != taker.dotted)
        return None

    def again(self, candidate: Candidate, place: ast.expr) -> Iterator[Subject]:
        """The functions whose derivatives are differentiated again."""
        assert isinstance(candidate.meaning, ast.Call)
        call, operator = self.operation(candidate.meaning, candidate.scopes)
        if operator is None:
            shown = self.text(candidate.meaning.func)
            why = f"what `{shown}` gives is known only when the program runs; {MARK_IT}"
            self.report(UnresolvedRoot(self.text(candidate.written), why), place)
            return
        argument = _argument(call, 0, operators.FUNCTION)
        if argument is None or operator[0] != "adlsp" or operator[1] not in operators.DERIVATIVES:
            return
        for subject in self.subjects(argument, argument, candidate.scopes):
            asked = self.request(operator, call, subject, candidate.scopes)
            if asked is not None:
                yield replace(subject, inner=asked)

    def read_decorator(
        self,
        function: ast.FunctionDef | ast.AsyncFunctionDef,
        decorator: ast.expr,
        scopes: Scopes,
    ) -> None:
        """Enters the root of a decorated function."""
        call, operator = self.decorating(decorator, scopes)
        if operator is None:
            return
        if isinstance(function, ast.AsyncFunctionDef):
            self.report(UnsupportedStatement("`async def`"), decorator)
        elif scopes.is_class and operator[1] != operators.MARK:
            self.report(NestedFunction(function.name), decorator)
        elif operator[0] not in operators.SELECTS:
            self.report(UnresolvedRoot(function.name, OF_TORCH), decorator)
        else:
            definition = self.resolver.definition(f"{self.source.module}.{function.name}")
            if scopes.inner:
                definition = self.inner(function)
            if modules.is_too_deep(function, self.source):
                self.report(TooLarge(function.name, modules.TOO_DEEP), decorator)
            elif definition is not None and definition.line == function.lineno:
                given = bare(definition, self.resolver) or definition
                may_wrap = given is definition
                if self.is_itself(given, function.name, decorator, may_wrap=may_wrap):
                    kind = decorators.method(given, self.resolver) if given.is_method else None
                    n_bound = int(kind in (decorators.OF_OBJECT, decorators.OF_CLASS))
                    candidate = Candidate(None, decorator, scopes, n_bound=n_bound)
                    self.enter(decorator, operator, call, Subject(definition, candidate), scopes)

    def decorating(
        self, decorator: ast.expr, scopes: Scopes
    ) -> tuple[ast.Call | None, operators.Operator | None]:
        """The operator that a decorator is, and the call of it without the function, if one is."""
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        operator = self.operator(called, scopes)
        if not isinstance(decorator, ast.Call):
            return None, operator
        if operator is not None and operator[1] == operators.MARK:
            return decorator, operator
        given, operator = self.partial(decorator, scopes)
        nobody = ast.copy_location(ast.Constant(None), decorator)
        call = ast.Call(called, [nobody, *given], decorator.keywords)
        return ast.copy_location(call, decorator), operator

    def enter(
        self,
        place: Node,
        operator: operators.Operator,
        call: ast.Call | None,
        subject: Subject,
        scopes: Scopes,
    ) -> None:
        """Enters a root, if there is any parameter to differentiate with respect to."""
        n_found = len(self.found)
        request = self.request(operator, call, subject, scopes)
        if request is not None:
            span = subject.handed or self.span(place)
            is_handed = subject.handed is not None
            self.roots.append(Root(request, span, subject.definition.span, is_handed))
        elif n_found == len(self.found):
            why = "no parameter of it is named that could be differentiated with respect to"
            self.report(UnresolvedRoot(subject.definition.name, why), place)

    def request(
        self, operator: operators.Operator, call: ast.Call | None, subject: Subject, scopes: Scopes
    ) -> Request | None:
        """What a call or decorator asks for; None where no parameter is of interest."""
        wrt, is_tuple = self.interest(operator, call, subject, scopes)
        if not wrt:
            return None
        outputs, _ = self.chosen(_keyword(call, "outputs"), subject, scopes) or ((), False)
        dotted = subject.definition.dotted
        asked = Request(dotted, wrt, is_tuple, outputs=outputs, inner=subject.inner)
        if operator[1] == "derive" and call is not None:
            mode = self.literal(_argument(call, 2, ("mode",)), scopes)
            order = self.literal(_argument(call, 3, ("order",)), scopes)
            n_inner = order - 1 if isinstance(order, int) and 1 < order <= operators.HIGHEST else 0
            return nested(asked, (*GRADIENT * n_inner, "jvp" if mode == "forward" else "grad"))
        mode = self.literal(_keyword(call, "mode"), scopes)
        if operator[0] != "adlsp" and mode == "forward":
            return nested(asked, ("jvp",))
        return nested(asked, operators.KINDS.get(operator[1], GRADIENT))

    # what is asked for

    def interest(
        self,
        operator: operators.Operator,
        call: ast.Call | None,
        subject: Subject,
        scopes: Scopes,
    ) -> tuple[tuple[str, ...], bool]:
        """The parameters of interest, and whether their gradients come back as a tuple."""
        package, name = operator
        positional = subject.positional
        if package == "jax" and name in ("vjp", "jvp", "linearize") and call is not None:
            return positional[: _primals(call, name)], True
        position = {operators.MARK: 0, "check_grads": 2}.get(name, 1)
        selected = (
            _argument(call, position, (operators.SELECTS[package],)) if call is not None else None
        )
        chosen = self.chosen(selected, subject, scopes)
        if chosen is not None:
            return chosen[0], chosen[1] or name == "check_grads"
        if name in (operators.MARK, "multigrad_dict") and selected is None:
            return subject.named, True
        return positional[:1], False

    def chosen(
        self, node: ast.expr | None, subject: Subject, scopes: Scopes
    ) -> tuple[tuple[str, ...], bool] | None:
        """The parameters that an expression names or counts; None if it says nothing."""
        value = self.literal(node, scopes)
        is_tuple = isinstance(value, tuple)
        items = value if isinstance(value, tuple) else (value,)
        if node is None or not all(type(item) in (int, str) for item in items):
            return None
        names = [self.parameter(item, node, subject) for item in items]
        return tuple(dict.fromkeys(n for n in names if n is not None)), is_tuple

    def parameter(self, item: object, place: Node, subject: Subject) -> str | None:
        """The parameter of a name or index; reports it if there is none."""
        definition = subject.definition
        arguments = definition.written.tree.args
        stars = (arguments.vararg, arguments.kwarg)
        known = (*subject.named, *(star.arg for star in stars if star is not None))
        positional = subject.positional
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

    def operation(
        self, node: ast.Call, scopes: Scopes
    ) -> tuple[ast.Call, operators.Operator | None]:
        """A call with the operator that it calls, what a partial gives to that included."""
        operator = self.operator(node.func, scopes)
        if operator is not None:
            return node, operator
        written: ast.expr | None = node.func
        if isinstance(node.func, ast.Name):
            written = self.meanings.assigned(node.func, scopes)
        if not isinstance(written, ast.Call):
            return node, None
        given, operator = self.partial(written, scopes)
        args, keywords = [*given, *node.args], [*written.keywords, *node.keywords]
        call = ast.copy_location(ast.Call(node.func, args, keywords), node)
        return call, operator

    def partial(
        self, node: ast.Call, scopes: Scopes
    ) -> tuple[list[ast.expr], operators.Operator | None]:
        """What `functools.partial` gives to an operator, and the operator."""
        if not node.args or self.meanings.dotted(node.func, scopes) != meanings.PARTIAL:
            return [], None
        return node.args[1:], self.operator(node.args[0], scopes)

    def operator(self, node: ast.expr, scopes: Scopes) -> operators.Operator | None:
        """What an expression means, if it is a function that takes a function to differentiate.

        A name is compared as the module imports it before it is followed: a checkout of one of the
        packages may lie in the same folder.
        """
        spelled = operators.known(self.meanings.spelled(node, scopes) or "")
        return spelled or operators.known(self.meanings.dotted(node, scopes) or "")

    def drawn(self, node: ast.expr, scopes: Scopes) -> list[operators.Operator]:
        """The operators that a variable of a loop is in turn."""
        if _last_name(node) not in self.words or not isinstance(node, ast.Name):
            return []
        found = (c.meaning for c in self.meanings.candidates(node, scopes))
        known = (operators.known(each.dotted) for each in found if isinstance(each, Binding))
        return [operator for operator in known if operator is not None]

    def definition(self, candidate: Candidate, place: ast.expr) -> Definition | None:
        """The function that is meant; reports it where it cannot be differentiated."""
        meaning, written = candidate.meaning, candidate.written
        shown = self.text(written)
        if isinstance(meaning, ast.Lambda | ast.FunctionDef):
            found = self.inner(meaning)
            if found is not None:
                return found if self.is_itself(found, shown, place) else None
            self.report(TooLarge(shown, modules.TOO_DEEP), place)
        elif not isinstance(meaning, Binding):
            self.report(UnresolvedRoot(shown, candidate.why), place)
        elif meaning.kind == "missing":
            self.report(UnresolvedFunction(shown), place)
        elif meaning.kind == modules.DEEP:
            self.report(TooLarge(shown, modules.TOO_DEEP), place)
        elif meaning.kind == "function":
            found = self.resolver.definition(meaning.dotted)
            if found is not None:
                return found if self.is_itself(found, shown, place) else None
            if not self.resolver.parsed(self.source)[1]:
                self.report(SourceUnavailable(shown), place)
        else:
            self.report_value(meaning, candidate, place)
        return None

    def inner(self, tree: ast.Lambda | ast.FunctionDef) -> Definition | None:
        """The definition of a function in others, or of a lambda."""
        for inner in self.module.scope.on(tree.lineno):
            if inner.tree is tree:
                return self.resolver.definition(f"{self.source.module}.{inner.path}")
        return None

    def report_value(self, meaning: Binding, candidate: Candidate, place: ast.expr) -> None:
        """Reports a thing that is no function with a text."""
        written, shown = candidate.written, self.text(candidate.written)
        entry = self.module.names.get(shown)
        if isinstance(entry, bindings.Unread):
            return
        if isinstance(entry, bindings.DefinedCoroutine):
            self.report(UnsupportedStatement("`async def`"), place)
        elif self.is_method(written, candidate.scopes):
            self.report(NestedFunction(shown), place)
        elif meaning.kind == "value" and self.is_foreign(meaning):
            is_known = meaning.dotted.partition(".")[0] in operators.LIBRARIES
            why = "its text is not read here; differentiate a function of your own that calls it"
            finding = LibraryFunction(shown) if is_known else UnresolvedRoot(shown, why)
            self.report(finding, place)
        else:
            what = f"a {meaning.kind}, " if meaning.kind in ("class", "module") else ""
            self.report(UnresolvedRoot(shown, f"it is {what}no function of this text"), place)

    def is_itself(
        self, definition: Definition, shown: str, place: ast.expr, *, may_wrap: bool = True
    ) -> bool:
        """Tells whether the text says what decorators make of a function; reports it if not.

        `may_wrap`: one of them may put a function around it.
        """
        if not definition.written.tree.decorator_list:
            return True
        opaque = decorators.opaque(definition, self.resolver)
        if opaque is not None and may_wrap and wrappers.wrapper(definition, self.resolver):
            return True
        if opaque is not None:
            why = f"what `{opaque}` makes of it is known only when the program runs"
            self.report(UnresolvedRoot(shown, why), place)
        return opaque is None

    def is_method(self, node: ast.expr, scopes: Scopes) -> bool:
        """Tells whether an expression names a function in a user's class."""
        if not isinstance(node, ast.Attribute):
            return False
        owner = self.meanings.meaning(node.value, scopes)
        return isinstance(owner, Binding) and owner.kind == "class"

    def is_foreign(self, meaning: Binding) -> bool:
        """Tells whether a thing belongs to a module whose text is not read."""
        return self.resolver.attribute(meaning, "_").kind != "missing"

    # places

    def report(self, finding: Finding, node: Node) -> None:
        """Enters a finding at a node, once."""
        found = Diagnostic(finding, self.span(node), blocks=finding.code != UnresolvedRoot.code)
        if found not in self.found:
            self.found.append(found)

    def span(self, node: Node) -> Span:
        """The span of a node of this module."""
        return _span(self.source, node)

    def text(self, node: Node) -> str:
        """The text of a node, on one line."""
        return " ".join(self.source.slice(self.span(node)).split())


def _called(taker: Definition) -> str:
    """The dotted name by which a function is called: a constructor by that of its class."""
    return taker.dotted.removesuffix(".__init__") if taker.is_method else taker.dotted


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


def _last_name(node: ast.expr) -> str | None:
    """The name that a dotted expression ends in."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def _primals(call: ast.Call, name: str) -> int | None:
    """How many arguments `jax.vjp(f, *primals)` or `jax.jvp(f, primals, tangents)` is given."""
    given = call.args[1:]
    if name == "jvp":
        primals = given[0] if given else None
        given = primals.elts if isinstance(primals, ast.Tuple | ast.List) else []
    is_known = bool(given) and not any(isinstance(a, ast.Starred) for a in given)
    return len(given) if is_known else None
