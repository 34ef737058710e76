"""An expression taken apart: what is computed in it, innermost first, each of what came before.

So it can be computed again part by part, to find the one where something went wrong.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from adlsp.transform.frozen import dataclass

OPERAND = "_operand_"
"""How the variables for operands begin; their position follows."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an expression. `tree` reads its `operands`, numbers of other parts, as variables.

    `function` is what a call calls, `root` the variable that a leaf reads, "" for a constant;
    `is_whole` says that it is not taken apart although it computes something.
    """

    text: str
    tree: ast.Expression
    operands: tuple[int, ...] = ()
    function: ast.Expression | None = None
    root: str | None = None
    is_whole: bool = False


def parts(expression: ast.expr) -> tuple[Part, ...]:
    """The parts of an expression, itself the last one."""
    found: list[Part] = []
    _take(expression, found)
    return tuple(found)


def _take(node: ast.expr, found: list[Part]) -> int:
    """Appends a part and before it those that it is made of; gives its number."""
    text, root, split = ast.unparse(node), _root(node), _split(node)
    if root is not None:
        part = Part(text, _expression(node), root=root)
    elif split is None:
        part = Part(text, _expression(node), is_whole=True)
    else:
        inner, made_of = split
        numbers = tuple(_take(each, found) for each in inner)
        changed = made_of(*(ast.Name(f"{OPERAND}{i}", ast.Load()) for i in range(len(inner))))
        function = _expression(changed.func) if isinstance(changed, ast.Call) else None
        part = Part(text, _expression(changed), numbers, function)
    found.append(part)
    return len(found) - 1


def _split(node: ast.expr) -> tuple[list[ast.expr], Callable[..., ast.expr]] | None:
    """What an expression computes from, and the same of others; None where that is not certain."""
    load = ast.Load()
    match node:
        case ast.BinOp():
            return [node.left, node.right], lambda a, b: ast.BinOp(a, node.op, b)
        case ast.UnaryOp():
            return [node.operand], lambda a: ast.UnaryOp(node.op, a)
        case ast.Compare():
            return [node.left, *node.comparators], lambda a, *b: ast.Compare(a, node.ops, [*b])
        case ast.Attribute():
            return [node.value], lambda a: ast.Attribute(a, node.attr, load)
        case ast.Subscript():
            return [node.value], lambda a: ast.Subscript(a, node.slice, load)
        case ast.Tuple() | ast.List() if not _has_stars(node.elts):
            return node.elts, lambda *each: type(node)([*each], load)
        case ast.Call() if not _has_stars(node.args):
            return _split_call(node)
    return None


def _split_call(node: ast.Call) -> tuple[list[ast.expr], Callable[..., ast.expr]]:
    n_args, function = len(node.args), node.func
    is_method = isinstance(function, ast.Attribute) and _root(function) is None
    owner = [function.value] if isinstance(function, ast.Attribute) and is_method else []

    def made_of(*operands: ast.expr) -> ast.expr:
        given = operands[len(owner) :]
        called = function
        if isinstance(function, ast.Attribute) and is_method:
            called = ast.Attribute(operands[0], function.attr, ast.Load())
        names = (keyword.arg for keyword in node.keywords)
        keywords = [ast.keyword(*each) for each in zip(names, given[n_args:], strict=True)]
        return ast.Call(called, list(given[:n_args]), keywords)

    return [*owner, *node.args, *(keyword.value for keyword in node.keywords)], made_of


def _root(node: ast.expr) -> str | None:
    """The variable of `x`, `model.w`, `np.inf`; "" of a constant."""
    if isinstance(node, ast.Constant):
        return ""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _has_stars(nodes: list[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in nodes)


def _expression(node: ast.expr) -> ast.Expression:
    return ast.fix_missing_locations(ast.Expression(node))
