"""Models of old opsets that `./dev fixtures` runs: a node for each way that an operator has
changed, and networks as PyTorch's exporter writes them, some of them trained for a moment."""

from __future__ import annotations

import io

import numpy as np
import onnx
import onnx_cases
import torch
from onnx import TensorProto
from onnx_cases import IMAGE, NETWORKS, ROW, SEED, chain, ints, random, single
from torch import nn
from torch.nn import functional as F

EVEN = (2, 3, 4, 6)


def operators() -> dict:
    """NAME_OPSET."""
    cases = {}

    def add(name, op, opsets, *operands, **attributes):
        for opset in opsets:
            cases[f"{name}_{opset}"] = single(op, *operands, opset=opset, **attributes)

    for op in ("Softmax", "LogSoftmax", "Hardmax"):
        add(op, op, (9, 12), EVEN)
        add(f"{op}_axis", op, (7, 11), EVEN, axis=2)
        add(f"{op}_row", op, (12,), ROW)
    add("Softmax_all", "Softmax", (8,), EVEN, axis=0)
    add("Softmax_last", "Softmax", (11,), EVEN, axis=-1)
    add("Clip", "Clip", (7, 10), IMAGE, min=-0.5, max=0.7)
    add("Clip_one_side", "Clip", (9,), IMAGE, max=0.7)
    add("Clip_inputs", "Clip", (11, 12), IMAGE, np.float32(-0.5), np.float32(0.7))
    add("Pad", "Pad", (7, 10), IMAGE, pads=[0, 0, 1, 2, 0, 1, 0, 3], value=0.5)
    add("Pad_edge", "Pad", (9,), IMAGE, pads=[0, 0, 1, 2, 0, 0, 0, 3], mode="edge")
    add("Pad_inputs", "Pad", (11, 12), IMAGE, ints(0, 0, 1, 2, 0, 1, 0, 3), np.float32(0.5))
    add("Slice", "Slice", (7, 9), IMAGE, starts=[1, -5], ends=[3, 1000], axes=[1, 3])
    add("Slice_no_axes", "Slice", (9,), IMAGE, starts=[0, 1], ends=[1, -1])
    add(
        "Slice_inputs", "Slice", (10, 12), IMAGE, ints(1, -7), ints(3, 1000), ints(1, 3), ints(1, 2)
    )
    add("TopK", "TopK", (7, 9), (3, 7), k=3, outputs=2)
    add("TopK_inputs", "TopK", (10, 12), (7, 3), ints(2), axis=0, outputs=2)
    add("Dropout", "Dropout", (7, 10), IMAGE, ratio=0.3)
    add("Dropout_inputs", "Dropout", (12,), IMAGE, np.float32(0.3))
    for op in ("ReduceSum", "ReduceMean", "ReduceMax"):
        add(op, op, (7, 12), IMAGE, axes=[1, 3])
    add("ReduceSum_flat", "ReduceSum", (11,), IMAGE, axes=[-1, 2], keepdims=0)
    add("ReduceSum_all", "ReduceSum", (9,), IMAGE, keepdims=0)
    add("Squeeze", "Squeeze", (7, 11), (2, 1, 5, 1), axes=[1])
    add("Squeeze_all", "Squeeze", (9,), (2, 1, 5, 1))
    add("Unsqueeze", "Unsqueeze", (7, 12), ROW, axes=[0, 3])
    add("Split", "Split", (7, 12), IMAGE, axis=1, split=[1, 3], outputs=2)
    add("Split_even", "Split", (9, 11), IMAGE, axis=3, outputs=3)
    channels = [random((4,)), random((4,)) / 2, random((4,)) / 3, np.abs(random((4,))) + 0.1]
    add("BatchNormalization", "BatchNormalization", (7, 9, 12), IMAGE, *channels, epsilon=1e-3)
    add("BatchNormalization_spatial", "BatchNormalization", (8,), IMAGE, *channels, spatial=1)
    places = [np.abs(random((4, 7, 6))) + 0.1 for _ in range(4)]
    add("BatchNormalization_places", "BatchNormalization", (7, 8), IMAGE, *places, spatial=0)
    add("Gemm", "Gemm", (7, 9), ROW, random((10, 7)), random((7,)))
    add("Gemm_no_bias", "Gemm", (11,), ROW, random((10, 7)))
    add("Cast", "Cast", (7, 9, 12), (3, 5), to=TensorProto.INT64)
    add("ArgMax", "ArgMax", (7, 11, 12), (2, 3, 5), axis=1, keepdims=0)
    add("MaxPool", "MaxPool", (7, 10), IMAGE, kernel_shape=[3, 2], strides=[2, 1])
    add("AveragePool", "AveragePool", (7, 10), IMAGE, kernel_shape=[2, 2], pads=[1, 0, 1, 0])
    add("DepthToSpace", "DepthToSpace", (7, 11), IMAGE, blocksize=2)
    add("Scatter", "Scatter", (9,), (3, 5), ints([1, -1], [0, 3]), (2, 2), axis=1)
    add("ScatterElements", "ScatterElements", (11,), (3, 5), ints([1, -1], [0, 3]), (2, 2), axis=1)
    for op in ("Sum", "Min", "Max", "Mean"):
        add(op, op, (8, 12), IMAGE, (4, 1, 1))
    for name, scales in {"": [1, 1, 2, 3], "_part": [1, 1, 1.5, 2.4]}.items():
        scales = np.float32(scales)
        for mode in ("nearest", "linear"):
            add(f"Upsample_{mode}{name}", "Upsample", (7,), EVEN, scales=scales.tolist(), mode=mode)
            add(f"Upsample_{mode}{name}", "Upsample", (9,), EVEN, scales, mode=mode)
            add(f"Resize_{mode}{name}", "Resize", (10,), EVEN, scales, mode=mode)
    for name, scales in {"down": [1, 1, 0.6, 0.4], "both": [1, 1, 0.6, 1.7]}.items():
        for mode in ("nearest", "linear"):
            add(f"Resize_{mode}_{name}", "Resize", (10,), EVEN, np.float32(scales), mode=mode)
    none = np.float32([])
    for name, scales in {"up": [1, 1, 2, 2.4], "down": [1, 1, 0.6, 0.4]}.items():
        for rule in ("floor", "round_prefer_floor", "ceil"):
            cases |= {
                f"Resize_tf_{name}_{rule}_{opset}": single(
                    "Resize", EVEN, none, np.float32(scales), opset=opset, nearest_mode=rule,
                    coordinate_transformation_mode="tf_half_pixel_for_nn",
                )
                for opset in (11, 12)
            }  # fmt: skip
    add("Resize_sizes", "Resize", (11,), EVEN, none, none, ints(2, 3, 9, 4))
    cases["chain_9"] = chain(
        {"x": (2, 3, 4, 1)},
        [("Squeeze", ["x"], "s", {"axes": [3]}), ("Softmax", ["s"], "p", {}),
         ("Clip", ["p"], "c", {"min": 0.05, "max": 0.2}), ("Unsqueeze", ["c"], "u", {"axes": [1]}),
         ("ReduceSum", ["u"], "y", {"axes": [2], "keepdims": 0})],
        opset=9,
    )  # fmt: skip
    return cases


# Norms of parameters that the network computes.


class ComputedNorms(nn.Module):
    """Batch norms with scale, bias and statistics of another branch (FiLM, adaptive norms)."""

    def __init__(self, which):
        super().__init__()
        self.stem, self.which = nn.Conv2d(3, 6, 3, padding=1), which
        self.norm = nn.BatchNorm2d(6)
        self.makes = nn.Linear(4, 24)

    def forward(self, x, z):
        x = self.stem(x)
        scale, bias, mean, var = self.makes(z).reshape(4, 6)
        norm, which = self.norm, self.which
        return F.batch_norm(
            x,
            mean if "mean" in which else norm.running_mean,
            var.abs() + 0.5 if "var" in which else norm.running_var,
            1 + scale if "scale" in which else norm.weight,
            bias if "bias" in which else norm.bias,
        )


class ComputedLayerNorms(nn.Module):
    def __init__(self, affine):
        super().__init__()
        self.first, self.makes, self.affine = nn.Linear(8, 10), nn.Linear(4, 20), affine

    def forward(self, x, z):
        scale, bias = (1 + self.makes(z)).reshape(2, 10)
        return F.layer_norm(self.first(x), (10,), scale, bias if self.affine else None)


class SignsOfNorms(nn.Module):
    """A binary layer after a batch norm whose scale is computed."""

    def __init__(self):
        super().__init__()
        self.makes = nn.Linear(4, 32)
        self.norm = nn.BatchNorm2d(32)
        self.w = nn.Parameter(torch.randn(8, 32, 3, 3))

    def forward(self, x, z):
        norm = self.norm
        x = F.batch_norm(x, norm.running_mean, norm.running_var, self.makes(z)[0], norm.bias)
        return F.conv2d(onnx_cases.signs(x), onnx_cases.signs(self.w), padding=1)


# What is trained: pictures of stripes, by the way that they go.


def stripes(count: int, generator) -> tuple[torch.Tensor, torch.Tensor]:
    label = torch.randint(0, 4, (count,), generator=generator)
    angle = label * torch.pi / 4 + 0.2 * torch.randn(count, generator=generator)
    at = torch.arange(12.0)
    along = (
        at[None, None, :] * angle.cos()[:, None, None]
        + at[None, :, None] * angle.sin()[:, None, None]
    )
    start = 6 * torch.rand(count, 1, 1, generator=generator)
    picture = torch.sin(1.3 * along + start)[:, None]
    return picture + 0.4 * torch.randn(count, 1, 12, 12, generator=generator), label


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return onnx_cases.signs(x)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * (x.abs() <= 1)


class Stripes(nn.Module):
    """A float stem, two layers of bits, and a head that says probabilities."""

    def __init__(self, pool=F.max_pool2d, width=16):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 3, padding=1)
        self.filters = nn.ParameterList(
            nn.Parameter(torch.randn(width, width, 3, 3) / 4) for _ in range(2)
        )
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for _ in range(3))
        self.head, self.pool = nn.Linear(width, 4), pool

    def signs(self, x):
        return Straight.apply(x) if self.training else onnx_cases.signs(x)

    def forward(self, x):
        x = self.norms[0](self.stem(x))
        for w, norm in zip(self.filters, self.norms[1:], strict=True):
            x = norm(F.conv2d(self.signs(x), self.signs(w), padding=1))
            x = self.pool(x, 2)
        return self.last(self.head(x.mean((2, 3))))

    def last(self, x):
        return x if self.training else F.softmax(x, 1)


class Hardtanhs(Stripes):
    """With a bounded shortcut, whose bounds are attributes in old opsets."""

    def forward(self, x):
        x = self.norms[0](self.stem(x))
        for w, norm in zip(self.filters, self.norms[1:], strict=True):
            y = norm(F.conv2d(self.signs(x), self.signs(w), padding=1))
            x = self.pool(F.hardtanh(x) + y, 2)
        return self.last(self.head(x.sum((2, 3)) / 9))


class Upsampled(Stripes):
    def forward(self, x):
        x = F.max_pool2d(F.pad(self.norms[0](self.stem(x)), (1, 1, 1, 1), value=-1.0), 2)
        x = F.interpolate(x[:, :, 1:, 1:], scale_factor=2, mode="nearest")
        for w, norm in zip(self.filters, self.norms[1:], strict=True):
            first, second = norm(F.conv2d(self.signs(x), self.signs(w), padding=1)).chunk(2, 1)
            x = self.pool(torch.cat([second, first], 1), 2)
        return self.last(self.head(x.mean((2, 3))))


def trained(network: Stripes) -> Stripes:
    generator = torch.Generator().manual_seed(SEED)
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    network.train()
    for _ in range(60):
        x, label = stripes(64, generator)
        optimizer.zero_grad()
        F.cross_entropy(network(x), label).backward()
        optimizer.step()
    network.eval()
    x, label = stripes(256, generator)
    right = (network(x).argmax(1) == label).float().mean().item()
    if right < 0.8:
        raise RuntimeError(f"expected a network that learns, but it is right in {right:.2f}")
    return network


# NAME: an opset of it that the exporter takes; it cannot write all operators of the oldest.
RANDOM = {
    "residual": 7, "separable": 8, "perceptron": 8, "upwards": 10, "sound": 10, "squeeze": 9,
    "signs": 12, "one_filter": 9, "encoder": 12, "dorefa": 11,
}  # fmt: skip
TRAINED = {
    "stripes_9": (Stripes, 9), "stripes_11": (Stripes, 11),
    "hardtanhs_9": (Hardtanhs, 9), "hardtanhs_12": (Hardtanhs, 12),
    "averages_10": (lambda: Stripes(F.avg_pool2d), 10),
    "upsampled_9": (Upsampled, 9), "upsampled_10": (Upsampled, 10),
}  # fmt: skip
COMPUTED = {
    "norm_scale_9": (lambda: ComputedNorms("scale"), 9),
    "norm_bias_12": (lambda: ComputedNorms("bias"), 12),
    "norm_statistics_13": (lambda: ComputedNorms(("mean", "var")), 13),
    "norm_all_17": (lambda: ComputedNorms(("scale", "bias", "mean", "var")), 17),
    "norm_signs_11": (SignsOfNorms, 11),
    "layer_norm_17": (lambda: ComputedLayerNorms(True), 17),
    "layer_norm_18": (lambda: ComputedLayerNorms(False), 18),
}  # fmt: skip


def networks() -> dict:
    cases = {}
    for name, opset in RANDOM.items():
        make, shape = NETWORKS[name]
        torch.manual_seed(SEED)
        network = make()
        onnx_cases.draw_norms(network)
        cases[f"{name}_{opset}"] = export(network, (torch.zeros(shape),), opset)
    for name, (make, opset) in TRAINED.items():
        torch.manual_seed(SEED)
        cases[name] = export(trained(make()), (torch.zeros(1, 1, 12, 12),), opset)
    for name, (make, opset) in COMPUTED.items():
        torch.manual_seed(SEED)
        network = make()
        onnx_cases.draw_norms(network)
        x = torch.zeros(2, 8) if "layer" in name else torch.zeros(2, 3, 5, 5)
        x = torch.zeros(2, 32, 5, 5) if "signs" in name else x
        cases[name] = export(network, (x, torch.zeros(1, 4)), opset)
    return cases


def export(network, inputs, opset: int) -> onnx.ModelProto:
    file = io.BytesIO()
    with torch.no_grad():
        torch.onnx.export(network.eval(), inputs, file, dynamo=False, opset_version=opset)
    return onnx.load_from_string(file.getvalue())
