"""Quant, BipolarQuant and Trunc of QONNX, written as the nodes of ONNX that they mean.

After https://github.com/fastmachinelearning/qonnx, docs/qonnx-custom-ops: x / scale + zero point,
bounded, then rounded, and back; with one signed bit the sign, +1 for 0. Trunc takes codes to fewer
bits: version 1 of the domain keeps their scale, version 2 bounds them and has a new one. Bit widths
are constants.
"""

from __future__ import annotations

import numpy as np
import onnx

from ..common.shapes import UnsupportedOp
from .load import Loaded
from .rewriting import Rewriting, constants
from .rewriting import rewrite as rewrite_nodes

# The domain's name, what Brevitas wrote at first, and what FINN called it before it was QONNX'. No
# import need name them.
DOMAINS = {"qonnx.custom_op.general", "onnx.brevitas", "finn.custom_op.general", "finn"}
# What is rewritten, and how many operands it has: of Trunc for each version of the domain. Quant
# goes by two names.
OPERATORS = {"Quant": (4,), "IntQuant": (4,), "BipolarQuant": (2,), "Trunc": (5, 6)}
# What has a function of its own, and its operands; results have the type of the first one.
LOWERED = {"MultiThreshold": 2}

# Those of a bias. Bounds of more than 24 bits are the nearest floats, as they are for qonnx.
MOST_BITS = 32


def rewrite(loaded: Loaded, model: onnx.ModelProto) -> onnx.ModelProto:
    """`model`: that of `loaded`, with other nodes."""
    arrays: dict[str, np.ndarray] = {}
    versions = {o.domain: o.version for o in model.opset_import}

    def write(node):
        if node.domain not in DOMAINS or node.op_type not in OPERATORS:
            return None
        if not arrays:
            arrays.update((name, loaded.array(name, t)) for name, t in constants(model).items())
        return _Quantizer(node, arrays, versions.get(node.domain, 1)).write()

    return rewrite_nodes(model, write)


class _Quantizer(Rewriting):
    def __init__(self, node, constants, version: int):
        super().__init__(node)
        self.constants, self.version = constants, min(version, 2)

    def write(self) -> list[onnx.NodeProto]:
        node, counts = self.node, OPERATORS[self.node.op_type]
        self.operands(counts[min(self.version, len(counts)) - 1])
        self._check_scale(node.input[1])
        if node.op_type == "BipolarQuant":
            self.emit("Mul", self._sign(node.input[0]), node.input[1], result=node.output[0])
        elif node.op_type == "Trunc":
            self._trunc()
        else:
            self._quant()
        return self.nodes

    def _check_scale(self, scale: str) -> None:
        values = self.constants.get(scale)
        if values is not None and not (np.isfinite(values) & (values != 0)).all():
            raise ValueError(f"expected finite scales other than 0 of {self.place}")

    def _quant(self) -> None:
        x, scale, zero = self.node.input[:3]
        moves = self._moves(zero)
        bits, signed = self._bits(3), self._flag("signed")
        code = self.emit("Div", x, scale)
        if moves:
            code = self.emit("Add", code, zero)
        if bits == 1 and signed:
            code = self._sign(code)
        else:
            code = self._round(self._bounded(code, bits))
        if moves:
            code = self.emit("Sub", code, zero)
        self.emit("Mul", code, scale, result=self.node.output[0])

    def _trunc(self) -> None:
        x, scale, zero = self.node.input[:3]
        moves = self._moves(zero)
        code = self.emit("Div", x, scale)
        if moves:
            code = self.emit("Add", code, zero)
        code = self.emit("Round", code)
        if self.version == 1:
            factor = self.constant(2.0 ** (self._bits(3) - self._bits(4)))
            code = self._round(self.emit("Div", code, factor))
        else:
            scale, factor = self.node.input[4], self.constant(self._ratio(4))
            code = self._round(self._bounded(self.emit("Div", code, factor), self._bits(5)))
            if moves:
                zero = self.emit("Div", zero, factor)
        if moves:
            code = self.emit("Sub", code, zero)
        self.emit("Mul", code, scale, result=self.node.output[0])

    def _ratio(self, result: int) -> float:
        """The power of two nearest to the new scale over the old one."""
        new, old = (self.constants.get(self.node.input[i]) for i in (result, 1))
        if new is None or old is None or new.size != 1 or old.size != 1:
            raise UnsupportedOp(f"expected one constant scale before and behind {self.place}")
        self._check_scale(self.node.input[result])
        if not new.item() / old.item() > 0:
            raise ValueError(f"expected scales of one sign before and behind {self.place}")
        return 2.0 ** np.round(np.log2(new.item() / old.item()))

    def _moves(self, zero: str) -> bool:
        value = self.constants.get(zero)
        return value is None or bool(np.any(value))

    def _bounded(self, code: str, bits: int) -> str:
        signed, narrow = self._flag("signed"), self._flag("narrow")
        low = -(2 ** (bits - 1)) + narrow if signed else 0
        high = 2 ** (bits - 1) - 1 if signed else 2**bits - 1 - narrow
        return self.emit("Clip", code, self.constant(low), self.constant(high))

    def _bits(self, operand: int) -> int:
        width = self.constants.get(self.node.input[operand])
        if width is None:
            raise UnsupportedOp(f"expected a constant bit width of {self.place}")
        if width.size != 1 or not 1 <= width.item() <= MOST_BITS or width.item() % 1:
            raise UnsupportedOp(
                f"expected one whole bit width from 1 to {MOST_BITS} of {self.place}, but got "
                f"{width.reshape(-1)[:4].tolist()}"
            )
        return int(width.item())

    def _flag(self, name: str) -> int:
        # Trunc has defaults.
        default = {"signed": 1, "narrow": 0} if self.node.op_type == "Trunc" else {}
        value = self.attributes.get(name, default.get(name))
        if value not in (0, 1):
            raise ValueError(f"expected 0 or 1 as {name} of {self.place}, but got {value}")
        return value

    def _sign(self, x: str) -> str:
        bit = self.emit("GreaterOrEqual", x, self.constant(0))
        return self.emit("Where", bit, self.constant(1), self.constant(-1))

    def _round(self, x: str) -> str:
        default = b"FLOOR" if self.node.op_type == "Trunc" else b"ROUND"
        mode = self.attributes.get("rounding_mode", default)
        mode = mode.decode(errors="replace") if isinstance(mode, bytes) else str(mode)
        plain = {"ROUND": "Round", "HALF_EVEN": "Round", "CEIL": "Ceil", "FLOOR": "Floor"}
        symmetric = {  # of the magnitude: what is added, and how it is rounded then
            "UP": (0, "Ceil"),
            "DOWN": (0, "Floor"),
            "HALF_UP": (0.5, "Floor"),
            "HALF_DOWN": (-0.5, "Ceil"),
        }
        if mode.upper() in plain:
            return self.emit(plain[mode.upper()], x)
        if mode.upper() not in symmetric:
            known = ", ".join([*plain, *symmetric])
            raise UnsupportedOp(
                f"expected one of {known} as rounding_mode of {self.place}, but got {mode!a}"
            )
        offset, op = symmetric[mode.upper()]
        size = self.emit("Abs", x)
        if offset:
            size = self.emit("Add", size, self.constant(offset))
        return self.emit("Mul", self.emit("Sign", x), self.emit(op, size))
