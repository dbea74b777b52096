"""Running averages without training."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TypeVar

import torch

Module = TypeVar("Module", bound=torch.nn.Module)


@torch.no_grad()
def calibrate(model: Module, batches: Iterable[torch.Tensor]) -> Module:
    """Gives a network the averages that it has after training: the stored scalars of its quantizers
    and the statistics of its batch norms. Parameters stay as they are.

    Args:
        model: changed in place.
        batches: inputs as training has them, float32, several samples each. Batch norms take the
            plain average over the batches in place of what they had; quantizers update their
            running averages by their own rule.

    Returns:
        The model, in eval mode. Without a batch: ValueError, and the model is as it was.
    """
    batches = iter(batches)
    first = next(batches, None)
    if first is None:
        raise ValueError("expected at least one batch to calibrate with, but got none")
    norms = [m for m in model.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        average_anew(norm)
    model.train()
    try:
        for batch in itertools.chain([first], batches):
            model(batch)
    finally:
        for norm, momentum in zip(norms, momenta, strict=True):
            norm.momentum = momentum
    return model.eval()


def average_anew(norm: torch.nn.modules.batchnorm._BatchNorm) -> None:
    """From the next batch on it takes the plain average; until then it keeps what it has."""
    norm.momentum = None
    if norm.track_running_stats:
        norm.num_batches_tracked.zero_()
