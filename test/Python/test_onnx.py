"""The frontend of ONNX against ONNX Runtime, whose results are in golden/ (`./dev fixtures`)."""

import sys
from types import SimpleNamespace

import bquant
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
from bquant.__main__ import main  # noqa: E402
from bquant.frontends.onnx import import_model  # noqa: E402
from golden_files import cases  # noqa: E402
from onnx import helper  # noqa: E402
from onnx_files import model as make_model  # noqa: E402
from reports import binary_share, layers, share_in_codes  # noqa: E402

NETWORKS = cases("onnx_networks.npz")
INTEGERS = cases("onnx_integers.npz")
# Of opsets before 13, and norms of parameters that are computed.
OPSETS = cases("onnx_opsets.npz")
# Where a product of bits follows a rounded float, the float's last bit may make another code.
STRATEGIES = ["auto", "reference"]
# The share of MACs that become products of bits, in percent; of the others, which are float, none.
SHARES = {
    "signs": 84.2, "two_planes": 91.4, "react": 95.5, "binary_attention": 100, "one_filter": 100,
    "dorefa": 98.5, "dorefa_batch": 97.7,
}  # fmt: skip
OLD_SHARES = {
    "residual_7": 0, "separable_8": 0, "perceptron_8": 0, "upwards_10": 0, "sound_10": 0,
    "squeeze_9": 0, "encoder_12": 0, "signs_12": 84.2, "one_filter_9": 100, "dorefa_11": 98.5,
    "stripes_9": 95.2, "stripes_11": 95.2, "hardtanhs_9": 95.2, "hardtanhs_12": 95.2,
    "averages_10": 95.2, "upsampled_9": 95.2, "upsampled_10": 95.2, "norm_scale_9": 0,
    "norm_bias_12": 0, "norm_statistics_13": 0, "norm_all_17": 0, "norm_signs_11": 99.9,
    "layer_norm_17": 0, "layer_norm_18": 0,
}  # fmt: skip
OLD_OPERATORS = {f"old_{name}": OPSETS[name] for name in sorted(set(OPSETS) - set(OLD_SHARES))}
OPERATORS = cases("onnx_operators.npz") | OLD_OPERATORS


def check(network, inputs, expected):
    results = network.flat(*inputs)
    assert len(results) == len(expected)
    for result, y in zip(results, expected, strict=True):
        assert result.shape == y.shape
        np.testing.assert_allclose(result, y, rtol=1e-4, atol=1e-4 * max(1, np.abs(y).max()))


@pytest.mark.parametrize("name", OPERATORS)
def test_operator(name):
    """On the route that compiles sooner; networks have both."""
    content, inputs, expected = OPERATORS[name]
    check(bquant.compile(content, strategy="reference"), inputs, expected)


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name):
    content, inputs, expected = INTEGERS[name]
    network = bquant.compile(content)
    check(network, inputs, expected)
    for result, y in zip(network.flat(*inputs), expected, strict=True):
        assert result.dtype == y.dtype


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", NETWORKS)
def test_network(name, strategy):
    content, inputs, expected = NETWORKS[name]
    network = bquant.compile(content, strategy=strategy)
    check(network, inputs, expected)
    share = SHARES.get(name, SHARES.get(name.removesuffix("_batch"), 0))
    assert share_in_codes(network) == pytest.approx(share, abs=0.1)
    if name in ("signs", "two_planes"):
        assert "/Conv_1" in [item["location"] for item in layers(network)]


@pytest.mark.parametrize("name", OLD_SHARES)
def test_network_of_an_old_opset(name):
    """What PyTorch's exporter writes; stripes, hardtanhs, averages and upsampled are trained."""
    content, inputs, expected = OPSETS[name]
    strategy = "auto" if OLD_SHARES[name] else "reference"
    network = bquant.compile(content, strategy=strategy)
    check(network, inputs, expected)
    assert binary_share(network) == pytest.approx(OLD_SHARES[name], abs=0.1)


def old(op, opset, shape, constants, **attributes):
    """A node of `x` and constants, as an opset has it."""
    node = helper.make_node(op, ["x", *constants], ["y"], name="node", **attributes)
    constants = {name: np.float32(array) for name, array in constants.items()}
    return make_model([node], {"x": shape}, constants, opset)


C3, C34, C5 = np.arange(3) - 1, np.arange(12).reshape(3, 4) - 5, np.arange(5) - 2
NORM = {"s": C3 + 2, "b": C3, "m": C3 / 2, "v": C3 + 3}
TEST = {"is_test": 1}


@pytest.mark.parametrize(
    ("op", "constants", "attributes", "newer", "newer_attributes"),
    [
        ("Add", {"c": C3}, {"broadcast": 1, "axis": 1}, {"c": C3.reshape(3, 1, 1)}, {}),
        ("Mul", {"c": C34}, {"broadcast": 1, "axis": 1}, {"c": C34.reshape(3, 4, 1)}, {}),
        ("Sub", {"c": C5}, {"broadcast": 1}, {"c": C5}, {}),
        ("PRelu", {"c": C3}, {}, {"c": C3.reshape(3, 1, 1)}, {}),
        ("PRelu", {"c": [0.5]}, {}, {"c": [0.5]}, {}),
        ("BatchNormalization", NORM, TEST, NORM, {}),
        ("Dropout", {}, TEST, {}, {}),
        (
            "Upsample",
            {},
            {"height_scale": 2.0, "width_scale": 3.0},
            {"c": [1, 1, 2, 3]},
            {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"},
        ),
    ],
)
def test_opset_6(op, constants, attributes, newer, newer_attributes):
    """ONNX Runtime begins with opset 7: the same node of a newer one."""
    x = np.random.default_rng(1).standard_normal((2, 3, 4, 5)).astype(np.float32)
    given = old(op, 6, x.shape, constants, **attributes)
    is_resize = op == "Upsample"
    same = old("Resize" if is_resize else op, 13, x.shape, newer, **newer_attributes)
    if is_resize:
        same.graph.node[0].input[1:] = ["", "c"]
    results = [bquant.compile(m, strategy="reference")(x) for m in (given, same)]
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("opset", [10, 18])
@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("Softsign", {}),
        ("ThresholdedRelu", {}),
        ("ThresholdedRelu", {"alpha": 0.5}),
        ("Shrink", {}),
        ("Shrink", {"lambd": 0.75, "bias": 0.25}),
    ],
)
def test_what_others_define_from_opset_18_on(op, attributes, opset):
    x = np.float32([[-2, -1, -0.75, -0.5, 0, 0.25], [0.5, 0.75, 1, 2, np.inf, np.nan]])
    made = old(op, opset, x.shape, {}, **attributes)
    with np.errstate(invalid="ignore"):
        (expected,) = onnx.reference.ReferenceEvaluator(made).run(None, {"x": x})
    np.testing.assert_array_equal(bquant.compile(made, strategy="reference")(x), expected)


def test_gemm_of_opset_6():
    x = np.float32([[1, 2, 3]])
    constants = {"w": C34, "c": np.arange(4)}
    made = old("Gemm", 6, x.shape, constants, broadcast=1)
    np.testing.assert_array_equal(bquant.compile(made)(x), x @ C34 + np.arange(4))


def test_an_old_model_stays_as_it_is():
    made = old("Clip", 9, [2, 3], {}, min=0.0)
    content = made.SerializeToString()
    bquant.compile(made, strategy="reference")
    assert made.SerializeToString() == content


def test_any_batch_and_how_a_model_comes_in(tmp_path):
    content, (x,), _ = NETWORKS["separable_batch"]
    network = bquant.compile(content)
    assert network.inputs[0]["shape"] == [None, 3, 16, 16]
    expected = network(x)
    np.testing.assert_array_equal(network(x[1:2]), expected[1:2])
    path = tmp_path / "model"  # its content says what it is
    path.write_bytes(content)
    for model in (path, onnx.load_from_string(content)):
        np.testing.assert_array_equal(bquant.compile(model)(x), expected)


@pytest.mark.parametrize("name", ["signs", "residual_batch"])
def test_verify(name, monkeypatch, tmp_path):
    """With the outputs of ONNX Runtime, which is not installed beside bquant."""
    content, inputs, expected = NETWORKS[name]
    network = bquant.compile(content)
    result = bquant.verify(network, content, tuple(inputs), runtime=lambda *_: expected)
    assert result.ok, result
    assert [layer.op for layer in result.layers] == ["the runtime"] * len(expected)
    path = tmp_path / "net.onnx"
    path.write_bytes(content)
    wrong = [y + np.abs(y).max() for y in expected]
    session = SimpleNamespace(
        get_inputs=lambda: [SimpleNamespace(name=f"x{i}") for i in range(len(inputs))],
        run=lambda outputs, feeds: wrong,
    )
    given = []
    module = SimpleNamespace(InferenceSession=lambda m, providers: given.append(m) or session)
    monkeypatch.setitem(sys.modules, "onnxruntime", module)
    for model in (path, content, onnx.load_from_string(content)):
        result = bquant.verify(network, model, tuple(inputs))
        assert not result.ok and result.first_difference.op == "ONNX Runtime"
        assert result.mismatch is None
    assert given == [str(path), content, onnx.load_from_string(content).SerializeToString()]


def test_verify_what_the_runtime_refuses(monkeypatch):
    """As QONNX, of which ONNX Runtime knows no operator: with the reference route alone."""
    content, inputs, _ = NETWORKS["signs"]

    def refuse(model, providers):
        raise Exception("[ONNXRuntimeError] : 1 : FAIL : Quant(-1) is not a registered function/op")

    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=refuse))
    result = bquant.verify(bquant.compile(content), content, tuple(inputs))
    assert result.ok and result.against == ["the reference route"]


def test_every_opset():
    """Operators whose signatures have changed little mean the same in all of them."""
    generator = np.random.default_rng(3)
    weights = {
        "w": generator.standard_normal((3, 2, 3, 3)).astype(np.float32),
        "v": generator.standard_normal((5, 12)).astype(np.float32),
        "low": np.float32(-0.5),
        "s": np.array([0, -1]),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], name="conv"),
        helper.make_node("Clip", ["a", "low"], ["b"], name="clip"),
        helper.make_node("MaxPool", ["b"], ["c"], name="pool", kernel_shape=[3, 3]),
        helper.make_node("Reshape", ["c", "s"], ["d"], name="reshape"),
        helper.make_node("Gemm", ["d", "v"], ["e"], name="gemm", transB=1),
        helper.make_node("Softmax", ["e"], ["y"], name="softmax"),
    ]
    inputs, versions = {"x": ["n", 2, 6, 6]}, range(13, onnx.defs.onnx_opset_version() + 1)
    made = [make_model(nodes, inputs, weights, version) for version in versions]
    texts = {import_model(one).text(resources=True) for one in made}
    assert len(texts) == 1


@pytest.mark.parametrize("type_", ["INT4", "UINT4", "INT8", "UINT8"])
def test_filters_of_few_bits(type_):
    """They are constants of floats."""
    codes = np.arange(0, 8).reshape(2, 4)
    dtype = helper.tensor_dtype_to_np_dtype(getattr(onnx.TensorProto, type_))
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["f"], axis=0),
        helper.make_node("MatMul", ["x", "f"], ["y"]),
    ]
    constants = {"w": codes.astype(dtype), "s": np.float32([0.5, 2])}
    made = make_model(nodes, {"x": [1, 2]}, constants, 21)
    x = np.float32([[1, 3]])
    expected = x @ (codes * np.float32([[0.5], [2]]))
    np.testing.assert_array_equal(bquant.compile(made)(x), expected)


def test_command(tmp_path):
    content, inputs, expected = NETWORKS["perceptron_batch"]
    path, library = tmp_path / "net.onnx", tmp_path / "net.so"
    path.write_bytes(content)
    assert main(["compile", str(path), "-o", str(library)]) == 0
    check(bquant.load(library), inputs, expected)


def test_the_sign_of_nan():
    """0, as PyTorch has it."""
    made = make_model([helper.make_node("Sign", ["x"], ["y"])], {"x": [4]}, opset=18)
    x = np.float32([np.nan, -2, 0, np.inf])
    np.testing.assert_array_equal(bquant.compile(made)(x), [0, -1, 0, 1])


@pytest.mark.skipif(onnx.defs.onnx_opset_version() < 28, reason="the operator has no mode")
@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_the_order_of_blocks(mode):
    node = helper.make_node("SpaceToDepth", ["x"], ["y"], blocksize=2, mode=mode)
    x = np.arange(48, dtype=np.float32).reshape(1, 3, 4, 4)
    rows = x.reshape(3, 2, 2, 2, 2).transpose((2, 4, 0, 1, 3) if mode == "DCR" else (0, 2, 4, 1, 3))
    result = bquant.compile(make_model([node], {"x": x.shape}, opset=28))(x)
    np.testing.assert_array_equal(result, rows.reshape(1, 12, 2, 2))


@pytest.mark.parametrize(("fmod", "rest"), [(0, np.mod), (1, np.fmod)])
def test_rests_of_floats(fmod, rest):
    """Signs of zeros, too."""
    x = np.float32([-5.5, 5.5, 5.5, 6, -6, 0, -0.0, 2, -2, np.inf, 1])
    y = np.float32([3, -3, 3, -3, 3, -3, -3, -np.inf, np.inf, 2, 0])
    made = make_model([helper.make_node("Mod", ["x", "z"], ["y"], fmod=fmod)], {"x": x, "z": y})
    with np.errstate(invalid="ignore"):
        expected = rest(x, y)
    result = bquant.compile(made)(x, y)
    np.testing.assert_array_equal(result, expected)
    known = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(result)[known], np.signbit(expected)[known])


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8])
def test_places_of_any_type(dtype):
    node = helper.make_node("OneHot", ["x", "depth", "values"], ["y"])
    x, constants = np.array([2, 0, 3], dtype), {"depth": 3, "values": np.float32([-1, 1])}
    expected = [[-1, -1, 1], [1, -1, -1], [-1, -1, -1]]
    result = bquant.compile(make_model([node], {"x": x}, constants))(x)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("opset", [7, 13])
def test_dropout_drops_nothing(opset):
    """The mask is of all elements."""
    nodes = [
        helper.make_node("Dropout", ["x"], ["d", "mask"]),
        helper.make_node("Cast", ["mask"], ["m"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Add", ["d", "m"], ["y"]),
    ]
    made = make_model(nodes, {"x": ["n", 2]}, opset=opset)
    np.testing.assert_array_equal(bquant.compile(made)(np.float32([[1, 2]])), [[2, 3]])


def test_constants_taken_by_their_places():
    """100 along the axis, more than the evaluator's own operator takes."""
    c = np.arange(300, dtype=np.float32).reshape(3, 100)
    nodes = [
        helper.make_node("GatherElements", ["c", "i"], ["g"], axis=1),
        helper.make_node("Add", ["x", "g"], ["y"]),
    ]
    constants = {"c": c, "i": np.array([[-1, 0], [99, 50]])}
    made = make_model(nodes, {"x": [2, 2]}, constants, 18)
    result = bquant.compile(made)(np.zeros((2, 2), np.float32))
    np.testing.assert_array_equal(result, [[99, 0], [199, 150]])


def of(nodes, inputs, constants, opset, **options):
    """`nodes`: (op, inputs, outputs, attributes)."""
    made = [helper.make_node(op, ins, outs, **rest) for op, ins, outs, rest in nodes]
    return make_model(made, inputs, constants, opset, **options)


@pytest.mark.parametrize(
    ("nodes", "constants"),
    [
        (
            [("NonZero", ["c"], ["n"], {}), ("Transpose", ["n"], ["i"], {}),
             ("GatherND", ["x", "i"], ["y"], {})],
            {"c": [[True, False, True], [True, False, False]]},
        ),
        (
            [("Compress", ["c", "bits"], ["d"], {"axis": 0}), ("Add", ["x", "d"], ["y"], {})],
            {"c": np.float32([1, 2, 3, 4]), "bits": [True, False, True, True]},
        ),
        (
            [("Unique", ["c"], ["d"], {}), ("Add", ["x", "d"], ["y"], {})],
            {"c": np.float32([3, 1, 3, 2, 1])},
        ),
        (
            [("Pad", ["c", "pads"], ["d"], {}), ("Add", ["x", "d"], ["y"], {})],
            {"c": np.float32([1, 2]), "pads": [-1, 2]},
        ),
        (
            [("ReduceSumSquare", ["c"], ["d"], {}), ("Cast", ["d"], ["f"], {"to": 1}),
             ("Add", ["x", "f"], ["y"], {})],
            {"c": np.int32([1, 2])},
        ),
    ],
)  # fmt: skip
def test_constants_of_any_size(nodes, constants):
    """Where onnx' evaluator has an operator not at all, or in another type, it is written out."""
    x = np.float32([[1, 2, 3], [4, 5, 6]])
    made = of(nodes, {"x": x}, {name: np.array(c) for name, c in constants.items()}, 20)
    padded = {"Pad": x + [2, 0, 0], "ReduceSumSquare": x + 5}
    expected = padded.get(nodes[0][0])
    if expected is None:
        (expected,) = onnx.reference.ReferenceEvaluator(made).run(None, {"x": x})
    np.testing.assert_array_equal(bquant.compile(made)(x), expected)


@pytest.mark.parametrize(("rule", "middle"), [("round_prefer_ceil", 4), ("round_prefer_floor", 3)])
def test_places_in_the_middle(rule, middle):
    """4 / (8 / 7) is 3.4999998 in float32: ONNX Runtime takes it for the middle, too."""
    how = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": rule}
    x = np.arange(7, dtype=np.float32)[None, None, None]
    nodes = [("Resize", ["x", "", "", "sizes"], ["y"], {"mode": "nearest", **how})]
    made = of(nodes, {"x": x}, {"sizes": np.array([1, 1, 1, 8])}, 13)
    places = [0, 1, 2, 3, middle, 4, 5, 6]
    np.testing.assert_array_equal(bquant.compile(made)(x).ravel(), np.float32(places))


def test_whether_a_constant_is_a_number():
    """A parameter that is none is an error otherwise."""
    x, c = np.float32([[1, 2]]), np.float32([[np.nan, 0]])
    nodes = [("IsNaN", ["c"], ["n"], {}), ("Where", ["n", "x", "z"], ["y"], {})]
    made = of(nodes, {"x": x}, {"c": c, "z": np.float32(7)}, 20)
    np.testing.assert_array_equal(bquant.compile(made)(x), np.float32([[1, 7]]))


@pytest.mark.parametrize(("op", "expected"), [("ReduceL1", [[4], [6]]),
                                              ("ReduceSumSquare", [[10], [20]])])  # fmt: skip
def test_reductions_of_integers(op, expected):
    x = np.int32([[1, -3], [4, 2]])
    made = of([(op, ["x", "dims"], ["y"], {})], {"x": x}, {"dims": np.array([1])}, 18,
              result=onnx.TensorProto.INT32)  # fmt: skip
    np.testing.assert_array_equal(bquant.compile(made)(x), np.int32(expected))


def test_integers_of_the_size_of_the_batch():
    value = onnx.numpy_helper.from_array(np.array([2]))
    nodes = [("Shape", ["x"], ["s"], {}), ("ConstantOfShape", ["s"], ["c"], {"value": value}),
             ("Cast", ["c"], ["f"], {"to": 1}), ("Add", ["x", "f"], ["y"], {})]  # fmt: skip
    network = bquant.compile(of(nodes, {"x": ["n", 2]}, {}, 18))
    for rows in (1, 3):
        np.testing.assert_array_equal(
            network(np.ones((rows, 2), np.float32)), np.full((rows, 2), 3)
        )


@pytest.mark.parametrize(
    ("mode", "pads", "expected"),
    [
        ("edge", (-1, 2), [2, 3, 4, 4, 4]),
        ("reflect", (1, -1), [2, 1, 2, 3]),
        ("reflect", (5, 4), [2, 3, 4, 3, 2, 1, 2, 3, 4, 3, 2, 1, 2]),
        ("wrap", (-1, 2), [2, 3, 4, 2, 3]),
    ],
)
def test_pads_below_0_and_beyond_the_tensor(mode, pads, expected):
    x = np.float32([1, 2, 3, 4])
    made = of([("Pad", ["x", "p"], ["y"], {"mode": mode})], {"x": x}, {"p": np.array(pads)}, 19)
    np.testing.assert_array_equal(bquant.compile(made)(x), expected)


@pytest.mark.parametrize(
    ("node", "constants"),
    [
        (("MaxPool", ["x"], ["y", "unread"], {"kernel_shape": [2, 2]}), {}),
        (
            ("LayerNormalization", ["x", "s"], ["y", "mean", "deviation"], {}),
            {"s": np.ones(4, np.float32)},
        ),
    ],
)
def test_results_that_nothing_reads(node, constants):
    x = np.random.default_rng(1).standard_normal((1, 2, 3, 4)).astype(np.float32)
    made = of([node], {"x": x}, constants, 18)
    (expected,) = onnx.reference.ReferenceEvaluator(made).run(None, {"x": x})
    np.testing.assert_allclose(bquant.compile(made)(x), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("attributes", [{"pads": [1, 0, 1, 3]},
                                        {"pads": [2, 4, 1, 3], "strides": [2, 3]}])  # fmt: skip
def test_transposed_pads_beyond_the_filters(attributes):
    x = np.random.default_rng(1).standard_normal((1, 2, 5, 6)).astype(np.float32)
    filters = np.random.default_rng(2).standard_normal((2, 3, 1, 2)).astype(np.float32)
    made = of([("ConvTranspose", ["x", "w"], ["y"], attributes)], {"x": x}, {"w": filters}, 18)
    (expected,) = onnx.reference.ReferenceEvaluator(made).run(None, {"x": x})
    np.testing.assert_allclose(bquant.compile(made)(x), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        (
            [("Softmax", ["e"], ["s"], {"axis": 0}), ("Concat", ["s", "x"], ["y"], {"axis": 1})],
            [[1, 2], [3, 4]],
        ),
        ([("MatMul", ["e", "none"], ["y"], {})], [[0, 0, 0], [0, 0, 0]]),
        ([("ScatterND", ["x", "at", "none2"], ["y"], {})], [[1, 2], [3, 4]]),
        (
            [
                ("Gather", ["none2", "places"], ["g"], {}),
                ("Concat", ["g", "x"], ["y"], {"axis": 0}),
            ],
            [[1, 2], [3, 4]],
        ),
    ],
)
def test_nothing_on_the_way(nodes, expected):
    """`e` has no elements."""
    first = [
        ("Slice", ["x", "one", "one", "one"], ["e"], {}),
        ("Reshape", ["e", "flat"], ["r"], {"allowzero": 1}),
        ("Cast", ["r"], ["places"], {"to": 7}),
    ]
    constants = {
        "one": np.array([1]), "flat": np.array([0], np.int64), "at": np.zeros((0, 1), np.int64),
        "none": np.zeros((0, 3), np.float32), "none2": np.zeros((0, 2), np.float32),
    }  # fmt: skip
    x = np.float32([[1, 2], [3, 4]])
    made = of([*first, *nodes], {"x": x}, constants, 18)
    result = bquant.compile(made)(x)
    assert result.shape == np.shape(expected)
    np.testing.assert_array_equal(result, expected)


def test_functions_of_the_model():
    """Each in the opset that it names: before 13, Softmax is over all from its axis on."""
    body, imports = [helper.make_node("Softmax", ["a"], ["b"])], [helper.make_opsetid("", 11)]
    made = of([("F", ["x"], ["z"], {"domain": "my"}), ("Relu", ["z"], ["y"], {})], {"x": [2, 3, 4]},
              {}, 18, domains=["my"])  # fmt: skip
    made.functions.append(helper.make_function("my", "F", ["a"], ["b"], body, imports))
    x = np.random.default_rng(1).standard_normal((2, 3, 4)).astype(np.float32)
    powers = np.exp(x.reshape(2, 12))
    expected = (powers / powers.sum(1, keepdims=True)).reshape(x.shape)
    np.testing.assert_allclose(bquant.compile(made)(x), expected, rtol=1e-5)


@pytest.mark.skipif(not onnx.defs.has("SwiGLU"), reason="onnx has no SwiGLU")
def test_definitions_made_of_definitions():
    version = onnx.defs.get_schema("SwiGLU").since_version
    x = np.random.default_rng(1).standard_normal((2, 4)).astype(np.float32)
    nodes = [("SwiGLU", ["x", "x"], ["a"], {}), ("SwiGLU", ["a", "x"], ["y"], {})]
    once = x * x / (1 + np.exp(-x))
    result = bquant.compile(of(nodes, {"x": x}, {}, version))(x)
    np.testing.assert_allclose(result, once * x / (1 + np.exp(-once)), rtol=1e-5)


def test_a_loss():
    """Another definition of definitions."""
    nodes = [("SoftmaxCrossEntropyLoss", ["x", "i"], ["y"], {})]
    x, constants = np.float32([[1, 2, 3], [3, 1, 2]]), {"i": np.array([0, 1])}
    result = bquant.compile(of(nodes, {"x": x}, constants, 20))(x)
    shares = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    np.testing.assert_allclose(result, -np.log([shares[0, 0], shares[1, 1]]).mean(), rtol=1e-5)


def test_the_other_name_of_the_domain():
    nodes = [
        ("Add", ["c", "c"], ["d"], {"domain": "ai.onnx"}),
        ("Mish", ["x"], ["m"], {"domain": "ai.onnx"}),
        ("Add", ["m", "d"], ["y"], {}),
    ]
    made = of(nodes, {"x": [3]}, {"c": np.float32([1, 2, 3])}, 18)
    made.opset_import[0].domain = "ai.onnx"
    content = made.SerializeToString()
    x = np.float32([-1, 0, 2])
    expected = x * np.tanh(np.log1p(np.exp(x))) + [2, 4, 6]
    np.testing.assert_allclose(bquant.compile(made)(x), expected, rtol=1e-5)
    assert made.SerializeToString() == content


@pytest.mark.parametrize("name", ["重み", "é", "9"])
def test_names_of_large_constants(name):
    w = np.random.default_rng(1).standard_normal((64, 64)).astype(np.float32)
    other = f"{name[:-1]}_"  # the same in ASCII, but for "9"
    nodes = [("MatMul", ["x", name], ["a"], {}), ("MatMul", ["a", other], ["y"], {})]
    made = of(nodes, {"x": [2, 64]}, {name: w, other: -w}, 18)
    x = np.random.default_rng(2).standard_normal((2, 64)).astype(np.float32)
    np.testing.assert_allclose(bquant.compile(made)(x), x @ w @ -w, rtol=1e-3, atol=1e-3)


def test_a_node_without_results():
    nodes = [("DynamicQuantizeLinear", ["x"], [], {}), ("Relu", ["x"], ["y"], {})]
    result = bquant.compile(of(nodes, {"x": [2]}, {}, 18))(np.float32([-1, 2]))
    np.testing.assert_array_equal(result, [0, 2])
