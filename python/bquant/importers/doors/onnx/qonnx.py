"""Quant and BipolarQuant of QONNX, written as the nodes of ONNX that they mean.

After https://github.com/fastmachinelearning/qonnx, docs/qonnx-custom-ops: x / scale + zero point,
bounded, then rounded, and back; with one signed bit the sign, +1 for 0. Bit widths are constants.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import helper, numpy_helper

from ... import UnsupportedOp
from .load import Loaded

DOMAINS = {"qonnx.custom_op.general", "onnx.brevitas"}
OPERATORS = {"Quant": 4, "BipolarQuant": 2}  # and how many operands they have

# A float32 has no codes of more bits between its whole numbers.
MOST_BITS = 24


def rewrite(loaded: Loaded) -> onnx.ModelProto:
    if not any(map(_is_ours, loaded.model.graph.node)):
        return loaded.model
    given, model = loaded.model, onnx.ModelProto()
    model.CopyFrom(given)
    constants = {i.name: loaded.array(i) for i in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.domain in ("", "ai.onnx"):
            for attribute in node.attribute:
                if attribute.name == "value":
                    constants[node.output[0]] = numpy_helper.to_array(attribute.t)
    written = []
    for node in given.graph.node:
        written += _Quantizer(node, constants).write() if _is_ours(node) else [node]
    del model.graph.node[:]
    model.graph.node.extend(written)
    return model


def _is_ours(node) -> bool:
    return node.domain in DOMAINS and node.op_type in OPERATORS


class _Quantizer:
    def __init__(self, node, constants):
        self.node, self.constants, self.nodes = node, constants, []
        self.name = node.name or next(iter(node.output), "")
        self.place = f"{node.op_type} '{self.name}'"
        self.attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}

    def write(self) -> list[onnx.NodeProto]:
        node, count = self.node, OPERATORS[self.node.op_type]
        if len(node.input) != count or len(node.output) != 1:
            raise ValueError(
                f"expected {count} operands and one result of {self.place}, but got "
                f"{len(node.input)} and {len(node.output)}"
            )
        x, scale = node.input[:2]
        values = self.constants.get(scale)
        if values is not None and not (np.isfinite(values) & (values != 0)).all():
            raise ValueError(f"expected finite scales other than 0 of {self.place}")
        if node.op_type == "BipolarQuant":
            self._emit("Mul", self._sign(x), scale, result=node.output[0])
            return self.nodes
        zero = self.constants.get(node.input[2])
        moves = zero is None or np.any(zero)
        bits, signed, narrow = self._bits(), self._flag("signed"), self._flag("narrow")
        code = self._emit("Div", x, scale)
        if moves:
            code = self._emit("Add", code, node.input[2])
        if bits == 1 and signed:
            code = self._sign(code)
        else:
            low = -(2 ** (bits - 1)) + narrow if signed else 0
            high = 2 ** (bits - 1) - 1 if signed else 2**bits - 1 - narrow
            bounded = self._emit("Clip", code, self._number(low), self._number(high))
            code = self._round(bounded)
        if moves:
            code = self._emit("Sub", code, node.input[2])
        self._emit("Mul", code, scale, result=node.output[0])
        return self.nodes

    def _bits(self) -> int:
        width = self.constants.get(self.node.input[3])
        if width is None:
            raise UnsupportedOp(f"expected a constant bit width of {self.place}")
        if width.size != 1 or not 1 <= width.item() <= MOST_BITS or width.item() % 1:
            raise UnsupportedOp(
                f"expected one whole bit width from 1 to {MOST_BITS} of {self.place}, but got "
                f"{width.reshape(-1)[:4].tolist()}"
            )
        return int(width.item())

    def _flag(self, name: str) -> int:
        value = self.attributes.get(name)
        if value not in (0, 1):
            raise ValueError(f"expected 0 or 1 as {name} of {self.place}, but got {value}")
        return value

    def _sign(self, x: str) -> str:
        bit = self._emit("GreaterOrEqual", x, self._number(0))
        return self._emit("Where", bit, self._number(1), self._number(-1))

    def _round(self, x: str) -> str:
        mode = self.attributes.get("rounding_mode", b"ROUND")
        mode = mode.decode(errors="replace") if isinstance(mode, bytes) else str(mode)
        plain = {"ROUND": "Round", "HALF_EVEN": "Round", "CEIL": "Ceil", "FLOOR": "Floor"}
        symmetric = {  # of the magnitude: what is added, and how it is rounded then
            "UP": (0, "Ceil"),
            "DOWN": (0, "Floor"),
            "HALF_UP": (0.5, "Floor"),
            "HALF_DOWN": (-0.5, "Ceil"),
        }
        if mode.upper() in plain:
            return self._emit(plain[mode.upper()], x)
        if mode.upper() not in symmetric:
            known = ", ".join([*plain, *symmetric])
            raise UnsupportedOp(
                f"expected one of {known} as rounding_mode of {self.place}, but got {mode!a}"
            )
        offset, op = symmetric[mode.upper()]
        size = self._emit("Abs", x)
        if offset:
            size = self._emit("Add", size, self._number(offset))
        return self._emit("Mul", self._emit("Sign", x), self._emit(op, size))

    def _number(self, value: float) -> str:
        return self._emit("Constant", value=numpy_helper.from_array(np.float32(value)))

    def _emit(self, op: str, *operands: str, result: str = "", **attributes) -> str:
        # The place stays readable: the last node has the quantizer's own name.
        result = result or f"{self.node.output[0]}/{self.node.op_type}.{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, operands, [result], name=self.name, **attributes))
        return result
