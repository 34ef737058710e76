"""Calls of methods that variables hold: `append = rows.append`, then `append(x)`.

Where both names are bound once, and nothing takes the method for anything but calls, these are
calls of the method itself: what it changes is known then. That is so of the methods of arrays,
lists and dictionaries; those of other objects are values (`canonical/instances.py`).
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable

import gast

from adlsp.transform.frontend import scope, walks
from adlsp.transform.ops import records


def called(body: list[gast.stmt], parameters: Iterable[str]) -> list[gast.stmt]:
    """A body in which methods that variables hold are called by their names."""
    if not any(_held(node) for statement in body for node in walks.over(statement)):
        return body
    nodes = [node for statement in body for node in walks.over(statement)]
    names = [node for node in nodes if isinstance(node, gast.Name)]
    bound = Counter(parameters)
    bound.update(name.id for name in names if not isinstance(name.ctx, gast.Load))
    read = Counter(name.id for name in names if isinstance(name.ctx, gast.Load))
    hidden = {name for node in nodes if isinstance(node, scope.SCOPES) for name in _within(node)}
    asked = Counter(
        node.func.id
        for node in nodes
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
    )
    shared = {
        n for node in nodes if isinstance(node, gast.Global | gast.Nonlocal) for n in node.names
    }
    found: dict[str, gast.Attribute] = {}
    for node in nodes:
        if (held := _held(node)) is not None:
            name, method = held
            once = bound[name] == bound[method.value.id] == 1
            if (
                once
                and read[name] == asked[name]
                and {name, method.value.id}.isdisjoint(hidden | shared)
            ):
                found[name] = method
    if not found:
        return body
    made = gast.Module(body=copy.deepcopy(body), type_ignores=[])
    return _Named(found).visit(made).body


def _held(node: gast.AST) -> tuple[str, gast.Attribute] | None:
    """The variable and the method, where a statement binds one to the other."""
    match node:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Attribute(value=gast.Name(), attr=attr) as method,
        ) if f"ndarray.{attr}" in records.SAID:
            return name, method
    return None


def _within(node: gast.AST) -> set[str]:
    """The names in a function or class that stands in another one."""
    return {each.id for each in walks.over(node) if isinstance(each, gast.Name)}


class _Named(gast.NodeTransformer):
    """Writes the methods where variables are called that hold them, which are not bound then."""

    def __init__(self, held: dict[str, gast.Attribute]) -> None:
        self.held = held

    def visit_Assign(self, node: gast.Assign) -> gast.AST:  # noqa: N802
        held = _held(node)
        if held is not None and held[0] in self.held:
            return gast.copy_location(gast.Pass(), node)
        return self.generic_visit(node)

    def visit_Call(self, node: gast.Call) -> gast.Call:  # noqa: N802
        self.generic_visit(node)
        if isinstance(node.func, gast.Name) and node.func.id in self.held:
            method = copy.deepcopy(self.held[node.func.id])
            node.func = gast.copy_location(method, node.func)
        return node
