"""What the functions do that derivatives call, where no default tells."""

from __future__ import annotations

from adlsp.transform.ops.makes import Makes
from adlsp.transform.ops.spec import (
    APART,
    FRESH,
    NONE,
    OUTSIDE,
    SHARED,
    Dtype,
    Kind,
    Shape,
    Takes,
    op,
)

HOME = "adlsp.runtime."

HOMES = (*op(HOME, result=APART, effect=NONE, retains=False),)

RECORDS = (
    *op("grad value_and_grad vjp jvp hvp", "adlsp.", result=FRESH, effect=NONE),
    *op("inserted", HOME, gives=Kind.LIST),
    *op("append growing setitem", HOME, gives=Kind.ARRAY),
    *op("size", HOME, gives=Kind.INTEGER),
    *op("add_at refill", HOME, gives_back=True),
    *op("larger number", HOME, shape=Shape.SCALAR),
    *op("conj per_size phase", HOME, shape=Shape.EACH),
    *op("conj", HOME, dtype=Dtype.FIRST),
    *op("per_size", HOME, dtype=Dtype.MAGNITUDE),
    *op(
        "log_likelihood log_of_lack log_of_sigmoid sigmoid",
        HOME,
        result=FRESH,
        gives=Kind.ARRAY,
        shape=Shape.EACH,
        dtype=Dtype.FLOATS,
    ),
    *op(
        "sigmoid_of_number",
        HOME,
        result=FRESH,
        gives=Kind.ARRAY,
        shape=Shape.SCALAR,
        takes=Takes.NUMBERS,
        makes=Makes.FLOAT,
    ),
    *op("apart copy distinct own plain ratio real separate smooth", HOME, shape=Shape.FIRST),
    *op("not_tall", HOME, shape=Shape.FIRST),
    *op("real", HOME, makes=Makes.PART, dtype=Dtype.PART),
    *op(
        "broadcast cleared copy distinct dot_bar_a dot_bar_b inner_bar_a inner_bar_b "
        "matmul_bar_a matmul_bar_b number own part part_zeros preserved products ratio separate "
        "shorten squareform_bar trapezoid_bar_dx trapezoid_bar_x zeros",
        HOME,
        result=FRESH,
    ),
    *op(
        "add_at aligned aligned_bar array_part block_bar broadcast_arrays "
        "broadcast_arrays_bar centered cast_item cast_like conj dagger dot_factors_a "
        "dot_factors_b einsum_fit einsum_unfit expand expand_as fill fit_to fitted growing_bar "
        "held inserted kept_by margin matmul_factors_a matmul_factors_b last not_tall pad_bar "
        "plus plus_back plus_part real repeated repeated_as restructure rot90 seed seen seen_bar "
        "smooth staying stretch summed take_bar transpose_bar transposed turned unbroadcast "
        "unlisted unpack without without_bar",
        HOME,
        result=SHARED,
    ),
    *op("alone apart bound disjoint plain refill unheld", HOME, result=SHARED, effect=OUTSIDE),
    *op("numbers", HOME, result=SHARED),
    *op("separate", HOME, effect=OUTSIDE),
    *op("factor fixed sequence shaped", HOME, effect=OUTSIDE, shape=Shape.FIRST),
    *op(
        "beside no_array plain_dict plain_list plain_within single viewed",
        HOME,
        effect=OUTSIDE,
        gives=Kind.NOTHING,
    ),
    *op("einsum", HOME, passes_on=1),
    *op(
        "cast corner head_bar listed plus_bar repack split_bar sum_bar tail_bar unshared",
        HOME,
        passes_on=0,
    ),
    *op("changeable number unshared", HOME, effect=OUTSIDE),
    *op(
        "cast_item cast_like cross_bar dot_bar_a expand_as fit_to fitted inner_bar_a kron_bar_a "
        "last matmul_bar_a repeated_as seed tensordot_bar_a unbroadcast",
        HOME,
        like=1,
    ),
    *op(
        "dot_bar_b inner_bar_b kron_bar_b matmul_bar_b tensordot_bar_b trapezoid_bar_dx "
        "trapezoid_bar_x",
        HOME,
        like=2,
    ),
    *op("like zeros", HOME, like=0),
    *op("size", HOME, like=0, tells_shape=True),
    *op("broadcast", HOME, is_of_shapes=True, makes=Makes.BROADCAST),
    *op("copy separate", HOME, keeps_shape=True),
    *op("cast_like like unbroadcast zeros", HOME, shape=Shape.LIKE),
    *op(
        "cross_bar dot_bar_a dot_bar_b fit_to inner_bar_a inner_bar_b kron_bar_a kron_bar_b last "
        "matmul_bar_a matmul_bar_b products tensordot_bar_a tensordot_bar_b unbroadcast",
        HOME,
        makes=Makes.LIKE,
    ),
    *op("zeros", HOME, makes=Makes.ZERO),
    *op("parts", HOME, makes=Makes.PARTS),
    *op("add", HOME, makes=Makes.ADDED),
    *op("add_at", HOME, makes=Makes.ADDED_TO),
    *op("restructure", HOME, makes=Makes.STRUCTURED),
    *op("cast_like", HOME, makes=Makes.CAST),
    *op("repack", HOME, makes=Makes.REPACKED),
    *op("listed", HOME, makes=Makes.TAKEN_APART),
    *op("split_bar", HOME, makes=Makes.PUT_APART),
    *op("fitted", HOME, makes=Makes.FITTED),
    *op("transpose_bar", HOME, makes=Makes.PUT_BACK, parameters="out_bar axes"),
    *op("seed", HOME, makes=Makes.SEED),
    *op("like", HOME, makes=Makes.SHAPE_AND_DTYPE),
    *op("expand_as", HOME, makes=Makes.GRADIENT_AS),
    *op("distinct own part preserved separate", HOME, makes=Makes.COPY),
    *op("copy", HOME, makes=Makes.DEEP_COPY),
    *op("size", HOME, makes=Makes.SIZE),
    *op("count", HOME, makes=Makes.COUNT),
    *op("growing", HOME, makes=Makes.GROWING),
    *op("append cleared lengthen setitem shorten", HOME, makes=Makes.VERSION),
    *op("ratio", HOME, makes=Makes.RATIO),
    *op(
        "apart bound disjoint factor fixed number numbers plain sequence shaped smooth summed "
        "unheld unshared",
        HOME,
        makes=Makes.SAME,
    ),
    *op("greatest least", HOME, gives=Kind.INTEGER, makes=Makes.INTEGER),
    *op("order", HOME, gives=Kind.LIST, makes=Makes.ORDER),
    *op("entry held", HOME, makes=Makes.HELD),
    *op("take_bar", HOME, makes=Makes.TAKEN),
    *op("expand", HOME, makes=Makes.EXPANDED, parameters="out_bar shape axis=None keepdims=False"),
    *op("squareform_bar", HOME, shape=Shape.SQUAREFORM, dtype=Dtype.FIRST, parameters="g"),
    *op("margin", HOME, shape=Shape.MARGIN, dtype=Dtype.FIRST, parameters="x a axis=-1"),
    *op("join", HOME, result=FRESH, gives=Kind.ARRAY),
    *op("join", HOME, makes=Makes.JOINED, parameters="parts shape axis=0"),
    *op("diag_bar", HOME, parameters="out_bar shape k=0"),
    *op("diff_bar", HOME, parameters="out_bar shape n=1 axis=-1"),
    *op("gather_bar", HOME, parameters="out_bar shape indices axis=None"),
    *op("gather_along_bar", HOME, parameters="out_bar shape indices axis=-1"),
    *op("pad_bar", HOME, parameters="out_bar shape pad_width mode='constant'"),
    *op("repeat_bar", HOME, parameters="out_bar shape repeats axis=None"),
    *op("diagonal_bar trace_bar", HOME, parameters="out_bar shape offset=0 axis1=0 axis2=1"),
    *op("windows_bar", HOME, parameters="out_bar shape window_shape axis=None"),
    *op("centered_bar corner_bar", HOME, parameters="out_bar shape"),
    *op("half_bar", HOME, parameters="out_bar shape axis=-1"),
    *op("others_bar", HOME, parameters="out_bar shape axis=None"),
    *op("tile_bar", HOME, parameters="out_bar shape reps"),
    *op(
        "centered_bar corner_bar diag_bar diagonal_bar diff_bar gather_along_bar gather_bar "
        "half_bar others_bar pad_bar repeat_bar tile_bar trace_bar windows_bar",
        HOME,
        makes=Makes.EXPANDED,
    ),
    *op(
        "centered_bar corner_bar diag_bar diagonal_bar diff_bar gather_along_bar gather_bar "
        "half_bar repeat_bar trace_bar windows_bar",
        HOME,
        result=FRESH,
        gives=Kind.ARRAY,
    ),
    *op("dagger", HOME, parameters="x", shape=Shape.MATRICES_TRANSPOSED, dtype=Dtype.COMMON),
    *op("hermitian hermitian_bar", HOME, result=FRESH, gives=Kind.ARRAY),
    *op("hermitian hermitian_bar triangle", HOME, shape=Shape.FIRST, dtype=Dtype.FIRST),
    *op("product_of_others", HOME, shape=Shape.FIRST, dtype=Dtype.TOTAL),
    *op(
        "cast_like dot_bar_a dot_bar_b fit_to inner_bar_a inner_bar_b matmul_bar_a matmul_bar_b "
        "unbroadcast zeros",
        HOME,
        dtype=Dtype.LIKE,
    ),
    *op("expand expand_as power_log ratio", HOME, may_widen=True),
    *op("cast_like copy expand expand_as unbroadcast", HOME, keeps_sign=True),
    *op(
        "add_at broadcast_arrays_bar cast_like choose_bar chosen_bar entered entered_bar entry_bar "
        "growing_bar head_bar in_order_bar inserted listed meshgrid_bar plus_back plus_bar "
        "plus_part repack repeated repeats_bar restructure split_bar sum_bar tail_bar "
        "transposed_bar without without_bar",
        HOME,
        gives_several=True,
    ),
)
