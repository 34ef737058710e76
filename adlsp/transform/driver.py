"""Writes derivatives: from a request and a function that was found fit to the text with its map."""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir, nesting, relower
from adlsp.transform.artifact import Request, SourceMap
from adlsp.transform.checks.legality import check, is_missing
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.emit import page
from adlsp.transform.forward.assemble import forward
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import SEED
from adlsp.transform.optimize import (
    deferred_products,
    in_place_sums,
    part_elision,
    plain_versions,
    ratios,
    specialize,
    tape_merging,
    unused_captures,
)
from adlsp.transform.program import Program, with_outputs
from adlsp.transform.reverse.assemble import reverse
from adlsp.transform.values.lattice import Number, Signature

CHECKED = "adlsp.runtime.seed"


@dataclass(frozen=True, slots=True)
class Written:
    """The name of a derivative, its text, and where each line of it comes from."""

    name: str
    text: str
    source_map: SourceMap


class CannotAgainError(Exception):
    """A first derivative calls what cannot be differentiated; the argument says what."""


def write(
    function: ir.Function, request: Request, program: Program
) -> Written | tuple[Diagnostic, ...]:
    """The derivative; what is in the way of a second one is known only when the first is there."""
    try:
        functions = differentiated(function, request, program)
    except (CannotAgainError, nesting.UnfollowedError) as error:
        found: tuple[Diagnostic, ...] = error.args[0]
        return found
    return Written(*page.write(functions, program))


def obstacles(function: ir.Function, request: Request, program: Program) -> tuple[Diagnostic, ...]:
    """What is in the way of a second derivative: it is found in the first, which is made for that.

    Of a function that is fit for a first one nothing else is.
    """
    if request.inner is None:
        return ()
    try:
        _again(with_outputs(function, request.innermost.outputs), request, program)
    except CannotAgainError as error:
        found: tuple[Diagnostic, ...] = error.args[0]
        return found
    return ()


def differentiated(
    function: ir.Function, request: Request, program: Program
) -> tuple[ir.Function, ...]:
    """The functions of a derivative, the one to call first, as they are printed.

    Raises `CannotAgainError` where something is in the way of a second derivative.
    """
    function = with_outputs(function, request.innermost.outputs)
    functions = _differentiated(function, request, program)
    if not request.optimize:
        return functions
    functions = unused_captures.drop_unused(unused_captures.drop_held(functions))
    functions = tuple(replace(f, body=ratios.without_divided(f.body)) for f in functions)
    if not program.has_tensors:
        functions = tuple(_in_place(f, program) for f in functions)
    return tape_merging.merge_tapes(specialize.specialize(functions, program))


def _in_place(function: ir.Function, program: Program) -> ir.Function:
    """A function of a derivative that changes what is its own in place."""
    body = plain_versions.in_place(function, program.rule)
    body = in_place_sums.sum_in_place(body, function.exact)
    body = deferred_products.defer_products(body, function.exact)
    body = part_elision.elide_parts(body)
    return replace(function, body=body)


def _differentiated(
    function: ir.Function, request: Request, program: Program
) -> tuple[ir.Function, ...]:
    """The functions of a derivative, the one to call first, with those of earlier ones."""
    functions = _of_request(function, request, program)
    functions += relower.also_called(functions, program)
    return tuple(nesting.as_written(each, program) for each in functions)


def _of_request(
    function: ir.Function, request: Request, program: Program
) -> tuple[ir.Function, ...]:
    """The functions of a derivative, the one to call first."""
    if request.inner is not None:
        function = _again(function, request, program)
        return _of_request(function, replace(request, inner=None), program)
    if request.kind == "jvp":
        return forward(function, request.wrt, program, optimize=request.optimize)
    kind = "vjp" if request.outputs and request.kind == "grad" else request.kind
    return reverse(
        function,
        request.wrt,
        kind,
        program,
        is_tuple=request.is_tuple,
        optimize=request.optimize,
    )


def _seeds(first: ir.Function, again: ir.Function) -> Signature:
    """What the seed of a gradient is that is differentiated again: a number, if none is checked."""
    is_checked = any(
        isinstance(s, ir.Assign) and isinstance(s.value, ir.Call) and s.value.function == CHECKED
        for s in ir.walk(first.body)
    )
    pairs = zip(first.parameters, again.parameters, strict=True)
    found = [own.name for p, own in pairs if p.name == SEED and p.default == ir.Const(1.0)]
    return {} if is_checked else {name: Number("float") for name in found}


def _again(function: ir.Function, request: Request, program: Program) -> ir.Function:
    """The derivative that is to be differentiated again, as a function that is fit for it."""
    assert request.inner is not None
    first = unused_captures.drop_unused(_of_request(function, request.inner, program))
    derivative = relower.relower(first, program)
    if program.given and not program.has_tensors:
        program.seeds = {**program.seeds, **_seeds(first[0], derivative)}
    is_forward = request.kind == "jvp"
    checked = check(derivative, request.wrt, program, is_forward=is_forward)
    if missing := tuple(each for each in checked if is_missing(each.finding)):
        raise CannotAgainError(missing)
    return derivative
