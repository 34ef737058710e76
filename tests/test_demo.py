"""`make demo` shows what it says: it is run once, and looked at step by step."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parent.parent / "tools" / "demo.py"


@pytest.fixture(scope="module")
def shown() -> list[str]:
    """What each step of the demonstration prints."""
    done = subprocess.run(
        [sys.executable, str(DEMO)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    _, *steps, _ = re.split(r"^── .*$", done.stdout, flags=re.MULTILINE)
    return steps


def test_findings(shown: list[str]) -> None:
    codes = re.findall(r" (AD\d{3}) error: ", shown[0])
    assert codes == ["AD201", "AD301", "AD401", "AD402", "AD101", "AD103", "AD302", "AD503"]


def test_derivative(shown: list[str]) -> None:
    code = shown[1].partition("digits.py::loss\n")[2]
    compile(code, "derivative", "exec")
    assert "# backward of: h = np.tanh(x @ w1 + b1)" in code


def test_training(shown: list[str]) -> None:
    losses = [float(loss) for loss in re.findall(r"loss (\S+)", shown[2])]
    assert losses == sorted(losses, reverse=True)
    accuracies = re.findall(r"held out (\S+)%", shown[2])
    assert float(accuracies[-1]) > 95


def test_heat(shown: list[str]) -> None:
    first, last = re.findall(r"misfit (\S+) -> (\S+),", shown[3])[0]
    assert float(last) < float(first) / 1000


def test_stop_in_the_backward_sweep(shown: list[str]) -> None:
    assert "stopped: loss_value_and_grad" in shown[4]
    assert "backward of loss, line 25, digits.py" in shown[4]
    assert re.search(r"h_bar  shape \(32, 48\)  norm 0\.\d+", shown[4])


def test_a_step_that_fails_ends_it(tmp_path: Path) -> None:
    home = tmp_path / "tools"
    home.mkdir()
    (home / "demo.py").write_text(DEMO.read_text("utf-8"), "utf-8")
    done = subprocess.run(
        [sys.executable, str(home / "demo.py")], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert "demo: `adlsp check examples` ended with status" in done.stderr
    assert "── 2." not in done.stdout
