"""Writes programs as ONNX models. Columns are Python calls of operators by their names,

    Conv(x, f.by('okpq'), strides=[s, t])

where lists and numbers are constants of int64, and several results are asked for by `outputs`.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .grammar import Reject, known

# Of a program one, by its seed.
OPSETS = (21, 21, 18, 13)
ELEMENTS = {
    "f32": TensorProto.FLOAT,
    "i32": TensorProto.INT32,
    "i64": TensorProto.INT64,
    "i1": TensorProto.BOOL,
    "u8": TensorProto.UINT8,
    "i8": TensorProto.INT8,
}
DOMAINS = {"": None, "com.microsoft": 1, "qonnx.custom_op.general": 1}
UNARY = {
    "abs": "Abs", "neg": "Neg", "round": "Round", "floor": "Floor", "ceil": "Ceil", "sqrt": "Sqrt",
    "exp": "Exp", "tanh": "Tanh",
}  # fmt: skip
BINARY = {
    "add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "minimum": "Min", "maximum": "Max",
    "oge": "GreaterOrEqual", "ogt": "Greater", "ole": "LessOrEqual", "olt": "Less", "oeq": "Equal",
}  # fmt: skip
OPERATIONS = {*UNARY, *BINARY, "une", "where", "cast", "number", "operand"}


def _has_codes(operands):
    return any(isinstance(o, np.generic) and o.dtype == np.uint8 for o in operands)


class Operand:
    """A tensor as a column sees it."""

    def __init__(self, writer, name, value=None, dims=None, shape=None):
        self.writer, self.name, self.value, self.dims = writer, name, value, dims
        self.shape = tuple(value.shape if shape is None else shape)

    def by(self, letters):
        """In another order of the dimensions that the signature has."""
        order = [self.dims.index(letter) for letter in letters]
        if order == sorted(order):
            return self
        shape = [self.shape[i] for i in order]
        if self.value.array is not None and not self.value.hidden:
            return Operand(
                self.writer, self.writer.constant(self.value.array.transpose(order)), shape=shape
            )
        return Operand(self.writer, self.writer.node("Transpose", self, perm=order), shape=shape)


class Names(dict):
    """What is no name is an operator."""

    def __init__(self, writer, names):
        super().__init__(names)
        self.writer = writer

    def __missing__(self, name):
        if not name[0].isupper():
            raise KeyError(name)
        return lambda *operands, **attributes: self.writer.node(name, *operands, **attributes)


class Writer:
    """One model. `dynamic`: the batch has no size."""

    def __init__(self, program, dynamic=False):
        self.program, self.dynamic = program, dynamic
        self.opset = OPSETS[program.seed % len(OPSETS)]
        self.nodes, self.initializers, self.names = [], [], {}
        self.next = 0

    # What columns use.

    def new(self, hint="t"):
        self.next += 1
        return f"{hint}_{self.next}"

    def constant(self, array):
        name = self.new("c")
        self.initializers.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def node(self, op, *operands, outputs=1, domain="", **attributes):
        if not domain:
            self._check_version(op)
        if op in {"Add", "Mul", "Sub"} and self.opset < 14 and _has_codes(operands):
            raise Reject
        if op == "GroupNormalization" and self.opset < 21:  # a scale for each group
            raise Reject
        names = [self._name(operand) for operand in operands]
        results = [self.new() for _ in range(outputs)]
        self.nodes.append(helper.make_node(op, names, results, domain=domain, **attributes))
        return results[0] if outputs == 1 else results

    def _check_version(self, op):
        try:
            onnx.defs.get_schema(op, self.opset)
        except onnx.defs.SchemaError:
            raise Reject from None

    def _name(self, operand):
        if operand is None or isinstance(operand, str):
            return operand or ""
        if isinstance(operand, Operand):
            return operand.name
        if isinstance(operand, np.ndarray | np.generic):
            return self.constant(np.asarray(operand))
        if isinstance(operand, float):
            return self.constant(np.float32(operand))
        return self.constant(np.asarray(operand, np.int64))

    def reduce(self, op, x, axes, keepdims=0):
        """Axes were an attribute before opset 18, but of ReduceSum."""
        if self.opset >= 18 or op == "ReduceSum":
            return self.node(op, x, list(axes), keepdims=keepdims)
        return self.node(op, x, axes=list(axes), keepdims=keepdims)

    def batched(self, y, *sizes):
        """A shape whose first size is that of the batch."""
        shape = list(sizes or y.shape)
        if self.dynamic and y.value.batched:
            shape[0] = -1
        return shape

    # Programs.

    def write(self):
        program = self.program
        for value in program.arguments:
            self.names[value] = value.name
        for step in program.steps:
            if step.expression is not None:
                result = self._write_expression(step)
            else:
                result = self._write_row(step)
            if result not in {name for node in self.nodes for name in node.output}:
                raise Reject  # the expression is one of its operands
            self.names[step.result] = result
        inputs = [self._info(value) for value in program.arguments]
        for value in program.results:
            if value in program.arguments:
                self.names[value] = self.node("Identity", self.names[value])
        graph = helper.make_graph(
            self.nodes,
            f"p{program.seed}",
            inputs,
            [self._info(value) for value in program.results],
            self.initializers,
        )
        used = {"", *(node.domain for node in self.nodes)}
        imports = [helper.make_opsetid(d, DOMAINS[d] or self.opset) for d in sorted(used)]
        model = helper.make_model(graph, opset_imports=imports, ir_version=10)
        return model.SerializeToString()

    def _info(self, value):
        shape = list(value.shape)
        if self.dynamic and value.batched:
            shape[0] = "N"
        return helper.make_tensor_value_info(self.names[value], ELEMENTS[value.kind], shape)

    def operand(self, value, dims=None):
        if value not in self.names:
            self.names[value] = value.name
            self.initializers.append(numpy_helper.from_array(value.array, value.name))
        return Operand(self, self.names[value], value, dims)

    def _write_row(self, step):
        row = self.program.level.row(step.name)
        names = dict(step.letters)
        for operand in row.operands:
            value = step.operands[operand.name]
            names[operand.name] = self.operand(value, self.program._dims(operand))
        names["y"] = Operand(self, "", step.result)
        names |= {"reduce": self.reduce, "batched": self.batched, "node": self.node}
        names |= {"np": np, "tensor": numpy_helper.from_array, "known": known}
        return eval(step.template.strip(), {}, Names(self, names))

    # Expressions of each element.

    def _write_expression(self, step):
        rank = len(step.result.shape)
        channel = self.program.channel_dim(step.result)
        operands = {}
        for name, value in step.operands.items():
            operand = self.operand(value)
            if len(value.shape) < rank and channel < rank - 1:
                behind = rank - 1 - channel
                operand = self._column(operand, behind)
            operands[name] = operand
        return Elements(self, step.form, operands).emit(step.expression)

    def _column(self, operand, behind):
        """With ones behind, so that it is one of channels."""
        shape = (*operand.shape, *[1] * behind)
        value = operand.value
        if value.array is not None and not value.hidden:
            return Operand(self, self.constant(value.array.reshape(shape)), shape=shape)
        return Operand(self, self.node("Reshape", operand, list(shape)), shape=shape)


class Elements:
    """`form`: "whole" has numbers of no dimension, "apart" of one; "fused" takes an operator for
    several nodes where there is one."""

    def __init__(self, writer, form, operands):
        self.writer, self.form, self.operands = writer, form, operands

    def emit(self, node):
        if self.form == "fused" and (fused := self._fused(node)):
            return fused
        if node.op == "number":
            return self._number(node.value)
        if node.op == "operand":
            return self.operands[node.value].name
        args = [self.emit(arg) for arg in node.args]
        if node.op == "where":
            return self.writer.node("Where", *args)
        if node.op == "cast":
            return self.writer.node("Cast", *args, to=TensorProto.FLOAT)
        if node.op == "une":
            return self.writer.node("Not", self.writer.node("Equal", *args))
        return self.writer.node((UNARY | BINARY)[node.op], *args)

    def _number(self, value):
        array = np.full((1,) if self.form == "apart" else (), value, np.float32)
        return self.writer.constant(array)

    def _fused(self, node):
        match node.op, [arg.op for arg in node.args]:
            case "minimum", ["maximum", "number"]:
                inner, high = node.args
                x, low = inner.args
                if low.op == "number":
                    bounds = self._number(low.value), self._number(high.value)
                    return self.writer.node("Clip", self.emit(x), *bounds)
            case "maximum", ["operand", "number"] if node.args[1].value == 0:
                return self.writer.node("Relu", self.emit(node.args[0]))
        return None
