"""The rules by the dotted names of functions, and how the arguments of a call meet a rule.

A rule holds lowered bodies (`Template`) whose parameters are the arguments of the call, by name,
and `out`, `out_bar`, `x_dot` where declared. To use one, bind the call's arguments and put atoms in
the place of parameters: nothing is computed twice, because arguments of calls are atoms already.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Literal, TypeAlias

from adlsp.transform import ir
from adlsp.transform.diagnostics.reading import BY_NUMBER, InvalidRule, RuleParameter, RuleResults
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import modules, resolve
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.ops import records
from adlsp.transform.rules import reader
from adlsp.transform.source import Source, packaged

ALWAYS = (
    "numpy.elementwise",
    "numpy.complexes",
    "numpy.reductions",
    "numpy.products",
    "numpy.linalg",
    "numpy.decompositions",
    "numpy.fft",
    "numpy.shaping",
    "numpy.joining",
    "numpy.selecting",
    "numpy.polynomials",
    "scipy.special",
    "scipy.hypergeometric",
    "scipy.stats",
    "scipy.linalg",
    "scipy.decompositions",
    "scipy.signal",
    "scipy.spatial",
    "tensorflow.operators",
    "python",
    "runtime",
)
"""The built-in rule files that are always looked at, as modules in this package."""

OF_TENSORFLOW = (
    "tensorflow.elementwise",
    "tensorflow.activations",
    "tensorflow.complexes",
    "tensorflow.signal",
    "tensorflow.random",
    "tensorflow.reductions",
    "tensorflow.segments",
    "tensorflow.shaping",
    "tensorflow.selecting",
    "tensorflow.products",
    "tensorflow.linalg",
    "tensorflow.tridiagonal",
    "tensorflow.nn",
    "tensorflow.convolutions",
    "tensorflow.pooling",
    "tensorflow.image",
)
"""Those that are looked at when somebody asks for a function that may stand there."""

FILES = (*ALWAYS, *OF_TENSORFLOW)
"""All built-in rule files."""

SILENT = ("Shaped", "Tested", "Implied")
"""What annotates the parameters of a rule that may vary though it gives no gradient of them."""

QUOTIENT = "operator.truediv"

ALIASES = {
    "np": "numpy",
    "rt": "adlsp.runtime",
    "math": "math",
    "special": "scipy.special",
    "stats": "scipy.stats",
    "linalg": "scipy.linalg",
    "fft": "scipy.fft",
    "signal": "scipy.signal",
    "distance": "scipy.spatial.distance",
    "tensors": "adlsp.runtime.tensors",
    "tf": "tensorflow",
}
"""How built-in rule files call other modules."""


@dataclass(frozen=True, slots=True)
class Template:
    """A lowered body and what it returns: for a tuple, its elements.

    It is spliced into a derivative as an inliner would. The body is a straight line of `ir.Assign`
    that ends in an `ir.Return`. Each result may need only some of its steps.
    """

    function: ir.Function
    results: tuple[ir.Atom, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names in whose place atoms are put."""
        return tuple(parameter.name for parameter in self.function.parameters)

    def computes_with(self, name: str) -> bool:
        """Tells whether the body does arithmetic with a parameter; a list has none, or another."""
        return any(ir.Name(name) in call.args for call in self._operations())

    def compares(self, name: str) -> bool:
        """Tells whether the body asks of each element of a parameter whether it is greater."""
        found = (c for c in self._operations() if records.said(c.function).compares)
        return any(ir.Name(name) in call.args for call in found)

    def computes_within(self, names: set[str], whole: set[str]) -> tuple[str, ...]:
        """The parameters, of some, with which the body computes in no dtype but that of theirs.

        Beside another operand they have the dtype of both, and a quotient of whole numbers is of
        double precision.
        """
        found: dict[str, None] = {}
        for statement in self.function.body:
            match statement:
                case ir.Assign(value=ir.Call(function, args)) if names.issuperset(ir.names(args)):
                    given = dict.fromkeys(ir.names(args))
                    is_wide = function == QUOTIENT and whole.issuperset(given)
                    if load().word(function) == "elementwise" and not is_wide:
                        found.update(given)
        return tuple(found)

    def _operations(self) -> Iterator[ir.Call]:
        for statement in self.function.body:
            match statement:
                case ir.Assign(value=ir.Call(function) as call) if targets.is_operator(function):
                    yield call


Kind: TypeAlias = Literal[
    "elementwise", "linear", "multilinear", "custom", "composite", "constant", "broken"
]
"""The word that declares a rule; "custom" has both its own sweeps, "broken" is a user's mistake."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How one function is differentiated.

    `of` names the parameters that are differentiated and `parameters` are those of the call.
    `reverse` has one result for each name in `of`: the partial for elementwise rules, else the
    gradient; that of a composite one is what a call stands for. `forward` (custom rules only) has
    the terms of the result's tangent, one for each name in `of`. A broken one has `problems`.

    A user's rule has `declarations`. What it is for may give back its own argument.

    `others` are further rules of the same function, for calls whose arguments this one does not
    support; they may be about other parameters.
    """

    name: str
    kind: Kind
    of: tuple[str, ...] = ()
    parameters: tuple[ir.Parameter, ...] = ()
    reverse: Template | None = None
    forward: Template | None = None
    when: str = ""
    problems: tuple[Diagnostic, ...] = ()
    declarations: tuple[reader.Declaration, ...] = ()
    others: tuple[Rule, ...] = ()

    @property
    def gives_new(self) -> bool:
        """Tells whether the result is surely a new array."""
        return self.kind == "elementwise" and not self.declarations

    @property
    def gives_parts(self) -> bool:
        """Tells whether the result is a list or tuple: the rule takes its gradient apart."""
        body = () if self.reverse is None else self.reverse.function.body
        return targets.is_syntax(self.name) or any(
            isinstance(s, ir.Assign)
            and isinstance(s.value, ir.Call)
            and s.value.function == "operator.getitem"
            and s.value.args[0] == ir.Name("out_bar")
            and isinstance(s.value.args[1], ir.Const)
            for s in body
        )

    @property
    def counted(self) -> tuple[str, ...]:
        """The parameters that say how often or where, for which integers may stand."""
        return tuple(p.name for p in self.parameters if p.annotation == "Counted")

    @property
    def silent(self) -> tuple[str, ...]:
        """The parameters that may vary though the rule gives no gradient of them.

        Only their shape and dtype count, or their truth, or they are functions of others.
        """
        return tuple(p.name for p in self.parameters if p.annotation in SILENT)

    @property
    def sums(self) -> bool:
        """Tells whether the gradients are right though `out_bar` was broadcast, and not summed."""
        taken = () if self.reverse is None else self.reverse.function.parameters
        is_told = any(p.name == "out_bar" and p.annotation == "Unsummed" for p in taken)
        return is_told or self.kind == "elementwise"


class Table:
    """Rules by dotted name. They are read, and their bodies lowered, when they are first asked for.

    `files` are built-in rule files, `later` those about TensorFlow, which are not even looked at
    before somebody asks for these.
    """

    def __init__(
        self,
        declarations: Iterable[reader.Declaration],
        resolver: resolve.Resolver,
        files: tuple[str, ...] = (),
        later: tuple[str, ...] = (),
    ) -> None:
        self._resolver = resolver
        self._rules: dict[str, Rule | Diagnostic] = {}
        self._declared = _by_name(declarations)
        self._parts = _parts(files)
        self._later = later

    def _of(self, dotted: str) -> list[reader.Declaration]:
        """What is declared about a function."""
        if self._later and targets.is_of(dotted, "tensorflow", "adlsp.runtime.tensors"):
            self._look_later()
        if dotted not in self._declared and dotted in self._parts:
            every = (d for part in self._parts[dotted] for d in part.declarations)
            self._declared[dotted] = [d for d in every if dotted in d.functions]
        return self._declared.get(dotted, [])

    def _look_later(self) -> None:
        """Looks at those, too; two threads that do so at once find the same."""
        further = _parts(self._later)
        for name, every in self._parts.items():
            further[name] = [*every, *further.get(name, ())]
        self._parts, self._later = further, ()

    def get(self, dotted: str) -> Rule | None:
        """Gives the rule for a function; None where there is none, or none that makes sense."""
        rule = self.read(dotted)
        return rule if isinstance(rule, Rule) else None

    def read(self, dotted: str) -> Rule | Diagnostic | None:
        """Gives the rule for a function, or what is wrong with it."""
        if dotted not in self._rules:
            declared = self._of(dotted)
            if not declared:
                return None
            self._rules[dotted] = assemble(dotted, declared, self._resolver)
        return self._rules[dotted]

    def word(self, dotted: str) -> str:
        """The word by which the rule of a function is declared; empty where there is none."""
        declared = self._of(dotted)
        return declared[0].word if declared else ""

    def written(self, dotted: str) -> tuple[str, ...]:
        """The lines of the rule of a function that say how gradients go back."""
        bodies = (d for d in self._of(dotted) if d.word != "forward")
        declaration = next((d for d in bodies if d.body is not None), None)
        if declaration is None or declaration.body is None:
            return ()
        body = declaration.body
        lines = declaration.source.lines[body.body[0].lineno - 1 : body.end_lineno]
        return tuple(textwrap.dedent("\n".join(lines)).split("\n"))

    def names(self, *, of_all: bool = True) -> tuple[str, ...]:
        """The dotted names of all functions with rules, or of those looked at so far, sorted."""
        if of_all:
            self._look_later()
        return tuple(sorted({*self._declared, *self._parts}))


def _parts(files: Iterable[str]) -> dict[str, list[reader.Part]]:
    """The parts of rule files that declare rules of each function."""
    found: dict[str, list[reader.Part]] = {}
    for part in (part for file in files for part in reader.parts(source(file))):
        for name in part.names:
            found.setdefault(name, []).append(part)
    return found


def _by_name(declarations: Iterable[reader.Declaration]) -> dict[str, list[reader.Declaration]]:
    found: dict[str, list[reader.Declaration]] = {}
    for declaration in declarations:
        for name in declaration.functions:
            found.setdefault(name, []).append(declaration)
    return found


@cache
def load() -> Table:
    """The built-in rules."""
    return Table((), _RuleNames(), ALWAYS, OF_TENSORFLOW)


def source(file: str) -> Source:
    """The text of a built-in rule file."""
    return packaged(f"{__package__}.{file}")


def assemble(
    name: str, declarations: list[reader.Declaration], resolver: resolve.Resolver
) -> Rule | Diagnostic:
    """Makes the rule of one function from what is declared about it."""
    first, *others = _groups(declarations)
    rule = _assembled(name, first, resolver)
    if not others or isinstance(rule, Diagnostic):
        return rule
    if not any((p.annotation or "").startswith("Literal") for p in rule.parameters):
        return Diagnostic(InvalidRule(f"`{name}` has more than one rule"), declarations[-1].span)
    other = assemble(name, [d for group in others for d in group], resolver)
    return other if isinstance(other, Diagnostic) else replace(rule, others=(other, *other.others))


def _groups(declarations: list[reader.Declaration]) -> list[list[reader.Declaration]]:
    """The declarations of each rule: one word, or both of `forward` and `reverse`."""
    made: list[list[reader.Declaration]] = []
    for declaration in declarations:
        words = {declaration.word, *(d.word for d in made[-1])} if made else set()
        is_pair = words == {"forward", "reverse"} and len(made[-1]) == 1
        if not is_pair:
            made.append([])
        made[-1].append(declaration)
    return made


def _assembled(
    name: str, declarations: list[reader.Declaration], resolver: resolve.Resolver
) -> Rule | Diagnostic:
    by_word = {declaration.word: declaration for declaration in declarations}
    first = declarations[0]
    words = tuple(sorted(by_word))
    if len(by_word) > 1 and words != ("forward", "reverse"):
        return Diagnostic(InvalidRule(f"`{name}` has more than one rule"), declarations[-1].span)
    if first.word == "constant":
        return Rule(name, "constant")
    templates: dict[str, Template] = {}
    for word, declaration in by_word.items():
        function = reader.lowered(declaration, resolver)
        if isinstance(function, Diagnostic):
            return function
        templates[word] = Template(function, _results(function))
    return _check(_rule(name, by_word, templates), first)


def fitting(rule: Rule, call: ir.Call) -> Rule:
    """Gives that rule of a function which supports the arguments of a call; if none, the first."""
    if not rule.others:
        return rule
    for each in (rule, *rule.others):
        if isinstance(bind(each.parameters, call), dict):
            return each
    return rule


def bind(parameters: tuple[ir.Parameter, ...], call: ir.Call) -> dict[str, ir.Atom] | str:
    """Binds the arguments of a call to the parameters of a rule, with defaults filled in.

    A string tells which argument the rule does not support, or lacks. What a parameter supports may
    be said by its annotation, as `Literal["full", "same"]`. Several values for a
    parameter `*axes` are bound as a tuple if they are literals; for one called `*_shape`, not at
    all.
    """
    positional = [p for p in parameters if p.kind is ir.POSITIONAL]
    others = parameters if len(positional) < len(parameters) else ()
    rest = next((p for p in others if p.kind is ir.ParameterKind.VARARGS), None)
    bound = {p.name: atom for p, atom in zip(positional, call.args, strict=False)}
    further = call.args[len(positional) :]
    if rest is None and further:
        return f"{BY_NUMBER}{len(positional) + 1}"
    if rest is not None and not rest.name.startswith("_"):
        atom = _packed(further)
        if atom is None:
            return rest.name
        bound[rest.name] = atom
    known = {p.name for p in parameters if not p.is_rest} if call.keywords else set[str]()
    for keyword, atom in call.keywords:
        if keyword not in known or keyword in bound:
            return keyword
        bound[keyword] = atom
    for parameter in parameters:
        name, annotation = parameter.name, parameter.annotation
        if name not in bound and parameter is not rest:
            if parameter.default is None or isinstance(parameter.default, ir.Opaque):
                return name
            bound[name] = parameter.default
        if annotation and not reader.accepts(annotation, bound.get(name, ir.Const(None))):
            return name
    return bound


def deciding(rule: Rule, call: ir.Call) -> Iterator[tuple[str, ir.Atom]]:
    """The options of a call on whose values it depends which rule supports it, by parameter."""
    named = dict(call.keywords)
    for place, parameter in enumerate(rule.parameters):
        is_placed = parameter.is_positional and place < len(call.args)
        atom = call.args[place] if is_placed else named.get(parameter.name)
        if atom is not None and (parameter.annotation or "").startswith("Literal"):
            yield parameter.name, atom


def shorter(rule: Rule, call: ir.Call) -> ir.Call:
    """A call without the arguments that equal the defaults of a rule's parameters."""
    defaults = {p.name: p.default for p in rule.parameters}
    positional = [p for p in rule.parameters if p.is_positional]
    args = list(call.args)
    if len(args) <= len(positional):
        while args and positional[len(args) - 1].default == args[-1]:
            args.pop()
    keywords = tuple((k, a) for k, a in call.keywords if defaults.get(k) != a)
    if len(args) == len(call.args) and len(keywords) == len(call.keywords):
        return call
    return replace(call, args=tuple(args), keywords=keywords)


def _packed(atoms: tuple[ir.Atom, ...]) -> ir.Atom | None:
    if len(atoms) == 1:
        return atoms[0]
    values = [atom.value for atom in atoms if isinstance(atom, ir.Const)]
    if len(values) < len(atoms):
        return None
    return ir.Const(tuple(values) if values else None)


def _results(function: ir.Function) -> tuple[ir.Atom, ...]:
    """What a body returns; of a tuple, the elements."""
    match function.body[-2:]:
        case (
            ir.Assign(targets=(target,), value=ir.Call(function="python.tuple", args=args)),
            ir.Return(value=ir.Name(returned)),
        ) if returned == target:
            return args
        case (*_, ir.Return(value=value)):
            return (value,)
    raise AssertionError("a rule ends in a return")


def _rule(
    name: str, by_word: dict[reader.Word, reader.Declaration], templates: dict[str, Template]
) -> Rule:
    """Puts a rule together; what it is about follows from the words that were used."""
    first = next(iter(by_word.values()))
    template = templates.get("reverse") or templates[first.word]
    own = tuple(p for p in template.function.parameters if _is_of_call(p))
    when = "; ".join(dict.fromkeys(d.when for d in by_word.values() if d.when))
    of = next((d.of for d in by_word.values() if d.of), ())
    forward, reverse = templates.get("forward"), templates.get("reverse")
    if not of and forward is not None:
        dots = [p for p in forward.parameters if p.endswith("_dot")]
        of = tuple(p.removesuffix("_dot") for p in dots)
    if not of:
        of = tuple(p.name for p in own if p.is_positional)
    match first.word:
        case "forward" | "reverse":
            return Rule(name, "custom", of, own, reverse, forward, when)
        case word:
            return Rule(name, word, of, own, template, None, when)


def _is_of_call(parameter: ir.Parameter) -> bool:
    """Tells arguments of the call from `out`, `out_bar` and `x_dot`, which have no default."""
    return parameter.kind is not ir.ParameterKind.KEYWORD or parameter.default is not None


def _check(rule: Rule, first: reader.Declaration) -> Rule | Diagnostic:
    """Refuses a rule that contradicts itself."""
    known = {parameter.name for parameter in rule.parameters}
    unknown = [name for name in rule.of if name not in known]
    if unknown:
        reason = "`of` names it, and it is no parameter of the rule"
        finding = RuleParameter(rule.name, unknown[0], reason)
        return Diagnostic(finding, first.of_place or first.span)
    if not rule.of:
        return Diagnostic(InvalidRule("it does not say what is differentiated"), first.span)
    for template in (rule.reverse, rule.forward):
        is_counted = template is not None and rule.kind != "composite"
        if template is not None and is_counted and len(template.results) != len(rule.of):
            results = RuleResults(
                _counted(len(template.results), "result"), _counted(len(rule.of), "argument")
            )
            return Diagnostic(results, template.function.body[-1].origin)
    return rule


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class _RuleNames:
    """What names mean in built-in rule files, without reading their imports."""

    def __init__(self) -> None:
        self._parse = cache(modules.parse)

    def parsed(self, source: Source) -> tuple[modules.Module | None, tuple[Diagnostic, ...]]:
        return self._parse(source)

    def name(self, source: Source, name: str) -> resolve.Binding:  # noqa: ARG002
        if name in ALIASES:
            return resolve.Binding("module", ALIASES[name])
        return resolve.Binding(
            "value" if name in resolve.BUILTINS else "missing", f"builtins.{name}"
        )

    def attribute(self, binding: resolve.Binding, attribute: str) -> resolve.Binding:
        return resolve.Binding("value", f"{binding.dotted}.{attribute}")

    def definition(self, dotted: str) -> resolve.Definition | None:  # noqa: ARG002
        return None

    def class_of(self, dotted: str) -> resolve.WrittenClass | None:  # noqa: ARG002
        return None

    def order(self, dotted: str) -> tuple[str, ...]:
        return (dotted,)

    def table_of(self, dotted: str) -> resolve.WrittenTable | None:  # noqa: ARG002
        return None

    def held(self, dotted: str) -> object:  # noqa: ARG002
        return None

    def initializer(self, dotted: str) -> resolve.Definition | None:  # noqa: ARG002
        return None

    def written(self, dotted: str) -> resolve.Definition | None:  # noqa: ARG002
        return None

    def unread(self, dotted: str) -> str:  # noqa: ARG002
        return ""

    def imports(self, source: Source) -> tuple[Source, ...]:  # noqa: ARG002
        return ()
