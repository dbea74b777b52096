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


def _import_part(module: str, user: str, expected: str, install: str):
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ImportError(
            f"expected {expected} for {user}, but got '{error}': pip install {install}"
        ) from None


def import_torch(user: str):
    """torch, which only parts of the package need."""
    return _import_part("torch", user, "torch 2.6 or later", "'torch>=2.6'")


def import_onnx(user: str):
    """onnx, which only its door needs."""
    return _import_part("onnx", user, "onnx 1.23 or later", "'onnx>=1.23'")


def import_tflite(user: str):
    """tflite and flatbuffers, which only their door needs."""
    _import_part("flatbuffers", user, "flatbuffers", "tflite flatbuffers")
    return _import_part("tflite", user, "tflite 2.18 or later", "'tflite>=2.18'")


def import_matplotlib(user: str):
    """matplotlib with its figures, for pictures."""
    _import_part("matplotlib.figure", user, "matplotlib", "matplotlib")
    return importlib.import_module("matplotlib")


def import_tqdm(user: str):
    """tqdm, for bars."""
    return _import_part("tqdm", user, "tqdm", "tqdm")


def import_pillow(user: str):
    """PIL.Image, to read images."""
    _import_part("PIL", user, "Pillow", "pillow")
    return importlib.import_module("PIL.Image")
