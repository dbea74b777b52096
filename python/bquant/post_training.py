"""Quantize a trained network without training it again."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

import torch

from . import conversion
from ._quantize import quantize
from .models.calibration import calibrate
from .nn.layers import BinaryConv1d, BinaryConv2d, BinaryLinear

_BINARY = (BinaryConv1d, BinaryConv2d, BinaryLinear)


@dataclass
class LayerError:
    """Of one layer, on the calibration's last batch: ||y - y'||^2 / ||y||^2 and the angle, in
    degrees, of its outputs y in the float network and y' in the quantized one; the angles of its
    weights and of its inputs with their quantization."""

    name: str
    error: float
    angle: float
    weight_angle: float
    input_angle: float

    def __str__(self) -> str:
        return (
            f"{self.name:32} {self.error:8.4f} {self.angle:7.2f} {self.weight_angle:8.2f} "
            f"{self.input_angle:7.2f}"
        )


_HEAD = f"{'layer':32} {'error':>8} {'angle':>7} {'weights':>8} {'inputs':>7}"


def quantize_model(
    model: torch.nn.Module,
    weights: str = "ls-2",
    activations: str = "ls-2",
    calibration: Iterable = (),
    skip=("first", "last"),
    only=None,
    *,
    percentile: float | None = 99.9,
    batch_norms: bool = True,
    bias_correction: bool = True,
    verbose: bool = True,
    **options,
) -> torch.nn.Module:
    """A quantized copy of a trained network, in eval mode, by calibration alone.

    The scalars of activations are averages over the batches. Then batch norms are estimated again,
    and what is left of each layer's mean error is taken from its bias.

    Args:
        model, weights, activations, skip, only, options: as of `convert`.
        calibration: batches of inputs: tensors, or tuples (inputs, ...) of which the first is
            taken, as a DataLoader gives them.
        percentile: activations are clamped at this percentile of the magnitudes of their layer's
            inputs, of all batches on average; None: by `clamp`, which is the paper's unless it
            is given.
        batch_norms: take averages of batch norms from the calibration.
        bias_correction: for layers with a bias: take the mean error of each of its outputs from it.
        verbose: say on standard error what was swapped, and the table.

    Returns:
        The network; its attribute `quantization` is the table, a list of `LayerError`.

    Raises:
        ValueError: no batch to calibrate with; nothing to quantize.
    """
    batches = [_inputs(batch) for batch in calibration]
    if not batches:
        raise ValueError("expected at least one batch to calibrate with, but got none")
    if percentile is not None and not 0 < percentile <= 100:
        raise ValueError(f"expected a percentile up to 100, but got {percentile!r}")
    source, modes = model, {module: module.training for module in model.modules()}
    try:
        source.eval()
        made = conversion.convert(
            source, weights, activations, skip, only, verbose=verbose, **options
        )
        names = [name for name, module in made.named_modules() if isinstance(module, _BINARY)]
        if percentile is not None and "clamp" not in options:
            _set_clamps(source, made, names, batches, percentile)
        _calibrate(made, batches, batch_norms)
        if bias_correction:
            _correct_biases(source, made, names, batches)
        made.quantization = _compare(source, made, names, batches[-1])
    finally:
        for module, mode in modes.items():
            module.training = mode
    if verbose:
        print("\n".join([_HEAD, *map(str, made.quantization)]), file=sys.stderr)
    return made


def _inputs(batch) -> torch.Tensor:
    return batch[0] if isinstance(batch, (tuple, list)) else batch


class _Taps:
    """Within `with`: the inputs and outputs of layers in the last call."""

    def __init__(self, model, names):
        self.inputs, self.outputs = {}, {}
        self._hooks = [
            model.get_submodule(name).register_forward_hook(self._hook(name)) for name in names
        ]

    def _hook(self, name):
        def hook(_, arguments, output):
            self.inputs[name], self.outputs[name] = arguments[0], output

        return hook

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for hook in self._hooks:
            hook.remove()


@torch.no_grad()
def _set_clamps(source, made, names, batches, percentile: float) -> None:
    sums = dict.fromkeys(names, 0.0)
    with _Taps(source, names) as taps:
        for batch in batches:
            source(batch)
            for name in names:
                values = taps.inputs[name].abs().flatten().float()
                rank = max(1, min(values.numel(), round(values.numel() * percentile / 100)))
                sums[name] += values.kthvalue(rank).values.item()
    for name in names:
        quantizer = made.get_submodule(name).quantizer
        if quantizer.scheme != "fp" and sums[name] > 0:
            quantizer.clamp = sums[name] / len(batches)


def _calibrate(made, batches, batch_norms: bool) -> None:
    """Plain averages over the batches, of the scalars, and of batch norms if they are to be."""
    quantizers = [m.quantizer for m in made.modules() if isinstance(m, _BINARY)]
    momenta = [quantizer.momentum for quantizer in quantizers]
    others = [m for m in made.modules() if isinstance(m, torch.nn.modules.dropout._DropoutNd)]
    norms = [m for m in made.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]

    def running():
        for i, batch in enumerate(batches):
            for quantizer in quantizers:
                quantizer.momentum = i / (i + 1)
            for module in others if batch_norms else [*others, *norms]:
                module.eval()
            yield batch

    if batch_norms:
        calibrate(made, running())
    else:
        made.train()
        with torch.no_grad():
            for batch in running():
                made(batch)
        made.eval()
    for quantizer, momentum in zip(quantizers, momenta, strict=True):
        quantizer.momentum = momentum


@torch.no_grad()
def _correct_biases(source, made, names, batches) -> None:
    """From the first layer on, each behind those that are corrected already."""
    names = [name for name in names if made.get_submodule(name).bias is not None]
    for name in names:
        total = 0.0
        with _Taps(source, [name]) as expected, _Taps(made, [name]) as found:
            for batch in batches:
                source(batch)
                made(batch)
                total = total + _per_output(
                    found.outputs[name] - expected.outputs[name], made, name
                )
        made.get_submodule(name).bias -= total / len(batches)


def _per_output(difference, made, name) -> torch.Tensor:
    if isinstance(made.get_submodule(name), BinaryLinear):
        return difference.flatten(0, -2).mean(0)
    return difference.transpose(0, 1).flatten(1).mean(1)


@torch.no_grad()
def _compare(source, made, names, batch) -> list[LayerError]:
    rows = []
    with _Taps(source, names) as expected, _Taps(made, names) as found:
        source(batch)
        made(batch)
        for name in names:
            layer = made.get_submodule(name)
            y, z = expected.outputs[name].double(), found.outputs[name].double()
            error = ((y - z).square().sum() / y.square().sum().clamp_min(1e-300)).item()
            weight_angle = 0.0
            if layer.weights != "fp":
                weight_angle = quantize(layer.weight, layer.weights, axis=0).angle
            x = found.inputs[name]
            rows.append(
                LayerError(name, error, _angle(y, z), weight_angle, _angle(x, layer.quantizer(x)))
            )
    return rows


def _angle(a, b) -> float:
    cosine = torch.nn.functional.cosine_similarity(
        a.double().flatten(), b.double().flatten(), dim=0, eps=1e-300
    )
    return torch.rad2deg(torch.arccos(cosine.clamp(-1, 1))).item()
