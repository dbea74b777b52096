"""What `bquant.compile` is given of PyTorch, as a program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import torch

from ..common.mlir import Program
from .image import check_statistics, takes_image
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
    check_statistics(image.mean, image.std, examples[0].shape[1])
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
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise TypeError(
            f"expected a tuple of tensors as example_inputs, but got {type(given).__name__}"
        )
    return tuple(torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in given)


def _of_bytes(x=None, *others) -> tuple:
    if not isinstance(x, torch.Tensor):
        raise TypeError(
            'expected an image as the first of example_inputs for input="uint8", but got '
            f"{'none' if x is None else type(x).__name__}"
        )
    if x.dim() != 4:
        raise ValueError(
            'expected an image of shape (N, C, H, W) for input="uint8", but the first of '
            f"example_inputs has {tuple(x.shape)}"
        )
    return (torch.zeros(x.shape, dtype=torch.uint8), *others)
