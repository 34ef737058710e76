"""The functions that take a function to differentiate: ours, and those of the packages like us.

Each is known by its package and its name; files that use none of the names need not be read.
"""

from __future__ import annotations

from typing import TypeAlias

from adlsp.transform.artifact import Kind

Operator: TypeAlias = tuple[str, str]
"""The package and the name of a function that takes a function to differentiate."""

OWN = (
    "grad",
    "value_and_grad",
    "vjp",
    "jvp",
    "hvp",
    "jacobian",
    "hessian",
    "derive",
    "check_grads",
)

TAKES_FUNCTION = {
    "adlsp": OWN,
    "tangent": (*OWN, "autodiff"),
    "autograd": (
        *OWN,
        "elementwise_grad",
        "multigrad_dict",
        "make_vjp",
        "make_jvp",
        "grad_and_aux",
    ),
    "jax": (*OWN, "jacfwd", "jacrev", "linearize"),
}
"""The functions of each package that take a function to differentiate."""

TORCH = ("grad", "grad_and_value", "vjp", "jvp", "jacrev", "jacfwd", "hessian")
"""Those of `torch.func`, for whose programs there are no rules."""

MARK = "differentiable"

NAMES = tuple(dict.fromkeys((*(n for each in TAKES_FUNCTION.values() for n in each), *TORCH, MARK)))
"""The words one of which every file with roots has."""

LIBRARIES = ("numpy", "tensorflow", "math", "builtins")
"""Those whose functions have rules or nothing: a program does not read their texts either."""

FUNCTION = ("f", "fun", "func", "function")
"""The names of the parameter that takes the function."""

DERIVATIVES = ("grad", "value_and_grad", "vjp", "jvp", "hvp")
"""Those that give a function which can be differentiated again."""

HIGHEST = 4
"""The highest order that is followed."""

SELECTS = {"adlsp": "wrt", "tangent": "wrt", "autograd": "argnum", "jax": "argnums"}
"""The keyword by which each package is told the parameters of interest."""

KINDS: dict[str, tuple[Kind, ...]] = {
    "value_and_grad": ("value_and_grad",),
    "vjp": ("vjp",),
    "jvp": ("jvp",),
    "jacobian": ("vjp",),
    "check_grads": ("vjp",),
    "hvp": ("grad", "jvp"),
    "hessian": ("grad", "vjp"),
    "elementwise_grad": ("vjp",),
    "make_vjp": ("vjp",),
    "make_jvp": ("jvp",),
    "jacfwd": ("jvp",),
    "jacrev": ("vjp",),
    "linearize": ("jvp",),
}
"""The kinds of request that a function makes, each of the derivative before; else a gradient."""


FOLLOWED = ("grad", "value_and_grad", "vjp", "jvp", "hvp")
"""Ours that give a function whose calls are followed in what is differentiated."""


def is_own(dotted: str) -> bool:
    """Tells whether a name is that of an operator whose derivatives are followed where called."""
    operator = known(dotted) if dotted.startswith("adlsp.") else None
    return operator is not None and operator[0] == "adlsp" and operator[1] in FOLLOWED


def known(dotted: str) -> Operator | None:
    """The operator of a dotted name."""
    package, _, name = dotted.rpartition(".")
    package = "adlsp" if package == "adlsp.library.api" else package
    is_torch = package in ("torch.func", "functorch") and name in TORCH
    is_known = name in TAKES_FUNCTION.get(package, ()) or is_torch or dotted == f"adlsp.{MARK}"
    return (package, name) if is_known else None
