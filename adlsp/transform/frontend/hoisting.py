"""The repair of a closure, as edits: the function moves out, and is passed what it captured.

This is lambda lifting, done to the text. `def scaled(v): return v * s` moves before the function
around it as `def scaled(v, s)`, and `scaled(x)` becomes `scaled(x, s=s)`. A closure reads `s` when
it is called: that is the same where each call stands in the scope of `s`, and finds it bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import gast

from adlsp.transform.diagnostics.vocabulary import Edit, Fix
from adlsp.transform.frontend import punctuation, scope, walks
from adlsp.transform.ops import records
from adlsp.transform.source import Source, Span

Meaning = Callable[[str], str]
"""The dotted name of what a name means at the top level of the module; "" if it means nothing."""

MOST_NAMES = 10
"""How many names are tried: in a module with `from … import *` all of them may mean something."""

LEAVING = (gast.Break, gast.Continue, gast.Raise, gast.Return)


def hoist(
    source: Source,
    outer: gast.FunctionDef,
    inner: gast.FunctionDef,
    captured: Iterable[str],
    meaning: Meaning,
) -> Fix | None:
    """The nested function before the one around it, with what it captured as parameters.

    None where that would not be the same program, or where moving the text would change it.
    """
    if outer.col_offset:
        return None
    own, nodes = _locals(outer), [node for node in walks.over(outer) if node is not outer]
    names, calls = list(captured), list(_calls(nodes, inner))
    if not (
        _is_plain(inner, own, meaning)
        and _is_only_called(nodes, inner, calls)
        and {name.id for name in scope.free(inner)} & own == set(names)
        and not any(_may_change(nodes, name) for name in names)
        and all(_means_the_same(outer, call, names) for call in calls)
        and _can_move(source, nodes, outer, inner)
    ):
        return None
    candidates = _new_names(outer, inner)
    new = next((name for name in candidates if _is_free(nodes, inner, name, meaning)), None)
    if new is None:
        return None
    text = _moved(source, inner, new, names)
    edits = [Edit(_above(source, outer), f"{text}\n\n\n"), Edit(_lines(source, inner), "")]
    edits += (edit for call in calls for edit in _passing(source, call, new, names))
    edits.sort(key=lambda edit: (edit.span.line, edit.span.column))
    shown = ", ".join(f"`{name}`" for name in names)
    return Fix(f"Move `{inner.name}` out and pass it {shown}", tuple(edits), names=(new,))


# whether it is the same


def _is_plain(inner: gast.FunctionDef, own: set[str], meaning: Meaning) -> bool:
    """Tells whether a function can be read anywhere: nothing is computed where it is defined."""
    arguments = inner.args
    annotated = [p.annotation for p in scope.parameters(arguments)] + [inner.returns]
    read = {n.id for a in annotated if a for n in walks.over(a) if isinstance(n, gast.Name)}
    is_known = all(meaning(n).startswith("builtins.") for n in read - own)
    is_simple = all(a is None or isinstance(a, gast.Name | gast.Constant) for a in annotated)
    return not (
        inner.decorator_list
        or arguments.vararg
        or arguments.kwarg
        or arguments.kwonlyargs
        or arguments.defaults
        or getattr(inner, "type_params", None)
        or read & own
        or not is_known
        or not is_simple
        or any(isinstance(node, gast.Nonlocal | gast.Global) for node in walks.over(inner))
        or any(isinstance(node, scope.SCOPES) and node is not inner for node in walks.over(inner))
        or any(isinstance(node, gast.Yield | gast.YieldFrom) for node in walks.over(inner))
    )


def _is_only_called(nodes: list[gast.AST], inner: gast.FunctionDef, calls: list[gast.Call]) -> bool:
    """Tells whether nothing else is done with a function, and no other has its name."""
    read = [node.id for node in nodes if isinstance(node, gast.Name)]
    is_looked_at = any(records.said(f"builtins.{name}").looks_around for name in read)
    is_one = [n for n in nodes if scope.is_binding(n, inner.name)] == [inner]
    return is_one and read.count(inner.name) == len(calls) and not is_looked_at


def _calls(nodes: list[gast.AST], inner: gast.FunctionDef) -> Iterator[gast.Call]:
    """The calls of a nested function, from the function around it."""
    inside = set(map(id, walks.over(inner)))
    for node in nodes:
        match node:
            case gast.Call(func=gast.Name(id=name)) if (
                name == inner.name and id(node) not in inside
            ):
                yield node


def _locals(function: gast.FunctionDef) -> set[str]:
    names = scope.bound(function.body) | {p.id for p in scope.parameters(function.args)}
    stated = [node for node in walks.over(function) if isinstance(node, gast.Global)]
    return names - {name for node in stated for name in node.names}


def _may_change(nodes: list[gast.AST], name: str) -> bool:
    """Tells whether a variable may get another value amid a statement, or lose its value."""
    for node in nodes:
        match node:
            case gast.NamedExpr(target=gast.Name(id=other)) if other == name:
                return True
            case gast.ExceptHandler(name=gast.Name(id=other)) if other == name:
                return True
    return any(
        not isinstance(node, gast.Name) or isinstance(node.ctx, gast.Del)
        for node in nodes
        if scope.is_binding(node, name)
    )


def _means_the_same(outer: gast.FunctionDef, call: gast.Call, names: list[str]) -> bool:
    """Tells whether names mean, where a call stands, what they mean in the closure."""
    if any(isinstance(argument, gast.GeneratorExp) for argument in call.args):
        return False
    path = _path(outer, call)
    for node in path[1:]:
        hidden: set[str] = set()
        match node:
            case gast.ClassDef() | gast.JoinedStr():
                return False
            case gast.FunctionDef() | gast.AsyncFunctionDef():
                hidden = _locals(node)
            case gast.Lambda():
                hidden = {p.id for p in scope.parameters(node.args)}
            case _ if isinstance(node, scope.COMPREHENSIONS):
                hidden = scope.bound(generator.target for generator in node.generators)
        if not hidden.isdisjoint(names):
            return False
    given = {p.id for p in scope.parameters(outer.args)}
    return all(name in given or _is_bound_before(outer.body, name, path) for name in names)


def _path(tree: gast.AST, node: gast.AST) -> list[gast.AST]:
    """The nodes from a tree down to one of its nodes, that one included."""
    if tree is node:
        return [tree]
    for child in walks.children(tree):
        if below := _path(child, node):
            return [tree, *below]
    return []


def _is_bound_before(block: Sequence[gast.AST], name: str, path: list[gast.AST]) -> bool:
    """Tells whether a variable surely has a value when the run of a block comes to a place."""
    for statement in block:
        if any(statement is node for node in path):
            return _is_bound_on_the_way(statement, name, path)
        if _binds(statement, name):
            return True
    return False


def _is_bound_on_the_way(statement: gast.AST, name: str, path: list[gast.AST]) -> bool:
    """Tells the same of a place inside a statement."""
    for field in scope.BLOCKS:
        block = getattr(statement, field, None)
        if isinstance(block, list) and any(inner is node for inner in block for node in path):
            is_loop = isinstance(statement, gast.For) and block is statement.body
            is_target = is_loop and name in scope.bound([statement.target])
            return is_target or _is_bound_before(block, name, path)
    return False


def _binds(statement: gast.AST, name: str) -> bool:
    """Tells whether a variable surely has a value behind a statement, if the run comes there."""
    match statement:
        case gast.Assign(targets=targets):
            return name in scope.bound(targets)
        case gast.AugAssign(target=target):
            return name in scope.bound([target])
        case gast.AnnAssign(target=target, value=value):
            return value is not None and name in scope.bound([target])
        case gast.If(body=body, orelse=orelse):
            return all(
                isinstance(block[-1], LEAVING) or any(_binds(s, name) for s in block)
                for block in (body, orelse or [statement.test])
            )
    return False


# the names


def _new_names(outer: gast.FunctionDef, inner: gast.FunctionDef) -> Iterator[str]:
    yield inner.name
    yield f"{outer.name}_{inner.name}"
    yield from (f"{outer.name}_{inner.name}_{number}" for number in range(2, MOST_NAMES))


def _is_free(nodes: list[gast.AST], inner: gast.FunctionDef, name: str, meaning: Meaning) -> bool:
    """Tells whether a name means nothing yet, in the module and where the function is called."""
    read = any(isinstance(n, gast.Name) and n.id == name for n in nodes)
    is_used = read or any(scope.is_binding(n, name) for n in nodes)
    return not meaning(name) and (name == inner.name or not is_used)


# the text


def _can_move(
    source: Source, nodes: list[gast.AST], outer: gast.FunctionDef, inner: gast.FunctionDef
) -> bool:
    """Tells whether the lines of a function are its own, and mean the same further left."""
    lines = source.lines[inner.lineno - 1 : inner.end_lineno]
    indent = lines[0][: inner.col_offset]
    is_alone = any(
        block == [inner]
        for node in (outer, *nodes)
        for field in scope.BLOCKS
        if isinstance(block := getattr(node, field, None), list)
    )
    is_text = any(
        isinstance(node, gast.Constant | gast.JoinedStr) and node.lineno != node.end_lineno
        for node in walks.over(inner)
    )
    are_indented = all(line.startswith(indent) or not line.strip() for line in lines)
    return not indent.strip() and are_indented and not is_alone and not is_text


def _moved(source: Source, inner: gast.FunctionDef, new: str, names: list[str]) -> str:
    """The text of a function by another name, with more parameters, further left."""
    header = list(_header(source, inner))
    (_, name), (last, place) = header[1], header[-2]
    lines = list(source.lines[: inner.end_lineno])
    for edit in (_listed(last, place, ", ".join(names)), Edit(name, new)):
        line, span = lines[edit.span.line - 1], edit.span
        lines[span.line - 1] = line[: span.column - 1] + edit.text + line[span.end_column - 1 :]
    return "\n".join(line[inner.col_offset :] for line in lines[inner.lineno - 1 :])


def _header(source: Source, inner: gast.FunctionDef) -> Iterator[tuple[str, Span]]:
    """The tokens from `def` to the end of the parameters."""
    depth = 0
    for text, place in punctuation.tokens(source, punctuation.span(source, inner)):
        yield text, place
        depth += (text in punctuation.OPENING) - (text in punctuation.CLOSING)
        if text == ")" and not depth:
            return


def _listed(last: str, place: Span, text: str) -> Edit:
    """Adds to the arguments or parameters that end in a token, or to none behind `(`."""
    separator = {"(": "", ",": " "}.get(last, ", ")
    end = Span(place.path, place.end_line, place.end_column, place.end_line, place.end_column)
    return Edit(end, separator + text)


def _passing(source: Source, call: gast.Call, new: str, names: list[str]) -> Iterator[Edit]:
    """Calls a function by its new name, with what it captured."""
    function = punctuation.span(source, call.func)
    if source.slice(function) != new:
        yield Edit(function, new)
    *_, (last, place), _ = punctuation.tokens(source, punctuation.span(source, call))
    yield _listed(last, place, ", ".join(f"{name}={name}" for name in names))


def _above(source: Source, outer: gast.FunctionDef) -> Span:
    """The place before a function, its decorators, and the comments that stand on it."""
    top = min([outer.lineno, *(d.lineno for d in outer.decorator_list)])
    while top > 1 and source.lines[top - 2].startswith("#") and top > 2:
        top -= 1
    return Span(source.path, top, 1, top, 1)


def _lines(source: Source, inner: gast.FunctionDef) -> Span:
    """The lines of a nested function, and those without text that follow."""
    until = inner.end_lineno + 1
    while until <= len(source.lines) and not source.lines[until - 1].strip():
        until += 1
    return Span(source.path, inner.lineno, 1, until, 1)
