"""A derivative that passes on the arguments it is not made for.

It is made for one signature. What tells whether arguments have that stands at its start, so that
where they do no other function is called. For a debugger it is a part of the first statement, and
what passes on a part of the `def`; no traceback shows a derivative that has passed on a call.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from adlsp.transform import depth
from adlsp.transform.frontend import walks
from adlsp.transform.frozen import dataclass

OTHERWISE = "adlsp otherwise"
"""The captured variable that holds what gives the derivative for other arguments."""

LEAVER = "adlsp leaves"
"""The variable of the derivative's module that holds what takes a frame out of a traceback."""

NUMBER, TYPE, SEEDING = "adlsp number", "adlsp type", "adlsp seed"
"""The variables of the derivative's module that hold `float`, `type`, and what makes a float."""

THING = "adlsp "
"""What stands before the names of what the test compares with, in the derivative's module."""


@dataclass(frozen=True, slots=True)
class Guard:
    """What tells for which arguments a derivative is.

    `test` is an expression over `things` and the letters of the `given` variables of the function:
    `a0`, `a1`, in this order.
    """

    test: str
    things: Mapping[str, object]
    given: Sequence[str]

    def along(self, test: str, things: Mapping[str, object]) -> Guard:
        """The guard with another test, over things of its own."""
        tree = depth.parse_expression(test)
        own = {name: f"{name}_{len(self.things)}" for name in things}
        for node in walks.over(tree):
            if isinstance(node, ast.Name):
                node.id = own.get(node.id, node.id)
        both = f"{self.test} and {ast.unparse(tree)}"
        more = {own[name]: thing for name, thing in things.items()}
        return replace(self, test=both, things={**self.things, **more})

    @property
    def space(self) -> dict[str, object]:
        """What the derivative's module has for the test: the things, and built-in functions."""
        names = {each.id for each in walks.over(self._tree()) if isinstance(each, ast.Name)}
        own = {name: vars(builtins)[name] for name in names if name in vars(builtins)}
        return {f"{THING}{name}": thing for name, thing in {**own, **self.things}.items()}

    def statement(self, function: ast.FunctionDef, named: Mapping[str, str]) -> ast.stmt:
        """The statement at the start of a function; `named` are other names for some variables."""
        given = [named.get(name, name) for name in self.given]
        places = {f"a{number}": name for number, name in enumerate(given)}
        test = self._tree()
        for node in walks.over(test):
            if isinstance(node, ast.Name):
                node.id = places.get(node.id, f"{THING}{node.id}")
        text = "if not x:\n try: return f()()\n except: leave(); raise"
        (made,) = depth.parse(text).body
        assert isinstance(made, ast.If)
        assert isinstance(made.test, ast.UnaryOp)
        (attempt,) = made.body
        assert isinstance(attempt, ast.Try)
        made.test.operand = test
        (passing,) = attempt.body
        leaving, _ = attempt.handlers[0].body
        assert isinstance(leaving, ast.Expr)
        leaving.value = ast.Call(ast.Name(LEAVER, ast.Load()), [], [])
        for node in walks.over(made):
            if isinstance(node, ast.expr | ast.stmt | ast.excepthandler):
                ast.copy_location(node, function.body[1])  # behind the docstring
        assert isinstance(passing, ast.Return)
        found = ast.Call(ast.Name(OTHERWISE, ast.Load()), _names(given), [])
        passing.value = ast.Call(found, *_forwarded(function.args))
        for node in walks.over(passing):
            if isinstance(node, ast.expr | ast.stmt | ast.keyword):
                ast.copy_location(node, function)
        return made

    def _tree(self) -> ast.expr:
        return depth.parse_expression(self.test)


def seeded(function: ast.FunctionDef) -> list[ast.stmt]:
    """What makes a float of another number, which the gradient of a number is asked for with.

    A derivative for a signature takes the seed for a float. One that checks its seed takes any, and
    so does one that does not read it: a variable that it binds may have the same name.
    """
    taken, nodes = function.args, [*walks.over(function)]
    is_checked = any(isinstance(node, ast.Attribute) and node.attr == "seed" for node in nodes)
    names = [node for node in nodes if isinstance(node, ast.Name)]
    match taken.kw_defaults[-1:]:
        case [ast.Constant(1.0)] if not is_checked and _is_read(taken.kwonlyargs[-1].arg, names):
            name = taken.kwonlyargs[-1].arg
            text = f"if type({name}) is not number:\n {name} = seed({name})"
            (made,) = depth.parse(text).body
            for node in walks.over(made):
                if isinstance(node, ast.Name):
                    node.id = {"type": TYPE, "number": NUMBER, "seed": SEEDING}.get(
                        node.id, node.id
                    )
                if isinstance(node, ast.expr | ast.stmt):
                    ast.copy_location(node, function.body[1])  # behind the docstring
            return [made]
    return []


def _is_read(parameter: str, names: list[ast.Name]) -> bool:
    """Tells whether a function reads what a parameter is given, by all names in its text."""
    own = [name for name in names if name.id == parameter]
    bound = min((n.lineno for n in own if isinstance(n.ctx, ast.Store)), default=None)
    read = (n.lineno for n in own if isinstance(n.ctx, ast.Load))
    return any(bound is None or line <= bound for line in read)


def _forwarded(taken: ast.arguments) -> tuple[list[ast.expr], list[ast.keyword]]:
    """The arguments that give to each parameter what it has."""
    args = _names(each.arg for each in (*taken.posonlyargs, *taken.args))
    if taken.vararg is not None:
        args.append(ast.Starred(ast.Name(taken.vararg.arg, ast.Load()), ast.Load()))
    keywords = [ast.keyword(each.arg, ast.Name(each.arg, ast.Load())) for each in taken.kwonlyargs]
    if taken.kwarg is not None:
        keywords.append(ast.keyword(None, ast.Name(taken.kwarg.arg, ast.Load())))
    return args, keywords


def _names(names: Iterable[str]) -> list[ast.expr]:
    return [ast.Name(name, ast.Load()) for name in names]
