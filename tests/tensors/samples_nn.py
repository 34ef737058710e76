"""Samples for the rules of TensorFlow: nn."""

from __future__ import annotations

import numpy as np
from sample import Sample, array, each, sample

SIGNAL = array(2, 7, 3)
IMAGE = array(2, 6, 5, 3)
BOX = array(2, 4, 3, 5, 2)

LINE = array(3, 3, 4, seed=1)
PATCH = array(3, 2, 3, 4, seed=1)
BLOCK = array(2, 2, 3, 2, 3, seed=1)
DEEP = array(3, 2, 3, 2, seed=1)

SHARES = array(2, 3, low=0.1, high=1.0) / array(2, 3, low=0.1, high=1.0).sum(-1, keepdims=True)
STANDING = array(2, 3, 4, low=0.1, high=1.0, seed=3)
STANDING = STANDING / STANDING.sum(1, keepdims=True)

PADDED = "[[0, 0], [1, 2], [0, 1], [0, 0]]"

KINKED = [*each(), sample("{f}(x)", x=np.array([-1.0, 0.0, 1.0, 6.0, 7.0]))]

FLOW = array(2, 3, seed=4)
FLOWING = [sample("{f}(gradients=z, features=x)", x=array(2, 3), z=FLOW)]
PASSING = [
    sample("{f}(gradients=z, features=tf.stop_gradient(x))", x=array(2, 3, low=-3, high=9), z=FLOW)
]
TURNED = array(2, 3, low=-1.0, high=3.0)

SOFTMAX = [
    *[sample("{f}(x)", x=array(*shape)) for shape in ((3,), (2, 3), (2, 2, 3), (0, 3))],
    sample("{f}(x, -1)", x=array(2, 3)),
    sample("{f}(x, axis=1)", x=array(2, 3, 2)),
    sample("{f}(x, axis=0)", x=array(2, 3)),
    sample("{f}(x, axis=-2)", x=array(2, 3)),
    sample("{f}(x, axis)", x=array(2, 3), axis=None),
    sample("{f}(x)", x=np.array([[1000.0, 0.0, -1000.0]])),
]


def normalized(text: str, **shapes: tuple[int, ...]) -> Sample:
    """Batch normalization, of variances that are positive."""
    at = {name: array(*shape, seed=i) for i, (name, shape) in enumerate(shapes.items())}
    at["v"] = array(*shapes["v"], low=0.5, high=2.0, seed=9)
    return Sample(text, at)


POOLED_IMAGES = [
    sample('{f}(x, 2, 2, "SAME")', x=IMAGE),
    sample('{f}(x, 2, 1, "VALID")', x=IMAGE),
    sample('{f}(x, ksize=[2, 3], strides=[1, 2], padding="SAME")', x=IMAGE),
    sample('{f}(x, [1, 3, 2, 1], [1, 2, 2, 1], "VALID", data_format="NHWC")', x=IMAGE),
    sample('{f}(x, 2, 3, "VALID")', x=IMAGE),
]

POOLED_SIGNALS = [
    sample('{f}(x, 2, 2, "SAME")', x=SIGNAL),
    sample('{f}(x, [3], [1], "VALID")', x=SIGNAL),
    sample('{f}(x, 3, 2, "SAME", data_format="NWC")', x=SIGNAL),
]


POOLED_BOXES = [
    sample('{f}(x, 2, 2, "SAME")', is_single=True, x=BOX),
    sample('{f}(x, [2, 1, 3], [1, 1, 1], "VALID")', is_single=True, x=BOX),
    sample('{f}(x, [1, 2, 2, 2, 1], [1, 1, 2, 1, 1], padding="VALID")', is_single=True, x=BOX),
]


SAMPLES: dict[str, list[Sample]] = {
    # activations
    "tensorflow.nn.relu": KINKED,
    "tensorflow.nn.relu6": [*KINKED, sample("{f}(x)", x=array(2, 3, low=-2, high=9))],
    "tensorflow.raw_ops.TanhGrad": [sample("{f}(y=x, dy=z)", x=array(2, 3), z=FLOW)],
    "tensorflow.raw_ops.SigmoidGrad": [sample("{f}(y=x, dy=z)", x=array(2, 3), z=FLOW)],
    "tensorflow.raw_ops.SoftplusGrad": FLOWING,
    "tensorflow.raw_ops.SoftsignGrad": [
        sample("{f}(gradients=z, features=x)", is_taped=False, x=array(2, 3), z=FLOW)
    ],
    "tensorflow.raw_ops.ReluGrad": PASSING,
    "tensorflow.raw_ops.Relu6Grad": PASSING,
    "tensorflow.raw_ops.EluGrad": [sample("{f}(gradients=z, outputs=x)", x=TURNED, z=FLOW)],
    "tensorflow.raw_ops.SeluGrad": [sample("{f}(gradients=z, outputs=x)", x=TURNED, z=FLOW)],
    "tensorflow.nn.elu": KINKED,
    "tensorflow.nn.selu": KINKED,
    "tensorflow.nn.leaky_relu": [
        *KINKED,
        sample("{f}(x, 0.1)", x=array(2, 3)),
        sample("{f}(x, alpha=0.0)", x=array(2, 3)),
    ],
    "tensorflow.nn.gelu": [
        *each(),
        sample("{f}(x, False)", x=array(2, 3)),
        sample("{f}(x, True)", x=array(2, 3)),
        sample("{f}(x, approximate=True)", x=array(3, low=-5.0, high=5.0)),
    ],
    "tensorflow.nn.silu": [
        *each(),
        sample("{f}(x, 1.5)", x=array(2, 3)),
        sample("{f}(x, beta)", x=array(2, 3), beta=np.array(0.7)),
        sample("{f}(x, beta=beta)", x=array(3), beta=np.array(-0.7)),
    ],
    "tensorflow.nn.crelu": [
        sample("{f}(x)", x=array(3)),
        sample("{f}(x)", x=array(2, 3)),
        sample("{f}(x, 0)", x=array(2, 3)),
        sample("{f}(x, axis=-2)", x=array(2, 3)),
        sample("{f}(x)", x=np.array([-1.0, 0.0, 1.0])),
    ],
    # softmax and losses
    "tensorflow.nn.softmax": SOFTMAX,
    "tensorflow.nn.log_softmax": SOFTMAX,
    "tensorflow.nn.softmax_cross_entropy_with_logits": [
        sample("{f}(p, x)", p=SHARES, x=array(2, 3)),
        sample("{f}(p, x)", x=array(2, 3), p=SHARES),
        sample("{f}(labels=p, logits=x)", x=array(3), p=SHARES[0]),
        sample("{f}(p, x, axis=1)", x=array(2, 3, 4), p=STANDING),
        sample("{f}(p, x, 1)", p=STANDING, x=array(2, 3, 4)),
        sample("{f}(p, x)", x=array(1, 2, 3), p=SHARES[None]),
    ],
    "tensorflow.nn.sparse_softmax_cross_entropy_with_logits": [
        sample("{f}(n, x)", n=np.array([2, 0]), x=array(2, 3)),
        sample("{f}(labels=n, logits=x)", n=np.array(1), x=array(3)),
        sample("{f}(n, x)", n=np.array([[2, 0]], dtype="int32"), x=array(1, 2, 3)),
    ],
    "tensorflow.nn.sigmoid_cross_entropy_with_logits": [
        sample("{f}(p, x)", p=array(3, low=0.0, high=1.0), x=array(3)),
        sample("{f}(labels=p, logits=x)", x=array(2, 3), p=array(2, 3, low=0.0, high=1.0)),
        sample("{f}(p, x)", x=array(), p=array(low=0.0, high=1.0)),
        sample("{f}(p, x)", x=np.array([-1000.0, 0.0, 1000.0]), p=np.array([1.0, 0.5, 0.2])),
    ],
    "tensorflow.nn.weighted_cross_entropy_with_logits": [
        sample("{f}(p, x, 2.5)", x=array(2, 3), p=array(2, 3, low=0.0, high=1.0)),
        sample("{f}(p, x, w)", w=array(3), x=array(2, 3), p=array(2, 3, low=0.0, high=1.0)),
        sample("{f}(p, x, pos_weight=w)", p=array(3), x=array(3), w=array(low=0.5)),
    ],
    "tensorflow.nn.log_poisson_loss": [
        sample("{f}(t, x)", x=array(3), t=array(3, low=0.0, high=4.0)),
        sample("{f}(t, x)", t=array(2, 3, low=0.0, high=4.0), x=array(2, 3)),
        sample("{f}(t, x, True)", t=array(2, 3, low=0.1, high=4.0), x=array(2, 3)),
        sample("{f}(t, x, compute_full_loss=True)", x=array(3), t=np.array([0.5, 1.0, 3.0])),
    ],
    "tensorflow.nn.l2_loss": [sample("{f}(x)", x=array(*n)) for n in ((3,), (2, 3), (0,), ())],
    "tensorflow.nn.bias_add": [
        sample("{f}(x, b)", x=array(2, 3), b=array(3, seed=1)),
        sample("{f}(x, b)", b=array(3, seed=1), x=IMAGE),
        sample('{f}(x, b, "NHWC")', x=IMAGE, b=array(3, seed=1)),
        sample('{f}(x, b, data_format="NCHW")', x=IMAGE, b=array(6, seed=1)),
        sample('{f}(x, b, "NC..")', b=array(7, seed=1), x=SIGNAL),
    ],
    # convolutions
    "tensorflow.nn.conv1d": [
        sample('{f}(x, w, 1, "SAME")', x=SIGNAL, w=LINE),
        sample('{f}(x, w, stride=2, padding="VALID")', w=LINE, x=SIGNAL),
        sample('{f}(x, w, [2], "SAME", "NWC")', x=SIGNAL, w=LINE),
    ],
    "tensorflow.nn.conv1d_transpose": [
        sample("{f}(x, w, [2, 7, 3], 1)", x=array(2, 7, 4), w=LINE),
        sample('{f}(x, w, [2, 9, 3], strides=2, padding="VALID")', w=LINE, x=array(2, 4, 4)),
    ],
    "tensorflow.nn.conv2d": [
        sample('{f}(x, w, 1, "SAME")', x=IMAGE, w=PATCH),
        sample('{f}(x, w, strides=2, padding="VALID")', w=PATCH, x=IMAGE),
        sample('{f}(x, w, [1, 2, 1, 1], "SAME", data_format="NHWC")', x=IMAGE, w=PATCH),
        sample(f"{{f}}(x, w, [2, 1], {PADDED})", x=IMAGE, w=PATCH),
        sample(f"{{f}}(x, w, 1, {PADDED}, dilations=1)", w=PATCH, x=IMAGE),
    ],
    "tensorflow.nn.conv2d_transpose": [
        sample("{f}(x, w, [2, 6, 5, 3], 1)", x=array(2, 6, 5, 4), w=PATCH),
        sample('{f}(x, w, [2, 7, 6, 3], 2, "VALID")', w=PATCH, x=array(2, 3, 3, 4)),
        sample(
            f"{{f}}(x, w, [2, 6, 5, 3], strides=[2, 2], padding={PADDED})",
            x=array(2, 4, 3, 4),
            w=PATCH,
        ),
    ],
    "tensorflow.nn.conv3d": [
        sample('{f}(x, w, [1, 1, 1, 1, 1], "SAME")', x=BOX, w=BLOCK),
        sample('{f}(x, w, strides=[1, 2, 1, 2, 1], padding="VALID")', w=BLOCK, x=BOX),
    ],
    "tensorflow.nn.conv3d_transpose": [
        sample("{f}(x, w, [2, 4, 3, 5, 2], 1)", x=array(2, 4, 3, 5, 3), w=BLOCK),
        sample("{f}(x, w, [2, 4, 3, 5, 2], strides=2)", w=BLOCK, x=array(2, 2, 2, 3, 3)),
    ],
    "tensorflow.nn.convolution": [
        sample("{f}(x, w)", x=SIGNAL, w=LINE),
        sample('{f}(x, w, 2, "SAME")', x=IMAGE, w=PATCH, is_twice=False),
        sample('{f}(x, w, [1, 2], "SAME", data_format="NHWC")', x=IMAGE, w=PATCH),
        sample('{f}(x, w, padding="SAME", data_format="NDHWC")', w=BLOCK, x=BOX),
        sample('{f}(x, w, padding="SAME", dilations=2)', x=IMAGE, w=PATCH),
        sample("{f}(x, w, dilations=[2, 3])", w=PATCH, x=IMAGE),
        sample('{f}(x, w, padding="VALID", dilations=3)', x=SIGNAL, w=LINE),
        sample('{f}(x, w, padding="SAME", dilations=[2, 1, 3])', x=BOX, w=BLOCK),
    ],
    "tensorflow.nn.atrous_conv2d": [
        sample('{f}(x, w, 2, "SAME")', x=IMAGE, w=PATCH),
        sample('{f}(x, w, rate=2, padding="VALID")', w=PATCH, x=IMAGE),
        sample('{f}(x, w, 1, padding="SAME")', x=IMAGE, w=PATCH),
    ],
    "tensorflow.nn.conv_transpose": [
        sample("{f}(x, w, [2, 7, 3], 1)", x=array(2, 7, 4), w=LINE),
        sample("{f}(x, w, [2, 6, 5, 3], strides=2)", w=PATCH, x=array(2, 3, 3, 4)),
        sample('{f}(x, w, [2, 4, 3, 5, 2], 1, padding="SAME")', w=BLOCK, x=array(2, 4, 3, 5, 3)),
    ],
    "tensorflow.nn.depthwise_conv2d": [
        sample('{f}(x, w, [1, 1, 1, 1], "SAME")', x=IMAGE, w=DEEP),
        sample('{f}(x, w, strides=[1, 2, 2, 1], padding="VALID")', w=DEEP, x=IMAGE),
        sample(f"{{f}}(x, w, [1, 2, 2, 1], {PADDED})", x=IMAGE, w=DEEP),
        sample('{f}(x, w, [1, 1, 1, 1], "SAME", dilations=[2, 2])', x=IMAGE, w=DEEP),
        sample('{f}(x, w, [1, 1, 1, 1], "VALID", None, [2, 3])', w=DEEP, x=IMAGE),
    ],
    "tensorflow.nn.depthwise_conv2d_backprop_input": [
        sample('{f}([2, 6, 5, 3], w, g, [1, 1, 1, 1], "SAME")', w=DEEP, g=array(2, 6, 5, 6)),
        sample('{f}([2, 6, 5, 3], w, g, [1, 2, 2, 1], "VALID")', g=array(2, 2, 2, 6), w=DEEP),
    ],
    "tensorflow.nn.depthwise_conv2d_backprop_filter": [
        sample('{f}(x, [3, 2, 3, 2], g, [1, 1, 1, 1], "SAME")', x=IMAGE, g=array(2, 6, 5, 6)),
        sample('{f}(x, [3, 2, 3, 2], g, [1, 2, 2, 1], "VALID")', g=array(2, 2, 2, 6), x=IMAGE),
    ],
    "tensorflow.nn.separable_conv2d": [
        sample('{f}(x, w, p, [1, 1, 1, 1], "SAME")', x=IMAGE, w=DEEP, p=array(1, 1, 6, 5)),
        sample('{f}(x, w, p, [1, 2, 2, 1], "VALID")', w=DEEP, x=IMAGE, p=array(1, 1, 6, 5)),
        sample('{f}(x, w, p, [1, 1, 1, 1], padding="SAME")', p=array(1, 1, 6, 5), w=DEEP, x=IMAGE),
    ],
    # pooling
    "tensorflow.nn.avg_pool": POOLED_IMAGES,
    "tensorflow.nn.avg_pool1d": POOLED_SIGNALS,
    "tensorflow.nn.avg_pool3d": POOLED_BOXES,
    "tensorflow.nn.max_pool3d": POOLED_BOXES,
    "tensorflow.nn.max_pool": [
        *POOLED_IMAGES,
        sample(f"{{f}}(x, [3, 2], 2, {PADDED})", x=IMAGE, is_twice=False),
        sample('{f}(x, 2, 1, "VALID")', x=np.ones((1, 3, 3, 1))),
    ],
    "tensorflow.nn.pool": [
        sample('{f}(x, [2, 2], "AVG", [2, 2], "SAME", "NHWC")', x=IMAGE),
        sample('{f}(x, [2, 3], "AVG")', x=IMAGE),
        sample('{f}(x, [2], pooling_type="AVG", strides=[2], data_format="NWC")', x=SIGNAL),
        sample('{f}(x, [2, 2], "MAX", [2, 2], "SAME", "NHWC")', x=IMAGE),
        sample('{f}(x, window_shape=[2, 3], pooling_type="MAX")', x=IMAGE),
        sample('{f}(x, [3], "MAX", strides=[2], data_format="NWC")', x=SIGNAL),
    ],
    "tensorflow.nn.max_pool_with_argmax": [
        sample('{f}(x, 2, 2, "SAME")', x=IMAGE),
        sample('{f}(x, [2, 3], 1, padding="VALID", include_batch_in_index=True)', x=IMAGE),
    ],
    "tensorflow.nn.max_pool1d": POOLED_SIGNALS,
    # norms
    "tensorflow.nn.batch_normalization": [
        normalized("{f}(x, m, v, o, s, 1e-3)", x=(4, 2, 3), m=(3,), v=(3,), o=(3,), s=(3,)),
        normalized("{f}(x, m, v, None, s, 1e-3)", v=(1, 3), x=(4, 3), m=(1, 3), s=(3,)),
        normalized("{f}(x, m, v, o, None, 1e-3)", m=(3,), x=(4, 3), v=(3,), o=(1, 3)),
        normalized(
            "{f}(x, m, v, offset=None, scale=None, variance_epsilon=0.1)",
            x=(4, 3),
            m=(3,),
            v=(3,),
        ),
        normalized("{f}(x, m, v, o, s, 1e-3)", s=(3,), x=(2, 3), m=(2, 1), v=(2, 1), o=(3,)),
    ],
    "tensorflow.nn.moments": [
        sample("{f}(x, [0])", x=array(4, 3)),
        sample("{f}(x, axes=[0, 1])", x=array(4, 2, 3)),
        sample("{f}(x, [-1], keepdims=True)", x=array(4, 3)),
        sample("{f}(x, (0, 2), None, True)", x=array(4, 2, 3)),
        sample("{f}(x, 0)", x=array(4)),
    ],
    "tensorflow.nn.weighted_moments": [
        sample("{f}(x, [0], w)", x=array(4, 3), w=array(4, 1, low=0.5, seed=1)),
        sample("{f}(x, [0, 1], w)", w=array(3, low=0.5, seed=1), x=array(4, 2, 3)),
        sample("{f}(x, [-1], w, keepdims=True)", x=array(4, 3), w=array(4, 3, low=0.5, seed=1)),
        sample("{f}(x, [1], frequency_weights=w)", x=array(4, 3), w=np.array(2.0)),
    ],
    "tensorflow.nn.normalize_moments": [
        sample("{f}(n, m, v, s)", n=np.array(4.0), m=array(3), v=array(3, seed=1), s=array(3)),
        sample("{f}(n, m, v, None)", m=array(2, 3), v=array(2, 3, seed=1), n=np.array(4.0)),
        sample(
            "{f}(n, mean_ss=m, variance_ss=v, shift=s)",
            m=array(3),
            v=array(3),
            n=array(),
            s=array(),
        ),
        sample(
            "{f}(n, m, v, shift=None)",
            v=array(3),
            m=array(3, seed=1),
            n=array(3, low=2.0, high=4.0),
        ),
    ],
    "tensorflow.nn.dropout": [
        sample("{f}(x, 0.0)", x=array(4, 3)),
        sample("{f}(x, rate=0.0, noise_shape=[4, 1])", x=array(4, 3)),
    ],
    "tensorflow.nn.experimental.stateless_dropout": [
        sample("{f}(x, 0.4, seed=[1, 2])", x=array(4, 3)),
        sample("{f}(x, rate=0.4, seed=s)", x=np.zeros((4, 3)), s=np.array([3, 4])),
        sample("{f}(x, 0.4, [1, 2], noise_shape=[4, 1])", x=array(4, 3)),
        sample("{f}(x, 0.0, [1, 2])", x=array(3)),
    ],
}
