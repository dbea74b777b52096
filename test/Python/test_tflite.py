"""The frontend of .tflite files without Larq: networks and operators of floats and of int8, against
TensorFlow Lite's own interpreter, whose results are in golden/ (`./dev fixtures`)."""

import json

import bquant
import numpy as np
import pytest

pytest.importorskip("tflite")
pytest.importorskip("flatbuffers")

from bquant.frontends.tflite import load  # noqa: E402
from golden_files import agree, cases, daily, on_both_routes  # noqa: E402
from lite_files import File  # noqa: E402

NETWORKS, OPERATORS = cases("tflite_networks.npz"), cases("tflite_operators.npz")
INTEGERS = [name for name in OPERATORS if name.startswith("int8_")]
FLOATS = [name for name in OPERATORS if name not in INTEGERS]


@pytest.mark.parametrize("name", FLOATS)
def test_operator(name):
    content, inputs, (y,) = OPERATORS[name]
    agree(on_both_routes(content, lambda network: network(*inputs)), y, 1e-6)


@pytest.mark.parametrize("name", INTEGERS)
def test_operator_of_codes(name):
    """In steps of the output's scale."""
    content, inputs, (y,) = OPERATORS[name]
    result = on_both_routes(content, lambda network: network(*inputs))
    (step,) = [t for t in load.parse(content).tensors if t.scale is not None][-1].scale
    off = (result - y) / step
    np.testing.assert_allclose(off, np.round(off), atol=1e-3)
    assert not np.round(off).any()


@pytest.mark.parametrize("name", AXES := cases("tflite_axes.npz"))
def test_axis_of_one_dimension(name):
    """A bias of one dimension has the scales of its one axis, whichever the file names."""
    content, _, _ = AXES[name]
    named = {
        t.axis for t in load.parse(content).tensors if t.scale is not None and len(t.shape) == 1
    }
    assert named == {0}
    plain, _, _ = NETWORKS[name]
    # The program, constants included, is that of the axis 0, whose codes `test_network` compares.
    assert bquant.lower(content, "import") == bquant.lower(plain, "import")


@pytest.mark.parametrize("name", NETWORKS)
def test_network(name):
    """Codes of int8 are those of the interpreter, which by default rounds once (XNNPACK)."""
    content, (x,), (y,) = NETWORKS[name]
    # Those of no computed sizes have a batch of one.
    parts = np.split(x, len(x)) if name.startswith("assorted_int8") else [x]
    agree(on_both_routes(content, lambda net: np.concatenate([net(x) for x in parts])), y, 1e-6)


CODES = cases("tflite_codes.npz")
QUICK = ("gated", "spots_uint8", "waves")


@pytest.mark.parametrize("name", daily(CODES, QUICK))
def test_network_of_codes(name):
    """Random and trained: each of many codes is XNNPACK's."""
    content, (x,), (y,) = CODES[name]
    agree(on_both_routes(content, lambda net: np.concatenate([net(s[None]) for s in x])), y, 0)


@pytest.mark.parametrize("name", ["mobile_int8", "plain_int8", "plain_uint8"])
def test_codes_become_products_of_bytes(name):
    report = json.loads(bquant.compile(NETWORKS[name][0]).report("json"))
    macs = sum(layer["macs"] for layer in report["layers"] if layer["arithmetic"] == "integer")
    assert macs == report["totals"]["macs"] > 0


def test_a_batch_of_any_size():
    content, (x,), (y,) = NETWORKS["mobile_float"]
    network = bquant.compile(content)
    assert network(x[:0]).shape == (0, 10)
    np.testing.assert_array_equal(network(x[1:]), network(x)[1:])


def test_verify():
    content, (x,), _ = NETWORKS["mobile_int8"]
    assert bquant.verify(bquant.compile(content), content, x)


def test_a_constant_as_output_and_an_input_as_output():
    file = File()
    x = file.tensor([2])
    y = file.tensor([2], content=np.float32([3, 4]))
    z = file.tensor([2])
    file.operator("ABS", [x], [z])
    content = file.finish([x], [x, y, z])
    given, constant, result = bquant.compile(content)(np.float32([-1, 2]))
    assert (given.tolist(), constant.tolist(), result.tolist()) == ([-1, 2], [3, 4], [1, 2])


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("name", ["SUM", "MEAN", "REDUCE_MAX", "REDUCE_PROD"])
def test_a_reduction_without_axes(name, keep):
    """It reduces nothing."""
    file = File()
    x, axes, y = file.tensor([2, 3]), file.tensor([0], "INT32", np.int32([])), file.tensor([2, 3])
    file.operator(name, [x, axes], [y], kind="ReducerOptions", options={"KeepDims": keep})
    given = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(bquant.compile(file.finish([x], [y]))(given), given)


@pytest.mark.parametrize(("name", "chosen"), [("SELECT", "rows"), ("SELECT_V2", "columns")])
def test_a_condition_of_one_dimension(name, chosen):
    file = File()
    bits = file.tensor([2], "BOOL")
    x, y, z = (file.tensor([2, 2]) for _ in range(3))
    file.operator(name, [bits, x, y], [z])
    network = bquant.compile(file.finish([bits, x, y], [z]))
    result = network(np.array([True, False]), np.float32([[1, 2], [3, 4]]), -np.ones((2, 2), "f4"))
    expected = {"rows": [[1, 2], [-1, -1]], "columns": [[1, -1], [3, -1]]}
    np.testing.assert_array_equal(result, expected[chosen])


@pytest.mark.parametrize("mode, expected", [(0, [2, 1, 0, 1, 2, 1, 0]), (1, [1, 0, 0, 1, 2, 2, 1])])
def test_mirrored(mode, expected):
    file = File()
    x, y, paddings = file.tensor([3]), file.tensor([7]), np.int32([[2, 2]])
    paddings = file.tensor([1, 2], "INT32", paddings)
    file.operator("MIRROR_PAD", [x, paddings], [y], None, "MirrorPadOptions", {"Mode": mode})
    network = bquant.compile(file.finish([x], [y]))
    np.testing.assert_array_equal(network(np.float32([0, 1, 2])), expected)


@pytest.mark.parametrize("step, column", [(1, 0), (-1, 2)])
def test_a_place_from_the_end_on(step, column):
    """Where a mask says that it is the first of the axis, its number says nothing."""
    file = File()
    x, y = file.tensor([2, 3]), file.tensor([2])
    places = [file.tensor([2], "INT32", np.int32(n)) for n in ([0, 1], [2, 2], [1, step])]
    options = {"BeginMask": 2, "ShrinkAxisMask": 2}
    file.operator("STRIDED_SLICE", [x, *places], [y], None, "StridedSliceOptions", options)
    given = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(bquant.compile(file.finish([x], [y]))(given), given[:, column])


def test_numbers_of_one_dimension():
    """An axis and a value that are lists of one."""
    file = File()
    axis = file.tensor([1], "INT32", np.int32([1]))
    paddings, value = file.tensor([2, 2], "INT32", np.int32([[0, 0], [0, 1]])), np.float32([5])
    x, parts, y = file.tensor([2, 2]), [file.tensor([2, 1]) for _ in range(2)], file.tensor([2, 2])
    file.operator("SPLIT", [axis, x], parts, kind="SplitOptions", options={"NumSplits": 2})
    file.operator("PADV2", [parts[1], paddings, file.tensor([1], content=value)], [y])
    network = bquant.compile(file.finish([x], [y]))
    np.testing.assert_array_equal(network(np.float32([[1, 2], [3, 4]])), [[2, 5], [4, 5]])


@pytest.mark.parametrize("type_", ["UINT8", "INT8"])
def test_codes_in_and_out(type_):
    """In another scale: half of each code, one in the middle away from zero."""
    file = File()
    x = file.tensor([5], type_, scale=[0.5])
    y = file.tensor([5], type_, scale=[1.0])
    file.operator("RELU", [x], [y])
    network = bquant.compile(file.finish([x], [y]))
    codes = np.array([0, 1, 6, 7, 127], type_.lower())
    result = network(codes)
    assert result.dtype == codes.dtype
    np.testing.assert_array_equal(result, [0, 1, 3, 4, 64])


@pytest.mark.parametrize("type_, zero", [("INT8", -3), ("UINT8", 125)])
def test_the_middle_of_two_codes_is_the_even_one(type_, zero):
    """Sums of 2 (x - zero) - 1 in steps of two: the bias is of the sum, before it is rounded."""
    file = File()
    x = file.tensor([1, 4], type_, scale=[0.5], zero=[zero])
    weight = np.array([[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2]], np.int8)
    weight = file.tensor([4, 4], "INT8", content=weight, scale=[1.0])
    bias = file.tensor([4], "INT32", content=np.full(4, -1, np.int32), scale=[0.5])
    y = file.tensor([1, 4], type_, scale=[1.0], zero=[zero])
    file.operator("FULLY_CONNECTED", [x, weight, bias], [y])
    network = bquant.compile(file.finish([x], [y]))
    codes = np.array([[0, 1, 2, -1]]) + zero
    result = network(codes.astype(type_.lower())).astype(int)
    np.testing.assert_array_equal(result - zero, [[0, 0, 2, -2]])
