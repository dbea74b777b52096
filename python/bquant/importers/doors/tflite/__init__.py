"""TensorFlow Lite, and what Larq Compute Engine makes of a Keras network.

load.py      the file: a schema of flatbuffers, read once, as a whole, with checks
reader.py    operator by operator, in TFLite's own layout (NHWC)
lce.py       Larq's operators on packed words
products.py, pooling.py, elementwise.py, shapes.py    the others
quantized.py codes of int8 and uint8
"""

from .reader import import_bytes, import_file

__all__ = ["import_bytes", "import_file"]
