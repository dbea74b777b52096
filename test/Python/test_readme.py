"""The examples of README.md and docs/models.md run as they are printed there."""

import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


def run(page):
    """Runs a page's blocks of Python, one after another, each in the names of the one before, and
    yields these. `y` must be what torch says."""
    names = {}
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


def test_models():
    assert len(list(run("docs/models.md"))) == 1
