"""Products of concatenated channels, as in a DenseNet: each part of a word comes from where its
channels do."""

import bquant
import pytest
import torch
import torch.nn.functional as F
from functions import Function, sign
from reports import share_in_codes

# Of the input, and what each convolution appends.
WIDTHS = [
    (32, 16, 16),
    (32, 8, 24, 16),
    (16, 16, 32),
    (5, 27, 32),
    (24, 40, 33),
]


def two_bits(x):
    return torch.clamp(torch.round(x * 0.5), 0, 3) * 2.0


def make(widths, quantize, kernel):
    """All its numbers are integers, and no sum of them rounds."""
    torch.manual_seed(sum(widths))
    filters, total = {}, widths[0]
    for i, width in enumerate([*widths[1:], 9]):
        filters[f"w{i}"] = torch.randn(width, total, kernel, kernel)
        total += width

    def dense(x, **filters):
        x = F.relu(x) - 1.0
        for w in filters.values():
            y = F.conv2d(quantize(x), sign(w), padding=kernel // 2)
            x = torch.cat([x, y - 3.0], 1)
        return y

    x = torch.randint(-4, 5, (1, widths[0], 6, 9)).float()
    return Function(dense, **filters), x


@pytest.mark.parametrize("strategy", ["auto", "table", "bytes"])
@pytest.mark.parametrize("quantize", [sign, two_bits])
@pytest.mark.parametrize("widths", WIDTHS, ids=lambda widths: "+".join(map(str, widths)))
def test_dense_block(widths, quantize, strategy):
    for kernel in (1, 3):
        model, x = make(widths, quantize, kernel)
        network = bquant.compile(model, (x,), strategy=strategy)
        assert share_in_codes(network) == 100
        assert torch.equal(torch.as_tensor(network(x)), model(x))
