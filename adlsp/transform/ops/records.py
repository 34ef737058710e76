"""The records of all functions, by dotted name, with the defaults of their homes and words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, reduce
from types import MappingProxyType

from adlsp.transform.ops import arrays, numpy, python, runtime, scipy, tensorflow
from adlsp.transform.ops.spec import FRESH, SHARED, Elements, Op, Operation, Records, Shape, over

WORDS = MappingProxyType(
    {"elementwise": Op(result=FRESH, shape=Shape.EACH), "multilinear": Op(result=FRESH)}
)
"""What the word of a rule says of a function."""


class _Entered(Mapping[str, Op]):
    """Records by name; several of one function fill each other's gaps, the first counts.

    They are put together when somebody asks for the function: of few it does.
    """

    def __init__(self, lists: Iterable[Records]) -> None:
        self._said: dict[str, list[Op]] = {}
        self._joined: dict[str, Op] = {}
        for records in lists:
            for name, record in records:
                self._said.setdefault(name, []).append(record)

    def __getitem__(self, name: str) -> Op:
        found = self._joined.get(name)
        if found is None:
            found = self._joined[name] = reduce(over, self._said[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._said)

    def __len__(self) -> int:
        return len(self._said)

    def which(self, holds: Callable[[Op], object]) -> frozenset[str]:
        """The functions of whose records something holds, which one of their parts says."""
        some = (name for name, said in self._said.items() if any(map(holds, said)))
        return frozenset(name for name in some if holds(self[name]))


SAID = _Entered(
    [
        python.RECORDS,
        numpy.RECORDS,
        arrays.RECORDS,
        scipy.RECORDS,
        tensorflow.RECORDS,
        runtime.RECORDS,
    ]
)
HOMES = _Entered([python.HOMES, numpy.HOMES, scipy.HOMES, tensorflow.HOMES, runtime.HOMES])

NOTHING = Op()

ALL = 2**31
"""More arguments than a call has: a tuple of what a loop saves has hundreds."""

CHANGING = frozenset(
    name
    for name in SAID.which(lambda record: record.changes == (0,))
    if SAID[name].changes_when is None and SAID[name].result is not SHARED
)
"""What changes its first argument, and gives nothing or something else: `x.sort()`, `xs.pop()`."""


RESIZING = SAID.which(lambda record: record.resizes)
"""What makes its first argument longer or shorter."""


@cache
def said(dotted: str) -> Op:
    """The record of a function as it is written, without defaults."""
    return SAID.get(dotted, NOTHING)


def has_elements_of_first(dotted: str) -> bool:
    """Tells whether the elements of what a function gives are those of its first argument."""
    return said(dotted).elements in (Elements.OF_FIRST, Elements.SORTED)


def n_before_out(dotted: str) -> int:
    """How many arguments by position a function has that do not take its result."""
    told = said(dotted).n_before_out
    return ALL if told is None else told


@cache
def by_position(dotted: str) -> tuple[str, ...]:
    """The parameters that a function takes by position, by name, as far as that is told."""
    written = (said(dotted).parameters or "").partition("|")[0]
    return tuple(each.partition("=")[0] for each in written.split())


@cache
def computing(operation: Operation, library: str) -> str:
    """The function of a library that computes something, by the shortest of its names."""
    names = (name for name, record in SAID.items() if record.computes is operation)
    return min((name for name in names if name.startswith(f"{library}.")), key=len)


@cache
def of(dotted: str, word: str = "") -> Op:
    """The record of a function that has a rule of this word, or none.

    Of a shape the home knows more than the word: `math.sin` is elementwise, and gives one number.
    """
    homes = [HOMES[home] for home in _homes(dotted) if home in HOMES]
    shape = next((home.shape for home in homes if home.shape is not None), None)
    record = over(said(dotted), over(Op(shape=shape), WORDS.get(word, NOTHING)))
    for home in homes:
        record = over(record, home)
    return record


def _homes(dotted: str) -> tuple[str, ...]:
    """Where a function is at home, the nearest first: `numpy.linalg.`, `numpy.`."""
    parts = dotted.split(".")
    return tuple(".".join(parts[:n]) + "." for n in range(len(parts) - 1, 0, -1))
