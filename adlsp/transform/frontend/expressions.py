"""From the tree of a function to the intermediate form: expressions.

This is lowering to three-address code (A-normal form). Each operation becomes one step with a name
of its own, so that arguments are always atoms. The steps of one user statement share its origin;
the printer puts them together again where nobody needs their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import gast

from adlsp.transform import ir
from adlsp.transform.diagnostics import language, mutation, reading
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Fix
from adlsp.transform.frontend import (
    changing,
    classes,
    decorators,
    fix_its,
    hoisting,
    scope,
    sequences,
    starred_arguments,
    unlowered_effects,
    walks,
)
from adlsp.transform.frontend.comprehensions import (
    COMPREHENSIONS,
    UNLIKE_LOOPS,
    has_star,
    loaded,
)
from adlsp.transform.frontend.iterating import Iterating
from adlsp.transform.frontend.lowering_context import Method
from adlsp.transform.frontend.resolve import Binding, written_as
from adlsp.transform.ir import signs, targets
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Effect, Kind, Result, Runs, Shape
from adlsp.transform.source import Span


def _is_plain_part(part: gast.expr) -> bool:
    """Tells whether a part of `f"W{i + 1}"` is a text, or gives what `str` does of something."""
    match part:
        case gast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return _is_plain(value)
    return isinstance(part, gast.Constant)


def _is_plain(node: gast.expr) -> bool:
    """Tells whether an expression is made of variables, constants and operators only."""
    match node:
        case gast.BinOp(left=left, right=right):
            return _is_plain(left) and _is_plain(right)
        case gast.Attribute(value=value):
            return isinstance(value, gast.Name)
    return isinstance(node, gast.Name | gast.Constant)


def _is_of_flat(node: gast.Subscript) -> bool:
    """Tells whether a part is read of what runs through an array, `a.flat[1:3]`: it is no view."""
    match node:
        case gast.Subscript(value=gast.Attribute(attr="flat"), slice=gast.Slice()):
            return True
    return False


def _parsed(sign: str) -> gast.expr:
    """What Python reads in a sign between two operands, or before one."""
    body: gast.expr = gast.parse(sign, mode="eval").body
    return body


BETWEEN = [(name, _parsed(f"a {sign} b")) for name, sign in signs.INFIX.items()]
OPERATIONS = {type(tree.op): name for name, tree in BETWEEN if isinstance(tree, gast.BinOp)}
COMPARISONS = {type(tree.ops[0]): n for n, tree in BETWEEN if isinstance(tree, gast.Compare)}
UNARY = {type(_parsed(f"{sign}a").op): name for name, sign in signs.PREFIX.items()}

EXTREMES = {spoken: name for name, spoken in signs.CHOOSING.items()}
"""What these are called where they choose one of the elements of their only argument."""

ONE_BY_ONE = frozenset(("numpy.atleast_1d", "numpy.atleast_2d", "numpy.atleast_3d"))
"""Functions of which a call with several arguments gives what they give for each."""


DISPLAYS = {gast.Tuple: "python.tuple", gast.List: "python.list", gast.Set: "python.set"}


OF_USERS = ("function", "class")
"""What may be called with stars: the program tells what it takes."""

REDUCE = "functools.reduce"

FOLDING = (Shape.REDUCED, Shape.FOLDED)
"""What the shapes are like of what `where` leaves out elements."""

REPEATABLE = ("operator", "python", "attribute", "numpy", "math", "builtins")
"""Where steps come from that give the same for the same arguments."""


class Expressions(Iterating):
    """Lowers the expressions of one function."""

    def value(self, node: gast.expr) -> ir.Expression:
        """Lowers an expression; what it needs before goes to the steps."""
        match node:
            case gast.Constant():
                return self.constant(node)
            case gast.Name():
                return self.name(node)
            case gast.Attribute():
                return self.attribute(node)
            case gast.UnaryOp():
                return self.unary(node)
            case gast.JoinedStr(values=[*parts]) if all(map(_is_plain_part, parts)):
                return self.call("python.text", node, *map(self.text_part, parts))
            case gast.JoinedStr():
                finding = Diagnostic(language.UnsupportedStatement(language.TEXT), self.span(node))
                return self.opaque(node, (finding,))
            case gast.BinOp(op=gast.Add(), left=left, right=right) if any(
                kinds := [sequences.kind(part, self.kinds) for part in (left, right)]
            ):
                function = "python.concat" if kinds == [Kind.LIST, Kind.LIST] else "python.plus"
                return self.call(function, node, self.atom(left), self.atom(right))
            case gast.BinOp(op=gast.Mult()) if sequences.kind(node, self.kinds):
                is_first = sequences.kind(node.left, self.kinds) is not None
                left, right = self.atom(node.left), self.atom(node.right)
                pair = (left, right) if is_first else (right, left)
                return self.call("python.repeat", node, *pair)
            case gast.BinOp(op=gast.BitOr()) if sequences.kind(node, self.kinds):
                return self.merged(sequences.together(node, node.left, node.right))
            case gast.BinOp():
                left, right = self.atom(node.left), self.atom(node.right)
                return self.call(OPERATIONS[type(node.op)], node, left, right)
            case gast.Compare(ops=[operation], comparators=[right_node]):
                left, right = self.atom(node.left), self.atom(right_node)
                return self.call(COMPARISONS[type(operation)], node, left, right)
            case gast.Compare():
                return self.opaque(node, ())
            case gast.Call():
                if kept := self.shared(node) or self.standing_for(node):
                    return kept
                if (chosen := self.with_fallback(node)) is not None:
                    return self.value(chosen)
                form = self.paired(node)
                return self.function_call(node) if form is None else self.comprehension(form, node)
            case gast.Subscript(slice=gast.Tuple(elts=parts)) if (
                (joining := self.meaning(node.value)) in signs.JOINING
            ) and not any(map(_says_how, parts)):
                assert joining is not None
                return self.call(joining, node, self.atom(node.slice))
            case gast.Subscript():
                base = self.lasting(node.value)
                if isinstance(base, ir.Name) and base.id in self.assigned:
                    base = self.hold(self.call("ndarray.read_value", node.value, base))
                part = self.call("operator.getitem", node, base, self.atom(node.slice))
                is_copy = _is_of_flat(node) and self.binding(node.value) is None
                return self.call("adlsp.runtime.copy", node, self.hold(part)) if is_copy else part
            case gast.Slice():
                parts = (node.lower, node.upper, node.step)
                given = [ir.Const(None) if p is None else self.atom(p) for p in parts]
                return self.call("python.slice", node, *given)
            case gast.Tuple() | gast.List() | gast.Set() if not has_star(node.elts):
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
                return self.now(node, ir.Name(target))
            case gast.Lambda():
                kept = self.opaque(node, self.closure(node, "lambda"))
                return replace(kept, function=self.own_function(node))
            case gast.ListComp():
                return self.comprehension(node)
            case gast.BoolOp() if scope.bound([node]) & self.local and not _is_unlike_branches(
                node
            ):
                chosen = self.fresh.merged()
                self.choose(node.values, chosen, goes_on=isinstance(node.op, gast.And))
                return ir.Name(chosen)
            case gast.BoolOp() if all(_is_decision(v) for v in node.values):
                return self.tested(node)
            case gast.BoolOp() if not any(isinstance(n, UNLIKE_LOOPS) for n in walks.over(node)):
                return self.choice(node, node.values)
        construct = COMPREHENSIONS.get(type(node), type(node).__name__)
        finding = Diagnostic(language.UnsupportedStatement(construct), self.span(node))
        return self.opaque(node, (finding,))

    def attribute(self, node: gast.Attribute) -> ir.Expression:
        """`module.thing`, or an attribute of a value."""
        binding = self.binding(node)
        if binding is not None:
            state = binding.state if binding.kind == "value" else None
            return self.read(ir.Global(written_as(binding, self.text(node))), state)
        if (of_class := self.as_type(node)) is not None:
            return self.value(of_class)
        if ir.is_mutator(node.attr):
            return self.bound_method(node)
        held = self.held(node)
        if held is not None:
            closed = (language.Closure(own, self.text(node)) for _, own in held.captured)
            found = tuple(Diagnostic(each, self.span(node)) for each in closed)
            return replace(self.opaque(node, found), function=held)
        fields = self.fields(node.value)
        if node.attr in fields:
            place = ir.Const(fields.index(node.attr))
            return self.call("operator.getitem", node, self.atom(node.value), place)
        owner, atom = self.binding(node.value), self.atom(node.value)
        if owner is not None and owner.kind != "value" and isinstance(atom, ir.Global):
            atom = self.read(atom, owner.state)
        return self.call(f"attribute.{node.attr}", node, atom)

    def as_type(self, node: gast.expr) -> gast.Call | None:
        """`value.__class__` as `type(value)`; None for all else."""
        match node:
            case gast.Attribute(value=owner, attr="__class__") if self.binding(owner) is None:
                asking = loaded("type", node)
                if self.meaning(asking) == "builtins.type":
                    return gast.copy_location(gast.Call(asking, [owner], []), node)
        return None

    def fields(self, node: gast.expr) -> tuple[str, ...]:
        """What the elements of a named tuple are called, if an expression is surely one."""
        if isinstance(node, gast.Name):
            node = self.calls.get(node.id, node)
        called = self.meaning(node.func) if isinstance(node, gast.Call) else None
        return () if called is None else records.said(called).fields

    def bound_method(self, node: gast.Attribute) -> ir.Opaque:
        """`x.append` that is passed on: who calls it, and when, the text does not tell."""
        finding = Diagnostic(language.FunctionValue(self.text(node)), self.span(node))
        owners = {self.renamed.get(n.id, n.id) for n in scope.free(node)} & self.local
        return self.opaque(node, (finding,), tuple(sorted(owners)))

    def unary(self, node: gast.UnaryOp) -> ir.Expression:
        """`-x`; a negative number is a constant."""
        operand = self.atom(node.operand)
        match node.op, operand:
            case gast.USub(), ir.Const(int() | float() as value, text) if type(value) is not bool:
                is_spelled = text is not None and not text.startswith("-")
                return ir.Const(-value, f"-{text}" if is_spelled else None)
        return self.call(UNARY[type(node.op)], node, operand)

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
        node = self.of_either(node)
        if not isinstance(node, gast.BoolOp):
            return self.atom(node)
        if not any(isinstance(n, UNLIKE_LOOPS) for n in walks.over(node)):
            return self.hold(self.tested(node))
        values = [*map(self.of_list, node.values)]
        return self.atom(gast.copy_location(gast.BoolOp(node.op, values), node))

    def of_either(self, node: gast.expr) -> gast.expr:
        """`isinstance(v, A) or isinstance(v, B)` as `isinstance(v, (A, B))`."""
        if not isinstance(node, gast.BoolOp) or not isinstance(node.op, gast.Or):
            return node
        kinds: list[gast.expr] = []
        asked = set[str]()
        for each in node.values:
            match each:
                case gast.Call(func=gast.Name() as called, args=[gast.Name(id=name), kind]) if (
                    not each.keywords and self.meaning(called) == "builtins.isinstance"
                ):
                    asked.add(name)
                    kinds += kind.elts if isinstance(kind, gast.Tuple) else [kind]
                case _:
                    return node
        if len(asked) > 1:
            return node
        first = node.values[0]
        assert isinstance(first, gast.Call)
        both = gast.copy_location(gast.Tuple(kinds, gast.Load()), node)
        return gast.copy_location(gast.Call(first.func, [first.args[0], both], []), node)

    def of_list(self, node: gast.expr) -> gast.expr:
        """A test of a list is whether it has elements now: `bool(xs)`, which is no name of it."""
        called = loaded("bool", node)
        is_list = isinstance(node, gast.Name) and self.kinds.get(node.id) is Kind.LIST
        if not is_list or self.meaning(called) != "builtins.bool":
            return node
        return gast.copy_location(gast.Call(called, [node], []), node)

    def tested(self, node: gast.BoolOp) -> ir.Opaque:
        """`a and b` where only its truth counts: calls in it may change something by steps."""
        calls = (self.binding(call.func) for call in scope.calls(node))
        if any(called is None or called.kind == "function" for called in calls):
            return replace(self.choice(node, map(self.of_list, node.values)), findings=())
        return self.opaque(node, ())

    def starred(self, node: gast.Tuple | gast.List) -> ir.Expression:
        """`[*a, b]`: lists or tuples that are put together."""
        display = DISPLAYS[type(node)]
        together = "python.concat" if isinstance(node, gast.List) else "python.plus"
        parts: list[ir.Call] = []
        for element in node.elts:
            if isinstance(element, gast.Starred):
                made = display.replace("python.", "builtins.")
                parts.append(self.call(made, element, self.argument(element.value, made)))
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
        made = self.fresh.own("entries")
        pairs = [*zip(node.keys, node.values, strict=True)]
        first = self.call("python.dict", node)
        if pairs[0][0] is None:
            first = self.call("builtins.dict", node, self.atom(pairs.pop(0)[1]))
        self.pending.append(ir.Assign((made,), first, self.origin))
        for key, value in pairs:
            if key is None:
                self.entered(made, self.atom(value))
            else:
                self.enter(made, self.atom(key), self.atom(value))
        return ir.Name(made)

    def enter(self, name: str, key: ir.Atom, value: ir.Atom) -> None:
        """`name[key] = value`, for a dictionary."""
        assert self.origin is not None
        self.pending.append(ir.Store(name, key, value, ir.StoreKind.ENTER, self.origin))

    def entered(self, name: str, entries: ir.Atom) -> None:
        """Puts all entries of one dictionary into another."""
        assert self.origin is not None
        key, value = ir.Name(self.fresh.own("key")), ir.Name(self.fresh.step())
        keys = self.hold(ir.Call("ndarray.keys", (entries,)))
        read = ir.Assign((value.id,), ir.Call("operator.getitem", (entries, key)), self.origin)
        store = ir.Store(name, key, value, ir.StoreKind.ENTER, self.origin)
        self.pending.append(ir.For(key.id, keys, (read, store), self.origin))

    def conditional(self, node: gast.IfExp) -> ir.Expression:
        """`a if test else b`: a branch that sets one step."""
        assert self.origin is not None
        origin, name = self.origin, self.fresh.merged()
        test = self.decision(node.test)
        branches = []
        for part in (node.body, node.orelse):
            with self.steps(origin) as steps:
                value = self.value(part)
                branches.append((*steps, ir.Assign((name,), value, origin)))
        self.pending.append(ir.If(test, branches[0], branches[1], origin))
        return ir.Name(name)

    def with_shapes(self, node: gast.Call, findings: tuple[Diagnostic, ...]) -> ir.Opaque:
        """Keeps a call as it was written, with steps for the shapes that it is given with stars.

        So it depends on them, and not on the elements of arrays: `rs.randn(*x.shape)`.
        """
        outer, self.renamed = self.renamed, dict(self.renamed)
        assert self.origin is not None
        args: list[gast.expr] = []
        for at, argument in enumerate(node.args):
            match argument:
                case gast.Starred(value=value) if starred_arguments.is_shape(value):
                    self.renamed[f"<{at}>"] = self.fresh.step("shape")
                    held = ir.Assign((self.renamed[f"<{at}>"],), self.value(value), self.origin)
                    self.pending.append(held)
                    name = gast.copy_location(gast.Name(f"<{at}>", gast.Load(), None, None), value)
                    args.append(gast.copy_location(gast.Starred(name, gast.Load()), argument))
                case _:
                    args.append(argument)
        kept = self.opaque(
            gast.copy_location(gast.Call(node.func, args, node.keywords), node), findings
        )
        self.renamed = outer
        method = f"ndarray.{node.func.attr}" if isinstance(node.func, gast.Attribute) else ""
        if ir.changes_first(method):
            return kept
        # as without a star: of a method with a result it is not known that it changes its object
        return replace(kept, calls=tuple(each for each in kept.calls if each[0] != method))

    def with_star(self, node: gast.Call, function: str, kept: ir.Opaque) -> ir.Opaque:
        """`f(a, *values)` as it was written, and as a call whose last argument has a star."""
        origin = self.origin or self.span(node)
        with self.steps(origin) as steps:
            given = [a.value if isinstance(a, gast.Starred) else a for a in node.args]
            *args, values = map(self.atom, given)
            named = ((str(each.arg), self.atom(each.value)) for each in node.keywords)
            starred = self.text(node.args[-1]), values
            call = ir.Call(function, tuple(args), (starred, *named), self.span(node))
            made = self.fresh.step()
            steps.append(ir.Assign((made,), call, origin))
        return replace(kept, unfolded=(tuple(steps), ir.Name(made)))

    def choice(self, node: gast.BoolOp, values: Iterable[gast.expr]) -> ir.Opaque:
        """`a or b`, `a and b` as it was written, and as branches that choose one of the values."""
        construct = COMPREHENSIONS[gast.BoolOp]
        kept = self.opaque(
            node, (Diagnostic(language.UnsupportedStatement(construct), self.span(node)),)
        )
        chosen = self.fresh.merged()
        with self.steps(self.origin or self.span(node)) as steps:
            self.choose([*values], chosen, goes_on=isinstance(node.op, gast.And))
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

    def function_call(self, node: gast.Call) -> ir.Expression:
        """A call of a function, a method, or of what a variable holds."""
        if (of_class := self.as_type(node.func)) is not None:
            anew = gast.Call(of_class, node.args, node.keywords)
            return self.function_call(gast.copy_location(anew, node))
        if isinstance(node.func, gast.Lambda) and (applied := self.immediate(node, node.func)):
            return applied
        match node.func:
            case gast.Attribute(value=function, attr="__call__"):  # `f.__call__(x)`
                return self.function_call(
                    gast.copy_location(gast.Call(function, node.args, node.keywords), node)
                )
        binding, held = self.binding(node.func), self.held(node.func)
        called = node.func.id if isinstance(node.func, gast.Name) else ""
        if called in self.aliased and called not in self.renamed:
            binding = self.aliased[node.func.id]
        is_users = held is not None or (binding is not None and binding.kind in OF_USERS)
        is_users |= binding is None and isinstance(node.func, gast.Name | gast.Attribute)
        if starred_arguments.has_stars(node):
            are_alike = (
                binding.dotted in EXTREMES if binding else starred_arguments.takes_tuple(node.func)
            )
            node = starred_arguments.unpacked(node, self.displays, are_alike=are_alike)
            node = starred_arguments.gathered(node) if is_users else node
        starred = [a for a in node.args if isinstance(a, gast.Starred)]
        unpacked = [*starred, *(k.value for k in node.keywords if k.arg is None)]
        is_dict = binding is not None and binding.dotted == "builtins.dict"
        is_merged = bool(unpacked or node.args) and len(node.args) < 2
        if is_dict and is_merged and node.keywords and not starred:
            keys = [None if k.arg is None else gast.Constant(k.arg, None) for k in node.keywords]
            named = gast.copy_location(gast.Dict(keys, [k.value for k in node.keywords]), node)
            return self.merged(sequences.together(node, *node.args, named))
        if unpacked and not is_users:
            shown = f"{'' if starred else '**'}{self.text(unpacked[0])}"
            finding = reading.UnsupportedArgument(self.text(node.func), shown)
            is_last = unpacked == node.args[-1:] and binding is not None
            found = Diagnostic(finding, self.span(unpacked[0]), is_open=is_last)
            kept = self.with_shapes(node, (found,))
            return self.with_star(node, binding.dotted, kept) if binding and is_last else kept
        out = next((k for k in node.keywords if k.arg == "out"), None)
        if out is not None and _is_nothing(out.value) and fix_its.takes_out(node, self.meaning):
            others = [keyword for keyword in node.keywords if keyword is not out]
            without = gast.Call(node.func, node.args, others)
            return self.function_call(gast.copy_location(without, node))
        if out is not None and binding is not None and (mask := self.mask(node, out, binding)):
            return self.masked(node, binding.dotted, mask, out.value)
        if out is not None and (binding is None or binding.kind != "function"):
            written = mutation.OutArgument(self.text(node.func), self.text(out.value))
            given = (n.id for n in scope.free(out.value))
            changed = tuple(
                self.renamed.get(n, n) for n in given if n in self.local or n in self.renamed
            )
            fix = self.stored_instead(node, out)
            return self.opaque(node, (Diagnostic(written, self.span(out), fix=fix),), changed)
        if binding is not None and binding.dotted == "builtins.type" and len(node.args) > 1:
            made = language.UnsupportedStatement("a class that `type` makes")
            return self.opaque(node, (Diagnostic(made, self.span(node)),))
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="pop"), args=[]) if (
                name in self.lists and not node.keywords
            ):
                return self.popped(node, name)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name) as copied, attr="copy"), args=[]
            ) if self.kinds.get(name) in (Kind.LIST, Kind.DICT):
                return self.call(f"builtins.{self.kinds[name].value}", node, self.atom(copied))
        before: tuple[ir.Atom, ...] = ()
        is_super = binding is not None and binding.dotted == ir.SUPER
        if is_super and self.method is not None and not (node.args or node.keywords):
            return self.above(node, self.method)
        if binding is not None and binding.dotted == REDUCE and len(node.args) in (2, 3):
            return self.fold(node, *node.args)
        if binding is not None:
            function = written_as(binding, self.text(node.func))
        elif held is not None:
            function, before = held.dotted, (self.holder(node.func),)
        elif isinstance(node.func, gast.Attribute) and not self.is_class(node.func.value):
            is_mutator = ir.is_mutator(node.func.attr)
            owner = (self.itself if is_mutator else self.atom)(node.func.value)
            function, before = f"ndarray.{node.func.attr}", (owner,)
        else:
            function, before = "python.call", (self.atom(node.func),)
        applied = unlowered_effects.applied(node, function)
        if applied is None or not self.is_loud(applied):
            applied = self.run_through(node, function)
        if applied is not None:
            return self.applying(node, applied)
        plain = [a for a in node.args if not isinstance(a, gast.Starred)]
        args = tuple(self.argument(argument, function) for argument in plain)
        keywords = tuple((self.text(a), self.atom(a.value)) for a in starred)
        for keyword in node.keywords:
            if function == "builtins.zip" and keyword.arg == "strict":
                continue
            name = keyword.arg or f"**{self.text(keyword.value)}"
            keywords += ((name, self.atom(keyword.value)),)
        for name, variable in () if held is None else held.captured:
            taken = self.read(ir.Name(variable), self.states.get(variable))
            keywords += ((targets.Captured(name), taken),)
        if function in EXTREMES and not starred and not keywords:
            return self.extreme(node, function, args)
        if function in ONE_BY_ONE and len(args) > 1 and not (starred or keywords):
            each = [self.hold(self.call(function, node, argument)) for argument in args]
            return self.call("python.tuple", node, *each)
        if function in signs.GIVEN_TOGETHER and not starred:
            together = self.hold(self.call("python.tuple", node, *args))
            return ir.Call(signs.GIVEN_TOGETHER[function], (together,), keywords, self.span(node))
        if function == "ndarray.pop" and isinstance(before[0], ir.Name):
            return self.taken(ir.Call(function, before + args, keywords, self.span(node)))
        if function == "builtins.dict" and not args and not starred:
            named = [(k.arg, atom) for k, (_, atom) in zip(node.keywords, keywords, strict=True)]
            if all(key is not None for key, _ in named):
                flat = [part for key, atom in named for part in (ir.Const(key), atom)]
                return self.call("python.dict", node, *flat)
        return changing.with_changed(ir.Call(function, before + args, keywords, self.span(node)))

    def immediate(self, node: gast.Call, function: gast.Lambda) -> ir.Expression | None:
        """A lambda that is called where it stands: its body, with variables for its parameters."""
        given, named = node.args, function.args
        others = (named.posonlyargs, named.kwonlyargs, named.vararg, named.kwarg, named.defaults)
        is_plain = not (any(others) or node.keywords) and len(named.args) == len(given)
        inside = (n for part in (function.body, *given) for n in walks.over(part))
        if not is_plain or any(isinstance(n, (gast.Starred, *UNLIKE_LOOPS)) for n in inside):
            return None
        values = [self.atom(argument) for argument in given]
        outer, self.renamed = self.renamed, dict(self.renamed)
        for parameter, value in zip(named.args, values, strict=True):
            self.renamed[parameter.id] = variable = self.fresh.own(parameter.id)
            self.pending.append(ir.Assign((variable,), value, self.span(node)))
        result = self.value(function.body)
        self.renamed = outer
        return result

    def fold(
        self,
        node: gast.Call,
        function: gast.expr,
        values: gast.expr,
        start: gast.expr | None = None,
    ) -> ir.Name:
        """`reduce(f, values, start)`: a loop that goes on with what `f` gives.

        Without a start it begins with the first of the values.
        """
        assert self.origin is not None
        given = self.argument(values, "builtins.list")
        total, element = self.fresh.own("total"), self.fresh.own("element")
        if start is None:
            every = self.hold(self.call("builtins.list", values, given))
            after = (ir.Const(1), ir.Const(None), ir.Const(None))
            rest = self.hold(self.call("python.slice", values, *after))
            begun: ir.Expression = self.call("operator.getitem", values, every, ir.Const(0))
            given = self.hold(self.call("operator.getitem", values, every, rest))
        else:
            begun = self.value(start)
        self.pending.append(ir.Assign((total,), begun, self.origin))
        outer, self.renamed = self.renamed, {**self.renamed, "<0>": total, "<1>": element}
        both = [gast.Name(name, gast.Load(), None, None) for name in ("<0>", "<1>")]
        call = gast.copy_location(gast.Call(function, both, []), node)
        with self.steps(self.origin) as steps:
            again = ir.Assign((total,), self.value(call), self.origin)
        self.renamed = outer
        self.pending.append(ir.For(element, given, (*steps, again), self.origin))
        return ir.Name(total)

    def above(self, node: gast.Call, method: Method) -> ir.Expression:
        """`super()` with what Python adds to it, which a derivative has not: class and object."""
        if method.home is None:
            finding = Diagnostic(
                language.UnsupportedStatement("super() in a local class"), self.span(node)
            )
            return self.opaque(node, (finding,))
        return self.call(ir.SUPER, node, ir.Global(method.home), ir.Name(method.variable))

    def held(self, node: gast.expr) -> ir.Held | None:
        """The function that a called expression holds for good: one in a function, or a method."""
        match node:
            case gast.Name(id=name) | gast.Attribute(value=gast.Name(id=name)) if (
                name in self.renamed
            ):
                return None
            case gast.Name(id=name) if name in self.nested:
                return self.nested[name]
            case gast.Name(id=name) if self.method is not None and name == self.method.variable:
                return self.of_class("__call__", self.method)
            case gast.Attribute(value=gast.Name(id=name), attr=attribute) if (
                self.method is not None and name == self.method.variable
            ):
                return self.of_class(attribute, self.method)
        return None

    def of_class(self, name: str, method: Method) -> ir.Held | None:
        """A function of the class of a method, as the method gets at it."""
        dotted = f"{method.owner}.{name}"
        found = self.resolver.definition(dotted)
        is_own = self.resolver.definition(f"{method.owner}.__getattribute__") is not None
        if found is None or not found.is_method or is_own:
            return None
        kind, called = decorators.method(found, self.resolver), targets.Nested(dotted)
        if kind == decorators.STATIC:
            return ir.Held(called, ())
        is_same = kind == (decorators.OF_CLASS if method.is_class else decorators.OF_OBJECT)
        if not is_same or not found.positional_parameters:
            return None
        return ir.Held(called, ((found.positional_parameters[0], method.variable),))

    def holder(self, node: gast.expr) -> ir.Atom:
        """The variable or attribute that holds a function that is called."""
        if isinstance(node, gast.Attribute):
            return self.hold(self.call(f"attribute.{node.attr}", node, self.atom(node.value)))
        return self.atom(node)

    def mask(self, node: gast.Call, out: gast.keyword, binding: Binding) -> gast.expr | None:
        """Where alone a function computes, if all else is that of an array made for it.

        As in `np.divide(x, y, out=np.zeros_like(x), where=y != 0)`. Sums, too, have a `where`.
        """
        record = records.said(binding.dotted)
        if record.n_before_out != len(node.args) or record.shape in FOLDING:
            return None
        if not isinstance(out.value, gast.Call):
            return None
        made = self.meaning(out.value.func)
        if made is None and isinstance(out.value.func, gast.Attribute):
            made = f"ndarray.{out.value.func.attr}"
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        is_new = made is not None and records.said(made).result is Result.FRESH
        return given.get("where") if is_new and given.keys() == {"out", "where"} else None

    def masked(self, node: gast.Call, function: str, mask: gast.expr, out: gast.expr) -> ir.Call:
        """A choice between what a function gives and another array.

        Where it does not count, the function is given numbers for which its derivative is finite.
        """
        given = [self.atom(argument) for argument in node.args]
        other, where = self.atom(out), self.atom(mask)
        regular = records.said(function).regular
        safe = ir.Const(1 if regular is None else regular)
        chosen = [
            each
            if isinstance(each, ir.Const)
            else self.hold(self.call("numpy.where", argument, where, each, safe))
            for argument, each in zip(node.args, given, strict=True)
        ]
        value = self.hold(self.call(function, node, *chosen))
        return self.call("numpy.where", node, where, value, other)

    def stored_instead(self, node: gast.Call, out: gast.keyword) -> Fix | None:
        """The repair of a call for its effect that writes its result into an array."""
        if node is not self.effect or self.origin != self.span(node) or self.function is None:
            return None
        names = fix_its.Names(self.function, self.meaning)
        return fix_its.store_result(self.source, node, out, names)

    def itself(self, node: gast.expr) -> ir.Atom:
        """What a method changes: a variable as such, and not what it is now."""
        match node:
            case gast.Name(id=name) if name in self.local and name not in self.renamed:
                return ir.Name(name)
            case gast.Name() if (binding := self.binding(node)) is not None:
                return ir.Global(written_as(binding, node.id))
        return self.atom(node)

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
        taken = self.fresh.merged()
        self.pending.append(ir.Assign((taken,), call, self.origin))
        return ir.Name(taken)

    def popped(self, node: gast.Call, name: str) -> ir.Atom:
        """`name.pop()`: the last element, which the list loses.

        It is no step: those are computed again where they are needed, but the list has changed.
        """
        assert self.origin is not None
        last = self.fresh.merged()
        value = self.call("operator.getitem", node, ir.Name(name), ir.Const(-1))
        self.pending.append(ir.Assign((last,), value, self.origin))
        self.pending.append(ir.popped(name, self.origin))
        return ir.Name(last)

    def applying(self, node: gast.Call, function: gast.expr) -> ir.Opaque:
        """A call that calls a function which may change all that the call is given.

        Whether a user's function does so, a program knows (`canonical/unlowered.py`).
        """
        finding = Diagnostic(language.FunctionValue(self.text(function)), self.span(function))
        given: set[str] = set()
        if self.is_loud(function):
            given = {self.renamed.get(n.id, n.id) for n in scope.free(node)} & self.local
        return self.opaque(node, (finding,), tuple(sorted(given)))

    def run_through(self, node: gast.Call, function: str) -> gast.expr | None:
        """A function that a call calls as it runs through its arguments, if no loop stands for it.

        What it changes, it changes then: the call is kept as it was written.
        """
        runs = records.said(function).runs
        if runs not in (Runs.AS_LIST, Runs.AT_ONCE):
            return None
        kept = (a for a in node.args if runs is Runs.AT_ONCE or self.mapping(a) is None)
        return next(filter(None, map(self.called_later, kept)), None)

    def called_later(self, node: gast.expr) -> gast.expr | None:
        """A function that is called as something is run through, if it may change something."""
        function = self.meaning(node.func) if isinstance(node, gast.Call) else None
        if function is None or records.said(function).runs not in (Runs.LATER, Runs.ELEMENTS):
            return None
        applied = unlowered_effects.applied(node, function)
        binding = None if applied is None else self.binding(applied)
        is_users = binding is not None and binding.kind == "function"
        if applied is not None and (is_users or self.is_loud(applied)):
            return applied
        return next(filter(None, map(self.called_later, node.args)), None)

    def is_loud(self, function: gast.expr) -> bool:
        """Tells whether a function that another one calls changes what it is given, or may.

        Of a user's function only a program knows, and nobody of one that a variable holds.
        """
        match function:
            case gast.Lambda():
                called = (name for name, _ in unlowered_effects.calls(function, self))
                return any(name == "python.out" or ir.changes_first(name) for name in called)
            case gast.Name() | gast.Attribute():
                binding = self.binding(function)
                if binding is None and isinstance(function, gast.Attribute):
                    record = records.of(f"{targets.Family.METHOD.value}.{function.attr}")
                    return record.effect not in (Effect.NONE, Effect.OUTSIDE)
                record = records.NOTHING if binding is None else records.of(binding.dotted)
                return bool(record.changes) or record.effect is Effect.ANY
        return False

    def argument(self, node: gast.expr, function: str) -> ir.Atom:
        """An argument of a call; a generator that the call runs through is like a list."""
        runs = records.said(function).runs
        if isinstance(node, gast.JoinedStr) and function == ir.GETATTR:
            return self.joined(node)
        if runs in (Runs.AS_LIST, Runs.ELEMENTS):
            return self.hold(self.listed(node, is_again=runs is Runs.ELEMENTS))
        return self.lasting(node)

    def lasting(self, node: gast.expr) -> ir.Atom:
        """Something that others may read again and again, `list(zip(a, b))` included."""
        tuples = self.list_of_tuples(node)
        return self.atom(node) if tuples is None else self.hold(self.comprehension(tuples, node))

    def text_part(self, part: gast.expr) -> ir.Atom:
        """A text in `f"W{i}"`, or what stands in braces."""
        return self.atom(part.value if isinstance(part, gast.FormattedValue) else part)

    def joined(self, node: gast.JoinedStr) -> ir.Atom:
        """`f"loss_{kind}"` as the sum of texts that it is, where it is to choose something."""
        total: ir.Atom = ir.Const("")
        for part in node.values:
            match part:
                case gast.Constant(value=str() as text):
                    more: ir.Atom = ir.Const(text)
                case gast.FormattedValue(value=value, conversion=-1, format_spec=None):
                    more = self.hold(self.call("builtins.str", part, self.atom(value)))
                case _:
                    return self.atom(node)
            is_first = total == ir.Const("")
            total = more if is_first else self.hold(self.call("operator.add", node, total, more))
        return total

    # what stays as it was written

    def opaque(
        self,
        node: gast.AST,
        findings: tuple[Diagnostic, ...],
        writes: tuple[str, ...] = (),
        does: gast.AST | None = None,
    ) -> ir.Opaque:
        """Keeps a tree, with what its names mean, and what it does to them.

        `does`: another tree that does the same, and shows it better. `:=` in an expression may bind
        nothing, as in `a and (b := c)`.
        """
        changes, reads = self.changes(node, writes), dict[str, None]()
        bound = set[str]() if isinstance(node, gast.stmt) else scope.bound([node]) & self.local
        if bound:
            writes = tuple(sorted(bound.union(writes)))
            first = next(n for n in walks.over(node) if isinstance(n, gast.NamedExpr))
            finding = Diagnostic(
                language.UnsupportedStatement("`:=` in an expression"), self.span(first)
            )
            findings = findings or (finding,)
        outside: dict[str, str] = {}
        for stored in sorted(scope.bound([node])) if isinstance(node, gast.stmt) else ():
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
            self.spelled(node),
            tuple(reads),
            writes,
            tuple(outside.items()),
            findings,
            self.span(node),
            tuple(self.renamed.items()),
            changes=changes,
            calls=tuple(unlowered_effects.calls(does or node, self)),
            holds=tuple(unlowered_effects.holds(does or node, self)),
            states=tuple(self.states_of(node, outside)),
        )

    def states_of(self, node: gast.AST, outside: Mapping[str, str]) -> Iterator[str]:
        """The variables of modules, and those of classes, that a tree binds or changes.

        `outside` says what the names in it mean that are no local variables. In a block any
        attribute that it reads may be one that changes, by the names of variables.
        """
        yield from (outside[name] for name in sorted(_written(node)) if name in outside)
        attributes = set[str]()
        if hasattr(node, "body"):
            read = (each for each in walks.over(node) if isinstance(each, gast.Attribute))
            attributes |= {each.attr for each in read}
        for place in _places_written(node):
            attributes |= {place.attr}
            found = self.binding(place)
            if found is not None and found.kind == "value":
                yield found.dotted
        yield from (ir.class_variable(name).dotted for name in sorted(attributes))

    def changes(self, node: gast.AST, writes: tuple[str, ...]) -> tuple[str, ...]:
        """Those names that a tree does more to than binding them."""
        if not isinstance(node, gast.stmt):
            return writes
        changed = scope.changed(node) | scope.augmented(node) | scope.nonlocals(node)
        return tuple(name for name in writes if name in changed)

    def closure(
        self, node: gast.AST, name: str, outer: gast.FunctionDef | None = None
    ) -> tuple[Diagnostic, ...]:
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
            fix = hoisting.hoist(self.source, outer, node, captured, self.meant)
        return tuple(
            Diagnostic(language.Closure(variable, name), place, fix=fix)
            for variable, place in captured.items()
        )

    def own_function(self, node: gast.Lambda | gast.FunctionDef) -> ir.Held | None:
        """The function that a lambda or a definition in this function is."""
        defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        if not all(isinstance(default, gast.Constant) for default in defaults):
            return None
        return None if self.renamed else self.functions.get((node.lineno, node.col_offset))

    def meant(self, name: str) -> str:
        """What a name means at the top level of the module; nothing if it means nothing."""
        found = self.resolver.name(self.source, name)
        return "" if found.kind == "missing" else found.dotted

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
        if all(_is_repeatable(step) or self._makes_record(step) for step in steps):
            return outside.opaque(node, ())
        return ir.Global(f"?{self.text(node)}")

    def _makes_record(self, step: ir.Statement) -> bool:
        """Tells whether a step makes an object that is nothing but its fields."""
        match step:
            case ir.Assign(value=ir.Call(function=made)):
                return classes.is_record(made, self.resolver)
        return False


def _is_nothing(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _written(tree: gast.AST) -> set[str]:
    """The names that a tree binds, or of which it changes what they hold."""
    bound = scope.bound([tree]) if isinstance(tree, gast.stmt) else set()
    return scope.changed(tree) | scope.augmented(tree) | scope.told(tree) | bound


def _places_written(tree: gast.AST) -> Iterator[gast.Attribute]:
    """The attributes that a tree binds, or of which it changes what they hold."""
    for node in walks.over(tree):
        place: gast.AST | None = None
        match node:
            case gast.Attribute() | gast.Subscript() if not isinstance(node.ctx, gast.Load):
                place = node
            case gast.Call(func=gast.Attribute(value=owner, attr=method)) if ir.is_mutator(method):
                place = owner
        while isinstance(place, gast.Attribute | gast.Subscript):
            if isinstance(place, gast.Attribute):
                yield place
            place = place.value


def _is_repeatable(step: ir.Statement) -> bool:
    """Tells whether a step gives the same whenever it is done."""
    match step:
        case ir.Assign(value=ir.Call(function=function) as call):
            used = [function, *(a.dotted for a in call.atoms if isinstance(a, ir.Global))]
            is_other = targets.is_of(function, "numpy.random") or function == "python.call"
            is_known = targets.is_of(function, *REPEATABLE)
            return is_known and not (is_other or any(map(targets.is_unresolved, used)))
    return False


def _says_how(node: gast.expr) -> bool:
    """Tells whether a part of `np.r_[…]` is a range, or text that says how to put together."""
    is_text = isinstance(node, gast.Constant) and isinstance(node.value, str)
    return is_text or isinstance(node, gast.Slice | gast.Starred)


def _are_distinct(keys: list[gast.expr | None]) -> bool:
    """Tells whether the keys of a dictionary are surely different; None stands for `**entries`."""
    literals = {key.value for key in keys if isinstance(key, gast.Constant)}
    return None not in keys and len(keys) in (1, len(literals))


def _is_unlike_branches(node: gast.expr) -> bool:
    """Tells whether the parts of an expression are no steps of branches, but for `:=`."""
    inside = (*UNLIKE_LOOPS, *scope.COMPREHENSIONS)
    return any(
        isinstance(n, inside) and not isinstance(n, gast.NamedExpr) for n in walks.over(node)
    )


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
