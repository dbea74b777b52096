"""Nodes that become others before the reader sees them: the way of `opsets`, `channels_last`,
`qonnx` and `qlinear`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
from onnx import helper, numpy_helper

from ..common.importer import INVALID
from ..common.messages import because
from .load import copy, name_of

# What an attribute is never called, in any operator: parameters of functions that make nodes.
RESERVED = {
    "doc_string", "domain", "inputs", "name", "op", "op_type", "outputs", "overload", "result",
    "self",
}  # fmt: skip


def rewrite(model: onnx.ModelProto, write: Callable) -> onnx.ModelProto:
    """A model of what `write` gives for each node, None for one that stays; the given one where all
    stay."""
    nodes = rewritten(model.graph.node, write)
    if nodes is None:
        return model
    result = copy(model)
    replace(result.graph, nodes)
    return result


def rewritten(nodes, write: Callable) -> list[onnx.NodeProto] | None:
    """None where all stay, as one without results does, which nothing reads."""
    written = [_written(node, write) if any(node.output) else None for node in nodes]
    if all(made is None for made in written):
        return None
    pairs = zip(nodes, written, strict=True)
    return [new for node, made in pairs for new in ([node] if made is None else made)]


def _written(node, write):
    try:
        return write(node)
    except ValueError:  # which says what it is about
        raise
    except INVALID as error:
        start = f"expected a valid {node.op_type} '{name_of(node)}', but got: "
        raise ValueError(because(start, error)) from error


def replace(graph, nodes) -> None:
    """`graph`: or a function."""
    del graph.node[:]
    graph.node.extend(nodes)


def constants(model: onnx.ModelProto) -> dict[str, onnx.TensorProto]:
    """The tensors that a graph has as they are, by name."""
    found = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and not node.domain and node.output:
            found.update((node.output[0], a.t) for a in node.attribute if a.name == "value")
    return found


def check_operands(node, place: str, *counts: int) -> None:
    """ValueError where a node has not as many operands as one of `counts`, and one result."""
    if len(node.input) not in counts or len(node.output) != 1 or "" in node.input:
        expected = " or ".join(map(str, counts))
        raise ValueError(
            f"expected {expected} operands and one result of {place}, but got "
            f"{len(node.input)} and {len(node.output)}"
        )


class Rewriting:
    """One node, and those that take its place. All have its name, so that their place stays
    readable; the last one has its results."""

    def __init__(self, node):
        self.node, self.nodes = node, []
        self.name = name_of(node)
        self.place = f"{node.op_type} '{self.name}'"
        try:
            self.attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        except ValueError as error:  # of a reference, in several lines
            start = f"expected the attributes of {self.place}, but got: "
            raise ValueError(because(start, error)) from None
        if wrong := RESERVED.intersection(self.attributes):
            raise ValueError(f"expected attributes of {self.place}, but got '{min(wrong)}'")
        self.first = next(name for name in node.output if name)

    def operands(self, *counts: int) -> list[str]:
        """The node's; ValueError where there are not as many as one of `counts`."""
        check_operands(self.node, self.place, *counts)
        return list(self.node.input)

    def emit(self, op: str, *operands: str, result: str = "", **attributes) -> str:
        result = result or f"{self.first}/{self.node.op_type}.{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, operands, [result], name=self.name, **attributes))
        return result

    def constant(self, value, dtype=np.float32) -> str:
        try:
            array = np.array(value, dtype)
        except (TypeError, ValueError):
            text = f"expected numbers as attributes of {self.place}, but got {value!r:.60}"
            raise ValueError(text) from None
        return self.emit("Constant", value=numpy_helper.from_array(array))
