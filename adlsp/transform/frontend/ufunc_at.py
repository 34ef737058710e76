"""Calls that set elements of an array, read as the stores that they are."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.ir import StoreKind
from adlsp.transform.ir.variables import Step
from adlsp.transform.source import Span

WHOLE = ir.Const(...)


def as_store(
    call: ir.Call,
    origin: Span,
    hold: Callable[[ir.Expression], ir.Atom],
    assigned: Set[str] = frozenset(),
) -> ir.Store | None:
    """The store that a call comes to, if its array is a variable; `hold` names a step before it.

    `assigned` are those that hold variables of TensorFlow's.
    """
    match call:
        case ir.Call("numpy.put_along_axis", (_, _, _), (("axis", axis),)):
            call = replace(call, args=(*call.args, axis), keywords=())
    match call:
        case ir.Call(args=(ir.Name(base), *_), keywords=()) if not isinstance(base, Step):
            pass
        case _:
            return None
    match call:
        case ir.Call("numpy.copyto" | "ndarray.fill", (_, value)):
            return ir.Store(base, WHOLE, value, StoreKind.REPLACE, origin, span=call.span)
        case ir.Call("numpy.fill_diagonal", (array, value)):
            places = hold(ir.Call("adlsp.runtime.diagonal_places", (array,)))
            return ir.Store(base, places, value, StoreKind.REPLACE, origin, span=call.span)
        case ir.Call("numpy.put_along_axis", (array, indices, value, axis)):
            places = hold(ir.Call("adlsp.runtime.places_along", (array, indices, axis)))
            return ir.Store(base, places, value, StoreKind.REPLACE, origin, span=call.span)
        case ir.Call(function, (_, value)) if function in ir.ASSIGNING and base in assigned:
            kind = ir.ASSIGNING[function]
            return ir.Store(base, WHOLE, value, kind, origin, span=call.span, is_assign=True)
        case ir.Call(function, (_, index, value)) if function in ir.EACH:
            kind = ir.EACH[function]
            return ir.Store(base, index, value, kind, origin, span=call.span, is_each=True)
    return None
