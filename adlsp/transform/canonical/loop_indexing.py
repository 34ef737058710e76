"""Loops that write into the elements of what they run over: `for row in a: row *= 2`.

Such loops are indexed instead, `for i in range(len(a))`, and `row = a[i]` is a part of the array
like any other, for `view_places.py` or `view_write_back.py` to put back. So is that of
`for i, row in enumerate(a)`. It is done where `a` is surely an array, and `row` is not taken for a
number. Where the inference knows what is run over, lists and tuples are indexed, too, also several
of them, `for w, g in zip(ws, gs)`, and dictionaries by their keys, `for name, w in p.items()`; of a
list also a part, `for other in bodies[i + 1 :]`, all from its end on, or the pairs of its elements,
`for one, other in combinations(bodies, 2)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from adlsp.transform import ir
from adlsp.transform.facts import callees, effects, operations
from adlsp.transform.facts.facts import Facts
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir.variables import Step, readable
from adlsp.transform.ops.spec import Kind

PAIRS = "itertools.combinations"
"""What gives the pairs of some elements, or more of them together."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a loop runs over: `rows` pairs what elements are called with what they are elements of.

    `number` is what the user calls the number of an element, or its key; `body` the rest of the
    loop's, where the elements are taken apart. `objects` are elements which nobody reads behind it.
    `taking` is the call that takes of a list those that it runs over, or their order. Where it runs
    over `pairs`, the second element is each that stands behind the first.
    """

    rows: tuple[tuple[str, str], ...]
    body: ir.Block
    number: str = ""
    objects: frozenset[str] = frozenset()
    taking: ir.Call | None = None
    pairs: bool = False


def indexed(function: ir.Function, known: callees.Callees) -> ir.Function:
    """The function in which loops over what they write into are loops over numbers, or keys."""
    loops = [s for s in ir.walk(function.body) if isinstance(s, ir.For) and _may_write(s)]
    if not loops:
        return function
    facts = known.facts(function)
    kinds: dict[str, Kind] = dict.fromkeys(facts.arrays(), Kind.ARRAY)
    if facts.inferred is not None:
        kinds = {**dict.fromkeys(facts.inferred.whole_arrays(), Kind.ARRAY)}
        kinds |= facts.inferred.containers()
    finder = _Finder(facts, known, kinds)
    found = {loop: run for loop in loops if (run := finder.run(loop)) is not None}
    return _Counting(function, found, kinds).function if found else function


def _may_write(loop: ir.For) -> bool:
    """Tells whether a loop may write into something, or call what does."""
    return any(
        isinstance(s, ir.Store) or (isinstance(s, ir.Do) and isinstance(s.value, ir.Call))
        for s in ir.walk(loop.body)
    )


class _Finder:
    """Finds what loops run over, and whether they write into that."""

    def __init__(self, facts: Facts, known: callees.Callees, kinds: Mapping[str, Kind]) -> None:
        self.facts, self.known, self.kinds = facts, known, kinds
        self.made = {
            s.targets[0]: s.value
            for s in ir.walk(facts.function.body)
            if isinstance(s, ir.Assign) and isinstance(s.value, ir.Call)
        }
        self.paired = {
            s.targets[0]: owner
            for s in ir.walk(facts.function.body)
            if isinstance(s, ir.Assign) and (owner := _paired(s)) is not None
        }

    def run(self, loop: ir.For) -> Run | None:
        """What a loop runs over, if that is to be indexed."""
        found = self.elements(loop.iterable, loop.target, loop.body)
        if found is None:
            return None
        if inferred := self.facts.inferred:
            names = {row for row, _ in found.rows}
            objects = inferred.objects() & names
            are_set = any(
                self.sets_element(s, owner) for s in ir.walk(loop.body) for _, owner in found.rows
            )
            if not (objects or are_set) and names.isdisjoint(self.kinds):
                return None
            if are_set and (found.taking or found.pairs):  # it runs over what was there before
                return None
            found = replace(found, objects=objects - self.facts.live.after[loop])
        owners = {owner for _, owner in found.rows}
        inside = [*ir.walk(loop.body)]
        is_steady = not any(_binds(s, owner) for s in inside for owner in owners)
        return found if is_steady and any(self.writes(s, found) for s in inside) else None

    def elements(self, over: ir.Atom, target: str, body: ir.Block) -> Run | None:
        """What elements are called, where the body takes them apart."""
        if not isinstance(over, ir.Name):
            return None
        paired = self.paired.get(over.id, "")
        if isinstance(over.id, Step) and self.is_listed(paired):
            names = _taken_apart(target, body)
            pairs = tuple((name, paired) for name in names)
            return Run(pairs, body[1:], pairs=True) if len(names) == 2 else None
        made = self.made.get(over.id)
        if isinstance(over.id, Step) and made is not None and self.takes(made):
            (taken, *_) = made.args
            assert isinstance(taken, ir.Name)
            return Run(((target, taken.id),), body, taking=made)
        is_indexed = made is None or not _is_iterator(made.function)
        if self.kinds.get(over.id, Kind.DICT) is not Kind.DICT and is_indexed:
            return Run(((target, over.id),), body)
        if not isinstance(over.id, Step) or made is None or made.keywords:
            return None
        names = _taken_apart(target, body)
        match made.function, made.args:
            case "builtins.enumerate", (owner,) if len(names) == 2:
                number, element = names
                inner = self.elements(owner, element, body[1:])
                if inner is not None and (inner.taking or inner.pairs):
                    return None
                return inner and replace(inner, number=inner.number or number)
            case "builtins.zip", (_, *_) as owners if len(names) == len(owners) > 0:
                if self.facts.inferred is None:
                    return None
                return self.together(owners, names, body[1:])
            case "ndarray.values", (ir.Name(owner),) if self.kinds.get(owner) is Kind.DICT:
                return Run(((target, owner),), body)
            case "ndarray.items", (ir.Name(owner),) if self.kinds.get(owner) is Kind.DICT:
                if len(names) == 2:
                    return Run(((names[1], owner),), body[1:], names[0])
        return None

    def takes(self, made: ir.Call) -> bool:
        """Tells whether a call takes some elements of a list, in an order, `rows[1:]`."""
        match made.function, made.args:
            case "operator.getitem", (ir.Name(owner), ir.Name(index)):
                slicing = self.made.get(index)
                if slicing is None or slicing.function != "python.slice":
                    return False
            case "builtins.reversed", (ir.Name(owner),):
                pass
            case _:
                return False
        return self.is_listed(owner)

    def is_listed(self, owner: str) -> bool:
        """Tells whether a variable is surely a list or a tuple."""
        return self.kinds.get(owner) in (Kind.LIST, Kind.TUPLE)

    def together(
        self, owners: tuple[ir.Atom, ...], names: tuple[str, ...], body: ir.Block
    ) -> Run | None:
        """Several that a loop runs over together."""
        rows: list[tuple[str, str]] = []
        for owner, name in zip(owners, names, strict=True):
            found = self.elements(owner, name, body)
            if found is None or found.number or found.taking or found.pairs:
                return None
            rows += found.rows
            body = found.body
        is_of_keys = {self.kinds[owner] is Kind.DICT for _, owner in rows}
        return None if True in is_of_keys else Run(tuple(rows), body)

    def writes(self, statement: ir.Statement, run: Run) -> bool:
        """Tells whether a statement writes into an element of what a loop runs over."""
        shared = self.facts.aliases()
        for name in _written(statement, self.known):
            for row, owner in run.rows:
                if self.facts.inferred is None and name != row:
                    continue
                if name != owner and owner in shared.related(statement, name):
                    return True
                if self.sets_element(statement, owner):
                    return True
        return False

    def sets_element(self, statement: ir.Statement, owner: str) -> bool:
        """Tells whether a statement puts another element into a list that a loop runs over."""
        if not isinstance(statement, ir.Store) or statement.base != owner:
            return False
        return self.kinds.get(owner) is Kind.LIST and statement.index is not None


def _is_iterator(function: str) -> bool:
    """Tells whether a function gives what can be run through, and has no elements to ask for."""
    return operations.gives(function, Kind.ITERATOR) or bool(operations.of(function).is_one_way)


def _paired(statement: ir.Assign) -> str | None:
    """The list of whose elements a statement gives all pairs, `combinations(rows, 2)`."""
    match statement:
        case ir.Assign(
            (_,),
            ir.Opaque(
                unfolded=(
                    (
                        ir.Assign(value=ir.Call("builtins.list", (ir.Name(owner),))),
                        ir.Assign(value=ir.Opaque(unfolded=(steps, _))),
                    ),
                    _,
                )
            ),
        ):
            calls = (s.value for s in steps if isinstance(s, ir.Assign))
            chosen = [c.args[1:] for c in calls if isinstance(c, ir.Call) and c.function == PAIRS]
            return owner if chosen == [(ir.Const(2),)] else None
    return None


def _taken_apart(target: str, body: ir.Block) -> tuple[str, ...]:
    """The names for the parts of an element, which nothing else uses."""
    match body:
        case (ir.Assign(names, ir.Name(pair), is_tuple=True), *rest) if pair == target and not any(
            pair in ir.reads(s) for s in ir.walk(tuple(rest))
        ):
            return names
    return ()


def _written(statement: ir.Statement, known: callees.Callees) -> Iterator[str]:
    """The variables into whose arrays a statement writes."""
    if isinstance(statement, ir.Store):
        yield statement.base
    elif isinstance(statement, ir.Do):
        yield from (name for name, _ in effects.changes(statement, known))


def _renamed(block: ir.Block, names: Mapping[str, str]) -> ir.Block:
    """A block with other names for some variables: of each loop one has its own."""

    def atom(given: ir.Atom) -> ir.Atom:
        return ir.Name(names.get(given.id, given.id)) if isinstance(given, ir.Name) else given

    return tuple(
        ir.rebuilt(s, atom, lambda n: names.get(n, n), lambda b: _renamed(b, names)) for s in block
    )


def _binds(statement: ir.Statement, name: str) -> bool:
    is_place = isinstance(statement, ir.Store) and not ir.resizes(statement)
    return name in ir.writes(statement) and not is_place


class _Counting:
    """Writes loops over elements as loops over their numbers, or keys."""

    def __init__(
        self, function: ir.Function, chosen: Mapping[ir.For, Run], kinds: Mapping[str, Kind]
    ) -> None:
        self.fresh = ir.fresh(function)
        self.chosen = chosen
        self.kinds = kinds
        paired = {loop.iterable for loop, run in chosen.items() if run.pairs}
        self.unread = {atom.id for atom in paired if isinstance(atom, ir.Name)}
        self.function = replace(function, body=self.block(function.body))

    def block(self, block: ir.Block) -> ir.Block:
        read = (s for s in block if self.unread.isdisjoint(ir.writes(s)))
        return tuple(made for statement in read for made in self.statement(statement))

    def statement(self, statement: ir.Statement) -> list[ir.Statement]:
        if not isinstance(statement, ir.For) or statement not in self.chosen:
            return [ir.rebuilt(statement, block=self.block)]
        run, origin = self.chosen[statement], statement.origin
        owners = tuple(dict.fromkeys(owner for _, owner in run.rows))
        i, inner = self.numbered(statement, run)
        own = {row: self.fresh.own(readable(row)) for row, _ in run.rows if row in run.objects}
        places = (i, self.fresh.own("j")) if run.pairs else (i,) * len(run.rows)
        for (row, owner), place in zip(run.rows, places, strict=True):
            part = ir.Call("operator.getitem", (ir.Name(owner), ir.Name(place)))
            inner.append(ir.Assign((own.get(row, row),), part, origin))
        body = (*inner, *_renamed(self.block(run.body), own))
        if self.kinds[owners[0]] is Kind.DICT:
            return [replace(statement, target=i, iterable=ir.Name(owners[0]), body=body)]
        made: list[ir.Statement] = []
        lengths = [self.hold("builtins.len", (ir.Name(o),), statement, made) for o in owners]
        length = lengths[0]
        if len(lengths) > 1:
            length = self.hold("builtins.min", tuple(lengths), statement, made)
        numbers = self.hold("builtins.range", (length,), statement, made)
        if run.pairs:
            steps: list[ir.Statement] = []
            behind = self.hold("operator.add", (ir.Name(i), ir.Const(1)), statement, steps)
            others = self.hold("builtins.range", (behind, length), statement, steps)
            body = (*steps, replace(statement, target=places[1], iterable=others, body=body))
        if (taking := run.taking) is not None:
            numbers = self.hold(taking.function, (numbers, *taking.args[1:]), statement, made)
        return [*made, replace(statement, target=i, iterable=numbers, body=body)]

    def hold(
        self,
        function: str,
        args: tuple[ir.Atom, ...],
        loop: ir.For,
        made: list[ir.Statement],
    ) -> ir.Name:
        step = self.fresh.step()
        made.append(ir.Assign((step,), ir.Call(function, args), loop.origin))
        return ir.Name(step)

    def numbered(self, loop: ir.For, run: Run) -> tuple[str, list[ir.Statement]]:
        """What the number of an element is called, and how it gets the user's name, if any."""
        ours = self.fresh.own("i" if self.kinds[run.rows[0][1]] is not Kind.DICT else "key")
        if not run.number:
            return ours, []
        if not any(run.number in ir.writes(s) for s in ir.walk(run.body)):
            return run.number, []
        return ours, [ir.Assign((run.number,), ir.Name(ours), loop.origin)]
