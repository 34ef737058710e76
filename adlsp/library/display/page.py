"""A derivative as HTML: the primal and what was made of it, beside each other.

Lines that belong together light up together, by style alone: what a notebook stores has no script,
and is the same each time. Nothing in it but the style's names could meet what else is on a page.
"""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Template

from adlsp.library.display import highlight, places
from adlsp.transform.artifact import Derivative
from adlsp.transform.frontend import layout
from adlsp.transform.frozen import dataclass
from adlsp.transform.source import Source, Span

STYLE = Template("""\
.adlsp{$light;--adlsp-edge:#8884;font-size:13px;line-height:1.45}
@media (prefers-color-scheme:dark){.adlsp{$dark}}
body[data-jp-theme-light="true"] .adlsp,body.vscode-light .adlsp{$light}
body[data-jp-theme-light="false"] .adlsp,body.vscode-dark .adlsp{$dark}
.adlsp,.adlsp *{box-sizing:border-box}
.adlsp .panes{display:flex;flex-wrap:wrap;gap:8px}
.adlsp .pane{flex:1 1 26em;min-width:0;border:1px solid var(--adlsp-edge);border-radius:4px}
.adlsp .title{padding:3px 8px;border-bottom:1px solid var(--adlsp-edge);opacity:.8}
.adlsp pre{margin:0;padding:4px 0;max-height:34em;overflow:auto;background:none;color:inherit;\
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px;line-height:1.45}
.adlsp .line{display:block;min-width:max-content;padding-right:8px;white-space:pre}
.adlsp .no{display:inline-block;width:3.5em;padding-right:1em;text-align:right;opacity:.5;\
user-select:none}
.adlsp .gap{display:block;padding-left:3.5em;opacity:.5;user-select:none}
.adlsp .k,.adlsp .kn,.adlsp .kc,.adlsp .kd,.adlsp .ow{color:var(--adlsp-k)}
.adlsp .s1,.adlsp .s2,.adlsp .sd,.adlsp .se,.adlsp .si,.adlsp .sa{color:var(--adlsp-s)}
.adlsp .c1{color:var(--adlsp-c);font-style:italic}
.adlsp .mi,.adlsp .mf,.adlsp .mh{color:var(--adlsp-m)}
.adlsp .nf,.adlsp .nc,.adlsp .nd,.adlsp .nb{color:var(--adlsp-f)}
.adlsp pre.found{padding:4px 8px;white-space:pre-wrap}
""")

LIGHT = (
    "--adlsp-k:#8e3aa8;--adlsp-s:#a3341f;--adlsp-c:#5f7370;--adlsp-m:#0b6b50;--adlsp-f:#1a56b8;"
    "--adlsp-lit:#ffe58f"
)
DARK = (
    "--adlsp-k:#d69ae8;--adlsp-s:#eb9a84;--adlsp-c:#93aaa6;--adlsp-m:#7fd0b3;--adlsp-f:#8ab8ff;"
    "--adlsp-lit:#5a4a12"
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of a text, the first of which has the number `start`."""

    path: str
    start: int
    lines: tuple[str, ...]


def html_of(derivative: Derivative, sources: Sequence[Source]) -> str:
    """The HTML of a derivative; `sources` are the texts that its lines come from."""
    found = places.report_of(derivative.findings, {})
    shown = f'<pre class="found">{html.escape(found)}</pre>' if found else ""
    if not derivative.source:
        name = derivative.request.innermost.function.rpartition(".")[2]
        title = f'<div class="title"><code>{html.escape(name)}</code> has no derivative</div>'
        return _whole(f'<div class="pane">{title}{shown}</div>', 0)
    groups = _groups(derivative)
    left = "".join(_excerpt(each, groups) for each in _excerpts(derivative, sources))
    right = _derivative(derivative, groups)
    panes = (
        f'<div class="panes"><div class="pane">{left}</div><div class="pane">{right}</div></div>'
    )
    return _whole(panes + shown, len(set(groups.values())))


def plain(derivative: Derivative) -> str:
    """The text of a derivative for a terminal, or why there is none."""
    found = places.report_of(derivative.findings, places.colors())
    return "\n".join(part for part in (derivative.source.rstrip("\n"), found) if part)


def _whole(body: str, n_groups: int) -> str:
    lit = ",".join(f".adlsp:has(.g{i}:hover) .g{i}" for i in range(n_groups))
    style = STYLE.substitute(dark=DARK, light=LIGHT)
    style += f"{lit}{{background:var(--adlsp-lit)}}" if lit else ""
    return f'<div class="adlsp"><style>{style}</style>{body}</div>'


def _groups(derivative: Derivative) -> Mapping[Span, int]:
    """A number for each statement of the primal that lines come from."""
    spans = sorted(
        {place for each in derivative.source_map for place in each.places},
        key=lambda s: (s.path, s.line, s.column),
    )
    return {span: number for number, span in enumerate(spans)}


# the derivative


def _derivative(derivative: Derivative, groups: Mapping[Span, int]) -> str:
    of_line = {
        each.line: tuple(groups[place] for place in each.places) for each in derivative.source_map
    }
    marked = highlight.lines(derivative.source.rstrip("\n"))
    rows = (_row(number, text, of_line.get(number, ())) for number, text in enumerate(marked, 1))
    place = os.path.basename(derivative.path or "")
    return _pane(derivative.name, place, rows)


# the primal


def _excerpt(excerpt: Excerpt, groups: Mapping[Span, int]) -> str:
    """Some lines of a primal; those of a statement in a loop belong to the loop's line, too."""
    marked = highlight.lines("\n".join(excerpt.lines))
    rows = (
        _row(number, text, _inner(excerpt.path, number, groups))
        for number, text in enumerate(marked, excerpt.start)
    )
    return _pane("", f"{places.shown_path(excerpt.path)}, line {excerpt.start}", rows)


def _inner(path: str, line: int, groups: Mapping[Span, int]) -> tuple[int, ...]:
    """The statements of which a line is a part: of those that contain each other, the smallest."""
    around = [s for s in groups if s.path == path and s.line <= line <= s.end_line]
    n_lines = min((s.end_line - s.line for s in around), default=0)
    return tuple(groups[s] for s in around if s.end_line - s.line == n_lines)


def _excerpts(derivative: Derivative, sources: Sequence[Source]) -> Iterator[Excerpt]:
    """The functions that lines come from, the differentiated one first."""
    first = derivative.primal
    for source in sorted(sources, key=lambda each: first is None or each.path != first.path):
        every = (place for each in derivative.source_map for place in each.places)
        spans = {place for place in every if place.path == source.path}
        root = first.line if first is not None and first.path == source.path else 0
        for start, end in sorted(_functions(source, spans), key=lambda f: not f[0] <= root <= f[1]):
            yield Excerpt(source.path, start, source.lines[start - 1 : end])


def _functions(source: Source, spans: Iterable[Span]) -> list[tuple[int, int]]:
    """The first and last lines of the functions around some spans, none inside another."""
    functions = layout.read(source)
    found: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda each: each.line):
        block = functions.around(span.line)
        lines = (span.line, span.end_line) if block is None else (block.first, block.last)
        if not found or lines[0] > found[-1][1]:
            found.append(lines)
        else:
            found[-1] = (min(found[-1][0], lines[0]), max(found[-1][1], lines[1]))
    return found


# rows


def _pane(name: str, place: str, rows: Iterator[str]) -> str:
    named = f"<code>{html.escape(name)}</code> " if name else ""
    title = f'<div class="title">{named}{html.escape(place)}</div>'
    return f"{title}<pre>{''.join(rows)}</pre>"


def _row(number: int, text: str, groups: Sequence[int]) -> str:
    kinds = "".join(f" g{group}" for group in groups)
    return f'<span class="line{kinds}"><span class="no">{number}</span>{text}\n</span>'
