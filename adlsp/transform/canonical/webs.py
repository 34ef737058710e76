"""One name for two things: `parts = []`, then `parts = sum(parts)`, are two variables.

The uses of a name fall into webs: what one binding of it reaches, with all other bindings that
reach the same uses. Where one web is of lists or dictionaries that the function makes, and another
one of something else, the first gets a variable of its own, so that what is asked of a name has one
answer.

(Muchnick, Advanced Compiler Design and Implementation, 1997, section 16.3.3.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.canonical.alias_names import FirstNames
from adlsp.transform.canonical.unrolling import renamed
from adlsp.transform.facts import containers
from adlsp.transform.facts.callees import Callees
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir.variables import readable
from adlsp.transform.source import Span


def split(function: ir.Function, known: Callees) -> tuple[ir.Function, FirstNames]:
    """The function with variables of their own for lists and dictionaries whose names mean more.

    And what these are called, by the statement that mentions them and the user's name.
    """
    if not _binds_twice(function):
        return function, {}
    numbered = known.facts(function).versions
    names = _names(function, numbered)
    if not names:
        return function, {}
    called, bound = FirstNames(), set[tuple[Span, str]]()

    def block(statements: ir.Block) -> ir.Block:
        return tuple(map(again, statements))

    def again(statement: ir.Statement) -> ir.Statement:
        read = _now(names, numbered.reads, statement, ir.reads(statement))
        written = _now(names, numbered.writes, statement, ir.writes(statement))
        called.update({(statement.origin, n): own for n, own in {**read, **written}.items()})
        bound.update((statement.origin, n) for n in ir.writes(statement) if n not in written)

        def atom(given: ir.Atom) -> ir.Atom:
            return ir.Name(read.get(given.id, given.id)) if isinstance(given, ir.Name) else given

        made = ir.rewritten(statement, atom, lambda name: written.get(name, name), block)
        match made:
            case ir.Assign(value=ir.Opaque(unfolded=(steps, result)) as kept) if read:
                calls = tuple((f, tuple(read.get(n, n) for n in given)) for f, given in kept.calls)
                unfolded = renamed(steps, read), result
                return replace(made, value=replace(kept, unfolded=unfolded, calls=calls))
        return made

    body = block(function.body)
    for mention in bound:  # what a statement binds is what a person looks for in its line
        called.pop(mention, None)
    return replace(function, body=body), called


def _binds_twice(function: ir.Function) -> bool:
    """Tells whether a name is bound to a list or dictionary, and bound again."""
    met, of_containers = {p.name for p in function.parameters}, set[str]()
    twice = set[str]()
    for statement in ir.walk(function.body):
        if isinstance(statement, ir.Assign | ir.For):
            bound = {*ir.writes(statement)}
            twice |= bound & met
            met |= bound
            if containers.makes_container(statement) or _is_tuple(statement):
                of_containers |= bound
    return not twice.isdisjoint(of_containers)


def _is_tuple(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Assign) and (
        isinstance(statement.value, ir.Call) and statement.value.function == "python.tuple"
    )


def _now(
    names: Mapping[int, str],
    versions: Mapping[tuple[ir.Statement, str], Version],
    statement: ir.Statement,
    mentioned: Iterable[str],
) -> dict[str, str]:
    """What the variables are called now that a statement mentions, where that is another name."""
    found = ((name, versions.get((statement, name))) for name in mentioned)
    return {n: names[v.number] for n, v in found if v is not None and v.number in names}


def _names(function: ir.Function, numbered: Versions) -> dict[int, str]:
    """The names of variables of their own, by the numbers of versions."""
    kept = {name for s in ir.walk(function.body) for name in _kept(s)}
    fresh, found = ir.fresh(function), dict[int, str]()
    webs = defaultdict[str, list[list[Version]]](list)
    for web in _webs(numbered):
        webs[web[0].name].append(web)
    for name, every in webs.items():
        kinds = [_kinds(web, numbered) for web in every]
        if name in kept or len({*kinds}) < 2:
            continue
        for web, kind in zip(every, kinds, strict=True):
            if len(kind) == 1 and None not in kind:
                own = fresh.own(readable(name))
                found |= {version.number: own for version in web}
    return found


def _kept(statement: ir.Statement) -> Iterable[str]:
    """The variables of a statement whose names stand in the user's text, or are asked for."""
    match statement:
        case ir.Assign(value=ir.Opaque() as kept) | ir.Do(value=ir.Opaque() as kept):
            captured = kept.function.captured if kept.function is not None else ()
            return (*kept.writes, *(name for _, name in captured))
        case ir.Insert():
            return (*ir.reads(statement), *ir.writes(statement))
    return ()


def _webs(numbered: Versions) -> list[list[Version]]:
    """The versions that are one variable, since some use may read each."""
    first: dict[int, int] = {version.number: version.number for version in numbered.every}

    def root(number: int) -> int:
        while first[number] != number:
            first[number] = first[first[number]]
            number = first[number]
        return number

    for version in numbered.every:
        for prior in version.priors:
            first[root(version.number)] = root(prior.number)
    for (statement, name), version in numbered.writes.items():
        before = numbered.reads.get((statement, name))
        if before is not None and not isinstance(statement, ir.Assign):  # `y.append(v)`
            first[root(version.number)] = root(before.number)
    groups = defaultdict[int, list[Version]](list)
    for version in numbered.every:
        groups[root(version.number)].append(version)
    return [*groups.values()]


def _kinds(web: list[Version], numbered: Versions) -> frozenset[object]:
    """What the versions of a web surely are; None for what is no list or dictionary."""
    unbound = (VersionKind.UNBOUND,)
    return frozenset(containers.display_kind(v, numbered) for v in web if v.kind not in unbound)
