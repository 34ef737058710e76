"""Shape and dtype of a value, where the text spells them: `tf.zeros((3, 4), tf.float32)`.

Nothing is inferred but what the records of functions say: `tf.cast(h, tf.float16)` has the shape
that `h` has.
"""

from __future__ import annotations

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Generated
from adlsp.transform.ops.spec import Dtype, Shape
from adlsp.transform.program import Program


def sentences(
    subject: str,
    function: ir.Function,
    statement: ir.Statement,
    value: ir.Expression,
    program: Program,
) -> tuple[str, ...]:
    """What is said of a value that a statement makes or reads: one sentence, or none."""
    reader = _Reader(function, program)
    found = (("shape", reader.shape(statement, value)), ("dtype", reader.dtype(statement, value)))
    said = [f"the {what} `{text}`" for what, text in found if text]
    return (f"By what the text says, {subject} has {' and '.join(said)}.",) if said else ()


class _Reader:
    """Reads what is spelled in one function."""

    def __init__(self, function: ir.Function, program: Program) -> None:
        self.program = program
        self.definitions = program.facts(function).indices

    def shape(self, statement: ir.Statement, value: ir.Expression) -> str | None:
        """The shape of a value as it is written, where it is."""
        call = self._call(statement, value)
        if call is None:
            return None
        made, called = call
        record = operations.of(called.function)
        if record.shape_at is not None:
            return self._lengths(made, called, record.shape_at)
        is_of_one = record.shape is Shape.EACH and len(called.args) == 1
        is_same = record.shape is Shape.FIRST or is_of_one or record.converts
        return self.shape(made, called.args[0]) if is_same and called.args else None

    def dtype(self, statement: ir.Statement, value: ir.Expression) -> str | None:
        """The dtype of a value as it is written, where it is."""
        call = self._call(statement, value)
        if call is None:
            return None
        made, called = call
        record = operations.of(called.function)
        told = operations.told_dtype(called) if record.dtype_at is not None else None
        if told is not None:
            return self._text(made, told)
        is_same = record.dtype is Dtype.FIRST and called.args
        return self.dtype(made, called.args[0]) if is_same else None

    def _call(
        self, statement: ir.Statement, value: ir.Expression
    ) -> tuple[ir.Statement, ir.Call] | None:
        """The call that gives a value, and its statement."""
        while isinstance(value, ir.Name):
            source = self.definitions.source(statement, value)
            if not isinstance(source, ir.Assign) or source.is_tuple:
                return None
            statement, value = source, source.value
        return (statement, value) if isinstance(value, ir.Call) else None

    def _lengths(self, statement: ir.Statement, call: ir.Call, place: int) -> str | None:
        """The argument for a shape; a method may have one for each axis."""
        lengths = call.args[place:]
        if targets.is_method(call.function) and len(lengths) > 1:
            texts = [self._text(statement, each) for each in lengths]
            return f"({', '.join(map(str, texts))})" if all(texts) else None
        given = operations.given_at(call, place, "shape")
        return self._text(statement, given) if given is not None else None

    def _text(self, statement: ir.Statement, atom: ir.Atom) -> str | None:
        """An argument as it is written."""
        match atom, self.definitions.definition(statement, atom):
            case ir.Const(value), _:
                return str(value)
            case ir.Global(dotted), _:
                return targets.member(dotted)
            case ir.Name(id), _ if not isinstance(id, Generated):
                return id
            case _, ir.Call(span=span) if span is not None:
                return self.program.quote(span)
        return None
