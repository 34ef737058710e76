"""The page that follows one function is true: `adlsp show` prints what stands there.

With ADLSP_UPDATE=1, what is printed is written into the page instead.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from adlsp import cli

PAGE = Path(__file__).parent.parent / "docs" / "one-function.md"
TEXT = PAGE.read_text("utf-8")
PROGRAM = re.compile(r"`(?P<name>\w+\.py)`,\n\n```python\n(?P<code>.*?)```", re.S)
COMMAND = re.compile(r"```console\n\$ adlsp (?P<command>.*)\n(?P<out>(?:.*\n)*?)```")
COMMANDS = [found["command"] for found in COMMAND.finditer(TEXT)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program of the page is."""
    (program,) = PROGRAM.finditer(TEXT)
    (tmp_path / program["name"]).write_text(program["code"], "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
def test_listings_are_what_is_printed(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    text = PAGE.read_text("utf-8")
    found = next(each for each in COMMAND.finditer(text) if each["command"] == command)
    if os.environ.get("ADLSP_UPDATE") == "1":
        start, end = found.span("out")
        PAGE.write_text(text[:start] + printed + text[end:], "utf-8")
    else:
        assert printed == found["out"], "if this is as it should be: ADLSP_UPDATE=1 writes it"


def test_all_stages_are_followed() -> None:
    stages = [command.partition("--stage ")[2] for command in COMMANDS]
    assert stages == ["ir", "facts", "raw", "", ""]


@pytest.mark.usefixtures("folder")
def test_normalizing_changes_nothing_here(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for stage in ("ir", "canonical"):
        assert cli.main(["show", "settle.py::settle", "--stage", stage]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_named_rooms_exist() -> None:
    engine = PAGE.parent.parent / "adlsp" / "transform"
    named = re.findall(r"`([a-z]+/(?:\w+\.py)?)`", TEXT)
    assert "ir/notation.py" in named
    assert [name for name in named if not (engine / name).exists()] == []
