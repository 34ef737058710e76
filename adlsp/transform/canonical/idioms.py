"""What people write in several steps, and what has a simpler derivative as one.

`p = 1 / (1 + np.exp(-x))`, the logistic sigmoid, has the derivative `p * (1 - p)`: all that it
needs is the result, and where the exponential overflows it is 0, where the product of the steps is
NaN. `np.log(p)` of it has the derivative `1 - p` by `x`, and `np.log(1 - p)` has `-p`: neither
divides by what may be 0. The logarithm of a likelihood, `y * np.log(p) + (1 - y) * np.log(1 - p)`,
has `y - p`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts.callees import Callees
from adlsp.transform.ir.signs import LOG_LIKELIHOOD, LOG_OF_LACK, LOG_OF_SIGMOID, SIGMOIDS
from adlsp.transform.ir.variables import Step

N_STEPS = 4
"""How many steps a sigmoid is."""

N_OF_LIKELIHOOD = 6
"""How many a sum of logarithms is, when those are steps."""

Sigmoids = dict[str, ir.Atom]
"""The variables that hold the sigmoid of something, where one stands, and of what."""


def recognized(function: ir.Function, wrt: tuple[str, ...], known: Callees) -> ir.Function:
    """The function with one step for each sigmoid that is active, and for logarithms of these."""
    if not any(_calls(statement, SIGMOIDS) for statement in ir.walk(function.body)):
        return function
    active = known.facts(function).activity(wrt)
    recognizing = _Recognizing(function, active.is_active)
    return replace(function, body=recognizing.block(function.body, {}))


def _calls(statement: ir.Statement, names: dict[str, str]) -> bool:
    match statement:
        case ir.Assign(value=ir.Call(function=called)):
            return called in names
    return False


class _Recognizing:
    """How often the variables of a function are read, and whether it changes anything in place."""

    def __init__(self, function: ir.Function, is_active: Callable[[ir.Statement], bool]) -> None:
        every = [*ir.walk(function.body)]
        self.is_active = is_active
        self.n_reads = Counter(name for s in every for name in ir.reads(s))
        self.changes = any(isinstance(s, ir.Store | ir.Do) for s in every)

    def block(self, statements: ir.Block, of: Sigmoids) -> ir.Block:
        """A block, with `of` what is known before it, and what is known behind it."""
        made: list[ir.Statement] = []
        for statement in statements:
            _forget(statement, of)
            made.append(ir.rebuilt(statement, block=lambda inner: self.block(inner, dict(of))))
            if not self.is_active(statement) or ir.blocks(statement):
                continue
            if sigmoid := self.sigmoid(made[-N_STEPS:]):
                made[-N_STEPS:] = [sigmoid]
                self.note(sigmoid, of)
            elif of_lack := self.log_of_lack(made[-2:], of):
                made[-2:] = [of_lack]
            elif log := self.log(made[-1], of):
                made[-1] = log
            elif likelihood := self.likelihood(made[-N_OF_LIKELIHOOD:]):
                made[-N_OF_LIKELIHOOD:] = [likelihood]
        return tuple(made)

    def note(self, sigmoid: ir.Assign, of: Sigmoids) -> None:
        """Notes what a variable is the sigmoid of, if nothing can change either but by its name."""
        assert isinstance(sigmoid.value, ir.Call)
        (target,), (x, *_) = sigmoid.targets, sigmoid.value.args
        are_steps = isinstance(target, Step) and isinstance(x, ir.Name) and isinstance(x.id, Step)
        if (are_steps or not self.changes) and x != ir.Name(target):
            of[target] = x

    def sigmoid(self, steps: list[ir.Statement]) -> ir.Assign | None:
        """One step for the last four, if each is the operand of the next, and of nothing else."""
        match steps:
            case [
                ir.Assign((Step() as minus,), ir.Call("operator.neg", (x,), ()), is_tuple=False),
                ir.Assign((Step() as power,), ir.Call(exp, (ir.Name(of),), ()), is_tuple=False),
                ir.Assign((Step() as total,), ir.Call("operator.add", terms, ()), is_tuple=False),
                ir.Assign(
                    (_,),
                    ir.Call("operator.truediv", (above, ir.Name(below)), ()) as whole,
                    is_tuple=False,
                ) as last,
            ] if exp in SIGMOIDS and of == minus and below == total:
                is_sum = ir.Name(power) in terms
                below_it = terms[terms[0] == ir.Name(power)]
                are_ones = is_sum and _is_one(above) and _is_one(below_it)
                if not are_ones or any(self.n_reads[s] != 1 for s in (minus, power, total)):
                    return None
                value = replace(whole, function=SIGMOIDS[exp], args=(x, above, below_it))
                return replace(last, value=value)
        return None

    def log(self, step: ir.Statement, of: Sigmoids) -> ir.Assign | None:
        """The logarithm of a sigmoid."""
        match step:
            case ir.Assign(value=ir.Call("numpy.log", (ir.Name(p),), ()) as call) as last:
                if p in of:
                    args = of[p], ir.Name(p)
                    return replace(last, value=replace(call, function=LOG_OF_SIGMOID, args=args))
        return None

    def log_of_lack(self, steps: list[ir.Statement], of: Sigmoids) -> ir.Assign | None:
        """The logarithm of what a sigmoid lacks to 1, if nothing else reads that."""
        match steps:
            case [
                ir.Assign((Step() as lack,), ir.Call("operator.sub", (one, ir.Name(p)), ())),
                ir.Assign(value=ir.Call("numpy.log", (ir.Name(given),), ()) as call) as last,
            ] if given == lack and _is_one(one) and p in of and self.n_reads[lack] == 1:
                args = of[p], ir.Name(p), one
                return replace(last, value=replace(call, function=LOG_OF_LACK, args=args))
        return None

    def likelihood(self, steps: list[ir.Statement]) -> ir.Assign | None:
        """The logarithm of a likelihood, if nothing else reads its parts."""
        match steps:
            case [
                *parts,
                ir.Assign(value=ir.Call("operator.add", (one, other), ()) as call) as last,
            ]:
                made = {s.targets[0]: s.value for s in parts if isinstance(s, ir.Assign)}
                are_parts = len(made) == len(parts) and all(self.n_reads[m] == 1 for m in made)
                for first, second in ((one, other), (other, one)) if are_parts else ():
                    if args := _likelihood(made, first, second):
                        return replace(
                            last, value=replace(call, function=LOG_LIKELIHOOD, args=args)
                        )
        return None


Made = dict[str, ir.Expression]


def _likelihood(made: Made, one: ir.Atom, other: ir.Atom) -> tuple[ir.Atom, ...]:
    """What `y * np.log(p) + (1 - y) * np.log(1 - p)` is made of, with `x` of which `p` is."""
    for y, log in _factors(made, one):
        for lack, other_log in _factors(made, other):
            match made.get(lack), made.get(log), made.get(other_log):
                case (
                    ir.Call("operator.sub", (whole, ir.Name(given))),
                    ir.Call(function, (x, p)),
                    ir.Call(other_function, (other_x, other_p, above)),
                ) if (function, other_function) == (LOG_OF_SIGMOID, LOG_OF_LACK):
                    is_one_p = (x, p) == (other_x, other_p) and _is_named(p)
                    if given == y and _is_one(whole) and is_one_p and _is_named(ir.Name(y)):
                        return x, p, ir.Name(y), whole, above
    return ()


def _is_named(atom: ir.Atom) -> bool:
    """Tells whether an operand has a name, by which it can be printed twice."""
    return isinstance(atom, ir.Name) and not isinstance(atom.id, Step)


def _factors(made: Made, product: ir.Atom) -> Iterator[tuple[str, str]]:
    """The variables that a step multiplies, in both orders."""
    match made.get(product.id) if isinstance(product, ir.Name) else None:
        case ir.Call("operator.mul", (ir.Name(one), ir.Name(other)), ()):
            yield one, other
            yield other, one


def _forget(statement: ir.Statement, of: Sigmoids) -> None:
    """Forgets sigmoids where a statement, or one inside it, binds them or their operands."""
    bound = {name for s in ir.walk((statement,)) for name in ir.writes(s)}
    for target in [p for p, x in of.items() if p in bound or bound.intersection(ir.names((x,)))]:
        del of[target]


def _is_one(atom: ir.Atom) -> bool:
    return atom in (ir.Const(1), ir.Const(1.0))
