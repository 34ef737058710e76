"""How a printed file calls the modules that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from adlsp.transform import ir
from adlsp.transform.emit import syntax
from adlsp.transform.frontend import resolve
from adlsp.transform.ir import targets

USUAL = {"numpy": "np", "tensorflow": "tf", "adlsp.runtime": "rt"}

WITH_PARTS = (
    "adlsp.runtime.tensors",
    "adlsp.runtime",
    "numpy",
    "scipy.stats",
    "tensorflow",
    "math",
    "builtins",
)
"""Modules whose submodules are there once they are imported; of ours, `tensors` is not."""

APART = ("tensorflow.python", "tensorflow.core")
"""Submodules that their packages have no attributes for."""


def split(dotted: str) -> tuple[str, str]:
    """A dotted name as the module to import and what to take from it."""
    if targets.is_of(dotted, resolve.IN_PYTHON):
        return "numpy", targets.member(dotted)
    for module in () if targets.is_of(dotted, *APART) else WITH_PARTS:
        if targets.is_of(dotted, module):
            return module, dotted[len(module) + 1 :]
    if dotted in WITH_PARTS:
        return dotted, ""
    module, _, attribute = dotted.rpartition(".")
    return (module, attribute) if module else (dotted, "")


def dotted_names(functions: Iterable[ir.Function]) -> Iterator[str]:
    """The dotted names that some functions use, in order of appearance."""
    for function in functions:
        for parameter in function.parameters:
            if parameter.default is not None:
                yield from _of_expression(parameter.default)
        for context in function.contexts:
            yield from _of_expression(context.value)
        for statement in ir.walk(function.body):
            for value in _expressions(statement):
                yield from _of_expression(value)


def used(functions: Iterable[ir.Function], users: frozenset[str]) -> dict[str, None]:
    """The modules to import; `builtins` only where a user's variable hides one of its names."""
    found: dict[str, None] = {}
    for dotted in dotted_names(functions):
        module, attribute = split(dotted)
        if not targets.is_unresolved(dotted) and (module != "builtins" or attribute in users):
            found[module] = None
    return found


def aliases(
    functions: Iterable[ir.Function],
    preferred: dict[str, str],
    users: frozenset[str],
    taken: frozenset[str],
) -> dict[str, str]:
    """What each module is called: as the user calls it, unless that name is taken."""
    given: dict[str, str] = {}
    for module in used(functions, users):
        wanted = preferred.get(module) or USUAL.get(module) or _usual(module)
        alias, number = wanted, 1
        while alias in users | taken or alias in given.values():
            number += 1
            alias = f"{wanted}_{number}"
        given[module] = alias
    return given


def is_named(module: str) -> bool:
    """Tells whether an import statement can name a module: `my-fit` and `01_fit` it cannot."""
    return all(map(str.isidentifier, module.split(".")))


def _usual(module: str) -> str:
    name = re.sub(r"\W", "_", module.rpartition(".")[2])
    return name if name.isidentifier() else f"_{name}"


def statement(module: str, alias: str, *, is_hidden: bool = False) -> str:
    """The import statement for a module, or for what a module has: `sys.float_info` is none.

    A module is hidden whose package has another thing by its name, as after `from .step import
    step`, or that a statement cannot name.
    """
    if is_hidden:
        return f'{alias} = import_module("{module}")'
    package, _, name = module.rpartition(".")
    known_as = "" if alias == name else f" as {alias}"
    return f"from {package} import {name}{known_as}" if package else f"import {name}{known_as}"


def _expressions(statement: ir.Statement) -> Iterable[ir.Expression]:
    match statement:
        case ir.Assign(value=value) | ir.Do(value=value) | ir.Return(value=value):
            yield value
        case ir.Store(is_each=True):
            yield ir.called(statement)
        case ir.Store(index=index, value=value):
            yield value
            if index is not None:
                yield index
        case ir.If(test=test) | ir.While(test=test) | ir.Assert(test=test):
            yield test
        case ir.For(iterable=iterable):
            yield iterable


def _of_expression(value: ir.Expression) -> Iterator[str]:
    match value:
        case ir.Global(dotted):
            yield dotted
        case ir.Opaque():
            yield from (dotted for _, dotted in value.globals)
        case ir.Call(function=function):
            yield from syntax.functions(function)
            if function == ir.OBJECT and value.args[0] != ir.Global(ir.RECORD):
                if value.args[1:]:
                    yield syntax.MADE
                elif not value.keywords:
                    yield "builtins.object"
            for atom in value.atoms:
                yield from _of_expression(atom)
