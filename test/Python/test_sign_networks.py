"""Networks of signs: their layers and blocks by the formulas of the papers, trained, compiled."""

import copy
import pickle

import agreement
import bquant
import pytest
import torch
import torch.nn.functional as F
from bquant import datasets, models, train
from bquant.models.bireal import BiRealUnit
from bquant.models.reactnet import ReActBlock
from bquant.nn import RPReLU, RSign, ScaleTensor, SignConv2d
from functions import sign
from reports import layers, products
from torch import nn


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def arithmetic(found):
    return {item["location"]: item["arithmetic"] for item in found}


# --- layers by hand --------------------------------------------------------------------------


@pytest.mark.parametrize("scale", ["mean", None])
def test_convolution_by_hand(scale):
    layer = SignConv2d(6, 4, 3, stride=2, padding=1, groups=2, scale=scale)
    x = torch.randn(2, 6, 7, 5)
    x[0, 0, 0, :3] = torch.tensor([0.0, -0.0, 1e-30])
    v = layer.weight.abs().mean((1, 2, 3)) if scale == "mean" else torch.ones(4)
    filters = sign(layer.weight) * v[:, None, None, None]
    expected = F.conv2d(sign(x), filters, layer.bias, 2, 1, 1, 2)
    for mode in (True, False):
        torch.testing.assert_close(layer.train(mode)(x), expected)
    torch.testing.assert_close(layer.weight_scalars, v[None])


def test_arguments_by_their_places():
    """As BinaryConv2d takes them, and one image alone."""
    layer = SignConv2d(3, 4, 3, 2, 1, 1, 1, False, "fp", "ls-1", None, shift=True)
    assert layer.stride == (2, 2) and layer.bias is None and layer.weights == "fp"
    with torch.no_grad():
        layer.quantizer.threshold.normal_()
    x = torch.randn(2, 3, 7, 3)
    torch.testing.assert_close(layer(input=x[0]), layer(x)[0])
    with pytest.raises(ValueError, match="expected activations of ls-1 for signs, or fp"):
        SignConv2d(3, 4, 3, 1, 0, 1, 1, True, "ls-1", "ls-2")


@pytest.mark.parametrize("scale", ["mean", None])
def test_gradients_of_a_convolution(scale):
    """Bi-Real Net's: of the signs of the input 2 - 2|x|, of those of the filter v, within 1."""
    layer = SignConv2d(3, 2, 1, bias=False, scale=scale)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[0.5, -1.5, 0.2], [1.0, -0.1, 2.0]])[:, :, None, None])
    x = torch.tensor([0.25, -0.5, 1.5])[None, :, None, None].requires_grad_()
    layer(x).backward(torch.tensor([1.0, 10.0])[None, :, None, None])
    v = layer.weight.detach().abs().mean((1, 2, 3)) if scale == "mean" else torch.ones(2)
    filters = (sign(layer.weight.detach()) * v[:, None, None, None])[:, :, 0, 0]
    slope = torch.tensor([1.5, 1.0, 0.0])
    expected = (filters * torch.tensor([1.0, 10.0])[:, None]).sum(0) * slope
    torch.testing.assert_close(x.grad[0, :, 0, 0], expected)
    within = torch.tensor([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    upstream = torch.tensor([1.0, 10.0])[:, None] * sign(x.detach())[0, :, 0, 0]
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
    assert torch.equal(y.detach(), sign(r))
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
        sign(x - layer.quantizer.threshold[:, None, None]), layer.quantized_weight()
    )
    torch.testing.assert_close(layer(x), expected)
    assert {name for name, _ in layer.named_parameters()} == {"weight", "quantizer.threshold"}
    layer = SignConv2d(3, 5, 1, shift=True, dtype=torch.bfloat16)
    assert layer(x.bfloat16()).dtype == layer.quantizer.threshold.dtype == torch.bfloat16


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


def test_summary_and_copies():
    """One bit of each side; a copy computes the same."""
    model = nn.Sequential(SignConv2d(32, 4, 3, shift=True), RPReLU(4)).eval()
    x = torch.randn(1, 32, 5, 5)
    layer, *_ = bquant.summary(model, x).layers
    assert (layer.weight_bits, layer.activation_bits) == (1, 1)
    assert layer.macs == layer.binary_macs == 4 * 9 * 32 * 9
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert torch.equal(other(x), model(x))
    assert "weights='ls-1', scale='mean'" in str(model)


@pytest.mark.parametrize(("weights", "activations"), [("fp", "ls-1"), ("ls-1", "fp")])
def test_one_side_of_floats(weights, activations):
    layer = SignConv2d(3, 4, 1, bias=False, scale=None, weights=weights, activations=activations)
    x = torch.randn(2, 3, 4, 4)
    inputs = x if activations == "fp" else sign(x)
    filters = layer.weight if weights == "fp" else sign(layer.weight)
    torch.testing.assert_close(layer(x), F.conv2d(inputs, filters))


@pytest.mark.nightly
@pytest.mark.parametrize("scale", ["mean", None])
@pytest.mark.parametrize("shift", [False, True])
def test_layer_compiled(scale, shift):
    model = nn.Sequential(
        nn.BatchNorm2d(40), SignConv2d(40, 24, 3, padding=1, scale=scale, shift=shift), RPReLU(24)
    )
    shape = (2, 40, 6, 5)
    agreement.trained(model, shape, 0)
    move(model)
    network, _ = agreement.check(model, agreement.draw(model, shape, 3, 0))
    assert arithmetic(products(network)) == {"1": "binary"}


def move(model):
    """Learned shifts and scales as after some training."""
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, RSign):
                module.threshold.normal_(0, 0.2)
            if isinstance(module, RPReLU):
                module.shift_before.normal_(0, 0.2)
                module.shift_after.normal_(0, 0.2)
            if isinstance(module, ScaleTensor):
                for parameter in module.parameters():
                    parameter.uniform_(0.5, 1.5)


# --- blocks and networks ---------------------------------------------------------------------


def signs_by_filters(convolution, x):
    """With signs of both, and the mean of |weight|."""
    w = convolution.weight
    filters = sign(w) * w.abs().mean((1, 2, 3), keepdim=True)
    return F.conv2d(sign(x), filters, None, convolution.stride, convolution.padding)


def rprelu(act, x):
    g, b, z = (p[:, None, None] for p in (act.shift_before, act.weight, act.shift_after))
    return torch.where(x > g, x - g + z, b * (x - g) + z)


@pytest.mark.parametrize(("filters", "stride"), [(8, 1), (16, 2), (16, 1)])
def test_bireal_unit_by_hand(filters, stride):
    """The shortcut is around one convolution; where it changes the shape, the pool comes first."""
    unit = BiRealUnit(8, filters, stride, 6 // stride, "mean")
    agreement.trained(unit, (1, 8, 6, 6), 0)
    x = torch.randn(2, 8, 6, 6)
    shortcut = x
    if filters != 8:
        if stride == 2:
            shortcut = x.unfold(2, 2, 2).unfold(3, 2, 2).mean((4, 5))
        convolution, norm = unit.shortcut[1:]
        shortcut = norm(torch.einsum("nchw,fc->nfhw", shortcut, convolution.weight[:, :, 0, 0]))
    expected = unit.norm(signs_by_filters(unit.conv, x)) + shortcut
    torch.testing.assert_close(unit(x), expected)


def test_learned_scales_by_hand():
    """XNOR-Net++'s: signs alone, times a_c b_h g_w."""
    unit = BiRealUnit(8, 8, 1, 5, "learned")
    agreement.trained(unit, (1, 8, 5, 5), 0)
    move(unit)
    x = torch.randn(2, 8, 5, 5)
    a, b, g = unit.scale.channel, unit.scale.row, unit.scale.column
    product = F.conv2d(sign(x), sign(unit.conv.weight), None, 1, 1)
    scales = torch.einsum("c,h,w->chw", a.flatten(), b.flatten(), g.flatten())
    torch.testing.assert_close(unit(x), unit.norm(product * scales) + x)


@pytest.mark.parametrize(("filters", "stride"), [(8, 1), (16, 2), (16, 1)])
def test_reactnet_block_by_hand(filters, stride):
    """Where channels double, two 1x1 convolutions of 8 filters are concatenated."""
    block = ReActBlock(8, filters, stride)
    agreement.trained(block, (1, 8, 6, 6), 0)
    move(block)
    x = torch.randn(2, 8, 6, 6)
    shortcut = x if stride == 1 else x.unfold(2, 2, 2).unfold(3, 2, 2).mean((4, 5))
    shifted = x - block.conv1.quantizer.threshold[:, None, None]
    y = rprelu(block.act1, block.norm1(signs_by_filters(block.conv1, shifted)) + shortcut)
    shifted = y - block.conv2.quantizer.threshold[:, None, None]
    z = block.norm2(signs_by_filters(block.conv2, shifted))
    halves = [half + y for half in z.split(8, 1)]
    torch.testing.assert_close(block(x), rprelu(block.act2, torch.cat(halves, 1)))


def test_the_networks_are_the_papers():
    """Their layers, and the number of signs: 9 C F of a 3x3 convolution, C F of a 1x1 one."""
    bireal, react = models.bireal18(), models.reactnet()
    signs = {m: [c for c in m.modules() if isinstance(c, SignConv2d)] for m in (bireal, react)}
    assert [c.out_channels for c in signs[bireal]] == [64] * 4 + [128] * 4 + [256] * 4 + [512] * 4
    assert sum(c.weight.numel() for c in signs[bireal]) == 10_985_472
    assert [c.stride[0] for c in signs[bireal]] == [1] * 4 + [2, 1, 1, 1] * 3
    channels = [64, 128, 128, 256, 256, *[512] * 6, 1024, 1024]
    assert [c.out_channels for c in signs[react][1::2]] == channels
    assert [c.stride[0] for c in signs[react][::2]] == [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1]
    assert all(c.kernel_size == (3, 3) for c in signs[react][::2])
    assert sum(c.weight.numel() for c in signs[react]) == 25_113_600 + 3_139_584
    assert not any(isinstance(m, nn.ReLU) for m in bireal.modules())


NETWORKS = {
    "bireal18": lambda: models.bireal18(width=8, classes=10, image=32),
    "bireal18_odd": lambda: models.bireal18(
        width=8, classes=10, image=28, stem="pooled", channels=1
    ),
    "bireal18_without_scales": lambda: models.bireal18(
        width=8, classes=10, image=12, stem="cifar", scale="none"
    ),
    "xnor_net_plus_plus": lambda: models.bireal18(
        width=8, classes=10, image=12, stem="cifar", scale="learned"
    ),
    "reactnet": lambda: models.reactnet(width=4, classes=10, image=32),
    "reactnet_odd": lambda: models.reactnet(width=4, classes=10, image=13, stem="cifar"),
    "reactnet_pooled": lambda: models.reactnet(width=4, classes=10, image=28, stem="pooled"),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_shapes(name):
    """Whole ones and halves, rounded up."""
    model = NETWORKS[name]().eval()
    with torch.no_grad():
        assert model(torch.randn(2, *model.input_shape[1:])).shape == (2, 10)


def check(model, shape, count, label):
    """Products of bits but for the first layer, shortcuts and the classifier. What stands between
    the products is in thresholds where it can be: a sum of a product and a shortcut is floats."""
    agreement.trained(model, shape, 0)
    move(model)
    models.calibrate(model, [torch.randn(8, *shape[1:]) for _ in range(2)])
    network, _ = agreement.check(model, agreement.draw(model, shape, count, 0), label)
    quantized = {n: m for n, m in model.named_modules() if isinstance(m, SignConv2d)}
    floats = {
        name
        for name, module in model.named_modules()
        if isinstance(module, (nn.Conv2d, nn.Linear)) and name not in quantized
    }
    expected = dict.fromkeys(quantized, "binary") | dict.fromkeys(floats, "float")
    assert arithmetic(products(network)) == expected
    quantizations = arithmetic(item for item in layers(network) if not item["macs"])
    for name, module in quantized.items():
        if isinstance(module.quantizer, RSign):
            assert quantizations[name] == "binary, thresholds"


def test_blocks_compiled():
    model = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        BiRealUnit(8, 16, 2, 4, "mean"),
        BiRealUnit(16, 16, 1, 4, "learned"),
        ReActBlock(16, 32, 2),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(32, 10),
    )
    check(model, (1, 3, 7, 7), 3, "blocks")


@pytest.mark.nightly
@pytest.mark.parametrize("name", NETWORKS)
def test_network_compiled(name):
    model = NETWORKS[name]()
    check(model, model.input_shape, 20, name)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: models.bireal18(stem="none"), "expected stem to be one of 'imagenet', 'cifar'"),
        (lambda: models.bireal18(scale="max"), "expected scale to be one of 'mean', 'learned', 'n"),
        (lambda: models.bireal18(width=0), "expected width to be at least 1, but got 0"),
        (lambda: models.reactnet(stem="none"), "expected stem to be one of 'imagenet', 'cifar'"),
        (lambda: models.reactnet(classes=0), "expected classes to be at least 1, but got 0"),
    ],
)
def test_bad_networks(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# --- training --------------------------------------------------------------------------------


def learn(model, epochs, **options):
    """The loss of each epoch, and the accuracy after the last; chance has a tenth."""
    rows = []
    recipe = train.Recipe(epochs=epochs, shift=0, flip=False, **{"batch": 64, **options})
    train.train(model, datasets.load("digits"), recipe, epoch_done=rows.append)
    return [row["loss"] for row in rows], rows[-1]["accuracy"]


@pytest.mark.parametrize("name", ["bireal", "reactnet"])
def test_blocks_learn(name):
    blocks = {
        "bireal": [BiRealUnit(8, 16, 2, 4, "learned"), BiRealUnit(16, 32, 1, 4, "mean")],
        "reactnet": [ReActBlock(8, 16, 1), ReActBlock(16, 32, 2), ReActBlock(32, 32, 1)],
    }[name]
    ends = nn.Conv2d(1, 8, 3, padding=1, bias=False), [nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    model = nn.Sequential(ends[0], nn.BatchNorm2d(8), *blocks, *ends[1], nn.Linear(32, 10))
    losses, accuracy = learn(model, 2, rate=5e-3)
    assert losses[1] < 0.8 * losses[0] and accuracy > 0.5
    start = {RSign: 0.0, RPReLU: 0.0, ScaleTensor: 1.0}
    for module in model.modules():
        for key, value in module.named_parameters(recurse=False):
            if type(module) in start and key != "weight":
                assert (value != start[type(module)]).any(), key


@pytest.mark.nightly
@pytest.mark.parametrize("scale", ["mean", "learned"])
def test_bireal18_learns(scale):
    model = models.bireal18(width=4, classes=10, image=8, stem="cifar", channels=1, scale=scale)
    losses, accuracy = learn(model, 3, rate=5e-3)
    assert losses[-1] < 0.8 * losses[0] and accuracy > 0.4


@pytest.mark.nightly
def test_reactnet_learns():
    """Twenty-six convolutions of signs take their time."""
    model = models.reactnet(width=8, classes=10, image=8, stem="cifar", channels=1)
    losses, accuracy = learn(model, 6, rate=2e-3, batch=32)
    assert losses[-1] < 0.7 * losses[0] and accuracy > 0.2
