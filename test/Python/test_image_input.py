"""Images of bytes: by the model's own first steps, or with mean and deviation given."""

import json

import bquant
import bquant.nn
import numpy as np
import pytest
import torch
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
    names = [
        [layer["location"] for layer in json.loads(net.report("json"))["layers"]]
        for net in (floats, image)
    ]
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
    class Sum(nn.Module):
        def forward(self, x):
            return (x + x).float()

    with pytest.raises(NotImplementedError, match="aten.add.Tensor gives ui8"):
        bquant.compile(Sum(), torch.from_numpy(images()))
