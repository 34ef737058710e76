"""The analyses, each by its dump: small functions with what is known at each step at the right.

A case is a section of a page in `tests/facts`: `## title`, prose, a `py` block with a function
`f`, and a `facts` block with its intermediate form and the column of the page; behind `facts` stand
the inputs of interest, or the signature, where the analysis asks for them. With ADLSP_UPDATE=1 the
blocks are written instead of compared: read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path

import pytest
from lowered import lowered

from adlsp.transform import annotated, depth, ir
from adlsp.transform.facts import definite_assignment
from adlsp.transform.facts.versions import Version, VersionKind
from adlsp.transform.ir.variables import Step
from adlsp.transform.program import Program
from adlsp.transform.reverse.assemble import prepared
from adlsp.transform.values import parse
from adlsp.transform.values.inference import Instances
from adlsp.transform.values.signature import Writer, named_symbols

FOLDER = Path(__file__).parent.parent / "facts"
SECTION = re.compile(r"^## (?P<title>.+)\n(?P<text>(?:(?!## ).*\n)*)", re.M)
PROGRAM = re.compile(r"^```py\n(?P<code>.*?)^```\n", re.M | re.S)
FACTS = re.compile(r"^```facts(?P<wrt>[^\n]*)\n(?P<dump>.*?)^```\n", re.M | re.S)

Inputs = tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """One section of a page."""

    page: Path
    title: str
    code: str
    wrt: Inputs
    dump: str


def cases() -> list[Case]:
    """All cases of all pages."""
    return [case for page in sorted(FOLDER.glob("*.md")) for case in _read(page)]


def _read(page: Path) -> list[Case]:
    made = []
    for section in SECTION.finditer(page.read_text("utf-8")):
        program, facts = PROGRAM.search(section["text"]), FACTS.search(section["text"])
        assert program is not None, f"{page.name}: {section['title']}: no program"
        wrt = tuple(facts["wrt"].split()) if facts is not None else ()
        dump = facts["dump"] if facts is not None else ""
        made.append(Case(page, section["title"], program["code"], wrt, dump))
    return made


def update(case: Case, dump: str) -> None:
    """Writes a dump into its page."""
    text = case.page.read_text("utf-8")
    section = next(each for each in SECTION.finditer(text) if each["title"] == case.title)
    block = "".join(("```", " ".join(("facts", *case.wrt)), "\n", dump, "```\n"))
    body = section["text"]
    if FACTS.search(body):
        body = FACTS.sub(lambda _: block, body)
    else:
        body = f"{body.rstrip()}\n\n{block}\n"
    start, end = section.span("text")
    text = text[:start] + body + text[end:]
    case.page.write_text(text.rstrip() + "\n", "utf-8")


def liveness_column(function: ir.Function, program: Program, wrt: Inputs) -> str:
    assert wrt == ()
    return annotated.text(function, (annotated.live(program.facts(function).live),))


def activity_column(function: ir.Function, program: Program, wrt: Inputs) -> str:
    facts = program.facts(function).activity(wrt)
    return annotated.text(function, (annotated.activity(facts, _names(function)),))


def sharing_column(function: ir.Function, program: Program, wrt: Inputs) -> str:
    assert wrt == ()
    return annotated.text(function, (annotated.sharing(program.facts(function).aliases()),))


def recorded_column(function: ir.Function, program: Program, wrt: Inputs) -> str:
    made = prepared(function, wrt, "grad", program)
    return annotated.text(made.primal, (annotated.saved(made.saves),))


def versions_column(function: ir.Function, program: Program, wrt: Inputs) -> str:
    assert wrt == ()
    made = program.facts(function).versions

    def column(statement: ir.Statement | None) -> Iterator[str]:
        if statement is not None:
            read = [made.reads[key] for key in made.reads if key[0] is statement]
            if read:
                yield f"reads {', '.join(map(_version, read))}"
        for version in made.every:
            if version.statement is statement and version.kind is not VersionKind.UNBOUND:
                priors = f" of {', '.join(map(_version, version.priors))}" if version.priors else ""
                yield f"{_version(version)} {version.kind.value}{priors}"

    return annotated.text(function, (column,))


def _version(version: Version) -> str:
    return f"{version.name}.{version.number}"


def binding_column(function: ir.Function, _: Program, wrt: Inputs) -> str:
    assert wrt == ()
    bound: dict[ir.Statement, frozenset[str]] = {}

    def note(statement: ir.Statement, now: Set[str]) -> None:
        bound[statement] = frozenset(now)

    definite_assignment.bind(function.body, {*_names(function)}, note)

    def column(statement: ir.Statement | None) -> Iterator[str]:
        if statement is not None:
            users = sorted(name for name in bound[statement] if not isinstance(name, Step))
            yield f"bound {', '.join(users)}"
            read = [name for name in ir.reads(statement) if name not in bound[statement]]
            if read and not isinstance(statement, ir.While):  # its test is read after its steps
                yield f"maybe unbound {', '.join(read)}"

    return annotated.text(function, (column,))


def _names(function: ir.Function) -> list[str]:
    return [parameter.name for parameter in function.parameters]


def values_column(function: ir.Function, program: Program, wrt: Inputs) -> str:
    """Of the function as it is lowered; what stands behind `facts` is a signature."""
    written = program.definition(function.dotted)
    assert written is not None
    signature = parse.signature(" ".join(wrt))
    writer = Writer({*_names(function)} | named_symbols(signature.values()), home="case")
    typed = Instances(program).of(written, signature)
    return annotated.text(written, (annotated.values(typed, writer),))


COLUMNS: dict[str, Callable[[ir.Function, Program, Inputs], str]] = {
    "activity": activity_column,
    "binding": binding_column,
    "liveness": liveness_column,
    "recorded": recorded_column,
    "sharing": sharing_column,
    "values": values_column,
    "versions": versions_column,
}
"""What each page shows, by its name."""


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.page.stem}: {case.title}")
def test_facts(case: Case) -> None:
    with depth.room():
        function, program = lowered(case.code)
        shown = COLUMNS[case.page.stem](function, program, case.wrt)
    if os.environ.get("ADLSP_UPDATE") == "1":
        update(case, shown)
    else:
        assert shown == case.dump


def test_pages_have_cases_whose_titles_differ() -> None:
    titles = [(case.page.stem, case.title) for case in cases()]
    assert len(set(titles)) == len(titles)
    for name in COLUMNS:
        assert sum(page == name for page, _ in titles) >= 5
