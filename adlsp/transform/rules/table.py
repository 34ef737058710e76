"""The rules by the dotted names of functions, and how the arguments of a call meet a rule.

A rule holds lowered bodies (`Template`) whose parameters are the arguments of the call, by name,
and `out`, `out_bar`, `x_dot` where declared. To use one, bind the call's arguments and put atoms in
the place of parameters: nothing is computed twice, because arguments of calls are atoms already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from adlsp.transform import ir
from adlsp.transform.findings.vocabulary import Found
from adlsp.transform.frontend import modules, resolve
from adlsp.transform.rules import reader
from adlsp.transform.source import Source

FILES = (
    "numpy.elementwise",
    "numpy.reductions",
    "numpy.products",
    "numpy.linalg",
    "numpy.shaping",
    "numpy.joining",
    "numpy.selecting",
    "scipy",
    "python",
    "runtime",
)
"""The built-in rule files, as modules in this package."""

ALIASES = {"np": "numpy", "rt": "adlsp.runtime", "math": "math", "special": "scipy.special"}
"""How built-in rule files call other modules."""


@dataclass(frozen=True, slots=True)
class Template:
    """A lowered body and what it returns: for a tuple, its elements.

    The body is a straight line of `ir.Assign` that ends in an `ir.Return`. Each result may need
    only some of its steps.
    """

    function: ir.Function
    results: tuple[ir.Atom, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names in whose place atoms are put."""
        return tuple(parameter.name for parameter in self.function.parameters)


@dataclass(frozen=True, slots=True)
class Rule:
    """How one function is differentiated.

    `kind` is "elementwise", "linear", "multilinear", "custom" or "constant"; `of` names the
    parameters that are differentiated and `parameters` are those of the call. `reverse` has one
    result for each name in `of`: the partial for elementwise rules, else the gradient. `forward`
    (custom rules only) has the terms of the result's tangent, one for each name in `of`.
    """

    name: str
    kind: str
    of: tuple[str, ...] = ()
    parameters: tuple[ir.Parameter, ...] = ()
    reverse: Template | None = None
    forward: Template | None = None
    when: str = ""

    @property
    def sums(self) -> bool:
        """Tells whether the gradients are right though `out_bar` was broadcast, and not summed."""
        taken = () if self.reverse is None else self.reverse.function.parameters
        is_told = any(p.name == "out_bar" and p.annotation == "Unsummed" for p in taken)
        return is_told or self.kind == "elementwise"


class Table:
    """Rules by dotted name. Bodies are lowered when they are first asked for."""

    def __init__(
        self, declarations: Iterable[reader.Declaration], resolver: resolve.Resolver
    ) -> None:
        self._resolver = resolver
        self._rules: dict[str, Rule | reader.Problem] = {}
        self._declared: dict[str, list[reader.Declaration]] = {}
        for declaration in declarations:
            for name in declaration.functions:
                self._declared.setdefault(name, []).append(declaration)

    def get(self, dotted: str) -> Rule | None:
        """Gives the rule for a function; None where there is none, or none that makes sense."""
        rule = self.read(dotted)
        return rule if isinstance(rule, Rule) else None

    def read(self, dotted: str) -> Rule | reader.Problem | None:
        """Gives the rule for a function, or what is wrong with it."""
        if dotted not in self._rules:
            if dotted not in self._declared:
                return None
            self._rules[dotted] = assemble(dotted, self._declared[dotted], self._resolver)
        return self._rules[dotted]

    def names(self) -> tuple[str, ...]:
        """The dotted names of all functions that have a rule, sorted."""
        return tuple(sorted(self._declared))


@cache
def load() -> Table:
    """Loads the built-in rules."""
    declarations: list[reader.Declaration] = []
    for file in FILES:
        declarations += reader.read(source(file))[0]
    return Table(declarations, _RuleNames())


def source(file: str) -> Source:
    """The text of a built-in rule file, by way of the import system; the file is not imported."""
    module = f"{__package__}.{file}"
    spec = find_spec(module)
    assert spec is not None
    assert spec.loader is not None
    text = spec.loader.get_source(module)  # type: ignore[attr-defined]
    return Source(f"{module.replace('.', '/')}.py", module, text)


def assemble(
    name: str, declarations: list[reader.Declaration], resolver: resolve.Resolver
) -> Rule | reader.Problem:
    """Makes the rule of one function from what is declared about it."""
    by_word = {declaration.word: declaration for declaration in declarations}
    first = declarations[0]
    words = tuple(sorted(by_word))
    if len(by_word) < len(declarations) or (len(by_word) > 1 and words != ("forward", "reverse")):
        return reader.Problem(f"`{name}` has more than one rule", declarations[-1].span)
    if first.word == "constant":
        return Rule(name, "constant")
    templates: dict[str, Template] = {}
    for word, declaration in by_word.items():
        function = reader.lowered(declaration, resolver)
        if isinstance(function, reader.Problem):
            return function
        templates[word] = Template(function, _results(function))
    return _check(_rule(name, by_word, templates), first)


def bind(parameters: tuple[ir.Parameter, ...], call: ir.Call) -> dict[str, ir.Atom] | str:
    """Binds the arguments of a call to the parameters of a rule, with defaults filled in.

    A string tells which argument the rule does not support, or lacks. What a parameter supports may
    be said by its annotation, as `Literal["full", "same"]`. Several values for a
    parameter `*axes` are bound as a tuple if they are literals; for one called `*_shape`, not at
    all.
    """
    positional = [p for p in parameters if p.kind == "positional"]
    rest = next((p for p in parameters if p.kind == "varargs"), None)
    bound = {p.name: atom for p, atom in zip(positional, call.args, strict=False)}
    further = call.args[len(positional) :]
    if rest is None and further:
        return f"argument {len(positional) + 1}"
    if rest is not None and not rest.name.startswith("_"):
        atom = _packed(further)
        if atom is None:
            return rest.name
        bound[rest.name] = atom
    known = {p.name for p in parameters if p.kind in ("positional", "keyword")}
    for keyword, atom in call.keywords:
        if keyword not in known or keyword in bound:
            return keyword
        bound[keyword] = atom
    for parameter in parameters:
        if parameter.name not in bound and parameter.kind != "varargs":
            if parameter.default is None:
                return parameter.name
            bound[parameter.name] = parameter.default
        if not reader.accepts(parameter.annotation, bound.get(parameter.name, ir.Const(None))):
            return parameter.name
    return bound


def _packed(atoms: tuple[ir.Atom, ...]) -> ir.Atom | None:
    if len(atoms) == 1:
        return atoms[0]
    values = [atom.value for atom in atoms if isinstance(atom, ir.Const)]
    if len(values) < len(atoms):
        return None
    return ir.Const(tuple(values) if values else None)


def _results(function: ir.Function) -> tuple[ir.Atom, ...]:
    """What a body returns; of a tuple, the elements."""
    last = function.body[-1]
    assert isinstance(last, ir.Return)
    for statement in function.body:
        match statement:
            case ir.Assign(targets=(target,), value=ir.Call(function="python.tuple", args=args)):
                if last.value == ir.Name(target):
                    return args
    return (last.value,)


def _rule(
    name: str, by_word: dict[str, reader.Declaration], templates: dict[str, Template]
) -> Rule:
    """Puts a rule together; what it is about follows from the words that were used."""
    first = next(iter(by_word.values()))
    template = templates.get("reverse") or templates[first.word]
    own = tuple(p for p in template.function.parameters if _is_of_call(p))
    when = "; ".join(dict.fromkeys(d.when for d in by_word.values() if d.when))
    if first.word == "elementwise":
        of = tuple(p.name for p in own if p.kind == "positional")
        return Rule(name, first.word, of, own, template, None, when)
    if first.word in ("linear", "multilinear"):
        return Rule(name, first.word, first.of, own, template, None, when)
    forward, reverse = templates.get("forward"), templates.get("reverse")
    of = next((d.of for d in by_word.values() if d.of), ())
    if not of and forward is not None:
        dots = [p for p in forward.parameters if p.endswith("_dot")]
        of = tuple(p.removesuffix("_dot") for p in dots)
    return Rule(name, "custom", of, own, reverse, forward, when)


def _is_of_call(parameter: ir.Parameter) -> bool:
    """Tells arguments of the call from `out`, `out_bar` and `x_dot`, which have no default."""
    return parameter.kind != "keyword" or parameter.default is not None


def _check(rule: Rule, first: reader.Declaration) -> Rule | reader.Problem:
    """Refuses a rule that contradicts itself."""
    known = {parameter.name for parameter in rule.parameters}
    if not rule.of or not set(rule.of) <= known:
        return reader.Problem("the rule does not say what is differentiated: `of=`", first.span)
    for template in (rule.reverse, rule.forward):
        if template is not None and len(template.results) != len(rule.of):
            return reader.Problem(
                f"the rule returns {len(template.results)} results for {len(rule.of)} arguments",
                first.span,
            )
    return rule


class _RuleNames:
    """What names mean in built-in rule files, without reading their imports."""

    def parsed(self, source: Source) -> tuple[modules.Module | None, tuple[Found, ...]]:
        return modules.parse(source)

    def name(self, source: Source, name: str) -> resolve.Binding:  # noqa: ARG002
        if name in ALIASES:
            return resolve.Binding("module", ALIASES[name])
        kind = "value" if name in resolve.BUILTINS else "missing"
        return resolve.Binding(kind, f"builtins.{name}")

    def attribute(self, binding: resolve.Binding, attribute: str) -> resolve.Binding:
        return resolve.Binding("value", f"{binding.dotted}.{attribute}")

    def definition(self, dotted: str) -> resolve.Definition | None:  # noqa: ARG002
        return None
