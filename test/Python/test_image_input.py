"""Images of bytes: by the model's own first steps, or with mean and deviation given."""

import bquant
import bquant.nn
import numpy as np
import pytest
import torch
from bquant.frontends.torch.byte_weights import ByteWeights
from functions import Function
from reports import layers
from torch import nn

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def network():
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(3, 16, 5, 2, 2),
        nn.ReLU(),
        bquant.nn.BinaryConv2d(16, 32, 3, padding=1, weights="ls-1", activations="ls-1"),
    )
    model(torch.rand(2, 3, 20, 20))  # the scalars
    return model.eval()


def images(n=1):
    return np.random.default_rng(n).integers(0, 256, (n, 3, 20, 20), np.uint8)


def normalized(x):
    mean, std = (torch.tensor(v).reshape(-1, 1, 1) for v in (MEAN, STD))
    return (torch.from_numpy(x).float() / 255 - mean) / std


class Normalized(nn.Module):
    def __init__(self, channels_last=False):
        super().__init__()
        self.network, self.channels_last = network(), channels_last

    def forward(self, x):
        if self.channels_last:
            x = x.permute(0, 3, 1, 2)
        mean, std = (torch.tensor(v).reshape(-1, 1, 1) for v in (MEAN, STD))
        return self.network((x / 255 - mean) / std)


@pytest.mark.parametrize("strategy", ["auto", "reference"])
def test_mean_and_deviation_given_equal_float_input(strategy):
    x, model = images(), network()
    floats = bquant.compile(model, normalized(x), strategy=strategy)
    net = bquant.compile(model, normalized(x), strategy=strategy, input="uint8", mean=MEAN, std=STD)
    assert [(i["dtype"], i["shape"]) for i in net.inputs] == [("uint8", [1, 3, 20, 20])]
    np.testing.assert_array_equal(net(x), floats(normalized(x).numpy()))
    assert not model._forward_pre_hooks


@pytest.mark.parametrize("channels_last", [False, True])
def test_own_first_steps(channels_last):
    model = Normalized(channels_last).eval()
    x = images(3)
    if channels_last:
        x = np.ascontiguousarray(x.transpose(0, 2, 3, 1))
    net = bquant.compile(model, torch.from_numpy(x), dynamic_batch=True)
    assert bquant.verify(net, model, x).equal
    reference = bquant.compile(model, torch.from_numpy(x), strategy="reference")
    np.testing.assert_array_equal(net(x), reference(x))


def test_saved_with_its_type(tmp_path):
    net = bquant.compile(network(), images(), input="uint8")
    net.save(tmp_path / "net.so")
    assert "uint8_t" in (tmp_path / "net.h").read_text()
    loaded = bquant.load(tmp_path / "net.so")
    np.testing.assert_array_equal(loaded(images()), net(images()))


def test_layers_keep_their_names():
    floats = bquant.compile(network(), normalized(images()))
    image = bquant.compile(network(), images(), input="uint8", mean=MEAN, std=STD)
    names = [[layer["location"] for layer in layers(net)] for net in (floats, image)]
    assert names == [["0", "2", "2"]] * 2


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"input": "int8"}, "expected float32 or uint8, but got 'int8'"),
        ({"mean": 0.5}, 'expected mean and std with input="uint8" only'),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        bquant.compile(network(), normalized(images()), **arguments)


@pytest.mark.parametrize("input_weights", ["float32", "int8"])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"mean": (0.1, 0.2)}, ValueError, "each channel, of which there are 3, but got 2"),
        ({"mean": "a"}, TypeError, "expected mean to be a number or .*, but got 'a'"),
        ({"mean": 1j}, TypeError, "expected mean to be a number or .*, but got 1j"),
        ({"mean": float("nan")}, ValueError, "expected mean to be finite, but got nan"),
        ({"mean": 0, "std": 0}, ValueError, "expected std to be positive and finite, but got 0"),
        ({"std": (1, 1, -1)}, ValueError, "expected std to be positive and finite, but got -1"),
    ],
)
def test_bad_statistics(arguments, error, message, input_weights):
    with pytest.raises(error, match=message):
        bquant.compile(network(), images(), input="uint8", input_weights=input_weights, **arguments)


CONVOLUTIONS = [
    nn.Conv2d(3, 16, 7, 2, 3),
    nn.Conv2d(3, 40, 3, 1, 1, bias=False),
    nn.Conv2d(3, 8, 3, padding=(2, 0), dilation=2),
    nn.Conv2d(3, 8, 1),
    nn.Conv2d(3, 8, (5, 3), (1, 2), (2, 1)),
]


def in_bytes(conv, x, **options):
    return bquant.compile(conv, x, input="uint8", input_weights="int8", **options)


@pytest.mark.parametrize("number", range(len(CONVOLUTIONS)))
@pytest.mark.parametrize("statistics", [{"mean": MEAN, "std": STD}, {"std": 0.5}, {"mean": 0.3}])
def test_weights_of_bytes(number, statistics):
    """By products of bytes, with the same bits on both routes, and as an image of floats gives it
    that is padded with 0, but for the rounding of weights and half a step at padded positions."""
    torch.manual_seed(number)
    conv, x = CONVOLUTIONS[number], images()
    nn.init.normal_(conv.weight)
    net, reference = (in_bytes(conv, x, strategy=s, **statistics) for s in ("auto", "reference"))
    y = net(x)
    np.testing.assert_array_equal(y, reference(x))
    assert "bytes<" in net.report() and "fma<" not in net.report()

    mean, std = (
        np.full(3, statistics.get(name, default), np.float64)
        for name, default in (("mean", 0), ("std", 1))
    )
    layer = ByteWeights.of(conv, mean, std)
    exact = nn.Conv2d(3, conv.out_channels, conv.kernel_size, conv.stride, conv.padding)
    exact.dilation, exact.double().bias.data[:] = conv.dilation, 0
    if conv.bias is not None:
        exact.bias.data[:] = conv.bias.double()
    q = layer.weights[:, :3].double() * layer.scales.double().reshape(-1, 1, 1, 1)
    exact.weight.data[:] = q * 255 * torch.from_numpy(std.reshape(-1, 1, 1))
    image = torch.from_numpy((x / 255 - mean.reshape(-1, 1, 1)) / std.reshape(-1, 1, 1))
    with torch.no_grad():
        expected = exact(image).numpy()
        taps = conv.weight[0, 0].numel()
        inside = nn.functional.conv2d(
            torch.ones(1, 1, 20, 20), torch.ones(1, 1, *conv.kernel_size), None, conv.stride,
            conv.padding, conv.dilation,
        ).numpy()  # fmt: skip
        rounding = 1e-6 * nn.functional.conv2d(
            torch.full((1, 3, 20, 20), 255.0).double(), q.abs(), None, conv.stride, conv.padding,
            conv.dilation,
        ).numpy()  # fmt: skip
    step = abs(layer.inside - layer.outside) * layer.scales.numpy().reshape(-1, 1, 1)
    assert (np.abs(y - expected) <= 0.51 * step * (taps - inside) + rounding + 1e-6).all()
    # Without what makes up for the border it would be off by more.
    if conv.padding != (0, 0) and "mean" in statistics:
        assert np.abs(y - expected)[:, :, 0].max() > 0

    floats = bquant.compile(conv, x, input="uint8", **statistics)(x)
    assert np.linalg.norm(y - floats) < 0.01 * np.linalg.norm(floats)


def test_weights_of_bytes_in_a_network(tmp_path):
    model, x = network(), images(3)
    net = in_bytes(model, x, mean=MEAN, std=STD, dynamic_batch=True)
    assert "forward" not in model[0].__dict__ and not model._forward_pre_hooks
    assert net.inputs[0]["dtype"] == "uint8"
    reference = in_bytes(model, x, mean=MEAN, std=STD, strategy="reference", dynamic_batch=True)
    np.testing.assert_array_equal(net(x), reference(x))
    assert {"0", "2"} <= {layer["location"] for layer in layers(net)}
    net.save(tmp_path / "net.so")
    np.testing.assert_array_equal(bquant.load(tmp_path / "net.so")(x), net(x))


@pytest.mark.parametrize(
    "model, message",
    [
        (nn.Sequential(nn.Flatten(), nn.Linear(1200, 4)), "reads for .* but got 0 of them"),
        (nn.Sequential(nn.ReLU(), nn.Conv2d(3, 4, 3)), "reads for .* but got 0 of them"),
        (
            Function(lambda x, conv: conv(x) + x, conv=nn.Conv2d(3, 3, 3, padding=1)),
            "but got 1 of them and something else",
        ),
        (nn.Conv2d(3, 3, 3, groups=3), "expected a convolution of one group"),
        (nn.Conv2d(3, 4, 3, padding=1, padding_mode="reflect"), "padded with so many zeros"),
        (nn.Conv2d(3, 4, 3, padding="same"), "padded with so many zeros"),
    ],
)
def test_what_takes_no_weights_of_bytes(model, message):
    with pytest.raises(ValueError, match=message):
        in_bytes(model, images())


def test_weights_of_bytes_need_an_image_of_bytes():
    with pytest.raises(ValueError, match='expected input_weights="int8" with input="uint8" only'):
        bquant.compile(network(), normalized(images()), input_weights="int8")
    with pytest.raises(
        ValueError, match="expected float32 or int8 for input_weights, but got 'u8'"
    ):
        bquant.compile(network(), images(), input="uint8", input_weights="u8")
    with pytest.raises(ValueError, match="expected means about from 0 to 1"):
        in_bytes(network(), images(), mean=124.0)


def test_what_takes_no_image():
    with pytest.raises(ValueError, match=r"expected an image of shape \(N, C, H, W\)"):
        bquant.compile(nn.Linear(8, 2), torch.rand(1, 8), input="uint8")
    with pytest.raises(ValueError, match="expected an nn.Module for input"):
        bquant.compile("func.func @f() {\n}", input="uint8")
    floats = bquant.compile(network(), normalized(images()))
    with pytest.raises(TypeError, match="expected float32, but got uint8"):
        floats(images())
    with pytest.raises(TypeError, match="expected uint8, but got float32"):
        bquant.compile(network(), images(), input="uint8")(normalized(images()).numpy())


def test_arithmetic_of_bytes_is_told():
    with pytest.raises(NotImplementedError, match="aten.add.Tensor gives uint8"):
        bquant.compile(Function(lambda x: (x + x).float()), torch.from_numpy(images()))
