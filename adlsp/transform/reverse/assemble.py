"""Puts the sweeps together: one function for the root, a pair for each user function that it calls.

This is the plot of the reverse mode: the primal is prepared, its facts are gathered, the backward
sweep is written, and what that reads is saved in the forward sweep (`_Assembly.sweeps`).

A function is first written as the forward sweep, a mark (`ir.SPLIT`), the backward sweep and the
return of the adjoints, and optimized as a whole. The root stays so; a pair is then cut at the mark.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adlsp.transform import ir, pipeline
from adlsp.transform.artifact import Kind
from adlsp.transform.canonical import branches
from adlsp.transform.facts import definite_assignment
from adlsp.transform.facts.versions import Version, VersionKind
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.targets import Side
from adlsp.transform.ir.variables import PACKED, RETURNED, SEED, Generated, readable
from adlsp.transform.modes import primal_facts
from adlsp.transform.modes.augmented import Pair, Pairs
from adlsp.transform.modes.builder import RUNTIME, at, bar, unset, with_bound_checks
from adlsp.transform.modes.inferred import Callees, told
from adlsp.transform.optimize import copy_elision
from adlsp.transform.program import Program
from adlsp.transform.reverse import dtypes, seeds
from adlsp.transform.reverse.save_restore import SaveRestore
from adlsp.transform.reverse.sweep import Sweep
from adlsp.transform.source import place_name
from adlsp.transform.values.inferred import Inferred, is_double
from adlsp.transform.values.lattice import Array, Number, Signature

TITLES: Mapping[Kind, str] = {
    "grad": "Gradient",
    "value_and_grad": "Value and gradient",
    "vjp": "Vector-Jacobian product",
}


def reverse(
    function: ir.Function,
    wrt: tuple[str, ...],
    kind: Kind,
    program: Program,
    *,
    is_tuple: bool,
    optimize: bool,
) -> tuple[ir.Function, ...]:
    """The functions for the gradient of a function: its own, then the pairs of its callees.

    `kind` is "grad", "value_and_grad" or "vjp". The function must have passed the checks.
    """
    pairs = Pairs()
    callees = Callees(program, pairs)
    root = _Assembly(function, wrt, program, pairs, callees, optimize=optimize)
    made: dict[str, tuple[ir.Function, ...]] = {"": (root.root(kind, is_tuple=is_tuple),)}
    given: dict[str, Signature] = {}
    while late := [p for p in pairs if p.name not in made or given[p.name] != callees.given(p)]:
        pair = late[0]
        given[pair.name] = callees.given(pair)
        assembly = _Assembly(
            pair.function, pair.active, program, pairs, callees, pair=pair, optimize=optimize
        )
        made[pair.name] = assembly.pair(pair.name)
    return (*made[""], *(each for pair in pairs for each in made[pair.name]))


@dataclass(frozen=True, slots=True)
class Prepared:
    """The primal of a root as it is reversed, with its facts, and what is saved at which statement.

    It is what the sweeps rest on, before they are written.
    """

    primal: ir.Function
    facts: primal_facts.PrimalFacts
    saves: Mapping[ir.Statement | None, tuple[ir.Statement, ...]]


def prepared(function: ir.Function, wrt: tuple[str, ...], kind: Kind, program: Program) -> Prepared:
    """The primal that `reverse` would reverse; the function must have passed the checks."""
    pairs = Pairs()
    assembly = _Assembly(function, wrt, program, pairs, Callees(program, pairs), optimize=True)
    assembly.root(kind, is_tuple=False)
    assert assembly.saves is not None
    return Prepared(assembly.primal, assembly.facts, assembly.saves.by_statement())


class _Assembly:
    def __init__(
        self,
        function: ir.Function,
        wrt: tuple[str, ...],
        program: Program,
        pairs: Pairs,
        callees: Callees,
        *,
        pair: Pair | None = None,
        optimize: bool,
    ) -> None:
        self.wrt = wrt
        self.optimize = optimize
        held = () if pair is None else pair.held
        asked = pipeline.Asked(wrt, program, is_root=pair is None, held=held, pairs=pairs)
        if pair is not None:
            function = branches.decided(function, callees.typed(function, pair))
        self.primal = pipeline.run(pipeline.REVERSE, function, asked)
        typed, own = callees.typed(self.primal, pair), program.facts(self.primal)
        if pair is None and program.given and not program.has_tensors:
            own.note_inferred(Inferred(typed, own.versions))
        given = pairs.function, typed, pairs.meet_complex
        self.facts = primal_facts.gather(self.primal, wrt, program, *given)
        pairs.meet_complex |= self.facts.meets_complex
        self.sweep = Sweep(self.facts, pairs, ir.fresh(self.primal))
        last = self.primal.body[-1]
        assert isinstance(last, ir.Return)
        self.last = last
        self.saves: SaveRestore | None = None

    def sweeps(
        self, seed: ir.Expression, *, is_root: bool, checked: ir.Call | None = None
    ) -> tuple[ir.Block, ir.Block, ir.Atom]:
        """The forward sweep, the backward sweep, and the primal's result after the forward one.

        The backward sweep is written first, with references to values of the primal. It is
        optimized before saves for them are put into the forward sweep: what it does not read need
        not be saved. It starts from `seed`, or from what is `checked` where that must be a tensor.
        """
        self.seed(seed, is_root=is_root)
        backward = (*self.written(), *self.sweep.block(self.primal.body, self.primal.origin))
        backward += self.gradients(backward, is_root=is_root)
        if checked is not None and self.facts.program.has_tensors:
            backward = seeds.with_checked(backward, checked, self.facts.inferred)
        if self.optimize:
            live = frozenset(bar(name) for name in self.wrt)
            rule, inferred = self.facts.program.rule, self.facts.inferred
            backward = pipeline.optimized(backward, live, rule, inferred)
        saves = self.saves = SaveRestore(self.facts, self.sweep.fresh)
        forward, backward = saves.resolve(self.primal.body[:-1], backward, self.primal.body)
        result = self.last.value
        forward = self.sure(forward, result, backward)
        if saves.recorded and not (self.is_scalar() and self.is_apart(result)):
            copying = f"{RUNTIME}.{'preserved' if self.primal.is_derived else 'copy'}"
            if not self.is_apart(result, of_variables=True):
                copying = "tensorflow.identity"
            copied = ir.Call(copying, (result,))
            forward += (ir.Assign((RETURNED,), copied, self.last.origin, Role.SAVE),)
            result = ir.Name(RETURNED)
        return forward, backward, result

    def seed(self, seed: ir.Expression, *, is_root: bool) -> None:
        """Writes the adjoint of the result, where it is varied: all others are zero."""
        sweep, result, origin = self.sweep, self.last.value, self.last.origin
        if not isinstance(result, ir.Name) or not sweep.varied(self.last, result):
            return
        if result.id in self.facts.lists and not is_root:
            listed = (sweep.hold(seed, origin), sweep.at(self.last, result))
            seed = ir.Call(f"{RUNTIME}.listed", listed)
        if result.id in self.facts.in_place:
            if not is_root:
                seed = sweep.cut(self.last, result.id, seed)
            seed = ir.Call(f"{RUNTIME}.copy", (sweep.hold(seed, origin),))
        sweep.out.append(ir.Assign((bar(result.id),), seed, origin, Role.ADJOINT))
        sweep.present = frozenset({result.id})

    def gradients(self, backward: ir.Block, *, is_root: bool) -> ir.Block:
        """The end of a backward sweep: the adjoints of the inputs, as the caller gets them."""
        sweep = self.sweep
        start = {v.name: v for v in self.facts.versions.every if v.kind is VersionKind.PARAMETER}
        for name in self.wrt:
            if name in sweep.present:
                sweep.tighten(name, at(start[name]), self.primal.origin)
        tightened = self.written()
        backward += tightened
        for name in self.wrt:
            if name not in sweep.present:
                sweep.zero(name, at(start[name]), self.primal.origin)
                if is_root and (self.facts.program.has_tensors or not self.is_array(name)):
                    self.restructure(name, start[name])
            elif name in self.facts.in_place - sweep.numeric - sweep.inferred_arrays:
                self.restructure(name, start[name])
            elif is_root:
                self.given(name, at(start[name]), backward)
        return (*tightened, *self.written())

    def written(self) -> ir.Block:
        """What has been written since it was last asked for."""
        made, self.sweep.out = tuple(self.sweep.out), []
        return made

    def root(self, kind: Kind, *, is_tuple: bool) -> ir.Function:
        """The function that is called from outside."""
        name = ir.Const(self.primal.name)
        checked = ir.Call(f"{RUNTIME}.seed", (ir.Name(SEED), self.value(), name))
        is_real = not self.facts.makes_complex or is_double(self.facts.inferred.of(self.value()))
        is_checked = kind == "vjp" or not self.is_scalar() or not is_real
        seed = checked if is_checked else ir.Name(SEED)
        forward, backward, result = self.sweeps(seed, is_root=True, checked=checked)
        origin = self.primal.origin
        gradients, packing = self.packed(is_tuple=is_tuple)
        body = (*forward, _split(self.last), *backward, *packing)
        if kind == "value_and_grad":
            both = self.sweep.fresh.step()
            pack = ir.Call("python.tuple", (result, gradients))
            body = (*body, ir.Assign((both,), pack, origin, Role.ADJOINT))
            gradients = ir.Name(both)
        default = None if kind == "vjp" else ir.Const(1.0)
        parameters = (
            *self.primal.parameters,
            ir.Parameter(SEED, ir.ParameterKind.KEYWORD, default),
        )
        body = self.improved((*body, ir.Return(gradients, origin, Role.ADJOINT)))
        if self.optimize:
            held = frozenset(p.name for p in parameters)
            given = {bar(name) for name in self.wrt} | set(ir.names((result,)))
            body = copy_elision.elide_copies(body, held, frozenset(given))
        body = self.unset(body) + body
        title = f"{TITLES[kind]} of {self.place()} with respect to {self.inputs()}."
        title += told(self.facts.program, self.primal.module)
        return self.function(f"{self.primal.name}_{kind}", parameters, body, title)

    def pair(self, name: str) -> tuple[ir.Function, ir.Function]:
        """The forward and the backward function of a callee."""
        forward, backward, result = self.sweeps(ir.Name(SEED), is_root=False)
        gradients, packing = self.packed(is_tuple=len(self.wrt) > 1)
        origin = self.primal.origin
        back = ir.Return(gradients, origin, Role.ADJOINT)
        body = (*forward, _split(self.last, result), *backward, *packing, back)
        forward, split, backward = cut(self.improved(body))
        saved = definite_assignment.unbound_reads(backward, (SEED,))
        end = self.returned(split.args[0], saved)
        forward_function = self.of_pair(
            targets.Pair(name, Side.FORWARD),
            self.primal.parameters,
            self.unset(forward + end) + forward + end,
            f"Forward sweep of {self.place()}.",
        )
        taken: ir.Block = ()
        if saved:
            packed = ir.Name(PACKED)
            taken = (ir.Assign(saved, packed, origin, Role.RESTORE, is_tuple=True),)
        backward_function = self.of_pair(
            targets.Pair(name, Side.BACKWARD),
            (ir.Parameter(PACKED, annotation="tuple"), ir.Parameter(SEED)),
            taken + backward,
            f"Backward sweep of {self.place()}: adjoints of {self.inputs()}.",
        )
        return forward_function, backward_function

    def sure(self, forward: ir.Block, result: ir.Atom, backward: ir.Block) -> ir.Block:
        """The forward sweep, made sure of what is set to `None` though the primal reads it."""
        bound = [*(p.name for p in self.primal.parameters), SEED]
        made = unset(forward + backward, bound, self.primal.origin)
        names = {name for statement in made for name in ir.writes(statement)}
        sure = definite_assignment.surely_bound(forward, bound)
        names.update(name for name in ir.names((result,)) if name not in sure)
        users = {name for name in names if not isinstance(name, Generated)} - self.facts.optional
        return with_bound_checks(forward, result, users, bound) if users and forward else forward

    def unset(self, body: ir.Block) -> ir.Block:
        """Sets to `None` what is saved on some ways only."""
        bound = [*(p.name for p in self.primal.parameters), SEED]
        return unset(body, bound, self.primal.origin)

    def returned(self, value: ir.Atom, saved: tuple[str, ...]) -> ir.Block:
        """The end of a forward function: the value, and what is saved, in a tuple."""
        origin = self.last.origin
        packed, both = self.sweep.fresh.step(), self.sweep.fresh.step()
        names = tuple(ir.Name(name) for name in saved)
        pack = ir.Call("python.tuple", (value, ir.Name(packed)))
        return (
            ir.Assign((packed,), ir.Call("python.tuple", names), origin, Role.SAVE),
            ir.Assign((both,), pack, origin, Role.SAVE),
            ir.Return(ir.Name(both), origin, Role.SAVE),
        )

    def packed(self, *, is_tuple: bool) -> tuple[ir.Atom, ir.Block]:
        """The adjoints to return, and the step that puts them into a tuple."""
        bars: tuple[ir.Atom, ...] = tuple(ir.Name(bar(name)) for name in self.wrt)
        if not is_tuple:
            return bars[0], ()
        packed = self.sweep.fresh.step()
        call = ir.Call("python.tuple", bars)
        return ir.Name(packed), (ir.Assign((packed,), call, self.primal.origin, Role.ADJOINT),)

    def improved(self, body: ir.Block) -> ir.Block:
        """A body, optimized if that is asked for."""
        if not self.optimize:
            return body
        inferred = self.facts.inferred
        return pipeline.optimized(body, frozenset(), self.facts.program.rule, inferred)

    def inputs(self) -> str:
        """The inputs of interest, as they are called."""
        return ", ".join(readable(name) for name in self.wrt)

    def place(self) -> str:
        """What the function is called, and where it is."""
        origin = self.primal.origin
        return f"{self.primal.name} ({place_name(origin.path, origin.line)})"

    def function(
        self, name: str, parameters: tuple[ir.Parameter, ...], body: ir.Block, title: str
    ) -> ir.Function:
        """A function of the derivative."""
        primal = self.primal
        made = replace(primal, name=name, parameters=parameters, body=body, docstring=title)
        return replace(made, called=None, findings=(), exact=self.exact())

    def exact(self) -> frozenset[str]:
        """The adjoints that are only given what has their shape and dtype."""
        inferred = self.facts.inferred
        if not inferred.is_double:
            return frozenset()
        arrays = inferred.double_arrays() - self.sweep.inexact - self.facts.in_place
        return frozenset(map(bar, arrays))

    def of_pair(
        self,
        called: targets.Pair,
        parameters: tuple[ir.Parameter, ...],
        body: ir.Block,
        title: str,
    ) -> ir.Function:
        """A function of the derivative that stands for a callee."""
        return replace(self.function(called.name, parameters, body, title), called=called)

    def restructure(self, name: str, version: Version) -> None:
        """The adjoint of what may be a tuple was added to element by element, as a list."""
        args = (ir.Name(bar(name)), at(version))
        call = ir.Call(f"{RUNTIME}.restructure", args)
        self.sweep.out.append(ir.Assign((bar(name),), call, self.primal.origin, Role.ADJOINT))

    def given(self, name: str, like: ir.Name, backward: ir.Block) -> None:
        """A gradient for the caller: in structure and dtype as its argument, shared with nobody."""
        origin = self.primal.origin
        made: list[ir.Call] = []
        if self.facts.makes_complex:
            is_cast = dtypes.is_cast(bar(name), backward, like)
        else:
            inferred = self.facts.inferred
            is_scalar = self.facts.shapes.is_scalar(like)
            is_scalar &= not inferred or is_double(inferred.of(like))
            primal, arrays = self.primal.body, self.facts.arrays
            is_cast = is_scalar or not dtypes.may_differ(bar(name), backward, primal, arrays)
            is_cast &= is_scalar or self.is_array(name)
            if inferred:  # sums and products do not cast there
                is_real = is_scalar and not (self.facts.meets_complex or inferred.has_single())
                is_cast = is_double(inferred.of(like)) and (is_real or inferred.is_double)
        is_cast &= not self.facts.program.has_tensors
        if not is_cast:
            made.append(ir.Call(f"{RUNTIME}.cast_like", (ir.Name(bar(name)), like)))
        if name not in self.sweep.owned and not isinstance(self.facts.inferred.of(like), Number):
            made.append(ir.Call(f"{RUNTIME}.copy", (ir.Name(bar(name)),)))
        self.sweep.out += (ir.Assign((bar(name),), c, origin, Role.ADJOINT) for c in made)

    def is_array(self, name: str) -> bool:
        """Tells whether a parameter is surely a number or array."""
        return name in self.facts.arrays

    def value(self) -> ir.Atom:
        """What the primal returns, as the backward sweep refers to it."""
        return self.sweep.at(self.last, self.last.value)

    def is_apart(self, result: ir.Atom, *, of_variables: bool = False) -> bool:
        """Tells whether the result shares no memory with what is stored into, and then undone.

        It may be asked for the variables of TensorFlow that are set, which are no tensors.
        """
        aliases = self.facts.program.facts(self.primal).aliases()
        stores = (s for s in ir.walk(self.primal.body) if isinstance(s, ir.Store))
        into = (s for s in stores if s.index is not None and not ir.sets_cell(s))
        bases = {s.base for s in into if s.is_assign or not of_variables}
        return all(
            bases.isdisjoint((name, *aliases.related(self.last, name)))
            for name in ir.names((result,))
        )

    def is_scalar(self) -> bool:
        """Tells whether the primal surely returns a scalar."""
        match self.facts.inferred.of(self.value()):
            case Array("float64" | "float32", (), library="tensorflow"):
                return True
        return self.facts.shapes.is_scalar(self.value())


def _split(last: ir.Return, *result: ir.Atom) -> ir.Statement:
    return ir.Do(ir.Call(ir.SPLIT, result), last.origin, Role.PRIMAL)


def cut(body: ir.Block) -> tuple[ir.Block, ir.Call, ir.Block]:
    """The forward sweep, the mark between the sweeps, and the backward sweep."""
    for position, statement in enumerate(body):
        match statement:
            case ir.Do(value=ir.Call(function=function) as call) if function == ir.SPLIT:
                return body[:position], call, body[position + 1 :]
    raise AssertionError("no split")
