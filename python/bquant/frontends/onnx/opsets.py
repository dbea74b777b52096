"""Models of opsets 6 to 12 in the form of opset 13, which everything after this knows alone.

CHANGES is the closed list of what ONNX changed in between: an operator that is not in it means the
same in all of them. Each change takes a node of the opset before it and gives nodes of the opset
that made it, so an `Upsample` of opset 7 goes through four of them:

    Upsample scales=[1, 1, 2, 2]                         opset 7
    Upsample(x, [1, 1, 2, 2])                            opset 9, `scales` is an input
    Resize(x, [1, 1, 2, 2])                              opset 10, its new name
    Resize(x, , [1, 1, 2, 2]), asymmetric                opset 11, places are said by attributes

The new nodes need neither types nor constants: a rank or a size that they depend on is a `Shape`,
which the reader computes.

onnx.version_converter knows most of this. Of what was tried with version 1.23 it gives other values
for `Hardmax`, linear `Upsample` and `Resize`, and sizes that grow in one dimension and shrink in
another; it stops at operators of a domain that no import names, as the first files of QONNX have
them; and it takes a model through a protobuf of at most 2 GB.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import helper, numpy_helper

from ..common.shapes import UnsupportedOp
from .load import Loaded, copy, opset
from .rewriting import Rewriting, replace, rewritten

NEWEST = 13

# Of inputs that were attributes.
INTS, NUMBER = np.int64, np.float32


def upgrade(loaded: Loaded) -> Loaded:
    """The model, and its functions, with ONNX' own operators as opset 13 has them; what is newer is
    left alone."""
    given = loaded.model
    if not any(_is_old(part) for part in (given, *given.functions)):
        return loaded
    model = copy(given)
    _bring(model, model.graph, given.graph.node)
    for function, old in zip(model.functions, given.functions, strict=True):
        _bring(function, function, old.node)
    return dataclasses.replace(loaded, model=model)


def _is_old(part) -> bool:
    """Of a model, or a function, which may have no operators of ONNX' own."""
    return 0 < opset(part) < NEWEST


def _bring(part, graph, given) -> None:
    """A model and its graph, or a function. `given`: the same nodes."""
    if not _is_old(part):
        return
    version = opset(part)
    nodes = rewritten(given, lambda node: None if node.domain else _upgrade(node, version))
    if nodes is not None:
        replace(graph, nodes)
    for imported in part.opset_import:
        if not imported.domain:
            imported.version = NEWEST


def _upgrade(node, version: int) -> list[onnx.NodeProto]:
    nodes = [node]
    for change in CHANGES:
        if change.opset > version:
            nodes = [
                new
                for old in nodes
                for new in (_Step(old).apply(change) if old.op_type in change.operators else [old])
            ]
    return nodes


class _Step(Rewriting):
    """A node on its way to what a change makes of it."""

    def apply(self, change: Change) -> list[onnx.NodeProto]:
        change.write(self)
        return self.nodes

    def take(self, name: str, default=None):
        """An attribute, which the new node has no more."""
        return self.attributes.pop(name, default)

    def write(self, op: str = "", operands: list[str] | None = None) -> None:
        """The last node, with all results and what is left of the attributes."""
        made = helper.make_node(
            op or self.node.op_type,
            self.node.input if operands is None else operands,
            self.node.output,
            name=self.node.name,
            **self.attributes,
        )
        self.nodes.append(made)

    def write_along(self, axis: int) -> None:
        """With ones after the sizes of the second operand, which begin at `axis` of the first."""
        first, second = self.operands(2)
        shape, own = self.emit("Shape", first), self.emit("Shape", second)
        more = self.emit("Sub", self.emit("Shape", shape), self.emit("Shape", own))
        more = self.emit("Sub", more, self.constant([axis], INTS))
        one = numpy_helper.from_array(np.array([1]))
        target = self.emit("Concat", own, self.emit("ConstantOfShape", more, value=one), axis=0)
        self.write(operands=[first, self.emit("Reshape", second, target)])


# Ways to bring a node to its next form.


def to_inputs(**names):
    """Attributes that became inputs, in this order, each of a type; one left out stays out."""

    def write(step: _Step) -> None:
        operands = list(step.node.input)
        for name, dtype in names.items():
            value = step.take(name)
            value = [value] if dtype is INTS and isinstance(value, int) else value
            operands.append("" if value is None else step.constant(value, dtype))
        while operands and not operands[-1]:
            operands.pop()
        step.write(operands=operands)

    return write


def without(name: str):
    """An attribute that says nothing any more."""

    def write(step: _Step) -> None:
        step.take(name)
        step.write()

    return write


def in_test_mode(step: _Step) -> None:
    if not step.take("is_test", 0):
        raise UnsupportedOp(f"expected 1 as is_test of {step.place}, but got 0, which is training")
    step.write()


def renamed(op: str):
    return lambda step: step.write(op)


def broadcast_along_axis(step: _Step) -> None:
    """Sizes are aligned at the end, but for an `axis` at which those of the second operand begin,
    counted from the front."""
    axis, broadcasts = step.take("axis"), step.take("broadcast", 0)
    if axis is None or not broadcasts:
        step.write()
    else:
        step.write_along(axis)


def slope_of_channels(step: _Step) -> None:
    """The slopes of PRelu are those of channels, whose dimension is the second."""
    step.write_along(1)


def scales_of_an_image(step: _Step) -> None:
    height, width = step.take("height_scale"), step.take("width_scale")
    if height is not None and width is not None:
        step.attributes["scales"] = [1.0, 1.0, height, width]
    step.write()


def norm_of_places(step: _Step) -> None:
    """`spatial` = 0: parameters of each place of each channel, with which only the operands of
    elementwise operators can be spread."""
    if step.take("spatial", 1):
        return step.write()
    x, scale, bias, mean, var = step.operands(5)
    epsilon = step.constant(step.take("epsilon", 1e-5))
    step.attributes.clear()
    scale = step.emit("Div", scale, step.emit("Sqrt", step.emit("Add", var, epsilon)))
    shift = step.emit("Sub", bias, step.emit("Mul", mean, scale))
    return step.write("Add", [step.emit("Mul", x, scale), shift])


def resize_by_places(step: _Step) -> None:
    """Places were those of `asymmetric`. The nearest one was that before a place in the middle
    where a dimension grows, and after it where it shrinks: one node each, by scales of at least and
    of at most 1."""
    x, scales = step.operands(2)
    step.attributes["coordinate_transformation_mode"] = "asymmetric"
    if step.attributes.get("mode", b"nearest") != b"nearest":
        return step.write(operands=[x, "", scales])
    one = step.constant(1)
    step.attributes["nearest_mode"] = "floor"
    x = step.emit("Resize", x, "", step.emit("Max", scales, one), **step.attributes)
    step.attributes["nearest_mode"] = "ceil"
    return step.write(operands=[x, "", step.emit("Min", scales, one)])


def over_all_from_axis(step: _Step) -> None:
    """Over all dimensions from `axis` on, as if they were one."""
    (x,), axis = step.operands(1), step.take("axis", 1)
    if axis == -1:
        step.attributes["axis"] = -1
        return step.write()
    whole = step.emit(step.node.op_type, step.emit("Flatten", x, axis=axis), axis=-1)
    return step.write("Reshape", [whole, step.emit("Shape", x)])


@dataclass(frozen=True)
class Change:
    """`opset` is the first one of the new form, which `write` brings a node to."""

    opset: int
    operators: frozenset[str]
    write: Callable[[_Step], None]


def _change(version: int, operators: str, write) -> Change:
    return Change(version, frozenset(operators.split()), write)


BROADCAST = "Add Sub Mul Div Pow And Or Xor Equal Greater Less"

# In the order of opsets. What is not here changed in types alone (`Cast`, `Max`, `MatMul`), by an
# attribute whose default is what was before (`ArgMax`, `AveragePool`, `DepthToSpace`, `GatherND`,
# `MaxPool`, `QuantizeLinear`), by an axis that may be negative (`Concat`, `Flatten`, `Gather`), by
# an operand that may be left out (`Gemm`) or by what broadcasts (`Sum`, `Min`); or, as `Scan`,
# `Loop` and `If`, has graphs of its own, and is refused in every opset.
CHANGES = (
    _change(7, BROADCAST, broadcast_along_axis),
    _change(7, "PRelu", slope_of_channels),
    _change(7, "Gemm", without("broadcast")),
    _change(7, "BatchNormalization Dropout", in_test_mode),
    _change(7, "Upsample", scales_of_an_image),
    _change(9, "BatchNormalization", norm_of_places),
    _change(9, "Upsample", to_inputs(scales=NUMBER)),
    _change(10, "Slice", to_inputs(starts=INTS, ends=INTS, axes=INTS)),
    _change(10, "TopK", to_inputs(k=INTS)),
    _change(10, "Upsample", renamed("Resize")),
    _change(11, "Clip", to_inputs(min=NUMBER, max=NUMBER)),
    _change(11, "Pad", to_inputs(pads=INTS, value=NUMBER)),
    _change(11, "Resize", resize_by_places),
    _change(11, "Scatter", renamed("ScatterElements")),
    _change(12, "Dropout", to_inputs(ratio=NUMBER)),
    _change(13, "ReduceSum Squeeze Unsqueeze", to_inputs(axes=INTS)),
    _change(13, "Split", to_inputs(split=INTS)),
    _change(13, "Softmax LogSoftmax Hardmax", over_all_from_axis),
)
