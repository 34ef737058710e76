"""Writes derivatives: from a request and a function that was found fit to the text with its map."""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import derived, forward, ir
from adlsp.transform.derivative import Request, SourceMap
from adlsp.transform.emit import page
from adlsp.transform.program import Program, with_outputs
from adlsp.transform.reverse import assemble


def write(function: ir.Function, request: Request, program: Program) -> tuple[str, str, SourceMap]:
    """The name of the derivative, its text, and where each line of it comes from."""
    functions = _differentiated(with_outputs(function, request.innermost.outputs), request, program)
    return page.write(functions, program.quote)


def _differentiated(
    function: ir.Function, request: Request, program: Program
) -> tuple[ir.Function, ...]:
    """The functions of a derivative, the one to call first."""
    if request.inner is not None:
        first = _differentiated(function, request.inner, program)
        function = derived.settle(first, program)
        functions = _differentiated(function, replace(request, inner=None), program)
        return functions + derived.also_called(functions, program)
    if request.kind == "jvp":
        return forward.forward(function, request.wrt, program, optimize=request.optimize)
    kind = "vjp" if request.outputs and request.kind == "grad" else request.kind
    return assemble.reverse(
        function,
        request.wrt,
        kind,
        program,
        is_tuple=request.is_tuple,
        optimize=request.optimize,
    )
