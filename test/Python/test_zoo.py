"""The zoo: what is in the package, and that it computes what its cards say."""

import json

import bquant
import bquant.datasets
import bquant.models
import pytest
import torch
from bquant import train
from bquant.datasets import fashion
from bquant.models import zoo
from bquant.nn import BinaryConv2d

NAMES = [
    "fashion-resnet-ls-1",
    "fashion-resnet-ls-2",
    "fashion-resnet-ls-2-2",
    "fashion-resnet-ls-T",
]


def test_names():
    assert bquant.models.names() == NAMES
    with pytest.raises(ValueError, match=f"expected one of {', '.join(NAMES)}, but got 'resnet'"):
        bquant.models.load("resnet")


@pytest.mark.parametrize("name", NAMES)
def test_a_trained_network(name):
    assert (zoo.FOLDER / f"{name}.npz").stat().st_size < 300_000
    model = bquant.models.load(name)
    card = model.card
    assert not model.training and 0.9 < card["accuracy"] < 1
    assert card["bytes"] == (zoo.FOLDER / f"{name}.npz").stat().st_size
    assert card["command"].startswith("python -m bquant.study --rows '")
    assert {"activation_bits", "weight_bits", "epochs", "mean", "std"} <= set(card)
    x = torch.randn(4, 1, 28, 28, generator=torch.Generator().manual_seed(1))
    layers = [module for module in model.modules() if isinstance(module, BinaryConv2d)]
    assert len(layers) == 16
    if name == "fashion-resnet-ls-2-2":  # one for all: compiling takes some seconds
        network = bquant.compile(model, (x,))
        assert bquant.verify(network, model, x)
        assert json.loads(network.report("json"))["totals"]["binary_share"] > 0.8
    # What the file holds are signs and scalars: quantized again, they are the same.
    for layer in layers:
        torch.testing.assert_close(layer.quantized_weight(), layer.weight)
    if fashion.FOLDER.is_dir():
        data = bquant.datasets.load("fashion-mnist")
        some = data.test.first(1000)
        assert abs(train.accuracy(model, data, some) - card["accuracy"]) < 0.03


@pytest.mark.parametrize("weights", ["ls-1", "ls-2", "ls-T", "bwn"])
def test_write_and_read(weights, tmp_path):
    torch.manual_seed(1)
    options = {"weights": weights, "activations": "ls-2", "width": 5, "image": 8}
    model = bquant.models.vgg(**options)
    x = torch.randn(3, 1, 8, 8)
    model(x)
    model.eval()
    path = tmp_path / "net.npz"
    zoo.write(path, model, {"constructor": "vgg", "options": options})
    read = zoo.read(path)
    with torch.no_grad():
        torch.testing.assert_close(read(x), model(x), rtol=1e-4, atol=1e-5)
    assert torch.equal(read[3].conv.weight.sign(), model[3].conv.quantized_weight().sign())
    with pytest.raises(
        ValueError, match="expected weights of bwn, .* those of '3.conv' are of gf-2"
    ):
        zoo.write(path, bquant.models.vgg("gf-2"), {})


def test_damaged_files(tmp_path):
    path = tmp_path / "net.npz"
    path.write_bytes(b"PK no archive")
    with pytest.raises(ValueError, match=f"{path}: expected a network of the zoo, but"):
        zoo.read(path)
    with pytest.raises(FileNotFoundError):
        zoo.read(tmp_path / "none.npz")
