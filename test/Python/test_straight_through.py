"""Straight-through rounding, as LSQ, DoReFa and Brevitas' integer quantizers write it."""

from __future__ import annotations

import bquant
import pytest
import torch
import torch.nn.functional as F
from functions import Function
from torch import nn


def round_ste(y):
    return (y.round() - y).detach() + y


class Learned(nn.Module):
    """LSQ: steps of a learned size."""

    def __init__(self, low, high, step):
        super().__init__()
        self.low, self.high = low, high
        self.step = nn.Parameter(torch.tensor(step))

    def forward(self, x):
        return round_ste(torch.clamp(x / self.step, self.low, self.high)) * self.step


class LearnedConv(nn.Conv2d):
    def __init__(self, *arguments, bits, **options):
        super().__init__(*arguments, **options)
        half = 2 ** (bits - 1)
        self.quantizer = Learned(-half, half - 1, 0.11)

    def forward(self, x):
        return F.conv2d(x, self.quantizer(self.weight), self.bias, self.stride, self.padding)


class DoReFaConv(nn.Conv2d):
    def __init__(self, *arguments, bits, **options):
        super().__init__(*arguments, **options)
        self.steps = 2**bits - 1

    def forward(self, x):
        w = torch.tanh(self.weight)
        w = w / (2 * w.abs().max()) + 0.5
        w = 2 * (round_ste(w * self.steps) / self.steps) - 1
        return F.conv2d(x, w, self.bias, self.stride, self.padding)


class DoReFa(nn.Module):
    def __init__(self, bits):
        super().__init__()
        self.steps = 2**bits - 1

    def forward(self, x):
        return round_ste(torch.clamp(x, 0, 1) * self.steps) / self.steps


def network(conv, quantizer):
    """A float first layer and two quantized ones."""
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), quantizer(),
        conv(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), quantizer(),
        conv(32, 32, 3),
    ).eval()  # fmt: skip


NETWORKS = {
    f"{name}-{bits}": (lambda conv=conv, q=q, bits=bits: network(
        lambda *a, **o: conv(*a, bits=bits, **o), lambda: q(bits)
    ))
    for name, conv, q in (
        ("lsq", LearnedConv, lambda bits: Learned(0, 2**bits - 1, 0.17)),
        ("dorefa", DoReFaConv, DoReFa),
    )
    for bits in (2, 3, 4, 8)
}  # fmt: skip


def binary(net):
    return net.report().count("conv_2d, binary")


@pytest.mark.parametrize("name", NETWORKS)
def test_is_binary_unless_strict(name):
    torch.manual_seed(0)
    model, x = NETWORKS[name](), torch.randn(2, 3, 10, 10)
    net = bquant.compile(model, (x,))
    slow = bquant.compile(model, (x,), strategy="reference")
    assert binary(net) == 2
    assert "a straight-through residue (q - c) + c is taken for q" in net.report()
    assert torch.equal(net(x), slow(x))
    with torch.no_grad():
        expected = model(x)
    assert_near(net(x), expected, name)
    # Filters of a module are numbers when they come here; the inputs stay float.
    strict = bquant.compile(model, (x,), strict=True)
    assert binary(strict) == 0
    assert_near(strict(x), expected, name)


def assert_near(actual, expected, name):
    """A value at a threshold may fall to its other side, and moves what it reaches by a step."""
    differences = (actual - expected).abs() / expected.abs().max()
    assert differences.max() < 0.02
    if not name.endswith("-8"):  # of 255 thresholds
        assert differences.median() < 1e-6


def test_a_difference_that_is_no_residue():
    model, x = Function(lambda x: (x.round() - 0.5 * x) + x), torch.randn(2, 40)
    net = bquant.compile(model, (x,))
    assert "residue" not in net.report()
    torch.testing.assert_close(net(x), model(x))
