"""From steps to Python's syntax: the tree of an expression, and its text.

`astor` prints; we subclass it for two habits: a line is never broken (line numbers are counted
while printing), and integer powers keep their plain form.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

import gast

from adlsp.transform import ir
from adlsp.transform.frontend import walks
from adlsp.transform.ir import signs, targets

with warnings.catch_warnings():
    # astor mentions classes of `ast` that Python 3.12 deprecates
    warnings.simplefilter("ignore", DeprecationWarning)
    import astor


def _parsed(sign: str) -> ast.expr:
    """What Python reads in a sign between two operands; before one for none."""
    return ast.parse(sign, mode="eval").body


BETWEEN = {name: _parsed(f"a {sign} b") for name, sign in signs.INFIX.items()}
BINARY = {n: type(tree.op) for n, tree in BETWEEN.items() if isinstance(tree, ast.BinOp)}
BINARY |= {name: BINARY[operator] for name, operator in signs.OF_LISTS.items()}
COMPARE = {n: type(tree.ops[0]) for n, tree in BETWEEN.items() if isinstance(tree, ast.Compare)}
BEFORE = {name: _parsed(f"{sign}a") for name, sign in signs.PREFIX.items()}
UNARY = {n: type(tree.op) for n, tree in BEFORE.items() if isinstance(tree, ast.UnaryOp)}
SYNTAX = {*BINARY, *UNARY, *COMPARE, "operator.getitem"}
"""What is printed in Python's own syntax, if it is called with as many operands as that has."""

LOAD, STORE = ast.Load(), ast.Store()

MADE = "adlsp.runtime.made"
"""What makes an object without its constructor."""

Tree = ast.expr

Scope = TypeVar("Scope", ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Syntax:
    """Makes trees for the expressions of one function.

    `given` are the printed names of variables, `inline` the steps that are printed at their use,
    and `dotted` makes the tree for a dotted name (it knows how modules are called in this file).
    """

    def __init__(
        self,
        given: Mapping[str, str],
        inline: Mapping[str, ir.Expression],
        dotted: Callable[[str], Tree],
    ) -> None:
        self.given = given
        self.inline = inline
        self.dotted = dotted

    def atom(self, atom: ir.Atom) -> Tree:
        """The tree of an atom."""
        match atom:
            case ir.Const(value, spelling):
                return constant(value, spelling)
            case ir.Global(dotted):
                return self.dotted(dotted)
            case ir.Name(id) if id in self.inline:
                return self.expression(self.inline[id])
        return self.name(atom.id)

    def name(self, name: str) -> ast.Name:
        """The tree of a variable."""
        return ast.Name(self.given.get(name, name), LOAD)

    def expression(self, value: ir.Expression) -> Tree:
        """The tree of an expression."""
        match value:
            case ir.Call():
                return self.call(value)
            case ir.Opaque():
                return self.opaque(value)
        return self.atom(value)

    def call(self, call: ir.Call) -> Tree:
        """The tree of a step, in the syntax that Python has for it."""
        if isinstance(call.function, targets.Instance):
            return self.call(replace(call, function=call.function.of))
        name, args = call.function, call.args
        if targets.is_method(name) and targets.member(name) in signs.OF_METHODS:
            name = signs.OF_METHODS[targets.member(name)]
            call = replace(call, function=name)
        if name in BINARY and len(args) == 2:
            left, right = (self.atom(a) for a in args)
            return ast.BinOp(left, BINARY[name](), right)
        if name in UNARY and len(args) == 1:
            return ast.UnaryOp(UNARY[name](), self.atom(args[0]))
        if name in COMPARE and len(args) == 2:
            left, right = (self.atom(a) for a in args)
            return ast.Compare(left, [COMPARE[name]()], [right])
        if name in ("operator.getitem", ir.OPTION):
            return self.subscript(self.atom(args[0]), args[1], LOAD)
        if name == "python.slice":
            is_whole = args[0] == args[1] == ir.Const(None)
            given = args[: 1 if is_whole else 2] if args[2] == ir.Const(None) else args
            return ast.Call(ast.Name("slice", LOAD), [self.atom(a) for a in given], [])
        if name == "python.text":
            return ast.JoinedStr([_text_part(a, self.atom(a)) for a in args])
        if name == "python.tuple":
            return ast.Tuple([self.atom(a) for a in args], LOAD)
        if name == "python.list":
            return ast.List([self.atom(a) for a in args], LOAD)
        if name == "python.set":
            return ast.Set([self.atom(a) for a in args])
        if name == "python.dict":
            trees: list[ast.expr | None] = [self.atom(a) for a in args]
            return ast.Dict(trees[0::2], [self.atom(a) for a in args[1::2]])
        if name == ir.OBJECT:
            return self.object(args, call.keywords)
        if name in ir.STATES.values():
            return self.atom(args[0])
        if name in signs.EXPONENTIALS:
            return self.sigmoid(signs.EXPONENTIALS[name], *map(self.atom, args))
        if name in (signs.LOG_OF_SIGMOID, signs.LOG_OF_LACK):
            of = self.atom(args[1])
            of = ast.BinOp(self.atom(args[2]), ast.Sub(), of) if len(args) > 2 else of
            return ast.Call(self.dotted("numpy.log"), [of], [])
        if name == signs.LOG_LIKELIHOOD:
            return self.likelihood(*map(self.atom, args[1:]))
        if name in signs.JOINING and len(args) == 1:
            together = self.atom(args[0])
            if isinstance(together, ast.Tuple | ast.List):
                parts: Tree = ast.Tuple(together.elts, LOAD)
            else:
                parts = ast.Call(self.dotted("builtins.tuple"), [together], [])
            return ast.Subscript(self.dotted(name), parts, LOAD)
        if name in signs.TAKING_MANY:
            together = self.atom(args[0])
            axes: list[ast.expr] = [ast.Starred(together, LOAD)]
            if isinstance(together, ast.Tuple):
                axes = together.elts
            keywords = [ast.keyword(key, self.atom(a)) for key, a in call.keywords]
            return ast.Call(self.dotted(signs.TAKING_MANY[name]), axes, keywords)
        if name == "python.transposed":
            rows = ast.Starred(self.atom(args[0]), LOAD)
            zipped = ast.Call(self.dotted("builtins.zip"), [rows], [])
            return ast.Call(self.dotted("builtins.list"), [zipped], [])
        if isinstance(name, targets.CopyOut):
            return self.with_copies(name, call)
        if targets.is_attribute(name):
            return ast.Attribute(self.atom(args[0]), targets.member(name), LOAD)
        return ast.Call(
            self.function(call),
            [
                *(self.atom(a) for a in (args[1:] if _is_method(name) else args)),
                *(ast.Starred(self.atom(a), LOAD) for k, a in call.keywords if _stars(k) == 1),
            ],
            [
                ast.keyword(None if _stars(key) else key, self.atom(a))
                for key, a in call.keywords
                if _stars(key) != 1 and not isinstance(key, targets.Captured)
            ],
        )

    def object(self, args: tuple[ir.Atom, ...], fields: tuple[tuple[str, ir.Atom], ...]) -> Tree:
        """The tree of an object: of one without attributes no constructor runs."""
        of, keywords = self.atom(args[0]), [ast.keyword(k, self.atom(a)) for k, a in fields]
        if args[0] == ir.Global(ir.RECORD):
            return ast.Call(of, [], keywords)
        if args[1:]:
            return ast.Call(self.dotted(MADE), [of], keywords)
        if keywords:
            return ast.Call(of, [], keywords)
        made = ast.Attribute(self.dotted("builtins.object"), "__new__", LOAD)
        return ast.Call(made, [of], [])

    def sigmoid(self, exponential: str, x: Tree, above: Tree, below: Tree) -> Tree:
        """The tree of a sigmoid, as it is written by hand."""
        power = ast.Call(self.dotted(exponential), [ast.UnaryOp(ast.USub(), x)], [])
        return ast.BinOp(above, ast.Div(), ast.BinOp(below, ast.Add(), power))

    def likelihood(self, p: Tree, y: Tree, whole: Tree, above: Tree) -> Tree:
        """The tree of the logarithm of a likelihood, as it is written by hand."""
        log = self.dotted("numpy.log")
        likely = ast.BinOp(y, ast.Mult(), ast.Call(log, [p], []))
        lack = ast.Call(log, [ast.BinOp(above, ast.Sub(), p)], [])
        unlikely = ast.BinOp(ast.BinOp(whole, ast.Sub(), y), ast.Mult(), lack)
        return ast.BinOp(likely, ast.Add(), unlikely)

    def with_copies(self, called: targets.CopyOut, call: ir.Call) -> Tree:
        """The tree of a call of the user's function on copies of what it changes."""
        _, copying = functions(called)
        args = [self.spelled(called), constant(called.changed)]
        return ast.Call(
            self.dotted(copying),
            [*args, *(self.atom(a) for a in call.args)],
            [ast.keyword(key, self.atom(a)) for key, a in call.keywords],
        )

    def function(self, call: ir.Call) -> Tree:
        """The tree of what is called."""
        name = call.function
        if _is_method(name):
            if name == "python.call" or isinstance(name, targets.Nested):
                return self.atom(call.args[0])
            return ast.Attribute(self.atom(call.args[0]), targets.member(name), LOAD)
        return self.spelled(signs.CHOOSING.get(name, name))

    def spelled(self, name: str) -> Tree:
        """The tree of a function by its name."""
        dotted, *attributes = targets.spelled(name)
        tree = self.dotted(dotted)
        for each in attributes:
            tree = ast.Attribute(tree, each, LOAD)
        return tree

    def subscript(
        self, tree: Tree, index: ir.Atom, context: ast.expr_context
    ) -> ast.Subscript | ast.Attribute:
        """The tree of an element: `tree[index]`, or `tree[i][j]`; of an attribute, `tree.name`."""
        if isinstance(index, ir.Const) and isinstance(index.value, ir.Attribute):
            return ast.Attribute(tree, str(index.value), context)
        made = self.inline.get(index.id) if isinstance(index, ir.Name) else None
        match made:
            case ir.Call(function=ir.PATH, args=(*first, last)):
                for atom in first:
                    tree = self.subscript(tree, atom, LOAD)
                return self.subscript(tree, last, context)
        return ast.Subscript(tree, self.index(index), context)

    def index(self, atom: ir.Atom) -> Tree:
        """The tree of an index, in which slices have their colons."""
        if isinstance(atom, ir.Name) and atom.id in self.inline:
            match self.inline[atom.id]:
                case ir.Call(function="python.slice", args=args):
                    ends = [None if a == ir.Const(None) else self.atom(a) for a in args]
                    return ast.Slice(*ends)
                case ir.Call(function="python.tuple", args=args) if args:
                    return ast.Tuple([self.index(a) for a in args], LOAD)
        return self.atom(atom)

    def opaque(self, value: ir.Opaque) -> Tree:
        """The user's own tree, with its names as they are called in this file."""
        tree = gast.gast_to_ast(value.tree)
        made: Tree = _Renamed(self, dict(value.names), dict(value.globals)).visit(tree)
        return made


class _Renamed(ast.NodeTransformer):
    """Replaces the names in a user's tree by what they are called in the printed file."""

    def __init__(self, syntax: Syntax, names: dict[str, str], outside: dict[str, str]) -> None:
        self.syntax = syntax
        self.names = names
        self.outside = outside

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A variable keeps or changes its name; a global becomes a dotted name."""
        if node.id in self.outside:
            tree = self.syntax.dotted(self.outside[node.id])
            if isinstance(tree, ast.Attribute | ast.Name):
                tree.ctx = node.ctx
            return tree
        variable = self.names.get(node.id, node.id)
        return ast.Name(self.syntax.given.get(variable, variable), node.ctx)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function in the function is called as the variable that holds it."""
        name = self.visit_Name(ast.Name(node.name, STORE))
        self.generic_visit(node)
        node.name = name.id if isinstance(name, ast.Name) else node.name
        return node

    def scope(self, node: Scope) -> Scope:
        """A comprehension, whose variables hide globals but from what it runs over first."""
        first = node.generators[0]
        iterable: ast.expr = self.visit(first.iter)
        targets = {n.id for g in node.generators for n in _names(g.target)}
        outside = {name: dotted for name, dotted in self.outside.items() if name not in targets}
        first.iter = ast.Constant(None)
        _Renamed(self.syntax, self.names, outside).generic_visit(node)
        first.iter = iterable
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = scope  # noqa: N815


def _names(tree: ast.AST) -> Iterator[ast.Name]:
    """The names in a tree."""
    return (node for node in walks.over(tree) if isinstance(node, ast.Name))


def _stars(keyword: str) -> int:
    """How many stars an argument has: `*values` and `**values` are keywords by that name."""
    return len(keyword) - len(keyword.lstrip("*"))


def functions(called: str) -> tuple[str, ...]:
    """The functions of modules that the text of a call names."""
    match called:
        case targets.CopyOut():
            return targets.spelled(called)[0], f"adlsp.runtime.{called.gives.value}"
        case targets.Instance():
            return functions(called.of)
        case targets.Above() | targets.Getter() | targets.Maker():
            return targets.spelled(called)[:1]
        case targets.Made():
            return ()
    if called in signs.TAKING_MANY:
        return (signs.TAKING_MANY[called],)
    if called in signs.EXPONENTIALS:
        return (signs.EXPONENTIALS[called],)
    if called in signs.JOINING:
        return called, "builtins.tuple"
    if called == "python.transposed":
        return "builtins.zip", "builtins.list"
    if called in (signs.LOG_OF_SIGMOID, signs.LOG_OF_LACK, signs.LOG_LIKELIHOOD):
        return ("numpy.log",)
    is_named = called not in SYNTAX if targets.is_operator(called) else targets.is_plain(called)
    return (called,) if is_named else ()


def _text_part(atom: ir.Atom, tree: ast.expr) -> ast.expr:
    """A part of `f"W{i}"`: a text as it is, all else in braces."""
    if isinstance(atom, ir.Const) and isinstance(atom.value, str | int):
        return ast.Constant(str(atom.value))
    return ast.FormattedValue(tree, -1, None)


METHODS = ("python.call", "python.append", "python.pop")


def _is_method(name: str) -> bool:
    """Tells whether the first argument of a call stands before it, or is what is called."""
    return targets.is_method(name) or isinstance(name, targets.Nested) or name in METHODS


def constant(value: object, spelling: str | None = None) -> Tree:
    """The tree of a literal; a negative number is a negated literal, a tuple a display.

    The kind of a number is its spelling.
    """
    if isinstance(value, tuple):
        return ast.Tuple([constant(v) for v in value], LOAD)
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value, spelling and spelling[1:]))
    value = str(value) if isinstance(value, ir.Attribute) else value
    return ast.Constant(value, spelling)  # type: ignore[arg-type]


class _Generator(astor.SourceGenerator):
    """Prints constants as Python itself writes them."""

    def visit_Constant(self, node: ast.Constant) -> None:  # noqa: N802
        """A literal by its `repr`, a number as it is spelled; infinite ones overflow."""
        if node.kind is not None and not isinstance(node.value, str):
            self.write(node.kind)
            return
        text = "..." if node.value is ... else repr(node.value)
        if isinstance(node.value, str) and '"' not in text:
            text = f'"{text[1:-1]}"'.replace("\\'", "'")
        is_float = isinstance(node.value, float | complex)
        self.write(text.replace("inf", "1e309") if is_float else text)

    def visit_Tuple(self, node: ast.Tuple) -> None:  # noqa: N802
        """A tuple of one element is easily overlooked without its parentheses."""
        if len(node.elts) == 1:
            self.write("(", node.elts[0], ",)")
        else:
            super().visit_Tuple(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:  # noqa: N802
        """`owner.attribute`; the point after a number may be read as a decimal one."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, int | float):
            self.write("(", node.value, ").", node.attr)
        else:
            super().visit_Attribute(node)


def _spoken(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree that a printer needs a method for."""
    for node in walks.over(tree):
        if isinstance(node, ast.expr | ast.stmt):
            yield node


def text(tree: ast.AST) -> str:
    """The text of a tree, on as few lines as its statements need."""
    statement = ast.Expr(tree) if isinstance(tree, ast.expr) else tree
    if not all(hasattr(_Generator, f"visit_{type(node).__name__}") for node in _spoken(tree)):
        return ast.unparse(ast.fix_missing_locations(statement))
    written = astor.to_source(
        statement,
        indent_with="    ",
        pretty_source="".join,
        source_generator_class=_Generator,
    )
    return str(written).rstrip("\n")
