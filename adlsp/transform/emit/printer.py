"""Prints functions of the intermediate form, and notes for each line where it comes from.

Together these are the source map. Lines are counted while they are written; the text is never
searched afterwards. Each part of the backward sweep is headed by a comment with the primal
statement that it is the adjoint of.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from adlsp.transform import ir
from adlsp.transform.artifact import MappedLine
from adlsp.transform.emit import syntax
from adlsp.transform.emit.syntax import LOAD, STORE, Syntax
from adlsp.transform.ir import Role
from adlsp.transform.ir.variables import Step
from adlsp.transform.source import Span

INDENT = "    "
COMMENT_COLUMN = 72


@dataclass(slots=True)
class Page:
    """The text of a file while it is written."""

    lines: list[str] = field(default_factory=list)
    mapped: list[MappedLine] = field(default_factory=list)

    def write(
        self, text: str, depth: int, origin: Span | None = None, role: Role | None = None
    ) -> None:
        """Adds a statement, of one line or more."""
        for line in text.split("\n"):
            self.lines.append(INDENT * depth + line if line else "")
            if origin is not None and role is not None:
                primal, *inlined = origin.levels
                self.mapped.append(MappedLine(len(self.lines), role, primal, tuple(inlined)))


class Printer:
    """Prints the statements of one function."""

    def __init__(
        self,
        page: Page,
        given: Mapping[str, str],
        fused: frozenset[str],
        dotted: Callable[[str], ast.expr],
        quote: Callable[[Span], str],
        function: ir.Function,
    ) -> None:
        self.page = page
        self.function = function.origin
        self.contexts = function.contexts
        self.inline: dict[str, ir.Expression] = {}
        self.fused = fused
        self.syntax = Syntax(given, self.inline, dotted)
        self.quote = quote
        self.heading: str | None = None
        self.headed: Span | None = None
        self.around: list[Span | None] = []
        self.outer: tuple[ir.Context, ...] = ()
        self.entered: tuple[ir.Context, ...] = ()

    def block(self, block: ir.Block, depth: int) -> None:
        """Prints statements; an empty block is a `pass`, which belongs to the header above it."""
        start = len(self.page.lines)
        headed = self.headed
        self.around.append(headed)
        outer, entered = self.outer, self.entered
        self.outer, self.entered = (*outer, *entered), ()
        for statement in _popping(block):
            self.statement(statement, self.entering(statement, depth))
        self.outer, self.entered = outer, entered
        self.around.pop()
        if len(self.page.lines) == start:
            header = self.page.mapped[-1]
            self.page.write("pass", depth, header.primal, header.role)
        self.headed = headed

    def statement(self, statement: ir.Statement, depth: int) -> None:
        """Prints one statement, unless it is printed where it is used."""
        match statement:
            case ir.Assign(targets=(target,), value=value) if target in self.fused:
                self.inline[target] = value
                return
            case ir.While(header=header) if all(
                isinstance(s, ir.Assign) and s.targets[0] in self.fused for s in header
            ):
                for step in header:
                    self.statement(step, depth)
        if self.is_nothing(statement):
            return
        self.head(statement, depth)
        match statement:
            case ir.If():
                self.branch(statement, depth)
            case ir.For():
                bound, body = self.elements(statement)
                iterable = self.syntax.atom(statement.iterable)
                self.compound(ast.For(bound, iterable, [ast.Pass()], []), statement, depth)
                self.block(body, depth + 1)
            case ir.While():
                self.while_loop(statement, depth)
            case _:
                tree = self.simple(statement)
                self.page.write(syntax.text(tree), depth, statement.origin, statement.role)

    def entering(self, statement: ir.Statement, depth: int) -> int:
        """Prints a `with`, if a statement runs in contexts that are not entered yet.

        Tells how deep the statement stands.
        """
        if self.is_fused(statement) or self.is_nothing(statement):
            return depth
        origin, role = statement.origin, statement.role
        inside = (c for c in self.contexts if c.span.holds(origin))
        needed = tuple(context for context in inside if context not in self.outer)
        if needed and needed != self.entered:
            self.head(statement, depth)
            items = [ast.withitem(self.syntax.expression(c.value)) for c in needed]
            header = syntax.text(ast.With(items, [ast.Pass()])).rsplit("\n", 1)[0]
            self.page.write(header, depth, needed[-1].value.span, role)
        self.entered = needed
        return depth + bool(needed)

    def is_fused(self, statement: ir.Statement) -> bool:
        """Tells whether a statement is printed where its variable is used."""
        return isinstance(statement, ir.Assign) and statement.targets[0] in self.fused

    def is_nothing(self, statement: ir.Statement) -> bool:
        """Tells whether a statement assigns a variable to itself, once both have their names."""
        match statement:
            case ir.Assign(
                targets=(target,), value=ir.Name(id) | ir.Call(args=(ir.Name(id),)) as value
            ) if not statement.is_tuple:
                if isinstance(value, ir.Call) and value.function not in ir.STATES.values():
                    return False
                return (
                    id not in self.inline and self.syntax.name(target).id == self.syntax.name(id).id
                )
        return False

    def head(self, statement: ir.Statement, depth: int) -> None:
        """Prints the comment that tells which primal statement the next lines belong to."""
        origin = next(statement.origin.levels)
        if self.heading is None or origin in (self.headed, self.function, *self.around):
            return
        self.headed = origin
        if isinstance(statement, ir.Return):
            return
        is_inserted = statement.role is Role.INSERTED
        heading = "inserted" if is_inserted else f"{self.heading} of"
        text = f"# {heading}: {self.quote(origin)}"
        width = max(0, COMMENT_COLUMN - len(INDENT) * depth)
        self.page.write(f"{text:<{width}}  # line {statement.origin.line}", depth)

    def store(self, name: str) -> ast.Name:
        """The tree of a variable that is bound."""
        return ast.Name(self.syntax.name(name).id, STORE)

    def compound(self, tree: ast.stmt, statement: ir.Statement, depth: int, word: str = "") -> None:
        """Prints the header of a compound statement, whose tree has a `pass` for its body.

        `word` stands for an `if` at its beginning.
        """
        header = syntax.text(tree).rsplit("\n", 1)[0]
        if word == "elif":
            header = f"el{header}"
        self.page.write(header, depth, statement.origin, statement.role)

    def chained(self, orelse: ir.Block) -> tuple[ir.Block, ir.Assign | None, ir.If] | None:
        """What makes an `elif` of an `else` and the `if` that is all there is in it.

        That is the steps printed where they are used, the one that names the decision, and the
        `if` itself.
        """
        decided: ir.Assign | None = None
        match orelse:
            case (*steps, ir.Assign(targets=(name,)) as named, ir.If() as last) if (
                last.test == ir.Name(name) and name not in self.fused
            ):
                decided = named
            case (*steps, ir.If() as last):
                pass
            case _:
                return None
        are_fused = all(isinstance(s, ir.Assign) and s.targets[0] in self.fused for s in steps)
        return (tuple(steps), decided, last) if last.body and are_fused else None

    def branch(self, statement: ir.If, depth: int) -> None:
        """`if`, with `elif` and `else` where there is something in them."""
        test, word = self.syntax.atom(statement.test), "if"
        body, orelse = statement.body, statement.orelse
        if not body:
            test, body, orelse = ast.UnaryOp(ast.Not(), test), orelse, ()
        while True:
            self.compound(ast.If(test, [ast.Pass()], []), statement, depth, word)
            self.block(body, depth + 1)
            chained = self.chained(orelse)
            if chained is None:
                break
            steps, decided, statement = chained
            for step in steps:
                self.statement(step, depth)
            test, word = self.syntax.atom(statement.test), "elif"
            if decided is not None:
                value = self.syntax.expression(decided.value)
                test = ast.NamedExpr(self.store(decided.targets[0]), value)
            body, orelse = statement.body, statement.orelse
        if orelse:
            self.page.write("else:", depth, statement.origin, statement.role)
            self.block(orelse, depth + 1)

    def elements(self, statement: ir.For) -> tuple[ast.expr, ir.Block]:
        """The target of a loop, and the rest of its body: `for a, b in …` takes two statements."""
        match statement.body:
            case (ir.Assign(targets=targets, value=ir.Name(id), is_tuple=True), *rest) if (
                id == statement.target
                and isinstance(id, Step)
                and not any(id in ir.reads(s) for s in ir.walk(tuple(rest)))
            ):
                return ast.Tuple([self.store(t) for t in targets], STORE), tuple(rest)
        return self.store(statement.target), statement.body

    def while_loop(self, statement: ir.While, depth: int) -> None:
        """`while`; a test that takes statements of its own is left by `break`."""
        test = self.syntax.atom(statement.test)
        named = [s for s in statement.header if not set(ir.writes(s)) <= self.fused]
        if not named:
            self.compound(ast.While(test, [ast.Pass()], []), statement, depth)
            self.block(statement.body, depth + 1)
            return
        self.compound(ast.While(ast.Constant(True), [ast.Pass()], []), statement, depth)
        for step in statement.header:
            self.statement(step, depth + 1)
        leave = ast.If(ast.UnaryOp(ast.Not(), self.syntax.atom(statement.test)), [ast.Break()], [])
        self.page.write(syntax.text(leave), depth + 1, statement.origin, statement.role)
        self.block(statement.body, depth + 1)

    def simple(self, statement: ir.Statement) -> ast.stmt:
        """The tree of a statement without blocks."""
        match statement:
            case ir.Assign(targets=targets, value=value, is_tuple=False):
                return ast.Assign([self.store(targets[0])], self.syntax.expression(value))
            case ir.Assign(targets=targets, value=value):
                parts: list[ast.expr] = [self.store(t) for t in targets]
                match value:
                    case ir.Call(function="python.unpack", args=(values, ir.Const(int(at)), _)):
                        parts[at], value = ast.Starred(parts[at], STORE), values
                return ast.Assign([ast.Tuple(parts, STORE)], self.syntax.expression(value))
            case ir.Store(base=base, kind=ir.StoreKind.APPEND, value=added):
                append = ast.Attribute(self.syntax.name(base), "append", LOAD)
                return ast.Expr(ast.Call(append, [self.syntax.atom(added)], []))
            case ir.Store(base=base, kind=ir.StoreKind.POP):
                pop = ast.Attribute(self.syntax.name(base), "pop", LOAD)
                return ast.Expr(ast.Call(pop, [], []))
            case ir.Store(is_each=True) | ir.Store(is_assign=True):
                return ast.Expr(self.syntax.expression(ir.called(statement)))
            case ir.Store(base=base, index=index, kind=kind):
                place: ast.Name | ast.Subscript | ast.Attribute = self.store(base)
                if index is not None:
                    place = self.syntax.subscript(self.syntax.name(base), index, STORE)
                value_tree = self.syntax.atom(statement.value)
                if kind.replaces or kind.sets_cell:
                    return ast.Assign([place], value_tree)
                return ast.AugAssign(place, syntax.BINARY[kind.operator](), value_tree)
            case ir.Do(value=value):
                tree = self.syntax.expression(value)
                return tree if isinstance(tree, ast.stmt) else ast.Expr(tree)
            case ir.Assert(test=test, message=message):
                shown = None if message is None else self.syntax.atom(message)
                return ast.Assert(self.syntax.atom(test), shown)
            case ir.Return(value=value):
                return ast.Return(self.syntax.atom(value))
        raise AssertionError(statement)


def _popping(block: ir.Block) -> Iterator[ir.Statement]:
    """The statements of a block; `t = s[-1]` and `s.pop()` are one, `t = s.pop()`."""
    is_done = False
    for statement, after in zip_longest(block, block[1:]):
        if is_done:
            is_done = False
            continue
        match statement, after:
            case (
                ir.Assign(targets=(_,), value=ir.Call("operator.getitem", (ir.Name(of), last))),
                ir.Store(base=base, kind=ir.StoreKind.POP),
            ) if of == base and last == ir.Const(-1):
                statement = replace(statement, value=ir.Call("python.pop", (ir.Name(base),)))
                is_done = True
        yield statement


def signature(parameters: tuple[ir.Parameter, ...], syntax_of: Syntax) -> ast.arguments:
    """The tree of a parameter list."""

    def argument(parameter: ir.Parameter) -> ast.arg:
        return ast.arg(syntax_of.name(parameter.name).id, None)

    def default(parameter: ir.Parameter) -> ast.expr | None:
        return None if parameter.default is None else syntax_of.expression(parameter.default)

    positional = [p for p in parameters if p.is_positional]
    keywords = [p for p in parameters if p.kind is ir.ParameterKind.KEYWORD]
    rest = {p.kind: argument(p) for p in parameters if p.is_rest}
    defaults = [d for p in positional if (d := default(p)) is not None]
    return ast.arguments(
        [],
        [argument(p) for p in positional],
        rest.get(ir.ParameterKind.VARARGS),
        [argument(p) for p in keywords],
        [default(p) for p in keywords],
        rest.get(ir.ParameterKind.VARKEYWORDS),
        defaults,
    )
