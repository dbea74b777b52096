"""Quantize a trained network without training it again."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from . import conversion
from .models.calibration import average_anew
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


if TYPE_CHECKING:

    class QuantizedModule(torch.nn.Module):
        """What `quantize_model` returns: a module of the model's own class, with the table."""

        quantization: list[LayerError]
else:
    QuantizedModule = torch.nn.Module

_HEAD = f"{'layer':32} {'error':>8} {'angle':>7} {'weights':>8} {'inputs':>7}"


def quantize_model(
    model: torch.nn.Module,
    weights: str = "ls-2",
    activations: str = "ls-2",
    calibration: Iterable[torch.Tensor | Sequence[Any]] = (),
    skip: Sequence[conversion.Choice] | conversion.Choice | None = ("first", "last"),
    only: Sequence[conversion.Choice] | conversion.Choice | None = None,
    *,
    percentile: float | None = 99.9,
    batch_norms: bool = True,
    bias_correction: bool = True,
    verbose: bool = True,
    **options: Any,
) -> QuantizedModule:
    """A quantized copy of a trained network, in eval mode, by calibration alone.

    The scalars of activations are averages over the batches. Then batch norms are estimated again,
    and what is left of each layer's mean error is taken from its bias. Layers that are quantized
    already stay as they are.

    Args:
        model, weights, activations, skip, only, options: as of `convert`.
        calibration: batches of inputs: tensors, or tuples (inputs, ...) of which the first is
            taken, as a DataLoader gives them.
        percentile: activations are clamped at this percentile of the magnitudes of their layer's
            inputs, of all batches on average; None: by `clamp`, which is the paper's unless it
            is given.
        batch_norms: take averages of batch norms from the calibration; those that see one value a
            channel at most, as of a batch of one, keep theirs.
        bias_correction: for layers with a bias: take the mean error of each of its outputs from it.
        verbose: say on standard error what was swapped, and the table.

    Returns:
        The network; its attribute `quantization` is the table, a list of `LayerError`, of those
        layers that the batches reach.

    Raises:
        ValueError: no batch to calibrate with, one that holds NaN or Inf; nothing to quantize.
    """
    if isinstance(calibration, torch.Tensor):
        raise ValueError("expected batches to calibrate with, but got one tensor: put it in a list")
    batches = [_inputs(i, batch) for i, batch in enumerate(calibration)]
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
        names = [
            name
            for name, module in made.named_modules()
            if isinstance(module, _BINARY) and not isinstance(source.get_submodule(name), _BINARY)
        ]
        if percentile is not None and "clamp" not in options:
            _set_clamps(source, made, names, batches, percentile)
        _calibrate(made, names, batches, batch_norms)
        if bias_correction:
            _correct_biases(source, made, names, batches)
        made.quantization = _compare(source, made, names, batches[-1])
    finally:
        for module, mode in modes.items():
            module.training = mode
    if verbose:
        print("\n".join([_HEAD, *map(str, made.quantization)]), file=sys.stderr)
    return made


def _inputs(i: int, batch) -> torch.Tensor:
    x = batch[0] if isinstance(batch, (tuple, list)) and batch else batch
    if not isinstance(x, torch.Tensor) or not x.numel():
        found = "an empty one" if isinstance(x, torch.Tensor) else type(x).__name__
        raise ValueError(
            "expected batches to calibrate with to be tensors of inputs, or tuples that begin with "
            f"one, but got {found}"
        )
    if not x.isfinite().all():
        raise ValueError(f"expected finite values to calibrate with, but batch {i} has NaN or Inf")
    return x


class _Taps:
    """Within `with`: calls `look(name, input, output)` at each call of these layers."""

    def __init__(self, model, names, look):
        self._look = look
        self._hooks = [
            model.get_submodule(name).register_forward_hook(self._hook(name), with_kwargs=True)
            for name in names
        ]

    def _hook(self, name):
        def hook(_, arguments, keywords, output):
            self._look(name, *arguments, *keywords.values(), output)

        return hook

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for hook in self._hooks:
            hook.remove()


@torch.no_grad()
def _set_clamps(source, made, names, batches, percentile: float) -> None:
    found: dict[str, list[float]] = {}

    def look(name, x, _):
        values = x.abs().flatten().float()
        rank = max(1, min(values.numel(), round(values.numel() * percentile / 100)))
        found.setdefault(name, []).append(values.kthvalue(rank).values.item())

    with _Taps(source, names, look):
        for batch in batches:
            source(batch)
    for name, values in found.items():
        quantizer = made.get_submodule(name).quantizer
        if quantizer.scheme != "fp" and sum(values) > 0:
            quantizer.clamp = sum(values) / len(values)


@torch.no_grad()
def _calibrate(made, names, batches, batch_norms: bool) -> None:
    """Plain averages over the calls, of the scalars, and of batch norms if they are to be. All else
    is in eval mode: what is dropped in training has no say."""
    made.eval()
    quantizers = [made.get_submodule(name).quantizer for name in names]
    norms = [m for m in made.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    # One without averages takes those of the batch.
    norms = [norm for norm in norms if batch_norms and norm.track_running_stats]
    momenta = [module.momentum for module in (*quantizers, *norms)]
    calls = dict.fromkeys(quantizers, 0)

    def count(quantizer, _):
        quantizer.momentum = calls[quantizer] / (calls[quantizer] + 1)
        calls[quantizer] += 1

    def choose(norm, arguments, keywords):  # one value has no variance
        (x,) = (*arguments, *keywords.values())
        norm.training = x.numel() > x.shape[1]

    hooks = [quantizer.register_forward_pre_hook(count) for quantizer in quantizers]
    hooks += [norm.register_forward_pre_hook(choose, with_kwargs=True) for norm in norms]
    for norm in norms:
        average_anew(norm)
    for quantizer in quantizers:
        quantizer.training = True
    for batch in batches:
        made(batch)
    for module, momentum in zip((*quantizers, *norms), momenta, strict=True):
        module.momentum, module.training = momentum, False
    for hook in hooks:
        hook.remove()


def _means(model, names, batches) -> dict[str, torch.Tensor]:
    """The mean of each output of these layers, over all calls."""
    found: dict[str, list[torch.Tensor]] = {}

    def look(name, _, output):
        # Of images the channels, else the last dimension.
        layer = model.get_submodule(name)
        channels = -1 if isinstance(layer, torch.nn.Linear) else -layer.weight.dim() + 1
        mean = output.movedim(channels, 0).flatten(1).double().mean(1)
        found.setdefault(name, []).append(mean)

    with _Taps(model, names, look):
        for batch in batches:
            model(batch)
    return {name: torch.stack(means).mean(0) for name, means in found.items()}


@torch.no_grad()
def _correct_biases(source, made, names, batches) -> None:
    """From the first layer on, each behind those that are corrected already."""
    names = [name for name in names if made.get_submodule(name).bias is not None]
    expected = _means(source, names, batches)
    for name in expected:
        found = _means(made, [name], batches)[name]
        bias = made.get_submodule(name).bias
        bias -= (found - expected[name]).to(bias.dtype)


@torch.no_grad()
def _compare(source, made, names, batch) -> list[LayerError]:
    # Copies, since what follows a layer may write to its output.
    expected, found = {}, {}

    def keep(name, _, output):
        expected[name] = output.double().clone()

    def look(name, x, output):
        quantizer = made.get_submodule(name).quantizer
        found[name] = (output.double().clone(), _angle(x, quantizer(x)))

    with _Taps(source, names, keep), _Taps(made, names, look):
        source(batch)
        made(batch)
    rows = []
    for name, (z, input_angle) in found.items():
        layer, y = made.get_submodule(name), expected[name]
        error = ((y - z).square().sum() / y.square().sum().clamp_min(1e-300)).item()
        weight_angle = 0.0
        if layer.weights != "fp":
            weight_angle = _angle(layer.weight, layer.quantized_weight())
        rows.append(LayerError(name, error, _angle(y, z), weight_angle, input_angle))
    return rows


def _angle(a, b) -> float:
    cosine = torch.nn.functional.cosine_similarity(
        a.double().flatten(), b.double().flatten(), dim=0, eps=1e-300
    )
    return torch.rad2deg(torch.arccos(cosine.clamp(-1, 1))).item()
