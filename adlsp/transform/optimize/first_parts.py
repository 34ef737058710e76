"""The first contribution to a part of an adjoint is set, not added to its zeros.

    z_bar = np.zeros_like(z)                z_bar = np.zeros_like(z)
    z_bar[:, n:] += u_bar                   z_bar[:, n:] = u_bar
    z_bar[:, :n] += v_bar                   z_bar[:, :n] = v_bar

Parts of an axis are apart where one ends before the other begins. Places are compared that are
counted from the start, by multiples of a size, which is not negative.

What new axes were given to is all there: `x_bar[:, None] += np.sum(u_bar, axis=1, keepdims=True)`
is `x_bar += np.sum(u_bar, axis=1)`, and with the first contribution nobody needs the zeros.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from adlsp.transform import ir
from adlsp.transform.facts import effects
from adlsp.transform.ir import StoreKind
from adlsp.transform.ir.variables import Adjoint, Step
from adlsp.transform.values import broadcasting
from adlsp.transform.values.lattice import Array, Number, Size, Value

ZEROS = "numpy.zeros_like", "adlsp.runtime.zeros"

NEW_AXES = ir.Const(None), ir.Global("numpy.newaxis")
"""How an index adds an axis."""

ALL = (ir.Const(None),) * 3
"""What a slice of all of an axis is made of."""

PLACING = ("python.tuple", "python.slice", "operator.mul")
"""The steps of which an index is made whose place is known."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A place on an axis, from its start: a multiple of a size, and what is added; none negative.

    No size and no number that is added: the end, wherever that is.
    """

    times: int = 0
    size: str = ""
    plus: int | None = 0

    def is_before(self, other: _Place) -> bool:
        """Tells whether it is surely not behind another place."""
        if self.plus is None or other.plus is None:
            return False
        is_alike = self.size in ("", other.size)
        return is_alike and self.times <= other.times and self.plus <= other.plus


END = _Place(plus=None)

Part = tuple[tuple[_Place, _Place], ...]
"""Where a part begins and ends, on each of the first axes."""


def with_first_parts(body: ir.Block, values: Mapping[str, Value]) -> ir.Block:
    """The body of a derivative, in which no part is added to zeros; `values` are its variables."""
    return _Parts(body, values).block(body)


class _Parts:
    """Rewrites a body; `placing` has the steps of places by the variables that these read."""

    def __init__(self, body: ir.Block, values: Mapping[str, Value]) -> None:
        self.values = values
        self.read = Counter(name for s in ir.walk(body) for name in ir.reads(s))
        self.placing: dict[str, dict[str, None]] = {}
        for statement in ir.walk(body):
            match statement:
                case ir.Assign((step,), ir.Call(function)) if function in PLACING:
                    for name in ir.reads(statement):
                        self.placing.setdefault(name, {})[step] = None

    def block(self, block: ir.Block) -> ir.Block:
        made: list[ir.Statement] = []
        steps: dict[str, ir.Call] = {}
        filled: dict[str, list[Part]] = {}
        for statement in block:
            statement = ir.rewritten(statement, block=self.block)
            if isinstance(statement, ir.Store) and statement.kind is StoreKind.ADD:
                axes = self.new_axes(statement.index, steps)
                if axes and self.is_whole(statement, axes):
                    statement = self.whole(statement, axes, made, filled)
            match statement:
                case ir.Store(Adjoint() as base, index, ir.Name(), StoreKind.ADD) if (
                    base in filled and not statement.is_each
                ):
                    part = self.part(index, steps)
                    if part is None or not all(_are_apart(part, each) for each in filled[base]):
                        filled.pop(base)
                    else:
                        filled[base].append(part)
                        statement = replace(statement, kind=StoreKind.REPLACE)
                    for name in ir.names((statement.value, index)):
                        filled.pop(name, None)
                case ir.Assign((name,), ir.Call(function, _) as call, is_tuple=False) if (
                    effects.is_pure(call)
                ):
                    self.forget(statement, steps, filled)
                    if function in PLACING:
                        steps[name] = call
                    if function in ZEROS and _is_array(self.values.get(name)):
                        filled[name] = []
                case _:
                    for inner in ir.walk((statement,)):
                        self.forget(inner, steps, filled)
            made.append(statement)
        return tuple(made)

    def is_whole(self, store: ir.Store, axes: tuple[int, ...]) -> bool:
        """Tells whether a store adds to all of an adjoint, to which an index gives new axes."""
        base = self.values.get(store.base)
        value = self.values.get(store.value.id) if isinstance(store.value, ir.Name) else None
        if not isinstance(base, Array) or not isinstance(value, Array):
            return False
        if base.shape is None or value.dtype is None or value.dtype != base.dtype:
            return False
        kept = tuple(size for at, size in enumerate(value.shape or ()) if at not in axes)
        rest = replace(value, shape=kept)
        is_all = len(kept) == base.rank and value.rank == len(kept) + len(axes)
        return is_all and broadcasting.reduction(rest, base) == broadcasting.Reduction()

    def new_axes(self, index: ir.Atom | None, steps: Mapping[str, ir.Call]) -> tuple[int, ...]:
        """The axes that an index adds to an array, all of which it takes."""
        call = steps.get(index.id) if isinstance(index, ir.Name) else None
        if call is None or call.function != "python.tuple":
            return ()
        for atom in call.args:
            made = steps.get(atom.id) if isinstance(atom, ir.Name) else None
            if atom not in NEW_AXES and (made is None or made.args != ALL):
                return ()
        return tuple(at for at, atom in enumerate(call.args) if atom in NEW_AXES)

    def whole(
        self,
        store: ir.Store,
        axes: tuple[int, ...],
        made: list[ir.Statement],
        filled: dict[str, list[Part]],
    ) -> ir.Statement:
        """The store without new axes, if the sum that is added need not keep them."""
        total = self.total(store.value, made)
        match total[1].value if total is not None else None:
            case ir.Call("numpy.sum", (_,), (("axis", ir.Const(along)), ("keepdims", _))) as call:
                is_kept = along in (axes, *axes[: len(axes) == 1])
            case _:
                return store
        if total is None or not is_kept or not isinstance(store.base, Adjoint):
            return store
        made[total[0]] = replace(total[1], value=replace(call, keywords=call.keywords[:1]))
        self.drop(store.index, made)
        if filled.get(store.base) != []:
            return replace(store, index=None)
        zeros = _bound(store.base, made)
        assert zeros is not None
        del made[zeros]
        return ir.Assign((store.base,), store.value, store.origin, store.role)

    def total(self, atom: ir.Atom, made: list[ir.Statement]) -> tuple[int, ir.Assign] | None:
        """What binds a variable that is read once, and where; of what is negated what that is."""
        if not isinstance(atom, ir.Name) or self.read[atom.id] != 1:
            return None
        at = _bound(atom.id, made)
        match made[at] if at is not None else None:
            case ir.Assign(value=ir.Call("operator.neg", (negated,))):
                return self.total(negated, made)
            case ir.Assign() as statement if at is not None:
                return at, statement
        return None

    def drop(self, atom: ir.Atom | None, made: list[ir.Statement]) -> None:
        """Leaves out the step of an index that only one statement has read."""
        if not isinstance(atom, ir.Name) or self.read[atom.id] != 1:
            return
        at = _bound(atom.id, made)
        if at is not None and _is_placing(made[at]):
            for name in ir.reads(made.pop(at)):
                self.drop(ir.Name(name), made)

    def forget(
        self, statement: ir.Statement, steps: dict[str, ir.Call], filled: dict[str, list[Part]]
    ) -> None:
        """Forgets what a statement reads or changes, and parts by sizes that it binds."""
        for name in (*ir.reads(statement), *ir.writes(statement)):
            filled.pop(name, None)
        for name in ir.writes(statement):
            steps.pop(name, None)
            if name not in self.placing:
                continue
            for each in self.placing[name]:
                if each in steps and name in ir.names(steps[each].atoms):
                    steps.pop(each)
            sized = [
                n
                for n, parts in filled.items()
                if any(place.size == name for part in parts for ends in part for place in ends)
            ]
            for each in sized:
                filled.pop(each)

    def part(self, index: ir.Atom | None, steps: Mapping[str, ir.Call]) -> Part | None:
        """Where an index of slices and integers selects; None where that is not known."""
        call = steps.get(index.id) if isinstance(index, ir.Name) else None
        atoms = call.args if call is not None and call.function == "python.tuple" else (index,)
        found = [None if atom is None else self.ends(atom, steps) for atom in atoms]
        known = tuple(ends for ends in found if ends is not None)
        return known if len(known) == len(found) else None

    def ends(self, atom: ir.Atom, steps: Mapping[str, ir.Call]) -> tuple[_Place, _Place] | None:
        """Where an index of one axis begins and ends."""
        if isinstance(atom, ir.Const) and type(atom.value) is int and atom.value >= 0:
            return _Place(plus=atom.value), _Place(plus=atom.value + 1)
        match steps.get(atom.id) if isinstance(atom, ir.Name) else None:
            case ir.Call("python.slice", (start, stop, ir.Const(None))):
                first = _Place() if start == ir.Const(None) else self.place(start, steps)
                last = END if stop == ir.Const(None) else self.place(stop, steps)
                return (first, last) if first is not None and last is not None else None
        return None

    def place(self, atom: ir.Atom, steps: Mapping[str, ir.Call]) -> _Place | None:
        """A place that is counted from the start of an axis."""
        match atom:
            case ir.Const(int() as number) if type(number) is int and number >= 0:
                return _Place(plus=number)
            case ir.Name(id) if id in steps:
                match steps[id]:
                    case ir.Call(
                        "operator.mul", (ir.Const(int() as times), ir.Name(size))
                    ) | ir.Call("operator.mul", (ir.Name(size), ir.Const(int() as times))) if (
                        times > 0 and self.is_size(size)
                    ):
                        return _Place(int(times), size)
        return _Place(1, atom.id) if isinstance(atom, ir.Name) and self.is_size(atom.id) else None

    def is_size(self, name: str) -> bool:
        """Tells whether a variable is the size of an axis, or that of an axis and more."""
        match self.values.get(name):
            case Number(kind="int", dtype=None, constant=Size(symbol=str(), plus=plus)):
                return plus >= 0
        return False


def _is_array(value: Value | None) -> bool:
    return isinstance(value, Array) and value.library == "numpy"


def _bound(name: str, made: list[ir.Statement]) -> int | None:
    """Where a variable is bound last, if no nested block does it."""
    for at in reversed(range(len(made))):
        if name in ir.all_writes(made[at]):
            return at if isinstance(made[at], ir.Assign) else None
    return None


def _is_placing(statement: ir.Statement) -> bool:
    """Tells whether a statement makes a step of an index."""
    match statement:
        case ir.Assign((Step(),), ir.Call(function)):
            return function in PLACING
    return False


def _are_apart(one: Part, other: Part) -> bool:
    """Tells whether two parts surely have no element in common."""
    return any(
        a_end.is_before(b_start) or b_end.is_before(a_start)
        for (a_start, a_end), (b_start, b_end) in zip(one, other, strict=False)
    )
