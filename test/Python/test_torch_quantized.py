"""Networks that libraries of PyTorch's have quantized: torch.ao's modules as they are, and programs
of Brevitas and torchao from golden/ (`./dev fixtures`)."""

import copy

import bquant
import numpy as np
import pytest
import torch
import torch.ao.quantization as ao
from bquant.frontends import UnsupportedOp
from golden_files import cases
from reports import share_in_codes
from torch import nn
from torch.ao.quantization.quantize_fx import convert_fx, convert_to_reference_fx, prepare_fx

pytestmark = pytest.mark.filterwarnings("ignore")
PROGRAMS = cases("torch_exports.npz")
# NAME: the share of its MACs, in percent, that are products of bits or bytes. Weights alone, and
# scales that are known at run time only, leave floats.
SHARES = {
    "tfc_w1a1": 100.0,
    "tfc_w1a2": 100.0,
    "tfc_w2a2": 100.0,
    "codes_of_4_bits": 100.0,
    "weights_of_8_bits": 0.0,
    "dynamic_8_bits": 100.0,
    "dynamic_any_bits": 0.0,
    "static_8_bits": 100.0,
}


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("name", SHARES)
def test_program(name, strategy, tmp_path):
    content, (x,), (y,) = PROGRAMS[name]
    path = tmp_path / "net.pt2"
    path.write_bytes(content)
    network = bquant.compile(path, strategy=strategy)
    np.testing.assert_allclose(network(x), y, rtol=1e-5, atol=1e-5 * np.abs(y).max())
    assert share_in_codes(network) == pytest.approx(SHARES[name], abs=0.1)


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.norm, self.relu1 = nn.Conv2d(4, 16, 3), nn.BatchNorm2d(16), nn.ReLU()
        self.conv2, self.relu2 = nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU()
        self.conv3, self.head = nn.Conv2d(32, 32, 1), nn.Linear(32, 12)
        self.sum = torch.ao.nn.quantized.FloatFunctional()
        self.start, self.end = ao.QuantStub(), ao.DeQuantStub()

    def forward(self, x):
        x = self.relu1(self.norm(self.conv1(self.start(x))))
        x = self.relu2(self.conv2(torch.nn.functional.max_pool2d(x, 2)))
        x = self.sum.add(x, self.conv3(x))
        return self.head(self.end(x).mean((2, 3)))


class Graph(Images):
    """For FX, which sees additions and needs no stubs."""

    def forward(self, x):
        x = self.relu1(self.norm(self.conv1(x)))
        x = self.relu2(self.conv2(torch.nn.functional.max_pool2d(x, 2)))
        return self.head((x + self.conv3(x)).mean((2, 3)))


X = torch.randn(2, 4, 14, 14, generator=torch.Generator().manual_seed(1))
FUSED = [["conv1", "norm", "relu1"], ["conv2", "relu2"]]


def eager():
    model = ao.fuse_modules(Images().eval(), FUSED)
    model.qconfig, model.head.qconfig = ao.get_default_qconfig("fbgemm"), None
    ao.prepare(model, inplace=True)(X)
    return ao.convert(model)


def fx():
    model = prepare_fx(Graph().eval(), ao.get_default_qconfig_mapping("fbgemm"), (X,))
    model(X)
    return model


def aware():
    """Quantization-aware training that is over, its fake quantizers still there."""
    model = Images().train()
    model.qconfig = ao.get_default_qat_qconfig("fbgemm")
    ao.prepare_qat(model, inplace=True)(X)
    return model.apply(ao.disable_observer).eval()


MODELS = {
    "eager": (eager, 80),
    "fx": (lambda: convert_fx(fx()), 80),
    "fx_reference": (lambda: convert_to_reference_fx(fx()), 80),
    "aware": (aware, 80),
    "dynamic": (lambda: ao.quantize_dynamic(
        nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 8)).eval(),
        {nn.Linear}), 0),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_modules(name):
    """Torch sums codes in integers, and divides the sum of a mean otherwise: what is in the middle
    of two codes may be the other one."""
    torch.manual_seed(4)
    make, least = MODELS[name]
    model = make()
    state = copy.deepcopy(model.state_dict())
    with torch.no_grad():
        expected = model(X)
    network = bquant.compile(model, (X,))
    result = network(X)
    size = expected.abs().max()
    assert (result - expected).abs().median() <= 1e-5 * size
    assert (result - expected).abs().max() <= 0.02 * size
    assert share_in_codes(network) >= least
    assert torch.equal(result, bquant.compile(model, (X,), strategy="reference")(X))
    for key, value in model.state_dict().items():  # left as it was
        assert torch.is_tensor(value) is False or torch.equal(value, state[key])


class Sums(nn.Module):
    """An average that no module computes; of floats after the end of codes."""

    def forward(self, x):
        return nn.functional.relu(x).mean((2, 3))


BETWEEN = {
    "average": [nn.AvgPool2d(2), ao.DeQuantStub()],
    "averages": [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 64), ao.DeQuantStub()],
    "mean": [Sums(), nn.Linear(8, 64), ao.DeQuantStub()],
    "sigmoid": [nn.Sigmoid(), ao.DeQuantStub()],
    "hardsigmoid": [nn.Hardsigmoid(), ao.DeQuantStub()],
    "tanh": [nn.Tanh(), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1), ao.DeQuantStub()],
    "floats": [ao.DeQuantStub(), nn.AvgPool2d(2), nn.Tanh()],
}


@pytest.mark.parametrize("name", BETWEEN)
def test_what_lies_between_modules(name):
    """It is rounded to codes: of its input, or of the function. Of halves, which averages of four
    codes often are, the other code may be taken."""
    torch.manual_seed(7)
    model = nn.Sequential(ao.QuantStub(), nn.Conv2d(4, 8, 3), *BETWEEN[name]).eval()
    model.qconfig = ao.get_default_qconfig("fbgemm")
    ao.prepare(model, inplace=True)(X)
    ao.convert(model, inplace=True)
    network, expected = bquant.compile(model, (X,)), model(X)
    off = (network(X) - expected).abs() > 1e-6
    assert off.float().mean() <= (0.3 if name == "average" else 0.01)
    if name in ("averages", "mean"):
        assert share_in_codes(network) == 100


def test_modules_that_are_not_taken():
    model = nn.Sequential(ao.QuantStub(), nn.Conv3d(2, 4, 1), ao.DeQuantStub()).eval()
    model.qconfig = ao.get_default_qconfig("fbgemm")
    x = torch.randn(1, 2, 3, 4, 4)
    ao.prepare(model, inplace=True)(x)
    with pytest.raises(UnsupportedOp, match="but '1' is torch.ao.nn.quantized.modules.conv.Conv3d"):
        bquant.compile(ao.convert(model), (x,))
