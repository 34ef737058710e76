"""`with` blocks that change no value: `np.errstate(...)`, `tf.name_scope(...)`, `tf.device(...)`.

What such a block holds is read as if it stood alone. Which warnings are shown and what operations
are called is nothing to a derivative; filters in a `warnings.catch_warnings()` are left out. Where
operations run is: the function notes those blocks, and what is made of their statements runs in
them, too. A block that asks for errors to be raised is left as it is: there a value becomes an
exception.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import gast

from adlsp.transform import ir
from adlsp.transform.frontend import walks
from adlsp.transform.frontend.lowering_context import LoweringContext

QUIET = {"ignore", "warn", "print", "log"}
PLACING = "tensorflow.device"
CATCHING = "warnings.catch_warnings"
FILTERS = ("warnings.simplefilter", "warnings.filterwarnings")


class Opening(gast.NodeTransformer):
    """Puts the statements of such blocks in the place of the blocks, and collects the contexts."""

    def __init__(self, expressions: LoweringContext) -> None:
        self.expressions = expressions
        self.contexts: list[ir.Context] = []

    def opened(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        """Statements without such blocks; a tree that has some is copied, not changed."""
        made: list[gast.stmt] = []
        for statement in body:
            inner = (n for n in walks.over(statement) if isinstance(n, gast.With))
            if not any(self.is_open(n) for n in inner):
                made.append(statement)
                continue
            visited = self.visit(copy.deepcopy(statement))
            made += visited if isinstance(visited, list) else [visited]
        return made

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:  # noqa: N802
        """A function inside has contexts of its own."""
        return node

    def visit_With(self, node: gast.With) -> gast.AST | list[gast.stmt]:  # noqa: N802
        """A block, or what it holds."""
        if self.is_open(node):
            span = self.expressions.span(node)
            calls = [item.context_expr for item in node.items]
            placing = [call for call in calls if self.is_placing(call)]
            self.contexts += [ir.Context(span, self.placed(call)) for call in placing]
        self.generic_visit(node)
        return self.within(node) if self.is_open(node) else node

    def within(self, node: gast.With) -> list[gast.stmt]:
        """The statements of a block, but for those that say which warnings are shown in it."""
        calls = [item.context_expr for item in node.items]
        if not any(self.meaning(call) == CATCHING for call in calls):
            return node.body
        left = [each for each in node.body if not self.is_filter(each)]
        return left or [gast.copy_location(gast.Pass(), node)]

    def meaning(self, call: gast.AST) -> str:
        """The function that a call goes to, which may be a statement."""
        call = call.value if isinstance(call, gast.Expr) else call
        found = self.expressions.meaning(call.func) if isinstance(call, gast.Call) else None
        return found or ""

    def is_filter(self, statement: gast.stmt) -> bool:
        """Tells whether a statement only says that some warnings are not raised as errors."""
        match statement:
            case gast.Expr(value=gast.Call(args=[gast.Constant(value=action), *_])):
                return self.meaning(statement) in FILTERS and action != "error"
        return False

    def is_open(self, node: gast.With) -> bool:
        """Tells whether all that a `with` statement opens changes no value, and has no name."""
        filters = [n for each in node.body for n in walks.over(each) if self.meaning(n) in FILTERS]
        n_quiet = sum(map(self.is_filter, node.body))
        if sum(isinstance(each, gast.Call) for each in filters) > n_quiet:
            return False
        return all(
            item.optional_vars is None
            and (self.is_no_op(item.context_expr) or self.is_placing(item.context_expr))
            for item in node.items
        )

    def is_no_op(self, call: gast.expr) -> bool:
        """Tells whether what a call opens is nothing to a derivative."""
        if not isinstance(call, gast.Call):
            return False
        match self.expressions.meaning(call.func):
            case "warnings.catch_warnings":
                return not (call.args or call.keywords)
            case "numpy.errstate":
                return not call.args and all(_is_quiet(k.value) for k in call.keywords)
            case "tensorflow.name_scope":
                return all(isinstance(arg, gast.Constant) for arg in call.args)
        return False

    def is_placing(self, call: gast.expr) -> bool:
        """Tells whether a call says where operations run, and the same wherever it is written."""
        match call:
            case gast.Call(func=function, args=[place], keywords=[]) if (
                self.expressions.meaning(function) == PLACING
            ):
                return isinstance(place, gast.Constant) or self.variable(place) is not None
        return False

    def variable(self, place: gast.expr) -> str | None:
        """The variable of a module that an expression is."""
        binding = self.expressions.binding(place)
        is_value = binding is not None and binding.kind == "value" and not binding.state
        return binding.dotted if binding is not None and is_value else None

    def placed(self, call: gast.Call) -> ir.Call:
        """The call that opens a context."""
        place: ir.Atom
        match call.args[0]:
            case gast.Constant(value=value):
                place = ir.Const(value)
            case variable:
                place = ir.Global(self.variable(variable) or "")
        return self.expressions.call(PLACING, call, place)


def _is_quiet(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value in QUIET
