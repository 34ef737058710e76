"""`with np.errstate(...)`: decides which warnings NumPy gives, and so does not change a derivative.

Such context managers are no-ops here, as `tf.name_scope("layer")` is, too. What such a block holds
is read as if it stood alone. One that asks for errors to be raised is left: there a value becomes
an exception.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import gast

QUIET = {"ignore", "warn", "print", "log"}


class Opening(gast.NodeTransformer):
    """Puts the statements of blocks that only silence warnings in the place of the blocks."""

    def __init__(self, meaning: Callable[[gast.expr], str | None]) -> None:
        self.meaning = meaning

    def opened(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        """Statements without such blocks; a tree that has some is copied, not changed."""
        made: list[gast.stmt] = []
        for statement in body:
            inner = (n for n in gast.walk(statement) if isinstance(n, gast.With))
            if not any(self.is_silencing(n) for n in inner):
                made.append(statement)
                continue
            visited = self.visit(copy.deepcopy(statement))
            made += visited if isinstance(visited, list) else [visited]
        return made

    def visit_With(self, node: gast.With) -> gast.AST | list[gast.stmt]:  # noqa: N802
        """A block, or what it holds."""
        self.generic_visit(node)
        return node.body if self.is_silencing(node) else node

    def is_silencing(self, node: gast.With) -> bool:
        """Tells whether a `with` statement does no more than silence warnings, or give a name."""
        return all(
            item.optional_vars is None
            and isinstance(item.context_expr, gast.Call)
            and self.is_no_op(item.context_expr)
            for item in node.items
        )

    def is_no_op(self, call: gast.Call) -> bool:
        """Tells whether what a call opens changes no value."""
        match self.meaning(call.func):
            case "numpy.errstate":
                return not call.args and all(_is_quiet(k.value) for k in call.keywords)
            case "tensorflow.name_scope":
                return all(isinstance(arg, gast.Constant) for arg in call.args)
        return False


def _is_quiet(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value in QUIET
