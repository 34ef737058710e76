"""Which arrays functions of NumPy give, and methods of its arrays: parameters, shapes and dtypes.

A record has those parameters in order, with their defaults, of which something is known: a call
that gives others is one of which nothing is known. Those that take the result are left out at the
end, as the keyword is; where they stand among the others, `n_before_out` says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import Dtype, Op, Shape, View, op


def both(names: str, **said: object) -> Iterator[tuple[str, Op]]:
    """The same of functions and of methods, which are called on their first argument."""
    yield from op(names, "numpy.", **said)
    yield from op(names, "ndarray.", **said)


ELEMENTWISE = (
    *op(
        "add conj conjugate fmax fmin maximum minimum multiply negative positive subtract",
        "numpy.",
        dtype=Dtype.COMMON,
    ),
    *op(
        "ceil floor floor_divide fmod mod pow power reciprocal remainder sign square trunc",
        "numpy.",
        dtype=Dtype.NUMBERS,
    ),
    *op("divide true_divide", "numpy.", dtype=Dtype.QUOTIENT),
    *op(
        "acos acosh asin asinh atan atan2 atanh copysign heaviside sinc",
        "numpy.",
        dtype=Dtype.FLOATS,
    ),
    *op("ceil floor rint sign trunc floor_divide", "numpy.", shape=Shape.PIECEWISE),
    *op("rint", "numpy.", dtype=Dtype.FLOATS),
    *op(
        "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor "
        "logical_not isfinite isnan isinf signbit isposinf isneginf",
        "numpy.",
        shape=Shape.PIECEWISE,
        dtype=Dtype.TRUTH,
    ),
    *op(
        "isclose",
        "numpy.",
        parameters="a b rtol=1e-05 atol=1e-08 | equal_nan=False",
        shape=Shape.PIECEWISE,
        dtype=Dtype.TRUTH,
    ),
    *op("isreal iscomplex", "numpy.", shape=Shape.PIECEWISE, dtype=Dtype.TRUTH),
    *op("angle", "numpy.", parameters="z | deg=False"),
    *op("clip", "numpy.", parameters="a a_min=None a_max=None |", dtype=Dtype.COMMON),
    *op("clip", "ndarray.", parameters="a min=None max=None |", dtype=Dtype.COMMON),
    *op("real imag", "numpy.", makes=Makes.PART),
    *op(
        "nan_to_num",
        "numpy.",
        parameters="x | copy=True nan=0.0 posinf=None neginf=None",
        dtype=Dtype.FIRST,
    ),
    *op("around round", "numpy.", parameters="a | decimals=0"),
    *op("round", "ndarray.", parameters="a | decimals=0"),
    *both("around round", shape=Shape.PIECEWISE, dtype=Dtype.COMMON),
    *op("array_equal array_equiv allclose", "numpy.", makes=Makes.TRUTH),
    *op("iscomplexobj isrealobj isscalar", "numpy.", makes=Makes.TRUTH),
    *op("may_share_memory shares_memory", "numpy.", makes=Makes.TRUTH),
    *op("divmod", "numpy.", makes=Makes.QUOTIENT_AND_REST, dtype=Dtype.COMMON),
    *op("modf", "numpy.", makes=Makes.QUOTIENT_AND_REST, dtype=Dtype.FLOATS),
    *op("float_power", "numpy.", dtype=Dtype.WIDE),
    *op("fix", "numpy.", shape=Shape.PIECEWISE, dtype=Dtype.COMMON),
)

CASTS = op(
    "bool_ complex128 complex64 double float16 float32 float64 half int16 int32 int64 int8 int_ "
    "intp single uint16 uint32 uint64 uint8",
    "numpy.",
    parameters="value",
    shape=Shape.CAST,
)

REDUCTIONS = (
    *both(
        "sum prod",
        parameters="a axis=None dtype=None keepdims=False initial=None where=None",
        dtype=Dtype.TOTAL,
    ),
    *op(
        "nansum nanprod",
        "numpy.",
        parameters="a axis=None dtype=None keepdims=False initial=None where=None",
        shape=Shape.FOLDED,
        dtype=Dtype.TOTAL,
    ),
    *both(
        "amax amin max min",
        parameters="a axis=None keepdims=False initial=None where=None",
        dtype=Dtype.FIRST,
    ),
    *op(
        "nanmax nanmin",
        "numpy.",
        parameters="a axis=None keepdims=False initial=None where=None",
        shape=Shape.FOLDED,
        dtype=Dtype.FIRST,
    ),
    *both(
        "mean",
        parameters="a axis=None dtype=None keepdims=False where=None",
        dtype=Dtype.QUOTIENT,
    ),
    *op(
        "nanmean",
        "numpy.",
        parameters="a axis=None dtype=None keepdims=False where=None",
        shape=Shape.FOLDED,
        dtype=Dtype.QUOTIENT,
    ),
    *both(
        "std var",
        parameters="a axis=None dtype=None ddof=0 keepdims=False where=None mean=None",
        dtype=Dtype.MAGNITUDE,
    ),
    *op(
        "nanstd nanvar",
        "numpy.",
        parameters="a axis=None dtype=None ddof=0 keepdims=False where=None mean=None",
        shape=Shape.FOLDED,
        dtype=Dtype.MAGNITUDE,
    ),
    *both(
        "all any",
        parameters="a axis=None keepdims=False where=None",
        shape=Shape.FOLDED,
        dtype=Dtype.TRUTH,
    ),
    *both(
        "argmax argmin",
        parameters="a axis=None keepdims=False",
        shape=Shape.FOLDED,
        dtype=Dtype.INTEGER,
    ),
    *op(
        "nanargmax nanargmin",
        "numpy.",
        parameters="a axis=None keepdims=False",
        shape=Shape.FOLDED,
        dtype=Dtype.INTEGER,
    ),
    *op(
        "ptp",
        "numpy.",
        parameters="a axis=None keepdims=False",
        shape=Shape.FOLDED,
        dtype=Dtype.FIRST,
    ),
    *op(
        "average",
        "numpy.",
        parameters="a axis=None weights=None returned=False keepdims=False",
        shape=Shape.AVERAGE,
        dtype=Dtype.QUOTIENT,
    ),
    *op(
        "median",
        "numpy.",
        parameters="a axis=None overwrite_input=False keepdims=False",
        shape=Shape.FOLDED,
        dtype=Dtype.QUOTIENT,
    ),
    *op(
        "quantile percentile",
        "numpy.",
        parameters="a q axis=None overwrite_input=False method='linear' keepdims=False",
        shape=Shape.QUANTILES,
        dtype=Dtype.QUOTIENT,
    ),
    *op(
        "trapezoid trapz",
        "numpy.",
        parameters="y x=None dx=1.0 axis=-1",
        shape=Shape.INTEGRAL,
        dtype=Dtype.QUOTIENT,
    ),
    *op(
        "add.reduce multiply.reduce",
        "numpy.",
        parameters="array axis=0 dtype=None keepdims=False",
        shape=Shape.FOLDED,
        dtype=Dtype.TOTAL,
    ),
    *op(
        "maximum.reduce minimum.reduce logaddexp.reduce",
        "numpy.",
        parameters="array axis=0 dtype=None keepdims=False",
        shape=Shape.FOLDED,
    ),
    *op("maximum.reduce minimum.reduce", "numpy.", dtype=Dtype.FIRST),
    *op("logaddexp.reduce", "numpy.", dtype=Dtype.FLOATS),
    *op(
        "linalg.norm",
        "numpy.",
        parameters="x ord=None axis=None keepdims=False",
        shape=Shape.FOLDED,
        dtype=Dtype.MAGNITUDE,
    ),
)

ALONG = (
    *both("cumprod cumsum", parameters="a axis=None dtype=None", shape=Shape.CUMULATED),
    *both("cumprod cumsum", dtype=Dtype.COMMON),
    *op(
        "nancumprod nancumsum",
        "numpy.",
        parameters="a axis=None dtype=None",
        shape=Shape.CUMULATED,
        dtype=Dtype.TOTAL,
    ),
    *op(
        "add.accumulate multiply.accumulate",
        "numpy.",
        parameters="array axis=0 dtype=None",
        shape=Shape.CUMULATED,
        dtype=Dtype.TOTAL,
    ),
    *op(
        "maximum.accumulate minimum.accumulate",
        "numpy.",
        parameters="array axis=0 dtype=None",
        shape=Shape.CUMULATED,
        dtype=Dtype.FIRST,
    ),
    *op(
        "cumulative_prod cumulative_sum",
        "numpy.",
        parameters="x | axis=None dtype=None",
        shape=Shape.CUMULATED,
        dtype=Dtype.TOTAL,
    ),
    *op(
        "unwrap",
        "numpy.",
        parameters="p discont=None axis=-1",
        shape=Shape.SAME,
        dtype=Dtype.FLOATS,
    ),
    *op("sort", "numpy.", parameters="a axis=-1 kind=None order=None", shape=Shape.ALONG),
    *both(
        "argsort",
        parameters="a axis=-1 kind=None order=None",
        shape=Shape.ALONG,
        dtype=Dtype.INTEGER,
    ),
    *both("argpartition", parameters="a kth axis=-1", shape=Shape.ALONG, dtype=Dtype.INTEGER),
    *op("partition", "numpy.", parameters="a kth axis=-1", shape=Shape.ALONG, dtype=Dtype.FIRST),
    *op(
        "diff",
        "numpy.",
        parameters="a n=1 axis=-1 prepend=None append=None",
        shape=Shape.DIFFERENCES,
        dtype=Dtype.COMMON,
    ),
    *op("ediff1d", "numpy.", parameters="ary", shape=Shape.VECTOR, dtype=Dtype.COMMON),
    *op("roll", "numpy.", parameters="a shift axis=None"),
    *op("flip", "numpy.", parameters="m axis=None"),
    *op("fliplr flipud", "numpy.", parameters="m", shape=Shape.SAME, dtype=Dtype.COMMON),
    *op("rot90", "numpy.", parameters="m k=1 axes=(0,1)", shape=Shape.ROTATED, dtype=Dtype.COMMON),
)

MAKING = (
    *op("array", "numpy.", parameters="object dtype=None copy=True order='K' ndmin=None"),
    *op("asarray", "numpy.", parameters="a dtype=None order=None copy=None"),
    *op("array asarray", "numpy.", makes=Makes.ARRAY),
    *op("asanyarray", "numpy.", parameters="a dtype=None order=None"),
    *op(
        "ascontiguousarray asfortranarray",
        "numpy.",
        parameters="a dtype=None",
        shape=Shape.AT_LEAST_1D,
        dtype=Dtype.COMMON,
    ),
    *op("copy", "numpy.", parameters="a order='K'"),
    *op("copy", "ndarray.", parameters="a order='C'"),
    *op(
        "zeros_like ones_like empty_like",
        "numpy.",
        parameters="a dtype=None order='K' subok=True shape=None",
    ),
    *op(
        "full_like", "numpy.", parameters="a fill_value dtype=None order='K' subok=True shape=None"
    ),
    *op("astype", "ndarray.", parameters="a dtype order='K' casting='unsafe' subok=True copy=True"),
    *op("astype", "ndarray.", shape=Shape.CAST),
    *op("empty ones zeros", "numpy.", parameters="shape dtype=None order='C'"),
    *op("full", "numpy.", parameters="shape fill_value dtype=None order='C'"),
    *op("empty full ones zeros", "numpy.", shape=Shape.FILLED),
    *op("eye tri", "numpy.", parameters="N M=None k=0 dtype=None", shape=Shape.SQUARE),
    *op("identity", "numpy.", parameters="n dtype=None", shape=Shape.SQUARE),
    *op("arange", "numpy.", parameters="start stop=None step=None dtype=None", shape=Shape.STEPS),
    *op(
        "linspace",
        "numpy.",
        parameters="start stop num=50 endpoint=True retstep=False dtype=None axis=0",
        shape=Shape.SAMPLES,
    ),
    *op(
        "logspace",
        "numpy.",
        parameters="start stop num=50 endpoint=True base=10.0 dtype=None axis=0",
        shape=Shape.SAMPLES,
    ),
    *op(
        "geomspace",
        "numpy.",
        parameters="start stop num=50 endpoint=True dtype=None axis=0",
        shape=Shape.SAMPLES,
    ),
)

RANDOM = "numpy.random."
GENERATORS = "numpy.random.RandomState.", "numpy.random.Generator."


def drawn(
    names: str, parameters: str, dtype: Dtype = Dtype.FLOATS, *, by_dtype: bool = False
) -> Iterator[tuple[str, Op]]:
    """Random numbers of a distribution, by functions and by methods of what draws them.

    `by_dtype`: a generator can be told the dtype.
    """
    for home in (RANDOM, *GENERATORS):
        own = parameters if home == RANDOM else f"self {parameters}"
        own += " dtype=None" if by_dtype and home.endswith("Generator.") else ""
        yield from op(names, home, parameters=own, shape=Shape.DRAWN, dtype=dtype)


DRAWING = (
    *op("RandomState default_rng Generator", RANDOM, makes=Makes.GENERATOR),
    *op("rand randn", RANDOM, parameters="*args", shape=Shape.DRAWN, dtype=Dtype.FLOATS),
    *op(
        "rand randn",
        GENERATORS[0],
        parameters="self *args",
        shape=Shape.DRAWN,
        dtype=Dtype.FLOATS,
    ),
    *drawn("random standard_normal", "size=None", by_dtype=True),
    *drawn("random_sample standard_cauchy standard_exponential", "size=None"),
    *drawn("gumbel laplace logistic normal", "loc=0.0 scale=1.0 size=None"),
    *drawn("lognormal", "mean=0.0 sigma=1.0 size=None"),
    *drawn("uniform", "low=0.0 high=1.0 size=None"),
    *drawn("exponential rayleigh", "scale=1.0 size=None"),
    *drawn("beta", "a b size=None"),
    *drawn("gamma", "shape scale=1.0 size=None"),
    *drawn("poisson", "lam=1.0 size=None", Dtype.INTEGER),
    *drawn("binomial", "n p size=None", Dtype.INTEGER),
    *drawn("integers randint", "low high=None size=None dtype=None", Dtype.INTEGER),
)

ARRANGING = (
    *op("reshape", "numpy.", parameters="a shape order='C'"),
    *op("reshape", "ndarray.", parameters="a *shape order='C'"),
    *both("reshape", shape=Shape.RESHAPED),
    *both("ravel", parameters="a order='C'", shape=Shape.FLAT),
    *op("flatten", "ndarray.", parameters="a order='C'", shape=Shape.FLAT),
    *op("broadcast_to", "numpy.", parameters="array shape", shape=Shape.BROADCAST),
    *op("permute_dims transpose", "numpy.", parameters="a axes=None", shape=Shape.TRANSPOSED),
    *op("transpose", "ndarray.", parameters="a *axes", shape=Shape.TRANSPOSED),
    *op("T", "attribute.", parameters="a", shape=Shape.TRANSPOSED),
    *op("mT", "attribute.", parameters="a", shape=Shape.MATRICES_TRANSPOSED),
    *op(
        "matrix_transpose linalg.matrix_transpose",
        "numpy.",
        parameters="x",
        shape=Shape.MATRICES_TRANSPOSED,
    ),
    *both("swapaxes", parameters="a axis1 axis2", shape=Shape.SWAPPED),
    *op("moveaxis", "numpy.", parameters="a source destination", shape=Shape.MOVED),
    *op("rollaxis", "numpy.", parameters="a axis start=0", shape=Shape.ROLLED),
    *both("squeeze", parameters="a axis=None", shape=Shape.SQUEEZED),
    *op("expand_dims", "numpy.", parameters="a axis", shape=Shape.EXPANDED),
    *op("atleast_1d", "numpy.", parameters="ary", shape=Shape.AT_LEAST_1D),
    *op("atleast_2d", "numpy.", parameters="ary", shape=Shape.AT_LEAST_2D),
    *op("atleast_3d", "numpy.", parameters="ary", shape=Shape.AT_LEAST_3D),
    *op("diag", "numpy.", parameters="v k=0", shape=Shape.DIAGONAL),
    *op("diagflat", "numpy.", parameters="v k=0", shape=Shape.FLAT_DIAGONAL),
    *op("tril triu", "numpy.", parameters="m k=0", shape=Shape.TRIANGLE),
    *both("diagonal", parameters="a offset=0 axis1=0 axis2=1", shape=Shape.DIAGONALS),
    *both("trace", parameters="a offset=0 axis1=0 axis2=1 dtype=None", shape=Shape.TRACE),
    *both("trace", dtype=Dtype.TOTAL),
    *op(
        "pad",
        "numpy.",
        parameters="array pad_width mode='constant' constant_values=0",
        shape=Shape.PADDED,
    ),
    *op("tile", "numpy.", parameters="A reps", shape=Shape.TILED),
    *both("repeat", parameters="a repeats axis=None", shape=Shape.REPEATED),
    *op(
        "permute_dims matrix_transpose linalg.matrix_transpose swapaxes moveaxis rollaxis "
        "expand_dims broadcast_to atleast_1d atleast_2d atleast_3d diagflat tril triu pad",
        "numpy.",
        dtype=Dtype.COMMON,
    ),
    *op("flat", "attribute.", parameters="a", shape=Shape.FLAT, dtype=Dtype.FIRST),
    *op("T", "attribute.", view=View.REVERSED),
    *op("permute_dims transpose", "numpy.", view=View.REVERSED),
    *op("transpose", "ndarray.", view=View.REVERSED),
    *op("mT", "attribute.", view=View.AGAIN),
    *op("matrix_transpose linalg.matrix_transpose", "numpy.", view=View.AGAIN),
    *both("swapaxes", view=View.AGAIN),
    *both("ravel reshape", view=View.SHAPED, may_copy=True),
    *both("squeeze", view=View.SHAPED),
    *op("atleast_1d atleast_2d atleast_3d expand_dims", "numpy.", view=View.SHAPED),
    *op("flat", "attribute.", view=View.SHAPED),
    *op("asanyarray asarray", "numpy.", view=View.ITSELF),
    *op("imag real", "attribute.", view=View.PART),
    *op("arange empty eye full identity linspace ones outer zeros", "numpy.", lies_in_order=True),
    *op("copy flatten", "ndarray.", lies_in_order=True),
    *op("swapaxes", "ndarray.", dtype=Dtype.COMMON),
    *op("mT", "attribute.", dtype=Dtype.COMMON),
)

JOINING = (
    *op("concat concatenate", "numpy.", parameters="arrays axis=0 dtype=None", shape=Shape.JOINED),
    *op("stack", "numpy.", parameters="arrays axis=0 dtype=None", shape=Shape.STACKED),
    *op("hstack", "numpy.", parameters="tup dtype=None", shape=Shape.JOINED_IN_ROWS),
    *op("vstack row_stack", "numpy.", parameters="tup dtype=None", shape=Shape.JOINED_IN_COLUMNS),
    *op("column_stack", "numpy.", parameters="tup", shape=Shape.COLUMNS),
    *op("append", "numpy.", parameters="arr values axis=None", shape=Shape.APPENDED),
    *op("split", "numpy.", parameters="ary indices_or_sections axis=0", shape=Shape.SPLIT),
    *op("array_split", "numpy.", parameters="ary indices_or_sections axis=0", shape=Shape.SPLIT),
    *op("vsplit", "numpy.", parameters="ary indices_or_sections", shape=Shape.SPLIT),
    *op("hsplit", "numpy.", parameters="ary indices_or_sections", shape=Shape.SPLIT_IN_ROWS),
    *op("dstack", "numpy.", parameters="tup", shape=Shape.DEEP),
    *op("r_", "numpy.", parameters="parts", shape=Shape.ROWS),
    *op("c_", "numpy.", parameters="parts", shape=Shape.COLUMNS),
    *op("unstack", "numpy.", parameters="x axis=0", shape=Shape.UNSTACKED),
    *op("array_split hsplit split unstack vsplit", "numpy.", dtype=Dtype.COMMON),
)

PRODUCTS = (
    *op("matmul", "numpy.", parameters="x1 x2", shape=Shape.MATMUL),
    *op("linalg.matmul", "numpy.", parameters="x1 x2", shape=Shape.MATMUL),
    *op("dot", "numpy.", parameters="a b", shape=Shape.DOT),
    *op("dot", "ndarray.", parameters="a other", shape=Shape.DOT),
    *op("inner", "numpy.", parameters="a b", shape=Shape.INNER),
    *op("outer", "numpy.", parameters="a b", shape=Shape.OUTER),
    *op("linalg.outer", "numpy.", parameters="x1 x2", shape=Shape.OUTER),
    *op("linalg.cross", "numpy.", parameters="x1 x2", shape=Shape.CROSS, dtype=Dtype.COMMON),
    *op(
        "add.outer subtract.outer multiply.outer",
        "numpy.",
        parameters="A B",
        shape=Shape.OUTER_OF_AXES,
    ),
    *op("vdot", "numpy.", parameters="a b", dtype=Dtype.COMMON),
    *op("vecdot linalg.vecdot", "numpy.", parameters="x1 x2", shape=Shape.VECDOT),
    *op("matvec", "numpy.", parameters="x1 x2", shape=Shape.MATVEC),
    *op("kron", "numpy.", parameters="a b", shape=Shape.KRON),
    *op("cross", "numpy.", parameters="a b", shape=Shape.CROSS),
    *op("tensordot", "numpy.", parameters="a b axes=2", shape=Shape.TENSORDOT),
    *op("linalg.tensordot", "numpy.", parameters="x1 x2 axes=2", shape=Shape.TENSORDOT),
    *op("einsum", "numpy.", shape=Shape.EINSUM),
    *op(
        "convolve",
        "numpy.",
        parameters="a v mode='full'",
        shape=Shape.CONVOLVED,
    ),
    *op(
        "correlate",
        "numpy.",
        parameters="a v mode='valid'",
        shape=Shape.CONVOLVED,
    ),
    *op(
        "gradient",
        "numpy.",
        parameters="f *varargs axis=None edge_order=1",
        shape=Shape.GRADIENT,
        dtype=Dtype.INEXACT,
    ),
)

FOURIER = (
    *op("fft ifft", "numpy.fft.", parameters="a n=None axis=-1 norm=None", shape=Shape.TRANSFORMED),
    *op("ihfft", "numpy.fft.", parameters="a n=None axis=-1 norm=None", shape=Shape.HALF),
    *op("rfft", "numpy.fft.", parameters="a n=None axis=-1 norm=None", shape=Shape.HALF),
    *op("hfft", "numpy.fft.", parameters="a n=None axis=-1 norm=None", shape=Shape.WHOLE),
    *op("irfft", "numpy.fft.", parameters="a n=None axis=-1 norm=None", shape=Shape.WHOLE),
    *op(
        "fft2 ifft2 fftn ifftn",
        "numpy.fft.",
        parameters="a s=None axes=None norm=None",
        shape=Shape.TRANSFORMED_AXES,
    ),
    *op(
        "rfft2 rfftn", "numpy.fft.", parameters="a s=None axes=None norm=None", shape=Shape.OF_RANK
    ),
    *op("fftshift ifftshift", "numpy.fft.", parameters="x axes=None", shape=Shape.PERMUTED),
    *op("fftfreq rfftfreq", "numpy.fft.", parameters="n d=1.0", shape=Shape.FREQUENCIES),
)

LINEAR = (
    *op("linalg.lstsq", "numpy.", parameters="a b rcond=None", shape=Shape.LSTSQ, places=(2,)),
    *op("linalg.solve", "numpy.", parameters="a b", shape=Shape.SOLVED),
    *op("linalg.inv", "numpy.", parameters="a", shape=Shape.SAME),
    *op("linalg.cholesky", "numpy.", parameters="a upper=False", shape=Shape.SAME),
    *op("linalg.matrix_power", "numpy.", parameters="a n", shape=Shape.SAME),
    *op("linalg.det", "numpy.", parameters="a", shape=Shape.OF_MATRICES),
    *op("linalg.eigh", "numpy.", parameters="a UPLO='L'", shape=Shape.EIGH),
    *op("linalg.slogdet", "numpy.", parameters="a", shape=Shape.SLOGDET),
    *op(
        "linalg.svd",
        "numpy.",
        parameters="a full_matrices=True compute_uv=True hermitian=False",
        shape=Shape.SVD,
    ),
    *op("linalg.qr", "numpy.", parameters="a mode='reduced'", shape=Shape.QR),
    *op("linalg.pinv", "numpy.", parameters="a rcond=None hermitian=False", shape=Shape.PINV),
    *op(
        "linalg.solve linalg.inv linalg.cholesky linalg.det linalg.eigh linalg.slogdet linalg.svd "
        "linalg.qr linalg.pinv linalg.lstsq",
        "numpy.",
        dtype=Dtype.QUOTIENT,
    ),
    *op("linalg.matrix_power", "numpy.", dtype=Dtype.INEXACT),
    *op("linalg.eigvalsh", "numpy.", parameters="a UPLO='L'", shape=Shape.EIGENVALUES),
    *op("linalg.eigvalsh", "numpy.", dtype=Dtype.MAGNITUDE),
    *op("linalg.cond", "numpy.", parameters="x p=None", shape=Shape.OF_MATRICES),
    *op("linalg.cond", "numpy.", dtype=Dtype.MAGNITUDE),
    *op("linalg.trace", "numpy.", parameters="x | offset=0", shape=Shape.OF_MATRICES),
    *op("linalg.trace", "numpy.", dtype=Dtype.TOTAL),
    *op("linalg.matrix_norm", "numpy.", parameters="x | ord='fro'", shape=Shape.OF_MATRICES),
    *op(
        "linalg.vector_norm",
        "numpy.",
        parameters="x | axis=None keepdims=False ord=2",
        shape=Shape.FOLDED,
    ),
    *op("linalg.matrix_norm linalg.vector_norm", "numpy.", dtype=Dtype.MAGNITUDE),
)

SELECTING = (
    *op("take", "numpy.", dtype=Dtype.FIRST),
    *op("take", "ndarray.", dtype=Dtype.FIRST),
    *both("take", parameters="a indices axis=None mode='raise'", shape=Shape.TAKEN),
    *op("take_along_axis", "numpy.", parameters="arr indices axis=-1", shape=Shape.CHOSEN),
    *op("take_along_axis", "numpy.", dtype=Dtype.FIRST),
    *op("where", "numpy.", parameters="condition x=None y=None", shape=Shape.WHERE),
    *both("nonzero", parameters="a", shape=Shape.NONZERO),
    *op("flatnonzero", "numpy.", parameters="a", shape=Shape.VECTOR, dtype=Dtype.INTEGER),
    *both("searchsorted", parameters="a v side='left' sorter=None", shape=Shape.SECOND),
    *op("digitize", "numpy.", parameters="x | bins right=False", shape=Shape.PIECEWISE),
    *op("searchsorted digitize", "numpy.", dtype=Dtype.INTEGER),
    *op("searchsorted", "ndarray.", dtype=Dtype.INTEGER),
    *op("isin", "numpy.", parameters="element test_elements", shape=Shape.SAME),
    *op("isin", "numpy.", dtype=Dtype.TRUTH),
    *op(
        "interp",
        "numpy.",
        parameters="x xp fp left=None right=None period=None",
        shape=Shape.INTERPOLATED,
        dtype=Dtype.WIDE,
    ),
    *op("insert", "numpy.", parameters="arr obj values axis=None", shape=Shape.RESIZED),
    *op("delete", "numpy.", parameters="arr obj axis=None", shape=Shape.RESIZED),
    *op("delete insert", "numpy.", dtype=Dtype.FIRST),
    *op("full_like insert", "numpy.", fills=True),
    *op("asmatrix bmat mat matrix", "numpy.", own_arithmetic=True),
    *op("todense", "ndarray.", own_arithmetic=True),
    *op("argwhere", "numpy.", parameters="a", shape=Shape.PLACES),
    *op("polyval", "numpy.", parameters="p x", shape=Shape.SECOND, dtype=Dtype.INEXACT),
    *op("polyadd polymul polysub", "numpy.", parameters="a1 a2", shape=Shape.VECTOR),
    *op(
        "lib.stride_tricks.sliding_window_view",
        "numpy.",
        parameters="x window_shape axis=None",
        shape=Shape.WINDOWS,
        dtype=Dtype.COMMON,
    ),
)

SHAPES = (
    *op("ndindex", "numpy.", makes=Makes.PLACES),
    *op("shape", "numpy.", makes=Makes.SHAPE),
    *op("shape", "attribute.", makes=Makes.SHAPE),
    *op("ndim", "numpy.", makes=Makes.RANK),
    *op("ndim", "attribute.", makes=Makes.RANK),
    *op("size", "numpy.", makes=Makes.SIZE),
    *op("size", "attribute.", makes=Makes.SIZE),
    *op("dtype", "attribute.", makes=Makes.DTYPE),
)

RECORDS = (
    *ELEMENTWISE,
    *CASTS,
    *REDUCTIONS,
    *ALONG,
    *MAKING,
    *DRAWING,
    *ARRANGING,
    *JOINING,
    *PRODUCTS,
    *FOURIER,
    *LINEAR,
    *SELECTING,
    *SHAPES,
)
