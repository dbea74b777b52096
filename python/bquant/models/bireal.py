"""Bi-Real Net 18, and XNOR-Net++'s scales in it."""

from __future__ import annotations

import torch
from torch import nn

from ..nn import ScaleTensor, SignConv2d
from .common import Model, check_choice, check_sizes, in_parts
from .resnet import STEM_STRIDES, make_stem

_SCALES = ("mean", "learned", "none")


def pooled(stride: int) -> nn.Module:
    """What brings a shortcut to the size that a 3x3 convolution of this stride leaves: of an odd
    side the last mean is of what there is."""
    return nn.Identity() if stride == 1 else nn.AvgPool2d(2, stride, ceil_mode=True)


def _divided(side: int, stride: int) -> int:
    """Pixels a side after layers of this stride, whose padding keeps the size otherwise."""
    return -(-side // stride)


class BiRealUnit(nn.Module):
    """x (N, C, H, W) to norm(conv(sign(x))) + shortcut(x), (N, F, H/s, W/s), sides rounded up.

    The shortcut is float all the way: the identity, or, where the shape changes, a 2x2 average
    pool, a 1x1 convolution and a batch norm.
    """

    def __init__(self, channels: int, filters: int, stride: int, side: int, scale: str):
        super().__init__()
        self.conv = SignConv2d(
            channels,
            filters,
            3,
            stride,
            padding=1,
            bias=False,
            scale="mean" if scale == "mean" else None,
        )
        self.scale = ScaleTensor(filters, side, side) if scale == "learned" else nn.Identity()
        self.norm = nn.BatchNorm2d(filters)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or channels != filters:
            self.shortcut = nn.Sequential(
                pooled(stride), nn.Conv2d(channels, filters, 1, bias=False), nn.BatchNorm2d(filters)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.scale(self.conv(x))) + self.shortcut(x)


def bireal18(
    width: int = 64,
    classes: int = 1000,
    image: int = 224,
    stem: str = "imagenet",
    channels: int = 3,
    scale: str = "mean",
) -> Model:
    """Bi-Real Net 18 (Liu, Wu, Luo, Yang, Liu, Cheng, "Bi-Real Net: Enhancing the Performance of
    1-bit CNNs with Improved Representational Capability and Advanced Training Algorithm", 2018):
    (N, channels, image, image) to logits (N, classes).

    Sixteen 3x3 convolutions of signs, each with a batch norm after it and a float shortcut around
    both. There is no other nonlinearity than the signs. Float are the first layer, the shortcuts
    and the classifier after the global average pool.

    Args:
        width: channels of the first layer and stage; the four stages have 1, 2, 4, 8 times as many.
        classes: logits.
        image: pixels a side.
        stem: as of `resnet18`, but without a ReLU.
        channels: of the image.
        scale: of each convolution: "mean": the mean of |weight| of each filter; "learned":
            XNOR-Net++'s, three vectors along channels, rows and columns (`nn.ScaleTensor`; Bulat,
            Tzimiropoulos, "XNOR-Net++: Improved Binary Neural Networks", 2019); "none".
    """
    check_sizes(width=width, classes=classes, image=image, channels=channels)
    check_choice(scale, "scale", _SCALES)
    first = [m for m in make_stem(stem, channels, width) if not isinstance(m, nn.ReLU)]
    units, inputs, side = [], width, _divided(image, STEM_STRIDES[stem])
    for stage in range(4):
        filters = width << stage
        for stride in (1 if stage == 0 else 2, 1, 1, 1):
            side = _divided(side, stride)
            units.append(BiRealUnit(inputs, filters, stride, side, scale))
            inputs = filters
    return in_parts((channels, image, image), inputs, classes, stem=first, units=units)
