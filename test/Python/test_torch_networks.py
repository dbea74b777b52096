"""Networks as people write them in PyTorch, without a module of bquant's, against PyTorch; the
share of their MACs that are products of bits."""

import bquant
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from reports import binary_share
from torch import nn


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return torch.where(x >= 0, 1.0, -1.0)


class BConv(nn.Conv2d):
    """XNOR-Net's: signs, and the mean magnitude of each filter."""

    def forward(self, x):
        scale = self.weight.abs().mean((1, 2, 3), keepdim=True)
        weight = Sign.apply(self.weight) * scale
        return F.conv2d(
            Sign.apply(x), weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )


class BLinear(nn.Linear):
    def forward(self, x):
        weight = Sign.apply(self.weight) * self.weight.abs().mean(1, keepdim=True)
        return F.linear(Sign.apply(x), weight, self.bias)


def block(inputs, outputs, **options):
    return nn.Sequential(
        BConv(inputs, outputs, 3, padding=1, bias=False, **options),
        nn.BatchNorm2d(outputs),
        nn.PReLU(outputs),
    )


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.down = nn.Conv2d(3, 32, 3, padding=1), block(32, 64, stride=2)
        self.up, self.last = nn.ConvTranspose2d(64, 32, 2, stride=2), block(64, 32)
        self.head = nn.Conv2d(32, 2, 1)

    def forward(self, x):
        x = self.first(x)
        y = self.up(self.down(x))
        return self.head(self.last(torch.cat([x, y], 1)))


class SqueezeExcite(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.conv = nn.Conv2d(3, 32, 3, padding=1), block(32, 32)
        self.gate = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(32, 8, 1), nn.SiLU(), nn.Conv2d(8, 32, 1),
            nn.Hardsigmoid(),
        )  # fmt: skip

    def forward(self, x):
        y = self.conv(self.stem(x))
        return (y * self.gate(y)).mean((2, 3))


class ShuffleUnit(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.branch = nn.Conv2d(3, 64, 3, padding=1), block(32, 32)

    def forward(self, x):
        left, right = self.stem(x).chunk(2, 1)
        y = torch.cat([left, self.branch(right)], 1)
        return F.channel_shuffle(y, 2).flatten(2).max(2).values


class ConvNeXt(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, 32, 4, stride=4), nn.LayerNorm(32)
        self.depthwise = nn.Conv2d(32, 32, 3, padding=1, groups=32)
        self.wide, self.narrow = BLinear(32, 128), BLinear(128, 32)
        self.scale = nn.Parameter(0.1 * torch.ones(32))

    def forward(self, x):
        x = self.stem(x)
        y = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        y = self.scale * self.narrow(F.gelu(self.wide(y)))
        return (x + y.permute(0, 3, 1, 2)).mean((2, 3))


class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches, self.place = nn.Conv2d(3, 32, 4, stride=4), nn.Parameter(torch.randn(16, 32))
        self.first, self.second = nn.LayerNorm(32), nn.LayerNorm(32)
        self.qkv, self.out = BLinear(32, 96), BLinear(32, 32)
        self.wide, self.narrow = BLinear(32, 64), BLinear(64, 32)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2) + self.place
        q, k, v = self.qkv(self.first(x)).reshape(-1, 16, 3, 4, 8).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(-1, 16, 32)
        x = x + self.out(y)
        return (x + self.narrow(F.gelu(self.wide(self.second(x))))).mean(1)


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches, self.norms = (
            nn.Conv2d(3, 32, 4, stride=4),
            nn.ModuleList(nn.LayerNorm(32) for _ in range(2)),
        )
        self.tokens, self.channels = BLinear(16, 16), BLinear(32, 32)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = x + self.tokens(self.norms[0](x).transpose(1, 2)).transpose(1, 2)
        return {"features": x + self.channels(self.norms[1](x)), "mean": x.mean((1, 2))}


class SuperResolution(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Conv2d(3, 32, 3, padding=1, padding_mode="reflect"), block(32, 32), block(32, 32),
            nn.Conv2d(32, 12, 3, padding=1), nn.PixelShuffle(2), nn.Tanh(),
        )  # fmt: skip


class Pyramid(nn.Module):
    """A feature pyramid: what is coarse is upsampled and added."""

    def __init__(self):
        super().__init__()
        self.stem, self.fine = nn.Conv2d(3, 32, 3, padding=1), block(32, 32)
        self.coarse = nn.Sequential(block(32, 64, stride=2), BConv(64, 32, 1))

    def forward(self, x):
        x = self.stem(x)
        up = F.interpolate(self.coarse(x), scale_factor=2, mode="bilinear")
        return [self.fine(x) + up, F.interpolate(up, size=(4, 4))]


class Keywords(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.conv = nn.GroupNorm(4, 32), BConv(32, 32, (1, 3), padding=(0, 1))
        self.stem, self.head = nn.Conv1d(16, 32, 3, padding=1), nn.Linear(32, 12)

    def forward(self, x):
        y = self.norm(self.stem(x)).unsqueeze(2)
        return self.head(F.mish(self.conv(y)).amax((2, 3))).log_softmax(-1)


class MobileNet(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Conv2d(3, 32, 3, stride=2, padding=1, bias=False),
            nn.InstanceNorm2d(32, affine=True), nn.Hardswish(),
            nn.Conv2d(32, 32, 3, padding=1, groups=32), nn.BatchNorm2d(32),
            BConv(32, 64, 1, bias=False), nn.BatchNorm2d(64), nn.ELU(), block(64, 32),
            nn.AdaptiveMaxPool2d(2), nn.Flatten(), nn.Linear(128, 10), nn.Softmax(-1),
        )  # fmt: skip


IMAGE = (1, 3, 16, 16)
# The share of MACs that are products of bits, in percent.
NETWORKS = {
    UNet: (IMAGE, 88.6),
    SqueezeExcite: (IMAGE, 91.4),
    ShuffleUnit: (IMAGE, 84.2),
    ConvNeXt: (IMAGE, 81.8),
    ViT: (IMAGE, 76.2),
    Mixer: (IMAGE, 50.0),
    SuperResolution: (IMAGE, 81.0),
    Pyramid: (IMAGE, 94.3),
    Keywords: ((1, 16, 20), 66.4),
    MobileNet: (IMAGE, 94.6),
}


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("kind", NETWORKS, ids=lambda kind: kind.__name__)
def test_network(kind, strategy):
    shape, share = NETWORKS[kind]
    torch.manual_seed(7)  # of a network whose values lie off the thresholds
    model, x = kind(), torch.randn(shape)
    with torch.no_grad():  # statistics of batch norms
        model.train()(torch.randn(8, *shape[1:]))
        expected = model.eval()(x)
    network = bquant.compile(model, (x,), strategy=strategy)
    result = network(x)
    flat, tree = torch.utils._pytree.tree_flatten(expected)
    results, same = torch.utils._pytree.tree_flatten(result)
    assert tree == same
    for y, z in zip(results, flat, strict=True):
        np.testing.assert_allclose(y, z, rtol=1e-5, atol=1e-5 * max(1, float(z.abs().max())))
    assert binary_share(network) == pytest.approx(share, abs=0.1)
