"""`bquant.lower`: what a network is after each stage of the route."""

import re

import bquant
import numpy as np
import pytest
import torch
from bquant import nn
from functions import Function

FILTER = np.random.default_rng(3).standard_normal((32, 1, 1, 32)).astype(np.float32).tolist()
LAYER = """
func.func @forward(%x: tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32> {
  %w = arith.constant dense<FILTER> : tensor<32x1x1x32xf32>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %a = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<1x4x4x32xf32> -> !bquant.tensor<1x4x4x32, 1>
  %b = bquant.quantize %w scheme(<ls, 1>)
      : tensor<32x1x1x32xf32> -> !bquant.tensor<32x1x1x32, 1, axes = [0]>
  %y = bquant.conv_2d %a, %b
      : (!bquant.tensor<1x4x4x32, 1>, !bquant.tensor<32x1x1x32, 1, axes = [0]>)
      -> tensor<1x4x4x32xf32>
  return %y : tensor<1x4x4x32xf32>
}
""".replace("FILTER", str(FILTER))


@pytest.mark.parametrize(
    ("stage", "has", "lacks"),
    [
        ("raise", "bquant.quantize", "bquant.constant"),
        ("solve", "bquant.constant", "kernel("),
        ("fold", "bquant.conv_2d", "kernel("),
        ("select", "kernel(#bquant_packed.", "bquant_packed.product"),
        ("pack", "bquant_packed.product", "bquant.conv_2d"),
        ("tile", "scf.forall", "bquant.conv_2d"),
        ("vectorize", "vector.transfer_read", "linalg.generic"),
        ("llvm", "llvm.func", "scf.forall"),
    ],
)
def test_stages(stage, has, lacks):
    text = bquant.lower(LAYER, stage)
    assert has in text and lacks not in text


def test_reference():
    text = bquant.lower(LAYER, "reference-loops", strategy="reference")
    assert "linalg.generic" in text and "bquant.conv_2d" not in text


def test_target():
    text = bquant.lower(LAYER, "raise", target="x86-64-v2")
    assert re.search(r'#llvm.target<.*chip = "x86-64-v2"', text)


def test_module_and_assumptions():
    torch.manual_seed(0)
    layer = nn.BinaryConv2d(32, 32, 1, weights="ls-1", activations="ls-1")
    model = Function(lambda x, layer: torch.sign(x) * layer(x), layer=layer)
    x = torch.randn(1, 32, 4, 4)
    model(x)
    plain = bquant.lower(model.eval(), "raise", (x,))
    assert "bquant.conv_2d" in plain
    assumed = bquant.lower(model, "raise", (x,), assume=("no-zero", "no-nan"))
    assert assumed.count("bquant.sign") > plain.count("bquant.sign")


def test_large_constants():
    short, whole = (bquant.lower(LAYER, "solve", large_constants=large) for large in (False, True))
    assert "__elided__" in short and "__elided__" not in whole
    # The whole text is a network like any other.
    x = torch.randn(1, 4, 4, 32).numpy()
    assert (bquant.compile(whole)(x) == bquant.compile(LAYER)(x)).all()


def test_errors():
    with pytest.raises(
        ValueError, match="stages import, raise, solve, .*llvm to stop after, but got 'rise'"
    ):
        bquant.lower(LAYER, "rise")
    with pytest.raises(ValueError, match="reference-loops, llvm to stop after, but got 'pack'"):
        bquant.lower(LAYER, "pack", strategy="reference")
    with pytest.raises(ValueError, match="expected one of auto, .* but got 'magic'"):
        bquant.lower(LAYER, "raise", strategy="magic")
