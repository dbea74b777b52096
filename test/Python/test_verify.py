"""bquant.verify: networks that are right, values on thresholds, and faults, which it finds."""

import copy
import dataclasses
import functools
import json

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from agreement import trained  # noqa: E402
from bquant.frontends.torch import reader as importer  # noqa: E402
from bquant.nn import BinaryConv2d, BinaryLinear, Quantizer  # noqa: E402
from functions import Function, sign  # noqa: E402
from random_networks import random_network  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

SHAPE = (2, 3, 6, 6)


class Mixed(nn.Module):
    """A module called twice, in-place functions, functions between modules."""

    def __init__(self, **options):
        super().__init__()
        self.first, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.act = nn.ReLU(inplace=True)
        self.conv = BinaryConv2d(8, 8, 3, padding=1, **options)
        self.drop, self.last = nn.Dropout(), nn.Linear(16, 5)

    def forward(self, x):
        x = self.act(self.norm(self.first(x)))
        y = F.relu(self.conv(self.conv(x)))
        y += x
        y = torch.cat((y.mean((2, 3)), y.amax((2, 3))), 1)
        return self.last(self.drop(y)).log_softmax(1), y


def mixed(**options):
    torch.manual_seed(0)
    return trained(Mixed(**options), SHAPE, 0)


def samples(count=1, shape=SHAPE, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator) for _ in range(count)]


@pytest.fixture(scope="module")
def default():
    """The model and its network; nobody changes them."""
    model = mixed()
    return model, bquant.compile(model, samples()[0])


def names(result):
    return [(layer.name, layer.op) for layer in result.layers]


def test_equal(default):
    model, network = default
    result = bquant.verify(network, model, samples(3))
    assert result and result.ok and result.equal, result
    assert result.calls == 3 and result.difference < 1e-5
    assert result.mismatch is None and result.first_difference is None
    assert names(result) == [
        ("first", "conv2d"),
        ("norm", "batch_norm"),
        ("act", "relu"),
        ("conv.quantizer", "add"),
        ("conv", "conv2d"),
        ("conv.quantizer#2", "add"),
        ("conv#2", "conv2d"),
        ("(model)", "cat"),
        ("drop", "clone"),
        ("last", "linear"),
        ("(model)", "log_softmax"),
    ]
    layers = {layer.name: layer for layer in result.layers}
    assert layers["conv.quantizer#2"].allowed == 0 and layers["act"].share == 0
    assert 0 < layers["first"].difference < layers["first"].allowed < 1e-4
    assert layers["conv"].shape == [2, 8, 6, 6]

    assert str(result).startswith("equal: 11 layers, inputs: 3, each within rounding")
    assert len(str(result).splitlines()) == 13
    said = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert said["equal"] and said["first_difference"] is None and len(said["layers"]) == 11
    assert result._repr_html_().count("<tr>") == 12
    assert "&lt;" not in result._repr_html_() and "conv.quantizer#2" in result._repr_html_()


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "reference"},
        {"strategy": "scalar", "dynamic_batch": True},
        {"assume": "no-nan"},
    ],
    ids=str,
)
def test_options_of_the_network(options):
    model, (x,) = mixed(activations="ls-T"), samples()
    assert bquant.verify(bquant.compile(model, x, **options), model, x).equal


def test_loaded_library_and_exported_program(default, tmp_path):
    (model, network), (x,) = default, samples()
    network.save(tmp_path / "net.so")
    network = bquant.load(tmp_path / "net.so")
    assert bquant.verify(network, torch.export.export(model, (x,)), x.numpy()).equal


def test_norms_and_pools_of_all_kinds():
    """In one module, so that what rounding does goes on from one to the next."""

    def block(x, weight, mean, variance):
        x = F.batch_norm(F.conv2d(x, weight), mean, variance)
        x = F.avg_pool2d(F.leaky_relu(x, 0.1), 3, 1, 1) + F.max_pool2d(x, 3, 1, 1)
        x = torch.stack((x.tanh(), x.sigmoid().sqrt(), (x.abs() + 1).reciprocal()), 1)
        a, b = x.flatten(2).softmax(2).split(20, 2)[:1][0].chunk(2, 2)
        return (100 * a @ b.transpose(1, 2)).log_softmax(-1)

    torch.manual_seed(0)
    model = Function(block, weight=(4, 3, 3, 3), mean=(4,), variance=torch.rand(4) + 0.1).eval()
    inputs = samples(3, (2, 3, 7, 7))
    result = bquant.verify(bquant.compile(model, inputs[0]), model, inputs)
    (layer,) = result.layers
    assert result.equal and 0 < layer.share < 1, result
    assert layer.name == "(model)" and layer.op == "log_softmax"
    assert layer.allowed < 1e-2 * layer.largest, "a bound that allows all"


def test_exported_program_with_a_dynamic_batch():
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Flatten(), BinaryLinear(128, 5))
    torch.manual_seed(0)
    trained(model, SHAPE, 0)
    (x,) = samples()
    batch = ({0: torch.export.Dim("batch")},)
    exported = torch.export.export(model, (x,), dynamic_shapes=batch)
    result = bquant.verify(bquant.compile(exported), exported, [x, torch.cat((x, x))])
    assert result.equal and result.layers[0].shape == [2, 8, 4, 4]
    json.dumps(result.to_dict(), allow_nan=False)


def test_assumptions_are_those_of_the_network(tmp_path):
    """A sign that is 0 at 0 has two planes, or one where that is ruled out."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.ReLU(), Function(torch.sign), nn.Linear(8, 3)).eval()
    x = torch.tensor([[-1.0, 2, 3, -4, 5, 6, -7, 8]])
    network = bquant.compile(model, x, assume="no-zero")
    network.save(tmp_path / "net.so")
    result = bquant.verify(network, model, x)
    assert result.mismatch is None and result.first_difference.layer == "1"
    loaded = bquant.load(tmp_path / "net.so")
    assert bquant.verify(loaded, model, x).mismatch is not None
    assert bquant.verify(loaded, model, x, assume="no-zero").mismatch is None


def test_residues_that_were_taken_for_exact():
    """(q - x) + x rounds in torch, and is q in the network."""
    torch.manual_seed(0)
    straight = Function(lambda x: (sign(x) - x).detach() + x)
    model = nn.Sequential(straight, nn.Linear(40, 3)).eval()
    x = 1e8 * torch.randn(2, 40)
    network = bquant.compile(model, x)
    strict = bquant.compile(model, x, strict=True)
    assert not torch.equal(strict(x), network(x)), "nothing was taken for anything"
    assert bquant.verify(strict, model, x).equal
    result = bquant.verify(network, model, x)
    assert result.equal and 0 < result.layers[0].share <= 1, result


def test_two_inputs_and_a_mask():
    def two(x, y, linear, quantizer):
        return quantizer(linear(x).masked_fill(y > 0, -1)) * y

    torch.manual_seed(0)
    model = Function(two, linear=nn.Linear(6, 4), quantizer=Quantizer("ls-1"))
    inputs = torch.randn(3, 6), torch.randn(3, 4)
    model(*inputs)
    network = bquant.compile(model.eval(), inputs)
    assert bquant.verify(network, model, inputs).equal
    assert bquant.verify(network, model, [inputs, inputs]).calls == 2


def test_signs_of_ones_own():
    """A module without any of bquant's: its comparisons are steps, too."""

    def block(x, weight):
        x = x - x.mean((2, 3), keepdim=True)
        return F.conv2d(sign(x), sign(weight), padding=1) * 0.1

    torch.manual_seed(0)
    first, second = (Function(block, weight=(3, 3, 3, 3)) for _ in range(2))
    model, (x,) = nn.Sequential(first, nn.PReLU(), second).eval(), samples()
    assert bquant.verify(bquant.compile(model, x), model, x)


@pytest.mark.parametrize("seed", [2, 12, 14, 15])
def test_random_networks(seed):
    """All kinds of layers, online scalars too; inputs near thresholds are not sorted out."""
    model, shape = random_network(seed)
    inputs = samples(8, shape, seed)
    trained(model, shape, seed)
    assert (result := bquant.verify(bquant.compile(model, inputs[0]), model, inputs)), result


def two_bits(x):
    return torch.round(torch.clamp(x / 0.37, 0, 3)) * 0.37


def windows_of_zeros():
    """A filter of 0 and a, which is a/2 s + a/2, has windows of zeros."""
    conv = nn.Conv2d(16, 16, 3, padding=1, groups=16, bias=False)
    filters = torch.randint(-1, 2, (16, 1, 3, 3)).float() * torch.rand(16, 1, 1, 1)
    filters[3] = torch.tensor([[1.0, 0, 0], [1, 0, 0], [0, 0, 0]]) * 0.123
    return conv, filters


def rows_of_zeros():
    """A row of zeros among others, with the step of all, and rows with few of many levels."""
    linear = nn.Linear(16, 6, bias=False)
    filters = torch.randint(-8, 8, (6, 16)).float() * 0.3
    filters[2], filters[3] = 0, torch.arange(16) % 2 * 0.3
    return linear, filters


def turned_filters():
    """More filters than channels, in groups."""
    conv = nn.ConvTranspose2d(16, 32, 3, padding=1, groups=2, bias=False)
    return conv, torch.randint(-1, 2, (16, 16, 3, 3)) * torch.rand(1, 16, 1, 1)


@pytest.mark.parametrize("case", [windows_of_zeros, rows_of_zeros, turned_filters])
def test_sums_of_planes_that_cancel(case):
    """What cancels is larger than the values: of the filter's, and of activations that are 0."""
    torch.manual_seed(0)
    layer, filters = case()
    layer.weight.data = filters
    model = nn.Sequential(Function(two_bits), layer).eval()
    shape = (2, 16) if isinstance(layer, nn.Linear) else (1, 16, 6, 6)
    x = samples(10, shape)
    net = bquant.compile(model, x[0])
    result = bquant.verify(net, model, [*x, -x[0].abs(), x[0].abs() * 1e-3])
    assert result.equal, result
    layer = result.layers[-1]
    assert 0 < layer.share < 1 and layer.allowed < 1e-4 * layer.largest, result


def test_codes_clamped_one_end_after_the_other():
    """The largest code is that of both clamps, also where all samples lie below them."""
    torch.manual_seed(0)
    linear = nn.Linear(16, 6, bias=False)
    linear.weight.data = torch.randint(0, 4, (6, 16)) * 0.2 - 0.3
    levels = Function(lambda x: torch.round(x.clamp(min=0).clamp(max=1) * 4) * 0.25)
    model, (x,) = nn.Sequential(levels, linear).eval(), samples(shape=(2, 16))
    result = bquant.verify(bquant.compile(model, x), model, [-x.abs()])
    assert result.equal and 0 < result.layers[-1].allowed < 1e-4, result


def test_a_bound_of_planes_does_not_grow_with_the_sum():
    """Of 9,216 terms each code counts; a sum of floats is allowed the roundings of all."""
    torch.manual_seed(0)
    layer = BinaryLinear(9216, 4, weights="ls-1", activations="ls-1")
    model, (x,) = nn.Sequential(layer).eval(), samples(shape=(1, 9216))
    layer.quantizer.set_scalars(torch.tensor([0.5]))
    result = bquant.verify(bquant.compile(model, x), model, x)
    one = 2 * 0.5 * layer.quantized_weight().abs().max()
    assert result.equal and result.layers[-1].allowed < 0.1 * one, result


def on_a_threshold():
    """A linear layer's sum, of another order in torch, at a threshold: v_1 is the larger of what
    torch and compiled code have for it."""
    torch.manual_seed(0)
    layers = nn.Linear(300, 40), BinaryLinear(40, 6, activations="ls-2", clamp=None)
    model, (x,) = nn.Sequential(*layers).eval(), samples(shape=(1, 300))
    with torch.no_grad():
        own = model[0](x)
    compiled = bquant.compile(model[0], x)(x)
    (place, *_) = ((own != compiled) & (own > 0.1)).nonzero().tolist()
    v1 = torch.maximum(own, compiled)[tuple(place)].item()
    model[1].quantizer.set_scalars(torch.tensor([v1, v1 / 2]))
    return model, x, place, v1


def test_value_on_a_threshold():
    model, x, place, v1 = on_a_threshold()
    network = bquant.compile(model, x)
    with torch.no_grad():
        assert not torch.allclose(network(x), model(x), rtol=1e-3, atol=1e-3)
    result = bquant.verify(network, model, x)
    assert result and not result.equal, result
    (value,) = result.on_thresholds
    assert value.layer == "1.quantizer" and value.index == place and value.sample == 0
    assert value.threshold == v1
    assert {value.compiled, value.torch} >= {v1} and value.compiled != value.torch
    assert min(value.compiled, value.torch) < v1 and 0 <= value.ulps < 10
    # Once the code is the compiled network's, nothing else differs.
    assert result.difference < 1e-6
    text = str(result)
    assert text.startswith("equal but for 1 value on thresholds: ")
    assert f"1.quantizer: input 0, {place}: " in text and "ulps from the threshold" in text


class Signs(nn.Module):
    """A product, its signs around a threshold and a product of them, all in one module."""

    def __init__(self):
        super().__init__()
        self.first, self.last = (nn.Parameter(torch.randn(n)) for n in ((40, 300), (6, 40)))
        self.register_buffer("limit", torch.zeros(()))

    def product(self, x):
        return F.linear(x, self.first)

    def forward(self, x):
        return F.linear(sign(self.product(x) - self.limit), self.last)


class SignsOfTwoResults(Signs):
    """The first is the same whatever the signs are."""

    def forward(self, x):
        y = super().forward(x)
        return y.clamp(min=1e6), -y


@pytest.mark.parametrize("signs", [Signs, SignsOfTwoResults])
def test_value_on_a_threshold_inside_a_module(signs):
    """What is compared is no tap: the right rounding of the sum stands for it."""
    torch.manual_seed(0)
    model, (x,) = signs().eval(), samples(shape=(1, 300))
    exact = F.linear(x.double(), model.first.double()).float()
    product = Function(lambda x, signs: signs.product(x), signs=model)
    compiled = bquant.compile(product, x)(x)
    (place, *_) = (exact != compiled).nonzero().tolist()
    model.limit.copy_(torch.maximum(exact, compiled)[tuple(place)])
    result = bquant.verify(bquant.compile(model, x), model, x)
    assert result.ok and [v.index for v in result.on_thresholds] == [place], result
    assert result.on_thresholds[0].threshold == model.limit.item()
    assert result.difference < 1e-6


def test_a_defect_beside_a_value_on_a_threshold(monkeypatch):
    """The same code, flipped without rounding: the layer gets what it flips for."""
    model, x, place, v1 = on_a_threshold()
    inject(monkeypatch, "aten.where.Scalar", lambda b, v: b("neg", v))
    result = bquant.verify(bquant.compile(model, x), model, x)
    assert not result and result.first_difference.layer == "1.quantizer"


def change_weight(model):
    model.last.weight[0, 0] += 1e-3


def change_scalar(model):
    model.conv.quantizer.scalars[0] *= 1.001


def change_sign(model):
    model.conv.weight[3, 2, 1, 1] *= -1


def change_norm(model):
    model.norm.running_mean += 0.01


@pytest.mark.parametrize("change", [change_weight, change_scalar, change_sign, change_norm])
def test_other_weights(default, change):
    (model, network), (x,) = default, samples()
    other = copy.deepcopy(model)
    with torch.no_grad():
        change(other)
    result = bquant.verify(network, other, x)
    assert not result and result.mismatch is not None and not result.equal
    assert str(result).startswith(
        "differs: net was compiled from another model or other weights: its outputs are not what "
        "the model compiles to; input 0, output "
    )
    at = (result.mismatch.output, *result.mismatch.index)
    assert network(x)[at[0]][at[1:]].item() == result.mismatch.network
    # The model itself is compiled as it should be.
    assert result.first_difference is None


def test_a_library_of_another_model(tmp_path):
    x = torch.randn(2, 4, generator=torch.Generator().manual_seed(0))
    bquant.compile(nn.Linear(4, 3), x).save(tmp_path / "net.so")
    network = bquant.load(tmp_path / "net.so")
    with pytest.raises(ValueError, match=r"output 0 has the shape \(2, 5\), but got \(2, 3"):
        bquant.verify(network, nn.Linear(4, 5).eval(), x)


def inject(monkeypatch, operation, fault, when=lambda c: True):
    """Has the importer compile something else than the operation says."""
    right = importer.TORCH[operation]

    @functools.wraps(right.write)
    def wrong(c, *args, **kwargs):
        result = right.write(c, *args, **kwargs)
        return c.elementwise(fault, result) if when(c) else result

    monkeypatch.setitem(importer.TORCH, operation, dataclasses.replace(right, write=wrong))


def scaled(by):
    return lambda b, v: b("mul", v, b.number(by))


@pytest.mark.parametrize(
    ("operation", "fault", "layer"),
    [
        ("aten.batch_norm.default", scaled(1.00002), "norm"),
        ("aten.relu.default", scaled(1 + 2**-23), "act"),
        ("aten.clamp.default", scaled(0.9), "conv.quantizer"),
        ("aten.amax.default", scaled(1 + 2**-20), "(model)"),
        ("aten.linear.default", scaled(1.001), "last"),
        ("aten.log_softmax.int", scaled(1.0001), "(model)"),
    ],
)
def test_a_fault_of_the_compiler_is_located(monkeypatch, operation, fault, layer):
    inject(monkeypatch, operation, fault)
    if operation == "aten.batch_norm.default":
        name = "aten._native_batch_norm_legit_no_training.default"
        inject(monkeypatch, name, fault)
    model, inputs = mixed(), samples(2)
    result = bquant.verify(bquant.compile(model, inputs[0]), model, inputs)
    assert result.mismatch is None and not result
    first = result.first_difference
    assert first.layer == layer and first.sample == 0
    assert abs(first.compiled - first.expected) > first.allowed
    assert 0 < first.count <= first.size
    row = next(row for row in result.layers if row.name == layer and row.op == first.op)
    assert not row.ok
    assert str(result).startswith(f"differs first at {layer}, {first.op}: input 0, [")
    json.dumps(result.to_dict(), allow_nan=False)


def of_products(function):
    """A product and a function of it, within one module."""
    return Function(lambda x, weight: function(x @ weight), weight=samples(1, (8, 8))[0]).eval()


def codes(x):
    scales = torch.ops.quantized_decomposed
    q = scales.quantize_per_tensor(x, 0.1, 0, -128, 127, torch.int8)
    return scales.dequantize_per_tensor(q, 0.1, 0, -128, 127, torch.int8)


FUNCTIONS = {
    "codes": codes,
    "fake codes": lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 0, 255),
    "sum": lambda x: x.cumsum(1),
    "product": lambda x: x.prod(1),
    "norm": lambda x: torch.linalg.vector_norm(x, 2, 1),
    "root": lambda x: x.abs().sqrt(),
    "root of negative ones": lambda x: x.sqrt(),
    "power": lambda x: 1.5**x,
    "angle": lambda x: torch.atan2(x, x.abs() + 0.5),
    "small": lambda x: torch.expm1(x / 1000) + torch.log1p(x.abs() / 1000),
    "resize": lambda x: F.interpolate(x.reshape(1, 1, *x.shape), scale_factor=3, mode="bilinear"),
    "variance and mean": lambda x: torch.add(*torch.var_mean(x.reshape(8, 4, 16), 2)),
    "sum of a norm": lambda x: F.group_norm(x.reshape(8, 4, 4, 4), 2).sum((2, 3)),
    "places": lambda x: (x.argmax(1), x.relu() > 0.5, torch.bucketize(x, torch.tensor([0.25]))),
}


@pytest.mark.parametrize(
    ("operation", "other", "function"),
    [
        ("aten.argmax.default", "aten.argmin.default", lambda x: x.argmax(1)),
        ("aten.gt.Scalar", "aten.lt.Scalar", lambda x: x > 0.3),
        ("aten.any.dim", "aten.all.dim", lambda x: (x > 1).any(1)),
    ],
)
def test_a_fault_of_results_that_are_no_floats(monkeypatch, operation, other, function):
    model, call = of_products(function), samples(1, (64, 8), 1)[0]
    assert bquant.verify(bquant.compile(model, call), model, call).ok
    monkeypatch.setitem(importer.TORCH, operation, importer.TORCH[other])
    result = bquant.verify(bquant.compile(model, call), model, call)
    assert not result and result.first_difference.layer == "(model)", result
    assert result.first_difference.allowed == 0


def masked(mask):
    """Attention of a product to itself, without what `mask` is added to."""
    mask = torch.full((16, 16), mask).triu(1)
    return lambda x: (x @ x.mT + mask).softmax(-1) @ x


ATTENTIONS = {
    "causal": lambda x: F.scaled_dot_product_attention(*[x[None]] * 3, is_causal=True),
    "filled": lambda x: (x @ x.mT).masked_fill(x[:, 0] > 0, -torch.inf).softmax(-1) @ x,
    "-inf": masked(-torch.inf),
    "-1e4": masked(-1e4),
    "-1e9": masked(-1e9),
    "least": masked(torch.finfo(torch.float32).min),
}


@pytest.mark.parametrize("name", ATTENTIONS)
def test_what_is_masked_does_not_count(monkeypatch, name):
    """Neither as a false alarm nor in a bound, which still finds a small fault."""
    model, call = of_products(ATTENTIONS[name]), samples(1, (16, 8), 1)[0]
    result = bquant.verify(bquant.compile(model, call), model, call)
    assert result.equal, result
    assert 0 < result.layers[-1].allowed < 1e-4, result
    inject(monkeypatch, "aten.softmax.int", scaled(1.001))
    inject(monkeypatch, "aten._softmax.default", scaled(1.001))
    assert not bquant.verify(bquant.compile(model, call), model, call)


def test_bounds_count_the_terms_of_one_result():
    """A window's of an image, those along one dimension: K of (K + 4) u sum |x|."""
    image, rows = samples(1, (1, 1, 64, 64))[0], samples(1, (1024, 4))[0]
    for function, x, terms, most in (
        (lambda x: F.avg_pool2d(x, 2), image, 4, F.avg_pool2d(image.abs(), 2).max()),
        (lambda x: x.cumsum(1), rows, 4, rows.abs().sum(1).max()),
        (lambda x: x.softmax(1), rows, 4 + 16 + 10, 1.0),
    ):
        model = Function(function).eval()
        result = bquant.verify(bquant.compile(model, x), model, x)
        assert result.ok and 0 < result.layers[0].allowed <= (terms + 4) * 2**-24 * most, result


FAR = {
    "softmax to the least numbers": lambda x: (40 * x).softmax(1),
    "softmax far from 0": lambda x: (x + 1e5).softmax(1),
    "log of softmax": lambda x: (30 * x).softmax(1).log(),
    "exponentials to the least numbers": lambda x: (5 * x - 95).exp(),
    "rows around means of their own": lambda x: F.layer_norm(
        x.reshape(8, 2, 4, 8) * 1e-3 + 10 * torch.arange(4.0)[:, None], (8,)
    ),
    "groups far from 0": lambda x: F.group_norm(x.reshape(8, 4, 4, 4) * 1e-3 + 3, 2),
    "deviation of equal elements": lambda x: (0 * x + 1e-3).std(1),
    "root of nothing": lambda x: (1 - F.normalize(x, dim=1).square().sum(1)).sqrt(),
    "root of a ReLU": lambda x: x.relu().sqrt().mean(1),
    "logarithm of a ReLU": lambda x: x.relu().log(),
    "beside a pole": lambda x: 1 / (x - x.mean(1, keepdim=True)),
}


@pytest.mark.parametrize("name", FAR)
def test_no_false_alarm_at_the_ends(name):
    model, call = of_products(FAR[name]), samples(1, (64, 8), 1)[0]
    result = bquant.verify(bquant.compile(model, call), model, call)
    assert result.ok, result


@pytest.mark.parametrize(
    "invert", [torch.reciprocal, torch.rsqrt, lambda x: x**-1, lambda x: 2 / x]
)
def test_zeros_of_either_sign(invert):
    """Torch's `clamp` keeps -0."""
    model, x = Function(lambda x: invert(x.clamp(min=0.0))).eval(), torch.full((2, 42), -0.0)
    net = bquant.compile(model, x)
    assert not torch.equal(torch.as_tensor(net(x)), model(x))
    assert bquant.verify(net, model, x).ok


@pytest.mark.parametrize("options", [{}, {"input_weights": "int8"}, {"dynamic_batch": True}])
def test_images_of_bytes(options, tmp_path):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Flatten(), nn.Linear(288, 5))
    x = torch.randint(0, 256, SHAPE, dtype=torch.uint8)
    how = {"input": "uint8", "mean": (0.485, 0.456, 0.406), "std": (0.229, 0.224, 0.225)}
    net = bquant.compile(model.eval(), samples()[0], **how, **options)
    assert bquant.verify(net, model, x).equal and bquant.verify(net, model).calls == 3
    other = copy.deepcopy(model)
    with torch.no_grad():
        other[3].bias[0] += 1e-3
    assert bquant.verify(net, other, x).mismatch is not None
    net.save(tmp_path / "net.so")
    with pytest.raises(ValueError, match="a library does not know mean and std, but got one that"):
        bquant.verify(bquant.load(tmp_path / "net.so"), model, x)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_within_a_module(name):
    model = of_products(FUNCTIONS[name])
    call = samples(1, (64, 8), 1)[0]
    result = bquant.verify(bquant.compile(model, call), model, call)
    assert result.ok, str(result)


def test_a_fault_before_results_that_are_no_floats(monkeypatch):
    model = of_products(lambda x: (x.relu() > 0.5).any(1))
    call = samples(1, (64, 8), 1)[0]
    nothing = dataclasses.replace(
        importer.TORCH["aten.relu.default"], write=lambda c, x: c.value(x)
    )
    monkeypatch.setitem(importer.TORCH, "aten.relu.default", nothing)
    result = bquant.verify(bquant.compile(model, call), model, call)
    assert result.first_difference.op == "relu"


def test_what_cannot_be_read():
    x = torch.randn(4, 4)
    with pytest.raises(bquant.UnsupportedOp) as error:
        bquant.compile(Function(torch.linalg.inv).eval(), x)
    assert isinstance(error.value, NotImplementedError)


def test_errors(default):
    model, network, (x,) = copy.deepcopy(default[0]), default[1], samples()
    with pytest.raises(TypeError, match="MLIR text or a path, but got float"):
        bquant.verify(network, 0.5, x)
    with pytest.raises(TypeError, match="expected a bquant.Network as net, but got Mixed"):
        bquant.verify(model, network, x)
    with pytest.raises(TypeError, match="a tuple or an iterable of them as inputs, but got int"):
        bquant.verify(network, model, 3)
    with pytest.raises(TypeError, match="expected tensors or arrays as inputs, but got str"):
        bquant.verify(network, model, ("x",))
    with pytest.raises(ValueError, match="expected at least one input, but got none"):
        bquant.verify(network, model, [])
    with pytest.raises(ValueError, match="shape"):
        bquant.verify(network, model, torch.zeros(1, 3, 6, 6))
    with pytest.raises(TypeError, match="float64"):
        bquant.verify(network, model, np.zeros(SHAPE))
    model.norm.train()
    with pytest.raises(ValueError, match="in eval mode, but 'norm' is in training mode"):
        bquant.verify(network, model, x)
