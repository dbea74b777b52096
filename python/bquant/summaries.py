"""What a network will cost, before it is compiled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

import torch

from ._quantize import _bquant
from .nn.layers import BinaryConv1d, BinaryConv2d, BinaryLinear

_PRODUCTS = (torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.Linear)
_BINARY = (BinaryConv1d, BinaryConv2d, BinaryLinear)
_HEAD = ("layer", "module", "output", "weights", "activations", "MACs", "binary MACs", "bytes")


@dataclass
class Layer:
    """One module with parameters of its own, or one that quantizes.

    weight_bits, activation_bits: of a value, 32 for floats, log2 3 for ternary.
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
        model: runs once, in its own mode, without changing what it keeps.
        inputs: of one call. MACs are those of the call over the size of the first dimension.
    """
    if not inputs:
        raise ValueError("expected an example input, which says the shapes")
    samples = inputs[0].shape[0] if inputs[0].dim() else 1
    rows: list[Layer] = []
    hooks = []
    for name, module in model.named_modules():
        if isinstance(module, _BINARY) or _own_values(module):
            hooks.append(module.register_forward_hook(_noting(rows, name, samples)))
    mode, state = model.training, {k: v.clone() for k, v in model.state_dict().items()}
    try:
        model(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
        if mode:  # which moves averages
            model.load_state_dict(state)
    return Summary(rows)


def _own_values(module) -> int:
    return sum(p.numel() for p in module.parameters(recurse=False))


def _noting(rows: list[Layer], name: str, samples: int):
    def hook(module, _, output):
        shape = tuple(output.shape) if isinstance(output, torch.Tensor) else ()
        weight = getattr(module, "weight", None)
        weight_scheme = activation_scheme = "fp"
        if isinstance(module, _BINARY):
            weight_scheme, activation_scheme = (
                module.weights,
                getattr(module.quantizer, "scheme", "fp"),
            )
        macs = 0
        if isinstance(module, _PRODUCTS):
            filters = weight.shape[0]
            macs = math.prod(shape) // max(samples, 1) * (weight.numel() // filters)
        planes = _planes(weight_scheme) * _planes(activation_scheme)
        size = 4 * _own_values(module)
        if weight_scheme != "fp":
            size += _packed_bytes(module) - 4 * weight.numel()
        rows.append(
            Layer(
                name,
                type(module).__name__,
                shape,
                _bits(weight_scheme),
                _bits(activation_scheme),
                macs,
                macs * planes,
                size,
            )
        )

    return hook


def _planes(scheme: str) -> int:
    if scheme == "fp":
        return 0
    return 1 if scheme == "sign" else _bquant.scheme_info(scheme)[0]


def _bits(scheme: str) -> float:
    if scheme == "fp":
        return 32.0
    return math.log2(3) if scheme in ("ls-T", "twn") else float(_planes(scheme))


def _bits_text(bits: float) -> str:
    return f"{bits:.3g}"


def _packed_bytes(module) -> int:
    """Words of 32 channels and the scalars."""
    weight = module.weight
    others = math.prod(weight.shape[2:])
    words = _planes(module.weights) * weight.shape[0] * others * -(-weight.shape[1] // 32)
    return 4 * (words + module.weight_scalars.numel())
