"""Networks of signs as people publish them: by way of PyTorch and of ONNX each becomes products of
bits, without a float product but the first layer, those of shortcuts and the last.

Written anew after the papers that are named, in the idiom of their code; none of bquant's modules
is used."""

from collections import Counter

import agreement
import bquant
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from functions import sign, to_onnx
from golden_files import daily
from reports import layers, products
from torch import nn

# --- Bi-Real Net: Liu and others, 2018; ReActNet: Liu and others, 2020 -------------------------


class PolynomialSign(nn.Module):
    """Signs whose gradient is that of pieces of parabolas."""

    def forward(self, x):
        below = (x < -1).to(x.dtype)
        negative = (x < 0).to(x.dtype)
        inside = (x < 1).to(x.dtype)
        left = -below + (x * x + 2 * x) * (1 - below)
        both = left * negative + (2 * x - x * x) * (1 - negative)
        smooth = both * inside + (1 - inside)
        return torch.sign(x).detach() - smooth.detach() + smooth


class HardConv(nn.Module):
    """The weights are a column, and their scale is a mean of means."""

    def __init__(self, inputs, filters, kernel=3, stride=1):
        super().__init__()
        self.stride, self.padding, self.shape = (
            stride,
            kernel // 2,
            (filters, inputs, kernel, kernel),
        )
        self.weights = nn.Parameter(0.1 * torch.randn(filters * inputs * kernel * kernel, 1))

    def forward(self, x):
        real = self.weights.view(self.shape)
        scale = real.abs().mean(3, keepdim=True).mean(2, keepdim=True).mean(1, keepdim=True)
        hard = scale.detach() * torch.sign(real)
        clipped = torch.clamp(real, -1.0, 1.0)
        weight = hard.detach() - clipped.detach() + clipped
        return F.conv2d(x, weight, stride=self.stride, padding=self.padding)


class BiRealBlock(nn.Module):
    def __init__(self, inputs, filters, stride):
        super().__init__()
        self.sign, self.conv = PolynomialSign(), HardConv(inputs, filters, 3, stride)
        self.bn = nn.BatchNorm2d(filters)
        self.downsample = None
        if stride != 1:
            self.downsample = nn.Sequential(
                nn.AvgPool2d(2, stride),
                nn.Conv2d(inputs, filters, 1, bias=False),
                nn.BatchNorm2d(filters),
            )

    def forward(self, x):
        out = self.bn(self.conv(self.sign(x)))
        out += x if self.downsample is None else self.downsample(x)
        return out


class Bias(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.bias = nn.Parameter(0.2 * torch.randn(1, channels, 1, 1))

    def forward(self, x):
        return x + self.bias.expand_as(x)


class ReActNetBlock(nn.Module):
    """Where channels double, two pointwise convolutions are concatenated."""

    def __init__(self, inputs, filters, stride):
        super().__init__()
        self.move1, self.move2, self.sign = Bias(inputs), Bias(inputs), PolynomialSign()
        self.conv = HardConv(inputs, inputs, 3, stride)
        self.bn = nn.BatchNorm2d(inputs)
        self.act1 = nn.Sequential(Bias(inputs), nn.PReLU(inputs), Bias(inputs))
        self.act2 = nn.Sequential(Bias(filters), nn.PReLU(filters), Bias(filters))
        self.pool = nn.AvgPool2d(2, 2) if stride == 2 else None
        copies = range(filters // inputs)
        self.points = nn.ModuleList(HardConv(inputs, inputs, 1) for _ in copies)
        self.norms = nn.ModuleList(nn.BatchNorm2d(inputs) for _ in copies)

    def forward(self, x):
        out = self.bn(self.conv(self.sign(self.move1(x))))
        x = x if self.pool is None else self.pool(x)
        out = self.act1(x + out)
        signs = self.sign(self.move2(out))
        pairs = zip(self.points, self.norms, strict=True)
        parts = [norm(point(signs)) + out for point, norm in pairs]
        return self.act2(parts[0] if len(parts) == 1 else torch.cat(parts, dim=1))


# --- BNN: Hubara and others, 2016; BinaryConnect: Courbariaux, Bengio, David, 2015 -------------


class Binarize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sign()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class BinarizeConv(nn.Conv2d):
    def forward(self, x):
        weight = Binarize.apply(self.weight)
        out = F.conv2d(Binarize.apply(x), weight, None, self.stride, self.padding)
        out += self.bias.view(1, -1, 1, 1).expand_as(out)
        return out


class BinarizeLinear(nn.Linear):
    def forward(self, x):
        out = F.linear(Binarize.apply(x), Binarize.apply(self.weight))
        out += self.bias.view(1, -1).expand_as(out)
        return out


class ConnectConv(nn.Conv2d):
    """Deterministic: +1 where the hard sigmoid of the weight is over a half, else -1."""

    def forward(self, x):
        chance = torch.clamp((self.weight + 1) / 2, 0, 1)
        weight = torch.where(chance.round() == 1, 1.0, -1.0)
        return F.conv2d(x, weight, self.bias, self.stride, self.padding)


# --- BinaryDuo: Kim, Kim, Kim, Kim, 2020 -------------------------------------------------------


class Levels(nn.Module):
    """A clipped ReLU of n + 1 levels: ternary where activations are coupled, binary where not."""

    def __init__(self, n):
        super().__init__()
        self.n = n

    def forward(self, x):
        x = F.hardtanh(x, 0.0, 1.0)
        return x + ((x * self.n).round() / self.n - x).detach()


class SignWeightConv(nn.Conv2d):
    def forward(self, x):
        weight = sign(self.weight) * self.weight.abs().mean((1, 2, 3), keepdim=True)
        return F.conv2d(x, weight, None, self.stride, self.padding)


class Twice(nn.Module):
    """Each channel becomes two of a decoupled network, with batch norms of their own."""

    def forward(self, x):
        return x.unsqueeze(1).expand(-1, 2, -1, -1, -1).reshape(len(x), -1, *x.shape[2:])


# --- WRPN: Mishra and others, 2017; loss-aware ternary weights: Hou, Kwok, 2018 ----------------


class WideConv(nn.Conv2d):
    """Of 2 bits: weights in [-1, 1] have 2^(2-1) - 1 steps up from 0, activations in [0, 1] have
    2^2 - 1."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        nn.init.uniform_(self.weight, -1, 1)

    def forward(self, x):
        weight = torch.round(torch.clamp(self.weight, -1, 1))
        return F.conv2d(torch.round(torch.clamp(x, 0, 1) * 3) / 3, weight, None, 1, self.padding)


class LossAwareConv(nn.Conv2d):
    """a b with b in {-1, 0, 1}, by turns: b = the nearest to w / a, a = the mean of |w| where b is
    not 0, weighted by the curvature d."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.register_buffer("d", torch.rand_like(self.weight) + 0.1)

    def forward(self, x):
        w, d = self.weight, self.d
        a = w.abs().mean()
        for _ in range(3):
            b = torch.sign(w) * (w.abs() > a / 2).to(w.dtype)
            a = (d * b * w).sum() / (d * b.abs()).sum()
        return F.conv2d(sign(x), a * b, None, 1, self.padding)


# --- XNOR-Net++: Bulat, Tzimiropoulos, 2019 ----------------------------------------------------


class LearnedScales(nn.Module):
    def __init__(self, inputs, filters, side):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(filters, inputs, 3, 3))
        self.alpha = nn.Parameter(torch.rand(filters, 1, 1) + 0.5)
        self.beta = nn.Parameter(torch.rand(1, side, 1) + 0.5)
        self.gamma = nn.Parameter(torch.rand(1, 1, side) + 0.5)

    def forward(self, x):
        out = F.conv2d(torch.sign(x), torch.sign(self.weight), padding=1)
        return out.mul(self.alpha).mul(self.beta).mul(self.gamma)


def middle(kind, act, conv=None):
    """Two layers of a kind, a batch norm and an activation before each: nothing is left between."""
    conv = conv or (lambda inputs, filters: kind(inputs, filters, 3, padding=1))
    return [
        nn.BatchNorm2d(32), act(), conv(32, 48), nn.BatchNorm2d(48), act(), conv(48, 32),
        nn.BatchNorm2d(32),
    ]  # fmt: skip


# NAME: what is between the float ends, the products of it (of bits, of floats by bits, of floats),
# and what their inputs and filters are. torch.sign has three values.
NETWORKS = {
    "bireal": (
        lambda: [BiRealBlock(32, 64, 2), BiRealBlock(64, 64, 1)],
        (2, 0, 1), ("ternary", "1 plane")),
    "reactnet": (
        lambda: [ReActNetBlock(32, 64, 2), ReActNetBlock(64, 64, 1)],
        (5, 0, 0), ("ternary", "1 plane")),
    "bnn": (
        lambda: [
            nn.BatchNorm2d(32), nn.Hardtanh(inplace=True), BinarizeConv(32, 48, 3, padding=1),
            nn.MaxPool2d(2), nn.BatchNorm2d(48), nn.Hardtanh(inplace=True), nn.Flatten(),
            BinarizeLinear(48 * 9, 40), nn.BatchNorm1d(40), nn.Hardtanh(inplace=True),
            BinarizeLinear(40, 64), nn.BatchNorm1d(64),
        ],
        (3, 0, 0), ("ternary", "1 plane")),
    "binary_connect": (
        lambda: middle(ConnectConv, nn.ReLU), (0, 2, 0), ("f32", "1 plane")),
    "binary_duo_coupled": (
        lambda: middle(SignWeightConv, lambda: Levels(2)),
        (2, 0, 0), ("2 planes in ratio", "1 plane")),
    "binary_duo_decoupled": (
        lambda: [
            Twice(), nn.BatchNorm2d(64), Levels(1), SignWeightConv(64, 24, 3, padding=1),
            Twice(), nn.BatchNorm2d(48), Levels(1), SignWeightConv(48, 32, 3, padding=1),
            nn.BatchNorm2d(32),
        ],
        (2, 0, 0), ("1 plane", "1 plane")),
    "wrpn": (
        lambda: middle(WideConv, nn.Identity), (2, 0, 0), ("2 planes in ratio", "ternary")),
    "loss_aware_ternary": (
        lambda: middle(LossAwareConv, nn.Identity), (2, 0, 0), ("1 plane", "ternary")),
    "xnor_net_plus_plus": (
        lambda: middle(None, nn.Identity, lambda a, b: LearnedScales(a, b, 6)),
        (2, 0, 0), ("ternary", "1 plane")),
}  # fmt: skip
QUICK_TORCH = ("bnn", "binary_duo_decoupled", "xnor_net_plus_plus")
QUICK_ONNX = ("reactnet", "wrpn", "loss_aware_ternary", "binary_connect")


def make(name):
    torch.manual_seed(1)
    parts = [nn.Conv2d(3, 32, 3, padding=1), *NETWORKS[name][0]()]
    with torch.no_grad():
        y = nn.Sequential(*parts).eval()(torch.zeros(1, 3, 6, 6))
    model = nn.Sequential(*parts, nn.Flatten(), nn.Linear(y.numel(), 10))
    return agreement.trained(model, (1, 3, 6, 6), 1), torch.randn(2, 3, 6, 6)


def check(network, model, x, name, signs="ternary"):
    """Products and planes; batch norms before a quantization are in its thresholds."""
    _, (binary, by_binary, floats), planes = NETWORKS[name]
    planes = tuple(signs if kind == "ternary" and i == 0 else kind for i, kind in enumerate(planes))
    found = Counter(item["arithmetic"] for item in products(network))
    ends = 2
    expected = Counter({"binary": binary, "float by binary": by_binary, "float": floats + ends})
    assert found == +expected, network.report()
    for item in layers(network):
        if item["macs"] and item["arithmetic"] != "float":
            operands = item["operands"].split(" by ")
            kinds = tuple(o.split(", ")[1] if ", " in o else o.split()[1] for o in operands)
            assert kinds == planes, network.report()
        if item["op"] == "quantize" and name != "bireal":  # where it is of a sum with a shortcut
            assert item["arithmetic"] == "binary, thresholds"
    with torch.no_grad():
        expected = model(x).numpy()
    result = np.asarray(network(x))
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-5 * abs(expected).max())


@pytest.mark.parametrize("name", daily(NETWORKS, QUICK_TORCH))
def test_by_way_of_torch(name):
    model, x = make(name)
    exported = torch.export.export(model, (x,))
    network = bquant.compile(exported)
    check(network, model, x, name)
    reference = bquant.compile(exported, strategy="reference")
    assert torch.equal(network(x), reference(x))


@pytest.mark.parametrize("name", daily(NETWORKS, QUICK_ONNX))
def test_by_way_of_onnx(name):
    """Told that no value is 0, torch.sign is one plane, and a product half as long."""
    pytest.importorskip("onnx")
    model, x = make(name)
    network = bquant.compile(to_onnx(model, x), assume=("no-nan", "no-zero"))
    check(network, model, x, name, signs="1 plane")
