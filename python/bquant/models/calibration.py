"""Running averages without training."""

from __future__ import annotations

from collections.abc import Iterable

import torch


@torch.no_grad()
def calibrate(model: torch.nn.Module, batches: Iterable[torch.Tensor]) -> torch.nn.Module:
    """Gives a network the averages that it has after training: the stored scalars of its quantizers
    and the statistics of its batch norms. Parameters stay as they are.

    Args:
        model: changed in place.
        batches: inputs as training has them, float32, several samples each. Batch norms take the
            plain average over the batches in place of what they had; quantizers update their
            running averages by their own rule.

    Returns:
        The model, in eval mode. Without a batch: ValueError.
    """
    norms = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # the plain average
    model.train()
    seen = 0
    for batch in batches:
        model(batch)
        seen += 1
    for norm, momentum in zip(norms, momenta, strict=True):
        norm.momentum = momentum
    if not seen:
        raise ValueError("expected at least one batch to calibrate with, but got none")
    return model.eval()
