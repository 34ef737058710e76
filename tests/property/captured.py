"""Puts the function of a random program into another function, or into a class.

What is not differentiated is captured there, or an attribute of the object; helpers stand beside
the function, so that they are captured or methods, or stay where they are. Helpers that are
captured capture a number themselves, by a name that the function binds in a comprehension only, if
there is one.
"""

import ast
import copy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from random_programs.program import Program


@dataclass(frozen=True)
class Moved:
    """A program whose `f` is inside `make` or is a method of `Model`: `given` are its arguments."""

    text: str
    path: str
    given: tuple[str, ...]

    def made(self, module: Any, point: dict[str, Any]) -> Any:
        """The function, for the arguments at a point."""
        values = {name: copy.deepcopy(point[name]) for name in self.given}
        return module.make(**values) if self.path.startswith("make") else module.Model(**values).f


def scaled(program: Program, seed: int) -> Program:
    """The program with calls of one more helper in the comprehensions of `f`, for some seeds."""
    if seed % 2:
        return program
    tree = ast.parse(program.text)
    position = next(i for i, n in enumerate(tree.body) if isinstance(n, ast.FunctionDef))
    for node in (n for each in tree.body[position:] for n in ast.walk(each)):
        if isinstance(node, ast.ListComp | ast.GeneratorExp) and not isinstance(
            node.elt, ast.Tuple
        ):
            node.elt = ast.Call(ast.Name("scaled", ast.Load()), [node.elt], [])
    tree.body[position:position] = ast.parse("def scaled(v):\n return v * SCALE").body
    return replace(program, text=ast.unparse(ast.fix_missing_locations(tree)))


def moved(program: Program, seed: int) -> Moved | None:
    """The program with its function elsewhere; None where it has nothing to capture."""
    random = Random(seed)
    tree = ast.parse(program.text)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    f = functions.pop("f")
    bound = {n.id for n in ast.walk(f) if isinstance(n, ast.Name) and _is_store(n)}
    bound |= {n.arg for each in ast.walk(f) if each is not f for n in _parameters(each)}
    named = [each.arg for each in f.args.args]
    given = [name for name in named if name not in {*program.wrt, *program.outputs, *bound}]
    if not given or f.args.defaults:
        return None
    f.args.args = [each for each in f.args.args if each.arg not in given]
    first = random.randint(0, len(functions))  # a helper may call those before it
    inside = [*functions][first:]
    helpers = [functions[name] for name in inside]
    tree.body = [node for node in tree.body if node is not f and node not in helpers]
    if random.random() < 0.5:
        (outer,) = ast.parse(f"def make({', '.join(given)}): pass").body
        held = _hidden_name(f, helpers, [*given, *named, *bound])
        for each in helpers:
            _Renamed({"SCALE": held}).visit(each)
        number = ast.parse(f"{held} = SCALE").body
        outer.body = [*number, *helpers, f, *ast.parse("return f").body]
        path = "make.<locals>.f"
    else:
        stores = "\n".join(f"  self.{name} = {name}" for name in given)
        init = f"class Model:\n def __init__(self, {', '.join(given)}):\n{stores}"
        (outer,) = ast.parse(init).body
        for each in (*helpers, f):
            _Method({*inside, *(given if each is f else ())}).visit(each)
            each.args.args.insert(0, ast.arg("self"))
            outer.body.append(each)
        path = "Model.f"
    tree.body.append(outer)
    return Moved(ast.unparse(ast.fix_missing_locations(tree)), path, tuple(given))


def _hidden_name(f: ast.FunctionDef, helpers: list[ast.FunctionDef], taken: list[str]) -> str:
    """A name that comprehensions in a function bind and that nothing else has; or a new one."""
    inside = [c for n in ast.walk(f) for c in getattr(n, "generators", ())]
    names = [n.id for c in inside for n in ast.walk(c.target) if isinstance(n, ast.Name)]
    elsewhere = {n.id for each in helpers for n in ast.walk(each) if isinstance(n, ast.Name)}
    elsewhere |= {n.arg for each in helpers for n in ast.walk(each) if isinstance(n, ast.arg)}
    own = [n for n in names if n not in elsewhere and _n_bound(f, n) == names.count(n)]
    return next((n for n in own if n not in set(taken) - set(names)), "scale_of_make")


def _n_bound(f: ast.FunctionDef, name: str) -> int:
    """How often a name is bound in a function, its parameters included."""
    stored = [n for n in ast.walk(f) if isinstance(n, ast.Name) and n.id == name and _is_store(n)]
    return len(stored) + sum(n.arg == name for n in ast.walk(f) if isinstance(n, ast.arg))


class _Renamed(ast.NodeTransformer):
    """Reads names by others."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.names and isinstance(node.ctx, ast.Load):
            return ast.Name(self.names[node.id], ast.Load())
        return node


class _Method(ast.NodeTransformer):
    """Reads names as attributes of the object."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.names and isinstance(node.ctx, ast.Load):
            return ast.Attribute(ast.Name("self", ast.Load()), node.id, ast.Load())
        return node


def _is_store(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _parameters(node: ast.AST) -> list[ast.arg]:
    return [each for each in ast.walk(node) if isinstance(each, ast.arg)] if _is_scope(node) else []


def _is_scope(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.Lambda)
