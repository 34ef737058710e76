"""One function that is looked at: its facts, and what was met in it on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice

from adlsp.transform import ir, pipeline
from adlsp.transform.canonical import view_write_back
from adlsp.transform.checks.unread import Unread
from adlsp.transform.diagnostics import mutation
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding, Related
from adlsp.transform.facts import elements, graphs, operations
from adlsp.transform.facts.points_to import shared_by_objects
from adlsp.transform.facts.provenance import Provenance
from adlsp.transform.facts.versions import Version, VersionKind
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import signs, targets
from adlsp.transform.ir.variables import Generated, Own, readable
from adlsp.transform.program import Program
from adlsp.transform.rules import table
from adlsp.transform.source import Span
from adlsp.transform.values import classes, lattice, structures
from adlsp.transform.values.inferred import Inferred
from adlsp.transform.values.lattice import Array, Mapped, Object, Sequence, Value

UNNAMED = "expression"
"""What a step is called of which the text is not known."""

BY_NUMBERS = "dict by active numbers"
"""What has no rule: the keys of a dictionary are no part of its gradient."""

MOST_LETTERS = 40
"""How much of an expression is shown in a message."""


@dataclass(frozen=True, slots=True)
class Given:
    """A variable that may hold what another one does, or hold that, and the statement by which.

    `is_display`: what holds it is written down there.
    """

    name: str
    by: ir.Statement
    is_display: bool = False


def own_name(function: ir.Function) -> str:
    """What a function is called where it is written, also one that knows what it is given.

    A method that a sign or a call stands for goes by its class.
    """
    dotted = targets.original(function.dotted)
    if dotted == function.dotted:
        return function.name
    name = targets.member(dotted)
    return targets.member(function.module) if name.startswith("__") else name


class Subject:
    """A function with given active parameters, its facts, and what was met in it on the way.

    `callees` are those that take part, with their active parameters, `primals` those of which it
    calls derivatives, with the parameters that these are of, `told` those that get active
    values for nothing but what they do with them; `captured` the variables that hold closures;
    `broken` the users' rules that are wrong. The result of the root depends on what the variables
    of modules hold that are in `read`. `unread` tells why functions of the program are not read.
    `operands` are the assignments that made those of one that computes element by element.
    """

    def __init__(
        self,
        function: ir.Function,
        wrt: tuple[str, ...],
        known: Program,
        unread: Unread,
        *,
        is_root: bool,
        is_forward: bool,
        read: frozenset[str] = frozenset(),
    ) -> None:
        asked = pipeline.Asked(wrt, known, is_root=is_root)
        function = pipeline.run(pipeline.DESUGARED, function, asked)
        self.function = function
        self.wrt = wrt
        self.known = known
        self.unread = unread
        self.is_root = is_root
        self.is_forward = is_forward
        self.read = read
        self.facts = known.facts(function)
        self.activity = self.facts.activity(wrt)
        self.callees: list[tuple[ir.Function, tuple[str, ...]]] = []
        self.primals: list[tuple[ir.Function, tuple[str, ...]]] = []
        self.told: list[tuple[ir.Function, tuple[str, ...]]] = []
        self.captured: set[str] = set()
        self.broken: dict[str, table.Rule] = {}
        self.operands: dict[ir.Assign, list[ir.Assign]] = {}

    @cached_property
    def inferred(self) -> Inferred:
        """What the values are, where arrays are given for what is active and not known."""
        inferred = self.known.inferred(self.function) if self.is_root else None
        if inferred is not None:
            return inferred
        taken = dict.fromkeys(self.wrt, Array())
        return Inferred(self.known.typed(self.function, taken), self.facts.versions)

    def is_integer(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom is surely an integer."""
        if self.facts.indices.is_integer(statement, atom):
            return True
        return isinstance(atom, ir.Name) and self.inferred.is_integer(statement, atom.id)

    def is_display(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable holds a list or dict that the function itself wrote down."""
        return self.facts.versions.reads.get((statement, name)) in self.displays

    @cached_property
    def displays(self) -> frozenset[Version]:
        """The versions that may be such lists and dicts."""
        return self._reached(
            version
            for version in self.facts.versions.every
            if version.kind is VersionKind.ASSIGN
            and isinstance(version.statement, ir.Assign)
            and isinstance(call := version.statement.value, ir.Call)
            and call.function in ("python.list", "python.dict")
        )

    @cached_property
    def _objects(self) -> frozenset[Version]:
        """The versions that may be objects of users' classes."""
        surely = [
            version
            for version in self.facts.versions.every
            if version.statement is not None
            and version.kind is VersionKind.ASSIGN
            and classes.is_of_user(self.inferred.written(version.statement, version.name))
        ]
        return self._reached(surely) if surely else frozenset()

    def _reached(self, starts: Iterable[Version]) -> frozenset[Version]:
        """Some versions, and those that are the same by other names, or where ways meet."""
        numbered = self.facts.versions
        following: dict[Version, list[Version]] = {}
        for version in numbered.every:
            before, is_assigned = [*version.priors], version.kind is VersionKind.ASSIGN
            match version.statement:
                case ir.Assign(value=ir.Name(id)) as copy if is_assigned:
                    before += [numbered.reads[copy, id]] if (copy, id) in numbered.reads else []
            for prior in before:
                following.setdefault(prior, []).append(version)
        return frozenset(graphs.reached(starts, lambda version: following.get(version, ())))

    def varied(self, statement: ir.Statement, names: Iterable[str]) -> list[str]:
        """Those names that are varied before a statement."""
        before = self.activity.varied_before[statement]
        return [name for name in dict.fromkeys(names) if name in before]

    def is_object(self, statement: ir.Statement, name: str, *, is_inside: bool) -> bool:
        """Tells whether a variable surely holds an object of a user's class, or has one inside."""
        value = self.inferred.read(statement, ir.Name(name))
        return classes.is_of_user(value) or (is_inside and _holds_objects(value))

    def computed(self, statement: ir.Statement, atom: ir.Atom, name: str) -> str:
        """Tells that the class of an object computes an attribute; empty where it does not."""
        value = self.inferred.read(statement, atom)
        if not isinstance(value, Object) or not self.known.classes.computes(value.of, name):
            return ""
        return f": `{targets.member(value.of)}` computes `{name}`"

    def is_dictionary(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom is surely a dictionary."""
        return isinstance(self.inferred.read(statement, atom), lattice.Mapped)

    def is_active_number(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom is a number that depends on the inputs, and that is no integer.

        In a derivative all that a callee has saved is active, indices as well.
        """
        if self.function.is_derived or not self.varied(statement, ir.names((atom,))):
            return False
        if isinstance(
            self.inferred.read(statement, atom), lattice.Number | lattice.Literal | Array
        ):
            return self.inferred.is_real(statement, atom)
        match self.facts.indices.source(statement, atom):
            case ir.Assign(value=ir.Call("operator.getitem", (ir.Name(base), _))):
                return self.is_root and base in self.wrt  # it holds numbers
            case ir.Assign(value=ir.Call(function)):
                return targets.is_operator(function) or targets.is_of(function, "numpy", "math")
        return self.is_element(self.function.body, atom)

    def is_element(self, block: ir.Block, atom: ir.Atom) -> bool:
        """Tells whether a loop in a block gives an atom as an element, and no key, of an input."""
        steps = [*ir.walk(block)]
        made = {name: s for s in steps if isinstance(s, ir.Assign) for name in s.targets}
        part, whole = -1, atom
        match made.get(atom.id) if isinstance(atom, ir.Name) else None:
            case ir.Assign(names, ir.Name() as both) as unpacked if unpacked.is_tuple:
                part, whole = names.index(ir.names((atom,))[0]), both
        for loop in (s for s in steps if isinstance(s, ir.For) and ir.Name(s.target) == whole):
            run = loop.iterable
            zipped = made.get(run.id) if isinstance(run, ir.Name) else None
            match zipped.value if isinstance(zipped, ir.Assign) else None:
                case ir.Call("builtins.zip", args) if 0 <= part < len(args):
                    run = args[part]
                case ir.Call("builtins.enumerate", args) if part == 1:
                    run = args[0]
                case _ if part >= 0:  # of pairs, which may begin with names
                    continue
            is_key = any(_is_key(step, run, atom) for step in steps)
            if isinstance(run, ir.Name) and not is_key and self._is_ever_varied(run.id):
                return True
        return False

    def holds_active_numbers(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether the elements of an atom are numbers that depend on the inputs."""
        is_varied = isinstance(atom, ir.Name) and self._is_ever_varied(atom.id)
        is_unknown = not self.inferred.is_known(statement, atom)
        return (is_varied and is_unknown) or self.is_active_number(statement, atom)

    def _is_ever_varied(self, name: str) -> bool:
        """Tells whether a variable depends on the inputs anywhere."""
        return any(name in before for before in self.activity.varied_before.values())

    def is_text(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom is surely a text."""
        if isinstance(atom, ir.Const):
            return isinstance(atom.value, str)
        return isinstance(atom, ir.Name) and self.inferred.is_text(statement, atom.id)

    def may_be_object(self, statement: ir.Statement, name: str) -> bool:
        """Tells whether a variable holds an object of a user's class at times, and not surely."""
        is_of_objects = self.facts.versions.reads.get((statement, name)) in self._objects
        return is_of_objects and not self.inferred.is_known(statement, ir.Name(name))

    def may_be_of_another(self, statement: ir.Statement, call: ir.Call) -> bool:
        """Tells whether a method may be that of something else than an array: of a module."""
        match call.args[:1] if targets.is_method(call.function) else ():
            case (ir.Name(id) as owner,):
                read = self.known.values(self.function).read(statement, owner)
                is_known = structures.holds_numbers(read) and not isinstance(read, Object)
                return not is_known and (id not in self.wrt or not self.known.given)
            case (ir.Global(dotted),):
                return not structures.holds_numbers(self.known.held_by(dotted) or lattice.UNKNOWN)
        return False

    def is_active(self, name: str) -> bool:
        """Tells whether a variable takes part in the derivative anywhere."""
        return any(
            name in self.activity.varied_before[s] and name in self.activity.useful_after[s]
            for s in ir.walk(self.function.body)
        )

    def is_varied(self, statement: ir.Statement) -> bool:
        """Tells whether what a statement makes depends on the inputs."""
        varied = self.activity.varied_after[statement]
        return any(name in varied for name in ir.writes(statement))

    def is_useful(self, statement: ir.Statement) -> bool:
        """Tells whether the result may depend on what a statement makes."""
        useful = self.activity.useful_after[statement]
        return any(name in useful for name in ir.writes(statement))

    def found(self, statement: ir.Statement, finding: Finding, span: Span, name: str) -> Diagnostic:
        """A finding, with where its variable became active."""
        steps = self._provenance.chain(statement, name)
        related = (
            Related(made.origin, f"`{readable(variable)}` became active here")
            for variable, made in steps
            if not (made is None or isinstance(made, ir.For) or made.origin == statement.origin)
        )
        return Diagnostic(finding, span, tuple(islice(related, 4)))

    @cached_property
    def _provenance(self) -> Provenance:
        return Provenance(self.activity, self.facts.versions)

    @cached_property
    def loops(self) -> list[ir.For]:
        """The `for` loops of the function, the outer ones first."""
        return [s for s in ir.walk(self.function.body) if isinstance(s, ir.For)]

    @cached_property
    def other_names(self) -> dict[str, list[Given]]:
        """The variables that may be another name for what a variable holds."""
        found: dict[str, list[Given]] = {}
        for statement in ir.walk(self.function.body):
            match statement:
                case ir.Assign(targets=(target,), value=ir.Name(id)):
                    found.setdefault(id, []).append(Given(target, statement))
                    found.setdefault(target, []).append(Given(id, statement))
        return found

    @cached_property
    def holders(self) -> dict[str, list[Given]]:
        """The variables that may hold what a variable holds."""
        found: dict[str, list[Given]] = {}
        for statement in ir.walk(self.function.body):
            match statement:
                case ir.Store(base=base, value=ir.Name(id), kind=kind) if kind.keeps_value:
                    found.setdefault(id, []).append(Given(base, statement))
                case ir.Assign(targets=targets, value=ir.Call(function=function) as call):
                    is_display = operations.is_written_out(function)
                    sharing = (call.atoms,) if is_display else self.known.sharing(call) or ()
                    for name in (name for part in sharing for name in ir.names(part)):
                        made = (Given(target, statement, is_display) for target in targets)
                        found.setdefault(name, []).extend(made)
        return found

    def shown(self, atom: ir.Atom) -> str:
        """A variable as a message names it; a step of an expression as it is written."""
        for statement in ir.walk(self.function.body) if shown(atom) == UNNAMED else ():
            value = value_of(statement)
            span = value.span if isinstance(value, ir.Call | ir.Opaque) else None
            if span is not None and ir.writes(statement) == (getattr(atom, "id", ""),):
                text = self.known.quote(span)
                return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} …"
        return shown(atom)

    def aliased(self, array: str, alias: str) -> mutation.AliasedWrite:
        """That a write to one variable changes another, each as the text has it."""
        written, other = self.shown(ir.Name(array)), self.shown(ir.Name(alias))
        is_said = other not in (UNNAMED, written)
        return mutation.AliasedWrite(written, other if is_said else "a second name")

    def is_seen(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether the result depends on what a variable holds, or on what shares with it."""
        useful = self.activity.useful_after[statement]
        if isinstance(atom, ir.Name):
            others = self.facts.aliases(scalar_elements=False).shared(statement, atom.id)
            if not {atom.id, *others}.isdisjoint(useful):
                return True
        return self.is_read_of_module(statement, atom)

    def is_read_of_module(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom may be a part of what a module holds and the result depends on."""
        match atom:
            case ir.Global(dotted):
                is_changed = self.known.is_variable(dotted) or self.known.is_class(dotted)
                return is_changed and self.is_read(dotted)
            case ir.Name(id):
                sharing = self.facts.aliases(scalar_elements=False)
                outside = sharing.of_modules(statement, id)
                match self.facts.indices.definition(statement, atom):
                    case ir.Call(function, (ir.Global() as whole,)) if (
                        function in ir.STATES.values()
                    ):
                        return self.is_read_of_module(statement, whole)
                is_kept = sharing.is_kept(statement, id)
                return is_kept or any(map(self.may_be_read, outside))
        return False

    def is_outside(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether others may see what an atom holds: a module, or the caller in a program."""
        if not self.is_root and isinstance(atom, ir.Name):
            sharing = self.facts.aliases(scalar_elements=False)
            if sharing.parameters(statement, atom.id):
                return True
        return self.is_read_of_module(statement, atom)

    def is_seen_by_others(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether the result, or others, may depend on what a variable holds."""
        return self.is_seen(statement, atom) or self.is_outside(statement, atom)

    def is_callback(self, call: ir.Call) -> bool:
        """Tells whether a call is one of a function that this one is given."""
        given = {ir.Name(p.name) for p in self.function.parameters}
        return call.function == targets.CALL and call.args[0] in given

    def may_hold_array(self, outside: ir.Global) -> bool:
        """Tells whether what a module holds may be an array, which `y += v` changes."""
        held = self.known.held_by(outside.dotted)
        return self.may_be_read(outside) and not isinstance(held, lattice.Number)

    def may_be_read(self, outside: ir.Global) -> bool:
        """Tells whether the result may depend on what a variable of a module, or its list, holds.

        An array in a list may be that of another variable, too.
        """
        holds_others = not isinstance(self.inferred.of(outside), lattice.Number | lattice.Array)
        return self.is_read(outside.dotted) or (holds_others and self.reads_modules)

    def is_read(self, dotted: str) -> bool:
        """Tells whether the result depends on what a variable of a module holds."""
        return dotted in self.read or dotted in self.states_read

    @cached_property
    def reads_modules(self) -> bool:
        """Tells whether the result depends on what any variable of a user's module holds."""
        return any(map(self.known.is_variable, self.read | self.states_read))

    @cached_property
    def reads_states(self) -> bool:
        """Tells whether the result depends on what modules or classes hold and functions change."""
        read = self.read | self.states_read
        return any(name.startswith(".") or self.known.done_to(name) for name in read)

    @cached_property
    def states_read(self) -> frozenset[str]:
        """The variables of modules on whose values the result depends."""

        def inside(function: str) -> Iterator[ir.Statement]:
            callee = None if self.known.rule(function) else self.known.function(function)
            return iter(()) if callee is None else ir.walk(callee.body)

        def called(of: Iterable[ir.Statement]) -> list[str]:
            return [value.function for s in of if isinstance(value := value_of(s), ir.Call)]

        own = [s for s in ir.walk(self.function.body) if self.is_useful(s) or _decides(s)]
        reached = graphs.reached(called(own), lambda function: called(inside(function)))
        every = (*own, *(statement for function in reached for statement in inside(function)))
        atoms = (a.dotted for s in every for a in _atoms(s) if isinstance(a, ir.Global))
        calls = (value.function for s in every if isinstance(value := value_of(s), ir.Call))
        attributes = filter(targets.is_attribute, calls)
        shared = (g.dotted for f in attributes for g in shared_by_objects(f, self.known))
        return frozenset((*atoms, *shared, *reached))

    def shared_later(
        self, statement: ir.Statement, name: str, *, scalar_elements: bool = True
    ) -> frozenset[str]:
        """The other variables that may share memory with one, and are read after a statement."""
        shared = self.facts.aliases(scalar_elements=scalar_elements).shared(statement, name)
        return shared & self.facts.live.after[statement]

    @cached_property
    def uncertain(self) -> set[ir.Statement]:
        """The stores that are made where something is an array: else nothing is changed."""
        definition = self.facts.indices.definition
        return {
            inner
            for statement in ir.walk(self.function.body)
            if isinstance(statement, ir.If)
            and isinstance(test := definition(statement, statement.test), ir.Call)
            and (test.function, test.args[1:]) == view_write_back.IS_ARRAY
            for inner in statement.body
        }

    def takes_part(self, name: str, call: ir.Statement) -> bool:
        """Tells whether the result depends on a variable, or an active statement reads it."""
        return name in self.activity.useful_after[call] or any(
            name in ir.reads(statement) and self.activity.is_active(statement)
            for statement in ir.walk(self.function.body)
        )

    def written(self, function: ir.Function) -> tuple[str, ...]:
        """The arrays that a callee changes for its caller.

        A parameter that is only changed by `x += v`, in a function that gives something back, is
        taken for a number; derivatives make sure of it.
        """
        written = self.known.written(function)
        last = function.body[-1]
        if isinstance(last, ir.Return) and last.value == ir.Const(None):
            return written
        numbers = elements.numbers(function)
        return tuple(name for name in written if name not in numbers)

    def written_again(self, function: ir.Function) -> tuple[str, ...]:
        """The arrays that a callee changes by `a = np.asarray(a)`, `a += v`, where they are known.

        Its derivative works on copies, and gives none of them back.
        """
        if isinstance(function.called, targets.CopyOut):
            return ()
        numbers = elements.numbers(function) - self.known.numbers(function)
        return tuple(name for name in self.known.written(function) if name in numbers)

    def gives_nothing(self) -> bool:
        """Tells whether the function returns `None`, so that only its effects can be meant."""
        return self.function.gives_nothing


def _holds_objects(value: Value) -> bool:
    """Tells whether a list, a tuple or a dictionary surely holds objects of users' classes."""
    if not isinstance(value, Sequence | Mapped):
        return False
    held = [part for _, part in lattice.parts(value)]
    return any(classes.is_of_user(part) or _holds_objects(part) for part in held)


def _decides(statement: ir.Statement) -> bool:
    """Tells whether a statement binds nothing, and says how the function goes on."""
    return isinstance(statement, ir.For | ir.If | ir.Return)


def _atoms(statement: ir.Statement) -> tuple[ir.Atom, ...]:
    """What a statement reads to go on with: not what it is called for."""
    match statement:
        case ir.Assign(value=ir.Call() as call):
            return call.atoms
        case ir.Assign(value=ir.Name() | ir.Global() | ir.Const() as atom):
            return (atom,)
        case ir.For(iterable=atom) | ir.Return(value=atom) | ir.If(test=atom):
            return (atom,)
    return ()


def shown(atom: ir.Atom) -> str:
    """A variable as a message names it; a step of an expression has no name of its own."""
    match atom:
        case ir.Name(id) if isinstance(id, Own) or not isinstance(id, Generated):
            return readable(id)
        case ir.Global(dotted):
            return targets.member(dotted)
    return UNNAMED


def needs_no_rule(function: str) -> bool:
    """Tells whether a call is a display, or reads what one holds."""
    return operations.is_written_out(function) or function == "operator.getitem"


def called(function: str) -> str:
    """A function as a message names it: without the module of builtins, an operator by its sign."""
    if isinstance(function, targets.Made):
        return function
    return signs.INFIX.get(function) or function.removeprefix("builtins.")


def _is_key(statement: ir.Statement, run: ir.Atom, atom: ir.Atom) -> bool:
    """Tells whether a statement looks something up by an atom, or stores by it where that is."""
    match statement:
        case ir.Assign(value=ir.Call("operator.getitem", (_, key))):
            return key == atom
        case ir.Store(base=base, index=key):
            return key == atom and ir.Name(base) == run
    return False


def value_of(statement: ir.Statement) -> ir.Expression | None:
    """The expression of a statement that has one."""
    match statement:
        case ir.Assign(value=value) | ir.Do(value=value):
            return value
    return None
