"""What `[tool.adlsp]` in `pyproject.toml` says: which files are checked, and what is shown.

Pure: it takes the text of the file. Anything wrong in the table is an error with a clear sentence,
because a setting that is silently ignored hides findings, or shows what nobody asked for.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from dataclasses import dataclass, fields
from fnmatch import fnmatch
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DIALECTS = ("tangent",)

ROOT = re.compile(r"(\w+(?:\.\w+)+)\s*(?:\(([\w\s,]*)\))?")


class SettingsError(Exception):
    """A setting that cannot be followed; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a project; patterns are relative to `folder`.

    `roots` are functions that are checked as if they were passed to `grad`, each with its
    parameters of interest: `"pkg.losses.loss(w, b)"`, or `"pkg.losses.loss"` for all (none listed).
    `unsafe_fixes`: `check --fix` repairs also what may change the program.
    """

    folder: str = ""
    include: tuple[str, ...] = ("*.py",)
    exclude: tuple[str, ...] = ()
    select: tuple[str, ...] = ("AD",)
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    roots: tuple[tuple[str, tuple[str, ...]], ...] = ()
    dialect: str = "tangent"
    unsafe_fixes: bool = False

    def covers(self, path: str) -> bool:
        """Tells whether a file that was found in a folder is to be checked."""
        included = any(self._matches(path, pattern) for pattern in self.include)
        return included and not any(self._matches(path, pattern) for pattern in self.exclude)

    def shows(self, code: str, path: str) -> bool:
        """Tells whether findings of a code are shown for a file; the longer prefix decides."""
        hidden = [*self.ignore]
        for pattern, codes in self.per_file_ignores:
            if self._matches(path, pattern):
                hidden += codes
        selected = max((len(p) for p in self.select if code.startswith(p)), default=0)
        return selected > max((len(p) for p in hidden if code.startswith(p)), default=0)

    def _matches(self, path: str, pattern: str) -> bool:
        """Tells whether a pattern names a file, a folder above it, or a file name anywhere."""
        try:
            relative = os.path.relpath(path, self.folder or os.curdir)
        except ValueError:
            relative = path
        relative = relative.replace(os.sep, "/")
        pattern = pattern.removeprefix("./").rstrip("/")
        return (
            fnmatch(relative, pattern)
            or fnmatch(relative, f"{pattern}/*")
            or ("/" not in pattern and any(fnmatch(p, pattern) for p in relative.split("/")))
        )


def parse(data: bytes, path: str, codes: frozenset[str]) -> Settings:
    """Reads the settings in a `pyproject.toml`; `codes` are those of the findings that exist."""
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from None
    tool = document.get("tool")
    table = tool.get("adlsp", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        raise SettingsError(f"{path}: `tool.adlsp` must be a table")
    return Settings(folder=os.path.dirname(path), **_values(table, path, codes))


def selectors(text: str, codes: frozenset[str]) -> tuple[str, ...]:
    """Reads a list of codes or prefixes of codes, as options and settings write it."""
    found = tuple(part for part in re.split(r"[,\s]+", text) if part)
    for selector in found:
        if not any(code.startswith(selector) for code in codes):
            raise SettingsError(f"`{selector}` is the start of no code; see `adlsp explain`")
    return found


def _values(table: dict[str, object], path: str, codes: frozenset[str]) -> dict[str, Any]:
    known = [field.name.replace("_", "-") for field in fields(Settings) if field.name != "folder"]
    values: dict[str, Any] = {}
    for key, value in table.items():
        where = f"{path}: `tool.adlsp.{key}`"
        if key not in known:
            close = difflib.get_close_matches(key, known, 1)
            hint = f"; is `{close[0]}` meant?" if close else f"; known are {', '.join(known)}"
            raise SettingsError(f"{where} is no setting of adlsp{hint}")
        try:
            values[key.replace("-", "_")] = _value(key, value, codes)
        except SettingsError as error:
            raise SettingsError(f"{where}: {error}") from None
    return values


def _value(key: str, value: object, codes: frozenset[str]) -> object:
    match key:
        case "dialect":
            if value not in DIALECTS:
                raise SettingsError(f"must be one of {', '.join(DIALECTS)}")
            return value
        case "unsafe-fixes":
            if not isinstance(value, bool):
                raise SettingsError("must be true or false")
            return value
        case "per-file-ignores":
            if not isinstance(value, dict):
                raise SettingsError("must be a table of patterns and lists of codes")
            return tuple((k, selectors(",".join(_strings(v)), codes)) for k, v in value.items())
        case "roots":
            return tuple(_root(text) for text in _strings(value))
        case "select" | "ignore":
            return selectors(",".join(_strings(value)), codes)
    return _strings(value)


def _root(text: str) -> tuple[str, tuple[str, ...]]:
    found = ROOT.fullmatch(text.strip())
    if found is None:
        raise SettingsError(f"`{text}` names no function; write `module.function(x, y)`")
    return found[1], tuple(re.findall(r"\w+", found[2] or ""))


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError("must be a list of strings")
    return tuple(value)
