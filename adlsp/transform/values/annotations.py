"""What annotations say of parameters, read from their texts.

An annotation is a promise of who wrote it, and believed: `np.ndarray` is no subclass of that, and
`model: Linear` no object of a class below. By PEP 484 `float` admits an `int`; it is a float here.
What does not tell, `ArrayLike` or `float | None`, is unknown.

The sizes of jaxtyping (`Float[np.ndarray, "n d"]`) have the names that they have there, and may be
one: an axis of that name is just as long, not longer.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from types import EllipsisType, MappingProxyType

from adlsp.transform import depth
from adlsp.transform.facts import noalias
from adlsp.transform.frozen import dataclass
from adlsp.transform.values import dtypes, lattice
from adlsp.transform.values.lattice import (
    ANY_INTEGER,
    NONE,
    UNKNOWN,
    Array,
    Dimension,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Range,
    Sequence,
    Size,
    Slice,
    Unknown,
    Value,
)


@dataclass(frozen=True, slots=True)
class Fields:
    """The annotated fields of a user's class, with those that it inherits; `of` is its dotted name.

    `is_dictionary`: of a `TypedDict`, all of whose keys have to be there.
    """

    of: str
    fields: tuple[tuple[str, str], ...]
    is_dictionary: bool = False


def may_hold(annotation: str, value: Value) -> bool:
    """Tells whether an annotation of numbers or arrays may be true of what is given."""
    if isinstance(value, Array | Numeric):
        return annotation not in noalias.NUMBERS
    return not isinstance(value, Sequence | Mapped | Object)


def of(
    annotation: str,
    fields: Callable[[str], Fields | None] = lambda _: None,
    meaning: Callable[[str], str | None] = lambda _: None,
) -> Value:
    """The value that an annotation promises.

    `fields` tells of a name whether it is a class of the user's; `meaning`, for which expression it
    stands otherwise: `numpy.ndarray` for a name that is imported, `NDArray[np.float64]` for an
    alias. Names that it does not know are those of the customary imports.
    """
    return _Reader(fields, meaning).text(annotation)


def declared(
    text: str, of: str, fields: Callable[[str], Fields | None] = lambda _: None
) -> Fields | None:
    """The annotated fields of a class, by its text; `fields` tells of the classes it inherits from.

    None where these are not known, or where a dictionary need not have all keys.
    """
    try:
        (tree,) = depth.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(tree, ast.ClassDef) or tree.keywords:
        return None
    held: dict[str, str] = {}
    is_dictionary = False
    for base in map(ast.unparse, tree.bases):
        inherited = fields(base)
        last = base.partition("[")[0].rpartition(".")[2]
        if inherited is None and last not in PLAIN_BASES:
            return None
        is_dictionary |= last == "TypedDict" if inherited is None else inherited.is_dictionary
        held.update(() if inherited is None else inherited.fields)
    for statement in tree.body:
        match statement:
            case ast.AnnAssign(ast.Name(name), annotation):
                held[name] = ast.unparse(annotation)
    if is_dictionary and any(OPTIONAL.search(annotation) for annotation in held.values()):
        return None
    own = ((name, said) for name, said in held.items() if not NO_FIELD.match(said))
    return Fields(of, tuple(own), is_dictionary)


PLAIN_BASES = ("object", "NamedTuple", "namedtuple", "TypedDict", "Generic", "Protocol", "ABC")
"""Classes that have no fields."""

OPTIONAL = re.compile(r"\bNotRequired\b")
"""How it is said that a dictionary need not have a key."""

NO_FIELD = re.compile(r"['\"]?(?:\w+\.)*(?:ClassVar|InitVar|KW_ONLY)\b")
"""How annotations begin that make no field of the objects."""

JAXTYPING = MappingProxyType[str, str | None](
    {
        "Bool": "bool",
        **{f"Int{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
        **{f"UInt{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
        **{f"Float{bits}": f"float{bits}" for bits in (16, 32, 64)},
        **{f"Complex{bits}": f"complex{bits}" for bits in (64, 128)},
        **dict.fromkeys(
            [
                "Float",
                "Int",
                "UInt",
                "Integer",
                "Complex",
                "Inexact",
                "Real",
                "Num",
                "Shaped",
                "BFloat16",
            ]
        ),
    }
)
"""The dtypes of jaxtyping's names; None for those of several dtypes."""

MODULES = MappingProxyType(
    {
        "np": "numpy",
        "npt": "numpy.typing",
        "tf": "tensorflow",
        "t": "typing",
        "typing_extensions": "typing",
        "jt": "jaxtyping",
    }
)
"""What modules are imported as."""

MEMBERS = MappingProxyType(
    {
        "ndarray": "numpy",
        "NDArray": "numpy.typing",
        **dict.fromkeys(["Optional", "Union", "List", "Tuple", "Dict"], "typing"),
        **dict.fromkeys(["Literal", "Annotated", "Final", "ClassVar"], "typing"),
        **dict.fromkeys(("Array", *JAXTYPING), "jaxtyping"),
    }
)
"""What is imported from modules."""

PLAIN = MappingProxyType[str, Value](
    {
        **{kind: Number(kind) for kind in lattice.KINDS},
        "str": Literal("str"),
        "bytes": Literal("bytes"),
        **dict.fromkeys(("list", "typing.List"), Sequence(is_list=True, each=UNKNOWN)),
        **dict.fromkeys(("tuple", "typing.Tuple"), Sequence(is_list=False, each=UNKNOWN)),
        **dict.fromkeys(("dict", "typing.Dict"), Mapped(each=UNKNOWN)),
        "range": Range(start=ANY_INTEGER),
        "slice": Slice(UNKNOWN, UNKNOWN, UNKNOWN),
        **dict.fromkeys(("numpy.ndarray", "numpy.typing.NDArray", "jaxtyping.Array"), Array()),
        **dict.fromkeys(("tensorflow.Tensor", "tensorflow.Variable"), Array(library="tensorflow")),
        **dict.fromkeys(("numpy.floating", "numpy.integer", "numpy.number"), Numeric()),
    }
)
"""What names say that stand alone. jaxtyping's `Array` is one of NumPy where we differentiate."""

DEEPEST = 12
"""How deep annotations, aliases and fields are followed."""


class _Reader:
    """Reads annotations that stand in one module."""

    def __init__(
        self, fields: Callable[[str], Fields | None], meaning: Callable[[str], str | None]
    ) -> None:
        self.fields, self.meaning = fields, meaning
        self._depth = 0
        self._inside: list[str] = []

    def text(self, annotation: str) -> Value:
        """The value of an annotation, which may stand in another one."""
        if self._depth == DEEPEST:
            return Unknown(annotation)
        self._depth += 1
        try:
            return self.value(depth.parse_expression(annotation.strip()))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return Unknown(annotation)
        finally:
            self._depth -= 1

    def value(self, tree: ast.expr) -> Value:
        """The value of an expression of types."""
        found: Value = UNKNOWN
        match tree:
            case ast.Constant(str() as quoted):
                return self.text(quoted)
            case ast.Constant(None):
                return NONE
            case ast.BinOp(left, ast.BitOr(), right):
                found = lattice.join(self.value(left), self.value(right))
            case ast.Name() | ast.Attribute():
                found = self.named(ast.unparse(tree))
            case ast.Subscript(base, inner):
                every = tuple(inner.elts) if isinstance(inner, ast.Tuple) else (inner,)
                found = self.generic(self.dotted(ast.unparse(base)), every)
        return Unknown(ast.unparse(tree)) if found == UNKNOWN else found

    def named(self, name: str) -> Value:
        """The value of a name."""
        known = self.fields(name)
        if known is not None:
            return self.structure(known)
        told = self.meaning(name)
        if told not in (None, name):
            return self.text(told or "")
        dotted = _customary(name)
        module, _, last = dotted.rpartition(".")
        dtype = _dtype(last) if module == "numpy" else None
        if dtype is None:
            return PLAIN.get(dotted, UNKNOWN)
        return Number(dtypes.kind(dtype), dtype)

    def dotted(self, name: str) -> str:
        """The dotted name of a type, by way of aliases."""
        for _ in range(DEEPEST):
            told = self.meaning(name)
            if told is None or told == name:
                break
            name = told
        return _customary(name)

    def structure(self, known: Fields) -> Value:
        """The value of an object of a user's class, by its fields.

        The names of sizes are those of one object: another one may have others. What a class holds
        of its own is unknown.
        """
        if known.of in self._inside:
            return UNKNOWN
        self._inside.append(known.of)
        held = tuple(
            (name, lattice.resized(self.text(annotation), _number))
            for name, annotation in known.fields
        )
        self._inside.pop()
        return Mapped(held) if known.is_dictionary else Object(known.of, held)

    def generic(self, dotted: str, inner: tuple[ast.expr, ...]) -> Value:
        """The value of a type with types in brackets."""
        module, _, last = dotted.rpartition(".")
        if module == "jaxtyping" and last in JAXTYPING and len(inner) == 2:
            return self.jaxtyping(JAXTYPING[last], *inner)
        match dotted, inner:
            case "typing.Optional", (one,):
                return lattice.join(self.value(one), NONE)
            case "typing.Union", _:
                return lattice.joined(map(self.value, inner))
            case "typing.Literal", _:
                return lattice.joined(map(_literal, inner))
            case (("typing.Annotated" | "typing.Final" | "typing.ClassVar"), (one, *_)):
                return self.value(one)
            case (("list" | "typing.List"), (one,)):
                return Sequence(True, None, self.value(one))
            case (("dict" | "typing.Dict"), (_, one)):
                return Mapped(None, self.value(one))
            case (("tuple" | "typing.Tuple"), (one, ast.Constant(value=EllipsisType()))):
                return Sequence(False, None, self.value(one))
            case (("tuple" | "typing.Tuple"), _) if not any(
                isinstance(each, ast.Starred) for each in inner
            ):
                return Sequence(False, tuple(map(self.value, inner)))
            case "numpy.typing.NDArray", (dtype,):
                return Array(self.dtype(dtype))
            case "numpy.ndarray", (shape, dtype):
                return Array(self.dtype(dtype), self.shape(shape))
        return UNKNOWN

    def dtype(self, tree: ast.expr) -> str | None:
        """The dtype that `np.float64` or `np.dtype[np.float64]` names."""
        match tree:
            case ast.Subscript(base, inner) if self.dotted(ast.unparse(base)) == "numpy.dtype":
                tree = inner
        module, _, last = self.dotted(ast.unparse(tree)).rpartition(".")
        return _dtype(last) if module == "numpy" else None

    def shape(self, tree: ast.expr) -> tuple[Dimension, ...] | None:
        """The shape that `tuple[int, int]` says, which is a rank."""
        found = self.value(tree)
        if isinstance(found, Sequence) and found.items is not None:
            return tuple(None for _ in found.items)
        return None

    def jaxtyping(self, dtype: str | None, array: ast.expr, axes: ast.expr) -> Value:
        """The value of `Float[Array, "n d"]`."""
        base = self.value(array)
        match base, axes:
            case Array(), ast.Constant(str() as said):
                every = said.split()
                is_open = any(axis == "..." or _OPEN.match(axis) for axis in every)
                shape = None if is_open else tuple(map(_axis, every))
                return replace(base, dtype=dtype or base.dtype, shape=shape)
        return UNKNOWN


def _customary(name: str) -> str:
    """The dotted name of what is imported as it mostly is."""
    head, dot, rest = name.partition(".")
    if dot:
        return f"{MODULES.get(head, head)}.{rest}"
    return f"{MEMBERS[name]}.{name}" if name in MEMBERS else name


def _dtype(name: str) -> str | None:
    """The dtype of one of NumPy's types, of which those of Python once were some."""
    return None if name in ("int", "float", "complex") else dtypes.named(name)


def _number(size: Dimension, _: object) -> Dimension:
    return size if isinstance(size, int) else None


def _literal(tree: ast.expr) -> Value:
    """The value of what stands in `Literal[...]`."""
    match tree:
        case ast.Constant(bool() | int() | str() | bytes() | None as given):
            return lattice.of_constant(given)
        case ast.UnaryOp(ast.USub(), ast.Constant(int() as given)):
            return lattice.of_constant(-given)
    return UNKNOWN


_OPEN = re.compile(r"[#?_]*\*")
"""How an axis begins that stands for any number of axes."""

_AXIS = re.compile(r"(?:\w+=)?(?:(\d+)|([^\W\d_]\w*)(?:([+-]\d+))?)")


def _axis(text: str) -> Dimension:
    """The size of an axis of jaxtyping; that of `#n` may also be one, of `_` anything."""
    found = _AXIS.fullmatch(text)
    if found is None:
        return None
    number, name, plus = found.groups()
    return int(number) if number else Size(name) + int(plus or 0)
