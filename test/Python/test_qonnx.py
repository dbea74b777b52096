"""Quantizers of QONNX, against their definitions in NumPy, and what is refused of them."""

import bquant
import numpy as np
import pytest
from bquant.frontends import UnsupportedOp

pytest.importorskip("onnx")
import onnx_files  # noqa: E402
from onnx import helper  # noqa: E402
from reports import share_in_codes  # noqa: E402

DOMAIN = "qonnx.custom_op.general"


def model(nodes, shape, constants):
    return onnx_files.model(nodes, {"x": shape}, constants, domains=[DOMAIN])


def quantizer(x="x", y="y", op="Quant", operands=("s", "z", "b"), domain=DOMAIN, **attributes):
    if op == "Quant":
        attributes = {"signed": 1, "narrow": 0, "rounding_mode": "ROUND", **attributes}
    return helper.make_node(op, [x, *operands], [y], name=f"my_{y}", domain=domain, **attributes)


def constants(scale=0.5, zero=0.0, bits=3.0):
    tables = {"t": [[0, 1], [2, 3]], "u": [[0, 1]], "n": [[0, np.nan]]}
    values = {"s": scale, "z": zero, "b": bits, **tables}
    return {name: np.float32(value) for name, value in values.items()}


def thresholds(*operands, **attributes):
    return {"op": "MultiThreshold", "operands": operands, **attributes}


TRUNC = {"op": "Trunc", "operands": ("s", "z", "b", "b")}


# Inputs at scale 0.5 and zero point 0: halves of codes, both signs, beyond the bounds.
X = np.float32([[-9, -1.25, -0.75, -0.3, -0.25, 0, 0.25, 0.3, 0.75, 1.25, 9]])

# Codes of X at signed 3 bits; `int_quant` of qonnx 1.0.0 gives the same.
CODES = {
    "ROUND": [-4, -2, -2, -1, 0, 0, 0, 1, 2, 2, 3],
    "half_even": [-4, -2, -2, -1, 0, 0, 0, 1, 2, 2, 3],
    "CEIL": [-4, -2, -1, 0, 0, 0, 1, 1, 2, 3, 3],
    "FLOOR": [-4, -3, -2, -1, -1, 0, 0, 0, 1, 2, 3],
    "UP": [-4, -3, -2, -1, -1, 0, 1, 1, 2, 3, 3],
    "DOWN": [-4, -2, -1, 0, 0, 0, 0, 0, 1, 2, 3],
    "HALF_UP": [-4, -3, -2, -1, -1, 0, 1, 1, 2, 3, 3],
    "HALF_DOWN": [-4, -2, -1, -1, 0, 0, 0, 1, 1, 2, 3],
}


@pytest.mark.parametrize("mode", CODES)
def test_rounding_mode(mode):
    made = model([quantizer(rounding_mode=mode)], X.shape, constants())
    result = bquant.compile(made, strategy="reference")(X)
    np.testing.assert_array_equal(result, [np.float32(CODES[mode]) / 2])


@pytest.mark.parametrize(
    ("bits", "signed", "narrow", "zero", "low", "high"),
    [
        (1, 0, 0, 0, 0, 1),
        (2, 1, 1, 0, -1, 1),
        (2, 1, 0, 0, -2, 1),
        (2, 0, 0, 0, 0, 3),
        (2, 0, 1, 0, 0, 2),
        (4, 1, 1, 0, -7, 7),
        (2, 0, 0, 1, -1, 2),
    ],
)
def test_bounds(bits, signed, narrow, zero, low, high):
    made = model(
        [quantizer(signed=signed, narrow=narrow)], X.shape, constants(bits=bits, zero=zero)
    )
    result = bquant.compile(made, strategy="reference")(X)
    codes = np.round(np.clip(X / 0.5 + zero, low + zero, high + zero)) - zero
    np.testing.assert_array_equal(result, codes * 0.5)


@pytest.mark.parametrize("domain", [DOMAIN, "onnx.brevitas"])
@pytest.mark.parametrize("op", ["BipolarQuant", "Quant"])
def test_signs(op, domain):
    operands = ("s", "z", "b") if op == "Quant" else ("s",)
    made = model([quantizer(op=op, operands=operands, domain=domain)], X.shape, constants(bits=1))
    result = bquant.compile(made, strategy="reference")(X)
    np.testing.assert_array_equal(result, np.where(X >= 0, np.float32(0.5), np.float32(-0.5)))


@pytest.mark.parametrize("strategy", ["auto", "reference"])
@pytest.mark.parametrize("kind", ["w1a1", "w1a2", "w2a2"])
def test_layers_become_binary(kind, strategy):
    """Ternary filters (w2) and signs, behind signs and codes of two bits."""
    generator = np.random.default_rng(7)
    w = generator.standard_normal((32, 64)).astype(np.float32)
    x = generator.standard_normal((3, 64)).astype(np.float32)
    values = {**constants(scale=0.5, bits=2), "w": w.T.copy()}
    ternary = kind.startswith("w2")
    filters = quantizer("w", "f", narrow=1) if ternary else bipolar("w", "f")
    codes = quantizer("x", "q", signed=0) if kind.endswith("a2") else bipolar("x", "q")
    product = helper.make_node("MatMul", ["q", "f"], ["y"], name="product")
    network = bquant.compile(model([filters, codes, product], x.shape, values), strategy=strategy)
    decoded = np.round(np.clip(w / 0.5, -1, 1)) if ternary else np.where(w >= 0, 1, -1)
    code = np.round(np.clip(x / 0.5, 0, 3)) if kind.endswith("a2") else np.where(x >= 0, 1, -1)
    np.testing.assert_allclose(network(x), code @ decoded.T / 4, rtol=1e-5, atol=1e-5)
    assert share_in_codes(network) == 100


def bipolar(x, y):
    return quantizer(x, y, op="BipolarQuant", operands=("s",))


@pytest.mark.parametrize(
    ("node", "values", "error", "message"),
    [
        ({"rounding_mode": "ODD"}, {}, UnsupportedOp, "as rounding_mode of Quant 'my_y'"),
        ({"signed": 2}, {}, ValueError, "expected 0 or 1 as signed of Quant 'my_y', but got 2"),
        ({"operands": ("s", "z")}, {}, ValueError, "expected 4 operands"),
        ({"operands": ("s", "z", "x")}, {}, UnsupportedOp, "a constant bit width of Quant 'my_y'"),
        ({}, {"bits": 2.5}, UnsupportedOp, "one whole bit width"),
        ({}, {"bits": 0}, UnsupportedOp, "one whole bit width"),
        ({}, {"bits": 64}, UnsupportedOp, "one whole bit width"),
        ({}, {"scale": 0}, ValueError, "finite scales other than 0 of Quant 'my_y'"),
        ({}, {"scale": np.inf}, ValueError, "finite scales other than 0 of Quant 'my_y'"),
        ({"op": "Trunc"}, {}, ValueError, "expected 5 operands and one result of Trunc 'my_y'"),
        ({**TRUNC, "rounding_mode": "ODD"}, {}, UnsupportedOp, "as rounding_mode of Trunc 'my_y'"),
        (TRUNC, {"bits": 0}, UnsupportedOp, "one whole bit width"),
        ({"op": "FloatQuant"}, {}, UnsupportedOp, "qonnx.custom_op.general.FloatQuant 'my_y'"),
        (thresholds("x"), {}, UnsupportedOp, "expected constant thresholds"),
        (
            thresholds("s"),
            {},
            UnsupportedOp,
            "1 to 255 thresholds of each channel, but got a table of ()",
        ),
        (thresholds("t"), {}, ValueError, "expected thresholds of 1 or 11 channels, but got 2"),
        (thresholds("t", data_layout="NCHW"), {}, ValueError, "of 2 letters, but got 'NCHW'"),
        (thresholds("u", out_scale=0.0), {}, UnsupportedOp, "a finite out_scale other than 0"),
        (thresholds("n"), {}, ValueError, "expected numbers in 'n' of"),
        (
            thresholds(),
            {},
            ValueError,
            "2 operands and one result of qonnx.custom_op.general.MultiThreshold 'my_y'",
        ),
    ],
)
def test_refuses(node, values, error, message):
    with pytest.raises(error) as info:
        bquant.compile(model([quantizer(**node)], X.shape, constants(**values)))
    assert message in str(info.value) and "\n" not in str(info.value)
