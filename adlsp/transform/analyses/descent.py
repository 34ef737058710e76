"""From which variables the memory of a variable may come, by all statements that hand it on.

The order of statements does not matter here: in `a = m[0]`, `b = a`, `a = 0.5` the memory of `b`
comes from `a`, although the two have nothing in common any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adlsp.transform import ir
from adlsp.transform.analyses import aliases
from adlsp.transform.analyses.callees import Callees


def ancestors(names: Iterable[str], function: ir.Function, known: Callees | None) -> set[str]:
    """The names, and all from which the memory of one of them may come, numbers or not."""
    sources: dict[str, set[str]] = {}
    for statement in ir.walk(function.body):
        for heir, source in _handed(statement, known):
            sources.setdefault(heir, set()).add(source)
    found = set(names)
    pending = [*found]
    while pending:
        new = sources.get(pending.pop(), set()) - found
        found |= new
        pending += new
    return found


def _handed(statement: ir.Statement, known: Callees | None) -> Iterator[tuple[str, str]]:
    """Pairs of variables: one whose memory may come from the other by a statement."""
    match statement:
        case ir.Assign(targets=targets):
            parts = aliases.parts(statement, known, are_numbers=False)
            for target, part in zip(targets, parts, strict=True):
                yield from ((target, source) for source in ir.names(part))
        case ir.Do(value=ir.Opaque(writes=written, reads=read)):
            yield from ((name, source) for name in written for source in read)
        case ir.Do(value=ir.Call(args=(ir.Name(id), *rest))):
            yield from ((id, source) for source in ir.names(tuple(rest)))
        case ir.Store(base=base, value=ir.Name(id), operation=operation) if (
            operation in aliases.HOLDING
        ):
            yield base, id
        case ir.For(target=target, iterable=ir.Name(id)):
            yield target, id
