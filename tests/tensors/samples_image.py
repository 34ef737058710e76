"""Samples for the rules of TensorFlow: image.

TensorFlow interpolates in single precision, whatever it is given, and has no second derivatives.
"""

from __future__ import annotations

from sample import Sample, array, sample

IMAGE = array(6, 4, 3)
BATCH = array(2, 5, 6, 1)
SQUARE = array(2, 4, 4, 2)

ORDERED = [sample("{f}(x)", x=IMAGE), sample("{f}(x) * x", x=SQUARE)]

SAMPLES: dict[str, list[Sample]] = {
    "tensorflow.image.flip_left_right": ORDERED,
    "tensorflow.image.flip_up_down": ORDERED,
    "tensorflow.image.transpose": ORDERED,
    "tensorflow.image.rot90": [
        *ORDERED,
        sample("{f}(x, 2)", x=IMAGE),
        sample("{f}(x, k=3)", x=BATCH),
        sample("{f}(x, 0)", x=IMAGE),
    ],
    "tensorflow.image.resize": [
        sample("{f}(x, [3, 8])", is_twice=False, is_single=True, x=IMAGE),
        sample('{f}(x, size=[10, 9], method="bicubic")', is_twice=False, is_single=True, x=BATCH),
        sample('{f}(x, [3, 8], "nearest")', is_twice=False, is_single=True, x=BATCH),
        sample(
            '{f}(x, [3, 3], method="lanczos3", antialias=True)',
            is_twice=False,
            is_single=True,
            x=BATCH,
        ),
        sample(
            "{f}(x, [3, 9], tf.image.ResizeMethod.BICUBIC)", is_twice=False, is_single=True, x=BATCH
        ),
        sample(
            "{f}(x, [9, 9], preserve_aspect_ratio=True)", is_twice=False, is_single=True, x=IMAGE
        ),
    ],
    "tensorflow.image.central_crop": [
        sample("{f}(x, 0.5)", x=IMAGE),
        sample("{f}(x, central_fraction=0.6)", x=BATCH),
    ],
    "tensorflow.image.crop_to_bounding_box": [
        sample("{f}(x, 1, 2, 3, 2)", x=IMAGE),
        sample("{f}(x, 0, 1, target_height=2, target_width=4)", x=BATCH),
    ],
    "tensorflow.image.pad_to_bounding_box": [
        sample("{f}(x, 1, 2, 8, 7)", x=IMAGE),
        sample("{f}(x, 0, 1, target_height=6, target_width=8)", x=BATCH),
    ],
    "tensorflow.image.resize_with_crop_or_pad": [
        sample("{f}(x, 4, 7)", x=IMAGE),
        sample("{f}(x, target_height=3, target_width=3)", x=BATCH),
    ],
    "tensorflow.image.extract_patches": [
        sample('{f}(x, [1, 2, 3, 1], [1, 1, 2, 1], [1, 1, 1, 1], "VALID")', x=BATCH),
        sample('{f}(x, [1, 3, 3, 1], [1, 2, 2, 1], [1, 1, 1, 1], padding="SAME")', x=SQUARE),
    ],
    "tensorflow.image.rgb_to_grayscale": [sample("{f}(x)", is_single=True, x=IMAGE)],
    "tensorflow.image.grayscale_to_rgb": [sample("{f}(x)", x=BATCH)],
}
