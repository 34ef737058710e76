"""What Python's operators, built-in functions and methods do, and the steps with syntax."""

from __future__ import annotations

from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import (
    ANY,
    APART,
    FRESH,
    NONE,
    OUTSIDE,
    SHARED,
    UNKNOWN,
    Cost,
    Dtype,
    Elements,
    Kind,
    Operation,
    Runs,
    Shape,
    Takes,
    When,
    op,
)

ARRAY, LIST, TUPLE, DICT, SET = Kind.ARRAY, Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.SET

TYPES = (
    "bool bytearray bytes complex dict float frozenset int list memoryview object set str tuple "
    "type"
)

COLLECTIONS = "ChainMap Counter OrderedDict UserDict UserList defaultdict deque"

HOMES = (
    *op("operator.", result=FRESH, effect=NONE, gives=ARRAY, retains=False),
    *op(
        "math.",
        result=FRESH,
        effect=NONE,
        shape=Shape.SCALAR,
        takes=Takes.NUMBERS,
        gives=ARRAY,
        retains=False,
        makes=Makes.FLOAT,
    ),
    *op("builtins.", result=APART, effect=NONE, retains=False),
    *(
        entry
        for name in TYPES.split()
        for entry in op(f"builtins.{name}.", result=SHARED, effect=ANY)
    ),
    *(
        entry
        for name in COLLECTIONS.split()
        for entry in op(f"collections.{name}.", result=SHARED, effect=ANY)
    ),
    *op("python.", result=SHARED, effect=NONE, retains=False),
    *op("attribute.", result=SHARED, effect=NONE, gives=ARRAY, retains=False),
    *op("ndarray.", result=SHARED, effect=UNKNOWN, gives=ARRAY),
    *op(
        "abc. adlsp. base64. cmath. collections. copy. csv. dataclasses. datetime. decimal. "
        "difflib. enum. fnmatch. fractions. functools. glob. hashlib. importlib. inspect. "
        "itertools. json. locale. logging. matplotlib. numbers. os. pandas. pathlib. pickle. "
        "platform. pprint. random. re. shutil. statistics. string. subprocess. sys. tempfile. "
        "textwrap. time. tqdm. traceback. types. typing. unicodedata. uuid. warnings. zlib.",
        effect=OUTSIDE,
    ),
)

IN_PLACE = "iadd iand ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv ixor"

OPERATORS = (
    *op("eq ge gt le lt ne", "operator.", shape=Shape.EACH, dtype=Dtype.INTEGER),
    *op(
        "add and_ floordiv invert lshift mod mul neg or_ pos rshift sub xor",
        "operator.",
        dtype=Dtype.COMMON,
    ),
    *op("ge gt le lt", "operator.", compares=True),
    *op("add eq floordiv ge gt le lt mod mul ne neg sub", "operator.", cost=Cost.SMALL),
    *op("add floordiv mod mul neg pos pow sub truediv", "operator.", takes=Takes.ARITHMETIC),
    *op("delitem getitem matmul", "operator.", takes=Takes.SEQUENCES),
    *op("getitem", "operator.", result=SHARED, keeps_shape=True, gives_several=True),
    *op(f"{IN_PLACE} iconcat", "operator.", result=SHARED, effect=ANY, changes=(0,)),
    *op("delitem setitem", "operator.", effect=ANY, changes=(0,)),
    *op("delitem", "operator.", of=(LIST, DICT)),
    *op("add", "operator.", computes=Operation.ADD),
    *op("sub", "operator.", computes=Operation.SUBTRACT),
    *op("mul", "operator.", computes=Operation.MULTIPLY),
    *op("truediv", "operator.", computes=Operation.DIVIDE, singular=1),
    *op("neg", "operator.", computes=Operation.NEGATE),
    *op("pow", "operator.", computes=Operation.POWER),
    *op("truediv", "operator.", infinite_at_zero=True),
    *op("floordiv", "operator.", jumps=True),
    *op("eq ne", "operator.", computes=Operation.EQUAL),
)

BUILTINS = (
    *op("complex float", "builtins.", result=FRESH, shape=Shape.SCALAR),
    *op("float", "builtins.", dtype=Dtype.FLOATS),
    *op("int round", "builtins.", jumps=True),
    *op("ceil floor trunc", "math.", jumps=True),
    *op("abs", "builtins.", is_size=True),
    *op("fabs", "math.", is_size=True),
    *op("hypot", "math.", is_size=True, parameters="*coordinates"),
    *op("int len", "builtins.", shape=Shape.SCALAR, gives=Kind.INTEGER),
    *op("bool int", "builtins.", names_dtype=Dtype.INTEGER),
    *op("object", "builtins.", names_dtype=Dtype.OBJECT),
    *op("bytes str", "builtins.", names_dtype=Dtype.TEXT),
    *op("float int range round", "builtins.", takes=Takes.NUMBERS),
    *op("abs pow", "builtins.", takes=Takes.ARITHMETIC),
    *op("max min", "builtins.", dtype=Dtype.COMMON, compares=True),
    *op("abs", "builtins.", shape=Shape.EACH, dtype=Dtype.PART),
    *op("complex", "builtins.", dtype=Dtype.COMPLEX),
    *op("sum", "builtins.", shared=When(1, "start")),
    *op("memoryview", "builtins.", takes=Takes.SEQUENCES),
    *op("len", "builtins.", tells_shape=True, takes=Takes.SEQUENCES, cost=Cost.FREE),
    *op("range", "builtins.", gives=Kind.RANGE, cost=Cost.FREE),
    *op("enumerate reversed zip", "builtins.", gives=Kind.ITERATOR, cost=Cost.FREE),
    *op("enumerate zip", "builtins.", elements=Elements.TUPLES),
    *op("list reversed tuple", "builtins.", elements=Elements.OF_FIRST),
    *op("frozenset iter set sorted", "builtins.", elements=Elements.SORTED),
    *op(
        "dict enumerate getattr list max memoryview min reversed sorted tuple zip",
        "builtins.",
        result=SHARED,
    ),
    *op("filter iter map", "builtins.", result=SHARED, effect=OUTSIDE, gives=Kind.ITERATOR),
    *op("filter iter map setattr", "builtins.", retains=True),
    *op("breakpoint input open print", "builtins.", effect=OUTSIDE),
    *op("print", "builtins.", file_at="file"),
    *op("json.dump pickle.dump", file_at=1),
    *op("write", "ndarray.", file_at=0),
    *op("delattr eval exec setattr", "builtins.", effect=ANY),
    *op("builtins.locals builtins.vars inspect.currentframe", reads_all=0),
    *op("inspect.stack sys._getframe", reads_all=1),
    *op("eval exec", "builtins.", reads_all=3),
    *op("exec", "builtins.", gives=Kind.NOTHING),
    *op("next vars", "builtins.", result=SHARED, effect=ANY),
)

RUNNING = (
    *op("list max min sum tuple", "builtins.", runs=Runs.AS_LIST),
    *op("fsum prod", "math.", runs=Runs.AS_LIST),
    *op("largest smallest unpack", "python.", runs=Runs.AT_ONCE),
    *op("all any dict set sorted", "builtins.", runs=Runs.AT_ONCE),
    *op("enumerate reversed zip", "builtins.", runs=Runs.ELEMENTS),
    *op("filter map", "builtins.", runs=Runs.LATER),
    *op(
        "accumulate chain chain.from_iterable combinations islice pairwise permutations product "
        "starmap",
        "itertools.",
        runs=Runs.LATER,
    ),
    *op("groupby", "itertools.", runs=Runs.IN_TURN),
    *op("enumerate frozenset set zip", "builtins.", is_one_way=True),
    *op("items keys values", "ndarray.", is_one_way=True),
    *op("set", "python.", is_one_way=True),
    *op("dir eval exec globals locals super vars", "builtins.", looks_around=True),
)

MADE = (
    *op("list sorted", "builtins.", gives=LIST),
    *op("dict", "builtins.", gives=DICT),
    *op(
        "ChainMap Counter OrderedDict UserDict defaultdict", "collections.", runs_through_keys=True
    ),
    *op("tuple", "builtins.", gives=TUPLE),
    *op("set", "builtins.", gives=SET),
    *op("set", "python.", gives=SET),
    *op("concat list repeat", "python.", gives=LIST),
    *op("dict object", "python.", gives=DICT),
    *op("plus tuple", "python.", gives=TUPLE),
    *op("dict list object set tuple", "python.", holds=True),
    *op("path slice tuple", "python.", is_index=True),
    *op("repeat", "python.", on_arrays="operator.mul"),
    *op("concat plus", "python.", on_arrays="operator.add"),
)

STEPS = (
    *op("in meshgrid not_in option path slice", "python.", result=APART),
    *op("path slice tuple", "python.", cost=Cost.FREE),
    *op("extension", "python.", result=SHARED),
    *op("call", "python.", effect=UNKNOWN, retains=True),
    *op("pop", "python.", effect=UNKNOWN),
    *op("yield", "python.", effect=OUTSIDE, makes=Makes.NOTHING),
    *op("out", "python.", effect=ANY),
)

ATTRIBUTES = (
    *op("dtype", "attribute.", result=APART),
    *op("ndim shape size", "attribute.", result=APART, tells_shape=True, cost=Cost.FREE),
    *op("ndim size", "attribute.", gives=Kind.INTEGER),
    *op("shape", "attribute.", gives=TUPLE),
    *op("T", "attribute.", keeps_shape=True, dtype=Dtype.FIRST, cost=Cost.FREE),
    *op("imag real", "attribute.", shape=Shape.EACH, dtype=Dtype.PART),
)

APPLYING = (
    *op("filter map", "builtins.", applies=0),
    *op("max min sorted", "builtins.", applies="key"),
    *op("reduce", "functools.", applies=0),
    *op("dropwhile filterfalse starmap takewhile", "itertools.", applies=0),
    *op("accumulate", "itertools.", applies=1),
    *op("groupby", "itertools.", applies="key"),
    *op("nlargest nsmallest", "heapq.", applies="key"),
    *op("sort", "ndarray.", applies="key"),
)

OF_CONTAINERS = (
    *op(
        "add append clear extend insert pop popitem remove setdefault update",
        "ndarray.",
        changes=(0,),
        resizes=True,
    ),
    *op("add", "ndarray.", of=(SET,)),
    *op("append extend insert remove", "ndarray.", of=(LIST,)),
    *op("clear pop", "ndarray.", of=(LIST, DICT)),
    *op("popitem setdefault", "ndarray.", of=(DICT,)),
    *op("update", "ndarray.", of=(DICT, SET)),
    *op("reverse", "ndarray.", changes=(0,), of=(LIST,), reorders=True),
    *op("__delitem__", "ndarray.", changes=(0,), resizes=True),
    *op("__setitem__", "ndarray.", changes=(0,)),
    *op(" ".join(f"__{name}__" for name in IN_PLACE.split()), "ndarray.", changes=(0,)),
    *op("items keys values", "ndarray.", effect=NONE, of=(DICT,)),
    *op("count index", "ndarray.", effect=OUTSIDE, of=(LIST, TUPLE), searches=True),
    *op("get", "ndarray.", effect=OUTSIDE, of=(DICT,)),
    *op("join", "ndarray.", effect=OUTSIDE),
    *op("copy", "ndarray.", of=(ARRAY, LIST, DICT)),
    *op("sort", "ndarray.", of=(ARRAY, LIST), reorders=True),
    *op("discard", "ndarray.", changes=(0,), resizes=True, of=(SET,)),
)

OF_TEXTS = op(
    "capitalize casefold decode encode endswith find format isalpha isdigit islower isnumeric "
    "isupper lower lstrip replace rsplit rstrip split splitlines startswith strip title upper "
    "write zfill",
    "ndarray.",
    effect=OUTSIDE,
)

COPIES = op("copy.deepcopy", result=FRESH)

QUEUES = (
    *op("appendleft extendleft popleft rotate", "ndarray.", changes=(0,)),
    *op("heapify heappop heappush heappushpop heapreplace", "heapq.", changes=(0,)),
    *op("insort insort_left insort_right", "bisect.", changes=(0,), changes_by="a"),
)

OF_NUMBERS = (
    *op("frexp modf", "math.", shape=Shape.OTHER),
    *op("dist fsum prod sumprod", "math.", takes=Takes.SEQUENCES),
)

MAKING = (
    *op(
        "add and_ floordiv invert lshift mod mul neg or_ pos pow rshift sub truediv xor",
        "operator.",
        makes=Makes.ARITHMETIC,
    ),
    *op("truediv", "operator.", dtype=Dtype.QUOTIENT),
    *op("pow", "operator.", dtype=Dtype.NUMBERS),
    *op("concat plus repeat", "python.", makes=Makes.ARITHMETIC),
    *op("matmul", "operator.", makes=Makes.MATMUL),
    *op("eq ge gt le lt ne", "operator.", makes=Makes.COMPARISON),
    *op("is_ is_not", "operator.", makes=Makes.IDENTITY),
    *op("not_", "operator.", makes=Makes.NEGATION),
    *op("in not_in", "python.", makes=Makes.MEMBERSHIP),
    *op("getitem", "operator.", makes=Makes.ITEM),
    *op("option", "python.", makes=Makes.ITEM),
    *op("tuple", "python.", makes=Makes.TUPLE),
    *op("list", "python.", makes=Makes.LIST),
    *op("dict", "python.", makes=Makes.DICT),
    *op("object", "python.", makes=Makes.OBJECT),
    *op("slice", "python.", makes=Makes.SLICE),
    *op("slice", "builtins.", makes=Makes.SLICE),
    *op("path", "python.", makes=Makes.PATH),
    *op("unpack", "python.", makes=Makes.UNPACKED),
    *op("bound changed extension", "python.", makes=Makes.SAME),
    *op("append", "python.", makes=Makes.NOTHING),
    *op("pop", "python.", makes=Makes.POPPED),
    *op("meshgrid", "python.", parameters="xi indexing='xy'", shape=Shape.MESHGRID),
    *op("broadcast_arrays", "python.", makes=Makes.ARRAYS),
    *op("transposed", "python.", makes=Makes.COLUMNS),
    *op("largest smallest", "python.", makes=Makes.EXTREME),
    *op("abs", "builtins.", makes=Makes.MAGNITUDE),
    *op("all any bool callable hasattr isinstance issubclass", "builtins.", makes=Makes.TRUTH),
    *op("complex", "builtins.", makes=Makes.COMPLEX),
    *op("dict", "builtins.", makes=Makes.DICT_OF),
    *op("fromkeys", "builtins.dict.", makes=Makes.FROM_KEYS, gives=DICT, tells_shape=True),
    *op("divmod", "builtins.", makes=Makes.QUOTIENT_AND_REST, dtype=Dtype.COMMON),
    *op("enumerate", "builtins.", makes=Makes.ENUMERATED),
    *op("float", "builtins.", makes=Makes.FLOAT),
    *op("hash id int ord", "builtins.", makes=Makes.INTEGER),
    *op("iter", "builtins.", makes=Makes.RUN_OF),
    *op("len", "builtins.", makes=Makes.LENGTH),
    *op("list", "builtins.", makes=Makes.LIST_OF),
    *op("max min", "builtins.", makes=Makes.EXTREME),
    *op("map", "builtins.", makes=Makes.MAPPED),
    *op("filter", "builtins.", makes=Makes.FILTERED),
    *op("next", "builtins.", makes=Makes.NEXT),
    *op("pow", "builtins.", makes=Makes.ARITHMETIC, dtype=Dtype.NUMBERS),
    *op("print", "builtins.", makes=Makes.NOTHING),
    *op("range", "builtins.", makes=Makes.RANGE),
    *op("reversed", "builtins.", makes=Makes.REVERSED),
    *op("round", "builtins.", makes=Makes.ROUNDED),
    *op("ascii bin chr format hex oct repr str", "builtins.", makes=Makes.TEXT),
    *op("format", "ndarray.", makes=Makes.TEXT, cost=Cost.SMALL),
    *op("text", "python.", makes=Makes.TEXT, result=FRESH, cost=Cost.SMALL),
    *op("str", "builtins.", cost=Cost.SMALL),
    *op("sorted", "builtins.", makes=Makes.SORTED),
    *op("sum", "builtins.", makes=Makes.SUM),
    *op("tuple", "builtins.", makes=Makes.TUPLE_OF),
    *op("zip", "builtins.", makes=Makes.ZIPPED),
    *op("product", "itertools.", makes=Makes.COMBINED),
    *op(
        "combinations combinations_with_replacement permutations", "itertools.", makes=Makes.CHOSEN
    ),
    *op("copy deepcopy", "copy.", makes=Makes.COPY),
    *op("ceil floor trunc", "math.", makes=Makes.WHOLE),
    *op("comb factorial gcd isqrt lcm perm", "math.", makes=Makes.INTEGER),
    *op("isclose isfinite isinf isnan", "math.", makes=Makes.TRUTH),
    *op("frexp modf", "math.", makes=Makes.PARTS_OF_FLOAT),
    *op("prod sumprod", "math.", makes=Makes.PRODUCT),
    *op("imag real", "attribute.", makes=Makes.PART),
    *op("conj conjugate", "ndarray.", makes=Makes.PART, dtype=Dtype.FIRST),
    *op("copy", "ndarray.", makes=Makes.COPY),
    *op("keys", "ndarray.", makes=Makes.KEYS),
    *op("values", "ndarray.", makes=Makes.VALUES),
    *op("items", "ndarray.", makes=Makes.ITEMS),
    *op("get setdefault", "ndarray.", makes=Makes.ENTRY),
    *op("pop", "ndarray.", makes=Makes.POPPED),
    *op("count index", "ndarray.", makes=Makes.COUNTED),
    *op("append clear extend insert remove reverse sort update", "ndarray.", makes=Makes.NOTHING),
    *op("tolist", "ndarray.", makes=Makes.NESTED_LISTS),
    *op("item", "ndarray.", makes=Makes.ONE_ELEMENT),
)

RECORDS = (
    *OPERATORS,
    *MAKING,
    *BUILTINS,
    *RUNNING,
    *MADE,
    *STEPS,
    *ATTRIBUTES,
    *APPLYING,
    *OF_CONTAINERS,
    *OF_TEXTS,
    *COPIES,
    *QUEUES,
    *OF_NUMBERS,
    *op("functools.partial", binds=True, result=SHARED, effect=NONE),
    *op("random.shuffle", changes=(0,), changes_by="x", reorders=True),
)
