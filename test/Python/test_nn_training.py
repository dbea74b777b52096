"""bquant.nn in training: gradients to choose, learned scalars, other types and devices, several
processes."""

import copy
import pickle

import bquant
import numpy as np
import pytest
import torch
import torch.multiprocessing as mp
from bquant import nn
from bquant.nn import functional as F

pytestmark = pytest.mark.filterwarnings("ignore:all values of")
CASCADES = ["ls-1", "ls-2", "ls-T", "gf-3", "gf-8"]


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def slow(x, scheme, scalars, clamp, gradient):
    """The cascade by operations of torch, one by one."""
    rows = [v.reshape(-1, *[1] * (x.dim() - 1)) if v.dim() else v for v in scalars]
    if clamp is not None:
        x = x.clamp(-clamp, clamp)
    if gradient == "identity":
        return F.cascade(x.detach(), scheme, rows) + (x - x.detach())
    return F.cascade(x, scheme, rows, gradient)


@pytest.mark.parametrize("layout", ["default", "channels last", "strided"])
@pytest.mark.parametrize("gradient", F.GRADIENTS)
@pytest.mark.parametrize("scheme", CASCADES)
def test_one_pass_is_the_cascade(scheme, gradient, layout):
    x = 2 * torch.randn(6, 5, 7, 9)
    x.view(-1)[:8] = torch.tensor([0.0, -0.0, 1, -1, 1.5, -1.5, 3, -3])
    if layout == "channels last":
        x = x.contiguous(memory_format=torch.channels_last)
    if layout == "strided":
        x = x[:, :, ::2, 1:]
    weight = torch.randn_like(x)
    for axes, clamp in (((), 1.5), ((), None), ((0,), None)):
        parameters = F.solve(x, scheme, axes)
        results = []
        for function in (
            lambda x, p=parameters, a=axes, c=clamp: F.quantize(x, scheme, p, a, c, gradient),
            lambda x, p=parameters, c=clamp: slow(x, scheme, p.scalars, c, gradient),
        ):
            leaf = x.detach().clone(memory_format=torch.preserve_format).requires_grad_()
            y = function(leaf)
            (y * weight).sum().backward()
            results.append((y.detach(), leaf.grad))
        assert torch.equal(results[0][0], results[1][0])
        torch.testing.assert_close(results[0][1], results[1][1], rtol=1e-5, atol=1e-6)


def test_nan_is_below_zero():
    x = torch.tensor([[float("nan"), 1.0, -1.0]])
    parameters = F.Parameters(torch.tensor([1.0, 0.5]))
    assert F.quantize(x, "ls-2", parameters, clamp=2.0).tolist() == [[-1.5, 1.5, -0.5]]


def test_gradients_of_a_sign():
    x = torch.tensor([-3, -1, -0.5, 0, 0.25, 1, 1.5])
    expected = {
        "hardtanh": [0, 1, 1, 1, 1, 1, 0],
        "identity": [1, 1, 1, 1, 1, 1, 1],
        "approx_sign": [0, 0, 1, 2, 1.5, 0, 0],
    }
    for gradient in F.GRADIENTS:
        leaf = x.clone().requires_grad_()
        F.sign(leaf, gradient).sum().backward()
        assert leaf.grad.tolist() == expected[gradient]
    layer = nn.BinaryLinear(7, 2, activations="ls-1", gradient=lambda r: 3 * r, clamp=None)
    leaf = x[None].clone().requires_grad_()
    layer(leaf).sum().backward()
    scale = layer.quantizer.scalars * layer.quantized_weight().detach().sum(0)
    torch.testing.assert_close(leaf.grad[0], 3 * x * scale)
    with pytest.raises(
        ValueError, match="expected gradient to be one of hardtanh, identity, appro"
    ):
        nn.Quantizer("ls-1", gradient="tanh")


ARRAYS = [
    torch.randn(7, 501, generator=torch.Generator().manual_seed(1)),
    torch.randint(-3, 4, (5, 40), generator=torch.Generator().manual_seed(2)).float(),
    torch.ones(2, 9),
    torch.zeros(2, 5),
    torch.tensor([[1.5], [-2.0]]),
    torch.cat([torch.randn(2, 99), 1e4 * torch.randn(2, 3)], 1),
    torch.randn(2, 30) * 1e-30,
]
IN_TORCH = ["ls-1", "ls-2", "ls-T", "bwn", "twn", "gf-2", "gf-5", "dorefa-w-1", "dorefa-w-3"]


@pytest.mark.parametrize("scheme", IN_TORCH)
def test_solvers_in_torch(scheme, monkeypatch):
    for x in ARRAYS:
        for axes in ((), (0,)):
            expected = F.solve(x, scheme, axes)
            with monkeypatch.context() as patch:
                patch.setattr(F, "SOLVE_IN_TORCH", True)
                found = F.solve(x, scheme, axes)
            for a, b in zip(expected, found, strict=True):
                assert (a is None) == (b is None)
                if a is None:
                    continue
                assert a.shape == b.shape and a.dtype == b.dtype
                if a.is_floating_point():
                    bits = [t.numpy().view(np.int32).astype(np.int64) for t in (a, b)]
                    assert np.abs(bits[0] - bits[1]).max() <= 1
                else:
                    assert torch.equal(a, b)
    monkeypatch.setattr(F, "SOLVE_IN_TORCH", True)
    for x, message in (
        (torch.tensor([1.0, float("inf")]), r"finite values, but got inf at \[1\]"),
        (torch.zeros(0, 3), r"an array that is not empty, but got shape \[0, 3\]"),
        (torch.tensor(1.0), "an array of rank 1 or more, but got a scalar"),
    ):
        for axes in ((), (0,)):
            with pytest.raises(ValueError, match=message):
                F.solve(x, scheme, axes)


def test_a_layer_of_another_device():
    """As far as a machine without one goes: all operations have shapes for it."""
    layer = nn.BinaryConv2d(3, 4, 3, device="meta")
    assert layer.quantizer.scalars.device.type == layer.weight_scalars.device.type == "meta"
    assert nn.BinaryLinear(3, 4, device="meta")(torch.empty(2, 3, device="meta")).shape == (2, 4)


@pytest.mark.parametrize("assign", [False, True])
@pytest.mark.parametrize("options", [
    {"activations": "ls-2"}, {"activations": "ls-3"}, {"activations": "twn"},
    {"activations": "ls-2", "scalars": "learned"}, {"activations": "pact-2", "weights": "ttq"},
    {"activations": "dorefa-2"}, {"activations": "hwgq-2", "weights": "ls-3"},
])  # fmt: skip
def test_floats_for_a_layer_made_on_meta(options, assign):
    with torch.device("meta"):
        layer = nn.BinaryConv2d(3, 4, 3, **options)
    if not assign:
        # Memory that holds anything.
        layer._apply(lambda t: torch.full_like(t, 7, device="cpu"))
    other, x = nn.BinaryConv2d(3, 4, 3, **options), torch.randn(2, 3, 6, 6)
    state = {name: p.detach().clone() for name, p in other.named_parameters() if "." not in name}
    for net in (layer, other):
        net.load_state_dict(state, assign=assign)
        net.eval()
        if not net.quantizer.is_ready:
            with pytest.raises(RuntimeError, match="^expected stored scalars, but no batch"):
                net(x)
    assert layer.quantizer.is_ready == other.quantizer.is_ready
    assert layer.quantizer.is_ready == options["activations"].startswith(("dorefa", "hwgq"))
    for training in (True, False):
        assert torch.equal(layer.train(training)(x), other.train(training)(x))


def test_learned_scalars():
    layer = nn.BinaryConv2d(3, 8, 3, activations="ls-2", scalars="learned")
    optimizer = torch.optim.SGD(layer.parameters(), lr=1e-3)
    x = torch.randn(4, 3, 9, 9)
    with pytest.raises(RuntimeError, match="no batch has been seen"):
        layer.eval()(x)
    layer.train()(x).square().sum().backward()
    solved = F.solve(x.clamp(-3, 3), "ls-2").scalars
    assert torch.equal(layer.quantizer.scalars.detach(), solved)
    assert (layer.quantizer.scalars.grad > 0).all()
    optimizer.step()
    learned = layer.quantizer.scalars.detach().clone()
    assert (learned < solved).all()
    other = copy.deepcopy(layer).eval()
    assert torch.equal(other.quantizer.scalars, learned)
    network = bquant.compile(other, (x,))
    torch.testing.assert_close(network(x), other(x).detach())
    # Below 0 they are 0.
    layer.quantizer.scalars.data[1] = -0.5
    layer(x)
    assert layer.quantizer.scalars[1] == 0
    layer.quantizer.scalars.data[1] = -0.5
    state = copy.deepcopy(layer.state_dict())
    assert layer.eval().quantizer.scalars[1] == 0
    layer.quantizer.scalars.data[1] = 0.5
    layer.load_state_dict(state)
    assert layer.quantizer.scalars[1] == 0
    # Two calls, then their gradients.
    layer.train()
    loss = layer(x).sum() + layer(x).sum()
    layer.eval()
    loss.backward()
    with pytest.raises(ValueError, match="expected stored scalars for 'ls-3', whose planes are no"):
        nn.Quantizer("ls-3", scalars="learned")


@pytest.mark.parametrize("mode", ["zeros", "reflect", "replicate", "circular"])
def test_padding_modes(mode):
    layer = nn.BinaryConv2d(3, 8, 3, padding=1, padding_mode=mode, bias=False, activations="ls-2")
    x = torch.randn(2, 3, 7, 7)
    y = layer(x)
    layer.eval()
    q, w = layer.quantizer(x), layer.quantized_weight()
    padded = torch.nn.functional.pad(q, (1, 1, 1, 1), "constant" if mode == "zeros" else mode)
    torch.testing.assert_close(y, torch.nn.functional.conv2d(padded, w))
    torch.testing.assert_close(bquant.compile(layer, (x,))(x), layer(x).detach())


def test_other_types():
    with torch.autocast("cpu", torch.bfloat16):
        layer = nn.BinaryConv2d(3, 8, 3)
        y = layer(torch.randn(2, 3, 7, 7))
        assert y.dtype == torch.bfloat16 and layer.weight_scalars.dtype == torch.float32
    y.float().sum().backward()
    assert layer.weight.grad.dtype == torch.float32
    expected = bquant.quantize(layer.weight.detach().numpy(), "ls-1", axis=0).scalars
    assert np.array_equal(layer.weight_scalars.numpy(), expected)
    for dtype in (torch.bfloat16, torch.float64):
        layer = nn.BinaryLinear(33, 8, activations="ls-T", dtype=dtype)
        x = torch.randn(4, 33, dtype=dtype, requires_grad=True)
        layer(x).sum().backward()
        assert x.grad.dtype == layer.weight.grad.dtype == dtype
        assert layer.eval()(x).dtype == dtype


@pytest.mark.parametrize("in_torch", [False, True])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
def test_online_scalars_of_other_types(dtype, in_torch, monkeypatch):
    quantizer, x = nn.Quantizer("ls-2", scalars="online").eval(), torch.randn(4, 33).to(dtype)
    expected = bquant.quantize(x.clamp(-3, 3), "ls-2", axis=0).dequantize()
    monkeypatch.setattr(F, "SOLVE_IN_TORCH", in_torch)
    y = quantizer(x)
    assert y.dtype == dtype
    torch.testing.assert_close(y, torch.from_numpy(expected).to(dtype))


def test_xnor():
    layer = nn.XnorConv2d(3, 8, 3, stride=2, padding=1)
    x = torch.randn(2, 3, 8, 8, requires_grad=True)
    y = layer(x)
    y.sum().backward()
    layer.eval()
    k = torch.nn.functional.conv2d(
        x.abs().mean(1, keepdim=True), torch.full((1, 1, 3, 3), 1 / 9), None, 2, 1
    )
    signs = torch.where(x >= 0, 1.0, -1.0)
    expected = torch.nn.functional.conv2d(signs, layer.quantized_weight(), None, 2, 1) * k
    torch.testing.assert_close(y, expected + layer.bias[:, None, None])
    network = bquant.compile(layer, (x.detach(),))
    torch.testing.assert_close(network(x.detach()), y.detach())
    assert ", binary: " in str(network.report())
    with pytest.raises(ValueError, match="expected activations of ls-1 for signs alone"):
        nn.XnorConv2d(3, 8, 3, activations="ls-2")
    # Groups are convolutions beside one another.
    layer = nn.XnorConv2d(4, 6, 3, groups=2, bias=False).eval()
    x = torch.randn(2, 4, 7, 7)
    parts = []
    for i in range(2):
        part = nn.XnorConv2d(2, 3, 3, bias=False)
        part.weight.data.copy_(layer.weight[3 * i : 3 * i + 3])
        parts.append(part.eval()(x[:, 2 * i : 2 * i + 2]))
    torch.testing.assert_close(layer(x), torch.cat(parts, 1))
    torch.testing.assert_close(bquant.compile(layer, (x,))(x), layer(x).detach())
    # What other convolutions take.
    torch.testing.assert_close(layer(input=x[0]), layer(x)[0])
    places = (3, 8, 3, 2, 1, 1, 1, False, "ls-2", "ls-1", None)
    other = nn.XnorConv2d(*places)
    assert other.weights == "ls-2" and other.bias is None and other.quantizer.clamp is None
    with pytest.raises(ValueError, match="for signs alone, but got 'ls-2'"):
        nn.XnorConv2d(*places[:9], "ls-2")
    scales = nn.ScaleTensor(8, 4, 4)
    with torch.no_grad():
        for parameter in scales.parameters():
            parameter.uniform_(0.5, 1.5)
    expected = torch.einsum(
        "nchw,c,h,w->nchw", y, scales.channel[:, 0, 0], scales.row[:, 0], scales.column
    )
    torch.testing.assert_close(scales(y), expected)


def small():
    return torch.nn.Sequential(
        nn.BinaryConv2d(3, 8, 3, weights="ls-2"),
        torch.nn.BatchNorm2d(8),
        torch.nn.Flatten(),
        nn.BinaryLinear(8 * 25, 5, activations="ls-T"),
    )


def test_copies():
    model = small()
    model(torch.randn(4, 3, 7, 7))
    averaged = torch.optim.swa_utils.AveragedModel(model, use_buffers=True)
    averaged.update_parameters(model)
    x = torch.randn(2, 3, 7, 7)
    expected = model.eval()(x)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)), averaged.module.eval()):
        assert torch.equal(other(x), expected)


@pytest.mark.parametrize("use_buffers", [False, True])
@pytest.mark.parametrize("options", [
    {"activations": "ls-2"}, {"activations": "ls-3"}, {"activations": "twn"},
    {"activations": "ls-2", "scalars": "learned"},
])  # fmt: skip
def test_a_moving_average_from_the_start(options, use_buffers):
    """Made before the first batch, as it is usual; it gets numbers, and no flags."""
    model = torch.nn.Sequential(nn.BinaryLinear(16, 8, **options))
    averaged = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.5), use_buffers=use_buffers
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        optimizer.zero_grad()
        model(3 * torch.rand(1) * torch.randn(32, 16)).square().mean().backward()
        optimizer.step()
        averaged.update_parameters(model)
    averaged.eval()
    quantizer, x = averaged.module[0].quantizer, torch.randn(64, 16)
    assert averaged(x).isfinite().all()
    if options["activations"] == "ls-3":
        thresholds, codes = F.nearest_levels(quantizer.scalars)
        assert torch.equal(quantizer.thresholds, thresholds)
        assert torch.equal(quantizer.codes, codes)
    # Filled while it is in eval mode already.
    other = nn.BinaryLinear(16, 8, **options).eval()
    for a, b in zip(other.quantizer.state_dict().values(),
                    quantizer.state_dict().values(), strict=True):  # fmt: skip
        a.copy_(b)
    assert torch.equal(other.quantizer(x), quantizer(x))


def test_a_compiled_step():
    torch._dynamo.reset()
    model = small()
    other = copy.deepcopy(model)
    compiled = torch.compile(model, backend="aot_eager", fullgraph=True)
    for _ in range(3):
        x = torch.randn(4, 3, 7, 7)
        y, z = compiled(x), other(x)
        torch.testing.assert_close(y, z)
        y.square().sum().backward()
        z.square().sum().backward()
    for a, b in zip(model.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(a.grad, b.grad)
    assert torch.equal(model[0].quantizer.scalars, other[0].quantizer.scalars)
    # In eval mode, too, changed weights are solved again.
    with torch.no_grad():
        for net in (model, other):
            net.eval()[0].weight.mul_(2)
        torch.testing.assert_close(compiled(x), other(x))


@pytest.mark.parametrize("options", [
    {"gradient": "identity"}, {"gradient": "approx_sign"}, {"scalars": "learned"},
    {"scalars": "online"}, {"weights": "twn", "activations": "twn"}, {"activations": "ls-3"},
    {"weights": "dorefa-w-2", "activations": "dorefa-2"},
])  # fmt: skip
def test_what_is_compiled_without_a_break(options):
    torch._dynamo.reset()
    layer, x = nn.BinaryConv2d(3, 8, 3, **options), torch.randn(2, 3, 8, 8)
    other = copy.deepcopy(layer)
    compiled = torch.compile(layer, backend="aot_eager", fullgraph=True)
    for _ in range(3):
        for net in (compiled, other):  # two calls, then their gradients
            (net(x).square().sum() + net(2 * x).square().sum()).backward()
        for a, b in zip(layer.parameters(), other.parameters(), strict=True):
            torch.testing.assert_close(a.grad, b.grad)
        for name, a in layer.state_dict().items():
            torch.testing.assert_close(a, other.state_dict()[name])
        if layer.quantizer.learned:
            for net in (layer, other):
                net.quantizer.scalars.data[1] = -0.5


def test_averages_are_float32():
    model = small()
    model(torch.randn(4, 3, 7, 7))
    before = model[0].quantizer.scalars.clone()
    model.to(torch.bfloat16)
    assert model[0].weight.dtype == torch.bfloat16
    assert torch.equal(model[0].quantizer.scalars, before)
    assert model[0].weight_scalars.dtype == torch.float32
    x = torch.randn(4, 3, 7, 7, dtype=torch.bfloat16)
    for _ in range(300):
        model[0].quantizer(x)
    solved = F.solve(x.clamp(-3, 3), "ls-2").scalars
    torch.testing.assert_close(model[0].quantizer.scalars, solved, rtol=0.02, atol=0)
    assert model.float()[0].quantizer.scalars.dtype == torch.float32


def _process(rank, path, results):
    torch.set_num_threads(1)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{path}", rank=rank, world_size=2
    )
    torch.manual_seed(0)
    model = torch.nn.parallel.DistributedDataParallel(
        torch.nn.Sequential(nn.BinaryLinear(16, 8), nn.BinaryLinear(8, 4, activations="ls-T"))
    )
    torch.manual_seed(rank)
    for _ in range(3):
        model(torch.randn(8, 16) * (1 + rank)).sum().backward()
    results[rank] = [layer.quantizer.scalars.tolist() for layer in model.module]
    torch.distributed.destroy_process_group()


def test_two_processes_keep_the_same_averages(tmp_path):
    with mp.get_context("spawn").Manager() as manager:
        results = manager.dict()
        mp.spawn(_process, (tmp_path / "init", results), nprocs=2)
        assert results[0] == results[1]
        assert all(value > 0 for layer in results[0] for value in layer)
