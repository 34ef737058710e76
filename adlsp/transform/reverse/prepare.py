"""Rewrites a primal so that its backward sweep can be written without exceptions to the scheme.

- A parameter that the function writes into is copied once, on entry: derivatives never change the
  caller's arrays.
- A `while` loop counts its trips, so that its condition is not evaluated again.
- A call of a user's function with active arguments becomes the forward function of a pair.
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir, program
from adlsp.transform.analyses import aliases
from adlsp.transform.analyses.activity import Activity
from adlsp.transform.ir import Role
from adlsp.transform.program import PAIR, Program
from adlsp.transform.reverse.pairs import Pairs


def trips(statement: ir.While) -> str:
    """The variable that counts the trips of a loop."""
    return f"%trips:{statement.origin.line}:{statement.origin.column}"


def prepare(
    function: ir.Function, active: Activity, known: Program, pairs: Pairs, first: int
) -> ir.Function:
    """The same function, ready to be reversed. `first` is the last number of its steps."""
    rewriter = _Rewriter(active, known, pairs, first)
    body = copies(function) + rewriter.block(function.body)
    return replace(function, body=body)


def copies(function: ir.Function) -> ir.Block:
    """Copies of the parameters that a function writes into."""
    return tuple(
        ir.Assign(
            (name,),
            ir.Call("adlsp.runtime.copy", (ir.Name(name),)),
            function.origin,
            Role.INIT,
        )
        for name in aliases.written_parameters(function)
    )


class _Rewriter:
    def __init__(self, active: Activity, known: Program, pairs: Pairs, first: int) -> None:
        self.active = active
        self.known = known
        self.pairs = pairs
        self.made = first

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            made += self.statement(statement)
        return tuple(made)

    def statement(self, statement: ir.Statement) -> list[ir.Statement]:
        match statement:
            case ir.While():
                return self.counted(statement)
            case ir.Assign(value=ir.Call() as call) if self.active.is_active(statement):
                return self.called(statement, call)
        return [ir.rebuilt(statement, block=self.block)]

    def counted(self, statement: ir.While) -> list[ir.Statement]:
        """A loop that counts its trips."""
        name, origin = trips(statement), statement.origin
        zero = ir.Assign((name,), ir.Const(0), origin, Role.SAVE)
        one_more = ir.Store(name, None, ir.Const(1), "add", origin, Role.SAVE)
        loop = ir.While(
            statement.header,
            statement.test,
            (*self.block(statement.body), one_more),
            origin,
            statement.role,
        )
        return [zero, loop]

    def called(self, statement: ir.Assign, call: ir.Call) -> list[ir.Statement]:
        """An active call of a user's function."""
        if self.known.rule(call.function) is not None:
            return [statement]
        callee = self.known.function(call.function)
        if callee is None:
            return [statement]
        bound = program.bind(callee, call)
        assert isinstance(bound, dict)
        varied = self.active.varied_before[statement]
        active = tuple(
            name for name, atom in bound.items() if isinstance(atom, ir.Name) and atom.id in varied
        )
        ordered = tuple(p.name for p in callee.parameters if p.name in active)
        pair = self.pairs.request(callee, ordered)
        self.made += 1
        saved = f"%saved:{pair.name}:{self.made}"
        forward = ir.Call(f"{PAIR}{pair.name}_forward", call.args, call.keywords, call.span)
        origin, role = statement.origin, statement.role
        if not statement.is_tuple:
            return [ir.Assign((statement.targets[0], saved), forward, origin, role, is_tuple=True)]
        self.made += 1
        result = ir.step(self.made, "results")
        return [
            ir.Assign((result, saved), forward, origin, role, is_tuple=True),
            ir.Assign(statement.targets, ir.Name(result), origin, role, is_tuple=True),
        ]
