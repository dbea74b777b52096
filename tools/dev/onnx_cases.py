"""The ONNX models that `./dev fixtures` runs: one for each operator, and networks."""

from __future__ import annotations

import io

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional as F

OPSET = 20
SEED = 7

IMAGE, ROW, SIGNAL = (1, 4, 7, 6), (3, 10), (1, 4, 15)


# What a tuple of a type and a shape begins with.
TYPES = {"float": TensorProto.FLOAT, "int": TensorProto.INT64, "bool": TensorProto.BOOL}


def random(shape) -> np.ndarray:
    return np.random.default_rng(SEED).standard_normal(shape).astype(np.float32)


def single(op: str, *operands, outputs=1, opset=OPSET, **attributes):
    """A model of one node. Tuples are inputs of that shape, arrays initializers, None left out."""
    inputs, initializers, names = [], [], []
    for i, operand in enumerate(operands):
        names.append("" if operand is None else f"x{i}")
        if isinstance(operand, tuple):
            type_, *shape = operand if operand and operand[0] in TYPES else ("float", *operand)
            inputs.append(helper.make_tensor_value_info(f"x{i}", TYPES[type_], shape))
        elif operand is not None:
            initializers.append(numpy_helper.from_array(np.asarray(operand), f"x{i}"))
    results = [f"y{i}" for i in range(outputs)]
    node = helper.make_node(op, names, results, name=f"the_{op}", **attributes)
    return _model([node], inputs, initializers, results, opset)


def chain(inputs, nodes, initializers=(), opset=OPSET):
    """A model of nodes (op, inputs, output, attributes), whose result is the last one's."""
    infos = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs.items()]
    made = [
        helper.make_node(op, ins, [out], name=out, **attributes)
        for op, ins, out, attributes in nodes
    ]
    tensors = [numpy_helper.from_array(np.asarray(a), n) for n, a in dict(initializers).items()]
    return _model(made, infos, tensors, [nodes[-1][2]], opset)


def _model(nodes, inputs, initializers, results, opset):
    # Inference says of what type they are.
    outputs = [helper.make_empty_tensor_value_info(n) for n in results]
    graph = helper.make_graph(nodes, "graph", inputs, outputs, initializers)
    imports = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=10, producer_name="")
    return onnx.shape_inference.infer_shapes(model)


def ints(*values):
    return np.array(values, np.int64)


def through_bool(op: str, *operands):
    """A comparison or a function of bits, made float again."""
    return chain(
        {"x": IMAGE},
        [*operands, (op, [o[2] for o in operands] or ["x", "c"], "bits", {}),
         ("Cast", ["bits"], "y", {"to": TensorProto.FLOAT})],
        {"c": random((4, 1, 1))},
    )  # fmt: skip


def compared(name: str, op: str = "Greater"):
    return (op, ["x", "c"], name, {})


def operators() -> dict:
    """One model for each operator and way to use it."""
    cases = {}
    w, b = random((6, 4, 3, 3)) / 5, random((6,))
    cases["Conv"] = single("Conv", IMAGE, w, b, pads=[1, 1, 1, 1])
    cases["Conv_uneven"] = single("Conv", IMAGE, w, pads=[2, 0, 1, 1], strides=[2, 1],
                                  dilations=[1, 2])  # fmt: skip
    cases["Conv_groups"] = single("Conv", IMAGE, random((8, 2, 3, 3)), group=2)
    cases["Conv_depthwise"] = single("Conv", IMAGE, random((4, 1, 3, 3)), group=4, pads=[1] * 4)
    for pad in ("SAME_UPPER", "SAME_LOWER", "VALID"):
        cases[f"Conv_{pad}"] = single("Conv", IMAGE, w, auto_pad=pad, strides=[2, 3])
    cases["Conv_1d"] = single("Conv", SIGNAL, random((6, 4, 3)), b, pads=[1, 0], strides=[2])
    for name, options in {
        "plain": {}, "strides": {"strides": [2, 3]},
        "pads": {"strides": [2, 2], "pads": [1, 0, 1, 2]},
        "output": {"strides": [2, 2], "output_padding": [1, 0]}, "dilated": {"dilations": [2, 1]},
        "same": {"strides": [2, 2], "auto_pad": "SAME_UPPER"},
        "shape": {"strides": [2, 2], "output_shape": [14, 13]},
    }.items():  # fmt: skip
        cases[f"ConvTranspose_{name}"] = single(
            "ConvTranspose", IMAGE, random((4, 5, 3, 3)), random((5,)), **options
        )
    cases["ConvTranspose_groups"] = single("ConvTranspose", IMAGE, random((4, 3, 2, 2)), group=2)
    cases["ConvTranspose_1d"] = single("ConvTranspose", SIGNAL, random((4, 3, 4)), strides=[2])
    cases["Gemm"] = single("Gemm", ROW, random((10, 7)), random((7,)))
    cases["Gemm_transposed"] = single("Gemm", (10, 3), random((7, 10)), random((3, 7)), transA=1,
                                      transB=1, alpha=0.5, beta=2.0)  # fmt: skip
    cases["MatMul"] = single("MatMul", (2, 3, 10), random((10, 7)))
    cases["MatMul_batches"] = single("MatMul", (2, 1, 3, 10), (4, 10, 5))
    channels = [random((4,)), random((4,)) / 2, random((4,)) / 3, np.abs(random((4,))) + 0.1]
    cases["BatchNormalization"] = single("BatchNormalization", IMAGE, *channels, epsilon=1e-3)
    cases["BatchNormalization_rows"] = single("BatchNormalization", (3, 4), *channels)
    cases["LayerNormalization"] = single("LayerNormalization", (2, 5, 10), random((10,)),
                                         random((10,)))  # fmt: skip
    cases["LayerNormalization_axis"] = single(
        "LayerNormalization", IMAGE, random((4, 7, 6)), axis=1, epsilon=1e-3
    )
    for op in ("Relu", "Sigmoid", "HardSigmoid", "HardSwish", "Tanh", "Erf", "Gelu", "Elu", "Abs",
               "Softplus", "LeakyRelu", "Neg", "Exp", "Sign", "Floor", "Ceil", "Round", "Identity",
               "Mish", "Selu", "Softsign", "Celu", "ThresholdedRelu", "Sin", "Cos",
               "Reciprocal", "Dropout",
               "GlobalAveragePool", "GlobalMaxPool", "Flatten"):  # fmt: skip
        cases[op] = single(op, IMAGE)
    for op in ("Sqrt", "Log"):
        cases[op] = chain({"x": IMAGE}, [("Abs", ["x"], "a", {}), (op, ["a"], "y", {})])
    cases["Gelu_tanh"] = single("Gelu", IMAGE, approximate="tanh")
    cases["HardSigmoid_other"] = single("HardSigmoid", IMAGE, alpha=0.3, beta=0.4)
    cases["Elu_other"] = single("Elu", IMAGE, alpha=0.3)
    cases["PRelu"] = single("PRelu", IMAGE, random((4, 1, 1)))
    cases["Clip"] = single("Clip", IMAGE, np.float32(-0.5), np.float32(0.7))
    cases["Clip_one_side"] = single("Clip", IMAGE, None, np.float32(0.7))
    for op in ("Add", "Sub", "Mul", "Div"):
        cases[op] = single(op, IMAGE, random((4, 1, 6)))
        cases[f"{op}_inputs"] = single(op, IMAGE, (1, 4, 1, 1))
    for op in ("Min", "Max", "Sum", "Mean"):
        cases[op] = single(op, IMAGE, random((4, 1, 1)), (7, 6))
    for exponent in (2.0, 3.0):
        cases[f"Pow_{exponent:.0f}"] = single("Pow", IMAGE, np.float32(exponent))
    for op in ("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"):
        cases[op] = through_bool(op)
    for op in ("And", "Or", "Xor"):
        cases[op] = through_bool(op, compared("p"), ("Less", ["x", "zero"], "q", {}))
        cases[op].graph.initializer.append(numpy_helper.from_array(np.float32(0.3), "zero"))
    cases["Not"] = through_bool("Not", compared("p"))
    cases["Where"] = chain(
        {"x": IMAGE}, [compared("p"), ("Where", ["p", "x", "c"], "y", {})], {"c": random((4, 1, 1))}
    )
    cases["Cast_to_bool"] = chain(
        {"x": IMAGE},
        [("Relu", ["x"], "r", {}), ("Cast", ["r"], "p", {"to": TensorProto.BOOL}),
         ("Cast", ["p"], "y", {"to": TensorProto.FLOAT})],
    )  # fmt: skip
    for op in ("Softmax", "LogSoftmax"):
        cases[op] = single(op, ROW)
        cases[f"{op}_axis"] = single(op, IMAGE, axis=1)
    cases["MaxPool"] = single(
        "MaxPool", IMAGE, kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1]
    )
    cases["MaxPool_ceil"] = single(
        "MaxPool", IMAGE, kernel_shape=[2, 3], strides=[2, 2], ceil_mode=1
    )
    cases["MaxPool_same"] = single("MaxPool", IMAGE, kernel_shape=[3, 3], strides=[2, 2],
                                   auto_pad="SAME_LOWER")  # fmt: skip
    cases["MaxPool_1d"] = single("MaxPool", SIGNAL, kernel_shape=[3], strides=[2], dilations=[2])
    cases["AveragePool"] = single("AveragePool", IMAGE, kernel_shape=[3, 3], strides=[2, 2],
                                  pads=[1, 1, 1, 1])  # fmt: skip
    cases["AveragePool_counts"] = single("AveragePool", IMAGE, kernel_shape=[3, 3], strides=[2, 2],
                                         pads=[1, 1, 0, 1], count_include_pad=1)  # fmt: skip
    cases["AveragePool_ceil"] = single("AveragePool", IMAGE, kernel_shape=[2, 2], strides=[2, 3],
                                       ceil_mode=1)  # fmt: skip
    cases["AveragePool_1d"] = single("AveragePool", SIGNAL, kernel_shape=[4], auto_pad="SAME_UPPER")
    for op in ("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin"):
        cases[op] = single(op, IMAGE, ints(1, -1))
        cases[f"{op}_flat"] = single(op, IMAGE, ints(2, 3), keepdims=0)
    cases["ReduceMean_13"] = single("ReduceMean", IMAGE, axes=[2, 3], opset=13)
    cases["ReduceSum_nothing"] = single("ReduceSum", IMAGE, noop_with_empty_axes=1)
    cases["Concat"] = single("Concat", IMAGE, (1, 3, 7, 6), axis=1)
    cases["Split"] = single("Split", IMAGE, ints(1, 3), axis=1, outputs=2)
    cases["Split_even"] = single("Split", IMAGE, axis=-1, num_outputs=3, outputs=3)
    cases["Slice"] = single("Slice", IMAGE, ints(1, -7), ints(3, 1000), ints(1, 3), ints(1, 2))
    cases["Pad"] = single("Pad", IMAGE, ints(0, 0, 1, 2, 0, 1, 0, 3), np.float32(0.5))
    cases["Pad_axes"] = single("Pad", IMAGE, ints(1, 2, 0, 1), None, ints(3, -2))
    cases["Reshape"] = single("Reshape", IMAGE, ints(0, 2, -1))
    cases["Flatten_axis"] = single("Flatten", IMAGE, axis=2)
    cases["Transpose"] = single("Transpose", IMAGE, perm=[0, 2, 3, 1])
    cases["Transpose_plain"] = single("Transpose", IMAGE)
    cases["Squeeze"] = single("Squeeze", (2, 1, 5, 1), ints(1))
    cases["Unsqueeze"] = single("Unsqueeze", ROW, ints(0, -1))
    cases["Expand"] = single("Expand", (2, 1, 8), ints(3, 1, 5, 1))
    cases["Gather_one"] = single("Gather", IMAGE, np.int64(-1), axis=1)
    cases["Gather_slice"] = single("Gather", IMAGE, ints(0, 2), axis=1)
    cases["Gather_any"] = single("Gather", IMAGE, ints([3, 0], [1, 1]), axis=1)
    for name, type_ in (("uint8", np.uint8), ("int8", np.int8)):
        scale, zero = np.float32(0.02), type_(3)
        cases[f"QuantizeLinear_{name}"] = chain(
            {"x": IMAGE},
            [("QuantizeLinear", ["x", "s", "z"], "q", {}),
             ("MaxPool", ["q"], "m", {"kernel_shape": [2, 2]}),
             ("Transpose", ["m"], "t", {"perm": [0, 2, 3, 1]}),
             ("DequantizeLinear", ["t", "s", "z"], "y", {})],
            {"s": scale, "z": zero},
        )  # fmt: skip
    cases["QuantizeLinear_axis"] = chain(
        {"x": IMAGE},
        [("QuantizeLinear", ["x", "s"], "q", {}), ("DequantizeLinear", ["q", "s"], "y", {})],
        {"s": np.abs(random((4,))) / 20},
    )
    cases["DequantizeLinear_filter"] = chain(
        {"x": IMAGE},
        [("QuantizeLinear", ["x", "s", "z"], "q", {}),
         ("DequantizeLinear", ["q", "s", "z"], "a", {}),
         ("DequantizeLinear", ["w", "v"], "f", {"axis": 0}), ("Conv", ["a", "f"], "y", {})],
        {"s": np.float32(0.03), "z": np.uint8(128), "v": np.abs(random((5,))) / 50,
         "w": np.random.default_rng(SEED).integers(-127, 128, (5, 4, 3, 3), np.int8)},
    )  # fmt: skip
    for name, sizes, options in (
        ("nearest", (1, 4, 14, 18), {}),
        ("nearest_down", (1, 4, 5, 3), {"coordinate_transformation_mode": "asymmetric",
                                        "nearest_mode": "floor"}),
        ("linear", (1, 4, 14, 9), {"mode": "linear"}),
        ("linear_corners", (1, 4, 5, 18), {"mode": "linear",
                                           "coordinate_transformation_mode": "align_corners"}),
        ("linear_torch", (1, 4, 1, 12), {"mode": "linear",
                                         "coordinate_transformation_mode": "pytorch_half_pixel"}),
    ):  # fmt: skip
        cases[f"Resize_{name}"] = single("Resize", IMAGE, None, None, ints(*sizes), **options)
    scales = np.array([1, 1, 2, 1.7], np.float32)
    cases["Resize_scales"] = single("Resize", IMAGE, None, scales, mode="linear")
    cases["Constant"] = chain(
        {"x": ROW},
        [("Constant", [], "c", {"value": numpy_helper.from_array(random((10,)))}),
         ("Mul", ["x", "c"], "y", {})],
    )  # fmt: skip
    cases["ConstantOfShape"] = chain(
        {"x": ROW},
        [("Shape", ["x"], "s", {}),
         ("ConstantOfShape", ["s"], "c", {"value": numpy_helper.from_array(random((1,)))}),
         ("Add", ["x", "c"], "y", {})],
    )  # fmt: skip
    return cases | more_operators()


def more_operators() -> dict:
    """What networks have that the exports of docs/onnx-operators.md do not."""
    scale, bias, groups = random((4,)), random((4,)) / 2, random((2,))
    cases = {
        "Tan": single("Tan", IMAGE), "Atan": single("Atan", IMAGE),
        "Selu_6": single("Selu", IMAGE, opset=17),
        "InstanceNormalization": single("InstanceNormalization", IMAGE, scale, bias, epsilon=1e-3),
        "Tile": single("Tile", IMAGE, ints(1, 2, 1, 3)),
        "DepthToSpace": single("DepthToSpace", (1, 8, 3, 4), blocksize=2),
        "DepthToSpace_CRD": single("DepthToSpace", (1, 8, 3, 4), blocksize=2, mode="CRD"),
        "SpaceToDepth": single("SpaceToDepth", (1, 2, 4, 6), blocksize=2),
        "Slice_backwards": single("Slice", IMAGE, ints(-1, 100), ints(-1000, 1), ints(2, 3),
                                  ints(-1, -2)),
        "Pad_cut": single("Pad", IMAGE, ints(0, 0, -1, 1, 0, -1, 2, -2)),
        "Einsum_attention": single("Einsum", (2, 3, 4, 5), (2, 3, 6, 5),
                                   equation="bhid,bhjd->bhij"),
        "Einsum_graph": single("Einsum", (2, 3, 4, 5), random((3, 5, 6)),
                               equation="nktv,kvw->nwt"),
        "Einsum_implicit": single("Einsum", (4, 3), (3, 5), equation="ij, jk"),
        "Einsum_one": single("Einsum", (2, 3, 4), equation="bij->ib"),
        "Range": chain(
            {"x": ROW},
            [("Shape", ["x"], "s", {}), ("Gather", ["s", "one"], "n", {}),
             ("Range", ["zero", "n", "one"], "r", {}),
             ("Cast", ["r"], "f", {"to": TensorProto.FLOAT}), ("Mul", ["x", "f"], "y", {})],
            {"one": np.int64(1), "zero": np.int64(0)},
        ),
        "RMSNormalization": single("RMSNormalization", ROW, random((10,)), opset=23),
    }  # fmt: skip
    for version, parameters in ((18, (groups, groups)), (21, (scale, bias))):
        cases[f"GroupNormalization_{version}"] = single(
            "GroupNormalization", IMAGE, *parameters, opset=version, num_groups=2
        )
    for op in ("L1", "L2", "SumSquare", "LogSumExp"):
        cases[f"Reduce{op}"] = single(f"Reduce{op}", IMAGE, ints(1, -1))
        cases[f"Reduce{op}_13"] = single(f"Reduce{op}", IMAGE, axes=[2], keepdims=0, opset=13)
    cases["ReduceLogSum"] = chain(
        {"x": IMAGE}, [("Abs", ["x"], "a", {}), ("ReduceLogSum", ["a"], "y", {})]
    )
    # Places in the middle of two elements are decided by the rounding of floats.
    for transform in ("half_pixel", "asymmetric", "align_corners"):
        for rule in ("round_prefer_floor", "round_prefer_ceil", "floor"):
            for size in (0.4, 0.6, 2.3):
                cases[f"Resize_{transform}_{rule}_{size}"] = single(
                    "Resize", IMAGE, None, np.float32([1, 1, size, 1.7]), nearest_mode=rule,
                    coordinate_transformation_mode=transform,
                )  # fmt: skip
    for policy in ("not_larger", "not_smaller"):
        for mode in ("nearest", "linear"):
            cases[f"Resize_{policy}_{mode}"] = single(
                "Resize", IMAGE, None, None, ints(10, 11), mode=mode, axes=[2, 3],
                keep_aspect_ratio_policy=policy,
            )  # fmt: skip
    return cases


# Networks, as PyTorch exports them.


class Residual(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 3, padding=1, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(3))
        self.convs = nn.ModuleList(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False) for _ in range(2)
        )
        self.classify = nn.Linear(channels, 10)

    def quantize(self, x):
        return x

    def filters(self, w):
        return w

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norms[0](self.stem(x))), 3, 2, 1)
        for conv, norm in zip(self.convs, self.norms[1:], strict=True):
            y = F.conv2d(self.quantize(x), self.filters(conv.weight), padding=1)
            x = F.relu(norm(y) + x)
        return self.classify(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Signs(Residual):
    """Signs of activations and filters, and the mean of each filter's magnitudes."""

    def __init__(self):
        super().__init__(32)

    def quantize(self, x):
        x = x - 0.5
        return torch.sign(x) + (x == 0).float()

    def filters(self, w):
        scale = w.abs().mean((1, 2, 3), keepdim=True)
        return scale * torch.where(w >= 0, 1.0, -1.0)


class TwoPlanes(Signs):
    def quantize(self, x):
        x = x - 0.5
        first = 0.7 * torch.where(x >= 0, 1.0, -1.0)
        return first + 0.3 * torch.where(x - first >= 0, 1.0, -1.0)


class Separable(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.Hardswish(),
            nn.Conv2d(8, 8, 3, padding=1, groups=8), nn.BatchNorm2d(8), nn.ReLU6(),
            nn.Conv2d(8, 12, 1), nn.LeakyReLU(0.1), nn.AvgPool2d(2), nn.Flatten(1),
            nn.Linear(192, 5),
            nn.Softmax(1),
        )  # fmt: skip


class Squeeze(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.less, self.more = nn.Conv2d(3, 8, 3), nn.Conv2d(8, 2, 1), nn.Conv2d(2, 8, 1)

    def forward(self, x):
        x = F.silu(self.conv(x))
        share = torch.sigmoid(self.more(F.relu(self.less(x.mean((2, 3), keepdim=True)))))
        return x * share


class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.BatchNorm2d(3 + 4 * i) for i in range(3))
        self.convs = nn.ModuleList(nn.Conv2d(3 + 4 * i, 4, 3, padding=1) for i in range(3))

    def forward(self, x):
        for norm, conv in zip(self.norms, self.convs, strict=True):
            x = torch.cat([x, conv(F.prelu(norm(x), torch.full((x.shape[1],), 0.2)))], 1)
        return x


class Encoder(nn.Module):
    """Attention and two layers, on 16 positions."""

    def __init__(self, width=12):
        super().__init__()
        self.parts, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))

    def forward(self, x):
        n, length, width = x.shape
        q, k, v = self.parts(self.norms[0](x)).reshape(n, length, 3, 3, 4).permute(2, 0, 3, 1, 4)
        mixed = torch.softmax(q @ k.transpose(-1, -2) / 2, -1) @ v
        x = x + self.out(mixed.transpose(1, 2).reshape(n, length, width))
        return x + self.down(F.gelu(self.up(self.norms[1](x))))


class Upwards(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Conv2d(3, 6, 3, 2, 1), nn.ConvTranspose2d(6, 4, 2, 2)
        self.last = nn.Conv2d(7, 2, 1)

    def forward(self, x):
        y = F.elu(self.up(F.softplus(self.down(x))))
        y = F.interpolate(F.max_pool2d(y, 2), scale_factor=2, mode="bilinear")
        return self.last(torch.cat([F.interpolate(y[:, :, ::2], scale_factor=(2, 1)), x], 1))


class Sound(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Conv1d(2, 6, 5, stride=2, padding=2), nn.BatchNorm1d(6), nn.Tanh(), nn.MaxPool1d(2),
            nn.Conv1d(6, 6, 3, groups=2), nn.Hardtanh(), nn.AdaptiveAvgPool1d(1), nn.Flatten(1),
        )  # fmt: skip


def signs(x):
    return torch.where(x >= 0, 1.0, -1.0)


class React(nn.Module):
    """ReActNet's blocks: shifted signs with their gradient's parts, filters straight through."""

    def __init__(self, channels=32):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 3, 2, 1)
        self.filters = nn.ParameterList(torch.randn(channels, channels, 3, 3) for _ in range(2))
        self.shifts = nn.ParameterList(torch.randn(1, channels, 1, 1) / 9 for _ in range(4))
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(2))
        self.slopes = nn.ModuleList(nn.PReLU(channels) for _ in range(2))
        self.classify = nn.Linear(channels, 7)

    def sign(self, x):
        low, middle, high = (x < -1).float(), (x < 0).float(), (x < 1).float()
        part = -low + (x * x + 2 * x) * (1 - low)
        part = part * middle + (-x * x + 2 * x) * (1 - middle)
        part = part * high + (1 - high)
        return x.sign().detach() - part.detach() + part

    def forward(self, x):
        x = self.stem(x)
        for i, (norm, slope, w) in enumerate(
            zip(self.norms, self.slopes, self.filters, strict=True)
        ):
            scale = w.abs().mean((1, 2, 3), keepdim=True).detach()
            w = (scale * w.sign() - w).detach() + w
            y = norm(F.conv2d(self.sign(x + self.shifts[i]), w, padding=1))
            x = slope(y + x + self.shifts[2 + i])
        return self.classify(x.mean((2, 3)))


class BinaryAttention(nn.Module):
    """BiBERT's: signs by signs, then bits of the scores by signs."""

    def __init__(self, width=32):
        super().__init__()
        self.parts = nn.ParameterList(torch.randn(width, width) for _ in range(4))

    def project(self, x, at):
        w = self.parts[at]
        # A sum of signs may be 0, which scales in front of it would round.
        return F.linear(signs(x), signs(w)) * w.abs().mean(1)

    def forward(self, x):
        n, length, width = x.shape
        q, k, v = (
            signs(self.project(x, i)).view(n, length, 4, 8).transpose(1, 2) for i in range(3)
        )
        mixed = (q @ k.transpose(-1, -2) > 0).float() @ v
        return x + self.project(mixed.transpose(1, 2).reshape(n, length, width) - 0.1, 3)


class OneFilter(nn.Module):
    """A filter that three layers share, and one of another stride; two results."""

    def __init__(self, channels=24):
        super().__init__()
        self.w = nn.Parameter(torch.randn(channels, channels, 3, 3))
        self.norms = nn.ModuleList(nn.BatchNorm2d(channels) for _ in range(3))

    def forward(self, x):
        for norm in self.norms:
            x = x + norm(F.conv2d(signs(x), signs(self.w), padding=1))
        return x, F.conv2d(signs(x), signs(self.w), stride=2)


class DoReFa(nn.Module):
    """Of two bits each, whose filters are not folded by the exporters."""

    def __init__(self):
        super().__init__()
        self.stem, self.norms = (
            nn.Conv2d(3, 16, 3, padding=1),
            nn.ModuleList(nn.BatchNorm2d(n) for n in (16, 32)),
        )
        self.w, self.v = nn.Parameter(torch.randn(32, 16, 3, 3)), nn.Parameter(torch.randn(5, 512))

    def filters(self, w):
        w = torch.tanh(w)
        return 2 * torch.round((w / (2 * w.abs().max()) + 0.5) * 3) / 3 - 1

    def levels(self, x):
        return torch.round(x.clamp(0, 1) * 3) / 3

    def forward(self, x):
        x = self.levels(self.norms[0](self.stem(x)))
        x = self.norms[1](F.conv2d(x, self.filters(self.w), padding=1))
        return F.linear(self.levels(F.max_pool2d(x, 2)).flatten(1), self.filters(self.v))


NETWORKS = {
    "residual": (Residual, (1, 3, 16, 16)),
    "signs": (Signs, (1, 3, 16, 16)),
    "two_planes": (TwoPlanes, (1, 3, 16, 16)),
    "separable": (Separable, (1, 3, 16, 16)),
    "squeeze": (Squeeze, (1, 3, 8, 8)),
    "dense": (Dense, (1, 3, 8, 8)),
    "encoder": (Encoder, (1, 16, 12)),
    "upwards": (Upwards, (1, 3, 8, 8)),
    "sound": (Sound, (1, 2, 40)),
    "perceptron": (lambda: nn.Sequential(nn.Linear(9, 8), nn.ReLU(), nn.Linear(8, 3)), (1, 9)),
    "react": (React, (1, 3, 16, 16)),
    "binary_attention": (BinaryAttention, (1, 6, 32)),
    "one_filter": (OneFilter, (1, 24, 7, 6)),
    "dorefa": (DoReFa, (1, 3, 8, 8)),
}


def integers() -> dict:
    """Operators whose operands or results are integers or bits, at opset 18."""
    whole, bits, floats = ("int", 3, 5), ("bool", 3, 5), (3, 5)
    table, places = random((9, 4)), ("int", 2, 3)

    def case(op, *operands, **attributes):
        return single(op, *operands, opset=18, **attributes)

    return {
        "Gather_table": case("Gather", table, places),
        "Gather_columns": case("Gather", (3, 9), places, axis=1),
        "GatherElements": case("GatherElements", (3, 9), ("int", 3, 4), axis=1),
        "ArgMax": case("ArgMax", (2, 3, 5), axis=1),
        "ArgMax_last": case("ArgMax", (2, 3, 5), axis=-1, keepdims=0),
        "ArgMin": case("ArgMin", whole, axis=1, keepdims=0),
        "TopK": case("TopK", (3, 7), ints(3), outputs=2),
        "TopK_least": case("TopK", (7, 3), ints(2), outputs=2, axis=0, largest=0),
        "CumSum": case("CumSum", (3, 7), ints(1)),
        "CumSum_int": case("CumSum", whole, ints(0)),
        "OneHot": case("OneHot", places, ints(9), np.float32([0.25, 2])),
        "OneHot_first": case("OneHot", places, ints(9), ints(0, 1), axis=0),
        "Cast_to_int": case("Cast", floats, to=TensorProto.INT64),
        "Cast_to_int32": case("Cast", floats, to=TensorProto.INT32),
        "Cast_of_int": case("Cast", whole, to=TensorProto.FLOAT),
        "Cast_of_bool": case("Cast", bits, to=TensorProto.INT64),
        "Cast_int_to_bool": case("Cast", whole, to=TensorProto.BOOL),
        "Add_int": case("Add", whole, whole),
        "Sub_int": case("Sub", whole, ints(3)),
        "Mul_int": case("Mul", whole, whole),
        "Div_int": case("Div", whole, ints(3)),
        "Mod_int": case("Mod", whole, ints(3)),
        "Mod_float": case("Mod", floats, (3, 5), fmod=1),
        "Min_int": case("Min", whole, ints(4)),
        "Max_int": case("Max", whole, ints(4)),
        "Neg_int": case("Neg", whole),
        "Abs_int": case("Abs", whole),
        "Sign_int": case("Sign", whole),
        "Pow_int": case("Pow", whole, ints(2)),
        "Clip_int": case("Clip", whole, np.int64(2), np.int64(6)),
        "Equal_int": case("Equal", whole, ints(4)),
        "Less_int": case("Less", whole, ints(4)),
        "Greater_int": case("Greater", whole, ints(4)),
        "Where_int": case("Where", bits, whole, ints(-1)),
        "Not_bool": case("Not", bits),
        "And_bool": case("And", bits, bits),
        "ReduceSum_int": case("ReduceSum", whole, ints(1)),
        "ReduceMax_int": case("ReduceMax", whole, ints(1)),
        "ReduceMin_int": case("ReduceMin", whole, ints(0), keepdims=0),
        "ReduceProd": case("ReduceProd", floats, ints(1)),
        "IsNaN": case("IsNaN", floats),
        "IsInf": case("IsInf", floats),
        "Trilu": case("Trilu", (2, 5, 5)),
        "Trilu_lower": case("Trilu", (5, 6), np.int64(1), upper=0),
        "Pad_reflect": case("Pad", (1, 2, 5, 6), ints(0, 0, 1, 2, 0, 0, 3, 1), mode="reflect"),
        "Pad_edge": case("Pad", (1, 2, 5, 6), ints(0, 0, 1, 2, 0, 0, 3, 1), mode="edge"),
        "Pad_int": case("Pad", whole, ints(0, 1, 0, 2), ints(7)),
        "Reshape_int": case("Reshape", whole, ints(5, 3)),
        "Transpose_int": case("Transpose", whole),
        "Concat_int": case("Concat", whole, whole, axis=1),
        "Slice_int": case("Slice", whole, ints(1), ints(4), ints(1)),
        "Tile_int": case("Tile", whole, ints(2, 3)),
        "ArgMax_last_of_equal": case("ArgMax", whole, axis=1, select_last_index=1),
        "CumSum_exclusive": case("CumSum", whole, ints(1), exclusive=1),
        "CumSum_reverse": case("CumSum", whole, ints(1), reverse=1),
        "CumSum_both": case("CumSum", floats, ints(-1), exclusive=1, reverse=1),
        "Pad_bool": case("Pad", bits, ints(0, 1, 0, 2), np.array(True)),
        "Trilu_bool": case("Trilu", bits),
        "ReduceMax_bool": single("ReduceMax", bits, ints(1), opset=20),
        "GatherND": case("GatherND", (3, 4, 5), ints([0, 1], [-1, 2])),
        "GatherND_rows": case("GatherND", whole, ints([[2], [0]])),
        "ScatterND": case("ScatterND", (3, 4, 5), ints([0, 1], [-1, 2]), (2, 5)),
        "ScatterND_all": case("ScatterND", whole, ints([2], [0]), ("int", 2, 5)),
        "ScatterElements": case("ScatterElements", floats, ints([1, -1], [0, 3]), (2, 2), axis=1),
    }


def draw_norms(model) -> None:
    for module in model.modules():
        if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d)):
            nn.init.normal_(module.running_mean, 0, 0.3)
            nn.init.uniform_(module.running_var, 0.5, 1.5)
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, 0, 0.3)


def networks() -> dict:
    """By both of PyTorch's exporters, the newer one for a batch of any size."""
    cases = {}
    for name, (make, shape) in NETWORKS.items():
        torch.manual_seed(SEED)
        model = make()
        draw_norms(model)
        model.eval()
        x = torch.zeros(shape)
        file = io.BytesIO()
        torch.onnx.export(model, (x,), file, dynamo=False, opset_version=17)
        cases[name] = onnx.load_from_string(file.getvalue())
        x = torch.zeros(2, *shape[1:])
        program = torch.onnx.export(
            model, (x,), dynamo=True, opset_version=OPSET, verbose=False,
            dynamic_shapes=({0: torch.export.Dim("batch")},),
        )  # fmt: skip
        cases[f"{name}_batch"] = program.model_proto
    return cases
