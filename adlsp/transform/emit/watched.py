"""A derivative whose values are looked at as they come: each computed one passes a function.

What only moves or names values is left as it is, and so are the lines: a debugger sees no other
program. A value passes before it is stored, so that what it was computed of is still there.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from adlsp.transform.frontend import walks
from adlsp.transform.frozen import dataclass

VALUE = "__adlsp_value__"
"""The variable of the derivative's module that holds the function: `VALUE(3, h * h)`."""

ENTER = "__adlsp_enter__"
"""The one that holds what is called first, with the arguments by name."""

SAFE = """
    append arange arctan broadcast broadcast_to copy cos empty empty_like expand expand_dims eye
    full full_like len like ones ones_like pop range ravel reshape shape sign sin squeeze swapaxes
    tanh transpose zeros zeros_like
""".split()  # noqa: SIM905
"""Functions and methods that give nothing bad of what is good."""

PLAIN = (ast.Name, ast.Constant, ast.Compare, ast.Lambda, ast.JoinedStr, ast.List, ast.Dict)
"""Expressions that compute no number."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where values pass: the line, what is computed there, and what it is called.

    `is_after` says that the value is looked at when it has been added to what `name` was.
    """

    line: int
    name: str
    computed: ast.expr
    is_after: bool = False

    @property
    def text(self) -> str:
        """What is computed, as it is written."""
        return ast.unparse(self.computed)


def watched(module: ast.Module, name: str) -> tuple[Slot, ...]:
    """Rewrites a module in place; gives its slots by number. `name` is the function to call."""
    functions = [each for each in walks.over(module) if isinstance(each, ast.FunctionDef)]
    local = frozenset(function.name for function in functions)
    writer = _Writer(local)
    for function in functions:
        writer.block(function.body)
        if function.name == name and not is_around(function):
            _enter(function)
    return tuple(writer.slots)


class _Writer:
    """Wraps what is computed; nested functions are visited on their own."""

    def __init__(self, local: frozenset[str]) -> None:
        self.slots: list[Slot] = []
        self._local = local

    def block(self, body: list[ast.stmt]) -> None:
        """Rewrites the statements of a block, and of those in it."""
        for statement in tuple(body):
            match statement:
                case ast.Assign():
                    statement.value = self._passing(
                        statement.value, ast.unparse(statement.targets[0])
                    )
                case ast.Return(value=ast.expr() as result):
                    statement.value = self._passing(result, "the result")
                case ast.AugAssign() if is_simple(statement.target):
                    body.insert(body.index(statement) + 1, self._after(statement))
                case ast.AugAssign():
                    name = ast.unparse(statement.target)
                    statement.value = self._passing(statement.value, name)
                case ast.Expr(value=ast.Call() as call):
                    call.args = [self._passing(each, ast.unparse(each)) for each in call.args]
                case ast.FunctionDef():
                    pass
                case _:
                    for inner in blocks(statement):
                        self.block(inner)

    def _passing(self, value: ast.expr, name: str) -> ast.expr:
        match value:
            case ast.Tuple():
                value.elts = [self._passing(each, name) for each in value.elts]
                return value
            case ast.Attribute() | ast.Subscript() | ast.Starred():
                value.value = self._passing(value.value, name)
                return value
            case ast.UnaryOp():
                value.operand = self._passing(value.operand, name)
                return value
            case ast.Call() if self._is_known(value.func):
                value.args[:1] = [self._passing(each, name) for each in value.args[:1]]
                return value
        if isinstance(value, PLAIN):
            return value
        return self._call(Slot(value.lineno, name, copy.deepcopy(value)), value)

    def _after(self, statement: ast.AugAssign) -> ast.stmt:
        target = copy.deepcopy(statement.target)
        for node in walks.over(target):
            if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
                node.ctx = ast.Load()
        slot = Slot(statement.lineno, ast.unparse(target), statement.value, is_after=True)
        return ast.copy_location(ast.Expr(self._call(slot, target)), statement)

    def _call(self, slot: Slot, value: ast.expr) -> ast.expr:
        self.slots.append(slot)
        number = ast.Constant(len(self.slots) - 1)
        call = ast.Call(ast.Name(VALUE, ast.Load()), [number, value], [])
        for node in (call, call.func, number):
            ast.copy_location(node, value)
        return call

    def _is_known(self, function: ast.expr) -> bool:
        """Whether what a function gives has passed already, or needs no look."""
        match function:
            case ast.Name(id=name):
                return name in SAFE or name in self._local
            case ast.Attribute(attr=name):
                return name in SAFE
        return False


def _enter(function: ast.FunctionDef) -> None:
    """Has the function hand over its arguments first, on the line of its first statement."""
    body, at = beginning(function)
    arguments = function.args
    named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    starred = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    keywords = [ast.keyword(a.arg, ast.Name(a.arg, ast.Load())) for a in (*named, *starred)]
    call = ast.Expr(ast.Call(ast.Name(ENTER, ast.Load()), [], keywords))
    first = body[at]
    for node in walks.over(call):
        if isinstance(node, ast.expr | ast.stmt | ast.keyword):
            ast.copy_location(node, first)
            node.end_lineno, node.end_col_offset = first.lineno, first.col_offset
    body.insert(at, call)


def beginning(function: ast.FunctionDef) -> tuple[list[ast.stmt], int]:
    """The block of a derivative's function and the place in it where its work begins."""
    body = function.body
    while isinstance(body[-1], ast.Try):  # as `handled` has it
        body = body[-1].body
    return body, 1 if len(body) > 1 and _is_docstring(body[0]) else 0


def is_around(function: ast.FunctionDef) -> bool:
    """Whether a function only makes the one of its name, as `cells` writes it."""
    first = function.body[0]
    return isinstance(first, ast.FunctionDef) and first.name == function.name


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def is_simple(target: ast.expr) -> bool:
    """Whether a target may be read again: nothing is called for it."""
    return not any(isinstance(node, ast.Call) for node in walks.over(target))


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks in a statement, but for handlers, which only pass on what is raised."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if block:
            yield block
