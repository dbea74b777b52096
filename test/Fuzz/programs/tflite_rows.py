"""The operations that only TensorFlow Lite has, or that it has in more ways than others (see
grammar.py)."""

import numpy as np

from .framework_rows import (
    depth_to_space,
    expand,
    gather,
    of_several_dimensions,
    pad_by_elements,
    permute,
    reduce_exactly,
    reduce_one,
    reduce_some,
    resize,
    space_to_depth,
    split_apart,
    squeeze,
    tile,
    unsqueeze,
)
from .grammar import Reject, row
from .onnx_rows import convolve_same, slice_by_steps
from .rows import features, pool
from .values import require

# What is drawn.


def convolve_depthwise(d):
    convolve_same(d)
    d.k, d.u = d.one_of(1, 1, 2), 1
    d.o = d.c * d.k
    require(d.o <= 130)


def convolve_binary(d):
    convolve_same(d)
    # Kernels take zeros around an even number of channels alone.
    d.k, d.pad = d.c, 1 if d.c % 2 else d.pick(0, 1)


def convolve_to_words(d):
    """Zeros around an image are no words."""
    convolve_binary(d)
    d.pad, d.size = 1, d.p * d.q * d.k


def pool_same(d):
    pool(d)
    d.e = d.l = 1
    d.i, d.j = -(-d.h // d.s), -(-d.w // d.t)


def average_same(d):
    pool_same(d)
    require(not d.exact or (d.p, d.q) == (1, 2) and d.w % 2 == 0 and d.t == 2)


def transpose_convolve(d):
    convolve_same(d)
    d.i, d.j = d.h * d.s, d.w * d.t


def scale_of_codes(d):
    d.scale = np.float32(d.one_of(0.125, 0.25, 0.5) if d.exact else d.one_of(0.1, 0.25, 0.037))
    d.zero = d.one_of(0, 0, -3, 11)


def scale_of(program, value):
    """And the zero point: where codes come from."""
    for step in program.steps:
        if step.result is value:
            if "scale" in step.letters:
                return step.letters["scale"], step.letters["zero"]
            return scale_of(program, step.operands["x"])
    raise Reject


def scales_of_product(d):
    scale_of_codes(d)
    d.scale_of_x, d.zero_of_x = scale_of(d.program, d.x)
    choices = [0.125, 0.25, 0.5] if d.exact else [0.1, 0.25, 0.037]
    d.scales = np.float32(d.rng.choice(choices, d.o if d.chance(0.5) else 1))
    d.sums = d.scale_of_x * d.scales
    require((d.sums / d.scale).max() < 256)


def convolve_codes(d):
    convolve_same(d)
    scales_of_product(d)


def convolve_codes_depthwise(d):
    convolve_depthwise(d)
    scales_of_product(d)
    d.sums, d.scales = d.sums[:1], d.scales[:1]


def multiply_codes(d):
    features(d)
    scales_of_product(d)
    d.sums, d.scales = d.sums[:1], d.scales[:1]


def concatenate_codes(d):
    d.m = d.c + d.k
    require(scale_of(d.program, d.x) == scale_of(d.program, d.z))


def fixed_scale(d):
    d.scale, d.zero = np.float32(1 / 256), -128


def number_of_code(d):
    d.scale_of_x, d.zero_of_x = scale_of(d.program, d.x)


CONV = "Padding=SAME, StrideH=s, StrideW=t, DilationHFactor=1, DilationWFactor=1"
WINDOW = "Padding=VALID, StrideH=s, StrideW=t, FilterHeight=p, FilterWidth=q"
ACTIVATIONS = ("", ", FusedActivationFunction=RELU_", ", FusedActivationFunction=RELU6_")
LCE = (
    "channels_in=k, stride_height=s, stride_width=t, dilation_height_factor=1,"
    " dilation_width_factor=1"
)
SMOOTH = (
    "COS(x)", "SIN(x)", "EXP(MINIMUM(x, 3.0))", "TANH(x)", "LOGISTIC(x)", "ELU(x)", "GELU(x)",
    "HARD_SWISH(x)", "LEAKY_RELU(x, Alpha=0.1)", "SQRT(ABS(x))", "LOG(ADD(ABS(x), 0.5))",
    "RSQRT(ADD(ABS(x), 0.5))", "POW(ABS(x), 1.5)", "DIV(x, ADD(ABS(x), 0.5))",
)  # fmt: skip

ROWS = [
    # Products.
    row(
        "conv_2d_same",
        "x: image[n,h,w,c], f: filter[o,p,q,k], b: vector[o] -> image[n,i,j,o]",
        convolve_same,
        "(x * f).sum(p * q * k) + b | Exact(6)",
        weight=3,
        tflite=[f"CONV_2D(x, f, b, {CONV}{a})" for a in ACTIVATIONS],
    ),
    row(
        "depthwise_conv_2d_same",
        "x: image[n,h,w,c], f: filter[u,p,q,o], b: vector[o] -> image[n,i,j,o]",
        convolve_depthwise,
        "(x * f).sum(p * q) + b | Exact(6)",
        weight=2,
        tflite=[
            f"DEPTHWISE_CONV_2D(x, known(f), b, DepthMultiplier=k, {CONV}{a})" for a in ACTIVATIONS
        ],
    ),
    row(
        "transpose_conv",
        "x: image[n,h,w,c], f: filter[o,p,q,c] -> image[n,i,j,o]",
        transpose_convolve,
        "(x * f).sum(p * q * c)",
        tflite="TRANSPOSE_CONV(batched(y), known(f), x, Padding=SAME, StrideH=s, StrideW=t)",
    ),
    row(
        "fully_connected",
        "x: f32[n,k], f: filter[o,k], b: vector[o] -> f32[n,o]",
        features,
        "(x * f).sum(k) + b | Exact(6)",
        weight=3,
        tflite=[f"FULLY_CONNECTED(x, f, b{a})" for a in ACTIVATIONS],
    ),
    row(
        "matmul_of_values",
        "x: f32[n,m,k], z: f32[n,o,k] -> f32[n,m,o]",
        None,
        "(x * z).sum(k)",
        tflite="BATCH_MATMUL(x, z, AdjY=True)",
    ),
    # Pools and what is computed over dimensions.
    row(
        "max_pool_same",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pool_same,
        "x | Exact(0)",
        tflite=[
            f"MAX_POOL_2D(x, Padding=SAME, StrideH=s, StrideW=t, FilterHeight=p, FilterWidth=q{a})"
            for a in ACTIVATIONS
        ],
    ),
    row(
        "average_pool_same",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        average_same,
        "x.sum(p * q) * Exact(1, 2)",
        tflite="AVERAGE_POOL_2D(x, Padding=SAME, StrideH=s, StrideW=t, FilterHeight=p,"
        " FilterWidth=q)",
    ),
    row(
        "reduce_sum",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        "x.sum(m)",
        tflite="SUM(x, axes, KeepDims=keep)",
    ),
    row(
        "reduce_choice",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        "x",
        tflite=["REDUCE_MAX(x, axes, KeepDims=keep)", "REDUCE_MIN(x, axes, KeepDims=keep)"],
    ),
    row(
        "reduce_mean",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_exactly,
        "x.sum(m) * Exact(1, 6)",
        tflite="MEAN(x, axes, KeepDims=keep)",
    ),
    row(
        "reduce_product",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        weight=0.5,
        tflite="REDUCE_PROD(RELU_N1_TO_1(x, shape=x.shape), axes, KeepDims=keep)",
    ),
    row(
        "softmax",
        "x: f32[n,*r] -> f32[n,*r]",
        of_several_dimensions,
        tflite=["SOFTMAX(x, Beta=1.0)", "SOFTMAX(x, Beta=0.5)", "LOG_SOFTMAX(x)"],
    ),
    # Of each element.
    row(
        "choose",
        "x: f32[*r] -> f32[*r]",
        None,
        "x | Exact(6)",
        tflite=[
            "ABS(x)",
            "NEG(x)",
            "RELU(x)",
            "RELU6(x)",
            "RELU_N1_TO_1(x)",
            "RELU_0_TO_1(x)",
        ],
    ),
    row(
        "round",
        "x: f32[*r] -> f32[*r]",
        None,
        "x.rounded()",
        weight=0.5,
        tflite=["ROUND(x)", "FLOOR(x)", "CEIL(x)"],
    ),
    row("smooth", "x: f32[*r] -> f32[*r]", None, weight=2, tflite=SMOOTH),
    row(
        "leaky",
        "x: f32[*r] -> f32[*r]",
        None,
        "x | x * Exact(1, 2)",
        tflite="LEAKY_RELU(x, Alpha=0.25)",
    ),
    row(
        "prelu",
        "x: image[n,h,w,c], a: vector[c] -> image[n,h,w,c]",
        None,
        "x | x * a",
        tflite="PRELU(x, known(a, 1, 1, c))",
    ),
    row(
        "of_several",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "(x + z) * (x + z) + x + z | Exact(6)",
        weight=2,
        tflite=[
            *(f"{op}(x, z{a})" for op in ("ADD", "SUB", "MUL") for a in ACTIVATIONS),
            "MAXIMUM(x, z)",
            "MINIMUM(x, z)",
            "SQUARED_DIFFERENCE(x, z)",
            "ADD_N(x, z, x)",
            "SQUARE(x)",
        ],
    ),  # fmt: skip
    row(
        "divide_down",
        "x: f32[*r] -> f32[*r]",
        None,
        "x * Exact(2) | Exact(2)",
        weight=0.5,
        tflite=["FLOOR_DIV(x, 0.5)", "FLOOR_MOD(x, 0.5)", "FLOOR_MOD(x, -1.5)", "DIV(x, 2.0)"],
    ),
    # Bits and integers.
    row(
        "compare",
        "x: f32[*r], z: f32[*r] -> i1[*r]",
        None,
        "Exact(1)",
        tflite=[
            f"{op}(x, {z})"
            for op in ("GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL", "EQUAL", "NOT_EQUAL")
            for z in ("z", "0.25", "0.0")
        ],
    ),
    row(
        "logic",
        "x: i1[*r], z: i1[*r] -> i1[*r]",
        None,
        "Exact(1)",
        tflite=["LOGICAL_AND(x, z)", "LOGICAL_OR(x, z)", "LOGICAL_NOT(x)"],
    ),
    row(
        "where",
        "b: i1[*r], x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "x | z",
        tflite=["SELECT_V2(b, x, z)", "SELECT(b, x, z)"],
    ),
    row("number_of_bit", "b: i1[*r] -> f32[*r]", None, "Exact(1)", tflite="CAST(b)"),
    row(
        "integer_of_float",
        "x: f32[*r] -> i32[*r]",
        None,
        "x.rounded() | Exact(1)",
        tflite=["CAST(RELU6(x, kind='f32'))", "CAST(RELU_N1_TO_1(x, kind='f32'))"],
    ),
    row("float_of_integer", "x: i32[*r] -> f32[*r]", None, "x", weight=8, tflite="CAST(x)"),
    row(
        "arithmetic_of_integers",
        "x: i32[*r], z: i32[*r] -> i32[*r]",
        None,
        "x * z + x + z",
        weight=8,
        tflite=[
            "ADD(x, z)",
            "SUB(x, z)",
            "MUL(x, z)",
            "MAXIMUM(x, z)",
            "MINIMUM(x, z)",
            "FLOOR_DIV(x, np.int32(3))",
            "FLOOR_MOD(x, np.int32(5))",
        ],
    ),  # fmt: skip
    # Places, and what moves values.
    row(
        "place_of_extreme",
        "x: f32[n,*r] -> i32[n,*s]",
        lambda d: (reduce_one(d), require(not d.keep)),
        "Exact(size)",
        tflite=["ARG_MAX(x, axis, OutputType=2)", "ARG_MIN(x, axis, OutputType=2)"],
    ),
    row(
        "gather",
        "x: f32[n,*r] -> f32[n,*s]",
        gather,
        "x",
        tflite="GATHER(x, np.int32(index) % size, Axis=axis)",
    ),
    row(
        "resize_nearest",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        resize,
        "x",
        tflite=[
            "RESIZE_NEAREST_NEIGHBOR(x, [i, j])",
            "RESIZE_NEAREST_NEIGHBOR(x, [i, j], HalfPixelCenters=True)",
            "RESIZE_NEAREST_NEIGHBOR(x, [i, j], AlignCorners=True)",
        ],
    ),
    row(
        "resize_linearly",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        resize,
        tflite=[
            "RESIZE_BILINEAR(x, [i, j])",
            "RESIZE_BILINEAR(x, [i, j], HalfPixelCenters=True)",
            "RESIZE_BILINEAR(x, [i, j], AlignCorners=True)",
        ],
    ),
    row(
        "depth_to_space",
        "x: image[n,h,w,c] -> image[n,i,j,o]",
        depth_to_space,
        "x",
        tflite="DEPTH_TO_SPACE(x, BlockSize=b)",
    ),
    row(
        "space_to_depth",
        "x: image[n,h,w,c] -> image[n,i,j,o]",
        space_to_depth,
        "x",
        tflite="SPACE_TO_DEPTH(x, BlockSize=b)",
    ),
    row("tile", "x: f32[n,*r] -> f32[n,*s]", tile, "x", weight=0.5, tflite="TILE(x, [1, *times])"),
    row(
        "expand",
        "x: f32[n,*r] -> f32[n,*s]",
        expand,
        "x",
        weight=0.5,
        tflite="BROADCAST_TO(x, batched(y))",
    ),
    row(
        "unsqueeze",
        "x: f32[n,*r] -> f32[n,*s]",
        unsqueeze,
        "x",
        tflite="EXPAND_DIMS(x, np.int32(axis))",
    ),
    row("squeeze", "x: f32[n,*r] -> f32[n,*s]", squeeze, "x", tflite="RESHAPE(x, batched(y))"),
    row("permute", "x: f32[n,*r] -> f32[n,*s]", permute, "x", tflite="TRANSPOSE(x, order)"),
    row(
        "slice_by_steps",
        "x: f32[n,*r] -> f32[n,*s]",
        slice_by_steps,
        "x",
        tflite="STRIDED_SLICE(x, [0] * axis + [first] + [0] * (len(r) - axis),"
        " [0] * axis + [last] + [0] * (len(r) - axis),"
        " [1] * axis + [step] + [1] * (len(r) - axis),"
        " BeginMask=2 ** (len(r) + 1) - 1 - 2 ** axis, EndMask=2 ** (len(r) + 1) - 1 - 2 ** axis)",
    ),
    row(
        "split_apart",
        "x: f32[*r,c] -> f32[*r,a]",
        split_apart,
        "x",
        tflite="SPLIT_V(x, [a, b], np.int32(len(r)), shape=[(*r, a), (*r, b)], outputs=2,"
        " NumSplits=2)[0]",
    ),
    row(
        "halve",
        "x: f32[*r,c] -> f32[*r,a]",
        lambda d: (split_apart(d), require(d.c % 2 == 0), setattr(d, "a", d.c // 2)),
        "x",
        weight=0.5,
        tflite="SPLIT(np.int32(len(r)), x, shape=[(*r, a), (*r, a)], outputs=2, NumSplits=2)[1]",
    ),
    row(
        "stack",
        "x: f32[n,*r], z: f32[n,*r] -> f32[n,2,*r]",
        lambda d: require(len(d.r) < 4),
        "x | z",
        weight=0.5,
        tflite="PACK(x, z, Axis=1, ValuesCount=2)",
    ),
    row(
        "unstack",
        "x: f32[n,m,*r] -> f32[n,*r]",
        lambda d: require(d.m > 1),
        "x",
        weight=0.5,
        tflite="UNPACK(x, shape=[y.shape] * m, outputs=m, Num=m, Axis=1)[0]",
    ),
    row(
        "reverse",
        "x: f32[n,*r] -> f32[n,*r]",
        of_several_dimensions,
        "x",
        weight=0.5,
        tflite="REVERSE_V2(x, [axis % (len(r) + 1)])",
    ),
    row(
        "pad_by_elements",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pad_by_elements,
        "x",
        weight=0.5,
        tflite="MIRROR_PAD(x, [[0, 0], [pads[0], pads[2]], [pads[1], pads[3]], [0, 0]])",
    ),
    row(
        "add_filled",
        "x: f32[*r] -> f32[*r]",
        None,
        "x + Exact(1, 1)",
        weight=0.3,
        tflite="ADD(x, FILL(SHAPE(x, shape=[len(r)], kind='i32', OutType=2), 0.5))",
    ),
    row(
        "pad_channels",
        "x: image[n,h,w,c] -> image[n,h,w,m]",
        lambda d: setattr(d, "m", d.c + 3),
        "x",
        weight=0.5,
        tflite="PAD(x, [[0, 0], [0, 0], [0, 0], [1, 2]])",
    ),
    # Words of signs.
    row(
        "words_of_signs",
        "x: f32[n,h,w,c] -> packed[n,h,w,c]",
        None,
        "Exact(1)",
        weight=6,
        tflite="LceQuantize(x)",
    ),
    row(
        "signs_of_words",
        "x: packed[n,h,w,c] -> f32[n,h,w,c]",
        None,
        "Exact(1)",
        tflite="LceDequantize(x)",
    ),
    row(
        "binary_conv",
        "x: packed[n,h,w,c], f: signs[o,p,q,k], a: vector[o], b: vector[o] -> f32[n,i,j,o]",
        convolve_binary,
        "Exact(2 * p * q * k) * a + b",
        weight=4,
        tflite=[
            f"LceBconv2d(x, words(f), a, b, None, padding=SAME, pad_values={pad},"
            f" fused_activation_function={a}, {LCE})"
            for pad, a in (("pad", 0), (1, 1))
        ],
    ),
    row(
        "binary_conv_to_words",
        "x: packed[n,h,w,c], f: signs[o,p,q,k], v: integers[o] -> packed[n,i,j,o]",
        convolve_to_words,
        "Exact(1)",
        weight=2,
        tflite="LceBconv2d(x, words(f), None, None, constant(np.abs(v.value.array) * size // 20),"
        f" padding=SAME, pad_values=1, fused_activation_function=0, {LCE})",
    ),
    row(
        "max_pool_of_words",
        "x: packed[n,h,w,c] -> packed[n,i,j,c]",
        pool_same,
        "Exact(1)",
        tflite="LceBMaxPool2d(x, padding=SAME, stride_height=s, stride_width=t, filter_height=p,"
        " filter_width=q)",
    ),
    # Codes.
    row(
        "quantize",
        "x: f32[*r] -> i8[*r]",
        scale_of_codes,
        "Exact(128)",
        weight=6,
        tflite="QUANTIZE(x, scale=scale, zero=zero)",
    ),
    row(
        "dequantize",
        "x: i8[*r] -> f32[*r]",
        number_of_code,
        "Exact(256 * 4, 3)",
        tflite="DEQUANTIZE(x)",
    ),
    row(
        "requantize",
        "x: i8[*r] -> i8[*r]",
        scale_of_codes,
        "Exact(128)",
        weight=0.5,
        tflite=[
            "QUANTIZE(x, scale=scale, zero=zero)",
            "LEAKY_RELU(x, Alpha=0.25, scale=scale, zero=zero)",
        ],
    ),
    row(
        "conv_of_codes",
        "x: i8[n,h,w,c], f: bytes[o,p,q,k], b: integers[o] -> i8[n,i,j,o]",
        convolve_codes,
        "Exact(128)",
        weight=2,
        tflite=[
            f"CONV_2D(x, codes(f, scales), bias(b, sums), scale=scale, zero=zero, {CONV}{a})"
            for a in ACTIVATIONS
        ],
    ),
    row(
        "depthwise_conv_of_codes",
        "x: i8[n,h,w,c], f: bytes[u,p,q,o], b: integers[o] -> i8[n,i,j,o]",
        convolve_codes_depthwise,
        "Exact(128)",
        tflite="DEPTHWISE_CONV_2D(x, codes(f, scales), bias(b, sums), scale=scale, zero=zero,"
        f" DepthMultiplier=k, {CONV})",
    ),
    row(
        "fully_connected_of_codes",
        "x: i8[n,k], f: bytes[o,k], b: integers[o] -> i8[n,o]",
        multiply_codes,
        "Exact(128)",
        weight=2,
        tflite=[
            f"FULLY_CONNECTED(x, codes(f, scales), bias(b, sums), scale=scale, zero=zero{a})"
            for a in ACTIVATIONS
        ],
    ),
    row(
        "arithmetic_of_codes",
        "x: i8[*r], z: i8[*r] -> i8[*r]",
        scale_of_codes,
        "Exact(128)",
        tflite=[
            f"{op}(x, z, scale=scale, zero=zero{a})"
            for op in ("ADD", "SUB", "MUL")
            for a in ACTIVATIONS
        ],
    ),
    row(
        "max_pool_of_codes",
        "x: i8[n,h,w,c] -> i8[n,i,j,c]",
        pool,
        "x",
        tflite=f"MAX_POOL_2D(x, {WINDOW}, scale=x.scale, zero=x.zero)",
    ),
    row(
        "average_pool_of_codes",
        "x: i8[n,h,w,c] -> i8[n,i,j,c]",
        pool,
        "x",
        tflite=f"AVERAGE_POOL_2D(x, {WINDOW}, scale=x.scale, zero=x.zero)",
    ),
    row(
        "concatenate_codes",
        "x: i8[n,c], z: i8[n,k] -> i8[n,m]",
        concatenate_codes,
        "x",
        tflite="CONCATENATION(x, z, Axis=1, scale=x.scale, zero=x.zero)",
    ),
    row(
        "mean_of_codes",
        "x: i8[n,h,w,c] -> i8[n,c]",
        scale_of_codes,
        "Exact(128)",
        tflite="MEAN(x, [1, 2], scale=scale, zero=zero)",
    ),
    row(
        "flatten_codes",
        "x: i8[n,h,w,c] -> i8[n,m]",
        lambda d: setattr(d, "m", d.h * d.w * d.c),
        "x",
        tflite="RESHAPE(x, batched(y), scale=x.scale, zero=x.zero)",
    ),
    row(
        "smooth_of_codes",
        "x: i8[n,c] -> i8[n,c]",
        fixed_scale,
        weight=0.5,
        tflite=[
            "LOGISTIC(x, scale=scale, zero=zero)",
            "SOFTMAX(x, Beta=1.0, scale=scale, zero=zero)",
        ],
    ),
    row(
        "choose_of_codes",
        "x: i8[*r] -> i8[*r]",
        None,
        "x",
        weight=0.5,
        tflite=["RELU(x, scale=x.scale, zero=x.zero)", "RELU6(x, scale=x.scale, zero=x.zero)"],
    ),
]
