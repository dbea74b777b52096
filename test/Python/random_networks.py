"""Random networks: branches, joins, pools, strides, odd channels, groups, mixed schemes."""

import torch
from bquant.nn import BinaryConv2d, BinaryLinear
from draws import Draws
from torch import nn

ACTIVATIONS = ["ls-1", "ls-1", "ls-2", "ls-2", "ls-T", "gf-2", "gf-3", "gf-4", "fp"]
WEIGHTS = ["ls-1", "ls-1", "ls-1", "ls-2", "ls-T", "gf-2", "fp"]
CHANNELS = [3, 5, 8, 16, 20, 32, 33, 40, 64]


class Join(nn.Module):
    """What comes out of several branches, in one."""

    def __init__(self, operation, *branches):
        super().__init__()
        self.operation = operation
        self.branches = nn.ModuleList(branches)

    def forward(self, x):
        y = self.branches[0](x)
        for branch in self.branches[1:]:
            y = self.operation(y, branch(x))
        return y

    def extra_repr(self):
        return self.operation.__name__


class Generator(Draws):
    """Makes layers one after another; knows the channels and the size of what comes out."""

    def __init__(self, seed, scalars):
        super().__init__(seed)
        self.scalars = scalars
        self.channels = int(self.rng.choice([1, 3, 8]))
        self.size = [int(n) for n in self.rng.integers(6, 11, 2)]

    def quantization(self):
        return {
            "activations": self.one_of(*ACTIVATIONS),
            "weights": self.one_of(*WEIGHTS),
            "clamp": self.one_of(None, 1.5, 2.0, 3.0),
            "scalars": self.one_of(*self.scalars),
            "bias": self.chance(0.5),
        }

    def groups(self, filters):
        """A number of groups that divides, and the filters that it leaves: none, depthwise, few."""
        kind = self.one_of("none", "none", "none", "depthwise", "few")
        if kind == "depthwise":
            return self.channels, self.channels * self.one_of(1, 1, 2)
        divisors = [g for g in (2, 3, 4) if self.channels % g == 0]
        if kind == "few" and divisors:
            groups = self.one_of(*divisors)
            return groups, -(-filters // groups) * groups
        return 1, filters

    def convolution(self, keep_size=False, filters=None):
        filters_free = filters is None
        filters = filters or self.one_of(*CHANNELS)
        groups, count = self.groups(filters)
        if not filters_free and count != filters:
            groups = 1
        elif filters_free:
            filters = count
        kernel = self.one_of(1, 3, 3, 3, (3, 1), 5)
        dilation = self.one_of(1, 1, 1, 2)
        sides = (kernel, kernel) if isinstance(kernel, int) else kernel
        same = [dilation * (k - 1) // 2 for k in sides]
        stride, padding = (1, same) if keep_size else (self.one_of(1, 1, 2), list(same))
        if not keep_size and self.chance(0.3):
            padding = [int(p) for p in self.rng.integers(0, 3, 2)]
        sizes = [
            (n + 2 * p - dilation * (k - 1) - 1) // stride + 1
            for n, p, k in zip(self.size, padding, sides, strict=True)
        ]
        if min(sizes) < 1:
            return self.convolution(keep_size, None if filters_free else filters)
        layer = BinaryConv2d(
            self.channels, filters, kernel, stride, tuple(padding), dilation, groups,
            **self.quantization(),
        )  # fmt: skip
        self.channels, self.size = filters, sizes
        return layer

    def elementwise(self):
        c = self.channels
        return self.one_of(
            nn.ReLU(), nn.PReLU(c), nn.PReLU(), nn.LeakyReLU(0.1), nn.Hardtanh(), nn.ReLU6()
        )  # fmt: skip

    def unit(self, **options):
        """A convolution among a norm and an activation in some order."""
        before = [nn.BatchNorm2d(self.channels)] if self.chance(0.5) else []
        conv = self.convolution(**options)
        after = [m for m in (nn.BatchNorm2d(self.channels), self.elementwise()) if self.chance(0.7)]
        # Without a bias in between, dot products of 0 would lie on the next threshold.
        if conv.bias is None and not any(isinstance(m, nn.BatchNorm2d) for m in after):
            conv.bias = nn.Parameter(0.3 * torch.randn(self.channels))
        if self.chance(0.5):
            after.reverse()
        return nn.Sequential(*before, conv, *after)

    def residual(self):
        """One or two units and a shortcut round them."""
        channels = self.channels
        units = [self.unit(keep_size=True) for _ in range(self.one_of(0, 1))]
        units.append(self.unit(keep_size=True, filters=channels))
        return Join(torch.add, nn.Identity(), nn.Sequential(*units))

    def fork(self):
        """Two ways from one value, joined, perhaps by a float one, too."""
        channels, filters = self.channels, self.one_of(*CHANNELS)
        branches = []
        for _ in range(2):
            self.channels = channels
            branches.append(self.unit(keep_size=True, filters=filters))
        if self.chance(0.3):
            branches.append(nn.Conv2d(channels, filters, 1))
        return Join(self.one_of(torch.add, torch.add, torch.sub, torch.maximum), *branches)

    def pool(self):
        if min(self.size) < 4:
            return self.unit()
        kind = self.one_of("max", "max", "overlapping", "average")
        padding = 1 if kind == "overlapping" else 0
        kernel = 3 if kind == "overlapping" else 2
        self.size = [(n + 2 * padding - kernel) // 2 + 1 for n in self.size]
        if kind == "average":
            return nn.AvgPool2d(2)
        return nn.MaxPool2d(kernel, 2, padding)

    def head(self):
        features = self.channels
        layers = [nn.AdaptiveAvgPool2d(1), nn.Flatten()]
        if self.chance(0.3):
            features *= self.size[0] * self.size[1]
            layers = [nn.Flatten()]
        if self.chance(0.5):
            hidden = self.one_of(10, 32, 45)
            if self.chance(0.5):
                layers.append(nn.BatchNorm1d(features))
            layers += [BinaryLinear(features, hidden, **self.quantization()), nn.PReLU(hidden)]
            features = hidden
        return nn.Sequential(*layers, nn.Linear(features, 7))

    def network(self):
        layers = []
        if self.chance(0.7):
            first = self.one_of(*CHANNELS)
            layers += [nn.Conv2d(self.channels, first, 3, padding=1), nn.BatchNorm2d(first)]
            self.channels = first
        layers.append(self.unit())
        for _ in range(self.rng.integers(1, 4)):
            layers.append(self.one_of(self.unit, self.residual, self.fork, self.pool)())
        if self.chance(0.7):
            layers.append(self.head())
        return nn.Sequential(*layers)


def random_network(seed, scalars=("stored", "stored", "online")):
    """A network and the shape of its input; the same for the same seed."""
    torch.manual_seed(seed)
    generator = Generator(seed, scalars)
    shape = (generator.one_of(1, 1, 2), generator.channels, *generator.size)
    return generator.network(), shape
