"""What `bquant.compile` is given of PyTorch, as a program."""

from __future__ import annotations

import numpy as np
import torch

from ..common.mlir import Program
from .image import takes_image
from .reader import import_exported, import_file, import_module


def read(request) -> Program:
    if request.path is not None:
        return import_file(request.path)
    if not isinstance(request.model, torch.nn.Module):
        return import_exported(request.model)
    image, examples = request.image, _examples(request)
    how = {"dynamic_batch": request.dynamic_batch, "example_kwargs": request.example_kwargs}
    if image is None:
        return import_module(request.model, examples, **how)
    examples = _of_bytes(*examples)
    normalized = request.model, image.mean, image.std, examples if image.byte_weights else None
    with takes_image(*normalized):
        return import_module(request.model, examples, **how)


def _examples(request) -> tuple:
    given = request.example_inputs
    if given is None and request.example_kwargs:
        return ()
    if given is None:
        raise ValueError("expected example_inputs=(x, ...): an nn.Module does not say its shapes")
    if isinstance(given, (torch.Tensor, np.ndarray)):
        given = (given,)
    return tuple(torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in given)


def _of_bytes(x, *others) -> tuple:
    if x.dim() != 4:
        raise ValueError(
            'expected an image of shape (N, C, H, W) for input="uint8", but the first of '
            f"example_inputs has {tuple(x.shape)}"
        )
    return (torch.zeros(x.shape, dtype=torch.uint8), *others)
