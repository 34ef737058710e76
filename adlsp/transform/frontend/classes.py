"""What the texts of classes tell of how their objects are made."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from adlsp.transform.frontend.resolve import Resolver


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
        name, *rest = ast.unparse(called).split(".")
        assert source is not None
        meant = ".".join((resolver.name(source, name).dotted, *rest))
        if meant == "dataclasses.dataclass":
            return True
    return False
