"""A derivative whose values are looked at as they come: each computed one passes a function.

What only moves or names values is left as it is, and so are the lines: a debugger sees no other
program. A value passes before it is stored, so that what it was computed of is still there.
Debuggers look at each function that is called. So those that look at values are called only where
that is necessary: not for arithmetic that sets flags (`flagged`), of which NumPy tells, and not for
arguments that a product of them with themselves shows to be finite.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import TypeVar

from adlsp.transform import depth
from adlsp.transform.emit import flagged
from adlsp.transform.frontend import walks
from adlsp.transform.frozen import dataclass

VALUE = "__adlsp_value__"
"""The variable of the derivative's module that holds the function: `VALUE(3, h * h)`."""

ENTER = "__adlsp_enter__"
"""The one that holds what an argument passes that may be bad, with its name."""

HEAR, CEASE = "__adlsp_hear__", "__adlsp_cease__"
"""Those that hold what is called first, and in the end, where that is not as it is as a rule."""

CALL = "__adlsp_call__"
"""The one whose `is_fresh` says, in each thread, that nothing was told of since the last call."""

TYPES = "__adlsp_types__"
"""The types that tell of flags while NumPy's settings are as they must be; else none."""

SETTINGS, SET = "__adlsp_settings__", "__adlsp_set__"
"""Those that hold the functions that give and change NumPy's settings, without a frame."""

READY, HEARING, USUAL = "__adlsp_ready__", "__adlsp_hearing__", "__adlsp_usual__"
"""The settings from which one may go on at once, to which, and to which one goes back."""

AGAIN, PAUSED = "__adlsp_again__", "__adlsp_paused__"
"""The one that holds what is called behind what may have changed NumPy's settings, where they are
not as they are as a rule, and the variable of a function that says whether flags were told of."""

ARRAY, DOUBLE = "__adlsp_array__", "__adlsp_double__"
PRODUCT, IS_FINITE = "__adlsp_product__", "__adlsp_is_finite__"
"""Those that hold the type of arrays, the dtype of most, the scalar product and `isfinite`."""

NUMBERS, HARMLESS = "__adlsp_numbers__", "__adlsp_harmless__"
"""Those that hold the types of numbers, and of what is no number that may be bad."""

_BEGIN = f"({CALL}.is_fresh and {SETTINGS}() is {READY} and {SET}({HEARING})) or {HEAR}()"
_END = f"({SETTINGS}() is {HEARING} and {SET}({USUAL})) or {CEASE}()"
_RESUME = f"{PAUSED} and (({SETTINGS}() is {USUAL} and {SET}({HEARING})) or {AGAIN}())"
_FORGET = f"{CALL}.is_fresh or {CALL}.begin()"
_ARGUMENT = (
    f"({{x}}.dtype is {DOUBLE} and ({{x}}.ndim == 1 or {{x}}.flags.c_contiguous)"
    f" and {IS_FINITE}({PRODUCT}({{x}}, {{x}})) if {{x}}.__class__ is {ARRAY}"
    f" else {{x}}.__class__ in {HARMLESS} or {{x}}.__class__ in {NUMBERS} and {IS_FINITE}({{x}}))"
    f" or {ENTER}('{{x}}', {{x}})"
)

SAFE = """
    append arange arctan broadcast broadcast_to copy cos empty empty_like expand expand_dims eye
    full full_like len like ones ones_like pop range ravel reshape shape sign sin squeeze swapaxes
    tanh transpose zeros zeros_like
""".split()  # noqa: SIM905
"""Functions and methods that give nothing bad of what is good."""

Part = TypeVar("Part")

PLAIN = (ast.Name, ast.Constant, ast.Compare, ast.Lambda, ast.JoinedStr, ast.List, ast.Dict)
"""Expressions that compute no number."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where values pass: the line, what is computed there, and what it is called.

    `added` is the sum where the value is looked at when it has been added to what `name` was, and
    `is_flagged` says that it is not looked at where NumPy tells of flags.
    """

    line: int
    name: str
    computed: ast.expr
    added: ast.expr | None = None
    is_flagged: bool = False

    @property
    def is_after(self) -> bool:
        """Whether the value is looked at when it has been added."""
        return self.added is not None

    @property
    def text(self) -> str:
        """What is computed, as it is written."""
        return ast.unparse(self.computed)

    @property
    def names(self) -> frozenset[str]:
        """All names that are read."""
        return frozenset(e.id for e in ast.walk(self.computed) if isinstance(e, ast.Name))

    def is_on(self, line: int) -> bool:
        """Whether a line is one of those on which it is computed."""
        return self.line <= line <= (self.computed.end_lineno or self.line)


def loops(text: str) -> list[tuple[int, int]]:
    """The loops of a text: the line where each begins, and its last."""
    return [
        (node.lineno, node.end_lineno or node.lineno)
        for node in walks.over(ast.parse(text))
        if isinstance(node, ast.For | ast.While)
    ]


def given(text: str, name: str) -> list[tuple[int, str]]:
    """The lines of a text where a function gives a variable, alone or not, and the function."""
    return [
        (node.lineno, node.value.func.id)
        for node in walks.over(ast.parse(text))
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and any(isinstance(e, ast.Name) and e.id == name for e in ast.walk(node.targets[0]))
    ]


def watched(module: ast.Module, name: str) -> tuple[Slot, ...]:
    """Rewrites a module in place; gives its slots by number. `name` is the function to call."""
    functions = [each for each in walks.over(module) if isinstance(each, ast.FunctionDef)]
    roots = [each for each in functions if each.name == name and not is_around(each)]
    writer = _Writer(frozenset(function.name for function in functions), _libraries(module, roots))
    for function in functions:
        writer.function(function)
    if writer.libraries:
        _pause(module, writer)
    for root in roots:
        _enter(root, is_heard=bool(writer.libraries))
    return tuple(writer.slots)


def _libraries(module: ast.Module, roots: list[ast.FunctionDef]) -> frozenset[str]:
    """The names of libraries that tell of flags; none where the settings may be others.

    So they are in a `with`, and where a function has no `try` in which they could be put back.
    """
    is_heard = all(_guard(each) and isinstance(_work(each)[-1], ast.Return) for each in roots)
    has_blocks = any(isinstance(each, ast.With) for each in walks.over(module))
    return flagged.libraries(module) if is_heard and not has_blocks else frozenset()


class _Writer:
    """Wraps what is computed; nested functions are visited on their own."""

    def __init__(self, functions: frozenset[str], libraries: frozenset[str]) -> None:
        self.slots: list[Slot] = []
        self.libraries, self._functions = libraries, functions
        self._bound: frozenset[str] = frozenset()

    def function(self, function: ast.FunctionDef) -> None:
        """Rewrites a function, but for those in it."""
        self._bound = frozenset(_bound(function)) if self.libraries else frozenset()
        self.block(function.body)

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
                    is_paused = self._is_foreign(call)
                    call.args = [
                        self._passing(each, ast.unparse(each), is_paused) for each in call.args
                    ]
                case ast.FunctionDef():
                    pass
                case _:
                    for inner in blocks(statement):
                        self.block(inner)

    def _passing(self, value: ast.expr, name: str, is_paused: bool = False) -> ast.expr:
        match value:
            case ast.Tuple():
                value.elts = [self._passing(each, name, is_paused) for each in value.elts]
                return value
            case ast.Attribute() | ast.Subscript() | ast.Starred():
                value.value = self._passing(value.value, name, is_paused)
                return value
            case ast.UnaryOp():
                value.operand = self._passing(value.operand, name, is_paused)
                return value
            case ast.Call() if self._is_known(value.func):
                value.args[:1] = [self._passing(each, name, is_paused) for each in value.args[:1]]
                return value
        if isinstance(value, PLAIN):
            return value
        is_heard = self.libraries and not is_paused
        needed = flagged.clauses(value, self._bound, self.libraries) if is_heard else None
        slot = Slot(value.lineno, name, copy.deepcopy(value), is_flagged=needed is not None)
        call = self._call(slot, value)
        if needed is None:
            return call
        unseen = flagged.at_once(copy.deepcopy(value), self.libraries)
        return ast.copy_location(ast.IfExp(_told(needed, value), unseen, call), value)

    def _after(self, statement: ast.AugAssign) -> ast.stmt:
        target = copy.deepcopy(statement.target)
        for node in walks.over(target):
            if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
                node.ctx = ast.Load()
        sum_ = ast.BinOp(target, statement.op, copy.deepcopy(statement.value))
        needed = flagged.clauses(sum_, self._bound, self.libraries)
        name, is_flagged = ast.unparse(target), needed is not None
        slot = Slot(statement.lineno, name, statement.value, sum_, is_flagged)
        statement.value = copy.deepcopy(statement.value)
        look = self._call(slot, target)
        if needed is not None:
            look = ast.BoolOp(ast.Or(), [_told(needed, statement), look])
            ast.copy_location(look, statement)
        return ast.copy_location(ast.Expr(look), statement)

    def _call(self, slot: Slot, value: ast.expr) -> ast.expr:
        self.slots.append(slot)
        number = ast.Constant(len(self.slots) - 1)
        call = ast.Call(ast.Name(VALUE, ast.Load()), [number, value], [])
        for node in (call, call.func, number):
            ast.copy_location(node, value)
        return call

    def paused(self, node: Part) -> Part | ast.expr:
        """A call that may change NumPy's settings, with flags told of no more until it is over."""
        if not isinstance(node, ast.Call) or not self._is_foreign(node):
            return node
        made = placed(_statement(f"({PAUSED} := {_END}, 0, {_RESUME})[1]"), node).value
        assert isinstance(made, ast.Subscript)
        assert isinstance(made.value, ast.Tuple)
        made.value.elts[1] = node
        return made

    def _is_foreign(self, call: ast.Call) -> bool:
        return flagged.is_foreign(call, self._functions, self.libraries)

    def _is_known(self, function: ast.expr) -> bool:
        """Whether what a function gives has passed already, or needs no look."""
        match function:
            case ast.Name(id=name):
                return name in SAFE or name in self._functions
            case ast.Attribute(attr=name):
                return name in SAFE
        return False


def _told(needed: flagged.Clauses, at: ast.expr | ast.stmt) -> ast.expr:
    """The condition that NumPy tells of all flags in an expression."""
    return placed(flagged.condition(needed, TYPES), at)


def _bound(function: ast.FunctionDef) -> Iterator[str]:
    """The variables of a function: its parameters, and what it binds."""
    yield from (each.arg for each in _parameters(function))
    for node in walks.over(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _parameters(function: ast.FunctionDef) -> list[ast.arg]:
    arguments = function.args
    named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    starred = (arguments.vararg, arguments.kwarg)
    return [*named, *(each for each in starred if each is not None)]


def _enter(function: ast.FunctionDef, *, is_heard: bool) -> None:
    """Has the function look at its arguments first, on the line of its first statement.

    If flags are heard, NumPy's settings are others until it returns or raises.
    """
    body, at = beginning(function)
    looks = [_ARGUMENT.format(x=each.arg) for each in _parameters(function)]
    first = body[at]
    if is_heard:
        _end(body)
        guard = _guard(function)
        assert guard is not None
        handler = guard.handlers[0].body
        handler.insert(0, placed(_statement(_END), handler[0]))
    entering = [_BEGIN if is_heard else _FORGET, *looks]
    body[at:at] = [placed(_statement(each), first) for each in entering]


def _pause(module: ast.Module, writer: _Writer) -> None:
    """Has NumPy's settings put back as the program has them while it is called, in place.

    So it sees and changes its own, and what it has changed them to holds from there on.
    """
    every = [*walks.over(module)]
    apart = {id(each) for scope in every if isinstance(scope, SCOPES) for each in walks.over(scope)}
    for node in every:
        for name, value in [*ast.iter_fields(node)] if id(node) not in apart else ():
            if isinstance(value, list):
                value[:] = [writer.paused(each) for each in value]
            else:
                setattr(node, name, writer.paused(value))


SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
"""Expressions with variables of their own."""


def _end(body: list[ast.stmt]) -> None:
    """Has NumPy's settings put back behind what a function returns."""
    for statement in body:
        match statement:
            case ast.FunctionDef():
                pass
            case ast.Return():
                end = placed(_statement(_END), statement).value
                result = statement.value or ast.Constant(None)
                both = ast.Subscript(ast.Tuple([result, end], ast.Load()), ast.Constant(0))
                both.ctx = ast.Load()
                statement.value = both
                for each in (both, both.value, both.slice, result):
                    if not hasattr(each, "lineno"):
                        ast.copy_location(each, statement)
            case _:
                for inner in blocks(statement):
                    _end(inner)


def _statement(text: str) -> ast.Expr:
    return ast.Expr(depth.parse_expression(text))


Tree = TypeVar("Tree", bound=ast.AST)


def placed(made: Tree, at: ast.AST) -> Tree:
    """What is made of ours, where something of the derivative is."""
    for node in walks.over(made):
        if isinstance(node, ast.expr | ast.stmt | ast.keyword):
            ast.copy_location(node, at)
            node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
    return made


def _guard(function: ast.FunctionDef) -> ast.Try | None:
    """The `try` around the work of a derivative's function, as `handled` has it."""
    last = function.body[-1]
    return last if isinstance(last, ast.Try) else None


def _work(function: ast.FunctionDef) -> list[ast.stmt]:
    return beginning(function)[0]


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
