"""Filters with an offset in PyTorch: AdaBin's mean beside the signs, TTQ's two scales."""

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from functions import sign  # noqa: E402
from reports import share_in_codes  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402


class Layer(nn.Module):
    def __init__(self, filters, signs):
        super().__init__()
        torch.manual_seed(11)
        self.weight = nn.Parameter(torch.randn(16, 8, 3, 3) + 0.1)
        self.next = nn.Parameter(torch.randn(12, 16, 3, 3) - 0.1)
        self.filters, self.signs = filters, signs

    def quantize(self, x):
        return sign(x) if self.signs else torch.round(x.clamp(0, 1) * 15) / 15

    def forward(self, x):
        y = F.conv2d(self.quantize(x), self.filters(self.weight), padding=1)
        return y, F.conv2d(self.quantize(y), self.filters(self.next), stride=2).relu()


def adabin(w):
    """Tu and others, AdaBin: Binary Neural Networks with Adaptive Binary Sets, (5) to (9)."""
    mean = w.mean((1, 2, 3), keepdim=True)
    deviation = w.std((1, 2, 3), keepdim=True, correction=0)
    return torch.where(w >= mean, 1.0, -1.0) * deviation + mean


def ttq(w):
    """Zhu and others, Trained Ternary Quantization, (6)."""
    threshold = 0.05 * w.abs().amax((1, 2, 3), keepdim=True)
    positive = 1.25 * w.abs().mean((1, 2, 3), keepdim=True)
    return torch.where(
        w > threshold, positive, torch.where(w < -threshold, -0.75 * positive, torch.zeros(()))
    )


@pytest.mark.parametrize("signs", [True, False])
@pytest.mark.parametrize("filters", [adabin, ttq])
def test_becomes_binary(filters, signs):
    model = Layer(filters, signs).eval()
    x = torch.randn(1, 8, 9, 9)
    network = bquant.compile(model, example_inputs=(x,))
    assert share_in_codes(network) > 99
    reference = bquant.compile(model, example_inputs=(x,), strategy="reference")
    results = network(x)
    for result, other in zip(results, reference(x), strict=True):
        np.testing.assert_array_equal(result, other)
    with torch.no_grad():
        first, second = model(x)
    np.testing.assert_allclose(results[0], first, atol=1e-5 * first.abs().max().item())
    # A code between the products is another one where a sum near 0 rounds otherwise.
    assert np.median(np.abs(np.asarray(results[1]) - second.numpy())) <= 1e-5


class Bytes(nn.Module):
    """A product of unsigned and signed bytes whose filters have a zero point."""

    def __init__(self, shape, product, zero, input_zero):
        super().__init__()
        generator = torch.Generator().manual_seed(sum(shape) + zero)
        self.register_buffer(
            "weight", (torch.randint(0, 256, shape, generator=generator).float() - zero) * 0.01
        )
        self.product, self.input_zero = product, input_zero

    def forward(self, x):
        codes = (torch.round(x / 0.0459) + self.input_zero).clamp(-128, 127)
        return self.product((codes - self.input_zero) * 0.0459, self.weight)


def convolution(**options):
    return lambda x, w: F.conv2d(x, w, **options)


PRODUCTS = {
    "matmul_1": ((48, 64), F.linear, (1, 64)),
    "matmul_12": ((48, 64), F.linear, (12, 64)),
    "matmul_odd": ((7, 37), F.linear, (5, 37)),
    "padded": ((16, 8, 3, 3), convolution(padding=(0, 1)), (1, 8, 4, 5)),
    "strided": ((9, 12, 3, 2), convolution(stride=2), (1, 12, 7, 8)),
    "groups": ((16, 8, 3, 3), convolution(groups=2), (1, 16, 4, 4)),
    "pointwise": ((32, 64, 1, 1), F.conv2d, (1, 64, 1, 3)),
    "depthwise": ((16, 1, 3, 3), convolution(padding=(0, 1), groups=16), (1, 16, 4, 4)),
}


ZERO_POINTS = [(120, -128), (3, 5), (128, 0)]  # of the filter, of the input


@pytest.mark.parametrize(
    ("name", "zero", "input_zero"),
    [(name, *ZERO_POINTS[i % 3]) for i, name in enumerate(PRODUCTS)]
    + [("matmul_1", *zeros) for zeros in ZERO_POINTS[1:]],
)
def test_bytes_with_zero_points(name, zero, input_zero):
    filters, product, shape = PRODUCTS[name]
    model = Bytes(filters, product, zero, input_zero).eval()
    x = 4 * torch.randn(shape, generator=torch.Generator().manual_seed(5))
    result = np.asarray(bquant.compile(model, example_inputs=(x,))(x))
    reference = bquant.compile(model, example_inputs=(x,), strategy="reference")
    np.testing.assert_array_equal(result, np.asarray(reference(x)))
    expected = model(x).numpy()
    np.testing.assert_allclose(result, expected, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("rows", [1, 12])
def test_nothing_is_written_bit_by_bit(rows):
    """What is inserted one by one does not become more with the channels."""
    counts = []
    for channels in (64, 256):
        model = Bytes((512, channels), F.linear, 120, -128).eval()
        x = torch.randn(rows, channels)
        text = bquant.lower(model, "vectorize", example_inputs=(x,))
        inserted = [line for line in text.splitlines() if "tensor.insert " in line]
        assert not [line for line in inserted if "xi1>" in line]
        counts.append(len(inserted))
    assert counts[0] == counts[1]
