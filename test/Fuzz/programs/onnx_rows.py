"""The operations that only ONNX has, or that it has in more ways than others (see grammar.py)."""

import numpy as np

from .grammar import row
from .rows import convolve, convolve_groups, features, pool_padded
from .values import require

# What is drawn.


def inner_axis(d):
    """One that is not of the batch."""
    require(len(d.x.shape) > 1)
    d.axis = d.pick(1, len(d.x.shape) - 1)
    d.size = d.x.shape[d.axis]


def reduce_some(d):
    inner = range(1, len(d.x.shape))
    require(inner)
    d.axes = tuple(i for i in inner if d.chance(0.5)) or (d.one_of(*inner),)
    d.keep = d.pick(0, 1)
    kept = [1 if i in d.axes else d.x.shape[i] for i in inner if d.keep or i not in d.axes]
    d.s, d.m = tuple(kept), int(np.prod([d.x.shape[i] for i in d.axes]))


def reduce_exactly(d):
    reduce_some(d)
    require(not d.exact or d.m in (1, 2, 4, 8, 16, 32, 64))


def reduce_one(d):
    inner_axis(d)
    d.keep, d.last = d.pick(0, 1), d.pick(0, 1)
    d.s = d.x.shape[1 : d.axis] + (1,) * d.keep + d.x.shape[d.axis + 1 :]


def of_several_dimensions(d):
    require(len(d.x.shape) > 1)
    d.axis = d.one_of(-1, len(d.x.shape) - 1, 1)
    d.size = d.x.shape[d.axis]


def take_some(d):
    require(len(d.r) > 0)
    d.k, d.largest = d.pick(1, d.c), d.pick(0, 1)


def triangle(d):
    require(len(d.r) > 0)
    d.upper, d.shift = d.pick(0, 1), d.pick(-2, 2)


def normalize(d):
    """By statistics of which the square root is exact, if it has to be."""
    d.deviations = d.rng.choice([0.25, 1.0, 4.0], d.c) if d.exact else d.rng.uniform(0.1, 2, d.c)
    d.deviations, d.epsilon = np.float32(d.deviations), 0.0 if d.exact else 1e-5


def normalize_groups(d):
    groups = [g for g in range(1, d.c + 1) if d.c % g == 0]
    d.g = d.one_of(*groups)


def normalize_last(d):
    require(len(d.r) > 0)


def resize(d):
    d.u, d.v = d.one_of(1, 2, 2, 3, 4), d.one_of(1, 2, 2, 4)
    d.i, d.j = d.h * d.u, d.w * d.v
    d.places = d.one_of("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
    d.rule = d.one_of("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")


def resize_to_sizes(d):
    resize(d)
    d.i, d.j = d.pick(1, 9), d.pick(1, 9)
    d.program.may_be_dynamic = False  # sizes are those of the batch, too


def resize_linearly(d):
    resize(d)
    d.places = "asymmetric" if d.exact else d.places
    require(not d.exact or d.u != 3)


def depth_to_space(d):
    d.b, d.mode = d.one_of(2, 2, 3), d.one_of("DCR", "CRD")
    require(d.c % d.b**2 == 0)
    d.i, d.j, d.o = d.h * d.b, d.w * d.b, d.c // d.b**2


def space_to_depth(d):
    d.b = d.one_of(2, 2, 3)
    require(d.h % d.b == 0 and d.w % d.b == 0)
    d.i, d.j, d.o = d.h // d.b, d.w // d.b, d.c * d.b**2


def tile(d):
    d.times = [d.one_of(1, 1, 2, 3) for _ in d.r]
    d.s = tuple(size * times for size, times in zip(d.r, d.times, strict=True))


def expand(d):
    ones = [i for i, size in enumerate(d.r) if size == 1]
    d.s = list(d.r)
    d.s[d.one_of(*ones)] = d.pick(2, 5)
    d.s = tuple(d.s)


def unsqueeze(d):
    require(len(d.x.shape) < 5)
    d.axis = d.pick(1, len(d.x.shape))
    d.s = (*d.r[: d.axis - 1], 1, *d.r[d.axis - 1 :])


def squeeze(d):
    d.axis = d.one_of(*[i + 1 for i, size in enumerate(d.r) if size == 1])
    d.s = d.r[: d.axis - 1] + d.r[d.axis :]


def flatten_all(d):
    d.m = int(np.prod(d.r))
    d.program.may_be_dynamic = False


def permute(d):
    """All but the batch."""
    require(len(d.r) > 1)
    order = d.rng.permutation(len(d.r)).tolist()
    d.s, d.order = tuple(d.r[i] for i in order), [0, *[i + 1 for i in order]]


def gather(d):
    inner_axis(d)
    d.index = [d.pick(-d.size, d.size - 1) for _ in range(d.pick(1, 5))]
    d.s = tuple(len(d.index) if i + 1 == d.axis else size for i, size in enumerate(d.r))


def slice_by_steps(d):
    inner_axis(d)
    d.step = d.one_of(1, 1, 2, 3, -1, -2)
    d.first, d.last = d.pick(-d.size, d.size + 1), d.pick(-d.size - 1, d.size + 1)
    taken = len(range(d.size)[d.first : d.last : d.step])
    require(taken and not (d.step < 0 and d.first > d.size - 1))
    d.s = tuple(taken if i + 1 == d.axis else size for i, size in enumerate(d.r))


def split_apart(d):
    require(len(d.r) > 0)
    d.a = d.pick(1, d.c - 1)
    d.b = d.c - d.a


def places_of_all(d):
    """Constant ones for each element: of a batch of this size."""
    inner_axis(d)
    d.index = d.rng.integers(-d.size, d.size, d.x.shape)
    d.program.may_be_dynamic = False


def scatter(d):
    inner_axis(d)
    count = d.pick(1, d.size)
    shape = (*d.x.shape[: d.axis], count, *d.x.shape[d.axis + 1 :])
    places = d.rng.permutation(d.size)[:count].reshape(
        [-1 if i == d.axis else 1 for i in range(len(shape))]
    )
    d.index = np.broadcast_to(places, shape).copy()
    d.updates = np.float32(d.rng.choice([-1.0, 0.0, 1.0], shape))
    d.program.may_be_dynamic = False


def places_of_leading(d):
    """Of the first two dimensions."""
    require(len(d.r) > 0)
    d.index = np.stack(
        [d.rng.permutation(d.n * d.m)[: d.n] // d.m, d.rng.integers(0, d.m, d.n)], -1
    )
    d.updates = np.float32(d.rng.choice([-1.0, 0.0, 1.0], (d.n, *d.r)))
    pairs = {tuple(pair) for pair in d.index.tolist()}
    require(len(pairs) == d.n)
    d.program.may_be_dynamic = False


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


def convolve_transposed(d):
    convolve(d)
    d.g = d.one_of(1, 1, *[g for g in (2, d.c) if d.c % g == 0])
    d.k = d.one_of(1, 2, 8, 16) if d.g > 1 else d.o
    d.o = d.k * d.g
    require(d.o <= 130)
    d.more = [d.pick(0, d.s - 1), d.pick(0, d.t - 1)]
    d.i = d.s * (d.h - 1) + d.e * (d.p - 1) + 1 - d.pads[0] - d.pads[2] + d.more[0]
    d.j = d.t * (d.w - 1) + d.l * (d.q - 1) + 1 - d.pads[1] - d.pads[3] + d.more[1]
    require(d.i > 0 and d.j > 0)


def convolve_line(d):
    d.h = d.w
    convolve(d)
    require(d.w + d.pads[1] + d.pads[3] >= d.l * (d.q - 1) + 1)
    d.j = (d.w + d.pads[1] + d.pads[3] - d.l * (d.q - 1) - 1) // d.t + 1


def average_padded(d):
    pool_padded(d)
    d.e = d.l = 1
    top, left, bottom, right = d.pads
    d.i = (d.h + top + bottom - d.p) // d.s + 1
    d.j = (d.w + left + right - d.q) // d.t + 1
    require(top < d.p and bottom < d.p and left < d.q and right < d.q)
    d.counted = d.pick(0, 1)
    require(not d.exact or d.p * d.q in (1, 2, 4) and (d.counted or not any(d.pads)))


def pool_with_pads(d):
    """ONNX Runtime takes none of a window's size, even where that is dilated."""
    pool_padded(d)
    top, left, bottom, right = d.pads
    require(max(top, bottom) < d.p and max(left, right) < d.q)


def pool_by_ceil(d):
    """The last window may begin in the image and end behind it."""
    d.p, d.q = d.one_of((2, 2), (3, 3), (2, 3))
    d.s, d.t = d.one_of((2, 2), (3, 3), (2, 1))
    require(d.h >= d.p and d.w >= d.q)
    d.i, d.j = -(-(d.h - d.p) // d.s) + 1, -(-(d.w - d.q) // d.t) + 1
    require((d.i - 1) * d.s < d.h and (d.j - 1) * d.t < d.w)


def average_image(d):
    require(not d.exact or d.h * d.w in (1, 2, 4, 8, 16, 32))


def pad_by_elements(d):
    d.pads = [d.pick(0, min(2, d.h - 1)), d.pick(0, min(2, d.w - 1)), 0, 0]
    d.pads[2:] = d.pick(0, min(2, d.h - 1)), d.pick(0, min(2, d.w - 1))
    require(any(d.pads))
    d.mode = d.one_of("reflect", "edge")
    d.i, d.j = d.h + d.pads[0] + d.pads[2], d.w + d.pads[1] + d.pads[3]


def scale_of_codes(d):
    d.scale = d.one_of(0.125, 0.25, 0.5) if d.exact else d.one_of(0.1, 0.25, 0.037)
    d.scale, d.zero = np.float32(d.scale), d.one_of(0, 0, 128, 7)
    d.type = np.uint8


def scale_of_signed(d):
    scale_of_codes(d)
    d.zero, d.type = d.one_of(0, 0, -3, 11), np.int8


def of_all_samples(d):
    """Not each by itself."""
    d.program.may_be_dynamic = False


def scales_of_channels(d):
    require(len(d.r) > 0)
    d.scale = d.rng.choice([0.125, 0.25, 0.5] if d.exact else [0.1, 0.25, 0.037], d.c)
    d.scale, d.zero = np.float32(d.scale), np.uint8(d.rng.choice([0, 128, 7], d.c))


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


def one_of_codes(d):
    two_of_codes(d)
    d.zeros[0] = d.zeros[0]


def concatenate_codes(d):
    two_of_codes(d)
    d.m = d.c + d.k


def pool_line(d):
    d.q, d.t = d.one_of(2, 3), d.one_of(1, 2, 3)
    require(d.w >= d.q)
    d.j = (d.w - d.q) // d.t + 1


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


CONV = "strides=[s, t], dilations=[e, l], pads=pads"
SMOOTH = (
    "Atan(x)", "Cos(x)", "Sin(x)", "Erf(x)", "Exp(Min(x, 3.0))", "Tanh(x)", "Sigmoid(x)",
    "Softplus(x)", "Elu(x)", "Elu(x, alpha=0.5)", "Selu(x)", "Gelu(x)",
    "Gelu(x, approximate='tanh')", "HardSwish(x)", "HardSigmoid(x)", "LeakyRelu(x)", "Celu(x)",
    "Mish(x)", "Softsign(x)", "Log(Add(Abs(x), 0.5))", "Sqrt(Abs(x))",
    "Reciprocal(Add(Abs(x), 0.5))", "Tan(Clip(x, -1.0, 1.0))", "Pow(Abs(x), 1.5)",
    "Pow(Abs(x), 0.5)",
)  # fmt: skip
MICROSOFT = "com.microsoft"
QONNX = "qonnx.custom_op.general"


def of_codes(op, *operands):
    """A call of an operator of ONNX Runtime's own domain."""
    return f"node('{op}', {', '.join(operands)}, domain='{MICROSOFT}')"


FIRST, SECOND, RESULT = "scales[0], zeros[0]", "scales[1], zeros[1]", "scales[2], zeros[2]"

ROWS = [
    # Products.
    row(
        "conv_2d_biased",
        "x: image[n,h,w,c], f: filter[o,p,q,k], b: vector[o] -> image[n,i,j,o]",
        convolve,
        "(x * f).sum(p * q * k) + b",
        weight=2,
        onnx=f"Conv(x, f.by('okpq'), b, {CONV})",
    ),
    row(
        "conv_2d_same",
        "x: image[n,h,w,c], f: filter[o,p,q,k] -> image[n,i,j,o]",
        convolve_same,
        "(x * f).sum(p * q * k)",
        weight=0.5,
        onnx="Conv(x, f.by('okpq'), auto_pad=mode, strides=[s, t])",
    ),
    row(
        "conv_1d",
        "x: f32[n,c,w], f: filter[o,c,q] -> f32[n,o,j]",
        convolve_line,
        "(x * f).sum(c * q)",
        onnx="Conv(x, f, strides=[t], dilations=[l], pads=[pads[1], pads[3]])",
    ),
    row(
        "conv_transpose",
        "x: image[n,h,w,c], f: filter[c,k,p,q] -> image[n,i,j,o]",
        convolve_transposed,
        "(x * f).sum(p * q * c)",
        onnx=f"ConvTranspose(x, f, group=g, output_padding=more, {CONV})",
    ),
    row(
        "gemm",
        "x: f32[n,k], f: filter[o,k], b: vector[o] -> f32[n,o]",
        features,
        "(x * f).sum(k) * Exact(4, 1) + b * Exact(1, 1)",
        weight=2,
        onnx=[
            "Gemm(x, f, b, transB=1)",
            "Gemm(x, f.by('ko'), b, beta=0.5)",
            "Gemm(x, f, b, transB=1, alpha=0.5)",
            "Gemm(x, f, transB=1, alpha=2.0)",
        ],
    ),
    row(
        "matmul_of_places",
        "x: f32[n,m,k], f: filter[o,k] -> f32[n,m,o]",
        features,
        "(x * f).sum(k)",
        onnx=["MatMul(x, f.by('ko'))", "Einsum(x, f, equation='nmk,ok->nmo')"],
    ),
    row(
        "matmul_of_values",
        "x: f32[n,m,k], z: f32[n,o,k] -> f32[n,m,o]",
        None,
        "(x * z).sum(k)",
        onnx=[
            "MatMul(x, Transpose(z, perm=[0, 2, 1]))",
            "Einsum(x, z, equation='nmk,nok->nmo')",
        ],
    ),
    # Pools and what is computed over dimensions.
    row(
        "max_pool_padded",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pool_with_pads,
        "x",
        onnx=f"MaxPool(x, kernel_shape=[p, q], {CONV})",
    ),
    row(
        "max_pool_by_ceil",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pool_by_ceil,
        "x",
        weight=0.5,
        onnx="MaxPool(x, kernel_shape=[p, q], strides=[s, t], ceil_mode=1)",
    ),
    row(
        "max_pool_1d",
        "x: f32[n,c,w] -> f32[n,c,j]",
        pool_line,
        "x",
        weight=0.5,
        onnx="MaxPool(x, kernel_shape=[q], strides=[t])",
    ),
    row(
        "average_pool_padded",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        average_padded,
        "x.sum(p * q) * Exact(1, 2)",
        onnx="AveragePool(x, kernel_shape=[p, q], strides=[s, t], pads=pads,"
        " count_include_pad=counted)",
    ),
    row(
        "global_average_pool",
        "x: image[n,h,w,c] -> image[n,1,1,c]",
        average_image,
        "x.sum(h * w) * Exact(1, 5)",
        onnx=["GlobalAveragePool(x)", "reduce('ReduceMean', x, (2, 3), keepdims=1)"],
    ),
    row(
        "global_max_pool",
        "x: image[n,h,w,c] -> image[n,1,1,c]",
        None,
        "x",
        weight=0.5,
        onnx="GlobalMaxPool(x)",
    ),
    row(
        "reduce_sum",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        "x.sum(m)",
        onnx=[f"reduce('{op}', x, axes, keep)" for op in ("ReduceSum", "ReduceL1")],
    ),
    row(
        "reduce_choice",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        "x",
        onnx=[f"reduce('{op}', x, axes, keep)" for op in ("ReduceMax", "ReduceMin")],
    ),
    row(
        "reduce_squares",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        "(x * x).sum(m)",
        weight=0.5,
        onnx="reduce('ReduceSumSquare', x, axes, keep)",
    ),
    row(
        "reduce_mean",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_exactly,
        "x.sum(m) * Exact(1, 6)",
        onnx="reduce('ReduceMean', x, axes, keep)",
    ),
    row(
        "reduce_smoothly",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        onnx=[
            "reduce('ReduceL2', x, axes, keep)",
            "reduce('ReduceLogSum', Add(Abs(x), 0.5), axes, keep)",
            "reduce('ReduceLogSumExp', x, axes, keep)",
            "reduce('ReduceProd', Clip(x, -1.0, 1.0), axes, keep)",
        ],
    ),
    row(
        "softmax",
        "x: f32[n,*r] -> f32[n,*r]",
        of_several_dimensions,
        onnx=["Softmax(x, axis=axis)", "LogSoftmax(x, axis=axis)"],
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
        "batch_norm",
        "x: f32[n,c,*r], a: vector[c], b: vector[c], m: vector[c] -> f32[n,c,*r]",
        normalize,
        "(x + m) * a * Exact(4, 1) + b",
        weight=3,
        onnx="BatchNormalization(x, a, b, m, deviations, epsilon=epsilon)",
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
    row(
        "layer_norm",
        "x: f32[*r,c], a: vector[c], b: vector[c] -> f32[*r,c]",
        normalize_last,
        onnx=["LayerNormalization(x, a, b)", "LayerNormalization(x, a)"],
    ),
    # Of each element.
    row("choose", "x: f32[*r] -> f32[*r]", None, "x", onnx=["Abs(x)", "Neg(x)", "Relu(x)"]),
    row(
        "round",
        "x: f32[*r] -> f32[*r]",
        None,
        "x.rounded()",
        weight=0.5,
        onnx=["Round(x)", "Floor(x)", "Ceil(x)"],
    ),
    row("smooth", "x: f32[*r] -> f32[*r]", None, weight=2, onnx=SMOOTH),
    row(
        "leaky",
        "x: f32[*r] -> f32[*r]",
        None,
        "x | x * Exact(1, 2) + Exact(1, 1)",
        onnx=["LeakyRelu(x, alpha=0.25)", "HardSigmoid(x, alpha=0.25)"],
    ),
    row(
        "clip",
        "x: f32[*r] -> f32[*r]",
        None,
        "x | Exact(12, 1)",
        onnx=[
            "Clip(x, -1.0, 1.0)",
            "Clip(x, 0.0, 6.0)",
            "Clip(x, -0.5)",
            "Clip(x, None, 0.5)",
            "Clip(x, 0.0)",
        ],
    ),
    row(
        "prelu",
        "x: image[n,h,w,c], a: vector[c] -> image[n,h,w,c]",
        None,
        "x | x * a",
        onnx="PRelu(x, Reshape(a, [c, 1, 1]))",
    ),
    row(
        "of_several",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "x + z + x",
        onnx=["Sum(x, z, x)", "Max(x, z, Neg(x))", "Min(x, z)", "Mean(x, z)", "Sub(x, z)"],
    ),
    row("square", "x: f32[*r] -> f32[*r]", None, "x * x", weight=0.5, onnx="Pow(x, 2.0)"),
    row(
        "remainder",
        "x: f32[*r] -> f32[*r]",
        None,
        "x | Exact(1, 1)",
        weight=0.5,
        onnx=["Mod(x, 0.5, fmod=1)", "Mod(x, 1.5, fmod=1)"],
    ),
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
    # Bits and integers.
    row(
        "compare",
        "x: f32[*r], z: f32[*r] -> i1[*r]",
        None,
        "Exact(1)",
        onnx=[
            f"{op}(x, {z})"
            for op in ("Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Equal")
            for z in ("z", "0.25", "0.0")
        ],
    ),
    row(
        "test",
        "x: f32[*r] -> i1[*r]",
        None,
        "Exact(1)",
        weight=0.5,
        onnx=[
            "IsNaN(Sqrt(x))",
            "IsInf(Reciprocal(x))",
            "IsInf(Reciprocal(Abs(x)), detect_negative=0)",
            "Cast(x, to=9)",
        ],
    ),
    row(
        "logic",
        "x: i1[*r], z: i1[*r] -> i1[*r]",
        None,
        "Exact(1)",
        onnx=["And(x, z)", "Or(x, z)", "Xor(x, z)", "Not(x)", "Equal(x, z)"],
    ),
    row(
        "where",
        "b: i1[*r], x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "x | z | Exact(1)",
        onnx=["Where(b, x, z)", "Where(b, x, 0.0)", "Where(b, 1.0, z)"],
    ),
    row(
        "number_of_bit",
        "b: i1[*r] -> f32[*r]",
        None,
        "Exact(1)",
        onnx=["Cast(b, to=1)", "CastLike(b, np.float32(0))", "Where(b, 1.0, -1.0)"],
    ),
    row(
        "integer_of_float",
        "x: f32[*r] -> i32[*r]",
        None,
        "x.rounded() | Exact(100)",
        onnx=["Cast(Clip(x, -100.0, 100.0), to=6)", "Cast(Clip(Round(x), -9.0, 9.0), to=6)"],
    ),
    row(
        "float_of_integer",
        "x: i32[*r] -> f32[*r]",
        None,
        "x",
        weight=8,
        onnx="Cast(x, to=1)",
    ),
    row("float_of_place", "x: i64[*r] -> f32[*r]", None, "x", onnx="Cast(x, to=1)"),
    row(
        "arithmetic_of_integers",
        "x: i32[*r], z: i32[*r] -> i32[*r]",
        None,
        "x * z + x + z",
        weight=8,
        onnx=[
            "Add(x, z)",
            "Sub(x, z)",
            "Mul(x, z)",
            "Max(x, z)",
            "Min(x, z)",
            "Neg(x)",
            "Abs(x)",
            "Sign(x)",
            "Div(x, np.int32(3))",
            "Mod(x, np.int32(5))",
            "Mod(x, np.int32(5), fmod=1)",
            "Clip(x, np.int32(-7), np.int32(9))",
            "Where(Greater(x, z), x, z)",
        ],
    ),  # fmt: skip
    # Places.
    row(
        "place_of_extreme",
        "x: f32[n,*r] -> i64[n,*s]",
        reduce_one,
        "Exact(size)",
        onnx=[
            f"{op}(x, axis=axis, keepdims=keep, select_last_index=last)"
            for op in ("ArgMax", "ArgMin")
        ],
    ),
    row(
        "one_hot",
        "x: i64[*r] -> f32[*r,m]",
        one_hot,
        "Exact(2)",
        onnx="OneHot(x, m, np.float32([-1, 2]))",
    ),
    row(
        "largest",
        "x: f32[*r,c] -> f32[*r,k]",
        take_some,
        "x",
        weight=0.5,
        onnx="TopK(x, [k], largest=largest, outputs=2)[0]",
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
        "gather",
        "x: f32[n,*r] -> f32[n,*s]",
        gather,
        "x",
        onnx="Gather(x, index, axis=axis)",
    ),
    row(
        "gather_elements",
        "x: f32[n,*r] -> f32[n,*r]",
        places_of_all,
        "x",
        weight=0.5,
        onnx="GatherElements(x, index, axis=axis)",
    ),
    row(
        "gather_nd",
        "x: f32[n,m,*r] -> f32[n,*r]",
        places_of_leading,
        "x",
        weight=0.5,
        onnx="GatherND(x, index)",
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
        "resize",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        resize,
        "x",
        onnx="Resize(x, None, np.float32([1, 1, u, v]), mode='nearest', nearest_mode=rule,"
        " coordinate_transformation_mode=places)",
    ),
    row(
        "resize_to_sizes",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        resize_to_sizes,
        "x",
        weight=0.5,
        onnx="Resize(x, None, None, [n, c, i, j], mode='nearest', nearest_mode=rule,"
        " coordinate_transformation_mode=places)",
    ),
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
        "depth_to_space",
        "x: image[n,h,w,c] -> image[n,i,j,o]",
        depth_to_space,
        "x",
        onnx="DepthToSpace(x, blocksize=b, mode=mode)",
    ),
    row(
        "space_to_depth",
        "x: image[n,h,w,c] -> image[n,i,j,o]",
        space_to_depth,
        "x",
        onnx="SpaceToDepth(x, blocksize=b)",
    ),
    row("tile", "x: f32[n,*r] -> f32[n,*s]", tile, "x", weight=0.5, onnx="Tile(x, [1, *times])"),
    row("expand", "x: f32[n,*r] -> f32[n,*s]", expand, "x", onnx="Expand(x, [1, *s])"),
    row("unsqueeze", "x: f32[n,*r] -> f32[n,*s]", unsqueeze, "x", onnx="Unsqueeze(x, [axis])"),
    row("squeeze", "x: f32[n,*r] -> f32[n,*s]", squeeze, "x", onnx="Squeeze(x, [axis])"),
    row(
        "permute",
        "x: f32[n,*r] -> f32[n,*s]",
        permute,
        "x",
        onnx="Transpose(x, perm=order)",
    ),
    row(
        "reshape_as",
        "x: f32[*r] -> f32[*r]",
        None,
        "x",
        weight=0.3,
        onnx=["Reshape(Neg(x), Shape(x))", "Dropout(x)", "Identity(x)"],
    ),
    row(
        "flatten_all",
        "x: f32[*r] -> f32[m]",
        flatten_all,
        "x",
        weight=0.2,
        onnx="Reshape(x, Unsqueeze(Size(x), [0]))",
    ),
    row(
        "slice_by_steps",
        "x: f32[n,*r] -> f32[n,*s]",
        slice_by_steps,
        "x",
        onnx="Slice(x, [first], [last], [axis], [step])",
    ),
    row(
        "split_apart",
        "x: f32[*r,c] -> f32[*r,a]",
        split_apart,
        "x",
        onnx="Split(x, [a, b], axis=-1, outputs=2)[0]",
    ),
    row(
        "pad_by_elements",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pad_by_elements,
        "x",
        weight=0.5,
        onnx="Pad(x, [0, 0, pads[0], pads[1], 0, 0, pads[2], pads[3]], mode=mode)",
    ),
    # Codes.
    row(
        "quantize_linear",
        "x: f32[*r] -> u8[*r]",
        scale_of_codes,
        "Exact(255)",
        weight=3,
        onnx="QuantizeLinear(x, scale, type(zero))",
    ),
    row(
        "quantize_linear_signed",
        "x: f32[*r] -> i8[*r]",
        scale_of_signed,
        "Exact(128)",
        onnx="QuantizeLinear(x, scale, type(zero))",
    ),
    row(
        "quantize_channels",
        "x: f32[n,c,*r] -> u8[n,c,*r]",
        scales_of_channels,
        "Exact(255)",
        weight=0.5,
        onnx="QuantizeLinear(x, scale, zero, axis=1)",
    ),
    row(
        "quantize_dynamically",
        "x: f32[*r] -> u8[*r]",
        of_all_samples,
        weight=0.5,
        onnx="DynamicQuantizeLinear(x, outputs=3)[0]",
    ),
    row(
        "dequantize_linear",
        "x: u8[*r] -> f32[*r]",
        scale_of_codes,
        "x * Exact(8, 3) + Exact(1024, 3)",
        weight=2,
        onnx="DequantizeLinear(x, scale, type(zero))",
    ),
    row(
        "dequantize_linear_signed",
        "x: i8[*r] -> f32[*r]",
        scale_of_signed,
        "x * Exact(8, 3) + Exact(88, 3)",
        weight=2,
        onnx="DequantizeLinear(x, scale, type(zero))",
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
        "moves_of_codes",
        "x: u8[n,*r] -> u8[n,*s]",
        permute,
        "x",
        weight=0.5,
        onnx="Transpose(x, perm=order)",
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
