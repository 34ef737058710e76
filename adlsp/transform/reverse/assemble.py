"""Puts the sweeps together: one function for the root, a pair for each user function that it calls.

A *joint* is the forward sweep, a mark (`ir.SPLIT`), the backward sweep and the return of the
adjoints, as one function. It is optimized and named as a whole; a pair is cut at the mark only when
it is printed.
"""

from __future__ import annotations

from dataclasses import dataclass

from adlsp.transform import ir
from adlsp.transform.analyses import activity
from adlsp.transform.ir import Role
from adlsp.transform.optimize import passes
from adlsp.transform.program import Program
from adlsp.transform.reverse import facts, prepare
from adlsp.transform.reverse.keep import Keep
from adlsp.transform.reverse.pairs import Pairs
from adlsp.transform.reverse.steps import RUNTIME, at, bar, last_step
from adlsp.transform.reverse.sweep import Sweep

SEED = "%seed"
"""The parameter for the gradient that arrives at the output."""


@dataclass(frozen=True, slots=True)
class Joint:
    """Both sweeps of a function.

    `pair` is the name of the pair to be cut from it, or None for the root. `wrt` are the parameters
    whose adjoints it returns.
    """

    function: ir.Function
    pair: str | None
    wrt: tuple[str, ...]


def reverse(
    function: ir.Function,
    wrt: tuple[str, ...],
    kind: str,
    program: Program,
    *,
    is_tuple: bool,
    optimize: bool,
) -> tuple[Joint, ...]:
    """The joints for the gradient of a function: its own, then those of its callees.

    `kind` is "grad", "value_and_grad" or "vjp". The function must be free of restrictions.
    """
    pairs = Pairs()
    made = [_Assembly(function, wrt, program, pairs, optimize=optimize).root(
        kind, is_tuple=is_tuple)]
    done = 0
    while done < len(pairs):
        pair = pairs[done]
        assembly = _Assembly(pair.function, pair.active, program, pairs, optimize=optimize)
        made.append(assembly.pair(pair.name))
        done += 1
    return tuple(made)


class _Assembly:
    def __init__(
        self,
        function: ir.Function,
        wrt: tuple[str, ...],
        program: Program,
        pairs: Pairs,
        *,
        optimize: bool,
    ) -> None:
        self.wrt = wrt
        self.optimize = optimize
        active = activity.activity(function, wrt, program.flow)
        first = last_step(function)
        self.primal = prepare.prepare(function, active, program, pairs, first)
        self.facts = facts.gather(self.primal, wrt, program)
        self.sweep = Sweep(self.facts, pairs, last_step(self.primal))
        last = self.primal.body[-1]
        assert isinstance(last, ir.Return)
        self.last = last

    def root(self, kind: str, *, is_tuple: bool) -> Joint:
        """The joint of the function that is differentiated."""
        seed: ir.Expression = ir.Name(SEED)
        if kind != "vjp" and not self.is_scalar():
            name = ir.Const(self.primal.name)
            seed = ir.Call(f"{RUNTIME}.seed", (ir.Name(SEED), self.value(), name))
        forward, backward, result = self.sweeps(seed)
        origin = self.primal.origin
        gradients, packing = self.packed(is_tuple=is_tuple)
        body = (*forward, _split(self.last), *backward, *packing)
        if kind == "value_and_grad":
            both = self.sweep.new()
            pack = ir.Call("python.tuple", (result, gradients))
            body = (*body, ir.Assign((both,), pack, origin, Role.ADJOINT))
            gradients = ir.Name(both)
        default = None if kind == "vjp" else ir.Const(1.0)
        parameters = (*self.primal.parameters, ir.Parameter(SEED, "keyword", default))
        return self.joint(f"{self.primal.name}_{kind}", parameters, body, gradients, None)

    def pair(self, name: str) -> Joint:
        """The joint of a callee."""
        forward, backward, result = self.sweeps(ir.Name(SEED))
        gradients, packing = self.packed(is_tuple=len(self.wrt) > 1)
        body = (*forward, _split(self.last, result), *backward, *packing)
        parameters = (*self.primal.parameters, ir.Parameter(SEED, "keyword", None))
        return self.joint(name, parameters, body, gradients, name)

    def packed(self, *, is_tuple: bool) -> tuple[ir.Atom, ir.Block]:
        """The adjoints to return, and the step that puts them into a tuple."""
        bars = tuple(ir.Name(bar(name)) for name in self.wrt)
        if not is_tuple:
            return bars[0], ()
        packed = self.sweep.new()
        call = ir.Call("python.tuple", bars)
        return ir.Name(packed), (
            ir.Assign((packed,), call, self.primal.origin, Role.ADJOINT),
        )

    def joint(
        self,
        name: str,
        parameters: tuple[ir.Parameter, ...],
        body: ir.Block,
        result: ir.Atom,
        pair: str | None,
    ) -> Joint:
        """The joint with a body, optimized if that is asked for."""
        origin = self.primal.origin
        body = (*body, ir.Return(result, origin, Role.ADJOINT))
        if self.optimize:
            body = passes.improve(body, frozenset(), self.facts.program.rule)
        primal = self.primal
        function = ir.Function(
            name, primal.module, parameters, body, origin, primal.aliases, primal.docstring
        )
        return Joint(function, pair, self.wrt)

    def value(self) -> ir.Atom:
        """What the primal returns, as the backward sweep refers to it."""
        return self.sweep.at(self.last, self.last.value)

    def is_scalar(self) -> bool:
        """Tells whether the primal surely returns a scalar."""
        return self.facts.shapes.is_scalar(self.value())

    def sweeps(self, seed: ir.Expression) -> tuple[ir.Block, ir.Block, ir.Atom]:
        """The forward sweep, the backward sweep, and the primal's result after the forward one."""
        sweep, origin = self.sweep, self.last.origin
        result = self.last.value
        if isinstance(result, ir.Name) and sweep.varied(self.last, result):
            sweep.out.append(ir.Assign((bar(result.id),), seed, origin, Role.ADJOINT))
            sweep.present = frozenset({result.id})
        backward = (*sweep.out, *sweep.block(self.primal.body, self.primal.origin))
        sweep.out = []
        start = {v.name: v for v in self.facts.versions.every if v.kind == "parameter"}
        for name in self.wrt:
            if name not in sweep.present:
                sweep.zero(name, at(start[name]), self.primal.origin)
        backward += tuple(sweep.out)
        if self.optimize:
            live = frozenset(bar(name) for name in self.wrt)
            backward = passes.improve(backward, live, self.facts.program.rule)
        keep = Keep(self.facts, sweep.made)
        forward, backward = keep.resolve(self.primal.body[:-1], backward, self.primal.body)
        sweep.made = keep.made
        if keep.recorded and not self.is_scalar():
            copied = ir.Call(f"{RUNTIME}.copy", (result,))
            forward += (ir.Assign(("%out",), copied, origin, Role.SAVE),)
            result = ir.Name("%out")
        return forward, backward, result


def _split(last: ir.Return, *result: ir.Atom) -> ir.Statement:
    return ir.Do(ir.Call(ir.SPLIT, result), last.origin, Role.PRIMAL)
