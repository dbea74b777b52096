"""Files of .tflite made here: a few tensors and operators."""

import flatbuffers
import numpy as np
import tflite
from flatbuffers import flexbuffers

# Of operators whose first one no interpreter has.
VERSIONS = {"BROADCAST_TO": 2}


class File:
    """A file by the schema's builder, tensor by tensor."""

    def __init__(self, version=3):
        self.version, self.builder = version, flatbuffers.Builder()
        self.tensors, self.operators, self.codes, self.buffers = [], [], [], [b""]

    def tensor(self, shape, type_="FLOAT32", content=None, signature=None, scale=None, **kinds):
        self.tensors.append((shape, type_, self._buffer(content), signature, scale, kinds))
        return len(self.tensors) - 1

    def _buffer(self, content):
        if content is None:
            return 0
        self.buffers.append(np.ascontiguousarray(content).tobytes())
        return len(self.buffers) - 1

    def operator(self, name, inputs, outputs, custom=None, kind=None, options=None):
        """A builtin one by its name, with scalar `options` of the schema's table `kind`; `custom`:
        options of another's."""
        number = getattr(tflite.BuiltinOperator, name, tflite.BuiltinOperator.CUSTOM)
        self.codes.append((number, name))
        self.operators.append((len(self.codes) - 1, inputs, outputs, custom, kind, options or {}))

    def finish(self, inputs, outputs, graphs=1):
        """The file; `graphs`: how often it has the graph."""
        made = [self._graph(inputs, outputs) for _ in range(graphs)]
        codes = self._tables([self._code(*code) for code in self.codes])
        buffers = self._tables([self._data(content) for content in self.buffers])
        graphs, b = self._tables(made), self.builder
        tflite.ModelStart(b)
        tflite.ModelAddVersion(b, self.version)
        tflite.ModelAddOperatorCodes(b, codes)
        tflite.ModelAddSubgraphs(b, graphs)
        tflite.ModelAddBuffers(b, buffers)
        b.Finish(tflite.ModelEnd(b), b"TFL3")
        return bytes(b.Output())

    def _tables(self, tables):
        self.builder.StartVector(4, len(tables), 4)
        for table in reversed(tables):
            self.builder.PrependUOffsetTRelative(table)
        return self.builder.EndVector()

    def _numbers(self, values, dtype=np.int32):
        return self.builder.CreateNumpyVector(np.array(values, dtype))

    def _code(self, number, name):
        b, custom = self.builder, None
        if number == tflite.BuiltinOperator.CUSTOM:
            custom = b.CreateString(name)
        tflite.OperatorCodeStart(b)
        tflite.OperatorCodeAddDeprecatedBuiltinCode(b, min(number, 127))
        tflite.OperatorCodeAddBuiltinCode(b, number)
        tflite.OperatorCodeAddVersion(b, VERSIONS.get(name, 1))
        if custom is not None:
            tflite.OperatorCodeAddCustomCode(b, custom)
        return tflite.OperatorCodeEnd(b)

    def _data(self, content):
        data = self._numbers(np.frombuffer(content, np.uint8), np.uint8) if content else None
        tflite.BufferStart(self.builder)
        if data is not None:
            tflite.BufferAddData(self.builder, data)
        return tflite.BufferEnd(self.builder)

    def _graph(self, inputs, outputs):
        b = self.builder
        tensors = self._tables([self._tensor(i, *t) for i, t in enumerate(self.tensors)])
        operators = self._tables([self._operator(*o) for o in self.operators])
        given, results = self._numbers(inputs), self._numbers(outputs)
        tflite.SubGraphStart(b)
        tflite.SubGraphAddTensors(b, tensors)
        tflite.SubGraphAddInputs(b, given)
        tflite.SubGraphAddOutputs(b, results)
        tflite.SubGraphAddOperators(b, operators)
        return tflite.SubGraphEnd(b)

    def _tensor(self, i, shape, type_, buffer, signature, scale, kinds):
        b, quantization = self.builder, None
        name = b.CreateString(kinds.get("name", f"t{i}"))
        sizes, signed = self._numbers(shape), self._numbers(signature or shape)
        if scale is not None:
            scales = self._numbers(scale, np.float32)
            zeros = self._numbers(kinds.get("zero", [0]), np.int64)
            tflite.QuantizationParametersStart(b)
            tflite.QuantizationParametersAddScale(b, scales)
            tflite.QuantizationParametersAddZeroPoint(b, zeros)
            quantization = tflite.QuantizationParametersEnd(b)
        tflite.TensorStart(b)
        tflite.TensorAddShape(b, sizes)
        tflite.TensorAddType(b, getattr(tflite.TensorType, type_))
        tflite.TensorAddBuffer(b, buffer)
        tflite.TensorAddName(b, name)
        tflite.TensorAddShapeSignature(b, signed)
        tflite.TensorAddIsVariable(b, kinds.get("variable", False))
        if quantization is not None:
            tflite.TensorAddQuantization(b, quantization)
        return tflite.TensorEnd(b)

    def _operator(self, code, inputs, outputs, custom, kind, scalars):
        b = self.builder
        given, results, options = self._numbers(inputs), self._numbers(outputs), None
        table = None if kind is None else self._options(kind, scalars)
        if custom is not None:
            content = custom if isinstance(custom, bytes) else bytes(flexbuffers.Dumps(custom))
            options = self._numbers(np.frombuffer(content, np.uint8), np.uint8)
        tflite.OperatorStart(b)
        tflite.OperatorAddOpcodeIndex(b, code)
        tflite.OperatorAddInputs(b, given)
        tflite.OperatorAddOutputs(b, results)
        if options is not None:
            tflite.OperatorAddCustomOptions(b, options)
        if table is not None:
            tflite.OperatorAddBuiltinOptionsType(b, getattr(tflite.BuiltinOptions, kind))
            tflite.OperatorAddBuiltinOptions(b, table)
        return tflite.OperatorEnd(b)

    def _options(self, kind, scalars):
        getattr(tflite, f"{kind}Start")(self.builder)
        for name, value in scalars.items():
            getattr(tflite, f"{kind}Add{name}")(self.builder, value)
        return getattr(tflite, f"{kind}End")(self.builder)
