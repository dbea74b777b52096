"""LeNet-5 with a quantized middle."""

from __future__ import annotations

from torch import nn

from ..nn import BinaryConv2d, BinaryLinear
from .common import Model, check_sizes, layer_options, with_shape


def lenet(
    weights: str = "ls-1",
    activations: str = "ls-2",
    width: int = 20,
    hidden: int = 500,
    classes: int = 10,
    image: int = 28,
    scalars: str = "stored",
) -> Model:
    """LeNet-5: a float 5x5 convolution, a quantized one, a quantized and a float linear layer.

    (N, 1, image, image) to logits (N, classes). ReLU and 2x2 max-pool follow each convolution,
    a batch norm comes before each quantized layer.

    Args:
        weights, activations: schemes, or "fp". Activations are clamped to +-`nn.paper_clamp`.
        width: filters of the first convolution; the second has 5/2 times as many.
        hidden: outputs of the quantized linear layer.
        classes: logits.
        image: pixels a side, at least 16.
        scalars: of the activations, "stored" or "online".
    """
    check_sizes(width=width, hidden=hidden, classes=classes, image=image)
    if image < 16:
        raise ValueError(f"expected an image of at least 16 pixels a side, but got {image}")
    options = layer_options(weights, activations, scalars)
    filters = width * 5 // 2
    side = ((image - 4) // 2 - 4) // 2
    model = nn.Sequential(
        nn.Conv2d(1, width, 5),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.BatchNorm2d(width),
        BinaryConv2d(width, filters, 5, **options),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.BatchNorm2d(filters),
        nn.Flatten(),
        BinaryLinear(filters * side * side, hidden, **options),
        nn.ReLU(),
        nn.Linear(hidden, classes),
    )
    return with_shape(model, 1, image, image)
