"""The intermediate form: structured functions in named steps. This is the central type.

It is three-address code without a graph of control flow. A `Function` has a body, which is a block,
a tuple of statements:

    Assign     x = value    a, b = value     a value is an atom, a `Call` on atoms, or `Opaque`
    Store      x[i] = v     x[i] += v        x += v      xs.append(v)
    Do         print(x)                      a call for its effect
    If   For   While                         with blocks inside
    Assert     assert x > 0
    Return     return y                      the last statement, and no other
    Insert     with insert_grad_of(x) as x_bar: ...

Each argument of a call is an atom (a name, a constant, or a global of some module), so that a rule
may substitute arguments without computing anything twice. There are no jumps: blocks are tuples of
statements, and a function returns at its end. Every statement carries `origin` (where it comes from
in the primal) and `role` (what it does in a derivative). The derivative of a function is again a
function, so optimizing, printing and differentiating a second time need nothing new.

Statements compare by identity: analyses key their tables by them.

Names: a user's variable keeps its name. Variables that we make are types in `variables.py`, one for
what each is for: a step of a larger expression (`%t:3` in a dump), an adjoint (`%bar:x`), a value
that is saved for the backward sweep (`%saved:x:2`), …; `fresh` gives a function new ones.
`emit/names.py` gives them readable names at the end.

What a call goes to is a dotted name, or one of the types of `targets.py`:

    numpy.tanh, mypkg.losses.loss    a function of a module
    operator.add, operator.getitem   Python's operators, as the standard library names them
    ndarray.sum                      a call of a method of a value
    attribute.T                      an attribute of a value
    python.tuple, python.slice, …    displays and the few steps that have syntax of their own
    python.option                    an attribute that holds no numbers
    python.object                    an object of a class, with attributes
    python.path                      several indices, one after the other: the `i`, `j` of `x[i][j]`
    ?name                            what resolving did not find
    nested:mypkg.losses.Model.loss   a function that the first argument holds: one in a function, or
                                     a method; what it has captured are keywords as `%scale`
    called+u+v:mypkg.step            a function that gives back what it changes of its arguments
    instance:mypkg.step+f=mypkg.g()  a function in which a parameter is a function that is known
    pair:f_forward, derived:f_grad   a function of a derivative, and of an earlier one
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import field, replace
from enum import Enum
from functools import cache
from operator import is_
from typing import Literal, TypeAlias, TypeGuard, TypeVar

from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Fresh, Numbered, Step
from adlsp.transform.ops import records
from adlsp.transform.source import Span

Given = TypeVar("Given")


class Role(Enum):
    """What a statement does in a derivative."""

    PRIMAL = "primal"
    SAVE = "save"
    RESTORE = "restore"
    ADJOINT = "adjoint"
    TANGENT = "tangent"
    INIT = "init"
    INSERTED = "inserted"

    @property
    def sweep(self) -> str:
        """What runs such a statement: `forward`, `backward`, or `tangent`."""
        if self in (Role.PRIMAL, Role.SAVE):
            return "forward"
        return "tangent" if self is Role.TANGENT else "backward"


@dataclass(frozen=True, slots=True)
class Held:
    """A function that a variable holds, or a value is, by its name in calls.

    `captured` pairs its parameters for what it has captured with the variables that have it.
    """

    dotted: str
    captured: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Name:
    """A local variable or parameter."""

    id: str


@dataclass(frozen=True, slots=True)
class Const:
    """A literal: a number, a string, bytes, `True`, `False`, `None`, `...`, or a tuple of such.

    `spelling` is the text of a number that Python would print otherwise: `1e-3`, `0x10`.
    """

    value: object
    spelling: str | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        """Two literals are the same only with the same type and sign: 1 is not 1.0 nor True."""
        return isinstance(other, Const) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))


class Attribute(str):
    """The name of an attribute, as an index: an element of an object, `model[.w]`, is `model.w`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f".{self}"


@dataclass(frozen=True, slots=True)
class Global:
    """A variable of a module, by its dotted name: `numpy.pi`, `mypkg.settings.SCALE`."""

    dotted: str


Atom = Name | Const | Global


def spelled(value: object, text: str) -> Const:
    """A literal that is written so."""
    is_plain = not isinstance(value, int | float | complex) or text == repr(value)
    return Const(value) if is_plain else Const(value, text)


@dataclass(frozen=True, slots=True)
class Call:
    """One step: a function, on atoms. `span` is the expression in the primal.

    `function` is a dotted name, or one of the types of `targets`, which are texts as well.
    """

    function: str
    args: tuple[Atom, ...] = ()
    keywords: tuple[tuple[str, Atom], ...] = ()
    span: Span | None = None

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """Positional and keyword arguments, in order of evaluation."""
        if not self.keywords:
            return self.args
        return (*self.args, *(value for _, value in self.keywords))


@dataclass(frozen=True, slots=True, eq=False)
class Opaque:
    """An expression or statement outside of our language, kept as it was written.

    - `tree` is the parser's node; only `frontend` and `emit` look into it.
    - `reads` and `writes` are the local variables that it uses and binds.
    - `globals` says what the other names in it mean.
    - `findings` are reported where active variables take part; without any the thing is harmless:
      its value does not depend smoothly on what it reads.
    - `names` are those names in the tree that stand for other variables by now.
    - `is_definition`: it does nothing but define a function.
    - `function` is what it gives or binds, if that is a function of its own.
    - `unfolded` are the steps that do the same, and the name of what they give, for where it takes
      part in a derivative. Those of a store into an attribute hold for an object that is known.
    - `changes` are those of `writes` whose objects it may change in place.
    - `decide` are those of `reads` that only decide what a search finds.
    - `calls` are functions, each with the variables that it gets at: what these change is known to
      a program.
    - `holds` are the names that it binds, each with a function and the variables of which that may
      give a part.
    - `states` are the variables of modules that it binds, or of which it changes what they hold.
    """

    tree: object
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    globals: tuple[tuple[str, str], ...]
    findings: tuple[Diagnostic, ...]
    span: Span
    names: tuple[tuple[str, str], ...] = ()
    is_definition: bool = False
    unfolded: tuple[Block, Name] | None = None
    changes: tuple[str, ...] = ()
    calls: tuple[tuple[str, tuple[str, ...]], ...] = ()
    holds: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    states: tuple[str, ...] = ()
    function: Held | None = None
    decide: tuple[str, ...] = ()

    @property
    def flows(self) -> tuple[str, ...]:
        """What it reads of which its value may depend smoothly."""
        return tuple(name for name in self.reads if name not in self.decide)


Expression = Atom | Call | Opaque


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`x = value`, or `x, y = value` with flat targets; `read` is what `reads` has found."""

    targets: tuple[str, ...]
    value: Expression
    origin: Span
    role: Role = Role.PRIMAL
    is_tuple: bool = False
    read: tuple[str, ...] | None = field(default=None, init=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """`base[index] = value`, `base[index] += value` and its like, as `kind` says.

    Without an index it is `base += value`, which changes an array in place and rebinds a scalar.
    `base.append(value)` and `base.pop()`, for a list, are stores at the end, with the index -1.
    One that `is_each` is `np.add.at(base, index, value)`, or its like: a place that the index names
    several times changes several times. One that `is_assign` is `base.assign(value)`, or its like:
    it sets a variable of TensorFlow's, as a whole.
    """

    base: str
    index: Atom | None
    value: Atom
    kind: StoreKind
    origin: Span
    role: Role = Role.PRIMAL
    span: Span | None = None
    is_each: bool = False
    is_assign: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Do:
    """A call for its effect: `print(x)`, `tape.append(v)`."""

    value: Call | Opaque
    origin: Span
    role: Role = Role.PRIMAL


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """Two branches; the steps of the test come before."""

    test: Atom
    body: Block
    orelse: Block
    origin: Span
    role: Role = Role.PRIMAL


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """`for target in iterable`; the steps of the iterable come before."""

    target: str
    iterable: Atom
    body: Block
    origin: Span
    role: Role = Role.PRIMAL


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """`while test`; `header` holds the steps of the test, run before each decision."""

    header: Block
    test: Atom
    body: Block
    origin: Span
    role: Role = Role.PRIMAL


@dataclass(frozen=True, slots=True, eq=False)
class Insert:
    """`with insert_grad_of(variable) as bar: body`: code that runs here in the backward sweep.

    The primal passes it by. `bar` is what the body calls the adjoint of the variable; what else it
    binds is its own, and it reads the variables of the primal in `captured`.
    """

    variable: Atom
    bar: str | None
    body: Block
    captured: tuple[tuple[str, Atom], ...]
    origin: Span
    role: Role = Role.PRIMAL


@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    """`assert test, message`."""

    test: Atom
    message: Atom | None
    origin: Span
    role: Role = Role.PRIMAL


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """The end of a function, and of nothing else."""

    value: Atom
    origin: Span
    role: Role = Role.PRIMAL


NESTING = (If, For, While)
"""What has blocks that run with it."""

_NESTING = frozenset[type](NESTING)

Statement = Assign | Store | Do | If | For | While | Insert | Assert | Return
Block = tuple[Statement, ...]


class StoreKind(Enum):
    """What a store does with its place.

    A plain one replaces what is there. Those into a cell of a list or dictionary put an object
    there: another one (`SET`; `ENTER` where there may be none yet), or the same, changed. A list
    becomes longer or shorter by one at its end. All others are `x += v` and its like, by Python's
    operator.
    """

    REPLACE = ""
    SET = "set"
    ENTER = "enter"
    CHANGE = "change"
    APPEND = "append"
    POP = "pop"
    ADD = "operator.add"
    SUB = "operator.sub"
    MUL = "operator.mul"
    TRUEDIV = "operator.truediv"
    FLOORDIV = "operator.floordiv"
    MOD = "operator.mod"
    POW = "operator.pow"
    MATMUL = "operator.matmul"
    AND = "operator.and_"
    OR = "operator.or_"
    XOR = "operator.xor"
    LSHIFT = "operator.lshift"
    RSHIFT = "operator.rshift"

    @property
    def replaces(self) -> bool:
        """Tells whether it is `base[index] = value`, and no more is known."""
        return self is REPLACE

    @property
    def sets_cell(self) -> bool:
        """Tells whether it puts an object into a cell of a list or dictionary."""
        return self in SETTING

    @property
    def resizes(self) -> bool:
        """Tells whether it makes a list longer or shorter."""
        return self in RESIZING

    @property
    def keeps_value(self) -> bool:
        """Tells whether a container holds the value itself from then on."""
        return self in KEEPING

    @property
    def is_of_container(self) -> bool:
        """Tells whether only lists and dictionaries have it."""
        return self in OF_CONTAINER

    @property
    def changes(self) -> bool:
        """Tells whether it changes what is in its place, where that can be changed."""
        return self is CHANGE or targets.is_operator(self.operator)

    @property
    def adds(self) -> bool:
        """Tells whether it adds the value to what is there, or subtracts it."""
        return self in ADDING

    @property
    def operator(self) -> str:
        """The function that gives the new value, of the old one and that of the store."""
        return self.value


REPLACE = StoreKind.REPLACE
CHANGE = StoreKind.CHANGE
SETTING = (StoreKind.SET, StoreKind.ENTER, StoreKind.CHANGE)
KEEPING = (*SETTING, StoreKind.APPEND)
OF_CONTAINER = (*KEEPING, StoreKind.POP)
RESIZING = (StoreKind.APPEND, StoreKind.POP)
ADDING = (StoreKind.ADD, StoreKind.SUB)


class ParameterKind(Enum):
    """How a parameter gets its argument; the last two take all that no other takes."""

    POSITIONAL = "positional"
    KEYWORD = "keyword"
    VARARGS = "*"
    VARKEYWORDS = "**"


POSITIONAL = ParameterKind.POSITIONAL
REST = (ParameterKind.VARARGS, ParameterKind.VARKEYWORDS)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter.

    `annotation` is the text written there. A default that is computed reads no variables; it is
    computed again where a derivative is loaded. `is_function`: a captured variable,
    which holds a function whose text is known. `held` is the function that it surely is.
    """

    name: str
    kind: ParameterKind = POSITIONAL
    default: Atom | Opaque | None = None
    annotation: str | None = None
    is_function: bool = False
    held: Held | None = None

    @property
    def is_positional(self) -> bool:
        """Tells whether it takes an argument by its place."""
        return self.kind is POSITIONAL

    @property
    def is_rest(self) -> bool:
        """Tells whether it is `*args` or `**options`."""
        return self.kind in REST


@dataclass(frozen=True, slots=True)
class Context:
    """`with value:` around the statements that come from a span, and around their derivatives."""

    span: Span
    value: Call


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the intermediate form.

    `aliases` says how its module calls other modules; `findings` prevent a derivative in any case.
    `called` is how calls name one that we have made of the user's. `contexts` are the blocks that
    some of its statements run in, the outer ones first. `exact` are the adjoints that are given
    nothing but what has their shape and dtype.
    """

    name: str
    module: str
    parameters: tuple[Parameter, ...]
    body: Block
    origin: Span
    aliases: tuple[tuple[str, str], ...] = ()
    docstring: str | None = None
    findings: tuple[Diagnostic, ...] = ()
    called: targets.Made | None = None
    contexts: tuple[Context, ...] = ()
    exact: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def dotted(self) -> str:
        """The name by which rules and calls refer to it; a lambda's is its place."""
        if self.called is not None:
            return self.called
        is_lambda = self.module.rpartition(".")[2].startswith(LAMBDA)
        return self.module if is_lambda else f"{self.module}.{self.name}"

    @property
    def known_as(self) -> str:
        """How functions of the same derivative call it; nobody calls the first of them."""
        return self.called or self.name

    @property
    def is_derived(self) -> bool:
        """Tells whether it is a function of an earlier derivative."""
        return isinstance(self.called, targets.OF_DERIVATIVES)

    @property
    def copy_out(self) -> targets.CopyOut | None:
        """What it gives back of its arguments, if it works on copies."""
        return self.called if isinstance(self.called, targets.CopyOut) else None

    @property
    def gives_nothing(self) -> bool:
        """Tells whether it returns `None`, so that only its effects can be meant."""
        last = self.body[-1]
        return isinstance(last, Return) and last.value == Const(None)


def names(atoms: Iterable[Atom | None]) -> tuple[str, ...]:
    """The variables among some atoms."""
    return tuple([atom.id for atom in atoms if type(atom) is Name])


def is_global(atom: Atom) -> TypeGuard[Global]:
    """Tells whether an atom is a variable of a module."""
    return type(atom) is Global


def expression_reads(value: Expression) -> tuple[str, ...]:
    """The variables that an expression reads."""
    if type(value) is Call:
        atoms = value.atoms if value.keywords else value.args
        return tuple([atom.id for atom in atoms if type(atom) is Name])
    if isinstance(value, Name):
        return (value.id,)
    return value.reads if isinstance(value, Opaque) else ()


def reads(statement: Statement) -> tuple[str, ...]:
    """The variables that a statement itself reads, nested blocks not included."""
    if isinstance(statement, Assign):
        found = statement.read
        if found is None:
            found = expression_reads(statement.value)
            object.__setattr__(statement, "read", found)
        return found
    match statement:
        case Store(base, index, value):
            return (base, *names((value, index)))
        case Do(value=value) | Return(value=value):
            return expression_reads(value)
        case If(test=atom) | For(iterable=atom) | While(test=atom):
            return names((atom,))
        case Assert():
            return names((statement.test, statement.message))
        case Insert():
            return names((statement.variable, *(a for _, a in statement.captured)))


def writes(statement: Statement) -> tuple[str, ...]:
    """The variables that a statement itself binds or changes in place."""
    if isinstance(statement, Assign):
        targets, value = statement.targets, statement.value
        if not isinstance(value, Opaque):
            return targets
        return (*targets, *(name for name in value.writes if name not in targets))
    match statement:
        case Store(base=base):
            return (base,)
        case Do(value=Opaque(writes=changed)):
            return changed
        case Do(value=Call(function=function, args=(Name(id), *_))) if changes_first(function):
            return (id,)
        case Do(value=Call(function="python.append", args=(Name(id), _))):
            return (id,)
        case For(target=target):
            return (target,)
    return ()


def all_writes(statement: Statement) -> Collection[str]:
    """The variables that a statement binds or changes in place, nested blocks included."""
    if not isinstance(statement, NESTING):
        return writes(statement)
    return {name for inner in walk((statement,)) for name in writes(inner)}


def blocks(statement: Statement) -> tuple[Block, ...]:
    """The blocks inside a statement."""
    match statement:
        case If():
            return (statement.body, statement.orelse)
        case For():
            return (statement.body,)
        case While():
            return (statement.header, statement.body)
    return ()


def nested(block: Block) -> Iterator[Block]:
    """A block and all blocks inside it, the outer ones first."""
    yield block
    for statement in block:
        for inner in blocks(statement):
            yield from nested(inner)


def walk(block: Block) -> Iterator[Statement]:
    """All statements of a block, nested ones included, in order."""
    if _NESTING.isdisjoint(map(type, block)):
        return iter(block)
    found: list[Statement] = []
    _gather(block, found)
    return iter(found)


def with_unfolded(block: Block) -> Iterator[Statement]:
    """The statements in a block, with the steps of what is kept as written."""
    for statement in walk(block):
        yield statement
        match statement:
            case Assign(value=Opaque(unfolded=(steps, _))) | Do(value=Opaque(unfolded=(steps, _))):
                yield from with_unfolded(steps)


def users(block: Block) -> dict[str, list[Statement]]:
    """The statements that read, bind or change each variable, in order."""
    found: dict[str, list[Statement]] = {}
    for statement in walk(block):
        for name in {*reads(statement), *writes(statement)}:
            found.setdefault(name, []).append(statement)
    return found


def _gather(block: Block, found: list[Statement]) -> None:
    for statement in block:
        found.append(statement)
        if type(statement) in _NESTING:
            for inner in blocks(statement):
                _gather(inner, found)


def _same(given: Given) -> Given:
    return given


def mapped(value: Expression, atom: Callable[[Atom], Atom]) -> Expression:
    """An expression with each of its atoms replaced; the very same where none is another."""
    if atom is _same:
        return value
    match value:
        case Call():
            args = tuple([atom(a) for a in value.args])
            keywords = tuple([(key, atom(a)) for key, a in value.keywords])
            is_same = all(map(is_, args, value.args)) and (
                not keywords
                or all(a is b for (_, a), (_, b) in zip(keywords, value.keywords, strict=True))
            )
            return value if is_same else Call(value.function, args, keywords, value.span)
        case Opaque():
            return _renamed(value, atom)
    return atom(value)


def _renamed(value: Opaque, atom: Callable[[Atom], Atom]) -> Opaque:
    """What was kept as it was written, with the variables that it only reads renamed."""
    written = {variable: name for name, variable in value.names}

    def now(name: str) -> str:
        made = Name(name) if name in value.writes else atom(Name(name))
        return made.id if isinstance(made, Name) else name

    names = tuple((written.get(name, name), now(name)) for name in value.reads)
    reads = tuple(variable for _, variable in names)
    if all(map(is_, reads, value.reads)):
        return value
    decide = tuple(now(name) for name in value.decide)
    names = tuple(n for n in names if n[0] != n[1])
    names += tuple(n for n in value.names if n[1] in value.writes and n not in names)
    function = _capturing(value.function, now)
    return replace(value, reads=reads, names=names, decide=decide, function=function)


def _capturing(function: Held | None, now: Callable[[str], str]) -> Held | None:
    """A function, with what the variables that it has captured are called now."""
    if function is None or not function.captured:
        return function
    captured = tuple((parameter, now(variable)) for parameter, variable in function.captured)
    return replace(function, captured=captured)


def _changing(
    value: Expression, atom: Callable[[Atom], Atom], target: Callable[[str], str]
) -> Expression:
    """What was kept as written, with the variables that it changes renamed, where all are so."""
    if target is _same or not isinstance(value, Opaque) or not value.writes:
        return value
    moved = {n: made for n in value.writes if (made := target(n)) != n}
    moved = {n: made for n, made in moved.items() if atom(Name(n)) == Name(made)}
    if not moved:
        return value

    def now(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(moved.get(name, name) for name in names)

    known = {variable: name for name, variable in value.names}
    names = {known.get(n, n): moved.get(n, n) for n in (*value.reads, *value.writes)}
    return replace(
        value,
        reads=now(value.reads),
        writes=now(value.writes),
        changes=now(value.changes),
        names=tuple((name, variable) for name, variable in names.items() if name != variable),
        calls=tuple((function, now(read)) for function, read in value.calls),
        decide=now(value.decide),
        function=_capturing(value.function, lambda name: moved.get(name, name)),
    )


def rebuilt(
    statement: Statement,
    atom: Callable[[Atom], Atom] = _same,
    target: Callable[[str], str] = _same,
    block: Callable[[Block], Block] = _same,
) -> Statement:
    """A statement with its atoms, the variables it binds and the blocks inside of it replaced.

    It is a new one in any case, so that what is written out several times is several statements.
    """
    match statement:
        case Assign(targets, value, origin, role, is_tuple):
            names = targets if target is _same else tuple([target(name) for name in targets])
            made = mapped(_changing(value, atom, target), atom)
            return Assign(names, made, origin, role, is_tuple)
        case Store(base, index, value, kind, origin, role, span, each, assign):
            place = None if index is None else atom(index)
            return Store(target(base), place, atom(value), kind, origin, role, span, each, assign)
        case Do(value, origin, role):
            made = mapped(_changing(value, atom, target), atom)
            assert isinstance(made, Call | Opaque)
            return Do(made, origin, role)
        case If(test, body, orelse, origin, role):
            return If(atom(test), block(body), block(orelse), origin, role)
        case For(name, iterable, body, origin, role):
            return For(target(name), atom(iterable), block(body), origin, role)
        case While(header, test, body, origin, role):
            return While(block(header), atom(test), block(body), origin, role)
        case Insert(variable, bar, body, captured, origin, role):
            held = tuple((name, atom(a)) for name, a in captured)
            return Insert(atom(variable), bar, body, held, origin, role)
        case Assert(test, message, origin, role):
            shown = None if message is None else atom(message)
            return Assert(atom(test), shown, origin, role)
        case Return(value, origin, role):
            return Return(atom(value), origin, role)


def rewritten(
    statement: Statement,
    atom: Callable[[Atom], Atom] = _same,
    target: Callable[[str], str] = _same,
    block: Callable[[Block], Block] = _same,
) -> Statement:
    """The same; the very statement where nothing in it is another, so that its facts stay known."""

    def inside(inner: Block) -> Block:
        made = block(inner)
        return inner if _are_same(made, inner) else made

    if isinstance(statement, NESTING):
        made = rebuilt(statement, atom, target, inside)
    elif atom is _same and target is _same:
        return statement
    elif isinstance(statement, Assign):
        value = mapped(statement.value, atom)
        names = statement.targets if target is _same else tuple(map(target, statement.targets))
        if value is statement.value and _are_same(names, statement.targets):
            return statement
        return Assign(names, value, statement.origin, statement.role, statement.is_tuple)
    else:
        made = rebuilt(statement, atom, target)
    fields = [(getattr(statement, name), getattr(made, name)) for name in made.__slots__]
    is_same = all(old is new or _are_same(old, new) for old, new in fields)
    return statement if is_same else made


def _are_same(one: object, other: object) -> bool:
    """Tells whether two tuples hold the very same."""
    if not (isinstance(one, tuple) and isinstance(other, tuple)):
        return False
    return len(one) == len(other) and all(map(is_, one, other))


def is_mutator(method: str) -> bool:
    """Tells whether a method of this name changes the object that it is called on."""
    return changes_first(f"ndarray.{method}")


@cache
def changes_first(function: str) -> bool:
    """Tells whether a call changes its first argument: `x.sort()`, `np.add.at(x, i, v)`.

    Operators that also give it back do more than that (`operator.iadd`).
    """
    is_at = function.endswith(".at") and targets.is_of(function, "numpy")
    return is_at or function in records.CHANGING


EACH = {"numpy.add.at": StoreKind.ADD, "numpy.subtract.at": StoreKind.SUB}
"""The functions that are stores at each of several places, and what these do."""


ASSIGNING = {
    "ndarray.assign": StoreKind.REPLACE,
    "ndarray.assign_add": StoreKind.ADD,
    "ndarray.assign_sub": StoreKind.SUB,
}
"""The methods that set a variable of TensorFlow's, and what these stores do."""


def called(store: Store) -> Call:
    """The call that a store is, at each place or of a variable of TensorFlow's."""
    names = EACH if store.is_each else ASSIGNING
    (function,) = (name for name, kind in names.items() if kind is store.kind)
    place = (store.index,) if store.is_each and store.index is not None else ()
    return Call(function, (Name(store.base), *place, store.value))


LAMBDA = "<lambda:"
"""What the last part of a dotted name begins with that is the place of a lambda."""

OBJECT = "python.object"
"""An object of a class, which is the first argument, with attributes."""

UNMADE = Const(None)
"""The second argument of `OBJECT` where the constructor is not asked to set the attributes."""

RECORD = "types.SimpleNamespace"
"""The class of what the gradient of an object is that is no dataclass."""

OPTION = "python.option"
"""The call that reads an attribute of an object which holds no numbers, at an `Attribute`."""

SUPER = "builtins.super"
"""Gives an object as one of the classes above a class: `super()`, with what Python adds to it."""

GETATTR = "builtins.getattr"
"""Reads an attribute whose name is a value."""

EXTENSION = "python.extension"
"""The call that gives what is added to a list, by `values += x`; the list comes behind it."""

PATH = "python.path"
"""The call that makes an index of several, as in `x[i][j]`."""

HELD = "adlsp.runtime.held"
"""The call that reads what a container holds at an index; of an array it gives a copy."""

YIELD = "python.yield"
"""The call by which a generator gives its next value."""

KEPT = "adlsp.runtime.kept_by"
"""The call that reads what a function keeps: a captured variable, or an argument of a partial."""

READING = ("operator.getitem", HELD)
"""The calls that read a part of their first argument, at the index that is their second."""

ENTRY = "adlsp.runtime.entry"
"""The call that reads what a dictionary has at a key, if it has something there."""

State: TypeAlias = Literal["bound", "changed"]
"""What functions do to a variable of a module: they bind it, or change the object that it is."""

STATES: dict[State, str] = {"bound": "python.bound", "changed": "python.changed"}
"""The calls that read a variable which functions bind, or of which they change the object.

They print as their argument. What they give is not there any more when the variable is read again.
"""


def class_variable(name: str) -> Global:
    """What classes hold for all of their objects under a name, whichever class that is."""
    return Global(f".{name}")


SPLIT = "python.split"
"""The call that marks, in a function with both sweeps, where the backward sweep begins."""


def sets_cell(statement: Statement) -> TypeGuard[Store]:
    """Tells whether a statement puts an object into a cell of a list or dictionary."""
    return isinstance(statement, Store) and statement.kind in SETTING


def reading(store: Store) -> str:
    """The function that reads what a store replaces: a dictionary may have nothing there."""
    return ENTRY if store.kind is StoreKind.ENTER else "operator.getitem"


def resizes(statement: Statement) -> bool:
    """Tells whether a statement makes a list longer or shorter."""
    return isinstance(statement, Store) and statement.kind in RESIZING


def appended(base: str, value: Atom, origin: Span, role: Role = Role.PRIMAL) -> Store:
    """`base.append(value)`, as a store."""
    return Store(base, Const(-1), value, StoreKind.APPEND, origin, role)


def popped(base: str, origin: Span, role: Role = Role.PRIMAL) -> Store:
    """`base.pop()`, as a store."""
    return Store(base, Const(-1), Const(None), StoreKind.POP, origin, role)


def fresh(function: Function) -> Fresh:
    """New variables for a function."""
    return Fresh(last_number(function))


def last_number(function: Function) -> int:
    """The greatest number of a variable of ours in a function; 0 if there is none."""
    names = (name for s in with_unfolded(function.body) for name in writes(s))
    return max((name.number for name in names if isinstance(name, Numbered)), default=0)


def returning(function: Function, given: tuple[Atom, ...], purpose: str) -> Function:
    """The function with other values as its result; `purpose` is what their tuple is called."""
    last, before = function.body[-1], function.body[:-1]
    assert isinstance(last, Return)
    is_implied = any(last.origin.contains(s.origin.line, s.origin.column) for s in walk(before))
    origin = function.origin if is_implied else last.origin
    packed = Step(0, purpose)
    pack = Assign((packed,), Call("python.tuple", given), origin)
    return replace(function, body=(*before, pack, Return(Name(packed), origin)))


def is_split(statement: Statement) -> bool:
    """Tells whether a statement is the mark between the two sweeps."""
    return isinstance(statement, Do) and (
        isinstance(statement.value, Call) and statement.value.function == SPLIT
    )
