"""Arguments with stars, `f(*values)` and `f(**options)`, in the forms that have none.

Of a display, and of a variable that is bound once to a display that nothing makes longer, the text
tells what it holds. What only a call tells is left to the program
(`argument_unpacking.py`).
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping

import gast

from adlsp.transform.frontend import scope, walks


def displays(body: Collection[gast.stmt], parameters: Collection[str]) -> dict[str, gast.expr]:
    """The local variables that hold the same number of values, or the same keys, all the time.

    They are bound once, to a display, and then only read and set by index, or given with a star. Of
    the elements it has those that stay what they are, constants and parameters, and `None` for
    others.
    """
    uses = Counter(parameters)
    plain: Counter[str] = Counter()
    stored: set[str] = set()
    found: dict[str, gast.expr] = {}
    for node in (inner for statement in body for inner in walks.over(statement)):
        match node:
            case gast.Name(id=name):
                uses[name] += 1
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.expr() as value):
                made = _display(value)
                if made is not None:
                    found[name] = made
                    plain[name] += 1
            case gast.Subscript(value=gast.Name(id=name), slice=index, ctx=context):
                is_set = isinstance(context, gast.Store) and not isinstance(index, gast.Slice)
                plain[name] += is_set or isinstance(context, gast.Load)
                if is_set:
                    stored.add(name)
            case (
                gast.Starred(value=gast.Name(id=name))
                | gast.keyword(arg=None, value=gast.Name(id=name))
            ):
                plain[name] += 1
    if not found:
        return {}
    fixed = frozenset(parameters) - scope.bound(body)
    fixed = fixed.difference(*map(scope.nonlocals, body))
    return {
        name: _settled(made, None if name in stored else fixed)
        for name, made in found.items()
        if uses[name] == plain[name] and not (isinstance(made, gast.Dict) and name in stored)
    }


def _settled(display: gast.expr, fixed: Container[str] | None) -> gast.expr:
    """A display with `None` in the place of elements that may become others."""

    def settled(element: gast.expr) -> gast.expr | None:
        match element:
            case gast.Constant() | gast.UnaryOp(operand=gast.Constant()):
                return None if fixed is None else element
            case gast.Name(id=name) if fixed is not None and name in fixed:
                return element
            case gast.Tuple(elts=elements) if None not in map(settled, elements):
                return element
        return None

    match display:
        case gast.Dict(keys=keys, values=values):
            return gast.Dict(keys, [*map(settled, values)])
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return gast.Tuple([*map(settled, elements)], gast.Load())
    return display


def _display(node: gast.expr) -> gast.expr | None:
    """The display that an expression is; of a dictionary the keys are names."""
    match node:
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return None if any(isinstance(e, gast.Starred) for e in elements) else node
        case gast.Dict(keys=keys) if all(_is_name(key) for key in keys):
            return node
        case gast.Call(func=gast.Name(id="dict"), args=[], keywords=keywords):
            keys = [gast.Constant(k.arg, None) for k in keywords]
            made = gast.Dict(keys, [k.value for k in keywords])
            return made if all(map(_is_name, keys)) else None
    return None


def _is_name(node: gast.expr | None) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, str)


def has_stars(node: gast.Call) -> bool:
    """Tells whether a call has arguments with stars."""
    is_starred = any(isinstance(argument, gast.Starred) for argument in node.args)
    return is_starred or any(keyword.arg is None for keyword in node.keywords)


def is_shape(node: gast.expr) -> bool:
    """Tells whether an expression is a shape, or some sizes of one: `x.shape[1:]`."""
    match node:
        case gast.Subscript(value=base):
            return is_shape(base)
        case gast.Attribute(value=gast.Name(), attr="shape"):
            return True
    return False


def takes_tuple(function: gast.expr) -> bool:
    """Tells whether a method of arrays takes several values one by one or in one tuple."""
    return isinstance(function, gast.Attribute) and function.attr in ("reshape", "transpose")


def unpacked(node: gast.Call, known: Mapping[str, gast.expr], *, are_alike: bool) -> gast.Call:
    """A call with the arguments that the text tells, where it does, instead of those with stars.

    `are_alike`: the function takes its values one by one or in one list, as `max` does.
    """
    match node.args:
        case [gast.Starred(value=values)] if (
            are_alike and not node.keywords and not _is_one(values, known)
        ):
            return gast.copy_location(gast.Call(node.func, [values], []), node)
    args = [*_positional(node.args, known)]
    keywords = [each for keyword in node.keywords for each in _named(keyword, known)]
    return gast.copy_location(gast.Call(node.func, args, keywords), node)


def _is_one(values: gast.expr, known: Mapping[str, gast.expr]) -> bool:
    """Tells whether it is known that there is one value, which may be a tuple itself."""
    made = known.get(values.id) if isinstance(values, gast.Name) else _display(values)
    return isinstance(made, gast.Tuple | gast.List) and len(made.elts) == 1


def _positional(args: list[gast.expr], known: Mapping[str, gast.expr]) -> Iterator[gast.expr]:
    for argument in args:
        match argument:
            case gast.Starred(value=gast.Tuple(elts=elements) | gast.List(elts=elements)):
                yield from _positional(elements, known)
            case gast.Starred(value=gast.Name(id=name)) if not isinstance(
                made := known.get(name), gast.Dict | None
            ):
                for position, element in enumerate(made.elts):
                    yield _element(argument, name, position, element)
            case gast.Starred(value=gast.GeneratorExp() as run):
                listed = gast.copy_location(gast.ListComp(run.elt, run.generators), run)
                yield gast.copy_location(gast.Starred(listed, gast.Load()), argument)
            case _:
                yield argument


def _named(keyword: gast.keyword, known: Mapping[str, gast.expr]) -> Iterator[gast.keyword]:
    if keyword.arg is not None:
        yield keyword
        return
    if isinstance(keyword.value, gast.Name):
        made, name = known.get(keyword.value.id), keyword.value.id
    else:
        made, name = _display(keyword.value), ""
    if not isinstance(made, gast.Dict):
        yield keyword
        return
    for key, value in zip(made.keys, made.values, strict=True):
        given = _element(keyword.value, name, key.value, value) if name else value
        yield gast.copy_location(gast.keyword(key.value, given), keyword.value)


def _element(place: gast.expr, name: str, key: int | str, settled: gast.expr | None) -> gast.expr:
    """The tree of an element of a variable, at the place of another tree."""
    if settled is not None:
        return gast.copy_location(copy.copy(settled), place)
    base = gast.copy_location(gast.Name(name, gast.Load(), None, None), place)
    index = gast.copy_location(gast.Constant(key, None), place)
    return gast.copy_location(gast.Subscript(base, index, gast.Load()), place)


def gathered(node: gast.Call) -> gast.Call:
    """The same call with one star at most, behind all arguments by position, and one `**`."""
    args, place = node.args, gast.copy_location
    first = next((i for i, a in enumerate(args) if isinstance(a, gast.Starred)), len(args))
    if first < len(args) - 1:
        values = place(gast.List(args[first:], gast.Load()), args[first])
        args = [*args[:first], place(gast.Starred(values, gast.Load()), args[first])]
    options = [k.value for k in node.keywords if k.arg is None]
    keywords = [k for k in node.keywords if k.arg is not None or len(options) == 1]
    if len(options) > 1:
        merged = place(gast.Dict([None] * len(options), options), options[0])
        keywords.append(place(gast.keyword(None, merged), options[0]))
    return place(gast.Call(node.func, args, keywords), node)


def transposed(node: gast.expr) -> gast.expr | None:
    """The `rows` of `zip(*rows)`."""
    match node:
        case gast.Call(func=gast.Name(), args=[gast.Starred(value=rows)], keywords=keywords) if all(
            keyword.arg == "strict" for keyword in keywords
        ):
            return rows
    return None
