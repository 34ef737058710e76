"""Where the functions of a text are, and the statements in them: lines and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import field
from types import MappingProxyType

from adlsp.transform.frontend import parse, walks
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source


@dataclass(frozen=True, slots=True)
class Block:
    """The lines of a function, and those of each statement in it, in order.

    Of a statement that contains others, and of the function, only the head is meant.
    """

    first: int
    last: int
    statements: tuple[tuple[int, int], ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """The functions of a text, inner ones after those around them.

    `moved` has the next statement of the function for each line in it that belongs to none: blank
    lines, comments, documentation, and such as `else:`.
    """

    blocks: tuple[Block, ...] = ()
    moved: Mapping[int, int] = field(default_factory=dict)

    def around(self, line: int) -> Block | None:
        """The innermost function that a line lies in."""
        return next((b for b in reversed(self.blocks) if b.first <= line <= b.last), None)

    def statement(self, line: int) -> int:
        """The line itself, or that of the next statement where nothing stands in it."""
        return self.moved.get(line, line)

    def enters(self, line: int) -> int:
        """The same, and for the head of a function what runs first when it is called."""
        block = self.around(line)
        if block is None or line > block.statements[0][1] or len(block.statements) < 2:
            return self.statement(line)
        return block.statements[1][0]


def read(source: Source) -> Layout:
    """Reads the layout of a text; nothing is known of one that cannot be parsed."""
    tree = parse.tree(source, list(source.lines))
    if not isinstance(tree, ast.Module):
        return Layout()
    functions = [node for node in walks.over(tree) if isinstance(node, FUNCTIONS)]
    blocks = sorted(map(_block, functions), key=lambda block: (block.first, -block.last))
    moved = dict(each for block in blocks for each in _moves(block))
    return Layout(tuple(blocks), MappingProxyType(moved))


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PARTS = (ast.stmt, ast.ExceptHandler, ast.match_case)


def _block(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Block:
    first = min([function.lineno, *(each.lineno for each in function.decorator_list)])
    statements = tuple(sorted(_head(statement) for statement in _statements(function)))
    return Block(first, function.end_lineno or first, statements, function.name)


def _moves(block: Block) -> Iterator[tuple[int, int]]:
    """Each line of a function, with the statement that it belongs to or comes before."""
    starts = {first for first, _ in block.statements}
    taken = {line for first, last in block.statements for line in range(first, last + 1)}
    following: int | None = None
    for line in range(block.last, block.first - 1, -1):
        yield line, line if line in taken or following is None else following
        following = line if line in starts else following


def _statements(function: ast.stmt) -> Iterator[ast.stmt]:
    """A function and the statements in it, but for what only documents, and for inner functions."""
    pending: list[ast.AST] = [function]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.stmt) and not _is_text(node):
            yield node
        children = (each for each in walks.children(node) if isinstance(each, PARTS))
        pending += [child for child in children if not isinstance(child, FUNCTIONS)]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _head(statement: ast.stmt) -> tuple[int, int]:
    """The lines of a statement, up to the first that another one in it has."""
    children = walks.children(statement)
    if not any(isinstance(child, PARTS) for child in children):
        return statement.lineno, statement.end_lineno or statement.lineno
    ends = [
        part.end_lineno or 0
        for child in children
        if not isinstance(child, PARTS)
        for part in walks.over(child)
        if isinstance(part, ast.expr | ast.arg)
    ]
    return statement.lineno, max([statement.lineno, *ends])
