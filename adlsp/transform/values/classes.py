"""What the texts of classes tell of their objects: attributes with annotations, and methods."""

from __future__ import annotations

import ast

from adlsp.transform import depth
from adlsp.transform.frontend import bindings, decorators
from adlsp.transform.frontend.resolve import Binding, Definition, Resolver
from adlsp.transform.ir import Held, targets
from adlsp.transform.source import Source
from adlsp.transform.values import annotations as annotating
from adlsp.transform.values.annotations import NO_FIELD, Fields
from adlsp.transform.values.lattice import UNKNOWN, Function, Mapped, Object, Sequence, Value

RECORD = "types.SimpleNamespace"
"""What the gradient of an object is that is no dataclass."""

CONSTRUCTING = {"__init__", "__new__", "__post_init__", "__setattr__"}
"""The methods by which the constructor of a class may do more than set attributes."""


class Classes:
    """Reads the classes of a program, each once."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self._fields: dict[str, Fields | None] = {}

    def annotated(self, annotation: str, source: Source) -> Value:
        """The value that an annotation promises, which stands in a module."""

        def fields(name: str) -> Fields | None:
            found = self.named(name, source)
            return self.fields(found.dotted if found.kind == "class" else name)

        def meaning(name: str) -> str | None:
            found = self.named(name, source)
            return None if found.kind == "missing" else found.dotted.removeprefix("builtins.")

        return annotating.of(annotation, fields, meaning)

    def of_method(self, definition: Definition) -> Value:
        """What the first parameter of a method is: an object of the class that has it."""
        if not definition.is_method or not definition.positional_parameters:
            return UNKNOWN
        if decorators.method(definition, self.resolver) != decorators.OF_OBJECT:
            return UNKNOWN
        owner = definition.dotted.rpartition(".")[0]
        return UNKNOWN if self.fields(owner) is None else self.annotated(owner, definition.source)

    def named(self, name: str, source: Source) -> Binding:
        """What an expression of names means in a module."""
        head, *rest = name.split(".")
        found = self.resolver.name(source, head)
        for part in rest:
            if found.kind == "missing":
                break
            found = self.resolver.attribute(found, part)
        return found

    def fields(self, dotted: str) -> Fields | None:
        """The annotated attributes of a class; None for what is no class of the user's.

        What annotations say stands there with the names that it has everywhere.
        """
        if dotted not in self._fields:
            self._fields[dotted] = None
            self._fields[dotted] = self._declared(dotted)
        return self._fields[dotted]

    def _declared(self, dotted: str) -> Fields | None:
        found = self.resolver.class_of(dotted)
        if found is None:
            return None
        source, tree = found
        made = annotating.declared(
            ast.unparse(tree), dotted, lambda base: self.fields(self.named(base, source).dotted)
        )
        if made is None:
            return None
        own = {
            s.target.id: s.value
            for s in tree.body
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        }
        every = (
            (name, self._spelled(said, own[name], source) if name in own else said)
            for name, said in made.fields
        )
        return Fields(made.of, tuple(every), made.is_dictionary)

    def _spelled(self, annotation: str, default: ast.expr | None, source: Source) -> str:
        """An annotation of a module with the full names of what it speaks of.

        With the default `None` it is that as well, as people mean it.
        """
        try:
            tree = depth.parse_expression(annotation)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return annotation
        spelled = ast.unparse(_Spelling(self, source).visit(tree))
        is_none = isinstance(default, ast.Constant) and default.value is None
        return f"{spelled} | None" if is_none else spelled

    def constructor(self, of: Object) -> str | None:
        """What makes the gradient of an object: its class, where that does no more, or a record."""
        found = self.resolver.class_of(of.of)
        if found is None or "<" in of.of:  # `make.<locals>.Model` has no name to call it by
            return None
        source, tree = found
        marks = [m.func if isinstance(m, ast.Call) else m for m in tree.decorator_list]
        above = [self.named(ast.unparse(each), source).dotted for each in marks]
        bases = [self.named(ast.unparse(each), source).dotted for each in tree.bases]
        is_dataclass = above == ["dataclasses.dataclass"] and not bases
        if not (is_dataclass or bases == ["typing.NamedTuple"]):
            return None if above or self._may_be_dataclass(bases) else RECORD
        fields = [s for s in tree.body if isinstance(s, ast.AnnAssign)]
        names = [ast.unparse(each.target) for each in fields]
        others = {bound for s in tree.body for bound in bindings.bound(s)} - {*names}
        is_plain = not others & CONSTRUCTING and not any(
            isinstance(each.value, ast.Call) or NO_FIELD.match(ast.unparse(each.annotation))
            for each in fields
        )
        return of.of if is_plain and names == [name for name, _ in of.attributes] else None

    def _may_be_dataclass(self, bases: list[str]) -> bool:
        return any(base not in ("", "builtins.object", "abc.ABC") for base in bases)

    def held_by(self, dotted: str) -> Value | None:
        """What a variable of a module holds, if that is functions in a list or a dictionary."""
        found = self.resolver.table_of(dotted)
        if found is None:
            return None
        held = [self._function(text, found.source) for _, text in found.entries]
        values = tuple(each for each in held if each is not None)
        if len(values) != len(held):
            return None
        if found.kind is not dict:
            return Sequence(found.kind is list, values)
        return Mapped(tuple(zip((key for key, _ in found.entries), values, strict=True)))

    def _function(self, text: str, source: Source) -> Value | None:
        """The function of a module that an expression of names is."""
        found = self.named(text, source)
        is_function = found.kind == "function" or (
            found.kind == "value" and self.resolver.attribute(found, "_").kind != "missing"
        )
        return Function(found.dotted) if is_function and found.state is None else None

    def method(self, of: str, name: str) -> Held | None:
        """A method of the objects of a class, with the parameter that gets the object."""
        found = self.resolver.definition(f"{of}.{name}")
        if found is None or not found.is_method:
            return None
        if self.resolver.definition(f"{of}.__getattribute__") is not None:
            return None
        kind = decorators.method(found, self.resolver)
        if kind == decorators.STATIC:
            return Held(targets.Nested(f"{of}.{name}"))
        if kind != decorators.OF_OBJECT or not found.positional_parameters:
            return None
        own = found.positional_parameters[0]
        return Held(targets.Nested(f"{of}.{name}"), ((own, own),))


class _Spelling(ast.NodeTransformer):
    """Writes the full names of what annotations speak of, texts in quotes included."""

    def __init__(self, classes: Classes, source: Source) -> None:
        self.classes, self.source = classes, source

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name; that of a builtin stays."""
        found = self.classes.resolver.name(self.source, node.id)
        is_known = found.kind != "missing" and not found.dotted.startswith("builtins.")
        return depth.parse_expression(found.dotted) if is_known else node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """An annotation in quotes; the sizes of jaxtyping are none, and stay."""
        if not isinstance(node.value, str) or not node.value.isidentifier():
            return node
        return self.visit_Name(ast.Name(node.value, ast.Load()))
