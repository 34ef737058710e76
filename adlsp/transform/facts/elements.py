"""What is taken for a number, as far as the text tells: elements, and second names of numbers.

That elements are scalar is assumed (speculated), as text alone cannot tell. Where that matters,
derivatives make sure of it while they run (`modes/guards.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adlsp.transform import ir
from adlsp.transform.facts import operations, points_to
from adlsp.transform.facts.callees import Callees
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step

if TYPE_CHECKING:
    from adlsp.transform.facts.facts import Facts


def numbers(function: ir.Function) -> frozenset[str]:
    """The parameters that a function changes by `x += v` only, as one changes a number."""
    whole: set[str] = set()
    stored: set[str] = set()
    names = {p.name for p in function.parameters}
    for statement in ir.walk(function.body):
        match statement:
            case ir.Store(base=base, index=None) if base in names:
                whole.add(base)
            case ir.Store(base=base):
                stored.add(base)
            case ir.Assign(value=ir.Call(function="operator.getitem", args=(ir.Name(base), _))):
                stored.add(base)
    return frozenset(whole - stored)


def assumed_reads(facts: Facts, known: Callees) -> frozenset[ir.Assign]:
    """The statements that are taken to read numbers, in this function or in what it calls."""
    calls = (
        statement
        for statement in calls_for_numbers(facts)
        if isinstance(statement, ir.Assign)
        and isinstance(statement.value, ir.Call)
        and known.sharing(statement.value) != known.sharing(statement.value, scalar_elements=False)
    )
    return facts.element_reads() | frozenset(calls)


def calls_for_numbers(facts: Facts) -> frozenset[ir.Statement]:
    """The calls whose results are not used as arrays are."""
    arrays = _used_as_arrays(facts, facts.known)
    return frozenset(
        s
        for s in ir.walk(facts.function.body)
        if isinstance(s, ir.Assign)
        and isinstance(s.value, ir.Call)
        and arrays.isdisjoint(s.targets)
    )


def element_reads(facts: Facts, known: Callees | None) -> frozenset[ir.Assign]:
    """The statements that read elements, as far as the text tells.

    These are `a[i, j]`, `x, y = a[i]`, `x, y = a` where `a` is indexed elsewhere or one of the two
    is used as numbers are, and `max(a, b)`, which compares its arguments as one compares numbers.
    `a = s` gives a second name to a number where one of the two is used as one. What is known to
    be no number is left out.
    """
    function, places = facts.function, facts.indices
    arrays = _used_as_arrays(facts, known)
    compared = used_as_numbers(function) - arrays
    found = set()
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(
                targets=targets, value=ir.Call(function="operator.getitem", args=(_, index))
            ) if arrays.isdisjoint(targets) and places.is_element(statement, index):
                found.add(statement)
            case ir.Assign(targets=targets, value=ir.Name(id), is_tuple=True) if arrays.isdisjoint(
                targets
            ) and (id in arrays or not compared.isdisjoint(targets)):
                found.add(statement)
            case ir.Assign(
                targets=targets, value=ir.Call(function="builtins.max" | "builtins.min")
            ) if arrays.isdisjoint(targets):
                found.add(statement)
            case ir.Assign(targets=(target,), value=ir.Name(id), is_tuple=False) if (
                arrays.isdisjoint((target, id)) and not compared.isdisjoint((target, id))
            ):
                found.add(statement)
    inferred = facts.inferred
    if inferred is None:
        return frozenset(found)
    return frozenset(s for s in found if inferred.gives_numbers(s) is not False)


def _used_as_arrays(facts: Facts, known: Callees | None) -> set[str]:
    """The variables that a function indexes, runs over, or asks for what only arrays have.

    What it calls may set elements of them.
    """
    found = changed_for_others(facts)
    for statement in ir.walk(facts.function.body):
        if isinstance(statement, ir.Assign | ir.Do) and isinstance(statement.value, ir.Call):
            found.update(ir.names(() if known is None else known.stored(statement.value)))
        match statement:
            case ir.Store(base=base, index=index) if index is not None:
                found.add(base)
            case ir.For(iterable=ir.Name(id)):
                found.add(id)
            case (
                ir.Assign(value=ir.Call(function=called, args=(ir.Name(id), *_)))
                | ir.Do(value=ir.Call(function=called, args=(ir.Name(id), *_)))
            ) if operations.takes_sequences(called) or targets.is_member(called):
                found.add(id)
    return found


def changed_for_others(facts: Facts) -> set[str]:
    """The variables that `x += v` changes though nothing reads them later: no numbers.

    What others see of `x` must be meant, and they see an array that changes.
    """
    function = facts.function
    changes = [s for s in ir.walk(function.body) if isinstance(s, ir.Store) and s.index is None]
    changed = {s.base for s in changes if not isinstance(s.base, Step)}
    if changed <= {p.name for p in function.parameters}:
        return set()
    live = facts.live.after
    found = {s.base for s in changes if s.base in changed and s.base not in live[s]}
    return points_to.other_names(found, function) if found else found


def used_as_numbers(function: ir.Function) -> set[str]:
    """The variables that decide in a test how they compare, or go into a function of `math`."""
    tests: set[str] = set()
    found: set[str] = set()
    for statement in ir.walk(function.body):
        match statement:
            case ir.If(test=ir.Name(id)) | ir.While(test=ir.Name(id)):
                tests.add(id)
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call(function=called, args=args)):
                is_test = target in tests and isinstance(target, Step)
                is_test &= bool(operations.of(called).compares)
                if is_test or operations.takes_numbers(called):
                    found |= set(ir.names(args))
    return found
