"""Repairs of calls with `out=`, of functions that return nothing, of sums that overflow.

`np.add(a, b, out=a)` becomes `a[...] = np.add(a, b)`: the buffer stays the object that it is, with
its shape, its type and all its names. Where both run they do the same; but where a result of
another kind does not fit into the buffer, `out=` raises an error and a store casts. So the repair
is safe where the text shows that the buffer holds floats.

A function that returns what it has changed gives its callers something where there was nothing:
that is never safe. Nor is `logsumexp(x)` for `np.log(np.sum(np.exp(x)))`, which needs SciPy and
rounds in another way.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import gast

from adlsp.transform.diagnostics.vocabulary import Edit, Fix
from adlsp.transform.frontend import bindings, exits, punctuation, scope, walks
from adlsp.transform.frontend.modules import Module
from adlsp.transform.frontend.resolve import Definition
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.ops.spec import Dtype, Shape
from adlsp.transform.source import Source, Span

LOG_SUM_EXP = "scipy.special.logsumexp"

Meaning = Callable[[gast.expr], str | None]
"""What a dotted expression over a global name means, as a dotted name."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a repair asks about the names of a function: its tree, and what global ones mean."""

    function: gast.FunctionDef
    meaning: Meaning


def store_result(source: Source, call: gast.Call, out: gast.keyword, names: Names) -> Fix | None:
    """The call without its `out=`, stored into all of what was given there.

    None where it would not do the same: of a function that is not known, for the elements that
    `where=` leaves alone, or for a result that more than one array takes.
    """
    buffer = out.value
    if isinstance(buffer, gast.Tuple) and len(buffer.elts) == 1:
        buffer = buffer.elts[0]
    is_same = _is_exact(call, names)
    has_more = any(isinstance(a, gast.Starred) for a in call.args) or any(
        k.arg in (None, "where") for k in call.keywords
    )
    shown = source.slice(punctuation.span(source, buffer))
    if is_same is None or has_more or not _is_place(buffer) or "\n" in shown:
        return None
    removed = _without(source, call, out)
    if removed is None:
        return None
    target = shown if _is_window(buffer, names) else f"{shown}[...]"
    start = punctuation.span(source, call)
    place = Span(start.path, start.line, start.column, start.line, start.column)
    edits = (Edit(place, f"{target} = "), Edit(removed, ""))
    return Fix(f"Store the result: `{target} = …`", edits, is_same and _has_floats(buffer, names))


def takes_out(call: gast.Call, meaning: Meaning) -> bool:
    """Tells whether `out=None` is surely the same as no `out=`."""
    function = meaning(call.func)
    if function is not None:
        return targets.is_of(function, "numpy", "scipy")
    return isinstance(call.func, gast.Attribute) and _takes_result(call.func.attr)


def return_them(definition: Definition, names: Sequence[str]) -> Fix | None:
    """A `return` of some variables at the end of a function that has none, or an empty one."""
    node, source = definition.node, definition.source
    returns = [n for s in node.body for n in exits.own(s) if isinstance(n, gast.Return)]
    last, text = node.body[-1], f"return {', '.join(names)}"
    span = punctuation.span(source, last)
    line = source.lines[span.line - 1]
    width = len(source.lines[span.end_line - 1]) + 1
    end = Span(span.path, span.end_line, width, span.end_line, width)
    if not names or last.lineno == node.lineno or line[: span.column - 1].strip():
        return None
    if returns not in ([], [last]):
        return None
    edit = Edit(span, text) if returns else Edit(end, f"\n{line[: span.column - 1]}{text}")
    return Fix(f"Return {' and '.join(f'`{name}`' for name in names)}", (edit,), is_safe=False)


def log_sum_exp(module: Module, logarithm: Span, total: Span, exponential: Span) -> Fix | None:
    """SciPy's `logsumexp` for three calls within each other, if they stand so on a line.

    Its name is imported below the last import, unless the module has it.
    """
    source, name = module.source, LOG_SUM_EXP.rpartition(".")[2]
    home, bound = LOG_SUM_EXP.rpartition(".")[0], module.names.get(name)
    imports = [s for s in module.parsed.body if isinstance(s, ast.Import | ast.ImportFrom)]
    is_there = bound == bindings.ImportedName(home, name)
    is_taken = bool(re.search(rf"\b{name}\b", source.text)) and not is_there
    if is_taken or not imports or {logarithm.line} != {s.end_line for s in (logarithm, total)}:
        return None
    line = source.lines[logarithm.line - 1]
    before = line[logarithm.column - 1 : total.column - 1]
    behind = line[total.end_column - 1 : logarithm.end_column - 1]
    opening = line[total.column - 1 : exponential.column - 1]
    options = line[exponential.end_column - 1 : total.end_column - 1]
    operand = source.slice(exponential).partition("(")[2]
    if behind != ")" or not before.endswith("(") or not operand.endswith(")"):
        return None
    if opening:
        given = f"{operand[:-1]}{options}" if opening.endswith("(") else None
    else:
        method = re.fullmatch(r"\.\w+\((.*\))", options)
        more = method and method[1]
        given = more and f"{operand[:-1]}{'' if more == ')' else ', '}{more}"
    if not given:
        return None
    edits: tuple[Edit, ...] = (Edit(logarithm, f"{name}({given}"),)
    if not is_there:
        line_below = max(s.end_lineno or s.lineno for s in imports) + 1
        top = Span(source.path, line_below, 1, line_below, 1)
        edits = (Edit(top, f"from {home} import {name}\n"), *edits)
    return Fix(f"Use `{LOG_SUM_EXP}`", edits, is_safe=False, names=() if is_there else (name,))


def _takes_result(method: str) -> bool:
    """Tells whether a method of an array has `out`."""
    return records.said(f"ndarray.{method}").n_before_out is not None


def _is_exact(call: gast.Call, names: Names) -> bool | None:
    """Tells whether the result is the same whatever takes it; None of an unknown function."""
    function = names.meaning(call.func)
    if function is not None:
        return records.said(function).fills_exactly
    is_method = isinstance(call.func, gast.Attribute) and _takes_result(call.func.attr)
    return False if is_method else None


def _is_place(node: gast.expr) -> bool:
    """Tells whether an expression only looks something up, by names and constants."""
    allowed = (
        gast.Attribute,
        gast.Constant,
        gast.Name,
        gast.Slice,
        gast.Subscript,
        gast.Tuple,
        gast.UnaryOp,
        gast.unaryop,
        gast.expr_context,
    )
    is_named = isinstance(node, gast.Attribute | gast.Name | gast.Subscript)
    return is_named and all(isinstance(inner, allowed) for inner in walks.over(node))


def _is_window(node: gast.expr, names: Names) -> bool:
    """Tells whether `node = v` stores into what `node` is: a part of an array, and no copy."""
    if not isinstance(node, gast.Subscript):
        return False
    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    is_range = [
        isinstance(part, gast.Slice) or (isinstance(part, gast.Constant) and part.value is ...)
        for part in parts
    ]
    return any(is_range) and all(
        is_one or _is_number(part, names) for is_one, part in zip(is_range, parts, strict=True)
    )


def _is_number(node: gast.expr, names: Names) -> bool:
    """Tells whether an index is one integer."""
    match node:
        case gast.Constant(value=int()) | gast.UnaryOp(operand=gast.Constant(value=int())):
            return True
        case gast.Name(id=name):
            loops = [n for n in walks.over(names.function) if isinstance(n, gast.For)]
            counts = [n for n in loops if isinstance(n.target, gast.Name) and n.target.id == name]
            are_ranges = all(
                isinstance(n.iter, gast.Call) and names.meaning(n.iter.func) == "builtins.range"
                for n in counts
            )
            return are_ranges and 0 < len(counts) == len(scope.binders(names.function, name))
    return False


def _has_floats(node: gast.expr, names: Names, depth: int = 3) -> bool:
    """Tells whether an expression gives an array, or a number, of floats or complex numbers."""

    def has(part: gast.expr) -> bool:
        return depth > 0 and _has_floats(part, names, depth - 1)

    match node:
        case gast.Constant(value=float() | complex()):
            return True
        case gast.Name(id=name):
            values = list(_given(names.function, name))
            return bool(values) and all(value is not None and has(value) for value in values)
        case gast.UnaryOp(op=gast.USub() | gast.UAdd(), operand=part):
            return has(part)
        case gast.BinOp(op=gast.Div()):
            return True
        case gast.BinOp(op=gast.Add() | gast.Sub() | gast.Mult() | gast.Pow() | gast.MatMult()):
            return has(node.left) or has(node.right)
        case gast.Subscript(value=part):
            return has(part)
        case gast.Attribute(value=part, attr="T" | "real" | "imag"):
            return has(part)
        case gast.Call(func=gast.Attribute(value=part, attr=method)) if (
            records.said(f"ndarray.{method}").dtype is Dtype.FIRST
        ):
            return has(part)
        case gast.Call():
            return _makes_floats(node, names, has)
    return False


def _makes_floats(call: gast.Call, names: Names, has_floats: Callable[[gast.expr], bool]) -> bool:
    """Tells whether a call makes an array of floats."""
    function, keywords = names.meaning(call.func) or "", {k.arg: k.value for k in call.keywords}
    if {None, "signature"} & {*keywords} or any(isinstance(a, gast.Starred) for a in call.args):
        return False
    record = records.said(function)
    is_told = record.dtype_at is not None or record.dtype is Dtype.FLOATS
    is_like = record.shape is Shape.FIRST and record.dtype in (Dtype.FIRST, Dtype.COMMON)
    if "dtype" in keywords:
        return (is_told or is_like) and _names_floats(keywords["dtype"], names)
    match function, call.args:
        case "numpy.array", [gast.List(elts=elements)]:
            return any(map(has_floats, elements))
        case "numpy.full", [_, value]:
            return has_floats(value)
        case _, [like] if is_like:
            return has_floats(like)
    if record.dtype_at is not None and len(call.args) > record.dtype_at:
        return _names_floats(call.args[record.dtype_at], names)
    return record.dtype is Dtype.FLOATS


def _names_floats(dtype: gast.expr, names: Names) -> bool:
    told = records.said(names.meaning(dtype) or "").dtype
    return told in (Dtype.FLOATS, Dtype.COMPLEX)


def _given(function: gast.FunctionDef, name: str) -> Iterator[gast.expr | None]:
    """What a function gives to a variable; None where that is not seen."""
    bindings = scope.binders(function, name)
    values = {
        id(node.targets[0]): node.value
        for node in walks.over(function)
        if isinstance(node, gast.Assign) and len(node.targets) == 1
    }
    updates = {id(n.target) for n in walks.over(function) if isinstance(n, gast.AugAssign)}
    yield from (values.get(id(node)) for node in bindings if id(node) not in updates)


def _without(source: Source, call: gast.Call, keyword: gast.keyword) -> Span | None:
    """What to take out of a call to leave out a keyword; None where a comment would go with it."""
    own = punctuation.span(source, keyword)
    arguments = [
        punctuation.span(source, n) for n in (*call.args, *call.keywords) if n is not keyword
    ]
    commas = [
        at for text, at in punctuation.inside(source, punctuation.span(source, call)) if text == ","
    ]
    before = [at for at in commas if _key(at) < _key(own)]
    after = [at for at in commas if _key(at) > _key(own)]
    following = [span for span in arguments if _key(span) > _key(own)]
    start, end = own, own
    if before:
        start = before[-1]
    elif following:
        end = min(following, key=_key)
        end = replace(end, end_line=end.line, end_column=end.column)
    elif after:
        end = after[-1]
    removed = Span(own.path, start.line, start.column, end.end_line, end.end_column)
    return None if "#" in source.slice(removed) else removed


def _key(span: Span) -> tuple[int, int]:
    return span.line, span.column
