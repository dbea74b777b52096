"""Which operators of ONNX the exporters and quantizers of outside libraries write.

    python onnx_exports.py GROUP...

with a group's own environment, as `./dev onnx-operators` does, writes what its exports have into
test/Python/golden/onnx_exports.json: the name of each export, and its operators. onnx_operators.py
makes a page of it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnx.inliner

FILE = Path(__file__).resolve().parents[2] / "test/Python/golden/onnx_exports.json"
OPSET = 18


def operators(model) -> dict[str, list[str]]:
    """Those that compute at run time, and those of constants and shapes alone; others' than ONNX'
    own with their domain."""
    if model.functions:
        model = onnx.inliner.inline_local_functions(model)
    constants = {"", *(tensor.name for tensor in model.graph.initializer)}
    computed, folded = set(), set()
    for node in model.graph.node:
        name = node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}"
        if constants.issuperset(node.input):
            folded.add(name)
        else:
            computed.add(name)
        if constants.issuperset(node.input) or name in ("Shape", "Size"):
            constants.update(node.output)
    return {"computed": sorted(computed), "constants": sorted(folded - computed)}


# PyTorch.


def transformer():
    """A small one of torch.nn."""
    from torch import nn

    layer = nn.TransformerEncoderLayer(16, 2, 32, activation="gelu", batch_first=True)
    return nn.Sequential(nn.TransformerEncoder(layer, 2), nn.LayerNorm(16), nn.Linear(16, 5))


def exported(model, shape, *, dynamo: bool, opset: int = OPSET):
    import torch

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        torch.onnx.export(
            model.eval(), (torch.randn(shape),), path, dynamo=dynamo, opset_version=opset
        )
        return onnx.load(path)


def of_torch():
    from torchvision import models

    networks = {
        "ResNet-18": models.resnet18,
        "MobileNetV2": models.mobilenet_v2,
        "MobileNetV3": models.mobilenet_v3_small,
        "VGG-11": models.vgg11_bn,
        "DenseNet-121": models.densenet121,
        "EfficientNet-B0": models.efficientnet_b0,
        "ViT-B/16": models.vit_b_16,
    }
    for name, make in networks.items():
        yield name, make(), (1, 3, 224, 224)
    yield "TransformerEncoder", transformer(), (1, 7, 16)


def torch_():
    for name, model, shape in of_torch():
        yield f"PyTorch (TorchScript), {name}", exported(model, shape, dynamo=False, opset=17)
        yield f"PyTorch (dynamo), {name}", exported(model, shape, dynamo=True)


# Brevitas.


def brevitas():
    import torch
    from brevitas import nn as qnn
    from brevitas.export import export_onnx_qcdq, export_qonnx
    from brevitas.quant import (
        Int8ActPerTensorFloat,
        SignedBinaryActPerTensorConst,
        SignedBinaryWeightPerTensorConst,
    )
    from torch import nn

    def network(bits: int):
        binary = {"weight_quant": SignedBinaryWeightPerTensorConst} if bits == 1 else {}
        act = (
            qnn.QuantIdentity(act_quant=SignedBinaryActPerTensorConst)
            if bits == 1
            else qnn.QuantReLU(bit_width=bits)
        )
        options = {"weight_bit_width": bits, **binary}
        return nn.Sequential(
            qnn.QuantIdentity(act_quant=Int8ActPerTensorFloat),
            qnn.QuantConv2d(3, 8, 3, padding=1, bias=False, **options),
            nn.BatchNorm2d(8), act, nn.MaxPool2d(2),
            qnn.QuantConv2d(8, 8, 3, bias=False, **options),
            nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(),
            qnn.QuantLinear(8 * 6 * 6, 5, bias=True, **options),
        )  # fmt: skip

    x = torch.randn(1, 3, 16, 16)
    for bits in (1, 2, 4, 8):
        model = network(bits).eval()
        model(x)
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "net.onnx")
            export_qonnx(model, x, path, opset_version=17)
            yield f"Brevitas (QONNX), {bits} bits", onnx.load(path)
            if bits > 1:
                export_onnx_qcdq(model, x, path, opset_version=17)
                yield f"Brevitas (QCDQ), {bits} bits", onnx.load(path)


# Quantizers of ONNX models.


def small_networks():
    """What they quantize."""
    import torch
    from torch import nn

    class Residual(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.norm = nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8)
            self.depth = nn.Conv2d(8, 8, 3, padding=1, groups=8)
            self.gate = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(8, 8, 1), nn.Hardsigmoid())
            self.last = nn.Linear(16, 5)

        def forward(self, x):
            x = torch.relu(self.norm(self.first(x)))
            y = nn.functional.hardswish(self.depth(x))
            x = torch.cat((x + y * self.gate(y), nn.functional.relu6(x)), 1)
            return self.last(x.mean((2, 3)))

    yield "convolutions", Residual(), (1, 3, 16, 16)
    yield "TransformerEncoder", transformer(), (1, 7, 16)


def quantizers():
    import nncf
    from onnxruntime.quantization import (
        CalibrationDataReader,
        QuantFormat,
        quantize_dynamic,
        quantize_static,
    )

    class Samples(CalibrationDataReader):
        def __init__(self, name, shape):
            generator = np.random.default_rng(0)
            self.samples = iter(
                {name: generator.standard_normal(shape, np.float32)} for _ in range(4)
            )

        def get_next(self):
            return next(self.samples, None)

    for name, model, shape in small_networks():
        made = exported(model, shape, dynamo=False, opset=17)
        entry = made.graph.input[0].name
        with tempfile.TemporaryDirectory() as folder:
            before, after = str(Path(folder) / "before.onnx"), str(Path(folder) / "after.onnx")
            onnx.save(made, before)
            for kind in (QuantFormat.QDQ, QuantFormat.QOperator):
                quantize_static(before, after, Samples(entry, shape), quant_format=kind)
                yield f"ONNX Runtime ({kind.name}), {name}", onnx.load(after)
            quantize_dynamic(before, after)
            yield f"ONNX Runtime (dynamic), {name}", onnx.load(after)
        samples = list(iter(Samples(entry, shape).get_next, None))
        yield f"NNCF, {name}", nncf.quantize(made, nncf.Dataset(samples))


# Keras by tf2onnx.


def tensorflow():
    import tensorflow as tf
    import tf2onnx

    applications = tf.keras.applications
    for name, make in {
        "ResNet-50": applications.ResNet50,
        "MobileNetV2": applications.MobileNetV2,
        "MobileNetV3": applications.MobileNetV3Small,
        "VGG-16": applications.VGG16,
        "DenseNet-121": applications.DenseNet121,
        "EfficientNet-B0": applications.EfficientNetB0,
    }.items():
        model = make(weights=None, input_shape=(64, 64, 3), classes=10)
        yield f"tf2onnx, Keras {name}", tf2onnx.convert.from_keras(model, opset=OPSET)[0]
    layers = tf.keras.layers
    x = entry = tf.keras.Input((7, 16))
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 8)(x, x))
    x = layers.LayerNormalization()(x + layers.Dense(16)(layers.Dense(32, "silu")(x)))
    model = tf.keras.Model(entry, layers.Dense(5)(layers.GlobalAveragePooling1D()(x)))
    yield "tf2onnx, Keras transformer", tf2onnx.convert.from_keras(model, opset=OPSET)[0]


GROUPS = {"torch": torch_, "brevitas": brevitas, "quantizers": quantizers, "tensorflow": tensorflow}


def main(groups) -> None:
    for group in groups:
        exports = {name: operators(model) for name, model in GROUPS[group]()}
        known = json.loads(FILE.read_text()) if FILE.exists() else {}
        known[group] = exports
        FILE.write_text(json.dumps(dict(sorted(known.items())), indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
