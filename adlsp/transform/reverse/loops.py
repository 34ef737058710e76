"""What a backward loop runs over.

A loop over a range, or over elements that carry no derivative, runs over the same reversed. A
loop over active values runs over positions: it reads its elements again, and adds their adjoints to
the elements of what they came from. `zip`, `enumerate` and `reversed` are looked through.
"""

from __future__ import annotations

from dataclasses import dataclass

from adlsp.transform import ir
from adlsp.transform.analyses.versions import Version
from adlsp.transform.ir import Role
from adlsp.transform.program import COMBINED
from adlsp.transform.reverse.accumulate import Accumulator, Contribution
from adlsp.transform.reverse.steps import at, bar

TUPLES = {"builtins.zip", "builtins.enumerate"}
"""Iterables whose elements are tuples."""

LISTED = {"builtins.zip", "builtins.enumerate", "ndarray.items", "ndarray.keys", "ndarray.values"}
"""Calls whose result is put into a list, to be reversed; an iterator cannot be run over again."""


@dataclass(frozen=True, slots=True)
class Elements:
    """What a loop runs over: the function that combines it, its arguments, and who reads them."""

    function: str
    parts: tuple[ir.Atom, ...]
    reader: ir.Statement


def elements(writer: Accumulator, loop: ir.For) -> Elements:
    """The values that the elements of a loop come from."""
    source = writer.facts.indices.source(loop, loop.iterable)
    match source:
        case ir.Assign(value=ir.Call(function=function, args=args, keywords=())) if (
            function in COMBINED
        ):
            return Elements(function, args, source)
    return Elements("", (loop.iterable,), loop)


def is_active(writer: Accumulator, loop: ir.For) -> bool:
    """Tells whether the elements of a loop carry derivatives.

    The keys of a dictionary do not: a variable that is only an index has no influence of its own.
    """
    if writer.varied(loop, loop.iterable) is None:
        return False
    is_plain = elements(writer, loop).function in ("", "builtins.reversed")
    activity = writer.facts.activity
    useful = activity.useful_before[loop.body[0]] if loop.body else activity.useful_after[loop]
    return not is_plain or loop.target in useful


def is_steady(writer: Accumulator, loop: ir.For) -> bool:
    """Tells whether the loop leaves what it runs over as it is."""
    return _target(writer, loop).kind == "target"


def index(writer: Accumulator, loop: ir.For) -> ir.Name:
    """The position of an element."""
    return ir.Name(f"%index:{_target(writer, loop).number}")


def iteration(writer: Accumulator, loop: ir.For) -> tuple[str, ir.Atom]:
    """The target and the iterable of the backward loop."""
    origin = loop.origin
    if not is_active(writer, loop) and is_steady(writer, loop):
        target = at(_target(writer, loop))
        run = elements(writer, loop)
        if run.function == "builtins.reversed":
            return target.id, writer.at(run.reader, run.parts[0])
        made = writer.facts.indices.definition(loop, loop.iterable)
        forward = writer.at(loop, loop.iterable)
        if isinstance(made, ir.Call) and made.function in LISTED:
            forward = writer.call("builtins.list", origin, forward)
        return target.id, writer.call("builtins.reversed", origin, forward)
    run = elements(writer, loop)
    lengths = [writer.call("builtins.len", origin, writer.at(run.reader, p)) for p in run.parts]
    length = lengths[0] if len(lengths) == 1 else writer.call("builtins.min", origin, *lengths)
    steps = writer.call("builtins.range", origin, length)
    if run.function != "builtins.reversed":
        steps = writer.call("builtins.reversed", origin, steps)
    return index(writer, loop).id, steps


def restore(writer: Accumulator, loop: ir.For) -> None:
    """Binds again what the loop binds in each pass; what nobody reads is removed later."""
    if not is_steady(writer, loop):
        return
    unpacked = _unpacked(loop)
    target = at(_target(writer, loop))
    if not is_active(writer, loop):
        if unpacked is not None:
            names = tuple(writer.after(unpacked, name).id for name in unpacked.targets)
            _bind(writer, loop, names, target, is_tuple=True)
        return
    run, position = elements(writer, loop), index(writer, loop)
    items = [
        ir.Call("operator.getitem", (writer.at(run.reader, part), position)) for part in run.parts
    ]
    if run.function in ("", "builtins.reversed"):
        _bind(writer, loop, (target.id,), items[0])
        if unpacked is not None:
            names = tuple(writer.after(unpacked, name).id for name in unpacked.targets)
            _bind(writer, loop, names, target, is_tuple=True)
        return
    values: list[ir.Expression] = [*items]
    if run.function == "builtins.enumerate":
        values = [position, items[0]]
    if unpacked is not None:
        for name, value in zip(unpacked.targets, values, strict=True):
            _bind(writer, loop, (writer.after(unpacked, name).id,), value)
    else:
        held = tuple(writer.hold(value, loop.origin) for value in values)
        _bind(writer, loop, (target.id,), ir.Call("python.tuple", held))


def add_elements(writer: Accumulator, loop: ir.For) -> None:
    """Adds the adjoint of an element to that of what it came from."""
    if not is_active(writer, loop):
        return
    run, position = elements(writer, loop), index(writer, loop)
    unpacked = binding(writer, loop)
    made = []
    for number, part in enumerate(run.parts):
        name = writer.varied(run.reader, part)
        place = 1 if run.function == "builtins.enumerate" else number
        element = loop.target if unpacked is None else unpacked.targets[place]
        if name is None or element not in writer.present:
            continue
        element_bar: ir.Atom = ir.Name(bar(element))
        is_number = element in writer.numeric
        if unpacked is None and run.function in TUPLES:
            element_bar = writer.call("operator.getitem", loop.origin, element_bar, ir.Const(place))
            is_number = False
        made.append(Contribution(name, element_bar, index=position, is_basic=is_number))
    writer.present -= {loop.target, *(unpacked.targets if unpacked is not None else ())}
    writer.add(run.reader, made)


def binding(writer: Accumulator, loop: ir.For) -> ir.Assign | None:
    """The statement that names the parts of active elements, whose adjoints are added at once."""
    unpacked = _unpacked(loop)
    if unpacked is None or not is_active(writer, loop):
        return None
    run = elements(writer, loop)
    n_parts = 2 if run.function == "builtins.enumerate" else len(run.parts)
    return unpacked if run.function in TUPLES and len(unpacked.targets) == n_parts else None


def _target(writer: Accumulator, loop: ir.For) -> Version:
    return writer.facts.versions.writes[loop, loop.target]


def _unpacked(loop: ir.For) -> ir.Assign | None:
    """The statement that takes the elements of a loop apart: `for a, b in …`."""
    match loop.body:
        case (ir.Assign(value=ir.Name(id), is_tuple=True) as first, *_) if (
            id == loop.target and ir.is_step(id)
        ):
            return first
    return None


def _bind(
    writer: Accumulator,
    loop: ir.For,
    names: tuple[str, ...],
    value: ir.Expression,
    *,
    is_tuple: bool = False,
) -> None:
    writer.out.append(ir.Assign(names, value, loop.origin, Role.RESTORE, is_tuple))
