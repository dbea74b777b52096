"""Makes test/Python/golden/qonnx_forms.npz: QONNX as older writers and FINN's flow leave it, and
what qonnx' own execution gives. `./dev fixtures` runs it in .venv-outside-qonnx.

- old: files of Brevitas by the names of before, FINN's domain, IntQuant, without an import;
- last: such files as qonnx makes them channels last;
- finn: activations as thresholds, channel by channel, times a scale, as FINN's conversion has them;
- rows: thresholds in other layouts and of negative scales, and what may follow them.

Of old, last and finn some are trained for a moment.
"""

from __future__ import annotations

import sys
from pathlib import Path

import brevitas.nn as qnn
import numpy as np
import torch
from brevitas.quant import (
    SignedBinaryActPerTensorConst,
    SignedBinaryWeightPerTensorConst,
)
from onnx import TensorProto, helper, numpy_helper
from qonnx.core.modelwrapper import ModelWrapper
from qonnx.transformation.channels_last import ConvertToChannelsLastAndClean
from qonnx.transformation.infer_shapes import InferShapes
from qonnx.util.cleanup import cleanup_model
from qonnx_fixtures import SEED, export, record
from torch import nn

GENERAL, FINN = "qonnx.custom_op.general", "finn.custom_op.general"
LAST = "qonnx.custom_op.channels_last"


# Networks.


def signs():
    return qnn.QuantIdentity(act_quant=SignedBinaryActPerTensorConst)


def levels(bits):
    return qnn.QuantReLU(bit_width=bits)


def dense(act):
    layers, width = [nn.Flatten()], 64
    for out in (32, 32, 4):
        layers += [
            act(),
            qnn.QuantLinear(width, out, bias=False, weight_quant=SignedBinaryWeightPerTensorConst),
            nn.BatchNorm1d(out),
        ]
        width = out
    return nn.Sequential(*layers), (2, 1, 8, 8)


def convolutional(act):
    layers, width = [], 8
    for out in (16, 16):
        layers += [
            act(),
            qnn.QuantConv2d(
                width, out, 3, padding=1, bias=False, weight_quant=SignedBinaryWeightPerTensorConst
            ),
            nn.BatchNorm2d(out),
            nn.MaxPool2d(2),
        ]
        width = out
    return nn.Sequential(*layers), (2, 8, 8, 8)


def two_bits():
    return levels(2)


def three_bits():
    return levels(3)


def trained(network, shape):
    """By the quarter of the picture that is brightest."""
    torch.manual_seed(SEED)
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    network.train()
    for _ in range(30):
        x, label = torch.randn(32, *shape[1:]), torch.randint(0, 4, (32,))
        half = shape[2] // 2
        for i, at in enumerate(label.tolist()):
            x[i, :, half * (at // 2) :][:, :half, half * (at % 2) :][:, :, :half] += 1
        y = network(x)
        y = y.flatten(2).mean(2)[:, :4] if y.ndim == 4 else y
        optimizer.zero_grad()
        nn.functional.cross_entropy(y, label).backward()
        optimizer.step()
    return network


def exported(make, act, train=False):
    torch.manual_seed(SEED)
    network, shape = make(act)
    generator = torch.Generator().manual_seed(SEED)
    if train:
        trained(network, shape)
    model = export(network, shape, generator, keep=train)
    for node in model.graph.node:
        del node.metadata_props[:]
        node.doc_string = ""
    return model


# What others make of them.


def renamed(model, domain=FINN, op="Quant"):
    """By other names, and without an import."""
    for node in model.graph.node:
        if node.domain == GENERAL:
            node.domain = domain
            node.op_type = op if node.op_type == "Quant" else node.op_type
    kept = [o for o in model.opset_import if o.domain != GENERAL]
    del model.opset_import[:]
    model.opset_import.extend(kept)
    return model


def channels_last(model):
    model.ir_version = 8
    wrapper = cleanup_model(ModelWrapper(model.SerializeToString()))
    wrapper = wrapper.transform(InferShapes())
    return wrapper.transform(ConvertToChannelsLastAndClean()).model


def thresholded(model):
    """Quantized activations as thresholds, rows of channels, times their scale."""
    constants = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}
    nodes = list(model.graph.node)
    for node in nodes:
        if node.op_type == "Constant":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    del model.graph.node[:]
    for node in nodes:
        if node.domain != GENERAL or node.input[0] in constants:
            model.graph.node.append(node)
            continue
        name = node.output[0]
        scale = constants[node.input[1]].reshape(())
        attributes = {"out_dtype": "BIPOLAR", "out_scale": 2.0, "out_bias": -1.0}
        table = np.zeros((1, 1), np.float32)
        if node.op_type == "Quant" and constants[node.input[3]] > 1:
            bits = int(constants[node.input[3]])
            attributes = {"out_dtype": f"UINT{bits}"}
            table = np.float32((np.arange(2**bits - 1) + 0.5) * scale)[None]
        for suffix, value in (("t", table), ("s", np.float32(scale))):
            model.graph.initializer.append(numpy_helper.from_array(value, f"{name}_{suffix}"))
        model.graph.node.extend(
            [
                helper.make_node("MultiThreshold", [node.input[0], f"{name}_t"], [f"{name}_q"],
                                 domain=GENERAL, name=f"{name}_q", **attributes),
                helper.make_node("Mul", [f"{name}_q", f"{name}_s"], [name], name=name),
            ]
        )  # fmt: skip
    return model


# Thresholds of channels, and what follows them.


def single(nodes, shape, result, constants):
    """(op, inputs, output, attributes[, domain])"""
    made = [
        helper.make_node(op, ins.split(), [out], name=out, domain=rest[0] if rest else "", **attrs)
        for op, ins, out, attrs, *rest in nodes
    ]
    used = {name for node in made for name in node.input}
    graph = helper.make_graph(
        made,
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, result)],
        [numpy_helper.from_array(a, name) for name, a in constants.items() if name in used],
        value_info=[  # which qonnx does not infer
            helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, sizes)
            for node in made
            if (sizes := known(node, shape))
        ],
    )
    imports = [helper.make_opsetid("", 13)] + [helper.make_opsetid(d, 1) for d in (GENERAL, LAST)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8)


def known(node, shape):
    """The sizes of thresholds and of pools of channels last."""
    if node.op_type == "MultiThreshold":
        return shape
    if node.op_type == "MaxPool" and node.domain:
        return [shape[0], shape[1] // 2, shape[2] // 2, shape[3]]
    return None


def rows() -> dict:
    generator = np.random.default_rng(SEED)
    c = 16

    def table(steps, channels=c):
        return np.float32(np.sort(generator.standard_normal((channels, steps)), axis=1))

    def signs_of(*shape):
        return np.float32(generator.integers(0, 2, shape) * 2 - 1)

    constants = {
        "one": table(1), "three": table(3), "seven": table(7), "shared": table(3, 1),
        "w": signs_of(8, c, 3, 3), "last": signs_of(8, 3, 3, c), "m": signs_of(c, 8),
        "flat": signs_of(c * 16, 8), "half": np.float32(0.5), "two": np.float32(-2),
        "double": signs_of(8, 2 * c, 3, 3),
    }  # fmt: skip
    image, nhwc = [2, c, 4, 4], [1, 4, 4, c]
    bipolar = {"out_scale": 2.0, "out_bias": -1.0, "out_dtype": "BIPOLAR"}
    window = {
        "kernel_shape": [3, 3], "pads": [1] * 4, "strides": [1, 1], "dilations": [1, 1], "group": 1
    }  # fmt: skip
    pool = {"kernel_shape": [2, 2], "strides": [2, 2], "pads": [0] * 4}

    def steps(ins, out, **attributes):
        return ("MultiThreshold", ins, out, {"out_dtype": "UINT4", **attributes}, GENERAL)

    conv, last = ("Conv", "q w", "y", window), ("Conv", "q last", "y", window, LAST)
    layout = {"data_layout": "NHWC"}
    forms = {
        "bipolar": ([steps("x one", "q", **bipolar), conv], image),
        "two_bits": ([steps("x three", "q"), conv], image),
        "three_bits": ([steps("x seven", "q"), conv], image),
        "shared": ([steps("x shared", "q"), conv], image),
        "below_0": ([steps("x three", "q", out_scale=-1.0, out_bias=1.0), conv], image),
        "below_0_bipolar": ([steps("x one", "q", out_scale=-2.0, out_bias=1.0), conv], image),
        "below_0_half": ([steps("x seven", "q", out_scale=-0.5), conv], image),
        "below_0_last": (
            [steps("x three", "q", out_scale=-1.0, **layout), last],
            nhwc,
        ),
        "below_0_rows": (
            [steps("x one", "q", out_scale=-2.0, out_bias=1.0), ("MatMul", "q m", "y", {})], [5, c]
        ),
        "last": (
            [steps("x one", "q", **bipolar, **layout), last], nhwc
        ),
        "last_pool": (
            [steps("x three", "q", **layout), ("MaxPool", "q", "p", pool, LAST),
             ("Conv", "p last", "y", window, LAST)], nhwc,
        ),
        "transposed": (
            [steps("x three", "p", **layout),
             ("Transpose", "p", "q", {"perm": [0, 3, 1, 2]}), conv], nhwc,
        ),
        "matrix": ([steps("x three", "q"), ("MatMul", "q m", "y", {})], [5, c]),
        "sequence": ([steps("x one", "q", **bipolar), ("MatMul", "q m", "y", {})], [2, 3, c]),
        "pool": ([steps("x three", "p"), ("MaxPool", "p", "q", pool), conv], image),
        "scaled": (
            [steps("x seven", "p"), ("Mul", "p half", "r", {}), ("Add", "r two", "q", {}), conv],
            image,
        ),
        "flat": (
            [steps("x one", "p", **bipolar), ("Flatten", "p", "q", {}),
             ("MatMul", "q flat", "y", {})], image,
        ),
        "joined": (
            [steps("x three", "p"), steps("x shared", "r"), ("Concat", "p r", "q", {"axis": 1}),
             ("Conv", "q double", "y", window)], image,
        ),
        "added": (
            [steps("x three", "p"), steps("x one", "r"), ("Add", "p r", "q", {}), conv], image
        ),
    }  # fmt: skip
    results = {
        "below_0_last": [1, 4, 4, 8], "last": [1, 4, 4, 8], "last_pool": [1, 2, 2, 8],
        "transposed": [1, 8, 4, 4],
        "below_0_rows": [5, 8], "matrix": [5, 8], "sequence": [2, 3, 8], "pool": [2, 8, 2, 2],
        "flat": [2, 8],
    }  # fmt: skip
    return {
        f"rows_{name}": single(nodes, shape, results.get(name, [2, 8, 4, 4]), constants)
        for name, (nodes, shape) in forms.items()
    }


def networks() -> dict:
    cases = {
        "old_dense": renamed(exported(dense, signs)),
        "old_dense_trained": renamed(exported(dense, signs, train=True)),
        "old_two_bits": renamed(exported(convolutional, two_bits), op="IntQuant"),
        "old_two_bits_trained": renamed(exported(convolutional, two_bits, train=True), "finn"),
        "old_brevitas": renamed(exported(convolutional, signs), "onnx.brevitas"),
        "old_int_quant": renamed(exported(dense, three_bits), GENERAL, "IntQuant"),
    }
    for name, act in {"signs": signs, "two_bits": two_bits, "three_bits": three_bits}.items():
        for train in (False, True):
            suffix = "_trained" if train else ""
            model = exported(convolutional, act, train)
            cases[f"last_{name}{suffix}"] = channels_last(model)
            cases[f"finn_{name}{suffix}"] = renamed(
                thresholded(exported(convolutional, act, train))
            )
    cases["finn_dense"] = renamed(thresholded(exported(dense, two_bits)))
    return cases


def main() -> None:
    torch.set_num_threads(1)
    arrays = {}
    for seed, (name, model) in enumerate((networks() | rows()).items()):
        constants = {tensor.name for tensor in model.graph.initializer}
        (given,) = (value for value in model.graph.input if value.name not in constants)
        shape = [d.dim_value for d in given.type.tensor_type.shape.dim]
        x = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
        try:
            recorded = record(model, x)
        except Exception as error:
            sys.exit(f"qonnx_forms: {name}: {error}")
        arrays |= {f"{name}/{key}": array for key, array in recorded.items()}
    folder = Path(__file__).resolve().parents[2] / "test/Python/golden"
    np.savez_compressed(folder / "qonnx_forms.npz", **arrays)


if __name__ == "__main__":
    main()
