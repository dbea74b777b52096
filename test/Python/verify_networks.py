"""Random networks for `bquant.verify`: quantizers written out and filters of few levels, in every
kind of product; each value may be all zeros, far below its largest level, or cancel."""

import numpy as np
import torch
from bquant.nn import BinaryConv2d, BinaryLinear, Quantizer
from draws import Draws
from random_networks import random_network
from torch import nn
from torch.nn import functional as F


class Uniform(nn.Module):
    """k bits from `low` to `high`, by a rounding."""

    def __init__(self, step, low, high):
        super().__init__()
        self.step, self.low, self.high = step, low, high

    def forward(self, x):
        return torch.round(torch.clamp(x / self.step, self.low, self.high)) * self.step


class Signs(nn.Module):
    """One plane, or two in a cascade; as training leaves it, with a straight-through residue."""

    def __init__(self, scalars, residue):
        super().__init__()
        self.scalars, self.residue = scalars, residue

    def forward(self, x):
        rest, total = x, 0
        for v in self.scalars:
            term = torch.where(rest >= 0, v, -v)
            total, rest = total + term, rest - term
        return x + (total - x).detach() if self.residue else total


class Ternary(nn.Module):
    def __init__(self, threshold, scale):
        super().__init__()
        self.threshold, self.scale = threshold, scale

    def forward(self, x):
        return self.scale * ((x > self.threshold).float() - (x < -self.threshold).float())


class Shortcut(nn.Module):
    def __init__(self, body, join):
        super().__init__()
        self.body, self.join = body, join

    def forward(self, x):
        y = self.body(x)
        return torch.cat((x, y), 1) if self.join == "cat" else x + y


class Attention(nn.Module):
    """Products of activations by activations, with both sides, one or none quantized."""

    def __init__(self, make, width, heads):
        super().__init__()
        self.heads, self.norm = heads, nn.LayerNorm(width)
        self.q, self.k, self.v, self.out = (make.linear(width, width) for _ in range(4))
        self.of_q, self.of_k, self.of_x = make.quantizer(), make.quantizer(), make.quantizer()

    def forward(self, x):
        y = self.of_x(self.norm(x))
        q, k, v = (
            m(y).unflatten(-1, (self.heads, -1)).transpose(1, 2) for m in (self.q, self.k, self.v)
        )
        scores = self.of_q(q) @ self.of_k(k).transpose(-1, -2)
        y = (scores * q.shape[-1] ** -0.5).softmax(-1) @ v
        return x + self.out(self.of_x(y.transpose(1, 2).flatten(2)))


def _size(layer, channels, size):
    """Of what comes out, or None if the kernel does not fit."""
    try:
        with torch.no_grad():
            return tuple(layer(torch.zeros(1, channels, *size)).shape[2:])
    except RuntimeError:
        return None


class Maker(Draws):
    def number(self, low, high):
        return float(np.float32(self.rng.uniform(low, high)))

    def quantizer(self):
        bits = self.one_of(2, 2, 3, 4)
        step = self.number(0.05, 0.9)
        half = 2 ** (bits - 1)
        kind = self.one_of("none", "relu", "sign", "cascade", "ternary", "own", *["uniform"] * 3)
        if kind == "none":
            return nn.Identity()
        if kind == "relu":
            return nn.ReLU()
        if kind == "sign":
            return Signs([self.number(0.1, 2)], self.chance(0.3))
        if kind == "cascade":
            v = self.number(0.3, 2)
            return Signs([v, float(np.float32(v * self.number(0.2, 0.9)))], self.chance(0.3))
        if kind == "ternary":
            return Ternary(self.number(0.1, 1), self.number(0.1, 2))
        if kind == "own":
            scheme = self.one_of("ls-1", "ls-2", "ls-T", "gf-3", "dorefa-2", "hwgq-2")
            online = scheme in ("ls-1", "ls-2") and self.chance(0.5)
            return Quantizer(scheme, scalars="online" if online else "stored")
        low, high = self.one_of((0, 2 * half - 1), (-half, half - 1), (1 - half, half - 1))
        return Uniform(step, low, high)

    def filter(self, rows, size):
        """(rows, size): levels of a row of its own scale or one of all."""
        shape, rng = (rows, size), self.rng
        scale = rng.uniform(0.05, 1, (1 if self.chance(0.3) else rows, 1))
        kind = self.one_of("float", "signs", "zero", "skewed", "ternary", "uniform", "uniform")
        if kind == "float":
            w = rng.standard_normal(shape)
        elif kind == "signs":
            w = rng.choice([-1, 1], shape) * scale
        elif kind == "zero":
            w = rng.choice([0, 1], shape) * scale
        elif kind == "skewed":
            w = rng.choice([0, 1, 2], shape)
            w = np.choose(w, [0 * scale, scale, -rng.uniform(0.05, 1, scale.shape)])
        elif kind == "ternary":
            w = rng.choice([-1, 0, 0, 1], shape) * scale
        else:
            bits = self.one_of(2, 2, 3, 4, 8)
            half = 2 ** (bits - 1)
            w = rng.integers(-half, half, shape)
            w[rng.random(rows) < 0.2] //= half  # rows with few of the levels
            w = w.astype(np.float32) * scale.astype(np.float32)
        if kind != "float":
            w[rng.random(rows) < 0.1] = 0
            w[rng.random(shape) < self.one_of(0, 0, 0.5) * (kind != "signs")] = 0
        return torch.tensor(w, dtype=torch.float32)

    def fill(self, layer):
        weight = layer.weight
        filters = self.filter(len(weight), weight[0].numel()).reshape(weight.shape)
        weight.data = filters.contiguous()
        return layer

    def linear(self, inputs, outputs):
        if self.chance(0.3):
            scheme = self.one_of("ls-1", "ls-2", "ls-T")
            return BinaryLinear(inputs, outputs, weights=scheme, activations="fp")
        return self.fill(nn.Linear(inputs, outputs, bias=self.chance(0.5)))

    def convolution(self, channels, size):
        kind = self.one_of("plain", "plain", "depthwise", "depthwise", "groups", "transposed")
        filters, groups = self.one_of(4, 8, 12, 16), 1
        if kind == "depthwise":
            groups, filters = channels, channels
        elif kind == "groups":
            groups, filters = self.one_of(2, 4), self.one_of(8, 16)
        kernel = self.one_of(1, 3, 3, 5, (3, 1))
        sides = (kernel, kernel) if isinstance(kernel, int) else kernel
        dilation = self.one_of(1, 1, 2)
        padding = tuple(dilation * (k - 1) // 2 for k in sides)
        stride = self.one_of(1, 1, 2) if min(size) > 5 else 1
        bias = self.chance(0.4)
        if kind == "transposed":
            layer = nn.ConvTranspose2d(channels, filters, kernel, stride, padding, bias=bias)
        elif self.chance(0.2):
            layer = BinaryConv2d(
                channels, filters, kernel, stride, padding, dilation, groups,
                weights=self.one_of("ls-1", "ls-2", "ls-T", "gf-3"), activations="fp", bias=bias,
            )  # fmt: skip
            return layer, filters
        else:
            layer = nn.Conv2d(
                channels, filters, kernel, stride, padding, dilation, groups, bias=bias
            )
        return self.fill(layer), filters

    def image_network(self):
        channels, size = self.one_of(4, 8), self.one_of((6, 6), (7, 5), (5, 5))
        shape, layers = (self.one_of(1, 2), channels, *size), []
        for _ in range(self.one_of(1, 1, 2)):
            layers.append(self.quantizer())
            conv, filters = self.convolution(channels, size)
            after_size = _size(conv, channels, size)
            if after_size is None:
                continue
            if filters == channels and isinstance(conv, nn.Conv2d) and self.chance(0.5):
                after = self.convolution(channels, size)[0]
                if all(
                    isinstance(m, nn.Conv2d) and m.stride == (1, 1) and m.out_channels == channels
                    for m in (conv, after)
                ):
                    join = self.one_of("add", "add", "cat")
                    body = nn.Sequential(self.quantizer(), conv, self.quantizer(), after)
                    layers.append(Shortcut(body, join))
                    channels *= 2 if join == "cat" else 1
                    continue
            layers.append(conv)
            channels, size = filters, after_size
            if self.chance(0.4):
                layers.append(nn.BatchNorm2d(channels))
            if self.chance(0.3) and min(size) >= 4:
                pool = self.one_of(nn.MaxPool2d(2), nn.AvgPool2d(2), nn.AvgPool2d(3, 1, 1))
                size = _size(pool, 1, size)
                layers.append(pool)
            if self.chance(0.3):
                layers.append(self.one_of(nn.ReLU(), nn.PReLU(channels), nn.Hardtanh()))
        if self.chance(0.5):
            layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), self.quantizer()]
            layers.append(self.linear(channels, 7))
        return nn.Sequential(*layers), shape

    def transformer(self):
        width, heads = self.one_of(8, 16), self.one_of(1, 2)
        layers = []
        for _ in range(self.one_of(1, 1, 2)):
            hidden = self.one_of(16, 24)
            mlp = nn.Sequential(
                nn.LayerNorm(width), self.quantizer(), self.linear(width, hidden),
                self.one_of(nn.GELU(), nn.ReLU()), self.quantizer(), self.linear(hidden, width),
            )  # fmt: skip
            layers += [Attention(self, width, heads), Shortcut(mlp, "add")]
        return nn.Sequential(*layers), (self.one_of(1, 2), self.one_of(5, 8), width)


def verify_network(seed):
    """A network and the shape of its input."""
    torch.manual_seed(seed)
    if seed % 10 == 9:
        return random_network(seed)
    maker = Maker(seed)
    return maker.transformer() if seed % 10 in (3, 7) else maker.image_network()


def calls_of(shape, seed, count=4):
    """Of all magnitudes; one is zero, and one has a sample of zeros."""
    generator = torch.Generator().manual_seed(seed)
    calls = [
        torch.randn(shape, generator=generator) * 10 ** (2 * i / count - 1) for i in range(count)
    ]
    calls[1] = F.relu(calls[1])
    calls[2][..., ::2] = 0
    return [*calls, torch.zeros(shape)]
