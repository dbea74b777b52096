"""Torch modules that train scaled-binary layers and export to what bquant compiles.

In training, scalars come from the solvers of `bquant.quantize` and the gradient passes
straight through each sign where its input lies in [-1, 1]. In eval mode a layer is
plain torch operations with stored scalars, so that `torch.export` sees the sign
cascade as it is defined.
"""

from .._requirements import import_torch

import_torch("bquant.nn")

from . import published  # which registers its schemes
from .layers import BinaryConv1d, BinaryConv2d, BinaryLinear, ScaleTensor, XnorConv2d
from .quantizer import Quantizer, SignQuantizer, paper_clamp
from .registry import register
from .scheme_quantizer import SchemeQuantizer
from .signs import RPReLU, RSign, SignConv2d

__all__ = [
    "BinaryConv1d",
    "BinaryConv2d",
    "BinaryLinear",
    "Quantizer",
    "RPReLU",
    "RSign",
    "ScaleTensor",
    "SchemeQuantizer",
    "SignConv2d",
    "SignQuantizer",
    "XnorConv2d",
    "paper_clamp",
    "published",
    "register",
]
