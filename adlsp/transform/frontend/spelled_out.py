"""What people write shortly, spelled out in the tree before it is lowered.

`xs, ys = [], []` are two statements, so that each list has one of its own. The calls of `append =
rows.append` are those of the method, and `setattr(o, "w", v)` is `o.w = v`. `u, v = [np.array(a)
for a in (x, y)]` gives two values, and `for a in (u, v): a[0] = a[1]` stores into one array after
the other, which are told by name. A `deque` is a list,
which drops an element where it has more than `maxlen`.
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
    body = by_keys(filtered(body, meaning))
    made = passes_apart(taken_apart(elements_apart(body, meaning)), meaning)
    return as_lists(called(attributes_set(made, meaning), parameters), parameters, meaning)


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


DROPPING = {"append": ("pop", 0), "appendleft": ("pop", -1)}
"""The methods that make a deque longer, with what drops an element at its other end."""

LEAVING = ("popleft", "pop", "clear", "copy", "index", "count")
"""The methods of a deque that ask for no more room."""

AS_LISTS = {"popleft": ("pop", 0), "appendleft": ("insert", 0)}
"""The methods that lists do not have, with those that they have instead, and their first argument.
"""


ASKING = ("isinstance", "type", "repr", "str", "print")
"""The functions to which a deque is another thing than a list."""

COMPUTING = ("numpy", "math", "statistics", "itertools")
"""The modules whose functions take a deque as they take a list."""


def as_lists(body: list[gast.stmt], parameters: Sequence[str], meaning: Meaning) -> list[gast.stmt]:
    """A body with lists for deques, which drop what a `maxlen` leaves no room for.

    They are bound once, and nobody else changes or keeps them.
    """
    made = [each for node in _nodes(body) for each in _deque(node, meaning)]
    if not made:
        return body
    bound = Counter(parameters)
    bound.update(n.id for n in _nodes(body) if isinstance(n, gast.Name) and not _is_read(n))
    found = {name: size for name, size in made if bound[name] == 1}
    fixed = {name for name in parameters if bound[name] == 1}
    others = {name for node in _nodes(body) for name in _others(node, found, meaning)}
    lists = {
        name: size
        for name, size in found.items()
        if name not in others and not (isinstance(size, gast.Name) and size.id not in fixed)
    }
    return _changed(body, lambda: _AsLists(lists)) if lists else body


def _is_read(name: gast.Name) -> bool:
    return isinstance(name.ctx, gast.Load)


def _deque(node: gast.AST, meaning: Meaning) -> Iterator[tuple[str, gast.expr | None]]:
    """The variable that a statement binds to a deque, and how many places that has."""
    match node:
        case gast.Assign(
            targets=[gast.Name(id=name)],
            value=gast.Call(func=gast.Name(id=maker), args=args, keywords=keywords),
        ) if meaning(maker) == "collections.deque":
            given = {keyword.arg: keyword.value for keyword in keywords}
            match args[1] if len(args) == 2 else given.get("maxlen"):
                case None | gast.Constant(value=None):
                    yield name, None
                case gast.Constant(value=int() as number) as size if number > 0:
                    yield name, size
                case gast.Name() as size:
                    yield name, size


def _others(
    node: gast.AST, found: Mapping[str, gast.expr | None], meaning: Meaning
) -> Iterator[str]:
    """The variables that a node gives to something that may change or keep what they hold."""
    match node:
        case gast.Attribute(value=gast.Name(id=name), attr=attr):
            is_longer = attr == "extend" and found.get(name) is None
            yield from () if is_longer or attr in (*DROPPING, *LEAVING) else (name,)
        case gast.Subscript(value=gast.Name(), slice=index):
            yield from _read_by(index)
        case gast.For(iter=gast.Name()) | gast.comprehension(iter=gast.Name()):
            pass
        case gast.If(test=gast.Name()) | gast.While(test=gast.Name()):
            pass
        case gast.Call(func=gast.Name(id=function), args=args) if (
            meaning(function).startswith("builtins.") and function not in ASKING
        ):
            yield from _read_by(*(each for each in args if not isinstance(each, gast.Name)))
        case gast.Call(func=gast.Attribute(value=gast.Name(id=home)), args=args) if (
            meaning(home) in COMPUTING
        ):
            yield from _read_by(*(each for each in args if not isinstance(each, gast.Name)))
        case gast.FunctionDef() | gast.Lambda() | gast.ClassDef():
            yield from _within(node)
        case _:
            yield from _read_by(*walks.children(node))


def _read_by(*nodes: gast.AST) -> Iterator[str]:
    return (node.id for node in nodes if isinstance(node, gast.Name) and _is_read(node))


class _AsLists(gast.NodeTransformer):
    def __init__(self, found: Mapping[str, gast.expr | None]) -> None:
        self.found = found

    def visit_Assign(self, node: gast.Assign) -> gast.AST:  # noqa: N802
        """The list, with the last of what the deque is made of."""
        self.generic_visit(node)
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if (
                name in self.found
            ):
                given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "iterable")]
                node.value = _listed(call, given, self.found[name])
        return node

    def visit_Expr(self, node: gast.Expr) -> gast.AST | list[gast.stmt]:  # noqa: N802
        name, attr = _method(node.value)
        size = self.found.get(name)
        self.generic_visit(node)
        if size is None or attr not in DROPPING:
            return node
        read = _put(gast.Name(name, gast.Load(), None, None), node)
        length = _put(
            gast.Call(_put(gast.Name("len", gast.Load(), None, None), node), [read], []), node
        )
        test = _put(gast.Compare(length, [gast.Gt()], [copy.deepcopy(size)]), node)
        dropped = _put(gast.Expr(_calling(copy.deepcopy(read), *DROPPING[attr])), node)
        return [node, _put(gast.If(test, [dropped], []), node)]

    def visit_Call(self, node: gast.Call) -> gast.AST:  # noqa: N802
        self.generic_visit(node)
        name, attr = _method(node)
        if name not in self.found or attr not in AS_LISTS:
            return node
        assert isinstance(node.func, gast.Attribute)
        return _put(_calling(node.func.value, *AS_LISTS[attr], *node.args), node)


def _method(node: gast.AST) -> tuple[str, str]:
    """The variable of which a method is called, and the method; empty where none is."""
    match node:
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr), keywords=[]):
            return name, attr
    return "", ""


def _calling(owner: gast.expr, method: str, first: int, *others: gast.expr) -> gast.Call:
    """The call of a method of a list, whose first argument is a place."""
    place = _put(gast.Constant(first, None), owner)
    function = _put(gast.Attribute(owner, method, gast.Load()), owner)
    return _put(gast.Call(function, [place, *others], []), owner)


def _listed(deque: gast.Call, given: Sequence[gast.expr], size: gast.expr | None) -> gast.expr:
    """The list of what a deque is made of: the last of it, where it has so many places."""
    if not given:
        return _put(gast.List([], gast.Load()), deque)
    if isinstance(given[0], gast.List) and (
        size is None or (isinstance(size, gast.Constant) and len(given[0].elts) <= size.value)
    ):
        return given[0]
    name = _put(gast.Name("list", gast.Load(), None, None), deque)
    every = _put(gast.Call(name, [*given], []), deque)
    if size is None:
        return every
    first = _put(gast.UnaryOp(gast.USub(), copy.deepcopy(size)), deque)
    ends = _put(gast.Slice(first, None, None), deque)
    return _put(gast.Subscript(every, ends, gast.Load()), deque)


def by_keys(body: list[gast.stmt]) -> list[gast.stmt]:
    """A body with `for k in d.keys(): v = d[k]` for loops over items that set entries of `d`.

    What an entry is, such a loop reads as it comes to it, in either form.
    """
    is_needed = any(map(_entries_set, _nodes(body)))
    return _changed(body, _ByKeys) if is_needed else body


class _ByKeys(gast.NodeTransformer):
    def visit_For(self, node: gast.For) -> gast.For:  # noqa: N802
        self.generic_visit(node)
        found = _entries_set(node)
        if found is None:
            return node
        key, entry, whole = found
        read = _put(gast.Name(whole, gast.Load(), None, None), node.iter)
        place = _put(gast.Name(key.id, gast.Load(), None, None), node.iter)
        value = _put(gast.Subscript(copy.deepcopy(read), place, gast.Load()), node.iter)
        first = gast.copy_location(gast.Assign([entry], value, None), node.target)
        method = _put(gast.Attribute(read, "keys", gast.Load()), node.iter)
        keys = _put(gast.Call(method, [], []), node.iter)
        return _put(gast.For(key, keys, [first, *node.body], node.orelse, None), node)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:  # noqa: N802
        return node


def _entries_set(node: gast.AST) -> tuple[gast.Name, gast.expr, str] | None:
    """The key, the entry and the dictionary of a loop over items that sets entries of that."""
    match node:
        case gast.For(
            target=gast.Tuple(elts=[gast.Name() as key, entry]),
            iter=gast.Call(
                func=gast.Attribute(value=gast.Name(id=whole), attr="items"), args=[], keywords=[]
            ),
            body=body,
        ) if any(_stored(each) == whole for each in _nodes(body)):
            bound = {n.id for n in _nodes([node]) if isinstance(n, gast.Name) and not _is_read(n)}
            return None if whole in bound else (key, entry, whole)
    return None


def filtered(body: list[gast.stmt], meaning: Meaning) -> list[gast.stmt]:
    """A body with `for v in values if test(v)` in comprehensions over `filter(test, values)`."""
    is_needed = any(_filter(node, meaning) for node in _nodes(body))
    return _changed(body, lambda: _Filtered(meaning)) if is_needed else body


class _Filtered(gast.NodeTransformer):
    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning

    def visit_comprehension(self, node: gast.comprehension) -> gast.comprehension:
        self.generic_visit(node)
        found = _filter(node, self.meaning)
        if found is None:
            return node
        test, values = found
        each = _put(gast.Name(node.target.id, gast.Load(), None, None), node.target)
        match test:
            case gast.Constant():
                asked: gast.expr = each
            case gast.Lambda(args=gast.arguments(args=[gast.Name(id=name)]), body=asked):
                asked = _with({name: each}, asked)
            case _:
                asked = _put(gast.Call(test, [each], []), test)
        return gast.comprehension(node.target, values, [asked, *node.ifs], node.is_async)


def _filter(node: gast.AST, meaning: Meaning) -> tuple[gast.expr, gast.expr] | None:
    """What a comprehension runs over that `filter` leaves of something, and the test."""
    match node:
        case gast.comprehension(
            target=gast.Name(),
            iter=gast.Call(
                func=gast.Name(id="filter"),
                args=[
                    gast.Lambda()
                    | gast.Name()
                    | gast.Attribute()
                    | gast.Constant(value=None) as test,
                    values,
                ],
                keywords=[],
            ),
        ) if meaning("filter") == "builtins.filter":
            inside = walks.over(test.body) if isinstance(test, gast.Lambda) else ()
            is_plain = not any(isinstance(each, UNLIKE) for each in inside)
            is_hidden = any(name.id == node.target.id for name in scope.free(test))
            return (test, values) if is_plain and not is_hidden else None
    return None


def _put(tree: Tree, place: gast.AST) -> Tree:
    return gast.copy_location(tree, place)
