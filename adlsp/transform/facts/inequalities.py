"""Systems of linear inequalities over integers: whether one surely has no solution.

A form is a sum of variables, each with a factor, and a constant, which stands at `None`; a system
is forms that are at least zero. Variables are eliminated one after the other, each lower bound with
each upper one (Fourier-Motzkin elimination), where a bound is rounded to what an integer can reach.
What has a solution in fractions only may be taken for one that has one in integers.

Source: Pugh, The Omega test: a fast and practical integer programming algorithm for dependence
analysis (Supercomputing 1991).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from math import gcd
from typing import TypeAlias

Form: TypeAlias = Mapping[Hashable, int]
Inequality: TypeAlias = tuple[frozenset[tuple[Hashable, int]], int]

MOST = 200
"""How many inequalities a system may come to: one that comes to more may have a solution."""


def constant(value: int) -> Form:
    """A number."""
    return {None: value}


def times(form: Form, factor: int) -> Form:
    """A form, so many times."""
    return {variable: factor * value for variable, value in form.items()}


def plus(*forms: Form) -> Form:
    """The sum of forms."""
    total: dict[Hashable, int] = {}
    for form in forms:
        for variable, value in form.items():
            total[variable] = total.get(variable, 0) + value
    return total


def minus(one: Form, other: Form) -> Form:
    """The difference of two forms."""
    return plus(one, times(other, -1))


def is_impossible(system: Iterable[Form]) -> bool:
    """Tells whether no integers make all forms of a system at least zero."""
    pending = {_tightened(form) for form in system}
    while True:
        if any(not _factors(form) and _rest(form) < 0 for form in pending):
            return True
        pending = {form for form in pending if _factors(form)}
        counts = Counter((v, f > 0) for form in pending for v, f in _factors(form).items())
        if not counts or len(pending) > MOST:
            return False
        variables = sorted({v for v, _ in counts}, key=repr)
        cheapest = min(variables, key=lambda v: counts[v, True] * counts[v, False])
        pending = _without(pending, cheapest)


def _tightened(form: Form) -> Inequality:
    """An inequality, divided by what all factors have in common."""
    factors = {v: f for v, f in form.items() if v is not None and f}
    common = gcd(*factors.values()) or 1
    divided = frozenset((v, f // common) for v, f in factors.items())
    return divided, form.get(None, 0) // common


def _factors(inequality: Inequality) -> dict[Hashable, int]:
    return dict(inequality[0])


def _rest(inequality: Inequality) -> int:
    return inequality[1]


def _without(system: set[Inequality], variable: Hashable) -> set[Inequality]:
    """A system without a variable: each lower bound of it is no more than each upper one."""
    made, lower, upper = set[Inequality](), list[Form](), list[Form]()
    for inequality in system:
        factors = _factors(inequality)
        form = {**factors, None: _rest(inequality)}
        if variable not in factors:
            made.add(inequality)
        else:
            (lower if factors[variable] > 0 else upper).append(form)
    for one in lower:
        for other in upper:
            both = plus(times(one, -other[variable]), times(other, one[variable]))
            made.add(_tightened(both))
    return made
