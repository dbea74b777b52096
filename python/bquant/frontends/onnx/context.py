"""A node as the operators' functions see it, and their table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common import mlir
from ..common.operators.context import Context, Operand
from ..common.shapes import TensorType, UnsupportedOp

# An operator's name to the function that writes it: (node, *operands), None for one left out.
LOWERINGS: dict = {}

# Operators that give back their first operand.
ALIASES = {"Identity", "Dropout"}

# Where the quantization of a constant begins: these and what follows are written out.
SIGNS = {"Sign", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Equal"}

# What moves elements and computes none of its own: of any type.
MOVES: set[str] = set()


# What is written for results of integers, too.
OF_INTEGERS: set[str] = set()

# What is written for results of codes, which are whole floats: none of it leaves their range.
OF_CODES: set[str] = set()


def lowering(*names: str, moves: bool = False, integers: bool = False, codes: bool = False):
    def register(function):
        for name in names:
            LOWERINGS[name] = function
            if moves:
                MOVES.add(name)
            if integers:
                OF_INTEGERS.add(name)
            if codes:
                OF_CODES.add(name)
        return function

    return register


@dataclass
class Tensor(Operand):
    """With its type in ONNX: an operand's element is that of the program, where uint8 is float.
    `probes`: of a constant, what it is for each size of the batch that is tried."""

    dtype: int = 0
    probes: tuple[np.ndarray, ...] = ()

    @property
    def varies(self) -> bool:
        """Whether a constant depends on the size of the batch."""
        return any(not np.array_equal(self.probes[0], p) for p in self.probes[1:])


@dataclass
class Node:
    """One node: its attributes, the types of its outputs (None for one left out), and what the
    first one is in ONNX."""

    op: str
    attributes: dict
    writer: mlir.Writer
    types: list[TensorType | None]
    dtype: int

    @property
    def c(self) -> Context:
        """What writes the first output."""
        return self.context(self.types[0])

    def context(self, type_: TensorType) -> Context:
        return Context(self.writer, type_)

    def get(self, name: str, default=None):
        return self.attributes.get(name, default)


def numbers(operand: Tensor | None, what: str) -> list | None:
    """A constant operand as a list of numbers."""
    if operand is None:
        return None
    return array(operand, what).reshape(-1).tolist()


def array(operand: Tensor, what: str) -> np.ndarray:
    if operand.constant is None:
        raise UnsupportedOp(f"expected constant {what}, but they are computed at run time")
    if operand.varies:
        raise UnsupportedOp(f"expected {what} that do not depend on the size of the batch")
    return operand.constant


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
    total = [
        max(0, (o - 1) * s + d * (k - 1) + 1 - i)
        for i, o, k, s, d in zip(size, out, kernel, stride, dilation, strict=True)
    ]
    less, more = [t // 2 for t in total], [t - t // 2 for t in total]
    return (less, more) if mode == "SAME_UPPER" else (more, less)
