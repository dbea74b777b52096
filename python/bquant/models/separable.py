"""A small network of depthwise-separable convolutions, in the manner of MobileNet."""

from __future__ import annotations

import torch
from torch import nn

from ..nn import BinaryConv2d
from .common import Model, check_sizes, layer_options, make_nonlinearity, with_shape

# Filters in units of the width, and strides.
_UNITS = ((1, 1), (2, 2), (2, 1), (4, 2), (4, 1))


class SeparableUnit(nn.Module):
    """x (N, C, H, W) through a depthwise 3x3 and a pointwise 1x1 convolution, each behind a batch
    norm and a quantizer, to (N, F, H/s, W/s). Where the shape stays, a float shortcut is added."""

    def __init__(self, channels: int, filters: int, stride: int, act, options: dict):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(channels)
        self.depthwise = BinaryConv2d(
            channels, channels, 3, stride, padding=1, groups=channels, **options
        )
        self.act1 = act(channels)
        self.norm2 = nn.BatchNorm2d(channels)
        self.pointwise = BinaryConv2d(channels, filters, 1, **options)
        self.act2 = act(filters)
        self.same_shape = stride == 1 and channels == filters

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.act1(self.depthwise(self.norm1(x)))
        y = self.act2(self.pointwise(self.norm2(y)))
        return x + y if self.same_shape else y


def depthwise_separable(
    weights: str = "ls-1",
    activations: str = "ls-2",
    width: int = 32,
    classes: int = 10,
    image: int = 32,
    scalars: str = "stored",
    nonlinearity: str = "prelu",
) -> Model:
    """Five units of a depthwise 3x3 and a pointwise 1x1 convolution, all quantized, between a float
    3x3 convolution and a float classifier behind the global average pool.

    (N, 3, image, image) to logits (N, classes).

    Args:
        weights, activations: schemes, or "fp". Activations are clamped to +-`nn.paper_clamp`.
        width: filters of the first layer; the units have 1, 2, 2, 4, 4 times as many.
        classes: logits.
        image: pixels a side.
        scalars: of the activations, "stored" or "online".
        nonlinearity: "prelu" (a slope for every channel) or "relu".
    """
    check_sizes(width=width, classes=classes, image=image)
    act = make_nonlinearity(nonlinearity)
    options = layer_options(weights, activations, scalars)
    layers: list[nn.Module] = [nn.Conv2d(3, width, 3, padding=1, bias=False)]
    channels = width
    for factor, stride in _UNITS:
        layers.append(SeparableUnit(channels, factor * width, stride, act, options))
        channels = factor * width
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes)]
    return with_shape(nn.Sequential(*layers), 3, image, image)
