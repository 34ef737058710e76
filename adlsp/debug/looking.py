"""What a client is told of the frames of a stopped program: values, gradients, whether right.

All of it is evaluated in the program by requests of ours, which raise `RefusedError` where debugpy
refuses them, and ValueError where the program gives something else.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from adlsp.debug import (
    instrument,
    keeping,
    maps,
    primals,
    scopes,
    stack,
    standing,
    upstream,
    versions,
)
from adlsp.debug.wire import Message

MOST_COUNTED = 100
"""Of so many frames on top of a stack it is said in which passes of loops they are."""

LoopsOf = Callable[[maps.Function, int], tuple[maps.Loop, ...]]
"""Gives loops at a line of a function."""


@dataclass(frozen=True, slots=True)
class Called:
    """A function in whose backward one stands, and the line of the call in what is compared."""

    name: str
    whole: str
    line: int

    @property
    def told(self) -> str:
        """What is said before what differences say, or why they say nothing."""
        alone = f"`{self.name}`, which is called there, can be checked alone"
        return f"about `{self.whole}`, line {self.line}; {alone} with `adlsp.check_grads`"


class Looking:
    """Looks into the frames of one program. `ask` sends a request of ours."""

    def __init__(
        self,
        ask: Callable[[str, Message], asyncio.Future[Message]],
        derivatives: Mapping[str, maps.DerivativeMap],
        frames: stack.Frames,
        listed: scopes.Scopes,
    ) -> None:
        self._ask = ask
        self._maps = derivatives
        self._frames = frames
        self._scopes = listed

    def shown(
        self, derivative: maps.DerivativeMap, function: maps.Function, line: int
    ) -> scopes.Shown:
        """What is listed of a frame of a derivative at a line."""
        pairs = standing.pairs(derivative, function, line, primals.steps_at)
        kept = keeping.tapes(derivative, function, line)
        at = derivative.at(line)
        is_backward = at is not None and at.role.sweep == "backward"
        return scopes.Shown(derivative.path, line, pairs, kept, is_backward)

    async def count_passes(self, frames: list[Message]) -> None:
        """Says in which passes of their loops derivatives are, in the primal's frames below."""
        for frame in [*frames][:MOST_COUNTED]:
            derivative = self._maps.get(maps.key(stack.path_of(frame)))
            with contextlib.suppress(upstream.RefusedError, ValueError):
                if derivative is not None:
                    passes = await self._passes(frame, derivative, standing.counted)
                    self._tell_passes(frame, passes, frames)

    async def variables(self, frame: int, of: scopes.Shown) -> list[Message]:
        """The variables in the scope of a frame."""
        rows = await self._rows(frame, of)
        several = {
            name for name, n in collections.Counter(map(scopes.called, rows)).items() if n > 1
        }
        told = [self._scopes.variable(row, is_alone=row.name not in several) for row in rows]
        if of.entry and of.is_backward:
            told.append(self._scopes.comparison(frame))
        return told

    async def parts(self, row: scopes.Row) -> list[Message]:
        """What a row is made of; what has elements unfolds to them, as debugpy has it."""
        told = []
        for name, what in row.parts:
            part = scopes.part(name, what)
            if name == "gradient" or name.startswith("value"):
                part["evaluateName"] = row.adjoint if name == "gradient" else row.name
                asked = {"expression": part["evaluateName"], "frameId": row.frame}
                with contextlib.suppress(upstream.RefusedError):
                    body = await self._ask("evaluate", {**asked, "context": "watch"})
                    part["variablesReference"] = body.get("variablesReference", 0)
            told.append(part)
        if row.is_zero:
            lines = await self._why(row.frame, row.adjoint)
            told += [scopes.part("why zero", line) for line in lines]
        if wrong := self._scopes.wrong(row):
            told.append(scopes.part("right?", wrong))
        return told

    async def pointed(self, frame: int, name: str) -> Message:
        """What is told of a variable of the primal that someone points at, and its gradient.

        Raises LookupError where it has none.
        """
        found = tuple(pair for pair in self._frames.shown(frame).pairs if pair.name == name)
        if not found:
            raise LookupError(name)
        [row] = await self._rows(frame, scopes.Shown("", 0, found[:1]))
        shown = self._scopes.variable(row)
        reference = shown["variablesReference"]
        return {"result": f"{row.name}: {shown['value']}", "variablesReference": reference}

    async def explained(self, frame: int, name: str) -> list[str]:
        """Why the gradient of a variable is zero, as far as the program can tell."""
        pairs = self._frames.shown(frame).pairs
        pair = next((pair for pair in pairs if name in (pair.name, pair.made)), None)
        if pair is None or pair.missing:
            return [] if pair is None else [f"`{pair.made}` is {pair.missing}"]
        return await self._why(self._frames.real(frame), pair.made)

    async def compared(self, frame: int) -> list[str]:
        """What differences say of the gradients where the frame of a derivative stands.

        What was differentiated is run again. So where one stands in a function that it calls, what
        is said is about it and the call, and the first line says so.
        """
        entry = self._frames.shown(frame).entry
        called = self._called(frame, entry)
        about = [] if called is None else [called.told]
        try:
            lines = await self._compare(entry)
        except (upstream.RefusedError, ValueError) as error:
            return [*about, str(error)]
        self._scopes.note(frame, entry, [*about, *lines])
        return [self._scopes.styled(line) for line in (*about, *lines)]

    async def beside(self, frame: int) -> Message:
        """What to show beside the lines of the primal, where they set variables."""
        real = self._frames.real(frame)
        place, shown = self._frames.counterpart(real), self._frames.shown(real)
        if place is None:
            return {"values": []}
        rows: list[tuple[int, scopes.Row]] = []
        with contextlib.suppress(upstream.RefusedError, ValueError):
            placed = self._placed(shown, place.path)
            of = replace(shown, pairs=tuple(pair for _, pair in placed), tapes=())
            told = await self._rows(real, of)
            rows = [(line, row) for (line, _), row in zip(placed, told, strict=True)]
        values = scopes.beside(rows, self._scopes.all_wrong(real))
        return {"path": place.path, "values": values}

    def _placed(self, shown: scopes.Shown, path: str) -> list[tuple[int, scopes.Pair]]:
        """What to show beside the lines of a file: of a function, and of one written out in it."""
        derivative = self._maps.get(maps.key(shown.path))
        function = derivative.function(shown.line) if derivative else None
        if derivative is None or function is None:
            return []
        here = (each for each in derivative.every_at(shown.line) if each.path == path)
        found: dict[tuple[int, str], tuple[int, scopes.Pair]] = {}
        for each in here:
            at = derivative, function, shown.line, path, primals.steps_at(path, each.first)
            found |= {
                (line, pair.name): (line, pair) for line, pair in versions.beside(*at, shown.pairs)
            }
        return [*found.values()]

    def _tell_passes(
        self, frame: Message, passes: tuple[tuple[int, int], ...], frames: list[Message]
    ) -> None:
        told = " and ".join(f"{n} of {total}" if total else str(n) for n, total in passes)
        id_ = self._frames.below(frame["id"], 0)
        for at, each in enumerate(frames):
            if told and each["id"] == id_:
                frames[at] = {**each, "name": f"{each['name']}, pass {told}"}

    async def _passes(
        self, frame: Message, derivative: maps.DerivativeMap, loops_of: LoopsOf
    ) -> tuple[tuple[int, int], ...]:
        """The passes of the loops that a frame is in; none where they are not known."""
        function, mapped = derivative.function(frame["line"]), derivative.at(frame["line"])
        loops = loops_of(function, frame["line"]) if function else ()
        if mapped is None or not loops:
            return ()
        expression = instrument.passes(loops, mapped.role.sweep, frame["line"])
        return instrument.read_passes(await self._evaluate(expression, frame["id"]))

    async def _rows(self, frame: int, of: scopes.Shown) -> list[scopes.Row]:
        return scopes.read(frame, await self._evaluate(instrument.rows(of), frame))

    async def _why(self, frame: int, name: str) -> list[str]:
        expression = instrument.why(name, self._frames.shown(frame).line)
        try:
            return instrument.read_lines(await self._evaluate(expression, frame))
        except (upstream.RefusedError, ValueError):
            return []

    def _called(self, frame: int, entry: int) -> Called | None:
        """The function where a frame stands, if it is not the one that is compared."""
        shown, here = self._frames.shown(entry), self._frames.counterpart(self._frames.real(frame))
        derivative = self._maps.get(maps.key(shown.path))
        at = derivative.at(shown.line) if derivative else None
        if at is None or here is None:
            return None
        name, whole = primals.name_at(here.path, here.line), primals.name_at(at.path, at.first)
        is_same = self._frames.real(frame) == entry and name == whole
        return None if is_same else Called(name, whole, at.first)

    async def _compare(self, entry: int) -> list[str]:
        shown = self._frames.shown(entry)
        derivative = self._maps.get(maps.key(shown.path))
        function = derivative.function(shown.line) if derivative else None
        if derivative is None or function is None:
            raise ValueError("gradients are compared in a derivative")
        at = derivative, function, shown.line, primals.steps_at
        is_first = derivative.order == 1
        place = standing.comparable(*at) if is_first else standing.comparable_again(*at)
        frame = {"id": entry, "line": shown.line}
        passes = await self._passes(frame, derivative, standing.counted)
        own = await self._passes(frame, derivative, standing.headed)
        expression = instrument.compared(place, [n for n, _ in passes], [n for n, _ in own])
        said = instrument.read_lines(await self._evaluate(expression, entry))
        return said or ["no gradient of a variable is complete here"]

    async def _evaluate(self, expression: str, frame: int) -> str:
        asked = {"expression": expression, "frameId": frame, "context": "clipboard"}
        return str((await self._ask("evaluate", asked))["result"])
