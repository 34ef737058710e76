"""What functions of TensorFlow do, where no default tells.

Nothing changes a tensor, so that it does not matter which memory a result has.
"""

from __future__ import annotations

from adlsp.transform.ops.spec import (
    ANY,
    FRESH,
    NONE,
    OUTSIDE,
    Cost,
    Dtype,
    Kind,
    Makes,
    Operation,
    Shape,
    op,
)

HOMES = (
    *(
        entry
        for home in ("math", "nn", "linalg", "signal", "image", "bitwise")
        for entry in op(
            f"{home}.", "tensorflow.", result=FRESH, effect=NONE, gives=Kind.ARRAY, retains=False
        )
    ),
    *op("tensorflow.raw_ops.", result=FRESH, effect=NONE, retains=False),
    *op("adlsp.runtime.tensors.", result=FRESH),
)

OF_RUNTIME = (
    *op("scale_all stitch_bar", "adlsp.runtime.tensors.", gives=Kind.LIST, gives_several=True),
    *op("lengths", "adlsp.runtime.tensors.", is_of_shapes=True),
    *op("others_bar", "adlsp.runtime.tensors.", like=1),
    *op(
        "avg_pool_bar conv2d_filters_bar filters_bar max_pool_bar mean_bar",
        "adlsp.runtime.tensors.",
        gives=Kind.ARRAY,
        dtype=Dtype.FIRST,
    ),
    *op("einsum_bar_a", "adlsp.runtime.tensors.", like=2),
    *op("tensordot_bar_a", "adlsp.runtime.tensors.", like=1),
    *op("einsum_bar_b", "adlsp.runtime.tensors.", like=3),
    *op("tensordot_bar_b", "adlsp.runtime.tensors.", like=2),
    *op(
        "einsum_bar_a einsum_bar_b scan shifted tensordot_bar_a tensordot_bar_b triangle turn",
        "adlsp.runtime.tensors.",
        makes=Makes.GRADIENT_AS,
    ),
    *op(
        "without_label",
        "adlsp.runtime.tensors.",
        parameters="labels logits",
        gives=Kind.ARRAY,
        shape=Shape.SECOND,
        dtype=Dtype.COMMON,
    ),
    *op("count", "adlsp.runtime.tensors.", makes=Makes.COUNT),
    *op(
        "of_segments",
        "adlsp.runtime.tensors.",
        parameters="values segment_ids",
        gives=Kind.ARRAY,
        shape=Shape.TAKEN_ROWS,
        dtype=Dtype.FIRST,
    ),
    *op(
        "tile_bar",
        "adlsp.runtime.tensors.",
        parameters="g multiples shape",
        gives=Kind.ARRAY,
        shape=Shape.FILLED,
        dtype=Dtype.FIRST,
    ),
    *op(
        "scatter",
        "adlsp.runtime.tensors.",
        parameters="values places shape",
        gives=Kind.ARRAY,
        shape=Shape.FILLED,
        dtype=Dtype.FIRST,
    ),
    *op(
        "conj half_triangle symmetric_bar",
        "adlsp.runtime.tensors.",
        parameters="x",
        gives=Kind.ARRAY,
        shape=Shape.SAME,
        dtype=Dtype.FIRST,
    ),
)

PURE = (
    "abs acos acosh add add_n argmax argmin argsort asin asinh atan atan2 atanh batch_to_space "
    "boolean_mask broadcast_to cast clip_by_norm clip_by_value complex concat constant "
    "convert_to_tensor cos cosh cumsum divide dynamic_stitch einsum ensure_shape equal exp "
    "expand_dims eye fftnd fill floor gather gather_nd greater greater_equal "
    "histogram_fixed_width identity ifftnd less less_equal linspace logical_and logical_not "
    "logical_or matmul matrix_square_root maximum minimum multiply negative norm not_equal "
    "one_hot ones ones_like pad pow range rank realdiv reduce_all reduce_any reduce_logsumexp "
    "reduce_max reduce_mean reduce_min reduce_prod reduce_sum repeat reshape reverse "
    "reverse_sequence roll round scalar_mul scatter_nd searchsorted sequence_mask shape sigmoid "
    "sign sin sinh size slice sort space_to_batch space_to_batch_nd sqrt square squeeze stack "
    "stop_gradient strided_slice subtract tan tanh tensor_scatter_nd_add tensor_scatter_nd_max "
    "tensor_scatter_nd_min tensor_scatter_nd_sub tensor_scatter_nd_update tensordot tile "
    "transpose truediv truncatediv truncatemod unravel_index where zeros zeros_like"
)

LISTS = (
    *op(
        "dynamic_partition meshgrid shape_n split unstack",
        "tensorflow.",
        gives=Kind.LIST,
        gives_several=True,
    ),
    *op("meshgrid shape_n split unstack", "tensorflow.", result=FRESH, effect=NONE, retains=False),
)

TUPLES = (
    *op(
        "dynamic_partition unique unique_with_counts",
        "tensorflow.",
        result=FRESH,
        effect=NONE,
        retains=False,
    ),
    *op("clip_by_global_norm", "tensorflow.", result=FRESH, effect=NONE, retains=False),
    *op(
        "clip_by_global_norm image.image_gradients unique unique_with_counts linalg.eig "
        "linalg.eigh linalg.lu linalg.normalize linalg.qr linalg.slogdet linalg.svd math.top_k "
        "nn.moments nn.top_k "
        "nn.max_pool_with_argmax nn.normalize_moments nn.sufficient_statistics "
        "nn.weighted_moments",
        "tensorflow.",
        gives=Kind.TUPLE,
        gives_several=True,
    ),
)

NAMED = (
    *op("math.top_k nn.top_k", "tensorflow.", fields=("values", "indices")),
    *op("math.top_k nn.top_k nn.max_pool_with_argmax linalg.lu", "tensorflow.", places=(1,)),
    *op("unique", "tensorflow.", fields=("y", "idx")),
    *op("unique_with_counts", "tensorflow.", fields=("y", "idx", "count")),
    *op("linalg.slogdet", "tensorflow.", fields=("sign", "log_abs_determinant")),
    *op("linalg.qr", "tensorflow.", fields=("q", "r")),
    *op("linalg.lu", "tensorflow.", fields=("lu", "p")),
    *op("nn.max_pool_with_argmax", "tensorflow.", fields=("output", "argmax")),
)

SEEDED = op(
    "stateless_gamma stateless_normal stateless_truncated_normal stateless_uniform",
    "tensorflow.random.",
    result=FRESH,
    effect=NONE,
    gives=Kind.ARRAY,
    retains=False,
)

OUTWARD = (
    *op("Variable", "tensorflow.", result=FRESH, effect=OUTSIDE, gives=Kind.ARRAY, retains=False),
    *op("Assert print debugging.", "tensorflow.", effect=OUTSIDE),
    *op(
        "AssignAddVariableOp AssignSubVariableOp AssignVariableOp",
        "tensorflow.raw_ops.",
        effect=ANY,
    ),
    *op(
        "assert_all_finite check_numerics",
        "tensorflow.debugging.",
        result=FRESH,
        effect=OUTSIDE,
        gives=Kind.ARRAY,
        dtype=Dtype.FIRST,
        retains=False,
    ),
    *op(
        "normal uniform truncated_normal gamma poisson shuffle categorical set_seed",
        "tensorflow.random.",
        result=FRESH,
        effect=OUTSIDE,
        retains=False,
    ),
    *op("dropout experimental.stateless_dropout", "tensorflow.nn.", effect=OUTSIDE),
)

REDUCTIONS = "reduce_max reduce_mean reduce_min reduce_prod reduce_sum"

SHAPED = (
    *op(REDUCTIONS, "tensorflow.", shape=Shape.REDUCED),
    *op(REDUCTIONS, "tensorflow.math.", shape=Shape.REDUCED),
    *op(
        "clip_by_value identity ones_like reverse roll stop_gradient zeros_like",
        "tensorflow.",
        shape=Shape.FIRST,
    ),
)

ACTIVATIONS = (
    *op("sigmoid tanh", "tensorflow.", shape=Shape.FIRST),
    *op("sigmoid softplus softsign tanh", "tensorflow.math.", shape=Shape.FIRST),
    *op("elu relu relu6 selu sigmoid softplus softsign tanh", "tensorflow.nn.", shape=Shape.FIRST),
)

SHAPES = (
    *op("rank shape size", "tensorflow.", like=0, tells_shape=True, dtype=Dtype.INTEGER),
    *op("shape", "tensorflow.", cost=Cost.FREE),
    *op("ones_like zeros_like", "tensorflow.", like=0),
)

TOLD = (
    *(
        entry
        for home in ("tensorflow.", "tensorflow.math.", "tensorflow.nn.")
        for entry in op(
            "acos acosh add asin asinh atan atan2 atanh cos cosh digamma erf erfc erfinv exp "
            "expm1 lgamma log log1p log_sigmoid maximum minimum multiply negative pow "
            "reciprocal relu rsqrt sigmoid sign silu sin sinh softplus softsign sqrt square "
            "subtract swish tan tanh",
            home,
            shape=Shape.EACH,
            dtype=Dtype.COMMON,
        )
    ),
    *op("divide truediv math.divide math.truediv", "tensorflow.", shape=Shape.EACH),
    *op("divide truediv math.divide math.truediv", "tensorflow.", dtype=Dtype.QUOTIENT),
    *op("complex", "tensorflow.", dtype=Dtype.COMPLEX),
    *op("elu gelu leaky_relu relu6 selu", "tensorflow.nn.", dtype=Dtype.FIRST),
    *op(
        "TanhGrad SigmoidGrad ReluGrad SoftplusGrad EluGrad SeluGrad SoftsignGrad Relu6Grad",
        "tensorflow.raw_ops.",
        gives=Kind.ARRAY,
        dtype=Dtype.COMMON,
    ),
    *op("TanhGrad SigmoidGrad", "tensorflow.raw_ops.", parameters="y dy", shape=Shape.EACH),
    *op("ReluGrad SoftplusGrad SoftsignGrad", "tensorflow.raw_ops.", shape=Shape.EACH),
    *op(
        "ReluGrad SoftplusGrad SoftsignGrad", "tensorflow.raw_ops.", parameters="gradients features"
    ),
    *op(
        "EluGrad SeluGrad", "tensorflow.raw_ops.", parameters="gradients outputs", shape=Shape.EACH
    ),
    *(
        entry
        for home in ("tensorflow.", "tensorflow.math.")
        for entry in op(
            REDUCTIONS,
            home,
            parameters="input_tensor axis=None keepdims=False",
            dtype=Dtype.FIRST,
        )
    ),
    *op(
        "matmul linalg.matmul",
        "tensorflow.",
        parameters="a b transpose_a=False transpose_b=False adjoint_a=False adjoint_b=False",
        shape=Shape.MATMUL,
        dtype=Dtype.COMMON,
    ),
    *op(
        "MatMul",
        "tensorflow.raw_ops.",
        parameters="a b transpose_a=False transpose_b=False",
        shape=Shape.MATMUL,
        dtype=Dtype.COMMON,
        gives=Kind.ARRAY,
    ),
    *op("concat", "tensorflow.", parameters="values axis", shape=Shape.JOINED),
    *op("stack", "tensorflow.", parameters="values axis=0", shape=Shape.STACKED),
    *op("split", "tensorflow.", parameters="value num_or_size_splits axis=0"),
    *op("split", "tensorflow.", shape=Shape.SECTIONS),
    *op("unstack", "tensorflow.", parameters="value num=None axis=0", shape=Shape.UNSTACKED),
    *op("concat split stack unstack", "tensorflow.", dtype=Dtype.FIRST),
    *op("ones zeros", "tensorflow.", parameters="shape dtype=None", shape=Shape.FILLED),
    *op("fill", "tensorflow.", parameters="shape value", shape=Shape.FILLED),
    *op("reshape", "tensorflow.", parameters="tensor shape", shape=Shape.RESHAPED),
    *op("broadcast_to", "tensorflow.", parameters="input shape", shape=Shape.BROADCAST),
    *op("expand_dims", "tensorflow.", parameters="input axis", shape=Shape.EXPANDED),
    *op("squeeze", "tensorflow.", parameters="input axis=None", shape=Shape.SQUEEZED),
    *op("transpose", "tensorflow.", parameters="a perm=None", shape=Shape.TRANSPOSED),
    *op("cast", "tensorflow.", parameters="x dtype", shape=Shape.SAME),
    *op("identity ones_like stop_gradient zeros_like", "tensorflow.", dtype=Dtype.FIRST),
    *op("identity stop_gradient", "tensorflow.", parameters="input"),
    *op("ones_like zeros_like", "tensorflow.", parameters="input dtype=None"),
    *op(
        "softmax log_softmax",
        "tensorflow.nn.",
        parameters="logits axis=-1",
        shape=Shape.SAME,
        dtype=Dtype.FIRST,
    ),
    *op(
        "softmax_cross_entropy_with_logits",
        "tensorflow.nn.",
        parameters="labels logits axis=-1",
        shape=Shape.FOLDED,
        dtype=Dtype.COMMON,
    ),
    *op(
        "sparse_softmax_cross_entropy_with_logits",
        "tensorflow.nn.",
        parameters="labels logits",
        shape=Shape.SAME,
        dtype=Dtype.COMMON,
    ),
    *op(
        "sigmoid_cross_entropy_with_logits",
        "tensorflow.nn.",
        parameters="labels logits",
        shape=Shape.EACH,
        dtype=Dtype.COMMON,
    ),
    *op("gelu", "tensorflow.nn.", parameters="features approximate=False", shape=Shape.SAME),
    *op("leaky_relu", "tensorflow.nn.", parameters="features alpha=0.2", shape=Shape.SAME),
    *op("moments", "tensorflow.nn.", parameters="x axes shift=None keepdims=False"),
    *op("moments", "tensorflow.nn.", shape=Shape.MOMENTS, dtype=Dtype.FIRST),
    *op(
        "math.l2_normalize nn.l2_normalize",
        "tensorflow.",
        parameters="x axis=None epsilon=1e-12",
        shape=Shape.SAME,
        dtype=Dtype.FIRST,
    ),
    *op(
        "reduce_logsumexp math.reduce_logsumexp math.reduce_std math.reduce_variance",
        "tensorflow.",
        parameters="input_tensor axis=None keepdims=False",
        shape=Shape.REDUCED,
        dtype=Dtype.FIRST,
    ),
    *op("abs math.abs", "tensorflow.", parameters="x", shape=Shape.SAME, dtype=Dtype.FIRST),
    *op("math.squared_difference", "tensorflow.", shape=Shape.EACH, dtype=Dtype.COMMON),
    *op(
        "cumsum math.cumsum math.cumprod",
        "tensorflow.",
        parameters="x axis=0 exclusive=False reverse=False",
        shape=Shape.SAME,
        dtype=Dtype.FIRST,
    ),
    *op("clip_by_value reverse roll", "tensorflow.", dtype=Dtype.FIRST),
    *op("where", "tensorflow.", parameters="condition x=None y=None", shape=Shape.WHERE),
    *op("where", "tensorflow.", dtype=Dtype.COMMON),
    *op("einsum", "tensorflow.", shape=Shape.EINSUM, dtype=Dtype.COMMON),
    *op(
        "gather",
        "tensorflow.",
        parameters="params indices validate_indices=None axis=0",
        shape=Shape.TAKEN,
        dtype=Dtype.FIRST,
    ),
    *op("tile", "tensorflow.", parameters="input multiples", shape=Shape.TILED),
    *op(
        "unsorted_segment_sum unsorted_segment_mean",
        "tensorflow.math.",
        parameters="data segment_ids num_segments",
    ),
    *op("segment_sum segment_mean", "tensorflow.math.", parameters="data segment_ids"),
    *op(
        "unsorted_segment_sum unsorted_segment_mean segment_sum segment_mean",
        "tensorflow.math.",
        shape=Shape.SEGMENTS,
        dtype=Dtype.FIRST,
    ),
    *op(
        "range",
        "tensorflow.",
        parameters="start limit=None delta=None dtype=None",
        shape=Shape.STEPS,
    ),
    *op("shape", "tensorflow.", parameters="input", shape=Shape.SIZES),
    *op("eye", "tensorflow.", parameters="num_rows num_columns=None batch_shape=None dtype=None"),
    *op("eye", "tensorflow.", shape=Shape.SQUARE),
    *op("cholesky", "tensorflow.linalg.", parameters="input", shape=Shape.SAME),
    *op("inv", "tensorflow.linalg.", parameters="input adjoint=False", shape=Shape.SAME),
    *op("det", "tensorflow.linalg.", parameters="input", shape=Shape.OF_MATRICES),
    *op("set_diag", "tensorflow.linalg.", parameters="input diagonal", shape=Shape.SAME),
    *op("band_part", "tensorflow.linalg.", shape=Shape.SAME),
    *op("band_part", "tensorflow.linalg.", parameters="input num_lower num_upper"),
    *op("matrix_transpose", "tensorflow.linalg.", parameters="a"),
    *op("matrix_transpose", "tensorflow.linalg.", shape=Shape.MATRICES_TRANSPOSED),
    *op(
        "band_part cholesky det inv matrix_transpose set_diag",
        "tensorflow.linalg.",
        dtype=Dtype.FIRST,
    ),
    *op("diag_part", "tensorflow.linalg.", dtype=Dtype.FIRST),
    *op("matvec", "tensorflow.linalg.", parameters="a b transpose_a=False", shape=Shape.MATVEC),
    *op("solve", "tensorflow.linalg.", parameters="matrix rhs adjoint=False", shape=Shape.SOLVED),
    *op(
        "triangular_solve",
        "tensorflow.linalg.",
        parameters="matrix rhs lower=True adjoint=False",
        shape=Shape.SOLVED,
    ),
    *op("matvec solve triangular_solve", "tensorflow.linalg.", dtype=Dtype.COMMON),
    *op(
        "conv2d conv3d",
        "tensorflow.nn.",
        parameters="input filters strides padding data_format=None dilations=None",
    ),
    *op(
        "conv1d",
        "tensorflow.nn.",
        parameters="input filters stride padding data_format=None dilations=None",
    ),
    *op(
        "conv1d conv2d conv3d",
        "tensorflow.nn.",
        shape=Shape.WINDOWED,
        dtype=Dtype.COMMON,
    ),
    *op(
        "avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d",
        "tensorflow.nn.",
        parameters="input ksize strides padding data_format=None",
        shape=Shape.WINDOWED,
        dtype=Dtype.FIRST,
    ),
    *op(
        "conv2d_transpose",
        "tensorflow.nn.",
        dtype=Dtype.COMMON,
    ),
)
"""What tells of the shapes and dtypes of results."""

ALIKE = (
    *op(
        "clip_by_norm debugging.assert_all_finite debugging.check_numerics ensure_shape floor "
        "image.flip_left_right image.flip_up_down linalg.expm math.ceil math.cumulative_logsumexp "
        "math.floor math.log_softmax math.rint math.round math.softmax nn.bias_add "
        "reverse_sequence round sort tensor_scatter_nd_add tensor_scatter_nd_max "
        "tensor_scatter_nd_min tensor_scatter_nd_sub tensor_scatter_nd_update",
        "tensorflow.",
        shape=Shape.FIRST,
        dtype=Dtype.FIRST,
    ),
    *(
        entry
        for home in ("tensorflow.", "tensorflow.math.")
        for entry in op(
            "equal greater greater_equal less less_equal logical_and logical_not logical_or "
            "not_equal",
            home,
            shape=Shape.EACH,
            dtype=Dtype.TRUTH,
        )
    ),
    *op(
        "divide_no_nan floordiv multiply_no_nan",
        "tensorflow.math.",
        shape=Shape.EACH,
        dtype=Dtype.COMMON,
    ),
    *op(
        "batch_to_space boolean_mask gather_nd linalg.diag nn.depth_to_space nn.space_to_depth "
        "slice space_to_batch strided_slice",
        "tensorflow.",
        dtype=Dtype.FIRST,
    ),
    *op("is_finite is_inf is_nan", "tensorflow.math.", shape=Shape.EACH, dtype=Dtype.TRUTH),
)
"""What has the shape, or only the dtype, of what it is given."""

REDUCING = (
    *op(
        "math.reduce_euclidean_norm",
        "tensorflow.",
        parameters="input_tensor axis=None keepdims=False",
        shape=Shape.REDUCED,
        dtype=Dtype.FIRST,
    ),
    *op(
        "linalg.norm norm",
        "tensorflow.",
        parameters="tensor ord='euclidean' axis=None keepdims=False",
        shape=Shape.REDUCED,
        dtype=Dtype.FIRST,
    ),
    *op(
        "math.reduce_all math.reduce_any reduce_all reduce_any",
        "tensorflow.",
        parameters="input_tensor axis=None keepdims=False",
        shape=Shape.REDUCED,
        dtype=Dtype.TRUTH,
    ),
    *op("l2_loss", "tensorflow.nn.", parameters="t", shape=Shape.SCALAR, dtype=Dtype.FIRST),
    *op(
        "math.top_k nn.top_k",
        "tensorflow.",
        parameters="input k=1 sorted=True",
        shape=Shape.LARGEST,
        dtype=Dtype.FIRST,
    ),
    *op(
        "normalize",
        "tensorflow.linalg.",
        parameters="tensor ord='euclidean' axis=None",
        shape=Shape.NORMALIZED,
        dtype=Dtype.FIRST,
    ),
)
"""What goes along axes."""

OF_MATRICES = (
    *op(
        "cholesky_solve",
        "tensorflow.linalg.",
        parameters="chol rhs",
        shape=Shape.SOLVED,
        dtype=Dtype.COMMON,
    ),
    *op("logdet trace", "tensorflow.linalg.", parameters="x", shape=Shape.OF_MATRICES),
    *op("eigvalsh", "tensorflow.linalg.", parameters="tensor", shape=Shape.EIGENVALUES),
    *op("diag_part", "tensorflow.linalg.", parameters="input", shape=Shape.LAST_DIAGONALS),
    *op("adjoint", "tensorflow.linalg.", parameters="a", shape=Shape.MATRICES_TRANSPOSED),
    *op("adjoint eigvalsh logdet trace", "tensorflow.linalg.", dtype=Dtype.FIRST),
    *op(
        "linalg.tensordot tensordot",
        "tensorflow.",
        parameters="a b axes",
        shape=Shape.TENSORDOT,
        dtype=Dtype.COMMON,
    ),
    *op("cross", "tensorflow.linalg.", parameters="a b", shape=Shape.CROSS, dtype=Dtype.COMMON),
)

MADE = (
    *op(
        "constant convert_to_tensor",
        "tensorflow.",
        parameters="value dtype=None",
        shape=Shape.FIRST,
        dtype=Dtype.GIVEN,
    ),
    *op(
        "pad",
        "tensorflow.",
        parameters="tensor paddings mode='CONSTANT' constant_values=0",
        shape=Shape.PADDED,
        dtype=Dtype.FIRST,
    ),
    *op(
        "repeat",
        "tensorflow.",
        parameters="a repeats axis=None",
        shape=Shape.REPEATED,
        dtype=Dtype.FIRST,
    ),
    *op(
        "embedding_lookup",
        "tensorflow.nn.",
        parameters="params ids",
        shape=Shape.TAKEN_ROWS,
        dtype=Dtype.FIRST,
    ),
    *op(
        "normal truncated_normal",
        "tensorflow.random.",
        parameters="shape mean=0.0 stddev=1.0 dtype=None seed=None",
        shape=Shape.FILLED,
        dtype=Dtype.FLOATS,
    ),
)

INTEGERS = (
    *op("argmax argmin argsort searchsorted", "tensorflow.", dtype=Dtype.INTEGER),
    *op("argmax argmin", "tensorflow.math.", dtype=Dtype.INTEGER),
)

DTYPES = (
    *op("cast constant convert_to_tensor", "tensorflow.", dtype_at=1),
    *op("cast", "tensorflow.", converts=True),
    *op("ones zeros", "tensorflow.", dtype=Dtype.FLOATS, dtype_at=1),
    *op("eye", "tensorflow.", dtype=Dtype.FLOATS, dtype_at=3),
    *op("fill ones zeros", "tensorflow.", shape_at=0),
    *op("broadcast_to reshape", "tensorflow.", shape_at=1),
    *op("normal truncated_normal uniform", "tensorflow.random.", shape_at=0),
    *op("normal truncated_normal uniform", "tensorflow.random.", dtype_at=3),
    *op(
        "broadcast_to expand_dims identity reshape reverse squeeze tile transpose",
        "tensorflow.",
        dtype=Dtype.FIRST,
    ),
    *op(
        "bool int16 int32 int64 int8 uint16 uint32 uint64 uint8",
        "tensorflow.",
        names_dtype=Dtype.INTEGER,
    ),
)

SINGULAR = (
    *(
        entry
        for home in ("tensorflow.", "tensorflow.math.")
        for entry in (
            *op("sqrt", home, singular=0, is_tame=True, infinite_at_zero=True),
            *op("argmax argmin floor floordiv round sign", home, jumps=True),
            *op("sign", home, is_phase=True),
            *op("abs square", home, is_size=True),
            *op("acos asin atanh", home, singular=0, regular=0.5),
            *op("acosh", home, singular=0, regular=2.0, infinite_at=(1.0,)),
            *op("acos asin", home, infinite_at=(-1.0, 1.0)),
            *op("divide truediv", home, singular=1),
            *op("maximum minimum", home, bounds=True),
        )
    ),
    *op("log log1p reciprocal rsqrt", "tensorflow.math.", singular=0),
    *op("log reciprocal rsqrt", "tensorflow.math.", infinite_at_zero=True),
    *op("ceil rint", "tensorflow.math.", jumps=True),
    *op("norm", "tensorflow.", is_size=True, infinite_at_zero=True),
    *op("realdiv", "tensorflow.", singular=1),
    *op("where", "tensorflow.", selects=True),
    *op("clip_by_value", "tensorflow.", bounds=True, bounds_below=1),
    *op("maximum", "tensorflow.", bounds_below=0),
    *op("maximum", "tensorflow.math.", bounds_below=0),
    *op("softmax", "tensorflow.nn.", computes=Operation.SHARES),
)

OPERATIONS = tuple(
    entry
    for home in ("tensorflow.", "tensorflow.math.")
    for entry in (
        *op("add", home, computes=Operation.ADD),
        *op("subtract", home, computes=Operation.SUBTRACT),
        *op("multiply", home, computes=Operation.MULTIPLY),
        *op("divide truediv", home, computes=Operation.DIVIDE),
        *op("negative", home, computes=Operation.NEGATE),
        *op("exp", home, computes=Operation.EXP),
        *op("log", home, computes=Operation.LOG),
        *op("reduce_sum", home, computes=Operation.SUM),
        *op("reduce_mean", home, computes=Operation.MEAN),
        *op("equal not_equal", home, computes=Operation.EQUAL),
        *op("reduce_max reduce_min", home, computes=Operation.EXTREME),
    )
)

METHODS = (
    *op("numpy", "ndarray.", result=FRESH, effect=NONE, gives=Kind.ARRAY, cuts=True),
    *op("assign assign_add assign_sub", "ndarray.", changes=(0,)),
    *op("read_value value", "ndarray.", result=FRESH, effect=NONE, gives=Kind.ARRAY),
    *op("get_shape", "ndarray.", result=FRESH, effect=NONE, like=0, tells_shape=True),
)

RECORDS = (
    *OF_RUNTIME,
    *METHODS,
    *op(PURE, "tensorflow.", result=FRESH, effect=NONE, gives=Kind.ARRAY, retains=False),
    *LISTS,
    *TUPLES,
    *NAMED,
    *SEEDED,
    *OUTWARD,
    *SHAPED,
    *TOLD,
    *ACTIVATIONS,
    *ALIKE,
    *REDUCING,
    *OF_MATRICES,
    *MADE,
    *SHAPES,
    *INTEGERS,
    *DTYPES,
    *SINGULAR,
    *OPERATIONS,
    *op(
        "clip_by_value linalg.norm math.reduce_mean math.reduce_prod math.reduce_std "
        "math.reduce_variance math.squared_difference nn.l2_loss "
        "nn.softmax_cross_entropy_with_logits norm reduce_mean reduce_prod signal.rfft tensordot",
        "tensorflow.",
        of_arrays=True,
    ),
)
