"""What the debugger shows of TensorFlow's tensors: shape, dtype, norm and device.

The text of this file is sent into the program that is debugged, as that of `inside.py` is, and
stands alone as well. What is shown must neither cost much nor change anything: a tensor is read on
its own device, by TensorFlow, outside of graphs and tapes, and of a large one no more than parts
are copied; sums of gradients that are not made yet are made of a copy. A very large tensor is not
read at all, but for someone who points at it.
"""

from __future__ import annotations

import math
import reprlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from types import ModuleType
from typing import Any

Value = Any

SMALL = 1 << 20
"""A tensor of so many elements may be copied."""

LARGE = 1 << 24
"""A tensor of more elements is only read for someone who points at it."""

FEW = 12
"""So many elements are shown beside the norm."""

MOST_ROWS = 100
MOST_ITEMS = 20
"""How many rows a tensor is unfolded to, and how many items of a list are looked at."""

CONTAINERS = (list, tuple, dict)
BRACKETS = {"dict": ("{", "}"), "list": ("[", "]"), "tuple": ("(", ")")}

POINTED = ("hover", "watch")
WHOLE = ("repl", "clipboard")
"""Where somebody asks for one value, and where for all of it."""

OF_GRADIENTS = "adlsp.runtime.tensors.gradients"


def show_tensors() -> None:
    """Has the debugger show tensors in our way, by the extensions that it knows."""
    try:
        kinds = sys.modules["_pydevd_bundle.pydevd_extension_api"]
        known = sys.modules["_pydevd_bundle.pydevd_extension_utils"].extensions_of_type
        known(kinds.StrPresentationProvider).insert(0, Presentation())
        known(kinds.TypeResolveProvider).insert(0, Parts())
    except (KeyError, AttributeError):
        return


class Presentation:
    """A tensor in one line, and lists, tuples and dictionaries of tensors."""

    def can_provide(self, type_object: type, type_name: str) -> bool:  # noqa: ARG002
        """Tells whether values of a type may be shown here."""
        return type_object in CONTAINERS or is_tensor_type(type_object)

    def get_str(self, value: Value) -> str | None:
        """Gives the line of a value; None leaves it to the debugger."""
        return self.get_str_in_context(value, "")

    def get_str_in_context(self, value: Value, context: str) -> str | None:
        """Gives the line of a value for someone who points at it, or asks for all of it."""
        if context in WHOLE:
            return None
        if is_tensor_type(type(value)):
            return line(value, math.inf if context in POINTED else LARGE)
        return brief(value) if has_tensors(value) else None


class Parts:
    """What a tensor is unfolded to."""

    def can_provide(self, type_object: type, type_name: str) -> bool:  # noqa: ARG002
        """Tells whether values of a type are unfolded here."""
        return is_tensor_type(type_object)

    def resolve(self, value: Value, attribute: str) -> Value:
        """Gives a part by its name."""
        return self.get_dictionary(value).get(attribute)

    def get_dictionary(self, value: Value) -> dict[str, Value]:
        """Gives all parts by name."""
        return {name: part for name, part, _ in self.get_contents_debug_adapter_protocol(value)}

    def get_contents_debug_adapter_protocol(
        self,
        value: Value,
        fmt: object = None,  # noqa: ARG002
    ) -> list[tuple[str, Value, str | None]]:
        """Gives all parts in order, the first rows last, with what leads to them."""
        found: list[tuple[str, Value, str | None]] = [("shape", shape_of(value), ".shape")]
        found.append(("dtype", dtype_of(value), None))
        with read(value, math.inf) as x:
            if x is None:
                return found
            found.append(("device", device_of(x), None))
            found += ((name, number, None) for name, number in statistics(x).items())
            if x.shape.rank and size_of(x) // max(len(x), 1) <= SMALL // MOST_ROWS:
                found += ((f"[{i}]", x[i], f"[{i}]") for i in range(min(len(x), MOST_ROWS)))
        return found


def line(value: Value, most: float) -> str:
    """Gives shape, norm, dtype and device of a value, and its elements if they are few."""
    told, elements = [str(shape_of(value))], ""
    with read(value, most) as x:
        found = norm(x) if x is not None and x.shape.rank else None
        if found is not None:
            told.append(f"norm {found:.5g}")
        device = device_of(value if x is None else x)
        told.append(dtype_of(value) + (f" on {device}" if device else ""))
        if x is not None and size_of(x) <= FEW:
            elements = f": {' '.join(str(x.numpy()).split())}"
    return ", ".join(told) + elements


def outline(value: Value) -> str:
    """Gives shape and dtype of a value."""
    return f"{shape_of(value)} {dtype_of(value)}"


def brief(value: Value, depth: int = 2) -> str:
    """Gives a list, tuple or dictionary with the outlines of the tensors in it."""
    if is_tensor_type(type(value)):
        return outline(value)
    if not has_tensors(value, depth):
        is_cut = type(value) in CONTAINERS and not depth
        return "…" if is_cut else reprlib.repr(value)
    if isinstance(value, dict):
        pairs = islice(value.items(), MOST_ITEMS)
        shown = [f"{reprlib.repr(key)}: {brief(each, depth - 1)}" for key, each in pairs]
    else:
        shown = [brief(each, depth - 1) for each in islice(value, MOST_ITEMS)]
    start, end = BRACKETS[type(value).__name__]
    return f"{start}{', '.join([*shown, '…'] if len(value) > MOST_ITEMS else shown)}{end}"


def has_tensors(value: Value, depth: int = 2) -> bool:
    """Tells whether there is a tensor among the first items of a list, tuple or dictionary."""
    if type(value) not in CONTAINERS or not depth:
        return is_tensor_type(type(value))
    items = value.values() if isinstance(value, dict) else value
    return any(has_tensors(each, depth - 1) for each in islice(items, MOST_ITEMS))


# what a tensor is


def is_tensor_type(kind: type) -> bool:
    """Tells whether a type is one of tensors, variables, or what we have for them."""
    tensorflow, ours = sys.modules.get("tensorflow"), sys.modules.get(OF_GRADIENTS)
    named = ((tensorflow, "Tensor"), (tensorflow, "Variable"), (ours, "Tensorlike"))
    kinds = (getattr(module, name, None) for module, name in named)
    return issubclass(kind, tuple(each for each in kinds if each is not None))


def is_ours(value: Value) -> bool:
    """Tells whether a value is a sum of gradients, or another of ours that makes a tensor."""
    ours = getattr(sys.modules.get(OF_GRADIENTS), "Tensorlike", None)
    return ours is not None and isinstance(value, ours)


def shape_of(value: Value) -> Value:
    """Gives a shape as a tuple, in which what is not known is None."""
    shape = value.shape
    rank = getattr(shape, "rank", 0)
    return tuple(shape) if rank is not None and not hasattr(shape, "dtype") else "unknown shape"


def dtype_of(value: Value) -> str:
    """Gives the name of a dtype."""
    return str(value.dtype.name)


def size_of(value: Value) -> float:
    """Gives the number of elements, which is infinite where it is not known."""
    shape = shape_of(value)
    return math.inf if isinstance(shape, str) or None in shape else math.prod(shape)


def device_of(value: Value) -> str | None:
    """Gives the device that has the elements, as `GPU:0`; None where there are none."""
    device = getattr(value, "backing_device", None) or getattr(value, "device", None)
    return device.rpartition("device:")[2] if device else None


# what it holds


@contextmanager
def read(value: Value, most: float) -> Iterator[Value]:
    """Gives the tensor that a value is, on its device, outside of graphs and tapes.

    None where it has no elements, more than `most`, or where they cannot be read.
    """
    tf = sys.modules["tensorflow"]
    if size_of(value) > (min(most, SMALL) if is_ours(value) else most):
        yield None
        return
    device = getattr(value, "backing_device", None) or getattr(value, "device", None)
    with tf.init_scope(), tf.device(device):
        yield tensor(value, tf)


def tensor(value: Value, tf: ModuleType) -> Value:
    """Gives the elements of a value; None where a graph is being made, or there are none yet."""
    try:
        x = value.apart().total() if is_ours(value) else value
        x = x.value() if isinstance(x, tf.Variable) else x
    except Exception:
        return None
    return None if tf.is_symbolic_tensor(x) or x.dtype in (tf.resource, tf.variant) else x


def statistics(x: Value) -> dict[str, float]:
    """Gives the norm of a tensor and its least and greatest elements, where it has such."""
    tf, found = sys.modules["tensorflow"], {}
    total = norm(x)
    if total is not None:
        found["norm"] = total
    if size_of(x) and (x.dtype.is_floating or x.dtype.is_integer):
        for name, extreme in (("min", tf.reduce_min), ("max", tf.reduce_max)):
            found[name] = extreme(x).numpy().item()
    return found


def norm(x: Value) -> float | None:
    """Gives the Euclidean norm of the elements of a tensor, if they are no integers.

    What is small is summed in double precision; the elements of others are only read.
    """
    tf = sys.modules["tensorflow"]
    if not (x.dtype.is_floating or x.dtype.is_complex):
        return None
    if size_of(x) <= SMALL:
        x = tf.cast(tf.abs(x), tf.float64)
    if x.dtype not in (tf.float32, tf.float64):
        return None
    return math.sqrt(2 * float(tf.nn.l2_loss(x)))
