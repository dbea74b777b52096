"""Files of one operator of Larq's compute engine each, for larq_fixtures.py: what no Keras network
converts to among it. Numbers are whole or binary fractions, so that results are exact."""

from __future__ import annotations

import dataclasses

import flatbuffers
import numpy as np
from flatbuffers import flexbuffers
from tensorflow.lite.python import schema_py_generated as schema

SAME, VALID = 0, 1
NONE, RELU, RELU_N1_TO_1, RELU6 = range(4)
TYPES = {
    "float32": schema.TensorType.FLOAT32,
    "int8": schema.TensorType.INT8,
    "int16": schema.TensorType.INT16,
    "int32": schema.TensorType.INT32,
    "bool": schema.TensorType.BOOL,
}
VERSION = 3


class Graph:
    """A model, tensor by tensor and operator by operator."""

    def __init__(self):
        self.tensors, self.operators, self.codes = [], [], []
        self.buffers = [schema.BufferT()]

    def tensor(self, shape, dtype="float32", content=None, scale=None, zero=0) -> int:
        tensor = schema.TensorT()
        tensor.name = f"tensor{len(self.tensors)}".encode()
        tensor.shape, tensor.type, tensor.buffer = list(shape), TYPES[dtype], 0
        if scale is not None:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale, tensor.quantization.zeroPoint = [scale], [zero]
        if content is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(content.tobytes(), np.uint8)
            self.buffers.append(buffer)
            tensor.buffer = len(self.buffers) - 1
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def constant(self, array) -> int:
        return self.tensor(array.shape, array.dtype.name, array)

    def custom(self, name: str, inputs, outputs, options=None) -> None:
        code = schema.OperatorCodeT()
        code.builtinCode, code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM, 32
        code.customCode, code.version = name.encode(), 1
        self.codes.append(code)
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.codes) - 1
        operator.inputs, operator.outputs = inputs, outputs
        if options:
            operator.customOptions = np.frombuffer(bytes(flexbuffers.Dumps(options)), np.uint8)
        self.operators.append(operator)

    def builtin(self, name: str, inputs, outputs, options=None, version=1) -> None:
        """`options`: of the schema's class of them."""
        code = schema.OperatorCodeT()
        code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, name)
        code.version = version
        self.codes.append(code)
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.codes) - 1
        operator.inputs, operator.outputs = inputs, outputs
        if options is not None:
            kind = type(options).__name__.removesuffix("T")
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, kind)
            operator.builtinOptions = options
        self.operators.append(operator)

    def finish(self, given: int, result: int) -> bytes:
        graph = schema.SubGraphT()
        graph.tensors, graph.operators = self.tensors, self.operators
        graph.inputs, graph.outputs = [given], [result]
        model = schema.ModelT()
        model.version, model.operatorCodes = VERSION, self.codes
        model.subgraphs, model.buffers = [graph], self.buffers
        builder = flatbuffers.Builder()
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def pack(signs: np.ndarray) -> np.ndarray:
    """Words of 32 channels, of which a bit is 1 for -1."""
    channels = signs.shape[-1]
    bits = np.zeros((*signs.shape[:-1], -(-channels // 32) * 32), np.uint8)
    bits[..., :channels] = signs < 0
    return np.packbits(bits, axis=-1, bitorder="little").view("<i4")


@dataclasses.dataclass
class Convolution:
    """LceBconv2d. `given` and `result`: how its input and output are stored."""

    image: tuple[int, int] = (6, 5)
    channels: int = 40
    filters: int = 36
    kernel: tuple[int, int] = (3, 3)
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)
    padding: int = SAME
    pad_value: int = 1
    activation: int = NONE
    groups: int = 1
    given: str = "float32"
    result: str = "float32"
    words_out: bool = False  # of a packed result

    def size(self):
        """Of the result."""
        sizes = []
        for i, k, s, d in zip(self.image, self.kernel, self.stride, self.dilation, strict=True):
            taken = i if self.padding == SAME else i - d * (k - 1)
            sizes.append(-(-taken // s))
        return sizes

    def build(self, generator):
        """The file, and an input."""
        graph, words = Graph(), -(-self.channels // 32)
        shape = (1, *self.image, self.channels)
        packed = x = graph.tensor((1, *self.image, words), "int32")
        if self.given == "float32":
            x = graph.tensor(shape)
            graph.custom("LceQuantize", [x], [packed])
        each = self.channels // self.groups
        signs = generator.choice([-1, 1], (self.filters, *self.kernel, each))
        operands = [packed, graph.constant(pack(signs))]
        if self.result == "packed":
            taps = each * self.kernel[0] * self.kernel[1]
            thresholds = generator.integers(taps // 2 - 12, taps // 2 + 12, self.filters)
            # What is always one sign, and sums at which it changes.
            thresholds[:4] = [-(2**31), 2**31 - 1, taps, -1]
            operands += [-1, -1, graph.constant(thresholds.astype(np.int32))]
        else:
            factors = generator.choice([-0.75, -0.5, 0.25, 0.5, 1.5], self.filters)
            offsets = generator.integers(-40, 40, self.filters) / 4
            operands += [graph.constant(v.astype(np.float32)) for v in (factors, offsets)] + [-1]
        out = (1, *self.size(), self.filters)
        if self.result == "float32":
            y = graph.tensor(out)
        elif self.result == "int8":
            # No power of two: halves, which the kernels round in several ways, do not occur.
            y = graph.tensor(out, "int8", scale=0.77, zero=-5)
        else:
            y = graph.tensor((*out[:3], -(-self.filters // 32)), "int32")
        graph.custom(
            "LceBconv2d",
            operands,
            [y],
            {
                "channels_in": self.channels,
                "dilation_height_factor": self.dilation[0],
                "dilation_width_factor": self.dilation[1],
                "fused_activation_function": self.activation,
                "pad_values": self.pad_value,
                "padding": self.padding,
                "stride_height": self.stride[0],
                "stride_width": self.stride[1],
            },
        )
        if self.result == "packed" and not self.words_out:
            packed, y = y, graph.tensor(out)
            graph.custom("LceDequantize", [packed], [y])
        if self.given == "packed":
            given = pack(generator.choice([-1, 1], shape))
        else:
            given = generator.integers(-3, 4, shape).astype(np.float32)
        return graph.finish(x, y), given


def convolutions() -> dict:
    return {
        "same_ones": Convolution(),
        "same_zeros": Convolution(pad_value=0),
        "valid": Convolution(padding=VALID),
        "valid_zeros": Convolution(padding=VALID, pad_value=0),
        "stride_even_ones": Convolution(image=(6, 8), stride=(2, 2)),
        "stride_even_zeros": Convolution(image=(6, 8), stride=(2, 2), pad_value=0),
        "stride_odd_ones": Convolution(image=(7, 5), stride=(2, 2)),
        "stride_odd_zeros": Convolution(image=(7, 5), stride=(2, 2), pad_value=0),
        "strides_differ": Convolution(image=(7, 8), stride=(1, 3), pad_value=0),
        "stride_valid": Convolution(image=(8, 7), stride=(2, 2), padding=VALID),
        "dilation_ones": Convolution(image=(7, 8), dilation=(2, 2)),
        "dilation_zeros": Convolution(image=(7, 8), dilation=(2, 3), pad_value=0),
        "small_ones": Convolution(image=(2, 2)),
        "small_zeros": Convolution(image=(2, 2), pad_value=0),
        "large_filter_ones": Convolution(kernel=(5, 5)),
        "large_filter_zeros": Convolution(kernel=(5, 5), pad_value=0),
        "even_filter_zeros": Convolution(kernel=(2, 4), pad_value=0),
        "point": Convolution(kernel=(1, 1), channels=64),
        "one_channel": Convolution(channels=1, filters=3),
        "many_channels": Convolution(channels=97, filters=65, image=(3, 3)),
        "groups": Convolution(channels=64, filters=6, groups=2),
        "three_groups": Convolution(channels=96, filters=9, groups=3, pad_value=0),
        "relu": Convolution(activation=RELU),
        "relu6": Convolution(activation=RELU6),
        "relu_n1_to_1": Convolution(activation=RELU_N1_TO_1),
        "packed_result": Convolution(result="packed"),
        "packed_result_valid": Convolution(result="packed", padding=VALID, filters=64),
        "packed_result_groups": Convolution(result="packed", channels=64, groups=2),
        "packed_given": Convolution(given="packed"),
        "codes": Convolution(result="int8"),
        "codes_relu": Convolution(result="int8", activation=RELU, pad_value=0),
    }


def pool(image, kernel, stride, padding, channels=40, in_words=False):
    """LceBMaxPool2d between LceQuantize and LceDequantize, or of words alone."""

    def build(generator):
        graph, words = Graph(), -(-channels // 32)
        sizes = [
            -(-(i if padding == SAME else i - k + 1) // s)
            for i, k, s in zip(image, kernel, stride, strict=True)
        ]
        packed = graph.tensor((1, *image, words), "int32")
        pooled = graph.tensor((1, *sizes, words), "int32")
        if not in_words:
            x, y = graph.tensor((1, *image, channels)), graph.tensor((1, *sizes, channels))
            graph.custom("LceQuantize", [x], [packed])
        graph.custom(
            "LceBMaxPool2d",
            [packed],
            [pooled],
            {
                "padding": padding,
                "stride_height": stride[0],
                "stride_width": stride[1],
                "filter_height": kernel[0],
                "filter_width": kernel[1],
            },
        )
        if in_words:
            given = pack(generator.choice([-1, 1], (1, *image, channels), p=[0.8, 0.2]))
            return graph.finish(packed, pooled), given
        graph.custom("LceDequantize", [pooled], [y])
        given = generator.integers(-5, 3, (1, *image, channels)).astype(np.float32)
        return graph.finish(x, y), given

    return build


def signs(given: str, result: str):
    """LceQuantize of values of one type and LceDequantize to another."""

    def build(generator):
        graph, shape = Graph(), (1, 3, 3, 40)
        codes = {"scale": 0.25, "zero": 3}
        x = graph.tensor(shape, given, **(codes if given == "int8" else {}))
        packed = graph.tensor((*shape[:3], 2), "int32")
        y = graph.tensor(shape, result, **(codes if result == "int8" else {}))
        graph.custom("LceQuantize", [x], [packed])
        graph.custom("LceDequantize", [packed], [y])
        if given == "bool":
            values = generator.random(shape) > 0.5
        else:
            values = generator.integers(-6, 7, shape).astype(given)
        if given == "float32":
            tiny = np.finfo(np.float32).tiny
            values.reshape(-1)[:4] = [0.0, -0.0, tiny, -tiny]
        return graph.finish(x, y), values

    return build


def part(content: bytes, first: int, last: int) -> bytes:
    """Of a file's operators those of a range: its inputs are what they read of others."""
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(content, 0))
    (graph,) = model.subgraphs
    graph.operators = graph.operators[first:last]
    made = [t for op in graph.operators for t in op.outputs]
    read = [t for op in graph.operators for t in op.inputs if t >= 0 and t not in made]
    graph.inputs = [t for t in read if model.buffers[graph.tensors[t].buffer].data is None]
    graph.outputs = list(graph.operators[-1].outputs)
    for i, tensor in enumerate(graph.tensors):
        if i not in read:
            model.buffers[tensor.buffer].data = None
    model.signatureDefs = None
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def writers_of_words(content: bytes) -> list[int]:
    """The numbers of the operators that give words."""
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAs(content, 0))
    (graph,) = model.subgraphs
    return [
        i
        for i, op in enumerate(graph.operators)
        if graph.tensors[op.outputs[0]].type == schema.TensorType.INT32
    ]


# Words as inputs and outputs, and between operators that know nothing of signs.


def words_of(given: str, channels: int):
    """LceQuantize alone."""

    def build(generator):
        graph, shape = Graph(), (1, 3, 2, channels)
        x = graph.tensor(shape, given)
        y = graph.tensor((*shape[:3], -(-channels // 32)), "int32")
        graph.custom("LceQuantize", [x], [y])
        values = generator.integers(-3, 4, shape)
        return graph.finish(x, y), values > 0 if given == "bool" else values.astype(given)

    return build


def signs_of_words(channels: int):
    """LceDequantize alone."""

    def build(generator):
        graph, shape = Graph(), (1, 3, 2, channels)
        x = graph.tensor((*shape[:3], -(-channels // 32)), "int32")
        y = graph.tensor(shape)
        graph.custom("LceDequantize", [x], [y])
        return graph.finish(x, y), pack(generator.choice([-1, 1], shape))

    return build


def words_between(generator):
    """Words that are concatenated, reshaped and turned before a max-pool, which does not say how
    many channels they have, and signs of all."""
    graph = Graph()
    x = graph.tensor((1, 4, 4, 40))
    first, other = (graph.tensor((1, 4, 4, 2), "int32") for _ in range(2))
    graph.custom("LceQuantize", [x], [first])
    graph.builtin("RESHAPE", [first, graph.constant(np.int32([1, 4, 4, 2]))], [other])
    turned, both = graph.tensor((1, 4, 4, 2), "int32"), graph.tensor((1, 4, 4, 4), "int32")
    graph.builtin("TRANSPOSE", [other, graph.constant(np.int32([0, 2, 1, 3]))], [turned])
    options = schema.ConcatenationOptionsT()
    options.axis = 3
    graph.builtin("CONCATENATION", [first, turned], [both], options)
    pooled, y = graph.tensor((1, 2, 2, 4), "int32"), graph.tensor((1, 2, 2, 128))
    sizes = {"stride_height": 2, "stride_width": 2, "filter_height": 2, "filter_width": 2}
    graph.custom("LceBMaxPool2d", [both], [pooled], {"padding": VALID, **sizes})
    graph.custom("LceDequantize", [pooled], [y])
    return graph.finish(x, y), generator.integers(-5, 3, (1, 4, 4, 40)).astype(np.float32)


def words() -> dict:
    packed = {"result": "packed", "words_out": True}
    return {
        "of_floats": words_of("float32", 40),
        "of_bools": words_of("bool", 65),
        "to_floats": signs_of_words(40),
        "to_floats_of_one": signs_of_words(32),
        "of_conv": Convolution(**packed).build,
        "of_conv_64": Convolution(**packed, filters=64, padding=VALID).build,
        "to_conv": Convolution(**packed, given="packed", stride=(2, 2)).build,
        "to_pool": pool((6, 7), (2, 2), (2, 2), VALID, in_words=True),
        "to_pool_same": pool((5, 7), (3, 2), (2, 1), SAME, in_words=True),
        "between": words_between,
    }


def operators() -> dict:
    """NAME: what makes, of a generator, the file and an input."""
    return {
        **{f"conv_{name}": made.build for name, made in convolutions().items()},
        "pool_valid": pool((6, 7), (2, 2), (2, 2), VALID),
        "pool_same": pool((5, 7), (3, 2), (2, 1), SAME),
        "signs_of_floats": signs("float32", "float32"),
        "signs_of_codes": signs("int8", "int8"),
        "signs_of_bools": signs("bool", "bool"),
        "signs_of_bools_as_floats": signs("bool", "float32"),
        **{f"words_{name}": made for name, made in words().items()},
    }
