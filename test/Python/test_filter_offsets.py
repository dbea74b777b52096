"""Filters with an offset in PyTorch: AdaBin's mean beside the signs, TTQ's two scales."""

import json

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402


class Layer(nn.Module):
    def __init__(self, filters, signs):
        super().__init__()
        torch.manual_seed(11)
        self.weight = nn.Parameter(torch.randn(16, 8, 3, 3) + 0.1)
        self.next = nn.Parameter(torch.randn(12, 16, 3, 3) - 0.1)
        self.filters, self.signs = filters, signs

    def quantize(self, x):
        return (
            torch.where(x >= 0, 1.0, -1.0) if self.signs else torch.round(x.clamp(0, 1) * 15) / 15
        )

    def forward(self, x):
        y = F.conv2d(self.quantize(x), self.filters(self.weight), padding=1)
        return y, F.conv2d(self.quantize(y), self.filters(self.next), stride=2).relu()


def adabin(w):
    """Tu and others, AdaBin: Binary Neural Networks with Adaptive Binary Sets, (5) to (9)."""
    mean = w.mean((1, 2, 3), keepdim=True)
    deviation = w.std((1, 2, 3), keepdim=True, correction=0)
    return torch.where(w >= mean, 1.0, -1.0) * deviation + mean


def ttq(w):
    """Zhu and others, Trained Ternary Quantization, (6)."""
    threshold = 0.05 * w.abs().amax((1, 2, 3), keepdim=True)
    positive = 1.25 * w.abs().mean((1, 2, 3), keepdim=True)
    return torch.where(
        w > threshold, positive, torch.where(w < -threshold, -0.75 * positive, torch.zeros(()))
    )


@pytest.mark.parametrize("signs", [True, False])
@pytest.mark.parametrize("filters", [adabin, ttq])
def test_becomes_binary(filters, signs):
    model = Layer(filters, signs).eval()
    x = torch.randn(1, 8, 9, 9)
    network = bquant.compile(model, example_inputs=(x,))
    layers = json.loads(network.report("json"))["layers"]
    binary = sum(item["mac_share"] for item in layers if item["macs"] and not item["float"])
    assert binary > 0.99
    reference = bquant.compile(model, example_inputs=(x,), strategy="reference")
    results = network(x)
    for result, other in zip(results, reference(x), strict=True):
        np.testing.assert_array_equal(result, other)
    with torch.no_grad():
        first, second = model(x)
    np.testing.assert_allclose(results[0], first, atol=1e-5 * first.abs().max().item())
    # A code between the products is another one where a sum near 0 rounds otherwise.
    assert np.median(np.abs(np.asarray(results[1]) - second.numpy())) <= 1e-5
