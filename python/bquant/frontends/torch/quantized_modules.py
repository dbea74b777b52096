"""Modules of torch.ao's eager and FX quantization, which torch.export cannot export, as float
modules that compute the same: weights dequantized, results rounded to the codes of their scale.

Quantized tensors are floats on their codes here, so what lies between quantized modules (poolings,
sigmoids) is the module's own, and `round_between` rounds its results. Torch computes in integers: a
result in the middle of two codes may be the other one.
"""

from __future__ import annotations

import copy
import operator

import torch
from torch import fx, nn
from torch.ao.quantization import FakeQuantizeBase
from torch.nn import functional as F

from ..common.shapes import UnsupportedOp
from .codes import MOVES

# What has elements of its input, and what is rounded to the codes of that.
_ELEMENTS = {*MOVES, "aten.relu.default", "aten.dropout.default"} - {"aten.cat.default"}
_ROUNDED = {
    "aten.adaptive_avg_pool2d.default", "aten.avg_pool2d.default", "aten.hardtanh.default",
    "aten.mean.dim", "aten.upsample_bilinear2d.vec",
}  # fmt: skip
# What has codes of its own: the scale, the zero point and the bounds.
_FUNCTIONS = {
    "aten.sigmoid.default": (1 / 256, 0, 0, 255),
    "aten.hardsigmoid.default": (1 / 256, 0, 0, 255),
    "aten.tanh.default": (2 / 256, 128, 0, 255),
}

_FAKE = torch.ops.aten.fake_quantize_per_tensor_affine.default
_PACKAGES = ("torch.ao.nn.quantized", "torch.ao.nn.intrinsic.quantized")


def in_floats(model: nn.Module) -> nn.Module:
    """A copy without quantized modules; the model itself if it has none."""
    if not any(_is_quantized(module) for module in model.modules()) and not _has_codes(model):
        return model
    model = copy.deepcopy(model)
    if _is_quantized(model):
        return _convert(model, "the model")
    _convert_below(model, "")
    if isinstance(model, fx.GraphModule):
        _convert_graph(model)
    return model


class _Floats(nn.Module):
    """The end of codes: what comes after it is not rounded. It computes nothing."""

    def forward(self, x):
        return torch.clone(x)


def round_between(exported: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """Rounds what a program that was exported from `in_floats` computes between quantized modules,
    to the codes of its input or to those that torch has for the function."""
    graph, known = exported.graph, {}  # and the codes of nodes
    for node in list(graph.nodes):
        name = str(node.target)
        given = known.get(node.all_input_nodes[0]) if node.all_input_nodes else None
        if node.target is _FAKE:
            known[node] = node.args[1:]
        elif given and name in _ELEMENTS:
            known[node] = given
        elif given and name in (*_ROUNDED, *_FUNCTIONS):
            users = [user for user in node.users if user.op != "output"]
            places = _FUNCTIONS.get(name, given)
            with graph.inserting_after(node):
                rounded = graph.call_function(_FAKE, (node, *places))
            rounded.meta, known[rounded] = dict(node.meta), places
            for user in users:
                user.replace_input_with(node, rounded)
    exported.graph_module.recompile()
    return exported


def _convert_below(parent: nn.Module, path: str) -> None:
    for name, module in list(parent.named_children()):
        if _is_quantized(module):
            setattr(parent, name, _convert(module, path + name))
        else:
            _convert_below(module, f"{path}{name}.")


def _is_quantized(module) -> bool:
    if type(module).__name__ in ("FloatFunctional", "FXFloatFunctional"):
        return False  # lives beside them
    return isinstance(module, FakeQuantizeBase) or type(module).__module__.startswith(_PACKAGES)


def _has_codes(model) -> bool:
    return isinstance(model, fx.GraphModule) and any(
        node.target is torch.quantize_per_tensor for node in model.graph.nodes
    )


_BOUNDS = {torch.quint8: (0, 255), torch.qint8: (-128, 127)}


def _bounds(dtype) -> tuple[int, int]:
    if dtype not in _BOUNDS:
        raise UnsupportedOp(f"expected codes of 8 bits, but got {dtype}")
    return _BOUNDS[dtype]


class _Codes(nn.Module):
    """Rounds to the codes of a scale and a zero point, or of some for each index of an axis."""

    def __init__(self, scale, zero_point, bounds, axis: int | None = None):
        super().__init__()
        self.axis, self.bounds = axis, bounds
        if axis is None:
            self.scale, self.zero_point = float(scale), int(zero_point)
        else:
            self.scale, self.zero_point = scale.detach().float(), zero_point.detach().int()

    def forward(self, x):
        places = self.scale, self.zero_point
        if self.axis is None:
            return torch.fake_quantize_per_tensor_affine(x, *places, *self.bounds)
        return torch.fake_quantize_per_channel_affine(x, *places, self.axis, *self.bounds)


def _fake(module) -> _Codes:
    """What a FakeQuantize of quantization-aware training does when it observes no longer."""
    observer = module.activation_post_process
    bounds = int(observer.quant_min), int(observer.quant_max)
    axis = module.ch_axis if module.is_per_channel else None
    return _Codes(module.scale, module.zero_point, bounds, axis)


def _codes_of(weight) -> _Codes:
    """Those of a quantized tensor."""
    bounds = _bounds(weight.dtype)
    if weight.qscheme() in (torch.per_tensor_affine, torch.per_tensor_symmetric):
        return _Codes(weight.q_scale(), weight.q_zero_point(), bounds)
    places = weight.q_per_channel_scales(), weight.q_per_channel_zero_points()
    return _Codes(*places, bounds, weight.q_per_channel_axis())


class _Layer(nn.Module):
    """A convolution or a linear layer by weights that are rounded to their codes, a ReLU where it
    is fused, and the rounding of its result."""

    def __init__(self, product, weights: _Codes, relu: bool = False, codes=None):
        super().__init__()
        self.product, self.weights, self.relu, self.codes = product, weights, relu, codes

    def forward(self, x):
        weight = self.weights(self.product.weight)
        y = torch.func.functional_call(self.product, {"weight": weight}, (x,))
        y = F.relu(y) if self.relu else y
        return y if self.codes is None else self.codes(y)


class _Dynamic(nn.Module):
    """The codes that an input is rounded to by its own range, as the dynamic layers of torch do it;
    one range for the whole batch."""

    def forward(self, x):
        low, high = x.amin().clamp(max=0.0), x.amax().clamp(min=0.0)
        scale = ((high - low) / 127).clamp(min=torch.finfo(torch.float32).tiny)
        zero = torch.clamp(torch.round(-low / scale), 0, 127)
        return (torch.clamp(torch.round(x / scale) + zero, 0, 127) - zero) * scale


class _Functional(nn.Module):
    def __init__(self, scale, zero_point):
        super().__init__()
        self.codes = _Codes(scale, zero_point, _BOUNDS[torch.quint8])

    def add(self, x, y):
        return self.codes(x + y)

    def add_relu(self, x, y):
        return self.codes(F.relu(x + y))

    def add_scalar(self, x, y):
        return x + y

    def mul(self, x, y):
        return self.codes(x * y)

    def mul_scalar(self, x, y):
        return x * y

    def cat(self, x, dim=0):
        return self.codes(torch.cat(x, dim))


def _filled(product, weight, bias):
    product.weight = nn.Parameter(weight.dequantize().contiguous(), requires_grad=False)
    if bias is not None:
        product.bias = nn.Parameter(bias.detach(), requires_grad=False)
    return product


def _convert(module, path: str) -> nn.Module:
    name, where = type(module).__name__, type(module).__module__
    if isinstance(module, FakeQuantizeBase):
        return nn.Sequential(_fake(module), _Floats())
    if name == "Quantize":
        return _Codes(module.scale, module.zero_point, _bounds(module.dtype))
    if name == "DeQuantize":
        return _Floats()
    if name == "Dropout":
        return nn.Identity()
    if name == "QFunctional":
        return _Functional(module.scale, module.zero_point)
    if name == "ReLU6":
        return nn.ReLU6()
    if name == "MaxPool2d":
        return nn.MaxPool2d(module.kernel_size, module.stride, module.padding, module.dilation)
    relu, dynamic = name.endswith("ReLU") or name[:-2].endswith("ReLU"), ".dynamic" in where
    if ".reference" in where:
        return _reference(module, path)
    if name in ("Linear", "LinearReLU"):
        product = nn.Linear(module.in_features, module.out_features, bias=module.bias() is not None)
    elif name in ("Conv1d", "Conv2d", "ConvReLU1d", "ConvReLU2d") and not dynamic:
        kind = nn.Conv1d if "1d" in name else nn.Conv2d
        product = kind(
            module.in_channels, module.out_channels, module.kernel_size, module.stride,
            module.padding, module.dilation, module.groups, module.bias() is not None,
            module.padding_mode,
        )  # fmt: skip
    else:
        raise UnsupportedOp(
            f"expected quantized convolutions, linear layers and additions, but '{path}' is "
            f"{where}.{name}"
        )
    product, weights = _filled(product, module.weight(), module.bias()), _codes_of(module.weight())
    if dynamic:
        return nn.Sequential(_Dynamic(), _Layer(product, weights, relu))
    return _Layer(
        product, weights, relu, _Codes(module.scale, module.zero_point, _BOUNDS[torch.quint8])
    )


def _reference(module, path: str) -> nn.Module:
    """A float module that rounds its weights at each call."""
    for kind in (nn.Conv1d, nn.Conv2d, nn.Linear):
        if isinstance(module, kind):
            weight = module.get_quantized_weight()
            product = _filled(_as(module, kind), weight, module.bias)
            return _Layer(product, _codes_of(weight)) if weight.is_quantized else product
    raise UnsupportedOp(f"expected a convolution or a linear layer, but '{path}' is {type(module)}")


def _as(module, kind) -> nn.Module:
    """A module of a base class with the same settings."""
    result = kind.__new__(kind)
    nn.Module.__init__(result)
    result.__dict__.update(
        {key: value for key, value in vars(module).items() if not key.startswith("_")}
    )
    if hasattr(module, "_reversed_padding_repeated_twice"):
        result._reversed_padding_repeated_twice = module._reversed_padding_repeated_twice
    result.bias = None
    return result


_QUANTIZED = {
    "add": operator.add,
    "mul": operator.mul,
    "add_relu": lambda x, y: F.relu(x + y),
    "cat": lambda tensors, dim: torch.cat(tensors, dim),
}


def _convert_graph(model: fx.GraphModule) -> None:
    """What FX writes between modules."""

    def number(x):
        return getattr(model, x.target).item() if isinstance(x, fx.Node) else x

    for node in list(model.graph.nodes):
        if node.op == "call_function" and node.target is torch.quantize_per_tensor:
            x, scale, zero, dtype = node.args
            codes = x, float(number(scale)), int(number(zero)), *_bounds(dtype)
            node.target, node.args = torch.fake_quantize_per_tensor_affine, codes
        elif node.target == "dequantize" or node.target is torch.dequantize:
            node.op, node.target, node.kwargs = "call_function", torch.clone, {}
        elif "quantized." in str(node.target) and node.op == "call_function":
            name = str(node.target).split(".")[1]
            if name not in _QUANTIZED:
                raise UnsupportedOp(f"expected no {node.target} outside of modules")
            *operands, scale, zero = node.args
            with model.graph.inserting_after(node):
                codes = node, float(number(scale)), int(number(zero)), *_bounds(torch.quint8)
                result = model.graph.call_function(torch.fake_quantize_per_tensor_affine)
            node.replace_all_uses_with(result)
            result.args = codes
            node.target, node.args = _QUANTIZED[name], tuple(operands)
    model.graph.eliminate_dead_code()
    model.recompile()
