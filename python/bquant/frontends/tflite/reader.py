"""Reads a TensorFlow Lite model and writes MLIR on tensors, in TFLite's own layout (NHWC).

The file says the shape of every tensor. A leading size that it knows at run time only is that of
the batch, for which it has 1. What depends on constants and shapes alone is computed in NumPy
(`folding`). Codes of int8 and uint8 are bytes, and floats where an operator computes with what they
stand for (`quantized`, `integers`); packed words of Larq's operators are signs (`lce`). What
variables hold from one call to the next comes in behind the inputs and goes out behind the outputs
(`variables`).
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ..common import mlir, names
from ..common.importer import INVALID, GraphImporter
from ..common.messages import listed
from ..common.operators.context import Context
from ..common.shapes import Batch, TensorType, UnsupportedOp
from ..common.table import TFLITE
from . import (  # noqa: F401  (they fill TFLITE)
    elementwise,
    folding,
    integers,
    lce,
    load,
    places,
    pooling,
    products,
    quantized,
    resize,
    shapes,
    svdf,
    variables,
)
from .context import Lite, Op

ELEMENTS = {"float32": "f32", "bool": "i1", "int32": "i32", "int64": "i64"}

KNOWN = {"SHAPE", "RANK"}

# Operators that may be given a shape that depends on the size of the batch, and the operand it is.
SHAPED = {
    "RESHAPE": 1, "FILL": 0, "BROADCAST_TO": 1, "TRANSPOSE_CONV": 0,
}  # fmt: skip

# Bytes of a constant for each one of the file: a word of 32 signs becomes 32 floats.
UNPACKED = 32


def import_file(path: str) -> mlir.Program:
    return _Importer(load.load(path)).run(names.function_name(names.of_file(path)))


def import_bytes(content: bytes) -> mlir.Program:
    return _Importer(load.parse(content)).run(names.FALLBACK)


class _Importer(GraphImporter):
    def __init__(self, model: load.Model):
        super().__init__(model.size * UNPACKED // 8)
        self.model = model
        self.values: dict[int, Lite | None] = {-1: None}
        self.channels: dict[int, int] = {}  # of words that are signs here
        self.converted: dict[tuple[int, int | None], Lite] = {}  # words to signs, signs to words

    def run(self, name: str) -> mlir.Program:
        model = self.model
        unknown = [
            f"{'custom operator ' if op.custom else ''}{op.name} (operator {i})"
            for i, op in enumerate(model.operators)
            if not (op.name in TFLITE or op.name in KNOWN or op.name in variables.OPERATORS)
        ]
        if unknown:
            raise UnsupportedOp(listed("unsupported operators: ", unknown))
        self.variables = variables.Variables(model)
        # A state is that of one batch, which then has the size that the file says.
        self.has_batch = not self.variables.written and any(
            model.tensors[i].signature[:1] == (-1,) for i in model.inputs
        )
        for i in model.inputs:
            self.values[i] = self._input(i)
        for i, op in enumerate(model.operators):
            self._operator(op, f"{op.name} (operator {i})")
        results = [self._output(i, self._plain(i)) for i in model.outputs]
        states = []
        for variable in self.variables.states:
            states.append(mlir.State(variable.name, variable.initial))
            results.append(self._output(variable.tensor, variable.value))
        return self.writer.finish(name, self.arguments, results, states)

    def _type(self, index: int) -> TensorType:
        """In the program: codes and words are floats."""
        tensor = self.model.tensors[index]
        sizes = self._sizes(tensor)
        if index in self.channels:
            return TensorType((*sizes[:-1], self.channels[index]))
        if quantized.is_coded(tensor):
            return TensorType(sizes)
        if tensor.type == "int16" and tensor.is_variable:
            return TensorType(sizes, "i16")  # the memory of SVDF
        if tensor.type not in ELEMENTS:
            raise UnsupportedOp(
                "expected float32, bool, int32, int64 or quantized int8 and uint8, but "
                f"'{tensor.name}' is {tensor.type}"
            )
        return TensorType(sizes, ELEMENTS[tensor.type])

    def _sizes(self, tensor: load.Tensor) -> tuple[int | Batch, ...]:
        sizes: list[int | Batch] = list(tensor.shape)
        if -1 in tensor.signature[1:]:
            raise UnsupportedOp(
                f"expected static sizes but for the leading dimension, but '{tensor.name}' has "
                f"{list(tensor.signature)}"
            )
        if 0 in sizes:
            raise UnsupportedOp(f"expected elements in '{tensor.name}', but got {sizes}")
        if -1 in tensor.signature and self.has_batch:
            sizes[0] = Batch(tensor.shape[0])
        return tuple(sizes)

    # What the graph begins and ends with.

    def _value(self, index: int) -> Lite | None:
        if index != -1 and self.model.tensors[index].is_variable:
            return self._read(self.variables.of_tensor(index), index)
        if index not in self.values:
            self.values[index] = self._constant(self.model.tensors[index])
        return self.values[index]

    def _plain(self, index: int) -> Lite | None:
        """Words as words."""
        value = self._value(index)
        if index not in self.channels:
            return value
        if (index, None) not in self.converted:
            c = Context(self.writer, TensorType(self._sizes(self.model.tensors[index]), "i32"))
            words = lce.to_words(c, value)
            self.converted[index, None] = Lite(
                words.shape, "i32", value=words, tensor=self.model.tensors[index]
            )
        return self.converted[index, None]

    def _signs(self, index: int, operator: load.Operator) -> Lite:
        """Words as the signs that one of Larq's operators takes them for."""
        tensor = self.model.tensors[index]
        channels = lce.channels_read(operator, tensor, self.model.tensors[operator.outputs[0]])
        if index in self.channels and operator.name == "LceBMaxPool2d":
            channels = self.channels[index]
        lce.check_words(tensor, channels)
        if self.channels.get(index) == channels:
            return self._value(index)
        if (index, channels) not in self.converted:
            c = Context(self.writer, TensorType((*self._sizes(tensor)[:-1], channels)))
            signs = lce.to_signs(c, self._plain(index))
            self.converted[index, channels] = Lite(signs.shape, "f32", value=signs, tensor=tensor)
        return self.converted[index, channels]

    def _operand(self, operator: load.Operator, place: int, index: int) -> Lite | None:
        if place == 0 and index != -1 and operator.name in lce.READERS:
            return self._signs(index, operator)
        return self._plain(index)

    def _read(self, variable: variables.Variable, index: int) -> Lite:
        """What a variable holds at the moment, as a value of that tensor."""
        if variable.value is None:
            tensor = self.model.tensors[index]
            variable.begin(index, tensor)
            if variable.is_written:
                variable.value = self._input(index)
                self.variables.states.append(variable)
            else:
                variable.value = self._constant(dataclasses.replace(tensor, array=variable.initial))
        return variable.value

    def _constant(self, tensor: load.Tensor) -> Lite:
        array = tensor.array
        if array is None:
            raise UnsupportedOp(f"expected a value, but '{tensor.name}' is a {tensor.type}")
        if tensor.scale is not None and array.dtype in (np.int8, np.uint8, np.int32):
            self.budget.take(4 * array.size, 0, f"'{tensor.name}'")
            array = quantized.decode(tensor)
        elif array.dtype == np.float16:
            self.budget.take(4 * array.size, 0, f"'{tensor.name}'")
            array = array.astype(np.float32)
        if array.dtype == np.float32 and np.isnan(array).any():
            raise ValueError(f"expected numbers in '{tensor.name}', but got nan")
        element = {"f": "f32", "b": "i1"}.get(array.dtype.kind, f"i{8 * array.dtype.itemsize}")
        return Lite(tuple(array.shape), element, constant=array, hint=tensor.name, tensor=tensor)

    def _input(self, index: int) -> Lite:
        tensor = self.model.tensors[index]
        shape = self._sizes(tensor)
        if tensor.type in quantized.ELEMENTS:  # of a scale, or whole numbers
            type_, element = TensorType(shape), quantized.ELEMENTS[tensor.type]
        else:
            type_ = self._type(index)
            element = type_.element
        argument = self.argument(TensorType(shape, element))
        value, c = argument, Context(self.writer, type_)
        with self.writer.at(tensor.name):
            if tensor.type in quantized.ELEMENTS:
                return quantized.of_argument(self.writer, argument, tensor)
            if index in self.channels:
                value = lce.from_argument(c, argument)
        return Lite(type_.shape, type_.element, value=value, tensor=tensor)

    def _output(self, index: int, operand: Lite) -> mlir.Value:
        tensor = self.model.tensors[index]
        with self.writer.at(tensor.name):
            if quantized.is_coded(tensor):
                return quantized.to_result(self.writer, operand, tensor)
            c = Context(self.writer, TensorType(operand.shape, operand.element))
            return c.value(operand)

    # Operators.

    def _operator(self, operator: load.Operator, place: str) -> None:
        with self.node(place, invalid=INVALID):
            if operator.name in variables.OPERATORS:
                self._variable(operator)
                return
            operands = [self._operand(operator, *given) for given in enumerate(operator.inputs)]
            while operands and operands[-1] is None:
                operands.pop()
            if operator.name in KNOWN:
                self._of_shape(operator, operands[0])
                return
            for i in operator.outputs:
                channels = lce.channels_written(operator, operands, self.model.tensors[i])
                if channels is not None:
                    lce.check_words(self.model.tensors[i], channels)
                    self.channels[i] = channels
            types = [self._batched(operator, operands, self._type(i)) for i in operator.outputs]
            tensors = [self.model.tensors[i] for i in operator.outputs]
            op = Op(operator, self.writer, types, tensors)
            if folding.can(op, operands):
                self._fold(op, operands)
                return
            self._check(op, operands)
            with self.writer.at(tensors[0].name):
                results = self._written(op, operands)
                if operator.name == "SVDF":
                    *results, state = results
                    self.variables.of_tensor(operator.inputs[svdf.STATE]).value = state
                made = zip(operator.outputs, results, types, tensors, strict=True)
                for i, result, type_, tensor in made:
                    value = self._result(op, operands, result, type_, tensor)
                    if tensor.is_variable:
                        variable = self.variables.of_tensor(i)
                        variable.begin(i, tensor)
                        variable.value = value
                    self.values[i] = value

    @staticmethod
    def _written(op: Op, operands) -> list:
        write = TFLITE[op.name].write
        if quantized.moves_codes(op, operands):
            results = quantized.move(op, operands, write)
        elif (results := integers.write(op, operands)) is None:
            results = write(op, *operands)
            # What an operator fuses is part of its arithmetic where that is one of codes.
            is_code = isinstance(results, Lite) and results.tensor is op.tensors[0]
            if not is_code and not isinstance(results, list):
                results = elementwise.activate(op, results, op.activation)
        return results if isinstance(results, list) else [results]

    def _variable(self, operator: load.Operator) -> None:
        if operator.name not in ("READ_VARIABLE", "ASSIGN_VARIABLE"):
            return  # names one, or what it starts with, which is known
        variable = self.variables.of_handle(operator.inputs[0])
        if operator.name == "READ_VARIABLE":
            (index,) = operator.outputs
            value = self._read(variable, index)
        else:
            index, value = operator.inputs[1], self._plain(operator.inputs[1])
        variable.begin(index, self.model.tensors[index])
        if operator.name == "READ_VARIABLE":
            self.values[index] = value
        else:
            variable.value = value

    @staticmethod
    def _batched(operator, operands, type_: TensorType) -> TensorType:
        """The type of a result whose leading size is the batch: how many times that, the file does
        not say. A reshape keeps the elements, all else the leading size."""
        if not type_.shape or not isinstance(type_.shape[0], Batch):
            return type_
        sources = [o.shape for o in operands if o is not None and o.constant is None]
        sizes = [s[0] for s in sources if s and isinstance(s[0], Batch)]
        if operator.name == "RESHAPE" and sizes:
            leading = math.prod(sources[0]) // math.prod(type_.shape[1:])
        else:
            leading = sizes[0] if sizes else type_.shape[0]
        return TensorType((leading, *type_.shape[1:]), type_.element)

    def _check(self, op: Op, operands) -> None:
        """Of constants that depend on the size of the batch, only shapes whose leading dimension
        does; and that lists of places are no larger than the file allows."""
        name = op.operator.name
        for operand in operands:
            if name != "SVDF" and operand is not None and operand.element == "i16":
                raise UnsupportedOp("expected other values than int16")
        for place, operand in enumerate(operands):
            if operand is None or operand.doubled is None:
                continue
            shape, doubled = (a.reshape(-1).tolist() for a in (operand.constant, operand.doubled))
            if SHAPED.get(name) != place or shape[1:] != doubled[1:]:
                raise UnsupportedOp("expected values that do not depend on the size of the batch")
        if name in shapes.BY_PLACES:
            sizes = [size for type_ in op.types for size in type_.shape if isinstance(size, int)]
            self.budget.take(64 * sum(sizes), 0, f"lists of places of {name}")
        elif name == "LceBconv2d" and len(operands) > 1 and operands[1] is not None:
            self.budget.take(UNPACKED * operands[1].constant.nbytes, 0, "filters")

    def _result(self, op: Op, operands, result, type_: TensorType, tensor: load.Tensor) -> Lite:
        if tuple(result.shape) != type_.shape:
            raise ValueError(
                f"a result of {_show(result.shape)}, where '{tensor.name}' is {_show(type_.shape)}"
            )
        if isinstance(result, Lite) and result.tensor is tensor:
            return result
        if quantized.is_coded(tensor) and not quantized.keeps_codes(op, operands):
            codes = quantized.rounded(op.context(result.shape), result, tensor)
            return quantized.of_codes(self.writer, codes, tensor)
        element = result.element if isinstance(result, Lite) else result.type.element
        if element != type_.element:
            raise UnsupportedOp(
                f"expected a result of {element}, but '{tensor.name}' is {type_.element}"
            )
        if isinstance(result, Lite):
            return dataclasses.replace(result, tensor=tensor)
        return Lite(type_.shape, element, value=result, tensor=tensor)

    # What is known while importing.

    def _of_shape(self, operator, x: Lite) -> None:
        tensor = self.model.tensors[operator.outputs[0]]

        def known(times: int) -> np.ndarray:
            shape = [times * d.rows if isinstance(d, Batch) else d for d in x.shape]
            number = shape if operator.name == "SHAPE" else len(shape)
            return np.array(number, tensor.type).reshape(tensor.shape)

        if tensor.type not in ("int32", "int64"):
            raise ValueError(f"sizes of {tensor.type}")
        self._know(operator.outputs[0], known(1), known(2), tensor.name)

    def _fold(self, op: Op, operands) -> None:
        tensor = op.tensors[0]
        have = sum(operand.constant.nbytes for operand in operands)
        self.budget.take(8 * math.prod(tensor.shape), have, f"'{tensor.name}'")
        array = doubled = folding.fold(op, [operand.constant for operand in operands])
        if array.shape != tensor.shape:
            raise ValueError(
                f"a result of {list(array.shape)}, where '{tensor.name}' is {list(tensor.shape)}"
            )
        if any(operand.doubled is not None for operand in operands):
            doubled = folding.fold(
                op, [o.constant if o.doubled is None else o.doubled for o in operands]
            )
        self._know(op.operator.outputs[0], array, doubled, operands[0].hint)

    def _know(self, index: int, array, doubled, hint: str) -> None:
        """That a result is a constant, for a batch of the file's size and one of twice that."""
        tensor = self.model.tensors[index]
        self.values[index] = Lite(
            tuple(array.shape), self._type(index).element, constant=array, hint=hint,
            tensor=tensor, doubled=None if np.array_equal(array, doubled) else doubled,
        )  # fmt: skip


def _show(shape) -> str:
    return f"[{', '.join(map(str, shape))}]"
