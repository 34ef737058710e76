"""Samples for the rules of TensorFlow: shaping."""

from __future__ import annotations

import numpy as np
from sample import Sample, array, sample

SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.reshape": [
        sample("{f}(x, [3, 2])", x=array(2, 3)),
        sample("{f}(x, [-1])", x=array(2, 3)),
        sample("{f}(x, ())", x=array(1, 1)),
        sample("{f}(x, s)", x=array(4), s=np.array([2, -1])),
        sample("{f}(x, (3, 0))", x=array(0)),
    ],
    "tensorflow.expand_dims": [
        sample("{f}(x, 0)", x=array(2, 3)),
        sample("{f}(x, axis=-1)", x=array(2, 3)),
        sample("{f}(x, 0)", x=array()),
    ],
    "tensorflow.squeeze": [
        sample("{f}(x)", x=array(1, 3, 1)),
        sample("{f}(x, 0)", x=array(1, 3, 1)),
        sample("{f}(x, axis=[-1])", x=array(1, 3, 1)),
    ],
    "tensorflow.debugging.assert_all_finite": [sample("{f}(x, 'infinite')", x=array(2, 3))],
    "tensorflow.debugging.check_numerics": [sample("{f}(x, 'infinite')", x=array(2, 3))],
    "tensorflow.ensure_shape": [sample("{f}(x, [None, 3])", x=array(2, 3))],
    "tensorflow.broadcast_to": [
        sample("{f}(x, [2, 3])", x=array(3)),
        sample("{f}(x, [2, 4, 3])", x=array(4, 1)),
        sample("{f}(x, [2])", x=array()),
        sample("{f}(x, [2, 3])", x=array(2, 3)),
    ],
    "tensorflow.transpose": [
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x)", x=array(2, 3, 4)),
        sample("{f}(x, [2, 0, 1])", x=array(2, 3, 4)),
        sample("{f}(x, perm=p)", x=array(2, 3), p=np.array([1, 0])),
    ],
    "tensorflow.linalg.matrix_transpose": [
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x)", x=array(2, 3, 4)),
    ],
    "tensorflow.linalg.adjoint": [
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x)", x=array(2, 3, 4)),
    ],
    "tensorflow.reverse": [
        sample("{f}(x, [0])", x=array(3)),
        sample("{f}(x, axis=[0, -1])", x=array(2, 3, 2)),
    ],
    "tensorflow.roll": [
        sample("{f}(x, 1, 0)", x=array(4)),
        sample("{f}(x, shift=[1, -2], axis=[0, 1])", x=array(2, 3)),
    ],
    "tensorflow.signal.fftshift": [
        sample("{f}(x)", x=array(5)),
        sample("{f}(x, axes=[1])", x=array(2, 3)),
    ],
    "tensorflow.signal.ifftshift": [
        sample("{f}(x)", x=array(5)),
        sample("{f}(x, 1)", x=array(2, 3)),
    ],
    "tensorflow.nn.depth_to_space": [sample("{f}(x, 2)", x=array(2, 2, 3, 4))],
    "tensorflow.nn.space_to_depth": [sample("{f}(x, block_size=2)", x=array(1, 4, 2, 3))],
    "tensorflow.space_to_batch": [
        sample("{f}(x, [2, 2], [[1, 1], [0, 2]])", x=array(2, 2, 4, 1)),
        sample("{f}(x, block_shape=[3], paddings=[[2, 2]])", x=array(1, 5, 2)),
    ],
    "tensorflow.batch_to_space": [
        sample("{f}(x, [2, 2], [[1, 0], [0, 2]])", x=array(4, 2, 3, 1)),
        sample("{f}(x, [2], crops=[[0, 1]])", x=array(2, 2, 2)),
    ],
    "tensorflow.concat": [
        sample("{f}([x, y], 0)", x=array(2), y=array(3, seed=1)),
        sample("{f}([x, y, x], axis=1)", x=array(2, 1), y=array(2, 3, seed=1)),
        sample("{f}((x, y), -1)", x=array(2, 0), y=array(2, 3, seed=1)),
        sample("{f}([x, tf.ones([2, 2], x.dtype)], -1)", x=array(2, 1)),
        sample("{f}([x], 0)", x=array(2)),
    ],
    "tensorflow.stack": [
        sample("{f}([x, y])", x=array(2), y=array(2, seed=1)),
        sample("{f}([x, y, x], axis=-1)", x=array(2, 1), y=array(2, 1, seed=1)),
        sample("{f}((x, 1.0, x * y), 0)", x=array(), y=array(seed=1)),
        sample("{f}([x, y], 1)", x=array(2, 3), y=array(2, 3, seed=1)),
    ],
    "tensorflow.unstack": [
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x, axis=-1)", x=array(2, 3)),
        sample("{f}(x, 2, 1)", x=array(3, 2)),
        sample("{f}(x)[1]", x=array(3, 2)),
    ],
    "tensorflow.split": [
        sample("{f}(x, 2)", x=array(4)),
        sample("{f}(x, [1, 3], axis=-1)", x=array(2, 4)),
        sample("{f}(x, num_or_size_splits=3, axis=1)", x=array(2, 6)),
        sample("{f}(x, 2)[1]", x=array(4, 2)),
    ],
    "tensorflow.meshgrid": [
        sample("{f}(x, y)", x=array(2), y=array(3, seed=1)),
        sample("{f}(x, y, indexing='ij')", x=array(2), y=array(3, seed=1)),
        sample("{f}(x, y)[0]", x=array(2), y=array(seed=1)),
        sample("{f}(x, y)[1] * {f}(y, x)[1]", x=array(3), y=array(3, seed=1)),
        sample("{f}(x)", x=array(3)),
        sample("{f}(x, y, z)", x=array(2), y=array(3, seed=1), z=array(4, seed=2)),
        sample("{f}(x, y, z)[2] ** 2 * {f}(x, y, z)[0]", x=array(2), y=array(3), z=array(4)),
        sample("{f}(x, y, z, x, indexing='ij')", x=array(2), y=array(3), z=array(1, seed=2)),
    ],
    "tensorflow.tile": [
        sample("{f}(x, [3])", x=array(2)),
        sample("{f}(x, [2, 3])", x=array(2, 3)),
        sample("{f}(x, multiples=m)", x=array(2, 1), m=np.array([1, 2])),
        sample("{f}(x, [0, 2])", x=array(2, 1)),
        sample("{f}(x, [])", x=array()),
    ],
    "tensorflow.repeat": [
        sample("{f}(x, 3)", x=array(2, 2)),
        sample("{f}(x, [2, 0, 1])", x=array(3)),
        sample("{f}(x, repeats=2, axis=1)", x=array(2, 3)),
        sample("{f}(x, n, axis=0)", x=array(2, 3), n=np.array([1, 3])),
        sample("{f}(x, [1, 2], axis=-2)", x=array(2, 3)),
        sample("{f}(x, 2)", x=array()),
    ],
    "tensorflow.pad": [
        sample("{f}(x, [[1, 2]])", x=array(3)),
        sample("{f}(x, paddings=p)", x=array(2, 3), p=np.array([[0, 1], [2, 0]])),
        sample("{f}(x, [[1, 1], [0, 2]], constant_values=2.0)", x=array(2, 3)),
        sample("{f}(x, [[1, 1], [0, 2]], 'REFLECT')", x=array(2, 3)),
        sample("{f}(x, [[1, 1], [0, 2]], mode='SYMMETRIC')", x=array(2, 3)),
    ],
    "tensorflow.raw_ops.MirrorPadGrad": [
        sample("{f}(input=x, paddings=[[1, 1]], mode='REFLECT')", x=array(5)),
    ],
    "tensorflow.raw_ops.MirrorPad": [
        sample("{f}(input=x, paddings=[[1, 1]], mode='SYMMETRIC')", x=array(5)),
    ],
    "tensorflow.slice": [
        sample("{f}(x, [1], [2])", x=array(4)),
        sample("{f}(x, [0, 1], [-1, 2])", x=array(2, 4)),
        sample("{f}(x, begin=b, size=[1, 2])", x=array(2, 4), b=np.array([1, 0], np.int32)),
        sample("{f}(x, b, n)", x=array(2, 4), b=np.array([0, 3]), n=np.array([1, 0])),
    ],
    "tensorflow.strided_slice": [
        sample("{f}(x, [1], [3])", x=array(4)),
        sample("{f}(x, [0, 3], [2, 0], [1, -2])", x=array(2, 4)),
        sample("{f}(x, [0, 1], [0, 3], begin_mask=1, end_mask=1)", x=array(2, 4)),
        sample("{f}(x, [1, 0], [2, 4], strides=[1, 2], shrink_axis_mask=1)", x=array(2, 4)),
        sample("{f}(x, [0, 1], [0, 3], new_axis_mask=1)", x=array(4, 2)),
        sample("{f}(x, [0, 1], [0, 2], ellipsis_mask=1)", x=array(3, 2, 4)),
    ],
    "tensorflow.raw_ops.StridedSliceGrad": [
        sample("{f}(shape=[4], begin=[1], end=[4], strides=[2], dy=x)", x=array(2)),
    ],
    "tensorflow.linalg.band_part": [
        sample("{f}(x, 0, -1)", x=array(3, 3)),
        sample("{f}(x, num_lower=1, num_upper=0)", x=array(2, 3, 4)),
    ],
    "tensorflow.linalg.diag": [
        sample("{f}(x)", x=array(3)),
        sample("{f}(x, k=1)", x=array(2, 3)),
        sample("{f}(x, k=-1, num_rows=4, num_cols=5, padding_value=2.0)", x=array(3)),
        sample("{f}(x, k=(-1, 1))", x=array(3, 3)),
        sample("{f}(x, k=(0, 1), align='LEFT_RIGHT')", x=array(2, 2, 3)),
    ],
    "tensorflow.linalg.diag_part": [
        sample("{f}(x)", x=array(3, 3)),
        sample("{f}(x)", x=array(2, 2, 3)),
        sample("{f}(x, k=1)", x=array(2, 3)),
        sample("{f}(x, k=(-1, 1), padding_value=9.0)", x=array(4, 3)),
        sample("{f}(x, k=(0, 2), align='LEFT_LEFT')", x=array(2, 3, 3)),
    ],
    "tensorflow.linalg.set_diag": [
        sample("{f}(x, y)", x=array(3, 3), y=array(3, seed=1)),
        sample("{f}(x, y, k=1)", x=array(2, 2, 3), y=array(2, 2, seed=1)),
        sample("{f}(x, y, k=(-1, 0))", x=array(3, 3), y=array(2, 3, seed=1)),
    ],
    "tensorflow.linalg.tensor_diag": [
        sample("{f}(x)", x=array(3)),
        sample("{f}(x)", x=array(2, 3)),
    ],
    "tensorflow.linalg.tensor_diag_part": [
        sample("{f}(x)", x=array(3, 3)),
        sample("{f}(x)", x=array(2, 3, 2, 3)),
    ],
    "tensorflow.linalg.trace": [
        sample("{f}(x)", x=array(3, 3)),
        sample("{f}(x)", x=array(2, 3, 4)),
    ],
}
