"""What a derivative makes sure of while it runs, where the text does not tell.

- What was taken for a number is one (`analyses/elements.py`), or is not changed (`unshared`).
- What a call changes by `x += v`, without a derivative, is a number (`number`).
- A list that is copied by `xs.copy()` holds no arrays that are changed afterwards (`plain`).
- An array that is changed in a list is there only once (`alone`).
"""

from __future__ import annotations

from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.analyses import (
    aliases,
    arrays,
    containers,
    descent,
    elements,
    indices,
    liveness,
    versions,
)
from adlsp.transform.analyses.activity import activity
from adlsp.transform.normal import handback
from adlsp.transform.program import Program
from adlsp.transform.reverse.steps import RUNTIME


def guarded(
    function: ir.Function, wrt: tuple[str, ...], known: Program, *, is_root: bool
) -> ir.Function:
    """The function with its guards."""
    plain = _plain_copies(function, known)
    lent = "part" if is_root else "number"
    return _elements(_numbers(_own_elements(plain, known), wrt, known), known, lent)


def _elements(function: ir.Function, known: Program, lent: str) -> ir.Function:
    """The function with guards where what was taken for a number may be a part of an array.

    What the function changes may be the caller's, by way of a list: a root changes a copy of it, in
    what others call it must be a number. `lent` is what sees to that.
    """
    assumed, changed = _assumed(function, known), _lent(function, known)
    step = ir.last_step(function)

    def block(inner: ir.Block) -> ir.Block:
        nonlocal step
        out: list[ir.Statement] = []
        for statement in inner:
            if statement not in assumed and statement not in changed:
                out.append(ir.rebuilt(statement, block=block))
                continue
            assert isinstance(statement, ir.Assign)
            shared = assumed.get(statement, [])
            owner = _owner(statement.value)
            if isinstance(owner, ir.Call):
                step += 1
                both = ir.step(step)
                if shared:
                    out.append(replace(statement, targets=(both,), value=owner, is_tuple=False))
                owner = ir.Name(both)
            if isinstance(owner, ir.Name) and owner.id in statement.targets and shared:
                shared = list(statement.targets)
            held: dict[str, str] = {}
            for name in (*shared, *changed.get(statement, ())):
                if name not in held:
                    step += 1
                    held[name] = ir.step(step)
            targets = tuple(held.get(name, name) for name in statement.targets)
            out.append(replace(statement, targets=targets))
            for name, element in held.items():
                call = ir.Call(f"{RUNTIME}.{lent}", (ir.Name(element),))
                if name in shared:
                    call = ir.Call(f"{RUNTIME}.unshared", (ir.Name(element), owner))
                out.append(replace(statement, targets=(name,), value=call, is_tuple=False))
        return tuple(out)

    return replace(function, body=block(function.body)) if assumed or changed else function


def _lent(function: ir.Function, known: Program) -> dict[ir.Statement, list[str]]:
    """The reads of elements that `x += v` changes, which may be arrays of the caller.

    Of each the names that they give to such elements.
    """
    stores = [s for s in ir.walk(function.body) if isinstance(s, ir.Store) and s.index is None]
    if not stores:
        return {}
    relaxed = aliases.aliases(function, known)
    strict = aliases.aliases(function, known, are_numbers=False)
    named = {s.base for s in stores if strict.parameters(s, s.base) - relaxed.parameters(s, s.base)}
    return _reads_of(named, function, known)


def _assumed(function: ir.Function, known: Program) -> dict[ir.Statement, list[str]]:
    """The reads of elements that must be numbers, so that a store leaves other names alone.

    Of each the names that they give to such elements.
    """
    walked = ir.walk(function.body)
    changing = [s for s in walked if isinstance(s, ir.Store) and not ir.resizes(s)]
    stores = [s for s in changing if not ir.sets_cell(s)]
    if not stores:
        return {}
    relaxed = aliases.aliases(function, known)
    strict = aliases.aliases(function, known, are_numbers=False)
    live = liveness.live_after(function)
    named: set[str] = set()
    for store in stores:
        more = strict.shared(store, store.base) - relaxed.shared(store, store.base)
        if later := more & live[store]:
            named |= {store.base, *later}
    return _reads_of(named, function, known)


def _reads_of(
    named: set[str], function: ir.Function, known: Program
) -> dict[ir.Statement, list[str]]:
    """The reads of what is taken for numbers from which variables may come, with their names."""
    named = descent.ancestors(named, function, known) if named else named
    return {
        read: [name for name in read.targets if name in named]
        for read in elements.assumed_reads(function, known)
        if not named.isdisjoint(read.targets)
    }


def _owner(read: ir.Expression) -> ir.Atom | ir.Call:
    """What an element was read from; where that may be several things, a tuple of them."""
    match read:
        case ir.Call(function="operator.getitem", args=(base, _)) | ir.Call(args=(base,)):
            return base
        case ir.Call():
            return ir.Call("python.tuple", read.atoms)
    assert isinstance(read, ir.Name)
    return read


def _own_elements(function: ir.Function, known: Program) -> ir.Function:
    """The function with guards where `s[i] += v` may change an array that somebody else holds."""
    if not any(ir.sets_cell(s) and s.operation == "change" for s in ir.walk(function.body)):
        return function
    facts = aliases.aliases(function, known, are_numbers=False)
    numbered = versions.versions(function)
    live = liveness.live_after(function)
    number = ir.last_step(function)

    def block(inner: ir.Block) -> ir.Block:
        nonlocal number
        out: list[ir.Statement] = []
        for statement in inner:
            out.append(ir.rebuilt(statement, block=block))
            if not (ir.sets_cell(statement) and statement.operation == "change"):
                continue
            read, changed, store = out[-3:]
            assert isinstance(read, ir.Assign)
            if not containers.holds_each_once(
                function, numbered, statement, statement.base, 1, n_given=1
            ):
                number += 1
                alone = ir.Call(
                    f"{RUNTIME}.alone", (ir.Name(ir.step(number)), ir.Name(statement.base))
                )
                out[-3:] = [
                    replace(read, targets=(ir.step(number),)),
                    replace(read, value=alone),
                    changed,
                    store,
                ]
                read = out[-3]
                assert isinstance(read, ir.Assign)
            shared = facts.shared(statement, statement.base) & live[statement]
            others = sorted(name for name in shared - {statement.base} if not ir.is_step(name))
            if others:
                element, owners = ir.step(number + 1), ir.step(number + 2)
                number += 2
                pack = ir.Call("python.tuple", tuple(map(ir.Name, others)))
                guard = ir.Call(f"{RUNTIME}.unshared", (ir.Name(element), ir.Name(owners)))
                out[-3:] = [
                    replace(read, targets=(element,)),
                    replace(read, targets=(owners,), value=pack),
                    replace(read, value=guard),
                    changed,
                    store,
                ]
        return tuple(out)

    return replace(function, body=block(function.body))


def _numbers(function: ir.Function, wrt: tuple[str, ...], known: Program) -> ir.Function:
    """The function with guards where a call without a derivative may change an active array.

    The callee changes its parameter by `x += v`, which is right for a number.
    """
    calls: dict[ir.Statement, tuple[str, ...]] = {}
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                if not handback.is_handback(call.function) and known.rule(call.function) is None:
                    calls[statement] = tuple(ir.names(known.changed(call)))
    if not any(calls.values()):
        return function
    active = activity(function, wrt, known.flow)
    shared = aliases.aliases(function, known, are_numbers=False)
    number = ir.last_step(function)

    def must_be_number(statement: ir.Statement, name: str) -> bool:
        others = {name, *shared.shared(statement, name)}
        is_useful = not others.isdisjoint(active.useful_after[statement])
        return is_useful and name in active.varied_before[statement]

    def block(inner: ir.Block) -> ir.Block:
        nonlocal number
        out: list[ir.Statement] = []
        for statement in inner:
            numbers: dict[str, str] = {}
            if not active.is_active(statement):
                for name in calls.get(statement, ()):
                    if must_be_number(statement, name):
                        number += 1
                        numbers[name] = ir.step(number)
                        call = ir.Call(f"{RUNTIME}.number", (ir.Name(name),))
                        out.append(ir.Assign((numbers[name],), call, statement.origin))
            out.append(
                _renamed(statement, numbers) if numbers else ir.rebuilt(statement, block=block)
            )
        return tuple(out)

    return replace(function, body=block(function.body))


def _renamed(statement: ir.Statement, names: dict[str, str]) -> ir.Statement:
    """A statement that reads other variables instead of some."""

    def atom(given: ir.Atom) -> ir.Atom:
        return ir.Name(names.get(given.id, given.id)) if isinstance(given, ir.Name) else given

    return ir.rebuilt(statement, atom)


def _plain_copies(function: ir.Function, known: Program) -> ir.Function:
    """The function with guards where `xs.copy()` may be of a list whose arrays are then changed."""
    copies = _copies(function)
    if not copies:
        return function
    strict = aliases.aliases(function, known, are_numbers=False)
    listed = aliases.aliases(function, known, are_numbers=False, listed=copies)
    live = liveness.live_after(function)
    made = {s.targets[0] for s in copies}
    parts = _parts(function)
    if not any(
        not (listed.shared(s, name) - strict.shared(s, name)).isdisjoint(live[s])
        for s in ir.walk(function.body)
        if not _sets_element(s, made, parts)
        for name in aliases.changed(s, known)
    ):
        return function

    number = ir.last_step(function)

    def block(inner: ir.Block) -> ir.Block:
        nonlocal number
        out: list[ir.Statement] = []
        for statement in inner:
            match statement:
                case ir.Assign(value=ir.Call(args=args) as call) if statement in copies:
                    number += 1
                    plain, step = ir.Call(f"{RUNTIME}.plain", args), ir.step(number)
                    out.append(replace(statement, targets=(step,), value=plain))
                    out.append(replace(statement, value=replace(call, args=(ir.Name(step),))))
                case _:
                    out.append(ir.rebuilt(statement, block=block))
        return tuple(out)

    return replace(function, body=block(function.body))


def _copies(function: ir.Function) -> frozenset[ir.Assign]:
    """The statements that copy what may be a list, `ys = xs.copy()`."""
    copies = [
        (statement, name)
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign) and not statement.is_tuple
        if isinstance(statement.value, ir.Call) and statement.value.function == "ndarray.copy"
        for name in ir.names(statement.value.args[:1])
    ]
    if not copies:
        return frozenset()
    numbered = versions.versions(function)
    places = indices.Indices(function, numbered)
    whole = arrays.arrays(function, numbered, places, is_derived=False)
    return frozenset(statement for statement, name in copies if name not in whole)


def _sets_element(statement: ir.Statement, made: set[str], parts: set[str]) -> bool:
    """Tells whether a statement puts something into a copy, which leaves what it holds alone.

    So does `ys += v`, for a list. One of the `parts` of an array is put back after it has changed.
    """
    match statement:
        case ir.Store(base=base, operation="", index=ir.Name() | ir.Const(), value=value):
            return base in made and parts.isdisjoint(ir.names((value,)))
        case ir.Store(base=base, index=None):
            return base in made - parts
    return False


def _parts(function: ir.Function) -> set[str]:
    """The names of parts of arrays that are changed by these names (`normal/through.py`)."""
    return {
        s.targets[0]
        for s in ir.walk(function.body)
        if isinstance(s, ir.Assign)
        if isinstance(s.value, ir.Call) and s.value.function == f"{RUNTIME}.part"
    }
