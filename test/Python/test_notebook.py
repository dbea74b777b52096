"""The notebook, cell by cell."""

import json
import re
from pathlib import Path

import pytest
import torch

NOTEBOOK = Path(__file__).parents[2] / "examples/from-float-to-native.ipynb"


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def test_notebook(tmp_path, monkeypatch, capsys, threads):
    monkeypatch.chdir(tmp_path)
    namespace, texts = {}, []
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            exec(compile("".join(cell["source"]), str(NOTEBOOK), "exec"), namespace)
            texts.append(capsys.readouterr().out)
    text = "\n".join(texts)
    accuracies = [float(value) for value in re.findall(r": (\d+\.\d+)%", text)]
    assert len(accuracies) == 7 and min(accuracies) > 85 and accuracies[0] > 97, text
    assert "the same prediction on 100.00%" in text or "the same prediction on 99." in text
    assert "\nequal: " in text
    shares = [float(value) for value in re.findall(r"([\d.]+)%(?: of the)? products", text)]
    assert len(shares) == 2 and min(shares) > 95, text
    assert (tmp_path / "digits.so").exists()
