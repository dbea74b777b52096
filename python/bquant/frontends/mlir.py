"""Modules of MLIR, as text or bytecode, which the compiler itself reads."""

from __future__ import annotations

from .. import _bquant


def is_module(model) -> bool:
    """A string of one line without a brace is a path."""
    return isinstance(model, bytes) or (isinstance(model, str) and ("\n" in model or "{" in model))


def read(request):
    if request.path is not None:
        return _bquant.Module.parse_file(request.path), None
    if isinstance(request.model, bytes):
        return _bquant.Module.parse(request.model, "<bytes>", {}), None
    return _bquant.Module.parse(request.model.encode(), "<text>", {}), None
