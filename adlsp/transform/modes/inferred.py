"""What the primals of a derivative are given: what the inference says of the root and its callees.

The root has the signature that was asked for, a callee what all calls together give it. Where
nothing is known of the root, nothing is inferred, and the derivative is right for any arguments.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.ir import targets
from adlsp.transform.modes.augmented import Pair, Pairs
from adlsp.transform.program import Program
from adlsp.transform.values import tensors
from adlsp.transform.values.inference import NOTHING, Instances, Typed
from adlsp.transform.values.lattice import UNKNOWN, Signature, join
from adlsp.transform.values.signature import signature_text


def told(program: Program, home: str) -> str:
    """What a docstring says of the arguments that a derivative is for: paragraphs, or nothing."""
    given = {**program.told, **program.told_by_modules}
    known = {n: value for n, value in given.items() if n not in program.assumed}
    assumed = {n: value for n, value in program.told.items() if n in program.assumed}
    said = f"\n\nFor {signature_text(known, home)}." if known else ""
    if not assumed:
        return said
    return f"{said}\n\nAssumes {signature_text(assumed, home)}, by how it uses them."


class Callees:
    """What the callees of a derivative are given, by all calls that were met so far."""

    def __init__(self, program: Program, pairs: Pairs) -> None:
        self.program = program
        self.pairs = pairs
        self.instances = Instances(program, called=self.called)
        self.signatures: dict[str, Signature] = {}

    def called(self, dotted: str) -> ir.Function | None:
        """The function that a call goes to, as the user wrote it, or as it was canonicalized."""
        if isinstance(dotted, targets.Pair):
            return self.pairs.function(dotted)
        found = self.program.definition(dotted)
        if found is None and isinstance(dotted, targets.WRITTEN):
            return self.program.function(dotted)
        return found

    def given(self, pair: Pair | None) -> Signature:
        """What a callee is given; or the root, of which there is no pair."""
        if pair is None:
            return {**self.program.given, **self.program.seeds} if self.program.given else {}
        return self.signatures.get(pair.name, {})

    def typed(self, function: ir.Function, pair: Pair | None) -> Typed:
        """What is known of a function that is ready to be reversed, and notes what it calls."""
        signature = self.given(pair)
        if not signature:
            return NOTHING
        typed = self.instances.of(function, signature)
        for statement, passed in typed.passed.items():
            match statement:
                case ir.Assign(value=ir.Call(function=targets.Pair(of=name))):
                    before = self.signatures.get(name)
                    self.signatures[name] = passed if before is None else _both(before, passed)
        return tensors.alone(typed) if self.program.has_tensors else typed


def _both(one: Signature, other: Signature) -> Signature:
    return {name: join(value, other.get(name, UNKNOWN)) for name, value in one.items()}
