"""Frontends: what `bquant.compile` takes, each a folder that reads one framework's networks.

They know their framework's operations and nothing of bquant's passes; recognising the quantization
is the business of `--bquant-raise`, one pipeline for all of them.

A frontend is chosen by the object, or by a file's content where that says what it is, else by its
suffix. A frontend's own code, and its framework, is imported once something comes through it.

torch/  nn.Modules, ExportedPrograms, .pt2 files
onnx/   models of the onnx package, .onnx files
tflite/ .tflite files, Larq's among them
mlir.py modules as text or bytecode, which the compiler itself reads
common/ what they share
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .. import _bquant
from .._requirements import import_onnx, import_tflite, import_torch
from . import keras, mlir
from .common.mlir import Program
from .common.shapes import TensorType, UnsupportedOp

__all__ = ["Program", "TensorType", "UnsupportedOp"]


@dataclass(frozen=True)
class Image:
    """The first input is an image of bytes, which are normalized by `mean` and `std`; with
    `byte_weights` the convolution that reads it takes them as they are."""

    mean: object = None
    std: object = None
    byte_weights: bool = False


@dataclass(frozen=True)
class Request:
    """What is to be read: an object, or a file by its path; and how, see `bquant.compile`."""

    model: object
    path: str | None = None
    example_inputs: object = None
    dynamic_batch: bool = False
    example_kwargs: dict | None = None
    image: Image | None = None


@dataclass(frozen=True)
class Frontend:
    """`objects` and `suffixes` are what messages call them. `read` gives the module, and the
    structure of what the model takes and returns (None: tensors one by one, see `Network`)."""

    objects: tuple[str, ...]
    suffixes: tuple[str, ...]
    is_object: Callable[[object], bool]
    is_content: Callable[[bytes], bool]  # of the first bytes of a file
    read: Callable[[Request], tuple]


def parse(program):
    """What a frontend wrote, as a module to compile."""
    return _bquant.Module.parse(program.text().encode(), program.name, program.resources)


# PyTorch.


def is_torch_module(model) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def _is_torch(model) -> bool:
    torch = sys.modules.get("torch")
    return is_torch_module(model) or (
        torch is not None and isinstance(model, torch.export.ExportedProgram)
    )


def _read_torch(request: Request):
    import_torch("a .pt2 file")
    from .torch.request import read

    program = read(request)
    return parse(program), program.structure


# ONNX.


def _is_onnx_content(head: bytes) -> bool:
    """A protobuf, of which writers put the field 1, the version, first: no text begins so."""
    return head.startswith(b"\x08")


def _is_onnx(model) -> bool:
    onnx = sys.modules.get("onnx")
    return (onnx is not None and isinstance(model, onnx.ModelProto)) or (
        isinstance(model, bytes) and _is_onnx_content(model)
    )


def _read_onnx(request: Request):
    import_onnx("an ONNX model")
    from .onnx import import_bytes, import_file, import_model

    if request.path is not None:
        return parse(import_file(request.path)), None
    read = import_bytes if isinstance(request.model, bytes) else import_model
    return parse(read(request.model)), None


# TensorFlow Lite.


def _is_tflite_content(head: bytes) -> bool:
    return head[4:8] == b"TFL3"


def _read_tflite(request: Request):
    import_tflite("a .tflite file")
    from .tflite import import_bytes, import_file

    if request.path is not None:
        return parse(import_file(request.path)), None
    return parse(import_bytes(request.model)), None


TORCH = Frontend(
    objects=("an nn.Module", "an ExportedProgram"),
    suffixes=(".pt2",),
    is_object=_is_torch,
    is_content=lambda head: head.startswith(b"PK\x03\x04"),
    read=_read_torch,
)
ONNX = Frontend(
    objects=("an onnx.ModelProto",),
    suffixes=(".onnx",),
    is_object=_is_onnx,
    is_content=_is_onnx_content,
    read=_read_onnx,
)
MLIR = Frontend(
    objects=("MLIR text",),
    suffixes=(".mlir", ".mlirbc"),
    is_object=mlir.is_module,
    is_content=lambda head: head.startswith(b"ML\xefR"),
    read=mlir.read,
)
TFLITE = Frontend(
    objects=(),
    suffixes=(".tflite",),
    is_object=lambda model: isinstance(model, bytes) and _is_tflite_content(model[:8]),
    is_content=_is_tflite_content,
    read=_read_tflite,
)
FRONTENDS = (TORCH, ONNX, TFLITE, MLIR)

SUFFIXES = tuple(suffix for frontend in FRONTENDS for suffix in frontend.suffixes)


def find(model) -> tuple[Frontend, str | None]:
    """The frontend that a model goes through, and its path, if it is one."""
    for frontend in FRONTENDS:
        if frontend.is_object(model):
            return frontend, None
    if not isinstance(model, (str, os.PathLike)):
        objects = ", ".join(name for frontend in FRONTENDS for name in frontend.objects)
        weights = ": weights, without their nn.Module" if isinstance(model, Mapping) else ""
        raise TypeError(f"expected {objects} or a path, but got {type(model).__name__}{weights}")
    path = os.fspath(model)
    return _frontend_of(path), path


def read(
    model,
    example_inputs=None,
    dynamic_batch: bool = False,
    example_kwargs: dict | None = None,
    image: Image | None = None,
):
    """The module of a model, and the structure of what it takes and returns."""
    frontend, path = find(model)
    if not is_torch_module(model):
        for given, option, own in (
            (dynamic_batch, "dynamic_batch", "their shapes"),
            (example_kwargs, "example_kwargs", "their inputs"),
            (image, 'input="uint8"', "the types of their inputs"),
        ):
            if given:
                raise ValueError(
                    f"expected an nn.Module for {option}, since other models say {own}, but got "
                    f"{type(model).__name__}"
                )
    request = Request(model, path, example_inputs, dynamic_batch, example_kwargs, image)
    return frontend.read(request)


def _frontend_of(path: str) -> Frontend:
    head, exists = b"", os.path.exists(path)
    if os.path.isfile(path):
        with open(path, "rb") as file:
            head = file.read(16)
    keras.refuse(path, head)
    suffix = os.path.splitext(path)[1]
    by_content = [frontend for frontend in FRONTENDS if frontend.is_content(head)]
    by_suffix = [frontend for frontend in FRONTENDS if suffix in frontend.suffixes]
    if not by_content and not by_suffix:
        raise ValueError(
            f"expected a {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file or MLIR text, but got "
            f"'{path}'"
        )
    if not exists:
        raise FileNotFoundError(f"expected a model, but there is no file '{path}'")
    return (by_content or by_suffix)[0]
