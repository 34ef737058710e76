"""What is handed out: a wheel, built from the sdist, works where the repository is not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest
from test_readme import PROGRAM, TEXT

from adlsp.version import VERSION

HOME = Path(__file__).parent.parent

REFUSED = """\
import numpy as np

import adlsp


def loss(w, x):
    np.multiply(w, x, out=w)
    return np.sum(w)


adlsp.grad(loss)
"""


def run(*command: str | Path, cwd: Path, status: int = 0) -> str:
    """What a command prints that knows nothing of the repository."""
    kept = {
        name: os.environ[name] for name in os.environ if not name.startswith(("PYTHON", "ADLSP"))
    }
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**kept, "NO_COLOR": "1", "ADLSP_CACHE_DIR": str(cwd / "cache")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist and the wheel."""
    folder = tmp_path_factory.mktemp("dist")
    command = [str(HOME / "tools" / "packages.sh"), str(folder)]
    environment = {**os.environ, "ADLSP_PYTHON": sys.executable}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    return dist / f"adlsp-{VERSION}-py3-none-any.whl"


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment into which the wheel was installed."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    pip = ("-m", "pip", "install", "-q", "--disable-pip-version-check")
    run(folder / "bin" / "python", *pip, wheel, cwd=folder)
    return folder / "bin"


def files_of_the_package() -> set[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "adlsp"]
    listed = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=True)
    return set(listed.stdout.split())


def test_the_wheel_has_all_files_of_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if not name.startswith(f"adlsp-{VERSION}.")}
        metadata = packed.read(f"adlsp-{VERSION}.dist-info/METADATA").decode()
    assert names == files_of_the_package()
    assert {"adlsp/py.typed", "adlsp/transform/rules/numpy/elementwise.py"} <= names
    assert HeaderParser().parsestr(metadata)["Version"] == VERSION


def test_the_sdist_has_what_the_wheel_is_built_from(dist: Path) -> None:
    with tarfile.open(dist / f"adlsp-{VERSION}.tar.gz") as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert files_of_the_package() | {"pyproject.toml", "README.md", "LICENSE"} <= names
    assert sorted(path.name for path in dist.iterdir()) == sorted(
        [f"adlsp-{VERSION}.tar.gz", f"adlsp-{VERSION}-py3-none-any.whl"]
    )


def test_the_installed_package_is_what_runs(programs: Path, tmp_path: Path) -> None:
    assert run(programs / "adlsp", "--version", cwd=tmp_path) == f"adlsp {VERSION}\n"
    shown = run(programs / "python", "-c", "import adlsp; print(adlsp.__file__)", cwd=tmp_path)
    assert Path(shown.strip()).is_relative_to(programs.parent)


@pytest.mark.parametrize("found", list(PROGRAM.finditer(TEXT)), ids=lambda found: found["name"])
def test_the_programs_of_the_readme(found: re.Match[str], programs: Path, tmp_path: Path) -> None:
    (tmp_path / found["name"]).write_text(found["code"], "utf-8")
    if "import tensorflow" not in found["code"]:  # which is not installed there
        printed = run(programs / "python", found["name"], cwd=tmp_path)
        assert printed.rstrip() + "\n" == found["out"]
    checked = run(programs / "adlsp", "check", found["name"], cwd=tmp_path)
    assert re.match(r"All checks passed: \d functions? checked\.$", checked)


def test_a_finding(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "refused.py").write_text(REFUSED, "utf-8")
    shown = run(programs / "adlsp", "check", "refused.py", cwd=tmp_path, status=1)
    assert "refused.py:7:23: AD301 error: `np.multiply` writes its result into `w`" in shown
    assert "^^^^^" in shown


@pytest.mark.parametrize("command", ["check", "show", "server", "debug"])
def test_help(programs: Path, tmp_path: Path, command: str) -> None:
    assert run(programs / "adlsp", command, "--help", cwd=tmp_path).startswith(
        f"usage: adlsp {command}"
    )
