"""What an editor asks for every second: hovers, and findings and lenses after an edit.

Each answer is measured in files of two lengths with the same number of differentiated functions:
what is remembered by the text of a module costs the same in both.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from adlsp.server import messages
from adlsp.server.answers import Answers
from benchmarks.reporting import duration, table

LENGTHS = (1_000, 10_000)
N_ROOTS = 5
SAMPLES = 15

HEAD = """import adlsp
import numpy as np
from adlsp import rules

rules.constant("logging.info")
"""
FUNCTION = '''
def energy_{number}(x, k):
    """Goes forward through the samples of `x`; linear in none of them."""
    total = 0.0
    for i in range(len(x)):
        step = np.sin(k * x[i])
        if step > 0.0:
            total = total + step * x[i]
        else:
            total = total - x[i] / (1.0 + k)
    scaled = total / {number}.0
    return scaled * np.tanh(k)

'''


def text(n_lines: int) -> str:
    """A module of functions, the first few of which are differentiated."""
    n_functions = n_lines // FUNCTION.count("\n")
    functions = (FUNCTION.format(number=i + 1) for i in range(n_functions))
    asked = (f"adlsp.grad(energy_{i + 1}, ('x', 'k'))\n" for i in range(N_ROOTS))
    return "".join((HEAD, *functions, *asked))


@dataclass
class Editor:
    """A file that is open in an editor, and the answers to what is asked about it."""

    path: str
    written: str
    answers: Answers = field(default_factory=Answers)
    snapshot: messages.Snapshot = field(default_factory=messages.Snapshot)
    edits: count[int] = field(default_factory=count)
    places: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.tell(self.written)

    def tell(self, text: str) -> None:
        """Tells the text that is open now."""
        self.snapshot = self.snapshot.knowing(messages.Text(self.path, text))

    def edit(self) -> None:
        """Changes a line in the middle of a function that is differentiated."""
        changed = f"scaled = total / {next(self.edits)}.5"
        self.tell(self.written.replace("scaled = total / 3.0", changed, 1))

    def edit_and_check(self) -> None:
        """Changes a line and asks for the findings, as editors do first."""
        self.edit()
        self.check()

    def hover(self) -> messages.Answer:
        """Asks what `step` is, always at the same place."""
        return self.answers.answer(messages.Describe(self.path, 11, 10), self.snapshot)

    def hover_elsewhere(self) -> messages.Answer:
        """Asks what `step` is, at places where nothing was asked before."""
        turn, function = divmod(next(self.places), N_ROOTS)
        line = function * FUNCTION.count("\n") + 11
        return self.answers.answer(messages.Describe(self.path, line, 9 + turn), self.snapshot)

    def check(self) -> messages.Answer:
        """Asks for the findings."""
        return self.answers.answer(messages.Check(self.path), self.snapshot)

    def outline(self) -> messages.Answer:
        """Asks for what stands above the functions."""
        return self.answers.answer(messages.Outline(self.path), self.snapshot)

    def nothing(self) -> None:
        """Does nothing."""


def editing() -> str:
    """The time for what is asked in files of several lengths."""
    lines = [["asked of a file of", *(f"{n:,} lines" for n in LENGTHS)]]
    with tempfile.TemporaryDirectory() as folder:
        editors = [Editor(str(Path(folder, f"m{n}.py")), text(n)) for n in LENGTHS]
        for editor in editors:
            editor.check()
            editor.outline()
        for title, before, asked in (
            ("a hover at the same place again", Editor.nothing, Editor.hover),
            ("a hover at another place", Editor.nothing, Editor.hover_elsewhere),
            ("a hover right after an edit", Editor.edit, Editor.hover),
            ("findings after an edit", Editor.edit, Editor.check),
            ("lenses after the findings", Editor.edit_and_check, Editor.outline),
        ):
            lines.append([title, *(duration(_median(e, before, asked)) for e in editors)])
    return "In an editor, processor time:\n\n" + table(lines)


def _median(
    editor: Editor, before: Callable[[Editor], None], asked: Callable[[Editor], messages.Answer]
) -> float:
    """Seconds of the processor for an answer, each time after the same preparation."""
    seconds = []
    for _ in range(SAMPLES):
        before(editor)
        start = time.process_time()
        asked(editor)
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)
