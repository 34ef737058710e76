"""Functions decorated with `tf.custom_gradient`, read as the rules that they are.

    @tf.custom_gradient
    def f(x):                               @reverse(f)
        e = tf.exp(x)                       def f_reverse(x, *, out_bar):
        def grad(upstream):                     e = tf.exp(x)
            return upstream * e                 upstream = out_bar
        return tf.math.log(e), grad             return upstream * e

What the gradient reads of the function around it is computed again: its derivative is that of what
it is, as TensorFlow has it. Forward mode has no rule. What cannot be read so has none at all: a
gradient of variables, or one that is not defined in the function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adlsp.transform.frontend import walks

DECORATOR = "custom_gradient"
FUNCTION = "tensorflow.custom_gradient"
OUT_BAR = "out_bar"


def decorated(body: list[ast.stmt]) -> Iterator[tuple[ast.expr, ast.FunctionDef]]:
    """The functions of a module that may be of the kind, each with its decorator."""
    for node in body:
        match node:
            case ast.FunctionDef(decorator_list=[ast.Name() | ast.Attribute() as decorator]) if (
                DECORATOR in (getattr(decorator, "id", ""), getattr(decorator, "attr", ""))
            ):
                yield decorator, node


def as_rule(function: ast.FunctionDef) -> ast.FunctionDef | None:
    """The body of the rule that a function states; None where it cannot be read."""
    names = {node.id for node in walks.over(function) if isinstance(node, ast.Name)}
    names |= {node.arg for node in walks.over(function) if isinstance(node, ast.arg)}
    inner = [node for node in function.body if isinstance(node, ast.FunctionDef)]
    match function.body, inner:
        case [
            [*steps, ast.Return(value=ast.Tuple(elts=[_, ast.Name(id=returned)]))],
            [ast.FunctionDef(name=name, decorator_list=[], body=gradient) as only],
        ] if returned == name and OUT_BAR not in names:
            pass
        case _:
            return None
    if not (_is_plain(function.args) and _is_plain(only.args)) or only.args.defaults:
        return None
    upstream = [argument.arg for argument in only.args.args]
    target = _stored(upstream)
    if target is None or not isinstance(gradient[-1], ast.Return):
        return None
    made = [step for step in steps if step is not only]
    made.append(_assigned(target, only))
    given = function.args
    arguments = ast.arguments(
        given.posonlyargs,
        given.args,
        None,
        [ast.copy_location(ast.arg(OUT_BAR), only)],
        [None],
        None,
        given.defaults,
    )
    rule = ast.FunctionDef(function.name, arguments, [*made, *gradient], [], None)
    return ast.copy_location(rule, function)


def _is_plain(arguments: ast.arguments) -> bool:
    return not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs)


def _stored(names: list[str]) -> ast.expr | None:
    """The target that takes what arrives: one name, or one for each result."""
    stored: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    return stored[0] if len(stored) == 1 else ast.Tuple(stored, ast.Store()) if stored else None


def _assigned(target: ast.expr, place: ast.AST) -> ast.stmt:
    made = ast.Assign([target], ast.Name(OUT_BAR, ast.Load()))
    for node in walks.over(made):
        ast.copy_location(node, place)
    return made
