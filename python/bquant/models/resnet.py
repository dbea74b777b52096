"""ResNet-18 with the paper's blocks."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from ..nn import BinaryConv2d
from .common import Model, check_choice, check_sizes, in_parts, layer_options, make_nonlinearity


def _shortcut(channels: int, filters: int, stride: int, bias: bool) -> nn.Module:
    """Float all the way: the identity, or a strided 1x1 convolution where the shape changes."""
    if stride == 1 and channels == filters:
        return nn.Identity()
    return nn.Sequential(
        nn.Conv2d(channels, filters, 1, stride, bias=bias), nn.BatchNorm2d(filters)
    )


class XnorUnit(nn.Module):
    """x (N, C, H, W) to act(conv(quantize(clamp(norm(x)))) + bias) + shortcut(x), (N, F, H/s, W/s).

    The order is XNOR-Net's, the shortcut round every convolution Bi-Real Net's.
    """

    def __init__(
        self, channels: int, filters: int, stride: int, act, options: dict, conv=BinaryConv2d
    ):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)
        self.conv = conv(channels, filters, 3, stride, padding=1, **options)
        self.act = act(filters)
        self.shortcut = _shortcut(channels, filters, stride, bias=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.act(self.conv(self.norm(x))) + self.shortcut(x)


class SingleShortcutBlock(nn.Module):
    """Two XNOR-Net units, act(conv(quantize(clamp(norm(x)))) + bias), with one shortcut round both.
    (N, C, H, W) to (N, F, H/s, W/s)."""

    def __init__(self, channels: int, filters: int, stride: int, act, options: dict, conv):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv1 = conv(channels, filters, 3, stride, padding=1, **options)
        self.act1 = act(filters)
        self.norm2 = nn.BatchNorm2d(filters)
        self.conv2 = conv(filters, filters, 3, padding=1, **options)
        self.act2 = act(filters)
        self.shortcut = _shortcut(channels, filters, stride, bias=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.act1(self.conv1(self.norm1(x)))
        return self.act2(self.conv2(self.norm2(y))) + self.shortcut(x)


class RegularBlock(nn.Module):
    """ResNet's own block: convolution (its input quantized), norm, act, twice; one shortcut round
    both, added before the last act. (N, C, H, W) to (N, F, H/s, W/s)."""

    def __init__(
        self, channels: int, filters: int, stride: int, act, options: dict, conv=BinaryConv2d
    ):
        super().__init__()
        options = {**options, "padding": 1, "bias": False}
        self.conv1 = conv(channels, filters, 3, stride, **options)
        self.norm1 = nn.BatchNorm2d(filters)
        self.act1 = act(filters)
        self.conv2 = conv(filters, filters, 3, **options)
        self.norm2 = nn.BatchNorm2d(filters)
        self.act2 = act(filters)
        self.shortcut = _shortcut(channels, filters, stride, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.act1(self.norm1(self.conv1(x)))
        return self.act2(self.norm2(self.conv2(y)) + self.shortcut(x))


def _xnor_block(channels: int, filters: int, stride: int, act, options: dict, conv) -> nn.Module:
    return nn.Sequential(
        XnorUnit(channels, filters, stride, act, options, conv),
        XnorUnit(filters, filters, 1, act, options, conv),
    )


_BLOCKS = {
    "xnor": _xnor_block,
    "single-shortcut": SingleShortcutBlock,
    "regular": RegularBlock,
}


def _imagenet_stem(channels: int, width: int) -> list[nn.Module]:
    return [
        nn.Conv2d(channels, width, 7, 2, padding=3, bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, padding=1),
    ]


def _cifar_stem(channels: int, width: int) -> list[nn.Module]:
    return [nn.Conv2d(channels, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]


def _pooled_stem(channels: int, width: int) -> list[nn.Module]:
    return [*_cifar_stem(channels, width), nn.MaxPool2d(3, 2, padding=1)]


_STEMS = {"imagenet": _imagenet_stem, "cifar": _cifar_stem, "pooled": _pooled_stem}
STEM_STRIDES = {"imagenet": 4, "cifar": 1, "pooled": 2}


def make_stem(name: str, channels: int, width: int) -> list[nn.Module]:
    return _STEMS[check_choice(name, "stem", _STEMS)](channels, width)


def resnet18(
    weights: str = "ls-1",
    activations: str = "ls-2",
    block: str = "xnor",
    width: int = 64,
    classes: int = 1000,
    image: int = 224,
    scalars: str = "stored",
    nonlinearity: str = "prelu",
    stem: str = "imagenet",
    channels: int = 3,
    conv: Callable[..., BinaryConv2d] = BinaryConv2d,
    clamp: float | str | None = "paper",
) -> Model:
    """ResNet-18 with quantized 3x3 convolutions: (N, channels, image, image) to (N, classes). The
    defaults are the paper's network for ImageNet.

    Float are the first layer, the shortcuts (strided 1x1 convolutions with batch norm where the
    shape changes) and the classifier behind the global average pool.

    Args:
        weights, activations: schemes, or "fp". Activations are clamped to +-`clamp`.
        block: "xnor": batch norm, clamp, quantize, convolution with bias, nonlinearity, and a
            shortcut round every convolution; "single-shortcut": the same with a shortcut round
            every second one, as in XNOR-Net; "regular": clamp, quantize, convolution, batch norm,
            nonlinearity, and a shortcut round every second one.
        width: channels of the first layer and stage; the four stages have 1, 2, 4, 8 times as many.
        classes: logits.
        image: pixels a side.
        scalars: of the activations, "stored" or "online".
        nonlinearity: "prelu" (a slope for every channel) or "relu".
        stem: "imagenet": 7x7 convolution of stride 2, batch norm, ReLU, 3x3 max-pool of stride 2;
            "cifar", for small images: 3x3 convolution, batch norm, ReLU; "pooled": that, and a 3x3
            max-pool of stride 2.
        channels: of the image.
        conv: the quantized layer, `nn.BinaryConv2d` or one that is made as it is.
        clamp: of activations, see `nn.Quantizer`.
    """
    check_sizes(width=width, classes=classes, image=image, channels=channels)
    make = _BLOCKS[check_choice(block, "block", _BLOCKS)]
    first = make_stem(stem, channels, width)
    act = make_nonlinearity(nonlinearity)
    options = layer_options(weights, activations, scalars, clamp)
    blocks, inputs = [], width
    for stage in range(4):
        filters = width << stage
        for stride in (1 if stage == 0 else 2, 1):
            blocks.append(make(inputs, filters, stride, act, options, conv))
            inputs = filters
    return in_parts((channels, image, image), inputs, classes, stem=first, blocks=blocks)
