"""Goes on with a part of an adjoint where it is: `x_bar = rt.copy(parts[0])` loses its copy.

That is copy elision, of what concatenation put together. The adjoint of an array that grows by a
row in each pass, `x = np.concatenate((x, row))`, is taken apart in each pass backward. Where it is
changed in place nobody else holds it, and its parts lie side by side: so the rest of it may be
changed where it is, and a pass costs what it touches, not what there is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.ir.variables import Adjoint

RUNTIME = "adlsp.runtime"
SPLIT = f"{RUNTIME}.split_bar"

Read = tuple[str, ir.Atom]
"""A variable, and the index of the part of it that is read."""


def elide_parts(body: ir.Block) -> ir.Block:
    """The body of a derivative without copies of what is left of its own adjoints."""
    if not any(map(_is_split, ir.walk(body))):
        return body
    changed = {s.base for s in ir.walk(body) if isinstance(s, ir.Store) and s.index is not None}
    uses = Counter(name for s in ir.walk(body) for name in ir.reads(s))
    reads = Counter(read for s in ir.walk(body) if (read := _read(s)))
    whole = Counter(parts for parts, _ in reads.elements())
    apart = frozenset(
        read for read in reads if reads[read] == 1 and whole[read[0]] == uses[read[0]]
    )
    return _block(body, frozenset(changed), uses, apart)


def _is_split(statement: ir.Statement) -> bool:
    """Tells whether a statement takes an adjoint apart."""
    match statement:
        case ir.Assign(value=ir.Call(function=function)):
            return function == SPLIT
    return False


def _block(
    block: ir.Block, changed: frozenset[str], uses: Counter[str], apart: frozenset[Read]
) -> ir.Block:
    made = [ir.rewritten(s, block=lambda inner: _block(inner, changed, uses, apart)) for s in block]
    split: dict[str, str] = {}
    parts: dict[str, str] = {}
    for position, statement in enumerate(made):
        match statement:
            case ir.Assign(
                targets=(target,), value=ir.Call(function=function, args=(ir.Name(id),))
            ) if function == f"{RUNTIME}.copy" and parts.get(id) == target and uses[id] == 1:
                made[position] = replace(statement, value=ir.Name(id))
        read = _read(statement)
        for inner in ir.walk((statement,)):
            for name in ir.writes(inner):
                parts = {part: whole for part, whole in parts.items() if name not in (part, whole)}
                split = {
                    listed: whole for listed, whole in split.items() if name not in (listed, whole)
                }
        match statement:
            case ir.Assign(
                targets=(target,), value=ir.Call(function=function, args=(ir.Name(id), *_))
            ) if function == SPLIT and isinstance(id, Adjoint) and id in changed:
                split[target] = id
            case ir.Assign(targets=(target,)) if read in apart and read[0] in split:
                parts[target] = split[read[0]]
    return tuple(made)


def _read(statement: ir.Statement) -> Read | None:
    """The part that a statement reads, and of what."""
    match statement:
        case ir.Assign(
            targets=(_,), value=ir.Call("operator.getitem", (ir.Name(id), ir.Const() as index))
        ):
            return id, index
    return None
