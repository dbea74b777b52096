"""bquant.convert, bquant.quantize_model, bquant.summary: networks that one has."""

import copy
import subprocess
import sys
from pathlib import Path

import bquant
import bquant.models
import pytest
import torch
from bquant.nn import BinaryConv2d, BinaryLinear
from torch import nn


def network():
    torch.manual_seed(2)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(),
        nn.Conv2d(8, 16, 3, stride=2, padding=1, padding_mode="reflect"), nn.BatchNorm2d(16),
        nn.Hardtanh(),
        nn.Conv2d(16, 16, 3, padding="same", groups=2, bias=False), nn.BatchNorm2d(16),
        nn.Dropout(0.5), nn.Flatten(), nn.Linear(16 * 49, 32), nn.Linear(32, 10),
    )  # fmt: skip
    return bquant.models.calibrate(model, [images(seed) for seed in range(3)])


def images(seed: int, count: int = 32):
    return torch.randn(count, 1, 14, 14, generator=torch.Generator().manual_seed(seed))


def swapped(model):
    return [
        name for name, m in model.named_modules() if isinstance(m, (BinaryConv2d, BinaryLinear))
    ]


def test_convert(capsys):
    model = network()
    before = copy.deepcopy(model.state_dict())
    converted = bquant.convert(model, weights="ls-2", activations="ls-T", clamp=2.0)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == ("bquant.convert: 3: Conv2d -> BinaryConv2d, weights ls-2, activations ls-T")
    assert lines[-1] == "bquant.convert: 3 of 5 layers; as they were: 0, 11"
    assert swapped(converted) == ["3", "6", "10"] and not swapped(model)
    assert not converted.training
    layer = converted[3]
    assert layer.padding_mode == "reflect" and layer.stride == (2, 2)
    assert layer.quantizer.clamp == 2.0 and converted[6].bias is None
    # Nothing is shared, nothing has changed.
    assert all(torch.equal(model.state_dict()[key], before[key]) for key in before)
    converted[3].weight.data.zero_()
    assert torch.equal(model[3].weight, before["3.weight"])

    # An old checkpoint loads strictly; scalars are solved from it.
    converted.load_state_dict(before)
    expected = bquant.quantize(before["3.weight"], "ls-2", axis=0).scalars
    assert converted[3].weight_scalars.tolist() == expected.tolist()
    with pytest.raises(RuntimeError, match="Missing key.*3.weight"):
        converted.load_state_dict({k: v for k, v in before.items() if k != "3.weight"})
    with pytest.raises(RuntimeError, match="no batch has been seen"):
        converted(images(9))

    converted.train()
    converted(images(4)).sum().backward()
    converted.eval()
    compiled = bquant.compile(converted, (images(5),))
    torch.testing.assert_close(compiled(images(5)), converted(images(5)).detach())


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"skip": ()}, ["0", "3", "6", "10", "11"]),
        ({"skip": None}, ["0", "3", "6", "10", "11"]),
        ({"skip": "last"}, ["0", "3", "6", "10"]),
        ({"skip": nn.Linear}, ["0", "3", "6"]),
        ({"skip": ["first", "1?"]}, ["3", "6"]),
        ({"skip": lambda name, m: getattr(m, "groups", 1) == 2}, ["0", "3", "10", "11"]),
        ({"only": nn.Linear}, ["10"]),
        ({"only": ["0", "3"], "skip": ()}, ["0", "3"]),
    ],
)
def test_what_is_chosen(options, expected):
    assert swapped(bquant.convert(network(), verbose=False, **options)) == expected


def test_nothing_to_convert():
    message = r"expected layers to convert \(Conv2d, Conv1d, Linear\), but "
    with pytest.raises(ValueError, match=f"{message}none of the network's 5 is chosen"):
        bquant.convert(network(), skip="*")
    with pytest.raises(ValueError, match=f"{message}the network has none"):
        bquant.convert(nn.ReLU())
    with pytest.raises(ValueError, match="expected weights to be one of .* but got 'hwgq-2'"):
        bquant.convert(network(), weights="hwgq-2")


def difference(quantized, model, x):
    with torch.no_grad():
        return ((quantized(x) - model(x)).norm() / model(x).norm()).item()


def test_quantize_model(capsys):
    model = network()
    state = copy.deepcopy(model.state_dict())
    batches = [images(seed) for seed in range(4)]
    options = {"calibration": [(x, None) for x in batches], "verbose": False}
    torch.manual_seed(0)
    errors = {}
    for k in (1, 2, 3, 4):
        quantized = bquant.quantize_model(model, f"ls-{k}", f"ls-{k}", **options)
        assert not quantized.training
        errors[k] = difference(quantized, model, images(7, 256))
        table = quantized.quantization
        assert [row.name for row in table] == ["3", "6", "10"]
        assert all(0 < row.error and row.angle > 0 and row.weight_angle > 0 for row in table)
        compiled = bquant.compile(quantized, (images(8),))
        torch.testing.assert_close(compiled(images(8)), quantized(images(8)).detach())
    assert errors[1] > errors[2] > errors[3] > errors[4], errors
    assert errors[4] < 0.3
    assert all(torch.equal(model.state_dict()[key], state[key]) for key in state)

    # A plain average of the batches, whatever the momentum.
    quantizer = bquant.quantize_model(model, "ls-1", "ls-1", **options, clamp=None)[3].quantizer
    with torch.no_grad():
        means = [model[:3](x).abs().mean().item() for x in batches]
    assert quantizer.scalars.item() == pytest.approx(sum(means) / 4, rel=0.02)
    assert quantizer.clamp is None and quantizer.momentum == 0.99

    bquant.quantize_model(model, calibration=batches)
    assert capsys.readouterr().err.splitlines()[-4].split() == (
        "layer error angle weights inputs".split()
    )


def test_biases_are_corrected():
    model, x = network(), images(3, 128)
    options = {"batch_norms": False, "verbose": False}
    mean = {}
    for correct in (False, True):
        quantized = bquant.quantize_model(
            model, "ls-1", "ls-2", [x], bias_correction=correct, only="3", **options
        )
        with torch.no_grad():
            mean[correct] = (quantized[:4](x) - model[:4](x)).mean((0, 2, 3)).abs().max().item()
    assert mean[True] < 1e-5 < mean[False]


class ByKeyword(nn.Module):
    def __init__(self, conv):
        super().__init__()
        self.conv, self.norm = conv, nn.BatchNorm2d(8)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        x = self.norm(input=self.conv(input=x)).flatten(2).transpose(1, 2)
        return self.attention(query=x, key=x[:, :5], value=x[:, :5])[0]


def test_inputs_by_keyword():
    x = torch.randn(4, 3, 6, 6)
    model = ByKeyword(nn.Conv2d(3, 8, 3)).eval()
    quantized = bquant.quantize_model(
        model, calibration=[x, 2 * x], skip=(), only="conv", verbose=False
    )
    assert not torch.equal(quantized.norm.running_var, model.norm.running_var)
    model = ByKeyword(nn.ConvTranspose2d(3, 8, 3, stride=2))
    layers = {layer.name: layer for layer in bquant.summary(model, x).layers}
    assert layers["conv"].macs == 3 * 36 * 8 * 9
    assert layers["attention"].macs == 64 * (2 * 13 * 13 + 2 * 5)


def test_calibration_is_needed():
    with pytest.raises(ValueError, match="expected at least one batch to calibrate with"):
        bquant.quantize_model(network())
    for batch, found in (
        (images(0)[:0], "an empty one"),
        ({"x": images(0)}, "dict"),
        ((), "tuple"),
    ):
        with pytest.raises(ValueError, match=f"that begin with one, but got {found}"):
            bquant.quantize_model(network(), calibration=[batch])
    with pytest.raises(ValueError, match="but got one tensor: put it in a list"):
        bquant.quantize_model(network(), calibration=images(0))
    bad = images(1)
    bad[2, 0, 3, 3] = float("nan")
    with pytest.raises(ValueError, match="finite values .*, but batch 1 has NaN or Inf"):
        bquant.quantize_model(network(), calibration=iter([images(0), bad]))
    with pytest.raises(ValueError, match="expected a percentile up to 100, but got 0"):
        bquant.quantize_model(network(), calibration=[images(0)], percentile=0)


def test_the_pass_is_the_conversion(tmp_path):
    """--bquant-quantize computes what a converted network with online scalars does."""
    opt = Path(__file__).resolve().parents[2] / "build/bin/bquant-opt"
    if not opt.exists():
        pytest.skip("no bquant-opt")
    torch.manual_seed(3)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Conv2d(8, 16, 3, padding=1, bias=False),
        nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 16, 3, stride=2, groups=2), nn.ReLU(),
        nn.Flatten(), nn.Linear(16 * 25, 32), nn.ReLU(), nn.Linear(32, 10),
    ).eval()  # fmt: skip
    x = images(2, 3)
    torch.export.save(torch.export.export(model, (x,)), tmp_path / "net.pt2")
    raised, few = tmp_path / "net.mlir", tmp_path / "few.mlir"
    command = [sys.executable, "-m", "bquant", "compile", tmp_path / "net.pt2"]
    subprocess.run([*command, "--stop-after", "raise", "-o", raised], check=True)
    flag = "--bquant-quantize=weights=ls-2 activations=ls-2 skip=first,last"
    subprocess.run([opt, raised, flag, "-o", few], check=True)
    net = bquant.compile(few)
    assert net.report().count(", binary: ") >= 3
    options = {"weights": "ls-2", "scalars": "online", "clamp": None, "verbose": False}
    expected = bquant.convert(model, **options).eval()(x).detach()
    torch.testing.assert_close(net(x), expected, rtol=1e-4, atol=1e-5)
    slow = bquant.compile(few, strategy="reference")
    assert torch.equal(slow(x), net(x))


@pytest.mark.parametrize("training", [False, True])
def test_summary(training):
    model = bquant.convert(network(), weights="ls-T", activations="ls-2", verbose=False)
    model.train()
    model(images(1))
    model.train(training)
    state = copy.deepcopy(model.state_dict())
    summary = bquant.summary(model, images(2))
    assert all(torch.equal(model.state_dict()[key], state[key]) for key in state)
    layers = {layer.name: layer for layer in summary.layers}
    conv = layers["3"]
    assert conv.output == (32, 16, 7, 7) and conv.macs == 7 * 7 * 16 * 8 * 9
    assert conv.binary_macs == 4 * conv.macs
    assert (round(conv.weight_bits, 2), conv.activation_bits) == (1.58, 2)
    # Two planes of a word for each position, a scalar for each filter, and the bias.
    assert conv.bytes == 4 * (2 * 16 * 9 + 16 + 16)
    assert layers["11"].bytes == 4 * (32 * 10 + 10) and layers["11"].binary_macs == 0
    assert summary.macs == sum(layer.macs for layer in summary.layers)
    floats = sum(layer.macs for layer in summary.layers if not layer.binary_macs)
    pairs = sum(layer.binary_macs for layer in summary.layers)
    assert floats and summary.equivalent_flops == floats + pairs / 64
    assert str(summary).splitlines()[0].split()[:2] == ["layer", "module"]
    assert "<table>" in summary._repr_html_()
    with pytest.raises(ValueError, match="expected an example input"):
        bquant.summary(model)
