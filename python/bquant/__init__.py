"""bquant: scaled-binary neural networks, quantized and compiled to native code."""

from ._requirements import import_extension

_bquant = import_extension()

from ._network import Network, load
from ._profile import Profile
from ._quantize import QuantizedArray, RankOneArray, quantize
from .api import compile, lower
from .verification import verify

__version__ = _bquant.version()

__all__ = [
    "Network",
    "Profile",
    "QuantizedArray",
    "RankOneArray",
    "compile",
    "load",
    "lower",
    "quantize",
    "verify",
]
