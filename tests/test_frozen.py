"""The dataclasses of the engine are as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from adlsp.transform import ir
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Span


@dataclass(frozen=True, slots=True)
class Point:
    """Has all that fields may have."""

    x: int
    y: int = 2
    names: list[str] = dataclasses.field(default_factory=list, compare=False)
    hidden: str = dataclasses.field(default="", repr=False)

    @property
    def both(self) -> tuple[int, int]:
        """Both numbers."""
        return self.x, self.y


@dataclass(frozen=True, slots=True)
class Deeper(Point):
    """Adds a field, and looks at itself when it is made."""

    z: int = 0

    def __post_init__(self) -> None:
        if self.z < 0:
            raise ValueError("z")


@dataclass(frozen=True, slots=True, eq=False)
class Single:
    """Is only equal to itself."""

    x: int


@dataclass(frozen=True)
class Open:
    """Has no slots, and a hash of its own."""

    x: int
    y: str = "a"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Open)

    def __hash__(self) -> int:
        return 7


@dataclass(frozen=True, slots=True)
class Unmade:
    """Is first made by what is not its own `__init__`."""

    x: int


def like(cls: type, **options: Any) -> Any:
    """A class with the same fields by the standard library."""
    namespace = {n: v for n, v in vars(cls).items() if n in ("__annotations__", "__doc__")}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            namespace[field.name] = dataclasses.field(default=field.default, repr=field.repr)
        elif field.default_factory is not dataclasses.MISSING:
            namespace[field.name] = dataclasses.field(
                default_factory=field.default_factory, compare=field.compare
            )
    return dataclasses.dataclass(frozen=True, **options)(type(cls.__name__, (), namespace))


@pytest.mark.parametrize("given", [(1,), (1, 3), (1, 3, ["a"], "h")])
def test_objects_are_as_those_of_the_standard_library(given: tuple[Any, ...]) -> None:
    ours, theirs = Point(*given), like(Point)(*given)
    for field in dataclasses.fields(theirs):
        assert getattr(ours, field.name) == getattr(theirs, field.name)
    assert repr(ours) == repr(theirs)
    assert Point.__match_args__ == type(theirs).__match_args__
    assert hash(ours) == hash(theirs)
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)


def test_objects_are_compared_by_fields_and_class() -> None:
    assert Point(1) == Point(1, names=["other"])
    assert Point(1) != Point(1, 3)
    assert Point(1) != Deeper(1)
    assert len({Point(1), Point(1), Point(2)}) == 2
    assert Single(1) != Single(1)
    assert len({Single(1), Single(1)}) == 2
    assert Open(1) == Open(2)
    assert hash(Open(1)) == 7


def test_objects_never_change() -> None:
    for made in (Point(1), Deeper(1), Single(1), Open(1)):
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
            made.x = 2  # type: ignore[misc]
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
            del made.x
    assert not hasattr(Point(1), "__dict__")


def test_what_an_object_is_made_of_is_checked() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'w'"):
        Point(1, w=2)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="z"):
        Deeper(1, z=-1)
    assert Point(1).names is not Point(1).names


def test_others_take_them_as_dataclasses() -> None:
    assert dataclasses.replace(Deeper(1, z=4), x=5) == Deeper(5, z=4)
    assert [field.name for field in dataclasses.fields(Deeper)] == [
        "x",
        "y",
        "names",
        "hidden",
        "z",
    ]
    match Deeper(1, 3, z=4):
        case Point(x, y):
            assert (x, y) == (1, 3)
    assert Deeper(1).both == (1, 2)


def test_objects_are_copied_and_sent() -> None:
    for made in (Point(1, names=["a"]), Deeper(1, z=3), Open(3)):
        assert pickle.loads(pickle.dumps(made)) == made
        assert copy.deepcopy(made) == made
    unmade = Unmade.__new__(Unmade)
    unmade.__setstate__([4])  # type: ignore[attr-defined]
    other = Unmade.__new__(Unmade)
    other.__setstate__([4])  # type: ignore[attr-defined]
    assert unmade == other == Unmade(4)


def test_those_of_the_engine_are_like_that() -> None:
    span = Span("a.py", 1, 1, 1, 2)
    assert pickle.loads(pickle.dumps(span)) == span
    assert ir.Call("f", (ir.Name("x"),)) == ir.Call("f", (ir.Name("x"),))
    assert ir.Const(1) != ir.Const(1.0)
