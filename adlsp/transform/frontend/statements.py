"""The statements of a function in the intermediate form.

This is lowering, with structured control flow kept. What the differentiated language lacks is kept
whole as `ir.Opaque` with the findings to report if an active variable takes part; nothing is
refused here, because most of a program is not active. Early returns in branches become structured
by moving the rest of the block into the other branch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import gast

from adlsp.transform import ir
from adlsp.transform.diagnostics import control_flow, language, mutation
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import decorators, exits, late, scope, sequences, ufunc_at, walks
from adlsp.transform.frontend.comprehensions import loaded
from adlsp.transform.frontend.contexts import Opening
from adlsp.transform.frontend.expressions import OPERATIONS, Expressions
from adlsp.transform.frontend.gradient_blocks import GradientBlocks
from adlsp.transform.ir.variables import RETURNED, Step
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Kind
from adlsp.transform.source import Span

UNSUPPORTED = {
    gast.With: "with",
    gast.AsyncWith: "async with",
    gast.AsyncFor: "async for",
    gast.Delete: "del",
    gast.Nonlocal: "nonlocal",
    gast.Match: "match",
    gast.ClassDef: "class",
    gast.AsyncFunctionDef: "async def",
}


MOST_REPEATED = 100
"""How many statements of a function may be written more than once, behind an early return."""


class Statements:
    """Lowers the statements of one function."""

    def __init__(self, expressions: Expressions, node: gast.FunctionDef) -> None:
        self.expressions = expressions
        self.node = node
        self.gradient_blocks = GradientBlocks(expressions, node)
        self.contexts: tuple[ir.Context, ...] = ()
        self.only_return: gast.Return | None = None
        self.n_repeated = 0
        self.following: gast.stmt | None = None

    def function_body(self, body: list[gast.stmt]) -> ir.Block:
        """Lowers the whole body so that it ends in its one return."""
        opening = Opening(self.expressions)
        body = opening.opened(body)
        self.contexts = tuple(opening.contexts)
        returns = [
            n for statement in body for n in exits.own(statement) if isinstance(n, gast.Return)
        ]
        if not returns:
            block = self.block(body)
            last = self.expressions.span(body[-1] if body else self.node)
            return (*block, ir.Return(ir.Const(None), last))
        if len(returns) == 1 and body[-1] is returns[0]:
            self.only_return = body[-1]
            return self.block(body)
        block = self.block(exits.complete(body))
        return (*block, ir.Return(ir.Name(RETURNED), self.expressions.span(returns[-1])))

    def block(self, statements: Sequence[gast.stmt]) -> ir.Block:
        """Lowers statements in order; after a branch that returns, the rest joins the other one.

        It joins both where one of them returns at times.
        """
        lowered: list[ir.Statement] = []
        for position, statement in enumerate(statements):
            rest = statements[position + 1 :]
            if isinstance(statement, gast.If) and rest and exits.has_return(statement):
                if exits.always_leaves(statement.body):
                    lowered += self.branch(statement, statement.body, [*statement.orelse, *rest])
                    return tuple(lowered)
                if exits.always_leaves(statement.orelse):
                    lowered += self.branch(statement, [*statement.body, *rest], statement.orelse)
                    return tuple(lowered)
                if self.affords_twice(rest):
                    bodies = [*statement.body, *rest], [*statement.orelse, *rest]
                    lowered += self.branch(statement, *bodies)
                    return tuple(lowered)
            self.following = rest[0] if rest else None
            lowered += self.statement(statement, is_last=not rest)
            if isinstance(statement, gast.Return | gast.Raise):
                break
        return tuple(lowered)

    def affords_twice(self, statements: Sequence[gast.stmt]) -> bool:
        """Tells whether some statements may be written once more, and counts them."""
        self.n_repeated += sum(1 for s in scope.statements(statements))
        return self.n_repeated <= MOST_REPEATED

    def statement(self, node: gast.stmt, *, is_last: bool) -> list[ir.Statement]:
        """Lowers one statement, with the steps it needs before it."""
        match node:
            case gast.Assign():
                return self.assign(node, node.targets, node.value)
            case gast.AnnAssign():
                return [] if node.value is None else self.assign(node, [node.target], node.value)
            case gast.AugAssign():
                return self.augmented(node)
            case gast.Expr():
                return self.expression(node)
            case gast.If():
                if exits.has_return(node) and not (is_last and exits.branches_leave(node)):
                    return self.early_return(node)
                return self.branch(node, node.body, node.orelse)
            case gast.For() | gast.While():
                return self.loop(node)
            case gast.Return():
                return self.returns(node)
            case gast.Assert():
                return self.assertion(node)
            case gast.Pass() | gast.Import() | gast.ImportFrom() | gast.Global():
                return []
            case gast.Delete() if all(map(self.is_local, node.targets)):
                return []  # nobody reads them afterwards, but perhaps the backward sweep does
            case gast.Delete(targets=[gast.Subscript(value=gast.Name(id=name), slice=index)]) if (
                not isinstance(index, gast.Slice) and name in self.expressions.kinds
            ):
                return self.deleted(node, name, index)
            case gast.Raise():
                return [self.opaque(node, ())]
            case gast.FunctionDef():
                return [self.nested_function(node)]
            case gast.With() if self.gradient_blocks.is_block(node):
                return self.gradient_blocks.lower(node, self.block(node.body))
            case gast.Try():
                keyword = self.expressions.keyword_span(node, "try")
                return [self.opaque(node, (Diagnostic(control_flow.TryExcept(), keyword),))]
        construct = UNSUPPORTED.get(type(node), type(node).__name__.lower())
        span = self.expressions.keyword_span(node, construct)
        return [self.opaque(node, (Diagnostic(language.UnsupportedStatement(construct), span),))]

    def is_local(self, node: gast.expr) -> bool:
        """Tells whether an expression is a local variable."""
        return isinstance(node, gast.Name) and node.id in self.expressions.local

    def opaque(self, node: gast.stmt, findings: tuple[Diagnostic, ...]) -> ir.Statement:
        """Keeps a statement as it was written."""
        found = scope.bound([node]) | scope.changed(node) | scope.nonlocals(node)
        writes = found & self.expressions.local
        if any(isinstance(n, gast.Return) for n in exits.own(node)):
            writes |= {RETURNED}
        value = self.expressions.opaque(node, findings, tuple(sorted(writes)))
        if not value.states and writes <= {RETURNED, *exits.targets(node)}:
            value = replace(value, decide=self.deciding(node, value.reads))
        return ir.Do(value, self.expressions.span(node))

    def deciding(self, node: gast.stmt, reads: tuple[str, ...]) -> tuple[str, ...]:
        """What a search reads in tests alone: what it finds changes only in jumps with that."""
        tests = [test for test in exits.tests(node) if self.is_plain(test)]
        inside = {id(name) for test in tests for name in walks.over(test)}
        renamed = self.expressions.renamed
        others = (name.id for name in scope.free(node) if id(name) not in inside)
        carried = {renamed.get(name, name) for name in others}
        return tuple(name for name in reads if name not in carried)

    def is_plain(self, test: gast.expr) -> bool:
        """Tells whether a test binds nothing, and only calls functions of Python or NumPy."""
        return not any(
            isinstance(inner, gast.NamedExpr | gast.Lambda)
            or (isinstance(inner, gast.Call) and not self.is_of_library(inner))
            for inner in walks.over(test)
        )

    def is_of_library(self, call: gast.Call) -> bool:
        """Tells whether a call is of a function that changes nothing, by its home."""
        function = self.expressions.meaning(call.func) or ""
        return function.startswith(("builtins.", "math.", "numpy."))

    def early_return(self, node: gast.stmt) -> list[ir.Statement]:
        """A return that no structured form can hold."""
        findings = tuple(
            Diagnostic(control_flow.EarlyReturn(), self.expressions.span(n))
            for n in exits.own(node)
            if isinstance(n, gast.Return)
        )
        return [self.opaque(node, findings)]

    def nested_function(self, node: gast.FunctionDef) -> ir.Statement:
        """A function in the function: a closure where it reads an active variable."""
        findings = self.expressions.closure(node, node.name, self.node)
        kept = self.opaque(node, findings)
        assert isinstance(kept, ir.Do)
        assert isinstance(kept.value, ir.Opaque)
        is_bare = not node.decorator_list and not node.args.defaults
        own = self.expressions
        is_itself = is_bare or (
            not node.args.defaults and decorators.are_marks(node, own.source, own.resolver)
        )
        function = own.own_function(node) if is_itself else None
        return replace(kept, value=replace(kept.value, is_definition=is_bare, function=function))

    def assign(
        self, node: gast.stmt, targets: list[gast.expr], value: gast.expr
    ) -> list[ir.Statement]:
        """`target = … = value`."""
        with self.expressions.steps(self.expressions.span(node)) as steps:
            if len(targets) == 1:
                is_unpacked = isinstance(targets[0], gast.Tuple | gast.List)
                if self.is_run_next(targets[0], value):
                    given = self.expressions.listed(value, is_again=True)
                elif is_unpacked:
                    given = self.expressions.listed(value)
                elif (tuples := self.expressions.list_of_tuples(value)) is not None:
                    given = self.expressions.comprehension(tuples, value)
                else:
                    given = self.expressions.value(value)
                made = self.bind(node, targets[0], given, steps)
                return [*steps, *made]
            first, *others = targets
            if not isinstance(first, gast.Name):
                first, others = None, targets
            made = []
            given = self.expressions.value(value)
            if first is not None:
                made += self.bind(node, first, given, made)
            is_local = first is not None and first.id in self.expressions.local
            if is_local and first is not None and not isinstance(given, ir.Const):
                given = ir.Name(first.id)
            shared = self.expressions.hold(given)
            for target in others:
                made += self.bind(node, target, shared, made)
            return [*steps, *made]

    def is_run_next(self, target: gast.expr, value: gast.expr) -> bool:
        """Tells whether only the next statement runs through an iterator of `itertools`, once."""
        if not (isinstance(target, gast.Name) and isinstance(value, gast.Call)):
            return False
        function = self.expressions.meaning(value.func) or ""
        if self.following is None or not function.startswith("itertools."):
            return False
        uses = [n for n in walks.over(self.node) if isinstance(n, gast.Name) and n.id == target.id]
        once = [n for n in _run_once(self.following) if n.id == target.id]
        return len(uses) == 2 and len(once) == 1

    def bind(
        self,
        node: gast.stmt,
        target: gast.expr,
        value: ir.Expression,
        steps: list[ir.Statement],
    ) -> list[ir.Statement]:
        """Binds one target to a value. Steps that the target itself needs are put at the end."""
        origin = self.expressions.span(node)
        match target:
            case gast.Name() if target.id in self.expressions.states:
                kept = self.expressions.kept(value, steps)
                return [ir.Assign((target.id,), kept, origin)]
            case gast.Name() if target.id in self.expressions.local:
                return [ir.Assign((target.id,), value, origin)]
            case gast.Name() if target.id in self.expressions.imports:
                return []
            case gast.Tuple() | gast.List():
                names: list[str] = []
                nested: list[ir.Statement] = []
                elements = [_unstarred(element) for element in target.elts]
                bound = [e.id if isinstance(e, gast.Name) else "" for e in elements]
                read: set[str] = set()  # by places to the left, which are set first
                for position, element in enumerate(elements, 1):
                    name = bound[position - 1]
                    read |= {inner.id for inner in scope.free(element)}
                    if name in bound[position:] and name:
                        names.append(self.expressions.fresh.step())
                    elif name in self.expressions.states:
                        names.append(self.expressions.fresh.step())
                        kept = self.expressions.kept(ir.Name(names[-1]), nested)
                        nested.append(ir.Assign((name,), kept, origin))
                    elif name in self.expressions.local and name in read:
                        names.append(self.expressions.fresh.step())
                        nested.append(ir.Assign((name,), ir.Name(names[-1]), origin))
                    elif name in self.expressions.local:
                        names.append(name)
                    else:
                        names.append(self.expressions.fresh.step())
                        nested += self.bind(node, element, ir.Name(names[-1]), nested)
                if not _has_star(target):
                    return [ir.Assign(tuple(names), value, origin, is_tuple=True), *nested]
                return [*self.starred(target, tuple(names), value, origin), *nested]
            case gast.Subscript():
                with self.expressions.steps(origin) as needed:
                    held = self.expressions.hold(value)
                    base = self.owner(target)
                    if base is not None:
                        index = self.place(target)
                    else:
                        base = self.seen(target)
                        if base is None:
                            steps += needed
                            return [self.member_store(node, target, held, ir.REPLACE, steps)]
                        index = self.expressions.atom(target.slice)
                span = self.expressions.span(target)
                store = ir.Store(base, index, held, ir.StoreKind.REPLACE, origin, span=span)
                return [*needed, store]
        return [self.member_store(node, target, value, ir.REPLACE, steps)]

    def member_store(
        self,
        node: gast.stmt,
        target: gast.expr,
        value: ir.Expression | gast.expr,
        kind: ir.StoreKind,
        steps: list[ir.Statement],
    ) -> ir.Statement:
        """A store into an attribute, `state.x = v` or `net.cell.h[i] += v`, as it was written.

        It is unfolded to a store at a place of the variable, for where that surely is an object of
        a class that is known. The steps before it become a part of it.
        """
        kept, base = self.opaque(node, self.write_finding(target)), self.holder(target)
        before = [step for each in steps for step in self.unfolded(each, node)]
        del steps[:]
        if base is None:
            return kept
        origin, span = self.expressions.span(node), self.expressions.span(target)
        with self.expressions.steps(origin) as needed:
            index = self.place(target)
            if isinstance(value, gast.expr):
                held = self.expressions.atom(value)
            else:
                held = self.expressions.hold(value)
        store = ir.Store(base, index, held, kind, origin, span=span)
        assert isinstance(kept, ir.Do)
        assert isinstance(kept.value, ir.Opaque)
        unfolded = (*before, *needed, store), ir.Name(base)
        return replace(kept, value=replace(kept.value, unfolded=unfolded))

    def unfolded(self, statement: ir.Statement, node: gast.stmt) -> ir.Block:
        """The steps of what the same assignment has stored before, or the step that it is."""
        match statement:
            case ir.Do(value=ir.Opaque(tree=tree, unfolded=(steps, _))) if tree is node:
                return steps
        return (statement,)

    def holder(self, target: gast.expr) -> str | None:
        """The variable of which a target is an attribute, or a part of one."""
        while isinstance(target, gast.Subscript | gast.Attribute):
            target = target.value
        is_local = isinstance(target, gast.Name) and target.id in self.expressions.local
        return target.id if is_local else None

    def starred(
        self,
        target: gast.Tuple | gast.List,
        names: tuple[str, ...],
        value: ir.Expression,
        origin: Span,
    ) -> list[ir.Statement]:
        """`a, *rest = value`: the variable with the star takes a list of what the others leave."""
        made: list[ir.Statement] = []
        if not isinstance(value, ir.Name | ir.Const | ir.Global):
            step = self.expressions.fresh.step()
            made.append(ir.Assign((step,), value, origin))
            value = ir.Name(step)
        place = next(i for i, e in enumerate(target.elts) if isinstance(e, gast.Starred))
        call = ir.Call("python.unpack", (value, ir.Const(place), ir.Const(len(names))))
        return [*made, ir.Assign(names, call, origin, is_tuple=True)]

    def write_finding(self, target: gast.expr) -> tuple[Diagnostic, ...]:
        """Why a target of an assignment is outside the language."""
        span = self.expressions.span(target)
        match target:
            case gast.Attribute():
                owner = self.expressions.text(target.value)
                return (Diagnostic(language.MethodOrAttribute(owner, target.attr), span),)
            case gast.Subscript():
                root: gast.expr = target.value
                while isinstance(root, gast.Subscript | gast.Attribute):
                    root = root.value
                text = self.expressions.text(target.value)
                return (Diagnostic(mutation.AliasedWrite(text, self.made_of(root)), span),)
            case gast.Name():
                return (Diagnostic(language.UnsupportedStatement("global"), span),)
        return (Diagnostic(language.UnsupportedStatement("assignment to an expression"), span),)

    def made_of(self, node: gast.expr) -> str:
        """The variable that an expression may give a part of: `a`, of `a.reshape(-1)`."""
        local = self.expressions.local
        node = node.body if isinstance(node, gast.IfExp) else node
        names = (n.id for n in walks.over(node) if isinstance(n, gast.Name) and n.id in local)
        return next(names, "a second name")

    def augmented(self, node: gast.AugAssign) -> list[ir.Statement]:
        """`target operation= value`."""
        origin, target = self.expressions.span(node), node.target
        if isinstance(node.op, gast.BitOr) and isinstance(target, gast.Name):
            both = [sequences.kind(part, self.expressions.kinds) for part in (target, node.value)]
            if both == [Kind.DICT, Kind.DICT]:
                update = gast.Call(None, [node.value], [])
                return self.updated(target.id, update, origin)
        name = self.owner(target)
        if name is None:
            return self.augmented_view(node)
        if isinstance(target, gast.Name) and isinstance(node.op, gast.Add | gast.Mult):
            is_sum = isinstance(node.op, gast.Add)
            if is_sum and name in self.expressions.lists:
                return self.extended(name, node.value, origin, is_sum=True)
            kind = sequences.kind(target, self.expressions.kinds)
            match Kind.TUPLE if name in self.expressions.lists else kind:
                case Kind.TUPLE:
                    whole = gast.BinOp(left=target, op=node.op, right=node.value)
                    return self.assign(node, [target], gast.copy_location(whole, node))
                case Kind.LIST:
                    changed = mutation.ContainerChanged(name)
                    return [
                        self.opaque(node, (Diagnostic(changed, self.expressions.span(target)),))
                    ]
        with self.expressions.steps(origin) as steps:
            index = None
            if isinstance(target, gast.Subscript):
                index = self.place(target)
            value = self.expressions.atom(node.value)
            store = ir.StoreKind(OPERATIONS[type(node.op)])
            span = self.expressions.span(target)
            return [*steps, ir.Store(name, index, value, store, origin, span=span)]

    def owner(self, target: gast.expr) -> str | None:
        """The variable that a target is, or is a part of; None where it is no local variable's."""
        while isinstance(target, gast.Subscript):
            target = target.value
        if isinstance(target, gast.Name) and target.id in self.expressions.local:
            return target.id
        return None

    def augmented_view(self, node: gast.AugAssign) -> list[ir.Statement]:
        """`x.T[i] operation= value`, or what nothing is known of."""
        origin, target = self.expressions.span(node), node.target
        with self.expressions.steps(origin) as steps:
            name, kind = self.seen(target), ir.StoreKind(OPERATIONS[type(node.op)])
            if name is None:
                return [self.member_store(node, target, node.value, kind, steps)]
            assert isinstance(target, gast.Subscript)
            index = self.expressions.atom(target.slice)
            value = self.expressions.atom(node.value)
            span = self.expressions.span(target)
            return [*steps, ir.Store(name, index, value, kind, origin, span=span)]

    def seen(self, target: gast.expr) -> str | None:
        """A step for what a target is a part of, if that is a view of a variable: `x.T`.

        None where it is no such view, as far as its name tells.
        """
        if not isinstance(target, gast.Subscript):
            return None
        seen = target.value
        while isinstance(target, gast.Subscript):
            target = target.value
        match target:
            case gast.Attribute(attr=attribute):
                is_view = records.of(f"attribute.{attribute}").view is not None
            case gast.Call(func=gast.Attribute(attr=method)):
                is_view = records.of(f"ndarray.{method}").view is not None
            case _:
                return None
        held = self.expressions.atom(seen) if is_view else None
        return held.id if isinstance(held, ir.Name) and isinstance(held.id, Step) else None

    def place(self, target: gast.expr) -> ir.Atom:
        """The index of a target, or the name of its attribute; of `x[i].j` one after the other."""
        parts: list[gast.expr | str] = []
        part = target
        while isinstance(part, gast.Subscript | gast.Attribute):
            parts.insert(0, part.slice if isinstance(part, gast.Subscript) else part.attr)
            part = part.value
        atoms = [
            ir.Const(ir.Attribute(part)) if isinstance(part, str) else self.expressions.atom(part)
            for part in parts
        ]
        if len(atoms) == 1:
            return atoms[0]
        return self.expressions.hold(ir.Call(ir.PATH, tuple(atoms)))

    def extended(
        self, name: str, node: gast.expr, origin: Span, *, is_sum: bool = False
    ) -> list[ir.Statement]:
        """`name += values` for a list, and `name.extend(values)`: each value is appended.

        But the sum of a list and an array is an array; whether it is one the text may not tell.
        """
        with self.expressions.steps(origin) as steps:
            if isinstance(node, gast.List | gast.Tuple) and not _has_star(node):
                added = [self.expressions.atom(element) for element in node.elts]
                return [
                    *steps,
                    *(ir.appended(name, atom, origin) for atom in added),
                ]
            values = self.expressions.argument(node, "builtins.list")
            if values == ir.Name(name):
                values = self.expressions.hold(ir.Call("builtins.list", (values,)))
            kind = sequences.kind(node, self.expressions.kinds)
            if is_sum and kind is None and not isinstance(node, gast.GeneratorExp):
                call = ir.Call(ir.EXTENSION, (values, ir.Name(name)), (), origin)
                values = self.expressions.hold(call)
            value = self.expressions.fresh.own("value")
            append = ir.appended(name, ir.Name(value), origin)
            return [*steps, ir.For(value, values, (append,), origin)]

    def updated(self, name: str, node: gast.Call, origin: Span) -> list[ir.Statement]:
        """`name.update(…)`, for a dictionary of the function: its values are computed first."""
        with self.expressions.steps(origin) as steps:
            merged = (*node.args, *(k.value for k in node.keywords if k.arg is None))
            others = [self.entries(given) for given in merged]
            named = [(k.arg, self.expressions.atom(k.value)) for k in node.keywords if k.arg]
            for entries in others:
                self.expressions.entered(name, entries)
            for key, value in named:
                self.expressions.enter(name, ir.Const(key), value)
            return steps

    def entries(self, node: gast.expr) -> ir.Atom:
        """What a dictionary is updated with, as one: the text may show pairs, or neither."""
        expressions = self.expressions
        if sequences.kind(node, expressions.kinds) is Kind.DICT:
            return expressions.atom(node)
        made = loaded("dict", node)
        if expressions.meaning(made) == "builtins.dict":
            return expressions.atom(gast.copy_location(gast.Call(made, [node], []), node))
        call = ir.Call("builtins.dict", (expressions.atom(node),), (), expressions.span(node))
        return expressions.hold(call)

    def deleted(self, node: gast.Delete, name: str, index: gast.expr) -> list[ir.Statement]:
        """`del name[index]`, for a list or dictionary of the function."""
        origin = self.expressions.span(node)
        with self.expressions.steps(origin) as steps:
            args = ir.Name(name), self.expressions.atom(index)
            span = self.expressions.span(node.targets[0])
            return [*steps, ir.Do(ir.Call("operator.delitem", args, (), span), origin)]

    def expression(self, node: gast.Expr) -> list[ir.Statement]:
        """An expression for its effect."""
        origin = self.expressions.span(node)
        if isinstance(node.value, gast.Constant):
            return []
        match node.value:
            case gast.Yield() | gast.YieldFrom() as given:
                return self.given_on(given, origin)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="extend"),
                args=[values],
                keywords=[],
            ) if name in self.expressions.lists:
                return self.extended(name, values, origin)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="sort"),
                args=[],
                keywords=[_, *_] as keywords,
            ) if self.expressions.kinds.get(name) is Kind.LIST and any(
                keyword.arg == "key" for keyword in keywords
            ):
                if self.expressions.meaning(loaded("sorted", node.value)) == "builtins.sorted":
                    return self.statement(_sorted_anew(node.value, name), is_last=False)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="update"),
                args=[] | [gast.expr()],
            ) if self.expressions.kinds.get(name) is Kind.DICT:
                return self.updated(name, node.value, origin)
        with self.expressions.steps(origin) as steps:
            match node.value:
                case gast.Call(
                    func=gast.Attribute(value=gast.Name(id=name), attr="append"),
                    args=[value],
                    keywords=[],
                ) if name in self.expressions.lists:
                    added = self.expressions.atom(value)
                    return [*steps, ir.appended(name, added, origin)]
            self.expressions.effect = node.value
            value = self.expressions.value(node.value)
            if isinstance(value, ir.Call):
                expressions = self.expressions
                store = ufunc_at.as_store(value, origin, expressions.hold, expressions.assigned)
                return [*steps, store or ir.Do(value, origin)]
            if isinstance(value, ir.Opaque):
                return [*steps, ir.Do(value, origin)]
            return steps

    def given_on(self, node: gast.Yield | gast.YieldFrom, origin: Span) -> list[ir.Statement]:
        """`yield value`, and `yield from values`, for each of which it does that."""

        def given(value: ir.Atom) -> ir.Do:
            return ir.Do(ir.Call(ir.YIELD, (value,), (), origin), origin)

        with self.expressions.steps(origin) as steps:
            if node.value is None:
                return [given(ir.Const(None))]
            if isinstance(node, gast.Yield):
                value = self.expressions.atom(node.value)
                return [*steps, given(value)]
            values = self.expressions.atom(node.value)
            element = self.expressions.fresh.step()
            return [*steps, ir.For(element, values, (given(ir.Name(element)),), origin)]

    def branch(
        self, node: gast.If, body: Sequence[gast.stmt], orelse: Sequence[gast.stmt]
    ) -> list[ir.Statement]:
        """`if test: body else: orelse`."""
        origin = self.expressions.between(node, node.test)
        with self.expressions.steps(origin) as steps:
            test = self.expressions.decision(node.test)
        return [*steps, ir.If(test, self.block(body), self.block(orelse), origin)]

    def loop(self, node: gast.For | gast.While) -> list[ir.Statement]:
        """A loop; one that is left early stays as it is, and so may one that is resumed early.

        Its `else` is what comes after it, as long as nothing leaves it.
        """
        findings: list[Diagnostic] = []
        body = exits.without_continue(node.body, self.affords_twice)
        for inner in exits.in_pass(body):
            match inner:
                case gast.Break():
                    findings.append(
                        Diagnostic(control_flow.BreakInLoop(), self.expressions.span(inner))
                    )
                case gast.Continue():
                    findings.append(
                        Diagnostic(control_flow.ContinueInLoop(), self.expressions.span(inner))
                    )
        for inner in exits.own(node):
            if isinstance(inner, gast.Return):
                findings.append(
                    Diagnostic(control_flow.EarlyReturn(), self.expressions.span(inner))
                )
        if isinstance(node, gast.For):
            names = self.expressions
            asked = names.meaning, names.generator, names.has_state
            for each in late.lazy(node, names.calls, *asked):
                name = each.variable.id
                construct = f"a loop that changes `{name}` while its iterator reads it"
                if name in (late.ITSELF, *scope.changed(each.node), *scope.told(each.node)):
                    construct = language.CHANGING
                finding = language.UnsupportedStatement(construct)
                findings.append(Diagnostic(finding, names.span(each.node)))
        if node.orelse and findings:
            first = self.expressions.span(node.orelse[0])
            findings.append(Diagnostic(control_flow.LoopElse(), first))
        if findings:
            return [self.opaque(node, tuple(findings))]
        if exits.has_continue(node.body):
            resumed = {**vars(node), "body": body}
            node = gast.copy_location(type(node)(**resumed), node)
        loop = self.while_loop(node) if isinstance(node, gast.While) else self.for_loop(node)
        return [*loop, *self.block(node.orelse)]

    def for_loop(self, node: gast.For) -> list[ir.Statement]:
        """`for target in iterable`."""
        origin = self.expressions.between(node, node.iter)
        with self.expressions.steps(origin) as steps:
            iterable = self.expressions.steady(node.iter, scope.rebound([node]))
        if isinstance(node.target, gast.Name) and node.target.id in self.expressions.local:
            return [*steps, ir.For(node.target.id, iterable, self.block(node.body), origin)]
        element = self.expressions.fresh.step()
        unpack: list[ir.Statement] = []
        unpack += self.bind(node, node.target, ir.Name(element), unpack)
        unpack = [_with_origin(s, origin) for s in unpack]
        return [*steps, ir.For(element, iterable, (*unpack, *self.block(node.body)), origin)]

    def while_loop(self, node: gast.While) -> list[ir.Statement]:
        """`while test`."""
        origin = self.expressions.between(node, node.test)
        with self.expressions.steps(origin) as header:
            test = self.expressions.truth(node.test)
        return [ir.While(tuple(header), test, self.block(node.body), origin)]

    def returns(self, node: gast.Return) -> list[ir.Statement]:
        """`return value`; where there are several, each sets the one result."""
        origin = self.expressions.span(node)
        with self.expressions.steps(origin) as steps:
            given: ir.Expression = ir.Const(None)
            if node.value is not None:
                given = self.expressions.value(self.run_over(node.value))
            if node is self.only_return:
                value = self.expressions.hold(given)
                return [*steps, ir.Return(value, origin)]
            return [*steps, ir.Assign((RETURNED,), given, origin)]

    def run_over(self, value: gast.expr) -> gast.expr:
        """What a function gives; `__iter__`, which loops call, what the iterator runs over."""
        function = self.expressions.function
        match value:
            case gast.Call(func=func, args=[values], keywords=[]) if (
                function is not None
                and function.name == "__iter__"
                and self.expressions.meaning(func) == "builtins.iter"
            ):
                return values
        return value

    def assertion(self, node: gast.Assert) -> list[ir.Statement]:
        """`assert test, message`."""
        origin = self.expressions.span(node)
        with self.expressions.steps(origin) as steps:
            test = self.expressions.atom(node.test)
            message = None if node.msg is None else self.expressions.atom(node.msg)
            return [*steps, ir.Assert(test, message, origin)]


def _run_once(node: gast.AST) -> Iterator[gast.Name]:
    """The variables that a statement reads once: not in loops, comprehensions or functions."""
    match node:
        case gast.Name():
            yield node
            return
        case gast.For(iter=iterable):
            inner: list[gast.AST] = [iterable]
        case gast.ListComp(generators=[first, *_]) | gast.GeneratorExp(generators=[first, *_]):
            inner = [first.iter]
        case gast.DictComp(generators=[first, *_]) | gast.SetComp(generators=[first, *_]):
            inner = [first.iter]
        case gast.Assign() | gast.AugAssign() | gast.Return() | gast.Expr() | gast.expr() if (
            not isinstance(node, gast.Lambda)
        ):
            inner = [*walks.children(node)]
        case gast.keyword(value=value):
            inner = [value]
        case _:
            return
    for each in inner:
        yield from _run_once(each)


def _sorted_anew(call: gast.Call, name: str) -> gast.Assign:
    """`ys.sort(key=f)` as `ys[:] = sorted(ys, key=f)`."""
    whole = gast.Subscript(loaded(name, call), gast.Slice(None, None, None), gast.Store())
    anew = gast.Call(loaded("sorted", call), [loaded(name, call)], call.keywords)
    made = gast.Assign([whole], anew, None)
    for node in (whole, whole.slice, anew, made):
        gast.copy_location(node, call)
    return made


def _unstarred(element: gast.expr) -> gast.expr:
    return element.value if isinstance(element, gast.Starred) else element


def _has_star(target: gast.Tuple | gast.List) -> bool:
    return any(isinstance(element, gast.Starred) for element in target.elts)


def _with_origin(statement: ir.Statement, origin: Span) -> ir.Statement:
    match statement:
        case ir.Assign():
            return ir.Assign(
                statement.targets, statement.value, origin, statement.role, statement.is_tuple
            )
    return statement
