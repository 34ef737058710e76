"""What a call goes to: the types of the functions that we make, and the families of the others.

A function of a module, `numpy.tanh`, is its dotted name. What we make of a function is a type with
fields, a term of a small algebra: `Nested("mine.f")`, `CopyOut(Gives.CALLED, ("u",), "mine.step")`.
It is a `str` as well, so that tables can be keyed by it like by any other name. That text is only
the notation of the dump: nobody but `read` takes it apart. It has a colon behind its first word, or
a plus sign in it, as no dotted name has, so that a user's module may be called `pair`.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import ClassVar, TypeVar

from adlsp.transform.frozen import dataclass

Typed = TypeVar("Typed", bound="Of")


class Made(str):
    """The name of a function that is not just that of a definition."""

    __slots__ = ()


class Of(Made):
    """What is made of one function, and needs no more than that to be named."""

    __slots__ = ("of",)
    word: ClassVar[str]
    of: str

    def __new__(cls: type[Typed], of: str) -> Typed:
        """The name that is made of another one."""
        made = super().__new__(cls, f"{cls.word}:{of}")
        made.of = of
        return made

    def __reduce__(self) -> tuple[type[Of], tuple[str]]:
        return type(self), (self.of,)


class Nested(Of):
    """A function that the first argument of a call holds: one in a function, or a method.

    What it has captured are keywords of the call, each `Captured`.
    """

    __slots__ = ()
    word = "nested"


class Bare(Of):
    """A function without the decorators that take its derivative, `@adlsp.grad`."""

    __slots__ = ()
    word = "bare"


class Wrapped(Of):
    """What a decorator has put around a function, which has its name; twice: the one below it."""

    __slots__ = ()
    word = "wrapped"


def n_around(function: str) -> int:
    """Tells how many decorators are around what a name stands for, itself included; none: zero."""
    if isinstance(function, Nested):
        return n_around(function.of)
    return 1 + n_around(function.of) if isinstance(function, Wrapped) else 0


class Getter(Of):
    """The function by which a property is read."""

    __slots__ = ()
    word = "getter"


class Maker(Of):
    """The function of a `@classmethod`, which is given the class."""

    __slots__ = ()
    word = "maker"


class Initializer(Of):
    """The statements of a module by which a variable gets what it holds, as a function gives it."""

    __slots__ = ()
    word = "initializer"


class Above(Made):
    """A method of a class as it runs for the objects of one below, `owner`: what `super()` has."""

    __slots__ = ("of", "owner")
    of: str
    owner: str

    def __new__(cls, of: str, owner: str) -> Above:
        """The method for the objects of a class."""
        made = super().__new__(cls, f"above:{owner}={of}")
        made.of, made.owner = of, owner
        return made

    def __reduce__(self) -> tuple[type[Above], tuple[str, str]]:
        return Above, (self.of, self.owner)


class Captured(str):
    """The keyword by which a call gives what its function has captured, and reads itself.

    It is no argument in the user's text, and is not printed; `of` is the captured variable.
    """

    __slots__ = ("of",)
    of: str

    def __new__(cls, of: str) -> Captured:
        """The keyword for a captured variable."""
        made = super().__new__(cls, f"%{of}")
        made.of = of
        return made

    def __reduce__(self) -> tuple[type[Captured], tuple[str]]:
        return Captured, (self.of,)


class Side(Enum):
    """Which function of a pair: a sweep of the reverse mode, or the one with tangents."""

    FORWARD = "forward"
    BACKWARD = "backward"
    JVP = "jvp"


class Pair(Made):
    """A function of a derivative for a callee, `f_forward`; `of` is how the callee is called here.

    Of the functions with tangents several may be for one callee: those have numbers.
    """

    __slots__ = ("number", "of", "side")
    of: str
    side: Side
    number: int

    def __new__(cls, of: str, side: Side, number: int = 1) -> Pair:
        """The function on one side of a pair."""
        made = super().__new__(cls, f"pair:{_name(of, side, number)}")
        made.of, made.side, made.number = of, side, number
        return made

    def __reduce__(self) -> tuple[type[Pair], tuple[str, Side, int]]:
        return Pair, (self.of, self.side, self.number)

    def of_another(self, of: str) -> Pair:
        """The function on the same side for another callee."""
        return Pair(of, self.side, self.number)

    @property
    def name(self) -> str:
        """What the function is called where it is printed."""
        return _name(self.of, self.side, self.number)


def _name(of: str, side: Side, number: int) -> str:
    return f"{of}_{side.value}" if number == 1 else f"{of}_{side.value}_{number}"


class Derived(Made):
    """A function of an earlier derivative; `of` is its name, or what it was for a callee."""

    __slots__ = ("of",)
    of: str | Pair

    def __new__(cls, of: str | Pair) -> Derived:
        """The function of a derivative as one that is differentiated again."""
        made = super().__new__(cls, f"derived:{of.name if isinstance(of, Pair) else of}")
        made.of = of
        return made

    def __reduce__(self) -> tuple[type[Derived], tuple[str | Pair]]:
        return Derived, (self.of,)


class Derivative(Made):
    """A derivative that the user's text asks for and calls: `adlsp.grad(f)` in what is derived.

    `of` is the function, `kind` which derivative of it, and `wrt` are parameters of it; their
    gradients come back as a tuple if it `is_tuple`.
    """

    __slots__ = ("is_tuple", "kind", "of", "wrt")
    of: str
    kind: str
    wrt: tuple[str, ...]
    is_tuple: bool

    def __new__(cls, of: str, kind: str, wrt: tuple[str, ...], is_tuple: bool) -> Derivative:
        """The derivative of a function."""
        inner = f"{','.join(wrt)}{',' if is_tuple and len(wrt) == 1 else ''}"
        made = super().__new__(cls, f"{kind}[{inner}]:{of}")
        made.of, made.kind, made.wrt, made.is_tuple = of, kind, wrt, is_tuple
        return made

    def __reduce__(self) -> tuple[type[Derivative], tuple[str, str, tuple[str, ...], bool]]:
        return Derivative, (self.of, self.kind, self.wrt, self.is_tuple)

    @property
    def seeded(self) -> Derivative:
        """The same gradient for another seed than one."""
        kind = "vjp" if self.kind == "grad" else self.kind
        return Derivative(self.of, kind, self.wrt, self.is_tuple)

    def of_another(self, function: str) -> Derivative:
        """The same derivative of another function, such as an instance of its own."""
        return Derivative(function, self.kind, self.wrt, self.is_tuple)


class Gives(Enum):
    """What a function with copies of its arguments gives; the runtime has functions so called."""

    CHANGED = "changed"
    """What it has changed, and nothing else."""

    CALLED = "called"
    """Its result, then what it has changed."""

    UNSEEN = "unseen"
    """Its result: nobody looks at what it has changed any more."""


class CopyOut(Made):
    """A user's function that works on copies of the arguments that it changes, and gives them back.

    Of compilers for Fortran the passing of arguments is known as copy-in, copy-out. `changed` are
    the parameters.
    """

    __slots__ = ("changed", "gives", "of")
    gives: Gives
    changed: tuple[str, ...]
    of: str

    def __new__(cls, gives: Gives, changed: tuple[str, ...], of: str) -> CopyOut:
        """The function that gives back some of the parameters of another one."""
        made = super().__new__(cls, f"{'+'.join((gives.value, *changed))}:{of}")
        made.gives, made.changed, made.of = gives, changed, of
        return made

    def __reduce__(self) -> tuple[type[CopyOut], tuple[Gives, tuple[str, ...], str]]:
        return CopyOut, (self.gives, self.changed, self.of)


@dataclass(frozen=True, slots=True)
class Given:
    """A function that a parameter gets, by its name in calls, and what it has captured.

    Parameters of the instance hold that: `captured` pairs those of the function with them.
    """

    parameter: str
    function: str
    captured: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """How it is written in the name of an instance."""
        function, mark = self.function, ""
        if isinstance(function, Nested):
            function, mark = function.of, "~"
        held = ",".join("=".join(pair) for pair in self.captured)
        return f"{self.parameter}={mark}{function}({held})"


@dataclass(frozen=True, slots=True)
class Structure:
    """What objects a parameter gets, by the text form of the value (`values/signature.py`)."""

    parameter: str
    value: str

    @property
    def text(self) -> str:
        """How it is written in the name of an instance."""
        return f"{self.parameter}:{self.value}".replace("+", PLUS)


PLUS = "\\u002b"
"""A plus sign in a text that stands in the name of an instance."""


class Instance(Made):
    """A user's function that is given functions or objects: the copy of it that knows these.

    A call of an instance has all arguments of a call of the function itself.
    """

    __slots__ = ("given", "of")
    given: tuple[Given | Structure, ...]
    of: str

    def __new__(cls, given: tuple[Given | Structure, ...], of: str) -> Instance:
        """The function in which some parameters are known functions, or objects."""
        made = super().__new__(cls, "+".join((f"instance:{of}", *(each.text for each in given))))
        made.given, made.of = given, of
        return made

    def __reduce__(self) -> tuple[type[Instance], tuple[tuple[Given | Structure, ...], str]]:
        return Instance, (self.given, self.of)

    @property
    def functions(self) -> tuple[Given, ...]:
        """The functions that it knows."""
        return tuple(each for each in self.given if isinstance(each, Given))

    @property
    def structures(self) -> tuple[Structure, ...]:
        """The objects that it knows."""
        return tuple(each for each in self.given if isinstance(each, Structure))


def is_nested(function: str) -> bool:
    """Tells whether the first argument of a call holds what is called, also for an instance."""
    return isinstance(function.of if isinstance(function, Instance) else function, Nested)


OF_SWEEPS = Pair, Derived
"""The types of functions of derivatives."""

OF_DERIVATIVES = Derived, Derivative
"""The types of functions of derivatives that are differentiated again, in programs."""

WRITTEN = *OF_SWEEPS, Derivative, CopyOut
"""The types of functions with bodies that we have written."""


class Family(Enum):
    """The kinds of what is spelled as a dotted name, by its first word, and the functions."""

    METHOD = "ndarray"
    ATTRIBUTE = "attribute"
    OPERATOR = "operator"
    SYNTAX = "python"
    FUNCTION = "of a module"
    UNRESOLVED = "?"
    MADE = "made of others"


SPELLED = {
    each.value: each for each in (Family.METHOD, Family.ATTRIBUTE, Family.OPERATOR, Family.SYNTAX)
}


def is_taken(dotted: str) -> bool:
    """Tells whether a name in a text would be read as one that we made: of a module `ndarray`, say.

    Python's own `operator` means what we mean by it.
    """
    ours = (Family.METHOD, Family.ATTRIBUTE, Family.SYNTAX)
    return family(dotted) in ours


@cache
def family(function: str) -> Family:
    """What kind of function a name is for."""
    if isinstance(function, Made):
        return Family.MADE
    if function.startswith("?"):
        return Family.UNRESOLVED
    home, dot, _ = function.partition(".")
    return SPELLED.get(home, Family.FUNCTION) if dot else Family.FUNCTION


def is_method(function: str) -> bool:
    """Tells whether a call is one of a method of its first argument."""
    return family(function) is Family.METHOD


CALL = "python.call"
"""The call of a function that a variable holds, which is its first argument."""


def has_receiver(function: str) -> bool:
    """Tells whether a call goes to its first argument: to a method of it, or to itself."""
    return function == CALL or is_method(function)


OF_OBJECT = f"{Family.ATTRIBUTE.value}.object."
"""The attributes of objects of classes: no rule is about them, as about those of arrays."""


def is_attribute(function: str) -> bool:
    """Tells whether a call reads an attribute of its argument."""
    return family(function) is Family.ATTRIBUTE


def is_member(function: str) -> bool:
    """Tells whether a call takes a method or an attribute of its first argument."""
    return family(function) in (Family.METHOD, Family.ATTRIBUTE)


OF_ARRAYS = (
    *("T", "base", "data", "device", "dtype", "flags", "flat", "imag", "itemsize"),
    *("mT", "nbytes", "ndim", "real", "shape", "size", "strides"),
)
"""The attributes of arrays and tensors: `x.mean` is none of them, but what an object may hold."""


def as_method(function: str) -> str:
    """The name that rules have for an attribute of arrays; other functions as they are."""
    is_of_arrays = is_attribute(function) and member(function) in OF_ARRAYS
    is_of_arrays = is_of_arrays and not function.startswith(OF_OBJECT)
    return f"{Family.METHOD.value}.{member(function)}" if is_of_arrays else function


def is_operator(function: str) -> bool:
    """Tells whether a call is one of Python's operators."""
    return family(function) is Family.OPERATOR


def is_syntax(function: str) -> bool:
    """Tells whether a call is a display, or a step with syntax of its own."""
    return family(function) is Family.SYNTAX


def is_unresolved(function: str) -> bool:
    """Tells whether resolving did not find what a name means; it is the text behind the mark."""
    return family(function) is Family.UNRESOLVED


def is_named(function: str) -> bool:
    """Tells whether a call can name a function, which has captured nothing."""
    return is_plain(function) or isinstance(function, Derivative)


def is_plain(function: str) -> bool:
    """Tells whether a call names a function of a module, not one inside another function."""
    is_within = ".<locals>." in function
    return family(function) in (Family.FUNCTION, Family.UNRESOLVED) and not is_within


def is_inside(function: str) -> bool:
    """Tells whether a function stands inside another one, by which no call can name it."""
    return ".<locals>." in function and type(function) is str


@cache
@cache
def is_of(function: str, *homes: str) -> bool:
    """Tells whether a name is of some module, or of a module in it, or of a family."""
    return function.startswith(tuple(f"{home}." for home in homes))


def member(function: str) -> str:
    """The name of a function, method or attribute without that of its home."""
    plain = function.partition(":")[2] if isinstance(function, Made) else function
    return plain.rpartition(".")[2]


def defined(function: str) -> str:
    """The user's definition that a name stands for which says how to look at it."""
    while isinstance(function, Of | Above | Instance | Derivative):
        function = function.of
    return function


def primal(function: str) -> str:
    """The function of which a name is for a derivative; other names as they are."""
    while isinstance(function, Derivative):
        function = function.of
    return function


def spelled(function: str) -> tuple[str, ...]:
    """What is called in the user's program: a dotted name, and the attribute that has its code."""
    match function:
        case CopyOut() | Instance() | Above():
            return spelled(function.of)
        case Getter():
            return (*spelled(function.of), "fget")
        case Maker():
            return (*spelled(function.of), "__func__")
    return (function,)


def original(function: str) -> str:
    """The function that a call goes to in the user's text, whatever it gives back for us."""
    while isinstance(function, CopyOut | Instance):
        function = function.of
    return function


NAMED = {each.word: each for each in (Nested, Bare, Wrapped, Getter, Maker, Initializer)}
COPYING = re.compile(rf"({'|'.join(each.value for each in Gives)})\+([^:]+):(.+)")
DERIVATIVE = re.compile(r"(\w+)\[([^\]]+)\]")
KNOWN = re.compile(r"(\w+):(.+)")
GIVEN = re.compile(r"(\w+)=(~?)([^(]+)\(([^)]*)\)")
PAIRED = re.compile(r"(.+)_(?:(forward|backward)|(jvp)(?:_([2-9]|[1-9]\d+))?)")


def read(text: str) -> str:
    """The function that a text of a dump names: the inverse of all these notations."""
    word, colon, of = text.partition(":")
    if colon and word in NAMED:
        return NAMED[word](read(of))
    if colon and word == "above":
        owner, _, method = of.partition("=")
        return Above(method, owner)
    if colon and word == "instance":
        function, *given = of.split("+")
        return Instance(tuple(map(_given, given)), read(function))
    if colon and word in ("pair", "derived"):
        pair = _paired(of)
        if word == "pair":
            return text if pair is None else pair
        return Derived(pair or of)
    if colon and (derivative := DERIVATIVE.fullmatch(word)):
        names = tuple(filter(None, derivative[2].split(",")))
        return Derivative(read(of), derivative[1], names, "," in derivative[2])
    if copying := COPYING.fullmatch(text):
        return CopyOut(Gives(copying[1]), tuple(copying[2].split("+")), read(copying[3]))
    return text


def _given(text: str) -> Given | Structure:
    if known := KNOWN.fullmatch(text):
        return Structure(known[1], known[2].replace(PLUS, "+"))
    parts = GIVEN.fullmatch(text)
    assert parts is not None
    function = Nested(read(parts[3])) if parts[2] else parts[3]
    pairs = (pair.split("=") for pair in parts[4].split(",") if pair)
    return Given(parts[1], function, tuple((ours, theirs) for ours, theirs in pairs))


def _paired(name: str) -> Pair | None:
    """The function of a pair that is called so; the first derivative of a root is no such one."""
    if (found := PAIRED.fullmatch(name)) is None:
        return None
    return Pair(found[1], Side(found[2] or found[3]), int(found[4] or 1))


def read_keyword(text: str) -> str:
    """The keyword that a text of a dump names."""
    return Captured(text[1:]) if text.startswith("%") else text
