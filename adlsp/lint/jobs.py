"""Checks many files in several processes. What is found does not depend on how many there are."""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

from adlsp.lint import check
from adlsp.lint.settings import Settings
from adlsp.transform.query_cache import QueryCache
from adlsp.workspace import Workspace

TOGETHER = 8
"""How many files a process takes at once: neighbors read the same modules."""

Texts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Task:
    """A file to check, and the workspace that it is in."""

    path: str
    settings: Settings
    all_functions: bool
    roots: tuple[str, ...]
    projects: tuple[str, ...]
    texts: Texts
    seen: frozenset[str]


def checked(
    files: Workspace, settings: Mapping[str, Settings], all_functions: bool, n_jobs: int
) -> Iterator[check.Outcome]:
    """What comes of each of the files that have settings, in their order."""
    texts = tuple(files.texts.items())
    seen = frozenset(settings)
    tasks = [
        Task(path, each, all_functions, files.roots, files.projects, texts, seen)
        for path, each in settings.items()
    ]
    # a fork would copy the locks of threads that a library may have started
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(n_jobs, context, _begin, gc.get_threshold()) as pool:
        try:
            yield from pool.map(_check, tasks, chunksize=TOGETHER)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin(*gc_threshold: int) -> None:
    """Makes a process ready; an interrupt is for the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*gc_threshold)


def _check(task: Task) -> check.Outcome:
    files, cache = _files(task.roots, task.projects, task.texts)
    return check.outcome(task.path, files, task.settings, task.all_functions, cache, seen=task.seen)


@lru_cache(maxsize=1)
def _files(
    roots: tuple[str, ...], projects: tuple[str, ...], texts: Texts
) -> tuple[Workspace, QueryCache]:
    """The files as this process has read them, and what it knows of them."""
    files = Workspace(roots, projects)
    for path, text in texts:
        files = files.with_text(path, text)
    return files, QueryCache()
