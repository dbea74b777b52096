"""The frontend of PyTorch: nn.Modules, and the programs that torch.export makes of them.

export.py    a module to a program
archive.py   what an archive is, before torch reads it
reader.py    a program to MLIR; constants are folded on the way
contexts.py  `with torch.no_grad()` and the like inlined, before that
quantized_modules.py  torch.ao's modules as float ones, before that
sources.py   the module and the line that an operation comes from
context.py   the table of operations
elementwise.py, places.py, pooling.py, products.py, quantize.py, shapes.py: the operations
image.py     an image of bytes in the place of a network's float input
byte_weights.py  and its first convolution in 8 bits
"""

from .reader import (
    export,
    import_exported,
    import_file,
    import_module,
    live_nodes,
    load,
    simplify,
    write,
)

__all__ = [
    "export",
    "import_exported",
    "import_file",
    "import_module",
    "live_nodes",
    "load",
    "simplify",
    "write",
]
