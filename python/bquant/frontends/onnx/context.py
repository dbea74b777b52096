"""A node as the operators' functions see it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from ..common.operators import context
from ..common.operators.context import Operand
from ..common.shapes import UnsupportedOp
from ..common.windows import same_padding

# Operators that give back their first operand.
ALIASES = {"Identity", "Dropout"}

# Where the quantization of a constant begins: these and what follows are written out.
SIGNS = {"Sign", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Equal"}


@dataclass
class Tensor(Operand):
    """With its type in ONNX: an operand's element is that of the program, where uint8 is float.
    `probes`: of a constant, what it is for each size of the batch that is tried."""

    dtype: int = 0
    probes: tuple[np.ndarray, ...] = ()

    def __post_init__(self):
        self.unsigned = self.dtype == TensorProto.UINT8

    @property
    def varies(self) -> bool:
        """Whether a constant depends on the size of the batch."""
        return any(not np.array_equal(self.probes[0], p) for p in self.probes[1:])


class Node(context.Node):
    """One node: its attributes, `dtype`, what the first result is in ONNX, and `others`, whether
    any other result is read."""

    def __init__(self, writer, types, name: str, attributes: dict, dtype: int):
        super().__init__(writer, types, name, attributes)
        self.dtype, self.others = dtype, False


def padding(n: Node, size, out, kernel, stride, dilation) -> tuple[list[int], list[int]]:
    """Zeros before and behind, a list for each direction, of `pads` or `auto_pad`."""
    mode, rank = n.get("auto_pad", "NOTSET"), len(kernel)
    if mode == "VALID":
        return [0] * rank, [0] * rank
    if mode == "NOTSET":
        pads = list(n.get("pads", [0] * (2 * rank)))
        return pads[:rank], pads[rank:]
    if mode not in ("SAME_UPPER", "SAME_LOWER"):
        raise UnsupportedOp(f"expected auto_pad of the specification, but got '{mode}'")
    return same_padding(size, out, kernel, stride, dilation, mode == "SAME_LOWER")
