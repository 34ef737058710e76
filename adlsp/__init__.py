"""adlsp: derivatives of Python functions as readable code, in a library, an editor and a debugger.

The names of the library load when they are first used: importing adlsp loads neither NumPy nor the
engine.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from adlsp.version import VERSION

if TYPE_CHECKING:
    from adlsp.library.api import (
        check_finite,
        check_grads,
        derive,
        differentiable,
        grad,
        hessian,
        hvp,
        insert_grad_of,
        jacobian,
        jvp,
        record_gradients,
        stop_gradient,
        value_and_grad,
        vjp,
    )
    from adlsp.library.refusal import DifferentiationError
    from adlsp.transform.artifact import Derivative

__version__ = VERSION

__all__ = [
    "Derivative",
    "DifferentiationError",
    "__version__",
    "check_finite",
    "check_grads",
    "derive",
    "differentiable",
    "grad",
    "hessian",
    "hvp",
    "insert_grad_of",
    "jacobian",
    "jvp",
    "record_gradients",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'adlsp' has no attribute {name!r}")
    was_on = gc.isenabled()
    gc.disable()  # what modules make as they load is no garbage
    try:
        from adlsp.library import api, refusal
        from adlsp.transform import artifact
    finally:
        if was_on:
            gc.enable()

    homes = {"DifferentiationError": refusal, "Derivative": artifact}
    value: object = getattr(homes.get(name, api), name)
    return value


def load_ipython_extension(shell: object) -> None:
    """What `%load_ext adlsp` calls: brings `%derivative` and `%%check`."""
    from adlsp.notebook import magics

    magics.load(shell)


def unload_ipython_extension(shell: object) -> None:
    """What `%unload_ext adlsp` calls."""
    from adlsp.notebook import magics

    magics.unload(shell)


def __dir__() -> list[str]:
    return sorted(__all__)
