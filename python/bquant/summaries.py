"""What a network will cost, before it is compiled."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from html import escape

import torch

from ._quantize import _bquant
from .nn import registry
from .nn.layers import BinaryConv1d, BinaryConv2d, BinaryLinear
from .nn.quantizer import Quantizer

_PRODUCTS = (torch.nn.modules.conv._ConvNd, torch.nn.Linear)
_BINARY = (BinaryConv1d, BinaryConv2d, BinaryLinear)
# Of products, in the order of their arguments.
_INPUTS = ("input", "query", "key", "value")
_HEAD = ("layer", "module", "output", "weights", "activations", "MACs", "binary MACs", "bytes")


@dataclass
class Layer:
    """One module with parameters of its own, or one that quantizes.

    weight_bits, activation_bits: of a value, 32 for floats, log2 3 for ternary.
    output: of the last call; () for a module that the call does not reach.
    macs: of one sample; binary_macs: these times the pairs of planes, where both are quantized.
    bytes: of the weights, packed to bits with their scalars, and of biases and others in float32.
    """

    name: str
    module: str
    output: tuple[int, ...]
    weight_bits: float
    activation_bits: float
    macs: int
    binary_macs: int
    bytes: int


@dataclass
class Summary:
    """A table, as text or in a notebook; `layers` are its rows."""

    layers: list[Layer]

    @property
    def macs(self) -> int:
        return sum(layer.macs for layer in self.layers)

    @property
    def binary_share(self) -> float:
        """Of the MACs, those with both operands quantized."""
        quantized = sum(layer.macs for layer in self.layers if layer.binary_macs)
        return quantized / self.macs if self.macs else 0.0

    @property
    def equivalent_flops(self) -> float:
        """Float MACs, and a 64th of the binary ones, as Bi-Real Net and its followers count
        (https://arxiv.org/abs/1808.00278): a MAC is one, and 64 of bits take one instruction."""
        return sum(layer.binary_macs / 64 or layer.macs for layer in self.layers)

    @property
    def bytes(self) -> int:
        return sum(layer.bytes for layer in self.layers)

    def __str__(self) -> str:
        table = [_HEAD, *(self._cells(layer) for layer in self.layers), self._total()]
        widths = [max(len(row[i]) for row in table) for i in range(len(_HEAD))]
        lines = []
        for row in table:
            cells = (
                cell.ljust(width) if i < 3 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [*(self._cells(layer) for layer in self.layers), self._total()]
        head = "".join(f"<th>{cell}</th>" for cell in _HEAD)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        return f"<table><tr>{head}</tr>{body}</table>"

    def _cells(self, layer: Layer) -> tuple[str, ...]:
        return (
            layer.name,
            layer.module,
            "x".join(map(str, layer.output)),
            _bits_text(layer.weight_bits),
            _bits_text(layer.activation_bits),
            f"{layer.macs:,}",
            f"{layer.binary_macs:,}",
            f"{layer.bytes:,}",
        )

    def _total(self) -> tuple[str, ...]:
        binary = sum(layer.binary_macs for layer in self.layers)
        share = f"{self.binary_share:.1%} binary"
        return ("all", share, "", "", "", f"{self.macs:,}", f"{binary:,}", f"{self.bytes:,}")


@torch.no_grad()
def summary(model: torch.nn.Module, *inputs: torch.Tensor) -> Summary:
    """Bits, MACs and bytes of each layer.

    Args:
        model: runs once, in its own mode, without changing what it keeps. Quantizers that have no
            scalars yet take those of the inputs.
        inputs: of one call. MACs are those of the call over the size of the first dimension: of
            convolutions and linear layers, and of the projections of attention.
    """
    if not inputs:
        raise ValueError("expected an example input, which says the shapes")
    samples = inputs[0].shape[0] if inputs[0].dim() else 1
    seen: set[torch.nn.Parameter] = set()
    rows = {
        module: _row(name, module, seen)
        for name, module in model.named_modules()
        if isinstance(module, _BINARY) or _parameters(module)
    }

    def note(module, arguments, keywords, output):
        by_name = [keywords[name] for name in _INPUTS if name in keywords]
        macs = _macs(module, [*arguments, *by_name], output) // max(samples, 1)
        row = rows[module]
        weights, activations = _schemes(module)
        row.output = tuple(output.shape) if isinstance(output, torch.Tensor) else ()
        row.macs += macs
        row.binary_macs += macs * _planes(weights) * _planes(activations)

    hooks = [module.register_forward_hook(note, with_kwargs=True) for module in rows]
    modes = {module: module.training for module in model.modules()}
    for module in modes:
        if isinstance(module, Quantizer) and not module.is_ready:
            module.training = True
    moves = any(module.training for module in modes)  # averages
    state = {key: copy.deepcopy(value) for key, value in model.state_dict().items() if moves}
    try:
        model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
        for module, mode in modes.items():
            module.training = mode
        if moves:
            model.load_state_dict(state)
    return Summary(list(rows.values()))


def _parameters(module) -> list[torch.nn.Parameter]:
    return list(module.parameters(recurse=False))


def _schemes(module) -> tuple[str, str]:
    """Of weights and activations."""
    if not isinstance(module, _BINARY):
        return "fp", "fp"
    return module.weights, module.quantizer.scheme


def _row(name: str, module, seen: set) -> Layer:
    """What does not depend on a call. Parameters that layers share count once."""
    weights, activations = _schemes(module)
    own = [p for p in _parameters(module) if p not in seen]
    seen.update(own)
    size = 4 * sum(p.numel() for p in own if weights == "fp" or p is not module.weight)
    if weights != "fp":
        size += _packed_bytes(module)
    kind = type(module).__name__
    return Layer(name, kind, (), bits(weights), bits(activations), 0, 0, size)


def _macs(module, arguments, output) -> int:
    """Of one call."""
    if isinstance(module, torch.nn.MultiheadAttention):
        # Of queries, keys, values and the result, each position by itself.
        positions = [x.numel() // x.shape[-1] for x in arguments[:3]]
        width = module.embed_dim
        inputs = (width, module.kdim, module.vdim)
        return width * sum(n * size for n, size in zip(positions, inputs, strict=False)) + (
            positions[0] * width * width
        )
    if not isinstance(module, _PRODUCTS):
        return 0
    if getattr(module, "transposed", False):  # each value of the input meets each filter
        return arguments[0].numel() * (module.weight.numel() // module.in_channels)
    return output.numel() * (module.weight.numel() // module.weight.shape[0])


def _planes(scheme: str) -> int:
    if scheme == "fp":
        return 0
    if (of_registered := registry.bits_of(scheme)) is not None:
        return math.ceil(of_registered)
    return 1 if scheme == "sign" else _bquant.scheme_info(scheme)[0]


def bits(scheme: str) -> float:
    """Of a value, log2 of the number of levels; 32 for "fp"."""
    if scheme == "fp":
        return 32.0
    if (of_registered := registry.bits_of(scheme)) is not None:
        return of_registered
    return math.log2(3) if scheme in ("ls-T", "twn") else float(_planes(scheme))


def _bits_text(bits: float) -> str:
    return f"{bits:.3g}"


def _packed_bytes(module) -> int:
    """Words of 32 channels and the scalars."""
    weight = module.weight
    others = math.prod(weight.shape[2:])
    words = _planes(module.weights) * weight.shape[0] * others * -(-weight.shape[1] // 32)
    return 4 * (words + module.stored_weight_parameters.scalars.numel())
