"""How published networks write their quantizers: each becomes a product of bits, or says why not.

Written after the papers that are named, in the words of their authors' code; none of bquant's
modules is used.
"""

import bquant
import pytest
import torch
import torch.nn.functional as F
from functions import Function, sign, to_onnx
from reports import share_in_codes

IMAGE, FILTER, WIDE = (2, 40, 8, 8), (24, 40, 3, 3), (24, 80, 3, 3)


def through(quantized, x):
    return (quantized - x).detach() + x


def conv(x, w, padding=1):
    return F.conv2d(x, w, padding=padding)


# --- activations -----------------------------------------------------------------------------


def lsq(x, step=0.5, low=0, high=3):
    """Esser and others, Learned Step Size Quantization."""
    y = torch.clamp(x / step, low, high)
    return through(y.round(), y) * step


def pact(x, bound, bits):
    """Choi and others, PACT, (1) and (2)."""
    y = 0.5 * (x.abs() - (x - bound).abs() + bound)
    steps = (2**bits - 1) / bound
    return torch.round(y * steps) / steps


def lq_net(x, levels=(0.0, 0.4, 0.9, 1.3)):
    """Zhang and others, LQ-Nets: the nearest of all sums of a learned basis."""
    y = torch.full_like(x, levels[0])
    for below, above in zip(levels, levels[1:], strict=False):
        y = torch.where(x >= (below + above) / 2, torch.full_like(x, above), y)
    return y


def abc_net(x, shifts=(0.0, 0.5, -0.5), scales=(0.7, 0.6, 0.9)):
    """Lin, Zhao, Pan, ABC-Net: shifted and clipped, then 0 and 1 to -1 and 1."""
    planes = [2 * (torch.clamp(x + v, 0, 1) >= 0.5).float() - 1 for v in shifts]
    return sum(b * plane for b, plane in zip(scales, planes, strict=True))


def wage(x, bits=2):
    """Wu and others, Training and Inference with Integers, (6)."""
    step = 2.0 ** (1 - bits)
    return torch.clamp(torch.round(x / step) * step, -1 + step, 1 - step)


def ternary(x, t=0.5):
    return (x > t).float() - (x < -t).float()


ACTIVATIONS = {
    "lsq": (lsq, {}),
    "lsq_narrow": (lambda x: lsq(x, 0.25, -3, 3), {}),
    "lsq_offset": (lambda x: torch.round(torch.clamp((x - 0.2) / 0.5, 0, 3)) * 0.5 + 0.2, {}),
    "dorefa_3": (lambda x: through(torch.round(x.clamp(0, 1) * 7) / 7, x.clamp(0, 1)), {}),
    "dorefa_4": (lambda x: through(torch.round(x.clamp(0, 1) * 15) / 15, x.clamp(0, 1)), {}),
    "hwgq": (lambda x: torch.clamp(torch.round(torch.clamp(x, 0) / 0.538), 0, 3) * 0.538, {}),
    "wage": (wage, {}),
    "pact_2": (lambda x: pact(x, 2.0, 2), {}),
    "pact_4": (lambda x: pact(x, 1.7, 4), {}),
    "pact_parameter": (lambda x, bound: pact(x, bound.abs(), 3), {"bound": (1,)}),
    "pact_where": (
        lambda x: torch.round(torch.where(x < 0, 0.0, torch.where(x < 2, x, 2.0)) * 1.5) / 1.5, {}),
    "ternary": (ternary, {}),
    "ternary_where": (lambda x: torch.where(x > 0.5, 1.0, torch.where(x < -0.5, -1.0, 0.0)), {}),
    "ternary_mask": (lambda x: 0.7 * torch.sign(x) * (x.abs() > 0.5).float(), {}),
    "ternary_skewed": (lambda x: (x > 0.6).float() - (x < -0.3).float(), {}),
    "ternary_channels": (
        lambda x, t: (x > t.abs()).float() - (x < -t.abs()).float(), {"t": (1, 40, 1, 1)}),
    "lq_net": (lq_net, {}),
    "lq_net_nested": (
        lambda x: torch.where(x > 1.1, 1.3, torch.where(x > 0.65, 0.9,
                  torch.where(x > 0.2, 0.4, 0.0))), {}),
    "lq_net_both_signs": (lambda x: lq_net(x, (-1.3, -0.4, 0.4, 1.3)), {}),
    "three_bits": (lambda x: lq_net(x, (0.0, 0.3, 0.5, 0.8, 1.1, 1.4, 1.6, 1.9)), {}),
    "any_levels": (lambda x: lq_net(x, (0.0, 0.4, 0.9, 2.0)), {}),
    "abc_net": (abc_net, {}),
    "adabin": (lambda x: sign((x - 0.3) / 0.7) * 0.7 + 0.3, {}),
    "step": (lambda x: (x > 0).float(), {}),
    "react_net": (
        lambda x, b: through(torch.sign(x + b), torch.clamp(x + b, -1, 1)), {"b": (1, 40, 1, 1)}),
}  # fmt: skip

# --- filters ---------------------------------------------------------------------------------


def abc_filter(w, scales=(0.3, 0.5, 0.2)):
    mean, deviation = w.mean(), w.std()
    return sum(a * sign(w - mean + u * deviation) for a, u in zip(scales, (-1, 0, 1), strict=True))


def dorefa_filter(w, bits):
    t = torch.tanh(w)
    steps = 2**bits - 1
    return through(2 * (torch.round((t / (2 * t.abs().max()) + 0.5) * steps) / steps) - 1, w)


def ir_net(w):
    w = w - w.mean((1, 2, 3), keepdim=True)
    w = w / w.std((1, 2, 3), keepdim=True)
    return sign(w) * 2 ** torch.round(torch.log2(w.abs().mean((1, 2, 3), keepdim=True)))


def twn(w):
    keep = (w.abs() > 0.7 * w.abs().mean((1, 2, 3), keepdim=True)).float()
    size = (w.abs() * keep).sum((1, 2, 3), keepdim=True) / keep.sum((1, 2, 3), keepdim=True)
    return size * torch.sign(w) * keep


def adabin_filter(w):
    mean, deviation = w.mean((1, 2, 3), keepdim=True), w.std((1, 2, 3), keepdim=True)
    return sign(w - mean) * deviation + mean


FILTERS = {
    "lsq_2": lambda w: lsq(w, 0.5, -2, 1),
    "lsq_narrow_3": lambda w: lsq(w, 0.3, -3, 3),
    "lsq_4": lambda w: lsq(w, 0.2, -8, 7),
    "dorefa_1": lambda w: sign(w / w.abs().mean()) * w.abs().mean(),
    "dorefa_3": lambda w: dorefa_filter(w, 3),
    "dorefa_4": lambda w: dorefa_filter(w, 4),
    "lq_net": lambda w: lq_net(w, (-1.3, -0.4, 0.4, 1.3)),
    "abc_net": abc_filter,
    "adabin": adabin_filter,
    "ttq": lambda w: 1.2 * (w > 0.8).float() - 0.8 * (w < -0.8).float(),
    "twn": twn,
    "ir_net": ir_net,
    "step": lambda w: (w > 0).float(),
}

# --- ways to a product -----------------------------------------------------------------------

WAYS = {
    "concatenated": (lambda x, w: conv(torch.cat([sign(x), sign(0.3 - x)], 1), sign(w)), WIDE),
    "concatenated_levels": (
        lambda x, w: conv(torch.cat([lsq(x), lsq(2 * x - 0.3)], 1), sign(w)), WIDE),
    "concatenated_sign": (lambda x, w: conv(sign(torch.cat([x, -x], 1)), sign(w)), WIDE),
    "reflected": (
        lambda x, w: conv(F.pad(sign(x), (1, 1, 1, 1), mode="reflect"), sign(w), 0), FILTER),
    "replicated": (
        lambda x, w: conv(F.pad(lsq(x), (1, 1, 1, 1), mode="replicate"), sign(w), 0), FILTER),
    "circular": (
        lambda x, w: conv(F.pad(sign(x), (1, 1, 1, 1), mode="circular"), sign(w), 0), FILTER),
    "enlarged": (lambda x, w: conv(F.interpolate(sign(x), scale_factor=2), sign(w)), FILTER),
    "shuffled": (
        lambda x, w: conv(
            sign(x).view(2, 2, 20, 8, 8).transpose(1, 2).reshape(2, 40, 8, 8), sign(w)), FILTER),
    "flattened": (lambda x, w: F.linear(ternary(x).flatten(1), sign(w)), (10, 40 * 64)),
    "reshaped": (
        lambda x, w: F.linear(lsq(x).permute(0, 2, 3, 1).reshape(2, 64, 40), sign(w)), (10, 40)),
    "assigned": (lambda x, w: conv(assigned(x), sign(w)), FILTER),
}  # fmt: skip


def assigned(x):
    y = sign(x)
    y[:, 3:9] = sign(x[:, 20:26])
    return y


def make(function, shapes):
    """A model with parameters of these shapes, and an input."""
    torch.manual_seed(1)
    return Function(function, **shapes), torch.randn(IMAGE)


def agree(network, model, x, tolerance=2e-6):
    """Up to a share of the largest value."""
    expected = model(x)
    size = expected.abs().max().item()
    torch.testing.assert_close(network(x), expected, rtol=0, atol=tolerance * size)


def check(function, shapes):
    model, x = make(function, shapes)
    network = bquant.compile(model, (x,))
    assert share_in_codes(network) == pytest.approx(100), network.report()
    reference = bquant.compile(model, (x,), strategy="reference")
    assert torch.equal(network(x), reference(x))
    agree(network, model, x)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name):
    quantize, shapes = ACTIVATIONS[name]
    check(lambda x, w, **rest: conv(quantize(x, **rest), sign(w)), {"w": FILTER, **shapes})


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("activations", ["sign", "lsq"])
def test_filters(name, activations):
    quantize = sign if activations == "sign" else lsq
    check(lambda x, w: conv(quantize(x), FILTERS[name](w)), {"w": FILTER})


@pytest.mark.parametrize("name", WAYS)
def test_ways_to_a_product(name):
    function, shape = WAYS[name]
    check(function, {"w": shape})


def test_bases_of_both_sides():
    """ABC-Net's sum of convolutions, each of one shifted sign."""
    shifts, scales = (0.0, 0.5, -0.5), (0.7, 0.6, 0.9)
    check(
        lambda x, w: sum(
            b * conv(2 * (torch.clamp(x + v, 0, 1) >= 0.5).float() - 1, abc_filter(w))
            for v, b in zip(shifts, scales, strict=True)
        ),
        {"w": FILTER},
    )


def in_onnx(name):
    """A quantizer of each kind, by name."""
    kind, _, name = name.partition(" ")
    if kind == "way":
        function, shape = WAYS[name]
        return function, {"w": shape}
    if kind == "filter":
        return lambda x, w: conv(lsq(x), FILTERS[name](w)), {"w": FILTER}
    quantize, shapes = ACTIVATIONS[name]
    return lambda x, w, **rest: conv(quantize(x, **rest), sign(w)), {"w": FILTER, **shapes}


@pytest.mark.parametrize(
    "name",
    [
        *(f"activation {name}" for name in (
            "lsq", "dorefa_3", "wage", "pact_2", "ternary", "ternary_mask", "lq_net_nested",
            "abc_net", "adabin", "react_net",
        )),
        *(f"filter {name}" for name in (
            "lsq_narrow_3", "dorefa_3", "abc_net", "adabin", "ttq", "twn",
        )),
        *(f"way {name}" for name in ("concatenated", "replicated", "shuffled", "assigned")),
    ],
)  # fmt: skip
def test_by_way_of_onnx(name):
    """As PyTorch exports them; filters are numbers there."""
    pytest.importorskip("onnx")
    model, x = make(*in_onnx(name))
    network = bquant.compile(to_onnx(model, x))
    assert share_in_codes(network) == pytest.approx(100), network.report()
    agree(network, model, x, tolerance=3e-6)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        # Faraone and others, SYQ: a scale for each position of the kernel.
        (lambda x, w: conv(sign(x), sign(w) * w.abs().mean((0, 1), keepdim=True)),
         "filter: a scalar varies along a dimension other than the first"),
        (lambda x, w: conv(sign(x) * x[:1, :, :1, :1].abs(), sign(w)),
         "input: a scalar is no constant"),
        (lambda x, w: conv(torch.cat([sign(x[:, :20]), 0.5 * sign(x[:, 20:])], 1), sign(w)),
         "it is put together of values that are not all quantized alike"),
        (lambda x, w: conv(lq_net(x, (0.0, 1.0, 3.0, 7.5, 18.0, 40.0, 93.0)), sign(w)),
         "no quantization of it is recognised"),
    ],
)  # fmt: skip
def test_a_reason_where_it_stays_float(function, reason):
    model, x = make(function, {"w": FILTER})
    network = bquant.compile(model, (x,))
    assert share_in_codes(network) == 0
    assert reason in network.report()
    agree(network, model, x)


def test_strict_computes_what_is_written_for_a_gradient():
    model, x = make(lambda x, w: conv(pact(x, 2.0, 2), sign(w)), {"w": FILTER})
    # Beside a large x the bits of the bound are lost.
    x[0, 0, 0, 0] = 3e8
    network = bquant.compile(model, (x,), strict=True)
    assert share_in_codes(network) == 0 and "use-clamp" not in network.report()
    torch.testing.assert_close(network(x), model(x), rtol=0, atol=1e-4)
    assert "is taken for clamp(x, 0, a)" in bquant.compile(model, (x,)).report()
