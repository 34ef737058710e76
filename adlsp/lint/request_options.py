"""From what somebody asks to see to a request: the editor and the command line ask alike.

What is left open is as the program itself asks for it, and calls it, as far as its last run has
recorded that, or the text around the call tells: so the text is the one that it runs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from adlsp import workspace
from adlsp.transform.artifact import GRADIENT, Kind, Request
from adlsp.transform.frontend import roots
from adlsp.transform.frontend.resolve import Definition
from adlsp.transform.values import parse


@dataclass(frozen=True, slots=True)
class Options:
    """What a derivative is to be like; None leaves a choice to the program."""

    wrt: tuple[str, ...] | None = None
    mode: str | None = None
    order: int | None = None
    is_optimized: bool = True
    outputs: tuple[str, ...] | None = None
    signature: str | None = None


def request(
    definition: Definition, root: Request | None, options: Options, called: str = ""
) -> Request | str:
    """What is asked of the engine; a sentence where the options make no sense.

    Without a root it is the gradient with respect to the first parameter. `called` is the signature
    that the texts around its calls tell: that of the last run comes before it.
    """
    name, known = definition.name, definition.named_parameters
    wrt = options.wrt if options.wrt is not None else root.wrt if root is not None else known[:1]
    for parameter in (*wrt, *(options.outputs or ())):
        if parameter not in known:
            listed = ", ".join(f"`{each}`" for each in known) or "none"
            return f"`{name}` has no parameter `{parameter}`; it has {listed}"
    if not wrt:
        return f"`{name}` has no parameter to differentiate with respect to"
    base = root or Request(definition.dotted, ())
    if options.mode is not None or options.order is not None:
        base = roots.nested(replace(base, inner=None), _kinds(base, options))
    is_tuple = base.is_tuple if wrt == base.wrt else len(wrt) > 1
    made = _about(base, wrt, is_tuple, options.is_optimized)
    if options.outputs is not None:
        made = _giving(made, options.outputs)
    if options.signature is None:
        return replace(made, signature=last_signature(definition) or called)
    return misfit(definition, options.signature) or replace(made, signature=options.signature)


def is_open(definition: Definition, options: Options) -> bool:
    """Tells whether it may be assumed what parameters are: nobody says it, and nothing ran."""
    return options.signature is None and not last_signature(definition)


def last_signature(definition: Definition) -> str:
    """What a function was called with last, as far as it was recorded."""
    found = workspace.recorded_signatures(definition)
    return next((each for each in found if not misfit(definition, each)), "")


def misfit(definition: Definition, signature: str) -> str:
    """What is wrong with a signature for a function; nothing where it is one."""
    try:
        named = parse.signature(signature)
    except ValueError as error:
        return str(error)
    known = (*definition.parameters, *definition.captured)
    unknown = next((name for name in named if name not in known and "." not in name), None)
    return f"`{definition.name}` has no parameter `{unknown}`" if unknown is not None else ""


def _giving(request: Request, outputs: tuple[str, ...]) -> Request:
    """The request, for a function whose outputs are what some parameters have become."""
    if request.inner is not None:
        return replace(request, inner=_giving(request.inner, outputs))
    return replace(request, outputs=outputs)


def _kinds(base: Request, options: Options) -> tuple[Kind, ...]:
    """The kinds of derivative, the last of those before it."""
    inner = GRADIENT * ((options.order or 1) - 1)
    is_forward = base.kind == "jvp" if options.mode is None else options.mode == "forward"
    if is_forward:
        return (*inner, "jvp")
    is_as_asked = not inner and base.inner is None and base.kind != "jvp"
    return (*inner, base.kind if is_as_asked else "grad")


def _about(base: Request, wrt: tuple[str, ...], is_tuple: bool, is_optimized: bool) -> Request:
    inner = base.inner
    if inner is not None:
        inner = _about(inner, wrt, is_tuple, is_optimized)
    return replace(base, wrt=wrt, is_tuple=is_tuple, optimize=is_optimized, inner=inner)
