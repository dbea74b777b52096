"""Operators that no function writes, and that ONNX defines by others, written as these."""

from __future__ import annotations

import onnx
from onnx import inliner

from ..common.messages import because
from ..common.shapes import UnsupportedOp
from ..common.table import ONNX
from .context import ALIASES
from .load import opset

# What onnx raises of a node that its specification refuses.
INVALID = (
    onnx.shape_inference.InferenceError,
    onnx.checker.ValidationError,
    RuntimeError,
    ValueError,
)

# Of constants, else of no static size: the loop that defines it would hide that.
KEPT = {"Range"}


def inline(model: onnx.ModelProto) -> onnx.ModelProto:
    version, functions = opset(model), {}
    for op in {node.op_type for node in model.graph.node if node.domain in ("", "ai.onnx")}:
        taken = op in ONNX or op in ALIASES or op in KEPT
        if not taken and onnx.defs.has(op, version, ""):
            schema = onnx.defs.get_schema(op, version, "")
            if schema.has_function or schema.has_context_dependent_function:
                functions[op] = schema
    if not functions:
        return model
    given, model = model, onnx.ModelProto()
    model.CopyFrom(given)
    for node in model.graph.node:
        # The inliner takes no defaults.
        present = {attribute.name for attribute in node.attribute}
        schema = functions.get(node.op_type)
        for name, attribute in schema.attributes.items() if schema else ():
            if name not in present and attribute.default_value.name:
                node.attribute.append(attribute.default_value)
    names = [("", op) for op in sorted(functions)]
    try:
        if any(schema.has_context_dependent_function for schema in functions.values()):
            model = _typed(model)
        return inliner.inline_selected_functions(model, names, inline_schema_functions=True)
    except INVALID as error:
        start = f"expected operators that ONNX defines by others, but got {', '.join(functions)}: "
        raise UnsupportedOp(because(start, error)) from None


def _typed(model):
    """With the types of all values, on which some definitions depend."""
    known = {value.name for value in (*model.graph.input, *model.graph.value_info)}
    for tensor in model.graph.initializer:
        if tensor.name not in known:
            model.graph.value_info.append(
                onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            )
    return onnx.shape_inference.infer_shapes(model)
