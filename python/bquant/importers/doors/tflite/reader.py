"""Reads a TensorFlow Lite model and writes MLIR on tensors, in TFLite's own layout (NHWC).

The file says the shape of every tensor. A size that it knows at run time only is that of the batch,
for which it has 1. What depends on constants and shapes alone is computed in NumPy
(`shapes.FOLDED`). Codes of int8 and uint8 are floats on their values, rounded to these behind each
operator (`quantized`); packed words of Larq's operators are signs (`lce`).
"""

from __future__ import annotations

import numpy as np

from ... import UnsupportedOp, mlir
from ...budget import Budget
from ...linalg.context import Context
from ...shapes import Batch, TensorType
from . import elementwise, lce, load, pooling, products, quantized, shapes  # noqa: F401
from .context import LOWERINGS, Lite, Op

ELEMENTS = {"FLOAT32": "f32", "BOOL": "i1", "INT32": "i32", "INT64": "i64"}
# What moves elements, and so keeps their codes.
MOVES = {
    "RESHAPE", "SQUEEZE", "EXPAND_DIMS", "TRANSPOSE", "SPLIT", "SPLIT_V", "SLICE", "STRIDED_SLICE",
    "MAX_POOL_2D", "UNPACK", "GATHER", "TILE", "BROADCAST_TO", "DEPTH_TO_SPACE", "SPACE_TO_DEPTH",
}  # fmt: skip
KNOWN = {"SHAPE", "RANK"}


def import_file(path: str, name: str = "forward") -> mlir.Program:
    return _Importer(load.load(path)).run(name)


def import_bytes(content: bytes, name: str = "forward") -> mlir.Program:
    return _Importer(load.parse(content)).run(name)


class _Importer:
    def __init__(self, model: load.Model):
        self.model = model
        self.writer = mlir.Writer()
        self.values: dict[int, Lite | None] = {-1: None}
        self.channels: dict[int, int] = {}  # of tensors of packed words
        self.arguments: list[mlir.Value] = []

    def run(self, name: str) -> mlir.Program:
        model = self.model
        unknown = [
            f"{'custom operator ' if op.custom else ''}{op.name} (operator {i})"
            for i, op in enumerate(model.operators)
            if op.name not in LOWERINGS and op.name not in KNOWN
        ]
        if unknown:
            raise UnsupportedOp(f"unsupported operators: {', '.join(unknown)}")
        self.budget = Budget(sum(t.array.nbytes for t in model.tensors if t.array is not None))
        self._find_channels()
        for i, tensor in enumerate(model.tensors):
            if tensor.array is not None:
                self.values[i] = self._constant(tensor)
        for i in model.inputs:
            self.values[i] = self._input(model.tensors[i])
        for i, op in enumerate(model.operators):
            self._operator(op, f"{op.name} (operator {i})")
        return self.writer.finish(name, self.arguments, [self._output(i) for i in model.outputs])

    # What the graph begins and ends with.

    def _find_channels(self) -> None:
        """Of packed words, whose shape has the words."""
        for op in self.model.operators:
            if op.name == "LceQuantize":
                source = self.model.tensors[op.inputs[0]]
                self.channels[op.outputs[0]] = source.shape[-1]
            elif op.name == "LceBMaxPool2d":
                self.channels[op.outputs[0]] = self.channels.get(op.inputs[0], 0)
            elif op.name == "LceBconv2d":
                self.channels.setdefault(op.inputs[0], op.options.get("channels_in", 0))
                if self.model.tensors[op.outputs[0]].type == "INT32":
                    filters = self.model.tensors[op.inputs[1]]
                    self.channels[op.outputs[0]] = filters.shape[0]

    def _type(self, index: int) -> TensorType:
        """In the program: codes and words are floats, and a size that is not known is the batch."""
        tensor = self.model.tensors[index]
        sizes: list[int | Batch] = list(tensor.shape)
        if -1 in tensor.signature[1:]:
            raise UnsupportedOp(
                f"expected static sizes but for the leading dimension, but '{tensor.name}' has "
                f"{list(tensor.signature)}"
            )
        if -1 in tensor.signature:
            sizes[0] = Batch(tensor.shape[0])
        if index in self.channels:
            sizes[-1] = self.channels[index]
            return TensorType(tuple(sizes))
        if tensor.type in quantized.CODES and tensor.scale is not None:
            return TensorType(tuple(sizes))
        if tensor.type not in ELEMENTS:
            raise UnsupportedOp(
                "expected float32, bool, int32, int64 or quantized int8 and uint8, but "
                f"'{tensor.name}' is {tensor.type}"
            )
        return TensorType(tuple(sizes), ELEMENTS[tensor.type])

    def _constant(self, tensor: load.Tensor) -> Lite:
        array = tensor.array
        if tensor.scale is not None and array.dtype.kind in "iu" and array.dtype != np.int64:
            array = quantized.decode(tensor)
        elif array.dtype == np.float16:
            array = array.astype(np.float32)
        element = {"f": "f32", "b": "i1"}.get(array.dtype.kind, f"i{8 * array.dtype.itemsize}")
        if array.dtype == np.float32 and np.isnan(array).any():
            raise ValueError(f"expected numbers in '{tensor.name}', but got nan")
        return Lite(tuple(array.shape), element, constant=array, hint=tensor.name, tensor=tensor)

    def _input(self, tensor: load.Tensor) -> Lite:
        index = self.model.tensors.index(tensor)
        type_ = self._type(index)
        is_coded = quantized.is_coded(tensor)
        element = {"UINT8": "ui8", "INT8": "i8"}[tensor.type] if is_coded else type_.element
        argument = mlir.Value(f"%arg{len(self.arguments)}", TensorType(type_.shape, element))
        self.arguments.append(argument)
        if type_.shape and isinstance(type_.shape[0], Batch):
            self.writer.take_batch(argument)
        value = argument
        if is_coded:
            with self.writer.at(tensor.name):
                value = quantized.from_argument(Context(self.writer, type_), argument, tensor)
        return Lite(type_.shape, type_.element, value=value, tensor=tensor)

    def _output(self, index: int) -> mlir.Value:
        tensor, operand = self.model.tensors[index], self.values[index]
        if tensor.type == "UINT8" or index in self.channels:
            raise UnsupportedOp(
                f"expected outputs of float32, int8, int32, int64 or bool, but '{tensor.name}' is "
                f"{'packed words' if index in self.channels else tensor.type}"
            )
        c = Context(self.writer, self._type(index))
        with self.writer.at(tensor.name):
            if quantized.is_coded(tensor):
                return quantized.to_result(c, operand, tensor)
            return c.value(operand)

    # Operators.

    def _operator(self, operator: load.Operator, place: str) -> None:
        operands = [self.values[i] for i in operator.inputs]
        while operands and operands[-1] is None:
            operands.pop()
        tensors = [self.model.tensors[i] for i in operator.outputs]
        try:
            if operator.name in KNOWN:
                self._of_shape(operator, operands[0], tensors[0])
                return
            types = [self._type(i) for i in operator.outputs]
            op = Op(operator, self.writer, types, tensors)
            if self._fold(op, operands, operator):
                return
            self._check(op, operands)
            with self.writer.at(tensors[0].name):
                results = LOWERINGS[operator.name](op, *operands)
                results = results if isinstance(results, list) else [results]
                for i, result, tensor in zip(operator.outputs, results, tensors, strict=True):
                    self.values[i] = self._result(op, operator, result, tensor)
        except UnsupportedOp as error:
            raise UnsupportedOp(f"{place}: {error}") from None
        except (TypeError, ValueError, LookupError, ArithmeticError) as error:
            raise ValueError(f"expected a valid {place}, but got: {error}") from None

    def _check(self, op: Op, operands) -> None:
        """Of constants that depend on the size of the batch, only shapes whose leading dimension
        does."""
        name = op.operator.name
        for place, operand in enumerate(operands):
            if operand is None or operand.doubled is None:
                continue
            shape, doubled = (a.reshape(-1).tolist() for a in (operand.constant, operand.doubled))
            if _SHAPED.get(name) != place or shape[1:] != doubled[1:]:
                raise UnsupportedOp("expected values that do not depend on the size of the batch")

    def _result(self, op: Op, operator, result, tensor) -> Lite:
        activation = operator.options.get("FusedActivationFunction", 0)
        if quantized.is_coded(tensor) and (operator.name not in MOVES or activation):
            result = quantized.to_codes(op.context(result.shape), result, tensor)
        if isinstance(result, Lite):
            return result
        return Lite(tuple(result.shape), result.type.element, value=result, tensor=tensor)

    def _of_shape(self, operator, x: Lite, tensor) -> None:
        def known(times: int) -> np.ndarray:
            shape = [times * d.rows if isinstance(d, Batch) else d for d in x.shape]
            return np.array(shape if operator.name == "SHAPE" else len(shape), np.int32)

        self._know(operator, known(1), known(2), tensor, tensor.name)

    def _know(self, operator, array, doubled, tensor, hint: str, element: str = "i32") -> None:
        """That a result is a constant, for a batch of the file's size and one of twice that."""
        self.values[operator.outputs[0]] = Lite(
            tuple(array.shape), element, constant=array, hint=hint, tensor=tensor,
            doubled=None if np.array_equal(array, doubled) else doubled,
        )  # fmt: skip

    def _fold(self, op: Op, operands, operator) -> bool:
        """Whether the result is computed here: of constants."""
        if operator.name not in shapes.FOLDED or not operands:
            return False
        if any(operand is None or operand.constant is None for operand in operands):
            return False
        arrays = [operand.constant for operand in operands]
        self.budget.take(
            4 * shapes.size_of(op.tensors[0].shape), sum(a.nbytes for a in arrays), operator.name
        )
        fold = shapes.FOLDED[operator.name]
        array = doubled = np.asarray(fold(op, *arrays))
        if any(operand.doubled is not None for operand in operands):
            doubled = np.asarray(
                fold(op, *(o.constant if o.doubled is None else o.doubled for o in operands))
            )
        self._know(operator, array, doubled, op.tensors[0], operands[0].hint, op.types[0].element)
        return True


# Operators whose results' shapes the file says, whatever their operands do: each with the operand
# that says it too.
_SHAPED = {
    "RESHAPE": 1, "FILL": 0, "BROADCAST_TO": 1, "TILE": 1, "RESIZE_BILINEAR": 1,
    "RESIZE_NEAREST_NEIGHBOR": 1, "TRANSPOSE_CONV": 0,
}  # fmt: skip
