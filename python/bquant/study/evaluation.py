"""A trained network compiled, beside PyTorch."""

from __future__ import annotations

import json

import torch

import bquant

from ..datasets import Dataset
from ..train import predict
from ..train.loop import hits

EXPLAINED = 50  # images of other predictions that are looked into


def evaluate(model: torch.nn.Module, data: Dataset) -> dict:
    """The share of all test images whose class is among PyTorch's first five, the accuracy of
    compiled code, and the share of predictions that are PyTorch's; of the others, how many
    `bquant.verify` explains by a value on a threshold. It looks at an image alone, of which
    PyTorch's rounding may differ from that in a batch: where PyTorch then predicts what compiled
    code does, that value was in the batch."""
    example = data.prepare(data.test.images[:2])
    network = bquant.compile(model, (example,), dynamic_batch=True)
    logits = predict(model, data, data.test)
    expected = logits.argmax(1)
    actual = predict(network, data, data.test).argmax(1)
    others = (expected != actual).nonzero()[:, 0].tolist()
    return {
        "top5": hits(logits, data.test.labels, 5) / len(data.test),
        "compiled_accuracy": (actual == data.test.labels).double().mean().item(),
        "equal_predictions": (expected == actual).double().mean().item(),
        "explained": f"{_explained(model, data, others, actual)} of {len(others)}",
        "weight_bytes": json.loads(network.report("json"))["totals"]["weight_bytes"],
    }


@torch.no_grad()
def _explained(model, data: Dataset, indices: list[int], actual: torch.Tensor) -> int:
    if not indices:
        return 0
    example = data.prepare(data.test.images[:1])
    network = bquant.compile(model, (example,))
    count = 0
    for i in indices[:EXPLAINED]:
        x = data.prepare(data.test.images[i : i + 1])
        result = bquant.verify(network, model, x)
        is_of_batch = bool(model(x).argmax() == actual[i])
        count += bool(result) and (bool(result.on_thresholds) or is_of_batch)
    return count
