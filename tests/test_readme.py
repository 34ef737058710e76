"""The README is true: its programs and commands are run, and print what stands there.

With ADLSP_UPDATE=1, what they print is written into the README instead.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent
README = HOME / "README.md"
TEXT = README.read_text("utf-8")

PROGRAM = re.compile(
    r"```python\n(?P<code># (?P<name>\w+\.py)\n.*?)```\n\n```text\n(?P<out>.*?)```", re.S
)
CONSOLE = re.compile(r"```console\n(?P<all>.*?)```", re.S)
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<out>(?:(?!\$ ).*\n)*)", re.M)


LOGGED = re.compile(r"^(WARNING: All log messages before absl|[IWE]\d{4} ).*\n", re.M)
"""What TensorFlow tells of itself when it is loaded."""


def output(command: list[str], folder: Path, status: int | None = 0) -> str:
    """What a command prints, run with this interpreter's `adlsp`."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )
    assert LOGGED.sub("", done.stderr) == ""
    assert status is None or done.returncode == status
    return done.stdout


def hold(found: re.Match[str], printed: str) -> None:
    """Compares what was printed with the README, or writes it there."""
    if os.environ.get("ADLSP_UPDATE") == "1":
        now = README.read_text("utf-8")
        old = found[0]
        start = found.start("out") - found.start()
        end = found.end("out") - found.start()
        README.write_text(now.replace(old, old[:start] + printed + old[end:]), "utf-8")
    else:
        assert printed == found["out"], "if this is as it should be: ADLSP_UPDATE=1 writes it"


@pytest.mark.parametrize("found", list(PROGRAM.finditer(TEXT)), ids=lambda found: found["name"])
def test_programs(found: re.Match[str], tmp_path: Path) -> None:
    if "import tensorflow" in found["code"]:
        pytest.importorskip("tensorflow")
    file = tmp_path / found["name"]
    file.write_text(found["code"], "utf-8")
    hold(found, output([sys.executable, file.name], tmp_path).rstrip() + "\n")


COMMANDS = [
    c for block in CONSOLE.finditer(TEXT) for c in COMMAND.finditer(TEXT, *block.span("all"))
]


@pytest.mark.parametrize("found", COMMANDS, ids=lambda found: found["command"])
def test_commands(found: re.Match[str]) -> None:
    words = [word.strip('"') for word in found["command"].split()]
    hold(found, output(words, HOME, status=1 if words[1] == "check" else 0))


def test_there_is_something_to_hold() -> None:
    assert len(list(PROGRAM.finditer(TEXT))) == 6
    assert len(COMMANDS) >= 3


def options(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--(?!no-|help|version)[a-z][a-z-]+", text))


def test_commands_and_options_are_those_of_the_program() -> None:
    """Each is in the README, and the README names no others."""
    adlsp = (sys.executable, "-m", "adlsp")
    listed = output([*adlsp, "--help"], HOME)
    commands = re.findall(r"^    ([a-z]+) ", listed, re.M)
    assert len(commands) >= 7
    assert set(re.findall(r"(?:`|\$ )adlsp ([a-z]+)", TEXT)) == set(commands)
    helps = [output([*adlsp, command, "--help"], HOME) for command in commands]
    assert set().union(*map(options, helps)) == options(TEXT)


def test_commands_are_targets() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (HOME / "Makefile").read_text("utf-8"), re.M))
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", TEXT, re.M))
    assert {"demo", "vscode", "dist", "test"} <= named <= targets


def test_links_lead_somewhere() -> None:
    pages = [*HOME.glob("*.md"), *(HOME / "docs").glob("*.md")]
    for page in pages:
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
