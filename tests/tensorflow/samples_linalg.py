"""Samples for the rules of TensorFlow: linalg."""

from __future__ import annotations

from sample import Sample, array, sample

SAMPLES: dict[str, list[Sample]] = {}
