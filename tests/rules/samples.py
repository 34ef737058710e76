"""The one table of samples: for each rule, calls at which it is tested.

A rule is entered under the first name of its declaration; all its names are tested with the same
calls. A string key with several names separated by spaces enters the same calls for several rules.
"""

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.lib import NumpyVersion

from adlsp import runtime as rt

RANDOM = np.random.default_rng(20)


@dataclass(frozen=True)
class Call:
    """Arguments of one call; arrays of floats and Python floats are what may be differentiated."""

    args: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [_text(a) for a in self.args]
        return ",".join(parts + [f"{key}={_text(a)}" for key, a in self.keywords.items()])


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype.char}{'x'.join(map(str, value.shape))}" if value.shape else "0d"
    if isinstance(value, list):
        return f"[{' '.join(_text(element) for element in value)}]"
    if isinstance(value, type):
        return value.__name__
    return type(value).__name__ if isinstance(value, float) else str(value)


def array(*shape: int, low: float = -2.0, high: float = 2.0) -> Any:
    return np.asarray(RANDOM.uniform(low, high, shape))


def fixed(*shape: int) -> Any:
    """Numbers that are not drawn: samples that are added leave those of others as they are."""
    return np.sin(1.0 + np.arange(np.prod(shape))).reshape(shape)


def number(low: float = -2.0, high: float = 2.0) -> float:
    return float(RANDOM.uniform(low, high))


def each(low: float = -2.0, high: float = 2.0) -> list[Call]:
    """One argument: vector, matrix, empty, 0-d, number."""
    shapes: list[tuple[int, ...]] = [(3,), (2, 3), (0,), ()]
    made = [Call((array(*shape, low=low, high=high),)) for shape in shapes]
    return [*made, Call((number(low, high),))]


def pairs(first: tuple[float, float], second: tuple[float, float]) -> list[Call]:
    """Two arguments, with all kinds of broadcasting."""
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((2, 1), (1, 3)),
        ((), (2, 3)),
        ((3,), ()),
        ((0, 3), (3,)),
    ]
    made = []
    for left, right in shapes:
        x = array(*left, low=first[0], high=first[1])
        made.append(Call((x, array(*right, low=second[0], high=second[1]))))
    made.append(Call((array(3, low=first[0], high=first[1]), number(*second))))
    made.append(Call((number(*first), array(2, 3, low=second[0], high=second[1]))))
    return [*made, Call((number(*first), number(*second)))]


def numbers(*ranges: tuple[float, float]) -> list[Call]:
    """Python numbers, one from each range."""
    return [Call(tuple(number(*bounds) for bounds in ranges)) for _ in range(3)]


def growing(*shape: int) -> Any:
    return rt.growing(array(*shape))


def options(calls: list[Call], **choices: list[Any]) -> list[Call]:
    """The product of calls with keyword arguments."""
    made = []
    for call, values in product(calls, product(*choices.values())):
        keywords = dict(zip(choices, values, strict=True))
        made.append(Call(call.args, {**call.keywords, **keywords}))
    return made


def shapes(*all_shapes: tuple[int, ...]) -> list[Call]:
    return [Call((array(*shape),)) for shape in all_shapes]


def products(*all_shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> list[Call]:
    return [Call((array(*left), array(*right))) for left, right in all_shapes]


def regular(*shape: int) -> Any:
    """Matrices far from singular."""
    return array(*shape) * 0.5 + 3 * np.eye(shape[-1])


def regulars() -> list[Call]:
    return [Call((regular(3, 3),)), Call((regular(2, 3, 3),))]


ANYWHERE = (-2.0, 2.0)
POSITIVE = (0.3, 2.0)
INSIDE = (-0.8, 0.8)
ABOVE_ONE = (1.2, 3.0)
LOWER, UPPER = (-2.0, -0.2), (0.2, 2.0)

REDUCED = [
    *options(shapes((3,), (2, 3)), keepdims=[False, True]),
    *options(shapes((2, 3), (2, 0, 3)[::2]), axis=[0, -1, (0, 1)], keepdims=[False, True]),
    Call((array(2, 3, 4), (0, -1))),
    Call((array(2, 3, 4), 1)),
    *shapes(()),
]
CUMULATED = [*shapes((3,), (2, 3), (0,), ()), *options(shapes((2, 3)), axis=[0, 1, -1])]
PRODUCTS = (((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)))
STACKED = (
    ((5, 2, 3), (5, 3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((3,), (5, 3, 4)),
    ((5, 2, 3), (3,)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 2)),
)
SPREAD = (((2, 3), (4, 3, 2)), ((5, 2, 3), (3,)), ((3,), (4, 3, 2)), ((), (2, 3)), ((2, 3), ()))


def entries() -> Iterator[tuple[str, list[Call]]]:
    yield "numpy.add numpy.subtract numpy.multiply", pairs(ANYWHERE, ANYWHERE)
    yield "numpy.divide", pairs(ANYWHERE, UPPER) + pairs(ANYWHERE, LOWER)
    yield "numpy.remainder", pairs((2.1, 2.9), (-1.0, -0.98)) + pairs((5.1, 5.9), (1.0, 1.01))
    yield "numpy.fmod", pairs((-2.9, -2.1), (1.0, 1.02))
    yield "numpy.negative numpy.positive numpy.square numpy.exp numpy.expm1", each()
    yield "numpy.exp2 numpy.sin numpy.cos numpy.arctan numpy.sinh numpy.cosh", each()
    yield "numpy.tanh numpy.arcsinh numpy.degrees numpy.radians", each()
    yield "numpy.power", _powers()
    yield "numpy.reciprocal numpy.cbrt numpy.absolute numpy.fabs", each(*LOWER) + each(*UPPER)
    yield "numpy.sqrt numpy.log numpy.log2 numpy.log10", each(*POSITIVE)
    yield "numpy.log1p", each(-0.7, 2.0)
    yield "numpy.logaddexp numpy.logaddexp2 numpy.hypot", pairs(ANYWHERE, ANYWHERE)
    yield "numpy.tan", each(-1.0, 1.0)
    yield "numpy.arcsin numpy.arccos numpy.arctanh", each(*INSIDE)
    yield "numpy.arccosh", each(*ABOVE_ONE)
    yield "numpy.arctan2", pairs(UPPER, ANYWHERE) + pairs(ANYWHERE, UPPER)
    yield "numpy.maximum numpy.minimum", pairs(LOWER, UPPER) + pairs(UPPER, LOWER)
    yield "numpy.clip ndarray.clip", _clips()
    yield "numpy.real numpy.imag numpy.conj", shapes((3,), (2, 3), (0,), ())
    yield "numpy.angle", [*each(*UPPER), *options(each(*UPPER), deg=[True])]
    yield "numpy.sinc", [*each(), *each(-1e-3, 1e-3)]
    yield "numpy.heaviside", pairs(LOWER, ANYWHERE)
    yield "numpy.copysign", pairs(LOWER, UPPER)
    yield "numpy.nan_to_num numpy.float64", each()
    yield "numpy.where", [Call((x.args[0] > 0, *y.args)) for x, y in _choices()]

    yield "numpy.sum", [*REDUCED, *_of_some(), Call((array(3),), {"initial": 2})]
    yield "numpy.mean", [*REDUCED, *_of_some()]
    yield "numpy.logaddexp.reduce", [*shapes((3,), (2, 3)), Call((array(2, 3), 1))]
    yield "numpy.cumsum", CUMULATED
    yield "numpy.prod", [*REDUCED, *_with_zeros()]
    yield "numpy.average", [*options(REDUCED[:4], keepdims=[True]), *_averages()]
    yield "numpy.trapezoid", _integrals()
    yield "numpy.var numpy.std", _spreads()
    for name in ("add.accumulate", "multiply.reduce", "maximum.reduce"):
        several = [*shapes((3,), (2, 3)), *options(shapes((2, 3)), axis=[1])]
        yield f"numpy.{name}", [*several, Call((fixed(2, 3), (1,)))]
    along = [Call((fixed(3),)), *options([Call((fixed(2, 3),))], axis=[0, 1, -1, (1,)])]
    yield "numpy.multiply.accumulate", [*along, Call((np.array([0.5, 0.0, 2.0, 0.0]),))]
    yield "numpy.maximum.accumulate", along[:-1]
    yield "copy.copy", shapes((3,), (2, 3))
    yield "numpy.add.reduce", [*shapes((3,), (2, 3)), *options(shapes((2, 3)), axis=[1, (0, 1)])]
    columns = Call((fixed(4, 3), fixed(4, 2) ** 2), {"rowvar": False})
    yield "numpy.cov", [*_covariances(), *_of_two(bias=[True]), columns]
    yield "numpy.histogram", _histograms()
    halves = [np.float64(0.5), np.float64(1.5)]
    yield "adlsp.runtime.numbers", [Call((fixed(2), fixed(2))), Call(([0.5, 1.5], halves))]
    yield "adlsp.runtime.not_tall", [Call((np.eye(3),)), Call((np.ones((2, 3)),))]
    yield "adlsp.runtime.triangle adlsp.runtime.turned", [*shapes((3, 3)), Call((array(3, 3), 1))]
    yield "numpy.ptp", [c for c in REDUCED if c.args[0].size > 1]
    yield "numpy.nansum numpy.nanmean numpy.nanvar", [*_reduced_floats(), *_with_gaps()]
    yield "numpy.nancumsum", [*CUMULATED, Call((_gaps(),)), Call((_gaps(), 1))]
    yield "numpy.cumprod", [*CUMULATED, Call((np.array([0.5, 0.0, 2.0, 0.0, 1.5]),))]
    correlated = options(shapes((2, 4), (3, 4)), rowvar=[True, False])
    yield "numpy.corrcoef", [*correlated, *_of_two()]
    yield "numpy.max numpy.min", [*(c for c in REDUCED if c.args[0].size), *_bounded()]

    yield "numpy.matmul", products(*PRODUCTS, *STACKED)
    yield "numpy.dot", products(*PRODUCTS, *SPREAD, ((), ()))
    yield "numpy.inner", products(((3,), (3,)), ((2, 3), (3,)), ((3,), (4, 3)), ((2, 3), (5, 3)))
    yield "numpy.vdot", products(((3,), (3,)), ((2, 3), (2, 3)), ((2, 3), (3, 2)))
    yield "numpy.outer", products(((2,), (3,)), ((2, 2), (3,)), ((), (3,)), ((0,), (3,)))
    yield (
        "numpy.add.outer numpy.subtract.outer numpy.multiply.outer",
        products(((2,), (3,)), ((2, 2), (3,)), ((), (3,)), ((3,), ()), ((0,), (3,))),
    )
    flat = IN_THE_PLANE if TAKES_THE_PLANE else ()
    in_the_plane = [Call((fixed(*left), 1 + fixed(*right))) for left, right in flat]
    yield "numpy.cross", [*products(*CROSSED), *_crossed(), *in_the_plane]
    yield "adlsp.runtime.cross_bar", [Call((_out(np.cross, c), *c.args)) for c in _crossed()]
    yield "adlsp.runtime.norm_slope", [Call((c.args[0], *o)) for c, o in _ordered()]
    yield "numpy.kron", products(*KRONECKER)
    yield "numpy.tensordot", _tensors()
    yield "numpy.einsum", _sums_of_products()
    yield "numpy.convolve", _convolutions()
    yield "numpy.correlate", [c for c in _convolutions() if "same" not in str(c)]
    yield "numpy.vecdot", products(((3,), (3,)), ((2, 3), (3,)), ((2, 3), (2, 3)))
    yield "numpy.matvec", products(((2, 3), (3,)), ((4, 2, 3), (3,)), ((2, 3), (4, 3)))
    yield "numpy.polyval", [Call((array(4), x)) for x in (array(3), array(2, 3), array(), number())]
    yield "numpy.vander", [*shapes((3,)), Call((array(3), 2)), Call((array(3), 5, True))]
    yield "numpy.trace", [*shapes((3, 3), (2, 3)), Call((array(2, 3, 4), 1, 2, 0))]
    yield "numpy.linalg.inv numpy.linalg.det numpy.linalg.slogdet", regulars()
    yield "numpy.linalg.cholesky", [Call((definite(3, 3),)), Call((definite(2, 3, 3),))]
    yield (
        "numpy.linalg.eigh numpy.linalg.eigvalsh",
        [*options([Call((definite(3, 3),))], UPLO=["L", "U"]), Call((definite(2, 3, 3),))],
    )
    yield (
        "numpy.linalg.eigvals",
        [Call((0.3 * array(2, 3, 3)[:, :2, :2] + np.diag([1.0, 4.0]),))],
    )
    yield "numpy.linalg.svd", _singular()
    tall = ((3, 3), (4, 3), (2, 3, 2))
    yield "numpy.linalg.qr", [Call((np.eye(*n[-2:]) + 0.3 * array(*n),)) for n in tall]
    yield "numpy.linalg.pinv", [Call((np.eye(*n[-2:]) + 0.3 * array(*n),)) for n in INVERTED]
    yield "numpy.linalg.lstsq", _fits()
    yield "adlsp.runtime.fill", [Call((array(3), shape)) for shape in ((3,), (3, 1), (0,))]
    yield (
        "numpy.linalg.matrix_power",
        [Call((c.args[0], n)) for c in regulars() for n in (0, 1, 2, 5, -2)],
    )
    yield "numpy.linalg.solve", _systems()
    yield "numpy.linalg.norm", _norms()
    square = [Call((np.eye(3) * 3 + fixed(3, 3),)), Call((np.eye(2) * 2 + fixed(3, 2, 2),))]
    yield (
        "numpy.linalg.cond",
        [*options(square, p=[None, 2]), Call((fixed(3, 2),))],
    )

    yield (
        "numpy.fft.fftfreq",
        [Call((5, number(0.5, 2.0))), Call((4, number(0.5, 2.0)))],
    )
    yield "numpy.fft.fft numpy.fft.ifft numpy.fft.rfft numpy.fft.irfft", _transforms()
    yield "numpy.fft.fftn numpy.fft.ifftn numpy.fft.rfftn numpy.fft.irfftn", _transforms_of_many()
    yield (
        "numpy.fft.fft2 numpy.fft.ifft2 numpy.fft.rfft2 numpy.fft.irfft2",
        [
            *shapes((4, 3), (2, 3, 4)),
            *options(shapes((4, 3)), s=[(3, 5)], norm=["ortho"]),
            Call((array(3, 4, 2), None, (1, 0))),
        ],
    )
    yield (
        "numpy.fft.fftshift numpy.fft.ifftshift",
        [*shapes((5,), (4, 3)), *options(shapes((5, 3)), axes=[0, (0, 1)])],
    )

    yield "numpy.reshape", [Call((array(2, 3), (3, -1))), Call((array(4), (2, 2), "F"))]
    yield (
        "ndarray.reshape",
        [
            *(Call((array(2, 3), *n)) for n in (((3, 2),), (3, -1))),
            Call((array(2, 3), 3, 2), {"order": "F"}),
        ],
    )
    yield "numpy.ravel ndarray.T", shapes((2, 3), (3,), (0, 3), ())
    yield "ndarray.tolist", shapes((2, 3), (3,), ())
    yield "ndarray.view", shapes((2, 3), ())
    yield "numpy.block", _blocks()
    yield "adlsp.runtime.block", _blocks()
    yield "adlsp.runtime.block_bar", [Call((_out(np.block, c), *c.args)) for c in _blocks()]
    yield "numpy.squeeze", [*shapes((1, 3, 1), (3,)), Call((array(1, 3), 0)), Call((array(1, 1),))]
    yield "numpy.expand_dims", [Call((array(3), 0)), Call((array(2, 3), (-1, 0)))]
    yield "numpy.atleast_1d numpy.ascontiguousarray", each()
    yield "numpy.broadcast_to", [Call((array(1, 3), (2, 4, 3))), Call((array(), (2,)))]
    yield (
        "numpy.transpose",
        [*shapes((2, 3), (3,)), *options(_boxes(), axes=[(2, 0, 1), (-1, 0, 1)])],
    )
    yield "ndarray.transpose", [*shapes((2, 3)), Call((array(2, 3, 4), 2, 0, 1)), *_transposed()]
    yield "numpy.swapaxes", [Call((array(2, 3, 4), 0, -1))]
    yield "numpy.moveaxis", [Call((array(2, 3, 4), 0, -1)), Call((array(2, 3, 4), (0, 1), (2, 0)))]
    yield "numpy.flip", [*shapes((3,), (2, 3)), *options(shapes((2, 3)), axis=[0, -1, (0, 1)])]
    yield "numpy.rollaxis", [Call((array(2, 3, 4), *a)) for a in ((2,), (0, 2), (-1, 1), (0, -1))]
    yield (
        "numpy.rot90",
        [*shapes((2, 3)), Call((array(2, 3, 4), 2)), Call((array(2, 3, 4), -1, (2, 0)))],
    )
    yield "numpy.diagflat", [*shapes((3,), (2, 2)), Call((array(3), -1))]
    yield "numpy.complex128", shapes((3,), ())
    yield "numpy.logspace", [*numbers(INSIDE, INSIDE), Call((number(), number(), 4, False, 2))]
    yield (
        "numpy.geomspace",
        [*numbers(POSITIVE, POSITIVE), Call((number(*UPPER), number(*UPPER), 4))],
    )
    yield "numpy.fliplr numpy.flipud", shapes((2, 3), (3, 1))
    yield "numpy.roll", [*_rolls()]
    yield "numpy.diag", [*shapes((3,), (3, 3), (2, 4)), *options(shapes((3,), (3, 4)), k=[1, -1])]
    yield (
        "numpy.tril numpy.triu",
        [*shapes((3, 3), (2, 4)), Call((array(3, 3), 1)), Call((np.array([0.3, -1.2, 0.7]),))],
    )
    yield "numpy.matrix_transpose", shapes((2, 3), (4, 2, 3))
    yield "numpy.copy numpy.array", shapes((2, 3), (3,), ())
    yield "ndarray.astype", [Call((array(2, 3), dtype)) for dtype in (float, "f8", np.float64)]
    at = [Call((array(2, 3), *index)) for index in ((4,), (-1,), ((1, -1),), (1, -1))]
    yield "ndarray.item", [*shapes((), (1,), (1, 1)), *at]

    yield "numpy.concatenate", _joined()
    yield "numpy.stack", [*joins((2, 3), (2, 3)), *options(joins((2, 3), (2, 3)), axis=[1, -1])]
    yield "numpy.vstack", [*joins((3,), (2, 3)), *joins((0, 3), (2, 3)), *joins((3,), (3,))]
    yield "numpy.hstack", [*joins((2, 1), (2, 3)), *joins((3,), (2,)), *joins((), (2,))]
    yield "numpy.column_stack", [*joins((2,), (2, 3)), *joins((3,), (3,))]
    yield "numpy.dstack", [*joins((2, 3), (2, 3, 2)), *joins((3,), (3,))]
    yield "numpy.append", [*_appended()]
    yield "numpy.split", [Call((array(4), 2)), Call((array(2, 6), [1, 4], -1))]
    yield "numpy.hsplit", [Call((array(4), 2)), Call((array(2, 4, 3), [1, 3]))]
    yield "numpy.vsplit", [Call((array(4, 2), 2)), Call((array(4, 2, 3), [1, 3]))]
    yield "numpy.dsplit", [Call((array(2, 3, 4), 2))]
    yield "numpy.unstack", [*shapes((2, 3), (3,)), *options(shapes((2, 3)), axis=[1, -1])]
    yield "numpy.insert", [*_inserted()]
    yield "numpy.delete", [Call((array(4), 1)), Call((array(3, 4), np.array([0, 2]), 1))]
    yield "numpy.ediff1d", shapes((4,), (2, 3))
    yield "numpy.gradient", [*_sloped()]
    yield "numpy.tile", [Call((array(*n), r)) for n, r in TILED]
    yield "numpy.repeat", [*_repeated()]
    yield "numpy.lib.stride_tricks.sliding_window_view", [*_windows()]
    yield "numpy.pad", [*_padded()]
    differences = [*shapes((4,), (2, 3), (1,)), *options(shapes((3, 4)), n=[0, 2], axis=[0])]
    yield "numpy.diff", [*differences, *_longer()]
    yield "adlsp.runtime.margin", [Call((0.5, fixed(2, 3), 0)), Call((fixed(2, 1), fixed(2, 3)))]

    yield "numpy.take", [*_taken()]
    yield "numpy.take_along_axis", [*_taken_along()]
    yield "numpy.compress", [Call(([True, False, True], array(3, 2), a)) for a in (0, None)]
    yield "numpy.extract", [Call((np.eye(3) > 0, array(3, 3)))]
    yield "numpy.divmod", [c for c in pairs(UPPER, LOWER) if c.args[0] is not None]
    yield "numpy.modf", each()
    yield "numpy.sort", [*shapes((4,), (2, 3), (0,)), *options(shapes((2, 3)), axis=[0, None])]
    yield "numpy.partition", [Call((array(7), k)) for k in (0, 3, 6)] + [Call((array(4, 3), 2, 0))]
    yield (
        "numpy.median",
        [
            *MIDDLES,
            *options(shapes((3, 4)), axis=[0, (0, 1)], keepdims=[True]),
            Call((fixed(3, 4),), {"axis": [0, 1]}),
        ],
    )
    yield (
        "numpy.quantile",
        [
            *[
                Call((array(5), q))
                for q in (0, 1, np.array([0.25, 0.6]).astype(object).tolist()[0])
            ],
            *[Call((array(3, 4), Q, axis)) for axis in (0, 1, (0, 1), None)],
        ],
    )
    yield "numpy.percentile", [Call((array(5), 40)), Call((array(3, 4), 30, 1), {"keepdims": True})]
    yield "numpy.select", [*_selected()]
    yield (
        "numpy.bincount",
        [Call((np.array([0, 2, 2, 1]), array(4)), {"minlength": n}) for n in (0, 5)],
    )
    yield "numpy.diagonal", [*shapes((3, 3), (2, 3)), Call((array(2, 3, 4), 1, 2, 0))]
    yield "numpy.interp", _interpolations()
    yield "numpy.full", [Call(((2, 3), number())), Call(((2, 3), array(3)))]
    yield "numpy.full_like", [Call((array(2, 3), number())), Call((array(2, 3), array(2, 1)))]
    yield (
        "numpy.linspace",
        [
            *numbers(ANYWHERE, ANYWHERE),
            Call((number(), number(), 1)),
            Call((number(), number(), 4, False)),
        ],
    )

    yield "scipy.special.expit scipy.special.log_expit scipy.special.ndtr", each()
    yield "scipy.special.log_ndtr", each()
    yield "scipy.special.erf scipy.special.erfc", each()
    yield "scipy.special.logit scipy.special.ndtri", each(0.1, 0.9)
    yield "scipy.special.erfinv", each(*INSIDE)
    yield "scipy.special.logsumexp", [c for c in REDUCED if c.args[0].size]
    yield "scipy.special.softmax scipy.special.log_softmax", _softened()
    yield "scipy.special.gamma scipy.special.gammaln scipy.special.digamma", each(0.5, 3.0)
    yield "scipy.special.entr", each(*POSITIVE)
    yield "scipy.special.polygamma", [Call((n, *c.args)) for n in (1, 2) for c in each(0.5, 2.0)]
    yield "scipy.special.zeta", [Call((n, *c.args)) for n in (2, 3) for c in each(0.5, 2.0)]
    yield "scipy.special.xlogy scipy.special.xlog1py", pairs(UPPER, POSITIVE)
    yield (
        "scipy.special.rel_entr scipy.special.kl_div scipy.special.beta scipy.special.betaln",
        pairs(POSITIVE, POSITIVE),
    )
    yield "scipy.special.rgamma scipy.special.spence", each(0.5, 0.9)
    yield "scipy.special.erfcinv", each(0.3, 1.7)
    yield "scipy.special.erfcx scipy.special.erfi scipy.special.dawsn", each(-1.0, 1.5)
    yield "scipy.special.exp10 scipy.special.i0 scipy.special.i1 scipy.special.j0", each()
    yield "scipy.special.j1 scipy.special.i0e scipy.special.i1e", each(*UPPER)
    yield "scipy.special.y0 scipy.special.y1 scipy.special.k0 scipy.special.k1", each(0.5, 2.0)
    yield (
        "scipy.special.jv scipy.special.iv scipy.special.ive scipy.special.yn scipy.special.kn",
        [Call((n, *c.args)) for n in (0, 1, 2) for c in each(0.5, 2.0)],
    )
    yield (
        "scipy.special.multigammaln",
        [Call((x, d)) for x in (2.5, array(3, low=2.0)) for d in (1, 3)],
    )
    yield (
        "scipy.special.gammainc scipy.special.gammaincc",
        [Call((n, *c.args)) for n in (1, 3) for c in each(0.3, 2.0)],
    )
    yield "scipy.special.betainc", [Call((2, 3, *c.args)) for c in each(0.2, 0.8)]

    yield (
        "scipy.stats.norm.logpdf scipy.stats.norm.pdf scipy.stats.norm.cdf scipy.stats.norm.logcdf "
        "scipy.stats.norm.sf scipy.stats.norm.logsf",
        [*each()[:2], *[Call((array(2, 3), array(3), c.args[0])) for c in each(1.0, 2.0)[3:]]],
    )
    yield (
        "scipy.stats.t.logpdf scipy.stats.t.pdf",
        [Call((array(2, 3), array(3, low=1.0), number(), number(*POSITIVE))), Call((array(3), 4))],
    )
    yield (
        "scipy.stats.t.cdf scipy.stats.t.logcdf",
        [Call((array(2, 3), 4, array(3), number(*POSITIVE)))],
    )
    yield (
        "scipy.stats.gamma.logpdf scipy.stats.gamma.pdf "
        "scipy.stats.chi2.logpdf scipy.stats.chi2.pdf",
        [Call((array(2, 3, low=0.5), array(3, low=1.0)))],
    )
    yield "scipy.stats.gamma.cdf scipy.stats.chi2.cdf", [Call((array(2, 3, low=0.5), 3))]
    yield (
        "scipy.stats.chi2.logpdf scipy.stats.chi2.pdf",
        [Call((array(2, 3, low=0.5), array(3, low=1.0)))],
    )
    yield (
        "scipy.stats.beta.logpdf scipy.stats.beta.pdf",
        [Call((array(2, 3, low=0.2, high=0.8), array(3, low=1.0), number(*POSITIVE)))],
    )
    yield "scipy.stats.beta.cdf", [Call((array(2, 3, low=0.2, high=0.8), 2, 3))]
    yield (
        "scipy.stats.poisson.logpmf scipy.stats.poisson.pmf scipy.stats.poisson.cdf",
        [Call((np.array([0, 1, 4]), array(2, 3, low=0.5)))],
    )
    yield "scipy.stats.multivariate_normal.logpdf scipy.stats.multivariate_normal.pdf", _normals()

    yield "scipy.linalg.expm", [Call((c.args[0] / 4,)) for c in regulars()]
    yield "scipy.linalg.sqrtm", [Call((definite(3, 3) / 5,))]
    yield "scipy.linalg.solve_triangular", [*_triangular()]
    yield "scipy.linalg.solve_sylvester", [Call((regular(3, 3), regular(2, 2), array(3, 2)))]

    yield "math.exp math.expm1 math.exp2 math.sin math.cos math.tan", numbers((-1.0, 1.0))
    yield "math.atan math.sinh math.cosh math.tanh math.asinh math.erf math.erfc", numbers(ANYWHERE)
    yield "math.degrees math.radians builtins.float", numbers(ANYWHERE)
    positive = numbers(POSITIVE)
    yield "math.sqrt math.log2 math.log10 math.log1p", positive
    yield "math.log", [*positive, Call((1.3, 2.7)), Call((0.4, 10))]
    yield "math.cbrt math.fabs", numbers(LOWER) + numbers(UPPER)
    yield "math.asin math.acos math.atanh", numbers(INSIDE)
    yield "math.acosh", numbers(ABOVE_ONE)
    yield "builtins.complex", numbers(ANYWHERE, ANYWHERE) + numbers(ANYWHERE)
    yield "math.gamma math.lgamma", numbers(POSITIVE) + numbers((-2.8, -2.2))
    yield "math.pow", [*numbers(POSITIVE, ANYWHERE), Call((-1.5, 2)), Call((-1.5, -3))]
    yield "math.modf", numbers((1.2, 1.8))
    yield "math.remainder", numbers((2.1, 2.9), (1.1, 1.15))
    yield "math.copysign", numbers((0.5, 2.0), (-2.0, -0.5))
    yield "math.fmod", numbers((2.1, 2.9), (1.0, 1.02))
    yield "math.atan2 math.hypot", numbers(UPPER, ANYWHERE)
    yield "python.concat", _put_behind()
    yield "python.plus", [*pairs(ANYWHERE, ANYWHERE), *_put_behind()]
    yield "python.repeat", [Call((*c.args, n)) for c in _listed() for n in (0, 1, 3)]
    yield "python.transposed adlsp.runtime.transposed", _rows()
    yield "python.bound", [Call((0.5,)), Call((fixed(3),))]
    yield "python.largest python.smallest", [Call(([0.5, 1.5, 1.0],)), Call((array(3),))]
    yield "builtins.sorted", _sorted()
    yield "builtins.dict", _entered()
    yield "builtins.list", [*_listed(), *shapes((3,), (2, 3))]
    yield "math.dist", [Call(([0.5, 1.5], [1, 3])), Call(([1, 3], (0.5, 1.5)))]
    yield "math.fsum", [Call(([0.5, 1.5, 1.0],)), Call((np.array([0.5, 2.0]),))]
    yield "math.prod", [Call(([0.5, 1.5, 1.0],)), Call((np.array([0.5, 2.0]),), {"start": 3})]
    yield (
        "builtins.sum",
        [
            *shapes((3,), (2, 3)),
            *joins((3,), (3,)),
            *joins((), (2, 3)),
            *_started(),
            Call((array(3), array(2))),
        ],
    )
    yield "builtins.max builtins.min", numbers(LOWER, UPPER) + numbers(UPPER, LOWER)

    yield "adlsp.runtime.unbroadcast", [*_unbroadcast()]
    yield "adlsp.runtime.cast_item", [Call((array(3), array(2, 3), 1))]
    yield "adlsp.runtime.cast_like", [Call((array(2, 3), array(2, 3)))]
    yield "adlsp.runtime.bound", [Call((fixed(3), "best"))]
    yield "adlsp.runtime.fitted", [*_stored()]
    yield (
        "adlsp.runtime.repeated_as",
        [Call((c.args[1], c.args[0])) for c in _stored() if isinstance(c.args[1], np.ndarray)],
    )
    yield "adlsp.runtime.expand", [*_expand()]
    yield "adlsp.runtime.expand_as", [Call((0.7, fixed(2, 3))), Call((fixed(2), fixed(2, 3), 1))]
    yield "adlsp.runtime.collapse", options([Call((fixed(2, 3),))], axis=[None, 0, 1])
    yield "adlsp.runtime.stretch", [Call((array(3), (2, 3))), Call((array(2, 3), (2, 3)))]
    yield "adlsp.runtime.copy", shapes((2, 3), (3,))
    yield "adlsp.runtime.separate", [Call((array(2, 3), array(3)))]
    yield "adlsp.runtime.real", shapes((2, 3), ())
    yield "adlsp.runtime.ratio", [Call((c.args[0], c.args[0] + 3.0)) for c in each()]
    yield "adlsp.runtime.sigmoid", [Call((*c.args, 1, 1)) for c in each()]
    for name in ("log_of_lack", "log_of_sigmoid"):
        yield (
            f"adlsp.runtime.{name}",
            [Call((x, rt.sigmoid(x))) for (x,) in (c.args for c in each())],
        )
    yield (
        "adlsp.runtime.log_likelihood",
        [
            Call((x, rt.sigmoid(x), y))
            for x, y in ((array(3), array(3)), (array(2, 3), array(3)), (array(3), 0.3), (0.2, 0.7))
        ],
    )
    yield "adlsp.runtime.sigmoid_of_number", [Call((0.3,)), Call((-0.7,))]
    yield "adlsp.runtime.deviations", [Call((c.args[0], *o)) for c, o in _variables()]
    yield (
        "adlsp.runtime.deviations_bar",
        [Call((rt.deviations(c.args[0], *o), np.shape(c.args[0]), *o)) for c, o in _variables()],
    )
    yield (
        "adlsp.runtime.binned",
        [Call((array(5), array(5), EDGES, None)), Call((array(5), array(5), 3, (-1.0, 1.0)))],
    )
    yield "adlsp.runtime.binned_bar", [Call((array(3), array(2, 3), EDGES, None))]
    yield (
        "adlsp.runtime.edges",
        [Call((array(5), array(5), 3, None)), Call((array(5), array(5), EDGES, None))],
    )
    yield "adlsp.runtime.edges_bar", [Call((array(4), array(5), n, None)) for n in (3, EDGES)]
    yield "adlsp.runtime.seed", [Call((number(), number(), "f")), Call((array(3), array(3), "f"))]
    yield "adlsp.runtime.add", products(((2, 3), (2, 3)), ((), ()))
    yield "adlsp.runtime.add_at", [*_add_at()]
    yield "adlsp.runtime.take_bar", [*_take_bar()]
    yield "adlsp.runtime.staying", [*_staying()]
    yield "adlsp.runtime.restructure", products(((2, 3), (2, 3)), ((), ()))
    yield "adlsp.runtime.head_bar", [Call((c.args[0], [0.0])) for c in _listed()]
    yield "adlsp.runtime.tail_bar", [Call((c.args[0], [0.0])) for c in _listed()]
    yield (
        "adlsp.runtime.held",
        [
            Call(({"a": fixed(3), "b": fixed(2)}, "a")),
            Call(([fixed(3), fixed(2)], 1)),
            *(Call((fixed(3, 2), index)) for index in (1, [2, 0], slice(1, None))),
        ],
    )
    yield "adlsp.runtime.entry", [Call((*c.args, "a")) for c in _entered()]
    yield (
        "adlsp.runtime.entry_bar",
        [Call((number(), *c.args, "a")) for c in _entered()],
    )
    yield "adlsp.runtime.polygamma", [Call((n, x)) for n in (0, 1, 3) for x in (0.3, -1.7, 20.0)]
    yield "adlsp.runtime.entered", [Call((*c.args, *c.args)) for c in (*_entered(), *_paired())]
    yield "adlsp.runtime.entered_bar", [Call((*_entered()[0].args, *c.args)) for c in _entered()]
    yield "adlsp.runtime.chosen", [Call((*c.args, [0.5, 1.5, 1.5], 1.5)) for c in _three()]
    yield "adlsp.runtime.chosen_bar", [Call((number(), [0.5, 1.5, 1.5], 1.5))]
    yield "adlsp.runtime.in_order", [Call((*c.args, [0.5, 1.5, 1.0], True)) for c in _three()]
    yield "adlsp.runtime.in_order_bar", [Call((*c.args, [0.5, 1.5, 1.0], True)) for c in _three()]
    yield "adlsp.runtime.plus_bar", [*_behind_bar()]
    yield "adlsp.runtime.plus_part", [*_behind_part()]
    yield "adlsp.runtime.plus_back", [*_behind_back()]
    yield "adlsp.runtime.repeated", [Call((*c.args, n)) for c in _listed() for n in (0, 2)]
    yield "numpy.r_", [*joins((3,), (2,)), *joins((), (2,)), *joins((2, 3), (1, 3))]
    yield "numpy.c_", [*joins((3,), (3,)), *joins((), ()), *joins((2, 3), (2, 1))]
    yield "python.broadcast_arrays", _broadcast()
    yield (
        "adlsp.runtime.broadcast_arrays_bar",
        [Call((rt.broadcast_arrays(*c.args), *c.args)) for c in _broadcast()],
    )
    yield "python.meshgrid", [*_axes(), *(Call(c.args, {"indexing": "ij"}) for c in _axes())]
    yield "adlsp.runtime.meshgrid", [Call((*c.args, "xy")) for c in _axes()]
    yield (
        "adlsp.runtime.meshgrid_bar",
        [Call((rt.meshgrid(*c.args, "ij"), *c.args, "ij")) for c in _axes()],
    )
    yield "adlsp.runtime.array_part", [Call((array(3), True)), Call((number(), False))]
    yield "adlsp.runtime.number_part", [Call((number(), True)), Call((number(), False))]
    yield "adlsp.runtime.number_of", [*shapes((3,)), Call((number(),))]
    yield "adlsp.runtime.number_of_bar", [Call((0.5, array(3))), Call((0.5, number()))]
    yield "adlsp.runtime.seen", [Call((array(3), 0, True)), Call((array(3), number(), False))]
    yield "adlsp.runtime.seen_bar", [Call((array(3), array(3), True))]
    yield "adlsp.runtime.inserted", _put_in()
    yield "adlsp.runtime.without", _shortened()
    yield "adlsp.runtime.without_bar", [Call((rt.without(*c.args), *c.args)) for c in _shortened()]
    yield "adlsp.runtime.transposed_bar", [Call((rt.transposed(*c.args), *c.args)) for c in _rows()]
    yield "adlsp.runtime.repeats_bar", [Call((c.args[0] * 2, c.args[0], 2)) for c in _listed()]
    yield "adlsp.runtime.growing", [*shapes((3,), (2, 3), (0,)), Call((growing(3),)), *_listed()]
    yield "adlsp.runtime.append", [*_grown()]
    yield "adlsp.runtime.setitem", [*_edited()]
    yield "adlsp.runtime.shorten", [Call((growing(3),)), *shapes((3,), (2, 3))]
    yield "adlsp.runtime.lengthen", [Call((growing(3),)), *shapes((3,), (0,), (2, 3))]
    yield "adlsp.runtime.cleared", [Call((growing(3), 1)), Call((array(3, 2), -1))]
    yield (
        "adlsp.runtime.growing_bar",
        [Call((growing(3), array(3))), Call((array(2, 3), growing(2, 3))), *_listed_bar()],
    )
    yield (
        "adlsp.runtime.transpose_bar",
        [Call((array(2, 3, 4), (2, 0, 1))), Call((array(2, 3), None))],
    )
    yield (
        "adlsp.runtime.trace_bar",
        [Call((array(), (3, 4), 1)), Call((array(3), (2, 3, 4), 0, 2, 0))],
    )
    yield "adlsp.runtime.diag_bar", [Call((array(3, 3), (3,))), Call((array(2), (3, 2), -1))]
    yield "adlsp.runtime.matmul_bar_a", _products_bar(np.matmul, products(*PRODUCTS, *STACKED))
    yield "adlsp.runtime.matmul_bar_b", _products_bar(np.matmul, products(*PRODUCTS, *STACKED))
    yield "adlsp.runtime.dot_bar_a", _products_bar(np.dot, products(*PRODUCTS, *SPREAD))
    yield "adlsp.runtime.dot_bar_b", _products_bar(np.dot, products(*PRODUCTS, *SPREAD))
    yield (
        "adlsp.runtime.inner_bar_a",
        _products_bar(np.inner, products(((2, 3), (5, 3)), ((3,), (3,)))),
    )
    yield (
        "adlsp.runtime.inner_bar_b",
        _products_bar(np.inner, products(((2, 3), (5, 3)), ((3,), (3,)))),
    )
    yield "adlsp.runtime.stretch", [Call((array(3), (2, 3))), Call((number(), (2, 3)))]
    yield "adlsp.runtime.cast", [Call((array(2, 3), float)), Call((array(2, 3), np.float64))]
    yield (
        "adlsp.runtime.split_bar",
        [Call((_out(np.concatenate, c), *c.args)) for c in _joined()[:2]],
    )
    yield (
        "adlsp.runtime.join",
        [Call((c.args[0], _out(np.concatenate, c).shape)) for c in _joined()[:2]],
    )
    yield "adlsp.runtime.listed", [*_taken_apart()]
    yield "adlsp.runtime.unlisted", [*_put_together()]
    yield (
        "adlsp.runtime.unpack",
        [Call(([array(2), array(), array(3)], 1, 3)), Call((array(4, 2), 0, 2))],
    )
    yield (
        "adlsp.runtime.repack",
        [
            Call(((array(), [array(), array()]), 1, array(3))),
            Call((([array(2)], array(2)), 0, [array(2), array(2)])),
        ],
    )
    yield (
        "adlsp.runtime.tile_bar",
        [Call((array(*np.tile(array(*n), r).shape), n, r)) for n, r in TILED],
    )
    yield "adlsp.runtime.repeat_bar", [_bar(np.repeat, c) for c in _repeated()]
    windows = np.lib.stride_tricks.sliding_window_view
    yield "adlsp.runtime.windows_bar", [_bar(windows, c) for c in _windows()]
    yield "adlsp.runtime.pad_bar", [_bar(np.pad, c) for c in _padded() if not c.keywords]
    yield "adlsp.runtime.diff_bar", [_bar(np.diff, c) for c in shapes((4,), (2, 3))]
    yield "adlsp.runtime.gather_bar", [_bar(np.take, c) for c in _taken()]
    yield "adlsp.runtime.gather_along_bar", [_bar(np.take_along_axis, c) for c in _taken_along()]
    yield "adlsp.runtime.diagonal_bar", [_bar(np.diagonal, c) for c in shapes((3, 3), (2, 3, 4))]
    yield (
        "adlsp.runtime.sum_bar",
        [Call((array(3), [array(3), array(3)])), Call((array(), array(3)))],
    )
    yield "adlsp.runtime.others adlsp.runtime.product_of_others", [*_lanes(), *_with_zeros()]
    yield "adlsp.runtime.others_bar", [_bar(rt.others, c) for c in _lanes()]
    yield "adlsp.runtime.kron_bar_a", _products_bar(np.kron, products(*KRONECKER))
    yield "adlsp.runtime.kron_bar_b", _products_bar(np.kron, products(*KRONECKER))
    yield "adlsp.runtime.tensordot_bar_a", _tensors_bar()
    yield "adlsp.runtime.tensordot_bar_b", _tensors_bar()
    yield (
        "adlsp.runtime.convolve_bar",
        [Call((_out(np.convolve, c), (4,), c.args[1], *c.args[2:])) for c in _convolutions()[:4]],
    )
    yield "adlsp.runtime.einsum", _sums_of_products()
    yield "adlsp.runtime.einsum_fit", [*_fitted()]
    yield "adlsp.runtime.einsum_unfit", [*_unfitted()]
    yield "adlsp.runtime.conj adlsp.runtime.phase adlsp.runtime.per_size", each(*LOWER)
    yield "adlsp.runtime.dagger", shapes((2, 3), (2, 3, 3))
    yield (
        "adlsp.runtime.hermitian adlsp.runtime.hermitian_bar",
        [*shapes((3, 3), (2, 3, 3)), Call((array(3, 3), "U"))],
    )
    yield "adlsp.runtime.power_log", each(*LOWER) + each(*UPPER)
    yield "adlsp.runtime.sinc_slope", [Call((*c.args, n)) for n in (1, 2, 3) for c in each()]
    yield "adlsp.runtime.interp_slope", [Call(c.args) for c in _interpolations()]
    yield (
        "adlsp.runtime.interp_slope_bar",
        [Call((c.args[0] * 2, *c.args[:2])) for c in _interpolations()],
    )
    yield (
        "adlsp.runtime.interp_bar",
        [Call((c.args[0] * 2, *c.args[:2])) for c in _interpolations()],
    )
    yield "adlsp.runtime.number", [Call((number(),))]
    yield "adlsp.runtime.factor", [Call((0.7,)), Call((np.float64(-1.5),))]
    yield "adlsp.runtime.refill", products(((2, 3), (2, 3)), ((), ()))
    yield "adlsp.runtime.alone", products(((), (3,)))
    yield "adlsp.runtime.fit_to", products(((4, 3), (3, 5)), ((4, 3), (4, 3)))
    yield "adlsp.runtime.half", [*shapes((5,), (4,), (1,)), Call((array(4, 3), 0))]
    yield (
        "adlsp.runtime.half_bar",
        [Call((array(3), (5,))), Call((array(3), (4,))), Call((array(3, 3), (4, 3), 0))],
    )
    yield "adlsp.runtime.rot90", [Call((array(2, 3), 1)), Call((array(2, 3, 4), 2, (2, 0)))]
    yield "adlsp.runtime.gradient", [Call((array(5),)), Call((array(4, 3), 0.5, 0, 2))]
    yield (
        "adlsp.runtime.gradient_bar",
        [Call((array(5), (5,))), Call((array(4, 3), (4, 3), 0.5, 0, 2))],
    )
    yield "adlsp.runtime.insert_bar_arr", [_inserted_bar(c) for c in _inserted()]
    yield "adlsp.runtime.insert_bar_values", [_inserted_bar(c) for c in _inserted()]
    yield "adlsp.runtime.select_bar", [Call((array(3), *c.args[:2])) for c in [*_selected()][:1]]
    yield "adlsp.runtime.quantiles", [Call((array(3, 4), array(3, 4), Q, 1))]
    yield "adlsp.runtime.quantiles_bar", [Call((array(2, 3), array(3, 4), Q, 1))]
    yield "adlsp.runtime.polynomial", [Call((array(4), array(2, 3), n)) for n in (0, 1, 3)]
    yield "adlsp.runtime.polynomial_bar", [Call((array(3), (4,), array(3), n)) for n in (0, 2)]
    yield (
        "adlsp.runtime.powers_of",
        [Call((array(3), 4, up, n)) for up in (False, True) for n in (0, 2)],
    )
    yield "adlsp.runtime.scan", [Call((array(4), array(4))), Call((array(3, 4), array(3, 4), 1))]
    yield (
        "adlsp.runtime.scan_back",
        [Call((array(4), array(4))), Call((array(3, 4), array(3, 4), 1))],
    )
    yield "adlsp.runtime.before", [Call((array(4), 1)), Call((array(3, 4), 0, 1))]
    yield "adlsp.runtime.after", [Call((array(4),)), Call((array(3, 4), 1))]
    yield "adlsp.runtime.upper", products(((2, 2), (2, 2)), ((3, 2, 2), (3, 2, 2)))
    yield "adlsp.runtime.corner adlsp.runtime.diagonal_blocks", shapes((4, 4), (3, 4, 4))
    yield "adlsp.runtime.corner_bar", [Call((array(2, 2), (4, 4)))]
    yield "adlsp.runtime.solve_transposed", [Call((a, b, b)) for a, b in _matrices_and_sides()]
    yield from further_entries()


def further_entries() -> Iterator[tuple[str, list[Call]]]:
    """What was added later: drawn last, it leaves the samples of others as they are."""
    yield from special_functions()
    yield from linear_algebra()
    yield from signals()
    yield from distributions()
    yield "numpy.cumulative_sum", [*_cumulated(), *_cumulated(include_initial=[True])[:4]]
    yield "numpy.cumulative_prod", _cumulated()
    index = np.array([[0, 1, 1], [1, 0, 2]])
    choices = [[array(3), array(2, 3), array(3)], [array(3), number(), array(3)]]
    yield (
        "numpy.choose",
        [*(Call((index, each)) for each in choices), Call((index, array(3, 2, 3)))],
    )
    yield "adlsp.runtime.choose_bar", [Call((array(2, 3), index, choices[0]))]
    yield "numpy.nanstd numpy.nanprod", [*_reduced_floats(), *_with_gaps()]
    yield "numpy.nancumprod", [*CUMULATED, Call((_gaps(),)), Call((_gaps(), 1))]
    yield "numpy.unwrap", [*shapes((4,), (2, 3)), Call((9 * fixed(2, 5), None, 0))]
    yield "numpy.ldexp", [Call((array(2, 3), np.arange(-1, 2))), Call((number(), 2))]
    yield "numpy.vecmat", products(((3,), (3, 2)), ((4, 3), (3, 2)), ((3,), (4, 3, 2)))
    yield "adlsp.runtime.aligned", [Call((w, shape, axis)) for w, shape, axis in _weights()]
    yield (
        "adlsp.runtime.aligned_bar",
        [Call((array(*shape), w, axis)) for w, shape, axis in _weights()],
    )
    yield (
        "adlsp.runtime.trapezoid_bar_x",
        [
            Call((fixed(2), fixed(2, 3), fixed(3))),
            Call((fixed(2), fixed(3, 2), fixed(3, 2) * 2, 0)),
        ],
    )
    yield (
        "adlsp.runtime.trapezoid_bar_dx",
        [
            Call((fixed(2), fixed(2, 3), 0.5)),
            Call((fixed(2), fixed(3, 2), fixed(2, 2) * 2, 0)),
        ],
    )
    yield (
        "adlsp.runtime.trapezoid_weights",
        [
            Call(((2, 3), fixed(3))),
            Call(((3, 2), fixed(3, 2), 1.0, 0)),
            Call(((3, 2), None, 0.5, 0)),
        ],
    )
    in_space = (((3,), (3,)), ((2, 3), (3,)), ((3,), (2, 3)))
    rows = options([Call((array(3, 2), array(3, 2)))], axis=[0])
    yield "numpy.linalg.outer", products(((2,), (3,)), ((0,), (3,)))
    yield "numpy.linalg.cross", [*products(*in_space), *rows]
    yield (
        "numpy.linalg.diagonal numpy.linalg.trace",
        [*shapes((3, 3), (2, 3)), *options(_boxes(), offset=[1, -1])],
    )
    yield (
        "numpy.linalg.vector_norm",
        [*shapes((3,), (2, 3)), *options(_boxes(), axis=[1, (0, 2)], keepdims=[True, False])],
    )
    matrices = [Call((np.eye(3, 4) * np.arange(1, 5) + 0.1 * array(3, 4),))]
    yield (
        "numpy.linalg.matrix_norm",
        [
            *[*shapes((2, 3)), *options(_boxes(), keepdims=[True, False])],
            *options(matrices, ord=["nuc", 2, 1]),
        ],
    )
    yield "numpy.linalg.svdvals", [Call(c.args[:1]) for c in _singular()[:3]]
    yield "numpy.fft.hfft numpy.fft.ihfft", _transforms()
    coefficients = (((3,), (3,)), ((4,), (2,)), ((1,), (3,)))
    yield "numpy.polyadd numpy.polysub", [*products(*coefficients), Call((array(3), number()))]
    yield "numpy.polymul", products(*coefficients)
    yield "numpy.polyder numpy.polyint", [Call((array(4), *m)) for m in ((), (0,), (2,))]
    yield "numpy.polyfit", [Call((np.arange(5), array(*n), 2)) for n in ((5,), (5, 3))]
    yield "adlsp.runtime.last", products(((4,), (2,)), ((3,), (3,)))


def distributions() -> Iterator[tuple[str, list[Call]]]:
    """Densities of SciPy, and probabilities of counts by their parameters."""
    yield (
        "scipy.stats.expon.logpdf scipy.stats.expon.pdf scipy.stats.expon.cdf "
        "scipy.stats.halfnorm.logpdf scipy.stats.laplace.logpdf "
        "scipy.stats.laplace.pdf scipy.stats.cauchy.logpdf scipy.stats.cauchy.pdf "
        "scipy.stats.logistic.logpdf scipy.stats.logistic.pdf scipy.stats.logistic.cdf",
        [Call((array(2, 3, low=0.4, high=0.9), 0.1, number(1.0, 2.0))), Call((array(3, low=0.5),))],
    )
    yield "scipy.stats.uniform.logpdf", [Call((array(3, low=0.4, high=0.9), 0.1, 2.0))]
    yield (
        "scipy.stats.lognorm.logpdf scipy.stats.invgamma.logpdf scipy.stats.gamma.logpdf",
        [Call((array(2, 3, low=0.5), array(3, low=1.0), 0.1, number(*POSITIVE)))],
    )
    yield "scipy.stats.gamma.pdf", [Call((array(2, 3, low=0.5), 2.0, 0.1, number(*POSITIVE)))]
    yield "scipy.stats.gamma.cdf", [Call((array(3, low=0.5), 2.0, 0.1, number(*POSITIVE)))]
    yield "scipy.stats.beta.logpdf", [Call((array(3, low=0.3, high=0.8), 2.0, 3.0, 0.1, 1.5))]
    yield (
        "scipy.stats.binom.logpmf scipy.stats.binom.pmf",
        [Call((np.array([0, 1, 4]), 5, array(2, 3, low=0.2, high=0.8)))],
    )
    yield (
        "scipy.stats.bernoulli.logpmf",
        [Call((np.array([0, 1, 1]), array(2, 3, low=0.2, high=0.8)))],
    )
    yield (
        "scipy.stats.geom.logpmf",
        [Call((np.array([1, 2, 5]), array(2, 3, low=0.2, high=0.8)))],
    )
    yield (
        "scipy.stats.nbinom.logpmf",
        [Call((np.array([0, 1, 4]), number(1.0, 2.0), array(2, 3, low=0.2, high=0.8)))],
    )


def signals() -> Iterator[tuple[str, list[Call]]]:
    orthogonal = options(shapes((5,), (2, 4)), type=[2, 3], norm=["ortho"], axis=[0])
    yield "scipy.fft.dct", [*orthogonal, *options(shapes((5,), (4, 3)), axis=[0, -1])]
    yield "scipy.fft.idct scipy.fft.dst scipy.fft.idst", orthogonal
    yield "scipy.fft.dctn scipy.fft.idctn", options(shapes((2, 4)), norm=["ortho"])
    home = "scipy.integrate."
    x = np.array([0, 1, 3, 4, 8])
    yield (
        f"{home}simpson",
        [
            *shapes((5,), (2, 4), (2,)),
            *options(shapes((6, 3)), axis=[0]),
            *options(shapes((2, 5)), x=[x]),
            *options(shapes((2, 4)), x=[x[:4]]),
        ],
    )
    yield (
        f"{home}cumulative_trapezoid",
        [
            *options(shapes((5,), (2, 5)), initial=[None, 0]),
            *[Call((*c.args, x)) for c in shapes((2, 5))],
            *options(shapes((4, 2)), axis=[0], dx=[2]),
        ],
    )
    rows = [Call((fixed(4, 3), 2.0 - fixed(2, 3))), Call((fixed(1, 2), fixed(3, 2) + 0.3))]
    metrics = ["euclidean", "sqeuclidean", "cityblock"]
    yield (
        "scipy.spatial.distance.cdist",
        [*rows, *[Call((*c.args, metric)) for c in rows for metric in metrics]],
    )
    apart = [Call((fixed(3), 2.0 - fixed(3))), Call((fixed(1), fixed(1) + 0.5))]
    yield (
        "scipy.spatial.distance.pdist",
        [Call((fixed(4, 3), *m)) for m in ((), *((metric,) for metric in metrics[1:]))],
    )
    square_of = 1.0 - np.eye(3) + fixed(3, 3) * 0.1 + fixed(3, 3).T * 0.1
    yield (
        "scipy.spatial.distance.squareform",
        [Call((fixed(6),)), Call((square_of,), {"checks": False})],
    )
    yield "adlsp.runtime.squareform_bar", [Call((fixed(3, 3),)), Call((fixed(3),))]
    yield "scipy.spatial.distance.euclidean", apart[:1]
    yield "scipy.spatial.distance.sqeuclidean", apart
    positive = [Call((np.exp(fixed(*shape)),)) for shape in ((4,), (2, 3))]
    yield "scipy.stats.gmean", [*positive, *options(positive[1:], axis=[1, None])]
    home = "scipy.signal."
    pairs_of = (((5,), (3,)), ((3,), (4,)), ((4, 5), (2, 3)))
    yield f"{home}convolve", options(products(*pairs_of), mode=["full", "same"])
    yield (
        f"{home}correlate",
        [
            *options(products(*pairs_of), mode=["full"]),
            *options(products(pairs_of[0], pairs_of[2]), mode=["valid"]),
        ],
    )
    b, a = np.array([1, 2, -1]), np.array([2, 1])
    filtered = [*shapes((5,), (2, 5)), *options(shapes((5, 2)), axis=[0])]
    yield f"{home}lfilter", [Call((b, a, *c.args), c.keywords) for c in filtered]
    yield f"{home}detrend", [*filtered, *options(filtered[:1], type=["constant"])]
    yield "adlsp.runtime.centered", [Call((array(5, 4), (3, 4)))]
    yield "adlsp.runtime.centered_bar", [Call((array(3, 4), (5, 4)))]


def linear_algebra() -> Iterator[tuple[str, list[Call]]]:
    home = "scipy.linalg."
    of_systems = [Call(pair) for pair in _matrices_and_sides()[:2]]
    positive = [Call((definite(3, 3), *c.args[1:])) for c in of_systems]
    assumed = [*options(of_systems, assume_a=["gen"]), *options(positive, assume_a=["pos", "sym"])]
    yield f"{home}solve", [*_systems()[:3], *assumed]
    yield f"{home}inv {home}det", regulars()
    yield f"{home}cholesky", options([Call((definite(3, 3),))], lower=[False, True])
    yield f"{home}eigh", options([Call((definite(3, 3),))], driver=["evd"])
    yield f"{home}cho_factor", options([Call((definite(3, 3),))], lower=[False, True])
    factored = [(definite(3, 3), is_lower) for is_lower in (False, True)]
    sides = [c.args[1] for c in of_systems]
    yield f"{home}cho_solve", [Call(given) for given in zip(factored, sides, strict=True)]
    yield f"{home}eigvalsh", [Call((definite(3, 3),))]
    yield f"{home}norm", [c for c in _norms() if c.args[0].size][::4]
    yield f"{home}svd", [c for c in _singular() if c.args[0].ndim == 2]
    square = [Call((np.eye(3) + 0.3 * array(3, 3),)), *regulars()[:1]]
    tall = [Call((np.eye(4, 3) + 0.3 * array(4, 3),))]
    yield f"{home}qr", [*square, *options([*square[:1], *tall], mode=["economic"])]
    yield f"{home}lu", [*square, Call((square[1].args[0][::-1].copy(),))]
    yield f"{home}circulant {home}toeplitz {home}hankel", shapes((4,), (1,))
    yield f"{home}logm", [Call((definite(3, 3) / 5,))]
    yield f"{home}sinm {home}cosm", [Call((c.args[0] / 4,)) for c in regulars()[:1]]
    yield f"{home}solve_continuous_lyapunov", [Call((regular(3, 3), array(3, 3)))]
    yield f"{home}solve_discrete_lyapunov", [Call((regular(3, 3) / 6, array(3, 3)))]


def _cumulated(**choices: list[Any]) -> list[Call]:
    calls = [*shapes((4,), (0,)), *options(shapes((2, 3)), axis=[0, 1, -1])]
    return options(calls, **choices) if choices else calls


def _weights() -> Iterator[tuple[Any, tuple[int, ...], Any]]:
    yield array(2, 3), (2, 3), None
    yield array(3), (2, 3), 1
    yield array(4, 2), (2, 3, 4), (2, 0)


def special_functions() -> Iterator[tuple[str, list[Call]]]:
    home = "scipy.special."

    def of(names: str, calls: list[Call]) -> tuple[str, list[Call]]:
        return " ".join(f"{home}{name}" for name in names.split()), calls

    def behind(*first: Any, low: float, high: float) -> list[Call]:
        return [Call((*first, *c.args)) for c in each(low, high)]

    def orders(*rest: Any, low: float = 0.5, high: float = 2.0) -> list[Call]:
        return [c for n in (0, 1, 2) for c in behind(n, *rest, low=low, high=high)]

    small = [Call((x,)) for x in (0.0, -1e-7, 1e-7)]
    yield of("softplus cosm1 sindg cosdg tandg wrightomega wofz", each())
    yield of("exprel", [*each(), *each(-9.0, -5.0)])
    yield of("ndtri_exp", each(-2.0, -0.2))
    yield of("voigt_profile", _profiles())
    yield of("owens_t", pairs(ANYWHERE, ANYWHERE))
    yield of("betaincc", behind(2, 3, low=0.2, high=0.8))
    yield of("betaincinv betainccinv", behind(2, 3, low=0.2, high=0.8))
    yield of("gammaincinv gammainccinv", [c for n in (1, 3) for c in behind(n, low=0.2, high=0.8)])
    yield of("chdtr chdtrc", [*behind(2, low=0.3, high=3.0), *behind(5, low=0.3, high=3.0)])
    yield of("stdtr", [*behind(1, low=-2.0, high=2.0), *behind(4, low=-2.0, high=2.0)])
    yield of("stdtrit", [*behind(1, low=0.2, high=0.8), *behind(4, low=0.2, high=0.8)])
    yield of("poch", pairs(POSITIVE, POSITIVE))
    yield of("binom comb", pairs((2.0, 4.0), (0.3, 1.8)))
    yield of("powm1", pairs(POSITIVE, ANYWHERE))
    yield of("lambertw", [*each(0.2, 2.0)[:3], Call((-0.2,)), Call((0.0,)), Call((-0.2, -1))])
    yield of("boxcox boxcox1p", _with_powers(*POSITIVE))
    yield of("inv_boxcox inv_boxcox1p", _with_powers(-0.4, 0.8))
    yield of("huber", [*pairs((1.2, 1.5), (-1.0, 1.0)), *pairs((0.5, 0.9), (1.0, 2.0))])
    yield of("pseudo_huber", pairs(POSITIVE, ANYWHERE))
    yield of("exp1", each(*POSITIVE))
    yield of("expi sici shichi", each(*LOWER) + each(*UPPER))
    yield of("expn", [Call((n, *c.args)) for n in (1, 2, 4) for c in each(0.3, 2.0)])
    yield of("fresnel", [*each(), *small])
    yield of("airy", each())
    yield of("jve yve kve hankel1 hankel2", orders())
    yield of("k0e k1e", each(0.5, 2.0))
    yield of("jvp yvp ivp kvp", [*orders(), *options(orders()[:2], n=[2])])
    yield of("spherical_jn spherical_yn spherical_in spherical_kn", orders())
    yield of("hyp0f1", behind(2, low=-2.0, high=2.0))
    yield of("hyp1f1 hyperu", behind(2, 3, low=0.3, high=2.0))
    yield of("hyp2f1", behind(1, 2, 4, low=-0.8, high=0.8))
    yield of("ellipk ellipe", [*each(-2.0, 0.8), *small])
    yield of("ellipkm1", each(0.2, 2.0))
    yield of("ellipkinc ellipeinc", [Call((*c.args, m)) for m in (0, -3) for c in each()])
    yield of("ellipj", [Call((*c.args, m)) for m in (0, 1) for c in each()])
    yield of("eval_legendre eval_chebyt eval_chebyu", orders(low=-0.9, high=0.9))
    yield of("eval_hermite eval_hermitenorm eval_laguerre", orders(low=-2.0, high=2.0))
    yield of("eval_gegenbauer eval_genlaguerre", _polynomials(1))
    yield of("eval_jacobi", _polynomials(2))


def _profiles() -> list[Call]:
    single = Call((number(), number(*POSITIVE), number(*POSITIVE)))
    return [
        single,
        Call((array(3), array(3, low=0.3), array(3, low=0.3))),
        Call((array(2, 3), array(3, low=0.3), 0.7)),
    ]


def _with_powers(low: float, high: float) -> list[Call]:
    return [Call((*c.args, n)) for n in (0, 1, 2) for c in each(low, high)]


def _polynomials(n_parameters: int) -> list[Call]:
    given = ((n, *(2, 1)[:n_parameters]) for n in (0, 1, 3))
    return [Call((*first, *c.args)) for first in given for c in each(-0.9, 0.9)]


def _listed() -> list[Call]:
    return [Call(([number(), number()],)), *joins((3,), (3,))]


def _three() -> list[Call]:
    return [Call(([number(), number(), number()],))]


def _axes() -> list[Call]:
    return [*joins((3,), (2,)), *joins((3,), (2,), ()), *joins((3,))]


def _put_in() -> list[Call]:
    return [Call((*c.args, i, number())) for c in _three() for i in (0, 1, -1, 9, -9)]


def _shortened() -> list[Call]:
    lists = [Call((*c.args, i)) for c in (*_three(), *joins((3,), (2,))) for i in (0, -1)]
    return [*lists, Call(({"a": number(), "b": array(2)}, "a"))]


def _rows() -> list[Call]:
    numbers = [Call(([(number(), number()), (number(), number())],)), Call((array(2, 3),))]
    return [*numbers, Call(([[number(), array(2), number()], [number(), array(2)]],))]


def _entered() -> list[Call]:
    return [Call(({"a": number(), "b": number()},))]


def _paired() -> list[Call]:
    return [Call(([(0.5, number()), (1.5, number())],))]


def _sorted() -> list[Call]:
    return [Call(([0.5, 1.5, 1.0],)), Call(([0.5, 1.5, 1.0],), {"reverse": True})]


def _put_behind() -> list[Call]:
    return [Call((*c.args, *d.args)) for c in _listed() for d in _listed()]


def _behind_bar() -> Iterator[Call]:
    for given in (*_put_behind(), Call((array(2, 3), array(3))), Call((array(3), array(3)))):
        for place in (0, 1):
            yield Call((operator.add(*given.args), *given.args, place))


def _behind_back() -> Iterator[Call]:
    for given in (*_put_behind(), Call((array(2, 3), array(3))), Call((array(3), array(3)))):
        for place in (0, 1):
            yield Call((operator.add(*given.args), given.args[place], *given.args, place))


def _behind_part() -> Iterator[Call]:
    for given in (*_put_behind(), Call((array(2, 3), array(3))), Call((array(3), array(3)))):
        for place in (0, 1):
            yield Call((given.args[place], operator.add(*given.args), *given.args, place))


def _listed_bar() -> list[Call]:
    return [Call((rt.growing(*call.args), *call.args)) for call in _listed()]


def _taken_apart() -> list[Call]:
    made = [Call((array(2, 3), [array(3), array(3)])), Call((array(2), [number(), number()]))]
    return [*made, Call(([array(3)], [array(3)]))]


def _put_together() -> list[Call]:
    made = [Call(([array(3), array(3)], array(2, 3))), Call(([array(3)], [array(3)]))]
    return [*made, Call(([number(), number()], array(2)))]


def _grown() -> list[Call]:
    made = [Call((growing(*n), number())) for n in ((3,), (0,), (2, 3))]
    return [*made, Call((growing(2, 3), array(3))), Call((growing(3), array()))]


def _edited() -> list[Call]:
    made = [
        Call((growing(4), i, number())) for i in (1, -1, slice(1, 3), ..., slice(None, None, -2))
    ]
    rows = [Call((growing(2, 3), i, array(*n))) for i, n in ((0, (3,)), ((1, slice(2)), (2,)))]
    return [
        *made,
        *rows,
        Call((growing(2, 3), (1, 2), number())),
        Call((growing(4), slice(1, 3), array(2))),
    ]


def joins(*all_shapes: tuple[int, ...]) -> list[Call]:
    """One argument, a list of arrays."""
    return [Call(([array(*shape) for shape in all_shapes],))]


def definite(*shape: int) -> Any:
    """Symmetric positive definite matrices, with noise above the diagonal, which nobody reads."""
    half = regular(*shape)
    return np.matmul(half, np.swapaxes(half, -1, -2)) + np.triu(array(*shape), 1)


def _broadcast() -> list[Call]:
    """Arrays and numbers that are broadcast against each other."""
    return [Call(([array(2, 1), array(3)],)), Call(([array(2, 3), number(), array(1, 3)],))]


def _of_some() -> list[Call]:
    """Sums and means of some elements, and in other dtypes."""
    some = np.array([[True, False, True], [True, True, False]])
    made = options([Call((array(2, 3),))], axis=[None, 1], where=[some], keepdims=[False, True])
    return [*made, *options(shapes((2, 3), ()), dtype=["float64", "int32"])]


def _bounded() -> list[Call]:
    """Extremes beside a bound, which some of them reach."""
    given = np.array([[-1.5, 0.5], [0.7, 1.5], [-1.0, 0.25]])
    return options([Call((given,))], axis=[None, 0, 1], initial=[0.6, -0.3], keepdims=[False])


def _blocks() -> list[Call]:
    """Blocks in one direction and in two, of different numbers of axes."""
    made: list[list[Any]] = [
        [array(2), array(3)],
        [number(), array(2)],
        [array(2, 2), array(2, 1)],
        [[array(2, 2), array(2, 3)], [array(1, 2), array(1, 3)]],
        [[array(2), array(3)], [number(), array(4)]],
        [[array(2, 2, 3), array(2, 2, 1)]],
    ]
    return [Call((blocks,)) for blocks in made]


def _fits() -> list[Call]:
    """Systems with more equations than unknowns, as many, and fewer."""
    made = [
        Call((np.eye(*n) + 0.3 * array(*n), array(n[0], *columns)))
        for n in ((4, 2), (3, 3), (2, 3))
        for columns in ((), (2,), (1,))
    ]
    return [*made, Call((*made[0].args, None)), Call((*made[1].args, -1))]


INVERTED = ((3, 3), (4, 3), (2, 3), (2, 3, 2))
TILED: list[tuple[tuple[int, ...], Any]] = [
    ((3,), 2),
    ((2, 3), (2, 1)),
    ((3,), (2, 2)),
    ((2, 3), 2),
    ((), 3),
    ((2, 3), (0, 1)),
]
KRONECKER = (((2, 2), (2, 3)), ((3,), (2, 2)), ((2, 2), (3,)), ((3,), (2,)), ((2, 3), ()))


EDGES = np.array([-1.0, 0.0, 0.5, 1.0])


def _variables() -> list[tuple[Call, tuple[Any, ...]]]:
    choices: list[tuple[Any, ...]] = [(True, False, None), (False, True, None), (True, False, 2)]
    return [(call, options) for call in shapes((2, 4), (4,)) for options in choices]


def _covariances() -> list[Call]:
    return [
        Call(call.args, {"rowvar": rowvar, "bias": bias, "ddof": ddof})
        for call, (rowvar, bias, ddof) in _variables()
    ]


def _of_two(**choices: list[Any]) -> list[Call]:
    """Two sets of variables."""
    return options([Call((fixed(4), fixed(4) ** 2))], rowvar=[True, False], **choices)


def _histograms() -> list[Call]:
    made = [Call((array(9), bins), {"weights": array(9)}) for bins in (3, 1)]
    made.append(Call((array(2, 3), EDGES), {"weights": array(2, 3)}))
    return [
        *made,
        Call((array(9), 3, (-1.0, 1.5)), {"weights": array(9)}),
        Call((array(9), "sqrt")),
    ]


def _with_zeros() -> list[Call]:
    x = np.array([[0.5, 0.0, 2.0], [0.0, 3.0, 0.0]])
    return [Call((x[0],)), Call((x, 1)), Call((x, (0, 1))), Call((x[0, 0], 0))]


def _lanes() -> list[Call]:
    return [*shapes((3,), (2, 3), ()), *options(shapes((2, 3, 2)), axis=[1, (2, 0)])]


def _averages() -> list[Call]:
    return [
        Call((array(2, 3), 1, np.array([1, 2, 4]))),
        Call((array(2, 3), None, np.arange(6).reshape(2, 3))),
        *options([Call((fixed(2, 3), 1, 2.0 + fixed(3)))], keepdims=[True, False]),
        Call((fixed(2, 3), None, 2.0 + fixed(2, 3))),
        Call((fixed(2, 3, 4), (2, 0), 2.0 + fixed(4, 2))),
        Call((fixed(2, 3, 4), [2, 0], 2.0 + fixed(4, 2))),
        *options([Call((fixed(2, 3, 4),))], axis=[None, 1, (0, 2), [0, 2]]),
    ]


def _integrals() -> list[Call]:
    x = np.array([0, 1, 3])
    return [
        *shapes((4,), (2, 3), (1,)),
        *options(shapes((3, 4)), axis=[0]),
        Call((array(2, 3), x)),
        Call((array(3, 2), fixed(3)), {"axis": 0}),
        Call((array(2, 3), fixed(2, 3) * 2)),
        Call((array(4),), {"dx": 2}),
        Call((fixed(4),), {"dx": 0.3}),
        *options([Call((fixed(3, 2),))], dx=[0.3, fixed(2, 1) + 2, fixed(2, 2)], axis=[0]),
    ]


def _tensors() -> list[Call]:
    return [
        *products(((2, 3), (2, 3)), ((4, 2, 3), (2, 3, 5))),
        *options(products(((2, 3), (3, 4)), ((5, 2, 3), (3, 4))), axes=[1]),
        *options(products(((2, 3), (4,))), axes=[0]),
        *options(products(((2, 3, 4), (4, 5, 2))), axes=[((0, 2), (2, 0)), ([-1, 0], [0, -1])]),
        *options(products(((2, 3), (3, 2))), axes=[(0, 1)]),
    ]


def _tensors_bar() -> list[Call]:
    return [Call((_out(np.tensordot, call), *call.args), call.keywords) for call in _tensors()]


def _sums_of_products() -> list[Call]:
    return [
        Call(("ij,jk->ik", array(2, 3), array(3, 4))),
        Call(("ij,jk", array(2, 3), array(3, 4))),
        Call(("ij->i", array(2, 3))),
        Call(("ji", array(2, 3))),
        Call(("ii->i", array(3, 3))),
        Call(("ii", array(3, 3))),
        Call(("iij,j->ij", array(3, 3, 2), array(2))),
        Call(("i,j->", array(2), array(3))),
        Call(("...ij,...jk->...ik", array(5, 2, 3), array(3, 4))),
        Call(("i...,i->...", array(3, 2), array(3))),
        Call(("...i,i", array(2, 3), array(3))),
        Call(("ij, ij -> ij", array(1, 3), array(2, 3))),
        Call(("...,...j->...j", array(1, 2), array(3, 1, 2))),
        Call(("ab,bc,cd,d->a", array(2, 3), array(3, 2), array(2, 4), array(4))),
        Call(("i,i,i->i", array(3), array(3), array(3))),
    ]


def _fitted() -> Iterator[Call]:
    yield Call((array(2, 3), "ij,jk->ik", 0, (2, 3)))
    yield Call((array(3), "ii->i", 0, (3, 3)))
    yield Call((array(2), "ij->i", 0, (2, 3)))
    yield Call((array(5, 3, 4), "...ij,...jk->...ik", 1, (3, 4)))


def _unfitted() -> Iterator[Call]:
    for call in _fitted():
        a_bar, subscripts, position, shape = call.args
        yield Call((array(*shape), subscripts, position, np.shape(a_bar)))


def _convolutions() -> list[Call]:
    lengths = (((4,), (3,)), ((4,), (2,)), ((4,), (7,)), ((4,), (1,)))
    modes = options(products(*lengths[:3]), mode=["full", "same", "valid"])
    return [*(Call((*c.args, m)) for c, m in zip(products(*lengths), MODES, strict=True)), *modes]


MODES = ("full", "same", "valid", "same")


def _joined() -> list[Call]:
    return [
        *joins((2, 3), (4, 3)),
        *joins((3,), (2,), (0,)),
        *options(joins((2, 3), (2, 1)), axis=[1, -1]),
        *options(joins((2, 3), (2,)), axis=[None]),
    ]


def _appended() -> Iterator[Call]:
    yield Call((array(3), number()))
    yield Call((array(2, 3), array(2)))
    yield Call((array(2, 3), array(1, 3), 0))


def _repeated() -> Iterator[Call]:
    yield Call((array(3), 2))
    yield Call((array(2, 3), 2))
    yield Call((array(2, 3), 2, 0))
    yield Call((array(2, 3), np.array([0, 1, 3]), -1))
    yield Call((array(), 3))
    yield Call((np.array(0.7), 3, 0))


def _longer() -> list[Call]:
    """Differences of what was put before and behind an array."""
    edges = [{"prepend": 0.5}, {"append": fixed(2)}, {"prepend": 1, "append": 2.0}]
    made = [Call((fixed(3),), {**edge, "n": n}) for edge in edges for n in (1, 2)]
    columns = {"prepend": fixed(2, 1), "append": 0.5}
    return [*made, Call((fixed(2, 3),), columns), Call((fixed(2, 3),), {"prepend": 0.5, "axis": 0})]


def _padded() -> Iterator[Call]:
    yield Call((array(3), 2))
    yield Call((array(2, 3), (1, 0)))
    yield Call((array(2, 3), ((1, 2), (0, 3))))
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        yield Call((array(3), (1, 2), mode))
        yield Call((array(2, 3), ((1, 0), (2, 5)), mode))
    yield Call((array(3), (0, 2), "constant"), {"constant_values": 7})


def _windows() -> Iterator[Call]:
    yield Call((array(5), 2))
    yield Call((array(3, 4), (2, 3)))
    yield Call((array(3, 4), 2, 1))
    yield Call((array(2, 5), (2, 3), (1, 1)))


def _taken() -> Iterator[Call]:
    yield Call((array(4), np.array([3, 1, 1])))
    yield Call((array(2, 3), np.array([[5, 0], [5, 2]])))
    yield Call((array(2, 3), np.array([[2, 0], [0, 0]]), 1))
    yield Call((array(2, 3), -1, -1))
    yield Call((array(3), 1))
    yield Call((np.array(0.7), 0, -1))
    yield Call((np.array([0.4, -1.1]), np.array([True, True])))


def _taken_along() -> Iterator[Call]:
    yield Call((array(2, 3), np.array([[2, 0], [0, 0]]), 1))
    yield Call((array(2, 3), np.array([[1, 0, 1]]), 0))
    yield Call((array(2, 3), np.array([[2]]), -1))
    yield Call((array(1, 3), np.array([[2], [0]]), 1))
    yield Call((array(2, 3), np.array([5, 0, 5]), None))


def _interpolations() -> list[Call]:
    xp, x = np.array([0, 1, 3]), np.array([-1.5, 0.25, 0.5, 2.5, 3.5])
    return [
        Call((x, xp, array(3))),
        Call((np.array([[0.25], [1.75]]), xp, array(3))),
        Call((0.6, xp, array(3))),
        Call((0.6, xp[:1], array(1))),
    ]


def _softened() -> list[Call]:
    return [*shapes((3,), (2, 3)), *options(shapes((2, 3)), axis=[0, -1, (0, 1)])]


def _started() -> Iterator[Call]:
    yield Call((array(3), number()))
    yield Call(([number(), number(), number()],))
    yield Call(((array(2), number()), array(3, 2)))


def _out(function: Any, call: Call) -> Any:
    """Something of the shape of a result."""
    return array(*np.shape(function(*call.args, **call.keywords)))


def _bar(function: Any, call: Call) -> Call:
    """A call of the gradient of a function whose first argument is an array."""
    first, *rest = call.args
    return Call((_out(function, call), np.shape(first), *rest), call.keywords)


def _powers() -> list[Call]:
    return [
        *pairs(POSITIVE, ANYWHERE),
        *[Call((array(2, 3), n)) for n in (2, 3, 1, 0)],
        Call((array(2, 3, low=0.3), -1)),
        *[Call((array(3, low=0.3), n)) for n in (0.5, -1.5)],
        Call((array(2, 3), np.arange(3))),
        Call((number(*POSITIVE), 2)),
        Call((2, array(3))),
    ]


def _clips() -> list[Call]:
    x = np.array([-1.7, -0.4, 0.3, 1.9])
    return [
        Call((x, -1.0, 1.0)),
        Call((x, None, 1.0)),
        Call((x, np.full(4, -1.0), np.full(4, 1.0))),
        Call((x, np.full(4, 0.5), np.array([0.1, -0.6, 0.2, 0.9]))),  # bounds that cross
    ]


def _choices() -> Iterator[tuple[Call, Call]]:
    yield from zip(shapes((3,), (2, 3), (), (2, 1)), products(*CHOSEN), strict=True)


CHOSEN = (((3,), (3,)), ((3,), (2, 1)), ((), ()), ((2, 3), ()))


def _spreads() -> list[Call]:
    calls = [c for c in REDUCED if c.args[0].size > 1 and c.args[0].ndim]
    calls += shapes((1,), ())
    return [*calls, Call((array(4),), {"ddof": 1}), Call((array(4, 3), 0), {"ddof": 1})]


def _matrices_and_sides() -> list[tuple[Any, Any]]:
    return [
        (regular(3, 3), array(3)),
        (regular(3, 3), array(3, 2)),
        (regular(2, 3, 3), array(2, 3, 2)),
        (regular(3, 3), array(2, 3, 1)),
    ]


def _systems() -> list[Call]:
    return [
        *[Call(pair) for pair in _matrices_and_sides()],
        Call((regular(2, 3, 3), array(1, 3, 2))),
    ]


def _reduced_floats() -> list[Call]:
    return [c for c in REDUCED if c.args[0].size > 1]


def _gaps() -> Any:
    """An array with elements that are not numbers."""
    made = array(3, 4)
    made[0, 1] = made[2, 3] = np.nan
    return made


def _with_gaps() -> list[Call]:
    return [Call((_gaps(),)), Call((_gaps(), 1), {"keepdims": True}), Call((_gaps(), 0))]


def _inserted() -> Iterator[Call]:
    yield Call((array(4), 1, array()))
    yield Call((array(3, 4), np.array([1, 3]), array(2), 1))
    yield Call((array(3, 4), 2, array(4), 0))
    yield Call((array(2, 3), 1, array(2)))


def _inserted_bar(call: Call) -> Call:
    return Call((_out(np.insert, call), *call.args))


def _sloped() -> Iterator[Call]:
    yield from shapes((5,), (2,), (3, 4))
    yield Call((array(6), 0.5), {"edge_order": 2})
    yield Call((array(5), np.array([0, 1, 3, 4, 9])))
    yield Call((array(3, 5),), {"axis": 1})
    yield Call((array(3, 5),), {"axis": (1, 0)})


def _selected() -> Iterator[Call]:
    first, second = np.array([True, False, False]), np.array([True, True, False])
    yield Call(([first, second], [array(3), array(3)]))
    yield Call(([first, second], [array(3), array()], number()))


MIDDLES = shapes((5,), (4,), (2, 3), ())
Q = np.array([25, 60]) / np.array([100, 100])


def _normals() -> list[Call]:
    cov = regular(2, 2)
    return [Call((array(*n), array(2), cov @ cov.T)) for n in ((2,), (3, 2), (4, 3, 2))]


def _triangular() -> Iterator[Call]:
    for lower, trans in product((False, True), (0, 1)):
        options = {"lower": lower, "trans": trans}
        yield Call((regular(3, 3), array(3)), options)
        yield Call((regular(3, 3), array(3, 2)), options)


def _singular() -> list[Call]:
    """Matrices whose singular values are far apart."""
    wide, tall, square = (np.eye(*n) * np.arange(1.0, n[1] + 1) for n in ((2, 4), (4, 2), (3, 3)))
    given = [wide, tall, np.stack((tall, 2 * tall)), square]
    calls = [Call((x + 0.2 * array(*x.shape),)) for x in given]
    values = [Call((*call.args, True, False)) for call in calls]
    return [*options(calls, full_matrices=[False]), calls[-1], *values]


def _transforms() -> list[Call]:
    made = options(shapes((4,), (5,), (2, 4)), norm=[None, "ortho", "forward"])
    lengths = [Call((array(4, 3), n, axis)) for n in (2, 3, 6) for axis in (0, -1)]
    return [*made, *lengths, Call((array(2, 5),), {"axis": 0})]


def _transforms_of_many() -> list[Call]:
    return [
        *shapes((4,), (5, 3), (2, 3, 4)),
        *options(shapes((4, 3)), norm=["ortho"]),
        *options(shapes((3, 4, 2)), axes=[(0, 1), (2, 0), (-1,)]),
        *options(shapes((3, 4)), s=[(5, 2), (2, 5)], axes=[(0, 1)]),
    ]


CROSSED = (((3,), (3,)), ((2, 3), (3,)), ((3,), (2, 3)), ((0, 3), (3,)))
TAKES_THE_PLANE = NumpyVersion(np.__version__) < "2.5.0"
"""Vectors in the plane have cross products no more from NumPy 2.5 on."""

IN_THE_PLANE = (((2,), (2,)), ((4, 2), (2,)), ((4, 3), (4, 2)), ((2,), (4, 3)))


def _crossed() -> Iterator[Call]:
    for axes in ((0, -1, -1), (-1, 1, 0), (0, 0, 1), (-1, -1, -1, 1)):
        yield Call((array(3, 3), array(3, 3), *axes))
    yield Call((array(3, 4), array(3), 0, 0, 0))


def _ordered() -> list[tuple[Call, tuple[Any, ...]]]:
    """Arrays, with an order and an axis, or two, over which a norm is taken."""
    orders = [2, 1, 3, 2.5, np.inf, -np.inf]
    made = [(c, (o, None)) for c in shapes((4,)) for o in orders]
    made += [(c, (o, -1)) for c in shapes((2, 4)) for o in orders[:4]]
    others = [array(3, 4) for _ in range(2)]
    matrices = [
        Call((np.eye(3, 4) * np.arange(1, 5) + 0.3 * (a + 0.1 * np.sign(a)),)) for a in others
    ]
    of_matrices = ["fro", "nuc", 2, -2, 1, -1, np.inf]
    made += [(c, (o, None)) for c in matrices[:1] for o in of_matrices]
    return [*made, (Call((array(2, 3, 4),)), ("nuc", (0, 2)))]


def _norms() -> list[Call]:
    keywords = [{}, {"axis": 0}, {"axis": -1, "keepdims": True}, {"axis": (0, 1)}]
    plain = [Call((array(3),)), *[Call((array(2, 3),), k) for k in keywords]]
    plain += [Call((array(0),)), Call((array(0, 2),)), Call((array(2, 0),), {"axis": -1})]
    return [*plain, *(Call((c.args[0], o, axis)) for c, (o, axis) in _ordered())]


def _boxes() -> list[Call]:
    return shapes((2, 3, 4))


def _transposed() -> Iterator[Call]:
    yield Call((array(2, 3, 4), (1, 2, 0)))
    yield Call((array(2, 3, 4), None))


def _rolls() -> Iterator[Call]:
    yield Call((array(2, 3), 2))
    yield Call((array(2, 3), -1, 1))
    yield Call((array(2, 3), (1, 2), (0, 1)))


def _unbroadcast() -> Iterator[Call]:
    yield Call((array(2, 3), array(2, 3)))
    yield Call((array(2, 3), array(3)))
    yield Call((array(4, 2, 3), array(2, 1)))
    yield Call((array(2, 3), 1.0))


def _stored() -> Iterator[Call]:
    yield Call((fixed(2, 3), fixed(2, 3)))
    yield Call((fixed(2, 3), fixed(3)))
    yield Call((fixed(3), 1.0))


def _expand() -> Iterator[Call]:
    yield Call((number(), (2, 3)))
    yield Call((array(3), (2, 3), 0))
    yield Call((array(2, 1), (2, 3), -1, True))
    yield Call((array(3), (2, 3, 4), (0, -1)))


def _add_at() -> Iterator[Call]:
    yield Call((array(4), 1, number()))
    yield Call((array(4, 2), slice(1, 3), array(2, 2)))
    yield Call((array(4, 2), np.array([1, 1, 3]), array(3, 2)))
    yield Call((array(4), np.array([True, False, True, False]), array(2)))


def _take_bar() -> Iterator[Call]:
    yield Call((array(4), 1))
    yield Call((array(4, 2), slice(1, 3)))
    yield Call((array(4, 2), np.array([3, 1])))
    yield Call((array(4, 2), np.array([3, 1, 3])))


def _staying() -> Iterator[Call]:
    yield Call((array(2), array(4), slice(1, 3)))
    yield Call((array(3, 2), array(4, 2), np.array([3, 1, 3])))
    yield Call((array(2), array(4, 2), (np.array([3, 3]), np.array([1, 1]))))


def _products_bar(multiply: Any, calls: list[Call]) -> list[Call]:
    return [Call((array(*np.shape(multiply(*c.args))), *c.args)) for c in calls]


SAMPLES: dict[str, list[Call]] = {
    name: calls for names, calls in entries() for name in names.split()
}

EXACT: list[tuple[str, tuple[Any, ...], tuple[Any, ...]]] = [
    ("numpy.absolute", (0.0,), (0.0,)),
    ("math.fabs", (0.0,), (0.0,)),
    ("numpy.power", (0.0, 2), (0.0, 0.0)),
    ("numpy.power", (0.0, 1), (1.0, 0.0)),
    ("numpy.power", (0.0, 0), (0.0, 0.0)),
    ("numpy.power", (-3.0, 2), (-6.0, 9 * np.log(3))),
    ("numpy.float32", (0.3,), (1.0,)),
    ("math.pow", (0.0, 0), (0.0, 0.0)),
    ("numpy.tanh", (40.0,), (0.0,)),
    ("numpy.logaddexp", (1000.0, 1000.0), (0.5, 0.5)),
    ("numpy.logaddexp", (1000.0, -1000.0), (1.0, 0.0)),
    ("numpy.logaddexp", (-np.inf, -np.inf), (0.0, 0.0)),
    ("numpy.maximum", (1.0, 1.0), (0.5, 0.5)),
    ("numpy.minimum", (1.0, 1.0), (0.5, 0.5)),
    ("builtins.max", (1.0, 1.0), (0.5, 0.5)),
    ("numpy.heaviside", (0.0, 0.5), (0.0, 1.0)),
    ("numpy.sinc", (0.0,), (0.0,)),
    ("numpy.nan_to_num", (np.array([np.nan, 1.0, np.inf]),), (np.array([0.0, 1.0, 0.0]),)),
    ("numpy.prod", (np.array([0.0, 0.0, 2.0]),), (np.zeros(3),)),
    ("numpy.sort", (np.array([2.0, 1.0, 1.0]),), (np.ones(3),)),
    ("numpy.max", (np.array([3.0, 1.0, 3.0]),), (np.array([0.5, 0.0, 0.5]),)),
    ("numpy.clip", (np.array([1.0, 2.0]), 0.0, 1.0), (np.array([1.0, 0.0]), 0.0, 1.0)),
]
"""Places where differences do not tell: name, arguments, gradient of the sum of the result."""

FLAT: dict[str, list[Call]] = {
    name: calls
    for names, calls in [
        (
            "sign signbit isposinf isneginf int64 int32 bool_ flatnonzero argwhere nanargmax "
            "nanargmin floor ceil trunc fix rint round around isfinite isnan isinf any all "
            "logical_not argmax argmin argsort count_nonzero nonzero shape size ndim result_type "
            "iscomplexobj zeros_like ones_like",
            each(0.2, 0.8)[:2],
        ),
        (
            "isin floor_divide isclose allclose equal not_equal array_equal less less_equal "
            "greater greater_equal logical_and logical_or logical_xor",
            products(((3,), (3,)), ((2, 3), (3,))),
        ),
        ("searchsorted", [Call((np.array([1.0, 2.0, 3.0]), array(3, low=1.1, high=2.9)))]),
        ("digitize", [Call((array(3, low=1.1, high=2.9), np.array([1.0, 2.0, 3.0])))]),
    ]
    for name in names.split()
}
"""Calls of NumPy's functions that do not depend smoothly on their arguments."""
