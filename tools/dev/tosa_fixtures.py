"""Makes test/Python/golden/tosa_networks.npz: networks of plain PyTorch as torch-mlir writes them
in TOSA, inputs, and what PyTorch gives. `./dev fixtures` runs it in .venv-outside-tosa.

Of each case NAME the archive has the module's text as bytes, `NAME/model`, and the input and output
`NAME/x0`, `NAME/y0`, as those of fixtures.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch_mlir import fx

SEED = 20261123


def sign(x):
    return torch.where(x >= 0, 1.0, -1.0)


def one_bit(w):
    """Signs by the mean magnitude of each filter, as XNOR-Net has them."""
    dims = tuple(range(1, w.dim()))
    return sign(w) * w.abs().mean(dims, keepdim=True)


class BinaryConv(nn.Conv2d):
    """Signs by signs and a scale for each filter."""

    def forward(self, x):
        return self._conv_forward(sign(x), one_bit(self.weight), self.bias)


class TwoBitConv(nn.Conv2d):
    """Activations of two bits, v1 s1 + v2 s2 with s2 the sign of what s1 leaves."""

    def forward(self, x):
        first = sign(x)
        second = sign(x - 0.8 * first)
        return self._conv_forward(0.8 * first + 0.45 * second, one_bit(self.weight), self.bias)


class BinaryLinear(nn.Linear):
    def forward(self, x):
        return nn.functional.linear(sign(x), one_bit(self.weight), self.bias)


class Residual(nn.Module):
    def __init__(self, channels, conv=BinaryConv):
        super().__init__()
        self.conv = conv(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return x + self.norm(self.conv(x))


class Inverted(nn.Module):
    """A block of a MobileNet, its 1x1 convolutions binary."""

    def __init__(self, channels, wide):
        super().__init__()
        self.layers = nn.Sequential(
            BinaryConv(channels, wide, 1, bias=False),
            nn.BatchNorm2d(wide),
            nn.Hardtanh(0, 6),
            nn.Conv2d(wide, wide, 3, padding=1, groups=wide, bias=False),
            nn.BatchNorm2d(wide),
            BinaryConv(wide, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x):
        return x + self.layers(x)


class Dense(nn.Module):
    """What a block computes beside what it was given, as a DenseNet."""

    def __init__(self, channels, growth):
        super().__init__()
        self.conv = BinaryConv(channels, growth, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(growth)

    def forward(self, x):
        return torch.cat([x, self.norm(self.conv(x))], 1)


def cases() -> dict:
    """NAME: (a network, the shape of its input)."""
    stem = [nn.Conv2d(3, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32)]
    head = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10)]
    image = (1, 3, 12, 12)
    return {
        "mlp": (
            nn.Sequential(
                nn.Linear(40, 64),
                nn.BatchNorm1d(64),
                BinaryLinear(64, 96),
                nn.ReLU(),
                BinaryLinear(96, 10),
            ),
            (4, 40),
        ),
        "lenet": (
            nn.Sequential(
                nn.Conv2d(1, 16, 5),
                nn.BatchNorm2d(16),
                nn.MaxPool2d(2),
                BinaryConv(16, 32, 3),
                nn.BatchNorm2d(32),
                nn.ReLU(),
                nn.Flatten(),
                nn.Linear(32 * 2 * 2, 10),
            ),
            (1, 1, 12, 12),
        ),
        "resnet": (nn.Sequential(*stem, Residual(32), Residual(32), *head), image),
        "resnet_two_bits": (
            nn.Sequential(*stem, Residual(32, TwoBitConv), Residual(32, TwoBitConv), *head),
            image,
        ),
        "strided": (
            nn.Sequential(
                *stem,
                BinaryConv(32, 48, 3, stride=2, padding=1),
                nn.PReLU(48),
                BinaryConv(48, 32, 1),
                *head,
            ),
            image,
        ),
        "vgg": (
            nn.Sequential(
                *stem,
                BinaryConv(32, 32, 3, padding=1),
                nn.MaxPool2d(2),
                nn.BatchNorm2d(32),
                BinaryConv(32, 32, 3, padding=1),
                nn.MaxPool2d(2),
                nn.BatchNorm2d(32),
                *head,
            ),
            image,
        ),
        "mobilenet": (nn.Sequential(*stem, Inverted(32, 64), *head), image),
        "densenet": (
            nn.Sequential(*stem, Dense(32, 16), Dense(48, 16), BinaryConv(64, 32, 1), *head),
            image,
        ),
        "dilated": (
            nn.Sequential(*stem, BinaryConv(32, 32, 3, padding=2, dilation=2), nn.ReLU(), *head),
            image,
        ),
        "average_pools": (
            nn.Sequential(
                *stem,
                BinaryConv(32, 32, 3, padding=1),
                nn.BatchNorm2d(32),
                nn.AvgPool2d(2),
                nn.Hardtanh(),
                BinaryConv(32, 32, 3, padding=1),
                *head,
                nn.Softmax(-1),
            ),
            image,
        ),
        "floats": (nn.Sequential(*stem, nn.ReLU(), *head, nn.Sigmoid()), image),
    }


def main() -> None:
    arrays = {}
    for name, (network, shape) in cases().items():
        torch.manual_seed(SEED)
        for module in network.modules():
            if hasattr(module, "reset_parameters"):
                module.reset_parameters()
        generator = torch.Generator().manual_seed(SEED)
        with torch.no_grad():  # statistics of batch norms
            network.train()(torch.randn(16, *shape[1:], generator=generator))
        network.eval()
        x = torch.randn(*shape, generator=generator)
        try:
            module = fx.export_and_import(network, x, output_type="tosa", func_name="forward")
        except Exception as error:
            sys.exit(f"tosa_fixtures: {name}: {error}")
        text = module.operation.get_asm(enable_debug_info=False)
        arrays |= {
            f"{name}/model": np.frombuffer(text.encode(), np.uint8),
            f"{name}/x0": x.numpy(),
            f"{name}/y0": network(x).detach().numpy(),
        }
    folder = Path(__file__).resolve().parents[2] / "test/Python/golden"
    np.savez_compressed(folder / "tosa_networks.npz", **arrays)


if __name__ == "__main__":
    main()
