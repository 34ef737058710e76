"""What facts and canonical passes ask of the program around a function: of its callees.

The program answers from what it knows of each function (interprocedural summaries), which rests on
the facts of those; so it stands above, and this is the one door to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from adlsp.transform import arguments, ir
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.targets import Gives
from adlsp.transform.ops.spec import Kind
from adlsp.transform.rules import table

if TYPE_CHECKING:
    from adlsp.transform.facts.demand import Answers
    from adlsp.transform.facts.facts import Facts
    from adlsp.transform.facts.list_copies import Copied
    from adlsp.transform.values.inference import Typed


@dataclass(frozen=True, slots=True)
class Changing:
    """A callee that changes arguments: the function that gives them back, and what it changes.

    That is the copy-out of a call; `changed` is the mod set of its parameters. `call` is that of
    the function, where a method gets its object like another argument.

    `bound` are the arguments by parameter. `has_result`: the user's function gives something, too.
    `unseen` gives only that, if all that changes may be numbers; `doubtful` are those that may.
    """

    function: ir.Function
    call: ir.Call
    changed: tuple[str, ...]
    bound: arguments.Bound
    has_result: bool
    doubtful: frozenset[str]
    unseen: ir.Function | None

    @property
    def has_own_result(self) -> bool:
        """Tells whether the function gives something besides what it has changed."""
        called = self.function.copy_out
        return called is not None and called.gives is Gives.CALLED


class Inferred(Protocol):
    """What the inference says of a function, where it is known what that is given.

    A statement that it does not reach gives, holds and shares nothing.
    """

    def arrays(self) -> frozenset[str]:
        """The variables that are always numbers or arrays."""

    def whole_arrays(self) -> frozenset[str]:
        """The variables that are always NumPy's arrays: `b += v` changes what they hold."""

    def objects(self) -> frozenset[str]:
        """The variables that are always objects of users' classes."""

    def containers(self) -> Mapping[str, Kind]:
        """The variables that are always lists, tuples or dictionaries, and which of these."""

    def holds_apart(self, statement: ir.Statement, name: str, written: frozenset[str]) -> bool:
        """Tells whether the parts that are known of a container share no memory that is written."""

    def written_into(self, statement: ir.Statement, names: Iterable[str]) -> frozenset[str]:
        """The places into which a store writes, or a call that changes what some variables hold."""

    def sets_cell(self, store: ir.Store) -> bool:
        """Tells whether a store may put another object into a container."""

    def has_parts(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable is a list, tuple, dictionary or object where it is read."""

    def changes_number(self, store: ir.Store) -> bool:
        """Tells whether what stands at the place of a store is surely a number."""

    def sets_other(self, store: ir.Store) -> bool:
        """Tells whether a store surely puts into a list or dictionary what may be of other axes."""

    def gives_numbers(self, statement: ir.Statement) -> bool | None:
        """Tells whether all that a statement binds are numbers; None where that is not known."""

    def makes_tuple(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a statement surely makes a tuple of a variable."""

    def may_share(self, statement: ir.Statement, one: str, other: str) -> bool:
        """Tells whether two variables may share memory before a statement, by where they live."""

    def is_integer(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable surely holds one integer before a statement."""

    def is_run_again(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether what an atom is can surely be run over more than once."""

    def is_text(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable surely holds a text before a statement."""

    def rank(self, statement: ir.Statement, name: str) -> int | None:
        """How many axes a variable's array has before a statement, if that is known."""

    def is_complex(self, statement: ir.Statement, name: str) -> bool | None:
        """Tells whether a variable's array is of complex numbers, if that is known."""

    def may_be_of(self, statement: ir.Statement, name: str, parameter: str) -> bool:
        """Tells whether a variable may live where the caller has what a parameter holds."""


class Callees(Protocol):
    """What is known of the functions that are called."""

    def rule(self, function: str) -> table.Rule | None:
        """The rule of a function."""

    def function(self, dotted: str) -> ir.Function | None:
        """The user's function of that name; None if it has no source."""

    def signature(self, dotted: str) -> ir.Function | None:
        """The user's function of that name, as it is written; None if a call of it is ruled."""

    def definition(self, dotted: str) -> ir.Function | None:
        """The user's function that a call goes to, as it is lowered; None if it is ruled."""

    def typed(self, function: ir.Function, *, is_asked: bool = False) -> Typed:
        """What the values of a function are, in whichever form it is by now.

        `is_asked`: where no arguments are known, other functions tell nothing of it.
        """

    def calls_within(
        self, root: ir.Function
    ) -> Iterator[tuple[ir.Function, ir.Statement, ir.Call]]:
        """The calls of a function and of all that it calls, each with where it stands."""

    def numbers(self, function: ir.Function) -> frozenset[str]:
        """The parameters that are changed as one changes a number, and not known as arrays."""

    def keeps(self, call: ir.Call) -> bool:
        """Tells whether a call reads what a function keeps, or an object that a module holds."""

    def may_be_changed(self, dotted: str) -> bool:
        """Tells whether a name is that of a module's variable with an array, or other memory."""

    def is_class(self, dotted: str) -> bool:
        """Tells whether a name is that of a user's class."""

    def sets_attribute(self, name: str) -> bool:
        """Tells whether functions may set an attribute of that name of classes and their like."""

    def shares_attribute(self, name: str) -> bool:
        """Tells whether an attribute of that name may be one of a class, and changes for all."""

    def defines_method(self, name: str) -> bool:
        """Tells whether a class of a user's has a method of that name."""

    @property
    def has_sparse(self) -> bool:
        """Whether sparse matrices of SciPy may take part: their `*` goes by no elements."""

    @property
    def has_tensors(self) -> bool:
        """Whether tensors of TensorFlow may take part, which nothing changes in place."""

    def facts(self, function: ir.Function) -> Facts:
        """What is known of a function: each fact is worked out once."""

    def inferred(self, function: ir.Function) -> Inferred | None:
        """What the values of a function are; None where nothing is known of its arguments."""

    def flow(self, value: ir.Expression) -> Iterator[ir.Atom]:
        """The atoms that the value of an expression depends on differentiably."""

    def sharing(
        self, call: ir.Call, *, scalar_elements: bool = True, are_held: bool = False
    ) -> tuple[tuple[ir.Atom, ...], ...] | None:
        """For each part of a call's result the arguments that it may share memory with.

        None for calls of which nothing is known. `scalar_elements`: an element that the function
        gives back is taken for a number. `are_held`: a list or dictionary that it is given holds
        what it puts there.
        """

    def changed(self, call: ir.Call, *, scalar_elements: bool = True) -> tuple[ir.Atom, ...]:
        """The arguments whose memory a call of a user's function writes into.

        `scalar_elements`: what is taken there for a number is one.
        """

    def doubted(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments whose memory a user's function gives to something unknown."""

    def copied(self, call: ir.Call) -> Copied:
        """What a call of a user's function changes or gives by copies of what may be lists."""

    def argument(self, call: ir.Call, name: str) -> tuple[ir.Atom, ...]:
        """What a call of a user's function gives to a parameter."""

    def given_back(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments that a call gives back changed; what may be a number is left out."""

    def stored(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments into whose elements a call of a user's function stores."""

    def written(self, function: ir.Function) -> tuple[str, ...]:
        """The parameters whose memory a function may write into, as the user wrote it."""

    def disjoint(self, function: ir.Function) -> Mapping[str, tuple[str, ...]]:
        """For each parameter that a function changes, those that must not share its memory."""

    def changing(self, call: ir.Call) -> Changing | None:
        """The callee that gives back what a call changes, if it changes something."""

    @property
    def answers(self) -> Answers:
        """What remembers answers that may rest on each other."""
