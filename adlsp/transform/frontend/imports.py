"""Which modules a text imports, found without parsing it: whoever follows imports reads many texts.

What looks like an import in a longer string is taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from adlsp.transform.source import Source

STATEMENT = re.compile(
    r"""^[ \t]*(?:
        import[ \t]+(?P<modules>[^\n#;]+)
        | from[ \t]*(?P<dots>\.*)[ \t]*(?P<home>[\w.]*)[ \t]*\bimport\b[ \t]*
          (?P<names>\([^)]*\)|(?:[^\n#;\\]|\\\n)*)
    )""",
    re.MULTILINE | re.VERBOSE,
)
COMMENT = re.compile(r"#[^\n]*")
NAME = re.compile(r"([^\W\d][\w.]*)(?:\s+as\s+\w+)?")


@lru_cache(maxsize=4096)
def modules(source: Source) -> tuple[str, ...]:
    """The modules that may be imported, each after its packages, in the order of the text.

    For `from a import b` that is `a`, and `a.b`, which may be a module or not.
    """
    found: dict[str, None] = {}
    for statement in STATEMENT.finditer(source.text.replace("\r", "\n")):
        for module in _named(statement, source):
            parts = module.split(".")
            found.update((".".join(parts[:end]), None) for end in range(1, len(parts) + 1))
    return tuple(found)


def _named(statement: re.Match[str], source: Source) -> Iterator[str]:
    if statement["modules"]:
        yield from NAME.findall(statement["modules"])
        return
    home, level = statement["home"].strip("."), len(statement["dots"])
    if level:
        parents = source.package.split(".") if source.package else []
        kept = parents[: max(0, len(parents) - level + 1)]
        home = ".".join([*kept, home] if home else kept)
    if home:
        yield home
    for name in NAME.findall(COMMENT.sub("", statement["names"])):
        yield f"{home}.{name}" if home else name
