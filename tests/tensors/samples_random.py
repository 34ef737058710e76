"""Samples for the rules of TensorFlow: random.

Each sets the seed before it draws, so that each call draws the same numbers.
"""

from __future__ import annotations

import numpy as np
from sample import Sample, array, sample


def drawn(call: str, **at: np.ndarray) -> Sample:
    """A call that draws the same numbers each time."""
    return sample(f"(tf.random.set_seed(7), {call})[1]", **at)


M = array(3)
S = array(3, low=0.5, seed=1)

NORMAL = [
    sample("{f}([2, 3], [1, 2], m, s, m.dtype)", m=M, s=S),
    sample("{f}([3], seed=[1, 2], mean=m, dtype=m.dtype)", m=M),
    sample("{f}([3], [1, 2], stddev=s, dtype=s.dtype)", s=array(low=0.5)),
    sample("{f}([2], [1, 2], m, 2.0, m.dtype) * m", m=array()),
]

SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.random.stateless_normal": NORMAL,
    "tensorflow.random.stateless_uniform": [
        sample("{f}([2, 3], [1, 2], m, m + s, m.dtype)", m=M, s=S),
        sample("{f}([3], [1, 2], m, dtype=m.dtype)", m=array(3, low=-2.0, high=0.5)),
        sample("{f}([3], [1, 2], maxval=s, dtype=s.dtype)", s=array(low=0.5)),
    ],
    "tensorflow.random.normal": [
        drawn("{f}([2, 3], m, s, m.dtype, 3)", m=M, s=S),
        drawn("{f}([3], mean=m, dtype=m.dtype, seed=3)", m=M),
        drawn("{f}([3], stddev=s, dtype=s.dtype, seed=3)", s=array(low=0.5)),
    ],
    "tensorflow.random.uniform": [
        drawn("{f}([2, 3], m, m + s, m.dtype, 3)", m=M, s=S),
        drawn("{f}([3], m, dtype=m.dtype, seed=3)", m=array(3, low=-2.0, high=0.5)),
        drawn("{f}([3], maxval=s, dtype=s.dtype, seed=3)", s=array(low=0.5)),
    ],
}
