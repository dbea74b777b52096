"""Convolutions and matrix products of TensorFlow Lite, N x H x W x C by O x H x W x I."""

from __future__ import annotations

import numpy as np

from ..common.operators import products as emit
from ..common.operators.context import Operand, array, constant
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from . import integers
from .context import Op, window


@operator(tflite="CONV_2D")
def conv_2d(op: Op, x, weight, bias=None):
    groups, rest = divmod(x.shape[3], weight.shape[3])
    if rest or weight.shape[0] % groups:
        raise UnsupportedOp(
            f"expected channels in groups of {weight.shape[3]}, but got {x.shape[3]}"
        )
    places = (*op.windows(x, weight.shape[1:3]), groups)
    if integers.multiplies(op, x, weight, bias):
        return integers.multiply(op, x, weight, bias, _convolve(*places))
    return emit.add_bias(op, emit.convolve_nhwc(op, x, weight, *places), bias, -1)


def _convolve(*places):
    return lambda c, x, filters, fill, zero: emit.convolve_nhwc(c, x, filters, *places, fill, zero)


@operator(tflite="DEPTHWISE_CONV_2D")
def depthwise_conv_2d(op: Op, x, weight, bias=None):
    """Filters 1 x H x W x (C M): output c M + m is of input c."""
    filters = array(weight, "filters")
    if filters.shape[0] != 1 or filters.shape[3] % x.shape[3]:
        raise ValueError(f"filters {list(filters.shape)} for {x.shape[3]} channels")
    places = (*op.windows(x, weight.shape[1:3]), x.shape[3])
    if integers.multiplies(op, x, weight, bias):
        return integers.multiply(op, x, weight, bias, _convolve(*places), _each)
    result = emit.convolve_nhwc(op, x, constant(_each(filters), weight.hint), *places)
    return emit.add_bias(op, result, bias, -1)


def _each(filters: np.ndarray) -> np.ndarray:
    """1 x H x W x O as O x H x W x 1."""
    return np.ascontiguousarray(filters[0].transpose(2, 0, 1)[..., np.newaxis])


@operator(tflite="TRANSPOSE_CONV")
def transpose_conv(op: Op, _, weight, x, bias=None):
    """By way of N x C x H x W, in which the emitter takes filters I x O x K x L. It is padded as
    the convolution of which it is the gradient."""
    filters = np.ascontiguousarray(array(weight, "filters").transpose(3, 0, 1, 2))
    stride, out, w = [op.get("StrideH"), op.get("StrideW")], op.shape, op.writer
    low, _ = window(op.get("Padding"), out[1:3], x.shape[1:3], weight.shape[1:3], stride)
    result = emit.convolve_transposed(
        op.context((out[0], out[3], out[1], out[2])),
        w.transpose(op.value(x), [0, 3, 1, 2]),
        constant(filters, weight.hint),
        bias=None,
        stride=stride,
        before=low,
        dilation=[1, 1],
        groups=1,
    )
    return emit.add_bias(op, w.transpose(result, [0, 2, 3, 1]), bias, -1)


@operator(tflite="FULLY_CONNECTED")
def fully_connected(op: Op, x, weight, bias=None):
    if op.get("WeightsFormat", 0):
        raise UnsupportedOp("expected weights in the default format")
    if integers.multiplies(op, x, weight, bias):
        return integers.multiply(
            op, x, weight, bias, lambda c, x, y, _, zero: emit.linear(c, x, y, zero)
        )
    return emit.add_bias(op, emit.linear(op, x, weight), bias, -1)


@operator(tflite="BATCH_MATMUL")
def batch_matmul(op: Op, x, y):
    def turned(operand: Operand, turn: bool):
        if not turn:
            return operand
        rank = len(operand.shape)
        order = [*range(rank - 2), rank - 1, rank - 2]
        return op.writer.transpose(op.value(operand), order)

    return emit.matmul(op, turned(x, op.get("AdjX", False)), turned(y, op.get("AdjY", False)))
