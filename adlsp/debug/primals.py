"""The user's files as the client has them: where their functions and statements are."""

from __future__ import annotations

from adlsp import workspace
from adlsp.transform.frontend import layout


def read_layout(path: str) -> layout.Layout:
    """Reads the layout of a file; nothing is known of one that cannot be read."""
    try:
        return layout.read(workspace.Workspace().source(path))
    except OSError:
        return layout.Layout()
