"""A session with a real kernel, to which tests send one cell after the other."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HOME = Path(__file__).parent.parent.parent
COLORS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Shown:
    """What a cell shows, without colors: what it prints, its result, and its error."""

    printed: str = ""
    text: str = ""
    html: str = ""
    error: str = ""


def shown(cell: nbformat.NotebookNode) -> Shown:
    """What a cell shows."""
    printed = text = html = error = ""
    for output in cell.outputs:
        if output.output_type == "stream":
            printed += output.text
        elif output.output_type == "error":
            error += "\n".join(output.traceback)
        else:
            text += output.data.get("text/plain", "")
            html += output.data.get("text/html", "")
    return Shown(*(COLORS.sub("", part) for part in (printed, text, html, error)))


class Session:
    """A kernel, and the cells that it has run."""

    def __init__(self, client: NotebookClient) -> None:
        self.client = client

    def run(self, text: str) -> Shown:
        """Runs a cell."""
        cells = self.client.nb.cells
        cells.append(nbformat.v4.new_code_cell(text))
        self.client.execute_cell(cells[-1], len(cells) - 1)
        return shown(cells[-1])

    def value(self, text: str) -> str:
        """What a cell shows as its result; it must show no error."""
        found = self.run(text)
        assert not found.error, found.error
        return found.text


def environment(cache: Path) -> dict[str, str]:
    """What a kernel is started with."""
    return {**os.environ, "PYTHONPATH": str(HOME), "ADLSP_CACHE_DIR": str(cache)}


@contextmanager
def session(folder: Path) -> Iterator[Session]:
    """Starts a kernel in a folder."""
    client = NotebookClient(
        nbformat.v4.new_notebook(),
        timeout=120,
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )
    with client.setup_kernel(env=environment(folder / "cache")):
        client.nb.cells = []
        yield Session(client)
