"""Products in all the forms in which networks are written: each is counted in bits, equals torch's
and, in every bit, the reference."""

import bquant
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from functions import Function, sign
from torch import nn

SEED = 6


def two(x):
    """Two planes."""
    first = sign(x)
    return 0.5 * first + 0.25 * sign(x - 0.5 * first)


def heads(x, w):
    return sign((x @ w).view(x.shape[0], 7, 4, 16).transpose(1, 2))


# Name: function of inputs and parameters, shapes of parameters by name, shapes of inputs, and the
# products that are binary.
IMAGE, SEQUENCE, ROWS = (2, 40, 9, 7), (2, 40, 19), (2, 7, 32)
FILTER, KERNEL = (33, 40, 3, 3), (12, 40, 3)
FORMS = {
    "padded_by_one": (
        lambda x, w: F.conv2d(F.pad(sign(x), (1, 2, 0, 3), value=1.0), sign(w)),
        {"w": FILTER}, [IMAGE], 1),
    "padded_by_minus_one": (
        lambda x, w: F.conv2d(F.pad(sign(x), (1, 2, 0, 3), value=-1.0), sign(w)),
        {"w": FILTER}, [IMAGE], 1),
    "padded_by_one_of_four": (
        lambda x, w: F.conv2d(F.pad(two(x), (1, 1, 1, 1), value=-0.25), sign(w)),
        {"w": FILTER}, [IMAGE], 1),
    "causal": (
        lambda x, w: F.conv1d(F.pad(sign(x), (2, 0)), sign(w)), {"w": KERNEL}, [SEQUENCE], 1),
    "causal_padded_by_one": (
        lambda x, w: F.conv1d(F.pad(sign(x), (4, 0), value=1.0), sign(w), dilation=2),
        {"w": KERNEL}, [SEQUENCE], 1),
    "pooled": (
        lambda x, w: F.conv2d(F.max_pool2d(sign(x), 2), sign(w)), {"w": FILTER}, [IMAGE], 1),
    "pooled_with_padding": (
        lambda x, w: F.conv2d(F.max_pool2d(two(x), 3, 2, 1), sign(w)), {"w": FILTER}, [IMAGE], 1),
    "pooled_levels": (
        lambda x, w: F.conv2d(
            F.max_pool2d(torch.round(x.clamp(-2, 2) * 3.5) / 3.5, 3, 2, 1), sign(w)),
        {"w": FILTER}, [IMAGE], 1),
    "pooled_sequence": (
        lambda x, w: F.conv1d(F.max_pool1d(sign(x), 3, 2, 1), sign(w)),
        {"w": KERNEL}, [SEQUENCE], 1),
    "vector": (lambda x, w: F.linear(sign(x), sign(w)), {"w": (6, 40)}, [(40,)], 1),
    "sequence": (
        lambda x, w, b: F.linear(two(x), sign(w), b), {"w": (6, 40), "b": (6,)}, [(2, 5, 40)], 1),
    "einsum": (
        lambda x, w: torch.einsum("bik,ok->bio", sign(x), sign(w)),
        {"w": (6, 40)}, [(2, 5, 40)], 1),
    "activations": (
        lambda x, y: torch.bmm(sign(x), sign(y)), {}, [(3, 5, 40), (3, 40, 6)], 1),
    "heads": (
        lambda x, q, k: heads(x, q) @ heads(x, k).transpose(-1, -2),
        {"q": (32, 64), "k": (32, 64)}, [ROWS], 1),
    "heads_of_one_sample": (
        lambda x, q, k: heads(x, q) @ heads(x, k).transpose(-1, -2),
        {"q": (32, 64), "k": (32, 64)}, [(1, *ROWS[1:])], 1),
    "concatenated": (
        lambda x, y, w: F.conv2d(sign(torch.cat([x, y], 1)), sign(w)),
        {"w": (8, 43, 3, 3)}, [IMAGE, (2, 3, 9, 7)], 1),
    "split": (
        lambda x, w: torch.cat(
            [x.chunk(2, 1)[0], F.conv2d(sign(x.chunk(2, 1)[1]), sign(w), padding=1)], 1),
        {"w": (20, 20, 3, 3)}, [IMAGE], 1),
    "sliced_behind_the_sign": (
        lambda x, w: F.conv2d(sign(x)[:, 3:23], sign(w)), {"w": (8, 20, 3, 3)}, [IMAGE], 1),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_form(name):
    torch.manual_seed(SEED)
    function, parameters, shapes, binary = FORMS[name]
    model, inputs = Function(function, **parameters), [torch.randn(shape) for shape in shapes]
    networks = {s: bquant.compile(model, tuple(inputs), strategy=s) for s in ("reference", "auto")}
    expected, actual = networks["reference"](*inputs), networks["auto"](*inputs)
    assert torch.equal(actual.view(torch.int32), expected.view(torch.int32))
    torch.testing.assert_close(actual, model(*inputs), rtol=1e-4, atol=1e-4)
    report = networks["auto"].report()
    assert sum("MAC" in line and ", binary" in line for line in report.splitlines()) == binary, (
        report
    )


def test_a_padding_that_is_none_of_the_values_is_told():
    model = Function(
        lambda x, w: F.conv2d(F.pad(sign(x), (1, 1, 1, 1), value=0.5), sign(w)), w=FILTER
    )
    report = bquant.compile(model, (torch.randn(IMAGE),)).report()
    assert "float by binary" in report and "padded with what is none of its values" in report


@pytest.mark.parametrize("target", ["x86-64-v2", "haswell"])
def test_maxima_keep_nan_and_the_sign_of_zero(target):
    values = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, -0.0, -1.0, -2.0], np.float32)
    model = nn.MaxPool2d(3, 2, 1)
    x = np.random.default_rng(0).choice(
        values, (1, 40, 9, 9), p=[0.02] * 2 + [0.06] + [0.04] + [0.215] * 4
    )
    y = bquant.compile(model, torch.from_numpy(x), target=target)(x)
    expected = bquant.compile(model, torch.from_numpy(x), strategy="reference")(x)
    isnan = np.isnan(expected)
    assert isnan.any() and np.signbit(expected[expected == 0]).any()
    np.testing.assert_array_equal(np.isnan(y), isnan)
    np.testing.assert_array_equal(y[~isnan].view(np.int32), expected[~isnan].view(np.int32))
    np.testing.assert_array_equal(y, model(torch.from_numpy(x)).numpy())
