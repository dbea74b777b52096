"""Products of floats in bf16: what is rounded, how far results are from those of f32, and what is
said. Machines with dot products of bf16 are those of test_cross.py."""

import json

import bquant
import bquant.nn
import numpy as np
import pytest
import torch
from torch import nn


class Rounded(nn.Module):
    """A layer of floats whose input and weight are rounded to bf16, summed in float32."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        weight = self.layer.weight
        x, weight = (v.to(torch.bfloat16).to(torch.float32) for v in (x, weight))
        with torch.no_grad():
            rounded = torch.func.functional_call
            return rounded(self.layer, {"weight": weight}, (x,))


def layers():
    torch.manual_seed(0)
    return [
        (nn.Conv2d(3, 24, 7, 2, 3), torch.randn(1, 3, 20, 20)),
        (nn.Conv2d(16, 8, 1, 2), torch.randn(1, 16, 9, 9)),
        (nn.Linear(33, 10), torch.randn(4, 33)),
    ]


def sums_of_magnitudes(layer, x):
    """Of each result, of the products of which it is the sum."""
    parameters = {name: p.detach().abs() for name, p in layer.named_parameters()}
    with torch.no_grad():
        return torch.func.functional_call(layer, parameters, (x.abs(),)).numpy()


@pytest.mark.parametrize("number", range(3))
def test_reference_rounds_inputs_and_filters(number):
    layer, x = layers()[number]
    net = bquant.compile(layer, (x,), strategy="reference", float_precision="bf16")
    with torch.no_grad():
        expected = Rounded(layer)(x).numpy()
    bound = layer.weight[0].numel() * 2**-23 * sums_of_magnitudes(layer, x)
    assert (np.abs(net(x).numpy() - expected) <= bound).all()


@pytest.mark.parametrize("number", range(3))
def test_error_against_f32(number):
    """Each operand is off by at most 2^-8 of itself."""
    layer, x = layers()[number]
    net = bquant.compile(layer, (x,), strategy="reference", float_precision="bf16")
    with torch.no_grad():
        expected = layer(x).numpy()
    error = np.abs(net(x).numpy() - expected)
    assert (error <= 2**-6.9 * sums_of_magnitudes(layer, x)).all()
    assert 2e-4 < np.linalg.norm(error) / np.linalg.norm(expected) < 4e-3


def test_halves_go_to_even_and_nan_stays():
    layer = nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        layer.weight.fill_(1)
    bits = [0x3F808000, 0x3F818000, 0x3F808001, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x80000001]
    x = np.array(bits, np.uint32).view(np.float32).reshape(-1, 1)
    net = bquant.compile(layer, torch.from_numpy(x), strategy="reference", float_precision="bf16")
    expected = torch.from_numpy(x).to(torch.bfloat16).to(torch.float32).numpy()
    np.testing.assert_array_equal(net(x), expected)


def test_report_names_the_kernel_and_the_difference():
    layer, x = layers()[0]
    net = bquant.compile(layer, (x,), target="x86_64-linux-gnu:znver4", float_precision="bf16")
    (row,) = [r for r in json.loads(net.report("json"))["layers"] if "7x7" in r["operands"]]
    assert row["kernel"].startswith("bf16<") and row["weight_bytes"] == 2 * layer.weight.numel()
    assert "rounded to bf16" in net.report() and "differs from that of f32" in net.report()
    plain = bquant.compile(layer, (x,), target="x86_64-linux-gnu:znver4")
    assert "bf16" not in plain.report()


def test_scaled_binary_layers_stay_as_they_are():
    torch.manual_seed(0)
    model = bquant.nn.BinaryConv2d(16, 32, 3, weights="ls-1", activations="ls-1")
    x = torch.randn(1, 16, 9, 9)
    model(x)
    model.eval()
    nets = [
        bquant.compile(model, (x,), strategy="reference", float_precision=precision)
        for precision in ("f32", "bf16")
    ]
    np.testing.assert_array_equal(nets[0](x), nets[1](x))


def test_bad_input():
    layer, x = layers()[2]
    with pytest.raises(ValueError, match="expected one of f32, bf16, but got 'bf8'"):
        bquant.compile(layer, (x,), float_precision="bf8")
    with pytest.raises(
        ValueError, match="expected a CPU with dot products of bf16 .* but got 'haswell'"
    ):
        bquant.compile(layer, (x,), target="haswell", float_precision="bf16")
    assert "bf16" in bquant.lower(
        layer, "select", (x,), target="x86_64-linux-gnu:znver4", float_precision="bf16"
    )
