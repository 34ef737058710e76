"""Derivatives that the user's text calls: `adlsp.grad(energy)(q)` in what is differentiated.

The derivative of the function is written in the program around it, for what its calls give it, and
is a function of that program from then on, which can be differentiated like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adlsp.transform import ir, relower
from adlsp.transform.artifact import Kind
from adlsp.transform.checks import legality
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.forward.assemble import forward
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.variables import SEED
from adlsp.transform.program import Program
from adlsp.transform.reverse.assemble import reverse

KINDS: Mapping[str, Kind] = {"grad": "grad", "value_and_grad": "value_and_grad", "vjp": "vjp"}
"""The kinds of derivatives in reverse mode that are followed (`operators.FOLLOWED`)."""


def derived(
    function: ir.Function, called: targets.Derivative, program: Program
) -> tuple[Diagnostic, ...]:
    """Enters a derivative in the program around its primal; gives what prevents that."""
    is_forward = called.kind == "jvp"
    if found := legality.in_the_way(function, called.wrt, program, is_forward=is_forward):
        return found
    if is_forward:
        first = forward(function, called.wrt, program, optimize=True)
    else:
        kind, is_tuple = KINDS[called.kind], called.is_tuple
        first = reverse(function, called.wrt, kind, program, is_tuple=is_tuple, optimize=True)
        if kind != "vjp":
            first = (_from_one(first[0]), *first[1:])
    relower.within(first, called, program)
    return ()


def _from_one(function: ir.Function) -> ir.Function:
    """A gradient that sets its seed itself.

    It was written for any seed: to multiply by it makes an array that nobody else has.
    """
    parameters = tuple(p for p in function.parameters if p.name != SEED)
    seed = ir.Assign((SEED,), ir.Const(1.0), function.origin, Role.ADJOINT)
    return replace(function, parameters=parameters, body=(seed, *function.body))


class UnfollowedError(Exception):
    """A call goes to a derivative that cannot be written; the argument says what is in the way."""


def as_written(function: ir.Function, program: Program) -> ir.Function:
    """A function with calls of derivatives that are not written, as the user's program has them.

    They take no part in the derivative, or something would be in its way.
    """
    fresh = ir.fresh(function)

    def called(statement: ir.Statement) -> ir.Block:
        match statement:
            case (
                ir.Assign(value=ir.Call(function=targets.Derivative() as name) as call)
                | ir.Do(value=ir.Call(function=targets.Derivative() as name) as call)
            ) if program.function(name) is None:
                if not targets.is_plain(targets.original(targets.primal(name))):
                    raise UnfollowedError(program.in_the_way(name))
            case _:
                return (ir.rewritten(statement, block=block),)
        keywords = tuple(p for p in call.keywords if not isinstance(p[0], targets.Captured))
        made = list[ir.Statement]()
        args = (_made(name, made, statement, fresh), *call.args)
        plain = replace(call, function=targets.CALL, args=args, keywords=keywords)
        return (*made, replace(statement, value=plain))

    def block(body: ir.Block) -> ir.Block:
        return tuple(each for statement in body for each in called(statement))

    body = block(function.body)
    return function if body == function.body else replace(function, body=body)


def _made(
    name: str, made: list[ir.Statement], statement: ir.Assign | ir.Do, fresh: ir.Fresh
) -> ir.Atom:
    """What holds a derivative: steps that make it of its function."""
    if not isinstance(name, targets.Derivative):
        return ir.Global(targets.original(name))
    of = _made(name.of, made, statement, fresh)
    wrt: tuple[tuple[str, ir.Atom], ...] = (("wrt", ir.Const(name.wrt[0])),)
    if name.is_tuple:
        names, step = tuple(map(ir.Const, name.wrt)), fresh.step()
        call = ir.Call("python.tuple", names)
        made.append(ir.Assign((step,), call, statement.origin, statement.role))
        wrt = (("wrt", ir.Name(step)),)
    step = fresh.step()
    call = ir.Call(f"adlsp.{name.kind}", (of,), wrt)
    made.append(ir.Assign((step,), call, statement.origin, statement.role))
    return ir.Name(step)
