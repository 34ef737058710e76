"""What memory statements hand on, from variable to variable.

This is a points-to analysis by inclusion, insensitive to flow (Andersen, Program analysis and
specialization for the C programming language, 1994), over names instead of sites. The order of
statements does not matter here: in `a = m[0]`, `b = a`, `a = 0.5` the memory of `b` comes from `a`,
although the two have nothing in common any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.callees import Callees
from adlsp.transform.facts.graphs import reached
from adlsp.transform.facts.views import is_apart, may_view, viewed
from adlsp.transform.ir import targets
from adlsp.transform.ops.spec import CONTAINERS


def ancestors(names: Iterable[str], function: ir.Function, known: Callees | None) -> set[str]:
    """The names, and all from which the memory of one of them may come, numbers or not.

    The closure of `edges`; `descendants` is the other way.
    """
    return _closed(names, edges(function, known))


def descendants(names: Iterable[str], function: ir.Function, known: Callees | None) -> set[str]:
    """The names, and all that may have memory from one of them, numbers or not."""
    return _closed(names, ((source, target) for target, source in edges(function, known)))


def other_names(names: Iterable[str], function: ir.Function) -> set[str]:
    """The names, and those of which they are further ones: `b = a`, `b, c = a, d`."""
    return _closed(names, _renamed(function))


def _renamed(function: ir.Function) -> Iterator[tuple[str, str]]:
    """Pairs of a name and one that it is given as a further one of."""
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=(target,), value=ir.Name(id), is_tuple=False):
                yield target, id
            case ir.Assign(targets=targets, value=ir.Call("python.tuple", args), is_tuple=True):
                for target, given in zip(targets, args, strict=False):
                    yield from ((target, name) for name in ir.names((given,)))


def _closed(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> set[str]:
    """The names, and all that pairs lead to from them."""
    following: dict[str, list[str]] = {}
    for one, other in pairs:
        following.setdefault(one, []).append(other)
    return {*reached(names, lambda name: following.get(name, ()))}


def edges(function: ir.Function, known: Callees | None) -> Iterator[tuple[str, str]]:
    """Pairs of variables: one whose memory may come from the other by a statement: subset edges."""
    copies = copies_of_containers(function.body)
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=targets):
                is_listed = statement in copies
                given = parts(statement, known, scalar_elements=False, is_listed=is_listed)
                for target, part in zip(targets, given, strict=True):
                    yield from ((target, source) for source in ir.names(part))
            case ir.Do(value=ir.Opaque(writes=written, reads=read)):
                yield from ((name, source) for name in written for source in read)
            case ir.Do(value=ir.Call(args=(ir.Name(id), *rest))):
                yield from ((id, source) for source in ir.names(tuple(rest)))
            case ir.Store(base=base, value=ir.Name(id), kind=kind) if kind.keeps_value:
                yield base, id
            case ir.For(target=target, iterable=ir.Name(id)):
                yield target, id


def containers_made(block: ir.Block) -> set[str]:
    """The variables of a block that are bound to nothing but lists, sets, and their like."""
    made, others = set[str](), set[str]()
    for statement in ir.walk(block):
        match statement:
            case ir.Assign(value=ir.Call(called), is_tuple=False) if (
                operations.of(called).gives in CONTAINERS
            ):
                made.update(statement.targets)
            case ir.Assign() | ir.For():
                others.update(ir.writes(statement))
    return made - others


def copies_of_containers(block: ir.Block) -> frozenset[ir.Statement]:
    """The statements that copy a list or dictionary which is made here: it holds the same."""
    copies = [
        (statement, name)
        for statement in ir.walk(block)
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call)
        if statement.value.function == "ndarray.copy"
        for name in ir.names(statement.value.args)
    ]
    made = containers_made(block) if copies else ()
    return frozenset(statement for statement, name in copies if name in made)


OUTSIDE = ir.Global(ir.KEPT)
"""What functions keep that a function is given, or that a module holds: others have it, too."""


def parts(
    statement: ir.Assign,
    known: Callees | None,
    *,
    scalar_elements: bool,
    is_listed: bool = False,
    are_held: bool = False,
) -> list[tuple[ir.Atom, ...]]:
    """For each target the atoms that it may share memory with.

    `scalar_elements`: a call gives numbers where it gives elements. `is_listed`: it copies a list.
    `are_held`: it puts things into lists and dictionaries that it is given.
    """
    value, n_targets = statement.value, len(statement.targets)
    match value:
        case ir.Call(function="python.tuple", args=args) if len(args) == n_targets > 1:
            return [() if isinstance(atom, ir.Const) else (atom,) for atom in args]
        case ir.Call(function="python.repeat", args=(repeated, _)):
            return [(repeated,)] * n_targets
        case ir.Call():
            shared = None
            if known is not None:
                shared = known.sharing(value, scalar_elements=scalar_elements, are_held=are_held)
            if shared is not None and is_listed:
                return [value.args] * n_targets
            if shared is not None:
                if len(shared) == n_targets:
                    return list(shared)
                merged = tuple(dict.fromkeys(atom for part in shared for atom in part))
                return [merged] * n_targets
    if not may_view(value) and not is_listed:
        is_kept = isinstance(value, ir.Opaque) and not is_apart(value)
        return [tuple(_outside(value, known)) if is_kept else ()] * n_targets
    if isinstance(value, ir.Call) and value.function == "operator.getitem":
        return [value.args[:1]] * n_targets
    match value:
        case ir.Global():
            return [(value,)] * n_targets
        case ir.Call(function=function, args=args) if function in ir.STATES.values():
            return [args] * n_targets
        case ir.Call(function=ir.KEPT, args=(keeping, _)):
            return [(keeping, OUTSIDE)] * n_targets
        case ir.Call(function=function, args=args) if targets.is_attribute(function):
            return [(*args, *shared_by_objects(function, known))] * n_targets
    return [(*map(ir.Name, viewed(value)), *_outside(value, known))] * n_targets


def _outside(value: ir.Expression, known: Callees | None) -> Iterator[ir.Global]:
    """The variables of modules that an expression reads, and that may hold what is changed."""
    match value:
        case ir.Call():
            read = [*filter(ir.is_global, value.atoms)]
        case ir.Opaque():
            read = [ir.Global(dotted) for _, dotted in value.globals]
        case _:
            return
    for one in read:
        if known is None or known.may_be_changed(one.dotted):
            yield one


def shared_by_objects(function: str, known: Callees | None) -> tuple[ir.Global, ...]:
    """What an attribute may be that no object has of its own: it is what classes hold by its name.

    That goes by no more than the name, as it is not known of what the attribute is.
    """
    name = targets.member(function)
    is_shared = known is not None and known.shares_attribute(name)
    return (ir.class_variable(name),) if is_shared else ()


def copied_parts(block: ir.Block) -> frozenset[str]:
    """The names of parts of arrays that are changed by these names and put back."""
    return frozenset(
        statement.targets[0]
        for statement in ir.walk(block)
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Call)
        if statement.value.function == "adlsp.runtime.part"
    )
