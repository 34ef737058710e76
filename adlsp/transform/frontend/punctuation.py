"""What stands in a text between the parts of a tree: the commas and parentheses."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator

import gast

from adlsp.transform.source import Source, Span

OPENING, CLOSING = ("(", "[", "{"), (")", "]", "}")
NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER)


def span(source: Source, node: gast.AST) -> Span:
    """Where a node stands."""
    return source.span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def tokens(source: Source, within: Span) -> Iterator[tuple[str, Span]]:
    """The tokens of an expression or a header, comments left out, each with its place."""
    for token in _tokens(source, within):
        if token.type not in NO_CODE:
            yield token.string, _place(token, within)


def inside(source: Source, within: Span) -> Iterator[tuple[str, Span]]:
    """The tokens between the last parentheses of a call, but for those in parentheses of theirs."""
    kept: list[tuple[str, Span]] = []
    depth = 0
    for text, at in tokens(source, within):
        depth -= text in CLOSING
        if depth == 0 and text in OPENING:
            kept.clear()
        elif depth == 1:
            kept.append((text, at))
        depth += text in OPENING
    yield from kept


def _tokens(source: Source, within: Span) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a part of the text, up to where it makes no sense any more by itself."""
    lines = iter([f"{line}\n" for line in source.slice(within).split("\n")])
    try:
        yield from tokenize.generate_tokens(lambda: next(lines, ""))
    except (tokenize.TokenError, SyntaxError):
        return


def _place(token: tokenize.TokenInfo, within: Span) -> Span:
    (line, column), (end_line, end_column) = token.start, token.end
    first = within.column - 1
    return Span(
        within.path,
        line + within.line - 1,
        column + 1 + (first if line == 1 else 0),
        end_line + within.line - 1,
        end_column + 1 + (first if end_line == 1 else 0),
    )
