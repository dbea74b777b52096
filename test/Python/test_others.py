"""Networks as others write them: the quantizations of the paper's reference code, XNOR-Net,
Bi-Real, DoReFa, ReActNet, written anew in the style of each. Everything but the first layer and the
classifier becomes binary, and the outputs are torch's."""

import bquant
import pytest
import torch
import torch.nn.functional as F
from functions import Function, sign
from torch import nn

SEED = 4


class Sign(torch.autograd.Function):
    """Straight-through: the gradient passes where |x| <= 1."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign() + (x == 0).type(torch.float)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * (x.abs() <= 1)


class PlainSign(Sign):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()


# The paper's reference code: scalars of activations in one buffer of moving averages, scalars of
# filters in buffers of their own, each expanded to the batch or reshaped at every call.


def scaled(x, vs, scheme):
    vs = [v.view(-1, 1, 1, 1) for v in vs]
    if scheme == "ls-1":
        return vs[0] * Sign.apply(x)
    if scheme == "ls-2":
        first = Sign.apply(x)
        return vs[0] * first + vs[1] * Sign.apply(x - vs[0] * first)
    if scheme == "ls-T":
        first = Sign.apply(x)
        return vs[0] * (first + Sign.apply(x - vs[0] * first))
    result, residual = 0, x.clone().detach()
    for v in vs:  # The residual is not used where scalars are given.
        residual = residual - v * Sign.apply(residual)
        result = result + v * Sign.apply(x - result)
    return result


SCALARS = {"ls-1": 1, "ls-2": 2, "ls-T": 1, "gf-2": 2, "gf-3": 3, "gf-4": 4}


class MovingAverage(nn.Module):
    def __init__(self, scheme):
        super().__init__()
        self.scheme = scheme
        descending = torch.rand(SCALARS[scheme]).sort(descending=True).values
        self.register_buffer("moving_average", descending * 0.8 + 0.1)

    def forward(self, x):
        if self.scheme == "fp":
            return x
        count = self.moving_average.size(0)
        return scaled(
            x, [self.moving_average[i].expand(x.shape[0]) for i in range(count)], self.scheme
        )


class ReferenceConv(nn.Conv2d):
    def __init__(self, *args, activations, weights, **options):
        super().__init__(*args, **options)
        self.x_approximate = MovingAverage(activations)
        self.scheme = weights
        for i in range(SCALARS[weights]):
            scale = self.weight.detach().abs().mean((1, 2, 3)) / 2**i
            self.register_buffer(f"v{i + 1}", scale)

    def forward(self, x):
        vs = [getattr(self, f"v{i + 1}") for i in range(SCALARS[self.scheme])]
        x = self.x_approximate(x.clamp(-2, 2))
        return F.conv2d(
            x, scaled(self.weight, vs, self.scheme), self.bias, self.stride, self.padding
        )


class ReferenceBlock(nn.Module):
    def __init__(self, channels, **schemes):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)
        self.conv = ReferenceConv(channels, channels, 3, padding=1, **schemes)
        self.act = nn.PReLU(channels)

    def forward(self, x):
        return self.act(self.conv(self.norm(x))) + x


# XNOR-Net: sign(x) * sign(w) * alpha, alpha after the convolution, and K of the input.


class XnorConv(nn.Conv2d):
    def forward(self, x):
        alpha = self.weight.abs().mean((1, 2, 3)).view(1, -1, 1, 1)
        box = torch.full((1, 1, *self.kernel_size), 1 / 9)
        scale = F.conv2d(x.abs().mean(1, keepdim=True), box, padding=self.padding)
        return F.conv2d(sign(x), self.weight.sign(), None, 1, self.padding) * scale * alpha


class ScaledAfter(nn.Conv2d):
    """Larq's way with a scale: both sides bare signs, the scale after the product."""

    def forward(self, x):
        alpha = self.weight.abs().mean((1, 2, 3)).view(1, -1, 1, 1)
        sign = 2.0 * (x >= 0).float() - 1.0
        return (
            F.conv2d(sign, torch.where(self.weight < 0, -1.0, 1.0), None, 1, self.padding) * alpha
        )


class BiRealConv(nn.Conv2d):
    """torch's sign, which is 0 at 0; magnitudes of filters by the mean."""

    def forward(self, x):
        alpha = self.weight.abs().mean((1, 2, 3), keepdim=True)
        return F.conv2d(PlainSign.apply(x), alpha * self.weight.sign(), None, 1, self.padding)


class DetachedConv(nn.Conv2d):
    """Straight-through by detach, with a clamp."""

    def forward(self, x):
        def binary(x):
            clamped = x.clamp(-1, 1)
            return (sign(x) - clamped).detach() + clamped

        return F.conv2d(binary(x), binary(self.weight), None, 1, self.padding)


class GreaterConv(nn.Conv2d):
    """A sign of another kind, -1 at 0."""

    def forward(self, x):
        sign = torch.where(x > 0, torch.ones_like(x), -torch.ones_like(x))
        weight = torch.where(self.weight > 0, 1.0, -1.0)
        return F.conv2d(sign, weight, None, 1, self.padding)


class CopySignConv(nn.Conv2d):
    def forward(self, x):
        one = torch.ones_like(x)
        return F.conv2d(torch.copysign(one, x), self.weight.sign(), None, 1, self.padding)


class MaskedConv(nn.Conv2d):
    """The zeros of torch's sign set to one in place."""

    def forward(self, x):
        sign = x.sign()
        sign[sign == 0] = 1
        return F.conv2d(sign, self.weight.sign(), None, 1, self.padding)


class DoReFaConv(nn.Conv2d):
    """2 quantize_k(w) - 1 of filters with k bits; activations are signs."""

    bits = 2

    def forward(self, x):
        n = float(2**self.bits - 1)
        w = torch.tanh(self.weight)
        w = w / (2 * w.abs().max()) + 0.5
        w = 2 * (torch.round(w * n) / n) - 1
        return F.conv2d(sign(x), w, None, 1, self.padding)


class OneBitDoReFaConv(DoReFaConv):
    bits = 1


class TernaryConv(nn.Conv2d):
    """Ternary filters, by a threshold in the graph."""

    def forward(self, x):
        w = self.weight
        delta = 0.7 * w.abs().mean((1, 2, 3), keepdim=True)
        mask = (w.abs() > delta).float()
        alpha = (w.abs() * mask).sum((1, 2, 3), keepdim=True) / mask.sum((1, 2, 3), keepdim=True)
        return F.conv2d(sign(x), alpha * w.sign() * mask, None, 1, self.padding)


class UniformConv(nn.Conv2d):
    """DoReFa's activations, round(n clip(x, 0, 1)) / n, by one-bit filters with one scale."""

    bits = 2

    def forward(self, x):
        n = float(2**self.bits - 1)
        x = torch.round(torch.clamp(x, 0, 1) * n) / n
        scale = self.weight.abs().mean().detach()
        return F.conv2d(x, torch.sign(self.weight / scale) * scale, None, 1, self.padding)


class FourBitConv(UniformConv):
    bits = 4


class Block(nn.Module):
    def __init__(self, conv):
        super().__init__()
        self.conv = conv
        self.norm = nn.BatchNorm2d(conv.out_channels)

    def forward(self, x):
        return self.norm(self.conv(x)) + x


def network(make, blocks=2, channels=32):
    """A float stem, binary blocks, a float classifier; statistics as after training."""
    torch.manual_seed(SEED)
    model = nn.Sequential(
        nn.Conv2d(3, channels, 3, padding=1),
        nn.BatchNorm2d(channels),
        *(make(channels) for _ in range(blocks)),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(channels, 10),
    )
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.normal_(module.running_mean, 0, 0.3)
            nn.init.uniform_(module.running_var, 0.5, 2)
            nn.init.normal_(module.weight)
            nn.init.normal_(module.bias, 0, 0.3)
    return model.eval(), torch.randn(2, 3, 12, 12)


def check(model, x, binary, **options):
    """Outputs are torch's, and so many convolutions are binary."""
    compiled = bquant.compile(model, (x,), **options)
    with torch.no_grad():
        expected = model(x)
    actual = compiled(x)
    torch.testing.assert_close(actual, expected, rtol=1e-4, atol=1e-4 * expected.abs().max().item())
    assert torch.equal(actual.argmax(1), expected.argmax(1))
    report = compiled.report()
    assert report.count("conv_2d, binary") == binary, report
    return report


@pytest.mark.parametrize("weights", ["ls-1", "ls-2", "ls-T", "gf-2"])
@pytest.mark.parametrize("activations", ["ls-1", "ls-2", "ls-T", "gf-2", "gf-3", "gf-4"])
def test_the_reference_code(activations, weights):
    model, x = network(lambda c: ReferenceBlock(c, activations=activations, weights=weights))
    check(model, x, 2)


SIMPLE = [
    XnorConv, ScaledAfter, BiRealConv, DetachedConv, GreaterConv, CopySignConv, MaskedConv,
    DoReFaConv, OneBitDoReFaConv, TernaryConv, UniformConv, FourBitConv,
]  # fmt: skip


@pytest.mark.parametrize("conv", SIMPLE, ids=lambda conv: conv.__name__)
def test_other_networks(conv):
    model, x = network(lambda c: Block(conv(c, c, 3, padding=1, bias=False)))
    check(model, x, 2)


# What is raised only if it is asked for, and what is said if it is not.


class UnboundedConv(nn.Conv2d):
    """Straight-through by detach, without a clamp: not exactly a sign for large x."""

    def forward(self, x):
        straight = (sign(x) - x).detach() + x
        return F.conv2d(straight, self.weight.sign(), None, 1, self.padding)


class ScaledResidueConv(nn.Conv2d):
    """ReActNet's filters: a scaled sign, straight-through by a clamp."""

    def forward(self, x):
        w = self.weight
        scaled = w.abs().mean((1, 2, 3), keepdim=True) * torch.sign(w)
        clamped = torch.clamp(w, -1.0, 1.0)
        w = scaled.detach() - clamped.detach() + clamped
        return F.conv2d(sign(x), w, None, 1, self.padding)


@pytest.mark.parametrize("conv", [UnboundedConv, ScaledResidueConv])
def test_residues_that_are_not_exact(conv):
    model, x = network(lambda c: Block(conv(c, c, 3, padding=1, bias=False)))
    report = check(model, x, 0, strict=True)
    assert "(assume-exact-residues takes it for" in report
    for options in ({}, {"strict": True, "assume": ("exact-residues",)}):
        report = check(model, x, 2, **options)
        assert "2 planes" not in report and "assume-exact-residues" not in report
        assert "straight-through residue" in report and "is taken for" in report


class OnlineConv(nn.Conv2d):
    """Scalars of each sample, in the graph: v = mean |r|, then r - v sign(r), for every plane."""

    planes = 1

    def forward(self, x):
        result, residual = 0, x
        for _ in range(self.planes):
            v = residual.abs().mean(dim=(1, 2, 3), keepdim=True)
            plane = v * sign(residual)
            result, residual = result + plane, residual - plane
        return F.conv2d(result, self.weight.sign(), None, 1, self.padding)


class OnlineGreedyConv(OnlineConv):
    planes = 2


@pytest.mark.parametrize("dynamic_batch", [False, True])
@pytest.mark.parametrize("conv", [OnlineConv, OnlineGreedyConv])
def test_scalars_computed_in_the_graph_stay_float(conv, dynamic_batch):
    model, x = network(lambda c: Block(conv(c, c, 3, padding=1, bias=False)))
    report = check(model, x, 0, dynamic_batch=dynamic_batch)
    assert report.count("stays float: input: a scalar is no constant") == 2


def test_a_sign_that_is_zero_takes_two_planes_or_an_assumption():
    model, x = network(lambda c: Block(BiRealConv(c, c, 3, padding=1, bias=False)))
    report = check(model, x, 2)
    assert "zero gives 0 instead of 1" in report and "ternary" in report
    report = check(model, x, 2, assume=("no-zero", "no-nan"))
    assert "ternary" not in report


@pytest.mark.parametrize("scalar", [0.5, 1.0, 2.0, 4.0, 100.0])
def test_a_scaled_sign_that_is_zero(scalar):
    weight = torch.tensor([[1.0, 1, 1, 1, 1, 1, 1, 1], [1, -1, 1, -1, 1, 1, -1, 1]])
    x = torch.tensor([[3.0, -2, 0, 1, 1, -0.0, 5, 7]])
    model = Function(lambda x: F.linear(scalar * torch.sign(x), weight))
    for strategy in ("auto", "scalar", "reference"):
        net = bquant.compile(model, (x,), strategy=strategy)
        assert "ternary by" in net.report()
        assert torch.equal(net(x), model(x))


def test_an_unknown_assumption():
    model, x = network(lambda c: nn.Identity())
    with pytest.raises(ValueError, match="expected one of no-nan, .* but got 'nothing'"):
        bquant.compile(model, (x,), assume=("no-zero", "nothing"))
    with pytest.raises(ValueError, match="expected one of no-nan, .* but got 'nothing'"):
        bquant.compile(model, (x,), assume="nothing")
