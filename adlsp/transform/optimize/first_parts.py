"""The first contribution to a part of an adjoint is set, not added to its zeros.

    z_bar = np.zeros_like(z)                z_bar = np.zeros_like(z)
    z_bar[:, n:] += u_bar                   z_bar[:, n:] = u_bar
    z_bar[:, :n] += v_bar                   z_bar[:, :n] = v_bar

Parts of an axis are apart where one ends before the other begins. Places are compared that are
counted from the start, by multiples of a size, which is not negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from adlsp.transform import ir
from adlsp.transform.facts import effects
from adlsp.transform.ir import StoreKind
from adlsp.transform.ir.variables import Adjoint
from adlsp.transform.values.lattice import Number, Size, Value

ZEROS = "numpy.zeros_like"

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
                    if function == ZEROS and isinstance(name, Adjoint):
                        filled[name] = []
                case _:
                    for inner in ir.walk((statement,)):
                        self.forget(inner, steps, filled)
            made.append(statement)
        return tuple(made)

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


def _are_apart(one: Part, other: Part) -> bool:
    """Tells whether two parts surely have no element in common."""
    return any(
        a_end.is_before(b_start) or b_end.is_before(a_start)
        for (a_start, a_end), (b_start, b_end) in zip(one, other, strict=False)
    )
