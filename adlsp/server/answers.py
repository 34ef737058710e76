"""What the worker process answers: the engine's results, made ready for the server.

The only file of the server that knows the engine. Findings come by way of `adlsp.lint`, so that
the editor shows what the command line does. Each answer brings what the protocol needs of it: the
files that it was read from, and the text of the lines that it points into where columns are not
bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial

from adlsp import workspace
from adlsp.lint import callers, check, request_options
from adlsp.lint.settings import Settings, SettingsError
from adlsp.server import messages
from adlsp.transform import engine, requests
from adlsp.transform.artifact import FORMS, Derivative
from adlsp.transform.diagnostics import catalogue
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import modules, roots
from adlsp.transform.frontend.resolve import Definition, StaticResolver
from adlsp.transform.frontend.roots import Root
from adlsp.transform.query_cache import QueryCache
from adlsp.transform.source import Source, Span
from adlsp.workspace import Workspace

Hold = Callable[[], AbstractContextManager[None]]
"""Keeps hovers from being answered in the midst of something."""

Parsed = tuple[modules.Module | None, tuple[Diagnostic, ...]]


class Parser:
    """Parses sources, and keeps the last module of each file: edits leave no old ones behind.

    A hover in the midst of parsing would parse the same text again, so it waits for the module.
    """

    def __init__(self, hold: Hold) -> None:
        self._hold = hold
        self._parsed: dict[str, tuple[Source, Parsed]] = {}

    def parse(self, source: Source) -> Parsed:
        """The module in a text, and its syntax errors."""
        kept = self._parsed.get(source.path)
        if kept is None or kept[0] != source:
            before, problems = kept[1] if kept is not None else (None, ())
            with self._hold():
                if before is None or problems:
                    parsed = modules.parse(source)
                else:
                    parsed = modules.parse_again(source, before)
                kept = self._parsed[source.path] = (source, parsed)
        return kept[1]


class Files(Workspace):
    """A workspace that remembers what was looked at: what an answer depends on."""

    def __init__(self, files: Workspace, parser: Parser) -> None:
        super().__init__(files.roots)
        vars(self).update(vars(files))
        self.looked_at: set[str] = set()
        self.parser = parser

    def resolver(self, near: str) -> StaticResolver:
        """Resolves names as seen from a file."""
        return StaticResolver(partial(self.find, near=near), self.parser.parse, self.imported)

    def source(self, path: str) -> Source:
        """The source of a file, as a workspace gives it."""
        self.looked_at.add(os.path.abspath(path))
        return super().source(path)

    @property
    def reads(self) -> tuple[str, ...]:
        """The files that were looked at, in order."""
        return tuple(sorted(self.looked_at))


class Answers:
    """Answers questions; keeps the last snapshot and what was read in it.

    One question may be answered in the midst of another, so the state is replaced in one step.
    """

    def __init__(self, hold: Hold = nullcontext) -> None:
        self._parser = Parser(hold)
        self._cache = QueryCache()
        self._answered: tuple[messages.Snapshot | None, dict[messages.Question, messages.Answer]]
        self._answered = None, {}
        self._state = (messages.Snapshot(), Workspace())

    def answer(self, question: messages.Question, snapshot: messages.Snapshot) -> messages.Answer:
        """Answers one question for a snapshot; the same one again as it was before."""
        last, known = self._answered
        if snapshot is not last:
            known = {}
            self._answered = snapshot, known
        if question not in known:
            known[question] = self._answer(question, snapshot)
        return known[question]

    def _answer(self, question: messages.Question, snapshot: messages.Snapshot) -> messages.Answer:
        match question:
            case messages.Check(path):
                return checked(path, self.files(snapshot), self._cache)
            case messages.Outline(path):
                shown = self.answer(messages.Check(path), snapshot)
                assert isinstance(shown, messages.Checked)
                return outlines(path, shown, self.files(snapshot), self._cache)
            case messages.Describe():
                return described(question, self.files(snapshot), self._cache)
            case messages.Derive():
                return derived(question, self.files(snapshot), self._cache)
            case messages.Page(code):
                kind = catalogue.named(code)
                return messages.Paged(catalogue.markdown(kind) if kind is not None else None)

    def files(self, snapshot: messages.Snapshot) -> Files:
        """The files of a snapshot; what the last one has read is not read again."""
        before, files = self._state
        if snapshot is not before:
            files = successor(files, before, snapshot)
            self._state = snapshot, files
        return Files(files, self._parser)


def successor(files: Workspace, before: messages.Snapshot, after: messages.Snapshot) -> Workspace:
    """The files of the next snapshot, with what is still true of the one before."""
    if before.roots != after.roots:
        files, before = Workspace(after.roots), messages.Snapshot(after.roots)
    if before.revision != after.revision:
        files = files.refreshed()
    for path in {*before.texts, *after.texts}:
        if before.texts.get(path) is not after.texts.get(path):
            files = files.with_text(path, after.texts.get(path))
    return files


def checked(path: str, files: Files, cache: QueryCache) -> messages.Checked:
    """What is found in a file, and in what it calls."""
    settings, problem = settings_for(path)
    diagnostics: tuple[Diagnostic, ...] = ()
    if is_included(path, settings):
        files.looked_at.update(o for o in files.around(path, roots.may_ask) if o in files.texts)
        diagnostics = check.outcome(
            path, files, settings, cache=cache, seen=files.texts
        ).diagnostics
    lines = lines_of(files, spans(diagnostics))
    return messages.Checked(diagnostics, files.reads, lines, problem)


def outlines(
    path: str, checked: messages.Checked, files: Files, cache: QueryCache
) -> messages.Outlines:
    """The functions of a file; of what is found in them, what is shown is counted."""
    settings, _ = settings_for(path)
    if not is_included(path, settings):
        return messages.Outlines((), files.reads, ())
    source, resolver = files.source(path), files.resolver(path)
    elsewhere = callers.elsewhere(path, files, settings, cache)
    found = engine.outline(source, resolver, elsewhere, cache)
    own = frozenset(checked.diagnostics)
    functions = tuple(outlined(each, path, own, files, settings) for each in found)
    lines = lines_of(files, (each.name_span for each in functions))
    return messages.Outlines(functions, files.reads, lines)


def outlined(
    each: engine.Outlined,
    path: str,
    own: frozenset[Diagnostic],
    files: Files,
    settings: Settings,
) -> messages.OutlinedFunction:
    """One function of a file; `own` is what is shown of the roots that the file names itself."""
    place = each.asked_at if each.asked_at is not None and each.asked_at.path != path else None
    shown = own if place is None else frozenset(check.shown(each.findings, files, settings))
    return messages.OutlinedFunction(
        each.name if each.name.isidentifier() else each.dotted,  # two lambdas share a line
        each.name_span,
        each.root is not None,
        len(shown.intersection(each.findings)),
        any(found.blocks for found in each.findings),
        place,
    )


def described(question: messages.Describe, files: Files, cache: QueryCache) -> messages.Described:
    """What is at a place."""
    path, line, column = question.path, question.line, question.column
    source, resolver = files.source(path), files.resolver(path)

    def elsewhere(home: Source) -> tuple[Root, ...]:
        return callers.reaching(home.path, files, settings_for(home.path)[0], cache)

    recorded = request_options.last_signature
    found = engine.describe(source, line, column, resolver, elsewhere, cache, recorded)
    if found is None:
        return messages.Described(None, "", (), ())
    lines = lines_of(files, (found.span,))
    return messages.Described(found.span, found.title, tuple(found.lines), lines)


def derived(question: messages.Derive, files: Files, cache: QueryCache) -> messages.Derived:
    """The derivative of a function, in its file if one can be written, or a stage before it."""
    try:
        source = files.source(question.path)
    except OSError as error:
        return no_derivative(f"{question.path} cannot be read: {error.strerror}", files)
    resolver = files.resolver(question.path)
    roots = engine.roots(source, resolver, cache)
    definition = definition_of(question, source, resolver, roots)
    if isinstance(definition, str):
        return no_derivative(definition, files)
    options = request_options.Options(
        question.wrt, question.mode, question.order, question.stage != "raw"
    )
    asked = asked_around(definition, files, cache)
    root = requests.asked(asked).get(definition.dotted)
    called = callers.called(definition, asked, files, cache)
    given = None if root is None else root.request
    request = request_options.request(definition, given, options, called)
    if isinstance(request, str):
        return no_derivative(request, files)
    if request_options.is_open(definition, options):
        request = engine.assuming(request, resolver, cache)
    name = request.function.rpartition(".")[2]
    if question.stage in FORMS:
        form = engine.staged(request, question.stage, resolver, cache)
        lines = lines_of(files, spans(form.findings))
        return messages.Derived(name, None, form.text, None, (), form.findings, files.reads, lines)
    made = engine.derive(request, resolver, cache)
    return messages.Derived(
        name,
        None,
        made.source,
        written(made),
        made.source_map,
        made.findings,
        files.reads,
        lines_of(
            files,
            [*spans(made.findings), *(place for each in made.source_map for place in each.places)],
        ),
    )


def no_derivative(problem: str, files: Files) -> messages.Derived:
    """The answer to a question that makes no sense."""
    return messages.Derived("", problem, "", None, (), (), files.reads, ())


def written(made: Derivative) -> str | None:
    """The file of a derivative; None where there is no text, or no file can be written."""
    if not made.source:
        return None
    try:
        return workspace.write_derivative(made)
    except OSError:
        return None


def definition_of(
    question: messages.Derive,
    source: Source,
    resolver: StaticResolver,
    roots: tuple[Root, ...],
) -> Definition | str:
    """The function that is asked about; a sentence where there is none.

    At a place it is the innermost one around that the file differentiates, or the one at the top
    level.
    """
    known = requests.definitions(source, resolver, roots)
    place = question.place
    around = [each for each in known if place is not None and is_around(place, each)]
    named = [each for each in known if question.function in (each.shown, each.dotted)]
    named = named or [each for each in known if question.function == each.name]
    for definition in (*named, *reversed(around)):
        return definition
    if question.function is None:
        return "there is no function at this place"
    inner = requests.called(source, resolver, question.function)
    if inner is not None:
        return inner
    dotted = question.function
    if "." not in dotted:
        dotted = f"{source.module}.{dotted}"
    imported = resolver.definition(dotted)
    if imported is None:
        unfit = requests.unfit(resolver.parsed(source)[0], question.function)
        if unfit is not None:
            return unfit.text()
        return f"there is no function `{question.function}` in {os.path.basename(source.path)}"
    return imported


def asked_around(definition: Definition, files: Files, cache: QueryCache) -> tuple[Root, ...]:
    """What the program asks for of the functions of a file, there or in another."""
    path = definition.source.path
    settings, _ = settings_for(path)
    own = engine.roots(definition.source, files.resolver(path), cache)
    return (*own, *callers.elsewhere(path, files, settings, cache))


def is_around(place: tuple[int, int], definition: Definition) -> bool:
    """Tells whether a place belongs to a function, its decorators included.

    All of its lines do where it is alone on them.
    """
    line, column = place
    if definition.first_line < definition.last_line or definition.inner is None:
        return definition.first_line <= line <= definition.last_line
    return definition.span.contains(line, column)


def settings_for(path: str) -> tuple[Settings, str | None]:
    """The settings for a file, and what is wrong with them: then they are as if there were none."""
    try:
        return check.settings_for(path), None
    except SettingsError as error:
        return Settings(folder=os.path.dirname(path)), str(error)


def is_included(path: str, settings: Settings) -> bool:
    """Tells whether the settings let a file be checked; a script needs no `.py` in its name."""
    return settings.covers(path if path.endswith(".py") else f"{path}.py")


def spans(diagnostics: Iterable[Diagnostic]) -> Iterator[Span]:
    """All the places that some findings name."""
    for found in diagnostics:
        yield found.span
        for related in found.related:
            yield related.span
        for edit in found.fix.edits if found.fix is not None else ():
            yield edit.span


def lines_of(files: Workspace, places: Iterable[Span]) -> messages.Lines:
    """The lines on which some spans start or end, where their text is not plain ASCII."""
    found: dict[tuple[str, int], str] = {}
    for path, number in {
        (span.path, line) for span in places for line in (span.line, span.end_line)
    }:
        try:
            source = files.source(path)
        except OSError:
            continue
        if not source.text.isascii() and 0 < number <= len(source.lines):
            text = source.lines[number - 1]
            if not text.isascii():
                found[path, number] = text
    return tuple((path, number, text) for (path, number), text in sorted(found.items()))
