"""bquant: scaled-binary neural networks, quantized and compiled to native code."""

from ._network import Network, load
from ._quantize import QuantizedArray, RankOneArray, quantize
from .api import compile

__all__ = ["Network", "QuantizedArray", "RankOneArray", "compile", "load", "quantize"]
