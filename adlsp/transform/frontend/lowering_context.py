"""The names and places of one function, and the steps that its expressions become.

This is the context of lowering, which statements and expressions share.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

import gast

from adlsp.transform import ir
from adlsp.transform.frontend import bindings, exits, walks
from adlsp.transform.frontend.resolve import Binding, Resolver, written_as
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import tokens, trees
from adlsp.transform.ir.variables import Fresh
from adlsp.transform.ops.spec import Kind
from adlsp.transform.source import Source, Span

NUMBER = re.compile(tokens.NUMBER)


@dataclass(frozen=True, slots=True)
class Method:
    """What a method is called on: the parameter for it, and its class, by the dotted name.

    `is_class`: it is the class itself, of a `@classmethod`. `home` is the class that the method
    stands in, if a name of the module leads to it.
    """

    variable: str
    owner: str
    is_class: bool
    home: str | None


class LoweringContext:
    """Knows what the names of a function mean and where its parts are, and collects steps."""

    def __init__(
        self,
        source: Source,
        resolver: Resolver,
        local: frozenset[str],
        imports: dict[str, Binding],
        lists: frozenset[str] = frozenset(),
        kinds: Mapping[str, Kind] = MappingProxyType({}),
        displays: Mapping[str, gast.expr] = MappingProxyType({}),
        states: Mapping[str, ir.State] = MappingProxyType({}),
        assigned: frozenset[str] = frozenset(),
        calls: Mapping[str, gast.Call] = MappingProxyType({}),
    ) -> None:
        self.source = source
        self.resolver = resolver
        self.local = local
        self.imports = imports
        self.lists = lists
        self.kinds = kinds
        self.displays = displays
        self.states = states
        self.assigned = assigned
        self.calls = calls
        self.aliases: dict[str, str] = {}
        self.pending: list[ir.Statement] = []
        self.origin: Span | None = None
        self.fresh = Fresh()
        self.renamed: dict[str, str] = {}
        self.effect: gast.expr | None = None
        self.function: gast.FunctionDef | None = None
        self.nested: dict[str, ir.Held] = {}
        self.functions: dict[tuple[int, int], ir.Held] = {}
        self.aliased: dict[str, Binding] = {}
        self.method: Method | None = None
        self.overtaken = frozenset[tuple[int, int]]()

    def span(self, node: gast.AST) -> Span:
        """The span of a node."""
        return self.source.span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)

    def between(self, start: gast.AST, end: gast.AST) -> Span:
        """The span from the start of one node to the end of another: a compound's header."""
        return self.source.span(start.lineno, start.col_offset, end.end_lineno, end.end_col_offset)

    def keyword_span(self, node: gast.AST, keyword: str) -> Span:
        """The span of the keyword that a statement starts with."""
        end = node.col_offset + len(keyword)
        return self.source.span(node.lineno, node.col_offset, node.lineno, end)

    def text(self, node: gast.AST) -> str:
        """The user's own text of an expression, on one line."""
        return " ".join(self.source.slice(self.span(node)).split())

    def constant(self, node: gast.Constant) -> ir.Const:
        """A literal, with the user's own text of a number.

        In an f-string, Python's parser may be wrong about where a number stands.
        """
        is_number = isinstance(node.value, int | float | complex)
        if is_number and node.lineno == node.end_lineno <= len(self.source.lines):
            text = self.source.slice(self.span(node))
            if _is_literal(text, node.value):
                return ir.spelled(node.value, text)
        return ir.Const(node.value)

    def spelled(self, tree: gast.AST) -> gast.AST:
        """A tree that is kept as it was written; the kind of a number is its own text."""
        literals = (n for n in walks.over(tree) if isinstance(n, gast.Constant))
        found = {n: text for n in literals if (text := self.constant(n).spelling) is not None}
        if not found:
            return tree
        known = {id(n): gast.copy_location(gast.Constant(n.value, t), n) for n, t in found.items()}
        return copy.deepcopy(tree, known)

    @contextmanager
    def steps(self, origin: Span) -> Iterator[list[ir.Statement]]:
        """Collects the steps of one statement in the list that it gives."""
        before = self.pending, self.origin
        self.pending, self.origin = [], origin
        try:
            yield self.pending
        finally:
            self.pending, self.origin = before

    def hold(self, value: ir.Expression) -> ir.Atom:
        """Names a value with a step, unless it is an atom already."""
        if isinstance(value, ir.Name | ir.Const | ir.Global):
            return value
        assert self.origin is not None
        name = self.fresh.step()
        self.pending.append(ir.Assign((name,), value, self.origin))
        return ir.Name(name)

    def call(self, function: str, node: gast.AST, *args: ir.Atom) -> ir.Call:
        """Makes a call with positional arguments."""
        return ir.Call(function, args, (), self.span(node))

    def name(self, node: gast.Name) -> ir.Atom:
        """A local variable, or what a global name means."""
        if node.id in self.renamed:
            return ir.Name(self.renamed[node.id])
        if node.id in self.local:
            variable = self.read(ir.Name(node.id), self.states.get(node.id))
            return self.now(node, variable)
        binding = self.binding(node)
        assert binding is not None
        if binding.dotted in ("builtins.True", "builtins.False", "builtins.None"):
            return ir.Const({"T": True, "F": False, "N": None}[binding.dotted[9]])
        if binding.state == "bound" and self.is_imported(node.id):
            return ir.Global(f"{self.source.module}.{node.id}")
        state = binding.state if binding.kind == "value" else None
        return self.read(ir.Global(written_as(binding, node.id)), state)

    def now(self, node: gast.expr, variable: ir.Atom) -> ir.Atom:
        """What a variable holds now: a step where it is bound anew before that is used."""
        if (node.lineno, node.col_offset) not in self.overtaken:
            return variable
        assert self.origin is not None
        step = self.fresh.step()
        self.pending.append(ir.Assign((step,), variable, self.origin))
        return ir.Name(step)

    def is_imported(self, name: str) -> bool:
        """Tells whether a module has a name from another: it keeps what that was then."""
        module = self.resolver.parsed(self.source)[0]
        entry = None if module is None else module.names.get(name)
        return isinstance(entry, bindings.ImportedName)

    def read(self, variable: ir.Name | ir.Global, state: ir.State | None) -> ir.Atom:
        """A variable; of one that functions bind or change, what it is where it is read.

        It is no step: those are computed again where they are needed.
        """
        if state is None:
            return variable
        assert self.origin is not None
        name = variable.id if isinstance(variable, ir.Name) else variable.dotted
        now = self.fresh.own(name.rpartition(".")[2])
        value = ir.Call(ir.STATES[state], (variable,))
        self.pending.append(ir.Assign((now,), value, self.origin))
        return ir.Name(now)

    def kept(self, value: ir.Expression, steps: list[ir.Statement]) -> ir.Expression:
        """What a variable gets that functions in the function read: nobody may see through it.

        What it needs before goes to some steps.
        """
        if isinstance(value, ir.Opaque) or (
            isinstance(value, ir.Call) and value.function in ("python.dict", "python.list")
        ):
            return value
        if isinstance(value, ir.Call):
            assert self.origin is not None
            step = self.fresh.step()
            steps.append(ir.Assign((step,), value, self.origin))
            value = ir.Name(step)
        return ir.Call(ir.STATES["bound"], (value,))

    def binding(self, node: gast.expr) -> Binding | None:
        """What a dotted expression over a global name means; None for anything else."""
        match node:
            case gast.Name() if node.id not in self.local and node.id not in self.renamed:
                found = self.imports.get(node.id) or self.resolver.name(self.source, node.id)
                if found.kind == "module":
                    self.aliases.setdefault(found.dotted, node.id)
                return found
            case gast.Attribute():
                owner = self.binding(node.value)
                if owner is None or owner.kind == "missing":
                    return owner
                if owner.kind in ("class", "function"):  # whose attributes a program may set
                    return None
                found = self.resolver.attribute(owner, node.attr)
                if found.kind == "missing" and owner.kind == "value":
                    return None
                return found
        return None

    def is_class(self, node: gast.expr) -> bool:
        """Tells whether an expression is a user's class: its methods are not those of arrays."""
        binding = self.binding(node)
        return binding is not None and binding.kind == "class"

    def has_state(self, node: gast.Name) -> bool:
        """Tells whether functions bind or change what a name of the module stands for."""
        binding = self.binding(node)
        return binding is not None and binding.state is not None

    def generator(self, node: gast.expr) -> gast.FunctionDef | None:
        """The definition of a user's function that an expression names, if it is a generator."""
        binding = self.binding(node)
        if binding is None or binding.kind != "function":
            return None
        found = self.resolver.definition(binding.dotted)
        tree = None if found is None else found.node
        is_generator = tree is not None and any(exits.yields(tree.body))
        return tree if is_generator else None

    def meaning(self, node: gast.expr) -> str | None:
        """The dotted name of what an expression refers to, if it is no variable."""
        binding = self.binding(node)
        return None if binding is None else binding.dotted


def _is_literal(text: str, value: complex) -> bool:
    """Tells whether a text is a literal of a number."""
    try:
        return NUMBER.fullmatch(text) is not None and trees.literal(text) == value
    except SyntaxError:
        return False
