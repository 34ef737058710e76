"""A kernel in both libraries, and the arguments at which its two texts are compared."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf
from kernels.kernel import Kernel

Function = Callable[..., Any]


@dataclass(frozen=True)
class Twin:
    """A function as one writes it for NumPy, and the same as one writes it for TensorFlow.

    `is_eager` tells that Python asks for values of tensors, so that it cannot be traced. Where
    TensorFlow stops gradients inside a function, as in the variance of `tf.nn.moments`, a tape in a
    tape is wrong, and `is_taped_twice` is false.
    """

    arrays: Function
    tensors: Function
    args: dict[str, Any]
    wrt: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    is_eager: bool = False
    is_taped_twice: bool = True

    def __str__(self) -> str:
        return self.tensors.__name__

    def tensor_args(self) -> dict[str, Any]:
        """The arguments with tensors for arrays, and for numbers with derivatives."""

        def constant(value: Any) -> Any:
            return tf.constant(value) if isinstance(value, np.ndarray) else value

        def active(value: Any) -> Any:
            return tf.constant(value, tf.float64)

        return {
            name: tf.nest.map_structure(active if name in self.wrt else constant, value)
            for name, value in self.args.items()
        }


def twins_of(kernels: tuple[Kernel, ...], *functions: Function, **options: bool) -> Iterator[Twin]:
    """The kernels for NumPy of the same names as some functions of tensors, with these."""
    named = {function.__name__: function for function in functions}
    for kernel in kernels:
        if str(kernel) in named:
            function = named[str(kernel)]
            yield Twin(
                kernel.function, function, kernel.args, kernel.wrt, kernel.outputs, **options
            )
