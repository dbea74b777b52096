"""Poolings and reductions."""

from __future__ import annotations

import math

import torch

from ... import UnsupportedOp
from ...shapes import TensorType
from .context import Context, Operand, constant, lowering, pair, positive


def _window_padding(size: int, out: int, kernel: int, stride: int, pad: int, dilation: int) -> int:
    """What windows need behind the image; with ceil_mode more than `pad`, else often less."""
    return max(0, (out - 1) * stride + dilation * (kernel - 1) + 1 - size - pad)


def _pool(c: Context, name: str, x, kernel, stride, padding, dilation, fill: float):
    w = c.writer
    (kh, kw), (sh, sw) = pair(kernel), pair(stride or kernel)
    (ph, pw), (dh, dw) = pair(padding), pair(dilation)
    if len(x.shape) != 4:
        raise UnsupportedOp(f"expected N x C x H x W, but got {len(x.shape)} dimensions")
    high = [
        _window_padding(x.shape[2], c.shape[2], kh, sh, ph, dh),
        _window_padding(x.shape[3], c.shape[3], kw, sw, pw, dw),
    ]
    image = w.pad(c.value(x), [0, 0, ph, pw], [0, 0, *high], fill)
    window = w.empty(TensorType((kh, kw)))
    init = w.fill(fill, c.type)
    return w.op(
        f"linalg.{name} {{dilations = dense<[{dh}, {dw}]> : tensor<2xi64>, "
        f"strides = dense<[{sh}, {sw}]> : tensor<2xi64>}} "
        f"ins({image.name}, {window.name} : {image.type}, {window.type}) "
        f"outs({init.name} : {c.type}) -> {c.type}",
        c.type,
    )


@lowering("aten.max_pool2d.default", "aten.max_pool2d_with_indices.default")
def max_pool2d(c: Context, x, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    return _pool(c, "pooling_nchw_max", x, kernel_size, stride, padding, dilation, float("-inf"))


@lowering("aten.avg_pool2d.default")
def avg_pool2d(
    c: Context, x, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True,
    divisor_override=None,
):  # fmt: skip
    total = _pool(c, "pooling_nchw_sum", x, kernel_size, stride, padding, 1, 0.0)
    count = divisor_override
    if count is None and not ceil_mode and (count_include_pad or not any(pair(padding))):
        count = math.prod(pair(kernel_size))
    if count is None:
        # Windows at the border count differently: ask torch how many ones each of them adds up.
        with torch.no_grad():
            ones = torch.ones(1, 1, *x.shape[2:], dtype=torch.float64)
            arguments = kernel_size, stride, padding, ceil_mode
            sums = torch.nn.functional.avg_pool2d(ones, *arguments, True, 1)
            means = torch.nn.functional.avg_pool2d(ones, *arguments, count_include_pad)
            count = constant((sums / means).round().float())
    return c.elementwise(lambda b, x, n: b("arith.divf", x, n), total, count)


@lowering("aten.adaptive_avg_pool2d.default")
def adaptive_avg_pool2d(c: Context, x, output_size):
    oh, ow = pair(output_size)
    height, width = x.shape[-2:]
    if (oh, ow) == (1, 1):
        return mean(c, x, [-2, -1], True)
    if height % oh or width % ow:
        raise UnsupportedOp(f"expected a size that divides {height} x {width}, but got {oh} x {ow}")
    return avg_pool2d(c, x, [height // oh, width // ow])


def _reduce(c: Context, x, dims, op: str, start: float):
    """The result without the reduced dimensions."""
    w, value = c.writer, c.value(x) if isinstance(x, Operand) else x
    rank = len(value.shape)
    dims = {positive(d, rank) for d in (range(rank) if dims is None or dims == [] else dims)}
    kept = [d for d in range(rank) if d not in dims]
    return w.generic(
        lambda b, x, total: b(op, total, x),
        [value],
        [", ".join(f"d{d}" for d in range(rank))],
        w.fill(start, TensorType(tuple(value.shape[d] for d in kept))),
        ", ".join(f"d{d}" for d in kept),
        ["reduction" if d in dims else "parallel" for d in range(rank)],
    )


def _dims(dim):
    return [dim] if isinstance(dim, int) else dim


@lowering("aten.sum.dim_IntList")
def total(c: Context, x, dim, keepdim=False):
    return c.writer.reshape(_reduce(c, x, dim, "arith.addf", 0.0), c.shape)


@lowering("aten.sum.default")
def total_of_all(c: Context, x):
    return total(c, x, None)


@lowering("aten.mean.dim")
def mean(c: Context, x, dim, keepdim=False):
    added = _reduce(c, x, dim, "arith.addf", 0.0)
    count = x.size // math.prod(added.shape)
    result = c.elementwise(
        lambda b, x, n: b("arith.divf", x, n), added, float(count), type_=added.type
    )
    return c.writer.reshape(result, c.shape)


@lowering("aten.mean.default")
def mean_of_all(c: Context, x):
    return mean(c, x, None)


@lowering("aten.amax.default")
def amax(c: Context, x, dim=(), keepdim=False):
    return c.writer.reshape(_reduce(c, x, list(dim), "arith.maximumf", float("-inf")), c.shape)


def _shifted(c: Context, x, dim: int):
    """x minus its maximum along `dim`, so that nothing overflows."""
    largest = _kept(c, _reduce(c, x, [dim], "arith.maximumf", float("-inf")), dim)
    return c.elementwise(lambda b, x, m: b("arith.subf", x, m), x, largest)


def _kept(c: Context, value, dim: int):
    shape = list(c.shape)
    shape[positive(dim, len(shape))] = 1
    return c.writer.reshape(value, shape)


@lowering("aten.softmax.int", "aten._softmax.default")
def softmax(c: Context, x, dim, *_):
    powers = c.elementwise(lambda b, x: b("math.exp", x), _shifted(c, x, dim))
    added = _kept(c, _reduce(c, powers, [dim], "arith.addf", 0.0), dim)
    return c.elementwise(lambda b, x, s: b("arith.divf", x, s), powers, added)


@lowering("aten.log_softmax.int", "aten._log_softmax.default")
def log_softmax(c: Context, x, dim, *_):
    shifted = _shifted(c, x, dim)
    powers = c.elementwise(lambda b, x: b("math.exp", x), shifted)
    added = _reduce(c, powers, [dim], "arith.addf", 0.0)
    logs = c.elementwise(lambda b, x: b("math.log", x), added, type_=added.type)
    return c.elementwise(lambda b, x, s: b("arith.subf", x, s), shifted, _kept(c, logs, dim))
