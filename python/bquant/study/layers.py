"""What the quantized layers of a network see."""

from __future__ import annotations

import numpy as np
import torch

from ..nn.layers import BinaryConv1d, BinaryConv2d, BinaryLinear

KINDS = (BinaryConv1d, BinaryConv2d, BinaryLinear)


def layers(model: torch.nn.Module) -> dict[str, torch.nn.Module]:
    """The layers that are quantized, or would be: their paths and modules."""
    return {name: module for name, module in model.named_modules() if isinstance(module, KINDS)}


@torch.no_grad()
def inputs(model: torch.nn.Module, x: torch.Tensor) -> dict[str, np.ndarray]:
    """The input of each of these layers, float32, dense."""
    found: dict[str, np.ndarray] = {}
    hooks = [
        module.register_forward_pre_hook(
            lambda _, args, name=name: found.__setitem__(name, args[0].contiguous().numpy())
        )
        for name, module in layers(model).items()
    ]
    model(x)
    for hook in hooks:
        hook.remove()
    return found


def short(name: str) -> str:
    """blocks.3.1.conv: block 3.1"""
    return name.removeprefix("blocks.").removesuffix(".conv")
