"""The statements of a module by which a variable gets what it holds: a slice of its text.

They are put into a function that gives what the variable holds where the module ends, so that it is
lowered, and what that is inferred, like any function. In the slice is what binds a variable of it,
or speaks of one and so may change what it holds (Weiser, Program slicing, 1981; here without its
directions).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adlsp.transform.frontend import bindings, walks

DEFINING = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
"""Statements of a module after which names mean the same in all of its functions."""

MOST_STATEMENTS = 48
"""How many statements a slice has; of what takes more nothing is told."""


BARE = "adlsp_bare"
"""The variable of a slice that holds the function which a decorator is given."""


def function(module: ast.Module, name: str) -> ast.FunctionDef | None:
    """The slice for a variable; None where it is not bound just once, by an assignment.

    What decides or loops around an assignment may not have run. A function with decorators is such
    a variable, too.
    """
    body = list[ast.stmt]()
    for statement in module.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            body += _applied(statement)
        elif not isinstance(statement, DEFINING):
            body.append(statement)
    binding = {id(s): {*bindings.bound(s)} for s in body}
    binders = [s for s in body if name in binding[id(s)]]
    if len(binders) != 1 or not isinstance(binders[0], ast.Assign | ast.AnnAssign):
        return None
    speaking = {id(s): {n.id for n in walks.over(s) if isinstance(n, ast.Name)} for s in body}
    variables = set[str]().union(*binding.values())
    wanted, chosen = {name}, list[ast.stmt]()
    while True:
        taken = [s for s in body if not wanted.isdisjoint(speaking[id(s)])]
        if len(taken) > MOST_STATEMENTS:
            return None
        if len(taken) == len(chosen):
            break
        chosen = taken
        wanted = variables & set[str]().union(*(speaking[id(s)] for s in chosen))
    last = chosen[-1]
    given = ast.copy_location(ast.Return(ast.Name(name, ast.Load())), last)
    return gathered([*chosen, given])


def _applied(definition: ast.FunctionDef) -> Iterator[ast.stmt]:
    """What decorators do to a function: `f = timed(f)`."""
    made: ast.expr = ast.Name(BARE, ast.Load())
    for mark in reversed(definition.decorator_list):
        made = ast.copy_location(ast.Call(mark, [made], []), mark)
    bound = ast.Assign([ast.Name(definition.name, ast.Store())], made)
    ast.copy_location(bound, definition)
    bound.lineno = min((mark.lineno for mark in definition.decorator_list), default=bound.lineno)
    yield ast.fix_missing_locations(bound)


def gathered(body: list[ast.stmt], arguments: ast.arguments | None = None) -> ast.FunctionDef:
    """A function of statements that stand elsewhere."""
    arguments = arguments or ast.arguments([], [], None, [], [], None, [])
    function = ast.FunctionDef("adlsp_gathered", arguments, body, [], None, None)
    if hasattr(function, "type_params"):
        function.type_params = []
    ast.copy_location(function, body[0])
    function.end_lineno = body[-1].end_lineno
    return ast.fix_missing_locations(function)
