"""The text around a call of a derivative tells what the arguments are, before any run."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from adlsp import cli, workspace
from adlsp.lint.check import check
from adlsp.lint.settings import Settings
from adlsp.workspace import Workspace

HEAD = "import adlsp\nimport numpy as np\nfrom called_losses import {}\n\n"

PLAIN = """\
import numpy as np


def loss(w, x, rate=0.1, mode="mean"):
    y = np.tanh(x @ w) * rate
    if mode == "mean":
        return np.mean(y)
    return np.sum(y)
"""

OF_PARTS = """\
import numpy as np


def loss(p, xs):
    return sum(np.sum(x @ p["w"] + p["b"]) for x in xs)
"""

BY_VIEWS = """\
import numpy as np


def loss(w, x):
    h = w * 1.0
    h.T[0] += x
    return np.sum(h**2)
"""

OF_OBJECTS = """
import numpy as np

class Dense:
    def __init__(self, n):
        self.w = np.ones((n, 2))
        self.x = None
    def __call__(self, x):
        self.x = x
        return x @ self.w

class Scale:
    def __init__(self, s):
        self.s = s
    def __call__(self, x):
        return self.s * x

class Net:
    def __init__(self, n):
        self.first = Dense(n)
        self.second = Scale(0.5)
        self.layers = [self.first, self.second]
        self.kept = []
        self.act = np.tanh
        self.rng = np.random.default_rng(0)

def loss(net, x):
    for layer in net.layers:
        x = net.act(layer(x))
        net.kept.append(np.sum(x))
    return sum(net.kept)
"""

ANNOTATED = OF_OBJECTS.replace("def loss(net, x)", "@adlsp.differentiable\ndef loss(net: Net, x)")

CALLS = {
    "at the top": (
        PLAIN,
        "w = np.zeros(3)\nx = np.ones((2, 3))\nadlsp.grad(loss)(w, x)\n",
        'w: float64[n], x: float64[m, k], rate: float, mode: "mean"',
    ),
    "by a name, in a function, in a loop": (
        PLAIN,
        "def main(n):\n"
        "    w, x = np.zeros((n, 1)), np.ones((5, n))\n"
        "    gradient = adlsp.value_and_grad(loss)\n"
        "    for _ in range(2):\n"
        '        value, change = gradient(w, x, mode="sum")\n'
        "        w = w - 0.1 * change\n\n\n"
        "main(3)\n",
        "",
    ),
    "with keywords": (
        PLAIN,
        "w = np.zeros((3, 1))\n"
        "adlsp.grad(loss, wrt='x')(x=np.ones((2, 3)), w=w, rate=2, mode='sum')\n",
        'w: float64[n, 1], x: float64[m, k], rate: int, mode: "sum"',
    ),
    "with parts": (
        OF_PARTS,
        "p = {'w': np.zeros((3, 2)), 'b': 0.5}\n"
        "if True:\n    adlsp.grad(loss)(p, [np.ones((4, 3)), np.ones((1, 3))])\n",
        'p: {"w": float64[n, m], "b": float}, xs: [float64[k, d], float64[1, q]]',
    ),
    "with objects": (
        OF_OBJECTS,
        "from called_losses import Net\n\nnet = Net(3)\nadlsp.grad(loss)(net, np.ones((4, 3)))\n",
        "net: called_losses.Net(first=called_losses.Dense(w=float64[n, m], x=None), "
        "second=called_losses.Scale(s=float), layers=[@net.first, @net.second], kept=[], "
        "act=numpy.tanh, rng=?), x: float64[k, d]",
    ),
    "of one shape": (
        BY_VIEWS,
        "w = np.ones((3, 3))\nadlsp.jvp(loss)(w, w[0], dots=(w,))\n",
        "w: float64[n, m], x: float64[k]",
    ),
}


def test_an_object_that_is_promised_is_as_its_constructor_makes_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "called_losses.py").write_text(f"import adlsp\n{ANNOTATED}")
    assert cli.main(["check", "called_losses.py"]) == 0
    text = " ".join(shown(capsys).split())
    assert "second=Scale(s=float), layers=[@net.first, @net.second], kept=[]" in text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "called_losses", raising=False)
    return tmp_path


def written(folder: Path, losses: str, call: str) -> None:
    (folder / "called_losses.py").write_text(losses)
    (folder / "train.py").write_text(HEAD.format("loss") + call)


def shown(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert cli.main(["show", "called_losses.py::loss", *options]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", CALLS)
def test_the_text_is_the_one_that_runs(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    losses, call, signature = CALLS[name]
    written(folder, losses, call)
    before = shown(capsys)
    runpy.run_path(str(folder / "train.py"))
    definition = (
        Workspace().resolver(str(folder / "called_losses.py")).definition("called_losses.loss")
    )
    assert definition is not None
    (recorded,) = workspace.recorded_signatures(definition)
    assert shown(capsys) == shown(capsys, "--signature", recorded)
    if signature:
        assert recorded == signature
        assert before == shown(capsys)
    else:
        assert 'For rate: float, mode: "sum".' in before


@pytest.mark.parametrize(
    "call",
    [
        "adlsp.grad(loss)(*read())\n",
        "adlsp.grad(loss)(read(), read())\n",
        "gradient = adlsp.grad(loss)\ngradient = print\ngradient(np.ones(3), np.ones(3))\n",
        "from functools import partial\nloss = partial(loss, np.ones(3))\n"
        "adlsp.grad(loss)(np.ones(3))\n",
    ],
)
def test_what_the_text_does_not_tell_is_left_open(
    call: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(folder, BY_VIEWS.replace("h.T[0] += x", "h = h + x"), call)
    assert "For " not in shown(capsys)


def test_findings_are_those_of_the_arguments(folder: Path) -> None:
    written(folder, BY_VIEWS, "print(adlsp.grad(loss))\n")
    files = Workspace((str(folder),))
    assert [f.code for f in check(str(folder / "train.py"), files, Settings())] == ["AD303"]
    written(folder, BY_VIEWS, CALLS["of one shape"][1])
    files = Workspace((str(folder),))
    assert check(str(folder / "train.py"), files, Settings()) == ()


TOLD = {
    "by annotations": (
        "from jaxtyping import Float64\nimport numpy as np\n\n\n"
        'def loss(w: Float64[np.ndarray, "n"], x: Float64[np.ndarray, "m n"], k: int = 2):\n'
        "    return np.sum((x @ w) ** k)\n",
        "w, x = np.array([0.5, 2.0]), np.ones((3, 2))\nadlsp.grad(loss)(*(w, x))\n",
        "w: float64[n], x: float64[m, d], k: int",
    ),
    "by an example": (
        "import adlsp\nimport numpy as np\n\nSIZE = 3\n\n\n"
        "@adlsp.differentiable(example=(np.zeros(SIZE), np.ones((2, SIZE))))\n"
        "def loss(w: float, x):\n"
        "    return np.sum(x @ w)\n",
        "w, x = np.ones(3), np.ones((2, 3))\nadlsp.grad(loss, wrt=(0, 1))(*(w, x))\n",
        "w: float64[n], x: float64[m, k]",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_the_function_itself_tells_where_no_call_does(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    losses, call, signature = TOLD[name]
    (folder / "jaxtyping.py").write_text("class Float64:\n    def __class_getitem__(cls, _): ...\n")
    written(folder, losses, call)
    before = shown(capsys)
    runpy.run_path(str(folder / "train.py"))
    assert before == shown(capsys, "--signature", signature) == shown(capsys)


USED = """\
import numpy as np


def loss(x: np.ndarray, k, n, y):
    for i in range(n):
        k = k * x[i, 0]
    return k if k > 0.5 else np.sum(y)
"""


def test_how_a_function_uses_its_parameters_is_assumed_until_it_ran(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(folder, USED, "print(loss)\n")
    assert "Assumes x: float64[m, d], k: float, n: int, by how it uses them." in shown(capsys)
    assert "# y: ?, assumes x: float64[m, d], k: float, n: int\n" in shown(capsys, "--types")
    assert "Assumes" not in shown(capsys, "--signature", "")
    with_some = shown(capsys, "--signature", "k: float")
    assert "For k: float." in with_some
    assert "Assumes" not in with_some
    call = "adlsp.grad(loss, 'k')(np.ones((3, 2)), 2.0, 3, None)\n"
    written(folder, USED, call)
    assert "Assumes" not in shown(capsys)
    runpy.run_path(str(folder / "train.py"))
    assert "Assumes" not in shown(capsys)


def test_an_annotation_that_tells_too_little_is_left_open(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    losses = "import numpy as np\n\n\ndef loss(x: np.ndarray, k=2):\n    return np.sum(x**k)\n"
    written(folder, losses, "print(loss)\n")
    assert "For " not in shown(capsys)


OF_LAYERS = """
import numpy as np

class Dense:
    def __init__(self, n, m):
        self.w = np.random.randn(n, m) * np.sqrt(2.0 / n)
        self.x = None
    def forward(self, x):
        self.x = x
        return np.tanh(x @ self.w)

class ReLU:
    def __init__(self):
        self.mask = None
    def forward(self, x):
        self.mask = x > 0
        return x * self.mask

def square(n):
    return Dense(n, n)

class Net:
    def __init__(self, sizes):
        LAYERS
    def add(self, layer):
        self.layers.append(layer)

def loss(net, x):
    for layer in net.layers:
        x = layer.forward(x)
    return np.sum(x**2)
"""

LAYERS = {
    "a comprehension": "self.layers = [Dense(n, m) for n, m in zip(sizes[:-1], sizes[1:])]",
    "appended": (
        "self.layers = []\n        for i in range(1, len(sizes)):\n"
        "            self.layers.append(Dense(sizes[i - 1], sizes[i]))\n"
        "            if i < len(sizes) - 1:\n                self.layers += [ReLU()]"
    ),
    "by a method": (
        "self.layers = []\n        for n, m in zip(sizes, sizes[1:]):\n"
        "            self.add(Dense(n, m))"
    ),
    "in a while loop": (
        "self.layers, i = [], 0\n        while i < len(sizes) - 1:\n"
        "            self.layers.append(Dense(sizes[i], sizes[i + 1]))\n            i += 1"
    ),
    "in a dictionary": (
        "self.named = {f'l{i}': Dense(sizes[i], sizes[i + 1]) for i in range(2)}\n"
        "        self.layers = list(self.named.values())"
    ),
    "inserted": "self.layers = [Dense(4, 5), Dense(5, 3)]\n        self.layers.insert(1, ReLU())",
    "the same object": "self.layers = [square(4)] * 2\n        self.more = square(4)",
    "by functions": "self.layers = [square(4), square(4)]\n        self.last = self.layers[-1]",
}


@pytest.mark.parametrize("name", LAYERS)
def test_what_constructors_make_in_loops_is_what_runs(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = "from called_losses import Net\n\nnet = Net([4, 5, 3])\n"
    written(
        folder,
        OF_LAYERS.replace("LAYERS", LAYERS[name]),
        f"{call}adlsp.grad(loss)(net, np.ones((6, 4)))\n",
    )
    before = shown(capsys)
    runpy.run_path(str(folder / "train.py"))
    path = str(folder / "called_losses.py")
    definition = Workspace().resolver(path).definition("called_losses.loss")
    assert definition is not None
    (recorded,) = workspace.recorded_signatures(definition)
    assert before == shown(capsys, "--signature", recorded)
    assert "Dense(w=float64" in " ".join(before.split())
