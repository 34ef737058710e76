"""Steps of rules as NumPy and TensorFlow have them, where the ranks are known.

`rt.matmul_bar_a(z_bar, x, w)` looks at shapes while it runs; of two matrices it is `z_bar @ w.T`.
Outer products for what is older than the pass of a loop stay as they are, as many are made at a
time (`optimize/deferred_products.py`). And what a sum has taken away is an axis again,
`np.expand_dims(s_bar, 1)`, which is then broadcast.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeGuard

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.reverse.accumulate import Accumulator
from adlsp.transform.values import growing
from adlsp.transform.values.broadcasting import Axes
from adlsp.transform.values.lattice import Array, Number, Value

MATMUL, OUTER, TIMES, TURNED = "operator.matmul", "numpy.outer", "operator.mul", "attribute.T"
TENSOR_MATMUL = "tensorflow.raw_ops.MatMul"
"""It does at once what `tf.matmul` does after a look at what it is given."""

EXPAND = f"{operations.RUNTIME}.expand"

FIT = f"{operations.RUNTIME}.unbroadcast"

SOLVE = f"{operations.RUNTIME}.solve_transposed"

Loops = tuple[ir.Statement, ...]

Form = tuple[str, str, str]
"""A function and its operands: `w` is the gradient of the product, `a` and `b` are the factors, and
`A` and `B` these transposed, which TensorFlow does while it multiplies."""

OF_FIRST: Mapping[tuple[int, int], Form] = MappingProxyType(
    {
        (1, 1): (TIMES, "w", "b"),
        (1, 2): (MATMUL, "b", "w"),
        (2, 1): (OUTER, "w", "b"),
        (2, 2): (MATMUL, "w", "B"),
    }
)
"""The gradient of the first factor, by the ranks of both."""

OF_SECOND: Mapping[tuple[int, int], Form] = MappingProxyType(
    {
        (1, 1): (TIMES, "w", "a"),
        (1, 2): (OUTER, "a", "w"),
        (2, 1): (MATMUL, "A", "w"),
        (2, 2): (MATMUL, "A", "w"),
    }
)

FORMS = MappingProxyType(
    {
        f"{operations.RUNTIME}.{product}_bar_{factor}": forms
        for product in ("matmul", "dot")
        for factor, forms in (("a", OF_FIRST), ("b", OF_SECOND))
    }
)


def write_plainly(writer: Accumulator, first: int, made: Value, loops: Loops) -> None:
    """Writes the steps from a place on again, as NumPy has them, for what the primal has made.

    `loops` are those around the statement that has made it.
    """
    grown = growing.whole(made)
    written, writer.out[first:] = writer.out[first:], []
    shapes: dict[str, ir.Atom] = {}
    elements: set[str] = set()
    fitting: dict[str, ir.Atom] = {}
    for statement in written:
        match statement:
            case ir.Assign((target,), ir.Call("numpy.shape", (base,))):
                shapes[target] = base
            case ir.Assign((target,), ir.Call(function, (ir.Name(part), value))) if (
                function == FIT
                and (fitting.get(part) == value or (part in elements and _is_number(writer, value)))
            ):
                writer.functions[target] = writer.functions[part]
                statement = replace(statement, value=ir.Name(part))
            case ir.Assign(targets=(target,), value=ir.Call() as call):
                if _is_element(writer, call, grown):
                    elements.add(target)
                plain = call
                if call.function in FORMS:
                    plain = _product(writer, statement, call, loops)
                elif call.function == EXPAND:
                    plain = _expanded(writer, statement, call, shapes)
                elif call.function == SOLVE:
                    plain = _solved(writer, statement, call)
                    if plain is not call and _are_alike(writer, call.args):
                        fitting[target] = call.args[2]
                writer.functions[target] = plain.function
                statement = replace(statement, value=plain)
        writer.out.append(statement)


def _is_element(writer: Accumulator, call: ir.Call, grown: Array | None) -> bool:
    """Tells whether a step is a number, read from the gradient of an array that grows."""
    if call.function != "operator.getitem" or grown is None or grown.rank != 1:
        return False
    return isinstance(writer.facts.inferred.of(call.args[1]), Number)


def _is_number(writer: Accumulator, atom: ir.Atom) -> bool:
    """Tells whether a value of the primal is a number whose gradient is one of double precision."""
    match writer.facts.inferred.of(atom):
        case Number(kind="float", dtype=None | "float64" | "?"):
            return True
    return False


def _product(writer: Accumulator, step: ir.Assign, call: ir.Call, loops: Loops) -> ir.Call:
    """The gradient of a factor."""
    w, a, b = call.args
    of = writer.version(a if call.function.endswith("_a") else b)
    is_summed = bool(loops) and (of is None or of.loops != loops)
    values = [writer.facts.inferred.of(factor) for factor in (a, b)]
    first, second = map(_rank, values)
    form = FORMS[call.function].get((first, second))
    if _are_stacks_of_tensors(values):
        is_plain = values[0].rank == 2
        return _of_tensors(FORMS[call.function][2, 2], {"w": w, "a": a, "b": b}, is_plain=is_plain)
    if form is None or (is_summed and form[0] == OUTER):
        return call

    def operand(letter: str) -> ir.Atom:
        factor = {"w": w, "a": a, "b": b}[letter.lower()]
        if letter.islower():
            return factor
        return _source(writer, factor) or writer.call(TURNED, step.origin, factor)

    return ir.Call(form[0], tuple(map(operand, form[1:])))


def _of_tensors(form: Form, operands: Mapping[str, ir.Atom], *, is_plain: bool) -> ir.Call:
    """The gradient of a factor of tensors; those that are no plain matrices are stacks of these."""
    places = [*zip("ab", form[1:], strict=True)]
    given = tuple((place, operands[letter.lower()]) for place, letter in places)
    names = (f"transpose_{place}" for place, letter in places if letter.isupper())
    flags = tuple((name, ir.Const(True)) for name in names)
    if is_plain:
        return ir.Call(TENSOR_MATMUL, (), (*given, *flags))
    return ir.Call("tensorflow.matmul", tuple(atom for _, atom in given), flags)


def _are_stacks_of_tensors(values: Sequence[Value]) -> TypeGuard[Sequence[Array]]:
    """Tells whether tensors are matrices, or stacks of as many that meet one by one."""
    outer = set[Axes]()
    for value in values:
        match value:
            case Array("float64" | "float32", shape=tuple() as shape, library="tensorflow"):
                if len(shape) < 2 or None in shape[:-2]:
                    return False
                outer.add(shape[:-2])
            case _:
                return False
    return len(outer) == 1


def _source(writer: Accumulator, factor: ir.Atom) -> ir.Atom | None:
    """The matrix of which a factor is the transpose."""
    version = writer.version(factor)
    match version and version.statement:
        case ir.Assign((_,), ir.Call("attribute.T", (ir.Name() as matrix,))) as turning:
            return writer.at(turning, matrix)
    return None


def _expanded(
    writer: Accumulator, step: ir.Assign, call: ir.Call, shapes: Mapping[str, ir.Atom]
) -> ir.Call:
    """What repeats the gradient of a sum: of one that has the axis again, if one was taken away."""
    match call.args:
        case (given, ir.Name(shape), ir.Const(int() | tuple()) as axis, ir.Const(False)) if (
            shape in shapes and _rank(writer.facts.inferred.of(shapes[shape])) > 0
        ):
            given = writer.call("numpy.expand_dims", step.origin, given, axis)
            return replace(call, args=(given, ir.Name(shape), axis, ir.Const(True)))
    return call


def _solved(writer: Accumulator, step: ir.Assign, call: ir.Call) -> ir.Call:
    """The gradient of the right side of a linear system, by its matrix transposed."""
    matrix, out_bar, right = call.args
    ranks = [_rank(writer.facts.inferred.of(atom)) for atom in (matrix, right)]
    if ranks[0] != 2 or ranks[1] not in (1, 2):
        return call
    turned = _source(writer, matrix) or writer.call(TURNED, step.origin, matrix)
    return ir.Call("numpy.linalg.solve", (turned, out_bar))


def _are_alike(writer: Accumulator, atoms: Sequence[ir.Atom]) -> bool:
    """Tells whether the arrays of the primal among some atoms have one dtype."""
    values = [writer.facts.inferred.of(a) for a in atoms if writer.version(a) is not None]
    return len({value.dtype for value in values if isinstance(value, Array)}) == 1


def _rank(value: Value) -> int:
    """The rank of an array of floats, which has no complex conjugate; -1 if it is not known."""
    match value:
        case Array(dtype="float64" | "float32", library="numpy", shape=tuple() as shape):
            return len(shape)
    return -1
