"""What the variables of libraries hold: `numpy.pi`, `numpy.newaxis`."""

from __future__ import annotations

from types import MappingProxyType

from adlsp.transform.values.lattice import NONE, Number, Value

FLOATS = "e euler_gamma inf nan pi"

VALUES = MappingProxyType[str, Value](
    {
        **{f"numpy.{name}": Number("float") for name in FLOATS.split()},
        **{f"math.{name}": Number("float") for name in ["e", "inf", "nan", "pi", "tau"]},
        **{f"{home}.newaxis": NONE for home in ["numpy", "tensorflow"]},
    }
)


def value_of(dotted: str) -> Value | None:
    """The value of a variable of a library; None where it is no such."""
    return VALUES.get(dotted)
