"""The torch modules of the sets, with random weights, calibrated on random inputs."""

from __future__ import annotations

import copy

import torch
from torch import nn

from bquant import models
from bquant.models.separable import SeparableUnit
from bquant.nn import BinaryConv2d, BinaryLinear

_BATCH = 2  # of what a network is calibrated on


def build(kind: str, arguments: dict) -> tuple[nn.Module, torch.Tensor]:
    """The module in eval mode and an input, the same ones each time."""
    torch.manual_seed(0)
    model = _KINDS[kind](**arguments)
    shape = model.input_shape[1:] if kind != "linear" else (arguments["size"],)
    models.calibrate(model, [torch.randn(_BATCH, *shape)])
    rows = arguments["rows"] if kind == "linear" else 1
    return model, torch.randn(rows, *shape)


def _resnet18(weights: str, activations: str, scalars: str = "stored") -> nn.Module:
    """As the paper has it; on floats the network that everybody has."""
    if weights == "fp":
        return models.resnet18(weights, activations, block="regular", nonlinearity="relu")
    return models.resnet18(weights, activations, scalars=scalars)


def _convs(channels: int, extent: int, length: int, weights: str, activations: str) -> nn.Module:
    """A chain of convolutions, each behind a quantizer; on floats behind a ReLU."""
    is_float = weights == "fp"
    layers = []
    for _ in range(length):
        norm = nn.BatchNorm2d(channels)
        # Without a bias a mean may be one of the few values that sums of signs have: a tie, which
        # rounding decides.
        nn.init.normal_(norm.bias, std=0.1)
        layers += [
            BinaryConv2d(
                channels, channels, 3, padding=1, bias=False,
                weights=weights, activations=activations,
            ),
            norm,
            *([nn.ReLU()] if is_float else []),
        ]  # fmt: skip
    return models.common.with_shape(nn.Sequential(*layers), channels, extent, extent)


def decoded(model: nn.Module) -> nn.Module:
    """The same network whose weights are the numbers that the quantized ones stand for: what a peer
    should not have to work out in each call."""
    model = copy.deepcopy(model)
    for layer in model.modules():
        if isinstance(layer, (BinaryConv2d, BinaryLinear)):
            layer.weight.data = layer.quantized_weight().detach()
            layer.weights = "fp"
    return model


def bits_of_chain(model: nn.Sequential) -> dict:
    """What each convolution of a chain of 1-bit layers is: the signs of the weights (layer, F, C,
    3, 3), and what its sums of +1 and -1 are multiplied with and added to, (layer, F)."""
    signs, scales, shifts = [], [], []
    for conv, norm in zip(model[::2], model[1::2], strict=True):
        deviation = torch.sqrt(norm.running_var + norm.eps)
        scale = conv.quantizer.scalars[0] * conv.weight_scalars[0]
        signs.append(conv.weight >= 0)
        scales.append(scale * norm.weight / deviation)
        shifts.append(norm.bias - norm.running_mean * norm.weight / deviation)
    named = {"signs": signs, "scales": scales, "shifts": shifts}
    return {name: torch.stack(all_).detach().numpy() for name, all_ in named.items()}


class _Residual(nn.Module):
    """x + norm(relu(conv(quantize(x)))): QuickNet's block."""

    def __init__(self, channels: int, options: dict):
        super().__init__()
        self.conv = BinaryConv2d(channels, channels, 3, padding=1, bias=False, **options)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return x + self.norm(torch.relu(self.conv(x)))


def _quicknet(weights: str, activations: str) -> nn.Module:
    """After Larq's QuickNet: four sections of four residual blocks; between them, in float, a
    max-pool and a 1x1 convolution. 224 x 224, 1000 classes."""
    options = {"weights": weights, "activations": activations}
    layers = [
        nn.Conv2d(3, 16, 3, 2, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 16, 3, 2, padding=1, groups=16, bias=False), nn.BatchNorm2d(16),
        nn.Conv2d(16, 64, 1, bias=False), nn.BatchNorm2d(64),
    ]  # fmt: skip
    channels = 64
    for filters in (64, 128, 256, 512):
        if filters != channels:
            layers += [
                nn.ReLU(), nn.MaxPool2d(3, 2, padding=1),
                nn.Conv2d(channels, filters, 1, bias=False), nn.BatchNorm2d(filters),
            ]  # fmt: skip
            channels = filters
        layers += [_Residual(channels, options) for _ in range(4)]
    layers += [nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1000)]
    return models.common.with_shape(nn.Sequential(*layers), 3, 224, 224)


# Filters and strides of MobileNet's thirteen units.
_UNITS = (
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2),
    (512, 1), (512, 1), (512, 1), (512, 1), (512, 1), (1024, 2), (1024, 1),
)  # fmt: skip


def _mobilenet(weights: str, activations: str) -> nn.Module:
    """MobileNet's shapes, depthwise and pointwise convolutions quantized. 224 x 224, 1000
    classes."""
    options = {"weights": weights, "activations": activations, "scalars": "stored"}

    def relu(channels):
        return nn.ReLU()

    layers: list[nn.Module] = [nn.Conv2d(3, 32, 3, 2, padding=1, bias=False)]
    channels = 32
    for filters, stride in _UNITS:
        layers.append(SeparableUnit(channels, filters, stride, relu, options))
        channels = filters
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1000)]
    return models.common.with_shape(nn.Sequential(*layers), 3, 224, 224)


def _linear(rows: int, size: int, weights: str, activations: str) -> nn.Module:
    return nn.Sequential(
        BinaryLinear(size, size, bias=False, weights=weights, activations=activations)
    )


_KINDS = {
    "resnet18": _resnet18,
    "convs": _convs,
    "quicknet": _quicknet,
    "mobilenet-binary": _mobilenet,
    "linear": _linear,
}
