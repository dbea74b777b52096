"""Where a network trains, and in what precision."""

from __future__ import annotations

import torch
from torch import nn

PRECISIONS = ("float32", "bf16")


def check_device(device: str | torch.device) -> torch.device:
    """ValueError where this machine, or this torch, has no such device."""
    try:
        found = torch.device(device)
        torch.empty(0, device=found)
    except (RuntimeError, AssertionError) as error:  # torch's own, of several lines
        reason = str(error).strip().splitlines()[0]
        raise ValueError(
            f"expected a device of this machine, but got '{device}': {reason}"
        ) from None
    return found


def device_of(model: nn.Module) -> torch.device:
    """That of its first parameter; the CPU where it has none."""
    return next((p.device for p in model.parameters()), torch.device("cpu"))


def check_precision(precision: str) -> str:
    if precision not in PRECISIONS:
        raise ValueError(f"expected a precision of {', '.join(PRECISIONS)}, but got {precision!r}")
    return precision
