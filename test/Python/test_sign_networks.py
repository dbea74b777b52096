"""Networks of signs: their layers by the formulas of the papers, and compiled."""

import json

import agreement
import pytest
import torch
import torch.nn.functional as F
from bquant.nn import RPReLU, RSign, SignConv2d
from torch import nn


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def layers(network):
    return json.loads(network.report("json"))["layers"]


def products(network):
    return {item["location"]: item["arithmetic"] for item in layers(network) if item["macs"]}


# --- layers by hand --------------------------------------------------------------------------


def plain_sign(x):
    return torch.where(x >= 0, 1.0, -1.0)


@pytest.mark.parametrize("scale", ["mean", None])
def test_convolution_by_hand(scale):
    layer = SignConv2d(6, 4, 3, stride=2, padding=1, groups=2, scale=scale)
    x = torch.randn(2, 6, 7, 5)
    x[0, 0, 0, :3] = torch.tensor([0.0, -0.0, 1e-30])
    v = layer.weight.abs().mean((1, 2, 3)) if scale == "mean" else torch.ones(4)
    filters = plain_sign(layer.weight) * v[:, None, None, None]
    expected = F.conv2d(plain_sign(x), filters, layer.bias, 2, 1, 1, 2)
    for mode in (True, False):
        torch.testing.assert_close(layer.train(mode)(x), expected)
    torch.testing.assert_close(layer.weight_scalars, v[None])


@pytest.mark.parametrize("scale", ["mean", None])
def test_gradients_of_a_convolution(scale):
    """Bi-Real Net's: of the signs of the input 2 - 2|x|, of those of the filter v, within 1."""
    layer = SignConv2d(3, 2, 1, bias=False, scale=scale)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[0.5, -1.5, 0.2], [1.0, -0.1, 2.0]])[:, :, None, None])
    x = torch.tensor([0.25, -0.5, 1.5])[None, :, None, None].requires_grad_()
    layer(x).backward(torch.tensor([1.0, 10.0])[None, :, None, None])
    v = layer.weight.detach().abs().mean((1, 2, 3)) if scale == "mean" else torch.ones(2)
    filters = (plain_sign(layer.weight.detach()) * v[:, None, None, None])[:, :, 0, 0]
    slope = torch.tensor([1.5, 1.0, 0.0])
    expected = (filters * torch.tensor([1.0, 10.0])[:, None]).sum(0) * slope
    torch.testing.assert_close(x.grad[0, :, 0, 0], expected)
    within = torch.tensor([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    upstream = torch.tensor([1.0, 10.0])[:, None] * plain_sign(x.detach())[0, :, 0, 0]
    torch.testing.assert_close(layer.weight.grad[:, :, 0, 0], upstream * within * v[:, None])


def test_gradient_that_is_chosen():
    layer = SignConv2d(1, 1, 1, bias=False, scale=None, gradient="hardtanh", clamp=0.5)
    x = torch.tensor([0.25, 0.75, 1.5])[None, None, None].requires_grad_()
    layer(x).sum().backward()
    assert (x.grad[0, 0, 0].abs()).tolist() == [1, 0, 0]


@pytest.mark.parametrize("rank", [2, 4])
def test_sign_with_learned_shifts(rank):
    """ReActNet's (1): +1 above the threshold of the channel; its gradient is minus the input's."""
    quantizer = RSign(3)
    assert quantizer.threshold.tolist() == [0, 0, 0]
    a = torch.tensor([0.5, -0.25, 0.0])
    with torch.no_grad():
        quantizer.threshold.copy_(a)
    shape = (2, 3) if rank == 2 else (2, 3, 2, 4)
    x = torch.randn(shape)
    x.flatten()[:3] = torch.tensor([0.5, 0.4, 0.6])
    x.requires_grad_()
    r = x.detach() - a.view(3, *[1] * (rank - 2))
    y = quantizer(x)
    assert torch.equal(y.detach(), plain_sign(r))
    upstream = torch.randn(shape)
    y.backward(upstream)
    expected = upstream * (2 - 2 * r.abs()).clamp(min=0)
    torch.testing.assert_close(x.grad, expected)
    others = [i for i in range(rank) if i != 1]
    torch.testing.assert_close(quantizer.threshold.grad, -expected.sum(others))


def test_prelu_with_learned_shifts():
    act = RPReLU(2, slope=0.1)
    x = torch.tensor([[-1.0, -1.0], [0.0, 0.0], [2.0, 2.0]])
    torch.testing.assert_close(act(x), torch.tensor([[-0.1, -0.1], [0.0, 0.0], [2.0, 2.0]]))
    with torch.no_grad():
        act.weight.copy_(torch.tensor([0.5, -2.0]))
        act.shift_before.copy_(torch.tensor([1.0, -0.5]))
        act.shift_after.copy_(torch.tensor([10.0, 20.0]))
    expected = torch.tensor([[9.0, 21.0], [9.5, 20.5], [11.0, 22.5]])
    torch.testing.assert_close(act(x), expected)
    torch.testing.assert_close(act(x[:, :, None, None])[:, :, 0, 0], expected)


def test_a_shifted_convolution_has_the_thresholds_of_its_input():
    layer = SignConv2d(3, 5, 1, shift=True, bias=False)
    with torch.no_grad():
        layer.quantizer.threshold.copy_(torch.tensor([0.5, -0.25, 0.0]))
    x = torch.randn(2, 3, 4, 4)
    expected = F.conv2d(
        plain_sign(x - layer.quantizer.threshold[:, None, None]), layer.quantized_weight()
    )
    torch.testing.assert_close(layer(x), expected)
    assert {name for name, _ in layer.named_parameters()} == {"weight", "quantizer.threshold"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "max"}, "expected scale to be 'mean' or None, but got 'max'"),
        ({"weights": "ls-2"}, "expected weights of ls-1 for signs, or fp, but got 'ls-2'"),
        ({"activations": "twn"}, "expected activations of ls-1 for signs, or fp, but got 'twn'"),
        ({"shift": True, "clamp": 2.0}, "expected no clamp with a learned shift, but got 2.0"),
        ({"shift": True, "activations": "fp"}, "of ls-1 for a learned shift, but got 'fp'"),
        ({"gradient": "tanh"}, "expected gradient to be one of .*, but got 'tanh'"),
        ({"clamp": -1.0}, "expected clamp to be 'paper', None or above 0, but got -1.0"),
    ],
)
def test_bad_convolutions(options, message):
    with pytest.raises(ValueError, match=message):
        SignConv2d(3, 4, 3, **options)


@pytest.mark.parametrize("scale", ["mean", None])
def test_weights_that_are_loaded_are_solved(scale):
    layer, other = (SignConv2d(3, 4, 3, scale=scale).eval() for _ in range(2))
    x = torch.randn(1, 3, 5, 5)
    state = {key: value for key, value in layer.state_dict().items() if "scalars" not in key}
    other.load_state_dict(state)
    assert torch.equal(other(x), layer(x))
    state["weight"] = state["weight"] * torch.inf
    with pytest.raises(ValueError, match="'weight': .*"):
        other.load_state_dict(state)


@pytest.mark.parametrize(("weights", "activations"), [("fp", "ls-1"), ("ls-1", "fp")])
def test_one_side_of_floats(weights, activations):
    layer = SignConv2d(3, 4, 1, bias=False, scale=None, weights=weights, activations=activations)
    x = torch.randn(2, 3, 4, 4)
    inputs = x if activations == "fp" else plain_sign(x)
    filters = layer.weight if weights == "fp" else plain_sign(layer.weight)
    torch.testing.assert_close(layer(x), F.conv2d(inputs, filters))


@pytest.mark.parametrize(
    ("scale", "shift"), [("mean", False), ("mean", True), (None, False), (None, True)]
)
def test_layer_compiled(scale, shift):
    model = nn.Sequential(
        nn.BatchNorm2d(40), SignConv2d(40, 24, 3, padding=1, scale=scale, shift=shift), RPReLU(24)
    )
    shape = (2, 40, 6, 5)
    agreement.trained(model, shape, 0)
    move(model)
    network, _ = agreement.check(model, agreement.draw(model, shape, 3, 0))
    assert products(network) == {"1": "binary"}


def move(model):
    """Learned shifts as after some training."""
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, RSign):
                module.threshold.normal_(0, 0.2)
            if isinstance(module, RPReLU):
                module.shift_before.normal_(0, 0.2)
                module.shift_after.normal_(0, 0.2)
