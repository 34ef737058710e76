"""Programs of several modules: right, and the same text for the editor and in the program.

What takes part and is not what its text says is refused by both, as a derivative that is called, or
followed by what the program has, as a wrapper. `ADLSP_PROPERTY_PROGRAMS` and `ADLSP_PROPERTY_FIRST`
are as in `test_programs.py`.
"""

import importlib
import os
import sys
from pathlib import Path

import oracle
import pytest
import spread

import adlsp
from adlsp.transform.diagnostics.vocabulary import Diagnostic

N_PROGRAMS = int(os.environ.get("ADLSP_PROPERTY_PROGRAMS", "20"))
FIRST = int(os.environ.get("ADLSP_PROPERTY_FIRST", "0"))


def told(findings: tuple[Diagnostic, ...]) -> list[str]:
    return [f"{f.code} {f.span.line}:{f.span.column} {f.message}" for f in findings if f.blocks]


def both(findings: tuple[Diagnostic, ...]) -> set[str]:
    """What both ways tell: of what variables hold the program knows more, and refuses others."""
    return {each for each in told(findings) if not each.startswith("AD204")}


@pytest.mark.parametrize("seed", range(FIRST, FIRST + N_PROGRAMS))
def test_the_derivative_is_right_or_refused_by_both(folder: Path, seed: int) -> None:
    program = spread.write(seed)
    for name, text in program.files:
        (folder / f"{name}.py").write_text(text)
    importlib.invalidate_caches()
    name, text = program.files[-1]
    verdict = oracle.run_program(folder / f"{name}.py", text, ("x", "s"), (), (spread.POINT,))
    assert not (verdict.refused and program.is_plain), text
    if verdict.refused:
        with pytest.raises(adlsp.DifferentiationError) as raised:
            assert adlsp.grad(sys.modules[name].f, wrt=("x", "s")).derivative
        static = oracle.static(folder / f"{name}.py", ("x", "s"), (), optimize=True)
        assert told(static.findings)
        assert both(raised.value.findings) <= both(static.findings)
    else:
        assert verdict.checked
