"""Products of vectors that a loop adds to an adjoint are multiplied many at a time.

    W_bar = rt.zeros(W)                          W_bar = rt.products(W)
    for ...:                                     for ...:
        W_bar += rt.matmul_bar_a(z_bar, W, h)        W_bar += rt.matmul_factors_a(z_bar, W, h)
                                                 W_bar = rt.summed(W_bar)

An outer product in each pass is the dearest line of a recurrent network, or of a factorization by
rows. It may wait where the loop does nothing with the adjoint but add to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial

from adlsp.transform import ir
from adlsp.transform.facts import aliases, effects
from adlsp.transform.ir import Role, StoreKind
from adlsp.transform.ir.variables import Adjoint
from adlsp.transform.optimize import in_place_sums

RUNTIME = "adlsp.runtime"

ZEROS, PRODUCTS, SUMMED = f"{RUNTIME}.zeros", f"{RUNTIME}.products", f"{RUNTIME}.summed"

FACTORS = {
    f"{RUNTIME}.{product}_bar_{factor}": f"{RUNTIME}.{product}_factors_{factor}"
    for product in ("matmul", "dot")
    for factor in "ab"
}
"""For what gives the gradient of a factor, what gives two matrices instead, of which that is the
product."""


TURNED = "attribute.T"
"""How factors are transposed, in place of `np.transpose`."""


def defer_products(body: ir.Block, exact: frozenset[str]) -> ir.Block:
    """The body of a derivative that adds products in place, in loops many at a time.

    What is added to `exact` adjoints has their shape and dtype.
    """
    has_products = any(
        isinstance(s, ir.Assign) and isinstance(s.value, ir.Call) and s.value.function in FACTORS
        for s in ir.walk(body)
    )
    return _Deferring(body, exact).block(body) if has_products else body


class _Deferring:
    def __init__(self, body: ir.Block, exact: frozenset[str]) -> None:
        self.exact = exact
        self.uses = Counter(name for s in ir.walk(body) for name in ir.reads(s))
        self.likes = in_place_sums.made_like(body)
        self.body = body

    @cached_property
    def classes(self) -> aliases.Classes:
        """Which variables may share memory."""
        return aliases.classes(self.body)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            sums: dict[str, int] = {}
            if isinstance(statement, ir.For) and statement.role is Role.ADJOINT:
                sums = self.sums(made, statement)
            for name, start in sums.items():
                zero = made[start]
                assert isinstance(zero, ir.Assign)
                assert isinstance(zero.value, ir.Call)
                made[start] = replace(zero, value=replace(zero.value, function=PRODUCTS))
                statement = ir.rewritten(statement, block=partial(self.deferred, name=name))
            made.append(ir.rewritten(statement, block=self.block))
            for name in sums:
                total = ir.Call(SUMMED, (ir.Name(name),))
                made.append(ir.Assign((name,), total, statement.origin, Role.ADJOINT))
        for position, statement in enumerate(made):
            match statement:
                case ir.Store(base=Adjoint() as name, index=None):
                    self.give_factors(made, position, name)
        return tuple(made)

    def sums(self, before: list[ir.Statement], loop: ir.For) -> dict[str, int]:
        """The adjoints that are zero before a loop and sums after it, and where they begin."""
        found: dict[str, int] = {}
        met = set(ir.reads(loop))
        for position in reversed(range(len(before))):
            match before[position]:
                case ir.Assign(targets=(Adjoint() as name,), value=ir.Call(function=function)) if (
                    function == ZEROS and name not in met and self.is_sum(loop.body, name)
                ):
                    found[name] = position
            if any(ir.blocks(before[position])):
                break
            met.update((*ir.reads(before[position]), *ir.writes(before[position])))
        return found

    def is_sum(self, body: ir.Block, name: str) -> bool:
        """Tells whether all that a loop does with an adjoint is to add to it, also products."""
        users = {s for s in ir.walk(body) if name in (*ir.reads(s), *ir.writes(s))}
        if not all(self.added(statement, name) for statement in users):
            return False
        places = ((b, i) for b in _blocks(body) for i, s in enumerate(b) if s in users)
        return any(self.product(b, i, name) for b, i in places)

    def added(self, statement: ir.Statement, name: str) -> str | None:
        """The variable that a statement adds to an adjoint, or to a part of it."""
        match statement:
            case ir.Store(base=base, index=index, value=ir.Name(id), kind=StoreKind.ADD) if (
                base == name != id and index != ir.Name(name) and not statement.is_each
            ):
                return id if index is not None or self.is_like(name, id) else None
            case ir.Assign(targets=(target,)) if target == name:
                value = in_place_sums.addend(statement)
                return value if value is not None and self.is_like(name, value) else None
        return None

    def is_like(self, name: str, value: str) -> bool:
        """Tells whether a variable that is added to an adjoint has its shape and dtype."""
        return name in self.exact or value in self.likes

    def product(self, block: Sequence[ir.Statement], adding: int, name: str) -> tuple[int, ...]:
        """Where the product is made that a statement adds, if its factors stay until then.

        It may be transposed behind that, if it is the gradient of a transpose.
        """
        wanted = self.added(block[adding], name)
        changed = {name}  # nobody else holds it
        turned: tuple[int, ...] = ()
        for position in reversed(range(adding)):
            if wanted is None or self.uses[wanted] != 1:
                return ()
            match block[position]:
                case ir.Assign(
                    targets=(target,), value=ir.Call("numpy.transpose", (ir.Name(inner),), ())
                ) if target == wanted:
                    wanted, turned = inner, (position, *turned)
                case ir.Assign(targets=(target,), value=ir.Call(function, args)) if (
                    target == wanted
                ):
                    is_kept = function in FACTORS and changed.isdisjoint(ir.names(args))
                    return (position, *turned) if is_kept else ()
                case ir.Assign(targets=targets, value=value) if effects.is_pure(value):
                    changed.update(targets)
                case ir.Store(base=Adjoint() as base):
                    others = () if base == name else self.classes.get(base, ())
                    changed.update((base, *map(str, others)))
                case _:
                    return ()
        return ()

    def deferred(self, block: ir.Block, name: str) -> ir.Block:
        """A block of a loop that adds factors to an adjoint, and whatever it adds, in place."""
        made = [ir.rewritten(s, block=partial(self.deferred, name=name)) for s in block]
        for position, statement in enumerate(made):
            self.give_factors(made, position, name)
            match statement:
                case ir.Assign() if added := self.added(statement, name):
                    made[position] = in_place_sums.store(statement, name, added)
        return tuple(made)

    def give_factors(self, block: list[ir.Statement], adding: int, name: str) -> None:
        """Leaves a product that a statement adds to an adjoint to be multiplied there."""
        for position in self.product(block, adding, name):
            step = block[position]
            assert isinstance(step, ir.Assign)
            assert isinstance(step.value, ir.Call)
            function = FACTORS.get(step.value.function, TURNED)
            block[position] = replace(step, value=replace(step.value, function=function))


def _blocks(block: ir.Block) -> Iterator[ir.Block]:
    """A block, and those inside of it."""
    yield block
    for statement in block:
        for inner in ir.blocks(statement):
            yield from _blocks(inner)
