"""What holds for the repository as a whole: versions agree, scripts run, links hold."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from adlsp.version import VERSION

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HOME = Path(__file__).parent.parent

SCRIPTS = (".ci/run", *(str(p.relative_to(HOME)) for p in sorted((HOME / "tools").rglob("*.sh"))))

MACHINE = re.compile(
    r"""
    (?<![\w./$}>])/(?:root|work|Users|mnt|opt|home/(?!(?:user|me)\b)\w+)/\w # one machine
    | \b(?!127\.)\d{1,3}(?:\.\d{1,3}){3}:\d+ # a server
    | //[\w.-]*(?:artifactory|nexus|devpi|verdaccio|mirror|registry|pypi\.org/simple)[\w.-]*
    | --(?:extra-)?index-url
    """,
    re.VERBOSE | re.IGNORECASE,
)


def tracked() -> list[Path]:
    """The files of the repository; outside of a clone, none."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=HOME, capture_output=True, text=True, timeout=60
    )
    if done.returncode:
        return []
    return [path for name in done.stdout.split("\0") if name and (path := HOME / name).is_file()]


def test_versions_agree() -> None:
    project = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["project"]
    package = json.loads((HOME / "vscode-extension" / "package.json").read_text("utf-8"))
    lock = json.loads((HOME / "vscode-extension" / "package-lock.json").read_text("utf-8"))
    changes = (HOME / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"^## (\S+)", changes, re.MULTILINE)
    assert newest is not None
    told = {project["version"], package["version"], lock["version"], newest[1]}
    assert told == {VERSION}


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_can_be_run(script: str) -> None:
    path = HOME / script
    assert os.access(path, os.X_OK)
    assert path.read_text("utf-8").startswith("#!/usr/bin/env bash\n")
    subprocess.run(["bash", "-n", str(path)], check=True, timeout=60)


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])
def test_named_files_exist(page: str) -> None:
    text = (HOME / page).read_text("utf-8")
    named = re.findall(r"`((?:adlsp|tests|tools|examples|vscode-extension)/[\w./-]+)`", text)
    built = {"vscode-extension/adlsp.vsix"}
    assert [path for path in named if path not in built and not (HOME / path).exists()] == []


def test_architecture_names_modules_that_exist() -> None:
    text = (HOME / "ARCHITECTURE.md").read_text("utf-8")
    known = {path.name for path in (HOME / "adlsp").rglob("*.py")}
    named = {Path(path).name for path in re.findall(r"`([\w/.]+\.py)`", text)}
    tests = {path.name for path in (HOME / "tests").rglob("*.py")}
    assert named - known - tests == set()
    assert len(named) > 30


def test_nothing_of_a_machine_is_in_the_repository() -> None:
    found = []
    for path in tracked():
        if path == Path(__file__):
            continue
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a picture, or data
        for number, line in enumerate(text.splitlines(), 1):
            if MACHINE.search(line):
                found.append(f"{path.relative_to(HOME)}:{number}: {line.strip()}")
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "cd /Users/someone/project",
        'PATH = "/home/someone/project"',
        "http://10.0.0.7:8080/simple",
        "https://registry.npmjs.org/esbuild",
        "pip install --index-url there",
    ],
)
def test_things_of_a_machine_are_noticed(text: str) -> None:
    assert MACHINE.search(text)


def test_pictures_are_small() -> None:
    pictures = sorted((HOME / "docs").glob("*.png"))
    assert pictures
    assert all(picture.stat().st_size < 300 * 1024 for picture in pictures)
