"""Convolutions and matrix products of ONNX."""

from __future__ import annotations

from onnx import TensorProto

from ..common.operators import codes, elementwise, integers, products, shapes
from ..common.operators.context import array
from ..common.shapes import UnsupportedOp
from ..common.table import operator
from .context import Node, padding


def _window(n: Node, weight):
    """Kernel, strides and dilations, a list for each direction."""
    kernel = list(weight.shape[2:])
    if n.get("kernel_shape", kernel) != kernel:
        raise UnsupportedOp(
            f"expected the kernel_shape {kernel} of the filters, but got {n.get('kernel_shape')}"
        )
    ones = [1] * len(kernel)
    return kernel, n.get("strides", ones), n.get("dilations", ones)


@operator(onnx="Conv")
def conv(n: Node, x, weight, bias=None):
    window = _window_and_pads(n, x, weight)

    def of_codes(c, *operands):
        return integers.convolve(c, *operands, *window)

    if len(x.shape) in (3, 4):
        each = window[-1] == x.shape[1]
        if found := codes.multiply(n, x, weight, bias, 0, 1, of_codes, each):
            return products.add_bias(n, *found, 1)
    return products.convolve(n, x, weight, bias, *window)


def _window_and_pads(n: Node, x, weight):
    """Strides, zeros before and behind, dilations, and groups."""
    kernel, stride, dilation = _window(n, weight)
    low, high = padding(n, x.shape[2:], n.shape[2:], kernel, stride, dilation)
    if min(low + high) < 0:
        raise UnsupportedOp(f"expected a padding of at least 0, but got {n.get('pads')}")
    return stride, low, high, dilation, n.get("group", 1)


def _unsigned(*operands) -> tuple[bool, ...]:
    return tuple(o.dtype == TensorProto.UINT8 for o in operands)


@operator(onnx="ConvInteger", integers=True)
def conv_integer(n: Node, x, weight, zero_x=None, zero_w=None):
    if len(x.shape) not in (3, 4):
        raise UnsupportedOp(
            f"expected N x C x W or N x C x H x W, but got {len(x.shape)} dimensions"
        )
    window = _window_and_pads(n, x, weight)
    return integers.convolve(n, x.bytes or x, weight, zero_x, zero_w, _unsigned(x, weight), *window)


@operator(onnx="MatMulInteger", integers=True)
def matmul_integer(n: Node, x, y, zero_x=None, zero_y=None):
    operands = x.bytes or x, y.bytes or y
    return integers.multiply(n, *operands, zero_x, zero_y, _unsigned(x, y))


@operator(onnx="ConvTranspose")
def conv_transpose(n: Node, x, weight, bias=None):
    kernel, stride, dilation = _window(n, weight)
    array(weight, "filters")
    if len(n.shape) != len(x.shape):  # onnx' inference gives no smaller ones
        given = n.get("output_shape")
        raise UnsupportedOp(f"expected an output_shape of the input's sizes, but got {given}")
    before = _cut(n, x.shape[2:], n.shape[2:], kernel, stride, dilation)
    groups = n.get("group", 1)
    return products.convolve_transposed(n, x, weight, bias, stride, before, dilation, groups)


def _cut(n: Node, size, out, kernel, stride, dilation) -> list[int]:
    """How many results before the first are left out, in each direction."""
    mode, rank = n.get("auto_pad", "NOTSET"), len(kernel)
    if mode == "NOTSET" and "output_shape" not in n.options:
        return list(n.get("pads", [0] * (2 * rank)))[:rank]
    if mode == "VALID":
        return [0] * rank
    more = n.get("output_padding", [0] * rank)
    total = [
        max(0, s * (i - 1) + p + d * (k - 1) + 1 - o)
        for i, o, k, s, d, p in zip(size, out, kernel, stride, dilation, more, strict=True)
    ]
    return [t // 2 if mode == "SAME_UPPER" else t - t // 2 for t in total]


@operator(onnx="MatMul")
def matmul(n: Node, x, y):
    last = len(n.shape) - 1
    found = codes.multiply(n, x, y, None, 1, last, integers.multiply) if len(y.shape) == 2 else None
    return found[0] if found else products.matmul(n, x, y)


@operator(onnx="Gemm")
def gemm(n: Node, a, b, bias=None):
    plain = n.get("alpha", 1.0) == n.get("beta", 1.0) == 1 and not n.get("transA", 0)
    if plain and (found := _gemm_of_codes(n, a, b, bias)):
        value, bias = found
        return value if bias is None else elementwise.binary(n, "add", value, bias)
    if n.get("transA", 0):
        rows, columns = a.shape
        a = shapes.transpose(n.context((columns, rows)), a, (1, 0))
    product = products.linear if n.get("transB", 0) else products.product
    result = _scaled(n, product(n, a, b), n.get("alpha", 1.0))
    if bias is None:
        return result
    if n.get("beta", 1.0) != 1.0:
        bias = elementwise.binary(n.context(bias.shape), "mul", bias, n.get("beta"))
    return elementwise.binary(n, "add", result, bias)


def _gemm_of_codes(n: Node, a, b, bias):
    transposed = n.get("transB", 0)

    write = integers.linear if transposed else integers.multiply
    return codes.multiply(n, a, b, bias, 0 if transposed else 1, 1, write)


def _scaled(n: Node, value, factor: float):
    return value if factor == 1.0 else elementwise.binary(n, "mul", value, factor)
