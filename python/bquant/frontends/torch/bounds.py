"""Between which numbers the elements of a node are, as far as operations say.

A cast to 8 bits wraps. What a quantizer casts it has clamped before: there is nothing to wrap, and
the program stays short.
"""

from __future__ import annotations

import math

import torch

from .codes import BYTES, MOVES
from .context import ALIASES

CASTS = {"aten.to.dtype", "aten._to_copy.default"}
_CLAMPS = {"aten.clamp.default", "aten.hardtanh.default"}
_ROUNDINGS = {f"aten.{name}.default" for name in ("ceil", "floor", "round", "trunc")}
_KEEPS = _ROUNDINGS | MOVES | ALIASES


def fits(node: torch.fx.Node, dtype: torch.dtype) -> bool:
    """Whether a node's elements are in the range of a type of 8 bits, but for NaN."""
    low, high = _bounds(node, {})
    return torch.iinfo(dtype).min <= low and high <= torch.iinfo(dtype).max


def _bounds(node: torch.fx.Node, known: dict) -> tuple[float, float]:
    if node not in known:
        known[node] = _find(node, known)
    return known[node]


def _find(node: torch.fx.Node, known: dict) -> tuple[float, float]:
    name, dtype = str(node.target), getattr(node.meta.get("val"), "dtype", None)
    if dtype == torch.bool:
        return 0, 1
    if dtype in BYTES:
        return torch.iinfo(dtype).min, torch.iinfo(dtype).max
    if name == "aten.sign.default":
        return -1, 1
    if name in _CLAMPS and len(node.args) == 3 and None not in node.args:
        _, low, high = node.args
        return min(low, high), high
    if name == "aten.add.Tensor" and isinstance(node.args[1], int) and len(node.args) == 2:
        low, high = _bounds(node.args[0], known)
        return low + node.args[1], high + node.args[1]
    if name in _KEEPS or (name in CASTS and not node.args[0].meta["val"].is_floating_point()):
        lows, highs = zip(*(_bounds(x, known) for x in node.all_input_nodes), strict=True)
        low, high = min(lows), max(highs)
        is_rounded = name in _ROUNDINGS and math.isfinite(high - low)
        return (math.floor(low), math.ceil(high)) if is_rounded else (low, high)
    return -math.inf, math.inf
