"""Operations that make a code of a value: where it lies near a threshold, rounding makes another.

A step is evaluated on the value that compiled code has and on torch's own. Where the two results
differ, the value is on a threshold: it lies between the two, so within their rounding.
"""

from __future__ import annotations

import torch

from .. import _bquant
from ..nn import functional as F
from .rounding import move

_COMPARISONS = {
    f"aten.{name}.{kind}"
    for name in ("ge", "gt", "le", "lt", "eq", "ne")
    for kind in ("Scalar", "Tensor")
}
_ROUNDINGS = {f"aten.{name}.default" for name in ("sign", "floor", "ceil", "round")} | {
    "aten.copysign.Scalar",
    "aten.copysign.Tensor",
}
ONLINE, BY_RANK = "bquant.quantize.default", "bquant.quantize_by_rank.default"
STEPS = _COMPARISONS | _ROUNDINGS | {ONLINE, BY_RANK}


def evaluate(name, function, operands, smooth, total, scheme=None):
    """The value, and how far it may be from compiled code's, without and with another code.

    Args:
        smooth, total: bounds of the operands, without and with what other codes before this step
            would do.
        scheme: of ONLINE.
    """
    value = function(*operands)
    if name == ONLINE:
        return value, *_online_bounds(value, operands[0], scheme, total[0])
    if name == BY_RANK:
        moves = [None if b is None else b.float() for b in total]
        if moves[0] is None:
            return value, None, None
        x, *rest = operands
        ends = [function(x + sign * moves[0], *rest) for sign in (1, -1)]
        return value, None, torch.maximum(*[(e - value).double().abs() for e in ends])
    return value, None, move(name, function, operands, total)


def _online_bounds(value, x, scheme, bound):
    """Scalars are solved from the values themselves, in double precision; the last bit of what they
    are rounded to depends on the order of a sum."""
    each = (-1, *[1] * (x.dim() - 1))
    widest = 0.0 if bound is None else bound.flatten(1).amax(1).reshape(each)
    scalars = online_scalars(x, scheme)
    slack = [2.0**-22 * v + widest for v in scalars]
    near = torch.zeros_like(x, dtype=torch.bool)
    moved = torch.zeros_like(scalars[0]) + widest
    for residue, d in zip(_residues(x, scalars), slack, strict=True):
        near |= residue.abs() <= moved
        moved = moved + d
    smooth = moved + 2.0**-22 * value.double().abs()
    return smooth, smooth + 2 * sum(scalars) * near


def online_scalars(x, scheme):
    """One for each plane, float64 (samples, 1, ..)."""
    rows = list(F.solve(x, scheme, axes=(0,)).scalars.double())
    planes, _ = _bquant.scheme_info(scheme)
    rows = rows * planes if len(rows) < planes else rows
    return [row.reshape(-1, *[1] * (x.dim() - 1)) for row in rows]


def _residues(x, scalars):
    residue = x.double()
    for v in scalars:
        yield residue
        residue = residue - v * torch.where(residue >= 0, 1.0, -1.0)


def codes(name, result, x, scheme=None):
    """What has to be the same on both sides: the result, or the planes of ONLINE."""
    if name != ONLINE:
        return result
    code = torch.zeros_like(x, dtype=torch.int64)
    for residue in _residues(x, online_scalars(x, scheme)):
        code = 2 * code + (residue >= 0)
    return code


def threshold(node, operands, value_of, shape):
    """What is compared, and with what, of the result's `shape`. Of x - a >= b these are x and
    a + b, so that the second plane of a cascade has the threshold +-v_1.

    Args:
        operands: the step's arguments on the side of compiled code.
        value_of: of a node, on the same side.
    """
    name = str(node.target)
    x = operands[0]
    if name == BY_RANK:
        rows = operands[-2].reshape(-1)
        place = torch.bucketize(x.contiguous(), rows.contiguous())
        below, above = (rows[(place + i).clamp(0, len(rows) - 1)] for i in (-1, 0))
        return x, torch.where((x - below).abs() <= (above - x).abs(), below, above)
    if name == ONLINE:
        residues = torch.stack(list(_residues(x, online_scalars(x, node.args[1]))))
        near = residues.abs().argmin(0, keepdim=True)
        return x, x.double() - residues.gather(0, near)[0]
    if name not in _COMPARISONS:
        # A half for round, an integer for floor and ceil, 0 for the signs.
        scale = 2 if "round" in name else 1
        nearest = (scale * x).round() / scale if "sign" not in name else torch.zeros_like(x)
        return x, nearest
    other = operands[1] if len(operands) > 1 else node.args[1]
    source, limit = node.args[0], torch.as_tensor(other, dtype=torch.float64)
    while _is_difference(source):
        source, term = source.args
        x = value_of(source)
        limit = limit + (value_of(term).double() if isinstance(term, torch.fx.Node) else term)
    return x.expand(shape), limit.expand(shape)


def _is_difference(node) -> bool:
    return (
        isinstance(node, torch.fx.Node)
        and str(node.target) == "aten.sub.Tensor"
        and isinstance(node.args[0], torch.fx.Node)
        and not node.kwargs  # alpha
    )
