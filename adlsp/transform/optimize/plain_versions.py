"""The adjoint of an array that grows as a plain array, where one name at a time holds it.

    s_bar = rt.cleared(s_bar, i)        s_bar[i] = 0
    s_bar = rt.shorten(s_bar)           s_bar = s_bar[:-1]

A version of an array that grows leaves the earlier ones as they are. Nobody reads these where the
adjoint begins as a new array with all its elements, and each version takes the place of the one
before; so it is changed in place. What is read of it is a copy, as that of a version is.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field

from adlsp.transform import ir
from adlsp.transform.ir import Role, StoreKind
from adlsp.transform.ir.variables import Adjoint, Fresh, Step
from adlsp.transform.optimize import dead_code, store_forwarding
from adlsp.transform.rules import table

RUNTIME = "adlsp.runtime"

CLEARED, SHORTEN = f"{RUNTIME}.cleared", f"{RUNTIME}.shorten"
COPY = f"{RUNTIME}.copy"
READ = "operator.getitem"

WHOLE = frozenset({f"{RUNTIME}.expand", "operator.mul", "operator.truediv", "operator.neg"})
"""What gives a plain array also where it is given versions."""


def in_place(function: ir.Function, rule: Callable[[str], table.Rule | None]) -> ir.Block:
    """The body of a derivative that changes adjoints of arrays that grow in place."""
    if not any(_next_version(statement) for statement in ir.walk(function.body)):
        return function.body
    adjoints = _Adjoints(function.body)
    plain = {name for name in adjoints.uses if adjoints.is_plain(name)}
    if not plain:
        return function.body
    body = _written(function.body, plain, ir.fresh(function))
    return dead_code.prune(store_forwarding.forward_stores(body, rule), frozenset())


@dataclass(slots=True)
class _Adjoints:
    """What is done with each adjoint, and which steps hold what."""

    body: ir.Block
    uses: dict[str, list[ir.Statement]] = field(default_factory=dict)
    made: dict[str, ir.Statement] = field(default_factory=dict)
    n_reads: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for statement in ir.walk(self.body):
            for name in dict.fromkeys((*ir.reads(statement), *ir.writes(statement))):
                if isinstance(name, Adjoint):
                    self.uses.setdefault(name, []).append(statement)
            for name in ir.reads(statement):
                self.n_reads[name] = self.n_reads.get(name, 0) + 1
            if isinstance(statement, ir.Assign):
                self.made[statement.targets[0]] = statement

    def is_plain(self, name: str) -> bool:
        """Tells whether an adjoint has versions, of which each takes the place of the last."""
        is_versioned = any(_next_version(s) == name for s in self.uses[name])
        return (
            is_versioned
            and all(self.is_allowed(statement, name) for statement in self.uses[name])
            and all(_is_in_turn(block, name) for block in _blocks(self.body))
        )

    def is_allowed(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a statement makes, reads or changes an adjoint as may be."""
        match statement:
            case ir.Assign((target,), ir.Call(function, (ir.Name(given), *rest))):
                if target == name:
                    begins = function == COPY and self.is_whole(given)
                    return begins and self.n_reads[given] == 1
                is_read = function == READ and ir.Name(name) not in rest
                is_next = _next_version(statement) == name and self.n_reads.get(target) == 1
                return given == name and (is_read or is_next)
            case ir.Assign((target,), ir.Name(given), is_tuple=False):
                return target == name and _next_version(self.made.get(given)) == name
            case ir.Store(base=base, index=index, value=value):
                return base == name and index is not None and ir.Name(name) not in (value, index)
        return False

    def is_whole(self, name: str) -> bool:
        """Tells whether a variable holds an array with all its elements."""
        match self.made.get(name):
            case ir.Assign(value=ir.Call(function)):
                return function in WHOLE
        return False


def _next_version(statement: ir.Statement | None) -> str | None:
    """The adjoint of which a statement makes the next version."""
    match statement:
        case ir.Assign(
            (Step(),), ir.Call(function, (ir.Name(Adjoint() as name), *_)), is_tuple=False
        ):
            return name if function in (CLEARED, SHORTEN) else None
    return None


def _blocks(block: ir.Block) -> Iterator[ir.Block]:
    """A block, and those inside of it."""
    yield block
    for statement in block:
        for inner in ir.blocks(statement):
            yield from _blocks(inner)


def _is_in_turn(block: ir.Block, name: str) -> bool:
    """Tells whether each version that a block makes of an adjoint soon takes its place.

    In between the adjoint is read at most, and the index keeps its value.
    """
    waiting: ir.Statement | None = None
    for statement in block:
        is_next = _next_version(statement) == name
        if waiting is None:
            waiting = statement if is_next else None
            continue
        match statement:
            case ir.Assign((target,), ir.Name(step)) if target == name:
                if step not in ir.writes(waiting):
                    return False
                waiting = None
            case ir.Assign() if not is_next:
                if not {name, *ir.reads(waiting)}.isdisjoint(ir.writes(statement)):
                    return False
            case _:
                return False
    return waiting is None


def _written(block: ir.Block, plain: Container[str | None], fresh: Fresh) -> ir.Block:
    """A block that changes some adjoints in place."""
    made: list[ir.Statement] = []
    versions: dict[str, ir.Call] = {}
    for statement in block:
        statement = ir.rewritten(statement, block=lambda inner: _written(inner, plain, fresh))
        match statement:
            case ir.Assign((step,), ir.Call() as call) if _next_version(statement) in plain:
                versions[step] = call
            case ir.Assign((name,), ir.Name(step)) if name in plain and step in versions:
                made += _changed(statement, name, versions.pop(step), fresh)
            case ir.Assign((target,), ir.Call(function, (ir.Name(name), _))) if (
                function == READ and name in plain
            ):
                part = fresh.step()
                made.append(ir.Assign((part,), statement.value, statement.origin, Role.ADJOINT))
                copy = ir.Call(COPY, (ir.Name(part),))
                made.append(ir.Assign((target,), copy, statement.origin, Role.ADJOINT))
            case _:
                made.append(statement)
    return tuple(made)


def _changed(
    statement: ir.Assign, name: str, version: ir.Call, fresh: Fresh
) -> Iterator[ir.Statement]:
    """What makes a version of an adjoint in place."""
    origin, role = statement.origin, Role.ADJOINT
    if version.function == CLEARED:
        yield ir.Store(name, version.args[1], ir.Const(0), StoreKind.REPLACE, origin, role)
        return
    slice_ = fresh.step()
    ends = ir.Const(None), ir.Const(-1), ir.Const(None)
    yield ir.Assign((slice_,), ir.Call("python.slice", ends), origin, role)
    yield ir.Assign((name,), ir.Call(READ, (ir.Name(name), ir.Name(slice_))), origin, role)
