"""Rewrites a primal so that its backward sweep can be written without exceptions to the scheme.

`pipeline.REVERSE` has the order, also of what other modules do. Here is done, in this order:

- `copied_in`: a parameter that the function writes into is copied once, on entry (copy-in), as
  derivatives never change the caller's arrays: `u = rt.copy(u)`. It must not share its memory with
  another that is read afterwards.
- `named`: an array that is taken apart has a name, `t = np.tanh(x)`, `a, b = t`. Its adjoint is one
  array, not many numbers.
- `prepare`: what a store into a cell of a list or dictionary replaces has a name, as its shape may
  be needed. A `while` loop counts its trips, so that its condition is not evaluated again. A `for`
  loop whose variable has a value before that is read after it, if there is no pass, binds it in its
  body. An active call of a user's function becomes that of the forward function of a pair (its
  augmented primal), `y, saved = g_forward(x)`.

Between the last two, `iterators.py` makes lists of what can be run over only once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adlsp.transform import arguments, ir
from adlsp.transform.facts import aliases, containers, noalias, operations
from adlsp.transform.facts.activity import Activity
from adlsp.transform.ir import Role, StoreKind, targets
from adlsp.transform.ir.targets import Side
from adlsp.transform.ir.variables import Saved, Trips
from adlsp.transform.modes import rereading
from adlsp.transform.modes.augmented import Pairs
from adlsp.transform.modes.builder import OLD, RUNTIME
from adlsp.transform.ops.spec import Kind
from adlsp.transform.program import Program
from adlsp.transform.values.inferred import is_double
from adlsp.transform.values.lattice import UNKNOWN


def copied_in(
    function: ir.Function,
    wrt: tuple[str, ...],
    known: Program,
    guarded: Callable[[ir.Function], ir.Function],
    *,
    is_root: bool,
) -> ir.Function:
    """The function with copies of the parameters that it writes into, and with its guards.

    Each function of the runtime that copies also makes sure of something: that nothing else shares
    the memory (`separate`; `apart` alone where calls change copies of their own), that no part is
    there twice (`distinct`), that what receives active values is no array of integers (`own`,
    `smooth`). The derivative of a derivative needs no more
    guards: that has its own, and through second names it reads only what it has put back.
    """
    numbers = frozenset() if is_root else known.numbers(function)
    apart = noalias.disjoint(function, known) if is_root else {}
    nested = containers.changed_inside(function)
    is_derived = function.is_derived
    packed = {p.name for p in function.parameters if is_derived and p.annotation == "tuple"}
    made: list[ir.Statement] = []
    written = aliases.written_parameters(known.facts(function), are_held=is_root)
    if is_root and not is_derived:
        written = _with_lent(function, wrt, known, written)
    receiving = _receiving(function, wrt, known) if written else set()
    if is_root:
        receiving = {name for name in receiving if not is_double(known.given.get(name, UNKNOWN))}
    if not is_derived:
        function = guarded(function)
    fresh, origin = ir.fresh(function), function.origin
    kept = noalias.outside(function, known) if apart and known.may_keep else ()
    for name in (*written, *(name for name in apart if name not in written)):
        others: tuple[ir.Atom, ...] = tuple(ir.Name(other) for other in apart.get(name, ()))
        others = (*others, *kept) if name in apart else others
        if len(others) > 1:
            both = fresh.step()
            several = ir.Call("python.tuple", others)
            made.append(ir.Assign((both,), several, origin, Role.INIT))
            others = (ir.Name(both),)
        if name not in written:
            call = ir.Call(f"{RUNTIME}.apart", (ir.Name(name), *others))
            made += [ir.Do(call, origin, Role.INIT)] if others else []
            continue
        if name in numbers:
            copying = _copying_number(name, function.copy_out)
        elif others:
            copying = "separate"
        elif name in packed:
            copying = "preserved"
        elif name in receiving:
            copying = "own"
        else:
            copying = "distinct" if name in nested else "copy"
        if name in receiving and copying != "own":
            checked = ir.Call(f"{RUNTIME}.smooth", (ir.Name(name),))
            made.append(ir.Assign((name,), checked, origin, Role.INIT))
        call = ir.Call(f"{RUNTIME}.{copying}", (ir.Name(name), *others))
        made.append(ir.Assign((name,), call, origin, Role.INIT))
    return replace(function, body=(*made, *function.body)) if made else function


def _copying_number(name: str, copy_out: targets.CopyOut | None) -> str:
    """How a parameter that is taken for a number is copied; its caller may see what becomes of it.

    Where it does, and is not given it back, the caller makes sure that it is a number
    (`guards.lent_numbers`). The runtime has functions of these names.
    """
    if copy_out is None or name not in copy_out.changed:
        return "part"
    return "changeable" if copy_out.gives is targets.Gives.CHANGED else "part"


def _with_lent(
    function: ir.Function, wrt: tuple[str, ...], known: Program, written: tuple[str, ...]
) -> tuple[str, ...]:
    """The parameters written into, and those whose elements a call without a derivative changes.

    What it takes for a number may be an array.
    """
    calls = {
        statement: names
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign | ir.Do) and isinstance(statement.value, ir.Call)
        if (names := set(ir.names(known.changed(statement.value, scalar_elements=False))))
        if names.difference(ir.names(known.changed(statement.value)))
    }
    if not calls:
        return written
    facts = known.facts(function)
    active, shared = facts.activity(wrt), facts.aliases(scalar_elements=False)
    lent = {
        parameter
        for statement, names in calls.items()
        if not active.is_active(statement)
        for name in names
        for parameter in shared.parameters(statement, name)
    }
    return tuple(p.name for p in function.parameters if p.name in lent.union(written))


def _receiving(function: ir.Function, wrt: tuple[str, ...], known: Program) -> set[str]:
    """The parameters into whose elements active values are stored."""
    if function.is_derived:
        return set()
    varied = known.facts(function).activity(wrt).varied_before
    names = {p.name for p in function.parameters}
    return {
        s.base
        for s in ir.walk(function.body)
        if isinstance(s, ir.Store) and s.base in names and s.index is not None
        if not varied[s].isdisjoint(ir.names((s.value,)))
    }


def named(function: ir.Function, known: Program) -> ir.Function:
    """The function with names for the arrays that `a, b = np.tanh(x)` takes apart.

    Its rule tells of an array. The call of a rule that tells of several values stays as it is.
    """
    taken = {s for s in ir.walk(function.body) if _takes_array(s, known)}
    if not taken:
        return function
    fresh = ir.fresh(function)

    def block(inner: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in inner:
            if isinstance(statement, ir.Assign) and statement in taken:
                array = fresh.step()
                made.append(replace(statement, targets=(array,), is_tuple=False))
                made.append(replace(statement, value=ir.Name(array)))
            else:
                made.append(ir.rebuilt(statement, block=block))
        return tuple(made)

    return replace(function, body=block(function.body))


def _takes_array(statement: ir.Statement, known: Program) -> bool:
    """Tells whether a statement takes apart what a rule tells of as one array."""
    match statement:
        case ir.Assign(value=ir.Call(function=called), is_tuple=True):
            rule = known.rule(called)
            is_listed = operations.of(called).gives in (Kind.LIST, Kind.TUPLE)
            return rule is not None and not (rule.gives_parts or is_listed)
    return False


def prepare(
    function: ir.Function,
    active: Activity,
    known: Program,
    pairs: Pairs,
    held: tuple[str, ...],
) -> ir.Function:
    """The same function, ready to be reversed.

    `held` are its parameters that share memory with what functions change elsewhere.
    """
    body = _Rewriter(function, active, known, pairs, held).block(function.body)
    return function if body == function.body else replace(function, body=body)


def trips(statement: ir.While) -> Trips:
    """The variable that counts the trips of a loop, by where it is written."""
    place = statement.origin.written
    return Trips(place.line, place.column)


class _Rewriter:
    def __init__(
        self,
        function: ir.Function,
        active: Activity,
        known: Program,
        pairs: Pairs,
        held: tuple[str, ...],
    ) -> None:
        facts = known.facts(function)
        self.indices = facts.indices
        whole = facts.arrays(is_derived=facts.is_derived)
        self.entries = containers.entries(function, self.indices, whole, facts.inferred)
        self.active = active
        self.known = known
        self.pairs = pairs
        self.states = rereading.states(function, known, held)
        self.fresh = ir.fresh(function)

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        for statement in block:
            made += self.statement(statement)
        return tuple(made)

    def statement(self, statement: ir.Statement) -> list[ir.Statement]:
        match statement:
            case ir.While():
                return self.counted(statement)
            case ir.For(target=target) if self.is_carried(statement, target):
                return [self.renaming(statement)]
            case ir.Assign(value=ir.Call() as call) if self.active.is_active(statement):
                return self.called(statement, call)
            case ir.Store() if ir.sets_cell(statement) or statement in self.entries:
                return [*self.replaced(statement), statement]
        return [ir.rewritten(statement, block=self.block)]

    def replaced(self, store: ir.Store) -> list[ir.Statement]:
        """Steps that read what a store into a cell replaces."""
        assert store.index is not None
        made: list[ir.Statement] = []
        path = self.indices.path(store, store.index)
        holder: ir.Atom = ir.Name(store.base)
        for index in path[:-1]:
            inner, part = ir.Call("operator.getitem", (holder, index)), self.fresh.step()
            made.append(ir.Assign((part,), inner, store.origin, Role.SAVE))
            holder = ir.Name(part)
        reading = ir.ENTRY if store.kind.replaces else ir.reading(store)
        call = ir.Call(reading, (holder, path[-1]))
        old = self.fresh.step(OLD)
        return [*made, ir.Assign((old,), call, store.origin, Role.SAVE)]

    def is_carried(self, loop: ir.For, target: str) -> bool:
        """Tells whether the variable of a loop has an adjoint before it that one after it reaches.

        It does where there may be no pass.
        """
        return (
            target in self.active.varied_before[loop] and target in self.active.useful_after[loop]
        )

    def renaming(self, loop: ir.For) -> ir.For:
        """A loop whose variable is bound in its body, so that what it was before is there, too."""
        element = self.fresh.step()
        bound = ir.Assign((loop.target,), ir.Name(element), loop.origin, loop.role)
        return replace(loop, target=element, body=(bound, *self.block(loop.body)))

    def counted(self, statement: ir.While) -> list[ir.Statement]:
        """A loop that counts its trips."""
        name, origin = trips(statement), statement.origin
        zero = ir.Assign((name,), ir.Const(0), origin, Role.SAVE)
        one_more = ir.Store(name, None, ir.Const(1), StoreKind.ADD, origin, Role.SAVE)
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
        bound = arguments.bind(callee, call)
        assert isinstance(bound, dict)
        varied = self.active.varied_before[statement]
        ordered = tuple(
            p.name
            for p in callee.parameters
            if not varied.isdisjoint(ir.names(arguments.atoms(bound[p.name])))
        )
        held = tuple(
            p.name
            for p in callee.parameters
            if not self.states.isdisjoint(ir.names(arguments.atoms(bound[p.name])))
        )
        pair = self.pairs.request(callee, ordered, held)
        origin, role = statement.origin, statement.role
        packing: list[ir.Statement] = []

        def hold(display: ir.Call) -> ir.Atom:
            name = self.fresh.step()
            packing.append(ir.Assign((name,), display, origin, role))
            return ir.Name(name)

        call = arguments.direct(callee, call, bound, hold)
        saved = Saved(pair.name, self.fresh.number())
        forward = replace(call, function=targets.Pair(pair.name, Side.FORWARD))
        if not statement.is_tuple:
            both = (statement.targets[0], saved)
            return [*packing, ir.Assign(both, forward, origin, role, is_tuple=True)]
        result = self.fresh.step("results")
        return [
            *packing,
            ir.Assign((result, saved), forward, origin, role, is_tuple=True),
            ir.Assign(statement.targets, ir.Name(result), origin, role, is_tuple=True),
        ]
