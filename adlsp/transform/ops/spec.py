"""What a function does, apart from its derivative: the fields of a record, and how one is written.

These are attributes of operations: effects, aliasing, shape and dtype. A record says only what is
not the default. Defaults come from the home of a function (`math.`: new numbers, and nothing else
happens) and from the word of its rule (`elementwise`: a new array of the shape to which the
arguments broadcast), so that most functions have no record of their own. What neither a record nor
a default says is unknown, and the analyses expect the worst of it.

A method stands under `ndarray.`, whatever it is a method of: the text does not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from enum import Enum
from operator import attrgetter

from adlsp.transform.frozen import dataclass
from adlsp.transform.ops.makes import Makes


class Result(Enum):
    """Which memory a result has: whether it may alias an argument."""

    FRESH = "fresh"
    """Memory of its own, which nobody else holds: it may be changed in place."""

    APART = "apart"
    """None of the arguments' memory; whether anybody else holds it is not known."""

    SHARED = "shared"
    """Perhaps an argument, a view of one, or a container that holds one."""


class View(Enum):
    """What undoes a function that gives a view of all elements of its first argument, an array."""

    ITSELF = "itself"
    """Nothing: it is the array."""

    REVERSED = "reversed"
    """To reverse the order of axes, if it is given nothing else."""

    AGAIN = "again"
    """The same call."""

    SHAPED = "shaped"
    """To give it its shape."""

    PART = "part"
    """To put a part of complex numbers to the other one."""


class Effect(Enum):
    """What a call does besides giving a value."""

    NONE = "none"
    """Nothing: it is pure, may be left out where nobody looks at its value, or done later."""

    OUTSIDE = "outside"
    """It leaves its arguments as they are, but may fail on purpose, print, or draw."""

    UNKNOWN = "unknown"
    """It may also change the object that it is a method of."""

    ANY = "any"
    """It may change all that it is given."""


class Kind(Enum):
    """What sort of object a value is."""

    ARRAY = "array"
    """An array or a number."""

    INTEGER = "integer"
    LIST = "list"
    TUPLE = "tuple"
    DICT = "dict"
    SET = "set"
    RANGE = "range"

    ITERATOR = "iterator"
    """One that can be run over once, or its like."""

    NOTHING = "nothing"
    """`None`: it is called for what it does."""


CONTAINERS = (Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.SET)
"""The kinds of objects that hold others."""


class Takes(Enum):
    """What a function can be given, by which one knows of its arguments what they are."""

    NUMBERS = "numbers"
    """Single numbers; arrays of one element pass for those."""

    ARITHMETIC = "arithmetic"
    """Numbers and arrays, but no lists."""

    SEQUENCES = "sequences"
    """What has elements, as its first argument: arrays and lists, but no numbers."""


class Elements(Enum):
    """What the elements of a result are, where those of the arguments are passed on."""

    OF_FIRST = "of first"
    """Those of the first argument."""

    TUPLES = "tuples"
    """Tuples of those of the arguments, by position."""

    SORTED = "sorted"
    """Those of the first argument, in another order."""


class Cost(Enum):
    """What a call costs, where that is less than to keep what it gives."""

    FREE = "free"
    """Nothing to speak of: it arranges, or tells of a shape."""

    SMALL = "small"
    """That of an operation, for numbers."""


class Operation(Enum):
    """What a function computes, where others do the same and something follows from it."""

    ADD = "add"
    SUBTRACT = "subtract"
    MULTIPLY = "multiply"
    DIVIDE = "divide"
    NEGATE = "negate"
    EXP = "exp"
    LOG = "log"
    SUM = "sum"
    MEAN = "mean"
    POWER = "power"
    SHARES = "shares"
    EQUAL = "equal"
    """Whether two are equal, or whether they are not."""

    EXTREME = "extreme"
    """The greatest or the least of some elements."""


class Shape(Enum):
    """Which shape a result has."""

    EACH = "each"
    """That to which the arguments broadcast: each element is made of those at its place."""

    FIRST = "first"
    """That of the first argument."""

    LIKE = "like"
    """That of the argument `like`."""

    REDUCED = "reduced"
    """That of the first argument without the axes of `axis`, or with ones for them."""

    SCALAR = "scalar"
    """None: it is a single number."""

    OTHER = "other"
    """Another one, though the home of the function says something."""

    SAME = "same"
    """That of the first argument, as an array."""

    PIECEWISE = "piecewise"
    """That to which the arguments broadcast, of what is constant but where it jumps."""

    FOLDED = "folded"
    """That of the first argument without the axes of `axis`, which has any default."""

    CAST = "cast"
    """That of the first argument: a number is one of NumPy's then."""

    ALONG = "along"
    """That of the first argument, which is flat if `axis` is None."""

    CUMULATED = "cumulated"
    """The same, of numbers that are added up."""

    AVERAGE = "average"
    """That of a reduction, with weights."""

    SECOND = "second"
    """That of the second argument."""

    DRAWN = "drawn"
    """The one that the argument `size` tells, or that to which the others broadcast."""

    FILLED = "filled"
    """The one that the argument `shape` tells."""

    SQUARE = "square"
    """`N` by `M`, which is the same if it is not told."""

    STEPS = "steps"
    """A vector of what a range has."""

    TAKEN_ROWS = "taken rows"
    """That of the places in the second argument, each of which takes a row of the first."""

    LAST_DIAGONALS = "last diagonals"
    """That of the diagonals of matrices."""

    SEGMENTS = "segments"
    """That of the first argument, with `num_segments` rows for those that `segment_ids` tell."""

    SAMPLES = "samples"
    """A vector of `num` numbers, for each of those between which they are."""

    VECTOR = "vector"
    """A vector, of a length that nobody knows."""

    FLAT = "flat"
    """A vector of all elements."""

    SIZES = "sizes"
    """A vector of the sizes of the first argument."""

    LARGEST = "largest"
    """That of the first argument, with `k` elements along the last axis; so are their places."""

    NORMALIZED = "normalized"
    """That of the first argument, and of a reduction that keeps its axes."""

    MOMENTS = "moments"
    """Twice that of the first argument without the axes of `axes`, or with ones for them."""

    RESHAPED = "reshaped"
    """The one that the argument `shape` tells, where -1 stands for what is left."""

    BROADCAST = "broadcast"
    """The one that the argument `shape` tells, to which the first argument is broadcast."""

    TRANSPOSED = "transposed"
    """That of the first argument with its axes in another order, as `axes` tells or reversed."""

    MATRICES_TRANSPOSED = "matrices transposed"
    """That of the first argument with its last two axes swapped."""

    SWAPPED = "swapped"
    """That of the first argument with `axis1` and `axis2` swapped."""

    MOVED = "moved"
    """That of the first argument with the axes of `source` at those of `destination`."""

    SQUEEZED = "squeezed"
    """That of the first argument without the axes of `axis`, which have one element."""

    EXPANDED = "expanded"
    """That of the first argument with new axes at `axis`."""

    AT_LEAST_1D = "at least 1d"
    """That of the first argument, with as many axes in front that it has one."""

    AT_LEAST_2D = "at least 2d"
    """That of the first argument, with as many axes in front that it has two."""

    AT_LEAST_3D = "at least 3d"
    """That of the first argument, with so many axes around that it has three."""

    JOINED = "joined"
    """That of several arrays, one after the other along `axis`."""

    JOINED_IN_ROWS = "joined in rows"
    """That of several arrays along the second axis; of vectors, along the first."""

    JOINED_IN_COLUMNS = "joined in columns"
    """That of several arrays along the first axis, where vectors are rows."""

    COLUMNS = "columns"
    """That of several arrays along the second axis, where vectors are columns."""

    STACKED = "stacked"
    """That of several arrays along a new axis, at `axis`."""

    APPENDED = "appended"
    """That of the first two arguments, one after the other along `axis`, flat if that is None."""

    TILED = "tiled"
    """That of the first argument, several times along each axis."""

    REPEATED = "repeated"
    """That of the first argument, with its elements several times along `axis`."""

    DEEP = "deep"
    """That of several arrays along the third axis, where matrices are single slices."""

    ROWS = "rows"
    """That of several arrays along the first axis, where numbers are vectors."""

    SPLIT_IN_ROWS = "split in rows"
    """Those of several parts of the first argument along its second axis, or its only one."""

    SPLIT = "split"
    """Those of several parts of the first argument, along `axis`."""

    SECTIONS = "sections"
    """The same, by how many parts there are or how large each of them is."""

    UNSTACKED = "unstacked"
    """Those of the parts of the first argument, without `axis`."""

    PADDED = "padded"
    """That of the first argument, larger along each axis."""

    DIFFERENCES = "differences"
    """That of the first argument with `n` fewer elements along `axis`."""

    MARGIN = "margin"
    """That of the first argument; of a number, that of the second with one element on `axis`."""

    PAIRS = "pairs"
    """A vector of what each pair of rows has."""

    SQUAREFORM = "squareform"
    """A square matrix of what stands in a row, or a row of what stands in a matrix."""

    DIAGONAL = "diagonal"
    """A diagonal of a matrix, or a matrix that has one."""

    DIAGONALS = "diagonals"
    """That of the first argument without two axes, and with one for their diagonals."""

    TRACE = "trace"
    """That of the first argument without two axes."""

    ROTATED = "rotated"
    """That of the first argument, of which two axes may be swapped."""

    MATMUL = "matmul"
    """That of matrix products, where the axes before the last two broadcast."""

    DOT = "dot"
    """That of products along the last axis of one and the last but one of the other."""

    INNER = "inner"
    """That of products along the last axes."""

    OUTER = "outer"
    """A matrix of what each has to do with each, of all elements."""

    OUTER_OF_AXES = "outer of axes"
    """The axes of the first argument, and then those of the second."""

    PINV = "pinv"
    """That of the first argument with its last two axes swapped, which are those of matrices."""

    ROLLED = "rolled"
    """That of the first argument with `axis` before `start`."""

    FLAT_DIAGONAL = "flat diagonal"
    """A matrix with all elements in a diagonal."""

    TRIANGLE = "triangle"
    """That of the first argument; of a vector a matrix."""

    INTEGRAL = "integral"
    """That of the first argument without `axis`."""

    MESHGRID = "meshgrid"
    """Those of several arrays with an axis for each argument."""

    EINSUM = "einsum"
    """The one that the subscripts tell."""

    TENSORDOT = "tensordot"
    """The axes of the first argument, and then those of the second, but for those of `axes`."""

    KRON = "kron"
    """The products of the sizes along each axis."""

    CROSS = "cross"
    """That to which vectors along the last axes broadcast."""

    VECDOT = "vecdot"
    """That to which the arguments broadcast, without the last axis."""

    MATVEC = "matvec"
    """That of products of matrices with vectors, where the axes before those broadcast."""

    SOLVED = "solved"
    """That of the second argument, where matrices broadcast."""

    OF_MATRICES = "of matrices"
    """That of the first argument without the last two axes."""

    EIGENVALUES = "eigenvalues"
    """That of the first argument without the last axis."""

    EIGH = "eigh"
    """Those of eigenvalues, and of matrices of eigenvectors."""

    SLOGDET = "slogdet"
    """Twice that of the first argument without the last two axes."""

    SVD = "svd"
    """Those of a singular value decomposition."""

    QR = "qr"
    """Those of a decomposition in an orthogonal and a triangular matrix."""

    TAKEN = "taken"
    """That of the first argument, with the axes of `indices` in the place of `axis`."""

    CHOSEN = "chosen"
    """That of the second argument, along `axis`."""

    WHERE = "where"
    """That to which the arguments broadcast, as an array; with one argument, several vectors."""

    NONZERO = "nonzero"
    """Several vectors, one for each axis of the first argument."""

    CONVOLVED = "convolved"
    """A vector, as long as `mode` tells of the lengths of two."""

    LSTSQ = "lstsq"
    """Those of a solution, of residuals, of a rank and of singular values."""

    INTERPOLATED = "interpolated"
    """That of the first argument; the numbers are of the third."""

    PERMUTED = "permuted"
    """That of the first argument, whose elements it has."""

    RESIZED = "resized"
    """That of the first argument, with more or fewer elements along `axis`."""

    GRADIENT = "gradient"
    """That of the first argument, if that is told for one axis."""

    WINDOWS = "windows"
    """That of the first argument, with fewer elements, and axes for `window_shape`."""

    WINDOWED = "windowed"
    """That of the first argument, with others of its axes but the first, as convolutions have."""

    HALF = "half"
    """That of the first half of a Fourier transform."""

    WHOLE = "whole"
    """That of which the argument is the first half of the transform."""

    FREQUENCIES = "frequencies"
    """A vector of so many as the first argument tells."""

    PLACES = "places"
    """A row for each place of the first argument that is chosen."""

    TRANSFORMED = "transformed"
    """That of the first argument, with `n` elements along `axis`."""

    TRANSFORMED_AXES = "transformed axes"
    """That of the first argument, or of the sizes that `s` tells."""

    OF_RANK = "of rank"
    """One of as many axes as the first argument has."""

    QUANTILES = "quantiles"
    """That of a reduction, behind that of `q`."""


class Dtype(Enum):
    """Which kind of numbers a result holds."""

    FIRST = "first"
    """That of the first argument: integers for integers."""

    COMMON = "common"
    """The one to which the arguments are promoted: integers for integers."""

    INTEGER = "integer"
    """Integers or truth values, whatever it is given."""

    PART = "part"
    """That of a part of the first argument: real for complex numbers, integers for integers."""

    FLOATS = "floats"
    """Floats or complex numbers, whatever it is given, if it is not told otherwise."""

    REAL = "real"
    """Real numbers, whatever it is given."""

    LIKE = "like"
    """That of the argument `like`."""

    COMPLEX = "complex"
    """Perhaps complex numbers for real ones."""

    OBJECT = "object"
    """Whatever there is."""

    TEXT = "text"
    """Texts."""

    TRUTH = "truth"
    """Truth values."""

    TOTAL = "total"
    """That of the first argument, where narrow integers are added up as wide ones."""

    QUOTIENT = "quotient"
    """The one to which the arguments are promoted: double precision for integers."""

    MAGNITUDE = "magnitude"
    """Real floats: double precision for integers."""

    DOUBLE = "double"
    """Double precision, whatever it is given."""

    NUMBERS = "numbers"
    """The one to which the arguments are promoted, if these are no truth values."""

    SPECIAL = "special"
    """Floats, as special functions give them: Python's numbers count as much as those of NumPy."""

    WIDE = "wide"
    """Double precision at least."""

    INEXACT = "inexact"
    """The one to which the arguments are promoted, if these are floats; of integers unknown."""

    RANGE = "range"
    """That of a range."""

    GIVEN = "given"
    """That of the first argument, where numbers of Python's are of single precision."""


class Runs(Enum):
    """How a function runs through what it is given."""

    AS_LIST = "as a list"
    """At once, from its start to its end, and keeps nothing of it: a generator may be a list."""

    AT_ONCE = "at once"
    """At once, and keeps no function that it is given."""

    ELEMENTS = "elements"
    """When its result is run through, of which the elements are the same, or tuples of them."""

    LATER = "later"
    """When its result is run through, an iterator of something else."""

    IN_TURN = "in turn"
    """So, but what it gives are iterators, each of which lasts until there is the next one."""


@dataclass(frozen=True, slots=True)
class When:
    """A condition on a call: what it is given at a place, or under a keyword.

    It holds where the argument is no literal, or one of `literals`. With `n_operands`, it holds for
    fewer arguments than that behind subscripts that sum over nothing.
    """

    at: int = 0
    keyword: str = ""
    literals: tuple[object, ...] = ()
    n_operands: int = 0


@dataclass(frozen=True, slots=True)
class Op:
    """The record of a function.

    Arguments are meant by position; the first is what a method is called on.
    """

    # what memory a result has

    result: Result | None = None
    """Its memory."""

    shared: When | None = None
    """Where it is shared all the same."""

    passes_on: int | None = None
    """The argument that it may give back all the same, or a part of: in derivatives nobody looks
    at that again but to take other parts."""

    view: View | None = None
    """What makes the first argument of it again: it is a view of all elements of that, if an array.
    """

    may_copy: bool | None = None
    """It is a copy where the elements of the first argument do not lie one after the other."""

    lies_in_order: bool | None = None
    """An array whose elements lie one after the other, whatever it is given."""

    # what a call does besides

    effect: Effect | None = None
    """What else it does."""

    changes: tuple[int, ...] | None = None
    """The arguments that it is there to change."""

    file_at: int | str | None = None
    """The place or the keyword of a file that it writes into."""

    changes_by: str | None = None
    """What that argument is called."""

    changes_when: When | None = None
    """Where alone it does so."""

    resizes: bool | None = None
    """The first argument becomes longer or shorter, or may."""

    n_before_out: int | None = None
    """How many arguments stand before those that take its results."""

    reorders: bool | None = None
    """It changes nothing but the order of elements, of a list or along the first axis."""

    fills_exactly: bool | None = None
    """With `out`, it computes the same whatever array takes the result; if not, perhaps with other
    digits."""

    # what of its arguments it asks for

    takes: Takes | None = None
    """What it can be given."""

    compares: bool | None = None
    """It finds which argument is greater, as one does with numbers."""

    searches: bool | None = None
    """It looks for an argument in another."""

    needs_axes: bool | None = None
    """Without any, `axes=()`, it gives back what it is given."""

    like: int | None = None
    """The argument of which it reads no more than shape and dtype."""

    is_of_shapes: bool | None = None
    """It reads no more of any argument."""

    runs: Runs | None = None
    """How it runs through what it is given."""

    applies: int | str | None = None
    """The place or the keyword of a function that it is given, and calls with the others."""

    binds: bool | None = None
    """It is its first argument, a function, with the others as its first arguments."""

    looks_around: bool | None = None
    """It looks at the variables of the function that calls it."""

    reads_all: int | None = None
    """Given at most so many arguments, it may read any variable of its caller."""

    # what its result is

    computes: Operation | None = None
    """What it computes, as mathematics calls it."""

    cost: Cost | None = None
    """What it takes to compute it once more."""

    on_arrays: str | None = None
    """The operator that is written like it, for what are no lists."""

    singular: int | None = None
    """The argument for which, at some real numbers, the value or the derivative is not finite."""

    regular: float | None = None
    """A number for which they are, where that is not so for 1."""

    is_tame: bool | None = None
    """Where no more than its derivative is infinite, a gradient that is zero stays so."""

    jumps: bool | None = None
    """It is constant but where it jumps: its derivative is zero wherever there is one."""

    is_size: bool | None = None
    """It is never negative, and 0 for some of what it can be given."""

    infinite_at_zero: bool | None = None
    """Its derivative is not finite where the argument `singular` is 0; without, where all is."""

    infinite_at: tuple[float, ...] = ()
    """Numbers at which it is finite, and its derivative is not."""

    selects: bool | None = None
    """Its second or its third argument, element by element, as the first says."""

    bounds: bool | None = None
    """It may keep away from some numbers that its first argument may be."""

    bounds_below: int | None = None
    """The place of the argument that it is never less than; 0: it is less than none of both."""

    cuts: bool | None = None
    """It is that of its first argument, but the derivative ends there."""

    gives_back: bool | None = None
    """It is the first argument, which has changed."""

    retains: bool | None = None
    """It may hold its arguments, or somebody looks at them later."""

    elements: Elements | None = None
    """Whose elements its elements are."""

    values_at: int | None = None
    """The place of the first argument whose numbers it holds."""

    names_dtype: Dtype | None = None
    """As an argument, it names this dtype."""

    keeps_shape: bool | None = None
    """The shape of the result follows from the shape of the first argument."""

    tells_shape: bool | None = None
    """It is that shape, a size or a rank."""

    shape: Shape | None = None
    """Its shape."""

    parameters: str | None = None
    """Its parameters, as Python writes them but with spaces, as far as anything is told of calls
    that give them."""

    makes: Makes | None = None
    """What it makes of values that are known: of Python's own objects, or always."""

    shape_at: int | None = None
    """The place of the argument that says which shape it is to have."""

    dtype: Dtype | None = None
    """Which numbers it holds."""

    converts: bool | None = None
    """It is its first argument, in another dtype."""

    dtype_at: int | None = None
    """The place of the argument that says which these are to be."""

    gives: Kind | None = None
    """The kind of object that it surely is."""

    gives_several: bool | None = None
    """Perhaps a list or tuple of arrays."""

    fields: tuple[str, ...] = ()
    """What the elements of the tuple are called that it gives, as attributes."""

    places: tuple[int, ...] = ()
    """Which of these elements are integers: where something is, or how many there are."""

    holds: bool | None = None
    """A display, which holds its arguments."""

    is_one_way: bool | None = None
    """What is run through only from its start: an iterator or a set."""

    runs_through_keys: bool | None = None
    """Whether a loop over what it makes runs through keys, of what else is stored into it."""

    fills: bool | None = None
    """Whether it stores values into an array like its first argument, or into a copy of that."""

    own_arithmetic: bool | None = None
    """Whether it gives an array that computes in another way than arrays do."""

    is_phase: bool | None = None
    """Whether it gives the sign of a number, which is a phase that varies if that is complex."""

    of_arrays: bool | None = None
    """Its rule is about arrays: of a list that it is given, an array is made first."""

    is_index: bool | None = None
    """An index, or a part of one, as far as it stands in a subscript."""

    keeps_sign: bool | None = None
    """Linear in its first argument, so that it may be negated before or after."""

    may_widen: bool | None = None
    """An array of double precision where it is given Python's numbers."""

    has_common_dtype: bool | None = None
    """Of the dtype that the adjoints of all arguments have."""

    of: tuple[Kind, ...] = ()
    """The kinds of objects that have a method, as far as that tells them apart."""


_values: Callable[[Op], tuple[object, ...]] = attrgetter(*(field.name for field in fields(Op)))

FRESH, APART, SHARED = Result.FRESH, Result.APART, Result.SHARED
NONE, OUTSIDE, UNKNOWN, ANY = Effect.NONE, Effect.OUTSIDE, Effect.UNKNOWN, Effect.ANY

Records = Iterable[tuple[str, Op]]


def op(names: str, home: str = "", **said: object) -> Iterator[tuple[str, Op]]:
    """One record for several functions, by their names in a home such as `numpy.`."""
    record = Op(**said)  # type: ignore[arg-type]
    for name in names.split():
        yield home + name, record


def over(stronger: Op, weaker: Op) -> Op:
    """A record whose gaps another one fills."""
    return Op(*map(_first, _values(stronger), _values(weaker)))  # type: ignore[arg-type]


def _first(said: object, otherwise: object) -> object:
    """What is said, if it is; else the other."""
    return otherwise if said is None or said == () else said
