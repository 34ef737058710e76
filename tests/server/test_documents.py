import asyncio

import pytest

from adlsp import workspace
from adlsp.server import documents
from adlsp.server.documents import Documents, is_checked, path_of

URI = "file:///project/model.py"


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


def test_an_edit_makes_another_document():
    async def edit():
        opened = Documents()
        first = opened.open(URI, "python", 1, "a")
        second = opened.change(URI, 2, "b")
        assert (first.text, second.text, second.version) == ("a", "b", 2)
        assert opened.is_current(second)
        assert not opened.is_current(first)
        assert opened.get(URI) is opened.at_path("/project/model.py") is second
        assert opened.close(URI) is second
        assert opened.get(URI) is None
        assert opened.change(URI, 3, "c") is None

    run(edit())


def test_one_file_is_one_document_however_its_uri_is_escaped():
    async def look_up():
        opened = Documents()
        document = opened.open("file:///my%20project/m%C3%A9.py", "python", 1, "")
        assert opened.get("file:///my%20project/mé.py") is document
        assert opened.uri_of("/my project/mé.py") == document.uri
        assert opened.uri_of("/other file.py") == "file:///other%20file.py"

    run(look_up())


@pytest.mark.parametrize(
    ("uri", "language", "expected"),
    [
        (URI, "python", True),
        ("file:///project/notes.txt", "plaintext", False),
        ("file:///project/model.py", "plaintext", True),
        ("untitled:Untitled-1", "python", True),
        ("adlsp-derivative:/loss_adjoint.py?function%3Dloss", "python", False),
        ("file:///cache/adlsp-derivatives/loss_grad.0123.py", "python", False),
        ("vscode-notebook-cell:/book.ipynb#a", "python", False),
        ("git:/project/model.py?x", "python", False),
    ],
)
def test_only_what_the_user_wrote_is_checked(uri, language, expected):
    assert is_checked(uri, language) is expected


def test_our_own_files_are_known_by_the_folder_of_the_cache():
    assert documents.DERIVATIVES == workspace.DERIVATIVES


def test_what_is_not_saved_yet_has_a_path():
    assert path_of("untitled:Untitled-1") == "/adlsp-unsaved/untitled/Untitled-1.py"
    assert path_of("untitled:/home/user/new.py") == "/adlsp-unsaved/untitled/new.py"


def test_what_is_opened_is_due_at_once_and_what_is_edited_after_a_pause(monkeypatch):
    async def edit():
        opened = Documents()
        opened.open(URI, "python", 1, "a")
        await opened.until_due(URI)
        opened.change(URI, 2, "b")
        waiting = asyncio.create_task(opened.until_due(URI))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        opened.hurry(URI)
        await waiting

    monkeypatch.setattr(documents, "PAUSE", 3600.0)
    run(edit())


def test_an_edit_puts_off_what_was_nearly_due(monkeypatch):
    async def edit():
        opened = Documents()
        opened.open(URI, "python", 1, "a")
        monkeypatch.setattr(documents, "PAUSE", 0.05)
        opened.change(URI, 2, "b")
        waiting = asyncio.create_task(opened.until_due(URI))
        await asyncio.sleep(0)
        monkeypatch.setattr(documents, "PAUSE", 3600.0)
        opened.change(URI, 3, "c")
        await asyncio.sleep(0.2)
        assert not waiting.done()
        opened.close(URI)
        await waiting

    run(edit())


def test_waiting_can_be_cancelled_also_when_it_is_over_in_the_same_moment(monkeypatch):
    async def edit():
        opened = Documents()
        opened.open(URI, "python", 1, "a")
        opened.change(URI, 2, "b")
        waiting = asyncio.create_task(opened.until_due(URI))
        await asyncio.sleep(0.01)
        opened.hurry(URI)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    monkeypatch.setattr(documents, "PAUSE", 3600.0)
    run(edit())
