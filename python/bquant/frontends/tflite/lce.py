"""Larq Compute Engine's operators. A bit is 1 for -1, channel c is bit c mod 32 of word c div 32;
here words are signs, +1 and -1, as floats, which the compiler packs in its own way. What else reads
words (an output, another operator) gets them by `to_words`, and what else writes them is read by
`to_signs`.
"""

from __future__ import annotations

import numpy as np

from ..common.operators import pooling, products, shapes
from ..common.operators.context import Context, array, constant
from ..common.shapes import TensorType, UnsupportedOp
from ..common.table import operator
from .context import SAME, Op, window
from .elementwise import activate
from .load import Operator, Tensor

BITS = 32  # of a word
READERS = ("LceDequantize", "LceBconv2d", "LceBMaxPool2d")  # of words, as their first operand


def channels_read(operator: Operator, words: Tensor, result: Tensor) -> int:
    """How many channels an operator takes its words for. A maximum is one of each bit, whatever it
    stands for."""
    if operator.name == "LceBconv2d":
        return operator.options.get("channels_in", 0)
    if operator.name == "LceDequantize":
        return result.shape[-1] if result.shape else 0
    return BITS * words.shape[-1] if words.shape else 0


def channels_written(operator: Operator, operands, result: Tensor) -> int | None:
    """How many channels the words of a result have; None for one of other values."""
    first = operands[0] if operands else None
    if operator.name in ("LceQuantize", "LceBMaxPool2d") and first is not None and first.shape:
        return first.shape[-1]
    if operator.name == "LceBconv2d" and result.type == "int32":
        filters = operands[1] if len(operands) > 1 else None
        return filters.shape[0] if filters is not None and filters.shape else 0
    return None


def check_words(tensor: Tensor, channels: int) -> None:
    words = tensor.shape[-1] if tensor.shape else 0
    if tensor.type != "int32" or channels < 1 or words != -(-channels // BITS):
        raise ValueError(
            f"expected words of {channels} channels as '{tensor.name}', but got {tensor.type} "
            f"{list(tensor.shape)}"
        )


def _masks(c: Context):
    """A bit each."""
    return c.value(
        constant((1 << np.arange(BITS, dtype=np.int64)).astype(np.uint32).view(np.int32))
    )


def to_signs(c: Context, words):
    """Words as signs of the channels that `c` has."""
    w, shape, last = c.writer, words.shape, len(words.shape)
    bits = w.elementwise(
        lambda b, x, mask: b.select(
            b.compare("oeq", b("arith.andi", x, mask), b.number(0)),
            b.number(1.0, "f32"),
            b.number(-1.0, "f32"),
        ),
        [(c.value(words), list(range(last))), (_masks(c), [last])],
        TensorType((*shape, BITS)),
        "i32",
    )
    flat = w.reshape(bits, (*shape[:-1], shape[-1] * BITS))
    if flat.shape != c.shape:
        flat = shapes.part(c, flat, last - 1, 0, c.shape[-1])
    return _sign(c, flat)


def to_words(c: Context, signs):
    """Signs as the words that `c` has; bits beyond the channels are 0."""
    w, (*others, channels), words = c.writer, signs.shape, c.shape[-1]
    rank = len(c.shape)
    low, high = [0] * rank, [0] * (rank - 1) + [BITS * words - channels]
    whole = w.pad(c.value(signs), low, high, 1.0)

    def build(b, x, mask, word):
        bit = b.select(b.compare("olt", x, b.number(0.0, "f32")), mask, b.number(0))
        return b("arith.ori", word, bit)

    return w.generic(
        build,
        [w.reshape(whole, (*others, words, BITS)), _masks(c)],
        [range(rank + 1), [rank]],
        w.fill(0, c.type),
        range(rank),
        "i32",
    )


@operator(tflite="LceQuantize")
def quantize(op: Op, x):
    """The sign of numbers, +1 of true. (Of NaN it is +1 in the engine, and -1 here.)"""
    if x.element == "i1":
        return op.elementwise(lambda b, x: b.select(x, b.number(1.0), b.number(-1.0)), x)
    return _sign(op, x)


def _sign(c: Context, x):
    return c.elementwise(
        lambda b, x: b.select(b.compare("oge", x, b.number(0.0)), b.number(1.0), b.number(-1.0)), x
    )


@operator(tflite="LceDequantize")
def dequantize(op: Op, x):
    if op.type.element == "i1":
        return op.elementwise(lambda b, x: b.compare("oge", x, b.number(0.0)), x)
    return x


def unpack(words: np.ndarray, channels: int) -> np.ndarray:
    """int32 (.., ceil(channels / 32)) to +1 and -1, float32 (.., channels)."""
    raw = np.ascontiguousarray(words.astype("<i4")).view(np.uint8)
    bits = np.unpackbits(raw, axis=-1, bitorder="little")[..., :channels]
    return np.where(bits, np.float32(-1), np.float32(1))


def _filters(op: Op, operand) -> tuple[np.ndarray, int]:
    """+1 and -1, and how many groups there are. Each filter has the channels of its group, which
    fill whole words where there are several."""
    words, channels = array(operand, "filters"), op.get("channels_in")
    if words.ndim != 4 or words.dtype != np.int32:
        raise ValueError(f"expected filters O x H x W x words, but got {list(words.shape)}")
    each = channels if words.shape[3] == -(-channels // BITS) else BITS * words.shape[3]
    if channels % each or words.shape[0] % (channels // each):
        raise UnsupportedOp(
            f"expected {channels} channels and {words.shape[0]} filters in groups of {each} "
            "channels"
        )
    return unpack(words, each), channels // each


@operator(tflite="LceBconv2d")
def conv(op: Op, x, filters, multiplier=None, bias=None, thresholds=None):
    """activation(product) * multiplier + bias in floats; or the signs of words, by thresholds on
    the number of bits that differ."""
    signs, groups = _filters(op, filters)
    if len(x.shape) != 4 or x.shape[3] != op.get("channels_in"):
        raise ValueError(f"expected {op.get('channels_in')} channels, but got {list(x.shape)}")
    c, weight = op, constant(signs, filters.hint)
    stride = [op.get("stride_height"), op.get("stride_width")]
    dilation = [op.get("dilation_height_factor"), op.get("dilation_width_factor")]
    mode, pad_value = op.get("padding"), op.get("pad_values")
    if pad_value not in (0, 1):
        raise UnsupportedOp(f"expected a pad value of 0 or 1, but got {pad_value}")
    low, high = window(mode, x.shape[1:3], c.shape[1:3], signs.shape[1:3], stride, dilation)
    image = x
    if mode == SAME and pad_value == 1:
        image = op.writer.pad(c.value(x), [0, *low, 0], [0, *high, 0], 1.0)
        low = high = [0, 0]
    result = products.convolve_nhwc(c, image, weight, stride, low, high, dilation, groups)
    if thresholds is not None:
        size = signs[0].size
        return _signs_from(c, result, _bounds(array(thresholds, "thresholds"), size))
    result = activate(c, result, op.get("fused_activation_function", 0))
    if multiplier is None or bias is None:
        raise ValueError("expected a multiplier and a bias, but got none")
    return _scaled(c, result, signs[0].size, multiplier, bias)


def _scaled(c: Context, result, size: int, multiplier, bias):
    """result * m + b as the engine rounds it, which scales what is missing to the largest product:
    (result - size) * m + (b + size * m), the last in double precision, then a float."""
    m = array(multiplier, "multipliers").astype(np.float64)
    moved = (array(bias, "biases") + size * m).astype(np.float32)
    return c.elementwise(
        lambda b, y, v, w: b("add", b("mul", b("sub", y, b.number(float(size))), v), w),
        result,
        c.channels(multiplier, 3),
        c.channels(constant(moved, bias.hint), 3),
    )


def _signs_from(c: Context, result, bounds: np.ndarray):
    """+1 where the product is not below the bound of its channel."""
    moved = c.elementwise(
        lambda b, y, t: b("sub", y, t), result, c.channels(constant(bounds, "bounds"), 3)
    )
    return _sign(c, moved)


def _bounds(thresholds: np.ndarray, size: int) -> np.ndarray:
    """A bit of the result is 1, -1, where more than t bits differ: where the product, `size` less
    twice these, is below size - 2t. Products are whole numbers between -size and size."""
    bound = size - 2 * thresholds.astype(np.int64)
    return np.clip(bound, -size - 1, size + 1).astype(np.float32)


@operator(tflite="LceBMaxPool2d")
def max_pool(op: Op, x):
    kernel = [op.get("filter_height"), op.get("filter_width")]
    stride = [op.get("stride_height"), op.get("stride_width")]
    low, high = window(op.get("padding"), x.shape[1:3], op.shape[1:3], kernel, stride)
    return pooling.max_pool(op, x, kernel, stride, low, high, [1, 1], layout="nhwc")
