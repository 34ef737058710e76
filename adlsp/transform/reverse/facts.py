"""Everything the backward sweep knows of the function that it reverses."""

from __future__ import annotations

from dataclasses import dataclass

from adlsp.transform import ir
from adlsp.transform.analyses import activity, shapes, versions
from adlsp.transform.program import Program
from adlsp.transform.reverse.indices import Indices

ARRAYS = {"numpy.ndarray", "np.ndarray", "ndarray"}


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one function, ready to be reversed.

    `in_place` names the variables whose adjoint is changed in place.
    """

    function: ir.Function
    program: Program
    activity: activity.Activity
    versions: versions.Versions
    shapes: shapes.Shapes
    indices: Indices
    in_place: frozenset[str]

    def is_array(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom is surely an array and not a list, tuple or dict."""
        if not isinstance(atom, ir.Name):
            return False
        version = self.versions.reads.get((statement, atom.id))
        return version is not None and self._is_array(version, set())

    def _is_array(self, version: versions.Version, seen: set[int]) -> bool:
        if version.number in seen:
            return True
        seen.add(version.number)
        if version.kind in ("store", "head", "join", "exit"):
            return bool(version.priors) and all(self._is_array(v, seen) for v in version.priors)
        if version.kind == "parameter":
            parameter = next(p for p in self.function.parameters if p.name == version.name)
            return parameter.annotation in ARRAYS
        match version.statement:
            case ir.Assign(is_tuple=False, value=ir.Call(function=function)):
                return function.startswith("numpy.") or function in ("ndarray.reshape", "ndarray.T")
        return False


def gather(function: ir.Function, wrt: tuple[str, ...], program: Program) -> Facts:
    """Runs the analyses that reversing needs."""
    active = activity.activity(function, wrt, program.flow)
    numbered = versions.versions(function)
    known = shapes.Shapes(function, numbered, program)
    return Facts(
        function,
        program,
        active,
        numbered,
        known,
        Indices(function, numbered),
        _in_place(function, active),
    )


def _in_place(function: ir.Function, active: activity.Activity) -> frozenset[str]:
    """The variables with element reads or stores that are active."""
    found = set()
    for statement in ir.walk(function.body):
        varied = active.varied_before[statement]
        match statement:
            case ir.Store(base=base, index=index) if index is not None:
                found.add(base)
            case ir.Assign(value=ir.Call(function="operator.getitem", args=(ir.Name(base), _))):
                if base in varied:
                    found.add(base)
            case ir.For(iterable=ir.Name(base)) if base in varied:
                found.add(base)
    return frozenset(found)
