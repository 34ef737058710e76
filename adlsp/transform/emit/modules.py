"""How a printed file calls the modules that it uses."""

from __future__ import annotations

from collections.abc import Iterable

from adlsp.transform import ir

USUAL = {"numpy": "np", "adlsp.runtime": "rt"}

WITH_PARTS = {"numpy", "adlsp.runtime", "math", "builtins"}
"""Modules whose submodules are there once they are imported."""


def split(dotted: str) -> tuple[str, str]:
    """A dotted name as the module to import and what to take from it."""
    for module in WITH_PARTS:
        if dotted.startswith(f"{module}."):
            return module, dotted[len(module) + 1 :]
    if dotted in WITH_PARTS:
        return dotted, ""
    module, _, attribute = dotted.rpartition(".")
    return (module, attribute) if module else (dotted, "")


def used(functions: Iterable[ir.Function]) -> dict[str, None]:
    """The modules that some functions use, in order of appearance."""
    found: dict[str, None] = {}
    for function in functions:
        for parameter in function.parameters:
            if isinstance(parameter.default, ir.Global):
                _note(found, parameter.default.dotted)
        for statement in ir.walk(function.body):
            for value in _expressions(statement):
                _of_expression(found, value)
    return found


def aliases(
    functions: Iterable[ir.Function], preferred: dict[str, str], taken: frozenset[str]
) -> dict[str, str]:
    """What each module is called: as the user calls it, unless that name is taken."""
    given: dict[str, str] = {}
    for module in used(functions):
        wanted = preferred.get(module) or USUAL.get(module) or module.rpartition(".")[2]
        alias, number = wanted, 1
        while alias in taken or alias in given.values():
            number += 1
            alias = f"{wanted}_{number}"
        given[module] = alias
    return given


def statement(module: str, alias: str) -> str:
    """The import statement for a module."""
    package, _, name = module.rpartition(".")
    if module == "adlsp.runtime":
        return f"from {package} import {name} as {alias}"
    return f"import {module}" if alias == module else f"import {module} as {alias}"


def _expressions(statement: ir.Statement) -> Iterable[ir.Expression]:
    match statement:
        case ir.Assign(value=value) | ir.Do(value=value) | ir.Return(value=value):
            yield value
        case ir.Store(index=index, value=value):
            yield value
            if index is not None:
                yield index
        case ir.If(test=test) | ir.While(test=test) | ir.Assert(test=test):
            yield test
        case ir.For(iterable=iterable):
            yield iterable


def _of_expression(found: dict[str, None], value: ir.Expression) -> None:
    match value:
        case ir.Global(dotted):
            _note(found, dotted)
        case ir.Opaque():
            for _, dotted in value.globals:
                _note(found, dotted)
        case ir.Call(function, _, _):
            if _is_named(function):
                _note(found, function)
            for atom in value.atoms:
                _of_expression(found, atom)


def _is_named(function: str) -> bool:
    """Tells a function of a module from operators, methods, displays and pairs."""
    return not function.startswith(("python.", "operator.", "ndarray.", "attribute.", "pair."))


def _note(found: dict[str, None], dotted: str) -> None:
    module, _ = split(dotted)
    if not dotted.startswith("?") and module != "builtins":
        found[module] = None
