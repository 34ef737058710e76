"""`match` as the branches that it stands for, where its patterns are tests that one could write.

That are constants, names with dots, alternatives of these, names that are bound, what is compared
part by part where the subject is a tuple in the text, and classes with keywords: `case Circle(r=r)`
asks `isinstance`. Other patterns, such as sequences with stars, stay as they were written.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

import gast

from adlsp.transform.frontend import walks
from adlsp.transform.frozen import dataclass

Subject: TypeAlias = gast.expr


@dataclass(frozen=True, slots=True)
class _Tested:
    """What a pattern asks of its subject, all of which must be true, and what it binds then."""

    tests: tuple[gast.expr, ...] = ()
    bound: tuple[tuple[str, Subject], ...] = ()


_Pair: TypeAlias = tuple[gast.match_case, "_Tested | None"]


def as_branches(body: list[gast.stmt], lines: list[str]) -> list[gast.stmt]:
    """A body with branches in the place of `match`; `lines` are those of the text."""
    nodes = [n for statement in body for n in walks.over(statement)]
    if not any(isinstance(n, gast.Match) for n in nodes):
        return body
    made = gast.Module(body=copy.deepcopy(body), type_ignores=[])
    return _Branching(made.body, lines).visit(made).body


class _Branching(gast.NodeTransformer):
    """Writes branches; functions in functions stay as they are."""

    def __init__(self, body: list[gast.stmt], lines: list[str]) -> None:
        self.taken = {n.id for s in body for n in walks.over(s) if isinstance(n, gast.Name)}
        self.reads = _reads(body)
        self.lines = lines

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:  # noqa: N802
        return node

    def visit_Match(self, node: gast.Match) -> gast.stmt | list[gast.stmt]:  # noqa: N802
        before: list[gast.stmt] = []
        subject = self.read_again(node.subject, before)
        tested = [_tested(case.pattern, subject) for case in node.cases]
        pairs = [*zip(node.cases, tested, strict=True)]
        is_clear = None not in tested and all(_is_clear(*pair, subject) for pair in pairs)
        if not (is_clear and all(self.is_own(name, pairs) for name in _asked(pairs))):
            return self.generic_visit(node)
        self.generic_visit(node)
        rest: list[gast.stmt] = []
        for case, each in reversed(pairs):
            assert each is not None
            rest = self.branch(case, each, rest)
        return [*before, *rest]

    def read_again(self, subject: Subject, before: list[gast.stmt]) -> Subject:
        """What may be read in each test for a subject; `before` gets what binds names for it."""
        if isinstance(subject, gast.Tuple):
            elements = [self.read_again(element, before) for element in subject.elts]
            return gast.copy_location(gast.Tuple(elements, gast.Load()), subject)
        if isinstance(subject, gast.Constant) or _is_dotted(subject):
            return subject
        name = next(n for n in _names("matched") if n not in self.taken)
        self.taken.add(name)
        before.append(_bind(name, subject, subject))
        return gast.copy_location(_name(name, gast.Load()), subject)

    def is_own(self, name: str, pairs: list[_Pair]) -> bool:
        """Tells whether only the cases that bind a name read it."""
        binding = [case for case, each in pairs if each and name in dict(each.bound)]
        inside = [n for case in binding for n in (case.guard, *case.body) if n is not None]
        return self.reads[name] == _reads(inside)[name]

    def branch(
        self, case: gast.match_case, tested: _Tested, rest: list[gast.stmt]
    ) -> list[gast.stmt]:
        """One case, and what is done where it does not fit."""
        pattern = case.pattern
        body = [*(_bind(name, value, pattern) for name, value in tested.bound), *case.body]
        guard = None if case.guard is None else _Reading(dict(tested.bound)).visit(case.guard)
        tests = [*tested.tests, *([] if guard is None else [guard])]
        if not tests:
            return body
        test = tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.And(), values=tests)
        made = gast.If(test=_at(test, pattern), body=body, orelse=rest)
        gast.copy_location(made, pattern)
        before = self.lines[pattern.lineno - 1].encode()[: pattern.col_offset]
        made.col_offset = max(before.rfind(b"case"), 0)
        made.end_lineno, made.end_col_offset = body[-1].end_lineno, body[-1].end_col_offset
        return [made]


class _Reading(gast.NodeTransformer):
    """Reads in a guard what the names of its pattern stand for."""

    def __init__(self, bound: dict[str, Subject]) -> None:
        self.bound = bound

    def visit_Name(self, node: gast.Name) -> gast.expr:  # noqa: N802
        return _again(self.bound[node.id]) if node.id in self.bound else node


def _reads(nodes: Iterable[gast.AST]) -> Counter[str]:
    """How often names are read."""
    names = (n for node in nodes for n in walks.over(node) if isinstance(n, gast.Name))
    return Counter(n.id for n in names if isinstance(n.ctx, gast.Load))


def _is_clear(case: gast.match_case, tested: _Tested | None, subject: Subject) -> bool:
    """Tells whether names may be bound one by one, and read in the guard before they are.

    Python has all that a pattern binds before it binds the first: `match a, b: case b, a`.
    """
    bound = dict(tested.bound) if tested else {}
    own = {n.id for n in walks.over(subject) if isinstance(n, gast.Name)}
    guard = [] if case.guard is None else [*walks.over(case.guard)]
    binding = {n.id for n in guard if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    return (len(bound) < 2 or own.isdisjoint(bound)) and binding.isdisjoint(bound)


def _asked(pairs: Iterable[_Pair]) -> set[str]:
    """The names that patterns with guards bind, which Python binds before it asks the guard."""
    return {name for case, each in pairs if case.guard and each for name, _ in each.bound}


def _tested(pattern: gast.pattern, subject: Subject) -> _Tested | None:
    """What a pattern asks of a subject; None where no test of ours says that."""
    match pattern:
        case gast.MatchValue(value=value):
            return _Tested((_compared(subject, gast.Eq(), value, pattern),))
        case gast.MatchSingleton(value=value):
            constant = gast.copy_location(gast.Constant(value=value, kind=None), pattern)
            return _Tested((_compared(subject, gast.Is(), constant, pattern),))
        case gast.MatchAs(pattern=inner, name=name):
            found = _Tested() if inner is None else _tested(inner, subject)
            bound = () if name is None else ((name, subject),)
            return None if found is None else _Tested(found.tests, (*found.bound, *bound))
        case gast.MatchOr(patterns=patterns):
            return _either([_tested(each, subject) for each in patterns], pattern)
        case gast.MatchSequence(patterns=patterns) if (
            isinstance(subject, gast.Tuple)
            and len(subject.elts) == len(patterns)
            and not any(isinstance(each, gast.MatchStar) for each in patterns)
        ):
            return _all(map(_tested, patterns, subject.elts))
        case gast.MatchClass(cls=of, patterns=[], kwd_attrs=names, kwd_patterns=patterns):
            called = gast.Call(_name("isinstance", gast.Load()), [_again(subject), of], [])
            parts = [gast.Attribute(_again(subject), name, gast.Load()) for name in names]
            parts = [_at(part, pattern) for part in parts]
            return _all((_Tested((_at(called, pattern),)), *map(_tested, patterns, parts)))
    return None


def _all(parts: Iterable[_Tested | None]) -> _Tested | None:
    """What several patterns ask together."""
    tests: list[gast.expr] = []
    bound: list[tuple[str, Subject]] = []
    for each in parts:
        if each is None:
            return None
        tests += each.tests
        bound += each.bound
    return _Tested(tuple(tests), tuple(bound))


def _either(parts: list[_Tested | None], pattern: gast.pattern) -> _Tested | None:
    """What one of several patterns asks that bind nothing."""
    tests = [each.tests for each in parts if each is not None and not each.bound]
    if len(tests) != len(parts) or any(len(each) > 1 for each in tests):
        return None
    if not all(tests):
        return _Tested()
    asked = gast.BoolOp(op=gast.Or(), values=[test for (test,) in tests])
    return _Tested((_at(asked, pattern),))


def _compared(
    subject: Subject, operator: gast.cmpop, value: gast.expr, pattern: gast.pattern
) -> gast.expr:
    return _at(gast.Compare(left=_again(subject), ops=[operator], comparators=[value]), pattern)


def _is_dotted(subject: Subject) -> bool:
    """Tells whether an expression is a name, with attributes or without."""
    while isinstance(subject, gast.Attribute):
        subject = subject.value
    return isinstance(subject, gast.Name)


def _bind(name: str, value: gast.expr, like: gast.AST) -> gast.stmt:
    target = _at(_name(name, gast.Store()), like)
    made = gast.Assign(targets=[target], value=_again(value), type_comment=None)
    return gast.copy_location(made, like)


def _name(name: str, context: gast.expr_context) -> gast.Name:
    return gast.Name(id=name, ctx=context, annotation=None, type_comment=None)


def _names(stem: str) -> Iterable[str]:
    """A name and others made of it."""
    yield stem
    number = 1
    while True:
        number += 1
        yield f"{stem}_{number}"


def _again(subject: Subject) -> Subject:
    return copy.deepcopy(subject)


def _at(node: gast.expr, like: gast.AST) -> gast.expr:
    """An expression at the place of a pattern, with all that is in it that has no place."""
    for each in walks.over(node):
        if isinstance(each, gast.expr) and getattr(each, "lineno", None) is None:
            gast.copy_location(each, like)
    return node
