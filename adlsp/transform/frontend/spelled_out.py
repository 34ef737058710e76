"""What people write shortly, spelled out in the tree before it is lowered.

`xs, ys = [], []` are two statements, so that each list has one of its own. The calls of `append =
rows.append` are those of the method, and `setattr(o, "w", v)` is `o.w = v`. `u, v = [np.array(a)
for a in (x, y)]` gives two values, and `for a in (u, v): a[0] = a[1]` stores into one array after
the other, which are told by name.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import TypeVar

import gast

from adlsp.transform.frontend import scope, sequences, walks
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Kind

Tree = TypeVar("Tree", bound=gast.AST)

Meaning = Callable[[str], str]
"""The dotted name of what a name means that is not the function's own; else an empty text."""

MOST_ELEMENTS = 8
"""How many elements of a display are taken one by one."""

MOST_NODES = 1000
"""How large the passes of a loop are together, that are written one after the other."""


def spelled_out(
    body: list[gast.stmt], parameters: Sequence[str], meaning: Meaning
) -> list[gast.stmt]:
    """The body of a function with more and plainer statements; the tree itself stays as it is."""
    made = passes_apart(taken_apart(elements_apart(body, meaning)), meaning)
    return called(attributes_set(made, meaning), parameters)


def taken_apart(body: list[gast.stmt]) -> list[gast.stmt]:
    """A body with two statements for `xs, ys = [], []`: each list has a statement of its own.

    So it has in `xs, ys = xs[1:], ys[1:]`. That is done where no value reads a name that is bound
    before it then.
    """
    return _changed(body, _TakenApart) if any(map(_gives_displays, _nodes(body))) else body


class _TakenApart(gast.NodeTransformer):
    """Splits assignments of several displays; functions in functions stay as they are."""

    def visit_Assign(self, node: gast.Assign) -> gast.stmt | list[gast.stmt]:  # noqa: N802
        if not _gives_displays(node):
            return node
        pairs = zip(node.targets[0].elts, node.value.elts, strict=True)
        return [
            gast.copy_location(gast.Assign(targets=[t], value=v, type_comment=None), node)
            for t, v in pairs
        ]

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:  # noqa: N802
        return node


def _gives_displays(node: gast.AST) -> bool:
    """Tells whether a statement binds several names, one to a display or a slice of itself."""
    match node:
        case gast.Assign(
            targets=[gast.Tuple(elts=targets) | gast.List(elts=targets)],
            value=gast.Tuple(elts=values) | gast.List(elts=values),
        ) if len(targets) == len(values) and any(
            sequences.kind(value, {}) in (Kind.LIST, Kind.DICT) or _is_of_itself(target, value)
            for target, value in zip(targets, values, strict=True)
        ):
            names = [t.id for t in targets if isinstance(t, gast.Name)]
            reads = [{n.id for n in walks.over(v) if isinstance(n, gast.Name)} for v in values]
            is_clear = all(set(names[:i]).isdisjoint(read) for i, read in enumerate(reads))
            has_star = any(isinstance(value, gast.Starred) for value in values)
            return is_clear and not has_star and len(set(names)) == len(targets)
    return False


def _is_of_itself(target: gast.expr, value: gast.expr) -> bool:
    """Tells whether a name is bound to a slice of what it holds."""
    match target, value:
        case gast.Name(id=name), gast.Subscript(value=gast.Name(id=base), slice=gast.Slice()):
            return name == base
    return False


def elements_apart(body: list[gast.stmt], meaning: Meaning) -> list[gast.stmt]:
    """A body with `u, v = f(x), f(y)` for `u, v = [f(a) for a in (x, y)]` and `map(f, (x, y))`."""
    is_needed = any(_elements(node, meaning) for node in _nodes(body))
    return _changed(body, lambda: _Elements(meaning)) if is_needed else body


class _Elements(gast.NodeTransformer):
    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning

    def visit_Assign(self, node: gast.Assign) -> gast.stmt | list[gast.stmt]:  # noqa: N802
        made = [
            gast.copy_location(gast.Assign(copy.deepcopy(node.targets), values, None), node)
            for values in _elements(node, self.meaning)
        ]
        return made or node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:  # noqa: N802
        return node


def _elements(node: gast.AST, meaning: Meaning) -> list[gast.Tuple]:
    """What several names are bound to one by one, that a display is run through for.

    Elements that are no names are bound to them first, where each is read more than once.
    """
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=targets) | gast.List(elts=targets)], value=value):
            name, made, run = _run(value, meaning)
        case _:
            return []
    names = [each.id for each in targets if isinstance(each, gast.Name)]
    inside = [each for part in (made, run) for each in walks.over(part)]
    elements = run.elts if isinstance(run, gast.Tuple | gast.List) else []
    reads = [n.id for n in walks.over(made) if isinstance(n, gast.Name)]
    if (
        not name
        or not len(elements) == len(names) == len(targets) <= MOST_ELEMENTS
        or any(isinstance(each, (*UNLIKE, gast.Starred)) for each in inside)
        or not elements
    ):
        return []
    is_plain = not any(isinstance(each, gast.Call) for each in walks.over(run))
    if all(map(_is_atom, elements)) or (is_plain and reads.count(name) == 1):
        return [_tuple((_with({name: each}, made) for each in elements), value)]
    if len({*names}) < len(names) or not {*names}.isdisjoint(reads):
        return []
    again = (gast.Name(each, gast.Load(), None, None) for each in names)
    values = (_with({name: gast.copy_location(each, value)}, made) for each in again)
    return [_tuple(elements, value), _tuple(values, value)]


Run = tuple[str, gast.expr, gast.expr]
"""The variable that runs through something, what is made of it, and what it runs through."""


def _run(value: gast.expr, meaning: Meaning) -> Run:
    """What an expression runs through; an empty name where it is no such."""
    match value:
        case (
            gast.ListComp(elt=made, generators=[each])
            | gast.GeneratorExp(elt=made, generators=[each])
        ) if isinstance(each.target, gast.Name) and not (each.ifs or each.is_async):
            return each.target.id, made, each.iter
        case gast.Call(
            func=gast.Name(id="map"),
            args=[gast.Name() | gast.Attribute() as function, run],
            keywords=[],
        ) if meaning("map") == "builtins.map":
            element = gast.copy_location(gast.Name("<element>", gast.Load(), None, None), value)
            call = gast.Call(copy.deepcopy(function), [element], [])
            return element.id, gast.copy_location(call, value), run
    return "", value, value


def _tuple(values: Iterable[gast.expr], place: gast.expr) -> gast.Tuple:
    return gast.copy_location(gast.Tuple([*values], gast.Load()), place)


APART = (*scope.SCOPES, gast.NamedExpr, gast.Await, gast.Yield)
"""What sees variables later, or does more than give a value."""

UNLIKE = (*APART, *scope.COMPREHENSIONS)
"""Those, and what binds names of its own."""


def _is_atom(node: gast.expr) -> bool:
    return isinstance(node, gast.Name | gast.Constant)


def passes_apart(body: list[gast.stmt], meaning: Meaning) -> list[gast.stmt]:
    """A body with the passes of `for a in (u, v): a[0] = a[1]` one after the other."""
    loops = [node for node in _nodes(body) if isinstance(node, gast.For)]
    is_needed = any(_passes(loop, meaning) for loop in loops)
    return _changed(body, lambda: _Passes(meaning)) if is_needed else body


class _Passes(gast.NodeTransformer):
    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning

    def visit_For(self, node: gast.For) -> gast.stmt | list[gast.stmt]:  # noqa: N802
        passes = _passes(node, self.meaning)
        self.generic_visit(node)
        made: list[gast.stmt] = []
        names = (n for n in _nodes(node.body) if isinstance(n, gast.Name))
        bound = {name.id for name in names if not isinstance(name.ctx, gast.Load)}
        for taken in passes:
            texts = {
                each.targets[0].id: each.value
                for each in taken
                if isinstance(getattr(each.value, "value", None), str)
                if each.targets[0].id not in bound
            }
            made += [*taken, *(_with(texts, statement) for statement in node.body)]
        return made or node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:  # noqa: N802
        return node


def _passes(loop: gast.For, meaning: Meaning) -> list[list[gast.Assign]]:
    """What begins each pass of a loop that stores into its targets; nothing where it stays one.

    So it is for one that names attributes by them.
    """
    is_tuple = isinstance(loop.target, gast.Tuple)
    targets = loop.target.elts if is_tuple else [loop.target]
    names = [each.id for each in targets if isinstance(each, gast.Name)]
    elements = _displayed(loop.iter, meaning)
    rows = [e.elts if is_tuple and isinstance(e, gast.Tuple) else [e] for e in elements]
    inside = [node for statement in loop.body for node in walks.over(statement)]
    bound = {n.id for n in inside if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
    given = {n.id for row in rows for n in row if isinstance(n, gast.Name)}
    if (
        loop.orelse
        or not 0 < len(rows) <= MOST_ELEMENTS
        or len(inside) * len(rows) > MOST_NODES
        or len(names) < len(targets)
        or any(len(row) != len(names) or not all(map(_is_atom, row)) for row in rows)
        or any(isinstance(n, (*APART, gast.Break, gast.Continue)) for n in inside)
        or not given.isdisjoint({*bound, *names})
        or not any(_stored(node) in names or _named_by(node) in names for node in inside)
    ):
        return []
    return [
        [
            gast.copy_location(gast.Assign([copy.deepcopy(target)], value, None), loop.target)
            for target, value in zip(targets, row, strict=True)
        ]
        for row in rows
    ]


def _displayed(run: gast.expr, meaning: Meaning) -> list[gast.expr]:
    """What a loop over displays has in each pass; none where that is not written."""
    match run:
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return elements
        case gast.Call(func=gast.Name(id="enumerate"), args=[of], keywords=[]) if (
            meaning("enumerate") == "builtins.enumerate"
        ):
            every = _displayed(of, meaning)
            places = (gast.copy_location(gast.Constant(at, None), run) for at in range(len(every)))
            return [_tuple(pair, run) for pair in zip(places, every, strict=True)]
        case gast.Call(func=gast.Name(id="zip"), args=[_, *_] as every, keywords=[]) if (
            meaning("zip") == "builtins.zip"
        ):
            columns = [_displayed(each, meaning) for each in every]
            return [_tuple(row, run) for row in zip(*columns, strict=False)]
    return []


def _stored(node: gast.AST) -> str:
    """The variable into whose elements a node stores; empty if it does not."""
    match node:
        case gast.Subscript(value=base, ctx=gast.Store()):
            while isinstance(base, gast.Subscript):
                base = base.value
            return base.id if isinstance(base, gast.Name) else ""
    return ""


def _named_by(node: gast.AST) -> str:
    """The variable that says which attribute a call sets; empty for others."""
    match node:
        case gast.Call(func=gast.Name(id="setattr"), args=[_, gast.Name(id=name), _]):
            return name
    return ""


def attributes_set(body: list[gast.stmt], meaning: Meaning) -> list[gast.stmt]:
    """A body with `o.w = v` for `setattr(o, "w", v)`."""
    is_needed = any(_attribute(node, meaning) for node in _nodes(body))
    return _changed(body, lambda: _AttributesSet(meaning)) if is_needed else body


class _AttributesSet(gast.NodeTransformer):
    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning

    def visit_Expr(self, node: gast.Expr) -> gast.stmt:  # noqa: N802
        found = _attribute(node, self.meaning)
        if found is None:
            return node
        return gast.copy_location(gast.Assign([found[0]], found[1], None), node)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:  # noqa: N802
        return node


def _attribute(node: gast.AST, meaning: Meaning) -> tuple[gast.Attribute, gast.expr] | None:
    """The attribute that a statement sets by its name, and the value.

    A class changes names that begin with two underscores where they are written as attributes.
    """
    match node:
        case gast.Expr(
            value=gast.Call(
                func=gast.Name(id="setattr"),
                args=[
                    gast.Name() | gast.Attribute() as owner,
                    gast.Constant(value=str() as name),
                    value,
                ],
                keywords=[],
            ) as call
        ) if name.isidentifier() and not (iskeyword(name) or name.startswith("__")):
            if meaning("setattr") == "builtins.setattr":
                target = gast.Attribute(copy.deepcopy(owner), name, gast.Store())
                return gast.copy_location(target, call), value
    return None


def _nodes(body: Iterable[gast.stmt]) -> Iterator[gast.AST]:
    return (node for statement in body for node in walks.over(statement))


def _changed(
    body: list[gast.stmt], transformer: Callable[[], gast.NodeTransformer]
) -> list[gast.stmt]:
    made = gast.Module(body=copy.deepcopy(body), type_ignores=[])
    return transformer().visit(made).body


def _with(names: Mapping[str, gast.expr], tree: Tree) -> Tree:
    """A tree with expressions for some names, which stand where the names do."""
    return _Substituted(names).visit(copy.deepcopy(tree))


class _Substituted(gast.NodeTransformer):
    def __init__(self, names: Mapping[str, gast.expr]) -> None:
        self.names = names

    def visit_Name(self, node: gast.Name) -> gast.expr:  # noqa: N802
        given = self.names.get(node.id)
        return node if given is None else gast.copy_location(copy.deepcopy(given), node)


def called(body: list[gast.stmt], parameters: Iterable[str]) -> list[gast.stmt]:
    """A body in which methods that variables hold are called by their names.

    Both names are bound once, and nothing takes the method for anything but calls. That is done for
    the methods of arrays, lists and dictionaries; those of other objects are values.
    """
    nodes = [*_nodes(body)]
    if not any(map(_held, nodes)):
        return body
    names = [node for node in nodes if isinstance(node, gast.Name)]
    bound = Counter(parameters)
    bound.update(name.id for name in names if not isinstance(name.ctx, gast.Load))
    read = Counter(name.id for name in names if isinstance(name.ctx, gast.Load))
    hidden = {name for node in nodes if isinstance(node, scope.SCOPES) for name in _within(node)}
    outer = (node.names for node in nodes if isinstance(node, gast.Global | gast.Nonlocal))
    hidden.update(name for given in outer for name in given)
    asked = Counter(
        node.func.id
        for node in nodes
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
    )
    found: dict[str, gast.Attribute] = {}
    for node in nodes:
        if (held := _held(node)) is not None:
            name, method = held
            both = {name, method.value.id}
            is_called = read[name] == asked[name] and hidden.isdisjoint(both)
            if is_called and all(bound[each] == 1 for each in both):
                found[name] = method
    return _changed(body, lambda: _Named(found)) if found else body


def _held(node: gast.AST) -> tuple[str, gast.Attribute] | None:
    """The variable and the method, where a statement binds one to the other."""
    match node:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Attribute(value=gast.Name(), attr=attr) as method,
        ) if f"ndarray.{attr}" in records.SAID:
            return name, method
    return None


def _within(node: gast.AST) -> set[str]:
    """The names in a function or class that stands in another one."""
    return {each.id for each in walks.over(node) if isinstance(each, gast.Name)}


class _Named(gast.NodeTransformer):
    """Writes the methods where variables are called that hold them, which are not bound then."""

    def __init__(self, held: dict[str, gast.Attribute]) -> None:
        self.held = held

    def visit_Assign(self, node: gast.Assign) -> gast.AST:  # noqa: N802
        held = _held(node)
        if held is not None and held[0] in self.held:
            return gast.copy_location(gast.Pass(), node)
        return self.generic_visit(node)

    def visit_Call(self, node: gast.Call) -> gast.Call:  # noqa: N802
        self.generic_visit(node)
        if isinstance(node.func, gast.Name) and node.func.id in self.held:
            method = copy.deepcopy(self.held[node.func.id])
            node.func = gast.copy_location(method, node.func)
        return node
