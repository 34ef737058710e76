"""Counts what tells how the engine is built, for one checkout or several beside each other.

Usage: structure.py [--list WORD] [CHECKOUT ...]. Prints a table in Markdown with a column for each
checkout, by default this one. `--list` prints the places of what has a word in its name. A thing is
known by the pattern that the docstring of its function tells. Texts are read, nothing is run.
"""

from __future__ import annotations

import argparse
import ast
import re
import statistics
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

HOME = Path(__file__).parent.parent
LISTING = ("transform/ops", "transform/rules")
"""The rooms whose purpose it is to list functions by name."""

DOTTED = re.compile(
    r"(numpy|scipy|math|cmath|builtins|operator|ndarray|attribute|python|adlsp\.runtime)\.[\w.]*$"
)
COPY_OUT = re.compile(r"hand(ed|s)?[ _]?back|copy[ _-]?out|copied[ _-]?out", re.IGNORECASE)
ON_NAMES = ("startswith", "endswith", "removeprefix", "removesuffix")
ADDING, TAKING = {"append", "extend", "add", "update", "appendleft"}, {"pop", "popleft"}
NESTING = ("If", "For", "While")

Node = TypeVar("Node", bound=ast.AST)

Place = tuple[int, str]
"""A line, and what is there."""


class File(NamedTuple):
    """A file of the package, by its path in there."""

    path: Path
    text: str
    nodes: tuple[ast.AST, ...]

    @property
    def room(self) -> str:
        """The folder that it is in: of the engine, one of its rooms."""
        *folders, _ = self.path.parts
        return "/".join(folders[:2] if folders[:1] == ["transform"] else folders[:1]) or "files"

    @property
    def lines(self) -> Iterator[Place]:
        """Its lines, with their numbers."""
        return enumerate(self.text.splitlines(), 1)

    def of(self, kind: type[Node]) -> Iterator[Node]:
        """The nodes of a kind."""
        return (node for node in self.nodes if isinstance(node, kind))


def tables(file: File) -> Iterator[Place]:
    """Constants of modules with two or more dotted names of functions, or one in an f-string."""
    for node in next(file.of(ast.Module)).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            names = [n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
            dotted = [name for name in names if isinstance(name, str) and DOTTED.match(name)]
            if len(dotted) + sum(name.endswith(".") for name in dotted) >= 2:
                last = node.end_lineno or node.lineno
                yield node.lineno, f"{last - node.lineno + 1} lines: {ast.unparse(node)[:60]}"


def worklists(file: File) -> Iterator[Place]:
    """Loops over a collection that add to it: `while pending:` with `pop`, `for x in pending:`."""
    loops: list[ast.While | ast.For] = [*file.of(ast.While), *file.of(ast.For)]
    for loop in loops:
        over = ast.unparse(loop.iter if isinstance(loop, ast.For) else loop.test)
        inner = [*ast.walk(loop)]
        called = {
            node.func.attr
            for node in inner
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if ast.unparse(node.func.value) == over
        }
        grown = {ast.unparse(node.target) for node in inner if isinstance(node, ast.AugAssign)}
        takes = isinstance(loop, ast.For) or called & TAKING
        if takes and (called & ADDING or over in grown):
            yield _place(loop)


def iterations(file: File) -> Iterator[Place]:
    """Loops `while True`, `while a != b`, `while … or a is not b`, `while not steady`.

    So is `while changed`, of a name that the body assigns.
    """
    for loop in file.of(ast.While):
        match loop.test:
            case ast.Constant(value=True) | ast.Compare(ops=[ast.NotEq()]):
                yield _place(loop)
            case ast.BoolOp(values=[*_, ast.Compare(ops=[ast.NotEq() | ast.IsNot()])]):
                yield _place(loop)
            case ast.Name(id=name) | ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)):
                assigned = (n for n in ast.walk(loop) if isinstance(n, ast.Assign))
                if any(ast.unparse(target) == name for n in assigned for target in n.targets):
                    yield _place(loop)


def walkers(file: File) -> Iterator[Place]:
    """Functions that call themselves, or each other in a file, and go into blocks of the form.

    They name `ir.If`, `ir.For`, `ir.While`, `ir.blocks` or an argument `block=`.
    """
    functions = {node.name: node for node in file.of(ast.FunctionDef)}
    calls = {
        name: {_last(node) for node in ast.walk(function)} & functions.keys()
        for name, function in functions.items()
    }
    reached = {name: _reached(name, calls) for name in functions}
    cycles = {frozenset(n for n in reached[m] if m in reached[n]) for m in functions}
    for cycle in cycles - {frozenset()}:
        if any(_opens_blocks(file, node) for name in cycle for node in ast.walk(functions[name])):
            first = min((functions[name] for name in cycle), key=lambda node: node.lineno)
            yield first.lineno, ", ".join(sorted(cycle))


def _last(node: ast.AST) -> str:
    """The name that is read, or the last one after a dot."""
    if isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Name):
        return ""
    return getattr(node, "attr", "") or (node.id if isinstance(node, ast.Name) else "")


def _reached(name: str, calls: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    pending = [*calls[name]]
    while pending:
        if (each := pending.pop()) not in found:
            found.add(each)
            pending += calls[each]
    return found


def _opens_blocks(file: File, node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="ir"), attr=name):
            return name in (*NESTING, "blocks")
        case ast.Name(id=name):
            is_of_form = file.path.parts[:2] in (("transform", "ir"), ("transform", "ir.py"))
            return is_of_form and name in (*NESTING, "blocks")
        case ast.keyword(arg="block"):
            return True
    return False


def on_names(file: File) -> Iterator[Place]:
    """Calls of `startswith`, `endswith`, `removeprefix` and `removesuffix`, on any text."""
    for node in file.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in ON_NAMES:
            yield _place(node)


def protocols(file: File) -> Iterator[Place]:
    """Classes whose base is `Protocol`."""
    for node in file.of(ast.ClassDef):
        if any("Protocol" in ast.unparse(base) for base in node.bases):
            yield node.lineno, node.name


def asserts(file: File) -> Iterator[Place]:
    """Statements `assert`."""
    return map(_place, file.of(ast.Assert))


def ignored(file: File) -> Iterator[Place]:
    """Comments `type: ignore`."""
    return (place for place in file.lines if "# type: ignore" in place[1])


def copying_out(file: File) -> Iterator[Place]:
    """Files that speak of copy-out, or of handing back as it was called; the first place."""
    return islice((place for place in file.lines if COPY_OUT.search(place[1])), 1)


COUNTED = {
    "worklists": worklists,
    "loops until nothing changes": iterations,
    "walkers over blocks": walkers,
    "calls of startswith and the like": on_names,
    "files that mention copy-out": copying_out,
    "Protocol classes": protocols,
    "asserts": asserts,
    "type: ignore": ignored,
}
"""What is counted of the files of the engine."""


def _place(node: ast.stmt | ast.expr) -> Place:
    return node.lineno, ast.unparse(node).partition("\n")[0]


def files(checkout: Path) -> list[File]:
    """The files of the package."""
    paths = sorted((checkout / "adlsp").rglob("*.py"))
    texts = ((path.relative_to(checkout / "adlsp"), path.read_text("utf-8")) for path in paths)
    return [File(path, text, tuple(ast.walk(ast.parse(text)))) for path, text in texts]


def measured(checkout: Path, word: str | None = None) -> dict[str, str]:
    """The numbers of a checkout by what they count; the places of what has a word are printed."""
    every = files(checkout)
    engine = [file for file in every if file.room.startswith("transform")]
    lines = Counter[str]()
    for file in every:
        lines[file.room] += len(file.text.splitlines())
    made = {f"lines in {room}": f"{n:,}" for room, n in sorted(lines.items())}
    sizes = [len(file.text.splitlines()) for file in engine]
    made["lines of the engine"] = f"{sum(sizes):,}"
    made["lines of the package"] = f"{lines.total():,}"
    made["lines of a file, median and most"] = f"{statistics.median(sizes):g}, {max(sizes)}"
    found = {name: [(f, *p) for f in engine for p in find(f)] for name, find in COUNTED.items()}
    listed = [(file, *place) for file in engine for place in tables(file)]
    found["tables of functions, elsewhere"] = [p for p in listed if p[0].room not in LISTING]
    found["tables of functions, in ops and rules"] = [p for p in listed if p[0].room in LISTING]
    for name, places in found.items():
        n_files, n_lines = len({p[0].path for p in places}), sum(map(_size, places))
        of = f" ({n_lines} lines, {n_files} files)" if name.startswith("tables") else ""
        made[name] = f"{len(places)}{of}"
        if word is not None and word in name:
            print(*(f"{file.path}:{line}: {text}" for file, line, text in places), sep="\n")
    return made


def _size(place: tuple[File, int, str]) -> int:
    n_lines, has_size, _ = place[2].partition(" lines: ")
    return int(n_lines) if has_size else 0


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkouts", nargs="*", type=Path, metavar="CHECKOUT", default=[HOME])
    parser.add_argument("--list", metavar="WORD")
    options = parser.parse_args()
    columns = [measured(checkout, options.list) for checkout in options.checkouts]
    if options.list is None:
        names = list(dict.fromkeys(name for column in columns for name in column))
        rooms = sorted(name for name in names if name.startswith("lines in "))
        print("| |", *(f"{path.resolve().name} |" for path in options.checkouts))
        print("|---|" + "---:|" * len(columns))
        for name in dict.fromkeys((*rooms, *names)):
            print(f"| {name} |", *(f"{column.get(name, '')} |" for column in columns))


if __name__ == "__main__":
    main()
