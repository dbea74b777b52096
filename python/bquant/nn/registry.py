"""Schemes that are written in torch: their names, and what a scheme of one's own consists of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from .. import _bquant

if TYPE_CHECKING:
    from .scheme_quantizer import SchemeQuantizer

SIDES = ("weights", "activations")

# Of a tensor and the dimensions over which its values share scalars.
Solve = Callable[[torch.Tensor, tuple[int, ...]], Sequence[torch.Tensor]]
# Of a tensor and each of its scalars.
Quantize = Callable[..., torch.Tensor]


@dataclass(frozen=True)
class Scheme:
    """A scheme of one side, "weights" or "activations"; see `register`."""

    name: str
    solve: Solve
    quantize: Quantize
    bits: float
    learned: bool
    quantizer: type[SchemeQuantizer] | None


_schemes: dict[str, dict[str, Scheme]] = {side: {} for side in SIDES}


def register(
    name: str,
    solve: Solve,
    quantize: Quantize,
    *,
    of: Sequence[str] | str = SIDES,
    bits: float = 1.0,
    learned: bool = False,
    quantizer: type[SchemeQuantizer] | None = None,
    replace: bool = False,
) -> None:
    """Makes a scheme of one's own known by its name, to layers, `convert`, `summary` and the study.

    Args:
        name: what `weights=` and `activations=` take.
        solve: (x, dims) to the scalars, a sequence of tensors that broadcast against x. x is
            float32 and finite: a batch of activations, whose scalars are one number each, or the
            weights as their layer has them, (out, in, kh, kw) or (out, in). The values share
            scalars along dims: all of activations, all but the first of weights. Of torch
            operations that do not look into a tensor, so that `torch.compile` and the device
            "meta" can follow; without a gradient.
        quantize: (x, *scalars) to x^q, float32 of x's shape, with the gradient that autograd takes
            of it; `functional.sign`, `straight_through` and `scale_gradient` help. What is
            exported is what it does: levels chosen by comparisons, rounding and signs are
            recognised when it is compiled.
        of: "weights", "activations", or both. A name may have one scheme of each.
        bits: of a value, log2 of the number of levels, above 0 and at most 8.
        learned: the scalars are a parameter, which `solve` starts at the first batch, or at the
            first weights, and the optimizer changes.
        quantizer: a subclass of `SchemeQuantizer` that takes its place.
        replace: the name may be that of a registered scheme.

    Raises:
        ValueError: a name of bquant's own or, without `replace`, a registered one; other
            arguments that are not as above.
    """
    sides = (of,) if isinstance(of, str) else tuple(of)
    if not sides or not set(sides) <= set(SIDES):
        raise ValueError(f"expected of to be 'weights', 'activations' or both, but got {of!r}")
    if not isinstance(name, str) or not name:
        raise ValueError(f"expected the name of a scheme, but got {name!r}")
    if _is_own(name):
        raise ValueError(f"expected a new name, but {name!r} is one of bquant's own schemes")
    for side in sides:
        if name in _schemes[side] and not replace:
            raise ValueError(
                f"expected a new name, but {name!r} is registered for {side} (replace=True "
                "takes its place)"
            )
    for what, function in (("solve", solve), ("quantize", quantize)):
        if not callable(function):
            raise ValueError(f"expected {what} to be a function, but got {function!r}")
    if not 0 < bits <= 8:
        raise ValueError(f"expected bits above 0 and at most 8, but got {bits!r}")
    scheme = Scheme(name, solve, quantize, float(bits), learned, quantizer)
    for side in sides:
        _schemes[side][name] = scheme


def _is_own(name: str) -> bool:
    if name in ("fp", "sign", "rank-1", "xnor") or name.startswith("lloyd-"):
        return True
    try:
        _bquant.scheme_info(name)
    except ValueError:
        return False
    return True


def find(name: str, side: str) -> Scheme | None:
    """The registered scheme of a side, if there is one."""
    return _schemes[side].get(name)


def names(side: str) -> list[str]:
    return sorted(_schemes[side])


def bits_of(name: str) -> float | None:
    """The bits of a registered scheme of either side."""
    scheme = next((s for side in SIDES if (s := find(name, side))), None)
    return scheme.bits if scheme else None
