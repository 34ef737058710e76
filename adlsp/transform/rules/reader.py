"""Finds the declarations of rules in a text: built-in rule files, and users' own modules.

The text is parsed, never run. What a declaration says outside its body (names, `of`, `when`) must
be written as literals. Reading a file is cheap; a body is lowered when somebody asks for its rule.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from adlsp.transform import ir
from adlsp.transform.frontend import lower
from adlsp.transform.frontend.bindings import DefinedFunction
from adlsp.transform.frontend.resolve import Definition, Resolver
from adlsp.transform.source import Source, Span

WORDS = ("elementwise", "linear", "multilinear", "forward", "reverse", "constant")
HOMES = ("adlsp.rules", "adlsp.transform.rules.declare")


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """One use of one word: the functions it is about, and the body (none for `constant`)."""

    word: str
    functions: tuple[str, ...]
    of: tuple[str, ...]
    when: str
    source: Source
    span: Span
    body: ast.FunctionDef | None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why something meant as a rule is none."""

    message: str
    span: Span


def read(source: Source) -> tuple[tuple[Declaration, ...], tuple[Problem, ...]]:
    """Reads all declarations at the top level of a module; a text with a syntax error has none."""
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError):
        return (), ()
    words = _words(tree)
    found = [_declaration(call, body, words, source) for call, body in _calls(tree)]
    declarations = tuple(f for f in found if isinstance(f, Declaration))
    return declarations, tuple(f for f in found if isinstance(f, Problem))


def lowered(declaration: Declaration, resolver: Resolver) -> ir.Function | Problem:
    """Lowers the body of a declaration, which has to be a straight line that ends in a return."""
    assert declaration.body is not None
    definition = Definition(declaration.source, DefinedFunction(declaration.body))
    function = lower.lower(definition, resolver)
    for statement in function.body[:-1]:
        if not isinstance(statement, ir.Assign) or isinstance(statement.value, ir.Opaque):
            return Problem("a rule is a straight line of assignments", statement.origin)
    return function


def accepts(annotation: str | None, atom: ir.Atom) -> bool:
    """Tells whether a rule whose parameter has an annotation supports an argument.

    `Literal[…]` lists all that is supported: values, and the dotted names of globals as texts.
    `LiteralString` asks for a text that is written in the call. Others say nothing.
    """
    value = atom.dotted if isinstance(atom, ir.Global) else getattr(atom, "value", ...)
    if annotation == "LiteralString":
        return isinstance(atom, ir.Const) and isinstance(value, str)
    if annotation is None or not annotation.startswith("Literal["):
        return True
    tree = ast.parse(annotation, mode="eval").body
    assert isinstance(tree, ast.Subscript)
    supported = ast.literal_eval(tree.slice)
    return value in (supported if isinstance(supported, tuple) else (supported,))


def _words(tree: ast.Module) -> dict[str, str]:
    """How the module writes each word: `linear`, `rules.linear`, `adlsp.rules.linear`."""
    written: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in (*HOMES, "adlsp"):
                    home = alias.asname or alias.name
                    prefix = f"{home}.rules" if alias.name == "adlsp" else home
                    written.update({f"{prefix}.{word}": word for word in WORDS})
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                name = alias.asname or alias.name
                if node.module in HOMES and alias.name in WORDS:
                    written[name] = alias.name
                elif f"{node.module}.{alias.name}" in HOMES:
                    written.update({f"{name}.{word}": word for word in WORDS})
    return written


def _calls(tree: ast.Module) -> Iterator[tuple[ast.Call, ast.FunctionDef | None]]:
    """The calls that may declare a rule: decorators of functions, and statements of their own."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call):
                    yield decorator, node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node.value, None


def _declaration(
    call: ast.Call, body: ast.FunctionDef | None, words: dict[str, str], source: Source
) -> Declaration | Problem | None:
    word = words.get(_written(call.func))
    if word is None or (word == "constant") != (body is None):
        return None
    end_line, end_offset = call.end_lineno or call.lineno, call.end_col_offset or 0
    span = source.span(call.lineno, call.col_offset, end_line, end_offset)
    functions = tuple(_text(argument) for argument in call.args)
    options = {keyword.arg: _text(keyword.value) for keyword in call.keywords}
    if not functions or None in (*functions, *options, *options.values()):
        return Problem(f"`{word}` takes the names of functions, written as literals", span)
    if not options.keys() <= {"of", "when"}:
        return Problem(f"`{word}` has no such option", span)
    of, when = options.get("of") or "", options.get("when") or ""
    if word in ("linear", "multilinear") and not of:
        return Problem(f"`{word}` does not say what it is linear in: `of=`", span)
    names = tuple(name for name in functions if name is not None)
    return Declaration(word, names, tuple(of.split()), when, source, span, body)


def _written(node: ast.expr) -> str:
    """A dotted name as it is written, or nothing for another expression."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            return f"{_written(value)}.{attribute}"
    return ""


def _text(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
    return None
