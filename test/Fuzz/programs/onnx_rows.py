"""The operations that only ONNX has, or that it has in more ways than others (see grammar.py)."""

import numpy as np

from .framework_rows import (
    CONV,
    inner_axis,
    of_several_dimensions,
    places_of_leading,
    pool_with_pads,
    resize,
    take_some,
)
from .grammar import row
from .rows import convolve, convolve_groups, features, know_batch, pool_padded
from .values import require

# What is drawn.


def triangle(d):
    require(len(d.r) > 0)
    d.upper, d.shift = d.pick(0, 1), d.pick(-2, 2)


def normalize_groups(d):
    groups = [g for g in range(1, d.c + 1) if d.c % g == 0]
    d.g = d.one_of(*groups)


def resize_linearly(d):
    resize(d)
    d.places = "asymmetric" if d.exact else d.places
    require(not d.exact or d.u != 3)


def slice_by_steps(d):
    inner_axis(d)
    d.step = d.one_of(1, 1, 2, 3, -1, -2)
    d.first, d.last = d.pick(-d.size, d.size + 1), d.pick(-d.size - 1, d.size + 1)
    taken = len(range(d.size)[d.first : d.last : d.step])
    require(taken and not (d.step < 0 and d.first > d.size - 1))
    d.s = tuple(taken if i + 1 == d.axis else size for i, size in enumerate(d.r))


def scatter(d):
    inner_axis(d)
    count = d.pick(1, d.size)
    shape = (*d.x.shape[: d.axis], count, *d.x.shape[d.axis + 1 :])
    places = d.rng.permutation(d.size)[:count].reshape(
        [-1 if i == d.axis else 1 for i in range(len(shape))]
    )
    d.index = np.broadcast_to(places, shape).copy()
    d.updates = np.float32(d.rng.choice([-1.0, 0.0, 1.0], shape))
    know_batch(d)


def accumulate(d):
    inner_axis(d)
    d.exclusive, d.reverse = d.pick(0, 1), d.pick(0, 1)


def one_hot(d):
    require(len(d.r) < 4)
    d.m = d.pick(1, 6)


def convolve_same(d):
    """With pads that the operator finds by itself."""
    convolve(d)
    d.mode = d.one_of("SAME_UPPER", "SAME_LOWER")
    d.e = d.l = 1
    d.i, d.j = -(-d.h // d.s), -(-d.w // d.t)


def average_padded(d):
    pool_padded(d)
    d.e = d.l = 1
    top, left, bottom, right = d.pads
    d.i = (d.h + top + bottom - d.p) // d.s + 1
    d.j = (d.w + left + right - d.q) // d.t + 1
    require(top < d.p and bottom < d.p and left < d.q and right < d.q)
    d.counted = d.pick(0, 1)
    require(not d.exact or d.p * d.q in (1, 2, 4) and (d.counted or not any(d.pads)))


def scales_of_product(d):
    choices = [0.125, 0.25, 0.5] if d.exact else [0.1, 0.25, 0.037]
    d.scales = [np.float32(d.one_of(*choices)) for _ in range(2)]
    d.scales.append(np.float32(d.one_of(*(choices + [4.0, 1.0]))))
    d.zeros = [np.uint8(d.one_of(0, 128, 7)), np.int8(0), np.uint8(d.one_of(0, 128, 7))]


def integer_convolve(d):
    convolve(d)
    scales_of_product(d)


def integer_convolve_groups(d):
    convolve_groups(d)
    scales_of_product(d)


def integer_multiply(d):
    features(d)
    scales_of_product(d)


def two_of_codes(d):
    scales_of_product(d)
    d.zeros[1] = np.uint8(d.one_of(0, 128, 7))


def concatenate_codes(d):
    two_of_codes(d)
    d.m = d.c + d.k


def thresholds(d):
    require(len(d.x.shape) in (2, 4))
    d.c, d.m = d.x.shape[1], d.one_of(1, 1, 3, 7, 15, 20)
    d.step = d.one_of(0.5, 1.0, 0.25) if d.exact else d.one_of(0.3, 1.0)


def quantize_by_bits(d):
    d.scale = np.float32(d.one_of(0.25, 0.5, 1.0) if d.exact else d.one_of(0.3, 0.25))
    d.bits = d.one_of(1, 2, 2, 3, 4, 8)
    d.signed, d.narrow = d.pick(0, 1), d.pick(0, 1)
    require(d.bits > 1 or not (d.signed and d.narrow))
    d.rule = d.one_of("ROUND", "FLOOR", "CEIL")


def of_codes(op, *operands):
    """A call of an operator of ONNX Runtime's own domain."""
    return f"node('{op}', {', '.join(operands)}, domain='{MICROSOFT}')"


MICROSOFT = "com.microsoft"
QONNX = "qonnx.custom_op.general"


FIRST, SECOND, RESULT = "scales[0], zeros[0]", "scales[1], zeros[1]", "scales[2], zeros[2]"

ROWS = [
    # Products.
    row(
        "conv_2d_same",
        "x: image[n,h,w,c], f: filter[o,p,q,k] -> image[n,i,j,o]",
        convolve_same,
        "(x * f).sum(p * q * k)",
        weight=0.5,
        onnx="Conv(x, f.by('okpq'), auto_pad=mode, strides=[s, t])",
    ),
    # Pools and what is computed over dimensions.
    row(
        "average_pool_padded",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        average_padded,
        "x.sum(p * q) * Exact(1, 2)",
        onnx="AveragePool(x, kernel_shape=[p, q], strides=[s, t], pads=pads,"
        " count_include_pad=counted)",
    ),
    row(
        "hardmax",
        "x: f32[n,*r] -> f32[n,*r]",
        of_several_dimensions,
        "Exact(1)",
        weight=0.5,
        onnx="Hardmax(x, axis=axis)",
    ),
    row(
        "cumulative_sum",
        "x: f32[n,*r] -> f32[n,*r]",
        accumulate,
        "x.sum(size)",
        weight=0.5,
        onnx="CumSum(x, axis, exclusive=exclusive, reverse=reverse)",
    ),
    row(
        "norm_of_groups",
        "x: image[n,h,w,c], a: vector[c], b: vector[c] -> image[n,h,w,c]",
        normalize_groups,
        onnx=[
            "InstanceNormalization(x, a, b)",
            "GroupNormalization(x, a, b, num_groups=g)",
        ],
    ),
    # Of each element.
    row(
        "triangle",
        "x: f32[*r,a,b] -> f32[*r,a,b]",
        triangle,
        "x",
        weight=0.5,
        onnx="Trilu(x, shift, upper=upper)",
    ),
    row(
        "add_constant_of_shape",
        "x: f32[*r] -> f32[*r]",
        None,
        "x + Exact(1, 1)",
        weight=0.3,
        onnx="Add(x, ConstantOfShape(Shape(x), value=tensor(np.float32([0.5]))))",
    ),
    # Places.
    row(
        "one_hot",
        "x: i64[*r] -> f32[*r,m]",
        one_hot,
        "Exact(2)",
        onnx="OneHot(x, m, np.float32([-1, 2]))",
    ),
    row(
        "places_of_largest",
        "x: f32[*r,c] -> i64[*r,k]",
        take_some,
        "Exact(c)",
        weight=0.5,
        onnx="TopK(x, [k], largest=largest, outputs=2)[1]",
    ),
    row(
        "scatter",
        "x: f32[n,*r] -> f32[n,*r]",
        scatter,
        "x | Exact(1)",
        weight=0.5,
        onnx="ScatterElements(x, index, updates, axis=axis)",
    ),
    row(
        "scatter_nd",
        "x: f32[n,m,*r] -> f32[n,m,*r]",
        places_of_leading,
        "x | Exact(1)",
        weight=0.5,
        onnx="ScatterND(x, index, updates)",
    ),
    # What moves values.
    row(
        "resize_linearly",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        resize_linearly,
        "x * Exact(16, 4)",
        weight=0.5,
        onnx="Resize(x, None, np.float32([1, 1, u, v]), mode='linear',"
        " coordinate_transformation_mode=places)",
    ),
    row(
        "slice_by_steps",
        "x: f32[n,*r] -> f32[n,*s]",
        slice_by_steps,
        "x",
        onnx="Slice(x, [first], [last], [axis], [step])",
    ),
    # Codes.
    row(
        "quantize_dynamically",
        "x: f32[*r] -> u8[*r]",
        know_batch,
        weight=0.5,
        onnx="DynamicQuantizeLinear(x, outputs=3)[0]",
    ),
    row(
        "conv_integer",
        "x: u8[n,c,h,w], f: bytes[o,k,p,q] -> i32[n,o,i,j]",
        integer_convolve,
        "(x * f + Exact(128) * f).sum(p * q * k)",
        weight=2,
        onnx=[f"ConvInteger(x, f, {CONV})", f"ConvInteger(x, f, zeros[0], zeros[1], {CONV})"],
    ),
    row(
        "matmul_integer",
        "x: u8[n,k], f: bytes[k,o] -> i32[n,o]",
        integer_multiply,
        "(x * f + Exact(128) * f).sum(k)",
        weight=2,
        onnx=["MatMulInteger(x, f)", "MatMulInteger(x, f, zeros[0])"],
    ),
    row(
        "conv_of_codes",
        "x: u8[n,c,h,w], f: bytes[o,k,p,q], b: integers[o] -> u8[n,o,i,j]",
        integer_convolve_groups,
        "Exact(255) if (x * f + Exact(128) * f).sum(p * q * k).fits() else None",
        weight=2,
        onnx=[
            f"QLinearConv(x, {FIRST}, f, {SECOND}, {RESULT}, group=g, {CONV})",
            f"QLinearConv(x, {FIRST}, f, {SECOND}, {RESULT}, b, group=g, {CONV})",
        ],
    ),
    row(
        "matmul_of_codes",
        "x: u8[n,k], f: bytes[k,o] -> u8[n,o]",
        integer_multiply,
        "Exact(255) if (x * f + Exact(128) * f).sum(k).fits() else None",
        onnx=[
            f"QLinearMatMul(x, {FIRST}, f, {SECOND}, {RESULT})",
            "node('QGemm', x, scales[0], zeros[0], f, scales[1], zeros[1], None, scales[2],"
            f" zeros[2], domain='{MICROSOFT}')",
        ],
    ),
    row(
        "arithmetic_of_codes",
        "x: u8[*r], z: u8[*r] -> u8[*r]",
        two_of_codes,
        weight=0.5,
        onnx=[of_codes(op, "x", FIRST, "z", SECOND, RESULT) for op in ("QLinearAdd", "QLinearMul")],
    ),
    row(
        "concatenate_codes",
        "x: u8[*r,c], z: u8[*r,k] -> u8[*r,m]",
        concatenate_codes,
        weight=0.5,
        onnx=f"node('QLinearConcat', {RESULT}, x, {FIRST}, z, {SECOND}, domain='{MICROSOFT}',"
        " axis=len(r))",
    ),
    row(
        "average_of_codes",
        "x: u8[n,c,h,w] -> u8[n,c,1,1]",
        two_of_codes,
        weight=0.5,
        onnx=of_codes("QLinearGlobalAveragePool", "x", FIRST, RESULT),
    ),
    row(
        "softmax_of_codes",
        "x: u8[n,c] -> u8[n,c]",
        two_of_codes,
        weight=0.3,
        onnx=f"node('QLinearSoftmax', x, {FIRST}, {RESULT}, domain='{MICROSOFT}', axis=1,"
        " opset=13)",
    ),
    row(
        "pool_of_codes",
        "x: u8[n,c,h,w] -> u8[n,c,i,j]",
        pool_with_pads,
        "x",
        onnx=f"MaxPool(x, kernel_shape=[p, q], {CONV})",
    ),
    row(
        "clip_of_codes",
        "x: u8[*r] -> u8[*r]",
        None,
        "x",
        weight=0.5,
        onnx=[
            "Clip(x, np.uint8(3), np.uint8(200))",
            "Max(x, np.uint8(9))",
            "Min(x, np.uint8(77))",
            "Add(x, np.uint8(100))",
            "Mul(x, np.uint8(3))",
            "Sub(x, np.uint8(50))",
            "Where(Greater(x, np.uint8(7)), x, np.uint8(1))",
            "Cast(Cast(x, to=3), to=2)",
        ],
    ),  # fmt: skip
    # QONNX.
    row(
        "quantize_by_bits",
        "x: f32[*r] -> f32[*r]",
        quantize_by_bits,
        "Exact(1024, 2)",
        weight=2,
        onnx=f"node('Quant', x, scale, 0.0, float(bits), domain='{QONNX}', signed=signed,"
        " narrow=narrow, rounding_mode=rule)",
    ),
    row(
        "quantize_by_sign",
        "x: f32[*r] -> f32[*r]",
        quantize_by_bits,
        "Exact(4, 2)",
        onnx=f"node('BipolarQuant', x, scale, domain='{QONNX}')",
    ),
    row(
        "multi_threshold",
        "x: f32[n,*r], a: ascending[c,m] -> f32[n,*r]",
        thresholds,
        "Exact(128, 2)",
        onnx=f"node('MultiThreshold', x, a, domain='{QONNX}', out_scale=step, out_bias=-step)",
    ),
]
