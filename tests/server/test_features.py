"""Features without a process: real answers, given in place of a worker's."""

import asyncio
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest
from lsprotocol import types

from adlsp.server import answers, documents, messages
from adlsp.server.answers import Answers
from adlsp.server.features import code_action, code_lens, derivative, hover
from adlsp.server.features.diagnostics import Findings
from adlsp.server.session import Capabilities, Session
from adlsp.server.worker import WorkerError
from adlsp.transform.diagnostics import catalogue, mutation

CARETS = re.compile(r"^#(\s*)(\^+)\s+(.*)$")


@dataclass
class LocalWorker:
    """Answers in this process, after a moment, as a worker does; `gate` makes it a long one."""

    answers: Answers = field(default_factory=Answers)
    snapshot: messages.Snapshot = field(default_factory=messages.Snapshot)
    fails: bool = False
    gate: asyncio.Event | None = None

    def tell(self, told):
        self.snapshot = self.snapshot.knowing(told)

    async def ask(self, question):
        snapshot = self.snapshot
        await asyncio.sleep(0)
        if self.gate is not None:
            await self.gate.wait()
        if self.fails:
            raise WorkerError("it is broken")
        return self.answers.answer(question, snapshot)


@dataclass
class Screen:
    """What the client was shown."""

    published: list = field(default_factory=list)
    refreshed: list = field(default_factory=list)
    warnings: list = field(default_factory=list)
    n_pulls_wanted: int = 0

    def publish(self, uri, version, items):
        self.published.append((uri, version, [item.code for item in items]))

    def refresh_content(self, uri):
        self.refreshed.append(uri)

    def refresh_diagnostics(self):
        self.n_pulls_wanted += 1

    def log(self, text):
        raise AssertionError(text)

    def warn(self, text):
        self.warnings.append(text)


class Editor:
    """A session with documents open in it."""

    def __init__(self, folder: Path, **capabilities):
        self.folder = folder
        self.screen = Screen()
        self.session = Session(self.screen, LocalWorker())
        self.session.capabilities = Capabilities(**capabilities)
        self.findings = Findings(self.session)
        self.tell(messages.Folders((str(folder),)))

    def tell(self, told):
        self.session.worker.tell(told)

    def open(self, name, text):
        uri = (self.folder / name).as_uri()
        document = self.session.documents.open(uri, "python", 1, text)
        self.tell(messages.Text(document.path, text))
        self.findings.opened(document)
        return document

    def change(self, document, text):
        before = self.session.documents.get(document.uri)
        after = self.session.documents.change(document.uri, before.version + 1, text)
        self.tell(messages.Text(after.path, text))
        self.findings.changed(after)
        return after

    def close(self, document):
        closed = self.session.documents.close(document.uri)
        self.tell(messages.Text(closed.path, None))
        self.findings.closed(closed)

    def save(self, document):
        self.findings.saved(self.session.documents.get(document.uri))

    async def rest(self):
        """Waits until nothing is under way."""
        for _ in range(100):
            tasks = [task for task in self.findings._tasks.values() if not task.done()]
            if not tasks:
                return
            await asyncio.wait(tasks)
        raise AssertionError("it never comes to rest")


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


def marked(text):
    """The text without its caret comments, and what they mark.

    An emoji is two columns wide on the screen and two units of UTF-16, so carets stand below what
    they mark.
    """
    lines, marks = [], []
    for line in text.splitlines():
        caret = CARETS.match(line)
        if caret is None:
            lines.append(line)
            continue
        start = 1 + len(caret[1])
        row = len(lines) - 1
        where = types.Range(types.Position(row, start), types.Position(row, start + len(caret[2])))
        marks.append((where, caret[3]))
    return "\n".join(lines) + "\n", marks


def at(document, where):
    return {
        "text_document": types.TextDocumentIdentifier(document.uri),
        "position": where.start,
    }


FINDINGS = """\
import adlsp
import numpy as np


def step(a, b):
    name = "😀"; np.add(a, b, out=a)
#                             ^^^^^ AD301
    return np.sum(a)


gradient = adlsp.grad(step)
"""
TEXT, MARKS = marked(FINDINGS)
FIXED = TEXT.replace("np.add(a, b, out=a)", "a = np.add(a, b)")

CALLER = """\
import adlsp
from library import step


def loss(a, b):
    return step(a, b)


gradient = adlsp.grad(loss)
"""
LIBRARY = TEXT.replace("gradient = adlsp.grad(step)", "").replace(
    "np.add", "a = np.copy(a); np.add"
)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ADLSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(documents, "PAUSE", 0.01)


def pull(editor, document, known=None):
    identifier = types.TextDocumentIdentifier(document.uri)
    params = types.DocumentDiagnosticParams(identifier, previous_result_id=known)
    return editor.findings.pull(params)


# findings


def test_findings_are_published_at_their_places_with_the_version(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", TEXT)
        await editor.rest()
        assert editor.screen.published == [(document.uri, 1, ["AD301"])]
        (shown,) = editor.findings.board.about(document.path)
        assert [(shown.range, shown.code)] == MARKS

    run(scenario())


def test_an_edit_is_analyzed_after_a_pause_and_a_save_at_once(tmp_path, monkeypatch):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", TEXT)
        await editor.rest()
        editor.change(document, FIXED)
        await editor.rest()
        assert editor.screen.published[1:] == [(document.uri, 2, [])]
        monkeypatch.setattr(documents, "PAUSE", 3600.0)
        editor.change(document, TEXT)
        editor.save(document)
        await editor.rest()
        assert editor.screen.published[2:] == [(document.uri, 3, ["AD301"])]

    run(scenario())


def test_nothing_is_published_about_a_text_that_is_gone(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", TEXT)
        for count in range(30):
            document = editor.change(document, [TEXT, FIXED][count % 2])
            if count % 7 == 0:
                editor.save(document)
            before = len(editor.screen.published)
            for _ in range(count % 4):
                await asyncio.sleep(0)
            for uri, version, _ in editor.screen.published[before:]:
                assert (uri, version) == (document.uri, document.version)
        await editor.rest()
        assert editor.screen.published[-1] == (document.uri, 31, [])

    run(scenario())


def test_a_finding_in_a_called_file_is_shown_there(tmp_path):
    async def scenario():
        (tmp_path / "library.py").write_text(LIBRARY, encoding="utf-8")
        editor = Editor(tmp_path)
        caller = editor.open("a.py", CALLER)
        await editor.rest()
        uri = (tmp_path / "library.py").as_uri()
        assert sorted(editor.screen.published) == [(caller.uri, 1, []), (uri, None, ["AD301"])]

        library = editor.open("library.py", LIBRARY)
        await editor.rest()
        assert editor.screen.published[-1] == (uri, 1, ["AD301"])
        del editor.screen.published[:]
        editor.change(library, FIXED)
        await editor.rest()
        assert (uri, 2, []) in editor.screen.published
        assert not any("AD301" in codes for _, _, codes in editor.screen.published)

        del editor.screen.published[:]
        editor.change(editor.session.documents.get(uri), LIBRARY)
        await editor.rest()
        assert editor.screen.published[-1] == (uri, 3, ["AD301"])
        editor.session.documents.close(caller.uri)
        editor.findings.closed(caller)
        assert (uri, 3, []) in editor.screen.published
        assert editor.screen.published[-1] == (caller.uri, None, [])

    run(scenario())


def test_an_analysis_is_done_again_when_a_file_that_it_read_changes_meanwhile(tmp_path):
    async def scenario():
        editor = Editor(tmp_path, pulls_diagnostics=True)
        library = editor.open("library.py", LIBRARY)
        await editor.rest()
        caller = editor.open("a.py", CALLER)
        gate = editor.session.worker.gate = asyncio.Event()
        pulled = asyncio.create_task(pull(editor, caller))
        for _ in range(10):
            await asyncio.sleep(0)
        editor.session.worker.gate = None
        editor.change(library, FIXED)
        gate.set()
        await pulled
        uri = library.uri
        report = await pull(editor, editor.session.documents.get(uri))
        assert list(report.items) == []
        await editor.rest()
        assert editor.findings.board.about(library.path) == []

    run(scenario())


def test_a_file_is_not_shown_with_half_of_its_findings(tmp_path, monkeypatch):
    async def scenario():
        editor = Editor(tmp_path)
        caller = editor.open("a.py", CALLER)
        library = editor.open("library.py", LIBRARY)
        await editor.rest()
        del editor.screen.published[:]
        monkeypatch.setattr(documents, "PAUSE", 3600.0)
        editor.change(library, f"{LIBRARY}\ndef half(:\n")
        editor.save(caller)
        await editor.findings._tasks[caller.uri]
        assert editor.screen.published == [(caller.uri, 1, [])]
        editor.save(library)
        await editor.rest()
        (codes,) = (codes for uri, _, codes in editor.screen.published if uri == library.uri)
        assert sorted(codes) == ["AD100", "AD301"]

    run(scenario())


def test_a_pull_is_answered_for_the_text_at_its_end(tmp_path):
    async def scenario():
        editor = Editor(tmp_path, pulls_diagnostics=True)
        document = editor.open("a.py", TEXT)
        gate = editor.session.worker.gate = asyncio.Event()
        pulled = asyncio.create_task(pull(editor, document))
        for _ in range(10):
            await asyncio.sleep(0)
        editor.session.worker.gate = None
        editor.change(document, FIXED)
        gate.set()
        assert list((await pulled).items) == []

    run(scenario())


def test_two_files_that_call_each_other_are_analyzed(tmp_path):
    async def scenario():
        ping = "from b import pong\n\n\ndef ping(x):\n    return pong(x)\n"
        pong = "import adlsp\nfrom a import ping\n\n\ndef pong(x):\n    return ping(x)\n\n\n"
        editor = Editor(tmp_path)
        first = editor.open("a.py", ping)
        second = editor.open("b.py", pong + "gradient = adlsp.grad(pong)\n")
        await editor.rest()
        assert {uri for uri, _, _ in editor.screen.published} == {first.uri, second.uri}

    run(scenario())


@pytest.mark.parametrize(
    ("name", "language"),
    [("adlsp-derivatives/f_grad.0123.py", "python"), ("notes.txt", "plaintext")],
)
def test_what_is_not_the_users_python_is_left_in_peace(tmp_path, name, language):
    async def scenario():
        editor = Editor(tmp_path)
        uri = (tmp_path / name).as_uri()
        document = editor.session.documents.open(uri, language, 1, TEXT)
        editor.findings.opened(document)
        await editor.rest()
        assert editor.screen.published == []
        assert (await pull(editor, document)).items == ()

    run(scenario())


def test_a_failure_of_the_worker_is_a_finding(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        editor.session.worker.fails = True
        document = editor.open("a.py", TEXT)
        await editor.rest()
        assert editor.screen.published == [(document.uri, 1, ["AD900"])]
        editor.session.worker.fails = False
        editor.change(document, FIXED)
        await editor.rest()
        assert editor.screen.published[1:] == [(document.uri, 2, [])]

    run(scenario())


def test_settings_that_make_no_sense_are_told_once(tmp_path):
    async def scenario():
        (tmp_path / "pyproject.toml").write_text("[tool.adlsp]\nselekt = []\n")
        editor = Editor(tmp_path)
        editor.open("a.py", TEXT)
        document = editor.open("b.py", TEXT)
        await editor.rest()
        assert len(editor.screen.warnings) == 1
        assert "selekt" in editor.screen.warnings[0]
        assert (document.uri, 1, ["AD301"]) in editor.screen.published
        (tmp_path / "pyproject.toml").write_text("[tool.adlsp]\nexclude = ['b.py']\n")
        editor.tell(messages.Invalidate())
        editor.findings.everything_changed()
        await editor.rest()
        assert editor.screen.published[-1] == (document.uri, 1, [])

    run(scenario())


def test_a_client_may_pull_instead(tmp_path):
    async def scenario():
        (tmp_path / "library.py").write_text(LIBRARY, encoding="utf-8")
        editor = Editor(tmp_path, pulls_diagnostics=True, refreshes_diagnostics=True)
        document = editor.open("a.py", TEXT)
        report = await pull(editor, document)
        assert [item.code for item in report.items] == ["AD301"]
        again = await pull(editor, document, report.result_id)
        assert again.kind == "unchanged"
        editor.change(document, CALLER)
        report = await pull(editor, document, report.result_id)
        assert list(report.items) == []
        uri = (tmp_path / "library.py").as_uri()
        assert [item.code for item in report.related_documents[uri].items] == ["AD301"]
        await editor.rest()
        editor.open("library.py", FIXED)
        await editor.rest()
        assert editor.screen.n_pulls_wanted > 0
        report = await pull(editor, document)
        assert (list(report.items), report.related_documents) == ([], None)
        assert editor.screen.published == []

    run(scenario())


# fixes


def actions(editor, document, where, only=None):
    identifier = types.TextDocumentIdentifier(document.uri)
    params = types.CodeActionParams(identifier, where, types.CodeActionContext([], only=only))
    return code_action.code_actions(editor.session, params)


def applied(editor, document, action):
    (change,) = action.edit.document_changes
    assert change.text_document.version == document.version
    text = document.text
    for edit in reversed(change.edits):
        partial = types.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text)
        text = editor.session.converter.edited(text, [partial])
    return text


def test_a_finding_brings_its_fix(tmp_path):
    async def scenario():
        editor = Editor(tmp_path, edits_versions=True)
        needless = FIXED.replace("a = np.add(a, b)", "a = np.add(a, b)  # adlsp: ignore[AD301]")
        document = editor.open("a.py", needless)
        await editor.rest()
        (found,) = editor.findings.board.about(document.path)
        assert found.code == "AD901"
        (fix,) = await actions(editor, document, found.range)
        assert fix.is_preferred
        assert fix.title == found.data["fix"]["title"]
        assert applied(editor, document, fix) == FIXED

    run(scenario())


TWO_SORTS = """\
import adlsp
import numpy as np


def f(x, z):
    y = np.zeros(3)
    np.add(x, 1, out=y)
    np.add(y, 1, out=z)
    np.add(z, 1, out=y)
    return np.sum(y)


adlsp.grad(f)
"""


def test_only_safe_fixes_are_preferred_and_applied_on_saving(tmp_path):
    async def scenario():
        editor = Editor(tmp_path, edits_versions=True)
        document = editor.open("a.py", TWO_SORTS)
        await editor.rest()
        everywhere = types.Range(types.Position(0, 0), types.Position(20, 0))
        offered = [a for a in await actions(editor, document, everywhere) if "=" in a.title]
        assert [(a.title, a.is_preferred) for a in offered] == [
            ("Store the result: `y[...] = …`", True),
            ("Store the result: `z[...] = …` (unsafe)", False),
            ("Store the result: `y[...] = …`", True),
        ]
        start = types.Range(types.Position(0, 0), types.Position(0, 0))
        for kind in ("source", "source.fixAll", "source.fixAll.adlsp"):
            (whole,) = await actions(editor, document, start, [kind])
            assert whole.kind == "source.fixAll.adlsp"
            stored = TWO_SORTS.replace("np.add(x, 1, out=y)", "y[...] = np.add(x, 1)")
            stored = stored.replace("np.add(z, 1, out=y)", "y[...] = np.add(z, 1)")
            assert applied(editor, document, whole) == stored
        for kind in ("source.organizeImports", "source.fixAll.other", "refactor"):
            assert await actions(editor, document, start, [kind]) == []

    run(scenario())


def test_a_finding_can_be_suppressed(tmp_path):
    async def scenario():
        editor = Editor(tmp_path, edits_versions=True)
        document = editor.open("a.py", TEXT)
        await editor.rest()
        (found,) = editor.findings.board.about(document.path)
        suppress = (await actions(editor, document, found.range))[-1]
        assert not suppress.is_preferred
        assert suppress.title == "suppress: # adlsp: ignore[AD301]"
        text = applied(editor, document, suppress)
        assert text == TEXT.replace("out=a)", "out=a)  # adlsp: ignore[AD301]")
        editor.change(document, text)
        await editor.rest()
        assert editor.screen.published[-1] == (document.uri, 2, [])
        elsewhere = types.Range(types.Position(0, 0), types.Position(0, 3))
        assert await actions(editor, editor.session.documents.get(document.uri), elsewhere) == []

    run(scenario())


def test_findings_in_other_files_are_mended_there(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        library = editor.open("library.py", LIBRARY)
        caller = editor.open("a.py", CALLER)
        await editor.rest()
        everywhere = types.Range(types.Position(0, 0), types.Position(99, 0))
        assert await actions(editor, caller, everywhere) == []
        assert editor.findings.board.about(library.path)

    run(scenario())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = 1", "x = 1  # adlsp: ignore[AD301]"),
        ("x = 1   ", "x = 1  # adlsp: ignore[AD301]"),
        ("x = 1  # why", "x = 1  # why  # adlsp: ignore[AD301]"),
        ("x = 1  # adlsp: ignore[AD502]", "x = 1  # adlsp: ignore[AD502, AD301]"),
        ("x = 1  # adlsp: ignore[]", "x = 1  # adlsp: ignore[AD301]"),
        ('x = """abc', None),
        ("x = 1 + \\", None),
    ],
)
def test_a_suppression_goes_where_a_comment_can_stand(line, expected):
    document = documents.Document("file:///a.py", "a.py", 1, f"\n{line}\r\nnext", True)
    edit = code_action.suppression(document, 2, "AD301")
    if expected is None:
        assert edit is None
        return
    start, end = edit.span.column - 1, edit.span.end_column - 1
    assert line[:start] + edit.text + line[end:] == expected


# hover and lenses


def test_a_hover_describes_what_is_under_the_cursor(tmp_path):
    text, ((where, word),) = marked(
        "import adlsp\n"
        "import numpy as np\n\n\n"
        "def f(x):\n"
        '    y = "😀"; z = np.sin(x); return z\n'
        "#             ^ z\n\n\n"
        "adlsp.grad(f)\n"
    )

    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", text)
        shown = await hover.hover(editor.session, types.HoverParams(**at(document, where)))
        assert shown.range == where
        assert f"`{word}`" in shown.contents.value
        nowhere = types.Range(types.Position(2, 0), types.Position(2, 0))
        assert await hover.hover(editor.session, types.HoverParams(**at(document, nowhere))) is None

    run(scenario())


def test_a_hover_is_never_about_an_older_text(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", TEXT)
        where = types.Range(types.Position(4, 4), types.Position(4, 4))
        params = types.HoverParams(**at(document, where))
        asked = asyncio.create_task(hover.hover(editor.session, params))
        await asyncio.sleep(0)
        editor.change(document, "\n" + TEXT)
        assert await asked is None

    run(scenario())


def test_what_was_asked_is_worked_out_again_only_after_a_change(tmp_path, monkeypatch):
    worked_out = []
    describe = answers.described

    def counting(question, *rest):
        worked_out.append(question)
        return describe(question, *rest)

    monkeypatch.setattr(answers, "described", counting)

    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", TEXT)
        where = types.Range(types.Position(4, 4), types.Position(4, 4))
        params = types.HoverParams(**at(document, where))
        first = await hover.hover(editor.session, params)
        assert first is not None
        assert await hover.hover(editor.session, params) == first
        assert len(worked_out) == 1
        editor.change(document, TEXT.replace("out=a", "where=a > 0"))
        assert await hover.hover(editor.session, params) != first
        assert len(worked_out) == 2
        editor.tell(messages.Invalidate())
        await hover.hover(editor.session, params)
        assert len(worked_out) == 3

    run(scenario())


PROJECT = {
    "layers.py": (
        "import numpy as np\n\n\n"
        "def smooth(x, n):\n"
        "#   ^ with respect to `x`.\n"
        "#   ^ It is differentiated in `run.py`, line 4 as a part of `loss`.\n"
        "    y = x * n\n"
        "#   ^ It is differentiated in `run.py`, line 4 as a part of `loss`.\n"
        "    return y\n\n\n"
        "def outer(x):\n"
        "    return np.sum(smooth(x, 3))\n\n\n"
        "def unused(x):\n"
        "#   ^ No call of `adlsp.grad`\n"
        "    return x\n"
    ),
    "model.py": "from layers import outer\n\n\ndef loss(x):\n    return outer(x)\n",
    "physics.py": (
        "import adlsp\n\n\n"
        "@adlsp.differentiable(wrt=('u', 'k'))\n"
        "def misfit(u, k, measured):\n"
        "    return u * k - measured\n"
    ),
    "run.py": (
        "import adlsp\n"
        "import model\n"
        "from physics import misfit\n"
        "gradient = adlsp.grad(model.loss)\n"
        "#                           ^ with respect to `x`.\n"
        "print(misfit(1.0, 2.0, 3.0))\n"
        "#     ^ with respect to `u`, `k`.\n"
        "#     ^ It is differentiated in `physics.py`, line 4.\n"
    ),
}


@pytest.mark.parametrize("name", ["layers.py", "run.py"])
def test_a_hover_tells_who_differentiates_in_other_files(tmp_path, name):
    for each, text in PROJECT.items():
        (tmp_path / each).write_text(marked(text)[0], encoding="utf-8")
    text, places = marked(PROJECT[name])

    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open(name, text)
        for where, words in places:
            shown = await hover.hover(editor.session, types.HoverParams(**at(document, where)))
            assert words in shown.contents.value

    assert len(places) > 2
    run(scenario())


def test_roots_have_lenses(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", FIXED + "\n\ndef other(x):\n    return x\n")
        params = types.CodeLensParams(types.TextDocumentIdentifier(document.uri))
        lenses = await code_lens.code_lens(editor.session, params)
        arguments = [{"uri": document.uri, "function": "step"}]
        assert [(each.command.title, each.command.command) for each in lenses] == [
            ("open derivative", "adlsp.openDerivative"),
            ("show adjoint", "adlsp.showAdjoint"),
        ]
        assert all(each.command.arguments == arguments for each in lenses)
        assert all(each.range.start == types.Position(4, 4) for each in lenses)

        document = editor.change(document, TEXT)
        (lens,) = await code_lens.code_lens(editor.session, params)
        assert lens.command.title == "no derivative: 1 finding"
        editor.change(document, TEXT.replace("out=a)", "out=a)  # adlsp: ignore[AD301]"))
        (lens,) = await code_lens.code_lens(editor.session, params)
        assert lens.command.title == "no derivative"
        assert lens.command.command == "adlsp.showAdjoint"

    run(scenario())


MODEL = """\
import numpy as np


def loss(w, b, x):
    return np.sum(np.tanh(x @ w + b))
"""
TRAIN = """\
import adlsp
from model import loss

gradient = adlsp.value_and_grad(loss, wrt=("w", "b"))
"""


def test_what_another_file_differentiates_is_shown_where_it_is_defined(tmp_path):
    async def titles(editor, document):
        params = types.CodeLensParams(types.TextDocumentIdentifier(document.uri))
        lenses = await code_lens.code_lens(editor.session, params)
        return [lens.command.title for lens in lenses]

    async def sentences(editor, document):
        where = types.Range(types.Position(3, 4), types.Position(3, 4))
        shown = await hover.hover(editor.session, types.HoverParams(**at(document, where)))
        return shown.contents.value

    async def scenario():
        editor = Editor(tmp_path)
        model = editor.open("model.py", MODEL)
        assert await titles(editor, model) == []
        assert "No call of `adlsp.grad`" in await sentences(editor, model)
        train = editor.open("train.py", TRAIN)
        expected = ["open derivative", "show adjoint", "differentiated in train.py, line 4"]
        assert await titles(editor, model) == expected
        assert "with respect to `w`, `b`." in await sentences(editor, model)
        assert "It is differentiated in `train.py`, line 4." in await sentences(editor, model)

        train = editor.change(train, TRAIN.replace("gradient =", "\ngradient ="))
        assert (await titles(editor, model))[-1] == "differentiated in train.py, line 5"
        editor.change(train, "from model import loss\n")
        assert await titles(editor, model) == []
        broken = MODEL.replace("    return", "    np.add(w, b, out=w)\n    return")
        model = editor.change(model, broken)
        editor.change(editor.session.documents.get(train.uri), TRAIN)
        assert await titles(editor, model) == ["no derivative: 1 finding"]

    run(scenario())


TRAINER = """\
import adlsp


def fit(loss, w, b, x):
    gradient = adlsp.grad(loss)
    return gradient(w, b, x)
"""
RUN = """\
import model
import trainer

trainer.fit(model.loss, 1.0, 2.0, 3.0)
"""
KEEPER = """\
import adlsp


class Trainer:
    def __init__(self, loss):
        self.loss = loss

    def fit(self, w, b, x):
        return adlsp.grad(self.loss)(w, b, x)
"""
KEEP = RUN.replace("trainer.fit(model.loss, ", "trainer.Trainer(model.loss).fit(")
CAREFUL = """

class Careful(Trainer):
    def __init__(self, limit, loss):
        super().__init__(loss)
"""
INHERIT = KEEP.replace("Trainer(model.loss)", "Careful(3, model.loss)")
DATA = """\
import adlsp
from dataclasses import dataclass


@dataclass
class Trainer:
    rate: float
    loss: object

    def fit(self, w, b, x):
        return adlsp.grad(self.loss)(w, b, x)
"""
FIELD = KEEP.replace("Trainer(model.loss)", "Trainer(0.1, model.loss)")
SET = """\
import model
import trainer
made = trainer.Trainer(None)
made.loss = model.loss
"""


@pytest.mark.parametrize(
    ("trainer", "joining"),
    [
        (TRAINER, RUN),
        (KEEPER, KEEP),
        (KEEPER + CAREFUL, INHERIT),
        (DATA, FIELD),
        (KEEPER, SET),
    ],
    ids=["given", "kept", "inherited", "field", "set"],
)
def test_what_is_handed_to_a_function_that_differentiates_it_is_shown(tmp_path, trainer, joining):
    """One file defines it, another differentiates what it is given, a third joins both."""

    async def shown(editor, document):
        params = types.CodeLensParams(types.TextDocumentIdentifier(document.uri))
        lenses = await code_lens.code_lens(editor.session, params)
        where = types.Range(types.Position(3, 4), types.Position(3, 4))
        said = await hover.hover(editor.session, types.HoverParams(**at(document, where)))
        return [lens.command.title for lens in lenses], said.contents.value

    async def scenario():
        editor = Editor(tmp_path)
        model = editor.open("model.py", MODEL)
        editor.open("trainer.py", trainer)
        titles, said = await shown(editor, model)
        assert titles == []
        assert "No call of `adlsp.grad`" in said
        joined = editor.open("run.py", joining)
        titles, said = await shown(editor, model)
        assert titles[-1] == "differentiated in run.py, line 4"
        assert "It is differentiated in `run.py`, line 4." in said
        editor.change(joined, joining.replace("model.loss", "print"))
        assert (await shown(editor, model))[0] == []

    run(scenario())


MODELS = """\
def loss(x):
    return helper(x)


def helper(x):
    try:
        return x * x
    except ValueError:
        return x
"""
CALLING = "import adlsp\nimport library\n\ngradient = adlsp.grad(library.loss)\n"


def test_findings_come_from_calls_in_files_that_are_not_open(tmp_path):
    async def scenario():
        run_file = tmp_path / "run.py"
        run_file.write_text(CALLING, encoding="utf-8")
        editor = Editor(tmp_path)
        library = editor.open("library.py", MODELS)

        async def shown():
            await editor.rest()
            return [codes for uri, _, codes in editor.screen.published if uri == library.uri][-1]

        assert await shown() == ["AD401"]
        (item,) = editor.findings.board.about(library.path)
        (related,) = item.related_information
        assert (related.message, related.location.uri) == (
            "differentiated here",
            run_file.as_uri(),
        )
        assert related.location.range.start.line == 3

        caller = editor.open("run.py", CALLING)
        assert await shown() == ["AD401"]
        caller = editor.change(caller, "import adlsp\nimport library\n")
        assert await shown() == []
        editor.close(caller)
        assert await shown() == ["AD401"]

        run_file.write_text("import library\n", encoding="utf-8")
        editor.tell(messages.Invalidate())
        editor.findings.everything_changed()
        assert await shown() == []

    run(scenario())


def test_findings_of_a_function_with_an_unreadable_callee_say_so(tmp_path):
    async def scenario():
        (tmp_path / "library.py").write_text("def step(a, b):\n    return (a\n", encoding="utf-8")
        editor = Editor(tmp_path)
        caller = editor.open("a.py", CALLER)
        await editor.rest()
        assert editor.screen.published == [(caller.uri, 1, ["AD102"])]
        (tmp_path / "library.py").write_text(
            "from scipy.special import lpmv as step\n", encoding="utf-8"
        )
        editor.tell(messages.Invalidate())
        editor.findings.everything_changed()
        await editor.rest()
        assert editor.screen.published[-1] == (caller.uri, 1, ["AD103"])

    run(scenario())


# derivatives


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({}, "loss_value_and_grad"),
        ({"mode": "reverse"}, "loss_value_and_grad"),
        ({"mode": "forward"}, "loss_jvp"),
        ({"order": 2}, "loss_grad_grad"),
        ({"order": "2", "mode": "forward"}, "loss_grad_jvp"),
        ({"stage": "raw"}, "loss_value_and_grad"),
    ],
)
def test_derivatives_of_each_mode_and_order(tmp_path, more, name):
    async def scenario():
        editor = Editor(tmp_path)
        model = editor.open("model.py", MODEL)
        editor.open("train.py", TRAIN)
        asked = {"uri": model.uri, "function": "loss", **more}
        answer = await derivative.derivative(editor.session, asked)
        assert f"def {name}(w, b, x, *" in answer["text"]
        query = urlencode(asked)
        address = f"adlsp-derivative:/loss_adjoint.py?{query}"
        assert await derivative.content(editor.session, address) == answer["text"]
        assert Path(answer["path"]).read_text(encoding="utf-8") == answer["text"]

    run(scenario())


@pytest.mark.parametrize("stage", ["ir", "canonical", "facts"])
def test_stages_before_a_derivative_are_documents_without_a_file(tmp_path, stage):
    async def scenario():
        editor = Editor(tmp_path)
        model = editor.open("model.py", MODEL)
        asked = {"uri": model.uri, "function": "loss", "stage": stage}
        answer = await derivative.derivative(editor.session, asked)
        assert "def loss(w, b, x" in answer["text"]
        assert ("# with respect to w" in answer["text"]) == (stage == "facts")
        assert (answer["path"], answer["map"], answer["findings"]) == (None, [], [])
        address = f"adlsp-derivative:/loss.{stage}?{urlencode(asked)}"
        assert await derivative.content(editor.session, address) == answer["text"]
        editor.change(model, MODEL.replace("tanh", "sinh"))
        assert "numpy.sinh" in await derivative.content(editor.session, address)

    run(scenario())


def test_what_has_no_derivative_has_stages_before_it(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open(
            "a.py", "def f(x):\n    try:\n        return x\n    finally:\n        x\n"
        )
        asked = {"uri": document.uri, "function": "f", "stage": "ir"}
        answer = await derivative.derivative(editor.session, asked)
        assert "def f(x) in a:" in answer["text"]
        assert [each.code for each in answer["findings"]] == ["AD401"]
        address = f"adlsp-derivative:/f.ir?{urlencode(asked)}"
        assert await derivative.content(editor.session, address) == answer["text"]

    run(scenario())


def test_a_derivative_comes_with_its_file_and_its_map(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", FIXED)
        params = {"uri": document.uri, "function": "step"}
        answer = await derivative.derivative(editor.session, params)
        assert Path(answer["path"]).read_text(encoding="utf-8") == answer["text"]
        assert "adlsp-derivatives" in answer["path"]
        assert answer["findings"] == []
        n_lines = len(answer["text"].splitlines())
        assert answer["map"]
        for each in answer["map"]:
            assert 1 <= each["line"] <= n_lines
            assert each["primal"]["uri"] == document.uri
            assert 4 <= each["primal"]["range"]["start"]["line"] <= 7
        place = {"uri": document.uri, "position": {"line": 6, "character": 2}}
        assert await derivative.derivative(editor.session, place) == answer
        both = await derivative.derivative(editor.session, {**params, "wrt": ["a", "b"]})
        assert both["path"] != answer["path"]

    run(scenario())


INSIDE = """\
import adlsp

class Model:
    def loss(self, w):
        return w * w

def train(x):
    def loss(w):
        return w * x
    adlsp.grad(loss), adlsp.grad(lambda a: a * x), adlsp.grad(lambda b: b + x)
    return adlsp.grad(Model().loss)
"""


INSIDE_PLACES = [
    (4, 18, "Model.loss", "def loss_grad(self, w, *, out_bar=1.0)"),
    (8, 10, "train.<locals>.loss", "def loss_grad(w, *, x, out_bar=1.0)"),
    (9, 46, "train.<locals>.<lambda:10:33>", "def lambda_grad(a, *, x, out_bar=1.0)"),
    (9, 70, "train.<locals>.<lambda:10:62>", "def lambda_grad(b, *, x, out_bar=1.0)"),
]


def test_functions_in_others_have_lenses_and_derivatives(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("inside.py", INSIDE)
        params = types.CodeLensParams(types.TextDocumentIdentifier(document.uri))
        lenses = await code_lens.code_lens(editor.session, params)
        named = dict.fromkeys(each.command.arguments[0]["function"] for each in lenses)
        assert list(named) == [f"inside.{name}" for _, _, name, _ in INSIDE_PLACES]
        for line, column, name, shown in INSIDE_PLACES:
            place = {"line": line, "character": column}
            for more in ({"position": place}, {"function": f"inside.{name}"}):
                asked = {"uri": document.uri, **more}
                answer = await derivative.derivative(editor.session, asked)
                assert shown in answer["text"]

    run(scenario())


def test_where_there_is_no_derivative_the_findings_say_why(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", TEXT)
        params = {"uri": document.uri, "function": "step"}
        answer = await derivative.derivative(editor.session, params)
        assert (answer["path"], answer["text"], answer["map"]) == (None, "", [])
        assert [each.code for each in answer["findings"]] == ["AD301"]

    run(scenario())


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"function": "nothing"}, "no function `nothing` in a.py"),
        ({"position": {"line": 0, "character": 0}}, "no function at this place"),
        ({"function": "step", "wrt": ["c"]}, "no parameter `c`"),
        ({"function": "step", "order": 3}, "`order` is one of 1, 2"),
        ({"function": "step", "mode": "sideways"}, "`mode` is one of reverse, forward"),
    ],
)
def test_a_question_that_makes_no_sense_is_told_so(tmp_path, more, message):
    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", FIXED)
        with pytest.raises(derivative.BadRequestError, match=message):
            await derivative.derivative(editor.session, {"uri": document.uri, **more})

    run(scenario())


def test_a_file_that_is_not_there_is_told_so(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        params = {"uri": (tmp_path / "gone.py").as_uri(), "function": "f"}
        with pytest.raises(derivative.BadRequestError, match="cannot be read"):
            await derivative.derivative(editor.session, params)

    run(scenario())


def test_a_file_that_is_not_open_is_read_from_disk(tmp_path):
    async def scenario():
        (tmp_path / "a.py").write_text(FIXED, encoding="utf-8")
        editor = Editor(tmp_path)
        params = {"uri": (tmp_path / "a.py").as_uri(), "function": "step"}
        assert (await derivative.derivative(editor.session, params))["path"]

    run(scenario())


RULED = """\
import adlsp
import slopes
from slopes import raised


def f(x):
    return raised(x) * x


adlsp.grad(f)
"""
RULES = """\
from adlsp import rules


def raised(x):
    try:
        return x**3
    finally:
        pass


@rules.elementwise(raised)
def raised_rule(x):
    return 3 * x**2
"""


def test_an_edit_of_a_rule_is_seen_where_it_counts(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        slopes = editor.open("slopes.py", RULES)
        document = editor.open("a.py", RULED)
        await editor.rest()
        params = {"uri": document.uri, "function": "f"}
        assert "3 * x ** 2" in (await derivative.derivative(editor.session, params))["text"]

        editor.change(slopes, RULES.replace("3 * x**2", "x * x * 3"))
        await editor.rest()
        assert "x * x * 3" in (await derivative.derivative(editor.session, params))["text"]
        assert not any(codes for _, _, codes in editor.screen.published)

        editor.change(slopes, RULES.replace("rule(x)", "rule(y)"))
        await editor.rest()
        assert editor.screen.published[-1] == (slopes.uri, 3, ["AD107"])
        told = await derivative.derivative(editor.session, params)
        assert not told["text"]
        assert [found.code for found in told["findings"]] == ["AD107"]

        editor.change(slopes, RULES.partition("@")[0])
        await editor.rest()
        assert (slopes.uri, 4, ["AD401"]) in editor.screen.published

    run(scenario())


def test_a_hover_tells_of_rules(tmp_path):
    text, places = marked(
        RULES.replace("def raised_rule(x):\n", "def raised_rule(x):\n#   ^ is differentiated\n")
        + "\n\nadlsp.grad(raised)\n#          ^ line 11\n"
    )

    async def scenario():
        editor = Editor(tmp_path)
        document = editor.open("a.py", text)
        for where, words in places:
            shown = await hover.hover(editor.session, types.HoverParams(**at(document, where)))
            assert words in shown.contents.value

    run(scenario())


def test_a_document_shows_the_derivative_of_the_unsaved_text_and_is_refreshed(tmp_path):
    async def scenario():
        editor = Editor(tmp_path, shows_content=True)
        document = editor.open("a.py", TEXT)
        await editor.rest()
        address = f"adlsp-derivative:/step_adjoint.py?uri={document.uri}&function=step"
        text = await derivative.content(editor.session, address)
        assert all(line.startswith("#") for line in text.splitlines())
        assert "AD301" in text
        editor.change(document, FIXED)
        await editor.rest()
        assert editor.screen.refreshed == [address]
        text = await derivative.content(editor.session, address)
        params = {"uri": document.uri, "function": "step"}
        assert text == (await derivative.derivative(editor.session, params))["text"]
        editor.save(document)
        await editor.rest()
        assert editor.screen.refreshed == [address, address]
        other = editor.open("b.py", FIXED)
        editor.save(other)
        await editor.rest()
        assert editor.screen.refreshed == [address, address]

    run(scenario())


def test_the_page_of_a_finding_is_a_document(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        page = await derivative.content(editor.session, "adlsp-finding:/AD301.md")
        assert page == catalogue.markdown(mutation.OutArgument)
        missing = await derivative.content(editor.session, "adlsp-finding:/AD999.md")
        assert missing == "There is no finding AD999.\n"

    run(scenario())


def test_an_address_that_makes_no_sense_gives_a_document_that_says_so(tmp_path):
    async def scenario():
        editor = Editor(tmp_path)
        text = await derivative.content(editor.session, "adlsp-derivative:/f_adjoint.py?x=1")
        assert text.startswith("# There is no derivative")

    run(scenario())
