"""The quantized ONNX models that `./dev fixtures` runs: QuantizeLinear and DequantizeLinear around
single products, and networks that ONNX Runtime's quantization made."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnx_cases
import torch
from onnx import TensorProto, helper, numpy_helper
from onnx_cases import OPSET, SEED, _model
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_dynamic,
    quantize_static,
)

LIMITS = {"INT8": (-128, 127), "UINT8": (0, 255), "INT4": (-8, 7), "UINT4": (0, 15)}
CHANNELS = 8


def product(op, image, filters, code, per_channel, zeros, input_zero, **attributes):
    """`op` of a quantized input by a filter of random codes; its filters lie along axis 0."""
    generator = np.random.default_rng(SEED)
    axis = 0 if op == "Conv" or attributes.get("transB") else 1
    low, high = LIMITS[code]
    codes = generator.integers(low, high + 1, filters)
    shape = (filters[axis],) if per_channel else ()
    scales = np.abs(generator.standard_normal(shape)).astype(np.float32) / 50 + np.float32(0.01)
    zero = generator.integers(low, high + 1, shape) if zeros else np.zeros(shape, int)
    type_ = getattr(TensorProto, code)
    tensors = [
        numpy_helper.from_array(np.float32(0.03), "s"),
        numpy_helper.from_array(input_zero, "z"),
        numpy_helper.from_array(scales, "v"),
        helper.make_tensor("w", type_, filters, codes.reshape(-1)),
        helper.make_tensor("u", type_, shape, np.reshape(zero, -1)),
    ]
    along = {"axis": axis} if per_channel else {}
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], name="quantize"),
        helper.make_node("DequantizeLinear", ["q", "s", "z"], ["a"], name="decode"),
        helper.make_node("DequantizeLinear", ["w", "v", "u"], ["f"], name="filter", **along),
        helper.make_node(op, ["a", "f"], ["y"], name="product", **attributes),
    ]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, image)]
    return _model(nodes, inputs, tensors, ["y"], max(OPSET, 21))


class Samples(CalibrationDataReader):
    """Random inputs."""

    def __init__(self, name="x", shape=(1, 3, 12, 12), count=8):
        generator = np.random.default_rng(SEED)
        inputs = generator.standard_normal((count, *shape)).astype(np.float32)
        self.inputs = iter([{name: x} for x in inputs])

    def get_next(self):
        return next(self.inputs, None)


def static(per_channel, activations, weights, form=QuantFormat.QDQ):
    """A network of three convolutions and a classifier by `quantize_static`."""
    generator = np.random.default_rng(SEED)

    def tensor(name, *shape):
        values = generator.standard_normal(shape) / np.sqrt(np.prod(shape[1:]) or 1)
        return numpy_helper.from_array(values.astype(np.float32), name)

    tensors = [tensor("w1", 16, 3, 3, 3), tensor("b1", 16), tensor("w2", 16, 16, 3, 3),
               tensor("b2", 16), tensor("w3", 24, 16, 3, 3), tensor("b3", 24),
               tensor("w4", 10, 24), tensor("b4", 10)]  # fmt: skip
    padded = {"pads": [1, 1, 1, 1]}
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], name="conv1", **padded),
        helper.make_node("Relu", ["c1"], ["r1"], name="relu1"),
        helper.make_node("Conv", ["r1", "w2", "b2"], ["c2"], name="conv2", **padded),
        helper.make_node("Add", ["c2", "r1"], ["a2"], name="add2"),
        helper.make_node("Relu", ["a2"], ["r2"], name="relu2"),
        helper.make_node("MaxPool", ["r2"], ["m2"], name="pool2", kernel_shape=[2, 2],
                         strides=[2, 2]),
        helper.make_node("Conv", ["m2", "w3", "b3"], ["c3"], name="conv3", **padded),
        helper.make_node("Relu", ["c3"], ["r3"], name="relu3"),
        helper.make_node("GlobalAveragePool", ["r3"], ["g"], name="pool3"),
        helper.make_node("Flatten", ["g"], ["f"], name="flatten"),
        helper.make_node("Gemm", ["f", "w4", "b4"], ["y"], name="classify", transB=1),
    ]  # fmt: skip
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 12, 12))]
    model = _model(nodes, inputs, tensors, ["y"], 17)
    if form is None:
        return dynamic(model)
    return _static(model, Samples(), quant_format=form, per_channel=per_channel,
                   activation_type=activations, weight_type=weights)  # fmt: skip


def _static(model, samples, **options):
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "float.onnx", Path(folder) / "quantized.onnx"
        onnx.save(model, before)
        quantize_static(before, after, samples, **options)
        return onnx.load(after)


def encoder(form):
    """Attention and two layers, quantized; without a form by scales of run time."""
    torch.manual_seed(SEED)
    make, shape = onnx_cases.NETWORKS["encoder"]
    file = io.BytesIO()
    torch.onnx.export(make().eval(), (torch.zeros(shape),), file, dynamo=False, opset_version=17)
    model = onnx.load_from_string(file.getvalue())
    if form is None:
        return dynamic(model)
    return _static(model, Samples(model.graph.input[0].name, shape), quant_format=form)


def channels(type_):
    """Activations with a scale and a zero point for each channel, as NNCF has them in front of
    depthwise convolutions."""
    generator = np.random.default_rng(SEED)
    scales = np.abs(generator.standard_normal(CHANNELS)).astype(np.float32) / 50 + np.float32(0.01)
    zeros = generator.integers(0, 100, CHANNELS).astype(type_)
    nodes = [
        ("QuantizeLinear", ["x", "s", "z"], "q", {"axis": 1}),
        ("DequantizeLinear", ["q", "s", "z"], "y", {"axis": -3}),
    ]
    return onnx_cases.chain({"x": (1, CHANNELS, 7, 6)}, nodes, {"s": scales, "z": zeros})


def dynamic(model):
    """By scales that are computed at run time."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "float.onnx", Path(folder) / "quantized.onnx"
        onnx.save(model, before)
        quantize_dynamic(before, after)
        return onnx.load(after)


def quantized() -> dict:
    cases = {}
    image, filters = (1, CHANNELS, 7, 6), (5, CHANNELS, 3, 3)
    middle, signed = np.uint8(121), np.int8(-3)
    same = {"pads": [1, 1, 1, 1]}
    for code in LIMITS:
        for channel in (False, True):
            name = f"Conv_{code.lower()}_{'channel' if channel else 'tensor'}"
            zeros = code.startswith("U")
            cases[name] = product("Conv", image, filters, code, channel, zeros, middle, **same)
    cases["Conv_int8_int8"] = product("Conv", image, filters, "INT8", True, False, signed, **same)
    cases["Conv_strides"] = product(
        "Conv", image, filters, "UINT8", True, True, np.uint8(0), strides=[2, 3]
    )
    cases["Conv_groups"] = product(
        "Conv", image, (6, CHANNELS // 2, 3, 3), "INT8", True, False, middle, group=2, **same
    )
    cases["MatMul"] = product("MatMul", (3, 20), (20, 7), "INT8", False, False, middle)
    cases["MatMul_uint8"] = product("MatMul", (3, 20), (20, 7), "UINT8", True, True, middle)
    cases["Gemm"] = product("Gemm", (3, 20), (7, 20), "INT8", True, False, signed, transB=1)
    unsigned, int8 = QuantType.QUInt8, QuantType.QInt8
    cases["static_channel"] = static(True, unsigned, int8)
    cases["static_uint8"] = static(False, unsigned, unsigned)
    cases["static_operators"] = static(False, unsigned, int8, QuantFormat.QOperator)
    cases["static_operators_channel"] = static(True, int8, int8, QuantFormat.QOperator)
    cases["dynamic"] = static(False, unsigned, int8, None)
    cases["encoder_static"] = encoder(QuantFormat.QDQ)
    cases["encoder_operators"] = encoder(QuantFormat.QOperator)
    cases["encoder_dynamic"] = encoder(None)
    cases["channels_uint8"] = channels(np.uint8)
    cases["channels_int8"] = channels(np.int8)
    return cases
