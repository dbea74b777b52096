"""Binary layers that could stay float for how they are written, in networks as the ONNX exporters
of Keras, Larq, QKeras and FINN put them down: each becomes a product of bits, or its reason names
what stops it."""

import bquant
import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

import onnx_files  # noqa: E402
from onnx import helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402
from reports import products  # noqa: E402

QONNX = "qonnx.custom_op.general"


class Graph:
    """Nodes by the names of their operators; numbers and arrays become constants."""

    def __init__(self, seed=1):
        self.nodes, self.constants, self.rng = [], {}, np.random.default_rng(seed)

    def name(self, value):
        if isinstance(value, str):
            return value
        array = np.asarray(value)
        name = f"c{len(self.constants)}"
        self.constants[name] = array.astype(np.float32) if array.dtype == np.float64 else array
        return name

    def __getattr__(self, op):
        def emit(*inputs, **attributes):
            domain = QONNX if op == "MultiThreshold" else ""
            names, result = [self.name(value) for value in inputs], f"v{len(self.nodes)}"
            self.nodes.append(
                helper.make_node(
                    op, names, [result], name=f"{op}_{len(self.nodes)}", domain=domain, **attributes
                )
            )
            return result

        return emit

    def floats(self, *shape):
        return self.rng.normal(size=shape)

    def signs(self, *shape):
        return self.rng.choice([-1.0, 1.0], size=shape)

    def levels(self, *shape, minus=-1.0, plus=1.0):
        """Filters of three levels."""
        return self.rng.choice([minus, 0.0, plus], size=shape, p=[0.4, 0.2, 0.4])

    def thresholds(self, channels, count):
        return np.sort(self.floats(channels, count), axis=1)

    def model(self, result, shape):
        known = {"outputs": [result], "domains": [QONNX]}
        return onnx_files.model(self.nodes, {"x": shape}, self.constants, 17, **known)


class MultiThreshold(onnx.reference.op_run.OpRun):
    op_domain = QONNX

    def _run(self, x, thresholds, data_layout=None, out_bias=None, out_scale=None, **_):
        axis = (data_layout or "NCHW"[: x.ndim]).index("C")
        moved = np.moveaxis(x, axis, -1)
        count = (moved[..., None] >= thresholds).sum(-1)
        value = (out_scale or 1) * count + (out_bias or 0)
        return (np.moveaxis(value, -1, axis).astype(np.float32),)


# --- signs -----------------------------------------------------------------------------------


def keras_sign(g, x):
    """`2 * cast(x >= 0) - 1`."""
    return g.Sub(g.Mul(g.Cast(g.GreaterOrEqual(x, 0.0), to=1), 2.0), 1.0)


def complement_sign(g, x):
    """The same where there is no >=."""
    return g.Add(g.Mul(2.0, g.Cast(g.Not(g.Less(x, 0.0)), to=1)), -1.0)


def larq_sign(g, x):
    return g.Sign(g.Add(g.Sign(x), 0.1))


def qkeras_sign(g, x):
    s = g.Sign(x)
    return g.Add(s, g.Sub(1.0, g.Abs(s)))


def keras_network(g, sign, shape=(1, 8, 8, 16)):
    """NHWC with a transpose around each NCHW convolution, filters from HWIO in the graph."""

    def conv(x, channels, filters):
        w = g.Transpose(sign(g, g.floats(3, 3, channels, filters)), perm=[3, 2, 0, 1])
        y = g.Conv(g.Transpose(sign(g, x), perm=[0, 3, 1, 2]), w, pads=[1, 1, 1, 1])
        y = g.Transpose(y, perm=[0, 2, 3, 1])
        return g.Add(g.Mul(y, g.floats(filters)), g.floats(filters))

    y = conv(conv("x", 16, 32), 32, 20)
    y = g.Reshape(sign(g, y), np.array([-1, 8 * 8 * 20]))
    return g.model(g.MatMul(y, sign(g, g.floats(8 * 8 * 20, 10))), list(shape))


def signs_in_parts(g):
    """The comparison on one axis order, the arithmetic on another, in bits, integers and floats."""

    def sign(x, perm, kind):
        bits = g.GreaterOrEqual(x, 0.0)
        if kind == "bits":
            return g.Sub(g.Mul(g.Cast(g.Transpose(bits, perm=perm), to=1), 2.0), 1.0)
        if kind == "integers":
            moved = g.Transpose(g.Cast(bits, to=6), perm=perm)
            return g.Cast(g.Sub(g.Mul(moved, np.int32(2)), np.int32(1)), to=1)
        return g.Sub(g.Mul(g.Transpose(g.Cast(bits, to=1), perm=perm), 2.0), 1.0)

    w = sign(g.floats(3, 3, 16, 32), [3, 2, 0, 1], "bits")
    y = g.Conv(sign("x", [3, 2, 0, 1], "floats"), w)
    tokens = g.Reshape(y, np.array([1, 32, 36]))
    y = g.MatMul(sign(tokens, [0, 2, 1], "integers"), keras_sign(g, g.floats(32, 20)))
    y = g.MatMul(sign(y, [0, 2, 1], "bits"), keras_sign(g, g.floats(36, 8)))
    return g.model(y, [8, 8, 16, 1])


def signs_padded_and_pooled(g):
    """The padding and the pool of the steps, before these are signs."""
    bits = g.Cast(g.GreaterOrEqual("x", 0.0), to=1)
    bits = g.Pad(bits, np.array([0, 0, 1, 1, 0, 0, 1, 1]), 1.0)
    y = binary_conv(g, g.Sub(g.Mul(bits, 2.0), 1.0), 16, 32)
    bits = g.MaxPool(g.Cast(g.GreaterOrEqual(y, 0.0), to=1), kernel_shape=[2, 2], strides=[2, 2])
    y = g.Reshape(bits, np.array([1, -1]))
    return g.model(g.MatMul(g.Sub(g.Mul(y, 2.0), 1.0), g.signs(32 * 16, 10)), [1, 16, 8, 8])


def signs_side_by_side(g):
    """Steps of two thresholds."""
    steps = [g.Cast(g.GreaterOrEqual("x", t), to=1) for t in (0.0, 0.5)]
    y = g.Sub(g.Mul(g.Concat(*steps, axis=1), 2.0), 1.0)
    return g.model(binary_conv(g, y, 32, 32), [1, 16, 8, 8])


SIGNS = {
    "keras": lambda g: keras_network(g, keras_sign),
    "complement": lambda g: keras_network(g, complement_sign),
    "larq": lambda g: keras_network(g, larq_sign),
    "qkeras": lambda g: keras_network(g, qkeras_sign),
    "in_parts": signs_in_parts,
    "padded_and_pooled": signs_padded_and_pooled,
    "side_by_side": signs_side_by_side,
}

# --- depthwise -------------------------------------------------------------------------------


def depthwise(g, w, quantize=keras_sign):
    return g.model(g.Conv(quantize(g, "x"), w, group=32, pads=[1, 1, 1, 1]), [1, 32, 8, 8])


def depthwise_written(g):
    w = g.floats(32, 1, 3, 3)
    return depthwise(g, g.Sub(g.Cast(g.Greater(w, 0.4), to=1), g.Cast(g.Less(w, -0.4), to=1)))


DEPTHWISE = {
    "one_scale": lambda g: depthwise(g, g.levels(32, 1, 3, 3)),
    "scales": lambda g: depthwise(g, g.levels(32, 1, 3, 3) * 2 ** np.round(g.floats(32, 1, 1, 1))),
    "rows": lambda g: depthwise(g, g.levels(32, 1, 1, 3), larq_sign),
    "written": depthwise_written,
}

# --- flattened -------------------------------------------------------------------------------


def binary_conv(g, x, channels, filters, size=3):
    return g.Conv(x, g.signs(filters, channels, size, size))


def flattened(g):
    y = g.Flatten(keras_sign(g, binary_conv(g, keras_sign(g, "x"), 16, 20)))
    return g.model(g.MatMul(y, keras_sign(g, g.floats(20 * 36, 10))), [1, 16, 8, 8])


def flattened_pooled(g):
    y = g.MaxPool(binary_conv(g, keras_sign(g, "x"), 16, 32), kernel_shape=[2, 2], strides=[2, 2])
    y = keras_sign(g, g.Flatten(g.Add(y, g.floats(32, 1, 1))))
    y = keras_sign(g, g.MatMul(y, g.signs(32 * 9, 64)))
    return g.model(g.MatMul(y, g.signs(64, 10)), [1, 16, 8, 8])


def flattened_side_by_side(g):
    a = g.Flatten(keras_sign(g, binary_conv(g, keras_sign(g, "x"), 16, 20)))
    b = g.Flatten(keras_sign(g, binary_conv(g, keras_sign(g, "x"), 16, 12, 5)))
    y = g.Concat(a, b, axis=1)
    return g.model(g.MatMul(y, g.signs(20 * 36 + 12 * 16, 10)), [1, 16, 8, 8])


def flattened_pool(g):
    y = keras_sign(g, binary_conv(g, keras_sign(g, "x"), 16, 20))
    y = g.Flatten(g.MaxPool(y, kernel_shape=[2, 2], strides=[2, 2]))
    return g.model(g.MatMul(y, keras_sign(g, g.floats(20 * 9, 10))), [1, 16, 8, 8])


FLATTENED = {
    "plain": flattened,
    "pooled": flattened_pooled,
    "pool": flattened_pool,
    "side_by_side": flattened_side_by_side,
}

# --- thresholds of channels --------------------------------------------------------------------


def thresholds_flattened(g):
    """FINN's: a scale after the count, a pool and a flatten."""
    y = g.Mul(g.MultiThreshold("x", g.thresholds(16, 3)), 0.25)
    y = g.MultiThreshold(binary_conv(g, y, 16, 20), g.thresholds(20, 3))
    y = g.MaxPool(y, kernel_shape=[2, 2], strides=[2, 2])
    y = g.Flatten(g.Mul(y, 0.5))
    y = g.MultiThreshold(g.MatMul(y, g.signs(20 * 9, 24)), g.thresholds(24, 1))
    return g.model(g.MatMul(g.Add(g.Mul(y, 2.0), -1.0), g.signs(24, 10)), [1, 16, 8, 8])


def thresholds_moved(g):
    """Channels first, last, and flattened; two tables side by side."""
    y = g.MultiThreshold("x", g.thresholds(16, 3), data_layout="NHWC")
    y = binary_conv(g, g.Transpose(y, perm=[0, 3, 1, 2]), 16, 12)
    y = g.Concat(*(g.MultiThreshold(y, g.thresholds(12, 3)) for _ in range(2)), axis=1)
    y = binary_conv(g, y, 24, 20)
    y = g.Flatten(g.MultiThreshold(y, g.thresholds(20, 3)))
    return g.model(g.MatMul(y, g.signs(20 * 16, 10)), [1, 8, 8, 16])


def thresholds_written(g):
    """A comparison for each, summed."""
    t = g.thresholds(64, 3)
    steps = [g.Cast(g.GreaterOrEqual("x", t[:, i : i + 1]), to=1) for i in range(3)]
    y = g.Transpose(g.Sum(*steps), perm=[0, 2, 1])
    return g.model(g.MatMul(y, g.signs(64, 20)), [1, 64, 10])


THRESHOLDS = {
    "flattened": thresholds_flattened,
    "moved": thresholds_moved,
    "written": thresholds_written,
}

# --- signs and floats side by side -------------------------------------------------------------


def mixed_signs(g):
    """A layer's signs are signs of themselves beside the signs of floats."""
    y = keras_sign(g, binary_conv(g, keras_sign(g, "x"), 16, 20))
    skip = g.Slice("x", np.array([1, 1]), np.array([7, 7]), np.array([2, 3]))
    y = keras_sign(g, g.Concat(y, skip, axis=1))
    return g.model(binary_conv(g, y, 36, 12), [1, 16, 8, 8])


def mixed_dense(g):
    """DenseNet's features, of signs and sums."""
    features = keras_sign(g, "x")
    for channels in (16, 28):
        y = g.Add(binary_conv(g, keras_sign(g, features), channels, 12, 1), g.floats(12, 1, 1))
        features = g.Concat(features, y, axis=1)
    return g.model(binary_conv(g, keras_sign(g, features), 40, 12, 1), [1, 16, 8, 8])


def mixed_flattened(g):
    a = g.Flatten(keras_sign(g, binary_conv(g, keras_sign(g, "x"), 16, 20)))
    b = g.Flatten(g.GlobalAveragePool("x"))
    y = keras_sign(g, g.Concat(a, b, axis=1))
    return g.model(g.MatMul(y, g.signs(20 * 36 + 16, 10)), [1, 16, 8, 8])


MIXED = {"signs": mixed_signs, "dense": mixed_dense, "flattened": mixed_flattened}

NETWORKS = {
    f"{kind}-{name}": build
    for kind, networks in {
        "signs": SIGNS,
        "depthwise": DEPTHWISE,
        "flattened": FLATTENED,
        "thresholds": THRESHOLDS,
        "mixed": MIXED,
    }.items()
    for name, build in networks.items()
}


def run(model):
    """The network, after its results on both routes and those of ONNX' reference are compared."""
    network = bquant.compile(model.SerializeToString())
    reference = bquant.compile(model.SerializeToString(), strategy="reference")
    shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(5).normal(size=shape).astype(np.float32)
    # Zeros of either sign tell signs apart.
    x.flat[::7], x.flat[3::7] = 0.0, -0.0
    result = network(x)
    np.testing.assert_array_equal(result, reference(x))
    expected = ReferenceEvaluator(model, new_ops=[MultiThreshold]).run(None, {"x": x})[0]
    np.testing.assert_allclose(result, expected, rtol=0, atol=2e-6 * abs(expected).max())
    return network


@pytest.mark.parametrize("name", NETWORKS)
def test_products_of_bits(name):
    network = run(NETWORKS[name](Graph()))
    assert products(network) and not any(item["float"] for item in products(network)), (
        network.report()
    )
    if name.startswith("depthwise"):
        assert [item["operands"] for item in products(network)][0].endswith("ternary")
        assert len(products(network)) == 1


# --- floats by ternary filters -----------------------------------------------------------------

IMAGE = [1, 16, 8, 8]


def by_relu(g, w, shape=IMAGE):
    return g.model(g.Conv(g.Relu("x"), w) if w.ndim == 4 else g.MatMul(g.Relu("x"), w), shape)


@pytest.mark.parametrize(
    "build",
    [
        lambda g: by_relu(g, g.levels(20, 16, 3, 3, minus=-0.5, plus=0.5)),
        lambda g: by_relu(g, g.levels(20, 16, 3, 3) * abs(g.floats(20, 1, 1, 1))),
        lambda g: by_relu(g, g.levels(1024, 1024, minus=-0.4, plus=0.7), [1, 1024]),
    ],
    ids=["twn", "twn_of_each_filter", "ttq_large"],
)
def test_floats_by_ternary_filters(build):
    network = run(build(Graph()))
    assert all(item["arithmetic"] == "float by binary" for item in products(network))
    assert "it is what 'arith.maximumf' computes in floats at Relu_0" in network.report()


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        (lambda g: by_relu(g, g.levels(20, 16, 3, 3, minus=-0.4, plus=0.7)),
         "the filter takes a sum of floats for each scalar or offset, which pays only in a large "
         "matrix or with a quantized input, but the input is what 'arith.maximumf' computes in "
         "floats at Relu_0"),
        (lambda g: by_relu(g, g.levels(64, 32, minus=-0.4, plus=0.7), [1, 64]),
         "the filter takes a sum of floats for each scalar or offset"),
        (lambda g: g.model(
            binary_conv(g, g.Concat(keras_sign(g, "x"), g.Relu("x"), axis=1), 32, 12), IMAGE),
         "it is put together of values that are not all quantized alike: a part is what "
         "'arith.maximumf' computes in floats at Relu_"),
    ],
    ids=["ttq", "ttq_small", "mixed"],
)  # fmt: skip
def test_reasons_name_the_operation(build, reason):
    network = run(build(Graph()))
    assert all(item["float"] for item in products(network))
    assert reason in network.report(), network.report()


@pytest.mark.parametrize("kind", ["permutation", "centering"])
def test_matrices_of_hardly_anything_stay_float(kind):
    """By planes, a small result would be the difference of large sums."""
    n = 1024
    matrix = np.eye(n, dtype=np.float32)
    matrix = matrix[::-1] if kind == "permutation" else matrix - np.float32(1 / n)
    g = Graph()
    network = bquant.compile(g.model(g.MatMul("x", np.ascontiguousarray(matrix)), [1, n]))
    x = np.random.default_rng(1).standard_normal((1, n)).astype(np.float32)
    if kind == "permutation":
        x[0, 0] = 1e8
        np.testing.assert_array_equal(network(x), x @ matrix)
    else:
        x += 100
        expected = x.astype(np.float64) @ matrix.astype(np.float64)
        np.testing.assert_allclose(network(x), expected, rtol=0, atol=5e-4)
