"""The demo, with hardly any training: table, plots, reports, and its checks."""

import json
import re
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")
pytest.importorskip("sklearn")
import torch  # noqa: E402
from bquant import datasets  # noqa: E402
from bquant.datasets import fashion  # noqa: E402
from bquant.demo import __main__ as demo  # noqa: E402
from bquant.demo import trained  # noqa: E402
from bquant.demo.network import VARIANTS  # noqa: E402
from bquant.verification.result import Mismatch, Verification  # noqa: E402


def test_demo(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["demo", "--epochs", "1", "--output", str(tmp_path)])
    demo.main()
    out = capsys.readouterr().out
    rows = [line for line in out.splitlines() if line.endswith("x") and "%" in line]
    assert [row.split("  ")[0] for row in rows] == [v.name for v in VARIANTS]
    for row in rows:
        assert row.count("%") == 1
    assert "bquant.verify: every layer equals PyTorch's on 1" in out
    for name in ("report.png", "report-2_1_ls.html", "report-float.html"):
        assert (tmp_path / name).stat().st_size > 1000


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--epochs=0", "at least 1 epoch, but got 0"),
        ("--seed=99999999999999999999", "a seed of 64 bits, but got 99999999999999999999"),
        ("--output=/proc/x", "cannot write '/proc/x'"),
    ],
)
def test_refuses(option, message, monkeypatch):
    monkeypatch.setattr("sys.argv", ["demo", option])
    with pytest.raises(SystemExit, match=message):
        demo.main()


def test_a_network_of_the_zoo(tmp_path, capsys, monkeypatch):
    if fashion.FOLDER.is_dir():
        data = datasets.load("fashion-mnist")
        split, least = data.test.first(300), 85
    else:  # what it prints, and no more
        images = torch.randint(256, (40, 1, 28, 28), dtype=torch.uint8)
        split, least = datasets.Split(images, torch.arange(40) % 10), 0
    data = datasets.Dataset("fashion-mnist", split, split, fashion.CLASSES)
    card = trained.models.load(trained.NAME).card
    monkeypatch.setattr(trained.datasets, "load", lambda name: data)
    monkeypatch.setattr(data, "mean", card["mean"])
    monkeypatch.setattr(data, "std", card["std"])
    trained.show(tmp_path)
    head, right, time = capsys.readouterr().out.splitlines()
    assert head.startswith(f"{trained.NAME} (activations of 2 bits, weights of 1) on {len(split)} ")
    compiled, of_torch, equal = [float(x) for x in re.findall(r"([\d.]+)%", right)]
    assert compiled >= least and abs(compiled - of_torch) < 1 and equal > 99
    assert re.search(r"an image: \d+ µs compiled, \d+ µs PyTorch \(\d+\.\dx\)", time)
    for name in ("fashion.png", "fashion-layers.png", f"report-{trained.NAME}.html"):
        assert (tmp_path / name).stat().st_size > 1000


def test_without_the_package_it_says_how_to_get_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(fashion, "FOLDER", tmp_path / "none")
    trained.show(tmp_path)
    line = capsys.readouterr().out
    assert line.startswith(f"{trained.NAME}: not shown, since expected Fashion-MNIST in ")
    assert line.endswith("apt install dataset-fashion-mnist\n") and not list(tmp_path.iterdir())


def test_a_layer_that_differs_ends_the_demo():
    bad = Verification(mismatch=Mismatch(0, 0, [0, 1], 1.0, 2.0))
    result = SimpleNamespace(
        variant=VARIANTS[1], comparison=SimpleNamespace(verification=bad), layers=[]
    )
    with pytest.raises(SystemExit, match="demo: 1/1 ls: differs: .*expected 2, but got 1"):
        demo.verified([result])


def layer(location, arithmetic, op="conv_2d"):
    return {"location": location, "arithmetic": arithmetic, "op": op}


def report(*inner, remarks=()):
    layers = [layer("first.conv", "float"), layer("pool", "float", "pooling_nhwc_max")]
    layers += [layer(f"block{i}.conv", kind) for i, kind in enumerate(inner, 1)]
    layers.append(layer("last", "float", "matmul"))
    return json.dumps({"layers": layers, "remarks": list(remarks)})


def test_a_float_layer_inside_ends_the_demo():
    assert len(demo.checked_layers(report("binary", "binary", "binary"), False)) == 5
    assert len(demo.checked_layers(report("float", "float", "float"), True)) == 5
    with pytest.raises(SystemExit, match="expected the products .*block2.conv', 'float'"):
        demo.checked_layers(report("binary", "float", "binary"), False)
    with pytest.raises(SystemExit, match="expected the products"):
        demo.checked_layers(report("binary", "reference", "binary"), False)
    slow = {"kind": "missed", "name": "not-converted", "location": "block1.conv", "text": "why"}
    with pytest.raises(SystemExit, match="expected the fast route, but block1.conv: why"):
        demo.checked_layers(report("binary", "binary", "binary", remarks=[slow]), False)
