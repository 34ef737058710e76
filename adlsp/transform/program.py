"""The functions of a program, and what a call means: a rule, a function with source, or neither."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest
from operator import or_
from types import MappingProxyType
from typing import Any

from adlsp.transform import arguments, ir
from adlsp.transform.canonical import (
    alias_names,
    branches,
    copy_out,
    instances,
    objects,
)
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Fix
from adlsp.transform.facts import (
    activity,
    aliases,
    demand,
    elements,
    graphs,
    list_copies,
    noalias,
    operations,
)
from adlsp.transform.facts.callees import Changing
from adlsp.transform.facts.facts import Facts, Table
from adlsp.transform.facts.summaries import Summaries
from adlsp.transform.frontend import elsewhere, fix_its, lower, resolve
from adlsp.transform.frontend.operators import is_own
from adlsp.transform.frontend.resolve import Binding, Resolver
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step
from adlsp.transform.query_cache import Functions, QueryCache
from adlsp.transform.rules import table
from adlsp.transform.rules.users import RulesInScope
from adlsp.transform.source import Source, Span
from adlsp.transform.values import annotations as annotating
from adlsp.transform.values import lattice, parse, places, structures, told
from adlsp.transform.values.classes import Classes, Construction, Member
from adlsp.transform.values.inference import Instances, Settled, Typed
from adlsp.transform.values.inferred import Inferred
from adlsp.transform.values.lattice import (
    UNKNOWN,
    Array,
    Function,
    Number,
    Object,
    Signature,
    Unknown,
    Value,
)

CHANGED: frozenset[ir.State] = frozenset({"changed"})
"""What functions do to a variable that holds the same object all the time."""

NOTHING_COPIED = list_copies.Copied()

NOTHING_TAKEN: Signature = MappingProxyType({})

Rewriting = Callable[[ir.Function, "Program"], ir.Function]

Deriving = Callable[[ir.Function, targets.Derivative, "Program"], tuple[Diagnostic, ...]]
"""Enters the derivative of a function in a program, under its name; gives what prevents it."""


@dataclass(frozen=True, slots=True)
class Canonical:
    """How the functions of a program are canonicalized; `pipeline.py` has the passes.

    `written_out` asks nothing about what functions change; `settled` leaves to its callers what it
    changes, and `copied_out` does what it is left by those that it calls. Functions that call each
    other go through each of these together. `of_root` does more for a function that is
    differentiated itself.
    """

    written_out: Rewriting
    settled: Rewriting
    copied_out: Rewriting
    of_root: Rewriting


class Program:
    """Looks up what calls mean, and what they do: the call graph, with interprocedural summaries.

    `home` is the module of the function that is differentiated, `given` what its parameters are, as
    far as that is known, and by their dotted names what variables of modules hold. What is `told`
    says which objects are the same one, too; what counts on that has to ask for it. Some are only
    `assumed`, and `wrt` are those of interest. `answers` remembers what functions do that may call
    each other.
    """

    def __init__(
        self,
        resolver: Resolver,
        rules: RulesInScope,
        canonical: Canonical,
        users: Functions | None = None,
        home: Source | None = None,
        root: str = "",
        given: Signature = MappingProxyType({}),
        assumed: frozenset[str] = frozenset(),
        wrt: Collection[str] = (),
        deriving: Deriving = lambda *_: (),
        *,
        is_given_back: bool = False,
    ) -> None:
        self.rules = rules
        self.told = {name: value for name, value in given.items() if "." not in name}
        self.given = {name: places.without_sites(value) for name, value in self.told.items()}
        self.held = {name: value for name, value in given.items() if name not in self.given}
        self.seeds: Signature = {}
        self.assumed = assumed
        self._wrt = frozenset(wrt)
        self._is_given_back = is_given_back
        self.classes = Classes(users.resolver if users else resolver)
        self._root = root
        self._canonical = canonical
        self._deriving = deriving
        self._unfollowed: dict[targets.Derivative, tuple[Diagnostic, ...]] = {}
        self._of_primals: dict[targets.Derivative, Program] = {}
        self._users = users or Functions(resolver, QueryCache())
        self._functions: dict[str, ir.Function | None] = {}
        self._sources: dict[str, Source] = {}
        self._sharing: dict[tuple[str, bool, bool], tuple[frozenset[str | ir.Global], ...]] = {}
        self._written: dict[tuple[str, bool], tuple[str, ...]] = {}
        self._disjoint: dict[tuple[str], Mapping[str, tuple[str, ...]]] = {}
        self._doubted: dict[tuple[str], frozenset[str]] = {}
        self._copied: dict[tuple[str], list_copies.Copied] = {}
        self._changed: dict[tuple[str], tuple[str, ...]] = {}
        self._useful: dict[tuple[str], frozenset[str]] = {}
        self._written_by_user: dict[str, ir.Function] = {}
        self._roots: dict[ir.Function, ir.Function] = {}
        self._first_names: dict[str, alias_names.FirstNames] = {}
        self._own_names: dict[str, alias_names.FirstNames] = {}
        self.answers = demand.Answers()
        self._facts = Table(self)
        self.summaries = Summaries(self, self._called, self.facts)
        self._signatures: set[str] = set()
        self._mentions: dict[str, frozenset[str]] = {}
        self._home = home
        self._states: dict[str, frozenset[ir.State]] = {}
        self._set: dict[str, bool] = {}
        self._of_classes: dict[str, bool | None] = {}
        self._changed_shared: dict[str, bool] = {}
        self._methods: dict[str, bool] = {}
        self._rules: dict[str, table.Rule | None] = {}
        self._made: dict[str, tuple[Source, ir.Function] | None] = {}
        self._resolved: dict[str, ir.Function] = {}
        self._without_objects: set[ir.Function] = set()
        self.settled: dict[tuple[ir.Function, tuple[Value, ...]], Settled] = {}
        self._typed: dict[tuple[ir.Function, tuple[Value, ...]], Settled] = {}
        self._tables: dict[str, Value | None] = {}
        self._by_texts: dict[str, Value] = {}
        self._data: dict[str, Value] = {}
        self._asked: set[str] = set()
        self._within_texts = 0
        self._has_tensors: bool | None = None

    def facts(self, function: ir.Function) -> Facts:
        """What is known of a function: each fact is worked out once."""
        return self._facts.of(function)

    def function(self, dotted: str) -> ir.Function | None:
        """The user's function of that name, lowered; None if it has no source.

        Its calls that change arguments give back what they change.
        """
        self.answers.ask(self._functions, dotted)
        if dotted not in self._functions:
            called = graphs.reached((dotted,), self._callees)
            with self.answers.aside():
                for component in graphs.components(called, self._callees):
                    self._canonicalize(component)
        return self._functions[dotted]

    def _callees(self, dotted: str) -> tuple[str, ...]:
        """The functions that a user's function calls of which nothing was asked before."""
        if isinstance(dotted, targets.Derivative) and dotted not in self._functions:
            return () if dotted.of in self._functions else (dotted.of,)
        lowered = None if dotted in self._functions else self._lowered(dotted)
        if lowered is None:
            return ()
        names = dict.fromkeys(_called(lowered[1]))
        self._note_tensors(names)
        return tuple(n for n in names if n not in self._functions and self.rule(n) is None)

    def inferred(self, function: ir.Function) -> Inferred | None:
        """What the values of a function are; None where nothing is known of its arguments."""
        if not self.given or self.has_tensors:
            return None
        named = _itself(function)
        is_root = named in (self._root, self._instance)
        given = self.given if is_root else self._passed.get(targets.primal(named))
        if not given:
            return None
        return Inferred(self._instances.of(function, given), self.facts(function).versions)

    def values(self, function: ir.Function, *, is_asked: bool = False) -> Inferred:
        """What the values of a function are, as far as its text and that of its callees tell.

        Of one that somebody asks for by itself (`is_asked`) other functions tell nothing.
        """
        known = self.inferred(function)
        if known is not None:
            return known
        return Inferred(self.typed(function, is_asked=is_asked), self.facts(function).versions)

    def typed(
        self, function: ir.Function, taken: Signature = NOTHING_TAKEN, *, is_asked: bool = False
    ) -> Typed:
        """What the values of a function are, in whichever form it is by now.

        Parameters of which nothing is known may be `taken` for something.
        """
        named = _itself(function)
        given: Signature = {**taken, **self._structures(named, function)}
        if self.given and named in (self._root, self._instance):
            given = self.given
        elif self.given or not is_asked:
            passed = self._passed.get(targets.primal(named), {})
            is_told = bool(self.given)
            given = {**given, **{n: v for n, v in passed.items() if is_told or v != UNKNOWN}}
        return Instances(self, self._typed).of(function, given)

    @cached_property
    def _instances(self) -> Instances:
        return Instances(self)

    @cached_property
    def _reached(self) -> dict[str, Typed]:
        return self._instances.reached(self._instance, self.given, self.definition)

    def may_be_sequence(self, function: ir.Function, parameter: str) -> bool:
        """Tells whether some calls, and not all, give a function a list or tuple."""
        return (_itself(function), parameter) in self._mixed

    @cached_property
    def _mixed(self) -> frozenset[tuple[str, str]]:
        """The parameters that are lists or tuples by some calls, and something else by others."""
        if self.definition(self._instance) is None:
            return frozenset()
        return frozenset(
            (called, name)
            for typed in self._reached.values()
            for statement, passed in typed.passed.items()
            if isinstance(value := getattr(statement, "value", None), ir.Call)
            and (called := value.function) in self._passed
            for name, each in passed.items()
            if isinstance(each, lattice.Sequence) and self._passed[called].get(name) == UNKNOWN
        )

    @cached_property
    def _passed(self) -> dict[str, Signature]:
        """What the functions are given that the root calls, each by all of its calls.

        Others may call a function that is a value somewhere; nothing is known of its arguments.
        """
        root = self.definition(self._instance)
        if root is None:
            return {}
        found = self._reached
        functions = {name: self.definition(name) for name in found}
        values = {v for f in functions.values() if f is not None for v in _values(f.body)}
        return {name: typed.given for name, typed in found.items() if name not in values}

    def taken_apart(self, function: ir.Function) -> Signature:
        """What a function is given, if it is differentiated and nobody gets what it is given."""
        is_root = _itself(function) in (self._root, self._instance)
        return self.told if is_root and not self._is_given_back else {}

    def definition(self, dotted: str) -> ir.Function | None:
        """The user's function that a call goes to, as it is lowered; None if it is ruled.

        One that gives back what it changes is as it was made.
        """
        if isinstance(dotted, targets.CopyOut):
            return self._functions.get(dotted)
        if isinstance(dotted, targets.Derivative):
            return None
        found = None if self.rule(dotted) else self._lowered(dotted)
        return None if found is None else found[1]

    def _lowered(self, dotted: str) -> tuple[Source, ir.Function] | None:
        """A function, with the calls of functions that its variables hold."""
        found = self._written_as(dotted)
        if found is None:
            return None
        if dotted not in self._resolved:
            given = self._structures(dotted, found[1])
            self._resolved[dotted] = instances.resolved(found[1], given, self)
        return found[0], self._resolved[dotted]

    def _structures(self, dotted: str, function: ir.Function) -> dict[str, Value]:
        """What is known of the objects that a function is given: by its calls, or by its text."""
        found: dict[str, Value] = {}
        definition = resolve.definition(self._users.resolver, dotted)
        if definition is not None and definition.is_method and function.parameters:
            found[function.parameters[0].name] = self.classes.of_method(definition)
        for p in function.parameters:
            if p.annotation is not None and p.default is None and definition is not None:
                found[p.name] = self.classes.annotated(p.annotation, definition.source)
        if targets.defined(dotted) == self._root:
            found |= {n: v for n, v in self.given.items() if isinstance(v, Unknown)}
            values = (call for _, call in _calls(function) if call.function == targets.CALL)
            called = {n for call in values for n in ir.names(call.args[:1])}
            called |= {n for n, v in self._outside.items() if isinstance(v, Function)}
            if any(map(structures.has_functions, self._outside.values())):
                called |= self._outside.keys()
            if instances.names_values(function):
                called |= {n for n, v in self._outside.items() if structures.is_option(v)}
            functions = {n: self._outside[n] for n in called & self._outside.keys()}
            functions |= {
                name: value
                for name, value in self.given.items()
                if isinstance(value, Number)
                and (
                    any(map(structures.has_objects, self.given.values()))
                    or instances.asks_class(function, name, self.signature)
                )
            }
        else:
            functions = {}
        told = {n: structures.of(v) for n, v in found.items() if structures.is_told(v)}
        if isinstance(dotted, targets.Instance):
            told |= parse.values({each.parameter: each.value for each in dotted.structures})
            rebound = {name for s in ir.walk(function.body) for name in ir.writes(s)}
            plain = (each for each in dotted.functions if targets.is_plain(each.function))
            told |= {
                each.parameter: Function(each.function)
                for each in plain
                if each.parameter in rebound and not each.captured
            }
        return {**told, **functions}

    @cached_property
    def _outside(self) -> Signature:
        """The signature, where functions are known to be given with what they keep.

        What a function keeps of a structure that is differentiated may be a part of that.
        """
        told = {n: structures.given(v) for n, v in self.told.items() if n not in self._wrt}
        return {**self.told, **told}

    def _written_as(self, dotted: str) -> tuple[Source, ir.Function] | None:
        """A function as it is lowered, with what constructors do; see `_instantiated`."""
        if dotted not in self._made:
            found = self._instantiated(dotted)
            if found is not None:
                found = found[0], instances.constructed(found[1], self.constructing)
            self._made[dotted] = found
        return self._made[dotted]

    def _instantiated(self, dotted: str) -> tuple[Source, ir.Function] | None:
        """A function as it is lowered; of an instance, with the functions that it is given."""
        if not isinstance(dotted, targets.Instance):
            return self._users.lowered(dotted)
        found = self._users.lowered(dotted.of)
        if found is None:
            return None
        made = instances.instantiated(found[1], dotted, self.signature)
        if dotted == self._instance:
            plain = (replace(p, is_function=False) for p in made.parameters)
            made = replace(made, name=found[1].name, parameters=tuple(plain))
        return found[0], made

    def has_objects(self, function: ir.Function) -> bool:
        """Tells whether a function, or what it calls, makes an object of a known class."""
        if function not in self._without_objects:
            reached = graphs.reached((function,), self._called_as_written)
            if any(map(instances.makes_objects, reached)):
                return True
            self._without_objects.update(reached)
        return False

    def _called_as_written(self, function: ir.Function) -> Iterator[ir.Function]:
        names = map(targets.primal, dict.fromkeys(_called(function)))
        called = (n for n in names if self.rule(n) is None)
        return (found[1] for n in called if (found := self._written_as(n)) is not None)

    @cached_property
    def _instance(self) -> str:
        """The root, with the functions and objects that its signature tells."""
        lowered = self._users.lowered(self._root) if self.given else None
        if lowered is None:
            return self._root
        function = instances.constructed(lowered[1], self.constructing)
        given = tuple(instances.given(function, self._outside, self.signature))
        return targets.Instance(given, self._root) if given else self._root

    def _note_tensors(self, called: Iterable[str]) -> None:
        """Notes whether TensorFlow is called, which a cell of a notebook may not import."""
        if not self.has_tensors and any(targets.is_of(name, "tensorflow") for name in called):
            self._has_tensors = True
            self._rules.clear()
            self.settled.clear()
            self._typed.clear()

    def _canonicalize(self, component: Sequence[str]) -> None:
        """Canonicalizes functions that call each other, step by step, each beside the others.

        After a step all of them are replaced, so that it is the same which comes first.
        """
        now: dict[str, ir.Function] = {}
        for dotted in component:
            self._functions[dotted] = None
            if isinstance(dotted, targets.Derivative):
                if len(component) == 1:  # one that is called by its own primal has no end
                    self._derive(dotted)
                continue
            found = self._lowered(dotted)
            if found is not None:
                self._sources[found[0].path] = found[0]
                function = self._truly_annotated(dotted, self._chosen(dotted, found[1]))
                self._functions[dotted] = now[dotted] = function
        for step in (self._canonical.written_out, self._canonical.settled):
            now = self._replaced({dotted: step(each, self) for dotted, each in now.items()})
        self._written_by_user.update(now)
        self._replaced({d: self._canonical.copied_out(each, self) for d, each in now.items()})

    def _chosen(self, dotted: str, function: ir.Function) -> ir.Function:
        """A function without branches that no call takes, where it is known what calls give it."""
        if not self.given or dotted in (self._root, self._instance):
            return function
        has_branches = any(isinstance(each, ir.If) for each in ir.walk(function.body))
        if not has_branches or dotted not in self._passed:
            return function
        twice = {targets.Nested(targets.defined(dotted)), targets.defined(dotted)}
        if twice.issubset(self._reached):  # a method, by its class and by its object
            return function
        return branches.decided(function, self._reached[dotted])

    def _truly_annotated(self, dotted: str, function: ir.Function) -> ir.Function:
        """A function without annotations that say other than is known of what it is given."""
        if not self.given or not any(p.annotation for p in function.parameters):
            return function
        is_root = dotted in (self._root, self._instance)
        given = self.given if is_root else self._passed.get(dotted, {})
        parameters = tuple(
            p
            if annotating.may_hold(p.annotation or "", given.get(p.name, UNKNOWN))
            else replace(p, annotation=None)
            for p in function.parameters
        )
        return replace(function, parameters=parameters)

    def _derive(self, called: targets.Derivative) -> None:
        """Writes the derivative of a function, for what all calls give it, as one of the program.

        What is written there is for the arguments of the function, as for those of a root.
        """
        primal = self.primal(called)
        if primal is not None:
            found = self._deriving(primal, called, self.around(called))
            self._unfollowed[called] = found

    def primal(self, called: targets.Derivative) -> ir.Function | None:
        """The function of a derivative as it is differentiated itself."""
        function = None if self.rule(called.of) else self.function(called.of)
        if function is None or function.is_derived:
            return function
        return self.around(called)._as_root(function)

    def around(self, called: targets.Derivative) -> Program:
        """The program in which the primal of a derivative is the root; they know the same."""
        if called not in self._of_primals:
            passed = self._passed.get(targets.primal(called), {}) if self.given else {}
            made = copy(self)
            made.given, made.assumed, made._wrt = dict(passed), frozenset(), frozenset(called.wrt)
            made.told = made.given
            if self.given:  # what the calls of all functions give is told by the root of all
                for name in ("_instances", "_reached", "_mixed", "_passed"):
                    made.__dict__[name] = getattr(self, name)
            made._root = made.__dict__["_instance"] = called.of
            self._of_primals[called] = made
        return self._of_primals[called]

    def in_the_way(self, called: targets.Derivative) -> tuple[Diagnostic, ...]:
        """What prevents a derivative that is called; of one that calls itself nothing is known."""
        return self._unfollowed.get(called, ())

    def has(self, dotted: str) -> bool:
        """Tells whether a function was made known, or asked for."""
        return dotted in self._functions

    def _replaced(self, functions: dict[str, ir.Function]) -> dict[str, ir.Function]:
        """Takes other forms of some functions, and forgets what was answered by those before."""
        if all(function is self._functions[dotted] for dotted, function in functions.items()):
            return functions
        if any(isinstance(dotted, targets.CopyOut) for dotted in functions):
            self._typed.clear()
        own = (self._sharing, self._written, self._doubted, self._changed, self._useful)
        stores: tuple[dict[Any, Any], ...] = (*own, self._copied, self._disjoint)
        for answers in stores:
            for key in [key for key in answers if key[0] in functions]:
                del answers[key]
        for dotted, function in functions.items():
            before = self._functions[dotted]
            if before is not None:
                self._facts.forget(before)
            self._functions[dotted] = function
        return functions

    def note_first_names(self, function: ir.Function, names: alias_names.FirstNames) -> None:
        """Notes of a function by which names its variables go that hold one object."""
        self._first_names[function.dotted] = names

    def note_own_names(self, function: ir.Function, names: alias_names.FirstNames) -> None:
        """Notes of a function what lists are called whose names stand for something else, too."""
        self._own_names[function.dotted] = names

    def _called(self, dotted: str) -> ir.Function | None:
        """The user's function that a call goes to; None if it is ruled."""
        return None if self.rule(dotted) else self.function(dotted)

    def signature(self, dotted: str) -> ir.Function | None:
        """The user's function of that name, for its parameters; None if a call of it is ruled."""
        if isinstance(dotted, targets.Derivative):
            return self.signature(dotted.of)
        if self.rule(dotted):
            return None
        self._signatures.add(dotted)
        found = self._written_as(dotted)
        if found is None:
            return None
        self._sources[found[0].path] = found[0]
        return found[1]

    def first_name(self, function: ir.Function, name: str, place: Span) -> str:
        """The name by which a variable goes at a place: of several for one object, the first."""
        for noted in (self._own_names, self._first_names):
            for (span, second), first in noted.get(function.dotted, {}).items():
                if second == name and span.contains(place.line, place.column):
                    name = first
                    break
        return name

    def root(self, dotted: str) -> ir.Function | None:
        """A function that is to be differentiated; what has a user's rule is only called."""
        is_root = dotted == self._root and self.rule(dotted) is None
        function = self.function(self._instance if is_root else dotted)
        rule = self.rule(dotted)
        for name in self._users.as_root(dotted):
            function = self.function(name) if function is None else function
        definition = self._users.resolver.definition(dotted)
        if rule is None or not rule.declarations or definition is None:
            return None if function is None else self._as_root(function)
        self._sources[definition.source.path] = definition.source
        return lower.calling(definition, self._users.resolver)

    def _as_root(self, function: ir.Function) -> ir.Function:
        """The function as it is differentiated itself, always the same for one."""
        if function not in self._roots:
            made = self._canonical.of_root(function, self)
            if self.given or self.held:
                self._instances.forget_callers()  # the functions are what they will be by now
                made = branches.decided(made, self._instances.of(made, self.given))
            self._roots[function] = made
        return self._roots[function]

    def returning(self, dotted: str, names: Sequence[str]) -> Fix | None:
        """The repair by which a function returns variables, if it has a text to repair."""
        definition = self._users.resolver.definition(dotted)
        return None if definition is None else fix_its.return_them(definition, names)

    def log_sum_exp(self, *calls: Span) -> Fix | None:
        """The repair of a logarithm of a sum of exponentials, by where the three are called."""
        module, _ = self._users.resolver.parsed(self._sources[calls[0].path])
        return None if module is None else fix_its.log_sum_exp(module, *calls)

    def asked(self, root: str) -> tuple[str, ...]:
        """The functions that were asked for, whether they exist or not, and may matter to a root.

        These are the ones of which it speaks, or what it calls: a program may be around several.
        """
        names = dict.fromkeys((*self._functions, *sorted(self._signatures)))
        of_text = {n: targets.defined(n) for n in names if not isinstance(n, targets.WRITTEN)}
        ways: dict[str, list[str]] = {}
        for name, definition in of_text.items():
            ways.setdefault(definition, []).append(name)

        def mentioned(definition: str) -> Iterator[str]:
            return (n for name in ways.get(definition, ()) for n in self._mentioned(name))

        mattering = {*graphs.reached((targets.defined(root),), mentioned)}
        asked = (name for name, definition in of_text.items() if definition in mattering)
        return (*dict.fromkeys((*asked, *self.classes.looked_at)),)

    def reads(self, root: str) -> tuple[str, ...]:
        """The variables of modules that a function reads, or what it calls, and nobody binds."""

        def mentioned(dotted: str) -> Iterator[str]:
            yield from sorted(self._mentioned(dotted))
            if "." in dotted and self.is_variable(dotted):
                yield from structures.functions(self.held_by(dotted) or UNKNOWN)

        found = graphs.reached((targets.defined(root),), mentioned)
        return tuple(d for d in found if (done := self.done_to(d)) is not None and done <= CHANGED)

    def done_to(self, dotted: str) -> frozenset[ir.State] | None:
        """What functions do to a variable of a user's module; None for what is none, or has a rule.

        What they change, and do not bind, stays the same object.
        """
        if "." not in dotted or not self.is_variable(dotted) or self.rule(dotted) is not None:
            return None
        own = self._meaning(dotted).state
        return self.states(dotted).union(() if own is None else (own,))

    def _mentioned(self, dotted: str) -> frozenset[str]:
        """The definitions of which a function speaks."""
        if dotted not in self._mentions:
            lowered = self._users.lowered(dotted)
            names = () if lowered is None else _mentioned(lowered[1].body)
            self._mentions[dotted] = frozenset(map(targets.defined, names))
        return self._mentions[dotted]

    def sharing(
        self, call: ir.Call, *, scalar_elements: bool = True, are_held: bool = False
    ) -> tuple[tuple[ir.Atom, ...], ...] | None:
        """For each part of a call's result the arguments that it may share memory with.

        `scalar_elements`: an element that the function gives back is taken for a number.
        `are_held`: a list or dictionary that it is given holds what it puts there.
        """
        function = None if self.rule(call.function) else self.function(call.function)
        if function is None:
            return None
        bound = arguments.bind(function, call)
        if isinstance(bound, str):
            return None
        last = _results(function)
        if function.findings:  # what a generator gives may be anything that it was given
            return (call.atoms,) * len(last[1])
        parts = self.answers.least(
            self._sharing,
            (function.dotted, scalar_elements, are_held),
            (frozenset[str | ir.Global](),) * len(last[1]),
            lambda: self._shared(function, last, scalar_elements, are_held),
            lambda known, found: tuple(map(frozenset.union, known, found)),
        )
        given = {n: arguments.atoms(value) for n, value in bound.items()}

        def atoms(held: frozenset[str | ir.Global]) -> Iterator[ir.Atom]:
            for one in held:
                yield from (one,) if isinstance(one, ir.Global) else given.get(one, ())

        return tuple(tuple(atoms(held)) for held in parts)

    def changing(self, call: ir.Call) -> Changing | None:
        """The callee that gives back what a call changes, if it changes something."""
        if self.rule(call.function) or self.function(call.function) is None:
            return None
        function = self._written_by_user.get(call.function)
        is_held = targets.is_nested(call.function) or any(arguments.captured(call))
        if function is not None and is_held:
            plain = objects.with_object(call)
            if plain is None or not self._is_method(plain.function):
                return None
            call, own = plain, plain.function
            function = replace(function, called=own if isinstance(own, targets.Made) else None)
        bound = "" if function is None else arguments.bind(function, call)
        if function is None or isinstance(bound, str):
            return None
        changed = self.answers.once(
            self._changed,
            (function.dotted,),
            lambda: copy_out.changed_parameters(function, self),
        )
        fixed = ir.Const | arguments.LeftOut
        changed = tuple(name for name in changed if not isinstance(bound[name], fixed))
        if not changed:
            return None
        doubtful = copy_out.doubtful(function, self).intersection(changed)
        unseen = None
        if doubtful.issuperset(changed):
            unseen = self._with_copy_out(copy_out.without_effects(function, changed))
        given = self._with_copy_out(copy_out.with_copy_out(function, changed, doubtful))
        has_result = not function.gives_nothing
        return Changing(given, call, changed, bound, has_result, doubtful, unseen)

    def numbers(self, function: ir.Function) -> frozenset[str]:
        """The parameters that are changed as one changes a number, and not known as arrays."""
        found = elements.numbers(function)
        if not found or not self.given or self.has_tensors:
            return found
        passed = self._passed.get(_itself(function), {})
        return frozenset(name for name in found if not isinstance(passed.get(name), Array))

    def taken_for_numbers(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments that a callee changes as one changes numbers, and that may be arrays."""
        function = None if self.rule(call.function) else self.function(call.function)
        if function is None or isinstance(call.function, targets.WRITTEN):
            return ()
        written = self.written(function)
        numbers = tuple(name for name in self.numbers(function) if name in written)
        return self.given_to(call, function, numbers)

    def _is_method(self, dotted: str) -> bool:
        """Tells whether a function is one of a class, which gets an object first."""
        definition = self._users.resolver.definition(targets.defined(dotted))
        return definition is not None and definition.is_method

    def _with_copy_out(self, given: ir.Function) -> ir.Function:
        """Makes a function known that gives back what it changes; its calls do so, too."""
        if given.dotted not in self._functions:
            self._functions[given.dotted] = given
            self._typed.clear()
            with self.answers.working(self._functions, given.dotted):
                made = self._canonical.copied_out(given, self)
            self._replaced({given.dotted: made})
        return given

    def changed(self, call: ir.Call, *, scalar_elements: bool = True) -> tuple[ir.Atom, ...]:
        """The arguments whose memory a call of a user's function writes into.

        `scalar_elements`: what is taken there for a number, `s = a[0]`, `s += v`, is one.
        """
        is_known = isinstance(call.function, targets.CopyOut) or self.rule(call.function)
        function = None if is_known else self.function(call.function)
        if function is None:
            return ()
        return self.given_to(
            call, function, self.written(function, scalar_elements=scalar_elements)
        )

    def doubted(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments whose memory a user's function gives to something unknown."""
        function = None if self.rule(call.function) else self.function(call.function)
        if function is None:
            return ()
        user, none = self.as_written(function), frozenset[str]()

        def found() -> frozenset[str]:
            facts = self.facts(user)
            return aliases.doubted_parameters(facts) | list_copies.summary(facts).doubted

        key = (function.dotted,)
        names = self.answers.least(self._doubted, key, none, found, frozenset.union)
        return self.given_to(call, function, tuple(sorted(names)))

    def copied(self, call: ir.Call) -> list_copies.Copied:
        """What a call of a user's function changes or gives by copies of what may be lists."""
        function = None if self.rule(call.function) else self.function(call.function)
        if function is None:
            return NOTHING_COPIED
        user = self.as_written(function)

        def found() -> list_copies.Copied:
            return list_copies.summary(self.facts(user))

        key = (function.dotted,)
        return self.answers.least(self._copied, key, NOTHING_COPIED, found, or_)

    def argument(self, call: ir.Call, name: str) -> tuple[ir.Atom, ...]:
        """What a call of a user's function gives to a parameter."""
        function = self.function(call.function)
        return () if function is None else self.given_to(call, function, (name,))

    def stored(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments into whose elements a call of a user's function stores."""
        function = None if self.rule(call.function) else self.function(call.function)
        if function is None:
            return ()
        if isinstance(call.function, targets.CopyOut):
            return self.given_back(call)
        numbers = self.numbers(function)
        names = tuple(name for name in self.written(function) if name not in numbers)
        return self.given_to(call, function, names)

    def given_back(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments that a call gives back changed; what may be a number is left out."""
        called = call.function
        if not isinstance(called, targets.CopyOut):
            return ()
        function = self.function(called)
        assert function is not None
        is_sure = called.gives is targets.Gives.CHANGED
        doubtful = frozenset[str]() if is_sure else self.numbers(function)
        names = tuple(name for name in called.changed if name not in doubtful)
        return self.given_to(call, function, names)

    def given_to(
        self, call: ir.Call, function: ir.Function, names: tuple[str, ...]
    ) -> tuple[ir.Atom, ...]:
        """What a call gives to some parameters of a function."""
        bound = arguments.bind(function, call)
        if isinstance(bound, str):
            return ()
        given = (bound[name] for name in names if name in bound)
        return tuple(atom for argument in given for atom in arguments.atoms(argument))

    def as_written(self, function: ir.Function) -> ir.Function:
        """A function as the user wrote it: its calls do not give back yet what they change."""
        return self._written_by_user.get(function.dotted, function)

    def written(self, function: ir.Function, *, scalar_elements: bool = True) -> tuple[str, ...]:
        """The parameters whose memory a function may write into, as the user wrote it."""
        user = self.as_written(function)
        if isinstance(function.called, targets.Derivative):
            return ()
        return self.answers.least(
            self._written,
            (function.dotted, scalar_elements),
            (),
            lambda: aliases.written_parameters(self.facts(user), scalar_elements=scalar_elements),
            lambda known, found: tuple(
                p.name for p in user.parameters if p.name in (*known, *found)
            ),
        )

    def disjoint(self, function: ir.Function) -> Mapping[str, tuple[str, ...]]:
        """For each parameter that a function changes, those that must not share its memory."""
        user, none = self.as_written(function), dict[str, tuple[str, ...]]()
        return self.answers.least(
            self._disjoint,
            (function.dotted,),
            none,
            lambda: noalias.disjoint(user, self),
            noalias.joined,
        )

    def _shared(
        self, function: ir.Function, last: _Results, scalar_elements: bool, are_held: bool
    ) -> tuple[frozenset[str | ir.Global], ...]:
        """For each part of what a function returns what it may share memory with.

        That are parameters, and variables of modules.
        """
        statement, atoms = last
        facts = self.facts(function).aliases(scalar_elements=scalar_elements, are_held=are_held)

        def shared(atom: ir.Atom) -> Iterator[str | ir.Global]:
            outside: tuple[ir.Global, ...] = ()
            if isinstance(atom, ir.Name):
                yield from facts.parameters(statement, atom.id)
                outside = facts.of_modules(statement, atom.id)
            elif isinstance(atom, ir.Global):
                outside = (atom,)
            yield from (one for one in outside if _may_be_changed(self.held_by(one.dotted)))

        return copy_out.as_copies(function, tuple(frozenset(shared(atom)) for atom in atoms))

    def enter(self, function: ir.Function) -> None:
        """Makes a function known that no text defines."""
        self._functions[function.dotted] = function

    def member(self, of: str, name: str, above: str = "") -> Member | None:
        """What a class has under a name, or those above it from one on.

        A variable may be anything, where functions bind it.
        """
        found = self.classes.member(of, name, above)
        is_bound = found is not None and found.is_variable and self.sets_attribute(name)
        return None if is_bound else found

    def unset(self, of: str, name: str) -> str:
        """Why a store into an attribute of a class is not just that; empty where it is."""
        return self.classes.unset(of, name)

    def holds(self, of: str, name: str) -> bool:
        """Tells whether an attribute of a class's objects is just what it was set to."""
        return self.classes.holds(of, name)

    def constructing(self, dotted: str) -> Construction | None:
        """What the constructor of a class does, as far as texts tell."""
        return self.classes.constructing(dotted)

    def unmade(self, dotted: str) -> str:
        """Why it is not known what the constructor of a class does; empty for what is no class."""
        return self.classes.unmade(dotted)

    def constructor(self, of: Object) -> str | None:
        """What makes the gradient of an object of its attributes, if that is sure."""
        return self.classes.constructor(of)

    def held_by(self, dotted: str) -> Value | None:
        """What a variable of a module holds, if no function exchanges or changes it."""
        if not self._within_texts:
            self._asked.add(dotted)
        if dotted not in self._tables:
            self._tables[dotted] = None  # what it holds may be made by what speaks of it
            known, done = self.held.get(dotted), self.done_to(dotted)
            if done == frozenset():
                known = known or self.classes.held_by(dotted) or self._by_text(dotted)
            elif done != CHANGED or not isinstance(known, Array | Number):
                known = None  # an array keeps its kind, whatever is stored into it
            known = None if _keeps_arguments(known) else self._as_decorated(dotted, known)
            self._tables[dotted] = None if known is None else structures.given(known)
        return self._tables[dotted]

    def _as_decorated(self, dotted: str, held: Value | None) -> Value | None:
        """What a variable holds; what decorators put around a function, with its parameters.

        Where that changes what it keeps, such as a counter, it is not followed.
        """
        if not isinstance(held, Function | Object) or not self._users.is_decorated(dotted):
            return held
        if any(map(self._users.changes_kept, structures.called(held))):
            return None
        stack = self._users.stack(dotted)

        def spelled(value: Value | None, above: str, at: int) -> Value | None:
            if at == len(stack):
                is_bare = isinstance(value, Function) and value.dotted == targets.Bare(dotted)
                return value if is_bare else None
            name, around = stack[at]
            if not isinstance(value, Function) or value.dotted != around.dotted:
                return None
            kept, own = dict(value.keywords), targets.Wrapped(above)
            inner = spelled(kept.get(name), own, at + 1)
            if inner is None:
                return None
            return replace(value, dotted=own, keywords=tuple({**kept, name: inner}.items()))

        return (spelled(held, dotted, 0) if stack else None) or held

    def _by_text(self, dotted: str) -> Value | None:
        """What a variable holds by the text: an object, or a function that keeps something.

        Where a program runs, it is asked itself.
        """
        made_by = targets.Initializer(dotted)
        self._signatures.update(graphs.reached((made_by,), self._mentioned))
        function = self.definition(made_by)
        if function is None:
            return None
        self._within_texts += 1
        made = places.without_sites(Instances(self).of(function, {}).result)
        value = told.Told(set()).value(made)
        self._within_texts -= 1
        if not (structures.has_objects(value) or structures.keeps(value)):
            self._data[dotted] = value
            return None
        self._by_texts[dotted] = told.named_after(dotted, value)
        return self._by_texts[dotted]

    def data(self, root: str) -> Signature:
        """What the text says of data in modules that a function reads, or what it calls."""
        read = self.reads(root)
        for dotted in read:
            self.held_by(dotted)
        return told.of_modules({name: self._data[name] for name in read if name in self._data})

    @property
    def told_by_modules(self) -> Signature:
        """What is known of the variables of modules of which functions speak that take part."""
        asked = {n: v for n, v in self._by_texts.items() if n in self._asked}
        return dict(sorted({**asked, **self.held}.items()))

    @property
    def may_keep(self) -> bool:
        """Whether functions keep something that is followed, or modules hold objects that are."""
        held = [value for value in self._tables.values() if value is not None]
        is_one = any(structures.has_objects(value) or structures.keeps(value) for value in held)
        return is_one or any(map(structures.keeps, self._outside.values()))

    def calls_within(
        self, root: ir.Function
    ) -> Iterator[tuple[ir.Function, ir.Statement, ir.Call]]:
        """The calls of a function and of all that it calls, each with where it stands."""

        def called(function: ir.Function) -> Iterator[ir.Function]:
            names = (call.function for _, call in _calls(function))
            found = (self.function(name) for name in names if self.rule(name) is None)
            return (each for each in found if each is not None)

        for function in graphs.reached((root,), called):
            yield from ((function, statement, call) for statement, call in _calls(function))

    def keeps(self, call: ir.Call) -> bool:
        """Tells whether a call reads what a function keeps, or an object that a module holds."""
        held = (self.held_by(a.dotted) for a in call.atoms if isinstance(a, ir.Global))
        return call.function == ir.KEPT or any(
            value is not None and (structures.has_objects(value) or structures.keeps(value))
            for value in held
        )

    def _meaning(self, dotted: str) -> Binding:
        """What a name in a module means."""
        module, _, name = dotted.rpartition(".")
        return self._users.resolver.attribute(Binding("module", module), name)

    def hides(self, module: str) -> bool:
        """Tells whether the package of a module has another thing by the name of that."""
        if "." not in module:
            return False
        meaning, resolver = self._meaning(module), self._users.resolver
        is_read = resolver.attribute(Binding("module", module), "_").kind == "missing"
        is_itself = meaning.kind in ("missing", "module") and meaning.dotted == module
        return is_read and meaning.kind != "missing" and not is_itself

    def is_class(self, dotted: str) -> bool:
        """Tells whether a name is that of a user's class."""
        return self._meaning(dotted).kind == "class"

    def may_be_changed(self, dotted: str) -> bool:
        """Tells whether a name is that of a module's variable with an array, or other memory."""
        return self.is_variable(dotted) and _may_be_changed(self.held_by(dotted))

    def is_variable(self, dotted: str) -> bool:
        """Tells whether a name is that of a variable of a user's module, or one set in a library.

        A function of which a decorator may make another is such a variable. What has a rule stays
        what it is.
        """
        if isinstance(dotted, targets.Made) or targets.is_of(dotted, resolve.OWN):
            return False
        meaning, resolver = self._meaning(dotted), self._users.resolver
        if meaning.kind == "function":
            return self.rule(dotted) is None and self._users.is_decorated(dotted)
        if meaning.kind != "value":
            return False
        if resolver.attribute(meaning, "_").kind == "missing":
            return True
        return self.rule(dotted) is None and self.sets_attribute(dotted.rpartition(".")[2])

    def is_defined(self, dotted: str) -> bool:
        """Tells whether a text defines a function of that name, whatever the program made of it."""
        return self._users.resolver.written(dotted) is not None

    def states(self, dotted: str) -> frozenset[ir.State]:
        """Whether functions of other modules bind or change a variable of a module, or both.

        Of a class or function they may set attributes.
        """
        if dotted not in self._states:
            self._states[dotted] = frozenset()
            is_known = self.is_variable(dotted) or self.is_class(dotted) or self.is_defined(dotted)
            if is_known:
                self._states[dotted] = elsewhere.kinds(self._around, dotted, self._users.resolver)
        return self._states[dotted]

    def sets_attribute(self, name: str) -> bool:
        """Tells whether functions may set an attribute of that name of classes and their like."""
        if name not in self._set:
            self._set[name] = elsewhere.sets_attribute(self._around, name, self._users.resolver)
        return self._set[name]

    def shares_attribute(self, name: str) -> bool:
        """Tells whether an attribute of that name may be one of a class, and changes for all."""
        is_changeable = self._class_variable(name)
        return is_changeable is True or (is_changeable is False and self.sets_attribute(name))

    def _class_variable(self, name: str) -> bool | None:
        if name not in self._of_classes:
            around, resolver = self._around, self._users.resolver
            self._of_classes[name] = elsewhere.class_variable(around, name, resolver)
        return self._of_classes[name]

    def changes_shared(self, name: str) -> bool:
        """Tells whether functions may change what classes hold for all objects by that name."""
        if name not in self._changed_shared:
            around, resolver = self._around, self._users.resolver
            is_changeable = self._class_variable(name) is True
            is_changed = is_changeable and elsewhere.changes_attribute(around, name, resolver)
            self._changed_shared[name] = is_changed
        return self._changed_shared[name]

    def defines_method(self, name: str) -> bool:
        """Tells whether a class of a user's has a method of that name."""
        if name not in self._methods:
            around, resolver = self._around, self._users.resolver
            self._methods[name] = elsewhere.defines_method(around, name, resolver)
        return self._methods[name]

    @cached_property
    def _around(self) -> tuple[Source, ...]:
        """The module of the root, if it has one, and all that it imports."""
        home, resolver = self._home, self._users.resolver
        return () if home is None else tuple(elsewhere.reached(home, resolver))

    @cached_property
    def has_sparse(self) -> bool:
        """Whether sparse matrices of SciPy may take part."""
        return elsewhere.has_sparse(self._around)

    @property
    def has_tensors(self) -> bool:
        """Whether tensors of TensorFlow may take part, which nothing changes in place."""
        if self._has_tensors is None:
            self._has_tensors = elsewhere.has_tensors(self._around)
        return self._has_tensors

    def own_name(self, function: ir.Function, dotted: str) -> str | None:
        """By which name a function has a variable of another module, if its module imported it."""
        return elsewhere.own_name(function.dotted, dotted, self._users.resolver)

    def quote(self, span: Span) -> str:
        """The user's text at a span, on one line."""
        return " ".join(self._sources[span.path].slice(span).split())

    def rule(self, function: str) -> table.Rule | None:
        """The rule of a function; attributes share the names of methods.

        Of operators the text does not tell for which library they are: where tensors may take part
        the rule is one that looks.
        """
        if function not in self._rules:
            name = targets.as_method(function)
            either = self.rules.get(f"tensors.{name}") if self.has_tensors else None
            self._rules[function] = either or self.rules.get(name)
        return self._rules[function]

    def rule_of(self, call: ir.Call) -> table.Rule | None:
        """The rule of a function that supports the arguments of a call, if one does."""
        rule = self.rule(call.function)
        return None if rule is None else table.fitting(rule, call)

    def flow(self, value: ir.Expression) -> Iterator[ir.Atom]:
        """The atoms that the value of an expression depends on differentiably."""
        match value:
            case ir.Name():
                yield value
            case ir.Opaque() if value.findings:
                yield from map(ir.Name, self.carried(value))
            case ir.Call(function="operator.getitem", args=args):
                yield from args if isinstance(args[0], ir.Global) else args[:1]
            case ir.Call(function="python.dict" | "python.repeat", args=args):
                yield from args
            case ir.Call():
                yield from self._call_flow(value)

    def carried(self, value: ir.Opaque, *, by_keys: bool = True) -> tuple[str, ...]:
        """The variables on which what stays as it was written depends differentiably.

        Of a comprehension its steps tell; of a dictionary so do the keys, unless only what it holds
        is asked for.
        """
        if value.unfolded is None or value.writes or value.changes:
            return value.flows
        steps, result = value.unfolded
        found = _carrying(steps, result.id, self.flow, by_keys=by_keys)
        return tuple(name for name in value.flows if found is None or name in found)

    def _call_flow(self, call: ir.Call) -> Iterator[ir.Atom]:
        rule = self.rule_of(call)
        if isinstance(call.function, targets.Instance):
            function = self.signature(call.function)
            fitting = "" if function is None else arguments.bind(function, call)
            if isinstance(fitting, dict):
                yield from arguments.flowing(call.function, fitting)
                return
        if rule is None or operations.of(call.function).holds:
            useful = None if rule else self._useful_given(call)
            yield from call.atoms if useful is None else useful
            return
        if rule.kind == "constant":
            return
        bound = table.bind(rule.parameters, call)
        if isinstance(bound, str):
            named = (p.name for p in rule.parameters if p.is_positional)
            given = [*zip_longest(call.args, named), *((a, k) for k, a in call.keywords)]
            fixed = {p.name for p in rule.parameters}.difference(rule.of)
            yield from (atom for atom, name in given if atom is not None and name not in fixed)
        elif not operations.cuts_fractions(call):
            yield from (bound[name] for name in rule.of if name in bound)

    def _useful_given(self, call: ir.Call) -> tuple[ir.Atom, ...] | None:
        """What a call of a user's function gives of which its result depends differentiably.

        Of one that a variable holds, which may have captured something, all counts.
        """
        is_named = not targets.is_nested(call.function)
        function = self.function(call.function) if is_named else None
        bound = "" if function is None else arguments.bind(function, call)
        if function is None or isinstance(bound, str):
            return None
        useful = self.useful(function)
        given = (arguments.atoms(argument) for name, argument in bound.items() if name in useful)
        return tuple(atom for atoms in given for atom in atoms)

    def useful(self, function: ir.Function) -> frozenset[str]:
        """The parameters on which the result of a function depends differentiably.

        All may be, where something that the result depends on changes unseen, or what is asked for
        its size may be an object, and of what is no function that is followed, such as a generator.
        """
        names = frozenset(p.name for p in function.parameters)

        def found() -> frozenset[str]:
            facts = self.facts(function)
            is_seen = not (function.findings or activity.changes_unseen(facts, self))
            if not is_seen or any(self._names_shape(call) for _, call in _calls(function)):
                return names
            before = facts.useful.before[function.body[0]]
            return frozenset(name for name in names if name in before)

        return self.answers.least(
            self._useful, (function.dotted,), frozenset(), found, frozenset.union
        )

    def _names_shape(self, call: ir.Call) -> bool:
        """Tells whether a call may make an object with an attribute named as the size of arrays."""
        names = (f"attribute.{key}" for key, _ in call.keywords)
        if not any(operations.of(name).tells_shape for name in names):
            return False
        return self.rule(call.function) is None and self.function(call.function) is None


_Results = tuple[ir.Statement, tuple[ir.Atom, ...]]
"""The statement at which the parts of a result are there, and these parts."""


def _results(function: ir.Function) -> _Results:
    """What a function gives: the parts of a tuple that it makes of them, or all at once."""
    last = function.body[-1]
    assert isinstance(last, ir.Return)
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call("python.tuple", args=args)) if ir.Name(
                target
            ) == last.value and isinstance(target, Step):
                return statement, args
    return last, (last.value,)


def _called(function: ir.Function) -> Iterator[str]:
    """What a function calls, or lets others call."""
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                yield call.function
                applied = operations.applied(call)
                if isinstance(applied, ir.Global):
                    yield applied.dotted
            case ir.Assign(value=ir.Opaque() as value) | ir.Do(value=ir.Opaque() as value):
                yield from (called for called, names in value.calls if names)


def _calls(function: ir.Function) -> Iterator[tuple[ir.Statement, ir.Call]]:
    for statement in ir.walk(function.body):
        match statement:
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                yield statement, call


def _values(block: ir.Block) -> Iterator[str]:
    """The functions that a block does not just call: they are values there, or called unseen."""
    for statement in ir.walk(block):
        match statement:
            case ir.Do(value=ir.Opaque(function=ir.Held() as held)) if _is_only_called(held, block):
                pass
            case ir.Assign(value=ir.Opaque() as opaque) | ir.Do(value=ir.Opaque() as opaque):
                yield from () if opaque.function is None else (opaque.function.dotted,)
                if opaque.unfolded is None:
                    yield from (name for _, name in opaque.globals)
                    yield from (name for _, name, _ in opaque.holds)
                    yield from (name for name, _ in opaque.calls)
                else:
                    yield from _values(opaque.unfolded[0])
            case ir.Assign(value=ir.Call() as call) if is_own(call.function):
                pass  # it calls a derivative that is not ours, or one that is told by its calls
            case ir.Assign(value=ir.Call() as call) | ir.Do(value=ir.Call() as call):
                yield from (atom.dotted for atom in call.atoms if isinstance(atom, ir.Global))
            case ir.Assign() | ir.Return() | ir.Store() if isinstance(statement.value, ir.Global):
                yield statement.value.dotted


def _is_only_called(held: ir.Held, block: ir.Block) -> bool:
    """Tells whether nothing is done with a function that is defined in a block but to call it."""
    return all(
        isinstance(call := getattr(statement, "value", None), ir.Call)
        and call.function == held.dotted
        and [*ir.names(call.atoms)].count(targets.member(held.dotted)) == 1
        for statement in ir.walk(block)
        if targets.member(held.dotted) in ir.reads(statement)
    )


def _mentioned(block: ir.Block) -> Iterator[str]:
    """What a block calls, or speaks of as a value."""
    for statement in ir.walk(block):
        atoms: tuple[ir.Atom | None, ...] = ()
        match statement:
            case ir.Assign(value=value) | ir.Do(value=value):
                if isinstance(value, ir.Opaque):
                    yield from (name for _, name in value.globals)
                    yield from (name for name, _ in value.calls)
                    yield from (name for _, name, _ in value.holds)
                    yield from () if value.unfolded is None else _mentioned(value.unfolded[0])
                elif isinstance(value, ir.Call):
                    yield value.function
                    atoms = value.atoms
                else:
                    atoms = (value,)
            case ir.Return(value=value):
                atoms = (value,)
            case ir.Store(value=value, index=index):
                atoms = (value, index)
            case ir.If(test=atom) | ir.While(test=atom) | ir.For(iterable=atom):
                atoms = (atom,)
        yield from (atom.dotted for atom in atoms if isinstance(atom, ir.Global))


def with_outputs(function: ir.Function, outputs: tuple[str, ...]) -> ir.Function:
    """The function with the values of some parameters after the call as its result."""
    if not outputs:
        return function
    return ir.returning(function, tuple(ir.Name(name) for name in outputs), "outputs")


def _may_be_changed(held: Value | None) -> bool:
    """Tells whether a value, or a part of a tuple, is an array or anything else that changes."""
    if isinstance(held, lattice.Sequence) and not held.is_list:
        return any(map(_may_be_changed, lattice.contents(held)))
    return not isinstance(held, Number | Function | lattice.Literal)


def _keeps_arguments(held: Value | None) -> bool:
    """Tells whether a variable holds a derivative with arguments of it: calls are not followed."""
    match held:
        case Function(targets.Derivative() as dotted):
            return held != Function(dotted)
    return False


def _itself(function: ir.Function) -> str:
    """What a function is called, also where it gives back what it changes."""
    named: str = function.dotted
    while isinstance(named, targets.CopyOut):
        named = named.of
    return named


def _carrying(
    steps: ir.Block,
    result: str,
    flow: Callable[[ir.Expression], Iterator[ir.Atom]],
    *,
    by_keys: bool,
) -> set[str] | None:
    """The variables on which what steps give depends differentiably; None where it is not told."""
    edges: dict[str, set[str]] = defaultdict(set)
    for statement in ir.walk(steps):
        match statement:
            case ir.Assign(value=ir.Call() | ir.Name() | ir.Const() as value):
                for target in statement.targets:
                    edges[target].update(ir.names(flow(value)))
            case ir.Store(base=base, index=key, value=value):
                edges[base].update(ir.names((value,)))
                edges[base].update(ir.names((key,)) if by_keys and key is not None else ())
            case ir.For(target=target, iterable=iterable):
                edges[target].update(ir.names((iterable,)))
            case ir.If():
                pass
            case _:
                return None
    return {*graphs.reached((result,), lambda name: edges[name])}
