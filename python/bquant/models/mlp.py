"""A multilayer perceptron."""

from __future__ import annotations

from collections.abc import Sequence

from torch import nn

from ..nn import BinaryLinear
from .common import Model, check_sizes, layer_options, with_shape


def mlp(
    weights: str = "ls-1",
    activations: str = "ls-2",
    inputs: int = 784,
    hidden: Sequence[int] = (256, 256, 256),
    classes: int = 10,
    scalars: str = "stored",
) -> Model:
    """A perceptron: float linear, quantized linear layers, float linear.

    (N, ...) with `inputs` values a sample to logits (N, classes). Batch norm and PReLU follow each
    layer but the last.

    Args:
        weights, activations: schemes, or "fp". Activations are clamped to +-`nn.paper_clamp`.
        inputs: values of a sample.
        hidden: outputs of each layer but the last; the first of them is float.
        classes: logits.
        scalars: of the activations, "stored" or "online".
    """
    check_sizes(inputs=inputs, classes=classes, **{f"hidden[{i}]": n for i, n in enumerate(hidden)})
    if not hidden:
        raise ValueError("expected at least one hidden layer, but got none")
    options = layer_options(weights, activations, scalars)
    layers: list[nn.Module] = [nn.Flatten(), nn.Linear(inputs, hidden[0])]
    for before, after in zip(hidden[:-1], hidden[1:], strict=True):
        layers += [nn.BatchNorm1d(before), nn.PReLU(before)]
        layers.append(BinaryLinear(before, after, bias=False, **options))
    layers += [nn.BatchNorm1d(hidden[-1]), nn.PReLU(hidden[-1]), nn.Linear(hidden[-1], classes)]
    return with_shape(nn.Sequential(*layers), inputs)
