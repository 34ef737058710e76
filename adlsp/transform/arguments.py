"""What a call of a user's function gives to each of its parameters.

`*args` gets a tuple and `**options` a dictionary. In a derivative such parameters are like others,
and the call makes the tuple or dictionary itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.diagnostics.reading import BY_NUMBER
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets


@dataclass(frozen=True, slots=True)
class Packed:
    """The arguments that a call gives to `*args` or, with their `names`, to `**options`."""

    atoms: tuple[ir.Atom, ...]
    names: tuple[str, ...] | None = None

    @property
    def display(self) -> ir.Call:
        """The tuple or dictionary that the function gets."""
        if self.names is None:
            return ir.Call("python.tuple", self.atoms)
        pairs = zip(self.names, self.atoms, strict=True)
        return ir.Call("python.dict", tuple(a for name, v in pairs for a in (ir.Const(name), v)))


@dataclass(frozen=True, slots=True)
class Element:
    """What `f(*values)` or `f(**values)` gives to one parameter: `values[key]`."""

    atoms: tuple[ir.Atom, ...]
    key: int | str

    @property
    def display(self) -> ir.Call:
        """The element."""
        return ir.Call("operator.getitem", (*self.atoms, ir.Const(self.key)))


@dataclass(frozen=True, slots=True)
class Known:
    """What an instance gets for a function that it knows: nothing that derivatives flow through."""

    given: ir.Atom
    atoms: tuple[ir.Atom, ...] = ()

    @property
    def display(self) -> ir.Atom:
        """What holds the function."""
        return self.given


Made = Packed | Element | Known
"""What a function gets that no argument of the call is by itself."""


class LeftOut:
    """What a parameter is given that has a computed default: the call leaves it out."""


LEFT_OUT = LeftOut()

Bound = dict[str, ir.Atom | Made | LeftOut]
"""What a call gives to each parameter."""


def atoms(argument: ir.Atom | Made | LeftOut) -> tuple[ir.Atom, ...]:
    """The atoms in what a parameter is given."""
    if isinstance(argument, LeftOut):
        return ()
    return argument.atoms if isinstance(argument, Made) else (argument,)


def bind(function: ir.Function, call: ir.Call) -> Bound | str:
    """Binds the arguments of a call to parameters; a string tells what does not fit.

    What a function has captured is bound by name.

    `*values` and `**values` are keywords of a call, under that name. Of how many values they are is
    known where the function has no defaults: as many as it lacks.
    """
    values, options = rest(function)
    held = dict(captured(call))
    positional = [p.name for p in function.parameters if p.is_positional and p.name not in held]
    args = call.args[1:] if targets.is_nested(call.function) else call.args
    bound: Bound = {**held, **dict(zip(positional, args, strict=False))}
    further = args[len(positional) :]
    if further and values is None:
        return f"{BY_NUMBER}{len(positional) + 1}"
    known = {p.name for p in function.parameters if not p.is_rest}
    others: dict[str, ir.Atom] = {}
    unpacked: dict[str, ir.Atom] = {}
    for name, atom in call.keywords:
        if name[0] == "*":
            unpacked[name] = atom
        elif isinstance(name, targets.Captured):
            continue
        elif name in bound or (name not in known and options is None):
            return name
        else:
            (bound if name in known else others)[name] = atom
    if values is not None:
        bound[values] = Packed(further)
    if options is not None:
        bound[options] = Packed(tuple(others.values()), tuple(others))
    if isinstance(called := targets.primal(call.function), targets.Instance):
        for each in called.functions:
            held_in = bound.get(each.parameter)
            if isinstance(held_in, ir.Name):
                bound[each.parameter] = Known(held_in)
    for name, atom in unpacked.items():
        if not _spread(function, bound, name, atom):
            return name
    for parameter in function.parameters:
        if parameter.name not in bound:
            if parameter.default is None:
                return parameter.name
            given = parameter.default
            bound[parameter.name] = LEFT_OUT if isinstance(given, ir.Opaque) else given
    return bound


def rest(function: ir.Function) -> tuple[str | None, str | None]:
    """The parameters `*values` and `**options` of a function, where it has them."""
    found = {p.kind: p.name for p in function.parameters if p.is_rest}
    return found.get(ir.ParameterKind.VARARGS), found.get(ir.ParameterKind.VARKEYWORDS)


def captured(call: ir.Call) -> Iterator[tuple[str, ir.Atom]]:
    """What the function of a call has captured, by the names of its parameters."""
    return ((k.of, atom) for k, atom in call.keywords if isinstance(k, targets.Captured))


def _spread(function: ir.Function, bound: Bound, name: str, atom: ir.Atom) -> bool:
    """Gives `*values` or `**values` to the parameters that have nothing yet, if that is clear."""
    is_keys = name.startswith("**")
    all_in_one = rest(function)[is_keys]
    taking = [p for p in function.parameters if p.is_positional or (is_keys and not p.is_rest)]
    lacking = [p for p in taking if p.name not in bound]
    if all_in_one is not None:
        is_clear = not lacking and bound[all_in_one] in (Packed(()), Packed((), ()))
        bound[all_in_one] = atom
        return is_clear
    for position, parameter in enumerate(lacking):
        bound[parameter.name] = Element((atom,), parameter.name if is_keys else position)
    return bool(lacking) and all(p.default is None for p in lacking)


def plain(function: ir.Function) -> ir.Function:
    """A function whose `*args` and `**options` are parameters like others, for one value each."""
    kinds = {
        ir.ParameterKind.VARARGS: ir.ParameterKind.POSITIONAL,
        ir.ParameterKind.VARKEYWORDS: ir.ParameterKind.KEYWORD,
    }
    parameters = (replace(p, kind=kinds.get(p.kind, p.kind)) for p in function.parameters)
    return replace(function, parameters=tuple(parameters))


def direct(
    function: ir.Function,
    call: ir.Call,
    bound: Bound,
    hold: Callable[[ir.Call], ir.Atom],
) -> ir.Call:
    """A call with one argument for each parameter, also where some are packed; `hold` names."""
    is_plain = all(name[0] != "*" for name, _ in call.keywords)
    is_plain &= not isinstance(call.function, targets.Nested | targets.Instance)
    if is_plain and not any(isinstance(argument, Made) for argument in bound.values()):
        return call
    given: dict[str, ir.Atom] = {}
    by_name = {
        p.name
        for p in function.parameters
        if p.kind in (ir.ParameterKind.KEYWORD, ir.ParameterKind.VARKEYWORDS)
    }
    is_behind = False
    for parameter in function.parameters:
        argument = bound[parameter.name]
        if isinstance(argument, LeftOut):
            is_behind = True
            continue
        if is_behind:
            by_name.add(parameter.name)
        if isinstance(argument, Known):
            argument = argument.given
        elif isinstance(argument, Made):
            argument = hold(argument.display)
        given[parameter.name] = argument
    args = tuple(atom for name, atom in given.items() if name not in by_name)
    keywords = tuple((name, atom) for name, atom in given.items() if name in by_name)
    return ir.Call(call.function, args, keywords, call.span)


def flowing(called: targets.Instance, bound: Bound) -> Iterator[ir.Atom]:
    """The arguments of a call of an instance that its result depends on.

    A function that it knows is none, but one of the function around has seen what is there.
    """
    known = called.functions
    inner = {each.parameter for each in known if isinstance(each.function, targets.Nested)}
    for name, argument in bound.items():
        if isinstance(argument, Known):
            yield from (argument.given,) if name in inner else ()
        else:
            yield from atoms(argument)
