"""Samples for the rules of TensorFlow: elementwise."""

from __future__ import annotations

import numpy as np
from sample import Sample, array, each, pairs, sample

POSITIVE = (0.3, 2.0)


def at(*numbers: float) -> Sample:
    """One argument at points where something changes."""
    return sample("{f}(x)", x=np.array(numbers))


def both(x: list[float], y: list[float], is_twice: bool = True) -> Sample:
    """Two arguments at points where something changes."""
    return sample("{f}(x, y)", is_twice=is_twice, x=np.array(x), y=np.array(y))


SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.add": [*pairs(), sample("{f}(x, 2.5)", x=array(3))],
    "tensorflow.subtract": [*pairs(), sample("{f}(tf.constant(1.5, x.dtype), x)", x=array(3))],
    "tensorflow.multiply": [*pairs(), sample("{f}(x, 1.5)", x=array(3))],
    "tensorflow.scalar_mul": [
        sample("{f}(s, x)", s=array(), x=array(2, 3)),
        sample("{f}(1.7, x)", x=array(2, 3)),
    ],
    "tensorflow.divide": [
        *pairs(second=POSITIVE),
        sample("{f}(tf.constant(1.5, x.dtype), x)", x=array(3, low=0.5)),
        sample("{f}(x, 1.7)", x=array(3)),
    ],
    "tensorflow.math.divide_no_nan": [
        *pairs(second=POSITIVE),
        both([1.0, 0.0, 2.0], [0.0, 0.0, 1.5]),
    ],
    "tensorflow.math.multiply_no_nan": [
        *pairs(),
        both([np.inf, 1.0, 2.0], [0.0, 0.0, 1.5], is_twice=False),
    ],
    "tensorflow.math.reciprocal": each(*POSITIVE),
    "tensorflow.negative": each(),
    "tensorflow.math.floormod": [
        *pairs((0.1, 0.9), (1.0, 1.9)),
        both([7.3, -7.3, 7.3, -7.3], [2.0, 2.0, -2.0, -2.0]),
    ],
    "tensorflow.square": each(),
    "tensorflow.math.squared_difference": pairs(),
    "tensorflow.sqrt": each(*POSITIVE),
    "tensorflow.math.rsqrt": each(*POSITIVE),
    "tensorflow.pow": [
        *pairs(POSITIVE),
        sample("{f}(x, 3.0)", x=array(3)),
        sample("{f}(x, 2)", x=array(2, 3)),
        sample("{f}(tf.constant(2.1, x.dtype), x)", x=array(3)),
        both([0.0, 0.0, -2.0, 3.0], [2.0, 3.0, 2.0, 0.0]),
    ],
    "tensorflow.exp": each(),
    "tensorflow.math.expm1": each(),
    "tensorflow.math.log": each(*POSITIVE),
    "tensorflow.math.log1p": each(*POSITIVE),
    "tensorflow.math.xlogy": [
        *pairs(second=POSITIVE),
        both([0.0, 0.0, 1.0], [0.0, 2.0, 3.0], is_twice=False),
        sample("{f}(x, 1.7)", x=array(3)),
    ],
    "tensorflow.math.xlog1py": [
        *pairs(second=POSITIVE),
        both([0.0, 0.0, 1.0], [-1.0, 2.0, 3.0], is_twice=False),
    ],
    "tensorflow.math.xdivy": [
        *pairs(second=POSITIVE),
        both([0.0, 0.0, 1.0], [0.0, 2.0, 3.0], is_twice=False),
    ],
    "tensorflow.sigmoid": each(),
    "tensorflow.math.log_sigmoid": each(),
    "tensorflow.math.softplus": [
        sample("{f}(x)", x=array(3)),
        sample("{f}(x)", x=array(2, 3)),
        at(-50.0, 50.0),
    ],
    "tensorflow.math.softsign": [
        sample("{f}(x)", is_twice=False, x=array(3)),
        sample("{f}(x)", is_twice=False, x=array(2, 3)),
    ],
    "tensorflow.sin": each(),
    "tensorflow.cos": each(),
    "tensorflow.tan": each(-1.2, 1.2),
    "tensorflow.asin": each(-0.9, 0.9),
    "tensorflow.acos": each(-0.9, 0.9),
    "tensorflow.atan": each(),
    "tensorflow.atan2": pairs(),
    "tensorflow.sinh": each(),
    "tensorflow.cosh": each(),
    "tensorflow.tanh": each(),
    "tensorflow.asinh": each(),
    "tensorflow.acosh": each(1.2, 3.0),
    "tensorflow.atanh": each(-0.9, 0.9),
    "tensorflow.math.erf": each(),
    "tensorflow.math.erfc": each(),
    "tensorflow.math.erfinv": each(-0.9, 0.9),
    "tensorflow.math.erfcinv": each(0.2, 1.8),
    "tensorflow.math.ndtri": each(0.1, 0.9),
    "tensorflow.math.lgamma": each(*POSITIVE),
    "tensorflow.math.digamma": each(*POSITIVE),
    "tensorflow.math.polygamma": [
        sample("{f}(tf.ones_like(x), x)", x=array(2, 3, low=0.5)),
        sample("{f}(tf.constant([1, 2, 3], x.dtype), x)", x=array(2, 3, low=0.5)),
        sample("{f}(tf.constant(2.0, x.dtype), x)", x=array(3, low=0.5)),
    ],
    "tensorflow.math.zeta": [
        sample("{f}(tf.constant([2, 3, 4], x.dtype), x)", x=array(2, 3, low=0.5)),
        sample("{f}(tf.constant(2.5, x.dtype), x)", x=array(3, low=0.5)),
    ],
    "tensorflow.math.igamma": [
        sample("{f}(tf.constant([1, 2, 3], x.dtype), x)", x=array(2, 3, low=0.5)),
        sample("{f}(tf.constant(2.3, x.dtype), x)", x=array(3, low=0.5)),
    ],
    "tensorflow.math.igammac": [
        sample("{f}(tf.constant([1, 2, 3], x.dtype), x)", x=array(2, 3, low=0.5)),
        sample("{f}(tf.constant(2.3, x.dtype), x)", x=array(3, low=0.5)),
    ],
    "tensorflow.math.betainc": [
        sample(
            "{f}(tf.constant([1, 2, 3], x.dtype), tf.ones_like(x) * 2.3, x)",
            x=array(3, low=0.1, high=0.9),
        ),
    ],
    "tensorflow.math.bessel_i0": each(),
    "tensorflow.math.bessel_i0e": [*each(), at(0.0, 1.0)],
    "tensorflow.math.bessel_i1": each(),
    "tensorflow.math.bessel_i1e": [*each(), sample("{f}(x)", is_twice=False, x=np.zeros(2))],
    "tensorflow.math.special.bessel_j0": [*each(), at(0.0, 1.0)],
    "tensorflow.math.special.bessel_j1": [*each(), sample("{f}(x)", is_twice=False, x=np.zeros(2))],
    "tensorflow.math.special.bessel_y0": each(*POSITIVE),
    "tensorflow.math.special.bessel_y1": each(*POSITIVE),
    "tensorflow.math.special.bessel_k0": each(*POSITIVE),
    "tensorflow.math.special.bessel_k0e": each(*POSITIVE),
    "tensorflow.math.special.bessel_k1": each(*POSITIVE),
    "tensorflow.math.special.bessel_k1e": each(*POSITIVE),
    "tensorflow.math.special.dawsn": each(),
    "tensorflow.math.special.expint": each(*POSITIVE),
    "tensorflow.math.special.fresnel_cos": each(),
    "tensorflow.math.special.fresnel_sin": each(),
    "tensorflow.math.special.spence": [
        *each(*POSITIVE),
        sample("{f}(x)", is_twice=False, x=np.ones(2)),
    ],
    "tensorflow.maximum": [
        *pairs(),
        both([1.0, 2.0, 1.0], [1.0, 1.0, 2.0]),
        sample("{f}(x, 0.3)", x=array(2, 3)),
        sample("{f}(tf.constant(0.3, x.dtype), x)", x=array(2, 3)),
    ],
    "tensorflow.minimum": [
        *pairs(),
        both([1.0, 2.0, 1.0], [1.0, 1.0, 2.0]),
        sample("{f}(x, 0.3)", x=array(2, 3)),
        sample("{f}(tf.constant(0.3, x.dtype), x)", x=array(2, 3)),
    ],
    "tensorflow.clip_by_value": [
        sample("{f}(x, -0.5, 0.5)", x=array(2, 3)),
        sample("{f}(x, -0.5, 0.5)", x=np.array([-0.5, 0.5, 0.0, 1.0])),
        sample("{f}(x, a, b)", x=array(2, 3), a=array(3, low=-1, high=0), b=array(low=0.2)),
    ],
    "tensorflow.where": [
        sample("{f}(x > 0, x, y)", x=array(2, 3), y=array(3)),
        sample("{f}(c, x, y)", c=np.array([[True], [False]]), x=array(3), y=array()),
        sample("{f}(c, x, 0.5)", c=np.array([True, False]), x=array(2)),
        sample("{f}(c, tf.zeros_like(x), x)", c=np.array([True, False]), x=array(2)),
    ],
    "tensorflow.cast": [
        sample("{f}(x, tf.float64)", x=array(2, 3)),
        sample("{f}(x, 'float64')", x=array(3)),
        sample("{f}(x, x.dtype)", x=array(3)),
        sample("x * {f}({f}(3 * x, tf.int32), x.dtype)", x=array(3)),
        sample("x * {f}(n, x.dtype)", x=array(3), n=np.array([1, 2, 3])),
        sample("tf.abs({f}(x, tf.complex128) + 1j)", x=array(3, seed=2)),
        sample("tf.math.imag({f}(x, tf.complex128) ** 3 * 1j)", x=array(3)),
    ],
    "tensorflow.add_n": [
        sample("{f}([x, y, x])", x=array(2, 3), y=array(2, 3, seed=1)),
        sample("{f}([x])", x=array()),
    ],
    "tensorflow.math.accumulate_n": [
        sample("{f}([x, y, x])", x=array(2, 3), y=array(2, 3, seed=1)),
    ],
    "tensorflow.identity": each(),
    "tensorflow.convert_to_tensor": [
        *each(),
        sample("{f}([x, y])", x=array(), y=array(seed=1)),
        sample("{f}([x, 2 * x])", x=array(3)),
        sample("{f}([[x, y], [y, 1.0]])", x=array(), y=array(seed=1)),
    ],
    "tensorflow.constant": [
        sample("x * {f}(1.5, x.dtype)", x=array(3)),
    ],
    "tensorflow.fill": [
        sample("{f}([2, 3], x)", x=array()),
        sample("{f}([], x)", x=array()),
    ],
    "tensorflow.linspace": [
        sample("{f}(x, y, 5)", x=array(), y=array(seed=1)),
        sample("{f}(x, y, 1)", x=array(), y=array(seed=1)),
        sample("{f}(x, y, 4, axis=1)", x=array(3), y=array(3, seed=1)),
        sample("{f}(x, y, 4, axis=-1)", x=array(3), y=array(3, seed=1)),
    ],
}
