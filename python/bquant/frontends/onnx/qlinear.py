"""Operators on codes, of ONNX and of ONNX Runtime's own domain, written as what they mean.

Products (QLinearConv, QLinearMatMul, QGemm) are those of integers, ConvInteger and MatMulInteger,
whose sums and bias are scaled and quantized as ONNX Runtime does it, in every bit. QLinearAdd and
its kind are the operator between DequantizeLinear and QuantizeLinear, and DynamicQuantizeLinear is
a QuantizeLinear whose scale and zero point are computed.
"""

from __future__ import annotations

import math

import numpy as np
import onnx

from ..common.shapes import UnsupportedOp
from .load import Loaded
from .opsets import NEWEST
from .rewriting import Rewriting, constants
from .rewriting import rewrite as rewrite_nodes
from .scales import check_count

OPERATORS = {
    "": {
        "DynamicQuantizeLinear": "QuantizeLinear",
        "QLinearConv": "ConvInteger",
        "QLinearMatMul": "MatMulInteger",
    },
    "com.microsoft": {
        "QGemm": "MatMulInteger",
        "QLinearAdd": "Add",
        "QLinearConcat": "Concat",
        "QLinearGlobalAveragePool": "GlobalAveragePool",
        "QLinearMul": "Mul",
        "QLinearSoftmax": "Softmax",
    },
}

UNARY = {"GlobalAveragePool", "Softmax"}

# How many operands there are at least, where these are not 6.
LEAST = {
    "DynamicQuantizeLinear": 1,
    "QLinearConcat": 5,
    "QLinearConv": 8,
    "QLinearAdd": 7,
    "QLinearMul": 7,
    "QLinearMatMul": 8,
    "QLinearGlobalAveragePool": 4,
    "QLinearSoftmax": 4,
}


def rewrite(loaded: Loaded, model: onnx.ModelProto) -> onnx.ModelProto:
    """`model`: that of `loaded`, with other nodes."""
    shapes: dict[str, tuple[int, ...]] = {}

    def write(node):
        if not _meaning(node):
            return None
        if not shapes:
            tensors = constants(loaded.model) | constants(model)
            shapes.update((name, tuple(tensor.dims)) for name, tensor in tensors.items())
        return _Operator(node, shapes).write()

    return rewrite_nodes(model, write)


def _meaning(node) -> str | None:
    return OPERATORS.get(node.domain, {}).get(node.op_type)


class _Operator(Rewriting):
    def __init__(self, node, shapes):
        super().__init__(node)
        self.shapes, self.op = shapes, _meaning(node)

    def emit(self, op: str, *operands: str, **how) -> str:
        """The operator itself has the node's name; the steps before and after it have none."""
        self.name = self.node.name if op == self.op else ""
        return super().emit(op, *operands, **how)

    def write(self) -> list[onnx.NodeProto]:
        self._check()
        if self.op == "QuantizeLinear":
            self._dynamic(self.node.input[0])
        elif self.op == "Concat":
            values = [self._value(i) for i in range(2, len(self.node.input), 3)]
            self._result(0, values)
        elif self.op in UNARY:
            if self.attributes.pop("channels_last", 0):
                raise UnsupportedOp(f"expected channels first of {self.place}")
            self.attributes.pop("opset", None)  # of Softmax
            if (
                min((a.i for a in self.node.attribute if a.name == "opset"), default=NEWEST)
                < NEWEST
            ):
                self._over_all_from_axis()
            else:
                self._result(3, [self._value(0)])
        elif self.node.op_type == "QGemm":
            self._product(6, 7)
        elif self.op == "ConvInteger":
            self._product(8, 6)
        elif self.op == "MatMulInteger":
            self._product(None, 6)
        else:
            self._result(6, [self._value(0), self._value(3)])
        return self.nodes

    def _check(self) -> None:
        """As many operands as all have that are not optional."""
        count = len(self.node.input)
        least = LEAST.get(self.node.op_type, 6)
        if count < least or (self.op == "Concat" and count % 3 != 2):
            raise ValueError(f"expected the operands of {self.place}, but got {count}")

    def _name(self, at: int) -> str:
        return self.node.input[at] if at < len(self.node.input) else ""

    def _value(self, at: int) -> str:
        """The operand behind which its scale and its zero point stand."""
        operands = [self._name(at + i) for i in range(3)]
        self._check_several(operands[1], False, operands[0])
        return self.emit("DequantizeLinear", *operands)

    def _check_several(self, name: str, allowed: bool, operand: str) -> None:
        """Of scales, or zero points: one for each filter of a convolution or column of a matrix."""
        shape = self.shapes.get(name, ())
        is_matrix = self.node.op_type != "QLinearMatMul" or len(self.shapes.get(operand, ())) == 2
        if math.prod(shape) > 1 and not (allowed and is_matrix and len(shape) == 1):
            raise UnsupportedOp(
                f"expected one scale and zero point for '{operand}' of {self.place}"
            )

    def _product(self, bias: int | None, scale: int) -> None:
        """A product of integers. `bias`: where it stands, of int32; `scale`: that of the result,
        where there is one."""
        self._check_scales(0, allowed=False)
        self._check_scales(3, allowed=True)
        attributes, operands = dict(self.attributes), [self._name(at) for at in (0, 3)]
        factor = attributes.pop("alpha", 1.0)
        for at, name in enumerate(("transA", "transB")):
            if attributes.pop(name, 0):
                operands[at] = self.emit("Transpose", operands[at], perm=[1, 0])
        zeros = [self._name(at) for at in (2, 5)]
        total = self.emit(self.op, *operands, *zeros, **attributes)
        if bias is not None and self._name(bias):
            total = self.emit("Add", total, self._along_filters(self._name(bias)))
        ratio = self.emit("Mul", self._name(1), self._name(4))
        if factor != 1:
            ratio = self.emit("Mul", self.constant(factor), ratio)
        if self._name(scale):
            ratio = self.emit("Div", ratio, self._name(scale))
        output = self.node.output[0]
        operands = [self._float(total), self._along_filters(ratio)]
        if not self._name(scale):
            self.emit("Mul", *operands, result=output)
            return
        scaled = self.emit("Mul", *operands)
        one = self.constant(1)
        self.emit("QuantizeLinear", scaled, one, self._name(scale + 1), result=output)

    def _check_scales(self, at: int, allowed: bool) -> None:
        operand = self.shapes.get(self._name(at), ())
        axis = 0 if self.op == "ConvInteger" or self.attributes.get("transB", 0) else -1
        for name, what in ((self._name(at + 1), "scale"), (self._name(at + 2), "zero point")):
            self._check_several(name, allowed, self._name(at))
            shape = self.shapes.get(name, ())
            if math.prod(shape) > 1 and operand:
                check_count(shape[0], operand, axis % len(operand), what, self.place)

    def _along_filters(self, name: str) -> str:
        """A number for each filter of a convolution, or one for all, beside its result."""
        if self.op != "ConvInteger":
            return name
        rank = len(self.shapes.get(self._name(3), (0,) * 4))
        return self.emit("Reshape", name, self.constant([-1] + [1] * (rank - 2), np.int64))

    def _dynamic(self, x: str) -> None:
        """Codes, scale and zero point of the least and the largest element, of 0 at least."""
        zero, most = self.constant(0), self.constant(255)
        low = self.emit("Min", self.emit("ReduceMin", x, keepdims=0), zero)
        high = self.emit("Max", self.emit("ReduceMax", x, keepdims=0), zero)
        step = self.emit("Div", self.emit("Sub", high, low), most)
        none = self.emit("Equal", step, zero)
        codes, scale, point = (*self.node.output, "", "")[:3]
        one = self.constant(1)
        scale = self.emit("Where", none, one, step, result=scale)
        ratio = self.emit("Div", self.emit("Neg", low), scale)
        unit, first = self.constant(1), self.constant(0, np.uint8)
        point = self.emit("QuantizeLinear", ratio, unit, first, result=point)
        self.emit("QuantizeLinear", x, scale, point, result=codes)

    def _over_all_from_axis(self) -> None:
        """As the operator itself before opset 13: over all dimensions from `axis` on."""
        x, axis = self._value(0), self.attributes.get("axis", -1)
        value = self.emit(self.op, self.emit("Flatten", x, axis=axis), axis=-1)
        value = self.emit("Reshape", value, self.emit("Shape", x))
        self._quantize(3, value)

    def _float(self, name: str) -> str:
        return self.emit("Cast", name, to=onnx.TensorProto.FLOAT)

    def _result(self, scale: int, operands: list[str]) -> None:
        self._quantize(scale, self.emit(self.op, *operands, **self.attributes))

    def _quantize(self, scale: int, value: str) -> None:
        """The result, by the operand of this number and the next one."""
        operands = [value, self._name(scale), self._name(scale + 1)]
        self.emit("QuantizeLinear", *operands, result=self.node.output[0])
