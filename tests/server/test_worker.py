import asyncio
import io
import os
import signal
import sys
from pathlib import Path

import pytest

from adlsp.server import messages, process, worker
from adlsp.server.messages import Check, Describe, Folders, Invalidate, Text
from adlsp.server.worker import Worker, WorkerError

FAKE = f"sys.path.append({str(Path(__file__).parent)!r}); import fake_engine; fake_engine.main()"


def run(scenario, **options):
    """Runs a coroutine function of a worker and its log; the worker is killed afterwards."""

    async def whole():
        log = []
        made = Worker(log.append, start_code=FAKE, **options)
        try:
            await asyncio.wait_for(scenario(made, log), 60)
        finally:
            await made.stop()
            assert made._runner is None

    asyncio.run(whole())


async def texts(made):
    answer = await made.ask(Check("any"))
    return {path: text for path, _, text in answer.lines}


async def busy(made, word="slow"):
    """Makes the worker busy with what will not end; gives the task that waits for it."""
    task = asyncio.create_task(made.ask(Check(word)))
    while not any(waiting.timer for waiting in made._waiting.values()):
        await asyncio.sleep(0.01)
    return task


def test_a_question_is_answered_for_what_was_told_before_it():
    async def scenario(made, _):
        made.tell(Folders(("/project",)))
        made.tell(Text("/a.py", "one"))
        assert await texts(made) == {"/a.py": "one"}
        made.tell(Text("/a.py", "two"))
        first = asyncio.create_task(texts(made))
        await asyncio.sleep(0)
        made.tell(Text("/a.py", None))
        made.tell(Text("/b.py", "three"))
        made.tell(Invalidate())
        assert await texts(made) == {"/b.py": "three"}
        assert await first == {"/a.py": "two"}
        assert (await made.ask(Check("any"))).reads == ("/project", "1")

    run(scenario)


def test_an_answer_that_nobody_waits_for_is_given_up_midway():
    async def scenario(made, log):
        task = await busy(made)
        pid = made.pid
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await texts(made) == {}
        assert (made.pid, log) == (pid, [])

    run(scenario)


def test_a_question_taken_back_before_its_turn_is_never_begun():
    async def scenario(made, log):
        first = await busy(made)
        second = asyncio.create_task(made.ask(Check("crash")))
        await asyncio.sleep(0.05)
        second.cancel()
        first.cancel()
        assert await texts(made) == {}
        assert log == []

    run(scenario)


def test_a_hover_is_answered_during_an_analysis():
    async def scenario(made, _):
        task = await busy(made)
        described = await made.ask(Describe("word", 1, 1))
        assert described.title == "word"
        assert not task.done()
        task.cancel()

    run(scenario)


def test_a_hover_waits_for_what_must_not_be_interrupted_and_no_longer():
    async def scenario(made, log):
        task = await busy(made, "hold")
        described = await made.ask(Describe("word", 1, 1))
        assert described.title == "word"
        assert not task.done()
        task.cancel()
        assert await texts(made) == {}
        assert log == []

    run(scenario)


def test_a_killed_worker_is_replaced_and_asked_again():
    async def scenario(made, log):
        made.tell(Text("/a.py", "one"))
        await texts(made)
        first = made.pid
        task = await busy(made)
        os.kill(first, getattr(signal, "SIGKILL", signal.SIGTERM))
        while made.pid in (None, first):
            await asyncio.sleep(0.01)
        assert not task.done()
        task.cancel()
        assert await texts(made) == {"/a.py": "one"}
        assert len(log) == 1
        assert "started again" in log[0]

    run(scenario)


def test_a_crash_that_does_not_repeat_loses_nothing(tmp_path):
    async def scenario(made, log):
        answer = await made.ask(Check(str(tmp_path / "crash once")))
        assert answer.lines == ()
        assert len(log) == 1

    run(scenario)


def test_a_question_that_kills_twice_fails_and_the_others_are_answered():
    async def scenario(made, log):
        others = [asyncio.create_task(texts(made)) for _ in range(3)]
        with pytest.raises(WorkerError, match="status 3"):
            await made.ask(Check("crash"))
        assert await asyncio.gather(*others) == [{}] * 3
        assert len(log) == 2

    run(scenario)


def test_a_question_without_end_fails_at_its_limit():
    async def scenario(made, log):
        with pytest.raises(WorkerError, match=r"did not end within 0\.3 s"):
            await made.ask(Check("slow"))
        assert await texts(made) == {}
        assert "killed" in log[0]

    run(scenario, limit=0.3)


def test_an_exception_is_logged_and_ends_nothing():
    async def scenario(made, log):
        await texts(made)
        pid = made.pid
        with pytest.raises(WorkerError, match="no such luck"):
            await made.ask(Check("raise"))
        assert "Traceback" in log[0]
        assert await texts(made) == {}
        assert made.pid == pid

    run(scenario)


def test_what_the_engine_prints_does_not_reach_the_pipe():
    async def scenario(made, log):
        assert (await made.ask(Check("print"))).lines == ()
        assert log == []

    run(scenario)


def test_a_worker_that_cannot_start_fails_its_questions_and_is_tried_again():
    async def scenario(made, log):
        made.start_code = "sys.exit(5)"
        with pytest.raises(WorkerError):
            await made.ask(Check("any"))
        while made._runner is not None:
            await asyncio.sleep(0.01)
        made.start_code = FAKE
        assert await texts(made) == {}
        assert "status 5" in log[0]

    run(scenario)


def test_a_killed_worker_fails_what_waits_and_what_comes():
    async def scenario(made, _):
        task = await busy(made)
        made.kill()
        with pytest.raises(WorkerError):
            await task
        with pytest.raises(WorkerError):
            await made.ask(Check("any"))

    run(scenario)


def test_the_child_ends_when_its_parent_does():
    script = (
        "import asyncio, os\n"
        "from adlsp.server.worker import Worker\n"
        "from adlsp.server.messages import Check\n"
        "async def main():\n"
        f"    made = Worker(print, start_code={FAKE!r})\n"
        "    asyncio.create_task(made.ask(Check('slow')))\n"
        "    while not any(each.timer for each in made._waiting.values()):\n"
        "        await asyncio.sleep(0.01)\n"
        "    print(made.pid, flush=True)\n"
        "    os._exit(1)\n"
        "asyncio.run(main())\n"
    )

    async def scenario(_made, _log):
        parent = await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE
        )
        output, _ = await parent.communicate()  # ends only when the child has closed it, too
        assert int(output) > 0

    run(scenario)


def test_the_child_does_not_import_modules_of_the_users_project(tmp_path, monkeypatch):
    (tmp_path / "heapq.py").write_text("raise SystemExit('the file of the user was run')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert str(tmp_path) not in worker.command("pass")[-1]

    async def scenario(made, log):
        assert await texts(made) == {}
        assert log == []

    run(scenario)


def test_a_short_file_does_not_wait_for_a_long_one():
    state = process.Analysis(io.BytesIO())
    for path, text in (("long.py", "x = 1\n" * 1000), ("short.py", "x = 1\n")):
        state.take(messages.Text(path, text))
    asked = (
        messages.Check("long.py"),
        messages.Outline("long.py"),
        messages.Check("short.py"),
        messages.Derive("long.py"),
    )
    for number, question in enumerate(asked):
        state.take(messages.Ask(number, question))
    assert [state.next_task().question for _ in asked] == [asked[i] for i in (3, 2, 0, 1)]
