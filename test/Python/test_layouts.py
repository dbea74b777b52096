"""Values that are wanted as codes, for products of bytes, and as planes, for what decodes them."""

import bquant
import numpy as np
import pytest


def write(ratios, channels, rows):
    planes, words = len(ratios), -(-channels // 32)
    value = f"!bquant.tensor<{rows}x{channels}, {ratios}>"
    wide = f"!bquant.tensor<48x{channels}, [128, 64, 32, 16, 8, 4, 2, 1]>"
    rng = np.random.default_rng(planes)
    bits = rng.integers(0, 2, (8, 48, words * 32), np.uint8)
    bits[..., channels:] = 0
    filters = np.packbits(bits, axis=-1, bitorder="little").view("<i4").tolist()
    return f"""
func.func @f(%x: tensor<{rows}x{channels}xf32>)
    -> (tensor<{rows}x48xf32>, tensor<{rows}x{channels}xf32>) {{
  %v = arith.constant dense<0.25> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>)
      : tensor<{rows}x{channels}xf32> -> {value}
  %w = bquant.constant words(dense<{filters}> : tensor<8x48x{words}xi32>)
      scalars(dense<0.5> : tensor<1xf32>) : {wide}
  %y = bquant.matmul %q, %w : ({value}, {wide}) -> tensor<{rows}x48xf32>
  %d = bquant.dequantize %q : {value} -> tensor<{rows}x{channels}xf32>
  return %y, %d : tensor<{rows}x48xf32>, tensor<{rows}x{channels}xf32>
}}
"""


@pytest.mark.parametrize(
    ("ratios", "channels", "rows"),
    [([8, 4, 2, 1], 64, 1), ([1, 1], 37, 12), ([128, 64, 32, 16, 8, 4, 2, 1], 30, 5)]
    + [([3, 1], 40, 3), ([2, 1, 1], 64, 2)],
)
def test_codes_and_planes(ratios, channels, rows):
    text = write(ratios, channels, rows)
    x = np.random.default_rng(rows).normal(0, sum(ratios) / 8, (rows, channels)).astype(np.float32)
    results = bquant.compile(text)(x)
    for result, other in zip(results, bquant.compile(text, strategy="reference")(x), strict=True):
        np.testing.assert_array_equal(result, other)
    assert len(np.unique(results[1])) > 2
