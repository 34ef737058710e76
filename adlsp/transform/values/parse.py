"""Reads the text form of values and signatures (`signature.py`) by recursive descent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from adlsp.transform.ir import targets
from adlsp.transform.values import dtypes, lattice, places
from adlsp.transform.values import signature as notation
from adlsp.transform.values.lattice import (
    NONE,
    UNKNOWN,
    UNREACHED,
    Array,
    Choice,
    Dimension,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Run,
    Sequence,
    Size,
    Slice,
    Value,
)

DEEPEST = 50
"""How deep a text may be nested."""


def value(text: str) -> Value:
    """The value that a text says; raises ValueError, with the place, for what is none."""
    found = _read(text)
    if next(_references(found), None) is not None:
        raise ValueError(f"`{text}` is a part of another value, which is not there")
    return found


def _read(text: str) -> Value:
    reader = _Reader(text)
    found = reader.value()
    reader.expect("", "the end")
    return found


def values(texts: Mapping[str, str]) -> dict[str, Value]:
    """The values that texts say of some parameters, which may be parts of one another."""
    return _together({name: _read(text) for name, text in texts.items()})


def signature(text: str) -> dict[str, Value]:
    """The signature that a text says; raises ValueError, with the place, for what is none.

    The sizes in it are symbols that have the names that they have there. Names with dots are those
    of variables of modules.
    """
    reader = _Reader(text)
    found: dict[str, Value] = {}
    while reader.next:
        is_quoted = reader.is_at("text") and "." in reader.next
        name = reader.take("text" if is_quoted else "name", "the name of a parameter")
        name = json.loads(name) if is_quoted else name
        if name in found:
            raise reader.error("the name of another parameter", reader.at - 1)
        reader.expect(":", "`:`")
        found[name] = reader.value()
        if not reader.follows(","):
            reader.expect("", "`,` or the end")
    return _together(found)


REFERENCE = "@"
"""The class of what stands for an object that stands at another place, its only attribute."""


def _references(value: Value) -> Iterator[str]:
    """The places to which a value refers."""
    match value:
        case Object(of="@", attributes=((place, _),)):
            yield place
        case _:
            for part in lattice.contents(value):
                yield from _references(part)


def _together(given: dict[str, Value]) -> dict[str, Value]:
    """The values with the objects to which they refer; raises ValueError where these are none."""
    if not any(next(_references(value), None) is not None for value in given.values()):
        return given
    met: dict[str, Value] = {}

    def again(value: Value, place: str) -> Value:
        match value:
            case Object(of="@", attributes=((other, _),), may_be_none=may_be_none):
                if place.startswith((f"{other}.", f"{other}[")):  # within itself
                    return UNKNOWN
                found = met.get(other)
                if not isinstance(found, places.CONTAINERS):
                    raise ValueError(f"there is no object at `{other}` before `{place}`")
                found = found if found.sites else places.standing(found, other)
                if isinstance(found, Object):
                    found = replace(found, may_be_none=may_be_none)
                met[place] = found
                return found
        made = lattice.holding(
            value, [again(part, f"{place}{step}") for step, part in lattice.parts(value)]
        )
        met[place] = made
        return made

    return {name: again(value, name) for name, value in given.items()}


_SIMPLE: dict[str, Value] = {
    "None": NONE,
    "True": Number("bool", constant=True),
    "False": Number("bool", constant=False),
    "never": UNREACHED,
    "numeric": Numeric(),
    "str": Literal("str"),
    "bytes": Literal("bytes"),
}

_TOKEN = re.compile(
    rf"""
    \s*(?:
        (?P<text>b?"(?:[^"\\]|\\.)*")
      | (?P<quoted>b?'(?:[^'\\]|\\.)*')
      | (?P<number>\d+(?:\.\d+)?(?:e[-+]?\d+)?)
      | (?P<unknown>\w+\.\?)
      | (?P<name>{notation.NAME.pattern})
      | (?P<sign>\.\.\.|!=|[][(){{}},:=?+@|.*-])
      | (?P<end>$)
      | (?P<wrong>.)
    )
    """,
    re.VERBOSE | re.DOTALL,
)


class _Reader:
    """Reads a text by recursive descent; `at` counts its tokens."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self._depth = text, 0, 0
        self._tokens = [*_TOKEN.finditer(text)]

    @property
    def next(self) -> str:
        """The next token; an empty one at the end."""
        token = self._tokens[self.at]
        return token[token.lastgroup or 0]

    def error(self, wanted: str, at: int | None = None) -> ValueError:
        """What is wrong with a token, the next one if no other is meant."""
        token = self._tokens[self.at if at is None else at]
        found = token[token.lastgroup or 0]
        column = token.start(token.lastgroup or 0) + 1
        return ValueError(
            f"expected {wanted} at column {column} of `{self.text}`, "
            f"found {f'`{found}`' if found else 'the end'}"
        )

    def is_at(self, kind: str) -> bool:
        """Tells whether the next token is of a kind."""
        return self._tokens[self.at].lastgroup == kind

    def follows(self, sign: str) -> bool:
        """Takes a sign where it is the next token."""
        is_next = self.next == sign
        self.at += is_next
        return is_next

    def expect(self, sign: str, wanted: str) -> None:
        """Takes a sign, which has to be the next token."""
        if self.next != sign:
            raise self.error(wanted)
        self.at += bool(sign)

    def take(self, kind: str, wanted: str) -> str:
        """Takes a token, which has to be of a kind."""
        if not self.is_at(kind):
            raise self.error(wanted)
        found = self.next
        self.at += 1
        return found

    def value(self) -> Value:
        """Reads a value."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.error("less nesting")
        found = self._value()
        self._depth -= 1
        if isinstance(found, Object) and self.follows("|"):
            if self.take("name", "`None`") != "None":
                raise self.error("`None`", self.at - 1)
            return replace(found, may_be_none=True)
        return found

    def _value(self) -> Value:
        if self.is_at("text") or self.is_at("number") or self.next == "-":
            return lattice.of_constant(self.constant())
        if self.is_at("unknown"):
            return self.array(self.take("unknown", ""))
        if self.is_at("name"):
            return self.named(self.take("name", ""))
        if self.follows("?"):
            return self.array("?") if self.next == "[" else UNKNOWN
        if self.follows("..."):
            return lattice.of_constant(...)
        if self.follows("("):
            items, has_comma = self.values(")")
            if len(items) == 1 and not has_comma:
                raise self.error("`,`", self.at - 1)
            return Sequence(False, items)
        if self.follows("["):
            return Sequence(True, self.values("]")[0])
        if self.follows("@"):
            return Object(REFERENCE, ((self.place(), NONE),))
        if self.follows("{"):
            return self.dictionary()
        raise self.error("a value")

    def place(self) -> str:
        """Reads the place of an object: `net.layers[0]`."""
        found = self.take("name", "a place")
        while self.next == "[" or (self.next == "." and found):
            self.expect("[", "`[`")
            found += "[*]" if self.follows("*") else f"[{self.place_key()!r}]"
            self.expect("]", "`]`")
            if self.follows("."):
                found += f".{self.take('name', 'an attribute')}"
        return found

    def place_key(self) -> object:
        """Reads a key as Python writes it."""
        if not (self.is_at("text") or self.is_at("quoted")):
            return self.key()
        token = self.take(self._tokens[self.at].lastgroup or "", "")
        escaped = token.removeprefix("b")[1:-1].encode("latin-1", "backslashreplace")
        try:
            key = escaped.decode("unicode_escape")
        except UnicodeDecodeError:
            raise self.error("a key", self.at - 1) from None
        return key.encode("latin-1") if token.startswith("b") else key

    def values(self, closing: str) -> tuple[tuple[Value, ...], bool]:
        """Reads values until a sign, and tells whether a comma was the last before it."""
        found: list[Value] = []
        has_comma = True
        while not self.follows(closing):
            if not has_comma:
                raise self.error(f"`,` or `{closing}`")
            found.append(self.value())
            has_comma = self.follows(",")
        return tuple(found), has_comma

    def constant(self) -> object:
        """Reads a number, or a text."""
        start = self.at
        if self.is_at("text"):
            token = self.take("text", "")
            try:
                given = json.loads(token.removeprefix("b"))
                return given.encode("latin-1") if token.startswith("b") else given
            except ValueError:
                raise self.error("a text", start) from None
        sign = -1 if self.follows("-") else 1
        token = self.take("number", "a number")
        return sign * (int(token) if token.isdecimal() else float(token))

    def key(self) -> object:
        """Reads the key of a dictionary."""
        words = {"None": None, "True": True, "False": False}
        if self.next in words:
            return words[self.take("name", "")]
        if not self.follows("("):
            return self.constant()
        found = []
        while not self.follows(")"):
            found.append(self.key())
            if not self.follows(",") and self.next != ")":
                raise self.error("`,` or `)`")
        return tuple(found)

    def dictionary(self) -> Value:
        """Reads the entries of a dictionary."""
        found: dict[object, Value] = {}
        while not self.follows("}"):
            start = self.at
            key = self.key()
            if key in found:
                raise self.error("another key", start)
            self.expect(":", "`:`")
            found[key] = self.value()
            if not self.follows(",") and self.next != "}":
                raise self.error("`,` or `}`")
        return Mapped(tuple(found.items()))

    def named(self, name: str) -> Value:
        """Reads what a name begins."""
        simple = _SIMPLE.get(name)
        scalar = notation.SCALAR.fullmatch(name)
        if self.next == "[":
            is_dtype = dtypes.SPELLED.fullmatch(name) or name not in notation.WORDS
            return self.array(name) if is_dtype else self.each(name)
        if name in lattice.KINDS or scalar:
            return self.number(name, scalar[1] if scalar else None)
        if simple is not None:
            return simple
        if self.next == "(":
            return self.called(name)
        if "." not in name:
            raise self.error("a value", self.at - 1)
        return Function(name)

    def number(self, name: str, dtype: str | None) -> Value:
        """Reads a number behind its type."""
        kind = name if dtype is None else dtypes.kind(dtype)
        if dtype == lattice.OF_KIND[kind] and self.follows("?"):
            return Number(kind, lattice.EITHER)
        if not self.follows("("):
            return Number(kind, dtype)
        start = self.at
        if self.next in ("True", "False"):
            constant: object = self.take("name", "") == "True"
        else:
            constant = self.constant()
        if isinstance(constant, str):
            try:
                constant = complex(constant) if kind == "complex" else float(constant)
            except ValueError:
                raise self.error("a number", start) from None
        self.expect(")", "`)`")
        assert isinstance(constant, bool | int | float | complex)
        return Number(kind, dtype, constant)

    def array(self, name: str) -> Value:
        """Reads the sizes of an array behind its dtype."""
        library, _, dtype = name.rpartition(".")
        if (dtype != "?" and not dtypes.SPELLED.fullmatch(dtype)) or "." in library:
            raise self.error("a dtype", self.at - 1)
        self.expect("[", "`[`")
        shape: list[Dimension] | None = []
        if self.follows("..."):
            shape = None
            self.expect("]", "`]`")
        while shape is not None and not self.follows("]"):
            shape.append(self.size())
            if not self.follows(",") and self.next != "]":
                raise self.error("`,` or `]`")
        return Array(
            None if dtype == "?" else dtype,
            None if shape is None else tuple(shape),
            library=notation.LIBRARIES.get(library, library) or "numpy",
        )

    def size(self) -> Dimension:
        """Reads a size."""
        if self.follows("?"):
            return None
        if self.is_at("number"):
            return self.integer()
        start = self.at
        name = self.take("name", "a size")
        if "." in name:
            raise self.error("a size", start)
        if self.follows("?"):
            return Size(name)
        sign = 1 if self.follows("+") else -1 if self.follows("-") else 0
        if not sign:
            return Size(name, may_be_one=False)
        plus = sign * self.integer()
        is_not_one = self.follows("!=")
        if is_not_one:
            self.expect("1", "`1`")
        return Size(name, plus, not is_not_one)

    def integer(self) -> int:
        """Reads a natural number."""
        found = self.take("number", "an integer")
        if not found.isdecimal():
            raise self.error("an integer", self.at - 1)
        return int(found)

    def each(self, name: str) -> Value:
        """Reads what each element is, and how many there are."""
        if name == "numeric":
            self.expect("[", "`[`")
            dtype = self.take("name", "a dtype")
            if not dtypes.SPELLED.fullmatch(dtype):
                raise self.error("a dtype", self.at - 1)
            self.expect("]", "`]`")
            return Numeric(dtype)
        if name not in ("list", "tuple", "dict", "run"):
            raise self.error("a value", self.at - 1)
        self.expect("[", "`[`")
        each = self.value()
        size: Dimension = None
        if name == "tuple":
            self.expect(",", "`,`")
            size = None if self.follows("...") else self.size()
        elif name != "dict" and self.follows(","):
            size = self.size()
        self.expect("]", "`]`")
        if name == "dict":
            return Mapped(None, each)
        return Run(each, size) if name == "run" else Sequence(name == "list", None, each, size)

    def called(self, name: str) -> Value:
        """Reads what stands in parentheses behind a name."""
        start = self.at - 1
        self.expect("(", "`(`")
        if name == "range":
            size = self.size()
            begin = self.value() if self.follows(",") else Number("int", constant=0)
            self.expect(")", "`)`")
            return Range(size, begin)
        if name not in notation.WORDS and (self.next == "?" or self.is_at("text")):
            given = None if self.follows("?") else self.constant()
            self.expect(")", "`)`")
            return Literal(name, given)
        args, keywords = self.arguments()
        match name, args:
            case "run", items if not keywords:
                return Sequence(is_list=False, items=tuple(items), is_once=True)
            case "slice", [begin, stop, step] if not keywords:
                return Slice(begin, stop, step)
            case "function", [Literal("str", str() as dotted)] if not keywords:
                return Function(targets.read(dotted))
            case "either", [Function(), Function(), *_] if not keywords:
                return Choice(tuple(each for each in args if isinstance(each, Function)))
            case "partial" | "given", [Function(dotted, (), ()), *bound]:
                return Function(dotted, tuple(bound), keywords, is_given=name == "given")
            case "object", [Literal("str", str() as dotted)]:
                return Object(dotted, keywords)
            case _, [] if name not in notation.WORDS:
                return Object(name, keywords)
        raise self.error("a value", start)

    def arguments(self) -> tuple[list[Value], tuple[tuple[str, Value], ...]]:
        """Reads values, with names and without, until a parenthesis."""
        args: list[Value] = []
        keywords: dict[str, Value] = {}
        while not self.follows(")"):
            start = self.at
            is_named = self.is_at("name") and self._tokens[start + 1][0].strip() == "="
            if is_named:
                name = self.take("name", "")
                self.expect("=", "`=`")
                if name in keywords or "." in name:
                    raise self.error("another name", start)
                keywords[name] = self.value()
            elif keywords:
                raise self.error("a name")
            else:
                args.append(self.value())
            if not self.follows(",") and self.next != ")":
                raise self.error("`,` or `)`")
        return args, tuple(keywords.items())
