"""Divides plainly where a helper looks for 0 / 0 that cannot be: `x_bar = y_bar / (2 * y)`.

The gradient of a root is 0 where no gradient arrives at a root of 0. In `y = np.sqrt(v + 1e-5)`
there is none: the root is above 0. In `x / y` a root of 0 has divided the gradient before, and what
arrives is infinite or no number, as are its products and sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from adlsp.transform import ir
from adlsp.transform.facts import aliases, effects, operations
from adlsp.transform.facts.signs import Signs
from adlsp.transform.facts.signs import Step as Made
from adlsp.transform.ir.variables import Adjoint
from adlsp.transform.ops.spec import Operation
from adlsp.transform.optimize.forms import HOME
from adlsp.transform.values import lattice
from adlsp.transform.values.lattice import Array, Number, Value

RATIO, UNBROADCAST = f"{HOME}ratio", f"{HOME}unbroadcast"

SPREADING = Operation.NEGATE, Operation.SUM, Operation.MEAN
"""What is not finite where what it is computed of is not."""

JOINING = Operation.ADD, Operation.SUBTRACT, Operation.MULTIPLY
"""The same of two operands."""


def without_divided(block: ir.Block) -> ir.Block:
    """A block without helpers where the divisor has divided the gradient before."""
    if not any(_is_ratio(statement) for statement in ir.walk(block)):
        return block
    return _Dividing().block(block)


@dataclass(slots=True)
class _Dividing:
    """Goes through steps in their order.

    `infinite` are variables that are not finite where a divisor is 0, with those divisors, and
    `factors` those of products.
    """

    infinite: dict[str, frozenset[str]] = field(default_factory=dict)
    factors: dict[str, frozenset[str]] = field(default_factory=dict)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            if ir.blocks(statement):
                made.append(ir.rewritten(statement, block=lambda inner: _Dividing().block(inner)))
                self.forget({n for s in ir.walk((statement,)) for n in ir.writes(s)})
            else:
                made.append(self.step(statement))
        return tuple(made)

    def step(self, statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign((name,), ir.Call() as call, is_tuple=False):
                if call.function == RATIO and self.is_divided(*call.args):
                    call = replace(call, function="operator.truediv")
                    statement = replace(statement, value=call)
                infinite, factors = self.of(call), _factors(call)
                self.forget({name})
                self.infinite[name] = infinite - {name}
                if name not in factors:
                    self.factors[name] = factors
            case ir.Assign((name,), ir.Name(other), is_tuple=False):
                infinite = self.infinite.get(other, frozenset())
                self.forget({name})
                self.infinite[name] = infinite
            case ir.Store(Adjoint() as total, None, value, kind):
                call = ir.Call(kind.operator, (ir.Name(total), value))
                infinite = self.of(call) - {total}
                self.forget({total})
                self.infinite[total] = infinite
            case ir.Store(Adjoint() as total):
                self.forget({total})
            case ir.Store() | ir.Do() if any(effects.changes(statement)):  # maybe by another name
                self.infinite.clear()
                self.factors.clear()
            case _:
                self.forget(set(ir.writes(statement)))
        return statement

    def forget(self, changed: set[str]) -> None:
        """Forgets what is known of variables that change, and by them."""
        for name, by in (*self.infinite.items(),):
            self.infinite[name] = by - changed
        for name, by in (*self.factors.items(),):
            if not by.isdisjoint(changed):
                del self.factors[name]
        for name in changed:
            self.infinite.pop(name, None)
            self.factors.pop(name, None)

    def of(self, call: ir.Call) -> frozenset[str]:
        """The divisors for which a result is not finite where they are 0."""
        known = [self.infinite.get(name, frozenset()) for name in map(_name, call.args)]
        computes = operations.of(call.function).computes
        if computes is Operation.DIVIDE:
            return known[0].union(self.zero(_name(call.args[1])))
        if computes in JOINING:
            return known[0] | known[1]
        if computes in SPREADING or call.function in (UNBROADCAST, RATIO):
            return known[0]
        return frozenset()

    def zero(self, product: str) -> Iterator[str]:
        """Where which variables are 0 a product is 0, or no number: itself, and its factors."""
        if product:
            yield product
            for factor in self.factors.get(product, ()):
                yield from self.zero(factor)

    def is_divided(self, gradient: ir.Atom, divisor: ir.Atom) -> bool:
        """Tells whether a gradient is not finite wherever a divisor is 0."""
        known = self.infinite.get(_name(gradient), frozenset())
        factors = self.factors.get(_name(divisor), frozenset())
        return _name(divisor) in known or bool(factors and factors <= known)


def _name(atom: ir.Atom) -> str:
    return atom.id if isinstance(atom, ir.Name) else ""


def _factors(call: ir.Call) -> frozenset[str]:
    """The variables of which one is 0 where a product of them is, if nothing else makes it 0."""
    if operations.of(call.function).computes is not Operation.MULTIPLY:
        return frozenset()
    numbers = [atom.value for atom in call.args if isinstance(atom, ir.Const)]
    if not all(isinstance(number, int | float) and abs(number) >= 1 for number in numbers):
        return frozenset()
    return frozenset(ir.names(call.args))


def _is_ratio(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Assign) and _is_call(statement.value)


def _is_call(value: ir.Expression) -> bool:
    return isinstance(value, ir.Call) and value.function == RATIO


def without_positive(block: ir.Block, values: Mapping[str, Value]) -> ir.Block:
    """A block without helpers where the divisor is surely above 0, by what its variables are."""
    if not any(_is_ratio(statement) for statement in ir.walk(block)):
        return block
    made, lasting = _made(block), _lasting(block)

    def made_of(_: ir.Statement, atom: ir.Atom) -> Made | None:
        return made.get(atom.id) if isinstance(atom, ir.Name) and atom.id in lasting else None

    def value(atom: ir.Atom) -> Value:
        return values.get(_name(atom), lattice.UNKNOWN)

    def is_real(_: ir.Statement, atom: ir.Atom) -> bool:
        match value(atom):
            case Number("float" | "int") | Array(dtype="float64" | "float32"):
                return True
        return False

    def number(_: ir.Statement, atom: ir.Atom) -> object:
        return atom.value if isinstance(atom, ir.Const) else lattice.constant_of(value(atom))

    signs = Signs(made_of, is_real, number)

    def divided(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign(value=ir.Call(function=function, args=(_, divisor)) as call) if (
                function == RATIO and signs.is_positive(statement, divisor)
            ):
                return replace(statement, value=replace(call, function="operator.truediv"))
        return ir.rebuilt(statement, block=inside)

    def inside(block: ir.Block) -> ir.Block:
        return tuple(map(divided, block))

    return inside(block)


def _made(block: ir.Block) -> dict[str, Made]:
    """The calls that give variables."""
    return {
        statement.targets[0]: (statement, statement.value)
        for statement in ir.walk(block)
        if isinstance(statement, ir.Assign)
        if isinstance(statement.value, ir.Call) and not statement.is_tuple
    }


def _lasting(block: ir.Block) -> set[str]:
    """The variables that are bound once, and whose arrays nobody changes."""
    bound = Counter(name for s in ir.walk(block) for name in ir.writes(s))
    shared = aliases.classes(block)
    stored = {s.base for s in ir.walk(block) if isinstance(s, ir.Store)}
    stored |= {name for s in ir.walk(block) for name, _ in effects.changes(s)}
    changed = aliases.together(stored, shared)
    return {name for name, times in bound.items() if times == 1 and name not in changed}
