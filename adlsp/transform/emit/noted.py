"""A derivative that tells how large its adjoints and tangents are, each as soon as it is there.

What is told goes to a variable of the function that is None where nobody wants to know: most steps
of a run are not recorded. The lines stay as they are: a debugger sees no other program.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator

from adlsp.transform import depth
from adlsp.transform.emit import watched
from adlsp.transform.frontend import walks

NOTE = "__adlsp_note__"
"""The local variable that holds the function to tell: `NOTE(3, h_bar)`."""

BEGIN, HERE, END = "__adlsp_begin__", "__adlsp_here__", "__adlsp_end__"
"""The variables of the derivative's module that hold what is called for the function to tell, what
has it as `note` for the functions that are called meanwhile, and what the result passes."""

MADE = re.compile(r"\w+_(bar|dot)(_\d+)?")
"""What variables are called that hold adjoints and tangents."""


Numbering = Callable[[str, int], int]
"""Gives the number by which a variable is told of, of its name and its line."""


def noted(module: ast.Module, name: str, lines: Collection[int], numbered: Numbering) -> None:
    """Rewrites a module in place. `name` is the function to call.

    `lines` are those on which adjoints and tangents are computed.
    """
    for function in [each for each in walks.over(module) if isinstance(each, ast.FunctionDef)]:
        is_root = function.name == name and not watched.is_around(function)
        body, at = watched.beginning(function)
        if is_root:
            _end(body, at)  # what passes other arguments on stands before
        if _note(function.body, lines, numbered) or is_root:
            begun = f"{NOTE} = {BEGIN}()" if is_root else f"{NOTE} = {HERE}.note"
            (made,) = depth.parse(begun).body
            body.insert(at, watched.placed(made, body[at]))


def _end(body: list[ast.stmt], start: int = 0) -> None:
    """Has what a function returns pass `END` where somebody wants to know."""
    for statement in tuple(body[start:]):
        match statement:
            case ast.FunctionDef():
                pass
            case ast.Return(value=ast.expr() as result):
                (telling,) = depth.parse(f"if {NOTE}:\n return {END}({NOTE}, 0)").body
                assert isinstance(telling, ast.If)
                body.insert(body.index(statement), watched.placed(telling, statement))
                (passing,) = telling.body
                assert isinstance(passing, ast.Return)
                assert isinstance(passing.value, ast.Call)
                passing.value.args[1] = result
            case _:
                for inner in watched.blocks(statement):
                    _end(inner)


def _note(body: list[ast.stmt], lines: Collection[int], numbered: Numbering) -> bool:
    """Rewrites the statements of a block, and of those in it; says whether there was one."""
    is_any = False
    for statement in tuple(body):
        match statement:
            case ast.FunctionDef():
                pass
            case ast.Assign() | ast.AugAssign() if statement.lineno in lines:
                at = body.index(statement) + 1
                after = [each for each in body[at:] if not isinstance(each, ast.Expr)]
                after = [each for each in after if each is after[0] or each.lineno in lines]
                body[at:at] = made = _after(statement, after, numbered)
                is_any = is_any or bool(made)
            case _:
                for inner in watched.blocks(statement):
                    is_any = _note(inner, lines, numbered) or is_any
    return is_any


def _after(
    statement: ast.Assign | ast.AugAssign, following: list[ast.stmt], numbered: Numbering
) -> list[ast.stmt]:
    """What stands after a statement, for what it has computed that is not changed right away.

    Neither is what the same statement of the primal goes on to change.
    """
    if isinstance(statement.value, ast.Constant):
        return []
    changed = [ast.unparse(each) for next_ in following[:1] for each in _targets(next_)]
    made: list[ast.stmt] = []
    for target in _targets(statement):
        name = ast.unparse(target)
        if name not in changed and watched.is_simple(target) and MADE.fullmatch(_base(target)):
            number = numbered(name, statement.lineno)
            if number in _numbers_of(name, following, numbered):
                continue
            (telling,) = depth.parse(f"if {NOTE}: {NOTE}({number}, {name})").body
            made.append(watched.placed(telling, statement))
    return made


def _numbers_of(name: str, following: list[ast.stmt], numbered: Numbering) -> Iterator[int]:
    """The numbers under which the statements behind one tell of a variable."""
    for statement in following[1:]:
        is_set = any(ast.unparse(each) == name for each in _targets(statement))
        if is_set and not isinstance(getattr(statement, "value", None), ast.Constant):
            yield numbered(name, statement.lineno)


def _targets(statement: ast.stmt) -> list[ast.expr]:
    """What a statement binds or stores into, each on its own."""
    match statement:
        case ast.AugAssign():
            return [statement.target]
        case ast.Assign():
            pending, found = [*statement.targets], list[ast.expr]()
            while pending:
                target = pending.pop(0)
                parts = target.elts if isinstance(target, ast.Tuple | ast.List) else []
                pending[:0] = parts
                found += [] if parts else [target]
            return found
    return []


def _base(target: ast.expr) -> str:
    """The variable that is bound or stored into."""
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""
