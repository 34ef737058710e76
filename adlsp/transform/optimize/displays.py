"""The gradient of an object or a dictionary as one would write it: `Linear(w=w_bar, b=b_bar)`.

It is summed part by part into zeros. Where each part is given once, and all are known, it is made
at once in the end (scalar replacement of aggregates).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Fresh
from adlsp.transform.values.inference import Typed
from adlsp.transform.values.lattice import Array, Function, Literal, Mapped, Number, Object, Value

HOME = "adlsp.runtime."
ZEROS, ADD_AT, RESTRUCTURE = (f"{HOME}{name}" for name in ("zeros", "add_at", "restructure"))

Constructor = Callable[[Object], str | None]
"""The function that makes the gradient of an object of those of its attributes, if there is one."""


def displayed(function: ir.Function, typed: Typed, constructor: Constructor) -> ir.Function:
    """The function with gradients of known structures as displays of their parts."""
    sums = [s for at in range(len(function.body)) if (s := _sum(function.body, at, typed))]
    if not sums:
        return function
    made = _Displaying(function, typed, constructor)
    for each in sums:
        made.display(each)
    return replace(function, body=tuple(s for steps in made.body for s in steps))


@dataclass(frozen=True, slots=True)
class _Sum:
    """A gradient that is summed: where it begins and ends, and where which part is added."""

    name: str
    start: int
    end: int
    added: Mapping[object, int]
    value: Object | Mapped


def _sum(body: ir.Block, start: int, typed: Typed) -> _Sum | None:
    """The sum that a statement begins, if all of it stands in its block, each part once."""
    match body[start]:
        case ir.Assign((name,), ir.Call(function, (ir.Name() as of,))) if function == ZEROS:
            value = typed.of(body[start], of)
        case _:
            return None
    added: dict[object, int] = {}
    for at in range(start + 1, len(body)):
        statement = body[at]
        inner = [*ir.walk((statement,))]
        if any(of.id in ir.writes(each) for each in inner):
            return None
        if not any(name in (*ir.reads(each), *ir.writes(each)) for each in inner):
            continue
        match statement:
            case ir.Assign((target,), ir.Call(function, (ir.Name(base), ir.Const(key), part))) if (
                function == ADD_AT and target == base == name
            ):
                if key in added or part == ir.Name(name):
                    return None
                added[key] = at
            case ir.Assign((target,), ir.Call(function, (ir.Name(base), like))) if (
                function == RESTRUCTURE and target == base == name and like == of
            ):
                is_known = isinstance(value, Object | Mapped) and _is_all(value, added)
                return _Sum(name, start, at, added, value) if is_known else None  # type: ignore[arg-type]
            case _:
                return None
    return None


def _items(value: Object | Mapped) -> tuple[tuple[object, Value], ...]:
    """The parts of a structure with their names or keys."""
    return (value.attributes if isinstance(value, Object) else value.items) or ()


def _is_all(value: Object | Mapped, added: Mapping[object, int]) -> bool:
    """Tells whether all parts are given, but those that have no gradient."""
    items = dict(_items(value))
    return (
        bool(items)
        and items.keys() >= added.keys()
        and all(key in added or _has_none(part) for key, part in items.items())
    )


def _has_none(part: Value) -> bool:
    is_object = isinstance(part, Function)
    return is_object or (isinstance(part, Literal) and part.kind in ("str", "NoneType"))


class _Displaying:
    """Rewrites the body of a function; each statement becomes some."""

    def __init__(self, function: ir.Function, typed: Typed, constructor: Constructor) -> None:
        self.typed, self.constructor = typed, constructor
        self.fresh: Fresh = ir.fresh(function)
        self.body: list[ir.Block] = [(statement,) for statement in function.body]
        self.read = Counter(name for s in ir.walk(function.body) for name in ir.reads(s))
        self.made: dict[str, list[ir.Statement]] = {}
        for statement in ir.walk(function.body):
            for name in ir.writes(statement):
                self.made.setdefault(name, []).append(statement)

    def display(self, of: _Sum) -> None:
        """Makes a gradient at once, where it is complete."""
        function = "python.dict"
        if isinstance(of.value, Object):
            called = self.constructor(of.value)
            if called is None:
                return
            function = called
        (end,) = self.body[of.end]
        assert isinstance(end, ir.Assign)
        assert isinstance(end.value, ir.Call)
        like = end.value.args[1]
        parts: dict[object, ir.Atom] = {key: ir.Const(None) for key, _ in _items(of.value)}
        for key, at in of.added.items():
            parts[key], self.body[at] = self.part(key, at, like, dict(_items(of.value))[key])
        if isinstance(of.value, Object):
            named = tuple((str(key), part) for key, part in parts.items())
            made = ir.Call(function, (), named)
        else:
            flat = (atom for key, part in parts.items() for atom in (ir.Const(key), part))
            made = ir.Call(function, tuple(flat))
        self.body[of.start] = ()
        self.body[of.end] = (replace(end, value=made),)

    def part(self, key: object, at: int, like: ir.Atom, value: Value) -> tuple[ir.Atom, ir.Block]:
        """The gradient of a part, and the steps that name it."""
        (adding,) = self.body[at]
        assert isinstance(adding, ir.Assign)
        assert isinstance(adding.value, ir.Call)
        index, given = adding.value.args[1:]
        steps: list[ir.Statement] = []

        def step(call: ir.Expression) -> ir.Name:
            name = self.fresh.own(f"{key}_bar" if str(key).isidentifier() else "part_bar")
            steps.append(replace(adding, targets=(name,), value=call))
            return ir.Name(name)

        found = self.typed.of(adding, given)
        if isinstance(found, Number) and isinstance(value, Number):
            return step(given), tuple(steps)
        is_tensor = isinstance(found, Array) and found.library != "numpy"
        if not is_tensor and not self.is_own(given):
            given = step(ir.Call(f"{HOME}copy", (given,)))
        if isinstance(found, Array) and _is_like(found, value):
            return (step(given) if not steps else given), tuple(steps)
        whole = step(ir.Call("operator.getitem", (like, index)))
        return step(ir.Call(RESTRUCTURE, (given, whole))), tuple(steps)

    def is_own(self, given: ir.Atom) -> bool:
        """Tells whether a value is new memory that nobody else reads."""
        match self.made.get(given.id, []) if isinstance(given, ir.Name) else []:
            case [ir.Assign(value=ir.Call(function))] if isinstance(given, ir.Name):
                is_new = operations.gives_new(function) or operations.is_fresh(function)
                return is_new and self.read[given.id] == 1
        return False


def _is_like(found: Array, value: Value) -> bool:
    """Tells whether a gradient has the dtype and the rank of its variable as it is."""
    return (
        isinstance(value, Array)
        and found.dtype == value.dtype is not None
        and found.rank == value.rank is not None
        and value.library == found.library
    )
