"""TensorFlow Lite, and what Larq Compute Engine makes of a Keras network.

load.py      the file, read once, as a whole; verify.py looks at every size and offset before
options.py   what operators say besides their operands
reader.py    operator by operator, in TFLite's own layout (NHWC); folding.py: what is constant
lce.py       Larq's operators on packed words
products.py, pooling.py, elementwise.py, shapes.py, resize.py, places.py    the others
quantized.py codes of int8 and uint8
"""

from .reader import import_bytes, import_file

__all__ = ["import_bytes", "import_file"]
