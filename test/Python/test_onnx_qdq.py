"""Networks of 8 bits between QuantizeLinear and DequantizeLinear, whose maps are bytes. Where
scales are powers of 2, all floats are exact, and so results those of onnx' reference evaluator."""

import re

import bquant
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402
from onnx_files import model  # noqa: E402
from reports import products  # noqa: E402

I8, U8, I32, F32 = np.int8, np.uint8, np.int32, np.float32
TYPES = {"int8": (I8, TensorProto.INT8), "uint8": (U8, TensorProto.UINT8)}
ROUTES = ("auto", "reference")


class Graph:
    """Nodes that read each other. `quantized` has codes of `type_`, whose scale is the power of 2
    that is given, or another number."""

    def __init__(self, type_, seed=0):
        self.type, self.draw = type_, np.random.default_rng(seed)
        self.nodes, self.constants, self.inputs, self.scales = [], {}, {}, {}

    def op(self, op, *operands, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, operands, [name], name=f"{op}_{name}", **attributes))
        return name

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(array)
        return name

    def input(self, array):
        name = f"x{len(self.inputs)}"
        self.inputs[name] = array
        return name

    def decoded(self, codes, scale, zero):
        scale, zero = F32(scale), self.type(zero)
        parameters = self.constant(scale), self.constant(zero)
        result = self.op("DequantizeLinear", codes, *parameters)
        self.scales[result] = scale
        return result

    def codes(self, x, scale, zero):
        parameters = self.constant(F32(scale)), self.constant(self.type(zero))
        return self.op("QuantizeLinear", x, *parameters)

    def quantized(self, x, scale, zero):
        return self.decoded(self.codes(x, scale, zero), scale, zero)

    def weights(self, shape, axis, scales, zeros=None, type_=I8):
        low, high = np.iinfo(type_).min, np.iinfo(type_).max + 1
        codes = self.constant(self.draw.integers(low, high, shape).astype(type_))
        zeros = np.zeros(np.shape(scales)) if zeros is None else zeros
        parameters = self.constant(F32(scales)), self.constant(np.asarray(zeros, type_))
        along = {"axis": axis} if np.ndim(scales) else {}
        return self.op("DequantizeLinear", codes, *parameters, **along)

    def bias(self, x, scales, most=1 << 12):
        scales = self.scales[x] * F32(scales)
        codes = self.draw.integers(-most, most, np.shape(scales) or (1,)).astype(I32)
        along = {"axis": 0} if np.ndim(scales) else {}
        codes = codes if np.ndim(scales) else codes.repeat(1)
        return self.op("DequantizeLinear", self.constant(codes), self.constant(scales), **along)

    def conv(self, x, channels, filters, size, group=1, **attributes):
        scales = 2.0 ** self.draw.integers(-9, -5, filters)
        w = self.weights((filters, channels // group, size, size), 0, scales)
        pads = [size // 2] * 4
        bias = self.bias(x, scales)
        return self.op("Conv", x, w, bias, pads=pads, group=group, **attributes)

    def model(self, *outputs, result=TensorProto.FLOAT):
        domains = {node.domain for node in self.nodes} - {""}
        return model(
            self.nodes, self.inputs, self.constants, 19,
            outputs=outputs, result=result, domains=domains,
        )  # fmt: skip


def agrees(graph, *outputs, result=TensorProto.FLOAT):
    """The model, compiled; on both routes it is the evaluator's."""
    made, inputs = graph.model(*outputs, result=result), graph.inputs
    expected = ReferenceEvaluator(made).run(None, inputs)
    for route in ROUTES:
        network = bquant.compile(made, strategy=route)
        for found, wanted in zip(network.flat(*inputs.values()), expected, strict=True):
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found, wanted)
        if route == "auto":
            fast = network
    return fast


def maps(graph, *outputs):
    """The elements of what layers write, from the first to the last."""
    text = bquant.lower(graph.model(*outputs), "pack")
    written = re.findall(r"bquant_packed\.layer .* outs\((.*)\) \{", text)
    return [re.findall(r"tensor<(?:\d+x)*(\w+)", outs) for outs in written]


def arithmetic(network):
    return [layer["arithmetic"] for layer in products(network)]


def sums():
    """Rows of four codes, with the filter (64, 1, 0, 0) every sum between -8224 and 8159."""
    x = np.zeros((256, 64, 4), I8)
    x[..., 0], x[..., 1] = np.arange(-128, 128)[:, None], np.arange(-32, 32)
    return x.reshape(-1, 4)


@pytest.mark.parametrize("output", TYPES)
@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("ties", [False, True])
def test_switch_points(output, relu, ties):
    """Of all sums, each is scaled, divided and rounded as it is written; those in the middle of two
    codes to the even one."""
    type_, element = TYPES[output]
    rows, zero = sums(), 3 if output == "int8" else 131
    scales = F32([2**-6, 2**-7, 2**-5] if ties else [0.0173, 0.00831, 0.0391])
    x_scale, y_scale = F32(0.5 if ties else 0.37), F32(0.5 if ties else 0.411)
    graph = Graph(I8)
    x = graph.decoded(graph.input(rows), x_scale, 0)
    w = graph.constant(np.tile(I8([[64], [1], [0], [0]]), 3))
    parameters = graph.constant(scales), graph.constant(np.zeros(3, I8))
    y = graph.op("MatMul", x, graph.op("DequantizeLinear", w, *parameters, axis=1))
    graph.type = type_
    graph.codes(graph.op("Relu", y) if relu else y, y_scale, zero)
    made = graph.model(graph.nodes[-1].output[0], result=element)

    total = rows.astype(F32) @ F32([64, 1, 0, 0])
    value = total[:, None] * (x_scale * scales)
    value = np.maximum(value, 0) if relu else value
    limits = np.iinfo(type_)
    expected = (np.rint(value / y_scale) + zero).clip(limits.min, limits.max).astype(type_)
    if ties:
        assert np.array_equal(expected, ReferenceEvaluator(made).run(None, graph.inputs)[0])
        assert ((value / y_scale) % 1 == 0.5).sum() > 100
    for route in ROUTES:
        network = bquant.compile(made, strategy=route)
        np.testing.assert_array_equal(network(rows), expected)
        assert arithmetic(network) == ["integer"]


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("scales", [(0.5, 0.25, 1), (0.0173, 0.0391, 0.0457), (0.02, 0.02, 0.02)])
def test_sums_of_all_pairs(name, relu, scales):
    """65,536, of codes with their own scales."""
    type_, element = TYPES[name]
    codes = np.arange(256).astype(U8).view(type_)
    zeros = (-7, 40, 11) if name == "int8" else (121, 168, 139)
    graph = Graph(type_)
    a, b = np.repeat(codes, 256)[None], np.tile(codes, 256)[None]
    x, y = (
        graph.decoded(graph.input(c), s, z)
        for c, s, z in zip((a, b), scales[:2], zeros[:2], strict=True)
    )
    total = graph.op("Add", x, y)
    total = graph.op("Relu", total) if relu else total
    agrees(graph, graph.codes(total, scales[2], zeros[2]), result=element)


def image(*shape, seed=1):
    return np.random.default_rng(seed).normal(0, 30, shape).astype(F32)


def residual(name):
    """Blocks of a network with shortcuts."""
    type_, zero = TYPES[name][0], -3 if name == "int8" else 125
    graph, low = Graph(type_), -128 if name == "int8" else 0
    x = graph.quantized(graph.input(image(1, 8, 9, 7)), 1, zero)
    x = graph.quantized(graph.op("Relu", graph.conv(x, 8, 8, 3)), 2, low)
    for scale in (1, 4):
        y = graph.quantized(graph.op("Relu", graph.conv(x, 8, 8, 3)), 2, low)
        y = graph.quantized(graph.conv(y, 8, 8, 3), scale, zero)
        x = graph.quantized(graph.op("Relu", graph.op("Add", x, y)), 2, low)
    return graph, graph.quantized(graph.conv(x, 8, 12, 1), 4, zero)


@pytest.mark.parametrize("name", TYPES)
def test_shortcuts(name):
    """A map that a sum and a product read is one of bytes alone."""
    graph, result = residual(name)
    assert set(arithmetic(agrees(graph, result))) == {"integer"}
    first, *between, _, _ = maps(graph, result)
    assert first == ["f32"]  # the image, channels last
    assert {element for layer in between for element in layer} == {"i8"}


@pytest.mark.parametrize("name", TYPES)
def test_operators_on_codes(name):
    """They have bytes in memory, too."""
    type_, zero = TYPES[name][0], -3 if name == "int8" else 125
    graph = Graph(type_)
    s, z = graph.constant(F32(2)), graph.constant(type_(zero))
    w_scale, w_zero = graph.constant(F32(2**-6)), graph.constant(I8(0))

    def conv(x):
        w = graph.constant(graph.draw.integers(-128, 128, (8, 8, 3, 3)).astype(I8))
        return graph.op("QLinearConv", x, s, z, w, w_scale, w_zero, s, z, pads=[1, 1, 1, 1])

    x = conv(graph.op("QuantizeLinear", graph.input(image(1, 8, 9, 7)), s, z))
    x = graph.op("MaxPool", x, kernel_shape=[2, 2])
    y = conv(x)
    total = graph.op("QLinearAdd", x, s, z, y, s, z, s, z, domain="com.microsoft")
    result = graph.op("DequantizeLinear", conv(total), s, z)
    found = [bquant.compile(graph.model(result), strategy=route) for route in ROUTES]
    results = [network(*graph.inputs.values()) for network in found]
    np.testing.assert_array_equal(*results)
    first, *between, _, _ = maps(graph, result)
    assert first == ["f32"]
    assert {element for layer in between for element in layer} == {"i8"}


@pytest.mark.parametrize("name", TYPES)
def test_depthwise(name):
    """Padded with the code of 0, which no value of a ReLU6 needs to be."""
    type_, zero = TYPES[name][0], -3 if name == "int8" else 125
    low = -128 if name == "int8" else 0
    graph = Graph(type_)
    limits = graph.constant(F32(0)), graph.constant(F32(6))
    x = graph.quantized(graph.input(image(1, 8, 9, 7)), 1, zero)
    x = graph.quantized(graph.op("Clip", graph.conv(x, 8, 16, 1), *limits), 2**-5, low)
    x = graph.conv(x, 16, 16, 3, group=16, strides=[2, 2])
    x = graph.quantized(graph.op("Clip", x, *limits), 2**-5, low)
    result = graph.quantized(graph.conv(x, 16, 8, 1), 2**-4, zero)
    assert "float" not in arithmetic(agrees(graph, result))


@pytest.mark.parametrize("zeros", ["one", "several"])
def test_scales_of_channels(zeros):
    """Of a depthwise layer's input, as some exporters have them: of codes where all channels are
    padded alike."""
    graph, scales = Graph(U8), F32(2.0 ** np.arange(-3, 5))
    points = np.full(8, 128) if zeros == "one" else 120 + np.arange(8)
    x = graph.input(image(1, 8, 9, 7))
    parameters = graph.constant(scales), graph.constant(U8(points))
    x = graph.op("QuantizeLinear", x, *parameters, axis=1)
    x = graph.op("DequantizeLinear", x, *parameters, axis=1)
    w = graph.weights((16, 1, 3, 3), 0, 2.0 ** graph.draw.integers(-9, -5, 16))
    x = graph.op("Conv", x, w, pads=[1, 1, 1, 1], group=8)
    network = agrees(graph, graph.quantized(x, 1, 128))
    if zeros == "one":
        assert "integer" in arithmetic(network)


def pooled(x, graph):
    return graph.op("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])


def pooled_beyond(x, graph):
    """The last windows begin in the image and end after it."""
    return graph.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)


def flipped(x, graph):
    return graph.op("Transpose", x, perm=[0, 1, 3, 2])


def joined(x, graph):
    return graph.op("Concat", x, flipped(x, graph), axis=1)


def padded(x, graph, fill=8):
    """With what a code stands for."""
    pads = np.array([0, 0, 1, 0, 0, 0, 0, 2])
    return graph.op("Pad", x, graph.constant(pads), graph.constant(F32(fill)))


# And the channels that they give.
MOVES = {
    "Pad": (padded, 8),
    "MaxPool": (pooled, 8),
    "ceil_mode": (pooled_beyond, 8),
    "Transpose": (flipped, 8),
    "Concat": (joined, 16),
}


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("move", MOVES)
def test_moves(name, again, move):
    """Of codes, with or without another quantization by the same scale, read by products, by sums
    and as results."""
    type_, zero = TYPES[name][0], -3 if name == "int8" else 125
    write, channels = MOVES[move]
    graph = Graph(type_)
    x = graph.quantized(graph.input(image(1, 8, 9, 9)), 1, zero)
    x = write(graph.quantized(graph.conv(x, 8, 8, 3), 4, zero), graph)
    moved = graph.quantized(x, 4, zero) if again else x
    graph.scales[moved] = F32(4)
    y = graph.quantized(graph.conv(moved, channels, channels, 3), 8, zero)
    total = graph.quantized(graph.op("Add", y, moved), 8, zero)
    assert set(arithmetic(agrees(graph, total, moved))) == {"integer"}
    # A sum is not put together with the parts of a map.
    result = y if move == "Concat" else total
    assert {element for layer in maps(graph, result)[1:-2] for element in layer} == {"i8"}


@pytest.mark.parametrize("fill", [9, -1000])
def test_padding_without_a_code_is_no_move(fill):
    graph = Graph(I8)
    x = padded(graph.quantized(graph.input(image(1, 8, 9, 9)), 4, -3), graph, fill)
    graph.scales[x] = F32(4)
    agrees(graph, graph.quantized(graph.conv(x, 8, 8, 3), 8, 0))


def test_other_scales_are_no_move():
    graph = Graph(I8)
    x = graph.quantized(graph.input(image(1, 8, 9, 9)), 1, -3)
    moved = graph.quantized(pooled(x, graph), 0.5, -3)
    agrees(graph, graph.quantized(graph.conv(moved, 8, 8, 3), 8, 0))


@pytest.mark.parametrize("form", ["MatMul", "Gemm", "transposed"])
@pytest.mark.parametrize("type_", [I8, U8])
@pytest.mark.parametrize("bias", ["none", "sums", "other", "large", "float"])
def test_matrices(form, type_, bias):
    """A bias in steps of the sum is added to it, where none of both is too large."""
    graph, scales = Graph(U8), F32(2.0 ** np.arange(-8, -3))
    x = graph.quantized(graph.input(image(6, 16)), 1, 120)
    axis = 0 if form == "transposed" else 1
    shape = (5, 16) if form == "transposed" else (16, 5)
    zeros = np.arange(5) + (0 if type_ is I8 else 126)
    w = graph.weights(shape, axis, scales, zeros, type_)
    given = {
        "none": lambda: None,
        "sums": lambda: graph.bias(x, scales),
        "other": lambda: graph.bias(x, 2 * scales),
        "large": lambda: graph.bias(x, scales, (1 << 31) - 1),
        "float": lambda: graph.constant(F32([1, 2, 3, 4, 5])),
    }[bias]()
    if form == "MatMul":
        y = graph.op("MatMul", x, w)
        y = y if given is None else graph.op("Add", y, given)
    else:
        operands = (x, w) if given is None else (x, w, given)
        y = graph.op("Gemm", *operands, transB=int(form == "transposed"))
    network = agrees(graph, graph.quantized(y, 16, 128)) if bias != "large" else None
    if network:
        assert arithmetic(network) == ["integer"]
    else:  # The evaluator's sum of floats is not exact: only a few codes are near it.
        made = graph.model(graph.quantized(y, 2.0**20, 128))
        expected = ReferenceEvaluator(made).run(None, graph.inputs)[0]
        np.testing.assert_array_equal(bquant.compile(made)(*graph.inputs.values()), expected)


def test_filters_of_floats():
    """Quantized in the graph, as some exporters leave them."""
    graph = Graph(I8)
    x = graph.quantized(graph.input(image(6, 16)), 1, 0)
    w = graph.constant(graph.draw.normal(size=(16, 5)).astype(F32))
    y = graph.op("MatMul", x, graph.quantized(w, 2.0**-6, 0))
    assert arithmetic(agrees(graph, graph.quantized(y, 1, 0))) == ["integer"]


def test_filters_of_few_bits():
    """They are planes."""
    graph = Graph(I8)
    x = graph.quantized(graph.input(image(6, 64)), 1, 0)
    w = graph.constant(graph.draw.integers(0, 2, (64, 5)).astype(I8) * 2 - 1)
    y = graph.op("MatMul", x, graph.decoded(w, 2.0**-6, 0))
    assert arithmetic(agrees(graph, graph.quantized(y, 1, 0))) == ["binary"]


@pytest.mark.parametrize("type_", [I8, U8])
def test_codes_of_signs(type_):
    """Signs that a graph takes of a filter are written out for a product; their codes are
    numbers."""
    graph = Graph(type_)
    x, zero = graph.input(image(6, 16)), graph.constant(F32(0))
    w = graph.constant(graph.draw.normal(size=(6, 16)).astype(F32))
    one, other = graph.constant(F32(1)), graph.constant(F32(-1))
    signs = graph.op("Where", graph.op("GreaterOrEqual", w, zero), one, other)
    codes = graph.op("Max", graph.codes(signs, 0.125, 1), graph.constant(type_(3)))
    agrees(graph, graph.op("Add", x, graph.decoded(codes, 0.125, 1)))


@pytest.mark.parametrize("type_", [I8, U8])
@pytest.mark.parametrize("axis", [None, 1])
def test_codes_of_constants(type_, axis):
    """Beyond the codes there is the nearest one, as there is at run time."""
    numbers = F32([[np.inf, 1e30, -1e30], [-np.inf, 1.5, -2.5]])
    scales, zeros = (F32(0.5), type_(3)) if axis is None else (F32([0.5, 1, 2]), type_([3, 0, 7]))
    for is_input in (False, True):
        graph = Graph(type_)
        c = graph.input(numbers) if is_input else graph.constant(numbers)
        parameters = graph.constant(scales), graph.constant(zeros)
        along = {} if axis is None else {"axis": axis}
        codes = graph.op("QuantizeLinear", c, *parameters, **along)
        y = graph.op("Add", graph.input(np.zeros((2, 3), F32)),
                     graph.op("DequantizeLinear", codes, *parameters, **along))  # fmt: skip
        (result,) = bquant.compile(graph.model(y)).flat(*graph.inputs.values())
        low, high = np.iinfo(type_).min, np.iinfo(type_).max
        zero = zeros.astype(F32)
        expected = (np.clip(np.rint(numbers / scales) + zero, low, high) - zero) * scales
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("op", ["Relu", "MaxPool"])
def test_scales_below_0(op):
    """The larger a code, the smaller its number."""
    graph = Graph(U8)
    codes = np.random.default_rng(1).integers(0, 256, (1, 8, 9, 9)).astype(U8)
    x = graph.decoded(graph.input(codes), -0.5, 128)
    y = graph.op(op, x, **({} if op == "Relu" else {"kernel_shape": [2, 2]}))
    graph.scales[y] = F32(-0.5)
    agrees(graph, graph.conv(y, 8, 8, 3))


@pytest.mark.parametrize("op", ["Transpose", "Relu"])
def test_long_rows_of_moves(op):
    graph = Graph(U8)
    codes = np.arange(6, dtype=U8).reshape(2, 3)
    x = graph.decoded(graph.input(codes), 1, 2)
    for _ in range(300):
        x = graph.op(op, x)
    agrees(graph, x)
