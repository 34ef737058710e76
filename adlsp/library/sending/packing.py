"""Makes the parcel of a function: marks, and the texts to derive it again."""

from __future__ import annotations

import functools
import pickle
from types import CellType, FunctionType, ModuleType
from typing import Any

from adlsp.library.sending import arriving, parcel, program, texts

Value = Any
"""Whatever a program has."""


def portable(f: Value, function: FunctionType | None = None) -> Value:
    """What to pickle for `f`: it arrives as `f` is, with the texts to derive it again.

    `function` is the one that `f` calls. Raises PicklingError for a function that has no name and
    no text.
    """
    packing = _Packing()
    packed = packing.value(f)
    packing.add_texts(f if function is None else function)
    functions, contents = packing.all()
    if not (isinstance(packed, parcel.Marked) or packing.texts):
        return packed
    return parcel.Parcel(
        arriving.arrived, (packed, functions, contents, tuple(packing.texts.items()))
    )


class _Packing:
    """A parcel while it is made: its functions, their cells and texts, each once."""

    def __init__(self) -> None:
        self.functions: dict[FunctionType, int] = {}
        self.cells: dict[int, tuple[int, CellType]] = {}
        self.texts: dict[str, str] = {}

    def value(self, x: Value) -> Value:
        """A value as it goes: itself, or a mark."""
        if isinstance(x, FunctionType):
            found = program.at_its_name(x)
            if found is None:
                return parcel.Reference(self.functions.setdefault(x, len(self.functions)))
            self.add_texts(x)
            return found
        if isinstance(x, ModuleType):
            return parcel.Module(x.__name__)
        if type(x) is functools.partial:
            return parcel.Partial(self.value(x.func), self.value(x.args), self.value(x.keywords))
        if type(x) in (tuple, list, dict):
            parts = list(x.values()) if type(x) is dict else x
            made = [self.value(part) for part in parts]
            if any(isinstance(one, parcel.Marked) for one in made):
                return parcel.Container(parcel.like(x, made))
        return x

    def all(self) -> tuple[tuple[parcel.Written, ...], tuple[Value, ...]]:
        """The functions and what their cells hold, with those that are met on the way."""
        functions: list[parcel.Written] = []
        contents: list[Value] = []
        while len(functions) < len(self.functions) or len(contents) < len(self.cells):
            if len(functions) < len(self.functions):
                functions.append(self.written([*self.functions][len(functions)]))
            else:
                contents.append(self.content([*self.cells.values()][len(contents)][1]))
        return tuple(functions), tuple(contents)

    def written(self, f: FunctionType) -> parcel.Written:
        """A function by its place in its text."""
        code = f.__code__
        text = texts.text_of(f)
        number = None if text is None else texts.number(code, text)
        if text is None or number is None:
            raise pickle.PicklingError(_refusal(f, text is not None))
        self.texts[code.co_filename] = text
        variables = program.reached(f) if f.__module__ in program.MAIN else None
        return parcel.Written(
            f.__module__,
            code.co_filename,
            code.co_name,
            f.__qualname__,
            code.co_firstlineno,
            number,
            self.value(f.__defaults__),
            self.value(f.__kwdefaults__),
            tuple(map(self.cell, f.__closure__ or ())),
            variables and {name: self.value(read) for name, read in variables.items()},
        )

    def cell(self, cell: CellType) -> int:
        """The number of a cell, which functions may share."""
        return self.cells.setdefault(id(cell), (len(self.cells), cell))[0]

    def content(self, cell: CellType) -> Value:
        """What a cell holds."""
        try:
            return self.value(cell.cell_contents)
        except ValueError:
            return parcel.Unbound()

    def add_texts(self, f: Value) -> None:
        """Adds the texts of what goes as code, of `f` and of what it reads."""
        pending, seen = [*program.functions_of(f)], set[FunctionType]()
        while pending:
            one = pending.pop()
            if one in seen or not program.goes_as_code(one):
                continue
            seen.add(one)
            path = one.__code__.co_filename
            if path not in self.texts:
                text = texts.text_of(one)
                if text is not None:
                    self.texts[path] = text
            for read in program.variables(one).values():
                pending += program.functions_of(read)


def _refusal(f: FunctionType, has_text: bool) -> str:
    outer, _, inner = f.__qualname__.rpartition(".<locals>.")
    if f.__name__ == "<lambda>":
        what = f"the lambda at line {f.__code__.co_firstlineno}"
    elif outer:
        what = f"`{inner}`, which is defined inside `{outer.replace('.<locals>', '')}`,"
    else:
        what = f"`{f.__qualname__}`"
    why = "its text has changed since" if has_text else "no text of it is kept"
    return (
        f"{what} of the module `{f.__module__}` cannot be pickled: its module does not have it "
        f"under its name, and {why}"
    )
