"""Computes once what a derivative would compute several times: `math.sqrt(2.0)`, `1 - p * p`.

This is common subexpression elimination, by value numbering, for steps that need no name of their
own. What costs nothing to speak of is computed again where it is used, as one writes it, and so is
arithmetic of integers.

A step stands for another one if nothing in between has bound or changed what both read. Of arrays
nobody knows here which share memory, so what is changed in place may be any of them. And two steps
that become one array must be read only: no other name, container or view is made of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.ir.variables import Step
from adlsp.transform.ops.spec import Cost, Effect, Result
from adlsp.transform.values import constants
from adlsp.transform.values.lattice import Array, Number, Value


class _Known:
    """The steps that hold what expressions give, and which of these each variable is about.

    `of_numbers` are the expressions that no array is about.
    """

    def __init__(self) -> None:
        self.steps: dict[ir.Call, str] = {}
        self.about: dict[str, dict[ir.Call, None]] = {}
        self.of_numbers: dict[ir.Call, None] = {}

    def copy(self) -> _Known:
        """What is known in a block, of what is known before it."""
        made = _Known()
        made.steps, made.of_numbers = dict(self.steps), dict(self.of_numbers)
        made.about = {name: dict(calls) for name, calls in self.about.items()}
        return made

    def add(self, call: ir.Call, step: str, *, is_of_numbers: bool) -> None:
        """Notes that a step holds what an expression gives."""
        self.steps[call] = step
        for name in (*ir.names(call.atoms), step):
            self.about.setdefault(name, {})[call] = None
        if is_of_numbers:
            self.of_numbers[call] = None

    def forget(self, names: Iterable[str]) -> None:
        """Forgets the expressions that some variables are about."""
        for name in names:
            for call in self.about.pop(name, ()):
                if self.steps.get(call) == name or name in ir.names(call.atoms):
                    self.steps.pop(call, None)
                    self.of_numbers.pop(call, None)

    def forget_arrays(self) -> None:
        """Forgets all expressions but those of numbers."""
        if len(self.of_numbers) < len(self.steps):
            self.steps = {call: self.steps[call] for call in self.of_numbers}


def eliminate(body: ir.Block, values: Mapping[str, Value]) -> ir.Block:
    """The body, in which later steps read earlier ones that compute the same.

    `values` tells what steps are, where that is known: the others stay.
    """
    eliminating = _Eliminating(body, values)
    return eliminating.block(body, _Known())


class _Eliminating:
    """`first` are the steps that others are read by; `held` those which are not only read.

    `once` are variables that one statement binds: of others a later value may be meant.
    """

    def __init__(self, body: ir.Block, values: Mapping[str, Value]) -> None:
        self.values = values
        self.first: dict[str, str] = {}
        bound = Counter(name for statement in ir.walk(body) for name in ir.writes(statement))
        self.once = {name for name, n_times in bound.items() if n_times == 1}
        self.held = {
            name
            for statement in ir.walk(body)
            if not _only_reads(statement)
            for name in (*ir.reads(statement), *ir.writes(statement))
        }

    def block(self, block: ir.Block, known: _Known) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            if ir.blocks(statement):
                for inner in ir.walk((statement,)):
                    self.forget(inner, known)
            renamed = ir.rewritten(
                statement, self.atom, block=lambda b: self.block(b, known.copy())
            )
            call, step = self.computed(renamed)
            if call is not None and call in known.steps:
                self.first[step] = known.steps[call]
                continue
            self.forget(renamed, known)
            if call is not None:
                is_of_numbers = all(map(self.is_number, ir.names(call.atoms)))
                known.add(call, step, is_of_numbers=is_of_numbers)
            made.append(renamed)
        return tuple(made)

    def atom(self, atom: ir.Atom) -> ir.Atom:
        return ir.Name(self.first.get(atom.id, atom.id)) if isinstance(atom, ir.Name) else atom

    def computed(self, statement: ir.Statement) -> tuple[ir.Call | None, str]:
        """The expression that a step holds, if another step may stand for it."""
        match statement:
            case ir.Assign((Step() as step,), ir.Call() as call, is_tuple=False):
                record = operations.of(call.function)
                is_pure = record.effect is Effect.NONE and record.result is Result.FRESH
                is_worth = record.cost is not Cost.FREE and self.is_worth(step)
                is_worth &= step in self.once and not _is_signed(call)
                if is_pure and is_worth and all(map(_is_steady, call.atoms)):
                    return replace(call, span=None), step
        return None, ""

    def is_worth(self, step: str) -> bool:
        """Tells whether it is known what a step is, and that a second name does no harm."""
        match self.values.get(step):
            case Number(kind=kind):
                return kind != "int"
            case Array(library="numpy"):
                return step not in self.held
            case Array(library="tensorflow"):
                return True  # nothing changes what is computed
        return False

    def forget(self, statement: ir.Statement, known: _Known) -> None:
        """Forgets what is computed of what a statement binds or may change."""
        if _may_change(statement):
            known.forget_arrays()
        known.forget(ir.writes(statement))

    def is_number(self, name: str) -> bool:
        return isinstance(self.values.get(name), Number)


def _only_reads(statement: ir.Statement) -> bool:
    """Tells whether a statement makes new memory, of what it only reads."""
    match statement:
        case ir.Assign(value=ir.Call() as call):
            record = operations.of(call.function)
            return record.effect is Effect.NONE and record.result is Result.FRESH
        case ir.If() | ir.While() | ir.For():
            return True
    return False


def _may_change(statement: ir.Statement) -> bool:
    """Tells whether a statement may change an array in place, which has other names perhaps."""
    match statement:
        case ir.Assign(value=ir.Call() as call):
            return bool(operations.into(call))
        case ir.Assign(value=value):
            return isinstance(value, ir.Opaque)
    return isinstance(statement, ir.Store | ir.Do)


def _is_signed(call: ir.Call) -> bool:
    """Tells whether an expression is a number of the text with a sign, such as `-np.inf`."""
    return call.function == "operator.neg" and not isinstance(call.args[0], ir.Name)


def _is_steady(atom: ir.Atom) -> bool:
    """Tells whether an operand is no variable of a module, which may be bound anew."""
    return not isinstance(atom, ir.Global) or constants.value_of(atom.dotted) is not None
