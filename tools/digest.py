"""Tells which derivatives a change touches: the guard of changes that should touch none.

Text, map and findings of all literate cases, of programs around the samples of the rules, and of
random programs, for whatever arguments and for the signature of some, by the engine of this working
tree and by that of another commit. Both are asked about the same programs, which are this tree's.

Usage: digest.py [--against COMMIT] [--show N] [--only WORD]. Without a commit, the tree is compared
with the last one, or with the one before where nothing has changed since. The exit status is 1
where something differs. `--show N` prints the differences of N derivatives, `--only` takes the
programs with a word in their names.

What an engine gave is kept in `.digest/`, by the text of the engine and by program: asked again is
only what is new. So what a tree gave is known when it has become a commit.
"""

from __future__ import annotations

import argparse
import difflib
import gc
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from adlsp.transform.diagnostics.vocabulary import Diagnostic
    from adlsp.transform.frontend.resolve import StaticResolver
    from adlsp.transform.query_cache import QueryCache
    from adlsp.transform.source import Source, Span

HOME = Path(__file__).parent.parent
KEPT = HOME / ".digest"
MOST_KEPT = 20
"""Of how many engines it is kept what they gave."""

RANDOM_PROGRAMS = 1000
FORWARD_EACH = 8
"""Of every so many random programs one is asked for its tangents, too."""

KINDS = ("vjp", "jvp")

WORKER = "--worker"
COLLECTED = 50
"""After how many programs a process frees what they needed; what is left by then it keeps."""


Program = dict[str, Any]
"""`label`; `files`, names and texts, that which is asked about first; `asked`: for each derivative
what `Request` takes, or `check` and whether all functions are asked about."""

Answer = dict[str, Any]
"""What an engine gave for one thing that was asked: `text`, `map`, `findings`."""

Point = tuple[tuple[str, str], ...]
"""The arguments of a case at a point: names and expressions."""

Given = dict[str, Answer]
"""What an engine gave, by the program's label and what was asked."""

Kept = dict[str, list[Answer]]
"""What an engine gave, by the program's key, in the order of what was asked."""


def programs() -> Iterator[Program]:
    """The programs of this tree."""
    for room in ("transform", "property", "rules"):
        sys.path.insert(0, str(HOME / "tests" / room))
    sys.path.insert(0, str(HOME))
    yield from _cases()
    yield from _samples()
    yield from _random()
    yield from _long()


def _cases() -> Iterator[Program]:
    import literate

    for case in literate.cases():
        label = f"{case.page.stem}: {case.title}"
        if case.check is None:
            is_whole = not any("import adlsp" in text for _, text in case.files[:1])
            yield {"label": label, "files": case.files, "asked": [{"check": is_whole}]}
            continue
        check = case.check
        first = _asked(check.function, check.wrt, check.outputs, check.kind, check.is_tuple)
        raw = {**first, "optimize": False}
        kinds = {check.kind: first, f"{check.kind}, not optimized": raw}
        if check.kind != "jvp":
            kinds["jvp"] = _asked(check.function, check.wrt, check.outputs, "jvp", check.is_tuple)
        signature = check.signature or _signature(_evaluated(check.points[:1]))
        asked = [*kinds.values(), *_for_signature(kinds.values(), signature)]
        yield {"label": label, "files": case.files, "asked": asked}


def _samples() -> Iterator[Program]:
    """Programs that change what a function has given, or what it was given; each text once.

    Of one way to call a function the values differ only, so that most of its samples have one text.
    """
    import warnings

    import results

    texts = set()
    warnings.simplefilter("ignore")
    for name, call in results.samples():
        try:
            written = results.write(name, call, zlib.crc32(f"{name} {[*call.keywords]}".encode()))
        except results.Unwritten:
            continue
        if written.text not in texts:
            texts.add(written.text)
            label = f"sample: {name}({call}) {len(texts)}"
            yield _whole(label, written.text, written.wrt, (), KINDS)


def _random() -> Iterator[Program]:
    import test_programs

    per_sort = -(-RANDOM_PROGRAMS // len(test_programs.SORTS))
    for sort in test_programs.SORTS:
        for seed in range(per_sort):
            written = test_programs.program(seed, sort)
            kinds = ("vjp", "jvp") if seed % FORWARD_EACH == 0 else ("vjp",)
            label = f"random: {sort} {seed}"
            whole = _whole(label, written.text, written.wrt, written.outputs, kinds)
            signature = _signature(written.points[0])
            yield {**whole, "asked": [*whole["asked"], *_for_signature(whole["asked"], signature)]}


def _long() -> Iterator[Program]:
    """Programs of some length, of which benchmarks tell how long they take to derive."""
    from benchmarks import derived

    text = Path(derived.__file__).read_text("utf-8")
    for function, given in derived.GIVEN.items():
        names = function.__code__.co_varnames
        signature = _signature(dict(zip(names, given(), strict=False)))
        asked = [_asked(function.__name__, derived.WRT[function], (), k, True) for k in KINDS]
        asked += _for_signature(asked, signature)
        yield {
            "label": f"benchmark: {function.__name__}",
            "files": [("case.py", text)],
            "asked": asked,
        }


def _evaluated(points: tuple[Point, ...]) -> dict[str, Any]:
    """What a point of a case gives to its function, where that needs nothing but NumPy."""
    import numpy as np

    try:
        return {name: eval(text, {"np": np}) for point in points for name, text in point}
    except NameError:
        return {}


def _signature(given: dict[str, Any]) -> str:
    """What arguments are, as a request says it; nothing where that has no text."""
    from adlsp.library.signatures import of_values
    from adlsp.transform.values import parse
    from adlsp.transform.values.signature import signature_text

    try:
        text = signature_text(of_values(given))
        parse.signature(text)
    except ValueError:
        return ""
    return text


def _for_signature(asked: Iterable[dict[str, Any]], signature: str) -> list[dict[str, Any]]:
    """The same for one signature; nothing where none is known."""
    plain = (each for each in asked if each.get("optimize", True))
    return [{**each, "signature": signature} for each in plain] if signature else []


def _whole(
    label: str,
    text: str,
    wrt: tuple[str, ...],
    outputs: tuple[str, ...],
    kinds: tuple[str, ...],
) -> Program:
    asked = [_asked("f", wrt, outputs, kind, True) for kind in kinds]
    return {"label": label, "files": [("case.py", text)], "asked": asked}


def _asked(
    function: str, wrt: tuple[str, ...], outputs: tuple[str, ...], kind: str, is_tuple: bool
) -> dict[str, Any]:
    return {
        "function": function,
        "wrt": wrt,
        "outputs": outputs,
        "kind": kind,
        "is_tuple": is_tuple,
    }


def work() -> None:
    """Answers for programs that come in as lines, with the engine that Python finds."""
    gc.disable()
    with tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(sys.stdin):
            program = json.loads(line)
            home = Path(folder) / f"p{number}"
            print(json.dumps(_answers(program, home)), flush=True)
            if number % COLLECTED == 0:
                gc.collect()
                gc.freeze()


def _answers(program: Program, home: Path) -> list[Answer]:
    from adlsp.transform import engine
    from adlsp.workspace import Workspace

    new_cache = getattr(engine, "QueryCache", None) or engine.Memo  # as it was once called
    for name, text in program["files"]:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        if path.parent != home:
            (path.parent / "__init__.py").touch()
    main = str(home / program["files"][0][0])
    workspace = Workspace()
    source, resolver, cache = workspace.source(main), workspace.resolver(main), new_cache()
    found = []
    for asked in program["asked"]:
        try:
            found.append(_answer(dict(asked), source, resolver, cache, home))
        except Exception as error:
            told = f"{type(error).__name__}: {error}".replace(f"{home}{os.sep}", "")
            found.append({"text": "", "map": "", "findings": [f"CRASH {told}"]})
    return found


def _answer(
    asked: dict[str, Any], source: Source, resolver: StaticResolver, cache: QueryCache, home: Path
) -> Answer:
    from adlsp.transform import engine

    if "check" in asked:
        found = engine.check(source, resolver, asked["check"], cache)
        return {"text": "", "map": "", "findings": [_told(one, home) for one in found]}
    function = f"{source.module}.{asked.pop('function')}"
    wrt, outputs = tuple(asked.pop("wrt")), tuple(asked.pop("outputs"))
    request = engine.Request(function, wrt, outputs=outputs, **asked)
    made = engine.derive(request, resolver, cache)
    lines = [f"{one.line} {one.role} {_place(one.primal, home)}" for one in made.source_map]
    return {
        "text": made.source,
        "map": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
        "findings": [_told(one, home) for one in made.findings],
    }


def _told(finding: Diagnostic, home: Path) -> str:
    related = "".join(f"; {_place(one.span, home)}: {one.message}" for one in finding.related)
    return f"{_place(finding.span, home)}: {finding.code} {finding.message}{related}"


def _place(span: Span, home: Path) -> str:
    name = span.path.removeprefix(f"{home}{os.sep}").replace(os.sep, "/")
    name = os.path.basename(name) if os.path.isabs(name) else name
    return f"{name}:{span.line}:{span.column}-{span.end_line}:{span.end_column}"


def given(tree: Path, asked: list[Program]) -> Given:
    """What the engine of a tree gives for programs; asked is only what is not kept."""
    engine = engine_of(tree)
    keys = [_hash(json.dumps([program["files"], program["asked"]])) for program in asked]
    kept = _kept(engine)
    new = {key: program for key, program in zip(keys, asked, strict=True) if key not in kept}
    if new:
        kept.update(zip(new, answers(tree, [*new.values()]), strict=True))
        if engine != engine_of(tree):
            sys.exit("the engine has changed while it was asked")
        _keep(engine, kept)
    return {
        f"{program['label']} ({_kind(one)})": answer
        for key, program in zip(keys, asked, strict=True)
        for one, answer in zip(program["asked"], kept[key], strict=True)
    }


def engine_of(tree: Path) -> str:
    """What tells one engine from another: its texts, what asks it, and which Python runs it."""
    files = sorted((tree / "adlsp").rglob("*.py"))
    texts = [f"{file.relative_to(tree)}\0{file.read_text('utf-8')}" for file in files]
    return _hash(sys.version, _worker(tree).read_text("utf-8"), *texts)


def _kept(engine: str) -> Kept:
    file = KEPT / f"{engine}.json.gz"
    if not file.exists():
        return {}
    file.touch()
    kept: Kept = json.loads(gzip.decompress(file.read_bytes()))
    return kept


def _keep(engine: str, kept: Kept) -> None:
    KEPT.mkdir(exist_ok=True)
    written = KEPT / f"{engine}.new"
    written.write_bytes(gzip.compress(json.dumps(kept).encode(), 1))
    written.replace(KEPT / f"{engine}.json.gz")
    for old in sorted(KEPT.iterdir(), key=os.path.getmtime)[:-MOST_KEPT]:
        old.unlink()


def answers(tree: Path, asked: list[Program]) -> list[list[Answer]]:
    """What the engine of a tree answers for programs; all processors work.

    A process is asked about one program after the other, so that it reads the rules once.
    """
    pending = iter(enumerate(asked))
    found: dict[int, list[Answer]] = {}

    def ask(worker: subprocess.Popen[str]) -> None:
        assert worker.stdin is not None
        assert worker.stdout is not None
        with worker:
            for number, program in pending:
                print(json.dumps(program), file=worker.stdin, flush=True)
                found[number] = json.loads(worker.stdout.readline())

    n_workers = min(os.cpu_count() or 1, len(asked))
    with ThreadPoolExecutor(n_workers) as pool:
        list(pool.map(ask, [_start(tree) for _ in range(n_workers)]))
    return [found[number] for number in range(len(asked))]


def _start(tree: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(_worker(tree)), WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(tree)},
        text=True,
    )


def _worker(tree: Path) -> Path:
    """The script of a tree that asks its engine; this one where it has none."""
    own = tree / "tools" / "digest.py"
    return own if own.exists() else Path(__file__)


def _kind(asked: dict[str, Any]) -> str:
    if "check" in asked:
        return "check"
    raw = "" if asked.get("optimize", True) else ", not optimized"
    return f"{asked['kind']}{raw}{', typed' if 'signature' in asked else ''}"


def of_commit(commit: str, asked: list[Program]) -> Given:
    """What the engine of a commit gives."""
    with tempfile.TemporaryDirectory() as folder:
        archive = _git("archive", "--format=tar", commit)
        subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
        return given(Path(folder), asked)


def _git(*words: str) -> bytes:
    return subprocess.run(["git", "-C", str(HOME), *words], check=True, capture_output=True).stdout


def _commit(wanted: str | None) -> str:
    if wanted is None:
        wanted = "HEAD" if _git("status", "--porcelain", "--", "adlsp") else "HEAD~1"
    return _git("rev-parse", "--short=12", f"{wanted}^{{commit}}").decode().strip()


def changes(before: Given, now: Given) -> dict[str, str]:
    """What differs of each derivative: one word for the most that does."""
    found = {}
    for name in now:
        old, new = before[name], now[name]
        if old == new:
            continue
        if any(told.startswith("CRASH") for told in new["findings"]):
            found[name] = "crashes"
        elif bool(old["text"]) != bool(new["text"]):
            found[name] = "derived now" if new["text"] else "refused now"
        elif old["findings"] != new["findings"]:
            found[name] = "findings"
        else:
            found[name] = "text" if old["text"] != new["text"] else "map"
    return found


def digest(of: Given) -> str:
    """One number for all that an engine gave."""
    return _hash(json.dumps(of, sort_keys=True))


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def difference(old: Answer, new: Answer) -> Iterator[str]:
    """The lines by which what was given differs."""
    for key in ("findings", "text"):
        a, b = (each[key] if key == "findings" else each[key].splitlines() for each in (old, new))
        for line in list(difflib.unified_diff(a, b, n=1, lineterm=""))[2:]:
            yield f"    {line}"


def main() -> int:
    """Compares, and prints what differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--against", metavar="COMMIT")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    parser.add_argument("--only", default="", metavar="WORD")
    options = parser.parse_args()
    asked = [program for program in programs() if options.only in program["label"]]
    if not asked:
        parser.error(f"no program has `{options.only}` in its name")
    commit = _commit(options.against)
    before, now = of_commit(commit, asked), given(HOME, asked)
    found = changes(before, now)
    for name, word in list(found.items())[: options.show]:
        print(f"{name}: {word}")
        print("\n".join(difference(before[name], now[name])))
    counts = Counter(found.values())
    for word, count in counts.most_common():
        names = [name for name in found if found[name] == word]
        print(f"{count:6} {word}: {', '.join(names[:5])}{', …' if count > 5 else ''}")
    same = len(now) - len(found)
    print(
        f"{len(now)} answers for {len(asked)} programs: {same} as of {commit}, digest {digest(now)}"
    )
    return 1 if found else 0


if __name__ == "__main__":
    if WORKER in sys.argv:
        work()
    else:
        sys.exit(main())
