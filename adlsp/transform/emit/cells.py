"""A derivative that reads captured variables from cells: they are parameters in its text.

This undoes lambda lifting (`frontend/closures.py`), as a closure again. So it is called as its
primal is, and sees what these variables hold by then.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from adlsp.transform import depth
from adlsp.transform.emit.guarded import OTHERWISE, Guard, seeded
from adlsp.transform.emit.handled import handled
from adlsp.transform.frontend import bindings

AGAIN = "captured "
"""What stands before the name of a captured variable that the derivative binds, too."""


def tree(text: str, name: str, captured: Sequence[str], guard: Guard | None) -> ast.Module:
    """The tree of a derivative, in which the function `name` reads its captured variables.

    With such variables it stands in a function of the same name, whose parameters they are. One of
    them is what a `guard` asks for the derivative for other arguments.
    """
    module = handled(depth.parse(text), name)
    if captured or guard is not None:
        module.body = [_reading(each, name, captured, guard) for each in module.body]
    return module


def _reading(
    statement: ast.stmt, name: str, captured: Sequence[str], guard: Guard | None
) -> ast.stmt:
    """A function in one that has captured variables: those are no parameters of it any more."""
    if not isinstance(statement, ast.FunctionDef) or statement.name != name:
        return statement
    named = zip(statement.args.kwonlyargs, statement.args.kw_defaults, strict=True)
    kept = [(each, default) for each, default in named if each.arg not in captured]
    statement.args.kwonlyargs = [each for each, _ in kept]
    statement.args.kw_defaults = [default for _, default in kept]
    bound = {n for inner in statement.body for n in bindings.bound(inner)} if captured else set()
    again = {each: AGAIN + each for each in captured if each in bound}
    at = statement.body[1]  # behind the docstring
    guards = [] if guard is None else [guard.statement(statement, again), *seeded(statement)]
    statement.body[1:1] = [
        *guards,
        *(ast.copy_location(ast.fix_missing_locations(_assign(each)), at) for each in again),
    ]
    (outer,) = depth.parse(f"def {name}(): return {name}").body
    assert isinstance(outer, ast.FunctionDef)
    names = [again.get(each, each) for each in captured]
    names += [OTHERWISE] if guards else []
    outer.args.args = [ast.copy_location(ast.arg(each), statement) for each in names]
    outer.body = [statement, *outer.body]
    return ast.copy_location(outer, statement)


def _assign(name: str) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], ast.Name(AGAIN + name, ast.Load()))
