# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of TensorFlow that arrange the elements of tensors, join them and take them apart.

Rules read, never run: each body is spliced into generated code. What is put together is one
argument, a tuple or list, and its gradient is a list of gradients.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Counted, Shaped, constant, forward, linear, reverse

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp import runtime as rt
    from adlsp.runtime import tensors


# shapes


@linear("tensorflow.reshape", of="tensor")
def reshape(tensor, shape: Counted, *, out_bar):
    return tf.reshape(out_bar, tf.shape(tensor))


@linear("tensorflow.expand_dims", of="input")
def expand_dims(input, axis, *, out_bar):
    return tf.reshape(out_bar, tf.shape(input))


@linear("tensorflow.squeeze", of="input")
def squeeze(input, axis=None, *, out_bar):
    return tf.reshape(out_bar, tf.shape(input))


@linear("tensorflow.ensure_shape", of="x")
def ensure_shape(x, shape, *, out_bar):
    return out_bar


@linear("tensorflow.broadcast_to", of="input")
def broadcast_to(input: Shaped, shape: Counted, *, out_bar):
    return rt.unbroadcast(out_bar, input)


# the order of axes and elements


@linear("tensorflow.transpose", of="a")
def transpose(a, perm: Literal[None] = None, conjugate: Literal[False] = False, *, out_bar):
    return tf.transpose(out_bar)


@linear("tensorflow.transpose", of="a")
def transpose_by(a, perm, conjugate: Literal[False] = False, *, out_bar):
    return tf.transpose(out_bar, tf.math.invert_permutation(perm))


@linear("tensorflow.linalg.matrix_transpose", of="a")
def matrix_transpose(a, *, conjugate: Literal[False] = False, out_bar):
    return tf.linalg.matrix_transpose(out_bar)


@linear("tensorflow.linalg.adjoint", of="matrix", when="real matrices")
def adjoint(matrix, *, out_bar):
    return tf.linalg.adjoint(out_bar)


@linear("tensorflow.reverse", of="tensor")
def flip(tensor, axis, *, out_bar):
    return tf.reverse(out_bar, axis)


@linear("tensorflow.roll", of="input")
def roll(input, shift: Counted, axis, *, out_bar):
    return tf.roll(out_bar, tf.negative(shift), axis)


@linear("tensorflow.signal.fftshift", of="x")
def fftshift(x, axes=None, *, out_bar):
    return tf.signal.ifftshift(out_bar, axes)


@linear("tensorflow.signal.ifftshift", of="x")
def ifftshift(x, axes=None, *, out_bar):
    return tf.signal.fftshift(out_bar, axes)


@linear("tensorflow.nn.depth_to_space", of="input")
def depth_to_space(input, block_size, data_format="NHWC", *, out_bar):
    return tf.nn.space_to_depth(out_bar, block_size, data_format)


@linear("tensorflow.nn.space_to_depth", of="input")
def space_to_depth(input, block_size, data_format="NHWC", *, out_bar):
    return tf.nn.depth_to_space(out_bar, block_size, data_format)


@linear("tensorflow.space_to_batch", "tensorflow.nn.space_to_batch", of="input")
def space_to_batch(input, block_shape, paddings, *, out_bar):
    return tf.batch_to_space(out_bar, block_shape, paddings)


@linear("tensorflow.batch_to_space", of="input")
def batch_to_space(input, block_shape, crops, *, out_bar):
    return tf.space_to_batch(out_bar, block_shape, crops)


# what is joined, and taken apart


@linear("tensorflow.concat", of="values")
def concat(values, axis, *, out_bar):
    return tf.split(out_bar, tensors.lengths(values, axis), axis)


@linear("tensorflow.stack", of="values")
def stack(values, axis=0, *, out_bar):
    return tf.unstack(out_bar, len(values), axis)


@linear("tensorflow.unstack", of="value")
def unstack(value, num: Counted = None, axis=0, *, out_bar):
    return tf.stack(out_bar, axis)


@linear("tensorflow.split", of="value")
def split(value, num_or_size_splits: Counted, axis=0, num=None, *, out_bar):
    return tf.concat(out_bar, axis)


@linear("tensorflow.meshgrid", of="x y z w", when="at most four")
def meshgrid(x, y=None, z=None, w=None, *, indexing="xy", out_bar):
    return (
        tensors.grid_bar(out_bar[0], x, 0, indexing),
        tensors.grid_bar(out_bar[1], y, 1, indexing),
        tensors.grid_bar(out_bar[2], z, 2, indexing),
        tensors.grid_bar(out_bar[3], w, 3, indexing),
    )


@linear("adlsp.runtime.tensors.grid_bar", of="g")
def grid_bar(g: Shaped, x: Shaped, number, indexing, *, out_bar):
    return tensors.grid(out_bar, g, number, indexing)


@linear("adlsp.runtime.tensors.grid", of="x")
def grid(x: Shaped, like: Shaped, number, indexing, *, out_bar):
    return tensors.grid_bar(out_bar, x, number, indexing)


# copies and margins


@linear("tensorflow.tile", of="input")
def tile(input, multiples: Counted, *, out_bar):
    return tensors.tile_bar(out_bar, multiples, tf.shape(input))


@linear("adlsp.runtime.tensors.tile_bar", of="g")
def tile_bar(g, multiples: Counted, shape, *, out_bar):
    return tf.tile(out_bar, multiples)


@linear("tensorflow.repeat", of="input")
def repeat(input, repeats: Counted, axis=None, *, out_bar):
    places = tf.reshape(tf.range(tf.size(input)), tf.shape(input))
    return tensors.scatter(out_bar, tf.repeat(places, repeats, axis), tf.shape(input))


@forward("tensorflow.pad")
def pad_forward(
    tensor,
    paddings,
    mode: Literal["CONSTANT", "constant"] = "CONSTANT",
    constant_values=0,
    *,
    tensor_dot,
):
    return tf.pad(tensor_dot, paddings)


@reverse("tensorflow.pad")
def pad_reverse(
    tensor,
    paddings,
    mode: Literal["CONSTANT", "constant"] = "CONSTANT",
    constant_values=0,
    *,
    out_bar,
):
    return tf.slice(out_bar, tf.cast(paddings, tf.int32)[:, 0], tf.shape(tensor))


@forward("tensorflow.pad")
def pad_mirrored_forward(
    tensor, paddings, mode: Literal["REFLECT", "SYMMETRIC"], constant_values=0, *, tensor_dot
):
    return tf.raw_ops.MirrorPad(input=tensor_dot, paddings=paddings, mode=mode)


@reverse("tensorflow.pad")
def pad_mirrored_reverse(
    tensor, paddings, mode: Literal["REFLECT", "SYMMETRIC"], constant_values=0, *, out_bar
):
    return tf.raw_ops.MirrorPadGrad(input=out_bar, paddings=paddings, mode=mode)


@linear("tensorflow.raw_ops.MirrorPadGrad", of="input")
def mirror_pad_grad(input, paddings, mode, *, out_bar):
    return tf.raw_ops.MirrorPad(input=out_bar, paddings=paddings, mode=mode)


@linear("tensorflow.raw_ops.MirrorPad", of="input")
def mirror_pad(input, paddings, mode, *, out_bar):
    return tf.raw_ops.MirrorPadGrad(input=out_bar, paddings=paddings, mode=mode)


# parts


@linear("tensorflow.slice", of="input_")
def slice_(input_, begin: Counted, size: Counted, *, out_bar):
    before = tf.cast(begin, tf.int32)
    after = tf.shape(input_) - before - tf.shape(out_bar)
    return tf.pad(out_bar, tf.stack([before, after], 1))


@linear("tensorflow.strided_slice", of="input_")
def strided_slice(
    input_,
    begin,
    end,
    strides: Literal[None] = None,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
    *,
    out_bar,
):
    return tf.raw_ops.StridedSliceGrad(
        shape=tf.shape(input_),
        begin=begin,
        end=end,
        strides=tf.ones_like(begin),
        dy=out_bar,
        begin_mask=begin_mask,
        end_mask=end_mask,
        ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
    )


@linear("tensorflow.strided_slice", of="input_")
def strided_slice_by(
    input_,
    begin,
    end,
    strides,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
    *,
    out_bar,
):
    return tf.raw_ops.StridedSliceGrad(
        shape=tf.shape(input_),
        begin=begin,
        end=end,
        strides=strides,
        dy=out_bar,
        begin_mask=begin_mask,
        end_mask=end_mask,
        ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
    )


@linear("tensorflow.raw_ops.StridedSliceGrad", of="dy")
def strided_slice_grad(
    shape,
    begin,
    end,
    strides,
    dy,
    begin_mask=0,
    end_mask=0,
    ellipsis_mask=0,
    new_axis_mask=0,
    shrink_axis_mask=0,
    *,
    out_bar,
):
    return tf.strided_slice(
        out_bar,
        begin,
        end,
        strides,
        begin_mask,
        end_mask,
        ellipsis_mask,
        new_axis_mask,
        shrink_axis_mask,
    )


# diagonals


@linear("tensorflow.linalg.band_part", of="input")
def band_part(input, num_lower, num_upper, *, out_bar):
    return tf.linalg.band_part(out_bar, num_lower, num_upper)


@forward("tensorflow.linalg.diag")
def diag_forward(
    diagonal,
    *,
    k=0,
    num_rows=-1,
    num_cols=-1,
    padding_value=0,
    align="RIGHT_LEFT",
    diagonal_dot,
):
    return tf.linalg.diag(diagonal_dot, k=k, num_rows=num_rows, num_cols=num_cols, align=align)


@reverse("tensorflow.linalg.diag")
def diag_reverse(
    diagonal, *, k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT", out_bar
):
    return tf.linalg.diag_part(out_bar, k=k, align=align)


@forward("tensorflow.linalg.diag_part")
def diag_part_forward(input, *, k=0, padding_value=0, align="RIGHT_LEFT", input_dot):
    return tf.linalg.diag_part(input_dot, k=k, align=align)


@reverse("tensorflow.linalg.diag_part")
def diag_part_reverse(input, *, k=0, padding_value=0, align="RIGHT_LEFT", out_bar):
    return tf.linalg.set_diag(tf.zeros_like(input), out_bar, k=k, align=align)


@linear("tensorflow.linalg.set_diag", of="input diagonal")
def set_diag(input, diagonal, *, k=0, align="RIGHT_LEFT", out_bar):
    input_bar = tf.linalg.set_diag(out_bar, tf.zeros_like(diagonal), k=k, align=align)
    return input_bar, tf.linalg.diag_part(out_bar, k=k, align=align)


@linear("tensorflow.linalg.tensor_diag", of="diagonal")
def tensor_diag(diagonal, *, out_bar):
    return tf.linalg.tensor_diag_part(out_bar)


@linear("tensorflow.linalg.tensor_diag_part", of="input")
def tensor_diag_part(input, *, out_bar):
    return tf.linalg.tensor_diag(out_bar)


@linear("tensorflow.linalg.trace", of="x")
def trace(x, *, out_bar):
    diagonal = rt.expand_as(out_bar, tf.linalg.diag_part(x), -1)
    return tf.linalg.set_diag(tf.zeros_like(x), diagonal)


constant(
    "tensorflow.shape",
    "tensorflow.size",
    "tensorflow.rank",
    "tensorflow.shape_n",
    "tensorflow.broadcast_static_shape",
    "tensorflow.broadcast_dynamic_shape",
    "tensorflow.is_tensor",
    "adlsp.runtime.tensors.lengths",
    "tensorflow.unravel_index",
)
