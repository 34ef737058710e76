"""Functions in a function that read a variable which is bound again before they are called.

Closures capture variables, not values. Such a function reads what the variable holds when it is
called (late binding), while a derivative takes it for a value that was made where it was defined.
Places in the text stand for times: what comes behind is later, and so is what comes before it in
the same loop. So it is with iterators that compute what a loop runs over as the loop goes, while a
derivative makes lists of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import gast

from adlsp.transform.frontend import scope, walks
from adlsp.transform.frozen import dataclass
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Runs

FUNCTIONS = (gast.AsyncFunctionDef, gast.FunctionDef, gast.GeneratorExp, gast.Lambda)

Place = tuple[int, int]

Meaning = Callable[[gast.expr], str | None]
"""What a dotted expression over a global name means, as a dotted name."""

Generators = Callable[[gast.expr], "gast.FunctionDef | None"]
"""The definition of a user's function that an expression names, if that is a generator."""

COMPUTED = ("builtins.filter", "builtins.map")
"""What gives iterators that call functions as they go."""

SHOWING = tuple(
    f"itertools.{n}" for n in ("accumulate", "chain", "chain.from_iterable", "pairwise")
)
"""What gives iterators of what their arguments have as they go."""

AT_ONCE = (Runs.AS_LIST, Runs.AT_ONCE)
"""How functions run through what they are given that keep nothing of it."""


@dataclass(frozen=True, slots=True)
class Late:
    """A function in a function, by what name it goes, and the variable that is bound again."""

    node: gast.AST
    name: str
    variable: gast.Name


@dataclass(frozen=True, slots=True)
class Made:
    """A function where it is made: what it reads, and which variables may hold it afterwards."""

    node: gast.AST
    name: str
    reads: tuple[gast.Name, ...]
    holders: frozenset[str]


def late(function: gast.FunctionDef, local: frozenset[str], meaning: Meaning) -> Iterator[Late]:
    """The functions that a function makes, each with the variables of `local` that change later."""
    made = list(_made(function, local, meaning))
    if not made:
        return
    loops = [_repeated(n) for n in walks.over(function) if isinstance(n, gast.For | gast.While)]
    bound: dict[str, list[Place]] = {}
    used: dict[str, list[Place]] = {}
    for name, place, is_read in _own_names(function):
        (used if is_read else bound).setdefault(name, []).append(place)
    for each in made:
        holders = _holders(each, made)
        calls = [place for name in holders for place in used.get(name, ())]
        seen: set[str] = set()
        for variable in each.reads:
            changes = bound.get(variable.id, ())
            is_late = any(
                _is_between(_place(each.node), change, call, loops)
                for change in changes
                for call in calls
            )
            if is_late and variable.id not in seen and variable.id not in each.holders:
                seen.add(variable.id)
                yield Late(each.node, each.name, variable)


def lazy(
    loop: gast.For,
    called: Mapping[str, gast.expr],
    meaning: Meaning,
    generator: Generators,
    has_state: Callable[[gast.Name], bool],
) -> Iterator[Late]:
    """The iterators that a loop runs over, each with what it reads and the loop's body changes.

    `called` are the variables that hold the result of one call, and that call. What functions
    change of the module, which `has_state` tells, any call may. A generator that the loop runs over
    itself is no iterator of a derivative: it is written out around the loop's body. An iterator
    that changes itself what the body reads, or what it gives, has that for its variable.
    """
    calls = any(isinstance(node, gast.Call) for tree in loop.body for node in walks.over(tree))
    match loop.iter:
        case gast.Call(func=func) if generator(func) is not None:
            return
    pending: list[gast.expr] = [loop.iter]
    while pending:
        node, reads = pending.pop(), list[gast.Name]()
        match node:
            case gast.Name(id=name) if name in called:
                pending.append(called[name])
            case gast.GeneratorExp():
                reads = [*scope.free(node)]
            case gast.Call(func=func, args=args):
                function = meaning(func) or ""
                if records.said(function).runs is Runs.ELEMENTS:
                    pending += args
                elif function in COMPUTED:
                    reads = [*scope.free(node)]
                elif function in SHOWING:
                    pending += [a for a in args if _root(a) is None]
                    reads = [name for name in map(_root, args) if name is not None]
                elif (tree := generator(func)) is not None:
                    inside = {name.id for name in scope.free(tree)}
                    reads = [*scope.free(node)]
                    reads += [gast.Name(name, gast.Load(), None, None) for name in inside]
        changes = _changed_by(node, generator) if _is_computed(node, meaning) else set()
        seen = {name.id for tree in loop.body for name in scope.free(tree)}
        for variable in sorted(changes & {*seen, ITSELF}):
            yield Late(node, _name(node), gast.Name(variable, gast.Load(), None, None))
            break
        if not reads:
            continue
        changed = _changed(loop.body)
        for name in reads:
            if name.id in changed or (calls and has_state(name)):
                yield Late(node, _name(node), name)
                break


ITSELF = ""
"""Stands for what an iterator gives, where it changes that as it goes."""


def _is_computed(node: gast.expr, meaning: Meaning) -> bool:
    """Tells whether an iterator computes its elements by expressions, or by functions."""
    if isinstance(node, gast.Call):
        return meaning(node.func) in COMPUTED
    return isinstance(node, gast.GeneratorExp)


def _changed_by(node: gast.expr, generator: Generators) -> set[str]:
    """The variables that an iterator changes as it goes."""
    found = scope.changed(node) | scope.told(node)
    inside = (generator(call.func) for call in walks.over(node) if isinstance(call, gast.Call))
    return found | {ITSELF for tree in inside if tree is not None and _changes_given(tree)}


def _changes_given(generator: gast.FunctionDef) -> bool:
    """Tells whether a generator may change, as it goes, what it gives or what it is given."""
    given = {name.id for name in scope.parameters(generator.args)}
    for node in walks.over(generator):
        if isinstance(node, gast.Yield | gast.YieldFrom) and node.value is not None:
            given |= {name.id for name in walks.over(node.value) if isinstance(name, gast.Name)}
    return not given.isdisjoint(_changed(generator.body))


def _root(node: gast.expr) -> gast.Name | None:
    """The variable that an expression is, or is a part of."""
    while isinstance(node, gast.Attribute | gast.Starred | gast.Subscript):
        node = node.value
    return node if isinstance(node, gast.Name) else None


def _changed(body: list[gast.stmt]) -> set[str]:
    """The variables whose elements or attributes a block changes, or gives to what may do so."""
    found: set[str] = set()
    for tree in body:
        found |= scope.changed(tree) | scope.told(tree) | scope.augmented(tree)
        for node in walks.over(tree):
            if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
                given = (*node.value.args, *(k.value for k in node.value.keywords))
                found |= {each.id for each in given if isinstance(each, gast.Name)}
    return found


def _made(function: gast.FunctionDef, local: frozenset[str], meaning: Meaning) -> Iterator[Made]:
    """The functions made in a function, those in functions inside it left out."""
    for statement in _own_statements(function.body):
        for node in _outermost(statement, meaning):
            reads = tuple(name for name in scope.free(node) if name.id in local)
            if reads:
                yield Made(node, _name(node), reads, _kept_in(statement))


def _own_statements(block: list[gast.stmt]) -> Iterator[gast.stmt]:
    """The statements of a block, nested ones included, those of functions inside left out."""
    for node in block:
        if isinstance(node, gast.stmt):
            yield node
        if not isinstance(node, scope.SCOPES):
            for field in scope.BLOCKS:
                yield from _own_statements(_listed(node, field))


def _holders(made: Made, others: list[Made]) -> set[str]:
    """The variables by which a function may be called, other functions that call it included."""
    found = set(made.holders)
    while True:
        more = {
            holder
            for other in others
            if any(name.id in found for name in other.reads)
            for holder in other.holders
        }
        if more <= found:
            return found
        found |= more


def _outermost(statement: gast.stmt, meaning: Meaning) -> Iterator[gast.AST]:
    """The functions that may be kept where a statement makes them, blocks in it left out."""
    used: set[int] = set()
    pending: list[gast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Call):
            function = meaning(node.func) or ""
            runs = records.said(function).runs
            if runs in AT_ONCE or (id(node) in used and runs is not None):
                used.update(map(id, (*node.args, *(k.value for k in node.keywords))))
        if isinstance(node, FUNCTIONS) and id(node) not in used:
            yield node
            continue
        blocks = {id(n) for field in scope.BLOCKS for n in _listed(node, field)}
        pending += [n for n in walks.children(node) if id(n) not in blocks]


def _listed(node: gast.AST, field: str) -> list[gast.stmt]:
    value = getattr(node, field, None)
    return value if isinstance(value, list) else []


def _own_names(function: gast.FunctionDef) -> Iterator[tuple[str, Place, bool]]:
    """The names that a function binds and reads itself, where, and whether it reads them.

    What is assigned is bound when its statement ends; functions inside do not run there.
    """
    ends: dict[int, Place] = {}
    pending: list[gast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        match node:
            case gast.Assign() | gast.AnnAssign() | gast.AugAssign():
                targets = getattr(node, "targets", None) or [node.target]
                ends.update((id(n), _extent(node)[1]) for t in targets for n in walks.over(t))
            case gast.For(target=target, iter=iterated):
                ends.update((id(n), _extent(iterated)[1]) for n in walks.over(target))
            case gast.ExceptHandler(name=gast.Name() as name):  # it has no place of its own
                ends[id(name)] = _place(node)
            case gast.Name():
                place = ends[id(node)] if id(node) in ends else _place(node)
                yield node.id, place, isinstance(node.ctx, gast.Load)
            case gast.FunctionDef() | gast.AsyncFunctionDef():
                yield node.name, _extent(node)[1], False
        if not isinstance(node, scope.SCOPES):
            pending.extend(walks.children(node))


def _kept_in(statement: gast.stmt) -> frozenset[str]:
    """The variables that may hold, after a statement, a function that it makes."""
    match statement:
        case gast.FunctionDef() | gast.AsyncFunctionDef():
            return frozenset({statement.name})
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=value))):
            return frozenset(name.id for name in scope.free(value))
        case gast.Assign() | gast.AnnAssign() | gast.AugAssign():
            targets = getattr(statement, "targets", None) or [statement.target]
            return frozenset(scope.bound(targets)) | {
                name.id for target in targets for name in scope.free(target)
            }
        case gast.For(target=target):
            return frozenset(scope.bound([target]))
    return frozenset()


def _name(node: gast.AST) -> str:
    if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
        return str(node.name)
    return "generator" if isinstance(node, gast.GeneratorExp) else "lambda"


def _place(node: gast.AST) -> Place:
    return node.lineno, node.col_offset


def _extent(node: gast.AST) -> tuple[Place, Place]:
    return _place(node), (node.end_lineno, node.end_col_offset)


def _repeated(loop: gast.For | gast.While) -> tuple[Place, Place]:
    """The part of a loop that is run again and again: what a `for` runs over is made before."""
    start, end = _extent(loop)
    return (_extent(loop.iter)[1] if isinstance(loop, gast.For) else start), end


def _is_between(made: Place, change: Place, call: Place, loops: list[tuple[Place, Place]]) -> bool:
    """Tells whether a variable may change after a function is made and before it is called."""
    if made < change < call:
        return True
    for start, end in loops:
        is_around = start <= change <= end and start < call < end
        is_made_again = start < made < end
        if is_around and made < start:
            return True
        if is_around and is_made_again and call < made and (made < change or change < call):
            return True
    return False
