"""What a derivative is called with, as far as the text tells: calls, an example, annotations.

`w = np.zeros((3, 2))` above `adlsp.grad(loss)(w, x)` tells what `w` is, and the inference reads it.
Where no call tells, `@adlsp.differentiable(example=(w, x))` does, and annotations do. It is written
as the signature of the arguments themselves, so that the editor shows the derivative that runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from adlsp.transform import ir, typed
from adlsp.transform.canonical import instances
from adlsp.transform.frontend import bindings, calling, lower
from adlsp.transform.frontend.resolve import Definition, Resolver
from adlsp.transform.ir.variables import Step
from adlsp.transform.program import Program
from adlsp.transform.source import Source, Span
from adlsp.transform.values import lattice, places
from adlsp.transform.values.inference import Instances
from adlsp.transform.values.lattice import (
    UNKNOWN,
    Array,
    Function,
    Object,
    Sequence,
    Size,
    Unknown,
    Value,
)
from adlsp.transform.values.signature import signature_text
from adlsp.transform.values.told import Told


def signature(
    source: Source, operator: Span, definition: Definition, program: Program, resolver: Resolver
) -> str:
    """What the first call gives of which anything is known, or what the function itself tells.

    Empty where nothing is known.
    """
    module, _ = resolver.parsed(source)
    for call in () if module is None else calling.calls(module.parsed, source, operator):
        if call.function == definition.name:
            given = _given(call, definition, program, resolver)
            if found := _signature(given, definition, program):
                return found
    return of_itself(definition, program, resolver)


def of_itself(definition: Definition, program: Program, resolver: Resolver) -> str:
    """What a function tells of its arguments, by its example or else by annotations.

    The axes of jaxtyping are taken for those of arrays in general, longer than one. Empty where it
    tells of no parameter.
    """
    function = program.definition(definition.dotted)
    if function is None:
        return ""
    promised = typed.annotated(function, definition.source, resolver)
    given = {name: _of_several(value) for name, value in promised.items()}
    given |= _objects(function, definition, program)
    module, _ = resolver.parsed(definition.source)
    written = definition.written
    if module is not None and isinstance(written, bindings.DefinedFunction):
        call = calling.example(module.parsed, definition.source, written.tree)
        given |= {} if call is None else _given(call, definition, program, resolver)
    named = {n: v for n, v in _defaults(definition, program) if isinstance(v, Function)}
    own = places.as_arguments({**named, **given}, is_sure=True).values()
    known = (Told({*given}).value(value) for value in own)
    is_told = not all(isinstance(value, Unknown) or _is_vague(value) for value in known)
    return _signature(given, definition, program) if is_told else ""


def _given(
    call: calling.Call, definition: Definition, program: Program, resolver: Resolver
) -> dict[str, Value]:
    """What a call gives to parameters."""
    values = _arguments(call, program, resolver)
    given = dict(zip(definition.positional_parameters, values[: call.n_positional], strict=False))
    return given | dict(zip(call.keywords, values[call.n_positional :], strict=False))


def _objects(
    function: ir.Function, definition: Definition, program: Program
) -> Iterator[tuple[str, Value]]:
    """The parameters for which annotations promise objects, as their constructors make these.

    Where a class has annotated its attributes, the program knows them as they are promised.
    """
    for p in function.parameters:
        if p.annotation is not None:
            value = program.classes.annotated(p.annotation, definition.source)
            if isinstance(value, Object) and not value.attributes:
                made = _made(value.of, program)
                yield from () if made is None else ((p.name, made),)


def _made(of: str, program: Program) -> Value | None:
    """An object as the constructor of its class makes it, of whatever that is given."""
    construction = program.constructing(of)
    if construction is None:
        return None
    taken = construction.fields
    if construction.method and not taken:
        method = program.signature(construction.method)
        taken = () if method is None else method.parameters[1:]
    required = tuple(p for p in taken if p.is_positional and p.default is None)
    step, origin = Step(1), Span("", 1, 1, 1, 1)
    call = ir.Call(construction.of, tuple(ir.Name(p.name) for p in required), (), origin)
    body = (ir.Assign((step,), call, origin), ir.Return(ir.Name(step), origin))
    making = ir.Function("made", "adlsp", required, body, origin)
    known = Instances(program, is_one_by_one=True)
    made = known.of(_resolved(making, program), {}).result
    return _exemplary(made) if isinstance(made, Object) and made.of == of else None


def _exemplary(value: Value) -> Value:
    """A value for example: a list of objects of which nobody knows how many holds two."""
    match value:
        case Sequence(items=None, each=Object() as each) if not value.is_once:
            return replace(value, items=(places.without_sites(_exemplary(each)),) * 2)
    parts = [_exemplary(part) for _, part in lattice.parts(value)]
    return lattice.holding(value, parts) if parts else value


def _resolved(function: ir.Function, program: Program) -> ir.Function:
    """A function that is no one's, with what constructors do, and methods of objects."""
    return instances.resolved(instances.constructed(function, program.constructing), {}, program)


def _of_several(value: Value) -> Value:
    """A value with arrays whose axes are longer than one."""
    if isinstance(value, Array) and value.shape is not None:
        sizes = (replace(s, may_be_one=False) if isinstance(s, Size) else s for s in value.shape)
        return replace(value, shape=tuple(sizes))
    parts = [_of_several(part) for _, part in lattice.parts(value)]
    return lattice.holding(value, parts) if parts else value


def _signature(given: Mapping[str, Value], definition: Definition, program: Program) -> str:
    """The text of what is given, with the defaults of what is not; empty where nothing is known."""
    given = {**dict(_defaults(definition, program)), **given}
    told = Told({*definition.parameters})
    own = {n: given[n] for n in definition.parameters if n in given}
    passed = places.as_arguments(own, is_sure=True)
    known = {name: told.value(value) for name, value in passed.items()}
    known = {n: v for n, v in known.items() if not (isinstance(v, Unknown) or _is_vague(v))}
    return signature_text({**known, **program.data(definition.dotted)}) if known else ""


def _defaults(definition: Definition, program: Program) -> Iterator[tuple[str, Value]]:
    """What parameters are that a call does not give."""
    function = program.definition(definition.dotted)
    for parameter in () if function is None else function.parameters:
        match parameter.default:
            case ir.Const(constant):
                yield parameter.name, lattice.of_constant(constant)
            case ir.Global(dotted) if not program.is_variable(dotted):
                yield parameter.name, Function(dotted)


def _is_vague(value: Value) -> bool:
    """Tells whether a value is an array of any shape."""
    return isinstance(value, Array) and value.shape is None


def _arguments(call: calling.Call, program: Program, resolver: Resolver) -> tuple[Value, ...]:
    """What the arguments of a call are."""
    function = _resolved(lower.lower(call.around, resolver), program)
    known = Instances(program, is_one_by_one=True).of(function, {})
    found: Value = UNKNOWN
    for statement in ir.walk(function.body):
        if calling.ARGUMENTS in ir.writes(statement):
            found = known.writes.get((statement, calling.ARGUMENTS), UNKNOWN)
    return found.items if isinstance(found, Sequence) and found.items is not None else ()
