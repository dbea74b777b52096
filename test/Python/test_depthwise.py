"""Depthwise convolutions of floats: channels, any number of them, lie in the lanes of registers."""

import bquant
import numpy as np
import pytest
import torch

SEED = 11


@pytest.mark.parametrize("target", ["host", "haswell", "x86-64-v2"])
@pytest.mark.parametrize(
    "channels, size, kernel, options",
    [
        (1, 7, 3, {"padding": 1}),
        (7, 8, 5, {"stride": 2, "padding": 2}),
        (16, 9, 3, {"dilation": 2}),
        (33, 6, 2, {}),
        (100, 7, 3, {"stride": 2, "padding": 1}),
    ],
)
def test_depthwise(channels, size, kernel, options, target):
    """Equal to torch, and to the reference in every bit, as AVX-512, AVX2 and SSE code."""
    torch.manual_seed(SEED)
    conv = torch.nn.Conv2d(channels, channels, kernel, groups=channels, **options)
    model, x = torch.nn.Sequential(conv, torch.nn.ReLU()), torch.randn(1, channels, size, size)
    try:
        network = bquant.compile(model, (x,), target=target)
        y = network(x).numpy()
    except RuntimeError as error:  # of a machine without what the target has
        pytest.skip(str(error))
    if channels > 1:
        assert "depthwise_conv_2d_nhwc_hwc" in network.report()
    with torch.no_grad():
        np.testing.assert_allclose(y, model(x).numpy(), rtol=1e-5, atol=1e-5)
    reference = bquant.compile(model, (x,), target=target, strategy="reference")
    np.testing.assert_array_equal(y.view(np.int32), reference(x).numpy().view(np.int32))
