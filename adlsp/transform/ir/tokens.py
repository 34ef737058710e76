"""Reads one line of a dump from left to right: names, atoms, and steps in Python's syntax."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from adlsp.transform import ir
from adlsp.transform.ir import targets, trees, variables
from adlsp.transform.ir.notation import FUNCTION, GLOBAL, NAME, TEXT
from adlsp.transform.ir.signs import INFIX, PREFIX

Part = TypeVar("Part")

BETWEEN = {f" {text} ": function for function, text in INFIX.items()}
BEFORE = {text: function for function, text in PREFIX.items()}

NUMBER = r"(?i:-?(?:0[xob]\w+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?[\d_]+)?j?))"
ATOM = re.compile(
    rf"\.(?P<attribute>[^\W\d]\w*)|(?P<kind>float|complex|global|tuple)(?P<quoted>{TEXT})|(?P<literal>b?{TEXT}|{NUMBER}|\.\.\.)"
    rf"|(?P<word>(?:True|False|None)(?!:?\w))|(?P<dotted>{GLOBAL})|(?P<name>{NAME})"
)
KEYWORD = r"[^\s=(),'\"]+(?==(?!=))"


def _one_of(texts: dict[str, str]) -> str:
    """A pattern for some texts, the longest first."""
    return "|".join(re.escape(text) for text in sorted(texts, key=len, reverse=True))


IS_BETWEEN, IS_BEFORE = (re.compile(_one_of(texts)) for texts in (BETWEEN, BEFORE))


class ParseError(ValueError):
    """A text that is no dump; it says where."""


@dataclass(slots=True)
class Line:
    """A line without its indentation; `at` is how far it has been read."""

    number: int
    depth: int
    text: str
    at: int = 0

    def take(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        """Reads what follows a pattern, if it comes next."""
        match = re.compile(pattern).match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def need(self, pattern: str | re.Pattern[str]) -> re.Match[str]:
        """Reads what follows a pattern; raises where something else comes."""
        match = self.take(pattern)
        if match is None:
            rest = self.text[self.at :]
            raise ParseError(f"line {self.number}: not understood from `{rest}` on")
        return match

    def is_at(self, pattern: str | re.Pattern[str]) -> bool:
        """Tells whether a pattern comes next."""
        return re.compile(pattern).match(self.text, self.at) is not None

    def listed(self, item: Callable[[Line], Part], end: str) -> tuple[Part, ...]:
        """Reads items with commas between, up to an end; a comma may be before it."""
        found: list[Part] = []
        while not self.take(rf",?{end}"):
            if found:
                self.need(", ")
            found.append(item(self))
        return tuple(found)


def literal(text: str) -> str:
    """A text that is written as a literal."""
    value = trees.literal(text)
    assert isinstance(value, str)
    return value


def unquoted(text: str, word: str) -> str:
    """What is written plainly, or in quotes after a word."""
    is_quoted = text[:-1].startswith((f"{word}'", f'{word}"'))
    return literal(text.removeprefix(word)) if is_quoted else text


def name(line: Line) -> str:
    """Reads the name of a variable."""
    return variable(line, line.need(NAME)[0])


def variable(line: Line, text: str) -> str:
    """The variable whose text a line has."""
    try:
        return variables.read(unquoted(text, "name"))
    except ValueError as error:
        raise ParseError(f"line {line.number}: {error}") from None


def function(line: Line) -> str:
    """Reads the dotted name of a function."""
    return targets.read(unquoted(line.need(FUNCTION)[0], "function"))


def text(line: Line) -> str:
    """Reads a text in quotes."""
    return literal(line.need(TEXT)[0])


def atom(line: Line) -> ir.Atom:
    """Reads an atom."""
    found = line.need(ATOM)
    match found["kind"]:
        case "float":
            return ir.Const(float(literal(found["quoted"])))
        case "complex":
            return ir.Const(complex(literal(found["quoted"])))
        case "global":
            return ir.Global(literal(found["quoted"]))
        case "tuple":
            return ir.Const(trees.literal(literal(found["quoted"])))
    if found["attribute"] is not None:
        return ir.Const(ir.Attribute(found["attribute"]))
    if found["dotted"] is not None:
        return ir.Global(found["dotted"])
    if found["name"] is not None:
        return ir.Name(variable(line, found["name"]))
    return ir.spelled(trees.literal(found[0]), found[0])


def value(line: Line) -> ir.Atom | ir.Call:
    """Reads an atom or a step."""
    if called := line.take(rf"({FUNCTION})\("):
        given = line.listed(_argument, r"\)")
        args = tuple(a for key, a in given if key is None)
        keywords = tuple((key, a) for key, a in given if key is not None)
        return ir.Call(targets.read(unquoted(called[1], "function")), args, keywords)
    if line.take(r"\("):
        return ir.Call("python.tuple", line.listed(atom, r"\)"))
    if line.take(r"\["):
        return ir.Call("python.list", line.listed(atom, r"\]"))
    if line.take(r"\{"):
        return _braces(line)
    if not line.is_at(r"-\.?\d") and (before := line.take(IS_BEFORE)):
        return ir.Call(BEFORE[before[0]], (atom(line),))
    first = atom(line)
    if line.take(r"\["):
        index = atom(line)
        line.need(r"\]")
        return ir.Call("operator.getitem", (first, index))
    if between := line.take(IS_BETWEEN):
        return ir.Call(BETWEEN[between[0]], (first, atom(line)))
    return first


def _argument(line: Line) -> tuple[str | None, ir.Atom]:
    key = line.take(rf"({KEYWORD})=")
    return (None if key is None else targets.read_keyword(key[1])), atom(line)


def _braces(line: Line) -> ir.Call:
    """A set, or a dictionary, whose keys and values alternate."""
    parts = line.listed(_entry, r"\}")
    is_set = any(len(part) == 1 for part in parts)
    return ir.Call("python.set" if is_set else "python.dict", sum(parts, ()))


def _entry(line: Line) -> tuple[ir.Atom, ...]:
    first = atom(line)
    return (first, atom(line)) if line.take(": ") else (first,)


def parameters(line: Line) -> tuple[ir.Parameter, ...]:
    """Reads the parameters of a function, up to the bracket; a default that is kept is left out."""
    made: list[ir.Parameter] = []
    positional, keyword = ir.ParameterKind.POSITIONAL, ir.ParameterKind.KEYWORD
    kind = positional
    for mark, parameter in line.listed(_parameter, r"\)"):
        if parameter is None:
            kind = keyword if mark == "*" else positional
            continue
        made.append(replace(parameter, kind=ir.ParameterKind(mark) if mark else kind))
        kind = keyword if mark == "*" else kind
    return tuple(made)


def _parameter(line: Line) -> tuple[str, ir.Parameter | None]:
    """A parameter with the stars before it; none where the mark stands alone."""
    is_function = bool(line.take("function "))
    mark = line.need(r"\*\*|\*|/|")[0]
    if mark in ("*", "/") and line.is_at(r",|\)"):
        return mark, None
    called = name(line)
    annotation = text(line) if line.take(": ") else None
    default = None
    if line.take(" = ") and not line.take("opaque"):
        default = atom(line)
    function = held(line) if line.take(" is ") else None
    return mark, ir.Parameter(
        called, default=default, annotation=annotation, is_function=is_function, held=function
    )


def held(line: Line) -> ir.Held:
    """A function with the variables that it has captured."""
    dotted = function(line)
    line.need(r"\(")

    def pair(line: Line) -> tuple[str, str]:
        parameter = name(line)
        line.need("=")
        return parameter, name(line)

    return ir.Held(dotted, line.listed(pair, r"\)"))
