"""The extension: its sources, its own small tests, and the packaged thing in a real VS Code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from adlsp.transform.artifact import STAGES

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "vscode-extension"
CACHE = Path(os.environ.get("ADLSP_VSCODE_CACHE", ROOT / ".vscode-test"))
BROWSERS = (os.environ.get("ADLSP_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")


def run(*command: str | Path, cwd: Path = ROOT, **env: str | Path) -> None:
    """Runs a command; its output is the message of the failure."""
    environment = {**os.environ, **{name: str(value) for name, value in env.items()}}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1200,
    )
    print(done.stdout)
    if done.returncode != 0:
        pytest.fail(f"{command[0]} failed:\n{done.stdout}", pytrace=False)


@pytest.fixture(scope="module")
def extension() -> Path:
    """The folder of the extension, with all that building it takes; skips without (CI: fails)."""
    setup = ROOT / "tools" / "vscode" / "setup.sh"
    done = subprocess.run([str(setup)], capture_output=True, text=True, timeout=1200)
    if done.returncode == 0:
        return EXTENSION
    reason = (done.stderr.strip() or "setup.sh failed").splitlines()[-1]
    if os.environ.get("CI") == "true" or os.environ.get("ADLSP_REQUIRE_ALL") == "1":
        pytest.fail(f"VS Code is required here, but {done.stderr}", pytrace=False)
    return pytest.skip(reason)


@pytest.fixture(scope="module")
def vsix(extension: Path) -> Path:
    """The packaged extension."""
    run("npm", "run", "package", cwd=extension)
    return extension / "adlsp.vsix"


def test_types(extension: Path) -> None:
    run("npm", "run", "check", cwd=extension)


def test_parts_that_do_not_need_the_editor(extension: Path) -> None:
    run("npm", "test", cwd=extension)


def test_stages_are_those_of_the_server() -> None:
    text = (EXTENSION / "src" / "stages.ts").read_text("utf-8")
    assert dict(re.findall(r'^  (\w+): "(.*)",$', text, re.M)) == STAGES


def test_commands_are_registered_and_explained() -> None:
    package = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    offered = {each["command"]: each["title"] for each in package["contributes"]["commands"]}
    registered = re.findall(r'command\("(.*?)"', (EXTENSION / "src" / "extension.ts").read_text())
    assert sorted(registered) == sorted(offered)
    told = (EXTENSION / "README.md").read_text("utf-8")
    recording = ("recordGradients", "exportGradients", "openGradients")
    for name in ("openDerivative", "showAdjoint", "showStage", "checkGradient", *recording):
        assert f"**{offered[f'adlsp.{name}']}**" in told


def test_lock_file_names_no_registry() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text())
    assert lock["packages"]
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []


def test_package_is_small_and_complete(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as package:
        sizes = {entry.filename: entry.compress_size for entry in package.infolist()}
    copy = "extension/bundled/"
    assert f"{copy}adlsp/__main__.py" in sizes
    assert [name for name in sizes if name.endswith((".so", ".pyd", ".pyc"))] == []
    assert sum(size for name, size in sizes.items() if not name.startswith(copy)) <= 300 * 1024
    assert sum(sizes.values()) <= 1600 * 1024


def test_in_vscode(vsix: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"  # an interpreter without adlsp
    venv.create(bare, with_pip=False)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    run(
        "node",
        Path(__file__).with_name("test_in_vscode.mjs"),
        ADLSP_CHROMIUM=next(path for path in map(shutil.which, filter(None, BROWSERS)) if path),
        ADLSP_EXAMPLES=ROOT / "examples",
        ADLSP_PYTHON=sys.executable,
        ADLSP_BARE_PYTHON=bare / "bin" / "python",
        ADLSP_SCRATCH=scratch,
        ADLSP_SCREENSHOTS=ROOT / "artifacts" / "screenshots",
        ADLSP_VSCODE_CACHE=CACHE,
        ADLSP_VSIX=vsix,
    )
