"""The frontend of ONNX: .onnx files, and models of the onnx package.

load.py      a file with its external data to a model, checked
reader.py    a model to MLIR; constants are folded and shapes known on the way
context.py   a node, and the table of operators
operators.py how an operator is taken, if it is
rewriting.py how nodes become others before they are read:
                opsets.py, channels_last.py, qonnx.py, qlinear.py
elementwise.py, products.py, pooling.py, quantize.py, resize.py, shapes.py: the
                operators
"""

from .reader import import_bytes, import_file, import_model

__all__ = ["import_bytes", "import_file", "import_model"]
