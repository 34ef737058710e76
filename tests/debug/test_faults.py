"""Faults at random, in random states: no process stays behind, no file is damaged, nothing hangs.

`ADLSP_FAULTS` says how many, and `ADLSP_FAULTS_FROM` which is the first: each has a number, from
which all its chances follow.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
import uuid

import pytest

from . import faults
from .processes import only_linux, survivors

N_FAULTS = int(os.environ.get("ADLSP_FAULTS", "6"))
FIRST = int(os.environ.get("ADLSP_FAULTS_FROM", "0"))

PATIENCE = float(os.environ.get("ADLSP_PATIENCE", "20"))
"""How many seconds a session may take to answer, and to end."""

STAYING = (faults.nonsense, faults.mistaken)
"""Faults behind which the session goes on."""

ENDINGS = (0, 130, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP)
"""How the debugger may end: by itself, or by a signal."""

UNANSWERED = frozenset({"launch", "attach", "initialize", "configurationDone"})
"""Requests that debugpy itself leaves open in the wrong state, or when a launcher is killed."""


@only_linux
@pytest.mark.parametrize("number", range(FIRST, FIRST + N_FAULTS))
def test_a_fault(tmp_path, monkeypatch, number):
    monkeypatch.setenv(faults.MARK, uuid.uuid4().hex)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    chance = random.Random(number)
    state, fault = chance.choice(faults.STATES), chance.choice(faults.FAULTS)
    print(f"{fault.__name__} when {state.__name__}")
    scene = faults.Scene(tmp_path, chance)
    client = scene.client
    try:
        state(scene)
        fault(scene)
        if fault in STAYING:
            client.send("threads")
            wait_for(lambda: not unanswered(client), client)
        if fault is faults.killed and client.process.poll() is None:
            wait_for(lambda: not unanswered(client), client)
        if client.process.poll() is None:
            client.process.stdin.close()
        code = client.process.wait(PATIENCE)
        assert code in ENDINGS, client.report()
        if scene.frozen:  # what stands still ends as soon as it can
            with contextlib.suppress(ProcessLookupError):
                os.kill(scene.frozen, signal.SIGCONT)
        assert survivors(faults.marked(), PATIENCE) == [], faults.described()
        assert [*scene.damage()] == []
        if fault is not faults.mistaken:
            assert "adlsp debug: Traceback" not in "\n".join(client.errors), client.report()
    finally:
        for pid in faults.marked():
            os.kill(pid, signal.SIGKILL)
        client.close()


def unanswered(client):
    return [command for command in client.unanswered if command not in UNANSWERED]


def wait_for(done, client):
    end = time.monotonic() + PATIENCE
    while not done() and client.process.poll() is None:
        assert time.monotonic() < end, f"no answer to {client.unanswered}\n{client.report()}"
        time.sleep(0.02)
