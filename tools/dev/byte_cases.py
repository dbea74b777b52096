"""ONNX models of codes that `./dev fixtures` runs: inputs and outputs of bytes, operators between
quantizers, activations of 16 bits, and products of integers; with random weights and with those of
a network that is trained here to tell stripes by their angle."""

from __future__ import annotations

import io

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from onnx_cases import OPSET, SEED, _model
from onnxruntime.quantization import QuantFormat, QuantType
from qdq_cases import Samples, _static, dynamic, static
from torch import nn

IMAGE = (1, 4, 7, 6)
TYPES = {np.uint8: TensorProto.UINT8, np.int8: TensorProto.INT8, np.uint16: TensorProto.UINT16,
         np.int16: TensorProto.INT16, np.float32: TensorProto.FLOAT}  # fmt: skip


def chain(inputs, nodes, constants, outputs=None):
    """A model of nodes (op, inputs, output, attributes); inputs: name to type and shape."""
    infos = [helper.make_tensor_value_info(n, TYPES[t], s) for n, (t, s) in inputs.items()]
    made = [
        helper.make_node(op, ins, [out], name=out, **attributes)
        for op, ins, out, attributes in nodes
    ]
    tensors = [numpy_helper.from_array(np.asarray(a), n) for n, a in constants.items()]
    return _model(made, infos, tensors, outputs or [nodes[-1][2]], max(OPSET, 21))


def codes(type_, *shape):
    limits = np.iinfo(type_)
    generator = np.random.default_rng(SEED)
    return generator.integers(limits.min, limits.max, shape, endpoint=True).astype(type_)


def borders(type_):
    """Codes in, a quantizer out: to floats and back in another scale."""
    zero = type_(np.iinfo(type_).min + 100)
    return chain(
        {"x": (type_, IMAGE)},
        [("DequantizeLinear", ["x", "s", "z"], "a", {}), ("Relu", ["a"], "r", {}),
         ("QuantizeLinear", ["r", "t", "z"], "y", {})],
        {"s": np.float32(0.05), "z": zero, "t": np.float32(0.021)},
    )  # fmt: skip


def between(type_):
    """Operators on the codes themselves: bounds, a pool, zeros around, a choice, an order."""
    low, high = type_(np.iinfo(type_).min + 20), type_(np.iinfo(type_).max - 30)
    window = {"kernel_shape": [2, 2], "strides": [1, 2]}
    return chain(
        {"x": (np.float32, IMAGE)},
        [("QuantizeLinear", ["x", "s", "z"], "q", {}), ("Clip", ["q", "low", "high"], "c", {}),
         ("MaxPool", ["c"], "m", window), ("Pad", ["m", "pads", "z"], "p", {}),
         ("Max", ["p", "low"], "b", {}), ("Concat", ["b", "p"], "k", {"axis": 1}),
         ("Transpose", ["k"], "t", {"perm": [0, 2, 3, 1]}),
         ("DequantizeLinear", ["t", "s", "z"], "y", {})],
        {"s": np.float32(0.017), "z": type_(np.iinfo(type_).min + 110), "low": low, "high": high,
         "pads": np.array([0, 0, 1, 0, 0, 0, 0, 2], np.int64)},
    )  # fmt: skip


def bounded_product():
    """What a converter leaves of ReLU6: a clip of the codes in front of a product of them."""
    return chain(
        {"x": (np.float32, IMAGE)},
        [("QuantizeLinear", ["x", "s", "z"], "q", {}), ("Clip", ["q", "z", "high"], "c", {}),
         ("DequantizeLinear", ["c", "s", "z"], "a", {}),
         ("DequantizeLinear", ["w", "v"], "f", {}),
         ("Conv", ["a", "f"], "p", {"pads": [1, 1, 1, 1]}),
         ("QuantizeLinear", ["p", "t", "z"], "y", {})],
        {"s": np.float32(0.03), "z": np.uint8(90), "high": np.uint8(210), "t": np.float32(0.2),
         "w": codes(np.int8, 6, 4, 3, 3), "v": np.float32(0.02)},
    )  # fmt: skip


def arithmetic(type_):
    """Sums and products of codes wrap."""
    return chain(
        {"x": (type_, IMAGE), "w": (type_, IMAGE)},
        [("Add", ["x", "w"], "a", {}), ("Mul", ["a", "w"], "m", {}), ("Sub", ["m", "x"], "d", {}),
         ("Min", ["d", "w"], "n", {}), ("ReduceMax", ["n"], "y", {"keepdims": 0})],
        {}, ["d", "n", "y"],
    )  # fmt: skip


def casts(type_):
    """Of floats within the type, and of what is computed of them."""
    number = TYPES[type_]
    return chain(
        {"x": (type_, IMAGE)},
        [("Cast", ["x"], "i", {"to": TensorProto.INT32}), ("Mul", ["i", "three"], "m", {}),
         ("Cast", ["m"], "y", {"to": number}), ("Cast", ["x"], "f", {"to": TensorProto.FLOAT}),
         ("Mul", ["f", "half"], "h", {}), ("Cast", ["h"], "z", {"to": number})],
        {"three": np.int32(3), "half": np.float32(0.5)}, ["y", "z"],
    )  # fmt: skip


def integers(op: str):
    """A product of more than 2^24, an int32 output of it, and another as floats."""
    deep = 1200
    w = np.abs(codes(np.int8, deep, 4).astype(np.int32)).clip(90, 127).astype(np.int8)
    shape = (2, deep)
    if op == "ConvInteger":
        w, shape = w.T.reshape(4, deep, 1, 1), (1, deep, 2, 1)
    return chain(
        {"x": (np.uint8, shape)},
        [(op, ["x", "w", "a"], "y", {}), (op, ["x", "w"], "i", {}),
         ("Cast", ["i"], "f", {"to": TensorProto.FLOAT})],
        {"w": w, "a": np.uint8(3)}, ["y", "f"],
    )  # fmt: skip


# A network that is trained.


class Stripes(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(1, 8, 3, padding=1)
        self.second = nn.Conv2d(8, 8, 3, padding=1)
        self.last = nn.Linear(8 * 16, 5)

    def forward(self, x):
        x = torch.max_pool2d(torch.relu(self.first(x)), 2)
        x = torch.relu(self.second(x))
        return self.last(x.flatten(1))


def stripes(count: int, generator):
    """Images of 8 x 8 with waves of five angles, and which they are."""
    kinds = torch.randint(0, 5, (count,), generator=generator)
    angles, places = kinds * np.pi / 5, torch.arange(8.0)
    along = places[:, None] * angles.cos()[:, None, None] + places * angles.sin()[:, None, None]
    phase = torch.rand(count, 1, 1, generator=generator) * 2 * np.pi
    noise = torch.randn(count, 8, 8, generator=generator) * 0.3
    return (torch.sin(along * 1.5 + phase) + noise)[:, None], kinds


def trained():
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)
    model = Stripes()
    optimizer = torch.optim.Adam(model.parameters(), 5e-3)
    for _ in range(150):
        x, kinds = stripes(64, generator)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), kinds).backward()
        optimizer.step()
    x, kinds = stripes(500, generator)
    right = (model(x).argmax(1) == kinds).float().mean().item()
    assert right > 0.9, f"expected a network that has learned, but got {right} right"
    file = io.BytesIO()
    torch.onnx.export(model.eval(), (x[:1],), file, dynamo=False, opset_version=17,
                      input_names=["x"], output_names=["y"])  # fmt: skip
    return onnx.load_from_string(file.getvalue())


def of_bytes(model):
    """Without its first quantizer and the last: codes in and out."""
    graph = model.graph
    consumers = [n for n in graph.node if graph.input[0].name in n.input]
    first = next(n for n in consumers if n.op_type == "QuantizeLinear")
    last = next(n for n in graph.node if graph.output[0].name in n.output)
    zeros = {t.name: t.data_type for t in graph.initializer}
    assert len(consumers) == 1 and last.op_type == "DequantizeLinear"
    for value, node, name in (
        (graph.input[0], first, first.output[0]),
        (graph.output[0], last, last.input[0]),
    ):
        value.name, value.type.tensor_type.elem_type = name, zeros[node.input[2]]
        graph.node.remove(node)
    return model


def bytes_() -> dict:
    unsigned, signed, wide, wide_signed = (
        QuantType.QUInt8, QuantType.QInt8, QuantType.QUInt16, QuantType.QInt16,
    )  # fmt: skip

    def learned(activations, form=QuantFormat.QDQ):
        samples = Samples("x", (1, 1, 8, 8), 16)
        return _static(trained(), samples, quant_format=form, activation_type=activations,
                       weight_type=signed)  # fmt: skip

    cases = {}
    for type_ in (np.uint8, np.int8, np.uint16, np.int16):
        cases[f"borders_{type_.__name__}"] = borders(type_)
    for type_ in (np.uint8, np.int8):
        name = type_.__name__
        cases[f"between_{name}"] = between(type_)
        cases[f"arithmetic_{name}"] = arithmetic(type_)
        cases[f"casts_{name}"] = casts(type_)
    cases["bounded_product"] = bounded_product()
    for op in ("MatMulInteger", "ConvInteger"):
        cases[op] = integers(op)
    cases["wide_uint16"] = static(False, wide, signed)
    cases["wide_int16"] = static(True, wide_signed, signed)
    cases["trained_uint16"] = learned(wide)
    cases["trained_int16"] = learned(wide_signed)
    cases["trained_bytes"] = of_bytes(learned(unsigned))
    cases["trained_bytes_operators"] = of_bytes(learned(unsigned, QuantFormat.QOperator))
    cases["trained_dynamic"] = dynamic(trained())
    cases["random_bytes"] = of_bytes(static(True, signed, signed))
    cases["random_bytes_operators"] = of_bytes(
        static(False, unsigned, signed, QuantFormat.QOperator)
    )
    return cases
