"""The gradients of the factors of a matrix product as NumPy has them, where the ranks are known.

`rt.matmul_bar_a(z_bar, x, w)` looks at shapes while it runs; of two matrices it is `z_bar @ w.T`.
Outer products in loops stay as they are: `optimize/deferred_products.py` makes many at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.reverse.accumulate import Accumulator
from adlsp.transform.values.lattice import Array, Value

MATMUL, OUTER, TIMES, TURNED = "operator.matmul", "numpy.outer", "operator.mul", "attribute.T"

Form = tuple[str, str, str]
"""A function and its operands: `w` is the gradient of the product, `a` and `b` are the factors, and
`A` and `B` these transposed."""

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


def write_plainly(writer: Accumulator, first: int, *, is_looped: bool) -> None:
    """Writes products among the steps from a place on as NumPy has them, where ranks are known."""
    written, writer.out[first:] = writer.out[first:], []
    for statement in written:
        match statement:
            case ir.Assign(value=ir.Call() as call) if call.function in FORMS:
                plain = _plain(writer, statement, call, is_looped)
                writer.functions[statement.targets[0]] = plain.function
                statement = replace(statement, value=plain)
        writer.out.append(statement)


def _plain(writer: Accumulator, step: ir.Assign, call: ir.Call, is_looped: bool) -> ir.Call:
    w, a, b = call.args
    first, second = (_rank(writer.facts.inferred.of(factor)) for factor in (a, b))
    form = FORMS[call.function].get((first, second))
    if form is None or (is_looped and form[0] == OUTER):
        return call

    def operand(letter: str) -> ir.Atom:
        if letter.isupper():
            turned = {"A": a, "B": b}[letter]
            return writer.call(TURNED, step.origin, turned)
        return {"w": w, "a": a, "b": b}[letter]

    return ir.Call(form[0], tuple(map(operand, form[1:])))


def _rank(value: Value) -> int:
    """The rank of an array of floats, which has no complex conjugate; -1 if it is not known."""
    match value:
        case Array(dtype="float64" | "float32", library="numpy", shape=tuple() as shape):
            return len(shape)
    return -1
