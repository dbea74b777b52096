"""What is written in TOSA alone."""

import numpy as np

from .draw import CHANNELS, FEATURES
from .grammar import row
from .values import require


def draw_axis(d):
    """Any dimension but the batch."""
    d.axis = d.pick(1, len(d.r))
    d.size = d.r[d.axis - 1]
    d.before, d.after = d.r[: d.axis - 1], d.r[d.axis :]


def reduce(d):
    draw_axis(d)
    d.u = (*d.before, 1, *d.after)


def index_of_most(d):
    """Of numbers: where NaN is, is open."""
    require(d.exact)
    draw_axis(d)
    d.u = (*d.before, *d.after)


def tile(d):
    draw_axis(d)
    times = d.one_of(1, 2, 3)
    d.times = [1] * (len(d.r) + 1)
    d.times[d.axis] = times
    d.u = (*d.before, d.size * times, *d.after)


def cut(d):
    draw_axis(d)
    first = d.pick(0, d.size - 1)
    count = d.pick(1, d.size - first)
    d.firsts = [0] * (len(d.r) + 1)
    d.firsts[d.axis] = first
    d.u = (*d.before, count, *d.after)


def pad_any(d):
    draw_axis(d)
    before, after = d.pick(0, 2), d.pick(0, 3)
    d.pads = [0] * (2 * len(d.r) + 2)
    d.pads[2 * d.axis : 2 * d.axis + 2] = before, after
    d.u = (*d.before, before + d.size + after, *d.after)
    d.value = d.one_of(0.0, 0.0, 1.0, -1.0)


def concatenate_any(d):
    draw_axis(d)
    d.u = (*d.before, 2 * d.size, *d.after)


def gather(d):
    """Rows, some more than once."""
    d.m = d.pick(1, 6)
    d.at = d.rng.integers(0, d.k, (d.n, d.m)).astype(np.int32)


def convolve_transposed(d):
    d.p, d.q = d.one_of((1, 1), (2, 2), (3, 3), (2, 3), (4, 4))
    d.s, d.t = d.one_of((1, 1), (2, 2), (2, 1), (3, 3))
    d.k, d.o = d.c, d.one_of(*CHANNELS[:8])
    d.pads = tuple(d.pick(1 - taps, 1) for taps in (d.p, d.p, d.q, d.q))
    d.i = (d.h - 1) * d.s + d.p + d.pads[0] + d.pads[1]
    d.j = (d.w - 1) * d.t + d.q + d.pads[2] + d.pads[3]


def to_integers(d):
    """The specification has no value for NaN."""
    require(d.exact and d.x.exact.bound >> d.x.exact.step < 2**12)


def multiply_bytes(d):
    require(d.exact)
    d.o = d.one_of(*FEATURES)
    d.left, d.right = d.one_of(0, 0, 3, -128), d.one_of(0, 0, -1, 100)


def rescale(d):
    """By a factor below 1; the result has a zero point."""
    multiply_bytes(d)
    d.factor = np.full(1, d.pick(2**30, 2**31 - 1), np.int32)
    d.shift = d.pick(32, 40)
    d.zero = d.one_of(0, 0, 5, -128)


def compare(d):
    d.op, d.low, d.high = d.one_of(
        ("greater", 1.0, -1.0), ("greater_equal", 1.0, 0.0), ("equal", 0.5, 2.0)
    )


def map_integers(d):
    d.op = d.one_of("add", "sub", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor")
    d.number = np.full((1,) * len(d.r), d.one_of(0, 1, -1, 3, 100), np.int32)


NO_ZERO = "${full(0, 'int8')}"
BYTES = f"""
    %scaled = tosa.mul ${{x}}, ${{splat(x, 4)}}, {NO_ZERO} : (${{x.type}}, ${{x.type}}, tensor<1xi8>) -> ${{x.type}}
    %most = tosa.clamp %scaled {{min_val = -128.0 : f32, max_val = 127.0 : f32}} : (${{x.type}}) -> ${{x.type}}
    %byte = tosa.cast %most : (${{x.type}}) -> ${{x.type_of('i8')}}
    %matrix = tosa.reshape %byte, ${{numbers([1, n, k])}} : (${{x.type_of('i8')}}, !tosa.shape<3>) -> tensor<1x${{n}}x${{k}}xi8>
    %product = tosa.matmul %matrix, ${{reshape(f.by('ko'), (1, k, o))}}, ${{full(left, 'int8')}}, ${{full(right, 'int8')}}
    : (tensor<1x${{n}}x${{k}}xi8>, tensor<1x${{k}}x${{o}}xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x${{n}}x${{o}}xi32>"""


ROWS = [
    *(
        row(
            f"reduce_{name}",
            "x: f32[n,*r] -> f32[n,*u]",
            reduce,
            exact,
            tosa=f"${{y}} = tosa.reduce_{name} ${{x}} {{axis = ${{axis}} : i32}} : (${{x.type}}) -> ${{y.type}}",
        )
        for name, exact in (("sum", "x.sum(size)"), ("max", "x"), ("min", "x"))
    ),
    row(
        "argmax",
        "x: f32[n,*r] -> i32[n,*u]",
        index_of_most,
        "Exact(0)",
        tosa="${y} = tosa.argmax ${x} {axis = ${axis} : i32} : (${x.type}) -> ${y.type}",
    ),
    row(
        "reverse",
        "x: f32[n,*r] -> f32[n,*r]",
        draw_axis,
        "x",
        tosa="${y} = tosa.reverse ${x} {axis = ${axis} : i32} : (${x.type}) -> ${y.type}",
    ),
    row(
        "tile",
        "x: f32[n,*r] -> f32[n,*u]",
        tile,
        "x",
        tosa="${y} = tosa.tile ${x}, ${numbers(times)} : (${x.type}, !tosa.shape<${len(times)}>) -> ${y.type}",
    ),
    row(
        "cut",
        "x: f32[n,*r] -> f32[n,*u]",
        cut,
        "x",
        tosa="${y} = tosa.slice ${x}, ${numbers(firsts)}, ${sizes(y)} : (${x.type}, !tosa.shape<${len(firsts)}>, !tosa.shape<${len(firsts)}>) -> ${y.type}",
    ),
    row(
        "pad_any",
        "x: f32[n,*r] -> f32[n,*u]",
        pad_any,
        "x | Exact(1)",
        tosa="${y} = tosa.pad ${x}, ${numbers(pads)}, ${full(value)} : (${x.type}, !tosa.shape<${len(pads)}>, tensor<1xf32>) -> ${y.type}",
    ),
    row(
        "concatenate_any",
        "x: f32[n,*r], z: f32[n,*r] -> f32[n,*u]",
        concatenate_any,
        "x | z",
        tosa="${y} = tosa.concat ${x}, ${z} {axis = ${axis} : i32} : (${x.type}, ${z.type}) -> ${y.type}",
    ),
    row(
        "gather",
        "x: f32[n,k,c] -> f32[n,m,c]",
        gather,
        "x",
        tosa="${y} = tosa.gather ${x}, ${constant(at)} : (${x.type}, tensor<${n}x${m}xi32>) -> ${y.type}",
    ),
    row(
        "transpose_conv2d",
        "x: image[n,h,w,c], f: filter[o,p,q,k] -> image[n,i,j,o]",
        convolve_transposed,
        "(x * f).sum(p * q * k)",
        weight=2,
        tosa="""
            ${y} = tosa.transpose_conv2d ${x}, ${f}, ${zeros(o)}, ${zeros(1)}, ${zeros(1)} {acc_type = f32,
            out_pad = array<i64: ${pads[0]}, ${pads[1]}, ${pads[2]}, ${pads[3]}>, stride = array<i64: ${s}, ${t}>}
            : (${x.type}, ${f.type}, tensor<${o}xf32>, tensor<1xf32>, tensor<1xf32>) -> ${y.type}""",
    ),
    row(
        "compare_and_select",
        "x: f32[*r], z: f32[*r] -> f32[*r]",
        compare,
        "Exact(4, 1)",
        tosa="""
            %which = tosa.${op} ${x}, ${z} : (${x.type}, ${z.type}) -> ${x.type_of('i1')}
            %not = tosa.logical_not %which : (${x.type_of('i1')}) -> ${x.type_of('i1')}
            ${y} = tosa.select %not, ${splat(x, low)}, ${splat(x, high)} : (${x.type_of('i1')}, ${x.type}, ${x.type}) -> ${y.type}""",
    ),
    row(
        "integers_of_floats",
        "x: f32[*r] -> i32[*r]",
        to_integers,
        "Exact(0)",
        weight=2,
        tosa="${y} = tosa.cast ${x} : (${x.type}) -> ${y.type}",
    ),
    row(
        "map_integers_of_tosa",
        "x: i32[*r] -> i32[*r]",
        map_integers,
        "Exact(0)",
        tosa="""
            ${y} = tosa.${op} ${x}, ${constant(number)} : (${x.type}, ${tensor(number.shape, 'i32')}) -> ${y.type}""",
    ),
    row(
        "signs_of_integers",
        "x: i32[*r] -> f32[*r]",
        None,
        "Exact(1)",
        tosa="""
            %zero = tosa.bitwise_xor ${x}, ${x} : (${x.type}, ${x.type}) -> ${x.type}
            %which = tosa.greater_equal ${x}, %zero : (${x.type}, ${x.type}) -> ${x.type_of('i1')}
            ${y} = tosa.select %which, ${splat(y, 1.0)}, ${splat(y, -1.0)} : (${x.type_of('i1')}, ${y.type}, ${y.type}) -> ${y.type}""",
    ),
    row(
        "multiply_bytes_with_zero_points",
        "x: f32[n,k], f: bytes[o,k] -> i32[n,o]",
        multiply_bytes,
        "Exact(0)",
        tosa=BYTES
        + "\n    ${y} = tosa.reshape %product, ${sizes(y)} : (tensor<1x${n}x${o}xi32>, !tosa.shape<2>) -> ${y.type}",
    ),
    row(
        "rescale_bytes",
        "x: f32[n,k], f: bytes[o,k] -> f32[n,o]",
        rescale,
        "Exact(128)",
        tosa=BYTES
        + """
            %sum = tosa.reshape %product, ${sizes(y)} : (tensor<1x${n}x${o}xi32>, !tosa.shape<2>) -> ${y.type_of('i32')}
            %code = tosa.rescale %sum, ${constant(factor)}, ${full(shift, 'int8')}, ${zeros(1, 'int32')}, ${full(zero, 'int8')}
            {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false}
            : (${y.type_of('i32')}, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> ${y.type_of('i8')}
            ${y} = tosa.cast %code : (${y.type_of('i8')}) -> ${y.type}""",
    ),
]  # fmt: skip
