"""Where our processes look for modules: never in the project that the editor started us in.

A user's file may be called like a module that we use (`queue.py`); it must not run, nor break us.
"""

from __future__ import annotations

import os
from collections.abc import Iterable


def without_project(paths: Iterable[str]) -> list[str]:
    """The search path less the working folder, unless our own code lies there."""
    here = os.path.realpath(os.getcwd())
    ours = os.path.realpath(__file__)
    return [
        path
        for path in paths
        if path and (os.path.realpath(path) != here or ours.startswith(here + os.sep))
    ]
