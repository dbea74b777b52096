"""Makes test/Python/golden/qonnx_networks.npz: networks of Brevitas as it exports them to QONNX,
operators of QONNX and FINN, inputs, and what qonnx' own execution gives. `./dev fixtures` runs it
in .venv-outside-qonnx.

The archive is laid out as those of fixtures.py. Widths of the larger architectures are cut, and
weights are multiples of 1/4, so that it stays small.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

import brevitas.nn as qnn
import numpy as np
import onnx
import torch
from brevitas.export import export_qonnx
from brevitas.quant import (
    Int4WeightPerTensorFloatDecoupled,
    Int8WeightPerChannelFloat,
    Int8WeightPerTensorFloat,
    SignedBinaryActPerTensorConst,
    SignedBinaryWeightPerTensorConst,
    TruncTo8bit,
    Uint8ActPerTensorFloat,
)
from brevitas_examples.bnn_pynq.models import CNV as cnv
from brevitas_examples.bnn_pynq.models import FC as fc
from onnx import TensorProto, helper, numpy_helper
from qonnx.core.modelwrapper import ModelWrapper
from qonnx.core.onnx_exec import execute_onnx
from qonnx.util.cleanup import cleanup_model
from torch import nn

SEED = 20261124
KINDS = {"w1a1": (1, 1), "w1a2": (1, 2), "w2a2": (2, 2)}


def fully_connected(widths, weight_bits, act_bits):
    return fc.FC(
        num_classes=10,
        weight_bit_width=weight_bits,
        act_bit_width=act_bits,
        in_bit_width=act_bits,
        in_channels=1,
        out_features=widths,
    )


def convolutional(weight_bits, act_bits):
    """CNV with a quarter of its channels."""
    cnv.CNV_OUT_CH_POOL = [
        (16, False), (16, True), (32, False), (32, True), (64, False), (64, False)
    ]  # fmt: skip
    cnv.INTERMEDIATE_FC_FEATURES, cnv.LAST_FC_IN_FEATURES = [(64, 128), (128, 128)], 128
    return cnv.CNV(
        num_classes=10,
        weight_bit_width=weight_bits,
        act_bit_width=act_bits,
        in_bit_width=8,
        in_ch=3,
    )


class Block(nn.Module):
    """A residual block of its own kinds of quantizers."""

    def __init__(self, channels, act, weight, groups=1, **options):
        super().__init__()
        self.act = act
        self.conv = qnn.QuantConv2d(
            channels, channels, 3, padding=1, bias=False, groups=groups, weight_quant=weight,
            **options,
        )  # fmt: skip
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return x + self.norm(self.conv(self.act(x)))


class Mixed(nn.Module):
    """1, 2, 3, 4 and 8 bits, per tensor and channel, groups, a truncated average."""

    def __init__(self):
        super().__init__()
        self.image = qnn.QuantIdentity(bit_width=8, return_quant_tensor=True)
        self.stem = qnn.QuantConv2d(
            3, 32, 3, padding=1, bias=False, weight_quant=Int8WeightPerChannelFloat
        )
        self.norm = nn.BatchNorm2d(32)
        self.blocks = nn.Sequential(
            Block(32, qnn.QuantIdentity(act_quant=SignedBinaryActPerTensorConst),
                  SignedBinaryWeightPerTensorConst),
            Block(32, qnn.QuantReLU(bit_width=2), SignedBinaryWeightPerTensorConst, groups=2),
            Block(32, qnn.QuantReLU(bit_width=3), Int8WeightPerChannelFloat, weight_bit_width=3),
            Block(32, qnn.QuantIdentity(bit_width=4), Int4WeightPerTensorFloatDecoupled),
            Block(32, qnn.QuantReLU(bit_width=4), Int8WeightPerTensorFloat, weight_bit_width=2),
        )  # fmt: skip
        self.relu = qnn.QuantReLU(act_quant=Uint8ActPerTensorFloat, return_quant_tensor=True)
        self.pool = qnn.TruncAvgPool2d(8, trunc_quant=TruncTo8bit, float_to_int_impl_type="FLOOR")
        self.head = qnn.QuantLinear(32, 10, bias=True, weight_quant=Int8WeightPerTensorFloat)

    def forward(self, x):
        x = self.blocks(self.norm(self.stem(self.image(x))))
        x = self.pool(self.relu(x))
        x = x.value if hasattr(x, "value") else x
        return self.head(x.flatten(1))


class Grouped(nn.Module):
    """Depthwise and pointwise layers of few bits, as a MobileNet has them."""

    def __init__(self):
        super().__init__()

        def layer(fan_in, fan_out, kernel, **options):
            return [
                qnn.QuantConv2d(fan_in, fan_out, kernel, bias=False,
                                weight_quant=Int8WeightPerChannelFloat, **options),
                nn.BatchNorm2d(fan_out),
                qnn.QuantReLU(bit_width=4),
            ]  # fmt: skip

        self.layers = nn.Sequential(
            qnn.QuantIdentity(bit_width=8),
            *layer(3, 32, 3, stride=2, padding=1, weight_bit_width=8),
            *layer(32, 32, 3, padding=1, groups=32, weight_bit_width=4),
            *layer(32, 64, 1, weight_bit_width=4),
            *layer(64, 64, 3, padding=1, groups=64, weight_bit_width=4),
            *layer(64, 32, 1, weight_bit_width=2),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
            qnn.QuantLinear(32, 10, bias=True, weight_bit_width=4),
        )

    def forward(self, x):
        return self.layers(x)


def networks() -> dict:
    """NAME: (a network, the shape of its input)."""
    digits, image = (3, 1, 28, 28), (2, 3, 32, 32)
    cases = {}
    for kind, bits in KINDS.items():
        cases[f"tfc_{kind}"] = fully_connected([64, 64, 64], *bits), digits
        cases[f"sfc_{kind}"] = fully_connected([96, 96, 96], *bits), digits
        cases[f"lfc_{kind}"] = fully_connected([128, 128, 128], *bits), digits
        cases[f"cnv_{kind}"] = convolutional(*bits), image
    cases["mixed"] = Mixed(), (2, 3, 8, 8)
    cases["grouped"] = Grouped(), (2, 3, 12, 12)
    return cases


def export(network, shape, generator, keep=False) -> onnx.ModelProto:
    """With random weights, or (`keep`) those that it has."""
    for module in network.modules():
        if isinstance(module, (nn.Conv2d, nn.Linear)) and not keep:
            weight = torch.rand(module.weight.shape, generator=generator) * 2 - 1
            module.weight.data = torch.round(weight * 4) / 4
    with torch.no_grad():  # statistics of batch norms and of scales
        network.train()
        for _ in range(3):
            network(torch.rand(32, *shape[1:], generator=generator))
    network.eval()
    file = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.onnx"
        export_qonnx(
            network, torch.rand(shape, generator=generator), export_path=str(path), dynamo=False
        )
        file.write(path.read_bytes())
    return onnx.load_from_string(file.getvalue())


def operator(nodes, shape, constants, version=1) -> onnx.ModelProto:
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(np.float32(a), name) for name, a in constants.items()],
    )
    imports = [
        helper.make_opsetid("", 13),
        helper.make_opsetid("qonnx.custom_op.general", version),
    ]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def thresholds(shape, table, **attributes) -> onnx.ModelProto:
    node = helper.make_node(
        "MultiThreshold", ["x", "t"], ["y"], domain="qonnx.custom_op.general", name="thresholds",
        **{"out_dtype": "UINT4", **attributes},
    )  # fmt: skip
    return operator([node], shape, {"t": table})


def trunc(version, operands, constants, **attributes) -> onnx.ModelProto:
    node = helper.make_node(
        "Trunc", ["x", *operands], ["y"], domain="qonnx.custom_op.general", name="trunc",
        **attributes,
    )  # fmt: skip
    return operator([node], [2, 50], constants, version)


def operators() -> dict:
    shared = [[-1.0, -0.25, 0.0, 0.75, 1.5]]
    generator = np.random.default_rng(SEED)
    table = np.sort(generator.standard_normal((6, 7)), axis=1)
    first = {"s": 0.25, "z": 0, "i": 8, "o": 4}
    second = {"s": 0.25, "z": 0, "i": 8, "t": 1.0, "o": 4}
    return {
        "thresholds": thresholds([2, 6, 4, 4], shared),
        "thresholds_channels": thresholds([2, 6, 4, 4], table, out_scale=2.0, out_bias=-7.0),
        "thresholds_rows": thresholds([5, 6], table, out_scale=0.5, out_bias=-1.75),
        "thresholds_last": thresholds([2, 4, 4, 6], table, data_layout="NHWC"),
        "thresholds_bipolar": thresholds(
            [2, 6, 4, 4], table[:, :1], out_dtype="BIPOLAR", out_scale=2.0, out_bias=-1.0
        ),
        "trunc": trunc(1, "szio", first, rounding_mode="FLOOR"),
        "trunc_ceil": trunc(1, "szio", {**first, "z": 3}, rounding_mode="CEIL"),
        "trunc_rescaled": trunc(2, "szito", second, rounding_mode="FLOOR", signed=1, narrow=0),
        "trunc_narrow": trunc(2, "szito", {**second, "z": 4}, rounding_mode="ROUND", narrow=1),
    }


def record(model: onnx.ModelProto, x: np.ndarray) -> dict:
    model.ir_version = min(model.ir_version, 10)  # what the runtime below qonnx reads
    content = model.SerializeToString()
    cleaned = cleanup_model(ModelWrapper(content))
    result = execute_onnx(cleaned, {cleaned.graph.input[0].name: x})
    (y,) = result.values()
    return {"model": np.frombuffer(content, np.uint8), "x0": x, "y0": np.float32(y)}


def main() -> None:
    arrays = {}

    def add(name, model, x):
        try:
            recorded = record(model(), x)
        except Exception as error:
            sys.exit(f"qonnx_fixtures: {name}: {error}")
        arrays.update({f"{name}/{key}": array for key, array in recorded.items()})

    torch.manual_seed(SEED)
    for seed, (name, (network, shape)) in enumerate(networks().items()):
        generator = torch.Generator().manual_seed(SEED + seed)
        x = np.random.default_rng(seed).random(shape, np.float32)
        add(name, lambda n=network, s=shape, g=generator: export(n, s, g), x)
    for seed, (name, model) in enumerate(operators().items()):
        shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
        x = 2 * np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
        add(name, lambda m=model: m, x)
    folder = Path(__file__).resolve().parents[2] / "test/Python/golden"
    np.savez_compressed(folder / "qonnx_networks.npz", **arrays)


if __name__ == "__main__":
    main()
