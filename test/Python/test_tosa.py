"""The frontend of TOSA: networks as torch-mlir writes them against PyTorch, whose results are in
golden/ (`./dev fixtures`)."""

import bquant
import numpy as np
import pytest
from golden_files import cases
from reports import binary_share

CASES = cases("tosa_networks.npz")
# NAME: the share of its MACs, in percent, that are products of bits.
SHARES = {
    "mlp": 73.5,
    "lenet": 40.7,
    "resnet": 95.5,
    "resnet_two_bits": 97.7,
    "strided": 81.6,
    "vgg": 93.0,
    "mobilenet": 74.0,
    "densenet": 94.0,
    "dilated": 91.4,
    "average_pools": 93.0,
    "floats": 0.0,
}


def write(folder, text):
    path = folder / "net.mlir"
    path.write_text(text)
    return path


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("name", SHARES)
def test_network(name, strategy, tmp_path):
    text, (x,), (y,) = CASES[name]
    network = bquant.compile(write(tmp_path, text.decode()), strategy=strategy)
    np.testing.assert_allclose(network(x), y, rtol=1e-5, atol=1e-5 * max(1, np.abs(y).max()))
    assert binary_share(network) == pytest.approx(SHARES[name], abs=0.1)


NETWORK = """func.func @f(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {{
  %0 = {}(%x) : {}
  return %0 : tensor<1x4xf32>
}}"""


@pytest.mark.parametrize(
    "line, message",
    [
        (("tosa.twice", "(tensor<1x4xf32>) -> tensor<1x4xf32>"), "'tosa.twice' is unknown.*; "),
        (("stablehlo.abs", "tensor<1x4xf32>"), "Dialect `stablehlo' not found .*; "),
        (
            ('"torch.aten"', "(tensor<1x4xf32>) -> tensor<1x4xf32>"),
            "operations: torch.aten at .*; ",
        ),
    ],
)
def test_unknown_names(line, message, tmp_path):
    path = write(tmp_path, NETWORK.format(*line))
    with pytest.raises(ValueError, match=message + r"bquant reads MLIR 22\.\d+\.\d+$") as raised:
        bquant.compile(path)
    assert f"{path}:2:" in str(raised.value) and "\n" not in str(raised.value)


def test_what_upstream_does_not_lower(tmp_path):
    custom = (
        'tosa.custom %x {operator_name = "LceQuantize", domain_name = "TFL", '
        'implementation_attrs = ""}'
    )
    text = NETWORK.format("tosa.custom", "(tensor<1x4xf32>) -> tensor<1x4xf32>")
    path = write(tmp_path, text.replace("tosa.custom(%x)", custom))
    with pytest.raises(ValueError, match="net.mlir:2:.*failed to legalize operation 'tosa.custom'"):
        bquant.compile(path)
