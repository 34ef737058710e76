"""Finds the declarations of rules in a text: built-in rule files, and users' own modules.

The text is parsed, never run. What a declaration says outside its body must be written there: `of`
and `when` as text, functions as text or, in users' modules, by their names. Of built-in files only
the parts are parsed whose rules somebody asks for; a body is lowered then, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile
from typing import Literal, TypeAlias, get_args

from adlsp.transform import depth, ir
from adlsp.transform.diagnostics.reading import InvalidRule, UnresolvedFunction
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding
from adlsp.transform.frontend import bindings, call_sites, modules, walks
from adlsp.transform.frontend.bindings import DefinedFunction
from adlsp.transform.frontend.resolve import Definition, Resolver
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.rules import custom_gradients
from adlsp.transform.source import Source, Span

Word: TypeAlias = Literal[
    "elementwise", "linear", "multilinear", "forward", "reverse", "composite", "constant"
]
WORDS: tuple[Word, ...] = get_args(Word)
WORD = {str(word): word for word in WORDS}
HOMES = ("adlsp.rules", "adlsp.transform.rules.declare")

MOST_PARTS = 4
"""How many parts the longest way to write a word has, and one more."""

MOST_ANNOTATIONS = 1024
"""How many annotations are remembered; each call of a function with a rule asks for some."""

Node = ast.expr | ast.stmt | ast.arg | ast.keyword

Use = tuple[Word, ast.Call, ast.FunctionDef | None]
"""A word, the call that declares a rule by it, and the body (none for `constant`)."""

Naming = Callable[[ast.expr], str | Finding]
"""Gives the dotted name of the function that an argument of a word stands for."""


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """One use of one word: the functions it is about, and the body (none for `constant`).

    `places` are those of the functions, `of_place` that of the names in `of`.
    """

    word: Word
    functions: tuple[str, ...]
    of: tuple[str, ...]
    when: str
    source: Source
    span: Span
    body: ast.FunctionDef | None
    places: tuple[Span, ...] = ()
    of_place: Span | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """The lines of one function of a built-in rule file, with the names that it has rules for.

    They count from 0; the one called `last` is left out.
    """

    names: tuple[str, ...]
    file: Source
    first: int
    last: int

    @cached_property
    def declarations(self) -> tuple[Declaration, ...]:
        """What stands there, read as a text that is empty elsewhere."""
        text = "\n" * self.first + "\n".join(self.file.lines[self.first : self.last])
        source = replace(self.file, text=text)
        tree = depth.parse(text)
        calls = ((WORD[_written(call.func)], call, body) for call, body in _calls(tree.body))
        found, problems = _read(calls, source, literal)
        assert not problems
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Uses:
    """Where a module writes the words: to declare a rule, and at all other places.

    `decorated` are the functions that may have a gradient of their own, with the decorators.
    """

    calls: tuple[Use, ...]
    elsewhere: tuple[tuple[Word, ast.expr], ...]
    decorated: tuple[tuple[ast.expr, ast.FunctionDef], ...]


def literal(node: ast.expr) -> str | Finding:
    """The name of a function that is written as text."""
    return _text(node) or InvalidRule("the names of functions are written as literals")


def read(
    source: Source, naming: Naming = literal
) -> tuple[tuple[Declaration, ...], list[Diagnostic]]:
    """Reads all declarations at the top level of a module; a text with a syntax error has none."""
    try:
        tree = depth.parse(source.text)
    except (SyntaxError, ValueError):
        return (), []
    words = _words(tree.body)
    declared = ((c, body) for c, body in _calls(tree.body) if _is_declared(c, body, words))
    calls = ((words[_written(call.func)], call, body) for call, body in declared)
    return _read(calls, source, naming)


def parts(source: Source) -> Iterator[Part]:
    """The parts of a built-in rule file, which begin with a word and are not parsed yet."""
    lines = source.lines
    firsts: list[int] = []
    is_decorating = False
    for at, line in enumerate(lines):
        if line.startswith(("@", "constant(")) and not is_decorating:
            firsts.append(at)
        is_decorating = line.startswith("@") or (is_decorating and not line.startswith("def "))
    for first, last in pairwise((*firsts, len(lines))):
        named = takewhile(lambda line: not line.startswith("def "), lines[first:last])
        text = _OPTION.sub("", "".join(named))
        yield Part(tuple(_NAME.findall(text)), source, first, last)


_OPTION = re.compile(r'\b\w+="[^"]*"')
_NAME = re.compile(r'"([^"]*)"')


def uses(tree: ast.Module, source: Source, known: Mapping[str, Word]) -> Uses:
    """Finds all places at which a module writes a word; `known` are ways that it does not import.

    Only statements in whose lines something of the kind occurs are looked into.
    """
    importing = call_sites.touched(tree.body, source, ("adlsp",))
    words = {**known, **_words(node for statement in importing for node in walks.over(statement))}
    writing = _writing(tree.body, source, words) if words else []
    calls = tuple(
        (words[_written(call.func)], call, body)
        for call, body in _calls(writing)
        if _is_declared(call, body, words)
    )
    read_here = {call.func for _, call, _ in calls}
    mentions = (node for node in _mentions(writing, words) if node not in read_here)
    elsewhere = tuple((words[_written(node)], node) for node in mentions)
    return Uses(calls, elsewhere, tuple(custom_gradients.decorated(tree.body)))


def may_write(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The dotted names in a text that end in a word, as they are written."""
    for node in walks.over(tree):
        if isinstance(node, ast.Name | ast.Attribute):
            written = _written(node)
            if written.rpartition(".")[2] in WORDS:
                yield written, node


def _writing(body: list[ast.stmt], source: Source, words: dict[str, Word]) -> list[ast.stmt]:
    """The statements that may write a word: its last name, and the one before the last dot."""
    last = {written.rpartition(".")[2] for written in words}
    owners = {written.rpartition(".")[0].rpartition(".")[2] for written in words}
    found = call_sites.touched(body, source, tuple(sorted(last)))
    return found if "" in owners else call_sites.touched(found, source, tuple(sorted(owners)))


def read_strictly(
    written: Uses, source: Source, naming: Naming
) -> tuple[tuple[Declaration, ...], list[Diagnostic]]:
    """Reads all declarations of a module; a word in any other place is a problem, too."""
    declarations, problems = _read(written.calls, source, naming)
    for word, node in written.elsewhere:
        problems.append(Diagnostic(InvalidRule(_misplaced(word)), span(source, node)))
    return declarations, problems


def _read(
    calls: Iterable[Use], source: Source, naming: Naming
) -> tuple[tuple[Declaration, ...], list[Diagnostic]]:
    declarations: list[Declaration] = []
    problems: list[Diagnostic] = []
    for word, call, body in calls:
        made = _declaration(word, call, body, source, naming)
        (declarations if isinstance(made, Declaration) else problems).append(made)  # type: ignore[arg-type]
    return tuple(declarations), problems


def lowered(declaration: Declaration, resolver: Resolver) -> ir.Function | Diagnostic:
    """Lowers the body of a declaration, which has to be a straight line that ends in a return."""
    body = declaration.body
    assert body is not None
    definition = definition_of(declaration)
    if isinstance(definition, Diagnostic):
        return definition
    from adlsp.transform.frontend import lower  # most rules that are there are never asked for

    function = lower.lower(definition, resolver)
    for found in function.findings:
        return Diagnostic(InvalidRule(_STRAIGHT), found.span)
    for statement in function.body[:-1]:
        if not isinstance(statement, ir.Assign) or isinstance(statement.value, ir.Opaque):
            return Diagnostic(InvalidRule(_STRAIGHT), statement.origin)
        for name in _unknown(statement.value):
            place = getattr(statement.value, "span", None) or statement.origin
            return Diagnostic(UnresolvedFunction(name), place)
    if not isinstance(body.body[-1], ast.Return):
        return Diagnostic(InvalidRule(_STRAIGHT), _name_span(declaration.source, body))
    for name in _unknown(function.body[-1].value):  # type: ignore[union-attr]
        return Diagnostic(UnresolvedFunction(name), function.body[-1].origin)
    return function


def definition_of(declaration: Declaration) -> Definition | Diagnostic:
    """The function in which a rule is written."""
    source, body = declaration.source, declaration.body
    assert body is not None
    if modules.is_too_deep(body, source):
        return Diagnostic(InvalidRule("its body is nested too deeply"), _name_span(source, body))
    return Definition(source, DefinedFunction(body))


_STRAIGHT = "its body is a straight line of assignments that ends in `return`"


def _unknown(value: ir.Expression) -> Iterator[str]:
    """The names in an expression that nothing defines."""
    atoms = value.atoms if isinstance(value, ir.Call) else (value,)
    used = [value.function] if isinstance(value, ir.Call) else []
    used += [atom.dotted for atom in atoms if isinstance(atom, ir.Global)]
    return (name[1:] for name in used if targets.is_unresolved(name))


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
    return value in _supported(annotation)


def is_readable(annotation: str | None) -> bool:
    """Tells whether an annotation says nothing of what is supported, or says it by literals."""
    try:
        return (
            annotation is None
            or not annotation.startswith("Literal[")
            or bool(_supported(annotation))
        )
    except (ValueError, SyntaxError):
        return False


@lru_cache(maxsize=MOST_ANNOTATIONS)
def _supported(annotation: str) -> tuple[object, ...]:
    tree = depth.parse_expression(annotation)
    assert isinstance(tree, ast.Subscript)
    supported = ast.literal_eval(tree.slice)
    return supported if isinstance(supported, tuple) else (supported,)


def span(source: Source, node: Node) -> Span:
    """The place of a node; of a decorator, with the `@` before it."""
    end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    found = source.span(node.lineno, node.col_offset, end_line, end_offset)
    is_decorator = source.lines[found.line - 1][: found.column - 1].strip() == "@"
    return replace(found, column=found.column - 1) if is_decorator else found


def _name_span(source: Source, body: ast.FunctionDef) -> Span:
    return Definition(source, DefinedFunction(body)).name_span


def _is_declared(call: ast.Call, body: ast.FunctionDef | None, words: dict[str, Word]) -> bool:
    """Tells whether a call declares a rule: with a body, or `constant` without one."""
    word = words.get(_written(call.func))
    return word is not None and (word == "constant") == (body is None)


def _words(nodes: Iterable[ast.AST]) -> dict[str, Word]:
    """How imports let a module write each word: `linear`, `rules.linear`, `adlsp.rules.linear`."""
    written: dict[str, Word] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in HOMES and alias.asname:
                    written.update({f"{alias.asname}.{word}": word for word in WORDS})
                elif alias.name.partition(".")[0] == "adlsp":
                    home = "adlsp.rules" if alias.asname is None else f"{alias.asname}.rules"
                    written.update({f"{home}.{word}": word for word in WORDS})
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                name = alias.asname or alias.name
                if node.module in HOMES and alias.name == "*":
                    written.update({word: word for word in WORDS})
                elif node.module in HOMES and alias.name in WORD:
                    written[name] = WORD[alias.name]
                elif f"{node.module}.{alias.name}" in HOMES:
                    written.update({f"{name}.{word}": word for word in WORDS})
    return written


def _calls(body: Iterable[ast.stmt]) -> Iterator[tuple[ast.Call, ast.FunctionDef | None]]:
    """The calls that may declare a rule: decorators of functions, and statements of their own."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call):
                    yield decorator, node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node.value, None


def _mentions(
    statements: Iterable[ast.stmt], words: dict[str, Word]
) -> Iterator[ast.Name | ast.Attribute]:
    """All places at which a word is written, where it is not a variable of a function around."""
    pending: list[tuple[ast.AST, frozenset[str]]] = [(each, frozenset()) for each in statements]
    while pending:
        node, hidden = pending.pop()
        if isinstance(node, ast.Name | ast.Attribute) and _written(node) in words:
            if _written(node).partition(".")[0] not in hidden and isinstance(node.ctx, ast.Load):
                yield node
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            pending += [(each, hidden) for each in node.decorator_list]
            own = {n for statement in node.body for n in bindings.bound(statement)}
            hidden = hidden | own | {*bindings.parameters(node.args)}
            pending += [(each, hidden) for each in (node.args, *node.body)]
        elif isinstance(node, ast.Lambda):
            hidden = hidden | {*bindings.parameters(node.args)}
            pending += [(node.args, hidden), (node.body, hidden)]
        else:
            pending += [(child, hidden) for child in walks.children(node)]


def _misplaced(word: str) -> str:
    if word == "constant":
        return "`constant(f)` stands alone on a line at the top level of a module"
    return f"`{word}(f)` decorates a function at the top level of a module"


def _declaration(
    word: Word, call: ast.Call, body: ast.FunctionDef | None, source: Source, naming: Naming
) -> Declaration | Diagnostic:
    def problem(reason: str, node: Node) -> Diagnostic:
        return Diagnostic(InvalidRule(reason), span(source, node))

    if not call.args:
        return problem(f"`{word}` takes the names of functions", call)
    functions: list[str] = []
    for argument in call.args:
        named = naming(argument)
        if not isinstance(named, str):
            return Diagnostic(named, span(source, argument))
        functions.append(named)
    options = {keyword.arg: keyword for keyword in call.keywords}
    for name, keyword in options.items():
        if name not in ("of", "when") or word == "constant":
            return problem(f"`{word}` has no such option", keyword)
        if _text(keyword.value) is None:
            return problem(f"`{name}` is written as a literal", keyword.value)
    of, when = (_text(options[o].value) or "" if o in options else "" for o in ("of", "when"))
    if word in ("linear", "multilinear") and not of:
        return problem(f"`{word}` does not say what it is linear in: `of=`", call)
    return Declaration(
        word,
        tuple(functions),
        tuple(of.split()),
        when,
        source,
        span(source, call),
        body,
        tuple(span(source, argument) for argument in call.args),
        span(source, options["of"].value) if "of" in options else None,
    )


def _written(node: ast.expr) -> str:
    """A dotted name of a few parts as it is written, or nothing for another expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < MOST_PARTS:
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _text(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
    return None
