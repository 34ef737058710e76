"""A primal in which variables can be moved behind one statement: each passes a function there.

The function is given the name, the value, and the passes of the loops around the statement, and
gives the value to go on with.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adlsp.transform.frontend import walks
from adlsp.transform.frozen import dataclass

PLACE = "__adlsp_place__"
"""The variable that holds the function: `h = PLACE("h", h, 3)`."""

WAY = "__adlsp_way__"
"""The one that holds the function that is told of each block that is entered, by its line."""

PASS = "__adlsp_pass_{}__"
"""Variables that count the passes of loops."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.While)
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)


class NoPlaceError(Exception):
    """Why variables cannot be moved behind a statement."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The module of the function, its name and parameters, and the loops around the place.

    `starred` is the parameter that takes all further arguments, and `options` that which takes all
    other keywords, "" for none.
    """

    module: ast.Module
    name: str
    positional: tuple[str, ...]
    starred: str
    named: tuple[str, ...]
    options: str
    loops: tuple[int, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """All parameters."""
        further = (each for each in (self.starred, self.options) if each)
        return (*self.positional, *self.named, *further)


def at(text: str, function: int, statement: int) -> Moved:
    """The function at a line of a text, with its variables passing behind the statement at one.

    Raises NoPlaceError where there is none.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise NoPlaceError("the primal cannot be read") from error
    functions = (each for each in walks.over(tree) if isinstance(each, ast.FunctionDef))
    found = next((each for each in functions if each.lineno == function), None)
    if found is None:
        raise NoPlaceError("the primal is no function with statements")
    blocks = next(_path(found.body, statement, ()), None)
    if blocks is None:
        raise NoPlaceError("gradients are compared where a statement of the function begins")
    given = found.args
    positional = tuple(each.arg for each in (*given.posonlyargs, *given.args))
    starred = "" if given.vararg is None else given.vararg.arg
    named = tuple(each.arg for each in given.kwonlyargs)
    options = "" if given.kwarg is None else given.kwarg.arg
    loops = [part for part, name in blocks if isinstance(part, LOOPS) and name == "body"]
    body: list[ast.stmt] = getattr(*blocks[-1]) if blocks else found.body
    index = next(i for i, each in enumerate(body) if each.lineno == statement)
    counters = [PASS.format(number) for number in range(len(loops))]
    names = sorted({*positional, starred, *named, options, *_set(found)} - {""})
    body[index + 1 : index + 1] = ast.parse(
        "\n".join(_passing(name, counters) for name in names)
    ).body
    for block in [*_entered(found)]:
        block.insert(0, ast.parse(f"{WAY}({block[0].lineno})").body[0])
    for loop, counter in zip(loops, counters, strict=True):
        loop.body.insert(0, ast.parse(f"{counter} += 1").body[0])
        _put_before(found, loop, ast.parse(f"{counter} = 0").body[0])
    found.decorator_list = []
    module = ast.fix_missing_locations(ast.Module([found], []))
    around = tuple(loop.lineno for loop in loops)
    return Moved(module, found.name, positional, starred, named, options, around)


def overwritten(text: str, name: str) -> frozenset[str]:
    """The parameters of a function of a text that are not what they were when it was called."""
    functions = (each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef))
    found = next(each for each in functions if each.name == name)
    every = {each.arg for each in walks.over(found.args) if isinstance(each, ast.arg)}
    changed = {_base(node) for node in walks.over(found) if isinstance(node, PARTS)}
    copied = {name for each in found.body for name in _copied(each) if name not in changed}
    if copied:
        found.body = [each for each in found.body if not copied & {*_copied(each)}]
    return frozenset(every & _set(found))


COPYING = ("array", "copy", "separate")
"""The functions by which a derivative copies a parameter that the primal changes."""


def _copied(statement: ast.stmt) -> Iterator[str]:
    """The parameter that a statement gives an array of its own, with the same numbers."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Call(func=ast.Attribute(attr=copying), args=[ast.Name(id=same), *_]),
        ) if name == same and copying in COPYING:
            yield name


PARTS = (ast.Subscript, ast.Attribute)


def _base(node: ast.AST) -> str:
    """The variable of which a statement sets a part; "" where it only reads."""
    if isinstance(node, PARTS) and isinstance(node.ctx, ast.Store):
        inner: ast.expr = node
        while isinstance(inner, PARTS):
            inner = inner.value
        return inner.id if isinstance(inner, ast.Name) else ""
    return ""


def _passing(name: str, counters: list[str]) -> str:
    """A variable that has no value there is left alone."""
    given = ", ".join([repr(name), name, *counters])
    return f"try:\n    {name} = {PLACE}({given})\nexcept NameError:\n    pass"


def _set(function: ast.FunctionDef) -> set[str]:
    """The variables that a function sets itself."""
    pending: list[ast.AST] = [*function.body]
    found: set[str] = set()
    while pending:
        node = pending.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda, *COMPREHENSIONS)):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        pending += walks.children(node)
    return found


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


Block = tuple[ast.AST, str]


def _path(
    body: list[ast.stmt], line: int, around: tuple[Block, ...]
) -> Iterator[tuple[Block, ...]]:
    """The blocks around a simple statement at a line: the statement of each, and which it is."""
    for statement in body:
        if isinstance(statement, SIMPLE) and statement.lineno == line:
            yield around
        for inner, name in _blocks(statement):
            yield from _path(getattr(inner, name), line, (*around, (inner, name)))


def _blocks(statement: ast.stmt) -> Iterator[Block]:
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        return
    parts = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    for part in parts:
        for name in ("body", "orelse", "finalbody"):
            if isinstance(getattr(part, name, None), list):
                yield part, name


def _entered(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """The blocks of loops and branches."""
    for node in walks.over(function):
        if isinstance(node, (*LOOPS, ast.If)):
            yield node.body
            if node.orelse:
                yield node.orelse


def _put_before(function: ast.FunctionDef, loop: ast.AST, statement: ast.stmt) -> None:
    for node in walks.over(function):
        for _, block in ast.iter_fields(node):
            if isinstance(block, list) and loop in block:
                block.insert(block.index(loop), statement)
                return
