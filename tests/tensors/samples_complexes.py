"""Samples for the rules of TensorFlow: complexes.

Arguments and results are real, and complex inside: TensorFlow's tape pairs complex numbers with a
conjugate, and agrees where there are none at the ends.
"""

from __future__ import annotations

import numpy as np
from sample import Sample, array, sample

SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.complex": [
        sample("tf.math.real({f}(x, y) * {f}(y, x))", x=array(2, 3), y=array(3)),
        sample("tf.math.imag({f}(x, y) ** 3)", x=array(3), y=array(3, seed=1)),
        sample("tf.abs({f}(x, tf.zeros_like(x)))", x=array(3)),
        sample("tf.abs({f}(x, y))", x=array(), y=array(seed=1)),
    ],
    "tensorflow.math.real": [
        sample("{f}(x)", x=array(3)),
        sample("{f}(tf.complex(x, y) * tf.complex(y, x))", x=array(2, 3), y=array(2, 3, seed=1)),
        sample("{f}(tf.exp(tf.complex(x, y)))", x=array(3), y=array(3, seed=1)),
    ],
    "tensorflow.math.imag": [
        sample("{f}(x) + x", x=array(3)),
        sample("{f}(tf.complex(x, y) * tf.complex(y, x) ** 2)", x=array(3), y=array(3, seed=1)),
        sample("{f}(tf.exp(tf.complex(x, y)))", x=array(2, 3), y=array(2, 3, seed=1)),
    ],
    "tensorflow.math.conj": [
        sample("{f}(x)", x=array(3)),
        sample("tf.math.imag({f}(tf.complex(x, y)) ** 3)", x=array(2, 3), y=array(2, 3, seed=1)),
    ],
    "tensorflow.math.angle": [
        sample("{f}(x) + x", x=array(3)),
        sample("{f}(tf.complex(x, y))", x=array(2, 3), y=array(2, 3, seed=1)),
        sample("{f}(tf.exp(tf.complex(x, y)) * tf.complex(y, x))", x=array(3), y=array(3, seed=1)),
    ],
    "tensorflow.abs": [
        sample("{f}(x)", x=array(3)),
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x)", x=array(0)),
        sample("{f}(x)", x=array()),
        sample("{f}(x)", x=np.array([0.0, -1.0])),
        sample("{f}(tf.complex(x, y))", x=array(2, 3), y=array(2, 3, seed=1)),
        sample("{f}(tf.sin(tf.complex(x, y))) ** 2", x=array(3), y=array(3, seed=1)),
    ],
}
