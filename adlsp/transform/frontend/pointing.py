"""What a cursor points at in the text of a module: a name, and what it means there."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from itertools import pairwise

from adlsp.transform.frontend import bindings, call_sites, closures, modules, resolve
from adlsp.transform.frontend.bindings import Assigned, DefinedFunction
from adlsp.transform.frontend.meanings import Meaning, Meanings
from adlsp.transform.frontend.resolve import Binding, Definition, Resolver
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source, Span

WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Pointed:
    """A name at a place, in the function `inside` if it is in one.

    `means` is the function or global thing that it stands for, if it does. `variable_of` are the
    functions that it is a variable of: those that capture it, innermost first, and the one that
    binds it. `defines`: a function is defined by it.
    """

    name: str
    span: Span
    means: Binding | None = None
    variable_of: tuple[Definition, ...] = ()
    defines: bool = False
    inside: Definition | None = None


def pointed(source: Source, line: int, column: int, resolver: Resolver) -> Pointed | None:
    """The name at a place; None in strings, comments and whatever else is no name."""
    span = _word(source, line, column)
    module, _ = resolver.parsed(source)
    if span is None or module is None:
        return None
    offset = len(source.lines[line - 1][: span.column - 1].encode("utf-8", "surrogatepass"))
    path = call_sites.around(module, line, offset)
    if not path:
        return None
    inside = (_defined(node, module) for node, _ in reversed(path))
    function = next((each for each in inside if each is not None), None)
    found, (node, scopes) = Pointed(source.slice(span), span, inside=function), path[-1]
    meanings = Meanings(module, resolver)
    match node:
        case ast.Name():
            meaning = meanings.meaning(node, scopes)
            if isinstance(meaning, ast.FunctionDef | ast.Lambda):
                return _function(found, meaning, module)
            return _alone(_meaning(found, meaning), path, module)
        case ast.arg() if (node.lineno, node.col_offset) == (line, offset):
            return _alone(found, path, module)
        case ast.Attribute() if _is_last(node, span, source):
            method = meanings.method(node, scopes)
            meaning = meanings.meaning(node, scopes)
            return _meaning(found, meaning if method is None else method.meaning)
        case ast.FunctionDef() if Definition(source, DefinedFunction(node)).name_span == span:
            if scopes.inner:
                return replace(_function(found, node, module), defines=True)
            return replace(found, means=resolver.name(source, node.name), defines=True)
        case ast.alias() if not scopes.inner and found.name == (node.asname or node.name):
            return _meaning(found, resolver.name(source, found.name))
    return None


def _word(source: Source, line: int, column: int) -> Span | None:
    """The word at a place, at whose end a cursor may stand, too."""
    if not 1 <= line <= len(source.lines):
        return None
    for match in WORD.finditer(source.lines[line - 1]):
        if match.start() < column <= match.end() + 1:
            return Span(source.path, line, match.start() + 1, line, match.end() + 1)
    return None


def _is_last(node: ast.Attribute, span: Span, source: Source) -> bool:
    """Tells whether the name after the last dot is at a place."""
    end_line, end_offset = node.end_lineno or 0, node.end_col_offset or 0
    return (end_line, source.column(end_line, end_offset)) == (span.end_line, span.end_column)


def _meaning(found: Pointed, meaning: Meaning) -> Pointed:
    return replace(found, means=meaning if isinstance(meaning, Binding) else None)


def _function(found: Pointed, node: ast.AST, module: modules.Module) -> Pointed:
    """A name for a function in others."""
    definition = _defined(node, module)
    means = None if definition is None else Binding("function", definition.dotted)
    return replace(found, means=means)


def _alone(found: Pointed, path: tuple[call_sites.Site, ...], module: modules.Module) -> Pointed:
    """A name that stands alone: a variable of one of the functions around it, or a global one."""
    around = [outer for (outer, _), (inner, _) in pairwise(path) if _is_inside(inner, outer, path)]
    own = next((each for each in reversed(around) if found.name in closures.own_names(each)), None)
    definition = None if own is None else _defined(own, module)
    is_function = found.means is not None and found.means.kind == "function"
    if own is None or definition is None or is_function:
        return found
    if _is_no_value(found.name, definition.written.tree):
        return found
    inside = (_defined(each, module) for each in reversed(around[around.index(own) + 1 :]))
    taking = [each for each in inside if each is not None and found.name in each.captured]
    return replace(found, variable_of=(*taking, definition))


def _defined(node: ast.AST, module: modules.Module) -> Definition | None:
    """The function that a node defines."""
    known = module.names.get(node.name) if isinstance(node, ast.FunctionDef) else None
    if isinstance(known, DefinedFunction) and known.tree is node:
        return Definition(module.source, known)
    if isinstance(node, ast.FunctionDef | ast.Lambda):
        for inner in module.scope.on(node.lineno):
            if inner.tree is node and inner.is_inner:
                return resolve.inner(module, inner.path)
    return None


def _is_inside(inner: ast.AST, outer: ast.AST, path: tuple[call_sites.Site, ...]) -> bool:
    """Tells whether a child of a node, on the way to a name, sees the variables of the node."""
    match outer:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            is_parameter = isinstance(inner, ast.arguments) and isinstance(path[-1][0], ast.arg)
            return inner in outer.body or is_parameter
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return True
    return False


def _is_no_value(name: str, function: ast.FunctionDef) -> bool:
    """Tells whether a name stands for a function or module in a function."""
    entry = bindings.index(function.body, "").get(name)
    imported = bindings.ImportedModule | bindings.ImportedName | bindings.DefinedFunction
    is_lambda = isinstance(entry, Assigned) and isinstance(entry.value, ast.Lambda)
    return is_lambda or isinstance(entry, imported)
