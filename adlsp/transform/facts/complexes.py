"""Whether a function may make complex numbers of real ones.

Where it does not, complex numbers come with the arguments only, and the operations that bring them
together with real ones already give each gradient the dtype of its variable. Where it does, what
the derivative of a real variable collects may have an imaginary part, which means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from adlsp.transform import ir
from adlsp.transform.facts import graphs, operations
from adlsp.transform.facts.callees import Callees
from adlsp.transform.ops.spec import Dtype

DTYPES = {"complex", "complex128", "complex64", "c16", "c8", "D", "F"}


def makes_complex(
    function: ir.Function,
    known: Callees,
    pair: Callable[[str], ir.Function | None] = lambda _: None,
) -> bool:
    """Tells whether a function, or one that it calls, may make complex numbers of real ones.

    `pair` finds the function that a pair stands for.
    """

    def callees(caller: ir.Function) -> Iterator[ir.Function]:
        for name in dict.fromkeys(call.function for call in _calls(caller)):
            callee = pair(name)
            if callee is None and known.rule(name) is None:
                callee = known.function(name)
            if callee is not None:
                yield callee

    return any(
        operations.of(call.function).dtype is Dtype.COMPLEX
        or any(_is_complex(key, atom, call) for key, atom in _arguments(call))
        for one in graphs.reached((function,), callees)
        for call in _calls(one)
    )


def takes_parts(function: ir.Function) -> bool:
    """Tells whether a function may make real numbers of complex ones, of the same shape."""
    real = (Dtype.PART, Dtype.REAL)
    return any(operations.of(call.function).dtype in real for call in _calls(function))


def _calls(function: ir.Function) -> Iterator[ir.Call]:
    """All calls, and what is bound, stored or given back without one."""
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                yield call
            case ir.Assign(value=value) | ir.Store(value=value) | ir.Return(value=value):
                if not isinstance(value, ir.Opaque):
                    yield ir.Call("", (value,))  # type: ignore[arg-type]


def _arguments(call: ir.Call) -> Iterator[tuple[str, ir.Atom]]:
    yield from (("", atom) for atom in call.args)
    yield from call.keywords


def _is_complex(key: str, atom: ir.Atom, call: ir.Call) -> bool:
    match atom:
        case ir.Const(value=complex()):
            return True
        case ir.Const(value=str(text)):
            return text in DTYPES and (
                key == "dtype" or operations.of(call.function).dtype_at is not None
            )
        case ir.Global(dotted):
            return operations.of(dotted).dtype is Dtype.COMPLEX
    return False
