"""What is known of a function: each fact is worked out when somebody first asks for it.

Checks, both modes and the rewriting before them ask the same table, so that what one of them has
worked out of a function is there for the next. Such a table is called an analysis manager. A fact
is never wrong later: functions are values, and what a pass changes is another function.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import TypeVar

from adlsp.transform import ir
from adlsp.transform.facts import (
    activity,
    aliases,
    arrays,
    callees,
    dataflow,
    demand,
    effects,
    elements,
    indices,
    iteration,
    liveness,
    operations,
    persistent,
    shapes,
    versions,
)
from adlsp.transform.ir import variables
from adlsp.transform.ops.spec import CONTAINERS, Kind

Fact = TypeVar("Fact")

LASTING = (*CONTAINERS, Kind.RANGE, Kind.INTEGER)
"""What can be run over again, if at all."""

COPY = "adlsp.runtime.copy"
"""The call by which a statement changes a copy instead of what has other names."""

MOST = 5000
"""How many statements the functions may have together whose facts are remembered."""


class Facts:
    """The facts of one function; those about its calls go by the answers of the program."""

    def __init__(self, function: ir.Function, known: callees.Callees | None = None) -> None:
        self.function = function
        self.known = known
        self._asked: dict[Hashable, object] = {}

    @cached_property
    def iterations(self) -> iteration.Iterations:
        """What its loops run over."""
        return iteration.Iterations(self.function)

    @cached_property
    def live(self) -> dataflow.Solution[liveness.Live]:
        """Which variables are read again."""
        return liveness.live(self.function)

    @property
    def versions(self) -> versions.Versions:
        """Which values of its variables the statements read."""
        given = self.function, self.iterations, self.live.heads
        return self._once("versions", lambda: versions.versions(*given, self._clobbered()))

    def _clobbered(self) -> dict[ir.Statement, list[str]]:
        """What statements may change without a word, under all names that it may have.

        So does a store, of memory that is changed so elsewhere: that cannot be undone.
        """
        statements = [*ir.walk(self.function.body)]
        if self.known is None:
            return {}
        spoiled = {n for s in statements for n in effects.changed(s, effects.UNSAID, self.known)}
        groups = aliases.classes(self.function.body) if spoiled else {}
        spoiled = {n for n in aliases.together(spoiled, groups) if isinstance(n, str)}
        copies = {name for s in statements if _is_copy(s) for name in ir.writes(s)}
        found: dict[ir.Statement, list[str]] = {}
        for statement in statements if spoiled else ():
            names = {*effects.changed(statement, effects.UNCOPIED, self.known)} - copies
            if isinstance(statement, ir.Store) and statement.base in spoiled:
                names.add(statement.base)
            every = aliases.together(names, groups)
            found[statement] = sorted(name for name in every if isinstance(name, str))
        return found

    @property
    def indices(self) -> indices.Indices:
        """What is known of its indices."""
        return self._once(
            "indices", lambda: indices.Indices(self.function, self.versions, self.inferred)
        )

    @property
    def inferred(self) -> callees.Inferred | None:
        """What its values are, if it is known what it is given."""
        known = self.known
        return (
            None if known is None else self._once("inferred", lambda: known.inferred(self.function))
        )

    def note_inferred(self, inferred: callees.Inferred) -> None:
        """Notes what the values are, as was found out already, where that is not known yet."""
        if self._asked.get("inferred") is None:
            self._asked["inferred"] = inferred

    @property
    def shapes(self) -> shapes.Shapes:
        """What is known of shapes from the text of this function alone."""
        known = self.known
        assert known is not None
        return self._once(
            "shapes", lambda: shapes.Shapes(self.function, self.versions, self.indices, known)
        )

    @property
    def cells(self) -> frozenset[ir.Store]:
        """The stores that may put an object into a list or dictionary of the caller's."""
        return self._once("cells", lambda: arrays.cells(self))

    @cached_property
    def is_derived(self) -> bool:
        """Whether it is a function of an earlier derivative."""
        return self.function.is_derived

    def is_run_again(self, reader: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether what a statement reads is surely no iterator, which can be run over once.

        Nor are there slices of iterators.
        """
        match atom:
            case ir.Const():
                return True
            case ir.Name(id):
                source = self.indices.source(reader, atom)
                if isinstance(source, ir.Assign) and self._makes_lasting(source):
                    return True
                if id in self.arrays(is_derived=self.is_derived):
                    return True
        return self.inferred is not None and self.inferred.is_run_again(reader, atom)

    def _makes_lasting(self, statement: ir.Assign) -> bool:
        """Tells whether a statement makes something that is surely no iterator."""
        match statement:
            case ir.Assign(value=ir.Name() as other, is_tuple=False):
                return self.is_run_again(statement, other)
            case ir.Assign(value=ir.Call("operator.getitem", (_, index)), is_tuple=False):
                return self.indices.is_slice(statement, index)
            case ir.Assign(value=ir.Call(function), is_tuple=False):
                record = operations.of(function)
                is_view = bool(record.is_one_way) and not operations.combines(function)
                return is_view or record.gives in LASTING
        return False

    def arrays(self, *, is_derived: bool = False) -> frozenset[str]:
        """Which variables are surely numbers or arrays; in a derivative more is."""
        key = "arrays", is_derived
        return self._once(key, lambda: arrays.arrays(self, is_derived=is_derived))

    def activity(self, wrt: tuple[str, ...]) -> activity.Activity:
        """What depends on some inputs and influences the result."""
        assert self.known is not None
        given = self.function, wrt, self.known.flow, self.iterations
        return self._once(("activity", wrt), lambda: activity.activity(*given, self.useful))

    @property
    def useful(self) -> dataflow.Solution[persistent.Set[str]]:
        """What influences the result."""
        assert self.known is not None
        given = self.function, self.known.flow, self.iterations
        return self._once("useful", lambda: activity.useful(*given))

    def aliases(self, *, scalar_elements: bool = True, are_held: bool = False) -> aliases.Aliases:
        """Which variables may share memory, on some assumptions."""

        def make() -> aliases.Aliases:
            assumed = aliases.assumed(self, scalar_elements=scalar_elements, are_held=are_held)
            return self._once(("aliases", assumed), lambda: aliases.aliases(self, assumed))

        return self._once(("aliases", scalar_elements, are_held), make)

    def element_reads(self) -> frozenset[ir.Assign]:
        """The statements that are taken to read numbers."""
        return self._once("reads", lambda: elements.element_reads(self, self.known))

    def _once(self, key: Hashable, make: Callable[[], Fact]) -> Fact:
        """A fact that is worked out once; with recursion it may be found again by more answers."""
        answers = demand.Answers() if self.known is None else self.known.answers
        return answers.once(self._asked, key, make)


def _is_copy(statement: ir.Statement) -> bool:
    """Tells whether a statement makes a copy that has no other name until it was changed."""
    match statement:
        case ir.Assign(targets=(target,), value=ir.Call(function=function)):
            return isinstance(target, variables.Step) and function == COPY
    return False


class Table:
    """The facts of functions, by the functions themselves: those that were asked for last."""

    def __init__(self, known: callees.Callees) -> None:
        self.known = known
        self._facts: dict[ir.Function, Facts] = {}
        self._sizes: dict[ir.Function, int] = {}

    def of(self, function: ir.Function) -> Facts:
        """The facts of a function."""
        found = self._facts.pop(function, None)
        if found is None:
            found = Facts(function, self.known)
            self._sizes[function] = sum(1 for _ in ir.walk(function.body))
        self._facts[function] = found
        while len(self._facts) > 1 and sum(self._sizes.values()) > MOST:
            oldest = next(iter(self._facts))
            del self._facts[oldest], self._sizes[oldest]
        return found

    def forget(self, function: ir.Function) -> None:
        """Forgets what rests on answers about calls that are answered better from now on."""
        if self._facts.pop(function, None) is not None:
            del self._sizes[function]
