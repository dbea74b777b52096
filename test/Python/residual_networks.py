"""Random networks of residual blocks, of which two to four readers take one value.

Inputs and parameters are small dyadic numbers, so that f32 is exact in any order: PyTorch's result
is the only right one, and values lie on thresholds often.
"""

import torch
from draws import Draws
from functions import sign
from torch import nn
from torch.nn import functional as F

CHANNELS = [3, 8, 16, 32, 33, 40, 64]


def no_residue(x):
    return None


def clamp_residue(x):
    return x.clamp(-1, 1)


def polynomial_residue(x):
    """The piecewise polynomial whose derivative is a triangle."""
    below, negative, inside = [(x < t).to(x.dtype) for t in (-1, 0, 1)]
    y = -below + (x * x + 2 * x) * (1 - below)
    y = y * negative + (2 * x - x * x) * (1 - negative)
    return y * inside + (1 - inside)


RESIDUES = [no_residue, clamp_residue, polynomial_residue]


def with_residue(value, residue):
    return value if residue is None else value.detach() - residue.detach() + residue


class Quantize(nn.Module):
    """One plane, two planes or three levels, straight through by a residue."""

    def __init__(self, kind, residue, scale):
        super().__init__()
        self.kind, self.residue, self.scale = kind, residue, scale

    def forward(self, x):
        if self.kind == "sign":
            value = sign(x)
        elif self.kind == "torch.sign":
            value = torch.sign(x)
        elif self.kind == "cascade":
            first = sign(x)
            value = first + 0.5 * sign(x - first)
        else:
            value = (x > self.scale).to(x.dtype) - (x < -self.scale).to(x.dtype)
        return with_residue(value, self.residue(x))

    def extra_repr(self):
        return f"{self.kind}, {self.residue.__name__}, {self.scale}"


class Conv(nn.Module):
    """A convolution by signs or by three levels with a factor for each filter."""

    def __init__(self, weight, alpha, residue, stride):
        super().__init__()
        self.weight = nn.Parameter(weight)
        self.register_buffer("alpha", alpha)
        self.residue, self.stride = residue, stride

    def forward(self, x):
        weight = with_residue(torch.sign(self.weight) * self.alpha, self.residue(self.weight))
        return F.conv2d(x, weight, None, self.stride, self.weight.shape[-1] // 2)

    def extra_repr(self):
        filters = "x".join(str(n) for n in self.weight.shape)
        zeros = bool((self.weight == 0).any())
        return f"{filters}, stride {self.stride}, {self.residue.__name__}, zeros {zeros}"


class Affine(nn.Module):
    def __init__(self, weight, bias):
        super().__init__()
        self.weight, self.bias = nn.Parameter(weight), nn.Parameter(bias)

    def forward(self, x):
        return x * self.weight + self.bias


class Double(nn.Module):
    """Twice the channels."""

    def forward(self, x):
        return torch.cat([x, x], 1)


class Block(nn.Module):
    """The sum of what its branches make of one value, and what else reads that value: `taps`.

    Branches and taps run in the given order, which is that of the exported program.
    """

    def __init__(self, branches, after, taps, order):
        super().__init__()
        self.branches, self.taps = nn.ModuleList(branches), nn.ModuleList(taps)
        self.after, self.order = after, order

    def forward(self, x):
        readers = [*self.branches, *self.taps]
        made = {i: readers[i](x) for i in self.order}
        y = made[0]
        for i in range(1, len(self.branches)):
            y = y + made[i]
        return self.after(y), [made[i] for i in range(len(self.branches), len(readers))]

    def extra_repr(self):
        return f"order {self.order}"


class Network(nn.Module):
    """Blocks one after another, and what they tap, as outputs."""

    def __init__(self, blocks):
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x):
        outputs = []
        for block in self.blocks:
            x, taps = block(x)
            outputs += taps
        return (x, *outputs)


class Generator(Draws):
    def numbers(self, *shape, low=-4, high=4, step=0.25):
        return torch.from_numpy(self.rng.integers(low, high + 1, shape)).float() * step

    def quantize(self):
        kind = self.one_of("sign", "torch.sign", "torch.sign", "cascade", "ternary")
        return Quantize(kind, self.one_of(*RESIDUES), self.one_of(0.5, 1.0))

    def conv(self, channels, filters, kernel, stride):
        """With weights of none, some or many zeros."""
        weight = self.numbers(filters, channels, kernel, kernel, low=1)
        weight *= sign(self.numbers(*weight.shape))
        if self.chance(0.2):
            weight[self.numbers(*weight.shape) > 0.5] = 0
        alpha = 2.0 ** -self.numbers(filters, 1, 1, 1, low=3, high=5, step=1)
        return Conv(weight, alpha, self.one_of(no_residue, clamp_residue), stride)

    def affine(self, channels):
        weight = self.numbers(channels, 1, 1, low=-2, high=3, step=0.5)
        return Affine(weight, self.numbers(channels, 1, 1, step=0.125))

    def activation(self):
        return self.one_of(nn.ReLU(), nn.LeakyReLU(0.25), nn.Hardtanh(), nn.Identity())

    def pointwise(self, channels, filters, stride=1):
        """A convolution by floats, or by signs of the value or the filter alone."""
        if self.chance(0.3):
            conv = self.conv(channels, filters, 1, stride)
            return nn.Sequential(self.quantize(), conv) if self.chance(0.7) else conv
        conv = nn.Conv2d(channels, filters, 1, stride, bias=self.chance(0.5))
        conv.weight.data = self.numbers(*conv.weight.shape, low=-2, high=2)
        if conv.bias is not None:
            conv.bias.data = self.numbers(filters)
        return conv

    def main(self, channels, filters, stride):
        """One or two convolutions in pre-activation or post-activation order."""
        layers = []
        between = self.one_of(channels, filters) if self.chance(0.4) else None
        for last in (False, True) if between else (True,):
            after = filters if last else between
            conv = self.conv(channels, after, self.one_of(1, 3, 3, 3), stride)
            if self.chance(0.5):
                layers += [self.affine(channels)] if self.chance(0.5) else []
                layers += [self.quantize(), conv]
            else:
                layers += [self.quantize(), conv]
                layers += [self.affine(after)] if self.chance(0.7) else []
                layers += [self.activation()] if self.chance(0.5) else []
            channels, stride = after, 1
        return nn.Sequential(*layers)

    def shortcut(self, channels, filters, stride):
        pools = [nn.MaxPool2d(3, stride, 1)]
        pools += [nn.AvgPool2d(2), nn.AvgPool2d(2), nn.MaxPool2d(2)] if stride == 2 else []
        layers = [self.one_of(*pools)] if stride == 2 or self.chance(0.2) else []
        if stride == 2 and self.chance(0.25):
            return self.pointwise(channels, filters, stride)
        if filters == channels and self.chance(0.7):
            layers.append(nn.Identity())
        elif filters == 2 * channels and self.chance(0.3):
            layers.append(Double())
        else:
            layers.append(self.pointwise(channels, filters))
        return nn.Sequential(*layers)

    def block(self, channels, filters, stride):
        branches = [self.main(channels, filters, stride), self.shortcut(channels, filters, stride)]
        if self.chance(0.2):
            branches.append(self.main(channels, filters, stride))
        taps = []
        if self.chance(0.25):
            taps.append(self.one_of(nn.Identity(), self.quantize(), nn.MaxPool2d(2)))
        order = self.rng.permutation(len(branches) + len(taps)).tolist()
        after = [self.affine(filters)] if self.chance(0.3) else []
        after += [self.activation()] if self.chance(0.5) else []
        return Block(branches, nn.Sequential(*after), taps, order)


def random_residual_network(seed):
    """A network and an input for it; the same for the same seed."""
    generator = Generator(seed)
    channels = generator.one_of(*CHANNELS)
    size = [2 * int(n) for n in generator.rng.integers(2, 6, 2)]
    x = generator.numbers(1, channels, *size, low=-8, high=8)
    blocks = []
    for _ in range(generator.rng.integers(2, 4)):
        strided = min(size) > 3 and all(n % 2 == 0 for n in size) and generator.chance(0.5)
        filters = generator.one_of(channels, channels, 2 * channels, *CHANNELS)
        filters = min(filters, 96)
        blocks.append(generator.block(channels, filters, 2 if strided else 1))
        channels, size = filters, [n // 2 for n in size] if strided else size
    return Network(blocks).eval(), x


def bi_real_network():
    """Two blocks of Bi-Real-Net, the second strided, and an input."""
    generator = Generator(0)
    blocks = []
    for filters, stride in ((8, 1), (16, 2)):
        quantize = Quantize("torch.sign", polynomial_residue, None)
        weight = sign(generator.numbers(filters, 8, 3, 3))
        conv = Conv(weight, torch.full((filters, 1, 1, 1), 0.125), clamp_residue, stride)
        shortcut = nn.Sequential()
        if stride == 2:
            shortcut = nn.Sequential(nn.AvgPool2d(2), nn.Conv2d(8, filters, 1, bias=False))
            shortcut[1].weight.data = generator.numbers(filters, 8, 1, 1)
        blocks.append(Block([nn.Sequential(quantize, conv), shortcut], nn.Sequential(), [], [1, 0]))
    return Network(blocks).eval(), generator.numbers(1, 8, 8, 8)
