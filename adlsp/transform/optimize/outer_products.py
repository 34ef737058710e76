"""A sum of outer products is one product of two thin matrices.

    a_bar = np.transpose(np.outer(x2_bar, y2))
    a_bar = a_bar + np.outer(x1_bar, y1)

becomes `a_bar = np.array([y2, x1_bar]).T @ np.array([x2_bar, y1])`, a rank-k update. So the large
matrix is written once, where each product and each sum would write it anew. What is summed are
gradients of one matrix, and so all have its shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import effects
from adlsp.transform.ir import StoreKind
from adlsp.transform.ir.variables import Adjoint
from adlsp.transform.values.lattice import Array, Value

OUTER = "numpy.outer"

Factors = tuple[ir.Atom, ir.Atom]


def multiply_at_once(function: ir.Function, values: Mapping[str, Value]) -> ir.Function:
    """The function with one product for each sum; `values` tells what its variables are."""
    if not any(map(_factors, ir.walk(function.body))):
        return function
    joining = _Joining(function, values)
    return replace(function, body=joining.block(function.body))


class _Joining:
    """`once` are variables that are bound and read once, `dtypes` those of the vectors."""

    def __init__(self, function: ir.Function, values: Mapping[str, Value]) -> None:
        self.fresh = ir.fresh(function)
        every = [*ir.walk(function.body)]
        read = Counter(name for s in every for name in ir.reads(s))
        bound = Counter(name for s in every for name in ir.writes(s))
        self.once = {name for name in bound if bound[name] == read[name] == 1}
        self.dtypes = {
            name: value.dtype
            for name, value in values.items()
            if isinstance(value, Array) and value.rank == 1 and value.library == "numpy"
        }

    def block(self, block: ir.Block) -> ir.Block:
        """A block with one product for each sum, and those inside of it."""
        made = self.turned([ir.rewritten(s, block=self.block) for s in block])
        for start, statement in enumerate(made):
            if _factors(statement) and isinstance(ir.writes(statement)[0], Adjoint):
                pairs, places = self.sum(made, start)
                if len(pairs) > 1 and self.are_alike(pairs):
                    return self.block(tuple(self.at_once(made, pairs, places)))
        return tuple(made)

    def turned(self, block: list[ir.Statement]) -> list[ir.Statement]:
        """A block that makes products the way they are needed, and transposes none."""
        made: list[ir.Statement] = []
        for statement in block:
            match statement:
                case ir.Assign(value=ir.Call("numpy.transpose", (ir.Name(step),), ())):
                    at = self.maker(made, step)
                    if at is not None:
                        (factors,) = _pairs(made.pop(at))
                        statement = replace(statement, value=ir.Call(OUTER, factors[::-1]))
            made.append(statement)
        return made

    def maker(self, block: list[ir.Statement], step: str) -> int | None:
        """Where a product is made that is read once, if its factors are still the same."""
        changed: set[str] = set()
        for position in reversed(range(len(block))):
            statement = block[position]
            if step in ir.writes(statement):
                is_kept = changed.isdisjoint(ir.reads(statement)) and step in self.once
                return position if is_kept and _factors(statement) else None
            if not _is_pure(statement):
                return None
            changed.update(ir.writes(statement))
        return None

    def sum(self, block: list[ir.Statement], start: int) -> tuple[list[Factors], list[int]]:
        """The products that are summed to one that a statement makes, and where that is done."""
        (total,) = ir.writes(block[start])
        pairs, places = [*_pairs(block[start])], [start]
        kept = {name for pair in pairs for name in ir.names(pair)}
        steps: dict[str, int] = {}
        for position in range(start + 1, len(block)):
            statement = block[position]
            added = _added(statement, total)
            if added in steps:
                pairs += _pairs(block[steps[added]])
                places += [steps[added], position]
                continue
            bound = set(ir.writes(statement))
            if not _is_pure(statement) or total in {*ir.reads(statement), *bound} or kept & bound:
                break
            if _factors(statement) and bound <= self.once:
                steps.update(dict.fromkeys(bound, position))
                kept.update(ir.reads(statement))
        return pairs, places

    def are_alike(self, pairs: list[Factors]) -> bool:
        """Tells whether all factors are vectors of the same numbers."""
        atoms = [atom for pair in pairs for atom in pair]
        found = {self.dtypes.get(atom.id) for atom in atoms if isinstance(atom, ir.Name)}
        return all(isinstance(atom, ir.Name) for atom in atoms) and found in (
            {"float64"},
            {"float32"},
        )

    def at_once(
        self, block: list[ir.Statement], pairs: list[Factors], places: list[int]
    ) -> Iterator[ir.Statement]:
        """A block that multiplies at the last place."""
        for position, statement in enumerate(block):
            if position == places[-1]:
                yield from self.product(statement, ir.writes(block[places[0]]), pairs)
            elif position not in places:
                yield statement

    def product(
        self, at: ir.Statement, targets: tuple[str, ...], pairs: list[Factors]
    ) -> Iterator[ir.Statement]:
        def step(function: str, *args: ir.Atom) -> Iterator[ir.Statement]:
            made.append(ir.Name(self.fresh.step()))
            yield ir.Assign((made[-1].id,), ir.Call(function, args), at.origin, at.role)

        made: list[ir.Name] = []
        yield from step("python.list", *(one for one, _ in pairs))
        yield from step("numpy.array", made[-1])
        yield from step("attribute.T", made[-1])
        rows = made[-1]
        yield from step("python.list", *(other for _, other in pairs))
        yield from step("numpy.array", made[-1])
        product = ir.Call("operator.matmul", (rows, made[-1]))
        yield ir.Assign(targets, product, at.origin, at.role)


def _is_pure(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Assign) and effects.is_pure(statement.value)


def _factors(statement: ir.Statement) -> Factors | None:
    """The vectors of which a statement makes the outer product."""
    match statement:
        case ir.Assign((_,), ir.Call("numpy.outer", (one, other), ()), is_tuple=False):
            return one, other
    return None


def _pairs(statement: ir.Statement) -> Iterator[Factors]:
    if factors := _factors(statement):
        yield factors


def _added(statement: ir.Statement, total: str) -> str:
    """The variable that a statement adds to an adjoint; nothing for others."""
    match statement:
        case ir.Assign((target,), ir.Call("operator.add", (ir.Name(one), ir.Name(other)), ())) if (
            target == total == one != other
        ):
            return other
        case ir.Store(base, None, ir.Name(other), StoreKind.ADD) if base == total != other:
            return other
    return ""
