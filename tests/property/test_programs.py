"""Random programs, differentiated in each way and compared with differences of the primal.

`ADLSP_PROPERTY_PROGRAMS` sets how many programs of each sort are tried, `ADLSP_PROPERTY_FIRST` the
first seed (`make fuzz` tries thousands). Of every fourth the second derivatives are checked, too. A
failure shows the program as small as it could be made, and how to come back to it.
"""

import functools
import itertools
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import oracle
import pytest
import shrinking
import spelling
import twice
from random_programs import holding, keeping, naming
from random_programs.program import Program, write

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "10"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))
SEEDS = range(FIRST, FIRST + N_PROGRAMS)

Run = Callable[[Program], oracle.Verdict]


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    """Checks the first derivatives of a program; once, however often it is asked for."""
    return functools.cache(functools.partial(checked, oracle.run_program, folder))


@pytest.fixture(scope="module")
def run_twice(folder: Path) -> Run:
    """Checks the second derivatives of a program."""
    return functools.partial(checked, twice.run_program, folder)


NUMBERS = itertools.count()
"""Each program has a module of its own, and these in their names."""


def checked(check: Callable[..., oracle.Verdict], folder: Path, program: Program) -> oracle.Verdict:
    path = folder / f"program_{next(NUMBERS)}.py"
    return check(path, program.text, program.wrt, program.outputs, program.points)


SORTS = {
    "separate": {},
    "sharing": {"is_sharing": True},
    "idiomatic": {"is_idiomatic": True},
    "idiomatic sharing": {"is_sharing": True, "is_idiomatic": True},
    "holding": {},
    "naming": {},
    "keeping": {},
    "keeping in objects": {},
}
"""The sorts of programs, as the generator knows them; some have a generator of their own."""

OWN = {
    "holding": holding.write,
    "naming": naming.write,
    "keeping": keeping.write,
    "keeping in objects": keeping.write_objects,
}


def program(seed: int, sort: str) -> Program:
    if (seed, sort) not in PROGRAMS:
        written = OWN[sort](seed) if sort in OWN else write(seed, **SORTS[sort])
        PROGRAMS[seed, sort] = replace(written, text=spelling.respelled(written.text, seed))
    return PROGRAMS[seed, sort]


PROGRAMS: dict[tuple[int, str], Program] = {}
"""The programs written so far, so that each is written and checked once."""


SHARES = dict(zip(SORTS, (0.75, 0.5, 0.75, 0.5, 0.5, 0.1, 0.2, 0.1), strict=True))
"""How many of the programs of a sort are differentiated, at the least."""

LENGTHENING = ("keeping in objects",)
"""The sorts whose programs may make a list longer that an object holds, which may be refused."""

MOST_SHRUNK = 3
"""So many wrong programs of a sort are shown as small as they can be made."""


@pytest.mark.parametrize("sort", SORTS)
def test_derivatives_are_right(run: Run, sort: str) -> None:
    """One process has all programs of a sort: each is checked once, and they are counted."""
    verdicts: Counter[str] = Counter()
    wrong: list[tuple[Program, oracle.WrongError]] = []
    refused: dict[int, tuple[str, ...]] = {}
    for seed in SEEDS:
        written = program(seed, sort)
        try:
            verdict = run(written)
        except oracle.WrongError as error:
            wrong.append((written, error))
            continue
        verdicts["refused" if verdict.refused else "checked" if verdict.checked else ""] += 1
        allowed = {"AD302", "AD303", "AD304", "late"} if written.is_sharing else set()
        allowed -= set() if sort in LENGTHENING else {"AD304"}
        if not set(verdict.refused) <= allowed:
            refused[seed] = verdict.refused
    if wrong:
        shown = (report(written, run, error) for written, error in wrong[:MOST_SHRUNK])
        pytest.fail("\n\n".join((*shown, f"wrong seeds: {[w.seed for w, _ in wrong]}")))
    assert not refused
    assert verdicts["checked"] >= SHARES[sort] * N_PROGRAMS, verdicts


@pytest.mark.parametrize(
    "sort", ["separate", "idiomatic", "holding", "naming", "keeping", "keeping in objects"]
)
@pytest.mark.parametrize("seed", SEEDS[::4])
def test_second_derivatives_are_right(run_twice: Run, seed: int, sort: str) -> None:
    written = program(seed, sort)
    try:
        run_twice(written)
    except oracle.WrongError as error:
        pytest.fail(report(written, run_twice, error))


def test_the_same_seed_gives_the_same_program() -> None:
    assert write(7).text == write(7).text
    assert len({write(seed).text for seed in range(20)}) == 20


def report(written: Program, run: Run, error: oracle.WrongError) -> str:
    """What went wrong, for the smallest program found that goes wrong in the same way."""

    def failure(text: str) -> oracle.WrongError | None:
        try:
            run(replace(written, text=text))
        except oracle.WrongError as found:
            return found
        except Exception:  # the smaller text is no program
            return None
        return None

    def is_same(text: str) -> bool:
        found = failure(text)
        return found is not None and found.kind == error.kind

    small = shrinking.shrink(written.text, is_same, budget=400)
    return "\n".join(
        (
            f"seed {written.seed}, wrt={written.wrt}, outputs={written.outputs}",
            small,
            "",
            str(failure(small) or error),
        )
    )
