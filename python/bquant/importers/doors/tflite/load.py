"""A .tflite file as plain Python objects.

All of it is read before anything is done with it: every table, vector and string lies inside of the
file, or the file is damaged, with a line that says so.
"""

from __future__ import annotations

import inspect
import struct
from dataclasses import dataclass, field

import numpy as np

from ... import UnsupportedOp

VERSION = 3  # of the schema
IDENTIFIER = b"TFL3"

_DAMAGE = (struct.error, IndexError, ValueError, TypeError, OverflowError, UnicodeError, KeyError)

# TFLite's names of element types to NumPy's.
_DTYPES = {
    "FLOAT32": np.float32,
    "FLOAT16": np.float16,
    "FLOAT64": np.float64,
    "INT8": np.int8,
    "UINT8": np.uint8,
    "INT16": np.int16,
    "INT32": np.int32,
    "INT64": np.int64,
    "BOOL": np.bool_,
}


@dataclass
class Tensor:
    """One tensor of the graph. `signature` has -1 where a size is known at run time only. `scale`
    and `zero` are those of codes, one for all or one for each index of `axis`."""

    name: str
    type: str
    shape: tuple[int, ...]
    signature: tuple[int, ...]
    array: np.ndarray | None = None
    scale: np.ndarray | None = None
    zero: np.ndarray | None = None
    axis: int = 0


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
class Model:
    tensors: list[Tensor]
    operators: list[Operator]
    inputs: list[int]
    outputs: list[int]


def load(path: str) -> Model:
    with open(path, "rb") as file:
        return parse(file.read(), f"'{path}'")


def parse(content: bytes, what: str = "the model") -> Model:
    """ValueError for a file that is damaged, UnsupportedOp for what is not taken."""
    if content[4:8] != IDENTIFIER:
        raise ValueError(
            f"expected a TensorFlow Lite model (TFL3), but {what} is none{_other(content)}"
        )
    import tflite

    try:
        return _Reader(content, tflite).read()
    except UnsupportedOp:
        raise
    except _DAMAGE as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ValueError(
            f"expected a whole TensorFlow Lite model, but {what} is damaged: {reason}"
        ) from None


def _other(content: bytes) -> str:
    if content.startswith(b"\x89HDF") or content.startswith(b"PK\x03\x04"):
        return ": of a Keras model, larq_compute_engine.convert_keras_model makes one"
    return ""


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
                f"expected version {VERSION} of the schema, but got {model.Version()}"
            )
        count = self._count(model.SubgraphsLength())
        if count != 1:
            raise UnsupportedOp(f"expected one graph, without control flow, but got {count}")
        graph = model.Subgraphs(0)
        codes = [model.OperatorCodes(i) for i in range(self._count(model.OperatorCodesLength()))]
        tensors = [
            self._tensor(model, graph.Tensors(i), i)
            for i in range(self._count(graph.TensorsLength()))
        ]
        operators = [
            self._operator(codes, graph.Operators(i))
            for i in range(self._count(graph.OperatorsLength()))
        ]
        read = Model(
            tensors, operators, _ints(graph.InputsAsNumpy()), _ints(graph.OutputsAsNumpy())
        )
        self._check(read)
        return read

    def _count(self, length: int) -> int:
        """Of a vector of tables, each of which takes an offset of four bytes."""
        if not 0 <= 4 * length <= len(self.content):
            raise ValueError(f"a vector of {length} tables")
        return length

    def _tensor(self, model, t, index: int) -> Tensor:
        name = (t.Name() or b"").decode() or f"tensor {index}"
        type_ = self.types[t.Type()]
        shape = tuple(_ints(t.ShapeAsNumpy()))
        signature = tuple(_ints(t.ShapeSignatureAsNumpy())) or shape
        if min(shape, default=0) < 0 or len(signature) != len(shape):
            raise ValueError(f"'{name}' has shape {shape} and signature {signature}")
        if t.Sparsity() is not None:
            raise UnsupportedOp(f"expected dense tensors, but '{name}' is sparse")
        made = Tensor(name, type_, shape, signature)
        quantization = t.Quantization()
        if quantization is not None and quantization.ScaleLength():
            made.scale = np.array(quantization.ScaleAsNumpy(), np.float32)
            zero = quantization.ZeroPointAsNumpy()
            made.zero = np.array(zero if quantization.ZeroPointLength() else [0], np.int64)
            made.axis = quantization.QuantizedDimension()
        made.array = self._array(model, t.Buffer(), made)
        return made

    def _array(self, model, buffer: int, tensor: Tensor) -> np.ndarray | None:
        """A constant's elements; buffer 0 is the empty one of what is computed."""
        if buffer == 0:
            return None
        if not 0 <= buffer < model.BuffersLength():
            raise ValueError(f"'{tensor.name}' has buffer {buffer} of {model.BuffersLength()}")
        stored = model.Buffers(buffer)
        if stored.Offset() > 1:  # of models over 2 GB: behind the flatbuffer
            first, size = stored.Offset(), stored.Size()
            data = np.frombuffer(self.content, np.uint8, size, first)
        elif stored.DataLength():
            data = stored.DataAsNumpy()
        else:
            return None
        dtype = _DTYPES.get(tensor.type)
        if dtype is None:
            raise UnsupportedOp(
                f"expected constants of {', '.join(_DTYPES)}, but '{tensor.name}' is {tensor.type}"
            )
        expected = int(np.prod(tensor.shape, dtype=object)) * np.dtype(dtype).itemsize
        if len(data) != expected:
            raise ValueError(
                f"'{tensor.name}' of {tensor.type} {list(tensor.shape)} has {len(data)} bytes in "
                f"place of {expected}"
            )
        return np.frombuffer(data.tobytes(), dtype).reshape(tensor.shape)

    def _operator(self, codes, op) -> Operator:
        if not 0 <= op.OpcodeIndex() < len(codes):
            raise ValueError(f"operator code {op.OpcodeIndex()} of {len(codes)}")
        code = codes[op.OpcodeIndex()]
        number = max(code.BuiltinCode(), code.DeprecatedBuiltinCode())
        name = self.operators.get(number, f"operator {number}")
        made = Operator(name, _ints(op.InputsAsNumpy()), _ints(op.OutputsAsNumpy()))
        if name == "CUSTOM":
            made.custom, made.name = True, (code.CustomCode() or b"").decode()
            if op.CustomOptionsLength():
                from flatbuffers import flexbuffers

                options = flexbuffers.Loads(bytes(op.CustomOptionsAsNumpy()))
                made.options = options if isinstance(options, dict) else {}
        elif op.BuiltinOptionsType():
            made.options = self._options(op)
        return made

    def _options(self, op) -> dict:
        """Every field of the options' table, by its name in the schema's Python."""
        kind = self.option_types.get(op.BuiltinOptionsType())
        cls = getattr(self.tflite, kind or "", None)
        table = op.BuiltinOptions()
        if cls is None or table is None:
            return {}
        options = cls()
        options.Init(table.Bytes, table.Pos)
        return {
            name: getattr(options, name)()
            for name in vars(cls)
            if name[0].isupper()
            and not name.endswith(("AsNumpy", "Length", "IsNone"))
            and not name.startswith("GetRoot")
            and list(inspect.signature(getattr(cls, name)).parameters) == ["self"]
        }

    def _check(self, model: Model) -> None:
        """That places exist, and that each value is computed once, before it is read."""
        count = len(model.tensors)
        known = {i for i, t in enumerate(model.tensors) if t.array is not None}
        for i in model.inputs:
            self._place(i, count, "an input")
            known.add(i)
        for op in model.operators:
            for i in op.inputs:
                if i != -1:
                    self._place(i, count, op.name)
                    if i not in known:
                        raise ValueError(
                            f"{op.name} reads '{model.tensors[i].name}' before it is computed"
                        )
            for i in op.outputs:
                self._place(i, count, op.name)
                known.add(i)
        for i in model.outputs:
            self._place(i, count, "an output")
            if i not in known:
                raise ValueError(f"nothing computes the output '{model.tensors[i].name}'")

    @staticmethod
    def _place(i: int, count: int, what: str) -> None:
        if not 0 <= i < count:
            raise ValueError(f"{what} has tensor {i} of {count}")


def _ints(values) -> list[int]:
    return [] if isinstance(values, int) else [int(value) for value in values]


def _names(enum) -> dict[int, str]:
    return {value: name for name, value in vars(enum).items() if isinstance(value, int)}
