"""The examples of README.md and of the pages for users of Python run as they are printed there."""

import re
from pathlib import Path

import bquant
import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[2]


def run(page):
    """Runs a page's blocks of Python, one after another, each in the names of the one before, and
    yields these. `y` must be what torch says."""
    names = {}
    torch.manual_seed(0)
    for code in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S):
        exec(compile(code, page, "exec"), names)
        expected = names["model"](names["x"]).detach().numpy()
        np.testing.assert_allclose(names["y"].numpy(), expected, rtol=1e-4, atol=1e-5)
        yield names


def test_readme(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = run("README.md")
    first = next(blocks)
    assert (tmp_path / "net.so").exists()
    assert re.search("conv_2d, binary: .*2 planes by .*1 plane", first["net"].report())
    assert len(list(blocks)) == 1


def test_page_of_an_index(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (names,) = run("python/README.md")
    assert (tmp_path / "net.so").exists() and (tmp_path / "net.h").exists()


def test_models():
    first, second = run("docs/models.md")
    assert second["model"].card["constructor"] == "resnet18"


def test_training():
    _, own, *_, last = run("docs/training.md")
    assert ", 100.0 % of them binary" in own["net"].report()
    assert last["quantized"].quantization and not last["quantized"].training


def test_getting_started():
    *_, names = run("docs/getting-started.md")
    assert names["q"].shape == (64, 32, 3, 3)


def test_verifying(capsys):
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs/verifying.md").read_text(), re.S)[1]
    names = {}
    torch.manual_seed(0)
    exec(compile(code, "docs/verifying.md", "exec"), names)
    assert names["result"].calls == 10
    assert re.match("equal(: | but for [0-9]+ values? on thresh)", capsys.readouterr().out)


def test_report_of_getting_started(tmp_path):
    """The report that the page shows is the one that comes out for the CPU that it says."""
    page = (ROOT / "docs/getting-started.md").read_text()
    shown = re.search(r"```\n(layers: .*?)```", page, re.S)[1]
    source = ROOT / "examples/layer.mlir"
    report = bquant.compile(str(source), target="icelake-server").report()
    report = report.replace(str(source), "examples/layer.mlir")
    version = re.compile("^version: bquant .*$", re.M)
    target = re.compile("^target: .*, (.*)$", re.M)  # The triple is this machine's.
    for line in (version, target):
        assert line.search(report) and line.search(shown)
    assert target.search(report)[1] == target.search(shown)[1]
    assert target.sub("", version.sub("", report)) == target.sub("", version.sub("", shown))
