"""Shows adlsp at work on the examples: what `make demo` runs.

Each step is a command that a user could type. A step that ends otherwise than it should ends the
demonstration, and with it `make demo`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Step:
    """A command, what it shows, and the exit status that it should have."""

    title: str
    about: str
    command: str
    status: int = 0


STEPS = (
    Step(
        "What stands in the way of a gradient",
        "Nothing is run or imported: findings come from the text, each at its place.",
        "adlsp check examples",
        status=1,
    ),
    Step(
        "The derivative, as code to read",
        "The gradient of a two-layer classifier's loss; each block names the line it comes from.",
        "adlsp show examples/digits.py::loss",
    ),
    Step(
        "Training with it",
        "1,797 handwritten digits; a fifth of them is held out.",
        "python examples/digits.py",
    ),
    Step(
        "A gradient through a loop that stores into slices",
        "The heat equation backwards: which start led to what was measured?",
        "python examples/heat.py",
    ),
    Step(
        "Stopping in the backward sweep",
        "A debugger session by script, while the classifier trains: h, and the gradient h_bar.",
        "python examples/debug_session.py",
    ),
)


def main() -> int:
    """Runs the steps; gives the exit status of the demonstration."""
    scripts = os.path.dirname(sys.executable)
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ.get("PATH", "")}
    for number, step in enumerate(STEPS, 1):
        print(heading(f"{number}. {step.title}"))
        print(f"{step.about}\n\n$ {step.command}", flush=True)
        status = subprocess.run(step.command.split(), cwd=HOME, env=environment).returncode
        if status != step.status:
            wanted = f"{step.status} was expected"
            print(f"demo: `{step.command}` ended with status {status}; {wanted}", file=sys.stderr)
            return 1
    print(heading("Next"))
    print("make vscode   the same in a real VS Code, in your browser")
    print("make test     all tests")
    return 0


def heading(text: str) -> str:
    """A line that separates the steps."""
    width = min(shutil.get_terminal_size().columns, 100)
    line = f"── {text} ".ljust(width, "─")
    return f"\n\033[1m{line}\033[0m" if sys.stdout.isatty() else f"\n{line}"


if __name__ == "__main__":
    sys.exit(main())
