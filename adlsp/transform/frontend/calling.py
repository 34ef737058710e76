"""The calls of derivatives, with the statements before them: `adlsp.grad(loss)(w, x)`.

`@adlsp.differentiable(example=(w, x))` tells the same where no call stands in the text.

The text around a call tells what its arguments are, `w = np.zeros((3, 2))` above it. It is put into
a function of its own, `Call.around`, that binds `ARGUMENTS` to them where the call stands: so it is
lowered, and what they are inferred, like that of any function.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from adlsp.transform.frontend import bindings, walks
from adlsp.transform.frontend.initializers import DEFINING, gathered
from adlsp.transform.frontend.resolve import Definition
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source, Span

ARGUMENTS = "adlsp_arguments"
"""The variable that gets the arguments of a call, as a tuple."""

Scope = ast.Module | ast.FunctionDef


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a derivative: how many arguments it gives by position, and which by name.

    `function` is what the text calls the function that is differentiated.
    """

    function: str
    n_positional: int
    keywords: tuple[str, ...]
    around: Definition


def calls(module: ast.Module, source: Source, operator: Span) -> Iterator[Call]:
    """The calls of what an operator gives, `adlsp.grad(loss)`, by the place of that."""
    scope, made = _at(module, source, operator)
    if made is None or len(made.args) < 1 or not isinstance(made.args[0], ast.Name | ast.Attribute):
        return
    given = made.args[0]
    function = given.id if isinstance(given, ast.Name) else given.attr
    names = _names(scope, made)
    for node in _own(scope):
        if isinstance(node, ast.Call) and (
            node.func is made or (isinstance(node.func, ast.Name) and node.func.id in names)
        ):
            around = _around(scope, node)
            if around is not None and not any(isinstance(a, ast.Starred) for a in node.args):
                keywords = tuple(k.arg for k in node.keywords if k.arg is not None)
                written = bindings.DefinedFunction(around)
                if len(keywords) == len(node.keywords):
                    yield Call(function, len(node.args), keywords, Definition(source, written))


def example(module: ast.Module, source: Source, function: ast.FunctionDef) -> Call | None:
    """The arguments in `@adlsp.differentiable(example=(w, x))`, as a call of the function."""
    for mark in function.decorator_list:
        match mark:
            case ast.Call(ast.Name("differentiable") | ast.Attribute(attr="differentiable")):
                for keyword in mark.keywords:
                    if keyword.arg == "example" and isinstance(keyword.value, ast.Tuple):
                        call = ast.copy_location(ast.Call(mark, keyword.value.elts, []), mark)
                        before = [s for s in module.body if s.lineno < function.lineno]
                        step = ast.copy_location(ast.Expr(call), mark)
                        around = _around(ast.Module([*before, step], []), call)
                        assert around is not None
                        written = bindings.DefinedFunction(around)
                        return Call(function.name, len(call.args), (), Definition(source, written))
    return None


def _at(module: ast.Module, source: Source, place: Span) -> tuple[Scope, ast.Call | None]:
    """The call at a place, and the function around it."""

    def below(node: ast.AST, scope: Scope) -> tuple[Scope, ast.Call | None]:
        for child in walks.children(node):
            inner = child if isinstance(child, ast.FunctionDef) else scope
            if isinstance(child, ast.Call) and _span(source, child) == place:
                return inner, child
            found = below(child, inner)
            if found[1] is not None:
                return found
        return scope, None

    return below(module, module)


def _span(source: Source, node: ast.Call) -> Span:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return source.span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def _own(scope: Scope) -> Iterator[ast.AST]:
    """The nodes of a function or module, in the order of the text, without those of others."""
    pending: list[ast.AST] = list(reversed(scope.body))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, DEFINING):
            pending.extend(reversed(walks.children(node)))


def _names(scope: Scope, made: ast.Call) -> set[str]:
    """The variables that hold what an operator gives, if nothing else is ever bound to them."""
    bound = [
        target.id
        for node in _own(scope)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        for target in (node,)
    ]
    return {
        target.id
        for node in _own(scope)
        if isinstance(node, ast.Assign) and node.value is made
        for target in node.targets
        if isinstance(target, ast.Name) and bound.count(target.id) == 1
    }


def _around(scope: Scope, call: ast.Call) -> ast.FunctionDef | None:
    """The function of the statements before a call, that binds the arguments."""
    is_module = isinstance(scope, ast.Module)
    body = [s for s in scope.body if not (is_module and isinstance(s, DEFINING))]
    made = _cut(body, call)
    if made is None:
        return None
    return gathered(made, copy.deepcopy(scope.args) if isinstance(scope, ast.FunctionDef) else None)


def _cut(body: list[ast.stmt], call: ast.Call) -> list[ast.stmt] | None:
    """The statements up to a call, with the one that binds its arguments in its place."""
    for position, statement in enumerate(body):
        if not any(node is call for node in walks.over(statement)):
            continue
        before = copy.deepcopy(body[:position])
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            cut = _cut(inner, call) if isinstance(inner, list) else None
            if cut is not None:
                around = copy.copy(statement)
                setattr(around, field, cut)
                return [*before, around]
        values = copy.deepcopy([*call.args, *(k.value for k in call.keywords)])
        bound = ast.Assign([ast.Name(ARGUMENTS, ast.Store())], ast.Tuple(values, ast.Load()))
        return [*before, ast.copy_location(bound, statement)]
    return None
