"""bquant's own operations: what `bquant.nn` exports where torch has no words for it."""

from __future__ import annotations

import numpy as np

from ... import _bquant
from ..common.operators import quantize as emit
from ..common.operators.context import Context
from ..common.shapes import UnsupportedOp
from ..common.table import operator


@operator(torch="bquant.quantize.default")
def quantize(c: Context, x, scheme: str):
    """Scalars from the tensor itself, for each sample; back to float at once."""
    kind, _, planes = scheme.partition("-")
    ternary = planes == "T"
    if kind not in ("ls", "gf") or not (ternary or planes.isdecimal()):
        raise UnsupportedOp(f"expected a scheme such as ls-1, ls-T or gf-2, but got '{scheme}'")
    return emit.by_scheme(c, x, scheme, [1, 1] if ternary else planes)


@operator(torch="bquant.quantize_by_rank.default")
def quantize_by_rank(c: Context, x, scheme: str, axes, scalars, offsets, thresholds, codes):
    """Ranks among thresholds. A constant is quantized here: each index of its first dimension may
    have thresholds of its own, which no operation of bquant's takes."""
    operands = (scalars, offsets, thresholds, codes)
    if any(o is not None and o.constant is None for o in operands):
        raise UnsupportedOp("expected scalars, offsets, thresholds and codes to be constant")
    rows = [None if o is None else o.constant for o in operands]
    if x.constant is not None:
        return _constant(c, x, scheme, list(axes), *rows)
    if list(axes):
        raise UnsupportedOp("expected one set of thresholds for the whole tensor")
    scalars, offsets, thresholds, codes = rows
    offset = None if offsets is None else offsets.reshape(())
    planes = _planes(scheme)
    return emit.by_thresholds(
        c, x, thresholds.copy(), codes.tolist(), scalars.copy(), planes, offset
    )


def _planes(scheme: str):
    planes, _ = _bquant.scheme_info(scheme)
    return _bquant.scheme_ratios(scheme) or planes


def _constant(c: Context, x, scheme: str, axes: list[int], scalars, offsets, thresholds, codes):
    """A filter's planes; O x I x H x W channels last, and transposed back."""
    if offsets is not None:
        raise UnsupportedOp("expected no offset of a constant")
    values = x.constant
    is_filter = values.ndim == 4
    if is_filter:
        values = values.transpose(0, 2, 3, 1)
    values = np.ascontiguousarray(values, np.float32)
    codes = codes.astype(np.uint8)
    rows = [
        None if p is None else p.reshape(len(p), -1) for p in (scalars, offsets, thresholds, codes)
    ]
    try:
        words = _bquant.words(values, scheme, tuple(axes), *rows)
    except ValueError as error:
        raise ValueError(f"'{x.hint}': {error}") from None
    result = emit.of_words(c, words, scalars, values.shape, _planes(scheme), axes, x.hint)
    return c.writer.transpose(result, (0, 3, 1, 2)) if is_filter else result
