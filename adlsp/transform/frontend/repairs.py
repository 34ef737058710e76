"""Mechanical repairs of a user's text, as edits.

`np.add(a, b, out=a)` becomes `a = np.add(a, b)`; a nested function moves before the function around
it, and what it captured becomes parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import gast

from adlsp.transform.findings.vocabulary import Edit, Fix
from adlsp.transform.frontend import scope
from adlsp.transform.source import Source, Span


def assign_result(source: Source, call: gast.Call, out: gast.keyword) -> Fix:
    """The call without its `out=`, assigned to what was given there."""
    start, end = _span(source, call), _span(source, out)
    before = [*call.args, *(k for k in call.keywords if k is not out)]
    earlier = [
        s for n in before if (s := _span(source, n)).line <= end.line and _key(s) < _key(end)
    ]
    later = [s for n in before if _key(s := _span(source, n)) > _key(end)]
    if earlier:
        last = max(earlier, key=_key)
        removed = Span(end.path, last.end_line, last.end_column, end.end_line, end.end_column)
    elif later:
        following = min(later, key=_key)
        removed = Span(end.path, end.line, end.column, following.line, following.column)
    else:
        removed = end
    target = source.slice(_span(source, out.value))
    place = Span(start.path, start.line, start.column, start.line, start.column)
    return Fix(f"Assign the result to `{target}`", (Edit(place, f"{target} = "), Edit(removed, "")))


def hoist(
    source: Source, outer: gast.FunctionDef, inner: gast.FunctionDef, captured: Iterable[str]
) -> Fix | None:
    """The nested function before the one around it, with what it captured as parameters.

    None where that would not be the same program: where the function is used otherwise than by
    calling it, or where moving its text would change it.
    """
    calls = list(_calls(outer, inner))
    uses = [n for n in gast.walk(outer) if isinstance(n, gast.Name) and n.id == inner.name]
    arguments = inner.args
    is_plain = not (
        inner.decorator_list
        or arguments.vararg
        or arguments.kwarg
        or arguments.kwonlyargs
        or arguments.defaults
        or inner.returns
    )
    if not is_plain or len(uses) != len(calls) or _holds_state(inner) or outer.col_offset:
        return None
    first, last = inner.lineno, inner.end_lineno
    header_end = inner.body[0].lineno
    names = list(captured)
    text = [line[inner.col_offset :] for line in source.lines[first - 1 : last]]
    opened = text[0].find("(")
    if header_end == first or ")" not in text[0] or opened < 0:
        return None
    closed = text[0].rindex(")")
    separator = ", " if text[0][opened + 1 : closed].strip() else ""
    text[0] = text[0][:closed] + separator + ", ".join(names) + text[0][closed:]
    top = min([outer.lineno, *(d.lineno for d in outer.decorator_list)])
    above = Span(source.path, top, 1, top, 1)
    until = last + 1
    while until <= len(source.lines) and not source.lines[until - 1].strip():
        until += 1
    nothing = Span(source.path, first, 1, until, 1)
    passed = ", ".join(f"{name}={name}" for name in names)
    edits = [Edit(above, "\n".join(text) + "\n\n\n"), Edit(nothing, "")]
    for call in calls:
        end = _span(source, call)
        place = Span(end.path, end.end_line, end.end_column - 1, end.end_line, end.end_column - 1)
        edits.append(Edit(place, (", " if call.args or call.keywords else "") + passed))
    shown = ", ".join(f"`{name}`" for name in names)
    edits.sort(key=lambda edit: _key(edit.span))
    return Fix(f"Move `{inner.name}` out and pass it {shown}", tuple(edits))


def _calls(outer: gast.FunctionDef, inner: gast.FunctionDef) -> Iterator[gast.Call]:
    """The calls of a nested function, from the function around it."""
    inside = set(map(id, gast.walk(inner)))
    for node in gast.walk(outer):
        match node:
            case gast.Call(func=gast.Name(id=name)) if (
                name == inner.name and id(node) not in inside
            ):
                yield node


def _holds_state(inner: gast.FunctionDef) -> bool:
    """Tells whether a function does what only a nested one can, or has text that may not move."""
    for node in gast.walk(inner):
        if isinstance(node, gast.Nonlocal | gast.Global | gast.Yield | gast.YieldFrom):
            return True
        if isinstance(node, scope.SCOPES) and node is not inner:
            return True
        if isinstance(node, gast.Constant) and node.lineno != node.end_lineno:
            return True
    return False


def _span(source: Source, node: gast.AST) -> Span:
    return source.span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def _key(span: Span) -> tuple[int, int]:
    return span.line, span.column
