"""Errors of layers. A layer does not know its own path in a network: it says which layer and which
parameter it was, and who has the network adds the path."""

from __future__ import annotations

import torch


def of_layer(error: Exception, layer: torch.nn.Module, reason: str = "", parameter: str = ""):
    """The error, with what `with_path` needs; `reason` where the path takes the place of another
    description of the layer."""
    error.layer, error.reason, error.parameter = layer, reason or str(error), parameter
    return error


def with_path(error: Exception, model: torch.nn.Module) -> Exception:
    """An error of a layer of `model` names it; any other is as it was."""
    for path, module in model.named_modules():
        if module is getattr(error, "layer", None):
            name = ".".join(part for part in (path, error.parameter) if part)
            return type(error)(f"'{name}': {error.reason}" if name else error.reason)
    return error
