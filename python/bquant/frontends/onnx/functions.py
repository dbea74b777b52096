"""Functions of the model's own, and operators that ONNX defines by others, written as these."""

from __future__ import annotations

import dataclasses

import onnx
import onnx.version_converter
from onnx import inliner

from ..common.messages import because
from ..common.shapes import UnsupportedOp
from ..common.table import ONNX
from .context import ALIASES
from .load import Loaded, copy, opset

# What onnx raises of what its specification refuses.
INVALID = (
    onnx.shape_inference.InferenceError,
    onnx.checker.ValidationError,
    onnx.version_converter.ConvertError,
    RuntimeError,
    ValueError,
)

# Of constants, else of no static size: the loop that defines it would hide that.
KEPT = {"Range"}


def inline_own(loaded: Loaded) -> Loaded:
    """Without functions of the model's own, which may be of another opset."""
    model = loaded.model
    if not model.functions:
        return loaded
    converts = any(opset(f) not in (0, opset(model)) for f in model.functions)
    try:
        model = inliner.inline_local_functions(_typed(model) if converts else model, converts)
    except INVALID as error:
        start = "expected functions that can be written out, but got: "
        raise UnsupportedOp(because(start, error)) from None
    return dataclasses.replace(loaded, model=model)


def inline(model: onnx.ModelProto) -> onnx.ModelProto:
    """Until nothing is left, or the same: some definitions are made of others, and some operators
    are defined in some cases only."""
    version, left = opset(model), None
    while (functions := _defined(model, version)) and functions.keys() != left:
        model, left = _inline(model, functions), functions.keys()
    return model


def _defined(model, version: int) -> dict:
    """The schemas of operators that others define."""
    functions = {}
    for op in {node.op_type for node in model.graph.node if not node.domain}:
        taken = op in ONNX or op in ALIASES or op in KEPT
        if not taken and onnx.defs.has(op, version, ""):
            schema = onnx.defs.get_schema(op, version, "")
            if schema.has_function or schema.has_context_dependent_function:
                functions[op] = schema
    return functions


def _inline(given: onnx.ModelProto, functions: dict) -> onnx.ModelProto:
    model = copy(given)
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


def _typed(given):
    """With the types of all values, on which some definitions and conversions depend."""
    model = copy(given)
    known = {value.name for value in (*model.graph.input, *model.graph.value_info)}
    for tensor in model.graph.initializer:
        if tensor.name not in known:
            model.graph.value_info.append(
                onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            )
    return onnx.shape_inference.infer_shapes(model)
