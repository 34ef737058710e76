"""Where things are in a text: sources and spans.

Lines and columns count from 1, columns in characters, ends are exclusive: the numbers that people
and the command line use. Python's own trees count columns in UTF-8 bytes and the Language Server
Protocol in UTF-16 units; both are converted at the edge (`Source.span` here, `server/convert.py`
there).
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib.util import find_spec

from adlsp.transform.frozen import dataclass

CELL = re.compile(r"<(?:ipython|python)-input-|<timed e|[/\\]ipykernel_\d+[/\\]\d+\.py$")
"""How IPython, Jupyter and Python's console call the texts of cells."""


WORD = re.compile(r"\w+")


@lru_cache(maxsize=2048)
def words(text: str) -> frozenset[str]:
    """The words in a text: whoever looks for many names in many texts reads each text once."""
    return frozenset(WORD.findall(text))


def text_name(path: str) -> str:
    """What to call a text in a sentence: a file by its name."""
    return "a cell" if CELL.search(path) else os.path.basename(path)


def place_name(path: str, line: int) -> str:
    """What to call a line of a text."""
    return f"line {line} of a cell" if CELL.search(path) else f"{os.path.basename(path)}:{line}"


@dataclass(frozen=True, slots=True)
class Span:
    """A range in the text of one file.

    `inlined` is the statement of a callee that is written out there, in place of a call.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    inlined: Span | None = None

    @property
    def levels(self) -> Iterator[Span]:
        """The range itself, as it stands in its text, then what of callees is written out there."""
        inner: Span | None = self
        while inner is not None:
            yield replace(inner, inlined=None) if inner.inlined else inner
            inner = inner.inlined

    @property
    def written(self) -> Span:
        """The range as it stands in a text: of what is written out, in that of the callee."""
        *_, last = self.levels
        return last

    def contains(self, line: int, column: int) -> bool:
        """Tells whether the place lies in the span, its end included (a cursor may stand there)."""
        return (self.line, self.column) <= (line, column) <= (self.end_line, self.end_column)

    def holds(self, other: Span) -> bool:
        """Tells whether another span lies in it."""
        is_inside = self.contains(other.line, other.column)
        return (
            is_inside
            and self.path == other.path
            and self.contains(other.end_line, other.end_column)
        )


@dataclass(frozen=True)
class Source:
    """The text of one module: `path` names the file, `module` how programs import it.

    A cell of a notebook or console is a text that shares its variables with others.
    """

    path: str
    module: str
    text: str
    is_package: bool = False
    is_cell: bool = False

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text, without their ends, split where Python's tokenizer splits."""
        text = self.text.replace("\r\n", "\n").replace("\r", "\n")
        return tuple(text.split("\n"))

    @property
    def package(self) -> str:
        """The package that relative imports in this module start from."""
        return self.module if self.is_package else self.module.rpartition(".")[0]

    def column(self, line: int, byte_offset: int) -> int:
        """Turns a UTF-8 byte offset of Python's parser into a column in characters, from 1."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        if text.isascii():
            return byte_offset + 1
        return (
            len(text.encode("utf-8", "surrogatepass")[:byte_offset].decode("utf-8", "replace")) + 1
        )

    def span(self, line: int, offset: int, end_line: int, end_offset: int) -> Span:
        """Makes a span from the parser's lines and byte offsets."""
        return Span(
            self.path, line, self.column(line, offset), end_line, self.column(end_line, end_offset)
        )

    def slice(self, span: Span) -> str:
        """The text of a span of this source."""
        if span.line == span.end_line:
            return self.lines[span.line - 1][span.column - 1 : span.end_column - 1]
        first = self.lines[span.line - 1][span.column - 1 :]
        last = self.lines[span.end_line - 1][: span.end_column - 1]
        return "\n".join((first, *self.lines[span.line : span.end_line - 1], last))


@lru_cache(maxsize=64)
def packaged(module: str) -> Source:
    """The text of a module of ours, by way of the import system; it is not imported."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.loader is not None
    text = spec.loader.get_source(module)  # type: ignore[attr-defined]
    return Source(spec.origin or f"{module.replace('.', '/')}.py", module, text)
