"""The operations that several frameworks have, and MLIR has not in this form (see grammar.py)."""

import numpy as np

from .grammar import row
from .rows import convolve, features, know_batch, pool_padded
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


def normalize(d):
    """By statistics of which the square root is exact, if it has to be."""
    d.deviations = d.rng.choice([0.25, 1.0, 4.0], d.c) if d.exact else d.rng.uniform(0.1, 2, d.c)
    d.deviations, d.epsilon = np.float32(d.deviations), 0.0 if d.exact else 1e-5


def normalize_last(d):
    require(len(d.r) > 0)


def resize(d):
    d.u, d.v = d.one_of(1, 2, 2, 3, 4), d.one_of(1, 2, 2, 4)
    d.i, d.j = d.h * d.u, d.w * d.v
    d.places = d.one_of("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
    d.rule = d.one_of("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")


def resize_to_sizes(d):
    """Where doubles, as onnx has them, say the same as floats, as ONNX Runtime has them."""
    resize(d)
    d.i, d.j = d.pick(1, 9), d.pick(1, 9)
    for size, out in ((d.h, d.i), (d.w, d.j)):
        floats, doubles = (_nearest(d, size, out, real) for real in (np.float32, np.float64))
        require((floats == doubles).all())
    know_batch(d)


def _nearest(d, size, out, real):
    at, half = np.arange(out, dtype=real), real(0.5)
    if d.places == "asymmetric":
        at = at / (real(out) / real(size))
    elif d.places == "align_corners":
        at = at * real(size - 1) / max(real(out - 1), real(1))
    else:
        at = (at + half) / (real(out) / real(size)) - half
    middle = np.float64(0.5 + 1e-6)
    rules = {
        "floor": np.floor,
        "ceil": np.ceil,
        "round_prefer_floor": lambda x: np.ceil(x - middle),
        "round_prefer_ceil": lambda x: np.floor(x + middle),
    }
    return rules[d.rule](at)


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
    know_batch(d)


def permute(d):
    """All but the batch."""
    require(len(d.r) > 1)
    order = d.rng.permutation(len(d.r)).tolist()
    d.s, d.order = tuple(d.r[i] for i in order), [0, *[i + 1 for i in order]]


def gather(d):
    inner_axis(d)
    d.index = [d.pick(-d.size, d.size - 1) for _ in range(d.pick(1, 5))]
    d.s = tuple(len(d.index) if i + 1 == d.axis else size for i, size in enumerate(d.r))


def split_apart(d):
    require(len(d.r) > 0)
    d.a = d.pick(1, d.c - 1)
    d.b = d.c - d.a


def places_of_all(d):
    """Constant ones for each element: of a batch of this size."""
    inner_axis(d)
    d.index = d.rng.integers(-d.size, d.size, d.x.shape)
    know_batch(d)


def places_of_leading(d):
    """Of the first two dimensions."""
    require(len(d.r) > 0)
    d.index = np.stack(
        [d.rng.permutation(d.n * d.m)[: d.n] // d.m, d.rng.integers(0, d.m, d.n)], -1
    )
    d.updates = np.float32(d.rng.choice([-1.0, 0.0, 1.0], (d.n, *d.r)))
    pairs = {tuple(pair) for pair in d.index.tolist()}
    require(len(pairs) == d.n)
    know_batch(d)


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


def scales_of_channels(d):
    require(len(d.r) > 0)
    d.scale = d.rng.choice([0.125, 0.25, 0.5] if d.exact else [0.1, 0.25, 0.037], d.c)
    d.scale, d.zero = np.float32(d.scale), np.uint8(d.rng.choice([0, 128, 7], d.c))


def pool_line(d):
    d.q, d.t = d.one_of(2, 3), d.one_of(1, 2, 3)
    require(d.w >= d.q)
    d.j = (d.w - d.q) // d.t + 1


CONV = "strides=[s, t], dilations=[e, l], pads=pads"
SMOOTH = (
    "Atan(x)",
    "Cos(x)",
    "Sin(x)",
    "Erf(x)",
    "Exp(Min(x, 3.0))",
    "Tanh(x)",
    "Sigmoid(x)",
    "Softplus(x)",
    "Elu(x)",
    "Elu(x, alpha=0.5)",
    "Selu(x)",
    "Gelu(x)",
    "Gelu(x, approximate='tanh')",
    "HardSwish(x)",
    "HardSigmoid(x)",
    "LeakyRelu(x)",
    "Celu(x)",
    "Mish(x)",
    "Softsign(x)",
    "Log(Add(Abs(x), 0.5))",
    "Sqrt(Abs(x))",
    "Reciprocal(Add(Abs(x), 0.5))",
    "Tan(Clip(x, -1.0, 1.0))",
    "Pow(Abs(x), 1.5)",
    "Pow(Abs(x), 0.5)",
)
SMOOTH_OF_TORCH = (
    "torch.exp(${x}.clamp(max=3.0))", "torch.log(${x}.abs() + 0.5)", "torch.sqrt(${x}.abs())",
    "torch.erf(${x})", "torch.expm1(${x}.clamp(max=3.0))", "torch.log1p(${x}.abs())",
    "torch.log2(${x}.abs() + 0.5)", "torch.exp2(${x}.clamp(max=3.0))", "torch.sin(${x})",
    "torch.cos(${x})", "torch.tan(${x}.clamp(-1.0, 1.0))", "torch.atan(${x})", "torch.tanh(${x})",
    "torch.rsqrt(${x}.abs() + 0.5)", "torch.reciprocal(${x}.abs() + 0.5)", "torch.sigmoid(${x})",
    "F.mish(${x})", "F.elu(${x})", "F.elu(${x}, 0.5)", "F.selu(${x})", "F.celu(${x}, 0.5)",
    "F.gelu(${x})", "F.gelu(${x}, approximate='tanh')", "F.softplus(${x})",
    "F.softplus(${x}, 2.0)", "F.logsigmoid(${x})", "F.silu(${x})", "F.hardswish(${x})",
    "F.hardsigmoid(${x})", "F.softsign(${x})", "F.leaky_relu(${x})", "${x}.abs() ** 1.5",
    "${x}.abs() ** 0.5", "1.5 ** ${x}.clamp(-4.0, 4.0)", "torch.atan2(${x}, ${x}.abs() + 0.5)",
    "(${x}.abs() + 0.5) ** ${x}.clamp(-2.0, 2.0)",
)  # fmt: skip

ROWS = [
    # Products.
    row(
        "conv_2d_biased",
        "x: image[n,h,w,c], f: filter[o,p,q,k], b: vector[o] -> image[n,i,j,o]",
        convolve,
        "(x * f).sum(p * q * k) + b",
        weight=2,
        onnx=f"Conv(x, f.by('okpq'), b, {CONV})",
        torch="${y} = F.conv2d(${padded(x, uneven(pads))}, ${f.by('okpq')}, ${b}, (${s}, ${t}), ${even(pads)}, (${e}, ${l}))",
    ),
    row(
        "conv_1d",
        "x: f32[n,c,w], f: filter[o,c,q] -> f32[n,o,j]",
        convolve_line,
        "(x * f).sum(c * q)",
        onnx="Conv(x, f, strides=[t], dilations=[l], pads=[pads[1], pads[3]])",
        torch=[
            "${y} = F.conv1d(F.pad(${x}, (${pads[1]}, ${pads[3]})), ${f}, None, ${t}, 0, ${l})",
            "${y} = F.conv1d(F.pad(${x}, (${pads[1]}, ${pads[3]})), ${f}, None, ${t}, 'valid', ${l})",
        ],
    ),
    row(
        "conv_transpose",
        "x: image[n,h,w,c], f: filter[c,k,p,q] -> image[n,i,j,o]",
        convolve_transposed,
        "(x * f).sum(p * q * c)",
        onnx=f"ConvTranspose(x, known(f), group=g, output_padding=more, {CONV})",
        torch="${y} = F.conv_transpose2d(${x}, ${known(f)}, None, (${s}, ${t}), ${even(pads)}, ${tuple(more)}, ${g}, (${e}, ${l}))[:, :, ${uneven(pads)[0]}:${uneven(pads)[0] + i}, ${uneven(pads)[1]}:${uneven(pads)[1] + j}]",
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
        torch=[
            "${y} = F.linear(${x}, ${f}, ${b})",
            "${y} = torch.addmm(${b}, ${x}, ${f.by('ko')})",
        ],
    ),
    row(
        "matmul_of_places",
        "x: f32[n,m,k], f: filter[o,k] -> f32[n,m,o]",
        features,
        "(x * f).sum(k)",
        onnx=["MatMul(x, f.by('ko'))", "Einsum(x, f, equation='nmk,ok->nmo')"],
        torch=[
            "${y} = ${x} @ ${f.by('ko')}",
            "${y} = F.linear(${x}, ${f})",
            "${y} = torch.einsum('nmk,ok->nmo', ${x}, ${f})",
        ],
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
        torch=[
            "${y} = ${x} @ ${z}.transpose(1, 2)",
            "${y} = torch.bmm(${x}, ${z}.mT)",
            "${y} = torch.einsum('nmk,nok->nmo', ${x}, ${z})",
        ],
    ),
    # Pools and what is computed over dimensions.
    row(
        "max_pool_padded",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pool_with_pads,
        "x",
        onnx=f"MaxPool(x, kernel_shape=[p, q], {CONV})",
        torch="${y} = F.max_pool2d(${padded(x, pads, '-torch.inf')}, (${p}, ${q}), (${s}, ${t}), 0, (${e}, ${l}))",
    ),
    row(
        "max_pool_by_ceil",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pool_by_ceil,
        "x",
        weight=0.5,
        onnx="MaxPool(x, kernel_shape=[p, q], strides=[s, t], ceil_mode=1)",
        torch="${y} = F.max_pool2d(${x}, (${p}, ${q}), (${s}, ${t}), ceil_mode=True)",
    ),
    row(
        "max_pool_1d",
        "x: f32[n,c,w] -> f32[n,c,j]",
        pool_line,
        "x",
        weight=0.5,
        onnx="MaxPool(x, kernel_shape=[q], strides=[t])",
        torch="${y} = F.max_pool1d(${x}, ${q}, ${t})",
    ),
    row(
        "global_average_pool",
        "x: image[n,h,w,c] -> image[n,1,1,c]",
        average_image,
        "x.sum(h * w) * Exact(1, 5)",
        onnx=["GlobalAveragePool(x)", "reduce('ReduceMean', x, (2, 3), keepdims=1)"],
        torch=[
            "${y} = F.adaptive_avg_pool2d(${x}, 1)",
            "${y} = ${x}.mean((2, 3), True)",
        ],
    ),
    row(
        "global_max_pool",
        "x: image[n,h,w,c] -> image[n,1,1,c]",
        None,
        "x",
        weight=0.5,
        onnx="GlobalMaxPool(x)",
        torch=[
            "${y} = F.adaptive_max_pool2d(${x}, 1)",
            "${y} = ${x}.amax((2, 3), True)",
        ],
    ),
    row(
        "reduce_sum",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        "x.sum(m)",
        onnx=[f"reduce('{op}', x, axes, keep)" for op in ("ReduceSum", "ReduceL1")],
        torch=[
            "${y} = ${x}.sum(${axes}, ${keep == 1})",
            "${y} = torch.linalg.vector_norm(${x}, 1, ${axes}, ${keep == 1})",
        ],
    ),
    row(
        "reduce_choice",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        "x",
        onnx=[f"reduce('{op}', x, axes, keep)" for op in ("ReduceMax", "ReduceMin")],
        torch=[
            "${y} = ${x}.amax(${axes}, ${keep == 1})",
            "${y} = ${x}.amin(${axes}, ${keep == 1})",
            "${y} = torch.linalg.vector_norm(${x}, torch.inf, ${axes}, ${keep == 1})",
        ],
    ),
    row(
        "reduce_squares",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_some,
        "(x * x).sum(m)",
        weight=0.5,
        onnx="reduce('ReduceSumSquare', x, axes, keep)",
        torch="${y} = ${x}.square().sum(${axes}, ${keep == 1})",
    ),
    row(
        "reduce_mean",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_exactly,
        "x.sum(m) * Exact(1, 6)",
        onnx="reduce('ReduceMean', x, axes, keep)",
        torch="${y} = ${x}.mean(${axes}, ${keep == 1})",
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
        torch=[
            "${y} = torch.linalg.vector_norm(${x}, 2, ${axes}, ${keep == 1})",
            "${y} = torch.logsumexp(${x}, ${axes}, ${keep == 1})",
            "${y} = ${x}.std(${axes}, correction=${min(1, m - 1)}, keepdim=${keep == 1})",
            "${y} = ${x}.var(${axes}, correction=0, keepdim=${keep == 1})",
            "${y} = torch.add(*torch.var_mean(${x}, ${axes}, correction=0, keepdim=${keep == 1}))",
        ],
    ),
    row(
        "softmax",
        "x: f32[n,*r] -> f32[n,*r]",
        of_several_dimensions,
        onnx=["Softmax(x, axis=axis)", "LogSoftmax(x, axis=axis)"],
        torch=[
            "${y} = F.softmax(${x}, ${axis})",
            "${y} = F.log_softmax(${x}, ${axis})",
        ],
    ),
    row(
        "batch_norm",
        "x: f32[n,c,*r], a: vector[c], b: vector[c], m: vector[c] -> f32[n,c,*r]",
        normalize,
        "(x + m) * a * Exact(4, 1) + b",
        weight=3,
        onnx="BatchNormalization(x, a, b, m, deviations, epsilon=epsilon)",
        torch="${y} = F.batch_norm(${x}, ${m}, ${buffer(deviations)}, ${a}, ${b}, eps=${epsilon})",
    ),
    row(
        "layer_norm",
        "x: f32[*r,c], a: vector[c], b: vector[c] -> f32[*r,c]",
        normalize_last,
        onnx=["LayerNormalization(x, a, b)", "LayerNormalization(x, a)"],
        torch=[
            "${y} = F.layer_norm(${x}, (${c},), ${a}, ${b})",
            "${y} = F.layer_norm(${x}, (${c},))",
        ],
    ),
    # Of each element.
    row(
        "choose",
        "x: f32[*r] -> f32[*r]",
        None,
        "x",
        onnx=["Abs(x)", "Neg(x)", "Relu(x)"],
        torch=[
            "${y} = ${x}.abs()",
            "${y} = -${x}",
            "${y} = F.relu(${x})",
        ],
    ),
    row(
        "round",
        "x: f32[*r] -> f32[*r]",
        None,
        "x.rounded()",
        weight=0.5,
        onnx=["Round(x)", "Floor(x)", "Ceil(x)"],
        torch=[
            "${y} = ${x}.round()",
            "${y} = ${x}.floor()",
            "${y} = ${x}.ceil()",
            "${y} = ${x}.trunc()",
        ],
    ),
    row(
        "shrink",
        "x: f32[*r] -> f32[*r]",
        None,
        "x | x + Exact(1, 2)",
        weight=0.5,
        onnx=["Shrink(x, lambd=0.75, bias=0.25)", "ThresholdedRelu(x, alpha=0.5)"],
    ),
    row(
        "smooth",
        "x: f32[*r] -> f32[*r]",
        None,
        weight=2,
        onnx=SMOOTH,
        torch=[f"${{y}} = {text}" for text in SMOOTH_OF_TORCH],
    ),
    row(
        "leaky",
        "x: f32[*r] -> f32[*r]",
        None,
        "x | x * Exact(1, 2) + Exact(1, 1)",
        onnx=["LeakyRelu(x, alpha=0.25)", "HardSigmoid(x, alpha=0.25)"],
        torch="${y} = F.leaky_relu(${x}, 0.25)",
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
        torch=[
            "${y} = ${x}.clamp(-1.0, 1.0)",
            "${y} = F.relu6(${x})",
            "${y} = F.hardtanh(${x}, -0.5, 2.0)",
            "${y} = ${x}.clamp(min=-0.5)",
            "${y} = ${x}.clamp_max(0.5)",
            "${y} = ${x}.clamp_min(0.0)",
        ],
    ),
    row(
        "prelu",
        "x: image[n,h,w,c], a: vector[c] -> image[n,h,w,c]",
        None,
        "x | x * a",
        onnx="PRelu(x, Reshape(a, [c, 1, 1]))",
        torch="${y} = F.prelu(${x}, ${a})",
    ),
    row(
        "of_several",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "x + z + x",
        onnx=["Sum(x, z, x)", "Max(x, z, Neg(x))", "Min(x, z)", "Mean(x, z)", "Sub(x, z)"],
        torch=[
            "${y} = ${x} + ${z} + ${x}",
            "${y} = torch.maximum(${x}, -${z})",
            "${y} = torch.max(${x}, ${z})",
            "${y} = torch.min(${x}, ${z})",
            "${y} = torch.add(${z}, ${x}, alpha=2)",
            "${y} = torch.sub(${z}, ${x}, alpha=2)",
            "${y} = torch.rsub(${x}, ${z}, alpha=2)",
        ],
    ),
    row(
        "square",
        "x: f32[*r] -> f32[*r]",
        None,
        "x * x",
        weight=0.5,
        onnx="Pow(x, 2.0)",
        torch=[
            "${y} = ${x} ** 2",
            "${y} = ${x}.square()",
        ],
    ),
    row(
        "remainder",
        "x: f32[*r] -> f32[*r]",
        None,
        "x | Exact(1, 1)",
        weight=0.5,
        onnx=["Mod(x, 0.5, fmod=1)", "Mod(x, 1.5, fmod=1)"],
        torch=[
            "${y} = torch.fmod(${x}, 0.5)",
            "${y} = torch.remainder(${x}, 0.5)",
            "${y} = ${x} % -1.5",
            "${y} = torch.fmod(${x}, torch.full_like(${x}, 1.5))",
            "${y} = torch.remainder(${x}, torch.full_like(${x}, 1.5))",
        ],
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
        torch=[
            f"${{y}} = ${{x}} {op} {z}"
            for op in (">", ">=", "<", "<=", "==", "!=")
            for z in ("${z}", "0.25", "0.0")
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
        torch=[
            "${y} = ${x}.sqrt().isnan()",
            "${y} = ${x}.reciprocal().isinf()",
            "${y} = ${x}.bool()",
        ],
    ),
    row(
        "logic",
        "x: i1[*r], z: i1[*r] -> i1[*r]",
        None,
        "Exact(1)",
        onnx=["And(x, z)", "Or(x, z)", "Xor(x, z)", "Not(x)", "Equal(x, z)"],
        torch=[
            "${y} = ${x} & ${z}",
            "${y} = ${x} | ${z}",
            "${y} = ${x} ^ ${z}",
            "${y} = ~${x}",
            "${y} = torch.logical_and(${x}, ${z})",
            "${y} = torch.logical_or(${x}, ${z})",
            "${y} = torch.logical_xor(${x}, ${z})",
            "${y} = torch.logical_not(${x})",
            "${y} = torch.bitwise_and(${x}, ${z})",
            "${y} = torch.bitwise_or(${x}, ${z})",
            "${y} = torch.bitwise_xor(${x}, ${z})",
            "${y} = ${x} == ${z}",
            "${y} = ${x} != ${z}",
        ],
    ),
    row(
        "where",
        "b: i1[*r], x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "x | z | Exact(1)",
        onnx=["Where(b, x, z)", "Where(b, x, 0.0)", "Where(b, 1.0, z)"],
        torch=[
            "${y} = torch.where(${b}, ${x}, ${z})",
            "${y} = torch.where(${b}, ${x}, 0.0)",
            "${y} = torch.where(${b}, 1.0, ${z})",
            "${y} = ${x}.masked_fill(${b}, 1.0)",
            "${y} = ${x}.masked_fill(${b}, ${buffer(np.float32(0.5))})",
        ],
    ),
    row(
        "number_of_bit",
        "b: i1[*r] -> f32[*r]",
        None,
        "Exact(1)",
        onnx=["Cast(b, to=1)", "CastLike(b, np.float32(0))", "Where(b, 1.0, -1.0)"],
        torch=[
            "${y} = ${b}.float()",
            "${y} = torch.where(${b}, 1.0, -1.0)",
            "${y} = ${b}.type_as(${buffer(np.float32(0))})",
        ],
    ),
    row(
        "integer_of_float",
        "x: f32[*r] -> i32[*r]",
        None,
        "x.rounded() | Exact(100)",
        onnx=["Cast(Clip(x, -100.0, 100.0), to=6)", "Cast(Clip(Round(x), -9.0, 9.0), to=6)"],
        torch=[
            "${y} = ${x}.clamp(-100.0, 100.0).int()",
            "${y} = ${x}.round().clamp(-9.0, 9.0).to(torch.int32)",
        ],
    ),
    row(
        "float_of_integer",
        "x: i32[*r] -> f32[*r]",
        None,
        "x",
        weight=8,
        onnx="Cast(x, to=1)",
        torch=[
            "${y} = ${x}.float()",
            "${y} = ${x} / 2",
        ],
    ),
    row(
        "float_of_place",
        "x: i64[*r] -> f32[*r]",
        None,
        "x",
        onnx="Cast(x, to=1)",
        torch="${y} = ${x}.float()",
    ),
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
        torch=[
            "${y} = ${x} + ${z}",
            "${y} = ${x} - ${z}",
            "${y} = ${x} * ${z}",
            "${y} = torch.maximum(${x}, ${z})",
            "${y} = torch.minimum(${x}, ${z})",
            "${y} = -${x}",
            "${y} = ${x}.abs()",
            "${y} = ${x}.sign()",
            "${y} = F.relu(${x})",
            "${y} = ${x} // 3",
            "${y} = ${x} % 5",
            "${y} = torch.div(${x}, 3, rounding_mode='trunc')",
            "${y} = ${x}.clamp(-7, 9)",
            "${y} = torch.where(${x} > ${z}, ${x}, ${z})",
            "${y} = ${x} & ${z}",
            "${y} = ${x} | 5",
            "${y} = ${x} ^ ${z}",
            "${y} = ~${x}",
        ],
    ),
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
        torch=[
            "${y} = ${x}.argmax(${axis}, ${keep == 1})",
            "${y} = ${x}.argmin(${axis}, ${keep == 1})",
            "${y} = ${x}.max(${axis}, ${keep == 1})[1]",
            "${y} = ${x}.min(${axis}, ${keep == 1})[1]",
        ],
    ),
    row(
        "largest",
        "x: f32[*r,c] -> f32[*r,k]",
        take_some,
        "x",
        weight=0.5,
        onnx="TopK(x, [k], largest=largest, outputs=2)[0]",
        torch=[
            "${y} = ${x}.topk(${k}, largest=${largest == 1})[0]",
            "${y} = ${x}.sort(descending=${largest == 1})[0][..., :${k}]",
        ],
    ),
    row(
        "gather",
        "x: f32[n,*r] -> f32[n,*s]",
        gather,
        "x",
        onnx="Gather(x, index, axis=axis)",
        torch=[
            "${y} = ${x}.index_select(${axis}, ${buffer(np.int64(index) % size)})",
            "${y} = ${x}[${':, ' * axis}${buffer(np.int64(index))}]",
        ],
    ),
    row(
        "gather_elements",
        "x: f32[n,*r] -> f32[n,*r]",
        places_of_all,
        "x",
        weight=0.5,
        onnx="GatherElements(x, index, axis=axis)",
        torch="${y} = ${x}.gather(${axis}, ${buffer(index % size)})",
    ),
    row(
        "gather_nd",
        "x: f32[n,m,*r] -> f32[n,*r]",
        places_of_leading,
        "x",
        weight=0.5,
        onnx="GatherND(x, index)",
        torch="${y} = ${x}[${buffer(index[:, 0])}, ${buffer(index[:, 1])}]",
    ),
    # What moves values.
    row(
        "resize",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        resize,
        "x",
        onnx="Resize(x, None, np.float32([1, 1, u, v]), mode='nearest', nearest_mode=rule,"
        " coordinate_transformation_mode=places)",
        torch=[
            "${y} = F.interpolate(${x}, scale_factor=(${u}, ${v}))",
            "${y} = F.interpolate(${x}, scale_factor=(${u}, ${v}), mode='nearest-exact')",
        ],
    ),
    row(
        "resize_to_sizes",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        resize_to_sizes,
        "x",
        weight=0.5,
        onnx="Resize(x, None, None, [n, c, i, j], mode='nearest', nearest_mode=rule,"
        " coordinate_transformation_mode=places)",
        torch=[
            "${y} = F.interpolate(${x}, (${i}, ${j}))",
            "${y} = F.interpolate(${x}, (${i}, ${j}), mode='nearest-exact')",
        ],
    ),
    row(
        "depth_to_space",
        "x: image[n,h,w,c] -> image[n,i,j,o]",
        depth_to_space,
        "x",
        onnx="DepthToSpace(x, blocksize=b, mode=mode)",
        torch="${y} = F.pixel_shuffle(${x}, ${b})",
    ),
    row(
        "space_to_depth",
        "x: image[n,h,w,c] -> image[n,i,j,o]",
        space_to_depth,
        "x",
        onnx="SpaceToDepth(x, blocksize=b)",
        torch="${y} = F.pixel_unshuffle(${x}, ${b})",
    ),
    row(
        "tile",
        "x: f32[n,*r] -> f32[n,*s]",
        tile,
        "x",
        weight=0.5,
        onnx="Tile(x, [1, *times])",
        torch="${y} = ${x}.repeat(${[1, *times]})",
    ),
    row(
        "expand",
        "x: f32[n,*r] -> f32[n,*s]",
        expand,
        "x",
        onnx="Expand(x, [1, *s])",
        torch=[
            "${y} = ${x}.expand(-1, ${', '.join(map(str, s))})",
            "${y} = ${x}.broadcast_to((${shape}))",
        ],
    ),
    row(
        "unsqueeze",
        "x: f32[n,*r] -> f32[n,*s]",
        unsqueeze,
        "x",
        onnx="Unsqueeze(x, [axis])",
        torch="${y} = ${x}.unsqueeze(${axis})",
    ),
    row(
        "squeeze",
        "x: f32[n,*r] -> f32[n,*s]",
        squeeze,
        "x",
        onnx="Squeeze(x, [axis])",
        torch=[
            "${y} = ${x}.squeeze(${axis})",
            "${y} = ${x}.squeeze((${axis},))",
        ],
    ),
    row(
        "permute",
        "x: f32[n,*r] -> f32[n,*s]",
        permute,
        "x",
        onnx="Transpose(x, perm=order)",
        torch="${y} = ${x}.permute(${order})",
    ),
    row(
        "reshape_as",
        "x: f32[*r] -> f32[*r]",
        None,
        "x",
        weight=0.3,
        onnx=["Reshape(Neg(x), Shape(x))", "Dropout(x)", "Identity(x)"],
        torch=[
            "${y} = (-${x}).view_as(${x})",
            "${y} = F.dropout(${x}, training=False)",
            "${y} = torch.feature_dropout(${x}, 0.5, False)",
            "${y} = ${x}.contiguous()",
            "${y} = ${x}.clone()",
            "${y} = ${x}.detach()",
        ],
    ),
    row(
        "flatten_all",
        "x: f32[*r] -> f32[m]",
        flatten_all,
        "x",
        weight=0.2,
        onnx="Reshape(x, Unsqueeze(Size(x), [0]))",
        torch="${y} = ${x}.reshape(-1)",
    ),
    row(
        "split_apart",
        "x: f32[*r,c] -> f32[*r,a]",
        split_apart,
        "x",
        onnx="Split(x, [a, b], axis=-1, outputs=2)[0]",
        torch=[
            "${y} = ${x}.split([${a}, ${b}], -1)[0]",
            "${y} = ${x}.tensor_split([${a}], -1)[0]",
        ],
    ),
    row(
        "pad_by_elements",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pad_by_elements,
        "x",
        weight=0.5,
        onnx="Pad(x, [0, 0, pads[0], pads[1], 0, 0, pads[2], pads[3]], mode=mode)",
        torch="${y} = F.pad(${x}, (${pads[1]}, ${pads[3]}, ${pads[0]}, ${pads[2]}), '${mode.replace('edge', 'replicate')}')",
    ),
    # Codes.
    row(
        "quantize_linear",
        "x: f32[*r] -> u8[*r]",
        scale_of_codes,
        "Exact(255)",
        weight=3,
        onnx="QuantizeLinear(x, scale, type(zero))",
        torch="${y} = quantized_decomposed.quantize_per_tensor(${x}, ${scale}, ${zero}, 0, 255, torch.uint8)",
    ),
    row(
        "quantize_linear_signed",
        "x: f32[*r] -> i8[*r]",
        scale_of_signed,
        "Exact(128)",
        onnx="QuantizeLinear(x, scale, type(zero))",
        torch=[
            "${y} = quantized_decomposed.quantize_per_tensor(${x}, ${scale}, ${zero}, -128, 127, torch.int8)",
            "${y} = quantized_decomposed.quantize_per_tensor.tensor(${x}, ${buffer(scale)}, ${buffer(np.int64(zero))}, -128, 127, torch.int8)",
        ],
    ),
    row(
        "quantize_channels",
        "x: f32[n,c,*r] -> u8[n,c,*r]",
        scales_of_channels,
        "Exact(255)",
        weight=0.5,
        onnx="QuantizeLinear(x, scale, zero, axis=1)",
        torch="${y} = quantized_decomposed.quantize_per_channel(${x}, ${buffer(scale)}, ${buffer(np.int64(zero))}, 1, 0, 255, torch.uint8)",
    ),
    row(
        "dequantize_linear",
        "x: u8[*r] -> f32[*r]",
        scale_of_codes,
        "x * Exact(8, 3) + Exact(1024, 3)",
        weight=2,
        onnx="DequantizeLinear(x, scale, type(zero))",
        torch="${y} = quantized_decomposed.dequantize_per_tensor(${x}, ${scale}, ${zero}, 0, 255, torch.uint8)",
    ),
    row(
        "dequantize_linear_signed",
        "x: i8[*r] -> f32[*r]",
        scale_of_signed,
        "x * Exact(8, 3) + Exact(88, 3)",
        weight=2,
        onnx="DequantizeLinear(x, scale, type(zero))",
        torch=[
            "${y} = quantized_decomposed.dequantize_per_tensor(${x}, ${scale}, ${zero}, -128, 127, torch.int8)",
            "${y} = quantized_decomposed.dequantize_per_tensor.tensor(${x}, ${buffer(scale)}, ${buffer(np.int64(zero))}, -128, 127, torch.int8)",
        ],
    ),
    row(
        "moves_of_codes",
        "x: u8[n,*r] -> u8[n,*s]",
        permute,
        "x",
        weight=0.5,
        onnx="Transpose(x, perm=order)",
        torch="${y} = ${x}.permute(${order})",
    ),
]
