"""Which primal line each line of a derivative belongs to, and back.

The program announces each derivative that it compiles as JSON (see `adlsp.runtime.hook.bind`); here
it becomes a `DerivativeMap`. A primal statement may have lines in several derivatives, and in
several functions of one (a pair `g_forward` and `g_backward`, or two of them for different
arguments); in each function, the first of them is where its forward or its backward begins.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from adlsp import workspace
from adlsp.debug import scopes
from adlsp.transform.ir import Role

FORWARD = frozenset({Role.PRIMAL, Role.TANGENT})
BACKWARD = frozenset({Role.ADJOINT, Role.INSERTED})

NO_CODE = ("def ", "else:")
"""How lines begin at which debugpy has nothing to stop: it would move a breakpoint elsewhere."""

LOOP = re.compile(r"(\s+)for (\w+) in (reversed\()?(range\(.*\)):")
"""How a loop over a range is written in a derivative."""

DRAINED = re.compile(r"(\s+)while (\w+):")
"""How one that empties a list is written; its body begins by taking the last element."""

POPPED = re.compile(r"(\s+)\S.* = (\w+)\.pop\(\)")
"""How a pass takes what the forward sweep has kept for it."""

EACH = re.compile(r"(\s+)for .+ in reversed\((.*)\):")
"""How one is written that runs over the elements of something."""

PART = r"\w+(?:\[[\w\s:+*-]*\])?"
SIZED = re.compile(rf"({PART})|enumerate\(({PART})\)|zip\(({PART}(?:, {PART})*)\)")
"""What has as many elements as a variable, or a part of one; or as several, the shortest."""

SEGMENT = "adlsp-derivatives"
"""The folder name that every derivative file has in its path."""


@dataclass(frozen=True, slots=True)
class MappedLine:
    """One line of a derivative, and the lines of the primal statement that it belongs to.

    `function` counts the functions of the file; a line that is no code runs in none of them. The
    statement of a head is the primal's `def`, which stands for what begins and ends a function.
    """

    line: int
    role: Role
    path: str
    first: int
    last: int
    function: int = 0
    is_code: bool = True
    is_head: bool = False

    @property
    def is_bookkeeping(self) -> bool:
        """Whether the line does nothing that a statement of the primal is about."""
        return self.is_head or self.role in (Role.SAVE, Role.RESTORE, Role.INIT)

    @property
    def origin(self) -> tuple[str, int, int]:
        """The primal statement."""
        return (key(self.path), self.first, self.last)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of a derivative over a range: its lines, and what tells the pass.

    One that empties the list `over` has no variable: the pass is told by what is left there, from
    the line on where one element is `taken`. `total` has expressions for what it runs over, as far
    as the shortest. If the list `spans` passes of loops around, it has as many for each of these.
    One that runs back through the list is told by what is left in its iterator, `is_iterated`.
    """

    first: int
    last: int
    variable: str
    over: str
    is_reversed: bool
    taken: int = 0
    total: str = ""
    spans: bool = False
    is_iterated: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a derivative: its lines, and its variables with their adjoints."""

    name: str
    first: int
    last: int
    pairs: scopes.Pairs
    loops: tuple[Loop, ...] = ()
    text: str = ""

    def around(self, line: int) -> tuple[Loop, ...]:
        """The loops in whose bodies a line is, outermost first."""
        return tuple(loop for loop in self.loops if loop.first < line <= loop.last)


@dataclass(frozen=True, slots=True)
class DerivativeMap:
    """A derivative file and its lines with an origin, in order."""

    path: str
    name: str
    primal: str
    lines: tuple[MappedLine, ...]
    functions: tuple[Function, ...] = ()

    def function(self, line: int) -> Function | None:
        """The function of the derivative that a line is in."""
        before = [each for each in self.functions if each.first <= line <= each.last]
        return before[-1] if before else None

    def at(self, line: int) -> MappedLine | None:
        """What a line of the derivative belongs to, if anything.

        Of a call that is written out it is the call.
        """
        return next(iter(self.every_at(line)), None)

    def every_at(self, line: int) -> tuple[MappedLine, ...]:
        """What a line of the derivative belongs to: a statement, or a call and what is inlined."""
        return tuple(mapped for mapped in self.lines if mapped.line == line)

    def covers(self, path: str, line: int) -> bool:
        """Tells whether a line belongs to a primal statement of this derivative."""
        return bool(self._at_primal(path, line))

    def has(self, path: str, first: int, last: int) -> bool:
        """Tells whether primal statements that begin in a range of lines have lines here."""
        file = key(path)
        return any(first <= line.first <= last and key(line.path) == file for line in self.lines)

    def is_like(self, other: DerivativeMap) -> bool:
        """Tells whether another file is a derivative of the same kind of the same function."""
        are_two = key(self.path) != key(other.path)
        return are_two and self.name == other.name and self.home == other.home

    @property
    def home(self) -> tuple[str, int] | None:
        """Where the function begins that the derivative is of."""
        heads = (self.at(each.first) for each in self.functions if each.name == self.name)
        return next(((key(head.path), head.first) for head in heads if head), None)

    @property
    def order(self) -> int:
        """Of which order the derivative is, by its name: `loss_grad_jvp` is of the second."""
        made = self.name.removeprefix(self.primal).split("_")
        return max(1, sum(made.count(kind) for kind in ("grad", "vjp", "jvp")))

    @property
    def is_forward_mode(self) -> bool:
        """Whether tangents are computed here, and so nothing goes backward."""
        return any(line.role is Role.TANGENT for line in self.lines)

    def starts(self, path: str, line: int, roles: frozenset[Role]) -> tuple[int, ...]:
        """Where the primal statement at a line begins with one of the roles, in each function.

        Statements may nest: the innermost one at the line is meant.
        """
        at_line = self._at_primal(path, line)
        if not at_line:
            return ()
        origin = max(at_line, key=lambda place: (place[1], -place[2]))
        return self._starts(origin, roles)

    def counterparts(self, of: MappedLine) -> tuple[int, ...]:
        """Where what a line of another derivative of the same function belongs to begins here."""
        is_forward = of.role in FORWARD or of.role is Role.SAVE
        return self._starts(of.origin, FORWARD if is_forward else BACKWARD)

    def _starts(self, origin: tuple[str, int, int], roles: frozenset[Role]) -> tuple[int, ...]:
        """The first lines of a statement in each function, and of each call of it written out.

        A call in a loop may be written out once for each pass: what other lines part is several.
        The backward of a `def` is what ends the sweep, behind all statements, not its seed.
        """
        found: dict[tuple[object, ...], int] = {}
        last: MappedLine | None = None
        code = {each.line for each in self.lines if each.is_code and not each.is_bookkeeping}
        before, n_parted = 0, 0
        for mapped in self.lines:
            if mapped.origin == origin and mapped.role in roles and mapped.is_code:
                call = self.at(mapped.line)
                if call is not None and call.origin != origin:
                    n_parted += not code.isdisjoint(range(before + 1, mapped.line))
                    before = mapped.line
                place = mapped.function, call and call.origin, n_parted
                is_end = mapped.is_head and roles <= BACKWARD
                if place not in found or (is_end and last is not None and last.origin != origin):
                    found[place] = mapped.line
            last = mapped
        return tuple(found.values())

    def _at_primal(self, path: str, line: int) -> list[tuple[str, int, int]]:
        file = key(path)
        return [
            mapped.origin
            for mapped in self.lines
            if mapped.first <= line <= mapped.last and key(mapped.path) == file
        ]


def read_file(path: str) -> DerivativeMap | None:
    """Reads what lies beside a derivative's file; None where that is not one that we wrote."""
    try:
        payload = workspace.read_bytes(workspace.announcement_path(path)).decode()
        text = workspace.read_bytes(path).decode("utf-8", "surrogatepass")
        return dataclasses.replace(read(payload, text, lambda primal: primal), path=path)
    except (OSError, ValueError):
        return None


def read(payload: str, text: str, to_client: Callable[[str], str]) -> DerivativeMap:
    """Reads an announcement of a derivative with a text.

    `to_client` turns a path of the program into the client's.

    Raises ValueError for what is not an announcement of the version that we know.
    """
    said = json.loads(payload)
    code = text.split("\n")
    functions = [*itertools.accumulate(line.startswith("def ") for line in code)]
    try:
        if said["version"] != 1:
            raise ValueError(f"an announcement of version {said['version']!r}, known is 1")
        heads = {
            (entry["path"], entry["primal_line"])
            for entry in said["map"]
            if code[min(entry["line"], len(code)) - 1].startswith("def ")
        }
        lines = (
            MappedLine(
                line=entry["line"],
                role=Role(entry["role"]),
                path=to_client(entry["path"]),
                first=entry["primal_line"],
                last=max(entry["primal_line"], entry["primal_end_line"]),
                function=functions[min(entry["line"], len(code)) - 1],
                is_code=not code[min(entry["line"], len(code)) - 1].lstrip().startswith(NO_CODE),
                is_head=(entry["path"], entry["primal_line"]) in heads,
            )
            for entry in said["map"]
        )
        ordered = tuple(sorted(lines, key=lambda mapped: mapped.line))
        path, found = to_client(said["path"]), tuple(_functions(code))
        return DerivativeMap(path, said["name"], said["primal"], ordered, found)
    except (KeyError, TypeError) as error:
        raise ValueError(f"an announcement without {error}") from error


def _functions(code: list[str]) -> Iterator[Function]:
    starts = [number for number, line in enumerate(code, 1) if line.startswith("def ")]
    for first, end in itertools.pairwise([*starts, len(code) + 1]):
        name = code[first - 1].removeprefix("def ").partition("(")[0]
        lines = code[first - 1 : end - 1]
        loops, text = tuple(_loops(lines, first)), "\n".join(lines)
        yield Function(name, first, end - 1, scopes.pairs(lines), loops, text)


def _loops(lines: list[str], first: int) -> Iterator[Loop]:
    """The loops in the lines of a function of which passes are told; the first has that number."""
    for start, line in enumerate(lines):
        end = _last(lines, start)
        if found := LOOP.fullmatch(line):
            _, variable, reversed_, over = found.groups()
            over = over.removesuffix(")") if reversed_ else over
            yield Loop(start + first, end + first, variable, over, bool(reversed_))
        elif found := DRAINED.fullmatch(line):
            if lines[start + 1].endswith(f" = {found[2]}.pop()"):
                yield Loop(start + first, end + first, "", found[2], False, start + 1 + first)
        elif (found := EACH.fullmatch(line)) and (tape := _tape(lines, start, end)):
            taken, over, spans = tape
            total = _total(found[2], lines[start : end + 1])
            if total or not spans:
                place = start + first, end + first
                yield Loop(*place, "", over, False, taken + first, total, spans)
        elif found and any(line.strip().startswith(f"{found[2]}.append(") for line in lines):
            yield Loop(start + first, end + first, "", found[2], False, is_iterated=True)


def _total(over: str, lines: list[str]) -> str:
    """What tells how many elements a loop of some lines runs over; "" for nothing."""
    found = SIZED.fullmatch(re.sub(r"list\((.*)\)", r"\1", over))
    total = "" if found is None else next(filter(None, found.groups()))
    names = re.findall(r"[^\W\d]\w*", total)
    is_bound = any(
        re.match(rf"\s+[^=]*\b{n}\b.* [-+*/@]?= ", each) for n in names for each in lines
    )
    return "" if is_bound else total


def _last(lines: list[str], start: int) -> int:
    """The last line of a statement with a block."""
    last, indent = start, len(lines[start]) - len(lines[start].lstrip())
    for number in range(start + 1, len(lines)):
        text = lines[number]
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        last = number
    return last


def _tape(lines: list[str], start: int, end: int) -> tuple[int, str, bool] | None:
    """Where each pass of a loop takes an element of a list, which, and if that spans more passes.

    None where that is not so. A list that is another one in each pass of the loop around spans no
    more than a pass of that; otherwise, nothing else may take from it.
    """
    indent = len(lines[start]) - len(lines[start].lstrip())
    for number in range(start + 1, end + 1):
        taken = POPPED.fullmatch(lines[number])
        if taken is None or len(taken[1]) != indent + 4:
            continue
        every = [i for i, line in enumerate(lines) if re.search(rf"\b{taken[2]}\.pop\(", line)]
        popped = [i for i in every if start <= i <= end]
        outer = (i for i in range(start) if lines[i].lstrip().startswith(("for ", "while ")))
        around = [i for i in outer if _last(lines, i) >= end]
        is_own = not around or any(
            re.match(rf"\s+[^=]*\b{taken[2]}\b[^=]* = \w+\.pop\(\)", each)
            for each in lines[around[-1] : start]
        )
        if len(popped) == 1 and (is_own or popped == every):
            return number, taken[2], not is_own
    return None


@functools.lru_cache(maxsize=4096)
def key(path: str) -> str:
    """A form of a path in which two names of one file are equal."""
    return path if is_fileless(path) else os.path.normcase(os.path.realpath(path))


def is_derivative(path: str) -> bool:
    """Tells whether a path is that of a derivative, also of one without a file."""
    return is_fileless(path) or SEGMENT in path.replace("\\", "/").split("/")[:-1]


def is_fileless(path: str) -> bool:
    """Tells whether a path is the name of a derivative that no folder could take."""
    return path.startswith("<adlsp ")
