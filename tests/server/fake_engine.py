"""Answers for tests of the worker: each path of a question says how it is to be answered."""

from __future__ import annotations

import os
import time

from adlsp.server import messages, process


def spin(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(1000))


def answer(question, snapshot):
    word = os.path.basename(question.path)
    if word == "slow":
        spin(3600)
    elif word == "crash":
        os._exit(3)
    elif word == "crash once" and not os.path.exists(question.path):
        with open(question.path, "w"):
            os._exit(3)
    elif word == "raise":
        raise ValueError("no such luck")
    elif word == "print":
        print("this must not reach the server")
    elif word == "exit":
        raise SystemExit(0)
    lines = tuple((path, 1, text) for path, text in sorted(snapshot.texts.items()))
    if isinstance(question, messages.Describe):
        return messages.Described(None, word, (), lines)
    return messages.Checked((), (*snapshot.roots, str(snapshot.revision)), lines)


class Holding:
    """Answers as above; "hold" keeps hovers back for a while, and then takes long."""

    def __init__(self, hold):
        self.hold = hold
        self.is_held = False

    def answer(self, question, snapshot):
        assert not self.is_held, "answered in the midst of what must not be interrupted"
        if question.path == "hold":
            with self.hold():
                self.is_held = True
                spin(0.3)
                self.is_held = False
            spin(3600)
        return answer(question, snapshot)


def main():
    process.main(lambda hold: Holding(hold).answer)
