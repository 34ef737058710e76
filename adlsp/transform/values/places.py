"""Where values live: the places of memory in abstract values, and what changes by way of them.

A place (an abstract location) is a parameter, a part of one (`p['w']`), or a statement that makes
an object. Values that share no place share no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeGuard

from adlsp.transform.values.lattice import (
    NOWHERE,
    SIMPLE,
    UNKNOWN,
    Array,
    Choice,
    Function,
    Mapped,
    Numeric,
    Object,
    Run,
    Sequence,
    Sites,
    Unknown,
    Value,
    contents,
    holding,
    join,
    parts,
)

LIVING = (Array, Sequence, Mapped, Object)
"""What lives somewhere; numbers, texts and functions do not."""

CONTAINERS = (Sequence, Mapped, Object)

SEVERAL = "*"
"""What is in the name of a place of which there may be several, in a loop or in recursion."""

DEEPEST = 4
"""By how many calls within each other the places of what they make are told apart."""

ANYWHERE: Sites = frozenset({"?"})
"""The place of what is made of something unknown, or is that itself."""


def own_sites(value: Value) -> Sites:
    """The places in which a value itself may live."""
    return value.sites if isinstance(value, LIVING) else NOWHERE


def sites_of(value: Value) -> Sites:
    """The places in which a value and its parts may live."""
    if type(value) in SIMPLE:
        return own_sites(value)
    return own_sites(value).union(*map(sites_of, contents(value)))


def may_live(value: Value, sites: Sites) -> bool:
    """Tells whether a value, or one of its parts, may live at one of some places."""
    if isinstance(value, LIVING) and not value.sites.isdisjoint(sites):
        return True
    if type(value) in SIMPLE:
        return False
    return any(may_live(part, sites) for part in contents(value))


def hold_apart(value: Value, written: Sites = ANYWHERE) -> bool:
    """Tells whether the parts that are known of a container share no memory that is `written`."""
    met: set[str] = set()
    for part in contents(value):
        sites = sites_of(part)
        shared = sites & met
        is_written = written == ANYWHERE or not wholes(shared).isdisjoint(wholes(written))
        if (shared and is_written) or not hold_apart(part, written):
            return False
        met |= sites
    return True


def wholes(sites: Sites) -> Sites:
    """The places, with those of parameters for their parts: `p` for `p['w']`."""
    return frozenset(site.partition("[")[0].partition(".")[0] for site in sites)


def has_unknown(value: Value) -> bool:
    """Tells whether a value, or what it holds, may be anything, and live anywhere.

    What runs over others, as `zip` does, reads their memory, also where it gives numbers.
    """
    if isinstance(value, Unknown | Numeric | Function | Choice | Run):
        return True
    if isinstance(value, LIVING) and not (value.sites and value.sites.isdisjoint(ANYWHERE)):
        return True
    return any(map(has_unknown, contents(value)))


def _mapped(value: Value, change: Callable[[Sites], Sites]) -> Value:
    if isinstance(value, Array):
        sites = change(value.sites)
        is_same = sites == value.sites
        return value if is_same else Array(value.dtype, value.shape, sites, value.library)
    held = contents(value)
    made = holding(value, [_mapped(part, change) for part in held]) if held else value
    return replace(made, sites=change(made.sites)) if isinstance(made, LIVING) else made


def anywhere(value: Value) -> Value:
    """A value of which the parts that live nowhere known may live anywhere."""
    return _mapped(value, lambda sites: sites or ANYWHERE)


def without_sites(value: Value) -> Value:
    """The value, wherever it lives."""
    return _mapped(value, lambda _: NOWHERE)


def moved(value: Value, places: Mapping[str, Sites], within: str) -> Value:
    """The value in other places; those of which nothing is told are `within` another one."""

    def elsewhere(site: str) -> Sites:
        if site in ANYWHERE:
            return ANYWHERE
        own = f"{within}/{site}"
        if own.count("/") > DEEPEST:  # or recursion has no end
            own = f"{within}/{SEVERAL}{site.rpartition('/')[2].lstrip(SEVERAL)}"
        return places.get(site, frozenset({own}))

    return _mapped(value, lambda sites: NOWHERE.union(*map(elsewhere, sites)))


def placed(value: Value, place: str, shared: Sites = NOWHERE) -> Value:
    """What a statement gives: what lives nowhere yet is made there, or shares with others."""
    made = value
    if type(value) not in SIMPLE:
        made = holding(value, [placed(part, f"{place}{at}", shared) for at, part in parts(value)])
    if not isinstance(made, LIVING) or made.sites:
        return made
    own = frozenset({place})
    return replace(made, sites=own if isinstance(made, CONTAINERS) else own | shared)


def of_parameter(value: Value, name: str) -> Value:
    """The value of a parameter, which lives in a place of its own, as its parts do.

    What has a place already is the object that stands there.
    """
    place = next(iter(own_sites(value)), name)
    made = holding(value, (of_parameter(part, f"{place}{step}") for step, part in parts(value)))
    return replace(made, sites=frozenset({place})) if isinstance(made, LIVING) else made


def standing(value: Value, place: str) -> Value:
    """The value, where it is known to be the object that stands at a place."""
    found = without_sites(value)
    return replace(found, sites=frozenset({place})) if isinstance(found, LIVING) else found


def as_arguments(given: Mapping[str, Value], *, is_sure: bool = False) -> dict[str, Value]:
    """The values as parameters get them: they have no places, but for what stands there before.

    Of that it may be the same object, or `is_sure` to be it, which has the place where it stands
    first.
    """
    met: dict[Sites, str] = {}

    def again(value: Value, place: str) -> Value:
        if type(value) in SIMPLE:
            return without_sites(value)
        own = own_sites(value) or frozenset({place})
        is_met = len(own) == 1 and own != ANYWHERE and _is_changeable(value)
        if is_met and not (is_sure and SEVERAL in min(own)):
            if own in met:
                return standing(value, met[own])
            met[own] = place
        made = holding(value, [again(part, f"{place}{step}") for step, part in parts(value)])
        return replace(made, sites=NOWHERE) if isinstance(made, LIVING) else made

    return {name: again(value, name) for name, value in given.items()}


def _is_changeable(value: Value) -> TypeGuard[Sequence | Mapped | Object]:
    """Tells whether a value is a container of which parts may be set."""
    return isinstance(value, CONTAINERS) and not (isinstance(value, Sequence) and not value.is_list)


def paired(one: Value, other: Value) -> dict[str, Sites]:
    """For each place of a value that of another one with the same structure."""
    found = {site: own_sites(other) for site in own_sites(one)}
    for (_, ours), (_, theirs) in zip(parts(one), parts(other), strict=True):
        found |= paired(ours, theirs)
    return found


def changed_at(value: Value, sites: Sites, made: Value, *, is_one: bool = False) -> Value:
    """The value after what may live at some places has become something else.

    Where only one object lives there, it has surely become that (a strong update).
    """
    if type(value) in SIMPLE:
        return value
    held = holding(
        value, [changed_at(part, sites, made, is_one=is_one) for part in contents(value)]
    )
    if not isinstance(held, CONTAINERS) or held.sites.isdisjoint(sites):
        return held
    if is_one and held.sites == sites:
        return made
    return lost(held) if made == UNKNOWN else join(held, made)


def containers(value: Value) -> dict[Sites, Value]:
    """The lists, dictionaries and objects in a value, itself included, by where they live."""
    found: dict[Sites, Value] = {}
    if isinstance(value, CONTAINERS) and value.sites:
        found[value.sites] = value
    for part in () if type(value) in SIMPLE else contents(value):
        for sites, held in containers(part).items():
            found[sites] = join(found.get(sites, held), held)
    return found


def lost(value: Value) -> Value:
    """A container of which nobody knows any more what it holds."""
    match value:
        case Sequence(is_list=False):
            return value
        case Sequence():
            return Sequence(value.is_list, None, UNKNOWN, None, value.sites)
        case Mapped():
            return Mapped(None, UNKNOWN, value.sites)
        case Object():
            return replace(value, attributes=tuple((n, UNKNOWN) for n, _ in value.attributes))
    return value
