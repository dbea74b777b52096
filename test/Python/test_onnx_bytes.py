"""Codes of ONNX that stay integers, against NumPy's integers, and against ONNX Runtime, whose
results are in golden/ (`./dev fixtures`)."""

import subprocess
from pathlib import Path

import bquant
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from golden_files import cases, daily, on_routes  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from onnx_files import model  # noqa: E402
from reports import products  # noqa: E402

CPU_FLAGS = Path("/proc/cpuinfo").read_text()
I32, F32 = np.int32, np.float32
ROUTES = ("auto", "reference")


def product(op, operands, **attributes):
    """A model of one node. `operands`: (array, whether it is an input); None is left out."""
    names = [f"x{i}" if operand else "" for i, operand in enumerate(operands)]
    node = helper.make_node(op, names, ["y"], name="the_product", **attributes)
    given = [(n, *o) for n, o in zip(names, operands, strict=True) if o]
    inputs = {n: a for n, a, is_input in given if is_input}
    constants = {n: a for n, a, is_input in given if not is_input}
    made = model([node], inputs, constants, 20, result=TensorProto.INT32)
    return made, list(inputs.values())


def layer(network):
    (found,) = products(network)
    return found


def agrees(model, inputs, expected, kernel, **options):
    for route in ROUTES:
        network = bquant.compile(model, strategy=route, **options)
        result = network(*inputs)
        assert result.dtype == I32
        np.testing.assert_array_equal(result, expected)
        if route == "auto":
            found = layer(network)
            assert found["arithmetic"] == "integer" and not found["float"]
            assert found.get("kernel", "").split("<")[0] == kernel


def codes(type_, *shape, seed=0):
    low, high = np.iinfo(type_).min, np.iinfo(type_).max + 1
    return np.random.default_rng(seed).integers(low, high, shape).astype(type_)


def less(array, zero, shape=None):
    wide = array.astype(I32)
    if zero is None:
        return wide
    zero = zero.astype(I32)
    return wide - (zero.reshape(shape) if shape else zero)


U8, I8 = np.uint8, np.int8
MATRICES = {
    # Types; zero points of x, of y; whether y is an input; the kernel.
    "signed": (U8, I8, U8(7), I8(-3), False, "bytes"),
    "unsigned": (U8, U8, U8(7), U8(128), False, "bytes"),
    "far": (I8, U8, I8(-128), U8(255), False, "bytes"),
    "none": (U8, U8, None, None, False, "bytes"),
    "columns": (U8, I8, U8(200), codes(I8, 5, seed=1), False, "bytes"),
    "rows": (U8, I8, codes(U8, 3, seed=2), codes(I8, 5, seed=1), False, "bytes"),
    "run time": (U8, U8, codes(U8, 3, seed=2), codes(U8, 5, seed=1), True, "fma"),
}


@pytest.mark.parametrize("name", daily(MATRICES, ("signed", "far", "rows", "run time")))
def test_matrices(name):
    x_type, y_type, x_zero, y_zero, is_input, kernel = MATRICES[name]
    x, y = codes(x_type, 3, 24), codes(y_type, 24, 5, seed=3)
    zeros = [None if z is None else (z, False) for z in (x_zero, y_zero)]
    rows = (3, 1) if x_zero is not None and x_zero.ndim else None
    model, inputs = product("MatMulInteger", [(x, True), (y, is_input), *zeros])
    agrees(model, inputs, less(x, x_zero, rows) @ less(y, y_zero), kernel)


@pytest.mark.parametrize(
    ("x_shape", "y_shape", "x_zero", "y_zero"),
    [
        ((2, 3, 24), (24, 5), (), ()),
        ((2, 3, 24), (2, 24, 5), (2, 3, 1), (2, 1, 5)),
        ((4, 2, 3, 24), (2, 24, 5), (), (2, 1, 5)),
        ((24,), (24, 5), (), ()),
        ((3, 24), (24,), (), ()),
    ],
)
@pytest.mark.parametrize("is_input", [pytest.param(False, marks=pytest.mark.nightly), True])
def test_batches(x_shape, y_shape, x_zero, y_zero, is_input):
    x, y, a, b = (codes(U8, *s, seed=i) for i, s in enumerate((x_shape, y_shape, x_zero, y_zero)))
    model, inputs = product("MatMulInteger", [(x, True), (y, is_input), (a, False), (b, False)])
    for route in ROUTES:
        result = bquant.compile(model, strategy=route)(*inputs)
        np.testing.assert_array_equal(result, less(x, a) @ less(y, b))


WINDOWS = {
    "pads": ((1, 8, 7, 6), (5, 8, 3, 3), {"pads": [1, 2, 0, 1]}, "bytes"),
    "strides": ((1, 4, 7, 6), (5, 4, 3, 3), {"strides": [2, 1], "dilations": [1, 2]}, "bytes"),
    "points": ((2, 8, 7, 6), (5, 8, 1, 1), {}, "bytes"),
    "row": ((1, 8, 9), (5, 8, 3), {"pads": [1, 1]}, "bytes"),
    "groups": ((1, 8, 7, 6), (6, 4, 3, 3), {"group": 2, "pads": [1, 1, 1, 1]}, "bytes"),
    "depthwise": ((1, 8, 7, 6), (8, 1, 3, 3), {"group": 8, "pads": [1, 1, 1, 1]}, "bytes"),
    "image": ((1, 3, 7, 6), (5, 3, 3, 3), {"auto_pad": "SAME_UPPER"}, "bytes"),
}


def convolve(x, w, pads=(0, 0, 0, 0), strides=(1, 1), dilations=(1, 1), group=1, auto_pad=""):
    """Of integers, less their zero points already."""
    if x.ndim == 3:
        row = pads if len(pads) == 2 else (0, 0)
        return convolve(x[:, :, None], w[:, :, None], (0, row[0], 0, row[1]))[:, :, 0]
    pads = (1, 1, 1, 1) if auto_pad else pads
    x = np.pad(x, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
    size = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations, strict=True)]
    windows = np.lib.stride_tricks.sliding_window_view(x, size, (2, 3))
    windows = windows[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]
    parts = zip(np.split(windows, group, 1), np.split(w, group), strict=True)
    return np.concatenate([np.einsum("nchwij,ocij->nohw", a, b) for a, b in parts], 1)


@pytest.mark.parametrize("each", [False, pytest.param(True, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", daily(WINDOWS, ("pads", "row", "groups", "depthwise")))
def test_convolutions(name, each):
    """A padded position is the zero point; of filters there may be one each."""
    x_shape, w_shape, attributes, kernel = WINDOWS[name]
    x, w, a = codes(U8, *x_shape), codes(U8, *w_shape, seed=1), U8(77)
    b = codes(U8, w_shape[0], seed=2) if each else U8(128)
    expected = convolve(
        less(x, a), less(w, b, (-1, *[1] * (w.ndim - 1)) if each else None), **attributes
    )
    model, inputs = product("ConvInteger", [(x, True), (w, False), (a, False), (b, False)],
                            **attributes)  # fmt: skip
    for route in ROUTES:
        network = bquant.compile(model, strategy=route)
        np.testing.assert_array_equal(network(*inputs), expected)
        if route == "auto" and not each:
            assert layer(network).get("kernel", "").split("<")[0] == kernel


@pytest.mark.parametrize(
    ("op", "target"),
    [("MatMulInteger", "host"), ("MatMulInteger", "x86-64"), ("ConvInteger", "haswell")],
)
def test_sums_beyond_what_floats_hold(op, target):
    """3,000 products of 255 by up to 127 are above 2^24, of both parities."""
    x, w = np.full((1, 3000), 255, U8), np.abs(codes(I8, 3000, 4).astype(I32)).clip(100, 127)
    w = w.astype(I8)
    expected = x.astype(I32) @ w.astype(I32)
    assert (expected > 1 << 24).all() and (expected % 2).any()
    if op == "ConvInteger":
        x, w, expected = (
            x.reshape(1, 3000, 1, 1),
            w.T.reshape(4, 3000, 1, 1),
            expected[..., None, None],
        )
    model, inputs = product(op, [(x, True), (w, False)])
    network = bquant.compile(model)
    if target != "host" and "x86_64" not in network.report():
        pytest.skip("another architecture")
    np.testing.assert_array_equal(bquant.compile(model, target=target)(*inputs), expected)


@pytest.mark.parametrize("is_input", [False, True])
def test_sums_wrap(is_input):
    """As ONNX' int32 does, with a remark."""
    x, w = np.full((1, 132112), 255, U8), np.full((132112, 1), 127, I8)
    model, inputs = product("MatMulInteger", [(x, True), (w, is_input)])
    with np.errstate(over="ignore"):
        expected = x.astype(I32) @ w.astype(I32)
    assert expected < 0
    for route in ROUTES:
        network = bquant.compile(model, strategy=route)
        np.testing.assert_array_equal(network(*inputs), expected)
        if route == "auto":
            assert "sums may pass 2,147,483,647 and wrap" in network.report()


def test_loops_are_said():
    x, w = codes(U8, 2, 1025), codes(I8, 1025, 3)
    model, inputs = product("MatMulInteger", [(x, True), (w, True)])
    network = bquant.compile(model)
    np.testing.assert_array_equal(network(*inputs), x.astype(I32) @ w.astype(I32))
    assert "in loops of integers, which are slow" in network.report()


def test_batches_of_any_size():
    w, zeros = codes(I8, 16, 8), (U8(128), I8(-100))
    model, _ = product("MatMulInteger", [(codes(U8, 1, 16), True), (w, False),
                                         *((z, False) for z in zeros)])  # fmt: skip
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "n"
    network = bquant.compile(model)
    assert layer(network)["kernel"].startswith("bytes")
    for count in (0, 1, 3, 20):
        x = codes(U8, count, 16, seed=count)
        np.testing.assert_array_equal(network(x), less(x, zeros[0]) @ less(w, zeros[1]))


def test_scales_that_nodes_give():
    """A scale for each filter stands in a node, where there are as many as pixels in a row."""
    x, w, scale = codes(U8, 1, 4, 6, 5), codes(I8, 5, 4, 1, 1, seed=1), np.geomspace(0.01, 0.2, 5)
    arrays = {"s": F32(0.03), "z": U8(90), "v": scale.astype(F32), "u": np.zeros(5, I8),
              "t": F32(2), "b": np.arange(5, dtype=I32) * 100}  # fmt: skip
    nodes = [
        helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.asarray(a)))
        for name, a in (*arrays.items(), ("w", w))
    ]
    names = ["x", "s", "z", "w", "v", "u", "t", "z", "b"]
    nodes.append(helper.make_node("QLinearConv", names, ["y"]))
    made = model(nodes, {"x": x}, opset=20, result=TensorProto.UINT8)
    total = convolve(less(x, arrays["z"]), w.astype(I32)) + arrays["b"][:, None, None]
    ratio = arrays["s"] * arrays["v"] / arrays["t"]
    expected = np.round(total.astype(F32) * ratio[:, None, None]) + 90
    np.testing.assert_array_equal(bquant.compile(made)(x), expected.clip(0, 255).astype(U8))


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(60))
def test_random_convolutions(seed):
    """Of any window and any zero points, by any kernel of x86 that this machine runs."""
    draw = np.random.default_rng(seed)
    groups, kernel = int(draw.choice([1, 1, 2, 3])), draw.integers(1, 4, 2)
    depth, filters = int(draw.choice([1, 3, 4, 8, 12])), int(draw.integers(1, 40))
    strides, dilations = draw.integers(1, 3, 2).tolist(), draw.integers(1, 3, 2).tolist()
    size = (kernel - 1) * dilations + 1 + draw.integers(0, 7, 2)
    pads = draw.integers(0, 3, 4).tolist()
    x_type, w_type = (draw.choice([U8, I8]) for _ in range(2))
    x = codes(x_type, 2, groups * depth, *size, seed=seed)
    w = codes(w_type, groups * filters, depth, *kernel, seed=seed + 1)
    a, b = codes(x_type, seed=seed + 2), codes(w_type, *draw.choice([0, len(w)], 1), seed=seed)
    b = b if b.size else codes(w_type, seed=seed)
    attributes = {"pads": pads, "strides": strides, "dilations": dilations, "group": groups}
    expected = convolve(less(x, a), less(w, b, (-1, 1, 1, 1) if b.ndim else None), **attributes)
    model, inputs = product("ConvInteger", [(x, True), (w, False), (a, False), (b, False)],
                            **attributes)  # fmt: skip
    target = draw.choice(["host", "haswell", "x86-64", "skylake-avx512"])
    if target == "skylake-avx512" and "avx512bw" not in CPU_FLAGS:
        target = "host"
    threads = int(draw.integers(1, 3))
    network = bquant.compile(model, target=str(target), threads=threads)
    np.testing.assert_array_equal(network(*inputs), expected)


CASES = cases("onnx_bytes.npz")
# The arithmetic of their products. One of activations of 16 bits is one of floats, whose sums are
# in another order than ONNX Runtime's: the last code may be another one.
ARITHMETIC = {
    "bounded_product": {"binary"},
    **{name: {"float"} for name in CASES if name.startswith(("wide", "trained_"))},
    **{
        name: {"integer"}
        for name in CASES
        if name.endswith(("Integer", "operators", "dynamic", "_bytes"))
    },
}
# Those of every day, on both routes and on the fast one; by night all on both.
REFERENCE = ("bounded_product", "ConvInteger", "between_int8", "trained_bytes_operators")
DAILY = (
    "borders_uint8", "borders_int16", "arithmetic_uint8", "arithmetic_int8",
    "casts_uint8", "MatMulInteger", "wide_uint16", "trained_int16", "trained_dynamic",
    "random_bytes_operators",
)  # fmt: skip


@pytest.mark.parametrize(("name", "strategy"), on_routes(CASES, DAILY, REFERENCE))
def test_as_onnx_runtime(name, strategy):
    model, inputs, outputs = CASES[name]
    network = bquant.compile(model, strategy=strategy)
    for result, expected in zip(network.flat(*inputs), outputs, strict=True):
        assert result.dtype == expected.dtype
        tolerance = 1e-4 * np.abs(expected).max() if name.startswith("wide") else 0
        np.testing.assert_allclose(result, expected, rtol=0, atol=tolerance)
    if strategy == "auto":
        found = {layer["arithmetic"] for layer in products(network)}
        assert found == ARITHMETIC.get(name, set())


def test_bytes_cross_a_library(tmp_path):
    """With their types in the header and in files of NumPy."""
    model, inputs, outputs = CASES["borders_uint8"]
    network = bquant.compile(model)
    network.save(tmp_path / "net.so")
    header = (tmp_path / "net.h").read_text()
    assert "uint8_t[1][4][7][6]" in header.split("inputs[0]")[1].split("\n")[0]
    assert "uint8_t[1][4][7][6]" in header.split("outputs[0]")[1].split("\n")[0]
    np.testing.assert_array_equal(bquant.load(tmp_path / "net.so")(*inputs), outputs[0])
    run = Path(__file__).resolve().parents[2] / "build/bin/bquant-run"
    if not run.exists():
        pytest.skip("no bquant-run")
    np.save(tmp_path / "x.npy", inputs[0])
    subprocess.run(
        [run, tmp_path / "net.so", "--input", tmp_path / "x.npy", "--output", tmp_path / "y.npy"],
        check=True,
    )
    result = np.load(tmp_path / "y.npy")
    assert result.dtype == np.uint8
    np.testing.assert_array_equal(result, outputs[0])
