"""The laws of the house: which room may import which, and what no room does.

Import statements are read from the files; where laziness matters, a fresh interpreter tells what it
has loaded. Imports for type checking only are no imports.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from adlsp.transform.diagnostics import catalogue
from adlsp.version import VERSION

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HOME = Path(__file__).parent.parent
FILES = sorted((HOME / "adlsp").rglob("*.py"))

LAYERS = (
    ("frozen",),
    ("source", "version", "depth", "ops"),
    ("diagnostics",),
    ("ir",),
    ("artifact",),
    ("frontend", "arguments"),
    ("rules",),
    ("query_cache", "facts"),
    ("values",),
    ("canonical",),
    ("program", "optimize", "emit"),
    ("modes", "uses"),
    ("pipeline",),
    ("reverse", "forward", "checks", "relower"),
    ("nesting",),
    ("requests", "queries", "annotated", "typed"),
    ("called",),
    ("reaching", "driver", "stages"),
    ("spelled",),
    ("explaining",),
    ("hover",),
    ("engine",),
)
"""The rooms of the engine, from the inside out: each may import those before it, none beside it."""

OUTSIDE = (
    ("workspace",),
    ("lint",),
    ("library", "server", "debug"),
    ("notebook", "cli"),
    ("front",),
)
"""The rooms around the engine: each may import those before it, and none beside it."""

APART = ("runtime",)
"""Rooms that import nothing of ours."""

TELLING = (
    "adlsp/library/derivatives.py",
    "adlsp/library/differences.py",
    "adlsp/library/recording.py",
    "adlsp/library/signatures.py",
    "adlsp/library/watching.py",
)
"""Files of the library that tell the debugger something, by way of the runtime, or take objects of
users' classes apart as derivatives do."""

FRONT = ("", "__main__", "rules")
"""Modules directly in the package by which one comes in: `adlsp` itself is the first."""

LAZY = (
    "adlsp/__init__.py",
    "adlsp/__main__.py",
    "adlsp/cli/__init__.py",
    "adlsp/cli/check.py",
    "adlsp/debug/main.py",
    "adlsp/debug/primals.py",
    "adlsp/library/api.py",
    "adlsp/library/cells.py",
    "adlsp/library/compiling.py",
    "adlsp/library/derivatives.py",
    "adlsp/library/primal.py",
    "adlsp/library/refusal.py",
    "adlsp/library/shown.py",
    "adlsp/library/watching.py",
    "adlsp/server/handlers.py",
    "adlsp/server/main.py",
    "adlsp/transform/engine.py",
    "adlsp/transform/queries.py",
    "adlsp/transform/rules/reader.py",
)
"""Files whose functions import, so that what is not used is not loaded."""

TREES = (
    "adlsp/transform/depth.py",
    "adlsp/transform/frontend/",
    "adlsp/transform/ir/trees.py",
    "adlsp/transform/rules/reader.py",
    "adlsp/transform/rules/custom_gradients.py",
    "adlsp/transform/rules/users.py",
    "adlsp/transform/emit/",
    "adlsp/transform/values/annotations.py",
    "adlsp/transform/values/calls.py",
    "adlsp/transform/values/classes.py",
)

ALLOWED_IN = {
    "ast": TREES,
    "gast": TREES,
    "astor": TREES,
    "numpy": (
        "adlsp/runtime/",
        "adlsp/transform/frontend/in_python.py",  # which is read, and never imported
        "adlsp/library/differences.py",
        "adlsp/library/matrices.py",
        "adlsp/library/verify.py",
        "adlsp/library/watching.py",
    ),
    "tensorflow": ("adlsp/runtime/tensors/", "adlsp/cli/probing.py"),
    "pygls": ("adlsp/server/",),
    "lsprotocol": ("adlsp/server/",),
    "debugpy": ("adlsp/debug/",),
    "pygments": ("adlsp/library/display/",),
    "IPython": ("adlsp/notebook/",),
    "tomllib": ("adlsp/lint/settings.py",),
    "tomli": ("adlsp/lint/settings.py",),
}
"""Where a package may be imported; those that are not listed belong to Python."""

WORLDLY = {
    "asyncio",
    "importlib",
    "io",
    "multiprocessing",
    "os",
    "pathlib",
    "shutil",
    "signal",
    "socket",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
}
WORLDLY_CALLS = {"__import__", "compile", "eval", "exec", "input", "open", "print"}
MAY_TOUCH = {
    ("adlsp/transform/source.py", "importlib"),
    ("adlsp/transform/depth.py", "sys"),
    ("adlsp/transform/depth.py", "threading"),
}
"""Texts of ours are read by way of the import system; deep programs need deep recursion,
whose limit all threads share."""

OPENS_FILES = ("adlsp/workspace.py", "adlsp/debug/inside.py", "adlsp/runtime/hook.py")
"""All but the first run in the program that is debugged."""


@dataclass(frozen=True)
class Import:
    """One import of one module, and whether it stands in a function."""

    module: str
    is_hidden: bool


def name(path: Path) -> str:
    return path.relative_to(HOME).as_posix()


def module(path: Path) -> str:
    return name(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


MODULES = {module(path): path for path in FILES}


def imports(path: Path) -> list[Import]:
    """What a file imports; `from package import module` is an import of the module."""
    return list(_imports(ast.parse(path.read_text("utf-8")), False))


def _imports(node: ast.AST, is_hidden: bool) -> Iterator[Import]:
    match node:
        case ast.If(test=ast.Name("TYPE_CHECKING")):
            for child in node.orelse:
                yield from _imports(child, is_hidden)
            return
        case ast.Import():
            yield from (Import(alias.name, is_hidden) for alias in node.names)
        case ast.ImportFrom():
            assert node.level == 0, "imports are absolute"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield Import(inner if inner in MODULES else node.module or "", is_hidden)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            is_hidden = True
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, is_hidden)


def room(module_name: str) -> str:
    """The room of one of our modules."""
    first, *inner = module_name.split(".")[1:] or [""]
    if first == "transform":
        return inner[0] if inner else "source"
    return "front" if first in FRONT else first


def ours(path: Path) -> Iterator[Import]:
    return (found for found in imports(path) if found.module.split(".")[0] == "adlsp")


def layer(of: str) -> int:
    return next(number for number, rooms in enumerate(LAYERS + OUTSIDE) if of in rooms)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_rooms_import_only_inwards(path: Path) -> None:
    own = room(module(path))
    for found in ours(path):
        other = room(found.module)
        if own == other:
            continue
        assert own not in APART, f"{own} imports {found.module}"
        if other in APART:
            assert name(path) in TELLING, f"{own} imports {found.module}"
            continue
        assert layer(other) < layer(own), f"{own} imports {found.module}"


def graph(name_of: dict[str, str]) -> dict[str, set[str]]:
    """Who imports whom, hidden imports included, with modules merged under names."""
    edges: dict[str, set[str]] = {}
    for path in FILES:
        start = name_of[module(path)]
        ends = {name_of[found.module] for found in ours(path) if found.module in name_of}
        edges.setdefault(start, set()).update(ends - {start})
    return edges


def test_no_module_imports_itself_in_a_circle() -> None:
    edges = graph({key: key for key in MODULES})
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_no_room_imports_itself_in_a_circle() -> None:
    edges = graph({key: room(key) for key in MODULES})
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of rooms: {' <- '.join(error.args[1])}")


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_stand_at_the_top(path: Path) -> None:
    hidden = [found.module for found in imports(path) if found.is_hidden]
    assert not hidden or name(path) in LAZY


@pytest.mark.parametrize("path", FILES, ids=name)
def test_packages_are_imported_where_they_belong(path: Path) -> None:
    for found in imports(path):
        package = found.module.split(".")[0]
        if package == "adlsp":
            continue
        allowed = ALLOWED_IN.get(package)
        if allowed is None:
            assert package in sys.stdlib_module_names, f"{package} is no dependency of ours"
        else:
            assert name(path).startswith(allowed), f"{package} does not belong here"


@pytest.mark.parametrize("path", [path for path in FILES if "transform" in path.parts], ids=name)
def test_transform_touches_nothing_outside(path: Path) -> None:
    touched = {i.module.split(".")[0] for i in imports(path) if i.module != "os.path"} & WORLDLY
    assert {(name(path), package) for package in touched} <= MAY_TOUCH
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in WORLDLY_CALLS, f"line {node.lineno}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_the_workspace_opens_files(path: Path) -> None:
    calls = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"
    ]
    assert not calls or name(path) in OPENS_FILES, f"lines {calls}"


@pytest.mark.parametrize("path", [path for path in FILES if "transform" in path.parts], ids=name)
def test_only_the_form_knows_how_variables_are_written(path: Path) -> None:
    """Elsewhere what a variable is, is asked of its type, and none is made by writing it."""
    if "ir" in path.parts:
        return
    written = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.match(r"%(\w*:|\w*$)", node.value)
    ]
    assert not written, f"lines {written}"


def loaded_by(code: str, *arguments: str) -> set[str]:
    """The modules that a fresh interpreter has after running some code, as it was started."""
    show = "import sys; before = set(sys.modules)\n{}\nprint(*sorted(set(sys.modules) - before))"
    command = [sys.executable, "-c", show.format(code), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=HOME, timeout=120
    )
    return set(done.stdout.splitlines()[-1].split())


HEAVY = ("numpy", "pygls", "lsprotocol", "debugpy", "tensorflow", "asyncio")


def packages(modules: set[str]) -> set[str]:
    return {found.split(".")[0] for found in modules}


def strangers(modules: set[str], own: str) -> list[str]:
    """Our modules outside of a room; the version comes with the package itself."""
    ours = [found.split(".")[1] for found in modules if found.startswith("adlsp.")]
    return sorted({found for found in ours if found not in (own, "version")})


def test_importing_the_library_loads_nothing_heavy() -> None:
    loaded = loaded_by("import adlsp")
    assert not packages(loaded) & {*HEAVY, "gast", "astor", "ast"}
    assert not [found for found in loaded if found.startswith("adlsp.transform")]


NOTEBOOKS = ("adlsp.notebook", "adlsp.library.display")


def test_a_derivative_loads_nothing_of_notebooks() -> None:
    loaded = loaded_by("import adlsp, adlsp.rules; adlsp.grad(adlsp.stop_gradient)")
    assert "adlsp.library.api" in loaded
    assert not [found for found in loaded if found.startswith(NOTEBOOKS)]
    assert not packages(loaded) & {"IPython", "pygments"}


def test_the_engine_stands_alone() -> None:
    loaded = loaded_by("import adlsp.transform.engine")
    assert not packages(loaded) & set(HEAVY)
    assert strangers(loaded, "transform") == []


def test_the_runtime_stands_alone() -> None:
    loaded = loaded_by("import adlsp.runtime")
    assert "numpy" in packages(loaded)
    assert not packages(loaded) & set(HEAVY[1:5])
    assert strangers(loaded, "runtime") == []


def test_checking_loads_neither_numpy_nor_the_server() -> None:
    run = "from adlsp import cli; cli.main(['check', '--exit-zero', 'examples', '--format=json'])"
    loaded = loaded_by(run)
    assert "adlsp.transform.engine" in loaded
    assert not packages(loaded) & set(HEAVY)
    assert not [m for m in loaded if m.startswith(("adlsp.server", "adlsp.debug", "adlsp.runtime"))]


def test_the_answer_to_initialize_needs_neither_numpy_nor_the_engine() -> None:
    loaded = loaded_by("from adlsp.server import main, handlers")
    assert not packages(loaded) & {"numpy", "gast", "astor", "debugpy"}
    assert "adlsp.transform.engine" not in loaded


def test_a_debug_session_begins_without_numpy_and_the_engine() -> None:
    """A person waits for it; the engine is loaded where breakpoints ask what derivatives reach."""
    loaded = loaded_by("from adlsp.debug import main, proxy")
    assert not packages(loaded) & {"numpy", "debugpy", "http"}
    assert not loaded & {"adlsp.transform.engine", "adlsp.transform.program"}


def test_each_kind_of_finding_is_raised_somewhere() -> None:
    users = [path for path in FILES if "findings" not in path.parts]
    used = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for path in users
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute | ast.Name)
    }
    never = [kind.code for kind in catalogue.kinds().values() if kind.__name__ not in used]
    assert never == []


MADE = ("nested", "bare", "wrapped", "pair", "derived", "handback", "changed", "called", "unseen")
"""The words of the notation for functions that we make of others, and one that it had before."""

NOTATION = re.compile(rf"(?:{'|'.join(MADE)})[.:+](?! )")


@pytest.mark.parametrize("path", [path for path in FILES if "ir" not in path.parts], ids=name)
def test_names_that_we_make_are_types(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    texts = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    found = [node.lineno for node in texts if NOTATION.match(node.value)]
    assert not found, f"lines {found}: only adlsp/transform/ir/targets.py spells such names"


def test_the_version_is_told_once() -> None:
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION


NAMED = re.compile(r"`([\w/.]*\w\.py)`")
EXAMPLES = ("settle.py", "case.py", "queue.py", "model.py")
"""Files that exist in examples only."""

TOLD_TOGETHER = ("diagnostics/", "ir/", "ops/", "rules/")
"""Rooms of the engine whose files need no sentence each."""


def test_each_file_of_the_engine_is_named() -> None:
    named = set(NAMED.findall((HOME / "ARCHITECTURE.md").read_text("utf-8")))
    engine = HOME / "adlsp" / "transform"
    files = (path.relative_to(engine).as_posix() for path in engine.rglob("*.py"))
    missing = {
        file
        for file in files
        if not file.endswith("__init__.py") and not file.startswith(TOLD_TOGETHER)
        if not any(f"/adlsp/transform/{file}".endswith(f"/{each}") for each in named)
    }
    assert not missing


def test_files_that_are_named_exist() -> None:
    there = [name(path) for path in FILES] + [name(p) for p in (HOME / "tests").rglob("*.py")]
    pages = [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        *(name(p) for p in (HOME / "docs").rglob("*.md")),
    ]
    texts = {page: (HOME / page).read_text("utf-8") for page in pages}
    for path in FILES:
        tree = ast.parse(path.read_text("utf-8"))
        holders = (
            n for n in ast.walk(tree) if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef))
        )
        texts[name(path)] = "\n".join(filter(None, map(ast.get_docstring, holders)))
    missing = {
        (page, named)
        for page, text in texts.items()
        for named in NAMED.findall(text)
        if named not in EXAMPLES and not any(f"/{file}".endswith(f"/{named}") for file in there)
    }
    assert not missing
