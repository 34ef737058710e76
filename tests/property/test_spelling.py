"""Other spellings of calls: they mean the same, and there are all of them."""

from pathlib import Path

import oracle
import pytest
import spelling
import structures
from random_programs.program import write


@pytest.mark.parametrize("seed", range(8))
def test_other_spellings_mean_the_same(folder: Path, seed: int) -> None:
    program = write(seed, is_idiomatic=True)
    respelled = spelling.respelled(program.text, seed)
    f = oracle.load(folder / f"spelled_{seed}.py", program.text).f
    other = oracle.load(folder / f"respelled_{seed}.py", respelled).f
    usable = [p for p in program.points if oracle.is_usable(f, p, program.outputs)]
    for point in usable:
        expected = oracle.call(f, point, program.outputs)
        assert structures.is_same(oracle.call(other, point, program.outputs), expected)


def test_calls_are_spelled_in_all_ways() -> None:
    texts = [spelling.respelled(write(seed).text, seed) for seed in range(60)]
    body = "\n".join(texts)
    for word in ("a=", "o=", "(*(", "(*[", "**{", "dtype=None", "np.sum("):
        assert word in body
