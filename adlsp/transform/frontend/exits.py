"""What leaves a block: returns, and what ends a loop or one of its passes.

These are the exits of structured control flow, before they are lowered or refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import gast

from adlsp.transform.frontend import scope, walks


def own(node: gast.AST) -> Iterator[gast.AST]:
    """A statement and all that is in it, nested functions and classes left out."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, scope.SCOPES):
            pending += reversed(walks.children(node))


def yields(body: Sequence[gast.stmt]) -> Iterator[gast.AST]:
    """What makes a generator of the function that has a body."""
    for node in (inner for statement in body for inner in own(statement)):
        if isinstance(node, gast.Yield | gast.YieldFrom):
            yield node


def in_pass(body: Sequence[gast.stmt]) -> Iterator[gast.AST]:
    """What stands in the body of a loop but not in a loop inside it."""
    pending: list[gast.AST] = [*body]
    while pending:
        inner = pending.pop(0)
        yield inner
        if isinstance(inner, gast.For | gast.While | gast.AsyncFor):
            pending.extend(inner.orelse)
        elif not isinstance(inner, scope.SCOPES):
            pending.extend(walks.children(inner))


def has_return(node: gast.AST) -> bool:
    """Tells whether a statement may return from the function."""
    return any(isinstance(inner, gast.Return) for inner in own(node))


def targets(node: gast.AST) -> set[str]:
    """The names that the loops in a statement bind to what they run over."""
    return scope.bound([n.target for n in own(node) if isinstance(n, gast.For)])


def tests(node: gast.AST) -> Iterator[gast.expr]:
    """What decides which way a statement takes."""
    for inner in own(node):
        if isinstance(inner, gast.If | gast.While):
            yield inner.test


def always_leaves(block: Sequence[gast.stmt]) -> bool:
    """Tells whether a block never reaches its end."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, gast.Return | gast.Raise | gast.Continue):
        return True
    return isinstance(last, gast.If) and branches_leave(last)


def branches_leave(node: gast.If) -> bool:
    """Tells whether neither branch reaches its end."""
    return always_leaves(node.body) and always_leaves(node.orelse)


def has_continue(body: Sequence[gast.stmt]) -> bool:
    """Tells whether a pass of a loop may end before the end of its body."""
    return any(isinstance(inner, gast.Continue) for inner in in_pass(body))


def without_continue(
    body: Sequence[gast.stmt], affords_twice: Callable[[Sequence[gast.stmt]], bool]
) -> list[gast.stmt]:
    """The body of a loop, where what a `continue` leaves out is what stands in the other branch.

    What follows a branch that continues at times stands in both, if that can be afforded. A
    `continue` in other statements stays.
    """
    for place, statement in enumerate(body):
        before, rest = [*body[:place]], body[place + 1 :]
        if isinstance(statement, gast.Continue):
            return before or [gast.copy_location(gast.Pass(), statement)]
        if isinstance(statement, gast.If) and has_continue([statement]):
            ways = statement.body, statement.orelse
            if rest and not any(map(always_leaves, ways)) and not affords_twice(rest):
                break
            taken, other = (without_continue([*way, *rest], affords_twice) for way in ways)
            made = gast.If(statement.test, taken, other)
            return [*before, gast.copy_location(made, statement)]
    return [*body]


def complete(body: list[gast.stmt]) -> list[gast.stmt]:
    """Adds the `return None` that Python implies, so that every way out sets the result."""
    if always_leaves(body):
        return body
    last = body[-1]
    implied = gast.Return(value=None)
    gast.copy_location(implied, last)
    return [*body, implied]
