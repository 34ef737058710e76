"""What each statement of a function sets and reads, by its line: names and nothing else."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence

from adlsp.transform.frontend import parse, walks
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source

LOOP = "loop"
"""What the block of a loop is called in `Step.inside`."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a simple statement, or the head of one, sets and reads.

    `inside` has the blocks around it: the line of each head, and which block of that it is. An
    assignment to names has these as `targets`, and the text of its `value`; so has the call of a
    method, a `return`, and the head of a loop what it runs over. Of `parts` only elements are set.
    """

    line: int
    sets: frozenset[str]
    reads: frozenset[str]
    inside: tuple[tuple[int, str], ...]
    targets: tuple[str, ...] = ()
    value: str = ""
    is_taken_apart: bool = False
    parts: frozenset[str] = frozenset()

    @property
    def loops(self) -> tuple[int, ...]:
        """The loops around it, outermost first."""
        return tuple(line for line, block in self.inside if block == LOOP)


@functools.lru_cache(maxsize=256)
def read(text: str, first: int) -> tuple[Step, ...]:
    """What the statements of a function do, in order; `first` is the line of its first."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return ()
    ast.increment_lineno(tree, first - 1)
    function = next((each for each in tree.body if isinstance(each, FUNCTIONS)), None)
    return () if function is None else _function(function)


@functools.lru_cache(maxsize=64)
def read_at(source: Source, first: int) -> tuple[Step, ...]:
    """The same of the function of a text that begins at a line, decorators included."""
    tree = parse.tree(source, list(source.lines))
    for node in walks.over(tree) if isinstance(tree, ast.Module) else ():
        if isinstance(node, FUNCTIONS):
            heads = [node.lineno, *(each.lineno for each in node.decorator_list)]
            if min(heads) == first:
                return _function(node)
    return ()


def put_together(text: str) -> tuple[str, ...]:
    """The parts of a tuple, as texts, or of one that a call is given; else what there is alone."""
    expression = ast.parse(text, mode="eval").body
    if isinstance(expression, ast.Call) and len(expression.args) == 1:
        expression = expression.args[0]
    parts = expression.elts if isinstance(expression, ast.Tuple) else [expression]
    return tuple(map(ast.unparse, parts))


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.While)


def _function(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[Step, ...]:
    """The head of a function, which sets its parameters, and the statements in it."""
    arguments = [each for each in walks.over(function.args) if isinstance(each, ast.arg)]
    names = frozenset(each.arg for each in arguments)
    head = Step(function.lineno, names, frozenset(), ())
    return (head, *_steps(function.body, ()))


def _steps(body: Sequence[ast.AST], inside: tuple[tuple[int, str], ...]) -> Iterator[Step]:
    for statement in body:
        if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            continue
        if isinstance(statement, ast.stmt):
            yield _step(statement, inside)
        line = getattr(statement, "lineno", 0)
        for name, block in ast.iter_fields(statement):
            if isinstance(block, list) and block and isinstance(block[0], PARTS):
                is_loop = isinstance(statement, LOOPS) and name == "body"
                yield from _steps(block, (*inside, (line, LOOP if is_loop else name)))


PARTS = (ast.stmt, ast.ExceptHandler, ast.match_case)


def _step(statement: ast.stmt, inside: tuple[tuple[int, str], ...]) -> Step:
    sets, reads, elements = set[str](), set[str](), set[str]()
    targets: tuple[str, ...] = ()
    value, is_taken_apart = "", False
    for node in _own(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                reads.add(name)
            case ast.Name(id=name):
                sets.add(name)
            case ast.Subscript(ctx=ast.Store()):
                elements |= _base(node)
            case ast.Attribute(ctx=ast.Store()):
                sets |= _base(node)
    touched = frozenset(elements - sets)
    sets |= elements
    match statement:
        case ast.AugAssign():
            reads |= sets
        case ast.Expr(value=ast.Call(func=ast.Attribute() as method) as call):
            sets |= _base(method)
            value = ast.unparse(call)
        case ast.For():
            value = ast.unparse(statement.iter)
        case ast.Return(value=ast.expr() as result):
            value = ast.unparse(result)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        [target] = statement.targets
        is_taken_apart = isinstance(target, ast.Tuple)
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        if all(isinstance(part, ast.Name) for part in parts):
            targets, value = tuple(map(ast.unparse, parts)), ast.unparse(statement.value)
    names = frozenset(sets), frozenset(reads)
    return Step(statement.lineno, *names, inside, targets, value, is_taken_apart, touched)


def _own(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without the statements in it."""
    pending = [each for each in walks.children(statement) if not isinstance(each, PARTS)]
    while pending:
        node = pending.pop()
        yield node
        pending += walks.children(node)


def _base(node: ast.expr) -> set[str]:
    """The variable that an element or attribute is of."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()
