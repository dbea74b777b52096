"""Images of bytes in the place of a network's float input."""

from __future__ import annotations

import contextlib

import torch


@contextlib.contextmanager
def takes_image(model: torch.nn.Module, mean=None, std=None):
    """Meanwhile the first input of `model` is an image of uint8 (N, C, H, W), of which it gets
    (x / 255 - mean) / std in float32, in this order, as torchvision's ToTensor and Normalize
    compute it. `mean`, `std`: a number for each channel or one for all, or None."""
    steps = [
        (operation, torch.tensor(value, dtype=torch.float32).reshape(-1, 1, 1))
        for operation, value in ((torch.sub, mean), (torch.div, std))
        if value is not None
    ]

    def convert(_, inputs):
        x, *others = inputs
        x = x.to(torch.float32) / 255
        for operation, value in steps:
            x = operation(x, value)
        return (x, *others)

    hook = model.register_forward_pre_hook(convert, prepend=True)
    try:
        yield True
    finally:
        hook.remove()
