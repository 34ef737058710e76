"""Divides plainly where a helper looks for 0 / 0 that cannot be: `x_bar = y_bar / (2 * y)`.

The gradient of a root is 0 where no gradient arrives at a root of 0. In `y = np.sqrt(v + 1e-5)`
there is none: the root is above 0. In `x / y` a root of 0 has divided the gradient before, and what
arrives is infinite or no number, as are its products and sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set
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

MOST = 64
"""Of how many divisors it is told what they have divided."""

NOTHING = frozenset[str]()


def without_divided(block: ir.Block) -> ir.Block:
    """A block without helpers where the divisor has divided the gradient before."""
    divisors = {_name(call.args[1]) for call in _ratios(block)}
    if not divisors:
        return block
    for statement in ir.walk(block):
        match statement:
            case ir.Assign((name,), ir.Call() as call) if name in divisors:
                divisors |= _factors(call)
    return _Dividing(frozenset(divisors)).block(block)


@dataclass(slots=True)
class _Dividing:
    """Goes through steps in their order, and notes what they do where one of some divisors is 0.

    There `infinite` variables are not finite, and those that are `zero` are 0, or no number.
    `factors` are what divisors are multiples of; `met` are all that are noted.
    """

    divisors: frozenset[str]
    infinite: dict[str, frozenset[str]] = field(default_factory=dict)
    zero: dict[str, frozenset[str]] = field(default_factory=dict)
    factors: dict[str, frozenset[str]] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            if ir.blocks(statement):
                made.append(ir.rewritten(statement, block=self.inside))
                self.forget({n for s in ir.walk((statement,)) for n in ir.writes(s)})
            else:
                made.append(self.step(statement))
        return tuple(made)

    def inside(self, block: ir.Block) -> ir.Block:
        """A block that may run several times, or not at all."""
        return _Dividing(self.divisors).block(block)

    def step(self, statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign((name,), ir.Call() as call, is_tuple=False):
                if _is_ratio(call) and self.is_divided(*call.args):
                    call = replace(call, function="operator.truediv")
                    statement = replace(statement, value=call)
                infinite, factors = self.of(call), _factors(call)
                zero = NOTHING.union(*map(self.zeros, factors))
                is_multiple = name in self.divisors and len(factors) < len(call.args)
                self.note(name, (infinite, zero, factors if is_multiple else NOTHING))
            case ir.Assign((name,), ir.Name(other), is_tuple=False):
                self.note(name, (self.infinite.get(other, NOTHING), NOTHING, NOTHING))
            case ir.Store(Adjoint() as total, None, value, kind):
                call = ir.Call(kind.operator, (ir.Name(total), value))
                self.note(total, (self.of(call), NOTHING, NOTHING))
            case ir.Store(Adjoint() as total):
                self.forget({total})
            case ir.Store() | ir.Do() if any(effects.changes(statement)):  # maybe by another name
                self.forget(self.met)
            case _:
                self.forget(set(ir.writes(statement)))
        return statement

    def note(self, name: str, found: tuple[frozenset[str], ...]) -> None:
        """Notes what is known of a variable from now on."""
        self.forget({name})
        for known, divisors in zip((self.infinite, self.zero, self.factors), found, strict=True):
            if divisors and name not in divisors and len(divisors) <= MOST:
                known[name] = divisors
                self.met |= divisors

    def forget(self, changed: Set[str]) -> None:
        """Forgets what is known of variables that change, and by them."""
        for known in (self.infinite, self.zero, self.factors):
            for name in changed & known.keys():
                del known[name]
            for name in () if changed.isdisjoint(self.met) else (*known,):
                if not changed.isdisjoint(known[name]):
                    del known[name]

    def of(self, call: ir.Call) -> frozenset[str]:
        """The divisors for which a result is not finite where they are 0."""
        known = [self.infinite.get(name, NOTHING) for name in map(_name, call.args)]
        computes = operations.of(call.function).computes
        if computes is Operation.DIVIDE:
            return known[0] | self.zeros(_name(call.args[1]))
        if computes in JOINING:
            return known[0] | known[1]
        if computes in SPREADING or call.function in (UNBROADCAST, RATIO):
            return known[0]
        return NOTHING

    def zeros(self, name: str) -> frozenset[str]:
        """The divisors for which a variable is 0 where they are 0, or no number."""
        return self.divisors.intersection((name,)) | self.zero.get(name, NOTHING)

    def is_divided(self, gradient: ir.Atom, divisor: ir.Atom) -> bool:
        """Tells whether a gradient is not finite wherever a divisor is 0."""
        known = self.infinite.get(_name(gradient), NOTHING)
        factors = self.factors.get(_name(divisor), NOTHING)
        return _name(divisor) in known or bool(factors and factors <= known)


def _name(atom: ir.Atom) -> str:
    return atom.id if isinstance(atom, ir.Name) else ""


def _factors(call: ir.Call) -> frozenset[str]:
    """The variables of which one is 0 where a product of them is, if nothing else makes it 0."""
    if operations.of(call.function).computes is not Operation.MULTIPLY:
        return NOTHING
    numbers = [atom.value for atom in call.args if isinstance(atom, ir.Const)]
    if not all(isinstance(number, int | float) and abs(number) >= 1 for number in numbers):
        return NOTHING
    return frozenset(ir.names(call.args))


def _is_ratio(value: ir.Expression) -> bool:
    return isinstance(value, ir.Call) and value.function == RATIO


def _ratios(block: ir.Block) -> Iterator[ir.Call]:
    """The calls of the helper in a block."""
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(value=ir.Call() as call) if _is_ratio(call):
                yield call


def without_positive(block: ir.Block, values: Mapping[str, Value]) -> ir.Block:
    """A block without helpers where the divisor is surely above 0, by what its variables are."""
    if not any(_ratios(block)):
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
            case ir.Assign(value=ir.Call(args=(_, divisor)) as call) if _is_ratio(
                call
            ) and signs.is_positive(statement, divisor):
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
