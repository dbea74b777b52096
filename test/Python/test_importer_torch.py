"""The importer of torch.export programs: every operation against torch, and its errors."""

import dataclasses
import itertools
import math
from collections import OrderedDict

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
import bquant.nn  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from bquant.frontends import UnsupportedOp  # noqa: E402
from bquant.frontends.common.mlir import Writer, float_literal  # noqa: E402
from bquant.frontends.common.shapes import reassociation  # noqa: E402
from bquant.frontends.common.table import TORCH  # noqa: E402
from bquant.frontends.torch import import_module  # noqa: E402
from functions import Function, sign  # noqa: E402
from torch import nn  # noqa: E402

SEED = 1


def norm(kind, channels, **options):
    module = kind(channels, **options)
    module.running_mean.copy_(torch.randn(channels))
    module.running_var.copy_(torch.rand(channels) + 0.1)
    if module.affine:
        nn.init.normal_(module.weight)
        nn.init.normal_(module.bias)
    return module


def layer(make, shape):
    """A case with a layer that is made after the seed is set."""
    return lambda: (Function(lambda x, layer: layer(x), layer=make()), shape)


def case(function, *shapes, **owned):
    return lambda: (Function(function, **owned), *shapes)


def assigned(x):
    y = x * 2
    y[y < 0.5] = 3
    return y


IMAGE, ROWS, SIGNAL = (2, 6, 9, 8), (3, 10), (2, 6, 15)

CASES = {
    "conv2d": layer(lambda: nn.Conv2d(6, 5, 3, padding=1), IMAGE),
    "conv2d_uneven": layer(
        lambda: nn.Conv2d(6, 5, (3, 2), (2, 1), (2, 0), (1, 2), bias=False), IMAGE
    ),
    "conv2d_groups": layer(lambda: nn.Conv2d(6, 9, 3, padding=1, groups=3), IMAGE),
    "conv2d_depthwise": layer(lambda: nn.Conv2d(6, 12, 3, padding=1, groups=6), IMAGE),
    "conv1d": layer(lambda: nn.Conv1d(6, 5, 3, stride=2, padding=1, dilation=2), SIGNAL),
    "conv1d_groups": layer(lambda: nn.Conv1d(6, 9, 3, groups=3, bias=False), SIGNAL),
    "conv1d_same": layer(lambda: nn.Conv1d(6, 5, 4, padding="same"), SIGNAL),
    "conv1d_valid": layer(lambda: nn.Conv1d(6, 5, 4, padding="valid"), SIGNAL),
    "conv2d_same": layer(lambda: nn.Conv2d(6, 5, (4, 3), padding="same", dilation=2), IMAGE),
    "conv2d_valid": layer(lambda: nn.Conv2d(6, 5, 3, padding="valid"), IMAGE),
    "linear": layer(lambda: nn.Linear(10, 7), ROWS),
    "linear_of_images": layer(lambda: nn.Linear(8, 7, bias=False), IMAGE),
    "batch_norm_2d": layer(lambda: norm(nn.BatchNorm2d, 6), IMAGE),
    "batch_norm_plain": layer(lambda: norm(nn.BatchNorm2d, 6, affine=False), IMAGE),
    "batch_norm_1d": layer(lambda: norm(nn.BatchNorm1d, 10), ROWS),
    "relu": case(lambda x: F.relu(x), IMAGE),
    "relu_in_place": case(lambda x: F.relu_(y := x * 2) + y, IMAGE),
    "relu6": case(lambda x: F.relu6(4 * x), IMAGE),
    "prelu": case(lambda x, a: F.prelu(x, a), IMAGE, a=(6,)),
    "prelu_one_slope": case(lambda x, a: F.prelu(x, a), IMAGE, a=(1,)),
    "leaky_relu": case(lambda x: F.leaky_relu(x, 0.2), IMAGE),
    "clamp": case(lambda x: torch.clamp(x, -0.5, 0.7), IMAGE),
    "clamp_one_side": case(lambda x: torch.clamp(x, min=-0.5) + torch.clamp(x, max=0.1), IMAGE),
    "hardtanh": case(lambda x: F.hardtanh(x), IMAGE),
    "max_pool": case(lambda x: F.max_pool2d(x, 3, 2, 1), IMAGE),
    "max_pool_ceil": case(lambda x: F.max_pool2d(x, 2, 2, ceil_mode=True), IMAGE),
    "max_pool_dilated": case(lambda x: F.max_pool2d(x, (2, 3), 1, (0, 1), 2), IMAGE),
    "avg_pool": case(lambda x: F.avg_pool2d(x, 3, 2, 1), IMAGE),
    "avg_pool_without_pad": case(
        lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), IMAGE
    ),
    "avg_pool_ceil": case(lambda x: F.avg_pool2d(x, 2, 2, ceil_mode=True), IMAGE),
    "global_pool": case(lambda x: F.adaptive_avg_pool2d(x, 1).flatten(1), IMAGE),
    "adaptive_pool": case(lambda x: F.adaptive_avg_pool2d(x, (3, 4)), IMAGE),
    "mean": case(lambda x: x.mean((2, 3)), IMAGE),
    "mean_keepdim": case(lambda x: x - x.mean(-1, keepdim=True), IMAGE),
    "sum": case(lambda x: x.sum(1), IMAGE),
    "amax": case(lambda x: x.amax((1, 2)), IMAGE),
    "arithmetic": case(
        lambda x, y, b: (x + y) * 2 - y / 3 + b * x - 1, IMAGE, (2, 6, 1, 8), b=(6, 1, 1)
    ),
    "alpha": case(lambda x: torch.rsub(x, 3, alpha=2) + torch.add(x, x, alpha=0.5), IMAGE),
    "broadcast": case(lambda x, y, c: x[:, :1] * y + c, IMAGE, (2, 6, 1, 8), c=(1, 6, 1, 1)),
    "expand": case(lambda x: x.expand(2, 6, 4, 8), (2, 6, 1, 8)),
    "where": case(lambda x: torch.where(x >= 0, 1.0, -1.0) * torch.where(x < 0.3, x, -x), IMAGE),
    "compare_tensors": case(lambda x, y: torch.where(x > y, x, y * 2), IMAGE, IMAGE),
    "sign": case(lambda x: (r := torch.round(x)).sign() * 2 + (r == 0), IMAGE),
    "views": case(
        lambda x: x.view(2, 3, 2, 72).flatten(2).unsqueeze(1).squeeze().reshape(12, -1), IMAGE
    ),
    "permute": case(lambda x: x.permute(0, 2, 3, 1).transpose(1, 2), IMAGE),
    "slice": case(lambda x: x[:, 1:5:2, -3:] + x[:, 3, :3].unsqueeze(1), IMAGE),
    "cat": case(lambda x, y, w: torch.cat([x, w, y, x], 1), IMAGE, (2, 1, 9, 8), w=(2, 3, 9, 8)),
    "stack": case(lambda x: torch.stack([x, -x], -1), IMAGE),
    "chunk": case(lambda x: [a * (i + 1) for i, a in enumerate(x.chunk(4, 2))], IMAGE),
    "split": case(lambda x: (x.split(4, 1)[1], x.split([1, 2, 3], dim=-3)[2]), IMAGE),
    "split_parameter": case(lambda x, w: x * w.chunk(2)[1] + w.unbind(0)[0][0], ROWS, w=(6, 1)),
    "unbind": case(lambda x: x.unbind(1)[4] - x.unbind()[1][0], IMAGE),
    "narrow": case(lambda x: x.narrow(1, 2, 3) + x.narrow(-3, 0, 3), IMAGE),
    "pad": case(lambda x: F.pad(x, (1, 2, 0, 1), value=0.5), IMAGE),
    "unary": case(lambda x: torch.abs(-x).sqrt() + (1 + x * x).reciprocal() + x**2, IMAGE),
    "min_max": case(lambda x, b: torch.minimum(x, x * 2) + torch.maximum(x, b), IMAGE, b=(8,)),
    "copysign": case(lambda x, y: torch.copysign(x, y) + torch.copysign(y, -1.0), IMAGE, IMAGE),
    "filled": case(lambda x: torch.ones_like(x) * x + torch.full_like(x, 2.5), IMAGE),
    "masked": case(lambda x: x.masked_fill(x > 1, 0.5), IMAGE),
    "assigned": case(assigned, IMAGE),
    "softmax": case(lambda x: F.softmax(x, 1), IMAGE),
    "log_softmax": case(lambda x: F.log_softmax(x, -1), ROWS),
    "silu_decomposed": case(lambda x: F.silu(x), ROWS),
    "matmul": case(lambda x, w: x @ w.t(), ROWS, w=(4, 10)),
    "bmm": case(lambda x, y: torch.bmm(x, y), (2, 3, 4), (2, 4, 5)),
    "matmul_rows": case(lambda x, w: x @ w, IMAGE, w=(8, 3)),
    "matmul_batches": case(lambda x, y: x @ y, (2, 3, 4, 5), (2, 3, 5, 2)),
    "matmul_broadcast": case(lambda x, y: x @ y, (2, 1, 4, 5), (3, 5, 2)),
    "matmul_vectors": case(
        lambda x, y, v, a: (x @ y, x[1] @ y, v @ x.t(), v @ a @ x.t()),
        (3, 4),
        (4,),
        v=(4,),
        a=(4, 4),
    ),
    "matmul_vector_by_batch": case(
        lambda x, y: x[0] @ y + y.transpose(1, 2) @ x[1], (2, 4), (3, 4, 4)
    ),
    "addmm": case(lambda x, b, w: torch.addmm(b, x, w), ROWS, b=(4,), w=(10, 4)),
    "dropout": case(lambda x, drop: drop(x).contiguous().clone() + 1, ROWS, drop=nn.Dropout()),
    "any_number_of_inputs": case(lambda *x: x[0] - x[1], ROWS, ROWS),
    "two_results": case(lambda x: (x + 1, x.mean()), IMAGE),
}


def build(name):
    torch.manual_seed(SEED)
    model, *shapes = CASES[name]()
    return model.eval(), [torch.randn(shape) for shape in shapes]


@pytest.mark.parametrize("name", CASES)
def test_operation(name):
    model, inputs = build(name)
    with torch.no_grad():
        expected = model(*inputs)
        exported = torch.export.export(model, tuple(inputs))
    for strategy in ("reference", "auto"):
        actual = bquant.compile(exported, strategy=strategy)(*inputs)
        torch.testing.assert_close(
            actual, expected, rtol=1e-5, atol=1e-5, msg=lambda m, s=strategy: f"{s}: {m}"
        )


@pytest.mark.parametrize("name", ["relu", "clamp", "hardtanh", "max_pool", "where", "sign"])
def test_special_values(name):
    """NaN, infinities and zeros take the ways that torch gives them."""
    model, (x,) = build(name)
    special = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1e-45])
    x.view(-1)[: 6 * 50 : 50] = special
    torch.testing.assert_close(bquant.compile(model, (x,))(x), model(x), equal_nan=True)


# What is computed while importing.


def text(function, *inputs, **owned):
    return import_module(Function(function, **owned).eval(), inputs).text()


def test_parameters_are_folded_but_not_quantized_filters():
    w = torch.randn(4, 10)
    x = torch.randn(3, 10)
    plain = text(lambda x, w: F.linear(x, (w * 2).abs()), x, w=w)
    assert "math.absf" not in plain and "arith.mulf" not in plain

    def binary(x, w):
        scale = (w - w.mean() * sign(w)).abs().mean(1, keepdim=True)
        return F.linear(x, scale * sign(w))

    folded = text(binary, x, w=w)
    assert "arith.cmpf oge" in folded and folded.count("arith.mulf") == 1
    assert "math.absf" not in folded


def test_large_constants_stay_outside_of_the_text():
    model = Function(lambda x, layer: layer(x), layer=nn.Linear(400, 300))
    program = import_module(model.eval(), (torch.randn(1, 400),))
    (key,) = program.resources
    assert f"dense_resource<{key}>" in program.text() and len(program.text()) < 5000
    weight = model.layer.weight.detach().numpy()
    np.testing.assert_array_equal(program.resources[key], weight)
    assert not np.shares_memory(program.resources[key], weight)
    network = bquant.compile(program.text(resources=True))
    x = torch.randn(1, 400)
    torch.testing.assert_close(network(x), model(x).detach(), rtol=1e-5, atol=1e-5)


def test_operations_carry_the_path_of_their_layer():
    model = nn.Sequential(nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU()), nn.Flatten()).eval()
    program = import_module(model, (torch.randn(1, 1, 4, 4),)).text()
    assert 'loc("0.0"' in program and 'loc("0.1"' in program


def test_batch_norm_of_extreme_parameters():
    """Each weight with each mean, bias and variance: infinities and NaN where torch has them."""
    infinity = math.inf
    values = [[infinity, -infinity, math.nan, 0.0, 1e30, 1.5], [0.0, 2.0, -2.0, infinity]]
    values += [[0.5, infinity], [0.0, 1.0, 1e-44, infinity]]
    weight, mean, bias, var = (
        torch.tensor(v) for v in zip(*itertools.product(*values), strict=True)
    )
    model = nn.BatchNorm1d(len(weight), eps=0.0).eval()
    model.load_state_dict(
        {"weight": weight, "bias": bias, "running_mean": mean, "running_var": var}, strict=False
    )
    rows = torch.tensor([-infinity, -3.0, -0.0, 0.25, 3.0, infinity, math.nan])
    x = rows[:, None].expand(-1, len(weight)).contiguous()
    with torch.no_grad():
        expected = model(x)
    assert torch.isinf(expected).any() and torch.isfinite(expected).any()
    for strategy in ("auto", "reference"):
        result = bquant.compile(model, (x,), strategy=strategy)(x)
        torch.testing.assert_close(result, expected, rtol=1e-6, atol=1e-6, equal_nan=True)


def test_import_leaves_the_mode_of_a_model_alone():
    model = nn.Sequential(nn.BatchNorm1d(3), nn.Dropout(), nn.ReLU()).train()
    model[2].eval()
    before = {k: v.clone() for k, v in model.state_dict().items()}
    import_module(model, (torch.randn(2, 3),))
    assert [m.training for m in model] == [True, True, False]
    assert all(torch.equal(v, before[k]) for k, v in model.state_dict().items())


@pytest.mark.parametrize(
    ("old", "new", "groups"),
    [
        ((2, 6), (12,), [([0, 1], [0])]),
        ((12,), (3, 4), [([0], [0, 1])]),
        ((2, 6), (4, 3), [([0, 1], [0, 1])]),
        ((1, 64, 1, 1), (1, 64), [([0], [0]), ([1, 2, 3], [1])]),
        ((4, 1), (4, 1, 1), [([0], [0]), ([1], [1, 2])]),
        ((2, 3, 4), (6, 2, 2), [([0, 1], [0]), ([2], [1, 2])]),
    ],
)
def test_reassociation(old, new, groups):
    assert reassociation(old, new) == groups


@pytest.mark.parametrize("value", [0.1, -0.0, 1e-45, 3.4e38, 1.0, 1e20, float("inf")])
def test_float_literals_are_exact(value):
    literal = float_literal(value)
    if literal.startswith("0x"):
        assert np.uint32(int(literal, 16)).view(np.float32) == value
    else:
        assert "." in literal
        back = np.float32(literal)
        assert back == np.float32(value) and np.signbit(back) == np.signbit(np.float32(value))


def test_resource_names_are_identifiers():
    writer = Writer()
    for _ in range(2):
        writer.constant(np.zeros(5000, np.float32), "0.conv.weight")
    assert list(writer.resources) == ["_0_conv_weight", "_0_conv_weight_1"]


# Errors.


def error(function, *inputs, **owned):
    with pytest.raises(UnsupportedOp) as info:
        text(function, *inputs, **owned)
    message = str(info.value)
    assert "\n" not in message
    return message


def test_an_unsupported_operation_is_named_with_its_place():
    class Inner(nn.Module):
        def forward(self, x):
            return torch.logcumsumexp(x, 1)  # the user's line

    model = nn.Sequential(nn.ReLU(), nn.Sequential(Inner())).eval()
    with pytest.raises(UnsupportedOp) as info:
        import_module(model, (torch.randn(2, 3),))
    message = str(info.value)
    assert "unsupported operation aten.logcumsumexp.default in module '1.0'" in message
    assert "test_importer_torch.py" in message and "torch.logcumsumexp(x, 1)" in message


def test_an_unsupported_argument_is_named():
    message = error(lambda x: nn.functional.softplus(x, threshold=5), torch.rand(2, 3))
    assert "aten.softplus.default: expected a threshold of at least 20, but got 5" in message
    assert "outermost module" in message


def test_other_types_are_refused():
    assert "expected inputs of float32" in error(lambda x: x + 1, torch.ones(2, 3).double())
    assert "expected inputs of float32" in error(lambda x: x + 1, torch.ones(2, 3).short())
    assert "aten.to.dtype in the outermost module" in error(lambda x: x.double(), torch.ones(2, 3))


def test_dynamic_shapes_but_of_the_batch_are_refused():
    width = torch.export.Dim("width", min=2, max=8)
    exported = torch.export.export(
        nn.ReLU(), (torch.randn(4, 3),), dynamic_shapes={"input": {1: width}}
    )
    with pytest.raises(UnsupportedOp, match="expected static sizes, .* input 'input' has s"):
        bquant.compile(exported)


def test_training_mode_is_refused():
    model = nn.Sequential(nn.BatchNorm1d(3)).train()
    exported = torch.export.export(model, (torch.randn(4, 3),))
    with pytest.raises(UnsupportedOp, match="num_batches_tracked|running_mean"):
        bquant.compile(exported)


def test_training_of_what_keeps_no_state_is_refused():
    model = nn.Sequential(nn.Linear(3, 3), nn.Dropout()).train()
    exported = torch.export.export(model, (torch.randn(4, 3),))
    with pytest.raises(UnsupportedOp, match="call, but got aten.dropout.default in module '1'"):
        bquant.compile(exported)


def test_what_a_function_does_not_foresee_has_a_place(monkeypatch):
    """Of an operation that meets a graph it takes for a good one."""
    broken = dataclasses.replace(TORCH["aten.relu.default"], write=lambda c, x: x.shape[5])
    monkeypatch.setitem(TORCH, "aten.relu.default", broken)
    with pytest.raises(ValueError, match="aten.relu.default: tuple index .* in module '0'") as info:
        import_module(nn.Sequential(nn.ReLU()), (torch.randn(2, 3),))
    assert isinstance(info.value.__cause__, IndexError)


def test_a_model_that_writes_to_its_input():
    class Net(nn.Module):
        def forward(self, x):
            return x.add_(1) * 2

    with pytest.raises(UnsupportedOp, match="leaves its inputs alone, but it writes to 'x'"):
        bquant.compile(Net(), (torch.ones(3),))


def test_convolutions_that_are_not_supported():
    class Decoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.up = nn.Conv3d(6, 4, 2)

        def forward(self, x):
            return self.up(x)  # the user's line

    with pytest.raises(UnsupportedOp) as info:
        import_module(nn.Sequential(Decoder()), (torch.randn(2, 6, 5, 5, 5),))
    message, reason = str(info.value), "expected N x C x W or N x C x H x W, but got 5 dimensions"
    assert message.startswith(f"aten.convolution.default: {reason}")
    assert " in module '0.up', at " in message and "return self.up(x)" in message


def test_control_flow_is_refused():
    def forward(x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    with pytest.raises(UnsupportedOp) as info:
        import_module(Function(forward), (torch.randn(3),))
    assert str(info.value).startswith("unsupported operation cond in the outermost module")


# Weights that are not finite: a quantizer says where.


def poisoned(**options):
    """A network with a NaN in the weights of the quantized layer `features.1`."""
    torch.manual_seed(0)
    layer = bquant.nn.BinaryConv2d(3, 4, 3, **options)
    features = nn.Sequential(nn.ReLU(), layer)
    model = nn.Sequential(OrderedDict(features=features, head=nn.Flatten()))
    x = torch.randn(2, 3, 6, 6)
    model(x)
    model.eval()
    with torch.no_grad():
        layer.weight[1, 2, 0, 1] = float("nan")
    return model, x


@pytest.mark.parametrize("weights", ["ls-1", "ls-2", "ls-T", "ls-3", "twn", "dorefa-w-2"])
def test_not_finite_weights_of_a_module_are_named(weights):
    model, x = poisoned(weights=weights)
    with pytest.raises(ValueError) as info:
        bquant.compile(model, x)
    assert str(info.value) == (
        "'features.1.weight': expected finite values, but got nan at [1, 2, 0, 1]"
    )
    assert not model.training


def test_a_quantizer_without_scalars_is_named():
    model = nn.Sequential(nn.ReLU(), bquant.nn.BinaryConv2d(3, 4, 3))
    with pytest.raises(RuntimeError) as info:
        bquant.compile(model, torch.randn(2, 3, 6, 6))
    assert str(info.value).startswith("'1.quantizer': expected stored scalars, but no batch has")
    assert model.training and model[1].quantizer.training


@pytest.mark.parametrize("weights", ["ls-1", "ls-2", "ls-T", "ls-3", "twn", "dorefa-w-2"])
def test_not_finite_weights_of_a_program_are_named(weights):
    model, x = poisoned(weights=weights)
    exported = torch.export.export(model, (x,))
    with pytest.raises(ValueError, match="^'?features.1.*expected finite values, but got nan at"):
        bquant.compile(exported)
