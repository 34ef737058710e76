"""Prints a derivative: its imports, the root's function, then the pairs of its callees."""

from __future__ import annotations

import ast
import os.path
from collections.abc import Callable, Iterable

from adlsp.transform import ir
from adlsp.transform.derivative import SourceMap
from adlsp.transform.emit import fuse, modules, names
from adlsp.transform.emit.printer import Page, Printer, signature
from adlsp.transform.emit.syntax import LOAD, text
from adlsp.transform.ir import Role
from adlsp.transform.reverse.assemble import SEED, Joint
from adlsp.transform.source import Span

KINDS = {
    "grad": "Gradient",
    "value_and_grad": "Value and gradient",
    "vjp": "Vector-Jacobian product",
}


def write(
    joints: tuple[Joint, ...], kind: str, quote: Callable[[Span], str]
) -> tuple[str, SourceMap]:
    """The text of a derivative and its map. `quote` gives the primal's text at a span."""
    return _Writer(joints, quote).write(kind)


class _Writer:
    def __init__(self, joints: tuple[Joint, ...], quote: Callable[[Span], str]) -> None:
        self.joints = joints
        self.quote = quote
        self.page = Page()
        functions = [joint.function for joint in joints]
        users = frozenset(name for f in functions for name in _users_names(f))
        self.pairs = _pair_names(joints, users)
        preferred: dict[str, str] = {}
        for function in functions:
            for module, alias in function.aliases:
                preferred.setdefault(module, alias)
        generated = frozenset(
            [functions[0].name, *(f"{p}_{d}" for p in self.pairs.values()
                                  for d in ("forward", "backward"))]
        )
        self.aliases = modules.aliases(functions, preferred, users | generated | names.RESERVED)
        self.taken = generated | frozenset(self.aliases.values())
        self.users = users

    def write(self, kind: str) -> tuple[str, SourceMap]:
        root = self.joints[0].function
        primal = root.name.removesuffix(f"_{kind}")
        file = os.path.basename(root.origin.path)
        self.page.write(f'"""Derivative of {primal} ({file}), written by adlsp."""', 0)
        standard = [m for m in self.aliases if m != "adlsp.runtime"]
        if standard:
            self.page.write("", 0)
        for module in standard:
            self.page.write(modules.statement(module, self.aliases[module]), 0)
        if "adlsp.runtime" in self.aliases:
            self.page.write("", 0)
            alias = self.aliases["adlsp.runtime"]
            self.page.write(modules.statement("adlsp.runtime", alias), 0)
        for joint in self.joints:
            if joint.pair is None:
                self.root(joint, f"{KINDS[kind]} of {primal} ({file}:{root.origin.line})")
            else:
                self.pair(joint)
        return "\n".join(self.page.lines) + "\n", tuple(self.page.mapped)

    # functions

    def root(self, joint: Joint, title: str) -> None:
        """Prints the function that is called from outside."""
        function = joint.function
        printer = self.printer(joint)
        forward, _, backward = _cut(function.body)
        self.define(
            printer, function.name, function.parameters,
            f"{title} with respect to {', '.join(joint.wrt)}.", function.origin,
        )
        if forward:
            self.page.write("# forward", 1)
            printer.block(forward, 1)
        printer.heading = "backward"
        printer.block(backward, 1)

    def pair(self, joint: Joint) -> None:
        """Prints the forward and the backward function of a callee."""
        function = joint.function
        assert joint.pair is not None
        name = self.pairs[joint.pair]
        printer = self.printer(joint)
        forward, split, backward = _cut(function.body)
        place = f"{function.name} ({os.path.basename(function.origin.path)}:{function.origin.line})"
        saved = _live_in(backward)
        own = tuple(p for p in function.parameters if p.name != SEED)
        self.define(
            printer, f"{name}_forward", own, f"Forward sweep of {place}.", function.origin
        )
        for statement in forward:
            printer.statement(statement, 1)
        kept = ast.Tuple([printer.syntax.name(n) for n in saved], LOAD)
        both = ast.Tuple([printer.syntax.atom(split.args[0]), kept], LOAD)
        origin = forward[-1].origin if forward else function.origin
        self.page.write(text(ast.Return(both)), 1, origin, Role.SAVE)
        parameters = (ir.Parameter("%packed:saved:1"), ir.Parameter(SEED))
        title = f"Backward sweep of {place}: adjoints of {', '.join(joint.wrt)}."
        self.define(printer, f"{name}_backward", parameters, title, function.origin)
        if saved:
            packed = printer.syntax.name("%packed:saved:1")
            target = ast.Tuple([printer.store(n) for n in saved], LOAD)
            unpack = text(ast.Assign([target], packed))
            self.page.write(unpack, 1, function.origin, Role.RESTORE)
        printer.heading, printer.headed = "backward", None
        printer.block(backward, 1)

    def define(
        self,
        printer: Printer,
        name: str,
        parameters: tuple[ir.Parameter, ...],
        docstring: str,
        origin: Span,
    ) -> None:
        """Prints the head of a function."""
        arguments = signature(parameters, printer.syntax)
        head = ast.FunctionDef(name, arguments, [ast.Pass()], [], None)
        if hasattr(head, "_fields") and "type_params" in head._fields:
            head.type_params = []
        self.page.write("\n", 0)
        self.page.write(text(head).rsplit("\n", 1)[0].lstrip("\n"), 0, origin, Role.PRIMAL)
        self.page.write(f'"""{docstring}"""', 1)

    def printer(self, joint: Joint) -> Printer:
        """A printer that knows the names of a function's variables."""
        fused = fuse.plan(joint.function)
        given = names.assign(joint.function, self.taken, fused)
        given["%packed:saved:1"] = _free("saved", set(given.values()) | self.taken)
        return Printer(self.page, given, fused, self.dotted, self.quote, joint.function.origin)

    def dotted(self, name: str) -> ast.expr:
        """The tree for a dotted name, as this file calls it."""
        if name.startswith("pair."):
            pair, _, direction = name.removeprefix("pair.").rpartition("_")
            return ast.Name(f"{self.pairs[pair]}_{direction}", LOAD)
        if name.startswith("?"):
            parsed = ast.parse(name[1:], mode="eval").body
            return parsed
        module, attributes = modules.split(name)
        tree: ast.expr
        parts = attributes.split(".") if attributes else []
        if module == "builtins" and attributes not in self.users:
            tree, parts = ast.Name(parts[0], LOAD), parts[1:]
        else:
            tree = ast.Name(self.aliases[module], LOAD)
        for part in parts:
            tree = ast.Attribute(tree, part, LOAD)
        return tree


def _users_names(function: ir.Function) -> Iterable[str]:
    """The names of a user's variables in a function."""
    for parameter in function.parameters:
        if not parameter.name.startswith("%"):
            yield parameter.name
    for statement in ir.walk(function.body):
        for name in (*ir.reads(statement), *ir.writes(statement)):
            if not name.startswith("%"):
                yield name


def _pair_names(joints: tuple[Joint, ...], users: frozenset[str]) -> dict[str, str]:
    """What pairs are called in the file: by their function, unless a variable has that name."""
    given: dict[str, str] = {}
    taken = set(users) | {joints[0].function.name}
    for joint in joints:
        if joint.pair is not None:
            name = joint.pair
            while {f"{name}_forward", f"{name}_backward"} & taken:
                name += "_"
            given[joint.pair] = name
            taken |= {f"{name}_forward", f"{name}_backward"}
    return given


def _free(wanted: str, taken: Iterable[str]) -> str:
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _cut(body: ir.Block) -> tuple[ir.Block, ir.Call, ir.Block]:
    """The forward sweep, the mark between the sweeps, and the backward sweep."""
    for position, statement in enumerate(body):
        match statement:
            case ir.Do(value=ir.Call(function=function) as call) if function == ir.SPLIT:
                return body[:position], call, body[position + 1 :]
    raise AssertionError("a joint has a split")


def _live_in(block: ir.Block) -> tuple[str, ...]:
    """The variables that a block reads before it binds them, in order of reading."""
    found: dict[str, None] = {}

    def visit(inner: ir.Block, bound: set[str]) -> set[str]:
        for statement in inner:
            for name in ir.reads(statement):
                if name not in bound:
                    found[name] = None
            match statement:
                case ir.If():
                    bound |= visit(statement.body, set(bound)) & visit(
                        statement.orelse, set(bound)
                    )
                case ir.For():
                    visit(statement.body, bound | {statement.target})
                case ir.While():
                    visit(statement.body, visit(statement.header, set(bound)))
                case ir.Store():
                    pass
                case _:
                    bound |= set(ir.writes(statement))
        return bound

    visit(block, {SEED})
    return tuple(found)
