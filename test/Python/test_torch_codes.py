"""Networks of 8 bits as PT2E and fake quantization leave them: their maps are bytes, whose results
are torch's. Scales are powers of 2, so that torch's floats are exact."""

import bquant
import pytest
import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401  (defines the operations)
from functions import Function
from reports import layers
from torch import nn
from torch.nn import functional as F

pytestmark = pytest.mark.filterwarnings("ignore")
ROUTES = ("auto", "reference")
# Bounds, type and zero point of activations.
KINDS = {
    "uint8": (0, 255, torch.uint8, 119),
    "reduced": (0, 127, torch.uint8, 64),
    "int8": (-128, 127, torch.int8, -7),
    "narrow": (-127, 127, torch.int8, 0),
}
q = torch.ops.quantized_decomposed


class Codes(nn.Module):
    """Rounds to codes, and decodes them: by two operations, or by one that is fake."""

    def __init__(self, kind, scale, fake):
        super().__init__()
        low, high, dtype, zero = KINDS[kind]
        self.places, self.dtype, self.fake = (scale, zero, low, high), dtype, fake

    def forward(self, x):
        if self.fake:
            return torch.fake_quantize_per_tensor_affine(x, *self.places)
        codes = q.quantize_per_tensor(x, *self.places, self.dtype)
        return q.dequantize_per_tensor(codes, *self.places, self.dtype)


class Layer(nn.Module):
    """A convolution or a matrix product by filters of 8 bits, each of its own scale; with `bias` of
    "codes" it is in steps of the sum, as the input's scale makes them."""

    def __init__(self, draw, shape, fake, scale=None, bias="floats", **window):
        super().__init__()
        self.fake, self.window, self.bias = fake, window, bias
        codes = torch.randint(-127, 128, shape, generator=draw)
        self.scales = 2.0 ** -torch.randint(9, 12, shape[:1], generator=draw)
        self.zeros = torch.zeros(shape[0], dtype=torch.int32 if fake else torch.int64)
        along = self.scales.reshape(-1, *[1] * (len(shape) - 1))
        self.weights = nn.Buffer(codes * along if fake else codes.to(torch.int8))
        steps = torch.randint(-4096, 4096, shape[:1], generator=draw)
        self.steps = nn.Buffer(steps.to(torch.int32))
        self.floats = nn.Buffer(steps * 2.0**-14)
        self.bias_scales = None if scale is None else self.scales * scale

    def forward(self, x):
        places = self.scales, self.zeros, 0, -128, 127
        if self.fake:
            weights = torch.fake_quantize_per_channel_affine(self.weights, *places)
        else:
            weights = q.dequantize_per_channel(self.weights, *places, torch.int8)
        bias = self.floats
        if self.bias == "codes":
            places = self.bias_scales, self.zeros, 0, -(2**31), 2**31 - 1
            bias = q.dequantize_per_channel(self.steps, *places, torch.int32)
        if weights.ndim == 2:
            return F.linear(x, weights, bias)
        return F.conv2d(x, weights, bias, **self.window)


class Network(nn.Module):
    """A first layer, one of two filters for each channel, a residual block, a pooling, a
    concatenation, a matrix."""

    def __init__(self, kind, fake, bias="floats"):
        super().__init__()
        draw = torch.Generator().manual_seed(3)

        def codes(scale=2.0**-4):
            return Codes(kind, scale, fake)

        def layer(*shape, scale=2.0**-4, **window):
            return Layer(draw, shape, fake, scale, bias, **window)

        self.start, self.first = codes(2.0**-5), layer(8, 3, 3, 3, scale=2.0**-5, padding=1)
        self.codes1, self.depthwise = codes(), layer(16, 1, 3, 3, padding=1, groups=8)
        self.codes2, self.point = codes(), layer(8, 16, 1, 1)
        self.codes3, self.sum = codes(2.0**-3), codes()
        self.codes4, self.strided = codes(), layer(8, 16, 3, 3, stride=2)
        self.codes5, self.head = codes(), layer(5, 72)

    def forward(self, x):
        x = self.codes1(F.relu(self.first(self.start(x))))
        y = self.codes2(F.relu(self.depthwise(x)))
        y = self.sum(F.relu(x + self.codes3(self.point(y))))
        y = self.codes4(F.max_pool2d(torch.cat([x, y], 1), 2))
        return self.head(torch.flatten(self.codes5(self.strided(y)), 1))


def check(model, x):
    with torch.no_grad():
        expected = model(x)
    networks = [bquant.compile(model, (x,), strategy=route) for route in ROUTES]
    for network in networks:
        assert torch.equal(network(x), expected)
    return networks[0]


X = 2 * torch.randn(2, 3, 14, 14, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("fake", [False, True], ids=["two operations", "fake"])
@pytest.mark.parametrize("kind", KINDS)
def test_network(kind, fake):
    network = check(Network(kind, fake).eval(), X)
    assert not any(layer["float"] for layer in layers(network))


def test_bias_in_steps():
    network = check(Network("int8", False, bias="codes").eval(), X)
    assert not any(layer["float"] for layer in layers(network))


class Relu(nn.Module):
    """A ReLU on what is decoded already, and codes that are wanted as they are, too."""

    def __init__(self):
        super().__init__()
        draw = torch.Generator().manual_seed(4)
        self.codes, self.layer = Codes("int8", 2.0**-4, False), Layer(draw, (8, 4, 3, 3), False)
        self.again = Codes("int8", 2.0**-4, False)

    def forward(self, x):
        x = self.codes(x)
        return self.layer(F.relu(x)), self.layer(self.again(x)), x, F.max_pool2d(F.relu(x), 2)


def test_relu_of_codes():
    model = Relu().eval()
    x = 4 * torch.randn(1, 4, 6, 6, generator=torch.Generator().manual_seed(1))
    for route in ROUTES:
        network = bquant.compile(model, (x,), strategy=route)
        for result, expected in zip(network(x), model(x), strict=True):
            assert torch.equal(result, expected), route


class Narrower(nn.Module):
    """Codes of the same scale twice, the second time within narrower bounds."""

    def __init__(self):
        super().__init__()
        self.layer = Layer(torch.Generator().manual_seed(8), (4, 16), False)

    def forward(self, x):
        x = Codes("int8", 2.0**-4, False)(x)
        places = 2.0**-4, KINDS["int8"][3], -50, 127, torch.int8
        return self.layer(q.dequantize_per_tensor(q.quantize_per_tensor(x, *places), *places))


def test_narrower_again():
    x = 8 * torch.randn(5, 16, generator=torch.Generator().manual_seed(1))
    check(Narrower().eval(), x)


class CodesIn(nn.Module):
    """Codes that come in and go out."""

    def __init__(self, dtype):
        super().__init__()
        low = 0 if dtype == torch.uint8 else -128
        self.places = 2.0**-4, low + 100, low, low + 255, dtype
        draw = torch.Generator().manual_seed(5)
        self.layer = Layer(draw, (6, 12), False)

    def forward(self, codes):
        x = q.dequantize_per_tensor(codes.reshape(-1, 12), *self.places)
        return q.quantize_per_tensor(self.layer(x), *self.places)


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8])
def test_codes_in_and_out(dtype):
    low = torch.iinfo(dtype).min
    draw = torch.Generator().manual_seed(6)
    x = torch.randint(low, low + 256, (7, 3, 4), generator=draw).to(dtype)
    check(CodesIn(dtype).eval(), x)


class Padded(nn.Module):
    """Codes that come in, padded as they are and as what they stand for."""

    def __init__(self, dtype):
        super().__init__()
        low = 0 if dtype == torch.uint8 else -128
        self.places = 2.0**-4, low + 100, low, low + 255, dtype
        self.layer = Layer(torch.Generator().manual_seed(9), (6, 4, 3, 3), False)

    def forward(self, codes):
        codes = F.pad(codes, (0, 0, 0, 0, 0, 1), value=self.places[2] + 200)
        x = q.dequantize_per_tensor(codes, *self.places)
        return self.layer(F.pad(F.pad(x, (1, 1, 0, 2)), (2, 0), value=-1.25))


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8])
def test_padding(dtype):
    low = torch.iinfo(dtype).min
    draw = torch.Generator().manual_seed(6)
    x = torch.randint(low, low + 256, (2, 3, 7, 9), generator=draw).to(dtype)
    network = check(Padded(dtype).eval(), x)
    assert not any(layer["float"] for layer in layers(network))


class PaddedBytes(nn.Module):
    def __init__(self, fill):
        super().__init__()
        self.fill = fill

    def forward(self, codes):
        return F.pad(codes, (1, 2), value=self.fill)


@pytest.mark.parametrize("fill", [7, 0.5, 200.9])
def test_padding_of_bytes(fill):
    check(PaddedBytes(fill), torch.arange(8, dtype=torch.uint8).reshape(2, 4))


@pytest.mark.parametrize("fill", [300, -1])
def test_padding_of_bytes_by_no_code(fill):
    with pytest.raises(NotImplementedError, match=f"expected a code to pad .* got {fill}"):
        bquant.compile(PaddedBytes(fill), (torch.zeros(2, 4, dtype=torch.uint8),))


def test_signs_that_were_bytes():
    """Nothing says that they fit, and the product is one of bits."""
    w = torch.where(torch.randn(32, 64) >= 0, 1.0, -1.0)
    model = Function(lambda x: F.linear(torch.where(x >= 0, 1.0, -1.0).to(torch.int8).float(), w))
    x = torch.randn(4, 64)
    network = bquant.compile(model, (x,))
    assert torch.equal(network(x), model(x))
    assert not any(layer["float"] for layer in layers(network))


PLACES = torch.full((3,), 0.1), torch.tensor([0.0, 1.5, -2.0]), 1, -8, 7


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.fake_quantize_per_channel_affine(x, *PLACES),
        lambda x: q.quantize_per_channel(x, *PLACES, torch.int8),
        lambda x: q.dequantize_per_channel(x.to(torch.int8), *PLACES, torch.int8),
    ],
)
def test_zero_points_between_codes(function):
    with pytest.raises(NotImplementedError, match="expected whole zero points, but got 1.5 in"):
        bquant.compile(Function(function), (torch.randn(2, 3),))


def test_constants_by_zero_points_between_codes():
    """They are no codes, but known floats."""
    w = torch.fake_quantize_per_channel_affine
    model = Function(lambda x: x @ w(torch.ones(4, 3) / 3, *PLACES))
    x = torch.randn(2, 4)
    torch.testing.assert_close(bquant.compile(model, (x,))(x), model(x))


class Ties(nn.Module):
    """Halves of codes, of which every other one is rounded up, and what is no number of them."""

    def __init__(self, kind):
        super().__init__()
        draw = torch.Generator().manual_seed(7)
        self.codes, self.layer = Codes(kind, 0.5, False), Layer(draw, (4, 16), False)

    def forward(self, x):
        return self.layer(self.codes(x))


@pytest.mark.parametrize("kind", KINDS)
def test_ties(kind):
    x = torch.arange(-1024, 1024) / 4
    x = torch.cat([x, torch.tensor([float("inf"), -float("inf")] * 8)]).reshape(-1, 16)
    check(Ties(kind).eval(), x)
