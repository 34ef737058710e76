"""From the tree of a function to the intermediate form: its parameters, names and statements."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from itertools import islice

import gast

from adlsp.transform import ir
from adlsp.transform.diagnostics import language
from adlsp.transform.diagnostics.vocabulary import Diagnostic
from adlsp.transform.frontend import (
    bindings,
    closures,
    decorators,
    exits,
    late,
    matching,
    scope,
    sequences,
    spelled_out,
    starred_arguments,
    states,
    walks,
    wrappers,
)
from adlsp.transform.frontend.expressions import Expressions
from adlsp.transform.frontend.lowering_context import Method
from adlsp.transform.frontend.resolve import Binding, Definition, Resolver
from adlsp.transform.frontend.statements import Statements
from adlsp.transform.ir import targets
from adlsp.transform.ir.variables import Step
from adlsp.transform.source import Span


def lower(definition: Definition, resolver: Resolver) -> ir.Function:
    """Lowers a function. What is outside the language is kept, with its findings."""
    node, source = definition.node, definition.source
    body, docstring = list(node.body), None
    match body:
        case [gast.Expr(value=gast.Constant(value=str(text))), *_]:
            docstring = text
            del body[0]
    body = matching.as_branches(body, source.text.splitlines())
    parameters = [p.id for p in scope.parameters(node.args)]

    def meaning(name: str) -> str:
        is_own = name in parameters or name in scope.bound(node.body)
        return "" if is_own else resolver.name(source, name).dotted

    body = spelled_out.spelled_out(body, parameters, meaning)
    local = scope.bound(body).union(parameters)
    local -= {
        name for n in scope.statements(body) if isinstance(n, gast.Global) for name in n.names
    }
    inner = _inner(definition, resolver)
    taken = {} if inner is None else closures.captured(inner)
    around = {name: each.held for name, each in taken.items()}
    imports = _imported(
        {n: e for n, e in around.items() if n not in local}, source.package, resolver
    )
    imports |= _local_imports(body, source.package, resolver)
    outside = Expressions(source, resolver, frozenset(local - set(imports)), imports)
    imports |= _local_functions(body, node, outside)
    cells = _cells(definition, resolver)
    lists = scope.lists(body) - {*parameters, *cells}
    lowering = Statements(
        Expressions(
            source,
            resolver,
            frozenset(local - set(imports)),
            imports,
            frozenset(lists & local),
            sequences.kinds(body, parameters),
            {
                n: tree
                for n, tree in starred_arguments.displays(body, parameters).items()
                if n not in cells
            },
            cells,
            frozenset(scope.assigned(body) & local),
            {} if cells else scope.results(node),
        ),
        node,
    )
    lowering.expressions.function = node
    if ":=" in source.text:
        lowering.expressions.overtaken = scope.overtaken(node)
    lowering.expressions.nested = _nested(inner, taken, definition)
    lowering.expressions.functions = _functions(inner, source.module, cells)
    lowering.expressions.aliased = _aliased(around, outside)
    lowering.expressions.method = _method(definition, body, resolver)
    block = lowering.function_body(body)
    return ir.Function(
        node.name,
        definition.home,
        _with_functions(
            _required(_parameters(node.args, lowering.expressions), node.args, inner),
            {*definition.captured}.intersection(
                (*lowering.expressions.nested, *lowering.expressions.aliased)
            ),
            lowering.expressions.nested,
        ),
        block,
        _header(lowering.expressions, node),
        tuple(sorted(lowering.expressions.aliases.items())),
        docstring,
        (
            *_generates(lowering.expressions, body),
            *_late(lowering.expressions, node),
            *lowering.gradient_blocks.findings,
            *_binds_captured(lowering.expressions, definition),
        ),
        contexts=lowering.contexts,
    )


def _inner(definition: Definition, resolver: Resolver) -> closures.Inner | None:
    """A function with what is around it, as its module has it."""
    if definition.inner is not None:
        return definition.inner
    module = resolver.parsed(definition.source)[0]
    place = definition.name, definition.line
    for each in () if module is None else module.scope.members:
        if isinstance(each.tree, ast.FunctionDef) and (each.tree.name, each.tree.lineno) == place:
            return each
    return None


def _nested(
    inner: closures.Inner | None,
    taken: Mapping[str, closures.Captured],
    definition: Definition,
) -> dict[str, ir.Held]:
    """The functions that variables of a function hold for good, its own and what it captures."""
    held: dict[str, object] = {name: each.held for name, each in taken.items()}
    if inner is not None:
        held |= closures.held_in(inner)
    module = definition.source.module
    found = {n: _held(f, module) for n, f in held.items() if isinstance(f, closures.Inner)}
    return found | {name: ir.Held(dotted, ()) for name, dotted in definition.holds}


def _functions(
    inner: closures.Inner | None, module: str, cells: Container[str]
) -> dict[tuple[int, int], ir.Held]:
    """The functions that stand in a function and change nothing there, by their places."""
    found: dict[tuple[int, int], ir.Held] = {}
    for each in () if inner is None else inner.members:
        tree = each.tree
        if isinstance(tree, ast.FunctionDef | ast.Lambda):
            held = _held(each, module)
            if not any(variable in cells for _, variable in held.captured):
                found[tree.lineno, tree.col_offset] = held
    return found


def _held(function: closures.Inner, module: str) -> ir.Held:
    """A function in others, with what it captures."""
    variables = ((each, each) for each in closures.variables(function))
    return ir.Held(targets.Nested(f"{module}.{function.path}"), tuple(variables))


def _cells(definition: Definition, resolver: Resolver) -> dict[str, ir.State]:
    """The variables of a function that functions in it bind or change."""
    module = resolver.parsed(definition.source)[0]
    entries = {} if module is None else module.names
    return states.of_function(definition.written.tree, entries)


def _method(definition: Definition, body: list[gast.stmt], resolver: Resolver) -> Method | None:
    """What a method is called on; None where its first parameter is another one, or bound again."""
    first = definition.positional_parameters[:1]
    if not definition.is_method or not first or first[0] in scope.bound(body):
        return None
    kind = decorators.method(definition, resolver)
    if kind is None and wrappers.wrapper(definition, resolver) is not None:
        kind = decorators.kind(definition, resolver)
    owner = definition.dotted.rpartition(".")[0]
    if kind in (None, decorators.STATIC) or first[0] in _cells(definition, resolver):
        return None
    path = definition.written.path.rpartition(".")[0]
    home = None if closures.LOCALS in path else f"{definition.source.module}.{path}"
    return Method(first[0], owner, kind == decorators.OF_CLASS, home)


def _imported(around: Mapping[str, object], package: str, resolver: Resolver) -> dict[str, Binding]:
    """What names mean that functions around import."""
    held = {name: each for name, each in around.items() if isinstance(each, closures.IMPORTS)}
    trees = [gast.ast_to_gast(statement) for statement in held.values()]
    found = _local_imports(trees, package, resolver)
    return {name: found[name] for name in held}


def _aliased(around: Mapping[str, object], outside: Expressions) -> dict[str, Binding]:
    """What variables of functions around hold that are bound to global names: `act = np.tanh`."""
    found: dict[str, Binding] = {}
    for name, each in around.items():
        if isinstance(each, ast.Attribute | ast.Name):
            binding = outside.binding(gast.ast_to_gast(each))
            is_known = binding is not None and binding.kind in ("function", "value")
            if binding is not None and is_known and not binding.state:
                found[name] = binding
    return found


def signature(definition: Definition, resolver: Resolver) -> tuple[ir.Parameter, ...]:
    """The parameters of a function, whatever its body is."""
    expressions = Expressions(definition.source, resolver, frozenset(), {})
    return _parameters(definition.node.args, expressions)


def calling(definition: Definition, resolver: Resolver) -> ir.Function:
    """A function with the parameters of another one, which it calls and does nothing else."""
    node = definition.node
    parameters = signature(definition, resolver)
    origin = _header(Expressions(definition.source, resolver, frozenset(), {}), node)
    args = tuple(ir.Name(p.name) for p in parameters if p.is_positional)
    keywords = tuple(
        (p.name, ir.Name(p.name)) for p in parameters if p.kind is ir.ParameterKind.KEYWORD
    )
    result = Step(1)
    body = (
        ir.Assign((result,), ir.Call(definition.dotted, args, keywords, origin), origin),
        ir.Return(ir.Name(result), origin),
    )
    return ir.Function(node.name, definition.home, parameters, body, origin)


def _generates(expressions: Expressions, body: list[gast.stmt]) -> Iterator[Diagnostic]:
    """A generator gives its values one by one: it has no result to differentiate."""
    for node in islice(exits.yields(body), 1):
        yield Diagnostic(language.UnsupportedStatement("yield"), expressions.span(node))


def _binds_captured(expressions: Expressions, definition: Definition) -> Iterator[Diagnostic]:
    """A derivative changes no variable that its function has captured."""
    for node in walks.over(definition.node):
        if isinstance(node, gast.Nonlocal) and not set(node.names).isdisjoint(definition.captured):
            finding = language.UnsupportedStatement("nonlocal")
            yield Diagnostic(finding, expressions.keyword_span(node, "nonlocal"))


def _late(expressions: Expressions, node: gast.FunctionDef) -> Iterator[Diagnostic]:
    """Functions inside read, when they are called, what was bound after they were defined."""
    for each in late.late(node, expressions.local, expressions.meaning):
        finding = language.LateBinding(each.name, each.variable.id)
        closed = expressions.closure(each.node, each.name, node)
        fix = next((found.fix for found in closed), None)
        yield Diagnostic(finding, expressions.span(each.variable), fix=fix)


def _local_imports(body: list[gast.stmt], package: str, resolver: Resolver) -> dict[str, Binding]:
    """What names imported inside the function mean."""
    found: dict[str, Binding] = {}
    for node in scope.statements(body):
        if isinstance(node, gast.Import):
            for alias in node.names:
                dotted = alias.name if alias.asname else alias.name.split(".")[0]
                found[alias.asname or dotted] = Binding("module", dotted)
        elif isinstance(node, gast.ImportFrom):
            module = Binding("module", bindings.absolute(node, package))
            for alias in node.names:
                found[alias.asname or alias.name] = resolver.attribute(module, alias.name)
    return found


def _local_functions(
    body: list[gast.stmt], node: gast.FunctionDef, outside: Expressions
) -> dict[str, Binding]:
    """What functions mean that the function only gives another name: `sin = math.sin`.

    A function in it that reads such a name reads a variable.
    """
    bound = Counter(p.id for p in scope.parameters(node.args))
    given: dict[str, gast.expr] = {}
    for statement in scope.statements(body):
        bound.update(_bound_by(statement))
    for statement in body:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name() | gast.Attribute()):
                given[name] = statement.value
    called = {
        call.func.id
        for call in scope.calls(gast.Module(body, []))
        if isinstance(call.func, gast.Name) and bound[call.func.id] == 1
    }
    for statement in body:
        for inner in walks.over(statement):
            if isinstance(inner, scope.SCOPES):
                called.difference_update(name.id for name in scope.free(inner))
    found = {name: outside.binding(given[name]) for name in given if name in called}
    return {
        name: binding
        for name, binding in found.items()
        if binding is not None and binding.kind in ("function", "value")
    }


def _bound_by(statement: gast.AST) -> set[str]:
    """The names that a statement itself binds: what is in the blocks of it counts there."""
    match statement:
        case gast.For(target=target) | gast.AsyncFor(target=target):
            return scope.bound([target])
        case gast.If() | gast.While() | gast.Try() | gast.With():
            return scope.bound([c for c in walks.children(statement) if _is_header(c)])
    return scope.bound([statement])


def _is_header(node: gast.AST) -> bool:
    return isinstance(node, gast.expr | gast.withitem)


def _parameters(arguments: gast.arguments, expressions: Expressions) -> tuple[ir.Parameter, ...]:
    positional = [*arguments.posonlyargs, *arguments.args]
    padding: list[gast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    made = [
        _parameter(p, ir.ParameterKind.POSITIONAL, d, expressions)
        for p, d in zip(positional, [*padding, *arguments.defaults], strict=True)
    ]
    if arguments.vararg is not None:
        made.append(_parameter(arguments.vararg, ir.ParameterKind.VARARGS, None, expressions))
    made += [
        _parameter(p, ir.ParameterKind.KEYWORD, d, expressions)
        for p, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg is not None:
        made.append(_parameter(arguments.kwarg, ir.ParameterKind.VARKEYWORDS, None, expressions))
    return tuple(made)


def _required(
    parameters: tuple[ir.Parameter, ...],
    arguments: gast.arguments,
    inner: closures.Inner | None,
) -> tuple[ir.Parameter, ...]:
    """The parameters, without the defaults that only the function around can compute."""
    around = set[str]() if inner is None else closures.visible(inner)
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = zip(reversed(positional), reversed(arguments.defaults), strict=False)
    pairs = [*defaults, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    local = {
        name.id
        for name, default in pairs
        if default is not None and any(read.id in around for read in scope.free(default))
    }
    last = max((i for i, p in enumerate(positional) if p.id in local), default=0)
    local |= {p.id for p in positional[:last]}
    return tuple(replace(p, default=None) if p.name in local else p for p in parameters)


def _with_functions(
    parameters: tuple[ir.Parameter, ...], functions: set[str], held: Mapping[str, ir.Held]
) -> tuple[ir.Parameter, ...]:
    """The parameters, those marked that hold functions whose text is known."""
    return tuple(
        replace(p, is_function=True, held=held.get(p.name)) if p.name in functions else p
        for p in parameters
    )


def _parameter(
    name: gast.Name, kind: ir.ParameterKind, default: gast.expr | None, expressions: Expressions
) -> ir.Parameter:
    annotation = None
    if name.annotation is not None:
        annotation = expressions.text(name.annotation)
    value = None if default is None else expressions.default(default)
    return ir.Parameter(name.id, kind, value, annotation)


def _header(expressions: Expressions, node: gast.FunctionDef) -> Span:
    """The span of `def name`."""
    line = expressions.source.lines[node.lineno - 1]
    start = line.find(node.name, node.col_offset + len("def")) + 1
    column = expressions.span(node).column
    return Span(expressions.source.path, node.lineno, column, node.lineno, start + len(node.name))
