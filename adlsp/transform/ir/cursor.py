"""Goes through the lines of a dump in order, and reads their margins, which rest on each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from adlsp.transform import ir
from adlsp.transform.ir import notation, tokens
from adlsp.transform.ir.notation import EXTENT, INDENT, LABEL, PLACE
from adlsp.transform.ir.tokens import Line, ParseError
from adlsp.transform.source import Span

MARGIN = re.compile(
    rf" *(?:# ?({PLACE}(?:>{PLACE})*)?(?: ?\[(all|{PLACE}|{EXTENT})\])?(?: ?([a-z]+))?)?$"
)
"""Origin, span and role."""

Margin = tuple[Span, Span | None, ir.Role]


@dataclass(slots=True)
class Cursor:
    """A place among lines; `origin` is that of the last line before that told one."""

    lines: list[Line]
    paths: dict[str, str] = field(default_factory=dict)
    origin: Span | None = None

    def next(self, depth: int, start: str = "") -> Line | None:
        """Takes the next line if it stands at a depth and starts with a pattern."""
        if not self.lines or self.lines[0].depth != depth or not self.lines[0].is_at(start):
            return None
        return self.lines.pop(0)

    def each(self, depth: int, start: str) -> Iterator[Line]:
        """Takes the next lines, as long as they stand at a depth and start so."""
        while line := self.next(depth, start):
            yield line

    def end(self) -> None:
        """Makes sure that all is read."""
        if self.lines:
            raise ParseError(f"line {self.lines[0].number}: nothing is expected here")

    def files(self, depth: int) -> None:
        """Reads the lines that name files."""
        for line in self.each(depth, "file "):
            label = line.need(rf"file (?:({LABEL}) = )?")[1]
            self.paths[label or ""] = tokens.text(line)

    def margin(self, line: Line) -> Margin:
        """Reads the end of a line: its origin, the span of its expression, and its role."""
        origin, span, role = line.need(MARGIN).groups()
        if origin is not None:
            self.origin = notation.read_place(origin, self.paths, None)
        if self.origin is None:
            raise ParseError(f"line {line.number}: it comes from nowhere")
        whole = None if span is None else self.origin
        if span is not None and span != "all":
            whole = notation.read_place(span, self.paths, self.origin)
        return self.origin, whole, ir.Role(role or "primal")

    def span(self, line: Line) -> Span:
        """Reads the end of a line that must tell a span."""
        _, span, _ = self.margin(line)
        if span is None:
            raise ParseError(f"line {line.number}: it has no span")
        return span


def cursor(text: str) -> Cursor:
    """A cursor at the start of a text."""
    written = ((n, line, line.lstrip(" ")) for n, line in enumerate(text.split("\n"), 1))
    lines = (
        Line(number, (len(line) - len(rest)) // len(INDENT), rest) for number, line, rest in written
    )
    return Cursor([line for line in lines if line.text])
