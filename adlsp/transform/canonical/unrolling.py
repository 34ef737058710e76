"""Loops over objects that are known one by one are written out: loop unrolling.

In each pass of `for layer in self.layers: x = layer(x)` another method runs where the layers are of
several classes, and of what `[Layer(w) for w in weights]` makes each is known. A loop over objects
of one class stays one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Set
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import dataflow, liveness
from adlsp.transform.ir.variables import Fresh, Numbered, moved
from adlsp.transform.values import containers, lattice, places, structures
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.lattice import Value

MOST_PASSES = 32
"""How many passes of a loop are written out."""

MOST_STATEMENTS = 1000
"""How many statements a function may have before no more loops in it are written out."""


def unrolled(
    function: ir.Function,
    typed: Typed,
    made_at: Collection[str] = frozenset(),
    is_class: Callable[[Value], bool] | None = None,
) -> ir.Function:
    """The function with the passes of such loops, one after the other.

    So are those over objects that are made at some places, be they of one class. Where it is told
    what a class is, no others are written out than those over classes.
    """
    made = _Unrolling(function, typed, made_at, is_class)
    body = made.block(function.body)
    return replace(function, body=body) if made.is_changed else function


class _Unrolling:
    def __init__(
        self,
        function: ir.Function,
        typed: Typed,
        made_at: Collection[str],
        is_class: Callable[[Value], bool] | None,
    ) -> None:
        self.typed, self.is_class = typed, is_class
        self.made_at = frozenset(made_at)
        self.fresh = ir.fresh(function)
        self.n_numbers = ir.last_number(function)
        self.carried = liveness.carried(function)
        self.n_statements = sum(1 for _ in ir.walk(function.body))
        self.is_changed = False

    def block(self, block: ir.Block) -> ir.Block:
        steps = {
            s.targets[0]: s
            for s in block
            if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call) and not s.is_tuple
        }
        return tuple(made for s in block for made in self.statement(s, steps))

    def statement(self, statement: ir.Statement, steps: Mapping[str, ir.Assign]) -> ir.Block:
        match statement:
            case ir.For():
                return self.loop(statement, steps) or (self.inside(statement),)
            case ir.If() | ir.While():
                return (self.inside(statement),)
            case ir.Assign(value=ir.Opaque(unfolded=(inner, result))):
                is_wanted = self.gets_made(statement)
                if is_wanted or any(isinstance(s, ir.For) for s in inner):
                    made = self.block(inner)
                    self.is_changed |= is_wanted
                    if is_wanted or not any(isinstance(s, ir.For) for s in made):
                        return (*made, replace(statement, value=result))
            case ir.Do(value=ir.Opaque(unfolded=(inner, result)) as kept):
                made = self.block(inner)
                if any(a is not b for a, b in zip(made, inner, strict=False)):
                    return (replace(statement, value=replace(kept, unfolded=(made, result))),)
        return (statement,)

    def gets_made(self, statement: ir.Statement) -> bool:
        """Tells whether a statement reads objects that are made at the places that count."""
        values = (self.typed.of(statement, ir.Name(name)) for name in ir.reads(statement))
        return any(not places.sites_of(v).isdisjoint(self.made_at) for v in values)

    def inside(self, statement: ir.Statement) -> ir.Statement:
        """A statement with the loops in it; the very same where none is written out."""
        blocks = {b: self.block(b) for b in ir.blocks(statement)}
        is_same = all(a is b for old, new in blocks.items() for a, b in zip(old, new, strict=False))
        return statement if is_same else ir.rebuilt(statement, block=lambda b: blocks[b])

    def loop(self, loop: ir.For, steps: Mapping[str, ir.Assign]) -> ir.Block:
        """The passes of a loop; nothing where it stays one."""
        source = loop.iterable
        found = self.items(loop, steps)
        if found is None:
            return ()
        n_passes = len(found)
        size = sum(1 for _ in ir.walk(loop.body)) * n_passes
        is_one_of_several = len({*map(structures.of, found)}) > 1
        is_wanted = is_one_of_several and any(map(structures.has_objects, found))
        together = lattice.Sequence(is_list=False, items=found)
        is_wanted |= is_one_of_several and structures.has_functions(together)
        is_wanted |= any(_makes_object(s) for s in ir.walk(loop.body))
        is_wanted |= any(not places.sites_of(v).isdisjoint(self.made_at) for v in found)
        numbers = {loop.target, *(ir.writes(loop.body[0]) if loop.body else ())}
        is_wanted |= any(self.takes_made(s, numbers) for s in ir.walk(loop.body))
        if self.is_class is not None:
            is_wanted = any(self.is_class(v) for each in found for v in _with_parts(each))
        if not (is_wanted and 0 < n_passes <= MOST_PASSES) or not may_repeat(loop.body):
            return ()
        if self.n_statements + size > MOST_STATEMENTS:
            return ()
        self.n_statements += size
        self.is_changed = True
        elements = (self.element(loop, source, at, steps) for at in range(n_passes))
        passes = (self.one_pass(loop, *each) for each in elements)
        return tuple(statement for each in passes for statement in each)

    def items(self, loop: ir.For, steps: Mapping[str, ir.Assign]) -> tuple[Value, ...] | None:
        """What a loop runs over, one by one; None where that is not known."""
        made = steps.get(loop.iterable.id) if isinstance(loop.iterable, ir.Name) else None
        if made is not None and (numbers := self.numbers(made)) is not None:
            return tuple(map(lattice.of_constant, numbers)) if len(numbers) <= MOST_PASSES else None
        run = self.typed.of(loop, loop.iterable)
        is_known = isinstance(run, lattice.Sequence | lattice.Mapped) and run.items is not None
        return containers.run(run)[0] if is_known else None

    def numbers(self, made: ir.Assign) -> range | None:
        """The numbers that a step gives, if it is a range and they are known."""
        match made.value:
            case ir.Call("builtins.range", args, ()):
                ends = [lattice.constant_of(self.typed.of(made, each)) for each in args]
                known = [end for end in ends if isinstance(end, int)]
                is_known = len(known) == len(ends) in (1, 2, 3) and known[2:] != [0]
                return range(*known) if is_known else None
        return None

    def takes_made(self, statement: ir.Statement, numbers: Collection[str]) -> bool:
        """Tells whether a statement takes one of several objects, or attributes, by what counts.

        These are of several classes, or made at the places.
        """
        match statement:
            case ir.Assign(value=ir.Call(function, (_, ir.Name(id)))) if function == ir.GETATTR:
                return id in numbers
            case ir.Assign(value=ir.Call("operator.getitem", (base, ir.Name(id)))) if id in numbers:
                held = self.typed.of(statement, base)
                if not isinstance(held, lattice.Sequence | lattice.Mapped):
                    return False
                kinds = {*map(structures.of, lattice.contents(held))}
                if len(kinds) > 1 and structures.has_objects(held):
                    return True
                made = places.sites_of(held) - places.own_sites(held)
                return not made.isdisjoint(self.made_at)
        return False

    def element(
        self, reader: ir.Statement, source: ir.Atom, at: int, steps: Mapping[str, ir.Assign]
    ) -> tuple[list[ir.Assign], ir.Expression, tuple[ir.Atom, ...]]:
        """An element of what a loop runs over: the steps before, itself, and of a tuple its parts.

        What `zip` and its like give is read from what they are given.
        """
        made = steps.get(source.id) if isinstance(source, ir.Name) else None
        value = self.typed.of(reader, source)
        numbers = None if made is None else self.numbers(made)
        if numbers is not None:
            return [], ir.Const(numbers[at]), ()
        match None if made is None else made.value:
            case ir.Call("builtins.reversed", (given,), ()) if made is not None:
                last = len(lattice.parts(self.typed.of(made, given))) - 1
                return self.element(made, given, last - at, steps)
            case ir.Call("builtins.enumerate", (given,), ()) if made is not None:
                return self.together((ir.Const(at), self.element(made, given, at, steps)), reader)
            case ir.Call("builtins.zip", (_, *_) as given, ()) if made is not None:
                every = tuple(self.element(made, each, at, steps) for each in given)
                return self.together(every, reader)
            case ir.Call("ndarray.items" | "ndarray.values" as function, (given,), ()) if (
                made is not None and isinstance(held := self.typed.of(made, given), lattice.Mapped)
            ):
                key = ir.Const((held.items or ())[at][0])
                entry = ir.Call("operator.getitem", (given, key), (), reader.origin)
                if function == "ndarray.values":
                    return [], entry, ()
                return self.together((key, ([], entry, ())), reader)
        if isinstance(value, lattice.Mapped):
            return [], ir.Const((value.items or ())[at][0]), ()
        return [], ir.Call("operator.getitem", (source, ir.Const(at)), (), reader.origin), ()

    def together(
        self,
        parts: tuple[ir.Const | tuple[list[ir.Assign], ir.Expression, tuple[ir.Atom, ...]], ...],
        reader: ir.Statement,
    ) -> tuple[list[ir.Assign], ir.Expression, tuple[ir.Atom, ...]]:
        """A tuple of elements."""
        before: list[ir.Assign] = []
        atoms: list[ir.Atom] = []
        for each in parts:
            if isinstance(each, ir.Const):
                atoms.append(each)
                continue
            step = self.fresh.step()
            before += [*each[0], ir.Assign((step,), each[1], reader.origin, reader.role)]
            atoms.append(ir.Name(step))
        return before, ir.Call("python.tuple", tuple(atoms), (), reader.origin), tuple(atoms)

    def one_pass(
        self,
        loop: ir.For,
        before: list[ir.Assign],
        element: ir.Expression,
        parts: tuple[ir.Atom, ...],
    ) -> Iterator[ir.Statement]:
        """One pass, in which the variables of ours are other ones."""
        origin, role = loop.origin, loop.role
        target, body = passed(loop, self.fresh, self.n_numbers, self.carried)
        yield from before
        match body:
            case (ir.Assign(taken, ir.Name(id), is_tuple=True), *rest) if (
                parts and id == target and len(taken) == len(parts)
            ):
                for name, part in zip(taken, parts, strict=True):
                    yield ir.Assign((name,), part, origin, role)
                yield from rest
            case _:
                yield ir.Assign((target,), element, origin, role)
                yield from body


def passed(
    loop: ir.For, fresh: Fresh, n_numbers: int, carried: Mapping[dataflow.Loop, Set[str]]
) -> tuple[str, ir.Block]:
    """One pass of a loop, in which the variables of ours are other ones: its target and body.

    `n_numbers` is how many these are in the function, and `carried` are those that loops carry.
    """
    by = fresh.last
    fresh.last += n_numbers
    bound = {loop.target, *(n for s in ir.walk(loop.body) for n in _bound(s))}
    bound -= carried.get(loop, frozenset())
    names: dict[str, str] = {n: moved(n, by) for n in bound if isinstance(n, Numbered)}
    return names.get(loop.target, loop.target), renamed(loop.body, names)


def may_repeat(block: ir.Block) -> bool:
    """Tells whether a block may stand several times: what is kept as written has its steps."""
    return all(map(_is_plain, block))


def renamed(block: ir.Block, names: Mapping[str, str]) -> ir.Block:
    """A block with other variables, also in the steps of what is kept as written."""

    def atom(given: ir.Atom) -> ir.Atom:
        return ir.Name(names.get(given.id, given.id)) if isinstance(given, ir.Name) else given

    def again(statement: ir.Statement) -> ir.Statement:
        made = ir.rebuilt(statement, atom, lambda n: names.get(n, n), lambda b: renamed(b, names))
        match made:
            case (
                ir.Assign(value=ir.Opaque(unfolded=(steps, result)) as kept)
                | ir.Do(value=ir.Opaque(unfolded=(steps, result)) as kept)
            ):
                inner = renamed(steps, names), ir.Name(names.get(result.id, result.id))
                calls = tuple((f, tuple(names.get(n, n) for n in read)) for f, read in kept.calls)
                return replace(made, value=replace(kept, unfolded=inner, calls=calls))
        return made

    return tuple(map(again, block))


def _bound(statement: ir.Statement) -> Iterator[str]:
    """The names that a statement binds, also in the steps of what is kept as written."""
    yield from () if isinstance(statement, ir.Store | ir.Do) else ir.writes(statement)
    match statement:
        case (
            ir.Assign(value=ir.Opaque(unfolded=(steps, _)))
            | ir.Do(value=ir.Opaque(unfolded=(steps, _)))
        ):
            yield from (n for s in ir.walk(steps) for n in _bound(s))


def _is_plain(statement: ir.Statement) -> bool:
    """Tells whether a statement may stand several times: what is kept as written has its steps."""
    for each in ir.walk((statement,)):
        match each:
            case ir.Insert():
                return False
            case ir.Assign(value=ir.Opaque(unfolded=None)) | ir.Do(value=ir.Opaque(unfolded=None)):
                return False
    return True


def _with_parts(value: Value) -> Iterator[Value]:
    """What is run over, or what is in it, if it is a tuple."""
    yield value
    if isinstance(value, lattice.Sequence):
        yield from value.items or ()


def _makes_object(statement: ir.Statement) -> bool:
    return (
        isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Call)
        and statement.value.function == ir.OBJECT
    )
