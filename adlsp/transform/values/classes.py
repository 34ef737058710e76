"""What the texts of classes tell of their objects: attributes with annotations, and methods."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from collections.abc import Sequence as Several
from dataclasses import dataclass
from types import ModuleType
from typing import cast

from adlsp.transform import depth, ir
from adlsp.transform.frontend import bindings, decorators, walks
from adlsp.transform.frontend import parse as texts
from adlsp.transform.frontend.decorators import GETTER, OF_OBJECT
from adlsp.transform.frontend.resolve import Binding, Definition, Resolver, WrittenClass
from adlsp.transform.ir import signs, targets
from adlsp.transform.source import Source
from adlsp.transform.values import annotations as annotating
from adlsp.transform.values import comparing, constants, indexing
from adlsp.transform.values.annotations import NO_FIELD, Fields
from adlsp.transform.values.lattice import (
    NONE,
    UNKNOWN,
    Array,
    Function,
    Literal,
    Mapped,
    Number,
    Numeric,
    Object,
    Sequence,
    Unknown,
    Value,
    constant_of,
)

CONSTRUCTING = {"__init__", "__new__", "__post_init__", "__setattr__"}
"""The methods by which the constructor of a class may do more than set attributes."""


PLAIN_BASES = ("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol")
"""Classes that add nothing to how objects are made, and how attributes are set."""

NAMED_TUPLES = ("typing.NamedTuple", "collections.namedtuple")
"""The classes below which a class is a tuple with names for its parts."""

HOOKS = {"__new__", "__setattr__", "__getattribute__", "__delattr__", "__init_subclass__"}
"""The methods by which a class may do anything when an object is made, or an attribute set."""

OF_LIBRARIES = {"__array_ufunc__", "__array_function__", "__class_getitem__"}
"""Methods by which it may do anything where nothing calls them by a name, if they are functions."""

SILENT = {"__bool__", "__hash__"}
"""Methods that nothing calls by a name either, of which nobody expects that they change objects."""

FACTORIES = {
    "builtins.list": "python.list",
    "builtins.dict": "python.dict",
    "builtins.tuple": "python.tuple",
}
"""What makes the defaults of fields that may change, and the displays that do the same."""


@dataclass(frozen=True, slots=True)
class Construction:
    """What the constructor of a class does: it sets fields, and then calls a method.

    Defaults that are made anew are those of `FACTORIES`, as variables of a module. Of what is not
    given to it, `begun` are the fields that it sets to their defaults.
    """

    of: str
    fields: tuple[ir.Parameter, ...] = ()
    method: str = ""
    begun: tuple[ir.Parameter, ...] = ()


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a dataclass, which its constructor takes, or may set to its default."""

    parameter: ir.Parameter
    is_given: bool


FIELD, DEFAULTS = "dataclasses.field", ("default", "default_factory")
PLAINLY_SAID = {*DEFAULTS, "compare", "hash", "metadata", "repr"}
"""What is said of a field that changes nothing of how it is set."""

Lookup = Callable[[str, str, str], "Member | None"]
"""Finds what a class has under a name; see `Classes.member`."""

LINE = "__mro__"
"""A class and those above it, in the order in which attributes are looked up."""

REPLACE = "__replace__"
"""What makes of an object another one with some other fields, where a class has no more."""

TUPLE = "__getnewargs__"
"""What tuples have whose parts have names."""

RUN = "__iter__ of an attribute"
"""The attribute that loops over objects run over, of a class that says so."""

REPLACING = ("dataclasses.replace", "copy.replace", "ndarray._replace")
"""What calls that: the function of a module, or a method of a named tuple."""

DISPLAYS = {
    "dataclasses.asdict": "python.dict",
    "dataclasses.astuple": "python.tuple",
    "ndarray._asdict": "python.dict",
}
"""What puts the fields of an object into a dictionary or tuple, and the displays of these."""

DEEP = "copy.deepcopy"
COPYING = ("copy.copy", DEEP)
"""What makes of an object another one with the same fields, or with copies of them."""

COPIED_BY = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__")
"""The methods by which a class says how its objects are copied."""

VARIABLE = "variable"
"""The kind of what a class holds that is no function."""

OF_MODULE = "module"
"""The kind of what a module has under a name."""

NO_FUNCTIONS = (GETTER, VARIABLE, OF_MODULE, REPLACE, TUPLE, LINE, RUN)
"""The kinds of what cannot be called."""


@dataclass(frozen=True, slots=True)
class Member:
    """What a class has under a name: a function that is `called` so, or a variable.

    `kind` says what a function is given first, as `first`; `value` is what a variable holds.
    """

    called: str
    kind: str
    first: str = ""
    value: Value = UNKNOWN

    @property
    def is_variable(self) -> bool:
        """Tells whether it is what a class holds, for as long as nobody binds the name again."""
        return self.kind == VARIABLE


@dataclass(frozen=True, slots=True)
class Called:
    """The function that a call of a method goes to.

    Where it `is_held`, the first argument of the call holds it, and `own` is the parameter that
    gets the object, or the class `of` that name.
    """

    dotted: str
    own: str = ""
    of: str = ""
    is_held: bool = False


class Classes:
    """Reads the classes of a program, each once."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.looked_at: dict[str, None] = {}
        self._fields: dict[str, Fields | None] = {}
        self._made: dict[str, Construction | None] = {}
        self._lines: dict[str, tuple[WrittenClass, ...] | None] = {}
        self._tables: dict[str, Value | None] = {}
        self._members: dict[tuple[str, str, str], Member | None] = {}

    def _written(self, dotted: str) -> WrittenClass | None:
        """The text of a class, which is noted: `looked_at` are those that were asked for."""
        self.looked_at[dotted] = None
        return self.resolver.class_of(dotted)

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
        if decorators.method(definition, self.resolver) not in (OF_OBJECT, GETTER):
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
        found = self._written(dotted)
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

    def constructing(self, dotted: str) -> Construction | None:
        """What the constructor of a class does, as far as texts tell."""
        if dotted not in self._made:
            self._made[dotted] = self._constructing(dotted)
        return self._made[dotted]

    def _constructing(self, dotted: str) -> Construction | None:
        found = self._written(dotted)
        if found is None or "<" in dotted:
            return None
        source, tree = found
        if named := self._named_tuple(tree, source):
            fields = self._dataclass_fields(*named[-1])
            is_plain = not any(_is_hooked(each) or "__init__" in _bound(each) for _, each in named)
            taken = tuple(field.parameter for field in fields or ())
            return Construction(dotted, taken) if taken and is_plain else None
        line = self._above(dotted)
        if line is None:
            return None
        method = self.resolver.definition(f"{dotted}.__init__")
        if not any("__init__" in _bound(each) for _, each in line):
            fields = self._fields_made(dotted)
            after = self.resolver.definition(f"{dotted}.__post_init__")
            called = f"{dotted}.__post_init__" if after is not None else ""
            is_fixed = bool(called) and self._is_frozen(dotted)
            if fields is None or is_fixed:
                return None
            given = tuple(field.parameter for field in fields if field.is_given)
            begun = tuple(field.parameter for field in fields if not field.is_given)
            return Construction(
                dotted, given, called, tuple(p for p in begun if p.default is not None)
            )
        if method is None or decorators.method(method, self.resolver) != OF_OBJECT:
            return None
        kept = self._kept(method)
        return Construction(dotted, kept, "" if kept else f"{dotted}.__init__")

    def unmade(self, dotted: str) -> str:
        """Why it is not known what the constructor of a class does; empty for what is no class."""
        if self._written(dotted) is None or self.constructing(dotted) is not None:
            return ""
        if self._above(dotted) is None:
            return "what its class does with objects is not known from the text"
        fields = self._fields_made(dotted)
        if fields is not None and self._is_frozen(dotted):
            return "its class is frozen, and sets attributes in `__post_init__`"
        return "not all fields of its class are plain ones"

    def _kept(self, method: Definition) -> tuple[ir.Parameter, ...]:
        """The parameters of a constructor that does no more than to keep each by its own name."""
        given = method.written.tree.args
        if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg:
            return ()
        own, *names = method.positional_parameters
        set_to: list[tuple[ast.expr, ast.expr | None]] = []
        for statement in method.written.tree.body:
            match statement:
                case ast.Expr(ast.Constant(str())):
                    continue
                case ast.Assign([ast.Tuple(each)], ast.Tuple(values)) if len(each) == len(values):
                    set_to += zip(each, values, strict=True)
                case ast.Assign([target], value) | ast.AnnAssign(target, _, value):
                    set_to.append((target, value))
                case _:
                    return ()
        held: list[str] = []
        for pair in set_to:
            match pair:
                case ast.Attribute(ast.Name(base), name), ast.Name(kept) if (
                    base == own and name == kept
                ):
                    held.append(name)
                case _:
                    return ()
        if sorted(held) != sorted(names):
            return ()
        lacking = len(names) - len(given.defaults)
        defaults = [None] * lacking + [self._default(d, method.source) for d in given.defaults]
        if None in defaults[lacking:]:
            return ()
        return tuple(map(_parameter, names, defaults))

    def _fields_made(self, dotted: str) -> tuple[_Field, ...] | None:
        """The fields of a dataclass; nothing for a class that has none."""
        every: dict[str, _Field] = {}
        for source, tree in reversed(self._above(dotted) or ()):
            if not tree.decorator_list:
                continue
            own = self._dataclass_fields(source, tree)
            if own is None or not all(map(_makes_init, tree.decorator_list)):
                return None
            every |= {field.parameter.name: field for field in own}
        return tuple(sorted(every.values(), key=lambda f: f.parameter.kind is not ir.POSITIONAL))

    def _dataclass_fields(self, source: Source, tree: ast.ClassDef) -> tuple[_Field, ...] | None:
        """The fields of one class, with their defaults; None where these are not plain."""
        found: list[_Field] = []
        said = [_is_by_name(mark) for mark in tree.decorator_list]
        is_by_name = None if None in said else any(said)
        for statement in tree.body:
            target = statement.target if isinstance(statement, ast.AnnAssign) else None
            if not isinstance(statement, ast.AnnAssign) or not isinstance(target, ast.Name):
                continue
            written = ast.unparse(statement.annotation)
            if NO_FIELD.match(written):
                if "ClassVar" not in written:
                    return None
                continue
            field = self._field(target.id, statement.value, source, is_by_name=is_by_name)
            if field is None:
                return None
            found.append(field)
        return tuple(found)

    def _field(
        self, name: str, value: ast.expr | None, source: Source, *, is_by_name: bool | None
    ) -> _Field | None:
        """A field by what is assigned to it in the class, if that is plain."""
        said: dict[str | None, ast.expr] = {} if value is None else {"default": value}
        if isinstance(value, ast.Call) and self._named(value.func, source) == FIELD:
            if value.args:
                return None
            said = {keyword.arg: keyword.value for keyword in value.keywords}
        is_given = _told(said.pop("init", None), usual=True)
        is_by_name = _told(said.pop("kw_only", None), usual=is_by_name)
        if None in (is_given, is_by_name) or not said.keys() <= PLAINLY_SAID:
            return None
        default: ir.Atom | None = None
        if "default" in said:
            default = self._default(said["default"], source)
        elif "default_factory" in said:
            dotted = self._named(said["default_factory"], source)
            default = ir.Global(dotted) if dotted in FACTORIES else None
        if default is None and not said.keys().isdisjoint(DEFAULTS):
            return None
        kind = ir.ParameterKind.KEYWORD if is_by_name else ir.POSITIONAL
        return _Field(_parameter(name, default, kind), bool(is_given))

    def _default(self, value: ast.expr, source: Source) -> ir.Atom | None:
        """The default of a field: a literal, what makes one, a function, what a library has."""
        match value:
            case ast.Constant(constant):
                return ir.Const(constant)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
                return ir.Const(-number)
            case ast.Tuple([]):
                return ir.Global("builtins.tuple")
            case ast.Name() | ast.Attribute():
                meant = self.named(ast.unparse(value), source)
                is_fixed = meant.kind == "function" or self._is_foreign(meant)
                is_made = meant.dotted in FACTORIES
                return ir.Global(meant.dotted) if is_fixed and not is_made else None
        return None

    def _named_tuple(self, tree: ast.ClassDef, source: Source) -> tuple[WrittenClass, ...]:
        """A class of tuples with names, with those above it up to that which has the names."""
        if len(tree.bases) != 1 or tree.decorator_list:
            return ()
        name = self._named(tree.bases[0], source)
        if name in NAMED_TUPLES:
            return ((source, tree),)
        above = self._written(name) if name else None
        further = () if above is None else self._named_tuple(above[1], above[0])
        return ((source, tree), *further) if further else ()

    def _named(self, tree: ast.expr, source: Source) -> str:
        """The dotted name of an expression of names, type parameters left out."""
        tree = tree.value if isinstance(tree, ast.Subscript) else tree
        is_name = isinstance(tree, ast.Name | ast.Attribute)
        return self.named(ast.unparse(tree), source).dotted if is_name else ""

    def _above(self, dotted: str) -> tuple[WrittenClass, ...] | None:
        """A class and those above it; None where one of them may do anything with its objects."""
        if dotted not in self._lines:
            self._lines[dotted] = None
            self._lines[dotted] = self._line(dotted)
        return self._lines[dotted]

    def _line(self, dotted: str) -> tuple[WrittenClass, ...] | None:
        found = self._written(dotted)
        if found is None:
            return None
        source, tree = found
        marks = [m.func if isinstance(m, ast.Call) else m for m in tree.decorator_list]
        are_known = all(self._named(m, source) == "dataclasses.dataclass" for m in marks)
        if tree.keywords or not are_known or _is_hooked(tree):
            return None
        line = [found]
        for base in tree.bases:
            name = self._named(base, source)
            if name not in PLAIN_BASES:
                further = self._above(name)
                if further is None:
                    return None
                line += further
        return tuple(line)

    def _is_frozen(self, dotted: str) -> bool:
        """Tells whether the objects of a dataclass keep the attributes that they are made with."""
        marks = (mark for _, tree in self._above(dotted) or () for mark in tree.decorator_list)
        return any("frozen=True" in ast.unparse(mark) for mark in marks)

    def unset(self, of: str, name: str) -> str:
        """Why a store into an attribute is not just that; empty where it is."""
        if of == ir.RECORD:
            return ""
        line = self._above(of)
        short = targets.member(of)
        if line is None:
            return f"what `{short}` does when an attribute is set is not known from the text"
        if self._is_frozen(of):
            return f"the dataclass `{short}` is frozen"
        return f"`{short}` computes `{name}`" if self.computes(of, name) else ""

    def holds(self, of: str, name: str) -> bool:
        """Tells whether an attribute of a class's objects is just what it was set to."""
        found = self._written(of)
        if found is not None and self._named_tuple(found[1], found[0]):
            made = self.constructing(of)
            return made is not None and name in {field.name for field in made.fields}
        line = self._above(of)
        if line is None:
            return of == ir.RECORD
        return not self.computes(of, name) and not any(
            _has_variable(tree, name) for _, tree in line
        )

    def computes(self, of: str, name: str) -> bool:
        """Tells whether a class computes an attribute, by a property or another descriptor."""
        return any(_computed(tree, name) for _, tree in self._above(of) or ())

    def constructor(self, of: Object) -> str | None:
        """What makes the gradient of an object: its class, where that does no more, or a record."""
        found = self._written(of.of)
        if found is None or "<" in of.of:  # `make.<locals>.Model` has no name to call it by
            return None
        source, tree = found
        marks = [m.func if isinstance(m, ast.Call) else m for m in tree.decorator_list]
        above = [self.named(ast.unparse(each), source).dotted for each in marks]
        bases = [self.named(ast.unparse(each), source).dotted for each in tree.bases]
        line: tuple[WrittenClass, ...] | None = (found,)
        if above == ["dataclasses.dataclass"]:
            line = self._above(of.of)
        elif named := self._named_tuple(tree, source):
            line = named[-1:]
        else:
            return None if above or self._may_be_dataclass(bases) else ir.RECORD
        if line is None or not all(each.decorator_list for _, each in line[1:]):
            return None
        names: dict[str, None] = {}
        for _, each in reversed(line):
            own = _plain_fields(each)
            if own is None:
                return None
            names |= dict.fromkeys(own)
        return of.of if [*names] == [name for name, _ in of.attributes] else None

    def _may_be_dataclass(self, bases: list[str]) -> bool:
        return any(base not in ("", "builtins.object", "abc.ABC") for base in bases)

    def held_by(self, dotted: str) -> Value | None:
        """What a variable of a module or class holds: functions or modules, or a table of these."""
        if dotted not in self._tables:
            self._tables[dotted] = self._table(dotted)
        return self._tables[dotted]

    def _table(self, dotted: str) -> Value | None:
        found = self.resolver.table_of(dotted)
        if found is None:
            return cast("Value | None", self.resolver.held(dotted))
        held = [self._function(text, found.source) for _, text in found.entries]
        values = tuple(each for each in held if each is not None)
        if len(values) != len(held):
            return cast("Value | None", self.resolver.held(dotted))
        if found.kind in (staticmethod, ModuleType):
            return values[0]
        if found.kind is not dict:
            return Sequence(found.kind is list, values)
        return Mapped(tuple(zip((key for key, _ in found.entries), values, strict=True)))

    def _function(self, text: str, source: Source) -> Value | None:
        """The function, class or module that an expression of names is, or a lambda."""
        if ir.LAMBDA in text:
            return Function(targets.Nested(f"{source.module}.{text}"))
        found = self.named(text, source)
        is_function = found.kind in ("function", "class", "module") or (
            found.kind == "value" and self.resolver.attribute(found, "_").kind != "missing"
        )
        return Function(found.dotted) if is_function and found.state is None else None

    def member(self, of: str, name: str, above: str = "") -> Member | None:
        """What a class has under a name, or those above it from one on.

        What a method may set in an object is not what its class has.
        """
        asked = of, name, above
        if asked not in self._members:
            self._members[asked] = self._looked_up(*asked)
        return self._members[asked]

    def _looked_up(self, of: str, name: str, above: str) -> Member | None:
        if name == REPLACE:
            made = self.constructing(of)
            fields = () if made is None or made.method or made.begun else made.fields
            held = tuple((field.name, self._promised(of, field.name)) for field in fields)
            return Member("", REPLACE, value=Object(of, held)) if held else None
        if name == TUPLE and (here := self._written(of)) is not None:
            made = self.constructing(of) if self._named_tuple(here[1], here[0]) else None
            held = tuple((field.name, UNKNOWN) for field in (made.fields if made else ()))
            return Member("", TUPLE, value=Object(of, held))
        if name == LINE:
            return self._member_line(of)
        if name == RUN:
            own = self._run_over(of)
            return Member(own, RUN) if own else None
        if self.is_module(of):
            meant = self.resolver.attribute(Binding("module", of), name)
            is_fixed = meant.kind != "missing" and meant.state is None
            return Member(meant.dotted, OF_MODULE) if is_fixed else None
        order = self.resolver.order(of)
        if self.resolver.definition(f"{of}.__getattribute__") is not None:
            return None
        for each in order[order.index(above) + 1 if above in order else 0 :]:
            found = self._written(each)
            if found is None and each not in PLAIN_BASES:
                return None
            if found is not None and name in _bound(found[1]):
                return self._member(of, f"{each}.{name}", found, above)
        return None

    def _promised(self, of: str, name: str) -> Value:
        """What the annotation of a field says that it holds."""
        written, fields = self._written(of), self.fields(of)
        said = None if fields is None else dict(fields.fields).get(name)
        return UNKNOWN if said is None or written is None else self.annotated(said, written[0])

    def _run_over(self, of: str) -> str:
        """The attribute that a loop over objects of a class runs over: `return iter(self.rows)`."""
        found = self.member(of, "__iter__")
        definition = None if found is None else self.resolver.definition(found.called)
        if definition is None or found is None or found.kind != OF_OBJECT:
            return ""
        body = [s for s in definition.written.tree.body if not _is_docstring(s)]
        match body:
            case [
                ast.Return(ast.Call(ast.Name() as called, [ast.Attribute(ast.Name(own), held)], []))
            ] if own == found.first and self._named(called, definition.source) == "builtins.iter":
                return held
        return ""

    def is_module(self, dotted: str) -> bool:
        """Tells whether a name is that of a module, or of what else is not read in a text."""
        home, _, name = dotted.rpartition(".")
        if not home:
            return True
        if self._written(home) is not None:  # a member of an enumeration
            return False
        found = self.resolver.attribute(Binding("module", home), name)
        return found.kind == "module" or self._is_foreign(found)

    def _is_foreign(self, found: Binding) -> bool:
        """Tells whether a name means what is not read in a text."""
        return found.kind == "value" and self.resolver.attribute(found, "_").kind != "missing"

    def _member_line(self, of: str) -> Member | None:
        """A class with those above it, where these alone say what its objects are instances of."""
        order = self.resolver.order(of)
        written = [found for each in order if (found := self._written(each)) is not None]
        others = {each for each in order if self._written(each) is None}
        if not written or not others <= {*PLAIN_BASES, *NAMED_TUPLES}:
            return None
        if any(tree.keywords for _, tree in written):
            return None
        return Member("", LINE, value=Sequence(False, tuple(map(Function, order))))

    def _member(self, of: str, home: str, found: WrittenClass, above: str) -> Member | None:
        """What a class binds a name to."""
        source, tree = found
        name = targets.member(home)
        own = texts.public_name(name, tree.name)
        statements = [s for s in tree.body if own in bindings.bound(s)]
        match statements:
            case [ast.Assign(value=ast.Name(other))] if any(
                isinstance(s, ast.FunctionDef) and s.name == other for s in tree.body
            ):  # `__rmul__ = __mul__` is the method of this class, whatever those below have
                within = home.removesuffix(f".{name}")
                first = above or ("" if within == of else within)
                return self._member(of, f"{within}.{other}", found, first)
        definition = self.resolver.definition(home)
        if definition is not None and definition.is_method and len(statements) == 1:
            kind = decorators.method(definition, self.resolver)
            first = next(iter(definition.positional_parameters), "")
            if kind is None or (kind != decorators.STATIC and not first):
                return None
            called = targets.Above(home, of) if above else f"{of}.{name}"
            return Member(targets.Getter(called) if kind == GETTER else called, kind, first)
        match statements:
            case [ast.Assign(value=ast.Constant(None))] if name in OF_LIBRARIES:
                return Member(home, VARIABLE, value=NONE)
            case [ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value)] if (
                not self._may_be_set(of, name)
            ):
                held = self._held(value, source) or self.held_by(home)
                return None if held is None else Member(home, VARIABLE, value=held)
        return None

    def _may_be_set(self, of: str, name: str) -> bool:
        """Tells whether the text of a class sets an attribute of that name, or one above it."""
        trees = (found[1] for each in self.resolver.order(of) if (found := self._written(each)))
        return any(
            isinstance(each, ast.Attribute)
            and each.attr == name
            and not isinstance(each.ctx, ast.Load)
            for tree in trees
            for each in walks.over(tree)
        )

    def _held(self, value: ast.expr, source: Source) -> Value | None:
        """What a variable of a class holds, if that neither computes, nor may change.

        Numbers and texts may be others by the time that they are read.
        """
        match value:
            case ast.Constant(bool() | int() | float() | complex() as number):
                return Number(type(number).__name__)
            case ast.Constant(str()):
                return Literal("str")
            case ast.UnaryOp(operand=operand):
                return self._held(operand, source)
            case ast.BinOp(left, _, right):
                both = self._held(left, source), self._held(right, source)
                return Numeric() if all(isinstance(x, Number | Numeric) for x in both) else None
            case ast.Name() | ast.Attribute():
                return constants.value_of(self._named(value, source))
            case ast.Tuple(items):
                parts = tuple(self._held(item, source) for item in items)
                known = tuple(part for part in parts if part is not None)
                return Sequence(False, known) if len(known) == len(parts) else None
        return None


def called_of(base: Object, name: str, member: Lookup) -> Called | None:
    """The function that `base.name(…)` calls, of an object or of `super()`."""
    found = member(base.of, name, base.above)
    if found is None or found.kind in NO_FUNCTIONS:
        return None
    if base.above:
        return Called(found.called) if found.kind == OF_OBJECT else None
    own = "" if found.kind == decorators.STATIC else found.first
    called = targets.Nested(found.called)
    if found.kind == decorators.OF_CLASS:
        return Called(_knowing(called, own, base.of), own, base.of, is_held=True)
    return Called(called, own, is_held=True)


def held_of(base: Object, name: str, member: Lookup) -> Value | None:
    """What an object holds under a name, or a function that its class holds: `staticmethod(f)`."""
    held = dict(base.attributes).get(name)
    if held is not None or base.above:
        return held
    found = member(base.of, name, "")
    is_function = found is not None and found.kind == VARIABLE and isinstance(found.value, Function)
    return found.value if found is not None and is_function else None


def is_of_user(value: Value) -> bool:
    """Tells whether a value is an object of a user's class, no array that grows."""
    return isinstance(value, Object) and not targets.is_of(value.of, "adlsp.runtime", "python")


def overloaded(function: str, args: Several[Value], member: Lookup) -> tuple[str, int] | None:
    """The method that an operator calls, and the place of the operand that has it.

    None where no operand is an object of a user's class; the method is empty where it is not sure.
    That what is unknown is a number, derivatives make sure, as an array on the left goes through
    its elements.
    """
    method = signs.METHODS.get(function)
    operands = args if function in signs.INFIX else args[:1]
    if method is None or not any(map(is_of_user, operands)):
        return None
    if function == "operator.getitem" and indexing.is_of_attribute(args[1]):
        return None
    from_right = signs.COMPARED_FROM_RIGHT.get(function, f"__r{method[2:]}")
    of = [
        isinstance(each, Object) and called_of(each, name, member) is not None
        for each, name in zip(operands, (method, from_right), strict=False)
    ]
    if function in signs.COMPARED_FROM_RIGHT:
        if not any(of):
            return None
        if any(isinstance(each, Object) and each.may_be_none for each in operands):
            return "", 0
    match of, args:
        case [True] | [True, False], _:
            return method, 0
        case [True, True], [Object(one), Object(other)] if one == other:
            return method, 0
        case [False, True], [Number() | Numeric() | Object() | Unknown(), _]:
            return from_right, 1
        case [False, True], [Array(), right] if leaves_to_right(right, member):
            return from_right, 1
    return "", 0


def leaves_to_right(right: Value, member: Lookup) -> bool:
    """Tells whether an array on the left leaves its operators to an object: its class says so.

    (NumPy, Interoperability with NumPy, "The `__array_ufunc__` protocol".)
    """
    if not isinstance(right, Object):
        return False
    found = member(right.of, "__array_ufunc__", "")
    if found is not None:
        return found.is_variable and found.value == NONE
    found = member(right.of, "__array_priority__", "")
    return found is not None and found.is_variable and isinstance(found.value, Number)


def augmenting(operator: str, base: Value, member: Lookup) -> str:
    """What `base operator= value` calls: the method for it of the class, else the operator."""
    method = signs.METHODS.get(operator)
    if method is None or not isinstance(base, Object):
        return operator
    in_place = f"__i{method[2:]}"
    found = called_of(base, in_place, member) is not None
    return f"ndarray.{in_place}" if found else operator


def replaced(
    call: str, args: Several[Value], given: Collection[str], member: Lookup
) -> tuple[str, ...] | None:
    """The fields that a call keeps which gives another object with some other fields.

    A copy has all that the object has, which must be its fields.
    """
    match args:
        case [Object(may_be_none=True)] if call in COPYING:
            return None
        case [Object() as base] if call in (*REPLACING, *COPYING):
            found = member(base.of, REPLACE, "")
            if found is not None and isinstance(found.value, Object):
                fields, held = dict(found.value.attributes), dict(base.attributes)
                if call in COPYING and (
                    held.keys() != fields.keys()
                    or any(member(base.of, name, "") for name in COPIED_BY)
                ):
                    return None
                kept = tuple(name for name in fields if name not in given)
                return kept if fields.keys() >= {*given} and held.keys() >= {*kept} else None
    return None


def displayed(
    call: str, args: Several[Value], given: Collection[str], member: Lookup
) -> tuple[str, ...]:
    """The fields that a call puts into a dictionary or tuple; nothing for other calls.

    Functions of dataclasses copy what they hold, and look into it: that must be numbers or arrays,
    or so annotations say.
    """
    match args:
        case [Object() as base] if call in DISPLAYS and not given:
            if targets.is_method(call):
                return named_parts(base, member)
            found, held = member(base.of, REPLACE, ""), dict(base.attributes)
            fields = found.value if found is not None else None
            promised = dict(fields.attributes) if isinstance(fields, Object) else {}
            known = (
                v if (v := held.get(n)) not in (None, UNKNOWN) else promised[n] for n in promised
            )
            is_plain = all(isinstance(each, Number | Array | Numeric) for each in known)
            return tuple(promised) if is_plain else ()
    return ()


def named_parts(base: Value, member: Lookup) -> tuple[str, ...]:
    """The names of the parts of a tuple that has such; nothing for other values."""
    if not isinstance(base, Object) or base.may_be_none:
        return ()
    found = member(base.of, TUPLE, "")
    if found is None or not isinstance(found.value, Object):
        return ()
    return tuple(name for name, _ in found.value.attributes)


def run_over(base: Value, member: Lookup) -> str:
    """The attribute that a loop over an object runs over; nothing for other values."""
    found = member(base.of, RUN, "") if is_of_user(base) and isinstance(base, Object) else None
    return "" if found is None else found.called


def seen_in_run(value: Value, member: Lookup) -> Value:
    """What a loop over a value runs over: of an object an attribute, where its class says so."""
    held = run_over(value, member)
    return (
        dict(value.attributes).get(held, UNKNOWN) if held and isinstance(value, Object) else value
    )


OF_NUMBERS = ("builtins.int", "builtins.float", "builtins.complex", "numpy.ndarray")
"""Classes of which no object is whose class has none but plain bases."""


def has_attribute(base: Value, name: object, member: Lookup) -> bool | None:
    """Tells whether an object has something under a name, if that is sure."""
    if not (isinstance(base, Object) and isinstance(name, str)) or base.above:
        return None
    held = dict(base.attributes).get(name)
    if base.may_be_none or isinstance(held, Unknown):  # it may be there in one branch only
        return None
    if base.of == ir.RECORD:  # its class has nothing
        return held is not None
    if held is not None or member(base.of, name, "") is not None:
        return True
    line = member(base.of, LINE, "")
    is_whole = line is not None and isinstance(line.value, Sequence)
    return False if is_whole and member(base.of, "__getattr__", "") is None else None


def is_instance(base: Value, kinds: Value, member: Lookup) -> bool | None:
    """Tells whether a value is an instance of a class, or of one of several, if that is sure.

    A number, an array or a container is one of no class of a user's. Of an abstract class more may
    be instances than those of the classes below it.
    """
    if isinstance(kinds, Sequence) and kinds.items is not None:
        every = [is_instance(base, each, member) for each in kinds.items]
        return True if True in every else None if None in every else False
    if not isinstance(kinds, Function):
        return None
    if isinstance(base, Object):
        if base.may_be_none:
            return None
        line = member(base.of, LINE, "")
        if line is None or not isinstance(line.value, Sequence):
            return None
        if kinds in (line.value.items or ()):
            return True
        if kinds.dotted in OF_NUMBERS:
            return False
    elif comparing.is_told(kinds.dotted):
        of = comparing.classes(base)
        return None if of is None else kinds.dotted in of
    elif not comparing.is_plain(base):
        return None
    elif kinds.dotted in comparing.FOREIGN:
        return False
    other = member(kinds.dotted, LINE, "")
    if other is None or not isinstance(other.value, Sequence):
        return None
    above = {each.dotted for each in other.value.items or () if isinstance(each, Function)}
    return None if above & {"abc.ABC", "typing.Protocol"} else False


def of_class(dotted: str, name: str, member: Lookup) -> Value | None:
    """What `Model.name` is, of a class: a function, or what a variable holds."""
    found = member(dotted, name, "")
    if found is None or found.kind in (GETTER, OF_MODULE, REPLACE, TUPLE, LINE):
        return None
    return _held_as(found, dotted)


def of_module(held: Value, name: str, member: Lookup) -> str | None:
    """The dotted name of what `held.name` is, if a value is surely a module, or a library's."""
    match held:
        case Function(dotted, (), (), ()):
            found = member(dotted, name, "")
            return found.called if found is not None and found.kind == OF_MODULE else None
    return None


def unbound(held: Value, name: str, member: Lookup) -> str | None:
    """The function that `held.name(…)` calls, which gets all that it is given: one of a class."""
    match held:
        case Function(dotted, (), (), ()) if targets.is_plain(dotted):
            found = member(dotted, name, "")
            is_plain = found is not None and found.kind in (OF_OBJECT, decorators.STATIC)
            return found.called if found is not None and is_plain else None
    return None


def _held_as(found: Member, dotted: str) -> Value:
    """What is had of a class, or of its objects, under a name: a function, or a variable."""
    if found.kind == VARIABLE:
        return found.value
    if found.kind == decorators.OF_CLASS:
        maker = _knowing(targets.Maker(found.called), found.first, dotted)
        return Function(maker, (Function(dotted),))
    return Function(found.called)


def by_name(call: ir.Call, name: Value) -> ir.Call:
    """A call of `getattr`, where the name is known, as the attribute that it reads."""
    known = constant_of(name)
    if call.function == ir.GETATTR and len(call.args) == 2 and isinstance(known, str):
        return ir.Call(f"attribute.{known}", call.args[:1], (), call.span)
    return call


def attribute_read(function: str, args: Several[Value]) -> str:
    """The name of the attribute that a call reads; empty for other calls."""
    if function == ir.OPTION:
        return str(constant_of(args[1]))
    return targets.member(function) if targets.is_attribute(function) else ""


def method_of(base: Object, found: Member) -> Value:
    """What `model.step` is that is not called at once: a function with the object, or without."""
    if base.above:
        return found.value
    is_plain = found.kind == OF_OBJECT and targets.is_plain(found.called)
    return Function(found.called, (base,)) if is_plain else _held_as(found, base.of)


def _knowing(function: str, parameter: str, of: str) -> str:
    """The function that knows which class it is given."""
    return targets.Instance((targets.Given(parameter, of),), function)


def for_object(function: str, args: Several[Value], member: Lookup) -> str:
    """A method that is called by its class, as in `Base.__init__(self, n)`, for the object."""
    of, _, name = function.rpartition(".")
    match args:
        case [Object() as own, *_] if own.of != of and targets.is_plain(function):
            found = member(of, name, "")
            if found is not None and found.kind == OF_OBJECT:
                return targets.Above(function, own.of)
    return function


def _bound(tree: ast.ClassDef) -> set[str]:
    """The names that a class binds."""
    return {bound for statement in tree.body for bound in bindings.bound(statement)}


def _is_hooked(tree: ast.ClassDef) -> bool:
    """Tells whether a class may do anything with its objects where nothing calls a method."""
    methods = [s for s in tree.body if isinstance(s, ast.FunctionDef)]
    if HOOKS.intersection(_bound(tree)) or any(s.name in OF_LIBRARIES for s in methods):
        return True
    silent = (s for s in methods if s.name in SILENT)
    return any(
        isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store)
        for method in silent
        for node in ast.walk(method)
    )


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _parameter(
    name: str, default: ir.Atom | None, kind: ir.ParameterKind = ir.POSITIONAL
) -> ir.Parameter:
    return ir.Parameter(name, kind, default)


def _has_variable(tree: ast.ClassDef, name: str) -> bool:
    """Tells whether a class itself holds what its objects may not have set yet."""
    return any(isinstance(s, ast.Assign) and name in bindings.bound(s) for s in tree.body)


def _plain_fields(tree: ast.ClassDef) -> tuple[str, ...] | None:
    """The fields of one class whose constructor only sets them; None where it may do more."""
    fields = [s for s in tree.body if isinstance(s, ast.AnnAssign)]
    names = tuple(ast.unparse(each.target) for each in fields)
    others = {bound for s in tree.body for bound in bindings.bound(s)} - {*names}
    is_made = not any("init=False" in ast.unparse(mark) for mark in tree.decorator_list)
    is_plain = is_made and not others & CONSTRUCTING
    is_plain &= not any(
        isinstance(each.value, ast.Call) or NO_FIELD.match(ast.unparse(each.annotation))
        for each in fields
    )
    return names if is_plain else None


def _makes_init(mark: ast.expr) -> bool:
    """Tells whether a dataclass has a constructor that takes all fields."""
    keywords = mark.keywords if isinstance(mark, ast.Call) else []
    return not any(k.arg in ("init", None) for k in keywords)


def _is_by_name(mark: ast.expr) -> bool | None:
    """Tells whether the constructor of a dataclass takes fields by their names only."""
    keywords = mark.keywords if isinstance(mark, ast.Call) else []
    return _told(next((k.value for k in keywords if k.arg == "kw_only"), None), usual=False)


def _told(option: ast.expr | None, *, usual: bool | None) -> bool | None:
    """Whether an option is true; None where the text does not tell."""
    if option is None:
        return usual
    return bool(option.value) if isinstance(option, ast.Constant) else None


def _computed(tree: ast.ClassDef, name: str) -> bool:
    """Tells whether a class binds a name to what may be a descriptor."""
    for statement in tree.body:
        match statement:
            case ast.FunctionDef(name=bound, decorator_list=[_, *_]):
                is_one = bound == name
            case ast.Assign(value=ast.Call()):
                is_one = name in bindings.bound(statement)
            case _:
                continue
        if is_one:
            return True
    return False


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
