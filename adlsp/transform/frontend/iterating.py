"""Functions that run through something, and what gives the same: `chain(a, b)` is `[*a, *b]`.

Beside a call as it was written stand the steps that take its place where it carries derivatives
(`canonical/desugar.py`): loops that fill lists, as those of comprehensions. What is put into order
by a key, or chosen by one, is taken by its position: keys have an influence, but no derivatives.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, reduce
from types import MappingProxyType

import gast

from adlsp.transform import ir
from adlsp.transform.diagnostics import reading
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import scope, walks
from adlsp.transform.frontend.comprehensions import Comprehensions, has_star, loaded

Steps = Callable[[], ir.Expression]
"""Lowers what stands for a call, and gives its value."""

CHOOSING: Mapping[str, str] = MappingProxyType(
    {"builtins.max": "adlsp.runtime.greatest", "builtins.min": "adlsp.runtime.least"}
)
"""The functions that choose an element by its key, and those that tell where it is."""

CHOOSING_SEVERAL = frozenset(
    f"itertools.{name}"
    for name in ("combinations", "combinations_with_replacement", "permutations")
)
"""The functions that choose so many of some values."""

MOST_CHOSEN = 6
"""How many elements of the tuples that these and `product` give are written out."""

ORDER = "adlsp.runtime.order"
"""The function that tells in which order elements stand, by their keys."""

ELEMENTS = "__elements__"
"""A name for the list of what has keys."""

PIECE = "__piece__"
"""A name for the elements that a function of several is given."""

DISPLAYED = (gast.List, gast.Tuple)
"""What is written down with its elements."""

DEFAULT = "__default__"
"""A name for what is given where there are no elements."""


class Iterating(Comprehensions, ABC):
    """Lowers calls of functions that run through something."""

    @abstractmethod
    def argument(self, node: gast.expr, function: str) -> ir.Atom:
        """An argument of a call; a generator that the call runs through is like a list."""

    @abstractmethod
    def is_loud(self, function: gast.expr) -> bool:
        """Tells whether a function that another one calls changes what it is given, or may."""

    @abstractmethod
    def fold(self, node: gast.Call, function: gast.expr, values: gast.expr) -> ir.Name:
        """`reduce(f, values)`: a loop that goes on with what `f` gives."""

    def with_fallback(self, node: gast.Call) -> gast.expr | None:
        """`getattr(o, "w", v)` as `o.w if hasattr(o, "w") else v`."""
        match node:
            case gast.Call(args=[gast.Name() | gast.Attribute(), _, fallback], keywords=[]) if (
                not has_star(node.args) and self.meaning(node.func) == ir.GETATTR
            ):
                asked = gast.Call(loaded("hasattr", node), node.args[:2], [])
                read = gast.Call(node.func, node.args[:2], [])
                chosen = gast.IfExp(*(gast.copy_location(e, node) for e in (asked, read)), fallback)
                is_plain = self.are_builtins(node, "hasattr")
                return gast.copy_location(chosen, node) if is_plain else None
        return None

    def instead(self, node: gast.expr, written: gast.expr) -> ir.Opaque | None:
        """What gives an iterator, with steps that give a list, or pairs, of the same elements."""
        if not isinstance(node, gast.Call) or any(k.arg is None for k in node.keywords):
            return None
        steps: Steps | None = None
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        match self.meaning(node.func), node.args:
            case "itertools.chain", [gast.Starred(value=rows)] if not given:
                steps = partial(self.flat, node, rows)
            case "itertools.chain", [_, *_] as parts if not (given or has_star(parts)):
                steps = partial(self.joined_parts, node, parts)
            case "itertools.chain.from_iterable", [rows] if not (given or has_star([rows])):
                steps = partial(self.flat, node, rows)
            case "itertools.pairwise", [values] if not (given or has_star([values])):
                steps = partial(self.pairs, node, values)
            case "itertools.islice", [values, _, *_] as parts if not (
                given or has_star(parts) or isinstance(values, gast.Call)
            ):
                steps = partial(self.sliced, node, *parts)
            case "itertools.accumulate", [values, *function] if (
                len(function) < 2
                and given.keys() <= {"func", "initial"}
                and not has_star(node.args)
            ):
                combined, start = [*function, given.get("func")][0], given.get("initial")
                steps = partial(self.accumulated, node, values, combined, start)
            case function, [values, gast.Constant(value=int() as n)] if (
                (function in CHOOSING_SEVERAL and not given and 0 < n <= MOST_CHOSEN)
                and not self.is_range(values)
                and self.are_builtins(node, "range", "len")
            ):
                steps = partial(self.choices, node, values, n)
            case "itertools.product", [_, *_] as parts if given.keys() <= {
                "repeat"
            } and not has_star(parts):
                n = _number(given.get("repeat", gast.Constant(1, None)))
                is_plain = all(map(self.is_range, parts))
                if n > 0 and n * len(parts) <= MOST_CHOSEN and not is_plain:
                    steps = partial(self.combined, node, parts, n)
            case "numpy.ndenumerate", [array] if not given and isinstance(
                node.func, gast.Attribute
            ):
                steps = partial(self.numbered, node, array)
        return None if steps is None else self.standing(node, written, steps)

    def standing(self, node: gast.Call, written: gast.expr, steps: Steps) -> ir.Opaque:
        """A call as it was written, and the steps that take its place."""
        finding = Diagnostic(reading.NoRule(self.text(node.func)), self.span(node))
        kept = self.opaque(written, (finding,), does=node)
        outer, self.renamed = self.renamed, dict(self.renamed)
        with self.steps(self.span(node)) as made:
            value = self.hold(steps())
        self.renamed = outer
        assert isinstance(value, ir.Name)
        return replace(kept, unfolded=(tuple(made), value))

    # what gives an iterator

    def joined_parts(self, node: gast.Call, parts: list[gast.expr]) -> ir.Expression:
        """`chain(a, b)` as `[*a, *b]`."""
        starred = [gast.copy_location(gast.Starred(p, gast.Load()), p) for p in parts]
        return self.value(gast.copy_location(gast.List(starred, gast.Load()), node))

    def flat(self, node: gast.Call, rows: gast.expr) -> ir.Expression:
        """`chain(*rows)` as `[x for row in rows for x in row]`."""
        row, element = loaded("row", node), loaded("element", node)
        loops = [(row, rows), (element, row)]
        return self.value(_comprehension(node, element, loops))

    def pairs(self, node: gast.Call, values: gast.expr) -> ir.Call:
        """`pairwise(values)` as `zip(values, values[1:])`."""
        every = self.argument(values, "builtins.list")
        rest = self.part(node, every, ir.Const(1), ir.Const(None))
        return self.call("builtins.zip", node, every, rest)

    def sliced(self, node: gast.Call, values: gast.expr, *ends: gast.expr) -> ir.Call:
        """`islice(values, 1, 3)` as `values[1:3]`: an iterator, which goes on, has no slices."""
        first, last, step = (None, *ends, None) if len(ends) == 1 else (*ends, None)[:3]
        ends_of = gast.copy_location(gast.Slice(first, last, step), node)
        read = gast.Subscript(values, ends_of, gast.Load())
        return self.call("builtins.list", node, self.atom(gast.copy_location(read, node)))

    def accumulated(
        self,
        node: gast.Call,
        values: gast.expr,
        function: gast.expr | None,
        start: gast.expr | None,
    ) -> ir.Name:
        """`accumulate(values, function)` as the list that a loop fills with what it has so far.

        Without a function it adds up, from zero; with one it begins with the first of the values.
        """
        assert self.origin is not None
        is_sum = function is None or _is_none(function)
        total, element = self.fresh.own("total"), self.fresh.own("element")
        given = self.argument(values, "builtins.list")
        begun = None if start is None or _is_none(start) else self.value(start)
        filled = self.filled()
        if begun is not None or is_sum:
            self.pending.append(ir.Assign((total,), begun or ir.Const(0), self.origin))
        if begun is not None:
            self.append(filled, ir.Name(total))
        elif not is_sum:
            every = self.hold(self.call("builtins.list", node, given))
            given = self.part(node, every, ir.Const(1), ir.Const(None))
            with self.loop(element, self.part(node, every, ir.Const(None), ir.Const(1))):
                self.pending.append(ir.Assign((total,), ir.Name(element), self.origin))
                self.append(filled, ir.Name(total))
        self.renamed |= {"__total__": total, "__element__": element}
        both = [loaded("__total__", node), loaded("__element__", node)]
        more: gast.expr = gast.BinOp(both[0], gast.Add(), both[1])
        if function is not None and not is_sum:
            more = gast.Call(function, both, [])
        with self.loop(element, given):
            again = self.value(gast.copy_location(more, node))
            self.pending.append(ir.Assign((total,), again, self.origin))
            self.append(filled, ir.Name(total))
        return ir.Name(filled)

    def is_range(self, node: gast.expr) -> bool:
        """Tells whether an expression gives a range, which carries no derivatives."""
        return isinstance(node, gast.Call) and self.meaning(node.func) == "builtins.range"

    def are_builtins(self, node: gast.Call, *names: str) -> bool:
        """Tells whether some names stand for the functions of Python that have them."""
        return all(self.meaning(loaded(name, node)) == f"builtins.{name}" for name in names)

    def choices(self, node: gast.Call, values: gast.expr, n: int) -> ir.Expression:
        """`combinations(values, 2)`, or its like, by combinations of positions."""
        every, places = self.named(node, values, "every"), loaded("places", node)
        positions = _call("range", node, _call("len", node, every))
        run = gast.copy_location(gast.Call(node.func, [positions, node.args[1]], []), node)
        taken = [_part(every, _part(places, gast.Constant(k, None))) for k in range(n)]
        chosen = gast.copy_location(gast.Tuple(taken, gast.Load()), node)
        return self.value(_comprehension(node, chosen, [(places, run)]))

    def combined(self, node: gast.Call, parts: list[gast.expr], n: int) -> ir.Expression:
        """`product(xs, ys)` as `[(x, y) for x in xs for y in ys]`."""
        rows = [self.named(node, part, f"rows_{k}") for k, part in enumerate(parts)] * n
        each = [loaded(f"element_{k}", node) for k in range(len(rows))]
        taken: list[gast.expr] = [*each]
        whole = gast.copy_location(gast.Tuple(taken, gast.Load()), node)
        return self.value(_comprehension(node, whole, [*zip(each, rows, strict=True)]))

    def numbered(self, node: gast.Call, array: gast.expr) -> ir.Expression:
        """`np.ndenumerate(a)` as `[(places, a[places]) for places in np.ndindex(a.shape)]`."""
        assert self.origin is not None
        every, places = loaded("__every__", node), loaded("places", node)
        self.renamed["__every__"] = self.fresh.own("every")
        kept = self.call("numpy.asarray", node, self.atom(array))
        self.pending.append(ir.Assign((self.renamed["__every__"],), kept, self.origin))
        shape = gast.copy_location(gast.Attribute(every, "shape", gast.Load()), node)
        assert isinstance(node.func, gast.Attribute)
        indices = gast.copy_location(gast.Attribute(node.func.value, "ndindex", gast.Load()), node)
        run = gast.copy_location(gast.Call(indices, [shape], []), node)
        pair = gast.copy_location(gast.Tuple([places, _part(every, places)], gast.Load()), node)
        return self.value(_comprehension(node, pair, [(places, run)]))

    def named(self, node: gast.Call, values: gast.expr, name: str) -> gast.Name:
        """A list of what is run through, under a name."""
        assert self.origin is not None
        listed = self.call("builtins.list", node, self.argument(values, "builtins.list"))
        self.renamed[f"__{name}__"] = self.fresh.own(name)
        self.pending.append(ir.Assign((self.renamed[f"__{name}__"],), listed, self.origin))
        return loaded(f"__{name}__", node)

    def part(self, node: gast.Call, every: ir.Atom, first: ir.Atom, last: ir.Atom) -> ir.Atom:
        """`every[first:last]`."""
        ends = self.hold(self.call("python.slice", node, first, last, ir.Const(None)))
        return self.hold(self.call("operator.getitem", node, every, ends))

    # by keys

    def standing_for(self, node: gast.Call) -> ir.Opaque | None:
        """A call of what has other steps where it carries derivatives."""
        return (
            self.with_default(node)
            or self.by_key(node)
            or self.begun(node)
            or self.put_together(node)
            or self.multiplied(node)
            or self.by_pieces(node)
        )

    def by_key(self, node: gast.Call) -> ir.Opaque | None:
        """`sorted(values, key=f)`, or `min` and `max` with a key, with steps by positions."""
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        key, values = given.pop("key", None), node.args
        if key is None or _is_none(key) or not values or has_star(values) or None in given:
            return None
        function = self.meaning(node.func)
        steps: Steps
        if function == "builtins.sorted" and len(values) == 1 and given.keys() <= {"reverse"}:
            steps = partial(self.ordered, node, values[0], key, given.get("reverse"))
        elif function in CHOOSING and not given:
            whole = gast.copy_location(gast.Tuple(values, gast.Load()), node)
            steps = partial(self.first, node, whole if len(values) > 1 else values[0], key)
        else:
            return None
        are_positions = isinstance(values[0], gast.Call) and (
            self.meaning(values[0].func) == "builtins.range"
        )
        is_quiet = _is_reading(key) or not (are_positions or self.is_loud(key))
        if not is_quiet or self.keyed(node, key) is None:
            return None
        return self.standing(node, node, steps)

    def ordered(
        self, node: gast.Call, values: gast.expr, key: gast.expr, reverse: gast.expr | None
    ) -> ir.Name:
        """`sorted(values, key=f)`: the elements at the positions that their keys tell."""
        every, keys = self.with_keys(node, values, key)
        turned = () if reverse is None else (self.atom(reverse),)
        order = self.hold(self.call(ORDER, node, keys, *turned))
        filled, place = self.filled(), self.fresh.own("i")
        with self.loop(place, order):
            self.append(filled, self.call("operator.getitem", node, every, ir.Name(place)))
        return ir.Name(filled)

    def first(self, node: gast.Call, values: gast.expr, key: gast.expr) -> ir.Expression:
        """`min(values, key=f)`: the element at the position that the keys tell."""
        function = self.meaning(node.func)
        assert function is not None
        every, keys = self.with_keys(node, values, key)
        place = self.hold(self.call(CHOOSING[function], node, keys))
        return self.call("operator.getitem", node, every, place)

    def with_default(self, node: gast.Call) -> ir.Opaque | None:
        """`max(values, default=v)`, with steps that ask first whether there are any values."""
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        default, function = given.pop("default", None), self.meaning(node.func)
        if default is None or len(node.args) != 1 or has_star(node.args):
            return None
        if function not in CHOOSING or not given.keys() <= {"key"}:
            return None

        def steps() -> ir.Expression:
            assert self.origin is not None
            every, other = self.fresh.own("elements"), self.fresh.own("default")
            listed = self.call("builtins.list", node, self.argument(node.args[0], "builtins.list"))
            self.pending.append(ir.Assign((every,), listed, self.origin))
            self.pending.append(ir.Assign((other,), self.value(default), self.origin))
            self.renamed |= {ELEMENTS: every, DEFAULT: other}
            elements = loaded(ELEMENTS, node)
            keywords = [keyword for keyword in node.keywords if keyword.arg == "key"]
            extreme = gast.copy_location(gast.Call(node.func, [elements], keywords), node)
            chosen = gast.IfExp(elements, extreme, loaded(DEFAULT, node))
            return self.value(gast.copy_location(chosen, node))

        return self.standing(node, node, steps)

    def begun(self, node: gast.Call) -> ir.Opaque | None:
        """`next(iter(values))`, with steps that take the first element of a list."""
        match node:
            case gast.Call(args=[gast.Call(func=run, args=[values], keywords=[])], keywords=[]) if (
                not has_star([values])
            ):
                meanings = self.meaning(node.func), self.meaning(run)
            case _:
                return None
        if meanings != ("builtins.next", "builtins.iter"):
            return None

        def steps() -> ir.Call:
            given = self.argument(values, "builtins.list")
            every = self.hold(self.call("builtins.list", node, given))
            return self.call("operator.getitem", node, every, ir.Const(0))

        return self.standing(node, node, steps)

    def put_together(self, node: gast.Call) -> ir.Opaque | None:
        """`sum(rows, [])`, with steps that put the elements of all rows into one list."""
        match node:
            case gast.Call(args=[rows, gast.List(elts=[])], keywords=[]) if self.meaning(
                node.func
            ) == "builtins.sum" and not has_star([rows]):
                return self.standing(node, node, partial(self.flat, node, rows))
        return None

    def multiplied(self, node: gast.Call) -> ir.Opaque | None:
        """`np.linalg.multi_dot(arrays)`, with steps that multiply one after the other."""
        if self.meaning(node.func) != "numpy.linalg.multi_dot":
            return None
        if len(node.args) != 1 or node.keywords or has_star(node.args):
            return None
        return self.standing(node, node, partial(self.product, node, node.args[0]))

    def product(self, node: gast.Call, arrays: gast.expr) -> ir.Expression:
        """`a @ b @ c` of those in a display, or in a list that a loop runs over."""

        def times(one: gast.expr, other: gast.expr) -> gast.expr:
            return gast.copy_location(gast.BinOp(one, gast.MatMult(), other), node)

        if isinstance(arrays, DISPLAYED) and arrays.elts and not has_star(arrays.elts):
            return self.value(reduce(times, arrays.elts))
        names = [gast.Name(name, gast.Param(), None, None) for name in ("one", "other")]
        both = gast.arguments(names, [], None, [], [], None, [])
        product = times(*(loaded(name.id, node) for name in names))
        return self.fold(node, gast.copy_location(gast.Lambda(both, product), node), arrays)

    def by_pieces(self, node: gast.Call) -> ir.Opaque | None:
        """`np.piecewise(x, conditions, functions)`, with steps that fill an array piece by piece.

        Of the functions each is given the elements for which its condition holds, the last one
        those for which none does.
        """
        if self.meaning(node.func) != "numpy.piecewise" or node.keywords or has_star(node.args):
            return None
        match node.args:
            case [given, conditions, gast.List(elts=functions) | gast.Tuple(elts=functions)]:
                tests = conditions.elts if isinstance(conditions, DISPLAYED) else [conditions]
            case _:
                return None
        is_whole = tests and len(functions) in (len(tests), len(tests) + 1)
        if not is_whole or has_star(tests) or not all(map(self.is_piece, functions)):
            return None
        return self.standing(node, node, partial(self.pieces, node, given, tests, functions))

    def is_piece(self, node: gast.expr) -> bool:
        """Tells whether something in the place of a function surely is one, or a number."""
        match node:
            case gast.Constant() | gast.UnaryOp(op=gast.USub(), operand=gast.Constant()):
                return True
            case gast.Lambda(args=gast.arguments(args=[_], vararg=None, kwonlyargs=[], kwarg=None)):
                return True
        binding = self.binding(node)
        return binding is not None and binding.kind == "function"

    def pieces(
        self,
        node: gast.Call,
        given: gast.expr,
        tests: list[gast.expr],
        functions: list[gast.expr],
    ) -> ir.Name:
        """The array that is filled piece by piece."""
        assert self.origin is not None
        whole = self.hold(self.call("numpy.asarray", node, self.atom(given)))
        places = [self.atom(test) for test in tests]
        if len(functions) > len(tests):
            any_of = places[0]
            for place in places[1:]:
                any_of = self.hold(self.call("numpy.logical_or", node, any_of, place))
            places.append(self.hold(self.call("numpy.logical_not", node, any_of)))
        made = self.fresh.own("pieces")
        zeros = self.call("numpy.zeros_like", node, whole)
        self.pending.append(ir.Assign((made,), zeros, self.origin))
        for place, function in zip(places, functions, strict=True):
            value: gast.expr = function
            if not isinstance(function, gast.Constant | gast.UnaryOp):
                part = self.hold(self.call("operator.getitem", node, whole, place))
                assert isinstance(part, ir.Name)
                self.renamed[PIECE] = part.id
                value = gast.copy_location(gast.Call(function, [loaded(PIECE, node)], []), node)
            self.pending.append(
                ir.Store(made, place, self.atom(value), ir.StoreKind.REPLACE, self.origin)
            )
        return ir.Name(made)

    def with_keys(
        self, node: gast.Call, values: gast.expr, key: gast.expr
    ) -> tuple[ir.Atom, ir.Atom]:
        """A list of some values, and a list of their keys.

        What keys are read by is no list: it is a dictionary.
        """
        assert self.origin is not None
        keys = self.keyed(node, key)
        assert keys is not None
        given = self.argument(self.of_tuples(values) or values, "builtins.list")
        read = (n for n in walks.over(keys.elt) if isinstance(n, gast.Subscript))
        if isinstance(values, gast.Name) and any(_is_of(n, values, keys) for n in read):
            given = self.hold(self.call("ndarray.keys", node, given))
        every = self.fresh.own("elements")
        made = ir.Assign((every,), self.call("builtins.list", node, given), self.origin)
        self.pending.append(made)
        self.renamed[ELEMENTS] = every
        return ir.Name(every), self.hold(self.value(keys))

    def list_of_tuples(self, node: gast.expr) -> gast.ListComp | None:
        """`list(zip(a, b))`, which may be run through again and again, as such a list."""
        is_list = isinstance(node, gast.Call) and self.meaning(node.func) == "builtins.list"
        return self.of_tuples(node) if is_list else None

    def of_tuples(self, values: gast.expr) -> gast.ListComp | None:
        """`zip(a, b)`, or `enumerate(a)`, as the list of its tuples: `[(i, x) for i, x in …]`."""
        match values:
            case gast.Call(func=func, args=[_, *_] as args) if not has_star(args):
                run = self.meaning(func)
            case _:
                return None
        if run == "builtins.list":
            return self.of_tuples(args[0])
        if run not in ("builtins.zip", "builtins.enumerate"):
            return None
        n = 2 if run == "builtins.enumerate" else len(args)
        names = [f"part{i}" for i in range(n)]
        whole = gast.Tuple([loaded(name, values) for name in names], gast.Load())
        stored = (gast.Name(name, gast.Store(), None, None) for name in names)
        target = gast.Tuple([gast.copy_location(s, values) for s in stored], gast.Store())
        generator = gast.comprehension(gast.copy_location(target, values), values, [], 0)
        made = gast.ListComp(gast.copy_location(whole, values), [generator])
        return gast.copy_location(made, values)

    def keyed(self, node: gast.Call, key: gast.expr) -> gast.ListComp | None:
        """The keys of what is called `ELEMENTS`, as a function gives them."""
        taken = {name.id for name in scope.free(key)}
        each = loaded("each_" if "each" in taken else "each", node)
        element: gast.expr | None
        match key:
            case gast.Lambda(
                args=gast.arguments(
                    args=[each], posonlyargs=[], kwonlyargs=[], vararg=None, kwarg=None, defaults=[]
                )
            ):
                element = key.body
            case gast.Attribute(value=held) if _is_reading(key):
                element = gast.Subscript(held, each, gast.Load())
            case gast.Attribute(attr=attr) if ir.is_mutator(attr):
                return None
            case gast.Call(func=func, args=[index], keywords=[]) if self.meaning(
                func
            ) == "operator.itemgetter" and isinstance(index, gast.Constant):
                element = gast.Subscript(each, index, gast.Load())
            case gast.Call(func=func, args=[gast.Constant(value=str() as name)], keywords=[]) if (
                self.meaning(func) == "operator.attrgetter" and name.isidentifier()
            ):
                element = gast.Attribute(each, name, gast.Load())
            case _:
                element = self.applied(key, each)
        if element is None:
            return None
        variable = gast.copy_location(gast.Name(each.id, gast.Store(), None, None), node)
        generator = gast.comprehension(variable, loaded(ELEMENTS, node), [], 0)
        whole = gast.ListComp(gast.copy_location(element, node), [generator])
        return gast.copy_location(whole, node)

    # loops that fill lists

    def filled(self) -> str:
        """A new list, which steps fill."""
        assert self.origin is not None
        made = self.fresh.own("values")
        self.pending.append(ir.Assign((made,), ir.Call("python.list"), self.origin))
        return made

    def append(self, filled: str, value: ir.Expression) -> None:
        """Puts a value at the end of a list."""
        assert self.origin is not None
        self.pending.append(ir.appended(filled, self.hold(value), self.origin))

    @contextmanager
    def loop(self, target: str, iterable: ir.Atom) -> Iterator[None]:
        """Collects the steps of the body of a loop."""
        assert self.origin is not None
        with self.steps(self.origin) as body:
            yield
        self.pending.append(ir.For(target, iterable, tuple(body), self.origin))


def _comprehension(
    node: gast.expr, element: gast.expr, loops: list[tuple[gast.Name, gast.expr]]
) -> gast.ListComp:
    """A list comprehension, at the place of another tree."""
    generators = [
        gast.comprehension(
            gast.copy_location(gast.Name(target.id, gast.Store(), None, None), node), values, [], 0
        )
        for target, values in loops
    ]
    return gast.copy_location(gast.ListComp(element, generators), node)


def _part(base: gast.expr, index: gast.expr) -> gast.Subscript:
    index = gast.copy_location(index, base)
    return gast.copy_location(gast.Subscript(base, index, gast.Load()), base)


def _call(name: str, node: gast.expr, argument: gast.expr) -> gast.Call:
    return gast.copy_location(gast.Call(loaded(name, node), [argument], []), node)


def _number(node: gast.expr) -> int:
    """The integer that an expression writes down, or else 0."""
    is_number = isinstance(node, gast.Constant) and type(node.value) is int
    return node.value if is_number else 0


def _is_of(read: gast.Subscript, values: gast.Name, keys: gast.ListComp) -> bool:
    """Tells whether a key is what some values have at each of their elements: `d[k]`."""
    base, index, each = read.value, read.slice, keys.generators[0].target
    is_base = isinstance(base, gast.Name) and base.id == values.id
    return is_base and isinstance(index, gast.Name) and index.id == each.id


def _is_reading(key: gast.expr) -> bool:
    """Tells whether a key is what something else has at an element: `key=d.get`."""
    return isinstance(key, gast.Attribute) and key.attr in ("__getitem__", "get")


def _is_none(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None
