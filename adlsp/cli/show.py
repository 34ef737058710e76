"""`adlsp show`: prints the derivative of a function, or what there is on the way to it."""

from __future__ import annotations

import argparse
import os
import sys

from adlsp.cli import functions, texts
from adlsp.cli.status import FOUND, NOTHING_FOUND, UsageError
from adlsp.lint import callers, check, report, request_options
from adlsp.lint.settings import Settings, SettingsError
from adlsp.transform import engine, requests
from adlsp.transform.artifact import FORMS, STAGES, Derivative, Request
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend.resolve import Definition, StaticResolver
from adlsp.transform.frontend.roots import Root
from adlsp.workspace import Workspace


def add_options(command: argparse.ArgumentParser) -> None:
    """Tells which derivative to show, at which stage, and how."""
    add = command.add_argument
    add("function", metavar="FILE::FUNC", help=functions.HELP)
    add("--wrt", metavar="NAMES", help="the parameters of interest, with commas between")
    add("--outputs", metavar="NAMES", help="parameters changed in place, which are the outputs")
    add("--mode", choices=("reverse", "forward"))
    add("--order", type=int, choices=(1, 2), help="2: the derivative of the gradient")
    told = "; ".join(f"{stage}: {what}" for stage, what in STAGES.items())
    add("--stage", choices=tuple(STAGES), default="optimized", help=told)
    add("--types", action="store_true", help="print the function with what its variables are")
    add(
        "--signature",
        metavar="TEXT",
        help="what its parameters are, else as in the last run: `w: float64[n, d], k: float`",
    )
    add("--map", action="store_true", help="tell where each line comes from")


def run(options: argparse.Namespace) -> int:
    """Prints the derivative or a stage before it, and what was found."""
    for option, is_given in (("--map", options.map), ("--order 2", options.order == 2)):
        if is_given and options.stage in FORMS:
            raise UsageError(
                f"`{option}` is about a derivative, not about the stage {options.stage}"
            )
    files = Workspace((os.getcwd(),))
    source, name = functions.named(options.function, files)
    resolver = files.resolver(source.path)
    definition = functions.definition(source, resolver, name)
    if definition is None:
        findings, text = check.check(source.path, files, Settings()), ""
    elif options.types:
        findings, text = (), _types(definition, resolver, files, options)
    else:
        findings, text = _text(_request(definition, files, resolver, options), resolver, options)
    if findings:
        colors = texts.colors(sys.stderr.isatty())
        sys.stderr.write(report.full(findings, texts.line(files), colors))
    if not text:
        return FOUND
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
    return NOTHING_FOUND


def _types(
    definition: Definition,
    resolver: StaticResolver,
    files: Workspace,
    options: argparse.Namespace,
) -> str:
    """The function with what its variables are, for what its parameters are."""
    signature = options.signature
    recorded = request_options.last_signature(definition)
    is_open = signature is None and not recorded
    if signature is None:
        signature = recorded or _called(definition, files)
    try:
        found = engine.typed(
            definition.dotted,
            signature,
            resolver,
            is_open=is_open,
            is_scalar=options.mode != "forward",
        )
    except ValueError as error:
        raise UsageError(str(error)) from None
    if not found:
        raise UsageError(f"`{definition.name}` cannot be read, or has a rule of its own")
    return found


def _text(
    request: Request, resolver: StaticResolver, options: argparse.Namespace
) -> tuple[tuple[Diagnostic, ...], str]:
    """What is found, and the text of a stage; none where there is no derivative."""
    if options.stage in FORMS:
        staged = engine.staged(request, options.stage, resolver, shown=report.shown_path)
        return staged.findings, staged.text
    derivative = engine.derive(request, resolver)
    has_map = options.map and derivative.source
    return derivative.findings, _mapped(derivative) if has_map else derivative.source


def _roots(definition: Definition, files: Workspace) -> tuple[Root, ...]:
    """What the program asks for of the functions of a file, there or in another."""
    path = definition.source.path
    try:
        settings = check.settings_for(path)
    except SettingsError:
        settings = Settings()
    own = engine.roots(definition.source, files.resolver(path))
    return (*own, *callers.elsewhere(path, files, settings))


def _called(definition: Definition, files: Workspace) -> str:
    """What a derivative of a function is called with, as far as the text around calls tells."""
    return callers.called(definition, _roots(definition, files), files)


def _request(
    definition: Definition,
    files: Workspace,
    resolver: StaticResolver,
    options: argparse.Namespace,
) -> Request:
    """What to derive: what the options leave open is as the program asks for it."""
    root = requests.asked(_roots(definition, files)).get(definition.dotted)
    called = "" if options.signature is not None else _called(definition, files)
    wanted = request_options.Options(
        functions.parameters(options.wrt),
        options.mode,
        options.order,
        options.stage != "raw",
        functions.parameters(options.outputs),
        options.signature,
    )
    given = None if root is None else root.request
    request = request_options.request(definition, given, wanted, called)
    if isinstance(request, str):
        raise UsageError(request)
    is_open = request_options.is_open(definition, wanted)
    return engine.assuming(request, resolver) if is_open else request


def _mapped(derivative: Derivative) -> str:
    """The text of a derivative with the role and the origin of each line before it."""
    origins = {
        mapped.line: f"{mapped.role.value:8} {report.shown_path(mapped.primal.path)}"
        f":{mapped.primal.line}"
        for mapped in derivative.source_map
    }
    width = max(map(len, origins.values()), default=0)
    lines = derivative.source.splitlines()
    rows = (f"{n:4} {origins.get(n, ''):{width}} | {line}" for n, line in enumerate(lines, 1))
    return "".join(f"{row.rstrip()}\n" for row in rows)
