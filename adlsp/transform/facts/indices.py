"""What is known of an index: whether `a[index]` surely selects without repeating an element.

Basic indices (integers, slices, `None`, `...`) never repeat, so that an adjoint may be added in
place by `a_bar[index] += v`. Anything else goes through the runtime, which looks at the index.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from adlsp.transform import ir
from adlsp.transform.facts import operations
from adlsp.transform.facts.callees import Inferred
from adlsp.transform.facts.versions import Version, VersionKind, Versions
from adlsp.transform.ir.variables import Step
from adlsp.transform.ops.spec import Kind


class Indices:
    """Answers questions about the indices of one function.

    It follows the chains from uses to definitions: `source` and `definition` go one step back.
    """

    def __init__(
        self, function: ir.Function, versions: Versions, inferred: Inferred | None = None
    ) -> None:
        self.versions = versions
        self.inferred = inferred
        self.parameters = {p.name: p for p in function.parameters}
        self.counts: dict[int, bool] = {}

    def is_basic(self, statement: ir.Statement, atom: ir.Atom | None) -> bool:
        """Tells whether an index is surely basic."""
        if atom is None:
            return True
        if isinstance(atom, ir.Const):
            return atom.value is None or atom.value is ... or type(atom.value) is int
        call = self.definition(statement, atom)
        if isinstance(call, ir.Call):
            if call.function == "python.slice":
                return True
            if call.function in ("python.tuple", ir.PATH):
                source = self.source(statement, atom)
                return source is not None and all(
                    self.is_basic(source, a)
                    or (call.function == ir.PATH and self.is_key(source, a))
                    for a in call.args
                )
        return self.is_integer(statement, atom)

    def is_key(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an index is surely a key of a dictionary."""
        if is_key(atom):
            return True
        known = self.inferred
        return known is not None and isinstance(atom, ir.Name) and known.is_text(statement, atom.id)

    def is_element(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an index may select one element: it has no slice, `None` or `...`."""
        if isinstance(atom, ir.Const):
            return type(atom.value) in (int, str)
        made = self.definition(statement, atom)
        if isinstance(made, ir.Call) and made.function in ("python.tuple", ir.PATH):
            source = self.source(statement, atom)
            return source is not None and all(self.is_element(source, a) for a in made.args)
        return not isinstance(made, ir.Call) or made.function != "python.slice"

    def is_whole(self, statement: ir.Statement, atom: ir.Atom | None) -> bool:
        """Tells whether an index surely selects all of an array: `...`, or `()` without axes."""
        if atom is None or isinstance(atom, ir.Const):
            return atom is None or atom.value is ...
        call = self.definition(statement, atom)
        return isinstance(call, ir.Call) and call.function == "python.tuple" and not call.args

    def adds_axes(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an index has nothing but `None` and `...`: numbers of NumPy's take it."""
        if isinstance(atom, ir.Const):
            return atom.value is None or atom.value is ...
        match self.definition(statement, atom), self.source(statement, atom):
            case ir.Call("python.tuple", args), ir.Assign() as source:
                return all(self.adds_axes(source, each) for each in args)
        return False

    def is_slice(self, statement: ir.Statement, atom: ir.Atom | None) -> bool:
        """Tells whether an index surely selects an array and not an element."""
        if atom is None:
            return False
        call = self.definition(statement, atom)
        if not isinstance(call, ir.Call):
            return False
        if call.function in ("python.tuple", ir.PATH):
            source = self.source(statement, atom)
            return source is not None and any(self.is_slice(source, a) for a in call.args)
        return call.function == "python.slice"

    def may_be_cell(self, store: ir.Store) -> bool:
        """Tells whether a store may be into a cell of a list or dictionary, by its index."""
        if store.index is None or store.is_each or store.kind.is_of_container:
            return False
        *_, last = self.path(store, store.index)
        is_part = isinstance(last, ir.Const) and (last.value is ... or last.value is None)
        return not (
            is_part or self.is_slice(store, store.index) or self.is_whole(store, store.index)
        )

    def copies(self, statement: ir.Statement, base: ir.Atom, atom: ir.Atom) -> bool:
        """Tells whether what an index selects is surely a copy: by a list, or by `a[a > 0]`.

        No list is indexed by a list, or compared with a number.
        """
        call, source = self.definition(statement, atom), self.source(statement, atom)
        if not isinstance(call, ir.Call) or source is None:
            return False
        if call.function == "python.tuple":
            return any(self.copies(source, base, each) for each in call.args)
        is_order = bool(operations.of(call.function).compares)
        is_mask = is_order and any(isinstance(each, ir.Const) for each in call.args[1:2])
        is_of_base = isinstance(ir.writes(source)[0], Step) and call.args[:1] == (base,)
        return call.function == "python.list" or (is_mask and is_of_base)

    def is_path(self, statement: ir.Statement, atom: ir.Atom | None) -> bool:
        """Tells whether an index is several, one after the other."""
        call = None if atom is None else self.definition(statement, atom)
        return isinstance(call, ir.Call) and call.function == ir.PATH

    def path(self, statement: ir.Statement, atom: ir.Atom) -> tuple[ir.Atom, ...]:
        """The indices that an index stands for, one after the other."""
        call = self.definition(statement, atom)
        return call.args if isinstance(call, ir.Call) and call.function == ir.PATH else (atom,)

    def is_single(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether a path surely leads to one place, whose elements it does not repeat."""
        call, source = self.definition(statement, atom), self.source(statement, atom)
        if not isinstance(call, ir.Call) or call.function != ir.PATH or source is None:
            return False
        return self.is_basic(statement, atom) and all(
            isinstance(a.value, int | str)
            if isinstance(a, ir.Const)
            else self.is_integer(source, a) or self.is_key(source, a)
            for a in call.args[:-1]
        )

    def is_of_array(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether what an index selects from is surely an array: lists take no `[:, 0]`."""
        call = self.definition(statement, atom)
        is_tuple = isinstance(call, ir.Call) and call.function == "python.tuple"
        return is_tuple and self.is_slice(statement, atom)

    def definition(self, statement: ir.Statement, atom: ir.Atom) -> ir.Expression | None:
        """The expression that an atom was assigned, where there is one."""
        source = self.source(statement, atom)
        return source.value if isinstance(source, ir.Assign) and not source.is_tuple else None

    def source(self, statement: ir.Statement, atom: ir.Atom) -> ir.Statement | None:
        """The statement that assigned an atom, as another statement reads it."""
        if isinstance(atom, ir.Name):
            version = self.versions.reads.get((statement, atom.id))
            if version is not None and version.kind is VersionKind.ASSIGN:
                return version.statement
        return None

    def is_same(
        self, statement: ir.Statement, atom: ir.Atom, elsewhere: ir.Statement, other: ir.Atom
    ) -> bool:
        """Tells whether two statements surely read one value, or the same part of one."""
        if not (isinstance(atom, ir.Name) and isinstance(other, ir.Name)):
            return atom == other
        read = self.versions.reads
        if read.get((statement, atom.id)) is read.get((elsewhere, other.id)):
            return (statement, atom.id) in read
        match self.source(statement, atom), self.source(elsewhere, other):
            case (
                ir.Assign(value=ir.Call(function, args, ())) as made,
                ir.Assign(value=ir.Call(again, others, ())) as remade,
            ) if function == again and function in ir.READING and not made.is_tuple:
                pairs = zip(args, others, strict=True)
                return all(self.is_same(made, a, remade, b) for a, b in pairs)
        return False

    def is_read_once(self, statement: ir.Statement, name: ir.Name) -> bool:
        """Tells whether no other statement reads the value that a statement reads of a name."""
        version = self.versions.reads.get((statement, name.id))
        return version is not None and self._uses[version.number] == 1

    @cached_property
    def _uses(self) -> Counter[int]:
        """How many statements, and versions that are read in their turn, use each version."""
        uses = Counter(version.number for version in self.versions.reads.values())
        pending = list({v.number: v for v in self.versions.reads.values()}.values())
        while pending:
            for prior in pending.pop().priors:
                uses[prior.number] += 1
                if uses[prior.number] == 1:
                    pending.append(prior)
        return uses

    def is_integer(self, statement: ir.Statement, atom: ir.Atom) -> bool:
        """Tells whether an atom is surely an integer."""
        if isinstance(atom, ir.Const):
            return type(atom.value) is int
        if not isinstance(atom, ir.Name):
            return False
        version = self.versions.reads.get((statement, atom.id))
        if version is not None and self.is_count(version):
            return True
        return self.inferred is not None and self.inferred.is_integer(statement, atom.id)

    def is_count(self, version: Version) -> bool:
        """Tells whether a version of a variable is surely an integer."""
        if version.number not in self.counts:
            seen: set[int] = set()
            is_count = self._is_integer(version, seen)
            self.counts[version.number] = is_count
            if is_count:
                self.counts.update(dict.fromkeys(seen, True))
        return self.counts[version.number]

    def _is_integer(self, version: Version, seen: set[int]) -> bool:
        if version.number in seen:
            return True
        if version.number in self.counts:
            return self.counts[version.number]
        seen.add(version.number)
        if version.meets or version.kind is VersionKind.CHANGED:  # no integer can be changed
            return bool(version.priors) and all(self._is_integer(v, seen) for v in version.priors)
        match version.statement:
            case None:
                parameter = self.parameters.get(version.name)
                return parameter is not None and parameter.annotation == "int"
            case ir.For(iterable=iterable) as loop:
                return self._is_range(loop, iterable)
            case ir.Store(index=None, kind=kind) as store if operations.keeps_integers(
                kind.operator
            ):
                return all(self._is_integer(v, seen) for v in version.priors) and (
                    self._atom(store, store.value, seen)
                )
            case ir.Assign(is_tuple=False, value=value) as assign:
                return self._expression(assign, value, seen)
            case ir.Assign(is_tuple=True, value=ir.Name() as value) as assign:
                if version.kind is VersionKind.TARGET:
                    return version.name == assign.targets[0] and self._is_counted(assign, value)
                shape = self.definition(assign, value)
                return isinstance(shape, ir.Call) and operations.gives_shape(shape.function)
            case ir.Assign(is_tuple=True, value=ir.Call(function=function)):
                return operations.gives_shape(function)
        return False

    def _atom(self, statement: ir.Statement, atom: ir.Atom, seen: set[int]) -> bool:
        if isinstance(atom, ir.Name):
            version = self.versions.reads.get((statement, atom.id))
            return version is not None and self._is_integer(version, seen)
        return self.is_integer(statement, atom)

    def _expression(self, statement: ir.Statement, value: ir.Expression, seen: set[int]) -> bool:
        match value:
            case ir.Name() | ir.Const():
                return self._atom(statement, value, seen)
            case ir.Call(function=function) if operations.gives(function, Kind.INTEGER):
                return True
            case ir.Call(function=function, args=args) if operations.keeps_integers(function):
                return bool(args) and all(self._atom(statement, a, seen) for a in args)
            case ir.Call(function="operator.getitem", args=(base, _)):
                shape = self.definition(statement, base)
                return isinstance(shape, ir.Call) and operations.gives_shape(shape.function)
        return False

    def _is_counted(self, statement: ir.Statement, element: ir.Name) -> bool:
        """Tells whether a loop over `enumerate` made an element, whose first part is its number."""
        version = self.versions.reads.get((statement, element.id))
        match version.statement if version is not None else None:
            case ir.For(iterable=iterable) as loop:
                made = self.definition(loop, iterable)
                return isinstance(made, ir.Call) and made.function == "builtins.enumerate"
        return False

    def _is_range(self, loop: ir.For, iterable: ir.Atom) -> bool:
        """Whether a loop counts, forwards or (as a backward sweep does) backwards."""
        made, source = self.definition(loop, iterable), self.source(loop, iterable)
        if isinstance(made, ir.Call) and made.function == "builtins.reversed" and source:
            made = self.definition(source, made.args[0])
        return isinstance(made, ir.Call) and operations.gives(made.function, Kind.RANGE)


def is_key(atom: ir.Atom | None) -> bool:
    """Tells whether an index is a text, a key of a dictionary."""
    return isinstance(atom, ir.Const) and isinstance(atom.value, str)
