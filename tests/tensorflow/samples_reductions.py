"""Samples for the rules of TensorFlow: reductions."""

from __future__ import annotations

from sample import Sample, array, sample

SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.reduce_sum": [
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x, 1)", x=array(2, 3)),
        sample("{f}(x, axis=[0, 2], keepdims=True)", x=array(2, 3, 2)),
    ],
}
