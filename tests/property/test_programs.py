"""Random programs, differentiated in each way and compared with differences of the primal.

`ADLSP_PROPERTY_PROGRAMS` sets how many programs of each sort are tried, `ADLSP_PROPERTY_FIRST` the
first seed. A failure shows the program as small as it could be made, and how to come back to it.
"""

import functools
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import oracle
import pytest
import random_programs
import shrinking

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "60"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))
SEEDS = range(FIRST, FIRST + N_PROGRAMS)

Run = Callable[[random_programs.Program], oracle.Verdict]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Checks a program in a module of its own; once, however often it is asked for."""
    folder: Path = tmp_path_factory.mktemp("programs")
    numbers = iter(range(10**9))

    @functools.cache
    def checked(program: random_programs.Program) -> oracle.Verdict:
        path = folder / f"program_{next(numbers)}.py"
        return oracle.run_program(path, program.text, program.wrt, program.outputs, program.points)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADLSP_CACHE_DIR", str(folder / "cache"))
        patch.syspath_prepend(str(folder))
        yield checked
    for name in [name for name in sys.modules if name.startswith("program_")]:
        del sys.modules[name]


def program(seed: int, sort: str) -> random_programs.Program:
    return PROGRAMS.setdefault(
        (seed, sort), random_programs.write(seed, is_sharing=sort == "sharing")
    )


PROGRAMS: dict[tuple[int, str], random_programs.Program] = {}
"""The programs written so far, so that each is written and checked once."""


@pytest.mark.parametrize("sort", ["separate", "sharing"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_derivative_is_right(run: Run, seed: int, sort: str) -> None:
    written = program(seed, sort)
    try:
        verdict = run(written)
    except oracle.WrongError as error:
        pytest.fail(report(written, run, error))
    allowed = {"AD302", "AD303", "late"} if sort == "sharing" else set()
    assert set(verdict.refused) <= allowed


@pytest.mark.parametrize(("sort", "share"), [("separate", 0.75), ("sharing", 0.5)])
def test_most_programs_are_differentiated(run: Run, sort: str, share: float) -> None:
    verdicts: Counter[str] = Counter()
    for seed in SEEDS:
        try:
            verdict = run(program(seed, sort))
            verdicts["refused" if verdict.refused else "checked" if verdict.checked else ""] += 1
        except oracle.WrongError:
            verdicts["wrong"] += 1
    assert verdicts["checked"] >= share * N_PROGRAMS, verdicts


def test_the_same_seed_gives_the_same_program() -> None:
    assert random_programs.write(7).text == random_programs.write(7).text
    assert len({random_programs.write(seed).text for seed in range(20)}) == 20


def report(written: random_programs.Program, run: Run, error: oracle.WrongError) -> str:
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
