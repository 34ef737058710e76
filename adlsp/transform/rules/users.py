"""The rules that users write: which of them count for a function, and what is wrong with them.

What counts for the functions of a module are the rules of the module itself and of all the user's
modules that it imports, directly or by way of others, the nearest first. A rule that makes no sense
is kept as a broken one, so that nothing else is done where it was meant to be used.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from adlsp.transform import ir
from adlsp.transform.diagnostics.reading import (
    InvalidRule,
    RuleParameter,
    RuleResults,
    UnresolvedFunction,
)
from adlsp.transform.diagnostics.vocabulary import Diagnostic, Finding
from adlsp.transform.frontend import lower
from adlsp.transform.frontend.resolve import Binding, Resolver
from adlsp.transform.frozen import dataclass
from adlsp.transform.ir import targets
from adlsp.transform.rules import custom_gradients, reader, table
from adlsp.transform.source import Source, Span

BESIDES = {
    "elementwise": ("out",),
    "linear": ("out", "out_bar"),
    "multilinear": ("out", "out_bar"),
    "reverse": ("out", "out_bar"),
    "forward": ("out",),
    "composite": (),
}
"""What a rule may ask for besides the arguments; a forward rule also for tangents."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What a module declares. `meaning` is all that its rules rest on, but what names mean."""

    source: Source
    declarations: tuple[reader.Declaration, ...]
    problems: tuple[Diagnostic, ...]
    meaning: tuple[object, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RulesInScope:
    """The rules that count somewhere: users' own before the built-in ones."""

    own: Mapping[str, table.Rule]
    problems: tuple[Diagnostic, ...]

    @property
    def is_broken(self) -> bool:
        """Tells whether one of users' rules makes no sense."""
        return bool(self.problems) or any(rule.problems for rule in self.own.values())

    def names(self) -> tuple[str, ...]:
        """The dotted names of all functions that have a rule of a user's, sorted."""
        return tuple(sorted(self.own))

    def get(self, dotted: str) -> table.Rule | None:
        """Gives the rule for a function, which may be a broken one."""
        return self.own.get(dotted) or table.load().get(dotted)


@cache
def built_in() -> RulesInScope:
    """The rules that count where users have none."""
    return RulesInScope({}, ())


def may_declare(source: Source) -> bool:
    """Tells whether a text may declare a rule, by the words in it: all ways to import one.

    What a cell uses may be imported in others.
    """
    text = source.text
    if custom_gradients.DECORATOR in text:
        return True
    may_import = source.is_cell or ("adlsp" in text and "rules" in text)
    return may_import and any(word in text for word in reader.WORDS)


def sources(home: Source, resolver: Resolver) -> Iterator[Source]:
    """The modules that may declare rules for the functions of one, the nearest first."""
    pending, seen = [home], {home.path}
    for source in pending:
        if may_declare(source):
            yield source
        for other in resolver.imports(source):
            if other.path not in seen:
                seen.add(other.path)
                pending.append(other)


def uses(source: Source, resolver: Resolver) -> reader.Uses:
    """Where a module writes the words for rules."""
    module, _ = resolver.parsed(source)
    if module is None:
        return reader.Uses((), (), ())
    words = _imported_elsewhere(module.parsed, source, resolver) if source.is_cell else {}
    return reader.uses(module.parsed, source, words)


def _imported_elsewhere(
    tree: ast.Module, source: Source, resolver: Resolver
) -> dict[str, reader.Word]:
    """How other cells let one write the words."""
    known = {f"{home}.{word}": word for home in reader.HOMES for word in reader.WORDS}
    words: dict[str, reader.Word] = {}
    for written, node in reader.may_write(tree):
        binding = _binding(node, source, resolver)
        if binding is not None and binding.dotted in known:
            words[written] = known[binding.dotted]
    return words


def read(written: reader.Uses, source: Source, resolver: Resolver) -> Declared:
    """Reads what a module declares where it writes the words."""

    def named(node: ast.expr) -> str | Finding:
        return _named(node, source, resolver)

    declarations, problems = reader.read_strictly(written, source, named)
    declarations += tuple(_custom_gradients(written, source, resolver))
    meanings = tuple(_meaning(each, resolver) for each in declarations)
    return Declared(source, declarations, tuple(problems), meanings)


def _custom_gradients(
    written: reader.Uses, source: Source, resolver: Resolver
) -> Iterator[reader.Declaration]:
    """The rules that functions decorated with `tf.custom_gradient` state."""
    for decorator, function in written.decorated:
        binding = _binding(decorator, source, resolver)
        body = custom_gradients.as_rule(function)
        if binding is not None and binding.dotted == custom_gradients.FUNCTION and body is not None:
            named = (resolver.name(source, function.name).dotted,)
            place = reader.span(source, decorator)
            yield reader.Declaration("reverse", named, (), "", source, place, body)


def in_scope(
    declared: Iterable[Declared],
    resolver: Resolver,
    noting: Callable[[Source], Resolver],
) -> RulesInScope:
    """Makes the rules of some modules, the nearest first, of what they declare.

    `noting` gives for each module a resolver for the names in its rules.
    """
    own: dict[str, table.Rule] = {}
    problems: list[Diagnostic] = []
    for one in declared:
        problems += one.problems
        by_name: dict[str, list[reader.Declaration]] = {}
        for declaration in one.declarations:
            for name in declaration.functions:
                by_name.setdefault(name, []).append(declaration)
        for name, declarations in by_name.items():
            if name not in own:
                own[name] = _rule(name, declarations, noting(one.source), resolver)
    return RulesInScope(own, tuple(problems))


def written_in(rule: table.Rule) -> str | None:
    """The name of the function in which a rule is written."""
    return next((d.body.name for d in rule.declarations if d.body is not None), None)


# what a declaration is about


def _named(node: ast.expr, source: Source, resolver: Resolver) -> str | Finding:
    """The dotted name of the function that an argument of a word stands for."""
    match node:
        case ast.Constant(value=str(text)) if "." in text.strip("."):
            dotted = _followed(text, resolver)
        case ast.Constant():
            return InvalidRule(
                "it is for no function: a text gives a dotted name, `module.function`"
            )
        case _:
            binding = _binding(node, source, resolver)
            if binding is None:
                return InvalidRule("it is for no function: a name is needed, or one as text")
            if binding.kind == "missing":
                return UnresolvedFunction(" ".join(source.slice(reader.span(source, node)).split()))
            if binding.kind == "module":
                return InvalidRule(f"`{binding.dotted}` is a module, and rules are for functions")
            dotted = binding.dotted
    if dotted is None:
        return UnresolvedFunction(str(getattr(node, "value", "")))
    if not targets.is_plain(dotted) or targets.is_of(dotted, "adlsp"):
        return InvalidRule(f"`{dotted}` is differentiated by adlsp itself")
    return dotted


def _binding(node: ast.expr, source: Source, resolver: Resolver) -> Binding | None:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    binding = resolver.name(source, node.id)
    for part in reversed(parts):
        if binding.kind != "missing":
            binding = resolver.attribute(binding, part)
    return binding


def _followed(text: str, resolver: Resolver) -> str | None:
    """The dotted name by which calls know a function; None where its module has none such."""
    module, _, name = text.rpartition(".")
    binding = resolver.attribute(Binding("module", module), name)
    return None if binding.kind == "missing" else binding.dotted


def _meaning(declaration: reader.Declaration, resolver: Resolver) -> object:
    """What a rule rests on, wherever it stands in its file."""
    source, body = declaration.source, declaration.body
    lines = () if body is None else source.lines[body.lineno - 1 : body.end_lineno]
    signatures = tuple(_signature(name, resolver) for name in declaration.functions)
    about = (declaration.functions, declaration.of, declaration.when, signatures)
    return (source.path, declaration.word, about, lines)


def _signature(dotted: str, resolver: Resolver) -> tuple[ir.Parameter, ...] | None:
    """The parameters of a function; None where there is no text to read."""
    definition = resolver.written(dotted)
    return None if definition is None else lower.signature(definition, resolver)


# rules


def _rule(
    name: str, declarations: list[reader.Declaration], body_names: Resolver, resolver: Resolver
) -> table.Rule:
    made = _fitted(name, declarations, body_names, _signature(name, resolver))
    if isinstance(made, Diagnostic):
        return table.Rule(name, "broken", problems=(made,), declarations=tuple(declarations))
    return replace(made, declarations=tuple(declarations))


def _fitted(
    name: str,
    declarations: list[reader.Declaration],
    body_names: Resolver,
    given: tuple[ir.Parameter, ...] | None,
) -> table.Rule | Diagnostic:
    """A rule with the defaults of its function, or the first thing that is wrong with it."""
    for declaration in declarations:
        definition = reader.definition_of(declaration) if declaration.body is not None else None
        if isinstance(definition, Diagnostic):
            return definition
        own = () if definition is None else lower.signature(definition, body_names)
        for found in _of_parameters(name, declaration, own, given):
            return found
    rule = table.assemble(name, declarations, body_names)
    if isinstance(rule, Diagnostic) or rule.kind in ("composite", "constant"):
        return rule
    for declaration in declarations:
        for found in _of_results(rule, declaration):
            return found
    defaults = {p.name: p.default for p in given or () if not _is_computed(p)}
    parameters = tuple(
        p if p.default is not None else replace(p, default=defaults.get(p.name))
        for p in rule.parameters
    )
    return replace(rule, parameters=parameters)


def _of_parameters(
    function: str,
    declaration: reader.Declaration,
    own: tuple[ir.Parameter, ...],
    given: tuple[ir.Parameter, ...] | None,
) -> Iterator[Diagnostic]:
    """What is wrong with a rule's `own` parameters; `given` are those of its function, if known."""
    source, body = declaration.source, declaration.body
    if body is None:
        return
    arguments = body.args

    def found(name: ast.arg, reason: str) -> Diagnostic:
        finding = RuleParameter(targets.member(function), name.arg, reason)
        start = Span(source.path, *_place(source, name))
        return Diagnostic(finding, start)

    for star in (arguments.vararg, arguments.kwarg):
        if star is not None:
            yield found(star, "a rule names each of its arguments")
    positional = [*arguments.posonlyargs, *arguments.args]
    known = {name.arg for name in positional}
    padding: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    written = dict(zip((p.arg for p in positional), [*padding, *arguments.defaults], strict=True))
    for name, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        written[name.arg] = default
        if default is None:
            dots = {f"{each}_dot" for each in known} if declaration.word == "forward" else set()
            if name.arg not in (*BESIDES[declaration.word], *dots):
                asked = [*BESIDES[declaration.word], *(["x_dot"] if dots else [])]
                listed = " and ".join(f"`{each}`" for each in asked)
                kind = "an" if declaration.word == "elementwise" else "a"
                yield found(name, f"{kind} {declaration.word} rule may ask for {listed} after `*`")
    if given is None:
        for name in positional:
            if name.arg in ("out", "out_bar") or name.arg.removesuffix("_dot") in known - {
                name.arg
            }:
                yield found(name, "it stands after `*`")
    else:
        yield from _beside(declaration, given, found)
    theirs = {p.name: p for p in given or ()}
    for parameter in own:
        default, name = written.get(parameter.name), _argument(body, parameter.name)
        if not reader.is_readable(parameter.annotation):
            yield found(name, "its annotation lists something else than literals")
        if default is None:
            continue
        if _is_computed(parameter):
            yield found(name, "its default is no literal")
        elif given is not None and parameter.name in theirs:
            other = theirs[parameter.name]
            if other.default != parameter.default:
                yield found(name, "its default is not that of the function")


def _beside(
    declaration: reader.Declaration,
    given: tuple[ir.Parameter, ...],
    found: Callable[[ast.arg, str], Diagnostic],
) -> Iterator[Diagnostic]:
    """Parameters that are not those of the function, or not at their place."""
    body = declaration.body
    assert body is not None
    names = [p.name for p in given if not p.is_rest]
    places = [p.name for p in given if p.is_positional]
    takes_more = any(p.kind is ir.ParameterKind.VARARGS for p in given)
    takes_names = any(p.kind is ir.ParameterKind.VARKEYWORDS for p in given)
    for number, name in enumerate([*body.args.posonlyargs, *body.args.args]):
        if number < len(places) and name.arg != places[number]:
            is_known = name.arg in names
            reason = f"the function has `{places[number]}` at this place"
            yield found(name, reason if is_known else "the function has none of this name")
        elif number >= len(places) and not takes_more and name.arg not in names:
            yield found(name, "the function has none of this name")
    for name, default in zip(body.args.kwonlyargs, body.args.kw_defaults, strict=True):
        if default is not None and name.arg not in names and not takes_names:
            yield found(name, "the function has none of this name")


def _of_results(rule: table.Rule, declaration: reader.Declaration) -> Iterator[Diagnostic]:
    """What is wrong with what a rule returns."""
    template = rule.forward if declaration.word == "forward" else rule.reverse
    assert template is not None
    place = template.function.body[-1].origin
    for name, result in zip(rule.of, template.results, strict=True):
        if result == ir.Const(None):
            yield Diagnostic(RuleResults("nothing", f"`{name}`"), place)
            return
    if declaration.word == "forward":
        dots = {f"{name}_dot" for name in rule.of}
        for name, result in zip(rule.of, template.results, strict=True):
            for other in sorted(_read_by(template, result) & dots - {f"{name}_dot"}):
                reason = f"the term for `{name}` reads `{other}`, which has a term of its own"
                yield Diagnostic(InvalidRule(reason), place)
                return


def _read_by(template: table.Template, result: ir.Atom) -> set[str]:
    """The names that a result depends on."""
    needed = set(ir.names((result,)))
    for statement in reversed(template.function.body):
        if isinstance(statement, ir.Assign) and not needed.isdisjoint(statement.targets):
            needed |= set(ir.reads(statement))
    return needed


def _is_computed(parameter: ir.Parameter) -> bool:
    default = parameter.default
    is_unknown = isinstance(default, ir.Global) and targets.is_unresolved(default.dotted)
    return is_unknown or isinstance(default, ir.Opaque)


def _argument(body: ast.FunctionDef, name: str) -> ast.arg:
    arguments = body.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return next(each for each in every if each.arg == name)


def _place(source: Source, name: ast.arg) -> tuple[int, int, int, int]:
    """The place of a parameter, without its annotation."""
    column = source.column(name.lineno, name.col_offset)
    return name.lineno, column, name.lineno, column + len(name.arg)
