"""Samples for the rules of TensorFlow: reductions."""

from __future__ import annotations

import numpy as np
from sample import Sample, array, sample

CALLS = (
    ("{f}(x)", (2, 3)),
    ("{f}(x)", (4,)),
    ("{f}(x, 0)", (2, 3)),
    ("{f}(x, axis=-1)", (2, 3, 2)),
    ("{f}(x, [0, -1])", (2, 3, 2)),
    ("{f}(x, axis=(1, 2), keepdims=True)", (2, 3, 2)),
    ("{f}(x, keepdims=True)", (2, 3)),
    ("{f}(x, 1, True)", (2, 3)),
)
"""Reductions over all kinds of axes."""

OF_NOTHING = (("{f}(x)", ()), ("{f}(x, 1)", (0, 3)), ("{f}(x, [])", (2,)))
"""Reductions of a scalar, of no elements to none, and over no axes."""


def reduced(*further: Sample, low: float = -2.0, is_for_nothing: bool = True) -> list[Sample]:
    """The calls of a reduction, and further samples."""
    calls = (*CALLS, *OF_NOTHING) if is_for_nothing else CALLS
    return [*(sample(text, x=array(*shape, low=low)) for text, shape in calls), *further]


def along(*further: Sample, low: float = -2.0) -> list[Sample]:
    """The calls of a function that runs along an axis, and further samples."""
    return [
        sample("{f}(x)", x=array(5, low=low)),
        sample("{f}(x, 1)", x=array(2, 3, low=low)),
        sample("{f}(x, axis=-2, reverse=True)", x=array(2, 3, 2, low=low)),
        sample("{f}(x)", x=array(0, low=low)),
        *further,
    ]


TIES = np.array([[1.0, 3.0, 3.0], [-1.0, -1.0, -1.0], [2.0, 0.5, 2.0]])
WITH_ZEROS = np.array([[1.5, 0.0, 2.0], [0.0, 0.5, 0.0], [2.0, 0.5, 3.0]])
IDS = np.array([0, 0, 1, 3])
LOOSE = np.array([2, -1, 0, 2])


def segments(*further: Sample) -> list[Sample]:
    """Calls for segments in order."""
    return [
        sample("{f}(x, ids)", x=array(4), ids=IDS),
        sample("{f}(x, ids)", x=array(4, 2), ids=IDS),
        *further,
    ]


def loose(*further: Sample) -> list[Sample]:
    """Calls for segments in any order, of which some may be missing."""
    return [
        sample("{f}(x, ids, 4)", x=array(4), ids=LOOSE),
        sample("{f}(x, ids, num_segments=3)", x=array(4, 2), ids=LOOSE),
        sample("{f}(x, ids, 3)", x=array(2, 2, 2), ids=np.array([[0, 2], [2, 0]])),
        *further,
    ]


SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.reduce_sum": reduced(sample("{f}(x, 0)", x=array(0, 3))),
    "tensorflow.reduce_mean": reduced(),
    "tensorflow.math.reduce_variance": reduced(),
    "tensorflow.math.reduce_std": reduced(is_for_nothing=False),
    "tensorflow.reduce_prod": reduced(
        sample("{f}(x, 0)", x=array(0, 3)),
        sample("{f}(x, 1)", is_twice=False, x=WITH_ZEROS),  # TensorFlow's is wrong there
        sample("{f}(x, [1, 0])", is_twice=False, x=WITH_ZEROS),
    ),
    "tensorflow.reduce_max": reduced(
        sample("{f}(x)", x=TIES), sample("{f}(x, 1)", x=TIES), sample("{f}(x, 0, True)", x=TIES)
    ),
    "tensorflow.reduce_logsumexp": reduced(sample("{f}(x, 1)", x=300 * TIES)),
    "tensorflow.math.lbeta": [
        sample("{f}(x)", x=array(3, low=0.5)),
        sample("{f}(x)", x=array(2, 3, low=0.5)),
    ],
    "tensorflow.math.reduce_euclidean_norm": reduced(is_for_nothing=False),
    "tensorflow.norm": [
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x)", x=array()),
        sample("{f}(x, axis=1)", x=array(2, 3)),
        sample("{f}(x, 'fro', axis=[0, 1], keepdims=True)", x=array(2, 3, 2)),
        sample("{f}(x, 'euclidean', -1, True)", x=array(2, 3)),
        sample("{f}(x, 2)", x=array(2, 3)),
        sample("{f}(x, ord=2, axis=0)", x=array(2, 3)),
        sample("{f}(x, 1)", x=array(2, 3)),
        sample("{f}(x, 1, -1, keepdims=True)", x=array(2, 3)),
        sample("{f}(x, np.inf)", x=array(2, 3)),
        sample("{f}(x, np.inf, axis=1)", x=TIES),
        sample("{f}(x, ord=np.inf, axis=0, keepdims=True)", x=TIES),
    ],
    "tensorflow.math.l2_normalize": [
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x, 1)", x=array(2, 3)),
        sample("{f}(x, axis=[0, -1])", x=array(2, 3, 2)),
        sample("{f}(x, 1, 4.0)", x=array(3, 3)),
        sample("{f}(x, 1)", x=np.zeros((2, 3))),
        sample("{f}(x)", x=array()),
    ],
    "tensorflow.clip_by_norm": [
        sample("{f}(x, 1.7)", x=array(2, 3)),
        sample("{f}(x, 20.0)", x=array(2, 3)),
        sample("{f}(x, 1.7, 1)", x=array(4, 3)),
        sample("{f}(x, 1.7, axes=[0, 2])", x=array(2, 3, 2)),
        sample("{f}(x, 2.0)", x=np.zeros(3)),
        sample("{f}(x, -1.0)", x=array(3)),
    ],
    "tensorflow.cumsum": along(
        sample("{f}(x, 1, True)", x=array(2, 3)),
        sample("{f}(x, 0, exclusive=True, reverse=True)", x=array(2, 3)),
    ),
    "tensorflow.math.cumprod": along(
        sample("{f}(x, 1, True)", x=array(2, 3, low=0.5)),
        sample("{f}(x, exclusive=True, reverse=True)", x=array(5, 2, low=0.5)),
        low=0.5,
    ),
    "tensorflow.math.cumulative_logsumexp": along(
        sample("{f}(x, 1, exclusive=True)", x=array(2, 3), is_twice=False),
        sample("{f}(x, exclusive=True, reverse=True)", x=array(3), is_twice=False),
        sample("{f}(x, 1)", x=100 * array(2, 3)),
    ),
    "tensorflow.math.segment_sum": segments(),
    "tensorflow.math.segment_mean": segments(),
    "tensorflow.math.segment_max": segments(
        sample("{f}(x, ids)", x=np.array([1.0, 1.0, 2.0, 3.0]), ids=IDS)
    ),
    "tensorflow.math.segment_prod": segments(
        sample("{f}(x, ids)", is_twice=False, x=np.array([0.0, 1.5, 0.0, 0.0]), ids=IDS)
    ),
    "tensorflow.math.unsorted_segment_prod": loose(
        sample("{f}(x, ids, 3)", is_twice=False, x=np.array([0.0, 1.5, 0.0, 2.0]), ids=LOOSE)
    ),
    "tensorflow.math.unsorted_segment_sum": loose(),
    "tensorflow.math.unsorted_segment_mean": loose(),
    "tensorflow.math.unsorted_segment_sqrt_n": loose(),
    "tensorflow.math.unsorted_segment_max": loose(
        sample("{f}(x, ids, 3)", x=np.array([1.0, 1.0, 2.0, 1.0]), ids=LOOSE)
    ),
}
