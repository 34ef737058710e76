"""The passes over functions, in the order in which they run, each with what it needs and gives.

What a pass gives to the form stays true until another loses it. So an order is right if each pass
has what it needs where it stands, and if nothing is lost in the end: a test sees to that.

A function is canonicalized when a program first asks for it (`CANONICAL`). What is differentiated
is desugared where it is active, and prepared for one of the modes; what a mode has written is
optimized.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Generic, TypeVar

from adlsp.transform import ir
from adlsp.transform.canonical import (
    alias_names,
    argument_unpacking,
    container_lowering,
    copy_out,
    desugar,
    evaluation_order,
    idioms,
    inline,
    loop_indexing,
    objects,
    operands,
    overloads,
    rebinding,
    scalar_replacement,
    unlowered,
    view_places,
    view_write_back,
    webs,
)
from adlsp.transform.facts import containers
from adlsp.transform.frozen import dataclass
from adlsp.transform.modes import guards, iterators, prepare, reordering, rereading
from adlsp.transform.modes.augmented import Pairs
from adlsp.transform.optimize import (
    algebraic,
    broadcasts,
    coalesce,
    constant_folding,
    copy_propagation,
    dead_code,
    store_forwarding,
    view_elision,
)
from adlsp.transform.program import Canonical, Program
from adlsp.transform.rules import table
from adlsp.transform.values.broadcasting import Axes
from adlsp.transform.values.inferred import Inferred

Form = TypeVar("Form")
Around = TypeVar("Around")


class Has(Enum):
    """What a function has from some pass on: the invariants of the form."""

    ONE_KIND = "what a name stands for is a list everywhere, or nowhere"
    READ_FIRST = "what an operator changes is read before what may set it meanwhile"
    PLAIN_OPERANDS = "operands of library functions stand by position, and say what they need to"
    GENERATORS_WRITTEN_OUT = "generators that loops run over stand around the bodies of these"
    VALUES_LISTED = "what is run through at once is a list of what a generator gives"
    EFFECTS_IN_LOOPS = "comprehensions whose calls change what they are given are loops"
    CALLEES_WRITTEN_OUT = "what callees do to lists and dictionaries of the function stands in it"
    MADE_AT_ONCE = "objects of its own have from the start what their constructors set first"
    PARTS = "objects of its own, of which parts change, are variables, where only parts are read"
    PLAIN_ARGUMENTS = "no call has stars, where the program tells what they give"
    ARRAYS_IN_ORDER = "what puts an array in order is a store, where it is known to be one"
    LISTS_EXTENDED = "what `values += x` adds to a list are its elements, or the sum is an array"
    COPIES_TOLD = "a copy says that it is one of a list or dictionary, where what changes it tells"
    RESIZING_STORES = "what makes own lists and dictionaries longer or shorter is a store"
    GROUPS = "what lists in own lists and dictionaries grow by is a store, where only these have it"
    KNOWN_EFFECTS = "what stays as it was written tells what its calls change"
    ONE_NAME = "what is written into has one name, where that is sure"
    CELL_STORES = "a store tells whether it sets a cell of an own list or dictionary"
    COUNTED_ROWS = "a loop that writes into rows counts them"
    AT_PLACES = "no name shows a part of an array that changes meanwhile, where that is sure"
    WRITTEN_BACK = "what is written by a name for a part is put into the array"
    EFFECTS_AS_RESULTS = "what a call changes it gives back"

    OPERANDS_SPREAD = "operands with a star stand one by one, where it is known how many there are"
    OPTIONS_KNOWN = "an option that decides on a rule is a constant, where that is known"
    ARRAYS_MADE = "a list is made an array where a rule is about arrays"
    PLAIN_TESTS = "the test of a loop only looks: nothing in it is active"
    BOUND_ANEW = "`h += v` binds `h` anew, where that may be a tensor that others see"
    SMALL_CALLEES_WRITTEN_OUT = "an active call of a few elementwise steps has become these"
    STEPS = "a call that stands for steps, by its rule, has become these where it is active"
    IDIOMS = "steps that have a simpler derivative as one are one"
    LOOPS = "comprehensions that are active are loops"
    RUNNING_SUMS = "a loop adds up what `sum` was given by an active comprehension"
    LOOPS_OVER_KEYS = "loops over active values of dictionaries run over keys"
    KEYS_NAMED = "the keys of dictionaries are run through by name"
    SINGLE_READS = "what is active is read from dictionaries and lists one by one"
    NAMED_RESULTS = "one of several results of an active call is no part of a tuple"
    JOINS = "what is known to put lists or tuples together says so"
    FLAT_READS = "what `a.flat` shows is read as the elements of an array"
    PRODUCTS = "an active product of a list and an array is no repetition"

    STATES_READ = "each use of what functions of other modules change reads it by a step"
    STATES_READ_AGAIN = "so does each use behind a call, of what shares memory with it"
    PLAIN_COPIES = "a copy of a list is known to hold no arrays that change"
    UNHELD = "what is changed is known not to be held by a container of the caller's"
    FRACTIONS = "an array that receives what is active is known to hold no integers"
    OWN_ELEMENTS = "an array that is changed in a list is known to be there only once"
    SHAPES = "what is asked for a size that counts is known to be no object"
    APART = "what a call changes is known to share no memory with what it reads then"
    NUMBERS = "what a call changes by `x += v` is known to be a number, where it is seen later"
    ELEMENTS = "what is taken for a number is known to be one"
    OWN_PARAMETERS = "what is written into is a copy of what the caller has"
    QUIET_COPIES = "a call that changes an array without a word changes a copy"
    NAMED_ARRAYS = "an array that is taken apart has a name"
    RUN_AGAIN = "what a loop has run over can be run over again"
    SIZED = "what runs beside active elements has a length"
    REVERSIBLE = "loops count their trips, active calls go to pairs"

    FOLDED = "arithmetic with constants is done"
    LAST_NAMES = "a value has its last name at once"
    FIRST_NAMES = "a second name is read through"
    FEW_SIGNS = "negations that undo each other are gone"
    PLACES_SET_ONCE = "a place of an adjoint is set once"
    NO_DEAD_CODE = "nothing is computed that nobody reads"
    FEW_BROADCASTS = "what NumPy's broadcasting does is left to it"
    VIEWS_READ = "a part of an adjoint that is only read is not copied"


@dataclass(frozen=True, slots=True)
class Pass(Generic[Form, Around]):
    """One rewriting of a form, by what is known around it; all that it does not lose it keeps."""

    run: Callable[[Form, Around], Form]
    gives: Has
    needs: tuple[Has, ...] = ()
    loses: tuple[Has, ...] = ()


def run(passes: tuple[Pass[Form, Around], ...], form: Form, around: Around) -> Form:
    """The form after some passes."""
    for each in passes:
        form = each.run(form, around)
    return form


# When a program first asks for a function


def _split(function: ir.Function, program: Program) -> ir.Function:
    made, names = webs.split(function, program)
    program.note_own_names(function, names)
    return made


def _unified(function: ir.Function, program: Program) -> ir.Function:
    made, first_names = alias_names.unified(function, program)
    program.note_first_names(function, first_names)
    return made


OfProgram = Pass[ir.Function, Program]

WRITTEN_OUT: tuple[OfProgram, ...] = (
    Pass(operands.placed, Has.PLAIN_OPERANDS),
    Pass(evaluation_order.ordered, Has.READ_FIRST),
    Pass(inline.fused, Has.GENERATORS_WRITTEN_OUT),
    Pass(desugar.with_effects, Has.EFFECTS_IN_LOOPS),
    Pass(inline.inlined, Has.CALLEES_WRITTEN_OUT, (Has.EFFECTS_IN_LOOPS,)),
    Pass(lambda f, _: objects.made_at_once(f), Has.MADE_AT_ONCE, (Has.CALLEES_WRITTEN_OUT,)),
    Pass(scalar_replacement.replaced, Has.PARTS, (Has.CALLEES_WRITTEN_OUT,)),
    Pass(_split, Has.ONE_KIND, (Has.CALLEES_WRITTEN_OUT,)),
    Pass(
        operands.spread,
        Has.OPERANDS_SPREAD,
        (Has.CALLEES_WRITTEN_OUT,),
    ),
    Pass(
        lambda f, program: argument_unpacking.unpacked(f, program.signature),
        Has.PLAIN_ARGUMENTS,
        (Has.CALLEES_WRITTEN_OUT,),
    ),
    Pass(container_lowering.extended, Has.LISTS_EXTENDED, (Has.CALLEES_WRITTEN_OUT,)),
    Pass(
        lambda f, program: container_lowering.put_in_order(program.facts(f), program),
        Has.ARRAYS_IN_ORDER,
        (Has.CALLEES_WRITTEN_OUT,),
    ),
    Pass(
        lambda f, program: container_lowering.told(program.facts(f), program),
        Has.COPIES_TOLD,
        (Has.CALLEES_WRITTEN_OUT, Has.PLAIN_ARGUMENTS),
    ),
    Pass(
        lambda f, program: container_lowering.lowered(program.facts(f), program.sharing),
        Has.RESIZING_STORES,
        (Has.COPIES_TOLD,),
    ),
    Pass(container_lowering.grouped, Has.GROUPS, (Has.RESIZING_STORES,)),
)
"""What is done before a function is asked what it changes: functions that call each other are all
written out before one of them is settled."""

SETTLED: tuple[OfProgram, ...] = (
    Pass(unlowered.with_effects, Has.KNOWN_EFFECTS),
    Pass(_unified, Has.ONE_NAME, (Has.RESIZING_STORES, Has.KNOWN_EFFECTS)),
    Pass(loop_indexing.indexed, Has.COUNTED_ROWS, (Has.RESIZING_STORES, Has.ONE_NAME)),
    Pass(
        view_places.at_places,
        Has.AT_PLACES,
        (Has.RESIZING_STORES, Has.ONE_NAME, Has.COUNTED_ROWS),
    ),
    Pass(
        lambda f, program: containers.with_cell_stores(program.facts(f)),
        Has.CELL_STORES,
        (Has.RESIZING_STORES,),
    ),
    Pass(
        view_write_back.of_callee,
        Has.WRITTEN_BACK,
        (Has.RESIZING_STORES, Has.CELL_STORES, Has.COUNTED_ROWS, Has.AT_PLACES),
    ),
)
"""What leaves to the callers what the function changes."""

COPIED_OUT: tuple[OfProgram, ...] = (
    Pass(copy_out.copied_out, Has.EFFECTS_AS_RESULTS, (Has.PLAIN_ARGUMENTS, Has.WRITTEN_BACK)),
)

OF_ROOT: tuple[OfProgram, ...] = (Pass(view_write_back.of_root, Has.WRITTEN_BACK),)
"""What a root can do as well, since the program sees to what is not known of its arguments."""

CANONICAL = Canonical(
    partial(run, WRITTEN_OUT),
    partial(run, SETTLED),
    partial(run, COPIED_OUT),
    partial(run, OF_ROOT),
)


# When it is differentiated


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a function: `held` are parameters that share with what others change."""

    wrt: tuple[str, ...]
    program: Program
    is_root: bool = True
    held: tuple[str, ...] = ()
    pairs: Pairs | None = None


OfPrimal = Pass[ir.Function, Asked]

DESUGARED: tuple[OfPrimal, ...] = (
    Pass(
        lambda f, asked: operands.with_options(
            f, asked.program, partial(asked.program.values, is_asked=asked.is_root)
        ),
        Has.OPTIONS_KNOWN,
    ),
    Pass(
        lambda f, asked: operands.as_arrays(
            f, asked.program, partial(asked.program.values, is_asked=asked.is_root)
        ),
        Has.ARRAYS_MADE,
    ),
    Pass(lambda f, asked: desugar.rotated(f, asked.wrt, asked.program), Has.PLAIN_TESTS),
    Pass(lambda f, asked: rebinding.rebound(f, asked.wrt, asked.program), Has.BOUND_ANEW),
    Pass(lambda f, asked: desugar.composed(f, asked.wrt, asked.program), Has.STEPS),
    Pass(lambda f, asked: desugar.desugared(f, asked.wrt, asked.program), Has.LOOPS),
    Pass(
        lambda f, asked: inline.with_values(f, asked.wrt, asked.program),
        Has.VALUES_LISTED,
        (Has.LOOPS,),
    ),
    Pass(
        lambda f, asked: desugar.summed(f, asked.program.values),
        Has.RUNNING_SUMS,
        (Has.LOOPS,),
    ),
    Pass(
        lambda f, asked: desugar.keyed(f, asked.wrt, asked.program, asked.program.values),
        Has.LOOPS_OVER_KEYS,
        (Has.LOOPS,),
    ),
    Pass(
        lambda f, asked: desugar.run_by_keys(
            f, asked.wrt, asked.program, asked.program.values, is_root=asked.is_root
        ),
        Has.KEYS_NAMED,
        (Has.LOOPS, Has.LOOPS_OVER_KEYS),
    ),
    Pass(
        lambda f, asked: desugar.chosen(f, asked.wrt, asked.program, asked.program.values),
        Has.SINGLE_READS,
        (Has.LOOPS, Has.LOOPS_OVER_KEYS),
    ),
    Pass(
        lambda f, asked: desugar.flattened(f, asked.program),
        Has.FLAT_READS,
        (Has.LOOPS, Has.SINGLE_READS),
    ),
    Pass(
        lambda f, asked: desugar.with_names(f, asked.wrt, asked.program),
        Has.NAMED_RESULTS,
        (Has.LOOPS, Has.SINGLE_READS),
    ),
    Pass(
        lambda f, asked: overloads.put_together(f, asked.program.values),
        Has.JOINS,
        (Has.LOOPS, Has.STEPS),
    ),
    Pass(
        lambda f, asked: overloads.multiplied(f, asked.wrt, asked.program, asked.program.values),
        Has.PRODUCTS,
        (Has.LOOPS, Has.JOINS),
    ),
)
"""What has a simpler form where it is active. Checks look at functions so, as both modes do."""

BY_HAND: tuple[OfPrimal, ...] = (
    Pass(
        lambda f, asked: inline.with_small(f, asked.wrt, asked.program),
        Has.SMALL_CALLEES_WRITTEN_OUT,
    ),
    Pass(
        lambda f, asked: idioms.recognized(f, asked.wrt, asked.program),
        Has.IDIOMS,
        (Has.SMALL_CALLEES_WRITTEN_OUT,),
    ),
)
"""What has a simpler derivative in another form. Checks look at what people wrote, before this."""

GUARDS: tuple[OfPrimal, ...] = (
    Pass(
        lambda f, asked: guards.plain_copies(f, asked.wrt, asked.program, is_root=asked.is_root),
        Has.PLAIN_COPIES,
    ),
    Pass(
        lambda f, asked: guards.unheld(f, asked.program, is_root=asked.is_root),
        Has.UNHELD,
    ),
    Pass(lambda f, asked: guards.alone(f, asked.program), Has.OWN_ELEMENTS),
    Pass(lambda f, asked: guards.uncut(f, asked.wrt, asked.program), Has.FRACTIONS),
    Pass(lambda f, asked: guards.shaped(f, asked.wrt, asked.program), Has.SHAPES),
    Pass(lambda f, asked: guards.lent_numbers(f, asked.wrt, asked.program), Has.NUMBERS),
    Pass(lambda f, asked: guards.apart(f, asked.program), Has.APART),
    Pass(
        lambda f, asked: guards.assumed_numbers(f, asked.program, is_root=asked.is_root),
        Has.ELEMENTS,
    ),
)
"""What a derivative makes sure of while it runs, where the text does not tell."""


def _owned(function: ir.Function, asked: Asked) -> ir.Function:
    guarded = partial(run, GUARDS, around=asked)
    return prepare.copied_in(function, asked.wrt, asked.program, guarded, is_root=asked.is_root)


def _reversible(function: ir.Function, asked: Asked) -> ir.Function:
    assert asked.pairs is not None
    active = asked.program.facts(function).activity(asked.wrt)
    return prepare.prepare(function, active, asked.program, asked.pairs, asked.held)


STATES: OfPrimal = Pass(
    lambda f, asked: rereading.read(f, asked.program), Has.STATES_READ, (Has.LOOPS,)
)

SIZED: OfPrimal = Pass(
    lambda f, asked: iterators.sized(f, asked.wrt, asked.program), Has.SIZED, (Has.LOOPS,)
)

FORWARD: tuple[OfPrimal, ...] = (
    *BY_HAND,
    *DESUGARED,
    STATES,
    Pass(_owned, Has.OWN_PARAMETERS, (Has.LOOPS, Has.STATES_READ)),
    SIZED,
)
"""What comes before the tangents."""

REVERSE: tuple[OfPrimal, ...] = (
    *BY_HAND,
    *DESUGARED,
    STATES,
    Pass(
        lambda f, asked: rereading.reread(f, asked.program, asked.held),
        Has.STATES_READ_AGAIN,
        (Has.STATES_READ,),
    ),
    Pass(_owned, Has.OWN_PARAMETERS, (Has.LOOPS, Has.STATES_READ_AGAIN)),
    Pass(
        lambda f, asked: reordering.on_copies(f, asked.program),
        Has.QUIET_COPIES,
        (Has.OWN_PARAMETERS,),
    ),
    Pass(lambda f, asked: prepare.named(f, asked.program), Has.NAMED_ARRAYS),
    SIZED,
    Pass(
        lambda f, asked: iterators.listed(f, asked.wrt, asked.program, is_root=asked.is_root),
        Has.RUN_AGAIN,
        (Has.LOOPS,),
    ),
    Pass(
        _reversible,
        Has.REVERSIBLE,
        (Has.LOOPS, Has.OWN_PARAMETERS, Has.NAMED_ARRAYS, Has.SIZED, Has.RUN_AGAIN),
    ),
)
"""What comes before the sweeps."""


# When a mode has written a block


@dataclass(frozen=True, slots=True)
class Written:
    """Around a block: the variables that are read after it, the rules that count, known values."""

    live: frozenset[str]
    rule: Callable[[str], table.Rule | None]
    inferred: Inferred | None

    def shape(self, name: str) -> Axes | None:
        """The shape of a value that the block does not make, where it is known."""
        return None if self.inferred is None else self.inferred.shape(name)

    def is_sequence(self, name: str) -> bool:
        """Tells whether a variable is known to hold a list or tuple."""
        return self.inferred is not None and self.inferred.is_sequence(name)


OfBlock = Pass[ir.Block, Written]

COPY_PROPAGATION: OfBlock = Pass(
    lambda block, _: copy_propagation.propagate(block), Has.FIRST_NAMES
)
DEAD_CODE: OfBlock = Pass(
    lambda block, around: dead_code.prune(block, around.live), Has.NO_DEAD_CODE
)

OPTIMIZED: tuple[OfBlock, ...] = (
    Pass(lambda block, around: constant_folding.fold(block, around.rule), Has.FOLDED),
    Pass(lambda block, _: coalesce.coalesce(block), Has.LAST_NAMES),
    COPY_PROPAGATION,
    Pass(
        lambda block, _: algebraic.cancel(block),
        Has.FEW_SIGNS,
        (Has.FIRST_NAMES,),
        loses=(Has.FIRST_NAMES,),
    ),
    COPY_PROPAGATION,
    Pass(
        lambda block, around: store_forwarding.forward_stores(block, around.rule),
        Has.PLACES_SET_ONCE,
        (Has.FIRST_NAMES,),
    ),
    DEAD_CODE,
    Pass(
        lambda block, around: broadcasts.leave_to_numpy(
            block, around.rule, around.shape, around.is_sequence
        ),
        Has.FEW_BROADCASTS,
        loses=(Has.FIRST_NAMES, Has.NO_DEAD_CODE),
    ),
    COPY_PROPAGATION,
    DEAD_CODE,
    Pass(
        lambda block, around: view_elision.elide_views(block, around.rule),
        Has.VIEWS_READ,
        (Has.NO_DEAD_CODE,),
    ),
)
"""What makes of a block what one would have written."""


def optimized(
    block: ir.Block,
    live: frozenset[str],
    rule: Callable[[str], table.Rule | None],
    inferred: Inferred | None = None,
) -> ir.Block:
    """The block as one would write it; `live` are the variables that are read after it.

    `inferred` tells of those that it does not make what they are, where that is known.
    """
    return run(OPTIMIZED, block, Written(live, rule, inferred))
