"""Operators of QONNX' domain of channels last, written as ONNX' own between transpositions.

    y = channels_last.Conv(x, w)                      x is N x H x W x C, w is O x K x L x I
    y = Transpose(Conv(Transpose(x), Transpose(w)))

The compiler's own layout is channels last, so that most of these transpositions meet others and
cancel.

After https://github.com/fastmachinelearning/qonnx, custom_op/channels_last.
"""

from __future__ import annotations

import onnx

from .rewriting import Rewriting
from .rewriting import rewrite as rewrite_nodes

DOMAIN = "qonnx.custom_op.channels_last"


def rewrite(model: onnx.ModelProto) -> onnx.ModelProto:
    def write(node):
        return _Operator(node).write() if is_known(node.domain, node.op_type) else None

    return rewrite_nodes(model, write)


def is_known(domain: str, op: str) -> bool:
    return domain == DOMAIN and op in _WRITERS


class _Operator(Rewriting):
    def write(self) -> list[onnx.NodeProto]:
        _WRITERS[self.node.op_type](self)
        return self.nodes

    def convolution(self) -> None:
        x, filters, *bias = self.operands(2, 3)
        self._between([self._first(x), self._first(filters), *bias])

    def pool(self) -> None:
        (x,) = self.operands(1)
        self._between([self._first(x)])

    def norm(self) -> None:
        """Of a matrix of channels: how many dimensions there are, nothing says."""
        x, *parameters = self.operands(5)
        rows = self.emit("Flatten", x, axis=-1)
        result = self.emit(self.node.op_type, rows, *parameters, **self.attributes)
        self.emit("Reshape", result, self.emit("Shape", x), result=self.node.output[0])

    def _between(self, operands: list[str]) -> None:
        value = self.emit(self.node.op_type, *operands, **self.attributes)
        order = [0, *range(2, self._rank()), 1]
        self.emit("Transpose", value, result=self.node.output[0], perm=order)

    def _first(self, x: str) -> str:
        last = self._rank() - 1
        return self.emit("Transpose", x, perm=[0, last, *range(1, last)])

    def _rank(self) -> int:
        """As the window says it."""
        if not self.attributes.get("kernel_shape"):
            raise ValueError(f"expected a kernel_shape of {self.place}, but got none")
        return len(self.attributes["kernel_shape"]) + 2


_WRITERS = {
    "Conv": _Operator.convolution,
    "MaxPool": _Operator.pool,
    "BatchNormalization": _Operator.norm,
}
