"""Replaces second names of one value: `t_bar = y_bar` and the like.

This is copy propagation, for names that we made. Only steps and their adjoints are replaced, and
only while neither name is bound again or stored into.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.ir.variables import Step, primal


def propagate(block: ir.Block) -> ir.Block:
    """A block in which copies of our own making are read through."""
    return _block(block, Meanings())


class Meanings:
    """What variables stand for: an atom, for as long as neither is bound again."""

    def __init__(self, others: Meanings | None = None) -> None:
        self.of: dict[str, ir.Atom] = dict(others.of) if others else {}
        self._read_by: dict[str, set[str]] = {}
        for name, atom in self.of.items():
            self.note(name, atom)

    def note(self, name: str, atom: ir.Atom) -> None:
        """Notes what a variable stands for from now on."""
        self.of[name] = atom
        if isinstance(atom, ir.Name):
            self._read_by.setdefault(atom.id, set()).add(name)

    def forget(self, name: str) -> None:
        """Drops what is known of a variable that is bound again, and what was known by it."""
        self.of.pop(name, None)
        for reader in self._read_by.pop(name, ()):
            if self.of.get(reader) == ir.Name(name):
                del self.of[reader]


def _block(block: ir.Block, known: Meanings) -> ir.Block:
    made: list[ir.Statement] = []
    for statement in block:
        inner = ir.all_writes(statement)
        if isinstance(statement, ir.NESTING):
            for name in inner:
                known.forget(name)
        replaced = _replaced(statement, known)
        made.append(replaced)
        for name in inner:
            known.forget(name)
        match replaced:
            case ir.Assign(targets=(target,), value=ir.Name() | ir.Const() as value) if (
                _is_second_name(target) and not replaced.is_tuple and value != ir.Name(target)
            ):
                known.note(target, value)
    return tuple(made)


def _is_second_name(name: str) -> bool:
    """Tells whether nobody wants to read a name: a step, or the adjoint of one."""
    return isinstance(primal(name), Step)


def _replaced(statement: ir.Statement, known: Meanings) -> ir.Statement:
    of = known.of
    if not isinstance(statement, ir.NESTING) and of.keys().isdisjoint(ir.reads(statement)):
        return statement

    def atom(value: ir.Atom) -> ir.Atom:
        return of.get(value.id, value) if isinstance(value, ir.Name) else value

    def block(inner: ir.Block) -> ir.Block:
        return _block(inner, Meanings(known))

    if isinstance(statement, ir.While):
        return ir.rewritten(statement, block=block)
    return ir.rewritten(statement, atom, block=block)
