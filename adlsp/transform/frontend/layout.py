"""Where the functions of a text are, and the statements in them: lines and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from adlsp.transform.frontend import parse
from adlsp.transform.source import Source


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of a function, and those of each statement in it, in order.

    Of a statement that contains others, and of the function, only the head is meant.
    """

    first: int
    last: int
    statements: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The functions of a text, inner ones after those around them."""

    blocks: tuple[Block, ...] = ()

    def around(self, line: int) -> Block | None:
        """The innermost function that a line lies in."""
        return next((b for b in reversed(self.blocks) if b.first <= line <= b.last), None)

    def statement(self, line: int) -> int:
        """The line itself if it belongs to a statement of a function.

        Else that of the next statement of the function: blank lines, comments, documentation and
        such as `else:` belong to none.
        """
        block = self.around(line)
        if block is None or any(first <= line <= last for first, last in block.statements):
            return line
        return next((first for first, _ in block.statements if first > line), line)


def read(source: Source) -> Layout:
    """Reads the layout of a text; nothing is known of one that cannot be parsed."""
    tree = parse.tree(source, list(source.lines))
    if not isinstance(tree, ast.Module):
        return Layout()
    functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    blocks = (_block(function) for function in functions)
    return Layout(tuple(sorted(blocks, key=lambda block: (block.first, -block.last))))


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PARTS = (ast.stmt, ast.ExceptHandler, ast.match_case)


def _block(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Block:
    first = min([function.lineno, *(each.lineno for each in function.decorator_list)])
    statements = tuple(sorted(_head(statement) for statement in _statements(function)))
    return Block(first, function.end_lineno or first, statements)


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """A statement and those in it, but for what only documents, and for inner functions."""
    if isinstance(node, ast.stmt) and not _is_text(node):
        yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, PARTS) and not isinstance(child, FUNCTIONS):
            yield from _statements(child)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _head(statement: ast.stmt) -> tuple[int, int]:
    """The lines of a statement, up to the first that another one in it has."""
    children = [*ast.iter_child_nodes(statement)]
    if not any(isinstance(child, PARTS) for child in children):
        return statement.lineno, statement.end_lineno or statement.lineno
    ends = [
        part.end_lineno or 0
        for child in children
        if not isinstance(child, PARTS)
        for part in ast.walk(child)
        if isinstance(part, ast.expr | ast.arg)
    ]
    return statement.lineno, max([statement.lineno, *ends])
