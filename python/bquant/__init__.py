"""bquant: scaled-binary neural networks, quantized and compiled to native code."""

from ._quantize import QuantizedArray, quantize

__all__ = ["QuantizedArray", "quantize"]
