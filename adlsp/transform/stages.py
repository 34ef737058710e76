"""What a function looks like between its text and its derivative: stages for people to look at.

Nothing of it is part of a derivation: each stage is made anew from the passes that also derive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from adlsp.transform import annotated, ir
from adlsp.transform.artifact import Request
from adlsp.transform.forward import assemble as forward
from adlsp.transform.ir import dump
from adlsp.transform.ir.variables import readable
from adlsp.transform.program import Program, with_outputs
from adlsp.transform.query_cache import Functions
from adlsp.transform.reverse import assemble as reverse


def text(
    stage: str,
    function: ir.Function,
    request: Request,
    users: Functions,
    program: Program,
    shown: Callable[[str], str],
    *,
    is_fit: bool,
) -> str:
    """A canonical function as it is at a stage; `is_fit` tells whether it can be derived."""
    canonical = with_outputs(function, request.outputs)
    match stage:
        case "ir":
            return dump.function(next(_lowered(request.function, users), function), shown)
        case "canonical":
            return dump.function(canonical, shown)
    return _facts(canonical, request, program, is_fit=is_fit)


def _lowered(dotted: str, users: Functions) -> Iterator[ir.Function]:
    """The function of a name before any pass, also where a decorator is around it."""
    for name in users.as_root(dotted):
        found = users.lowered(name)
        if found is not None:
            yield found[1]


def _facts(function: ir.Function, request: Request, program: Program, *, is_fit: bool) -> str:
    """A function with what is known of it; of one that cannot be derived, as far as it goes."""
    saves: annotated.Saves = {}
    seen = "before it is prepared: no derivative can be made"
    if is_fit and request.kind == "jvp":
        function = forward.prepared(function, request.wrt, program)
        seen = "as tangents are written beside it"
    elif is_fit:
        kind = "vjp" if request.outputs and request.kind == "grad" else request.kind
        prepared = reverse.prepared(function, request.wrt, kind, program)
        function, saves, seen = prepared.primal, prepared.saves, "as it is reversed"
    facts, parameters = program.facts(function), (p.name for p in function.parameters)
    columns = (
        annotated.activity(facts.activity(request.wrt), parameters),
        annotated.live(facts.live),
        annotated.sharing(facts.aliases()),
        annotated.saved(saves),
    )
    inputs = ", ".join(map(readable, request.wrt))
    return f"# with respect to {inputs}, {seen}\n{annotated.text(function, columns)}"
