"""Remembers what was worked out of functions, for as long as it is true.

This is incremental computation by queries whose dependencies are tracked, as in salsa. All that is
known of a function rests on its text and on the resolver's answers about the names in it. The
answers are noted while it is lowered; if the resolver still gives the same ones, nothing has to be
worked out again. So an edit costs what depends on it, and a function that was only moved keeps its
findings, at other lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from typing import TypeVar

from adlsp.transform import ir
from adlsp.transform.artifact import Request
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Edit, Related
from adlsp.transform.frontend import (
    decorators,
    lower,
    modules,
    resolve,
    roots,
    wrappers,
)
from adlsp.transform.frontend.resolve import (
    Binding,
    Definition,
    Resolver,
    WrittenClass,
    WrittenTable,
)
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.rules import reader, users
from adlsp.transform.source import Source, Span

Key = TypeVar("Key")
Value = TypeVar("Value")

MOST = 4096
"""How many functions, and how many questions, are remembered."""

LONGEST = 20_000
"""How many statements a function may have: a straight line of so many takes half a minute."""

SURELY_TOO_LONG = 2 * LONGEST
"""How many operations a text may have that is lowered at all: some of them are no steps."""


@dataclass(frozen=True, slots=True)
class Text:
    """The lines of a definition, and where they are; `n_blank` counts the empty ones after it."""

    path: str
    first: int
    lines: tuple[str, ...]
    n_blank: int

    @property
    def last(self) -> int:
        """The number of its last line, those after it included."""
        return self.first + len(self.lines) + self.n_blank - 1

    def is_moved(self, before: Text) -> bool:
        """Tells whether another text differs in its place at most."""
        return (self.path, self.lines, self.n_blank) == (before.path, before.lines, before.n_blank)


@dataclass(slots=True)
class Answers:
    """What a resolver was asked about one module, and what it said."""

    names: dict[str, Binding] = field(default_factory=dict)
    attributes: dict[tuple[Binding, str], Binding] = field(default_factory=dict)
    definitions: dict[str, Text | None] = field(default_factory=dict)

    def hold(self, source: Source | None, resolver: Resolver) -> bool:
        """Tells whether a resolver gives the same answers about that module as it is now."""
        return (
            all(
                source is not None and resolver.name(source, name) == said
                for name, said in self.names.items()
            )
            and all(
                resolver.attribute(binding, attribute) == said
                for (binding, attribute), said in self.attributes.items()
            )
            and all(
                text_of(resolver.definition(dotted)) == said
                for dotted, said in self.definitions.items()
            )
        )


class Tracking:
    """A resolver that notes the answers of another about one module: dependency tracking.

    `is_whole` says that nothing was asked but what is noted.
    """

    def __init__(self, resolver: Resolver, source: Source) -> None:
        self.resolver = resolver
        self.source = source
        self.answers = Answers()
        self.is_whole = True

    def parsed(self, source: Source) -> tuple[modules.Module | None, tuple[Diagnostic, ...]]:
        """The module in a text, and its syntax errors."""
        self.is_whole &= source == self.source
        return self.resolver.parsed(source)

    def name(self, source: Source, name: str) -> Binding:
        """What the global `name` means in a module."""
        self.is_whole &= source == self.source
        said = self.answers.names[name] = self.resolver.name(source, name)
        return said

    def attribute(self, binding: Binding, attribute: str) -> Binding:
        """What `attribute` of a module or class means."""
        said = self.resolver.attribute(binding, attribute)
        self.answers.attributes[binding, attribute] = said
        return said

    def definition(self, dotted: str) -> Definition | None:
        """The definition of a user's function."""
        said = self.resolver.definition(dotted)
        self.answers.definitions[dotted] = text_of(said)
        return said

    def class_of(self, dotted: str) -> WrittenClass | None:
        """The class of that name in the text of a module."""
        self.is_whole = False
        return self.resolver.class_of(dotted)

    def order(self, dotted: str) -> tuple[str, ...]:
        """A class and those above it, in the order in which Python looks names up."""
        self.is_whole = False
        return self.resolver.order(dotted)

    def table_of(self, dotted: str) -> WrittenTable | None:
        """The dictionary, list or tuple of names that a variable surely holds for good."""
        self.is_whole = False
        return self.resolver.table_of(dotted)

    def held(self, dotted: str) -> object:
        """What a variable of a module holds: an object, or a function that keeps something."""
        self.is_whole = False
        return self.resolver.held(dotted)

    def initializer(self, dotted: str) -> Definition | None:
        """The statements of a module that say what a variable holds."""
        self.is_whole = False
        return self.resolver.initializer(dotted)

    def written(self, dotted: str) -> Definition | None:
        """The definition that the text has of a function."""
        self.is_whole = False
        return self.resolver.written(dotted)

    def unread(self, dotted: str) -> str:
        """Why a user's function has no text to read."""
        return self.resolver.unread(dotted)

    def imports(self, source: Source) -> tuple[Source, ...]:
        """The user's modules that a module imports."""
        self.is_whole = False
        return self.resolver.imports(source)


@dataclass(frozen=True, slots=True, eq=False)
class CachedFunction:
    """A function as it was last: its text, what it rested on, and what came of it.

    `meaning` stands for the text and the answers, wherever the text is. `lowered` is empty where
    nothing has asked for the function since it was moved.
    """

    text: Text | None
    answers: Answers
    meaning: object
    lowered: tuple[ir.Function | None, ...]
    is_too_long: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CachedFindings:
    """What was found for a question, and the functions and rules it rests on, as they were then."""

    rests: tuple[tuple[str, Text | None, object], ...]
    rules: users.RulesInScope
    found: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CachedRules:
    """The rules that counted for the functions of a module, and what they rested on."""

    meaning: tuple[object, ...]
    answers: tuple[Answers, ...]
    rules: users.RulesInScope


Question = tuple[str, Request]
"""What is asked about a request."""

Found = TypeVar("Found")

Roots = tuple[tuple[roots.Root, ...], tuple[Diagnostic, ...]]


class QueryCache:
    """What was worked out so far; it lives as long as whoever asks again and again."""

    def __init__(self) -> None:
        self.functions: dict[str, CachedFunction] = {}
        self.requests: dict[Question, CachedFindings] = {}
        self.roots: dict[str, tuple[Source, Answers, Roots]] = {}
        self.takers: dict[str, tuple[Source, Answers, frozenset[str]]] = {}
        self.rules: dict[str, CachedRules] = {}
        self.uses: dict[str, tuple[Source, reader.Uses]] = {}


class Functions:
    """The functions of a program as they are now; what a cache knows of them is not done again."""

    def __init__(self, resolver: Resolver, cache: QueryCache) -> None:
        self.resolver = resolver
        self.cache = cache
        self._now: dict[str, CachedFunction] = {}
        self._rules: dict[str, users.RulesInScope] = {}
        self._decorated: dict[str, bool] = {}

    def lowered(self, dotted: str) -> tuple[Source, ir.Function] | None:
        """A function with the source that it is in; None if it has none, or is something else."""
        kept = self._cached(dotted)
        if kept.text is None:
            return None
        definition = resolve.definition(self.resolver, dotted)
        if definition is None:  # of a class
            return None
        if not kept.lowered:
            kept = self._lower(dotted, definition, kept.meaning)
        function = kept.lowered[0]
        if function is None:
            return None
        return (_wrapped(dotted, definition, self.resolver) or definition).source, function

    def as_root(self, dotted: str) -> Iterator[str]:
        """The names by which a function is differentiated that decorators may be around."""
        yield dotted
        definition = self.resolver.definition(dotted)
        if definition is not None and roots.is_root(definition, self.resolver):
            yield targets.Bare(dotted)
        if definition is not None and wrappers.wrapper(definition, self.resolver) is not None:
            yield targets.Wrapped(dotted)

    def is_decorated(self, dotted: str) -> bool:
        """Tells whether a decorator may make something else of a function."""
        if dotted not in self._decorated:
            found = self.resolver.definition(dotted)
            opaque = None if found is None else decorators.opaque(found, self.resolver)
            self._decorated[dotted] = opaque is not None
        return self._decorated[dotted]

    def stack(self, dotted: str) -> tuple[tuple[str, Definition], ...]:
        """The functions that decorators have put around one, where all are clear."""
        found = self.resolver.definition(dotted) if self.is_decorated(dotted) else None
        is_own = found is not None and found.dotted == dotted
        return wrappers.stack(found, self.resolver) if found is not None and is_own else ()

    def changes_kept(self, dotted: str) -> bool:
        """Tells whether a function may change what it has captured, or a method its object."""
        found = resolve.definition(self.resolver, dotted)
        return found is not None and wrappers.changes_kept(found, self.resolver)

    def is_unread(self, dotted: str) -> bool:
        """Tells whether a user's function is there, but in a part that cannot be read."""
        kept = self._cached(dotted)
        return kept.text is None and self._meant(dotted).kind == "function"

    def too_large(self, dotted: str) -> str | None:
        """What makes a function larger than what is differentiated; None if nothing does."""
        if self._meant(dotted).kind == modules.DEEP:
            return modules.TOO_DEEP
        return f"it has more than {LONGEST} steps" if self._cached(dotted).is_too_long else None

    def findings(
        self, question: Question, find: Callable[[], tuple[tuple[Diagnostic, ...], Iterable[str]]]
    ) -> tuple[Diagnostic, ...]:
        """What is found for a question; `find` also tells which functions it looked at."""
        known = self.cache.requests.get(question)
        rules = self.rules(question[1].function)
        found = None if known is None or known.rules is not rules else self._still(known)
        if found is None:
            found, looked_at = find()
            rests = ((dotted, self._cached(dotted)) for dotted in looked_at)
            known = CachedFindings(
                tuple((d, kept.text, kept.meaning) for d, kept in rests), rules, found
            )
            _put(self.cache.requests, question, known)
        return found

    def looked_at(self, question: Question) -> tuple[str, ...]:
        """The functions that `findings` last looked at for a question."""
        known = self.cache.requests.get(question)
        return () if known is None else tuple(dotted for dotted, _, _ in known.rests)

    def roots(self, source: Source) -> Roots:
        """What is to be differentiated by the text of a module, and what is wrong there."""
        return self._read(source, self.cache.roots, roots.roots)

    def takers(self, source: Source) -> frozenset[str]:
        """The functions of a module that differentiate what they are given."""
        return self._read(source, self.cache.takers, roots.takers)

    def _read(
        self,
        source: Source,
        cache: dict[str, tuple[Source, Answers, Found]],
        read: Callable[[Source, Resolver], Found],
    ) -> Found:
        """What is read in the text of a module; again where names mean something else by now."""
        kept = cache.get(source.path)
        if kept is not None and kept[0] == source and kept[1].hold(source, self.resolver):
            return kept[2]
        tracking = Tracking(self.resolver, source)
        found = read(source, tracking)
        if tracking.is_whole:
            _put(cache, source.path, (source, tracking.answers, found))
        return found

    def rules(self, dotted: str) -> users.RulesInScope:
        """The rules that count in the derivative of a function."""
        definition = self.resolver.definition(dotted)
        return users.built_in() if definition is None else self.rules_in(definition.source)

    def rules_in(self, home: Source) -> users.RulesInScope:
        """The rules that count in the derivatives of the functions of a module."""
        if home.path not in self._rules:
            self._rules[home.path] = self._in_scope(home)
        return self._rules[home.path]

    def _in_scope(self, home: Source) -> users.RulesInScope:
        sources = tuple(users.sources(home, self.resolver))
        declared = tuple(users.read(self._uses(s), s, self.resolver) for s in sources)
        declared = tuple(one for one in declared if one.declarations or one.problems)
        if not declared:
            return users.built_in()
        meaning = tuple(m for one in declared for m in one.meaning)
        before = self.cache.rules.get(home.path)
        if before is not None and before.meaning == meaning:
            pairs = zip(declared, before.answers, strict=True)
            if all(answers.hold(one.source, self.resolver) for one, answers in pairs):
                return before.rules
        tracking = {one.source.path: Tracking(self.resolver, one.source) for one in declared}
        made = users.in_scope(declared, self.resolver, lambda s: tracking[s.path])
        if all(each.is_whole for each in tracking.values()) and not made.is_broken:
            answers = tuple(tracking[one.source.path].answers for one in declared)
            _put(self.cache.rules, home.path, CachedRules(meaning, answers, made))
        return made

    def _uses(self, source: Source) -> reader.Uses:
        """Where a module writes the words for rules, read once for each text."""
        kept = self.cache.uses.get(source.path)
        if kept is None or kept[0] != source:
            kept = source, users.uses(source, self.resolver)
            _put(self.cache.uses, source.path, kept)
        return kept[1]

    def _cached(self, dotted: str) -> CachedFunction:
        if dotted not in self._now:
            definition = resolve.definition(self.resolver, dotted)
            before = self.cache.functions.get(dotted)
            written = self.resolver.class_of(dotted) if definition is None else None
            if written is not None:
                self._now[dotted] = self._of_class(dotted, written, before)
            elif before is not None and self._means_the_same(before, definition):
                text = text_of(definition)
                self._now[dotted] = (
                    before if text == before.text else replace(before, text=text, lowered=())
                )
            elif definition is not None:
                self._lower(dotted, definition, object())
            else:
                answers = Answers(attributes={_member(dotted): self._meant(dotted)})
                self._now[dotted] = CachedFunction(None, answers, object(), (None,))
            _put(self.cache.functions, dotted, self._now[dotted])
        return self._now[dotted]

    def _of_class(
        self, dotted: str, written: WrittenClass, before: CachedFunction | None
    ) -> CachedFunction:
        """What is kept of a class: its text, on which rests what is known of its objects."""
        source, tree = written
        last = tree.end_lineno or tree.lineno
        first = min((each.lineno for each in tree.decorator_list), default=tree.lineno)
        text = Text(source.path, first, source.lines[first - 1 : last], 0)
        if before is not None and before.text is not None and text.is_moved(before.text):
            return replace(before, text=text)
        answers = Answers(attributes={_member(dotted): self._meant(dotted)})
        return CachedFunction(text, answers, object(), (None,))

    def _means_the_same(self, before: CachedFunction, definition: Definition | None) -> bool:
        text = text_of(definition)
        if text is None or before.text is None:
            is_same = text is before.text
        else:
            is_same = text.is_moved(before.text)
        source = None if definition is None else definition.source
        return is_same and before.answers.hold(source, self.resolver)

    def _meant(self, dotted: str) -> Binding:
        return self.resolver.attribute(*_member(dotted))

    def _lower(self, dotted: str, definition: Definition, meaning: object) -> CachedFunction:
        tracking = Tracking(self.resolver, definition.source)
        function = None
        is_too_long = modules.n_operations(definition.written.tree) > SURELY_TOO_LONG
        lowered = self._lowered(dotted, definition, tracking)
        if not is_too_long and lowered is not None:
            function = lower.lower(lowered, tracking)
            if isinstance(dotted, targets.Nested):
                is_plain = not isinstance(dotted.of, targets.Bare | targets.Wrapped)
                called = targets.Nested(function.dotted) if is_plain else dotted
                function = replace(function, called=called)
            elif isinstance(dotted, targets.Above | targets.Getter | targets.Maker):
                function = replace(function, called=dotted)
            is_too_long = sum(1 for _ in ir.walk(function.body)) > LONGEST
        kept = CachedFunction(
            text_of(definition),
            tracking.answers,
            meaning if tracking.is_whole else object(),
            (None if is_too_long else function,),
            is_too_long,
        )
        self._now[dotted] = kept
        _put(self.cache.functions, dotted, kept)
        return kept

    def _lowered(
        self, dotted: str, definition: Definition, resolver: Resolver
    ) -> Definition | None:
        """What a name stands for that may say how to look at a definition; None for nothing."""
        match dotted:
            case targets.Wrapped() | targets.Nested(of=targets.Wrapped()):
                return _wrapped(dotted, definition, resolver)
            case targets.Bare() | targets.Nested(of=targets.Bare()):
                return definition if decorators.opaque(definition, resolver) else None
        kind, is_getter = decorators.method(definition, resolver), _is_getter(dotted)
        return definition if kind and is_getter is (kind == decorators.GETTER) else None

    def _still(self, known: CachedFindings) -> tuple[Diagnostic, ...] | None:
        """What was found, at the lines where it is now; None where it may be something else."""
        moves: dict[str, list[tuple[Text, int]]] = {}
        is_moved = False
        for dotted, before, meaning in known.rests:
            kept = self._cached(dotted)
            if kept.meaning is not meaning:
                return None
            if kept.text is not None and before is not None:
                by = kept.text.first - before.first
                is_moved |= by != 0
                moves.setdefault(before.path, []).append((before, by))
        if not is_moved:
            return known.found
        try:
            return tuple(_moved(each, moves) for each in known.found)
        except _NowhereError:
            return None


def _wrapped(dotted: str, definition: Definition, resolver: Resolver) -> Definition | None:
    """What a decorator puts around a function, if the name is that of such."""
    n_around = targets.n_around(dotted)
    found = wrappers.stack(definition, resolver) if n_around else ()
    return found[n_around - 1][1] if n_around <= len(found) and n_around else None


def _is_getter(dotted: str) -> bool:
    """Tells whether a name is that of the function of a property."""
    while isinstance(dotted, targets.Nested | targets.Above):
        dotted = dotted.of
    return isinstance(dotted, targets.Getter)


def _member(dotted: str) -> tuple[Binding, str]:
    module, _, name = dotted.rpartition(".")
    return Binding("module", module), name


def text_of(definition: Definition | None) -> Text | None:
    """The text of a definition, decorators included, with that of what is around it."""
    if definition is None:
        return None
    source = definition.source
    first, last = definition.lines
    end = last
    while end < len(source.lines) and not source.lines[end].strip():
        end += 1
    return Text(source.path, first, source.lines[first - 1 : last], end - last)


class _NowhereError(Exception):
    """A finding is about a place outside of the functions that are known."""


Moves = dict[str, list[tuple[Text, int]]]


def _moved(found: Diagnostic, moves: Moves) -> Diagnostic:
    related = tuple(Related(_span(each.span, moves), each.message) for each in found.related)
    fix = found.fix
    if fix is not None:
        edits = tuple(Edit(_span(each.span, moves), each.text) for each in fix.edits)
        fix = replace(fix, edits=edits)
    return replace(found, span=_span(found.span, moves), related=related, fix=fix)


def _span(span: Span, moves: Moves) -> Span:
    for text, by in moves.get(span.path, ()):
        if text.first <= span.line <= span.end_line <= text.last + 1:
            return replace(span, line=span.line + by, end_line=span.end_line + by)
    raise _NowhereError


def _put(kept: dict[Key, Value], key: Key, value: Value) -> None:
    """Remembers one more, and forgets the oldest where there are too many."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > MOST:
        kept.pop(next(iter(kept)), None)
