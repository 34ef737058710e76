"""Derivatives in a notebook: of functions that its cells define, with what it shows of them."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.notebook.sessions import Session, session

FIRST = """\
import numpy as np
import adlsp
%load_ext adlsp

at = np.array([0.3, 0.8])

def here(w):
    return np.sum(np.sin(w) ** 2)
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with session(tmp_path_factory.mktemp("notebook")) as started:
        assert started.run(FIRST).error == ""
        yield started


@pytest.fixture
def folder(kernel: Session) -> Path:
    return Path(kernel.client.resources["metadata"]["path"])


def is_close(kernel: Session, value: str, expected: str) -> bool:
    return kernel.value(f"bool(np.allclose({value}, {expected}))") == "True"


def test_a_cell_may_import_and_define_at_once(kernel: Session) -> None:
    assert is_close(kernel, "adlsp.grad(here)(at)", "np.sin(2 * at)")


def test_what_is_nested_in_a_cell_is_found(kernel: Session) -> None:
    kernel.value(
        "import numpy as np\ndef make(k):\n    def f(w): return np.sum(w * w) * k\n    return f"
    )
    assert is_close(kernel, "adlsp.grad(make(3.0))(at)", "6 * at")
    assert is_close(kernel, "adlsp.grad(lambda w: np.sum(w * w) * at[0])(at)", "2 * at * at[0]")


def test_helpers_of_other_cells_count_as_they_are_now(kernel: Session) -> None:
    kernel.value("scale = 3.0\ndef helper(w): return np.sin(w) * scale")
    kernel.value("def loss(w):\n    return np.sum(helper(w) ** 2)\ng = adlsp.grad(loss)")
    assert is_close(kernel, "g(at)", "9 * np.sin(2 * at)")
    again = "def helper(w): return np.cos(w) * scale\nseen = g(at)"
    kernel.value(again)
    assert is_close(kernel, "seen", "-9 * np.sin(2 * at)")
    assert is_close(kernel, "g(at)", "-9 * np.sin(2 * at)")
    assert is_close(kernel, "adlsp.grad(loss)(at)", "-9 * np.sin(2 * at)")
    kernel.value("scale = 1.0")
    assert is_close(kernel, "g(at)", "-np.sin(2 * at)")
    assert "np.sin" in kernel.run("print(g.derivative.source)").printed


def test_a_program_that_is_run_is_differentiated(kernel: Session, folder: Path) -> None:
    (folder / "program.py").write_text(
        "import numpy as np\nRATE = 2.0\ndef inner(w):\n    return np.exp(w)\n"
        "def ran(w):\n    return np.sum(inner(w)) * RATE\n"
    )
    assert kernel.run("%run program.py").error == ""
    assert is_close(kernel, "adlsp.grad(ran)(at)", "2 * np.exp(at)")


def test_a_module_that_is_loaded_again_is_differentiated_again(
    kernel: Session, folder: Path
) -> None:
    part = "import numpy as np\ndef part(w):\n    return {}\n"
    text = f"{part}def whole(w):\n    return np.sum(part(w))\n"
    (folder / "edited.py").write_text(text.format("w * w"))
    kernel.value("%load_ext autoreload\n%autoreload 2")
    kernel.value("import edited\nfrom edited import whole\ng_whole = adlsp.grad(whole)")
    assert is_close(kernel, "g_whole(at)", "2 * at")
    (folder / "edited.py").write_text("# an edit\n" + text.format("w * w * w"))
    assert is_close(kernel, "g_whole(at)", "3 * at * at")
    assert is_close(kernel, "adlsp.grad(lambda w: edited.whole(w))(at)", "3 * at * at")
    kernel.value("%autoreload 0")
    (folder / "edited.py").write_text("# another\n# edit\n" + text.format("w"))
    error = kernel.run("adlsp.vjp(whole)").error
    assert "`edited.py` has changed since it was loaded; reload it" in error


def test_rules_of_other_cells_count(kernel: Session) -> None:
    kernel.value("from adlsp import rules\ndef ruled(x): return x * x")
    kernel.value("@rules.elementwise(ruled)\ndef ruled_rule(x): return 100.0 * x")
    kernel.value("def by_rule(w): return np.sum(ruled(w))")
    assert is_close(kernel, "adlsp.grad(by_rule)(at)", "100 * at")


def test_a_timed_cell_is_differentiated_while_it_runs(kernel: Session) -> None:
    defines = "def timed(w):\n    return np.sum(w * w)\n"
    kernel.value(f"%%time\n{defines}t = adlsp.grad(timed)(at), adlsp.grad(lambda w: w @ w)(at)")
    assert is_close(kernel, "t", "2 * at")
    kernel.value("%%time\nt = adlsp.grad(lambda w: np.sum(w ** 3))(at)")
    assert is_close(kernel, "t", "3 * at * at")


def test_what_other_magics_keep_no_text_of_is_told(kernel: Session) -> None:
    kernel.value("%%time\ndef earlier(w):\n    return w * w")
    for cell, magic in (
        ("adlsp.grad(earlier)", "%%time"),
        ("%time adlsp.grad(lambda w: w)", "%time"),
        ("%%timeit -n1 -r1\nadlsp.grad(lambda w: w)", "%%timeit"),
    ):
        helps = f"`{magic}` keeps no text of it; define the function in a cell of its own"
        assert helps in kernel.run(cell).error


# what is shown


class Tags(HTMLParser):
    """The elements of a page; each must be closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def lines(html: str, group: str) -> list[str]:
    """The lines of a page that light up together."""
    rows = html.split('<span class="line')[1:]
    return [row for row in rows if group in row.partition('"')[0].split()]


def test_a_derivative_shows_itself_beside_its_primal(kernel: Session) -> None:
    body = "    h = np.sin(w)\n    return np.sum(h * h)"
    kernel.value(f"def marked(w):\n    '''Has <b>marks</b> & more.'''\n{body}")
    html = kernel.run("adlsp.grad(marked)").html
    tags = Tags(html).seen
    assert {tag for tag, _ in tags} <= {"div", "style", "code", "pre", "span"}
    assert not any(name.startswith("on") or name == "src" for _, given in tags for name in given)
    assert "&lt;b&gt;marks&lt;/b&gt; &amp; more" in html
    assert "<code>marked_grad</code>" in html
    assert "Cell In[" in html
    sines = [each for each in ("g0", "g1", "g2") if "sin" in "".join(lines(html, each))]
    assert len(sines) == 1
    statement = sines[0]
    primal, *derived = lines(html, statement)
    assert "sin" in primal
    assert any("cos" in row for row in derived)
    assert f".adlsp:has(.{statement}:hover) .{statement}" in html


def test_each_kind_of_derivative_shows_itself(kernel: Session) -> None:
    for made in ("adlsp.derive(here)", "adlsp.jvp(here)", "adlsp.grad(adlsp.grad(here))"):
        found = kernel.run(made)
        assert Tags(found.html).seen
        assert "def here_" not in found.error
    derived = kernel.run("adlsp.derive(here)")
    assert "def here_grad(w, *, out_bar=1.0):" in derived.text
    assert kernel.value("adlsp.grad(here)") == "<derivative of here>"
    kernel.run("g = adlsp.grad(here)\ng(1.0)")
    assert kernel.value("g") == "<derivative here_grad of here>"


REFUSED = """\
def refused(w):
    try:
        return np.sum(w * w)
    finally:
        print(w)
"""


def test_a_refused_derivative_shows_its_findings(kernel: Session) -> None:
    kernel.value(REFUSED)
    error = kernel.run("# why\nadlsp.grad(refused)").error
    head, _, found = error.partition("DifferentiationError: `refused` cannot be differentiated\n")
    assert "----> 2 adlsp.grad(refused)" in head
    assert "api.py" not in head
    assert "def grad" not in head
    where, *rest = found.splitlines()
    assert where.startswith("Cell In[")
    assert where.endswith("]:2:5: AD401 error: `try` around active computation cannot be reversed")
    assert rest == ["  |", "2 |     try:", "  |     ^^^"]
    assert "AD401" in kernel.run("adlsp.derive(refused)").html


def test_an_error_in_a_derivative_shows_the_line_of_the_derivative(kernel: Session) -> None:
    error = kernel.run("adlsp.grad(here)('a')").error
    assert "here_grad" in error
    assert "---->" in error
    source = kernel.run("import inspect\nprint(inspect.getsource(adlsp.grad(here)))").printed
    assert source.startswith("def here_grad(w, *, out_bar=1.0):\n")


# the magics


def test_derivative_shows_what_is_asked_for(kernel: Session) -> None:
    kernel.value("def two(w, x): return np.sum(w * x)")
    assert "def two_grad(w, x, *, out_bar=1.0)" in kernel.value("%derivative two --wrt w,x")
    assert "with respect to w, x" in kernel.value("%derivative two --wrt w,x")
    assert "with respect to x" in kernel.value("%derivative two --wrt 1")
    assert "def two_jvp(" in kernel.value("%derivative two --forward")
    assert "def here_grad_grad(" in kernel.value("%derivative here --order 2")
    assert "def lambda_grad(" in kernel.value("%derivative lambda w: two(w, 2.0)")
    assert kernel.run("kept = %derivative two\nprint(kept.name)").printed == "two_grad\n"
    assert "has no parameter `y`; it has `w`, `x`" in kernel.run("%derivative two --wrt y").printed


def test_a_checked_cell_runs_where_nothing_is_found(kernel: Session) -> None:
    found = kernel.run("%%check\nchecked = adlsp.grad(here)(at)\nchecked.shape")
    assert found.printed == "All checks passed: 1 function checked.\n"
    assert found.text == "(2,)"


def test_a_checked_cell_does_not_run_where_an_error_is_found(kernel: Session) -> None:
    kernel.value("def finds(w):\n    return missing_function(w)")
    cell = f"%%check\n{REFUSED}reached = 1\nadlsp.grad(refused)\nadlsp.grad(finds)"
    found = kernel.run(cell)
    assert ":3:5: AD401 error: `try` around" in found.printed
    assert "3 |     try:\n  |     ^^^" in found.printed
    assert ":2:12: AD101 error: `missing_function` is not defined" in found.printed
    assert "Found 2 errors: 2 functions checked." in found.printed
    assert found.error == "The cell was not run."
    assert "NameError" in kernel.run("reached").error


def test_a_checked_cell_counts_as_it_will_be(kernel: Session) -> None:
    """What it defines replaces what the session has; what it does not define is there."""
    kernel.value("def sooner(w):\n    return absent(w)")
    cell = (
        "%%check\ndef sooner(w):\n    return here(w)\ndef with_it(w):\n    return sooner(w)\n1 / 0"
    )
    found = kernel.run(cell)
    assert found.printed == "All checks passed: 2 functions checked.\n"
    assert "----> 6 1 / 0" in found.error


def test_suppressed_findings_of_a_checked_cell_are_not_shown(kernel: Session) -> None:
    cell = (
        "%%check\ndef idle(w, x):  # adlsp: ignore[AD502]\n    return w\nadlsp.grad(idle, wrt=1)\n3"
    )
    found = kernel.run(cell)
    assert "AD502" not in found.printed
    assert found.text == "3"
    assert "AD502" in kernel.run(cell.replace("  # adlsp: ignore[AD502]", "")).printed


def test_a_derivative_names_the_cell_that_it_is_of(kernel: Session) -> None:
    kernel.value("\ndef placed(w): return w * w")
    text = kernel.value("%derivative placed")
    assert text.startswith('"""Derivative of a function of a cell, written by adlsp."""\n')
    assert '"""Gradient of placed (line 1 of a cell) with respect to w."""' in text


def test_what_is_shown_of_a_kept_gradient_is_as_it_is_now(kernel: Session) -> None:
    kernel.value("def inner_now(w): return np.sin(w)")
    kernel.value("def now(w): return np.sum(inner_now(w))\ng_now = adlsp.grad(now)")
    kernel.value("def inner_now(w): return np.exp(w)")
    html = kernel.run("g_now").html
    assert ">exp<" in html
    assert ">sin<" not in html
