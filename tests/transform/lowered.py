"""Functions in the intermediate form from a text, for tests of analyses."""

from __future__ import annotations

import textwrap

from adlsp.transform import ir, pipeline
from adlsp.transform.frontend.resolve import StaticResolver
from adlsp.transform.ir.variables import Generated
from adlsp.transform.program import Program
from adlsp.transform.rules import users
from adlsp.transform.source import Source


def lowered(text: str) -> tuple[ir.Function, Program]:
    """The function `f` of a module that has NumPy as `np`, and its program."""
    source = Source("case.py", "case", "import numpy as np\n" + textwrap.dedent(text))
    resolver = StaticResolver({"case": source}.get)
    program = Program(resolver, users.built_in(), pipeline.CANONICAL)
    function = program.function("case.f")
    assert function is not None
    return function, program


def names(function: ir.Function) -> list[str]:
    """The user's variables in order of appearance."""
    found = dict.fromkeys(p.name for p in function.parameters)
    for statement in ir.walk(function.body):
        found.update(dict.fromkeys((*ir.reads(statement), *ir.writes(statement))))
    return [name for name in found if not isinstance(name, Generated)]
