"""What people write in several steps, and what has a simpler derivative as one.

`p = 1 / (1 + np.exp(-x))`, the logistic sigmoid, has the derivative `p * (1 - p)`: all that it
needs is the result, and where the exponential overflows it is 0, where the product of the steps is
NaN. `np.log(p)` of it has the derivative `1 - p` by `x`, and `np.log(1 - p)` has `-p`: neither
divides by what may be 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from adlsp.transform import ir
from adlsp.transform.facts.callees import Callees
from adlsp.transform.ir.signs import LOG_OF_LACK, LOG_OF_SIGMOID, SIGMOIDS
from adlsp.transform.ir.variables import Step

N_STEPS = 4
"""How many steps a sigmoid is."""

Rewrite = Callable[[ir.Assign, list[ir.Statement]], ir.Assign | None]


def recognized(function: ir.Function, wrt: tuple[str, ...], known: Callees) -> ir.Function:
    """The function with one step for each sigmoid that is active, and for logarithms of these."""
    if not any(_calls(statement, SIGMOIDS) for statement in ir.walk(function.body)):
        return function
    active = known.facts(function).activity(wrt)
    counted = _Counted(function)
    return replace(function, body=counted.block(function.body, active.is_active))


def _calls(statement: ir.Statement, names: dict[str, str]) -> bool:
    match statement:
        case ir.Assign(value=ir.Call(function=called)):
            return called in names
    return False


@dataclass(slots=True)
class _Counted:
    """How often the variables of a function are read and bound, and which are sigmoids of which."""

    function: ir.Function
    n_reads: Counter[str] = field(init=False)
    n_writes: Counter[str] = field(init=False)
    changes: bool = field(init=False)
    of: dict[str, ir.Atom] = field(default_factory=dict)

    def __post_init__(self) -> None:
        every = [*ir.walk(self.function.body)]
        self.n_reads = Counter(name for s in every for name in ir.reads(s))
        self.n_writes = Counter(name for s in every for name in ir.writes(s))
        self.n_writes.update(p.name for p in self.function.parameters)
        self.changes = any(isinstance(s, ir.Store | ir.Do) for s in every)

    def block(self, statements: ir.Block, is_active: Callable[[ir.Statement], bool]) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in statements:
            made.append(ir.rebuilt(statement, block=lambda b: self.block(b, is_active)))
            if not is_active(statement) or ir.blocks(statement):
                continue
            if sigmoid := self.sigmoid(made[-N_STEPS:]):
                made[-N_STEPS:] = [sigmoid]
            elif of_lack := self.log_of_lack(made[-2:]):
                made[-2:] = [of_lack]
            elif log := self.log(made[-1]):
                made[-1] = log
        return tuple(made)

    def sigmoid(self, steps: list[ir.Statement]) -> ir.Assign | None:
        """One step for the last four, if each is the operand of the next, and of nothing else."""
        match steps:
            case [
                ir.Assign((Step() as minus,), ir.Call("operator.neg", (x,), ()), is_tuple=False),
                ir.Assign((Step() as power,), ir.Call(exp, (ir.Name(of),), ()), is_tuple=False),
                ir.Assign((Step() as total,), ir.Call("operator.add", terms, ()), is_tuple=False),
                ir.Assign(
                    (target,),
                    ir.Call("operator.truediv", (above, ir.Name(below)), ()) as whole,
                    is_tuple=False,
                ) as last,
            ] if exp in SIGMOIDS and of == minus and below == total:
                is_sum = ir.Name(power) in terms
                below_it = terms[terms[0] == ir.Name(power)]
                are_ones = is_sum and _is_one(above) and _is_one(below_it)
                if not are_ones or any(self.n_reads[s] != 1 for s in (minus, power, total)):
                    return None
                if self.is_steady(ir.Name(target)) and self.is_steady(x):
                    self.of[target] = x
                value = replace(whole, function=SIGMOIDS[exp], args=(x, above, below_it))
                return replace(last, value=value)
        return None

    def log(self, step: ir.Statement) -> ir.Assign | None:
        """The logarithm of a sigmoid."""
        match step:
            case ir.Assign(value=ir.Call("numpy.log", (ir.Name(p),), ()) as call) as last:
                if p in self.of:
                    args = self.of[p], ir.Name(p)
                    return replace(last, value=replace(call, function=LOG_OF_SIGMOID, args=args))
        return None

    def log_of_lack(self, steps: list[ir.Statement]) -> ir.Assign | None:
        """The logarithm of what a sigmoid lacks to 1, if nothing else reads that."""
        match steps:
            case [
                ir.Assign((Step() as lack,), ir.Call("operator.sub", (one, ir.Name(p)), ())),
                ir.Assign(value=ir.Call("numpy.log", (ir.Name(of),), ()) as call) as last,
            ] if of == lack and _is_one(one) and p in self.of and self.n_reads[lack] == 1:
                args = self.of[p], ir.Name(p), one
                return replace(last, value=replace(call, function=LOG_OF_LACK, args=args))
        return None

    def is_steady(self, atom: ir.Atom) -> bool:
        """Tells whether a variable is one value, which nothing changes."""
        if not isinstance(atom, ir.Name):
            return isinstance(atom, ir.Const)
        is_safe = isinstance(atom.id, Step) or not self.changes
        return is_safe and self.n_writes[atom.id] == 1


def _is_one(atom: ir.Atom) -> bool:
    return atom in (ir.Const(1), ir.Const(1.0))
