"""Adjoints that need not be summed at once over what broadcasting repeated.

The reduction is the adjoint of broadcasting (unbroadcasting), and is deferred. Of a step that is
read once, by its operands: what sums for itself may get an adjoint that is still spread. Of a
variable that a loop carries, after the loop: each pass of `x = x * rate` gives `x` the shape of
`x * rate`, so that only the first one may find another, and the backward loop that adds up adjoints
of this shape has to be followed by one sum, and not to make one in each pass.
"""

from __future__ import annotations

from collections.abc import Hashable

from adlsp.transform import ir
from adlsp.transform.facts.shapes import alternatives, broadcast
from adlsp.transform.facts.versions import Version, VersionKind
from adlsp.transform.ir import StoreKind
from adlsp.transform.ir.variables import Step
from adlsp.transform.modes.primal_facts import PrimalFacts
from adlsp.transform.values import broadcasting
from adlsp.transform.values.lattice import UNKNOWN

ELEMENTWISE = (StoreKind.ADD, StoreKind.SUB, StoreKind.MUL, StoreKind.TRUEDIV)


def can_wait(facts: PrimalFacts, statement: ir.Statement, step: ir.Name) -> bool:
    """Tells whether a step's operands may sum its adjoint over what broadcasting repeated.

    They may where the operation that made the step sums for itself (as elementwise ones do) and
    no other statement reads it.
    (Where a forward sweep also saves it, an adjoint of the step's own shape comes from there,
    and must not be added to one that is still spread.)
    """
    made = facts.indices.definition(statement, step)
    if not isinstance(made, ir.Call) or not isinstance(step.id, Step):
        return False
    if not facts.indices.is_read_once(statement, step):
        return False
    rule = facts.program.rule(made.function)
    return rule is not None and rule.sums


def carried(facts: PrimalFacts) -> dict[int, Hashable]:
    """The heads of loops whose adjoint is spread in the loop, and the shape that it has there."""
    finding = _Finding(facts)
    for (loop, name), head in facts.versions.heads.items():
        shape = finding.shape(loop, name, head)
        if shape is not None:
            finding.found[head.number] = shape
    return finding.found


class _Finding:
    def __init__(self, facts: PrimalFacts) -> None:
        self.facts = facts
        self.found: dict[int, Hashable] = {}
        self.readers: dict[int, list[tuple[ir.Statement, str]]] = {}
        self.later: dict[int, list[Version]] = {}
        for (statement, name), version in facts.versions.reads.items():
            self.readers.setdefault(version.number, []).append((statement, name))
        for version in facts.versions.every:
            for prior in version.priors:
                self.later.setdefault(prior.number, []).append(version)

    def shape(self, loop: ir.Statement, name: str, head: Version) -> Hashable | None:
        """The shape that each pass of a loop gives to a variable, if its adjoint may have it."""
        shapes = self.facts.shapes
        if len(head.priors) < 2:  # nothing is bound before the loop
            return None
        before, shape = (shapes.token(prior) for prior in head.priors)
        inside = (self.facts.inferred.by_version.get(p.number, UNKNOWN) for p in head.priors)
        if broadcasting.reduction(*inside) == broadcasting.Reduction():
            return None
        if shape == before or len(alternatives(shape)) > 1 or name in self.facts.in_place:
            return None
        if broadcast(before, shape) != shape or name in self.facts.optional:
            return None
        stores = {
            v.statement for v in self.later.get(head.number, ()) if v.kind is VersionKind.STORE
        }
        is_told = all(
            self.gives(statement, shape)
            for statement, _ in self.readers.get(head.number, ())
            if statement is not loop
        )
        is_only = all(
            version.statement in stores
            or (version.kind is VersionKind.EXIT and version.statement is loop)
            for version in self.later.get(head.number, ())
        )
        return shape if is_told and is_only else None

    def gives(self, statement: ir.Statement, shape: Hashable) -> bool:
        """Tells whether a reader of a variable gives it adjoints of a shape, or none."""
        facts = self.facts
        match statement:
            case ir.If() | ir.While() | ir.Assert():
                return True
            case ir.Store(base=base, index=None, kind=kind) if kind in ELEMENTWISE:
                return facts.shapes.written(statement, base) == shape
            case ir.Assign(targets=(target,), value=ir.Call() as call, is_tuple=False):
                rule = facts.program.rule(call.function)
                if rule is None or rule.kind not in ("elementwise", "constant"):
                    return False
                return rule.kind == "constant" or self.waits(statement, target, shape)
        return False

    def waits(self, statement: ir.Assign, target: str, shape: Hashable) -> bool:
        """Tells whether what a statement makes has an adjoint of a shape."""
        made = self.facts.versions.writes[statement, target]
        readers = self.readers.get(made.number, ())
        if len(readers) == 1 and can_wait(self.facts, readers[0][0], ir.Name(target)):
            return self.gives(readers[0][0], shape)
        return self.facts.shapes.token(made) == shape
