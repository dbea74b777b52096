"""A .tflite file as plain Python objects.

All of it is verified (`verify`) and read before anything is done with it: a file that is damaged,
or whose places and sizes contradict each other, is an error that says so.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field

import numpy as np

from ..common.shapes import UnsupportedOp
from . import options
from .verify import verify

VERSION = 3  # of the schema
IDENTIFIER = b"TFL3"

_DAMAGE = (struct.error, IndexError, ValueError, TypeError, OverflowError, UnicodeError, KeyError)

# The names of element types whose constants are read, as NumPy has them.
_DTYPES = ("float32", "float16", "float64", "int8", "uint8", "int16", "int32", "int64", "bool")
_CONTROL_FLOW = ("IF", "WHILE", "CALL")
_INITIAL = "CALL_ONCE"  # calls a graph that says what variables start with
_WITHOUT_OUTPUTS = (_INITIAL, "ASSIGN_VARIABLE")

# What a shape may have: more is no tensor of a network, but would be computed with.
_MOST_DIMENSIONS, _MOST_ELEMENTS = 8, 2**31


@dataclass
class Tensor:
    """One tensor of the graph. `signature` has -1 where a size is known at run time only. `scale`
    and `zero` are those of codes, one for all or one for each index of `axis`. A variable keeps
    what it holds from one call to the next."""

    name: str
    type: str
    shape: tuple[int, ...]
    signature: tuple[int, ...]
    array: np.ndarray | None = None
    scale: np.ndarray | None = None
    zero: np.ndarray | None = None
    axis: int = 0
    is_variable: bool = False


@dataclass
class Operator:
    """One operator: -1 stands for an operand that is left out. `options` are those of its table by
    name, or of the flexbuffer of a custom one."""

    name: str
    inputs: list[int]
    outputs: list[int]
    custom: bool = False
    options: dict = field(default_factory=dict)


@dataclass
class Graph:
    tensors: list[Tensor]
    operators: list[Operator]
    inputs: list[int]
    outputs: list[int]


@dataclass
class Model(Graph):
    """Its first graph. `size`: of the file, in bytes. `others`: by number, graphs that say what
    variables start with."""

    size: int
    others: dict[int, Graph]


def load(path: str) -> Model:
    with open(path, "rb") as file:
        return parse(file.read(), f"'{path}'")


def parse(content: bytes, what: str = "the model") -> Model:
    """ValueError for a file that is damaged, UnsupportedOp for what is not taken."""
    if content[4:8] != IDENTIFIER:
        raise ValueError(f"expected a TensorFlow Lite model (TFL3), but {what} is none")
    import tflite

    try:
        verify(content)
        return _Reader(content, tflite).read()
    except UnsupportedOp:
        raise
    except _DAMAGE as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ValueError(
            f"expected a whole TensorFlow Lite model, but {what} is damaged: {reason}"
        ) from None


class _Reader:
    def __init__(self, content: bytes, tflite):
        self.content, self.tflite = content, tflite
        self.types = _names(tflite.TensorType)
        self.operators = _names(tflite.BuiltinOperator)
        self.option_types = _names(tflite.BuiltinOptions)

    def read(self) -> Model:
        model = self.tflite.Model.GetRootAsModel(self.content, 0)
        if model.Version() != VERSION:
            raise UnsupportedOp(
                f"expected version {VERSION} of TensorFlow Lite's schema, but got {model.Version()}"
            )
        codes = [self._code(model.OperatorCodes(i)) for i in range(model.OperatorCodesLength())]
        count, names = model.SubgraphsLength(), {name for name, _ in codes}
        flow = sorted(names.intersection(_CONTROL_FLOW))
        if count < 1 or count > 1 and (flow or _INITIAL not in names):
            raise UnsupportedOp(
                "expected one graph, without control flow, but got "
                f"{count}{' with ' * bool(flow)}{', '.join(flow)}"
            )
        first, *others = (self._graph(model, codes, model.Subgraphs(i)) for i in range(count))
        if not first.outputs:
            raise ValueError("it has no outputs")
        return Model(
            first.tensors, first.operators, first.inputs, first.outputs,
            len(self.content), dict(enumerate(others, 1)),
        )  # fmt: skip

    def _graph(self, model, codes, graph) -> Graph:
        tensors = [self._tensor(model, graph.Tensors(i), i) for i in range(graph.TensorsLength())]
        operators = [
            self._operator(codes, graph.Operators(i)) for i in range(graph.OperatorsLength())
        ]
        inputs, outputs = _ints(graph.InputsAsNumpy()), _ints(graph.OutputsAsNumpy())
        read = Graph(tensors, operators, inputs, outputs)
        _check(read)
        return read

    def _code(self, code) -> tuple[str, bool]:
        """The name of an operator, and whether it is a custom one."""
        number = max(code.BuiltinCode(), code.DeprecatedBuiltinCode())
        name = self.operators.get(number, f"operator of number {number}")
        if name != "CUSTOM":
            return name, False
        return _text(code.CustomCode(), "a custom operator"), True

    def _tensor(self, model, t, index: int) -> Tensor:
        name = _text(t.Name(), f"tensor {index}") or f"tensor {index}"
        shape = tuple(_ints(t.ShapeAsNumpy()))
        signature = tuple(_ints(t.ShapeSignatureAsNumpy())) or shape
        if min(shape, default=0) < 0 or len(signature) != len(shape):
            raise ValueError(f"'{name}' has shape {shape} and signature {signature}")
        if len(shape) > _MOST_DIMENSIONS or math.prod(shape) >= _MOST_ELEMENTS:
            raise UnsupportedOp(
                f"expected tensors of up to {_MOST_DIMENSIONS} dimensions and less than 2^31 "
                f"elements, but '{name}' has {len(shape)} and {math.prod(shape)}"
            )
        if t.Sparsity() is not None:
            raise UnsupportedOp(f"expected dense values, but '{name}' is sparse")
        made = Tensor(name, self._type(t.Type()), shape, signature)
        made.is_variable = bool(t.IsVariable())
        quantization = t.Quantization()
        if quantization is not None and quantization.ScaleLength():
            self._quantize(made, quantization)
        made.array = self._array(model, t.Buffer(), made)
        return made

    def _type(self, number: int) -> str:
        return self.types.get(number, f"type {number}").lower()

    @staticmethod
    def _quantize(tensor: Tensor, quantization) -> None:
        tensor.scale = np.array(quantization.ScaleAsNumpy(), np.float32)
        zeros = quantization.ZeroPointAsNumpy() if quantization.ZeroPointLength() else [0]
        tensor.zero = np.array(zeros, np.int64)
        # A tensor of one dimension has one axis, whatever the file says.
        axis = quantization.QuantizedDimension() if len(tensor.shape) != 1 else 0
        tensor.axis = axis
        if not (np.isfinite(tensor.scale).all() and (tensor.scale > 0).all()):
            raise ValueError(f"'{tensor.name}' has a scale that is no positive number")
        if np.abs(tensor.zero).max() > 255:
            raise ValueError(f"'{tensor.name}' has zero points that are no codes")
        if tensor.scale.size > 1 and not (
            0 <= axis < len(tensor.shape)
            and tensor.shape[axis] == tensor.scale.size
            and tensor.zero.size in (1, tensor.scale.size)
        ):
            raise ValueError(
                f"'{tensor.name}' of {list(tensor.shape)} has {tensor.scale.size} scales and "
                f"{tensor.zero.size} zero points of dimension {axis}"
            )

    def _array(self, model, buffer: int, tensor: Tensor) -> np.ndarray | None:
        """A constant's elements, as they lie in the file. Buffer 0 is the empty one of what is
        computed, and so is any without data."""
        if buffer == 0:
            return None
        if not 0 <= buffer < model.BuffersLength():
            raise ValueError(f"'{tensor.name}' has buffer {buffer} of {model.BuffersLength()}")
        stored = model.Buffers(buffer)
        if stored.Offset() > 1:  # of models over 2 GB: behind the flatbuffer
            data = np.frombuffer(self.content, np.uint8, stored.Size(), stored.Offset())
        elif stored.DataLength():
            data = stored.DataAsNumpy()
        elif math.prod(tensor.shape) == 0:
            data = np.empty(0, np.uint8)
        else:
            return None
        if tensor.type not in _DTYPES:
            raise UnsupportedOp(
                f"expected constants of {', '.join(_DTYPES)}, but '{tensor.name}' is {tensor.type}"
            )
        expected = math.prod(tensor.shape) * np.dtype(tensor.type).itemsize
        if len(data) != expected:
            raise ValueError(
                f"'{tensor.name}' of {tensor.type} {list(tensor.shape)} has {len(data)} bytes in "
                f"place of {expected}"
            )
        return data.view(tensor.type).reshape(tensor.shape)

    def _operator(self, codes, op) -> Operator:
        if not 0 <= op.OpcodeIndex() < len(codes):
            raise ValueError(f"operator code {op.OpcodeIndex()} of {len(codes)}")
        name, custom = codes[op.OpcodeIndex()]
        made = Operator(name, _ints(op.InputsAsNumpy()), _ints(op.OutputsAsNumpy()), custom)
        if custom and op.CustomOptionsLength() and name.startswith("Lce"):
            made.options = options.of_flexbuffer(bytes(op.CustomOptionsAsNumpy()))
        elif op.BuiltinOptionsType() and op.BuiltinOptions() is not None:
            cls = getattr(self.tflite, self.option_types.get(op.BuiltinOptionsType(), ""), None)
            if cls is not None:
                made.options = options.of_table(cls, op.BuiltinOptions())
        return made


def _check(graph: Graph) -> None:
    """That places exist, and that each value is computed once, before it is read; a variable may be
    at any time."""
    count = len(graph.tensors)
    variables = {i for i, t in enumerate(graph.tensors) if t.is_variable}
    known = {i for i, t in enumerate(graph.tensors) if t.array is not None} | variables
    for i in graph.inputs:
        _place(i, count, "an input")
        if i in variables:
            raise UnsupportedOp(
                f"expected inputs that are no variables, but got '{graph.tensors[i].name}'"
            )
        if i in known:
            raise ValueError(f"the input '{graph.tensors[i].name}' is there twice, or constant")
        known.add(i)
    for op in graph.operators:
        for i in op.inputs:
            if i == -1:
                continue
            _place(i, count, op.name)
            if i not in known:
                raise ValueError(f"{op.name} reads '{graph.tensors[i].name}' before it is computed")
        for i in op.outputs:
            _place(i, count, op.name)
            if i in known and i not in variables:
                raise ValueError(f"{op.name} computes '{graph.tensors[i].name}', which is known")
            known.add(i)
        if not op.outputs and op.name not in _WITHOUT_OUTPUTS:
            raise ValueError(f"{op.name} has no outputs")
    for i in graph.outputs:
        _place(i, count, "an output")
        if i not in known:
            raise ValueError(f"nothing computes the output '{graph.tensors[i].name}'")


def _place(i: int, count: int, what: str) -> None:
    if not 0 <= i < count:
        raise ValueError(f"{what} has tensor {i} of {count}")


def _text(content: bytes | None, of: str) -> str:
    text = (content or b"").decode()
    if not text.isprintable():
        raise ValueError(f"expected a printable name of {of}, but got {text!a}")
    return text


def _ints(values) -> list[int]:
    return [] if isinstance(values, int) else [int(value) for value in values]


def _names(enum) -> dict[int, str]:
    return {value: name for name, value in vars(enum).items() if isinstance(value, int)}
