"""What functions of NumPy and methods of its arrays do, where no default tells."""

from __future__ import annotations

from adlsp.transform.ops.spec import (
    ANY,
    FRESH,
    NONE,
    OUTSIDE,
    SHARED,
    Cost,
    Dtype,
    Kind,
    Operation,
    Runs,
    Shape,
    Takes,
    When,
    op,
)

HOMES = (
    *op("numpy.", result=SHARED, effect=NONE, gives=Kind.ARRAY, retains=False),
    *op("numpy.linalg.", result=FRESH),
    *op("numpy.fft.", result=FRESH, dtype=Dtype.COMPLEX),
    *op("numpy.emath.", dtype=Dtype.COMPLEX),
    *op("numpy.random.", result=FRESH, effect=OUTSIDE),
    *op("numpy.ma.", own_arithmetic=True),
    *op("numpy.testing.", effect=OUTSIDE),
    *op("numpy.ndarray.", result=SHARED, effect=ANY),
)

NEW = (
    "abs absolute add.accumulate add.outer add.reduce all allclose amax amin angle any append "
    "arange argmax argmin argsort argwhere around array array_equal array_equiv average bincount "
    "cumulative_prod cumulative_sum nancumprod nanprod nanstd polyadd polymul polysub bitwise_and "
    "bitwise_not bitwise_or bitwise_xor block bmat c_ ceil choose column_stack compress concat "
    "concatenate conj conjugate copy corrcoef count_nonzero cov cumprod cumsum delete diagflat "
    "diff digitize divmod dstack ediff1d einsum empty empty_like equal extract eye fix "
    "flatnonzero floor floor_divide full full_like gcd geomspace gradient greater greater_equal "
    "histogram hstack i0 identity indices insert interp invert isclose iscomplex iscomplexobj "
    "isfinite isin isinf isnan isneginf isposinf isreal lcm ldexp less less_equal linspace "
    "logaddexp.reduce logical_and logical_not logical_or logical_xor logspace max "
    "maximum.accumulate maximum.reduce mean median meshgrid min minimum.accumulate "
    "minimum.reduce modf multiply.accumulate multiply.reduce nanargmax "
    "nanargmin nancumsum nanmax nanmean nanmin nansum nanvar ndarray ndim nextafter nonzero "
    "not_equal ones ones_like pad partition percentile polyfit polyval prod ptp quantile r_ "
    "repeat result_type rint roll round searchsorted select shape sign signbit size sort sqrt "
    "stack std subtract.outer sum take take_along_axis tile trace trapezoid tri tril triu trunc "
    "unique unwrap vander var vstack where zeros zeros_like"
)

NAMED = (
    *op("linalg.eig linalg.eigh", "numpy.", fields=("eigenvalues", "eigenvectors")),
    *op("linalg.slogdet", "numpy.", fields=("sign", "logabsdet")),
    *op("linalg.qr", "numpy.", fields=("Q", "R")),
    *op("linalg.svd", "numpy.", fields=("U", "S", "Vh")),
)

SHARING = (
    *op("diff", "numpy.", shared=When(1, "n", (0,))),
    *op("linalg.matrix_power", "numpy.", shared=When(1, "n", (1,))),
    *op("histogram", "numpy.", shared=When(1, "bins")),  # gives the edges, too
    *op("einsum", "numpy.", shared=When(n_operands=2)),
    *op("ndarray", "numpy.", shared=When(2, "buffer")),
    *op("linalg.diagonal linalg.matrix_transpose", "numpy.", result=SHARED),
    *op("float32 float64", "numpy.", result=SHARED),
)

CHANGING = (
    *op("copyto", "numpy.", changes=(0,), changes_by="dst"),
    *op("fill_diagonal put putmask", "numpy.", changes=(0,), changes_by="a"),
    *op("place put_along_axis", "numpy.", changes=(0,), changes_by="arr"),
    *op("random.shuffle", "numpy.", changes=(0,), changes_by="x", reorders=True),
    *op("apply_along_axis apply_over_axes", "numpy.", effect=ANY),
    *op(
        "nan_to_num",
        "numpy.",
        changes=(0,),
        changes_by="x",
        changes_when=When(1, "copy", (False, 0)),
    ),
)

PLACES = (
    *op(
        "abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctanh asin asinh atan "
        "atanh bitwise_count bitwise_invert bitwise_not cbrt ceil conj conjugate cos cosh "
        "deg2rad degrees exp exp2 expm1 fabs fix floor frexp invert isfinite isinf isnan isnat "
        "isneginf isposinf log log10 log1p log2 logical_not modf negative positive rad2deg "
        "radians reciprocal rint sign signbit sin sinh spacing sqrt square tan tanh trunc",
        "numpy.",
        n_before_out=1,
    ),
    *op(
        "add all amax amin any arctan2 argmax argmin around atan2 bitwise_and "
        "bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor choose concat "
        "concatenate copysign divide divmod dot equal float_power floor_divide fmax fmin fmod "
        "gcd greater greater_equal heaviside hypot lcm ldexp left_shift less less_equal "
        "logaddexp logaddexp2 logical_and logical_or logical_xor matmul matvec max maximum "
        "median min minimum mod multiply nanargmax nanargmin nanmax nanmedian nanmin nextafter "
        "not_equal outer pow power ptp remainder right_shift round stack subtract true_divide "
        "vecdot vecmat",
        "numpy.",
        n_before_out=2,
    ),
    *op(
        "clip compress cumprod cumsum mean nancumprod nancumsum nanmean nanpercentile nanprod "
        "nanquantile nanstd nansum nanvar percentile prod quantile std sum take var",
        "numpy.",
        n_before_out=3,
    ),
    *op("is_busday", "numpy.", n_before_out=4),
    *op("busday_count trace", "numpy.", n_before_out=5),
    *op("busday_offset", "numpy.", n_before_out=6),
    *op(
        "fft fft2 fftn hfft ifft ifft2 ifftn ihfft irfft irfft2 irfftn rfft rfft2 rfftn",
        "numpy.fft.",
        n_before_out=4,
    ),
    *op("all any argmax argmin choose dot max min round", "ndarray.", n_before_out=2),
    *op("clip compress cumprod cumsum mean prod std sum take var", "ndarray.", n_before_out=3),
    *op("trace", "ndarray.", n_before_out=5),
)

OUTWARD = op(
    "load loadtxt save savetxt savez savez_compressed set_printoptions set_string_function "
    "setbufsize seterr seterrcall seterrobj",
    "numpy.",
    effect=OUTSIDE,
)

FILING = op("save savetxt savez savez_compressed", "numpy.", file_at=0)

NEW_BY_METHOD = (
    *op(
        "all any argmax argmin astype copy cumsum dot flatten max mean min prod std sum trace var",
        "ndarray.",
        result=FRESH,
        effect=NONE,
    ),
    *op("clip item nonzero round", "ndarray.", result=FRESH, effect=NONE),
    *op(
        "argpartition argsort choose compress cumprod repeat searchsorted take",
        "ndarray.",
        result=FRESH,
    ),
    *op("copy", "ndarray.", keeps_shape=True),
)

METHODS = (
    *op(
        "conj conjugate diagonal ravel reshape squeeze swapaxes tolist transpose",
        "ndarray.",
        effect=NONE,
    ),
    *op("fill partition put resize sort", "ndarray.", changes=(0,)),
    *op("dump setflags tobytes tofile view", "ndarray.", effect=OUTSIDE),
    *op("setfield", "ndarray.", changes=(0,)),
    *op("byteswap", "ndarray.", changes=(0,), changes_when=When(1, "inplace", (True, 1))),
    *op("shuffle", "ndarray.", effect=ANY, changes=(1,), changes_by="x", reorders=True),
    *op("fill partition put setfield", "ndarray.", of=(Kind.ARRAY,)),
)

FLOATS = (
    "arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt cos cosh deg2rad degrees exp exp2 "
    "expm1 fabs hypot log log10 log1p log2 logaddexp logaddexp2 rad2deg radians sin sinh sqrt tan "
    "tanh"
)

FILLING = (
    *op(f"{FLOATS} linspace", "numpy.", dtype=Dtype.FLOATS),
    *op("double float32 float64 longdouble single", "numpy.", dtype=Dtype.FLOATS),
    *op(f"{FLOATS} divide true_divide", "numpy.", fills_exactly=True),
    *op(
        "abs absolute add ceil clip conj conjugate copysign dot float_power floor floor_divide "
        "fmax fmin fmod heaviside matmul maximum minimum mod multiply negative nextafter positive "
        "power reciprocal remainder rint sign square subtract trunc",
        "numpy.",
        fills_exactly=True,
    ),
    *op(
        "amax amin around cumprod cumsum einsum max mean min nancumprod nancumsum nanmax nanmean "
        "nanmin nanprod nanstd nansum nanvar outer prod round std sum trace var",
        "numpy.",
        fills_exactly=False,
    ),
)

EACH = (
    *op("abs absolute imag real", "numpy.", shape=Shape.EACH, dtype=Dtype.PART),
    *op("angle", "numpy.", shape=Shape.EACH, dtype=Dtype.REAL),
    *op("conj conjugate sqrt", "numpy.", shape=Shape.EACH),
    *op("conj conjugate", "ndarray.", shape=Shape.EACH),
)

REDUCTIONS = "amax amin max mean min prod std sum var"

SHAPED = (
    *op(REDUCTIONS, "numpy.", shape=Shape.REDUCED),
    *op(REDUCTIONS, "ndarray.", shape=Shape.REDUCED),
    *op("copy flip roll", "numpy.", shape=Shape.FIRST),
    *op("copy", "ndarray.", shape=Shape.FIRST),
    *op("vdot", "numpy.", shape=Shape.SCALAR),
)

MADE = (
    *op("array asanyarray asarray", "numpy.", shape=Shape.FIRST, dtype=Dtype.FIRST, dtype_at=1),
    *op(
        "empty_like full_like ones_like zeros_like",
        "numpy.",
        shape=Shape.FIRST,
        dtype=Dtype.FIRST,
    ),
    *op("empty identity ones zeros", "numpy.", dtype=Dtype.FLOATS, dtype_at=1),
    *op("full", "numpy.", dtype=Dtype.COMMON, dtype_at=2, values_at=1),
    *op("where", "numpy.", values_at=1),
    *op("empty full ones zeros", "numpy.", shape_at=0),
    *op("broadcast_to reshape", "numpy.", shape_at=1),
    *op("reshape", "ndarray.", shape_at=1),
    *op("eye tri", "numpy.", dtype=Dtype.FLOATS, dtype_at=3),
    *op("astype view", "ndarray.", dtype_at=1),
    *op("astype", "ndarray.", converts=True),
)

HELD = (
    *op("repeat reshape tile", "numpy.", dtype=Dtype.FIRST),
    *op(
        "append arange concatenate copy cumsum diag diagonal flip hstack outer ravel roll sort "
        "squeeze stack transpose vstack where",
        "numpy.",
        dtype=Dtype.COMMON,
    ),
    *op(
        "copy diagonal flatten ravel repeat reshape sort squeeze transpose",
        "ndarray.",
        dtype=Dtype.FIRST,
    ),
    *op("argsort nonzero", "numpy.", dtype=Dtype.INTEGER),
    *op("argsort nonzero", "ndarray.", dtype=Dtype.INTEGER),
    *op("complex128 complex64 linalg.eig linalg.eigvals roots", "numpy.", dtype=Dtype.COMPLEX),
)

TYPES = (
    *op(
        "bool bool_ int16 int32 int64 int8 int_ intp uint32 uint64 uint8",
        "numpy.",
        names_dtype=Dtype.INTEGER,
    ),
    *op("object_", "numpy.", names_dtype=Dtype.OBJECT),
    *op("bytes_ str_", "numpy.", names_dtype=Dtype.TEXT),
)

SEVERAL = (
    *op("array_split gradient histogram meshgrid split", "numpy.", gives_several=True),
    *op("tolist", "ndarray.", gives_several=True),
)

SHAPES = (
    *op("ndim shape size", "numpy.", like=0, tells_shape=True),
    *op("ndim size", "numpy.", gives=Kind.INTEGER),
    *op("shape", "numpy.", gives=Kind.TUPLE, cost=Cost.FREE),
    *op("arange eye identity ones zeros", "numpy.", cost=Cost.SMALL),
)

OPERATIONS = (
    *op("add", "numpy.", computes=Operation.ADD),
    *op("subtract", "numpy.", computes=Operation.SUBTRACT),
    *op("multiply", "numpy.", computes=Operation.MULTIPLY),
    *op("divide", "numpy.", computes=Operation.DIVIDE),
    *op("negative", "numpy.", computes=Operation.NEGATE),
    *op("exp", "numpy.", computes=Operation.EXP),
    *op("log", "numpy.", computes=Operation.LOG),
    *op("sum", "numpy.", computes=Operation.SUM),
    *op("sum", "ndarray.", computes=Operation.SUM),
    *op("mean", "numpy.", computes=Operation.MEAN),
    *op("mean", "ndarray.", computes=Operation.MEAN),
    *op("equal not_equal", "numpy.", computes=Operation.EQUAL),
    *op("amax amin max min", "numpy.", computes=Operation.EXTREME),
    *op("amax amin max min", "ndarray.", computes=Operation.EXTREME),
)

OTHERS = (
    *op("searchsorted", "ndarray.", searches=True),
    *op("fft2 fftn ifft2 ifftn", "numpy.fft.", needs_axes=True),
)

JUMPING = (
    *op("sign", "numpy.", is_phase=True),
    *op("around ceil fix floor floor_divide heaviside rint round sign trunc", "numpy.", jumps=True),
    *op("argmax argmin argsort nanargmax nanargmin digitize searchsorted", "numpy.", jumps=True),
    *op("argmax argmin argsort round", "ndarray.", jumps=True),
)

SIZES = (
    *op("fmax maximum", "numpy.", bounds_below=0),
    *op("clip", "numpy.", bounds_below=1),
    *op("clip", "ndarray.", bounds_below=1),
    *op("abs absolute fabs square var std", "numpy.", is_size=True),
    *op("linalg.norm linalg.vector_norm linalg.matrix_norm", "numpy.", is_size=True),
    *op("linalg.norm linalg.vector_norm std", "numpy.", infinite_at_zero=True),
    *op("var std", "ndarray.", is_size=True),
    *op("std", "ndarray.", infinite_at_zero=True),
    *op("log log10 log2 reciprocal sqrt divide true_divide", "numpy.", infinite_at_zero=True),
    *op("float_power power", "numpy.", computes=Operation.POWER),
)

SINGULAR = (
    *op("log log10 log1p log2 reciprocal sqrt", "numpy.", singular=0),
    *op("sqrt", "numpy.", is_tame=True),
    *op("acos arccos arcsin arctanh asin atanh", "numpy.", singular=0, regular=0.5),
    *op("acosh arccosh", "numpy.", singular=0, regular=2.0, infinite_at=(1.0,)),
    *op("acos arccos arcsin asin", "numpy.", infinite_at=(-1.0, 1.0)),
    *op("divide true_divide", "numpy.", singular=1),
    *op("where", "numpy.", selects=True),
    *op("clip fmax fmin maximum minimum nan_to_num", "numpy.", bounds=True),
    *op("clip", "ndarray.", bounds=True),
)

RUNNING = (
    *op("apply_along_axis fromfunction fromiter sum", "numpy.", runs=Runs.AT_ONCE),
    *op("ndenumerate ndindex", "numpy.", runs=Runs.LATER),
    *op("nditer", "numpy.", takes=Takes.SEQUENCES),
)

ADJOINTS = (
    *op("log where", "numpy.", may_widen=True),
    *op(
        "add.outer convolve correlate einsum multiply.outer outer subtract.outer vdot",
        "numpy.",
        has_common_dtype=True,
    ),
)

OF_ARRAYS = op(
    "divmod gradient heaviside histogram linalg.matrix_power maximum.accumulate "
    "minimum.accumulate multiply.accumulate partition polyval tril triu",
    "numpy.",
    of_arrays=True,
)

RECORDS = (
    *op(NEW, "numpy.", result=FRESH),
    *SHARING,
    *CHANGING,
    *PLACES,
    *OUTWARD,
    *FILING,
    *NEW_BY_METHOD,
    *METHODS,
    *FILLING,
    *EACH,
    *NAMED,
    *SHAPED,
    *MADE,
    *HELD,
    *TYPES,
    *SEVERAL,
    *SHAPES,
    *OPERATIONS,
    *OTHERS,
    *JUMPING,
    *SIZES,
    *SINGULAR,
    *RUNNING,
    *ADJOINTS,
    *OF_ARRAYS,
)
