"""Gives gradients away without a copy where nobody else holds them.

This is copy elision. A gradient that is returned is the caller's own: it shares nothing with an
argument, the seed, or another gradient. Where the sweeps did not know that, a copy stands at the
end, `x_bar = rt.copy(x_bar)`; the finished code often shows that it is not needed: the text alone
(`elide_copies`), or the places where its values live, where these are inferred (`Ownership`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import aliases, operations, views
from adlsp.transform.ir import targets
from adlsp.transform.ops.spec import Effect
from adlsp.transform.values import lattice, places
from adlsp.transform.values.lattice import UNKNOWN, Sites, Value

COPY = "adlsp.runtime.copy"

COPIES = COPY, "numpy.array"

QUIET = Effect.NONE, Effect.OUTSIDE


def elide_copies(body: ir.Block, parameters: frozenset[str], returned: frozenset[str]) -> ir.Block:
    """The body of a derivative without needless copies of what it returns."""
    copied = [name for statement in body if (name := _copied(statement)) in returned]
    if not copied:
        return body
    packing = 1 + max(i for i, s in enumerate(body) if _copied(s) in copied)
    classes = aliases.classes(body[:packing], _may_share)
    held = parameters | _unclear(body[:packing]) | (returned - set(copied))
    dropped: set[str] = set()
    for name in copied:
        assert name is not None
        sharing = {name, *classes.get(name, ())}
        at = next(i for i, s in enumerate(body) if _copied(s) == name)
        if held.isdisjoint(sharing) and sharing.isdisjoint(changed(body[at + 1 :])):
            dropped.add(name)
            held |= {name}
    return tuple(s for s in body if _copied(s) not in dropped)


def _may_share(value: ir.Expression) -> bool:
    if isinstance(value, ir.Call) and targets.is_of(value.function, "adlsp.runtime"):
        return not operations.is_fresh_of_runtime(value.function)
    return views.may_view(value)


def _unclear(body: ir.Block) -> frozenset[str]:
    """The variables that may be an object of a module, or have parts that are other values."""
    found: set[str] = set()
    for statement in ir.walk(body):
        match statement:
            case ir.Assign(targets=targets, value=ir.Call(function=function)) if operations.of(
                function
            ).holds:
                found.update(targets)
            case ir.Assign(targets=targets, value=ir.Opaque() | ir.Global()):
                found.update(targets)
            case ir.Assign(targets=targets, value=ir.Call() as call) if _may_share(call):
                if any(isinstance(atom, ir.Global) for atom in call.atoms):
                    found.update(targets)
            case ir.Store(base=base, value=ir.Name(), kind=kind) if not kind.adds:
                found.add(base)
            case ir.Insert() | ir.Do(value=ir.Opaque()):
                found.update((*ir.reads(statement), *ir.writes(statement)))
    return frozenset(found)


def _copied(statement: ir.Statement, copies: tuple[str, ...] = (COPY,)) -> str | None:
    """The variable that a statement replaces by its copy."""
    match statement:
        case ir.Assign(targets=(target,), value=ir.Call(function, (ir.Name(id),), ())):
            if function in copies and target == id:
                return target
    return None


class Ownership:
    """Who holds the memory of gradients, at the end of a function of which all values are inferred.

    `values` is what variables are, whatever binds them; of what nobody binds yet nothing is known.
    """

    def __init__(self, function: ir.Function, values: dict[str, Value]) -> None:
        self.values = values
        self.held = self.sites(p.name for p in function.parameters)
        self.held |= self.sites(self._of_unknown(function.body))
        copied = {name for s in function.body if (name := _copied(s, COPIES))}
        for name, is_packing in _given_away(function.body):
            if is_packing:  # whose parts are given away one by one
                self.held |= places.own_sites(self.of(name))
            elif name not in copied:
                self.held |= self.sites((name,))

    def _of_unknown(self, block: ir.Block) -> Iterator[str]:
        """The variables that helpers may give what may live anywhere, such as a seed."""
        for statement in ir.walk(block):
            match statement:
                case ir.Assign(targets=names, value=ir.Call() as call) if targets.is_of(
                    call.function, "adlsp.runtime"
                ) and _may_share(call):
                    if any(places.has_unknown(self.of(name)) for name in ir.names(call.atoms)):
                        yield from names

    def note(self, name: str, value: Value) -> None:
        """Notes what a new variable is."""
        self.values[name] = value

    def sites(self, names: Iterable[str]) -> Sites:
        """The places in which some variables may live, as far as they are known."""
        return frozenset[str]().union(*(places.sites_of(self.of(name)) for name in names))

    def of(self, name: str) -> Value:
        """What a variable is, whatever binds it."""
        return self.values.get(name, UNKNOWN)

    def give_away(self, value: Value, later: ir.Block) -> bool:
        """Gives away a value: as it is, if that is true, or else as a copy.

        It is, where nobody else holds it, and where no statement changes it later.
        """
        sites = places.sites_of(value)
        is_own = is_told(value) and sites.isdisjoint(self.held)
        if is_own:
            others = [*changed(later)]
            is_own = not any(places.has_unknown(self.of(each)) for each in others)
            is_own &= sites.isdisjoint(self.sites(others))
        self.held |= sites
        return is_own


def is_told(value: Value) -> bool:
    """Tells whether it is known where all parts of a value live, which share no memory."""
    return bool(places.sites_of(value)) and not places.has_unknown(value) and _is_apart(value)


def _is_apart(value: Value) -> bool:
    """Tells whether no two parts share memory; of elements that are not told apart, some may."""
    held = lattice.parts(value)
    is_told = not any(at == "[*]" and places.sites_of(part) for at, part in held)
    return is_told and places.hold_apart(value) and all(_is_apart(part) for _, part in held)


def without_copies(function: ir.Function, ownership: Ownership) -> ir.Function:
    """A function without the copies of what is given to the caller and is nobody else's."""
    given = {name for name, _ in _given_away(function.body)}

    def is_needed(at: int, statement: ir.Statement) -> bool:
        name = _copied(statement, COPIES)
        if name is None or name not in given:
            return True
        return not ownership.give_away(ownership.of(name), function.body[at + 1 :])

    body = tuple(s for at, s in enumerate(function.body) if is_needed(at, s))
    return replace(function, body=body)


def _given_away(body: ir.Block) -> Iterator[tuple[str, bool]]:
    """The variables whose objects a function returns, also as parts; and if it is made of these."""
    last = body[-1]
    pending = [*ir.reads(last)] if isinstance(last, ir.Return) else []
    made = {s.targets[0]: s.value for s in body if isinstance(s, ir.Assign) and not s.is_tuple}
    while pending:
        name = pending.pop()
        match made.pop(name, None):
            case ir.Call(function) as call if operations.of(function).holds:
                yield name, True
                pending += ir.names(call.atoms)
            case _:
                yield name, False


def changed(block: ir.Block) -> Iterator[str]:
    """The variables whose objects a block may change."""
    for statement in ir.walk(block):
        match statement:
            case ir.Store(base=base):
                yield base
            case ir.Assign(value=ir.Call(function, args)):
                record = operations.of(function)
                if record.effect not in QUIET or record.changes:
                    yield from ir.reads(statement)
                elif record.gives_back:
                    yield from ir.names(args[:1])
            case ir.Assign(value=ir.Opaque()) | ir.Do():
                yield from ir.reads(statement)
