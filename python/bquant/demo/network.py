"""The demo's network: a float convolution, three quantized ones, a float linear layer."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from ..nn import BinaryConv2d


@dataclass(frozen=True)
class Variant:
    """One row of the table."""

    name: str
    activations: str
    weights: str

    @property
    def is_float(self) -> bool:
        return self.weights == "fp"


VARIANTS = (
    Variant("float", "fp", "fp"),
    Variant("1/1 ls", "ls-1", "ls-1"),
    Variant("T/1 ls", "ls-T", "ls-1"),
    Variant("2/1 ls", "ls-2", "ls-1"),
    Variant("2/1 gf", "gf-2", "ls-1"),
    Variant("2/2 ls", "ls-2", "ls-2"),
)


class Block(nn.Module):
    """Convolution, PReLU, batch norm: what follows quantizes (and clamps) the result."""

    def __init__(self, conv: nn.Module):
        super().__init__()
        self.conv = conv
        self.activation = nn.PReLU(conv.out_channels)
        self.norm = nn.BatchNorm2d(conv.out_channels)

    def forward(self, x):
        return self.norm(self.activation(self.conv(x)))


class DigitsNet(nn.Module):
    def __init__(self, variant: Variant):
        super().__init__()

        def quantized(channels, filters):
            return BinaryConv2d(
                channels, filters, 3, padding=1, bias=False,
                activations=variant.activations, weights=variant.weights, clamp=2.0,
            )  # fmt: skip

        self.first = Block(nn.Conv2d(1, 32, 3, padding=1, bias=False))
        self.block1 = Block(quantized(32, 64))
        self.pool = nn.MaxPool2d(2)
        self.block2 = Block(quantized(64, 64))
        self.block3 = Block(quantized(64, 64))
        self.last = nn.Linear(64, 10)

    def forward(self, x):
        x = self.pool(self.block1(self.first(x)))
        x = self.block3(self.block2(x))
        return self.last(x.mean((2, 3)))


def weight_bytes(model: nn.Module) -> int:
    """What convolutions and linear layers store: packed words and scalars, or floats."""
    total = 0
    for layer in model.modules():
        if isinstance(layer, BinaryConv2d) and layer.weights != "fp":
            out, channels, height, width = layer.weight.shape
            planes = 1 if layer.weights == "ls-1" else 2
            total += 4 * planes * out * height * width * -(-channels // 32)
            total += 4 * layer.weight_scalars.numel()
        elif isinstance(layer, (nn.Conv2d, nn.Linear)):
            total += 4 * sum(p.numel() for p in layer.parameters())
    return total


def predictions(function, images: torch.Tensor) -> torch.Tensor:
    """Logits, a picture at a time: a compiled network keeps the batch size of its export."""
    with torch.no_grad():
        return torch.cat([function(images[i : i + 1]) for i in range(len(images))])
