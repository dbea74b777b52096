"""SVDF: a dense layer of rank-1 filters over time. Each filter has a feature of the input, and a
row of memory with those of the last calls, which it weights by time:

    memory[f] = memory[f][1:] ++ [x . feature[f]]
    y[u] = sum of memory[f] . time[f] over the `rank` filters of u, + bias[u]

Of codes the interpreter's arithmetic is that of its integers, in every bit.
"""

from __future__ import annotations

import math

import numpy as np

from ..common import mlir
from ..common.operators import elementwise, products, reductions, shapes
from ..common.operators.context import DTYPES, Context, array, constant
from ..common.shapes import TensorType, UnsupportedOp
from ..common.table import operator
from . import quantized
from .context import Lite, Op
from .elementwise import ACTIVATIONS, activate

STATE = 4  # the operand that is the memory


@operator(tflite="SVDF")
def svdf(op: Op, x, feature, time, bias, state):
    """The result, and the memory of the next call."""
    weights = array(time, "weights of time")
    filters, steps = weights.shape
    rank = op.get("Rank")
    if rank < 1 or filters % rank or array(feature, "weights of features").shape[0] != filters:
        raise ValueError(f"{filters} filters of rank {rank}")
    batch = x.shape[0]
    if state is None or state.shape != (batch, filters * steps) or len(x.shape) != 2:
        raise ValueError(f"expected a memory of {batch} x {filters * steps} as its state")
    of_codes = quantized.is_coded(op.tensors[0])
    arithmetic = (_Codes if of_codes else _Floats)(op, x, feature, time, bias, state)
    memory, units = arithmetic.memory((batch, filters, steps)), (batch, filters // rank)
    element = memory.type.element
    now = op.writer.reshape(arithmetic.features((batch, filters)), (batch, filters, 1))
    if steps > 1:
        c = op.context((batch, filters, steps - 1), element)
        kept = shapes.part(c, memory, 2, 1, steps - 1)
        now = shapes.concatenate(Context(c.writer, memory.type), [kept, now], 2)
    times = constant(weights.astype(DTYPES.get(element, np.float32))[np.newaxis], "time")
    weighted = elementwise.binary(Context(op.writer, memory.type), "mul", now, times)
    weighted = op.writer.reshape(weighted, (*units, rank * steps))
    sums = reductions.reduce(op.context(units, element), weighted, [2], reductions.SUM)
    return [arithmetic.result(sums), arithmetic.state(op.writer.reshape(now, state.shape))]


class _Floats:
    def __init__(self, op: Op, x, feature, time, bias, state):
        if state.element != "f32" or x.element != "f32":
            raise UnsupportedOp("expected floats, or codes of int8 with a memory of int16 or int8")
        self.op, self.x, self.feature, self.bias, self.given = op, x, feature, bias, state

    def memory(self, shape):
        return self.op.writer.reshape(self.op.value(self.given), shape)

    def features(self, shape):
        return products.linear(self.op.context(shape), self.x, self.feature)

    def result(self, sums):
        if self.bias is not None:
            sums = products.add_bias(self.op, sums, self.bias, -1)
        return activate(self.op, sums, self.op.activation)

    def state(self, memory):
        return _operand(memory)


class _Codes:
    """Sums are i32, and are scaled by an integer and a shift, which rounds twice."""

    def __init__(self, op: Op, x, feature, time, bias, state):
        given = [operand.tensor for operand in (x, feature, time, state)]
        if [t.type for t in given[:2]] != ["int8"] * 2 or given[2].type != given[3].type:
            raise UnsupportedOp("expected codes of int8 with a memory of int16 or int8")
        if state.element != "i16" or any(t.scale is None or t.scale.size != 1 for t in given):
            raise UnsupportedOp("expected one scale each, and a memory of int16")
        if ACTIVATIONS.get(op.activation) not in (None, "RELU"):
            raise UnsupportedOp("expected RELU or no fused activation of codes")
        self.op, self.x, self.given = op, x, state
        array(feature, "weights of features")
        self.weights = feature.tensor.array
        scales = [float(t.scale[0]) for t in (*given, op.tensors[0])]
        self.first = _multiplier(np.float32(scales[0]) * np.float32(scales[1]), scales[3])
        self.second = _multiplier(np.float32(scales[3]) * np.float32(scales[2]), scales[4])
        if bias is not None:
            array(bias, "biases")
        self.bias = None if bias is None else bias.tensor.array

    def memory(self, shape):
        memory = self.op.writer.reshape(self.op.value(self.given), shape)
        c = self.op.context(shape, "i32")
        return c.elementwise(lambda b, x: b.from_signed(x), memory)

    def features(self, shape):
        w = self.op.writer
        whole = quantized.whole(self.op.context(self.x.shape), self.x)
        codes = elementwise.to_integer(self.op.context(self.x.shape, "i32"), whole)
        zero = int(self.x.tensor.zero[0])

        def build(b, x, weight, total):
            product = b("mul", b("sub", x, b.number(zero)), weight)
            return b("add", total, product)

        weights = self.op.value(constant(self.weights.astype(np.int32), "feature"))
        dots = w.generic(
            build,
            [codes, weights],
            [[0, 2], [1, 2]],
            w.fill(0, TensorType(shape, "i32")),
            [0, 1],
            "i32",
        )
        return self._scaled(dots, *self.first, (-(2**15), 2**15 - 1))

    def result(self, sums):
        c = Context(self.op.writer, sums.type)
        if self.bias is not None:
            sums = elementwise.binary(c, "add", sums, constant(self.bias, "bias"))
        tensor = self.op.tensors[0]
        zero = int(tensor.zero[0])
        low, high = quantized.CODES[tensor.type]
        codes = self._scaled(sums, *self.second, (low - zero, high - zero))
        whole = elementwise.to_number(self.op.context(sums.shape), codes)
        return self.op.elementwise(
            lambda b, x: b("mul", x, b.number(float(tensor.scale[0]))), whole
        )

    def state(self, memory):
        c = self.op.context(memory.shape, "i16")
        return _operand(c.elementwise(lambda b, x: b.truncate(x, "i16"), memory, element="i32"))

    def _scaled(self, value, number: int, shift: int, bounds):
        """value * number * 2^(shift - 31) between bounds. The product is halved towards the nearest
        number first, of two the one away from zero, and shifted then."""
        left, right = max(shift, 0), max(-shift, 0)

        def build(b, x):
            zero, one = b.number(0), b.number(1)
            product = b("arith.muli", x, b.number(number << left))
            positive = b.compare("oge", product, zero)
            nudge = b.select(positive, b.number(1 << 30), b.number(1 - (1 << 30)))
            high = b("arith.divsi", b("arith.addi", product, nudge), b.number(1 << 31))
            rest = b("arith.andi", high, b.number((1 << right) - 1))
            negative = b.select(b.compare("olt", high, zero), one, zero)
            middle = b("arith.addi", negative, b.number(((1 << right) - 1) >> 1))
            up = b.select(b.compare("ogt", rest, middle), one, zero)
            y = b("arith.addi", b("arith.shrsi", high, b.number(right)), up)
            y = b("arith.minsi", b("arith.maxsi", y, b.number(bounds[0])), b.number(bounds[1]))
            return b.truncate(y, "i32")

        return self.op.context(value.shape, "i32").elementwise(build, value, element="i64")


def _operand(value: mlir.Value) -> Lite:
    return Lite(value.shape, value.type.element, value=value)


def _multiplier(product: np.float32, divisor: float) -> tuple[int, int]:
    """A factor as an integer below 2^31 and a power of 2."""
    factor, shift = math.frexp(float(product / np.float32(divisor)))
    number = round(factor * (1 << 31))
    if number == 1 << 31:
        number, shift = number // 2, shift + 1
    if shift < -31:
        return 0, 0
    if shift > 30:
        raise UnsupportedOp(f"expected a scale below 2^30, but got 2^{shift}")
    return number, shift
