"""Small random networks of bquant.nn: compiled against torch, and fast against reference."""

import platform
from collections import OrderedDict

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from bquant.nn import BinaryConv2d, BinaryLinear, Quantizer  # noqa: E402
from torch import nn  # noqa: E402

SCHEMES = ["ls-1", "ls-T", "ls-2", "gf-2"]
# A value this close to a threshold, in units of the first scalar, may get another code by the
# rounding of sums in another order: torch adds floats, compiled code counts bits.
MARGIN = 1e-5


def trained(model, shape, seed):
    """Running averages and batch norms as after some training."""
    torch.manual_seed(seed + 1)
    model.train()
    with torch.no_grad():
        for _ in range(3):
            model(torch.randn(4, *shape[1:]))
        for module in model.modules():
            if isinstance(module, (nn.BatchNorm2d, nn.BatchNorm1d)):
                nn.init.normal_(module.weight, 1, 0.5)
                nn.init.normal_(module.bias, 0, 0.3)
    return model.eval()


def smallest_margin(model, x):
    """The distance of any quantized value to its nearest threshold, relative to the scalars. Exact
    zeros do not count: they come out of a ReLU and are zeros everywhere."""
    margins = []

    def hook(module, inputs, _):
        residue = inputs[0].double()
        if module.clamp is not None:
            residue = residue.clamp(-module.clamp, module.clamp)
        scalars = module.scalars.double()
        for v in scalars.repeat(2) if module.scheme == "ls-T" else scalars:
            distances = residue.abs()[residue != 0] / scalars[0]
            margins.append(distances.min().item() if len(distances) else 1.0)
            residue = residue - v * torch.where(residue >= 0, 1.0, -1.0)

    hooks = [
        module.register_forward_hook(hook)
        for module in model.modules()
        if isinstance(module, Quantizer) and module.scheme != "fp" and not module.online
    ]
    with torch.no_grad():
        model(x)
    for handle in hooks:
        handle.remove()
    return min(margins, default=1.0)


def check(model, shape, seed, inputs=4):
    """Torch, the reference route and the fast one agree; returns how many inputs were compared."""
    with torch.no_grad():
        exported = torch.export.export(model, (torch.zeros(shape),))
    fast = bquant.compile(exported)
    reference = bquant.compile(exported, strategy="reference")
    compared = 0
    for i in range(inputs):
        torch.manual_seed(1000 * seed + i)
        x = torch.randn(shape)
        y = fast(x)
        np.testing.assert_array_equal(
            y.numpy().view(np.int32), reference(x).numpy().view(np.int32), f"seed {seed}, input {i}"
        )
        if smallest_margin(model, x) < MARGIN:
            continue
        with torch.no_grad():
            expected = model(x)
        tolerance = 1e-4 * expected.abs().max().item()
        error = (y - expected).abs().max().item()
        assert error <= tolerance, f"seed {seed}, input {i}: expected {tolerance}, but got {error}"
        assert torch.equal(y.flatten(1).argmax(1), expected.flatten(1).argmax(1))
        compared += 1
    assert compared > 0, f"seed {seed}: every input had a value on a threshold"


@pytest.mark.parametrize("weights", ["ls-1", "ls-T", "ls-2"])
@pytest.mark.parametrize("activations", SCHEMES)
def test_convolution(activations, weights):
    torch.manual_seed(0)
    layer = BinaryConv2d(40, 24, 3, padding=1, activations=activations, weights=weights)
    check(trained(layer, (1, 40, 6, 5), 0), (1, 40, 6, 5), 0)


@pytest.mark.parametrize(
    "options",
    [
        {"kernel_size": 1},
        {"kernel_size": 3, "stride": 2, "padding": 1},
        {"kernel_size": (3, 5), "stride": (1, 2), "padding": (0, 2), "dilation": (2, 1)},
        {"kernel_size": 3, "padding": 3},
        {"kernel_size": 7, "padding": 3},
        {"kernel_size": 3, "padding": 1, "groups": 2},
    ],
)
def test_convolution_shapes(options):
    torch.manual_seed(0)
    layer = BinaryConv2d(10, 6, **options)
    check(trained(layer, (2, 10, 6, 5), 0), (2, 10, 6, 5), 0)


@pytest.mark.parametrize("weights", ["ls-1", "ls-2"])
@pytest.mark.parametrize("activations", SCHEMES)
def test_linear(activations, weights):
    torch.manual_seed(0)
    layer = BinaryLinear(70, 33, activations=activations, weights=weights)
    check(trained(layer, (2, 70), 0), (2, 70), 0)


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("scheme", ["ls-1", "ls-2", "ls-T"])
def test_online_scalars_are_refused(scheme, strategy):
    layer = BinaryConv2d(8, 6, 3, padding=1, activations=scheme, scalars="online")
    message = r"^conv.quantizer.*expected scalars that are known at compile time.*<ls, [12T]>.*$"
    with pytest.raises(ValueError, match=message):
        model = nn.Sequential(OrderedDict(conv=layer)).eval()
        bquant.compile(model, (torch.zeros(2, 8, 6, 5),), strategy=strategy)


@pytest.mark.parametrize("weights", ["ls-1", "ls-2"])
def test_float_activations(weights):
    torch.manual_seed(0)
    layer = BinaryConv2d(8, 6, 3, padding=1, activations="fp", weights=weights)
    check(trained(layer, (1, 8, 6, 5), 0), (1, 8, 6, 5), 0)


class Block(nn.Module):
    """Convolution, activation, norm in some order, perhaps a shortcut around them."""

    def __init__(self, channels, filters, choice):
        super().__init__()
        self.conv = BinaryConv2d(
            channels, filters, 3, padding=1,
            bias=choice.random() < 0.5,
            activations=choice.choice(SCHEMES),
            weights=choice.choice(["ls-1", "ls-1", "ls-2", "ls-T"]),
            clamp=choice.choice([None, 1.5, 2.0]),
        )  # fmt: skip
        self.norm = nn.BatchNorm2d(filters)
        activations = [nn.Identity(), nn.ReLU(), nn.PReLU(filters), nn.Hardtanh(), nn.LeakyReLU()]
        self.activation = activations[choice.integers(len(activations))]
        self.norm_first = choice.random() < 0.5
        self.shortcut = channels == filters and choice.random() < 0.5

    def forward(self, x):
        y = self.conv(x)
        order = (self.norm, self.activation) if self.norm_first else (self.activation, self.norm)
        for module in order:
            y = module(y)
        return x + y if self.shortcut else y


def random_network(seed):
    choice = np.random.default_rng(seed)
    torch.manual_seed(seed)
    channels, filters = (int(c) for c in choice.choice([8, 20, 32, 40, 64], 2))
    layers = [nn.Conv2d(3, channels, 3, padding=1), nn.BatchNorm2d(channels)]
    layers.append(Block(channels, filters, choice))
    if choice.random() < 0.5:
        layers.append(nn.MaxPool2d(2))
    layers.append(Block(filters, filters, choice))
    if choice.random() < 0.5:
        layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(filters, 10)]
    return nn.Sequential(*layers)


@pytest.mark.parametrize("seed", range(12))
def test_random_network(seed):
    shape = (1, 3, 8, 6)
    check(trained(random_network(seed), shape, seed), shape, seed, inputs=6)


@pytest.mark.parametrize("target", ["x86-64", "x86-64-v3"])
def test_every_cpu_gives_the_same_bits(target):
    if platform.machine() != "x86_64":
        pytest.skip("for x86-64")
    shape = (1, 3, 8, 6)
    model = trained(random_network(3), shape, 3)
    host, older = (bquant.compile(model, (torch.zeros(shape),), t) for t in ("host", target))
    x = torch.randn(shape)
    try:
        y = older(x)
    except RuntimeError:
        pytest.skip(f"this CPU is no {target}")
    np.testing.assert_array_equal(y.numpy().view(np.int32), host(x).numpy().view(np.int32))
