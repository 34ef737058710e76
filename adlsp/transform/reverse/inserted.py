"""Places the blocks of `insert_grad_of` into the backward sweep.

At a block's place the adjoint of its variable holds what all later statements have contributed.
The block's own names become fresh ones; the primal's variables that it reads become references to
the values that they had there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adlsp.transform import ir
from adlsp.transform.ir import Role
from adlsp.transform.ir.variables import Merged, Step, readable
from adlsp.transform.modes.builder import RUNTIME, bar

if TYPE_CHECKING:
    from adlsp.transform.reverse.sweep import Sweep


def insert(sweep: Sweep, statement: ir.Insert) -> None:
    """Writes the block of a variable that has an adjoint; without one there is nothing to do."""
    assert isinstance(statement.variable, ir.Name)
    name, origin = statement.variable.id, statement.origin
    if name not in sweep.facts.activity.varied_before[statement]:
        return
    if name not in sweep.present:
        sweep.zero(name, sweep.at(statement, statement.variable), origin)
    sweep.tighten(name, sweep.at(statement, statement.variable), origin)
    if statement.bar and _changes(statement.body, statement.bar) and name not in sweep.owned:
        copied = ir.Call(f"{RUNTIME}.copy", (ir.Name(bar(name)),))
        sweep.out.append(ir.Assign((bar(name),), copied, origin, Role.ADJOINT))
    sweep.owned.discard(name)
    sweep.out += _Placed(sweep, statement, bar(name)).block(statement.body)


def _changes(body: ir.Block, name: str) -> bool:
    """Tells whether a block may change the array that is the adjoint, by this or another name."""
    is_read = any(name in ir.reads(s) for s in ir.walk(body) if not isinstance(s, ir.Store))
    stores = {s.base for s in ir.walk(body) if isinstance(s, ir.Store)}
    return name in stores or (is_read and bool(stores))


class _Placed:
    """The statements of one block, in the names of the backward sweep."""

    def __init__(self, sweep: Sweep, statement: ir.Insert, adjoint: str) -> None:
        self.sweep = sweep
        self.names = {} if statement.bar is None else {statement.bar: adjoint}
        self.captured = {name: sweep.at(statement, atom) for name, atom in statement.captured}
        for inner in ir.walk(statement.body):
            for name in ir.writes(inner):
                if name not in self.names and name not in self.captured:
                    self.names[name] = self.fresh(name)

    def fresh(self, name: str) -> str:
        """A name of its own for what a block binds."""
        if isinstance(name, Merged):
            return self.sweep.fresh.merged()
        is_step = isinstance(name, Step)
        return self.sweep.fresh.step() if is_step else self.sweep.fresh.own(readable(name))

    def block(self, body: ir.Block) -> ir.Block:
        """The statements of a block."""
        made = (ir.rebuilt(s, self.atom, self.name, self.block) for s in body)
        return tuple(replace(s, role=Role.INSERTED) for s in made)

    def name(self, name: str) -> str:
        """What a variable of the block is called now."""
        return self.names.get(name, name)

    def atom(self, atom: ir.Atom) -> ir.Atom:
        """What an atom of the block is now."""
        if not isinstance(atom, ir.Name):
            return atom
        return self.captured.get(atom.id, ir.Name(self.name(atom.id)))
