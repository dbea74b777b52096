"""ReActNet-A."""

from __future__ import annotations

import torch
from torch import nn

from ..nn import RPReLU, SignConv2d
from .bireal import pooled
from .common import Model, check_choice, check_sizes, in_parts

# Channels of the first layer and of the blocks after it, in units of the width.
_CHANNELS = (1, 2, 4, 4, 8, 8, 16, 16, 16, 16, 16, 16, 32, 32)
_STEM_STRIDES = {"imagenet": 2, "cifar": 1, "pooled": 1}


class ReActBlock(nn.Module):
    """x (N, C, H, W) to (N, F, H/s, W/s), sides rounded up, with F = C or 2C:

        y = act1(norm1(conv3x3(sign(x - a))) + pool(x))
        z = act2(norm2(conv1x1(sign(y - a'))) + y)

    pool is the identity or, of stride 2, a 2x2 average pool. Where the channels double, y is added
    to both halves of the outputs of the 1x1 convolution: these are the block's two convolutions of
    C filters each, which read the same signs, concatenated.
    """

    def __init__(self, channels: int, filters: int, stride: int):
        super().__init__()
        options = {"bias": False, "shift": True}
        self.conv1 = SignConv2d(channels, channels, 3, stride, padding=1, **options)
        self.norm1 = nn.BatchNorm2d(channels)
        self.pool = pooled(stride)
        self.act1 = RPReLU(channels)
        self.conv2 = SignConv2d(channels, filters, 1, **options)
        self.norm2 = nn.BatchNorm2d(filters)
        self.act2 = RPReLU(filters)
        self.copies = filters // channels

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.act1(self.norm1(self.conv1(x)) + self.pool(x))
        shortcut = y if self.copies == 1 else torch.cat([y] * self.copies, 1)
        return self.act2(self.norm2(self.conv2(y)) + shortcut)


def reactnet(
    width: int = 32,
    classes: int = 1000,
    image: int = 224,
    stem: str = "imagenet",
    channels: int = 3,
) -> Model:
    """ReActNet-A (Liu, Shen, Savvides, Cheng, "ReActNet: Towards Precise Binary Neural Network with
    Generalized Activation Functions", 2020): (N, channels, image, image) to logits (N, classes).

    Thirteen blocks of a 3x3 and a 1x1 convolution of signs, in the order of MobileNet, each with a
    float shortcut, signs with learned shifts and PReLUs with learned shifts. Float are the first
    layer, the shortcuts and the classifier after the global average pool.

    Args:
        width: channels of the first layer; the blocks have 2, 4, 4, 8, 8, 16 (six), 32, 32 times as
            many.
        classes: logits.
        image: pixels a side.
        stem: a 3x3 convolution and a batch norm, "imagenet" of stride 2, "cifar" of stride 1;
            "pooled": that of "cifar", and a 3x3 max-pool of stride 2.
        channels: of the image.
    """
    check_sizes(width=width, classes=classes, image=image, channels=channels)
    stride = _STEM_STRIDES[check_choice(stem, "stem", _STEM_STRIDES)]
    first = [nn.Conv2d(channels, width, 3, stride, padding=1, bias=False), nn.BatchNorm2d(width)]
    if stem == "pooled":
        first.append(nn.MaxPool2d(3, 2, padding=1))
    blocks = []
    for before, after in zip(_CHANNELS, _CHANNELS[1:], strict=False):
        # The first block doubles the channels, and keeps the size.
        stride = 2 if before != after and blocks else 1
        blocks.append(ReActBlock(before * width, after * width, stride))
    inputs = _CHANNELS[-1] * width
    return in_parts((channels, image, image), inputs, classes, stem=first, blocks=blocks)
