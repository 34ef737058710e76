"""Where the gradient of an output must be a tensor: numbers would have another dtype.

The gradient of a scalar is 1.0 if nobody says another, and arithmetic with a tensor makes it one of
the same dtype. A function of TensorFlow that is given the number itself takes it for one in single
precision: in the gradient of `tf.norm(x)` it is divided by what may have another dtype.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts.operations import RUNTIME
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import SEED
from adlsp.transform.values import tensors
from adlsp.transform.values.inferred import Inferred
from adlsp.transform.values.lattice import Array


def with_checked(backward: ir.Block, checked: ir.Call, inferred: Inferred) -> ir.Block:
    """A backward sweep that begins with a tensor, if it hands a number on."""
    if not _hands_on(backward, inferred):
        return backward
    return tuple(
        replace(s, value=checked) if isinstance(s, ir.Assign) and s.value == ir.Name(SEED) else s
        for s in backward
    )


def _hands_on(backward: ir.Block, inferred: Inferred) -> bool:
    """Tells whether a backward sweep hands a gradient on that may still be a number."""
    numbers: set[str] = {SEED}
    while True:
        before = len(numbers)
        for statement in ir.walk(backward):
            match statement:
                case ir.Assign(targets=(target,), value=ir.Name(id)) if id in numbers:
                    numbers.add(target)
                case ir.Assign(value=ir.Call() as call) if not numbers.isdisjoint(
                    ir.names(call.atoms)
                ):
                    if _takes_tensors(call.function):
                        return True
                    if _is_number(call, numbers, inferred):
                        numbers.update(statement.targets)
        if len(numbers) == before:
            return False


def _takes_tensors(function: str) -> bool:
    """Tells whether a function is neither an operator nor a helper, which look at what they get."""
    is_helper = targets.is_of(function, RUNTIME) and not targets.is_of(function, tensors.RUNTIME)
    is_operator = targets.is_of(function, "operator") and function != "operator.getitem"
    return not is_helper and not is_operator


def _is_number(call: ir.Call, numbers: set[str], inferred: Inferred) -> bool:
    """Tells whether what numbers have become may be a number: no other operand is a tensor."""
    others = [a for a in call.atoms if isinstance(a, ir.Name) and a.id not in numbers]
    if not targets.is_of(call.function, "operator"):
        return not others
    return not any(isinstance(inferred.of(atom), Array) for atom in others)
