"""A derivative that hands what it raises to a function, which is called only then.

On Python 3.11 and later a `try` costs nothing where nothing is raised.
"""

from __future__ import annotations

import ast

from adlsp.transform import depth
from adlsp.transform.frontend import walks

HANDLER = "__adlsp_raises__"
"""The variable of the derivative's module that holds the function."""

DEEPEST = 20
"""How many loops and other blocks Python takes inside each other; a `try` is one."""


def handled(module: ast.Module, name: str) -> ast.Module:
    """The tree of a derivative in which the function `name` calls the handler for what it raises.

    The handler has no line, so that a debugger does not stop in it.
    """
    return ast.Module([_handling(each, name) for each in module.body], module.type_ignores)


def _handling(root: ast.stmt, name: str) -> ast.stmt:
    if not isinstance(root, ast.FunctionDef) or root.name != name or _depth(root) > DEEPEST:
        return root
    docstring, *body = root.body
    (guard,) = depth.parse(f"try: pass\nexcept: {HANDLER}(); raise").body
    assert isinstance(guard, ast.Try)
    for node in walks.over(guard.handlers[0]):
        if isinstance(node, ast.expr | ast.stmt | ast.excepthandler):
            node.lineno = node.end_lineno = node.col_offset = node.end_col_offset = -1
    guard.body = body
    ast.copy_location(guard, body[0])
    root.body = [docstring, guard]
    return root


def _depth(statement: ast.AST) -> int:
    """How many blocks stand inside each other, the statement's own among them."""
    inner = [_depth(each) for each in walks.children(statement) if isinstance(each, ast.stmt)]
    return max(inner, default=0) + (not isinstance(statement, ast.If) and bool(inner))
