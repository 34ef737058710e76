"""What a backward loop runs over.

This is loop reversal. A loop over a range, or over elements that carry no derivative, runs over the
same reversed. A loop over active values runs over positions: it reads its elements again, and adds
their adjoints to the elements of what they came from. `zip`, `enumerate` and `reversed` are looked
through.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.iteration import Iterations, Run
from adlsp.transform.facts.versions import Version, VersionKind
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import Role, targets
from adlsp.transform.ir.variables import Index, Step
from adlsp.transform.modes.builder import at, bar
from adlsp.transform.ops.spec import Kind
from adlsp.transform.reverse.accumulate import Accumulator, Contribution
from adlsp.transform.values.lattice import Mapped


def is_active(writer: Accumulator, loop: ir.For) -> bool:
    """Tells whether the elements of a loop carry derivatives."""
    return writer.facts.activity.is_by_position(loop)


def is_steady(writer: Accumulator, loop: ir.For) -> bool:
    """Tells whether the loop leaves what it runs over as it is."""
    return _target(writer, loop).kind is VersionKind.TARGET


def iteration(writer: Accumulator, loop: ir.For) -> tuple[str, ir.Atom]:
    """The target and the iterable of the backward loop."""
    if not is_active(writer, loop) and is_steady(writer, loop):
        return at(_target(writer, loop)).id, _from_the_end(writer, loop)
    run = _run(writer, loop)
    steps = writer.call("builtins.range", loop.origin, _length(writer, loop, run))
    if run.function != "builtins.reversed":
        steps = writer.call("builtins.reversed", loop.origin, steps)
    return Index(_target(writer, loop).number), steps


def restore(writer: Accumulator, loop: ir.For) -> None:
    """Binds again what the loop binds in each pass; what nobody reads is removed later."""
    if not is_steady(writer, loop):
        return
    apart = _iterations(writer).of_loop[loop]
    is_by_position = is_active(writer, loop)
    if is_by_position:
        for head in _heads(writer, loop):
            name = writer.after(head.binder, head.name).id
            _bind(writer, loop, (name,), _element(writer, loop, head.run, head.position))
    if apart and is_by_position:
        return
    for unpacked in apart or _unpacked(loop):
        assert isinstance(unpacked.value, ir.Name)
        names = tuple(writer.after(unpacked, name).id for name in unpacked.targets)
        _bind(writer, loop, names, writer.at(unpacked, unpacked.value), is_tuple=True)


def add_elements(writer: Accumulator, loop: ir.For) -> None:
    """Adds the adjoint of an element to that of what it came from."""
    if not is_active(writer, loop):
        return
    heads = [head for head in _heads(writer, loop) if head.name in writer.present]
    for head in heads:
        writer.tighten(head.name, writer.after(head.binder, head.name), loop.origin)
    added = [
        one for head in heads for one in _contributions(writer, loop, head, ir.Name(bar(head.name)))
    ]
    writer.present -= {loop.target}
    for statement in bindings(writer, loop):
        writer.present -= set(statement.targets)
    for reader in dict.fromkeys(reader for reader, _ in added):
        writer.add(reader, [contribution for r, contribution in added if r is reader])


def bindings(writer: Accumulator, loop: ir.For) -> tuple[ir.Assign, ...]:
    """The statements that name the parts of active elements, whose adjoints are added at once."""
    return _iterations(writer).of_loop[loop] if is_active(writer, loop) else ()


@dataclass(frozen=True, slots=True)
class _Head:
    """A variable that a loop binds, by the statement `binder`: the element of a run at a place.

    `run` is None where the variable is the position itself.
    """

    name: str
    binder: ir.Statement
    run: Run | None
    position: ir.Atom


def _heads(writer: Accumulator, loop: ir.For) -> list[_Head]:
    """The variables that a loop binds when a pass begins."""
    run, position = _run(writer, loop), ir.Name(Index(_target(writer, loop).number))
    whole = run.parts[0] if run.function == "builtins.reversed" else run
    heads = {loop.target: _Head(loop.target, loop, whole, position)}
    for statement in _iterations(writer).of_loop[loop]:
        assert isinstance(statement.value, ir.Name)
        head = heads.pop(statement.value.id)
        parts = _parts(writer, loop, head.run, head.position)
        for name, (part, place) in zip(statement.targets, parts, strict=True):
            heads[name] = _Head(name, statement, part, place)
    return list(heads.values())


def _parts(
    writer: Accumulator, loop: ir.For, run: Run | None, position: ir.Atom
) -> list[tuple[Run | None, ir.Atom]]:
    """What the parts of an element come from, where it is a tuple, and their places."""
    if run is None:
        return []
    run, position = _forwards(writer, loop, run, position)
    counted = position
    if run.start != ir.Const(0):
        counted = writer.call("operator.add", loop.origin, run.start, position)
    return [(part, counted if part is None else position) for part in run.elements()]


def _forwards(
    writer: Accumulator, loop: ir.For, run: Run, position: ir.Atom
) -> tuple[Run, ir.Atom]:
    """A run, and the same position in it from its start."""
    if run.function != "builtins.reversed":
        return run, position
    (inside,) = run.parts
    last: ir.Atom = ir.Const(-1)
    if inside.parts:
        last = writer.call("operator.sub", loop.origin, _length(writer, loop, run), ir.Const(1))
    place = writer.call("operator.sub", loop.origin, last, position)
    return _forwards(writer, loop, inside, place)


def _element(
    writer: Accumulator, loop: ir.For, run: Run | None, position: ir.Atom
) -> ir.Expression:
    """The element of a run at a position."""
    if run is None:
        return position
    parts = _parts(writer, loop, run, position)
    if parts:
        held = [writer.hold(_element(writer, loop, *part), loop.origin) for part in parts]
        return ir.Call("python.tuple", tuple(held))
    run, position = _forwards(writer, loop, run, position)
    whole = writer.at(run.reader, run.atom)
    if _are_keys(writer, loop, run) or _has_no_places(writer, run):
        whole = writer.call("builtins.list", loop.origin, whole)
    return ir.Call("operator.getitem", (whole, position))


def _has_no_places(writer: Accumulator, run: Run) -> bool:
    """Tells whether elements cannot be had by position: of a dictionary, a set, or the like."""
    if isinstance(writer.facts.inferred.read(run.reader, run.atom), Mapped):
        return True
    made = writer.facts.indices.definition(run.reader, run.atom)
    record = operations.of(made.function) if isinstance(made, ir.Call) else None
    return record is not None and (bool(record.is_one_way) or record.gives is Kind.DICT)


def _are_keys(writer: Accumulator, loop: ir.For, run: Run) -> bool:
    """Tells whether a loop takes elements of what it runs over as indices of it: `p[k]`."""
    if not _run(writer, loop).parts:
        return False
    elements = {
        target
        for statement in _iterations(writer).of_loop[loop]
        for target, part in zip(
            statement.targets, _iterations(writer).apart[statement], strict=True
        )
        if part is run
    }
    return any(
        isinstance(s, ir.Assign)
        and isinstance(s.value, ir.Call)
        and s.value.function in ir.READING
        and s.value.args[0] == run.atom
        and not elements.isdisjoint(ir.names(s.value.args[1:]))
        for s in ir.walk(loop.body)
    )


def _contributions(
    writer: Accumulator, loop: ir.For, head: _Head, element_bar: ir.Atom
) -> list[tuple[ir.Statement, Contribution]]:
    """What the adjoint of an element adds to what it came from, and who reads that."""
    if head.run is None:
        return []
    parts = _parts(writer, loop, head.run, head.position)
    made = []
    for number, (part, place) in enumerate(parts):
        if part is None or not any(_varied(writer, loop, leaf) for leaf in part.leaves()):
            continue
        part_bar = writer.call("operator.getitem", loop.origin, element_bar, ir.Const(number))
        inner = _Head("", head.binder, part, place)
        made += _contributions(writer, loop, inner, part_bar)
    run, position = _forwards(writer, loop, head.run, head.position)
    name = None if parts else _varied(writer, loop, run)
    if name is not None:
        is_number = head.name in writer.numeric
        contribution = Contribution(name, element_bar, index=position, is_basic=is_number)
        made.append((run.reader, contribution))
    return made


def _varied(writer: Accumulator, loop: ir.For, leaf: Run) -> str | None:
    """The name of what elements come from, if they carry derivatives in some pass."""
    atom = leaf.atom
    if isinstance(atom, ir.Name) and atom.id in writer.facts.activity.stored_over(loop):
        return atom.id
    return writer.varied(leaf.reader, atom)


def _from_the_end(writer: Accumulator, loop: ir.For) -> ir.Atom:
    """What a loop runs over, from the end: what is turned around already is read as it was."""
    source = writer.facts.indices.source(loop, loop.iterable)
    match source:
        case ir.Assign(value=ir.Call("builtins.reversed", (given,))):
            return _again(writer, source, given)
    forward = _again(writer, loop, loop.iterable)
    if isinstance(source, ir.Assign) and _is_listed(writer, source):
        forward = writer.call("builtins.list", loop.origin, forward)
    return writer.call("builtins.reversed", loop.origin, forward)


def _again(writer: Accumulator, reader: ir.Statement, atom: ir.Atom) -> ir.Atom:
    """What a statement reads, once more: the forward sweep has used its iterators up."""
    source = writer.facts.indices.source(reader, atom)
    match source:
        case ir.Assign(value=ir.Call(function, args, keywords)) if operations.gives(
            function, Kind.ITERATOR
        ):
            again = tuple(_again(writer, source, a) for a in args)
            kept = tuple((key, writer.at(source, a)) for key, a in keywords)
            return writer.hold(ir.Call(function, again, kept), source.origin)
    return writer.at(reader, atom)


def _is_listed(writer: Accumulator, made: ir.Assign) -> bool:
    """Tells whether a statement makes an iterator or a set, also by `a - b` of sets."""
    value = made.value
    if not isinstance(value, ir.Call):
        return False
    operands = [writer.facts.indices.source(made, atom) for atom in value.args]
    is_operator = targets.is_operator(value.function) and value.function not in ir.READING
    return bool(operations.of(value.function).is_one_way) or (
        is_operator and any(isinstance(s, ir.Assign) and _is_listed(writer, s) for s in operands)
    )


def _length(writer: Accumulator, loop: ir.For, run: Run) -> ir.Atom:
    """How many elements a run has."""
    lengths = [
        writer.call("builtins.len", loop.origin, writer.at(leaf.reader, leaf.atom))
        for leaf in run.leaves()
    ]
    return lengths[0] if len(lengths) == 1 else writer.call("builtins.min", loop.origin, *lengths)


def _iterations(writer: Accumulator) -> Iterations:
    return writer.facts.activity.iterations


def _run(writer: Accumulator, loop: ir.For) -> Run:
    return _iterations(writer).runs[loop]


def _target(writer: Accumulator, loop: ir.For) -> Version:
    return writer.facts.versions.writes[loop, loop.target]


def _unpacked(loop: ir.For) -> tuple[ir.Assign, ...]:
    """The statement that takes the elements of a loop apart: `for a, b in …`, if there is one."""
    match loop.body:
        case (ir.Assign(value=ir.Name(id), is_tuple=True) as first, *_) if (
            id == loop.target and isinstance(id, Step)
        ):
            return (first,)
    return ()


def _bind(
    writer: Accumulator,
    loop: ir.For,
    names: tuple[str, ...],
    value: ir.Expression,
    *,
    is_tuple: bool = False,
) -> None:
    writer.out.append(ir.Assign(names, value, loop.origin, Role.RESTORE, is_tuple))
