"""What bquant needs of its surroundings, and what to install where it is missing."""

from __future__ import annotations

import importlib
import os
import re
import sys
from typing import Any

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def import_extension() -> None:
    """`bquant._bquant`. The loader's own message names a file, and no package that holds it."""
    try:
        importlib.import_module("._bquant", __package__)
    except ModuleNotFoundError:
        raise _no_extension() from None
    except ImportError as error:
        if re.search(r"undefined symbol: _?Py", str(error)):  # that for later Pythons
            raise _no_extension() from None
        if not re.match(r"lib(MLIR|LLVM)\b.*: cannot open shared object file", str(error)):
            raise
        raise ImportError(
            "expected the libraries of LLVM 22 (Debian: apt install libmlir-22 libllvm22), but got "
            f"'{error}'"
        ) from None


def _no_extension() -> ImportError:
    tags = [name.split(".")[1] for name in os.listdir(_FOLDER) if re.match(r"_bquant\..*so$", name)]
    if not tags:
        return ImportError(
            f"expected bquant's extension for this Python, but there is none in '{_FOLDER}': "
            "./dev setup builds it in a checkout, pip install . elsewhere"
        )
    known = [re.sub(r"cpython-3(\d+).*", r"3.\1", tag) for tag in sorted(tags) if tag != "abi3"]
    known += ["3.12 and later"] * ("abi3" in tags)
    return ImportError(
        f"expected a Python that bquant has an extension for (CPython {', '.join(known)}), but got "
        f"{_this_python()}"
    )


def _this_python() -> str:
    import sysconfig

    version = ".".join(map(str, sys.version_info[:2]))
    name = {"cpython": "CPython", "pypy": "PyPy"}.get(
        sys.implementation.name, sys.implementation.name
    )
    free = " without the global lock" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return f"{name} {version}{free}"


def _import_part(module: str, user: str, expected: str, install: str) -> Any:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ImportError(
            f"expected {expected} for {user}, but got '{error}': pip install {install}"
        ) from None


def import_torch(user: str) -> Any:
    """torch, which only parts of the package need."""
    return _import_part("torch", user, "torch 2.6 or later", "'torch>=2.6'")


def import_onnx(user: str) -> Any:
    """onnx, which only its frontend needs."""
    return _import_part("onnx", user, "onnx 1.23 or later", "'onnx>=1.23'")


def import_tflite(user: str) -> Any:
    """tflite and flatbuffers, which only their frontend needs."""
    _import_part("flatbuffers", user, "flatbuffers", "tflite flatbuffers")
    return _import_part("tflite", user, "tflite 2.18 or later", "'tflite>=2.18'")


def import_matplotlib(user: str) -> Any:
    """matplotlib with its figures, for pictures."""
    _import_part("matplotlib.figure", user, "matplotlib", "matplotlib")
    return importlib.import_module("matplotlib")


def import_tqdm(user: str) -> Any:
    """tqdm, for bars."""
    return _import_part("tqdm", user, "tqdm", "tqdm")


def import_pillow(user: str) -> Any:
    """PIL.Image, to read images."""
    _import_part("PIL", user, "Pillow", "pillow")
    return importlib.import_module("PIL.Image")
