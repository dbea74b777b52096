"""Networks on a batch of any size equal the network on each known size, in every bit."""

import bquant
import numpy as np
import pytest
import torch
from bquant import nn
from bquant.frontends import UnsupportedOp
from functions import Function


def _convolutions():
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, padding=1),
        torch.nn.BatchNorm2d(8),
        nn.BinaryConv2d(8, 40, 3, padding=1, weights="ls-1", activations="ls-2"),
        torch.nn.PReLU(40),
        torch.nn.MaxPool2d(2),
        nn.BinaryConv2d(40, 8, 3, stride=2, weights="ls-T", activations="ls-1"),
        torch.nn.BatchNorm2d(8),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        torch.nn.Linear(8, 5),
    ), (3, 12, 12)


def _matrices():
    return torch.nn.Sequential(
        torch.nn.Flatten(),
        torch.nn.Linear(24, 40),
        torch.nn.ReLU(),
        nn.BinaryLinear(40, 33, weights="ls-1", activations="ls-1"),
        torch.nn.Hardtanh(),
        torch.nn.Linear(33, 6),
    ), (2, 12)


class _Reshaped(torch.nn.Module):
    """Sizes read from the input, rows of a sequence, a shortcut and a branch."""

    def __init__(self):
        super().__init__()
        self.binary = nn.BinaryLinear(32, 32, weights="ls-1", activations="ls-2")
        self.last = torch.nn.Linear(128, 7)

    def forward(self, x):
        n, rows = x.shape[0], x.shape[1]
        y = self.binary(x.reshape(n * rows, 32)).view(n, rows, 32)
        y = torch.nn.functional.pad(x + y, (0, 0, 1, 0))[:, 1:]
        y = y.transpose(1, 2)
        return torch.softmax(self.last(y.reshape(n, -1)), 1), y.mean(dim=(1, 2))


def _reshaped():
    return _Reshaped(), (4, 32)


NETWORKS = {f.__name__[1:]: f for f in (_convolutions, _matrices, _reshaped)}


def _trained(make):
    torch.manual_seed(1)
    model, shape = make()
    for _ in range(3):  # running averages of scalars and statistics
        model(torch.randn(16, *shape))
    return model.eval(), shape


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("name", NETWORKS)
def test_equals_every_known_size(name, strategy, tmp_path):
    model, shape = _trained(NETWORKS[name])
    x = torch.randn(7, *shape)
    any_size = bquant.compile(model, (x[:1],), strategy=strategy, dynamic_batch=True)
    any_size.save(tmp_path / "net.so")
    loaded = bquant.load(tmp_path / "net.so")
    for n in (1, 2, 7) if (name, strategy) == ("convolutions", "auto") else (3,):
        known = bquant.compile(model, (x[:n],), strategy=strategy)
        expected = _tuple(known(x[:n]))
        for net in (any_size, loaded):
            for y, e in zip(_tuple(net(x[:n])), expected, strict=True):
                assert y.shape == e.shape
                assert torch.equal(y, e)
    for n in (1, 2, 7):
        for y, e in zip(_tuple(any_size(x[:n])), _tuple(any_size(x)), strict=True):
            assert torch.equal(y, e[:n])
    with torch.no_grad():
        for y, e in zip(_tuple(any_size(x)), _tuple(model(x)), strict=True):
            torch.testing.assert_close(y, e, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("scheme", ["ls-1", "ls-2", "gf-2"])
def test_online_scalars_of_each_sample(scheme, strategy):
    """A sample has the scalars that it has alone: those of its neighbours, which are much larger or
    much smaller, do not reach it."""
    options = {"weights": "ls-1", "activations": scheme, "scalars": "online"}
    model, shape = _trained(
        lambda: (
            torch.nn.Sequential(
                torch.nn.BatchNorm2d(3),
                nn.BinaryConv2d(3, 40, 3, padding=1, **options),
                torch.nn.PReLU(40),
                nn.BinaryConv2d(40, 8, 3, stride=2, **options),
                torch.nn.Flatten(),
                nn.BinaryLinear(72, 5, **options),
            ),
            (3, 8, 8),
        )
    )
    x = torch.randn(5, *shape) * torch.tensor([1, 0.2, 0.01, 3, 0.5]).reshape(5, 1, 1, 1)
    alone = bquant.compile(model, (x[:1],), strategy=strategy)
    each = torch.cat([alone(x[i : i + 1]) for i in range(5)])
    any_size = bquant.compile(model, (x[:1],), strategy=strategy, dynamic_batch=True)
    for n in (1, 2, 5):
        assert torch.equal(any_size(x[:n]), each[:n])
        assert torch.equal(any_size(x[-n:].contiguous()), each[-n:])
    with torch.no_grad():
        torch.testing.assert_close(each, model(x), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("options", [{}, {"scalars": "online"}], ids=["stored", "online"])
def test_dense_layers_take_blocks(options, threads):
    """Whole blocks of 16 and what they leave over have the bits of single samples."""
    options = {"weights": "ls-1", "activations": "ls-2", **options}
    model, shape = _trained(
        lambda: (
            torch.nn.Sequential(
                nn.BinaryLinear(300, 260, **options),
                torch.nn.ReLU(),
                nn.BinaryLinear(260, 40, **options),
                torch.nn.Linear(40, 7),
            ),
            (300,),
        )
    )
    x = torch.randn(35, *shape) * torch.linspace(0.1, 3, 35).reshape(35, 1)
    alone = bquant.compile(model, (x[:1],))
    each = torch.cat([alone(x[i : i + 1]) for i in range(35)])
    net = bquant.compile(model, (x[:1],), dynamic_batch=True, threads=threads)
    assert net.report().splitlines()[0] == alone.report().splitlines()[0]  # the layers, once
    for n in (1, 15, 16, 17, 32, 35):
        assert torch.equal(net(x[:n], threads=threads), each[:n]), n
        assert torch.equal(net(x[-n:].contiguous(), threads=threads), each[-n:]), n


def test_signature_and_no_samples():
    model, shape = _trained(_matrices)
    net = bquant.compile(model, torch.zeros(1, *shape), dynamic_batch=True)
    assert net.inputs[0]["shape"] == [None, 2, 12]
    assert net.outputs[0]["shape"] == [None, 6]
    assert "float32[?, 2, 12]" in repr(net)
    assert net(np.zeros((0, 2, 12), np.float32)).shape == (0, 6)
    assert net(torch.zeros(0, 2, 12)).shape == (0, 6)


def test_dynamic_shapes_of_an_exported_program():
    class Scaled(torch.nn.Module):
        def forward(self, x, y, w):
            return x * w + y

    batch = torch.export.Dim("batch")
    x, y, w = torch.randn(3, 4), torch.randn(3, 4), torch.randn(4)
    shapes = {"x": {0: batch}, "y": {0: batch}, "w": None}
    net = bquant.compile(torch.export.export(Scaled(), (x, y, w), dynamic_shapes=shapes))
    assert [i["shape"] for i in net.inputs] == [[None, 4], [None, 4], [4]]
    assert torch.equal(net(x, y, w), x * w + y)
    with pytest.raises(ValueError, match=r"expected the batch 3 of '.*', but got 2"):
        net(x, y[:2], w)
    with pytest.raises(ValueError, match=r"expected the shape \(batch, 4\), but got \(3, 5\)"):
        net(x, torch.zeros(3, 5), w)
    with pytest.raises(ValueError, match=r"expected the shape \(batch, 4\), but got \(4,\)"):
        net(x, w, w)


def test_what_mixes_samples_is_refused():
    centered = Function(lambda x: x - x.amax(0))
    mean = Function(lambda x: x - x.mean(0))
    swapped = Function(lambda x: x.transpose(0, 1))
    x = (torch.randn(2, 4),)
    with pytest.raises(ValueError, match="reduces over the batch"):
        bquant.compile(centered, x, dynamic_batch=True)
    with pytest.raises(UnsupportedOp, match="^aten.mean.*does not depend on the size of the batch"):
        bquant.compile(mean, x, dynamic_batch=True)
    with pytest.raises(ValueError, match="expected the batch to be the leading dimension"):
        bquant.compile(swapped, x, dynamic_batch=True)


def test_bad_requests():
    model, _ = _trained(_matrices)
    x = torch.zeros(2, 2, 12)
    with pytest.raises(ValueError, match="agree in their leading dimension"):
        bquant.compile(torch.nn.Bilinear(2, 3, 4), (torch.zeros(2, 2), torch.zeros(3, 3)),
                       dynamic_batch=True)  # fmt: skip
    with pytest.raises(ValueError, match="expected an nn.Module for dynamic_batch"):
        bquant.compile(torch.export.export(model, (x,)), dynamic_batch=True)
    fixed = Function(lambda x: x.reshape(2, 24))
    with pytest.raises(UnsupportedOp, match="expected a model for any size of the batch"):
        bquant.compile(fixed, (x,), dynamic_batch=True)
