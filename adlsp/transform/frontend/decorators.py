"""Decorators that leave a function what its text says, as far as its derivative is concerned."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import gast

from adlsp.transform.frontend import marks
from adlsp.transform.frontend.resolve import Binding, Definition, Resolver
from adlsp.transform.source import Source

OF_OBJECT, OF_CLASS, STATIC, GETTER = "method", "classmethod", "staticmethod", "property"
"""What a function in a class is given first: the object, the class, neither, or as it is read."""

METHODS = {
    "builtins.classmethod": OF_CLASS,
    "builtins.staticmethod": STATIC,
    "builtins.property": GETTER,
}


def method(definition: Definition, resolver: Resolver) -> str | None:
    """What a function in a class is given first; None where a decorator makes something else."""
    return kind(definition, resolver) if are_transparent(definition, resolver) else None


def kind(definition: Definition, resolver: Resolver) -> str:
    """What a function in a class is given first, whatever other decorators make of it."""
    found = [
        binding.dotted
        for decorator in definition.node.decorator_list
        if (binding := _meaning(definition.source, decorator, resolver)) is not None
    ]
    return next((METHODS[dotted] for dotted in found if dotted in METHODS), OF_OBJECT)


def are_transparent(definition: Definition, resolver: Resolver) -> bool:
    """Tells whether no decorator makes something else of a function."""
    return _opaque(definition, resolver) is None


def opaque(definition: Definition, resolver: Resolver) -> str | None:
    """The text of the first decorator that may make something else of a function, if one may."""
    found = _opaque(definition, resolver)
    if found is None:
        return None
    return f"@{' '.join(ast.unparse(gast.gast_to_ast(found)).split())}"


def _opaque(definition: Definition, resolver: Resolver) -> gast.expr | None:
    return next(every_opaque(definition, resolver), None)


def every_opaque(definition: Definition, resolver: Resolver) -> Iterator[gast.expr]:
    """The decorators that may make something else of a function."""
    for decorator in definition.node.decorator_list:
        binding = maker(definition, decorator, resolver)
        if binding is None:
            yield decorator
        elif not (definition.is_method and binding.dotted in METHODS):
            is_mark = binding.dotted in marks.TRANSPARENT
            if not is_mark and not _is_mark(binding, decorator, resolver):
                yield decorator


def are_marks(decorated: gast.FunctionDef, source: Source, resolver: Resolver) -> bool:
    """Tells whether all decorators of a function in a function leave it what it is."""
    for decorator in decorated.decorator_list:
        tree = decorator.func if isinstance(decorator, gast.Call) else decorator
        binding = _meaning(source, tree, resolver)
        if binding is None or binding.dotted not in marks.TRANSPARENT:
            return False
    return True


def maker(definition: Definition, decorator: gast.expr, resolver: Resolver) -> Binding | None:
    """What a decorator is, or what is called for one."""
    tree = decorator.func if isinstance(decorator, gast.Call) else decorator
    return _meaning(definition.source, tree, resolver)


def _is_mark(binding: Binding, decorator: gast.expr, resolver: Resolver) -> bool:
    """Tells whether a user's decorator gives back the function that it is given.

    `@register("name")` is called for one that does.
    """
    found = resolver.definition(binding.dotted) if binding.kind == "function" else None
    if found is None:
        return False
    node: gast.FunctionDef | None = found.node
    if isinstance(decorator, gast.Call):
        node = marks.returned(found.node)
    return node is not None and marks.is_identity(node)


def _meaning(source: Source, tree: gast.expr, resolver: Resolver) -> Binding | None:
    match tree:
        case gast.Name():
            return resolver.name(source, tree.id)
        case gast.Attribute():
            owner = _meaning(source, tree.value, resolver)
            return None if owner is None else resolver.attribute(owner, tree.attr)
    return None
