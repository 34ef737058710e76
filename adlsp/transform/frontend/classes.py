"""What the texts of classes tell of how their objects are made."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from adlsp.transform.frontend.resolve import Resolver
from adlsp.transform.source import Source

CONSTRUCTORS = ("__new__", "__init__", "__post_init__")


def method(order: Iterable[str], name: str, resolver: Resolver) -> str:
    """The method of a name that the first of some classes has, by its dotted name; "" for none."""
    for dotted in order:
        _, tree = resolver.class_of(dotted) or (None, None)
        for each in () if tree is None else tree.body:
            if isinstance(each, ast.FunctionDef) and each.name == name:
                return f"{dotted}.{name}"
    return ""


def fields(dotted: str, resolver: Resolver) -> tuple[str, ...]:
    """The fields that the constructor of a dataclass takes, in order; nothing of another class."""
    order = resolver.order(dotted)
    if not _is_dataclass(dotted, resolver) or method(order, "__init__", resolver):
        return ()
    found: dict[str, None] = {}
    for each in reversed(order):
        if _is_dataclass(each, resolver):
            found.update(dict.fromkeys(_own(each, resolver)))
    return tuple(found)


def is_record(dotted: str, resolver: Resolver) -> bool:
    """Tells whether all that an object of a class is are its fields: dataclass or named tuple."""
    order = resolver.order(dotted)
    if any(method(order, name, resolver) for name in CONSTRUCTORS):
        return False
    return _is_dataclass(dotted, resolver) or "typing.NamedTuple" in _bases(dotted, resolver)


def _bases(dotted: str, resolver: Resolver) -> list[str]:
    found = resolver.class_of(dotted)
    return [] if found is None else [_meant(found[0], b, resolver) for b in found[1].bases]


def _meant(source: Source, written: ast.expr, resolver: Resolver) -> str:
    """The dotted name that an expression of a module stands for."""
    name, *rest = ast.unparse(written).split(".")
    return ".".join((resolver.name(source, name).dotted, *rest))


def _own(dotted: str, resolver: Resolver) -> Iterator[str]:
    """The fields that a class adds, but for variables of the class and what is not given."""
    _, tree = resolver.class_of(dotted) or (None, None)
    for each in () if tree is None else tree.body:
        match each:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=said, value=value):
                is_given = "init=False" not in (ast.unparse(value) if value else "")
                if is_given and "ClassVar" not in ast.unparse(said):
                    yield name


def _is_dataclass(dotted: str, resolver: Resolver) -> bool:
    source, tree = resolver.class_of(dotted) or (None, None)
    for each in () if tree is None else tree.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        assert source is not None
        if _meant(source, called, resolver) == "dataclasses.dataclass":
            return True
    return False
