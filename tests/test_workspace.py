"""Files as Python reads them, modules as programs import them, derivatives by content."""

from __future__ import annotations

import json
import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from adlsp import workspace
from adlsp.lint import settings
from adlsp.transform.artifact import Derivative, MappedLine, Request
from adlsp.transform.frontend.resolve import Binding
from adlsp.transform.ir import Role
from adlsp.transform.source import Span
from adlsp.workspace import Workspace


def write(folder: Path, **texts: str) -> None:
    """Writes files; `pkg__a` is `pkg/a.py`, `pkg__` is `pkg/__init__.py`."""
    for name, text in texts.items():
        path = folder / (name.replace("__", "/") + ".py")
        path = path.with_name("__init__.py") if name.endswith("__") else path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


# texts


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("x = 'é'\n".encode(), "x = 'é'\n"),
        (b"\xef\xbb\xbfx = '\xc3\xa9'\r\n", "x = 'é'\r\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = 'é'\n"),
        (b"#!python\n# vim: fileencoding=cp1252 :\nx = '\x80'", None),
        (b"\n# coding: latin-1\nx = '\xe9'", "\n# coding: latin-1\nx = 'é'"),
        (b"x = 1\n# coding: latin-1\ny = '\xc3\xa9'", "x = 1\n# coding: latin-1\ny = 'é'"),
        (b"x = '\xe9'", "x = '\udce9'"),
        (b"# coding: nonesuch\nx = '\xc3\xa9'", "# coding: nonesuch\nx = 'é'"),
        (b"# coding: hex\nx = 1", "# coding: hex\nx = 1"),
        (b"\xff\xfex\x00", "\udcff\udcfex\0"),
    ],
)
def test_decoding(data: bytes, text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    read = Workspace().source(str(path)).text
    assert read == (data.decode("cp1252") if text is None else text)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfx = '\xc3\xa9'\r\n",
        b"# coding: latin-1\nx = '\xe9'\n",
        b"x = '\xe9'\r",
        b"# coding: nonesuch\nx = '\xe9'\n",
    ],
)
def test_a_file_is_written_in_its_own_encoding(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(data)
    text = Workspace().source(str(path)).text
    workspace.replace_text(str(path), text)
    assert path.read_bytes() == data
    workspace.replace_text(str(path), text.replace("x", "long_name"))
    assert path.read_bytes() == data.replace(b"x", b"long_name")


def test_what_cannot_be_read_raises_os_error(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "loop.py").symlink_to("loop.py")
    os.mkfifo(tmp_path / "pipe.py")
    for name in ("folder.py", "loop.py", "pipe.py", "nothing.py"):
        with pytest.raises(OSError, match=name):
            Workspace().source(str(tmp_path / name))


def test_a_search_passes_by_what_is_no_file(tmp_path: Path) -> None:
    write(tmp_path, a="x = 1", b="x = 2")
    os.mkfifo(tmp_path / "pipe.py")
    found = Workspace((str(tmp_path),)).around(str(tmp_path / "a.py"), lambda text: "x" in text)
    assert [*found] == [str(tmp_path / "b.py")]


def test_a_workspace_is_a_snapshot(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    write(tmp_path, a="x = 1")
    first = Workspace((str(tmp_path),))
    assert first.source(path).text == "x = 1"
    write(tmp_path, a="x = 1234")
    assert first.source(path).text == "x = 1"
    assert first.refreshed().source(path).text == "x = 1234"
    unsaved = first.with_text(path, "\ufeffx = 2")
    assert unsaved.source(path).text == "x = 2"
    assert unsaved.refreshed().source(path).text == "x = 2"
    assert first.source(path).text == "x = 1"
    assert unsaved.with_text(path, None).source(path).text == "x = 1234"


def test_an_unsaved_file_need_not_exist(tmp_path: Path) -> None:
    path = str(tmp_path / "pkg" / "new.py")
    here = Workspace((str(tmp_path),)).with_text(path, "def f(x): pass")
    other = str(tmp_path / "main.py")
    assert here.source(path).module == "new"
    assert here.find("pkg.new", other) == here.source(path)
    here = here.with_text(str(tmp_path / "pkg" / "__init__.py"), "")
    assert here.source(path).module == "pkg.new"


def test_texts_are_parsed_once_over_all_snapshots(tmp_path: Path) -> None:
    write(tmp_path, a="def f(x): pass")
    path = str(tmp_path / "a.py")
    first = Workspace()
    module, _ = first.resolver(path).parsed(first.source(path))
    later = first.refreshed().with_text(str(tmp_path / "b.py"), "")
    assert later.resolver(path).parsed(later.source(path))[0] is module


# modules


def test_module_names_climb_the_packages(tmp_path: Path) -> None:
    write(tmp_path, pkg__="", pkg__sub__="", pkg__sub__a="", tools__b="")
    names = {
        "pkg/__init__.py": ("pkg", True),
        "pkg/sub/__init__.py": ("pkg.sub", True),
        "pkg/sub/a.py": ("pkg.sub.a", False),
        "tools/b.py": ("b", False),
        "my.script.py": ("my_script", False),
    }
    here = Workspace()
    (tmp_path / "my.script.py").write_text("")
    for name, expected in names.items():
        source = here.source(str(tmp_path / name))
        assert (source.module, source.is_package) == expected
        assert here.module_name(str(tmp_path / name)) == expected[0]


def test_a_file_in_an_impossible_place_still_has_a_name(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("")
    assert Workspace().module_name(str(tmp_path / "__init__.py")) == tmp_path.name


@pytest.mark.parametrize(
    ("module", "near", "expected"),
    [
        ("helper", "scripts/train.py", "scripts/helper.py"),
        ("train", "scripts/train.py", "scripts/train.py"),
        ("pkg.a", "scripts/train.py", "pkg/a.py"),
        ("pkg", "pkg/a.py", "pkg/__init__.py"),
        ("pkg.sub.c", "pkg/a.py", "pkg/sub/c.py"),
        ("a", "pkg/a.py", None),
        ("lib.d", "pkg/a.py", "src/lib/d.py"),
        ("lib.d", "src/lib/d.py", "src/lib/d.py"),
        ("scripts.helper", "pkg/a.py", "scripts/helper.py"),
        ("scripts", "pkg/a.py", None),
        ("helper", "pkg/a.py", None),
        ("numpy", "pkg/a.py", None),
        ("numpy.linalg", "pkg/a.py", None),
        ("pkg..a", "pkg/a.py", None),
        ("", "pkg/a.py", None),
    ],
)
@pytest.mark.parametrize("has_roots", [True, False])
def test_finding_modules(
    module: str, near: str, expected: str | None, has_roots: bool, tmp_path: Path
) -> None:
    write(
        tmp_path,
        pkg__="",
        pkg__a="",
        pkg__sub__="",
        pkg__sub__c="",
        scripts__train="",
        scripts__helper="",
        src__lib__="",
        src__lib__d="",
    )
    (tmp_path / "pyproject.toml").write_text("")
    here = Workspace((str(tmp_path),) if has_roots else ())
    found = here.find(module, str(tmp_path / near))
    assert (found.path if found else None) == (str(tmp_path / expected) if expected else None)


def test_installed_packages_are_foreign_also_from_inside(tmp_path: Path) -> None:
    write(tmp_path / "lib" / "site-packages", one__="", one__a="", two__="", three="")
    inside = str(tmp_path / "lib" / "site-packages" / "one" / "a.py")
    here = Workspace((str(tmp_path),))
    assert here.find("one", inside) is not None
    assert here.find("two", inside) is None
    assert here.find("three", inside) is None


def test_names_resolve_across_files_that_import_each_other(tmp_path: Path) -> None:
    write(
        tmp_path,
        even="from odd import odd\ndef even(n): return n == 0 or odd(n - 1)",
        odd="from even import even\ndef odd(n): return n != 0 and even(n - 1)",
    )
    path = str(tmp_path / "even.py")
    here = Workspace()
    resolver = here.resolver(path)
    assert resolver.name(here.source(path), "odd") == Binding("function", "odd.odd")
    assert resolver.definition("even.even") is not None


def test_a_module_that_cannot_be_read_is_foreign(tmp_path: Path) -> None:
    write(tmp_path, main="import b")
    (tmp_path / "b.py").symlink_to("b.py")
    assert Workspace().find("b", str(tmp_path / "main.py")) is None


# folders


def test_python_files_of_a_folder(tmp_path: Path) -> None:
    write(
        tmp_path,
        b="",
        a="",
        pkg__="",
        node_modules__x="",
        env__lib__y="",
        pkg__adlsp="",
    )
    for name in (".hidden/a.py", "__pycache__/a.py", "adlsp-derivatives/f.py", ".secret.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "env" / "pyvenv.cfg").write_text("")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "pkg" / "up").symlink_to(tmp_path)
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "folder.py" / "c.py").write_text("")
    found = [os.path.relpath(path, tmp_path) for path in workspace.python_files(str(tmp_path))]
    assert found == ["a.py", "b.py", "folder.py/c.py", "pkg/__init__.py", "pkg/adlsp.py"]


def test_the_settings_files_above_a_file(tmp_path: Path) -> None:
    write(tmp_path, a="", sub__deep__b="")
    outer, inner = tmp_path / "pyproject.toml", tmp_path / "sub" / "pyproject.toml"
    for file in (outer, inner):
        file.write_text("")
    found = list(workspace.settings_files(str(tmp_path / "sub" / "deep" / "b.py")))
    assert found[:2] == [str(inner), str(outer)]
    assert next(workspace.settings_files(str(tmp_path / "sub"))) == str(inner)
    assert next(workspace.settings_files(str(tmp_path / "a.py"))) == str(outer)


# derivatives


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "adlsp-derivatives"


def derived(source: str, name: str, primal: str = "/project/losses.py") -> Derivative:
    """A derivative with a text, as far as files are concerned."""
    line = MappedLine(1, Role.PRIMAL, Span(primal, 7, 1, 7, 9))
    return Derivative(Request("losses.loss", ("x",)), name, source, (line,), ())


def test_a_derivative_is_known_by_its_content(cache: Path) -> None:
    one = derived("x = 'é'\n", "loss_grad")
    path = workspace.write_derivative(one)
    assert path == workspace.derivative_path(one)
    assert os.path.dirname(path) == str(cache)
    assert workspace.derivative_path(derived("x = 2\n", "loss_grad")) != path
    name, digest, ending = os.path.basename(path).split(".")
    assert (name, len(digest), ending) == ("loss_grad", 12, "py")
    assert Path(path).read_bytes() == "x = 'é'\n".encode()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o444
    beside = workspace.announcement_path(path)
    assert sorted(os.listdir(cache)) == sorted(map(os.path.basename, (path, beside)))
    assert json.loads(Path(beside).read_text())["path"] == path
    assert workspace.is_derivative(path)
    assert not workspace.is_derivative(str(cache.parent / "loss.py"))


@pytest.mark.usefixtures("cache")
def test_a_derivative_belongs_to_one_file(tmp_path: Path) -> None:
    """Known by any of its names, and not by another file with the same text."""
    write(tmp_path, losses="", other__losses="")
    (tmp_path / "link.py").symlink_to(tmp_path / "losses.py")
    one, same, other = (
        workspace.derivative_path(derived("x = 1\n", "f_grad", str(tmp_path / name)))
        for name in ("losses.py", "link.py", "other/losses.py")
    )
    assert one == same != other


@pytest.mark.usefixtures("cache")
def test_an_identical_derivative_is_left_alone_and_another_replaced() -> None:
    path = workspace.write_derivative(derived("x = 1\n", "f_grad"))
    before = os.stat(path)
    assert workspace.write_derivative(derived("x = 1\n", "f_grad")) == path
    after = os.stat(path)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    os.chmod(path, 0o644)
    Path(path).write_text("tampered")
    workspace.write_derivative(derived("x = 1\n", "f_grad"))
    assert Path(path).read_text() == "x = 1\n"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o444


def test_a_name_cannot_lead_out_of_the_cache(cache: Path) -> None:
    path = workspace.write_derivative(derived("", "../../f<lambda>"))
    assert os.path.dirname(path) == str(cache)


@pytest.fixture
def spare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a user among temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    user = os.getuid() if sys.platform != "win32" else os.environ.get("USERNAME", "")
    return folder / f"adlsp-{user}"


def test_a_cache_that_cannot_be_written(cache: Path, spare: Path) -> None:
    """Derivatives lie among temporary files then, at a path that follows from them as ever."""
    cache.parent.mkdir()
    cache.write_text("a file where the folder should be")
    one = derived("x = 1\n", "f_grad")
    path = workspace.write_derivative(one)
    name = os.path.basename(workspace.derivative_path(one))
    assert path == str(spare / "adlsp-derivatives" / name) == workspace.write_derivative(one)
    assert Path(path).read_text() == "x = 1\n"
    assert workspace.is_derivative(path)
    assert stat.S_IMODE(os.stat(spare).st_mode) == 0o700


def test_where_no_file_can_be_written(cache: Path, spare: Path) -> None:
    for folder in (cache.parent, spare):
        folder.write_text("a file where the folder should be")
    with pytest.raises(OSError, match="adlsp-"):
        workspace.write_derivative(derived("x = 1\n", "f_grad"))


@pytest.mark.skipif(sys.platform == "win32", reason="folders have owners")
def test_folders_of_others_are_not_used(
    cache: Path, spare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.parent.write_text("a file where the folder should be")
    user = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: user)
    with pytest.raises(PermissionError, match="belongs to another user"):
        workspace.write_derivative(derived("x = 1\n", "f_grad"))
    assert not any(spare.parent.rglob("*.py"))


@pytest.mark.usefixtures("spare")
def test_a_full_disk_leaves_no_file_behind(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space left"):
        workspace.write_derivative(derived("x = 1\n", "f_grad"))
    assert os.listdir(cache) == []


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the folder of other systems")
def test_the_cache_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ADLSP_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert workspace.cache_folder() == str(tmp_path / "adlsp")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert workspace.cache_folder() == str(tmp_path / ".cache" / "adlsp")


# settings

CODES = frozenset({"AD100", "AD301", "AD302", "AD401"})


def parse(text: str) -> settings.Settings:
    return settings.parse(text.encode(), "project/pyproject.toml", CODES)


def test_settings_are_read() -> None:
    found = parse(
        """
        [tool.adlsp]
        exclude = ["old/", "test_*.py"]
        ignore = ["AD3"]
        select = ["AD", "AD302"]
        roots = ["pkg.losses.loss", "pkg.other(w, b)"]
        per-file-ignores = {"scripts/*" = ["AD401"]}
        """
    )
    assert found.roots == (("pkg.losses.loss", ()), ("pkg.other", ("w", "b")))
    assert found.covers("project/a.py")
    assert not found.covers("project/old/deep/a.py")
    assert not found.covers("project/tests/test_a.py")
    assert not found.covers("project/a.txt")
    assert not found.shows("AD301", "project/a.py")
    assert found.shows("AD302", "project/a.py")
    assert found.shows("AD401", "project/a.py")
    assert not found.shows("AD401", "project/scripts/a.py")


@pytest.mark.parametrize("text", ["", "[tool]", "[tool.other]\nx = 1", "[tool.adlsp]"])
def test_nothing_set_means_the_defaults(text: str) -> None:
    assert parse(text) == settings.Settings(folder="project")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.adlsp", "is not valid TOML"),
        ("[tool.adlsp]\nexlude = []", "`tool.adlsp.exlude` is no setting of adlsp; is `exclude`"),
        ("[tool.adlsp]\nfoo = 1", "known are include, exclude, select"),
        ("[tool.adlsp]\nexclude = 'a'", "`tool.adlsp.exclude`: must be a list of strings"),
        ("[tool.adlsp]\nselect = ['AD9']", "`AD9` is the start of no code"),
        ("[tool.adlsp]\nignore = [1]", "must be a list of strings"),
        ("[tool.adlsp]\nroots = ['loss']", "`loss` names no function"),
        ("[tool.adlsp]\ndialect = 'other'", "must be one of tangent"),
        ("[tool.adlsp]\nunsafe-fixes = 'yes'", "must be true or false"),
        ("[tool.adlsp]\nunsafe_fixes = true", "is `unsafe-fixes` meant?"),
        ("[tool.adlsp]\nper-file-ignores = []", "must be a table"),
        ("[tool]\nadlsp = 3", "`tool.adlsp` must be a table"),
    ],
)
def test_a_wrong_setting_is_an_error(text: str, message: str) -> None:
    with pytest.raises(settings.SettingsError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert str(caught.value).startswith("project/pyproject.toml")


# searching


def test_the_files_around_a_file_are_searched_once(tmp_path: Path) -> None:
    near = tmp_path / "project" / "pkg" / "model.py"
    near.parent.mkdir(parents=True)
    texts = {"model.py": "", "train.py": "word", "other.py": "nothing"}
    for name, text in texts.items():
        near.with_name(name).write_text(text)
    (tmp_path / "project" / "top.py").write_text("a word")
    (tmp_path / "outside.py").write_text("word")
    hidden = tmp_path / "project" / ".venv" / "lib.py"
    hidden.parent.mkdir()
    hidden.write_text("word")
    searched: list[str] = []

    def search(text: str) -> bool:
        searched.append(text)
        return "word" in text

    def found(files: workspace.Workspace) -> list[str]:
        return sorted(os.path.basename(path) for path in files.around(str(near), search))

    files = workspace.Workspace((str(tmp_path / "project"),))
    assert found(files) == ["top.py", "train.py"]
    assert sorted(searched) == ["", "a word", "nothing", "word"]
    del searched[:]
    assert found(files.refreshed()) == ["top.py", "train.py"]
    assert searched == []
    unsaved = files.with_text(str(near.with_name("other.py")), "a word at last")
    assert found(unsaved) == ["other.py", "top.py", "train.py"]
    new = unsaved.with_text(str(near.with_name("new.py")), "word")
    assert "new.py" in found(new)
    near.with_name("late.py").write_text("word")
    near.with_name("train.py").write_text("nothing any more")
    assert found(files.refreshed()) == ["late.py", "top.py"]


def test_without_folders_the_project_of_a_file_is_searched(tmp_path: Path) -> None:
    near = tmp_path / "project" / "src" / "model.py"
    near.parent.mkdir(parents=True)
    for path in (near, tmp_path / "project" / "train.py", tmp_path / "outside.py"):
        path.write_text("word")

    def names() -> list[str]:
        files = workspace.Workspace().around(str(near), lambda text: "word" in text)
        return sorted(os.path.basename(path) for path in files)

    assert names() == []
    (tmp_path / "project" / "pyproject.toml").write_text("")
    assert names() == ["train.py"]


def test_lines_are_written_whole_or_not_at_all(tmp_path):
    """A file that was there stays as it was where writing stops in the midst."""
    path = tmp_path / "run.jsonl"
    path.write_text("old\n")
    path.chmod(0o640)

    def lines():
        yield "new"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        workspace.write_lines(str(path), lines())
    assert [path.read_text(), *os.listdir(tmp_path)] == ["old\n", "run.jsonl"]
    (tmp_path / "link").symlink_to(path)
    workspace.write_lines(str(tmp_path / "link"), ["one", "two"])
    assert path.read_text() == "one\ntwo\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link", "run.jsonl"]
    workspace.write_lines(os.devnull, ["one"])
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    with pytest.raises(OSError, match="nowhere"):
        workspace.write_lines(str(tmp_path / "nowhere" / "run.jsonl"), ())
