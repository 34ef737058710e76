"""The adjoint of stores: `base[index] = value`, `base[index] += value`, `base *= value`.

The adjoint of an array that is stored into is itself changed in place, so that the backward sweep
costs what the forward sweep touched. Where somebody reads the old value backward, the store is
undone first; `save_restore.py` decides that.
"""

from __future__ import annotations

from functools import partial

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.indices import is_key
from adlsp.transform.ir import Role, StoreKind, signs
from adlsp.transform.modes.builder import RUNTIME, bar, undo
from adlsp.transform.ops.spec import Dtype, Makes, Shape
from adlsp.transform.reverse.accumulate import Accumulator, Contribution
from adlsp.transform.reverse.partials import Partials
from adlsp.transform.rules import table
from adlsp.transform.values.inferred import is_double
from adlsp.transform.values.lattice import UNKNOWN, Number


def store(writer: Accumulator, statement: ir.Store) -> None:
    """Writes the adjoint of a store."""
    made = writer.facts.versions.writes[statement, statement.base]
    if statement.base not in writer.present and _is_own(writer, statement):
        writer.zero(statement.base, writer.after(statement, statement.base), statement.origin)
    result = _result(writer, statement)
    writer.out.append(undo(made, statement.origin))
    if statement.base not in writer.present:
        return
    writer.is_loose = statement.base in writer.loose
    if _may_lack_axes(writer, statement):
        array = ir.Call(ARRAY, (ir.Name(bar(statement.base)),))
        origin = statement.origin
        if not _is_array(writer.out, bar(statement.base)):
            writer.out.append(ir.Assign((bar(statement.base),), array, origin, Role.ADJOINT))
    if ir.resizes(statement):
        _resized(writer, statement)
    elif ir.sets_cell(statement):
        _set(writer, statement)
    elif statement in writer.facts.replaced:
        _entered(writer, statement)
    elif statement.kind.replaces or statement.kind.adds:
        _linear(writer, statement)
    else:
        _scaled(writer, statement, result)
    writer.is_loose = False


def _is_own(writer: Accumulator, statement: ir.Store) -> bool:
    """Tells whether a store makes a list of a derivative's longer or shorter, which is active.

    Its adjoint begins here at the latest, with as many elements as the list has now.
    """
    is_resized = ir.resizes(statement) and writer.facts.is_own_list(statement.base)
    return is_resized and writer.varied(statement, ir.Name(statement.base)) is not None


def _may_lack_axes(writer: Accumulator, statement: ir.Store) -> bool:
    """Tells whether a store by a mask may be into an array without axes.

    What arithmetic gives without axes is a number: nothing is stored into that, but the adjoint of
    an array may be one, also of what a user's function gives.
    """
    if statement.index is None or ir.sets_cell(statement):
        return False
    if writer.facts.inferred.rank(statement, statement.base):
        return False
    if not _is_mask(writer, statement, statement.index):
        return False
    version = writer.facts.versions.reads.get((statement, statement.base))
    while version is not None and isinstance(earlier := version.statement, ir.Store):
        if _has_axes(writer, earlier):
            return False
        version = version.priors[0]
    match None if version is None else version.statement:
        case ir.Assign(value=ir.Call(function)):
            return operations.of(function).shape in (None, *KEEPING)
    return True


ARRAY = "numpy.asarray"


def _is_array(made: list[ir.Statement], name: str) -> bool:
    """Tells whether an adjoint was made an array before, and has changed in place only."""
    for statement in reversed(made):
        if not isinstance(statement, ir.Store) and name in ir.all_writes(statement):
            value = statement.value if isinstance(statement, ir.Assign) else None
            return isinstance(value, ir.Call) and value.function == ARRAY
    return False


def _is_mask(writer: Accumulator, statement: ir.Statement, atom: ir.Atom) -> bool:
    """Tells whether an index surely is a mask: a comparison, or made of some."""
    if writer.facts.inferred.is_truth(statement, atom):
        return True
    made = writer.facts.indices.source(statement, atom)
    if not (isinstance(made, ir.Assign) and isinstance(made.value, ir.Call)):
        return False
    call, record = made.value, operations.of(made.value.function)
    if call.function in (*signs.LOGICAL, "operator.invert"):
        return all(_is_mask(writer, made, operand) for operand in call.args)
    return record.makes is Makes.COMPARISON or record.dtype is Dtype.TRUTH


KEEPING = (Shape.FIRST, Shape.FILLED, Shape.RESHAPED, Shape.WHERE)
"""The shapes of results that are arrays, and no numbers, also where they have no axes."""


def _has_axes(writer: Accumulator, store: ir.Store) -> bool:
    """Tells whether a store is into a place along an axis."""
    places = writer.facts.indices
    return places.is_basic(store, store.index) and not places.is_whole(store, store.index)


def _resized(writer: Accumulator, statement: ir.Store) -> None:
    """A list that became longer or shorter: so does the list of its adjoints, the other way."""
    origin, name = statement.origin, bar(statement.base)
    if statement.kind is StoreKind.POP:
        base = writer.at(statement, ir.Name(statement.base))
        lost = writer.call("operator.getitem", origin, base, ir.Const(-1))
        zero = writer.call(f"{RUNTIME}.zeros", origin, lost)
        writer.out.append(ir.appended(name, zero, origin, Role.ADJOINT))
        return
    active = writer.varied(statement, statement.value)
    element = writer.fresh.merged()
    if active:
        last = ir.Call("operator.getitem", (ir.Name(name), ir.Const(-1)))
        writer.out.append(ir.Assign((element,), last, origin, Role.ADJOINT))
    writer.out.append(ir.popped(name, origin, Role.ADJOINT))
    if active:
        writer.add(statement, [Contribution(active, ir.Name(element), is_array=False)])


def _set(writer: Accumulator, statement: ir.Store) -> None:
    """An object in a cell of a container: its adjoint is that of the cell.

    What was there before gets a zero in its place, in its own shape.
    """
    origin, cells, index = statement.origin, ir.Name(bar(statement.base)), _place(writer, statement)
    assert index is not None
    active = writer.varied(statement, statement.value)
    cell_bar: ir.Atom = ir.Const(None)
    if active:
        cell_bar = writer.call("operator.getitem", origin, cells, index)
    zero = _zero(writer, statement)
    store = ir.Store(cells.id, index, zero, statement.kind, origin, Role.ADJOINT)
    writer.out.append(store)
    if active:
        writer.add(statement, [Contribution(active, cell_bar, is_array=False)])


def _entered(writer: Accumulator, statement: ir.Store) -> None:
    """An object in a cell of what is used as lists or dictionaries are, and may be an array."""
    origin, cells, index = statement.origin, ir.Name(bar(statement.base)), _place(writer, statement)
    assert index is not None
    active = writer.varied(statement, statement.value)
    cell_bar: ir.Atom = ir.Const(None)
    if active:
        cell_bar = _take(writer, statement, index)
    zero = _zero(writer, statement)
    writer.out.append(ir.Store(cells.id, index, zero, StoreKind.REPLACE, origin, Role.ADJOINT))
    if active:
        assert statement.index is not None
        if not is_key(writer.facts.indices.path(statement, statement.index)[-1]):
            value = writer.at(statement, statement.value)
            cell_bar = writer.call(f"{RUNTIME}.fitted", origin, cell_bar, value)
        writer.add(statement, [Contribution(active, cell_bar, is_fresh=True, is_array=False)])


def _zero(writer: Accumulator, statement: ir.Store) -> ir.Atom:
    """The zero gradient of what a store into a cell replaces."""
    replaced = writer.after(*writer.facts.replaced[statement])
    value = writer.facts.inferred.of(replaced)
    if isinstance(value, Number) and is_double(value):
        return ir.Const(0.0)
    return writer.call(f"{RUNTIME}.zeros", statement.origin, replaced)


def _place(writer: Accumulator, statement: ir.Store) -> ir.Atom | None:
    """The index of a store, as the backward sweep refers to it; None where it sets everything.

    The adjoint of an array without axes may be a number, which has no elements to set.
    """
    if writer.facts.indices.is_whole(statement, statement.index):
        return None
    assert statement.index is not None
    return writer.at(statement, statement.index)


def _linear(writer: Accumulator, statement: ir.Store) -> None:
    """A plain store, or one that adds or subtracts."""
    origin, base_bar = statement.origin, ir.Name(bar(statement.base))
    index = _place(writer, statement)
    active = writer.varied(statement, statement.value)
    cell_bar: ir.Atom = base_bar
    if active and index is not None:
        cell_bar = _take(writer, statement, index)
    if active and statement.kind is StoreKind.SUB:
        cell_bar = writer.call("operator.neg", origin, cell_bar)
    if index is not None and statement.kind is StoreKind.REPLACE:
        zero = ir.Const(0)
        writer.out.append(
            ir.Store(base_bar.id, index, zero, StoreKind.REPLACE, origin, Role.ADJOINT)
        )
    if index is None and statement.kind is StoreKind.REPLACE:
        writer.present -= {statement.base}
    if active:
        shape = writer.facts.shapes.cell(statement)
        cell = writer.facts.inferred.put(statement)
        fitted = writer.unbroadcast(statement, cell_bar, statement.value, shape, cell)
        is_fresh = index is not None or writer.is_fresh(fitted)
        made = Contribution(active, fitted, is_fresh)
        if writer.is_in_place(statement.base):
            made = writer.copied(made, origin)
        elif not is_fresh:
            writer.owned.discard(statement.base)
        writer.add(statement, [made])
    if statement.index is None:
        _shrink(writer, statement)


def _result(writer: Accumulator, statement: ir.Store) -> ir.Atom | None:
    """The number that a store has made of its place, before it is undone, if its rule asks."""
    rule = writer.facts.program.rule(statement.kind.operator)
    is_asked = rule is not None and rule.reverse is not None and _reads_result(rule.reverse)
    if not is_asked or statement.base not in writer.present or statement.is_each:
        return None
    index = _place(writer, statement)
    if index is None or not isinstance(writer.facts.inferred.put(statement), Number):
        return None
    made = writer.after(statement, statement.base)
    return writer.call("operator.getitem", statement.origin, made, index)


def _reads_result(template: table.Template) -> bool:
    return any("out" in ir.reads(step) for step in template.function.body)


def _scaled(writer: Accumulator, statement: ir.Store, result: ir.Atom | None) -> None:
    """`base[index] *= value` and its like: by the rule of the operation, on the old value."""
    origin, name = statement.origin, statement.base
    rule = writer.facts.program.rule(statement.kind.operator)
    assert rule is not None
    index = _place(writer, statement)
    if rule.reverse is None:
        _forget(writer, statement, index)
        return
    old: ir.Atom = writer.at(statement, ir.Name(name))
    cell_bar: ir.Atom = ir.Name(bar(name))
    if index is not None:
        old = writer.call("operator.getitem", origin, old, index)
        cell_bar = _take(writer, statement, index)
    first, second = rule.of
    value = writer.at(statement, statement.value)
    values = {first: old, second: value, "out_bar": cell_bar}
    if _reads_result(rule.reverse):
        values["out"] = result or writer.call(statement.kind.operator, origin, old, value)
    active = writer.varied(statement, statement.value)
    positions = (0, 1) if active else (0,)
    start = len(writer.out)
    bars = list(writer.splice(rule.reverse, values, positions, origin))
    if rule.kind == "elementwise" and index is not None and not active:
        scale = ir.Store(bar(name), index, bars[0], StoreKind.MUL, origin, Role.ADJOINT)
        writer.out.append(scale)
        return
    if rule.kind == "elementwise":
        partials = Partials(writer, start, tuple(bars), origin)
        bars[0] = partials.summed(partials.times(0, cell_bar), UNKNOWN, lambda given: given)
        if active:
            reduce = partial(
                writer.unbroadcast,
                statement,
                like=statement.value,
                shape=writer.facts.shapes.cell(statement),
                whole=writer.facts.inferred.cell(statement),
            )
            like = writer.facts.inferred.read(statement, statement.value)
            bars[1] = partials.summed(partials.times(1, cell_bar), like, reduce)
    if index is None:
        writer.out.append(ir.Assign((bar(name),), bars[0], origin, Role.ADJOINT))
        if rule.kind == "elementwise" and statement.index is None:
            _shrink(writer, statement)
    else:
        writer.out.append(
            ir.Store(bar(name), index, bars[0], StoreKind.REPLACE, origin, Role.ADJOINT)
        )
    if active:
        writer.add(statement, [Contribution(active, bars[1], writer.is_fresh(bars[1]))])


def _forget(writer: Accumulator, statement: ir.Store, index: ir.Atom | None) -> None:
    """An operation whose derivative is zero: the old value has no part in the new one."""
    if index is None:
        writer.present -= {statement.base}
    else:
        zero, name = ir.Const(0), bar(statement.base)
        writer.out.append(
            ir.Store(name, index, zero, StoreKind.REPLACE, statement.origin, Role.ADJOINT)
        )


def _shrink(writer: Accumulator, statement: ir.Store) -> None:
    """`x += v` may have made an array of a scalar: the adjoint of the scalar is a scalar again."""
    name = ir.Name(statement.base)
    shape = writer.facts.shapes.written(statement, statement.base)
    whole = writer.facts.inferred.written(statement, statement.base)
    fitted = writer.unbroadcast(statement, ir.Name(bar(statement.base)), name, shape, whole)
    if fitted != ir.Name(bar(statement.base)):
        bound = ir.Assign((bar(statement.base),), fitted, statement.origin, Role.ADJOINT)
        writer.out.append(bound)


def _take(writer: Accumulator, statement: ir.Store, index: ir.Atom) -> ir.Atom:
    """An independent copy of the adjoint of the place that a store sets."""
    base_bar, places = ir.Name(bar(statement.base)), writer.facts.indices
    if statement.is_each or places.is_basic(statement, statement.index):
        cell_bar = writer.call("operator.getitem", statement.origin, base_bar, index)
        if isinstance(writer.facts.inferred.put(statement), Number):
            return cell_bar
        return writer.call(f"{RUNTIME}.copy", statement.origin, cell_bar)
    assert statement.index is not None
    *outer, last = (writer.at(statement, a) for a in places.path(statement, statement.index))
    if not outer:
        return writer.call(f"{RUNTIME}.take_bar", statement.origin, base_bar, index)
    inner = outer[0] if len(outer) == 1 else writer.call(ir.PATH, statement.origin, *outer)
    holder_bar = writer.call("operator.getitem", statement.origin, base_bar, inner)
    return writer.call(f"{RUNTIME}.take_bar", statement.origin, holder_bar, last)
