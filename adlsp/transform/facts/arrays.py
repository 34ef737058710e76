"""Which variables are surely numbers or arrays, and no lists, tuples or dictionaries.

This is type inference, for one question. NumPy takes lists for arrays, so that `np.sum(x)` and
`x @ y` say nothing of `x`: its gradient has to be put into the structure that `x` turns out to
have. But a list has no `.T` and no `x[:, 0]`, and Python does no arithmetic with it. (NumPy does,
with a list and an array. There sums over broadcasting give the gradient the structure of the list.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from adlsp.transform import ir
from adlsp.transform.facts import containers, elements, graphs, operations, points_to
from adlsp.transform.facts.indices import Indices
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step
from adlsp.transform.ops.spec import Kind

if TYPE_CHECKING:
    from adlsp.transform.facts.facts import Facts


ANNOTATIONS = ("ndarray", "NDArray", "Array", "float", "int", "complex")


def arrays(facts: Facts, *, is_derived: bool) -> frozenset[str]:
    """The variables of a function that are surely numbers or arrays.

    In a derivative of ours, arithmetic does not tell: it may be NumPy's, with a list.
    """
    function, numbered, indices = facts.function, facts.versions, facts.indices
    known: set[int] = set()
    for statement in ir.walk(function.body):
        for atom in _taken(statement, indices, is_derived=is_derived):
            version = numbered.reads.get((statement, atom.id))
            if version is not None:
                known.update(_makers(version))
    _note_origins(function, numbered, indices, known)
    annotated = {p.name for p in function.parameters if _is_annotated(p)}
    others = {
        version.name
        for version in numbered.every
        if version.kind in BINDING
        and version.number not in known
        and not (version.kind is VersionKind.PARAMETER and version.name in annotated)
        and not _is_made(version, numbered, known)
    }
    inferred = frozenset() if facts.inferred is None else facts.inferred.arrays()
    return frozenset(version.name for version in numbered.every) - others | inferred


def cells(facts: Facts) -> frozenset[ir.Store]:
    """The stores `p[i] = v` that may put `v` itself into a list or dictionary of the caller's.

    As far as the text tells, they put numbers into an array. So do elements that are put into lists
    that the function makes. What has changed under a name for a part is put back.
    """
    function = facts.function
    stores = [
        statement
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Store) and isinstance(statement.value, ir.Name)
        if statement.index is not None and statement.kind.replaces and not statement.is_each
    ]
    if not stores:
        return frozenset()
    numbered, indices, whole = facts.versions, facts.indices, facts.arrays()
    read = elements.element_reads(facts, None)
    parts = points_to.copied_parts(function.body)
    return frozenset(
        store
        for store in stores
        if store.base not in whole
        and parts.isdisjoint(ir.names((store.value,)))
        and indices.may_be_cell(store)
        and not (
            containers.kind_of(numbered.reads.get((store, store.base)), numbered)
            and indices.source(store, store.value) in read
        )
    )


def _note_origins(
    function: ir.Function, numbered: Versions, indices: Indices, known: set[int]
) -> None:
    """Adds to the known versions those that a known one is a copy or a slice of."""
    makers = defaultdict[int, set[int]](set)
    for read, origin in _origins(function, indices):
        if (read, origin.id) in numbered.reads:
            made = numbered.writes[read, read.targets[0]]
            makers[made.number] |= _makers(numbered.reads[read, origin.id])
    known.update(graphs.reached(known, makers.__getitem__))


def _origins(function: ir.Function, indices: Indices) -> Iterator[tuple[ir.Assign, ir.Name]]:
    """The statements that copy a parameter or read a slice of a variable, with that."""
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(
                is_tuple=False, value=ir.Call("operator.getitem", (ir.Name() as base, index))
            ) if indices.is_slice(statement, index) and not indices.is_path(statement, index):
                yield statement, base
            case ir.Assign(
                is_tuple=False, value=ir.Call(args=(ir.Name() as given, *_)), role=ir.Role.INIT
            ) if not isinstance(statement.targets[0], Step):
                yield statement, given


BINDING = (VersionKind.PARAMETER, VersionKind.ASSIGN, VersionKind.TARGET, VersionKind.ELEMENT)
"""The kinds of versions that are objects of their own."""


def is_of_containers(function: str) -> bool:
    """Tells whether lists, tuples or dictionaries have a method."""
    return not {Kind.LIST, Kind.DICT}.isdisjoint(operations.of(function).of)


def _is_annotated(parameter: ir.Parameter) -> bool:
    name = (parameter.annotation or "").partition("[")[0].rpartition(".")[2]
    return name in ANNOTATIONS


def _makers(version: Version) -> set[int]:
    """The versions whose object a version may be."""
    if not version.priors:
        return {version.number}
    return {one.number for one in graphs.reached([version], lambda one: one.priors)}


def _is_made(version: Version, numbered: Versions, known: set[int]) -> bool:
    """Tells whether a version is surely made as a number or array."""
    match version.statement:
        case ir.Assign(is_tuple=False, value=ir.Const(value=int() | float() | complex())):
            return version.kind is VersionKind.ASSIGN
        case ir.Assign(is_tuple=False, value=ir.Call(function=function, args=args)) as made:
            if made.role is ir.Role.INIT:
                given, *_ = args
                assert isinstance(given, ir.Name)
                return numbered.reads[made, given.id].number in known
            return operations.gives_array(function) and not is_of_containers(function)
        case ir.Assign(is_tuple=False, value=ir.Name(id)) as made:
            read = numbered.reads.get((made, id))
            return read is not None and read.number in known
    return False


def _taken(statement: ir.Statement, indices: Indices, *, is_derived: bool) -> Iterator[ir.Name]:
    """The variables that a statement does with what is done with numbers and arrays only."""
    atoms: tuple[ir.Atom, ...] = ()
    match statement:
        case ir.Assign(value=ir.Call("operator.getitem", (base, index))):
            atoms = (base,) if _is_of_arrays(statement, index, indices) else ()
        case ir.Assign(value=ir.Call(function=function, args=args)):
            if operations.takes_no_lists(function) and not (
                is_derived and targets.is_operator(function)
            ):
                atoms = args
            elif targets.is_member(function) and not is_of_containers(function):
                atoms = args[:1]
        case ir.Store(base=base, index=None, kind=kind) if kind is not ir.StoreKind.ADD:
            atoms = (ir.Name(base),)
        case ir.Store(base=base, index=index) if index and not ir.sets_cell(statement):
            atoms = (ir.Name(base),) if _is_of_arrays(statement, index, indices) else ()
    yield from (atom for atom in atoms if isinstance(atom, ir.Name))


def _is_of_arrays(statement: ir.Statement, index: ir.Atom, indices: Indices) -> bool:
    """Tells whether an index has parts, or is `None` or `...`."""
    if isinstance(index, ir.Const):
        return index.value is None or index.value is ...
    made = indices.definition(statement, index)
    return isinstance(made, ir.Call) and made.function == "python.tuple"
