"""Samples for the rules of TensorFlow: elementwise."""

from __future__ import annotations

from sample import Sample, array, each, pairs, sample

SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.add": pairs(),
    "tensorflow.tanh": each(),
    "tensorflow.sin": each(),
    "tensorflow.cos": each(),
    "tensorflow.square": each(),
}
