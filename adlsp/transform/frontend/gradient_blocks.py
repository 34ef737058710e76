"""`with insert_grad_of(x) as x_bar:` — code that a user places into the backward sweep.

Such a block is no part of the primal. It reads the primal's variables, and binds nothing but its
own: what it calls the adjoint, and names that stand nowhere else in the function. So it can be put
into the backward sweep as it is. (The idea is Tangent's: van Merriënboer, Moldovan and Wiltschko,
Tangent: Automatic differentiation using source-code transformation for dynamically typed array
programming, NeurIPS 2018.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from adlsp.transform import depth, ir
from adlsp.transform.diagnostics import language
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import scope, walks
from adlsp.transform.frontend.expressions import Expressions

MARKERS = {"adlsp.insert_grad_of", "adlsp.library.api.insert_grad_of", "tangent.insert_grad_of"}


class GradientBlocks:
    """The blocks for the backward sweep in one function, and what is wrong with them."""

    def __init__(self, expressions: Expressions, node: gast.FunctionDef) -> None:
        self.expressions = expressions
        self.findings: list[Diagnostic] = []
        blocks = [n for n in walks.over(node) if isinstance(n, gast.With) and self.is_block(n)]
        inside = {id(n) for block in blocks for n in _of_block(block)}
        self.elsewhere = {
            n.id for n in walks.over(node) if isinstance(n, gast.Name) and id(n) not in inside
        }

    def is_block(self, node: gast.With) -> bool:
        """Tells whether a `with` statement asks for a place in the backward sweep."""
        return any(self.is_marker(item.context_expr) for item in node.items)

    def is_marker(self, node: gast.expr) -> bool:
        """Tells whether an expression is a call of `insert_grad_of`."""
        return isinstance(node, gast.Call) and self.expressions.meaning(node.func) in MARKERS

    def lower(self, node: gast.With, body: ir.Block) -> list[ir.Statement]:
        """The block, of which `body` is lowered already; nothing if it cannot be placed."""
        problems = [
            Diagnostic(language.GradientBlock(what), span) for what, span in self.problems(node)
        ]
        if problems:
            self.findings += problems
            return []
        item = node.items[0]
        variable, name = item.context_expr.args[0], item.optional_vars
        bar = None if name is None else name.id
        own = scope.bound([node])
        reads = {n for s in ir.walk(body) for n in ir.reads(s)}
        captured = tuple(
            (n, ir.Name(n)) for n in sorted(reads - own) if n in self.expressions.local
        )
        origin = self.expressions.between(node, name or item.context_expr)
        return [ir.Insert(ir.Name(variable.id), bar, body, captured, origin)]

    def problems(self, node: gast.With) -> Iterator[tuple[str, ir.Span]]:
        """What prevents a block from being placed, and where."""
        span = self.expressions.span
        if len(node.items) > 1:
            yield "take more than one variable", span(node.items[1].context_expr)
            return
        item = node.items[0]
        call, name = item.context_expr, item.optional_vars
        match call.args:
            case [gast.Name(id=id)] if id in self.expressions.local and not call.keywords:
                pass
            case _:
                yield "take anything but a local variable", span(call)
        if name is not None and not isinstance(name, gast.Name):
            yield "give the adjoint more than one name", span(name)
        for inner in _of_block(node):
            match inner:
                case gast.Name(ctx=gast.Store() | gast.Del()) if inner.id in self.elsewhere:
                    text = f"bind `{inner.id}`, which is a name of the primal"
                    yield text, span(inner)
                case gast.Return() | gast.Yield() | gast.YieldFrom():
                    yield f"contain `{_word(inner)}`", span(inner)
                case gast.With() if inner is not node:
                    yield "contain `with`", self.expressions.keyword_span(inner, "with")
        yield from self.changes(node)

    def changes(self, node: gast.With) -> Iterator[tuple[str, ir.Span]]:
        """Stores into variables of the primal, and what leaves the block."""
        own = scope.bound([node])
        for inner in _of_block(node):
            is_store = isinstance(inner, gast.Subscript | gast.Attribute) and not isinstance(
                inner.ctx, gast.Load
            )
            for name in scope.changed(inner) if is_store else ():
                if name not in own:
                    text = f"store into `{name}`, which is a variable of the primal"
                    yield text, self.expressions.span(inner)
        for leaving in _leaving(node.body):
            yield f"contain `{_word(leaving)}`", self.expressions.span(leaving)


def _of_block(node: gast.With) -> Iterator[gast.AST]:
    """All that stands in a block, with the names that its first line binds."""
    for item in node.items:
        if item.optional_vars is not None:
            yield from walks.over(item.optional_vars)
    for statement in node.body:
        yield from walks.over(statement)


def _leaving(body: Sequence[gast.stmt]) -> Iterator[gast.AST]:
    """Each `break` and `continue`, which the intermediate form does not have."""
    for node in (inner for statement in body for inner in walks.over(statement)):
        if isinstance(node, gast.Break | gast.Continue):
            yield node


def _word(node: gast.AST) -> str:
    return {"YieldFrom": "yield from"}.get(type(node).__name__, type(node).__name__.lower())


def without_blocks(text: str, markers: frozenset[str]) -> str:
    """A function's text with `pass` for each block for the backward sweep, line by line the same.

    `markers` are the names by which it calls `insert_grad_of`.
    """
    lines = text.splitlines()
    for node in walks.over(gast.ast_to_gast(depth.parse(text))):
        if isinstance(node, gast.With) and any(
            isinstance(item.context_expr, gast.Call) and _last_name(item.context_expr) in markers
            for item in node.items
        ):
            indent = lines[node.lineno - 1][: node.col_offset]
            lines[node.lineno - 1 : node.end_lineno] = [
                f"{indent}pass",
                *[""] * (node.end_lineno - node.lineno),
            ]
    return "\n".join(lines)


def _last_name(call: gast.Call) -> str | None:
    match call.func:
        case gast.Name(id=name) | gast.Attribute(attr=name):
            return str(name)
    return None
