"""Prints a derivative: its imports, the root's function, then the pairs of its callees."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable
from typing import Protocol

from adlsp.transform import depth, ir
from adlsp.transform.artifact import SourceMap
from adlsp.transform.emit import fuse, modules, names
from adlsp.transform.emit.printer import Page, Printer, signature
from adlsp.transform.emit.syntax import LOAD, text
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.variables import Generated
from adlsp.transform.source import Span, text_name

WIDTH = 92
"""Of the lines of a docstring."""


class Around(Protocol):
    """What is asked of the program that a derivative belongs to."""

    def quote(self, span: Span) -> str:
        """The primal's text at a span."""

    def hides(self, module: str) -> bool:
        """Whether the package of a module has another thing by the name of that."""


def write(functions: tuple[ir.Function, ...], program: Around) -> tuple[str, str, SourceMap]:
    """The name of the function to call (the first), the text of a derivative, and its map."""
    return _Writer(functions, program).write()


class _Writer:
    def __init__(self, functions: tuple[ir.Function, ...], program: Around) -> None:
        self.functions = functions
        self.program = program
        self.page = Page()
        self.given: dict[str, str] = {}
        self.users = frozenset(name for f in functions for name in _users_names(f))
        self.names = _function_names(functions, self.users)
        generated = frozenset(self.names.values())
        preferred: dict[str, str] = {}
        for function in functions:
            for module, alias in function.aliases:
                preferred.setdefault(module, alias)
        self.aliases = modules.aliases(functions, preferred, self.users, generated | names.RESERVED)
        self.taken = generated | frozenset(self.aliases.values())

    def write(self) -> tuple[str, str, SourceMap]:
        """The whole file, with the name of its first function and its map."""
        root = self.functions[0]
        home = text_name(root.origin.path)
        self.page.write(f'"""Derivative of a function of {home}, written by adlsp."""', 0)
        hidden = [m for m in self.aliases if self.program.hides(m) or not modules.is_named(m)]
        ours = [m for m in self.aliases if targets.is_of(m, "adlsp")]
        others = [m for m in self.aliases if m not in (*ours, *hidden)]
        loading = ["from importlib import import_module"] if hidden else []
        groups = (
            [*loading, *(modules.statement(m, self.aliases[m]) for m in others)],
            [modules.statement(m, self.aliases[m]) for m in sorted(ours)],
            [modules.statement(m, self.aliases[m], is_hidden=True) for m in hidden],
        )
        for group in filter(None, groups):
            self.page.write("", 0)
            for line in group:
                self.page.write(line, 0)
        for function in self.functions:
            self.function(function)
        text = "\n".join(self.page.lines) + "\n"
        return self.names[root.known_as], text, tuple(self.page.mapped)

    def function(self, function: ir.Function) -> None:
        """Prints one function. In one with both sweeps, each is headed."""
        function, fused = fuse.plan(function)
        given = names.assign(function, self.taken, fused, self.given)
        self.given = given if _is_forward_sweep(function) else {}
        printer = Printer(self.page, given, fused, self.dotted, self.program.quote, function)
        arguments = signature(function.parameters, printer.syntax)
        head = ast.FunctionDef(self.names[function.known_as], arguments, [ast.Pass()], [], None)
        self.page.write("\n", 0)
        header = text(head).rsplit("\n", 1)[0].lstrip("\n")
        self.page.write(header, 0, function.origin, Role.PRIMAL)
        self.docstring(function.docstring or "")
        split = next((i for i, s in enumerate(function.body) if ir.is_split(s)), None)
        if split is None:
            if not any(s.role in (Role.PRIMAL, Role.SAVE, Role.TANGENT) for s in function.body):
                printer.heading = "backward"
            printer.block(function.body, 1)
            return
        if split:
            self.page.write("# forward", 1)
            printer.block(function.body[:split], 1)
        printer.heading = "backward"
        printer.block(function.body[split + 1 :], 1)

    def docstring(self, text: str) -> None:
        """Prints a title, or one with what else there is to tell, in lines of its own."""
        title, *further = text.split("\n\n")
        lines = [title]
        for paragraph in further:
            lines += ["", *_wrapped(paragraph)]
        closing = ['"""'] if further else []
        lines = [f'"""{lines[0]}', *lines[1:], *closing]
        if not further:
            lines[0] += '"""'
        for line in lines:
            self.page.write(line, 1 if line else 0)

    def dotted(self, name: str) -> ast.expr:
        """The tree for a dotted name, as this file calls it."""
        if name in self.names:
            return ast.Name(self.names[name], LOAD)
        if targets.is_unresolved(name):
            return depth.parse_expression(name[1:])
        module, attributes = modules.split(name)
        parts = attributes.split(".") if attributes else []
        tree: ast.expr
        if module == "builtins" and attributes not in self.users:
            tree, parts = ast.Name(parts[0], LOAD), parts[1:]
        else:
            tree = ast.Name(self.aliases[module], LOAD)
        for part in parts:
            tree = ast.Attribute(tree, part, LOAD)
        return tree


def _wrapped(paragraph: str) -> list[str]:
    """The lines of a paragraph of a docstring; shapes are not broken."""
    whole = re.sub(r"\[[^\[\]]*\]", lambda found: found[0].replace(" ", "\0"), paragraph)
    lines = textwrap.wrap(whole, WIDTH, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _is_forward_sweep(function: ir.Function) -> bool:
    """Tells whether the next function is the other one of a pair: it reads what this one saves."""
    called = function.called.of if isinstance(function.called, targets.Derived) else function.called
    return isinstance(called, targets.Pair) and called.side is targets.Side.FORWARD


def _users_names(function: ir.Function) -> Iterable[str]:
    """The names of a user's variables in a function."""
    for parameter in function.parameters:
        if not isinstance(parameter.name, Generated):
            yield parameter.name
    for statement in ir.walk(function.body):
        for name in (*ir.reads(statement), *ir.writes(statement)):
            if not isinstance(name, Generated):
                yield name


def _function_names(functions: tuple[ir.Function, ...], users: frozenset[str]) -> dict[str, str]:
    """What the functions are called in the file, unless a variable has that name."""
    given: dict[str, str] = {}
    for function in functions:
        name = function.name
        while name in users or name in given.values():
            name += "_"
        given[function.known_as] = name
    return given
