"""Makes a program that fails as small as it can be while it still fails in the same way.

The idea: of the tree of its text, leave out statements, put blocks in the place of what holds them,
and expressions in the place of what they are part of, as long as a test says yes.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy

import oracle

CONSTANTS = ("0.5", "2", "x")


def shrink(text: str, fails: Callable[[str], bool], budget: int = 3000) -> str:
    """The smallest text found; `fails` tells whether a text still shows the failure."""
    text = ast.unparse(ast.parse(text))
    tried: set[str] = {text}
    written = {ast.unparse(loop) for loop in _loops(text)}
    is_smaller = True
    while is_smaller and budget > 0:
        is_smaller = False
        for candidate in _candidates(text):
            if candidate in tried or len(candidate) >= len(text):
                continue
            tried.add(candidate)
            if not all(ast.unparse(loop) in written or _ends(loop) for loop in _loops(candidate)):
                continue
            budget -= 1
            if fails(candidate):
                text, is_smaller = candidate, True
                break
            if budget <= 0:
                break
    return text


def _index(node: ast.expr) -> Sequence[ast.expr]:
    """What of an expression may only stand in square brackets."""
    return node.elts if isinstance(node, ast.Tuple) else (node,)


def _loops(text: str) -> list[ast.While]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.While)]


def _ends(loop: ast.While) -> bool:
    """Tells whether a loop counts its trips at its end; one that does not must stay as it was."""
    last = loop.body[-1]
    return (
        isinstance(last, ast.AugAssign)
        and isinstance(last.op, ast.Add)
        and ast.unparse(loop.test).startswith(f"{ast.unparse(last.target)} <")
        and ast.unparse(last.value) == "1"
    )


def _candidates(text: str) -> Iterator[str]:
    """Smaller texts, those with most left out first."""
    tree = ast.parse(text)
    n_nodes = sum(1 for _ in ast.walk(tree))
    for position in range(n_nodes):
        yield from _without(tree, position)
    for position in range(n_nodes):
        yield from _simpler(tree, position)


def _without(tree: ast.Module, position: int) -> Iterator[str]:
    """The text without a statement of a block, or with its own blocks in its place."""
    node = list(ast.walk(tree))[position]
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        for i in range(len(block) if isinstance(block, list) else 0):
            inner = [getattr(block[i], name, []) for name in ("body", "orelse")]
            for replacement in ([], *(b for b in inner if isinstance(b, list) and b)):
                copied = deepcopy(tree)
                its = getattr(list(ast.walk(copied))[position], field)
                its[i : i + 1] = deepcopy(replacement)
                if its or field == "orelse":
                    yield ast.unparse(copied)


def _simpler(tree: ast.Module, position: int) -> Iterator[str]:
    """The text with parts of expressions in the place of the whole."""
    node = list(ast.walk(tree))[position]
    for field, value in ast.iter_fields(node):
        for i, old in enumerate(value if isinstance(value, list) else [value]):
            is_bound = isinstance(getattr(old, "ctx", None), ast.Store | ast.Del)
            if not isinstance(old, ast.expr) or is_bound:
                continue
            inner = [n for n in ast.walk(old) if isinstance(n, ast.expr) and n is not old]
            parts = [n for n in inner if not any(isinstance(m, ast.Slice) for m in _index(n))]
            constants = [ast.parse(c, mode="eval").body for c in CONSTANTS]
            for part in (*parts, *constants):
                copied = deepcopy(tree)
                its = list(ast.walk(copied))[position]
                if isinstance(value, list):
                    getattr(its, field)[i] = deepcopy(part)
                else:
                    setattr(its, field, deepcopy(part))
                yield ast.unparse(ast.fix_missing_locations(copied))


def smallest(
    text: str, failure: Callable[[str, int], oracle.WrongError | None]
) -> tuple[str, oracle.WrongError] | None:
    """The smallest text that fails as one does, and how; None for one that does not fail.

    `failure` tells how a text fails, if it does; it is given another number for each.
    """
    error = failure(text, 0)
    if error is None:
        return None
    numbers = iter(range(1, 1000))

    def is_same(text: str) -> bool:
        try:
            found = failure(text, next(numbers))
        except Exception:  # the smaller text is no program
            return False
        return found is not None and found.kind == error.kind

    small = shrink(text, is_same, budget=200)
    return small, failure(small, 1000) or error
