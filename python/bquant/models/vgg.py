"""A small network of the kind of VGG."""

from __future__ import annotations

from collections.abc import Callable

from torch import nn

from ..nn import BinaryConv2d
from .common import Model, check_sizes, layer_options, make_nonlinearity, with_shape


class _Unit(nn.Module):
    """act(conv(quantize(clamp(norm(x)))))."""

    def __init__(self, inputs: int, filters: int, act, options: dict, conv):
        super().__init__()
        self.norm = nn.BatchNorm2d(inputs)
        self.conv = conv(inputs, filters, 3, padding=1, **options)
        self.act = act(filters)

    def forward(self, x):
        return self.act(self.conv(self.norm(x)))


def vgg(
    weights: str = "ls-1",
    activations: str = "ls-2",
    width: int = 32,
    classes: int = 10,
    image: int = 28,
    channels: int = 1,
    scalars: str = "stored",
    nonlinearity: str = "prelu",
    conv: Callable[..., BinaryConv2d] = BinaryConv2d,
    clamp: float | str | None = "paper",
) -> Model:
    """Six 3x3 convolutions in three stages, of which all but the first are quantized:
    (N, channels, image, image) to logits (N, classes).

    Batch norm comes before each quantized convolution, a 2x2 max-pool behind the first two stages,
    the global average behind the last.

    Args:
        weights, activations: schemes, or "fp". Activations are clamped to +-`clamp`.
        width: filters of the first stage; the three have 1, 2, 4 times as many.
        classes: logits.
        image: pixels a side, at least 4.
        channels: of the image.
        scalars: of the activations, "stored" or "online".
        nonlinearity: "prelu" (a slope for every channel) or "relu".
        conv: the quantized layer, `nn.BinaryConv2d` or one that is made as it is.
        clamp: of activations, see `nn.Quantizer`.
    """
    check_sizes(width=width, classes=classes, image=image, channels=channels)
    if image < 4:
        raise ValueError(f"expected an image of at least 4 pixels a side, but got {image}")
    act, options = (
        make_nonlinearity(nonlinearity),
        layer_options(weights, activations, scalars, clamp),
    )
    layers = [nn.Conv2d(channels, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)]
    layers.append(act(width))
    inputs = width
    for stage in range(3):
        filters = width << stage
        for _ in range(1 if stage == 0 else 2):
            layers.append(_Unit(inputs, filters, act, options, conv))
            inputs = filters
        if stage < 2:
            layers.append(nn.MaxPool2d(2))
    layers += [nn.BatchNorm2d(inputs), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return with_shape(nn.Sequential(*layers, nn.Linear(inputs, classes)), channels, image, image)
