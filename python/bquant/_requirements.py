"""What bquant needs of its surroundings, and what to install where it is missing."""

from __future__ import annotations

import importlib
import os
import re


def import_extension():
    """`bquant._bquant`. The loader's own message names a file, and no package that holds it."""
    try:
        return importlib.import_module("._bquant", __package__)
    except ModuleNotFoundError:
        raise ImportError(
            "expected bquant's extension for this Python, but there is none in "
            f"'{os.path.dirname(__file__)}': ./dev setup builds it in a checkout, pip install . "
            "elsewhere"
        ) from None
    except ImportError as error:
        if not re.match(r"lib(MLIR|LLVM)\b.*: cannot open shared object file", str(error)):
            raise
        raise ImportError(
            "expected the libraries of LLVM 22 (Debian: apt install libmlir-22 libllvm22), but got "
            f"'{error}'"
        ) from None


def import_torch(user: str):
    """torch, which only parts of the package need."""
    try:
        return importlib.import_module("torch")
    except ModuleNotFoundError as error:
        raise ImportError(
            f"expected torch 2.6 or later for {user}, but got '{error}': pip install 'torch>=2.6'"
        ) from None


def import_onnx(user: str):
    """onnx, which only its door needs."""
    try:
        return importlib.import_module("onnx")
    except ModuleNotFoundError as error:
        raise ImportError(
            f"expected onnx 1.23 or later for {user}, but got '{error}': pip install 'onnx>=1.23'"
        ) from None


def import_matplotlib(user: str):
    """matplotlib with its figures, for pictures."""
    try:
        importlib.import_module("matplotlib.figure")
        return importlib.import_module("matplotlib")
    except ModuleNotFoundError as error:
        raise ImportError(
            f"expected matplotlib for {user}, but got '{error}': pip install matplotlib"
        ) from None
