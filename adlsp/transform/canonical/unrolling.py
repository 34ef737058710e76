"""Loops over objects that are known one by one are written out: loop unrolling.

In each pass of `for layer in self.layers: x = layer(x)` another method runs where the layers are of
several classes, and of what `[Layer(w) for w in weights]` makes each is known. A loop over objects
of one class stays one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.ir.variables import Numbered, moved
from adlsp.transform.values import lattice, structures
from adlsp.transform.values.inference import Typed

MOST_PASSES = 12
"""How many passes of a loop are written out."""

MOST_STATEMENTS = 1000
"""How many statements a function may have before no more loops in it are written out."""

ORDERS = {"builtins.reversed": -1, "builtins.enumerate": 1}
"""What gives the elements of a list one by one, and in which direction."""


def unrolled(function: ir.Function, typed: Typed) -> ir.Function:
    """The function with the passes of such loops, one after the other."""
    made = _Unrolling(function, typed)
    body = made.block(function.body)
    return replace(function, body=body) if made.is_changed else function


class _Unrolling:
    def __init__(self, function: ir.Function, typed: Typed) -> None:
        self.typed = typed
        self.fresh = ir.fresh(function)
        self.n_numbers = ir.last_number(function)
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
                if any(isinstance(s, ir.For) for s in inner):
                    made = self.block(inner)
                    if not any(isinstance(s, ir.For) for s in made):
                        return (*made, replace(statement, value=result))
            case ir.Do(value=ir.Opaque(unfolded=(inner, result)) as kept):
                made = self.block(inner)
                if any(a is not b for a, b in zip(made, inner, strict=False)):
                    return (replace(statement, value=replace(kept, unfolded=(made, result))),)
        return (statement,)

    def inside(self, statement: ir.Statement) -> ir.Statement:
        """A statement with the loops in it; the very same where none is written out."""
        blocks = {b: self.block(b) for b in ir.blocks(statement)}
        is_same = all(a is b for old, new in blocks.items() for a, b in zip(old, new, strict=False))
        return statement if is_same else ir.rebuilt(statement, block=lambda b: blocks[b])

    def loop(self, loop: ir.For, steps: Mapping[str, ir.Assign]) -> ir.Block:
        """The passes of a loop; nothing where it stays one."""
        source, order = loop.iterable, 0
        place: ir.Statement = loop
        made = steps.get(source.id) if isinstance(source, ir.Name) else None
        match made:
            case ir.Assign(value=ir.Call(function, (ir.Name() as given,), ())) if (
                function in ORDERS
            ):
                source, place, order = given, made, ORDERS[function]
        run = self.typed.of(place, source)
        if not isinstance(run, lattice.Sequence) or run.items is None:
            return ()
        n_passes = len(run.items)
        size = sum(1 for _ in ir.walk(loop.body)) * n_passes
        is_wanted = len({*map(structures.of, run.items)}) > 1 and structures.has_objects(run)
        is_wanted |= any(_makes_object(s) for s in ir.walk(loop.body))
        if not (is_wanted and 0 < n_passes <= MOST_PASSES) or not all(map(_is_plain, loop.body)):
            return ()
        if self.n_statements + size > MOST_STATEMENTS:
            return ()
        self.n_statements += size
        self.is_changed = True
        places = range(n_passes)[::-1] if order < 0 else range(n_passes)
        passes = (self.one_pass(loop, source, at, order > 0) for at in places)
        return tuple(statement for each in passes for statement in each)

    def one_pass(
        self, loop: ir.For, source: ir.Atom, at: int, is_counted: bool
    ) -> Iterator[ir.Statement]:
        """One pass, in which the variables of ours are other ones."""
        by, origin, role = self.fresh.last, loop.origin, loop.role
        self.fresh.last += self.n_numbers
        bound = {loop.target, *(n for s in ir.walk(loop.body) for n in _bound(s))}
        names: dict[str, str] = {n: moved(n, by) for n in bound if isinstance(n, Numbered)}
        target = names.get(loop.target, loop.target)
        element = ir.Call("operator.getitem", (source, ir.Const(at)), (), origin)
        body = _renamed(loop.body, names)
        if is_counted:
            match body:
                case (ir.Assign((count, one), ir.Name(id), is_tuple=True), *rest) if id == target:
                    yield ir.Assign((count,), ir.Const(at), origin, role)
                    target, body = one, tuple(rest)
                case _:
                    step = self.fresh.step()
                    yield ir.Assign((step,), element, origin, role)
                    element = ir.Call("python.tuple", (ir.Const(at), ir.Name(step)), (), origin)
        yield ir.Assign((target,), element, origin, role)
        yield from body


def _renamed(block: ir.Block, names: Mapping[str, str]) -> ir.Block:
    """A block with other variables."""

    def atom(given: ir.Atom) -> ir.Atom:
        return ir.Name(names.get(given.id, given.id)) if isinstance(given, ir.Name) else given

    def again(statement: ir.Statement) -> ir.Statement:
        made = ir.rebuilt(statement, atom, lambda n: names.get(n, n), lambda b: _renamed(b, names))
        match made:
            case (
                ir.Assign(value=ir.Opaque(unfolded=(steps, result)) as kept)
                | ir.Do(value=ir.Opaque(unfolded=(steps, result)) as kept)
            ):
                inner = _renamed(steps, names), ir.Name(names.get(result.id, result.id))
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


def _makes_object(statement: ir.Statement) -> bool:
    return (
        isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Call)
        and statement.value.function == ir.OBJECT
    )
