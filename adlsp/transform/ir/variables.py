"""The variables that we make, by what each of them is for.

A user's variable is a plain `str`. One that is generated is a `str` as well, so that tables and
sets of names hold both; its type says what it is, its attributes what it belongs to, and its text
is what a dump shows. That begins with `%`, which no name of Python does:

    %t:3  %t:3:old      Step: a step of a larger expression, assigned once
    %v:3                Merged: what branches set to one of several values, as a phi node does
    %u:3:key            Own: a variable like a user's, with a name that a person would give it
    %at:5               Reference: the value that a version of a variable had in the primal
    %bar:x  %dot:x      Adjoint, Tangent: the derivative of a variable
    %saved:x:2          Saved: a version that is kept under a second name for the backward sweep
    %tape:x:2           Tape: the list of those that a loop keeps
    %keep:x:2           Kept: one of a tape, as it is taken back, or as a backward loop has it again
    %undo:x:2           Undo: what a store overwrites, or the list of that
    %trips:3:5          Trips: how often the loop at line 3, column 5 ran
    %index:5  %unused:5 Index, Unused: what a backward loop counts with
    %out  %seed  …      Single: `RETURNED` and its like, of which a function has one

Of what is recorded, `%saved_like:x:2` and its like keep the shape and dtype only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class Generated(str):
    """A variable that is not the user's. A copy has its type: that is read from its text."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Callable[[str], str], tuple[str]]:
        return read, (str(self),)


class Numbered(Generated):
    """A variable that differs from others by a number; `Fresh` gives them."""

    __slots__ = ("number",)
    number: int


class Step(Numbered):
    """A step of a larger expression, which need not have a name: a temporary.

    `purpose` is what it is called where it needs one.
    """

    __slots__ = ("purpose",)
    purpose: str

    def __new__(cls, number: int, purpose: str = "") -> Self:
        """Writes `%t:3`, or `%t:3:purpose`."""
        self = super().__new__(cls, f"%t:{number}:{purpose}" if purpose else f"%t:{number}")
        self.number, self.purpose = number, purpose
        return self


class Merged(Numbered):
    """A value with no name of the user's that is no step.

    Branches set it, or it cannot be computed again.
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Self:
        """Writes `%v:3`."""
        self = super().__new__(cls, f"%v:{number}")
        self.number = number
        return self


class Own(Numbered):
    """A variable like any of a user's, for which `name` is a good name."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, number: int, name: str) -> Self:
        """Writes `%u:3:name`."""
        self = super().__new__(cls, f"%u:{number}:{name}")
        self.number, self.name = number, name
        return self


def moved(name: Numbered, by: int) -> Numbered:
    """The same variable of a function, where its numbers are greater by so many."""
    match name:
        case Step():
            return Step(name.number + by, name.purpose)
        case Own():
            return Own(name.number + by, name.name)
    return Merged(name.number + by)


class Fresh:
    """Gives variables that a function does not have yet; `last` is the greatest number in it."""

    __slots__ = ("last",)

    def __init__(self, last: int = 0) -> None:
        self.last = last

    def number(self) -> int:
        """A number that no variable has."""
        self.last += 1
        return self.last

    def step(self, purpose: str = "") -> Step:
        """A step; `purpose` is what it will be called where it needs a readable name."""
        return Step(self.number(), purpose)

    def merged(self) -> Merged:
        """What several branches set."""
        return Merged(self.number())

    def own(self, name: str) -> Own:
        """A variable of ours, for which a user's name is a good one."""
        return Own(self.number(), name)


class Versioned(Generated):
    """A variable that stands for a version of one, by the number that `Versions` give it."""

    __slots__ = ("version",)
    version: int
    kind = ""

    def __new__(cls, version: int) -> Self:
        """Writes `%at:5`, or its like."""
        self = super().__new__(cls, f"%{cls.kind}:{version}")
        self.version = version
        return self


class Reference(Versioned):
    """The value that the primal had; `reverse/save_restore.py` decides how it stays available."""

    __slots__ = ()
    kind = "at"


class Index(Versioned):
    """The position in a backward loop, by the version of what the loop binds."""

    __slots__ = ()
    kind = "index"


class Unused(Versioned):
    """What a backward loop binds and nobody reads, by the version of its trips."""

    __slots__ = ()
    kind = "unused"


class Differential(Generated):
    """The derivative that belongs to a variable, in either mode."""

    __slots__ = ("of",)
    of: str
    kind = ""

    def __new__(cls, of: str) -> Self:
        """Writes `%bar:x`, or `%dot:x`."""
        self = super().__new__(cls, f"%{cls.kind}:{of}")
        self.of = of
        return self


class Adjoint(Differential):
    """The derivative of the result with respect to a variable: its cotangent."""

    __slots__ = ()
    kind = "bar"


class Tangent(Differential):
    """The derivative of a variable in the direction that is asked for."""

    __slots__ = ()
    kind = "dot"


class Recorded(Generated):
    """Something of a version of a variable that the backward sweep reads.

    `is_like`: its shape and dtype only. `suffixes` end readable names: of a value, and of a like.
    """

    __slots__ = ("is_like", "of", "version")
    of: str
    version: int
    is_like: bool
    kind = ""
    suffixes = "", ""

    def __new__(cls, of: str, version: int, *, is_like: bool = False) -> Self:
        """Writes `%saved:x:2`, or its like."""
        self = super().__new__(cls, f"%{cls.kind}{'_like' * is_like}:{of}:{version}")
        self.of, self.version, self.is_like = of, version, is_like
        return self


class Saved(Recorded):
    """The second name of a value, in straight-line code, or what a callee has saved."""

    __slots__ = ()
    kind = "saved"
    suffixes = "_saved", "_like"


class Tape(Recorded):
    """The list of the values that a variable has in a loop."""

    __slots__ = ()
    kind = "tape"
    suffixes = "_saved", "_likes"


class Kept(Recorded):
    """A value in the backward sweep that was taken from a tape, or that a loop has again."""

    __slots__ = ()
    kind = "keep"
    suffixes = "", "_like"


class Undo(Recorded):
    """What a store is about to overwrite, or the list of it."""

    __slots__ = ()
    kind = "undo"
    suffixes = "_saved", "_like"


class Trips(Generated):
    """How often a loop has run, by where it stands."""

    __slots__ = ("column", "line")
    line: int
    column: int

    def __new__(cls, line: int, column: int) -> Self:
        """Writes `%trips:3:5`."""
        self = super().__new__(cls, f"%trips:{line}:{column}")
        self.line, self.column = line, column
        return self


class Single(Generated):
    """A variable of which a function has one; `name` is what it is called."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, kind: str, name: str) -> Self:
        """Writes `%out`, or its like."""
        self = super().__new__(cls, f"%{kind}")
        self.name = name
        return self


RETURNED = Single("out", "out")
"""The variable that holds the result of a function with several returns."""

SEED = Single("seed", "out_bar")
"""The parameter for the gradient that arrives at the output."""

PACKED = Single("packed", "saved")
"""The parameter for what the forward sweep saved."""

DOTS = Single("dots", "dots")
"""The parameter for the tangents of the inputs."""

SINGLE: dict[str, Single] = {each: each for each in (RETURNED, SEED, PACKED, DOTS)}
VERSIONED = {each.kind: each for each in (Reference, Index, Unused)}
DIFFERENTIAL = {each.kind: each for each in (Adjoint, Tangent)}
RECORDED = {each.kind: each for each in (Saved, Tape, Kept, Undo)}


def read(text: str) -> str:
    """The variable whose text is given: one of ours, or a user's.

    Raises `ValueError` where no variable is written so.
    """
    if not text.startswith("%"):
        return text
    if text in SINGLE:
        return SINGLE[text]
    try:
        return _generated(*text[1:].partition(":")[::2])
    except ValueError:
        raise ValueError(f"no variable is written `{text}`") from None


def _generated(kind: str, rest: str) -> Generated:
    before, _, after = rest.partition(":")
    match kind:
        case "t":
            return Step(int(before), after)
        case "v":
            return Merged(int(rest))
        case "u":
            return Own(int(before), after)
        case "trips":
            return Trips(int(before), int(after))
    if kind in VERSIONED:
        return VERSIONED[kind](int(rest))
    if kind in DIFFERENTIAL:
        return DIFFERENTIAL[kind](read(rest))
    of, _, version = rest.rpartition(":")
    if (recorded := RECORDED.get(kind.removesuffix("_like"))) is None:
        raise ValueError
    return recorded(read(of), int(version), is_like=kind.endswith("_like"))


def readable(name: str) -> str:
    """What a person would call a variable: a user's has its name."""
    match name:
        case Own() | Single():
            return name.name
        case Step():
            return name.purpose or "t"
        case Merged():
            return "value"
        case Adjoint():
            return f"{_stem(name.of)}_bar"
        case Tangent():
            return f"{_stem(name.of)}_dot"
        case Kept(is_like=False):
            return readable(name.of)
        case Recorded():
            return f"{_stem(name.of)}{name.suffixes[name.is_like]}"
        case Trips():
            return "trips"
        case Index():
            return "i"
        case Unused():
            return "_"
    return name


def _stem(name: str) -> str:
    return readable(name).removesuffix("_saved")


def primal(name: str) -> str:
    """The variable that an adjoint or a tangent belongs to; any other variable itself."""
    return name.of if isinstance(name, Differential) else name
