"""`Network.profile`: the time of each layer, by its name in the model."""

import json

import bquant
import bquant.nn as bnn
import numpy as np
import pytest
import torch
from torch import nn


class Net(nn.Module):
    """Two binary layers with a shortcut: corners of the first go to the second in registers."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 32, 3, padding=1)
        self.first, self.second = (
            bnn.BinaryConv2d(32, 32, 3, padding=1, weights="ls-1", activations="ls-1")
            for _ in range(2)
        )

    def forward(self, x):
        x = self.stem(x)
        x = x + self.first(x)
        return x + self.second(x)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    model = Net()
    model(torch.randn(2, 3, 8, 8))
    return model.eval()


def test_layers(model, tmp_path):
    x = torch.randn(1, 3, 8, 8)
    net = bquant.compile(model, (x,), strategy="scalar")
    before = net(x)
    profile = net.profile(x, calls=3)
    assert torch.equal(net(x), before)
    names = [layer["location"] for layer in profile.layers]
    assert [n for n in names if n in ("stem", "first", "second")] == ["stem", "first", "second"]
    of = {layer["location"]: layer for layer in profile.layers}
    assert of["second"]["kernel"] == "scalar" and of["second"]["operations"] == "quantize, conv_2d"
    assert 0 < of["second"]["limit_share"] and 0 < of["second"]["seconds"] < profile.clocked_seconds
    assert profile.calls == 3 and 0 < profile.seconds
    for name in ("stem", "first", "second", "outside of layers"):
        assert name in str(profile)
    assert json.loads(profile.json())["layers"] == profile.layers
    assert "second" in profile.html() and "<html" not in profile._repr_html_()

    pytest.importorskip("matplotlib")
    profile.plot(tmp_path / "profile.png")
    assert (tmp_path / "profile.png").read_bytes().startswith(b"\x89PNG")


def test_batch(model):
    net = bquant.compile(model, (torch.randn(2, 3, 8, 8),), dynamic_batch=True)
    one, four = (net.profile(np.zeros((n, 3, 8, 8), "f"), calls=1) for n in (1, 4))
    for few, many in zip(one.layers, four.layers, strict=True):
        if "estimated_cycles" in few:
            assert many["estimated_cycles"] == 4 * few["estimated_cycles"]


def test_errors(model, tmp_path):
    x = torch.randn(1, 3, 8, 8)
    net = bquant.compile(model, (x,))
    with pytest.raises(ValueError, match="expected at least 1 call, but got 0"):
        net.profile(x, calls=0)
    with pytest.raises(TypeError, match="expected 1 inputs, but got 0"):
        net.profile()
    net.save(tmp_path / "net.so")
    with pytest.raises(ValueError, match="expected a network that was compiled here"):
        bquant.load(tmp_path / "net.so").profile(x)
