"""What a call of a user's function gives to each of its parameters.

`*args` gets a tuple and `**options` a dictionary. In a derivative such parameters are like others,
and the call makes the tuple or dictionary itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from adlsp.transform import ir


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


Bound = dict[str, ir.Atom | Packed]
"""What a call gives to each parameter."""


def atoms(argument: ir.Atom | Packed) -> tuple[ir.Atom, ...]:
    """The atoms in what a parameter is given."""
    return argument.atoms if isinstance(argument, Packed) else (argument,)


def bind(function: ir.Function, call: ir.Call) -> Bound | str:
    """Binds the arguments of a call to parameters; a string tells what does not fit."""
    kinds = {p.kind: p.name for p in function.parameters if p.kind.startswith("var")}
    positional = [p.name for p in function.parameters if p.kind == "positional"]
    bound: Bound = dict(zip(positional, call.args, strict=False))
    further = call.args[len(positional) :]
    if further and "varargs" not in kinds:
        return f"argument {len(positional) + 1}"
    known = {p.name for p in function.parameters} - set(kinds.values())
    rest: dict[str, ir.Atom] = {}
    for name, atom in call.keywords:
        if name in bound or (name not in known and "varkeywords" not in kinds):
            return name
        (bound if name in known else rest)[name] = atom
    for parameter in function.parameters:
        if parameter.kind == "varargs":
            bound[parameter.name] = Packed(further)
        elif parameter.kind == "varkeywords":
            bound[parameter.name] = Packed(tuple(rest.values()), tuple(rest))
        elif parameter.name not in bound:
            if parameter.default is None:
                return parameter.name
            bound[parameter.name] = parameter.default
    return bound


def plain(function: ir.Function) -> ir.Function:
    """A function whose `*args` and `**options` are parameters like others, for one value each."""
    kinds = {"varargs": "positional", "varkeywords": "keyword"}
    parameters = (replace(p, kind=kinds.get(p.kind, p.kind)) for p in function.parameters)
    return replace(function, parameters=tuple(parameters))


def direct(
    function: ir.Function,
    call: ir.Call,
    bound: Bound,
    hold: Callable[[ir.Call], ir.Atom],
) -> ir.Call:
    """A call with one argument for each parameter, where the function packs some; `hold` names."""
    if not any(isinstance(argument, Packed) for argument in bound.values()):
        return call
    given = {
        p.name: hold(argument.display) if isinstance(argument, Packed) else argument
        for p in function.parameters
        if (argument := bound[p.name]) is not None
    }
    by_name = {p.name for p in function.parameters if p.kind in ("keyword", "varkeywords")}
    args = tuple(atom for name, atom in given.items() if name not in by_name)
    keywords = tuple((name, atom) for name, atom in given.items() if name in by_name)
    return ir.Call(call.function, args, keywords, call.span)
