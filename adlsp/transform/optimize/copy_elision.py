"""Gives gradients away without a copy where nobody else holds them.

This is copy elision. A gradient that is returned is the caller's own: it shares nothing with an
argument, the seed, or another gradient. Where the sweeps did not know that, a copy stands at the
end, `x_bar = rt.copy(x_bar)`; the finished code often shows that it is not needed.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.facts import aliases, operations, views
from adlsp.transform.ir import targets

COPY = "adlsp.runtime.copy"


def elide_copies(body: ir.Block, parameters: frozenset[str], returned: frozenset[str]) -> ir.Block:
    """The body of a derivative without needless copies of what it returns."""
    copied = [name for statement in body if (name := _copied(statement)) in returned]
    if not copied:
        return body
    packing = 1 + max(i for i, s in enumerate(body) if _copied(s) in copied)
    classes = aliases.classes(body[:packing], _may_share)
    held = parameters | _unclear(body[:packing]) | (returned - set(copied))
    dropped: set[str] = set()
    for name in copied:
        assert name is not None
        if held.isdisjoint({name, *classes.get(name, ())}):
            dropped.add(name)
            held |= {name}
    return tuple(s for s in body if _copied(s) not in dropped)


def _may_share(value: ir.Expression) -> bool:
    if isinstance(value, ir.Call) and targets.is_of(value.function, "adlsp.runtime"):
        return not operations.is_fresh_of_runtime(value.function)
    return views.may_view(value)


def _unclear(body: ir.Block) -> frozenset[str]:
    """The variables that may be an object of a module, or have parts that are other values."""
    found: set[str] = set()
    for statement in ir.walk(body):
        match statement:
            case ir.Assign(targets=targets, value=ir.Call(function=function)) if operations.of(
                function
            ).holds:
                found.update(targets)
            case ir.Assign(targets=targets, value=ir.Opaque() | ir.Global()):
                found.update(targets)
            case ir.Assign(targets=targets, value=ir.Call() as call) if _may_share(call):
                if any(isinstance(atom, ir.Global) for atom in call.atoms):
                    found.update(targets)
            case ir.Store(base=base, value=ir.Name(), kind=kind) if not kind.adds:
                found.add(base)
            case ir.Insert() | ir.Do(value=ir.Opaque()):
                found.update((*ir.reads(statement), *ir.writes(statement)))
    return frozenset(found)


def _copied(statement: ir.Statement) -> str | None:
    """The variable that a statement replaces by its copy."""
    match statement:
        case ir.Assign(targets=(target,), value=ir.Call(function=function, args=(ir.Name(id),))):
            if function == COPY and target == id:
                return target
    return None
