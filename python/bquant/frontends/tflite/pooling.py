"""Windows, reductions and softmax of TensorFlow Lite, N x H x W x C."""

from __future__ import annotations

from ..common.operators import pooling
from ..common.table import operator
from . import integers, quantized
from .context import Op


def _window(op: Op, x):
    kernel = [op.get("FilterHeight"), op.get("FilterWidth")]
    return kernel, *op.windows(x, kernel)


@operator(tflite="MAX_POOL_2D")
def max_pool(op: Op, x):
    return pooling.max_pool(op, x, *_window(op, x), layout="nhwc")


@operator(tflite="AVERAGE_POOL_2D")
def average_pool(op: Op, x):
    of_codes = integers.averages(op, x)
    if of_codes:  # An average of codes often lies halfway between two of them.
        x = quantized.whole(op.context(x.shape), x)
    result = pooling.average_pool(op, x, *_window(op, x), count_padding=False, layout="nhwc")
    return integers.average(op, result) if of_codes else result
