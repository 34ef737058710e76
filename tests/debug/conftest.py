from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from .client import Client

PRIMAL = """\
import numpy as np


def loss(x, w):
    h = np.tanh(x @ w)  # @h
    n = 0.5  # @inactive
    for i in range(2):  # @loop
        h = h * 1.5  # @scale
    return np.sum(h * h)  # @out
"""

DERIVATIVE = '''\
"""Made by hand for the tests."""
import numpy as np


def loss_grad(x, w, *, out_bar=1.0):
    # forward
    h = np.tanh(x @ w)  # primal h
    h_tanh = h  # save h
    for i in range(2):  # primal loop
        h = h * 1.5  # primal scale
    # backward
    h_bar = 2 * out_bar * h  # adjoint out
    for i in reversed(range(2)):  # adjoint loop
        h_bar = h_bar * 1.5  # adjoint scale
    a_bar = h_bar * (1 - h_tanh * h_tanh)  # adjoint h
    w_bar = x.T @ a_bar  # adjoint h
    return w_bar
'''

LIBRARY = """\
import json
import re
from pathlib import Path

import numpy as np

from adlsp.runtime import hook

HERE = Path(__file__).parent


def derive(name="loss_grad"):
    text = (HERE / "loss_grad.txt").read_text()
    folder = HERE / "adlsp-derivatives"
    folder.mkdir(exist_ok=True)
    path = folder / (name + ".py")
    if not path.exists():
        path.write_text(text)
    lines = {}
    for number, line in enumerate((HERE / "losses.py").read_text().splitlines(), 1):
        for tag in re.findall(r"# @(\\w+)$", line):
            lines[tag] = number
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        for role, tag in re.findall(r"# (primal|save|adjoint) (\\w+)$", line):
            last = lines["scale"] if tag == "loop" else lines[tag]
            entries.append(
                {
                    "line": number,
                    "role": role,
                    "path": str(HERE / "losses.py"),
                    "primal_line": lines[tag],
                    "primal_end_line": last,
                }
            )
    scope = {}
    exec(compile(text, str(path), "exec"), scope)
    payload = {
        "version": 1, "path": str(path), "name": name, "primal": "losses.loss", "map": entries
    }
    text = json.dumps(payload)
    hook.bind(text)  # @bind
    return scope["loss_grad"]  # @made


x = np.arange(6.0).reshape(3, 2) / 6
w = np.ones((2, 2)) / 2
"""

TRAIN = """\
from library import derive, w, x

grad = derive()
for step in range(2):  # @step
    g = grad(x, w)
    print("step", step, round(float(g.sum()), 6))
print("end")
"""


@dataclass(frozen=True)
class Program:
    """Files of a program whose lines are named by comments such as `# @h`."""

    folder: Path

    @property
    def primal(self) -> str:
        return str(self.folder / "losses.py")

    @property
    def derivative(self) -> str:
        return str(self.folder / "adlsp-derivatives" / "loss_grad.py")

    @property
    def library(self) -> str:
        return str(self.folder / "library.py")

    @property
    def train(self) -> str:
        return str(self.folder / "train.py")

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(textwrap.dedent(text))
        return str(path)

    def line(self, tag: str, name: str = "losses.py") -> int:
        """The line of a primal tag (`@h`), or the first of a derivative's tag (`adjoint h`)."""
        for number, line in enumerate((self.folder / name).read_text().splitlines(), 1):
            if re.search(rf"# @?{tag}$", line):
                return number
        raise LookupError(tag)

    def derived(self, tag: str) -> int:
        return self.line(tag, "loss_grad.txt")


@pytest.fixture
def program(tmp_path):
    """A program that trains with a derivative which it writes and compiles when it runs."""
    made = Program(tmp_path)
    made.write("losses.py", PRIMAL)
    made.write("loss_grad.txt", DERIVATIVE)
    made.write("library.py", LIBRARY)
    made.write("train.py", TRAIN)
    return made


@pytest.fixture
def client():
    """The debug adapter, started as an editor starts it."""
    with Client() as made:
        yield made
