"""The examples of README.md and docs/models.md run as they are printed there."""

import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def run(page, tmp_path, monkeypatch):
    """The names after a page's Python, whose `y` must be what torch says."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(code, page, "exec"), names)
    expected = names["model"](names["x"]).detach().numpy()
    np.testing.assert_allclose(names["y"].numpy(), expected, rtol=1e-4, atol=1e-5)
    return names


def test_readme(tmp_path, monkeypatch):
    names = run("README.md", tmp_path, monkeypatch)
    assert (tmp_path / "net.so").exists()
    assert re.search("conv_2d, binary: .*2 planes by .*1 plane", names["net"].report())


def test_models(tmp_path, monkeypatch):
    run("docs/models.md", tmp_path, monkeypatch)
