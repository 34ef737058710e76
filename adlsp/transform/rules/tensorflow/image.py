# mypy: allow-untyped-defs
# ruff: noqa: D103
"""Functions of TensorFlow for images.

Rules read, never run: each body is spliced into generated code. Most are linear; how the gradient
goes back through what crops, fills up and interpolates, TensorFlow knows (`tensors.image_bar`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from adlsp.transform.rules.declare import Shaped, linear

if TYPE_CHECKING:
    import tensorflow as tf

    from adlsp.runtime import tensors


# the order of pixels


@linear("tensorflow.image.flip_left_right", of="image")
def flip_left_right(image: Shaped, *, out_bar):
    return tf.image.flip_left_right(out_bar)


@linear("tensorflow.image.flip_up_down", of="image")
def flip_up_down(image: Shaped, *, out_bar):
    return tf.image.flip_up_down(out_bar)


@linear("tensorflow.image.transpose", of="image")
def transpose(image: Shaped, *, out_bar):
    return tf.image.transpose(out_bar)


@linear("tensorflow.image.rot90", of="image")
def rot90(image: Shaped, k=1, *, out_bar):
    return tf.image.rot90(out_bar, 4 - k % 4)


# sizes


@linear("tensorflow.image.resize", of="images")
def resize(
    images: Shaped,
    size,
    method: Literal[
        "bilinear",
        "nearest",
        "bicubic",
        "gaussian",
        "lanczos3",
        "lanczos5",
        "mitchellcubic",
        "tensorflow.image.ResizeMethod.BILINEAR",
        "tensorflow.image.ResizeMethod.NEAREST_NEIGHBOR",
        "tensorflow.image.ResizeMethod.BICUBIC",
    ] = "bilinear",
    preserve_aspect_ratio=False,
    antialias=False,
    *,
    out_bar,
):
    options = (size, method, preserve_aspect_ratio, antialias)
    return tensors.image_bar(out_bar, images, "resize", options)


@linear("tensorflow.image.central_crop", of="image")
def central_crop(image: Shaped, central_fraction, *, out_bar):
    return tensors.image_bar(out_bar, image, "central_crop", (central_fraction,))


@linear("tensorflow.image.crop_to_bounding_box", of="image")
def crop_to_bounding_box(
    image: Shaped, offset_height, offset_width, target_height, target_width, *, out_bar
):
    options = (offset_height, offset_width, target_height, target_width)
    return tensors.image_bar(out_bar, image, "crop_to_bounding_box", options)


@linear("tensorflow.image.pad_to_bounding_box", of="image")
def pad_to_bounding_box(
    image: Shaped, offset_height, offset_width, target_height, target_width, *, out_bar
):
    options = (offset_height, offset_width, target_height, target_width)
    return tensors.image_bar(out_bar, image, "pad_to_bounding_box", options)


@linear("tensorflow.image.resize_with_crop_or_pad", of="image")
def resize_with_crop_or_pad(image: Shaped, target_height, target_width, *, out_bar):
    options = (target_height, target_width)
    return tensors.image_bar(out_bar, image, "resize_with_crop_or_pad", options)


@linear("tensorflow.image.extract_patches", of="images")
def extract_patches(images: Shaped, sizes, strides, rates, padding, *, out_bar):
    options = (sizes, strides, rates, padding)
    return tensors.image_bar(out_bar, images, "extract_patches", options)


# colours


@linear("tensorflow.image.rgb_to_grayscale", of="images")
def rgb_to_grayscale(images: Shaped, *, out_bar):
    return tensors.image_bar(out_bar, images, "rgb_to_grayscale", ())


@linear("tensorflow.image.grayscale_to_rgb", of="images")
def grayscale_to_rgb(images: Shaped, *, out_bar):
    return tf.reduce_sum(out_bar, -1, True)


# what the rules call


@linear("adlsp.runtime.tensors.image_bar", of="g")
def image_bar(g: Shaped, image: Shaped, name, options, *, out_bar):
    return tensors.image_of(out_bar, name, options)


@linear("adlsp.runtime.tensors.image_of", of="image")
def image_of(image: Shaped, name, options, *, out_bar):
    return tensors.image_bar(out_bar, image, name, options)
