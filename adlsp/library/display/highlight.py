"""Python as HTML, line by line: highlighted where Pygments is, as it is with IPython."""

from __future__ import annotations

import html

try:
    import pygments
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer
except ImportError:
    pygments = None  # type: ignore[assignment]


def lines(text: str) -> list[str]:
    """The lines of a text as HTML, each complete in itself."""
    if pygments is None:
        return html.escape(text).split("\n")
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    made: str = pygments.highlight(text, lexer, HtmlFormatter(nowrap=True))
    marked = made.split("\n")
    n_lines = text.count("\n") + 1
    return [*marked, *[""] * n_lines][:n_lines]
