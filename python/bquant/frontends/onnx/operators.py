"""How an operator is taken, if it is: for the page of operators and its test."""

from __future__ import annotations

import onnx

from ..common.table import ONNX
from . import channels_last, qlinear, qonnx
from .context import ALIASES
from .reader import OPEN, SIZES


def how(name: str, constant: bool = False) -> str:
    """`yes`, `by others` (of which ONNX makes it), `of constants`, or `no`. `name` has its domain,
    but for ONNX' own; `constant`: it is used of constants alone."""
    domain, _, op = name.rpartition(".")
    if op in qlinear.OPERATORS.get(domain, ()):
        return "yes"
    if domain:
        known = domain in qonnx.DOMAINS and (op in qonnx.OPERATORS or op in qonnx.LOWERED)
        return "yes" if known or channels_last.is_known(domain, op) else "no"
    if op in ONNX or op in ALIASES or op in SIZES:
        return "yes"
    if not onnx.defs.has(op):
        return "no"
    schema = onnx.defs.get_schema(op)
    if schema.has_function and all(
        node.op_type == "Constant" or how(node.op_type) != "no"
        for node in schema.function_body.node
    ):
        return "by others"
    return "of constants" if constant and op not in OPEN else "no"
