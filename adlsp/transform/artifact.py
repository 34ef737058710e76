"""What the engine gives: a request, and the derivative that answers it.

These are the types that the outer rooms (library, command line, server, debugger) speak.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import Role
from adlsp.transform.source import Span

Kind: TypeAlias = Literal["grad", "value_and_grad", "vjp", "jvp"]
"""Which derivative it is; `jvp` alone is a forward one."""

GRADIENT: tuple[Kind] = ("grad",)

FORMS: Mapping[str, str] = MappingProxyType(
    {
        "ir": "the intermediate form of the function, as it is lowered",
        "canonical": "the same after what people write in many ways is written in one",
        "facts": "the same, ready to be reversed, with what the analyses say at the right",
    }
)
"""The stages before a derivative, and what each shows."""

STAGES: Mapping[str, str] = MappingProxyType(
    {
        **FORMS,
        "raw": "the derivative as it is first written",
        "optimized": "the derivative as it runs",
    }
)
"""The stages of a function on its way to its derivative, in order."""


@dataclass(frozen=True, slots=True)
class Request:
    """Asks for the derivative of one function.

    `function` is its dotted name (`digits.loss`), `wrt` the parameters of interest by name, in the
    order in which gradients come back. `is_tuple` says that they come back as a tuple, also when it
    is one. `outputs` names parameters whose values after the call are the outputs, for functions
    that change arrays and return nothing. `signature` says what the parameters are, in the form of
    `values/signature.py`, and `assumes` what others are assumed to be, as they are used; nothing is
    known of the rest. With `inner`, the derivative that `inner`
    asks for is what is differentiated.
    """

    function: str
    wrt: tuple[str, ...]
    is_tuple: bool = False
    kind: Kind = "grad"
    order: int = 1
    outputs: tuple[str, ...] = ()
    optimize: bool = True
    inner: Request | None = None
    signature: str = ""
    assumes: str = ""

    @property
    def gives_number(self) -> bool:
        """Tells whether what is differentiated has to return a number."""
        return self.kind in ("grad", "value_and_grad") and not self.outputs

    @property
    def innermost(self) -> Request:
        """The request for the derivative of the function itself."""
        return self if self.inner is None else self.inner.innermost


@dataclass(frozen=True, slots=True)
class MappedLine:
    """One line of a derivative: what it does, and the primal statement it comes from.

    It is an entry of the source map. Where a call is written out, `primal` is the statement that
    calls, and `inlined` are those of callees that stand there, the innermost last.
    """

    line: int
    role: Role
    primal: Span
    inlined: tuple[Span, ...] = ()

    @property
    def places(self) -> tuple[Span, ...]:
        """All statements of primals that the line comes from."""
        return (self.primal, *self.inlined)


SourceMap = tuple[MappedLine, ...]


@dataclass(frozen=True, slots=True)
class Derivative:
    """Readable Python for a derivative, and where each line of it came from.

    `name` is the function to call in `source` ("" and no text where findings prevent a derivative),
    `primal` the span of the primal's name where it is defined, `path` the file that holds the text
    once somebody wrote it.
    """

    request: Request
    name: str
    source: str
    source_map: SourceMap
    findings: tuple[Diagnostic, ...]
    primal: Span | None = None
    path: str | None = None
