"""Layers of bquant.nn compiled: shapes, errors, CPUs."""

import platform
from collections import OrderedDict

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from agreement import check, draw, trained  # noqa: E402
from bquant.nn import BinaryConv1d, BinaryConv2d, BinaryLinear, Quantizer  # noqa: E402
from functions import Function  # noqa: E402
from random_networks import random_network  # noqa: E402
from reports import layers  # noqa: E402
from torch import nn  # noqa: E402

SCHEMES = ["ls-1", "ls-T", "ls-2", "gf-2"]


def agree(layer, shape, seed):
    """With parameters as after training: torch, the reference route and the fast ones."""
    model = trained(nn.Sequential(layer), shape, seed)
    check(model, draw(model, shape, 4, seed), f"seed {seed}")


@pytest.mark.parametrize(
    "options",
    [
        {"kernel_size": 1},
        {"kernel_size": 3, "stride": 2, "padding": 1},
        {"kernel_size": (3, 5), "stride": (1, 2), "padding": (0, 2), "dilation": (2, 1)},
        {"kernel_size": 3, "padding": 3},
        {"kernel_size": 7, "padding": 3},
        {"kernel_size": 3, "padding": 1, "groups": 2},
        {"kernel_size": 3, "padding": 2, "dilation": 2, "groups": 2},
    ],
)
def test_convolution_shapes(options):
    torch.manual_seed(0)
    layer = BinaryConv2d(10, 6, **options)
    agree(layer, (2, 10, 6, 5), 0)


def count_layers(model, x, op):
    """How many layers of a kind a compiled network has; none may have stayed float."""
    found = layers(bquant.compile(model, (x,)))
    assert all("float" not in layer["arithmetic"] for layer in found), found
    return sum(layer["op"] == op for layer in found)


@pytest.mark.parametrize("activations", SCHEMES)
def test_depthwise(activations):
    torch.manual_seed(0)
    layers = [
        BinaryConv2d(40, 40, 3, padding=1, groups=40, activations=activations),
        nn.BatchNorm2d(40),
        BinaryConv2d(40, 80, 3, 2, padding=1, groups=40, activations=activations),
    ]
    agree(nn.Sequential(*layers), (2, 40, 7, 6), 0)


@pytest.mark.parametrize("activations", SCHEMES)
def test_convolution_1d(activations):
    torch.manual_seed(0)
    model = nn.Sequential(
        BinaryConv1d(8, 16, 5, padding=2, activations=activations),
        nn.BatchNorm1d(16),
        BinaryConv1d(16, 12, 3, 2, dilation=2, groups=4, activations=activations),
        nn.PReLU(),
    )
    agree(model, (2, 8, 20), 0)
    assert count_layers(model, torch.zeros(2, 8, 20), "conv_2d") == 2


@pytest.mark.parametrize("activations", SCHEMES)
def test_product_of_batches(activations):
    """Both factors are quantized in the graph, as in attention."""

    def scores(x, query, key):
        return torch.bmm(query(x), key(x * x - 1).transpose(1, 2))

    model = Function(scores, query=Quantizer(activations), key=Quantizer("ls-1"))
    agree(model, (3, 9, 40), 0)
    assert count_layers(model, torch.zeros(3, 9, 40), "matmul") == 1


@pytest.mark.parametrize("weights", ["ls-1", "ls-2"])
@pytest.mark.parametrize("activations", SCHEMES)
def test_linear(activations, weights):
    torch.manual_seed(0)
    layer = BinaryLinear(70, 33, activations=activations, weights=weights)
    agree(layer, (2, 70), 0)


@pytest.mark.parametrize("weights", ["ls-1", "ls-T"])
@pytest.mark.parametrize("activations", [*SCHEMES, "gf-1", "gf-4"])
def test_online_scalars(activations, weights):
    """Each sample has scalars of its own, solved in the compiled code."""
    torch.manual_seed(0)
    options = {"activations": activations, "weights": weights, "scalars": "online"}
    layers = OrderedDict(
        norm=nn.BatchNorm2d(40),
        conv=BinaryConv2d(40, 24, 3, padding=1, **options),
        act=nn.PReLU(24),
        flat=nn.Flatten(),
        linear=BinaryLinear(720, 10, **options),
    )
    agree(nn.Sequential(layers), (3, 40, 6, 5), 0)


@pytest.mark.parametrize("scheme", [*SCHEMES, "gf-3"])
def test_online_scalars_of_bad_and_zero_samples(scheme):
    torch.manual_seed(0)
    layer = BinaryConv2d(9, 6, 3, padding=1, activations=scheme, clamp=None, scalars="online")
    example = (torch.zeros(3, 9, 6, 5),)
    fast = bquant.compile(layer.eval(), example)
    reference = bquant.compile(layer, example, strategy="reference")
    for bad in (float("nan"), float("inf"), -float("inf")):
        x = torch.randn(3, 9, 6, 5)
        x[0, 3, 2, 1] = bad
        x[1] = 0
        y = fast(x)
        assert y[0].isnan().all()
        assert torch.equal(y[1], layer.bias.detach().reshape(6, 1, 1).expand(6, 6, 5))
        assert y[2].isfinite().all()
        np.testing.assert_array_equal(y.numpy().view(np.int32), reference(x).numpy().view(np.int32))


@pytest.mark.parametrize("strategy", ["auto", "reference"])
def test_values_at_an_online_threshold(strategy):
    """Of magnitudes with the mean 10 the threshold of twn is 7, and a 7 is not over it."""
    network = """func.func @f(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
      %q = bquant.quantize %x scheme(<twn>) : tensor<1x4xf32> -> !bquant.tensor<1x4, [1, 1]>
      %y = bquant.dequantize %q : !bquant.tensor<1x4, [1, 1]> -> tensor<1x4xf32>
      return %y : tensor<1x4xf32>
    }"""
    x = np.float32([[7, -7, 13, -13]])
    y = bquant.compile(network, strategy=strategy)(x)
    np.testing.assert_array_equal(y, [[0, 0, 13, -13]])


@pytest.mark.parametrize("target", ["x86-64", "x86-64-v3"])
def test_every_cpu_gives_the_same_bits(target):
    """But for the sums of its float layer, which are rounded otherwise without an fma: there the
    reference for the same CPU gives them."""
    if platform.machine() != "x86_64":
        pytest.skip("for x86-64")
    model, shape = random_network(3)
    trained(model, shape, 3)
    example = (torch.zeros(shape),)
    same = {"strategy": "reference", "target": target} if target == "x86-64" else {}
    expected, older = (bquant.compile(model, example, **o) for o in (same, {"target": target}))
    x = torch.randn(shape)
    try:
        y = older(x)
    except RuntimeError:
        pytest.skip(f"this CPU is no {target}")
    np.testing.assert_array_equal(y.numpy().view(np.int32), expected(x).numpy().view(np.int32))
