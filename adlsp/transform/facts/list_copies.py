"""What may be the copy of a list whose arrays are changed by it, as they are the same ones.

The text of `ys = xs.copy()`, of a slice, and of a sum of two, does not tell whether `xs` is a list
or an array. It is taken for an array; a derivative makes sure of that where it matters: where
others read what is changed, or the caller may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from adlsp.transform import ir
from adlsp.transform.facts import aliases, points_to
from adlsp.transform.facts.versions import VersionKind
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import StoreKind, targets

if TYPE_CHECKING:
    from adlsp.transform.facts.facts import Facts

COPYING = ("ndarray.copy", "adlsp.runtime.part")
"""The calls that copy a list or an array."""

Path = tuple[object, ...]
"""The attributes and keys by which one comes from something to a part of it."""

Place = tuple[str, Path]
"""A parameter, and the way from there."""

MOST = 8
"""By how many steps it is followed where something comes from."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What must be no list of arrays, by the parameter that has it, and the keys from there to it.

    That is where a caller has it, `changed`, as the function changes what its copy holds, or
    `given` back as what that holds; where the copy itself is given, it is `copied`. Of parameters
    that are `doubted` it is changed in places that are not told: loops come to them, or indices
    that are computed.
    """

    changed: frozenset[Place] = frozenset()
    given: frozenset[Place] = frozenset()
    copied: frozenset[Place] = frozenset()
    doubted: frozenset[str] = frozenset()

    def __or__(self, other: Copied) -> Copied:
        given, copied = self.given | other.given, self.copied | other.copied
        return Copied(self.changed | other.changed, given, copied, self.doubted | other.doubted)


def copies(facts: Facts) -> frozenset[ir.Assign]:
    """The statements that give what may be the copy of a list, or hold what one does."""
    return _copies(facts) | {s for s, _, _ in giving(facts) if isinstance(s, ir.Assign)}


def _copies(facts: Facts) -> frozenset[ir.Assign]:
    """The statements that copy what may be a list, `ys = xs.copy()`, or a slice of one."""
    function = facts.function
    found = [
        (statement, name)
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign) and not statement.is_tuple
        if isinstance(statement.value, ir.Call)
        if statement.value.function in COPYING
        for name in ir.names(statement.value.args[:1])
    ]
    if not found:
        return frozenset()
    places, whole, shared = facts.indices, facts.arrays(), facts.aliases(scalar_elements=False)
    stores = [s for s in ir.walk(function.body) if isinstance(s, ir.Store)]

    def is_of_list(copy: ir.Assign, name: str) -> bool:
        assert isinstance(copy.value, ir.Call)
        if name in whole or copy.value.function == "ndarray.copy":
            return name not in whole
        match places.source(copy, ir.Name(name)):
            case ir.Assign(value=ir.Call("operator.getitem", (owner, index))) as read:
                return places.is_slice(read, index) and changes_held(copy, owner)
        return False

    def changes_held(copy: ir.Assign, owner: ir.Atom) -> bool:
        """Tells whether what a copy holds may be changed, if it is a list, and not that alone."""
        (made,) = copy.targets
        return any(
            places.is_path(s, s.index) or (not s.kind.replaces and places.may_be_cell(s))
            if s.base == made
            else ir.Name(s.base) != owner and made in shared.shared(s, s.base)
            for s in stores
        )

    return frozenset(copy for copy, name in found if is_of_list(copy, name))


def sums(facts: Facts) -> frozenset[ir.Assign]:
    """The sums that may be of lists, `xs + ys` and `xs * 2`, whose parts the function changes."""
    found = _sums(facts)
    if not found:
        return found
    walked = ir.walk(facts.function.body)
    changed = {name for s in walked for name in _changed(s, facts)}
    holding = points_to.ancestors(changed, facts.function, facts.known) if changed else changed
    return frozenset(s for s in found if not holding.isdisjoint((*s.targets, *ir.reads(s))))


def _sums(facts: Facts) -> frozenset[ir.Assign]:
    """The sums that may be of lists: nothing else says of what is added that it is none."""
    walked = ir.walk(facts.function.body)
    found = [s for s in walked if isinstance(s, ir.Assign) and _may_join(s.value)]
    if not found:
        return frozenset()
    places, whole = facts.indices, facts.arrays(is_derived=True)
    return frozenset(
        s
        for s in found
        if whole.isdisjoint(ir.reads(s))
        and not any(places.is_integer(s, ir.Name(name)) for name in ir.reads(s))
    )


def are_changed(facts: Facts, copied: frozenset[ir.Assign], *, is_root: bool) -> bool:
    """Tells whether what copies hold, taken to be of lists, is changed while others read it.

    What the caller has, it may read later.
    """
    changes = [*_changes(facts, copied)]
    if not changes:
        return False
    live, strict = facts.live.after, facts.aliases(scalar_elements=False)
    listed = _listed(facts, copied)
    return any(
        not (listed.shared(s, name) - strict.shared(s, name)).isdisjoint(live[s])
        or not (is_root or listed.parameters(s, name) <= strict.parameters(s, name))
        for s, name in changes
    )


def summary(facts: Facts) -> Copied:
    """What a function changes or gives of what its caller has, by copies of lists."""
    found = Copied()
    every = (*copies(facts), *_sums(facts))
    if every and _reached(facts, frozenset(every)) != Copied():  # most copy what is their own
        for copy in every:
            found |= _reached(facts, frozenset((copy,)))
    changed, doubted = set[Place](), set[str]()
    for statement, atom, path in changing(facts):
        place = _at(facts, statement, atom, path)
        changed |= {place} if place else set()
        if place is None and isinstance(atom, ir.Name):
            strict = facts.aliases(scalar_elements=False)
            doubted |= strict.parameters(statement, atom.id)
    return found | Copied(changed=frozenset(changed), doubted=frozenset(doubted))


def _reached(facts: Facts, copied: frozenset[ir.Assign]) -> Copied:
    """What a function changes or gives of its caller's, if what some statements copy are lists."""
    sources = [_at(facts, s, *each) for s, found in of(facts, copied).items() for each in found]
    places = frozenset(place for place in sources if place is not None)
    listed, strict = _listed(facts, copied), facts.aliases(scalar_elements=False)

    def reached(statement: ir.Statement, name: str) -> frozenset[str]:
        return listed.parameters(statement, name) - strict.parameters(statement, name)

    changed = frozenset[str]().union(*(reached(s, n) for s, n in _changes(facts, copied)))
    end = facts.function.body[-1]
    result = ir.names((end.value,)) if isinstance(end, ir.Return) else ()
    given = [name for name in result if reached(end, name)]
    is_copy = not {name for copy in copied for name in copy.targets}.isdisjoint(given)
    return Copied(
        changed=places if changed else frozenset(),
        given=places if given and not is_copy else frozenset(),
        copied=places if is_copy else frozenset(),
        doubted=changed if None in sources else frozenset(),
    )


def of(facts: Facts, copied: frozenset[ir.Assign]) -> dict[ir.Assign, list[tuple[ir.Atom, Path]]]:
    """What statements copy, or users' functions that they call: atoms, or parts of these."""
    given: dict[ir.Statement, list[tuple[ir.Atom, Path]]] = {}
    for statement, atom, path in giving(facts):
        given.setdefault(statement, []).append((atom, path))
    return {s: given.get(s) or [(ir.Name(name), ()) for name in ir.reads(s)] for s in copied}


def changing(facts: Facts) -> list[tuple[ir.Statement, ir.Atom, Path]]:
    """The calls of functions that change what is held by copies of what they are given."""
    return [*_calls(facts, lambda c: c.changed)]


def giving(facts: Facts) -> list[tuple[ir.Statement, ir.Atom, Path]]:
    """The calls of functions that give what is held by copies of what they are given."""
    return [*_calls(facts, lambda c: c.given | c.copied)]


def _calls(
    facts: Facts, which: Callable[[Copied], frozenset[Place]]
) -> Iterator[tuple[ir.Statement, ir.Atom, Path]]:
    """The calls of users' functions that copy what they are given, or a part of it."""
    known = facts.known
    if known is None:
        return
    for statement in ir.walk(facts.function.body):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                for name, path in sorted(which(known.copied(call)), key=repr):
                    yield from ((statement, atom, path) for atom in known.argument(call, name))


def _at(facts: Facts, statement: ir.Statement, atom: ir.Atom, path: Path) -> Place | None:
    """Where the caller has a part of what a statement reads, if it is surely there."""
    found = place(facts, statement, atom)
    return None if found is None else (found[0], (*found[1], *path))


def place(facts: Facts, statement: ir.Statement, atom: ir.Atom) -> Place | None:
    """Where the caller has what a statement reads, if it is surely there."""
    path: list[object] = []
    while isinstance(atom, ir.Name) and len(path) <= MOST:
        version = facts.versions.reads.get((statement, atom.id))
        if version is None or version.meets:
            return None
        if version.kind is VersionKind.PARAMETER:
            return atom.id, tuple(reversed(path))
        match version.statement:
            case ir.Assign((_,), ir.Name() as other) as made:
                statement, atom = made, other
            case ir.Assign((_,), ir.Call("operator.getitem", (base, index))) as made if (
                facts.indices.is_slice(made, index)  # a part of the list holds the same arrays
            ):
                statement, atom = made, base
            case ir.Assign((_,), ir.Call("operator.getitem", (base, ir.Const(key)))) as made:
                statement, atom = made, base
                path.append(key)
            case ir.Assign((_,), ir.Call(function, (base,))) as made if targets.is_attribute(
                function
            ):
                statement, atom = made, base
                path.append(ir.Attribute(targets.member(function)))
            case _:
                return None
    return None


def _changes(facts: Facts, copied: frozenset[ir.Assign]) -> Iterator[tuple[ir.Statement, str]]:
    """The changes of what copies may hold, each with the variable that it goes by."""
    if not copied:
        return
    calls = {statement for statement, _, _ in _calls(facts, lambda c: c.given)}
    made = {s.targets[0] for s in copied if s not in calls}
    parts = points_to.copied_parts(facts.function.body)
    for statement in ir.walk(facts.function.body):
        if not _sets_element(statement, made, parts, facts):
            yield from ((statement, name) for name in _changed(statement, facts))


def _listed(facts: Facts, copied: frozenset[ir.Assign]) -> aliases.Aliases:
    """What may be shared if what some statements copy are lists."""
    assumed = aliases.assumed(facts, scalar_elements=False, are_held=False)
    return aliases.aliases(facts, assumed, copied)


def _changed(statement: ir.Statement, facts: Facts) -> Iterator[str]:
    """The variables whose memory a statement changes, be it that a callee gives them back."""
    yield from aliases.changed(statement, facts.known)
    match statement:
        case ir.Assign(value=ir.Call() as call) if facts.known is not None:
            yield from ir.names(facts.known.given_back(call))


def _may_join(value: ir.Expression) -> bool:
    """Tells whether an expression may put lists together: two variables, or one several times."""
    match value:
        case ir.Call("operator.add", (ir.Name(), ir.Name())):
            return True
        case ir.Call("operator.mul", (ir.Name(), ir.Const(value=n)) | (ir.Const(value=n), _)):
            return type(n) is int
    return False


def _sets_element(
    statement: ir.Statement, made: set[str], parts: frozenset[str], facts: Facts
) -> bool:
    """Tells whether a statement puts something into a copy, which leaves what it holds alone.

    So does `ys += v`, for a list. One of the `parts` of an array is put back after it has changed.
    """
    match statement:
        case ir.Store(base, ir.Name() | ir.Const() as index, value, StoreKind.REPLACE):
            is_whole = base in made and parts.isdisjoint(ir.names((value,)))
            return is_whole and not facts.indices.is_path(statement, index)
        case ir.Store(base=base, index=None):
            return base in made - parts
    return False
