"""Schemes whose planes are ranks among thresholds, as torch modules."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import bquant  # noqa: E402
from bquant import nn  # noqa: E402
from bquant.nn import functional as F  # noqa: E402
from reports import products  # noqa: E402

CPU_FLAGS = Path("/proc/cpuinfo").read_text()

ACTIVATIONS = ["ls-3", "ls-4", "twn", "dorefa-1", "dorefa-2", "dorefa-4", "hwgq-1", "hwgq-2"]
WEIGHTS = ["ls-3", "twn", "bwn", "dorefa-w-1", "dorefa-w-2", "dorefa-w-3"]


def awkward(shape, seed=0):
    """Values among which are zeros of both signs, ties and numbers far out."""
    x = torch.randn(shape, generator=torch.Generator().manual_seed(seed))
    flat = x.view(-1)
    flat[::7] = 0.0
    flat[1::7] = -0.0
    flat[2::13] = 0.5
    flat[3::17] = 40.0
    return x


@pytest.mark.parametrize("scheme", ACTIVATIONS)
def test_values_are_those_of_the_array_function(scheme):
    x = awkward((4, 5, 6))
    got = F.quantize(x, scheme, F.solve(x, scheme))
    q = bquant.quantize(x.numpy(), scheme)
    np.testing.assert_array_equal(got.numpy(), q.dequantize())


@pytest.mark.parametrize("scheme", WEIGHTS)
def test_filters_are_those_of_the_array_function(scheme):
    layer = nn.BinaryConv2d(3, 5, 3, weights=scheme, activations="fp").eval()
    q = bquant.quantize(layer.weight.detach().numpy(), scheme, axis=0)
    np.testing.assert_array_equal(layer.quantized_weight().detach().numpy(), q.dequantize())


def test_nan_is_at_least_none_of_the_thresholds():
    quantizer = nn.Quantizer("dorefa-2").eval()
    assert quantizer(torch.tensor([float("nan"), float("inf"), -float("inf")])).tolist() == [
        0,
        1,
        0,
    ]


def test_data_free_schemes_need_no_batch():
    quantizer = nn.Quantizer("dorefa-2", clamp=None).eval()
    x = torch.tensor([-1.0, 0.0, 0.2, 0.4, 0.6, 3.0])
    expected = torch.tensor([0, 0, 1, 1, 2, 3]) / 3
    torch.testing.assert_close(quantizer(x), expected)
    assert quantizer.offset.tolist() == [0.5]


def test_running_averages():
    quantizer = nn.Quantizer("twn", clamp=None, momentum=0.75)
    batches = [awkward((3, 50), seed) for seed in (1, 2)]
    solved = []
    for batch in batches:
        quantizer(batch)
        solved.append(F.solve(batch, "twn"))
    for name in ("scalars", "thresholds"):
        first, second = (getattr(s, name) for s in solved)
        torch.testing.assert_close(getattr(quantizer, name), 0.75 * first + 0.25 * second)


def test_levels_follow_the_average():
    quantizer = nn.Quantizer("ls-3", clamp=None, momentum=0.5)
    for seed in (1, 2):
        quantizer(awkward((3, 50), seed))
    quantizer.eval()
    thresholds, codes = F.nearest_levels(quantizer.scalars)
    assert torch.equal(quantizer.thresholds, thresholds) and torch.equal(quantizer.codes, codes)
    # The nearest of all sums, whatever it was trained with.
    quantizer.set_scalars(torch.tensor([1.0, 0.8, 0.1]))
    x = torch.linspace(-3, 3, 1001)
    signs = torch.cartesian_prod(*[torch.tensor([-1.0, 1.0])] * 3)
    sums = signs @ torch.tensor([1.0, 0.8, 0.1])
    distance = (x[:, None] - sums).abs().amin(1)
    torch.testing.assert_close((x - quantizer(x)).abs(), distance)


def test_state_is_saved_and_loaded():
    layer = nn.BinaryConv2d(3, 4, 3, weights="ls-3", activations="ls-3")
    layer(awkward((2, 3, 5, 5)))
    other = nn.BinaryConv2d(3, 4, 3, weights="ls-3", activations="ls-3")
    other.load_state_dict(layer.state_dict())
    x = awkward((1, 3, 5, 5), 3)
    assert torch.equal(layer.eval()(x), other.eval()(x))


def gradient(scheme, values):
    x = torch.tensor(values, requires_grad=True)
    parameters = F.solve(torch.tensor([0.1, -0.4, 1.5, -2.0]), scheme)
    F.quantize(x, scheme, parameters).sum().backward()
    return x.grad.tolist()


def test_gradients():
    # dorefa and hwgq are a clip between the outermost levels.
    assert gradient("dorefa-2", [-0.5, 0.5, 1.5]) == [0, 1, 0]
    assert gradient("hwgq-1", [-0.5, 0.5, 1.5]) == [0, 1, 0]
    assert gradient("twn", [-0.5, 0.5, 9.0, -9.0]) == [1, 1, 0, 0]
    slope = (1 - np.tanh([0.5, 2.0]) ** 2) / np.tanh(2.0)
    np.testing.assert_allclose(gradient("dorefa-w-2", [0.5, 2.0]), slope, rtol=1e-5)


def test_training_step_reaches_the_weights():
    layer = nn.BinaryLinear(6, 3, weights="twn", activations="hwgq-2")
    layer(awkward((8, 6)).abs()).sum().backward()
    assert layer.weight.grad.abs().sum() > 0


PAIRS = [
    ("dorefa-2", "ls-1"),
    ("hwgq-2", "twn"),
    ("ls-3", "ls-3"),
    ("twn", "dorefa-w-2"),
    ("dorefa-1", "bwn"),
    ("hwgq-3", "ls-4"),
    ("dorefa-3", "gf-2"),
    ("ls-2", "dorefa-w-3"),
]


def make_network(inputs, channels, **schemes):
    torch.manual_seed(1)
    model = torch.nn.Sequential(
        nn.BinaryConv2d(inputs, channels, 3, padding=1, stride=2, **schemes),
        torch.nn.BatchNorm2d(channels),
        nn.BinaryConv2d(channels, 40, (3, 1), padding=(2, 0), **schemes),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        nn.BinaryLinear(40 * 9, 10, **schemes),
    )
    for seed in range(3):
        model(awkward((4, inputs, 9, 11), seed))
    return model.eval()


@pytest.mark.parametrize("activations, weights", PAIRS)
def test_compiled_network_agrees(activations, weights):
    # Many planes of channels that are no multiple of 4 would stay floats.
    inputs, channels = (4, 36) if weights in ("ls-3", "ls-4") else (3, 33)
    model = make_network(inputs, channels, activations=activations, weights=weights)
    x = awkward((2, inputs, 9, 11), 7)
    net = bquant.compile(model, example_inputs=(x,))
    binary = [line for line in str(net.report()).splitlines() if ", binary: " in line]
    assert sum("conv_2d" in line for line in binary) == 2
    assert sum("matmul" in line for line in binary) == 1
    slow = bquant.compile(model, example_inputs=(x,), strategy="reference")
    assert np.array_equal(np.asarray(net(x)), np.asarray(slow(x)))
    with torch.no_grad():
        # Torch sums in another order, so a value at a threshold may fall on either side of it.
        expected = model(x)
    torch.testing.assert_close(torch.as_tensor(net(x)), expected, rtol=1e-4, atol=1e-4)


# Evenly spaced values on both sides: products of bytes, whatever the number of bits.
EVEN = [
    ("dorefa-2", "dorefa-w-2", "bytes"),
    ("dorefa-4", "dorefa-w-4", "auto"),
    ("dorefa-8", "dorefa-w-8", "auto"),
    ("hwgq-8", "bwn", "auto"),
    ("dorefa-7", "twn", "auto"),
]


@pytest.mark.skipif(
    "ssse3" not in CPU_FLAGS and "asimddp" not in CPU_FLAGS,
    reason="expected a CPU with products of bytes (SSSE3, NEON's dot products)",
)
@pytest.mark.parametrize("activations, weights, strategy", EVEN)
def test_even_levels_are_products_of_bytes(activations, weights, strategy):
    model = make_network(4, 36, activations=activations, weights=weights)
    x = awkward((2, 4, 9, 11), 7)
    net = bquant.compile(model, example_inputs=(x,), strategy=strategy)
    found = products(net)
    # Two rows, of the last layer, may be popcounts of their planes.
    few = ("bytes<", "popcount<") if strategy == "auto" else "bytes<"
    assert [a["kernel"].startswith("bytes<") for a in found[:-1]] == [True, True]
    assert found[-1]["kernel"].startswith(few)
    # A byte of each channel of whole tiles, and scalars.
    assert all(a["weight_bytes"] < 48 * 360 + 40 * 4 + 1 for a in found)
    slow = bquant.compile(model, example_inputs=(x,), strategy="reference")
    assert np.array_equal(np.asarray(net(x)), np.asarray(slow(x)))


@pytest.mark.parametrize("scheme", ["ls-1", "gf-3", "ls-T", "twn", "dorefa-2"])
def test_pool_of_a_product_is_one_of_codes(scheme):
    torch.manual_seed(2)
    model = torch.nn.Sequential(
        nn.BinaryConv2d(3, 33, 3, padding=1, activations=scheme),
        torch.nn.MaxPool2d(3, 2, 1, ceil_mode=True),
        torch.nn.BatchNorm2d(33),
        nn.BinaryConv2d(33, 8, 3, activations=scheme),
    )
    for seed in range(2):
        model(awkward((4, 3, 12, 12), seed))
    x = awkward((2, 3, 12, 12), 5)
    net = bquant.compile(model.eval(), example_inputs=(x,))
    report = str(net.report())
    assert (
        "max_pool_2d, binary: 2x12x12x33" in report and "pooling" not in report.split("passed")[0]
    )
    slow = bquant.compile(model, example_inputs=(x,), strategy="reference")
    assert np.array_equal(np.asarray(net(x)), np.asarray(slow(x)))
    with torch.no_grad():
        torch.testing.assert_close(torch.as_tensor(net(x)), model(x), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(weights="dorefa-2"), "expected weights to be one of"),
        (dict(weights="hwgq-2"), "expected weights to be one of"),
        (dict(activations="dorefa-w-2"), "expected activations to be one of"),
        (dict(activations="ls-9"), "expected activations to be one of"),
        (dict(activations="dorefa-0"), "expected activations to be one of"),
        (dict(activations="rank-1"), "expected activations to be one of"),
        (dict(activations="twn", scalars="online"), "expected stored scalars for 'twn'"),
    ],
)
def test_what_there_is_not(arguments, message):
    with pytest.raises(ValueError, match=message):
        nn.BinaryLinear(4, 4, **arguments)


def test_thresholds_do_not_follow_from_scalars():
    with pytest.raises(ValueError, match="expected a scheme with scalars alone, but got 'twn'"):
        nn.Quantizer("twn").set_scalars(torch.tensor([0.5]))


def test_rank_one_is_of_the_package():
    q = bquant.quantize(np.ones((3, 4), np.float32), "rank-1")
    assert isinstance(q, bquant.RankOneArray)
    np.testing.assert_allclose(q.energy, 1)
