"""What a global name means: the one question that the static and the live way answer differently.

Both give *dotted names* (`np.tanh` is `numpy.tanh`). The static resolver reads the texts of modules
and follows their imports; it never runs anything. The live resolver (in `api.py`) starts from
function objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import gast

from adlsp.transform.source import Source


@dataclass(frozen=True, slots=True)
class Binding:
    """What a name means: `kind` is "module", "function", "class", "value" or "missing".

    "function" is a user's function whose source may be looked up by `definition`; things of modules
    whose text is not read (NumPy, the standard library) are "value" and are known by rules, or not.
    """

    kind: str
    dotted: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A function definition in the text of a module."""

    source: Source
    node: gast.FunctionDef

    @property
    def dotted(self) -> str:
        """The name by which it is called: `mypkg.losses.loss`."""
        return f"{self.source.module}.{self.node.name}"


class Resolver(Protocol):
    """Answers what names mean; see `StaticResolver` and `api.LiveResolver`."""

    def name(self, source: Source, name: str) -> Binding:
        """What the global `name` means in a module (builtins included, as `builtins.len`)."""

    def attribute(self, binding: Binding, attribute: str) -> Binding:
        """What `attribute` of a module or class means."""

    def definition(self, dotted: str) -> Definition | None:
        """The definition of a user's function, or None where there is no text to read."""
