"""Readers of networks: each turns a framework's program into a `Program`, MLIR on tensors.

The importers know their framework's operations and nothing of bquant's passes; recognising the
quantization is the business of `--bquant-raise`, one pipeline for all of them.
"""

from .mlir import Program
from .shapes import TensorType, UnsupportedOp

__all__ = ["Program", "TensorType", "UnsupportedOp"]
