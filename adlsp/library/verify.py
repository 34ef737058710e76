"""Checks one gradient against finite differences; runs the user's program, in its own process.

Exit status: 0 the gradient is right, 1 it is wrong or there is none, 2 the program or the example
does not run.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from adlsp.library import api
from adlsp.library.refusal import DifferentiationError

RIGHT, WRONG, FAILED = 0, 1, 2


def main(question: str) -> int:
    """Answers `adlsp verify`, which asks in JSON."""
    asked = json.loads(question)
    sys.path[:0] = [folder for folder in asked["folders"] if folder not in sys.path]
    try:
        function = load(asked["module"], asked["path"], asked["function"])
    except Exception:
        traceback.print_exc()
        return FAILED
    try:
        args = example(asked["example"], function)
    except Exception as error:
        print(f"adlsp: the example does not fit: {type(error).__name__}: {error}", file=sys.stderr)
        return FAILED
    try:
        api.check_grads(function, args, wrt=asked["wrt"])
    except (AssertionError, DifferentiationError) as error:
        print(error)
        return WRONG
    except Exception:
        traceback.print_exc()
        return FAILED
    print(f"the gradient of `{asked['function']}` agrees with finite differences")
    return RIGHT


def load(module: str, path: str, name: str) -> Callable[..., Any]:
    """Imports a file under the name by which programs import it, and gives a function of it."""
    spec = importlib.util.spec_from_file_location(module, path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[module] = made
    spec.loader.exec_module(made)
    function: Callable[..., Any] = getattr(made, name)
    return function


def example(text: str, function: Callable[..., Any]) -> list[Any]:
    """The arguments that a text such as `x=np.ones(3), n=2` stands for, all by position."""
    space: Mapping[str, Any] = {"np": np, "numpy": np, **vars(sys.modules[function.__module__])}
    given = eval(f"dict({text})", dict(space))
    bound = inspect.signature(function).bind(**given)
    bound.apply_defaults()
    return list(bound.args)
