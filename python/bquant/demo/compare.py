"""PyTorch beside compiled code: predictions, layers, time."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass

import torch

from ..verification import Verification, verify
from .data import Split
from .network import predictions

VERIFIED = 20  # pictures of each network


@dataclass
class Comparison:
    equal: float  # share of pictures with the same prediction
    verification: Verification  # of some pictures, and of all that are predicted otherwise


@dataclass
class Times:
    """Seconds a picture, medians, batch 1, one thread."""

    torch: float
    compiled: float

    @property
    def ratio(self) -> float:
        return self.torch / self.compiled


def compare(model, network, data: Split) -> Comparison:
    expected = predictions(model, data.images)
    actual = predictions(network, data.images)
    a, b = expected.argmax(1), actual.argmax(1)
    # The pictures that are predicted otherwise need an explanation most.
    chosen = sorted({*range(VERIFIED), *(a != b).nonzero()[:, 0].tolist()})
    return Comparison(
        (a == b).float().mean().item(),
        verify(network, model, [data.images[i : i + 1] for i in chosen]),
    )


def measure(model, network, image: torch.Tensor, repetitions: int = 300) -> Times:
    """Both by turns, so that whatever else the machine does meets both."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    seconds = {model: [], network: []}
    try:
        with torch.no_grad():
            for repetition in range(repetitions + 20):
                for function in (model, network):
                    start = time.perf_counter()
                    function(image)
                    stop = time.perf_counter()
                    if repetition >= 20:
                        seconds[function].append(stop - start)
    finally:
        torch.set_num_threads(threads)
    return Times(statistics.median(seconds[model]), statistics.median(seconds[network]))
