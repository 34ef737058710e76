"""Functions of a file are checked in one program; each is found to be as it is alone."""

from __future__ import annotations

import itertools
from functools import partial
from pathlib import Path

import literate
import programs
import pytest
from literate import Case

from adlsp.transform import depth, queries, requests
from adlsp.transform.query_cache import Functions, QueryCache
from adlsp.workspace import Workspace

CASES = [case for case in literate.cases() if sum(c.count("\ndef ") for _, c in case.files) > 1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.page.stem}: {case.title}")
def test_what_is_found_of_a_function_is_found_beside_others(case: Case, tmp_path: Path) -> None:
    with programs.written(case, tmp_path) as program, depth.room():
        source = Workspace().source(str(tmp_path / case.files[0][0]))
        asked = [*requests.every_function(source, program.resolver)]
        alone = {}
        for request in asked:
            users = Functions(program.resolver, QueryCache())
            made = queries.program_of(users, request.function)
            found = queries.findings(request, users, lambda made=made: made)
            idle = queries.idle_inputs(request, users, lambda made=made: made)
            alone[request] = found, idle, {*made.asked(request.function)}
        for order in itertools.islice(itertools.permutations(asked), 3):
            users = Functions(program.resolver, QueryCache())
            shared = queries.Programs(users)
            for request in order:
                around = partial(shared.around, request.function)
                found = queries.findings(request, users, around)
                idle = queries.idle_inputs(request, users, around)
                names = {*around().asked(request.function)}
                assert (found, idle) == alone[request][:2]
                assert {n for n in alone[request][2] - names if users.lowered(n)} == set()
