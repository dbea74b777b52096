"""What all networks share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from torch import nn

if TYPE_CHECKING:

    class Model(nn.Sequential):
        """What constructors and `load` return: a Sequential that says what it takes."""

        input_shape: tuple[int, ...]
        card: dict[str, Any]  # of `load` alone
else:
    Model = nn.Sequential

_NONLINEARITIES = {"relu": lambda channels: nn.ReLU(), "prelu": nn.PReLU}


def layer_options(
    weights: str, activations: str, scalars: str, clamp: float | str | None = "paper"
) -> dict[str, Any]:
    """The keyword arguments of every quantized layer of a network."""
    return {"weights": weights, "activations": activations, "scalars": scalars, "clamp": clamp}


def make_nonlinearity(name: str) -> Callable[[int], nn.Module]:
    """A function of the channels that makes the module."""
    return _NONLINEARITIES[check_choice(name, "nonlinearity", _NONLINEARITIES)]


def with_shape(model: nn.Sequential, *shape: int) -> Model:
    """The model, with the shape of one example as an attribute."""
    model.input_shape = (1, *shape)
    return model


def in_parts(
    shape: tuple[int, ...], channels: int, classes: int, **parts: list[nn.Module]
) -> Model:
    """Parts by their names, for an example of a shape, and a classifier of their channels after a
    global average pool."""
    parts["classifier"] = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes)]
    model = nn.Sequential(OrderedDict((name, nn.Sequential(*p)) for name, p in parts.items()))
    return with_shape(model, *shape)


def check_choice(value: str, what: str, choices: Collection[str]) -> str:
    if value not in choices:
        names = ", ".join(map(repr, choices))
        raise ValueError(f"expected {what} to be one of {names}, but got {value!r}")
    return value


def check_sizes(**sizes: int) -> None:
    for name, value in sizes.items():
        if not isinstance(value, int) or value < 1:
            raise ValueError(f"expected {name} to be at least 1, but got {value!r}")
