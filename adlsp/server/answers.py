"""What the worker process answers: the engine's results, made ready for the server.

The only file of the server that knows the engine. Findings come by way of `adlsp.check`, so that
the editor shows what the command line does. Each answer brings what the protocol needs of it: the
files that it was read from, and the text of the lines that it points into where columns are not
bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial

from adlsp import check, workspace
from adlsp.server import messages
from adlsp.settings import Settings, SettingsError
from adlsp.transform import engine, requests
from adlsp.transform.derivative import Derivative, Request
from adlsp.transform.findings import catalogue
from adlsp.transform.findings.vocabulary import Diagnostic, Found
from adlsp.transform.frontend import modules, roots
from adlsp.transform.frontend.resolve import Definition, StaticResolver
from adlsp.transform.source import Source, Span
from adlsp.workspace import Workspace

Hold = Callable[[], AbstractContextManager[None]]
"""Keeps hovers from being answered in the midst of something."""

Parsed = tuple[modules.Module | None, tuple[Found, ...]]


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
            with self._hold():
                kept = self._parsed[source.path] = (source, modules.parse(source))
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
        return StaticResolver(partial(self.find, near=near), self.parser.parse)

    def source(self, path: str) -> Source:
        """The source of a file, as a workspace gives it."""
        self.looked_at.add(os.path.abspath(path))
        return super().source(path)

    @property
    def reads(self) -> tuple[str, ...]:
        """The files that were looked at, in order."""
        return tuple(sorted(self.looked_at))


class Answers:
    """Answers questions; keeps the last state of the world and what was read in it.

    One question may be answered in the midst of another, so the state is replaced in one step.
    """

    def __init__(self, hold: Hold = nullcontext) -> None:
        self._parser = Parser(hold)
        self._checked: tuple[messages.World | None, dict[str, messages.Checked]] = (None, {})
        self._state = (messages.World(), Workspace())

    def answer(self, question: messages.Question, world: messages.World) -> messages.Answer:
        """Answers one question for one state of the world."""
        match question:
            case messages.Check(path):
                return self.checked(path, world)
            case messages.Outline(path):
                shown = self.checked(path, world)
                return outlines(path, shown, self.files(world))
            case messages.Describe():
                return described(question, self.files(world))
            case messages.Derive():
                return derived(question, self.files(world))
            case messages.Page(code):
                kind = catalogue.named(code)
                return messages.Paged(catalogue.markdown(kind) if kind is not None else None)

    def checked(self, path: str, world: messages.World) -> messages.Checked:
        """What is found in a file, as it was answered before if nothing has changed since."""
        if self._checked[0] is not world:
            self._checked = (world, {})
        _, known = self._checked
        if path not in known:
            known[path] = checked(path, self.files(world))
        return known[path]

    def files(self, world: messages.World) -> Files:
        """The files in a state of the world; what the last state has read is not read again."""
        before, files = self._state
        if world is not before:
            files = successor(files, before, world)
            self._state = world, files
        return Files(files, self._parser)


def successor(files: Workspace, before: messages.World, after: messages.World) -> Workspace:
    """The files after the world has changed."""
    if before.roots != after.roots:
        files, before = Workspace(after.roots), messages.World(after.roots)
    if before.revision != after.revision:
        files = files.refreshed()
    for path in {*before.texts, *after.texts}:
        if before.texts.get(path) is not after.texts.get(path):
            files = files.with_text(path, after.texts.get(path))
    return files


def checked(path: str, files: Files) -> messages.Checked:
    """What is found in a file, and in what it calls."""
    settings, problem = settings_for(path)
    diagnostics: tuple[Diagnostic, ...] = ()
    if is_included(path, settings):
        diagnostics = check.check(path, files, settings)
    lines = lines_of(files, spans(diagnostics))
    return messages.Checked(diagnostics, files.reads, lines, problem)


def outlines(path: str, checked: messages.Checked, files: Files) -> messages.Outlines:
    """The functions of a file; of what is found in them, what is shown is counted."""
    settings, _ = settings_for(path)
    if not is_included(path, settings):
        return messages.Outlines((), files.reads, ())
    shown = frozenset(checked.diagnostics)
    functions = tuple(
        messages.OutlinedFunction(
            each.name,
            each.name_span,
            each.root is not None,
            len(shown.intersection(each.findings)),
            any(found.blocks for found in each.findings),
        )
        for each in engine.outline(files.source(path), files.resolver(path))
    )
    lines = lines_of(files, (each.name_span for each in functions))
    return messages.Outlines(functions, files.reads, lines)


def described(question: messages.Describe, files: Files) -> messages.Described:
    """What is at a place."""
    source, resolver = files.source(question.path), files.resolver(question.path)
    found = engine.describe(source, question.line, question.column, resolver)
    if found is None:
        return messages.Described(None, "", (), ())
    lines = lines_of(files, (found.span,))
    return messages.Described(found.span, found.title, tuple(found.lines), lines)


def derived(question: messages.Derive, files: Files) -> messages.Derived:
    """The derivative of a function, in its file if one can be written."""
    try:
        source = files.source(question.path)
    except OSError as error:
        return no_derivative(f"{question.path} cannot be read: {error.strerror}", files)
    resolver = files.resolver(question.path)
    request = requested(question, source, resolver)
    if isinstance(request, str):
        return no_derivative(request, files)
    made = engine.derive(request, resolver)
    return messages.Derived(
        request.function.rpartition(".")[2],
        None,
        made.source,
        written(made),
        made.source_map,
        made.findings,
        files.reads,
        lines_of(files, [*spans(made.findings), *(each.primal for each in made.source_map)]),
    )


def no_derivative(problem: str, files: Files) -> messages.Derived:
    """The answer to a question that makes no sense."""
    return messages.Derived("", problem, "", None, (), (), files.reads, ())


def written(made: Derivative) -> str | None:
    """The file of a derivative; None where there is no text, or no file can be written."""
    if not made.source:
        return None
    try:
        return workspace.write_derivative(made.source, made.name)
    except OSError:
        return None


def requested(question: messages.Derive, source: Source, resolver: StaticResolver) -> Request | str:
    """What is asked of the engine; a sentence where the question makes no sense.

    What the question leaves open is as the program asks for it, where the function is a root, or
    the gradient with respect to its first parameter.
    """
    root = root_of(question, source, resolver)
    if isinstance(root, str):
        return root
    definition = resolver.definition(root.function)
    if definition is None:
        return f"the source of `{root.function}` is not available"
    known = definition.named_parameters
    wrt = question.wrt if question.wrt is not None else root.wrt or known[:1]
    for name in wrt:
        if name not in known:
            return f"`{definition.name}` has no parameter `{name}`"
    if not wrt:
        return f"`{definition.name}` has no parameters"
    is_tuple = root.is_tuple if wrt == root.wrt else len(wrt) > 1
    kind = root.kind
    if question.mode == "forward":
        kind = "jvp"
    elif question.mode == "reverse" and kind == "jvp":
        kind = "grad"
    return replace(
        root,
        wrt=wrt,
        is_tuple=is_tuple,
        kind=kind,
        order=question.order,
        optimize=question.is_optimized,
    )


def root_of(question: messages.Derive, source: Source, resolver: StaticResolver) -> Request | str:
    """The request of the root that is asked about; without `wrt` for a function that is no root."""
    found, _ = roots.roots(source, resolver)
    asked = {root.request.function: root.request for root in reversed(found)}
    for definition in requests.definitions(source, resolver):
        is_named = question.function in (definition.name, definition.dotted)
        if is_named or (question.place is not None and is_around(question.place[0], definition)):
            return asked.get(definition.dotted) or Request(definition.dotted, ())
    if question.function is None:
        return "there is no function at this place"
    dotted = question.function
    if "." not in dotted:
        dotted = f"{source.module}.{dotted}"
    imported = resolver.definition(dotted)
    if imported is None:
        return f"there is no function `{question.function}` in {os.path.basename(source.path)}"
    return Request(imported.dotted, ())


def is_around(line: int, definition: Definition) -> bool:
    """Tells whether a line belongs to a function, its decorators included."""
    return definition.first_line <= line <= definition.last_line


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
