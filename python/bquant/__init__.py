"""bquant: scaled-binary neural networks, quantized and compiled to native code."""

from typing import TYPE_CHECKING

from . import _requirements
from ._name import check_name
from ._requirements import import_extension

check_name()
import_extension()

from . import _bquant
from ._network import Network, load
from ._profile import Profile
from ._quantize import LloydArray, QuantizedArray, RankOneArray, quantize
from .api import compile, lower
from .frontends import UnsupportedOp
from .verification import verify

if TYPE_CHECKING:
    from .conversion import convert
    from .post_training import quantize_model
    from .summaries import summary
else:

    def __getattr__(name: str):
        """What needs torch comes when it is asked for."""
        if name in ("convert", "quantize_model", "summary"):
            _requirements.import_torch(f"bquant.{name}")
            from . import conversion, post_training, summaries

            return {
                "convert": conversion.convert,
                "quantize_model": post_training.quantize_model,
                "summary": summaries.summary,
            }[name]
        raise AttributeError(f"module 'bquant' has no attribute {name!r}")


__version__: str = _bquant.version()

__all__ = [
    "LloydArray",
    "Network",
    "Profile",
    "QuantizedArray",
    "RankOneArray",
    "UnsupportedOp",
    "compile",
    "convert",
    "load",
    "lower",
    "quantize",
    "quantize_model",
    "summary",
    "verify",
]
