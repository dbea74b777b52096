"""How many scales and zero points a quantizer has: one, or one for each index of an axis."""

from __future__ import annotations

import re

from ..common.shapes import UnsupportedOp

_LINEAR = {"QuantizeLinear", "DequantizeLinear"}
# Values of operators that are written as other nodes, quantizers of QONNX among them.
_WRITTEN = re.compile(r"(.*)/([A-Z]\w*)\.\d+")
_QUANTIZERS = {"Quant", "IntQuant", "BipolarQuant", "Trunc"}


def check(node, operands: list, place: str) -> None:
    """A ValueError that says how many there have to be."""
    if node.op_type in _LINEAR and len(operands) > 1:
        if written := _WRITTEN.fullmatch(node.output[0]):
            place = f"{written[2]} '{written[1]}'"
        _check_linear(node, operands, place)
    elif node.op_type in ("Div", "Mul") and len(operands) == 2:
        # x / scale, and code * scale in the end.
        inner = node.output[0] if node.op_type == "Div" else node.input[0]
        written = _WRITTEN.fullmatch(inner)
        if written and written[2] in _QUANTIZERS:
            quantizer = f"{written[2]} '{node.name or written[1]}'"
            _check_broadcast(operands[0].shape, operands[1].shape, quantizer)


def _check_linear(node, operands, place: str) -> None:
    attributes = {a.name: a.i for a in node.attribute}
    shape = operands[0].shape
    if attributes.get("block_size", 0):
        return
    axis = given = attributes.get("axis", 1)
    axis += len(shape) if axis < 0 else 0
    for operand, what in zip(operands[1:3], ("scale", "zero point"), strict=False):
        if operand is None or operand.size == 1:
            continue
        if len(operand.shape) != 1:
            raise UnsupportedOp(
                f"expected one {what}, or one for each index of an axis, of {place}, but got "
                f"{_sizes(operand.shape)}"
            )
        if not 0 <= axis < len(shape):
            raise ValueError(
                f"expected an axis of {_sizes(shape)} for the {what}s of {place}, but got {given}"
            )
        check_count(operand.shape[0], shape, axis, what, place)


def _check_broadcast(shape, scale, place: str) -> None:
    if len(scale) > len(shape):
        return  # The result has more dimensions, too.
    first = len(shape) - len(scale)
    for axis, count in enumerate(scale, first):
        if count != 1 and shape[axis] != 1:
            check_count(count, shape, axis, "scale", place)


def check_count(count, shape, axis: int, what: str, place: str) -> None:
    """One for each index of an axis."""
    if isinstance(shape[axis], int) and count != shape[axis]:
        raise ValueError(
            f"expected {shape[axis]} {what}s (axis {axis} of {_sizes(shape)}) of {place}, but got "
            f"{count}"
        )


def _sizes(shape) -> str:
    return "x".join(map(str, shape)) or "a scalar"
