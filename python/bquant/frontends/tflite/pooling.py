"""Windows, reductions and softmax of TensorFlow Lite, N x H x W x C."""

from __future__ import annotations

from ..common.operators import pooling, reductions
from . import integers, quantized
from .context import Op, lowering, numbers, window
from .elementwise import activate


def _window(op: Op, x):
    kernel = [op.get("FilterHeight"), op.get("FilterWidth")]
    stride = [op.get("StrideH"), op.get("StrideW")]
    low, high = window(op.get("Padding"), x.shape[1:3], op.c.shape[1:3], kernel, stride)
    return kernel, stride, low, high, [1, 1]


@lowering("MAX_POOL_2D")
def max_pool(op: Op, x):
    result = pooling.max_pool(op.c, x, *_window(op, x), layout="nhwc")
    return activate(op.c, result, op.activation)


@lowering("AVERAGE_POOL_2D")
def average_pool(op: Op, x):
    of_codes = integers.averages(op, x)
    if of_codes:  # An average of codes often lies halfway between two of them.
        x = quantized.whole(op.context(x.shape), x)
    result = pooling.average_pool(op.c, x, *_window(op, x), count_padding=False, layout="nhwc")
    if of_codes:
        return integers.average(op, result)
    return activate(op.c, result, op.activation)


@lowering("MEAN")
def mean(op: Op, x, dims):
    return reductions.mean(op.c, x, numbers(dims, "dimensions"))


def _reduction(name: str, kind):
    @lowering(name)
    def lower(op: Op, x, dims):
        return reductions.reduce(op.c, x, numbers(dims, "dimensions"), kind)


for _name, _kind in {
    "SUM": reductions.SUM,
    "REDUCE_MAX": reductions.MAXIMUM,
    "REDUCE_MIN": reductions.MINIMUM,
    "REDUCE_PROD": reductions.PRODUCT,
}.items():
    _reduction(_name, _kind)


@lowering("SOFTMAX")
def softmax(op: Op, x):
    beta = op.get("Beta", 1.0)
    if beta != 1.0:
        x = op.c.elementwise(lambda b, x: b("arith.mulf", x, b.number(beta)), x)
    return reductions.softmax(op.c, x, -1)


@lowering("LOG_SOFTMAX")
def log_softmax(op: Op, x):
    return reductions.log_softmax(op.c, x, -1)
