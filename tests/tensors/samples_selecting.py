"""Samples for the rules of TensorFlow: selecting."""

from __future__ import annotations

import numpy as np
from sample import Sample, array, sample

SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.gather": [
        sample("{f}(x * x, 1)", x=array(3)),
        sample("{f}(x, i)", is_twice=False, x=array(4), i=np.array([3, 0, 3])),
        sample("{f}(x * x, [[0, 2], [2, 2]])", x=array(3, 2)),
        sample("{f}(x * x, i, axis=0)", x=array(3, 2, 2), i=np.array([1, 1], np.int32)),
        sample("{f}(x * x, i)", x=array(3, 2), i=np.array([], np.int32)),
        sample("{f}(x, [1, 0, 1], axis=1)", x=array(3, 2)),
        sample("{f}(x, [[1, 0], [1, 1]], axis=-1)", x=array(2, 2, 3)),
        sample("{f}(x, 2, axis=1)", x=array(2, 3, 2)),
        sample("{f}(x, i, batch_dims=1)", x=array(2, 3, 2), i=np.array([[1, 0], [2, 2]])),
        sample("{f}(x, i, axis=2, batch_dims=1)", x=array(2, 3, 4), i=np.array([[1, 1], [3, 0]])),
        sample("{f}(x, i, axis=-1, batch_dims=-1)", x=array(2, 3), i=np.array([[1, 1], [2, 0]])),
    ],
    "tensorflow.nn.embedding_lookup": [
        sample("{f}(x * x, i)", x=array(4, 3), i=np.array([3, 0, 3])),
        sample("{f}(x, [[1, 2], [1, 0]])", is_twice=False, x=array(4, 2)),
    ],
    "tensorflow.gather_nd": [
        sample("{f}(x, [[0, 1], [1, 2], [0, 1]])", x=array(2, 3)),
        sample("{f}(x * x, i)", x=array(3, 2), i=np.array([[2], [0]])),
        sample("{f}(x, tf.where(x > 0.0))", x=array(3, 2)),
        sample("{f}(x, i, batch_dims=1)", x=array(2, 3), i=np.array([[1], [2]], np.int32)),
    ],
    "tensorflow.scatter_nd": [
        sample("{f}([[4], [3], [4]], x, [6])", x=array(3)),
        sample("{f}(i, x, s)", x=array(2, 3), i=np.array([[1], [1]]), s=np.array([4, 3])),
        sample("{f}([[0, 1], [1, 1]], x, [2, 3, 2])", x=array(2, 2)),
    ],
    "tensorflow.tensor_scatter_nd_update": [
        sample("{f}(x, [[1], [3]], y)", x=array(4), y=array(2, seed=1)),
        sample("{f}(x, i, y)", x=array(4, 3), y=array(2, 3, seed=1), i=np.array([[0], [3]])),
    ],
    "tensorflow.tensor_scatter_nd_add": [
        sample("{f}(x, [[1], [3], [1]], y)", x=array(4), y=array(3, seed=1)),
        sample("{f}(x, i, y)", x=array(4, 3), y=array(2, 3, seed=1), i=np.array([[0], [3]])),
    ],
    "tensorflow.tensor_scatter_nd_sub": [
        sample("{f}(x, [[1], [3], [1]], y)", x=array(4), y=array(3, seed=1)),
        sample("{f}(x, i, y)", x=array(4, 3), y=array(2, 3, seed=1), i=np.array([[0], [3]])),
    ],
    "tensorflow.tensor_scatter_nd_max": [
        sample("{f}(x, [[1], [3], [1]], y)", x=array(4), y=array(3, seed=1)),
        sample("{f}(x, i, y)", x=array(4, 3), y=array(2, 3, seed=1), i=np.array([[0], [3]])),
        sample(
            "{f}(x, [[1], [3], [1]], y)",
            x=np.array([0.0, 1.0, 2.0, 3.0]),
            y=np.array([1.0, 3.0, 1.0]),
        ),
    ],
    "tensorflow.boolean_mask": [
        sample("{f}(x, [True, False, True])", x=array(3)),
        sample("{f}(x, m)", x=array(3, 2), m=np.array([True, False, True])),
        sample("{f}(x, x > 0.0)", x=array(3, 2)),
        sample("{f}(x, [False, False])", x=array(2, 2)),
        sample("{f}(x, m, axis=1)", x=array(3, 2), m=np.array([True, False])),
        sample("{f}(x, m, axis=1)", x=array(2, 2, 3, seed=3), m=np.eye(2, 3, dtype=bool)),
    ],
    "tensorflow.dynamic_partition": [
        sample("{f}(x, [0, 1, 0, 2], 3)", x=array(4)),
        sample("{f}(x, p, num_partitions=2)", x=array(3, 2), p=np.array([1, 1, 0], np.int32)),
        sample("{f}(x, [[0, 1], [1, 1]], 3)", x=array(2, 2, 3)),
        sample("{f}(x, [1, 0, 1], 2)[1]", x=array(3)),
    ],
    "tensorflow.dynamic_stitch": [
        sample("{f}([[0, 3], [2, 1]], [x, y])", x=array(2), y=array(2, seed=1)),
        sample("{f}([2, [0, 1]], [x, y])", x=array(3), y=array(2, 3, seed=1)),
        sample("{f}([[[0, 3], [2, 1]]], [x])", x=array(2, 2, 1)),
    ],
    "tensorflow.reverse_sequence": [
        sample("{f}(x, [1, 3], seq_axis=1, batch_axis=0)", x=array(2, 4, 2)),
        sample("{f}(x, n, 0, 1)", x=array(4, 2), n=np.array([3, 2])),
    ],
    "tensorflow.sort": [
        sample("{f}(x)", x=array(5)),
        sample("{f}(x, axis=0)", x=array(3, 2)),
        sample("{f}(x, direction='DESCENDING')", x=array(2, 4)),
        sample("{f}(x, -2, 'DESCENDING')", x=array(2, 4, 2)),
        sample("{f}(x, 1)", x=array(2, 4)),
        sample("{f}(x)", x=np.array([1.0, 1.0, 0.0, 2.0, 2.0])),
        sample("{f}(x, direction='DESCENDING')", x=np.array([1.0, 1.0, 0.0, 2.0, 2.0])),
    ],
    "tensorflow.one_hot": [
        sample("{f}([0, 2], 3, x, y)", is_taped=False, x=array(), y=array(seed=1)),
        sample("{f}([[1], [0]], 3, x, 0.5 * x, axis=0)", is_taped=False, x=array()),
        sample("{f}([2, 0], 3, x)", is_taped=False, x=array()),
    ],
    "tensorflow.math.top_k": [
        sample("{f}(x)", x=array(4)),
        sample("{f}(x, 2)", x=array(2, 4)),
        sample("{f}(x, k=3, sorted=False)", x=array(2, 2, 4)),
        sample("{f}(x, 2)", x=np.array([1.0, 2.0, 2.0, 2.0])),
    ],
}
