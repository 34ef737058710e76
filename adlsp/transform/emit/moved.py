"""A primal in which variables can be moved behind one statement: each passes a function there.

The function is given the name, the value, and the passes of the loops around the statement, and
gives the value to go on with.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from adlsp.transform.emit import watched
from adlsp.transform.frontend import walks
from adlsp.transform.frozen import dataclass

PLACE = "__adlsp_place__"
"""The variable that holds the function: `h = PLACE("h", h, 3)`."""

WAY = "__adlsp_way__"
"""The one that holds the function that is told of each block that is entered, by its line."""

GIVEN = "__adlsp_given__"
"""The variable of a derivative that holds what those parameters were given that it binds anew."""

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


def at(text: str, function: int, statement: int, *, is_head: bool = False) -> Moved:
    """The function at a line of a text, with its variables passing behind the statement at one.

    Behind its `def` they are what it was given. At the head of a loop (`is_head`) they pass before
    each pass, and behind the last; how many there were comes last of what they pass with. Raises
    NoPlaceError where there is no statement.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise NoPlaceError("the primal cannot be read") from error
    functions = (each for each in walks.over(tree) if isinstance(each, ast.FunctionDef))
    found = next((each for each in functions if each.lineno == function), None)
    if found is None:
        raise NoPlaceError("the primal is no function with statements")
    made = _passed(ast.Module([found], []), found, statement, is_head=is_head)
    found.decorator_list = []
    return made


def within(text: str, name: str, statement: int) -> Moved:
    """The forward sweep of a derivative with its variables passing behind a statement of it.

    It is the function of that name up to its seed, and gives what the seed is for.
    """
    module = ast.parse(text)
    functions = [each for each in module.body if isinstance(each, ast.FunctionDef)]
    found = next(each for each in functions if each.name == name)
    seeds = ((i, seeded) for i, each in enumerate(found.body) for seeded in _seeded(each))
    number, seeded = next(seeds, (0, None))
    if seeded is None:
        raise NoPlaceError("the derivative has no seed")
    found.body[number:] = [ast.copy_location(ast.Return(seeded), found.body[number])]
    for block in [block for each in functions if each is not found for block in _entered(each)]:
        block.insert(0, ast.parse(f"{WAY}({block[0].lineno})").body[0])
    return _passed(module, found, statement)


SEED = "out_bar"
"""The parameter of a derivative that has the weights of the result."""


def _seeded(statement: ast.stmt) -> Iterator[ast.expr]:
    """What the seed is for, in the statement of a derivative that makes the first adjoint."""
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Attribute(attr="seed"), args=[ast.Name(id=name), result, *_]):
                if name == SEED:
                    yield result


def _passed(
    module: ast.Module, found: ast.FunctionDef, statement: int, *, is_head: bool = False
) -> Moved:
    """A module with a function whose variables pass behind a statement; changed in place."""
    blocks, index = _place(found, statement)
    loops = [part for part, name in blocks if isinstance(part, LOOPS) and name == "body"]
    body: list[ast.stmt] = getattr(*blocks[-1]) if blocks else found.body
    if is_head:
        loops.append(_loop(body[index - 1]))
    counters = [PASS.format(number) for number in range(len(loops))]
    around = tuple(loop.lineno for loop in loops)
    made = _moved(module, found, around)
    names = sorted({*made.parameters, *(_set(found) if index else ())})
    body[index:index] = _all_passing(names, counters)
    if is_head:
        loops[-1].body[:0] = _all_passing(names, [*counters[:-1], f"{counters[-1]} - 1"])
    for block in [*_entered(found)]:
        block.insert(0, ast.parse(f"{WAY}({block[0].lineno})").body[0])
    for loop, counter in zip(loops, counters, strict=True):
        loop.body.insert(0, ast.parse(f"{counter} += 1").body[0])
        _put_before(found, loop, ast.parse(f"{counter} = 0").body[0])
    ast.fix_missing_locations(made.module)
    return made


def _place(function: ast.FunctionDef, statement: int) -> tuple[tuple[Block, ...], int]:
    """The blocks around the place behind a statement, and how many stand before it in the last."""
    blocks = next(_path(function.body, statement, ()), None)
    if blocks is not None:
        body: list[ast.stmt] = getattr(*blocks[-1]) if blocks else function.body
        return blocks, 1 + next(i for i, each in enumerate(body) if each.lineno == statement)
    if statement == function.lineno:
        return (), 0
    if any(isinstance(e, ast.Return) and e.lineno == statement for e in ast.walk(function)):
        raise NoPlaceError("at a `return` no gradient is complete yet: step to the next statement")
    raise NoPlaceError("gradients are compared where a statement of the function begins")


def _loop(statement: ast.stmt) -> ast.For | ast.While:
    """A loop. Raises NoPlaceError where a loop of ours is only a part of a statement."""
    if isinstance(statement, LOOPS):
        return statement
    raise NoPlaceError("this statement is half taken: step to the next one to compare gradients")


def followed(text: str, name: str) -> Moved:
    """The function of a text that tells of the blocks that it and the others there enter."""
    module = ast.parse(text)
    functions = [each for each in module.body if isinstance(each, ast.FunctionDef)]
    for block in [block for each in functions for block in _entered(each)]:
        block.insert(0, ast.parse(f"{WAY}({block[0].lineno})").body[0])
    found = next(each for each in functions if each.name == name)
    return _moved(ast.fix_missing_locations(module), found, ())


def _moved(module: ast.Module, function: ast.FunctionDef, loops: tuple[int, ...]) -> Moved:
    given = function.args
    positional = tuple(each.arg for each in (*given.posonlyargs, *given.args))
    starred = "" if given.vararg is None else given.vararg.arg
    named = tuple(each.arg for each in given.kwonlyargs)
    options = "" if given.kwarg is None else given.kwarg.arg
    return Moved(module, function.name, positional, starred, named, options, loops)


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


def remember(module: ast.Module, name: str, parameters: Iterable[str]) -> None:
    """Has the function `name` of a module keep what some parameters are given; in place.

    The line is that of its first statement, as a debugger sees it. Nothing is copied: a derivative
    changes no argument.
    """
    functions = [each for each in ast.walk(module) if isinstance(each, ast.FunctionDef)]
    for function in functions:
        if function.name == name and not watched.is_around(function):
            body, at = watched.beginning(function)
            kept = ", ".join(f"{each!r}: {each}" for each in sorted(parameters))
            (statement,) = ast.parse(f"{GIVEN} = {{{kept}}}").body
            for node in ast.walk(statement):
                if isinstance(node, ast.expr | ast.stmt):
                    ast.copy_location(node, body[at])
                    node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
            body.insert(at, statement)


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


def _all_passing(names: Iterable[str], passes: list[str]) -> list[ast.stmt]:
    return ast.parse("\n".join(_passing(name, passes) for name in names)).body


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
    """The blocks around a statement or a loop at a line: the statement of each, and which it is."""
    for statement in body:
        if isinstance(statement, (*SIMPLE, *LOOPS)) and statement.lineno == line:
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
