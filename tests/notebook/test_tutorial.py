"""The tutorial in `examples/first_steps.ipynb`, run by a real kernel as Jupyter runs it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from unittest import mock

import nbformat
import pytest
from nbclient import NotebookClient

from tests.notebook.sessions import HOME, Shown, environment, shown

EXAMPLES = HOME / "examples"
TUTORIAL = EXAMPLES / "first_steps.ipynb"

Of = Callable[[str], Shown]


@pytest.fixture(scope="module")
def of(tmp_path_factory: pytest.TempPathFactory) -> Of:
    """What a cell shows: the one that is some text, or the first with it inside."""
    folder = tmp_path_factory.mktemp("tutorial")
    for name in ("digits.py", "softmax.py"):
        shutil.copy(EXAMPLES / name, folder)
    shutil.copytree(EXAMPLES / "data", folder / "data")
    notebook = nbformat.read(TUTORIAL, as_version=4)
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
    with mock.patch.dict(os.environ, environment(folder / "cache")):
        client.execute()

    def of(words: str) -> Shown:
        found = [cell for cell in code(notebook) if words in cell.source]
        return shown(next((cell for cell in found if words == cell.source), found[0]))

    return of


def code(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_it_is_stored_as_it_was_written() -> None:
    notebook = nbformat.read(TUTORIAL, as_version=4)
    assert len(code(notebook)) >= 20
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code(notebook))
    ids = [cell.id for cell in notebook.cells]
    assert ids == [f"step-{number:02}" for number in range(1, len(ids) + 1)]


def test_its_cells_show_what_they_promise(of: Of) -> None:
    assert of("= load()").text == "((1438, 64), (359, 64))"
    assert of("w_bar, b_bar = gradient(").text == "((64, 10), (10,))"
    steps = of("for step in range(60)").printed.splitlines()
    assert [line.partition(":")[0] for line in steps] == ["step 20", "step 40", "step 60"]
    values = [float(line.partition(":")[2]) for line in steps]
    assert values[0] > values[1] > values[2] > 0.0
    assert float(of("def accuracy").printed.rstrip("%\n")) > 90.0
    assert of("functools.partial(").text == "((64, 10), (10,))"


def test_its_derivatives_are_right(of: Of) -> None:
    assert of("push_forward = ").text == "True"
    assert of("curvature = ").text == "True"
    for words in ("check_grads(loss, (w, b, x[:20]", "order=2"):
        assert of(words) == Shown()


def test_what_is_defined_again_counts(of: Of) -> None:
    warm, cold = of("temperature = 2.0").printed, of("temperature = 1.0").printed
    assert float(warm) != float(cold)
    assert float(cold) > 0.0


def test_closures_and_methods_read_what_is_around_them(of: Of) -> None:
    first, second = of("def loss_of(rows)").text.removeprefix("array([").rstrip("])").split(", ")
    assert first != second
    decayed, bare = of("class Classifier").text.removeprefix("array([").rstrip("])").split(", ")
    assert float(decayed) > float(bare)


def test_derivatives_show_themselves(of: Of) -> None:
    for words, name in (("gradient", "loss_grad"), ("%derivative scores", "scores_jvp")):
        html = of(words).html
        assert f"<code>{name}</code>" in html
        assert "Cell In[" in html
        assert "<script" not in html
    assert "def scores_grad(w, b, x, *, out_bar=1.0):" in of("derive(scores).source").printed


def test_errors_say_where_and_why(of: Of) -> None:
    error = of("def clipped").error
    assert "AD301 error: `np.maximum` writes its result into `out` through `out=`" in error
    assert "3 |     np.maximum(w, 0.0, out=out)\n  |                        ^^^^^^^\n" in error
    checked = of("%%check")
    assert "4 |     try:\n  |     ^^^\n" in checked.printed
    assert checked.printed.endswith("Found 1 error: 1 function checked.\n")
    assert checked.error == "The cell was not run."
