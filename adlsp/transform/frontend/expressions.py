"""From the tree of a function to the intermediate form: expressions.

Each operation becomes one step with a name of its own, so that arguments are always atoms. The
steps of one user statement share its origin; the printer puts them together again where nobody
needs their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType

import gast

from adlsp.transform import ir
from adlsp.transform.findings import language, mutation, reading
from adlsp.transform.findings.vocabulary import Found
from adlsp.transform.frontend import repairs, scope, sequences, stars, unread
from adlsp.transform.frontend.resolve import Binding, Resolver, written_as
from adlsp.transform.source import Source, Span

OPERATIONS = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.BitAnd: "and_",
    gast.BitOr: "or_",
    gast.BitXor: "xor",
    gast.LShift: "lshift",
    gast.RShift: "rshift",
}
UNARY = {gast.USub: "neg", gast.UAdd: "pos", gast.Invert: "invert", gast.Not: "not_"}
COMPARISONS = {
    gast.Eq: "operator.eq",
    gast.NotEq: "operator.ne",
    gast.Lt: "operator.lt",
    gast.LtE: "operator.le",
    gast.Gt: "operator.gt",
    gast.GtE: "operator.ge",
    gast.Is: "operator.is_",
    gast.IsNot: "operator.is_not",
    gast.In: "python.in",
    gast.NotIn: "python.not_in",
}
COMBINING = {"builtins.zip", "builtins.enumerate", "builtins.reversed"}
"""Iterables made of others."""

CONSUMERS = {f"builtins.{name}" for name in ("list", "max", "min", "sum", "tuple")}
"""Functions that run through an iterable from its start to its end, and keep nothing of it."""

ITERATORS = {
    "builtins.filter",
    "builtins.map",
    "itertools.accumulate",
    "itertools.chain",
    "itertools.combinations",
    "itertools.islice",
    "itertools.permutations",
    "itertools.product",
    "itertools.starmap",
    "numpy.ndenumerate",
    "numpy.ndindex",
}
"""What can be run through only once, and not from its end: loops run over a list of it."""

EXTREMES = {"builtins.max": "python.largest", "builtins.min": "python.smallest"}
"""What these are called where they choose one of the elements of their only argument."""

JOINING = {"numpy.c_", "numpy.r_"}
"""Objects that put together what they are indexed with, as functions put arguments together."""

UNLIKE_LOOPS = (gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom, gast.Lambda)
"""What means something else in a comprehension than in a loop."""

DISPLAYS = {gast.Tuple: "python.tuple", gast.List: "python.list", gast.Set: "python.set"}
COMPREHENSIONS = {
    gast.ListComp: "list comprehension",
    gast.SetComp: "set comprehension",
    gast.DictComp: "dict comprehension",
    gast.GeneratorExp: "generator expression",
    gast.Yield: "yield",
    gast.YieldFrom: "yield from",
    gast.Await: "await",
    gast.Starred: "starred expression",
    gast.BoolOp: "boolean operator between values",
}


REPEATABLE = ("operator", "python", "attribute", "numpy", "math", "builtins")
"""Where steps come from that give the same for the same arguments."""


class Expressions:
    """Lowers the expressions of one function, and knows its names and places."""

    def __init__(
        self,
        source: Source,
        resolver: Resolver,
        local: frozenset[str],
        imports: dict[str, Binding],
        lists: frozenset[str] = frozenset(),
        kinds: Mapping[str, str] = MappingProxyType({}),
        displays: Mapping[str, gast.expr] = MappingProxyType({}),
    ) -> None:
        self.source = source
        self.resolver = resolver
        self.local = local
        self.imports = imports
        self.lists = lists
        self.kinds = kinds
        self.displays = displays
        self.aliases: dict[str, str] = {}
        self.pending: list[ir.Statement] = []
        self.origin: Span | None = None
        self.made = 0
        self.renamed: dict[str, str] = {}
        self.effect: gast.expr | None = None
        self.nested: dict[str, str] = {}

    # places and texts

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

    # steps

    def new(self) -> str:
        """A name for one more step."""
        self.made += 1
        return ir.step(self.made)

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
        name = self.new()
        self.pending.append(ir.Assign((name,), value, self.origin))
        return ir.Name(name)

    def atom(self, node: gast.expr) -> ir.Atom:
        """Lowers an expression to an atom."""
        return self.hold(self.value(node))

    def steady(self, node: gast.expr, rebound: set[str]) -> ir.Atom:
        """What a loop runs over, where a variable that the loop binds again has a second name."""
        value = self.listed(node)
        if isinstance(value, ir.Call) and value.function in COMBINING:
            value = replace(value, args=tuple(self.second_name(a, rebound) for a in value.args))
        elif isinstance(value, ir.Name):
            return self.second_name(value, rebound)
        return self.hold(value)

    def listed(self, node: gast.expr) -> ir.Expression:
        """An expression that is run through; a list of what can be run through only once."""
        rows = stars.transposed(node)
        if rows is not None and self.meaning(node.func) == "builtins.zip":
            return self.call("python.transposed", node, self.atom(rows))
        form = self.mapping(node)
        value = self.value(node) if form is None else self.comprehension(form, node)
        if isinstance(value, ir.Call) and value.function in ITERATORS:
            return self.call("builtins.list", node, self.hold(value))
        return value

    def mapping(self, node: gast.expr) -> gast.ListComp | None:
        """`map(f, values)` as the list comprehension that gives the same."""
        match node:
            case gast.Call(func=gast.Name() as func, args=[function, values], keywords=[]):
                binding = self.binding(func)
            case _:
                return None
        if binding is None or binding.dotted != "builtins.map" or _has_star(node.args):
            return None
        match function:
            case gast.Lambda(args=gast.arguments(args=[target], posonlyargs=[], kwonlyargs=[])):
                element = function.body
            case gast.Name() | gast.Attribute():
                taken = {name.id for name in scope.free(function)}
                target = _load("each_" if "each" in taken else "each", node)
                element = gast.copy_location(gast.Call(function, [target], []), node)
            case _:
                return None
        variable = gast.copy_location(gast.Name(target.id, gast.Store(), None, None), node)
        generator = gast.comprehension(variable, values, [], 0)
        return gast.copy_location(gast.ListComp(element, [generator]), node)

    def second_name(self, atom: ir.Atom, rebound: set[str]) -> ir.Atom:
        """A step that holds the value of a variable that is bound again."""
        if not isinstance(atom, ir.Name) or atom.id not in rebound:
            return atom
        assert self.origin is not None
        step = self.new()
        self.pending.append(ir.Assign((step,), atom, self.origin))
        return ir.Name(step)

    # expressions

    def value(self, node: gast.expr) -> ir.Expression:
        """Lowers an expression; what it needs before goes to the steps."""
        match node:
            case gast.Constant():
                return ir.Const(node.value)
            case gast.Name():
                return self.name(node)
            case gast.Attribute():
                return self.attribute(node)
            case gast.UnaryOp():
                return self.unary(node)
            case gast.BinOp(op=gast.Add(), left=left, right=right) if any(
                kinds := [sequences.kind(part, self.kinds) for part in (left, right)]
            ):
                function = "python.concat" if kinds == ["list", "list"] else "python.plus"
                return self.call(function, node, self.atom(left), self.atom(right))
            case gast.BinOp(op=gast.Mult()) if sequences.kind(node, self.kinds):
                is_first = sequences.kind(node.left, self.kinds) != ""
                left, right = self.atom(node.left), self.atom(node.right)
                pair = (left, right) if is_first else (right, left)
                return self.call("python.repeat", node, *pair)
            case gast.BinOp():
                left, right = self.atom(node.left), self.atom(node.right)
                return self.call(f"operator.{OPERATIONS[type(node.op)]}", node, left, right)
            case gast.Compare(ops=[operation], comparators=[right_node]):
                left, right = self.atom(node.left), self.atom(right_node)
                return self.call(COMPARISONS[type(operation)], node, left, right)
            case gast.Compare() | gast.JoinedStr():
                return self.opaque(node, ())
            case gast.Call():
                return self.function_call(node)
            case gast.Subscript(slice=gast.Tuple(elts=parts)) if (
                (joining := self.meaning(node.value)) in JOINING
            ) and not any(map(_says_how, parts)):
                assert joining is not None
                return self.call(joining, node, self.atom(node.slice))
            case gast.Subscript():
                base = self.atom(node.value)
                return self.call("operator.getitem", node, base, self.atom(node.slice))
            case gast.Slice():
                parts = (node.lower, node.upper, node.step)
                given = [ir.Const(None) if p is None else self.atom(p) for p in parts]
                return self.call("python.slice", node, *given)
            case gast.Tuple() | gast.List() | gast.Set() if not _has_star(node.elts):
                elements = [self.atom(element) for element in node.elts]
                return self.call(DISPLAYS[type(node)], node, *elements)
            case gast.Tuple() | gast.List():
                return self.starred(node)
            case gast.Dict() if _are_distinct(node.keys):
                pairs = zip(node.keys, node.values, strict=True)
                flat = [self.atom(part) for pair in pairs for part in pair]
                return self.call("python.dict", node, *flat)
            case gast.Dict():
                return self.merged(node)
            case gast.DictComp():
                return self.comprehension(node)
            case gast.IfExp():
                return self.conditional(node)
            case gast.NamedExpr(target=gast.Name(id=target)) if target in self.local:
                assert self.origin is not None
                self.pending.append(ir.Assign((target,), self.value(node.value), self.origin))
                return ir.Name(target)
            case gast.Lambda():
                return self.opaque(node, self.closure(node, "lambda"))
            case gast.ListComp():
                return self.comprehension(node)
            case gast.BoolOp() if all(_is_decision(v) for v in node.values):
                return self.opaque(node, ())
            case gast.BoolOp() if not any(isinstance(n, UNLIKE_LOOPS) for n in gast.walk(node)):
                return self.choice(node)
        construct = COMPREHENSIONS.get(type(node), type(node).__name__)
        finding = Found(language.UnsupportedStatement(construct), self.span(node))
        return self.opaque(node, (finding,))

    def call(self, function: str, node: gast.AST, *args: ir.Atom) -> ir.Call:
        """Makes a call with positional arguments."""
        return ir.Call(function, args, (), self.span(node))

    def name(self, node: gast.Name) -> ir.Atom:
        """A local variable, or what a global name means."""
        if node.id in self.renamed:
            return ir.Name(self.renamed[node.id])
        if node.id in self.local:
            return ir.Name(node.id)
        binding = self.binding(node)
        assert binding is not None
        if binding.dotted in ("builtins.True", "builtins.False", "builtins.None"):
            return ir.Const({"T": True, "F": False, "N": None}[binding.dotted[9]])
        return ir.Global(written_as(binding, node.id))

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
                if owner.kind == "class":
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

    def meaning(self, node: gast.expr) -> str | None:
        """The dotted name of what an expression refers to, if it is no variable."""
        binding = self.binding(node)
        return None if binding is None else binding.dotted

    def attribute(self, node: gast.Attribute) -> ir.Expression:
        """`module.thing`, or an attribute of a value."""
        binding = self.binding(node)
        if binding is not None:
            return ir.Global(written_as(binding, self.text(node)))
        return self.call(f"attribute.{node.attr}", node, self.atom(node.value))

    def unary(self, node: gast.UnaryOp) -> ir.Expression:
        """`-x`; a negative number is a constant."""
        operand = self.atom(node.operand)
        value = operand.value if isinstance(operand, ir.Const) else None
        if isinstance(node.op, gast.USub) and type(value) in (int, float):
            assert isinstance(value, int | float)
            return ir.Const(-value)
        return self.call(f"operator.{UNARY[type(node.op)]}", node, operand)

    def decision(self, node: gast.expr) -> ir.Atom:
        """Lowers the test of a branch; of a list, whether it has elements now."""
        test = self.truth(node)
        read = [node] if isinstance(node, gast.Name) else []
        if isinstance(node, gast.BoolOp):
            read = list(scope.free(node))
        if any(name.id in self.lists for name in read):
            return self.hold(self.call("builtins.bool", node, test))
        return test

    def truth(self, node: gast.expr) -> ir.Atom:
        """Lowers a test. Of `a and b` it is told only whether it is true: nothing is chosen."""
        if isinstance(node, gast.BoolOp) and not any(
            isinstance(n, UNLIKE_LOOPS) for n in gast.walk(node)
        ):
            return self.hold(self.opaque(node, ()))
        return self.atom(node)

    def starred(self, node: gast.Tuple | gast.List) -> ir.Expression:
        """`[*a, b]`: lists or tuples that are put together."""
        display = DISPLAYS[type(node)]
        together = "python.concat" if isinstance(node, gast.List) else "python.plus"
        parts: list[ir.Call] = []
        for element in node.elts:
            if isinstance(element, gast.Starred):
                made = display.replace("python.", "builtins.")
                parts.append(self.call(made, element, self.atom(element.value)))
            elif parts and parts[-1].function == display:
                parts[-1] = replace(parts[-1], args=(*parts[-1].args, self.atom(element)))
            else:
                parts.append(self.call(display, element, self.atom(element)))
        whole = parts[0]
        for part in parts[1:]:
            whole = self.call(together, node, self.hold(whole), self.hold(part))
        return whole

    def merged(self, node: gast.Dict) -> ir.Name:
        """`{**a, key: b}`: a dictionary into which one entry after the other is put.

        So it is with keys that may be the same, as in `{i: a, j: b}`: the last entry stays.
        """
        assert self.origin is not None
        made = self.own("entries")
        self.pending.append(ir.Assign((made,), self.call("python.dict", node), self.origin))
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self.entered(made, self.atom(value))
            else:
                self.enter(made, self.atom(key), self.atom(value))
        return ir.Name(made)

    def enter(self, name: str, key: ir.Atom, value: ir.Atom) -> None:
        """`name[key] = value`, for a dictionary."""
        assert self.origin is not None
        self.pending.append(ir.Store(name, key, value, "enter", self.origin))

    def entered(self, name: str, entries: ir.Atom) -> None:
        """Puts all entries of one dictionary into another."""
        assert self.origin is not None
        key, value = ir.Name(self.own("key")), ir.Name(self.new())
        keys = self.hold(ir.Call("ndarray.keys", (entries,)))
        read = ir.Assign((value.id,), ir.Call("operator.getitem", (entries, key)), self.origin)
        store = ir.Store(name, key, value, "enter", self.origin)
        self.pending.append(ir.For(key.id, keys, (read, store), self.origin))

    def conditional(self, node: gast.IfExp) -> ir.Expression:
        """`a if test else b`: a branch that sets one step."""
        assert self.origin is not None
        origin, name = self.origin, self.new().replace("%t:", "%v:")
        test = self.decision(node.test)
        branches = []
        for part in (node.body, node.orelse):
            with self.steps(origin) as steps:
                value = self.value(part)
                branches.append((*steps, ir.Assign((name,), value, origin)))
        self.pending.append(ir.If(test, branches[0], branches[1], origin))
        return ir.Name(name)

    def choice(self, node: gast.BoolOp) -> ir.Opaque:
        """`a or b`, `a and b` as it was written, and as branches that choose one of the values."""
        construct = COMPREHENSIONS[gast.BoolOp]
        kept = self.opaque(
            node, (Found(language.UnsupportedStatement(construct), self.span(node)),)
        )
        chosen = self.new().replace("%t:", "%v:")
        with self.steps(self.origin or self.span(node)) as steps:
            self.choose(node.values, chosen, goes_on=isinstance(node.op, gast.And))
        return replace(kept, unfolded=(tuple(steps), ir.Name(chosen)))

    def choose(self, values: list[gast.expr], chosen: str, *, goes_on: bool) -> None:
        """Takes the first value, and another where the truth of that one says to go on."""
        first, *others = values
        origin = self.origin
        assert origin is not None
        self.pending.append(ir.Assign((chosen,), self.value(first), origin))
        if others:
            with self.steps(origin) as further:
                self.choose(others, chosen, goes_on=goes_on)
            block: ir.Block = tuple(further)
            body, orelse = (block, ()) if goes_on else ((), block)
            self.pending.append(ir.If(ir.Name(chosen), body, orelse, origin))

    def comprehension(
        self,
        node: gast.ListComp | gast.GeneratorExp | gast.DictComp,
        written: gast.expr | None = None,
    ) -> ir.Opaque:
        """A comprehension as it was written, and as a loop that fills a list or dictionary.

        Its variables are its own; in the loop they have names that no other variable has.
        """
        construct = COMPREHENSIONS[type(node)]
        kept = self.opaque(
            written or node, (Found(language.UnsupportedStatement(construct), self.span(node)),)
        )
        is_plain = all(not g.is_async and _is_target(g.target) for g in node.generators)
        if not is_plain or any(isinstance(n, UNLIKE_LOOPS) for n in gast.walk(node)):
            return kept
        is_dict = isinstance(node, gast.DictComp)
        values = self.own("entries" if is_dict else "values")
        empty = ir.Call("python.dict" if is_dict else "python.list")
        outer, self.renamed = self.renamed, dict(self.renamed)
        with self.steps(self.span(node)) as steps:
            steps.append(ir.Assign((values,), empty, self.span(node)))
            self.generate(node.generators, node, values)
        self.renamed = outer
        return replace(kept, unfolded=(tuple(steps), ir.Name(values)))

    def generate(
        self,
        generators: list[gast.comprehension],
        node: gast.ListComp | gast.GeneratorExp | gast.DictComp,
        values: str,
    ) -> None:
        """The loops of a comprehension, the first around the others; the last fills."""
        origin = self.origin
        assert origin is not None
        if not generators and isinstance(node, gast.DictComp):
            self.enter(values, self.atom(node.key), self.atom(node.value))
            return
        if not generators:
            assert not isinstance(node, gast.DictComp)
            self.pending.append(ir.resized(values, "append", self.atom(node.elt), origin))
            return
        first, *others = generators
        iterable = self.hold(self.listed(first.iter))
        with self.steps(origin) as body:
            target = self.element(first.target)
            self.chosen(first.ifs, others, node, values)
        self.pending.append(ir.For(target, iterable, tuple(body), origin))

    def chosen(
        self,
        tests: list[gast.expr],
        generators: list[gast.comprehension],
        node: gast.ListComp | gast.GeneratorExp | gast.DictComp,
        values: str,
    ) -> None:
        """What a comprehension does where its conditions hold."""
        if not tests:
            self.generate(generators, node, values)
            return
        assert self.origin is not None
        test = self.atom(tests[0])
        with self.steps(self.origin) as body:
            self.chosen(tests[1:], generators, node, values)
        self.pending.append(ir.If(test, tuple(body), (), self.origin))

    def element(self, target: gast.expr) -> str:
        """A name for the elements of a loop in a comprehension; parts get names by more steps."""
        if isinstance(target, gast.Name):
            self.renamed[target.id] = self.own(target.id)
            return self.renamed[target.id]
        assert isinstance(target, gast.Tuple | gast.List)
        assert self.origin is not None
        step = self.new()
        place = len(self.pending)
        names = tuple(self.element(part) for part in target.elts)
        unpacked = ir.Assign(names, ir.Name(step), self.origin, is_tuple=True)
        self.pending.insert(place, unpacked)
        return step

    def own(self, name: str) -> str:
        """A variable of ours, for which a user's name is a good one."""
        self.made += 1
        return f"%u:{self.made}:{name}"

    def function_call(self, node: gast.Call) -> ir.Expression:
        """A call of a function, a method, or of what a variable holds."""
        binding = self.binding(node.func)
        is_nested = isinstance(node.func, gast.Name) and node.func.id in self.nested
        is_users = is_nested or (binding is not None and binding.kind == "function")
        if stars.has_stars(node):
            are_alike = binding.dotted in EXTREMES if binding else stars.takes_tuple(node.func)
            node = stars.written_out(node, self.displays, are_alike=are_alike)
            node = stars.gathered(node) if is_users else node
        starred = [a for a in node.args if isinstance(a, gast.Starred)]
        unpacked = [*starred, *(k.value for k in node.keywords if k.arg is None)]
        if unpacked and not is_users:
            shown = f"{'' if starred else '**'}{self.text(unpacked[0])}"
            finding = reading.UnsupportedArgument(self.text(node.func), shown)
            return self.opaque(node, (Found(finding, self.span(unpacked[0])),))
        out = next((k for k in node.keywords if k.arg == "out"), None)
        if out is not None and (binding is None or binding.kind != "function"):
            written = mutation.OutArgument(self.text(node.func), self.text(out.value))
            given = (n.id for n in scope.free(out.value))
            changed = tuple(
                self.renamed.get(n, n) for n in given if n in self.local or n in self.renamed
            )
            fix = repairs.assign_result(self.source, node, out) if node is self.effect else None
            return self.opaque(node, (Found(written, self.span(out), fix=fix),), changed)
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="pop"), args=[]) if (
                name in self.lists and not node.keywords
            ):
                return self.popped(node, name)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name) as copied, attr="copy"), args=[]
            ) if self.kinds.get(name) in ("list", "dict"):
                return self.call(f"builtins.{self.kinds[name]}", node, self.atom(copied))
        before: tuple[ir.Atom, ...] = ()
        if binding is not None:
            function = written_as(binding, self.text(node.func))
        elif isinstance(node.func, gast.Attribute) and not self.is_class(node.func.value):
            function, before = f"ndarray.{node.func.attr}", (self.atom(node.func.value),)
        elif isinstance(node.func, gast.Name) and node.func.id in self.nested:
            function, before = self.nested[node.func.id], (self.atom(node.func),)
        else:
            function, before = "python.call", (self.atom(node.func),)
        plain = [a for a in node.args if not isinstance(a, gast.Starred)]
        args = tuple(self.argument(argument, function) for argument in plain)
        keywords = tuple((self.text(a), self.atom(a.value)) for a in starred)
        for keyword in node.keywords:
            if function == "builtins.zip" and keyword.arg == "strict":
                continue
            name = keyword.arg or f"**{self.text(keyword.value)}"
            keywords += ((name, self.atom(keyword.value)),)
        if function in EXTREMES and not starred and not keywords:
            return self.extreme(node, function, args)
        if function == "numpy.meshgrid" and not starred:
            together = self.hold(self.call("python.tuple", node, *args))
            return ir.Call("python.meshgrid", (together,), keywords, self.span(node))
        if function == "ndarray.pop" and isinstance(before[0], ir.Name):
            return self.taken(ir.Call(function, before + args, keywords, self.span(node)))
        if function == "builtins.dict" and not args and not starred:
            named = [(k.arg, atom) for k, (_, atom) in zip(node.keywords, keywords, strict=True)]
            if all(key is not None for key, _ in named):
                flat = [part for key, atom in named for part in (ir.Const(key), atom)]
                return self.call("python.dict", node, *flat)
        return ir.Call(function, before + args, keywords, self.span(node))

    def extreme(self, node: gast.Call, function: str, args: tuple[ir.Atom, ...]) -> ir.Call:
        """`max(values)`, or `max` of two values and then of the result and more."""
        if len(args) == 1:
            return self.call(EXTREMES[function], node, *args)
        first, *others = args
        for other in others[:-1]:
            first = self.hold(self.call(function, node, first, other))
        return self.call(function, node, first, *others[-1:])

    def taken(self, call: ir.Call) -> ir.Atom:
        """`name.pop(place)`: it is no step, as what `popped` gives is none."""
        assert self.origin is not None
        taken = self.new().replace("%t:", "%v:")
        self.pending.append(ir.Assign((taken,), call, self.origin))
        return ir.Name(taken)

    def popped(self, node: gast.Call, name: str) -> ir.Atom:
        """`name.pop()`: the last element, which the list loses.

        It is no step: those are computed again where they are needed, but the list has changed.
        """
        assert self.origin is not None
        last = self.new().replace("%t:", "%v:")
        value = self.call("operator.getitem", node, ir.Name(name), ir.Const(-1))
        self.pending.append(ir.Assign((last,), value, self.origin))
        self.pending.append(ir.resized(name, "pop", ir.Const(None), self.origin))
        return ir.Name(last)

    def argument(self, node: gast.expr, function: str) -> ir.Atom:
        """An argument of a call; a generator that the call runs through is like a list."""
        if isinstance(node, gast.GeneratorExp) and function in CONSUMERS:
            return self.hold(self.comprehension(node))
        if function in CONSUMERS or function in COMBINING:
            return self.hold(self.listed(node))
        return self.atom(node)

    # what stays as it was written

    def opaque(
        self,
        node: gast.AST,
        findings: tuple[Found, ...],
        writes: tuple[str, ...] = (),
    ) -> ir.Opaque:
        """Keeps a tree, with what its names mean, and what it does to them."""
        reads: dict[str, None] = {}
        outside: dict[str, str] = {}
        for stored in scope.bound([node]) if isinstance(node, gast.stmt) else ():
            if stored not in self.local:
                outside[stored] = f"{self.source.module}.{stored}"
        reads.update(dict.fromkeys(sorted(scope.nonlocals(node) & self.local)))
        for name in scope.free(node):
            if name.id in self.renamed or name.id in self.local:
                reads[self.renamed.get(name.id, name.id)] = None
            else:
                binding = self.binding(name)
                assert binding is not None
                outside[name.id] = written_as(binding, name.id)
        return ir.Opaque(
            node,
            tuple(reads),
            writes,
            tuple(outside.items()),
            findings,
            self.span(node),
            tuple(self.renamed.items()),
            changes=self.changes(node, writes),
            calls=tuple(unread.calls(node, self)),
            holds=tuple(unread.holds(node, self)),
        )

    def changes(self, node: gast.AST, writes: tuple[str, ...]) -> tuple[str, ...]:
        """Those names that a tree does more to than binding them."""
        if not isinstance(node, gast.stmt):
            return writes
        changed = scope.changed(node) | scope.augmented(node) | scope.nonlocals(node)
        return tuple(name for name in writes if name in changed)

    def closure(
        self, node: gast.AST, name: str, outer: gast.FunctionDef | None = None
    ) -> tuple[Found, ...]:
        """The findings of a nested function: each local variable of ours that it captures."""
        captured: dict[str, Span] = {}
        for variable in scope.free(node):
            if variable.id in self.local and variable.id != name:
                captured.setdefault(variable.id, self.span(variable))
        rebound = sorted(scope.nonlocals(node) & self.local)
        for variable in rebound:
            captured.setdefault(variable, self.keyword_span(node, "def"))
        fix = None
        if outer is not None and isinstance(node, gast.FunctionDef) and not rebound:
            is_taken = self.resolver.name(self.source, name).kind != "missing"
            fix = None if is_taken else repairs.hoist(self.source, outer, node, captured)
        return tuple(
            Found(language.Closure(variable, name), place, fix=fix)
            for variable, place in captured.items()
        )

    def default(self, node: gast.expr) -> ir.Atom | ir.Opaque:
        """The default of a parameter: a constant or global, or the expression that computes it.

        A name with a mark stands for one that may be another thing each time it is computed.
        """
        outside = Expressions(self.source, self.resolver, frozenset(), {})
        outside.aliases = self.aliases
        with outside.steps(self.span(node)) as steps:
            atom = outside.atom(node)
        if not steps and not isinstance(atom, ir.Name):
            return atom
        if all(map(_is_repeatable, steps)):
            return outside.opaque(node, ())
        return ir.Global(f"?{self.text(node)}")


def _is_repeatable(step: ir.Statement) -> bool:
    """Tells whether a step gives the same whenever it is done."""
    match step:
        case ir.Assign(value=ir.Call(function=function) as call):
            used = [function, *(a.dotted for a in call.atoms if isinstance(a, ir.Global))]
            is_other = function.startswith("numpy.random.") or function == "python.call"
            is_known = function.partition(".")[0] in REPEATABLE
            return is_known and not (is_other or any(name[0] == "?" for name in used))
    return False


def _load(name: str, node: gast.expr) -> gast.Name:
    """The tree that reads a variable, at the place of another tree."""
    return gast.copy_location(gast.Name(name, gast.Load(), None, None), node)


def _has_star(elements: list[gast.expr]) -> bool:
    return any(isinstance(element, gast.Starred) for element in elements)


def _says_how(node: gast.expr) -> bool:
    """Tells whether a part of `np.r_[…]` is a range, or text that says how to put together."""
    is_text = isinstance(node, gast.Constant) and isinstance(node.value, str)
    return is_text or isinstance(node, gast.Slice | gast.Starred)


def _are_distinct(keys: list[gast.expr | None]) -> bool:
    """Tells whether the keys of a dictionary are surely different; None stands for `**entries`."""
    literals = {key.value for key in keys if isinstance(key, gast.Constant)}
    return None not in keys and len(keys) in (1, len(literals))


def _is_decision(node: gast.expr) -> bool:
    """Tells whether an expression surely gives a truth value, which has no derivative."""
    match node:
        case gast.Compare():
            return True
        case gast.UnaryOp(op=gast.Not()):
            return True
        case gast.BoolOp():
            return all(_is_decision(v) for v in node.values)
        case gast.Constant():
            return isinstance(node.value, bool)
    return False


def _is_target(node: gast.expr) -> bool:
    """Tells whether a target is made of names."""
    match node:
        case gast.Name():
            return True
        case gast.Tuple() | gast.List():
            return all(_is_target(part) for part in node.elts)
    return False
