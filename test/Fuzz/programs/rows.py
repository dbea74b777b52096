"""The operations of generated programs. A new one is a row (see grammar.py)."""

from .draw import CHANNELS, FEATURES, Planes
from .grammar import row
from .values import codes, require

# What is drawn.


def divisors(number):
    return [g for g in range(1, number + 1) if number % g == 0]


def know_batch(d):
    """Samples are not each by itself, or there are constants for each."""
    d.program.may_be_dynamic = False


def place_window(d, pads=True, dilations=True):
    """Strides s, t, dilations e, l, pads and the size i, j of the result, for taps p, q."""
    d.s, d.t = d.one_of((1, 1), (1, 1), (2, 2), (2, 1), (1, 3), (3, 3))
    d.e, d.l = d.one_of((1, 1), (1, 1), (1, 1), (2, 2), (1, 2), (3, 1)) if dilations else (1, 1)
    tall, wide = d.e * (d.p - 1), d.l * (d.q - 1)
    kind = d.one_of("none", "same", "same", "any") if pads else "none"
    if kind == "same":
        d.pads = (tall // 2, wide // 2, tall - tall // 2, wide - wide // 2)
    elif kind == "any":
        d.pads = tuple(d.pick(0, most) for most in (tall, wide, tall, wide))
    else:
        d.pads = (0, 0, 0, 0)
    top, left, bottom, right = d.pads
    d.i = (d.h + top + bottom - tall - 1) // d.s + 1
    d.j = (d.w + left + right - wide - 1) // d.t + 1
    rows, columns = d.h + top + bottom - tall - 1, d.w + left + right - wide - 1
    require(rows >= 0 and columns >= 0)
    # Of TOSA no row of an image may be left over.
    require(d.program.level.windows_may_skip or rows % d.s == columns % d.t == 0)


def convolve(d):
    d.p, d.q = d.one_of((1, 1), (3, 3), (3, 3), (2, 2), (1, 3), (3, 1), (5, 5), (2, 3))
    d.k, d.o = d.c, d.one_of(*CHANNELS)
    place_window(d)


def convolve_unpadded(d):
    convolve(d)
    place_window(d, pads=False)


def convolve_rank_5(d):
    """Groups are a dimension."""
    d.c, d.o = d.g * d.k, 0
    d.p, d.q = d.one_of((1, 1), (3, 3), (2, 2), (1, 3))
    d.r = d.one_of(1, 2, 3, 8)
    place_window(d, pads=False)


def convolve_bytes(d):
    """Sums of all taps are floats; a NaN has no value as an integer."""
    require(d.exact)
    convolve_unpadded(d)
    require(d.p * d.q * d.k <= 1000)
    know_batch(d)


def convolve_groups(d):
    convolve(d)
    d.g = d.one_of(*divisors(d.c)[1:])
    d.k, d.o = d.c // d.g, d.g * d.one_of(1, 1, 2, 3, 8)
    require(d.o <= 130)
    d.r = d.o // d.g


def convolve_depthwise(d):
    convolve(d)
    d.g, d.k, d.o = d.c, 1, d.c


def pool(d):
    d.p, d.q = d.one_of((2, 2), (2, 2), (3, 3), (1, 2), (3, 2))
    place_window(d, pads=False, dilations=d.program.level.pools_are_dilated)


def pool_padded(d):
    """Each window holds an element."""
    d.p, d.q = d.one_of((2, 2), (2, 2), (3, 3), (1, 2), (3, 2))
    place_window(d)
    top, left, bottom, right = d.pads
    require(top <= (d.p - 1) * d.e // 2 and bottom <= (d.p - 1) * d.e // 2)
    require(left <= (d.q - 1) * d.l // 2 and right <= (d.q - 1) * d.l // 2)
    require(d.h > (d.p - 1) * d.e and d.w > (d.q - 1) * d.l)


def average(d):
    """Windows of a power of two, so that the mean is exact."""
    pool(d)
    d.p, d.q = d.one_of((2, 2), (1, 2), (4, 4), (2, 4), (d.h, d.w))
    place_window(d, pads=False, dilations=d.program.level.pools_are_dilated)
    require(not d.exact or d.p * d.q in (1, 2, 4, 8, 16, 32))


def features(d):
    d.o = d.one_of(*FEATURES)


def features_of_each(d):
    """A filter for each sample."""
    features(d)
    know_batch(d)


def flatten(d):
    d.m = 1
    for size in d.x.shape[1:]:
        d.m *= size
    rank = len(d.x.shape)
    require(rank > 2)
    d.groups = str([[0], list(range(1, rank))])


def split(d):
    """The last dimension, in two."""
    require(len(d.r) + 1 < 5)
    d.a, d.b = d.one_of(*[(g, d.c // g) for g in divisors(d.c)])
    rank = len(d.r)
    d.groups = str([*[[i] for i in range(rank)], [rank, rank + 1]])


def merge(d):
    """The last two dimensions into one."""
    require(len(d.x.shape) > 2)
    d.m = d.a * d.b
    rank = len(d.r)
    d.groups = str([*[[i] for i in range(rank)], [rank, rank + 1]])


def concatenate(d):
    d.m = d.c + d.k


def slice_channels(d):
    require(d.c > 1)
    d.first = d.pick(0, d.c - 1)
    d.m = d.pick(1, d.c - d.first)


def crop(d):
    require(d.h > 1 and d.w > 1)
    d.top, d.left = d.pick(0, d.h - 1), d.pick(0, d.w - 1)
    d.i, d.j = d.pick(1, d.h - d.top), d.pick(1, d.w - d.left)


def pad(d):
    d.pads = tuple(d.pick(0, 2) for _ in range(4))
    require(any(d.pads))
    d.value = d.one_of(0.0, 0.0, 0.0, -1.0, 1.0)
    d.i, d.j = d.h + d.pads[0] + d.pads[2], d.w + d.pads[1] + d.pads[3]


def planes(d, offset=False):
    """Planes, independent or by ratios; scalars for each place of an axis or for all."""
    shape = d.x.shape
    kind = d.pick(0, 9)
    if kind <= 3:
        count, ratios = 1, ()
    elif kind <= 6:
        count, ratios = d.pick(2, 4), ()
    else:
        ratios = d.one_of(
            (1, 1), (1, 1), (2, 1), (4, 2, 1), (1, 2), (3, 2), (8, 4, 2, 1), (1, 1, 1)
        )
        count = len(ratios)
    axis = ()
    if d.chance(0.5):
        axis = d.one_of((0,), (0,), (1,), (0, 1)) if len(shape) == 3 else (0,)
    d.planes = Planes(count, ratios, axis, offset)
    d.v = d.planes.rows
    d.g = tuple(shape[i] for i in axis)
    if axis and d.x.batched:  # a scalar for each sample: their number is known
        know_batch(d)


def is_filter(d):
    return getattr(d, "is_filter", False)


def quantize_with_offset(d):
    planes(d, offset=True)


def quantize_by_thresholds(d, offset=False):
    planes(d, offset)
    d.codes = codes(d.rng, d.planes.count)
    d.m = len(d.codes) - 1
    require(d.m > 0)


def quantize_channels(d):
    quantize_by_thresholds(d, offset=True)


def stored_planes(d):
    """As words of 32 signs."""
    planes(d)
    d.d, d.v = d.planes.rows, d.planes.count
    *d.u, channels = d.x.shape
    d.u, d.m = tuple(d.u), -(-channels // 32)
    d.last = channels % 32


def quantize_samples(d, offset=False):
    """A plane for each sample, by what another value says."""
    require(d.exact)
    know_batch(d)
    d.planes = Planes(1, (), (0,), offset)
    d.v, d.g = 1, (d.n,)


def quantize_around_samples(d):
    quantize_samples(d, offset=True)


def quantize_by_scheme(d):
    require(not d.exact)
    online = ["ls, 1", "ls, 2", "ls, T", "gf, 2", "gf, 3", "twn"]
    d.scheme = d.one_of(*(online + ["ls, 3"] if is_filter(d) else online))
    size = {"ls, T": 2, "twn": 2}.get(d.scheme) or int(d.scheme[-1])
    axes = (0,) if is_filter(d) and d.chance(0.7) or not is_filter(d) and d.x.batched else ()
    d.planes = Planes(size, (1, 1) if d.scheme in ("ls, T", "twn") else (), axes)


def binary_convolve(d):
    convolve_groups(d) if d.chance(0.2) and d.c > 1 else convolve(d)
    d.groups = d.c // d.k
    require_scalars(d)


def require_scalars(d):
    """Of the input of a convolution: for an image, or for all."""
    d.pad_value = 0
    if d.x.kind == "codes":
        require(d.x.planes.axes in ((), (0,)))
        one = d.x.planes.count == 1
        d.pad_value = d.one_of(0, 0, 1) if one and any(d.pads) else 0


def binary_matmul(d):
    features(d)
    if d.x.kind == "codes":
        require(d.x.planes.axes in ((), (0,)))


def integer_convolve(d):
    binary_convolve(d)
    require(even(d.x.planes))


def integer_matmul(d):
    binary_matmul(d)
    require(even(d.x.planes))


def pool_codes(d):
    pool_padded(d)
    d.planes = d.x.planes


def even(planes):
    """Whether a count is a multiple of what the value is."""
    return (planes.count == 1 or planes.ratios) and not planes.offset


# How things are written.

GEOMETRY = (
    "strides = dense<[${s}, ${t}]> : tensor<2xi64>, dilations = dense<[${e}, ${l}]> : tensor<2xi64>"
)
BQUANT_GEOMETRY = "strides = [${s}, ${t}] dilations = [${e}, ${l}] pads = [${pads[0]}, ${pads[2]}, ${pads[1]}, ${pads[3]}]"


BQUANT_CONV_2D = f"""
    ${{y}} = bquant.conv_2d ${{x}}, ${{f}} {BQUANT_GEOMETRY} groups = ${{groups}} pad_value = ${{pad_value}}
    : (${{x.type}}, ${{f.type}}) -> ${{y.type}}"""
BQUANT_MATMUL = "${y} = bquant.matmul ${x}, ${f} : (${x.type}, ${f.type}) -> ${y.type}"
TOSA_GEOMETRY = (
    "pad = array<i64: ${pads[0]}, ${pads[2]}, ${pads[1]}, ${pads[3]}>, "
    "stride = array<i64: ${s}, ${t}>, dilation = array<i64: ${e}, ${l}>"
)


def linalg_op(op, x, f, attributes=GEOMETRY, fill="0.0"):
    return f"""
        ${{y}} = linalg.{op} {{{attributes}}} ins(${{{x}}}, ${{{f}}} : ${{{x}.type}}, ${{{f}.type}})
        outs(${{fill(y, {fill})}} : ${{y.type}}) -> ${{y.type}}"""


ROWS = [
    # Products of floats.
    row(
        "conv_2d",
        "x: image[n,h,w,c], f: filter[o,p,q,k] -> image[n,i,j,o]",
        convolve_unpadded,
        "(x * f).sum(p * q * k)",
        weight=3,
        mlir=[
            linalg_op("conv_2d_nhwc_hwcf", "x", "f.by('pqko')"),
            linalg_op("conv_2d_nhwc_fhwc", "x", "f"),
        ],
        onnx="Conv(x, f.by('okpq'), strides=[s, t], dilations=[e, l])",
        torch="${y} = F.conv2d(${x}, ${f.by('okpq')}, None, stride=(${s}, ${t}), dilation=(${e}, ${l}))",
        tflite="CONV_2D(x, f, constant(np.zeros(o, np.float32)), Padding=VALID, StrideH=s, StrideW=t, DilationHFactor=e, DilationWFactor=l)",
    ),
    row(
        "conv_2d_padded",
        "x: image[n,h,w,c], f: filter[o,p,q,k] -> image[n,i,j,o]",
        convolve,
        "(x * f).sum(p * q * k)",
        weight=3,
        mlir=[linalg_op("conv_2d_nhwc_hwcf", "padded(x, pads)", "f.by('pqko')")],
        onnx="Conv(x, f.by('okpq'), strides=[s, t], dilations=[e, l], pads=pads)",
        tosa="""
            ${y} = tosa.conv2d ${x}, ${f}, ${zeros(o)}, ${zeros(1)}, ${zeros(1)} {acc_type = f32, """
        + TOSA_GEOMETRY
        + """} : (${x.type}, ${f.type}, tensor<${o}xf32>, tensor<1xf32>, tensor<1xf32>) -> ${y.type}""",
        torch="${y} = F.conv2d(${padded(x, uneven(pads))}, ${f.by('okpq')}, None, padding=${even(pads)}, stride=(${s}, ${t}), dilation=(${e}, ${l}))",
        tflite="CONV_2D(padded(x, pads), f, constant(np.zeros(o, np.float32)), Padding=VALID, StrideH=s, StrideW=t, DilationHFactor=e, DilationWFactor=l)",
    ),
    row(
        "conv_2d_channels_first",
        "x: f32[n,c,h,w], f: filter[o,p,q,k] -> f32[n,o,i,j]",
        convolve_unpadded,
        "(x * f).sum(p * q * k)",
        mlir=[linalg_op("conv_2d_nchw_fchw", "x", "f.by('okpq')")],
    ),
    row(
        "grouped_conv_2d_of_rank_5",
        "x: f32[n,h,w,g,k], f: filter[g,r,p,q,k] -> f32[n,i,j,g,r]",
        convolve_rank_5,
        "(x * f).sum(p * q * k)",
        mlir=[linalg_op("conv_2d_nhwgc_gfhwc", "x", "f")],
    ),
    row(
        "byte_conv_2d",
        "x: image[n,h,w,c], f: bytes[o,p,q,k] -> image[n,i,j,o]",
        convolve_bytes,
        "(Exact(128, 2) * f).sum(p * q * k) * Exact(1, 3)",
        mlir="""
            %scaled = arith.mulf ${x}, ${splat(x, 4)} : ${x.type}
            %round = math.roundeven %scaled : ${x.type}
            %least = arith.maximumf %round, ${splat(x, -128)} : ${x.type}
            %most = arith.minimumf %least, ${splat(x, 127)} : ${x.type}
            %byte = arith.fptosi %most : ${x.type} to ${x.type_of('i8')}
            %sum = linalg.conv_2d_nhwc_hwcf {strides = dense<[${s}, ${t}]> : tensor<2xi64>, dilations = dense<[${e}, ${l}]> : tensor<2xi64>}
            ins(%byte, ${f.by('pqko')} : ${x.type_of('i8')}, ${f.by('pqko').type})
            outs(${splat(y, 0, 'i32')} : ${y.type_of('i32')}) -> ${y.type_of('i32')}
            %float = arith.sitofp %sum : ${y.type_of('i32')} to ${y.type}
            ${y} = arith.mulf %float, ${splat(y, 0.03125)} : ${y.type}""",
        tosa="""
            %scaled = tosa.mul ${x}, ${splat(x, 4)}, ${full(0, 'int8')} : (${x.type}, ${x.type}, tensor<1xi8>) -> ${x.type}
            %most = tosa.clamp %scaled {min_val = -128.0 : f32, max_val = 127.0 : f32} : (${x.type}) -> ${x.type}
            %byte = tosa.cast %most : (${x.type}) -> ${x.type_of('i8')}
            %sum = tosa.conv2d %byte, ${f}, ${zeros(o, 'int32')}, ${full(0, 'int8')}, ${full(0, 'int8')} {acc_type = i32, """
        + TOSA_GEOMETRY
        + """} : (${x.type_of('i8')}, ${f.type}, tensor<${o}xi32>, tensor<1xi8>, tensor<1xi8>) -> ${y.type_of('i32')}
            %float = tosa.cast %sum : (${y.type_of('i32')}) -> ${y.type}
            ${y} = tosa.mul %float, ${splat(y, 0.03125)}, ${full(0, 'int8')} : (${y.type}, ${y.type}, tensor<1xi8>) -> ${y.type}""",
    ),
    row(
        "depthwise_conv_2d",
        "x: image[n,h,w,c], f: filter[c,p,q] -> image[n,i,j,c]",
        convolve_depthwise,
        "(x * f).sum(p * q)",
        mlir=[linalg_op("depthwise_conv_2d_nhwc_hwc", "padded(x, pads)", "f.by('pqc')")],
        onnx="Conv(x, Reshape(f, [c, 1, p, q]), group=c, strides=[s, t], dilations=[e, l], pads=pads)",
        tosa="""
            ${y} = tosa.depthwise_conv2d ${x}, ${reshape(f.by('pqc'), (p, q, c, 1))}, ${zeros(c)}, ${zeros(1)}, ${zeros(1)} {acc_type = f32, """
        + TOSA_GEOMETRY
        + """} : (${x.type}, tensor<${p}x${q}x${c}x1xf32>, tensor<${c}xf32>, tensor<1xf32>, tensor<1xf32>) -> ${y.type}""",
        torch="${y} = F.conv2d(${padded(x, pads)}, ${f}.view(${c}, 1, ${p}, ${q}), None, stride=(${s}, ${t}), dilation=(${e}, ${l}), groups=${c})",
        tflite="DEPTHWISE_CONV_2D(padded(x, pads), constant(known(f) and f.value.array.transpose(1, 2, 0)[None]), constant(np.zeros(c, np.float32)), Padding=VALID, StrideH=s, StrideW=t, DilationHFactor=e, DilationWFactor=l, DepthMultiplier=1)",
    ),
    row(
        "matmul",
        "x: f32[n,k], f: filter[o,k] -> f32[n,o]",
        features,
        "(x * f).sum(k)",
        weight=3,
        mlir=[
            """
            ${y} = linalg.matmul ins(${x}, ${f.by('ko')} : ${x.type}, ${f.by('ko').type})
            outs(${fill(y)} : ${y.type}) -> ${y.type}""",
            """
            ${y} = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
            affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
            ins(${x}, ${f} : ${x.type}, ${f.type}) outs(${fill(y)} : ${y.type}) -> ${y.type}""",
        ],
        onnx=["MatMul(x, f.by('ko'))", "Gemm(x, f, transB=1)", "Gemm(x, f.by('ko'))"],
        tosa="""
            %m = tosa.matmul ${reshape(x, (1, n, k))}, ${reshape(f.by('ko'), (1, k, o))}, ${zeros(1)}, ${zeros(1)}
            : (tensor<1x${n}x${k}xf32>, tensor<1x${k}x${o}xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x${n}x${o}xf32>
            ${y} = tosa.reshape %m, ${sizes(y)} : (tensor<1x${n}x${o}xf32>, !tosa.shape<2>) -> ${y.type}""",
        torch=[
            "${y} = F.linear(${x}, ${f})",
            "${y} = ${x} @ ${f.by('ko')}",
            "${y} = torch.mm(${x}, ${f}.t())",
            "${y} = torch.mm(${x}, ${f}.T)",
        ],
        tflite="FULLY_CONNECTED(x, f, None)",
    ),
    row(
        "batch_matmul",
        "x: f32[n,m,k], f: filter[n,o,k] -> f32[n,m,o]",
        features_of_each,
        "(x * f).sum(k)",
        mlir="""
            ${y} = linalg.batch_matmul ins(${x}, ${f.by('nko')} : ${x.type}, ${f.by('nko').type})
            outs(${fill(y)} : ${y.type}) -> ${y.type}""",
        torch="${y} = torch.bmm(${x}, ${f.by('nko')})",
    ),
    # Pools.
    row(
        "max_pool",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pool,
        "x",
        mlir="""
            ${y} = linalg.pooling_nhwc_max {strides = dense<[${s}, ${t}]> : tensor<2xi64>, dilations = dense<[${e}, ${l}]> : tensor<2xi64>}
            ins(${x}, ${window(p, q)} : ${x.type}, tensor<${p}x${q}xf32>)
            outs(${fill(y, float('-inf'))} : ${y.type}) -> ${y.type}""",
        onnx="MaxPool(x, kernel_shape=[p, q], strides=[s, t], dilations=[e, l])",
        tosa="""
            ${y} = tosa.max_pool2d ${x} {kernel = array<i64: ${p}, ${q}>, stride = array<i64: ${s}, ${t}>, pad = array<i64: 0, 0, 0, 0>}
            : (${x.type}) -> ${y.type}""",
        torch="${y} = F.max_pool2d(${x}, (${p}, ${q}), (${s}, ${t}), dilation=(${e}, ${l}))",
        tflite="MAX_POOL_2D(x, Padding=VALID, StrideH=s, StrideW=t, FilterHeight=p, FilterWidth=q)",
    ),
    row(
        "average_pool",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        average,
        "x.sum(p * q) * Exact(1, 5)",
        mlir="""
            %sum = linalg.pooling_nhwc_sum {strides = dense<[${s}, ${t}]> : tensor<2xi64>, dilations = dense<[${e}, ${l}]> : tensor<2xi64>}
            ins(${x}, ${window(p, q)} : ${x.type}, tensor<${p}x${q}xf32>)
            outs(${fill(y)} : ${y.type}) -> ${y.type}
            ${y} = linalg.mul ins(%sum, ${fill(y, 1 / (p * q))} : ${y.type}, ${y.type}) outs(${empty(y.value)} : ${y.type}) -> ${y.type}""",
        tosa="""
            ${y} = tosa.avg_pool2d ${x}, ${zeros(1)}, ${zeros(1)} {acc_type = f32, kernel = array<i64: ${p}, ${q}>, stride = array<i64: ${s}, ${t}>, pad = array<i64: 0, 0, 0, 0>}
            : (${x.type}, tensor<1xf32>, tensor<1xf32>) -> ${y.type}""",
        tflite="AVERAGE_POOL_2D(x, Padding=VALID, StrideH=s, StrideW=t, FilterHeight=p, FilterWidth=q)",
    ),
    row(
        "global_sum",
        "x: image[n,h,w,c] -> f32[n,c]",
        None,
        "x.sum(h * w)",
        mlir="""
            ${y} = linalg.reduce ins(${x} : ${x.type}) outs(${fill(y)} : ${y.type}) dimensions = [1, 2]
            (%a: f32, %b: f32) { %r = arith.addf %a, %b : f32 linalg.yield %r : f32 }""",
        onnx="reduce('ReduceSum', x, (2, 3))",
        tosa="""
            %a = tosa.reduce_sum ${x} {axis = 1 : i32} : (${x.type}) -> tensor<${n}x1x${w}x${c}xf32>
            %b = tosa.reduce_sum %a {axis = 2 : i32} : (tensor<${n}x1x${w}x${c}xf32>) -> tensor<${n}x1x1x${c}xf32>
            ${y} = tosa.reshape %b, ${sizes(y)} : (tensor<${n}x1x1x${c}xf32>, !tosa.shape<2>) -> ${y.type}""",
        torch="${y} = ${x}.sum((2, 3))",
        tflite="SUM(x, [1, 2])",
    ),
    # What moves values.
    row(
        "flatten",
        "x: f32[n,*r] -> f32[n,m]",
        flatten,
        "x",
        weight=2,
        mlir="${y} = tensor.collapse_shape ${x} ${groups} : ${x.type} into ${y.type}",
        onnx=["Flatten(x)", "Reshape(x, batched(y))"],
        tosa="${y} = tosa.reshape ${x}, ${sizes(y)} : (${x.type}, !tosa.shape<${len(y.shape)}>) -> ${y.type}",
        torch=["${y} = ${x}.flatten(1)", "${y} = ${x}.reshape(${shape})"],
        tflite="RESHAPE(x, batched(y))",
    ),
    row(
        "split",
        "x: f32[*r,c] -> f32[*r,a,b]",
        split,
        "x",
        weight=0.5,
        mlir="${y} = tensor.expand_shape ${x} ${groups} output_shape ${sizes(y)} : ${x.type} into ${y.type}",
        onnx="Reshape(x, batched(y))",
        tosa="${y} = tosa.reshape ${x}, ${sizes(y)} : (${x.type}, !tosa.shape<${len(y.shape)}>) -> ${y.type}",
        torch=["${y} = ${x}.reshape(${shape})", "${y} = ${x}.unflatten(-1, (${a}, ${b}))"],
        tflite="RESHAPE(x, batched(y))",
    ),
    row(
        "merge",
        "x: f32[*r,a,b] -> f32[*r,m]",
        merge,
        "x",
        weight=0.5,
        mlir="${y} = tensor.collapse_shape ${x} ${groups} : ${x.type} into ${y.type}",
        onnx="Reshape(x, batched(y))",
        tosa="${y} = tosa.reshape ${x}, ${sizes(y)} : (${x.type}, !tosa.shape<${len(y.shape)}>) -> ${y.type}",
        torch=["${y} = ${x}.reshape(${shape})", "${y} = ${x}.flatten(-2)"],
        tflite="RESHAPE(x, batched(y))",
    ),
    row(
        "concatenate",
        "x: f32[*r,c], z: f32[*r,k] -> f32[*r,m]",
        concatenate,
        "x | z",
        mlir="${y} = tensor.concat dim(${len(x.shape) - 1}) ${x}, ${z} : (${x.type}, ${z.type}) -> ${y.type}",
        onnx="Concat(x, z, axis=-1)",
        tosa="${y} = tosa.concat ${x}, ${z} {axis = ${len(x.shape) - 1} : i32} : (${x.type}, ${z.type}) -> ${y.type}",
        torch="${y} = torch.cat([${x}, ${z}], -1)",
        tflite="CONCATENATION(x, z, Axis=len(x.shape) - 1)",
    ),
    row(
        "grouped_conv_2d",
        "x: image[n,h,w,c], f: filter[o,p,q,k] -> image[n,i,j,o]",
        convolve_groups,
        "(x * f).sum(p * q * k)",
        weight=1,
        torch="${y} = F.conv2d(${padded(x, pads)}, ${f.by('okpq')}, None, stride=(${s}, ${t}), dilation=(${e}, ${l}), groups=${g})",
        onnx="Conv(x, f.by('okpq'), group=g, strides=[s, t], dilations=[e, l], pads=pads)",
        tflite="CONV_2D(padded(x, pads), f, constant(np.zeros(o, np.float32)), Padding=VALID, StrideH=s, StrideW=t, DilationHFactor=e, DilationWFactor=l)",
    ),
    row(
        "concatenate_channels",
        "x: image[n,h,w,c], z: image[n,h,w,k] -> image[n,h,w,m]",
        concatenate,
        "x | z",
        torch="${y} = torch.cat([${x}, ${z}], 1)",
        onnx="Concat(x, z, axis=1)",
    ),
    row(
        "slice_channels",
        "x: f32[n,h,w,c] -> f32[n,h,w,m]",
        slice_channels,
        "x",
        mlir="${y} = tensor.extract_slice ${x}[0, 0, 0, ${first}] [${batch(x)}, ${h}, ${w}, ${m}] [1, 1, 1, 1] : ${x.type} to ${y.type}",
        onnx="Slice(x, [first], [first + m], [3])",
        tosa="${y} = tosa.slice ${x}, ${numbers([0, 0, 0, first])}, ${numbers([n, h, w, m])} : (${x.type}, !tosa.shape<4>, !tosa.shape<4>) -> ${y.type}",
        tflite="SLICE(x, [0, 0, 0, first], [-1, h, w, m])",
    ),
    row(
        "crop",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        crop,
        "x",
        weight=0.5,
        mlir="${y} = tensor.extract_slice ${x}[0, ${top}, ${left}, 0] [${batch(x)}, ${i}, ${j}, ${c}] [1, 1, 1, 1] : ${x.type} to ${y.type}",
        onnx="Slice(x, [top, left], [top + i, left + j], [2, 3])",
        tosa="${y} = tosa.slice ${x}, ${numbers([0, top, left, 0])}, ${numbers([n, i, j, c])} : (${x.type}, !tosa.shape<4>, !tosa.shape<4>) -> ${y.type}",
        torch="${y} = ${x}[:, :, ${top}:${top + i}, ${left}:${left + j}]",
        tflite="SLICE(x, [0, top, left, 0], [-1, i, j, c])",
    ),
    row(
        "pad",
        "x: image[n,h,w,c] -> image[n,i,j,c]",
        pad,
        "x | Exact(1)",
        mlir="""
            ${y} = tensor.pad ${x} low[0, ${pads[0]}, ${pads[1]}, 0] high[0, ${pads[2]}, ${pads[3]}, 0] {
            ^bb0(%a: index, %b: index, %c: index, %d: index):
            tensor.yield ${scalar(value)} : f32
            } : ${x.type} to ${y.type}""",
        onnx="Pad(x, [0, 0, pads[0], pads[1], 0, 0, pads[2], pads[3]], value)",
        tosa="${y} = tosa.pad ${x}, ${numbers([0, 0, pads[0], pads[2], pads[1], pads[3], 0, 0])}, ${full(value)} : (${x.type}, !tosa.shape<8>, tensor<1xf32>) -> ${y.type}",
        torch="${y} = F.pad(${x}, (${pads[1]}, ${pads[3]}, ${pads[0]}, ${pads[2]}), value=${value})",
        tflite="PADV2(x, [[0, 0], [pads[0], pads[2]], [pads[1], pads[3]], [0, 0]], value)",
    ),
    row(
        "transpose",
        "x: f32[n,h,w,c] -> f32[n,c,h,w]",
        None,
        "x",
        weight=0.5,
        mlir="""
            ${y} = linalg.transpose ins(${x} : ${x.type}) outs(${empty(y.value)} : ${y.type}) permutation = [0, 3, 1, 2]""",
        onnx="Transpose(x, perm=[0, 3, 1, 2])",
        tosa="${y} = tosa.transpose ${x} {perms = array<i32: 0, 3, 1, 2>} : (${x.type}) -> ${y.type}",
        torch="${y} = ${x}.permute(0, 3, 1, 2)",
        tflite="TRANSPOSE(x, [0, 3, 1, 2])",
    ),
    row(
        "transpose_back",
        "x: f32[n,c,h,w] -> f32[n,h,w,c]",
        None,
        "x",
        weight=0.5,
        mlir="""
            ${y} = linalg.transpose ins(${x} : ${x.type}) outs(${empty(y.value)} : ${y.type}) permutation = [0, 2, 3, 1]""",
        onnx="Transpose(x, perm=[0, 2, 3, 1])",
        tosa="${y} = tosa.transpose ${x} {perms = array<i32: 0, 2, 3, 1>} : (${x.type}) -> ${y.type}",
        torch="${y} = ${x}.permute(0, 2, 3, 1)",
        tflite="TRANSPOSE(x, [0, 2, 3, 1])",
    ),
    # Scaled-binary values.
    row(
        "sign",
        "x: f32[*r] -> f32[*r]",
        None,
        "Exact(1)",
        bquant="${y} = bquant.sign ${x} : ${x.type}",
        onnx="Sign(x)",
        torch="${y} = ${x}.sign()",
        tflite="SIGN(x)",
    ),
    row(
        "quantize_by_scalars",
        "x: f32[*r], v: scalars[v,*g] -> codes[*r]",
        planes,
        "v.sum(sum(planes.ratios) or planes.count)",
        weight=4,
        bquant="${y} = bquant.quantize ${x} scalars(${v} : ${v.type}) : ${x.type} -> ${y.type}",
    ),
    row(
        "quantize_by_thresholds",
        "x: f32[*r], a: ascending[m], v: scalars[v,*g] -> codes[*r]",
        quantize_by_thresholds,
        "v.sum(sum(planes.ratios) or planes.count)",
        weight=2,
        bquant="""
            ${y} = bquant.quantize ${x} thresholds(${a} : ${a.type}) codes ${codes}
            scalars(${v} : ${v.type}) : ${x.type} -> ${y.type}""",
    ),
    row(
        "quantize_integers",
        "x: i32[*r], a: integers[m], v: scalars[v,*g] -> codes[*r]",
        quantize_by_thresholds,
        "v.sum(sum(planes.ratios) or planes.count)",
        weight=2,
        bquant="""
            ${y} = bquant.quantize ${x} thresholds(${a} : ${a.type}) codes ${codes}
            scalars(${v} : ${v.type}) : ${x.type} -> ${y.type}""",
    ),
    row(
        "quantize_with_offset",
        "x: f32[*r], v: scalars[v,*g], b: vector[*g] -> codes[*r]",
        quantize_with_offset,
        "v.sum(sum(planes.ratios) or planes.count) + b",
        weight=2,
        bquant="""
            ${y} = bquant.quantize ${x} scalars(${v} : ${v.type}) offset(${b} : ${b.type})
            : ${x.type} -> ${y.type}""",
    ),
    row(
        "quantize_channels",
        "x: f32[*r,c], a: ascending[c,m], v: scalars[v,*g], b: vector[*g] -> codes[*r,c]",
        quantize_channels,
        "v.sum(sum(planes.ratios) or planes.count) + b",
        weight=2,
        bquant="""
            ${y} = bquant.quantize ${x} thresholds(${a} : ${a.type}) codes ${codes}
            scalars(${v} : ${v.type}) offset(${b} : ${b.type}) : ${x.type} -> ${y.type}""",
    ),
    row(
        "quantize_integers_of_channels",
        "x: i32[*r,c], a: integers[c,m], v: scalars[v,*g] -> codes[*r,c]",
        quantize_by_thresholds,
        "v.sum(sum(planes.ratios) or planes.count)",
        bquant="""
            ${y} = bquant.quantize ${x} thresholds(${a} : ${a.type}) codes ${codes}
            scalars(${v} : ${v.type}) : ${x.type} -> ${y.type}""",
    ),
    row(
        "quantize_by_value",
        "x: f32[n,k], z: f32[n,c] -> codes[n,k]",
        quantize_samples,
        "z",
        bquant="""
            %column = tensor.extract_slice ${z}[0, 0] [${n}, 1] [1, 1] : ${z.type} to tensor<${n}x1xf32>
            %size = math.absf %column : tensor<${n}x1xf32>
            %flat = tensor.collapse_shape %size [[0, 1]] : tensor<${n}x1xf32> into tensor<${n}xf32>
            %row = tensor.expand_shape %flat [[0, 1]] output_shape [1, ${n}] : tensor<${n}xf32> into tensor<1x${n}xf32>
            ${y} = bquant.quantize ${x} scalars(%row : tensor<1x${n}xf32>) : ${x.type} -> ${y.type}""",
    ),
    row(
        "quantize_around_value",
        "x: f32[n,k], z: f32[n,c], v: scalars[v,*g] -> codes[n,k]",
        quantize_around_samples,
        "v + z",
        bquant="""
            %column = tensor.extract_slice ${z}[0, 0] [${n}, 1] [1, 1] : ${z.type} to tensor<${n}x1xf32>
            %flat = tensor.collapse_shape %column [[0, 1]] : tensor<${n}x1xf32> into tensor<${n}xf32>
            ${y} = bquant.quantize ${x} scalars(${v} : ${v.type}) offset(%flat : tensor<${n}xf32>)
            : ${x.type} -> ${y.type}""",
    ),
    row(
        "constant",
        "w: words[v,*u,m], a: scalars[d,*g] -> codes[*r]",
        stored_planes,
        "a.sum(sum(planes.ratios) or planes.count)",
        weight=0,
        bquant="""
            ${y} = bquant.constant words(${attribute(w)} : tensor<${shape(w)}xi32>)
            scalars(${attribute(a)} : tensor<${shape(a)}xf32>) : ${y.type}""",
    ),
    row(
        "quantize_by_scheme",
        "x: f32[*r] -> codes[*r]",
        quantize_by_scheme,
        weight=2,
        bquant="${y} = bquant.quantize ${x} scheme(<${scheme}>) : ${x.type} -> ${y.type}",
    ),
    row(
        "dequantize",
        "x: codes[*r] -> f32[*r]",
        None,
        "x",
        weight=0.3,
        bquant="${y} = bquant.dequantize ${x} : ${x.type} -> ${y.type}",
    ),
    row(
        "binary_conv_2d",
        "x: codes[n,h,w,c], f: planes[o,p,q,k] -> f32[n,i,j,o]",
        binary_convolve,
        "(x * f).sum(p * q * k)",
        weight=5,
        bquant=BQUANT_CONV_2D,
    ),
    row(
        "float_conv_2d",
        "x: f32[n,h,w,c], f: planes[o,p,q,k] -> f32[n,i,j,o]",
        binary_convolve,
        "(x * f).sum(p * q * k)",
        weight=2,
        bquant=BQUANT_CONV_2D,
    ),
    row(
        "binary_matmul",
        "x: codes[n,k], f: planes[o,k] -> f32[n,o]",
        binary_matmul,
        "(x * f).sum(k)",
        weight=3,
        bquant=BQUANT_MATMUL,
    ),
    row(
        "float_matmul",
        "x: f32[n,k], f: planes[o,k] -> f32[n,o]",
        binary_matmul,
        "(x * f).sum(k)",
        bquant=BQUANT_MATMUL,
    ),
    row(
        "integer_conv_2d",
        "x: codes[n,h,w,c], f: even_planes[o,p,q,k] -> i32[n,i,j,o]",
        integer_convolve,
        "Exact(0)",
        weight=3,
        bquant=BQUANT_CONV_2D,
    ),
    row(
        "integer_matmul",
        "x: codes[n,k], f: even_planes[o,k] -> i32[n,o]",
        integer_matmul,
        "Exact(0)",
        weight=2,
        bquant=BQUANT_MATMUL,
    ),
    row(
        "float_of_integers",
        "x: i32[*r] -> f32[*r]",
        None,
        "Exact(2**20)",
        mlir="${y} = arith.sitofp ${x} : ${x.type} to ${y.type}",
        tosa="${y} = tosa.cast ${x} : (${x.type}) -> ${y.type}",
    ),
    row(
        "batched_binary_matmul",
        "x: codes[n,m,k], f: planes[n,o,k] -> f32[n,m,o]",
        features_of_each,
        "(x * f).sum(k)",
        bquant=BQUANT_MATMUL,
    ),
    row(
        "max_pool_codes",
        "x: codes[n,h,w,c] -> codes[n,i,j,c]",
        pool_codes,
        "x",
        weight=2,
        bquant="""
            ${y} = bquant.max_pool_2d ${x} window = [${p}, ${q}] """
        + BQUANT_GEOMETRY
        + """ : ${x.type} -> ${y.type}""",
    ),
]
