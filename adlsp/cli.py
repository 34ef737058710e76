"""The command line: one function for each subcommand.

Exit status: 0 nothing found, 1 findings of severity error or warning, 2 a mistake in the call or in
the settings, a file that cannot be read, or a failure of our own (AD900). Each subcommand imports
what it needs when it runs, so that `check` starts without NumPy, the server or the debugger.
"""

from __future__ import annotations

import argparse
import difflib
import gc
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from adlsp.version import VERSION

if TYPE_CHECKING:
    from adlsp.check import Outcome
    from adlsp.fix import Accepts
    from adlsp.settings import Settings
    from adlsp.transform.derivative import Derivative, Request
    from adlsp.transform.findings.vocabulary import Diagnostic
    from adlsp.transform.frontend.resolve import Definition, StaticResolver
    from adlsp.transform.rules.users import Counting
    from adlsp.transform.source import Source
    from adlsp.workspace import Workspace

    Finder = Callable[[Workspace], tuple[Diagnostic, ...]]

NOTHING_FOUND, FOUND, FAILED = 0, 1, 2
SELDOM = (50_000, 20, 100)
"""When to look for garbage in a process that makes many small objects, few of them in circles."""

WORTH_A_PROCESS = 32
"""How many files are worth one more process."""

PIPE_CLOSED, INTERRUPTED = 128 + 13, 128 + 2


class UsageError(Exception):
    """Something that was asked for and cannot be done; the text says what and why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a subcommand and gives the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["server"]:
        from adlsp.server import main as server

        return server.main(given[1:])
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        options = parser().parse_args(given)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except UsageError as error:
        print(f"adlsp: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:
        traceback.print_exc()
        print("adlsp: this is a mistake in adlsp; please report the above", file=sys.stderr)
        return FAILED


def parser() -> argparse.ArgumentParser:
    """The subcommands and their options."""
    top = argparse.ArgumentParser(
        prog="adlsp",
        description="Automatic differentiation by source-code transformation: checks, derivatives, "
        "language server and debugger.",
    )
    top.add_argument("--version", action="version", version=f"adlsp {VERSION}")
    commands = top.add_subparsers(required=True, metavar="COMMAND", title="commands")
    _add_check(commands.add_parser("check", help="report what cannot be differentiated"))
    _add_show(commands.add_parser("show", help="print the derivative of a function"))
    _add_verify(commands.add_parser("verify", help="compare a gradient with finite differences"))
    explain = commands.add_parser("explain", help="explain a finding")
    explain.add_argument("code", metavar="CODE", nargs="?", help="such as AD301; all without it")
    explain.set_defaults(run=_explain)
    rules = commands.add_parser("rules", help="list the functions that have derivative rules")
    rules.add_argument("pattern", metavar="PATTERN", nargs="?", default="*")
    rules.add_argument("--of", metavar="FILE", help="list the rules of your own that count in FILE")
    rules.set_defaults(run=_rules)
    commands.add_parser("server", help="run the language server (see `adlsp server --help`)")
    debug = commands.add_parser("debug", help="run the debug adapter on standard input and output")
    debug.set_defaults(run=_debug)
    return top


# check


def _add_check(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("paths", metavar="PATH", nargs="*", help="files and folders, `-` for standard input")
    add("--format", choices=("full", "concise", "json"), default="full")
    add("--select", metavar="CODES", help="show only these codes or prefixes of codes")
    add("--ignore", metavar="CODES", help="do not show these codes or prefixes of codes")
    add("--all-functions", action="store_true", help="check every function, for all parameters")
    add("--jobs", type=_number, metavar="N", help="use N processes (more than one for many files)")
    add("--exit-zero", action="store_true", help="exit with 0 also where something is found")
    add("--stdin-filename", metavar="NAME", help="the file that standard input stands for")
    add(
        "--fix",
        action="store_true",
        help="repair what can be repaired without changing the program",
    )
    add("--diff", action="store_true", help="show what --fix would change, and change nothing")
    add("--unsafe-fixes", action="store_true", help="repair also what may change the program")
    add("--statistics", action="store_true", help="count the findings of each code")
    command.set_defaults(run=_check)


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _check(options: argparse.Namespace) -> int:
    from adlsp import workspace

    gc.set_threshold(*SELDOM)

    @cache
    def settings(folder: str) -> Settings:
        return _settings(folder, options)

    problems, paths = list[str](), _paths(options, settings)
    files = workspace.Workspace((os.getcwd(),), _projects(paths))
    if options.stdin_filename or "-" in options.paths:
        paths.insert(0, os.path.abspath(options.stdin_filename or "<stdin>"))
        files = files.with_text(paths[0], workspace.decode(sys.stdin.buffer.read()))
        if options.fix:
            raise UsageError("standard input cannot be fixed in place; use --diff")
    named = {os.path.abspath(path) for path in (*options.paths, options.stdin_filename or "")}
    notebooks = {path for path in paths if path.endswith(workspace.NOTEBOOK)} - named
    paths = [path for path in dict.fromkeys(paths) if path not in notebooks]
    paths = [path for path in paths if _is_readable(path, files, problems)]
    by_path = {path: settings(os.path.dirname(path)) for path in paths}

    def found_in(now: Workspace) -> tuple[Diagnostic, ...]:
        return _together(_each(now, by_path, options)).diagnostics

    if options.unsafe_fixes and not (options.fix or options.diff):
        raise UsageError("--unsafe-fixes says which fixes: add --fix or --diff")
    if options.diff:
        _show_fixes(files, paths, found_in, _accepts(options))
    elif options.fix:
        files = _fix(files, paths, found_in, _accepts(options), problems)
    outcome = _together(_each(files, by_path, options))
    found = outcome.diagnostics
    is_silent = options.diff or (options.format == "full" and problems and not paths)
    if not is_silent:
        sys.stdout.write(_shown(outcome, len(notebooks), files, options))
    for problem in problems:
        print(f"adlsp: {problem}", file=sys.stderr)
    return _status(found, bool(problems), options.exit_zero)


def _each(
    files: Workspace, settings: Mapping[str, Settings], options: argparse.Namespace
) -> Iterator[Outcome]:
    """What comes of each file; in several processes, where that is asked for or worth it."""
    from adlsp import check
    from adlsp.transform.memo import Memo

    n_jobs = options.jobs or min(os.cpu_count() or 1, len(settings) // WORTH_A_PROCESS)
    if n_jobs > 1:
        from adlsp import jobs

        yield from jobs.checked(files, settings, options.all_functions, n_jobs)
        return
    memo = Memo()
    for path in settings:
        yield check.outcome(path, files, settings[path], options.all_functions, memo, settings)


def _projects(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders of the projects that some files belong to."""
    from adlsp import workspace

    folders = {os.path.dirname(path) for path in paths}
    nearest = (next(workspace.settings_files(folder), None) for folder in sorted(folders))
    return tuple(dict.fromkeys(os.path.dirname(file) for file in nearest if file is not None))


def _together(each: Iterable[Outcome]) -> Outcome:
    """What came of all files."""
    from adlsp import check

    outcomes = tuple(each)
    return check.Outcome(
        check.in_order(diagnostic for one in outcomes for diagnostic in one.diagnostics),
        frozenset(span for one in outcomes for span in one.functions),
        frozenset(span for one in outcomes for span in one.unresolved),
    )


def _paths(options: argparse.Namespace, settings: Callable[[str], Settings]) -> list[str]:
    """The files to check, less those that the settings leave out of folders."""
    from adlsp import workspace

    found: list[str] = []
    named = [path for path in options.paths if path != "-"]
    for path in named or ([] if "-" in options.paths or options.stdin_filename else ["."]):
        if not os.path.isdir(path):
            found.append(os.path.abspath(path))
            continue
        below = workspace.files_below(os.path.abspath(path), workspace.PYTHON, workspace.NOTEBOOK)
        covered = [file for file in below if _is_covered(file, settings)]
        if not covered:
            print(f"adlsp: no Python files to check in {path}", file=sys.stderr)
        found += covered
    return found


def _is_covered(path: str, settings: Callable[[str], Settings]) -> bool:
    """Tells whether the settings let a file in a folder be checked; a notebook like a program."""
    from adlsp import workspace

    as_program = f"{path.removesuffix(workspace.NOTEBOOK)}{workspace.PYTHON}"
    is_program = path.endswith(workspace.PYTHON)
    return settings(os.path.dirname(path)).covers(path if is_program else as_program)


def _is_readable(path: str, files: Workspace, problems: list[str]) -> bool:
    from adlsp import workspace

    if path.endswith(workspace.NOTEBOOK):
        problems.append(f"cannot check {path}: notebooks are not read, only Python files")
        return False
    try:
        files.source(path)
    except OSError as error:
        problems.append(f"cannot read {path}: {error.strerror or error}")
        return False
    return True


def _settings(folder: str, options: argparse.Namespace) -> Settings:
    """The settings for a folder, with what the command line says instead."""
    from adlsp import check
    from adlsp.settings import SettingsError, selectors
    from adlsp.transform.findings.catalogue import kinds

    try:
        settings = check.settings_for(folder)
        if options.select is not None:
            settings = replace(settings, select=selectors(options.select, frozenset(kinds())))
        if options.ignore is not None:
            ignored = selectors(options.ignore, frozenset(kinds()))
            settings = replace(settings, ignore=(*settings.ignore, *ignored))
    except (SettingsError, OSError) as error:
        raise UsageError(str(error)) from None
    return settings


def _accepts(options: argparse.Namespace) -> Accepts:
    """The fixes to apply: those that keep the program, unless others are asked for."""
    from adlsp import fix

    return fix.is_any if options.unsafe_fixes else fix.is_safe


def _show_fixes(files: Workspace, paths: list[str], found_in: Finder, accepts: Accepts) -> None:
    """Prints what fixing would change."""
    from adlsp import fix, report

    fixed, _ = fix.repair(files, paths, found_in, accepts)
    for path in paths:
        old, new = files.source(path).text, fixed.source(path).text
        if old != new:
            sys.stdout.write(fix.difference(old, new, report.shown_path(path)))


def _fix(
    files: Workspace,
    paths: list[str],
    found_in: Finder,
    accepts: Accepts,
    problems: list[str],
) -> Workspace:
    """Repairs what can be repaired, in the files."""
    from adlsp import fix, workspace

    fixed, n_fixed = fix.repair(files, paths, found_in, accepts)
    for path in paths:
        new = fixed.source(path).text
        if files.source(path).text != new:
            try:
                workspace.replace_text(path, new)
            except OSError as error:
                problems.append(f"cannot write {path}: {error.strerror or error}")
    if n_fixed:
        print(f"Fixed {n_fixed}.", file=sys.stderr)
    return fixed


def _shown(
    outcome: Outcome, n_notebooks: int, files: Workspace, options: argparse.Namespace
) -> str:
    from adlsp import report

    found = outcome.diagnostics
    if options.statistics:
        as_json = options.format == "json"
        return (report.statistics_as_json if as_json else report.statistics)(found)
    if options.format == "json":
        return report.as_json(found)
    if options.format == "concise":
        return report.concise(found)
    counts = report.Counts(len(outcome.functions), len(outcome.unresolved), n_notebooks)
    return report.full(found, _line(files), _colors(sys.stdout.isatty()), counts)


def _status(found: Sequence[Diagnostic], has_problems: bool, exit_zero: bool) -> int:
    if has_problems or any(diagnostic.code == "AD900" for diagnostic in found):
        return FAILED
    is_wrong = any(diagnostic.severity.value != "information" for diagnostic in found)
    return FOUND if is_wrong and not exit_zero else NOTHING_FOUND


def _line(files: Workspace) -> Callable[[str, int], str | None]:
    def line(path: str, number: int) -> str | None:
        try:
            lines = files.source(path).lines
        except OSError:
            return None
        return lines[number - 1] if number <= len(lines) else None

    return line


def _colors(is_terminal: bool) -> dict[str, str]:
    from adlsp import report

    return dict(report.COLORS if report.wants_color(is_terminal, os.environ) else report.PLAIN)


# show


def _add_show(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("function", metavar="FILE::FUNC", help="a function at the top level of a file")
    add("--wrt", metavar="NAMES", help="the parameters of interest, with commas between")
    add("--outputs", metavar="NAMES", help="parameters changed in place, which are the outputs")
    add("--mode", choices=("reverse", "forward"))
    add("--order", type=int, choices=(1, 2), help="2: the derivative of the gradient")
    add("--stage", choices=("raw", "optimized"), default="optimized", help="raw: as first written")
    add("--map", action="store_true", help="tell where each line comes from")
    command.set_defaults(run=_show)


def _show(options: argparse.Namespace) -> int:
    from adlsp import check, report
    from adlsp.settings import Settings
    from adlsp.transform import engine
    from adlsp.workspace import Workspace

    files = Workspace((os.getcwd(),))
    source, name = _function(options.function, files)
    resolver = files.resolver(source.path)
    definition = _definition(source, resolver, name)
    if definition is None:
        findings, derivative = check.check(source.path, files, Settings()), None
    else:
        derivative = engine.derive(_request(definition, files, options), resolver)
        findings = derivative.findings
    if findings:
        text = report.full(findings, _line(files), _colors(sys.stderr.isatty()))
        sys.stderr.write(text)
    if derivative is None or not derivative.source:
        return FOUND
    text = _mapped(derivative) if options.map else derivative.source
    sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
    return NOTHING_FOUND


def _function(text: str, files: Workspace) -> tuple[Source, str]:
    """The file and the name of a function, as `FILE::FUNC` names it."""
    file, separator, name = text.rpartition("::")
    if not separator or not name:
        raise UsageError(f"`{text}` names no function; write FILE::FUNC")
    path, problems = os.path.abspath(file), list[str]()
    if not _is_readable(path, files, problems):
        raise UsageError(problems[0])
    return files.source(path), name


def _definition(source: Source, resolver: StaticResolver, name: str) -> Definition | None:
    """A function of a file; None where a syntax error hides it."""
    from adlsp.transform import requests

    definition = resolver.definition(f"{source.module}.{name}")
    if definition is None:
        module, broken = resolver.parsed(source)
        if broken and (module is None or name in module.names):
            return None
        unfit = requests.unfit(module, name)
        if unfit is not None:
            raise UsageError(f"{source.path}::{name}: {unfit.text()}")
        names = [each.name for each in requests.definitions(source, resolver)]
        close = difflib.get_close_matches(name, names, 1)
        hint = f"; is `{close[0]}` meant?" if close else ""
        raise UsageError(f"{source.path} has no function `{name}` at its top level{hint}")
    return definition


def _request(definition: Definition, files: Workspace, options: argparse.Namespace) -> Request:
    """What to derive: what the options leave open is as the program asks for it."""
    from adlsp import asking, callers, check
    from adlsp.settings import Settings, SettingsError
    from adlsp.transform import engine, requests

    path = definition.source.path
    try:
        settings = check.settings_for(path)
    except SettingsError:
        settings = Settings()
    own = engine.roots(definition.source, files.resolver(path))
    asked = requests.asked((*own, *callers.elsewhere(path, files, settings)))
    root = asked.get(definition.dotted)
    wanted = asking.Options(
        _names(options.wrt),
        options.mode,
        options.order,
        options.stage == "optimized",
        _names(options.outputs),
    )
    request = asking.request(definition, None if root is None else root.request, wanted)
    if isinstance(request, str):
        raise UsageError(request)
    return request


def _names(listed: str | None) -> tuple[str, ...] | None:
    if listed is None:
        return None
    return tuple(part.strip() for part in listed.split(",") if part.strip())


def _mapped(derivative: Derivative) -> str:
    """The text of a derivative with the role and the origin of each line before it."""
    from adlsp import report

    origins = {
        mapped.line: f"{mapped.role.value:8} {report.shown_path(mapped.primal.path)}"
        f":{mapped.primal.line}"
        for mapped in derivative.source_map
    }
    width = max(map(len, origins.values()), default=0)
    lines = derivative.source.splitlines()
    rows = (f"{n:4} {origins.get(n, ''):{width}} | {line}" for n, line in enumerate(lines, 1))
    return "".join(f"{row.rstrip()}\n" for row in rows)


# verify


def _add_verify(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("function", metavar="FILE::FUNC", help="a function at the top level of a file")
    add(
        "--example",
        metavar="ARGUMENTS",
        required=True,
        help='where to check: "x=np.ones(3), n=2", in which np is NumPy',
    )
    add("--wrt", metavar="NAMES", help="the parameters of interest, with commas between")
    command.set_defaults(run=_verify)


def _verify(options: argparse.Namespace) -> int:
    """Runs the user's program in a process of its own, as it would run by itself."""
    import json
    import subprocess

    from adlsp.workspace import Workspace

    files = Workspace((os.getcwd(),))
    source, name = _function(options.function, files)
    definition = _definition(source, files.resolver(source.path), name)
    if definition is None:
        raise UsageError(f"{source.path} cannot be read as Python; see `adlsp check`")
    wrt = _names(options.wrt)
    for parameter in wrt or ():
        if parameter not in definition.named_parameters:
            raise UsageError(f"`{name}` has no parameter `{parameter}`")
    asked = {
        "folders": files.import_folders(source.path),
        "module": source.module,
        "path": source.path,
        "function": name,
        "example": options.example,
        "wrt": wrt,
    }
    sys.stdout.flush()
    start = f"import sys; sys.path[:] = {sys.path!r}\nfrom adlsp import verifying\n"
    code = f"{start}sys.exit(verifying.main(sys.argv[1]))"
    return subprocess.run([sys.executable, "-c", code, json.dumps(asked)], check=False).returncode


# explain, rules, debug


def _explain(options: argparse.Namespace) -> int:
    from adlsp.transform.findings import catalogue

    if options.code is None:
        for kind in catalogue.kinds().values():
            summary = " ".join(kind.page.partition("\n\n")[0].split()).replace("``", "`")
            print(f"{kind.code}  {kind.name:24}  {summary}")
        return NOTHING_FOUND
    found = catalogue.named(options.code)
    if found is None:
        names = [n for kind in catalogue.kinds().values() for n in (kind.code, kind.name)]
        close = difflib.get_close_matches(options.code, names, 1)
        hint = f"is `{close[0]}` meant?" if close else "`adlsp explain` lists them"
        raise UsageError(f"there is no finding `{options.code}`; {hint}")
    sys.stdout.write(catalogue.markdown(found))
    return NOTHING_FOUND


def _debug(_: argparse.Namespace) -> int:
    from adlsp.debug import main as debug

    return debug.main()


def _rules(options: argparse.Namespace) -> int:
    from fnmatch import fnmatchcase

    from adlsp.report import shown_path
    from adlsp.transform.rules import table

    rules = _own_rules(options.of) if options.of is not None else table.load()
    pattern = options.pattern if set(options.pattern) & set("*?[") else f"*{options.pattern}*"
    names = [name for name in rules.names() if fnmatchcase(name, pattern)]
    if not names:
        own = "" if options.of is None else " of your own"
        print(f"adlsp: no function with a rule{own} matches `{options.pattern}`", file=sys.stderr)
        return FOUND
    width = max(map(len, names))
    for name in names:
        rule = rules.get(name)
        if rule is not None:
            notes = [", ".join(rule.of), f"when {rule.when}" if rule.when else ""]
            notes += (f"{shown_path(d.source.path)}:{d.span.line}" for d in rule.declarations)
            row = f"{name:{width}}  {rule.kind:11}  {'  '.join(note for note in notes if note)}"
            print(row.rstrip())
    return NOTHING_FOUND


def _own_rules(file: str) -> Counting:
    """The rules of users that count in the derivatives of the functions of a file."""
    from adlsp.transform import engine
    from adlsp.workspace import Workspace

    files, problems = Workspace((os.getcwd(),)), list[str]()
    path = os.path.abspath(file)
    if not _is_readable(path, files, problems):
        raise UsageError(problems[0])
    return engine.rules(files.source(path), files.resolver(path))
