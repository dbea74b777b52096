"""The example of README.md runs as it is printed there."""

import re
from pathlib import Path

import numpy as np

README = Path(__file__).resolve().parents[2] / "README.md"


def test_example(tmp_path, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(code, str(README), "exec"), names)
    expected = names["model"](names["x"]).detach().numpy()
    np.testing.assert_allclose(names["y"].numpy(), expected, rtol=1e-4, atol=1e-5)
    assert (tmp_path / "net.so").exists()
    assert re.search("conv_2d, binary: .*2 planes by .*1 plane", names["net"].report())
