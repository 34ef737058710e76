"""Parses a text and never raises: what cannot be parsed is a finding with a place.

A text is a row of top-level blocks: a block starts with a line that is not indented and does not
continue the one before. Whoever leaves out the block around an error can parse the rest.
"""

from __future__ import annotations

import ast
import codecs
import re
import warnings
from collections.abc import Iterator, Sequence

from adlsp.transform import depth
from adlsp.transform.diagnostics.reading import SyntaxProblem
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.source import Source, Span

CONTINUES = re.compile(r"[)\]}]|(?:else|elif|except|finally)\b")
"""What starts a line that belongs to the top-level block before it."""

NOT_TEXT = re.compile("[\0\ud800-\udfff]")
"""What the parser refuses as a whole."""

Place = tuple[int, int]
"""A line and a column, from 1."""

PRIVATE = re.compile(r"\.__\w+")
"""An attribute that may be private to a class."""

CODING = re.compile(r"\ufeff?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")

BLANK = re.compile(r"\ufeff?[ \t\f]*(?:#.*)?$")


def unknown_encoding(source: Source) -> Iterator[Diagnostic]:
    """Reports a coding comment that names no encoding: Python does not read such a file."""
    for number, line in enumerate(source.lines[:2], 1):
        if found := CODING.match(line):
            try:
                codecs.lookup(found[1])
            except LookupError:
                place = (number, found.start(1) + 1), (number, found.end(1) + 1)
                yield _problem(source, f"unknown encoding: {found[1]}", *place)
            return
        if not BLANK.match(line):
            return


def tree(source: Source, lines: list[str]) -> ast.Module | Diagnostic:
    """The tree of a text, or the place where it is broken."""
    text = "\n".join(lines)
    if refused := NOT_TEXT.search(text):
        line = text.count("\n", 0, refused.start()) + 1
        column = refused.start() - text.rfind("\n", 0, refused.start())
        return _problem(source, _refused(refused[0]), (line, column), (line, column + 1))
    try:
        return _quietly(text)
    except SyntaxError as error:
        start = error.lineno or 1, error.offset or 1
        end = error.end_lineno or start[0], error.end_offset or 0
        return _problem(source, error.msg, start, max(end, (start[0], start[1] + 1)))
    except (RecursionError, MemoryError):
        line = _first_too_deep(lines)
        end = line, len(lines[line - 1]) + 1
        return _problem(source, "nested too deeply", (line, 1), end)


def patched(
    lines: Sequence[str], before: Sequence[str], body: list[ast.stmt]
) -> list[ast.stmt] | None:
    """The statements of a text, of which only the blocks with lines that differ are parsed.

    `body` are those of the text `before`. None where that does not tell: then all is parsed.
    """
    if len(lines) != len(before):
        return None
    differing = [i for i, (new, old) in enumerate(zip(lines, before, strict=True)) if new != old]
    if not differing:
        return body
    first, last = differing[0] + 1, differing[-1] + 1
    blocks = [block(each, line) for each in (lines, before) for line in (first, last)]
    start, end = min(s for s, _ in blocks), max(e for _, e in blocks)
    kept_before = [each for each in body if (each.end_lineno or 0) <= start]
    kept_after = [each for each in body if first_line(each) > end]
    inside = [each for each in body if first_line(each) > start and (each.end_lineno or 0) <= end]
    is_whole = len(kept_before) + len(inside) + len(kept_after) == len(body)
    text = "\n" * start + "\n".join(lines[start:end])
    if not is_whole or NOT_TEXT.search(text) or "\ufeff" in text:
        return None
    try:
        return [*kept_before, *_quietly(text).body, *kept_after]
    except (SyntaxError, RecursionError, MemoryError):
        return None


def first_line(node: ast.stmt) -> int:
    """The line of a statement, or of its first decorator."""
    return min((n.lineno for n in getattr(node, "decorator_list", ())), default=node.lineno)


def _refused(character: str) -> str:
    """What is wrong with a character; surrogates may stand for bytes that could not be decoded."""
    if "\udc80" <= character <= "\udcff":
        return f"the byte {ord(character) - 0xDC00:#x} is not valid in the encoding of the file"
    return "null byte" if character == "\0" else "lone surrogate"


def _quietly(text: str) -> ast.Module:
    """Parses a text without showing the warnings of Python's parser about it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = depth.parse(text)
    if any(is_private(name[1:]) for name in PRIVATE.findall(text)):
        _name_privately(module, "")
    return module


def is_private(name: str) -> bool:
    """Tells whether a name in a class is one that Python calls by that of the class, too."""
    return name.startswith("__") and not name.endswith("__")


def public_name(name: str, owner: str) -> str:
    """What a name of a class is called in its text: `__w` for `_Model__w` of `Model`."""
    prefix = f"_{owner.lstrip('_')}"
    own = name.removeprefix(prefix)
    return own if name.startswith(prefix) and is_private(own) else name


def _name_privately(tree: ast.AST, owner: str) -> None:
    """Gives attributes in classes the names by which objects have them: `_Model__w` for `__w`.

    Python's compiler does so (name mangling).
    """
    pending = [tree]
    for node in pending:
        if isinstance(node, ast.ClassDef):
            for child in ast.iter_child_nodes(node):
                _name_privately(child, node.name.lstrip("_"))
            continue
        if isinstance(node, ast.Attribute) and owner and is_private(node.attr):
            node.attr = f"_{owner}{node.attr}"
        pending += ast.iter_child_nodes(node)


def _problem(source: Source, detail: str, start: Place, end: Place) -> Diagnostic:
    """A syntax error, its place kept inside the text."""
    first, last = (_inside(source, place) for place in (start, end))
    return Diagnostic(SyntaxProblem(detail), Span(source.path, *first, *last))


def _inside(source: Source, place: Place) -> Place:
    """A place of a text, or the nearest one to a place outside of it."""
    line = min(place[0], len(source.lines))
    return line, min(max(place[1], 1), len(source.lines[line - 1]) + 1)


def _first_too_deep(lines: list[str]) -> int:
    """The line of the first block that the parser cannot get through on its own."""
    start = 0
    while start < len(lines):
        start, end = block(lines, start + 1)
        try:
            _quietly("\n".join(lines[start:end]))
        except SyntaxError:
            pass
        except (RecursionError, MemoryError):
            return start + 1
        start = end
    return 1


def block(lines: Sequence[str], line: int) -> tuple[int, int]:
    """The top-level block around a line (from 1), as the slice of `lines` that holds it."""
    start = min(line, len(lines)) - 1
    while start > 0 and not _opens(lines[start]):
        start -= 1
    while start > 0 and lines[start - 1].startswith("@"):
        start -= 1
    end = start
    while end < len(lines) and (end == start or lines[end - 1].startswith("@")):
        end += 1
    while end < len(lines) and not _opens(lines[end]):
        end += 1
    return start, end


def _opens(line: str) -> bool:
    """Tells whether a top-level block starts at a line."""
    return bool(line) and line[0] not in " \t\f#" and not CONTINUES.match(line)
