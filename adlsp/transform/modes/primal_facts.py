"""Everything the modes know of a primal that is prepared, beyond the facts of any function."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import pairwise

from adlsp.transform import ir
from adlsp.transform.facts import (
    activity,
    callees,
    complexes,
    containers,
    operations,
    shapes,
    versions,
)
from adlsp.transform.facts.indices import Indices, is_key
from adlsp.transform.facts.numbers import Numbers
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Generated, Step, Tangent
from adlsp.transform.modes.builder import OLD
from adlsp.transform.ops.spec import Kind
from adlsp.transform.program import Program
from adlsp.transform.rules import table
from adlsp.transform.values import dtypes
from adlsp.transform.values.inference import NOTHING, Typed
from adlsp.transform.values.inferred import Inferred


@dataclass(frozen=True, slots=True)
class PrimalFacts:
    """The facts of one primal, ready to be differentiated.

    - `in_place` are the variables whose adjoint is changed in place;
    - `lists` those that become longer or shorter, or get another object into a cell;
    - `displays` those that are written down, or known, as lists or tuples;
    - `tuples` the parameters that are surely tuples;
    - `optional` the variables that are `None` on some ways, as their adjoints are;
    - `arrays` those that are surely numbers or arrays;
    - `inferred` says what their values are, for a known signature;
    - `replaced` tells of stores into cells of containers what reads the object that was there
      before, and its name;
    - `makes_complex`: what is real may meet complex numbers on its way to the result, as the text
      says;
    - `meets_complex`: it may, as the text, the arguments or the caller say;
    - `mixes_complex`: values of one shape may be real and complex.
    """

    function: ir.Function
    program: Program
    activity: activity.Activity
    versions: versions.Versions
    shapes: shapes.Shapes
    numbers: Numbers
    indices: Indices
    in_place: frozenset[str]
    lists: frozenset[str]
    displays: frozenset[str]
    tuples: frozenset[str]
    optional: frozenset[str]
    arrays: frozenset[str]
    inferred: Inferred
    replaced: dict[ir.Statement, tuple[ir.Statement, str]]
    makes_complex: bool
    meets_complex: bool
    mixes_complex: bool

    def is_own_list(self, name: str) -> bool:
        """Tells whether a list that becomes longer and shorter is one that a derivative made."""
        is_generated = isinstance(name, Generated)
        return self.function.is_derived and is_generated and name in self.lists

    def taken_as_lists(
        self, rule: table.Rule, template: table.Template, given: Mapping[str, ir.Atom]
    ) -> tuple[str, ...]:
        """The parameters for which a rule is given lists, though it computes with arrays.

        Of several that it compares one must be an array: lists are compared as a whole.
        """

        def is_listed(atom: ir.Atom) -> bool:
            if not isinstance(atom, ir.Name):
                return False
            name = atom.id.of if isinstance(atom.id, Tangent) else atom.id
            return name in self.lists or (rule.kind == "elementwise" and name in self.displays)

        found = dict.fromkeys(
            name for name, atom in given.items() if is_listed(atom) and template.computes_with(name)
        )
        compared = [name for name in rule.of if name in given and template.compares(name)]
        if len(compared) > 1 and all(map(self.may_be_list, (given[name] for name in compared))):
            found[compared[0]] = None
        return tuple(found)

    def narrow(
        self,
        statement: ir.Assign,
        rule: table.Rule,
        template: table.Template,
        given: Mapping[str, ir.Atom],
    ) -> dict[str, str]:
        """The parameters with which a rule would leave their dtype, each with one that is wide.

        `u * u` and `-u` of pixels of eight bits are others than those of the numbers in them. What
        is differentiated is made a float, what is counted, as the order of a polynomial, an `int`.
        """
        made = self.inferred.written(statement, statement.targets[0])
        values = {name: self.inferred.read(statement, atom) for name, atom in given.items()}
        narrow = {name: value for name, value in values.items() if dtypes.is_narrow(value, made)}
        whole = {name for name, value in narrow.items() if dtypes.is_whole(value)}
        found = template.computes_within({*narrow}, whole) if narrow else ()
        return {name: dtypes.wide(made) if name in rule.of else "builtins.int" for name in found}

    def may_be_list(self, atom: ir.Atom) -> bool:
        """Tells whether an argument may be a list: it is not surely a number or an array."""
        return isinstance(atom, ir.Name) and atom.id not in self.arrays


def gather(
    function: ir.Function,
    wrt: tuple[str, ...],
    program: Program,
    pair: Callable[[str], ir.Function | None] = lambda _: None,
    typed: Typed = NOTHING,
    is_met: bool = False,
) -> PrimalFacts:
    """Asks for the facts that both modes need; `pair` finds the function that a pair stands for.

    `is_met`: what calls the function meets complex numbers, so that gradients may be some.
    """
    own = program.facts(function)
    active, numbered, indices = own.activity(wrt), own.versions, own.indices
    inferred = Inferred(typed, numbered)
    whole = own.arrays(is_derived=own.is_derived) | inferred.arrays()
    summaries = program.summaries

    def result(call: ir.Call, shape: Callable[[ir.Atom], Hashable]) -> Hashable | None:
        return summaries.result(call, shape, pair(call.function))

    def single(call: ir.Call) -> Iterator[ir.Atom]:
        return summaries.numbers(call, pair(call.function))

    scalars = inferred.scalars(), inferred.without_axes()
    known = shapes.Shapes(function, numbered, indices, program, whole, result, *scalars)
    tuples = _tuples(function)
    makes_complex = complexes.makes_complex(function, program, pair)
    stores = [s for s in ir.walk(function.body) if isinstance(s, ir.Store)]
    return PrimalFacts(
        function,
        program,
        active,
        numbered,
        known,
        Numbers(function, known, single),
        indices,
        _in_place(function, active) - tuples,
        frozenset(s.base for s in stores if ir.resizes(s))
        | _set_lists(stores, numbered, own.inferred),
        _displays(function) | _given(own.inferred),
        tuples,
        _optional(function),
        whole,
        inferred,
        _replaced(function.body),
        makes_complex,
        makes_complex or is_met or inferred.has_complex(),
        makes_complex or inferred.has_complex() or complexes.takes_parts(function),
    )


def _set_lists(
    stores: Iterable[ir.Store], numbered: versions.Versions, inferred: callees.Inferred | None
) -> frozenset[str]:
    """The lists of a function's own of which cells are set: an array for one has no cells."""
    kinds = {} if inferred is None else inferred.containers()
    objects = frozenset[str]() if inferred is None else inferred.objects()
    others = {name for name, kind in kinds.items() if kind is Kind.DICT} | objects
    others |= {s.base for s in stores if s.kind is ir.StoreKind.ENTER or is_key(s.index)}
    made = ((s.base, numbered.reads.get((s, s.base))) for s in stores)
    others |= {n for n, given in made if containers.kind_of(given, numbered) is Kind.DICT}
    setting = {s.base for s in stores if s.kind in (ir.StoreKind.SET, ir.CHANGE)}
    return frozenset(setting - others)


def _given(inferred: callees.Inferred | None) -> frozenset[str]:
    """The variables that are always lists or tuples."""
    kinds = {} if inferred is None else inferred.containers()
    return frozenset(name for name, kind in kinds.items() if kind is not Kind.DICT)


def _replaced(block: ir.Block) -> dict[ir.Statement, tuple[ir.Statement, str]]:
    """For each store into a cell the step that `prepare` has put before it, and its name."""
    found: dict[ir.Statement, tuple[ir.Statement, str]] = {}
    for before, statement in pairwise(block):
        if isinstance(statement, ir.Store) and isinstance(before, ir.Assign):
            (name, *_) = before.targets
            if isinstance(name, Step) and name.purpose == OLD and before.role is ir.Role.SAVE:
                found[statement] = before, name
    for statement in block:
        for inner in ir.blocks(statement):
            found |= _replaced(inner)
    return found


def _optional(function: ir.Function) -> frozenset[str]:
    return frozenset(
        name
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign) and statement.value == ir.Const(None)
        for name in statement.targets
    )


def _displays(function: ir.Function) -> frozenset[str]:
    return frozenset(
        statement.targets[0]
        for statement in ir.walk(function.body)
        if isinstance(statement, ir.Assign) and not statement.is_tuple
        if isinstance(statement.value, ir.Call)
        if statement.value.function in ("python.list", "python.tuple")
    )


def _tuples(function: ir.Function) -> frozenset[str]:
    """The parameters that are declared as tuples, and never bound again but to a copy on entry."""
    bound = {
        name
        for statement in ir.walk(function.body)
        for name in ir.writes(statement)
        if statement.role is not ir.Role.INIT
    }
    return frozenset(p.name for p in function.parameters if p.annotation == "tuple") - bound


def _in_place(function: ir.Function, active: activity.Activity) -> frozenset[str]:
    """The variables with element reads or stores that are active."""
    found = set()
    for statement in ir.walk(function.body):
        varied = active.varied_before[statement]
        match statement:
            case ir.Store(base=base, index=index) if index is not None:
                found.add(base)
            case ir.Assign(value=ir.Call(function=called, args=(ir.Name(base), _))) if (
                called in ir.READING
            ):
                if base in varied:
                    found.add(base)
            case ir.For(iterable=ir.Name(base)):
                found |= active.stored_over(statement) | ({base} & varied)
            case ir.Assign(value=ir.Call(function=called, args=args)) if operations.combines(
                called
            ):
                found |= {*ir.names(args)} & varied
            case ir.Assign(value=ir.Name(base), is_tuple=True) if base in varied and not isinstance(
                base, Step
            ):
                found.add(base)
    return frozenset(found)
