"""Reads literate cases: sections of Markdown pages that hold a program and what is made of it.

A case is a section: `## title`, prose, and blocks. Each `py` block is a file (`py file=name.py`
names it, the first is `case.py` otherwise), `check` says what is differentiated and where,
`reverse` is the expected text, each line ending in the line of the primal that it maps to.

In `check`, `at: x=1.5` is a point at which the numbers are checked, `raises: AD303 x=1.5` one at
which the derivative raises an error that says so. With `order: 2` second derivatives are checked
there, too. `expected: by_hand` names a function of the case that gives the gradient that is meant,
where that is not the primal's: blocks for the backward sweep change it. `for: x: float64[n]` is the
signature for which the expected text is; without it, it is for any arguments. For a function inside
others `function: train.<locals>.loss` is its path, and `live: train(3.0)` an expression that gives
it in the running program; the text of the case must ask for its derivative, too.

Findings are marked under the line they are on: `#   ^^^^ AD301 out-argument`. In `#^^^` the `#`
stands for a caret itself, as nothing else can mark the first column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PAGES = sorted((Path(__file__).parent.parent / "cases").glob("*.md"))

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
MARK = re.compile(r"^(# *)(\^+) (AD\d{3}) ([a-z-]+)$")
ARGUMENT = re.compile(r"(?:^|(?<=\s))([^\W\d]\w*)=(?!=)")
KNOWN = ("function", "live", "wrt", "kind", "outputs", "order", "expected", "for", "at", "raises")

Place = tuple[str, int, int, int, str, str]
"""A finding: file, line, first column, column after the last, code and name."""

Point = tuple[tuple[str, str], ...]
"""The arguments of an `at:` line: names and expressions."""


@dataclass(frozen=True, slots=True)
class Check:
    """What is differentiated: the lines of a `check` block."""

    function: str
    wrt: tuple[str, ...]
    is_tuple: bool
    kind: str
    outputs: tuple[str, ...]
    order: int
    expected: str | None
    points: tuple[Point, ...]
    refused: tuple[tuple[str, Point], ...]
    live: str | None = None
    signature: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One section of a page."""

    page: Path
    title: str
    files: tuple[tuple[str, str], ...]
    check: Check | None
    golden: str | None

    @property
    def main(self) -> str:
        """The file that is asked about: the first."""
        return self.files[0][0]

    @property
    def module(self) -> str:
        """How that file is imported."""
        return self.main.removesuffix(".py").replace("/", ".")

    def findings(self) -> list[Place]:
        """The findings that are marked in the files, in order."""
        return sorted(place for name, text in self.files for place in _marked(name, text))


def cases() -> list[Case]:
    """All cases of all pages."""
    return [case for page in PAGES for case in _read(page)]


def update(case: Case, golden: str) -> None:
    """Writes the expected text of a case into its page."""
    text = case.page.read_text("utf-8")
    start, end = next((s, e) for title, s, e in _sections(text) if title == case.title)
    section = text[start:end]
    block = f"```reverse\n{golden}```"
    old = next((m for m in BLOCK.finditer(section) if m[1] == "reverse"), None)
    if old is None:
        section = f"{section.rstrip()}\n\n{block}\n\n"
    else:
        section = section[: old.start()] + block + section[old.end() :]
    text = text[:start] + section + text[end:]
    case.page.write_text(text.rstrip("\n") + "\n", "utf-8")


def _sections(text: str) -> Iterator[tuple[str, int, int]]:
    """Title, start and end of each section; a `##` in a block is a comment, not a title."""
    covered = [(m.start(), m.end()) for m in BLOCK.finditer(text)]
    heads = [m for m in SECTION.finditer(text) if not any(a < m.start() < b for a, b in covered)]
    for position, head in enumerate(heads, 1):
        end = heads[position].start() if position < len(heads) else len(text)
        yield head[1], head.end(), end


def _read(page: Path) -> Iterator[Case]:
    text = page.read_text("utf-8")
    for title, start, end in _sections(text):
        files: list[tuple[str, str]] = []
        check: Check | None = None
        golden: str | None = None
        for block in BLOCK.finditer(text[start:end]):
            language, options, body = block.groups()
            match language:
                case "py":
                    name = options.strip().removeprefix("file=") or "case.py"
                    files.append((name, body))
                case "check":
                    check = _check(body, f"{page.name}: {title}")
                case "reverse":
                    golden = body
                case _:
                    raise ValueError(f"{page.name}: {title}: a block of `{language}`")
        if not files:
            raise ValueError(f"{page.name}: {title}: no program")
        yield Case(page, title, tuple(files), check, golden)


def _check(body: str, where: str) -> Check:
    given: dict[str, str] = {}
    points: list[Point] = []
    refused: list[tuple[str, Point]] = []
    for line in body.splitlines():
        key, _, value = (part.strip() for part in line.partition(":"))
        if key not in KNOWN or (key in given and key not in ("at", "raises")):
            raise ValueError(f"{where}: `{line}`")
        given[key] = value
        if key == "at":
            points.append(tuple(_arguments(value)))
        elif key == "raises":
            word, _, rest = value.partition(" ")
            refused.append((word, tuple(_arguments(rest))))
    wrt = given["wrt"]
    return Check(
        given.get("function", "f"),
        tuple(name.strip() for name in wrt.split(",") if name.strip()),
        "," in wrt,
        given.get("kind", "grad"),
        tuple(name.strip() for name in given.get("outputs", "").split(",") if name.strip()),
        int(given.get("order", "1")),
        given.get("expected"),
        tuple(points),
        tuple(refused),
        given.get("live"),
        given.get("for", ""),
    )


def _arguments(line: str) -> Iterator[tuple[str, str]]:
    """Splits `x=1.5 y=np.ones((2, 3))` into names and expressions."""
    starts = [m for m in ARGUMENT.finditer(line) if _depth(line[: m.start()]) == 0]
    ends = [m.start() for m in starts[1:]] + [len(line)]
    for start, end in zip(starts, ends, strict=True):
        yield start[1], line[start.end() : end].strip()


def _depth(text: str) -> int:
    return sum(text.count(b) for b in "([{") - sum(text.count(b) for b in ")]}")


def _marked(name: str, text: str) -> Iterator[Place]:
    line = 0
    for number, written in enumerate(text.splitlines(), 1):
        mark = MARK.match(written)
        if mark is None:
            line = number
            continue
        before, carets, code, kind = mark.groups()
        start = 1 if before == "#" else len(before) + 1
        yield name, line, start, len(before) + len(carets) + 1, code, kind
