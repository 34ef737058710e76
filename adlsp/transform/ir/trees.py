"""The text of what the intermediate form keeps as it was written, and its tree again.

Only `Opaque` holds trees. Their text is unparsed, so that it is the same however the user had laid
it out; positions in the file are not part of it, the spans of the form say where things are.
"""

from __future__ import annotations

import ast

import gast

from adlsp.transform import depth


def is_statement(tree: object) -> bool:
    """Tells whether a tree is that of a statement, not of an expression."""
    return isinstance(tree, gast.stmt)


def written(tree: object) -> str:
    """The text of a tree."""
    return ast.unparse(gast.gast_to_ast(tree))


def read_statement(text: str) -> object:
    """The tree of one statement."""
    (tree,) = gast.ast_to_gast(depth.parse(text)).body
    return tree


def read_expression(text: str) -> object:
    """The tree of one expression."""
    return gast.ast_to_gast(depth.parse_expression(text))


def literal(text: str) -> object:
    """The value of a literal."""
    value: object = ast.literal_eval(text)
    return value
