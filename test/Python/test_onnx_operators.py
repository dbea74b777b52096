"""What the frontend of ONNX takes of the operators that outside libraries export."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("onnx")
sys.path.append(str(Path(__file__).resolve().parents[2] / "tools/dev"))
import onnx_operators  # noqa: E402
from bquant.frontends.common.table import ONNX  # noqa: E402
from bquant.frontends.onnx import operators  # noqa: E402

# What exports have and bquant does not take. It may get shorter.
MISSING: set[str] = set()


def test_nothing_of_the_list_is_lost():
    taken = onnx_operators.taken(onnx_operators.exports())
    assert {op for op, how in taken.items() if how == "no"} == MISSING
    assert len(taken) > 50


def test_the_page_says_so():
    """`./dev onnx-operators` writes it."""
    assert onnx_operators.PAGE.read_text() == onnx_operators.page()


def test_what_is_taken(monkeypatch):
    words = {
        "Conv": "yes", "Identity": "yes", "Shape": "yes", "Celu": "by others", "LRN": "no",
        "onnx.brevitas.Quant": "yes", "my.ops.Conv": "no", "Weird": "no",
    }  # fmt: skip
    assert {op: operators.how(op) for op in words} == words
    assert operators.how("LRN", constant=True) == "of constants"
    monkeypatch.delitem(ONNX, "Conv")
    assert onnx_operators.taken(onnx_operators.exports())["Conv"] == "no"
