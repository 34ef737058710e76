"""Comprehensions as loops that fill lists and dictionaries, and what loops run over."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

import gast

from adlsp.transform import ir
from adlsp.transform.diagnostics import language
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import scope, starred_arguments, walks
from adlsp.transform.frontend.lowering_context import LoweringContext
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Runs

UNLIKE_LOOPS = (gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom, gast.Lambda)
"""What means something else in a comprehension than in a loop."""

FROM_KEYS = "builtins.dict.fromkeys"

HELD = "__held__"
"""A name for the value that a dictionary holds at each key."""

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
"""What expressions are called that stay as they were written."""


FIXED = (gast.Name, gast.Constant)
"""What gives the same each time, where nothing is bound meanwhile."""


class Comprehensions(LoweringContext, ABC):
    """Lowers comprehensions, by what lowers the expressions in them."""

    @abstractmethod
    def value(self, node: gast.expr) -> ir.Expression:
        """Lowers an expression; what it needs before goes to the steps."""

    @abstractmethod
    def opaque(
        self,
        node: gast.AST,
        findings: tuple[Diagnostic, ...],
        writes: tuple[str, ...] = (),
        does: gast.AST | None = None,
    ) -> ir.Opaque:
        """Keeps an expression as it was written; `does` is another that does the same."""

    @abstractmethod
    def enter(self, name: str, key: ir.Atom, value: ir.Atom) -> None:
        """Puts a value into a dictionary that a display or comprehension makes."""

    @abstractmethod
    def instead(self, node: gast.expr, written: gast.expr) -> ir.Opaque | None:
        """What gives an iterator, with steps that give the same elements."""

    def atom(self, node: gast.expr) -> ir.Atom:
        """Lowers an expression to an atom."""
        return self.hold(self.value(node))

    def steady(self, node: gast.expr, rebound: set[str]) -> ir.Atom:
        """What a loop runs over, where a variable that the loop binds again has a second name."""
        outer, self.renamed = self.renamed, dict(self.renamed)
        for name in scope.free(node) if self.runs_within(node) else ():
            variable = ir.Name(self.renamed.get(name.id, name.id))
            second = self.second_name(variable, rebound)
            if isinstance(second, ir.Name) and second != variable:
                self.renamed[name.id] = second.id
        value = self.listed(node, is_again=True)
        self.renamed = outer
        if isinstance(value, ir.Call) and records.said(value.function).runs is Runs.ELEMENTS:
            value = replace(value, args=tuple(self.second_name(a, rebound) for a in value.args))
        elif isinstance(value, ir.Name):
            return self.second_name(value, rebound)
        return self.hold(value)

    def runs_within(self, node: gast.expr) -> bool:
        """Tells whether a call may run through what others do, or steps stand for it."""
        if (
            not isinstance(node, gast.Call)
            or (called := self.meaning(node.func)) == "builtins.range"
        ):
            return False
        is_nested = any(isinstance(argument, gast.Call) for argument in node.args)
        return is_nested or _is_of_dictionary(node) or (called or "").startswith("itertools.")

    def listed(self, node: gast.expr, *, is_again: bool = False) -> ir.Expression:
        """An expression that is run through; a list of what can be run through only once.

        With `is_again` it is also written as a list where it stays as it was written.
        """
        rows = starred_arguments.transposed(node)
        if rows is not None and self.meaning(node.func) == "builtins.zip":
            return self.call("python.transposed", node, self.atom(rows))
        form = self.mapping(node)
        written = _starred(node) if is_again else node
        if form is not None:
            return self.comprehension(form, written)
        value = self.instead(node, written) or self.value(node)
        if isinstance(value, ir.Call) and records.said(value.function).runs is Runs.LATER:
            return self.call("builtins.list", node, self.hold(value))
        return value

    def mapping(self, node: gast.expr) -> gast.ListComp | gast.GeneratorExp | None:
        """`map(f, values)` as the comprehension that gives the same; a generator is one.

        That of `map(f, xs, ys)` runs over `zip(xs, ys)`, if `f` is a lambda or a library's.
        """
        match node:
            case gast.GeneratorExp():
                return node
            case gast.Call(func=gast.Name() as func, args=[function, *rows], keywords=[]) if (
                rows and not has_star(node.args) and self.meaning(func) == "builtins.map"
            ):
                run = loaded("zip", node)
            case gast.Call(args=[function, values], keywords=[]) if not has_star(node.args):
                match self.meaning(node.func):
                    case "builtins.filter":
                        return self.filtering(node, function, values)
                    case "itertools.starmap":
                        return self.spreading(node, function, values)
                return None
            case _:
                return None
        if len(rows) > 1 and self.meaning(run) != "builtins.zip":
            return None
        match function:
            case gast.Lambda(
                args=gast.arguments(
                    args=targets, posonlyargs=[], kwonlyargs=[], vararg=None, kwarg=None
                )
            ) if len(targets) == len(rows):
                element = function.body
            case gast.Attribute(attr=attr) if ir.is_mutator(attr):
                return None
            case gast.Name() | gast.Attribute() | gast.Call():
                known = None if len(rows) == 1 else self.binding(function)
                does = known is not None and known.kind == "function" and self.effect is not None
                if len(rows) > 1 and (known is None or does):
                    return None
                taken = {name.id for name in scope.free(function)}
                each = "each_" if "each" in taken else "each"
                targets = [loaded(f"{each}{i or ''}", node) for i in range(len(rows))]
                applied = self.applied(function, *targets)
                if applied is None:
                    return None
                element = gast.copy_location(applied, node)
            case _:
                return None
        names = [gast.Name(target.id, gast.Store(), None, None) for target in targets]
        variable: gast.expr = gast.copy_location(names[0], node)
        values = rows[0]
        if len(rows) > 1:
            names = [gast.copy_location(name, node) for name in names]
            variable = gast.copy_location(gast.Tuple(names, gast.Store()), node)
            values = gast.copy_location(gast.Call(run, rows, []), node)
        generator = gast.comprehension(variable, values, [], 0)
        return gast.copy_location(gast.ListComp(element, [generator]), node)

    def filtering(
        self, node: gast.Call, function: gast.expr, values: gast.expr
    ) -> gast.ListComp | None:
        """`filter(f, values)` as the comprehension that gives the same."""
        each, free = loaded("each", node), {name.id for name in scope.free(function)}
        match function:
            case gast.Lambda(args=gast.arguments(args=[gast.Name(id=name)])) if _is_plain(function):
                each, test = loaded(name, node), function.body
            case gast.Constant(value=None):
                test = each
            case gast.Name() | gast.Attribute() if "each" not in free:
                test = gast.copy_location(gast.Call(function, [each], []), node)
            case _:
                return None
        target = gast.copy_location(gast.Name(each.id, gast.Store(), None, None), node)
        generator = gast.comprehension(target, values, [test], 0)
        return gast.copy_location(gast.ListComp(each, [generator]), node)

    def spreading(
        self, node: gast.Call, function: gast.expr, values: gast.expr
    ) -> gast.ListComp | None:
        """`starmap(f, rows)` as the comprehension that gives the same, if it shows what rows have.

        So does that of a lambda, or over `zip(xs, ys)`.
        """
        free = {name.id for name in scope.free(function)}
        match function, values:
            case gast.Lambda(args=gast.arguments(args=[_, *_] as given)), _ if _is_plain(function):
                names, element = [name.id for name in given], function.body
            case gast.Name() | gast.Attribute(), gast.Call(func=run, args=[_, *_] as rows) if (
                self.meaning(run) == "builtins.zip" and not (values.keywords or has_star(rows))
            ):
                names = [f"each{i or ''}" for i in range(len(rows))]
                each = [loaded(name, node) for name in names]
                element = gast.copy_location(gast.Call(function, each, []), node)
            case _:
                return None
        if not free.isdisjoint(names):
            return None
        stored = [gast.Name(name, gast.Store(), None, None) for name in names]
        stored = [gast.copy_location(name, node) for name in stored]
        target = gast.copy_location(gast.Tuple(stored, gast.Store()), node)
        generator = gast.comprehension(target, values, [], 0)
        return gast.copy_location(gast.ListComp(element, [generator]), node)

    def applied(self, function: gast.expr, *arguments: gast.expr) -> gast.Call | None:
        """The call of a function with more arguments: of `partial(f, a)`, of `f`."""
        match function:
            case gast.Name() | gast.Attribute():
                return gast.Call(function, [*arguments], [])
            case gast.Call(func=func, args=[inner, *given], keywords=keywords) if (
                self.meaning(func) == "functools.partial"
                and isinstance(inner, gast.Name | gast.Attribute)
                and not has_star(given)
                and all(isinstance(x, FIXED) for x in (*given, *(k.value for k in keywords)))
                and all(keyword.arg is not None for keyword in keywords)
            ):
                return gast.Call(inner, [*given, *arguments], keywords)
        return None

    def paired(self, node: gast.Call) -> gast.DictComp | None:
        """`dict(zip(keys, values))` as the dict comprehension that gives the same.

        So is `dict((k, v) for ...)`.
        """
        match node:
            case gast.Call(
                func=gast.Name() as made,
                args=[gast.GeneratorExp(elt=gast.Tuple(elts=[key, value])) as pairs],
                keywords=[],
            ) if not has_star([key, value]) and self.meaning(made) == "builtins.dict":
                return gast.copy_location(gast.DictComp(key, value, pairs.generators), node)
            case gast.Call(
                func=gast.Name() as made,
                args=[gast.Call(func=gast.Name() as run, args=[_, _]) as pairs],
                keywords=[],
            ) if not (has_star(pairs.args) or any(map(_is_of_dictionary, pairs.args))):
                meanings = self.meaning(made), self.meaning(run)
            case _:
                return None
        if meanings != ("builtins.dict", "builtins.zip"):
            return None
        key, value = loaded("key", node), loaded("value", node)
        names: list[gast.expr] = [gast.Name(n.id, gast.Store(), None, None) for n in (key, value)]
        target = gast.Tuple([gast.copy_location(n, node) for n in names], gast.Store())
        generator = gast.comprehension(gast.copy_location(target, node), pairs, [], 0)
        return gast.copy_location(gast.DictComp(key, value, [generator]), node)

    def shared(self, node: gast.Call) -> ir.Opaque | None:
        """`dict.fromkeys(keys, value)`: a dictionary that holds one value at each key."""
        match node:
            case gast.Call(func=gast.Attribute() as made, args=[keys, *values], keywords=[]) if (
                self.meaning(made) == FROM_KEYS and not has_star(node.args)
            ):
                value = values[0] if values else gast.Constant(None, None)
            case _:
                return None
        outer = self.renamed
        if not isinstance(value, gast.Constant):
            assert self.origin is not None
            self.renamed = {**outer, HELD: self.fresh.own("value")}
            held = ir.Assign((self.renamed[HELD],), self.value(value), self.origin)
            self.pending.append(held)
            value = loaded(HELD, node)
        key = gast.copy_location(gast.Name("key", gast.Store(), None, None), node)
        generator = gast.comprehension(key, keys, [], 0)
        form = gast.copy_location(gast.DictComp(loaded("key", node), value, [generator]), node)
        written = gast.copy_location(
            gast.Call(made, [keys, *([value] if values else [])], []), node
        )
        comprehension = self.comprehension(form, written)
        self.renamed = outer
        return comprehension

    def second_name(self, atom: ir.Atom, rebound: set[str]) -> ir.Atom:
        """A step that holds the value of a variable that is bound again."""
        if not isinstance(atom, ir.Name) or atom.id not in rebound:
            return atom
        assert self.origin is not None
        step = self.fresh.step()
        self.pending.append(ir.Assign((step,), atom, self.origin))
        return ir.Name(step)

    def comprehension(
        self,
        node: gast.ListComp | gast.GeneratorExp | gast.DictComp,
        written: gast.expr | None = None,
    ) -> ir.Opaque:
        """A comprehension as it was written, and as a loop that fills a list or dictionary.

        Its variables are its own; in the loop they have names that no other variable has.
        """
        construct = COMPREHENSIONS[type(node)]
        finding = Diagnostic(language.UnsupportedStatement(construct), self.span(node))
        kept = self.opaque(written or node, (finding,), does=node)
        is_plain = all(not g.is_async and _is_target(g.target) for g in node.generators)
        if not is_plain or any(isinstance(n, UNLIKE_LOOPS) for n in walks.over(node)):
            return kept
        is_dict = isinstance(node, gast.DictComp)
        values = self.fresh.own("entries" if is_dict else "values")
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
            self.pending.append(ir.appended(values, self.atom(node.elt), origin))
            return
        first, *others = generators
        iterable = self.hold(self.listed(first.iter, is_again=True))
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
            self.renamed[target.id] = self.fresh.own(target.id)
            return self.renamed[target.id]
        assert isinstance(target, gast.Tuple | gast.List)
        assert self.origin is not None
        step = self.fresh.step()
        place = len(self.pending)
        names = tuple(self.element(part) for part in target.elts)
        unpacked = ir.Assign(names, ir.Name(step), self.origin, is_tuple=True)
        self.pending.insert(place, unpacked)
        return step


def loaded(name: str, node: gast.expr) -> gast.Name:
    """The tree that reads a variable, at the place of another tree."""
    return gast.copy_location(gast.Name(name, gast.Load(), None, None), node)


def _is_plain(function: gast.Lambda) -> bool:
    """Tells whether a lambda takes nothing but arguments by position, all of which are given."""
    args = function.args
    others = (*args.posonlyargs, *args.kwonlyargs, *args.defaults)
    return not others and args.vararg is None and args.kwarg is None


def _is_of_dictionary(node: gast.expr) -> bool:
    """Tells whether an expression is what a dictionary gives to run through, without numbers."""
    match node:
        case gast.Call(func=gast.Attribute(attr="keys" | "values" | "items")):
            return True
    return False


def has_star(elements: list[gast.expr]) -> bool:
    """Tells whether one of some expressions has a star."""
    return any(isinstance(element, gast.Starred) for element in elements)


def _is_target(node: gast.expr) -> bool:
    """Tells whether a target is made of names."""
    match node:
        case gast.Name():
            return True
        case gast.Tuple() | gast.List():
            return all(_is_target(part) for part in node.elts)
    return False


def _starred(node: gast.expr) -> gast.List:
    """`[*map(f, xs)]`: the list of what an expression gives."""
    star = gast.copy_location(gast.Starred(node, gast.Load()), node)
    return gast.copy_location(gast.List([star], gast.Load()), node)
