"""Swap the layers of an existing network for quantized ones."""

from __future__ import annotations

import copy
import fnmatch
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch

from .nn import BinaryConv1d, BinaryConv2d, BinaryLinear
from .nn import functional as F

# Types as they are, since what a subclass computes is not known.
_CONVOLUTIONS = {torch.nn.Conv2d: BinaryConv2d, torch.nn.Conv1d: BinaryConv1d}
_KINDS = {**_CONVOLUTIONS, torch.nn.Linear: BinaryLinear}
_BINARY = (BinaryConv1d, BinaryConv2d, BinaryLinear)

# "first" or "last" of the layers that could be swapped, a type, a pattern of names as of fnmatch,
# or a function of a name and a module.
Choice = str | type[torch.nn.Module] | Callable[[str, torch.nn.Module], bool]

Module = TypeVar("Module", bound=torch.nn.Module)


def convert(
    model: Module,
    weights: str = "ls-1",
    activations: str = "ls-2",
    skip: Sequence[Choice] | Choice | None = ("first", "last"),
    only: Sequence[Choice] | Choice | None = None,
    *,
    verbose: bool = True,
    **options: Any,
) -> Module:
    """A copy of a network whose convolutions and linear layers are quantized ones.

    Weights and biases are those of the network, and its old checkpoints load as before: scalars of
    weights are solved from what is loaded, those of activations come from training,
    `models.calibrate` or `quantize_model`.

    Args:
        model: holds torch.nn.Conv2d, Conv1d or Linear layers; subclasses of these stay, and so do
            layers whose weights or biases are computed anew in each call (weight_norm, pruning), or
            whose forward has been replaced.
        weights, activations: schemes, see `nn.BinaryConv2d`.
        skip: layers that stay as they are: "first", "last" (in the order of named_modules), a type,
            a pattern of names such as "layer4.*", a function of the name and the module; several.
        only: others than these stay, too. None: none.
        verbose: say on standard error what was swapped.
        options: as of `nn.BinaryConv2d`: clamp, scalars, momentum, gradient.

    Raises:
        ValueError: there is nothing to convert; a scheme that does not exist.
    """
    F.check_scheme(weights, "weights")
    F.check_scheme(activations, "activations")
    found = [(name, m) for name, m in model.named_modules() if _is_known(m)]
    chosen = [
        (name, layer)
        for name, layer in found
        if not _matches(name, layer, skip, found)
        and (only is None or _matches(name, layer, only, found))
    ]
    if not chosen:
        kinds = ", ".join(kind.__name__ for kind in _KINDS)
        left = f"none of the network's {len(found)} is chosen" if found else "the network has none"
        raise ValueError(f"expected layers to convert ({kinds}), but {left}")
    converted = copy.deepcopy(model, _copies_of_computed(model))
    for name, _ in chosen:
        try:
            _become_quantized(converted.get_submodule(name), weights, activations, options)
        except ValueError as error:  # of weights that are not finite
            raise (ValueError(f"'{name}': {error}") if name else error) from None
    _leave_fast_paths(converted)
    if verbose:
        _say(model, chosen, found, converted)
    return converted


def _is_known(module) -> bool:
    """Whether it computes what its type says, of its own parameters: what hooks make anew in each
    call, as those of weight_norm and pruning do, is no parameter."""
    return (
        type(module) in _KINDS
        and module._parameters.get("weight") is not None
        and "bias" in module._parameters
        and "forward" not in vars(module)
    )


def _copies_of_computed(model) -> dict:
    """Of tensors that hooks have made, which deepcopy refuses, for its memo."""
    return {
        id(value): value.detach().clone()
        for module in model.modules()
        for value in vars(module).values()
        if isinstance(value, torch.Tensor) and not value.is_leaf
    }


def _matches(name: str, module, choices, found) -> bool:
    if choices is None:
        return False
    if isinstance(choices, (str, type)) or callable(choices):
        choices = (choices,)
    for choice in choices:
        if isinstance(choice, str):
            place = {"first": 0, "last": -1}.get(choice)
            if place is not None and found[place][0] == name:
                return True
            if place is None and fnmatch.fnmatchcase(name, choice):
                return True
        elif isinstance(choice, type):
            if isinstance(module, choice):
                return True
        elif choice(name, module):
            return True
    return False


def _leave_fast_paths(model) -> None:
    """torch's transformer layers would compute with the float weights of their layers, past what
    these do, where there is no gradient to take."""
    for module in model.modules():
        if not any(isinstance(m, _BINARY) for m in module.modules()):
            continue
        if isinstance(module, torch.nn.TransformerEncoderLayer):
            module.activation_relu_or_gelu = 0  # of the activations that the fast path knows, none
        if isinstance(module, torch.nn.TransformerEncoder):
            module.use_nested_tensor = False


def _become_quantized(layer, weights: str, activations: str, options: dict) -> None:
    """In place: wherever the network refers to the layer, in lists and hooks, too, it refers to the
    quantized one, which keeps its parameters, hooks and whatever else somebody has put there."""
    options = {
        "weights": weights,
        "activations": activations,
        "bias": layer.bias is not None,
        "device": layer.weight.device,
        "dtype": layer.weight.dtype,
        **options,
    }
    if isinstance(layer, torch.nn.Linear):
        shape = (layer.in_features, layer.out_features)
    else:
        shape = (layer.in_channels, layer.out_channels, layer.kernel_size)
        for name in ("stride", "padding", "dilation", "groups", "padding_mode"):
            options[name] = getattr(layer, name)
    with torch.random.fork_rng(devices=()):  # whose start is not used
        made = _KINDS[type(layer)](*shape, **options)
    layer.__class__ = type(made)
    vars(layer).update({k: v for k, v in vars(made).items() if k not in vars(layer)})
    layer._modules.update(made._modules)
    layer._buffers.update(made._buffers)
    layer.train(layer.training)


def _say(model, chosen, found, converted) -> None:
    lines = []
    for name, layer in chosen:
        new = converted.get_submodule(name)
        schemes = f"weights {new.weights}, activations {new.quantizer.scheme}"
        lines.append(f"{name}: {type(layer).__name__} -> {type(new).__name__}, {schemes}")
    names = {name for name, _ in chosen}
    left = ", ".join(name for name, _ in found if name not in names) or "none"
    lines.append(f"{len(chosen)} of {len(found)} layers; as they were: {left}")
    known = {name for name, _ in found}
    others = [
        f"{name} ({type(module).__name__})"
        for name, module in model.named_modules()
        if isinstance(module, tuple(_KINDS)) and name not in known
        if not isinstance(module, _BINARY)
    ]
    if others:
        lines.append(f"not known, so as they were: {', '.join(others)}")
    for line in lines:
        print(f"bquant.convert: {line}", file=sys.stderr)
