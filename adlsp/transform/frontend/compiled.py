"""Where the function of a code object stands in its text, and what that says of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType

from adlsp.transform.frontend import modules, walks
from adlsp.transform.frontend.closures import Inner
from adlsp.transform.frozen import dataclass

LAMBDA = "<lambda>"
"""What Python calls a function without a name."""


def place(code: CodeType, module: modules.Module) -> Inner | None:
    """The function of a module that a code object was compiled from; None if that is not clear.

    Several lambdas may stand on one line: they are told apart by the places of their operations,
    which Python keeps from 3.11 on, and else by the names and constants in them.
    """
    near = [each for each in module.scope.on(code.co_firstlineno) if _is_on(each, code)]
    if len(near) > 1 and code.co_name == LAMBDA:
        near = [each for each in near if _covers(each.tree, code)]
        near = [each for each in near if not any(each in other.chain for other in near)]
        texts = {ast.dump(each.tree) for each in near}
        near = near[:1] if len(texts) == 1 else near
    return near[0] if len(near) == 1 else None


def _is_on(inner: Inner, code: CodeType) -> bool:
    tree = inner.tree
    if isinstance(tree, ast.Lambda):
        return code.co_name == LAMBDA and tree.lineno == code.co_firstlineno
    if not isinstance(tree, ast.FunctionDef):
        return False
    starts = [tree.lineno, *(decorator.lineno for decorator in tree.decorator_list)]
    return tree.name == code.co_name and code.co_firstlineno in (tree.lineno, min(starts))


def _covers(tree: ast.AST, code: CodeType) -> bool:
    """Tells whether all of a code object may come from a lambda."""
    assert isinstance(tree, ast.Lambda)
    if hasattr(code, "co_positions"):
        start = tree.body.lineno, tree.body.col_offset
        end = tree.body.end_lineno, tree.body.end_col_offset
        found = [*_positions(code)]
        return bool(found) and all(start <= first and last <= end for first, last in found)
    nodes = [*walks.over(tree)]
    names = {n.id for n in nodes if isinstance(n, ast.Name)} | {
        n.attr for n in nodes if isinstance(n, ast.Attribute)
    }
    constants = {n.value for n in nodes if isinstance(n, ast.Constant)}
    used = {*code.co_names, *code.co_freevars, *code.co_varnames, *code.co_cellvars}
    parameters = [each.arg for each in walks.over(tree.args) if isinstance(each, ast.arg)]
    given = (c for c in code.co_consts if isinstance(c, int | float | complex | str | bytes))
    return (
        used <= {*names, *parameters} and names <= used and all(each in constants for each in given)
    )


Position = tuple[int, int]


def _positions(code: CodeType) -> Iterator[tuple[Position, Position]]:
    """The places in the text of the operations that have one."""
    for line, end_line, start, end in code.co_positions():
        if line is not None and end_line is not None and start is not None and end:
            yield (line, start), (end_line, end)


@dataclass(frozen=True, slots=True)
class ClassText:
    """What the text of a class tells: its fields, methods and plain values, and its lines."""

    fields: tuple[str, ...]
    methods: tuple[str, ...]
    values: tuple[tuple[str, object], ...]
    lines: range


def class_text(tree: ast.ClassDef) -> ClassText:
    """What the text of a class tells of what was compiled."""
    fields, methods = list[str](), list[str]()
    values: list[tuple[str, object]] = []
    for statement in tree.body:
        match statement:
            case ast.FunctionDef(name=name):
                methods.append(name)
            case ast.AnnAssign(ast.Name(name)):
                fields.append(name)
            case ast.Assign([ast.Name(name)], ast.Constant(value)):
                values.append((name, value))
    lines = range(tree.lineno, (tree.end_lineno or tree.lineno) + 1)
    return ClassText(tuple(fields), tuple(methods), tuple(values), lines)


def default_names(tree: ast.FunctionDef) -> Iterator[tuple[str, str, int | None]]:
    """The defaults that are names, or attributes of such: the parameter, and the text.

    Last comes how many defaults stand behind; None for a parameter that is given by its name only.
    """
    arguments = tree.args
    positional = reversed([*arguments.posonlyargs, *arguments.args])
    pairs = zip(positional, reversed(arguments.defaults), strict=False)
    every = [(p.arg, node, behind) for behind, (p, node) in enumerate(pairs)]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    for name, node, behind in (*every, *((p.arg, node, None) for p, node in named)):
        inner = node
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        if node is not None and isinstance(inner, ast.Name):
            yield name, ast.unparse(node), behind
