"""The frontend of .tflite files as Larq's compute engine writes them, against its own interpreter,
whose results are in golden/ (`./dev fixtures`)."""

import platform

import bquant
import numpy as np
import pytest

pytest.importorskip("tflite")
pytest.importorskip("flatbuffers")

from bquant.__main__ import main  # noqa: E402
from golden_files import agree, cases, on_both_routes  # noqa: E402
from lite_files import File  # noqa: E402
from reports import binary_share, products  # noqa: E402

NETWORKS, OPERATORS = cases("larq_networks.npz"), cases("larq_operators.npz")
WORDS = cases("larq_words.npz")  # parts of a trained network

# NAME: the share of its MACs, in percent, that are products of bits. The others are the first and
# the last layers, convolutions of floats where channels grow, and what no quantizer is before.
SHARES = {
    "quicknet": 95.4,
    "bireal": 85.2,
    "bireal_swish": 85.2,
    "xnor_pad0": 94.9,
    "xnor_pad1": 94.9,
    "densenet": 93.8,
    "densenet_dilated": 93.8,
    "melius": 97.9,
    "perceptron": 53.8,
    "packed": 96.9,
    "dilation": 96.4,
    "groups": 95.5,
    "prelu": 95.5,
    "ternary": 95.5,
    "ternary_weights": 95.5,
    "heaviside": 95.5,
    "dorefa": 97.7,
    "no_op": 0.0,
    "depthwise": 1.5,
    "ste_sign_in_floats": 95.5,
    "ste_tern_in_floats": 95.5,
    "dorefa_in_floats": 97.7,
    "quicknet_int8": 95.4,
    "xnor_pad1_int8": 94.9,
}

STRATEGIES = ["auto", "scalar", "bytes"]
KERNELS = {"popcount": "avx512_vpopcntdq", "table": "ssse3"}  # and the flag of a CPU that has it
if platform.machine() == "x86_64":
    FLAGS = open("/proc/cpuinfo").read()
    STRATEGIES += [s for s, flag in KERNELS.items() if flag in FLAGS]


def run(network, x):
    """Of samples one by one: the converter writes a batch of one."""
    return np.concatenate([network(sample[None]) for sample in x])


def test_every_network_is_here():
    assert NETWORKS.keys() == SHARES.keys()


@pytest.mark.parametrize("name", SHARES)
def test_network(name):
    """Floats to 1e-5 of the largest output; codes are those of the engine."""
    content, (x,), (y,) = NETWORKS[name]
    network = bquant.compile(content)
    result = run(network, x)
    assert result.tobytes() == run(bquant.compile(content, strategy="reference"), x).tobytes()
    agree(result, y, 1e-5)
    assert binary_share(network) == pytest.approx(SHARES[name], abs=0.1)


@pytest.mark.parametrize("strategy", STRATEGIES[1:])
@pytest.mark.parametrize(
    "name", ["quicknet", "xnor_pad0", "packed", "groups", "ste_tern_in_floats"]
)
def test_strategy(name, strategy):
    content, (x,), _ = NETWORKS[name]
    result = run(bquant.compile(content, strategy=strategy), x)
    assert result.tobytes() == run(bquant.compile(content, strategy="reference"), x).tobytes()


@pytest.mark.parametrize("name", OPERATORS)
def test_operator(name):
    """Numbers are whole or binary fractions: in every bit."""
    content, (x,), (y,) = OPERATORS[name]
    network = bquant.compile(content)
    for compiled in (network, bquant.compile(content, strategy="reference")):
        result = compiled(x)
        assert result.dtype == y.dtype
        np.testing.assert_array_equal(result, y)
    if name.startswith("conv"):
        assert binary_share(network) == 100


@pytest.mark.parametrize("name", WORDS)
def test_words_in_and_out(name):
    """Of a trained network that is cut where words are: those of the engine; floats of the last
    layer to 1e-6."""
    content, (x,), (y,) = WORDS[name]
    agree(on_both_routes(content, lambda network: network(x)), y, 1e-6)


def test_words_with_the_bits_of_other_channels():
    """LceDequantize of 24 channels reads the words of 20: those beyond them are +1."""
    file = File()
    x, y = file.tensor([1, 2, 20]), file.tensor([1, 2, 24])
    words = file.tensor([1, 2, 1], "INT32")
    file.operator("LceQuantize", [x], [words], {})
    file.operator("LceDequantize", [words], [y], {})
    given = np.random.default_rng(3).normal(size=(1, 2, 20)).astype(np.float32)
    first, signs = bquant.compile(file.finish([x], [words, y]))(given)
    expected = np.ones((1, 2, 24), np.float32)
    expected[..., :20] = np.where(given >= 0, 1, -1)
    np.testing.assert_array_equal(signs, expected)
    bits = np.packbits(expected < 0, axis=-1, bitorder="little")
    assert first.tobytes() == np.pad(bits, ((0, 0), (0, 0), (0, 1))).tobytes()


@pytest.mark.parametrize("strategy", STRATEGIES[1:])
@pytest.mark.parametrize(
    "name", ["stride_even_zeros", "dilation_zeros", "groups", "packed_result", "packed_given"]
)
def test_operator_by_strategy(name, strategy):
    content, (x,), (y,) = OPERATORS[f"conv_{name}"]
    np.testing.assert_array_equal(bquant.compile(content, strategy=strategy)(x), y)


def layers(name):
    return products(bquant.compile(NETWORKS[name][0]))


def test_report_says_what_layers_became():
    found = layers("quicknet")
    assert [item["arithmetic"] for item in found].count("binary") == 4
    assert [item["arithmetic"] for item in found[:3]] == ["float"] * 3
    assert "model/" in found[-1]["location"]  # Keras' name of the layer


def planes(name):
    """Of the two products between the first layer and the last one."""
    found = layers(name)
    assert len(found) == 4
    return {item["operands"] for item in found[1:3]}


@pytest.mark.parametrize(
    ("name", "activations", "weights"),
    [
        ("ste_sign_in_floats", "1 plane", "1 plane"),
        ("ste_tern_in_floats", "ternary", "1 plane"),
        ("ternary_weights", "1 plane", "ternary"),
        ("dorefa", "2 planes in ratio", "1 plane"),
        ("dorefa_in_floats", "2 planes in ratio", "1 plane"),
        ("no_op", "f32", "1 plane"),
    ],
)
def test_quantizers_are_told_apart(name, activations, weights):
    """Larq's `ste_sign`, `SteTern`, `DoReFa` and `NoOp`."""
    expected = (
        f"1x6x6x32{' ' if activations == 'f32' else ', '}{activations} by 32x3x3x32, {weights}"
    )
    assert planes(name) == {expected}


def test_magnitude_aware_sign():
    """A sign, whose scale the converter has put into the multiplier."""
    assert [item["arithmetic"] for item in layers("bireal")].count("binary") == 3


def test_file_and_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    content, (x,), (y,) = NETWORKS["packed"]
    (tmp_path / "net.tflite").write_bytes(content)
    network = bquant.compile("net.tflite")
    np.testing.assert_allclose(run(network, x), y, atol=1e-5 * np.abs(y).max())
    assert bquant.verify(network, "net.tflite", x[:1])
    assert bquant.verify(network, content).calls == 3
    assert main(["compile", "net.tflite", "-o", "net.so", "--report=net.json"]) == 0
    np.testing.assert_array_equal(run(bquant.load("net.so"), x), run(network, x))
    assert main(["verify", "net.tflite"]) == 0
    assert capsys.readouterr().out.startswith("equal: ")


def test_multiplier_and_bias_are_rounded_as_in_the_engine():
    """It multiplies twice the number of bits that differ by -m, and adds b + K m."""
    rng = np.random.default_rng(5)
    size, filters = 64, 48
    x = rng.choice(np.float32([-1, 1]), (1, 5, 5, size))
    signs = rng.choice([-1, 1], (filters, size))
    m, b = rng.normal(size=(2, filters)).astype(np.float32)
    file = File()
    given = file.tensor(x.shape)
    words = file.tensor((1, 5, 5, size // 32), "INT32")
    bits = np.packbits(signs < 0, axis=-1, bitorder="little").view("<i4")
    filter_ = file.tensor((filters, 1, 1, size // 32), "INT32", bits)
    others = [file.tensor((filters,), "FLOAT32", value) for value in (m, b)]
    result = file.tensor((1, 5, 5, filters))
    file.operator("LceQuantize", [given], [words], {})
    options = {
        "channels_in": size, "padding": 1, "pad_values": 0, "fused_activation_function": 0,
        "stride_height": 1, "stride_width": 1,
        "dilation_height_factor": 1, "dilation_width_factor": 1,
    }  # fmt: skip
    file.operator("LceBconv2d", [words, filter_, *others], [result], options)
    dots = (x.astype(np.int64) @ signs.T).astype(np.float32)
    moved = (b + size * m.astype(np.float64)).astype(np.float32)
    expected = (size - dots) * -m + moved
    assert (expected != dots * m + b).any()
    content = file.finish([given], [result])
    for strategy in ("auto", "reference"):
        net = bquant.compile(content, strategy=strategy)
        np.testing.assert_array_equal(net(x), expected)
