"""The operations that only PyTorch has, or that it has in more ways than others (see grammar.py)."""

import numpy as np

from .framework_rows import (
    average_image,
    inner_axis,
    reduce_one,
    reduce_some,
    resize,
    scale_of_codes,
    take_some,
)
from .grammar import row
from .rows import convolve, features, know_batch
from .values import require

# What is drawn.


def convolve_same(d):
    convolve(d)
    d.s = d.t = 1
    d.i, d.j = d.h, d.w


def divide_image(d):
    """Into windows of one size."""
    d.i = d.one_of(*[i for i in range(1, d.h + 1) if d.h % i == 0])
    d.j = d.one_of(*[j for j in range(1, d.w + 1) if d.w % j == 0])


def average_of_divided(d):
    divide_image(d)
    require(not d.exact or d.h * d.w // (d.i * d.j) in (1, 2, 4, 8, 16))


def pad_evenly(d):
    """Alike on both sides, by half a window at most."""
    d.p, d.q = d.one_of((2, 2), (3, 3), (1, 2), (3, 2), (4, 4))
    d.s, d.t = d.one_of((1, 1), (2, 2), (2, 1), (1, 3))
    d.pads = d.pick(0, d.p // 2), d.pick(0, d.q // 2)
    rows, columns = d.h + 2 * d.pads[0] - d.p, d.w + 2 * d.pads[1] - d.q
    require(rows >= 0 and columns >= 0)
    d.i, d.j = rows // d.s + 1, columns // d.t + 1


def average_evenly(d):
    """`divisor` is None or what sums are divided by."""
    pad_evenly(d)
    d.counted, d.divisor = d.chance(0.5), d.one_of(None, None, 2, 4)
    counts = d.p * d.q if d.counted or not any(d.pads) else 0
    require(not d.exact or d.divisor or counts in (1, 2, 4, 16))


def reduce_bits(d):
    reduce_some(d)
    d.axis = d.axes[0]


def reduce_all(d):
    d.m = int(np.prod(d.r))
    know_batch(d)


def reduce_all_exactly(d):
    reduce_all(d)
    require(not d.exact or d.m in (1, 2, 4, 8, 16, 32, 64))


def several_in_each_group(d):
    groups = [g for g in range(1, d.c + 1) if d.c % g == 0 and d.c // g * d.h * d.w > 1]
    d.g = d.one_of(*groups)


def several_in_each_channel(d):
    """Torch repeats weights for each sample of a batch that it knows."""
    require(d.h * d.w > 1)
    know_batch(d)


def assign(d):
    """To a part of one dimension."""
    inner_axis(d)
    d.first = d.pick(0, d.size - 1)
    d.last, d.step = d.pick(d.first + 1, d.size), d.one_of(1, 1, 2)
    d.index = d.rng.permutation(d.size)[: d.pick(1, d.size)]
    d.at = ":, " * d.axis


def take_part(d):
    inner_axis(d)
    d.first, d.step = d.pick(0, d.size - 1), d.one_of(1, 1, 2, 3)
    d.last = d.pick(d.first + 1, d.size)
    taken = len(range(d.first, d.last, d.step))
    d.s = tuple(taken if i + 1 == d.axis else size for i, size in enumerate(d.r))
    d.at = ":, " * d.axis


def take_one(d):
    inner_axis(d)
    d.first = d.pick(-d.size, d.size - 1)
    d.s = d.r[: d.axis - 1] + d.r[d.axis :]
    d.at = ":, " * d.axis


def take_first_of_several(d):
    inner_axis(d)
    d.k = d.pick(1, d.size)
    d.parts = -(-d.size // d.k)
    d.s = tuple(d.k if i + 1 == d.axis else size for i, size in enumerate(d.r))


def exchange(d):
    """Two dimensions."""
    require(len(d.r) > 1)
    d.a, d.b = d.one_of((1, 2), (2, 1), (-1, 1), (1, len(d.r)))
    shape = list(d.x.shape)
    shape[d.a], shape[d.b] = shape[d.b], shape[d.a]
    d.s = tuple(shape[1:])


def move(d):
    """One dimension to another place."""
    require(len(d.r) > 1)
    d.a, d.b = d.pick(1, len(d.r)), d.pick(1, len(d.r))
    shape = list(d.x.shape)
    shape.insert(d.b, shape.pop(d.a))
    d.s = tuple(shape[1:])


def turn(d):
    inner_axis(d)
    d.shift = d.pick(-3, 3)


def windows(d):
    """Along a dimension, as a new last one; they may overlap or leave some out."""
    require(len(d.r) < 4)
    d.axis = d.pick(1, len(d.r))
    size = d.r[d.axis - 1]
    d.window, d.step = d.pick(1, min(size, 4)), d.pick(1, 3)
    count = (size - d.window) // d.step + 1
    d.s = (*d.r[: d.axis - 1], count, *d.r[d.axis :], d.window)


def squeeze_all(d):
    """Of a batch that is known, and not one sample."""
    require(d.n > 1 and 1 in d.r)
    d.s = tuple(size for size in d.r if size != 1)
    know_batch(d)


def stack(d):
    require(len(d.r) < 4)
    d.axis = d.pick(1, len(d.r) + 1)
    d.s = (*d.r[: d.axis - 1], 2, *d.r[d.axis - 1 :])


def resize_linearly(d):
    """Where numbers are exact, in quarters and eighths."""
    resize(d)
    d.corners = not d.exact and d.chance(0.5)
    require(not d.exact or d.u != 3)


def resize_line(d):
    d.u = d.one_of(1, 2, 4) if d.exact else d.one_of(1, 2, 3, 4)
    d.j = d.w * d.u


def classes(d):
    require(len(d.r) < 4)
    d.m = d.pick(1, 6)


def bounds(d):
    d.m, d.right = d.pick(1, 9), d.chance(0.5)


def vocabulary(d):
    require(len(d.r) < 4)
    d.m, d.k = d.pick(1, 9), d.pick(1, 9)


def fake_codes(d):
    """Which torch does not export with a batch of any size."""
    know_batch(d)
    scale_of_codes(d)
    d.low, d.high = d.one_of((0, 255), (0, 15), (0, 3), (0, 1))
    d.zero = d.zero % (d.high + 1)


def fake_codes_of_channels(d):
    fake_codes(d)
    d.scale = np.float32(d.rng.choice([0.125, 0.25, 0.5] if d.exact else [0.1, 0.25, 0.037], d.c))
    d.zero = np.int32(d.rng.integers(0, d.high + 1, d.c))


def online_scheme(d):
    """Scalars of each sample by itself."""
    d.scheme = d.one_of("ls-1", "ls-2", "ls-T", "gf-2", "gf-3")
    require(len(d.r) > 0)


def ranks(d):
    d.planes = d.pick(1, 3)
    d.a, d.m, d.v = d.planes, 2**d.planes - 1, d.planes
    d.codes = np.int64(d.rng.integers(0, d.m + 1, d.m + 1))


def convolve_by_bytes(d):
    convolve(d)
    require(not any(d.pads))


SCALARS = ("add", "sub", "rsub", "mul", "div")

ROWS = [
    # Products.
    row(
        "conv_2d_same",
        "x: image[n,h,w,c], f: filter[o,p,q,k] -> image[n,i,j,o]",
        convolve_same,
        "(x * f).sum(p * q * k)",
        weight=0.5,
        torch="${y} = F.conv2d(${x}, ${f.by('okpq')}, None, 1, 'same', (${e}, ${l}))",
    ),
    row(
        "product_of_bytes",
        "x: i8[n,k], f: bytes[k,o] -> i32[n,o]",
        features,
        "(x * f).sum(k)",
        torch="${y} = torch._int_mm(${x}, ${f})",
    ),
    row(
        "conv_2d_of_bytes",
        "x: image[n,h,w,c], f: bytes[o,p,q,k], v: positive[o] -> image[n,i,j,o]",
        convolve_by_bytes,
        "(x * f * v).sum(p * q * k)",
        weight=0.5,
        torch="${y} = F.conv2d(${x}, quantized_decomposed.dequantize_per_channel(${buffer(np.int8(f.value.array).transpose(0, 3, 1, 2))}, ${v}, torch.zeros_like(${v}), 0, -128, 127, torch.int8), None, (${s}, ${t}), 0, (${e}, ${l}))",
    ),
    # Pools and what is computed over dimensions.
    row(
        "average_pool",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        average_evenly,
        "x.sum(p * q) * Exact(1, 4)",
        torch="${y} = F.avg_pool2d(${x}, (${p}, ${q}), (${s}, ${t}), ${pads}, False, ${counted}, ${divisor})",
    ),
    row(
        "max_pool_evenly",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pad_evenly,
        "x",
        torch="${y} = F.max_pool2d(${x}, (${p}, ${q}), (${s}, ${t}), ${pads})",
    ),
    row(
        "average_of_divided",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        average_of_divided,
        "x.sum(h * w) * Exact(1, 4)",
        weight=0.5,
        torch="${y} = F.adaptive_avg_pool2d(${x}, (${i}, ${j}))",
    ),
    row(
        "largest_of_divided",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        divide_image,
        "x",
        weight=0.5,
        torch="${y} = F.adaptive_max_pool2d(${x}, (${i}, ${j}))",
    ),
    row(
        "mean_of_image",
        "x: image[n,h,w,c] -> f32[n,c]",
        average_image,
        "x.sum(h * w) * Exact(1, 5)",
        torch="${y} = ${x}.mean((2, 3))",
    ),
    row(
        "choice_of_one",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_one,
        "x",
        weight=0.5,
        torch=[f"${{y}} = ${{x}}.{op}(${{axis}}, ${{keep == 1}})[0]" for op in ("max", "min")],
    ),
    row(
        "product_of_one",
        "x: f32[n,*r] -> f32[n,*s]",
        reduce_one,
        weight=0.5,
        torch="${y} = ${x}.clamp(-1.0, 1.0).prod(${axis}, ${keep == 1})",
    ),
    row(
        "reduce_all",
        "x: f32[*r] -> f32[]",
        reduce_all,
        "x.sum(m)",
        weight=0.3,
        torch=[f"${{y}} = ${{x}}.{op}()" for op in ("sum", "max", "min", "amax", "amin")],
    ),
    row(
        "mean_of_all",
        "x: f32[*r] -> f32[]",
        reduce_all_exactly,
        "x.sum(m) * Exact(1, 6)",
        weight=0.3,
        torch="${y} = ${x}.mean()",
    ),
    row(
        "reduce_all_smoothly",
        "x: f32[*r] -> f32[]",
        reduce_all,
        weight=0.3,
        torch=[
            "${y} = ${x}.clamp(-1.0, 1.0).prod()",
            "${y} = ${x}.std(correction=0)",
            "${y} = torch.linalg.vector_norm(${x})",
        ],
    ),
    row(
        "place_of_all",
        "x: f32[*r] -> i64[]",
        reduce_all,
        "Exact(m)",
        weight=0.3,
        torch=["${y} = ${x}.argmax()", "${y} = ${x}.argmin()"],
    ),
    row(
        "reduce_bits",
        "x: i1[n,*r] -> i1[n,*s]",
        reduce_bits,
        "Exact(1)",
        torch=[f"${{y}} = torch.{op}(${{x}}, ${{axes}}, ${{keep == 1}})" for op in ("any", "all")],
    ),
    row(
        "reduce_bits_of_one",
        "x: i1[n,*r] -> i1[n,*s]",
        reduce_one,
        "Exact(1)",
        torch=[f"${{y}} = ${{x}}.{op}(${{axis}}, ${{keep == 1}})" for op in ("any", "all")],
    ),
    row(
        "reduce_all_bits",
        "x: i1[*r] -> i1[]",
        reduce_all,
        "Exact(1)",
        weight=0.3,
        torch=["${y} = ${x}.any()", "${y} = ${x}.all()"],
    ),
    row(
        "sum_of_integers",
        "x: i32[n,*r] -> i64[n,*s]",
        reduce_some,
        "x.sum(m)",
        torch="${y} = ${x}.sum(${axes}, ${keep == 1})",
    ),
    row(
        "choice_of_integers",
        "x: i32[n,*r] -> i32[n,*s]",
        reduce_some,
        "x",
        torch=[
            "${y} = ${x}.amax(${axes}, ${keep == 1})",
            "${y} = ${x}.amin(${axes}, ${keep == 1})",
        ],
    ),
    row(
        "cumulative_sum",
        "x: f32[n,*r] -> f32[n,*r]",
        inner_axis,
        "x.sum(size)",
        weight=0.5,
        torch="${y} = ${x}.cumsum(${axis})",
    ),
    row(
        "cumulative_product",
        "x: f32[n,*r] -> f32[n,*r]",
        inner_axis,
        weight=0.3,
        torch="${y} = ${x}.clamp(-1.0, 1.0).cumprod(${axis})",
    ),
    row(
        "norm_of_groups",
        "x: image[n,h,w,c], a: vector[c], b: vector[c] -> image[n,h,w,c]",
        several_in_each_group,
        torch=["${y} = F.group_norm(${x}, ${g}, ${a}, ${b})", "${y} = F.group_norm(${x}, ${g})"],
    ),
    row(
        "norm_of_channels",
        "x: image[n,h,w,c], a: vector[c], b: vector[c] -> image[n,h,w,c]",
        several_in_each_channel,
        torch=[
            "${y} = F.instance_norm(${x}, weight=${a}, bias=${b})",
            "${y} = F.instance_norm(${x})",
        ],
    ),
    # Of each element.
    row(
        "divide_to_integers",
        "x: f32[*r] -> f32[*r]",
        None,
        "(x * Exact(2)).rounded()",
        weight=0.5,
        torch=[
            "${y} = torch.div(${x}, 0.5, rounding_mode='floor')",
            "${y} = torch.div(${x}, torch.full_like(${x}, 0.5), rounding_mode='trunc')",
            "${y} = aten.div.Scalar_mode(${x}, 0.5, rounding_mode='trunc')",
            "${y} = ${x} // 0.5",
        ],
    ),
    row(
        "sign_of_other",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "x",
        weight=0.5,
        torch=["${y} = torch.copysign(${x}, ${z})", "${y} = torch.copysign(${x}, -1.0)"],
    ),
    row(
        "power_of_other",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        weight=0.5,
        torch=[
            "${y} = (${x}.abs() + 0.5) ** ${z}.clamp(-2.0, 2.0)",
            "${y} = torch.atan2(${x}, ${z}.abs() + 0.5)",
        ],
    ),
    row(
        "scalar",
        "x: f32[*r] -> f32[*r]",
        None,
        "x * Exact(4, 1) + Exact(1, 1)",
        torch=[f"${{y}} = aten.{op}.Scalar(${{x}}, 0.5)" for op in SCALARS],
    ),
    row(
        "clamp_by_other",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        None,
        "(x | z) + Exact(1)",
        weight=0.5,
        torch=["${y} = ${x}.clamp(min=${z})", "${y} = ${x}.clamp(${z}, ${z} + 1.0)"],
    ),
    row(
        "add_filled",
        "x: f32[*r] -> f32[*r]",
        None,
        "x + Exact(2, 1)",
        weight=0.5,
        torch=[
            "${y} = ${x} + torch.full_like(${x}, 0.5)",
            "${y} = ${x} + torch.ones_like(${x})",
            "${y} = torch.zeros_like(${x}) - ${x}",
            "${y} = ${x} + torch.tensor([0.5])",
            "${y} = ${x} + ${buffer(np.float32([[0.5]]))}.squeeze()",
        ],
    ),
    row(
        "cast",
        "x: f32[*r] -> f32[*r]",
        None,
        "x",
        weight=0.3,
        torch=[
            "${y} = aten.to.dtype_layout(-${x}, dtype=torch.float32, layout=torch.strided)",
            "${y} = aten._to_copy(-${x}, dtype=torch.float32)",
            "${y} = aten.alias(-${x})",
        ],
    ),
    row(
        "fake_quantize",
        "x: f32[*r] -> f32[*r]",
        fake_codes,
        "Exact(1024, 3)",
        torch="${y} = torch.fake_quantize_per_tensor_affine(${x}, ${scale}, ${zero}, ${low}, ${high})",
    ),
    row(
        "fake_quantize_channels",
        "x: f32[n,c,*r] -> f32[n,c,*r]",
        fake_codes_of_channels,
        "Exact(1024, 3)",
        torch="${y} = torch.fake_quantize_per_channel_affine(${x}, ${buffer(scale)}, ${buffer(zero)}, 1, ${low}, ${high})",
    ),
    row(
        "dequantize_channels",
        "x: u8[n,c,*r] -> f32[n,c,*r]",
        fake_codes_of_channels,
        "x * Exact(4, 3) + Exact(1024, 3)",
        torch="${y} = quantized_decomposed.dequantize_per_channel(${x}, ${buffer(scale)}, ${buffer(np.int64(zero))}, 1, 0, 255, torch.uint8)",
    ),
    row(
        "quantize_by_tensors",
        "x: u8[*r] -> f32[*r]",
        scale_of_codes,
        "x * Exact(8, 3) + Exact(1024, 3)",
        torch="${y} = quantized_decomposed.dequantize_per_tensor.tensor(${x}, ${buffer(scale)}, ${buffer(np.int64(zero))}, 0, 255, torch.uint8)",
    ),
    row(
        "codes_of_float",
        "x: f32[*r] -> i8[*r]",
        None,
        "x.rounded() | Exact(100)",
        torch="${y} = ${x}.round().clamp(-100.0, 100.0).to(torch.int8)",
    ),
    row("float_of_codes", "x: i8[*r] -> f32[*r]", None, "x", weight=2, torch="${y} = ${x}.float()"),
    # Bits and integers.
    row(
        "bits_of_number",
        "x: i1[*r] -> i1[*r]",
        None,
        "Exact(1)",
        weight=0.3,
        torch=[f"${{y}} = aten.bitwise_{op}.Scalar(${{x}}, True)" for op in ("and", "or", "xor")],
    ),
    row(
        "place_of_float",
        "x: f32[*r] -> i64[*r]",
        None,
        "x.rounded() | Exact(100)",
        torch="${y} = ${x}.clamp(-100.0, 100.0).long()",
    ),
    row(
        "integers_alone",
        "x: i32[*r] -> i32[*r]",
        None,
        "x * x + Exact(9)",
        weight=4,
        torch=[
            "${y} = ${x} ** 2",
            "${y} = 7 - ${x}",
            "${y} = ${x} & 5",
            "${y} = ${x} ^ 5",
            "${y} = ${x}.clamp_min(3)",
            "${y} = torch.full_like(${x}, 7) - ${x}",
            "${y} = ${x}.masked_fill(${x} > 3, 9)",
        ],
    ),
    # Places.
    row(
        "sort",
        "x: f32[n,*r] -> f32[n,*r]",
        inner_axis,
        "x",
        weight=0.5,
        torch=[
            "${y} = ${x}.sort(${axis})[0]",
            "${y} = ${x}.sort(dim=${axis}, stable=True, descending=True)[0]",
            "${y} = ${x}.gather(${axis}, ${x}.argsort(${axis}))",
        ],
    ),
    row(
        "places_of_sorted",
        "x: f32[n,*r] -> i64[n,*r]",
        inner_axis,
        "Exact(size)",
        weight=0.5,
        torch="${y} = ${x}.sort(dim=${axis}, stable=True)[1]",
    ),
    row(
        "one_hot",
        "x: i64[*r] -> i64[*r,m]",
        classes,
        "Exact(1)",
        torch="${y} = F.one_hot(${x} % ${m}, ${m})",
    ),
    row(
        "embed",
        "x: i64[*r], f: filter[m,k] -> f32[*r,k]",
        vocabulary,
        "f",
        torch="${y} = F.embedding(${x} % ${m}, ${f})",
    ),
    row(
        "count_bounds",
        "x: f32[*r], a: ascending[m] -> i64[*r]",
        bounds,
        "Exact(m)",
        torch="${y} = torch.bucketize(${x}, ${a}, right=${right})",
    ),
    # What moves values.
    row(
        "assign",
        "x: f32[n,*r] -> f32[n,*r]",
        assign,
        "x | Exact(1, 1)",
        torch=[
            "${y} = ${x}.clone()\n${y}[${at}${first}:${last}:${step}] = 0.5",
            "${y} = ${x}.clone()\n${y}[${at}${first}] = ${x}[${at}${last - 1}]",
            "${y} = ${x}.clone()\n${y}[${at}${buffer(index)}] = 0.5",
            "${y} = ${x}.clone()\n${y}[${x} > 0.25] = -0.5",
        ],
    ),
    row(
        "take_part",
        "x: f32[n,*r] -> f32[n,*s]",
        take_part,
        "x",
        torch="${y} = ${x}[${at}${first}:${last}:${step}]",
    ),
    row(
        "take_one",
        "x: f32[n,*r] -> f32[n,*s]",
        take_one,
        "x",
        torch=[
            "${y} = ${x}.select(${axis}, ${first})",
            "${y} = ${x}[${at}${first}]",
            "${y} = ${x}.unbind(${axis})[${first}]",
        ],
    ),
    row(
        "take_first",
        "x: f32[n,*r] -> f32[n,*s]",
        take_first_of_several,
        "x",
        torch=[
            "${y} = ${x}.narrow(${axis}, 0, ${k})",
            "${y} = ${x}.split(${k}, ${axis})[0]",
            "${y} = ${x}.narrow(${axis}, ${size - k}, ${k})",
        ],
    ),
    row(
        "chunk",
        "x: f32[*r,c] -> f32[*r,k]",
        take_some,
        "x",
        torch="${y} = ${x}.chunk(${c // k}, -1)[0][..., :${k}]",
    ),
    row(
        "exchange",
        "x: f32[n,*r] -> f32[n,*s]",
        exchange,
        "x",
        torch=[
            "${y} = ${x}.transpose(${a}, ${b})",
            "${y} = ${x}.swapaxes(${a}, ${b}).contiguous()",
        ],
    ),
    row("move", "x: f32[n,*r] -> f32[n,*s]", move, "x", torch="${y} = ${x}.movedim(${a}, ${b})"),
    row(
        "turn",
        "x: f32[n,*r] -> f32[n,*r]",
        turn,
        "x",
        torch=["${y} = ${x}.flip(${axis})", "${y} = ${x}.roll(${shift}, ${axis})"],
    ),
    row(
        "windows",
        "x: f32[n,*r] -> f32[n,*s]",
        windows,
        "x",
        weight=0.5,
        torch="${y} = ${x}.unfold(${axis}, ${window}, ${step})",
    ),
    row(
        "turn_all",
        "x: f32[*r] -> f32[*r]",
        know_batch,
        "x",
        weight=0.3,
        torch="${y} = ${x}.roll(1)",
    ),
    row(
        "squeeze_all", "x: f32[n,*r] -> f32[n,*s]", squeeze_all, "x", torch="${y} = ${x}.squeeze()"
    ),
    row(
        "stack",
        "x: f32[n,*r], z: f32[n,*r] -> f32[n,*s]",
        stack,
        "x | z",
        weight=0.5,
        torch="${y} = torch.stack([${x}, ${z}], ${axis})",
    ),
    row(
        "spread",
        "x: f32[n,*r] -> f32[n,*r]",
        inner_axis,
        "x",
        weight=0.5,
        torch="${y} = ${x}.amax(${axis}, True).expand_as(${x})",
    ),
    row(
        "view",
        "x: f32[n,*r] -> f32[n,*r]",
        None,
        "x",
        weight=0.3,
        torch="${y} = (-${x}).view(${shape})",
    ),
    row(
        "pad_around",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        lambda d: (setattr(d, "i", d.h + 2), setattr(d, "j", d.w + 2)),
        "x",
        weight=0.3,
        torch="${y} = F.pad(${x}, (1, 1, 1, 1), 'circular')",
    ),
    row(
        "resize_linearly",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        resize_linearly,
        "x * Exact(64, 6)",
        weight=0.5,
        torch="${y} = F.interpolate(${x}, scale_factor=(${u}, ${v}), mode='bilinear', align_corners=${corners})",
    ),
    row(
        "resize_line",
        "x: f32[n,c,w] -> f32[n,c,j]",
        resize_line,
        "x * Exact(8, 3)",
        weight=0.5,
        torch=[
            "${y} = F.interpolate(${x}, scale_factor=${u})",
            "${y} = F.interpolate(${x}, scale_factor=${u}, mode='linear')",
        ],
    ),
    # Of bquant.nn.
    row(
        "quantize_by_scheme",
        "x: f32[n,*r] -> f32[n,*r]",
        online_scheme,
        weight=2,
        torch="${y} = bquant.quantize(${x}, '${scheme}')",
    ),
    row(
        "quantize_by_rank",
        "x: f32[*r], a: ascending[m], v: scalars[v] -> f32[*r]",
        ranks,
        "v.sum(planes)",
        weight=2,
        torch="${y} = bquant.quantize_by_rank(${x}, 'ls-${planes}', [], ${v}, None, ${a}, ${buffer(codes)})",
    ),
]
