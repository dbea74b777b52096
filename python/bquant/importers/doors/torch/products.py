"""Convolutions and matrix products. A bias is added after the product, by its own operation."""

from __future__ import annotations

import math

from ... import UnsupportedOp
from ...shapes import TensorType
from .context import Context, Operand, lowering, pair, positive


@lowering("aten.conv2d.default")
def conv2d(c: Context, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    ph, pw = pair(padding)
    return _conv2d(c, x, weight, bias, stride, (ph, pw), (ph, pw), dilation, groups)


@lowering("aten.conv2d.padding")
def conv2d_named_padding(
    c: Context, x, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1
):
    low = high = (0, 0)
    if padding == "same":
        total = [d * (k - 1) for d, k in zip(pair(dilation), weight.shape[2:], strict=True)]
        low = [t // 2 for t in total]
        high = [t - a for t, a in zip(total, low, strict=True)]
    return _conv2d(c, x, weight, bias, stride, low, high, dilation, groups)


@lowering("aten.conv1d.default")
def conv1d(c: Context, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    (p,) = _single(padding)
    return _conv1d(c, x, weight, bias, stride, p, p, dilation, groups)


@lowering("aten.conv1d.padding")
def conv1d_named_padding(
    c: Context, x, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1
):
    total = _single(dilation)[0] * (weight.shape[2] - 1) if padding == "same" else 0
    low = total // 2
    return _conv1d(c, x, weight, bias, stride, low, total - low, dilation, groups)


@lowering("aten.convolution.default")
def convolution(
    c: Context, x, weight, bias, stride, padding, dilation, transposed, output_padding, groups
):
    if transposed:
        raise UnsupportedOp("transposed convolutions are not supported")
    if len(x.shape) not in (3, 4):
        raise UnsupportedOp(
            f"expected N x C x W or N x C x H x W, but got {len(x.shape)} dimensions"
        )
    same = conv1d if len(x.shape) == 3 else conv2d
    return same(c, x, weight, bias, stride, padding, dilation, groups)


def _single(values) -> tuple[int]:
    """One number, given as such or as a list of one."""
    return (values,) if isinstance(values, int) else tuple(values)


def _conv2d(c: Context, x, weight, bias, stride, low, high, dilation, groups):
    if len(x.shape) != 4:
        raise UnsupportedOp(f"expected N x C x H x W, but got {len(x.shape)} dimensions")
    image, filters = c.value(x), c.value(weight)
    result = _convolve(c, image, filters, c.shape, stride, low, high, dilation, groups)
    return _add_bias(c, result, bias, 1)


def _conv1d(c: Context, x, weight, bias, stride, low, high, dilation, groups):
    """An image of height 1."""
    if len(x.shape) != 3:
        raise UnsupportedOp(f"expected N x C x W, but got {len(x.shape)} dimensions")
    w = c.writer

    def flat(value):
        return w.reshape(value, [*value.shape[:2], 1, value.shape[2]])

    n, filters, width = c.shape
    result = _convolve(
        c,
        flat(c.value(x)),
        flat(c.value(weight)),
        (n, filters, 1, width),
        (1, *_single(stride)),
        (0, low),
        (0, high),
        (1, *_single(dilation)),
        groups,
    )
    return _add_bias(c, w.reshape(result, c.shape), bias, 1)


def _convolve(c: Context, image, filters, out, stride, low, high, dilation, groups):
    """N x C x H x W by O x I x K x L to `out`, without a bias."""
    w = c.writer
    image = w.pad(image, [0, 0, *low], [0, 0, *high], 0.0)
    n, channels, height, width = image.shape
    name, type_ = "conv_2d_nchw_fchw", TensorType(tuple(out))
    if groups != 1:
        name = "conv_2d_ngchw_gfchw"
        image = w.reshape(image, [n, groups, channels // groups, height, width])
        filters = w.reshape(filters, [groups, out[1] // groups, *filters.shape[1:]])
        type_ = TensorType((n, groups, out[1] // groups, *out[2:]))
    init = w.fill(0.0, type_)

    def vector(values):
        return f"dense<{list(pair(values))}> : tensor<2xi64>"

    result = w.op(
        f"linalg.{name} {{dilations = {vector(dilation)}, strides = {vector(stride)}}} "
        f"ins({image.name}, {filters.name} : {image.type}, {filters.type}) "
        f"outs({init.name} : {type_}) -> {type_}",
        type_,
    )
    return w.reshape(result, out)


def _add_bias(c: Context, value, bias: Operand | None, dim: int):
    if bias is None:
        return value
    return c.elementwise(
        lambda b, x, y: b("arith.addf", x, y),
        value,
        c.channels(bias, positive(dim, len(c.shape))),
    )


@lowering("aten.linear.default")
def linear(c: Context, x, weight, bias=None):
    """The weights lie along the reduction, as torch has them: no transpose."""
    w = c.writer
    value, rhs = c.value(x), c.value(weight)
    depth, columns = rhs.shape[1], rhs.shape[0]
    rows = x.size // depth
    lhs = w.reshape(value, [rows, depth])
    type_ = TensorType((rows, columns))
    init = w.fill(0.0, type_)
    maps = ", ".join(f"affine_map<(d0, d1, d2) -> ({m})>" for m in ("d0, d2", "d1, d2", "d0, d1"))
    result = w.op(
        f"linalg.matmul indexing_maps = [{maps}] ins({lhs.name}, {rhs.name} : {lhs.type}, "
        f"{rhs.type}) outs({init.name} : {type_}) -> {type_}",
        type_,
    )
    return _add_bias(c, w.reshape(result, c.shape), bias, -1)


def _product(c: Context, lhs, rhs):
    """M x K by K x N, or a batch of either."""
    w = c.writer
    name = "matmul" if len(lhs.shape) == 2 else "batch_matmul"
    type_ = TensorType((*lhs.shape[:-1], rhs.shape[-1]))
    init = w.fill(0.0, type_)
    return w.op(
        f"linalg.{name} ins({lhs.name}, {rhs.name} : {lhs.type}, {rhs.type}) "
        f"outs({init.name} : {type_}) -> {type_}",
        type_,
    )


@lowering("aten.matmul.default", "aten.mm.default", "aten.bmm.default")
def matmul(c: Context, x, y):
    """A vector is a matrix of one row or column; leading dimensions are rows where one matrix meets
    all of them, else, broadcast, a batch."""
    w = c.writer
    lhs, rhs = c.value(x), c.value(y)
    depth = lhs.shape[-1]
    if len(rhs.shape) == 1:
        rhs = w.reshape(rhs, (depth, 1))
    if len(lhs.shape) == 1:
        lhs = w.reshape(lhs, (1, depth))
    if len(rhs.shape) == 2:
        product = _product(c, w.reshape(lhs, (x.size // depth, depth)), rhs)
        return w.reshape(product, c.shape)
    batch = c.shape[: -1 if 1 in (len(x.shape), len(y.shape)) else -2]

    def spread(value):
        shape = (*batch, *value.shape[-2:])
        if value.shape != shape:
            value = c.elementwise(lambda b, v: v, value, type_=TensorType(shape))
        return w.reshape(value, (math.prod(batch), *value.shape[-2:]))

    return w.reshape(_product(c, spread(lhs), spread(rhs)), c.shape)


@lowering("aten.addmm.default")
def addmm(c: Context, bias, x, y, beta=1, alpha=1):
    if beta != 1 or alpha != 1:
        raise UnsupportedOp(f"expected beta = alpha = 1, but got {beta} and {alpha}")
    product = _product(c, c.value(x), c.value(y))
    return c.elementwise(lambda b, x, y: b("arith.addf", x, y), product, bias)
