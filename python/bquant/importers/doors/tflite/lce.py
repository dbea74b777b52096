"""Larq Compute Engine's operators. A bit is 1 for -1, channel c is bit c mod 32 of word c div 32;
here words are signs, +1 and -1, as floats, which the compiler packs in its own way.
"""

from __future__ import annotations

import numpy as np

from ... import UnsupportedOp
from ...linalg import pooling, products
from ...linalg.context import Context, constant
from .context import SAME, Op, array, lowering, padding
from .elementwise import activate

# The name of an operator to the channels of its output, where that is packed words.
PACKED = ("LceQuantize", "LceBconv2d", "LceBMaxPool2d")


@lowering("LceQuantize")
def quantize(op: Op, x):
    """The sign of numbers. (Of NaN it is +1 in the engine, and -1 here.)"""
    return _sign(op.c, x)


def _sign(c: Context, x):
    return c.elementwise(
        lambda b, x: b.select(b.compare("oge", x, b.number(0.0)), b.number(1.0), b.number(-1.0)), x
    )


@lowering("LceDequantize")
def dequantize(op: Op, x):
    return x


def unpack(words: np.ndarray, channels: int) -> np.ndarray:
    """int32 (.., ceil(channels / 32)) to +1 and -1, float32 (.., channels)."""
    raw = np.ascontiguousarray(words.astype("<i4")).view(np.uint8)
    bits = np.unpackbits(raw, axis=-1, bitorder="little")[..., :channels]
    return np.where(bits, np.float32(-1), np.float32(1))


@lowering("LceBconv2d")
def conv(op: Op, x, filters, multiplier=None, bias=None, thresholds=None):
    """activation(product) * multiplier + bias in floats; or the signs of words, by thresholds on
    the number of bits that differ."""
    words = array(filters, "filters")
    channels = op.get("channels_in")
    if x.shape[3] != channels:
        raise UnsupportedOp(f"expected {channels} channels, but the input has {x.shape[3]}")
    # A filter has the channels of its group.
    groups, each = 1, channels
    while words.shape[3] != -(-each // 32):
        groups *= 2
        each = channels // groups
        if each * groups != channels or groups > channels:
            raise UnsupportedOp(f"expected words of {channels} channels or of groups of them")
    kernel = words.shape[1:3]
    weight = constant(unpack(words, each), filters.hint)
    weight.signs = False
    stride = [op.get("stride_height"), op.get("stride_width")]
    dilation = [op.get("dilation_height_factor"), op.get("dilation_width_factor")]
    mode, pad_value = op.get("padding"), op.get("pad_values")
    low, high = padding(mode, x.shape[1:3], op.c.shape[1:3], kernel, stride, dilation)
    image = x
    if mode == SAME and pad_value == 1 and any([*low, *high]):
        image = op.writer.pad(op.c.value(x), [0, *low, 0], [0, *high, 0], 1.0)
        low = high = [0, 0]
    elif pad_value not in (0, 1):
        raise UnsupportedOp(f"expected a pad value of 0 or 1, but got {pad_value}")
    c = op.c
    result = products.convolve_nhwc(c, image, weight, stride, low, high, dilation, groups)
    if thresholds is not None:
        bound = _signs_from(array(thresholds, "thresholds"), each * kernel[0] * kernel[1])
        moved = c.elementwise(
            lambda b, y, t: b("arith.subf", y, t),
            result,
            c.channels(constant(bound, thresholds.hint), 3),
        )
        return _sign(c, moved)
    result = activate(c, result, op.get("fused_activation_function", 0))
    for operand, name in ((multiplier, "arith.mulf"), (bias, "arith.addf")):
        if operand is not None:
            result = c.elementwise(
                lambda b, y, v, name=name: b(name, y, v), result, c.channels(operand, 3)
            )
    return result


def _signs_from(thresholds: np.ndarray, size: int) -> np.ndarray:
    """A bit of the result is 1, -1, where more than t bits differ: where the product, `size` less
    twice these, is below size - 2t."""
    bound = size - 2 * thresholds.astype(np.int64)
    return np.clip(bound, -size - 1, size + 1).astype(np.float32)


@lowering("LceBMaxPool2d")
def max_pool(op: Op, x):
    kernel = [op.get("filter_height"), op.get("filter_width")]
    stride = [op.get("stride_height"), op.get("stride_width")]
    low, high = padding(op.get("padding"), x.shape[1:3], op.c.shape[1:3], kernel, stride, (1, 1))
    return pooling.max_pool(op.c, x, kernel, stride, low, high, [1, 1], layout="nhwc")
