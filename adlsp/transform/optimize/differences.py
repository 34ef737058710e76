"""Leaves signs to the sums: `t_bar = -u_bar[i]; x_bar += t_bar * y` is `x_bar -= u_bar[i] * y`.

A negated value goes through products and sums of elements to where something is added to or
subtracted from: there its sign is the operation's. That is done where all readers of the value end
so. What is then read in its place must still be what it was: numbers are, and arrays where nothing
has changed in between but adjoints that share no memory with them. Negation is exact, so no result
changes. A number that several statements read is negated as well as not.

This knows what variables are (`values`), and so goes further than `algebraic.py`, which does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from adlsp.transform import ir
from adlsp.transform.facts import effects, operations
from adlsp.transform.ir import Role, StoreKind
from adlsp.transform.ir.variables import Adjoint, Step, primal
from adlsp.transform.ops.spec import Operation, Result, View
from adlsp.transform.optimize.deferred_products import PRODUCTS
from adlsp.transform.rules import table
from adlsp.transform.values.lattice import Array, Number, Value

ADD, SUB = "operator.add", "operator.sub"

OTHER = {ADD: SUB, SUB: ADD}
OTHER_KIND = {StoreKind.ADD: StoreKind.SUB, StoreKind.SUB: StoreKind.ADD}

FLOATS = "float64", "float32", "complex128", "complex64"


def with_differences(body: ir.Block, values: Mapping[str, Value]) -> ir.Block:
    """The body of a derivative with fewer negations; `values` tells what its variables are."""
    if not any(_is_negation(statement) for statement in ir.walk(body)):
        return body
    return _Signs(body, values).block(body)


@dataclass(slots=True)
class _Passing:
    """A negated value on its way: what is read in its place, and what is made of it.

    `shared` are the places of memory that must stay what they are until it has been read.
    """

    name: str
    read_as: ir.Name
    shared: frozenset[str]
    n_left: int


class _Signs:
    """`read` and `bound` tell how often variables are."""

    def __init__(self, body: ir.Block, values: Mapping[str, Value]) -> None:
        deferred = _deferred(body)
        self.values = {name: value for name, value in values.items() if name not in deferred}
        self.read = Counter(name for s in ir.walk(body) for name in ir.reads(s))
        self.bound = Counter(name for s in ir.walk(body) for name in ir.writes(s))

    def block(self, block: ir.Block) -> ir.Block:
        made = [ir.rewritten(s, block=self.block) for s in block]
        position = 0
        while position < len(made):
            if _is_negation(made[position]) and (ended := self.ended(made, position)) is not None:
                made = ended
            else:
                position += 1
        return tuple(made)

    def ended(self, block: list[ir.Statement], start: int) -> list[ir.Statement] | None:
        """A block without a negation, if all that reads its result can do without."""
        negation = block[start]
        assert isinstance(negation, ir.Assign)
        assert isinstance(negation.value, ir.Call)
        (name,), (operand,) = negation.targets, negation.value.args
        if not (isinstance(operand, ir.Name) and self.is_ours(name) and self.is_float(operand.id)):
            return None
        shared = self.memory(operand.id)
        if shared is None or (not shared and self.read[name] > 1):
            return None
        passing = {name: _Passing(name, operand, shared, self.read[name])}
        made = block[:start]
        for position in range(start + 1, len(block)):
            statement = block[position]
            met = [passing[each] for each in passing if each in ir.reads(statement)]
            if len(met) > 1 or (met and ir.blocks(statement)):
                return None
            for each in met:
                turned = self.turned(statement, each, passing)
                if turned is None:
                    return None
                each.n_left -= 1
                statement = turned
            made.append(statement)
            waiting = [each for each in passing.values() if each.n_left]
            if not waiting:
                return self.named(made, name, operand.id) + block[position + 1 :]
            if self.may_change(block[position], waiting):
                return None
        return None

    def is_ours(self, name: str) -> bool:
        """Tells whether a variable is a step, or the adjoint of one, that is bound once."""
        return isinstance(primal(name), Step) and self.bound[name] == 1 and self.read[name] > 0

    def is_float(self, name: str) -> bool:
        """Tells whether a variable is a number or array that is as exact with the other sign."""
        match self.values.get(name):
            case Number(kind="float" | "complex"):
                return True
            case Array(dtype=str() as dtype, library="numpy"):
                return dtype in FLOATS
        return False

    def memory(self, name: str) -> frozenset[str] | None:
        """Where a value lives; None if that is not known."""
        match self.values.get(name):
            case Number():
                return frozenset()
            case Array(library="numpy", sites=sites) if sites:
                return sites
        return None

    def turned(
        self, statement: ir.Statement, given: _Passing, passing: dict[str, _Passing]
    ) -> ir.Statement | None:
        """A statement that reads a value with the other sign, if its own result ends well."""
        name = ir.Name(given.name)
        if statement.role is Role.PRIMAL or ir.reads(statement).count(given.name) != 1:
            return None
        match statement:
            case ir.Store(base=base, value=value, kind=kind, is_each=False) if kind in OTHER_KIND:
                is_sum = value == name and isinstance(self.values.get(base), Array)
                if not (is_sum and self.is_float(base)):
                    return None
                return replace(statement, value=given.read_as, kind=OTHER_KIND[kind])
            case ir.Assign((target,), ir.Name()) if self.is_ours(target):
                passing[target] = self.passed(target, given.shared)
                return replace(statement, value=given.read_as)
            case ir.Assign((target,), ir.Call(function, args) as call, is_tuple=False):
                made = replace(
                    call, args=tuple(given.read_as if atom == name else atom for atom in args)
                )
                if function in OTHER and args[1] == name:
                    return replace(statement, value=replace(made, function=OTHER[function]))
                if function == ADD:
                    made = replace(call, function=SUB, args=(args[1], given.read_as))
                    return replace(statement, value=made)
                if self.is_carried(call, name) and self.is_ours(target):
                    is_own = operations.of(function).result is Result.FRESH
                    passing[target] = self.passed(target, frozenset() if is_own else given.shared)
                    return replace(statement, value=made)
        return None

    def passed(self, target: str, shared: frozenset[str]) -> _Passing:
        """A step that has the other sign, as its operand has; it may share its memory."""
        return _Passing(target, ir.Name(target), shared, self.read[target])

    def is_carried(self, call: ir.Call, name: ir.Name) -> bool:
        """Tells whether the result of a call has the other sign with an argument."""
        others = [self.values.get(each) for each in ir.names(call.args)]
        if not all(isinstance(other, Number | Array) for other in others):
            return False
        record, word = operations.of(call.function), table.load().word(call.function)
        if word == "multilinear" or record.computes in (Operation.MULTIPLY, Operation.DIVIDE):
            return len(call.args) == 2 and not call.keywords
        keeps_sign = record.keeps_sign or record.view is View.REVERSED or word == "linear"
        is_plain = {"axis", "keepdims"}.issuperset(dict(call.keywords))
        return keeps_sign and is_plain and call.args[:1] == (name,)

    def may_change(self, statement: ir.Statement, waiting: Iterable[_Passing]) -> bool:
        """Tells whether a statement may change what is read later in place of negated values."""
        bound = ir.writes(statement)
        if any(each.read_as.id in bound and each.read_as.id != each.name for each in waiting):
            return True
        if not any(each.shared for each in waiting) and not ir.blocks(statement):
            return not isinstance(statement, ir.Assign | ir.Store)
        match statement:
            case ir.Assign(value=value):
                return not effects.is_pure(value)
            case ir.Store(base=Adjoint() as base):
                changed = self.memory(base)
                return not changed or any(not changed.isdisjoint(e.shared) for e in waiting)
        return True

    def named(self, block: list[ir.Statement], name: str, operand: str) -> list[ir.Statement]:
        """A block in which a step that was read to be negated has the name of the result."""
        if not (isinstance(operand, Step) and self.bound[operand] == self.read[operand] == 1):
            return block

        def renamed(given: str) -> str:
            return name if given == operand else given

        def atom(given: ir.Atom) -> ir.Atom:
            return ir.Name(name) if given == ir.Name(operand) else given

        changed: dict[int, ir.Statement] = {}
        for place in reversed(range(len(block))):
            statement = block[place]
            is_bound = operand in ir.writes(statement)
            if is_bound or operand in ir.reads(statement):
                changed[place] = ir.rewritten(statement, atom, renamed)
            if is_bound:
                return [changed.get(at, each) for at, each in enumerate(block)]
        return block


def _deferred(body: ir.Block) -> frozenset[str]:
    """The adjoints to which products are added many at a time: nothing is subtracted from them."""
    return frozenset(
        statement.targets[0]
        for statement in ir.walk(body)
        if isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Call)
        and statement.value.function == PRODUCTS
    )


def _is_negation(statement: ir.Statement) -> bool:
    match statement:
        case ir.Assign((_,), ir.Call("operator.neg", (ir.Name(),)), is_tuple=False):
            return statement.role is not Role.PRIMAL
    return False
