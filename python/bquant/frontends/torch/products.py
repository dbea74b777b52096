"""Convolutions and matrix products."""

from __future__ import annotations

from ..common.operators import products
from ..common.operators.context import Context
from ..common.shapes import UnsupportedOp
from .context import lowering


def _each(value, rank: int) -> tuple[int, ...]:
    """A number for each direction of a tensor, of as many or one for all."""
    values = (value,) if isinstance(value, int) else tuple(value)
    return values if len(values) == rank - 2 else values * (rank - 2)


def _convolve(c: Context, x, weight, bias, stride, low, high, dilation, groups):
    rank = len(c.shape)
    stride, dilation = _each(stride, rank), _each(dilation, rank)
    return products.convolve(c, x, weight, bias, stride, low, high, dilation, groups)


@lowering("aten.conv1d.default", "aten.conv2d.default")
def conv(c: Context, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    padding = _each(padding, len(c.shape))
    return _convolve(c, x, weight, bias, stride, padding, padding, dilation, groups)


@lowering("aten.conv1d.padding", "aten.conv2d.padding")
def conv_named_padding(
    c: Context, x, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1
):
    kernel, dilations = weight.shape[2:], _each(dilation, len(c.shape))
    total = [
        d * (k - 1) if padding == "same" else 0 for d, k in zip(dilations, kernel, strict=True)
    ]
    low = [t // 2 for t in total]
    high = [t - a for t, a in zip(total, low, strict=True)]
    return _convolve(c, x, weight, bias, stride, low, high, dilation, groups)


@lowering("aten.convolution.default")
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


@lowering("aten.linear.default")
def linear(c: Context, x, weight, bias=None):
    return products.add_bias(c, products.linear(c, x, weight), bias, -1)


lowering("aten.matmul.default", "aten.mm.default", "aten.bmm.default")(products.matmul)


@lowering("aten.addmm.default")
def addmm(c: Context, bias, x, y, beta=1, alpha=1):
    if beta != 1 or alpha != 1:
        raise UnsupportedOp(f"expected beta = alpha = 1, but got {beta} and {alpha}")
    product = products.product(c, x, y)
    return c.elementwise(lambda b, x, y: b("arith.addf", x, y), product, bias)
