"""What a program computes before and after its findings are repaired.

A program computes results, changes its arguments, and gives back what may be one of them: all three
are compared, with types. A call that raises computes nothing, and may do anything when repaired.
"""

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adlsp.lint import check, fix
from adlsp.lint.settings import Settings
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Fix
from adlsp.transform.query_cache import QueryCache
from adlsp.workspace import Workspace

LAST_DIGIT = 4e-16
"""NumPy rounds powers in another way where the memory of operand and result overlaps."""

KINDS = {"safe": (fix.is_safe, 1e-12), "unsafe": (fix.is_any, 1e-4)}
"""The fixes that are applied, and how far the results may be from what they were."""

PATH = "/tmp/case.py"


Call = tuple[str, tuple[Any, ...]]


class ChangedError(AssertionError):
    """A repair that changes what a program computes, or does not do what it says."""

    def __init__(self, kind: str, message: str = "") -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind


@dataclass(frozen=True)
class Outcome:
    """What a call gives: its result, its arguments afterwards, and which of them it gives back."""

    result: Any
    arguments: tuple[Any, ...]
    shared: tuple[bool, ...]


@dataclass(frozen=True)
class Repaired:
    """A repaired text: how many fixes were applied, and what is still found."""

    text: str
    n_fixed: int
    codes: Counter[str]
    left: tuple[Fix, ...]


def repaired(text: str, accepts: Callable[[Fix], bool]) -> Repaired:
    """Applies the accepted fixes of a program.

    What is remembered from one text to the next, as in an editor, must not tell.
    """
    cache = QueryCache()

    def found(files: Workspace) -> Sequence[Diagnostic]:
        return check.check(PATH, files, Settings(), cache=cache)

    files, n_fixed = fix.repair(Workspace().with_text(PATH, text), [PATH], found, accepts)
    left = check.check(PATH, files, Settings())
    if left != found(files):
        raise ChangedError("memory", "what is remembered gives other findings")
    fixes = tuple(d.fix for d in left if d.fix is not None and accepts(d.fix))
    return Repaired(files.source(PATH).text, n_fixed, Counter(d.code for d in left), fixes)


def check_fixes(text: str, calls: Sequence[Call]) -> Counter[str]:
    """Repairs a program and compares; counts what was done. Raises ChangedError.

    What an unsafe fix may change is left out: digits, and what is given back instead of nothing.
    """
    counts: Counter[str] = Counter()
    before = {i: outcome(text, *call) for i, call in enumerate(calls)}
    for kind, (accepts, tolerance) in KINDS.items():
        after = repaired(text, accepts)
        if after.left or (after.n_fixed == 0) != (after.text == text):
            raise ChangedError("left", f"{after.n_fixed} {kind} fixes were applied\n{after.text}")
        counts[kind] += after.n_fixed
        for i, call in enumerate(calls if after.n_fixed else ()):
            was = before[i]
            if was is not None and not (kind == "unsafe" and was.result is None):
                now = outcome(after.text, *call)
                counts[f"{kind} runs"] += 1
                if not is_same(was, now, tolerance):
                    message = f"{call} gave {was}\nand gives {now}\n{after.text}"
                    raise ChangedError(kind, message)
    return counts


def outcome(text: str, function: str, arguments: Sequence[Any]) -> Outcome | None:
    """What a function of a program gives for some arguments; None where it raises an error."""
    space: dict[str, Any] = {"__name__": "case"}
    exec(compile(text, "case.py", "exec"), space)
    given = copy.deepcopy(tuple(arguments))
    try:
        with np.errstate(all="ignore"):
            result = space[function](*given)
    except Exception:
        return None
    shared = tuple(np.shares_memory(p, a) for p in parts(result) for a in parts(given))
    return Outcome(result, given, shared)


def parts(value: Any) -> list[np.ndarray]:
    """The arrays and numbers in a result, in order."""
    if isinstance(value, tuple | list):
        return [part for each in value for part in parts(each)]
    return [np.asarray(value)]


def is_same(one: Outcome, other: Outcome | None, tolerance: float = 0.0) -> bool:
    """Tells whether two calls have done the same, to the last digit unless told otherwise."""
    if other is None:
        return False
    same = one.shared == other.shared
    for mine, theirs in ((one.result, other.result), (one.arguments, other.arguments)):
        left, right = parts(mine), parts(theirs)
        same = same and len(left) == len(right)
        same = same and all(
            a.dtype == b.dtype and a.shape == b.shape and _is_equal(a, b, tolerance)
            for a, b in zip(left, right, strict=False)
        )
    return same


def _is_equal(one: np.ndarray, other: np.ndarray, tolerance: float) -> bool:
    if one.dtype == object:
        return bool(np.all(one == other))
    if tolerance:
        return bool(np.allclose(one, other, tolerance, tolerance, equal_nan=True))
    return bool(np.array_equal(one, other, equal_nan=True))
