"""What the values of a primal are: what the inference says, by the versions of its variables.

The root has the signature that was asked for, a callee what all calls together give it. Where
nothing is known of the root, nothing is inferred, and the derivative is right for any arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adlsp.transform import ir
from adlsp.transform.facts.versions import VersionKind, Versions
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Reference, Saved
from adlsp.transform.modes.augmented import Pair, Pairs
from adlsp.transform.program import Program
from adlsp.transform.values import broadcasting, dtypes, lattice, tensors, transfer
from adlsp.transform.values.inference import NOTHING, Instances, Typed
from adlsp.transform.values.lattice import (
    EITHER,
    UNKNOWN,
    UNREACHED,
    Array,
    Number,
    Numeric,
    Signature,
    Unknown,
    Value,
    join,
)
from adlsp.transform.values.signature import signature_text


@dataclass(frozen=True, slots=True)
class World:
    """What the inference asks, in a program of which some functions have become pairs."""

    program: Program
    pairs: Pairs

    def definition(self, dotted: str) -> ir.Function | None:
        """The function that a call goes to, as the user wrote it, or as it was canonicalized."""
        if isinstance(dotted, targets.Pair):
            return self.pairs.function(dotted)
        found = self.program.definition(dotted)
        if found is None and isinstance(dotted, targets.WRITTEN):
            return self.program.function(dotted)
        return found

    def is_variable(self, dotted: str) -> bool:
        """Tells whether a name is that of a variable of a user's module."""
        return self.program.is_variable(dotted)

    def held_by(self, dotted: str) -> Value | None:
        """What a variable of a module holds, if that is functions."""
        return self.program.held_by(dotted)

    def method(self, of: str, name: str) -> ir.Held | None:
        """A method of the objects of a class."""
        return self.program.method(of, name)


class Inferred:
    """What the values of one primal are; of an atom, as the backward sweep refers to it."""

    def __init__(self, typed: Typed, versions: Versions) -> None:
        self.typed = typed
        self.by_version: dict[int, Value] = {}
        self.versions = versions
        if typed is NOTHING:
            return
        read = (
            (version, typed.reads.get(key, UNREACHED)) for key, version in versions.reads.items()
        )
        made = (
            (version, typed.writes.get(key, UNREACHED)) for key, version in versions.writes.items()
        )
        given = (
            (version, typed.given.get(version.name, UNREACHED))
            for version in versions.every
            if version.kind is VersionKind.PARAMETER
        )
        for version, value in (*given, *made, *read):
            before = self.by_version.get(version.number, UNREACHED)
            self.by_version[version.number] = join(before, value)

    def __bool__(self) -> bool:
        return self.typed is not NOTHING

    def of(self, atom: ir.Atom) -> Value:
        """What the value is to which the backward sweep refers."""
        match atom:
            case ir.Name(Reference(version=number)):
                return self.by_version.get(number, UNKNOWN)
            case ir.Const(value):
                return lattice.of_constant(value)
        return UNKNOWN

    def shape(self, name: str) -> broadcasting.Axes | None:
        """The shape of the value to which the backward sweep refers, if it is known."""
        return broadcasting.shape_of(self.of(ir.Name(name)))

    def read(self, statement: ir.Statement, atom: ir.Atom) -> Value:
        """What an atom is where a statement reads it."""
        return self.typed.of(statement, atom) if self else UNKNOWN

    def written(self, statement: ir.Statement, name: str) -> Value:
        """What a statement makes of a variable."""
        return self.typed.writes.get((statement, name), UNKNOWN) if self else UNKNOWN

    def cell(self, store: ir.Store) -> Value:
        """What stands at the place that a store sets."""
        base = self.read(store, ir.Name(store.base))
        if store.index is None:
            return base
        index = self.read(store, store.index)
        return transfer.result("operator.getitem", transfer.Given((base, index), {}))

    def arrays(self) -> frozenset[str]:
        """The variables that are always numbers or arrays."""
        every: dict[str, Value] = {}
        for name, value in self._values():
            every[name] = value if isinstance(every.get(name, value), _NUMERIC) else UNKNOWN
        return frozenset(name for name, value in every.items() if isinstance(value, _NUMERIC))

    def double_arrays(self) -> frozenset[str]:
        """The variables that are always arrays of double precision."""
        values = [*self._values()]
        others = {n for n, v in values if not (isinstance(v, Array) and is_double(v))}
        return frozenset(name for name, _ in values) - others

    def scalars(self) -> frozenset[int]:
        """The versions that are numbers, or arrays without axes."""
        return frozenset(number for number, value in self.by_version.items() if is_scalar(value))

    def integers(self) -> frozenset[int]:
        """The versions that are single integers."""
        return frozenset(
            number
            for number, value in self.by_version.items()
            if isinstance(value, Number) and value.kind == "int"
        )

    def is_double(self) -> bool:
        """Tells whether all numbers are of double precision, or less exact ones and integers.

        An adjoint of a variable of double precision then is of double precision, too.
        """
        return bool(self) and all(
            _is_double(value) for name, value in self._values() if not isinstance(name, Saved)
        )

    def _values(self) -> Iterator[tuple[str, Value]]:
        yield from self.typed.given.items()
        for (_, name), value in (*self.typed.reads.items(), *self.typed.writes.items()):
            yield name, value


_NUMERIC = Number | Array | Numeric


def told(given: Signature, home: str) -> str:
    """What a docstring says of the arguments that a derivative is for: a paragraph, or nothing."""
    return f"\n\nFor {signature_text(given, home)}." if given else ""


def is_scalar(value: Value) -> bool:
    """Tells whether a value is a number, or an array without axes."""
    is_array = isinstance(value, Array) and value.library == "numpy"
    return isinstance(value, Number) or (is_array and broadcasting.shape_of(value) == ())


def is_double(value: Value) -> bool:
    """Tells whether a value is a float of double precision, or an array of such."""
    match value:
        case Number(kind="float", dtype=dtype):
            return dtype in (None, EITHER, "float64")
        case Array(dtype="float64", library="numpy"):
            return True
    return False


def _is_double(value: Value) -> bool:
    """Tells whether all numbers in a value are of double precision, or integers."""
    match value:
        case Unknown():
            return False
        case Number(kind=kind, dtype=dtype):
            return kind != "complex" and (dtype in (None, EITHER) or _is_exact(dtype))
        case Array(dtype=str() as dtype, library="numpy") | Numeric(dtype=str() as dtype):
            return _is_exact(dtype)
        case Array() | Numeric():
            return False
    return all(_is_double(held) for _, held in lattice.parts(value))


def _is_exact(dtype: str) -> bool:
    return dtype == "float64" or dtypes.kind(dtype) in ("bool", "int")


class Callees:
    """What the callees of a derivative are given, by all calls that were met so far."""

    def __init__(self, program: Program, pairs: Pairs) -> None:
        self.program = program
        self.instances = Instances(World(program, pairs))
        self.signatures: dict[str, Signature] = {}

    def given(self, pair: Pair | None) -> Signature:
        """What a callee is given; or the root, of which there is no pair."""
        if pair is None:
            return self.program.given
        return self.signatures.get(pair.name, {})

    def typed(self, function: ir.Function, pair: Pair | None) -> Typed:
        """What is known of a function that is ready to be reversed, and notes what it calls."""
        signature = self.given(pair)
        if not signature:
            return NOTHING
        typed = self.instances.of(function, signature)
        for statement, passed in typed.passed.items():
            match statement:
                case ir.Assign(value=ir.Call(function=targets.Pair(of=name))):
                    before = self.signatures.get(name)
                    self.signatures[name] = passed if before is None else _both(before, passed)
        return tensors.alone(typed) if self.program.has_tensors else typed


def _both(one: Signature, other: Signature) -> Signature:
    return {name: join(value, other.get(name, UNKNOWN)) for name, value in one.items()}
