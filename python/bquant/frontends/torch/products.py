"""Convolutions and matrix products."""

from __future__ import annotations

from ..common.operators import codes, integers, products
from ..common.operators.context import Context
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from ..common.windows import same_padding


def _each(value, rank: int) -> tuple[int, ...]:
    """A number for each direction of a tensor, of as many or one for all."""
    values = (value,) if isinstance(value, int) else tuple(value)
    return values if len(values) == rank - 2 else values * (rank - 2)


def _convolve(c: Context, x, weight, bias, stride, low, high, dilation, groups):
    rank = len(c.shape)
    window = _each(stride, rank), low, high, _each(dilation, rank), groups

    def of_codes(c, *operands):
        return integers.convolve(c, *operands, *window)

    if rank == len(x.shape) == len(weight.shape) and rank in (3, 4):
        each = groups == x.shape[1]
        if found := codes.multiply(c, x, weight, bias, 0, 1, of_codes, each):
            return products.add_bias(c, *found, 1)
    return products.convolve(c, x, weight, bias, *window)


@operator(torch=("aten.conv1d.default", "aten.conv2d.default"))
def conv(c: Context, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    padding = _each(padding, len(c.shape))
    return _convolve(c, x, weight, bias, stride, padding, padding, dilation, groups)


@operator(torch=("aten.conv1d.padding", "aten.conv2d.padding"))
def conv_named_padding(
    c: Context, x, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1
):
    low = high = [0] * (len(c.shape) - 2)
    if padding == "same":  # of strides of 1
        dilations = _each(dilation, len(c.shape))
        windows = weight.shape[2:], [1] * len(dilations), dilations
        low, high = same_padding(x.shape[2:], c.shape[2:], *windows)
    return _convolve(c, x, weight, bias, stride, low, high, dilation, groups)


@operator(torch="aten.convolution.default")
def convolution(
    c: Context, x, weight, bias, stride, padding, dilation, transposed, output_padding, groups
):
    if transposed:
        if weight.constant is None:
            raise UnsupportedOp("expected constant filters of a transposed convolution")
        rank = len(c.shape)
        steps = _each(stride, rank), _each(padding, rank), _each(dilation, rank)
        return products.convolve_transposed(c, x, weight, bias, *steps, groups)
    return conv(c, x, weight, bias, stride, padding, dilation, groups)


@operator(torch="aten.linear.default")
def linear(c: Context, x, weight, bias=None):
    if len(weight.shape) == 1:  # torch takes no bias then
        return products.matmul(c, x, weight)
    last = len(c.shape) - 1
    if found := codes.multiply(c, x, weight, bias, 0, last, integers.linear):
        return products.add_bias(c, *found, -1)
    return products.add_bias(c, products.linear(c, x, weight), bias, -1)


@operator(torch="aten.addmm.default")
def addmm(c: Context, bias, x, y, beta=1, alpha=1):
    if beta != 1 or alpha != 1:
        raise UnsupportedOp(f"expected beta = alpha = 1, but got {beta} and {alpha}")
    product = products.product(c, x, y)
    return c.elementwise(lambda b, x, y: b("add", x, y), product, bias)
