"""The only room that reads and writes files: sources, modules on the path, derivatives.

A `Workspace` is a snapshot: what it has read once, it keeps. `with_text` and `refreshed` give a new
one that looks at the disk again and shares what has not changed there. Only a user's own code is
read: the files of the workspace and those next to the importing file, never installed packages.
"""

from __future__ import annotations

import codecs
import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from adlsp.transform.artifact import Derivative
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import imports, modules
from adlsp.transform.frontend.resolve import OWN, Definition, StaticResolver
from adlsp.transform.source import Source
from adlsp.version import VERSION

DERIVATIVES = "adlsp-derivatives"
"""The folder of derivative files in the cache; debuggers and editors know them by this segment."""

SIGNATURES = "adlsp-signatures"
"""The folder beside it, of what functions were called with."""

REMEMBERED = "adlsp-remembered"
"""The folder beside it, of what was found about functions in earlier runs."""

LONGEST_REMEMBERED = 30 * 24 * 3600
"""After how many seconds that is forgotten, where it is of another engine."""

MOST_RECORDED = 8
"""How many signatures of a function are kept."""

CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")

PROJECT = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")
"""What marks the folder of a project, for files outside the folders of the workspace."""

INSTALLED = re.compile(r"site-packages|dist-packages|python3(?:\.\d+)?t?")
"""Names of folders in which installed packages and the standard library lie."""

SKIPPED = ("__pycache__", "node_modules", "site-packages", DERIVATIVES)

Parsed = tuple[modules.Module | None, tuple[Diagnostic, ...]]
Stamp = tuple[int, int, int]
Search = Callable[[str], bool]

PYTHON, NOTEBOOK = ".py", ".ipynb"
"""How the names of programs end, and those of programs that are not read."""

MOST_PARSED = 512
"""How many parsed modules are kept; trees are large, and a file needs those of its imports."""

_parse: Callable[[Source], Parsed] = lru_cache(maxsize=MOST_PARSED)(modules.parse)
"""Each text is parsed once for all workspaces: a live function has one of its own."""

MOST_FILES = 10_000
"""How many files of a folder are searched."""


class Workspace:
    """The user's files, with the unsaved texts of an editor in place of some of them.

    `projects` are the folders in which files concern each other, where the roots are not meant.
    """

    def __init__(self, roots: tuple[str, ...] = (), projects: tuple[str, ...] = ()) -> None:
        self.roots = tuple(os.path.abspath(root) for root in roots)
        self.projects = projects
        self._around: dict[tuple[str, Search], tuple[str, ...]] = {}
        self._texts: Mapping[str, str] = {}
        self._read: dict[str, tuple[Stamp, str]] = {}
        self._sources: dict[str, Source] = {}
        self._files: dict[str, bool] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        self._imported: dict[str, tuple[str, ...]] = {}
        self._searched: dict[str, tuple[str, ...]] = {}
        self._listed: dict[str, tuple[str, ...]] = {}
        self._searches: dict[tuple[str, Search], tuple[Stamp, bool]] = {}

    @property
    def texts(self) -> Mapping[str, str]:
        """The unsaved texts, by their files."""
        return self._texts

    def refreshed(self) -> Workspace:
        """The workspace as it is on the disk now."""
        made = self._successor(self._texts)
        made._listed = {}
        return made

    def with_text(self, path: str, text: str | None) -> Workspace:
        """The workspace with an unsaved text for a file; None gives the file back to the disk."""
        path = os.path.abspath(path)
        others = {key: value for key, value in self._texts.items() if key != path}
        return self._successor(
            others if text is None else {**others, path: text.removeprefix("\ufeff")}
        )

    def source(self, path: str) -> Source:
        """The source of a file, decoded as Python would; raises OSError if it cannot be read.

        Bytes that the encoding does not allow stay in the text as lone surrogates, which parsing
        reports at their place.
        """
        if path in self._sources:
            return self._sources[path]
        path = os.path.abspath(path)
        if path not in self._sources:
            text = self._texts[path] if path in self._texts else self._text(path)
            module, _ = self._module(path)
            is_package = os.path.basename(path) == "__init__.py"
            self._sources[path] = Source(path, module, text, is_package)
        return self._sources[path]

    def module_name(self, path: str) -> str:
        """The dotted name by which programs import a file."""
        return self._module(os.path.abspath(path))[0]

    def find(self, module: str, near: str) -> Source | None:
        """The source of a user's module, as imported from the file `near`; None if foreign."""
        key = (near, module)
        if key not in self._found:
            self._found[key] = self._locate(module, os.path.abspath(near))
        path = self._found[key]
        try:
            return self.source(path) if path is not None else None
        except OSError:
            return None

    def imported(self, source: Source) -> tuple[Source, ...]:
        """The user's modules that a module imports, in the order of its text."""
        if source.path not in self._imported:
            named = (m for m in imports.modules(source) if m.partition(".")[0] != OWN)
            found = (self.find(module, source.path) for module in named)
            paths = (other.path for other in found if other is not None)
            self._imported[source.path] = tuple(dict.fromkeys(paths))
        return tuple(self.source(path) for path in self._imported[source.path])

    def import_folders(self, path: str) -> tuple[str, ...]:
        """The folders from which a file can import the user's modules, its own first."""
        return self._folders(os.path.abspath(path))

    def resolver(self, near: str) -> StaticResolver:
        """Resolves names as seen from a file."""
        return self.resolver_by(partial(self.find, near=near), self.imported)

    def resolver_by(
        self,
        find: Callable[[str], Source | None],
        imported: Callable[[Source], tuple[Source, ...]],
        read: Callable[[Source], Parsed] | None = None,
    ) -> StaticResolver:
        """Resolves names by modules that somebody else finds, and may read in another way."""
        return StaticResolver(find, read or _parse, imported)

    def around(self, near: str, search: Search) -> Iterator[str]:
        """The other files of a file's project, or of the workspace, that a search accepts.

        It is given the text of each file once, and again when that has changed.
        """
        near = os.path.abspath(near)
        _, top = self._module(near)
        projects = [folder for folder in self.projects if _is_below(near, folder)]
        roots = [root for root in self.roots if _is_below(near, root)]
        folders = [max(projects, key=len)] if projects else roots or [_project(top)]
        found = (path for folder in folders for path in self._accepted(folder, search))
        yield from (path for path in dict.fromkeys(found) if path != near)

    # reading

    def parsed(self, source: Source) -> Parsed:
        """The module in a text, and its syntax errors."""
        return _parse(source)

    def _accepted(self, folder: str, search: Search) -> tuple[str, ...]:
        """The files in a folder that a search accepts, the open ones among them last."""
        if (folder, search) not in self._around:
            opened = (path for path in self._texts if _is_below(path, folder))
            every = dict.fromkeys((*self._files_in(folder), *opened))
            kept = (p for p in every if not is_derivative(p) and self._accepts(p, search))
            self._around[folder, search] = tuple(kept)
        return self._around[folder, search]

    def _files_in(self, folder: str) -> tuple[str, ...]:
        if folder not in self._listed:
            self._listed[folder] = tuple(islice(python_files(folder), MOST_FILES))
        return self._listed[folder]

    def _accepts(self, path: str, search: Search) -> bool:
        """Tells whether a search accepts the text of a file, which is not kept for that."""
        if path in self._texts:
            return search(self._texts[path])
        try:
            stamp = _stamp(os.stat(path))
            kept = self._searches.get((path, search))
            if kept is None or kept[0] != stamp:
                text = decode(read_bytes(path))
                kept = self._searches[path, search] = (stamp, search(text))
        except OSError:
            return False
        return kept[1]

    def _successor(self, texts: Mapping[str, str]) -> Workspace:
        made = Workspace(self.roots, self.projects)
        made._texts, made._read = texts, self._read
        made._listed, made._searches = self._listed, self._searches
        return made

    def _text(self, path: str) -> str:
        status = os.stat(path)
        stamp = _stamp(status)
        kept = self._read.get(path)
        if kept is None or kept[0] != stamp:
            kept = self._read[path] = (stamp, decode(read_bytes(path)))
        return kept[1]

    def _is_file(self, path: str) -> bool:
        if path in self._texts:
            return True
        if path not in self._files:
            self._files[path] = os.path.isfile(path)
        return self._files[path]

    # modules

    def _module(self, path: str) -> tuple[str, str]:
        """The module in a file, and the folder from which it is imported."""
        folder, name = os.path.split(path)
        parts = [] if name == "__init__.py" else [name.removesuffix(".py").replace(".", "_")]
        while self._is_file(os.path.join(folder, "__init__.py")):
            folder, package = os.path.split(folder)
            parts.insert(0, package)
        return ".".join(parts) or "__init__", folder

    def _locate(self, module: str, near: str) -> str | None:
        parts = module.split(".")
        if not all(parts):
            return None
        own, _ = self._module(near)
        if module == own:
            return near
        for folder in self._folders(near):
            if INSTALLED.fullmatch(os.path.basename(folder)) and parts[0] != own.partition(".")[0]:
                continue
            path = os.path.join(folder, *parts)
            for candidate in (os.path.join(path, "__init__.py"), f"{path}.py"):
                if self._is_file(candidate):
                    return candidate
            top = os.path.join(folder, parts[0])
            if self._is_file(os.path.join(top, "__init__.py")) or self._is_file(f"{top}.py"):
                return None
        return None

    def _folders(self, near: str) -> tuple[str, ...]:
        """The folders from which a file can import the user's modules."""
        start = os.path.dirname(near)
        if start not in self._searched:
            _, top = self._module(near)
            around = [root for root in self.roots if _is_below(near, root)]
            roots = [_project(top), *around, *self.roots]
            sources = [os.path.join(root, "src") for root in roots]
            self._searched[start] = tuple(dict.fromkeys((top, *roots, *sources)))
        return self._searched[start]


def decode(data: bytes) -> str:
    """Decodes a file as Python does: by its byte order mark, its coding comment, or as UTF-8."""
    return data.removeprefix(codecs.BOM_UTF8).decode(encoding(data), "surrogateescape")


def encoding(data: bytes) -> str:
    """The encoding of a file; UTF-8 where its coding comment names none that exists."""
    lines = data.removeprefix(codecs.BOM_UTF8).splitlines()[:2]
    if data.startswith(codecs.BOM_UTF8) or not lines:
        return "utf-8"
    found = CODING.match(lines[0])
    if found is None and len(lines) > 1 and BLANK.match(lines[0]):
        found = CODING.match(lines[1])
    name = found[1].decode("ascii", "replace") if found else "utf-8"
    try:
        data.decode(name, "surrogateescape")
    except (LookupError, UnicodeError, ValueError):
        return "utf-8"
    return name


def replace_text(path: str, text: str) -> None:
    """Writes a new text to a file, in the encoding that it has."""
    with open(path, "rb") as file:
        data = file.read()
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    written = mark + text.encode(encoding(data), "surrogateescape")
    with open(path, "wb") as file:
        file.write(written)


def python_files(path: str) -> Iterator[str]:
    """The Python files in a folder, in order, except hidden ones and those of environments."""
    return files_below(path, PYTHON)


def files_below(path: str, *endings: str) -> Iterator[str]:
    """The files in a folder whose names end so, except hidden ones and those of environments."""
    for folder, folders, names in os.walk(path):
        kept = [f for f in sorted(folders) if not f.startswith(".") and f not in SKIPPED]
        folders[:] = [f for f in kept if not _is_environment(os.path.join(folder, f))]
        for name in sorted(names):
            if name.endswith(endings) and not name.startswith("."):
                yield os.path.join(folder, name)


def settings_files(path: str) -> Iterator[str]:
    """The `pyproject.toml` files that may speak for a file or folder, the nearest first."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    while True:
        candidate = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(candidate):
            yield candidate
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def is_installed(path: str) -> bool:
    """Tells whether a file belongs to an installed package or to Python, by its path."""
    return any(INSTALLED.fullmatch(part) for part in os.path.normpath(path).split(os.sep))


def read_bytes(path: str) -> bytes:
    """The bytes of a file; raises OSError if it cannot be read: to read a pipe is to wait."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise IsADirectoryError(f"not a file: {path}")
    with open(path, "rb") as file:
        return file.read()


def _stamp(status: os.stat_result) -> Stamp:
    """What changes when the text of a file does."""
    return status.st_mtime_ns, status.st_size, status.st_ino


# derivatives


def cache_folder() -> str:
    """Where derivatives are kept: `ADLSP_CACHE_DIR`, or the user's folder for caches."""
    chosen = os.environ.get("ADLSP_CACHE_DIR")
    if chosen:
        return os.path.abspath(chosen)
    home = os.path.expanduser("~")
    if not os.path.isabs(home):
        home = os.path.join(tempfile.gettempdir(), "adlsp-home")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(os.path.abspath(base), "adlsp")


def derivative_path(derivative: Derivative) -> str:
    """The file of a derivative, known by its text and by the files that its lines come from.

    So one file belongs to one primal, also where another has the same text.
    """
    lines = derivative.source_map
    paths = {place.path for each in lines for place in each.places}
    files = sorted(map(os.path.realpath, paths))
    known_by = "\n".join((VERSION, *files, derivative.source))
    digest = _hash(known_by)
    readable = re.sub(r"[^\w.-]", "_", derivative.name)
    return os.path.join(cache_folder(), DERIVATIVES, f"{readable}.{digest[:12]}.py")


def is_derivative(path: str) -> bool:
    """Tells whether a file is a derivative of ours, by its path."""
    return DERIVATIVES in os.path.normpath(path).split(os.sep)


def write_derivative(derivative: Derivative) -> str:
    """Writes the file of a derivative, read-only, and gives its path.

    It lies in the cache, or among temporary files where the cache cannot be written; raises OSError
    where neither can. Whoever opens the path sees the whole text or no file, also while others
    write the same one. A file that holds the text already is left alone.
    """
    path = derivative_path(derivative)
    try:
        return _written(path, derivative)
    except OSError:
        return _written(os.path.join(_temporary_folder(), os.path.basename(path)), derivative)


def announcement(derivative: Derivative, path: str) -> str:
    """What a debugger must know of a derivative in a file, as JSON: where each line comes from."""
    lines = [
        {
            "line": mapped.line,
            "role": mapped.role.value,
            "path": place.path,
            "primal_line": place.line,
            "primal_end_line": place.end_line,
        }
        for mapped in derivative.source_map
        for place in mapped.places
    ]
    primal = derivative.request.function.rpartition(".")[2]
    names = {"path": path, "name": derivative.name, "primal": primal}
    return json.dumps({"version": 1, **names, "map": lines})


def announcement_path(path: str) -> str:
    """Where the announcement of a derivative lies: a debugger reads it before a program runs."""
    return f"{os.path.splitext(path)[0]}.json"


def _written(path: str, derivative: Derivative) -> str:
    data = derivative.source.encode("utf-8", "surrogatepass")
    try:
        if read_bytes(path) == data:
            return path
    except OSError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    _write_whole(announcement_path(path), announcement(derivative, path).encode(), 0o444)
    _write_whole(path, data, 0o444)
    return path


def _write_whole(path: str, data: bytes, mode: int) -> None:
    """Writes a file, of which others see the old text or the whole new one."""
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        _replace(temporary, path)
    except OSError:
        os.chmod(temporary, 0o600)
        os.unlink(temporary)
        raise


def _temporary_folder() -> str:
    """A folder for derivatives among temporary files, which nobody else can write into.

    Raises OSError where there is none.
    """
    user = os.getuid() if sys.platform != "win32" else os.environ.get("USERNAME", "")
    folder = os.path.join(tempfile.gettempdir(), f"adlsp-{user}", DERIVATIVES)
    os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
    owner = os.stat(os.path.dirname(folder)).st_uid
    if sys.platform != "win32" and owner != user:
        raise PermissionError(f"{folder} belongs to another user")
    return folder


def _replace(temporary: str, path: str) -> None:
    """Moves a file over another, also where a read-only one must be made writable first."""
    try:
        os.replace(temporary, path)
    except PermissionError:
        os.chmod(path, 0o600)
        os.replace(temporary, path)


# gradients of a run


def recorded_lines(
    variables: Sequence[Mapping[str, object]],
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
) -> Iterator[str]:
    """The rows of a run as lines of JSON, an object each, with what is known of the variable.

    In a row the variable stands as a number, under the column of that name.
    """
    at = columns.index("variable")
    for row in rows:
        of = variables[row[at]]
        held = {**dict(zip(columns, row, strict=True)), **of}
        yield json.dumps(held)


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Writes lines into a file, of which others see the old text or all of the new one.

    What is no file (a terminal, a pipe), or lies where no other can be made, is written as it is.
    Raises OSError where that cannot be.
    """
    path = os.path.realpath(path)
    written = (f"{line}\n" for line in lines)
    temporary = _beside(path)
    try:
        with open(temporary or path, "w", encoding="utf-8") as file:
            file.writelines(written)
        if temporary:
            if os.path.exists(path):
                shutil.copymode(path, temporary)
            os.replace(temporary, path)
    except BaseException:
        if temporary and os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _beside(path: str) -> str:
    """The name of a file that can be made, and take the place of another; "" where none can."""
    folder, name = os.path.split(path)
    is_there = os.path.lexists(path)
    is_file = not is_there or (os.path.isfile(path) and os.access(path, os.W_OK))
    can_be = is_file and os.access(folder, os.W_OK)
    return os.path.join(folder, f".{name}.{os.getpid()}.tmp") if can_be else ""


# signatures


def record_signature(definition: Definition, signature: str) -> None:
    """Notes what a function has been called with: types and structure, never data.

    Those of an older text are dropped. Raises OSError where nothing can be written.
    """
    before = recorded_signatures(definition)
    if before[:1] == (signature,):
        return
    others = [each for each in before if each != signature]
    kept = {"text": _digest(definition), "signatures": [signature, *others][:MOST_RECORDED]}
    path = _recording(definition)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    _write_whole(path, json.dumps(kept).encode(), 0o600)


def recorded_signatures(definition: Definition) -> tuple[str, ...]:
    """What a function was called with in the last runs, the last one first."""
    try:
        kept = json.loads(read_bytes(_recording(definition)))
        is_same, found = kept["text"] == _digest(definition), tuple(kept["signatures"])
    except (OSError, ValueError, LookupError, TypeError):
        return ()
    return found if is_same and all(isinstance(each, str) for each in found) else ()


def recorded_when() -> int:
    """A number that changes when something is recorded."""
    try:
        return os.stat(os.path.join(cache_folder(), SIGNATURES)).st_mtime_ns
    except OSError:
        return 0


# what was found in earlier runs


def remember(by: str, key: str, data: bytes) -> None:
    """Keeps what something has found under a name; raises OSError where that cannot be written.

    What others have found that has not changed for long is forgotten: a version that has gone.
    """
    folder = os.path.join(cache_folder(), REMEMBERED, by)
    if not os.path.isdir(folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        for entry in os.scandir(os.path.dirname(folder)):
            if entry.stat().st_mtime < time.time() - LONGEST_REMEMBERED:
                shutil.rmtree(entry.path, ignore_errors=True)
    _write_whole(os.path.join(folder, key), data, 0o600)


def remembered(by: str, key: str) -> bytes:
    """What something has kept under a name; raises OSError where there is nothing."""
    return read_bytes(os.path.join(cache_folder(), REMEMBERED, by, key))


def stamp(folder: str) -> str:
    """What changes when one of the Python files below a folder does."""
    told = ((path, *_stamp(os.stat(path))) for path in sorted(files_below(folder, PYTHON)))
    return _hash("\n".join(map(str, told)))


def _digest(definition: Definition) -> str:
    """What changes when the text of a function does."""
    first, last = definition.lines
    return _hash("\n".join(definition.source.lines[first - 1 : last]))


def _recording(definition: Definition) -> str:
    """The file of what a function was called with."""
    path = os.path.realpath(definition.source.path)
    within = definition.written.path or definition.name
    digest = _hash("\n".join((VERSION, path, within)))
    readable = re.sub(r"[^\w.-]", "_", definition.name)
    return os.path.join(cache_folder(), SIGNATURES, f"{readable}.{digest[:12]}.json")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# folders


def _is_environment(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "pyvenv.cfg"))


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def _project(folder: str) -> str:
    """The nearest folder above that looks like that of a project, or the folder itself."""
    above = folder
    while not any(os.path.exists(os.path.join(above, mark)) for mark in PROJECT):
        parent = os.path.dirname(above)
        if parent == above:
            return folder
        above = parent
    return above
