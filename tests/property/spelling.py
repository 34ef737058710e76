"""Other spellings of the calls in a program: operands by keyword, by star, in another order.

Generators write `np.sum(x, axis=0)`; people write `np.sum(axis=0, a=x)`, `np.sum(*(x, 0))`,
`np.sum(x, **{"axis": 0})` and `np.sum(x, axis=0, dtype=None)` as well.
"""

import ast
import importlib
import inspect
from collections.abc import Mapping
from functools import cache, reduce
from random import Random

LIBRARIES = ("numpy", "tensorflow")

SAYING_NOTHING = ("axis", "dtype", "keepdims", "name", "out")
"""Parameters that are given their defaults, where these are `None` or false."""

SHARE = 0.25
"""How many of the calls are spelled in another way."""

AS_FUNCTIONS = ("dot", "max", "mean", "min", "prod", "std", "sum", "var")
"""Methods of arrays that NumPy has as functions."""


def respelled(text: str, seed: int) -> str:
    """The text of a program with some of its calls spelled in another way."""
    tree = ast.parse(text)
    own = {s.name: s.args for s in tree.body if isinstance(s, ast.FunctionDef)}
    imported = (a for s in tree.body if isinstance(s, ast.Import) for a in s.names)
    homes = {a.asname: a.name for a in imported if a.asname and a.name in LIBRARIES}
    speller = _Speller(Random(f"spelling {seed}"), own, homes)
    made = speller.visit(tree)
    return f"{ast.unparse(made)}\n" if speller.n_spelled else text


class _Speller(ast.NodeTransformer):
    """Spells calls, the inner ones first.

    `own` are the functions of the program, `homes` the libraries by what they are called there.
    """

    def __init__(
        self, random: Random, own: Mapping[str, ast.arguments], homes: Mapping[str, str]
    ) -> None:
        self.random = random
        self.own = own
        self.homes = homes
        self.n_spelled = 0

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Leaves what is done when the module is imported as it is."""
        kinds = ast.FunctionDef | ast.ClassDef
        node.body = [self.visit(s) if isinstance(s, kinds) else s for s in node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Leaves decorators and defaults as they are."""
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Spells some of the calls."""
        self.generic_visit(node)
        is_open = any(isinstance(a, ast.Starred) for a in node.args)
        if is_open or any(k.arg is None for k in node.keywords):
            return node
        if self.random.random() >= SHARE:
            return node
        match node.func:
            case ast.Attribute(value, attr) if attr in AS_FUNCTIONS and not self.dotted(value):
                numpy = next((name for name, home in self.homes.items() if home == "numpy"), "np")
                function = ast.Attribute(ast.Name(numpy, ast.Load()), attr, ast.Load())
                node = ast.Call(function, [value, *node.args], node.keywords)
        known = self.parameters(node.func)
        if known is None or len(node.args) > len(known):
            return node
        self.n_spelled += 1
        ways = (self.by_name, self.by_name, self.said, self.starred)
        return self.random.choice(ways)(node, known)

    def parameters(self, function: ast.expr) -> Mapping[str, inspect.Parameter] | None:
        """The parameters of a function that is known, by name; None for others, or with a rest."""
        if isinstance(function, ast.Name) and function.id in self.own:
            return _of_program(self.own[function.id])
        dotted = self.dotted(function)
        return _of_library(dotted) if dotted else None

    def dotted(self, node: ast.expr) -> str:
        """The dotted name of a library or of what it has; empty for others."""
        match node:
            case ast.Name(name):
                return self.homes.get(name, "")
            case ast.Attribute(value, name) if home := self.dotted(value):
                return f"{home}.{name}"
        return ""

    def by_name(self, node: ast.Call, known: Mapping[str, inspect.Parameter]) -> ast.Call:
        """Arguments from some place on by keyword, and keywords in another order."""
        names = [*known][: len(node.args)]
        free = [i for i, n in enumerate(names) if known[n].kind is known[n].POSITIONAL_ONLY]
        first = self.random.randint(max(free, default=-1) + 1, len(names))
        named = [ast.keyword(n, a) for n, a in zip(names[first:], node.args[first:], strict=True)]
        named += node.keywords
        self.random.shuffle(named)
        return ast.Call(node.func, node.args[:first], named)

    def said(self, node: ast.Call, known: Mapping[str, inspect.Parameter]) -> ast.Call:
        """A default that is said."""
        given = {*[*known][: len(node.args)], *(k.arg for k in node.keywords)}
        left = [n for n in SAYING_NOTHING if n in known and n not in given]
        left = [n for n in left if known[n].default in (None, False)]
        if not left:
            return self.starred(node, known)
        name = self.random.choice(left)
        default = ast.keyword(name, ast.Constant(known[name].default))
        return ast.Call(node.func, node.args, [*node.keywords, default])

    def starred(self, node: ast.Call, _known: Mapping[str, inspect.Parameter]) -> ast.Call:
        """Arguments behind stars."""
        display = self.random.choice((ast.Tuple, ast.List))(node.args, ast.Load())
        args: list[ast.expr] = [ast.Starred(display, ast.Load())] if node.args else []
        keys: list[ast.expr | None] = [ast.Constant(k.arg) for k in node.keywords]
        options = ast.Dict(keys, [k.value for k in node.keywords])
        return ast.Call(node.func, args, [ast.keyword(None, options)] if keys else [])


def _of_program(arguments: ast.arguments) -> dict[str, inspect.Parameter] | None:
    if arguments.vararg or arguments.kwarg or arguments.posonlyargs:
        return None
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return {a.arg: inspect.Parameter(a.arg, kind) for a in arguments.args}


@cache
def _of_library(dotted: str) -> dict[str, inspect.Parameter] | None:
    library, *names = dotted.split(".")
    try:
        function = reduce(getattr, names, importlib.import_module(library))
        found = dict(inspect.signature(function).parameters)
    except (AttributeError, TypeError, ValueError):
        return None
    has_rest = any(p.kind is p.VAR_POSITIONAL for p in found.values())
    return None if has_rest else found
